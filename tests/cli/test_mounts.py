"""Mounts that runs leave: they stay, with what is in them, and a message names the folder.

Each tool is in a mount namespace of its own, so that no mount outlives a scenario.
SPDX-License-Identifier: MIT
"""
# suites: long

import itertools
import os
import re
import shutil

import frng

OWN_MOUNTS = ("unshare", "--mount", "--propagation", "private", "--")
LEFT = r"/frng-work-[0-9a-f]{8}: cannot be removed: .*; look for a mount that a run left there\n"

# What a run does with $V, the victim, in its folder.
MOUNTINGS = {
    "deep": 'mkdir -p a/b/c; mount --bind "$V" a/b/c; chmod 0 a/b; chmod 0 a',
    "twice": 'mkdir m; mount --bind "$V" m; mount --bind "$V" m',
    "folder": 'mount --bind "$V" "$PWD"',
    "file": 'mount --bind "$V/file" "$1"',
    "root": 'mount --bind "$V" "$(dirname "$PWD")"',
    "tmpfs": 'mkdir m; mount -t tmpfs none m; echo x > m/x; mkdir m/y',
    "overlay": 'mkdir m; mount -t overlay none m -o '
               '"lowerdir=$V/0,upperdir=$V/upper,workdir=$V/work" || mount --bind "$V" m',
    "temporary": 'mkdir "$TMPDIR/m"; mount --bind "$V" "$TMPDIR/m"; ln -s "$V" "$TMPDIR/l"',
    "on temporary": 'mount --bind "$V" "$TMPDIR"',
    "all": 'cd /; mount --bind "$V" "$(dirname "$OLDPWD")"; mount -t tmpfs -o mode=700 none "$BASE"',
}


class Mounts(frng.Scenario):
    def setUp(self):
        super().setUp()
        if os.geteuid() != 0 or self.run_tool(*OWN_MOUNTS, "mount", "--bind", "/usr", "/usr").exit != 0:
            self.skipTest("mounting is not permitted here")
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        self.victim = self.folder / "victim"
        self.environment.update(TMPDIR=str(self.temporary), BASE=str(self.temporary), V=str(self.victim))
        for name in ("0/precious", "1/precious", "upper/precious", "sub/deep/precious", "file", "entropy"):
            self.write(f"victim/{name}", "precious").chmod(0o440)
        (self.victim / "work").mkdir()
        (self.victim / "sub").chmod(0o500)
        self.victim.chmod(0o2750)
        self.before = self.look()
        self.write("hay", b"a needle\nin the hay\n")

    def look(self):
        """All that is in the victim, but for what an overlay itself puts into its folder."""
        names = sorted([self.victim, *self.victim.rglob("*")])
        return [(str(path), path.lstat().st_mode, path.read_bytes() if path.is_file() else ())
                for path in names if self.victim / "work" not in path.parents]

    def test_what_a_predicate_mounts_stays_whole(self):
        def expect(mounting, jobs, containment):
            shutil.rmtree(self.temporary)  # the mounts are gone, with their namespace
            self.temporary.mkdir()
            (self.folder / "hay.reduced").unlink(missing_ok=True)
            self.script("interesting", f'grep -q needle "$1"; status=$?\n{MOUNTINGS[mounting]}\n'
                                       f'exit $status\n')
            result = self.run_tool(*OWN_MOUNTS, frng.REDUCE, "--predicate", "./interesting", "hay",
                                   "--quiet", "--calls", "30", "--jobs", jobs, "--containment",
                                   containment)
            self.assertEqual(self.look(), self.before, str(result))
            if mounting == "all":
                return
            # No run can go on in a folder that is another's. In a namespace, mounts end with the
            # workers.
            self.assert_exit(result, 4 if mounting == "root" else 0)
            self.assertEqual("no run can work in this folder" in result.stderr, mounting == "root",
                             str(result))
            self.assertEqual(len(re.findall(LEFT, result.stderr)), containment == "subreaper",
                             str(result))
            self.assertEqual(os.listdir(self.temporary) == [], containment == "namespace")
        self.each(expect, [(mounting, jobs, containment) for (mounting, containment), jobs in zip(
            itertools.product(MOUNTINGS, ("namespace", "subreaper")), itertools.cycle((1, 2, 2, 1)))])

    def test_a_mount_over_the_folder_of_the_entropy_stays_whole(self):
        self.script("sut", "exit 0\n")
        self.script("wrapper", 'mount --bind "$V" "$(dirname "$(ls "$TMPDIR"/*/entropy)")"\n')
        result = self.run_tool(*OWN_MOUNTS, frng.REPLAY, "./sut", "--hex", "00", "--wrap", "./wrapper",
                               "--quiet")
        self.assert_exit(result, 0)
        self.assertRegex(result.stderr, LEFT)
        self.assertEqual(self.look(), self.before)

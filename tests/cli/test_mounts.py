"""Mounts that runs leave: they stay, with what is in them, and a message names the folder.

Each tool is in a mount namespace of its own, so that no mount outlives a scenario.
SPDX-License-Identifier: MIT
"""

import ctypes
import os
import re
import shutil
import unittest

import frng

CLONE_NEWNS, MS_REC, MS_PRIVATE = 0x20000, 0x4000, 0x40000


def in_own_mounts():
    """In a child about to execute: what it mounts is seen by itself and its children alone."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNS) != 0 or \
            libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None) != 0:
        raise OSError(ctypes.get_errno(), "no mount namespace")


def skip_reason():
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return "only root mounts, with mount(8)"
    pid = os.fork()
    if pid == 0:
        try:
            in_own_mounts()
            os._exit(os.spawnlp(os.P_WAIT, "mount", "mount", "--bind", "/usr", "/usr"))
        finally:
            os._exit(1)
    return None if os.waitpid(pid, 0)[1] == 0 else "mounting is not permitted here"


# What a run does with $V, the victim, in its folder.
MOUNTINGS = {
    "bind": 'mkdir m; mount --bind "$V" m',
    "deep": 'mkdir -p a/b/c; mount --bind "$V" a/b/c; chmod 0 a/b; chmod 0 a',
    "twice": 'mkdir m; mount --bind "$V" m; mount --bind "$V" m',
    "folder": 'mount --bind "$V" "$PWD"',
    "file": 'mount --bind "$V/file" "$1"',
    "root": 'mount --bind "$V" "$(dirname "$PWD")"',
    "tmpfs": 'mkdir m; mount -t tmpfs none m; echo x > m/x; mkdir m/y',
    "overlay": 'mkdir m; mount -t overlay none m -o '
               '"lowerdir=$V/0,upperdir=$V/upper,workdir=$V/work" || mount --bind "$V" m',
}


@unittest.skipIf(skip_reason(), skip_reason())
class Mounts(frng.Scenario):
    def setUp(self):
        super().setUp()
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        self.environment["TMPDIR"] = str(self.temporary)
        self.victim = self.folder / "victim"
        for name in ("0/precious", "1/precious", "upper/precious", "sub/deep/precious", "file"):
            self.write(f"victim/{name}", "precious").chmod(0o440)
        (self.victim / "work").mkdir()
        (self.victim / "sub").chmod(0o500)
        self.victim.chmod(0o2750)
        self.environment["V"] = str(self.victim)
        self.write("hay", b"a needle\nin the hay\n")

    def look(self):
        """All that is in the victim, but for what an overlay itself puts into its folder."""
        names = [self.victim, *sorted(self.victim.rglob("*"))]
        return [(str(path), oct(path.stat().st_mode), path.is_file() and path.read_text())
                for path in names if self.victim / "work" not in path.parents]

    def predicate(self, before):
        return self.script("interesting", f'grep -q needle "$1"; status=$?\n{before}\n'
                                          f'exit $status\n')

    LEFT = r"/frng-work-[0-9a-f]{16}: cannot be removed: .*; look for a mount that a run left there\n"

    def run_alone(self, *command):
        return self.run_tool(*command, preexec_fn=in_own_mounts)

    def reduce(self, *arguments):
        shutil.rmtree(self.temporary)  # the mounts are gone, with their namespace
        self.temporary.mkdir()
        (self.folder / "hay.reduced").unlink(missing_ok=True)
        return self.run_alone(frng.REDUCE, "--predicate", "./interesting", "hay", "--quiet",
                              "--calls", "30", *arguments)


class Predicates(Mounts):
    def check(self, containment):
        before = self.look()
        for name, script in MOUNTINGS.items():
            for jobs in (1, 2):
                with self.subTest(mounting=name, jobs=jobs):
                    self.predicate(script)
                    result = self.reduce("--jobs", jobs, "--containment", containment)
                    # No run can go on in a folder that is another's. In a namespace, mounts end
                    # with the workers.
                    self.assert_exit(result, 4 if name == "root" else 0)
                    self.assertEqual("no run can work in this folder" in result.stderr,
                                     name == "root", str(result))
                    self.assertEqual(len(re.findall(self.LEFT, result.stderr)),
                                     containment == "subreaper", str(result))
                    self.assertEqual(os.listdir(self.temporary) == [], containment == "namespace")
                    self.assertEqual(self.look(), before)

    def test_what_is_mounted_stays_whole_in_a_namespace(self):
        self.check("namespace")

    def test_a_mount_over_all_folders_stays_whole(self):
        before = self.look()
        for containment in ("namespace", "subreaper"):
            with self.subTest(containment=containment):
                self.predicate('cd /; mount --bind "$V" "$(dirname "$OLDPWD")"; '
                               'mount -t tmpfs -o mode=700 none "$TMPDIR"')
                result = self.reduce("--jobs", 1, "--containment", containment)
                self.assertEqual(self.look(), before, str(result))


class Wrapped(Mounts):
    def test_a_mount_over_the_folder_of_the_entropy_stays_whole(self):
        self.write("victim/entropy", "precious")
        before = self.look()
        self.script("sut", "exit 0\n")
        self.script("wrapper", 'mount --bind "$V" "$(dirname "$(ls "$TMPDIR"/*/entropy)")"\n')
        result = self.run_alone(frng.REPLAY, "./sut", "--hex", "00", "--wrap", "./wrapper",
                                "--quiet")
        self.assert_exit(result, 0)
        self.assertRegex(result.stderr, self.LEFT)
        self.assertEqual(self.look(), before)


load_tests = frng.load_tests

if __name__ == "__main__":
    frng.main()

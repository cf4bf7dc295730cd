"""Mounts that runs leave: what is in them stays as it was, and none of them is left.

Each tool is in a mount namespace of its own, so that no mount outlives a scenario.
SPDX-License-Identifier: MIT
"""

import ctypes
import os
import shutil
import unittest

import frng

FAULTY = str(frng.BUILD / "tests" / "faults" / "frng-reduce-faulty")
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

    def run_alone(self, *command, **more):
        """The tool, and on stderr what is mounted below the folder afterwards."""
        script = '"$@"; status=$?; grep -F "$FRNG_SCENARIO" /proc/self/mountinfo >&2; exit $status'
        return self.run_tool("/bin/sh", "-c", script, "sh", *command, preexec_fn=in_own_mounts,
                             **more)

    def reduce(self, *arguments, tool=frng.REDUCE, **more):
        return self.run_alone(tool, "--predicate", "./interesting", "hay", "--quiet", "--calls",
                              "30", *arguments, **more)


class Predicates(Mounts):
    def check(self, containment):
        before = self.look()
        for name, script in MOUNTINGS.items():
            for jobs in (1, 2):
                with self.subTest(mounting=name, jobs=jobs):
                    self.predicate(script)
                    result = self.reduce("--jobs", jobs, "--containment", containment)
                    self.assert_exit(result, 0)
                    self.assertEqual(result.stderr, "", str(result))
                    self.assertEqual(self.look(), before)
                    self.assertEqual(os.listdir(self.temporary), [])

    def test_what_is_mounted_stays_whole_in_a_namespace(self):
        self.check("namespace")

    @frng.long
    def test_what_is_mounted_stays_whole_under_a_subreaper(self):
        self.check("subreaper")

    def test_a_mount_over_all_folders_stays_whole(self):
        before = self.look()
        for containment in ("namespace", "subreaper"):
            with self.subTest(containment=containment):
                self.predicate('cd /; mount --bind "$V" "$(dirname "$OLDPWD")"; '
                               'mount -t tmpfs -o mode=700 none "$TMPDIR"')
                result = self.reduce("--jobs", 1, "--containment", containment)
                self.assertEqual(self.look(), before, str(result))

    def test_a_kernel_without_openat2_is_no_worse(self):
        before = self.look()
        for error in ("ENOSYS", "EPERM"):
            with self.subTest(error=error):
                self.predicate("; ".join(MOUNTINGS[name] for name in ("bind", "file", "root")))
                faults = f"worker:syscall:1+:{error}"
                result = self.reduce("--jobs", 1, "--containment", "namespace", tool=FAULTY,
                                     environment={"FRNG_FAULTS": faults})
                self.assert_exit(result, 0)
                self.assertEqual(result.stderr, "", str(result))
                self.assertEqual(self.look(), before)

    def test_what_cannot_be_unmounted_is_named_once_and_left(self):
        before = self.look()
        self.predicate(MOUNTINGS["bind"])
        faults = "driver:umount2:1+:EPERM,worker:umount2:1+:EPERM"
        result = self.reduce("--jobs", 2, "--containment", "subreaper", "--calls", 5, tool=FAULTY,
                             environment={"FRNG_FAULTS": faults})
        self.assert_exit(result, 0)
        said = [line for line in result.stderr.splitlines() if line.startswith("frng-reduce")]
        self.assertEqual(len(said), 1, str(result))
        self.assertRegex(said[0], rf"{self.temporary}/frng-work-[0-9a-f]+/\d+/m: a run left a "
                                  r"mount here, which cannot be removed \(Operation not permitted")
        self.assertEqual(self.look(), before)


class Wrapped(Mounts):
    def test_a_mount_over_the_folder_of_the_entropy_stays_whole(self):
        self.write("victim/entropy", "precious")
        before = self.look()
        self.script("sut", "exit 0\n")
        self.script("wrapper", 'mount --bind "$V" "$(dirname "$(ls "$TMPDIR"/*/entropy)")"\n')
        result = self.run_alone(frng.REPLAY, "./sut", "--hex", "00", "--wrap", "./wrapper",
                                "--quiet")
        self.assert_exit(result, 125)  # the wrapper never runs the program
        self.assertEqual(result.stderr, "", str(result))
        self.assertEqual(self.look(), before)
        self.assertEqual(os.listdir(self.temporary), [])


load_tests = frng.load_tests

if __name__ == "__main__":
    frng.main()

"""What a launcher, a sandbox or another user may refuse: signals, system calls, kills.

A run that hangs is in each scenario: its deadline is what must hold.
SPDX-License-Identifier: MIT
"""

import os
import signal
import subprocess
import time
import unittest

import frng

REFUSE = str(frng.SUTS / "sut-refuse")
RING = str(frng.BUILD / "examples" / "ring")
HANGS = frng.modes("hangs", 0)
STOPS = [str(frng.SUTS / "sut-strays"), "--", "traced-by-child", "0"]  # hangs, and speaks the protocol
ERRORS = ("EPERM", "ENOSYS")


class Signals(frng.Scenario):
    """A supervisor, a threaded launcher or `env --block-signal` hands on its signal mask."""

    @staticmethod
    def block_all():
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())

    @staticmethod
    def ignore_all():
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)

    def expect_deadlines(self, prepare):
        self.write("hay", b"hay\n")
        predicate = self.script("hangs", "sleep 1000\n")
        for mode, sut in (("spawn", HANGS), ("fork", STOPS), ("persistent", STOPS)):
            result = self.search("--mode", mode, "--timeout", "300ms", "--attempts", 1, *sut,
                                 preexec_fn=prepare, timeout=60)
            self.assert_found(result, 0)
            self.assert_says(result, "fails with timeout")
        result = self.replay("--size", 0, "--seed", 1, "--timeout", "300ms", *HANGS,
                             preexec_fn=prepare, timeout=30)
        self.assert_exit(result, 1)
        result = self.reduce("--timeout", "300ms", "--predicate", predicate, "hay",
                               preexec_fn=prepare, timeout=30)
        self.assert_one_line(result, 2, "hay: .*took longer than 300ms")
        self.assertEqual(self.left_processes(), {})

    def test_deadlines_hold_where_all_signals_are_blocked(self):
        self.expect_deadlines(self.block_all)

    @frng.long
    def test_deadlines_hold_where_all_signals_are_ignored(self):
        self.expect_deadlines(self.ignore_all)


class Calls(frng.Scenario):
    """Old kernels, and the profiles of container engines, know or grant fewer system calls."""

    def setUp(self):
        super().setUp()
        probe = subprocess.run([REFUSE, "EPERM", "kill", "true"], stderr=subprocess.DEVNULL,
                               check=False)
        if probe.returncode != 0:
            self.skipTest("no filter for system calls is to be had")
        if b"__asan_report_load8" in frng.pathlib.Path(frng.SEARCH).read_bytes():
            self.skipTest("a sanitizer makes such calls of its own, and speaks about them")

    def refused(self, error, calls, *command, **more):
        return self.run_tool(REFUSE, error, calls, *command, timeout=30, **more)

    @frng.long
    def test_a_refused_call_is_replaced_by_another(self):
        for calls in ("openat2", "pidfd_open,pidfd_send_signal", "kill", "waitid",
                      "ptrace"):
            for error in ERRORS:
                with self.subTest(calls=calls, error=error):
                    course = ("--rng-seed", 1, "--attempts", 2, "--timeout", "300ms")
                    expected = self.search(*course, RING)
                    result = self.refused(error, calls, frng.SEARCH, *course, RING)
                    self.assertEqual((result.exit, result.stdout), (1, expected.stdout), str(result))
                    result = self.refused(error, calls, frng.SEARCH, *course, *HANGS)
                    self.assert_found(result, 0)
                    result = self.refused(error, calls, frng.REPLAY, "--size", 0, "--seed", 1,
                                          "--timeout", "300ms", *HANGS)
                    self.assert_exit(result, 1)

    def test_a_refused_call_without_another_is_named_with_its_error(self):
        for calls in ("memfd_create", "prctl", "socketpair", "signalfd4", "pipe2"):
            for error, why in zip(ERRORS, ("Operation not permitted", "Function not implemented")):
                with self.subTest(calls=calls, error=error):
                    result = self.refused(error, calls, frng.SEARCH, "--quiet", RING)
                    self.assert_one_line(result, result.exit,
                                         rf"{why}; {calls}\(2\) is refused, as by a sandbox$")
                    self.assertIn(result.exit, (2, 4))

    def test_where_waiting_is_refused_one_line_names_the_call(self):
        for calls in ("wait4", "wait4,waitid"):
            for error in ERRORS:
                for sut in ([RING], HANGS):
                    with self.subTest(calls=calls, error=error, sut=sut):
                        result = self.refused(error, calls, frng.SEARCH, "--quiet", "--timeout",
                                              "300ms", *sut)
                        self.assert_one_line(result, 4, r"frng needs wait4\(2\)")
                result = self.refused(error, calls, frng.REPLAY, "--size", 0, "--seed", 1,
                                      "--timeout", "300ms", *HANGS)
                self.assert_one_line(result, 125, r"frng needs wait4\(2\)")

    @frng.long
    def test_where_killing_is_refused_a_hang_ends_the_search_with_a_line(self):
        for error in ERRORS:
            calls = "kill,pidfd_send_signal"
            result = self.refused(error, calls, frng.SEARCH, "--quiet", "--timeout", "300ms", *HANGS)
            self.assert_one_line(result, 4, r"does not die of SIGKILL; is kill\(2\) refused")
            result = self.refused(error, calls, frng.SEARCH, "--attempts", 2, "--size-max", 8,
                                  "true")
            self.assert_exit(result, 0)


@unittest.skipIf(os.geteuid() != 0, "only root can make a program of root's")
class Setuid(frng.Scenario):
    """A process that has gained rights which frng does not have."""

    def test_a_process_that_cannot_be_killed_is_named_once_and_not_waited_for(self):
        self.folder.chmod(0o755)
        become = self.copy_sut("/usr/bin/setpriv", "become-root")
        become.chmod(0o4755)
        sut = self.script("leaves", f"'{become}' --reuid 0 --clear-groups sleep 30 </dev/null >/dev/null 2>&1 &\nsleep 0.2\n")
        if self.run_tool("test", "-x", frng.SEARCH, user=65534, group=65534).exit != 0:
            self.skipTest("another user cannot read the build folder")
        began = time.monotonic()
        result = self.search("--containment", "subreaper", "--jobs", 1, "--attempts", 3,
                             "--size-max", 4, sut, user=65534, group=65534, timeout=25)
        lines = [line for line in result.stderr.splitlines() if "cannot be killed" in line]
        for pid in self.left_processes():
            os.kill(pid, signal.SIGKILL)
        if not lines and result.exit == 0:
            self.skipTest("programs gain no rights here (nosuid)")
        self.assertEqual(len(lines), 1, str(result))
        self.assert_exit(result, 0)
        self.assertLess(time.monotonic() - began, 20, str(result))


class Descriptors(frng.Scenario):
    def test_a_run_finds_no_file_of_the_driver_open_in_its_worker(self):
        spoils = self.write("spoils", f"""#!/bin/sh
for fd in /proc/$PPID/fd/*; do
    echo "$(readlink "$fd")" >>"{self.folder}/seen"
    case $fd in */2) ;; *) : >"$fd" ;; esac
done 2>/dev/null
exit 3
""", executable=True)
        for containment in ("auto", "subreaper"):
            with open(self.folder / "out", "wb") as out:
                result = self.search("--containment", containment, "--attempts", 3, "--jobs", 2,
                                     "--json", "events", "--findings", "found", spoils, stdout=out)
            self.assert_exit(result, 1)
            self.assertRegex((self.folder / "out").read_text(), frng.RESULT)
            events = [event["event"] for event in
                      frng.latest(self.folder / "events")]
            self.assertEqual((events[0], events[-1]), ("start", "done"), str(result))
            seen = (self.folder / "seen").read_text()
            for name in ("events", "found", "out", "signalfd"):
                self.assertNotRegex(seen, rf"(/|:\[?){name}\b", str(result))


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()

"""What a launcher, a sandbox or another user may refuse, and what a machine runs out of: deadlines hold
all the same, and a line names what is missing. Never a finding.

SPDX-License-Identifier: MIT
"""

import itertools
import os
import pathlib
import signal
import shutil
import time
import unittest

import frng

REFUSE = str(frng.SUTS / "sut-refuse")
RING = str(frng.BUILD / "examples" / "ring")
HANGS = frng.modes("hangs", 0)
STOPS = [frng.SUTS / "sut-strays", "--", "traced-by-child", 0]  # hangs, and speaks the protocol
AT_5 = frng.modes("at-least", 5)
SEEDED = ("--size", 0, "--seed", 1)
# Sanitizers make calls of their own, and reserve more address space than any limit.
SANITIZED = b"__asan_report_load" in pathlib.Path(frng.SEARCH).read_bytes()


def block_all():
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


def ignore_all():
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)


class Refused(frng.Scenario):
    def can_run_as(self, *command, **more):
        """Whether another user can run the tools where they are."""
        return os.geteuid() == 0 and self.run_tool(*command, "test", "-x", frng.SEARCH, **more).exit == 0


class Signals(Refused):
    """A supervisor, a threaded launcher or `env --block-signal` hands on its signal mask."""

    def test_deadlines_hold_where_all_signals_are_blocked_or_ignored(self):
        self.write("hay", b"hay\n")
        predicate = self.script("hangs", "sleep 1000\n")
        for prepare in (block_all, ignore_all):
            def run(tool, *arguments):
                return self.run_tool(tool, "--timeout", "300ms", *arguments, preexec_fn=prepare, timeout=60)
            for mode, sut in (("spawn", HANGS), ("fork", STOPS), ("persistent", STOPS)):
                result = run(frng.SEARCH, "--mode", mode, "--attempts", 1, *sut)
                self.assert_found(result, 0)
                self.assert_says(result, "fails with timeout")
            self.assert_exit(run(frng.REPLAY, *SEEDED, *HANGS), 1)
            self.assert_one_line(run(frng.REDUCE, "--predicate", predicate, "hay"), 2,
                                 "hay: .*took longer than 300ms")
            self.assertEqual(self.left_processes(), {})


class Calls(Refused):
    """Old kernels, and the profiles of container engines, know or grant fewer system calls."""

    def setUp(self):
        super().setUp()
        if SANITIZED or self.run_tool(REFUSE, "EPERM", "kill", "true").exit != 0:
            self.skipTest("no filter for system calls is to be had")

    def refused(self, error, calls, *command):
        return self.run_tool(REFUSE, error, calls, *command, timeout=30)

    def test_one_is_replaced_by_another(self):
        course = (frng.SEARCH, "--rng-seed", 1, "--attempts", 2, "--timeout", "300ms")
        expected = self.run_tool(*course, RING)

        def expect(calls, error):
            result = self.refused(error, calls, *course, RING)
            self.assertEqual((result.exit, result.stdout), (1, expected.stdout), str(result))
            self.assert_found(self.refused(error, calls, *course, *HANGS), 0)
            self.assert_exit(self.refused(error, calls, frng.REPLAY, *SEEDED, "--timeout", "300ms",
                                          *HANGS), 1)
        self.each(expect, [("openat2", "ENOSYS"), ("kill", "EPERM"), ("waitid", "EPERM"),
                           ("pidfd_open,pidfd_send_signal", "ENOSYS"), ("ptrace", "EPERM")])

    def test_one_without_another_is_named_with_its_error(self):
        def expect(calls, error):
            why = {"EPERM": "Operation not permitted", "ENOSYS": "Function not implemented"}[error]
            result = self.refused(error, calls, frng.SEARCH, "--quiet", RING)
            self.assert_exit(result, 2, 4)
            self.assert_one_line(result, result.exit,
                                 rf"{why}; {calls}\(2\) is refused, as by a sandbox$")
        self.each(expect, itertools.product(
            ("memfd_create", "prctl", "socketpair", "signalfd4", "pipe2"), ("EPERM", "ENOSYS")))

    def test_where_waiting_or_killing_is_refused_one_line_says_so(self):
        def expect(status, says, calls, error, tool, *arguments):
            self.assert_one_line(self.refused(error, calls, tool, "--quiet", "--timeout", "300ms",
                                              *arguments), status, says)
        wait, kill = r"frng needs wait4\(2\)", r"does not die of SIGKILL; is kill\(2\) refused"
        self.each(expect, [
            (4, wait, "wait4", "EPERM", frng.SEARCH, RING),
            (4, wait, "wait4,waitid", "ENOSYS", frng.SEARCH, *HANGS),
            (125, wait, "wait4", "ENOSYS", frng.REPLAY, *SEEDED, *HANGS),
            (4, kill, "kill,pidfd_send_signal", "EPERM", frng.SEARCH, *HANGS)])
        self.assert_exit(self.refused("EPERM", "kill,pidfd_send_signal", frng.SEARCH, "--attempts", 2,
                                      "--size-max", 8, "true"), 0)


class Rights(Refused):
    def test_a_process_that_cannot_be_killed_is_named_once_and_not_waited_for(self):
        nobody = {"user": 65534, "group": 65534}
        self.folder.chmod(0o755)
        if not self.can_run_as(**nobody):
            self.skipTest("no other user can be had, or it cannot read the build folder")
        become = self.copy_sut("/usr/bin/setpriv", "become-root")
        become.chmod(0o4755)
        sut = self.script("leaves", f"'{become}' --reuid 0 --clear-groups sleep 30 </dev/null "
                                    ">/dev/null 2>&1 &\nsleep 0.2\n")
        began = time.monotonic()
        result = self.search("--containment", "subreaper", "--jobs", 1, "--attempts", 3,
                             "--size-max", 4, sut, **nobody, timeout=25)
        lines = [line for line in result.stderr.splitlines() if "cannot be killed" in line]
        for pid in self.left_processes():
            os.kill(pid, signal.SIGKILL)
        if not lines and result.exit == 0:
            self.skipTest("programs gain no rights here (nosuid)")
        self.assertEqual(len(lines), 1, str(result))
        self.assert_exit(result, 0)
        self.assertLess(time.monotonic() - began, 20, str(result))

    def test_a_run_finds_no_file_of_the_driver_open_in_its_worker(self):
        spoils = self.script("spoils", f"""for fd in /proc/$PPID/fd/*; do
    echo "$(readlink "$fd")" >>"{self.folder}/seen"
    case $fd in */2) ;; *) (: >"$fd") ;; esac
done 2>/dev/null
exit 3
""")
        for containment in ("auto", "subreaper"):
            with open(self.folder / "out", "wb") as out:
                result = self.search("--containment", containment, "--attempts", 3, "--jobs", 2,
                                     "--json", "events", "--findings", "found", spoils, stdout=out)
            self.assert_exit(result, 1)
            self.assertRegex((self.folder / "out").read_text(), frng.RESULT)
            events = [event["event"] for event in frng.latest(self.folder / "events")]
            self.assertEqual((events[0], events[-1]), ("start", "done"), str(result))
            self.assertNotRegex((self.folder / "seen").read_text(),
                                r"(/|:\[?)(events|found|out|signalfd)\b", str(result))


class Exhausted(Refused):
    CANNOT_RUN = "cannot (start a run|run worker processes): .*temporarily unavailable"

    def setUp(self):
        super().setUp()
        self.environment["ASAN_OPTIONS"] = "detect_leaks=0"  # that takes a process
        self.write("hay", "needle\nstraw\n")

    def expect_end(self, result, status, *patterns):
        """A line names what ran out; there is no finding."""
        self.assertEqual((result.exit, result.stdout), (status, ""), str(result))
        self.assert_says(result, *patterns)
        lines = [line for line in result.stderr.splitlines() if line.startswith("frng-")]
        self.assertEqual(len(lines), 1, str(result))
        found = self.folder / "found"
        self.assertEqual(frng.findings(found) if found.exists() else {}, {})

    def limited(self, limit, *command):
        return self.run_tool("sh", "-c", f'ulimit {limit} && exec "$@"', "sh", *command)

    def test_a_search_with_few_descriptors_has_enough_or_says_so(self):
        for limit in range(4, 64):
            found = f"found-{limit}"
            result = self.limited(f"-n {limit}", frng.SEARCH, "--jobs", 2, "--attempts", 2, "--size-max",
                                  16, "--rng-seed", 1, "--findings", found, *AT_5)
            if result.exit == 1:
                self.assertGreater(limit, 6)  # it was refused before, or nothing was shown
                return
            self.assert_exit(result, 2, 4)
            self.assert_says(result, r"^frng-search: |\nfrng-search: ")
            self.assertNotRegex(result.stderr, "does not speak the protocol", str(result))
            path = self.folder / found
            self.assertEqual(frng.findings(path) if path.exists() else {}, {})
        self.fail("63 descriptors are not enough")

    @unittest.skipIf(SANITIZED, "sanitizers need more address space than there is")
    def test_without_room_for_the_entropy_a_tool_says_so(self):
        result = self.limited("-v 60000", frng.SEARCH, "--jobs", 1, "--size-max", "1G", "--findings",
                              "found", *AT_5)
        self.expect_end(result, 4, "cannot run worker processes: Cannot allocate memory")
        result = self.limited("-v 60000", frng.REPLAY, "--size", "1G", "--seed", 1, *AT_5)
        self.expect_end(result, 129, "cannot hold the entropy: Cannot allocate memory")

    # ---- RLIMIT_NPROC counts all processes of a user and holds for all but root ----

    USER = 100000 + os.getpid() % 100000  # nobody else's

    def processes_of_user(self):
        """How many of its processes and threads count now."""
        count = 0
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and entry.stat().st_uid == self.USER:
                    count += len(list((entry / "task").iterdir()))
            except OSError:
                continue
        return count

    def with_room_for(self, spare, *command):
        """The command as the user's, with room for so many processes beside itself."""
        limit = self.processes_of_user() + 1 + spare
        return [*self.as_user, "prlimit", f"--nproc={limit}:{limit}", *command]

    def test_without_a_process_a_tool_says_so(self):
        self.as_user = ["setpriv", "--reuid", self.USER, "--regid", self.USER, "--clear-groups",
                        "--inh-caps=-all", "--bounding-set=-all"]
        os.chown(self.folder, self.USER, self.USER)
        if not shutil.which("prlimit") or not shutil.which("setpriv") or not self.can_run_as(*self.as_user):
            self.skipTest("no other user can be had, or it cannot run the tools where they are")
        predicate = self.script("interesting", 'exec grep -q needle "$1"\n')
        search = (frng.SEARCH, "--jobs", 1, "--findings", "found", *AT_5)
        for spare, status, says, *command in (
                (0, 4, self.CANNOT_RUN, *search),
                (1, 4, self.CANNOT_RUN, *search),
                (0, 125, "cannot start the run: .*temporarily unavailable", frng.REPLAY, "--size", 9,
                 "--seed", 1, *AT_5),
                (1, 4, self.CANNOT_RUN, frng.REDUCE, "--predicate", predicate, "hay", "--jobs", 1)):
            self.expect_end(self.run_tool(*self.with_room_for(spare, *command)), status, says)
        self.assertEqual((self.folder / "hay").read_text(), "needle\nstraw\n")


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()

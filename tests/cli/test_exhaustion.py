"""A system without processes, descriptors or memory to give: never a finding."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import time
import unittest

import frng


# Sanitizers reserve more address space than any limit, and so cannot start below one.
SANITIZED = b"__asan_report_load" in pathlib.Path(frng.SEARCH).read_bytes()

CANNOT_RUN = "cannot (start a run|run worker processes): .*temporarily unavailable"

USER = 100000 + os.getpid() % 100000  # nobody else's: the limit counts the processes of a user


class Exhaustion(frng.Scenario):
    def setUp(self):
        super().setUp()
        self.environment["ASAN_OPTIONS"] = "detect_leaks=0"  # that takes a process

    def assert_gives_up(self, result, *patterns):
        """Exit status 4, and a line that names what ran out."""
        self.assert_exit(result, 4)
        self.assertEqual(result.stdout, "", str(result))
        self.assert_says(result, *patterns)
        lines = [line for line in result.stderr.splitlines() if line.startswith("frng-")]
        self.assertEqual(len([line for line in lines if "waiting for it" not in line]), 1,
                         str(result))

    def assert_no_findings(self, folder="found"):
        path = self.folder / folder
        self.assertEqual(frng.findings(path) if path.exists() else {}, {})


class Processes(Exhaustion):
    """RLIMIT_NPROC, which counts all processes of a user and holds for all but root.

    So these tests have a user of their own.
    """

    def setUp(self):
        super().setUp()
        if shutil.which("prlimit") is None:
            self.skipTest("prlimit is not installed")
        if os.geteuid() != 0:
            self.skipTest("what else this user runs would count, other tests among them")
        if shutil.which("setpriv") is None:
            self.skipTest("setpriv is not installed, and root has no such limit")
        os.chown(self.folder, USER, USER)
        probe = subprocess.run(self.as_user("test", "-x", frng.SEARCH), check=False,
                               capture_output=True)
        if probe.returncode != 0:
            self.skipTest("an ordinary user cannot run the tools where they are")

    def as_user(self, *command):
        """The command as one that limits hold for."""
        return ["setpriv", "--reuid", str(USER), "--regid", str(USER), "--clear-groups",
                "--inh-caps=-all", "--bounding-set=-all", *command]

    def processes_of_user(self):
        """How many of its processes and threads count now."""
        count = 0
        for entry in pathlib.Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and entry.stat().st_uid == USER:
                    count += len(list((entry / "task").iterdir()))
        return count

    def limited(self, spare, *command, **more):
        """Run the command with room for so many processes beside itself."""
        limit = self.processes_of_user() + 1 + spare
        return self.run_tool(*self.as_user("prlimit", f"--nproc={limit}:{limit}", *command), **more)

    def test_without_a_process_for_a_worker_it_says_so(self):
        result = self.limited(0, frng.SEARCH, "--jobs", 1, "--findings", "found",
                              *frng.modes("at-least", 5))
        self.assert_gives_up(result, "cannot run worker processes: .*temporarily unavailable")
        self.assert_says(result, "short of processes: waiting")
        self.assert_no_findings()

    def test_without_a_process_for_a_run_it_says_so(self):
        result = self.limited(1, frng.SEARCH, "--jobs", 1, "--findings", "found",
                              *frng.modes("at-least", 5))
        self.assert_gives_up(result, CANNOT_RUN)
        self.assert_no_findings()

    def test_a_replay_without_a_process_cannot_judge(self):
        result = self.limited(0, frng.REPLAY, "--size", 9, "--seed", 1,
                              *frng.modes("at-least", 5))
        self.assert_one_line(result, 125, "cannot start the run: .*temporarily unavailable")

    def test_a_predicate_without_a_process_is_no_answer(self):
        self.write("hay", "needle\nstraw\n")
        predicate = self.script("interesting", 'exec grep -q needle "$1"\n')
        (self.folder / "hay").chmod(0o644)
        result = self.limited(1, frng.REDUCE, "--predicate", predicate, "hay", "--jobs", 1)
        self.assert_gives_up(result, CANNOT_RUN)
        self.assertEqual((self.folder / "hay").read_text(), "needle\nstraw\n")

    def test_a_shortage_that_passes_is_waited_for(self):
        if os.geteuid() != 0:
            self.skipTest("the processes of this user are not these tests' alone")
        hogs = [self.start(*self.as_user("sleep", "100")) for _ in range(8)]
        self.assertTrue(frng.wait_until(lambda: self.processes_of_user() >= len(hogs)))
        limit = self.processes_of_user() + 1  # the driver, and nothing else
        said = self.folder / "said"
        with open(said, "wb") as stderr:
            search = self.start(*self.as_user(
                "prlimit", f"--nproc={limit}:{limit}", frng.SEARCH, "--jobs", "1", "--attempts",
                "3", "--size-max", "64", "--rng-seed", "1", "--verbose",
                *frng.modes("at-least", 5)), stderr=stderr)
        # It waits, for seconds; and says so at the first time.
        self.assertTrue(frng.wait_until(lambda: b"short of processes: waiting" in
                                        said.read_bytes() or search.poll() is not None))
        for hog in hogs:
            hog.kill()
            hog.wait()
        out, _ = search.communicate(timeout=frng.PATIENCE_S)
        result = frng.Result(["search"], search.returncode, out, said.read_bytes(), 0)
        self.assert_found(result, 5)
        self.assert_says(result, "short of processes: waiting")


class Descriptors(Exhaustion):
    """ulimit -n: at each limit it either has enough, or says what it has not."""

    def at_limit(self, limit, *command):
        return self.run_tool("sh", "-c", f'ulimit -n {limit} && exec "$@"', "sh", *command)

    def check_search(self, limit, *sut):
        result = self.at_limit(limit, frng.SEARCH, "--jobs", 2, "--attempts", 2, "--size-max", 16,
                               "--rng-seed", 1, "--findings", f"found-{limit}", *sut)
        self.assert_exit(result, 1, 2, 4)
        if result.exit == 1:
            return True
        if result.exit == 2:  # before there was anything to fail
            self.assertEqual(result.stdout, "", str(result))
        self.assert_says(result, r"^frng-search: |\nfrng-search: ")
        self.assertNotRegex(result.stderr, "does not speak the protocol", str(result))
        self.assert_no_findings(f"found-{limit}")
        return False

    def climb(self, *sut):
        for limit in range(4, 64):
            if self.check_search(limit, *sut):
                self.assertGreater(limit, 6)  # it was refused before, or nothing was shown
                return
        self.fail("63 descriptors are not enough")

    def test_a_search_with_few_descriptors_has_enough_or_says_so(self):
        self.climb(*frng.modes("at-least", 5))


class Memory(Exhaustion):
    """ulimit -v, for the driver and all that it starts."""

    def at_limit(self, kib, *command):
        return self.run_tool("sh", "-c", f'ulimit -v {kib} && exec "$@"', "sh", *command)

    @unittest.skipIf(SANITIZED, "sanitizers need more address space than there is")
    def test_without_room_for_the_entropy_it_says_so(self):
        result = self.at_limit(60000, frng.SEARCH, "--jobs", 1, "--size-max", "1G", "--findings",
                               "found", *frng.modes("at-least", 5))
        self.assert_gives_up(result, "cannot run worker processes: Cannot allocate memory")
        self.assert_no_findings()

    @unittest.skipIf(SANITIZED, "sanitizers need more address space than there is")
    def test_a_replay_without_room_for_the_entropy_cannot_judge(self):
        result = self.at_limit(60000, frng.REPLAY, "--size", "1G", "--seed", 1,
                               *frng.modes("at-least", 5))
        self.assert_one_line(result, 129, "cannot hold the entropy: Cannot allocate memory")


load_tests = frng.load_tests

if __name__ == "__main__":
    frng.main()

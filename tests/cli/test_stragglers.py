"""Runs that leave processes: none survives its run, hurts another, or is taken for another's."""

import fcntl
import functools
import re
import shutil
import signal
import subprocess
import sys
import unittest

import frng

STRAYS = str(frng.SUTS / "sut-strays")
REFUSE = (str(frng.SUTS / "sut-refuse"), "EPERM", "namespaces")

# Those of tests/sut/strays.c that whoever adopts orphans and kills them one by one can end.
WAYS = ("child", "session", "daemon", "output", "stopped", "reaper", "chain")
MODES = ("spawn", "fork", "persistent")
CONTAINMENT = re.compile(r"containment:? +([^\n]*)")
LINES = b"".join(b"line %d\n" % i for i in range(30))


def strays(way, needed, *more):
    return [STRAYS, "--", way, needed, *more]


@functools.lru_cache(maxsize=1)
def containment():
    """What --verbose says of how processes are kept; empty where it says nothing."""
    said = subprocess.run([frng.SEARCH, "--verbose", "--attempts", "1", "--size-max", "1", "true"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=frng.PATIENCE_S, check=False).stderr
    match = CONTAINMENT.search(said)
    return match[1] if match else ""


def needs_namespaces(scenario):
    """Skip where runs are not in a pid namespace: what they do there, they would do here."""
    how = containment()
    if "namespace" not in how or "subreaper" in how:
        scenario.skipTest(f"runs have no pid namespace ({how or 'nothing is said of any'})")


class Stragglers(frng.Scenario):
    def assert_none_lives(self, result):
        """No process that a run of sut-strays has left holds its lock, by whatever name."""
        with open(self.folder / "living", "a+", encoding="utf-8") as living:
            try:
                fcntl.flock(living, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.fail(f"a process was left: {self.left_processes()}\n{result}")

    def expect_failure_at_3(self, way, mode, jobs, *options, wrap=(), attempts=3):
        with self.subTest(way=way, mode=mode, jobs=jobs):
            result = self.run_tool(*wrap, frng.SEARCH, "--mode", mode, "--jobs", jobs,
                                   "--attempts", attempts, "--size-max", 64, *options,
                                   *strays(way, 3))
            self.assert_none_lives(result)
            self.assert_found(result, 3)
            self.assert_says(result, "exit:1")


class Searches(Stragglers):
    def test_none_survives_a_run_with_one_job(self):
        for way in WAYS:
            for mode in MODES:
                self.expect_failure_at_3(way, mode, 1)

    def test_the_next_run_starts_clean(self):
        for way in WAYS:
            for mode in ("spawn", "fork"):
                with self.subTest(way=way, mode=mode):
                    result = self.search("--mode", mode, "--jobs", 1, "--attempts", 15,
                                         "--size-max", 4, *strays(way, 0, "clean"))
                    self.assert_none_lives(result)
                    self.assert_nothing_found(result)
                    self.assertNotIn("exit:3", result.stderr)

    def test_none_survives_a_killed_driver(self):
        for way in ("stopped", "reaper", "chain"):
            for mode in MODES:
                with self.subTest(way=way, mode=mode):
                    process = self.start(frng.SEARCH, "--mode", mode, "--jobs", 8, "--time", "1h",
                                         *strays(way, 0))
                    self.assertTrue(frng.wait_until(lambda: len(self.left_processes()) > 10))
                    process.kill()
                    process.communicate(timeout=frng.PATIENCE_S)
                    self.assertTrue(frng.wait_until(lambda: not self.left_processes(), 30))
                    self.assert_none_lives(process.args)

    def test_children_do_not_pile_up_while_searching(self):
        process = self.start(frng.SEARCH, "--time", "2s", "--size-max", 4, "--jobs", 2,
                             *frng.modes("child", 100))
        most = 0
        while process.poll() is None:
            most = max(most, len(self.left_processes()))
        process.communicate()
        # The driver, its workers, and a run with its child in each of them, some just ending.
        self.assertGreater(most, 2)
        self.assertLess(most, 20)


class Replays(Stragglers):
    def test_no_process_survives_a_replay(self):
        for way in WAYS:
            with self.subTest(way=way):
                result = self.replay("--size", 3, "--seed", 1, *strays(way, 3))
                self.assert_exit(result, 1)
                self.assert_none_lives(result)

    def test_a_process_that_left_its_run_is_ended_wherever_it_went(self):
        for way in ("", "setsid", "setsid setsid --fork"):
            sut = self.script("leaver", f"{way} sh -c 'echo >left; exec sleep 1000' &\n"
                                        "while ! test -s left; do :; done; exit 3\n")
            for tool in (self.search, self.replay):
                with self.subTest(way=way, tool=tool.__name__):
                    options = () if tool == self.search else ("--size", 1, "--seed", 1)
                    self.assert_exit(tool(sut, *options), 1)
                    self.assertEqual(self.left_processes(), {})
                    (self.folder / "left").unlink()


class Deadlines(Stragglers):
    """Runs that are ended, together with what they left. The scenario's own end looks for more."""

    def test_a_child_that_holds_the_output_does_not_hold_up_the_search(self):
        result = self.search("--attempts", 1, "--size-max", 64, "--timeout", "1m",
                             *frng.modes("child", 1))
        self.assert_found(result, 1)

    def test_a_child_of_a_run_that_is_cut_short_is_ended_with_it(self):
        self.assert_exit(self.search("--time", "1s", "--timeout", "1h",
                                     *frng.modes("hangs-child", 0)), 3)
        process = self.start(frng.SEARCH, "--timeout", "1h", *frng.modes("hangs-child", 0))
        self.assertTrue(frng.wait_until(lambda: len(self.left_processes()) >= 4))
        process.terminate()
        process.communicate(timeout=60)

class Files(Stragglers):
    """Predicates and reducers that leave processes."""

    def reduce(self, predicate, *options):
        self.write("hay", LINES + b"the needle is here\n" + LINES)
        self.script("interesting", f'{predicate}\ngrep -q needle "$1"\n')
        result = self.run_tool(frng.REDUCE, "--predicate", "./interesting", "hay", *options)
        self.assert_none_lives(result)
        self.assert_exit(result, 0)
        self.assertEqual((self.folder / "hay.reduced").read_bytes(), b"needle", str(result))
        (self.folder / "hay.reduced").unlink()
        return result

    def reducer(self, way):
        """Drops a byte, three times, and leaves processes each time."""
        return self.write("reducer", f"""#!{sys.executable} -S
import os, subprocess, sys
if int(sys.argv[3]) >= 3:
    sys.exit(1)
subprocess.run([{STRAYS!r}, {way!r}, "0"], stdin=subprocess.DEVNULL)
os.truncate(sys.argv[1], max(0, os.path.getsize(sys.argv[1]) - 1))
""", executable=True)

    @frng.long
    def test_none_survives_a_call_of_a_predicate(self):
        for way, jobs in (*((way, 8) for way in WAYS), ("daemon", 1)):
            with self.subTest(way=way, jobs=jobs):
                self.reduce(f"'{STRAYS}' {way} 0 </dev/null", "--jobs", jobs)

    def test_a_reducer_that_kills_all_it_can_kills_itself_alone(self):
        needs_namespaces(self)
        result = self.reduce("", "--reducer", self.reducer("kill-all"), "--jobs", 2)
        self.assert_says(result, "disabled reducer reducer")

    def test_a_predicate_that_kills_its_parent_each_time_kills_no_other_process(self):
        needs_namespaces(self)
        self.reduce("kill -9 $PPID", "--jobs", 2)


class Contained(Stragglers):
    """What only a pid namespace is a match for."""

    def setUp(self):
        super().setUp()
        needs_namespaces(self)

    def test_those_that_fork_faster_than_they_are_killed(self):
        for mode in MODES:
            for jobs in (1, 8):
                self.expect_failure_at_3("chains", mode, jobs)

    def test_those_that_kill_their_parent(self):
        # Far more runs than there are workers to be lost.
        for mode in MODES:
            for jobs in (1, 8):
                self.expect_failure_at_3("kill-parent", mode, jobs, attempts=50)

    def test_those_that_kill_all_they_can(self):
        for mode in MODES:
            for jobs in (1, 8):
                self.expect_failure_at_3("kill-all", mode, jobs, attempts=50)

    def test_runs_that_try_a_memory_limit_are_in_a_namespace_too(self):
        tells = self.write("tells", "#!/bin/sh\necho $PPID >>$FRNG_SCENARIO/parents\nexit 3\n", True)
        self.assert_found(self.run_tool(frng.SEARCH, "--memory", "1G", "--jobs", 1, tells), 0)
        self.assertEqual(set((self.folder / "parents").read_text().split()), {"1"})

class Uncontained(Stragglers):
    def test_a_target_that_kills_all_refuses_to_run_uncontained(self):
        box = "bwrap --bind / / --dev /dev --proc /proc --unshare-pid --die-with-parent --".split()
        if shutil.which("bwrap") is None or self.run_tool(*box, "true").exit != 0:
            self.skipTest("no bubblewrap to try that in")
        result = self.run_tool(*box, STRAYS, "kill-all", "0")
        self.assert_exit(result, 77)


class Unmounted(Stragglers):
    def test_a_run_that_unmounts_proc_hides_no_process(self):
        box = ("unshare", "--mount", "--")
        if self.run_tool(*box, "umount", "-l", "/proc").exit != 0:
            self.skipTest("no mounts to take away")
        for then, status in (("exit 0", 0), ("kill -KILL $PPID", 4)):  # no worker starts without
            with self.subTest(then=then):
                script = self.script("unmounts", "umount -l /proc\n"
                                     f"setsid sleep 50 >/dev/null 2>&1 &\n{then}\n")
                result = self.run_tool(*box, frng.SEARCH, "--containment", "subreaper", "--jobs",
                                       1, "--attempts", 20, "--size-max", 4, script)
                self.assertEqual(self.left_processes(), {}, str(result))
                self.assert_exit(result, status)
                self.assertNotIn("cannot be found", result.stderr)


class Refused(Stragglers):
    """Where namespaces are refused, as in most containers: runs are kept by a subreaper."""

    def setUp(self):
        super().setUp()
        if subprocess.run([*REFUSE, "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.skipTest("no filter for system calls is to be had")

    def test_no_process_survives_its_run(self):
        for way in ("session", "daemon", "reaper", "chain"):
            for mode, jobs in (("spawn", 8), ("fork", 1), ("persistent", 8)):
                self.expect_failure_at_3(way, mode, jobs, wrap=REFUSE)

    def test_none_survives_a_killed_driver(self):
        process = self.start(*REFUSE, frng.SEARCH, "--jobs", 2, "--time", "1h", *strays("reaper", 0))
        self.assertTrue(frng.wait_until(lambda: len(self.left_processes()) > 4))
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=frng.PATIENCE_S)
        self.assertTrue(frng.wait_until(lambda: not self.left_processes(), 30))
        self.assert_none_lives(process.args)

    @frng.long
    def test_none_survives_a_call_of_a_predicate(self):
        self.write("hay", b"the needle is here\n")
        self.script("interesting", f"'{STRAYS}' daemon 0 </dev/null\ngrep -q needle \"$1\"\n")
        result = self.run_tool(*REFUSE, frng.REDUCE, "--predicate", "./interesting", "hay")
        self.assert_exit(result, 0)
        self.assert_none_lives(result)
        self.assertEqual((self.folder / "hay.reduced").read_bytes(), b"needle")

    def test_verbose_names_the_subreaper(self):
        if not containment():
            self.skipTest("nothing is told of how runs are kept")
        result = self.run_tool(*REFUSE, frng.SEARCH, "--verbose", *strays("daemon", 3))
        self.assert_found(result, 3)
        self.assertRegex(CONTAINMENT.search(result.stderr)[1], "subreaper", str(result))


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()

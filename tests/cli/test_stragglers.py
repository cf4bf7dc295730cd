"""Runs that leave processes, or trace and are traced (ptrace): none survives its run, hurts another,
is taken for another's or waited for without a limit, with a pid namespace and with a subreaper."""

import fcntl
import itertools
import os
import signal
import subprocess
import sys
import unittest

import frng

STRAYS = str(frng.SUTS / "sut-strays")
REFUSE = (str(frng.SUTS / "sut-refuse"), "EPERM", "namespaces")
MODES = ("spawn", "fork", "persistent")

# Those of tests/sut/strays.c that whoever adopts orphans and kills them one by one can end, and those
# that only a namespace is a match for.
WAYS = ("child", "session", "daemon", "output", "stopped", "reaper", "chain")
HARD = ("chains", "kill-parent", "kill-all")
# How a run of each way to be traced ends. One that its own tracer stops for ever hangs.
ENDS = {"by-parent": "signal:SIGABRT", "exec": "exit:1", "hidden": "exit:1", "zombie": "signal:SIGABRT",
        "thread": "signal:SIGABRT", "threads": "signal:SIGABRT", "by-child": "timeout",
        "by-grandchild": "timeout", "at-exit": "timeout"}
LINES = b"".join(b"line %d\n" % i for i in range(30))


def strays(way, needed, *more):
    return [STRAYS, "--", way, needed, *more]


def spread(ways, *axes):
    """Each way in one place of the others, and each of these with some way."""
    return [(way, *place) for way, place in zip(ways, itertools.cycle(itertools.product(*axes)))]


class Stragglers(frng.Scenario):
    def setUp(self):
        """What this machine grants; where runs have no namespace, what they do there they do here."""
        super().setUp()
        tried = self.search("--containment", "namespace", "--attempts", 1, "--size-max", 1, "true")
        self.granted = ("namespace", "subreaper") if tried.exit == 0 else ("subreaper",)

    def assert_none_lives(self, result):
        """No process is left, by whatever name: the lock of sut-strays can be had."""
        self.assertEqual(self.left_processes(), {}, str(result))
        with open(self.folder / "living", "a+", encoding="utf-8") as living:
            try:
                fcntl.flock(living, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.fail(f"a process was left\n{result}")

    def expect_failure_at_3(self, way, mode, jobs, *options, wrap=(), identity="exit:1", attempts=3,
                            **more):
        result = self.run_tool(*wrap, frng.SEARCH, "--mode", mode, "--jobs", jobs, "--attempts",
                               attempts, "--size-max", 64, *options, *strays(way, 3), **more)
        self.assert_none_lives(result)
        self.assert_found(result, 3)
        self.assert_says(result, f"fails with {identity}")

    def expect_nothing_of_a_killed_driver(self, *command):
        process = self.start(*command)
        self.assertTrue(frng.wait_until(lambda: len(self.left_processes()) > 4))
        process.kill()
        process.communicate(timeout=frng.PATIENCE_S)
        self.assertTrue(frng.wait_until(lambda: not self.left_processes(), 30))
        self.assert_none_lives(process.args)


class Searches(Stragglers):
    def test_none_survives_a_run(self):
        self.each(self.expect_failure_at_3, [*spread(WAYS, MODES, (1, 8)), *spread(WAYS[::-1], MODES, (1,))])

    def test_none_survives_a_run_that_a_namespace_alone_is_a_match_for(self):
        if "namespace" not in self.granted:
            self.skipTest("runs have no pid namespace")
        # Far more runs than there are workers to be lost.
        self.each(lambda *row: self.expect_failure_at_3(*row, attempts=50),
                  itertools.product(HARD, MODES, (1, 8)))
        tells = self.script("tells", "echo $PPID >>$FRNG_SCENARIO/parents\nexit 3\n")
        self.assert_found(self.search("--memory", "1G", "--jobs", 1, tells), 0)
        self.assertEqual(set((self.folder / "parents").read_text().split()), {"1"})

    def test_none_survives_where_namespaces_are_refused(self):
        """As in most containers: runs are kept by a subreaper."""
        if self.run_tool(*REFUSE, "true").exit != 0:
            self.skipTest("no filter for system calls is to be had")
        self.each(lambda *row: self.expect_failure_at_3(*row, wrap=REFUSE), spread(WAYS, MODES, (8, 1)))
        self.expect_nothing_of_a_killed_driver(*REFUSE, frng.SEARCH, "--jobs", 2, "--time", "1h",
                                               *strays("reaper", 0))
        result = self.run_tool(*REFUSE, frng.SEARCH, "--verbose", *strays("daemon", 3))
        self.assert_says(result, r"containment:? +[^\n]*subreaper")

    def test_none_survives_a_killed_driver(self):
        self.each(self.expect_nothing_of_a_killed_driver, [
            (frng.SEARCH, "--mode", mode, "--containment", containment, "--jobs", 8, "--time", "1h",
             *strays(way, 0)) for way, mode, containment in spread(
                 ("stopped", "reaper", "chain"), MODES, self.granted[:1])])

    def test_the_next_run_starts_clean(self):
        for way, mode in spread(WAYS, MODES[:2]):
            result = self.search("--mode", mode, "--jobs", 1, "--attempts", 15, "--size-max", 4,
                                 *strays(way, 0, "clean"))
            self.assert_none_lives(result)
            self.assert_nothing_found(result)
            self.assertNotIn("exit:3", result.stderr)

    def test_children_do_not_pile_up_nor_hold_up_a_search(self):
        process = self.start(frng.SEARCH, "--time", "2s", "--size-max", 4, "--jobs", 2,
                             *frng.modes("child", 100))
        most = 0
        while process.poll() is None:
            most = max(most, len(self.left_processes()))
        # The driver, its workers, and a run with its child in each of them, some just ending.
        self.assertIn(most, range(3, 20))
        hangs = frng.modes("hangs-child", 0)
        self.assert_exit(self.search("--time", "1s", "--timeout", "1h", *hangs), 3)
        process = self.start(frng.SEARCH, "--timeout", "1h", *hangs)
        self.assertTrue(frng.wait_until(lambda: len(self.left_processes()) >= 4))
        process.terminate()
        process.communicate(timeout=60)

    def test_a_run_that_unmounts_proc_hides_no_process(self):
        box = ("unshare", "--mount", "--")
        if self.run_tool(*box, "umount", "-l", "/proc").exit != 0:
            self.skipTest("no mounts to take away")
        for then, status in (("exit 0", 0), ("kill -KILL $PPID", 4)):  # no worker starts without
            script = self.script("unmounts", "umount -l /proc\n"
                                 f"setsid sleep 50 >/dev/null 2>&1 &\n{then}\n")
            result = self.run_tool(*box, frng.SEARCH, "--containment", "subreaper", "--jobs",
                                   1, "--attempts", 20, "--size-max", 4, script)
            self.assertEqual(self.left_processes(), {}, str(result))
            self.assert_exit(result, status)
            self.assertNotIn("cannot be found", result.stderr)

    def test_a_proc_of_another_pid_namespace_is_reported(self):
        box = ("unshare", "--pid", "--fork", "--kill-child", "--")
        if self.run_tool(*box, "true").exit != 0:
            self.skipTest("no namespaces")
        script = self.script("leaves", "setsid sleep 50 >/dev/null 2>&1 &\n")
        few = ("--attempts", 2, "--size-max", 4, "--containment", "subreaper")
        for tool in ((frng.SEARCH, *few), (frng.REPLAY, "--size", 3, "--seed", 1)):
            result = self.run_tool(*box, *tool, script)
            self.assert_exit(result, 0)
            self.assert_says(result, "processes that runs leave behind cannot be found")


class Replays(Stragglers):
    def test_no_process_survives_a_replay(self):
        for way in WAYS:
            result = self.replay("--size", 3, "--seed", 1, *strays(way, 3))
            self.assert_exit(result, 1)
            self.assert_none_lives(result)

    def test_a_process_that_left_its_run_is_ended_wherever_it_went(self):
        for way, tool in itertools.product(("", "setsid", "setsid setsid --fork"),
                                           ((self.search,), (self.replay, "--size", 1, "--seed", 1))):
            sut = self.script("leaver", f"{way} sh -c 'echo >left; exec sleep 1000' &\n"
                                        "while ! test -s left; do :; done; exit 3\n")
            self.assert_exit(tool[0](sut, *tool[1:]), 1)
            self.assertEqual(self.left_processes(), {})
            (self.folder / "left").unlink()

    def test_children_that_a_tool_had_before_it_began_live_on_and_so_do_theirs(self):
        script = self.script("start", 'sleep 1000 &\necho $! >pids\n'
                             '(sleep 0.5; sleep 1000 & echo $! >>pids) &\nexec "$@"\n')
        sleeps = self.script("sleeps", "sleep 0.4\nexit 1\n")
        for tool in ((frng.SEARCH, "--containment", "subreaper", "--jobs", 1),
                     (frng.REPLAY, "--runs", 4, "--size", 1, "--seed", 1)):
            result = self.run_tool(script, *tool, sleeps, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
            self.assert_exit(result, 1)
            pids = list(map(int, (self.folder / "pids").read_text().split()))
            self.assertEqual(len(pids), 2)
            for pid in pids:
                self.assertIn(pid, self.left_processes())
                os.kill(pid, signal.SIGKILL)


class Files(Stragglers):
    """Predicates and reducers that leave processes."""

    def expect_reduced(self, predicate, *options, wrap=()):
        self.write("hay", LINES + b"the needle is here\n" + LINES)
        self.script("interesting", f'{predicate}\ngrep -q needle "$1"\n')
        result = self.run_tool(*wrap, frng.REDUCE, "--predicate", "./interesting", "hay", *options)
        self.assert_none_lives(result)
        self.assert_exit(result, 0)
        self.assertEqual((self.folder / "hay.reduced").read_bytes(), b"needle", str(result))
        (self.folder / "hay.reduced").unlink()
        return result

    def test_none_survives_a_call_of_a_predicate(self):
        rows = [(f"'{STRAYS}' {way} 0 </dev/null", "--jobs", jobs) for way, jobs in
                spread(("chain", "daemon", "reaper", "stopped"), (8, 1))]
        rows += [(f"'{STRAYS}' traced-zombie 0 </dev/null >&2", "--containment", containment,
                  "--timeout", "5s") for containment in self.granted]
        if "namespace" in self.granted:
            rows.append(("kill -9 $PPID", "--jobs", 2))
        self.each(self.expect_reduced, rows)
        if self.run_tool(*REFUSE, "true").exit == 0:
            self.expect_reduced(f"'{STRAYS}' daemon 0 </dev/null", wrap=REFUSE)

    def test_a_reducer_that_kills_all_it_can_kills_itself_alone(self):
        if "namespace" not in self.granted:
            self.skipTest("runs have no pid namespace")
        self.write("reducer", f"""#!{sys.executable} -S
import os, subprocess, sys
if int(sys.argv[3]) >= 3:
    sys.exit(1)
subprocess.run([{STRAYS!r}, "kill-all", "0"], stdin=subprocess.DEVNULL)
os.truncate(sys.argv[1], max(0, os.path.getsize(sys.argv[1]) - 1))
""", executable=True)
        result = self.expect_reduced("", "--reducer", "./reducer", "--jobs", 2)
        self.assert_says(result, "disabled reducer reducer")


class Traced(Stragglers):
    def test_it_is_seen_how_a_traced_run_ended(self):
        rows = spread(ENDS, MODES[:2], self.granted[::-1])
        for way, mode, containment in rows:
            self.expect_failure_at_3(f"traced-{way}", mode, 2, "--containment", containment, "--timeout",
                                     "600ms", identity=ENDS[way], attempts=2, timeout=60)
        for way, identity in ENDS.items():
            result = self.replay("--size", 3, "--seed", 1, "--timeout", "600ms",
                                 *strays(f"traced-{way}", 3), timeout=30)
            self.assert_exit(result, 1)
            self.assert_says(result, f"fails with {identity}")
            self.assertEqual(self.left_processes(), {}, str(result))

    def test_a_traced_predicate_is_not_waited_for(self):
        self.write("hay", b"hay and a needle\n")
        for way, containment in spread(ENDS, self.granted):
            result = self.reduce("--containment", containment, "--timeout", "600ms", "--predicate",
                                 STRAYS, "hay", environment={"FRNG_WAY": f"traced-{way} 0"}, timeout=30)
            self.assert_exit(result, 2)
            self.assert_says(result, "hay")
            self.assertEqual(self.left_processes(), {}, str(result))


class Stuck(Stragglers):
    """Runs that stop or kill the worker that made them: their deadline is the driver's own."""

    def test_a_run_that_stopped_what_made_it_is_set_aside_and_never_passes_in_silence(self):
        for mode, containment in itertools.product(("spawn", "fork", "persistent"), self.granted):
            result = self.search("--mode", mode, "--containment", containment, "--jobs", 2,
                                 "--timeout", "300ms", "--attempts", 3, "--size-max", 16, "--json",
                                 "events", *strays("freeze-once", 0))
            self.assert_exit(result, 3)
            self.assert_says(result, "inconclusive: worker: a run of", "1 run not counted")
            self.assertNotIn("busy", result.stderr)
            done = frng.latest(self.folder / "events")[-1]
            self.assertEqual((done["outcome"], done["reason"]), ("inconclusive", "worker"))
            self.assertEqual(self.left_processes(), {}, str(result))
            (self.folder / "frozen").unlink()

    def test_time_and_signals_end_a_search_with_a_stopped_worker_soon(self):
        for jobs in (1, 6):
            command = (frng.SEARCH, "--mode", "spawn", "--jobs", jobs)
            result = self.run_tool(*command, "--time", "1s", *strays("freeze", 0), timeout=30)
            self.assert_exit(result, 3)
            self.assertLess(result.seconds, 8, str(result))
            process = self.start(*command, *strays("freeze", 0))
            self.assertTrue(frng.wait_until(lambda: len(self.left_processes()) > 2 * jobs))
            process.terminate()
            self.assert_exit(self.ended(process, 30), -signal.SIGTERM)
            self.assertEqual(self.left_processes(), {})

    def test_processes_of_a_dead_worker_are_killed(self):
        result = self.search("--mode", "spawn", "--containment", "subreaper", "--jobs", 3,
                             "--attempts", 3, "--size-max", 16, *strays("leave-and-kill-parent", 0))
        self.assert_exit(result, 4)
        self.assert_says(result, "worker processes keep dying")
        self.assert_none_lives(result)


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()

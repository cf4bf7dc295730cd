"""Programs that trace processes, or are traced (ptrace): no tool waits for them without a limit.

SPDX-License-Identifier: MIT
"""

import itertools
import os
import signal
import subprocess
import unittest

import frng

TRACERS = str(frng.SUTS / "sut-tracers")
CONTAINMENTS = ("namespace", "subreaper")

# How a run of each way of tests/sut/tracers.c ends. One that its own tracer stops for ever hangs.
ENDS = {"parent": "signal:SIGABRT", "exec": "exit:1", "hidden": "exit:1",
        "zombie": "signal:SIGABRT", "thread": "signal:SIGABRT", "threads": "signal:SIGABRT"}
HANGS = ("child", "grandchild", "exit")


def granted(scenario):
    """The containments that this machine grants."""
    result = scenario.run_tool(frng.SEARCH, "--containment", "namespace", "--attempts", 1,
                               "--size-max", 1, "true")
    return CONTAINMENTS if result.exit == 0 else CONTAINMENTS[1:]


class Traced(frng.Scenario):
    def expect(self, way, identity, mode, containment, jobs, **more):
        with self.subTest(way=way, mode=mode, containment=containment, jobs=jobs):
            result = self.search("--mode", mode, "--containment", containment, "--jobs", jobs,
                                 "--timeout", "600ms", "--attempts", 2, "--size-max", 16,
                                 TRACERS, "--", way, 3, timeout=60, **more)
            self.assert_found(result, 3)
            self.assert_says(result, f"fails with {identity}")
            self.assertEqual(self.left_processes(), {}, str(result))

    @frng.long
    @unittest.skipIf(os.geteuid() != 0, "only root can become another user")
    def test_an_ordinary_user_sees_how_a_traced_run_ended(self):
        self.folder.chmod(0o777)
        if self.run_tool("test", "-x", TRACERS, user=65534, group=65534).exit != 0:
            self.skipTest("another user cannot read the build folder")
        for way, identity in ENDS.items():
            self.expect(way, identity, "spawn", "auto", 2, user=65534, group=65534)
            self.expect(way, identity, "fork", "subreaper", 1, user=65534, group=65534)

    def test_a_replay_sees_how_a_traced_run_ended_and_leaves_nothing(self):
        ends = {**ENDS, **dict.fromkeys(HANGS, "timeout")}
        for runs in (1, 2):
            for way, identity in ends.items():
                with self.subTest(way=way, runs=runs):
                    result = self.replay("--size", 3, "--seed", 1, "--timeout", "600ms", "--runs",
                                         runs, TRACERS, "--", way, 3, timeout=30)
                    self.assert_exit(result, 1)
                    self.assert_says(result, f"fails with {identity}")
                    self.assertEqual(self.left_processes(), {}, str(result))

    def test_a_traced_predicate_is_not_waited_for(self):
        self.write("hay", b"hay and a needle\n")
        for containment in granted(self):
            for way in (*ENDS, *HANGS):
                with self.subTest(way=way, containment=containment):
                    result = self.reduce("--containment", containment, "--timeout",
                                           "600ms", "--predicate", TRACERS, "hay",
                                           environment={"FRNG_WAY": f"{way} 0"}, timeout=30)
                    self.assert_exit(result, 2)
                    self.assert_says(result, "hay")
                    self.assertEqual(self.left_processes(), {}, str(result))

    def test_a_traced_process_that_a_predicate_leaves_is_not_waited_for(self):
        self.write("hay", b"hay and a needle\n")
        self.script("interesting", f"'{TRACERS}' zombie 0 </dev/null >&2\ngrep -q needle \"$1\"\n")
        for containment in granted(self):
            with self.subTest(containment=containment):
                result = self.reduce("--containment", containment, "--timeout", "5s",
                                       "--jobs", 2, "--predicate", "./interesting", "hay",
                                       "--output", f"out-{containment}", timeout=60)
                self.assert_exit(result, 0)
                self.assertEqual((self.folder / f"out-{containment}").read_bytes(), b"needle")


class Stuck(frng.Scenario):
    """Runs that stop the worker that made them: their deadline is the driver's own."""

    def test_a_run_that_stopped_what_made_it_is_set_aside_and_never_passes_in_silence(self):
        for mode, containment in itertools.product(("spawn", "fork", "persistent"), granted(self)):
            with self.subTest(mode=mode, containment=containment):
                result = self.search("--mode", mode, "--containment", containment, "--jobs", 2,
                                     "--timeout", "300ms", "--attempts", 3, "--size-max", 16,
                                     "--json", "events", TRACERS, "--", "freeze-once", 0)
                self.assert_exit(result, 3)
                self.assert_says(result, "inconclusive: worker: a run of", "1 run not counted")
                self.assertNotIn("busy", result.stderr)
                done = frng.json_lines((self.folder / "events").read_text())[-1]
                self.assertEqual((done["outcome"], done["reason"]), ("inconclusive", "worker"))
                self.assertEqual(self.left_processes(), {}, str(result))
                (self.folder / "frozen").unlink()

    def test_time_and_signals_end_a_search_with_a_stopped_worker_soon(self):
        for jobs in (1, 6):
            result = self.search("--mode", "spawn", "--jobs", jobs, "--time", "1s", TRACERS, "--",
                                 "freeze", 0, timeout=30)
            self.assert_exit(result, 3)
            self.assertLess(result.seconds, 8, str(result))
            process = self.start(frng.SEARCH, "--mode", "spawn", "--jobs", jobs, TRACERS, "--",
                                 "freeze", 0)
            self.assertTrue(frng.wait_until(lambda: len(self.left_processes()) > 2 * jobs))
            process.terminate()
            _, stderr = process.communicate(timeout=30)
            self.assertEqual(process.returncode, -signal.SIGTERM, stderr)
            self.assertEqual(self.left_processes(), {})

    def test_processes_of_a_dead_worker_are_killed(self):
        result = self.search("--mode", "spawn", "--containment", "subreaper", "--jobs", 3,
                             "--attempts", 3, "--size-max", 16, TRACERS, "--", "kill-parent", 0)
        self.assert_exit(result, 4)
        self.assert_says(result, "worker processes keep dying")
        self.assertEqual(self.left_processes(), {}, str(result))

    @frng.long
    def test_children_that_a_tool_had_before_it_began_live_on_and_so_do_theirs(self):
        script = self.script("start", 'sleep 1000 &\necho $! >pids\n'
                             '(sleep 1; sleep 1000 & echo $! >>pids) &\nexec "$@"\n')
        sleeps = self.script("sleeps", "sleep 0.4\nexit 1\n")
        for tool in ((frng.SEARCH, "--containment", "subreaper", "--jobs", 1),
                     (frng.REPLAY, "--runs", 8, "--size", 1, "--seed", 1)):
            result = self.run_tool(script, *tool, sleeps, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
            self.assert_exit(result, 1)
            pids = list(map(int, (self.folder / "pids").read_text().split()))
            self.assertEqual(len(pids), 2)
            for pid in pids:
                self.assertIn(pid, self.left_processes())
                os.kill(pid, signal.SIGKILL)


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()

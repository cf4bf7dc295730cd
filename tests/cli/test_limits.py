"""Limits of time and memory: what they have made is not taken for a failure. And cores.

What the tools print is in tests/transcripts/limits.t.
"""

import os
import pathlib
import resource
import shutil
import signal
import subprocess
import unittest

import frng

DIRT = frng.SUTS / "sut-dirt"
ALL = ("spawn", "fork", "persistent")
SMALL = ("--attempts", 1, "--size-max", 4)
SIDE_BY_SIDE = ("--jobs", 5, *SMALL)  # runs that do nothing but wait


def dirt(deed, needed, *arguments):
    return [DIRT, "--", deed, needed, *map(str, arguments)]


class Limited(frng.Scenario):
    def last_event(self):
        return frng.json_lines((self.folder / "events").read_text())[-1]

    def expect_inconclusive(self, reason, mode, *arguments, says=(), **more):
        """Nothing was found, and that is said, once on the way and once at the end."""
        result = self.search("--mode", mode, *SMALL, "--json", "events", "--findings", "found",
                             *arguments, **more)
        self.assertEqual((result.exit, result.stdout), (3, ""), str(result))
        self.assertEqual(result.stderr.count(f"inconclusive: {reason}:"), 2, str(result))
        self.assertNotIn("flaky", result.stderr, str(result))
        self.assert_says(result, *says)
        done = self.last_event()
        self.assertEqual((done["outcome"], done["reason"]), ("inconclusive", reason))
        self.assertEqual(frng.findings(self.folder / "found"), {})

    def expect_found(self, size, says, mode, *arguments, **more):
        result = self.search("--mode", mode, *arguments, **more)
        self.assert_found(result, size)
        self.assert_says(result, f"smallest failure: {says} ")
        self.assertNotRegex(result.stderr, "flaky|inconclusive|memory:|not counted", str(result))


# ---- Memory ----

class Memory(Limited):
    LIMIT = ("--memory", "64M")

    def test_what_passes_with_twice_the_memory_is_inconclusive_and_what_fails_is_found(self):
        for mode in ALL:
            self.expect_inconclusive("memory", mode, *self.LIMIT, *dirt("needs", 3, 80),
                                     says=(r"memory +\d+ failed runs? not counted",))
            for sut in (dirt("holds", 3, 40), dirt("eats", 3)):  # the last one takes all there is
                self.expect_found(3, "signal:SIGABRT", mode, *self.LIMIT, *SMALL, *sut)
            self.expect_found(3, "signal:SIGKILL", mode, *SMALL, *dirt("kills", 3))

    def test_a_bug_is_found_beside_a_run_that_needs_more(self):
        both = self.script("both", f"""n=$(wc -c)
            [ $n -ge 4 ] && kill -SEGV $$
            [ $n -ge 2 ] || exit 0
            head -c $n /dev/zero | {DIRT} needs 2 80""")
        result = self.search("--memory", "64M", "--attempts", 1, "--size-max", 8, both)
        self.assert_found(result, 4)
        self.assert_says(result, "signal:SIGSEGV")
        self.assertNotIn("fails with exit", result.stderr)

    def test_programs_with_sanitizers_are_refused(self):
        """They reserve address space: under a limit every run of theirs would fail."""
        def expect(compiler, *flags):
            self.write("some.c", "int main(void) { return 0; }\n")
            made = shutil.which(compiler) and subprocess.run(
                [compiler, *flags, "some.c", "-o", "sut"], cwd=self.folder, env=self.environment,
                capture_output=True)
            if not made or made.returncode != 0:
                return  # it is not to be had
            name = "ThreadSan" if "thread" in flags[0] else "MemorySan" if "memory" in flags[0] else \
                "AddressSan"
            tools = ((2, frng.SEARCH, *SMALL, "./sut"), (2, frng.REDUCE, "--hex", "00", "./sut"),
                     (2, frng.REDUCE, "--predicate", "./sut", "some.c"),
                     (125, frng.REPLAY, "--hex", "00", "./sut"))
            for status, tool, *arguments in tools:
                self.assert_one_line(self.run_tool(tool, "--memory", "1G", *arguments), status,
                                     "--memory cannot be used", name)
        self.each(expect, [("gcc", "-fsanitize=address"), ("clang", "-fsanitize=address", "-s"),
                           ("clang", "-fsanitize=memory"), ("clang", "-fsanitize=thread")])
        self.write("some.c", 'const char *volatile s = "\\0__asan_init";\n'
                             "int main(void) { return s == 0; }\n")  # it only names one
        if self.run_tool("sh", "-c", "cc some.c -o sut").exit == 0:
            self.assert_nothing_found(self.search("--memory", "1G", *SMALL, "./sut"))


class OutOfMemory(Limited):
    def test_runs_are_offered_to_the_kernel_and_the_driver_is_not(self):
        own = pathlib.Path("/proc/self/oom_score_adj")
        if not own.exists():
            self.skipTest("the kernel has no such score")
        tells = self.script("tells", "cat /proc/self/oom_score_adj >>scores; sleep 600")
        process = self.start(frng.SEARCH, "--timeout", "1h", "--jobs", 1, tells)
        scores = self.folder / "scores"
        self.assertTrue(frng.wait_until(lambda: scores.exists() and scores.read_text()))
        self.assertEqual(pathlib.Path(f"/proc/{process.pid}/oom_score_adj").read_text(),
                         own.read_text())
        process.terminate()
        process.communicate(timeout=60)
        self.assertEqual(set(scores.read_text().split()), {"1000"})


# ---- Time ----

class Hangs(Limited):
    def test_a_busy_machine_is_inconclusive_and_a_bug_at_a_deadline_is_found(self):
        for mode in ALL:
            self.expect_inconclusive("timeout", mode, "--timeout", "500ms",
                                     *dirt("hangs-once", 3, self.folder / mode),
                                     says=("timeout +1 run not counted",))
            self.expect_found(3, "timeout", mode, "--timeout", "150ms", *SIDE_BY_SIDE,
                              *dirt("waits-for-vfork", 3))
            self.expect_found(3, "signal:SIGABRT", mode, "--timeout", "100ms", *SIDE_BY_SIDE,
                              *dirt("races", 3, 100))
        self.expect_inconclusive("timeout", "auto", "--timeout", "1500ms",  # it ends within twice that
                                 *dirt("dawdles", 3, self.folder / "count"))
        for deed in ("spins", "stops"):
            self.expect_found(3, "timeout", "auto", "--timeout", "100ms", "--memory", "256M",
                              *SIDE_BY_SIDE, *dirt(deed, 3))

    def test_the_search_goes_on_after_one(self):
        sut = self.script("busy", "n=$(wc -c); [ $n -lt 4 ] || exit 3\n"
                                  "[ $n -lt 2 ] || ! mkdir was 2>/dev/null || sleep 600")
        result = self.search("--timeout", "500ms", *SMALL, sut)
        self.assert_found(result, 4)
        self.assert_says(result, "smallest failure: exit:3 ", "timeout +1 run not counted")
        self.assertEqual(result.stderr.count("inconclusive: timeout:"), 1, str(result))

    def test_a_hang_that_comes_and_goes_is_flaky(self):
        result = self.search("--timeout", "300ms", *SIDE_BY_SIDE,
                             *dirt("hangs-at-times", 3, self.folder / "count"))
        self.assert_found(result)
        self.assert_says(result, r"timeout at size", r"flaky \d/5")

    def test_one_that_stops_its_parent_is_judged_like_any(self):
        options = ("--containment", "subreaper", "--timeout", "1s", "--jobs", 4, "--attempts", 1,
                   "--size-max", 1)
        stops = self.script("stops", "kill -STOP $PPID")
        self.assert_nothing_found(self.search(*options, stops))
        self.assert_nothing_found(self.search(*options, "--memory", "1G", stops))
        self.assert_one_line(self.search(*options, "--mode", "fork", stops), 2, "mode fork")
        self.expect_found(0, "timeout", "spawn", *options,
                          self.script("hangs", "kill -STOP $PPID; sleep 600"))
        self.write("hay", "needle")
        stops = self.script("interesting", "kill -STOP $PPID; grep -q n hay")
        self.assert_exit(self.reduce("--containment", "subreaper", "--predicate", stops, "hay"), 0)
        self.assertEqual((self.folder / "hay.reduced").read_bytes(), b"n")

    def test_a_worker_that_was_stopped_does_not_outlive_its_driver(self):
        stops = self.script("stops", "cd $FRNG_SCENARIO; >running\n"
                                     "until [ -e now ]; do sleep 0.1; done\n"
                                     "kill -STOP $PPID; >stopped; sleep 600")
        driver = self.start(frng.SEARCH, "--containment", "subreaper", "--jobs", 1, stops)
        self.assertTrue(frng.wait_until((self.folder / "running").exists))
        driver.send_signal(signal.SIGSTOP)  # or it would continue the worker
        self.write("now", "")
        self.assertTrue(frng.wait_until((self.folder / "stopped").exists))
        driver.kill()
        driver.communicate()
        self.assertTrue(frng.wait_until(lambda: not self.left_processes(), 30))

    def test_a_reduction_asks_again_what_was_slow_for_once(self):
        result = self.reduce("--hex", "010203", "--timeout", "500ms", "--json", "events",
                             *dirt("hangs-once", 2, self.folder / "count"))
        self.assert_exit(result, 3)
        self.assert_says(result, "inconclusive: timeout:")
        self.assertEqual(self.last_event()["reason"], "timeout")
        # What is interesting takes longer than it may when it is verified, and no longer than twice
        # that: the first look and each try are quick.
        self.write("hay", "needle")
        slow = self.script("interesting", "grep -q n hay || exit 1\n"
                                          f"echo . >>{self.folder}/asked\n"
                                          f"[ $(wc -l <{self.folder}/asked) -ne 3 ] || sleep 2")
        result = self.reduce("--predicate", slow, "hay", "--timeout", "1500ms", "--jobs", 1)
        self.assert_exit(result, 0)
        self.assertEqual((self.folder / "hay.reduced").read_bytes(), b"n")
        self.assertNotIn("flaky", result.stderr, str(result))


class CutOff(Limited):
    """No run, or one that the end of --time cuts off while it may hang, is no pass."""

    def expect_end(self, reason, text, *arguments):
        result = self.search("--json", "events", *arguments, timeout=30)
        self.assertEqual((result.exit, result.stdout), (3, ""), str(result))
        self.assert_says(result, "inconclusive: " + text)
        done = self.last_event()
        self.assertEqual((done["outcome"], done["reason"]), ("inconclusive", reason), str(result))
        self.assertEqual(self.left_processes(), {}, str(result))
        return done

    def test_a_run_that_may_hang_is_named(self):
        hangs = self.script("hangs", '[ "$(wc -c)" -ge 4 ] && exec sleep 1000\nexit 0\n')
        slow = self.script("slow", "sleep 2\n")
        for options in (("--all",), ("--containment", "subreaper"), ("--jobs", 1)):
            done = self.expect_end("unfinished", r"the run of 4 bytes had not ended after [01]\.\d+ s",
                                   "--time", "2s", *options, hangs)
            self.assertEqual(done["size"], 4)
            self.assertRegex(done["replay"], r"hangs --size 4 --seed \d+s?$")
        for mode in ("fork", "persistent"):
            self.expect_end("unfinished", "the run of .* had not ended", "--mode", mode, "--time",
                            "1s", "--timeout", "1h", *dirt("spins", 3))
        self.expect_end("unfinished", "the run of 0 bytes had not ended", "--time", "1s", slow)
        self.expect_end("untested", "the time ended before the first run did", "--time", "1ms",
                        self.script("passes", "sleep 0.05\n"))


class Cores(Limited):
    def test_a_replay_leaves_cores_to_the_user(self):
        _, hard = resource.getrlimit(resource.RLIMIT_CORE)
        tells = self.script("tells", "ulimit -S -c")
        itself = {"ASAN_OPTIONS": "disable_coredump=0"}  # else a tool built so has none at all
        for soft, told in ((0, "0\n"), (8192, "16\n"), (hard, "unlimited\n")):
            if (soft > hard or soft == hard) and hard != resource.RLIM_INFINITY:
                continue
            result = self.replay("--hex", "00", tells, environment=itself,
                                 preexec_fn=lambda soft=soft: resource.setrlimit(
                                     resource.RLIMIT_CORE, (soft, hard)))
            self.assertEqual((result.exit, result.stdout), (0, told), str(result))


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()

"""Limits of time and memory: what they have made is not taken for a failure. And cores.

What the tools print is in tests/transcripts/limits.t.
"""

import contextlib
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import unittest

import frng

LIMITS = frng.SUTS / "sut-limits"
STATE = frng.SUTS / "sut-state"
ALL = ("spawn", "fork", "persistent")
SMALL = ("--attempts", 1, "--size-max", 4)
SIDE_BY_SIDE = ("--jobs", 5, *SMALL)  # runs that do nothing but wait


def limits(mode, needed, *arguments):
    """The system under test of tests/sut/limits.c: what it does, it does if it draws `needed`."""
    return [LIMITS, "--", mode, needed, *map(str, arguments)]


class Limited(frng.Scenario):
    def last_event(self):
        return frng.json_lines((self.folder / "events").read_text())[-1]

    def assert_inconclusive(self, result, reason):
        """Nothing was found, and that is said, once on the way and once at the end."""
        self.assert_exit(result, 3)
        self.assertEqual(result.stdout, "", str(result))
        self.assertEqual(result.stderr.count(f"inconclusive: {reason}:"), 2, str(result))
        self.assertNotIn("flaky", result.stderr, str(result))
        done = self.last_event()
        self.assertEqual((done["outcome"], done["reason"]), ("inconclusive", reason))


# ---- Memory ----

class Memory(Limited):
    OPTIONS = ("--memory", "64M", *SMALL, "--json", "events")

    def test_a_memory_bomb_is_inconclusive_in_each_mode(self):
        for mode in ALL:
            with self.subTest(mode=mode):
                result = self.search("--mode", mode, "--findings", "found", *self.OPTIONS,
                                     *limits("eats", 3))
                self.assert_inconclusive(result, "memory")
                self.assert_says(result, r"memory +\d+ failed runs? not counted")
                self.assertEqual(frng.findings(self.folder / "found"), {})

    def test_one_that_doubles_what_it_has_is_one_too(self):
        self.assert_inconclusive(self.search(*self.OPTIONS, *limits("doubles", 3)), "memory")

    def test_one_that_passes_with_twice_the_memory_is_inconclusive(self):
        for mode in ALL:
            with self.subTest(mode=mode):
                result = self.search("--mode", mode, *self.OPTIONS, *limits("needs", 3, 80))
                self.assert_inconclusive(result, "memory")

    @frng.long
    def test_a_bug_that_has_nothing_to_do_with_memory_is_found_under_a_limit(self):
        for mode in ALL:
            with self.subTest(mode=mode):
                result = self.search("--mode", mode, *self.OPTIONS, *limits("holds", 3, 40))
                self.assert_found(result, 3)
                self.assertNotRegex(result.stderr, r"memory:|\n  memory ")

    def test_a_bug_is_found_beside_a_bomb(self):
        bomb = self.script("both", f"""n=$(wc -c)
            [ $n -ge 4 ] && kill -SEGV $$
            [ $n -ge 2 ] || exit 0
            head -c $n /dev/zero | {LIMITS} eats 2""")
        result = self.search("--memory", "64M", "--attempts", 1, "--size-max", 8, bomb)
        self.assert_found(result, 4)
        self.assert_says(result, "signal:SIGSEGV")
        self.assertNotIn("fails with exit", result.stderr)

    def test_a_bomb_is_not_reduced(self):
        for mode in ("spawn", "persistent"):
            with self.subTest(mode=mode):
                result = self.reduce("--hex", "010203", "--memory", "64M", "--mode", mode,
                                     "--json", "events", *limits("eats", 2))
                self.assert_exit(result, 3)
                self.assertEqual(result.stdout, "", str(result))
                self.assert_says(result, r"inconclusive: memory: a run of 3 bytes ran out of "
                                         r"memory \(signal:SIGABRT\): ")
                self.assertEqual(self.last_event()["reason"], "memory")


class Sanitizers(Limited):
    """They reserve address space: under a limit every run of theirs would fail."""

    def build(self, compiler, *flags):
        source = self.write("empty.c", "int main(void) { return 0; }\n")
        path = shutil.which(compiler)
        made = path and subprocess.run([path, *flags, str(source), "-o", "sut"], cwd=self.folder,
                                       env=self.environment, capture_output=True)
        if not path or made.returncode != 0:
            self.skipTest(f"{compiler} {' '.join(flags)} is not to be had")
        return "./sut"

    def expect_refused(self, sut, name):
        result = self.search("--memory", "1G", *SMALL, sut)
        self.assert_one_line(result, 2, "--memory cannot be used", name)
        result = self.reduce("--memory", "1G", "--hex", "00", sut)
        self.assert_one_line(result, 2, "--memory cannot be used", name)
        result = self.reduce("--memory", "1G", "--predicate", sut, "empty.c")
        self.assert_one_line(result, 2, "--memory cannot be used", name)
        result = self.replay("--memory", "1G", "--hex", "00", sut)
        self.assert_one_line(result, 125, "--memory cannot be used", name)

    def test_address_sanitizer_of_gcc(self):
        self.expect_refused(self.build("gcc", "-fsanitize=address"), "AddressSanitizer")

    def test_address_sanitizer_of_clang_stripped(self):
        self.expect_refused(self.build("clang", "-fsanitize=address", "-s"), "AddressSanitizer")

    def test_memory_sanitizer(self):
        self.expect_refused(self.build("clang", "-fsanitize=memory"), "MemorySanitizer")

    def test_thread_sanitizer(self):
        self.expect_refused(self.build("clang", "-fsanitize=thread"), "ThreadSanitizer")

    def test_one_without_symbols_is_known_by_what_it_says(self):
        sut = self.build("gcc", "-fsanitize=address", "-static-libasan", "-s")
        self.assert_one_line(self.search("--memory", "1G", *SMALL, sut), 2,
                             "--memory cannot be used", "sanitizer")

    def test_a_program_that_only_names_one_is_not_refused(self):
        self.write("empty.c", 'const char *volatile s = "\\0__asan_init";\n'
                              "int main(void) { return s == 0; }\n")
        path = shutil.which("cc") or shutil.which("gcc")
        if not path:
            self.skipTest("no compiler")
        subprocess.run([path, "empty.c", "-o", "sut"], cwd=self.folder, env=self.environment,
                       check=True)
        self.assert_nothing_found(self.search("--memory", "1G", *SMALL, "./sut"))


@contextlib.contextmanager
def small_machine(test, memory):
    """A group of processes that has so much memory; yields what joins it."""
    root = pathlib.Path("/sys/fs/cgroup")
    version_2 = (root / "cgroup.controllers").exists()
    parent = root if version_2 else root / "memory"
    group = parent / f"frng-test-{os.getpid()}"
    files = ({"memory.max": memory, "memory.swap.max": 0} if version_2 else
             {"memory.limit_in_bytes": memory, "memory.memsw.limit_in_bytes": memory})
    try:
        group.mkdir()
    except OSError as error:
        test.skipTest(f"no group of processes can be made here: {error}")
    try:
        for name, value in files.items():
            if (group / name).exists():
                (group / name).write_text(str(value))
            elif "swap" not in name and "memsw" not in name:
                test.skipTest(f"groups of processes have no {name} here")
        yield lambda: (group / "cgroup.procs").write_text(str(os.getpid()))
    except OSError as error:
        test.skipTest(f"a group of processes cannot be limited here: {error}")
    finally:
        frng.wait_until(lambda: not (group / "cgroup.procs").read_text().strip(), 10)
        group.rmdir()


class OutOfMemory(Limited):
    def test_the_kernel_takes_the_run_and_not_the_driver(self):
        kills = pathlib.Path("/proc/vmstat")
        if not kills.exists() or "oom_kill " not in kills.read_text():
            self.skipTest("the kernel does not count what it kills")
        for mode in ALL:
            with self.subTest(mode=mode), small_machine(self, 320 << 20) as join:
                result = self.search("--mode", mode, "--jobs", 1, *SMALL, "--json", "events",
                                     *limits("eats", 3), preexec_fn=join)
                self.assert_inconclusive(result, "memory")
                self.assert_says(result, "signal:SIGKILL")

    def test_what_it_took_before_a_run_is_not_the_run(self):
        count = self.write("vmstat", "oom_kill 0\n")
        box = ("unshare", "--mount", "--", "sh", "-c",
               f"mount --bind {count} /proc/vmstat && exec \"$@\"", "sh")
        if self.run_tool(*box, "true").exit != 0:
            self.skipTest("no mounts to tell of other kills by")
        # Each run that passes, something elsewhere is killed for want of memory.
        kills = self.script("kills", "[ $(wc -c) -lt 3 ] || kill -KILL $$\ncd $FRNG_SCENARIO\n"
                                     "read -r name kills <vmstat\n"
                                     "echo oom_kill $((kills + 1)) >vmstat\nsleep 0.3\n")
        result = self.run_tool(*box, frng.SEARCH, "--containment", "subreaper", "--jobs", 1,
                               *SMALL, kills)
        self.assert_found(result, 3)
        self.assertNotIn("inconclusive", result.stderr, str(result))

    def test_what_it_took_at_the_time_of_a_rerun_is_not_the_rerun(self):
        count = self.write("vmstat", "oom_kill 0\n")
        box = ("unshare", "--mount", "--", "sh", "-c",
               f"mount --bind {count} /proc/vmstat && exec \"$@\"", "sh")
        if self.run_tool(*box, "true").exit != 0:
            self.skipTest("no mounts to tell of other kills by")
        # In the second run that fails, a rerun, something elsewhere is killed for want of memory.
        self.write("deaths", "")
        kills = self.script("kills", "[ $(wc -c) -ge 3 ] || exit 0\ncd $FRNG_SCENARIO\n"
                                     "echo >>deaths\n"
                                     "[ $(wc -l <deaths) != 2 ] || echo oom_kill 1 >vmstat\n"
                                     "kill -KILL $$\n")
        result = self.run_tool(*box, frng.SEARCH, "--containment", "subreaper", "--jobs", 1,
                               *SMALL, kills)
        self.assert_found(result, 3)
        self.assertGreater((self.folder / "deaths").read_text().count("\n"), 2)
        self.assertNotRegex(result.stderr, "flaky|inconclusive")

    def test_one_that_is_killed_otherwise_has_failed(self):
        for mode in ALL:
            with self.subTest(mode=mode):
                result = self.search("--mode", mode, *SMALL, *limits("kills", 3))
                self.assert_found(result, 3)
                self.assert_says(result, "signal:SIGKILL")

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
    def test_a_hang_that_was_a_busy_machine_is_inconclusive_in_each_mode(self):
        for mode in ALL:
            with self.subTest(mode=mode):
                result = self.search("--mode", mode, "--timeout", "500ms", *SMALL, "--json",
                                     "events", *limits("hangs-once", 3, self.folder / mode))
                self.assert_inconclusive(result, "timeout")
                self.assert_says(result, "timeout +1 run not counted")

    def test_a_run_that_ends_within_twice_its_time_is_no_hang(self):
        result = self.search("--timeout", "1500ms", *SMALL, "--json", "events",
                             *limits("dawdles", 3, self.folder / "count"))
        self.assert_inconclusive(result, "timeout")
        self.assertGreater(result.seconds, 3)

    def test_the_search_goes_on_after_one(self):
        sut = self.script("busy", "n=$(wc -c); [ $n -lt 4 ] || exit 3\n"
                                  "[ $n -lt 2 ] || ! mkdir was 2>/dev/null || sleep 600")
        result = self.search("--timeout", "500ms", *SMALL, sut)
        self.assert_found(result, 4)
        self.assert_says(result, "smallest failure: exit:3 ", "timeout +1 run not counted")
        self.assertEqual(result.stderr.count("inconclusive: timeout:"), 1, str(result))

    def test_a_hang_that_comes_and_goes_is_flaky(self):
        result = self.search("--timeout", "300ms", *SIDE_BY_SIDE,
                             *limits("hangs-at-times", 3, self.folder / "count"))
        self.assert_found(result)
        self.assert_says(result, r"timeout at size", r"flaky \d/5")

    def test_one_that_waits_for_a_child_of_vfork_is_a_timeout_in_each_mode(self):
        for mode in ALL:
            with self.subTest(mode=mode):
                result = self.search("--mode", mode, "--timeout", "150ms", *SIDE_BY_SIDE,
                                     *limits("waits-for-vfork", 3))
                self.assert_found(result, 3)
                self.assert_says(result, "smallest failure: timeout")

    def test_one_that_stops_its_parent_is_judged_like_any(self):
        options = ("--containment", "subreaper", "--timeout", "1s", "--jobs", 4, "--attempts", 1,
                   "--size-max", 1)
        stops = self.script("stops", "kill -STOP $PPID")
        self.assert_nothing_found(self.search(*options, stops))
        self.assert_nothing_found(self.search(*options, "--memory", "1G", stops))
        self.assert_one_line(self.search(*options, "--mode", "fork", stops), 2, "mode fork")
        result = self.search(*options, self.script("hangs", "kill -STOP $PPID; sleep 600"))
        self.assert_found(result, 0)
        self.assert_says(result, "smallest failure: timeout ")

    def test_a_predicate_that_stops_its_parent_is_asked_like_any(self):
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

    def test_what_hangs_is_a_timeout_under_a_limit_of_memory_too(self):
        for what in ("spin", "stop", "ignore", "sleep"):
            with self.subTest(what=what):
                result = self.search("--timeout", "100ms", "--memory", "256M", *SIDE_BY_SIDE,
                                     STATE, "--", "does", what, 3)
                self.assert_found(result, 3)
                self.assert_says(result, "smallest failure: timeout")

    def test_a_crash_that_races_its_deadline_is_a_crash(self):
        for mode in ALL:
            with self.subTest(mode=mode):
                result = self.search("--mode", mode, "--timeout", "100ms", *SIDE_BY_SIDE,
                                     "--json", "events", *limits("races", 3, 100))
                self.assert_found(result, 3)
                done = self.last_event()
                self.assertEqual((done["identity"], done["flaky"]), ("signal:SIGABRT", False))

    def test_a_hang_that_does_not_come_again_is_not_reduced(self):
        result = self.reduce("--hex", "010203", "--timeout", "500ms", "--json", "events",
                             *limits("hangs-once", 2, self.folder / "count"))
        self.assert_exit(result, 3)
        self.assert_says(result, "inconclusive: timeout:")
        self.assertEqual(self.last_event()["reason"], "timeout")

    def test_a_predicate_that_is_slow_for_once_is_asked_again_with_twice_the_time(self):
        self.write("hay", "needle")
        # What is interesting takes longer than it may when it is verified, and no longer than twice
        # that: the first look and each try are quick.
        slow = self.script("interesting", "grep -q n hay || exit 1\n"
                                          f"echo . >>{self.folder}/asked\n"
                                          f"[ $(wc -l <{self.folder}/asked) -ne 3 ] || sleep 2")
        result = self.reduce("--predicate", slow, "hay", "--timeout", "1500ms",
                             "--jobs", 1)
        self.assert_exit(result, 0)
        self.assertEqual((self.folder / "hay.reduced").read_bytes(), b"n")
        self.assertNotIn("flaky", result.stderr, str(result))


# ---- The end of the time ----

class CutOff(Limited):
    """No run, or one that the end of --time cuts off while it may hang, is no pass."""

    def setUp(self):
        super().setUp()
        self.hangs = self.script("hangs", '[ "$(wc -c)" -ge 4 ] && exec sleep 1000\nexit 0\n')

    def assert_ends(self, reason, text, *arguments, **more):
        result = self.search("--json", "events", *arguments, timeout=30, **more)
        self.assert_exit(result, 3)
        self.assert_says(result, "inconclusive: " + text)
        self.assertEqual(result.stdout, "", str(result))
        done = self.last_event()
        self.assertEqual((done["outcome"], done["reason"]), ("inconclusive", reason), str(result))
        self.assertEqual(self.left_processes(), {}, str(result))
        return done, result

    def test_a_run_that_may_hang_is_named(self):
        for options in ((), ("--all",), ("--keep-going",), ("--containment", "subreaper"),
                        ("--jobs", 1)):
            with self.subTest(options=options):
                done, _ = self.assert_ends(
                    "unfinished", r"the run of 4 bytes had not ended after [01]\.\d+ s", "--time",
                    "2s", *options, self.hangs)
                self.assertEqual(done["size"], 4)
                self.assertRegex(done["replay"], r"hangs --size 4 --seed \d+s?$")

    def test_one_in_a_short_time(self):
        hangs = self.script("soon", '[ "$(wc -c)" = 0 ] || exec sleep 1000')
        for ms in (*[240] * 5, *[480] * 10, *[900] * 20): # a busy machine may begin it late
            result = self.search("--json", "events", "--time", f"{ms}ms", hangs, timeout=30)
            done = self.last_event()
            if done["runs"] > 0 and done["outcome"] == "inconclusive":
                break
        self.assert_exit(result, 3)
        self.assert_says(result, r"inconclusive: the run of \d bytes? had not ended after 0\.")

    def test_one_in_a_fork_server_and_in_its_process(self):
        for mode in ("fork", "persistent"):
            with self.subTest(mode=mode):
                self.assert_ends("unfinished", "the run of .* had not ended", "--mode", mode,
                                 "--time", "2s", "--timeout", "1h", STATE, "--", "does", "spin", 3)

    def test_a_first_run_that_outlasts_the_time(self):
        sut = self.script("slow", "sleep 2\n")
        self.assert_ends("unfinished", "the run of 0 bytes had not ended", "--time", "1s", sut)
        self.assert_ends("untested", "the time ended before the first run did", "--time", "1ms",
                         self.script("passes", "sleep 0.05\n"))

    def test_a_program_that_cannot_be_started_is_an_error_however_short_the_time(self):
        for text in ("", "# speaks FRNG_DRIVER\n"):
            sut = self.write("bad", "#!/no/such/interpreter\n" + text)
            sut.chmod(0o755)
            for time in ("1ms", "300ms", "1s"):
                for tool in (self.search, self.reduce):
                    with self.subTest(text=text, time=time):
                        at = () if tool == self.search else ("--size", 3, "--seed", 1)
                        result = tool("--time", time, *at, sut, timeout=30)
                        self.assert_exit(result, 2)
                        self.assert_says(result, "its interpreter was not found")

    def test_a_short_run_that_is_cut_off_is_a_pass(self):
        result = self.search("--time", "1s", self.script("short", "sleep 0.01\n"))
        self.assert_exit(result, 0)
        self.assert_says(result, r"no failure in \d+ runs so far")

    def test_a_duration_of_the_right_unit_is_kept_to(self):
        for text in ("1000ms", "1s"):
            result = self.search("--time", text, *frng.modes("naps"))
            self.assert_nothing_found(result)
            self.assertGreaterEqual(result.seconds, 0.9)
            self.assertLess(result.seconds, 50)

    @frng.long
    def test_a_search_without_failure_goes_on_until_its_time_is_spent(self):
        result = self.search("--time", "2s", "--attempts", 1, "--size-max", 16,
                             *frng.modes("never"))
        self.assert_nothing_found(result)
        self.assertGreaterEqual(result.seconds, 1.9)

    @frng.long
    def test_time_that_is_spent_while_searching_down_is_exit_1_with_the_best(self):
        result = self.search("--time", "2s", "--attempts", 1000000, *frng.modes("at-least", 100))
        self.assert_found(result, 100)
        self.assertLess(result.seconds, 60)


class Cores(Limited):
    def test_a_replay_leaves_cores_to_the_user(self):
        _, hard = resource.getrlimit(resource.RLIMIT_CORE)
        tells = self.script("tells", "ulimit -S -c")
        itself = {"ASAN_OPTIONS": "disable_coredump=0"}  # else a tool built so has none at all
        for soft, told in ((0, "0"), (8192, "16"), (hard, None)):
            if soft > hard != resource.RLIM_INFINITY:
                continue
            with self.subTest(soft=soft):
                result = self.replay("--hex", "00", tells, environment=itself,
                                     preexec_fn=lambda soft=soft: resource.setrlimit(
                                         resource.RLIMIT_CORE, (soft, hard)))
                self.assert_exit(result, 0)
                if told is not None:
                    self.assertEqual(result.stdout, told + "\n", str(result))
                elif hard == resource.RLIM_INFINITY:
                    self.assertEqual(result.stdout, "unlimited\n", str(result))


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()

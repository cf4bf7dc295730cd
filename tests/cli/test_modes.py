"""--mode: one program, run in every way, has one answer; and none of the ways is to be fooled."""

import os
import re
import shutil
import signal
import subprocess
import time
import unittest

import frng

STATE = frng.SUTS / "sut-state"
DIRT = frng.SUTS / "sut-dirt"
LIAR = frng.SUTS / "sut-liar"
EXAMPLES = frng.BUILD / "examples"
SOURCE = frng.pathlib.Path(__file__).resolve().parents[2]
FAST = ("fork", "persistent", "auto")
ALL = ("spawn", *FAST)
KEEPS_STATE = "keeps state between its runs"


def state(*arguments):
    return [STATE, "--", *arguments]


def dirt(mode, needed, *arguments):
    """The system under test of tests/sut/dirt.c, that fails iff it draws `needed` bytes."""
    return [DIRT, "--", mode, needed, *arguments]


class Modes(frng.Scenario):
    def course(self, mode, jobs, *arguments):
        """The result line, and what the last event tells that must not depend on the mode."""
        result = self.search("--rng-seed", 1, "--json", "events", "--mode", mode, "--jobs", jobs,
                             *arguments)
        done = frng.json_lines((self.folder / "events").read_text())[-1]
        same = {key: done.get(key) for key in ("outcome", "identity", "runs", "flaky")}
        return (result.exit, result.stdout, same), result

    def expect_same(self, modes, jobs, *arguments):
        """One course in all modes; answers the result of the last."""
        expected, result = self.course("spawn", 1, *arguments)
        for mode in modes:
            for count in jobs:
                with self.subTest(mode=mode, jobs=count, sut=arguments):
                    got, result = self.course(mode, count, *arguments)
                    self.assertEqual(got, expected, str(result))
        return result


class Sameness(Modes):
    @frng.long
    def test_examples_have_one_answer_in_every_mode(self):
        for name in ("consensus", "kvstore", "ring", "cobs"):
            result = self.expect_same(ALL, (1, 2), "--attempts", 10, EXAMPLES / name)
            self.assert_found(result)

    @frng.long
    def test_programs_with_the_protocol_have_one_answer_in_every_mode(self):
        for name in ("draws", "assert"):
            self.assert_found(self.expect_same(ALL, (1, 2), "--attempts", 10, frng.SUTS /
                                               f"sut-{name}"))

    @frng.long
    def test_styled_seeds_are_the_same_runs_for_programs_that_do_not_know_them(self):
        before = frng.SUTS / "sut-before"
        for expand in ("styled", "both"):
            options = ("--attempts", 10, "--size-max", "4K", "--expand", expand, before, "--")
            expected, result = self.course("persistent", 1, *options, "nothing")
            self.assertRegex(result.stdout, r"seed=\d+s\n")
            for unknown in ("styles", "styles,bytes"):
                for mode in ("spawn", "fork", "persistent"):
                    with self.subTest(expand=expand, unknown=unknown, mode=mode):
                        got, result = self.course(mode, 1, *options, unknown)
                        self.assertEqual(got[:2], expected[:2], str(result))
                        self.assertEqual(got[2]["runs"], expected[2]["runs"])

class Endings(Modes):
    SMALL = ("--attempts", 5, "--size-max", 64)

    def expect(self, what, size, identity, options=SMALL, timeout=()):
        result = self.expect_same(FAST, (1,), *options, *timeout, *state("does", what, size))
        self.assert_found(result, size)
        self.assert_says(result, rf"fails with {identity}|\b{identity}\b")

    @frng.long
    def test_each_way_to_fail_has_its_name_and_size(self):
        for what, identity in {
                "abort": "signal:SIGABRT", "assert": "signal:SIGABRT", "exit3": "exit:3",
                "quick-exit": "exit:5", "return-false": "exit:1", "segv": "signal:SIGSEGV",
                "overflow": "signal:SIGSEGV", "kill": "signal:SIGKILL", "term": "signal:SIGTERM",
                "trap": r"signal:SIG(ILL|TRAP)", "misuse": r"signal:SIG(ILL|TRAP)", "leave-and-exit": "exit:3"}.items():
            self.expect(what, 5, identity)

    def test_what_was_drawn_is_known_after_the_hardest_end(self):
        # 20 bytes are not found by bisection in so few runs.
        for what in ("kill", "overflow", "segv"):
            for mode in FAST:
                result = self.search("--attempts", 1, "--json", "events", "--mode", mode,
                                     "--rng-seed", 1, *state("does", what, 20))
                self.assert_found(result, 20)
                done = frng.json_lines((self.folder / "events").read_text())[-1]
                self.assertLess(done["runs"], 15, str(result))

    @frng.long
    def test_a_report_that_is_written_over_is_not_believed(self):
        for what in ("scribble", "fill", "zero"):
            self.expect(what, 5, "signal:SIGABRT")

    def test_a_run_that_exits_with_0_has_passed(self):
        self.assert_exit(self.expect_same(FAST, (1, 2), *self.SMALL, *state("does", "exit0", 5)), 0)

    def test_a_failing_exit_handler_is_a_failure(self):
        self.expect("atexit", 5, "exit:7")

    def test_a_process_left_behind_is_no_failure(self):
        result = self.expect_same(ALL, (1, 2), "--attempts", 5, "--size-max", 8,
                                  *state("does", "leave", 3))
        self.assert_nothing_found(result)


class State(Modes):
    """What a test keeps from run to run is said, once, and never taken for a failure."""

    def search_for_state(self, attempts, *arguments):
        """A search that looks for state with so many attempts, and with more if it saw none: how
        many runs share a process follows the clock, so on a busy machine there are few of them."""
        end = time.monotonic() + frng.PATIENCE_S
        while True:
            result = self.search("--attempts", attempts, "--size-max", 8, *arguments)
            if KEEPS_STATE in result.stderr or time.monotonic() > end:
                return result
            attempts *= 4

    def expect_noticed(self, why, attempts, *arguments, timeout="60s"):
        result = self.search_for_state(attempts, "--rng-seed", 1, "--jobs", 1, "--json", "events",
                                       "--timeout", timeout, *state(*arguments))
        self.assert_nothing_found(result)
        self.assertEqual(result.stderr.count(KEEPS_STATE), 1, str(result))
        self.assert_says(result, why, "has a process of its own")
        events = frng.latest(self.folder / "events")
        self.assertEqual((events[0]["mode"], events[-1]["mode"]), ("persistent", "fork"))

    def test_state_that_changes_draws_is_noticed(self):
        for what in ("count", "file", "folder", "locale", "mask", "memory", "stdin", "thread"):
            with self.subTest(what=what):
                self.expect_noticed("drew another count of bytes", 300, "keeps", what)
        self.expect_noticed("made other draws", 300, "draws-otherwise")

    def test_a_process_left_behind_is_noticed(self):
        self.expect_noticed("left a process behind", 50, "keeps", "process")

    def test_a_mode_that_was_asked_for_is_kept(self):
        for mode in ("fork", "persistent"):
            result = self.search("--mode", mode, "--attempts", 100, "--size-max", 2, "--json",
                                 "events", *state("counts-to", 20, "abort"))
            self.assert_nothing_found(result)
            self.assertLessEqual(result.stderr.count(KEEPS_STATE), 1)
            events = frng.latest(self.folder / "events")
            self.assertEqual(events[-1]["mode"], mode)

    def test_a_run_that_kills_its_server_costs_a_server(self):
        for mode in FAST:
            result = self.search("--mode", mode, "--attempts", 30, "--size-max", 2,
                                 *state("counts-to", 7, "kill-parent"))
            self.assert_nothing_found(result)


class Lies(Modes):
    """A server that lies neither stops the driver nor makes it announce what is not so."""

    def expect_harmless(self, *lies, exits=(0,), attempts=2):
        for lie in lies:
            for mode in FAST:
                with self.subTest(lie=lie, mode=mode):
                    (self.folder / "later").unlink(missing_ok=True)
                    result = self.search("--mode", mode, "--attempts", attempts, "--size-max", 2,
                                         "--timeout", "100ms", LIAR, "--", lie)
                    self.assert_exit(result, *exits)
                    self.assertEqual(result.stdout, "", str(result))
                    self.assert_plain(result)

    def test_a_lie_in_the_hello_is_not_believed(self):
        self.expect_harmless("hello-offset", "hello-beyond", "hello-odd", "hello-width",
                             "hello-twice", "hello-then-dies")
        self.expect_harmless("hello-flags", exits=(0, 2)) # one says that it cannot fork

    def test_answers_without_sense_are_not_believed(self):
        self.expect_harmless("dies", "aborts", "dies-between", "hangs-up", "short", "long", "empty",
                             "garbage", "type", "hello-again", "done-twice", "count-more",
                             "count-huge", "count-0", "count-less", "status-huge", "status-odd",
                             "status-stopped", "status-after-all", "leftover", "flags", "digest")

    def test_failures_that_no_fresh_process_shows_are_no_findings(self):
        self.expect_harmless("fails", "fails-drawn", "site", "never", "busy", exits=(3,),
                             attempts=1)

    def test_a_failure_is_found_in_spite_of_lies(self):
        for lie in ("dies", "hangs-up", "garbage", "count-0", "hello-twice", "hello-then-dies"):
            for mode in FAST:
                with self.subTest(lie=lie, mode=mode):
                    result = self.search("--mode", mode, "--attempts", 2, "--timeout", "5s", LIAR,
                                         "--", lie, 9)
                    self.assert_found(result, 9)
                    self.assert_says(result, r"\bexit:3\b")


class Surroundings(Modes):
    """What a test does to output, memory, descriptors and stdin is its own trouble."""
    SMALL = ("--attempts", 10, "--size-max", 64)

    def expect_sound(self, what, *arguments, options=SMALL):
        """Its bug is found in each mode, at 5 bytes, and nothing where it has none."""
        result = self.expect_same(FAST, (1,), *options, *dirt(what, 5, *arguments))
        self.assert_found(result, 5)
        self.assert_says(result, r"\bsignal:SIGABRT\b")
        self.assertNotIn("exit:3", result.stderr)
        self.assert_plain(result)
        self.assertLess(len(result.stderr), 100_000)
        self.assert_nothing_found(self.expect_same(FAST, (1,), *options,
                                                   *dirt(what, 0, *arguments)))

    def test_a_flood_does_not_get_into_json_and_findings(self):
        for mode in ALL:
            result = self.search("--mode", mode, "--attempts", 1, "--json", "events", "--findings",
                                 "found", *dirt("floods", 5, 1024))
            self.assert_found(result, 5)
            self.assertLess((self.folder / "events").stat().st_size, 1_000_000)
            found = frng.findings(self.folder / "found")
            self.assertTrue(found)
            for name in found:
                self.assertLess((self.folder / "found" / name).stat().st_size, 100_000)
            shutil.rmtree(self.folder / "found")

    @frng.long
    def test_memory_that_is_not_given_fails_alike(self):
        options = ("--attempts", 3, "--size-max", 16, "--memory", "64M")
        self.expect_sound("allocates", 16, options=options)
        result = self.expect_same(FAST, (1, 2), *options, *dirt("allocates", 5, 1024))
        self.assert_found(result, 0)
        self.assert_says(result, r"\bexit:3\b")

    @frng.long
    def test_a_run_that_takes_all_memory_leaves_some_to_the_next(self):
        options = ("--attempts", 5, "--size-max", 16, "--memory", "32M")
        for needed in (5, 0):
            for mode in ALL:
                with self.subTest(mode=mode, needed=needed):
                    result = self.search("--mode", mode, *options, *dirt("bomb", needed))
                    if needed:
                        self.assert_exit(result, 3)
                        self.assert_says(result, r"inconclusive: memory: a run of 5 bytes ran "
                                                 r"out of memory \(signal:SIGABRT\): ")
                    else:
                        self.assert_nothing_found(result)

    @frng.long
    def test_foreign_descriptors_do_not_reach_the_driver(self):
        for what in ("closes-all", "writes-to-all", "hangs-up", "empties-all"):
            self.expect_sound(what)
        for byte in (0, 1, 255):
            self.expect_sound("answers", byte)

    @frng.long
    def test_a_server_that_dies_at_any_instant(self):
        # It may take a few runs more: what a failure had drawn can die with the server.
        for mode in ALL:
            with self.subTest(mode=mode):
                options = ("--mode", mode, "--attempts", 300, "--size-max", 64)
                result = self.search(*options, *dirt("mortal", 5))
                self.assert_found(result, 5)
                self.assert_says(result, r"\bsignal:SIGABRT\b")
                self.assertNotIn("flaky", result.stderr)
                self.assert_nothing_found(self.search(*options, *dirt("mortal", 0)))

    def test_a_failure_that_a_run_makes_up_is_no_finding(self):
        for mode in FAST:
            with self.subTest(mode=mode):
                result = self.search("--mode", mode, *self.SMALL, *dirt("forges", 0, 6))
                self.assert_exit(result, 0, 3)
                self.assertEqual(result.stdout, "", str(result))

    def test_a_stdin_that_only_a_fresh_process_has(self):
        self.assert_nothing_found(self.search("--mode", "spawn", *self.SMALL,
                                              *dirt("needs-stdin", 0)))
        for mode in FAST:
            result = self.search("--mode", mode, *self.SMALL, *dirt("needs-stdin", 0))
            self.assert_exit(result, 0, 3)
            self.assertEqual(result.stdout, "", str(result))


class Leaks(Modes):
    """What each run takes away without a trace, until a later one in the process has none."""
    LONG = ("--attempts", 1000, "--size-max", 1)
    DESCRIPTORS = ("leaks", "leaks-and-aborts", "leaks-at-the-end")

    def expect_no_failure(self, *arguments, modes=("persistent", "auto")):
        """Nothing found. Why runs are forked is said in one line; a busy machine, which puts few
        runs in one process, may not come so far."""
        for mode in modes:
            with self.subTest(mode=mode, sut=arguments):
                result = self.search("--mode", mode, "--jobs", 1, "--json", "events", *arguments)
                self.assert_nothing_found(result)
                noticed = result.stderr.count(KEEPS_STATE)
                self.assertLessEqual(noticed, 1, str(result))
                if noticed:
                    self.assert_says(result, "failed after other runs, and passes in a fresh process")
                events = frng.latest(self.folder / "events")
                self.assertEqual(events[-1]["mode"],
                                 "fork" if noticed and mode == "auto" else "persistent")

    def test_descriptors_that_run_out_are_no_failure(self):
        for what in self.DESCRIPTORS:
            self.expect_no_failure(*self.LONG, *dirt(what, 0))

    def test_descriptors_that_run_out_and_hang_the_run_are_no_failure(self):
        self.expect_no_failure("--timeout", "1s", "--attempts", 60, "--size-max", 1,
                               *dirt("leaks-and-hangs", 0))

    def test_memory_that_runs_out_is_no_failure(self):
        self.expect_no_failure("--memory", "32M", "--attempts", 300, "--size-max", 1,
                               *dirt("hoards", 0))

    def test_a_bug_of_the_first_run_of_a_process_is_found(self):
        for mode in ALL:
            with self.subTest(mode=mode):
                result = self.search("--mode", mode, "--attempts", 20, "--size-max", 64,
                                     *dirt("fails-first", 5))
                self.assert_found(result, 5)
                self.assertNotIn("flaky", result.stderr)


class Luck(Modes):
    """Failures that the input does not decide are never taken for others."""
    SMALL = ("--attempts", 20, "--size-max", 64)

    def expect_flaky(self, result):
        size, _ = self.assert_found(result)
        self.assertGreaterEqual(size, 5)
        flaky = re.search(r"flaky (\d+)/20\b", result.stderr)
        self.assertIsNotNone(flaky, str(result))
        self.assertIn(int(flaky[1]), range(0, 20))

    def test_a_failure_in_every_second_run_is_flaky(self):
        for mode in ALL:
            with self.subTest(mode=mode):
                self.expect_flaky(self.search("--mode", mode, *self.SMALL, *dirt("flaky", 5, 50)))

    def test_a_failure_in_turn_with_a_pass_is_flaky(self):
        for mode in ALL:
            with self.subTest(mode=mode):
                result = self.search("--mode", mode, *self.SMALL,
                                     *dirt("alternates", 5, self.folder / f"runs-{mode}"))
                if mode in ("spawn", "fork") or result.exit == 1:
                    self.expect_flaky(result)
                else:
                    self.assert_exit(result, 0, 3)

    def test_a_failure_that_never_repeats_is_no_finding(self):
        for mode in ALL:
            for jobs in (1, 2):
                with self.subTest(mode=mode, jobs=jobs):
                    mark = self.folder / f"mark-{mode}-{jobs}"
                    result = self.search("--mode", mode, "--jobs", jobs, *self.SMALL,
                                         *dirt("once", 5, mark))
                    self.assertEqual(result.stdout, "", str(result))
                    self.assert_exit(result, 3)
                    self.assert_says(result, "inconclusive")


class Asking(Modes):
    def test_a_plain_program_cannot_be_forked(self):
        for mode in ("fork", "persistent"):
            for sut in (frng.modes("never"), ["/bin/true"]):
                self.assert_one_line(self.search("--mode", mode, *sut), 2, mode)

    def test_a_plain_program_is_spawned_by_auto(self):
        self.assert_found(self.search("--mode", "auto", "--attempts", 2, frng.MODES), 41)

class Killed(Modes):
    def test_an_interrupted_search_ends_in_each_mode(self):
        for mode in FAST:
            process = self.start(frng.SEARCH, "--mode", mode, "--time", "1h",
                                 *state("does", "exit0", 1))
            self.assertTrue(frng.wait_until(lambda: len(self.left_processes()) > 2))
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=frng.PATIENCE_S)
            self.assertEqual(process.returncode, -signal.SIGINT)


class Sanitizers(Modes):
    def setUp(self):
        """To name the lines of its code takes a failing run a hundred times as long as to fail."""
        super().setUp()
        for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "MSAN_OPTIONS", "UBSAN_OPTIONS"):
            before = os.environ.get(name)
            self.environment[name] = (before + ":" if before else "") + "symbolize=0"

    def build(self, *flags):
        """sut-state with sanitizers; skips where they are not to be had."""
        compiler = shutil.which("cc") or self.skipTest("no compiler")
        sut = self.folder / "sanitized"
        command = [compiler, "-g", "-O1", *flags, "-pthread", f"-I{SOURCE / 'frng'}",
                   str(SOURCE / "tests" / "sut" / "state.c"), "-o", str(sut)]
        if subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.skipTest("the compiler has no " + " ".join(flags))
        if self.run_tool(sut, "does", "exit0", 0).exit != 0:
            self.skipTest("what was built does not run here")
        return sut

    def expect(self, sut, what, identity):
        result = self.expect_same(FAST, (1,), "--attempts", 1, "--size-max", 8, sut, "--", "does",
                                  what, 5)
        self.assert_found(result, 5)
        self.assert_says(result, rf"\b{identity}\b")

    @frng.long
    def test_address_sanitizer_failures_are_found_in_every_mode(self):
        sut = self.build("-fsanitize=address")
        self.expect(sut, "read-past", "exit:1")
        self.expect(sut, "abort", "signal:SIGABRT")

    @frng.long
    def test_undefined_behaviour_is_found_in_every_mode(self):
        self.expect(self.build("-fsanitize=undefined", "-fno-sanitize-recover=all"), "overflow-int",
                    "exit:1")

    @frng.long
    def test_memory_sanitizer_failures_are_found_in_every_mode(self):
        clang = shutil.which("clang") or self.skipTest("no clang")
        source = self.write("uninitialised.c", """
            #include "frng_main.h"
            static bool test(frng *f) {
                uint8_t count;
                int values[4];
                FRNG_TRY(frng_u8_max(f, 7, &count));
                for (int i = 0; i < count && i < 4; i++) values[i] = i;
                if (values[3] == 77) puts("never");
                return true;
            }
            FRNG_MAIN(test)
            """)
        sut = self.folder / "uninitialised"
        command = [clang, "-g", "-fsanitize=memory", f"-I{SOURCE / 'frng'}", str(source), "-o",
                   str(sut)]
        if subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.skipTest("clang has no -fsanitize=memory")
        result = self.expect_same(FAST, (1,), "--size-max", 8, sut)
        self.assert_found(result, 1)
        self.assert_says(result, r"\bexit:1\b")


class Slow(frng.Scenario):
    def test_a_program_that_starts_slowly_has_two_seconds_for_its_hello(self):
        sut = self.script("slow", "# speaks FRNG_DRIVER\nsleep 0.7\n"
                          f"exec '{frng.BUILD}/examples/ring'\n")
        result = self.search("--mode", "fork", "--timeout", "200ms", "--attempts", 1,
                             "--containment", "subreaper", sut)
        self.assertNotIn("protocol", result.stderr, str(result))
        self.assert_exit(result, 0, 1)

    def test_time_and_signals_end_the_question_what_a_program_can_do(self):
        sut = self.script("never", "# speaks FRNG_DRIVER\nsleep 1000\n")
        for options in ((), ("--mode", "fork")):
            result = self.search("--timeout", "1h", "--time", "500ms", *options, sut, timeout=30)
            self.assert_exit(result, 3)
            self.assertLess(result.seconds, 8, str(result))
            self.assert_says(result, "inconclusive: the run of 0 bytes had not ended")
        process = self.start(frng.SEARCH, "--timeout", "1h", sut)
        self.assertTrue(frng.wait_until(lambda: len(self.left_processes()) > 2))
        process.terminate()
        self.assertEqual(process.wait(timeout=8), -signal.SIGTERM)

    def test_time_ends_the_start_of_a_fork_server(self):
        sut = self.script("once", "# speaks FRNG_DRIVER\n[ -e started ] && exec sleep 1000\n"
                          f": >started\nexec '{frng.BUILD}/examples/ring'\n")
        result = self.search("--timeout", "1h", "--time", "1s", sut)
        self.assert_exit(result, 3)
        self.assertLess(result.seconds, 9, str(result)) # a fork server has 10 for its hello
        self.assert_says(result, "inconclusive: the run of 0 bytes had not ended")


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()

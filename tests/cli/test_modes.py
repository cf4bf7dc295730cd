"""--mode: one program, run in every way, has one answer; and none of the ways is to be fooled."""

import shutil
import signal
import subprocess
import unittest

import frng

STATE = frng.SUTS / "sut-state"
LIAR = frng.SUTS / "sut-liar"
EXAMPLES = frng.BUILD / "examples"
SOURCE = frng.pathlib.Path(__file__).resolve().parents[2]
FAST = ("fork", "persistent", "auto")
ALL = ("spawn", *FAST)
KEEPS_STATE = "keeps state between its runs"


def state(*arguments):
    return [STATE, "--", *arguments]


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
    def test_examples(self):
        for name in ("consensus", "kvstore", "ring", "cobs"):
            result = self.expect_same(ALL, (1, 2), "--attempts", 10, EXAMPLES / name)
            self.assert_found(result)

    def test_programs_with_a_protocol(self):
        for name in ("draws", "assert"):
            self.assert_found(self.expect_same(ALL, (1, 2), "--attempts", 10, frng.SUTS /
                                               f"sut-{name}"))

    def test_the_strategy_of_the_post(self):
        self.expect_same(FAST, (2,), "--strategy", "classic", "--attempts", 10,
                         frng.SUTS / "sut-draws")


class Endings(Modes):
    SMALL = ("--attempts", 5, "--size-max", 64)

    def expect(self, what, size, identity, options=SMALL, timeout=()):
        result = self.expect_same(FAST, (1,), *options, *timeout, *state("does", what, size))
        self.assert_found(result, size)
        self.assert_says(result, rf"fails with {identity}|\b{identity}\b")

    def test_each_way_to_fail_has_its_name_and_size(self):
        for what, identity in {
                "abort": "signal:SIGABRT", "assert": "signal:SIGABRT", "exit3": "exit:3",
                "quick-exit": "exit:5", "return-false": "exit:1", "segv": "signal:SIGSEGV",
                "overflow": "signal:SIGSEGV", "kill": "signal:SIGKILL", "term": "signal:SIGTERM",
                "trap": r"signal:SIG(ILL|TRAP)", "leave-and-exit": "exit:3"}.items():
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

    def test_a_report_that_is_written_over_is_not_believed(self):
        for what in ("scribble", "fill", "zero"):
            self.expect(what, 5, "signal:SIGABRT")

    def test_a_report_that_is_written_over_by_passing_runs_ends_nothing(self):
        for what in ("zero-and-exit0", "scribble-and-exit0"):
            for way in (("does", what, 3), ("counts-to", 3, what)):
                for mode in ("fork", "persistent"):
                    result = self.search("--attempts", 200, "--size-max", 16, "--mode", mode,
                                         "--timeout", "5s", *state(*way))
                    self.assert_nothing_found(result)

    def test_a_run_that_exits_with_0_has_passed(self):
        self.assert_exit(self.expect_same(FAST, (1, 2), *self.SMALL, *state("does", "exit0", 5)), 0)

    def test_a_handler_at_exit_that_fails(self):
        self.expect("atexit", 5, "exit:7")

    def test_a_hang_ends_at_its_deadline(self):
        for what in ("sleep", "spin", "stop", "ignore", "leave-and-sleep"):
            for mode in ("fork", "persistent"):
                with self.subTest(what=what, mode=mode):
                    result = self.search("--timeout", "150ms", "--attempts", 1, "--size-max", 4,
                                         "--mode", mode, *state("does", what, 3))
                    self.assert_found(result, 3)
                    self.assert_says(result, r"\btimeout\b")
                    self.assertLess(result.seconds, 20)

    def test_a_process_left_behind_is_no_failure(self):
        result = self.expect_same(ALL, (1, 2), "--attempts", 5, "--size-max", 8,
                                  *state("does", "leave", 3))
        self.assert_nothing_found(result)


class State(Modes):
    """What a test keeps from run to run is said, once, and never taken for a failure."""

    def expect_noticed(self, why, attempts, *arguments):
        result = self.search("--rng-seed", 1, "--attempts", attempts, "--size-max", 8, "--jobs", 1,
                             "--json", "events", "--timeout", "500ms", *state(*arguments))
        self.assert_nothing_found(result)
        self.assertEqual(result.stderr.count(KEEPS_STATE), 1, str(result))
        self.assert_says(result, why, "has a process of its own")
        events = frng.json_lines((self.folder / "events").read_text())
        self.assertEqual((events[0]["mode"], events[-1]["mode"]), ("persistent", "fork"))

    def test_state_that_changes_draws(self):
        for what in ("count", "file", "folder", "locale", "mask", "memory", "stdin", "thread"):
            with self.subTest(what=what):
                self.expect_noticed("drew another count of bytes", 300, "keeps", what)
        self.expect_noticed("made other draws", 300, "draws-otherwise")

    def test_a_process_left_behind(self):
        self.expect_noticed("left a process behind", 50, "keeps", "process")

    def test_a_run_that_fails_by_what_came_before_it(self):
        self.expect_noticed("failed among others, and passes", 20000, "counts-to", 1000, "abort")
        self.expect_noticed("failed among others, and passes", 100, "counts-to", 3, "kill")
        self.expect_noticed("failed among others, and passes", 100, "counts-to", 3, "sleep")

    def test_a_mode_that_was_asked_for_is_kept(self):
        for mode in ("fork", "persistent"):
            result = self.search("--mode", mode, "--attempts", 100, "--size-max", 2, "--json",
                                 "events", *state("counts-to", 20, "abort"))
            self.assert_nothing_found(result)
            self.assertLessEqual(result.stderr.count(KEEPS_STATE), 1)
            events = frng.json_lines((self.folder / "events").read_text())
            self.assertEqual(events[-1]["mode"], mode)

    def test_a_run_that_kills_its_server_costs_a_server(self):
        for mode in ("fork", "persistent"):
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
                                         "--timeout", "100ms", LIAR, "--", lie, timeout=30)
                    self.assert_exit(result, *exits)
                    self.assertEqual(result.stdout, "", str(result))
                    self.assert_plain(result)

    def test_at_the_handshake(self):
        for lie in ("dies", "never", "short", "long", "empty", "type", "version"):
            self.expect_harmless(f"hello-{lie}", exits=(0, 2))

    def test_about_itself(self):
        self.expect_harmless("hello-offset", "hello-beyond", "hello-odd", "hello-width",
                             "hello-flags", "hello-twice", "hello-then-dies")

    def test_at_a_later_start(self):
        self.expect_harmless("hello-later-dies", "hello-later-never")

    def test_answers_that_make_no_sense(self):
        self.expect_harmless("dies", "aborts", "dies-between", "hangs-up", "short", "long", "empty",
                             "garbage", "type", "hello-again", "done-twice", "count-more",
                             "count-huge", "count-0", "count-less", "status-huge", "status-odd",
                             "status-stopped", "status-after-all", "leftover", "flags", "digest")

    def test_failures_that_no_fresh_process_shows_are_no_findings(self):
        self.expect_harmless("fails", "fails-drawn", "site", "never", "busy", exits=(3,),
                             attempts=1)

    def test_a_failure_is_found_in_spite_of_lies(self):
        for lie in ("dies", "garbage", "count-0", "hello-twice", "hello-then-dies"):
            result = self.search("--mode", "persistent", "--attempts", 2, "--timeout", "5s", LIAR,
                                 "--", lie, 9)
            self.assert_found(result, 9)
            self.assert_says(result, r"\bexit:3\b")


class Asking(Modes):
    def test_a_plain_program_cannot_be_forked(self):
        for mode in ("fork", "persistent"):
            for sut in (frng.modes("never"), ["/bin/true"]):
                self.assert_one_line(self.search("--mode", mode, *sut), 2, mode)

    def test_a_plain_program_is_spawned_by_auto(self):
        self.assert_found(self.search("--mode", "auto", "--attempts", 2, frng.MODES), 41)

    def test_the_server_in_python(self):
        sut = SOURCE / "examples" / "forkserver.py"
        options = ("--attempts", 3, "--size-max", 256, sut)
        got, result = self.course("fork", 2, *options)
        self.assert_found(result)
        self.assert_says(result, r"\bexit:1\b")
        fresh, _ = self.course("spawn", 2, *options)  # which does not tell what it draws
        self.assertEqual((fresh[0], fresh[1], fresh[2]["identity"]),
                         (got[0], got[1], got[2]["identity"]))
        self.assert_one_line(self.search("--mode", "persistent", *options), 2, "persistent")
        fixed = self.search("--mode", "fork", "--attempts", 5, "--size-max", 256, sut, "--",
                            "--fixed")
        self.assert_nothing_found(fixed)


class Killed(Modes):
    def test_nothing_is_left_of_a_killed_driver(self):
        for mode in ALL:
            for way in (("does", "ignore", 1), ("does", "leave", 1), ("does", "exit0", 1)):
                with self.subTest(mode=mode, way=way):
                    process = self.start(frng.SEARCH, "--mode", mode, "--jobs", 2, "--time", "1h",
                                         "--timeout", "1h", *state(*way))
                    # The driver, two workers, and what they started.
                    self.assertTrue(frng.wait_until(lambda: len(self.left_processes()) > 3))
                    process.kill()
                    process.communicate(timeout=frng.PATIENCE_S)
                    self.assertTrue(frng.wait_until(lambda: not self.left_processes(), 30))

    def test_an_interrupted_search_ends_in_each_mode(self):
        for mode in FAST:
            process = self.start(frng.SEARCH, "--mode", mode, "--time", "1h",
                                 *state("does", "exit0", 1))
            self.assertTrue(frng.wait_until(lambda: len(self.left_processes()) > 2))
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=frng.PATIENCE_S)
            self.assertEqual(process.returncode, -signal.SIGINT)


class Sanitizers(Modes):
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

    def test_address_sanitizer(self):
        sut = self.build("-fsanitize=address")
        self.expect(sut, "read-past", "exit:1")
        self.expect(sut, "abort", "signal:SIGABRT")

    def test_a_leak_found_at_exit(self):
        sut = self.build("-fsanitize=address")
        if self.run_tool(sut, "does", "leak", 0).exit == 0:
            self.skipTest("no leak checker here")
        self.expect(sut, "leak", "exit:1")

    def test_undefined_behaviour_sanitizer(self):
        self.expect(self.build("-fsanitize=undefined", "-fno-sanitize-recover=all"), "overflow-int",
                    "exit:1")

    def test_memory_sanitizer(self):
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


if __name__ == "__main__":
    unittest.main()

"""Every option, where it may stand, and how its value is written."""

import re
import unittest

import frng

TOOLS = (frng.SEARCH, frng.REPLAY, str(frng.BUILD / "driver" / "frng-reduce"))


class Placement(frng.Scenario):
    def test_arguments_after_the_dashes_are_for_the_sut(self):
        sut = self.script("sut", 'printf "<%s>" "$@" > arguments; exit 1')
        self.assert_found(self.search(sut, "--attempts", 2, "--", "--attempts", "", "a  b", "--",
                                      "-x", "--help"), 0)
        self.assertEqual((self.folder / "arguments").read_text(),
                         "<--attempts><><a  b><--><-x><--help>")

    def test_a_second_word_before_the_dashes_is_an_error_that_names_the_dashes(self):
        self.assert_one_line(self.search(frng.MODES, "at-least", "41"), 2, "at-least", r"--\W")
        self.assert_one_line(self.replay(frng.MODES, "at-least", "--size", 1, "--seed", 1), 129,
                             "at-least", r"--\W")


class Help(frng.Scenario):
    def help_of(self, tool):
        result = self.run_tool(tool, "--help")
        self.assert_exit(result, 0)
        self.assertEqual(result.stderr, "", str(result))
        return result.stdout

    def test_help_has_a_line_for_each_option(self):
        for tool in TOOLS:
            with self.subTest(tool=tool):
                lines = self.help_of(tool).splitlines()
                self.assertLessEqual(len(lines), 42)
                self.assertLessEqual(max(map(len, lines)), 80)
                options = [line for line in lines if re.match(" +-", line)]
                self.assertGreater(len(options), 18)
                for line in options:
                    self.assertRegex(line, r"\A(  -[a-z], |      )--[a-z-]+( [A-Z]\S*)? +[A-Z]")

    def test_help_has_groups_an_example_and_defaults_in_one_form(self):
        for tool in TOOLS:
            with self.subTest(tool=tool):
                text = self.help_of(tool)
                for heading in ("What to run", "When to stop", "Results", "Output"):
                    self.assertRegex(text, rf"(?m)^{heading}:$")
                self.assertRegex(text, r"(?m)^Example: frng-")
                self.assertIn("Kill runs after this long (default: 10s)", text)
                self.assertEqual(text.count("default"), text.count("(default: "))

    def test_version_is_one_line(self):
        for tool in (frng.SEARCH, frng.REPLAY):
            result = self.run_tool(tool, "--version")
            self.assert_exit(result, 0)
            self.assertRegex(result.stdout, r"\A[^\n]*\b\d+\.\d+\.\d+\b[^\n]*\n\Z")


class Values(frng.Scenario):
    def test_sizes_take_k_m_and_g(self):
        sizes = (("1000", 1000), ("1K", 1024), ("3K", 3072), ("2KiB", 2048))
        for text, bytes_max in sizes:
            with self.subTest(text=text):
                log = self.folder / text
                self.assert_nothing_found(self.search(
                    "--attempts", 1, "--size-max", text, *frng.modes("log", log, 9999)))
                self.assertEqual(max(map(int, log.read_text().split())), bytes_max)
        result = self.search("--attempts", 1, "--size-max", "1M", *frng.modes("exactly", 1 << 20))
        self.assert_found(result, 1 << 20)
        self.assert_found(self.search("--attempts", 1, "--size-max", "1G", frng.MODES), 41)

    def test_durations_take_ms_s_m_and_h(self):
        for text in ("60000ms", "60s", "1m", "1h", "1h30m"):
            with self.subTest(text=text):
                result = self.search("--timeout", text, "--time", text, "--attempts", 2, frng.MODES)
                self.assert_found(result, 41)

    def test_a_duration_of_the_right_unit_is_kept_to(self):
        for text in ("1000ms", "1s"):
            result = self.search("--time", text, *frng.modes("naps"))
            self.assert_nothing_found(result)
            self.assertGreaterEqual(result.seconds, 0.9)
            self.assertLess(result.seconds, 50)

    def test_seeds_are_decimal_or_hexadecimal(self):
        results = {text: self.search("--rng-seed", text, "--attempts", 3, *frng.modes("staircase"))
                   for text in ("255", "0xff", "0xFF", "254")}
        self.assertEqual(len({results[text].stdout for text in ("255", "0xff", "0xFF")}), 1)
        self.assertNotEqual(results["254"].stdout, results["255"].stdout)
        largest = self.search("--rng-seed", (1 << 64) - 1, "--attempts", 2, frng.MODES)
        self.assert_found(largest, 41)


class Attempts(frng.Scenario):
    def test_counts_take_k(self):
        result = self.search("--attempts", "1k", *frng.modes("at-least", 3))
        self.assert_found(result, 3)
        self.assert_says(result, r"smaller +1,?000 fresh runs at size 2 passed")

    def test_more_attempts_are_more_runs(self):
        counts = []
        for attempts in (5, 50):
            result = self.search("--attempts", attempts, frng.MODES)
            self.assert_found(result, 41)
            fresh = re.search(r"(\d+) fresh runs at size 40 passed", result.stderr)
            self.assertIsNotNone(fresh, str(result))
            self.assertGreaterEqual(int(fresh[1]), attempts)
            counts.append(int(re.search(r"([\d,]+) runs", result.stderr)[1].replace(",", "")))
        self.assertGreater(counts[1], counts[0])

    def test_one_attempt_is_enough_for_what_size_decides(self):
        self.assert_found(self.search("--attempts", 1, frng.MODES), 41)


class Time(frng.Scenario):
    @frng.long
    def test_a_search_without_failure_goes_on_until_its_time_is_spent(self):
        result = self.search("--time", "2s", "--attempts", 1, "--size-max", 16,
                             *frng.modes("never"))
        self.assert_nothing_found(result)
        self.assertGreaterEqual(result.seconds, 1.9)

    def test_going_round_finds_what_the_first_round_missed(self):
        result = self.search("--time", "60s", "--attempts", 1, "--size-max", 1, "--rng-seed", 1,
                             *frng.modes("byte", 7))
        self.assert_found(result, 1)

    def test_time_that_is_spent_ends_a_run_that_hangs(self):
        result = self.search("--time", "1s", "--timeout", "1h", *frng.modes("sleeps"))
        self.assert_exit(result, 3)

    @frng.long
    def test_time_that_is_spent_while_searching_down_is_exit_1_with_the_best(self):
        result = self.search("--time", "2s", "--attempts", 1000000, *frng.modes("at-least", 100))
        self.assert_found(result, 100)
        self.assertLess(result.seconds, 60)


class Memory(frng.Scenario):
    def test_a_sut_gets_no_more_memory_than_allowed(self):
        options = ["--attempts", 1, "--size-max", 4]
        sut = frng.modes("allocate", 64)
        self.assert_nothing_found(self.search(*options, *sut))
        self.assert_nothing_found(self.search(*options, "--memory", "1G", *sut))
        self.assert_one_line(self.search(*options, "--memory", "32M", *sut), 2, "too little")


class Mode(frng.Scenario):
    def test_every_program_can_be_spawned(self):
        for mode in ("auto", "spawn"):
            self.assert_found(self.search("--mode", mode, "--attempts", 2, frng.MODES), 41)

    def test_a_program_without_frng_main_cannot_be_forked(self):
        for mode in ("fork", "persistent"):
            self.assert_one_line(self.search("--mode", mode, frng.MODES), 2, mode)


class Stdin(frng.Scenario):
    def test_a_pipe_gives_the_same_bytes(self):
        for sut in (frng.modes("at-least", 41), frng.modes("staircase")):
            results = [self.search(*options, "--rng-seed", 5, "--attempts", 10, *sut)
                       for options in ([], ["--stdin", "pipe"])]
            self.assert_found(results[0])
            self.assertEqual(results[0].stdout, results[1].stdout)

    def test_a_pipe_is_a_pipe_and_the_default_is_a_file(self):
        for kind, options in (("pipe", ["--stdin", "pipe"]), ("file", [])):
            path = self.folder / kind
            self.search(*options, "--attempts", 1, "--size-max", 4, frng.ENVIRONMENT, "--", path, 9)
            self.assertIn(f"stdin.kind {kind}\n", path.read_text())

    def test_only_a_pipe_shows_the_bug_of_one_who_reads_once(self):
        options = ["--attempts", 3, "--size-max", "512K"]
        self.assert_nothing_found(self.search(*options, *frng.modes("short-read")))
        result = self.search("--stdin", "pipe", *options, *frng.modes("short-read"))
        self.assert_exit(result, 1, 3)

    def test_suts_that_do_not_read_a_pipe_are_judged_by_their_status(self):
        options = ["--stdin", "pipe", "--attempts", 2, "--size-max", "1M"]
        for mode in ("half", "closes"):
            with self.subTest(mode=mode):
                self.assert_nothing_found(self.search(*options, *frng.modes(mode)))
        self.assert_found(self.search(*options, *frng.modes("always")), 0)


class Only(frng.Scenario):
    def test_only_the_identity_asked_for_is_searched(self):
        for only, size in (("exit:3", 45), ("signal:SIGABRT", 20)):
            with self.subTest(only=only):
                result = self.search("--only", only, "--attempts", 5, *frng.modes("two", 20, 45))
                self.assert_found(result, size)
                self.assert_says(result, only)

    def test_another_identity_alone_is_no_failure(self):
        result = self.search("--only", "exit:4", "--attempts", 2, "--size-max", "256",
                             *frng.modes("two", 20, 45))
        self.assert_nothing_found(result)

    def test_a_timeout_can_be_asked_for(self):
        result = self.search("--only", "timeout", "--timeout", "200ms", "--attempts", 1,
                             "--size-max", 2, *frng.modes("sleeps"))
        self.assert_found(result, 0)


class Loudness(frng.Scenario):
    def test_quiet_leaves_the_result_line(self):
        usual = self.search("--attempts", 3, frng.MODES)
        quiet = self.search("--quiet", "--attempts", 3, frng.MODES)
        self.assert_found(quiet, 41)
        self.assertLess(len(quiet.stderr), len(usual.stderr))

    def test_quiet_says_nothing_when_nothing_failed(self):
        quiet = self.search("--quiet", "--attempts", 1, "--size-max", 16, *frng.modes("never"))
        self.assert_nothing_found(quiet)
        self.assertEqual(quiet.stderr, "")

    def test_quiet_still_prints_errors(self):
        self.assert_one_line(self.search("--quiet", "./missing"), 2, "missing")

    def test_verbose_says_more(self):
        usual = self.search("--rng-seed", 1, "--attempts", 3, frng.MODES)
        verbose = self.search("--verbose", "--rng-seed", 1, "--attempts", 3, frng.MODES)
        self.assert_found(verbose, 41)
        self.assertGreater(len(verbose.stderr.splitlines()), len(usual.stderr.splitlines()))


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()

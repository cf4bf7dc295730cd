"""frng-search: what it finds, where it ends, and what it says about it."""

import re
import shlex
import unittest

import frng

class Ends(frng.Scenario):
    """Systems whose failure depends on size alone end exactly there."""

    def test_a_sut_that_fails_from_41_bytes_on_ends_at_41(self):
        self.assert_found(self.search(*frng.modes("at-least", 41)), 41)

    def test_a_sut_that_fails_from_n_bytes_on_ends_at_n(self):
        for n in (1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100, 1000):
            with self.subTest(n=n):
                self.assert_found(self.search("--attempts", 2, *frng.modes("at-least", n)), n)

    def test_a_sut_that_fails_on_empty_input_ends_at_size_0(self):
        self.assert_found(self.search(*frng.modes("at-least", 0)), 0)

    def test_a_sut_that_never_reads_and_always_fails_ends_at_size_0(self):
        self.assert_found(self.search(*frng.modes("always")), 0)

    def test_a_sut_that_never_fails_ends_cleanly_at_the_maximum(self):
        for size_max in (0, 1, 16, 17, 1000):
            with self.subTest(size_max=size_max):
                log = self.folder / f"sizes-{size_max}"
                self.assert_nothing_found(self.search(
                    "--attempts", 2, "--size-max", size_max, *frng.modes("log", log, 1001)))
                self.assertEqual(max(map(int, log.read_text().split())), size_max)

    def test_a_sut_that_fails_only_at_the_maximum_is_found_there(self):
        for size_max in (1, 16, 17, 1000):
            with self.subTest(size_max=size_max):
                self.assert_found(self.search("--attempts", 2, "--size-max", size_max,
                                                  *frng.modes("exactly", size_max)), size_max)

    def test_a_sut_that_fails_beyond_the_maximum_passes(self):
        self.assert_nothing_found(self.search("--attempts", 2, "--size-max", 1000,
                                                  *frng.modes("at-least", 1001)))

    def test_a_sut_that_fails_only_at_an_exact_size_on_the_way_is_found_there(self):
        self.assert_found(self.search("--attempts", 5, *frng.modes("exactly", 64)), 64)

    def test_a_bug_that_one_byte_can_trigger_ends_at_size_1(self):
        result = self.search("--attempts", 2000, "--rng-seed", 3, *frng.modes("byte", 7))
        self.assert_found(result, 1)

    def test_a_failing_size_beyond_64_kib_is_found_exactly(self):
        result = self.search("--attempts", 1, *frng.modes("at-least", 100001))
        self.assert_found(result, 100001)

    def test_a_sut_that_fails_only_on_empty_input_ends_at_size_0(self):
        result = self.search("--attempts", 2, "--size-max", "1K", *frng.modes("exactly", 0))
        self.assert_found(result, 0)


class FrngMain(frng.Scenario):
    """Systems under test that use the headers."""

    def test_a_bug_behind_draws_is_found(self):
        sut = frng.SUTS / "sut-draws"
        result = self.search("--attempts", 20, sut)
        size, seed = self.assert_found(result)
        self.assertGreaterEqual(size, 9)
        self.assertLess(size, 100)
        self.assert_says(result, "signal:SIGABRT")
        self.assert_exit(self.replay(sut, "--size", size, "--seed", seed), 1)

    def test_a_test_that_returns_false_with_entropy_to_spare_fails_by_exit_1(self):
        sut = frng.SUTS / "sut-compare"
        result = self.search(sut)
        size, seed = self.assert_found(result, 1)
        self.assert_says(result, "exit:1")
        self.assertGreaterEqual(frng.expand(seed, 1)[0], 128)
        self.assert_says(self.replay(sut, "--size", size, "--seed", seed), "returned false")

    def test_an_assertion_is_found_and_its_site_printed(self):
        sut = frng.SUTS / "sut-assert"
        size, seed = self.assert_found(self.search("--attempts", 20, sut))
        self.assertGreaterEqual(size, 4)
        replayed = self.replay(sut, "--size", size, "--seed", seed)
        self.assert_exit(replayed, 1)
        self.assert_says(replayed, r"assert\.c:\d+: assertion failed: sum < 600")


class Report(frng.Scenario):
    """What a person reads at the end."""

    def test_stdout_is_the_result_line_and_nothing_else(self):
        result = self.search("--attempts", 5, *frng.modes("says", 41, "out of sut", "err of sut"))
        self.assert_found(result, 41)

    def test_stdout_is_empty_when_nothing_failed(self):
        result = self.search("--attempts", 2, "--size-max", "16",
                             *frng.modes("says", 41, "out of sut", "err of sut"))
        self.assert_nothing_found(result)

    def test_the_report_names_the_identity_the_runs_and_what_the_passes_mean(self):
        result = self.search(*frng.modes("exit", 3))
        self.assert_found(result, 0)
        self.assert_says(result, "exit:3", r"\d+ runs?\b")
        result = self.search(*frng.modes("at-least", 41))
        self.assert_found(result, 41)
        self.assert_says(result, "exit:1", r"\d+ runs", r"\b[1-9]\d\d fresh runs at size 40 passed")

    def test_the_replay_command_can_be_pasted_into_a_shell(self):
        sut = self.copy_sut(frng.MODES, "folder with spaces/it's $HOME")
        for path in (sut, "folder with spaces/it's $HOME"):
            with self.subTest(path=path):
                result = self.search("--attempts", 5, path, "--", "says", 41, "a b", "it's *")
                size, seed = self.assert_found(result, 41)
                commands = re.findall(r"\S*frng-replay .*", result.stderr)
                self.assertEqual(len(commands), 1, str(result))
                command = commands[0]
                self.assertIn(str(size), command)
                self.assertIn(str(seed), command)
                tools = f"{frng.BUILD}/driver:{self.environment['PATH']}"
                replayed = self.run_tool("sh", "-c", command, environment={"PATH": tools})
                self.assert_exit(replayed, 1)
                self.assertEqual(replayed.stdout, "a b\n")
                self.assertIn("it's *\n", replayed.stderr)

    def test_the_result_replays(self):
        for seed in range(5):
            result = self.search("--rng-seed", seed, "--attempts", 10, *frng.modes("staircase"))
            size, found = self.assert_found(result)
            replayed = self.replay("--size", size, "--seed", found, *frng.modes("staircase"))
            self.assert_exit(replayed, 1)
            first = frng.expand(found, size)
            self.assertLess(first[0] * 256 + first[1], size * 64)

    def test_the_smallest_of_another_identity_met_is_listed(self):
        result = self.search("--attempts", 10, *frng.modes("two", 33, 50))
        self.assert_found(result, 33)
        self.assert_says(result, "signal:SIGABRT", "exit:3")

    def test_a_search_without_a_failure_counts_its_runs(self):
        result = self.search("--attempts", 3, "--size-max", "64", *frng.modes("never"))
        self.assert_nothing_found(result)
        self.assert_says(result, r"\nno failure in 14 runs: at each size up to 64 under \d\d% of such "
                         r"runs fail \(95%\)\n",
                         r"\n  passes   at least 3 at each of 3 sizes up to 64\n")
        result = self.search("--attempts", 1, "--size-max", 1, *frng.modes("never"))
        self.assert_says(result, r"\nno failure in 2 runs: at least 1 at size 1\n")
        result = self.search("--attempts", 1, "--size-max", 0, *frng.modes("never"))
        self.assert_says(result, r"\nno failure in 1 run: at least 1 at size 0\n")

    def test_what_was_not_asked_for_does_not_contradict_the_summary(self):
        result = self.search("--attempts", 3, "--size-max", 64, "--only", "exit:4",
                             *frng.modes("at-least", 5))
        self.assert_nothing_found(result)
        self.assert_says(result, r"\nno exit:4 in \d+ runs: at each size up to 64 under \d\d% of such "
                         r"runs fail so \(95%\)\n.*\n  passes   at least 3 at each of 3 sizes up to "
                         r"64\n  also     exit:1 at size ")
        self.assertNotIn("no failure", result.stderr)

    def test_output_that_is_no_terminal_has_no_escapes_and_rewrites_nothing(self):
        self.assert_plain(self.search("--attempts", 20, "--verbose", *frng.modes("staircase")))
        self.assert_plain(self.search("--time", "2s", *frng.modes("naps")))


class Flaky(frng.Scenario):
    """Failures that input does not decide."""

    def test_a_failure_that_never_repeats_is_inconclusive(self):
        for jobs in (1, 2):
            with self.subTest(jobs=jobs):
                result = self.search("--attempts", 5, "--size-max", "64", "--jobs", jobs,
                                     *frng.modes("once", self.folder / f"mark-{jobs}", 1))
                self.assert_exit(result, 3)
                self.assertEqual(result.stdout, "", str(result))
                self.assert_says(result, "again|repeat|flaky|inconclusive")

    def test_a_failure_in_every_second_run_is_flaky_k_of_20(self):
        result = self.search("--attempts", 5, "--size-max", "64", "--jobs", 1,
                             *frng.modes("flaky", 50, 1))
        size, _ = self.assert_found(result)
        self.assertGreaterEqual(size, 1)
        flaky = re.search(r"flaky (\d+)/20\b", result.stderr)
        self.assertIsNotNone(flaky, str(result))
        self.assertIn(int(flaky[1]), range(0, 20))

    def test_a_failure_in_one_of_twenty_runs_is_flaky_or_inconclusive(self):
        result = self.search("--attempts", 50, "--size-max", "1K", *frng.modes("flaky", 5, 1))
        self.assert_exit(result, 1, 3)
        if result.exit == 1:
            self.assert_says(result, r"flaky \d+/20\b")

    def test_a_failure_that_always_repeats_is_not_called_flaky(self):
        result = self.search("--attempts", 5, *frng.modes("at-least", 3))
        self.assert_found(result, 3)
        self.assertNotIn("flaky", result.stderr)

    def test_what_never_missed_is_ranked_before_a_smaller_flaky_failure(self):
        # Below 41 bytes a failure is luck; from 41 on it is certain.
        sut = self.script("sut", f"""
            size=$(wc -c)
            [ "$size" -ge 41 ] && exit 1
            [ "$size" -ge 20 ] || exit 0
            echo x | {shlex.quote(frng.MODES)} flaky 40 1 || exit 4""")
        result = self.search("--attempts", 5, sut)
        self.assert_found(result, 41)


if __name__ == "__main__":
    unittest.main()

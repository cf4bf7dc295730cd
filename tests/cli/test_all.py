"""frng-search --all: the smallest failure of each signature, in one search."""

import pathlib
import re
import signal
import time
import unittest

import frng

SEVERAL = str(frng.SUTS / "sut-several")
LINE = re.compile(r"size=(\d+) seed=(\d+s?) signature=(.+)")


class All(frng.Scenario):
    def lines_of(self, result):
        """{signature: (size, seed)} of the result lines."""
        matches = [LINE.fullmatch(line) for line in result.stdout.splitlines()]
        self.assertNotIn(None, matches, str(result))
        return {match[3]: (int(match[1]), match[2]) for match in matches}

    def search_all(self, *arguments, **more):
        result = self.search("--all", *arguments, **more)
        self.assert_exit(result, 1)
        return result, self.lines_of(result)

    def sizes_of(self, lines):
        """The size of each failure, by the last word of its signature, without lines of code."""
        return {re.sub(r":\d+$", "", name.split()[-1]): size for name, (size, _) in lines.items()}


class Findings(All):
    @frng.long
    def test_a_program_with_three_bugs_gets_three_findings_each_minimised(self):
        for seed in (1, 2, 3):
            with self.subTest(seed=seed):
                result, lines = self.search_all(SEVERAL, "--rng-seed", seed, "--size-max", "64K")
                self.assertEqual(len(lines), 3, str(result))
                sizes = sorted(size for size, _ in lines.values())
                self.assertEqual(sizes[:2], [1, 4], str(result))
                self.assertLessEqual(sizes[2], 11, str(result))
                self.assert_says(result, "3 distinct failures", "none in [0-9]+ runs at size 3",
                                 "no other failure in at least 100 runs")
                for row in re.findall(r"  ( {,4}[0-9]+ +[0-9]+/[0-9]+  none in .*)", result.stderr):
                    self.assertLessEqual(len(row), 54, "too wide beside a signature: " + row)

    def test_each_result_line_replays_as_it_says(self):
        _, lines = self.search_all(SEVERAL, "--rng-seed", 1, "--attempts", 30, "--size-max", 256,
                                   "-q")
        self.assertEqual(len(lines), 3, lines)
        for signature, (size, seed) in lines.items():
            replayed = self.replay(SEVERAL, "--size", size, "--seed", seed)
            self.assert_exit(replayed, 1)
            self.assertIn(signature.split(" at ")[0], replayed.stderr + replayed.stdout)

    @frng.long
    def test_a_bug_behind_one_that_ends_half_of_all_steps_is_found(self):
        result, lines = self.search_all(SEVERAL, "--rng-seed", 1, "--", "often")
        sizes = sorted(size for size, _ in lines.values())
        self.assertEqual(sizes, [1, 9], str(result))

    def test_a_plain_program_with_two_exceptions_has_both(self):
        sut = self.write("sut.py", "#!/usr/bin/env -S python3 -S\nimport sys\n"
                         "data = sys.stdin.buffer.read()\n"
                         "if len(data) > 6 and data[0] < 192: raise ValueError('shallow')\n"
                         "if len(data) > 9: raise KeyError('deep')\n", executable=True)
        result, lines = self.search_all(sut, "--rng-seed", 1, "--attempts", 3, "--size-max", 32)
        self.assertEqual({name.split()[0]: size for name, (size, _) in lines.items()},
                         {"python:ValueError": 7, "python:KeyError": 10}, str(result))

    def test_exit_statuses_are_signatures(self):
        result, lines = self.search_all("--attempts", 5, "--size-max", "1K", *frng.modes("two", 20, 45))
        self.assertEqual({name: size for name, (size, _) in lines.items()},
                         {"signal:SIGABRT": 20, "exit:3": 45}, str(result))

    def test_a_hang_is_a_signature_and_does_not_take_all_the_time(self):
        began = time.monotonic()
        result, lines = self.search_all(SEVERAL, "--timeout", "300ms", "--rng-seed", 3,
                                        "--attempts", 8, "--size-max", "1K", "--", "hang")
        self.assertEqual(lines["timeout"][0], 1, str(result))
        self.assertIn("exit:3", lines, str(result))
        self.assertLess(time.monotonic() - began, 60)

    @frng.long
    def test_flaky_failures_come_last_and_are_called_flaky(self):
        result, lines = self.search_all(SEVERAL, "--rng-seed", 1, "--size-max", "1K",
                                        "--attempts", 50, "--", "flaky")
        self.assertEqual(len(lines), 3, str(result))
        rows = re.findall(r"^  (?:exit|signal):.* [0-9]+/[0-9]+  .*$", result.stderr, re.MULTILINE)
        flaky = ["flaky: fails" in row for row in rows]
        self.assertEqual(len(rows), 3, str(result))
        self.assertEqual(flaky, sorted(flaky), str(result))
        self.assert_says(result, r"exit:9 .*flaky: fails in")

    def test_without_failures_it_is_exit_0_and_no_line(self):
        self.assert_nothing_found(self.search("--all", SEVERAL, "--attempts", 5, "--size-max", "64K",
                                             "--", "none"))

    @frng.long
    def test_a_line_warns_of_more_signatures_than_the_limit(self):
        result, lines = self.search_all(SEVERAL, "--rng-seed", 1, "--attempts", 50, "--", "many")
        self.assertEqual(len(lines), 32, str(result))
        self.assert_says(result, "limit    frng keeps at most 32 signatures: failures of others counted as passes")
        result, _ = self.search_all(SEVERAL, "--rng-seed", 1, "--size-max", "1K", "--attempts", 20)
        self.assertNotIn("limit    at most", result.stderr)

    def test_only_says_which_signatures_count(self):
        result, lines = self.search_all(SEVERAL, "--only", "exit:3", "--rng-seed", 1,
                                        "--attempts", 30, "--size-max", 256)
        self.assertEqual(list(lines), ["exit:3"], str(result))


class Repeats(All):
    @frng.long
    def test_1_2_and_4_jobs_give_the_same_answers_in_all_modes(self):
        expected = None
        for jobs, mode in ((1, "auto"), (4, "auto"), (2, "fork"), (4, "spawn")):
            with self.subTest(jobs=jobs, mode=mode):
                result, _ = self.search_all(SEVERAL, "--rng-seed", 5, "--size-max", "256",
                                            "--jobs", jobs, "--mode", mode, "--attempts", 30)
                expected = expected or result.stdout
                self.assertEqual(result.stdout, expected, str(result))


class Output(All):
    @frng.long
    def test_done_has_an_entry_for_each(self):
        result = self.search("--all", SEVERAL, "--rng-seed", 1, "--size-max", "4K", "--json", "-")
        done = frng.json_lines(result.stdout)[-1]
        self.assertEqual(len(done["failures"]), 3, str(result))
        for failure in done["failures"]:
            self.assertEqual(failure["rate"]["repeated"], 20)
            self.assertEqual(failure["smaller"]["size"], failure["size"] - 1)
            self.assertLess(failure["smaller"]["bound"], 0.2)
            self.assertEqual([failure["below"], failure["passed"], failure["bound"]],
                             [failure["smaller"][name] for name in ("size", "runs", "bound")])
            self.assertEqual(failure["confidence"], 0.95)
        self.assertEqual(done["failures"][0]["size"], done["size"])

    @frng.long
    def test_the_findings_folder_has_the_best_of_each_and_the_next_search_goes_on_from_them(self):
        _, lines = self.search_all(SEVERAL, "--rng-seed", 1, "--size-max", "4K",
                                   "--findings", "found")
        inputs = {(finding["size"], finding["seed"])
                  for finding in frng.findings(self.folder / "found").values()}
        self.assertLessEqual(set(lines.values()), inputs)
        again, more = self.search_all(SEVERAL, "--rng-seed", 2, "--size-max", "4K",
                                      "--findings", "found")
        self.assert_says(again, "known finding, size 1, .*still fails")
        for name, (size, _) in lines.items():
            self.assertLessEqual(more[name][0], size, str(again))

    @frng.long
    def test_reduce_simplifies_each(self):
        result = self.search("--all", "--reduce", SEVERAL, "--rng-seed", 1, "--size-max", "4K")
        self.assert_exit(result, 1)
        self.assertEqual(len(re.findall(r"(?m)^size=\d+ hex=", result.stdout)), 3, str(result))

    def test_the_time_leaves_a_share_for_the_reduction_of_each(self):
        for more in (("--attempts", "10M"), ("--attempts", 20, "--keep-going")):
            for _ in range(3):  # a busy machine may be late, but not each time
                (self.folder / "events").unlink(missing_ok=True)
                result = self.search("--all", "--reduce", *more, SEVERAL, "--rng-seed", 1,
                                     "--size-max", "4K", "--time", "3s", "--json", "events")
                self.assert_exit(result, 1)
                self.assertGreater(result.seconds, 2.6)
                if result.seconds < 5:
                    break
            self.assertLess(result.seconds, 5)
            each = result.stdout.count(" seed=")  # a slow machine may end a share without a result
            events = frng.json_lines((self.folder / "events").read_text())
            (self.folder / "events").unlink()
            starts = sum(event["event"] == "start" for event in events)
            self.assertEqual(starts, 1 + each, str(result))  # the search, and each reduction
            self.assertIn(result.stdout.count(" hex="), range(1, each + 1), str(result))

    @frng.long
    def test_one_reduction_after_another_frees_nothing_twice(self):
        binary = pathlib.Path(frng.SEARCH).read_bytes()
        checked = {"LD_PRELOAD": "libc_malloc_debug.so.0", "MALLOC_CHECK_": "3"}
        result = self.search("--all", "--reduce", SEVERAL, "--rng-seed", 1, "--size-max", 256,
                             "--findings", "found", environment={} if b"__asan_init" in binary else checked)
        self.assert_exit(result, 1)
        self.assertEqual(result.stdout.count(" hex="), 3, str(result))

    def test_time_ends_it_with_what_was_found(self):
        result, lines = self.search_all(SEVERAL, "--attempts", "10M", "--time", "1s")
        self.assertIn(len(lines), (1, 2, 3), str(result))
        self.assert_says(result, "so far", "stopped before all sizes were tried")

    def test_an_interrupt_reports_what_was_found(self):
        search = self.start(frng.SEARCH, "--all", SEVERAL, "--attempts", "10M", "--json", "events")
        self.assertTrue(frng.wait_until(lambda: self.has_best(20)))
        search.send_signal(signal.SIGINT)
        stdout, _ = search.communicate(timeout=frng.PATIENCE_S)
        self.assertEqual(search.returncode, -signal.SIGINT)
        self.assertRegex(stdout.decode(), LINE)


class Ignored(All):
    def test_the_search_continues_past_ignored_failures_and_counts_them(self):
        result = self.search(SEVERAL, "--rng-seed", 1, "--ignore", "signal:SIGABRT at several.c:*",
                             "--json", "events")
        self.assert_found(result, 4)
        self.assert_says(result, "smallest failure: exit:3",
                         r"ignored  [0-9,]+ runs?: signal:SIGABRT at .*several.c:")
        done = frng.json_lines((self.folder / "events").read_text())[-1]
        self.assertGreater(done["ignored"][0]["runs"], 0)

    def test_one_site_can_be_ignored_and_several_signatures(self):
        _, lines = self.search_all(SEVERAL, "--rng-seed", 1, "--attempts", 30, "--size-max", 256,
                                   "-q")
        sites = sorted((size, name) for name, (size, _) in lines.items() if " at " in name)
        result = self.search(SEVERAL, "--rng-seed", 1, "--ignore", sites[0][1], "--ignore",
                             "exit:3")
        size, _ = self.assert_found(result)
        self.assertGreaterEqual(size, 9)
        self.assert_says(result, "ignored  .*exit:3")

    def test_only_ignored_failures_are_exit_0_and_a_line_says_so(self):
        result = self.search("--ignore", "exit:1", "--attempts", 2, *frng.modes("at-least", 20))
        self.assert_nothing_found(result)
        self.assert_says(result, "no failure but ignored ones", "ignored  .*: exit:1")

    @frng.long
    def test_an_exception_of_a_plain_program_can_be_ignored(self):
        sut = self.write("sut.py", "#!/usr/bin/env -S python3 -S\nimport sys\n"
                         "data = sys.stdin.buffer.read()\n"
                         "if len(data) > 6 and data[0] < 192: raise ValueError('shallow')\n"
                         "if len(data) > 9: raise KeyError('deep')\n", executable=True)
        result = self.search(sut, "--rng-seed", 1, "--attempts", 20, "--size-max", 32,
                             "--ignore", "python:ValueError*")
        self.assert_found(result, 10)
        self.assert_says(result, "KeyError")

    @frng.long
    def test_all_leaves_out_ignored_failures(self):
        _, lines = self.search_all(SEVERAL, "--rng-seed", 1, "--size-max", "4K", "--ignore",
                                   "exit:3")
        self.assertEqual({name.split(" ")[0] for name in lines}, {"signal:SIGABRT"})

    def test_a_signature_that_no_failure_can_have_is_refused_in_one_line(self):
        for wrong in ("exit:0", "exit:256", "signal:NOPE", "crash", ""):
            with self.subTest(wrong=wrong):
                self.assert_one_line(self.search(SEVERAL, "--ignore", wrong), 2, "--ignore")

load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()

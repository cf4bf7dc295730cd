"""frng-search --keep-going: one search until its time is over."""

import json
import re
import signal
import unittest

import frng

MODES = str(frng.SUTS / "sut-modes")
SEVERAL = str(frng.SUTS / "sut-several")
PASSED = re.compile(r"([\d,]+) fresh runs? at size (\d+) passed")


def passes_of(result):
    """(passes, size) of the statement on smaller failures."""
    match = PASSED.search(result.stderr)
    return int(match[1].replace(",", "")), int(match[2])


class KeepGoing(frng.Scenario):
    def keep_going(self, *arguments, **more):
        return self.search("--keep-going", *arguments, **more)

    def test_a_search_that_fails_uses_all_of_its_time(self):
        once = self.search("--attempts", 2, "--jobs", 1, MODES, "--", "at-least", 5)
        result = self.keep_going("--attempts", 2, "--jobs", 1, "--time", "3s", MODES, "--",
                                 "at-least", 5)
        self.assert_found(result, 5)
        self.assertGreaterEqual(result.seconds, 2.9)
        self.assert_says(result, "failed again 20/20 times")
        self.assertEqual(passes_of(result)[1], 4)
        self.assertGreater(passes_of(result)[0], 2 * passes_of(once)[0])

    def test_a_finding_has_its_final_reruns_when_the_time_is_over(self):
        self.assert_exit(self.keep_going("--attempts", 2, "--jobs", 1, "--time", "1s", "--findings", "found",
                                         MODES, "--", "at-least", 5), 1)
        found = frng.findings(self.folder / "found").values()
        self.assertEqual([(f["size"], f["reruns"], f["repeated"]) for f in found], [(5, 20, 20)])

    def passed_so_far(self, worker):
        path = self.folder / "found" / "workers" / f"{worker}.json"
        return json.loads(path.read_text())["passed"] if path.exists() else 0

    def keep_going_until_passed(self, number, worker, size):
        """The result of a search that a signal ends once smaller inputs have passed."""
        process = self.start(frng.SEARCH, "--keep-going", "--time", "1h", "--attempts", 2, "--findings",
                             "found", "--worker", worker, "--sync", "1s", MODES, "--", "at-least", size)
        self.assertTrue(frng.wait_until(lambda: self.passed_so_far(worker) > 20))
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=frng.PATIENCE_S)
        result = frng.Result(process.args, process.returncode, stdout, stderr, 0)
        self.assert_exit(result, -number)
        self.assertEqual(frng.find_result(result.stdout)[0], size)
        self.assertGreater(passes_of(result)[0], 20)
        return result

    def test_a_signal_ends_it_with_the_summary(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                result = self.keep_going_until_passed(number, number.name, 5)
                self.assertEqual(passes_of(result)[1], 4)
                self.assert_says(result, "failed again 20/20 times")

    def test_it_goes_on_from_its_findings(self):
        for worker in ("first", "second"):
            result = self.keep_going_until_passed(signal.SIGINT, worker, 9)
        self.assert_says(result, "still fails")
        found = frng.findings(self.folder / "found").values()
        self.assertEqual([f["size"] for f in found], [9])

    def test_nothing_is_smaller_than_one_byte(self):
        for size, claim in ((0, "none: it fails on empty input\n"),
                            (1, "all inputs of size 0 were run and passed\n")):
            result = self.keep_going("--time", "1h", MODES, "--", "at-least", size)
            self.assert_found(result, size)
            self.assertIn("\n  smaller  " + claim, result.stderr)

    def test_without_failures_it_is_a_search_with_a_time(self):
        result = self.keep_going("--time", "1s", "--attempts", 2, MODES, "--", "naps")
        self.assert_nothing_found(result)
        self.assertGreaterEqual(result.seconds, 0.9)

    @frng.long
    def test_each_signature_gets_its_turn_again(self):
        result = self.keep_going("--all", "--attempts", 3, "--size-max", 64, "--rng-seed", 1,
                                 "--time", "5s", "--mode", "persistent", SEVERAL)
        self.assert_exit(result, 1)
        self.assertGreaterEqual(result.seconds, 4.9)
        self.assertNotIn("1/1 ", result.stderr)
        self.assert_says(result, "none in [0-9]+ runs", "no other failure in at least [0-9]+ runs")

    def test_the_events_end_with_the_claim(self):
        result = self.keep_going("--attempts", 2, "--jobs", 1, "--time", "1s", "--json", "events", MODES, "--",
                                 "at-least", 5)
        events = frng.latest(self.folder / "events")
        self.assertEqual([e["size"] for e in events if e["event"] == "best"][-1], 5)
        done = events[-1]
        self.assertEqual(done["event"], "done")
        self.assertEqual((done["passed"], done["below"]), passes_of(result))

    def test_a_tenth_of_the_time_is_left_for_a_reduction(self):
        result = self.keep_going("--attempts", 2, "--jobs", 1, "--time", "3s", "--json", "events",
                                 "--reduce", MODES, "--", "at-least", 5)
        self.assert_exit(result, 1)
        self.assertRegex(result.stdout, r"^size=5 .*\nsize=5 hex=0000000000\n$", str(result))
        self.assertLess(result.seconds, 4)
        search = [e for e in frng.json_lines((self.folder / "events").read_text())
                  if e["event"] == "done"][0]
        self.assertGreater(search["seconds"], 2.6)

    def test_what_it_excludes_is_said_in_one_line(self):
        self.assert_one_line(self.keep_going(MODES), 2, "--keep-going needs --time")


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()

"""--jobs: one search by several workers, that repeats exactly."""

import os
import signal
import unittest

import frng

SUTS = {
    "staircase": frng.modes("staircase"),
    "byte": frng.modes("byte", 7),
    "at-least": frng.modes("at-least", 41),
    "two": frng.modes("two", 33, 50),
    "draws": [frng.SUTS / "sut-draws"],
    "assert": [frng.SUTS / "sut-assert"],
}


class Repeats(frng.Scenario):
    """With --rng-seed a search is the same with any number of jobs."""

    def course(self, *arguments):
        """Every best on the way, and the result line."""
        result = self.search("--json", "events", *arguments)
        events = frng.latest(self.folder / "events")
        bests = [(event["size"], event["seed"], event["identity"]) for event in events
                 if event["event"] == "best"]
        return result.exit, result.stdout, bests

    @frng.long
    def test_the_search_is_the_same_with_1_2_and_8_jobs(self):
        for name, sut in SUTS.items():
            for seed in (1, "0xdeadbeef"):
                with self.subTest(sut=name, seed=seed):
                    options = ["--attempts", 15, "--rng-seed", seed]
                    one, two, eight = (self.course(*options, "--jobs", jobs, *sut)
                                       for jobs in (1, 2, 8))
                    self.assertTrue(one[2])
                    self.assertEqual(one, two)
                    self.assertEqual(one, eight)

    def test_rows_that_grow_are_the_same_with_1_2_and_8_jobs(self):
        styles = set()
        for name in ("words", "list", "days"):
            for seed in (1, 2, 3):
                with self.subTest(sut=name, seed=seed):
                    options = ["--attempts", 1, "--time", "60s", "--rng-seed", seed]
                    one, two, eight = (self.course(*options, "--jobs", jobs, frng.SUTS / "sut-drawn", "--", name)
                                       for jobs in (1, 2, 8))
                    self.assertTrue(one[2])
                    self.assertEqual(one, two)
                    self.assertEqual(one, eight)
                    styles |= {str(best[1]).endswith("s") for best in one[2]}
        self.assertEqual(styles, {False, True})

    def test_a_pass_is_a_pass_with_any_number_of_jobs(self):
        for jobs in (1, 2, 8):
            result = self.search("--rng-seed", 1, "--jobs", jobs, "--attempts", 3, "--size-max",
                                 "1K", *frng.modes("never"))
            self.assert_nothing_found(result)

    def test_other_seeds_are_other_searches(self):
        options = ["--attempts", 5, "--jobs", 2]
        lines = {self.search(*options, "--rng-seed", seed, *frng.modes("staircase")).stdout
                 for seed in range(4)}
        self.assertGreater(len(lines), 1)

    def test_without_a_seed_no_search_is_like_another(self):
        lines = {self.search("--attempts", 5, *frng.modes("staircase")).stdout for _ in range(4)}
        self.assertGreater(len(lines), 1)

    def test_findings_are_the_same_too(self):
        names = []
        for jobs in (1, 2, 8):
            folder = self.folder / f"found-{jobs}"
            self.search("--attempts", 15, "--rng-seed", 3, "--jobs", jobs, "--findings", folder,
                        *frng.modes("staircase"))
            names.append(sorted(frng.findings(folder)))
        self.assertEqual(names[0], names[1])
        self.assertEqual(names[0], names[2])


class AtOnce(frng.Scenario):
    def most_at_once(self, jobs, attempts):
        log = self.folder / f"log-{jobs}"
        result = self.search("--jobs", jobs, "--attempts", attempts, "--size-max", 1,
                             *frng.modes("slow", 100, log, 9))
        self.assert_nothing_found(result)
        inside = most = 0
        for mark in log.read_text():
            inside += 1 if mark == "+" else -1
            most = max(most, inside)
        self.assertEqual(inside, 0)
        return most

    def test_one_job_is_one_run_at_a_time(self):
        self.assertEqual(self.most_at_once(1, 4), 1)

    def test_two_jobs_are_two_runs_at_a_time(self):
        self.assertEqual(self.most_at_once(2, 8), 2)

    def test_eight_jobs_are_no_more_than_eight_runs_at_a_time(self):
        self.assertIn(self.most_at_once(8, 32), range(3, 9))

    @frng.long
    def test_a_worker_that_is_killed_is_replaced(self):
        process = self.start(frng.SEARCH, "--jobs", 2, "--time", "3s", *frng.modes("never"))

        def workers():
            return [pid for pid, line in self.left_processes().items()
                    if line.startswith(frng.SEARCH) and pid != process.pid]

        self.assertTrue(frng.wait_until(lambda: len(workers()) == 2))
        os.kill(workers()[0], signal.SIGKILL)
        stdout, stderr = process.communicate(timeout=frng.PATIENCE_S)
        self.assertEqual((process.returncode, stdout), (0, b""), stderr)

    def test_many_jobs_for_few_runs_end(self):
        result = self.search("--jobs", 32, "--attempts", 1, frng.MODES)
        self.assert_found(result, 41)

    def test_runs_at_sizes_already_beaten_are_given_up(self):
        # Whoever waits for a run of 20 bytes or more waits for an hour.
        sut = self.script("sut", "size=$(wc -c)\n[ $size -ge 20 ] && exec sleep 3600\n"
                                 "[ $size -ge 10 ] && { sleep 0.1; exit 1; }\nexit 0\n")
        result = self.search("--jobs", 2, "--timeout", "1h", "--attempts", 1, sut)
        self.assert_found(result, 10)


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()

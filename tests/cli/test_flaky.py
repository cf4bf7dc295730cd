"""Failures that come and go: told as such, with how often, and never taken for what repeats.

Few scenarios depend on luck: sut-dirt counts its runs in a file ("sometimes"), or leaves a mark for
each input that it has failed for ("once-each"). Those that do (Luck) are wrong with a chance that
is derived, and below one in a million.
"""

import json
import math
import re
import shutil
import unittest

import frng

DIRT = frng.SUTS / "sut-dirt"
RING = frng.BUILD / "examples" / "ring"
ALL = ("spawn", "fork", "persistent", "auto")
FLAKY = re.compile(r"  reruns   flaky (\d+)/20(?:, and [\d,]+/[\d,]+ with failures like it)?: "
                   r"fails in ([\d.]+)%, 95% confidence ([\d.]+) to ([\d.]+)%\n")
SURE = re.compile(r"  reruns   failed again (\d+)/\1 times: under ([\d.]+)% of reruns pass "
                  r"\(95% confidence\)\n")
WRONG_MAX = 1e-6  # the chance that a scenario that depends on luck fails for nothing


def sometimes(rate, sure=None, file="runs"):
    """Fails with 5 bytes in so many runs of so many ("9/10"), in turn; and with `sure` always."""
    return [DIRT, "--", "sometimes", 5, f"{rate}:{f'{sure}:' if sure else ''}{file}"]


class Flaky(frng.Scenario):
    SMALL = ("--jobs", 1, "--rng-seed", 1, "--attempts", 20, "--size-max", 64)

    def fresh(self, mode):
        """A subtest in which no run has been counted yet."""
        for name in ("runs", "found", "marks", "events"):
            path = self.folder / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        (self.folder / "marks").mkdir()
        return self.subTest(mode=mode)

    def done(self):
        return frng.json_lines((self.folder / "events").read_text())[-1]

    def assert_flaky(self, result, repeated):
        """So many of 20 reruns failed, and what all reruns tell is one thing on stderr and in JSON."""
        size, _ = self.assert_found(result)
        self.assertGreaterEqual(size, 5)
        told = FLAKY.search(result.stderr)
        self.assertIsNotNone(told, str(result))
        self.assertIn(int(told[1]), repeated, str(result))
        self.assertLess(float(told[3]), float(told[2]))
        self.assertGreater(float(told[4]), float(told[2]))
        done, share = self.done(), float(told[2])
        self.assertEqual(done["flaky"], f"{told[1]}/20")
        self.assertLess(done["rate"]["repeated"], done["rate"]["reruns"])
        self.assertAlmostEqual(100 * done["rate"]["repeated"] / done["rate"]["reruns"], share,
                               delta=0.51)
        self.assertLess(100 * done["rate"]["low"], share)
        self.assertGreater(100 * done["rate"]["high"], share)

    def assert_inconclusive(self, result):
        self.assert_exit(result, 3)
        self.assertEqual(result.stdout, "", str(result))
        self.assert_says(result, r"inconclusive: signal:SIGABRT at size \d+ failed once, and "
                                 r"passed 20 of 20 times when it was run again\n")
        self.assertEqual((self.done()["outcome"], self.done()["flaky"]), ("inconclusive", "0/20"))


class Searches(Flaky):
    def expect_rate(self, rate, repeated, *more):
        for mode in ALL:
            with self.fresh(mode):
                result = self.search("--mode", mode, *self.SMALL, *more, "--json", "events",
                                     *sometimes(rate))
                if result.exit == 3 and rate == "1/20":
                    self.assert_inconclusive(result)
                else:
                    self.assert_flaky(result, repeated)

    def test_a_failure_in_every_second_run_has_its_rate(self):
        self.expect_rate("1/2", (9, 10, 11))

    @frng.long
    @frng.unsanitized
    def test_a_failure_in_more_or_fewer_runs_has_its_rate_or_is_inconclusive(self):
        self.expect_rate("9/10", (17, 18, 19, 20))
        self.expect_rate("1/20", (1, 2), "--attempts", 100)

    @frng.long
    def test_a_failure_that_never_repeats_is_inconclusive_in_each_mode(self):
        # With this seed some of so many inputs is one that fails: no chance is left.
        for share, attempts in ((20, 50), (1000, 500)):
            for mode in ALL:
                with self.fresh(mode):
                    result = self.search("--mode", mode, "--jobs", 2, "--rng-seed", 2, "--attempts",
                                         attempts, "--size-max", 64, "--json", "events", DIRT, "--",
                                         "once-each", 5, f"{share}:marks")
                    self.assert_inconclusive(result)
                    self.assertNotIn("keeps state", result.stderr)

    @frng.long
    @frng.unsanitized
    def test_a_flaky_failure_does_not_displace_one_that_repeats(self):
        for rate in ("9/10", "1/2", "1/20"):
            for mode in ALL:
                with self.fresh(mode):
                    result = self.search("--mode", mode, *self.SMALL, "--json", "events",
                                         *sometimes(rate, 20))
                    self.assert_found(result, 20)
                    done = self.done()
                    self.assertEqual((done["identity"], done["flaky"]), ("exit:3", False))
                    self.assertNotIn("  reruns   flaky", result.stderr)

    @frng.long
    @frng.unsanitized
    def test_a_flaky_finding_does_not_keep_the_next_one_from_being_resumed(self):
        for mode in ALL:
            with self.fresh(mode):
                first = self.search("--mode", mode, *self.SMALL, "--findings", "found",
                                    *sometimes("9/10", 20))
                self.assert_found(first, 20)
                known = frng.findings(self.folder / "found")
                name, sure = next((name, finding) for name, finding in known.items()
                                  if finding["size"] == 20)
                for other in known.keys() - {name}:
                    (self.folder / "found" / other).unlink()
                flaky = {**sure, "size": 5, "seed": "1", "identity": "signal:SIGABRT"}
                self.write("found/0000000005-0000000000000001.json", json.dumps(flaky))
                (self.folder / "runs").unlink()
                # Without attempts at other sizes, so that nothing but the finding itself is found.
                again = self.search("--mode", mode, *self.SMALL, "--attempts", 1, "--size-max", 20,
                                    "--findings", "found", "--json", "events",
                                    *sometimes("9/10", 20))
                self.assertEqual(self.assert_found(again), (20, sure["seed"]), str(again))
                self.assert_says(again, "known finding, size 5, seed 1: still fails",
                                 f"known finding, size 20, seed {sure['seed']}: still fails")
                self.assertFalse(self.done()["flaky"])


def chance_of_at_most(count, tries, chance):
    """That of so many independent tries no more than `count` come out, each with that chance."""
    return sum(math.comb(tries, i) * chance**i * (1 - chance)**(tries - i)
               for i in range(count + 1))


class Luck(Flaky):
    """Programs that fail by chance. That one is flaky is known once a rerun of any failure has
    passed. A search makes 20 reruns at the least. So it cannot know with a chance of share**20 at
    most; and claims no more than a bound then.
    """

    SEARCHES = 30

    def searches(self, percent):
        """The matches of FLAKY, and those of SURE, of so many searches."""
        suts = ([DIRT, "--", "flaky", 5, percent], frng.modes("flaky", percent, 5))
        flaky, sure = [], []
        for seed in range(self.SEARCHES):
            result = self.search("--rng-seed", seed, "--attempts", 20, "--size-max", 64, "--json",
                                 "events", *suts[seed % 2])
            self.assert_found(result)
            told = FLAKY.search(result.stderr)
            done = self.done()
            (flaky if told else sure).append(told or SURE.search(result.stderr))
            self.assertNotIn(None, sure, str(result))
            if told:
                self.assertIsInstance(done["flaky"], str)
                self.assertLess(done["rate"]["high"], 1)
                continue
            self.assertNotRegex(result.stderr, "flaky:|passed when", "it was seen to be flaky")
            self.assertIs(done["flaky"], False)
            self.assertEqual(done["rate"]["reruns"], done["rate"]["repeated"])
        return flaky, sure

    def expect(self, percent):
        flaky, sure = self.searches(percent)
        # Each search misses it with that chance at most: no more than `missed` of them do.
        share, missed = percent / 100, 0
        while chance_of_at_most(missed, self.SEARCHES, share**20) < 1 - WRONG_MAX:
            missed += 1
        self.assertLess(missed, 27)
        self.assertLessEqual(len(sure), missed)
        for told in sure:
            self.assertEqual((told[1], told[2]), ("20", "17"))
        # An interval has the truth in it with 95% confidence; 85% leaves room for a search ending
        # at moments that depend on what it saw.
        held = sum(float(told[3]) <= percent <= float(told[4]) for told in flaky)
        least = 0
        while chance_of_at_most(least, len(flaky), 0.85) < WRONG_MAX:
            least += 1
        self.assertGreaterEqual(held, least, [told[0] for told in flaky])

    @frng.long
    @frng.unsanitized
    def test_a_failure_in_a_share_of_all_runs(self):
        for percent in (50, 80, 90, 95):
            with self.subTest(percent=percent):
                self.expect(percent)


class Bests(Flaky):
    @frng.unsanitized
    def test_the_smallest_is_the_answer_and_bests_only_get_smaller(self):
        for seed in range(10):
            with self.fresh(seed):
                result = self.search("--attempts", 10, "--size-max", "8K",
                                     "--rng-seed", seed, "--json", "events", RING)
                size, _ = self.assert_found(result)
                sizes = [event["size"] for event in
                         frng.latest(self.folder / "events")
                         if event["event"] == "best"]
                self.assertEqual(sizes, sorted(sizes, reverse=True), str(result))
                self.assertEqual((size, self.done()["size"]), (sizes[-1], sizes[-1]))


class Replays(Flaky):
    def expect(self, rate, runs, failed, told):
        (self.folder / "runs").unlink(missing_ok=True)
        result = self.replay("--size", 5, "--seed", 1, "--runs", runs, *sometimes(rate))
        self.assert_exit(result, 1)
        self.assertEqual(result.stderr, f"fails with signal:SIGABRT (fails in {failed} of {runs:,} "
                                        f"runs: {told})\n", str(result))

    def test_the_rate_of_many_runs_has_its_interval(self):
        self.expect("9/10", 200, 180, "90%, 95% confidence 84 to 94%")
        self.expect("1/2", 200, 100, "50%, 95% confidence 42 to 58%")
        self.expect("1/20", 200, 10, "5%, 95% confidence 2 to 10%")
        self.expect("1/1000", 1000, 1, "0.1%, 95% confidence 0.002 to 0.6%")

    def test_runs_that_all_pass_leave_room_for_a_failure(self):
        result = self.replay("--size", 4, "--seed", 1, "--runs", 20, *sometimes("1/2"))
        self.assert_exit(result, 0)
        self.assert_says(result, r"passes each time \(fails in 0 of 20 runs: 0%, 95% confidence 0 "
                                 r"to 17%\)\n")


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()

"""Failures that come and go: told as such, with how often, and never taken for what repeats.

No scenario depends on luck: sut-dirt counts its runs in a file. What never repeats is in
tests/transcripts/modes_state.t; targets with luck: tests/self/search.c.
"""
# suites: sanitized; parts: 2

import re
import shutil

import frng

DIRT = frng.SUTS / "sut-dirt"
ALL = ("spawn", "fork", "persistent", "auto")
FLAKY = re.compile(r"  reruns   flaky (\d+)/20(?:, and [\d,]+/[\d,]+ with failures like it)?: "
                   r"fails in ([\d.]+)%, 95% confidence ([\d.]+) to ([\d.]+)%\n")


def sometimes(rate):
    """Fails with 5 bytes in so many runs of so many ("9/10"), in turn."""
    return [DIRT, "--", "sometimes", 5, f"{rate}:runs"]


class Flaky(frng.Scenario):
    SMALL = ("--jobs", 1, "--rng-seed", 1, "--attempts", 20, "--size-max", 64)

    def fresh(self, mode):
        """A subtest in which no run has been counted yet."""
        for name in ("runs", "events"):
            (self.folder / name).unlink(missing_ok=True)
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
    def test_the_one_file_is_the_answer(self):
        """Whichever smaller best was refuted on the way: its file goes."""
        for seed in range(8):
            shutil.rmtree(self.folder / "found", ignore_errors=True)
            result = self.search("--rng-seed", seed, "--attempts", 40, "--size-max", 64,
                                 "--findings", "found", *frng.modes("flaky", 40, 1))
            (one,) = frng.findings(self.folder / "found").values()
            self.assertEqual(frng.find_result(result.stdout), (one["size"], one["seed"]), str(result))

    def test_the_answer_has_its_file_after_two_bests_are_refuted(self):
        """Size 1 fails, is refuted in favor of size 2; that is refuted too, and size 1 answers.

        A run that was begun ahead of a result may be counted by the program before it is ended:
        then another size answers, or none, and the program is searched once more.
        """
        program = self.write("turns.sh", 'n=$(head -c 2 | wc -c); echo $n >>"$1"\n'
                             'case $n.$(grep -c "^$n$" "$1") in 2.[12]|1.[235]) exit 1;; esac\n')
        for attempt in range(20):
            result = self.search(*self.SMALL, "--attempts", 40, "--findings", f"found{attempt}",
                                 "sh", "--", program, self.folder / f"runs{attempt}")
            findings = frng.findings(self.folder / f"found{attempt}").values()
            answers = [(one["size"], one["seed"]) for one in findings]
            self.assertEqual(answers, [frng.find_result(result.stdout)] if result.exit == 1 else [],
                             str(result))
            if answers and answers[0][0] == 1:
                return
        self.fail("size 1 never answered")

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
    def test_a_failure_in_more_or_fewer_runs_has_its_rate_or_is_inconclusive(self):
        self.expect_rate("9/10", (17, 18, 19, 20))
        self.expect_rate("1/20", (1, 2), "--attempts", 100)

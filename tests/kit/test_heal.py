"""Checks of progress after the entropy has run out."""

import unittest

import frng

HEALS = frng.BUILD / "tests" / "kit" / "kit-heals"


class Heal(frng.Scenario):
    def test_a_failure_after_exhaustion_counts_the_bytes_drawn(self):
        for mode in ("auto", "fork", "spawn"):
            result = self.search("--mode", mode, "--attempts", 1000, "--rng-seed", 1, HEALS)
            self.assert_exit(result, 1)
            self.assertEqual(frng.find_result(result.stdout)[0], 2, str(result))

    def test_it_is_reduced_and_replayed_as_any_other(self):
        result = self.reduce("--hex", "004080c0c0404000", HEALS)
        self.assert_exit(result, 0, 1)
        found = [line for line in (result.stdout + result.stderr).split("\n") if "0000" in line]
        self.assertTrue(found, str(result))
        trace = self.replay("--trace", "--hex", "0000", HEALS)
        self.assert_exit(trace, 1)
        self.assertIn("      > healed: the message came to S0\n", trace.stdout)
        self.assertEqual(trace.stdout.count("> cuts off S0"), 2)

    def test_without_the_bug_it_passes_at_each_size(self):
        result = self.search("--attempts", 300, "--size-max", "1K", HEALS, "--", "fixed")
        self.assert_exit(result, 0)


if __name__ == "__main__":
    unittest.main()

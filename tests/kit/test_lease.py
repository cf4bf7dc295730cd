"""A lease in virtual time (examples/lease.c): found, reduced to two faults, told by its trace."""

import re

from kit import EXAMPLES, Kit

LEASE, FIXED = EXAMPLES / "lease", EXAMPLES / "lease-fixed"
STORY = "0000345d3080347191"  # of examples/lease.md


class Lease(Kit):
    def test_a_stale_read_is_found_and_reduced_to_two_faults(self):
        for seed in (1, 3):
            least = self.least(LEASE, "--rng-seed", seed, "--attempts", 5000)
            self.assertEqual(least.stat().st_size, 9)
            result, lines = self.story(LEASE, "--input", least)
            self.assert_says(result, "stale read: after .*: get returned")
            faults = [line for line in lines if re.search("holds messages|cuts off", line)]
            self.assertEqual(len(faults), 2, lines)
            for line in faults:
                self.assertRegex(line, r"^ *\d+\.000 ms  network  .*\b(A|viewer)\b.* for \d+ ms$")
            self.assertTrue(any("makes B the primary" in line for line in lines), lines)

    def test_the_page_shows_its_trace(self):
        self.shown("lease", STORY)

    def test_each_fault_alone_is_harmless(self):
        for entropy in ("0000345d91", "3080347191", "0000345d3000000091", "000000003080347191"):
            self.story(LEASE, "--hex", entropy, status=0)

    def test_without_the_bug_all_runs_pass(self):
        self.story(FIXED, "--hex", STORY, status=0)
        for size, attempts in ((32, 5000), (4096, 200)):
            self.assert_nothing_found(self.search("-j1", "--rng-seed", 5, "--attempts", attempts,
                                                  "--size-max", size, FIXED))

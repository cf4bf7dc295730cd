"""A lease in virtual time (examples/lease.c): found, reduced to two faults, told by its trace."""

import re
import unittest

from kit import EXAMPLES, ROOT, Kit

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

    def test_the_trace_alone_names_faults_nodes_and_times(self):
        _, lines = self.story(LEASE, "--hex", STORY)
        self.assertEqual([line.strip() for line in lines if "loses" not in line], [
            "0.000 ms  network  holds messages to A for 93 ms",
            "48.000 ms  network  cuts off A for 113 ms",
            "161.000 ms  viewer   makes B the primary",
            "171.000 ms  writer   has put 6 at B",
            "171.000 ms  reader   gets 6 at B",
            "193.000 ms  writer   has put 7 at B",
            "193.000 ms  reader   gets 0 at A",
            "order 1: put 6",
            "order 2: get returned 6",
            "order 3: put 7",
            "order 4 cannot be: get returned 0",
        ])
        self.assertIn("160.000 ms  network  loses ask from A to viewer",
                      [line.strip() for line in lines])

    def test_the_page_shows_this_trace(self):
        page = (ROOT / "examples" / "lease.md").read_text(encoding="utf-8")
        self.assertIn(STORY, page)
        shown = re.findall(r"^ +> (.*)$", page, re.M)
        _, lines = self.story(LEASE, "--hex", STORY)
        for line in shown:
            self.assertIn(line.strip(), [line.strip() for line in lines])

    def test_each_fault_alone_is_harmless(self):
        for entropy in ("0000345d91", "3080347191", "0000345d3000000091", "000000003080347191"):
            self.story(LEASE, "--hex", entropy, status=0)

    def test_without_the_bug_all_runs_pass(self):
        self.story(FIXED, "--hex", STORY, status=0)
        for size, attempts in ((32, 5000), (4096, 200)):
            self.assert_nothing_found(self.search("-j1", "--rng-seed", 5, "--attempts", attempts,
                                                  "--size-max", size, FIXED))


if __name__ == "__main__":
    unittest.main()

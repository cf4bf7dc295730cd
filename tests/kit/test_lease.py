"""A lease in virtual time (examples/lease.c): found, reduced to two faults, told by its trace."""

import pathlib
import re
import unittest

import frng

LEASE = frng.BUILD / "examples" / "lease"
FIXED = frng.BUILD / "examples" / "lease-fixed"
ROOT = pathlib.Path(__file__).resolve().parents[2]
STORY = "0000345d3080347191"  # of examples/lease.md


class Lease(frng.Scenario):
    def story(self, *entropy, target=LEASE, status=1):
        result = self.replay("--trace", *entropy, target)
        self.assert_exit(result, status)
        return result, [line[8:] for line in result.stdout.split("\n")
                        if line.startswith("      > ")]

    def test_a_stale_read_is_found_and_reduced_to_two_faults(self):
        for seed in (1, 3):
            found = self.search("-j1", "--rng-seed", seed, "--attempts", 5000, LEASE)
            size, entropy = self.assert_found(found)
            self.reduce("-j1", "--explain", "no", "--size", size, "--seed", entropy, "--output",
                        "least", LEASE)
            least = self.folder / "least"
            self.assertEqual(least.stat().st_size, 9)
            result, lines = self.story("--input", least)
            self.assert_says(result, "stale read: after .*: get returned")
            faults = [line for line in lines if re.search("holds messages|cuts off", line)]
            self.assertEqual(len(faults), 2, lines)
            for line in faults:
                self.assertRegex(line, r"^ *\d+\.000 ms  network  .*\b(A|viewer)\b.* for \d+ ms$")
            self.assertTrue(any("makes B the primary" in line for line in lines), lines)

    def test_the_trace_alone_names_faults_nodes_and_times(self):
        _, lines = self.story("--hex", STORY)
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
        _, lines = self.story("--hex", STORY)
        for line in shown:
            self.assertIn(line.strip(), [line.strip() for line in lines])

    def test_each_fault_alone_is_harmless(self):
        for entropy in ("0000345d91", "3080347191", "0000345d3000000091", "000000003080347191"):
            self.story("--hex", entropy, status=0)

    def test_without_the_bug_all_runs_pass(self):
        self.story("--hex", STORY, target=FIXED, status=0)
        for size, attempts in ((32, 5000), (4096, 200)):
            self.assert_nothing_found(self.search("-j1", "--rng-seed", 5, "--attempts", attempts,
                                                  "--size-max", size, FIXED))


if __name__ == "__main__":
    unittest.main()

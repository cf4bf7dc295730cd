"""Draws of frng_more.h, from a search to what people read."""

import re
import unittest

import frng

DRAWN = frng.SUTS / "sut-drawn"


class Drawn(frng.Scenario):
    def simplest(self, way):
        """The rows of the trace of the smallest failure: draw and value."""
        result = self.search("--reduce", "--rng-seed", 1, "--quiet", DRAWN, "--", way)
        self.assert_exit(result, 1)
        hexed = re.search(r"hex=([0-9a-f]+)", result.stdout)
        traced = self.replay("--trace", "--hex", hexed[1], DRAWN, "--", way)
        return [re.split("  +", line.strip())[-2:] for line in traced.stdout.split("\n")[1:-1]]

    def test_a_string_becomes_its_simplest_letters(self):
        self.assertIn(["string", '"aaa"'], self.simplest("words"))

    def test_a_double_becomes_a_small_whole_number(self):
        rows = self.simplest("large")
        self.assertIn(["double", "42"], rows)
        self.assertIn(["double -100..1000000", "3"], rows)

    def test_a_double_that_must_have_a_fraction_becomes_a_half(self):
        self.assertIn(["double", "98.5"], self.simplest("half"))

    def test_a_double_that_must_be_infinite_is(self):
        self.assertIn(["double", "inf"], self.simplest("infinite"))

    def test_a_list_becomes_the_element_that_matters(self):
        rows = self.simplest("list")
        self.assertEqual([row for row in rows if row[0] == "more"], [["more", "true"]])
        self.assertIn(["mixed i32 -2000000000..2000000000", "-70000"], rows)

    def test_a_failure_after_the_entropy_ran_out_loses_what_it_does_not_need(self):
        start = self.folder / "start"
        start.write_bytes(bytes.fromhex("e001" * 12))
        result = self.reduce("--input", start, "--quiet", DRAWN, "--", "healed")
        self.assert_exit(result, 1)
        hexed = re.search(r"hex=([0-9a-f]+)", result.stdout)
        traced = self.replay("--trace", "--hex", hexed[1], DRAWN, "--", "healed")
        values = re.findall(r"u8 0\.\.9 +(\d)", traced.stdout)
        self.assertEqual(values, ["8", "0", "9", "0"])

    def test_a_day_and_a_set_become_plain(self):
        self.assertEqual(self.simplest("days"),
                         [["date", "2000-01-29"], ["subset of 40", "{4, 7}"]])


if __name__ == "__main__":
    unittest.main()

"""frng-replay --trace: the draws of one run as a table."""

import re
import unittest

import frng

STATE = frng.SUTS / "sut-state"
ROW = re.compile(r" *(\d+)  ")


class Trace(frng.Scenario):
    def trace(self, way, size=1000, sut=STATE):
        result = self.replay("--trace", "--size", size, "--seed", 1, sut, "--", way)
        lines = result.stdout.split("\n")
        heads = [i for i, line in enumerate(lines) if line.startswith("offset")]
        self.assertEqual(len(heads), 1, str(result))
        table = lines[heads[0]:]
        self.assertEqual(table.pop(), "")
        return result, table

    def expect_table(self, table):
        """Columns begin where their names stand, and offsets rise."""
        head = table[0]
        self.assertEqual(head.split(), ["offset", "note", "bytes", "draw", "value"])
        begins = [head.index(name) for name in ("note", "bytes", "draw", "value")]
        offsets = []
        for line in table[1:]:
            match = ROW.match(line)
            if not match:
                continue
            offsets.append(int(match[1]))
            for begin in begins[1:]:
                self.assertEqual(line[begin - 2:begin], "  ", line)
                self.assertLessEqual(len(line[begin:begin + 1].strip()), 1)
        self.assertEqual(offsets, sorted(offsets))
        self.assertEqual(offsets[0], 0)
        return offsets

    def expect_every_draw(self, table):
        text = "\n".join(table)
        for draw in ("bytes 3", "bytes 20", "bool", "u8 ", "u16 0..1000",
                     "u64 1..18446744073709551614", "i8 -3..3", "i32 ", "i64 -1..1", "index 0..9",
                     "weighted 0..3", "f64", "chance 1/3", "u8 0..128"):
            self.assertIn("  " + draw, text)
        self.assertRegex(text, r"\(\d+ rejected\)")
        self.assertRegex(text, r"\b0\.\d{5,}")
        self.assertRegex(text, r"\b(true|false)\b")
        entropy = frng.expand(1, 1000)
        self.assertIn(f"  {entropy[:3].hex()} ", table[1])
        self.assertIn(f"  {entropy[3:11].hex()}.. ", table[2])
        self.assertIn(" first ", table[1])
        self.assertIn("a name that is far longer than ", text)
        self.assertNotIn("longer than what", text)
        self.assertEqual(table[-1].strip(), "last")

    def test_a_crashing_run_is_traced_with_every_draw(self):
        result, table = self.trace("shows")
        self.assert_exit(result, 1)
        self.expect_table(table)
        self.expect_every_draw(table)

    def test_a_passing_run_is_traced(self):
        result, table = self.trace("shows-and-passes")
        self.assert_exit(result, 0)
        self.expect_table(table)
        self.expect_every_draw(table)

    def test_values_are_those_of_the_bytes(self):
        _, table = self.trace("shows")
        byte = frng.expand(1, 25)[24]
        self.assertRegex(table[4], rf"^ *24 +{byte:02x} +u8 +{byte}$")

    def test_nothing_of_the_program_is_shown_raw(self):
        result, table = self.trace("shows")
        self.assertIn("red", "\n".join(table))
        self.assertNotRegex(result.stdout, r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")

    def test_a_run_without_entropy_ends_its_table(self):
        for size in (0, 1, 2, 24):
            result, table = self.trace("shows", size)
            self.assert_exit(result, 0)
            draws = [line for line in table[1:] if ROW.match(line)]
            self.assertEqual(len(draws), 3 if size == 24 else 0)

    def test_a_program_without_the_protocol_draws_a_message(self):
        result = self.replay("--trace", "--size", 41, "--seed", 1, frng.MODES)
        self.assert_exit(result, 1)
        self.assertEqual(result.stdout.count("\n"), result.stdout.count("offset"))
        self.assert_says(result, "trace|draws")


if __name__ == "__main__":
    unittest.main()

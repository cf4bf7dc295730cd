"""Targets that report draws which their bytes contradict: one line says so, and bytes are reduced.

SPDX-License-Identifier: MIT
"""

import pathlib
import struct
import unittest

import frng

CLAIMS = str(frng.SUTS / "sut-claims")
WRONG = r"frng-(reduce|search|replay): (draw|the \w+ after draw) \d+ "

# What the second draw of tests/sut/claims.c is said to be, and what the line must have.
LIES = {
    "modulo": r"\(digit: u8 0\.\.9 at byte 1\) says 2, but its byte is 9",
    "huge": r"\(digit: u8 0\.\.9 at byte 1\) says 18446744073709551615, but its byte is 9",
    "back": r"\(digit: u8 0\.\.9 at byte 0\) goes back: the last one ends at byte 1",
    "silent": r"\(digit: bool at byte 2\) leaves out byte 1",
    "nothing": r"\(digit: u8 0\.\.9 at byte 2\) leaves out byte 1",
    "beyond": r"\(digit: u8 0\.\.9 at byte \d+\) ends beyond the \d+ bytes of its run",
    "width": r"\(digit: u64 0\.\.9 at byte 1\) has a width of 9 bytes",
    "wide": r"\(digit: u16 0\.\.9 at byte 1\) takes 1 byte, but needs more",
    "bounds": r"\(digit: u8 0\.\.300 at byte 1\) has bounds that no such draw has",
}

# A program that knows FRNG_DRIVER, and makes the records that its arguments say: start, taken, kind,
# width, min, max, value.
RAW = """#!/usr/bin/env python3
import mmap, os, struct, sys
offer = os.environ.get("FRNG_DRIVER", "0,-1,-1,-1").split(",")
if offer[0] == "1":
    with mmap.mmap(int(offer[2]), 0) as report:
        (start, room) = struct.unpack_from("=QQ", report, 16)
        for i, text in enumerate(sys.argv[1:]):
            record = [int(word) for word in text.split(",")]
            struct.pack_into("=QQBB6x4Q", report, start + 56 * i, *record, 0)
        struct.pack_into("=Q", report, 168, len(sys.argv) - 1)
"""


def wrong_lines(result):
    return [line for line in result.stderr.split("\n")
            if " after draw " in line or ": draw " in line and line.startswith("frng-")]


class Liars(frng.Scenario):
    def reduce_claim(self, claim, *options, seed=5, size=400):
        return self.reduce(*options, "--size", size, "--seed", seed, CLAIMS, "--", claim)

    def expect_line(self, result, pattern, end):
        """Exactly one line says what is wrong, and it fits a terminal."""
        lines = wrong_lines(result)
        self.assertEqual(len(lines), 1, str(result))
        self.assertRegex(lines[0], WRONG + pattern + ".*: " + end + "$", str(result))
        self.assertLess(len(lines[0]), 160)

    def test_a_reduction_says_which_draw_is_wrong_and_reduces_bytes(self):
        for claim, pattern in LIES.items():
            with self.subTest(claim=claim):
                result = self.reduce_claim(claim)
                self.assert_exit(result, 1)
                self.expect_line(result, pattern, "reduces bytes, not draws")
                self.assertRegex(result.stdout, r"^size=2 hex=[0-9a-f]{4}\n$")
                self.assertNotIn("add --trace to see them", result.stderr)

    def test_every_mode_says_it(self):
        for mode in ("spawn", "fork", "persistent"):
            result = self.reduce_claim("modulo", "--mode", mode)
            self.expect_line(result, LIES["modulo"], "reduces bytes, not draws")

    def test_quiet_says_nothing(self):
        result = self.reduce_claim("modulo", "--quiet")
        self.assert_exit(result, 1)
        self.assertEqual(result.stderr, "")

    def test_a_search_that_reduces_says_it_once(self):
        result = self.search("--reduce", "--all", "--attempts", 200, "--size-max", 64, CLAIMS, "--",
                             "modulo")
        self.assert_exit(result, 1)
        self.assertEqual(len(wrong_lines(result)), 1, str(result))

    def test_a_lie_of_a_later_run_is_found(self):
        """What the input reported was true."""
        for seed in range(40):
            told = self.replay("--size", 400, "--seed", seed, "--trace", CLAIMS, "--", "later")
            if told.exit == 1 and not wrong_lines(told):
                break
        result = self.reduce_claim("later", seed=seed)
        self.assert_exit(result, 1)
        self.expect_line(result, r"\(digit: u8 0\.\.9 at byte \d+\) says \d, but its byte is \d",
                         "reduces bytes, not draws")
        self.assertRegex(result.stdout, r"^size=2 ")

    def test_the_event_has_the_draw(self):
        self.reduce_claim("modulo", "--json", "events")
        events = [event for event in frng.json_lines((self.folder / "events").read_text())
                  if event["event"] == "wrong_record"]
        self.assertEqual(events, [{
            "event": "wrong_record", "schema": 1, "draw": 2, "offset": 1, "note": "digit",
            "kind": "u8 0..9",
            "text": "draw 2 (digit: u8 0..9 at byte 1) says 2, but its byte is 9"}])

    def test_a_trace_is_printed_and_then_doubted(self):
        for claim, pattern in LIES.items():
            result = self.replay("--size", 400, "--seed", 5, "--trace", CLAIMS, "--", claim)
            self.assert_exit(result, 1)
            self.expect_line(result, pattern, "is reduced as bytes")
            self.assertIn("digit", result.stdout)
            self.assertNotRegex(result.stdout, WRONG)

    def test_a_trace_as_events_has_the_line_too(self):
        result = self.replay("--size", 400, "--seed", 5, "--trace", "--json", "-", CLAIMS, "--",
                             "modulo")
        kinds = [event["event"] for event in frng.json_lines(result.stdout)]
        self.assertEqual(kinds.count("wrong_record"), 1)
        self.assertLess(kinds.index("draw"), kinds.index("wrong_record"))

    def test_what_is_true_or_unknown_here_is_no_lie(self):
        for claim in ("honest", "unknown"):
            for result in (self.reduce_claim(claim),
                           self.replay("--size", 400, "--seed", 5, "--trace", CLAIMS, "--", claim)):
                self.assert_exit(result, 1)
                self.assertEqual(wrong_lines(result), [], str(result))
        self.assertEqual(self.reduce_claim("honest").stdout, "size=2 hex=0007\n")

class RawRecords(frng.Scenario):
    """Records of any content, by a script that reports them with a control of -1."""

    def trace(self, *records, entropy="40ff80017f"):
        program = self.write("raw.py", RAW, executable=True)
        words = [",".join(map(str, record)) for record in records]
        return self.replay("--hex", entropy, "--trace", program, "--", *words)

    def expect(self, pattern, *records, **more):
        result = self.trace(*records, **more)
        self.assert_exit(result, 0)
        lines = wrong_lines(result)
        self.assertEqual(len(lines), 1, str(result))
        self.assertRegex(lines[0], pattern, str(result))
        self.assertLess(len(lines[0]), 160)

    def test_true_records_are_believed(self):
        result = self.trace((0, 0, 255, 0, 0, 0, 0), (0, 1, 2, 1, 0, 9, 2), (1, 2, 0, 1, 0, 2, 0),
                            (3, 1, 1, 1, 0, 1, 1), (4, 1, 3, 1, (1 << 64) - 128, 127, 127))
        self.assert_exit(result, 0)
        self.assertEqual(wrong_lines(result), [], str(result))

    def test_records_that_cannot_be_are_named(self):
        top = (1 << 64) - 1
        for says, records in (
                (r"draw 2 \(u8 0..9 at byte 0\) goes back: the last one ends at byte 1",
                 [(0, 1, 2, 1, 0, 9, 2), (0, 1, 2, 1, 0, 9, 2)]),
                (r"the note after draw 1 \(at byte 0\) goes back",
                 [(0, 1, 2, 1, 0, 9, 2), (0, 0, 255, 0, 0, 0, 0)]),
                ("draw 1 .* ends beyond the 5 bytes of its run", [(5, top, 0, 1, 0, top, 0)]),
                ("draw 1 .* takes 0 bytes, but needs more", [(0, 0, 2, 1, 0, 9, 2)]),
                ("draw 1 .* has a width of 255 bytes", [(0, 1, 2, 255, top, top, top)]),
                ("draw 1 .* says true, but its byte is false", [(0, 1, 1, 1, 0, 1, 2)])):
            self.expect(says, *records)


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()

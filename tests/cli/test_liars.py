"""Targets that report draws which their bytes contradict: one line says so, and bytes are reduced.

SPDX-License-Identifier: MIT
"""

import unittest

import frng

CLAIMS = str(frng.SUTS / "sut-claims")
WRONG = r"frng-(reduce|search|replay): (draw|the \w+ after draw) \d+ "
TOP = (1 << 64) - 1

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
# (what the line must have, records); None: they are believed.
RECORDS = [
    (None, (0, 0, 255, 0, 0, 0, 0), (0, 1, 2, 1, 0, 9, 2), (1, 2, 0, 1, 0, 2, 0),
     (3, 1, 1, 1, 0, 1, 1), (4, 1, 3, 1, (1 << 64) - 128, 127, 127)),
    (r"draw 2 \(u8 0..9 at byte 0\) goes back: the last one ends at byte 1",
     (0, 1, 2, 1, 0, 9, 2), (0, 1, 2, 1, 0, 9, 2)),
    (r"the note after draw 1 \(at byte 0\) goes back", (0, 1, 2, 1, 0, 9, 2), (0, 0, 255, 0, 0, 0, 0)),
    ("draw 1 .* ends beyond the 5 bytes of its run", (5, TOP, 0, 1, 0, TOP, 0)),
    ("draw 1 .* takes 0 bytes, but needs more", (0, 0, 2, 1, 0, 9, 2)),
    ("draw 1 .* has a width of 255 bytes", (0, 1, 2, 255, TOP, TOP, TOP)),
    ("draw 1 .* says true, but its byte is false", (0, 1, 1, 1, 0, 1, 2)),
]


class Liars(frng.Scenario):
    def lines(self, result):
        """Those that say what is wrong; each fits a terminal."""
        lines = [line for line in result.stderr.split("\n")
                 if " after draw " in line or ": draw " in line and line.startswith("frng-")]
        self.assertLess(max(map(len, lines), default=0), 160)
        return lines

    def expect_line(self, result, pattern, end=""):
        self.assert_exit(result, 0, 1)
        lines = self.lines(result)
        self.assertEqual(len(lines), 1, str(result))
        self.assertRegex(lines[0], WRONG + pattern + ".*" + end + "$", str(result))

    def reduce_claim(self, claim, *options, seed=5):
        return self.reduce(*options, "--size", 400, "--seed", seed, CLAIMS, "--", claim)

    def trace_claim(self, claim, *options, seed=5):
        return self.replay("--size", 400, "--seed", seed, "--trace", *options, CLAIMS, "--", claim)

    def test_a_reduction_says_which_draw_is_wrong_and_a_trace_is_doubted(self):
        def expect(claim, pattern, mode):
            result = self.reduce_claim(claim, "--mode", mode)
            self.expect_line(result, pattern, ": reduces bytes, not draws")
            self.assertRegex(result.stdout, r"^size=2 hex=[0-9a-f]{4}\n$")
            self.assertNotIn("add --trace to see them", result.stderr)
            traced = self.trace_claim(claim)
            self.expect_line(traced, pattern, ": is reduced as bytes")
            self.assertIn("digit", traced.stdout)
            self.assertNotRegex(traced.stdout, WRONG)
        self.each(expect, [(*lie, ("spawn", "fork", "persistent")[i % 3])
                           for i, lie in enumerate(LIES.items())])

    def test_it_is_said_once_and_to_whom_it_concerns(self):
        self.assertEqual(self.reduce_claim("modulo", "--quiet").stderr, "")
        result = self.search("--reduce", "--all", "--attempts", 200, "--size-max", 64, CLAIMS, "--",
                             "modulo")
        self.assert_exit(result, 1)
        self.assertEqual(len(self.lines(result)), 1, str(result))
        events = frng.json_lines(self.trace_claim("modulo", "--json", "-").stdout)
        kinds = [event["event"] for event in events]
        self.assertLess(kinds.index("draw"), kinds.index("wrong_record"))
        self.reduce_claim("modulo", "--json", "events")
        for told in (events, frng.latest(self.folder / "events")):
            self.assertEqual([event for event in told if event["event"] == "wrong_record"], [{
                "event": "wrong_record", "schema": 1, "draw": 2, "offset": 1, "note": "digit",
                "kind": "u8 0..9",
                "text": "draw 2 (digit: u8 0..9 at byte 1) says 2, but its byte is 9"}])

    def test_a_lie_of_a_later_run_is_found(self):
        """What the input reported was true."""
        seed = next(seed for seed in range(40) for told in [self.trace_claim("later", seed=seed)]
                    if told.exit == 1 and not self.lines(told))
        result = self.reduce_claim("later", seed=seed)
        self.expect_line(result, r"\(digit: u8 0\.\.9 at byte \d+\) says \d, but its byte is \d",
                         ": reduces bytes, not draws")
        self.assertRegex(result.stdout, r"^size=2 ")

    def test_what_is_true_or_unknown_here_is_no_lie(self):
        for claim in ("honest", "unknown"):
            for result in (self.reduce_claim(claim), self.trace_claim(claim)):
                self.assert_exit(result, 1)
                self.assertEqual(self.lines(result), [], str(result))
        self.assertEqual(self.reduce_claim("honest").stdout, "size=2 hex=0007\n")

    def test_records_of_any_content(self):
        program = self.write("raw.py", RAW, executable=True)

        def expect(says, *records):
            words = [",".join(map(str, record)) for record in records]
            result = self.replay("--hex", "40ff80017f", "--trace", program, "--", *words)
            self.assert_exit(result, 0)
            lines = self.lines(result)
            self.assertEqual(len(lines), int(says is not None), str(result))
            if says is not None:
                self.assertRegex(lines[0], says)
        self.each(expect, RECORDS)


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()

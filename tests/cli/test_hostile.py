"""Hostile input and hostile output: options, files, programs that write over what the driver reads,
and whatever programs and their names say."""

import json
import os
import pathlib
import random
import re
import unittest

import frng
from test_signals import Terminal

SCRIBBLER = str(frng.SUTS / "sut-scribbler")
OBSCENE = str(frng.SUTS / "sut-obscene")
TOOLS = (frng.SEARCH, frng.REPLAY, frng.REDUCE)

# What no terminal should get, but the two that end lines and the one that tabulates.
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

# What the status line and the screen are made of (screen.c), and what the terminal makes of
# line ends. A slow search shows the screen, too.
DISPLAY = re.compile(r"\r|\x1b\[(?:K|J|[0-9]+A|\?2026[hl]|\?25[hl]|0(?:;1|;3[1-6])?m)")
SCREEN_BEGIN = b"\x1b[?2026h"

# In a name or an argument, or printed by whoever prints.
DIRTY = b"a\x1b]0;title\x07b\x1b[2J\n\xff\xc2\x9b\r\xe2\x80\xae c"


class Hostile(frng.Scenario):
    def assert_harmless(self, result):
        """Both streams are UTF-8 that moves no cursor and colours nothing."""
        for text in (result.stdout_bytes, result.stderr_bytes):
            self.assertIsNone(CONTROLS.search(text.decode("utf-8")), str(result))

    def check_strings(self, value):
        if isinstance(value, str):
            self.assertIsNone(CONTROLS.search(value), repr(value))
        for item in value.values() if isinstance(value, dict) else \
                value if isinstance(value, list) else ():
            self.check_strings(item)

    def check_events(self, name="events"):
        """Every line is JSON in UTF-8, with strings that a terminal may have."""
        events = frng.json_lines((self.folder / name).read_bytes().decode("utf-8"))
        self.assertGreater(len(events), 1)
        self.check_strings(events)
        return events


# ---- Options ----

NUMBER_JUNK = ["", " ", "x", "-1", "+1", " 1", "1 ", "1\n", "\t1", "1x", "--", "nan", "inf", "1e3",
               "1_0", "1,0", "0x", "-0", "١", "1" * 400, "9" * 25, "0b1", "1.", ".1", "\udcff"]
OVERFLOW = ["18446744073709551616", "18446744073709551615999"]

# kind: (taken, refused)
KINDS = {
    "attempts": (["1", "1000000000000"], ["0", "1000000000001", "0x10", "1.5", "1K", *OVERFLOW]),
    "runs": (["1", "1000000000"], ["0", "1000000001", "0x10", "1.5", *OVERFLOW]),
    "calls": (["1", "18446744073709551615"], ["0", "0x10", "1.5", "1K", *OVERFLOW]),
    "jobs": (["1", "256"], ["0", "257", "0x10", "1.5", "1K", *OVERFLOW]),
    "size": (["0", "1", "8G", "8589934592", "8388608K"],
             ["8589934593", "8388609K", "8193M", "9G", "17179869184G", "1T", "1k", "1KB", "1KK",
              "0x10", "1.5K", "K", *OVERFLOW]),
    "memory": (["1", "17179869183G", "18446744073709551615"],
               ["0", "0K", "17179869184G", "1T", "0x10", "1.5G", *OVERFLOW]),
    "time": (["1ms", "0.000001ms", "0.5s", "1.5h", "2562046.999999999h"],
             ["0", "1", "0s", "0.0ms", "0.0000000001s", "2562047h", "153722868m", "1d", "1sec", "1 s",
              "ms", ".s", "1.s", "9223372036855s", "1s1s", "0x1s", *OVERFLOW]),
    "seed": (["0", "18446744073709551615", "0xffffffffffffffff", "0X0"],
             ["0x10000000000000000", "0xg", "0x-1", "0x+1", "0x 1", "ff", "1.5", "1s", "0x1s",
              *OVERFLOW]),
    "styled": (["0", "18446744073709551615", "0xffffffffffffffff", "0s", "18446744073709551615s",
                "0xffffffffffffffffs"],
               ["0x10000000000000000", "18446744073709551616s", "0x10000000000000000s", "s", "0xs",
                "1S", "1ss", "1 s", "1s ", "s1", "1.5s", "-1s", "+1s", "1sec", "1ms", *OVERFLOW]),
}

# Every option that says its value is a number, by what the help calls the value.
NUMBERS = {"attempts": "attempts", "size-max": "size", "jobs": "jobs", "timeout": "time",
           "time": "time", "memory": "memory", "rng-seed": "seed", "size": "size", "seed": "styled",
           "runs": "runs", "calls": "calls", "sync": "time"}
NO_NUMBERS = {"mode", "expand", "containment", "stdin", "only", "ignore", "signature", "require",
              "findings", "json", "input", "hex", "finding", "wrap", "predicate", "reducer",
              "output", "effort", "explain", "list", "ui", "worker"}


class Options(Hostile):
    def options_of(self, tool):
        """The options that take a value, as --help has them."""
        text = self.run_tool(tool, "--help").stdout
        options = set(re.findall(r"--([a-z-]+) [A-Z]+\b", text.split("\n\n", 1)[1]))
        self.assertGreater(len(options), 8, text)
        return options

    def test_every_option_of_the_helps_is_tried_here(self):
        for tool in TOOLS:
            unknown = self.options_of(tool) - set(NUMBERS) - NO_NUMBERS
            self.assertEqual(unknown, set(), f"{tool}: add them to NUMBERS or to NO_NUMBERS")

    def try_numbers(self, tool):
        usage = 129 if tool == frng.REPLAY else 2
        for option in sorted(self.options_of(tool) & set(NUMBERS)):
            taken, refused = KINDS[NUMBERS[option]]
            for value in taken:
                with self.subTest(option=option, value=value):
                    self.assert_exit(self.run_tool(tool, f"--{option}={value}", "--help"), 0)
            for value in NUMBER_JUNK + refused:
                with self.subTest(option=option, value=value):
                    result = self.run_tool(tool, f"--{option}={value}", "--help")
                    self.assert_one_line(result, usage, rf"\A[a-z-]+: --{option} '")
                    self.assert_harmless(result)

    def test_numbers_of_search_at_their_bounds_and_beyond(self):
        self.try_numbers(frng.SEARCH)

    def test_the_largest_values_can_be_used(self):
        result = self.search("--attempts", 10 ** 12, "--size-max", "8G", "--timeout", "2562046.999999999h",
                             "--time", "2562046.999999999h", "--memory", "17179869183G", "--rng-seed",
                             (1 << 64) - 1, *frng.modes("always"))
        self.assert_found(result, 0)
        result = self.replay("--size", 0, "--seed", (1 << 64) - 1, "--timeout", "2562046.999999999h",
                             "--memory", "17179869183G", *frng.modes("always"))
        self.assert_exit(result, 1)


# ---- Files ----

class Damaged(Hostile):
    """What was truncated, or had a bit flipped."""

    def setUp(self):
        super().setUp()
        self.luck = random.Random(6)
        # Fails for one input alone, and for that with its argument alone.
        self.write("bytes", frng.expand(12345, 9))
        self.sut = self.script("sut", '[ "$1" = the-argument ] || exit 0\n'
                                      'cat >got.$$; cmp -s got.$$ "${0%/*}/bytes" && s=1 || s=0\n'
                                      'rm -f got.$$; exit $s\n')
        self.finding = json.dumps({
            "format": 1, "sut": "./sut", "sut_digest": None, "args": ["the-argument"], "size": 9,
            "seed": "12345", "expand": 1, "identity": "exit:1", "status": 1, "site": None,
            "reruns": 20, "repeated": 20, "when": "2026-01-31T23:59:59Z"}, indent=1).encode() + b"\n"

    def flips(self, data, count):
        for at in sorted(self.luck.sample(range(len(data) * 8), count)):
            flipped = bytearray(data)
            flipped[at // 8] ^= 1 << at % 8
            yield at, bytes(flipped)

    def judge(self, what, name="some.json"):
        """Refused in a line, or replayed for what it says: a failure is that of the very bytes."""
        result = self.replay("--finding", name)
        self.assert_exit(result, 0, 1, 125, 129)
        self.assert_harmless(result)
        if result.exit == 1:
            dumped = self.replay("--finding", name, "--dump")
            self.assertEqual(dumped.stdout_bytes, frng.expand(12345, 9), what)
            self.assert_says(result, "exit:1")
        elif result.exit > 1:
            self.assert_one_line(result, result.exit)
        return result.exit

    def test_a_finding_with_a_flipped_bit_is_refused_or_is_another(self):
        exits = set()
        for at, flipped in self.flips(self.finding, 60):
            self.write("some.json", flipped)
            with self.subTest(at=at):
                exits.add(self.judge(flipped))
        self.assertIn(129, exits)

    def test_a_seed_size_or_argument_that_was_changed_does_not_fail(self):
        for was, now in ((b"12345", b"12344"), (b'size": 9', b'size": 8'), (b'size": 9', b'size": 1'),
                         (b"the-argument", b"the-argumenu"), (b'"the-argument"', b"")):
            self.write("some.json", self.finding.replace(was, now))
            with self.subTest(now=now):
                self.assertEqual(self.judge(now), 0)

    def test_damaged_findings_are_named_and_do_no_harm(self):
        kept = {}
        for i, (_, flipped) in enumerate(self.flips(self.finding, 12)):
            kept[f"{i:010}-00000000000000{i:02x}.json"] = flipped
        for i in range(12):
            cut = self.finding[:self.luck.randrange(len(self.finding) - 2)]
            kept[f"{i + 50:010}-00000000000000{i:02x}.json"] = cut
        for name, content in kept.items():
            self.write("found/" + name, content)
        result = self.search("--findings", "found", "--attempts", 2, *frng.modes("at-least", 5))
        self.assert_found(result, 5)
        self.assert_harmless(result)
        self.assert_says(result, *(f"found/{name}: skipped" for name in list(kept)[:3]),
                         "found: 21 more files skipped")
        for name, content in kept.items():
            self.assertEqual((self.folder / "found" / name).read_bytes(), content)

    @frng.long
    def test_a_file_of_any_bytes_is_reduced(self):
        self.script("interesting", 'grep -q -a -F needle "$1"\n')
        for begin in (b"\0" * 50, b"\xff\xfe\x80", b"\xed\xa0\x80\x1b[2J\n" * 5, b"((((([[{{\"'\\" * 4,
                      bytes(range(256))):
            self.write("hay", begin + b"needle" + begin)
            result = self.reduce("--predicate", "./interesting", "hay", "--jobs", 1, "--calls", 400)
            self.assert_exit(result, 0)
            self.assertIn(b"needle", (self.folder / "hay.reduced").read_bytes())
            self.assert_harmless(result)
            (self.folder / "hay.reduced").unlink()


# ---- Memory that changes while it is read ----

class Scribbler(Hostile):
    """A program that writes over all of the report for its whole life."""

    def sut(self, kind):
        return [SCRIBBLER, "--", kind, "9"]

    def search_with(self, kind, mode):
        return self.search("--mode", mode, "--attempts", 5, "--timeout", "5s", "--json", "events",
                           "--findings", f"found-{kind}-{mode}", *self.sut(kind))

    @frng.long
    def test_a_search_finds_the_failure_in_each_mode(self):
        for kind in ("noise", "small", "ones", "draws"):
            for mode in ("spawn", "fork", "persistent"):
                with self.subTest(kind=kind, mode=mode):
                    result = self.search_with(kind, mode)
                    size, seed = self.assert_found(result, 9)
                    self.assert_says(result, r"exit:3 at size 9\b")
                    self.assert_harmless(result)
                    self.check_events()
                    self.assert_exit(self.replay("--size", size, "--seed", seed, *self.sut(kind)), 1)

    def test_a_trace_is_a_table_of_harmless_text_and_the_verdict_right(self):
        for kind in ("noise", "small", "ones", "draws", "wild"):
            for size in (8, 9):
                with self.subTest(kind=kind, size=size):
                    result = self.replay("--trace", "--size", size, "--seed", 1, *self.sut(kind))
                    self.assert_exit(result, int(size == 9))
                    self.assert_harmless(result)
                    self.assertRegex(result.stdout, r"\Aoffset ")

    @frng.long
    def test_a_reduction_ends_with_what_fails(self):
        for kind in ("noise", "small", "ones", "draws", "wild"):
            with self.subTest(kind=kind):
                result = self.reduce("--size", 12, "--seed", 1, "--calls", 60, "--timeout", "5s",
                                     "--output", "out", "--json", "events", *self.sut(kind))
                self.assert_exit(result, 1, 3)
                self.assert_harmless(result)
                self.check_events()
                if result.exit == 1:
                    self.assertGreaterEqual((self.folder / "out").stat().st_size, 9)
                    self.assert_exit(self.replay("--input", "out", *self.sut(kind)), 1)


# ---- Output ----

def peak_kib(folder, programs):
    """The most memory that any process of the driver in a scenario has had."""
    largest = 0
    for pid in frng.processes_marked(f"FRNG_SCENARIO={folder}"):
        try:
            if os.readlink(f"/proc/{pid}/exe") not in programs:
                continue
            status = pathlib.Path("/proc", str(pid), "status").read_text()
        except OSError:
            continue
        size = re.search(r"^VmHWM:\s*(\d+) kB$", status, re.MULTILINE)
        largest = max(largest, int(size[1]) if size else 0)
    return largest


class Output(Hostile, Terminal):
    def run_watched(self, *command):
        """Run to the end, and the peak of the memory of its driver and workers."""
        largest, ended = 0, None
        process = self.start(*command)
        while ended is None:
            largest = max(largest, peak_kib(self.folder, TOOLS))
            try:
                ended = process.communicate(timeout=0.05)
            except frng.subprocess.TimeoutExpired:
                continue
        return frng.Result(command, process.returncode, *ended, 0), largest

    def test_a_quarter_of_a_gigabyte_leaves_the_driver_small(self):
        # Each of some twenty reruns, whose output is kept, says 13 MiB.
        result, largest = self.run_watched(
            frng.SEARCH, "--attempts", 1, "--jobs", 1, "--size-max", 4, "--json", "events",
            "--findings", "found", OBSCENE, "--", 0, 13 * 1024)
        self.assert_found(result, 0)
        self.assertIn(largest, range(1, 64 * 1024))
        self.assert_harmless(result)
        self.assertLess(len(result.stderr), 20_000)
        done = self.check_events()[-1]
        self.assertLessEqual(len(done["output"]), 4 * 4096)
        self.assertIn("\\x1b]0;title\\x07", done["output"])
        self.assertLess((self.folder / "events").stat().st_size, 100_000)

    def test_lines_without_end_and_nothing_but_escapes(self):
        for text in (r"\033[2J", r"\0", r"\377", r"\342\200\256", r"x", r"\n", r"\r"):
            sut = self.script("sut", "i=0; while [ $i -lt 400 ]; do "
                                     f"printf '{text * 12}'; i=$((i + 1)); done; exit 1\n")
            with self.subTest(text=text):
                result = self.search("--attempts", 1, "--json", "events", "--verbose", sut)
                self.assert_found(result, 0)
                self.assert_harmless(result)
                self.check_events()
                self.assertLess(len(result.stderr), 30_000)

    def expect_harmless_on_terminal(self, *command):
        """What the terminal got, without what moves the cursor and colours in ways of our own."""
        _, data, _ = self.show(*command)
        self.assertIn(b"\\x1b]0;title\\x07", data, command)
        text = DISPLAY.sub("", data.decode("utf-8"))
        self.assertIsNone(CONTROLS.search(text), data)
        return data

    def test_a_terminal_gets_nothing_that_it_would_obey(self):
        for loud in ([], ["--verbose"]):
            self.expect_harmless_on_terminal(frng.SEARCH, *loud, "--attempts", 2, OBSCENE, "--", 3, 9)
        self.expect_harmless_on_terminal(frng.REDUCE, "--verbose", "--size", 9, "--seed", 1,
                                         OBSCENE, "--",
                                         3, 9)
        self.expect_harmless_on_terminal(frng.REPLAY, "--trace", "--size", 9, "--seed", 1, OBSCENE,
                                         "--", 3, 0)

    def test_a_screen_gets_nothing_that_it_would_obey(self):
        # Runs of 50 ms: the screen is due after 100 ms.
        for command in ((frng.SEARCH, "--attempts", 10), (frng.REDUCE, "--size", 30, "--seed", 1)):
            data = self.expect_harmless_on_terminal(*command, "--ui", "screen", "--jobs", 1, OBSCENE,
                                                    "--", 3, 9, 50)
            self.assertIn(SCREEN_BEGIN, data)

    def test_sites_and_notes_are_escaped_in_every_mode(self):
        for mode in ("spawn", "fork", "persistent"):
            result = self.search("--mode", mode, "--attempts", 2, "--findings", "found", "--json",
                                 "events", "--verbose", "--reduce", OBSCENE, "--", 3, 1)
            self.assert_exit(result, 1)
            self.assert_harmless(result)
            self.check_events()
            sites = {finding["site"] for finding in frng.findings(self.folder / "found").values()}
            self.check_strings(list(sites))
            self.assertTrue(any(site and "\\x1b]0;title\\x07" in site for site in sites), sites)
        trace = self.replay("--trace", "--size", 3, "--seed", 1, OBSCENE, "--", 3, 0)
        self.assert_exit(trace, 1)
        self.assert_harmless(trace)
        self.assertIn("\\x1b", trace.stdout)

    def test_names_and_arguments_are_escaped_everywhere(self):
        name = self.folder / os.fsdecode(b"sut-" + DIRTY.replace(b"/", b""))
        self.copy_sut(frng.MODES, name)
        argument = os.fsdecode(DIRTY)
        sut = [name, "--", "says", 5, argument, argument]
        results = [
            self.search("--attempts", 2, "--findings", "found", "--json", "events", "--verbose", *sut),
            self.replay("--quiet", "--runs", 2, "--size", 5, "--seed", 1, *sut),
            self.replay("--runs", 2, "--size", 5, "--seed", 1, *sut),
            self.reduce("--size", 7, "--seed", 1, "--verbose", "--json", "reduced", *sut),
            self.search(os.fsdecode(b"./missing" + DIRTY)),
            self.replay("--input", os.fsdecode(DIRTY), frng.MODES),
            self.replay("--finding", os.fsdecode(DIRTY)),
            self.search("--findings", self.write(name.name + "-file", "") / argument, frng.MODES),
            self.search("--json", os.fsdecode(DIRTY + b"/no/such"), frng.MODES),
            self.search(os.fsdecode(b"--" + DIRTY), frng.MODES),
        ]
        for result, status in zip(results, (1, 1, 1, 1, 2, 129, 129, 2, 2, 2)):
            self.assert_exit(result, status, *((125, 4) if status != 1 else ()))
            self.assert_harmless(result)
        self.check_events("events")
        self.check_events("reduced")
        self.check_strings(list(frng.findings(self.folder / "found").values()))

    def test_a_finding_of_words_that_are_no_utf_8_resumes_and_replays(self):
        name = self.folder / os.fsdecode(b"sut-\xff")
        name.write_text('#!/bin/sh\n[ "$1" = "$(printf "\\\\377\\\\n.")" ] || exit 9\n'
                        '[ "$(wc -c)" -lt 3 ]\n')
        name.chmod(0o755)
        sut = ["./" + name.name, "--", os.fsdecode(b"\xff\n.")]
        self.assert_found(self.search("--attempts", 2, "--findings", "found", *sut), 3)
        again = self.search("--attempts", 2, "--findings", "found", *sut)
        self.assert_found(again, 3)
        self.assert_says(again, "known finding, size 3.*still fails")
        stored = "found/" + sorted(frng.findings(self.folder / "found"))[0]
        replayed = self.replay("--finding", stored)
        self.assert_exit(replayed, 1)
        self.assert_says(replayed, "exit:1")

    def test_predicates_and_reducers_are_escaped(self):
        dirt = "printf 'a\\033]0;title\\007b\\033[2J\\377\\302\\233\\r c\\n'"
        name = os.fsdecode(b"hay" + DIRTY)
        self.script("never", dirt + "; exit 1\n")
        self.script("always", dirt + '; grep -q needle "$1"\n')
        reducer = self.folder / os.fsdecode(b"reducer\x1b]0;title\x07\xff")
        reducer.write_text("#!/bin/sh\n" + dirt + "; " + dirt + ' >&2; exit 1\n')
        reducer.chmod(0o755)
        self.write(name, b"line\n" * 10 + b"needle\n")
        result = self.reduce("--predicate", "./never", name)
        self.assert_exit(result, 2)
        self.assert_harmless(result)
        result = self.reduce("--predicate", "./always", name, "--jobs", 1, "--verbose", "--json",
                             "events", "--reducer",
                             "./" + os.fsdecode(os.fsencode(reducer.name)) + " \x1b[31mred",
                             "--output", os.fsdecode(b"out" + DIRTY))
        self.assert_exit(result, 0)
        self.assert_harmless_but_result(result)
        self.check_events()

    def assert_harmless_but_result(self, result):
        self.assertIsNone(CONTROLS.search(result.stderr_bytes.decode("utf-8")), str(result))


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()

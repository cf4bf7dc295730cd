"""Hostile output: programs that write over what the driver reads, and whatever programs and their names
say. Damaged findings are in tests/unit/test_finding.c and tests/fuzz."""
# suites: sanitized; parts: 2

import itertools
import os
import pathlib
import re
import time

import frng
from test_signals import Terminal

LIAR = str(frng.SUTS / "sut-liar")
OBSCENE = str(frng.SUTS / "sut-obscene")
TOOLS = (frng.SEARCH, frng.REPLAY, frng.REDUCE)

# What no terminal should get, but the two that end lines and the one that tabulates.
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
# What the status line and the screen are made of, and what the terminal makes of line ends.
DISPLAY = re.compile(r"\r|\x1b\[(?:K|J|[0-9]+A|\?2026[hl]|\?25[hl]|0(?:;1|;3[1-6])?m)")
SCREEN_BEGIN = b"\x1b[?2026h"
# In a name or an argument, or printed by whoever prints.
DIRTY = b"a\x1b]0;title\x07b\x1b[2J\n\xff\xc2\x9b\r\xe2\x80\xae c"
TITLE = "\\x1b]0;title\\x07"  # of it, as it is shown


class Hostile(frng.Scenario):
    def assert_harmless(self, result, *streams):
        """The streams are UTF-8 that moves no cursor and colours nothing."""
        for text in streams or (result.stdout_bytes, result.stderr_bytes):
            self.assertIsNone(CONTROLS.search(text.decode("utf-8")), str(result))

    def check_strings(self, value):
        if isinstance(value, str):
            self.assertIsNone(CONTROLS.search(value), repr(value))
        for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            self.check_strings(item)

    def check_events(self, name="events"):
        """Every line is JSON in UTF-8, with strings that a terminal may have."""
        events = frng.json_lines((self.folder / name).read_bytes().decode("utf-8"))
        self.assertGreater(len(events), 1)
        self.check_strings(events)
        return events


class Scribbler(Hostile):
    """A program that writes over all of the report for its whole life."""

    KINDS = ("noise", "small", "ones", "draws", "wild")

    def test_the_verdict_is_right_and_all_text_harmless(self):
        for kind, mode in zip(self.KINDS[:4], itertools.cycle(("persistent", "fork", "spawn"))):
            sut = (LIAR, "--", kind, 9)
            result = self.search("--mode", mode, "--attempts", 5, "--timeout", "5s", "--json", "events",
                                 "--findings", f"found-{kind}", *sut)
            size, seed = self.assert_found(result, 9)
            self.assert_says(result, r"exit:3 at size 9\b")
            self.assert_harmless(result)
            self.check_events()
            self.assert_exit(self.replay("--size", size, "--seed", seed, *sut), 1)
        for kind, size in itertools.product(self.KINDS, (8, 9)):
            result = self.replay("--trace", "--size", size, "--seed", 1, LIAR, "--", kind, 9)
            self.assert_exit(result, int(size == 9))
            self.assert_harmless(result)
            self.assertRegex(result.stdout, r"\Aoffset ")

    def test_a_reduction_ends_with_what_fails(self):
        for kind in self.KINDS:
            result = self.reduce("--size", 12, "--seed", 1, "--calls", 60, "--timeout", "5s", "--output",
                                 "out", "--json", "events", LIAR, "--", kind, 9)
            self.assert_exit(result, 1, 3)
            self.assert_harmless(result)
            self.check_events()
            if result.exit == 1:
                self.assert_exit(self.replay("--input", "out", LIAR, "--", kind, 9), 1)


class Output(Hostile, Terminal):
    def peak_kib(self):
        """The most memory that any process of the driver has had."""
        largest = 0
        for pid in self.left_processes():
            try:
                status = pathlib.Path(f"/proc/{pid}/status").read_text()
                is_ours = os.readlink(f"/proc/{pid}/exe") in TOOLS
            except OSError:
                continue
            size = re.search(r"^VmHWM:\s*(\d+) kB$", status, re.MULTILINE)
            largest = max(largest, int(size[1]) if size and is_ours else 0)
        return largest

    def test_a_hundred_megabytes_leave_the_driver_small(self):
        # Each of some twenty reruns, whose output is kept, says 5 MiB.
        largest, process = 0, self.start(
            frng.SEARCH, "--attempts", 1, "--jobs", 1, "--size-max", 4, "--json", "events", "--findings",
            "found", OBSCENE, "--", 0, 5 * 1024, stdout=self.write("out", "").open("wb"),
            stderr=self.write("err", "").open("wb"),
            environment={"ASAN_OPTIONS": "quarantine_size_mb=1"})  # what was freed is not kept
        while process.poll() is None:
            largest = max(largest, self.peak_kib())
            time.sleep(0.02)
        said = (self.folder / "err").read_bytes()
        self.assertEqual(process.returncode, 1, said)
        self.assertIn(largest, range(1, 64 * 1024))
        self.assertLess(len(said), 300_000)  # 64 KiB, escaped, and once more as the report
        self.assert_harmless(said, said)
        done = self.check_events()[-1]
        self.assertLessEqual(len(done["output"]), 4 * 65536 + 64)
        self.assertIn(TITLE, done["output"])
        self.assertLess((self.folder / "events").stat().st_size, 2 * 4 * 65536 + 16384)  # in best and in done

    def test_a_terminal_gets_nothing_that_it_would_obey(self):
        seeded = ("--size", 9, "--seed", 1)
        for has_screen, *command in (
                (False, frng.SEARCH, "--attempts", 2, OBSCENE, "--", 3, 9),
                (False, frng.SEARCH, "--verbose", "--attempts", 2, OBSCENE, "--", 3, 9),
                (False, frng.REDUCE, "--verbose", *seeded, OBSCENE, "--", 3, 9),
                (False, frng.REPLAY, "--trace", *seeded, OBSCENE, "--", 3, 0),
                # Runs of 50 ms: the screen is due after 100 ms.
                (True, frng.SEARCH, "--attempts", 10, "--ui", "screen", "--jobs", 1, OBSCENE, "--", 3, 9,
                 50),
                (True, frng.REDUCE, *seeded, "--ui", "screen", "--jobs", 1, OBSCENE, "--", 3, 9, 50)):
            data = self.read_to_end(*self.on_terminal(*command))
            self.assertIn(TITLE.encode(), data, command)
            self.assertIsNone(CONTROLS.search(DISPLAY.sub("", data.decode("utf-8"))), data)
            self.assertTrue(SCREEN_BEGIN in data or not has_screen, data)

    def test_sites_and_notes_are_escaped_in_every_mode(self):
        for mode in ("spawn", "fork", "persistent"):
            result = self.search("--mode", mode, "--attempts", 2, "--findings", "found", "--json",
                                 "events", "--verbose", "--reduce", OBSCENE, "--", 3, 1)
            self.assert_exit(result, 1)
            self.assert_harmless(result)
            self.check_events()
            sites = [finding["site"] for finding in frng.findings(self.folder / "found").values()]
            self.check_strings(sites)
            self.assertTrue(any(site and TITLE in site for site in sites), sites)

    def test_names_and_arguments_are_escaped_everywhere(self):
        name = self.folder / os.fsdecode(b"sut-" + DIRTY.replace(b"/", b""))
        self.copy_sut(frng.MODES, name)
        argument = os.fsdecode(DIRTY)
        sut = [name, "--", "says", 5, argument, argument]
        seeded = ("--size", 5, "--seed", 1)
        for result, *statuses in (
                (self.search("--attempts", 2, "--findings", "found", "--json", "events", "--verbose",
                             *sut), 1),
                (self.replay("--quiet", "--runs", 2, *seeded, *sut), 1),
                (self.replay("--runs", 2, *seeded, *sut), 1),
                (self.reduce(*seeded, "--verbose", "--json", "reduced", *sut), 1),
                (self.search(os.fsdecode(b"./missing" + DIRTY)), 2),
                (self.replay("--input", argument, frng.MODES), 125, 129),
                (self.replay("--finding", argument), 129),
                (self.search("--findings", self.write(name.name + "-file", "") / argument, frng.MODES),
                 2, 4),
                (self.search("--json", os.fsdecode(DIRTY + b"/no/such"), frng.MODES), 2, 4),
                (self.search(os.fsdecode(b"--" + DIRTY), frng.MODES), 2)):
            self.assert_exit(result, *statuses)
            self.assert_harmless(result)
        self.check_events("events")
        self.check_events("reduced")
        self.check_strings(list(frng.findings(self.folder / "found").values()))

    def test_a_finding_of_words_that_are_no_utf_8_resumes_and_replays(self):
        name = self.folder / os.fsdecode(b"sut-\xff")
        name.write_text('#!/bin/sh\n[ "$1" = "$(printf "\\\\377\\\\n.")" ] || exit 9\n'
                        '[ "$(wc -c)" -lt 3 ]\n')
        name.chmod(0o755)
        command = ("--attempts", 2, "--findings", "found", "./" + name.name, "--",
                   os.fsdecode(b"\xff\n."))
        self.assert_found(self.search(*command), 3)
        again = self.search(*command)
        self.assert_found(again, 3)
        self.assert_says(again, "known finding, size 3.*still fails")
        replayed = self.replay("--finding", "found/" + min(frng.findings(self.folder / "found")))
        self.assert_exit(replayed, 1)
        self.assert_says(replayed, "exit:1")

    def test_predicates_and_reducers_are_escaped(self):
        dirt = "printf 'a\\033]0;title\\007b\\033[2J\\377\\302\\233\\r c\\n'"
        name = os.fsdecode(b"hay" + DIRTY)
        self.script("never", dirt + "; exit 1\n")
        self.script("always", dirt + '; grep -q needle "$1"\n')
        reducer = self.script(os.fsdecode(b"reducer\x1b]0;title\x07\xff"),
                              f"{dirt}; {dirt} >&2; exit 1\n")
        self.write(name, b"line\n" * 10 + b"needle\n")
        result = self.reduce("--predicate", "./never", name)
        self.assert_exit(result, 2)
        self.assert_harmless(result)
        result = self.reduce("--predicate", "./always", name, "--jobs", 1, "--verbose", "--json",
                             "events", "--reducer", f"./{reducer.name} \x1b[31mred", "--output",
                             os.fsdecode(b"out" + DIRTY))
        self.assert_exit(result, 0)
        self.assert_harmless(result, result.stderr_bytes)
        self.check_events()

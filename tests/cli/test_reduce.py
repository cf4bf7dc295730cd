"""frng-reduce: from an input that fails to a simple one, whatever happens on the way."""

import json
import os
import pathlib
import pty
import random
import re
import select
import signal
import time
import unittest

import frng

EXAMPLES = frng.BUILD / "examples"
SOURCE = pathlib.Path(__file__).resolve().parents[2]
DRAWS = str(frng.SUTS / "sut-draws")
ASSERT = str(frng.SUTS / "sut-assert")
DIRT = str(frng.SUTS / "sut-dirt")
REFERENCES = str(frng.SUTS / "sut-references")
EXTENTS = str(frng.SUTS / "sut-extents")
LEFT = str(frng.SUTS / "sut-left")
RUNAWAY = str(frng.SUTS / "sut-runaway")

SHORT = re.compile(r"size=(\d+) hex=((?:[0-9a-f]{2})*)\n")
LONG = re.compile(r"size=(\d+) (output|finding)=([^\n]*)\n")

# Fails from so many lower-case letters on, and otherwise with 3 where a Z is.
LETTERS = r"""
found=$(od -An -v -tx1 | grep -oE ' (6[1-9a-f]|7[0-9a]|5a)' | tr -d '\n')
[ $(printf %s "$found" | sed 's/ 5a//g' | wc -c) -lt $((3 * LETTERS)) ] || exit 1
case $found in *5a*) exit 3 ;; esac
"""
BRIEF = ("--explain", "no")  # of a program that is started for each run, it takes the most
SIMPLEST_LETTERS = "616161"  # three of them


def noise(size, seed=1):
    return random.Random(seed).randbytes(size)


class Reducing(frng.Scenario):
    def letters(self, count=3, seconds=0):
        return self.script("letters", f"sleep {seconds}\nLETTERS={count}\n{LETTERS}")

    def hex_of(self, result):
        """The hex of a short result."""
        self.assert_exit(result, 1)
        match = SHORT.fullmatch(result.stdout)
        self.assertIsNotNone(match, str(result))
        self.assertEqual(int(match[1]) * 2, len(match[2]), str(result))
        return match[2]

    def events(self, name="events"):
        return frng.latest(self.folder / name)


class Inputs(Reducing):
    def test_each_form_of_input_gives_the_same_result(self):
        size, seed = self.assert_found(self.search(ASSERT, "--rng-seed", 1, "--findings", "found"))
        finding = min(frng.findings(self.folder / "found"))
        dumped = self.replay("--size", size, "--seed", seed, "--dump").stdout_bytes
        self.write("bytes", dumped)
        results = {self.hex_of(self.reduce(*command)) for command in (
            [ASSERT, "--size", size, "--seed", seed],
            [ASSERT, "--input", "bytes"],
            [ASSERT, "--hex", dumped.hex()],
            [ASSERT, "--hex", dumped.hex().upper()],
            ["--finding", f"found/{finding}"],
            [ASSERT, "--finding", f"found/{finding}"])}
        with open(self.folder / "bytes", "rb") as stdin:
            results.add(self.hex_of(self.reduce(ASSERT, "--input", "-", stdin=stdin)))
        self.assertEqual(len(results), 1, results)

    def test_arguments_come_from_the_finding_or_the_command_line(self):
        self.assert_found(self.search("--findings", "found", *frng.modes("at-least", 5)), 5)
        finding = "found/" + min(frng.findings(self.folder / "found"))
        self.assertEqual(len(self.hex_of(self.reduce("--finding", finding, *BRIEF))), 2 * 5)
        result = self.reduce("--finding", finding, *BRIEF, "--", "at-least", "3")
        self.assertEqual(len(self.hex_of(result)), 2 * 3)

    def test_more_than_is_drawn_is_cut_off(self):
        self.assertEqual(len(self.hex_of(self.reduce(DRAWS, "--input", self.write(
            "bytes", b"\xff" * 4096)))), 18)

    def test_values_become_simple_and_not_only_bytes(self):
        result = self.reduce(ASSERT, "--hex", "ffffffff")
        traced = self.replay(ASSERT, "--hex", self.hex_of(result), "--trace")
        self.assertEqual(re.findall(r"(\d+)$", traced.stdout, re.MULTILINE)[-4:],
                         ["10", "172", "209", "209"], str(traced))

    def test_high_effort_tries_more_and_ends_no_higher(self):
        target = str(frng.BUILD / "tests" / "bench" / "challenges" / "expression")
        start = ["--hex", "ac015e7fac2c002c00", "--json", "-"]
        ends = [json.loads(self.reduce(target, *start, "--effort", effort).stdout.splitlines()[-1])
                for effort in ("normal", "high")]
        self.assertGreater(ends[1]["calls"], ends[0]["calls"])
        self.assertLessEqual(ends[1]["size"], ends[0]["size"])
        self.assertEqual(ends[1]["hex"], "ac2c00ac2c002c00")

    def test_references_stay_what_they_are_when_there_are_fewer_things(self):
        for mode in ("fork", "persistent"):
            for jobs in (1, 4):
                result = self.reduce(REFERENCES, "--hex", "c80302", "--mode", mode, "--jobs", jobs)
                self.assertEqual(self.hex_of(result), "03ab56")
        spawned = self.reduce(REFERENCES, "--hex", "c80302", "--mode", "spawn", *BRIEF)
        self.assert_exit(self.replay(REFERENCES, "--hex", self.hex_of(spawned)), 1)

    def test_what_uses_all_of_a_size_goes_on_so_when_the_size_grows(self):
        for mode in ("spawn", "fork", "persistent"):
            result = self.reduce(EXTENTS, "--hex", "c8ff96ff", "--mode", mode, *BRIEF)
            self.assertIn(self.hex_of(result), ("2dfbffff", "2dffffff"))  # both draw 45, 45, 255, 255

    def test_a_loop_that_draws_while_bytes_are_left_becomes_short(self):
        start = self.write("start", noise(200))
        for mode in ("fork", "persistent"):
            result = self.reduce(LEFT, "--input", start, "--mode", mode)
            self.assertEqual(len(self.hex_of(result)), len("2dfbffff"))

    def test_a_loop_without_its_end_is_no_smaller_failure(self):
        rounds = [bytes([1 + i % 70]) + noise(4, i) for i in range(450)]
        start = self.write("start", b"".join(rounds + [b"\x4dabcd", b"\xffabcd"]))
        for mode in ("fork", "persistent"):
            result = self.reduce(RUNAWAY, "--input", start, "--mode", mode)
            self.assertEqual(self.hex_of(result), "4d00000000ff00000000")

    def test_a_plain_program_is_reduced_by_its_bytes(self):
        start = self.write("start", noise(200) + b"word" + noise(50, 2))
        result = self.reduce(self.letters(), "--input", start, *BRIEF)
        self.assertEqual(self.hex_of(result), SIMPLEST_LETTERS)

    @frng.long
    def test_every_mode_gives_the_same_result(self):
        results = {mode: self.hex_of(self.reduce(ASSERT, "--hex", "f0fff1fe", "--mode", mode))
                   for mode in ("auto", "spawn", "fork", "persistent")}
        self.assertEqual(len(set(results.values())), 1, results)
        result = self.reduce(ASSERT, "--hex", "f0fff1fe", "--stdin", "pipe")
        self.assertEqual(self.hex_of(result), results["auto"])

    def test_any_number_of_jobs_gives_the_same_result(self):
        results = {jobs: self.hex_of(self.reduce(ASSERT, "--hex", "f0fff1fe", "--jobs", jobs))
                   for jobs in (1, 2, 8)}
        self.assertEqual(len(set(results.values())), 1, results)


class Examples(Reducing):
    def check(self, name):
        sut = EXAMPLES / name
        size, seed = self.assert_found(
            self.search(sut, "--rng-seed", 1, "--attempts", 20, "--findings", "found"))
        name = frng.finding_name(size, seed)
        before = frng.findings(self.folder / "found")[name]
        result = self.reduce("--finding", f"found/{name}", "--output", "reduced", "--findings",
                             "found", "--json", "events")
        self.assert_exit(result, 1)
        done = self.events()[-1]
        self.assertLessEqual(done["size"], size)
        self.assertEqual(done["identity"], before["identity"])
        self.assertEqual(done["site"], before["site"])
        bytes_ = (self.folder / "reduced").read_bytes()
        self.assertEqual(bytes_.hex(), done["hex"])
        kept = [name for name, finding in frng.findings(self.folder / "found").items()
                if finding.get("hex") == done["hex"]]
        self.assertEqual(len(kept), 1, str(result))
        for command in ([sut, "--hex", done["hex"]], [sut, "--input", "reduced"],
                        ["--finding", f"found/{kept[0]}"]):
            self.assert_exit(self.replay(*command, "--only", done["identity"]), 1)

    def test_a_finding_in_kvstore_is_reduced_and_replays(self):
        self.check("kvstore")

    def test_a_finding_in_consensus_is_reduced_and_replays(self):
        self.check("consensus")

    def test_a_search_with_reduce_does_both(self):
        result = self.search(ASSERT, "--reduce", "--rng-seed", 1, "--findings", "found",
                             "--json", "events")
        self.assert_exit(result, 1)
        first, second = result.stdout.splitlines(keepends=True)
        size, seed = frng.find_result(first)
        match = SHORT.fullmatch(second)
        self.assertIsNotNone(match, str(result))
        self.assertLessEqual(int(match[1]), size)
        ((name, kept),) = frng.findings(self.folder / "found").items()
        self.assertEqual((kept["hex"], kept["from_size"], kept["from_seed"]),
                         (match[2], size, str(seed)))
        lines = frng.json_lines((self.folder / "events").read_text())
        events = [event["event"] for event in lines]
        self.assertEqual((events.count("start"), events.count("done"), events[-1]), (2, 2, "done"))
        self.assertEqual(self.events()[-1]["hex"], match[2])
        del kept["from_size"]
        self.write(f"found/{name}", json.dumps(kept))
        again = self.search(ASSERT, "--attempts", 2, "--findings", "found")
        self.assert_exit(again, 1)
        self.assert_says(again, "no seed; use frng-replay or frng-reduce for those")

    def test_a_search_with_reduce_that_finds_nothing_reduces_nothing(self):
        self.assert_nothing_found(self.search("--reduce", "--attempts", 2, "--size-max", 64,
                                              *frng.modes("never")))


class Results(Reducing):
    def test_the_summary_has_the_replay_command(self):
        result = self.reduce(ASSERT, "--hex", "ffffffff")
        hex_ = self.hex_of(result)
        self.assert_says(result, r"signal:SIGABRT at \S*assert\.c:\d+, 4 -> 4 bytes",
                         rf"replay +\S*frng-replay \S*sut-assert --hex {hex_}\n", "--trace",
                         r"failed again \d+/\d+", r"\d calls and \d+ steps? in ")
        line = re.search(r"replay +(\S.*)\n", result.stderr)[1]
        self.assert_exit(self.run_tool("sh", "-c", line), 1)
        self.assert_plain(result)

    def test_options_and_arguments_are_in_the_replay_command(self):
        result = self.reduce("--hex", "0102", "--timeout", "9s", *frng.modes("at-least", 1))
        self.assert_says(result, "frng-replay [^\n]*sut-modes --hex 00 --timeout 9s -- at-least 1\n")
        self.assertNotIn("--trace", result.stderr)

    def test_quiet_leaves_the_result_line(self):
        result = self.reduce("-q", ASSERT, "--hex", "ffffffff")
        self.hex_of(result)
        self.assertEqual(result.stderr, "")

    def test_verbose_tells_what_each_pass_did(self):
        result = self.reduce("-v", "--hex", "1122334455", *frng.modes("at-least", 2))
        self.assertEqual(self.hex_of(result), "0000")
        self.assert_says(result, r"reducing 5 bytes of ", r"passes +calls +steps +bytes\n",
                         r"\n +[a-z-]+ +\d+ +\d+ +\d+\n")

    def test_a_long_result_is_in_the_file_that_was_asked_for(self):
        self.write("out", "something old")
        result = self.reduce("--input", self.write("in", noise(150)), "--output", "out",
                             *frng.modes("at-least", 100))
        self.assert_exit(result, 1)
        self.assertEqual(result.stdout, "size=100 output=out\n")
        self.assertEqual((self.folder / "out").read_bytes(), bytes(100))
        self.assert_says(result, "--input out")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["in", "out"])

    def test_a_long_result_is_in_the_finding(self):
        result = self.reduce("--input", self.write("in", noise(150)), "--findings", "found",
                             *frng.modes("at-least", 100))
        self.assert_exit(result, 1)
        match = LONG.fullmatch(result.stdout)
        self.assertEqual((match[1], match[2]), ("100", "finding"), str(result))
        self.assertEqual((self.folder / match[3]).parent, self.folder / "found")
        self.assert_exit(self.replay("--finding", match[3]), 1)

    def test_a_long_result_without_a_file_is_printed(self):
        result = self.reduce("--input", self.write("in", noise(150)), *frng.modes("at-least", 100))
        self.assert_exit(result, 1)
        self.assertEqual(result.stdout, f"size=100 hex={'00' * 100}\n")
        self.assert_says(result, "replay +give frng-replay the line on standard output\n")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["in"])
        self.assert_exit(self.replay(frng.MODES, result.stdout.strip(), "--", "at-least", "100"), 1)

    def test_a_long_result_of_a_finding_goes_into_a_new_file_beside_it(self):
        self.assert_found(self.search("--findings", "found", "--expand", "uniform", "--attempts", 1,
                                      *frng.modes("at-least", 100)))
        before = frng.findings(self.folder / "found")
        name = min(before)
        for path in (f"found/{name}.reduced", f"found/{name}.reduced-2"):
            result = self.reduce("--finding", f"found/{name}")
            self.assertEqual(result.stdout, f"size=100 output={path}\n", str(result))
            self.assertEqual((self.folder / path).read_bytes(), bytes(100))
            self.assert_says(result, f"--input {path}")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["found"])
        self.assertEqual(frng.findings(self.folder / "found"), before)

    def test_a_short_result_is_in_the_file_too(self):
        result = self.reduce("--hex", "0102", "--output", "out", *frng.modes("at-least", 1))
        self.assertEqual(self.hex_of(result), "00")
        self.assertEqual((self.folder / "out").read_bytes(), b"\0")

    def test_output_follows_a_link_and_fills_a_pipe(self):
        (self.folder / "place").mkdir()
        self.write("place/real", "old")
        (self.folder / "link").symlink_to("place/real")
        self.hex_of(self.reduce("--hex", "0102", "--output", "link", *frng.modes("at-least", 1)))
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertEqual((self.folder / "place" / "real").read_bytes(), b"\0")
        os.mkfifo(self.folder / "pipe")
        reader = self.start("cat", "pipe")
        self.hex_of(self.reduce("--hex", "0102", "--output", "pipe", *frng.modes("at-least", 1)))
        self.assertEqual(reader.communicate(timeout=60)[0], b"\0")
        self.assertTrue((self.folder / "pipe").is_fifo())

    def test_output_to_the_null_device_leaves_the_device(self):
        self.hex_of(self.reduce("--hex", "01", "--output", "/dev/null", *frng.modes("always")))
        self.assertTrue(pathlib.Path("/dev/null").is_char_device())

    def test_a_result_line_that_cannot_be_written_is_exit_4(self):
        with open("/dev/full", "wb") as full:
            result = self.reduce("--hex", "0102", *frng.modes("at-least", 1), stdout=full)
        self.assert_exit(result, 4)
        self.assert_says(result, "standard output: cannot be written", "--hex 00")


class Verdicts(Reducing):
    def test_what_never_fails_again_is_exit_3(self):
        for sut in (frng.modes("once", self.folder / "mark", 1),
                    [DIRT, "--", "once", "1", self.folder / "other"]):
            result = self.reduce("--hex", "0102", *sut)
            self.assert_exit(result, 3)
            self.assertEqual(result.stdout, "")
            self.assert_says(result, "inconclusive")

    def test_a_flaky_failure_ends_with_something_that_fails_at_times(self):
        for sut in (frng.modes("flaky", 60, 3), [DIRT, "--", "flaky", "3", "60"]):
            result = self.reduce("--hex", "0102030405060708", "--time", "60s", *sut)
            self.assert_exit(result, 1, 3)
            if result.exit == 3:
                continue
            match = SHORT.fullmatch(result.stdout)
            self.assertGreaterEqual(int(match[1]), 3, str(result))
            self.assert_exit(self.replay("--hex", match[2], "--runs", 100, *sut), 1)

    def test_a_program_that_draws_otherwise_in_each_run_comes_to_an_end(self):
        self.write("sut.c", """#include "frng_main.h"
            #include <sys/random.h>
            static bool test(frng *f) {
                uint8_t luck, x;
                uint16_t y;
                bool b;
                if (getrandom(&luck, 1, 0) != 1) return true;
                FRNG_TRY(frng_bool(f, &b));
                for (int i = 0; i < 3 + luck / 2 % 4; i++) {
                    if (luck % 2 == 0) FRNG_TRY(frng_u8_max(f, 99, &x));
                    else FRNG_TRY(frng_u16(f, &y));
                }
                abort();
            }
            FRNG_MAIN(test)""")
        made = self.run_tool("cc", "-std=gnu11", "-I", SOURCE / "frng", "sut.c", "-o", "sut")
        self.assert_exit(made, 0)
        for mode in ("auto", "spawn", "persistent"):
            result = self.reduce("./sut", "--input", self.write("in", noise(64)), "--mode", mode,
                                 "--time", "60s", *BRIEF)
            self.assert_exit(result, 1, 3)
            self.assertLess(result.seconds, 60)

    def test_a_hang_is_a_failure_as_any(self):
        result = self.reduce("--hex", "0102", "--timeout", "300ms", *frng.modes("hangs", 1))
        self.assertEqual(self.hex_of(result), "00")
        self.assert_says(result, "timeout")


class OtherFailures(Reducing):
    TWO = ("--hex", "01" * 30, *frng.modes("two", 5, 20))  # from 20 bytes on exit:3

    def test_another_failure_is_saved_and_printed(self):
        result = self.reduce("--findings", "found", *self.TWO)
        self.assertEqual(self.hex_of(result), "00" * 20)
        kept = frng.findings(self.folder / "found")
        others = [finding for finding in kept.values() if finding["identity"] == "signal:SIGABRT"]
        self.assertTrue(others, str(result))
        self.assert_says(result, r"also +signal:SIGABRT, \d+ bytes?\n +\S*frng-replay \S* --hex ")
        for finding in others:
            self.assertLess(len(finding["hex"]), 40)
        for name in kept:
            self.assert_exit(self.replay("--finding", f"found/{name}"), 1)

    def test_any_failure_takes_the_simplest_of_all(self):
        self.assertEqual(self.hex_of(self.reduce("--any-failure", *self.TWO)), "00" * 5)

    def test_a_failure_does_not_slip_into_another(self):
        result = self.reduce(self.letters(), "--hex", b"ab\x01Z\x02cde".hex(), *BRIEF)
        self.assertEqual(self.hex_of(result), SIMPLEST_LETTERS)


class Ends(Reducing):
    def slow(self):
        """A reduction that takes minutes, and its folder gets bests all the time."""
        self.write("start", noise(3000))
        return [frng.REDUCE, self.letters(100, 0.05), "--input", "start", "--output", "out",
                "--findings",
                "found", "--json", "events", "--jobs", "2"]

    def best_event(self):
        path = self.folder / "events"
        return path.exists() and '"event":"best"' in path.read_text()

    def check_output(self, result):
        bytes_ = (self.folder / "out").read_bytes()
        self.assertLessEqual(len(bytes_), 3000, str(result))
        self.assert_exit(self.replay("./letters", "--input", "out"), 1)

    def test_time_that_is_spent_leaves_the_best(self):
        result = self.run_tool(*self.slow(), "--time", "3s")
        self.assert_exit(result, 1)
        done = self.events()[-1]
        self.assertEqual((done["outcome"], done["complete"]), ("fail", False))
        self.assert_says(result, "reduced so far")
        self.check_output(result)

    def test_calls_that_are_spent_leave_the_best(self):
        result = self.run_tool(*self.slow(), "--calls", "40")
        self.assert_exit(result, 1)
        done = self.events()[-1]
        self.assertEqual((done["outcome"], done["complete"]), ("fail", False))
        self.assertLessEqual(done["calls"], 40 + 2 * 64)

    def test_one_call_shows_nothing(self):
        result = self.reduce("--hex", "0102", "--calls", "1", *frng.modes("always"))
        self.assert_exit(result, 3)
        self.assert_says(result, "stopped before the input had failed twice")

    def test_a_signal_reports_the_best_and_then_kills(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number=number):
                process = self.start(*self.slow())
                self.assertTrue(frng.wait_until(self.best_event))
                process.send_signal(number)
                stdout, stderr = process.communicate(timeout=60)
                result = frng.Result(process.args, process.returncode, stdout, stderr, 0)
                self.assert_exit(result, -number)
                done = self.events()[-1]
                self.assertEqual((done["event"], done["outcome"]), ("done", "interrupted"))
                self.assertEqual(result.stdout, f"size={done['size']} output=out\n")
                self.assertEqual((self.folder / "out").stat().st_size, done["size"])
                self.assert_says(result, "reduced so far")
                self.check_output(result)
                (self.folder / "events").unlink()

    def test_a_signal_before_the_first_run_has_ended_leaves_nothing(self):
        process = self.start(frng.REDUCE, "--hex", "01", "--timeout", "1h", *frng.modes("ignores"))
        time.sleep(0.5)
        process.terminate()
        stdout, stderr = process.communicate(timeout=60)
        self.assertEqual((process.returncode, stdout), (-signal.SIGTERM, b""), stderr)

    def test_a_kill_at_any_instant_leaves_the_best_whole(self):
        chance = random.Random(7)
        command = self.slow()
        for i in range(6):
            process = self.start(*command)
            if i == 0:
                self.assertTrue(frng.wait_until(self.best_event))
            else:
                time.sleep(chance.uniform(0.05, 2.5))
            process.kill()
            process.communicate(timeout=60)
            bests = [event for event in self.events() if event["event"] == "best"] \
                if (self.folder / "events").exists() else []
            self.assertTrue(bests or i > 0)
            if bests:
                self.assertLessEqual((self.folder / "out").stat().st_size, bests[-1]["size"])
            if (self.folder / "out").exists():
                self.check_output(process.args)
            folder = self.folder / "found"
            for name in frng.findings(folder) if folder.exists() else {}:
                self.assert_exit(self.replay("--finding", f"found/{name}"), 1)
            for path in (self.folder / "events", self.folder / "out"):
                path.unlink(missing_ok=True)
            self.assertTrue(frng.wait_until(lambda: not self.left_processes(), 30))

    def test_a_terminal_gets_one_line_that_is_rewritten(self):
        master, slave = pty.openpty()
        process = self.start(*self.slow(), stderr=slave)
        os.close(slave)
        seen, end = b"", time.monotonic() + frng.PATIENCE_S
        while b" calls | " not in seen and time.monotonic() < end:
            if select.select([master], [], [], 1)[0]:
                seen += os.read(master, 4096)
        process.kill()
        process.communicate(timeout=60)
        os.close(master)
        self.assertRegex(seen.decode(), r"\r[\d,]+ bytes \| [\d,]+ calls \| [\d,]+/s \| [a-z-]+ \| ")

    def test_a_killed_reduction_leaves_no_process(self):
        process = self.start(frng.REDUCE, "--hex", "01", "--timeout", "1h", *frng.modes("ignores"))
        time.sleep(0.5)
        process.kill()
        process.communicate(timeout=60)
        self.assertTrue(frng.wait_until(lambda: not self.left_processes(), 30))


class Events(Reducing):
    def events_of(self, *arguments, expected=1):
        result = self.reduce("--json", "-", *arguments)
        self.assert_exit(result, expected)
        events = frng.json_lines(result.stdout)
        self.assertEqual((events[0]["event"], events[-1]["event"]), ("start", "done"))
        self.assertEqual([event["event"] for event in events].count("done"), 1)
        return events

    def test_start_best_and_done_have_every_field(self):
        events = self.events_of(ASSERT, "--hex", "ffffffff" * 100, "--jobs", 1)
        self.assertLessEqual({"event", "sut", "args", "version", "mode", "size", "jobs",
                              "containment"}, set(events[0]))
        self.assertEqual((events[0]["size"], events[0]["jobs"]), (400, 1))
        fields = {"event", "size", "hex", "identity", "flaky", "site", "output", "calls",
                  "successes", "seconds", "mode"}
        done = events[-1]
        self.assertGreater(len(events), 2)
        for event in events[1:-1]:
            self.assertIn(event["event"], ("best", "step"))
            if event["event"] == "best":
                self.assertLessEqual(fields, set(event))
        self.assertLessEqual(fields | {"outcome", "complete", "passes", "explanation"}, set(done))
        self.assertEqual((done["outcome"], done["size"], done["identity"], done["mode"]),
                         ("fail", 4, "signal:SIGABRT", "persistent"))
        self.assertIs(done["complete"], True)
        self.assertIs(done["flaky"], False)
        self.assertRegex(done["site"], r"assert\.c:\d+$")
        self.assertTrue(done["passes"])
        for part in done["passes"]:
            self.assertEqual(set(part), {"name", "calls", "successes", "bytes"})
        self.assertLessEqual(sum(part["calls"] for part in done["passes"]), done["calls"])

    def test_steps_say_what_changed_and_lead_to_the_result(self):
        bytes_now = bytes.fromhex("ffffffff" * 100)
        events = self.events_of(ASSERT, "--hex", bytes_now.hex(), "--jobs", 1)
        steps = [event for event in events if event["event"] == "step"]
        self.assertEqual([event["successes"] for event in steps], [*range(1, len(steps) + 1)])
        self.assertEqual(len(steps), events[-1]["successes"])
        self.assertEqual(steps[-1]["size"], events[-1]["size"])
        bests = [event for event in events if event["event"] == "best"]
        self.assertEqual((steps[-1]["draws"], steps[-1]["rank"]),
                         (bests[-1]["draws"], bests[-1]["rank"]))
        for step, after in zip(steps, steps[1:]):
            change = after["change"]
            self.assertEqual(after["size"],
                             step["size"] - change["removed"] + change["inserted"])
            self.assertEqual(len(change["before"]), 2 * min(change["removed"], 32))
            self.assertIn(after["pass"], [part["name"] for part in events[-1]["passes"]])

    def test_an_input_that_passes_is_outcome_pass(self):
        done = self.events_of("--hex", "00", *frng.modes("never"), expected=0)[-1]
        self.assertEqual(done["outcome"], "pass")
        for field in ("size", "hex", "identity", "flaky", "site"):
            self.assertIsNone(done[field])

    def test_what_did_not_repeat_is_outcome_inconclusive(self):
        done = self.events_of("--hex", "00", *frng.modes("once", self.folder / "mark", 1),
                              expected=3)[-1]
        self.assertEqual(done["outcome"], "inconclusive")

    def test_a_large_result_has_no_hex(self):
        start = self.write("in", noise(5000))
        for size in (4096, 4097):
            done = self.events_of("--input", start, "--output", "out",
                                  *frng.modes("at-least", size))[-1]
            self.assertEqual((done["size"], done["hex"]),
                             (size, "00" * 4096 if size == 4096 else None))

    def test_another_failure_is_an_event(self):
        others = [event for event in self.events_of(*OtherFailures.TWO)
                  if event["event"] == "other"]
        self.assertEqual({event["identity"] for event in others}, {"signal:SIGABRT"})

    def test_a_program_that_cannot_be_started_is_outcome_error(self):
        sut = self.write("sut", "#!/no/such/interpreter\n", executable=True)
        done = self.events_of(sut, "--hex", "00", expected=2)[-1]
        self.assertEqual(done["outcome"], "error")


class Messages(Reducing):
    def test_findings_that_cannot_be_stored_are_exit_4_and_still_printed(self):
        (self.folder / "found").mkdir(mode=0o555)
        result = self.reduce("--hex", "0102", "--findings", "found", *frng.modes("at-least", 1),
                             preexec_fn=frng.without_power_over_files)
        self.assert_exit(result, 4)
        self.assertEqual(result.stdout, "size=1 hex=00\n")
        self.assert_says(result, "could not be stored", "--hex 00")

    def test_an_output_that_cannot_be_written_is_refused_before_any_run(self):
        (self.folder / "place").mkdir(mode=0o555)
        result = self.reduce("--hex", "0102", "--output", "place/out", *frng.modes("always"),
                             preexec_fn=frng.without_power_over_files)
        self.assert_one_line(result, 2, "place/out: cannot be written")


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()

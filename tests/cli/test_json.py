"""--json: JSON Lines for programs."""

import datetime
import hashlib
import os
import pathlib
import time
import unittest

import frng


class Json(frng.Scenario):
    def events_of(self, *arguments, expected=1, **more):
        result = self.search("--json", "-", *arguments, **more)
        self.assert_exit(result, expected)
        self.assertTrue(result.stdout.endswith("\n"), str(result))
        events = frng.json_lines(result.stdout)
        for event in events:
            self.assertIn(event["event"], ("start", "size", "tested", "best", "other", "done"))
        self.assertEqual(events[0]["event"], "start")
        self.assertEqual([event["event"] for event in events].count("done"), 1)
        self.assertEqual(events[-1]["event"], "done")
        return events

    def test_bests_get_smaller_and_end_at_done(self):
        events = self.events_of("--attempts", 10, *frng.modes("staircase"))
        bests = [event for event in events if event["event"] == "best"]
        sizes = [event["size"] for event in bests]
        self.assertEqual(sizes, sorted(set(sizes), reverse=True))
        for field in ("size", "seed", "identity"):
            self.assertEqual(bests[-1][field], events[-1][field])
        for field in ("runs", "seconds"):
            values = [event[field] for event in [*bests, events[-1]]]
            self.assertEqual(values, sorted(values))

    def test_a_file_leaves_the_result_line(self):
        result = self.search("--json", "events", "--attempts", 5, frng.MODES)
        found = self.assert_found(result, 41)
        done = frng.json_lines((self.folder / "events").read_text())[-1]
        self.assertEqual((done["size"], done["seed"]), found)

    def test_an_interrupted_search_is_outcome_interrupted(self):
        process = self.start(frng.SEARCH, "--json", "events", "--attempts", 10000000,
                             *frng.modes("at-least", 3))
        self.assertTrue(frng.wait_until(lambda: self.has_best(3)))
        process.terminate()
        _, stderr = process.communicate(timeout=60)
        done = frng.json_lines((self.folder / "events").read_text())[-1]
        self.assertEqual((done["event"], done["outcome"]), ("done", "interrupted"), stderr)
        self.assertEqual(done["size"], 3)

    def test_lines_are_there_as_soon_as_they_are_true(self):
        process = self.start(frng.SEARCH, "--json", "events", "--attempts", 10000000,
                             *frng.modes("at-least", 3))
        seen = frng.wait_until(lambda: self.has_best(3))
        self.assertIsNone(process.poll())
        process.kill()
        process.communicate()
        self.assertTrue(seen)

    def test_a_file_that_is_there_is_not_mixed_with_old_lines(self):
        self.write("events", "something old\n" * 1000)
        self.search("--json", "events", "--attempts", 2, frng.MODES)
        events = (self.folder / "events").read_text().split("something old\n")[-1]
        self.assertEqual(frng.json_lines(events)[0]["event"], "start")
        self.assertEqual(frng.json_lines(events)[-1]["event"], "done")

    def begun(self, text):
        """The tasks that the events of a file tell the start of, in order."""
        return [event["task"] for event in frng.json_lines(text) if event["event"] == "start"]

    def test_each_tool_goes_on_where_the_last_one_ended(self):
        at = ("--size", 41, "--seed", 1)
        pieces = [""]
        for tool, arguments in ((frng.SEARCH, ("--attempts", 2)), (frng.REPLAY, at),
                                (frng.REDUCE, at), (frng.SEARCH, ("--attempts", 2))):
            result = self.run_tool(tool, "--json", "events", *arguments, frng.MODES)
            self.assert_exit(result, 1)
            pieces.append((self.folder / "events").read_text())
            self.assertTrue(pieces[-1].startswith(pieces[-2]), "what was there has changed")
        self.assertEqual(self.begun(pieces[-1]), ["search", "replay", "reduce", "search"])

    def test_the_torn_line_of_one_that_was_killed_is_ended_first(self):
        self.search("--json", "events", "--attempts", 2, frng.MODES)
        before = (self.folder / "events").read_text()
        self.write("events", before + '{"event":"best","sch')
        for tool in (frng.SEARCH, frng.REPLAY, frng.REDUCE):
            torn = (self.folder / "events").read_text()
            self.run_tool(tool, "--json", "events", "--size" if tool != frng.SEARCH else "--jobs",
                          1, *(("--seed", 1) if tool != frng.SEARCH else ("--attempts", 1)),
                          *frng.modes("exit", 3))
            text = (self.folder / "events").read_text()
            self.assertTrue(text.startswith(torn + "\n"), "no end of the torn line")
            self.assertEqual(len(self.begun(text[len(torn) + 1:])), 1)
            self.assertNotIn("\n\n", text)
            self.write("events", text + '{"torn')
        (self.folder / "events").unlink()  # not what the schema says

    def test_lines_of_several_searches_at_once_do_not_mix(self):
        running = [self.start(frng.SEARCH, "--json", "events", "--attempts", 300, "--jobs", 1,
                              *frng.modes("staircase")) for _ in range(3)]
        for process in running:
            process.communicate(timeout=frng.PATIENCE_S)
        text = (self.folder / "events").read_text()
        self.assertEqual(self.begun(text), ["search"] * 3)
        self.assertEqual(sum(e["event"] == "done" for e in frng.json_lines(text)), 3)

    def test_a_file_that_cannot_be_read_is_written_all_the_same(self):
        self.write("events", "{\"torn").chmod(0o200)
        result = self.search("--json", "events", "--attempts", 2, frng.MODES,
                             preexec_fn=frng.without_power_over_files)
        self.assert_found(result, 41)
        (self.folder / "events").chmod(0o600)
        text = (self.folder / "events").read_text()
        self.assertEqual(self.begun(text.removeprefix('{"torn\n')), ["search"])
        (self.folder / "events").unlink()

    def test_a_device_and_a_pipe_take_events_as_ever(self):
        result = self.search("--json", "/dev/null", "--attempts", 2, frng.MODES)
        self.assert_found(result, 41)
        os.mkfifo(self.folder / "pipe")
        process = self.start(frng.SEARCH, "--json", "pipe", "--attempts", 2, frng.MODES)
        self.assertEqual(self.begun((self.folder / "pipe").read_text()), ["search"])
        process.communicate(timeout=frng.PATIENCE_S)
        self.assertEqual(process.returncode, 1)

    def test_the_runs_of_all_sizes_add_up_to_those_of_the_search(self):
        for mode in (["at-least", 30], ["never"]):
            events = self.events_of("--attempts", 50, "--size-max", 256, *frng.modes(*mode),
                                    expected=1 if mode != ["never"] else 0)
            tested = [event for event in events if event["event"] == "tested"]
            self.assertEqual(sum(event["runs"] for event in tested), events[-1]["runs"])
            below = [event for event in tested if event["size"] < 30]
            self.assertEqual(sum(event["failures"] for event in below), 0)
            self.assertEqual(any(event["failures"] for event in tested), mode != ["never"])

    def test_the_start_says_who_ran_what_when_and_with_which_limits(self):
        start = self.events_of("--attempts", 2, "--timeout", "3s", "--time", "1m", "--memory",
                               "1G", *frng.modes("at-least", 3))[0]
        self.assertEqual((start["tool"], start["task"], start["schema"]),
                         ("frng-search", "search", 1))
        self.assertEqual((start["timeout"], start["time"], start["memory"]), (3, 60, 1 << 30))
        self.assertEqual(start["argv"][1:3], ["--json", "-"])
        self.assertEqual(start["args"], ["at-least", "3"])
        self.assertEqual(start["host"], os.uname().nodename)
        when = datetime.datetime.strptime(start["when"], "%Y-%m-%dT%H:%M:%S%z")
        self.assertLess(abs(time.time() - when.timestamp()), 60)
        digest = hashlib.blake2b(pathlib.Path(frng.MODES).read_bytes(), digest_size=32)
        self.assertEqual(start["digest"], digest.hexdigest())

    def test_the_end_has_the_claim_and_a_command_that_replays_the_best(self):
        for arguments in ([], ["--all"]):
            done = self.events_of("--attempts", 20, "--size-max", "1K", *arguments,
                                  *frng.modes("at-least", 7))[-1]
            self.assertEqual(done["below"], 6)
            self.assertGreaterEqual(done["passed"], 20)
            self.assertTrue(0 < done["bound"] < 1)
            self.assertEqual((done["confidence"], done["end"]), (0.95, "complete"))
            self.assert_exit(self.run_tool("sh", "-c", done["replay"]), 1)
        done = self.events_of("--attempts", 20, "--size-max", 64, *frng.modes("never"),
                              expected=0)[-1]
        self.assertEqual((done["below"], done["replay"], done["also"]), (None, None, []))
        self.assertEqual((done["tested"]["runs"], done["tested"]["largest"]), (20, 64))

    def test_names_that_are_no_utf_8_are_written_as_json_all_the_same(self):
        name = self.folder / b"sut-\xff\xfe".decode("utf-8", "surrogateescape")
        self.copy_sut(frng.MODES, name)
        result = self.search("--json", "events", "--findings", "found", "--attempts", 2, name,
                             "--", "says", 41, b"\xff".decode("utf-8", "surrogateescape"), "x")
        self.assert_found(result, 41)
        self.assertTrue(frng.json_lines((self.folder / "events").read_text()))
        self.assertTrue(frng.findings(self.folder / "found"))


class Life(frng.Scenario):
    """A tool whose runs hang for an hour shows each minute that it lives."""

    @frng.long
    @frng.unsanitized
    def test_there_is_a_line_each_minute_whatever_the_tool_waits_for(self):
        hangs = self.script("hangs", "exec sleep 4000\n")
        # It fails at first, and hangs on each smaller file: as a candidate, not as the first check.
        self.script("slow", '[ "$(wc -c < "$1")" -ge 4 ] || exec sleep 4000\n')
        self.script("once", '[ "$(wc -c)" -lt 4 ] && exec sleep 4000\nexit 1\n')
        self.write("file", b"four")
        hour = ("--timeout", "1h", "--jobs", 1)
        commands = {
            "search": (frng.SEARCH, *hour, hangs),
            "first": (frng.REDUCE, *hour, "--size", 4, "--seed", 1, hangs),
            "candidates": (frng.REDUCE, *hour, "--size", 4, "--seed", 1, "./once"),
            "check": (frng.REDUCE, *hour, "--predicate", hangs, "file", "--output", "checked"),
            "replay": (frng.REPLAY, "--timeout", "1h", "--hex", "00", hangs),
            "file": (frng.REDUCE, *hour, "--predicate", "./slow", "file"),
        }
        running = [self.start(tool, "--json", f"{name}.jsonl", *more)
                   for name, (tool, *more) in commands.items()]
        for name, process in zip(commands, running):
            with self.subTest(name=name):
                path = self.folder / f"{name}.jsonl"
                shows = lambda: path.exists() and '"alive"' in path.read_text()
                self.assertTrue(frng.wait_until(lambda: shows() or process.poll() is not None))
                alive = [e for e in frng.latest(path) if e["event"] == "alive"]
                self.assertLessEqual(alive[0]["seconds"], 60)
        for process in running:
            process.terminate()
            process.communicate(timeout=frng.PATIENCE_S)


class Replays(frng.Scenario):
    def events_of(self, *arguments, expected):
        result = self.replay("--json", "-", *arguments)
        self.assert_exit(result, expected)
        return frng.json_lines(result.stdout)

    def compile(self, source):
        self.write("sut.c", source)
        headers = pathlib.Path(__file__).resolve().parents[2] / "frng"
        made = self.run_tool("cc", "-std=gnu11", "-I", headers, "sut.c", "-o", "sut")
        self.assert_exit(made, 0)
        return "./sut"

    def test_each_draw_is_an_event_with_its_note_and_step(self):
        program = self.compile("""
            #include <frng_main.h>
            #include <frng_more.h>
            static bool test(frng *f) {
                uint8_t x;
                int32_t y;
                bool b;
                frng_note(f, "lone");
                frng_step(f, "push");
                frng_note(f, "key");
                FRNG_TRY(frng_u8_max(f, 99, &x));
                FRNG_TRY(frng_bool(f, &b));
                frng_step(f, "empty");
                frng_step(f, "push");
                FRNG_TRY(frng_i32(f, &y));
                return true;
            }
            FRNG_MAIN(test)
            """)
        _, run, *draws, done = self.events_of("--hex", "0501fffffffe", "--trace", program,
                                              expected=0)
        self.assertEqual((run["outcome"], done["outcome"], done["records"]), ("pass", "pass", 8))
        key, coin, number = draws
        self.assertEqual([draw["number"] for draw in draws], [1, 2, 3])
        self.assertEqual((key["note"], key["step"], key["step_number"], key["notes"]),
                         ("key", "push", 1, ["lone"]))
        self.assertEqual((key["offset"], key["bytes"], key["kind"], key["min"], key["max"],
                          key["value"]), (0, "05", "u8 0..99", "0", "99", "1"))
        self.assertEqual((coin["note"], coin["step"], coin["step_number"], coin["min"]),
                         (None, None, 1, None))
        self.assertEqual((number["step"], number["step_number"], number["notes"]),
                         ("push", 3, ["empty"]))
        self.assertEqual((number["offset"], number["size"], number["min"], number["max"]),
                         (2, 4, "-2147483648", "2147483647"))

    def test_draws_agree_with_the_table_of_the_trace(self):
        command = ["--size", 40, "--seed", 7, "--trace", frng.SUTS / "sut-state", "--",
                   "shows"]
        table = self.replay("--json", "events", *command).stdout.splitlines()[1:]
        events = frng.json_lines((self.folder / "events").read_text())
        draws = [event for event in events if event["event"] == "draw"]
        self.assertEqual([draw["offset"] for draw in draws],
                         [int(row.split()[0]) for row in table if row[:6].strip().isdigit()])
        self.assertTrue(draws)

    def test_an_input_has_its_seed_or_its_file_in_the_replay_command(self):
        self.write("in", b"x" * 5000)
        start, *_, done = self.events_of("--input", "in", *frng.modes("at-least", 3), expected=1)
        self.assertEqual((start["size"], start["hex"]), (5000, None))
        self.assertIn("--input in", done["replay"])
        start, *_, done = self.events_of("--size", 8, "--seed", "9s", *frng.modes("at-least", 3),
                                         expected=1)
        self.assertEqual((start["seed"], start["hex"]), ("9s", None))
        self.assertIn("--size 8 --seed 9s", done["replay"])

    def test_the_program_is_not_written_over(self):
        sut = self.copy_sut(frng.MODES, "sut")
        before = sut.read_bytes()
        result = self.replay("--hex", "00", "--json", "sut", "./sut", "--", "never")
        self.assert_one_line(result, 125, "is .*sut itself")
        self.assertEqual(sut.read_bytes(), before)


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()

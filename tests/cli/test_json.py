"""--json: files, pipes and times of events; what lines hold is in tests/transcripts/events.t."""

import datetime
import hashlib
import os
import pathlib
import time

import frng


class Json(frng.Scenario):
    def events_of(self, *arguments, expected=1):
        result = self.search("--json", "-", *arguments)
        self.assert_exit(result, expected)
        events = frng.json_lines(result.stdout)
        self.assertEqual([event["event"] for event in (events[0], events[-1])], ["start", "done"])
        return events

    def begun(self, text):
        """The tasks that the events of a file tell the start of, in order."""
        return [event["task"] for event in frng.json_lines(text) if event["event"] == "start"]

    def test_lines_are_there_as_soon_as_they_are_true(self):
        for end, outcome in (("terminate", "interrupted"), ("kill", None)):
            process = self.start(frng.SEARCH, "--json", end, "--attempts", 10000000,
                                 *frng.modes("at-least", 3))
            self.assertTrue(frng.wait_until(lambda: self.has_best(3, end)))
            self.assertIsNone(process.poll())
            getattr(process, end)()
            process.communicate(timeout=frng.PATIENCE_S)
            last = frng.json_lines((self.folder / end).read_text())[-1]
            self.assertEqual(last.get("outcome"), outcome)

    def test_each_tool_goes_on_where_the_last_one_ended_or_was_killed(self):
        text, tasks = "something old\n" * 1000, []
        at = ("--size", 41, "--seed", 1)
        for task, tool, arguments in (("search", frng.SEARCH, ("--attempts", 2)),
                                      ("replay", frng.REPLAY, at), ("reduce", frng.REDUCE, at),
                                      ("search", frng.SEARCH, ("--attempts", 2))):
            tasks.append(task)
            self.write("events", text)
            self.assert_exit(self.run_tool(tool, "--json", "events", *arguments, frng.MODES), 1)
            now = (self.folder / "events").read_text()
            self.assertTrue(now.startswith(text if text.endswith("\n") else text + "\n"))
            self.assertNotIn("\n\n", now)
            self.assertEqual(self.begun(now[len(text):].lstrip("\n")), [task])
            text = now + '{"torn'
        (self.folder / "events").unlink()  # not what the schema says

    def test_what_cannot_be_read_a_device_and_a_pipe_take_events_as_ever(self):
        self.write("events", "{\"torn").chmod(0o200)
        result = self.search("--json", "events", "--attempts", 2, frng.MODES,
                             preexec_fn=frng.without_power_over_files)
        self.assert_found(result, 41)
        (self.folder / "events").chmod(0o600)
        text = (self.folder / "events").read_text()
        self.assertEqual(self.begun(text.removeprefix('{"torn\n')), ["search"])
        (self.folder / "events").unlink()
        self.assert_found(self.search("--json", "/dev/null", "--attempts", 2, frng.MODES), 41)
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
            self.assertEqual(any(event["failures"] for event in tested), mode != ["never"])

    def test_the_start_says_who_ran_what_when_and_with_which_limits(self):
        start, *_, done = self.events_of("--attempts", 2, "--timeout", "3s", "--time", "1m",
                                         "--memory", "1G", *frng.modes("at-least", 3))
        self.assertEqual((start["timeout"], start["time"], start["memory"]), (3, 60, 1 << 30))
        self.assertEqual(start["argv"][1:3], ["--json", "-"])
        self.assertEqual(start["args"], ["at-least", "3"])
        self.assertEqual(start["host"], os.uname().nodename)
        when = datetime.datetime.strptime(start["when"], "%Y-%m-%dT%H:%M:%S%z")
        self.assertLess(abs(time.time() - when.timestamp()), 60)
        digest = hashlib.blake2b(pathlib.Path(frng.MODES).read_bytes(), digest_size=32)
        self.assertEqual(start["digest"], digest.hexdigest())
        self.assert_exit(self.run_tool("sh", "-c", done["replay"]), 1)


class Life(frng.Scenario):
    """A tool whose runs hang for an hour shows each minute that it lives."""

    @frng.long
    def test_there_is_a_line_each_minute_whatever_the_tool_waits_for(self):
        hangs = self.script("hangs", "exec sleep 4000\n")
        # It fails at first, and hangs on each smaller file: as a candidate, not as the first check.
        self.script("slow", '[ "$(wc -c < "$1")" -ge 4 ] || exec sleep 4000\n')
        self.script("once", '[ "$(wc -c)" -lt 4 ] && exec sleep 4000\nexit 1\n')
        self.write("file", b"four")
        hour = ("--timeout", "1h", "--jobs", 1)
        commands = {
            "search": (frng.SEARCH, *hour, hangs),
            "candidates": (frng.REDUCE, *hour, "--size", 4, "--seed", 1, "./once"),
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
    def test_an_input_has_its_seed_or_its_file_in_the_replay_command(self):
        for size in (4096, 4097):
            self.write(str(size), b"x" * size)
        for arguments, says in ((("--input", 4096), {"size": 4096, "seed": None, "hex": "78" * 4096}),
                                (("--input", 4097), {"size": 4097, "seed": None, "hex": None}),
                                (("--size", 8, "--seed", "9s"), {"seed": "9s", "hex": None})):
            result = self.replay("--json", "-", *arguments, *frng.modes("at-least", 3))
            start, *_, done = frng.json_lines(result.stdout)
            self.assertEqual(start, {**start, **says})
            self.assertIn(" ".join(map(str, arguments)), done["replay"])

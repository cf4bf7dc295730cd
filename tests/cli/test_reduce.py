"""frng-reduce: examples, budgets, signals and kills, and its events. What results look like is in
tests/transcripts/reduce.t."""
# suites: sanitized; parts: 2

import random
import re
import signal

import frng

ASSERT = str(frng.SUTS / "sut-assert")
DIRT = str(frng.SUTS / "sut-dirt")
SHORT = re.compile(r"size=(\d+) hex=((?:[0-9a-f]{2})*)\n")


class Examples(frng.Scenario):
    def check(self, name):
        sut = frng.BUILD / "examples" / name
        size, seed = self.assert_found(
            self.search(sut, "--rng-seed", 1, "--attempts", 20, "--findings", "found"))
        name = frng.finding_name(size, seed)
        before = frng.findings(self.folder / "found")[name]
        result = self.reduce("--finding", f"found/{name}", "--output", "reduced", "--findings",
                             "found", "--json", "events")
        self.assert_exit(result, 1)
        done = frng.latest(self.folder / "events")[-1]
        self.assertLessEqual(done["size"], size)
        self.assertEqual((done["identity"], done["site"]), (before["identity"], before["site"]))
        self.assertEqual((self.folder / "reduced").read_bytes().hex(), done["hex"])
        kept = [name for name, finding in frng.findings(self.folder / "found").items()
                if finding.get("hex") == done["hex"]]
        self.assertEqual(len(kept), 1, str(result))
        for command in ([sut, "--input", "reduced"], ["--finding", f"found/{kept[0]}"]):
            self.assert_exit(self.replay(*command, "--only", done["identity"]), 1)

    def test_a_finding_in_consensus_is_reduced_and_replays(self):
        self.check("consensus")

    def test_a_flaky_failure_ends_with_something_that_fails_at_times(self):
        for sut in (frng.modes("flaky", 60, 3), [DIRT, "--", "flaky", "3", "60"]):
            result = self.reduce("--hex", "0102030405060708", "--time", "60s", "--findings", "found",
                                 *sut)
            self.assert_exit(result, 1, 3)
            if result.exit == 1:
                match = SHORT.fullmatch(result.stdout)
                self.assertGreaterEqual(int(match[1]), 3, str(result))
                self.assert_exit(self.replay("--hex", match[2], "--runs", 100, *sut), 1)
                kept = [one["hex"] for one in frng.findings(self.folder / "found").values()
                        if one["args"] == [str(word) for word in sut[2:]]]
                self.assertEqual(kept, [match[2]], str(result))


class Ends(frng.Scenario):
    def slow(self):
        """A reduction that takes minutes, and its folder gets bests all the time."""
        self.write("start", random.Random(1).randbytes(3000))
        letters = self.script("letters", "sleep 0.05\n"
                              "[ $(LC_ALL=C tr -cd a-z | wc -c) -lt 100 ] || exit 1\n")
        return [frng.REDUCE, letters, "--input", "start", "--output", "out", "--findings", "found",
                "--json", "events", "--jobs", "2"]

    def events(self):
        path = self.folder / "events"
        return frng.latest(path) if path.exists() else []

    def has_announced(self):
        return any(event["event"] == "best" for event in self.events())

    def check_best(self, result, done):
        """What is left is whole, fails, and is at most what was announced."""
        self.assertLessEqual((self.folder / "out").stat().st_size, done["size"], str(result))
        self.assert_exit(self.replay("./letters", "--input", "out"), 1)
        for name in frng.findings(self.folder / "found"):
            self.assert_exit(self.replay("--finding", f"found/{name}"), 1)

    def test_a_budget_that_is_spent_leaves_the_best(self):
        for budget in (("--time", "3s"), ("--calls", 40)):
            result = self.run_tool(*self.slow(), *budget)
            self.assert_exit(result, 1)
            done = self.events()[-1]
            self.assertEqual((done["outcome"], done["complete"]), ("fail", False))
            self.assert_says(result, "reduced so far")
            self.check_best(result, done)
        self.assertLessEqual(done["calls"], 40 + 2 * 64)

    def test_a_signal_reports_the_best_and_then_kills(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start(*self.slow())
            self.assertTrue(frng.wait_until(self.has_announced))
            process.send_signal(number)
            result = self.ended(process, 60)
            self.assert_exit(result, -number)
            done = self.events()[-1]
            self.assertEqual((done["event"], done["outcome"]), ("done", "interrupted"))
            self.assertEqual(result.stdout, f"size={done['size']} output=out\n")
            self.assert_says(result, "reduced so far")
            self.check_best(result, done)
            (self.folder / "events").unlink()

    def test_a_signal_or_a_kill_during_the_first_run_leaves_nothing(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            mark = self.folder / "begun"
            hangs = self.script("hangs", f"touch {mark}\ntrap '' TERM\nsleep 1000\n")
            process = self.start(frng.REDUCE, "--hex", "01", "--timeout", "1h", hangs)
            self.assertTrue(frng.wait_until(mark.exists))
            process.send_signal(number)
            stdout, stderr = process.communicate(timeout=60)
            self.assertEqual((process.returncode, stdout), (-number, b""), stderr)
            self.assertTrue(frng.wait_until(lambda: not self.left_processes(), 30))
            mark.unlink()


class Events(frng.Scenario):
    """Their fields are checked against the schema by frng.py."""

    def events_of(self, *arguments, expected=1):
        result = self.reduce("--json", "-", *arguments)
        self.assert_exit(result, expected)
        events = frng.json_lines(result.stdout)
        self.assertEqual((events[0]["event"], events[-1]["event"]), ("start", "done"))
        return events

    def test_steps_say_what_changed_and_lead_to_the_result(self):
        events = self.events_of(ASSERT, "--hex", "ffffffff" * 100, "--jobs", 1)
        done = events[-1]
        self.assertEqual((done["outcome"], done["size"], done["identity"], done["mode"],
                          done["complete"], done["flaky"]),
                         ("fail", 4, "signal:SIGABRT", "persistent", True, False))
        self.assertLessEqual(sum(part["calls"] for part in done["passes"]), done["calls"])
        steps = [event for event in events if event["event"] == "step"]
        bests = [event for event in events if event["event"] == "best"]
        self.assertEqual([event["successes"] for event in steps], [*range(1, len(steps) + 1)])
        self.assertEqual((len(steps), steps[-1]["size"]), (done["successes"], done["size"]))
        self.assertEqual((steps[-1]["draws"], steps[-1]["rank"]),
                         (bests[-1]["draws"], bests[-1]["rank"]))
        for step, after in zip(steps, steps[1:]):
            change = after["change"]
            self.assertEqual(after["size"], step["size"] - change["removed"] + change["inserted"])
            self.assertEqual(len(change["before"]), 2 * min(change["removed"], 32))
            self.assertIn(after["pass"], [part["name"] for part in done["passes"]])

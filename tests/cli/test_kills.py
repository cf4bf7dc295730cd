"""Kills: the driver gets a SIGKILL at instants drawn at random, and nothing is lost, torn or left.

FRNG_KILLS says how many instants each scenario has (2, or 200 by hand), FRNG_KILLS_SEED which.
"""

import os
import random
import re
import signal
import time
import unittest

import frng

KVSTORE = str(frng.BUILD / "examples" / "kvstore")
KILLS = int(os.environ.get("FRNG_KILLS", "2"))
SEED = os.environ.get("FRNG_KILLS_SEED", "1")

# How a best of a search is told on stderr, by the way and at the end.
ANNOUNCED = re.compile(r"(?:fails with|frng-replay)[^\n]* "
                       r"(?:--)?size[= ](\d+),? (?:--)?seed[= ](\d+s?)")
TEMPORARY = re.compile(r"\.[^/]*\.[0-9a-f]{16}")


class Kills(frng.Scenario):
    """`command` is started again and again, and killed after up to `longest_s` seconds."""

    longest_s = 0.6
    outputs = ()  # that are made from scratch by each of them

    def setUp(self):
        super().setUp()
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        self.environment["TMPDIR"] = str(self.temporary)
        self.chance = random.Random(f"{SEED} {self.id()}")
        self.reached = 0

    def instants(self):
        """The numbers of the kills."""
        yield from range(KILLS)
        if KILLS >= 100:
            print(f"{self.id()}: {KILLS} kills, {self.reached} after something was announced",
                  flush=True)

    def has_told(self):
        """A best has been announced."""
        return self.has_best(1 << 40)

    def kill(self, command, ready=None):
        """What it had written to stderr, and the events that it had told. It is killed at an instant
        by chance, or once it is `ready`."""
        while not self.is_killed(command, ready):
            self.longest_s *= 0.9  # it has ended before
            self.assertGreater(self.longest_s, 0.001, "it ends at once")
        text = (self.folder / "stderr").read_text()
        events = frng.json_lines((self.folder / "events").read_text())
        self.reached += any(event["event"] == "best" for event in events)
        return text[:text.rfind("\n") + 1], events

    def is_killed(self, command, ready):
        for name in ("events", *self.outputs):
            (self.folder / name).unlink(missing_ok=True)
        (self.folder / "events").write_text("")
        with open(self.folder / "stderr", "wb") as stderr:
            process = self.start(*command, stdout=stderr, stderr=stderr)
            if ready is None:
                time.sleep(self.chance.uniform(0, self.longest_s))
            else:
                frng.wait_until(lambda: ready() or process.poll() is not None)
            process.kill()
            process.wait()
        self.assertTrue(frng.wait_until(lambda: not self.left_processes(), 60),
                        self.left_processes())
        if process.returncode in (0, 1):
            return False
        self.assertEqual(process.returncode, -signal.SIGKILL, (self.folder / "stderr").read_text())
        return True

    def whole_findings(self):
        """{name: finding}; one that is torn is no JSON, or of another name."""
        folder = self.folder / "found"
        found = frng.findings(folder) if folder.exists() else {}
        for name, finding in found.items():
            size = finding["size"] if "size" in finding else len(finding["hex"]) // 2
            self.assertEqual(int(name[:10]), size)
            if "seed" in finding:
                self.assertEqual(name, frng.finding_name(size, finding["seed"]))
        return found

    def assert_tidied_up(self, folder):
        left = [name for name in os.listdir(folder) if TEMPORARY.fullmatch(name)]
        self.assertEqual(left, [])


class Searches(Kills):
    FRESH_AFTER = 5  # kills: a search that goes on and on finds ever less

    def announced(self, stderr, events):
        told = {(event["size"], event["seed"]) for event in events
                if event["event"] in ("best", "done") and "seed" in event}
        return told | {(int(m[1]), m[2]) for m in ANNOUNCED.finditer(stderr)}

    def check(self, *sut, options=()):
        told = set()
        command = [frng.SEARCH, "--verbose", "--json", "events", "--findings", "found",
                   "--attempts", 100000000, *options, *sut]
        for i in self.instants():
            if i % self.FRESH_AFTER == 0 and (self.folder / "found").exists():
                (self.folder / "found").rename(self.folder / f"found-{i}")
                told = set()
            stderr, events = self.kill(command, self.has_told if i == 0 else None)
            bests = [event["size"] for event in events if event["event"] == "best"]
            self.assertTrue(bests or i > 0, stderr)
            if told and bests:
                self.assertLessEqual(bests[0], min(told)[0], "it did not go on from the best")
            told |= self.announced(stderr, events)
            found = self.whole_findings()
            for size, seed in told: # it, or a smaller one
                self.assertLessEqual(min(found), frng.finding_name(size, seed))
        self.check_resumes(told, sut, options)

    def check_resumes(self, told, sut, options):
        frng.make_orphans(self.folder / "found")
        result = self.search("--findings", "found", "--attempts", 2, *options, *sut)
        size, _ = self.assert_found(result)
        if told:
            self.assertLessEqual(size, min(told)[0], str(result))
        self.assert_tidied_up(self.folder / "found")
        self.assertEqual(os.listdir(self.temporary), [])

    def test_of_a_fork_server(self):
        self.check(KVSTORE, options=("--mode", "fork"))

    def test_of_eight_jobs_whose_runs_leave_processes_in_other_sessions(self):
        sut = self.script("sut", f"setsid sleep 1000 &\n{frng.MODES} staircase\n")
        self.check(sut, options=("--jobs", "8"))


class Reductions(Kills):
    longest_s = 1.2

    def reduce_from_scratch(self, command, check_output, output):
        self.outputs = (output,)
        for i in self.instants():
            _, events = self.kill(command, self.has_told if i == 0 else None)
            bests = [event["size"] for event in events if event["event"] == "best"]
            self.assertTrue(bests or i > 0)
            path = self.folder / output
            if bests:
                self.assertLessEqual(path.stat().st_size, bests[-1])
            if path.exists():
                check_output(path)
            self.whole_findings()

    def check_failure(self, sut, *options):
        def check_output(path):
            result = self.replay(sut, "--input", path)
            self.assert_exit(result, 1)

        self.write("start", frng.expand(92, 20000))
        self.assert_exit(self.replay(sut, "--input", "start"), 1)
        command = [frng.REDUCE, sut, "--input", "start", "--output", "out", "--findings", "found",
                   "--json", "events", *options]
        self.reduce_from_scratch(command, check_output, "out")
        for name in self.whole_findings():
            self.assert_exit(self.replay("--finding", f"found/{name}"), 1)
        for folder in (self.folder, self.folder / "found"):
            frng.make_orphans(folder)
        self.assert_exit(self.run_tool(*command, "--calls", 20), 1)
        self.assert_tidied_up(self.folder)
        self.assert_tidied_up(self.folder / "found")

    def test_of_a_failure_of_a_plain_program(self):
        sut = self.script("sut", '[ "$(tr -dc a-f | wc -c)" -lt 100 ]\n')
        self.check_failure(sut)

    def check_file(self, *options):
        predicate = self.script("interesting", '[ "$(grep -c keep "$1")" -ge 25 ]\n')
        self.write("hay", b"".join(b"keep %d and more\n" % i for i in range(400)))
        command = [frng.REDUCE, "--predicate", predicate, "hay", "--output", "hay.reduced",
                   "--json", "events", *options]

        def check_output(path):
            self.assert_exit(self.run_tool(predicate, path), 0)
            self.assertLess(path.stat().st_size, (self.folder / "hay").stat().st_size)

        self.reduce_from_scratch(command, check_output, "hay.reduced")
        frng.make_orphans(self.folder)
        self.assert_exit(self.run_tool(*command, "--calls", 20), 0)
        self.assert_tidied_up(self.folder)
        self.assertEqual(os.listdir(self.temporary), [])

    def test_of_a_file(self):
        self.check_file("--jobs", "4")

    def test_of_everything_at_once_leaves_what_the_next_one_removes(self):
        """As a machine that goes out of memory, or a container that is ended, does it."""
        predicate = self.script("interesting", 'sleep 0.01; [ "$(grep -c keep "$1")" -ge 25 ]\n')
        self.write("hay", b"".join(b"keep %d and more\n" % i for i in range(400)))
        command = [frng.REDUCE, "--predicate", predicate, "hay", "--output", "hay.reduced", "--jobs",
                   "4"]
        for _ in self.instants():
            process = self.start(*command)
            time.sleep(self.chance.uniform(0.05, self.longest_s))
            os.kill(process.pid, signal.SIGSTOP)
            while self.left_processes():
                for pid in self.left_processes():
                    try:
                        os.kill(pid, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
            process.communicate(timeout=60)
        frng.make_orphans(self.folder)
        self.assert_exit(self.run_tool(*command, "--calls", 20), 0)
        self.assert_tidied_up(self.folder)
        self.assertEqual(os.listdir(self.temporary), [])


class Replays(Kills):
    longest_s = 0.3

    def test_of_many_runs_and_under_another_program(self):
        for _ in self.instants():
            self.kill([frng.REPLAY, "--size", 3, "--seed", 1, "--runs", 1000000,
                       *frng.modes("never")])
            self.kill([frng.REPLAY, "--size", 3, "--seed", 1, "--wrap", "env",
                       *frng.modes("sleeps")])
            self.assertLessEqual(len(os.listdir(self.temporary)), 1, "of the last one, at most")
        result = self.replay("--size", 3, "--seed", 1, "--wrap", "env", *frng.modes("at-least", 3))
        self.assert_exit(result, 1)
        self.assertEqual(os.listdir(self.temporary), [])


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()

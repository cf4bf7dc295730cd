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

    def kill(self, command, is_first=False):
        """What it had written to stderr, and the events that it had told. It is killed at an instant
        by chance, or once it has announced a best."""
        while not self.is_killed(command, is_first):
            self.longest_s *= 0.9  # it has ended before
            self.assertGreater(self.longest_s, 0.001, "it ends at once")
        text = (self.folder / "stderr").read_text()
        events = frng.json_lines((self.folder / "events").read_text())
        bests = [event["size"] for event in events if event["event"] == "best"]
        self.assertTrue(bests or not is_first, text)
        self.reached += bool(bests)
        return text[:text.rfind("\n") + 1], events, bests

    def is_killed(self, command, is_first):
        (self.folder / "out").unlink(missing_ok=True)
        (self.folder / "events").write_text("")
        with open(self.folder / "stderr", "wb") as stderr:
            process = self.start(*command, stdout=stderr, stderr=stderr)
            if is_first:
                frng.wait_until(lambda: self.has_best(1 << 40) or process.poll() is not None)
            else:
                time.sleep(self.chance.uniform(0, self.longest_s))
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

    def assert_tidies_up(self, exit_status, *command):
        """One more of them, at leisure, removes what the killed ones left. Its result."""
        kept = [("--output", ".", "out"), ("--findings", "found", frng.finding_name(4, "1"))]
        folders = [self.folder / folder for flag, folder, _ in kept if flag in command]
        for flag, folder, name in kept:
            if flag in command:  # whether or not a kill left one
                (self.folder / folder / f".{name}.0123456789abcdef").touch()
                frng.make_orphans(self.folder / folder)
        result = self.run_tool(*command)
        self.assert_exit(result, exit_status)
        left = [name for folder in folders for name in os.listdir(folder) if TEMPORARY.fullmatch(name)]
        self.assertEqual((left, os.listdir(self.temporary)), ([], []))
        return result


class Searches(Kills):
    FRESH_AFTER = 5  # kills: a search that goes on and on finds ever less

    def announced(self, stderr, events):
        told = {(event["size"], event["seed"]) for event in events
                if event["event"] in ("best", "done") and "seed" in event}
        return told | {(int(m[1]), m[2]) for m in ANNOUNCED.finditer(stderr)}

    def check(self, *sut):
        told = set()
        command = [frng.SEARCH, "--verbose", "--json", "events", "--findings", "found",
                   "--attempts", 100000000, *sut]
        for i in self.instants():
            if i % self.FRESH_AFTER == 0 and (self.folder / "found").exists():
                (self.folder / "found").rename(self.folder / f"found-{i}")
                told = set()
            stderr, events, bests = self.kill(command, i == 0)
            if told and bests:
                self.assertLessEqual(bests[0], min(told)[0], "it did not go on from the best")
            told |= self.announced(stderr, events)
            found = self.whole_findings()
            for size, seed in told: # it, or a smaller one
                self.assertLessEqual(min(found), frng.finding_name(size, seed))
        result = self.assert_tidies_up(1, frng.SEARCH, "--findings", "found", "--attempts", 2, *sut)
        self.assertLessEqual(self.assert_found(result)[0], min(told, default=(1 << 40, ""))[0])

    def test_of_a_fork_server(self):
        self.check(KVSTORE, "--mode", "fork")

    def test_of_eight_jobs_whose_runs_leave_processes_in_other_sessions(self):
        self.check(self.script("sut", f"setsid sleep 1000 &\n{frng.MODES} staircase\n"), "--jobs", "8")


class Reductions(Kills):
    longest_s = 1.2

    def reduce_from_scratch(self, command, check_output):
        for i in self.instants():
            _, _, bests = self.kill(command, i == 0)
            if bests:
                self.assertLessEqual((self.folder / "out").stat().st_size, bests[-1])
            if (self.folder / "out").exists():
                check_output()
            self.whole_findings()

    def test_of_a_failure_of_a_plain_program(self):
        sut = self.script("sut", '[ "$(tr -dc a-f | wc -c)" -lt 100 ]\n')
        self.write("start", frng.expand(92, 20000))
        command = [frng.REDUCE, sut, "--input", "start", "--output", "out", "--findings", "found",
                   "--json", "events"]
        self.reduce_from_scratch(
            command, lambda: self.assert_exit(self.replay(sut, "--input", "out"), 1))
        for name in self.whole_findings():
            self.assert_exit(self.replay("--finding", f"found/{name}"), 1)
        self.assert_tidies_up(1, *command, "--calls", 20)

    def prepare_file(self, pause):
        self.predicate = self.script("interesting", f'{pause}\n[ "$(grep -c keep "$1")" -ge 25 ]\n')
        self.write("hay", b"".join(b"keep %d and more\n" % i for i in range(400)))
        return [frng.REDUCE, "--predicate", self.predicate, "hay", "--output", "out", "--jobs", "4"]

    def test_of_a_file(self):
        def check_output():
            self.assert_exit(self.run_tool(self.predicate, "out"), 0)
            self.assertLess((self.folder / "out").stat().st_size,
                            (self.folder / "hay").stat().st_size)

        command = [*self.prepare_file(""), "--json", "events"]
        self.reduce_from_scratch(command, check_output)
        self.assert_tidies_up(0, *command, "--calls", 20)

    def test_of_everything_at_once_leaves_what_the_next_one_removes(self):
        """As a machine that goes out of memory, or a container that is ended, does it."""
        command = self.prepare_file("sleep 0.01")
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
        self.assert_tidies_up(0, *command, "--calls", 20)


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()

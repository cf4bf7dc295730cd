"""A soak: tools over all that misbehaves, ended at random, and what stays of them.

    FRNG_SOAK_S=3600 FRNG_BUILD=$PWD/build python3 tests/scenarios.py tests/cli/test_soak.py

A story is up to three searches or reductions on one folder, once or twice, or the reduction of a file.
Each ends by itself, or of a signal at an instant by chance, or soon after a best that it tells of; or it
is killed with all its processes, as by a machine that is out of memory. Then one more tidies up. Beside
the stories there are searches from the beginning to the end (marathons). What is promised:

- No process outlives its driver, and a driver ends as it was told to, not with status 2 or 4.
- At any instant a file with the name of a finding is one, of a failure that the program has.
- A best that was announced is on disk, or a smaller one, and an output is interesting and no larger.
- Private folders and files that were to be renamed go, at a later start at the latest.
- Descriptors, memory, processes and files of a marathon do not grow (from a minute on).

The choices follow from FRNG_SOAK_SEED (1) and the number of the story, of which FRNG_SOAK_FIRST (0) is
the first; when the machine does what does not. SPDX-License-Identifier: MIT
"""
# suites: long

import itertools
import json
import os
import pathlib
import random
import re
import signal
import statistics
import time

import frng

SECONDS, SEED, FIRST = (os.environ.get(f"FRNG_SOAK_{name}", value)
                        for name, value in (("S", "12"), ("SEED", "1"), ("FIRST", "0")))
ALL_AT_ONCE = 0  # a fate beside signals
TEMPORARY = re.compile(r"\.[^/]*\.[0-9a-f]{16}")

# A program of tests/sut and its arguments (a/b stands for two) | how it may fail: from so many bytes
# on, and with what | options. Behind a ! is what bytes may do that a reduction or a styled seed has
# chosen, and a status of the driver beyond 0, 1 and 3.
TARGETS = """
modes at-least 41 | 41 1
modes two 33 50 | 33 a3
modes staircase | 2 1
modes signal 11 | 0 S
modes signal 19 | 0 t | --timeout 300ms
modes stops/spins/ignores | 0 t | --timeout 300ms
modes hangs-child 3 | 3 t | --timeout 1s
modes child 5 | 5 1
modes flood 4 5 | 5 1
modes scribble 41 | 41 1 !9 | --stdin file
modes truncate 41 0 | 41 1 | --stdin file
modes seal 41 | 41 1 | --stdin file
modes flaky 50/5 9 | 9 1
modes allocate 64 | 0 -
modes never/closes | 0 -
dirt floods 5 64 | 5 a
dirt hoards 5 | 5 a3 | --memory 512M
dirt leaks 5 | 5 a3
dirt leaks-and-hangs 5 | 5 at | --timeout 300ms
dirt closes-all/writes-to-all/hangs-up/mortal/empties-all/fails-first 5 | 5 a
dirt answers 5 7 | 5 a
dirt forges 5 0/6 | 5 a
dirt flaky 5 30 | 5 a
strays child/session/daemon/output/stopped/reaper/chain 5 | 5 1
strays kill-parent 5 | 5 1 !4
dirt segv 5 | 5 S
dirt spoils 5 90 | 5 a
dirt ignores 3 | 3 t | --timeout 300ms
dirt leaves-and-exits 3 | 3 4
dirt counts-otherwise 0 | 0 -
dirt abort-at/kill-parent-at 1 50 | 0 -
liar dies/hangs-up/garbage/never/count-0/fails/site/busy/hello-twice/honest 9 | 9 3 | --timeout 300ms
"""
IDENTITIES = {"a": "signal:SIGABRT", "S": "signal:SIGSEGV", "t": "timeout", "1": "exit:1",
              "3": "exit:3", "4": "exit:4", "9": "exit:9"}
MARATHONS = """
modes child 5 --mode spawn
strays daemon 5 --mode fork
dirt leaks 5 --mode persistent
modes flood 4 5 --mode spawn --stdin pipe
modes hangs-child 3 --mode spawn --timeout 300ms
dirt abort-at 1 50 --mode persistent
modes never --mode spawn
"""
GROWTH_MAX = {"descriptors": 8, "KiB": 4096, "processes": 8, "files": 30}


class Target:
    def __init__(self, row):
        words, fails, *options = (part.split() for part in row.split("|"))
        self.name, self.command = " ".join(words), [frng.SUTS / f"sut-{words[0]}", "--", *words[1:]]
        self.least, self.options = int(fails[0]), options[0] if options else []
        self.identities = {IDENTITIES[letter] for letter in fails[1].strip("-")}
        extra = fails[2][1:] if len(fails) > 2 else ""
        self.by_bytes, self.ends = {"exit:9"} if extra == "9" else set(), {4} if extra == "4" else set()
        self.modes = ("auto", "spawn") if words[0] == "modes" else ("auto", "spawn", "fork", "persistent")


def rows_of(row):
    """A row for each word of its alternatives."""
    for word in next((word for word in row.split("|")[0].split() if "/" in word), row).split("/"):
        yield re.sub(r"\S+/\S+", word, row, count=1)


ALL_TARGETS = [Target(one) for row in TARGETS.strip().splitlines() for one in rows_of(row)]


class Driver:
    """A tool at work in a folder, and its fate: a signal after so long, perhaps after its first best."""

    def __init__(self, scenario, folder, name, command, fate=None, after_s=0, awaits_best=False):
        self.folder, self.name, self.mark = folder, name, f"FRNG_SOAK={folder}/{name}"
        self.fate, self.after_s, self.awaits_best, self.sent = fate, after_s, awaits_best, set()
        self.began = time.monotonic()
        with open(folder / f"{name}.out", "wb") as out, open(folder / f"{name}.err", "wb") as err:
            self.process = scenario.start(
                *command, folder=folder, stdout=out, stderr=err,
                environment={"FRNG_SOAK": f"{folder}/{name}", "FRNG_SCENARIO": str(folder),
                             "TMPDIR": str(folder / "temporary")})

    def __str__(self):
        return f"{self.process.args}: {(self.folder / f'{self.name}.err').read_text(errors='replace')[-2000:]}"

    def bests(self):
        """The sizes that it has announced."""
        path = self.folder / f"{self.name}.json"
        told = frng.json_lines(path.read_text()) if path.exists() else []
        said = re.findall(r"^size=(\d+)", (self.folder / f"{self.name}.out").read_text(), re.M)
        return [event["size"] for event in told if event["event"] == "best"] + list(map(int, said))

    def kill_all(self):
        while left := frng.processes_marked(self.mark):
            for pid in left:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass

    def tend(self):
        """Let its fate come when it is due."""
        age = time.monotonic() - self.began
        if self.fate is None or age < self.after_s or (self.awaits_best and age < 5 and not self.bests()):
            return
        self.process.send_signal(self.fate or signal.SIGSTOP)
        if self.fate == ALL_AT_ONCE:
            self.kill_all()
        elif self.fate == signal.SIGSTOP:
            time.sleep(1)
            self.process.send_signal(signal.SIGCONT)
        else:
            self.sent = {-self.fate}
        self.sent |= {-signal.SIGKILL} if self.fate == ALL_AT_ONCE else set()
        self.fate = None

    def sample(self):
        """What it and its workers hold."""
        held = dict.fromkeys(GROWTH_MAX, 0)
        for pid in frng.processes_marked(self.mark):
            try:
                held["processes"] += 1
                if os.readlink(f"/proc/{pid}/exe") == frng.SEARCH:
                    held["descriptors"] += len(os.listdir(f"/proc/{pid}/fd"))
                    held["KiB"] += 4 * int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
            except OSError:
                continue
        held["files"] = sum(len(names) for _, *both in os.walk(self.folder) for names in both)
        return held


class Soak(frng.Scenario):
    def drive(self, *command, fate=(), name=None):
        self.count += 1
        name = name or f"driver-{self.count}"
        return Driver(self, self.place, name, [command[0], "--json", f"{name}.json", *command[1:]], *fate)

    def begin(self, name):
        self.place, self.count = self.folder / name, 0
        (self.place / "temporary").mkdir(parents=True)

    def draw_fate(self, chance):
        fate = chance.choice((None, signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGKILL,
                              signal.SIGSTOP, ALL_AT_ONCE))
        return fate, chance.choice((0.05, 0.5, 2)) * chance.random(), chance.random() < 0.5

    # ---- What holds at any instant, and at the end of a driver ----

    def look(self, target):
        """Every finding is whole, and what it tells may be so. The smallest size."""
        sizes = [1 << 40]
        for path in (self.place / "found").glob("*.json"):
            try:
                finding = json.loads(path.read_text())
            except FileNotFoundError:  # its search has found a smaller one
                continue
            sizes.append(finding["size"] if "size" in finding else len(finding["hex"]) // 2)
            self.assertEqual(int(frng.FINDING_NAME.fullmatch(path.name)[1]), sizes[-1], finding)
            is_plain = "seed" in finding and not finding["seed"].endswith("s")
            if is_plain or finding["identity"] not in target.by_bytes:
                self.assertIn(finding["identity"], target.identities, finding)
                self.assertGreaterEqual(sizes[-1], target.least, finding)
        return min(sizes)

    def check_end(self, driver, ends):
        self.assertIn(driver.process.wait(frng.PATIENCE_S), {0, 1, 3} | driver.sent | ends, driver)
        self.assertTrue(frng.wait_until(lambda: not frng.processes_marked(driver.mark), 60), driver)

    def play(self, drivers, look=lambda: None, ends=frozenset()):
        """Until all have ended, each as it was to."""
        while any(driver.process.poll() is None for driver in drivers):
            look()
            for driver in drivers:
                driver.tend()
                self.assertLess(time.monotonic() - driver.began, frng.PATIENCE_S, driver)
            time.sleep(0.02)
        for driver in drivers:
            self.check_end(driver, ends)
        look()

    def check_litter(self, kept, *command, ends=frozenset()):
        """One more of them, at leisure, removes what the killed ones left, for a file that it keeps too."""
        kept = self.place / kept
        kept.parent.mkdir(exist_ok=True)
        kept.with_name(f".{kept.name}.0123456789abcdef").touch()
        for path in self.place.rglob(".*.*"):
            os.utime(path, (0, 0))  # their writers have long been dead
        self.play([self.drive(*command)], ends=ends)
        left = [path.name for path in self.place.rglob(".*") if TEMPORARY.fullmatch(path.name)]
        self.assertEqual((left, os.listdir(self.place / "temporary")), ([], []))

    # ---- Stories ----

    def of_a_program(self, chance):
        target, told = chance.choice(ALL_TARGETS), []
        common = ("--jobs", 8, "--findings", "found", "--mode", chance.choice(target.modes))
        sut = (*target.options, *target.command)
        with self.subTest(target=target.name):
            for _ in range(chance.choice((1, 2))):
                drivers = []
                for _ in range(chance.choice((1, 2, 3))):
                    command = [frng.SEARCH, *common, *chance.choice((
                        [], ["--reduce"], ["--stdin", "pipe"], ["--size-max", "64K"]))]
                    if target.identities and chance.random() < 0.4:
                        command = [frng.REDUCE, *common, "--size", target.least + 20, "--seed",
                                   chance.randrange(1 << 32)]
                    drivers.append(self.drive(*command, "--time", f"{chance.choice((1, 2, 4))}s",
                                              *sut, fate=self.draw_fate(chance)))
                self.play(drivers, lambda: self.look(target), target.ends)
                told += [size for driver in drivers for size in driver.bests()]
            self.assertLessEqual(self.look(target), min(told, default=1 << 40))
            self.check_litter(f"found/{frng.finding_name(4, '1')}", frng.SEARCH, *common, "--attempts", 2,
                              "--time", "2s", *sut, ends=target.ends)
            self.assertLessEqual(self.look(target), min(told, default=1 << 40))

    def of_a_file(self, chance):
        hay = b"".join(b"keep %d and more\n" % i for i in range(400))
        (self.place / "hay").write_bytes(hay)
        is_interesting = self.script("interesting", f'[ "$(grep -c keep "$1")" -ge {chance.choice((25, 99))} ]\n')
        command = (frng.REDUCE, "--predicate", is_interesting, "hay", "--output", "out", "--jobs", 4)
        for _ in range(2):
            driver = self.drive(*command, "--time", "4s", fate=self.draw_fate(chance))
            self.play([driver])
            out = self.place / "out"
            if out.exists():
                self.assertLessEqual(out.stat().st_size, len(hay))
                self.assert_exit(self.run_tool(is_interesting, out), 0)
            if driver.bests():
                self.assertLessEqual(out.stat().st_size, min(driver.bests()))
        self.check_litter("out", *command, "--calls", 20)

    def play_marathons(self):
        for number, row in enumerate(MARATHONS.strip().splitlines()):
            words, options = row.split(" --", 1)
            name, *arguments = words.split()
            self.begin(f"marathon-{number}")
            yield self.drive(frng.SEARCH, "--attempts", 10**12, "--findings", "found", *f"--{options}".split(),
                             frng.SUTS / f"sut-{name}", "--", *arguments)

    def test_what_misbehaves_leaves_and_loses_nothing(self):
        is_telling = int(SECONDS) >= 60  # in less, what is still warming up looks like a leak
        marathons = list(self.play_marathons()) if is_telling else []
        series, end = [], time.monotonic() + int(SECONDS)
        for number in itertools.count(int(FIRST)):
            chance = random.Random(f"{SEED} {number}")
            self.begin(f"story-{number}")
            with self.subTest(story=number):
                (self.of_a_file if number % 4 == 3 else self.of_a_program)(chance)
            frng.shutil.rmtree(self.place)
            series.append([driver.sample() for driver in marathons])
            if time.monotonic() > end:
                break
        for at, driver in enumerate(marathons):
            driver.process.terminate()
            self.assertEqual(driver.process.wait(frng.PATIENCE_S), -signal.SIGTERM, driver)
            for name, most in GROWTH_MAX.items():
                values = [samples[at][name] for samples in series]
                early, late = (statistics.median(values[len(values) * part // 4:][:len(values) // 4 + 1])
                               for part in (1, 3))
                self.assertLessEqual(late - early, most, f"{name} of {driver}: {values}")
        print(f"{len(series)} stories", flush=True)

#!/usr/bin/env python3
"""A soak: searches and reductions over all that misbehaves, for a night, and what stays of them.

    python3 tests/soak/soak.py --build build --time 1h --seed 1

Some drivers work from the beginning to the end (marathons); beside them others come and go in
twos and threes on one folder of findings (sprints), and are ended at random: by their own
`--time`, by SIGINT, SIGTERM and SIGKILL, or stopped for a while and continued. Every few seconds a
row tells what all of them hold. What is promised:

- survivors: no process outlives its driver. This process is the subreaper of all of them, so that
  none can hide, whatever it calls itself.
- torn: a file with the name of a finding is one, at any instant.
- lost: a finding that was announced is on disk, or a smaller one.
- wrong: no finding tells of a failure that the program does not have.
- ends: a driver ends as it was told to, and not with status 2 or 4.
- litter: private folders go, at a later start at the latest, and nothing of ours is in /dev/shm.
- flat: descriptors, memory and children of each marathon, and files do not grow over the second
  half, beyond their own noise.

The choices follow from the seed; when the machine does what does not. The last line is the
summary; exit status 1 where a promise was broken. SPDX-License-Identifier: MIT
"""

import argparse
import collections
import ctypes
import json
import math
import os
import pathlib
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
FINDING_NAME = re.compile(r"(\d{10})-([0-9a-f]{16}s?)\.json")
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
TELLING_S, TELLING_ROWS = 60, 12  # in less, what is still warming up looks like a leak
UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600}

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

# From the beginning to the end, each with a way of its own.
MARATHONS = """
modes-child-5 spawn
strays-daemon-5 fork
dirt-leaks-5 persistent
modes-flood-4-5 spawn --stdin pipe
modes-ignores spawn --timeout 300ms
dirt-abort-at-1-50 persistent
modes-never spawn --attempts 100
"""

class Target:
    def __init__(self, row):
        words, fails, *options = (part.split() for part in row.split("|"))
        self.name, self.program, self.arguments = "-".join(words), f"sut-{words[0]}", words[1:]
        self.least, self.options = int(fails[0]), options[0] if options else []
        self.identities = {IDENTITIES[letter] for letter in fails[1] if letter != "-"}
        extra = fails[2][1:] if len(fails) > 2 else ""
        self.by_bytes = {"exit:9"} if extra == "9" else set()
        self.ends = {4} if extra == "4" else set()
        self.modes = ("auto", "spawn") if words[0] == "modes" else ("auto", "spawn", "fork", "persistent")


def rows_of(row):
    """A row for each word of its alternatives."""
    for word in next((word for word in row.split("|")[0].split() if "/" in word), row).split("/"):
        yield re.sub(r"\S+/\S+", word, row, count=1)


ALL_TARGETS = {target.name: target
               for row in TARGETS.strip().splitlines() for target in map(Target, rows_of(row))}


def duration(text):
    match = re.fullmatch(r"([\d.]+)(ms|s|m|h)", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text}: not a duration like 90s, 5m or 1h")
    return float(match[1]) * UNITS[match[2]]


# ---- What the machine shows ----

def read(path):
    try:
        return pathlib.Path(path).read_bytes()
    except OSError:
        return b""


def names_in(folder):
    try:
        return os.listdir(folder)
    except OSError:
        return []


def children(pid):
    """Those of all threads of a process."""
    return [int(child) for task in names_in(f"/proc/{pid}/task")
            for child in read(f"/proc/{pid}/task/{task}/children").split()]


def descendants(pid):
    found, wanted = [], [pid]
    while wanted:
        below = children(wanted.pop())
        found += below
        wanted += below
    return found


def resident_kib(pid):
    fields = read(f"/proc/{pid}/statm").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") // 1024 if len(fields) > 1 else 0


def files_below(folder):
    return sum(len(folders) + len(names) for _, folders, names in os.walk(folder))


def growth(points):
    """By how much a line through (time, value) rises from end to end, and the noise round it."""
    if len(points) < 4:
        return 0.0, math.inf
    slope, at_0 = statistics.linear_regression(*zip(*points))
    rest = sum((v - at_0 - slope * t) ** 2 for t, v in points)
    return slope * (points[-1][0] - points[0][0]), math.sqrt(rest / (len(points) - 2))


def prctl(option, value):
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass


class Driver:
    """A tool at work, and what was arranged for it: a signal, after so many seconds."""

    def __init__(self, soak, command, folder, fate, target):
        self.command, self.folder, self.fate, self.target = command, folder, fate, target
        self.events = folder / f"events-{soak.started}"
        self.mark = f"FRNG_SOAK={soak.folder}/{soak.started}"
        self.series = collections.defaultdict(list)
        self.began, self.sent = time.monotonic(), 0
        self.errors = tempfile.TemporaryFile(dir=soak.folder)
        environment = {**os.environ, **soak.environment, "FRNG_SCENARIO": str(folder),
                       "FRNG_SOAK": self.mark.partition("=")[2]}
        self.process = subprocess.Popen(
            [*command[:1], "--json", self.events, *command[1:]], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=self.errors, start_new_session=True,
            preexec_fn=lambda: prctl(PR_SET_PDEATHSIG, signal.SIGKILL))

    def age(self):
        return time.monotonic() - self.began

    def sample(self, now):
        """What it holds, its workers (the highest of them), and the number of its descendants."""
        pid, workers = self.process.pid, children(self.process.pid)
        held = {"fds": len(names_in(f"/proc/{pid}/fd")),
                "worker fds": max([len(names_in(f"/proc/{w}/fd")) for w in workers], default=0),
                "KiB": resident_kib(pid),
                "worker KiB": max([resident_kib(w) for w in workers], default=0),
                "processes": len(descendants(pid))}
        if self.process.poll() is None:
            for name, value in held.items():
                self.series[name].append((now, value))
        return held


class Soak:
    def __init__(self, arguments):
        self.arguments = arguments
        self.build = pathlib.Path(arguments.build).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="frng-soak-"))
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        self.environment = {"TMPDIR": str(self.temporary), "LC_ALL": "C.UTF-8"}
        self.chance = random.Random(arguments.seed)
        self.broken, self.ended = collections.Counter(), collections.Counter()
        self.drivers, self.dying, self.marathons = [], [], []
        self.started = self.announced = self.checked = self.rows = 0
        self.bests = {}    # the size of the smallest finding that was announced, by target
        self.seen = {}     # findings that were read, by path: (inode, size)
        self.table = collections.defaultdict(list)
        self.targets = [t for t in ALL_TARGETS.values() if re.search(arguments.only, t.name)]
        self.shared = set(names_in("/dev/shm"))
        self.begin = time.monotonic()

    def now(self):
        return time.monotonic() - self.begin

    def tell(self, promise, text):
        self.broken[promise] += 1
        if self.broken[promise] <= 20:
            print(f"BROKEN {promise}: {text}", flush=True)

    # ---- Drivers ----

    def test(self, target, mode, seconds, fate, options=(), tool="frng-search"):
        """Start a search, or a reduction, on the target's folder of findings."""
        folder = self.folder / target.name
        folder.mkdir(exist_ok=True)
        driver = Driver(self, [
            str(self.build / "driver" / tool), "--jobs", "8", "--time", f"{math.ceil(seconds)}s",
            str(self.build / "tests" / "sut" / target.program), "--mode", mode, "--findings", "found",
            *options, *target.options, "--", *target.arguments], folder, fate, target)
        self.started += 1
        self.drivers.append(driver)
        return driver

    def draw_fate(self):
        number = self.chance.choice([None, None, signal.SIGINT, signal.SIGTERM, signal.SIGKILL,
                                     signal.SIGKILL, signal.SIGKILL, signal.SIGSTOP])
        after_s = self.chance.choice([0.05, 0.5, 2, 6]) * self.chance.random()
        return number, after_s

    def sprint(self):
        """Up to three drivers on one folder of findings."""
        seconds = 1 + self.chance.random() * min(8, max(1, self.arguments.time / 4))
        target = self.chance.choice(self.targets)
        for _ in range(self.chance.choice([1, 2, 3])):
            mode, fate = self.chance.choice(target.modes), self.draw_fate()
            if target.name in self.bests and self.chance.random() < 0.4:
                larger = ["--size", str(self.bests[target.name] + 20), "--seed", str(self.chance.randrange(1 << 32))]
                self.test(target, mode, seconds, fate, larger, "frng-reduce")
            else:
                self.test(target, mode, seconds, fate, self.chance.choice(
                    [[], [], ["--reduce"], ["--stdin", "pipe"], ["--size-max", "64K"]]))

    def tend(self):
        """Do to each driver what was arranged for it; see who has ended, and what it left."""
        for driver in list(self.drivers):
            number, after_s = driver.fate
            if driver.process.poll() is not None:
                self.drivers.remove(driver)
                self.dying.append((driver, time.monotonic()))
            elif number is not None and driver.age() > after_s:
                driver.sent = number
                driver.process.send_signal(number)
                driver.fate = (signal.SIGCONT, driver.age() + 1) if number == signal.SIGSTOP else (None, 0)
            elif driver not in self.marathons and driver.age() > 20 + self.arguments.patience:
                self.tell("ends", f"still running: {driver.command}")
                driver.process.kill()
        for driver, ended in list(self.dying):
            left = {pid: read(f"/proc/{pid}/cmdline") for pid in descendants(os.getpid())
                    if driver.mark.encode() in read(f"/proc/{pid}/environ").split(b"\0")}
            if left and time.monotonic() < ended + self.arguments.patience:
                continue
            if left:
                self.tell("survivors", f"{driver.command}: {left}")
            for pid in left:
                kill(pid)
            self.dying.remove((driver, ended))
            self.check_end(driver)
        known = {driver.process.pid for driver in [*self.drivers, *(dying for dying, _ in self.dying)]}
        for pid in set(children(os.getpid())) - known:  # orphans, which have died
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                pass

    # ---- What it leaves ----

    def check_end(self, driver):
        status = driver.process.returncode
        output = driver.process.stdout.read().decode("utf-8", "replace")
        driver.process.stdout.close()
        driver.errors.seek(0)
        said = driver.errors.read().decode("utf-8", "replace")
        driver.errors.close()
        told_to = {-driver.sent} - {0, -signal.SIGCONT, -signal.SIGSTOP}
        if status not in {0, 1, 3} | told_to | driver.target.ends:
            self.tell("ends", f"status {status}: {driver.command}\n{said[-2000:]}")
        self.ended[status] += 1
        announced = [(int(size), seed) for size, seed in re.findall(r"^size=(\d+) seed=(\d+s?)$", output, re.M)]
        for line in read(driver.events).split(b"\n")[:-1]:
            try:
                event = json.loads(line)
            except ValueError:
                self.tell("torn", f"an event of {driver.command}: {line[:200]!r}")
                continue
            if event["event"] == "best" and event.get("seed") is not None:
                announced.append((event["size"], event["seed"]))
        for size, seed in announced:
            self.check_on_disk(driver, size, seed)
        if driver not in self.marathons and driver.events.exists():
            driver.events.unlink()

    def check_on_disk(self, driver, size, seed):
        self.announced += 1
        found = map(FINDING_NAME.fullmatch, names_in(driver.folder / "found"))
        if not any(int(of[1]) <= size for of in found if of):
            self.tell("lost", f"size {size}, seed {seed} of {driver.command}")
        if driver.target.identities:
            self.bests[driver.target.name] = min(self.bests.get(driver.target.name, size), size)

    def check_findings(self):
        for target in ALL_TARGETS.values():
            for name in names_in(self.folder / target.name / "found"):
                match = FINDING_NAME.fullmatch(name)
                if match:
                    self.check_finding(target, self.folder / target.name / "found" / name, int(match[1]))

    def check_finding(self, target, path, size):
        """A file with the name of a finding is whole, and what it tells may be so."""
        try:
            status = path.stat()
            if self.seen.get(path) == (status.st_ino, status.st_size):
                return
            self.seen[path] = (status.st_ino, status.st_size)
            finding = json.loads(path.read_text())
        except FileNotFoundError:  # its search has found a smaller one
            return
        except ValueError:
            self.tell("torn", f"{path}: {read(path)[:300]!r}")
            return
        self.checked += 1
        if size != (len(finding["hex"]) // 2 if "hex" in finding else finding["size"]):
            self.tell("torn", f"{path}: {finding}")
        is_plain = "seed" in finding and not finding["seed"].endswith("s")
        if not is_plain and finding["identity"] in target.by_bytes:
            return
        if size < target.least or finding["identity"] not in target.identities:
            self.tell("wrong", f"{path}: {finding}")

    def check_litter(self):
        """All have ended, and one has started since: nothing is in the folder for temporary files."""
        last = self.test(ALL_TARGETS["modes-at-least-41"], "spawn", 5, (None, 0))
        self.drivers.remove(last)
        last.process.wait()
        last.process.stdout.close()
        last.errors.close()
        end = time.monotonic() + min(10, self.arguments.patience)
        while names_in(self.temporary) and time.monotonic() < end:
            time.sleep(0.1)
        for name in names_in(self.temporary):
            self.tell("litter", f"TMPDIR: {name}")
        for name in set(names_in("/dev/shm")) - self.shared:
            if name.startswith(("frng", "memfd")):
                self.tell("litter", f"/dev/shm: {name}")

    # ---- What all hold ----

    def sample(self):
        now = self.now()
        held = [driver.sample(now) for driver in self.drivers]
        row = {"drivers": len(self.drivers), "processes": len(descendants(os.getpid())),
               **{name: max([h[name] for h in held], default=0)
                  for name in ("fds", "worker fds", "KiB", "worker KiB")},
               "tmp": files_below(self.temporary),
               "shm": len(set(names_in("/dev/shm")) - self.shared)}
        for name, value in row.items():
            self.table[name].append((now, value))
        if self.rows % 20 == 0:
            print("     time " + " ".join(f"{name:>10}" for name in row), flush=True)
        self.rows += 1
        print(f"{now:8.0f}s " + " ".join(f"{value:10}" for value in row.values()), flush=True)

    def judge(self, what, points, floor):
        """Whether a series is flat: over its second half it rises by no more than its noise."""
        half = points[len(points) // 2:]
        rise, noise = growth(half)
        print(f"{what}: {half[-1][1] if half else 0:.0f} ({rise:+.1f})")
        if rise > floor + 2 * noise:
            self.tell("flat", f"{what} rose by {rise:.1f} with a noise of {noise:.1f}: "
                              f"{[round(value, 1) for _, value in half][-40:]}")

    # ---- From the beginning to the end ----

    def work(self):
        for row in MARATHONS.strip().splitlines()[:self.arguments.marathons]:
            name, mode, *options = row.split()
            self.marathons.append(self.test(
                ALL_TARGETS[name], mode, self.arguments.time + 3600, (None, 0),
                ["--attempts", "1000000000", *options]))
        next_sample = next_check = 0
        while self.now() < self.arguments.time:
            self.tend()
            if len(self.drivers) - len(self.marathons) < self.arguments.sprints:
                self.sprint()
            if self.now() >= next_check:
                self.check_findings()
                next_check = self.now() + 1
            if self.now() >= next_sample:
                self.sample()
                next_sample = self.now() + self.arguments.interval
            time.sleep(0.02)

    def end(self):
        for driver in self.drivers:
            driver.process.send_signal(signal.SIGCONT)
            driver.fate = (signal.SIGTERM if self.chance.random() < 0.5 else signal.SIGKILL, 0)
        end = time.monotonic() + self.arguments.patience
        while self.drivers and time.monotonic() < end:
            self.tend()
            time.sleep(0.02)
        for driver in self.drivers:
            self.tell("ends", f"does not end: {driver.command}")
            driver.process.kill()
            driver.process.wait()
        while self.drivers or self.dying:
            self.tend()
            time.sleep(0.02)
        self.check_findings()
        self.check_litter()
        for pid in descendants(os.getpid()):
            self.tell("survivors", f"{pid}: {read(f'/proc/{pid}/cmdline')!r}")
            kill(pid)

    def run(self):
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        print(f"seed {self.arguments.seed}, {len(self.targets)} programs, folder {self.folder}", flush=True)
        try:
            self.work()
        finally:
            self.end()
        flat = "too short to be flat or not"
        if self.arguments.time >= TELLING_S and self.rows >= TELLING_ROWS:
            floors = {"fds": 1, "worker fds": 1, "KiB": 1024, "worker KiB": 1024, "processes": 4}
            for driver in self.marathons:
                for name, floor in floors.items():
                    self.judge(f"{driver.target.name}: {name}", driver.series[name], floor)
            self.judge("tmp", self.table["tmp"], 30)
            self.judge("shm", self.table["shm"], 0.5)
            flat = "NOT flat" if self.broken["flat"] else "flat"
        promises = ("survivors", "torn", "lost", "wrong", "ends", "litter")
        print(f"ends: {dict(sorted(self.ended.items()))}")
        print(f"soak: {self.now():.0f} s, {self.started} drivers, {self.announced} announcements, "
              f"{self.checked} findings read; {', '.join(f'{name} {self.broken[name]}' for name in promises)}; "
              f"{flat}: {'BROKEN' if self.broken.total() else 'kept'}")
        if not self.broken.total() or not self.arguments.keep:
            shutil.rmtree(self.folder, ignore_errors=True)
        return 1 if self.broken.total() else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--build", default=os.environ.get("FRNG_BUILD", SOURCE / "build"))
    parser.add_argument("--time", type=duration, default=300, help="90s, 5m, 1h (5m)")
    parser.add_argument("--seed", type=int, default=1, help="of all choices (1)")
    parser.add_argument("--interval", type=duration, default=5, help="between rows (5s)")
    parser.add_argument("--patience", type=duration, default=60,
                        help="how long what was ended may take to be gone (1m)")
    parser.add_argument("--marathons", type=int, default=7, help="drivers from beginning to end (7)")
    parser.add_argument("--sprints", type=int, default=3, help="at least so many others (3)")
    parser.add_argument("--only", default="", help="a regular expression that programs for sprints match")
    parser.add_argument("--keep", action="store_true", help="the folder, when a promise is broken")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(Soak(parser.parse_args()).run())


if __name__ == "__main__":
    main()

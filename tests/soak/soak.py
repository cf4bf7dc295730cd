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
- litter: private folders go, at a later start at the latest, and memory files and /dev/shm are left to others.
- flat: descriptors, memory and children of each marathon, files and bytes do not grow over the
  second half, beyond their own noise.

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
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
FINDING_NAME = re.compile(r"(\d{10})-([0-9a-f]{16}s?)\.json")
LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
JOBS = "8"
TELLING_S, TELLING_ROWS = 60, 12  # in less, what is still warming up looks like a leak
PAGE = os.sysconf("SC_PAGE_SIZE")
UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600}

# A program, its arguments, how it may fail (at least so many bytes, with one of these), and what
# its driver is told besides. `fast`: it speaks the protocol. `ends`: statuses beyond 0, 1 and 3.
# `by_bytes`: how it may fail besides when a reduction or a styled seed has chosen the bytes.
Target = collections.namedtuple("Target", "name program arguments least identities options fast "
                                          "ends by_bytes", defaults=((), False, (), ()))
BY_FILE = ("--stdin", "file")  # whoever does such things to a pipe gives up
HANGS = ("--timeout", "300ms")
ABORT = ("signal:SIGABRT",)
FAILS = ("exit:1",)


def modes(name, *arguments, least=0, identities=(), options=(), by_bytes=()):
    return Target("modes-" + "-".join(map(str, (name, *arguments))), "sut-modes",
                  (name, *arguments), least, identities, options, by_bytes=by_bytes)


def dirt(name, least, *arguments, options=(), identities=ABORT):
    return Target("-".join(map(str, ("dirt", name, *arguments))), "sut-dirt",
                  (name, least, *arguments), least, identities, options, True)


def strays(name, least, options=(), identities=FAILS, ends=()):
    return Target(f"strays-{name}", "sut-strays", (name, least), least, identities, options, True,
                  ends)


def state(*words, least=0, identities=(), options=(), ends=()):
    return Target("state-" + "-".join(map(str, words)), "sut-state", words, least, identities,
                  options, True, ends)


def liar(lie):
    return Target(f"liar-{lie}", "sut-liar", (lie, 9), 9, ("exit:3",), HANGS, True)


TARGETS = [
    modes("at-least", 41, least=41, identities=FAILS),
    modes("two", 33, 50, least=33, identities=ABORT + ("exit:3",)),
    modes("staircase", least=2, identities=FAILS),
    modes("signal", 11, identities=("signal:SIGSEGV",)),
    modes("signal", 19, identities=("timeout",), options=HANGS),
    modes("stops", identities=("timeout",), options=HANGS),
    modes("spins", identities=("timeout",), options=HANGS),
    modes("ignores", identities=("timeout",), options=HANGS),
    modes("hangs-child", 3, least=3, identities=("timeout",), options=("--timeout", "1s")),
    modes("child", 5, least=5, identities=FAILS),
    modes("flood", 4, 5, least=5, identities=FAILS),
    modes("scribble", 41, least=41, identities=FAILS, options=BY_FILE, by_bytes=("exit:9",)),
    modes("truncate", 41, 0, least=41, identities=FAILS, options=BY_FILE),
    modes("seal", 41, least=41, identities=FAILS, options=BY_FILE),
    modes("allocate", 64),
    modes("flaky", 50, 9, least=9, identities=FAILS),
    modes("flaky", 5, 9, least=9, identities=FAILS),
    modes("never"),
    modes("closes"),
    dirt("floods", 5, 64),
    dirt("floods-late", 5, 64),
    dirt("allocates", 5, 32),
    dirt("hoards", 5, options=("--memory", "512M"), identities=ABORT + ("exit:3",)),
    dirt("leaks", 5, identities=ABORT + ("exit:3",)),
    dirt("leaks-and-hangs", 5, options=HANGS, identities=ABORT + ("timeout",)),
    dirt("closes-all", 5),
    dirt("writes-to-all", 5),
    dirt("answers", 5, 7),
    dirt("forges", 5, 0),
    dirt("forges", 5, 6),
    dirt("hangs-up", 5),
    dirt("mortal", 5),
    dirt("empties-all", 5),
    dirt("flaky", 5, 30),
    dirt("fails-first", 5),
    strays("child", 5),
    strays("session", 5),
    strays("daemon", 5),
    strays("output", 5),
    strays("stopped", 5),
    strays("reaper", 5),
    strays("chain", 5),
    strays("kill-parent", 5, ends=(4,)),
    state("does", "segv", 5, least=5, identities=("signal:SIGSEGV",)),
    state("does", "scribble", 5, least=5, identities=ABORT),
    state("does", "zero-and-exit0", 5),
    state("does", "ignore", 3, least=3, identities=("timeout",), options=HANGS),
    state("does", "leave-and-exit", 3, least=3, identities=("exit:3",)),
    state("keeps", "memory"),
    state("counts-to", 50, "abort"),
    state("counts-to", 50, "kill-parent"),
    liar("dies"), liar("hangs-up"), liar("garbage"), liar("never"), liar("count-0"),
    liar("fails"), liar("site"), liar("busy"), liar("hello-twice"), liar("honest"),
]

# What predicates and reducers do before they answer.
PREDICATES = {
    "leaves": "setsid sleep 600 & sleep 600 & (setsid sh -c 'sleep 600 & sleep 600' &)",
    "litters": "mkdir -p a/b; ln -s / a/root; mkfifo fifo; touch 'x y' -- -x; chmod 0 a/b",
    "floods": "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2",
    "strays": '"$STRAYS" daemon 0 </dev/null',
}
REDUCERS = ("crashes", "floods", "lingers", "grows")  # in tests/cli/reducers

# From the beginning to the end, each with a way of its own: (target, mode, options).
FOR_EVER = ("--attempts", "1000000000")
MARATHONS = [
    ("modes-child-5", "spawn", FOR_EVER),
    ("strays-daemon", "fork", FOR_EVER),
    ("dirt-leaks", "persistent", FOR_EVER),
    ("modes-flood-4-5", "spawn", (*FOR_EVER, "--stdin", "pipe")),
    ("modes-ignores", "spawn", (*FOR_EVER, *HANGS)),
    ("state-counts-to-50-abort", "persistent", FOR_EVER),
    ("modes-never", "spawn", ()),
]


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


def children(pid):
    """Those of all threads of a process."""
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            found += map(int, read(f"/proc/{pid}/task/{task}/children").split())
    except OSError:
        pass
    return found


def descendants(pid):
    found, wanted = [], [pid]
    while wanted:
        below = children(wanted.pop())
        found += below
        wanted += below
    return found


def resident(pid):
    fields = read(f"/proc/{pid}/statm").split()
    return int(fields[1]) * PAGE if len(fields) > 1 else 0


def descriptors(pid):
    try:
        return os.listdir(f"/proc/{pid}/fd")
    except OSError:
        return []


def memory_files(pid):
    """The inodes of the memory files that a process has open."""
    found = set()
    for fd in descriptors(pid):
        try:
            if os.readlink(f"/proc/{pid}/fd/{fd}").startswith("/memfd:"):
                found.add(os.stat(f"/proc/{pid}/fd/{fd}").st_ino)
        except OSError:
            continue
    return found


def size_of(folder):
    """(files, bytes) below a folder that others change."""
    files = size = 0
    for root, folders, names in os.walk(folder):
        files += len(folders)
        for name in names:
            files += 1
            try:
                size += os.lstat(os.path.join(root, name)).st_size
            except OSError:
                continue
    return files, size


def shared_memory():
    try:
        return set(os.listdir("/dev/shm"))
    except OSError:
        return set()


def machine_tasks():
    return int(read("/proc/loadavg").split()[3].split(b"/")[1])


def growth(points):
    """By how much a line through (time, value) rises from end to end, and the noise round it."""
    if len(points) < 4:
        return 0.0, math.inf
    mean_t = sum(t for t, _ in points) / len(points)
    mean_v = sum(v for _, v in points) / len(points)
    spread = sum((t - mean_t) ** 2 for t, _ in points)
    slope = sum((t - mean_t) * (v - mean_v) for t, v in points) / spread
    rest = sum((v - mean_v - slope * (t - mean_t)) ** 2 for t, v in points)
    return slope * (points[-1][0] - points[0][0]), math.sqrt(rest / (len(points) - 2))


def prctl(option, value):
    if LIBC.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def die_with_parent():
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Broken(list):
    """Promises that were broken, told as they are noticed."""

    def tell(self, promise, text):
        self.append(promise)
        if self.count(promise) <= 20:
            print(f"BROKEN {promise}: {text}", flush=True)


class Driver:
    """A tool at work, and what was arranged for it."""

    def __init__(self, soak, what, command, folder, events, fate, target=None, findings=None):
        self.what, self.command, self.events = what, command, events
        self.fate, self.target, self.findings = fate, target, findings
        self.series = collections.defaultdict(list)
        self.peak = collections.Counter()
        self.began = time.monotonic()
        self.sent = 0
        self.errors = open(soak.folder / "stderr" / f"{soak.started}", "wb+")
        environment = {**os.environ, **soak.environment, "FRNG_SCENARIO": str(folder),
                       "FRNG_SOAK": f"{soak.folder}/{soak.started}"}
        self.mark = f"FRNG_SOAK={soak.folder}/{soak.started}".encode()
        self.process = subprocess.Popen(command, cwd=folder, env=environment,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=self.errors, start_new_session=True,
                                        preexec_fn=die_with_parent)

    def age(self):
        return time.monotonic() - self.began

    def send(self, number):
        self.sent = number
        self.process.send_signal(number)

    def sample(self, now):
        """What it holds, its workers (the highest of them) and the number of its descendants."""
        pid = self.process.pid
        workers = children(pid)
        held = {
            "descriptors": len(descriptors(pid)),
            "worker descriptors": max([len(descriptors(w)) for w in workers], default=0),
            "KiB": resident(pid) // 1024,
            "worker KiB": max([resident(w) // 1024 for w in workers], default=0),
            "processes": len(descendants(pid)),
            "memory files": len(set().union(*(memory_files(p) for p in [pid, *workers]))),
        }
        if self.process.poll() is None:
            for name, value in held.items():
                self.series[name].append((now, value))
                self.peak[name] = max(self.peak[name], value)
        return held


class Soak:
    def __init__(self, arguments):
        self.arguments = arguments
        self.build = pathlib.Path(arguments.build).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="frng-soak-"))
        self.temporary = self.folder / "temporary"
        for name in ("stderr", "temporary", "files"):
            (self.folder / name).mkdir()
        self.environment = {"TMPDIR": str(self.temporary), "LC_ALL": "C.UTF-8",
                            "STRAYS": str(self.build / "tests" / "sut" / "sut-strays")}
        self.chance = random.Random(arguments.seed)
        self.started = 0
        self.broken = Broken()
        self.drivers, self.dying, self.ended = [], [], collections.Counter()
        self.marathons = []
        self.announced = self.checked = self.rows = 0
        self.bests = {}    # the size of the smallest finding that was announced, by target
        self.seen = {}     # findings that were read, by path: (inode, size)
        self.table = collections.defaultdict(list)
        self.targets = [t for t in TARGETS if arguments.only is None or
                        re.search(arguments.only, t.name)]
        self.shared = shared_memory()
        self.begin = time.monotonic()

    def tool(self, name):
        return str(self.build / "driver" / name)

    def now(self):
        return time.monotonic() - self.begin

    # ---- Drivers ----

    def folder_of(self, target):
        folder = self.folder / target.name
        folder.mkdir(exist_ok=True)
        return folder

    def start(self, *arguments, **more):
        driver = Driver(self, *arguments, **more)
        self.started += 1
        self.drivers.append(driver)
        return driver

    def search(self, target, mode, seconds, fate, options=()):
        folder = self.folder_of(target)
        events = folder / f"events-{self.started}"
        command = [self.tool("frng-search"), "--mode", mode, "--jobs", JOBS, "--time",
                   f"{math.ceil(seconds)}s", "--findings", "found", "--json", str(events),
                   *options, *target.options, str(self.build / "tests" / "sut" / target.program),
                   "--", *map(str, target.arguments)]
        return self.start(f"{target.name} ({mode})", command, folder, events, fate, target=target,
                          findings=folder / "found")

    def reduce(self, target, mode, seconds, fate):
        """From the smallest failure that a search has announced, made larger again."""
        folder = self.folder_of(target)
        events = folder / f"events-{self.started}"
        command = [self.tool("frng-reduce"), "--mode", mode, "--jobs", JOBS, "--time",
                   f"{math.ceil(seconds)}s", "--findings", "found", "--json", str(events),
                   "--size", str(self.bests[target.name] + 20), "--seed",
                   str(self.chance.randrange(1 << 32)), *target.options,
                   str(self.build / "tests" / "sut" / target.program), "--",
                   *map(str, target.arguments)]
        return self.start(f"reduce {target.name} ({mode})", command, folder, events, fate,
                          target=target, findings=folder / "found")

    def reduce_file(self, seconds, fate, options=()):
        name = self.chance.choice(sorted(PREDICATES))
        folder = self.folder / "files" / str(self.started)
        folder.mkdir()
        predicate = folder / "interesting"
        predicate.write_text(f'#!/bin/sh\n{PREDICATES[name]}\n[ "$(grep -c keep "$1")" -ge 5 ]\n')
        predicate.chmod(0o755)
        (folder / "hay").write_text("".join(f"keep {i} and more\n" for i in range(50)))
        command = [self.tool("frng-reduce"), "--predicate", "./interesting", "hay", "--jobs", JOBS,
                   "--time", f"{math.ceil(seconds)}s", "--json", "events", *options]
        if self.chance.random() < 0.5:
            wanted = f"{self.chance.choice(REDUCERS)}.*"
            [reducer] = (SOURCE / "tests" / "cli" / "reducers").glob(wanted)
            command += ["--reducer", str(reducer)]
        return self.start(f"reduce a file, predicate {name}", command, folder, folder / "events",
                          fate)

    def modes_of(self, target):
        return ("auto", "spawn", "fork", "persistent") if target.fast else ("auto", "spawn")

    def draw_fate(self):
        """(signal or None, after how many seconds)"""
        if self.arguments.calm:
            return None, 0
        number = self.chance.choice([None, None, signal.SIGINT, signal.SIGTERM, signal.SIGKILL,
                                     signal.SIGKILL, signal.SIGKILL, signal.SIGSTOP])
        return number, self.chance.choice([0.05, 0.5, 2, 6]) * self.chance.random()

    def sprint(self):
        """Up to three drivers on one folder of findings, or some that reduce."""
        longest = min(8, max(1, self.arguments.time / 4))
        seconds = 1 + self.chance.random() * longest
        target = self.chance.choice(self.targets)
        if self.chance.random() < 0.15:
            self.reduce_file(seconds, self.draw_fate())
            return
        for _ in range(self.chance.choice([1, 2, 3])):
            mode = self.chance.choice(self.modes_of(target))
            if target.name in self.bests and self.chance.random() < 0.4:
                self.reduce(target, mode, seconds, self.draw_fate())
            else:
                options = self.chance.choice([(), (), ("--reduce",), ("--stdin", "pipe"),
                                              ("--size-max", "64K")])
                self.search(target, mode, seconds, self.draw_fate(), options)

    def start_marathons(self):
        by_name = {target.name: target for target in TARGETS}
        for name, mode, options in MARATHONS[:self.arguments.marathons]:
            driver = self.search(by_name[name], mode, self.arguments.time + 3600, (None, 0),
                                 options)
            self.marathons.append(driver)

    def tend(self):
        """Do to each driver what was arranged for it; see who has ended."""
        for driver in list(self.drivers):
            number, after_s = driver.fate
            if driver.process.poll() is not None:
                self.drivers.remove(driver)
                self.dying.append((driver, time.monotonic()))
            elif number is not None and driver.age() > after_s:
                driver.send(number)
                driver.fate = (None, 0)
                if number == signal.SIGSTOP:
                    driver.fate = (signal.SIGCONT, driver.age() + 1)
            elif driver not in self.marathons and driver.age() > 20 + self.arguments.patience:
                self.broken.tell("ends", f"still running: {driver.command}")
                driver.process.kill()

    # ---- What it leaves ----

    def survivors(self, driver):
        found = {}
        for pid in descendants(os.getpid()):
            if driver.mark in read(f"/proc/{pid}/environ").split(b"\0"):
                line = read(f"/proc/{pid}/cmdline").replace(b"\0", b" ").decode("utf-8", "replace")
                found[pid] = line
        return found

    def bury(self):
        """Look at what those who have ended have left, once their processes are gone."""
        for driver, ended in list(self.dying):
            left = self.survivors(driver)
            if left and time.monotonic() < ended + self.arguments.patience:
                continue
            if left:
                self.broken.tell("survivors", f"{driver.what}: {left}")
                for pid in left:
                    self.kill(pid)
            self.dying.remove((driver, ended))
            self.check_end(driver)

    def kill(self, pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass

    def reap(self):
        """Take what has come to this process: orphans that have died."""
        known = {driver.process.pid for driver in self.drivers}
        known |= {driver.process.pid for driver, _ in self.dying}
        for pid in children(os.getpid()):
            if pid in known:
                continue
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                pass

    def check_end(self, driver):
        status = driver.process.returncode
        output = driver.process.stdout.read().decode("utf-8", "replace")
        driver.process.stdout.close()
        driver.errors.seek(0)
        said = driver.errors.read().decode("utf-8", "replace")
        driver.errors.close()
        os.unlink(driver.errors.name)
        ends = driver.target.ends if driver.target is not None else ()
        told_to = -driver.sent if driver.sent not in (0, signal.SIGCONT, signal.SIGSTOP) else 0
        if status not in (0, 1, 3, told_to, *ends):
            self.broken.tell("ends", f"status {status}: {driver.command}\n{said[-2000:]}")
        self.ended[status] += 1
        self.check_announced(driver)
        match = re.search(r"^size=(\d+) seed=(\d+s?)$", output, re.M)
        if match and driver.findings is not None:
            self.check_on_disk(driver, int(match[1]), match[2])
        if driver.findings is None:
            self.check_file(driver)

    def check_announced(self, driver):
        events = read(driver.events).split(b"\n")[:-1]
        for line in events:
            try:
                event = json.loads(line)
            except ValueError:
                self.broken.tell("torn", f"an event of {driver.what}: {line[:200]!r}")
                continue
            if event["event"] == "best" and driver.findings is not None:
                if event.get("seed") is not None:
                    self.check_on_disk(driver, event["size"], event["seed"])
        if driver not in self.marathons and driver.events.exists():
            driver.events.unlink()

    def check_on_disk(self, driver, size, seed):
        self.announced += 1
        found = driver.findings.iterdir() if driver.findings.is_dir() else ()
        if not any(int(of[1]) <= size for of in map(FINDING_NAME.fullmatch, (path.name for path in found))
                   if of):
            self.broken.tell("lost", f"size {size}, seed {seed} of {driver.what}")
        if driver.target is not None and driver.target.identities:
            best = self.bests.get(driver.target.name, size)
            self.bests[driver.target.name] = min(best, size)

    def check_file(self, driver):
        """What a reduction of a file has left is interesting, and nothing else."""
        folder = driver.events.parent
        best = folder / "hay.reduced"
        if best.exists() and best.read_bytes().count(b"keep") < 5:
            self.broken.tell("wrong", f"{driver.what}: {best.read_bytes()!r}")
        odd = {path.name for path in folder.iterdir()} - {
            "hay", "hay.reduced", "interesting", "living"}
        if odd and driver.sent != signal.SIGKILL:
            self.broken.tell("litter", f"{driver.what}: {odd}")
        shutil.rmtree(folder, ignore_errors=True)

    def check_finding(self, target, path):
        """A file with the name of a finding is whole, and what it tells may be so."""
        match = FINDING_NAME.fullmatch(path.name)
        if match is None:
            return
        try:
            status = path.stat()
            if self.seen.get(path) == (status.st_ino, status.st_size):
                return
            self.seen[path] = (status.st_ino, status.st_size)
            finding = json.loads(path.read_text())
        except ValueError:
            self.broken.tell("torn", f"{path}: {read(path)[:300]!r}")
            return
        except FileNotFoundError: # its search has found a smaller one
            return
        except OSError as error:
            self.broken.tell("lost", f"{path}: {error}")
            return
        self.checked += 1
        size = len(finding["hex"]) // 2 if "hex" in finding else finding["size"]
        if size != int(match[1]):
            self.broken.tell("torn", f"{path}: {finding}")
        is_plain = "seed" in finding and not finding["seed"].endswith("s")
        if not is_plain and finding["identity"] in target.by_bytes:
            return
        if size < target.least or finding["identity"] not in target.identities:
            self.broken.tell("wrong", f"{path}: {finding}")

    def check_findings(self):
        for target in self.targets_used():
            found = self.folder / target.name / "found"
            if not found.is_dir():
                continue
            for path in found.iterdir():
                self.check_finding(target, path)

    def targets_used(self):
        return [target for target in TARGETS if (self.folder / target.name).is_dir()]

    # ---- The table ----

    def sample(self):
        now = self.now()
        held = [driver.sample(now) for driver in self.drivers]
        found = [size_of(self.folder / target.name / "found") for target in self.targets_used()]
        temporary = size_of(self.temporary)
        below = descendants(os.getpid())
        row = {
            "drivers": len(self.drivers),
            "processes": len(below),
            "fds": max([h["descriptors"] for h in held], default=0),
            "worker fds": max([h["worker descriptors"] for h in held], default=0),
            "MiB": max([h["KiB"] for h in held], default=0) / 1024,
            "worker MiB": max([h["worker KiB"] for h in held], default=0) / 1024,
            "memfds": sum(h["memory files"] for h in held),
            "tmp": temporary[0],
            "tmp KiB": temporary[1] // 1024,
            "found": sum(count for count, _ in found),
            "found KiB": sum(size for _, size in found) // 1024,
            "shm": len(shared_memory() - self.shared),
            "tasks": machine_tasks(),
            "own MiB": resident(os.getpid()) / (1 << 20),
        }
        for name, value in row.items():
            self.table[name].append((now, value))
        if self.rows % 20 == 0:
            print("     time " + " ".join(f"{name:>10}" for name in row), flush=True)
        self.rows += 1
        print(f"{now:8.0f}s " + " ".join(f"{value:10.1f}" if isinstance(value, float) else
                                         f"{value:10}" for value in row.values()), flush=True)

    # ---- The verdict ----

    def judge(self, what, points, floor):
        """Whether a series is flat: over its second half it rises by no more than its noise."""
        half = points[len(points) // 2:]
        rise, noise = growth(half)
        flat = rise <= floor + 2 * noise
        if not flat:
            self.broken.tell("flat", f"{what} rose by {rise:.1f} with a noise of {noise:.1f}: "
                                     f"{[round(value, 1) for _, value in half][-40:]}")
        return f"{what} {half[-1][1]:.0f} ({rise:+.1f})" if half else what

    def is_telling(self):
        return self.arguments.time >= TELLING_S and self.rows >= TELLING_ROWS

    def judge_all(self):
        for driver in self.marathons:
            floors = {"descriptors": 1, "worker descriptors": 1, "KiB": 1024, "worker KiB": 1024,
                      "processes": 4, "memory files": 2}
            parts = [self.judge(f"{driver.what}: {name}", driver.series[name], floor)
                     for name, floor in floors.items()]
            print("; ".join(part.replace(f"{driver.what}: ", "") for part in parts)
                  .join((f"{driver.what}: ", "")))
        for name, floor in (("tmp", 30), ("tmp KiB", 10240), ("shm", 0.5), ("memfds", 40)):
            print(self.judge(name, self.table[name], floor))

    def check_litter(self):
        """All have ended, and one has started since: nothing is in the folder for temporary files.

        A driver that was killed just before it had workers leaves its private folder to whoever
        comes next.
        """
        last = self.reduce_file(5, None)
        self.drivers.remove(last)
        last.process.communicate()
        last.errors.close()
        end = time.monotonic() + min(10, self.arguments.patience)
        while os.listdir(self.temporary) and time.monotonic() < end:
            time.sleep(0.1)
        for name in os.listdir(self.temporary):
            self.broken.tell("litter", f"TMPDIR: {name}")
        # Memory that others share on this machine comes and goes; ours would have these names.
        for name in shared_memory() - self.shared:
            if name.startswith(("frng", "memfd")):
                self.broken.tell("litter", f"/dev/shm: {name}")

    # ---- From the beginning to the end ----

    def work(self):
        next_sample, next_check = 0, 0
        while self.now() < self.arguments.time:
            self.tend()
            self.bury()
            self.reap()
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
        end = time.monotonic() + self.arguments.patience
        while self.arguments.calm and self.drivers != self.marathons and time.monotonic() < end:
            self.tend()
            time.sleep(0.02)
        for driver in self.drivers:
            driver.process.send_signal(signal.SIGCONT)
            driver.fate = (signal.SIGTERM if self.chance.random() < 0.5 else signal.SIGKILL, 0)
        end = time.monotonic() + self.arguments.patience
        while self.drivers and time.monotonic() < end:
            self.tend()
            time.sleep(0.02)
        for driver in self.drivers:
            self.broken.tell("ends", f"does not end: {driver.command}")
            driver.process.kill()
            driver.process.wait()
        self.tend()
        while self.dying:
            self.bury()
            self.reap()
            time.sleep(0.05)
        self.check_findings()
        self.check_litter()
        left = descendants(os.getpid())
        for pid in left:
            self.broken.tell("survivors", f"{pid}: {read(f'/proc/{pid}/cmdline')!r}")
            self.kill(pid)
        self.reap()

    def run(self):
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        print(f"seed {self.arguments.seed}, {len(self.targets)} programs, folder {self.folder}",
              flush=True)
        try:
            self.start_marathons()
            self.work()
        finally:
            self.end()
        if self.is_telling():
            self.judge_all()
        return self.sum_up()

    def sum_up(self):
        promises = ("survivors", "torn", "lost", "wrong", "ends", "litter")
        parts = [f"{name} {self.broken.count(name)}" for name in promises]
        unfinished = len(list(self.folder.glob("*/found/.*")))
        flat = "flat" if "flat" not in self.broken else "NOT flat"
        flat = flat if self.is_telling() else "too short to be flat or not"
        print(f"temporary files of killed drivers beside findings: {unfinished}")
        print(f"ends: {dict(sorted(self.ended.items()))}")
        print(f"soak: {self.now():.0f} s, {self.started} drivers, {self.announced} announcements, "
              f"{self.checked} findings read; {', '.join(parts)}; {flat}: "
              f"{'BROKEN' if self.broken else 'kept'}")
        if not self.broken or not self.arguments.keep:
            shutil.rmtree(self.folder, ignore_errors=True)
        return 1 if self.broken else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--build", default=os.environ.get("FRNG_BUILD", SOURCE / "build"))
    parser.add_argument("--time", type=duration, default=300, help="90s, 5m, 1h (5m)")
    parser.add_argument("--seed", type=int, default=1, help="of all choices (1)")
    parser.add_argument("--interval", type=duration, default=5, help="between rows (5s)")
    parser.add_argument("--patience", type=duration, default=60,
                        help="how long what was ended may take to be gone (1m)")
    parser.add_argument("--calm", action="store_true", help="end nobody at random")
    parser.add_argument("--marathons", type=int, default=len(MARATHONS),
                        help=f"drivers from beginning to end ({len(MARATHONS)})")
    parser.add_argument("--sprints", type=int, default=3, help="at least so many others (3)")
    parser.add_argument("--only", help="a regular expression that programs for sprints match")
    parser.add_argument("--keep", action="store_true", help="the folder, when a promise is broken")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(Soak(parser.parse_args()).run())


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measure frng-reduce on the challenges of this folder: how often it reaches the smallest failure,
in how many calls and how fast.

    challenges.py --build DIR [--count 100] [--only NAME]... [--from search|random] [--verbose]
                  [--suite classic|shapes|all] [--starts FILE] [--without PASS]...

Each challenge is reduced from COUNT starts. --from search: what frng-search ends at with --rng-seed
1..COUNT and otherwise its defaults. --from random: the first COUNT seeds that fail at 4 KiB, or
at 10 KiB for the suite "shapes", the tests of smallest.py's SHAPES.
Failures that no uniform draws find (one in 2^31) are constructed: x of random bytes, y from x; and
late_true begins from 1000 random bytes that are false and one that is true. With --from random
noise up to 4 KiB follows these. --starts keeps the starts in a file, and takes from it what it has;
delete it when a challenge has changed. --without leaves a pass of the driver out (BENCH.md);
the program that does so is tests/bench/without.c.

"answers" counts the different results. Calls and "seconds" are what frng-reduce says in its last JSON line, "process" is the wall time of
the whole process; all but the shares are medians. BENCH.md has the figures.
SPDX-License-Identifier: MIT
"""

import argparse
import json
import os
import random
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from smallest import CHALLENGES, CLASSIC, SHAPES

TIMEOUT_S = 300
NOISE, NOISE_OF_SHAPES = 4096, 10240  # bytes of a random start
SEEDS_MAX = 100000  # tried for random failing ones


# ---- Starts: arguments of frng-reduce ----


def run(command, folder, allowed=(0, 1)):
    """Stdout of a command, its exit status and its wall seconds."""
    start = time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False,
        timeout=TIMEOUT_S
    )
    seconds = time.perf_counter() - start
    if done.returncode not in allowed:
        tail = done.stderr.decode(errors="replace")[-2000:]
        sys.exit(f"challenges: exit status {done.returncode} of: {shlex.join(command)}\n{tail}")
    return done.stdout.decode(), done.returncode, seconds


def from_search(programs, name, count):
    starts = []
    for seed in range(1, count + 1):
        command = [programs.search, programs.at(name), "--rng-seed", str(seed), "--quiet"]
        out, status, _ = run(command, programs.folder)
        found = re.match(r"size=(\d+) seed=(\d+s?)$", out.strip())
        if status == 1 and found:
            starts.append({"size": int(found[1]), "seed": found[2]})
    return starts


def noise_of(name):
    return NOISE_OF_SHAPES if name in SHAPES else NOISE


def from_random(programs, name, count):
    starts, seeds = [], random.Random(name)
    noise = noise_of(name)
    for _ in range(SEEDS_MAX):
        if len(starts) == count:
            break
        seed = str(seeds.getrandbits(64))
        command = [programs.replay, programs.at(name), "--size", str(noise), "--seed", seed]
        _, status, _ = run(command + ["--quiet"], programs.folder)
        if status == 1:
            starts.append({"size": noise, "seed": seed})
    return starts


def encode(value, low, high):
    """The smallest 4 bytes that give `value` of low..high, as frng.h samples."""
    n = high - low + 1
    return (((value - low) * 2**32 + 2**32 % n + n - 1) // n).to_bytes(4, "little")


def construct_pair(rng, differences, floor, low, high):
    """x is the value of random bytes, y is x and a difference."""
    while True:
        x = rng.randint(low, high)
        y = x + rng.choice(differences) * rng.choice((-1, 1))
        if x >= floor and low <= y <= high:
            return encode(x, low, high) + encode(y, low, high)


def construct_late_true(rng):
    return bytes(rng.randrange(256) & 0xFE for _ in range(1000)) + bytes([rng.randrange(256) | 1])


POSITIVE = (10, 1, 2**31 - 1)
CONSTRUCTED = {
    "difference_0": lambda rng: construct_pair(rng, [0], *POSITIVE),
    "difference_small": lambda rng: construct_pair(rng, [1, 2, 3, 4], *POSITIVE),
    "difference_one": lambda rng: construct_pair(rng, [1], *POSITIVE),
    "zigzag": lambda rng: construct_pair(rng, [1], 1000, 0, 2**32 - 1),
    "late_true": construct_late_true,
}


def construct(name, count, size):
    starts = []
    for i in range(count):
        rng = random.Random(f"{name} {i}")
        entropy = CONSTRUCTED[name](rng)
        starts.append({"hex": (entropy + rng.randbytes(max(0, size - len(entropy)))).hex()})
    return starts


def find_starts(programs, name, options, kept):
    key = f"{options.origin} {name}"
    if len(kept.get(key, [])) < options.count:
        if name in CONSTRUCTED:
            kept[key] = construct(name, options.count, NOISE if options.origin == "random" else 0)
        elif options.origin == "search":
            kept[key] = from_search(programs, name, options.count)
        else:
            kept[key] = from_random(programs, name, options.count)
        if options.starts:
            options.starts.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return kept[key][: options.count]


# ---- Reducing ----


@dataclass
class Programs:
    build: Path
    folder: str  # where they run
    without: list  # names of passes

    def at(self, name):
        """The program linked under the name of a challenge; earlier builds have one for each."""
        folder, link = self.build / "tests" / "bench" / "challenges", Path(self.folder) / name
        if not link.is_symlink():
            link.symlink_to(folder / (name if (folder / name).exists() else "challenges"))
        return str(link)

    def __post_init__(self):
        driver = self.build / "driver"
        self.search, self.replay, self.reduce = (
            str(driver / f"frng-{verb}") for verb in ("search", "replay", "reduce")
        )
        if self.without:
            self.reduce = str(self.build / "tests" / "bench" / "frng-reduce-without")
            os.environ["FRNG_WITHOUT"] = ",".join(self.without)


def reduce_one(programs, name, start):
    """The `done` event, and the wall seconds of the process."""
    command = [programs.reduce, programs.at(name), "--json", "-", "--jobs", "1"]
    command += ["--explain", "no"]
    if "hex" in start:
        path = Path(programs.folder) / "start"
        path.write_bytes(bytes.fromhex(start["hex"]))
        command += ["--input", str(path)]
    else:
        command += ["--size", str(start["size"]), "--seed", start["seed"]]
    out, _, seconds = run(command, programs.folder)
    lines = out.splitlines()
    event = json.loads(lines[-1]) if lines else {}
    if event.get("event") != "done":
        sys.exit(f"challenges: no last event `done` from: {shlex.join(command)}")
    return event, seconds


def p90(values):
    return sorted(values)[(9 * len(values) - 1) // 10]


@dataclass
class Row:
    name: str
    starts: int
    reached: int
    answers: set
    calls: list
    seconds: list
    process: list
    wrong: Counter


def measure(programs, name, answer, starts):
    row = Row(name, len(starts), 0, set(), [], [], [], Counter())
    for start in starts:
        event, seconds = reduce_one(programs, name, start)
        row.calls.append(event["calls"])
        row.seconds.append(event["seconds"])
        row.process.append(seconds)
        row.answers.add(event.get("hex"))
        if event["outcome"] == "fail" and event["hex"] == answer.hex():
            row.reached += 1
        else:
            mode = "" if event.get("mode") == "persistent" else f", {event.get('mode')}"
            row.wrong[f"{event['outcome']}{mode} {event.get('size')} {event.get('hex')}"] += 1
    return row


# ---- The table ----

WIDTHS = (18, 6, 8, 7, 7, 7, 9, 8)
HEADER = ("", "starts", "smallest", "answers", "calls", "p90", "seconds", "process")


def print_line(cells):
    words = [cells[0].ljust(WIDTHS[0])] + [c.rjust(w) for c, w in zip(cells[1:], WIDTHS[1:])]
    print("  ".join(words).rstrip(), flush=True)


def print_row(row, verbose):
    cells = [row.name, str(row.starts)]
    if row.starts == 0:
        print_line(cells + ["no start was found"])
        return
    cells += [f"{row.reached / row.starts:.0%}", str(len(row.answers))]
    cells += [f"{statistics.median(row.calls):g}", str(p90(row.calls))]
    cells += [f"{statistics.median(row.seconds):.5f}", f"{statistics.median(row.process):.4f}"]
    print_line(cells)
    if verbose:
        for answer, times in row.wrong.most_common():
            print(f"    {times:4} x {answer}", flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", type=Path, required=True, help="Meson's build folder")
    parser.add_argument("--count", type=int, default=100, help="starts of each challenge")
    parser.add_argument("--only", action="append", choices=CHALLENGES, help="only this one")
    parser.add_argument("--suite", choices=["classic", "shapes", "all"], default="all")
    parser.add_argument("--from", dest="origin", choices=["search", "random"], default="search")
    parser.add_argument("--starts", type=Path, help="keep starts in this file")
    parser.add_argument("--without", action="append", metavar="PASS", help="leave it out")
    parser.add_argument("--verbose", action="store_true", help="answers that are not the smallest")
    return parser.parse_args()


def main():
    options = parse()
    kept, total = {}, 0
    suites = {"classic": CLASSIC, "shapes": SHAPES, "all": CHALLENGES}
    if options.starts and options.starts.exists():
        kept = json.loads(options.starts.read_text(encoding="utf-8"))
    missed = 0
    print_line(HEADER)
    with tempfile.TemporaryDirectory(prefix="frng-challenges-") as folder:
        programs = Programs(options.build.resolve(), folder, options.without)
        for name in options.only or suites[options.suite]:
            starts = find_starts(programs, name, options, kept)
            row = measure(programs, name, CHALLENGES[name], starts)
            total += sum(row.calls)
            missed += row.reached < options.count
            print_row(row, options.verbose)
    print(f"{missed} challenges not always at their smallest failure, {total} calls in all")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Compare two builds of frng, side by side.

    versions.py --before DIR --after DIR [--rounds N] [--section NAME]...

Both folders are builds of Meson with their benchmarks and examples; each build runs programs that
were compiled with its own headers. Sections: rates (runs per second in each mode), expansions (the
processor's time for the bytes of a seed), starts (a whole search of a program that passes), memory
(peak of the driver while it makes large inputs). The builds take turns, and another one begins each
time. A row has the median of each build and of the ratios, after over before, with the smallest and
the largest ratio. What they find, and in how many runs and calls, same.py compares.
SPDX-License-Identifier: MIT
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent.parent / "build"

RATES = (  # label, program, mode, size, attempts: about a second each
    ("spawn, 64 B", "tests/bench/null_sut", "spawn", 64, 300),
    ("fork, 64 B", "tests/bench/null_test", "fork", 64, 2000),
    ("persistent, 64 B", "tests/bench/null_test", "persistent", 64, 300_000),
    ("persistent, 4 KiB", "tests/bench/null_test", "persistent", 4096, 60_000),
)


@dataclass
class Run:
    """How a tool ended: its last event, the seconds and the peak of its memory in KiB."""

    done: dict
    seconds: float
    peak: int


def run_tool(build, tool, arguments):
    with tempfile.TemporaryDirectory() as folder:
        events = Path(folder) / "events.jsonl"
        command = [str(build / "driver" / tool), *arguments, "--quiet", "--json", str(events)]
        start = time.monotonic()
        with subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            said = process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        if process.returncode not in (0, 1):
            sys.exit(f"versions: exit status {process.returncode} of {' '.join(command)}\n"
                     f"{said.decode(errors='replace')[-2000:]}")
        done = json.loads(events.read_text(encoding="utf-8").splitlines()[-1])
    return Run(done, seconds, usage.ru_maxrss)


def search(build, program, *options):
    return run_tool(build, "frng-search", [str(build / program), "--jobs", "1", *options])


def count_of(run):
    return int(run.done["runs"]) + int(run.done["reruns"])


# ---- Sections: each yields (label, measure), where measure(build, seed) is a number ----


def rates():
    for label, program, mode, size, attempts in RATES:
        def rate(build, seed, of=(program, mode, size, attempts)):
            run = search(build, of[0], "--mode", of[1], "--size-max", str(of[2]),
                         "--attempts", str(of[3]), "--rng-seed", str(seed))
            return count_of(run) / run.seconds
        yield f"{label}: runs/s", rate


def expansions():
    for style in ("plain", "styled"):
        for size in (16, 64, 256, 4096):
            def took(build, _, of=(style, str(size))):
                command = [str(build / "tests/bench/expand"), *of, "0.2"]
                text = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
                return float(text.removeprefix("ns="))
            yield f"{style}, {size} B: ns", took


def starts():
    def seconds(build, seed):
        return search(build, "tests/bench/null_test", "--rng-seed", str(seed)).seconds
    yield "100 attempts that pass: seconds", seconds


def memory():
    yield "64 MiB inputs: MiB at most", lambda build, seed: search(
        build, "tests/bench/null_sut", "--size-max", "64M", "--attempts", "1", "--rng-seed",
        str(seed)).peak / 1024


SECTIONS = {f.__name__: f for f in (rates, expansions, starts, memory)}


def compare(label, measure, builds, rounds):
    seen = [[], []]
    for k in range(rounds):
        for which in ((0, 1), (1, 0))[k % 2]:
            seen[which].append(measure(builds[which], k + 1))
    ratios = [b / a if a else float("nan") for a, b in zip(*seen)]
    before, after, middle = (statistics.median(x) for x in (*seen, ratios))
    print(f"{label:36} {before:12.6g} {after:12.6g} {middle:8.3f}  {min(ratios):.3f} to "
          f"{max(ratios):.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--before", type=Path, required=True, help="build folder to compare with")
    parser.add_argument("--after", type=Path, default=BUILD, help="build folder (default: build)")
    parser.add_argument("--rounds", type=int, default=5, help="of each row (default: 5)")
    parser.add_argument("--section", action="append", choices=SECTIONS, help="only this one")
    options = parser.parse_args()
    builds = [options.before.resolve(), options.after.resolve()]
    print(f"{'':36} {'before':>12} {'after':>12} {'ratio':>8}  smallest, largest")
    for name in options.section or SECTIONS:
        for label, measure in SECTIONS[name]():
            compare(label, measure, builds, options.rounds)


main()

#!/usr/bin/env python3
"""Compare two builds of frng, side by side.

    versions.py --before DIR --after DIR [--rounds N] [--section NAME]...

Both folders are builds of Meson with their benchmarks and examples; each build runs programs that
were compiled with its own headers. Sections: rates (runs per second in each mode), starts (a
whole search of a program that passes), memory (peak of the driver while it makes large inputs). The
builds take turns, and another one begins each time. A row has the median of each build and of the
ratios, after over before, with the smallest and the largest ratio. What they find, and in how many
runs and calls, same.py compares.
SPDX-License-Identifier: MIT
"""

import argparse
import statistics
from pathlib import Path

from measure import in_turn, ratios, search

BUILD = Path(__file__).resolve().parents[2] / "build"
RATES = (  # label, program, mode, size, attempts: about a second each
    ("spawn, 64 B", "tests/bench/null_sut", "spawn", 64, 300),
    ("fork, 64 B", "tests/bench/null_test", "fork", 64, 2000),
    ("persistent, 64 B", "tests/bench/null_test", "persistent", 64, 300_000),
    ("persistent, 4 KiB", "tests/bench/null_test", "persistent", 4096, 60_000),
)


# ---- Sections: each yields (label, measure), where measure(build, seed) is a number ----


def rates():
    for label, program, mode, size, attempts in RATES:
        def rate(build, seed, of=(program, mode, size, attempts)):
            run = search(build, of[0], "--mode", of[1], "--size-max", of[2], "--attempts", of[3],
                         "--rng-seed", seed)
            return run.runs / run.seconds
        yield f"{label}: runs/s", rate


def starts():
    def seconds(build, seed):
        return search(build, "tests/bench/null_test", "--rng-seed", seed).seconds
    yield "100 attempts that pass: seconds", seconds


def memory():
    yield "64 MiB inputs: MiB at most", lambda build, seed: search(
        build, "tests/bench/null_sut", "--size-max", "64M", "--attempts", 1, "--rng-seed", seed).peak / 1024


SECTIONS = {f.__name__: f for f in (rates, starts, memory)}


def compare(label, measure, builds, rounds):
    figures = in_turn({which: lambda k, b=build: measure(b, k) for which, build in
                       enumerate(builds)}, rounds)
    ratio = ratios(figures, 1, 0)
    before, after, middle = (statistics.median(x) for x in (*figures.values(), ratio))
    print(f"{label:36} {before:12.6g} {after:12.6g} {middle:8.3f}  {min(ratio):.3f} to "
          f"{max(ratio):.3f}", flush=True)


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

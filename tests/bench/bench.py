#!/usr/bin/env python3
"""Measure what a run costs: rates by mode, and of targets with sanitizers.

    bench.py [--build DIR] [--quick | --smoke] [--section NAME]...

Sections: modes (runs a second of searches of a test that only draws), sanitizers (rates with and
without the search for leaks). What is compared takes turns within each round, so that a machine
busy with other things is as unfair to all: trust the ratios. --smoke looks only whether the programs
work, and times nothing. The memory of the driver is in versions.py.
SPDX-License-Identifier: MIT
"""

import argparse
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import in_turn, medians, ratios, run_tool, search, table

KIB = 1 << 10
SOURCE = Path(__file__).resolve().parents[2]
ATTEMPTS = {"spawn": 100, "fork": 1000, "persistent": 100_000}  # at each size
SANITIZERS = ("address,undefined", "address", "leak", "undefined", "thread", "memory")
EMPTY = '#include "frng_main.h"\nstatic bool test(frng *f) { (void)f; return true; }\nFRNG_MAIN(test)\n'


class Bench:
    """A build, a folder to compile in, and how much is measured."""

    def __init__(self, build, folder, quick):
        self.build, self.folder = build, folder
        self.rounds, self.seconds = (1, 0.1) if quick else (7, 0.25)
        self.missed = 0

    def rate(self, mode, size, jobs):
        """Runs a second of a search."""
        run = run_tool(self.build, "driver/frng-search", self.build / "tests/bench/null_test", "--mode", mode,
                       "--size-max", size, "--jobs", jobs, "--attempts",
                       max(2, int(ATTEMPTS[mode] * 4 * self.seconds)))
        return run.runs / run.seconds

    def say(self, what, number, least):
        self.missed += number < least
        print(f"{'reached' if number >= least else 'NOT REACHED'}: {what}, at least {least}: {number:.2f}")


def section_modes(bench):
    rows, of = [], {}
    for size in (16, 4 * KIB):
        of[size] = in_turn({f"{mode} j{jobs}": lambda _, mode=mode, jobs=jobs, size=size: bench.rate(
            mode, size, jobs) for mode in ATTEMPTS for jobs in (1, 2)}, bench.rounds)
        rows.append([f"{size:,} B at most", *(f"{rate:,.0f}" for rate in medians(of[size]))])
    print("Runs a second of a test that only draws")
    table(["", *of[16]], rows)
    bench.say("fork over spawn, 16 B", statistics.median(ratios(of[16], "fork j1", "spawn j1")), 2)


def sanitized(bench, compiler, sanitizer, source, *more):
    """A program with a sanitizer, or None where the compiler cannot build one that runs."""
    target = Path(bench.folder) / f"{compiler}-{sanitizer}-{Path(source).stem}"
    command = [compiler, "-g", "-D_GNU_SOURCE", f"-fsanitize={sanitizer}", f"-I{SOURCE / 'frng'}", *more,
               str(source), "-o", str(target)]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        works = subprocess.run(command, check=False, **quiet).returncode == 0 and \
            subprocess.run([str(target)], check=False, **quiet).returncode == 0
    except OSError:
        return None
    return target if works else None


def rate_sanitized(bench, target, options):
    """Runs of a search by one job in a second of processor time, which neighbours do not change."""
    clean = {name: value for name, value in os.environ.items() if not name.endswith("SAN_OPTIONS")}
    run = search(bench.build, target, "--size-max", 256, "--time", f"{8 * bench.seconds}s",
                 "--rng-seed", 1, env={**clean, **options})
    return run.runs / run.processor


def section_sanitizers(bench):
    off = {name: "detect_leaks=0" for name in ("ASAN_OPTIONS", "LSAN_OPTIONS")}
    empty, rows, shares = Path(bench.folder) / "empty.c", [], []
    empty.write_text(EMPTY, encoding="utf-8")
    for compiler, sanitizer in itertools.product(("gcc", "clang"), SANITIZERS):
        cells = [f"{compiler} {sanitizer}"]
        for source, more in ((empty, ()), (SOURCE / "examples" / "cobs.c", ("-DFIXED",))):
            target = sanitized(bench, compiler, sanitizer, source, *more)
            if target is None:
                continue
            pairs = [[rate_sanitized(bench, target, options) for options in ({}, off)]
                     for _ in range(min(3, bench.rounds))]
            shares += [statistics.median(a / b for a, b in pairs)]
            cells += [f"{statistics.median(column):,.0f}" for column in zip(*pairs)]
        rows += [cells] if len(cells) > 1 else []
    print("Runs in a second of processor time of a search by one job")
    table(["", "empty test", "`detect_leaks=0`", "`cobs`", "`detect_leaks=0`"], rows)
    bench.say("the default over detect_leaks=0", min(shares, default=0), 0.8)


SECTIONS = {"modes": section_modes, "sanitizers": section_sanitizers}


def smoke(bench):
    bench.seconds = 0
    assert all(bench.rate(mode, 4 * KIB, 2) > 0 for mode in ATTEMPTS)
    assert search(bench.build, "tests/bench/null_sut", "--attempts", 2).runs > 0
    print("ok")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, default=SOURCE / "build", help="Meson's build folder")
    parser.add_argument("--quick", action="store_true", help="one short round")
    parser.add_argument("--smoke", action="store_true", help="only look whether it all works")
    parser.add_argument("--section", action="append", choices=SECTIONS, help="only this one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="frng-bench-") as folder:
        bench = Bench(options.build.resolve(), folder, options.quick)
        if options.smoke:
            return smoke(bench)
        for name in options.section or SECTIONS:
            SECTIONS[name](bench)
        print(f"{bench.missed} figures not reached, on {os.cpu_count()} processors, load "
              f"{os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

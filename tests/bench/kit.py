#!/usr/bin/env python3
"""The examples of the kit (frng_sim.h, frng_sched.h, frng_disk.h, frng_lin.h) over fixed seeds.

    kit.py --build DIR                        measure everything, and print the tables
    kit.py --build DIR --only lease,raft      the rows whose names begin so, `rates` for the rates
    kit.py --build DIR --write                write them into tests/bench/KIT.md, too
    kit.py --build DIR --keep FILE            go on from FILE, which has what was measured already

Each row is searched with one job from --rng-seed 1 to --seeds (20), and reduced. The variants with
bugs are built in a temporary folder. Seconds are those of the clock up to the first failure; rates
are runs in a second of processor time, so that the load of the machine changes them less.
SPDX-License-Identifier: MIT
"""

import argparse
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from collections import namedtuple
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KIT = ROOT / "tests" / "bench" / "KIT.md"
BEGIN, END = "<!-- begin: tests/bench/kit.py --write -->\n", "<!-- end -->\n"
WITHIN = 1.5  # times the best known size: what a reduction should reach

# `best` is the smallest reduced size that is known, `within` the seconds in which the first failure
# should be found, `attempts` the passes in a row that end a search.
Row = namedtuple("Row", "name source flags best within attempts")
ROWS = [
    Row("lease", "lease.c", [], 9, 5, 5000),
    Row("stack", "stack.c", [], 2, 30, 5000),
    Row("queue", "queue.c", [], 5, 30, 5000),
    Row("consensus", "consensus.c", [], 20, 30, 5000),
    *(Row(f"raft-{bug}", "raft.c", [f"-DBUG={bug}"], best, 30, 5000)
      for bug, best in enumerate([8, 12, 7, 9, 7], 1)),
    *(Row(f"wal-{bug}", "wal.c", [f"-DBUG={bug}"], best, 30, 2000)
      for bug, best in enumerate([6, 11, 11, 12], 1)),
]
RATES = ["lin", "event", "switch"]  # tests/bench/kit/NAME.c, each prints lines of "what: figure"

FOUND = ("| | attempts | found | seconds | runs to the first | searched | reduced | best known "
         "| at it | within 1.5 | runs/s |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
CLEAN = "| without its bug | runs | failures | bytes | runs/s |\n|---|---|---|---|---|\n"


def events_of(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


class Bench:
    """The folder of the programs, the tools, and what was measured before."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.build = Path(options.build).resolve()
        self.kept = {}
        if options.keep and Path(options.keep).exists():
            self.kept = json.loads(Path(options.keep).read_text(encoding="utf-8"))

    def run(self, *command, limit=900):
        """Exit status, standard output and the seconds of processor time of a command."""
        before = os.times()
        done = subprocess.run(list(map(str, command)), cwd=self.folder, capture_output=True,
                              text=True, errors="replace", check=False, stdin=subprocess.DEVNULL,
                              timeout=limit)
        after = os.times()
        spent = sum(after[2:4]) - sum(before[2:4])
        return done.returncode, done.stdout, spent, done.stderr

    def tool(self, name, *arguments):
        return self.run(self.build / "driver" / f"frng-{name}", *arguments)

    def compile(self, source, name, *flags):
        """The program, or None with a line of why."""
        if not source.exists():
            return None
        program = self.folder / name
        status, _, _, said = self.run(self.options.cc, "-std=gnu11", "-g", "-O2",
                                      f"-I{ROOT / 'frng'}", *flags, "-o", program, source,
                                      "-lpthread")
        if status != 0:
            print(f"kit: {name} does not build: {said[:500]}", file=sys.stderr)
            return None
        return program

    def example(self, row, suffix, *flags):
        return self.compile(ROOT / "examples" / row.source, row.name + suffix, *flags)

    def once(self, name, measure):
        """What measure() returns, or returned in an earlier call of this script."""
        if name not in self.kept:
            self.kept[name] = measure()
            if self.options.keep:
                Path(self.options.keep).write_text(json.dumps(self.kept), encoding="utf-8")
        return self.kept[name]

    def search(self, program, seed, attempts):
        """One search and its reduction."""
        _, text, cpu, _ = self.tool("search", program, "--rng-seed", seed, "--jobs", 1, "--time",
                                    f"{self.options.time}s", "--attempts",
                                    self.options.attempts or attempts, "--quiet", "--json", "-")
        events = events_of(text)
        done = events[-1]
        first = next((e for e in events if e["event"] == "best"), None)
        result = {"runs": done["runs"], "cpu": cpu, "first": None}
        if done["outcome"] != "fail" or first is None:
            return result
        _, text, _, _ = self.tool("reduce", program, "--size", done["size"], "--seed",
                                  done["seed"], "--jobs", 1, "--quiet", "--time",
                                  f"{self.options.time}s")
        reduced = re.search(r"size=(\d+)", text)
        return {**result, "first": first["runs"], "seconds": first["seconds"],
                "size": done["size"], "reduced": int(reduced[1]) if reduced else done["size"]}


def spread(values, form="{:,.0f}"):
    """The median and the worst."""
    if not values:
        return ""
    return f"{form.format(statistics.median(values))}, {form.format(max(values))}"


def found_line(row, results):
    found = [r for r in results if r["first"] is not None]
    soon = [r for r in found if r["seconds"] <= row.within]
    sizes = [r["reduced"] for r in found]
    best = row.best if row.best is not None else min(sizes, default=0)
    rate = sum(r["runs"] for r in results) / max(sum(r["cpu"] for r in results), 0.01)
    at_best = sum(size <= best for size in sizes)
    near = sum(size <= WITHIN * best for size in sizes)
    known = f"{best}" if row.best is not None else f"{best} here"
    if row.best is not None and min(sizes, default=best) < best:
        known += f", {min(sizes)} here"
    return (f"| {row.name} | {row.attempts:,} | {len(soon)}/{len(results)} in {row.within} s "
            f"| {spread([r['seconds'] for r in found], '{:.2f}')} "
            f"| {spread([r['first'] for r in found])} | {spread([r['size'] for r in found])} "
            f"| {spread(sizes)} | {known} | {at_best}/{len(results)} "
            f"| {near}/{len(results)}, worst {max(sizes, default=0) / max(best, 1):.2f} "
            f"| {rate:,.0f} |\n")


def clean_line(bench, row):
    """The program without its bug, at the size where its failures are, and some."""
    program = bench.example(row, "-fixed", "-DFIXED")
    if program is None or bench.options.clean == 0:
        return ""
    status, text, cpu, _ = bench.tool("search", program, "--rng-seed", 1, "--jobs", 1, "--attempts",
                                   bench.options.clean, "--size-max", bench.options.clean_size,
                                   "--quiet", "--json", "-")
    done = events_of(text)[-1]
    failures = 0 if status == 0 else 1
    return (f"| {row.source} | {done['runs']:,} | {failures} | {bench.options.clean_size} "
            f"| {done['runs'] / max(cpu, 0.01):,.0f} |\n")


def rate_lines(bench):
    lines = ""
    for name in RATES:
        program = bench.compile(ROOT / "tests" / "bench" / "kit" / f"{name}.c", name)
        if program is None:
            continue
        _, text, _, _ = bench.run(program)
        for line in text.splitlines():
            what, _, figure = line.partition(": ")
            lines += f"| {what} | {figure} |\n"
    return "| | |\n|---|---|\n" + lines if lines else ""


def machine():
    info = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = re.search(r"model name\s*: (.*)", info)
    return (f"{os.cpu_count()} processors ({model[1] if model else os.uname().machine}), "
            f"load {os.getloadavg()[2]:.0f}.\n")


def tables(bench):
    only = bench.options.only.split(",") if bench.options.only else [""]
    rows = [row for row in ROWS if any(row.name.startswith(name) for name in only)]
    found, clean, cleaned = "", "", set()
    for row in rows:
        program = bench.example(row, "", *row.flags)
        if program is None:
            continue
        results = [bench.once(f"{row.name} {seed}",
                              partial(bench.search, program, seed, row.attempts))
                   for seed in range(1, bench.options.seeds + 1)]
        found += found_line(row, results)
        print(found.splitlines()[-1], file=sys.stderr, flush=True)
        if row.source not in cleaned:
            cleaned.add(row.source)
            clean += bench.once(f"{row.source} fixed", partial(clean_line, bench, row))
    rates = rate_lines(bench) if any("rates".startswith(name) for name in only) else ""
    parts = [FOUND + found if found else "", CLEAN + clean if clean else "", rates, machine()]
    return "\n".join(part for part in parts if part)


def write(text):
    page = KIT.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    KIT.write_text(before + BEGIN + text + END + after, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", required=True)
    parser.add_argument("--only", help="rows, separated by commas; `rates` for the rates")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--time", type=int, default=60, help="seconds of a search")
    parser.add_argument("--attempts", type=int, help="passes that end a search")
    parser.add_argument("--clean", type=int, default=200000,
                        help="passes at the largest size without the bug")
    parser.add_argument("--clean-size", type=int, default=256)
    parser.add_argument("--keep", metavar="FILE", help="measure only what is not in FILE yet")
    parser.add_argument("--cc", default=os.environ.get("CC", "cc"))
    parser.add_argument("--write", action="store_true", help="into tests/bench/KIT.md")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = Path(tempfile.mkdtemp(prefix="kit-"))
    try:
        text = tables(Bench(options, folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(text, end="")
    if options.write:
        write(text)


if __name__ == "__main__":
    main()

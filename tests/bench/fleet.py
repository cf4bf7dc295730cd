#!/usr/bin/env python3
"""Measure searches that share a folder of findings.

    fleet.py [--build DIR] [--section NAME]... [--test "SCALE POWER LEAST"] [--quick]

Sections: share (the runs of 8 searches for 30 s, with --sync 3s and without, beside those of one
search that has the time of all), findings (200 searches for a minute: how many findings are in the
folder meanwhile, and in the end), calls (calls for metadata at each sync without news, by strace).
fleet_test sleeps instead of working, so that few processors are enough. A share of them that went to
other programs is printed; it makes all figures worse. All of it takes eight minutes, --quick two.
SPDX-License-Identifier: MIT
"""

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from bench import Neighbours, Verdicts, table

NAME = re.compile(r"\d{10}-[0-9a-f]{16}s?\.json")
ENDLESS = ["--attempts", "1000000000000", "--quiet", "--jobs", "1"]
METADATA = "%file,fsync,fdatasync,fstat,fstatfs,getdents64,flock,ftruncate,fchmod,utimensat"


@dataclass
class Plan:
    """How much is measured, in searches and seconds."""

    search: Path
    test: list
    workers: int = 8
    seconds: float = 30
    repeat: int = 1
    crowd: int = 200
    crowd_seconds: float = 60
    calls_seconds: float = 30


class Fleet:
    """Searches in a folder of their own, and their events. They end with the block."""

    def __init__(self, plan):
        self.plan, self.started = plan, []

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="frng-fleet-"))
        self.found = self.folder / "found"
        return self

    def __exit__(self, *_):
        for process in self.started:
            if process.poll() is None:
                process.kill()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def command(self, options):
        events = self.folder / f"events-{len(self.started)}"
        return [str(self.plan.search), self.plan.test[0], *ENDLESS, "--json", str(events),
                *map(str, options), "--", *self.plan.test[1:]]

    def start(self, *options, before=()):
        command = [*before, *self.command(options)]
        with open(self.folder / f"errors-{len(self.started)}", "wb") as errors:
            self.started.append(subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                                 stdout=subprocess.DEVNULL, stderr=errors))
        if len(self.started) == 1:
            print(f"command  {shlex.join(command)}", flush=True)

    def wait(self):
        for number, process in enumerate(self.started):
            if process.wait() not in (0, 1):
                sys.exit((self.folder / f"errors-{number}").read_text())

    def ends(self):
        """The last event of each search."""
        return [json.loads((self.folder / f"events-{number}").read_text().splitlines()[-1])
                for number in range(len(self.started))]

    def findings(self):
        if not self.found.exists():
            return []
        return sorted(name for name in os.listdir(self.found) if NAME.fullmatch(name))


# ---- Section: share ----


def searches(plan, count, seconds, *options):
    """Runs and sizes of so many searches at once."""
    with Fleet(plan) as fleet:
        for _ in range(count):
            more = ["--findings", fleet.found, *options] if count > 1 else options
            fleet.start("--time", f"{seconds:g}s", *more)
        fleet.wait()
        ends = fleet.ends()
    return sum(end["runs"] for end in ends), sorted(end.get("size", 0) for end in ends)


def measure_share(plan, verdicts):
    """The share of the runs of one search that has all the time."""
    shares = {"3s": [], "never": []}
    rows = []
    for _ in range(plan.repeat):
        alone, sizes = searches(plan, 1, plan.workers * plan.seconds)
        rows.append(["one search", f"{plan.workers * plan.seconds:g} s", alone, "", sizes[0], ""])
        for sync, found in shares.items():
            runs, sizes = searches(plan, plan.workers, plan.seconds, "--sync", sync)
            found.append(runs / alone)
            rows.append([f"{plan.workers} searches, --sync {sync}", f"{plan.seconds:g} s", runs,
                         f"{found[-1]:.0%}", sizes[0], sizes[-1]])
    table(["searches", "time", "runs", "share", "best", "worst"], rows)
    for sync, found in shares.items():
        print(f"median   --sync {sync}: {statistics.median(found):.0%} of the runs of one search")
    share = statistics.median(shares["3s"])
    verdicts.say("85% of the runs of one search in the time of all", share >= 0.85, f"{share:.0%}")


# ---- Section: findings ----


def watch_findings(fleet, seconds):
    """The most findings that were there at once, in so many seconds, and the first of them all."""
    most, best, end = 0, None, time.monotonic() + seconds
    while time.monotonic() < end:
        names = fleet.findings()
        most = max(most, len(names))
        best = min([*names[:1], *([best] if best else [])], default=None)
        time.sleep(0.1)
    return most, best


def measure_findings(plan, verdicts):
    """The searches end at once; each has looked at the folder once more then. A byte costs twenty
    times as much as elsewhere, so that the processors are enough for all."""
    with Fleet(replace(plan, test=[*plan.test, "200000"])) as fleet:
        for _ in range(plan.crowd):
            fleet.start("--time", f"{plan.crowd_seconds:g}s", "--findings", fleet.found, "--sync",
                        "3s")
        most, best = watch_findings(fleet, plan.crowd_seconds)
        fleet.wait()
        left = fleet.findings()
    table(["searches", "most findings at once", "left at the end", "best"],
          [[plan.crowd, most, len(left), left[0] if left else "none"]])
    verdicts.say(f"at most {plan.crowd} findings meanwhile", most <= plan.crowd, most)
    verdicts.say("at most 5 in the end", 0 < len(left) <= 5, len(left))
    verdicts.say("the best is kept", best is not None and left[:1] <= [best], left[:1])


# ---- Section: calls ----


def syncs_of(trace):
    """The calls of each sync: of a look at the folder, if there was one, and the report that ends it;
    but for the start, the end, and syncs that list the folder or write a finding."""
    report = re.compile(r'rename\w*\(.*/workers/[^"]*json"')
    syncs = [[]]
    for line in trace.read_text().splitlines():
        if "(" in line:
            syncs[-1].append(line)
        if report.search(line):
            syncs.append([])
    return [sync for sync in syncs[1:-2]
            if not any("getdents" in call or "fsync" in call for call in sync)]


def measure_calls(plan, verdicts):
    """The search has the smallest failure soon: from ten bytes on all inputs fail."""
    if shutil.which("strace") is None:
        print("skipped  strace is missing")
        return
    with Fleet(replace(plan, test=[plan.test[0], "1", "1", "10"])) as fleet:
        trace = fleet.folder / "trace"
        fleet.start("--time", f"{plan.calls_seconds:g}s", "--findings", fleet.found, "--sync",
                    "200ms", before=["strace", "-o", str(trace), "-e", f"trace={METADATA}"])
        fleet.wait()
        syncs = syncs_of(trace)
    counts = [len(sync) for sync in syncs]
    names = sorted({call.split("(", 1)[0] for sync in syncs for call in sync})
    table(["syncs without news", "calls, median", "most", "which"],
          [[len(syncs), statistics.median(counts or [0]), max(counts, default=0), " ".join(names)]])
    verdicts.say("at most 8 calls for each sync", 0 < max(counts, default=0) <= 8,
                 max(counts, default=0))


SECTIONS = {"share": measure_share, "findings": measure_findings, "calls": measure_calls}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--section", action="append", choices=list(SECTIONS))
    parser.add_argument("--test", default="5600 3 500",
                        help="SCALE, POWER and LEAST of fleet_test")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    build = Path(options.build).resolve()
    plan = Plan(build / "driver" / "frng-search",
                [str(build / "tests" / "bench" / "fleet_test"), *options.test.split()],
                repeat=options.repeat)
    if options.quick:
        plan.seconds, plan.crowd, plan.crowd_seconds, plan.calls_seconds = 8, 40, 20, 15
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    verdicts = Verdicts()
    for name in options.section or SECTIONS:
        print(f"== {name} ==")
        neighbours = Neighbours()
        SECTIONS[name](plan, verdicts)
        neighbours.say()
    return 1 if verdicts.missed else 0


if __name__ == "__main__":
    sys.exit(main())

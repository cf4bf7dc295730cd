#!/usr/bin/env python3
"""Count the runs until the first failure of rare.c and plain.c, which uniform entropy hardly meets.

    rare.py --build DIR [--seeds 20] [--time 20] [-- OPTION...]

Each search has one job and a --rng-seed, 1 to SEEDS, and ends after --time seconds if nothing has
failed: "never". Runs do not depend on the load of the machine. Options after -- go to frng-search,
such as --expand=uniform. SPDX-License-Identifier: MIT
"""

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = [("rare", name) for name in ("counter1", "counter2", "divide1", "equal1", "equal3", "keys1",
                                       "limit3", "overflow3")]
TESTS += [("plain", name) for name in ("counter", "equal", "keys", "limit")]


def first_failure(build, program, name, seed, seconds, more):
    """(runs until the first failure, size at the end)"""
    command = [build / "driver" / "frng-search", build / "tests" / "bench" / program, "--rng-seed",
               seed, "--jobs", 1, "--time", f"{seconds}s", "--json", "-", *more, "--", name]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([str(word) for word in command], cwd=folder, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode not in (0, 1):
        sys.exit(f"rare: {done.stderr.decode()}")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    runs = next((event["runs"] for event in events if event["event"] == "best"), math.inf)
    return runs, events[-1].get("size")


def main():
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--time", type=int, default=20)
    options = parser.parse_args(words[:at])
    print("| | found | runs | most | size |\n|---|---|---|---|---|")
    for program, name in TESTS:
        found = [first_failure(options.build.resolve(), program, name, seed, options.time,
                               words[at + 1:]) for seed in range(1, options.seeds + 1)]
        runs = [one[0] for one in found]
        sizes = [size for count, size in found if count != math.inf]
        shown = ["never" if value == math.inf else f"{value:,.0f}"
                 for value in (statistics.median(runs), max(runs))]
        print(f"| {name} of {program}.c | {len(sizes)}/{len(runs)} | {shown[0]} | {shown[1]} | "
              f"{statistics.median(sizes) if sizes else '-'} |", flush=True)


if __name__ == "__main__":
    main()

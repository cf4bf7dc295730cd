#!/usr/bin/env python3
"""Count the runs until the first failure of rare.c and plain.c, which uniform entropy hardly meets.

    rare.py --build DIR [--seeds 20] [--time 20] [-- OPTION...]

Each search has one job and a --rng-seed, 1 to SEEDS, and ends after --time seconds if nothing has
failed: "never". Runs do not depend on the load of the machine. Options after -- go to frng-search,
such as --expand=uniform. SPDX-License-Identifier: MIT
"""

import argparse
import math
import statistics
from pathlib import Path

from measure import search, table

TESTS = [("rare", name) for name in ("counter", "divide", "equal", "keys", "limit", "overflow")]
TESTS += [("plain", "equal"), ("plain", "limit")]


def rows(options):
    for program, name in TESTS:
        runs, sizes = [], []
        for seed in range(1, options.seeds + 1):
            found = search(options.build.resolve(), f"tests/bench/{program}", "--rng-seed", seed,
                           "--time", f"{options.time}s", *options.more, "--", name)
            best = [event["runs"] for event in found.events if event["event"] == "best"]
            runs += best[:1] or [math.inf]
            sizes += [found.done.get("size")] if best else []
        shown = ["never" if value == math.inf else f"{value:,.0f}"
                 for value in (statistics.median(runs), max(runs))]
        yield [f"{name} of {program}.c", f"{len(sizes)}/{len(runs)}", *shown,
               statistics.median(sizes) if sizes else "-"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--time", type=int, default=20)
    parser.add_argument("more", nargs="*", metavar="-- OPTION")
    table(["", "found", "runs", "most", "size"], rows(parser.parse_args()))


if __name__ == "__main__":
    main()

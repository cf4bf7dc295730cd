#!/usr/bin/env python3
"""Write the events of a search that ran all night, to measure frng-report with.

    python3 tests/bench/night.py > night.jsonl        # 10 million runs, 10,000 bests and sizes
    time build/driver/frng-report night.jsonl

The searches are one after the other in the file, as those of a fleet are that share it.
SPDX-License-Identifier: MIT
"""

import argparse
import json
import random
import sys

SITES = ["store.c:97", "store.c:162", "net.c:40", "asan:heap-use-after-free at log.c:12"]


def start(seed, task="search"):
    more = {"attempts": 100, "size_max": 1 << 22, "expand": "both", "rng_seed": str(seed)} \
        if task == "search" else {"size": 500}
    return {"event": "start", "schema": 1, "tool": "frng-search", "task": task, "sut": "./cluster",
            "args": ["--replicas", "3"], "version": "0.1.0", "mode": "persistent", "jobs": 16,
            "host": f"node{seed}", "when": "2026-11-22T01:00:00Z", "digest": "8f" * 32,
            "argv": ["frng-search", "./cluster", "--time", "8h"], **more}


def failure(size, site, seed):
    return {"size": size, "seed": str(seed), "identity": "signal:SIGABRT", "site": site,
            "signature": site if ":" in site[:5] else f"signal:SIGABRT at {site}",
            "flaky": False, "output": f"{site}: assertion failed: {size} bytes\n" * 8,
            "rate": {"reruns": 20, "repeated": 20, "low": 0.8315, "high": 1.0},
            "replay": f"frng-replay ./cluster --size {size} --seed {seed}"}


def search(number, runs, bests, draw):
    """The events of one search: its best size falls like a power of its runs."""
    yield start(number)
    at = 0
    for i in range(bests):
        at = max(at + 1, int(runs ** (((i + 1) / bests) ** (1 + number / 8))))
        size = 1 << 20 if i == 0 else max(41, int((1 << 20) * (1 - i / bests) ** 4) + 41)
        seed = draw.getrandbits(64)
        yield {"event": "size", "size": size, "runs": at, "seconds": at / 400}
        tested = draw.randrange(1, 1000)
        yield {"event": "tested", "size": size, "runs": tested,
               "failures": int(tested * draw.random() * size / (1 << 20)), "others": 0,
               "unreliable": 0, "drawn": None}
        yield {"event": "best", **failure(size, SITES[i % len(SITES)], seed), "runs": at,
               "reruns": i, "seconds": at / 400, "mode": "persistent"}
    yield {"event": "done", "outcome": "fail", "end": "done", **failure(41, SITES[0], 5),
           "below": 40, "passed": 4000, "bound": 0.002, "confidence": 0.95, "runs": runs,
           "reruns": bests, "seconds": runs / 400, "mode": "persistent"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10_000_000)
    parser.add_argument("--bests", type=int, default=10_000, help="of all searches together")
    parser.add_argument("--searches", type=int, default=1)
    options = parser.parse_args()
    draw = random.Random(1)
    for number in range(options.searches):
        for event in search(number, options.runs // options.searches,
                            options.bests // options.searches, draw):
            sys.stdout.write(json.dumps(event, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()

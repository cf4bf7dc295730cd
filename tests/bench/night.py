#!/usr/bin/env python3
"""Write the events of a search that ran all night, to measure frng-report with.

    python3 tests/bench/night.py > night.jsonl        # 10 million runs, 10,000 bests and sizes
    time build/driver/frng-report night.jsonl

SPDX-License-Identifier: MIT
"""

import json
import random

RUNS, BESTS = 10_000_000, 10_000
SITES = ["store.c:97", "store.c:162", "net.c:40", "asan:heap-use-after-free at log.c:12"]


def failure(size, site, seed):
    return {"size": size, "seed": str(seed), "identity": "signal:SIGABRT", "site": site,
            "signature": site if ":" in site[:5] else f"signal:SIGABRT at {site}",
            "flaky": False, "output": f"{site}: assertion failed: {size} bytes\n" * 8,
            "rate": {"reruns": 20, "repeated": 20, "low": 0.8315, "high": 1.0},
            "replay": f"frng-replay ./cluster --size {size} --seed {seed}"}


def events(draw):
    """The best size falls like a power of the runs."""
    yield {"event": "start", "tool": "frng-search", "task": "search", "sut": "./cluster",
           "args": ["--replicas", "3"], "version": "0.1.0", "mode": "persistent", "jobs": 16,
           "host": "node0", "when": "2026-11-22T01:00:00Z", "digest": "8f" * 32, "attempts": 100,
           "size_max": 1 << 22, "expand": "both", "rng_seed": "0"}
    at = 0
    for i in range(BESTS):
        at = max(at + 1, int(RUNS ** ((i + 1) / BESTS)))
        size = 1 << 20 if i == 0 else int((1 << 20) * (1 - i / BESTS) ** 4) + 41
        tested = draw.randrange(1, 1000)
        yield {"event": "size", "size": size, "runs": at, "seconds": at / 400}
        yield {"event": "tested", "size": size, "runs": tested,
               "failures": int(tested * draw.random() * size / (1 << 20)), "others": 0,
               "unreliable": 0, "drawn": None}
        yield {"event": "best", **failure(size, SITES[i % len(SITES)], draw.getrandbits(64)),
               "runs": at, "reruns": i, "seconds": at / 400, "mode": "persistent"}
    yield {"event": "done", "outcome": "fail", "end": "done", **failure(41, SITES[0], 5),
           "below": 40, "passed": 4000, "bound": 0.002, "confidence": 0.95, "runs": RUNS,
           "reruns": BESTS, "seconds": RUNS / 400, "mode": "persistent"}


if __name__ == "__main__":
    for event in events(random.Random(1)):
        print(json.dumps({"schema": 1, **event}, separators=(",", ":")))

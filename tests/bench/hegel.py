#!/usr/bin/env python3
"""Print what frng-search --reduce and libhegel cost and find, in turns, for one source of tests.

    hegel.py --build BUILD [--rounds N]

libhegel is the engine of the Hegel libraries for property-based testing. Its shared library is in a
package of npm's, which `npm pack` fetches into BUILD/hegel once; where that fails, the rows are
skipped. `smallest` is the number of draws of the answer; coins of lists do not count.
SPDX-License-Identifier: MIT
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from effort import compiled, searched
from measure import in_turn, table

PACKAGE = "@hegeldev/hegel-linux-x64@0.4.7"
LIBRARY = "package/libhegel-linux-amd64.so"
TESTS = ("broken", "commit", "editing", "fletcher", "feb29")
CASES = 50_000  # of libhegel, which ends once it found a failure and shrank it


def library_of(build):
    """The path of the library, or None where it cannot be had."""
    folder = build / "hegel"
    folder.mkdir(exist_ok=True)
    if not (folder / LIBRARY).exists():
        packed = subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=folder, check=False,
                                capture_output=True, text=True, timeout=120)
        if packed.returncode != 0:
            print(f"skipped: npm pack {PACKAGE}: {packed.stderr.strip()[-300:]}")
            return None
        subprocess.run(["tar", "xzf", packed.stdout.split()[-1]], cwd=folder, check=True)
    return folder / LIBRARY


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    build = options.build.resolve()
    library = library_of(build)
    if library is None:
        return 0
    rows = []
    with tempfile.TemporaryDirectory(prefix="frng-hegel-") as folder:
        for test in TESTS:
            linked = compiled(folder, build, test, over="hegel",
                              libraries=(library, f"-Wl,-rpath,{library.parent}"))
            program = compiled(folder, build, test)

            def hegel(k):
                run = subprocess.run([linked, str(k), str(CASES)], check=True, capture_output=True)
                told = json.loads(run.stdout)
                return told["cpu"], told["draws"]

            def frng(k):
                run = searched(build, program, k, "--reduce")
                draws = [e["draws"] for e in run.events if e["event"] == "best" and e.get("draws")]
                return run.cpu, (draws[-1] if draws else 0) if run.done["outcome"] == "fail" else 0

            figures = in_turn({"frng": frng, "hegel": hegel}, options.rounds)
            found = {which: [n for _, n in each if n > 0] for which, each in figures.items()}
            rows.append([test, *(f"{statistics.median(s for s, _ in each):.3f}"
                                 for each in figures.values()),
                         *(f"{len(n)}/{options.rounds}" for n in found.values()),
                         *(sorted(n) for n in found.values())])
    table(["test", "frng: s", "libhegel: s", "found", "found", "draws", "draws"], rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())

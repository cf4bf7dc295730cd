#!/usr/bin/env python3
"""The start of a search in a folder of many findings.

    many_findings.py --build DIR [--count 100000] [--repeat 5] [--baseline FRNG-SEARCH]

Prints seconds, the largest resident set of the driver and how many findings it opened, beside a
search in an empty folder: medians. Exit status 1 if a figure of the build misses its bound.
SPDX-License-Identifier: MIT
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BOUNDS = {"seconds": 0.3, "MB": 10, "opened": 5}  # beyond the empty folder, but for those opened
SIZE = 41  # of the smallest failure
OPENED = re.compile(r'openat\(\d+, "[0-9]{10}-[0-9a-f]{16}s?\.json", O_RDONLY')


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--count", type=int, default=100000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--baseline", type=Path, help="the frng-search of another build")
    return parser.parse_args()


def peak(pid):
    """The largest resident set so far, in KB; 0 once the process has ended."""
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s*(\d+)", text)
    return int(found[1]) if found else 0


class Start:
    """A search with one program, in a folder that has all findings of an earlier one."""

    def __init__(self, tool, sut, folder):
        self.folder = folder
        self.command = [tool.resolve(), "--findings", "found", "--attempts", "1", "--jobs", "1",
                        "--rng-seed", "1", "--size-max", "1M", "--quiet", sut]
        self.names = set()

    def tidy(self):
        """Remove what a search added, which the next one would begin with."""
        for name in set(os.listdir(self.folder / "found")) - self.names:
            (self.folder / "found" / name).unlink()

    def run(self, prefix=()):
        """(seconds, KB) of a search."""
        begun, largest = time.monotonic(), 0
        process = subprocess.Popen([*prefix, *self.command], cwd=self.folder,
                                   stdout=subprocess.DEVNULL)
        while process.poll() is None:
            largest = max(largest, peak(process.pid))
            time.sleep(0.002)
        seconds = time.monotonic() - begun
        assert process.returncode == 1, process.returncode
        self.tidy()
        return seconds, largest

    def opened(self):
        """How many findings it opens; None without strace."""
        if shutil.which("strace") is None:
            return None
        log = self.folder / "calls"
        self.run(["strace", "-f", "-s", "100", "-e", "trace=openat", "-o", log])
        return len(OPENED.findall(log.read_text()))

    def measure(self, repeat):
        runs = [self.run() for _ in range(repeat)]
        return {"seconds": statistics.median(seconds for seconds, _ in runs),
                "MB": statistics.median(kilobytes for _, kilobytes in runs) / 1000}


def fill(start, finding, count):
    """Write findings that all fail, none of them the smallest failure."""
    for i in range(count):
        size, seed = SIZE + 1 + i, (i * 0x9E3779B97F4A7C15 + 7) % 2**64
        text = json.dumps({**finding, "format": 1, "size": size, "seed": str(seed)}, indent=2)
        name = f"{size:010}-{seed:016x}.json"
        (start.folder / "found" / name).write_text(text + "\n")
        start.names.add(name)


def measure(tool, folder, arguments):
    """({figure: beyond an empty folder}, a row)."""
    folder.mkdir()
    sut = folder / "sut"
    sut.write_text(f"#!/bin/sh\ntest $(wc -c) -lt {SIZE}\n")
    sut.chmod(0o755)
    start = Start(tool, sut, folder)
    subprocess.run(start.command, cwd=folder, stdout=subprocess.DEVNULL, check=False)
    finding = json.loads(min((folder / "found").iterdir()).read_text())
    start.tidy()
    empty = start.measure(arguments.repeat)
    fill(start, finding, arguments.count)
    full = start.measure(arguments.repeat)
    beyond = {name: full[name] - empty[name] for name in full}
    beyond["opened"] = start.opened()
    opened = beyond["opened"] if beyond["opened"] is not None else "?"
    return beyond, (f"{empty['seconds']:9.2f} s {full['seconds']:9.2f} s {empty['MB']:8.1f} MB "
                    f"{full['MB']:8.1f} MB {opened:>8}")


def main():
    arguments = parse()
    tools = {"this build": arguments.build / "driver" / "frng-search"}
    if arguments.baseline is not None:
        tools["baseline"] = arguments.baseline
    print(f"{'':12}{'none':>11} {arguments.count:>11} {'none':>11} {arguments.count:>11} "
          f"{'opened':>8}")
    missed = False
    with tempfile.TemporaryDirectory(prefix="frng-bench-") as folder:
        for i, (name, tool) in enumerate(tools.items()):
            beyond, row = measure(tool, Path(folder, str(i)), arguments)
            print(f"{name:12}{row}", flush=True)
            if name == "this build":
                missed = any(beyond[what] is not None and beyond[what] > bound
                             for what, bound in BOUNDS.items())
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())

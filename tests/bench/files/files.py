#!/usr/bin/env python3
"""Measure frng-reduce --predicate on files, beside C-Reduce and C-Vise where these are installed.

    files.py --build DIR [--case NAME]... [--tool NAME]... [--jobs 2] [--timeout 120]
             [--calls N] [--without PASS]... [--delay 0]

The cases are those of cases.py. Each tool reduces a copy of its own, in a fresh folder. `@100` and
`@500` are the smallest interesting sizes that the first 100 and 500 runs of the predicate have
shown (it keeps a log of them), `all` that of all, which are `runs`; `*`: it was stopped after
--timeout or --calls. The predicate, run once more on what the tool left, must say interesting.
--without leaves a pass of frng out; --delay lets each run of the predicate sleep before, as long ones
are. `seconds` are on the clock. `creduce-c` is C-Reduce with its passes for C, by clang_delta, and
has the C and C++ files only. SPDX-License-Identifier: MIT
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cases import RECIPES, make_case

CALLS = (100, 500)


def frng(options, file, predicate):
    name = "tests/bench/frng-reduce-without" if options.without else "driver/frng-reduce"
    return [options.build.resolve() / name, "--predicate", predicate, file, "--output", file.with_name("reduced"),
            "--jobs", options.jobs, "--quiet"]


def of_creduce(name, *words):
    def command(options, file, predicate):
        return [shutil.which(name) or "-", "--tidy", "--n", options.jobs, *words, predicate, file.name]

    return command


TOOLS = {"frng": frng, "creduce": of_creduce("creduce", "--not-c"), "cvise": of_creduce("cvise", "--not-c"),
         "creduce-c": of_creduce("creduce")}


def run_limited(command, folder, case, options):
    """Whether it ended by itself. Else it may put away what it has, and what it started is killed."""
    ends = time.monotonic() + options.timeout
    with subprocess.Popen(command, cwd=folder, env={**os.environ, "TMPDIR": str(folder.parent)},
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            while process.poll() is None:
                if time.monotonic() > ends or read_log(case.log, 0)[0] > options.calls:
                    process.terminate()
                    process.wait(3)
                    return False
                time.sleep(0.1)
            return True
        except subprocess.TimeoutExpired:
            return False
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def read_log(log, size):
    """How many runs there were, and the smallest size after each of CALLS and after all, from a log of
    a predicate. `size` is that of the file before the first."""
    calls, smallest, after = 0, size, {}
    for line in log.read_text().split() if log.exists() else []:
        if line != ".":
            smallest = min(smallest, int(line))
            continue
        if calls in CALLS:
            after[calls] = smallest
        calls += 1
    return calls, [*(after.get(n, smallest) for n in CALLS), smallest]


def is_interesting(case, data, place):
    folder = place / "check"
    folder.mkdir()
    (folder / case.file.name).write_bytes(data)
    return subprocess.run([str(case.predicate)], cwd=folder, stdin=subprocess.DEVNULL,
                          capture_output=True, check=False).returncode == 0


def measure(case, tool, place, options):
    """A row of the table."""
    folder = place / "work"
    folder.mkdir(parents=True)
    case.log.unlink(missing_ok=True)
    copy = Path(shutil.copy(case.file, folder))
    predicate = place / "slow.sh"
    predicate.write_text(f'#!/bin/sh\nsleep {options.delay}\nexec {case.predicate} "$@"\n')
    predicate.chmod(0o755)
    command = [str(word) for word in TOOLS[tool](options, copy, predicate if options.delay else case.predicate)]
    if command[0] == "-":
        shutil.rmtree(place)
        return f"| {case.name} | {case.kind} | {tool} | is not installed |"
    began = time.monotonic()
    ended = run_limited(command, folder, case, options)
    seconds = time.monotonic() - began
    reduced = copy.with_name("reduced")
    data = (reduced if reduced.exists() else copy).read_bytes()
    calls, after = read_log(case.log, case.file.stat().st_size)
    note = ("" if ended else "*") + ("" if is_interesting(case, data, place) else " NOT INTERESTING")
    shutil.rmtree(place)
    cells = [case.name, case.kind, tool, *after, f"{calls}{note}", f"{seconds:.1f}"]
    return f"| {' | '.join(map(str, cells))} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", type=Path, required=True, help="Meson's build folder")
    parser.add_argument("--case", action="append", choices=list(RECIPES), help="only this one")
    parser.add_argument("--tool", action="append", choices=list(TOOLS), help="only this one")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=120, help="seconds for each run")
    parser.add_argument("--calls", type=int, default=10**9, help="runs of the predicate for each run")
    parser.add_argument("--delay", type=float, default=0, help="seconds before each run of the predicate")
    parser.add_argument("--without", action="append", metavar="PASS", help="of frng, left out")
    options = parser.parse_args()
    os.environ["FRNG_WITHOUT"] = ",".join(options.without or [])
    print("| case | kind | tool | @100 | @500 | all | runs | seconds |\n" + "|---" * 8 + "|")
    with tempfile.TemporaryDirectory(prefix="frng-files-") as folder:
        for name in options.case or RECIPES:
            case = make_case(name, Path(folder) / "cases")
            for tool in options.tool or [tool for tool in TOOLS if tool != "creduce-c" or name in ("c", "c++")]:
                print(measure(case, tool, Path(folder) / "run", options), flush=True)


if __name__ == "__main__":
    sys.exit(main())

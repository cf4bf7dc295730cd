#!/usr/bin/env python3
"""Measure the ports: runs in their own process beside a new process for each, in one go.

    languages.py [--build DIR] [--rounds N] [--seconds S] [LANGUAGE...]

Each suite of tests/ports/ is built. Its ways to run take turns within each round, on one job, with
16 bytes: `empty` returns at once, `draws` draws each byte, `fails` fails in each run, which costs a
server that makes its runs in itself its process. The table has medians over the rounds, of the runs
a second and of the ratios within a round; the spread is that of the ratios. Rows of ports whose
toolchains are missing are left out by name. All of it takes four minutes.
SPDX-License-Identifier: MIT
"""

import argparse
import re
import statistics
import subprocess
import sys
from pathlib import Path

from bench import Neighbours, Verdicts, table

ROOT = Path(__file__).resolve().parents[2]
PORTS = ROOT / "tests" / "ports"
LANGUAGES = ["c", "cpp", "rust", "go", "zig", "python", "javascript"]

# Runs of an empty test in process, in runs of spawn.
WANTED = {"rust": 5000, "go": 75, "python": 1000, "javascript": 2000}
# The empty test of C++ beside that of C: as fast, within the noise of a shared machine.
AS_C = 0.9

# The columns: sub-command of the suite, mode, whether its runs fail.
WAYS = {
    "spawn": (["empty"], "spawn", False),
    "in process": (["empty"], "persistent", False),
    "draws spawn": (["draws", "16"], "spawn", False),
    "draws": (["draws", "16"], "persistent", False),
    "fails spawn": (["fails"], "spawn", True),
    "fails": (["fails"], "persistent", True),
}


def built(language, build):
    """The suite of a port, or None."""
    folder = build / "tests" / "ports" / language
    folder.mkdir(parents=True, exist_ok=True)
    result = subprocess.run(["sh", PORTS / language / "build.sh", folder], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                            check=False)
    if result.returncode == 0:
        return folder / "suite"
    print(f"{language}: {result.stdout.strip().splitlines()[-1]}")
    return None


def rate(arguments, suite, way):
    """Runs a second of one way."""
    words, mode, fails = WAYS[way]
    command = [arguments.build / "tests" / "bench" / "rate", "--size", "16", "--mode", mode,
               "--seconds", str(arguments.seconds), *(["--failing"] if fails else []), suite, *words]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    match = re.match(r"rate=([\d.]+)", result.stdout)
    if match is None:
        sys.exit(f"{' '.join(map(str, command))}: {result.stderr.strip()}")
    return float(match[1])


def measured(arguments, suites):
    """{language: {way: [rate of each round]}}; what is compared takes turns."""
    rates = {language: {way: [] for way in WAYS} for language in suites}
    for _ in range(arguments.rounds):
        for way in WAYS:
            for language, suite in suites.items():
                rates[language][way].append(rate(arguments, suite, way))
    return rates


def spread(ratios):
    return f"{min(ratios):,.0f}..{max(ratios):,.0f}"


def report(rates):
    rows = []
    verdicts = Verdicts()
    for language, ways in rates.items():
        ratios = [fast / slow for fast, slow in zip(ways["in process"], ways["spawn"])]
        drawn = [fast / slow for fast, slow in zip(ways["draws"], ways["draws spawn"])]
        failed = [fast / slow for fast, slow in zip(ways["fails"], ways["fails spawn"])]
        middle = {way: statistics.median(values) for way, values in ways.items()}
        rows.append([language, f"{middle['spawn']:,.0f}", f"{middle['in process']:,.0f}",
                     f"{statistics.median(ratios):,.0f}", spread(ratios), f"{middle['draws']:,.0f}",
                     f"{statistics.median(drawn):,.0f}", f"{middle['fails']:,.0f}",
                     f"{middle['fails spawn']:,.0f}", f"{statistics.median(failed):.2f}"])
        if language in WANTED:
            value = statistics.median(ratios)
            verdicts.say(f"{language} over spawn, {WANTED[language]:,} wanted",
                         value >= WANTED[language], f"{value:,.0f}")
    if "c" in rates and "cpp" in rates:
        beside = [cpp / c for cpp, c in zip(rates["cpp"]["in process"], rates["c"]["in process"])]
        value = statistics.median(beside)
        verdicts.say("C++ beside C, empty test", value >= AS_C, f"{value:.2f}")
    table(["language", "spawn/s", "in process/s", "ratio", "spread", "16 draws/s", "ratio",
           "failures/s", "by spawn", "ratio"], rows)
    return verdicts.missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.7)
    parser.add_argument("languages", nargs="*", default=LANGUAGES, metavar="LANGUAGE")
    arguments = parser.parse_args()
    arguments.build = arguments.build.resolve()
    neighbours = Neighbours()
    suites = {language: built(language, arguments.build) for language in arguments.languages}
    missed = report(measured(arguments, {k: v for k, v in suites.items() if v is not None}))
    neighbours.say()
    sys.exit(missed > 0)


if __name__ == "__main__":
    main()

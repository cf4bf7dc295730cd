#!/usr/bin/env python3
"""The columns of examples/gallery/README.md: frng's searches, and libFuzzer and AFL++ beside them.

    python3 tests/bench/gallery.py --build build [--only NAME]... [--rounds 5] [--seconds 60]

Both fuzzers begin with what a search of frng begins with: CORPUS styled inputs, others in each round.
Seconds are by the clock, with one job, and up to a crash; those of a round without one count as more
than the limit. A crash of the corpus itself counts at the time of its run.

SPDX-License-Identifier: MIT
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import run_tool, search

TOP = Path(__file__).resolve().parents[2]
GALLERY = TOP / "examples/gallery"
CORPUS = [8, 32, 128, 512] * 4  # sizes
FUZZERS = {
    "libFuzzer": {"c": "clang -std=gnu11 -fsanitize=fuzzer,address -DFRNG_LIBFUZZER",
                  "cc": "clang++ -std=c++17 -fsanitize=fuzzer,address -DFRNG_LIBFUZZER",
                  "run": "./libFuzzer -max_total_time={seconds} -seed={seed} -max_len=1024 corpus",
                  "crash": rb"^==\d+== ?ERROR|SUMMARY: "},
    "AFL++": {"c": "afl-cc -std=gnu11", "cc": "afl-c++ -std=c++17",
              "run": "afl-fuzz -s {seed} -V {seconds} -i corpus -o found{seed} -- ./AFL++",
              "crash": rb"results in a crash"},  # of the corpus
}


def compile_(about, source, output, compiler):
    command = (f"{compiler} -g -O1 -w -I {TOP}/frng -o '{output}' {source} "
               f"{about.get('Link', '')}")
    subprocess.run(command, shell=True, check=True, cwd=GALLERY, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def crash_s(build, folder, fuzzer, seed, seconds):
    """Seconds up to the first crash, or `seconds` + 1."""
    corpus = folder / "corpus"
    corpus.mkdir(exist_ok=True)
    for i, size in enumerate(CORPUS):
        dump = [build / "driver/frng-replay", "--size", str(size), "--seed", f"{seed * 100 + i}s", "--dump"]
        (corpus / f"{i}").write_bytes(subprocess.run(dump, check=True, capture_output=True).stdout)
    environment = {**os.environ, "AFL_NO_UI": "1", "AFL_SKIP_CPUFREQ": "1", "AFL_NO_AFFINITY": "1",
                   "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1", "AFL_BENCH_UNTIL_CRASH": "1",
                   "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1:symbolize=0"}
    command = FUZZERS[fuzzer]["run"].format(seconds=seconds, seed=seed)
    start = time.monotonic()
    with subprocess.Popen(command.split(), cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        for line in process.stdout:
            if re.search(FUZZERS[fuzzer]["crash"], line):
                process.terminate()
                return time.monotonic() - start
    if process.returncode != 0:
        sys.exit(f"exit status {process.returncode} of: {command}")
    found = list(folder.glob(f"found{seed}/default/crashes/id:*"))
    return time.monotonic() - start if found else seconds + 1


def row(build, source, options):
    about = dict(re.findall(r"^ \* (\w+): (.*)", source.read_text("utf-8"), re.MULTILINE))
    suffix = source.suffix[1:]
    with tempfile.TemporaryDirectory(prefix="frng-gallery-") as name:
        folder = Path(name)
        compile_(about, source.name, folder / "plain", "cc -std=gnu11" if suffix == "c" else "c++ -std=c++17")
        figures = []
        for seed in range(1, options.rounds + 1):
            found = search(build, folder / "plain", "--rng-seed", seed, "--time", "20s",
                           *about.get("Search", "").split())
            first = next(e for e in found.events if e["event"] == "best")
            small = found.done
            reduced = run_tool(build, "driver/frng-reduce", folder / "plain", "--size", small["size"],
                               "--seed", small["seed"], "--time", "6s").done
            figures.append((first["runs"], first["seconds"], small["size"], reduced["size"]))
        cells = ["{:.0f}", "{:.2f}", "{:.0f}", "{:.0f}"]
        cells = [cell.format(statistics.median(column)) for cell, column in zip(cells, zip(*figures))]
        for fuzzer, how in FUZZERS.items():
            if "thread" in source.stem:
                cells.append("-")
                continue
            compile_(about, source.name, folder / fuzzer, how[suffix])
            times = [crash_s(build, folder, fuzzer, seed, options.seconds)
                     for seed in range(1, options.rounds + 1)]
            middle = statistics.median(times)
            cells.append(f"not in {options.seconds} s" if middle > options.seconds else f"{middle:.2f} s")
    return [source.stem, *cells]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", type=Path, required=True, help="Meson's build folder")
    parser.add_argument("--only", action="append", help="this entry")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=60, help="for a fuzzer in a round")
    options = parser.parse_args()
    for source in sorted([*GALLERY.glob("*.c"), *GALLERY.glob("*.cc")]):
        if not options.only or source.stem in options.only:
            print("| " + " | ".join(row(options.build.resolve(), source, options)) + " |", flush=True)


if __name__ == "__main__":
    main()

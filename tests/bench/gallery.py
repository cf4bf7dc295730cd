#!/usr/bin/env python3
"""The table of examples/gallery: frng beside libFuzzer and AFL++ on the same tests.

    gallery.py --build DIR [NAME]...            measure these entries (all), and print the table
    gallery.py --build DIR --write [NAME]...    and write the table into examples/gallery/README.md

Each tool has one job and 60 seconds, five times, from the seeds 1 to 5. `runs` and `seconds` are
those up to the first failure, `size` is that of the smallest failure that frng's search ends with,
`reduced` that of the reduction of it; all are medians. What is measured is kept in
DIR/gallery/bench.json until the test or the library changes, so that a bench that was stopped goes
on where it was. A tool that is not installed, or a library, is named and has an empty cell.
SPDX-License-Identifier: MIT
"""

import argparse
import hashlib
import json
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GALLERY = ROOT / "examples" / "gallery"
README = GALLERY / "README.md"
BEGIN, END = "<!-- begin: tests/bench/gallery.py --write -->\n", "<!-- end -->\n"
TOOLS = ("frng", "libFuzzer", "AFL++")
HEAD = """\
| entry | library | what is wrong | runs | seconds | size | reduced | libFuzzer | AFL++ |
|---|---|---|---|---|---|---|---|---|
"""


def source_of(name):
    """The test, in C or in C++."""
    cc = GALLERY / f"{name}.cc"
    return cc if cc.exists() else GALLERY / f"{name}.c"


def entries():
    return sorted(p.stem for p in GALLERY.glob("*.md") if p.stem != "README")


def about(name, key):
    """What the head comment of the test says after "KEY: "."""
    head = source_of(name).read_text(encoding="utf-8").split("*/")[0]
    found = re.search(rf"^ \* {key}: (.*)$", head, re.MULTILINE)
    return found[1] if found else ""


def versions(name):
    """{package: version} of the entry's packages; None for one that is not installed."""
    found = {}
    for package in about(name, "Packages").split():
        query = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Abbrev} ${Version}", package],
                               capture_output=True, text=True, check=False)
        status, _, version = query.stdout.partition(" ")
        found[package] = version.strip() if query.returncode == 0 and status == "ii" else None
    return found


class Bench:
    """What the measurements of all tools and entries share."""

    def __init__(self, options):
        self.build = Path(options.build).resolve()
        self.repetitions, self.seconds = options.repetitions, options.seconds
        self.scratch = Path(tempfile.mkdtemp(prefix="gallery-"))
        self.file = self.build / "gallery" / "bench.json"
        self.file.parent.mkdir(exist_ok=True)
        self.results = json.loads(self.file.read_text()) if self.file.exists() else {}
        self.environment = {**os.environ, "AFL_NO_UI": "1", "AFL_SKIP_CPUFREQ": "1",
                            "AFL_NO_AFFINITY": "1", "AFL_BENCH_UNTIL_CRASH": "1",
                            "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1"}

    def tool(self, name):
        return str(self.build / "driver" / name)

    def run(self, command, seconds=None):
        return subprocess.run(list(map(str, command)), cwd=self.scratch, env=self.environment,
                              capture_output=True, text=True, errors="replace", check=False,
                              stdin=subprocess.DEVNULL,
                              timeout=(seconds or self.seconds) + 60)

    def compile(self, name, tool):
        """The test for this tool; None if there is no compiler for it."""
        plus = source_of(name).suffix == ".cc"
        compiler = {"frng": "c++" if plus else "cc", "libFuzzer": "clang++" if plus else "clang",
                    "AFL++": "afl-c++" if plus else "afl-cc"}[tool]
        if shutil.which(compiler) is None or (tool == "AFL++" and not shutil.which("afl-fuzz")):
            return None
        program = self.scratch / f"{name}-{tool.strip('+')}"
        fuzzer = ["-fsanitize=fuzzer", "-DFRNG_LIBFUZZER"] if tool == "libFuzzer" else []
        link = self.run(["sh", "-c", f"echo {about(name, 'Link')}"]).stdout
        made = self.run([compiler, "-std=c++17" if plus else "-std=gnu11", "-g", "-O1", *fuzzer,
                         f"-I{ROOT / 'frng'}", "-o", program, source_of(name),
                         *shlex.split(link)])
        if made.returncode != 0:
            print(f"gallery: {compiler} does not build {name}: {made.stderr[-500:]}",
                  file=sys.stderr)
            return None
        return program

    def frng(self, program, seed):
        """Runs and seconds up to the first failure, the smallest size, the reduced size."""
        search = self.run([self.tool("frng-search"), program, "--rng-seed", seed, "--jobs", 1,
                           "--time", f"{self.seconds}s", "--json", "-", "--quiet"])
        events = [json.loads(line) for line in search.stdout.splitlines() if line.startswith("{")]
        first = next((e for e in events if e["event"] == "best"), None)
        if search.returncode != 1 or first is None:
            return None
        done = events[-1]
        reduce = self.run([self.tool("frng-reduce"), program, "--size", done["size"], "--seed",
                           done["seed"], "--jobs", 1, "--quiet", "--time", f"{self.seconds}s"])
        reduced = re.search(r"size=(\d+)", reduce.stdout)
        return {"runs": first["runs"], "seconds": first["seconds"], "size": done["size"],
                "reduced": int(reduced[1]) if reduced else None}

    def libfuzzer(self, program, seed):
        started = time.monotonic()
        # Its handlers can wait forever for a lock of the heap that the test has destroyed.
        run = self.run([program, f"-seed={seed}", f"-max_total_time={self.seconds}",
                        "-handle_segv=0", "-handle_abrt=0", "-print_final_stats=1",
                        "-artifact_prefix=libfuzzer-"])
        seconds = time.monotonic() - started
        if run.returncode == 0:
            return None
        units = re.search(r"number_of_executed_units:\s*(\d+)", run.stderr)
        crash = re.search(r"Test unit written to (\S+)", run.stderr)
        return {"runs": int(units[1]) if units else None, "seconds": seconds,
                "size": (self.scratch / crash[1]).stat().st_size if crash else None}

    def passing_input(self, program, seed):
        """Random bytes, at most 8, that do not crash the test: AFL++ starts with no others."""
        for size in (8, 4, 2, 1):
            arguments = ["--size", str(size), "--seed", str(seed)]
            if self.run([self.tool("frng-replay"), program, *arguments]).returncode == 0:
                break
        dump = subprocess.run([self.tool("frng-replay"), *arguments, "--dump"],
                              capture_output=True, check=True)
        return dump.stdout

    def afl(self, program, seed):
        corpus, found = self.scratch / "corpus", self.scratch / "found"
        for folder in (corpus, found):
            shutil.rmtree(folder, ignore_errors=True)
        corpus.mkdir()
        (corpus / "seed").write_bytes(self.passing_input(program, seed))
        started = time.monotonic()
        run = self.run(["afl-fuzz", "-s", seed, "-V", self.seconds, "-i", corpus, "-o", found,
                        "--", program])
        seconds = time.monotonic() - started
        crashes = sorted((found / "default" / "crashes").glob("id:*"))
        if not crashes:
            if "Entering queue cycle" not in run.stdout + run.stderr:
                print(f"gallery: AFL++ made no runs: {run.stdout[-300:]}", file=sys.stderr)
            return None
        execs = re.search(r"execs:(\d+)", crashes[0].name)
        return {"runs": int(execs[1]) if execs else None, "seconds": seconds,
                "size": crashes[0].stat().st_size}

    def save(self):
        self.file.write_text(json.dumps(self.results, indent=1) + "\n")

    def measure(self, name):
        """All that is not measured yet of an entry."""
        lacks = [package for package, version in versions(name).items() if version is None]
        if lacks:
            print(f"gallery: {name} is skipped; missing package: {' '.join(lacks)}",
                  file=sys.stderr)
            return
        digest = hashlib.sha256(source_of(name).read_bytes() +
                                json.dumps(versions(name)).encode()).hexdigest()[:16]
        for tool, once in zip(TOOLS, (self.frng, self.libfuzzer, self.afl)):
            key = f"{name} {tool} {self.seconds} {digest}"
            kept = self.results.get(key, [])
            program = self.compile(name, tool) if len(kept) < self.repetitions else None
            if program is None and len(kept) < self.repetitions:
                print(f"gallery: {tool} is not measured on {name}", file=sys.stderr)
                continue
            while len(kept) < self.repetitions:
                kept.append(once(program, len(kept) + 1))
                print(f"{name} {tool} {len(kept)}: {kept[-1]}", file=sys.stderr, flush=True)
                self.results[key] = kept
                self.save()
            self.results[f"{name} {tool}"] = kept
            self.save()

    def cell(self, name, tool, field, form="{}"):
        """The median; a repetition that found nothing is larger than all others."""
        kept = self.results.get(f"{name} {tool}")
        if not kept:
            return ""
        values = [result[field] if result and result[field] is not None else float("inf")
                  for result in kept]
        median = statistics.median_low(values)
        return f"not in {self.seconds} s" if median == float("inf") else form.format(median)

    def row(self, name):
        label = " ".join(f"{p} {v}" for p, v in versions(name).items() if v)
        cells = [self.cell(name, "frng", "runs", "{:,}"), self.cell(name, "frng", "seconds", "{:.2f}"),
                 self.cell(name, "frng", "size"), self.cell(name, "frng", "reduced"),
                 self.cell(name, "libFuzzer", "seconds", "{:.1f} s"),
                 self.cell(name, "AFL++", "seconds", "{:.1f} s")]
        return (f"| [{name}]({name}.md) | {about(name, 'Library')} ({label}) | "
                f"{about(name, 'Bug')} | {' | '.join(cells)} |\n")

    def table(self):
        """The rows of all entries: the old row of one that has not been measured here."""
        old = dict(re.findall(r"^(\| \[(\w+)\].*\n)", README.read_text(encoding="utf-8"),
                              re.MULTILINE)) if README.exists() else {}
        old = {name: row for row, name in old.items()}
        return HEAD + "".join(
            self.row(name) if f"{name} frng" in self.results or name not in old else old[name]
            for name in entries())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="write the table into the README")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    unknown = set(options.names) - set(entries())
    if unknown:
        parser.error(f"no entry is called {' '.join(sorted(unknown))}")
    bench = Bench(options)
    try:
        for name in options.names or entries():
            bench.measure(name)
    finally:
        shutil.rmtree(bench.scratch, ignore_errors=True)
    table = bench.table()
    print(table, end="")
    if options.write:
        page = README.read_text(encoding="utf-8")
        before, rest = page.split(BEGIN)
        README.write_text(before + BEGIN + table + END + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    main()

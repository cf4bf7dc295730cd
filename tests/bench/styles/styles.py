#!/usr/bin/env python3
"""Measure searches with styled seeds, beside an older frng-search: how many runs they make until
the first failure, and what they end at.

    styles.py --build DIR [--baseline DIR] [--baseline-option WORD]... [--section NAME]...
              [--only GLOB]... [--seeds 20] [--time 20] [--workers 1] [--json FILE] [-- OPTION...]

--build and --baseline are Meson's build folders; the programs are those of --build, the tools of
each its own. With --baseline-option=--expand=uniform the old side is the same build with this
option. Sections: edges (draws that uniform entropy never makes), plain (the same on stdin, in
C), python (and in Python), structured (tests of this folder, the challenges and the examples),
rate (runs a second of kvstore-fixed, and of a test that only draws 64 bytes), libfuzzer (all C
targets under libFuzzer, by processor time; if the first 3 seeds find nothing, a side gets no more).
Options after -- go to the frng-search of --build. `meson compile -C build style_programs` first.

Each search has one job and a --rng-seed, 1 to SEEDS, and ends after --time seconds if nothing has
failed. If the old one finds nothing with the first 3 seeds, it gets no more. Runs and sizes are
medians; a search without a failure counts as endless. Ratios are new to
old. SPDX-License-Identifier: MIT
"""

import argparse
import concurrent.futures
import fnmatch
import json
import math
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
EDGES = {"counter": 7, "divide": 7, "equal": 7, "keys": 6, "limit": 5, "overflow": 7}
PLAIN = ("counter", "retries", "equal", "pair", "divide", "remainder", "bounds", "wraps", "keys",
         "records", "limit", "bucket")
STRUCTURED = ("allocator", "bitmap", "cache", "cluster", "codec", "deque", "format", "grammar",
              "heap", "interval", "json", "machine", "model", "sort", "tree")
EXAMPLES = ("cobs", "consensus", "kvstore", "ring")
NEVER = math.inf


# ---- Programs ----


@dataclass
class Program:
    name: str
    command: list  # of frng-search, without options
    source: Path = None  # with -D of it, for libFuzzer
    defines: list = field(default_factory=list)
    is_slow: bool = False  # only its first failure is looked for


def variants(build, kinds):
    for kind, count in kinds.items():
        for number in range(1, count + 1):
            yield Program(f"{kind}{number}", [build / "tests/bench/styles" / f"style-{kind}{number}"],
                          HERE / f"{kind}.c", [f"-DVARIANT={number}"])


def structured(build):
    for name in STRUCTURED:
        yield Program(name, [build / "tests/bench/styles" / f"style-{name}"], HERE / f"{name}.c")


def challenges(build):
    folder = build / "tests/bench/challenges"
    for path in sorted(folder.iterdir()):
        if path.is_file() and os.access(path, os.X_OK):
            yield Program(path.name, [path])


def examples(build):
    for name in EXAMPLES:
        yield Program(name, [build / "examples" / name])
    yield Program("btree.py", [HERE.parents[2] / "examples" / "btree.py"])


def programs_of(section, build):
    if section == "edges":
        return list(variants(build, EDGES))
    if section == "plain":
        return [Program(f"plain-{name}", [build / "tests/bench/styles" / f"style-plain-{name}"])
                for name in PLAIN]
    if section == "python":
        return [Program(f"plain.py {name}", [HERE / "plain.py", "--", name], is_slow=True)
                for name in PLAIN]
    return [*structured(build), *challenges(build), *examples(build)]


# ---- Searches ----


@dataclass
class Found:
    runs: float = NEVER  # until the first failure
    seconds: float = NEVER
    first: int = 0  # size of the first failure
    size: int = 0  # at the end
    all_runs: int = 0


def search(tool, program, seed, options, folder):
    command = [tool, program.command[0], "--rng-seed", seed, "--jobs", 1, "--json", "-",
               "--time", f"{options.time}s", *options.more, *program.command[1:]]
    done = subprocess.run([str(word) for word in command], cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"styles: {done.stderr.decode(errors='replace')}")
    found = Found()
    for line in done.stdout.splitlines():
        event = json.loads(line)
        if event["event"] == "best" and found.runs == NEVER:
            found.runs, found.seconds, found.first = event["runs"], event["seconds"], event["size"]
        if event["event"] == "done":
            found.size, found.all_runs = event["size"] or 0, event["runs"]
    return found


def first_failure(tool, program, seed, options, folder):
    """A search that ends at its first failure, where each run takes tens of milliseconds."""
    found = frng_first(tool, program, seed, options, folder)
    return Found() if found is None else Found(runs=found[0], size=None)


def searches(tool, program, options, folder, hopeless=None):
    """One with each seed; only `hopeless` of them, if none of these finds anything."""
    seeds = list(range(1, options.seeds + 1))
    if hopeless is not None:
        first = [search(tool, program, seed, options, folder) for seed in seeds[:hopeless]]
        if all(f.runs == NEVER for f in first):
            return first
    with concurrent.futures.ThreadPoolExecutor(options.workers) as pool:
        each = first_failure if program.is_slow else search
        return list(pool.map(lambda seed: each(tool, program, seed, options, folder), seeds))


# ---- Tables ----


@dataclass
class Row:
    name: str
    new: list
    old: list = field(default_factory=list)

    def runs_ratio(self):
        return ratio([f.runs for f in self.new], [f.runs for f in self.old])

    def size_ratio(self):
        return ratio(sizes(self.new), sizes(self.old))


def sizes(found):
    return [f.size for f in found if f.runs != NEVER and f.size is not None]


def ratio(new, old):
    """Of medians; None where one has none."""
    if not new or not old or NEVER in (statistics.median(new), statistics.median(old)):
        return None
    return max(1, statistics.median(new)) / max(1, statistics.median(old))


def number(value, places=0):
    return "-" if value is None else "never" if value == NEVER else f"{value:,.{places}f}"


def side(found):
    if not found:
        return ["-"] * 4
    runs = [f.runs for f in found]
    hits = sum(value != NEVER for value in runs)
    return [f"{hits}/{len(found)}", number(statistics.median(runs)), number(max(runs)),
            number(statistics.median(sizes(found)) if sizes(found) else None)]


HEADER = ["", "found", "runs", "most", "size", "old", "runs", "most", "size", "runs", "size"]


def print_cells(cells):
    widths = (20, 7, 9, 10, 8, 7, 9, 10, 8, 7, 6)
    print("  ".join([cells[0].ljust(widths[0])] +
                    [c.rjust(w) for c, w in zip(cells[1:], widths[1:])]).rstrip(), flush=True)


def print_row(row):
    print_cells([row.name, *side(row.new), *side(row.old), number(row.runs_ratio(), 2),
                 number(row.size_ratio(), 2)])


def print_ratios(word, rows, of):
    ratios = {row.name: of(row) for row in rows if of(row) is not None}
    if not ratios:
        return
    mean = math.exp(statistics.mean(math.log(r) for r in ratios.values()))
    worst = sorted(ratios, key=lambda name: -ratios[name])[:3]
    print(f"{word}: {len(ratios)} ratios, geometric mean {mean:.3f}, most "
          + ", ".join(f"{ratios[name]:.2f} ({name})" for name in worst), flush=True)


def table(section, options, folder):
    print(f"\n{section}: {options.seeds} searches of at most {options.time} s each")
    print_cells(HEADER)
    rows = []
    for program in programs_of(section, options.build, folder):
        if options.only and not any(fnmatch.fnmatch(program.name, glob) for glob in options.only):
            continue
        row = Row(program.name, searches(options.new, program, options, folder))
        if options.old:
            plain = argparse.Namespace(**{**vars(options), "more": options.baseline_option})
            row.old = searches(options.old, program, plain, folder, hopeless=3)
        rows.append(row)
        print_row(row)
    missed = [row.name for row in rows if any(f.runs == NEVER for f in row.new)]
    slow = [row.name for row in rows if row.name not in missed
            and statistics.median(f.runs for f in row.new) >= 2000]
    print(f"found in each search: {len(rows) - len(missed)} of {len(rows)}"
          + (f"; not {', '.join(missed)}" if missed else "")
          + (f"; median of 2,000 runs or more: {', '.join(slow)}" if slow else ""))
    print_ratios("runs", rows, Row.runs_ratio)
    print_ratios("sizes", rows, Row.size_ratio)
    return {row.name: {"new": [vars(f) for f in row.new], "old": [vars(f) for f in row.old]}
            for row in rows}


# ---- Rates ----


def rate(tool, sut, options, seed, folder):
    """Runs a second of a search in which nothing fails."""
    command = [tool, sut, "--rng-seed", seed, "--jobs", 1, "--json", "-", "--time", "5s", *options]
    began = os.times()
    out = subprocess.run([str(word) for word in command], cwd=folder, check=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    ended = os.times()
    used = (ended.children_user - began.children_user
            + ended.children_system - began.children_system)
    return json.loads(out.splitlines()[-1])["runs"] / used


def print_rates(options, folder):
    """In turn, so that both have the same machine. Runs of at most 4 KiB, as many at each size."""
    kept = {}
    if options.old is None:
        sys.exit("styles: rate needs --baseline or --baseline-option")
    for name, sut in (("kvstore-fixed", "examples/kvstore-fixed"),
                      ("null_test 64", "tests/bench/null_test")):
        rates = {"old": [], "new": []}
        for seed in range(1, options.seeds + 1):
            for side_name, tool, more in (("old", options.old, options.baseline_option),
                                          ("new", options.new, options.more)):
                words = [*more, "--size-max", "4K", "--", *name.split()[1:]]
                rates[side_name].append(rate(tool, options.build / sut, words, seed, folder))
        old, new = (statistics.median(rates[key]) for key in ("old", "new"))
        print(f"{name}, at most 4 KiB, {options.seeds} searches of 5 s in turn: {old:,.0f} runs a "
              f"processor second before, {new:,.0f} now: {new / old:.2f}", flush=True)
        kept[name] = rates
    return kept


# ---- Beside libFuzzer ----


def processor_seconds(pid):
    """Of a process and all below it, those that have ended too."""
    parents, used = {}, {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(entry.name)] = int(fields[1])
        used[int(entry.name)] = sum(map(int, fields[11:15]))
    below, total = {pid}, 0
    grown = True
    while grown:
        more = {child for child, parent in parents.items() if parent in below} - below
        below |= more
        grown = bool(more)
    total = sum(used.get(process, 0) for process in below)
    return total / os.sysconf("SC_CLK_TCK")


def frng_first(tool, program, seed, options, folder):
    """(runs, processor seconds) until the first failure; None if there is none in the time."""
    command = [tool, program.command[0], "--rng-seed", seed, "--jobs", 1, "--json", "-", "--time",
               f"{options.time}s", *options.more, *program.command[1:]]
    process = subprocess.Popen([str(word) for word in command], cwd=folder,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    first = None
    for line in process.stdout:
        event = json.loads(line)
        if event["event"] == "best":
            first = event["runs"], processor_seconds(process.pid)
            process.send_signal(signal.SIGTERM)  # SIGINT may be ignored
            break
    process.stdout.close()
    process.wait()
    return first


def fuzzer_first(binary, seed, options, folder):
    command = [binary, f"-seed={seed}", "-max_len=4096", "-print_final_stats=1",
               "-detect_leaks=0", f"-max_total_time={options.time}", "-artifact_prefix=/dev/null"]
    began = os.times()
    done = subprocess.run([str(word) for word in command], cwd=folder, stderr=subprocess.PIPE,
                          stdout=subprocess.DEVNULL, check=False)
    ended = os.times()
    used = (ended.children_user - began.children_user
            + ended.children_system - began.children_system)
    if done.returncode == 0:
        return None
    for line in done.stderr.decode(errors="replace").splitlines():
        if line.startswith("stat::number_of_executed_units:"):
            return int(line.split()[1]), used
    sys.exit(f"styles: no statistics of {binary}: {done.stderr[-500:]}")


def fuzzer_side(program, folder):
    binary = Path(folder) / f"fuzzer-{program.name}"
    subprocess.run(["clang", "-O1", "-w", "-D_GNU_SOURCE", "-DFRNG_LIBFUZZER", "-fsanitize=fuzzer",
                    "-I", HERE.parents[2] / "frng", *program.defines, "-o", binary, program.source],
                   check=True)
    return binary


def fuzzed_programs(options):
    """Targets of this folder, challenges and examples. Sources and macros are those of the build."""
    programs = [*variants(options.build, EDGES), *structured(options.build)]
    commands = json.loads((options.build / "compile_commands.json").read_text(encoding="utf-8"))
    of = {Path(c["output"]).parent.name.removesuffix(".p"): c for c in commands
          if c["output"].startswith(("tests/bench/challenges/", "examples/"))}
    for program in [*challenges(options.build), *examples(options.build)]:
        name = program.name
        source = options.build / of[name]["file"] if name in of else None
        if source is None or "FRNG_MAIN" not in source.read_text(encoding="utf-8"):
            continue
        program.name = f"challenge-{name}" if "challenges" in str(source) else name
        program.source = source
        program.defines = [word for word in of[name]["command"].split()
                           if word.startswith("-D") and "FILE_OFFSET" not in word]
        programs.append(program)
    return programs


def with_seeds(first, options):
    """What `first` finds with each seed; with 3 of them, if they find nothing."""
    found = []
    for seed in range(1, options.seeds + 1):
        if len(found) == 3 and not any(found):
            break
        found.append(first(seed))
    return found


def median_seconds(found):
    return statistics.median(f[1] if f is not None else NEVER for f in found)


def median_side(found):
    hits = [f for f in found if f is not None]
    cells = [f"{len(hits)}/{len(found)}"]
    for i in (0, 1):
        values = [f[i] if f is not None else NEVER for f in found]
        cells.append(number(statistics.median(values), 2 * i))
    return cells


def beside_libfuzzer(options, folder):
    print(f"\nbeside libFuzzer: {options.seeds} seeds of at most {options.time} s each, medians")
    print_cells(["", "frng", "runs", "CPU s", "", "libF.", "runs", "CPU s"])
    kept = {}
    behind = []
    for program in fuzzed_programs(options):
        if options.only and not any(fnmatch.fnmatch(program.name, glob) for glob in options.only):
            continue
        binary = fuzzer_side(program, folder)
        ours = with_seeds(lambda seed: frng_first(options.new, program, seed, options, folder),
                          options)
        theirs = with_seeds(lambda seed: fuzzer_first(binary, seed, options, folder), options)
        kept[program.name] = {"frng": ours, "libfuzzer": theirs}
        if median_seconds(ours) > median_seconds(theirs):
            behind.append(program.name)
        print_cells([program.name, *median_side(ours), "", *median_side(theirs)])
    print(f"frng is behind on {len(behind)} of {len(kept)}: {', '.join(behind)}")
    return kept


# ---- The whole ----

SECTIONS = ("edges", "plain", "python", "structured")


def parse():
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", type=Path, required=True, help="Meson's build folder")
    parser.add_argument("--baseline", type=Path, help="that of an older frng")
    parser.add_argument("--baseline-option", action="append", default=[], metavar="WORD",
                        help="an option of its searches")
    parser.add_argument("--section", action="append", choices=[*SECTIONS, "rate", "libfuzzer"])
    parser.add_argument("--only", action="append", help="only programs with such a name")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--time", type=int, default=20, help="seconds of a search")
    parser.add_argument("--workers", type=int, default=1, help="searches at a time")
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    options = parser.parse_args(words[:at])
    options.more = words[at + 1:]
    options.build = options.build.resolve()
    if options.baseline_option and options.baseline is None:
        options.baseline = options.build
    options.baseline = options.baseline and options.baseline.resolve()
    options.new = options.build / "driver/frng-search"
    options.old = options.baseline and options.baseline / "driver/frng-search"
    return options


def main():
    options = parse()
    began, kept = time.monotonic(), {}
    with tempfile.TemporaryDirectory(prefix="frng-styles-") as folder:
        for section in options.section or SECTIONS:
            if section == "rate":
                kept[section] = print_rates(options, folder)
            elif section == "libfuzzer":
                kept[section] = beside_libfuzzer(options, folder)
            else:
                kept[section] = table(section, options, folder)
            if options.json:
                options.json.write_text(json.dumps(kept, default=str) + "\n", encoding="utf-8")
    print(f"\n{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()

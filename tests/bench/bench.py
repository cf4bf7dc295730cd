#!/usr/bin/env python3
"""Measure what a run costs: rates by mode, containment, memory, and targets with sanitizers.

    bench.py [--build DIR] [--quick | --smoke] [--section NAME]...

Sections: modes (runs a second of a test that only draws, beside a bare loop), containment (pid
namespaces over subreapers), memory (peaks of the driver and its jobs by --size-max), sanitizers
(rates with and without the search for leaks). What is compared takes turns within each round, so
that a machine busy with other things is as unfair to all: trust the ratios. --smoke looks only
whether the programs work, and times nothing. SPDX-License-Identifier: MIT
"""

import argparse
import itertools
import os
import re
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

KIB, MIB = 1 << 10, 1 << 20
SOURCE = Path(__file__).resolve().parents[2]
MODES = ("spawn", "fork", "persistent")
SANITIZERS = ("address,undefined", "address", "leak", "undefined", "thread", "memory")
EMPTY = '#include "frng_main.h"\nstatic bool test(frng *f) { (void)f; return true; }\nFRNG_MAIN(test)\n'


class Bench:
    """The programs of a build, a folder to run in, and how much is measured."""

    def __init__(self, build, folder, quick):
        self.programs, self.search, self.folder = build / "tests" / "bench", build / "driver", folder
        self.rounds, self.seconds = (1, 0.1) if quick else (7, 0.25)
        self.missed = 0

    def run(self, *command, allowed=(0, 1)):
        words = [str(word) for word in command]
        done = subprocess.run(words, cwd=self.folder, stdin=subprocess.DEVNULL, check=False,
                              capture_output=True, text=True, timeout=300)
        if done.returncode not in allowed:
            sys.exit(f"bench: exit status {done.returncode} of: {shlex.join(words)}\n{done.stderr}")
        return done.stdout

    def rate(self, *command):
        """Runs a second, of a program that prints `rate=2210.4 ...`."""
        return float(re.search(r"rate=([\d.]+)", self.run(*command))[1])

    def rate_of(self, mode, size, *more, sut=("null_test",), jobs=1):
        return self.rate(self.programs / "rate", "--size", size, "--seconds", self.seconds, "--mode",
                         mode, "--jobs", jobs, *more, self.programs / sut[0], *sut[1:])

    def bare_loop(self, size, *drawn):
        return self.rate(self.programs / "bare_loop", "--lazy", size, self.seconds, *drawn)

    def say(self, what, number, least):
        self.missed += number < least
        print(f"{'reached' if number >= least else 'NOT REACHED'}: {what}, at least {least}: {number:.2f}")


def table(header, rows):
    print("| " + " | ".join(header) + " |\n" + "|---" * len(header) + "|")
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |", flush=True)
    print()


def in_turn(measures, rounds):
    """{name: figures} of functions by name; each round begins with another one."""
    figures, names = {name: [] for name in measures}, list(measures)
    for k in range(rounds):
        for name in names[k % len(names):] + names[:k % len(names)]:
            figures[name].append(measures[name]())
    return figures


def ratio(figures, over, base):
    """The median of the ratios within a round: what slows a round down slows both."""
    return statistics.median(a / b for a, b in zip(figures[over], figures[base]))


def section_modes(bench):
    rows, of = [], {}
    names = [f"{mode} j{jobs}" for mode in MODES for jobs in (1, 2)] + ["bare loop"]
    for size, drawn in ((16, ()), (4 * KIB, ()), (4 * MIB, ()), (4 * KIB, (64,)), (4 * MIB, (64,))):
        measures = {f"{mode} j{jobs}": lambda mode=mode, jobs=jobs: bench.rate_of(
            mode, size, sut=("null_test", *drawn), jobs=jobs) for mode in MODES for jobs in (1, 2)}
        measures["bare loop"] = lambda: bench.bare_loop(size, *drawn)
        figures = of[size, drawn] = in_turn(measures, bench.rounds)
        rows.append([f"{size:,} B, draws {drawn[0] if drawn else 'all'}"] +
                    [f"{statistics.median(figures[name]):,.0f}" for name in names])
    print("Runs a second of a test that only draws")
    table(["size", *names], rows)
    small = of[16, ()]
    bench.say("persistent over the bare loop, 16 B", ratio(small, "persistent j1", "bare loop"), 0.6)
    bench.say("fork over spawn, 16 B", ratio(small, "fork j1", "spawn j1"), 2)
    few, many = of[4 * KIB, (64,)]["persistent j1"], of[4 * MIB, (64,)]["persistent j1"]
    bench.say("64 bytes drawn of 4 MiB over 64 of 4 KiB",
              statistics.median(a / b for a, b in zip(many, few)), 0.8)


def section_containment(bench):
    """What `auto` grants on this machine over a subreaper."""
    rows = []
    for mode, least in (("spawn", 0.85), ("fork", 0.85), ("persistent", 0.97)):
        figures = in_turn({how: lambda how=how: bench.rate_of(mode, 16, "--containment", how)
                           for how in ("subreaper", "auto")}, 2 * bench.rounds)
        rows.append([mode, *(f"{statistics.median(figures[how]):,.0f}" for how in figures),
                     f"{ratio(figures, 'auto', 'subreaper'):.3f}"])
        bench.say(f"contained over not, {mode}", ratio(figures, "auto", "subreaper"), least)
    print("Runs a second with a job that is a subreaper, and with what is granted here")
    table(["mode, 16 B", "subreaper", "auto", "ratio"], rows)


def held(pid):
    """Bytes that a process holds: the kernel's peak, or private memory and its memory files."""
    status = dict(re.findall(r"^(\w+):\s+(\d+) kB$", Path(f"/proc/{pid}/status").read_text(), re.M))
    files = {os.stat(fd).st_ino: os.stat(fd).st_blocks * 512
             for fd in Path(f"/proc/{pid}/fd").iterdir() if os.readlink(fd).startswith("/memfd:")}
    return max(int(status.get("VmHWM", 0)) * KIB,
               int(status.get("RssAnon", 0)) * KIB + sum(files.values()))


def peaks(process):
    """(peak of the driver, peak of its largest job) until it ends; a job runs the same program."""
    most, exe, ended = [0, 0], None, threading.Event()
    watcher = threading.Thread(target=lambda: (process.wait(), ended.set()), daemon=True)
    watcher.start()
    while not ended.wait(0.01):
        try:
            exe = exe or os.readlink(f"/proc/{process.pid}/exe")
            most[0] = max(most[0], held(process.pid))
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            for child in children:
                if os.readlink(f"/proc/{child}/exe") == exe:
                    most[1] = max(most[1], held(child))
        except OSError:
            continue  # it is gone, or not there yet
    return most


def section_memory(bench):
    rows = []
    for size in (64 * KIB, 4 * MIB, 64 * MIB):
        with subprocess.Popen([str(bench.search / "frng-search"), str(bench.programs / "null_sut"),
                               "--attempts", "5", "--size-max", str(size), "--quiet"],
                              cwd=bench.folder) as process:
            driver, job = peaks(process)
        rows.append([f"{size // KIB:,} KiB", f"{driver / MIB:.1f}", f"{job / MIB:.1f}"])
        bench.say(f"16 MiB + {size:,} over the driver's peak", (16 * MIB + size) / max(driver, 1), 1)
        bench.say(f"8 MiB + 2 * {size:,} over a job's peak", (8 * MIB + 2 * size) / max(job, 1), 1)
    print("Peaks in MiB")
    table(["--size-max", "driver", "a job"], rows)


def sanitized(bench, compiler, sanitizer, source, *more):
    """A program with a sanitizer, or None where the compiler cannot build one that runs."""
    target = Path(bench.folder) / f"{compiler}-{sanitizer}-{Path(source).stem}"
    command = [compiler, "-g", "-D_GNU_SOURCE", f"-fsanitize={sanitizer}", f"-I{SOURCE / 'frng'}", *more,
               str(source), "-o", str(target)]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        works = subprocess.run(command, check=False, **quiet).returncode == 0 and \
            subprocess.run([str(target)], check=False, **quiet).returncode == 0
    except OSError:
        return None
    return target if works else None


def rate_sanitized(bench, target, options):
    """Runs of a search by one job in a second of processor time, which neighbours do not change."""
    clean = {name: value for name, value in os.environ.items() if not name.endswith("SAN_OPTIONS")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(bench.search / "frng-search"), str(target), "--jobs", "1", "--size-max",
                           "256", "--time", f"{8 * bench.seconds}s", "--rng-seed", "1"],
                          env={**clean, **options}, cwd=bench.folder, text=True, capture_output=True,
                          check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    runs = re.search(r"effort +([\d,]+) runs", done.stderr)[1].replace(",", "")
    return int(runs) / (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def section_sanitizers(bench):
    off = {name: "detect_leaks=0" for name in ("ASAN_OPTIONS", "LSAN_OPTIONS")}
    empty, rows, shares = Path(bench.folder) / "empty.c", [], []
    empty.write_text(EMPTY, encoding="utf-8")
    for compiler, sanitizer in itertools.product(("gcc", "clang"), SANITIZERS):
        cells = [f"{compiler} {sanitizer}"]
        for source, more in ((empty, ()), (SOURCE / "examples" / "cobs.c", ("-DFIXED",))):
            target = sanitized(bench, compiler, sanitizer, source, *more)
            if target is None:
                continue
            pairs = [[rate_sanitized(bench, target, options) for options in ({}, off)]
                     for _ in range(min(3, bench.rounds))]
            shares += [statistics.median(a / b for a, b in pairs)]
            cells += [f"{statistics.median(column):,.0f}" for column in zip(*pairs)]
        rows += [cells] if len(cells) > 1 else []
    print("Runs in a second of processor time of a search by one job")
    table(["", "empty test", "`detect_leaks=0`", "`cobs`", "`detect_leaks=0`"], rows)
    bench.say("the default over detect_leaks=0", min(shares, default=0), 0.8)


SECTIONS = {"modes": section_modes, "containment": section_containment, "memory": section_memory,
            "sanitizers": section_sanitizers}


def smoke(bench):
    bench.seconds = 0.01
    assert bench.bare_loop(16) > 0
    assert all(bench.rate_of(mode, 4 * KIB, sut=("null_test", 64), jobs=2) > 0 for mode in MODES)
    assert bench.rate_of("spawn", 16, "--containment", "auto", sut=("null_sut",)) > 0
    print("ok")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, default=SOURCE / "build", help="Meson's build folder")
    parser.add_argument("--quick", action="store_true", help="one short round")
    parser.add_argument("--smoke", action="store_true", help="only look whether it all works")
    parser.add_argument("--section", action="append", choices=SECTIONS, help="only this one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="frng-bench-") as folder:
        bench = Bench(options.build.resolve(), folder, options.quick)
        if options.smoke:
            return smoke(bench)
        for name in options.section or SECTIONS:
            SECTIONS[name](bench)
        print(f"{bench.missed} figures not reached, on {os.cpu_count()} processors, load "
              f"{os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

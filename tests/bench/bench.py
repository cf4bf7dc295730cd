#!/usr/bin/env python3
"""Measure frng-search against the blog post's driver, side by side.

    bench.py [--build DIR] [--quick | --smoke] [--section NAME]... [--attempts N] [--repeat N]

Sections: search (final sizes, runs and seconds over model programs with known minima), spawn (runs
per second at fixed sizes), modes (the same for the ways to make a run, and whole searches of the
examples in each), containment (pid namespaces over subreapers), growth (cost by --size-max), memory
(programs that print without end), sanitizers (rates with and without the search for leaks).
What is compared takes turns within each repetition, so that a machine busy with other things is
as unfair to all; trust the ratios. All of it takes under 20 minutes, --quick under three. --smoke
looks only whether the programs work, and times nothing.
SPDX-License-Identifier: MIT
"""

import argparse
import itertools
import json
import os
import platform
import re
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

KIB, MIB = 1 << 10, 1 << 20
RUN_TIMEOUT_S = 300


@dataclass
class Programs:
    """Where the programs are, and where they run: in a folder of their own, thrown away."""

    bench: Path
    search: Path
    cwd: str

    def at(self, name):
        return str(self.bench / name)


@dataclass
class Plan:
    """How much is measured."""

    attempts: int = 100
    repeat: int = 11
    models: list = field(default_factory=list)
    search_budget_s: float = 300.0
    spawn_sizes: tuple = (16, 4 * KIB, 256 * KIB, 4 * MIB)
    spawn_rounds: int = 7
    spawn_seconds: float = 0.4
    mode_rounds: int = 7
    mode_seconds: float = 0.25
    example_seeds: int = 9
    example_attempts: tuple = (100, 1000)
    growth_sizes: tuple = (64 * KIB, 256 * KIB, MIB, 4 * MIB, 16 * MIB, 64 * MIB)
    growth_attempts: int = 5
    flood_mib: int = 64
    sanitizer_rounds: int = 3
    sanitizer_seconds: int = 2


# name of the row, arguments of `models`, smallest failing size, an input of that size that fails
# (None: too many to pick one by hand).
U32_TOP, PUSH, DUPLICATE = b"\xff" * 4, b"\x20" * 8, b"\xf0" * 8
MODELS = [
    ("size 0", ["size", "0"], 0, b""),
    ("size 41", ["size", "41"], 41, b"\0" * 41),
    ("size 1000", ["size", "1000"], 1000, b"\0" * 1000),
    ("size 100000", ["size", "100000"], 100000, b"\0" * 100000),
    ("plateau", ["plateau"], 64, b"\0" * 64),
    ("hash", ["hash"], 20, None),
    ("marker", ["marker"], 1, b"\xa5"),
    ("row", ["row"], 3, b"\xa0" * 3),
    ("sum", ["sum"], 8, b"\xff" * 8),
    ("depth", ["depth"], 8, b"\1" * 8),
    ("list", ["list"], 5, b"\2\0\0\0\0"),
    ("queue", ["queue"], 13, b"\1a" + b"\x60" + b"\1b\1c\1d\1e\1f"),
    ("stack", ["stack"], 45, U32_TOP * 3 + PUSH + b"a" + DUPLICATE * 3),
]


class Verdicts:
    """The figures that must be reached, printed at the end of each section."""

    def __init__(self):
        self.missed = 0

    def say(self, what, reached, number):
        self.missed += not reached
        print(f"verdict  {'reached    ' if reached else 'NOT REACHED'}  {what}: {number}")


# ---- Tables ----


def table(header, rows):
    """Print columns, the first aligned left and the others right."""
    cells = [header] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    for row in cells:
        line = [row[0].ljust(widths[0])]
        line += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        print("  ".join(line).rstrip())
    print(flush=True)


def size_text(count):
    for unit, letter in ((MIB, "MiB"), (KIB, "KiB")):
        if count >= unit and count % unit == 0:
            return f"{count // unit} {letter}"
    return f"{count} B"


def ratio(value, base):
    return value / base if base else float("nan")


def middle(values):
    """The median, whole where the values are."""
    value = statistics.median(values)
    return int(value) if value == int(value) else value


# ---- Running ----


class Neighbours:
    """How much of the processors went to programs that are not ours, since this was made."""

    def __init__(self):
        self.start = self.look()

    @staticmethod
    def look():
        ticks = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
        all_s = sum(ticks[:8]) / os.sysconf("SC_CLK_TCK")
        idle_s = sum(ticks[3:5]) / os.sysconf("SC_CLK_TCK")
        ours_s = 0.0
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
            usage = resource.getrusage(who)
            ours_s += usage.ru_utime + usage.ru_stime
        return all_s, all_s - idle_s - ours_s

    def say(self):
        (all_before, busy_before), (all_now, busy_now) = self.start, self.look()
        share = max(0.0, ratio(busy_now - busy_before, all_now - all_before))
        busy = ": the machine was busy, measure again" if share > 0.1 else ""
        print(f"note     other programs had {share:.0%} of the processors meanwhile{busy}\n",
              flush=True)


def key_values(text):
    """`size=41 seed=92 runs=7` as a dictionary of strings."""
    return dict(word.split("=", 1) for word in text.split() if "=" in word)


def checked(command, cwd, allowed=(0, 1), observe=None):
    """Run a command to its end; its stdout and how many seconds it took."""
    start = time.monotonic()
    process = subprocess.Popen(
        command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    watcher = observe(process.pid) if observe else None
    try:
        out, err = process.communicate(timeout=RUN_TIMEOUT_S)
    except BaseException:
        process.kill()
        raise
    finally:
        if watcher:
            watcher.stop()
    seconds = time.monotonic() - start
    if process.returncode not in allowed:
        sys.exit(
            f"bench: exit status {process.returncode} of: {shlex.join(command)}\n"
            f"{err.decode(errors='replace')[-2000:]}"
        )
    return out.decode(), seconds


@dataclass
class Result:
    """How one search ended. size and seed are None when nothing failed; runs are all that were
    made, the `reruns` of failures among them."""

    size: object
    seed: object
    runs: int
    reruns: int
    seconds: float


def run_post(programs, sut, attempts, size_max, seed, observe=None):
    command = [programs.at("post_driver"), "--attempts", str(attempts)]
    command += ["--size-max", str(size_max), "--rng-seed", str(seed)] + sut
    out, seconds = checked(command, programs.cwd, observe=observe)
    values = key_values(out)
    size = int(values["size"]) if "size" in values else None
    return Result(size, values.get("seed"), int(values["runs"]), 0, seconds)


def run_ours(programs, sut, attempts, size_max, seed, jobs, observe=None):
    events = os.path.join(programs.cwd, "events.jsonl")
    Path(events).unlink(missing_ok=True)
    command = [str(programs.search), sut[0], "--attempts", str(attempts), "--quiet"]
    command += ["--size-max", str(size_max), "--rng-seed", str(seed), "--jobs", str(jobs)]
    command += ["--json", events, "--"] + sut[1:]
    _, seconds = checked(command, programs.cwd, observe=observe)
    lines = [json.loads(line) for line in Path(events).read_text().splitlines()]
    done = [line for line in lines if line["event"] == "done"][-1]
    failed = done["outcome"] == "fail"
    return Result(
        int(done["size"]) if failed else None,
        str(done["seed"]) if failed else None,
        int(done["runs"]) + int(done["reruns"]),
        int(done["reruns"]),
        seconds,
    )


VARIANTS = {
    "post": run_post,
    "frng j1": lambda *a, **k: run_ours(*a, jobs=1, **k),
    "frng j2": lambda *a, **k: run_ours(*a, jobs=2, **k),
}


def in_turn(names, k):
    """The names, beginning with another one each time."""
    k %= len(names)
    return names[k:] + names[:k]


# ---- Section: search ----


def measure_searches(programs, plan):
    results = {(model[0], name): [] for model in plan.models for name in VARIANTS}
    start = time.monotonic()
    for k in range(plan.repeat):
        for label, arguments, _, _ in plan.models:
            for name in in_turn(list(VARIANTS), k):
                sut = [programs.at("models")] + arguments
                result = VARIANTS[name](programs, sut, plan.attempts, 4 * MIB, 1000 + k)
                results[label, name].append(result)
        spent = time.monotonic() - start
        if k >= 2 and spent * (k + 2) / (k + 1) > plan.search_budget_s:
            break
    return results


def sizes(results):
    """The final sizes; a search that found nothing counts as larger than all."""
    return [r.size if r.size is not None else sys.maxsize for r in results]


def search_rows(plan, results):
    rows = []
    for label, _, smallest, _ in plan.models:
        post = results[label, "post"]
        for name in VARIANTS:
            mine = results[label, name]
            runs = statistics.median(r.runs for r in mine)
            seconds = statistics.median(r.seconds for r in mine)
            found = [s if s < sys.maxsize else "none" for s in
                     (middle(sizes(mine)), max(sizes(mine)))]
            speed = statistics.median(r.runs / r.seconds for r in mine)
            runs_ratio = ratio(runs, statistics.median(r.runs for r in post))
            seconds_ratio = ratio(seconds, statistics.median(r.seconds for r in post))
            reruns = statistics.median(r.reruns for r in mine)
            rows.append([label if name == "post" else "", smallest, name, *found,
                         f"{runs:.0f}", f"{reruns:.0f}", f"{seconds:.3f}", f"{speed:.0f}",
                         f"{runs_ratio:.2f}", f"{seconds_ratio:.2f}"])
    return rows


def judge_runs(labels, results, base, what, count, verdicts):
    """Whether frng needs at most half of base's runs, as `count` counts them."""
    runs = {(m, name): statistics.median(count(r) for r in results[m, name])
            for m in labels for name in ("frng j1", base)}
    total = ratio(sum(runs[m, "frng j1"] for m in labels), sum(runs[m, base] for m in labels))
    each = {m: ratio(runs[m, "frng j1"], runs[m, base]) for m in labels}
    above = [f"{m} {each[m]:.2f}" for m in labels if each[m] > 0.5]
    verdicts.say(f"{what} of frng over {base}, all models together, at most 0.50", total <= 0.5,
                 f"{total:.3f}")
    verdicts.say(f"{what} of frng over {base}, on every model", not above,
                 ", ".join(above) or f"worst {max(each.values()):.2f}")


def judge_searches(plan, results, verdicts):
    labels = [model[0] for model in plan.models]
    size = {key: statistics.median(sizes(value)) for key, value in results.items()}
    judge_runs(labels, results, "post", "runs without reruns of failures",
               lambda r: r.runs - r.reruns, verdicts)
    judge_runs(labels, results, "post", "all runs", lambda r: r.runs, verdicts)
    larger = [f"{m} {size[m, 'frng j1']:g} > {size[m, 'post']:g}" for m in labels
              if size[m, "frng j1"] > size[m, "post"]]
    verdicts.say("median size of frng no larger than that of post on every model",
                 not larger, ", ".join(larger) or f"{len(labels)} of {len(labels)}")
    exact = [model for model in plan.models if model[0].startswith("size ")]
    wrong = [f"{label} at {r.size}" for label, _, smallest, _ in exact
             for name in ("frng j1", "frng j2")
             for r in results[label, name] if r.size != smallest]
    verdicts.say("failures by size alone end at exactly N", not wrong,
                 ", ".join(wrong[:5]) or f"{len(exact)} of {len(exact)} models, every repetition")
    pairs = [(one, two) for m in labels
             for one, two in zip(results[m, "frng j1"], results[m, "frng j2"])]
    same = sum(one.size == two.size and one.seed == two.seed for one, two in pairs)
    verdicts.say("--rng-seed gives the same size and seed with 1 and 2 jobs", same == len(pairs),
                 f"{same} of {len(pairs)}")


def section_search(programs, plan, verdicts):
    results = measure_searches(programs, plan)
    repeated = len(next(iter(results.values())))
    print(f"Searches: --attempts {plan.attempts}, --size-max 4M, medians of {repeated} "
          "repetitions;\nruns with the reruns of failures among them; the last columns are over "
          "post's")
    table(["model", "least", "driver", "size", "worst", "runs", "reruns", "seconds", "runs/s",
           "runs x", "seconds x"], search_rows(plan, results))
    judge_searches(plan, results, verdicts)


# ---- Section: spawn ----


def rate_post(programs, sut, size, seconds):
    command = [programs.at("post_driver"), "--rate", str(size), "--seconds", str(seconds), sut]
    out, _ = checked(command, programs.cwd)
    return float(key_values(out)["rate"])


def rate_post_twice(programs, sut, size, seconds):
    """Two of them at once, to see what the machine gives to a second process."""
    rates = []
    threads = [threading.Thread(target=lambda: rates.append(
        rate_post(programs, sut, size, seconds))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(rates)


def rate_ours(programs, sut, size, seconds, jobs):
    command = [programs.at("rate"), "--size", str(size), "--seconds", str(seconds)]
    out, _ = checked(command + ["--jobs", str(jobs), sut], programs.cwd)
    return float(key_values(out)["rate"])


RATES = {
    "post": rate_post,
    "post twice": rate_post_twice,
    "ours j1": lambda *a: rate_ours(*a, jobs=1),
    "ours j2": lambda *a: rate_ours(*a, jobs=2),
}


def section_spawn(programs, plan, verdicts):
    suts = [(name, programs.at(file)) for name, file in
            (("dynamic", "null_sut"), ("static", "null_sut_static"))
            if os.path.exists(programs.at(file))]
    rates = {}
    for k in range(plan.spawn_rounds):
        for size in plan.spawn_sizes:
            for kind, sut in suts:
                for name in in_turn(list(RATES), k):
                    rate = RATES[name](programs, sut, size, plan.spawn_seconds)
                    rates.setdefault((size, kind, name), []).append(rate)

    # Ratios within a round, then their median: what slows a round down slows both.
    def over(size, kind, name, base):
        return statistics.median(ratio(a, b) for a, b in
                                 zip(rates[size, kind, name], rates[size, kind, base]))
    rows = [[f"{size_text(size)}, {kind}"]
            + [f"{statistics.median(rates[size, kind, name]):.0f}" for name in RATES]
            + [f"{over(size, kind, 'ours j1', 'post'):.2f}",
               f"{over(size, kind, 'ours j2', 'ours j1'):.2f}",
               f"{over(size, kind, 'post twice', 'post'):.2f}"]
            for kind, _ in suts for size in plan.spawn_sizes]
    print(f"Runs per second of a program that only reads: medians of {plan.spawn_rounds} rounds of "
          f"{plan.spawn_seconds} s")
    table(["entropy, program", *RATES, "j1/post", "j2/j1", "twice/post"], rows)
    wanted = [(16, "dynamic", 1.15), (16, "static", 1.35), (4 * MIB, "dynamic", 2.0),
              (4 * MIB, "static", 2.0)]
    kinds = [kind for kind, _ in suts]
    for size, kind, least in wanted:
        if kind in kinds and size in plan.spawn_sizes:
            number = over(size, kind, "ours j1", "post")
            verdicts.say(f"one job over post, {size_text(size)}, {kind}, at least {least:.2f}",
                         number >= least, f"{number:.3f}")
    for kind in kinds:
        for size in plan.spawn_sizes:
            number = over(size, kind, "ours j2", "ours j1")
            verdicts.say(f"two jobs over one, {size_text(size)}, {kind}, at least 1.70",
                         number >= 1.7, f"{number:.3f}")


# ---- Section: modes ----

MODES = ("spawn", "fork", "persistent")
EXAMPLES = ("cobs", "consensus", "kvstore", "ring")
DRAWS = {"all": [], "64 B": ["64"]}  # the argument of null_test


def null_test(programs, kind, draw):
    name = "null_test" if kind == "dynamic" else "null_test_static"
    return [programs.at(name)] + DRAWS[draw]


def rate_of(programs, command):
    return float(key_values(checked(command, programs.cwd)[0])["rate"])


def rate_mode(programs, kind, draw, size, seconds, mode, jobs):
    command = [programs.at("rate"), "--size", str(size), "--seconds", str(seconds)]
    command += ["--mode", mode, "--jobs", str(jobs)]
    return rate_of(programs, command + null_test(programs, kind, draw))


def rate_plain(programs, kind, draw, size, seconds):
    command = [programs.at("post_driver"), "--rate", str(size), "--seconds", str(seconds)]
    return rate_of(programs, command + null_test(programs, kind, draw))


def rate_bare(programs, draw, size, seconds):
    command = [programs.at("bare_loop"), "--lazy", str(size), str(seconds)]
    return rate_of(programs, command + DRAWS[draw])


def mode_measures(programs, kind, draw, size, seconds):
    """What is measured for one test at one size: name -> how."""
    measures = {"post": lambda: rate_plain(programs, kind, draw, size, seconds)}
    for mode in MODES:
        for jobs in (1, 2):
            measures[f"{mode} j{jobs}"] = lambda mode=mode, jobs=jobs: rate_mode(
                programs, kind, draw, size, seconds, mode, jobs)
    measures["bare loop"] = lambda: rate_bare(programs, draw, size, seconds)
    return measures


class ModeRates:
    """Rates of each round; what is compared was measured in the same round."""

    def __init__(self, programs, plan):
        self.rates, self.keys = {}, []
        for kind in ("dynamic", "static"):
            if os.path.exists(null_test(programs, kind, "all")[0]):
                self.keys += [(kind, "all", size) for size in plan.spawn_sizes]
        self.keys += [("dynamic", "64 B", size) for size in (4 * KIB, 4 * MIB)]
        for k in range(plan.mode_rounds):
            for key in self.keys:
                measures = mode_measures(programs, *key, plan.mode_seconds)
                for name in in_turn(list(measures), k):
                    self.rates.setdefault((key, name), []).append(measures[name]())

    def over(self, key, name, base_key, base):
        """The median of the ratios within a round: what slows a round down slows both."""
        return statistics.median(ratio(a, b) for a, b in
                                 zip(self.rates[key, name], self.rates[base_key, base]))

    def rows(self):
        names = ["post"] + [f"{mode} j{jobs}" for mode in MODES for jobs in (1, 2)] + ["bare loop"]
        for key in self.keys:
            kind, draw, size = key
            yield ([f"{size_text(size)}, draws {draw}, {kind}"]
                   + [f"{statistics.median(self.rates[key, name]):.0f}" for name in names]
                   + [f"{self.over(key, 'fork j1', key, 'post'):.2f}",
                      f"{self.over(key, 'persistent j1', key, 'post'):.1f}",
                      f"{self.over(key, 'persistent j1', key, 'bare loop'):.2f}"])


def judge_modes(rates, verdicts):
    small, large = ("dynamic", "all", 16), ("dynamic", "all", 4 * MIB)
    static = ("static", "all", 16)
    if static in rates.keys:
        for base_key, base in ((small, "dynamic"), (static, "static")):
            number = rates.over(static, "fork j1", base_key, "post")
            verdicts.say(f"fork server, 16 B, static, over post on the {base} one, at least 5",
                         number >= 5, f"{number:.2f}")
    for what, key, name, base_key, base, least in (
            ("fork server, 16 B, dynamic, over post", small, "fork j1", small, "post", 3.6),
            ("persistent, 16 B, over post", small, "persistent j1", small, "post", 5000),
            ("persistent, 16 B, over the bare loop", small, "persistent j1", small, "bare loop",
             0.6),
            ("persistent, 4 MiB all drawn, over post", large, "persistent j1", large, "post", 6),
            ("64 bytes drawn of 4 MiB over 64 of 4 KiB", ("dynamic", "64 B", 4 * MIB),
             "persistent j1", ("dynamic", "64 B", 4 * KIB), "persistent j1", 0.8)):
        number = rates.over(key, name, base_key, base)
        verdicts.say(f"{what}, at least {least}", number >= least, f"{number:.2f}")


def search_example(programs, example, mode, attempts, seed):
    """Seconds in all, of them before and after the search, and in the reruns at its end."""
    sut = programs.bench.parent.parent / "examples" / example
    events = os.path.join(programs.cwd, "events.jsonl")
    Path(events).unlink(missing_ok=True)
    command = [str(programs.search), str(sut), "--quiet", "--mode", mode, "--json", events]
    command += ["--attempts", str(attempts), "--rng-seed", str(seed)]
    _, seconds = checked(command, programs.cwd)
    lines = [json.loads(line) for line in Path(events).read_text().splitlines()]
    done, before = lines[-1], [line for line in lines if "seconds" in line][-2]
    result = (done["outcome"], done.get("size"), done.get("seed"))
    return {"all": seconds, "outside": seconds - done["seconds"],
            "last reruns": done["seconds"] - before["seconds"],
            "walk": before["seconds"], "runs": done["runs"] + done["reruns"], "result": result}


def example_row(label, auto, spawn):
    """A row of the table, and auto's share of spawn's time: of all of it, and of the walk."""
    def typical(results, part):
        return statistics.median(one[part] for one in results)

    shares = [statistics.median(ratio(one[part], two[part]) for one, two in zip(auto, spawn))
              for part in ("all", "walk")]
    row = [label, f"{typical(auto, 'runs'):.0f}", f"{1000 * typical(spawn, 'all'):.1f}"]
    row += [f"{1000 * typical(auto, part):.1f}" for part in
            ("all", "outside", "walk", "last reruns")]
    return row + [f"{share:.3f}" for share in shares], shares


def search_examples(programs, plan, attempts, verdicts):
    rows, whole, walks, differ = [], {}, {}, []
    for example in EXAMPLES:
        found = {"auto": [], "spawn": []}
        for k in range(plan.example_seeds):
            for mode in in_turn(list(found), k):
                found[mode].append(search_example(programs, example, mode, attempts, k + 1))
        differ += [f"{example} with --rng-seed {k + 1}" for k, (one, two) in
                   enumerate(zip(found["auto"], found["spawn"])) if one["result"] != two["result"]]
        row, shares = example_row(f"{example}, {attempts}", found["auto"], found["spawn"])
        whole[example], walks[example] = shares
        rows.append(row)
    for what, shares in (("all of it", whole), ("without the start and the last reruns", walks)):
        verdicts.say(f"examples, {attempts} attempts, {what}: at most a tenth of spawn's time",
                     max(shares.values()) <= 0.1,
                     ", ".join(f"{example} {share:.3f}" for example, share in shares.items()))
    verdicts.say(f"examples, {attempts} attempts, the same results in both modes", not differ,
                 ", ".join(differ) or "all")
    return rows


def measure_examples(programs, plan, verdicts):
    rows = []
    for attempts in plan.example_attempts:
        rows += search_examples(programs, plan, attempts, verdicts)
    print(f"\nSearches of the examples, default options but for --attempts: medians of "
          f"{plan.example_seeds} seeds, in ms.\nOutside: starting and ending frng-search; last "
          "reruns: 20 fresh processes, to rely on the result")
    table(["example, attempts", "runs", "spawn", "auto", "outside", "walk", "last reruns",
           "auto/spawn", "of the walk"], rows)


def section_modes(programs, plan, verdicts):
    rates = ModeRates(programs, plan)
    print(f"Runs per second of a test that only draws: medians of {plan.mode_rounds} rounds of "
          f"{plan.mode_seconds} s.\nThe bare loop expands what is drawn, and calls the test")
    table(["size, test, program", "post"] + [f"{mode[:7]} j{jobs}" for mode in MODES
                                             for jobs in (1, 2)]
          + ["bare loop", "fork/post", "pers/post", "pers/bare"], rates.rows())
    judge_modes(rates, verdicts)
    measure_examples(programs, plan, verdicts)


# ---- Section: containment ----


def rate_contained(programs, containment, mode, size, seconds):
    command = [programs.at("rate"), "--size", str(size), "--seconds", str(seconds), "--mode", mode,
               "--containment", containment]
    return rate_of(programs, command + null_test(programs, "dynamic", "all"))


def seconds_of_search(programs, containment):
    """From the start of a search to its end, where hardly anything is run."""
    command = [programs.search, "--quiet", "--attempts", "1", "--size-max", "16", "--rng-seed", "1",
               "--jobs", "2", "--containment", containment]
    start = time.perf_counter()
    checked(command + null_test(programs, "dynamic", "all"), programs.cwd)
    return time.perf_counter() - start


def section_containment(programs, plan, verdicts):
    """What `auto` grants on this machine over a subreaper; within a round both are measured."""
    kinds = ("subreaper", "auto")
    measures = {(mode, size): lambda kind, mode=mode, size=size: rate_contained(
        programs, kind, mode, size, plan.mode_seconds)
        for mode in MODES for size in (16, 4 * KIB)}
    measures["seconds of a search"] = lambda kind: seconds_of_search(programs, kind)
    taken = {}
    for k in range(2 * plan.mode_rounds):
        for key, measure in measures.items():
            for kind in in_turn(list(kinds), k):
                taken.setdefault((key, kind), []).append(measure(kind))
    ratios = {key: sorted(ratio(a, b) for a, b in zip(taken[key, "auto"], taken[key, "subreaper"]))
              for key in measures}
    rows = [[key if isinstance(key, str) else f"{key[0]}, {size_text(key[1])}"]
            + [f"{statistics.median(taken[key, kind]):.4g}" for kind in kinds]
            + [f"{statistics.median(ratios[key]):.3f}"]
            + [f"{part:.3f}" for part in statistics.quantiles(ratios[key], n=4)[::2]]
            for key in measures]
    print(f"Runs per second with a job that is a subreaper, and with what is granted here: medians "
          f"of {2 * plan.mode_rounds} rounds")
    table(["mode, entropy", *kinds, "ratio", "quarter", "three quarters"], rows)
    for mode, least in (("spawn", 0.85), ("persistent", 0.97)):
        number = statistics.median(ratios[mode, 16])
        verdicts.say(f"contained over not, {mode}, at least {least}", number >= least,
                     f"{number:.3f}")


# ---- Memory ----


class MemoryWatch(threading.Thread):
    """Peak memory, in bytes, of a driver, of its largest job and of the largest program it ran.

    A job is a child that runs the driver's own executable. Counted is the kernel's peak of
    resident memory, or private memory plus the memory files that the process holds open, mapped or
    not, whichever is more.
    """

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid = pid
        self.driver = self.job = self.sut = self.jobs = 0
        self.done = threading.Event()
        self.start()

    def stop(self):
        self.done.set()
        self.join()

    def run(self):
        exe = None
        while not self.done.is_set():
            try:
                exe = exe or os.readlink(f"/proc/{self.pid}/exe")
                self.driver = max(self.driver, held(self.pid))
                self.look_at_children(self.pid, exe)
            except OSError:
                pass  # it is gone, or not there yet
            self.done.wait(0.01)

    def look_at_children(self, pid, exe):
        jobs = 0
        for child in children(pid):
            try:
                if os.readlink(f"/proc/{child}/exe") == exe:
                    jobs += 1
                    self.job = max(self.job, held(child))
                else:
                    self.sut = max(self.sut, held(child))
                self.look_at_children(child, exe)
            except OSError:
                continue
        if pid == self.pid:
            self.jobs = max(self.jobs, jobs)


def children(pid):
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        found += Path(f"/proc/{pid}/task/{task}/children").read_text().split()
    return found


def held(pid):
    status = {}
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if value.endswith(" kB"):
            status[name] = int(value.split()[0]) * KIB
    files = {}
    for name in os.listdir(f"/proc/{pid}/fd"):
        path = f"/proc/{pid}/fd/{name}"
        if os.readlink(path).startswith("/memfd:"):
            facts = os.stat(path)
            files[facts.st_ino] = facts.st_blocks * 512
    return max(status.get("VmHWM", 0), status.get("RssAnon", 0) + sum(files.values()))


def bounds(size_max):
    """What the driver and what one job may hold."""
    return 16 * MIB + size_max, 2 * size_max + 8 * MIB


class Worst:
    """The rows that come nearest to the bounds of memory."""

    def __init__(self):
        self.driver = self.job = (0.0, "nothing measured")

    def add(self, label, size_max, watch):
        driver_bound, job_bound = bounds(size_max)
        for name, used, bound in (("driver", watch.driver, driver_bound),
                                  ("job", watch.job, job_bound)):
            text = f"at most {used / bound:.2f} of it ({used / MIB:.1f} MiB of " \
                   f"{bound / MIB:.1f} MiB, {label})"
            setattr(self, name, max(getattr(self, name), (used / bound, text)))

    def judge(self, verdicts):
        verdicts.say("driver within 16 MiB plus --size-max", 0 < self.driver[0] <= 1,
                     self.driver[1])
        verdicts.say("each job within 2 times --size-max plus 8 MiB", 0 < self.job[0] <= 1,
                     self.job[1])


def watched(run, *arguments, **more):
    watches = []

    def observe(pid):
        watches.append(MemoryWatch(pid))
        return watches[0]

    result = run(*arguments, observe=observe, **more)
    return result, watches[0]


def mib(count):
    return f"{count / MIB:.1f}"


def section_growth(programs, plan, verdicts):
    rows, worst = [], Worst()
    for label, failing in (("passes", False), ("fails at 3/4", True)):
        for size_max in plan.growth_sizes:
            model = ["size", str(size_max // 4 * 3)] if failing else ["never"]
            sut = [programs.at("models")] + model
            base = None
            for name in ("post", "frng j1", "frng j2"):
                result, watch = watched(VARIANTS[name], programs, sut, plan.growth_attempts,
                                        size_max, 92)
                base = base or result.seconds
                if name != "post":
                    worst.add(f"{size_text(size_max)}, {label}, {name}", size_max, watch)
                ended = "none" if result.size is None else result.size
                rows.append([f"{label}, {size_text(size_max)}" if name == "post" else "", name,
                             ended, result.runs, f"{result.seconds:.3f}",
                             f"{1000 * result.seconds / result.runs:.2f}",
                             f"{result.seconds / base:.2f}", mib(watch.driver),
                             "-" if name == "post" else mib(watch.job), mib(watch.sut)])
    print(f"Growth with --size-max: --attempts {plan.growth_attempts}; memory is the peak in MiB")
    table(["program, size-max", "driver", "size", "runs", "seconds", "ms/run", "seconds x",
           "driver MiB", "job MiB", "SUT MiB"], rows)
    worst.judge(verdicts)


def section_memory(programs, plan, verdicts):
    rows, worst = [], Worst()
    sut = [programs.at("models"), "flood", str(plan.flood_mib)]
    for size_max in (64 * KIB, 4 * MIB):
        for jobs in (1, 2):
            result, watch = watched(run_ours, programs, sut, 3, size_max, 92, jobs=jobs)
            worst.add(f"{size_text(size_max)}, flood", size_max, watch)
            rows.append([f"flood, {size_text(size_max)}, {jobs} jobs", result.size, result.runs,
                         f"{result.seconds:.3f}", mib(watch.driver), mib(watch.job), watch.jobs])
    print(f"Memory when each run prints {plan.flood_mib} MiB to stdout and to stderr, peak in MiB")
    table(["program, size-max", "size", "runs", "seconds", "driver MiB", "job MiB", "jobs seen"],
          rows)
    worst.judge(verdicts)


# ---- Smoke ----


def expect(condition, what):
    if not condition:
        sys.exit(f"bench: smoke: {what}")


def smoke_models(programs):
    """Every model fails at its smallest input, and passes on all prefixes of it."""
    for label, arguments, smallest, entropy in MODELS:
        if entropy is None:
            continue
        expect(len(entropy) == smallest, f"{label}: the input given has {len(entropy)} bytes")
        for size in {smallest, max(smallest - 1, 0), smallest // 2}:
            status = subprocess.run([programs.at("models")] + arguments, input=entropy[:size],
                                    stderr=subprocess.DEVNULL, cwd=programs.cwd, check=False)
            expect((status.returncode != 0) == (size == smallest),
                   f"{label}: exit status {status.returncode} at {size} bytes")


def smoke(programs):
    smoke_models(programs)
    for count in (0, 1, 41, 1000):
        sut = [programs.at("models"), "size", str(count)]
        result = run_post(programs, sut, 3, 64 * KIB, 1)
        expect(result.size == count, f"post_driver: size {count} ended at {result.size}")
        result = VARIANTS["frng j2"](programs, sut, 3, 64 * KIB, 1)
        expect(result.size == count, f"frng-search: size {count} ended at {result.size}")
    sut = [programs.at("models"), "never"]
    for size_max in (0, 5, 100):
        result = run_post(programs, sut, 2, size_max, 1)
        expect(result.size is None, f"post_driver: never ended at {result.size}")
    expect(rate_post(programs, programs.at("null_sut"), 16, 0.01) > 0, "post_driver --rate")
    expect(rate_ours(programs, programs.at("null_sut"), 16, 0.01, 2) > 0, "rate")
    expect(rate_bare(programs, "all", 16, 0.01) > 0, "bare_loop")
    for mode in MODES:
        expect(rate_mode(programs, "dynamic", "64 B", 4 * KIB, 0.01, mode, 2) > 0, f"rate {mode}")
    expect(rate_contained(programs, "auto", "spawn", 16, 0.01) > 0, "rate --containment")
    _, watch = watched(run_ours, programs, sut, 20, 4 * KIB, 1, jobs=1)
    expect(watch.driver > 0, "the memory of the driver was not seen")
    print("ok")


# ---- Main ----


# ---- Section: sanitizers ----

SANITIZERS = ("address,undefined", "address", "leak", "undefined", "thread", "memory")
# Rows: the name of a test, its source, and what the compiler gets with it.
SANITIZED = (("empty", "tests/bench/null_empty.c", ()), ("cobs", "examples/cobs.c", ("-DFIXED",)))


def build_sanitized(programs, compiler, sanitizer, source, more):
    """A program with a sanitizer, or None where the compiler cannot build one that runs."""
    root = Path(__file__).resolve().parents[2]
    target = Path(programs.cwd) / f"{compiler}-{sanitizer}-{Path(source).stem}"
    command = [compiler, "-g", f"-fsanitize={sanitizer}", f"-I{root / 'frng'}", *more,
               str(root / source), "-o", str(target)]
    try:
        built = subprocess.run(command, stderr=subprocess.DEVNULL, check=False)
        works = built.returncode == 0 and subprocess.run(
            [str(target)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        return None
    return str(target) if works else None


def rate_sanitized(programs, target, seconds, options):
    """Runs of a search by one job in a second of processor time, which neighbours do not change."""
    clean = {name: value for name, value in os.environ.items() if not name.endswith("SAN_OPTIONS")}
    command = [str(programs.search), target, "--jobs", "1", "--size-max", "256", "--time",
               f"{seconds}s", "--rng-seed", "1"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env={**clean, **options}, cwd=programs.cwd, text=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    runs = re.search(r"effort +([\d,]+) runs", done.stderr)
    if done.returncode != 0 or runs is None:
        raise SystemExit(f"{shlex.join(command)}: exit {done.returncode}\n{done.stderr}")
    used_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return ratio(int(runs[1].replace(",", "")), used_s)


def section_sanitizers(programs, plan, verdicts):
    off = {name: "detect_leaks=0" for name in ("ASAN_OPTIONS", "LSAN_OPTIONS")}
    rows, shares = [], []
    for compiler, sanitizer in itertools.product(("gcc", "clang"), SANITIZERS):
        for name, source, more in SANITIZED:
            target = build_sanitized(programs, compiler, sanitizer, source, more)
            if target is None:
                continue
            pairs = [[rate_sanitized(programs, target, plan.sanitizer_seconds, options)
                      for options in ({}, off)] for _ in range(plan.sanitizer_rounds)]
            default, without = (statistics.median(column) for column in zip(*pairs))
            shares.append(ratio(default, without))
            rows.append([f"{compiler} {sanitizer}, {name}", f"{default:,.0f}", f"{without:,.0f}",
                         f"{shares[-1]:.2f}"])
    print(f"Runs in a second of processor time of a search by one job: medians of "
          f"{plan.sanitizer_rounds} searches of {plan.sanitizer_seconds} s, alternating")
    table(["compiler, sanitizer, test", "default", "detect_leaks=0", "default/that"], rows)
    verdicts.say("the default is within 0.8 of detect_leaks=0", bool(shares) and min(shares) >= 0.8,
                 f"{min(shares, default=0):.2f}")


SECTIONS = {"search": section_search, "spawn": section_spawn, "modes": section_modes,
            "containment": section_containment, "growth": section_growth, "memory": section_memory,
            "sanitizers": section_sanitizers}


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    build = Path(__file__).resolve().parent.parent.parent / "build"
    parser.add_argument("--build", type=Path, default=build, help="Meson's build folder")
    parser.add_argument("--quick", action="store_true", help="under a minute")
    parser.add_argument("--smoke", action="store_true", help="only look whether it all works")
    parser.add_argument("--section", action="append", choices=SECTIONS, help="only this one")
    parser.add_argument("--attempts", type=int, help="of the searches over the models")
    parser.add_argument("--repeat", type=int, help="repetitions of the searches")
    return parser.parse_args()


def make_plan(options):
    plan = Plan(models=MODELS)
    if options.quick:
        plan = Plan(attempts=30, repeat=3, models=MODELS, search_budget_s=25.0,
                    spawn_sizes=(16, 4 * MIB), spawn_rounds=5, spawn_seconds=0.15,
                    mode_rounds=3, mode_seconds=0.1, example_seeds=3, example_attempts=(100,),
                    growth_sizes=(64 * KIB, MIB, 16 * MIB), growth_attempts=2, flood_mib=8,
                    sanitizer_rounds=1, sanitizer_seconds=1)
    plan.attempts = options.attempts or plan.attempts
    if options.repeat:
        plan.repeat, plan.search_budget_s = options.repeat, float("inf")
    return plan


def main():
    options = parse()
    build = options.build.resolve()
    with tempfile.TemporaryDirectory(prefix="frng-bench-") as cwd:
        programs = Programs(build / "tests" / "bench", build / "driver" / "frng-search", cwd)
        if options.smoke:
            return smoke(programs)
        print(f"$ {shlex.join(['bench.py'] + sys.argv[1:])}")
        print(f"{os.cpu_count()} processors, {platform.system()} {platform.release()}\n")
        verdicts = Verdicts()
        start = time.monotonic()
        for name in options.section or SECTIONS:
            neighbours = Neighbours()
            SECTIONS[name](programs, make_plan(options), verdicts)
            neighbours.say()
        print(f"{verdicts.missed} figures not reached; {time.monotonic() - start:.0f} seconds")
    return 0


if __name__ == "__main__":
    sys.exit(main())

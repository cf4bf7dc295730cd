#!/usr/bin/env python3
"""Measure what each pass for files gains: reduce the files of cases.py without it.

    ablation.py --build DIR [--list bytes|text] [--pass NAME]... [--case NAME]... [--starts 3]
                [--calls 3000] [--hard]

Each case has as many starts: other files of the same kind, each reduced with one job and a limit of
calls, so that calls and sizes repeat on any machine. A row of the table, in Markdown, is a pass that
was left out: the bytes of all results and the calls of all reductions, as ratios to those with all
passes, and the cases that move: their bytes where they differ (means over the starts), and their
calls where those differ by a tenth. --hard: the large files of hard.py, with the bytes after 300
calls and without other starts. SPDX-License-Identifier: MIT
"""

import argparse
import os
import re
import shutil
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import files
import hard
from cases import RECIPES, make_case

HERE = Path(__file__).resolve().parent
PASSES = HERE.parents[2] / "driver" / "reduce" / "passes.c"
LISTS = {"bytes": "pass_list_of_bytes", "text": "pass_list_of_text"}
SLEEPERS = ("sleepy", "computing")  # measure the clock
HARD_CALLS = 300


@dataclass
class Outcome:
    sizes: list  # of a case, by start
    calls: list


def passes_of(name):
    """The names of the passes in a list of passes.c."""
    text = PASSES.read_text(encoding="utf-8")
    body = re.search(rf"{LISTS[name]}\[\] = {{(.*?)}};", text, re.DOTALL).group(1)
    found = [word.replace("_", "-") for word in re.findall(r"&pass_(\w+)", body)]
    return [word for word in found if word != "external"]


def reduce_case(name, options, place):
    """Reduce all starts of a case."""
    done = Outcome([], [])
    for start in range(options.starts):
        case = make_case(name, place / "case", start)
        got = files.measure(case, "frng", 1, place / "run", options)
        done.sizes.append(got.size)
        done.calls.append(got.calls)
        shutil.rmtree(place / "case")
    return done


def reduce_hard(name, options, place):
    folder = place / "hard"
    folder.mkdir(exist_ok=True)
    limits = SimpleNamespace(build=options.build, calls=HARD_CALLS, timeout=options.timeout,
                             without=True, shows=False)
    size, calls = hard.measure(name, limits, folder)
    for file in folder.iterdir():
        file.unlink()
    return Outcome([size], [calls])


def reduce_all(left_out, names, options, place):
    """Outcomes by the name of the case."""
    os.environ["FRNG_WITHOUT"] = left_out
    work = reduce_hard if options.hard else reduce_case
    return {name: work(name, options, place) for name in names}


def show(value):
    return f"{value:.1f}".removesuffix(".0")


def moves(name, before, after):
    """What a case shows of a pass, or None."""
    words = []
    if before.sizes != after.sizes:
        words.append(" to ".join(show(statistics.mean(o.sizes)) for o in (before, after)))
    ratio = sum(after.calls) / max(sum(before.calls), 1)
    if abs(ratio - 1) >= 0.1:
        words.append(f"{ratio:.2f} calls")
    return f"{name} {', '.join(words)}" if words else None


def total(outcomes, field):
    return sum(sum(getattr(outcome, field)) for outcome in outcomes.values())


def row(left_out, before, after):
    found = [moves(name, before[name], after[name]) for name in before]
    ratios = [total(after, field) / total(before, field) for field in ("sizes", "calls")]
    shown = "; ".join(filter(None, found)) or "-"
    return f"| {left_out} | {ratios[0]:.2f} | {ratios[1]:.2f} | {shown} |"


def cases_for(name, options):
    known = list(hard.CASES) if options.hard else [n for n in RECIPES if n not in SLEEPERS]
    if not options.hard:
        known = [n for n in known if (RECIPES[n].kind == "binary") == (name == "bytes")]
    return [n for n in known if n in options.case] if options.case else known


def table(name, options, place):
    names = cases_for(name, options)
    wanted = [p for p in passes_of(name) if not options.passes or p in options.passes]
    before = reduce_all("none", names, options, place)
    print(f"\n{name}: {', '.join(names)}; {total(before, 'sizes')} bytes, "
          f"{total(before, 'calls')} calls\n\n| without | bytes | calls | cases that move |")
    print("|---|---|---|---|", flush=True)
    for left_out in wanted:
        print(row(left_out, before, reduce_all(left_out, names, options, place)), flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", type=Path, required=True, help="Meson's build folder")
    parser.add_argument("--list", action="append", choices=list(LISTS), help="only this one")
    parser.add_argument("--pass", action="append", dest="passes", help="only this one")
    parser.add_argument("--case", action="append", help="only this one")
    parser.add_argument("--starts", type=int, default=3, help="files of each case")
    parser.add_argument("--hard", action="store_true", help="the files of hard.py")
    parser.add_argument("--calls", type=int, default=3000, help="of each reduction, at most")
    parser.set_defaults(verbose=False, timeout=600)
    return parser.parse_args()


def main():
    options = parse()
    with tempfile.TemporaryDirectory(prefix="frng-ablation-") as folder:
        for name in options.list or LISTS:
            table(name, options, Path(folder))


if __name__ == "__main__":
    sys.exit(main())

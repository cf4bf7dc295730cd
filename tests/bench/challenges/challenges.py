#!/usr/bin/env python3
"""Measure frng-reduce on the challenges of this folder: how often it reaches the smallest failure,
in how many calls.

    challenges.py --build DIR [--count 100] [--only NAME]... [--from search|random] [--verbose]
                  [--suite training|held-out|fresh|fresh-test|unseen|all]
                  [--without PASS]... [--in-search]

Each challenge is reduced from COUNT starts. --from search: what frng-search ends at with --rng-seed
1..COUNT and otherwise its defaults. --from random: the first COUNT seeds that fail at 10 KiB.
--without leaves a pass of the driver out (BENCH.md); the programs that do so are of without.c.

"answers" counts the different results; "calls" is their median. BENCH.md has the figures. The
smallest failures and why they are that stand at the challenges; a shorter result is an error.
Nothing may be tuned to the suite "unseen", whose author did not know how frng-reduce works.

--in-search: what frng-search --reduce comes to, which has other starts.

SPDX-License-Identifier: MIT
"""

import argparse
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from measure import run_tool, search, table  # noqa: E402

# A name, values, and after two spaces or in lines below them the entropy in hex.
ANSWER = r"^ \*     (\w+)  .*?((?:  (?:[0-9a-f]{2})+)|(?:\n \*         (?:[0-9a-f]{2})+)+)$"


def read_answers(suite):
    """{name: answer} of the table of a suite."""
    text = (HERE / f"{suite.replace('-', '_')}.c").read_text(encoding="utf-8")
    stated = {name: bytes.fromhex(re.sub(r"[\s*]", "", hexadecimal))
              for name, hexadecimal in re.findall(ANSWER, text, re.M)}
    return {name: stated[name] for name in sorted(re.findall(r'\{"(\w+)", \w+, ', text))}


SUITES = {name: read_answers(name)
          for name in ("training", "held-out", "fresh", "fresh-test", "unseen")}
CHALLENGES = {name: answer for suite in SUITES.values() for name, answer in suite.items()}

NOISE = 10240  # bytes of a random start
SEEDS_MAX = 100000  # tried for random failing ones


def link_program(build, name, folder):
    """The program linked under the name of a challenge; earlier builds have one for each."""
    programs, link = build / "tests" / "bench" / "challenges", Path(folder) / name
    if not link.is_symlink():
        link.symlink_to(programs / (name if (programs / name).exists() else "challenges"))
    return link


# ---- Starts: arguments of frng-reduce ----


def from_search(build, program, count):
    for seed in range(1, count + 1):
        done = search(build, program, "--rng-seed", seed).done
        if done["outcome"] == "fail":
            yield ["--size", done["size"], "--seed", done["seed"]]


def from_random(build, program, count):
    seeds = random.Random(program.name)
    for _ in range(SEEDS_MAX if count > 0 else 0):
        start = ["--size", str(NOISE), "--seed", str(seeds.getrandbits(64))]
        done = subprocess.run([build / "driver/frng-replay", program, *start, "--quiet"], check=False,
                              stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode == 1:
            yield start
            count -= 1
        if count == 0:
            return


def find_starts(build, program, origin, count):
    return list((from_search if origin == "search" else from_random)(build, program, count))


# ---- The table ----


def rows(options, folder):
    """A row for each challenge; then the number of those not always at their smallest, and all calls."""
    missed, total = 0, 0
    place = "tests/bench/frng-%s-without" if options.without else "driver/frng-%s"
    for name in options.only or SUITES.get(options.suite, CHALLENGES):
        program = link_program(options.build, name, folder)
        tool = place % ("search" if options.in_search else "reduce")
        starts = [["--rng-seed", seed, "--reduce"] for seed in range(1, options.count + 1)
                  ] if options.in_search else [["--explain", "no", *start] for start in find_starts(
                      options.build, program, options.origin, options.count)]
        dones = [run_tool(options.build, tool, program, "--jobs", 1, *start).done for start in starts]
        pairs = [(done["hex"] if done["outcome"] == "fail" else done["outcome"], done["calls"])
                 for done in dones]
        answers, calls = Counter(answer for answer, _ in pairs), [made for _, made in pairs]
        smallest = CHALLENGES[name].hex()
        shorter = [hexadecimal for hexadecimal in answers if len(hexadecimal) < len(smallest) and
                   re.fullmatch(r"([0-9a-f]{2})*", hexadecimal)]
        assert not shorter, f"{name}: its comment knows no failure as small as {shorter}"
        reached = answers[smallest]
        missed += reached < options.count
        total += sum(calls)
        if not calls:
            yield [name, "no start was found", "", ""]
            continue
        yield [name, f"{reached / len(calls):.0%}", len(answers), f"{statistics.median(calls):g}"]
        for answer, times in answers.items() if options.verbose else ():
            yield ["", f"{times} x {answer}", "", ""]
    options.missed = missed
    yield [f"{missed} not always at their smallest", "", "", f"{total:,} in all"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", type=Path, required=True, help="Meson's build folder")
    parser.add_argument("--count", type=int, default=100, help="starts of each challenge")
    parser.add_argument("--only", action="append", choices=CHALLENGES, help="only this one")
    parser.add_argument("--suite", choices=[*SUITES, "all"], default="all")
    parser.add_argument("--from", dest="origin", choices=["search", "random"], default="search")
    parser.add_argument("--without", action="append", metavar="PASS", help="leave it out")
    parser.add_argument("--in-search", action="store_true", help="of frng-search --reduce")
    parser.add_argument("--verbose", action="store_true", help="the answers, too")
    options = parser.parse_args()
    options.build = options.build.resolve()
    os.environ["FRNG_WITHOUT"] = ",".join(options.without or [])
    with tempfile.TemporaryDirectory(prefix="frng-challenges-") as folder:
        table(["", "smallest", "answers", "calls"], rows(options, folder))
    return 1 if options.missed else 0


if __name__ == "__main__":
    sys.exit(main())

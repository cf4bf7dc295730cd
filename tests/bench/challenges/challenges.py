#!/usr/bin/env python3
"""Measure frng-reduce on the challenges of this folder: how often it reaches the smallest failure,
in how many calls.

    challenges.py --build DIR [--count 100] [--only NAME]... [--from search|random] [--verbose]
                  [--suite classic|shapes|training|held-out|fresh|fresh-test|unseen|all]
                  [--without PASS]... [--best-of K]... [--in-search]

Each challenge is reduced from COUNT starts. --from search: what frng-search ends at with --rng-seed
1..COUNT and otherwise its defaults. --from random: the first COUNT seeds that fail at 10 KiB, or
at 4 KiB for the suite "classic". Failures that no uniform draws find (one in 2^31) are constructed:
x of random bytes, y from x. With --from random noise up to 4 KiB follows these. --without leaves a
pass of the driver out (BENCH.md); the program that does so is tests/bench/without.c.

"answers" counts the different results; "calls" is their median. BENCH.md has the figures. The
smallest failures and why they are that stand at the challenges; a shorter result is an error.
Nothing may be tuned to the suite "unseen", whose author did not know how frng-reduce works.

--in-search: what frng-search --reduce comes to, which has other starts.

--best-of K adds a row on all challenges: the shares of reductions at the smallest, as short as it,
and at the commonest answer, and calls, if K first failures were reduced and the best answer taken.
All choices of K of the starts count alike; of two answers of a size, the smallest known is better.
SPDX-License-Identifier: MIT
"""

import argparse
import math
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


def read_answers(*files):
    """{name: answer} of the tables of files."""
    texts = [(HERE / name).read_text(encoding="utf-8") for name in files]
    stated = {name: bytes.fromhex(re.sub(r"[\s*]", "", hexadecimal))
              for text in texts for name, hexadecimal in re.findall(ANSWER, text, re.M)}
    return {name: stated[name]
            for text in texts for name in sorted(re.findall(r'\{"(\w+)", \w+, ', text))}


CLASSIC = read_answers("classic.c")
SHAPES = read_answers("machines.c", "values.c") # the shapes of tests that users write
SUITES = {"classic": CLASSIC, "shapes": SHAPES, "training": read_answers("training.c"),
          "held-out": read_answers("held_out.c"),
          "fresh": read_answers("fresh.c"), "fresh-test": read_answers("fresh_test.c"),
          "unseen": read_answers("unseen.c")}  # whole tests as users write them
CHALLENGES = {name: answer for suite in SUITES.values() for name, answer in suite.items()}

NOISE, NOISE_OF_SHAPES = 4096, 10240  # bytes of a random start
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
    noise = str(NOISE if program.name in CLASSIC else NOISE_OF_SHAPES)
    for _ in range(SEEDS_MAX if count > 0 else 0):
        start = ["--size", noise, "--seed", str(seeds.getrandbits(64))]
        done = subprocess.run([build / "driver/frng-replay", program, *start, "--quiet"], check=False,
                              stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode == 1:
            yield start
            count -= 1
        if count == 0:
            return


def encode(value, low, high):
    """The smallest 4 bytes that give `value` of low..high, as frng.h samples."""
    n = high - low + 1
    return (((value - low) * 2**32 + 2**32 % n + n - 1) // n).to_bytes(4, "little")


def construct_pair(rng, differences, floor, low, high):
    """x is the value of random bytes, y is x and a difference."""
    while True:
        x = rng.randint(low, high)
        y = x + rng.choice(differences) * rng.choice((-1, 1))
        if x >= floor and low <= y <= high:
            return encode(x, low, high) + encode(y, low, high)


POSITIVE = (10, 1, 2**31 - 1)
CONSTRUCTED = {
    "difference_0": lambda rng: construct_pair(rng, [0], *POSITIVE),
    "difference_small": lambda rng: construct_pair(rng, [1, 2, 3, 4], *POSITIVE),
    "difference_one": lambda rng: construct_pair(rng, [1], *POSITIVE),
    "zigzag": lambda rng: construct_pair(rng, [1], 1000, 0, 2**32 - 1),
}


def construct(name, count, size):
    for i in range(count):
        rng = random.Random(f"{name} {i}")
        entropy = CONSTRUCTED[name](rng)
        yield ["--hex", (entropy + rng.randbytes(max(0, size - len(entropy)))).hex()]


def find_starts(build, program, origin, count):
    if program.name in CONSTRUCTED:
        return list(construct(program.name, count, NOISE if origin == "random" else 0))
    return list((from_search if origin == "search" else from_random)(build, program, count))


# ---- The table ----


def best_of(count, results):
    """The row of `--best-of`; results: {name: [(answer, calls)]}."""
    exact = short = commonest = 0
    calls = []
    for name, pairs in results.items():
        smallest = CHALLENGES[name].hex()
        order = sorted((answer for answer, _ in pairs), key=lambda a: (len(a), a != smallest, a))
        ways = math.comb(len(order), count)
        shares = Counter()  # of each answer: it is there, and none before it
        for i, answer in enumerate(order):
            shares[answer] += math.comb(len(order) - i - 1, count - 1) / ways
        exact += shares[smallest]
        short += sum(share for answer, share in shares.items() if len(answer) == len(smallest))
        commonest += max(shares.values())
        rng = random.Random(name)
        calls += [sum(c for _, c in rng.sample(pairs, count)) for _ in range(100)]
    of = len(results)
    return [f"best of {count}", f"{exact / of:.0%}", f"{short / of:.0%} as short, "
            f"{commonest / of:.0%} commonest", f"{statistics.median(calls):g}"]


def rows(options, folder):
    """A row for each challenge; then the number of those not always at their smallest, and all calls."""
    missed, total, results = 0, 0, {}
    tool = "tests/bench/frng-reduce-without" if options.without else "driver/frng-reduce"
    for name in options.only or SUITES.get(options.suite, CHALLENGES):
        program = link_program(options.build, name, folder)
        dones = [search(options.build, program, "--rng-seed", seed, "--reduce").done
                 for seed in range(1, options.count + 1)] if options.in_search else [
                     run_tool(options.build, tool, program, "--jobs", 1, "--explain", "no", *start).done
                     for start in find_starts(options.build, program, options.origin, options.count)]
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
        results[name] = pairs
        yield [name, f"{reached / len(calls):.0%}", len(answers), f"{statistics.median(calls):g}"]
        for answer, times in answers.items() if options.verbose else ():
            yield ["", f"{times} x {answer}", "", ""]
    options.missed = missed
    yield [f"{missed} not always at their smallest", "", "", f"{total:,} in all"]
    for count in options.best_of or ():
        yield best_of(count, {name: pairs for name, pairs in results.items() if len(pairs) >= count})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", type=Path, required=True, help="Meson's build folder")
    parser.add_argument("--count", type=int, default=100, help="starts of each challenge")
    parser.add_argument("--only", action="append", choices=CHALLENGES, help="only this one")
    parser.add_argument("--suite", choices=[*SUITES, "all"], default="all")
    parser.add_argument("--from", dest="origin", choices=["search", "random"], default="search")
    parser.add_argument("--without", action="append", metavar="PASS", help="leave it out")
    parser.add_argument("--best-of", action="append", type=int, metavar="K", help="rows on all of them")
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

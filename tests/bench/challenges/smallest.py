#!/usr/bin/env python3
"""Check that what the challenges say is their smallest failure is it.

    smallest.py [--only NAME]... [--frng FOLDER] [--cc CC]

Their comments state the answers: name, values, entropy in hex. smallest.c tries all that is smaller
in shortlex order, with the test of the challenge itself, and must end at that entropy. Where a draw
has too many values it tries the simplest ones alone, and the reason why that is enough is given
below. challenges.py reads names and answers from here. SPDX-License-Identifier: MIT
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD_TIMEOUT_S, TIMEOUT_S = 60, 1800

# A name, values, and after two spaces or in lines below them the entropy in hex.
ANSWER = r"^ \*     (\w+)  .*?((?:  (?:[0-9a-f]{2})+)|(?:\n \*         (?:[0-9a-f]{2})+)+)$"


def read_answers(*files):
    """{name: answer} of the tables of files."""
    texts = [(HERE / name).read_text(encoding="utf-8") for name in files]
    stated = {name: bytes.fromhex(re.sub(r"[\s*]", "", hexadecimal))
              for text in texts for name, hexadecimal in re.findall(ANSWER, text, re.M)}
    return {name: stated[name]
            for text in texts for name in sorted(re.findall(r'^    \{"(\w+)", \w+, ', text, re.M))}


CLASSIC = read_answers("classic.c")
SHAPES = read_answers("machines.c", "values.c") # the shapes of tests that users write
CHALLENGES = CLASSIC | SHAPES

EQUAL = "the test sees which numbers are equal, no others; so many distinct ones are enough"
ORDER = "the test sees how at most four keys are ordered; these values can have any order"
UNSEEN = "the test never looks at these values"
PARTNER = "x below the floor passes with any y, and the y beside the floor are all tried"
KEYS = "no key is unlike another, two can be told apart, and no value is looked at"
DRY = "a larger count needs more draws than there are"
PROOF = "the argument is at its test"

# Limits of smallest.c (VALUES=TRIED; None: nothing is tried), and why they are enough; also for
# those whose names begin so.
LIMITS = {
    "binheap": ("1000=4", ORDER),
    "bound5": (None, f"2^32 pairs at each size; {PROOF}"),
    "calculator": ("1000=4", "the operators are settled by their number, see its test"),
    "connection": ("4=2 5=5 256=1", KEYS),
    "dates": ("3652059=100", "29 February 2000 is the 60th simplest day"),
    "deletion": ("256=3", EQUAL),
    "difference": ("1000=2000", PARTNER),
    "distinct": ("1000=4", EQUAL),
    "expression": ("201=3", "the sizes of numbers do not matter"),
    "floats": (None, PROOF),
    "formats": ("95=1 256=1 1000=1000 4294967296=12", UNSEEN),
    "graph": ("3001=4 100=4", f"{DRY}; three lengths can be ordered"),
    "large_union": ("1000=5", EQUAL),
    "matrix": ("256=3", "only two numbers at a time are compared"),
    "messages": (None, PROOF),
    "nestedlists": ("256=1", UNSEEN),
    "operations": ("3=2 5=5 32=2 33=9 256=1", KEYS),
    "orders": ("5=1 6=1000 101=26 2001=3", f"{DRY}; 25 is enough for a price"),
    "records": ("2001=4 26=4 256=2", f"{DRY}; two letters differ"),
    "reverse": ("1000=3", EQUAL),
    "schedule": ("200=4", "no thread swaps more often"),
    "sum_pair": ("26=1 1001=1001 2000=1", UNSEEN),
    "swarm": ("100=1", "other weights reach no other operations"),
    "tree_keys": ("200=5", "so many keys can have any order"),
    "zigzag": ("1000=2000", PARTNER),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", action="append", choices=CHALLENGES, help="only this one")
    parser.add_argument("--frng", default=HERE.parents[2] / "frng", help="where frng.h is")
    parser.add_argument("--cc", default="cc", help="C compiler")
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="frng-smallest-") as folder:
        program = f"{folder}/smallest"
        subprocess.run([options.cc, "-O2", "-std=c11", "-D_GNU_SOURCE", f"-I{options.frng}",
                        str(HERE / "smallest.c"), "-o", program], check=True, timeout=BUILD_TIMEOUT_S)
        for name in options.only or CHALLENGES:
            answer = CHALLENGES[name]
            limits, why = next((LIMITS[of] for of in LIMITS if name.startswith(of)), ("", ""))
            if limits is None:
                print(f"{name:18}  {answer.hex()}  not tried: {why}", flush=True)
                continue
            done = subprocess.run([program, name, str(len(answer)), *limits.split()], check=False,
                                  stdout=subprocess.PIPE, text=True, timeout=TIMEOUT_S)
            words = done.stdout.split()
            found = words[1] if done.returncode == 0 else "nothing"
            how = f"limits {limits}: {why}" if limits else "everything"
            print(f"{name:18}  {found}  {words[-1]} runs, {how}", flush=True)
            if found != answer.hex():
                wrong += 1
                print(f"    WRONG: its comment says {answer.hex()}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

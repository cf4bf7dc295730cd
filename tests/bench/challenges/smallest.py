#!/usr/bin/env python3
"""Check that what the challenges say is their smallest failure is it.

    smallest.py [--only NAME]... [--frng FOLDER] [--cc CC]

Each file states its answers at the end of its first comment: name, values, entropy in hex.
smallest.c tries all that is smaller in shortlex order, with the test of the challenge itself, and
must end at that entropy. Where a draw has too many values it tries the simplest ones alone, and
the reason why that is enough is given below. challenges.py reads the answers from here.
SPDX-License-Identifier: MIT
"""

import argparse
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD_TIMEOUT_S, TIMEOUT_S = 60, 300


# A name, values, and after two spaces or in lines below them the entropy in hex.
ANSWER = r"^ \*     (\w+)  .*?((?:  (?:[0-9a-f]{2})+)|(?:\n \*         (?:[0-9a-f]{2})+)+)$"


@dataclass
class Challenge:
    source: str
    args: list = field(default_factory=list)
    limits: list = field(default_factory=list)  # of smallest.c: VALUES=TRIED
    why: str = ""  # that is enough; for None in `limits`, why nothing is tried
    answer: bytes = b""


EQUAL = "the test sees which numbers are equal, no others; so many distinct ones are enough"
ORDER = "the test sees how at most four keys are ordered; these values can have any order"
UNSEEN = "the test never looks at these values"
PARTNER = "x below the floor passes with any y, and the y beside the floor are all tried"
OPERATIONS = ["3=2", "5=5", "32=2", "33=9", "256=1"]
KEYS = "no key is unlike another, two can be told apart, and no value is looked at"
LENGTH = ["-DLENGTH_STYLE"]


def differ(least, most):
    return [f"-DLEAST={least}", f"-DMOST={most}"]


CLASSIC = {
    "binheap": Challenge("binheap", [], ["1000=4"], ORDER),
    "binheap_swap": Challenge("binheap", ["-DSWAP_ALWAYS"], ["1000=4"], ORDER),
    "bound5": Challenge("bound5", [], None, "2^32 pairs at each size; the argument is in bound5.c"),
    "calculator": Challenge(
        "calculator", [], ["1000=4"], "the operators are settled by their number, see calculator.c"
    ),
    "coupling": Challenge("coupling"),
    "deletion": Challenge("deletion", [], ["256=3"], EQUAL),
    "difference_0": Challenge("difference", differ(0, 0), ["1000=2000"], PARTNER),
    "difference_one": Challenge("difference", differ(1, 1), ["1000=2000"], PARTNER),
    "difference_small": Challenge("difference", differ(1, 4), ["1000=2000"], PARTNER),
    "distinct": Challenge("distinct", [], ["1000=4"], EQUAL),
    "distinct_length": Challenge("distinct", LENGTH, ["1000=4"], EQUAL),
    "large_union": Challenge("large_union", [], ["1000=5"], EQUAL),
    "large_union_length": Challenge("large_union", LENGTH, ["1000=5"], EQUAL),
    "late_true": Challenge("late_true"),
    "lengthlist": Challenge("lengthlist"),
    "nestedlists": Challenge("nestedlists", [], ["256=1"], UNSEEN),
    "nestedlists_length": Challenge("nestedlists", LENGTH, ["256=1"], UNSEEN),
    "operations": Challenge("operations", [], OPERATIONS, KEYS),
    "operations_both": Challenge("operations", ["-DSTEPS", "-DCOUNTED"], OPERATIONS, KEYS),
    "operations_counted": Challenge("operations", ["-DCOUNTED"], OPERATIONS, KEYS),
    "operations_steps": Challenge("operations", ["-DSTEPS"], OPERATIONS, KEYS),
    "poisoned": Challenge("poisoned"),
    "replacement": Challenge("replacement"),
    "reverse": Challenge("reverse", [], ["1000=3"], EQUAL),
    "reverse_length": Challenge("reverse", LENGTH, ["1000=3"], EQUAL),
    "run_length": Challenge("run_length"),
    "self_length": Challenge("self_length"),
    "self_length_length": Challenge("self_length", LENGTH),
    "sum_pair": Challenge("sum_pair", [], ["26=1", "1001=1001", "2000=1"], UNSEEN),
    "zigzag": Challenge("zigzag", [], ["1000=2000"], PARTNER),
}

DRY = "a larger count needs more draws than there are"
PROOF = "the argument is in its file"

# Tests of the shapes that users write.
SHAPES = {
    "allocator": Challenge("allocator"),
    "connection": Challenge("connection", [], ["4=2", "5=5", "256=1"], KEYS),
    "dates": Challenge("dates", [], ["3652059=100"], "29 February 2000 is the 60th simplest day"),
    "definitions": Challenge("definitions"),
    "escapes": Challenge("escapes"),
    "expression": Challenge("expression", [], ["201=3"], "the sizes of numbers do not matter"),
    "floats": Challenge("floats", [], None, PROOF),
    "formats": Challenge("formats", [], ["95=1", "256=1", "1000=1000", "4294967296=12"], UNSEEN),
    "graph": Challenge("graph", [], ["3001=4", "100=4"], f"{DRY}; three lengths can be ordered"),
    "handles": Challenge("handles"),
    "intervals": Challenge("intervals"),
    "ledger": Challenge("ledger"),
    "matrix": Challenge("matrix", [], ["256=3"], "only two numbers at a time are compared"),
    "messages": Challenge("messages", [], None, PROOF),
    "orders": Challenge(
        "orders", [], ["5=1", "6=1000", "101=26", "2001=3"], f"{DRY}; 25 is enough for a price"
    ),
    "permutation": Challenge("permutation"),
    "records": Challenge("records", [], ["2001=4", "26=4", "256=2"], f"{DRY}; two letters differ"),
    "schedule": Challenge("schedule", [], ["200=4"], "no thread swaps more often"),
    "stack_machine": Challenge("stack_machine"),
    "strings": Challenge("strings"),
    "swarm": Challenge("swarm", [], ["100=1"], "other weights reach no other operations"),
    "tree_keys": Challenge("tree_keys", [], ["200=5"], "so many keys can have any order"),
}

CHALLENGES = CLASSIC | SHAPES


def read_answers():
    """Fill in `answer` from the first comments."""
    for source in {c.source for c in CHALLENGES.values()}:
        comment = (HERE / f"{source}.c").read_text(encoding="utf-8").split("*/")[0]
        for name, text in re.findall(ANSWER, comment, re.M):
            CHALLENGES[name].answer = bytes.fromhex(re.sub(r"[\s*]", "", text))
    missing = [name for name, c in CHALLENGES.items() if not c.answer]
    if missing:
        sys.exit(f"smallest: no answer is stated for {', '.join(missing)}")
    return CHALLENGES


def search(challenge, options, folder):
    """What smallest.c ends at, and its runs."""
    program = f"{folder}/smallest"
    command = [options.cc, "-O2", "-std=c11", "-D_GNU_SOURCE", f"-I{options.frng}", f"-I{HERE}"]
    command += [f'-DCHALLENGE="{challenge.source}.c"', *challenge.args]
    command += [str(HERE / "smallest.c"), "-o", program]
    subprocess.run(command, check=True, timeout=BUILD_TIMEOUT_S)
    command = [program, str(len(challenge.answer)), *challenge.limits]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=False, timeout=TIMEOUT_S
    )
    words = done.stdout.split()
    return (words[1] if done.returncode == 0 else "nothing"), words[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", action="append", choices=CHALLENGES, help="only this one")
    parser.add_argument("--frng", default=HERE.parents[2] / "frng", help="where frng.h is")
    parser.add_argument("--cc", default="cc", help="C compiler")
    options = parser.parse_args()
    wrong = 0
    read_answers()
    with tempfile.TemporaryDirectory(prefix="frng-smallest-") as folder:
        for name in options.only or CHALLENGES:
            c = CHALLENGES[name]
            if c.limits is None:
                print(f"{name:18}  {c.answer.hex()}  not tried: {c.why}", flush=True)
                continue
            found, runs = search(c, options, folder)
            wrong += found != c.answer.hex()
            how = f"limits {' '.join(c.limits)}: {c.why}" if c.limits else "everything"
            print(f"{name:18}  {found}  {runs} runs, {how}", flush=True)
            if found != c.answer.hex():
                print(f"    WRONG: {c.source}.c says {c.answer.hex()}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

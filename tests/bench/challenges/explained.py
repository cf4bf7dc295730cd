#!/usr/bin/env python3
"""Explain the smallest failures of the challenges and the examples, and check the statements by runs
of another kind: frng-replay on bytes.

    explained.py --build DIR [--runs 6] [--only NAME]... [--draws 40] [--verbose]

Each program is searched, reduced and explained once. Then draws get other bytes, at random and at the
bounds of the statement, and the other draws keep theirs. A run counts if its trace shows that the
others have their old values. "wrong" counts those that do not end as the statement says. The exit
status is 1 if there are any. SPDX-License-Identifier: MIT
"""

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from challenges import CONSTRUCTED, Programs, find_starts, print_line
from smallest import read_answers

EXAMPLES = ("cobs", "consensus", "kvstore", "ring")
NUMBER = re.compile(r"(u|i)(8|16|32|64)(?: (-?\d+)\.\.(-?\d+))?$")
HEADER = ("", "draws", "stated", "runs", "cut", "checked", "wrong", "seconds")


@dataclass
class Run:
    fails: bool
    values: dict  # {offset: value as text}
    kinds: dict  # {offset: kind and bounds as text}


class Target:
    """A program and the bytes of its failure."""

    def __init__(self, programs, path, done):
        self.programs, self.path = programs, path
        self.bytes = bytes.fromhex(done["hex"])
        self.signature = done["identity"] + (f" at {done['site']}" if done["site"] else "")

    def run(self, entropy):
        done = subprocess.run(
            [self.programs.replay, self.path, "--hex", entropy.hex(), "--trace", "--quiet",
             "--only", self.signature], cwd=self.programs.folder, stdin=subprocess.DEVNULL,
            capture_output=True, check=False, timeout=60)
        values, kinds = {}, {}
        for line in done.stdout.decode(errors="replace").splitlines():
            row = re.match(r" *(\d+)  (.*)", line)
            if row:
                kind, value = re.split(r"  +", row[2].rstrip())[-2:]
                values[int(row[1])] = value
                kinds[int(row[1])] = kind
        return Run(done.returncode == 1, values, kinds)


@dataclass
class Check:
    checked: int = 0
    wrong: list = field(default_factory=list)


def predict(statement, value):
    """Whether a value fails by a statement about one draw; None if that is open."""
    kind = statement["fails"]
    if kind in ("some", "equal", "fixed"):
        return None
    if kind == "any":
        return True
    if kind == "only":
        return value == statement["value"]
    if kind in ("set", "except"):
        return (value in statement["values"]) == (kind == "set")
    number, low, high = (float(x) if "." in x or "e" in x or "n" in x else int(x)
                         for x in (value, statement["low"], statement["high"]))
    return low <= number <= high and (statement["step_size"] == 1 or
                                      (number - low) % statement["step_size"] == 0)


def bytes_of(kind, width, value):
    """The bytes that draw a number of this kind, if that is simple; else None."""
    match = NUMBER.match(kind)
    if not match:
        return None
    signed, bits = match[1] == "i", int(match[2])
    if match[3] is None:
        return (value % 2**bits).to_bytes(bits // 8, "little")
    if signed or bits != 8 * width:
        return None
    low, high = int(match[3]), int(match[4])
    n = high - low + 1
    if not low <= value <= high:
        return None
    return (((value - low) * 2**bits + 2**bits % n + n - 1) // n % 2**bits).to_bytes(width, "little")


def numbers_near(statement):
    """Numbers at the bounds of a statement."""
    texts = [statement[name] for name in ("low", "high", "value") if name in statement]
    texts += statement.get("values", [])
    numbers = [int(text) for text in texts if re.fullmatch(r"-?\d+", text)]
    return [number + by for number in numbers for by in (-1, 0, 1)]


def replacements(statement, width, rng, runs):
    """Bytes to put in place of those of a draw."""
    near = [bytes_of(statement["kind"], width, number) for number in numbers_near(statement)]
    near = [entropy for entropy in near if entropy is not None]
    rng.shuffle(near)
    return near[:runs] + [rng.randbytes(width) for _ in range(runs)]


def same_but(before, after, moved):
    """Whether all draws but those at some offsets have their old values and bounds. A run that fails
    may end sooner; one that passes may have run out of entropy."""
    if not after.fails and len(after.values) < len(before.values):
        return False
    return all(before.kinds.get(at) == after.kinds[at] and
               (at in moved or before.values[at] == value) for at, value in after.values.items())


def check_statement(target, base, statement, spans, rng, runs, check):
    at, end = spans[statement["draw"]]
    for entropy in replacements(statement, end - at, rng, runs):
        changed = target.bytes[:at] + entropy + target.bytes[end:]
        after = target.run(changed)
        if at not in after.values or not same_but(base, after, {at}):
            continue
        expected = predict(statement, after.values[at])
        if expected is None:
            continue
        check.checked += 1
        if expected != after.fails:
            check.wrong.append(f"{statement['name']} {statement['text']}: {after.values[at]} "
                               f"{'fails' if after.fails else 'passes'}: {changed.hex()}")


def check_equal(target, base, statement, spans, rng, runs, check):
    """Move both draws."""
    (at, end), (other_at, other_end) = spans[statement["draw"]], spans[statement["other"]]
    bounds = NUMBER.match(statement["other_kind"])
    low, high = (int(bounds[i]) for i in (3, 4)) if bounds and bounds[3] else (0, 255)
    for _ in range(2 * runs):
        other = rng.choice((low, high, rng.randint(low, high), min(high, low + rng.randrange(9))))
        own = rng.choice((other, other - 1, other + 1, rng.randint(low, high)))
        own_bytes = bytes_of(statement["kind"], end - at, own)
        other_bytes = bytes_of(statement["other_kind"], other_end - other_at, other)
        if own_bytes is None or other_bytes is None:
            continue
        changed = bytearray(target.bytes)
        changed[at:end] = own_bytes
        changed[other_at:other_end] = other_bytes
        after = target.run(bytes(changed))
        seen = after.values.get(at), after.values.get(other_at)
        if seen != (str(own), str(other)) or not same_but(base, after, {at, other_at}):
            continue
        check.checked += 1
        if (own == other) != after.fails:
            check.wrong.append(f"{statement['name']} {statement['text']}: {own} beside {other} "
                               f"{'fails' if after.fails else 'passes'}")


def check_all(target, explanation, options):
    statements = explanation["statements"]
    base, check, rng = target.run(target.bytes), Check(), random.Random(1)
    starts = [s["offset"] for s in statements] + [len(target.bytes)]
    spans = {s["draw"]: (s["offset"], end) for s, end in zip(statements, starts[1:])}
    by_number = {s["draw"]: s for s in statements}
    shown = [s for s in statements if base.values.get(s["offset"]) == s["value"]]
    for statement in rng.sample(shown, min(options.draws, len(shown))):
        if statement["fails"] == "equal":
            statement["other_kind"] = by_number[statement["other"]]["kind"]
            check_equal(target, base, statement, spans, rng, options.runs, check)
        else:
            check_statement(target, base, statement, spans, rng, options.runs, check)
    return check


def explain(programs, path, start):
    command = [programs.reduce, path, "--explain", "yes", "--json", "-", "--quiet"]
    if "hex" in start:
        (Path(programs.folder) / "start").write_bytes(bytes.fromhex(start["hex"]))
        command += ["--input", "start"]
    else:
        command += ["--size", str(start["size"]), "--seed", start["seed"]]
    done = subprocess.run(command, cwd=programs.folder, stdin=subprocess.DEVNULL,
                          capture_output=True, check=False, timeout=600)
    events = [json.loads(line) for line in done.stdout.decode().splitlines() if line[:1] == "{"]
    return next(event for event in events if event["event"] == "done")


def start_of(programs, path):
    done = subprocess.run([programs.search, path, "--rng-seed", "1", "--quiet"],
                          cwd=programs.folder, capture_output=True, check=False, timeout=600)
    found = re.match(r"size=(\d+) seed=(\S+)", done.stdout.decode())
    return {"size": int(found[1]), "seed": found[2]} if found else None


def report(name, programs, path, start, options):
    done = explain(programs, path, start)
    found = done["explanation"]
    if found is None:
        print_line([name, "not explained"])
        return 0
    check = check_all(Target(programs, path, done), found, options)
    kinds = Counter(statement["fails"] for statement in found["statements"])
    print_line([name, str(found["draws"]), str(found["explained"]), str(found["runs"]),
                str(found["cut"] or "-"), str(check.checked), str(len(check.wrong)),
                f"{done['seconds']:.2f}"])
    if options.verbose:
        print("    " + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()))
        for statement in found["statements"]:
            print(f"    {statement['name']:30} {statement['value']:>12}  {statement['text']}")
    for wrong in check.wrong:
        print(f"    WRONG {wrong}", flush=True)
    return len(check.wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", type=Path, required=True, help="Meson's build folder")
    parser.add_argument("--runs", type=int, default=6, help="runs of each kind for a draw")
    parser.add_argument("--draws", type=int, default=40, help="draws of a program to check")
    parser.add_argument("--only", action="append", help="only this one")
    parser.add_argument("--verbose", action="store_true", help="print the statements")
    options = parser.parse_args()
    options.count, options.origin, options.starts = 1, "search", None
    wrong = 0
    print_line(HEADER)
    with tempfile.TemporaryDirectory(prefix="frng-explained-") as folder:
        programs = Programs(options.build.resolve(), folder, None)
        paths = {name: str(programs.build / "examples" / name) for name in EXAMPLES}
        paths.update({name: programs.at(name) for name in read_answers()})
        for name in options.only or paths:
            starts = find_starts(programs, name, options, {}) if name in CONSTRUCTED else \
                [start_of(programs, paths[name])]
            if starts and starts[0]:
                wrong += report(name, programs, paths[name], starts[0], options)
    print(f"{wrong} statements were wrong in a run")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

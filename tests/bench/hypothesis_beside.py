#!/usr/bin/env python3
"""Reduce the challenges with Hypothesis (Debian: python3-hypothesis) and with frng-reduce, from the
same first failures.

    hypothesis_beside.py --build DIR [--suite training]... [--only NAME]... [--count 5]
                         [--examples 20000] [--draws 250] [--verbose]

The challenges are compiled against hypothesis_beside.c: each draw of frng.h calls Python, and
Hypothesis draws an integer, a boolean, a date and so on of the same bounds; elements of frng_more and
letters are in spans, as in its own lists. A run passes after --draws draws. Hypothesis finds and
shrinks with seeds 1..COUNT (no database, no deadline, its own limits on shrinking); frng-reduce
starts at the bytes of Hypothesis's first failure. Answers are compared as bytes: "smallest" are those
that end at the answer stated at the challenge, "short" those of its size (Hypothesis orders values of
one size otherwise), "size" is the median over the stated one's. "calls" are median runs after the first
failure. A challenge that Hypothesis does not find in --examples has no figures.
SPDX-License-Identifier: MIT
"""

import argparse
import ctypes
import datetime
import os
import statistics
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings, strategies
from hypothesis.internal.conjecture.utils import ONE_FROM_MANY_LABEL, biased_coin
from hypothesis.reporting import with_reporter

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
sys.path += [str(HERE), str(HERE / "challenges")]
from challenges import SUITES, link_program  # noqa: E402
from measure import run_tool, table  # noqa: E402

BYTES, BOOL, UINT, INT, INDEX, WEIGHTED, F64, CHANCE = range(8)  # frng_kind
MORE, LETTER, MIXED_UINT, MIXED_INT, REAL, REAL_RANGE, SUBSET, DATE = range(8, 16)
MUST_END, MUST_GO_ON = 1 << 32, 2 << 32
STEP = -1  # in the stack of spans, where lists have the count of their elements

ASK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_uint64, ctypes.c_uint64,
                       ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint64))
STEPS = ctypes.CFUNCTYPE(None)


def signed(number):
    return number - 2**64 if number >= 2**63 else number


def double(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def bits_of(value):
    return struct.unpack("<Q", struct.pack("<d", value))[0]


class Draws:
    """The draws of one run, made by Hypothesis."""

    def __init__(self, data, limit):
        self.data, self.left, self.stopped, self.spans = data, limit, None, []

    def ask(self, kind, low, high, count, result):
        """Return 0 at the end of the entropy; an exception goes on when the test has returned."""
        if self.left == 0 or self.stopped is not None:
            return 0
        self.left -= 1
        try:
            result[0] = self.draw(kind, low, high, count) % 2**64
            return 1
        except BaseException as stopped:  # Hypothesis ends a run so
            self.stopped = stopped
            return 0

    def draw(self, kind, low, high, count):
        draw = self.data.draw
        if kind in (UINT, INDEX, WEIGHTED, MIXED_UINT, SUBSET):
            return draw(strategies.integers(low, high))
        if kind in (INT, MIXED_INT):
            return draw(strategies.integers(signed(low), signed(high)))
        if kind == BOOL:
            return draw(strategies.booleans())
        if kind == CHANCE:
            return biased_coin(self.data, low / high)
        if kind == F64:
            return draw(strategies.integers(0, 2**53 - 1)) << 11
        if kind == REAL:
            return bits_of(draw(strategies.floats()))
        if kind == REAL_RANGE:
            return bits_of(draw(strategies.floats(double(low), double(high))))
        if kind == DATE:
            day = draw(strategies.dates()) - datetime.date(2000, 1, 1)
            return day.days % 3652059
        return self.element(kind, low, high, count)

    def element(self, kind, how, letters, count):
        """One more element of a list, or letter: a coin, as in Hypothesis's own lists."""
        end, share = how & 0xffff, how >> 16 & 0xffff
        chance = share * letters / (share * letters + end)
        forced = False if how & MUST_END else True if how & MUST_GO_ON else None
        if kind == MORE:
            self.close(lambda span: span == count - 1 or span == STEP, span_too=True)
            self.spans.append(count)
        self.data.start_example(ONE_FROM_MANY_LABEL)
        more = biased_coin(self.data, chance, forced=forced)
        value = int(more)
        if kind == LETTER and more:
            value += self.data.draw(strategies.integers(0, letters - 1))
        if kind == LETTER or not more:
            self.data.stop_example()
            if kind == MORE:
                self.spans.pop()
        return value

    def close(self, is_wanted, span_too):
        """End the spans above the newest that is wanted, and that one; none if there is none."""
        for k in reversed(range(len(self.spans))):
            if is_wanted(self.spans[k]):
                keep = k if self.spans[k] != STEP or not span_too else k + 1
                for _ in range(len(self.spans) - keep):
                    self.data.stop_example()
                del self.spans[keep:]
                return

    def step(self):
        if self.stopped is None:
            self.close(lambda span: span == STEP, span_too=False)
            self.spans.append(STEP)
            self.data.start_example(ONE_FROM_MANY_LABEL)


class Failure:
    """What Hypothesis found: the bytes of its first failure and of its last, and the runs."""

    first = last = None
    runs = runs_before = 0


def shrink(library, name, seed, options):
    """Let Hypothesis find a failure and shrink it."""
    result, kinds = Failure(), {}

    @hypothesis.seed(seed)
    @settings(max_examples=options.examples, database=None, deadline=None, report_multiple_bugs=False,
              suppress_health_check=list(HealthCheck), phases=[Phase.generate, Phase.shrink])
    @given(strategies.data())
    def test(data):
        result.runs += 1
        draws = Draws(data.conjecture_data, options.draws)
        drawn, site = ctypes.POINTER(ctypes.c_uint8)(), ctypes.c_char_p()
        used = ctypes.c_size_t()
        broken = library.beside_run(name.encode(), ASK(draws.ask), STEPS(draws.step),
                                    ctypes.byref(drawn), ctypes.byref(used), ctypes.byref(site))
        assert broken in (0, 1), name
        if draws.stopped is not None:
            raise draws.stopped
        if not broken:
            return
        result.last = bytes(drawn[:used.value])
        if result.first is None:
            result.first, result.runs_before = result.last, result.runs
        kind = kinds.setdefault(site.value, type("Broken", (Exception,), {}))
        raise kind(site.value)  # Hypothesis tells failures apart by their class

    try:
        with with_reporter(lambda text: None):
            test()
    except Exception as error:
        if type(error).__name__ != "Broken":
            raise
    return result


def reduce(options, program, entropy):
    done = run_tool(options.build, "driver/frng-reduce", program, "--jobs", 1, "--explain", "no",
                    "--hex", entropy.hex()).done
    return bytes.fromhex(done["hex"]), done["calls"]


def rows(options, folder):
    library = ctypes.CDLL(str(compile_library(folder)))
    totals = [0] * 5
    for suite in options.suite or ["training", "fresh", "held-out", "fresh-test"]:
        for name, smallest in SUITES[suite].items():
            if options.only and name not in options.only:
                continue
            figures = {"Hypothesis": [], "frng": []}
            for seed in range(1, options.count + 1):
                found = shrink(library, name, seed, options)
                if found.first is None:
                    continue
                figures["Hypothesis"].append((found.last, found.runs - found.runs_before))
                figures["frng"].append(reduce(options, link_program(options.build, name, folder),
                                              found.first))
                if options.verbose:
                    print(f"{name} {seed}: {found.last.hex()} {figures['frng'][-1][0].hex()}",
                          file=sys.stderr, flush=True)
            count = len(figures["frng"])
            totals[0] += count
            row = [suite, name, f"{count}/{options.count}"]
            for k, answers in enumerate(figures.values()):
                reached = sum(answer == smallest for answer, _ in answers)
                short = sum(len(answer) == len(smallest) for answer, _ in answers)
                totals[1 + 2 * k] += reached
                totals[2 + 2 * k] += short
                row += [reached, short] + [
                    f"{statistics.median(len(answer) for answer, _ in answers) / len(smallest):.2f}",
                    f"{statistics.median(calls for _, calls in answers):g}"] if count else [""] * 4
            yield row
    yield ["all", "", totals[0], *totals[1:3], "", "", *totals[3:5], "", ""]


def compile_library(folder):
    library = Path(folder) / "beside.so"
    sources = [path for path in (HERE / "challenges").glob("*.c") if path.name != "challenges.c"]
    subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-O1", "-shared", "-fPIC", "-I",
                    TOP / "frng", "-include", HERE / "hypothesis_beside.h", "-o", library,
                    HERE / "hypothesis_beside.c", *sources], check=True)
    return library


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", type=Path, required=True, help="Meson's build folder")
    parser.add_argument("--suite", action="append", choices=SUITES, help="repeatable")
    parser.add_argument("--only", action="append", metavar="NAME", help="only this one")
    parser.add_argument("--count", type=int, default=5, help="seeds of each challenge")
    parser.add_argument("--examples", type=int, default=20000, help="at most, to find a failure")
    parser.add_argument("--draws", type=int, default=250, help="at most, in a run")
    parser.add_argument("--verbose", action="store_true", help="the answers, too")
    options = parser.parse_args()
    options.build = options.build.resolve()
    said = os.fdopen(os.dup(2), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # the messages of failed assertions
    sys.stderr = said
    with tempfile.TemporaryDirectory(prefix="frng-hypothesis-") as folder:
        table(["suite", "challenge", "found", "Hypothesis: smallest", "short", "size", "calls",
               "frng: smallest", "short", "size", "calls"], rows(options, folder))


if __name__ == "__main__":
    main()

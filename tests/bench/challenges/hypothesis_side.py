#!/usr/bin/env python3
"""The challenges of this folder in Hypothesis: how well, in how many calls and how fast it shrinks.

    /usr/bin/python3 hypothesis_side.py [--count 100] [--suite classic|shapes] [--only NAME]...
                                        [--limit SECONDS] [--output FILE] [--verbose]

For each seed 0..COUNT-1 a test is run until it fails and shrunk to the end. Calls are executions
of the test function from the first failure on, those whose data was rejected or ran out too, but
neither the first failure nor the replays of the report. Seconds are the wall time of the same
stretch, and cpu its processor time, which is the wall time of a machine that does nothing else.
"tests" are the calls whose data made a value: the shrinking challenge counts these, and with
--multiple-bugs. "smallest" is the share of seeds that ended at the answer given here, the smallest
in Hypothesis's order where that is known, or else at the best of its own. --limit N ends a search for
the first failure after N processor seconds, and then the shrinking after N more; "found" counts the
seeds that failed, "ended" those whose shrinking ended by itself, and both are in the other columns.

Strategies are those of the shrinking challenge (github.com/jlink/shrinking-challenge), of "Test
case reduction via test case generation" (MacIver, Donaldson, 2020) and of Hypothesis's own tests.
Needs Debian's python3-hypothesis (6.67). SPDX-License-Identifier: MIT
"""

import argparse
import json
import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import hypothesis
import hypothesis.strategies as st
from hypothesis import HealthCheck, Phase, Verbosity, assume, given, settings
from hypothesis.internal.conjecture.data import Status
from hypothesis.internal.conjecture.engine import ConjectureRunner, ExitReason

from hypothesis_shapes import SHAPES

EXAMPLES_MAX = 30000  # a seed that finds no failure in so many counts for nothing
INTEGERS = st.integers()
LISTS = st.lists(INTEGERS)


# ---- The challenges: a strategy, a test that raises AssertionError, and the answer ----


def wrap16(value):
    return (value + 32768) % 65536 - 32768


def bound5(lists):
    assert wrap16(sum(x for some in lists for x in some)) < 1280


BOUNDED = st.lists(st.integers(-32768, 32767), max_size=10).filter(lambda x: wrap16(sum(x)) < 256)


def large_union(lists):
    assert len({x for some in lists for x in some}) < 5


def reverse(items):
    assert items == items[::-1]


EXPRESSIONS = st.deferred(
    lambda: st.one_of(
        st.integers(),
        st.tuples(st.just("+"), EXPRESSIONS, EXPRESSIONS),
        st.tuples(st.just("/"), EXPRESSIONS, EXPRESSIONS),
    )
)


def no_literal_zero(e):
    if isinstance(e, int):
        return True
    return (e[0] != "/" or e[2] != 0) and no_literal_zero(e[1]) and no_literal_zero(e[2])


def evaluate(e):
    if isinstance(e, int):
        return e
    a, b = evaluate(e[1]), evaluate(e[2])
    assert e[0] == "+" or b != 0
    return a + b if e[0] == "+" else a // b


def calculator(e):
    assume(no_literal_zero(e))
    evaluate(e)


def lengthlist(items):
    assert max(items) < 900


def difference(fails):
    def test(pair):
        assert pair[0] < 10 or not fails(abs(pair[0] - pair[1]))

    return test


POSITIVE = st.integers(1, 2**31 - 1)


@st.composite
def heaps(draw, bound, size):
    if draw(st.integers(1, 8)) == 1 or size <= 0:
        return None
    key = draw(st.integers() if bound is None else st.integers(min_value=bound))
    return (key, draw(heaps(key, size // 2)), draw(heaps(key, size // 2)))


def to_list(heap):
    found, stack = [], [heap]
    while stack:
        h = stack.pop()
        if h is not None:
            found.append(h[0])
            stack += h[1:]
    return found


def merge(a, b):
    if a is None or b is None:
        return b if a is None else a
    if a[0] > b[0]:
        a, b = b, a
    return (a[0], merge(a[2], b), a[1])


def binheap(heap):
    if heap is None:
        return
    listed = [heap[0]] + to_list(merge(heap[1], heap[2]))
    assert listed == sorted(listed)
    assert listed == sorted(to_list(heap))


def coupling(items):
    assume(all(x < len(items) for x in items))
    for i, x in enumerate(items):
        assert i == x or items[x] != i


def deletion(pair):
    items, i = list(pair[0]), pair[1]
    assume(i < len(items))
    value = items[i]
    items.remove(value)
    assert value not in items


def distinct(items):
    assert len(set(items)) < 3


def nestedlists(lists):
    assert sum(map(len, lists)) <= 10


def replacement(pair):
    value = pair[0]
    for factor in pair[1]:
        value *= factor
    assert value < 10**6


def zigzag(pair):
    assert pair[0] < 1000 or abs(pair[0] - pair[1]) != 1


@st.composite
def poisoned_lists(draw):
    one_in_20 = st.integers(0, 19).map(lambda x: x == 19)
    lists = []
    for _ in range(draw(st.integers(5, 20))):
        count = draw(st.integers(0, 9))
        lists.append(["P" if draw(one_in_20) else draw(st.integers(0, 10)) for _ in range(count)])
    return lists


def poisoned(lists):
    assert all(x != "P" for some in lists for x in some)


@st.composite
def separated_pairs(draw):
    first = draw(st.integers(0, 1000))
    draw(st.text())
    draw(st.booleans())
    draw(st.integers())
    return (first, draw(st.integers(0, 1000)))


def sum_pair(pair):
    assert sum(pair) <= 1000


def rle_encode(data):
    code, i = [], 0
    while i < len(data):
        run = 1
        while i + run < len(data) and data[i + run] == data[i]:
            run += 1
        code += [data[i]] if run == 1 else [data[i], data[i], run - 2]
        i += run
    return code


def rle_decode(code):
    data, previous, i = [], None, 0
    while i < len(code):
        data.append(code[i])
        if code[i] == previous:
            i += 1
            if i == len(code):
                return None
            data += [previous] * code[i]
        previous = code[i]
        i += 1
    return data


def run_length(data):
    assert rle_decode(rle_encode(data)) == data


def self_length(items):
    assert len(items) not in items


@dataclass
class Challenge:
    strategy: object
    test: object
    answer: object = None  # None: the shortest as text of those it ends at


CLASSIC = {
    "bound5": Challenge(st.tuples(*[BOUNDED] * 5), bound5, ([], [], [], [-1], [-32768])),
    "large_union": Challenge(st.lists(LISTS), large_union, [[0, 1, -1, 2, -2]]),
    "reverse": Challenge(LISTS, reverse, [0, 1]),
    "calculator": Challenge(EXPRESSIONS, calculator, ("/", 0, ("+", 0, 0))),
    "lengthlist": Challenge(
        st.integers(1, 100).flatmap(
            lambda n: st.lists(st.integers(0, 1000), min_size=n, max_size=n)
        ),
        lengthlist,
        [900],
    ),
    "difference_0": Challenge(
        st.tuples(POSITIVE, POSITIVE), difference(lambda d: d == 0), (10, 10)
    ),
    "difference_small": Challenge(
        st.tuples(POSITIVE, POSITIVE), difference(lambda d: 1 <= d <= 4), (10, 6)
    ),
    "difference_one": Challenge(
        st.tuples(POSITIVE, POSITIVE), difference(lambda d: d == 1), (10, 9)
    ),
    "binheap": Challenge(
        st.integers(0, 20).flatmap(lambda size: heaps(None, size)),
        binheap,
        (0, None, (0, (0, None, None), (1, None, None))),
    ),
    "coupling": Challenge(st.lists(st.integers(0, 10)), coupling, [1, 0]),
    "deletion": Challenge(st.tuples(LISTS, st.integers(0, 10)), deletion, ([0, 0], 0)),
    "distinct": Challenge(LISTS, distinct, [0, 1, -1]),
    "nestedlists": Challenge(st.lists(st.lists(st.just(0))), nestedlists, [[0] * 11]),
    "replacement": Challenge(
        st.tuples(st.integers(0, 10**6 - 1), st.lists(st.integers(2, 10))),
        replacement,
        (100000, [10]),
    ),
    "zigzag": Challenge(st.tuples(*[st.integers(0, 2**32 - 1)] * 2), zigzag, (1000, 999)),
    "poisoned": Challenge(poisoned_lists(), poisoned, [[], [], [], [], ["P"]]),
    "sum_pair": Challenge(separated_pairs(), sum_pair, (1, 1000)),
    "run_length": Challenge(st.lists(st.integers(0, 7)), run_length, [1, 1, 0]),
    "self_length": Challenge(st.lists(st.integers(0, 255)), self_length, [1]),
}
CHALLENGES = CLASSIC | {name: Challenge(*pair) for name, pair in SHAPES.items()}


# ---- Measuring ----


class Watch:
    """Counts and times what one ConjectureRunner does after its first failure."""

    def __init__(self, limit):
        self.limit, self.begin = limit, self.now()[1]
        self.first = self.end = None  # wall and processor seconds
        self.calls = self.tests = 0
        self.has_ended = True

    def check(self, runner):
        """End a runner that has taken too long."""
        begin = self.begin if self.first is None else self.first[1]
        if self.limit is None or self.now()[1] - begin < self.limit:
            return
        self.has_ended = False
        runner.exit_with(ExitReason.very_slow_shrinking)

    @staticmethod
    def now():
        return time.perf_counter(), time.process_time()

    def __enter__(self):
        self.kept = ConjectureRunner.test_function, ConjectureRunner._run

        def test_function(runner, data):
            calls, before = runner.call_count, self.first
            try:
                return self.kept[0](runner, data)
            finally:
                if before is not None:
                    self.calls += max(runner.call_count - calls, 0)
                elif data.status == Status.INTERESTING:
                    self.first = self.now()
                if self.end is None:
                    self.check(runner)

        def run(runner):
            try:
                return self.kept[1](runner)
            finally:
                self.end = self.now()

        ConjectureRunner.test_function, ConjectureRunner._run = test_function, run
        return self

    def __exit__(self, *_):
        ConjectureRunner.test_function, ConjectureRunner._run = self.kept


def shrink(challenge, seed, options):
    """The answer, and a Watch of how it was reached; the answer is None where nothing failed."""
    watch = Watch(options.limit)
    answer = None

    @hypothesis.seed(seed)
    @settings(
        database=None,
        suppress_health_check=list(HealthCheck),
        max_examples=EXAMPLES_MAX,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        verbosity=Verbosity.quiet,
        report_multiple_bugs=options.multiple_bugs,
    )
    @given(challenge.strategy)
    def test(value):
        nonlocal answer
        if watch.first is not None and watch.end is None:
            watch.tests += 1
        try:
            challenge.test(value)
        except AssertionError:
            answer = value
            raise

    with watch:
        try:
            test()
        except AssertionError:
            pass
    return answer, watch


def measure(name, options):
    challenge, calls, tests, seconds, cpu = CHALLENGES[name], [], [], [], []
    answers, ended = Counter(), 0
    for seed in range(options.count):
        answer, watch = shrink(challenge, seed, options)
        if watch.first is None:
            continue
        ended += watch.has_ended
        answers[repr(answer)] += 1
        calls.append(watch.calls)
        tests.append(watch.tests)
        seconds.append(watch.end[0] - watch.first[0])
        cpu.append(watch.end[1] - watch.first[1])
    if not calls:
        return None
    best = repr(challenge.answer) if challenge.answer is not None else min(
        answers, key=lambda text: (len(text), text)
    )
    return {
        "name": name,
        "count": len(calls),
        "ended": ended,
        "smallest": answers[best] / len(calls),
        "different": len(answers),
        "calls": statistics.median(calls),
        "calls_p90": sorted(calls)[(9 * len(calls) - 1) // 10],
        "tests": statistics.median(tests),
        "seconds": statistics.median(seconds),
        "seconds_p90": sorted(seconds)[(9 * len(calls) - 1) // 10],
        "cpu": statistics.median(cpu),
        "answers": dict(answers.most_common(None if options.verbose else 3)),
    }


def read_rows(path):
    return json.loads(path.read_text(encoding="utf-8")) if path and path.exists() else []


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=100, help="seeds of each challenge")
    parser.add_argument("--suite", choices=["classic", "shapes", "all"], default="all")
    parser.add_argument("--only", action="append", choices=CHALLENGES, help="only this one")
    parser.add_argument("--limit", type=float, metavar="SECONDS",
                        help="of processor time, to the first failure and again to the end")
    parser.add_argument("--output", type=Path,
                        help="write the rows into this JSON file, for challenges.py")
    parser.add_argument("--multiple-bugs", action="store_true",
                        help="look for other bugs before shrinking, Hypothesis's default")
    parser.add_argument("--verbose", action="store_true", help="all answers")
    options = parser.parse_args()
    print(f"Hypothesis {hypothesis.__version__}, Python {sys.version.split()[0]}")
    print("name              found  ended  smallest  answers   calls     p90   tests   seconds"
          "       p90       cpu", flush=True)
    rows = read_rows(options.output)
    suites = {"classic": CLASSIC, "shapes": SHAPES, "all": CHALLENGES}
    for name in options.only or suites[options.suite]:
        row = measure(name, options)
        if row is None:
            print(f"{name:16}      0  no failure was found", flush=True)
            continue
        rows = [r for r in rows if r["name"] != name] + [row]
        print(
            f"{name:16}  {row['count']:5}  {row['ended']:5}  {row['smallest']:8.0%}"
            f"  {row['different']:7}  {row['calls']:6g}  {row['calls_p90']:6}  {row['tests']:6g}  {row['seconds']:8.4f}"
            f"  {row['seconds_p90']:8.4f}  {row['cpu']:8.4f}",
            flush=True,
        )
        if options.verbose or row["smallest"] < 1:
            for answer, times in row["answers"].items():
                print(f"    {times:4} {answer}"[:100], flush=True)
        if options.output:
            options.output.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

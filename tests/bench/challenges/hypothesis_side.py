#!/usr/bin/env python3
"""The challenges of this folder in Hypothesis: how well, in how many calls and how fast it shrinks.

    /usr/bin/python3 hypothesis_side.py [--count 100] [--only NAME]... [--output FILE] [--verbose]

For each seed 0..COUNT-1 a test is run until it fails and shrunk to the end. Calls are executions
of the test function from the first failure on, those whose data was rejected or ran out too, but
neither the first failure nor the replays of the report. Seconds are the wall time of the same
stretch, and cpu its processor time, which is the wall time of a machine that does nothing else.
"tests" are the calls whose data made a value: the shrinking challenge counts these, and with
--multiple-bugs. "smallest" is the share of seeds that ended at the answer given here, the smallest
in Hypothesis's order where that is known, or else at the best of its own.

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
from hypothesis.internal.conjecture.engine import ConjectureRunner

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


# ---- Tests of the shapes that users write ----


def ledger(steps):
    balance, earned = [0] * 4, [False] * 4
    for what, at, amount in steps:
        if what == 2:
            earned[at] |= balance[at] >= 10
            balance[at] += balance[at] // 10
            if balance[at] > 2000:
                balance[at], earned[at] = 0, False
        elif what == 0:
            balance[at] += amount
        elif amount <= balance[at]:
            balance[at] -= amount
        for k in range(4):
            if k != at and balance[k] == balance[at] >= 100:
                assert not earned[at] and not earned[k]


ACCOUNTS, AMOUNTS = st.integers(0, 3), st.integers(1, 250)
LEDGER = st.lists(
    st.one_of(
        st.tuples(st.just(0), ACCOUNTS, AMOUNTS),
        st.tuples(st.just(1), ACCOUNTS, AMOUNTS),
        st.tuples(st.just(2), ACCOUNTS, st.just(0)),
    )
)


def messages(sent):
    for i, (kind, data, priority) in enumerate(sent):
        others = sum(
            k == kind and d != data and p >= 10 and sum(d) % 32 == sum(data) % 32
            for k, d, p in sent[:i]
        )
        assert others < 2 or priority < 10


MESSAGES = st.lists(
    st.tuples(st.integers(0, 3), st.binary(min_size=4, max_size=4), st.integers(0, 31)),
    max_size=100,
)


def stack_machine(program):
    stack = []
    for what, number in program:
        if what == 0:
            stack.append(number)
        elif what in (1, 2, 3) and len(stack) >= 2:
            b, a = stack.pop(), stack.pop()
            stack += [b, a] if what == 2 else [(a + b if what == 1 else a * b) & 0xFFFF]
        elif what == 4 and stack:
            stack.pop()
        elif what == 5 and stack:
            stack.append(stack[-1])
        elif what == 6 and stack:
            assert stack[-1] < 1000
        del stack[32:]


STACK_MACHINE = st.lists(
    st.one_of(
        st.tuples(st.just(0), st.integers(0, 31)), st.tuples(st.integers(1, 6), st.just(0))
    )
)


def permutation(order):
    root, children = order[0], {}
    for key in order[1:]:
        at, sides = root, []
        while True:
            sides.append(key > at)
            if (at, sides[-1]) not in children:
                break
            at = children[at, sides[-1]]
        children[at, sides[-1]] = key
        assert len(sides) != 3 or sides[0] == sides[1] or sides[1] == sides[2]


PERMUTATION = st.integers(1, 30).flatmap(lambda n: st.permutations(range(n)))

TREES = st.recursive(
    st.one_of(
        st.tuples(st.just("n"), st.integers(-100, 100)),
        st.tuples(st.just("v"), st.integers(0, 3)),
    ),
    lambda some: st.one_of(
        st.tuples(st.just("neg"), some),
        st.tuples(st.just("+"), some, some),
        st.tuples(st.just("-"), some, some),
        st.tuples(st.just("if"), some, some, some),
    ),
)


def value_of(e, rewrites):
    if e[0] in "nv":
        return e[1] + (10 if e[0] == "v" else 0)
    a = value_of(e[1], rewrites)
    if e[0] == "neg":
        return -a
    if e[0] == "if":
        return value_of(e[2 if a != 0 else 3], rewrites)
    if e[0] == "-" and e[2][0] == "-" and rewrites:
        return a - value_of(e[2][1], True) - value_of(e[2][2], True)
    b = value_of(e[2], rewrites)
    return a + b if e[0] == "+" else a - b


def expression(e):
    assert value_of(e, False) == value_of(e, True)


def intervals(steps):
    has = set()
    for removes, start, length in steps:
        new = set(range(start, start + length))
        if removes == 2:
            has -= new
            continue
        before, after = start, start + length
        while before - 1 in has:
            before -= 1
        while after in has:
            after += 1
        joins = not new & has and before < start and after > start + length
        has |= new
        assert not joins or after - before < 24


INTERVALS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 99), st.integers(1, 10)))


def tree_keys(steps):
    nodes = {}
    root = None

    def find(key):
        at, parent, side = root, None, 0
        while at is not None and at != key:
            parent, side = at, int(key > at)
            at = nodes[at][side]
        return at, parent, side

    for erases, key in steps:
        at, parent, side = find(key)
        if erases < 2:
            if at is None:
                nodes[key] = [None, None]
                if parent is None:
                    root = key
                else:
                    nodes[parent][side] = key
            continue
        if at is None:
            continue
        left, right = nodes.pop(key)
        new = right if left is None else left
        if left is not None and right is not None:
            above, new = None, right
            while nodes[new][0] is not None:
                above, new = new, nodes[new][0]
            assert above is None or nodes[new][1] is None
            if above is not None:
                nodes[above][0] = None
            nodes[new] = [left, right if above is not None else nodes[new][1]]
        if parent is None:
            root = new
        else:
            nodes[parent][side] = new


TREE_KEYS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 199)))

RECORDS = st.lists(
    st.tuples(st.lists(st.integers(0, 25), max_size=8), st.integers(0, 255)), max_size=2000
)


def records(some):
    for i, (key, value) in enumerate(some):
        for other, its in some[:i]:
            if len(key) == len(other) and sum(key) == sum(other) and key != other:
                assert value == its


@dataclass
class Challenge:
    strategy: object
    test: object
    answer: object = None  # None: the shortest as text of those it ends at


CHALLENGES = {
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
    "expression": Challenge(TREES, expression),
    "intervals": Challenge(INTERVALS, intervals),
    "ledger": Challenge(LEDGER, ledger),
    "messages": Challenge(MESSAGES, messages),
    "permutation": Challenge(PERMUTATION, permutation),
    "records": Challenge(RECORDS, records),
    "stack_machine": Challenge(STACK_MACHINE, stack_machine),
    "tree_keys": Challenge(TREE_KEYS, tree_keys),
}


# ---- Measuring ----


class Watch:
    """Counts and times what one ConjectureRunner does after its first failure."""

    def __init__(self):
        self.first = self.end = None  # wall and processor seconds
        self.calls = self.tests = 0

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

        def run(runner):
            try:
                return self.kept[1](runner)
            finally:
                self.end = self.now()

        ConjectureRunner.test_function, ConjectureRunner._run = test_function, run
        return self

    def __exit__(self, *_):
        ConjectureRunner.test_function, ConjectureRunner._run = self.kept


def shrink(challenge, seed, multiple_bugs):
    """The answer, and a Watch of how it was reached; the answer is None where nothing failed."""
    watch = Watch()
    answer = None

    @hypothesis.seed(seed)
    @settings(
        database=None,
        suppress_health_check=list(HealthCheck),
        max_examples=EXAMPLES_MAX,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        verbosity=Verbosity.quiet,
        report_multiple_bugs=multiple_bugs,
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
    answers = Counter()
    for seed in range(options.count):
        answer, watch = shrink(challenge, seed, options.multiple_bugs)
        if watch.first is None:
            continue
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
    parser.add_argument("--only", action="append", choices=CHALLENGES, help="only this one")
    parser.add_argument("--output", type=Path,
                        help="write the rows into this JSON file, for challenges.py")
    parser.add_argument("--multiple-bugs", action="store_true",
                        help="look for other bugs before shrinking, Hypothesis's default")
    parser.add_argument("--verbose", action="store_true", help="all answers")
    options = parser.parse_args()
    print(f"Hypothesis {hypothesis.__version__}, Python {sys.version.split()[0]}")
    print("name              seeds  smallest   calls     p90   tests   seconds       p90       cpu",
          flush=True)
    rows = read_rows(options.output)
    for name in options.only or CHALLENGES:
        row = measure(name, options)
        if row is None:
            print(f"{name:16}  no failure was found", flush=True)
            continue
        rows = [r for r in rows if r["name"] != name] + [row]
        print(
            f"{name:16}  {row['count']:5}  {row['smallest']:8.0%}  {row['calls']:6g}"
            f"  {row['calls_p90']:6}  {row['tests']:6g}  {row['seconds']:8.4f}"
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

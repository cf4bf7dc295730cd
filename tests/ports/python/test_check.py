"""@frng.check of the Python port: what it finds, how it says so, and its way to the tools.

FRNG_BUILD names the build, for the tools. test_ports.py has the draws of DRAWS.md.
"""

import asyncio
import compileall
import contextlib
import datetime
import enum
import functools
import importlib.util
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest
import warnings

HERE = pathlib.Path(__file__).resolve().parent
# A compiled copy: the sources stay as they are, and no process compiles them again.
COPY = tempfile.TemporaryDirectory(prefix="frng-port-")
PORT = pathlib.Path(shutil.copytree(HERE.parents[2] / "frng" / "python", f"{COPY.name}/python"))
compileall.compile_dir(PORT, quiet=1)
sys.path.insert(0, str(PORT))
import frng
from frng import runner, seeds

DRIVER = pathlib.Path(os.environ.get("FRNG_BUILD", "/nowhere")) / "driver"
PATIENCE_S = 240


@contextlib.contextmanager
def environment(**variables):
    """Set variables, of which FRNG_REDUCE is 0 where nothing else is said."""
    before = dict(os.environ)
    os.environ.update({"FRNG_REDUCE": "0", "FRNG_SEED": "7", **variables})
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def failure_of(test, **variables):
    """The report of a check that fails, and what the test raised; of one without it, its line."""
    with environment(**variables):
        try:
            with contextlib.redirect_stderr(io.StringIO()):
                test()
        except BaseException as error:
            return getattr(error, "__notes__", [str(error)])[-1], error
    raise AssertionError("the check has passed")


class Color(enum.Enum):
    RED, GREEN = 1, 2


NOON, DAY = datetime.time(12), datetime.date(2024, 2, 29)
MOMENT, SPAN = datetime.datetime(2024, 2, 29, 12), datetime.timedelta(minutes=1)
# A draw, and what each value must be.
VALUES = [
    (lambda f: f.integers(0, 9), lambda x: 0 <= x <= 9),
    (lambda f: f.integers(-3, 300), lambda x: -3 <= x <= 300),
    (lambda f: f.integers(1 << 63, (1 << 64) - 1), lambda x: x >= 1 << 63),
    (lambda f: f.integers(max_value=-5), lambda x: x <= -5),
    (lambda f: f.integers(min_value=1000), lambda x: x >= 1000),
    (lambda f: f.floats(-1, 2), lambda x: -1 <= x <= 2),
    (lambda f: f.floats(min_value=3), lambda x: x >= 3),
    (lambda f: f.floats(allow_nan=False), lambda x: x == x),
    (lambda f: f.floats(allow_nan=False, allow_infinity=False), lambda x: abs(x) < float("inf")),
    (lambda f: f.text("ab", 1, 3), lambda x: 1 <= len(x) <= 3 and set(x) <= set("ab")),
    (lambda f: f.text("a\0é"), lambda x: set(x) <= set("a\0é")),
    (lambda f: f.text(), lambda x: len(x) <= 20),
    (lambda f: f.binary(2, 4), lambda x: 2 <= len(x) <= 4),
    (lambda f: f.dates(DAY, DAY + 99 * datetime.timedelta(1)), lambda x: x >= DAY),
    (lambda f: f.dates(), lambda x: isinstance(x, datetime.date)),
    (lambda f: f.times(NOON), lambda x: x >= NOON),
    (lambda f: f.datetimes(MOMENT, MOMENT + SPAN), lambda x: MOMENT <= x <= MOMENT + SPAN),
    (lambda f: f.datetimes(), lambda x: x.tzinfo is None),
    (lambda f: f.timedeltas(-SPAN, SPAN), lambda x: -SPAN <= x <= SPAN),
    (lambda f: f.sampled_from(Color), lambda x: x in Color),
    (lambda f: f.sampled_from("abc"), lambda x: x in "abc"),
    (lambda f: f.permutations("abc"), lambda x: sorted(x) == list("abc")),
    (lambda f: f.subset("abcd"), lambda x: x == sorted(set(x))),
    (lambda f: f.lists(f.u8, min_size=1, max_size=3), lambda x: 1 <= len(x) <= 3),
    (lambda f: f.lists(f.bool, unique=True, max_size=2), lambda x: len(x) == len(set(x))),
    (lambda f: f.sets(lambda: f.u8(0, 9)), lambda x: isinstance(x, set)),
    (lambda f: f.dictionaries(f.u8, f.text, max_size=3), lambda x: len(x) <= 3),
    (lambda f: f.randoms().random(), lambda x: 0 <= x < 1),
    (lambda f: f.one_of(f.u8, f.text), lambda x: isinstance(x, (int, str))),
]


class Values(unittest.TestCase):
    def test_values_are_within_their_bounds_and_end_with_the_entropy(self):
        for i, (draw, holds) in enumerate(VALUES):
            made = set()
            for seed in [f"{n}{style}" for n in range(40) for style in ("", "s")]:
                f = frng.Frng(seeds.expand(seed, 200))
                with contextlib.suppress(frng.OutOfEntropy):
                    while True:
                        value = draw(f)
                        self.assertTrue(holds(value), f"row {i}: {value!r}")
                        made.add(repr(value))
            self.assertGreater(len(made), 1, f"row {i}")
            self.assertRaises(frng.OutOfEntropy, draw, frng.Frng(b""))

    def test_where_choices_end_values_are_the_simplest(self):
        zeros = frng.Frng(bytearray(1000), choices=frng.target.Choices(b"", 1000))
        self.assertEqual([zeros.integers(), zeros.floats(), zeros.text(), zeros.lists(zeros.u8),
                          zeros.datetimes(), zeros.sampled_from(Color), zeros.timedeltas(),
                          zeros.integers(5, 900), zeros.integers(-5, 900)],
                         [0, 0, "", [], datetime.datetime(2000, 1, 1), Color.RED,
                          datetime.timedelta(0), 5, 0])

    def test_a_set_and_bounds_the_wrong_way_round_are_refused(self):
        f = frng.Frng(bytes(9))
        for draw in (lambda: f.sampled_from({1, 2}), lambda: f.integers(3, 2),
                     lambda: f.floats(1, 0), lambda: f.lists(f.u8, min_size=3, max_size=2),
                     lambda: f.dates(DAY, DAY - datetime.timedelta(1))):
            self.assertRaises(ValueError, draw)
        for draw in (lambda: f.lists(f.u8()), lambda: f.one_of(f.u8, 3)):
            with self.assertRaisesRegex(TypeError, "function"):
                draw()


# ---- Checks ----


@frng.check
def loses_duplicates(f):
    xs = f.lists(lambda: (f.i8(-9, 9), f.bool()))
    assert len(set(xs)) == len(xs)


@frng.check
def names_all(f):
    a, b = f.draw(lambda f: (f.pick("xy"), f.u8()))
    print(f.note("given").u8(), end="")
    holder.value = f.u8()
    f.say("soon")
    f.step("put")
    key = f.u8()
    f.step("end")
    assert f.draw(lambda f: (f.u8(), f.u8())) is None, (a, b, key)


class holder:
    value = 0


class Names(unittest.TestCase):
    def test_a_failure_has_its_size_its_seed_and_its_draws_by_name(self):
        text, cause = failure_of(loses_duplicates)
        self.assertIsInstance(cause, AssertionError)
        lines = text.splitlines()
        how = r"fails in run \d+, smallest after \d+ more: size=(\d+) seed=(\d+s?)$"
        size, seed = re.match(how, lines[0]).groups()
        self.assertTrue(lines[1].startswith("  xs = "), text)
        pair = eval(lines[1].split(" = ")[1])
        self.assertLess(len(set(pair)), len(pair))
        self.assertEqual(int(size), 3 * len(pair) + 1)
        self.assertRegex(lines[2], r"^test_check\.py:\d+: AssertionError")
        self.assertRegex(text, rf"\n  frng-replay \S+ --size {size} --seed {seed} --trace -- .*"
                         r"test_check\.py loses_duplicates\n")
        self.assertEqual(failure_of(loses_duplicates)[0], text)
        again, _ = failure_of(loses_duplicates, FRNG_REPLAY=lines[0])
        self.assertEqual(again.splitlines()[1:3], lines[1:3])
        self.assertTrue(lines[-1].startswith("  FRNG_SEED=7 "))
        f = frng.Frng(seeds.expand(seed, int(size)))
        self.assertRaises(AssertionError, loses_duplicates.frng_check.test, f)

    def test_names_are_those_of_variables_notes_and_draws(self):
        with contextlib.redirect_stdout(io.StringIO()):
            text, _ = failure_of(names_all)
        named = [re.sub(r"\d+", "N", line.strip()) for line in text.splitlines()
                 if line.startswith("  ")][:6]
        named[0] = named[0].replace("'y'", "'x'")
        self.assertEqual(named, ["a, b = ('x', N)", "given = N", "holder.value = N", "# soon",
                                 "put(key = N)", "end(draw = (N, N))"])


    def test_draws_that_choose_a_step_are_its_own(self):
        def key(f):
            return f.u8(0, 3)

        @frng.check
        def test(f):
            count, cap = 0, key(f)
            while True:
                who = f.u8(7, 7)
                op = f.pick(["push", "pop"])
                f.step(op)
                item = key(f)
                count += op == "push"
                assert count < 3, (cap, who, item)

        for seed in range(9):
            text, _ = failure_of(test, FRNG_SEED=str(seed))
            head, *steps = text.partition("test_check.py")[0].splitlines()[1:]
            self.assertRegex(head, r"  u8 = \d$", text)
            for step in steps:
                self.assertRegex(step, r"  (push|pop)\(who = 7, u8 = \d\)$", text)


class Searches(unittest.TestCase):
    def runs_of(self, draw, runs, **variables):
        made = []

        @frng.check(runs=runs)
        def test(f):
            made.append((f.left, bytes(f._entropy)))
            draw(f)

        with environment(**variables):
            test()
        return made

    def drain(self, f):
        while True:
            f.u8()

    def test_sizes_double_as_far_as_runs_use_them_and_each_one_costs_alike(self):
        sizes = [size for size, _ in self.runs_of(self.drain, 1000)]
        self.assertEqual(sorted(set(sizes)), [16 << i for i in range(9)])
        self.assertGreater(sizes.count(16), sizes.count(4096) > 4)
        self.assertEqual({size for size, _ in self.runs_of(lambda f: f.u32(), 100)}, {16})

    def test_the_environment_sets_runs_and_seeds(self):
        for variables, runs in ({}, 50), ({"FRNG_RUNS": "20"}, 20), (
                {"FRNG_PROFILE": "ci", "FRNG_SEED": ""}, 500):
            once, again = (self.runs_of(self.drain, 50, **variables) for _ in range(2))
            self.assertEqual(len(once), runs)
            self.assertEqual(once, again)
        fresh = [self.runs_of(self.drain, 50, FRNG_SEED="") for _ in range(2)]
        self.assertNotEqual(*fresh)

    def test_what_the_environment_cannot_mean_is_said(self):
        for name, text in (("FRNG_RUNS", "many"), ("FRNG_RUNS", "-1"), ("FRNG_SEED", "7s"),
                           ("FRNG_REPLAY", "size=16"), ("FRNG_REPLAY", "size=2 hex=zz")):
            with self.assertRaisesRegex(ValueError, f"{name}=.*{text}.* is no "):
                self.runs_of(self.drain, 9, **{name: text})

    def test_a_test_that_keeps_state_is_flaky(self):
        runs = []

        @frng.check
        def test(f):
            f.u8()
            runs.append(1)
            assert len(runs) != 30

        self.assertIn("flaky: ", failure_of(test)[0])

    def test_a_run_that_hangs_fails_with_its_draws_and_its_line(self):
        @frng.check(timeout=0.1)
        def test(f):
            x = f.u8()
            while x >= 200:
                pass

        text, cause = failure_of(test, FRNG_REDUCE="1")
        self.assertRegex(text, r"\Afails in run \d+, and is not made smaller: size=1 seed=\d+s?\n"
                               r"  x = 2\d\d\ntest_check\.py:\d+: \S*Hang: the run has not ended after 0\.1 s\n")
        self.assertIsInstance(cause, runner.Hang)
        self.assertEqual(signal.getsignal(signal.SIGALRM), signal.SIG_DFL)
        begun = time.monotonic()
        text, _ = failure_of(test, FRNG_TIMEOUT="1")
        self.assertGreaterEqual(time.monotonic() - begun, 2)  # found, and shown
        self.assertIn("after 1 s", text)
        replay = re.search("FRNG_REPLAY='(.*)'", text)[1]
        self.assertIn("after 1 s", failure_of(test, FRNG_REPLAY=replay, FRNG_TIMEOUT="1")[0])

        ends = []

        def over(*_):
            ends.append(time.monotonic())
            raise AssertionError("the runner's own limit")

        signal.signal(signal.SIGALRM, over)
        self.addCleanup(signal.signal, signal.SIGALRM, signal.SIG_DFL)
        begun = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        self.assertIn(f"size=1 seed={replay.split('=')[-1]}\n", failure_of(test)[0])
        self.assertGreaterEqual(ends[0] - begun, 0.5)

    def test_assume_passes_and_no_run_at_all_fails(self):
        @frng.check(runs=100)
        def some(f):
            f.assume(f.u8() < 128)
            assert f.u8() >= 0

        @frng.check(runs=100)
        def none(f):
            f.assume(f.u8() > 255)

        with environment():
            some()
        # The run without any bytes has no draw to discard.
        self.assertRaises(AssertionError, failure_of, some)

        @frng.check(runs=100)
        def never(f):
            f.assume(False)

        with environment(), self.assertRaisesRegex(frng.target.Refused, "^11 of 11 runs of .*never were discarded: draw"):
            never()

        @frng.check(runs=100)
        def few(f):
            f.label("made")
            f.assume(f.u8() > 250)

        few.frng_check.require = {"made": 1.0}  # of those that count
        with environment(), self.assertRaisesRegex(frng.target.Refused, r"^\d+ of \d+ runs of .*few were discarded: draw"):
            few()

        @frng.check(runs=100)
        def most(f):
            f.assume(f.u8() >= 160)

        with environment(), contextlib.redirect_stderr(io.StringIO()) as said:
            most()
        self.assertRegex(said.getvalue(), r"^frng: \d+ of \d+ runs of .*most were discarded: draw only[^\n]*\n$")

    def test_labels_are_counted_and_can_be_required(self):
        @frng.check(runs=200, require={"small": 0.9})
        def test(f):
            x = f.u8()
            f.measure("x", x)
            if x < 128:
                f.label("small")

        self.assertRegex(failure_of(test)[0], r"\d\d\.\d\d% of 200 runs had the label 'small', not 90")
        test.frng_check.require = {"small": 0.2}
        with environment(FRNG_STATISTICS="1"), contextlib.redirect_stderr(io.StringIO()) as said:
            test()
        self.assertRegex(said.getvalue(), r"(?m)^ +\d\d\.\d\d% small$")
        self.assertRegex(said.getvalue(), r"(?m)^ +100\.00% x, 0\.\.255, half <= \d+$")

    def test_coroutines_are_awaited_and_wrong_tests_refused(self):
        @frng.check
        async def test(f):
            assert f.u8() < 200

        self.assertRegex(failure_of(test)[0], r"f = 2\d\d|u8 = 2\d\d")
        with self.assertRaises(TypeError):
            frng.check(lambda: None)

    def test_what_ends_a_task_ends_the_run(self):
        tasks = []

        async def work(f):
            assert f.u8() < 200, "in a task"

        @frng.check
        async def test(f):
            tasks.append(asyncio.create_task(work(f)))
            await asyncio.sleep(0)

        self.assertIn("in a task", failure_of(test)[0])

        @frng.check
        async def awaits(f):
            with contextlib.suppress(AssertionError):
                await asyncio.create_task(work(f))

        awaits()

        @frng.check
        async def is_cancelled(f):
            task = asyncio.create_task(work(frng.Frng(b"\xff")))
            await asyncio.wait([task])
            with contextlib.suppress(AssertionError):
                if f.u8() < 128:
                    await task
            raise asyncio.CancelledError

        self.assertIsInstance(failure_of(is_cancelled)[1], asyncio.CancelledError)

    def test_a_hang_is_one_where_a_thread_has_failed_before(self):
        @frng.check(timeout=0.5)
        def test(f):
            x = f.u8()
            thread = threading.Thread(target=self.assertLess, args=(x, 200))
            thread.start()
            thread.join()
            while x >= 200:
                time.sleep(0.01)

        cause = failure_of(test)[1]
        self.assertIsInstance(cause, runner.Hang)
        self.assertIsInstance(cause.__cause__, AssertionError)


class Register(frng.Machine):
    """Puts what it must remember; forgets what it got twice."""

    keys = frng.Bundle("keys")
    ended = []

    def __init__(self):
        self.model, self.real = {}, {}

    @frng.initialize(x=lambda f: f.u8(0, 3))
    def start(self, x):
        self.limit = 100 + x

    @frng.rule(target=keys, key=lambda f: f.u8(0, 3))
    def add(self, key, f):
        self.model[key] = self.real[key] = f.u8()
        return key

    @frng.rule(weight=2, key=keys)
    def get(self, key):
        assert self.real.get(key) == self.model[key], "forgotten"

    @frng.rule
    @frng.precondition(lambda self: len(self.real) > 1)
    def squeeze(self):
        self.real.pop(max(self.real))

    @frng.invariant
    def holds(self):
        assert len(self.model) < self.limit

    def teardown(self):
        self.ended.append(1)


class Stateful(unittest.TestCase):
    def test_a_machine_fails_with_an_operation_a_line(self):
        Register.ended.clear()
        text, cause = failure_of(frng.check(Register))
        self.assertEqual(str(cause).splitlines()[0], "forgotten")
        text = text.partition("to go on:")[0]
        lines = [line.strip() for line in text.splitlines() if line.startswith("  ") and "(" in line]
        kinds = [re.sub(r"\d+", "N", line) for line in lines]
        self.assertEqual(kinds[0], "start(x = N)")
        self.assertEqual({"squeeze()", *kinds[1:]},
                         {"add(key = N, uN = N)", "squeeze()", "get(key = N)"} & {*kinds}, text)
        self.assertEqual(kinds[-1], "get(key = N)")
        self.assertGreater(len(Register.ended), 100)

    def test_it_is_a_case_of_unittest_under_the_name_that_hypothesis_gives_it(self):
        result = unittest.TestResult()
        with environment():
            Register.TestCase().run(result)
        self.assertIn("size=", result.failures[0][1])

    def test_rules_and_invariants_return_nothing_unless_a_target_takes_it(self):
        async def later(self, f):
            assert f.u8() < 3

        def value(self, f):
            return f.u8() < 3

        def made(self, f):
            yield f.u8()

        class Sets(frng.Machine):
            @frng.rule
            def draw(self, f):
                self.x = f.u8()

        keys = frng.Bundle("keys")
        rules = frng.rule(later), frng.rule(value), frng.rule(made), frng.rule(target=keys)(later)
        ways = [({"rule": rule}, "a rule") for rule in rules]
        ways.append(({"holds": frng.invariant(lambda self: getattr(self, "x", 0) < 3)}, "an invariant"))
        for members, kind in ways:
            with self.subTest(members), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of what is never awaited
                text = failure_of(frng.check(type("Returns", (Sets,), members)))[0]
                self.assertIn(f"{kind}, returned a value: raise to fail", text)
        without_name = frng.invariant(functools.partial(lambda word, self: None, "word"))
        with contextlib.redirect_stderr(io.StringIO()):
            frng.check(type("Partial", (Sets,), {"holds": without_name}))()

    def test_rules_with_arguments_that_nothing_draws_are_refused(self):
        for draw in {"x": lambda f: f.u8()}, {"y": 3}:
            class Wrong(frng.Machine):
                @frng.rule(**draw)
                def push(self, y):
                    pass

            with self.assertRaisesRegex(TypeError, "push: "):
                frng.check(Wrong)


# ---- In a project, with the tools ----

PROJECT = '''
import unittest
import frng

@frng.check
def test_sum(f, request):
    """Needs a fixture."""
    bounds = f.u16(0, 900)
    xs = f.lists(lambda: f.integers(0, bounds), max_size=9)
    assert sum(xs) < 1000 or len(xs) < 3, sum(xs)

@frng.check
def test_pair(f):
    xs = f.lists(lambda: f.integers(0, 1000))
    f.label("long" if len(xs) > 5 else "short")
    f.say(f"there are {len(xs)}")
    assert len(xs) < 2 or xs[0] + 10 > xs[-1]

@frng.check(runs=1)
def test_rare(f):
    x = f.u8()
    assert x != 77

class Cases(unittest.TestCase):
    def setUp(self):
        self.limit = 77

    @frng.check
    def test_limit(self, f):
        assert f.u8() < self.limit

class Waits(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.limit = 77

    @frng.check
    async def test_waits(self, f):
        n = f.u8()
        with self.subTest(n=n):
            self.assertLess(n, self.limit)
'''


# Each as pytest sums it up, with lines that the report has, or the word "no" and one that it has not.
# Only those with a line of frng-reduce or of a new process are reduced.
CASES = (
    ("""
@frng.check
def test_it(f):
    xs = f.lists(lambda: f.integers(-99, 99))
    assert sorted(set(xs)) == sorted(xs)
""", "test_it - assert [0] == [0, 0]", ["  xs = [0, 0]", "f = <frng: 5 bytes drawn>", "reduced by frng-reduce"]),
    ("""
@frng.check
def test_it(f):
    assert f.u8() + f.u8(0, 3) < 250
""", "test_it - assert (2", ["  u8 = 2", "no @py_assert", "no _integer.<locals>"]),
    ("""
@frng.check
def test_it(f):
    if f.u8() == 101: raise KeyError("lost")
""", "test_it - KeyError: 'lost'", ["  u8 = 101"]),
    ("""
@frng.check
def test_it(f):
    if f.u8() > 100: raise SystemExit(3)
""", "test_it - frng.runner.Failure: SystemExit: 3", ["  u8 = 101", "reduced by frng-reduce"]),
    ("""
@frng.check
def test_it(f):
    if f.u8() > 100: pytest.fail("large")
""", "test_it - Failed: large", ["  u8 = 101", "reduced by frng-reduce"]),
    ("""
import asyncio
@frng.check
async def test_it(f):
    if f.u8() > 100: await asyncio.wait_for(asyncio.sleep(0, asyncio.get_running_loop().create_future().result()), 9)
""", "test_it - asyncio.exceptions.InvalidStateError: Result is not set.", ["  u8 = 101", "no runners.py", "reduced by frng-reduce"]),
    ("""
@frng.check(require={"rare": 0.5})
def test_it(f):
    f.u8()
""", "test_it", ["0.00% of 1000 runs had the label 'rare', not 50.00%"]),
    ("""
seen = []
@frng.check
def test_it(f):
    seen.append(f.u8())
    assert len(seen) < 52
""", "test_it - assert 5", ["fails only after 51 other runs; in a new process it passes: ", "no frng-replay", "no FRNG_REPLAY="]),
    ("""
@pytest.fixture
def seen():
    return set()
@frng.check
def test_it(f, seen):
    seen.add(f.u8())
    assert len(seen) < 52, "many"
""", "test_it - AssertionError: many", ["fails only after ", " other runs; in a new process it passes: "]),
    ("""
class Base:
    @frng.check
    def test_it(self, f):
        assert f.u8() < self.limit
class TestIt(Base):
    def setup_method(self): self.limit = 7
""", "TestIt::test_it - assert 7 < 7", ["reduced by frng-reduce: size=1 hex=07"]),
    ("""
limit = 300
def setUpModule():
    global limit
    limit = 7
@frng.check
def test_it(f):
    assert f.u8() < limit
""", "test_it - assert 7 < 7", ["reduced by frng-reduce: size=1 hex=07"]),
    ("""
limit = 300
def setup_module():
    global limit
    limit = 7
@frng.check
def test_it(f):
    assert f.u8() < limit
""", "test_it - assert 7 < 7", ["reduced by frng-reduce: size=1 hex=07"]),
    ("""
limit = 300
@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setitem(globals(), "limit", 99)
class TestIt:
    @frng.check
    def test_it(self, f):
        x = f.u8()
        assert not 97 < x <= limit < 300
""", "TestIt::test_it - assert not 99 < 300", ["  x = 98", "reduced by frng-reduce: size=1 hex=62", "no fails only"]),
    ("""
import dataclasses
@dataclasses.dataclass(frozen=True)
class Lost(Exception):
    key: int
@frng.check
def test_it(f):
    if (x := f.u8()) == 101: raise Lost(x)
""", "test_it - test_", [".Lost: 101", "  x = 101"]),
    ("""
@pytest.mark.xfail(raises=KeyError, strict=True)
@frng.check
def test_it(f):
    if f.u8() > 100: raise KeyError
""", "", ["1 xfailed"]),
)


class Project(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="frng-check-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "test_all.py").write_text(textwrap.dedent(PROJECT))

    def run_in(self, *command, **variables):
        return subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE_S,
            check=False, stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(PORT), "PYTHONDONTWRITEBYTECODE": "1",
                 "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # whatever is installed
                 "FRNG_SEED": "7", "PATH": f"{DRIVER}:{os.environ['PATH']}", **variables})

    def need(self, *names):
        if "tools" in names and not (DRIVER / "frng-reduce").exists():
            self.skipTest("there are no tools")
        for name in set(names) & {"pytest", "xdist"}:
            if importlib.util.find_spec(name) is None:
                self.skipTest(f"there is no {name}")

    def test_unittest_reports_what_frng_reduce_made_simple(self):
        self.need("tools")
        result = self.run_in(sys.executable, "-m", "unittest", "test_all")
        self.assertNotEqual(result.returncode, 0)
        for name in "u8", "n":
            self.assertRegex(result.stderr, rf"reduced by frng-reduce: size=1 hex=4d\n  {name} = 77\n")
        self.assertEqual(result.stderr.count("FAIL: test_waits"), 1)
        self.assertNotIn("runner.py\", line 1", result.stderr)  # no inner lines of the package

    def test_a_check_is_a_target_by_its_file_and_its_name(self):
        self.need("tools")
        for name, size in ("test_pair", 6), ("Cases::test_limit", 1):
            result = self.run_in("frng-search", sys.executable, "--rng-seed", "7", "--attempts", "100", "--json", "events",
                                 "--require", "long:1%", "--", PORT / "frng", "test_all.py", name)
            self.assertRegex(result.stdout, rf"^size={size} seed=\d+s?\n$", result.stderr)
            events = [json.loads(line) for line in (self.folder / "events").read_text().splitlines()]
            self.assertEqual(events[0]["mode"], "persistent")
        for words in ["test_all.py::test_pair"], ["test_all.py", "test_pair"]:
            result = self.run_in("frng-replay", sys.executable, "--hex", "ff01ff0101", "--trace", "--",
                                 "-m", "frng", *words)
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("there are 2", result.stdout)
        for words in [], ["none.py", "x"], ["test_all.py", "test_none"], ["test_all.py", "Cases"]:
            self.assertEqual(self.run_in(sys.executable, "-m", "frng", *words).returncode, 2)

    def test_frng_search_goes_on_where_runs_pass(self):
        self.need("tools", "pytest")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_all.py::test_rare"]
        result = self.run_in(*command, FRNG_SEARCH="20s")
        self.assertRegex(result.stdout, r"found by frng-search: size=1 (?:seed=\d+s?|hex=4d)\n\S* +"
                                        r"reduced by frng-reduce: size=1 hex=4d\n\S* +x = 77\n")
        self.assertRegex(self.run_in(*command).stdout, r"findings/test_rare/\S+\.json still fails: size=1 (?:seed=\d+s?|hex=4d)\n")
        shutil.rmtree(self.folder / "findings")
        self.assertIn("1 passed", self.run_in(*command).stdout)
        self.assertIn("FRNG_SEARCH=much: frng-search: exit status 2",
                      self.run_in(*command, FRNG_SEARCH="much").stdout)

    def test_pytest_sums_up_what_the_test_raised_and_shows_no_line_of_frng(self):
        self.need("tools", "pytest")
        for i, (text, summed, wanted) in enumerate(CASES):
            (self.folder / f"test_{i}.py").write_text(f"import frng, pytest\n{text}")
            is_reduced = re.search("reduced by|fails only", str(wanted)) is not None
            result = self.run_in(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"test_{i}.py",
                                 COLUMNS="200", FRNG_REDUCE=str(int(is_reduced)))
            self.assertIn(f"FAILED test_{i}.py::{summed}" if summed else "1 xfailed", result.stdout)
            for line in ["no runner.py", "no target.py", "no shown.py", *wanted]:
                self.assertNotEqual(line.startswith("no "), line.removeprefix("no ") in result.stdout,
                                    f"{line}: {result.stdout}")

    def test_parameters_have_findings_of_their_own(self):
        self.need("tools", "pytest")
        (self.folder / "test_par.py").write_text("""import frng, pytest
@pytest.mark.parametrize("n", ["a/b", "c", "d" * 300])
@frng.check
def test_it(f, n):
    if n != "a/b":
        f.u16()
    x = f.u8()
    assert n == "c" or x < 77
""")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_par.py"]
        said = self.run_in(*command).stdout
        self.assertIn("2 failed, 1 passed", said)
        for line in re.findall(r"(frng-reduce .*)", said):
            self.run_in("sh", "-c", line)
        kept = sorted(path.name for path in (self.folder / "findings").iterdir())
        self.assertEqual(len(kept), 2, kept)
        self.assertEqual(kept[0], "test_it[a%2Fb]")
        said = self.run_in(*command, FRNG_RUNS="1").stdout
        self.assertIn("2 failed, 1 passed", said)
        for name in kept:
            self.assertRegex(said, rf"{re.escape(name)}/\S+\.json still fails")
        # Those of no parameter are for all, whatever each draws.
        shutil.move(self.folder / "findings" / kept[0], self.folder / "findings" / "test_it")
        said = self.run_in(*command, FRNG_RUNS="1").stdout
        self.assertRegex(said, r"findings/test_it/\S+\.json still fails")
        self.assertIn("2 failed, 1 passed", said)

    def test_workers_of_xdist_share_a_folder_without_loss_or_false_failure(self):
        self.need("tools", "pytest", "xdist")
        (self.folder / "test_side.py").write_text("import frng, pytest\n" + "".join(
            f"@frng.check\ndef test_{kind}{i}(f):\n    assert f.u8() < {limit + i}\n"
            for kind, limit in (("bad", 77), ("good", 256)) for i in range(4)))
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "xdist", "-n", "4",
                   "test_side.py"]
        said = self.run_in(*command).stdout
        self.assertIn("4 failed, 4 passed", said)
        self.run_in("sh", "-c", "".join(f"{line} & " for line in re.findall(r"(frng-reduce .*)", said)) + "wait")
        said = self.run_in(*command, FRNG_RUNS="1").stdout
        self.assertIn("4 failed, 4 passed", said)
        for i in range(4):
            self.assertRegex(said, rf"findings/test_bad{i}/\S+\.json still fails")
            self.assertIn(f"hex={77 + i:02x}\n", said)

    def test_options_of_pytest_reach_the_processes_that_a_check_starts(self):
        """Without --limit the new process would pass; with two tests' names it would run the first."""
        self.need("tools", "pytest")
        (self.folder / "own.ini").write_text("[pytest]\npython_functions = check_*\nmarkers = own\n")
        (self.folder / "plug.py").write_text("import pytest\n@pytest.fixture\ndef plugged(): return 7\n")
        (self.folder / "pytest_timeout.py").write_text("""import frng.runner
def pytest_runtest_setup(item): assert not frng.runner.serving, "a limit of all runs together"
""")
        (self.folder / "conftest.py").write_text("""import pytest
def pytest_addoption(parser):
    parser.addoption("--limit", type=int, default=300)
@pytest.fixture
def limit(request): return request.config.getoption("--limit")
""")
        (self.folder / "test_own.py").write_text("""import frng, pytest
def check_first(pytestconfig): pytestconfig.cache.set("own/first", 1)
@frng.check
def check_before(f): f.u8()
@pytest.mark.own
@frng.check
def check_it(f, limit, plugged, pytestconfig, tmp_path):
    (tmp_path / "a").write_text("")
    assert pytestconfig.getini("python_functions") == ["check_*"] and f.u8() < limit + plugged
class CheckIt:
    def setup_method(self): self.seen = []
    @frng.check
    def check_state(self, f):
        self.seen.append(f.u8())
        assert len(self.seen) < 52
""")
        options = ["-c", "own.ini", "-pplug", "-ppytest_timeout", "-p", "no:stepwise", "--limit", "70",
                   "--strict-markers", "-o", "python_classes=Check*", "--basetemp", "temp", "--junitxml=all.xml",
                   "--lf", "--cache-clear", "-k", "test_own.py"]
        result = self.run_in(sys.executable, "-m", "pytest", "-q", "test_own.py", *options)
        self.assertIn("2 failed, 2 passed", result.stdout, result.stderr)
        self.assertRegex(result.stdout, r"reduced by frng-reduce: size=1 hex=4d\n")
        self.assertIn("fails only after 51 other runs; in a new process it passes: ", result.stdout)
        self.assertTrue((self.folder / "temp" / "check_it0" / "a").exists())
        self.assertTrue((self.folder / ".pytest_cache" / "v" / "own" / "first").exists())
        line = re.search("frng-replay .* --hex 4d .* test_own.py check_it pytest -c .*", result.stdout)[0]
        self.assertEqual(self.run_in("sh", "-c", line).returncode, 1)
        self.assertEqual(self.run_in("sh", "-c", line.replace("--hex 4d", "--hex 4c")).returncode, 0)
        others = "-c own.ini -o python_classes=Check* --ff -p plug --limit 70 test_own.py"  # each pytest reads them
        result = self.run_in(sys.executable, "-m", "pytest", "-q", PYTEST_ADDOPTS=others)
        self.assertRegex(result.stdout, r"reduced by frng-reduce: size=1 hex=4d\n")
        self.assertIn("fails only after 51 other runs; in a new process it passes: ", result.stdout)

    def test_a_finding_of_no_sensible_size_is_refused_at_once(self):
        (self.folder / "findings" / "test_rare").mkdir(parents=True)
        for size, why in ("1000000000", "over 67108864"), ("-3", "neither hex nor a size"), ("1e9", "no finding"):
            (self.folder / "findings" / "test_rare" / "a.json").write_text(
                f'{{"format": 1, "size": {size}, "seed": "7"}}')
            result = self.run_in(sys.executable, "-c", "import resource, test_all\n"
                                 "resource.setrlimit(resource.RLIMIT_CPU, (20, 20))\ntest_all.test_rare()")
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertRegex(result.stderr, rf"\Afrng: findings/test_rare/a\.json is no finding: .*{why}.*\n\Z"
                             if why != "no finding" else r"\Afrng: \S+ is no finding: .*\n\Z")

    def test_beside_the_package_is_no_module_of_python(self):
        (self.folder / "test_queue.py").write_text("import queue, frng\n@frng.check\n"
                                                   "def test_it(f):\n    queue.Queue().put(f.u8())\n")
        result = subprocess.run([sys.executable, PORT / "frng", "test_queue.py", "test_it"], input=b"1",
                                cwd=self.folder, capture_output=True, timeout=PATIENCE_S, check=False,
                                env={**os.environ, "PYTHONPATH": str(PORT)})
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_file_may_call_its_checks_as_it_is_loaded(self):
        self.need("tools")
        (self.folder / "test_calls.py").write_text("import frng\n@frng.check\ndef test_it(f):\n    assert f.u8() < 77\ntest_it()\n")
        result = self.run_in(sys.executable, "test_calls.py")
        self.assertIn("reduced by frng-reduce: size=1 hex=4d\n  u8 = 77\n", result.stderr)
        (self.folder / "test_ends.py").write_text("import frng\n@frng.check\ndef test_it(f):\n"
                                                  "    f.u8()\nraise SystemExit\n")
        result = self.run_in(sys.executable, "-m", "frng", "test_ends.py", "test_it")
        self.assertEqual(result.returncode, 2)
        self.assertIn("python -m frng: test_ends.py exits as it is loaded: ", result.stderr)

    def test_a_reduction_keeps_values_where_their_bounds_change(self):
        """By choices: the bound of a list is drawn before it."""
        self.need("tools", "pytest")
        result = self.run_in(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                             "test_all.py::test_sum", FRNG_SEED="3")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"(?s)reduced by frng-reduce: size=\d+.*bounds = 500\n.*xs = \[0, 500, 500\]"
                         r"|bounds = 334\n.*xs = \[33[234], 33[234], 33[234]\]")

    def test_pytest_replays_the_findings_of_a_test_first(self):
        self.need("tools", "pytest")
        found = self.folder / "findings" / "test_pair"
        self.run_in("frng-search", sys.executable, "--rng-seed", "7", "--attempts", "30", "--findings", found, "--",
                    PORT / "frng", "test_all.py", "test_pair")
        (name,) = [path.name for path in found.glob("*.json")]
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "pair"]
        result = self.run_in(*command, FRNG_RUNS="1", FRNG_REDUCE="0")
        self.assertIn(f"{name} still fails", result.stdout)
        self.assertIn("1 failed", result.stdout)
        shutil.move(found, self.folder / "elsewhere")
        self.assertIn("1 passed", self.run_in(*command, FRNG_RUNS="1").stdout)
        result = self.run_in(*command, FRNG_RUNS="1", FRNG_REDUCE="0", FRNG_FINDINGS="elsewhere")
        self.assertIn(f"{name} still fails", result.stdout)

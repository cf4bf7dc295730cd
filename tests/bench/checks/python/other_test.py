import datetime

from hypothesis import given, settings, stateful, strategies as st
from wrong import Cache, Ring, add_months

settings.register_profile("all", max_examples=1000, database=None, deadline=None)
settings.load_profile("all")


@given(st.lists(st.integers(0, 99)))
def test_sum(xs):
    assert sum(xs) < 500


@given(st.lists(st.integers(0, 255)))
def test_distinct(xs):
    assert len(set(xs)) == len(xs)


@given(st.text("ab'", max_size=9))
def test_quote(s):
    assert f"'{s}'"[1:].split("'")[0] == s


@given(st.integers(1800, 2200), st.integers(1, 12), st.integers(1, 31), st.integers(0, 60))
def test_dates(y, m, d, n):
    datetime.date(*add_months(y, m, d, n))


class Queue(stateful.RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.ring, self.model = Ring(), []

    @stateful.rule(x=st.integers(0, 255))
    @stateful.precondition(lambda self: len(self.model) < 8)
    def push(self, x):
        self.ring.push(x)
        self.model.append(x)

    @stateful.rule()
    @stateful.precondition(lambda self: self.model)
    def pop(self):
        assert self.ring.pop() == self.model.pop(0)


class Caches(stateful.RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.cache, self.model = Cache(), Cache(True)

    @stateful.rule(k=st.integers(0, 5), v=st.integers(0, 255))
    def put(self, k, v):
        self.cache.put(k, v)
        self.model.put(k, v)

    @stateful.rule(k=st.integers(0, 5))
    def get(self, k):
        assert self.cache.items.get(k) == self.model.items.get(k)


def test_queue():
    stateful.run_state_machine_as_test(Queue)


def test_cache():
    stateful.run_state_machine_as_test(Caches)

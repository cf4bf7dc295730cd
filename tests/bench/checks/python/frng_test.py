import datetime

import frng
from wrong import Cache, Ring, add_months


@frng.check
def test_sum(f):
    xs = f.lists(lambda: f.integers(0, 99))
    assert sum(xs) < 500


@frng.check
def test_distinct(f):
    xs = f.lists(f.u8)
    assert len(set(xs)) == len(xs)


@frng.check
def test_quote(f):
    s = f.text("ab'", 0, 9)
    assert f"'{s}'"[1:].split("'")[0] == s


@frng.check
def test_dates(f):
    y, m, d, n = f.integers(1800, 2200), f.integers(1, 12), f.integers(1, 31), f.integers(0, 60)
    datetime.date(*add_months(y, m, d, n))


class Queue(frng.Machine):
    def __init__(self):
        self.ring, self.model = Ring(), []

    @frng.rule(x=lambda f: f.u8())
    @frng.precondition(lambda self: len(self.model) < 8)
    def push(self, x):
        self.ring.push(x)
        self.model.append(x)

    @frng.rule
    @frng.precondition(lambda self: self.model)
    def pop(self, _):
        assert self.ring.pop() == self.model.pop(0)


class Caches(frng.Machine):
    def __init__(self):
        self.cache, self.model = Cache(), Cache(True)

    @frng.rule(k=lambda f: f.integers(0, 5), v=lambda f: f.u8())
    def put(self, k, v):
        self.cache.put(k, v)
        self.model.put(k, v)

    @frng.rule(k=lambda f: f.integers(0, 5))
    def get(self, k):
        assert self.cache.items.get(k) == self.model.items.get(k)


test_queue, test_cache = frng.check(Queue), frng.check(Caches)

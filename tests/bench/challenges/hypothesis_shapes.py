"""The tests of the shapes that users write (smallest.py's SHAPES) in Hypothesis, for
hypothesis_side.py: a strategy and a test that raises AssertionError each.

Steps are drawn as RuleBasedStateMachine does it, so that nearly all runs have 50; the lists of
st.lists have six items on average, in which most of these failures are hardly ever found. Indices
into what is alive are drawn by the test itself, from an object of st.data().
SPDX-License-Identifier: MIT
"""

import hypothesis.strategies as st
from hypothesis.stateful import SHOULD_CONTINUE_LABEL, STATE_MACHINE_RUN_LABEL

STEPS_MAX = 50


class Loop:
    """Up to STEPS_MAX rounds, as hypothesis.stateful draws them."""

    def __init__(self, data):
        self.data, self.rounds = data.conjecture_data, 0

    def more(self):
        if self.rounds > 0:
            self.data.stop_example()
        self.data.start_example(STATE_MACHINE_RUN_LABEL)
        goes_on = self.goes_on()
        self.rounds += 1
        if not goes_on:
            self.data.stop_example()
        return goes_on

    def goes_on(self):
        if self.rounds >= STEPS_MAX:
            self.data.draw_bits(16, forced=0)
            return False
        self.data.start_example(SHOULD_CONTINUE_LABEL)
        value = self.data.draw_bits(16)
        self.data.stop_example(discard=value > 1)
        if value > 1:
            self.data.draw_bits(16, forced=1)
        return value > 0


@st.composite
def steps(draw, step):
    loop, listed = Loop(draw(st.data())), []
    while loop.more():
        listed.append(draw(step))
    return listed


class Script:
    """Steps that a test draws while it runs, with what they drew, for its answer."""

    def __init__(self, data):
        self.data, self.loop, self.drawn = data, Loop(data), [[]]

    def more(self):
        self.drawn.append([])
        return self.loop.more()

    def draw(self, strategy):
        self.drawn[-1].append(self.data.draw(strategy))
        return self.drawn[-1][-1]

    def index(self, count):
        return self.draw(st.integers(0, count - 1))

    def __repr__(self):
        return repr(self.drawn)


SCRIPTS = st.builds(Script, st.data())


def ledger(listed):
    balance, earned = [0] * 4, [False] * 4
    for what, at, amount in listed:
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
LEDGER = steps(
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


MESSAGES = steps(
    st.tuples(st.integers(0, 3), st.binary(min_size=4, max_size=4), st.integers(0, 31))
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


STACK_MACHINE = steps(
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


def intervals(listed):
    has = set()
    for removes, start, length in listed:
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


INTERVALS = steps(st.tuples(st.integers(0, 2), st.integers(0, 99), st.integers(1, 10)))


def tree_keys(listed):
    nodes = {}
    root = None

    def find(key):
        at, parent, side = root, None, 0
        while at is not None and at != key:
            parent, side = at, int(key > at)
            at = nodes[at][side]
        return at, parent, side

    for erases, key in listed:
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


TREE_KEYS = steps(st.tuples(st.integers(0, 2), st.integers(0, 199)))

RECORDS = steps(st.tuples(st.lists(st.integers(0, 25), max_size=8), st.integers(0, 255)))


def records(some):
    for i, (key, value) in enumerate(some):
        for other, its in some[:i]:
            if len(key) == len(other) and sum(key) == sum(other) and key != other:
                assert value == its


def allocator(script):
    blocks = [[100, False]]  # units, taken
    while script.more():
        if not script.draw(st.booleans()):
            size = script.draw(st.integers(1, 64))
            row = largest = 0
            for at, (units, is_taken) in enumerate(blocks):
                row = 0 if is_taken else row + units
                largest = max(largest, row)
                if not is_taken and units >= size:
                    blocks[at : at + 1] = [[size, True]] + [[units - size, False]] * (units > size)
                    break
            else:
                assert largest < size
            continue
        taken = [at for at, block in enumerate(blocks) if block[1]]
        if taken:
            at = taken[script.index(len(taken))]
            blocks[at][1] = False
            if at > 0 and not blocks[at - 1][1]:
                blocks[at - 1][0] += blocks.pop(at)[0]


def connection(listed):
    state = [[False] * 3 for _ in range(4)]  # open, waits, stale
    for what, at, _ in listed:
        c = state[at]
        if what == 0 and not c[0]:
            c[:] = [True, False, c[1]]
        elif what == 1 and c[0]:
            c[1] = True
        elif what == 2:
            c[0] = False
        elif what == 3 and c[0]:
            assert not c[2]
            c[1] = False
        elif what == 4:
            for other in state:
                other[2] = False


CONNECTION = steps(
    st.one_of(
        *[
            st.tuples(st.just(what), st.integers(0, 3), st.integers(0, 255 if what == 1 else 0))
            for what in range(5)
        ]
    )
)


def round_up(size, align):
    return (size + align - 1) // align * align


def pair_of(a, b):
    align = max(a[1], b[1])
    return (round_up(round_up(a[0], b[1]) + b[0], align), align)


def array_of(item, length, is_wrong):
    size, align = item[0] * length, item[1]
    if is_wrong:
        align = 8
        while size % align != 0:
            align //= 2
    return (size, align)


def define(script, types):
    what = script.draw(st.integers(0, 3)) if types else 0
    if what == 0:
        size = 1 << script.draw(st.integers(0, 2))
        return ((size, size), (size, size))
    a = types[script.index(len(types))]
    if what == 1:
        length = script.draw(st.integers(1, 8))
        return (array_of(a[0], length, False), array_of(a[1], length, True))
    if what == 2:
        b = types[script.index(len(types))]
        return (pair_of(a[0], b[0]), pair_of(a[1], b[1]))
    return ((8, 8), (8, 8))


def definitions(script):
    types = []
    for _ in range(script.draw(st.integers(1, 12))):
        types.append(define(script, types))
    assert types[-1][0][0] == types[-1][1][0]


ALPHABET = "".join(chr(c) for c in range(ord(" "), ord("?") + 1))
ESCAPES = {'"': "&quot;", "<": "&lt;", ">": "&gt;"}


def escapes(text):
    is_query = False
    for c in text:
        escaped = ESCAPES.get(c)
        if escaped is not None:
            twice = escaped.replace("&", "&amp;") if is_query else escaped
            assert {value: key for key, value in ESCAPES.items()}.get(twice, "&") == c
        is_query |= c in "#?"


def floats(readings):
    for before, now in zip(readings, readings[1:]):
        assert not 0.25 <= now - before <= 0.5 or before < 10


PLAIN_CONVERSIONS = st.tuples(
    st.integers(0, 1), st.integers(0, 15), st.integers(0, 999), st.integers(0, 255)
)
NUMBER_CONVERSIONS = st.tuples(
    st.integers(2, 4), st.integers(0, 15), st.integers(0, 999), st.integers(-(2**31), 2**31 - 1)
)
FORMATS = st.lists(
    st.one_of(st.integers(0, 94), PLAIN_CONVERSIONS, NUMBER_CONVERSIONS), max_size=40
)


def formats(pieces):
    for piece in pieces:
        if isinstance(piece, int) or piece[0] != 4:
            continue
        _, flags, width, number = piece
        blanks = max(0, width - len(str(number)))
        assert flags & 1 or blanks < 10 or blanks % 10 != 5


GRAPH = st.integers(1, 8).flatmap(
    lambda n: st.tuples(
        st.just(n),
        steps(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.integers(0, 99))),
    )
)
FAR = 1000


def measure_ways(n, edges):
    far = [0] + [FAR] * (n - 1)
    for _ in range(n - 1):
        for a, b, length in edges:
            far[b] = min(far[b], far[a] + length)
    return far


def measure_ways_wrongly(n, edges):
    far, queue = [0] + [FAR] * (n - 1), [0]
    for node in queue:
        for a, b, length in edges:
            if a != node:
                continue
            if far[b] == FAR:
                queue.append(b)
                far[b] = far[a] + length
            elif a == 0 and b != 0:
                far[b] = min(far[b], length)
    return far


def graph(value):
    assert measure_ways(*value) == measure_ways_wrongly(*value)


def handles(script):
    alive, ids = [], 0  # [id, link, colour]
    while script.more():
        what = script.draw(st.integers(0, 3))
        if what == 0:
            colour = script.draw(st.integers(0, 2))
            if len(alive) < 32:
                ids += 1
                alive.append([ids, 0, colour])
            continue
        if not alive:
            continue
        at = script.index(len(alive))
        if what == 1:
            to = script.index(len(alive))
            if to != at:
                alive[at][1] = alive[to][0]
        elif what == 2:
            gone = alive.pop(at)
            for o in alive:
                if o[1] == gone[0] and o[2] != gone[2]:
                    o[1] = 0
        else:
            link = alive[at][1]
            assert link == 0 or any(o[0] == link for o in alive)


SIDES = st.integers(1, 12)
MATRIX = st.tuples(SIDES, SIDES).flatmap(
    lambda sides: st.lists(
        st.lists(st.integers(-128, 127), min_size=sides[1], max_size=sides[1]),
        min_size=sides[0],
        max_size=sides[0],
    )
)


def matrix(rows):
    for above, below in zip(rows, rows[1:]):
        for j in range(1, len(above) - 1):
            assert above[j] <= above[j + 1] or below[j] >= below[j + 1]


def orders_of(prices):
    line = st.tuples(st.integers(0, len(prices) - 1), st.integers(1, 20))
    order = st.tuples(st.integers(0, 4), st.lists(line, max_size=6))
    return st.tuples(st.just(prices), steps(order))


ORDERS = st.lists(st.integers(0, 100), min_size=1, max_size=10).flatmap(orders_of)


def orders(value):
    prices, listed = value
    for _, lines in listed:
        for i, (product, pieces) in enumerate(lines):
            for other, others in lines[:i]:
                assert product != other or prices[product] * (pieces + others) < 1000


def schedule(script):
    threads = [
        [script.draw(st.integers(1, 200)), None] for _ in range(script.draw(st.integers(1, 4)))
    ]
    version = 0
    while script.more():
        running = [thread for thread in threads if thread[0] > 0]
        if not running:
            return
        thread = running[script.index(len(running))]
        seen, thread[1] = thread[1], version if thread[1] is None else None
        if seen is None or seen % 2 != version % 2:
            continue
        assert seen == version
        version += 1
        thread[0] -= 1


@st.composite
def swarm_steps(draw):
    weights = [draw(st.integers(1, 100)) for _ in range(5)]
    which = [i for i, weight in enumerate(weights) for _ in range(weight)]
    return weights, draw(steps(st.sampled_from(which)))


def swarm(value):
    items, capacity, head, count, pushed, popped = [0] * 64, 2, 0, 0, 0, 0
    for what in value[1]:
        if what == 0 and count < capacity:
            items[(head + count) % capacity] = pushed
            count, pushed = count + 1, pushed + 1
        elif what == 1 and count > 0:
            item, head, count = items[head], (head + 1) % capacity, count - 1
            assert item == popped
            popped += 1
        elif what == 3:
            popped, head, count, capacity = pushed, 0, 0, 2
        elif what == 4 and capacity < 64:
            items[capacity : 2 * capacity] = [0] * capacity
            capacity *= 2


SHAPES = {
    "allocator": (SCRIPTS, allocator),
    "connection": (CONNECTION, connection),
    "definitions": (SCRIPTS, definitions),
    "escapes": (st.text(ALPHABET, max_size=60), escapes),
    "expression": (TREES, expression),
    "floats": (st.lists(st.floats(-100, 100), max_size=100), floats),
    "formats": (FORMATS, formats),
    "graph": (GRAPH, graph),
    "handles": (SCRIPTS, handles),
    "intervals": (INTERVALS, intervals),
    "ledger": (LEDGER, ledger),
    "matrix": (MATRIX, matrix),
    "messages": (MESSAGES, messages),
    "orders": (ORDERS, orders),
    "permutation": (PERMUTATION, permutation),
    "records": (RECORDS, records),
    "schedule": (SCRIPTS, schedule),
    "stack_machine": (STACK_MACHINE, stack_machine),
    "swarm": (swarm_steps(), swarm),
    "tree_keys": (TREE_KEYS, tree_keys),
}

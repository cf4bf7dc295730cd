#!/usr/bin/env python3
"""What test_ports.py asks of the Python port: see c/suite.c."""

import atexit
import datetime
import os
import struct
import sys
import time

import frng
from frng import seeds

INTEGERS = "u8 u16 u32 u64 i8 i16 i32 i64".split()

# ---- Answers ----


def shuffled(f, count):
    items = list(range(int(count)))
    f.shuffle(items)
    return items


def double(bits):
    return struct.unpack(">d", bytes.fromhex(bits))[0]


def taken(f, made, count):
    things = list(range(int(made)))
    return [f.take_thing(things) for _ in range(int(count))]


DRAWS = {
    "bytes": lambda f, count: f.bytes(int(count)).hex(),
    "bool": lambda f: int(f.bool()),
    **{name: lambda f, name=name: getattr(f, name)() for name in INTEGERS},
    **{f"{name}_range": lambda f, a, b, name=name: getattr(f, name)(int(a), int(b))
       for name in INTEGERS},
    "index": lambda f, count: f.index(int(count)),
    "weighted": lambda f, weights: f.weighted([int(word) for word in weights.split(",")]),
    "swarm_weights": lambda f, count: f.swarm_weights(int(count)),
    "shuffle": shuffled,
    "f64": lambda f: struct.pack(">d", f.f64()).hex(),
    "chance": lambda f, n, d: int(f.chance(int(n), int(d))),
    "pick": lambda f, count: f.pick(range(int(count))),
    **{f"{name}_mixed": lambda f, a, b, name=name: getattr(f, f"{name}_mixed")(int(a), int(b))
       for name in INTEGERS},
    "f64_any": lambda f: struct.pack(">d", f.f64_any()).hex(),
    "f64_range": lambda f, a, b: struct.pack(">d", f.f64_range(double(a), double(b))).hex(),
    "pick_weighted": lambda f, weights: f.pick_weighted([int(w) for w in weights.split(",")]),
    "swarm": lambda f, count: f.swarm(int(count)),
    "string": lambda f, alphabet, a, b: f.string(alphabet, int(a), int(b)),
    "subset": lambda f, count: sum(1 << i for i in f.subset(range(int(count)))),
    "permutation": lambda f, count: f.permutation(range(int(count))),
    "date": lambda f: f.date(),
    "date_range": lambda f, *bounds: f.date_range(*map(datetime.date.fromisoformat, bounds)),
    "depth": lambda f, left: int(f.depth(int(left))),
    "utf8": lambda f, *bounds: f.text(min_size=int(bounds[0]), max_size=int(bounds[1])).encode().hex(),
    "regex": lambda f, pattern="": f.regex(pattern).encode().hex(),
    "pool": taken,
    "more": lambda f, *arguments: int(f.more(*map(int, arguments))),
}


def answer_draw(f, name, *arguments):
    if name not in DRAWS:
        return "?"
    try:
        value = DRAWS[name](f, *arguments)
    except frng.OutOfEntropy:
        value = "-"
    except ValueError:
        value = "misuse"
    text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"{text} {f.used} {int(f.exhausted)}"


def answer():
    for line in sys.stdin:
        what, *words = line.split()
        if what == "entropy":
            f = frng.Frng(bytes.fromhex("".join(words)))
        elif what == "expand":
            print(seeds.expand(words[0], int(words[1])).hex())
        else:
            print(answer_draw(f, what, *words))


# ---- Targets ----


def calls(f):
    with open(sys.argv[2]) as source:
        all_calls = [line.split() for line in source]
    while True:
        f.step("all kinds")
        for name, *arguments in all_calls:
            f.note(name)
            if DRAWS[name](f, *arguments) == 77 and name == "u8":
                raise AssertionError("77")


def draws(f):
    for _ in range(int(sys.argv[2])):
        f.u8()


def bugs(f):
    how, previous, high = "".join(sys.argv[2:]), 255, 0
    while True:
        x = f.u8()
        if how == "exits" and x < 64:
            sys.exit(0)
        while how == "hangs" and x == 200:
            time.sleep(9)
        if x == 0 and previous == 0:
            raise AssertionError("few")
        high += x >= 128
        if high == 4:
            raise AssertionError("many")
        previous = x


runs = 0


def stateful(f):
    global runs
    f.u8()
    runs += 1
    assert runs <= 50, "too many runs"


def marks(f):
    count = 0
    while True:
        f.measure("count", count)
        x = f.u8()
        if x % 2 == 1:
            f.label("odd")
        f.say(f"byte {count} is {x}, in a line that takes two records of a trace")
        count += 1


def assumes(f):
    x = f.u8()
    if x % 2 == 1:
        f.label("odd")
    f.assume(x >= 160)
    f.u8()


def climbs(f):
    high = 0
    for _ in range(20):
        high = high + 1 if f.u8() % 32 == (high + 1) * 11 % 32 else 0
        f.maximize("high", high)
        assert high < 4, "too high"


def tree(f):
    if f.bool():
        tree(f)
        tree(f)
    else:
        f.u8(0, 9)


def places(f):
    for bound in range(2):
        f.u8(0, bound)
        f.string("ab", 2, 2)
    f.u8(0, 1)
    f.permutation(range(3))
    f.lists(lambda: f.u8(0, 1), min_size=1, max_size=1)
    tree(f)


def ends(f):
    """The program ends with 3."""
    atexit.register(os._exit, 3)
    f.u8()


TARGETS = {"ends": ends, "calls": calls, "draws": draws, "bugs": bugs, "stateful": stateful, "marks": marks,
           "climbs": climbs, "places": places, "assumes": assumes}

if __name__ == "__main__":
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    if command == "answers":
        answer()
    elif command in TARGETS:
        frng.run(TARGETS[command], fork=False if command == "ends" else None)
    else:
        print(f"suite: no such sub-command: {command}", file=sys.stderr)
        sys.exit(2)

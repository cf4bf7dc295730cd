#!/usr/bin/env python3
"""The suite of the Python port: its first argument chooses what it does.

    digests         print the digests of DIGESTS.md
    vectors FILE    compare the port with the vectors, vectors.json
    empty ...       be the target of that name
"""

import json
import struct
import sys

import frng
import frng_findings

ALL = (1 << 64) - 1
INTEGERS = "u8 u16 u32 u64 i8 i16 i32 i64".split()

# ---- Digests ----


def folded(digest, data):
    """Return an FNV-1a digest after more bytes."""
    for byte in data:
        digest = (digest ^ byte) * 0x100000001B3 & ALL
    return digest


def range_of(a, b, name):
    """The bounds of a draw of a type, from two numbers."""
    bits = int(name[1:])
    top = (1 << bits) - 1
    span = (a >> 8 & 15, a >> 8 & top, top, (1 << (a >> 8) % bits) - 1 + (a >> 16 & 1))[a % 4]
    low = min(b & top, top - span) - ((top + 1) // 2 if name[0] == "i" else 0)
    return low, low + span


def draw_weighted(f, a, b):
    weights = [(b >> 8 * j & 255) + (j == 0) for j in range(1 + (a & 7))]
    return [f.weighted(weights)]


def draw_shuffled(f, a, _):
    items = list(range(a & 7))
    f.shuffle(items)
    return items


def draw_chance(f, a, b):
    denominator = 1 + (a & 65535)
    return [f.chance(b % (denominator + 1), denominator)]


KINDS = {
    "bytes": lambda f, a, b: list(f.bytes(a & 15)),
    "bool": lambda f, a, b: [f.bool()],
    **{name: lambda f, a, b, name=name: [getattr(f, name)()] for name in INTEGERS},
    **{f"{name}_range": lambda f, a, b, name=name: [getattr(f, name)(*range_of(a, b, name))]
       for name in INTEGERS},
    "index": lambda f, a, b: [f.index(1 + (a >> 33 + b % 31))],
    "weighted": draw_weighted,
    "swarm_weights": lambda f, a, b: f.swarm_weights(1 + (a & 7)),
    "shuffle": draw_shuffled,
    "f64": lambda f, a, b: struct.unpack("<Q", struct.pack("<d", f.f64())),
    "chance": draw_chance,
}


def digest_of_kind(number, draw):
    f = frng.Frng(frng_findings.expand(str(100 + number), 400000))
    bounds = struct.unpack("<20000Q", frng_findings.expand(str(200 + number), 160000))
    digest = 0xCBF29CE484222325
    for a, b in zip(bounds[::2], bounds[1::2]):
        for value in draw(f, a, b):
            digest = folded(digest, (value & ALL).to_bytes(8, "little"))
    return folded(digest, f.used.to_bytes(8, "little"))


def print_digests():
    for number, (name, draw) in enumerate(KINDS.items()):
        print(f"{name} {digest_of_kind(number, draw):016x}")
    for name, style in ("expand", ""), ("expand_styled", "s"):
        digest = 0xCBF29CE484222325
        for seed in range(300):
            digest = folded(digest, frng_findings.expand(f"{seed}{style}", 1003))
        print(f"{name} {digest:016x}")


# ---- Vectors ----


def shuffled(f, count):
    items = list(range(int(count)))
    try:
        f.shuffle(items)
    except frng.OutOfEntropy:
        pass  # the order so far is one, too
    return items


def numbers(text):
    return [int(word) for word in text.split(",")]


DRAWS = {
    "bytes": lambda f, count: f.bytes(int(count)).hex(),
    "bool": lambda f: int(f.bool()),
    **{name: lambda f, name=name: getattr(f, name)() for name in INTEGERS},
    **{f"{name}_range": lambda f, a, b, name=name: getattr(f, name)(int(a), int(b))
       for name in INTEGERS},
    "index": lambda f, count: f.index(int(count)),
    "weighted": lambda f, weights: f.weighted(numbers(weights)),
    "swarm_weights": lambda f, count: f.swarm_weights(int(count)),
    "shuffle": shuffled,
    "f64": lambda f: struct.pack(">d", f.f64()).hex(),
    "chance": lambda f, n, d: int(f.chance(int(n), int(d))),
    "pick": lambda f, count: f.pick(range(int(count))),
    "more": lambda f, *arguments: int(f.more(*map(int, arguments))),
}


def difference(f, call):
    """What a draw does otherwise than a vector says, or None."""
    try:
        value = DRAWS[call["draw"]](f, *call["arguments"])
        text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    except frng.OutOfEntropy:
        text = call["value"]  # it has none; those of C are 0
    seen = {"value": text, "used": f.used, "exhausted": f.exhausted}
    return None if seen.items() <= call.items() else f"{call}: here {seen}"


def check_vectors(path):
    with open(path) as source:
        vectors = json.load(source)
    checked = 0
    for vector in vectors["draws"]:
        if not all(call["draw"] in DRAWS for call in vector["calls"]):
            continue
        f = frng.Frng(bytes.fromhex(vector["entropy"]))
        for call in vector["calls"]:
            wrong = difference(f, call)
            if wrong is not None:
                sys.exit(f"{vector['entropy']}: {wrong}")
        checked += 1
    for vector in vectors["expansions"]:
        expanded = frng_findings.expand(vector["seed"], vector["size"]).hex()
        if expanded != vector["bytes"]:
            sys.exit(f"{vector['seed']} expands to {expanded}, not {vector['bytes']}")
        checked += 1
    print(f"{checked} vectors")


# ---- Targets ----


def empty(_):
    pass


def draws(f):
    for _ in range(int(sys.argv[2])):
        f.u8()


def fails(f):
    f.bool()
    raise AssertionError("always")


def two_bugs(f):
    previous, high = 255, 0
    while True:
        x = f.u8()
        if x == 0 and previous == 0:
            raise AssertionError("few")
        high += x >= 128
        if high == 4:
            raise AssertionError("many")
        previous = x


def draw_a_lie(f):
    """Return a draw of 0..9 by % 10, which its record does not say."""
    start, records, f._records = f.used, f._records, False
    value = f.u8() % 10
    f._records = records
    f._add(frng.UINT, start, 1, 0, 9, value, 0)
    return value


def liar(f):
    while True:
        f.step("step")
        if f.bool() and draw_a_lie(f) == 7:
            raise AssertionError("seven")


runs = 0


def stateful(f):
    global runs
    f.u8()
    runs += 1
    assert runs <= 50, "too many runs"


def exits(f):
    previous = 0
    while True:
        x = f.u8()
        if x < 64:
            sys.exit(0)
        assert x <= 250 or previous <= 250, "two large ones"
        previous = x


def hangs(f):
    while True:
        x = f.u8()
        while x == 200:
            pass


def kinds(f):
    def named(name):
        f.note(name)
        return f

    while True:
        f.step("all kinds")
        named("bytes").bytes(3)
        named("bool").bool()
        if named("u8").u8() == 77:
            raise AssertionError("77")
        for name in INTEGERS[1:]:
            getattr(named(name), name)()
        named("u8_range").u8(3, 12)
        named("u16_range").u16(3, 1002)
        named("u32_range").u32(3, 100002)
        named("u64_range").u64(3, 10000000002)
        named("i8_range").i8(-5, 5)
        named("i16_range").i16(-500, 500)
        named("i32_range").i32(-50000, 50000)
        named("i64_range").i64(-5000000000, 5000000000)
        named("index").index(10)
        named("weighted").weighted([3, 0, 1])
        named("swarm_weights").swarm_weights(2)
        named("shuffle").shuffle([0, 1, 2])
        named("f64").f64()
        named("chance").chance(1, 8)
        named("pick").pick([2, 3, 5, 7])
        named("more").more(1, 0, 3)


TARGETS = {
    "empty": empty, "draws": draws, "fails": fails, "two-bugs": two_bugs, "liar": liar,
    "stateful": stateful, "exits": exits, "hangs": hangs, "kinds": kinds,
}

if __name__ == "__main__":
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    if command == "digests":
        print_digests()
    elif command == "vectors":
        check_vectors(sys.argv[2])
    elif command in TARGETS:
        frng.main(TARGETS[command], fork=sys.argv[-1] == "fork")
    else:
        sys.exit(f"suite: no such sub-command: {command}")

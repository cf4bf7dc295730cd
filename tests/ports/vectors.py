#!/usr/bin/env python3
"""The draws and expansions that every port must make, as C makes them.

    vectors.py SUITE                 print frng/vectors.json, with the answers of the suite of C
    vectors.py SUITE vectors.json    check that it is that file

Each draw is made from entropy of several kinds: random, styled, zeros, ones, and the random one cut
at each place within the first draw, where it fails, and fails again; and from numbers beside those
that bounded draws reject. test_ports.py asks every port for these and for `random_vectors`.
"""
import json
import pathlib
import random
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from frng import expand

WIDTHS = {"u8": 1, "u16": 2, "u32": 4, "u64": 8, "i8": 1, "i16": 2, "i32": 4, "i64": 8}


def bits_of(double):
    return struct.unpack("<Q", struct.pack("<d", double))[0]


# ---- Vectors: entropy, and the calls that follow each other on it ----

F64_0, F64_1, F64_MINUS_1 = "0000000000000000", "3ff0000000000000", "bff0000000000000"
F64_TENTH, F64_MINUS_TENTH = "3fb999999999999a", "bfb999999999999a"
F64_MAX, F64_MINUS_MAX, F64_LEAST = "7fefffffffffffff", "ffefffffffffffff", "0000000000000001"
LETTERS = 4 * "abcdefghijklmnopqrstuvwxyz012345"

# Draws that each port has, as DRAW: ARGUMENTS; ARGUMENTS ..., or DRAW DRAW ... without arguments.
REQUIRED_CALLS = """
bytes: 0; 1; 7
bool u8 u16 u32 u64 i8 i16 i32 i64
u8_range: 0 9; 5 5; 0 255; 200 255; 0 127; 0 128
u16_range: 0 999; 1 65535
u32_range: 0 10; 7 4294967295; 0 2147483648
u64_range: 0 99; 1 18446744073709551615; 0 9223372036854775808; 10000000000 10000000006
i8_range: -128 127; -5 5; -128 -1
i16_range: -1000 1000; -32768 32767
i32_range: -7 3; -2147483648 2147483646
i64_range: -9223372036854775808 9223372036854775807; -9223372036854775808 0; -3 3000000000
index: 1; 10; 1000000007
weighted: 1; 3,0,1; 0,0,4294967295,4294967295
swarm_weights: 0; 2
shuffle: 1; 3; 4
f64
chance: 0 1; 1 1; 1 8; 2 3; 4294967294 4294967295
pick: 1; 6; 256; 257; 65536; 70000
more: 0 0 10; 0 1 3; 3 0 3; 5 0 1000000
"""
# Draws that a port can lack.
OTHER_CALLS = f"""
pick_weighted: 1; 3,0,1; 100,100,57
swarm: 3
string: abc 0 5; ab 2 2; {LETTERS} 0 3; {LETTERS}Z 0 3
u8_mixed: 0 255
u16_mixed: 3 1000
u32_mixed: 0 4294967295
u64_mixed: 0 18446744073709551615
i8_mixed: -128 127
i16_mixed: -3 1000
i32_mixed: 5 70000
i64_mixed: -9223372036854775808 9223372036854775807; -70000 -5
f64_any
f64_range: {F64_0} {F64_1}; {F64_MINUS_1} {F64_TENTH}
f64_range: {F64_MINUS_MAX} {F64_MAX}; {F64_0} {F64_LEAST}
subset: 1; 10; 64
permutation: 1; 5
date
"""
# Arguments that make no sense.
MISUSED_CALLS = f"""
u8_range: 3 2
i64_range: 3 -2
index: 0
pick: 0
weighted: 0; 0,0
chance: 2 1; 0 0
more: 0 3 2
i8_mixed: 1 0
pick_weighted: 0,0
string: ab 3 2
subset: 65
f64_range: {F64_0} 7ff0000000000000
"""
MIXTURE = ["bool", "u8_range 0 9", "u32", "bytes 3", "i16_range -5 300", "pick 3", "weighted 1,2",
           "u64_range 0 99", "chance 1 3", "more 1 0 4", "f64", "i8"]
# One of each kind, for traces, with bounds that are not round.
TRACED_CALLS = ["bytes 3", "bool", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64",
                "u8_range 3 12", "u16_range 3 1002", "u32_range 3 100002",
                "u64_range 3 10000000002", "i8_range -5 5", "i16_range -500 500",
                "i32_range -50000 50000", "i64_range -5000000000 5000000000", "index 10",
                "weighted 3,0,1", "swarm_weights 2", "shuffle 3", "f64", "chance 1 8", "pick 4",
                "more 1 0 3",
                "pick_weighted 0,300,1", "swarm 2", "string abcd 4 5", "u16_mixed 5 70",
                "i32_mixed -5 100", "f64_any", f"f64_range {F64_0} {F64_1}", "subset 9",
                "permutation 3", "date"]

# Draws of a number from 0 to MOST, of WIDTH bytes, some of which are rejected. Numbers from EDGE on
# mean something else than those below, if it is not 0.
BOUNDED_CALLS = [
    ("u8_range 0 10", 1, 10, 0),
    ("u8_range 100 254", 1, 154, 0),
    ("i8_range -100 100", 1, 200, 100),
    ("u16_range 0 999", 2, 999, 0),
    ("i16_range -32768 32766", 2, 65534, 0),
    ("u32_range 0 10", 4, 10, 0),
    ("i32_range -7 3", 4, 10, 7),
    ("u32_range 0 3221225471", 4, 3221225471, 0),
    ("u64_range 0 99", 8, 99, 0),
    ("u64_range 0 13835058055282163711", 8, 13835058055282163711, 0),
    ("i64_range -9223372036854775808 0", 8, 1 << 63, 0),
    ("index 1000000007", 8, 1000000006, 0),
    ("weighted 1,1,1", 8, 2, 0),
    ("weighted 0,5,7,0", 8, 11, 5),
    ("swarm_weights 1", 4, 99, 0),
    ("chance 2 3", 4, 2, 0),
    ("chance 1000 60000", 4, 59999, 1000),
    ("pick 6", 1, 5, 0),
    ("pick 257", 2, 256, 0),
    ("pick 70000", 4, 69999, 0),
    ("more 0 1 3", 1, 254, 85),
    ("more 1 1 3", 1, 254, 85),
    ("more 1 0 30", 1, 254, 15),
    ("more 1 0 32", 1, 254, 15),
    ("pick_weighted 3,0,4", 1, 6, 3),
    (f"f64_range {F64_MINUS_TENTH} {F64_1}", 8, 4953959590107546, 900719925474100),
    (f"f64_range {F64_MINUS_1} {F64_TENTH}", 8, 4953959590107546, 900719925474099),
    ("date", 4, 3652058, 2921939),
]
EXACT_CALLS = [
    # ranks on both sides of the last one that both signs have
    ("i16_mixed -3 1000", "4700474047804780"),
    ("i8_mixed -128 5", "80008020804080608080"),
    # the first bytes of doubles: counts of bits, fractions
    *(("f64_any", entropy) for entropy in
      ("355a5a5a5a5a5a5a5a", "365a5a5a5a5a5a5a5a", "37", "3f5a5a5a5a5a5a5a5a", "400f", "4110",
       "5f5a5a5a5a1f", "6000", "7f5a5a5a5aff", "80e07f0000000000ff")),
    # weights that are all 0
    ("swarm 3", "20406000"),
]


def calls_of(text):
    """The calls of "DRAW: ARGUMENTS; ARGUMENTS", a draw a line."""
    for line in text.strip().splitlines():
        name, _, arguments = line.partition(": ")
        yield from (f"{name} {words}" for words in arguments.split("; ")) if arguments else name.split()


# A plan is entropy, calls in turn until one fails, the call after that, which fails too, and calls
# for each entropy that ends within the first call.


def plans_of(calls, last, seed):
    for filler in b"\0", b"\xff":
        yield filler * 24, calls * 2, last, None
    yield expand(f"{seed}s", 30), calls * 3, last, None
    yield expand(seed, 64), calls * 3, last, calls


def beside_rejected(call, width, most, edge):
    """The lowest values of a bounded draw, those beside its edge, and the highest: from the least
    numbers that mean them, each after the one below, which is rejected or means the value before.
    """
    top = 1 << 8 * width
    edges = [edge - 1, edge, edge + 1] if edge else []
    entropy = b""
    for value in 0, 1, 2, *edges, most - 2, most - 1, most:
        number = -(-(value * top + top % (most + 1)) // (most + 1))
        entropy += ((number - 1) % top).to_bytes(width, "little") + number.to_bytes(width, "little")
    return entropy, [call] * 18, call, None


def doubles_near(special):
    """Doubles near powers of two and special ones, one step or some steps away."""
    entropy = b""
    for how in range(8):
        number = (special + how) % 3 + 1 | special << 2 | 5 << 16 | how << 21 | special % 2 << 63
        entropy += b"\x80" + number.to_bytes(8, "little")
    return entropy, ["f64_any"] * 8, "f64_any", None


def all_plans():
    for i, call in enumerate(calls_of(REQUIRED_CALLS)):
        yield from plans_of([call], "bool", 1000 + i)
    for i, call in enumerate(calls_of(OTHER_CALLS)):  # a port without them skips their vectors
        yield from plans_of([call], call, 2000 + i)
    for seed in range(4):
        yield from plans_of(MIXTURE, "bool", seed)
    yield from (beside_rejected(*bounded) for bounded in BOUNDED_CALLS)
    yield from map(doubles_near, range(8))
    yield from ((bytes.fromhex(entropy), [call] * 5, call, None) for call, entropy in EXACT_CALLS)


def carried_out(suite, plans):
    """The vector of each plan, and how many bytes its first call took, 0 if it failed."""
    found = iter(asked(suite, questions([plan[:2] for plan in plans], [])))
    for entropy, calls, last, _ in plans:
        ends = [next(found).rsplit(" ", 2)[1:] for _ in calls]
        passed = sum(exhausted == "0" for _, exhausted in ends)
        kept = calls if passed == len(calls) else calls[:passed + 1] + [last]
        yield (entropy, kept), int(ends[0][0]) if passed > 0 else 0


def all_vectors(suite):
    plans = list(all_plans())
    for (entropy, _, last, cut_calls), (vector, first) in zip(plans, carried_out(suite, plans)):
        yield vector
        if cut_calls is not None:
            cut = [(entropy[:size], cut_calls, last, None) for size in range(first)]
            yield from (vector for vector, _ in carried_out(suite, cut))


def all_expansions():
    for seed in range(60):
        yield from ((seed, 1 + seed), (f"{seed}s", 64))
    for i, size in enumerate((0, 1, 7, 8, 9, 20, 64)):
        yield from ((5, size), ("39s", size))
        for seed in (1 << 64) - 1, 1 << 63, 3149150492377596932:
            yield f"{seed}{'s' * (i % 2)}", size


# ---- Random draws: as many as one likes ----


def random_range(r, kind):
    bits = 8 * WIDTHS[kind]
    top = (1 << bits) - 1
    span = r.choice((r.randrange(16), r.getrandbits(bits), top,
                     (1 << r.randrange(bits)) - r.randrange(2)))
    low = min(r.getrandbits(bits), top - span) - (1 << bits - 1 if kind[0] == "i" else 0)
    return f"{low} {low + span}"


def random_call(r, name):
    kind, _, how = name.partition("_")
    if kind in WIDTHS:
        return f"{name} {random_range(r, kind)}" if how else name
    return name + {
        "bytes": lambda: f" {r.randrange(16)}",
        "index": lambda: f" {1 + (r.getrandbits(64) >> 33 + r.randrange(31))}",
        "pick": lambda: f" {1 + (r.getrandbits(16) >> r.randrange(16))}",
        "weighted": lambda: f" 1{''.join(f',{r.randrange(256)}' for _ in range(r.randrange(8)))}",
        "pick_weighted": lambda: f" 0,{1 + (r.getrandbits(32) >> r.randrange(32)) // 2},1",
        "swarm_weights": lambda: f" {r.randrange(1, 9)}",
        "swarm": lambda: f" {r.randrange(1, 9)}",
        "shuffle": lambda: f" {r.randrange(8)}",
        "permutation": lambda: f" {r.randrange(1, 9)}",
        "subset": lambda: f" {r.randrange(1, 65)}",
        "chance": lambda: " %d %d" % ((d := r.randrange(1, 65536)) and r.randrange(d + 1), d),
        "more": lambda: " %d %d %d" % (r.randrange(6), *sorted(r.choices(range(9), k=2))),
        "string": lambda: " abcdefgh %d %d" % ((low := r.randrange(3)), low + r.randrange(9)),
        "f64_range": lambda: f" {F64_MINUS_1} {bits_of(r.random()):016x}",
    }.get(name, str)()


def names_in(text):
    return list(dict.fromkeys(call.split()[0] for call in calls_of(text)))


def random_vectors(seed, of_each=300):
    """Vectors of `of_each` draws of each kind, 15 in one."""
    r = random.Random(seed)
    for name in names_in(REQUIRED_CALLS) + names_in(OTHER_CALLS):
        for _ in range(of_each // 15):
            yield r.randbytes(15 * 40), [random_call(r, name) for _ in range(15)]


def random_expansions(seed):
    r = random.Random(seed)
    for _ in range(60):
        yield from ((f"{r.getrandbits(64)}{style}", r.randrange(1003)) for style in ("", "s"))


# ---- Questions and answers, as c/suite.c describes them ----


def questions(vectors, expansions):
    lines = []
    for entropy, calls in vectors:
        lines += [f"entropy {entropy.hex()}", *calls]
    return lines + [f"expand {seed} {size}" for seed, size in expansions]


def asked(suite, lines):
    """The lines that a suite answers."""
    return subprocess.run([suite, "answers"], input="\n".join(lines) + "\n", stdout=subprocess.PIPE,
                          text=True, check=True).stdout.splitlines()


def is_right(answer, wanted):
    """The values of draws that failed can differ."""
    return answer == wanted or wanted.endswith(" 1") and answer.split(" ")[1:] == wanted.split(" ")[1:]


def as_json(vectors, expansions, found):
    """The text of vectors.json, from the answers to its questions."""
    found, lines = iter(found), []
    for entropy, calls in vectors:
        made_calls = []
        for call in calls:
            name, *arguments = call.split()
            value, used, exhausted = next(found).split(" ")
            made_calls.append({"draw": name, "arguments": arguments, "value": value,
                               "used": int(used), "exhausted": exhausted == "1"})
        lines.append(json.dumps({"entropy": entropy.hex(), "calls": made_calls}))
    expanded = [json.dumps({"seed": str(seed), "size": size, "bytes": next(found)})
                for seed, size in expansions]
    return ('{"version": 1, "draws": [\n' + ",\n".join(lines) + '\n], "expansions": [\n' +
            ",\n".join(expanded) + "\n]}\n")


def main():
    suite, *files = sys.argv[1:]
    vectors, expansions = list(all_vectors(suite)), list(all_expansions())
    text = as_json(vectors, expansions, asked(suite, questions(vectors, expansions)))
    if not files:
        print(text, end="")
        return
    assert text == pathlib.Path(files[0]).read_text(encoding="utf-8"), f"{files[0]} differs"
    print(f"{len(vectors)} vectors and {len(expansions)} expansions agree")


if __name__ == "__main__":
    main()

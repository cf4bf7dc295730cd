#!/usr/bin/env python3
"""The draws and expansions that every port must make, as C makes them.

    vectors.py SUITE vectors.json           check that the suite of C answers as it says
    vectors.py SUITE vectors.json CALL...   print it with the answers of the suite, and with vectors
                                            of more calls, such as "date" or "pick 6"

The file has entropy of several kinds for each draw: random, styled, zeros, ones, and the random one
cut at each place within the first draw, where it fails, and fails again; and numbers beside those
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


F64_0, F64_1, F64_MINUS_1 = "0000000000000000", "3ff0000000000000", "bff0000000000000"

# Draws that each port has, and those that it can lack.
REQUIRED = """bytes bool u8 u16 u32 u64 i8 i16 i32 i64 u8_range u16_range u32_range u64_range i8_range
    i16_range i32_range i64_range index weighted swarm_weights shuffle f64 chance pick more""".split()
OTHER = """pick_weighted swarm string u8_mixed u16_mixed u32_mixed u64_mixed i8_mixed i16_mixed
    i32_mixed i64_mixed f64_any f64_range subset permutation date date_range depth utf8 regex pool""".split()
# Patterns, of which each has what others lack.
PATTERNS = ["[a-z]+(-[0-9]{2})?", r"^(é|\d|[^a-zA-Z0-9]){2,}$", "(ab|c(d|e)*|)x?", r"\D\W\S{1,3}.",
            r"[]\-^a-c][\w.-]?\n\t\r", r"(?:[\n-~]*?|é{2}|){1,2}"]
# Arguments that make no sense.
MISUSED_CALLS = ["u8_range 3 2", "i64_range 3 -2", "index 0", "pick 0", "weighted 0", "weighted 0,0",
                 "chance 2 1", "chance 0 0", "more 0 3 2", "i8_mixed 1 0", "pick_weighted 0,0",
                 "string ab 3 2", "utf8 3 2", "regex (a", "regex a)", "regex [z-a]", "regex [^]",
                 r"regex \q", "regex a**", "regex a{3,2}", "regex (?=a)",
                 "regex (()|(a{0})){2}", "regex ((){9999}){9999}", "regex ((a{9999}){7}){0}", "pool 0 1", "subset 65", "date_range 2000-01-01 1999-12-31", f"f64_range {F64_0} 7ff0000000000000"]
NEGATIVE_CALLS = ["bytes -1", "more -1 0 2", "more 0 -2 3"]
# One of each kind, for traces, with bounds that are not round.
TRACED_CALLS = ["bytes 3", "bool", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64",
                "u8_range 3 12", "u16_range 3 1002", "u32_range 3 100002",
                "u64_range 3 10000000002", "i8_range -5 5", "i16_range -500 500",
                "i32_range -50000 50000", "i64_range -5000000000 5000000000", "index 10",
                "weighted 3,0,1", "swarm_weights 2", "shuffle 3", "f64", "chance 1 8", "pick 4",
                "more 1 0 3",
                "pick_weighted 0,300,1", "swarm 2", "string abcd 4 5", "u16_mixed 5 70",
                "i32_mixed -5 100", "f64_any", f"f64_range {F64_0} {F64_1}", "subset 9",
                "permutation 3", "depth 1", "utf8 2 5", "regex [a-c]+(-[0-9]{2})?", "pool 5 2", "date", "date_range 1970-01-01 2038-01-19"]


def read(file):
    """The vectors, as entropy and calls, the expansions, and the answers of a file."""
    golden = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
    vectors = [(bytes.fromhex(vector["entropy"]),
                [" ".join([call["draw"], *call["arguments"]]) for call in vector["calls"]])
               for vector in golden["draws"]]
    answers = [f"{call['value']} {call['used']} {int(call['exhausted'])}"
               for vector in golden["draws"] for call in vector["calls"]]
    return (vectors, [(e["seed"], e["size"]) for e in golden["expansions"]],
            answers + [e["bytes"] for e in golden["expansions"]])


def vectors_of(call):
    """Vectors of a new call, which takes at most 9 bytes; another one of it follows."""
    for filler in b"\0", b"\xff":
        yield filler * 24, [call] * 2
    yield expand("1s", 30), [call] * 3
    yield from ((expand(1, size), [call] * 2) for size in range(20))


# ---- Random draws: as many as one likes ----


def random_range(r, kind):
    bits = 8 * WIDTHS[kind]
    top = (1 << bits) - 1
    span = r.choice((r.randrange(16), r.getrandbits(bits), top,
                     (1 << r.randrange(bits)) - r.randrange(2)))
    low = min(r.getrandbits(bits), top - span) - (1 << bits - 1 if kind[0] == "i" else 0)
    return f"{low} {low + span}"


def random_day(r):
    return f"{r.randrange(1, 10000):04}-{r.randrange(1, 13):02}-{r.randrange(1, 29):02}"


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
        "pool": lambda: " %d %d" % ((made := r.randrange(1, 9)), r.randrange(made + 1)),
        "depth": lambda: f" {r.randrange(3)}",
        "utf8": lambda: " %d %d" % ((low := r.randrange(3)), low + r.randrange(9)),
        "regex": lambda: f" {r.choice(PATTERNS)}",
        "string": lambda: " abcdefgh %d %d" % ((low := r.randrange(3)), low + r.randrange(9)),
        "date_range": lambda: " %s %s" % tuple(sorted(random_day(r) for _ in range(2))),
        "f64_range": lambda: f" {F64_MINUS_1} {bits_of(r.random()):016x}",
    }.get(name, str)()


def random_vectors(seed, of_each=300):
    """Vectors of `of_each` draws of each kind, 15 in one."""
    r = random.Random(seed)
    for name in REQUIRED + OTHER:
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


def as_json(vectors, expansions, found, checks):
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
            ",\n".join(expanded) + '\n], "checks": [\n' + ",\n".join(map(json.dumps, checks)) + "\n]}\n")


def main():
    suite, file, *calls = sys.argv[1:]
    vectors, expansions, answers = read(file)
    vectors += [vector for call in calls for vector in vectors_of(call)]
    found = asked(suite, questions(vectors, expansions))
    if calls:
        checks = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))["checks"]
        print(as_json(vectors, expansions, found, checks), end="")
        return
    assert found == answers, f"{file} differs"
    print(f"{len(vectors)} vectors and {len(expansions)} expansions agree")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The draws and expansions that every port must make, by DRAWS.md alone.

    vectors.py SUITE                 print frng/vectors.json, with the answers of the suite of C
    vectors.py SUITE vectors.json    check that it is that file, and that the answers of C and the
                                     records of its draws are those of the implementation below

Each draw is made from entropy of several kinds: random, styled, zeros, ones, and the random one cut
at each place within the first draw, where it fails, and fails again; and from numbers beside those
that bounded draws reject. test_ports.py asks every port for these and for `random_vectors`.
"""
import datetime
import fractions
import json
import pathlib
import random
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from frng import expand

WIDTHS = {"u8": 1, "u16": 2, "u32": 4, "u64": 8, "i8": 1, "i16": 2, "i32": 4, "i64": 8}


class OutOfEntropy(Exception):
    """A draw has failed."""


def fit(most):
    return 1 if most < 1 << 8 else 2 if most < 1 << 16 else 4 if most < 1 << 32 else 8


def index_of(weights, left):
    index = 0
    while left >= weights[index]:
        left -= weights[index]
        index += 1
    return index


def zigzag(least, most, rank):
    if least > 0:
        return least + rank
    if most < 0:
        return most - rank
    both = min(-least, most)
    if rank > 2 * both:
        return rank - both if most > -least else both - rank
    return rank // 2 + 1 if rank % 2 == 1 else -(rank // 2)


def near(x):
    power = (0, 1, 1022, 1023, 1024, 1076, 2046, 2047)[x >> 2 & 7] if x & 3 else x >> 5 & 2047
    bits, steps, how = power << 52, x >> 16 & 31, x >> 21 & 7
    if how & 3 == 1:
        bits += 1
    if how & 3 == 2 and bits > 0:
        bits -= 1
    if how == 3:
        bits += steps
    if how == 7:
        bits = max(0, bits - steps)
    if bits > 2047 << 52:
        bits = 4095 << 51
    return bits | x & 1 << 63


def bits_of(double):
    return struct.unpack("<Q", struct.pack("<d", double))[0]


def double_of(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


class Generator:
    """The draws by their names. Doubles are their bits."""

    def __init__(self, entropy):
        self.entropy, self.used, self.exhausted = entropy, 0, False
        self.start, self.records = 0, []

    # ---- Numbers ----

    def take(self, count):
        if count > len(self.entropy) - self.used:
            raise OutOfEntropy
        self.used += count
        return self.entropy[self.used - count:self.used]

    def number(self, width):
        return int.from_bytes(self.take(width), "little")

    def bounded(self, width, most):
        top = (1 << 8 * width) - 1
        if most == top:
            return self.number(width)
        threshold = (top + 1) % (most + 1)
        while True:
            product = self.number(width) * (most + 1)
            if product & top >= threshold:
                return product >> 8 * width

    def alone(self, draw, *arguments):
        """A draw that draws nothing if it fails."""
        start = self.start = self.used
        try:
            return draw(*arguments)
        except OutOfEntropy:
            self.used, self.exhausted = start, True
            self.entropy = self.entropy[:start]
            raise

    def record(self, kind, width, *numbers):
        """Record a draw, and return its value."""
        start, taken = self.start, self.used - self.start
        self.records.append((start, taken, kind, width, *(n % (1 << 64) for n in numbers)))
        return numbers[-1]

    def any_number(self, kind):
        half = 1 << 8 * WIDTHS[kind] - 1
        return self.number_in(kind, *((-half, half - 1) if kind[0] == "i" else (0, 2 * half - 1)))

    def number_in(self, kind, least, most):
        width = WIDTHS[kind]
        if most - least == (1 << 8 * width) - 1:
            value = self.alone(self.number, width)
            value -= 1 << 8 * width if value > most else 0
        else:
            value = least + self.alone(self.bounded, width, most - least)
        return self.record(3 if kind[0] == "i" else 2, width, least, most, value)

    def below(self, kind, width, count):
        return self.record(kind, width, 0, count - 1, self.alone(self.bounded, width, count - 1))

    # ---- Draws that each port has ----

    def bytes(self, count):
        taken = self.alone(self.take, count)
        self.record(0, 1, 0, count, 0)
        return taken

    def bool(self):
        return self.record(1, 1, 0, 1, self.alone(self.number, 1) & 1)

    def index(self, count):
        return self.below(4, 8, count)

    def weighted(self, weights):
        return index_of(weights, self.below(5, 8, sum(weights)))

    def swarm_weights(self, count):
        return [self.number_in("u32", 1, 100) for _ in range(count)]

    def shuffle(self, count):
        items = list(range(count))
        for i in range(count - 1):
            j = i + self.index(count - i)
            items[i], items[j] = items[j], items[i]
        return items

    def f64(self):
        number = self.record(6, 8, 0, (1 << 64) - 1, self.alone(self.number, 8))
        return bits_of((number >> 11) / 2 ** 53)

    def chance(self, numerator, denominator):
        value = int(self.alone(self.bounded, 4, denominator - 1) < numerator)
        return self.record(7, 4, numerator, denominator, value)

    def pick(self, count):
        return self.below(4, fit(count - 1), count)

    def next(self, letters, count, least, most):
        """The letter, the width, and how it was chosen."""
        width = 1 if letters <= 128 else 2
        half = (most - least) // 2 if most > least else 16
        mean = half + 1 if half < 16 else 16
        share = (1 << 8 * width) * mean // (letters * (mean + 1))
        end = share * letters // mean
        how = end | share << 16 | (1 << 32 if count >= most else 1 << 33 if count < least else 0)
        while True:
            x = self.bounded(width, end + share * letters - 1)
            if count >= least or x >= end:
                letter = 0 if count >= most or x < end else 1 + (x - end) // share
                return letter, width, how

    def more(self, count, least, most):
        value, _, how = self.alone(self.next, 1, count, least, most)
        return self.record(8, 1, how, 1, value)

    # ---- Draws that a port can have ----

    def pick_weighted(self, weights):
        return index_of(weights, self.below(5, fit(sum(weights) - 1), sum(weights)))

    def swarm(self, count):
        weights = [(1, 0, 0, 0, 1, 2, 4, 8)[self.number_in("u8", 0, 7)] for _ in range(count)]
        return weights if any(weights) else [1] * count

    def string(self, alphabet, least, most):
        text = ""
        while True:
            letter, width, how = self.alone(self.next, len(alphabet), len(text), least, most)
            added = alphabet[letter - 1] if letter > 0 else ""
            value = letter | (ord(added) << 32 if added else 0)
            self.record(9, width, how, len(alphabet), value)
            if not added:
                return text
            text += added

    def of_bits(self, bits, most):
        low = 1 << bits - 1 if bits else 0
        span = min(most - low, low - 1) if bits else 0
        return low + (self.bounded(fit(span), span) if span > 0 else 0)

    def mixed(self, kind, least, most):
        def draw():
            bits = self.bounded(1, (most - least).bit_length())
            return self.of_bits(bits, most - least)
        rank, signed = self.alone(draw), kind[0] == "i"
        value = zigzag(least, most, rank) if signed else least + rank
        return self.record(11 if signed else 10, WIDTHS[kind], least, most, value)

    def f64_any(self):
        def draw():
            head = self.number(1)
            if head < 64:
                return bits_of(whole(self.of_bits(head % 55, (1 << 54) - 1)))
            if head < 128:
                x = self.of_bits(head % 32 + 1, (1 << 32) - 1)
                return bits_of(whole(x) / 2 ** (self.number(1) % 16 + 1))
            bits = self.number(8)
            return bits if head >= 192 else near(bits)

        def whole(rank):
            return float(zigzag(-(1 << 53), 1 << 53, rank))
        return self.record(12, 8, 0, 0, self.alone(draw))

    def f64_range(self, least_bits, most_bits):
        least, most = map(fractions.Fraction, map(double_of, (least_bits, most_bits)))
        exponent = max(1, bits_of(float(max(abs(least), abs(most)))) >> 52)
        unit = fractions.Fraction(2) ** (exponent - 1075)
        low, high = least // unit, -(-most // unit)
        value = zigzag(low, high, self.alone(self.bounded, 8, high - low)) * unit
        value = bits_of(float(min(max(value, least), most)))
        return self.record(13, 8, least_bits, most_bits, value)

    def subset(self, count):
        most = (1 << count) - 1
        value = self.alone(self.number, fit(most)) & most
        return self.record(14, fit(most), 0, most, value)

    def permutation(self, count):
        left, order = list(range(count)), []
        while len(left) > 1:
            order.append(left.pop(self.pick(len(left))))
        return order + left

    def date(self):
        days = self.below(15, 4, 3652059)
        first = datetime.date(2000, 1, 1).toordinal()
        return datetime.date.fromordinal(1 + (first - 1 + days) % 3652059).isoformat()


# ---- Calls and values as texts ----

def parsed(name, argument):
    if name == "string" and not argument.isdigit():
        return argument
    if name == "f64_range":
        return int(argument, 16)
    if name.endswith("weighted"):
        return [int(weight) for weight in argument.split(",")]
    return int(argument)


def written(name, value):
    if name in ("f64", "f64_any", "f64_range"):
        return f"{value:016x}"
    if name == "bytes":
        return value.hex()
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def made(generator, call):
    """The text of a draw's value; None if it has failed."""
    name, *arguments = call.split()
    arguments = [parsed(name, argument) for argument in arguments]
    kind, _, how = name.partition("_")
    draw = getattr(generator, name, None)
    if kind in WIDTHS:
        number = {"": generator.any_number, "range": generator.number_in, "mixed": generator.mixed}
        draw, arguments = number[how], [kind, *arguments]
    try:
        return written(name, draw(*arguments))
    except OutOfEntropy:
        return None


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


def vector_of(entropy, calls, repeats, last):
    """A vector of calls in turn, until one fails, and of `last`, which then fails, too; and the
    bytes that the first one took, 0 if it failed."""
    generator, made_calls, first = Generator(entropy), [], 0
    for call in calls * repeats:
        made_calls.append(call)
        if made(generator, call) is None:
            return (entropy, made_calls + [last]), first
        first = first or (generator.used if len(made_calls) == 1 else 0)
    return (entropy, made_calls), first


def vectors_of(calls, last, seed):
    for filler in b"\0", b"\xff":
        yield vector_of(filler * 24, calls, 2, last)[0]
    yield vector_of(expand(f"{seed}s", 30), calls, 3, last)[0]
    entropy = expand(seed, 64)
    vector, first = vector_of(entropy, calls, 3, last)
    yield vector
    yield from (vector_of(entropy[:size], calls, 1, last)[0] for size in range(first))


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
    return vector_of(entropy, [call], 18, call)[0]


def doubles_near(special):
    """Doubles near powers of two and special ones, one step or some steps away."""
    entropy = b""
    for how in range(8):
        number = (special + how) % 3 + 1 | special << 2 | 5 << 16 | how << 21 | special % 2 << 63
        entropy += b"\x80" + number.to_bytes(8, "little")
    return vector_of(entropy, ["f64_any"], 8, "f64_any")[0]


def all_vectors():
    for i, call in enumerate(calls_of(REQUIRED_CALLS)):
        yield from vectors_of([call], "bool", 1000 + i)
    for i, call in enumerate(calls_of(OTHER_CALLS)):  # a port without them skips their vectors
        yield from vectors_of([call], call, 2000 + i)
    for seed in range(4):
        yield from vectors_of(MIXTURE, "bool", seed)
    yield from (beside_rejected(*bounded) for bounded in BOUNDED_CALLS)
    yield from map(doubles_near, range(8))
    yield from (vector_of(bytes.fromhex(entropy), [call], 5, call)[0]
                for call, entropy in EXACT_CALLS)


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


def asked(command, lines):
    """The lines that a suite answers."""
    return subprocess.run(command, input="\n".join(lines) + "\n", stdout=subprocess.PIPE, text=True,
                          check=True).stdout.splitlines()


def answers(vectors, expansions, with_records=False):
    """The right answers. Those of draws that failed begin with None: their values can differ."""
    lines = []
    for entropy, calls in vectors:
        generator = Generator(entropy)
        for call in calls:
            value = made(generator, call)
            lines += [" ".join(map(str, record)) for record in generator.records if with_records]
            lines.append(f"{value} {generator.used} {int(value is None)}")
            generator.records.clear()
    return lines + [expand(seed, size).hex() for seed, size in expansions]


def is_right(answer, wanted):
    has_failed = wanted.startswith("None ")
    return answer == wanted or has_failed and answer.split(" ")[1:] == wanted.split(" ")[1:]


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
    vectors, expansions = list(all_vectors()), list(all_expansions())
    text = as_json(vectors, expansions, asked([suite, "answers"], questions(vectors, expansions)))
    if not files:
        print(text, end="")
        return
    assert text == pathlib.Path(files[0]).read_text(encoding="utf-8"), f"{files[0]} differs"
    found = asked([suite, "records"], questions(vectors, expansions))
    wanted = answers(vectors, expansions, with_records=True)
    for i, (answer, right) in enumerate(zip(found, wanted)):
        assert is_right(answer, right), f"line {i}: {answer}, not {right}"
    assert len(found) == len(wanted)
    print(f"{len(vectors)} vectors and {len(expansions)} expansions agree")


if __name__ == "__main__":
    main()

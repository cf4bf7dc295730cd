#!/usr/bin/env python3
"""vectors_mirror.py VECTORS MAKER RECORDS: the draws of vectors.json beside those of an
implementation in Python, which follows DRAWS.md alone, and its expansions beside the ones that the
scenarios have. The file must be what the program MAKER prints, and the records of the draws those
of the program RECORDS."""
import datetime
import fractions
import json
import pathlib
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
    """The draws by their names in vectors.json. Doubles are their bits."""

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


# ---- The texts of vectors.json ----

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


def made(generator, name, arguments):
    """The text of a draw's value."""
    arguments = [parsed(name, argument) for argument in arguments]
    kind, _, how = name.partition("_")
    if kind in WIDTHS:
        draws = {"": generator.any_number, "range": generator.number_in, "mixed": generator.mixed}
        return written(name, draws[how](kind, *arguments))
    return written(name, getattr(generator, name)(*arguments))


def check_vector(vector):
    """Make the draws of a vector. Return their records, as the program prints them."""
    lines = []
    generator = Generator(bytes.fromhex(vector["entropy"]))
    for i, call in enumerate(vector["calls"]):
        try:
            value = made(generator, call["draw"], call["arguments"])
        except OutOfEntropy:
            value = call["value"]  # of a draw that failed: not specified
        wanted = call["value"], call["used"], call["exhausted"]
        found = value, generator.used, generator.exhausted
        assert found == wanted, f"call {i} of {vector}:\nwanted {wanted}\nfound  {found}"
        lines += [" ".join(map(str, record)) for record in generator.records] + ["."]
        generator.records.clear()
    return lines


def run(program, text=""):
    result = subprocess.run([program], input=text, stdout=subprocess.PIPE, check=True, text=True)
    return result.stdout


def check_records(vectors, program):
    """Make all draws here and by the program. Return their count."""
    asked, found = [], []
    for vector in vectors:
        asked.append("entropy " + vector["entropy"])
        asked += [" ".join([call["draw"], *call["arguments"]]) for call in vector["calls"]]
        found += check_vector(vector)
    wanted = run(program, "\n".join(asked) + "\n").splitlines()
    for i, (one, other) in enumerate(zip(found, wanted)):
        assert one == other, f"record {i}: {one}, not {other}"
    assert len(found) == len(wanted)
    return found.count(".")


def main():
    path, maker, records = sys.argv[1:]
    text = pathlib.Path(path).read_text(encoding="utf-8")
    assert text == run(maker), f"{path} is not what {maker} prints"
    vectors = json.loads(text)
    draws = check_records(vectors["draws"], records)
    names = {call["draw"] for vector in vectors["draws"] for call in vector["calls"]}
    for expansion in vectors["expansions"]:
        found = expand(expansion["seed"], expansion["size"]).hex()
        assert found == expansion["bytes"], f"{expansion}:\n{found}"
    print(f"{draws} draws of {len(names)} kinds, with their records, and "
          f"{len(vectors['expansions'])} expansions agree")


main()

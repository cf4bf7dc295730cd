"""The draws of DRAWS.md, by their names there.

Each draw takes bytes of the entropy in order, tells the report of its record, and returns its
value. `_bounded` takes numbers; `_end` makes them drawn; a draw that runs out takes none. Where a
driver gives choices in place of bytes, `_begin` writes the bytes of the next choice under the
bounds of this draw (encode.py), and the draw takes them as any others. SPDX: MIT"""

from __future__ import annotations

import itertools
import math
import struct
import sys

from . import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime
    from collections.abc import Callable, Iterable, MutableSequence, Sequence
    from types import FrameType
    from typing import Any, NoReturn, TypeVar

    from .target import Choices

    T = TypeVar("T")
    D = TypeVar("D", bound="Draws")
    from builtins import bool as Bool, bytes as Bytes  # the class has methods of these names

ALL, RECORD = (1 << 64) - 1, struct.Struct("=QQBBHI4Q")
BYTES, BOOL, UINT, INT, INDEX, WEIGHTED, F64, CHANCE, MORE, LETTER = range(10)
MIXED_UINT, MIXED_INT, REAL, REAL_RANGE, SUBSET, DATE = range(10, 16)
SAY, STEP, NOTE = 253, 254, 255
# Words of 64 bits in the report, by number.
TRACE_OFFSET, TRACE_COUNT, WANTS, RAN_OUT, TRACED, DRAWN = 2, 3, 12, 13, 21, 24
LABEL, MEASURE, GOAL = 2, 3, 8
DAYS, FIRST_DAY = 3652059, 730119  # of the calendar; from 0001-01-01 to 2000-01-01

LOWER = "abcdefghijklmnopqrstuvwxyz"
DIGITS = "0123456789"
ALNUM = LOWER + LOWER.upper() + DIGITS
PRINTABLE = ALNUM + " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"


PACKAGE = __file__[: -len("draws.py")]
DRAWING = {PACKAGE + name for name in ("draws.py", "values.py", "regex.py", "shown.py")}


# Those asked for before, each with its code: while that is kept, no other code has its id.
PLACES: dict[tuple[int, int], tuple[object, tuple[object, ...]]] = {}


def _place_of(frame: FrameType) -> tuple[object, ...]:
    """Return where a call is made: a loop's condition is compiled twice, but it is one place."""
    code, at = frame.f_code, (id(frame.f_code), frame.f_lasti)
    if at not in PLACES:
        positions = getattr(code, "co_positions", None)  # since Python 3.11
        where = list(positions())[at[1] // 2] if positions else frame.f_lineno
        PLACES[at] = code, (code.co_filename, code.co_name, where)
    return PLACES[at][1]


def _depth_of(frame: FrameType | None) -> int:
    depth = 0
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    return depth


class OutOfEntropy(BaseException):
    """The run is over and has passed. Like SystemExit, `except Exception` lets it through."""


def _integer(width: int, least: int) -> Callable[..., int]:
    kind, mask = INT if least < 0 else UINT, (1 << 8 * width) - 1
    top = least + mask

    def draw(self: Draws, low: int = least, high: int = top) -> int:
        """Draw low..high, or any value, from as many bytes as the type has."""
        if not least <= low <= high <= top:
            raise ValueError(f"no range {low}..{high} in {least}..{top}")
        span = high - low
        if self._choices is not None:
            self._begin(kind, width, low, high)
        value = self._bounded(width, span)
        if span < mask:
            value += low
        elif value > top:  # the whole type takes the bytes as they are: zeros mean 0
            value -= mask + 1
        return self._end(kind, width, low, high, value)

    return draw


def _mixed(width: int, least: int) -> Callable[..., int]:
    kind, top = MIXED_INT if least < 0 else MIXED_UINT, least + (1 << 8 * width) - 1

    def draw(self: Draws, low: int = least, high: int = top) -> int:
        """Draw low..high, first how many bits, then a number of so many: small ones are common,
        large ones occur. From 1 to 9 bytes."""
        if not least <= low <= high <= top:
            raise ValueError(f"no range {low}..{high} in {least}..{top}")
        span = high - low
        if self._choices is not None:
            self._begin(kind, width, low, high)
        rank = self._of_bits(self._bounded(1, span.bit_length()), span)
        value = low + rank if kind == MIXED_UINT else encode.zigzag(low, high, rank)
        return self._end(kind, width, low, high, value)

    return draw


class Draws:
    """Draws from entropy. Ranges include both ends. A wrong argument raises ValueError.
    `used` is the count of bytes drawn; `exhausted` is True once a draw has failed."""

    discarded = False  # by assume: the run has neither passed nor failed

    def __init__(
        self,
        entropy: Bytes | bytearray | memoryview,
        report: Any = None,
        digests: Bool = False,
        choices: Choices | None = None,
    ) -> None:
        self.used = self._at = self._count = 0
        self.exhausted, self._size, self._digests = False, len(entropy), digests
        is_large = len(entropy) > 1 << 16 or choices is not None
        self._entropy = entropy if is_large else bytes(entropy)
        self._choices, self._report = choices, bytearray(384) if report is None else report
        self._marks: Callable[[int, str, int], None] | None = None
        self._words = memoryview(self._report)[:384].cast("Q")
        self._words[TRACED] = self._words[DRAWN] = 0
        self._records = digests or self._words[TRACE_COUNT] > 0
        self._newest: MutableSequence[tuple[int, ...]] | None = None
        self._sites: dict[tuple[object, ...], int] = {}  # of places that drew, in their order
        self._base = _depth_of(sys._getframe(1)) if self._words[TRACE_COUNT] > 0 else 0

    @property
    def left(self) -> int:
        """Bytes not yet drawn. A failure of a test that looks at this does not bound the size."""
        return self._size - self.used

    # ---- What a test says of its run ----

    def note(self: D, name: str, kind: int = NOTE) -> D:
        """Name the draws that follow, for a trace: f.note("x").u8()."""
        self._add(kind, self.used, 0, *struct.unpack("=4Q", name.encode()[:31].ljust(32, b"\0")))
        return self

    def step(self, name: str) -> None:
        """Begin an operation, for a trace: the draws up to the next step belong together."""
        self.note(name, STEP)

    def say(self, line: str) -> None:
        """Say what a draw meant, or what happened: a line of up to 159 bytes in a trace."""
        if self._records and self._words[WANTS] & 1:
            text = line.encode()[:159]
            for at in range(0, max(len(text), 1), 32):
                numbers = struct.unpack("=4Q", text[at : at + 32].ljust(32, b"\0"))
                self._add(SAY, self.used, int(at + 32 < len(text)), *numbers)

    def label(self, name: str) -> None:
        """Say that this run has the property `name`: a search shows the share of such runs."""
        if self._marks is not None:
            self._marks(LABEL, name, 1)

    def measure(self, name: str, value: int) -> None:
        """Say that the number `name` of this run is `value`."""
        if self._marks is not None:
            self._marks(MEASURE, name, value)

    def maximize(self, name: str, value: int) -> None:
        """Say how high this run came: frng-search goes on from the inputs that came highest. The
        largest value of a run counts; it is 0 or more."""
        if self._marks is not None:
            self._marks(GOAL, name, min(max(int(value), 0), ALL))

    # ---- Numbers, and what is told of them ----

    def _begin(
        self, kind: int, width: int, low: int, high: int, weights: Sequence[int] | None = None
    ) -> None:
        """Write the bytes of the next choice, where there are choices."""
        assert self._choices is not None
        written = self._choices.encode(self, kind, width, low, high, weights)
        if written is None:
            self._words[RAN_OUT] = 1
            self._run_out()
        end = self.used + len(written)
        self._entropy[self.used : end] = written  # type: ignore[index]
        self._size = max(self._size, end)

    def _bounded(self, width: int, top: int) -> int:
        """Take a number of 0..top, by Lemire's method."""
        mask = (1 << 8 * width) - 1
        while True:
            end = self._at + width
            if end > self._size:
                self._run_out()
            number = int.from_bytes(self._entropy[self._at : end], "little")
            self._at = end
            if top == mask:
                return number
            product = number * (top + 1)
            if product & mask > top or product & mask >= (mask + 1) % (top + 1):
                return product >> 8 * width

    def _of_bits(self, bits: int, top: int) -> int:
        """Take a number of exactly so many bits, and at most `top`."""
        least = 1 << bits >> 1
        span = min(top - least, least - 1) if bits > 0 else 0
        return least + self._bounded(encode.fit(span), span) if span > 0 else least

    def _run_out(self) -> NoReturn:
        self._at = self._size = self.used
        self.exhausted = True
        raise OutOfEntropy

    def _end(self, kind: int, width: int, low: int, high: int, value: int, index: int = 0) -> int:
        """The draw is made: tell what it was, and return its value."""
        start, self.used = self.used, self._at
        self._count += 1
        if self._records:
            self._add(kind, start, width, low, high, value, index)
        self._words[DRAWN] = self._at
        return value

    def _add(self, kind: int, start: int, width: int, *numbers: int) -> None:
        if self._records:
            words, at = self._words, self._words[TRACED]
            record = start, self.used - start, kind, width, *(number & ALL for number in numbers)
            if at < words[TRACE_COUNT]:
                place = self._place() if kind < SAY else (0, 0)
                to = words[TRACE_OFFSET] + RECORD.size * at
                RECORD.pack_into(self._report, to, *record[:4], *place, *record[4:])
            if self._digests and kind < SAY:
                words[19] = hash((words[19], *record)) & ALL  # the digest, and its bytes
                words[20] = self.used
            words[TRACED] = at + 1
            if self._newest is not None and kind < SAY:
                self._newest.append((self._count - 1, kind, width, start, self.used, *record[4:7]))

    def _place(self) -> tuple[int, int]:
        """Return how deep the draw in progress is in the test, and the number of its place: the calls
        within these modules, and that of the test. Rules of a machine have no place: their arguments
        are drawn at one line."""
        frame: Any = sys._getframe(2)
        calls: list[object] = []
        while frame.f_back is not None and frame.f_code.co_filename in DRAWING:
            calls.append(_place_of(frame))
            frame = frame.f_back
        depth = min(max(_depth_of(frame) - self._base, 0), 65535)
        if frame.f_code.co_filename.startswith(PACKAGE):
            return depth, 0
        calls.append(_place_of(frame))
        return depth, self._sites.setdefault(tuple(calls), len(self._sites) + 1)

    # ---- Integers, coins, bytes ----

    u8, u16, u32, u64 = map(_integer, (1, 2, 4, 8), (0, 0, 0, 0))
    i8, i16, i32, i64 = map(_integer, (1, 2, 4, 8), (-1 << 7, -1 << 15, -1 << 31, -1 << 63))
    u8_mixed, u16_mixed, u32_mixed, u64_mixed = map(_mixed, (1, 2, 4, 8), (0, 0, 0, 0))
    i8_mixed, i16_mixed, i32_mixed, i64_mixed = map(
        _mixed, (1, 2, 4, 8), (-1 << 7, -1 << 15, -1 << 31, -1 << 63)
    )

    def bool(self) -> Bool:
        """Draw a coin, from 1 byte."""
        if self._choices is not None:
            self._begin(BOOL, 1, 0, 1)
        return self._end(BOOL, 1, 0, 1, self._bounded(1, 255) & 1) == 1

    def chance(self, numerator: int, denominator: int) -> Bool:
        """Draw True in `numerator` of `denominator` cases, from 4 bytes."""
        if not 0 <= numerator <= denominator < 1 << 32 or denominator < 1 or numerator % 1:
            raise ValueError(f"no chance {numerator}/{denominator}")
        if self._choices is not None:
            self._begin(CHANCE, 4, numerator, denominator)
        value = int(self._bounded(4, denominator - 1) < numerator)
        return self._end(CHANCE, 4, numerator, denominator, value) == 1

    def bytes(self, count: int) -> Bytes:
        """Draw the next bytes. A count of 0 always works."""
        start, end = self.used, self.used + count
        if count < 0:
            raise ValueError(f"no {count} bytes")
        if self._choices is not None:
            self._begin(BYTES, 1, 0, count)
        if end > self._size:
            self._run_out()
        self._at = end
        self._end(BYTES, 1, 0, count, 0)
        return bytes(self._entropy[start:end])

    # ---- Doubles ----

    def f64(self) -> float:
        """Draw a multiple of 2**-53 in [0, 1), from 8 bytes."""
        if self._choices is not None:
            self._begin(F64, 8, 0, ALL)
        return (self._end(F64, 8, 0, ALL, self._bounded(8, ALL)) >> 11) * 2.0**-53

    def f64_any(self) -> float:
        """Draw any double: a whole number, a fraction, one near a power of two, or any bits."""
        if self._choices is not None:
            self._begin(REAL, 8, 0, 0)
        head = self._bounded(1, 255)
        if head < 64:
            value = float(encode.whole(self._of_bits(head % 55, (1 << 54) - 1)))
        elif head < 128:
            number = encode.whole(self._of_bits(head % 32 + 1, (1 << 32) - 1))
            value = math.ldexp(number, -(self._bounded(1, 255) % 16) - 1)
        else:
            bits = self._bounded(8, ALL)
            bits = encode.near(bits) if head < 192 else bits
            self._end(REAL, 8, 0, 0, bits)
            return encode.double_of(bits)
        self._end(REAL, 8, 0, 0, encode.bits_of(value))
        return value

    def f64_range(self, low: float, high: float) -> float:
        """Draw a double of low..high, uniform in ulps of the larger bound, from 8 bytes."""
        if not (low <= high and math.isfinite(low) and math.isfinite(high)):
            raise ValueError(f"no range {low}..{high} of doubles")
        bounds = encode.bits_of(low), encode.bits_of(high)
        if self._choices is not None:
            self._begin(REAL_RANGE, 8, *bounds)
        exponent, least, most = encode.grid(low, high)
        value = encode.zigzag(least, most, self._bounded(8, most - least))
        real = min(max(math.ldexp(value, exponent), low), high)
        self._end(REAL_RANGE, 8, *bounds, encode.bits_of(real))
        return real

    # ---- One of several, some of them, all of them ----

    def index(self, count: int) -> int:
        """Draw 0..count-1, from 8 bytes."""
        return self._index(8, count)

    def _index(self, width: int, count: int) -> int:
        if not 1 <= count <= ALL + 1:
            raise ValueError(f"no index of {count}")
        if self._choices is not None:
            self._begin(INDEX, width, 0, count - 1)
        return self._end(INDEX, width, 0, count - 1, self._bounded(width, count - 1))

    def pick(self, items: Sequence[T]) -> T:
        """Draw an element, from the fewest bytes that hold its index."""
        return items[self._index(encode.fit(len(items) - 1), len(items))]

    element = pick

    def weighted(self, weights: Sequence[int]) -> int:
        """Draw an index, in proportion to its weight, from 8 bytes."""
        return self._weighted(8, weights)

    def pick_weighted(self, weights: Sequence[int]) -> int:
        """Draw an index, in proportion to its weight, from the fewest bytes: 1 for a sum of up to
        256."""
        return self._weighted(encode.fit(sum(weights) - 1), weights)

    def _weighted(self, width: int, weights: Sequence[int]) -> int:
        top = sum(weights) - 1 if min(weights, default=-1) >= 0 else -1
        if not 0 <= top <= ALL:
            raise ValueError(f"no weights: {weights}")
        if self._choices is not None:
            self._begin(WEIGHTED, width, 0, top, weights)
        number = self._bounded(width, top)
        index = next(i for i, end in enumerate(itertools.accumulate(weights)) if number < end)
        shown = 0
        if self._choices is not None:
            shown = (index + 1) | (1 + max(i for i, weight in enumerate(weights) if weight)) << 32
        self._end(WEIGHTED, width, 0, top, number, shown)
        return index

    def swarm_weights(self, count: int) -> list[int]:
        """Draw weights of 1..100, 4 bytes each: drawn once, they make each run favour others."""
        return [self.u32(1, 100) for _ in range(count)]

    def swarm(self, count: int) -> list[int]:
        """Draw weights of 0, 1, 2, 4 or 8, 1 byte each, for pick_weighted: drawn once, they switch
        some variants off in each run."""
        weights = [(1, 0, 0, 0, 1, 2, 4, 8)[self.u8(0, 7)] for _ in range(count)]
        return weights if any(weights) else [1] * count

    def subset(self, items: Sequence[T]) -> list[T]:
        """Draw some of up to 64 elements, in their order, from 1, 2, 4 or 8 bytes."""
        if not 1 <= len(items) <= 64:
            raise ValueError(f"a subset of {len(items)}, not of 1 to 64")
        top = (1 << len(items)) - 1
        width = encode.fit(top)
        if self._choices is not None:
            self._begin(SUBSET, width, 0, top)
        mask = self._bounded(width, (1 << 8 * width) - 1) & top
        self._end(SUBSET, width, 0, top, mask)
        return [item for i, item in enumerate(items) if mask >> i & 1]

    def permutation(self, items: Iterable[T]) -> list[T]:
        """Draw the elements in any order, each by a pick of those left."""
        left = list(items)
        order = [left.pop(self.pick(range(len(left)))) for _ in range(len(left) - 1)]
        return order + left

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Shuffle in place, from 8 bytes for each element but the last."""
        for i in range(len(items) - 1):
            j = i + self.index(len(items) - i)
            items[i], items[j] = items[j], items[i]

    # ---- Lists and strings that end by themselves; days ----

    def _next(self, kind: int, letters: str, count: int, low: int, high: int) -> int:
        """Draw 0, the end, or one of the letters, from 1 on."""
        if not 0 <= low <= high or not count >= 0:
            raise ValueError(f"no list of {low}..{high} elements after {count}")
        if not 1 <= len(letters) <= 32768:
            raise ValueError(f"an alphabet of {len(letters)} letters, not of 1 to 32768")
        mean = min((high - low) // 2, 15) + 1 if high > low else 16
        width = 1 if len(letters) <= 128 else 2
        share = (1 << 8 * width) * mean // (len(letters) * (mean + 1))
        end = share * len(letters) // mean
        how = end | share << 16 | (1 if count >= high else 2 if count < low else 0) << 32
        if self._choices is not None:
            self._begin(kind, width, how, len(letters))
        while True:
            number = self._bounded(width, end + share * len(letters) - 1)
            if number >= end or count >= low:
                break
        pick = 0 if count >= high or number < end else 1 + (number - end) // share
        letter = ord(letters[pick - 1]) if kind == LETTER and pick > 0 else 0
        shown = letter if letter < 128 else ord("?")
        self._end(kind, width, how, len(letters), pick | shown << 32)
        return pick

    def more(self, count: int, low: int, high: int) -> Bool:
        """Draw whether a list of low..high elements goes on after `count` of them, from 1 byte."""
        return self._next(MORE, "x", count, low, high) == 1

    def string(self, alphabet: str, low: int, high: int) -> str:
        """Draw low..high letters of an alphabet, the simplest letter first in it. 1 byte a letter,
        and for the end; 2 beyond 128 letters."""
        text: list[str] = []
        while pick := self._next(LETTER, alphabet, len(text), low, high):
            text.append(alphabet[pick - 1])
        return "".join(text)

    def date(self) -> datetime.date:
        """Draw any day of the years 1..9999, from 4 bytes; the simplest is 2000-01-01."""
        return self._date(0, DAYS - 1)

    def date_range(self, first: datetime.date, last: datetime.date) -> datetime.date:
        """Draw a day of first..last, from 4 bytes; the simplest is the first one."""
        span = last.toordinal() - first.toordinal()
        if span < 0:
            raise ValueError(f"no range {first}..{last} of days")
        return self._date((first.toordinal() - 1 - FIRST_DAY) % DAYS, span)

    def _date(self, first: int, span: int) -> datetime.date:
        import datetime

        if self._choices is not None:
            self._begin(DATE, 4, first, first + span)
        number = first + self._bounded(4, span)
        self._end(DATE, 4, first, first + span, number)
        return datetime.date.fromordinal((number + FIRST_DAY) % DAYS + 1)

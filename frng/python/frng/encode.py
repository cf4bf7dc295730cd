"""The way back from a value to entropy: the smallest bytes for which a draw has it.

A reduction gives a test choices in place of bytes, and the draw that takes one has these bytes. A
value is given by its number, as frng_encode.h describes: the count of simpler values, for a bool 1
or 0, for a list 0 at its end, for a double its bits. A number beyond the bounds means the nearest
one within. Numbers of Python have any size, so that no arithmetic here is modulo. SPDX: MIT"""

from __future__ import annotations

import math
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

WHOLE_MAX = 1 << 53  # of the whole numbers that come first among doubles
SIGN, INFINITY = 1 << 63, 2047 << 52


def fit(top: int) -> int:
    """Return the bytes that hold numbers up to `top`: 1, 2, 4 or 8."""
    return 1 if top < 1 << 8 else 2 if top < 1 << 16 else 4 if top < 1 << 32 else 8


def zigzag(low: int, high: int, rank: int) -> int:
    """Return value `rank` of 0, 1, -1, 2, -2, ... within low..high."""
    if low > 0:
        return low + rank
    if high < 0:
        return high - rank
    both = min(-low, high)
    if rank > 2 * both:
        return rank - both if high > -low else both - rank
    return rank // 2 + 1 if rank % 2 else -(rank // 2)


def unzigzag(low: int, high: int, value: int) -> int:
    """The way back of zigzag."""
    if low > 0:
        return value - low
    if high < 0:
        return high - value
    far = abs(value) - 1
    simpler = 1 + min(far, high) + min(far, -low)
    return 0 if value == 0 else simpler + int(value < 0 and -value <= high)


# ---- Doubles ----


def bits_of(value: float) -> int:
    return int.from_bytes(struct.pack("<d", value), "little")


def double_of(bits: int) -> float:
    value: float = struct.unpack("<d", bits.to_bytes(8, "little"))[0]
    return value


def whole(rank: int) -> int:
    return zigzag(-WHOLE_MAX, WHOLE_MAX, rank)


def near(drawn: int) -> int:
    """Return bits near a power of two, or special."""
    power = (0, 1, 1022, 1023, 1024, 1076, 2046, 2047)[drawn >> 2 & 7]
    bits = (power if drawn & 3 else drawn >> 5 & 2047) << 52
    steps, how = drawn >> 16 & 31, drawn >> 21 & 7
    if how & 3:
        bits += (0, 1, -1, steps if how == 3 else -steps)[how & 3]
    bits = max(bits, 0)
    return (bits if bits <= INFINITY else 4095 << 51) | drawn & SIGN


def _units(value: float, exponent: int) -> tuple[int, int]:
    """Return floor(value / 2**exponent), and ceil."""
    numerator, denominator = value.as_integer_ratio()
    numerator, denominator = numerator << max(-exponent, 0), denominator << max(exponent, 0)
    return numerator // denominator, -(-numerator // denominator)


def grid(low: float, high: float) -> tuple[int, int, int]:
    """Return the exponent of the ulp of the larger bound, and the bounds in such units."""
    largest = max(bits_of(low) & ~SIGN, bits_of(high) & ~SIGN)
    exponent = max(1, largest >> 52) - 1075
    return exponent, _units(low, exponent)[0], _units(high, exponent)[1]


def _store_real(bits: int) -> bytes:
    value, span = double_of(bits), 2 * WHOLE_MAX - 1
    for fraction in range(17):
        try:
            scaled = math.ldexp(value, fraction)
        except OverflowError:
            break
        if bits == SIGN or not (abs(scaled) <= WHOLE_MAX and scaled == int(scaled)):
            continue
        rank = unzigzag(-WHOLE_MAX, WHOLE_MAX, int(scaled))
        if fraction == 0 and rank <= span:
            return bytes([rank.bit_length()]) + _of_bits(rank, span)
        if 0 < fraction and 0 < rank < 1 << 32:
            head = bytes([64 + rank.bit_length() - 1])
            return head + _of_bits(rank, (1 << 32) - 1) + bytes([fraction - 1])
        if fraction > 0:
            break
    return b"\xc0" + bits.to_bytes(8, "little")


def _within(low: float, high: float, value: float) -> float:
    """Return the double of a range that is nearest to one; for 0, its simplest one."""
    most = 2.0**52
    if bits_of(value) == 0 and (0 < low and high < most or high < 0 and low > -most):
        least, last = math.ceil(low), math.floor(high)
        if least <= last:
            value = float(least if low > 0 else last)
    return high if value >= high else value if value > low else low


def _store_real_in(low: float, high: float, bits: int) -> bytes:
    value = _within(low, high, double_of(bits))
    exponent, least, most = grid(low, high)
    unit = least if value <= low else most if value >= high else _units(value, exponent)[0]
    return _store(8, most - least, unzigzag(least, most, unit))


# ---- Numbers ----


def _store(width: int, top: int, value: int) -> bytes:
    """Return the smallest number that means a value of 0..top and is not rejected."""
    whole_type, count = 1 << 8 * width, top + 1
    if count < whole_type:
        value = -(-(value * whole_type + whole_type % count) // count)
    return value.to_bytes(width, "little")


def _of_bits(number: int, top: int) -> bytes:
    least = 1 << number.bit_length() >> 1
    span = min(top - least, least - 1) if number > 0 else 0
    return _store(fit(span), span, number - least) if span > 0 else b""


def _of_index(weights: Sequence[int], index: int) -> int:
    """Return the first number that means an index, or the nearest one that has a weight."""
    before = last = 0
    for k, weight in enumerate(weights):
        if weight > 0 and (k <= index or before == 0):
            last = before
        before += weight
    return last


def _store_integer(signed: bool, width: int, low: int, high: int, rank: int) -> bytes:
    span = high - low
    offset = min(rank, span)
    if signed:
        offset = zigzag(low, high, offset) - low
    if span == (1 << 8 * width) - 1:
        return ((low + offset) & span).to_bytes(width, "little")
    return _store(width, span, offset)


def _store_pick(width: int, how: int, letters: int, pick: int) -> bytes:
    end, share, must = how & 65535, how >> 16 & 65535, how >> 32
    pick = min(max(pick, int(must == 2)), 0 if must == 1 else letters)
    return _store(width, end + share * letters - 1, end + (pick - 1) * share if pick else 0)


def encode(
    kind: int, width: int, low: int, high: int, weights: Sequence[int] | None, number: int
) -> bytes:
    """Return the bytes of a draw of this kind, width and bounds, for the value of a number."""
    if kind == 1:  # a bool
        return bytes([int(number > 0)])
    if kind in (2, 3, 4, 5, 15):  # integers, indices, weighted ones, dates
        number = number if weights is None else _of_index(weights, number)
        return _store_integer(kind == 3, width, low, high, number)
    if kind == 6:
        return number.to_bytes(8, "little")
    if kind == 7:  # a chance
        return _store(width, high - 1, low if number == 0 and low < high else 0)
    if kind in (8, 9):
        return _store_pick(width, low, high, number)
    if kind in (10, 11):  # mixed
        number = min(number, high - low)
        head = _store(1, (high - low).bit_length(), number.bit_length())
        return head + _of_bits(number, high - low)
    if kind == 12:
        return _store_real(number)
    if kind == 13:
        return _store_real_in(double_of(low), double_of(high), number)
    return (number & high).to_bytes(width, "little")  # a subset

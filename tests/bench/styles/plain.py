#!/usr/bin/env python3
"""Plain programs that read numbers from stdin: those of plain.c, by name: plain.py equal.
SPDX-License-Identifier: MIT
"""

import struct
import sys


def numbers(layout):
    """Each whole record of stdin."""
    data = sys.stdin.buffer.read(1 << 16)
    yield from struct.iter_unpack(layout, data[:len(data) // struct.calcsize(layout)
                                               * struct.calcsize(layout)])


def counter():
    depth = 0
    for byte, in numbers("<B"):
        depth = depth + 1 if byte < 128 else 0
        assert depth < 40


def retries():
    count = 0
    for operation, _ in numbers("<II"):
        count = count + 1 if operation % 4 == 3 else 0
        assert count < 20


def equal():
    seen = set()
    for number, in numbers("<Q"):
        assert number not in seen
        seen.add(number)


def pair():
    for _, a, b in numbers("<3sQQ"):
        assert a != b
        return


def divide():
    for a, b in numbers("<ii"):
        assert (a, b) != (-2**31, -1)
        return


def remainder():
    for operation, a, b in numbers("<Bqq"):
        assert operation % 4 >= 2 or (a, b) != (-2**63, -1)


def bounds():
    for offset, length in numbers("<IH"):
        assert (offset + length % 256) % 2**32 > 4096 or offset <= 4096


def wraps():
    for a, b in numbers("<II"):
        assert a == 0 or b == 0 or (a + b) % 2**32 != 0


def keys():
    live = set()
    for operation, key in numbers("<BQ"):
        if operation % 3 == 0:
            live.add(key)
        assert operation % 3 != 1 or key not in live


def records():
    live = set()
    for operation, key, _ in numbers("<QQQ"):
        if operation % 4 == 0:
            assert key not in live
            live.add(key)


def limit():
    sizes = [size * 1001 >> 16 for size, in numbers("<H")]
    assert len(sizes) < 12 or sum(sizes[:12]) < 11800


def bucket():
    tokens = 2**32
    for amount, in numbers("<I"):
        if amount <= tokens:
            tokens -= amount
        assert tokens > 0
        if tokens < 4096:
            tokens = 2**32


TESTS = (counter, retries, equal, pair, divide, remainder, bounds, wraps, keys, records, limit,
         bucket)

if __name__ == "__main__":
    {test.__name__: test for test in TESTS}[sys.argv[1]]()

"""A check that fails as those of vectors.json (DRAWS.md)."""

import unittest

import frng


class Fails(unittest.TestCase):
    @frng.check
    def test_fails(self, f):
        first = x = f.u8()
        high = 0
        while x != 77:
            high += x >= 240
            assert high < 4 or first // 4 != 24, "four"
            x = f.u8()

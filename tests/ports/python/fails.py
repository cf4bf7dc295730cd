"""A check that fails as those of vectors.json (DRAWS.md), which discards where DISCARDS is set."""

import os
import unittest

import frng


class Fails(unittest.TestCase):
    @frng.check
    def test_fails(self, f):
        assert "AT_ONCE" not in os.environ, "at once"
        first = x = f.u8()
        f.assume(first % 8 == 0 or "DISCARDS" not in os.environ)
        high = 0
        while x != 77:
            high += x >= 240
            assert high < 4 or first // 4 != 24, "four"
            x = f.u8()

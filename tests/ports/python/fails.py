"""A check that fails at the fourth byte of 240 or more."""

import unittest

import frng


class Fails(unittest.TestCase):
    @frng.check
    def test_fails(self, f):
        high = 0
        while True:
            high += f.u8() >= 240
            assert high < 4, "four"

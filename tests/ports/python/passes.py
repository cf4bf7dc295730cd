"""A check that passes."""

import unittest

import frng


class Passes(unittest.TestCase):
    @frng.check
    def test_passes(self, f):
        while True:
            f.u8()

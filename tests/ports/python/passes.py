"""Checks that pass, the second of which is no target."""

import unittest

import frng


class Passes(unittest.TestCase):
    @frng.check
    def test_passes(self, f):
        while True:
            f.u8()

    def test_within(self):
        @frng.check
        def within(f):
            f.u8()

        within()

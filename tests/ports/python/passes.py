"""Checks that pass, the second of which is no target; without a draw where NOTHING is set. With the
argument "plain", the first is a program without a test runner."""

import os
import sys
import unittest

import frng


@frng.check
def passes(f):
    while "NOTHING" not in os.environ:
        f.u8()


class Passes(unittest.TestCase):
    @frng.check
    def test_passes(self, f):
        passes.__wrapped__(f)

    def test_within(self):
        @frng.check
        def within(f):
            f.u8()

        within()


if sys.argv[1:] == ["plain"]:
    passes()

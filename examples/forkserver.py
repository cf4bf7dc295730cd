#!/usr/bin/env python3
"""A Python test that frng starts once. It forks for each run, which saves the start of Python.

`serve` below implements frng/PROTOCOL.md: copy it. Without a driver the same file reads stdin. See
forkserver.md. The tested system is a set of disjoint intervals; `--fixed` turns its bug off.
"""
import ctypes
import mmap
import os
import socket
import struct
import sys

MAGIC, HELLO, RUN, DONE = 0x31747270676E7266, 1, 2, 3
STOP, RUNS, RUN_AT, SEED, DRAWN = 32, 40, 128, 136, 192  # offsets in the report
MESSAGE = struct.Struct("=10Q")
PR_SET_PDEATHSIG, SIGKILL = 1, 9


class OutOfEntropy(Exception):
    """The test is over and has passed."""


class Entropy:
    """Bytes to draw from. The report has the count of drawn bytes at any instant."""

    def __init__(self, data, report=None):
        self.data, self.at, self.report, self.ran_out = data, 0, report, False
        self.report_count()

    def report_count(self):
        if self.report is not None:
            struct.pack_into("=Q", self.report, DRAWN, self.at)

    def report_passed(self):
        """Report a passed run to a driver that asks for it."""
        offset, count = struct.unpack_from("=QQ", self.report, RUNS)
        if count > 0:
            struct.pack_into("=Q", self.report, offset, self.at | self.ran_out << 63)

    def byte(self):
        if self.at == len(self.data):
            self.ran_out = True
            raise OutOfEntropy
        self.at += 1
        self.report_count()
        return self.data[self.at - 1]


def serve(test):
    """Make runs for a driver until it hangs up. False if there is none."""
    offer = os.environ.pop("FRNG_DRIVER", "").split(",")
    if len(offer) != 4 or offer[0] != "1" or offer[1] == "-1":
        return False
    control = socket.socket(fileno=int(offer[1]))
    report_fd, entropy_fd = int(offer[2]), int(offer[3])
    report = mmap.mmap(report_fd, os.fstat(report_fd).st_size)
    if struct.unpack_from("=Q", report, 0)[0] != MAGIC:
        return False
    # No flags: one run an order, its bytes in the entropy file.
    control.send(MESSAGE.pack(HELLO, 1, 0, DRAWN, 8, 0, 0, 0, 0, 0))
    server, libc = os.getpid(), ctypes.CDLL(None)
    while True:
        order = control.recv(MESSAGE.size)
        if len(order) != MESSAGE.size:
            return True
        _, _, _, _, _, seed, _, size, _, _ = MESSAGE.unpack(order)
        struct.pack_into("=QQ", report, RUN_AT, 0, seed)
        child = os.fork()
        if child == 0:
            libc.prctl(PR_SET_PDEATHSIG, SIGKILL)
            if os.getppid() != server:
                os._exit(125)
            entropy = Entropy(os.pread(entropy_fd, size, 0), report)
            test(entropy)
            entropy.report_passed()
            sys.exit(0)
        _, status = os.waitpid(child, 0)
        control.send(MESSAGE.pack(DONE, 0, 0, 0, 0, 0, int(status == 0), 0, 0, status))


class Intervals:
    """Numbers 0..255 as sorted, disjoint, half-open intervals."""

    def __init__(self):
        self.parts = []

    def add(self, low, high):
        kept = []
        for a, b in self.parts:
            if b < low or high < a:
                kept.append((a, b))
            else:  # they touch: become one
                low, high = min(a, low), max(b, high)
        self.parts = sorted(kept + [(low, high)])

    def remove(self, low, high):
        kept = []
        for a, b in self.parts:
            if b <= low or high <= a:
                kept.append((a, b))
                continue
            if a < low:
                kept.append((a, low))
            if high < b and (a >= low or FIXED):  # the bug: both ends of one part may stay
                kept.append((high, b))
        self.parts = kept

    def numbers(self):
        return {n for a, b in self.parts for n in range(a, b)}


FIXED = "--fixed" in sys.argv


def test(entropy):
    real, model = Intervals(), set()
    try:
        while True:
            op, low, length = entropy.byte(), entropy.byte(), 1 + entropy.byte() % 32
            if op % 2 == 0:
                real.add(low, low + length)
                model |= set(range(low, low + length))
            else:
                real.remove(low, low + length)
                model -= set(range(low, low + length))
            assert real.numbers() == model, f"{real.parts} for {sorted(model)}"
    except OutOfEntropy:
        pass


if __name__ == "__main__":
    if not serve(test):
        test(Entropy(sys.stdin.buffer.read()))

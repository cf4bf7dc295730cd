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
GIVEN, CHOSEN = 4, 128  # flags: explicit bytes; choices in their place
# Offsets in the report.
TRACE, STOP, RUNS, CHOSEN_AT, RUN_AT, TRACED, DRAWN = 16, 32, 40, 96, 128, 168, 192
MESSAGE, RECORD = struct.Struct("=10Q"), struct.Struct("=QQBB6x4Q")
UNSIGNED, BYTE_MAX = 2, 255  # the kind of the only draw, and its largest value
PR_SET_PDEATHSIG, SIGKILL = 1, 9


class OutOfEntropy(Exception):
    """The test is over and has passed."""


class Entropy:
    """Bytes to draw from. The report has the draws, and their count of bytes at any instant."""

    def __init__(self, data, report=None):
        self.data, self.at, self.report, self.ran_out = data, 0, report, False
        self.report_count()

    def report_count(self):
        if self.report is not None:
            struct.pack_into("=Q", self.report, DRAWN, self.at)

    def report_draw(self, value):
        if self.report is None:
            return
        self.report_count()
        (offset, room), (traced,) = (struct.unpack_from("=QQ", self.report, TRACE),
                                     struct.unpack_from("=Q", self.report, TRACED))
        if traced < room:
            RECORD.pack_into(self.report, offset + traced * RECORD.size, self.at - 1, 1, UNSIGNED,
                             1, 0, BYTE_MAX, value, 0)
        struct.pack_into("=Q", self.report, TRACED, traced + 1)

    def row(self):
        return self.at | self.ran_out << 63

    def report_passed(self, run):
        """Report a passed run to a driver that asks for it."""
        offset, count = struct.unpack_from("=QQ", self.report, RUNS)
        if run < count:
            struct.pack_into("=Q", self.report, offset + 8 * run, self.row())

    def byte(self):
        if self.at == len(self.data):
            self.ran_out = True
            raise OutOfEntropy
        self.at += 1
        self.report_draw(self.data[self.at - 1])
        return self.data[self.at - 1]


class Choices(Entropy):
    """Wishes for draws in place of bytes, which are written when the test draws."""

    def __init__(self, choices, report):
        super().__init__(bytearray(), report)
        self.choices, self.taken, self.seen = choices, 0, 0
        self.chosen, self.room = struct.unpack_from("=QQ", report, CHOSEN_AT)

    def row(self):
        return self.seen | self.ran_out << 63

    def next_choice(self, kind, width):
        """The number of the next choice, 0 if it is for another draw. That choice stays."""
        if self.taken == len(self.choices):
            self.ran_out = True
            return 0
        tag, number, end = self.choices[self.taken], 0, self.taken + 1
        for shift in range(0, 64, 7):
            number |= (self.choices[end] & 127) << shift
            end += 1
            if self.choices[end - 1] < 128:
                break
        self.seen = max(self.seen, end)
        if tag != kind | (width - 1) << 4:
            return 0
        self.taken = end
        return number

    def byte(self):
        if self.at < self.room:
            self.data.append(min(self.next_choice(UNSIGNED, 1), BYTE_MAX))
            self.report[self.chosen + self.at] = self.data[self.at]
        return super().byte()


def inputs_of(data, count, flags):
    """The bytes of each run of an order."""
    if not flags & GIVEN:
        return [data]
    ends = (0,) + struct.unpack_from(f"={count}Q", data)
    return [data[8 * count:][a:b] for a, b in zip(ends, ends[1:])]


def run_one(test, given, flags, report, run):
    """Make a run in a child process. Return its wait status."""
    server = os.getpid()
    struct.pack_into("=QQ", report, RUN_AT, run, 0)
    struct.pack_into("=Q", report, TRACED, 0)
    child = os.fork()
    if child == 0:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, SIGKILL)
        if os.getppid() != server:
            os._exit(125)
        entropy = (Choices if flags & CHOSEN else Entropy)(given, report)
        test(entropy)
        entropy.report_passed(run)
        sys.exit(0)
    return os.waitpid(child, 0)[1]


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
    # It expands no seeds: their bytes are in the entropy file, for one run an order.
    control.send(MESSAGE.pack(HELLO, 1, GIVEN | CHOSEN, DRAWN, 8, 0, 0, 0, 0, 0))
    while True:
        order = control.recv(MESSAGE.size)
        if len(order) != MESSAGE.size:
            return True
        _, _, flags, _, _, _, count, size, _, _ = MESSAGE.unpack(order)
        passed, status = 0, 0
        for given in inputs_of(os.pread(entropy_fd, size, 0), count, flags):
            status = run_one(test, given, flags, report, passed)
            if status != 0:
                break
            passed += 1
            if struct.unpack_from("=Q", report, STOP)[0] != 0:
                break
        control.send(MESSAGE.pack(DONE, 0, 0, 0, 0, 0, passed, 0, 0, status))


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

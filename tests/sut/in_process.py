#!/usr/bin/env python3
"""Systems under test that speak the protocol, make their runs in their own process, and misbehave.

    in_process.py does WHAT N        draws N bytes, one by one, and then does it
    in_process.py sees WHAT          draws bytes, and does it when one is above 250
    in_process.py counts-to N WHAT   does it in the Nth run of its process, and passes before
    in_process.py serves WHAT        all runs pass, but the server does it with each order
    in_process.py starts N           the server starts N times, and dies at its start from then on
    in_process.py once               the first run that draws 3 bytes fails, and no other ever does

With FRNG_ABLE in the environment, its HELLO has these flags. FRNG_DRIVER is what the tools look for
in this file. SPDX-License-Identifier: MIT
"""
import ctypes
import mmap
import os
import resource
import signal
import socket
import struct
import sys
import time
import zlib

MAGIC, HELLO, RUN, DONE = 0x31747270676E7266, 1, 2, 3
BATCH, GIVEN, NO_FORK = 2, 4, 256  # flags of HELLO
DIGEST, EXPLICIT = 2, 4  # flags of RUN
TRACE, STOP, RUNS, RUN_AT, DIGEST_AT, TRACED, DRAWN, SITE = 16, 32, 40, 128, 152, 168, 192, 256
MESSAGE, RECORD = struct.Struct("=10Q"), struct.Struct("=QQBB6x4Q")
UNSIGNED, ABLE = 2, int(os.environ.get("FRNG_ABLE", BATCH | GIVEN | NO_FORK))


class OutOfEntropy(Exception):
    """The run has passed."""


class Failure(Exception):
    """The run has failed, with an exit status and perhaps a site."""

    def __init__(self, status, site=""):
        super().__init__(status)
        self.status, self.site = status, site


class Entropy:
    """Bytes to draw from; each is a record."""

    def __init__(self, data, report):
        self.data, self.at, self.report = data, 0, report
        self.put(DRAWN, 0)
        self.put(TRACED, 0)

    def put(self, offset, value):
        if self.report is not None:
            struct.pack_into("=Q", self.report, offset, value)

    def byte(self):
        if self.at == len(self.data):
            raise OutOfEntropy
        value = self.data[self.at]
        if self.report is not None:
            offset, room = struct.unpack_from("=QQ", self.report, TRACE)
            if self.at < room:
                RECORD.pack_into(self.report, offset + self.at * RECORD.size, self.at, 1, UNSIGNED, 1,
                                 0, 255, value, 0)
        self.at += 1
        self.put(DRAWN, self.at)
        self.put(TRACED, self.at)
        return value


# ---- What a run may do ----

control = None  # the socket, while there is a driver


def hang_up():
    if control is not None:
        control.close()


def close_and_exit(status):
    """Hang up first, and take a while to end, as a process that dumps its core."""
    hang_up()
    time.sleep(0.05)
    os._exit(status)


def close_and_live():
    hang_up()
    while True:
        time.sleep(60)


def leave():
    """Leave a process behind, which keeps the socket open."""
    if os.fork() == 0:
        while True:
            time.sleep(60)


def flood():
    for _ in range(64):
        os.write(1, b"out " * 16384)
        os.write(2, b"err " * 16384)


def spin():
    while True:
        pass


def fill_memory():
    held = []
    while True:
        held.append(bytearray(1 << 24))


def fail(status, site=""):
    raise Failure(status, site)


def fail_once():
    """Fail where nothing in the folder says that a run has."""
    try:
        os.close(os.open("failed", os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    fail(1)


WHAT = {
    "fail": lambda: fail(1, "in_process.py:1"), "exit0": lambda: os._exit(0),
    "exit3": lambda: os._exit(3), "close-and-exit0": lambda: close_and_exit(0),
    "close-and-exit3": lambda: close_and_exit(3), "close-and-live": close_and_live,
    "sleep": lambda: time.sleep(1e6), "spin": spin, "flood-and-fail": lambda: (flood(), fail(1)),
    "stop": lambda: os.kill(os.getpid(), signal.SIGSTOP), "leave": leave,
    "leave-and-fail": lambda: (leave(), fail(1)), "leave-and-exit0": lambda: (leave(), os._exit(0)),
    "memory": fill_memory, "pass": lambda: None,
}


def act(what):
    if what.startswith("signal"):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        number = int(what[len("signal"):])
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        return
    WHAT[what]()


made = 0  # runs of this process


def test(entropy):
    global made
    made += 1
    how, *rest = sys.argv[1:]
    if how == "does":
        for _ in range(int(rest[1])):
            entropy.byte()
        act(rest[0])
    elif how == "sees":
        while entropy.byte() <= 250:
            pass
        act(rest[0])
    elif how == "counts-to":
        entropy.byte()
        if made == int(rest[0]):
            act(rest[1])
    elif how == "once":
        for _ in range(3):
            entropy.byte()
        fail_once()
    else:
        entropy.byte()


# ---- The server ----

def inputs_of(data, count, flags):
    if not flags & EXPLICIT:
        return [data]
    ends = (0,) + struct.unpack_from(f"={count}Q", data)
    return [data[8 * count:][a:b] for a, b in zip(ends, ends[1:])]


def make_run(data, report, run):
    """One run; a failure ends the process."""
    entropy = Entropy(data, report)
    try:
        test(entropy)
    except OutOfEntropy:
        pass
    except Failure as failure:
        if report is not None:
            report[SITE:SITE + len(failure.site)] = failure.site.encode()
        print(f"{failure.site}: failed", file=sys.stderr)
        sys.stderr.flush()
        os._exit(failure.status)
    if report is not None:
        offset, count = struct.unpack_from("=QQ", report, RUNS)
        if run < count:
            struct.pack_into("=Q", report, offset + 8 * run, entropy.at)
    return entropy


def misbehave(report, count):
    """What a server does that `serves` wrongly; true: it goes on with the order."""
    what = sys.argv[2] if sys.argv[1] == "serves" else "well"
    if what == "silence":
        time.sleep(1e6)
    elif what == "death":
        os._exit(3)
    elif what == "exit0":
        os._exit(0)
    elif what in ("nonsense-run", "nonsense-run-and-exit0", "last-run-and-exit3"):
        struct.pack_into("=Q", report, RUN_AT, count - 1 if what.startswith("last") else 1 << 63)
        os._exit(0 if what.endswith("exit0") else 3)
    elif what == "nonsense-run-and-silence":
        struct.pack_into("=Q", report, RUN_AT, 1 << 40)
        time.sleep(1e6)
    elif what == "nonsense-done":
        control.send(MESSAGE.pack(DONE, 0, 0, 0, 0, 0, count + 1, 0, 0, 0))
    elif what == "short-done":
        control.send(b"DONE")
    elif what == "no-runs-done":
        control.send(MESSAGE.pack(DONE, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    elif what == "close-and-live":
        close_and_live()
    return what == "well" or what.startswith("after")


def digest_of(entropy):
    return zlib.crc32(entropy.data[:entropy.at])


def carry_out(order, report, entropy_fd):
    """Make the runs of an order, and answer it."""
    _, _, flags, _, _, _, count, size, digest_run, _ = MESSAGE.unpack(order)
    if not misbehave(report, count):
        return
    passed = 0
    for data in inputs_of(os.pread(entropy_fd, size, 0), count, flags):
        struct.pack_into("=Q", report, RUN_AT, passed)
        entropy = make_run(data, report, passed)
        if flags & DIGEST and passed == digest_run:
            struct.pack_into("=QQ", report, DIGEST_AT, digest_of(entropy), entropy.at)
        passed += 1
        if struct.unpack_from("=Q", report, STOP)[0] != 0:
            break
    control.send(MESSAGE.pack(DONE, 0, 0, 0, 0, 0, passed, 0, 0, 0))
    if sys.argv[1:] == ["serves", "after-death"]:
        os._exit(3)


def count_starts():
    """Count the starts of servers in a file; die at the start when there were enough."""
    with open("starts", "a+", encoding="ascii") as starts:
        starts.write("+")
        if starts.tell() > int(sys.argv[2]):
            os._exit(4)


def serve(report_fd, entropy_fd):
    report = mmap.mmap(report_fd, os.fstat(report_fd).st_size)
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    if sys.argv[1] == "starts":
        count_starts()
    if sys.argv[1:] == ["serves", "after-a-helper"]:
        leave()
    control.send(MESSAGE.pack(HELLO, 1, ABLE, DRAWN, 8, 0, 0, 0, 0, 0))
    while True:
        order = control.recv(MESSAGE.size)
        if len(order) != MESSAGE.size:
            return
        carry_out(order, report, entropy_fd)


def main():
    global control
    offer = os.environ.pop("FRNG_DRIVER", "").split(",")
    report = None
    if len(offer) == 4 and offer[0] == "1":
        fds = [int(fd) for fd in offer[1:]]
        if fds[0] >= 0:
            control = socket.socket(fileno=fds[0])
            serve(*fds[1:])
            return
        report = mmap.mmap(fds[1], os.fstat(fds[1]).st_size)
    make_run(sys.stdin.buffer.read(), report, 0)


main()

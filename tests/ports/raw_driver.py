"""A driver by hand: it sends a target any order of PROTOCOL.md, and shows all that it writes.

SPDX-License-Identifier: MIT
"""

import itertools
import mmap
import os
import socket
import struct
import subprocess

PATIENCE_S = 60
MAGIC = 0x31747270676E7266
RECORDS, ROWS = 100, 64
TRACE, TABLE = 384, 384 + 56 * RECORDS
CHOSEN, CHOSEN_SIZE = TABLE + 8 * ROWS, 1600 # where runs write the bytes of choices
RUN, DIGEST, DIGEST_DRAWN, TRACED, DRAWN = 128, 152, 160, 168, 192
ONE_PROCESS, DIGESTS, GIVEN, STYLED, HALF_STYLED, CHOICES = 1, 2, 4, 16, 32, 128
CAN_SEED, CAN_STYLE, CAN_STAY = 1, 16, 2048
STAY, WENT_ON = 256, 8  # of an order and its answer
HAS_FAILED = 2  # in the answer to an order: then the report has no meaning


def given(*entropies):
    """The entropy file of explicit bytes."""
    ends = list(itertools.accumulate(map(len, entropies)))
    return struct.pack(f"={len(ends)}Q", *ends) + b"".join(entropies)


class Driver:
    """Of one target, which gets `environment` and is gone when the test `case` has ended."""

    def __init__(self, case, command, environment, records=0, rows=0):
        self.control, control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.control.settimeout(PATIENCE_S)
        shared, self.entropy = os.memfd_create("report"), os.memfd_create("entropy")
        os.ftruncate(shared, CHOSEN + CHOSEN_SIZE)
        self.report = mmap.mmap(shared, CHOSEN + CHOSEN_SIZE)
        self.records_wanted, self.rows_wanted = records, rows
        self.clear(records)
        offer = f"1,{control.fileno()},{shared},{self.entropy}"
        self.process = subprocess.Popen(
            command, env={**environment, "FRNG_DRIVER": offer},
            pass_fds=[control.fileno(), shared, self.entropy], stderr=subprocess.PIPE)
        self.target_end = f"socket:[{os.fstat(control.fileno()).st_ino}]"
        control.close()
        os.close(shared)
        case.addCleanup(self.finish)
        self.hello = self.receive()

    def clear(self, records):
        wishes = (MAGIC, len(self.report), TRACE, records, 0, TABLE, self.rows_wanted, 0, 0, 0, CHOSEN,
                  CHOSEN_SIZE)
        self.report[:TABLE] = struct.pack("=12Q", *wishes).ljust(192, b"\0").ljust(
            256, b"\xff").ljust(TABLE, b"\0")
        self.report[TABLE:] = b"\xff" * (len(self.report) - TABLE)

    def receive(self):
        """The numbers of a message, or None if the target has ended."""
        message = self.control.recv(80)
        return struct.unpack("=10Q", message) if message else None

    def order(self, flags, seed, count, size, entropy=b"", digest=0, records=None):
        """The answer to an order, or None if the process has ended."""
        self.clear(self.records_wanted if records is None else records)
        os.ftruncate(self.entropy, 0)
        os.pwrite(self.entropy, entropy, 0)
        self.control.send(struct.pack("=10Q", 2, 0, flags, 0, 0, seed, count, size, digest, 0))
        return self.receive()

    def batch(self, *entropies, flags=0, digest=0):
        """Make runs. Return how many passed and the status, or None if the process has ended."""
        data = given(*entropies)
        done = self.order(flags | GIVEN, 0, len(entropies), len(data), data, digest)
        return None if done is None else (done[6], done[9])

    def records(self):
        """Kind, width, min, max, value and index of the records of the last run."""
        for i in range(min(self.number(TRACED), RECORDS)):
            *_, kind, width, low, high, value, index = struct.unpack_from(
                "=2Q2B6x4Q", self.report, TRACE + 56 * i)
            yield kind, width, low, high, value, index

    def told(self):
        """The report from the trace on, without the places of draws, which differ."""
        told = bytearray(self.report[TRACE:])
        for i in range(RECORDS):
            told[56 * i + 18:56 * i + 24] = bytes(6)
        return bytes(told)

    def places(self):
        """The depth and the site of each draw of the run."""
        return [struct.unpack_from("=HI", self.report, TRACE + 56 * i + 18) for i in range(self.number(TRACED))]

    def number(self, offset):
        return struct.unpack_from("=Q", self.report, offset)[0]

    def rows(self, count):
        return list(struct.unpack_from(f"={count}Q", self.report, TABLE))

    def site(self):
        return bytes(self.report[256:384]).partition(b"\0")[0].decode()

    def end(self):
        """The target's exit status after it has been hung up on."""
        self.control.close()
        return self.process.wait(PATIENCE_S)

    def finish(self):
        self.control.close()
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()
        os.close(self.entropy)


def choice(kind, width, number, is_drawn=False):
    """The bytes of a choice."""
    data = bytearray([kind | width - 1 << 4 | is_drawn << 7])
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    return bytes(data) + bytes([number])


def random_choices(r, draws):
    """A list of choices for these draws, kinds and widths, of which some are missing or others."""
    made = b""
    for kind, width in draws:
        number = r.getrandbits(64) >> r.randrange(64)
        if kind == 2 and width == 1:
            number &= 63  # 77 fails
        if r.random() < 0.9:
            made += choice(kind, width, number, kind == 5 and r.random() < 0.5)
        if r.random() < 0.05:
            made += choice(r.randrange(15), r.randrange(1, 9), number & 63)
    return made + choice(1, 8, 0) * r.randrange(2)


def orders(abilities):
    """Orders that a target with these abilities understands."""
    runs = given(b"", b"abc", b"", bytes(range(RECORDS + 37)))
    styles = (0, STYLED, HALF_STYLED) if abilities & CAN_STYLE else (0,)
    for records in 0, RECORDS:
        for style in styles if abilities & CAN_SEED else ():
            for flags in style, style | ONE_PROCESS, style | ONE_PROCESS | DIGESTS:
                yield {"flags": flags, "seed": 5, "count": 9 if flags & 1 else 1, "size": 137,
                       "digest": 3, "records": records}
            for size in 6, 9, 22:
                yield {"flags": ONE_PROCESS | style, "seed": 2 ** 64 - 2, "count": 4, "size": size,
                       "records": records}
        for flags in ONE_PROCESS, ONE_PROCESS | DIGESTS:
            yield {"flags": flags | GIVEN, "seed": 0, "count": 4, "size": len(runs),
                   "entropy": runs, "records": records, "digest": 3}
    if not abilities & CAN_SEED:
        return
    yield {"flags": ONE_PROCESS, "seed": 1, "count": 2, "size": 0}
    # Orders that make no sense: no runs, too many, and entropy files that are not what they say.
    for count in 0, (1 << 24) + 1:
        yield {"flags": ONE_PROCESS, "seed": 1, "count": count, "size": 3}
    wrong = struct.pack("2Q", 5, 3) + b"12345"
    for count, size, entropy in ((2, len(wrong), wrong), (2, 8, wrong[:8]), (1, 99, given(b"1")),
                                 (1, 12, struct.pack("Q", 5) + b"1234")):
        yield {"flags": ONE_PROCESS | GIVEN, "seed": 0, "count": count, "size": size,
               "entropy": entropy}
    yield {"flags": ONE_PROCESS, "seed": 7, "count": 3, "size": 12}

"""frng for Python: a test draws its decisions from bytes that exist before it starts and run out.

    @frng.main  # last in its file; a test that keeps state says @frng.main(fork=True)
    def test(f: frng.Frng) -> None:
        while True:  # until the entropy runs out: the run has passed
            assert f.u32(0, 10) != 7  # an exception fails the run

DRAWS.md and PROTOCOL.md of frng describe the draws and the driver's FRNG_DRIVER. License: MIT"""

from __future__ import annotations

import itertools
import mmap
import os
import struct
import sys
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, MutableSequence, Sequence

ALL, RECORD, MESSAGE = (1 << 64) - 1, struct.Struct("=QQBB6x4Q"), struct.Struct("=10Q")
BYTES, BOOL, UINT, INT, INDEX, WEIGHTED, F64, CHANCE, MORE, STEP, NOTE = *range(9), 254, 255
# Words of 64 bits in the report, by number, and flags of orders.
TRACE_OFFSET, TRACE_COUNT, STOP, RUNS_OFFSET, RUNS_COUNT, RUN = *range(2, 7), 16
DIGEST, DIGEST_DRAWN, TRACED, DRAWN, ONE_PROCESS, GIVEN = 19, 20, 21, 24, 1, 4


class OutOfEntropy(BaseException):
    """The run is over and has passed. Like SystemExit, `except Exception` lets it through."""


def _integer(width: int, least: int) -> Callable[..., int]:
    def draw(self: Frng, low: int = least, high: int = least + (1 << 8 * width) - 1) -> int:
        """Draw low..high, or any value, from as many bytes as the type has."""
        return self._draw(INT if least < 0 else UINT, width, low, high, least)

    return draw


class Frng:
    """Draws from entropy. Ranges include both ends. A wrong argument raises ValueError.
    `used` is the count of bytes drawn; `exhausted` is True once a draw has failed."""

    def __init__(self, entropy: bytes, report: Any = None, digests: bool = False) -> None:
        self.used, self.exhausted, self._size, self._digests = 0, False, len(entropy), digests
        self._entropy = entropy if len(entropy) > 1 << 16 else bytes(entropy)
        self._report = bytearray(384) if report is None else report
        self._words = memoryview(self._report)[:384].cast("Q")
        self._words[TRACED] = self._words[DRAWN] = 0
        self._records = digests or self._words[TRACE_COUNT] > 0

    @property
    def left(self) -> int:
        """Bytes not yet drawn. A failure of a test that looks at this does not bound the size."""
        return self._size - self.used

    def note(self, name: str, kind: int = NOTE) -> None:
        """Name the draws that follow, for a trace."""
        self._add(kind, self.used, 0, *struct.unpack("=4Q", name.encode()[:31].ljust(32, b"\0")))

    def step(self, name: str) -> None:
        """Begin an operation, for a trace: the draws up to the next step belong together."""
        self.note(name, STEP)

    def _add(self, kind: int, start: int, width: int, *numbers: int) -> None:
        if self._records:
            words, at = self._words, self._words[TRACED]
            record = start, self.used - start, kind, width, *(number & ALL for number in numbers)
            if at < words[TRACE_COUNT]:
                RECORD.pack_into(self._report, words[TRACE_OFFSET] + RECORD.size * at, *record)
            if self._digests and kind < STEP:
                words[DIGEST] = hash((words[DIGEST], *record)) & ALL
                words[DIGEST_DRAWN] = self.used
            words[TRACED] = at + 1

    def _run_out(self) -> None:
        self._size, self.exhausted = self.used, True
        raise OutOfEntropy

    def _draw(
        self, kind: int, width: int, low: int, high: int, least: int = 0, recorded: Any = None
    ) -> int:
        """Draw by Lemire's method. `recorded` returns what to record; False rejects the value."""
        start = end = self.used
        count, mask = high - low + 1, (1 << 8 * width) - 1
        if not least <= low <= high <= least + mask:
            raise ValueError(f"no range {low}..{high} in {least}..{least + mask}")
        while True:
            begin, end = end, end + width
            if end > self._size:
                self._run_out()
            value = int.from_bytes(self._entropy[begin:end], "little")
            if count <= mask:
                product = value * count
                if product & mask < count and product & mask < (mask + 1) % count:
                    continue
                value = low + (product >> 8 * width)
            elif value > high:  # the whole type takes the bytes as they are: zeros mean 0
                value -= count
            if kind != MORE or recorded(value):
                break
        self.used = self._words[DRAWN] = end
        if self._records:
            shown = recorded(value) if recorded else (low, high, value)
            self._add(kind, start, width, *shown, 0)
        return value

    u8, u16, u32, u64 = map(_integer, (1, 2, 4, 8), (0, 0, 0, 0))
    i8, i16, i32, i64 = map(_integer, (1, 2, 4, 8), (-1 << 7, -1 << 15, -1 << 31, -1 << 63))

    def f64(self) -> float:
        """Draw a multiple of 2**-53 in [0, 1), from 8 bytes."""
        return (self._draw(F64, 8, 0, ALL) >> 11) * 2.0**-53

    def index(self, count: int) -> int:
        """Draw 0..count-1, from 8 bytes."""
        return self._draw(INDEX, 8, 0, count - 1)

    def pick(self, items: Sequence[Any]) -> Any:
        """Draw an element, from the fewest bytes that hold its index."""
        top = len(items) - 1
        width = 1 if top < 1 << 8 else 2 if top < 1 << 16 else 4 if top < 1 << 32 else 8
        return items[self._draw(INDEX, width, 0, top)]

    def weighted(self, weights: Sequence[int]) -> int:
        """Draw an index, in proportion to its weight, from 8 bytes."""
        top = sum(weights) - 1 if min(weights, default=-1) >= 0 else -1
        number = self._draw(WEIGHTED, 8, 0, top)
        return next(i for i, end in enumerate(itertools.accumulate(weights)) if number < end)

    def swarm_weights(self, count: int) -> list[int]:
        """Draw weights of 1..100, 4 bytes each: drawn once, they make each run favour others."""
        return [self.u32(1, 100) for _ in range(count)]

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Shuffle in place, from 8 bytes for each element but the last."""
        for i in range(len(items) - 1):
            j = i + self.index(len(items) - i)
            items[i], items[j] = items[j], items[i]

    def chance(self, numerator: int, denominator: int) -> bool:
        """Draw True in `numerator` of `denominator` cases, from 4 bytes."""
        if not 0 <= numerator <= denominator or numerator % 1:
            raise ValueError(f"no chance {numerator}/{denominator}")
        odds = numerator, denominator
        number = self._draw(CHANCE, 4, 0, denominator - 1, 0, lambda n: (*odds, n < numerator))
        return number < numerator

    def more(self, count: int, low: int, high: int) -> bool:
        """Draw whether a list of low..high elements goes on after `count` of them, from 1 byte."""
        if not 0 <= low <= high or not count >= 0:
            raise ValueError(f"no list of {low}..{high} elements after {count}")
        mean = min((high - low) // 2, 15) + 1 if high > low else 16
        share = 256 * mean // (mean + 1)
        end, last = share // mean, share // mean + share - 1  # below `end`: the end of the list
        how = end | share << 16 | (2 if count < low else 1 if count >= high else 0) << 32
        floor, top = end if count < low else 0, end if count < high else 256
        return self._draw(MORE, 1, 0, last, 0, lambda n: n >= floor and (how, 1, n >= top)) >= top

    def bool(self) -> bool:
        """Draw a coin, from 1 byte."""
        return self._draw(BOOL, 1, 0, 255, 0, lambda n: (0, 1, n & 1)) & 1 == 1

    def bytes(self, count: int) -> bytes:
        """Draw the next bytes. A count of 0 always works."""
        start, end = self.used, self.used + count
        if count < 0:
            raise ValueError(f"no {count} bytes")
        if end > self._size:
            self._run_out()
        self.used = self._words[DRAWN] = end
        self._add(BYTES, start, 1, 0, count, 0, 0)
        return bytes(self._entropy[start:end])


def judge(test: Callable[[Frng], Any], f: Frng) -> Any:
    """Make a run, which passes unless the test raises. Then say where, and raise that again."""
    words, run, site, __tracebackhide__ = f._words, f._words[RUN], "", True  # in pytest
    try:
        if test(f) is not None:
            raise TypeError("the test returned a value: raise to fail, and call asyncio.run")
    except OutOfEntropy:
        pass
    except BaseException as error:
        rest = error.split(OutOfEntropy)[1] if hasattr(error, "split") else error  # of a group
        if not (rest is None or isinstance(rest, SystemExit) and rest.code in (None, 0)):
            trace = error.__traceback__
            while trace is not None:
                path = trace.tb_frame.f_code.co_filename
                if not any(x in path for x in (__file__, "/lib/python", "/lib64/python", "<")):
                    site = f"{os.path.basename(path)}:{trace.tb_lineno}"
                trace = trace.tb_next
            f._report[256:384] = site.encode()[-127:].ljust(128, b"\0")
            print(f"{site}: {type(error).__name__}: {error}".strip(": "), file=sys.stderr)
            raise
    if run < words[RUNS_COUNT]:
        struct.pack_into("=Q", f._report, words[RUNS_OFFSET] + 8 * run, f.used | f.exhausted << 63)


def _serve(test: Any, forks: bool, control: int, file: int, report: Any) -> Any:
    os.set_inheritable(control, False)
    words, server = memoryview(report)[:384].cast("Q"), os.getpid()
    libc: Any = forks and __import__("ctypes").CDLL(None)
    answer = MESSAGE.pack(1, 1, 6 if forks else 262, 8 * DRAWN, 8, 0, 0, 0, 0, 0)  # HELLO
    while os.write(control, answer) and len(order := os.read(control, MESSAGE.size)) > 0:
        _, _, flags, _, _, _, count, size, digested, _ = MESSAGE.unpack(order)
        data = memoryview(mmap.mmap(file, size, access=mmap.ACCESS_READ) if size > 0 else b"")
        table = 8 * count if flags & GIVEN else 0
        ends = [table + end for end in (0, *(data[:table].cast("Q") or (size,)))]
        words[RUN] = status = 0
        while words[RUN] < count and not (status or words[STOP]):
            last = count if flags & ONE_PROCESS or not forks else words[RUN] + 1
            child = os.fork() if forks else 0
            if child > 0:
                status = os.waitpid(child, 0)[1]
                words[RUN] += status == 0 and words[RUN] < last and not words[STOP]  # it has left
                continue
            if forks:
                libc.prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL: end with the server
                os.close(control) if os.getppid() == server else os._exit(125)
            while (run := words[RUN]) < last and not words[STOP]:
                judge(test, Frng(data[slice(ends[run], ends[run + 1])], report, run == digested))
                words[RUN] += 1
            if forks:
                sys.exit()
        answer = MESSAGE.pack(3, 0, 0, 0, 0, 0, words[RUN], 0, 0, status)  # DONE


def main(test: Any = None, *, fork: bool = False) -> Any:
    """Make runs, and exit: `@frng.main` or `frng.main(test)`, last in the file that is started."""
    if sys._getframe(1).f_locals.get("__name__", "__main__") != "__main__":  # at an import
        return test or (lambda test: test)
    if test is None:
        return lambda test: main(test, fork=fork)
    try:
        version, control, shared, file = map(int, os.environ.pop("FRNG_DRIVER", "").split(","))
        report = mmap.mmap(shared, 0)
        if version != 1 or report[:8] != struct.pack("=Q", 0x31747270676E7266):
            raise ValueError
    except (ValueError, OSError):
        control, report = -1, None
    if control >= 0:
        sys.exit(_serve(test, fork, control, file, report))
    try:
        name = os.environ.get("FRNG_INPUT")
        entropy = open(0 if name is None else os.open(name, 0), "rb", closefd=False).read()
    except OSError as error:
        print(f"frng: cannot read entropy: {error}", file=sys.stderr)
        sys.exit(125)
    sys.exit(judge(test, Frng(entropy, report)))

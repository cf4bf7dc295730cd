"""A test as a target of the tools: the main of a program, from entropy to a verdict.

    @frng.main  # last in its file
    def test(f: frng.Frng) -> None:
        while True:  # until the entropy runs out: the run has passed
            assert f.u32(0, 10) != 7  # an exception fails the run

A driver of PROTOCOL.md offers FRNG_DRIVER: then the process makes many runs, in itself or in forked
ones, on bytes or choices, and counts the labels of its runs. SPDX: MIT"""

from __future__ import annotations

import atexit
import builtins
import mmap
import os
import stat
import struct
import sys

from . import encode
from .draws import DRAWN, GOAL, LABEL, WANTS, OutOfEntropy
from .shared import NOT_KNOWN, VARIABLES
from .values import Frng

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn, TypeVar, overload

    Test = TypeVar("Test", bound=Callable[[Frng], object])

    from .draws import Draws

MESSAGE = struct.Struct("=10Q")
MAGIC = struct.pack("=Q", 0x31747270676E7266)  # of a report
STREAM_MIB = 256  # of entropy that is no file, and may have no end: a run takes less
# Words of 64 bits in the report, by number, and flags of orders and abilities.
STOP, RUNS_OFFSET, RUNS_COUNT, LABELS_OFFSET, LABELS_COUNT = range(4, 9)
CHOSEN_OFFSET, CHOSEN_SIZE, GUIDE_OFFSET, GUIDE_SIZE, RUN, MARKED = 10, 11, 14, 15, 16, 22
ONE_PROCESS, BATCHES, GIVEN, CHOSEN, IN_ITSELF, CAN_STAY = 1, 2, 4, 128, 256, 2048
CAN_CLIMB, NEWS, SITES, GUIDE_HEAD = 4096, 1 << 31, 1032, 66568
STAY, LEFTOVER, WARM, WENT_ON, STAYED = 256, 1, 4, 8, 16
ORDERS_MAX = 1024  # of a process that stays
HEAD, ROW, LABELS_MAX = 4208, 2144, 64
PACKAGE = os.path.dirname(__file__) + os.sep
GROUP = getattr(builtins, "BaseExceptionGroup", ())  # before Python 3.11 there is none
PYTHON = PACKAGE, "/lib/python", "/lib64/python", "<"  # whose lines are no place of a failure


class Choices:
    """The choices of a run, each a wish for one draw."""

    def __init__(self, data: bytes, room: int) -> None:
        self.data, self.at, self.seen, self.has_ended, self.room = data, 0, 0, False, room
        self.size = min(self._expected(), room)

    def _load(self, at: int) -> tuple[int, int, bool, int, int]:
        """Return kind, width, whether the number of a weighted draw is the one drawn, the number,
        and where the next choice begins; that is `at` where no choice is left."""
        head, number = self.data[at] if at < len(self.data) else 0, 0
        for i in range(at + 1, min(len(self.data), at + 11)):
            number |= (self.data[i] & 127) << 7 * (i - at - 1)
            if self.data[i] < 128:
                return head & 15, (head >> 4 & 7) + 1, head >= 128, number & (1 << 64) - 1, i + 1
        return 0, 1, False, 0, at

    def _expected(self) -> int:
        """Return the bytes that the choices take, if they are drawn as they stand."""
        at = size = 0
        while True:
            kind, width, _, number, after = self._load(at)
            if after == at or kind == 1 and width == 8:
                return size
            any_of = (kind, width, 0, (1 << 64) - 1, None, number)
            size += len(encode.encode(*any_of)) if kind in (10, 11, 12) else width
            at = after

    def _next(self, kind: int, width: int) -> tuple[bool, int]:
        """Take the next choice, if it is for such a draw; else the simplest one, and it stays."""
        found, its_width, is_drawn, number, after = self._load(self.at)
        self.has_ended = self.has_ended or after == self.at
        self.seen = max(self.seen, after)
        if after == self.at or found != kind or its_width != width and kind not in (4, 5):
            return False, 0
        self.at = after
        return is_drawn, number

    def encode(
        self, f: Draws, kind: int, width: int, low: int, high: int, weights: Sequence[int] | None
    ) -> bytes | None:
        """Return the bytes of the draw that begins, or None where the entropy ends."""
        found, its_width, _, _, after = self._load(self.at)
        if after > self.at and found == 1 and its_width == 8:  # the end of the entropy
            self.has_ended, self.seen = True, after
            return None
        left = self.room - f.used
        if kind == 0:
            if high > left:
                return None
            return bytes(self._next(kind, width)[1] & 255 for _ in range(high))
        is_drawn, number = self._next(kind, width)
        written = encode.encode(kind, width, low, high, None if is_drawn else weights, number)
        return written if len(written) <= left else None


class Labels:
    """The table of labels in the report: shares of the runs of an order."""

    def __init__(self, report: Any, words: Any) -> None:
        self.report, self.words, self.at = report, words, words[LABELS_OFFSET]
        self.rows: dict[tuple[int, str], int] = {}

    def _add(self, at: int, more: int = 1) -> None:
        struct.pack_into("=Q", self.report, at, more + struct.unpack_from("=Q", self.report, at)[0])

    def _count(self, at: int, value: int) -> None:
        """Count a value in a histogram."""
        count, least, most = struct.unpack_from("=3Q", self.report, at)
        least, most = min(least, value) if count else value, max(most, value)
        struct.pack_into("=3Q", self.report, at, count + 1, least, most)
        high = value.bit_length() - 1
        bucket = at + 24 + 4 * (
            value if value < 16 else 16 + (high - 4) * 8 + (value >> high - 3 & 7)
        )
        number = struct.unpack_from("=I", self.report, bucket)[0]
        struct.pack_into("=I", self.report, bucket, number + 1)

    def _row(self, i: int) -> int:
        row: int = self.at + HEAD + ROW * i
        return row

    def _find(self, kind: int, name: bytes) -> int:
        """Return the row of a name, which is added if it is new, or -1 if there is no room."""
        begin = name.ljust(56, b"\0") + struct.pack("=Q", kind)
        used: int = struct.unpack_from("=Q", self.report, self.at + 16)[0]
        for i in range(min(used, LABELS_MAX)):
            if self.report[self._row(i) : self._row(i) + len(begin)] == begin:
                return i
        if used >= min(self.words[LABELS_COUNT], LABELS_MAX):
            return -1
        self.report[self._row(used) : self._row(used) + ROW] = begin.ljust(ROW, b"\0")
        self._add(self.at + 16)
        return used

    def mark(self, kind: int, name: str, value: int) -> None:
        """Note a label, a measure or a goal of the run: it counts when the run ends."""
        i = self.rows.get((kind, name), -1)
        if i < 0 and (i := self._find(kind, name.encode()[:55])) < 0:
            self._add(self.at + 24)
            return
        self.rows[kind, name] = i
        if kind == GOAL and self.words[MARKED] >> i & 1:
            value = max(value, struct.unpack_from("=Q", self.report, self._row(i) + 64)[0])
        struct.pack_into("=Q", self.report, self._row(i) + 64, value & (1 << 64) - 1)
        self.words[MARKED] |= 1 << i

    def end_run(self, f: Draws) -> None:
        """Count the run that has ended."""
        self._add(self.at)
        self._count(self.at + 64, f.used)
        if f.discarded:
            self.words[MARKED] = 0
        elif f.exhausted:
            self._add(self.at + 8)
        elif f._count < 4:
            self._add(self.at + 32 + 8 * f._count)
        marked, self.words[MARKED] = self.words[MARKED], 0
        for i in range(marked.bit_length()):
            if marked >> i & 1:
                kind, value = struct.unpack_from("=2Q", self.report, self._row(i) + 56)
                count, _, most = struct.unpack_from("=3Q", self.report, self._row(i) + 72)
                if kind == GOAL and (count == 0 or value > most):  # buckets 496 and 497
                    which = self.words[RUN], f.used
                    struct.pack_into("=2I", self.report, self._row(i) + 2080, *which)
                self._count(self._row(i) + 72, f.used if kind == LABEL else value)


class Goals:
    """The table of goals of a guided order: how high each came, and the draws of runs."""

    def __init__(self, f: Draws) -> None:
        import collections

        self.f, self.at, self.run = f, f._words[GUIDE_OFFSET], f._words[RUN]
        self.has_news = False
        f._marks, f._records, f._newest = self.mark, True, collections.deque(maxlen=256)

    def mark(self, kind: int, name: str, value: int) -> None:
        """As high as ever is news, too, after less than three quarters of the bytes."""
        if kind != GOAL:
            return
        place = 0xCBF29CE484222325
        for byte in name.encode()[:55]:
            place = (place ^ byte) * 0x100000001B3 & (1 << 64) - 1
        row, used = self.at + SITES + 16 * (3840 + place % 256), self.f.used
        near, at, _ = struct.unpack_from("=Q2I", self.f._report, row)
        if value > near or value == near and used < at - at // 4:
            self.has_news = True
            struct.pack_into("=Q2I", self.f._report, row, value, used, self.run)

    def end_run(self) -> None:
        """Write the draws of a run that has passed."""
        report = self.f._report
        start = struct.unpack_from("=I", report, self.at + 8 + 4 * self.run)[0]
        used = struct.unpack_from("=Q", report, self.at)[0]
        if self.has_news or not start & NEWS:
            for number, kind, width, first, end, *numbers in self.f._newest or ():
                if self.has_news or end > start & ~NEWS:
                    head = 1, kind, width, 0, self.run, number, first, end, *numbers
                    struct.pack_into("=4BI6Q8x", report, self.at + GUIDE_HEAD + 64 * used, *head)
                    used += 1
        struct.pack_into("=Q", report, self.at, used)


def goals_are_full(report: Any, words: Any) -> bool:
    """Return whether the table of goals has no room for another run."""
    used = struct.unpack_from("=Q", report, words[GUIDE_OFFSET])[0]
    return bool(words[GUIDE_SIZE] and (words[GUIDE_SIZE] - GUIDE_HEAD) // 64 - used < 1024)


# ---- How the program is called ----


def misspelt() -> str | None:
    """Return a line on a variable that is almost one of frng's: it is the beginning of one, or differs
    in at most two neighboring letters."""
    for name in os.environ:
        variables = ["FRNG_" + known for known in VARIABLES] if name[:5] == "FRNG_" else []
        for known in variables if name not in variables else ():
            word, wanted = name.upper(), known
            same = len(os.path.commonprefix([word, wanted]))
            same += len(os.path.commonprefix([word[same:][::-1], wanted[same:][::-1]]))
            is_begun = len(word) >= 8 and wanted.startswith(word)
            if is_begun or max(len(word), len(wanted)) - same <= 2:
                return f"{name} {NOT_KNOWN} {known}?"
    return None


def _unread() -> str | None:
    """Return a line on a variable that is set for a check, which one run does not read."""
    names = (f"FRNG_{name}" for name in ("SEARCH", "REPLAY", "RUNS", "SEED", "PROFILE"))
    name = next((name for name in names if os.environ.get(name)), None)
    return name and f"{name} is read by checks alone"


def quoted(words: Sequence[str]) -> str:
    """Return a command as any POSIX shell takes it, and no terminal obeys it."""
    import shlex

    def quote(word: str) -> str:
        if word.isprintable():
            return shlex.quote(word)
        body = word.rstrip("\n")  # as the shell does in $(...); the third character of IFS is one
        octal = "".join(f"\\{byte:03o}" for byte in body.encode(errors="surrogateescape"))
        return f"\"$(printf '{octal}')\"" + '"${IFS#??}"' * (len(word) - len(body))

    return " ".join(map(quote, words))


def _usage(words: Sequence[str] = ()) -> str:
    """Return two lines on how to run this program with such arguments."""
    script, more = sys.argv[0], f" {quoted(words)}" if words else ""
    run = quoted([script if "/" in script else f"./{script}"])
    search = f"{run} --" if more else run
    if not os.access(script, os.X_OK):
        search, run = f"python3 -- {quoted([script])}", f"python3 {quoted([script])}"
    return (f"  frng-search {search}{more}  finds the smallest input that fails\n"
            f"  {run}{more} <FILE  runs the bytes of a file, as FRNG_INPUT=FILE does")


def has_driver(offer: str) -> bool:
    """Return whether a driver of any version has made this offer, and to this process: a report is
    behind the descriptor, of either byte order."""
    version, *numbers = offer.split(",")
    is_offer = len(numbers) > 2 and all(word.removeprefix("-").isdecimal() for word in numbers)
    if not (is_offer and version.isdecimal() and version[0] != "0"):
        return False
    try:
        return os.pread(int(offer.split(",")[2]), 8, 0) in (MAGIC, MAGIC[::-1])
    except (OSError, OverflowError):
        return False


def refuse(line: str) -> NoReturn:
    """End: the program was called in vain. Drivers know such a line."""
    print(f"frng: usage: {line}", file=sys.stderr)
    sys.exit(2)


class Refused(SystemExit, ValueError):
    """A check or a finding is not judged. A test runner fails with its line; a program that nobody
    runs ends with that, and its status."""

    def __init__(self, line: str, status: int = 2) -> None:
        super().__init__(line)
        self.status = status

    @property
    def code(self) -> int:  # type: ignore[override]
        """The status, which Python asks for where nobody has caught the error: so say why."""
        print(f"frng: {self}", file=sys.stderr)
        return self.status


def of_runner(line: str) -> BaseException | None:
    """Return an error that pytest, if it runs, shows as this line."""
    runner: Any = "PYTEST_CURRENT_TEST" in os.environ and sys.modules.get("pytest")
    return runner.fail.Exception(line, pytrace=False) if runner else None


class Word(str):
    """An argument of a command, told apart from an equal one: a value of -k may name a test, too."""


def item_of_pytest() -> Any:
    """Return what the pytest in progress calls, or None."""
    frame: Any = sys._getframe()
    while frame is not None and frame.f_code.co_name != "pytest_runtest_call":
        frame = frame.f_back
    return frame and frame.f_locals.get("item")


def of_pytest() -> tuple[str, list[str]]:
    """Return the folder where the pytest in progress was started, and its options, without names of
    tests, and those that only say how it shows or repeats them. Without it: this folder, and none."""
    config = getattr(item_of_pytest(), "config", None)
    if config is None:
        return os.getcwd(), []
    import re

    given = config.invocation_params
    worker = getattr(config, "workerinput", None)  # of xdist
    words = [Word(word) for word in (worker["mainargv"][1:] if worker else given.args)]
    tests = {id(word) for word in config._parser.parse(words).file_or_dir}
    return str(given.dir), [word for word in words
                            if id(word) not in tests and not re.fullmatch("-([flqsvx]+|-)", word)]


def refused(line: str, status: int = 2) -> BaseException:
    """Return the error to raise where nothing is judged."""
    return of_runner(line) or Refused(line, status)


def _check_arguments() -> None:
    """End if there are arguments: main has none."""
    first = sys.argv[1] if len(sys.argv) > 1 else None
    if first in ("--help", "-h") and not has_driver(os.environ.get("FRNG_DRIVER", "")):
        print(f"A test of frng, with no other argument than --help:\n{_usage()}")
        sys.exit()
    if first is not None:
        refuse(f"unknown argument {first!r}: see --help; a test with arguments calls frng.run")


def _check_entropy() -> None:
    """End if nobody gives bytes: an empty file or pipe gives none, which is an input."""
    try:
        status = os.fstat(0)
        is_null = stat.S_ISCHR(status.st_mode) and status.st_rdev == os.makedev(1, 3)
        if not is_null and not os.isatty(0):
            return
    except OSError:  # it is closed
        pass
    words = _usage(sys.argv[1:])
    refuse(f"no entropy: stdin is a terminal, /dev/null or closed\n{words}")


# ---- One run ----


def is_outside(trace: Any) -> bool:
    """Return whether a line of a traceback is Python's or a package's."""
    return any(part in trace.tb_frame.f_code.co_filename for part in PYTHON)


def site_of(error: BaseException) -> str:
    """Return file:line of the innermost line outside of Python and its packages, of a group the
    line of its last exception, of a stack overflow the least that recurs: its end is chance."""
    sites: list[str] = []
    trace = error.__traceback__
    group: Any = error  # mypy knows no type that is there from Python 3.11 on
    rest = group.split(OutOfEntropy)[1] if isinstance(error, GROUP) else None
    if rest is not None and (inner := site_of(rest.exceptions[-1])):
        return inner
    while trace is not None:
        path = trace.tb_frame.f_code.co_filename
        if not is_outside(trace):
            sites.append(f"{os.path.basename(path)}:{trace.tb_lineno}")
        trace = trace.tb_next
    if isinstance(error, RecursionError):
        counts = {site: sites.count(site) for site in set(sites)}
        sites = sorted((s for s in counts if counts[s] * 2 >= max(counts.values())), reverse=True)
    return sites[-1] if sites else ""


def leaves(error: BaseException) -> bool:
    """Return whether an exception was raised while the end of the entropy left the test. Else the
    test has caught that, as a bare except does, and what it did then counts no more."""
    seen: BaseException | None = error
    while seen is not None and not isinstance(seen, OutOfEntropy):
        seen = seen.__context__
    return seen is not None


def fails(error: BaseException, f: Draws) -> bool:
    """Return whether an exception is a failure of the run, not the end of its entropy or an exit."""
    split = getattr(error, "split", None)
    rest = split(OutOfEntropy)[1] if split is not None else error  # of a group
    if rest is None or isinstance(rest, OutOfEntropy):
        return False
    if isinstance(rest, SystemExit) and rest.code in (None, 0):
        return False
    return not f.exhausted or rest is not error or leaves(error)


def refuse_value(result: object, who: str) -> None:
    """Raise if a test, rule or invariant returned a value: nobody looks at False or a coroutine."""
    if result is not None:
        raise TypeError(f"{who} returned a value: raise to fail, and call asyncio.run")


def failure_of(test: Callable[[Any], Any], f: Draws) -> BaseException | None:
    """Make a run. Return what it raised, or what ended a thread of it, unless it has passed."""
    __tracebackhide__ = True  # in pytest
    threading: Any = sys.modules.get("threading")
    ends: list[BaseException] = []
    if threading is not None:
        hook, threading.excepthook = threading.excepthook, lambda end: ends.append(end.exc_value)
    try:
        refuse_value(test(f), "the test")
    except BaseException as error:
        if not isinstance(error, Exception) and fails(error, f):
            error.__cause__ = next(iter(ends), None)
            ends.clear()  # a hang is one, whatever has led to it: reruns would hang, too
        ends.append(error)
    if threading is not None:
        threading.excepthook = hook
    return next((error for error in ends if fails(error, f)), None)


def judge(test: Callable[[Any], Any], f: Draws) -> None:
    """Make a run, which passes unless the test raises. Then say where, and raise that again."""
    __tracebackhide__ = True
    words, choices = f._words, f._choices
    run, labels = words[RUN], None
    if words[LABELS_COUNT] > 0:
        labels = Labels(f._report, words)
        f._marks, words[MARKED] = labels.mark, 0
    goals = Goals(f) if words[GUIDE_SIZE] > GUIDE_HEAD else None
    error = failure_of(test, f)
    if error is not None:
        site = site_of(error)
        f._report[256:384] = site.encode()[-127:].ljust(128, b"\0")
        print(f"{site}: {type(error).__name__}: {error}".strip(": "), file=sys.stderr)
        raise error
    if labels is not None:
        labels.end_run(f)
    if goals is not None:
        goals.end_run()
    if run < words[RUNS_COUNT]:
        used, ran_out, discarded = f.used, f.exhausted, f.discarded and words[WANTS] >> 3 & 1
        if choices is not None:
            used, ran_out = choices.seen, ran_out or choices.has_ended
        struct.pack_into("=Q", f._report, words[RUNS_OFFSET] + 8 * run, used | ran_out << 63 | discarded << 62)


# ---- Many runs ----


def _generator(data: Any, report: Any, digests: bool, is_chosen: bool) -> Frng:
    """Return the generator of a run on bytes, or on choices, which become bytes in the report."""
    if not is_chosen:
        return Frng(data, report, digests)
    words = memoryview(report)[:384].cast("Q")
    room = words[CHOSEN_SIZE]
    choices = Choices(bytes(data), room)
    chosen = memoryview(report)[words[CHOSEN_OFFSET] : words[CHOSEN_OFFSET] + room]
    f = Frng(chosen, report, digests, choices)
    f._size = choices.size
    return f


def _next_order(control: int, answer: bytes) -> bytes:
    """Send an answer, and return the next order, or nothing where the driver has hung up."""
    try:
        os.write(control, answer)
        return os.read(control, MESSAGE.size)
    except ConnectionError:
        return b""


class Order:
    """An order of the driver, with the bytes of its runs."""

    def __init__(self, message: bytes, file: int) -> None:
        _, _, self.flags, _, _, _, self.count, size, self.digested, _ = MESSAGE.unpack(message)
        self.data = memoryview(mmap.mmap(file, size, access=mmap.ACCESS_READ) if size > 0 else b"")
        table = 8 * self.count if self.flags & GIVEN else 0
        self.ends = [table + end for end in (0, *(self.data[:table].cast("Q") or (size,)))]

    def make(self, test: Any, report: Any, last: int, goes_on: bool) -> int:
        """Make runs up to number `last`. Return 0, or the wait status of the first that fails, if the
        process can go on after that."""
        words = memoryview(report)[:384].cast("Q")
        while (run := words[RUN]) < last and not (words[STOP] or goals_are_full(report, words)):
            bytes_of = self.data[slice(self.ends[run], self.ends[run + 1])]
            f = _generator(bytes_of, report, run == self.digested, self.flags & CHOSEN > 0)
            try:
                judge(test, f)
            except Exception as error:
                if not (goes_on and can_fork()):
                    raise
                sys.excepthook(type(error), error, error.__traceback__)
                return 1 << 8
            words[RUN] += 1
        return 0


class Staying:
    """The process that stays between orders, as frng_stay.h has it: it stops after each."""

    def __init__(self, forks: bool) -> None:
        if forks:
            import signal

            self.stop, self.cont = signal.SIGSTOP, signal.SIGCONT
        self.shared = mmap.mmap(-1, 2 * MESSAGE.size)  # an order, and its answer
        self.answer = memoryview(self.shared)[MESSAGE.size :].cast("Q")
        self.child = 0

    def resume(self, message: bytes) -> int:
        """Let the process make the runs of an order. Return its pid, or 0 where there is none."""
        self.shared[: 2 * MESSAGE.size] = message.ljust(2 * MESSAGE.size, b"\0")
        if self.child > 0:
            os.kill(self.child, self.cont)
        return self.child

    def wait(self, child: int) -> tuple[int, int]:
        """Wait until the process stops or ends. Return the flags of DONE, and the wait status."""
        status, is_warm = os.waitpid(child, os.WUNTRACED)[1], WARM if child == self.child else 0
        while os.WIFSTOPPED(status) and not self.answer[0]:  # the test stops itself
            status = os.waitpid(child, os.WUNTRACED)[1]
        has_told = status == 0 or os.WIFSTOPPED(status)
        told, self.child = self.answer[1], child if os.WIFSTOPPED(status) else 0
        flags = is_warm | (self.answer[2] if has_told else 0)
        return (flags | WENT_ON, told) if has_told and told else (flags, 0 if has_told else status)

    def go_on(self, test: Any, report: Any, file: int, status: int) -> NoReturn:
        """Tell the server how an order has ended, in the process that stays, and make the next one."""
        orders = 0
        while True:
            sys.stdout.flush()
            try:
                self.answer[2] = LEFTOVER if os.waitpid(-1, os.WNOHANG)[0] == 0 else 0
            except ChildProcessError:
                pass
            orders, self.answer[1], self.answer[0] = orders + 1, status, 1
            if orders == ORDERS_MAX or self.answer[2]:
                os._exit(0)
            os.kill(os.getpid(), self.stop)
            order = Order(self.shared[: MESSAGE.size], file)
            status = order.make(test, report, order.count, True)


def _leave(status: int) -> NoReturn:
    """End a forked process with its exit handlers. To take the interpreter apart, too, would be ten
    times the cost of the fork."""
    if "threading" in sys.modules:
        sys.modules["threading"]._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _serve(test: Any, forks: bool, control: int, file: int, report: Any) -> Any:
    os.set_inheritable(control, False)
    words, server = memoryview(report)[:384].cast("Q"), os.getpid()
    libc: Any = forks and __import__("ctypes").CDLL(None)
    can_stay = CAN_STAY if os.environ.get("FRNG_NO_JUMP", "") in ("", "0") else 0
    abilities = BATCHES | GIVEN | CHOSEN | CAN_CLIMB | can_stay | (0 if forks else IN_ITSELF)
    staying = Staying(forks)
    answer = MESSAGE.pack(1, 1, abilities, 8 * DRAWN, 8, 0, 0, 0, 0, 0)  # HELLO
    while message := _next_order(control, answer):
        order, done = Order(message, file), 0
        stays = order.flags & STAY > 0
        words[RUN] = status = 0
        while words[RUN] < order.count and not (
            status or words[STOP] or goals_are_full(report, words)
        ):
            last = order.count if order.flags & ONE_PROCESS or not forks else words[RUN] + 1
            child = forks and ((stays and staying.resume(message)) or os.fork())
            if child and stays:
                done, status = staying.wait(child)
            elif child:
                status = os.waitpid(child, 0)[1]
            if child:
                words[RUN] += status == 0 and words[RUN] < last and not words[STOP]  # it has left
                continue
            if forks:
                libc.prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL: end with the server
                os.close(control) if os.getppid() == server else os._exit(125)
            status = order.make(test, report, last, stays or forks)
            done = WENT_ON if status else 0
            if forks and stays:
                staying.go_on(test, report, file, status)
            if forks:
                _leave(status >> 8)
        done |= STAYED if staying.child else 0
        answer = MESSAGE.pack(3, 0, done, 0, 0, 0, words[RUN], 0, 0, status)  # DONE


def can_fork() -> bool:
    """Return whether forked processes can make the runs: threads would be missing there."""
    threading = sys.modules.get("threading")
    return threading is None or threading.active_count() == 1


def is_alone() -> bool:
    """Return whether no other thread runs, not even one that Python does not know."""
    return can_fork() and len(os.listdir("/proc/self/task")) == 1


def run(test: Callable[[Any], Any], fork: bool | None = None) -> Any:
    """Make a run on stdin or the file FRNG_INPUT, or those that a driver asks for, and exit: for a
    program with arguments of its own. Runs for a driver are in forked processes, unless `fork` is
    False, or not given while there is another thread, of a library in C too."""
    offer, name = os.environ.pop("FRNG_DRIVER", ""), os.environ.get("FRNG_INPUT")
    try:
        version, control, shared, file = map(int, offer.split(","))
        report: Any = mmap.mmap(shared, 0)
        if version != 1 or report[:8] != MAGIC:
            raise ValueError
    except (ValueError, OSError, OverflowError):
        control, report = -1, None
    if control >= 0:
        sys.exit(_serve(test, is_alone() if fork is None else fork, control, file, report))
    is_plain = not has_driver(offer)
    if is_plain:
        for line in filter(None, (misspelt(), _unread())):
            print(f"frng: {line}", file=sys.stderr)
        if name is None:
            _check_entropy()
    try:
        stream = open(0 if name is None else os.open(name, 0), "rb", closefd=False)
        has_end = not is_plain or stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
        entropy = stream.read(-1 if has_end else STREAM_MIB << 20)
    except OSError as error:
        print(f"frng: cannot read entropy: {error}", file=sys.stderr)
        sys.exit(125)
    if not has_end and len(entropy) == STREAM_MIB << 20:
        refuse(f"{name or 'stdin'} is no file, and has {STREAM_MIB} MiB or more: name a file of them, "
               "or take less")
    judge(test, Frng(entropy, report))
    sys.exit()


if TYPE_CHECKING:

    @overload
    def main(test: Test, *, fork: bool | None = None) -> Test: ...
    @overload
    def main(*, fork: bool | None = None) -> Callable[[Test], Test]: ...


def main(test: Any = None, *, fork: bool | None = None) -> Any:
    """Make runs, and exit: `@frng.main` or `frng.main(test)`, last in the file that is started. It
    takes no arguments."""
    if sys._getframe(1).f_locals.get("__name__", "__main__") != "__main__":  # at an import
        return test or (lambda test: test)
    _check_arguments()
    if test is None:
        return lambda test: run(test, fork)
    return run(test, fork)

"""A run that shows its draws by name and value, for the report of a failure.

A draw has the name of the variable that it is assigned to, `xs = f.lists(f.u8)`, or that of a note
before it, or else its own. Draws within a draw are parts of its value. After a step, the draws that
follow are its arguments, so that each operation is one line: push(x = 3). Those that choose a step
come before it, from the same lines of the test as before the first one: they are its own. SPDX: MIT"""

from __future__ import annotations

import dis
import functools
import itertools
import sys

from .target import PACKAGE
from .values import Frng

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any, TypeVar

    Place = list[tuple[Any, int]]
    S = TypeVar("S", bound="Shown")

LOADS = "LOAD_FAST", "LOAD_NAME", "LOAD_GLOBAL", "LOAD_DEREF"
VALUE_MAX = 1000  # characters of a value
DRAWS = """bool booleans chance bytes binary u8 u16 u32 u64 i8 i16 i32 i64 u8_mixed u16_mixed
    u32_mixed u64_mixed i8_mixed i16_mixed i32_mixed i64_mixed integers f64 f64_any f64_range
    floats index pick element sampled_from one_of weighted pick_weighted swarm_weights swarm
    subset permutation permutations shuffle more string text date date_range dates times datetimes
    timedeltas lists list sets dictionaries draw regex depth thing take_thing""".split()


class Told:
    """A draw, or a line: its text, the lines of the test that led to it, its value if it has a name."""

    def __init__(self, text: str, place: Place, value: str | None = None) -> None:
        self.text, self.place, self.value = text, place, value


class Step:
    """An operation with its draws; or draws and lines without one."""

    def __init__(self, name: str | None, draws: list[Told]) -> None:
        self.name, self.draws = name, draws

    def lines(self) -> list[str]:
        texts = [draw.text for draw in self.draws]
        return texts if self.name is None else [f"{self.name}({', '.join(texts)})"]

    def choose(self, draws: list[Told]) -> None:
        """Take the draws that chose it. One without a name, or of the step's name, says nothing new."""
        self.draws[:0] = [draw for draw in draws if draw.value not in (None, repr(self.name))]


def place_of(frame: FrameType | None) -> Place:
    """Return the lines of the test that led to a draw; none where this package makes it."""
    place = []
    while frame is not None and not frame.f_code.co_filename.startswith(PACKAGE):
        place.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return place


def assigned(frame: FrameType) -> str | None:
    """Return the names that the call in progress in a frame is assigned to, `a, b`."""
    names: list[str] = []
    wanted, owner = 1, None
    for step in dis.get_instructions(frame.f_code):
        if step.offset <= frame.f_lasti or step.opname in ("CACHE", "COPY", "DUP_TOP"):
            continue
        if step.opname == "UNPACK_SEQUENCE" and not names:
            wanted = step.argval
        elif step.opname == "STORE_ATTR" and owner is not None:
            return f"{owner}.{step.argval}"
        elif step.opname.startswith("STORE_") and isinstance(step.argval, (str, tuple)):
            names += [step.argval] if isinstance(step.argval, str) else step.argval
            if names[-1].startswith("@"):  # of the asserts of pytest
                return None
            if len(names) >= wanted:
                return ", ".join(names)
        elif step.opname.startswith(LOADS) and owner is None and not names:
            owner = step.argval
        else:
            return None
    return None


def _shown(name: str) -> Callable[..., Any]:
    draw = getattr(Frng, name)

    @functools.wraps(draw)
    def show(self: Shown, *arguments: Any, **options: Any) -> Any:
        __tracebackhide__ = True
        if self._depth > 0:
            return draw(self, *arguments, **options)
        given, self._noted = self._noted, None
        self._depth = 1
        try:
            value = draw(self, *arguments, **options)
        finally:
            self._depth = 0
        shown = repr(arguments[0] if name == "shuffle" else value)
        shown = shown if len(shown) <= VALUE_MAX else shown[:VALUE_MAX] + "..."
        frame = sys._getframe(1)
        named = given or assigned(frame)
        told = Told(f"{named or name} = {shown}", place_of(frame), shown if named else None)
        self._steps[-1].draws.append(told)
        return value

    show.__qualname__ = f"Frng.{name}"  # pytest shows methods by theirs
    return show


class Shown(Frng):
    def __init__(self, entropy: bytes) -> None:
        super().__init__(entropy)
        self._depth, self._noted = 0, None
        self._steps = [Step(None, [])]
        self._first: Step | None = None
        self._head: list[Told] = []  # before the first step

    def __repr__(self) -> str:
        return f"<frng: {self.used} bytes drawn>"

    _noted: str | None

    @property
    def lines(self) -> list[str]:
        return [line for step in self._steps for line in step.lines()]

    def note(self: S, name: str, kind: int = 0) -> S:
        self._noted = name
        return self

    def step(self, name: str) -> None:
        self._noted = None
        before, step = self._steps[-1].draws, Step(name, [])
        self._steps.append(step)
        if self._first is None:
            self._first, self._head = step, list(before)
            return
        pairs = zip(reversed(before), reversed(self._head))
        same = itertools.takewhile(lambda pair: pair[0].place == pair[1].place != [], pairs)
        if count := len(list(same)):
            step.choose(before[-count:])
            del before[-count:]
            if len(self._steps[0].draws) == len(self._head):  # the first one was chosen so, too
                self._first.choose(self._head[-count:])
                del self._steps[0].draws[-count:]

    def say(self, line: str) -> None:
        said = Told(f"# {line}", [])
        if self._first is None:
            self._steps[0].draws.append(said)
        else:
            self._steps.insert(-1, Step(None, [said]))

    def _untold(self, make: Callable[[], Any]) -> Any:
        self._depth += 1
        try:
            return make()
        finally:
            self._depth -= 1


for _name in DRAWS:
    setattr(Shown, _name, _shown(_name))

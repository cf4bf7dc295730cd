"""A run that shows its draws by name and value, for the report of a failure.

A draw has the name of the variable that it is assigned to, `xs = f.lists(f.u8)`, or that of a note
before it, or else its own. Draws within a draw are parts of its value. After a step, the draws that
follow are its arguments, so that each operation is one line: push(x = 3). SPDX: MIT"""

from __future__ import annotations

import dis
import functools
import sys

from .values import Frng

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

LOADS = "LOAD_FAST", "LOAD_NAME", "LOAD_GLOBAL", "LOAD_DEREF"
VALUE_MAX = 1000  # characters of a value
DRAWS = """bool booleans chance bytes binary u8 u16 u32 u64 i8 i16 i32 i64 u8_mixed u16_mixed
    u32_mixed u64_mixed i8_mixed i16_mixed i32_mixed i64_mixed integers f64 f64_any f64_range
    floats index pick element sampled_from one_of weighted pick_weighted swarm_weights swarm
    subset permutation permutations shuffle more string text date date_range dates times datetimes
    timedeltas lists list sets dictionaries draw regex depth thing take_thing""".split()


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
        self._show(f"{given or assigned(sys._getframe(1)) or name} = {shown}")
        return value

    show.__qualname__ = f"Frng.{name}"  # pytest shows methods by theirs
    return show


class Shown(Frng):
    def __init__(self, entropy: bytes) -> None:
        super().__init__(entropy)
        self.lines: list[str] = []
        self._depth, self._noted, self._step = 0, None, None
        self._arguments: list[str] = []

    def __repr__(self) -> str:
        return f"<frng: {self.used} bytes drawn>"

    _noted: str | None
    _step: str | None

    def _show(self, text: str) -> None:
        if self._step is None:
            self.lines.append(text)
        else:
            self._arguments.append(text)
            self.lines[-1] = f"{self._step}({', '.join(self._arguments)})"

    def note(self, name: str, kind: int = 0) -> None:
        self._noted = name

    def step(self, name: str) -> None:
        self._step, self._noted, self._arguments = name, None, []
        self.lines.append(f"{name}()")

    def say(self, line: str) -> None:
        self.lines.insert(len(self.lines) - int(self._step is not None), f"# {line}")

    def _untold(self, make: Callable[[], Any]) -> Any:
        self._depth += 1
        try:
            return make()
        finally:
            self._depth -= 1


for _name in DRAWS:
    setattr(Shown, _name, _shown(_name))

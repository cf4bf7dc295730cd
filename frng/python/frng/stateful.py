"""A stateful test: a machine whose rules are taken in any order until the entropy runs out.

    class Stack(frng.Machine):
        def __init__(self) -> None:
            self.mine, self.model = MyStack(), []

        @frng.rule(x=lambda f: f.u8())
        def push(self, x: int) -> None: ...

        @frng.rule(weight=2)
        @frng.precondition(lambda self: self.model)
        def pop(self) -> None: ...

        @frng.invariant
        def counts(self) -> None: ...

    test_stack = frng.check(Stack)

Each run draws small weights at first, which switch some rules off (swarm testing), and then a rule
by these weights, its arguments, the next rule. Each rule is a step of the trace. SPDX: MIT"""

from __future__ import annotations

import inspect

from .target import refuse_value
from .values import Discarded, Frng

TYPE_CHECKING = False
if TYPE_CHECKING:
    import unittest
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar, Union, overload

    Function = TypeVar("Function", bound=Callable[..., Any])
    Draw = Union["Bundle", Callable[[Frng], Any]]


class Bundle:
    """What rules have returned, for arguments of later ones: `@rule(target=keys)` adds the result
    of a rule to the bundle `keys`, and `@rule(key=keys)` draws one of them."""

    def __init__(self, name: str = "bundle") -> None:
        self.name = name


class _Rule:
    """A method that changes the machine, and how its arguments are drawn."""

    def __init__(self, weight: int, target: Bundle | None, first: bool, draws: Any) -> None:
        self.weight, self.target, self.is_first, self.draws = weight, target, first, draws

    def of(self, function: Callable[..., Any], conditions: Any) -> _Rule:
        """Return the rule for a function, which takes the generator unless all is drawn for it."""
        self.function, self.conditions = function, conditions
        names = list(inspect.signature(function).parameters)[1:]
        values = [name for name, it in self.draws.items() if not callable(it)]
        values = [name for name in values if not isinstance(self.draws[name], Bundle)]
        if values:
            raise TypeError(f"{function.__qualname__}: {values[0]!r} is drawn by a function, "
                            f"{values[0]}=lambda f: f.integers(0, 9), or from a Bundle")
        unknown = [name for name in self.draws if name not in names]
        free = [name for name in names if name not in self.draws]
        if unknown or len(free) > 1:
            raise TypeError(f"{function.__qualname__}: no draw for {(unknown or free)[-1]!r}")
        self.generator = free[0] if free else None
        return self

    def is_enabled(self, machine: Machine) -> bool:
        bundles = (draw for draw in self.draws.values() if isinstance(draw, Bundle))
        return all(machine.values_of(bundle) for bundle in bundles) and all(
            condition(machine) for condition in self.conditions
        )

    def take(self, machine: Machine, f: Frng) -> None:
        __tracebackhide__ = True
        f.step(self.function.__name__)
        arguments: dict[str, Any] = {} if self.generator is None else {self.generator: f}
        try:
            for name, draw in self.draws.items():
                f.note(name)
                if isinstance(draw, Bundle):
                    arguments[name] = f.pick(machine.values_of(draw))
                else:
                    arguments[name] = f.draw(draw)
            result = self.function(machine, **arguments)
        except Discarded:  # the rule is over, and the run goes on
            f.discarded = False
            return
        if self.target is None or inspect.iscoroutine(result):
            refuse_value(result, getattr(self.function, "__name__", "it") + ", a rule,")
        else:
            machine.values_of(self.target).append(result)


def _rule(function: Any, weight: int, target: Bundle | None, first: bool, draws: Any) -> Any:
    def mark(function: Any) -> Any:
        function.frng_rule = _Rule(weight, target, first, draws)
        return function

    return mark if function is None else mark(function)


if TYPE_CHECKING:

    @overload
    def rule(function: Function) -> Function: ...
    @overload
    def rule(
        *, weight: int = 1, target: Bundle | None = None, **draws: Draw
    ) -> Callable[[Function], Function]: ...


def rule(
    function: Any = None, *, weight: int = 1, target: Bundle | None = None, **draws: Any
) -> Any:
    """Make a rule of a method. Arguments are drawn by functions of the generator, or from bundles:
    `@rule(x=lambda f: f.u8(), key=keys)`; a further argument of the method is the generator."""
    return _rule(function, weight, target, False, draws)


def precondition(condition: Callable[[Any], object]) -> Callable[[Function], Function]:
    """Take a rule, or check an invariant, only while a function of the machine is true."""

    def mark(function: Function) -> Function:
        conditions = getattr(function, "frng_conditions", [])
        function.frng_conditions = [*conditions, condition]  # type: ignore[attr-defined]
        return function

    return mark


if TYPE_CHECKING:

    @overload
    def initialize(function: Function) -> Function: ...
    @overload
    def initialize(
        *, target: Bundle | None = None, **draws: Draw
    ) -> Callable[[Function], Function]: ...


def initialize(function: Any = None, *, target: Bundle | None = None, **draws: Any) -> Any:
    """Make a rule that each run takes once, before all others."""
    return _rule(function, 1, target, True, draws)


class _TestCase:
    """The machine as a class of unittest, as that of Hypothesis."""

    def __get__(self, _: Any, machine: type[Machine]) -> type[unittest.TestCase]:
        import unittest

        from .runner import check

        class Case(unittest.TestCase):
            def runTest(self) -> None:
                __tracebackhide__ = True
                check(machine)()

        Case.__name__, Case.__module__ = f"{machine.__name__}.TestCase", machine.__module__
        return Case


if TYPE_CHECKING:

    @overload
    def invariant(function: Function) -> Function: ...
    @overload
    def invariant() -> Callable[[Function], Function]: ...


def invariant(function: Any = None) -> Any:
    """Call a method at first, and after each rule: it asserts what always holds."""
    if function is None:
        return invariant
    function.frng_invariant = True
    return function


class Machine:
    """A stateful test. A class of its own has methods that are rules and invariants."""

    swarm = True  # each run favours some rules, and switches some off
    TestCase = _TestCase()
    _values: dict[Bundle, list[Any]]
    _parts: tuple[list[_Rule], list[tuple[Any, Any]]]

    def teardown(self) -> None:
        """Called at the end of each run, however it ends."""

    def values_of(self, bundle: Bundle) -> list[Any]:
        """Return what is in a bundle."""
        if not hasattr(self, "_values"):
            self._values = {}
        return self._values.setdefault(bundle, [])

    @classmethod
    def parts(cls) -> tuple[list[_Rule], list[tuple[Any, Any]]]:
        """Return the rules, in the order of the class, and the invariants with their conditions."""
        if "_parts" not in vars(cls):
            members: dict[str, Any] = {}
            for part in reversed(cls.__mro__):
                members.update(vars(part))
            given = {name: getattr(it, "frng_conditions", []) for name, it in members.items()}
            rules = [it.frng_rule.of(it, given[name]) for name, it in members.items()
                     if hasattr(it, "frng_rule")]
            cls._parts = rules, [(it, given[name]) for name, it in members.items()
                                 if hasattr(it, "frng_invariant")]
        return cls._parts

    @classmethod
    def run(cls, f: Frng) -> None:
        """Make a run: take rules until the entropy ends."""
        __tracebackhide__ = True
        all_rules, invariants = cls.parts()
        rules = [one for one in all_rules if not one.is_first]
        machine = cls()

        def check() -> None:
            __tracebackhide__ = True
            for holds, given in invariants:
                if all(condition(machine) for condition in given):
                    refuse_value(holds(machine), getattr(holds, "__name__", "it") + ", an invariant,")

        try:
            for first in all_rules:
                if first.is_first:
                    first.take(machine, f)
            check()
            f.note("swarm")
            favours = f._untold(lambda: f.swarm(len(rules))) if cls.swarm else [1] * len(rules)
            while (chosen := _choose(rules, favours, machine, f)) is not None:
                chosen.take(machine, f)
                check()
        finally:
            machine.teardown()


def _choose(
    rules: Sequence[_Rule], favours: Sequence[int], machine: Machine, f: Frng
) -> _Rule | None:
    """Draw the rule that is next, or return None where none can be taken."""
    allowed = [one.weight if one.is_enabled(machine) else 0 for one in rules]
    weights = [weight * favour for weight, favour in zip(allowed, favours)]
    if not any(weights):
        weights = allowed
    f.note("rule")
    return rules[f._untold(lambda: f.pick_weighted(weights))] if any(weights) else None

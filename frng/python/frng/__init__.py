"""frng for Python: a test draws its decisions from bytes that exist before it starts and run out.

    @frng.check  # under pytest or unittest; @frng.main is for a program of one test
    def test_sort(f: frng.Frng) -> None:
        xs = f.lists(lambda: f.integers(-9, 9))
        assert my_sort(xs) == sorted(xs)

README.md beside this package describes it, DRAWS.md and PROTOCOL.md of frng the draws and the
driver's FRNG_DRIVER. License: MIT"""

from .draws import ALNUM, DIGITS, LOWER, PRINTABLE, OutOfEntropy
from .target import judge, main, run
from .values import Discarded, Frng

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .runner import Failure, check
    from .stateful import Bundle, Machine, initialize, invariant, precondition, rule

__version__ = "0.1.0"
__all__ = [
    "ALNUM", "DIGITS", "LOWER", "PRINTABLE", "OutOfEntropy", "judge", "main", "run", "Discarded", "Frng",
    "Failure", "check", "Bundle", "Machine", "initialize", "invariant", "precondition", "rule",
]  # fmt: skip


def __getattr__(name: str) -> "Any":
    """Load what a program of one test does not need, which starts for each failure, when asked."""
    import importlib

    if name in ("check", "Failure"):
        return getattr(importlib.import_module(".runner", __name__), name)
    if name in __all__:
        return getattr(importlib.import_module(".stateful", __name__), name)
    raise AttributeError(f"module 'frng' has no attribute '{name}'")

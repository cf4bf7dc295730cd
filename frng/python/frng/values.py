"""Draws of the values of Python, by the names that users of Hypothesis know.

Each one is made of the draws of DRAWS.md (draws.py), the simplest value first: 0, an empty list,
2000-01-01. An element of a list is drawn by a function without arguments:

    xs = f.lists(lambda: f.integers(0, 9), max_size=20)

SPDX: MIT"""

from __future__ import annotations

from .draws import PRINTABLE, Draws, OutOfEntropy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime
    import random
    from collections.abc import Callable, Hashable, Iterable, Sequence
    from typing import Any, TypeVar

    T = TypeVar("T")
    K = TypeVar("K", bound=Hashable)
    from builtins import bool as Bool, bytes as Bytes, list as List

DUPLICATES_MAX = 100  # elements in a row that a list has already
MAX_SIZE = 20  # elements of a list more than min_size, where max_size is not given
DAY_US = 86_400_000_000
# Letters that break programs: 128 with those that print, so that each is 1 byte.
ODD = "\0\t\n\r\x1b\x7f\x80\xa0\xad\xb2ßàÿİıŉſǅ\u0301Ωя\u05d0\u0661" + (
    "\u200b\u200d\u202e\u2028ﬀ\ufeff\uffff😀𝒳\U0010ffff"
)
TEXT = PRINTABLE + ODD


class Discarded(OutOfEntropy):
    """The test does not want this run, which has neither passed nor failed."""


class Frng(Draws):
    """Draws from entropy. Ranges include both ends. A wrong argument raises ValueError."""

    def assume(self, condition: object) -> None:
        """Discard the run, which ends, unless a condition holds: it has neither passed nor failed."""
        if not condition:
            self.discarded = True
            raise Discarded

    def draw(self, make: Callable[..., T], *arguments: Any) -> T:
        """Return make(f, *arguments), shown as one value where the run is shown."""
        return make(self, *arguments)

    def booleans(self) -> Bool:
        """Draw False or True, from 1 byte."""
        return self.bool()

    def integers(self, min_value: int | None = None, max_value: int | None = None) -> int:
        """Draw min_value..max_value: evenly where it has up to 256 numbers that fit a byte, else
        of every magnitude, with small ones common. Without bounds, of 64 bits with a sign."""
        low = min(-1 << 63, max_value or 0) if min_value is None else min_value
        high = max((1 << 63) - 1, low) if max_value is None else max_value
        if high > 1 << 63 and min_value is None:
            low = 0
        if 0 <= low <= high < 256:
            return self.u8(low, high)
        if -128 <= low <= high < 128:
            return self.i8(low, high)
        return self.u64_mixed(low, high) if low >= 0 else self.i64_mixed(low, high)

    def floats(
        self,
        min_value: float | None = None,
        max_value: float | None = None,
        *,
        allow_nan: Bool | None = None,
        allow_infinity: Bool | None = None,
    ) -> float:
        """Draw any double, or uniformly one of a range; NaN and infinity only without bounds."""
        most = 1.7976931348623157e308
        if min_value is not None or max_value is not None:
            low, high = min_value, max_value
            return self.f64_range(-most if low is None else low, most if high is None else high)
        while True:
            value = self.f64_any()
            if (value == value or allow_nan is not False) and (
                abs(value) <= most or value != value or allow_infinity is not False
            ):
                return value

    def text(self, alphabet: str = TEXT, min_size: int = 0, max_size: int | None = None) -> str:
        """Draw letters of an alphabet; without one, those that print and those that break
        programs: NUL, line ends, accents, emoji, marks of direction."""
        most = min_size + MAX_SIZE if max_size is None else max_size
        return self.string(alphabet, min_size, most)

    def regex(self, pattern: str) -> str:
        """Draw a text that matches all of a pattern: f.regex("[a-z]+(-[0-9]{2})?"). Counts without
        an end end 32 above their minimum."""
        from . import regex

        return regex.draw(self, regex.parse(pattern))

    def depth(self, left: int) -> Bool:
        """Draw whether a tree goes a level deeper, with `left` levels to go: 1 byte, or no."""
        return left > 0 and self.bool()

    def thing(self, things: Sequence[T]) -> T:
        """Draw one of the things that a test has made. It counts back from the newest, so that a
        reduction can delete those before it."""
        return things[-1 - self.pick(range(len(things)))]

    def take_thing(self, things: List[T]) -> T:
        """The same, and take it out of the list."""
        return things.pop(-1 - self.pick(range(len(things))))

    def binary(self, min_size: int = 0, max_size: int | None = None) -> Bytes:
        """Draw some bytes."""
        return bytes(self.lists(self.u8, min_size=min_size, max_size=max_size))

    def sampled_from(self, items: Iterable[T]) -> T:
        """Draw an element of a sequence or an enum, the first one for the simplest."""
        if isinstance(items, (set, frozenset)):
            raise ValueError("a set has no order: sort it")
        return self.pick(items if hasattr(items, "__getitem__") and hasattr(items, "count")
                         else list(items))  # type: ignore[arg-type]

    def permutations(self, items: Iterable[T]) -> list[T]:
        """Draw the elements in any order."""
        return self.permutation(items)

    def randoms(self) -> random.Random:
        """Draw a generator of Python, for code that asks for one, from 8 bytes."""
        import random

        return random.Random(self.note("random.Random").u64())

    def one_of(self, *makes: Callable[[], Any]) -> Any:
        """Draw by one of several functions: f.one_of(f.integers, f.text)."""
        if not all(map(callable, makes)):
            raise TypeError("one_of takes functions: f.one_of(f.integers, lambda: None)")
        return self.pick(makes)()

    # ---- Lists ----

    def lists(
        self,
        element: Callable[[], T],
        *,
        min_size: int = 0,
        max_size: int | None = None,
        unique: Bool = False,
        unique_by: Callable[[T], Any] | None = None,
    ) -> list[T]:
        """Draw a list of min_size..max_size elements, each drawn by a function."""
        if not callable(element):
            raise TypeError("an element is a function: f.lists(lambda: f.integers(0, 9))")
        most = min_size + MAX_SIZE if max_size is None else max_size
        key: Callable[[T], Any] = unique_by if unique_by is not None else lambda item: item
        items: list[T] = []
        keys: list[Any] = []
        repeated = 0
        while self.more(len(items), min_size, most):
            item = element()
            if (unique or unique_by is not None) and key(item) in keys:
                repeated += 1
                self.assume(repeated < DUPLICATES_MAX)
                continue
            repeated = 0
            items.append(item)
            keys.append(key(item))
        return items

    list = lists

    def sets(
        self, element: Callable[[], K], *, min_size: int = 0, max_size: int | None = None
    ) -> set[K]:
        """Draw a set, of elements that are all different."""
        return set(self.lists(element, min_size=min_size, max_size=max_size, unique=True))

    def dictionaries(
        self,
        key: Callable[[], K],
        value: Callable[[], T],
        *,
        min_size: int = 0,
        max_size: int | None = None,
    ) -> dict[K, T]:
        """Draw a dictionary, of keys that are all different."""

        def item() -> tuple[K, T]:
            return key(), value()

        def key_of(item: tuple[K, T]) -> K:
            return item[0]

        return dict(self.lists(item, min_size=min_size, max_size=max_size, unique_by=key_of))

    # ---- Days and times, the simplest one 2000-01-01T00:00, or the first of a range ----

    def dates(
        self, min_value: datetime.date | None = None, max_value: datetime.date | None = None
    ) -> datetime.date:
        """Draw a day, all as likely, from 4 bytes; the simplest is min_value, if it is given."""
        import datetime

        if min_value is None and max_value is None:
            return self.date()
        return self.date_range(min_value or datetime.date.min, max_value or datetime.date.max)

    def times(
        self, min_value: datetime.time | None = None, max_value: datetime.time | None = None
    ) -> datetime.time:
        """Draw a time of a day, in microseconds of every magnitude."""
        import datetime

        low, high = min_value or datetime.time.min, max_value or datetime.time.max
        midnight = datetime.datetime(2000, 1, 1)
        us = self.u64_mixed(*(
            (datetime.datetime.combine(midnight, at) - midnight) // datetime.timedelta(0, 0, 1)
            for at in (low, high)
        ))
        return (midnight + datetime.timedelta(0, 0, us)).time()

    def datetimes(
        self, min_value: datetime.datetime | None = None, max_value: datetime.datetime | None = None
    ) -> datetime.datetime:
        """Draw a day, and a time of it."""
        import datetime

        low, high = min_value or datetime.datetime.min, max_value or datetime.datetime.max
        bounded = min_value is not None or max_value is not None
        day = self.dates(low.date(), high.date()) if bounded else self.dates()
        time = self.times(
            low.time() if day == low.date() else None, high.time() if day == high.date() else None
        )
        return datetime.datetime.combine(day, time, low.tzinfo)

    def timedeltas(
        self,
        min_value: datetime.timedelta | None = None,
        max_value: datetime.timedelta | None = None,
    ) -> datetime.timedelta:
        """Draw a time span of every magnitude, in microseconds of 64 bits with a sign."""
        import datetime

        us = datetime.timedelta(0, 0, 1)
        low = -1 << 63 if min_value is None else min_value // us
        high = (1 << 63) - 1 if max_value is None else max_value // us
        return self.i64_mixed(low, high) * us

    def _untold(self, make: Callable[[], T]) -> T:
        """Draw what the report of a failure does not show."""
        return make()

"""A search in the process of a test runner: @frng.check.

A check replays the findings of its folder. Then it makes the fresh runs that DRAWS.md describes, up
to the smallest that fails. What the test raised there is raised again, with a note: its draws by
name, which frng-reduce has made simple if it is on PATH. A run that hangs is interrupted by SIGALRM,
and fails at once. With FRNG_SEARCH frng-search goes on where all runs have passed. A target starts
often, by __main__.py: so what it does not need is imported late. SPDX: MIT"""

from __future__ import annotations

import atexit
import contextlib
import functools
import inspect
import os
import re
import shutil
import signal
import sys
import traceback
from pathlib import Path
from types import TracebackType

from . import shared, target
from .draws import MEASURE
from .findings import Found, entropy_in, files_of, fnv
from .seeds import expand, outputs
from .shared import END, IDLE, LOWER, RUN_COST, RUNS, SIZE_MAX, SIZE_MIN, TIMEOUT_S, UNREAD
from .stateful import Machine
from .target import failure_of, refused, site_of
from .values import Frng

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any, NoReturn, Protocol, TypeVar, overload

    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")
    Case = TypeVar("Case")

    class Decorator(Protocol):
        """Makes a test of a function, or of a method of `Case`, which loses its generator."""

        @overload
        def __call__(self, test: Callable[Concatenate[Frng, P], object]) -> Callable[P, None]: ...
        @overload
        def __call__(
            self, test: Callable[Concatenate[Case, Frng, P], object]
        ) -> Callable[Concatenate[Case, P], None]: ...

__unittest = True  # it shows no line of this file
LINES_MAX = 100
AT_ONCE = ("--unconfirmed", "--mode", "persistent", "--jobs", "1")  # in one process
LET_THROUGH = {"Skipped", "SkipTest", "Exit", "XFailed", "KeyboardInterrupt", "GeneratorExit"}
SETUPS = ("setup_method", "setup_class", "setup_module", "setup_function")  # of pytest alone

serving = ""  # the check that the runner is started for, by `python -m frng`, as a target
loading = False  # its file is imported, which may call its checks itself: they are not made


class Failure(AssertionError):
    """A check has failed as a whole, or a run of it has exited."""


class Failed(Exception):
    """A run of a check has failed: what the test raised, noted by a report."""

    def __init__(self, error: BaseException, report: str) -> None:
        error = _stripped(error)
        if isinstance(error, SystemExit):  # whose notes nobody shows
            error = Failure(f"SystemExit: {error.code}").with_traceback(error.__traceback__)
        others = [note for note in getattr(error, "__notes__", []) if shared.GO_ON not in note]
        vars(error)["__notes__"] = [*others, report]  # of one that is frozen, too
        if sys.version_info < (3, 11):  # which shows no notes
            print(report, file=sys.stderr)
        self.error = error


class Hang(BaseException):
    """Raised in a run that takes too long."""


async def with_tasks(test: Awaitable[Any]) -> Any:
    """Await a test. Raise what has ended a task of it, unless the test has awaited that task."""
    __tracebackhide__ = True
    import asyncio

    tasks: list[asyncio.Task[Any]] = []

    def create(loop: Any, coroutine: Any, **more: Any) -> asyncio.Task[Any]:
        tasks.append(asyncio.Task(coroutine, loop=loop, **more))
        return tasks[-1]

    asyncio.get_running_loop().set_task_factory(create)
    try:
        return await test
    except asyncio.CancelledError:
        tasks.clear()  # an interrupt of asyncio.run goes up
        raise
    finally:
        for task in tasks:  # asyncio would print it as "never retrieved", and the run would pass
            if getattr(task, "_log_traceback", False) and (error := task.exception()) is not None:
                raise error


def limited(test: Callable[[Any], Any], limit: float) -> Callable[[Any], Any]:
    """Return a test that raises Hang after some time of a processor, or IDLE times that: on a busy
    machine one that gets none has more time. Another alarm, as of pytest-timeout, is left alone."""
    import threading
    import time

    if threading.current_thread() is not threading.main_thread() or limit <= 0:
        return test

    def call(f: Frng) -> Any:
        __tracebackhide__ = True
        if signal.getitimer(signal.ITIMER_REAL)[0] > 0:
            return test(f)
        begun, used = time.monotonic(), time.process_time()

        def late(*_: Any) -> None:
            if time.process_time() - used >= limit or time.monotonic() - begun >= IDLE * limit:
                raise Hang(f"the run has not ended after {limit:g} s")

        before = signal.signal(signal.SIGALRM, late)
        try:
            signal.setitimer(signal.ITIMER_REAL, limit, limit / 4)
            return test(f)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    return call


class Input:
    """A size and a seed, or bytes, with what the run raised."""

    def __init__(self, entropy: bytes, error: BaseException | None, seed: str | None) -> None:
        self.entropy, self.error, self.seed = entropy, error, seed
        self.is_flaky = self.needs_state = False  # that other runs have left
        self.site = site_of(error) if error is not None else ""

    def __str__(self) -> str:
        words = f"hex={self.entropy.hex()}" if self.seed is None else f"seed={self.seed}"
        return f"size={len(self.entropy)} {words}"

    def options(self) -> list[str]:
        if self.seed is None:
            return ["--hex", self.entropy.hex()]
        return ["--size", str(len(self.entropy)), "--seed", self.seed]


class Search:
    """The runs of a check."""

    def __init__(self, test: Callable[[Any], Any], runs: int, size_max: int, base: int) -> None:
        self.test, self.runs, self.size_max = test, runs, size_max
        self.base, self.seed = base, next(outputs(base))
        self.made = self.most = 0  # fresh runs, and the bytes that one of them drew
        self.attempts = self.discarded = self.skipped = 0  # skipped: fresh ones that were discarded
        self.counts: dict[str, int] = {}
        self.values: dict[str, list[int]] = {}

    def attempt(self, f: Frng) -> BaseException | None:
        """Make a run. Return what it raised, unless it has passed."""
        marks: dict[tuple[int, str], int] = {}
        f._marks = lambda kind, name, value: marks.update({(kind, name): value})
        error = failure_of(self.test, f)
        if error is not None and LET_THROUGH & {kind.__name__ for kind in type(error).__mro__}:
            raise error
        self.attempts += 1
        if f.discarded and error is None:
            self.discarded += 1
            return None
        for (kind, name), value in marks.items():
            self.counts[name] = self.counts.get(name, 0) + 1
            if kind == MEASURE:
                self.values.setdefault(name, []).append(value)
        return error

    def again(self, entropy: bytes, seed: str | None) -> Input | None:
        """Run an input anew. Return it if it fails."""
        error = self.attempt(Frng(entropy))
        return None if error is None else Input(entropy, error, seed)

    def fresh(self, size: int) -> Input | None:
        """Make the next run. Return its input if it fails: as many bytes as it drew, or all."""
        seed = f"{self.seed}{'s' if self.seed % 2 else ''}"
        self.seed = (self.seed + 1) % (1 << 64)
        self.made, before = self.made + 1, self.discarded
        f = Frng(expand(seed, size))
        error = self.attempt(f)
        self.skipped += self.discarded - before
        if error is None:
            self.most = max(self.most, size if f.exhausted else f.used)
            return None
        drawn = f._entropy[: f.used]
        if isinstance(error, Hang):
            return Input(drawn, error, seed)
        found = self.again(drawn, seed) or self.again(f._entropy, seed)
        if found is None:
            found = Input(f._entropy, error, seed)
            found.is_flaky = True
        return found

    def counted(self) -> int:
        """Return the runs that count: of ten that were discarded one does, so that there is an end."""
        return self.made - self.skipped + self.skipped // 10

    def grow(self) -> Input | None:
        """Make rows of runs, at the size that has cost least so far. Return the first that fails."""
        doubled = (SIZE_MIN << i for i in range(self.size_max.bit_length()))
        sizes = [size for size in doubled if size < self.size_max] + [self.size_max]
        counts = [0] * len(sizes)
        while self.counted() < self.runs and not self.is_unread(UNREAD):
            used = [i for i, size in enumerate(sizes) if i == 0 or size <= 2 * self.most]
            at = min(used, key=lambda i: (counts[i] + 1) * (RUN_COST + sizes[i]))
            row = min(1 + counts[at] // 4, self.runs - self.counted())
            counts[at] += row
            for _ in range(row):
                if (found := self.fresh(sizes[at])) is not None:
                    return found
        return None

    def is_unread(self, least: int = 1) -> bool:
        """Return whether so many fresh runs, or more, have drawn nothing."""
        return self.made >= least and self.most == 0 < self.size_max

    def lower(self, best: Input) -> Input:
        """Make fresh runs below a failure: by halves, then at a byte less. Return the smallest."""
        limit, low = self.counted() + 2 * self.runs, 0
        while best.entropy and self.counted() < limit:
            is_end = low >= len(best.entropy)
            size = len(best.entropy) - 1 if is_end else (low + len(best.entropy)) // 2
            until = self.counted() + (END if is_end else LOWER)
            while self.counted() < until:
                found = self.fresh(size)
                if found is not None and not found.is_flaky and found.site == best.site:
                    best = found
                    break
            else:
                if is_end:
                    break
                low = size + 1
        return best


def _number(name: str, otherwise: int, most: int = 1 << 31) -> int:
    text = os.environ.get(name) or str(otherwise)
    if not text.isdecimal() or int(text) >= most:
        raise refused(f"{name}={text} {shared.NO_NUMBER}")
    return int(text)


def _is_ci() -> bool:
    """Return whether the profile is ci, the only one."""
    profile = os.environ.get("FRNG_PROFILE")
    if profile not in (None, "", "ci"):
        raise refused(f"FRNG_PROFILE={profile} {shared.NO_PROFILE}")
    return profile == "ci"


def _runs(runs: int) -> int:
    return _number("FRNG_RUNS", runs) * (10 if _is_ci() else 1)


def _base() -> int:
    """Return the number that all seeds follow from."""
    base = 1 if _is_ci() else int.from_bytes(os.urandom(8), "little")
    return _number("FRNG_SEED", base, 1 << 64)


def _limit(timeout: float) -> float:
    """Return the seconds that a run may take. One that is debugged may take any time."""
    timeout = 0 if os.environ.get("FRNG_REPLAY") else timeout
    return _number("FRNG_TIMEOUT", 0) if os.environ.get("FRNG_TIMEOUT") else timeout


def _python() -> str:
    found = shutil.which("python3")
    is_same = found is not None and os.path.samefile(os.path.dirname(found),
                                                     os.path.dirname(sys.executable))
    return "python3" if is_same else sys.executable


class Check:
    """A test with the options of its search."""

    def __init__(
        self,
        test: Callable[..., Any],
        runs: int,
        size_max: int,
        findings: str | None,
        require: dict[str, float] | None,
        timeout: float,
    ) -> None:
        self.runs, self.size_max, self.require = runs, size_max, require or {}
        self.timeout = timeout
        self.test, self.path = test, test.__qualname__
        self.file = Path(inspect.getsourcefile(getattr(test, "frng_machine", test)) or "")
        self.folder, self.is_pytests = findings, False
        parameters = list(inspect.signature(test).parameters.values())
        self.is_method = bool(parameters) and parameters[0].name in ("self", "cls")
        if len(parameters) <= self.is_method:
            raise TypeError(f"{self.name}: the test takes no generator: def {self.name}(f)")
        generator = parameters.pop(int(self.is_method))
        self.generator, self.others = generator.name, parameters[int(self.is_method) :]
        self.signature = inspect.Signature(parameters)

    @property
    def name(self) -> str:
        """Its name in messages."""
        return self.path.replace(".<locals>", "")

    def of(self, arguments: tuple[Any, ...], fixtures: dict[str, Any]) -> Callable[[Any], Any]:
        """Return the test of a generator alone."""
        is_async = inspect.iscoroutinefunction(self.test)

        def call(f: Frng) -> Any:
            __tracebackhide__ = True
            result = self.test(*arguments[: int(self.is_method)], f,
                               *arguments[int(self.is_method) :], **fixtures)
            if is_async:
                import asyncio

                return asyncio.run(with_tasks(result))
            return result

        return call

    def parameters(self) -> str:
        """Return the parameters that pytest gives the test, "[1-a]", as a part of a file's name."""
        current = os.environ.get("PYTEST_CURRENT_TEST", "").partition(f"::{self.test.__name__}[")[2]
        if not current:
            return ""
        from urllib.parse import quote

        words = quote(current.rpartition("] (")[0], safe=" ,=+@()")
        return f"[{words}]" if len(words) < 100 else f"[{words[:90]}~{fnv(words.encode()):016x}]"

    def kept(self, parameters: str = "") -> Path:
        """Return the folder where the tools keep what they find with such parameters."""
        named, name = os.environ.get("FRNG_FINDINGS"), self.test.__name__
        path = self.file.parent / (self.folder or Path("findings", name))
        path = Path(named, name) if named else path
        return path.with_name(path.name + parameters)

    def is_of(self, words: str) -> bool:
        """Return whether a finding is not of another test, whose folder has the same name."""
        found = re.search(r"([^/\0]*\.py)(?:\0|::)([^\0\[]*)", words)
        own = self.file.name, self.name
        return found is None or (found[1], found[2].replace("::", ".")) == own

    def found(self) -> list[Path]:
        """Return the findings to replay: its own, and those of no parameters; or all of FRNG_FINDINGS
        where it has no folder."""
        own, files = self.parameters(), files_of(self.kept())
        if own:
            files = (files_of(self.kept(own)) or []) + (files or []) or None
        if files is None and (named := os.environ.get("FRNG_FINDINGS")):
            files = files_of(named)
            if files is None:
                print(f"frng: FRNG_FINDINGS={named} is not there: no finding is replayed", file=sys.stderr)
        return files or []

    def run(self, arguments: tuple[Any, ...], fixtures: dict[str, Any]) -> None:
        """Search, and raise what is found."""
        __tracebackhide__ = True
        if loading:
            return
        test, self.is_pytests = self.of(arguments, fixtures), self.needs_pytest(arguments)
        case: Any = arguments[0] if self.is_method else None
        if self.is_method:  # of a base, perhaps
            owner = case if isinstance(case, type) else type(case)
            self.path = f"{owner.__qualname__}.{self.test.__name__}"
            self.file = Path(getattr(sys.modules.get(owner.__module__), "__file__", None) or self.file)
        if hasattr(case, "subTest"):  # it would let the run pass
            case.subTest = lambda *_, **__: contextlib.nullcontext()
        if serving:
            _serve(test)
        if (line := target.misspelt()) is not None:
            raise refused(line)
        limit = _limit(self.timeout)
        search = Search(limited(test, limit), _runs(self.runs), self.size_max, _base())
        given = os.environ.get("FRNG_REPLAY")
        if given:
            try:
                entropy, seed = entropy_in(given)
            except ValueError:
                raise refused(f"FRNG_REPLAY={given} {shared.NO_INPUT}") from None
            if (failed := search.again(entropy, seed)) is not None:
                self.fail(search, failed, "FRNG_REPLAY fails")
            print(f"frng: {self.name}: {shared.PASSES}", file=sys.stderr)
            return
        for finding in self.found():
            f = Found(os.path.relpath(finding))
            if (error := search.attempt(f)) is not None:
                self.fail(search, Input(f._entropy, error, f.seed), f"{f.finding} still fails")
            has_others = self.parameters() and finding.parent == self.kept()  # of other parameters
            if not has_others and self.is_of(f.words):
                f.check()
        before = search.attempts
        first = search.grow() if search.runs > 0 else None
        if first is None:
            if search.runs > 0:
                self.judge_labels(search)
            if search.is_unread():
                raise refused(f"none of {search.made} runs of {self.name} {shared.NO_DRAW}", 3)
            if not self.search_on(search, limit) and search.attempts == 0:
                raise refused(shared.NO_RUNS)
            return
        made = search.made
        if isinstance(first.error, Hang):
            self.fail(search, first, f"fails in run {made}, and is not made smaller")
        before += made - 1
        if first.is_flaky:
            assert first.error is not None
            why = f"flaky: {first} {shared.FLAKY}"
            raise Failed(first.error, "\n".join([why, *self.go_on(search, first)]))
        best = search.lower(first)
        known = self.reduced(search, best, *AT_ONCE)
        if known[0] is None and before > 0 and self.passes_alone(first):
            first.needs_state = True
            self.fail(search, first, f"fails only after {before} other runs; {shared.STATE}")
        how = f"fails in run {made}, smallest after {search.made - made} more"
        self.fail_reduced(search, best, how, known)

    def fail_reduced(self, search: Search, best: Input, how: str,
                     known: tuple[Input | None, str] = (None, "")) -> NoReturn:
        __tracebackhide__ = True
        reduced, end = known if known[0] is not None else self.reduced(search, best)
        if reduced is not None:
            how, best = f"{how}: {best}\n{shared.REDUCED}{end}", reduced
        self.fail(search, best, how)

    def search_on(self, search: Search, limit: float) -> bool:
        """Let frng-search search for a while, where FRNG_SEARCH says so. Return whether it did."""
        __tracebackhide__ = True
        import subprocess

        span, command = os.environ.get("FRNG_SEARCH"), self.command()
        if span and not command:
            import warnings

            warnings.warn(f"FRNG_SEARCH={span}: {self.name} is no target: it is within a function",
                          stacklevel=2)
        if not (span and command):
            return False
        words = [sys.executable, "--time", span, "--quiet", *self.keep(), *_timeout(limit)]
        try:
            made = subprocess.run(["frng-search", *words, *command], stdin=subprocess.DEVNULL, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                                  cwd=target.of_pytest()[0])
        except OSError as error:
            raise refused(f"FRNG_SEARCH={span}: frng-search: {error}") from None
        if made.returncode == 0:
            return True
        if made.returncode != 1:
            raise refused(f"FRNG_SEARCH={span}: frng-search: exit status {made.returncode}: "
                          f"{made.stderr[-2000:]}")
        entropy, seed = entropy_in(made.stdout)
        found = search.again(entropy, seed)
        how = shared.FOUND
        if found is None:
            raise Failure(f"{how}, and passes here: {made.stdout}")
        self.fail_reduced(search, found, how)

    def judge_labels(self, search: Search) -> None:
        __tracebackhide__ = True
        wanted = search.attempts - search.discarded
        if os.environ.get("FRNG_STATISTICS"):
            print(f"{self.name}: {search.attempts} runs, {search.discarded} discarded", file=sys.stderr)
            for name, count in sorted(search.counts.items()):
                values, of = sorted(search.values.get(name, [])), ""
                if values:
                    of = f", {values[0]}..{values[-1]}, half <= {values[len(values) // 2]}"
                print(f"  {count / max(wanted, 1):7.2%} {name}{of}", file=sys.stderr)
        line = f"{search.skipped} of {search.made} runs of {self.name} {shared.DISCARDED}"
        if 10 * search.skipped > 9 * search.made:
            raise refused(line, 3)
        if 2 * search.skipped > search.made:
            print(f"frng: {line}", file=sys.stderr)
        for name, share in self.require.items():
            if search.counts.get(name, 0) < share * wanted:
                found = search.counts.get(name, 0) / max(wanted, 1)
                raise Failure(f"{self.name}: {found:.2%} of {wanted} runs had the label "
                              f"{name!r}, not {share:.2%}")

    # ---- The report of a failure ----

    def needs_pytest(self, arguments: tuple[Any, ...]) -> bool:
        """Return whether only pytest can call the test: for a fixture, or a setup of its own."""
        places = (sys.modules.get(self.test.__module__), *arguments[: int(self.is_method)])
        fixtures = getattr(target.item_of_pytest(), "fixturenames", [])  # of conftest.py, too
        asked = [name for name in fixtures if name != "request" and not name.startswith("_unittest")]
        return bool(self.others or asked) or any(hasattr(it, setup) for setup in SETUPS for it in places)

    def command(self, within: bool = False) -> list[str]:
        """Return the words that run the test as a target, with the options of pytest if it is to be
        within that, or must; none if it is within a function."""
        if "<locals>" in self.path or not self.file.exists():
            return []
        name = self.name.replace(".", "::")
        if self.others or self.parameters():
            name = os.environ.get("PYTEST_CURRENT_TEST", name).rpartition(" ")[0].partition("::")[2]
        here, (start, options) = Path(__file__).parent, target.of_pytest()
        is_installed = here.parent.name in ("site-packages", "dist-packages")
        own = ["-m", "frng"] if is_installed else [os.path.relpath(here, start)]
        is_within = within or self.is_pytests or options and self.parameters()
        words = ["pytest", *options] if is_within else []
        return ["--", *own, os.path.relpath(self.file, start), name, *words]

    def passes_alone(self, failed: Input) -> bool:
        """Return whether an input passes in a new process, which has made no run before it. That is
        one of the same runner: its fixtures and filters are no state of runs."""
        import subprocess

        command, limit = self.command(bool(target.of_runner(""))), _limit(self.timeout)
        if not command:
            return False
        environment = {name: value for name, value in os.environ.items() if name != "FRNG_INPUT"}
        try:
            made = subprocess.run(
                [sys.executable, *command[1:]], input=failed.entropy, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, env=environment, timeout=10 * limit or None, check=False,
                cwd=target.of_pytest()[0])
        except (OSError, subprocess.TimeoutExpired):
            return False
        return made.returncode == 0

    def reduced(self, search: Search, failed: Input, *more: str) -> tuple[Input | None, str]:
        """Let frng-reduce make an input simple, where it is there. Return also words on its end."""
        import subprocess

        tool, command = shutil.which("frng-reduce"), self.command()
        is_off = os.environ.get("FRNG_REDUCE") == "0" or isinstance(failed.error, Hang)
        if not (tool and command) or is_off:
            return None, ""
        limits = ["--calls", f"{shared.REDUCE_CALLS}", "--time", f"{shared.REDUCE_S}s"]
        words = [tool, sys.executable, *failed.options(), *limits, "--explain", "no", "--json", "-"]
        try:
            made = subprocess.run([*words, *more, "--quiet", *command], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                  timeout=2 * shared.REDUCE_S, check=False,
                                  cwd=target.of_pytest()[0])
        except (OSError, subprocess.TimeoutExpired):
            return None, ""
        done = made.stdout.rstrip("\n").rpartition("\n")[2]
        pattern = r'"complete":(true|false),.*?"hex":"([0-9a-f]*)"(?:.*?"calls":(\d+))?'
        result = re.search(pattern, done)
        if result is None:
            return None, ""
        found = search.again(bytes.fromhex(result[2]), None)
        if found is None or found.site != failed.site:
            return None, ""
        return found, "" if result[1] == "true" else f", {shared.UNFINISHED.format(result[3])}"

    def go_on(self, search: Search, failed: Input) -> list[str]:
        """Return the lines that go on from an input."""
        command, lines = self.command(), [shared.GO_ON]
        if not failed.needs_state:
            lines.append(f"  FRNG_REPLAY='{failed}' {shared.ALONE}")
        if command and not failed.needs_state:
            words = [_python(), *failed.options()]
            if isinstance(failed.error, Hang):
                words += _timeout(_limit(self.timeout))
            lines += [f"  {target.quoted(['frng-replay', *words, '--trace', *command])}",
                      f"  {target.quoted(['frng-reduce', *words, *self.keep(), *command])}"]
            if shutil.which("frng-reduce") is None:
                lines.append(f"  ({shared.NO_TOOLS})")
        if search.made > 0:
            lines.append(f"  FRNG_SEED={search.base} {shared.REPEATS}")
        return lines

    def keep(self) -> list[str]:
        kept = os.path.abspath(self.kept(self.parameters()))
        return ["--findings", os.path.relpath(kept, target.of_pytest()[0])]

    def fail(self, search: Search, failed: Input, how: str) -> NoReturn:
        """Raise the report of a failure, from what the test raised."""
        __tracebackhide__ = True
        from .shown import Shown

        shown = Shown(failed.entropy)
        error = search.attempt(shown) or failed.error
        assert error is not None
        lines = [f"  {line}" for line in shown.lines]
        if len(lines) > LINES_MAX:
            lines[LINES_MAX // 2 : -LINES_MAX // 2] = [f"  ... {len(lines) - LINES_MAX} lines more"]
        what = "".join(traceback.format_exception_only(type(error), error)).strip().splitlines()[0]
        told = [f"{how}: {failed}", *lines, f"{site_of(error)}: {what}"]
        raise Failed(error, "\n".join(told + self.go_on(search, failed)))


def _timeout(limit: float) -> list[str]:
    return ["--timeout", f"{round(limit * 1000)}ms"] if limit > 0 else []


def _stripped(error: BaseException) -> BaseException:
    """Take the lines of this package, and those that led to the test, out of a traceback."""
    traces, trace = [], error.__traceback__
    while trace is not None:
        if not trace.tb_frame.f_code.co_filename.startswith(target.PACKAGE):
            traces.append(trace)
        trace = trace.tb_next
    own = (i for i, trace in enumerate(traces) if not target.is_outside(trace))
    kept = None
    for trace in reversed(traces[next(own, 0):]):
        kept = TracebackType(kept, trace.tb_frame, trace.tb_lasti, trace.tb_lineno)
    return error.with_traceback(kept)


def _serve(test: Callable[[Any], Any]) -> None:
    """Be a target within pytest, which gives the test its fixtures."""
    status = 1
    try:
        target.run(test, target.can_fork())
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        atexit._run_exitfuncs()
        os._exit(status)


def _test_of(machine: type[Machine]) -> Any:
    """Return a machine as a test."""
    machine.parts()  # or refuse it now

    def test(f: Frng) -> None:
        __tracebackhide__ = True
        machine.run(f)

    test.frng_machine = machine  # type: ignore[attr-defined]
    for name in "__module__", "__name__", "__qualname__", "__doc__":
        setattr(test, name, getattr(machine, name))
    return test


if TYPE_CHECKING:

    @overload
    def check(  # type: ignore[misc]
        test: type[Machine],
        *,
        runs: int = RUNS,
        size_max: int = SIZE_MAX,
        findings: str | None = None,
        require: dict[str, float] | None = None,
        timeout: float = TIMEOUT_S,
    ) -> Callable[[], None]: ...
    @overload
    def check(
        *,
        runs: int = RUNS,
        size_max: int = SIZE_MAX,
        findings: str | None = None,
        require: dict[str, float] | None = None,
        timeout: float = TIMEOUT_S,
    ) -> Decorator: ...
    @overload
    def check(test: Callable[Concatenate[Frng, P], object]) -> Callable[P, None]: ...
    @overload
    def check(
        test: Callable[Concatenate[Case, Frng, P], object]
    ) -> Callable[Concatenate[Case, P], None]: ...


def check(
    test: Any = None,
    *,
    runs: int = RUNS,
    size_max: int = SIZE_MAX,
    findings: str | None = None,
    require: dict[str, float] | None = None,
    timeout: float = TIMEOUT_S,
) -> Any:
    """Make a test of a function that takes a generator, or of a Machine, for pytest and unittest:

        @frng.check  # or @frng.check(runs=5000)
        def test_sort(f: frng.Frng) -> None: ...

    `findings` is the folder of findings to replay, beside the file of the test. `require` has the
    least shares of labels: {"deleted": 0.01}. A run of more than `timeout` seconds hangs. FRNG_RUNS,
    FRNG_TIMEOUT and their like take the place of options."""
    if test is None:
        return functools.partial(check, runs=runs, size_max=size_max, findings=findings,
                                 require=require, timeout=timeout)
    if isinstance(test, type) and issubclass(test, Machine):
        test = _test_of(test)
    it = Check(test, runs, size_max, findings, require, timeout)

    @functools.wraps(test)
    def wrapper(*arguments: Any, **fixtures: Any) -> None:
        __tracebackhide__ = True
        try:
            return it.run(arguments, fixtures)
        except Failed as failed:
            error = failed.error
        except (target.Refused, Failure) as failed:
            error = target.of_runner(str(failed)) or failed.with_traceback(None)
        raise error

    if hasattr(test, "frng_machine"):
        vars(wrapper).pop("__wrapped__")  # a runner would show its line
    wrapper.__signature__ = it.signature  # type: ignore[attr-defined]
    wrapper.frng_check = it  # type: ignore[attr-defined]
    return wrapper

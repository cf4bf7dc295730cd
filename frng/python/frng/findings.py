"""Findings of frng in a test runner: each one is a test case of its own.

    test_found = findings.pytest_findings(sorts.test, "found")  # for pytest
    findings.replay(sorts.test, "found/0000000016-2bb4.json")  # for any other runner

`@frng.check` replays those of its folder by itself. A finding is a file that frng-search --findings
or frng-reduce --findings wrote: its entropy is bytes, or a size and a seed. SPDX: MIT"""

from __future__ import annotations

import json
import os
import re
import struct
import sys
from pathlib import Path

from .seeds import ALL, expand
from .shared import INPUT_MAX, OTHER_DRAWS
from .target import judge, refused
from .values import Frng

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__unittest = True  # it shows no line of this file
OPTIONS_MAX = 140  # characters of the options in a name
FNV = 0xCBF29CE484222325  # the hash of nothing


def fnv(data: bytes, of: int = FNV) -> int:
    """Return the hash FNV-1a of bytes, after that of others."""
    for byte in data:
        of = (of ^ byte) * 0x100000001B3 & ALL
    return of


def input_of(fields: dict[str, Any]) -> tuple[bytes, str | None]:
    """Return the entropy of the fields of a result line or a finding, and its seed, if it has one."""
    size, seed = str(fields.get("size", "")), str(fields.get("seed"))
    if "hex" in fields:
        entropy = bytes.fromhex(fields["hex"])
        if size not in ("", str(len(entropy))):
            raise ValueError("its size is not that of its bytes")
        return entropy, None
    if size.isdecimal() and int(size) > INPUT_MAX:
        raise ValueError(f"its size is over {INPUT_MAX}, which only frng-replay makes")
    is_size = re.fullmatch("[0-9]{1,10}", size)
    is_seed = re.fullmatch("[0-9]{1,20}s?", seed) and int(seed.rstrip("s")) < 1 << 64
    if not (is_size and is_seed):
        raise ValueError("it has neither hex nor a size and a seed")
    return expand(seed, int(size)), seed


class Found(Frng):
    """The generator of the run of a finding. Once that has passed, `check` refuses it if it made other
    draws than the run that was found to fail."""

    def __init__(self, finding: str | Path) -> None:
        self.finding = finding
        entropy, self.seed, draws, self.words = read(finding)
        self._kept, self._draws, self._fnv = draws or "0-", 0, FNV
        super().__init__(entropy)

    def _end(self, kind: int, width: int, low: int, high: int, value: int, index: int = 0) -> int:
        if self._draws < int(self._kept.partition("-")[0]):
            self._draws += 1
            bounds = (number & ALL for number in (low, high))
            self._fnv = fnv(struct.pack("<BBQQ", kind, width, *bounds), self._fnv)
        return super()._end(kind, width, low, high, value, index)

    def check(self) -> None:
        if self._kept not in ("0-", f"{self._draws}-{self._fnv:016x}"):
            raise refused(f"{self.finding} {OTHER_DRAWS}")


def read(finding: str | Path) -> tuple[bytes, str | None, str | None, str]:
    """Return the entropy of a finding, its seed, its draws, if it has these, and the words of its
    target."""
    try:
        if not os.path.isfile(finding):
            raise ValueError("no regular file is there")  # a pipe would make us wait
        if os.path.getsize(finding) > 4 * INPUT_MAX:
            raise ValueError("the file is too large")
        fields = json.loads(Path(finding).read_text())
        if fields["format"] not in (1, 2) or fields.get("expand", 1) != 1:
            raise ValueError("it is of a later version of frng")
        draws = fields.get("draws")
        if draws is not None and not re.fullmatch("[1-9][0-9]{0,3}-[0-9a-f]{16}", draws):
            raise ValueError("its draws make no sense")
        return (*input_of(fields), draws, "\0".join(map(str, fields.get("args") or [])))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise refused(f"{finding} is no finding: {error}") from None


def files_of(folder: str | Path) -> list[Path] | None:
    """Return the findings of a folder, or None if it is absent."""
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not os.path.islink(folder):
            return None
        raise refused(f"{folder}: cannot be read: {error.strerror}") from None
    return [Path(folder, name) for name in names if name.endswith(".json")]


def entropy_in(text: str) -> tuple[bytes, str | None]:
    """Return the entropy of a result line, "size=16 seed=7s" or "size=2 hex=0100", and its seed."""
    return input_of(dict(word.split("=", 1) for word in text.split() if "=" in word))


def name_of(finding: str | Path) -> str:
    """Return the name of a finding in a test runner: its file, and the options that replay it if
    they are short, as in "0000000016-2bb3d5b0a1c9e804: --size 16 --seed 3149150492377596932"."""
    name = Path(finding).stem
    try:
        entropy, seed, *_ = read(finding)
    except ValueError:  # its replay says why
        return name
    options = f"--size {len(entropy)} --seed {seed}" if seed else f"--hex {entropy.hex()}"
    return f"{name}: {options}" if len(options) <= OPTIONS_MAX else name


def replay(test: Callable[[Frng], Any], finding: str | Path) -> None:
    """Run a test with the entropy of a finding. If it fails, it raises what the test raises."""
    __tracebackhide__ = True  # of pytest
    f = Found(finding)
    judge(test, f)
    f.check()


def pytest_findings(test: Callable[[Frng], Any], folder: str | Path) -> Any:
    """Return a test that pytest calls for each finding of a folder beside the calling file, which
    may be empty or absent. The cases have the names of name_of."""
    import pytest

    files = files_of(Path(sys._getframe(1).f_code.co_filename).parent / folder) or []

    @pytest.mark.parametrize("finding", files, ids=[name_of(file) for file in files])
    def test_finding(finding: Path) -> None:
        __tracebackhide__ = True
        replay(test, finding)

    return test_finding

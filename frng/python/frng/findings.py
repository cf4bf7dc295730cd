"""Findings of frng in a test runner: each one is a test case of its own.

    test_found = findings.pytest_findings(sorts.test, "found")  # for pytest
    findings.replay(sorts.test, "found/0000000016-2bb4.json")  # for any other runner

`@frng.check` replays those of its folder by itself. A finding is a file that frng-search --findings
or frng-reduce --findings wrote: its entropy is bytes, or a size and a seed. SPDX: MIT"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from .seeds import expand
from .target import judge
from .values import Frng

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

OPTIONS_MAX = 140  # characters of the options in a name


def entropy_of(finding: str | Path) -> bytes:
    """Return the entropy of a finding."""
    fields = json.loads(Path(finding).read_text())
    if "hex" in fields:
        return bytes.fromhex(fields["hex"])
    if fields["expand"] != 1:
        raise ValueError(f"{finding}: its seed expands in a later way")
    return expand(fields["seed"], fields["size"])


def options_of(finding: str | Path) -> dict[str, str]:
    """Return the options that replay a finding: --size and --seed, or --hex."""
    fields = json.loads(Path(finding).read_text())
    if "hex" in fields:
        return {"hex": str(fields["hex"])}
    return {"size": str(fields["size"]), "seed": str(fields["seed"])}


def entropy_in(text: str) -> tuple[bytes, str | None]:
    """Return the entropy of a result line, "size=16 seed=7s" or "size=2 hex=0100", and its seed."""
    fields = dict(word.split("=", 1) for word in text.split() if "=" in word)
    if "seed" in fields:
        return expand(fields["seed"], int(fields["size"])), fields["seed"]
    return bytes.fromhex(fields["hex"]), None


def name_of(finding: str | Path) -> str:
    """Return the name of a finding in a test runner: its file, and the options that replay it if
    they are short, as in "0000000016-2bb3d5b0a1c9e804: --size 16 --seed 3149150492377596932"."""
    name = Path(finding).stem
    try:
        options = " ".join(f"--{word} {value}" for word, value in options_of(finding).items())
    except (ValueError, KeyError, TypeError):  # no finding: its replay says why
        return name
    return f"{name}: {options}" if len(options) <= OPTIONS_MAX else name


def replay(test: Callable[[Frng], Any], finding: str | Path) -> None:
    """Run a test with the entropy of a finding. If it fails, it raises what the test raises."""
    __tracebackhide__ = True  # of pytest
    judge(test, Frng(entropy_of(finding)))


def pytest_findings(test: Callable[[Frng], Any], folder: str | Path) -> Any:
    """Return a test that pytest calls for each finding of a folder beside the calling file, which
    may be empty or absent. The cases have the names of name_of."""
    import pytest

    files = sorted((Path(sys._getframe(1).f_code.co_filename).parent / folder).glob("*.json"))

    @pytest.mark.parametrize("finding", files, ids=[name_of(file) for file in files])
    def test_finding(finding: Path) -> None:
        __tracebackhide__ = True
        replay(test, finding)

    return test_finding

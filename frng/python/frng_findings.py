"""Findings of frng in a test runner of Python: each one is a test case of its own.

    test_found = frng_findings.pytest_findings(sorts.test, "found")  # for pytest
    frng_findings.replay(sorts.test, "found/0000000016-2bb4.json")  # for any other runner

A finding is a file that frng-search --findings or frng-reduce --findings wrote: its entropy is
bytes, or the size and the seed that DRAWS.md of frng expands. SPDX-License-Identifier: MIT"""

import itertools
import json
import sys
from pathlib import Path
from typing import Any, Callable, Iterator, List, Union

import frng

ALL = (1 << 64) - 1
SMALL_CHANCES = (0, 0, 0, 0, 2, 4, 8, 16)
OPTIONS_MAX = 140  # characters of the options in a name


def _outputs(seed: int) -> Iterator[int]:
    """Yield the numbers of xoshiro256++, whose state SplitMix64 makes from the seed."""
    state = []
    for i in range(1, 5):
        z = (seed + i * 0x9E3779B97F4A7C15) & ALL
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & ALL
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & ALL
        state.append(z ^ z >> 31)
    a, b, c, d = state
    while True:
        total = (a + d) & ALL
        yield ((total << 23 | total >> 41) + a) & ALL
        c, d, shifted = c ^ a, d ^ b, b << 17 & ALL
        a, b, c, d = a ^ d, b ^ c, c ^ shifted, (d << 45 | d >> 19) & ALL


def _extreme(number: int, bits: int) -> int:
    """Return the extreme of so many bits that a number chooses."""
    top, small, kind = (1 << bits) - 1, number >> 4 & 15, number & 15
    if kind < 12:
        return (0, top, top, top >> 1, (top >> 1) + 1, (top >> 1) + 1)[kind // 2]
    return small if kind == 12 else top - small if kind == 15 else 1 << (number >> 4) % bits


def _words(outputs: Iterator[int]) -> Iterator[bytes]:
    """Yield the words of a styled seed, after the lead: the first output is its style."""
    style = [next(outputs)]
    style += [style[0] >> at & 7 for at in range(0, 18, 3)]
    width, edge = (1, 1, 2, 4, 4, 4, 8, 8)[style[1]], (0, 0, 0, 8, 24, 48, 60, 63)[style[2]]
    repeat = (0, 0, 0, 8, 32, 56, 62, 63)[style[3]]
    if edge >= 48 and style[0] >> 18 & 1:
        repeat = 0
    chances = repeat, SMALL_CHANCES[style[5]], edge, SMALL_CHANCES[style[4]]
    repeats, windows, edges, nears = itertools.accumulate(chances)
    if nears == 0:
        yield from (output.to_bytes(8, "little") for output in outputs)
    yield (style[0] >> 32).to_bytes(4, "little")[: (0, 0, 0, 0, 0, 1, 1, 2)[style[6]] % width]
    bits, top = 8 * width, (1 << 8 * width) - 1
    words: List[int] = []
    rest: List[int] = []  # of a wide extreme
    distance = 0  # of the window that is open
    for fresh, picks in zip(outputs, outputs):
        for at in range(0, 64, bits):
            number, how = (fresh >> at | fresh << 64 - at) & ALL, picks >> at & 255
            word, chance = number & top, how >> 2
            back = 1 + ((number & 255) * min(len(words), 64) >> 8)
            if rest:
                word = rest.pop(0)
            elif distance and chance >= 8:
                word = words[-distance]
            elif distance:
                distance = 0
            elif windows <= chance < edges:
                size = max(bits, (8, 32, 32, 64)[how & 3]) if width < 4 else bits
                word, *rest = (_extreme(number, size) >> i & top for i in range(0, size, bits))
            elif words and chance < nears:
                word = words[-back]
                if chance >= edges:
                    word = word + (1 if how & 1 else -1) & top
                elif chance >= repeats:
                    distance = back
            words.append(word)
            yield word.to_bytes(width, "little")


def expand(seed: str, size: int) -> bytes:
    """Return the bytes of a seed as frng writes it: 17, or a styled 17s."""
    entropy = bytearray()
    styled = seed.endswith("s")
    outputs = _outputs(int(seed[:-1] if styled else seed))
    for word in _words(outputs) if styled else (n.to_bytes(8, "little") for n in outputs):
        if len(entropy) >= size:
            break
        entropy += word
    return bytes(entropy[:size])


def entropy_of(finding: Union[str, Path]) -> bytes:
    """Return the entropy of a finding."""
    fields = json.loads(Path(finding).read_text())
    if "hex" in fields:
        return bytes.fromhex(fields["hex"])
    if fields["expand"] != 1:
        raise ValueError(f"{finding}: its seed expands in a later way")
    return expand(fields["seed"], fields["size"])


def name_of(finding: Union[str, Path]) -> str:
    """Return the name of a finding in a test runner: its file, and the options that replay it if
    they are short, as in "0000000016-2bb3d5b0a1c9e804: --size 16 --seed 3149150492377596932"."""
    name = Path(finding).stem
    try:
        fields = json.loads(Path(finding).read_text())
        seeded = "hex" not in fields
        options = "--size {size} --seed {seed}" if seeded else "--hex {hex}"
        options = options.format(**fields)
    except (ValueError, KeyError, TypeError):  # no finding: its replay says why
        return name
    return f"{name}: {options}" if len(options) <= OPTIONS_MAX else name


def replay(test: Callable[[frng.Frng], Any], finding: Union[str, Path]) -> None:
    """Run a test with the entropy of a finding. If it fails, it raises what the test raises."""
    __tracebackhide__ = True  # of pytest
    frng.judge(test, frng.Frng(entropy_of(finding)))


def pytest_findings(test: Callable[[frng.Frng], Any], folder: Union[str, Path]) -> Any:
    """Return a test that pytest calls for each finding of a folder beside the calling file, which
    may be empty or absent. The cases have the names of name_of."""
    import pytest

    files = sorted((Path(sys._getframe(1).f_code.co_filename).parent / folder).glob("*.json"))

    @pytest.mark.parametrize("finding", files, ids=[name_of(file) for file in files])
    def test_finding(finding: Path) -> None:
        __tracebackhide__ = True
        replay(test, finding)

    return test_finding

"""Expansions of DRAWS.md: from a seed to the bytes of a run. SPDX: MIT"""

from __future__ import annotations

import itertools

from .shared import STYLE_EDGES, STYLE_LEADS, STYLE_RARE, STYLE_REPEATS, STYLE_WIDTHS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ALL = (1 << 64) - 1


def outputs(seed: int) -> Iterator[int]:
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


def _words(numbers: Iterator[int]) -> Iterator[bytes]:
    """Yield the words of a styled seed, after the lead: the first output is its style."""
    style = [next(numbers)]
    style += [style[0] >> at & 7 for at in range(0, 18, 3)]
    width, edge, repeat = STYLE_WIDTHS[style[1]], STYLE_EDGES[style[2]], STYLE_REPEATS[style[3]]
    if edge >= 48 and style[0] >> 18 & 1:
        repeat = 0
    chances = repeat, STYLE_RARE[style[5]], edge, STYLE_RARE[style[4]]
    repeats, windows, edges, nears = itertools.accumulate(chances)
    if nears == 0:
        yield from (output.to_bytes(8, "little") for output in numbers)
    yield (style[0] >> 32).to_bytes(4, "little")[: STYLE_LEADS[style[6]] % width]
    bits, top = 8 * width, (1 << 8 * width) - 1
    words: list[int] = []
    rest: list[int] = []  # of a wide extreme
    distance = 0  # of the window that is open
    for fresh, picks in zip(numbers, numbers):
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
    numbers = outputs(int(seed[:-1] if styled else seed))
    for word in _words(numbers) if styled else (n.to_bytes(8, "little") for n in numbers):
        if len(entropy) >= size:
            break
        entropy += word
    return bytes(entropy[:size])

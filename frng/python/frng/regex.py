"""Texts that match a regular expression, by the grammar of DRAWS.md. SPDX: MIT"""

import functools
import re
from typing import Any

from .draws import DIGITS, LOWER, PRINTABLE, Draws

NAMED = {"d": DIGITS, "w": LOWER + LOWER.upper() + DIGITS + "_", "s": " \t\n\v\f\r"}
NAMED.update({a.upper(): "".join(c for c in PRINTABLE if c not in NAMED[a]) for a in "dws"})
NAMED.update(n="\n", r="\r", t="\t")
ESCAPED = r"\\[dwsDWSnrt -/:-@\[-`{-~]"
REST = rf"(?:{ESCAPED}|[^\]\\])*"
CLASS = rf"\[(?:\^((?:{ESCAPED}|[^\\]){REST})|((?:{ESCAPED}|[^\\^]){REST}))\]"
TOKEN = re.compile(rf"(\((?:\?:)?)|(\|)|(\))|{CLASS}|({ESCAPED}|[^?*+{{}}\]^$()|\[\\])", re.S)
MEMBER = re.compile(rf"({ESCAPED}|[^\\])(?:-({ESCAPED}|[^\\]))?", re.S)
COUNT = re.compile(r"(?:(?:([?*+])|\{([0-9]{1,4})(?:(,)([0-9]{1,4})?)?\})\??)?")


def letters(others: str, members: str) -> str:
    found = ""
    for pair in MEMBER.findall(others or members):
        low, high = (NAMED.get(text[1:], text[1:]) or text for text in pair)
        if high and (len(low) != 1 or len(high) != 1 or low > high):
            return ""
        found += "".join(map(chr, range(ord(low), ord(high) + 1))) if high else low
    kept = (c for c in PRINTABLE if c not in found) if others else dict.fromkeys(found)
    return "".join(kept) if found.isascii() else ""


def longest(choice: Any) -> int:
    return int(max(sum(item[3] for item in row) for row in choice))


@functools.lru_cache(None)
def parse(pattern: str) -> Any:
    """Rows of items, each of which is letters or rows, how often it comes, and its most bytes."""
    choices: Any = [[[]]]
    at = int(pattern.startswith("^"))
    while at < len(pattern) and pattern[at:] != "$":
        token: Any = TOKEN.match(pattern, at)
        opens, bar, closes, others, members, letter = token.groups("") if token else [""] * 6
        if opens or bar:
            (choices if opens else choices[-1]).append([[]] if opens else [])
            at = token.end()
            continue
        what = PRINTABLE if letter == "." else NAMED.get(letter[1:], letter[1:]) or letter
        what = choices.pop() if closes else letters(others, members) if others or members else what
        count: Any = COUNT.match(pattern, token.end() if token else at)
        how, low, comma, high = count.groups()
        least = int(low or how in (None, "+"))
        most = int(high or (least + 32 if comma or how in ("*", "+") else low or 1))
        if not what or not choices or least > most:
            raise ValueError(f"regex: {pattern[at:]!r} of {pattern!r} is not in DRAWS.md")
        size = longest(what) if closes else len(what[0].encode())
        if size > 1 << 16 or (size == 0 and most > 1):
            raise ValueError(f"regex: a group of nothing, or of more than 64 KiB: {pattern!r}")
        choices[-1][-1].append((what, least, most, most * size))
        at = count.end()
    if len(choices) > 1 or longest(choices[0]) > 1 << 16:
        raise ValueError(f"regex: a group without ), or texts of more than 64 KiB: {pattern!r}")
    return choices[0]


def draw(f: Draws, choice: Any) -> str:
    text = ""
    for what, low, high, _ in f.pick(choice) if len(choice) > 1 else choice[0]:
        is_row, done = isinstance(what, list), 0
        if not is_row and low < high:
            text, high = text + f.string(what, low, high), 0
        while f.more(done, low, high) if low < high else done < high:
            text += draw(f, what) if is_row else f.pick(what) if len(what) > 1 else what
            done += 1
    return text

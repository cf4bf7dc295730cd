#!/usr/bin/env python3
"""A reducer for JSON: what frng-reduce --reducer ./reducer.py asks of one. Copy it for your format.

    reducer.py FILE COMMAND NUMBER    make change NUMBER (0, 1, ..) of this kind in FILE: exit
                                      status 0; 1 when there are not so many; 2 for misuse
    reducer.py --count FILE COMMAND   print how many there are

frng-reduce tries each change, on a copy, and keeps those after which the file is still interesting:
after a success the same number again, else the next one. So put what takes away most first, and
never count on what an earlier call did. A change should make the file shorter, or as long and
simpler; one that does not is left out. What stays, stays byte for byte: here only blanks between
tokens go. A file that is not JSON offers nothing, and is left alone.
"""
import itertools
import json
import re
import sys
import traceback

TOKEN = re.compile(r'[][{},:]|"(?:[^"\\]|\\.)*"|[^][{},:"\s]+')
SIMPLEST = {"{": "{}", "[": "[]", '"': '""'}  # by the first character; of all else it is 0


class Value:
    """A value: tokens first..end - 1. With the key before it, if any, it begins at `member`."""

    def __init__(self, member, first):
        self.member, self.first, self.end, self.children = member, first, first + 1, []


def parse(tokens):
    """The values of a document, each before those in it."""
    values, around = [], []
    for at, token in enumerate(tokens):
        if token in ("}", "]"):
            around.pop().end = at + 1
        elif token not in (",", ":") and tokens[at + 1:at + 2] != [":"]:  # else it is a key
            value = Value(at - 2 if tokens[at - 1] == ":" else at, at)
            if around:
                around[-1].children.append(value)
            if token in ("{", "["):
                around.append(value)
            values.append(value)
    return values


def drop(tokens, value):
    """Leave out one member of an object, or one element of an array."""
    for child in value.children:
        first, end = child.member, child.end
        if tokens[end] == ",":
            end += 1
        elif tokens[first - 1] == ",":
            first -= 1
        yield first, end, []


def hoist(tokens, value):
    """Put one of the children in the place of a value."""
    for child in value.children:
        yield value.first, value.end, tokens[child.first:child.end]


def lower(tokens, value):
    """Make a value the simplest of its kind: {}, [], "" or 0."""
    simplest = SIMPLEST.get(tokens[value.first][0], "0")
    if "".join(tokens[value.first:value.end]) != simplest:
        yield value.first, value.end, [simplest]


COMMANDS = {"all": [drop, hoist, lower], "drop": [drop], "hoist": [hoist], "lower": [lower]}


def find_changes(tokens, command):
    """All changes, as (first token, end, tokens instead): those that take away most first."""
    ends = [0, *itertools.accumulate(map(len, tokens))]
    values = parse(tokens)
    changes = [c for kind in COMMANDS[command] for value in values for c in kind(tokens, value)]
    return sorted(changes, key=lambda c: ends[c[0]] - ends[c[1]] + sum(map(len, c[2])))


def read_tokens(name):
    """Numbers and words as they stand; bytes that are no UTF-8 as well."""
    with open(name, encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = file.read()
    try:
        json.loads(text, parse_int=str, parse_float=str, parse_constant=int)  # int refuses NaN
    except (ValueError, RecursionError):
        return []
    return TOKEN.findall(text)


def main(args):
    counts = len(args) == 3 and args[0] == "--count"
    if counts:
        args = args[1:] + ["0"]
    if len(args) != 3 or args[1] not in COMMANDS or not args[2].isdecimal():
        print(__doc__, file=sys.stderr)
        return 2
    tokens = read_tokens(args[0])
    changes, number = find_changes(tokens, args[1]), int(args[2])
    if counts:
        print(len(changes))
        return 0
    if number >= len(changes):
        return 1
    first, end, instead = changes[number]
    tokens[first:end] = instead
    with open(args[0], "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write("".join(tokens))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Exception:  # Python's own status is 1, and would say: no more of this kind
        traceback.print_exc()
        sys.exit(2)

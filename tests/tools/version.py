#!/usr/bin/env python3
"""Write a version where the project and the packages of its ports have it.

    python3 tests/tools/version.py 0.2.0

SPDX-License-Identifier: MIT
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# File and pattern; the first is the version of the project.
PLACES = [("meson.build", r"^  version: '(.*)'"),
          ("frng/frng.h", r'FRNG_VERSION "(.*)"'),
          ("frng/rust/Cargo.toml", r'^version = "(.*)"'),
          ("frng/rust/Cargo.toml", r'path = "macros", version = "(.*?)"'),
          ("frng/rust/macros/Cargo.toml", r'^version = "(.*)"'),
          ("frng/javascript/package.json", r'"version": "(.*?)"'),
          ("frng/python/frng/__init__.py", r'^__version__ = "(.*)"'),
          ("frng/zig/build.zig.zon", r'\.version = "(.*?)"'),
          ("frng/go/README.md", r"frng/go@v([\d.]+\d)"),
          ("tests/ports/go/go.mod", r"frng/go v(.*)")]


def place_of(name, pattern, root=ROOT):
    """The text of a file, and where its version begins and ends."""
    text = (root / name).read_text()
    found = re.search(pattern, text, re.MULTILINE)
    if found is None:
        sys.exit(f"{name} has no {pattern}")
    return text, found.start(1), found.end(1)


def versions(root=ROOT):
    """The version of each place."""
    return [(name, text[begin:end]) for name, pattern in PLACES
            for text, begin, end in [place_of(name, pattern, root)]]


def write(version, root=ROOT):
    for name, pattern in PLACES:
        text, begin, end = place_of(name, pattern, root)
        (root / name).write_text(text[:begin] + version + text[end:])


if __name__ == "__main__":
    if len(sys.argv) != 2 or not re.fullmatch(r"\d+\.\d+\.\d+", sys.argv[1]):
        sys.exit(__doc__)
    write(sys.argv[1])

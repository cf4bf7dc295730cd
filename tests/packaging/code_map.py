#!/usr/bin/env python3
"""ARCHITECTURE.md is true: its map names each file once, its numbers are where it says.

    code_map.py SOURCE

A section "### driver/LAYER: ..." or "### frng: ..." lists the files of that folder, a line each: the
name without .c and .h, then its contents. SPDX-License-Identifier: MIT
"""

import re
import sys
from collections import Counter
from pathlib import Path

SOURCE = Path(sys.argv[1])
PAGE = (SOURCE / "ARCHITECTURE.md").read_text(encoding="utf-8")
WIDTH = 100


def folders():
    return [SOURCE / "frng", *sorted(p for p in (SOURCE / "driver").iterdir() if any(p.glob("*.c")))]


def check_map():
    """Yield what is wrong with the lists of files."""
    sections = dict(re.findall(r"^### ([\w/]+): .*\n\n((?:    .*\n)+)", PAGE, re.MULTILINE))
    for folder in folders():
        name = folder.relative_to(SOURCE).as_posix()
        listed = Counter(re.findall(r"^    (\w+)  .*\S$", sections.pop(name, ""), re.MULTILINE))
        there = {path.stem for path in folder.glob("*.[ch]")}
        yield from (f"{name}: {stem} is not in the map" for stem in sorted(there - set(listed)))
        yield from (f"{name}: there is no {stem}" for stem in sorted(set(listed) - there))
        yield from (f"{name}: {stem} is listed twice" for stem, n in listed.items() if n > 1)
    yield from (f"there is no folder {name} with files" for name in sections if name != "tests")


def check_numbers():
    """Yield what is wrong with the table of numbers."""
    section = PAGE.partition("## Numbers that users feel\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([\w/]+)` \| (.*?) \|", section, re.MULTILINE)
    if not rows:
        yield "no table of numbers"
    for stem, names in rows:
        text = "".join(path.read_text(encoding="utf-8")
                       for path in (SOURCE / "driver").glob(stem + ".[ch]"))
        yield from (f"{stem} has no {name}" for name in re.findall(r"`(\w+)`", names)
                    if not re.search(rf"\b{name}\b.*=|#define {name}\b", text))


def check_width():
    for number, line in enumerate(PAGE.splitlines(), 1):
        if len(line) > WIDTH and not line.startswith("|"):
            yield f"line {number} has {len(line)} columns"


FAILED = [*check_map(), *check_numbers(), *check_width()]
for each in FAILED:
    print(f"ARCHITECTURE.md: {each}")
sys.exit(1 if FAILED else 0)

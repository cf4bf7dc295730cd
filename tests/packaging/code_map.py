#!/usr/bin/env python3
"""The map in ARCHITECTURE.md names each file once, and nothing else.

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
    """Yield each difference between the lists and the folders."""
    sections = dict(re.findall(r"^### ([\w/]+): .*\n\n((?:    .*\n)+)", PAGE, re.MULTILINE))
    for folder in folders():
        name = folder.relative_to(SOURCE).as_posix()
        listed = Counter(re.findall(r"^    (\w+)  .*\S$", sections.pop(name, ""), re.MULTILINE))
        there = {path.stem for path in folder.glob("*.[ch]")}
        yield from (f"{name}: {stem} is not in the map" for stem in sorted(there - set(listed)))
        yield from (f"{name}: there is no {stem}" for stem in sorted(set(listed) - there))
        yield from (f"{name}: {stem} is listed twice" for stem, n in listed.items() if n > 1)
    yield from (f"there is no folder {name} with files" for name in sections if name != "tests")


def check_width():
    for number, line in enumerate(PAGE.splitlines(), 1):
        if len(line) > WIDTH and not line.startswith("|"):
            yield f"line {number} has {len(line)} columns"


FAILED = [*check_map(), *check_width()]
for each in FAILED:
    print(f"ARCHITECTURE.md: {each}")
sys.exit(1 if FAILED else 0)

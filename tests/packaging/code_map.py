#!/usr/bin/env python3
"""The maps in driver/README.md and frng/README.md name each file once, and nothing else.

    code_map.py SOURCE

A section "## LAYER: ..." of the first lists the files of that folder, a line each: the name without
.c and .h, then its contents. The second has one such list. SPDX-License-Identifier: MIT
"""

import re
import sys
from collections import Counter
from pathlib import Path

SOURCE = Path(sys.argv[1])
PAGES = [SOURCE / name for name in ("ARCHITECTURE.md", "driver/README.md", "frng/README.md")]
WIDTH = 100


def listed_in(text):
    return Counter(re.findall(r"^    (\w+)  .*\S$", text, re.MULTILINE))


def differences(folder, listed):
    """Yield each difference between a list and a folder."""
    there = {path.stem for path in folder.glob("*.[ch]")}
    yield from (f"{folder.name}: {stem} is not in the map" for stem in sorted(there - set(listed)))
    yield from (f"{folder.name}: there is no {stem}" for stem in sorted(set(listed) - there))
    yield from (f"{folder.name}: {stem} is listed twice" for stem, n in listed.items() if n > 1)


def check_driver():
    page = (SOURCE / "driver/README.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (\w+): .*\n\n((?:    .*\n)+)", page, re.MULTILINE))
    for folder in sorted(p for p in (SOURCE / "driver").iterdir() if any(p.glob("*.c"))):
        yield from differences(folder, listed_in(sections.pop(folder.name, "")))
    yield from (f"there is no folder {name} with files" for name in sections)


def check_headers():
    page = (SOURCE / "frng/README.md").read_text(encoding="utf-8")
    yield from differences(SOURCE / "frng", listed_in(page))


def check_width(page):
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if len(line) > WIDTH and not line.startswith("|"):
            yield f"{page.name}: line {number} has {len(line)} columns"


FAILED = [*check_driver(), *check_headers(), *(x for page in PAGES for x in check_width(page))]
for each in FAILED:
    print(each)
sys.exit(1 if FAILED else 0)

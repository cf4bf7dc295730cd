#!/usr/bin/env python3
"""The list in frng/README.md names each header once, and nothing else; each header of the driver
begins with its name and what it is, so that `head -qn1 driver/*/*.h` lists them.

    code_map.py SOURCE

SPDX-License-Identifier: MIT
"""

import re
import sys
from collections import Counter
from pathlib import Path

SOURCE = Path(sys.argv[1])
PAGES = [SOURCE / name for name in ("ARCHITECTURE.md", "frng/README.md")]
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
    for header in sorted((SOURCE / "driver").glob("*/*.h")):
        if not header.read_text(encoding="utf-8").startswith(f"/* {header.name}: "):
            yield f"{header.name}: does not begin with /* {header.name}: what it is"


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

#!/usr/bin/env python3
"""A picture of the live screen: runs a tool in a terminal of tmux, and draws what it shows as SVG.

    python3 tests/tools/screen_svg.py --after 3 examples/screen.svg -- \\
        build/driver/frng-search build/examples/consensus --attempts 1M --rng-seed 7

SPDX-License-Identifier: MIT
"""

import argparse
import os
import re
import shlex
import subprocess
import tempfile
import time
from html import escape

# The eight standard colours, on a dark ground that reads well on a light page, too.
GROUND, PLAIN = "#16181d", "#d7dae0"
COLOURS = {"31": "#f0737c", "32": "#7fc98b", "33": "#e3b95f", "34": "#76a9ec", "35": "#cf8ce0",
           "36": "#62c2cc"}
CELL, LINE, EDGE = 8.4, 17, 14


def capture(columns, rows, after, command):
    """Return the rows of the terminal, with their escape sequences, `after` seconds from its start."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "TERM": "screen-256color"}
        for name in ("TMUX", "NO_COLOR"):
            environment.pop(name, None)

        def tmux(*words):
            return subprocess.run(["tmux", "-u", "-S", f"{folder}/socket", *map(str, words)],
                                  env=environment, check=True, text=True,
                                  capture_output=True).stdout

        tmux("-f", "/dev/null", "new-session", "-d", "-x", columns, "-y", rows, shlex.join(command))
        try:
            time.sleep(after)
            return tmux("capture-pane", "-p", "-e").rstrip("\n").split("\n")
        finally:
            subprocess.run(["tmux", "-S", f"{folder}/socket", "kill-server"], check=False)


def spans(row):
    """Yield (column, style, text) of a row; a style is a set of numbers."""
    style, column = set(), 0
    for part in re.split(r"(\x1b\[[\d;]*m|\x0e|\x0f)", row):
        if part.startswith("\x1b["):
            for code in part[2:-1].split(";"):
                if code in ("", "0"):
                    style = set()
                elif code in ("39", "49"):
                    style = {one for one in style if not one.startswith("3")}
                else:
                    style = {one for one in style if not one.startswith("3")} | {code}
        elif part and part not in ("\x0e", "\x0f"):
            yield column, style, part
            column += len(part)


def shape(character, x, y):
    """Return the path of a block or a braille character in its cell, or None for others."""
    code = ord(character)
    if 0x2581 <= code <= 0x2588: # lower eighths
        high = LINE * (code - 0x2580) / 8
        return f"M{x:.1f} {y + LINE - high:.1f}h{CELL:.1f}v{high:.1f}h-{CELL:.1f}z"
    if 0x2589 <= code <= 0x258f: # left eighths
        wide = CELL * (0x2590 - code) / 8
        return f"M{x:.1f} {y:.1f}h{wide:.1f}v{LINE}h-{wide:.1f}z"
    if not 0x2800 <= code <= 0x28ff:
        return None
    dots = [at for bit, at in enumerate(((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3),
                                         (1, 3))) if code >> bit & 1]
    return "".join(f"M{x + (0.12 + across * 0.5) * CELL:.1f} {y + (down + 0.25) * LINE / 4:.1f}"
                   "h3v2.5h-3z" for across, down in dots)


def put_words(out, x, y, text, more):
    """Put each word at its place: whatever the font, columns stay columns."""
    for word in re.finditer(r"\S+", text):
        out.append(f'<text x="{x + word.start() * CELL:.1f}" y="{y + 13}" '
                   f'textLength="{len(word[0]) * CELL:.1f}" lengthAdjust="spacingAndGlyphs"{more}>'
                   f"{escape(word[0])}</text>")


def picture(rows, columns, title):
    width, height = columns * CELL + 2 * EDGE, len(rows) * LINE + 2 * EDGE
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
           f'role="img" aria-label="{escape(title)}">',
           f"<title>{escape(title)}</title>",
           f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>',
           '<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" '
           f'fill="{PLAIN}">']
    for number, row in enumerate(rows):
        for column, style, text in spans(row):
            x, y = EDGE + column * CELL, EDGE + number * LINE
            colour = next((COLOURS[code] for code in style if code in COLOURS), None)
            fill = f' fill="{colour}"' if colour else ""
            weight = ' font-weight="bold"' if "1" in style else ""
            shapes = [shape(one, x + at * CELL, y) for at, one in enumerate(text)]
            if any(shapes):
                out.append(f'<path d="{"".join(filter(None, shapes))}"{fill}/>')
            rest = "".join(" " if drawn else one for one, drawn in zip(text, shapes))
            put_words(out, x, y, rest, fill + weight)
    return "\n".join(out + ["</g>", "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--columns", type=int, default=96)
    parser.add_argument("--rows", type=int, default=24)
    parser.add_argument("--after", type=float, default=3, help="seconds")
    parser.add_argument("--title", default="frng-search on a terminal, in the middle of a search")
    parser.add_argument("output")
    parser.add_argument("command", nargs="+")
    o = parser.parse_args()
    rows = capture(o.columns, o.rows, o.after, o.command)
    if not any("size over" in row for row in rows):
        raise SystemExit("there is no screen:\n" + "\n".join(rows))
    with open(o.output, "w", encoding="utf-8") as out:
        out.write(picture(rows, o.columns, o.title))


if __name__ == "__main__":
    main()

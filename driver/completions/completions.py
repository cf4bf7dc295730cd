#!/usr/bin/env python3
"""completions.py FOLDER OPTIONS.DEF: write the completions of the options of each tool for bash, zsh and
fish, when frng is built.

options.def is read as the compiler reads it, a macro call a row. A template (SHELL.in) is the script
with holes: @TOOL@, @NAMES@ for the names of all options, and @OPTIONS@ for a line of each.
SPDX-License-Identifier: MIT
"""

import re
import sys
from pathlib import Path

TOOLS = {"search": "S", "replay": "P", "reduce": "R", "report": "O", "status": "U"}
STRING = r'"(?:[^"\\]|\\.)*"'
# How a shell completes the value of an option, by the completion of its kind; %s is a list of words.
VALUES = {
    "@file": {"bash": "words=(-f) ;;", "zsh": "_files", "fish": " -r -F"},
    "@folder": {"bash": "words=(-d) ;;", "zsh": "_files -/",
                "fish": " -x -a '(__fish_complete_directories)'"},
    "@command": {"bash": "words=(-c -f) ;;", "zsh": "_command_names -e",
                 "fish": " -x -a '(__fish_complete_command)'"},
    "@finding": {"bash": "words=(-f -X '!*.json'); compopt -o plusdirs 2>/dev/null ;;",
                 "zsh": '_files -g "*.json"', "fish": " -x -a '(__fish_complete_suffix .json)'"},
    "": {"bash": "return ;;", "zsh": "", "fish": " -x"},
    None: {"bash": "words=(-W '%s') ;;", "zsh": "(%s)", "fish": " -x -a '%s'"},
}


def rows(macro, text):
    """Yield the arguments of each call of the macro; those of strings without their quotes."""
    for call in re.findall(rf"^{macro}\(((?:[^\"()]|{STRING})*)\)", text, re.MULTILINE):
        arguments = re.findall(rf"((?:[^\",]|{STRING})+)(?:,|$)", call)
        yield ["".join(re.findall(r'"(.*?)"', each)) if '"' in each else each.strip()
               for each in arguments]


def line(shell, tool, row, completions):
    """The line of an option; None where its shell needs none."""
    _, _, name, letter, kind, _, value, _, help_text = row
    letter, has_value = letter.strip("'"), value != "NULL"
    words = completions.get(kind, "")
    completion = VALUES.get(words, VALUES[None])[shell].replace("%s", words) if has_value else ""
    if shell == "bash":
        return f"    {'' if letter == '0' else f'-{letter}|'}--{name}) {completion}" if has_value else None
    if shell == "zsh":
        text = re.sub(r"([]\[:])", r"\\\1", help_text).replace("'", r"'\''")
        short = f"(-{letter} --{name})'{{-{letter}{'+' * has_value},--{name}{'=' * has_value}}}'"
        start = f"--{name}{'=' * has_value}" if letter == "0" else short
        return f"    '{start}[{text}]{f':{value}:{completion}' if has_value else ''}' \\"
    text = help_text.replace("\\", r"\\").replace("'", r"\'")
    return f"complete -c frng-{tool} -l {name}{'' if letter == '0' else f' -s {letter}'}{completion} -d '{text}'"


def script(shell, tool, text):
    """The script of a tool, from the template beside this file and the text of options.def."""
    completions = {row[0]: "" if row[2] == "NULL" else row[2] for row in rows("KIND", text)}
    options = [row for row in rows("OPTION", text) if TOOLS[tool] in row[0].split(" | ")]
    lines = [line(shell, tool, row, completions) for row in options]
    whole = Path(__file__).with_name(f"{shell}.in").read_text(encoding="utf-8")
    whole = whole.replace("@OPTIONS@\n", "".join(f"{each}\n" for each in lines if each is not None))
    whole = whole.replace("@NAMES@", "".join(f"--{row[2]} " for row in options))
    return whole.replace("@TOOL@", tool)


def main(folder, options_def):
    text = Path(options_def).read_text(encoding="utf-8")
    for tool in TOOLS:
        for shell, name in (("bash", "frng-%s"), ("zsh", "_frng-%s"), ("fish", "frng-%s.fish")):
            Path(folder, name % tool).write_text(script(shell, tool, text), encoding="utf-8")


main(*sys.argv[1:])

#!/usr/bin/env python3
"""Run transcripts: commands with what they print and their exit status.

    run.py [--accept] FILE...       FRNG_BUILD is the build folder, else `build` of the project

Lines of a file:

    # text              a comment; as the first line, `#! needs gcc g++` names what else it runs, and
                        `#! if COMMAND` what has to succeed
    $ command           for sh, in a folder that the file has to itself; further lines begin with `> `
    | text              a line of its stdout
    ! text              a line of its stderr
    ? 2                 its exit status, unless it is 0

Where the output varies a line has masks, and only there: <n> is a number, <time> with a unit, <seed>,
<hex>, <jobs> is `2 jobs`, <path> has no space, <text> is anything. A line `...` is any lines. The
lines `fails with ... (run 7)` that a search prints depend on the clock: only the first is looked at
unless --verbose is given, and none of a reduction, `(call 7)`. The file's folder is written <here>, the others <build> and <source>, a byte that is no text <1b>. The
tools, the targets of tests/sut and the examples are on PATH; BUILD and SOURCE are set. --accept writes
into the files what was printed, and keeps masks. A new command needs no more than its line.
SPDX-License-Identifier: MIT
"""

import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "cli"))
import frng

MASKS = {"<n>": r"[\d,.]+[KMG]?", "<time>": r"[\d,.]+ ?(?:[num]?s|min|m|h)(?: ?\d+ ?(?:s|min))?",
         "<seed>": r"\d+s?", "<hex>": r"[0-9a-f]+", "<jobs>": r"\d+ jobs?", "<path>": r"\S+",
         "<text>": r".*"}
MASK = re.compile("|".join(MASKS))
VARIES = ((re.compile(r" in (?:[\d.,]+ m?s|[\d:]+) \([\d,.]+( s/(run|call)|/s), \d+ jobs?\)"), " in <time> (<n>/s, <jobs>)"),
          (re.compile(r"/\S*/frng-work-[0-9a-f]{8}"), "<path>"))
PROGRESS = re.compile(r"(?:also )?fails with .* \((run|call) \d+\)")
AFTER_10_S = re.compile(r"size \S+ \| best .* \| \d+:\d\d\b.*")  # no transcript has such a line
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def pattern(line):
    """A line of a transcript as a regular expression."""
    return "".join(MASKS.get(part, re.escape(part)) for part in re.split(f"({MASK.pattern})", line))


def remask(old, new):
    """The new line, with the masks of the old one where the same text precedes them."""
    at = end = 0
    for mask in MASK.finditer(old):
        before = re.escape(old[end:mask.start()][-6:])
        found = re.compile(f"{before}({MASKS[mask[0]]})").search(new, at)
        if found:
            new = new[:found.start(1)] + mask[0] + new[found.end(1):]
            at = found.start(1) + len(mask[0])
        end = mask.end()
    return new


def replaced(old, new):
    """Lines in place of others, where `...` among these stands for what is between its neighbours."""
    if "..." in old:
        at = old.index("...")
        rest = len(old) - at - 1
        if len(new) >= at + rest:
            return (replaced(old[:at], new[:at]) + ["..."] +
                    replaced(old[at + 1:], new[len(new) - rest:]))
    return [remask(old[at], line) if at < len(old) else line for at, line in enumerate(new)]


def merge(expected, actual):
    """What the transcript has to say where it says `expected` and `actual` was printed."""
    whole = "".join(r"(?:.*\n)*?" if line == "..." else pattern(line) + r"\n" for line in expected)
    if re.fullmatch(whole, "".join(line + "\n" for line in actual)):
        return expected
    left = list(expected)
    for at, line in enumerate(actual):
        match = next((old for old in left if old != "..." and re.fullmatch(pattern(old), line)), None)
        if match is not None:
            left.remove(match)
            actual[at] = match
        else:
            for varying, masked in VARIES:
                actual[at] = varying.sub(masked, actual[at])
    steps = difflib.SequenceMatcher(None, expected, actual, False).get_opcodes()
    return [line for _, a, b, c, d in steps for line in replaced(expected[a:b], actual[c:d])]


def lines_of(output, names, has_progress):
    """What was printed, as lines of a transcript."""
    text = output.decode("utf-8", "surrogateescape")
    for path, name in names:
        text = text.replace(path, name)
    text = re.sub(r"(?<![\w/.])(\.\./)+(?=tests/)", "", text)  # compilers run in the build folder
    lines = [CONTROL.sub(lambda c: f"<{ord(c[0]) & 255:02x}>", line).rstrip()
             for line in text.split("\n")]
    lines = [line for line in lines if not AFTER_10_S.fullmatch(line)]
    lines[-1:] = [lines[-1] + "<no newline>"] if lines[-1] else []
    told = [PROGRESS.fullmatch(line) for line in lines]
    first = next((match for match in told if match and match[1] == "run"), None)
    return [line for line, match in zip(lines, told) if has_progress or match in (None, first)]


class Transcript:
    """The lines of a file, and what they become by running its commands in a folder."""
    def __init__(self, path):
        self.path, self.commands, self.failed = pathlib.Path(path), 0, 0
        self.lines = self.path.read_text(encoding="utf-8").splitlines()
        self.folder = frng.new_folder("transcript")
        self.names = ((str(self.folder), "<here>"), (str(frng.BUILD), "<build>"),
                      (str(SOURCE), "<source>"))
        self.environment = {name: value for name, value in os.environ.items()
                            if name[:5] != "FRNG_" and name not in ("NO_COLOR", "LD_LIBRARY_PATH")}
        folders = [frng.BUILD / name for name in ("driver", "tests/sut", "examples", "tests/faults")]
        self.environment.update(
            PATH=":".join([*map(str, folders), os.environ["PATH"]]), BUILD=str(frng.BUILD),
            SOURCE=str(SOURCE), SLOWER=str(frng.SLOWER), FRNG_SCENARIO=str(self.folder), LC_ALL="C.UTF-8", TERM="xterm")

    def missing(self):
        """What the file needs and this machine has not."""
        _, how, needs = (self.lines[0].split(None, 2) + [""] * 3)[:3] if self.lines[0][:2] == "#!" else [""] * 3
        if how == "if":
            return [needs] if self.run_command(needs)[0] != 0 else []
        return [program for program in needs.split() if shutil.which(program) is None]

    def run_command(self, command):
        """(exit status, lines of stdout by "|" and of stderr by "!")"""
        with subprocess.Popen(["sh", "-c", "ulimit -S -c 0\n" + command], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment,
                              start_new_session=True) as process:
            try:
                outputs, status = process.communicate(timeout=frng.PATIENCE_S), process.returncode
            except subprocess.TimeoutExpired:
                frng.end_processes(self.folder, 0)
                outputs, status = process.communicate(), "none: it did not end"
        streams = {mark: lines_of(output, self.names, "--verbose" in command)
                   for mark, output in zip("|!", outputs)}
        return status, streams

    def run(self):
        """The lines as they are to be."""
        result, at, lines = [], 0, self.lines
        while at < len(lines):
            result.append(lines[at])
            at += 1
            if not lines[at - 1].startswith("$ "):
                continue
            command, begun = [lines[at - 1][2:]], at
            while at < len(lines) and lines[at][:1] == ">":
                command.append(lines[at][2:])
                at += 1
            result += lines[begun:at]
            begun = at
            while at < len(lines) and lines[at][:1] in ("|", "!", "?"):
                at += 1
            status, streams = self.run_command("\n".join(command))
            told = []
            for mark, actual in streams.items():
                expected = [line[2:] for line in lines[begun:at] if line[:1] == mark]
                told += [f"{mark} {line}".rstrip() if line.strip() else mark
                         for line in merge(expected, actual)]
            told += [f"? {status}"] if status != 0 else []
            self.commands += 1
            self.failed += told != lines[begun:at]
            result += told
        return result

    def check_what_is_left(self):
        """No process is left, and what --json wrote is as events.schema.json says."""
        left = frng.end_processes(self.folder, 10)
        if left:
            print(f"{self.path}: processes were left behind: {left}")
            self.failed += 1
        for file in self.folder.rglob("*"):
            if file.is_file() and file.read_bytes()[:9] == b'{"event":':
                frng.json_lines(file.read_text(encoding="utf-8"))

    def check(self, accepts):
        """Whether nothing differs, or what differs was written."""
        result = self.run()
        self.check_what_is_left()
        frng.remove_folder(self.folder)
        if accepts and result != self.lines:
            self.path.write_text("\n".join(result) + "\n", encoding="utf-8")
        sys.stdout.writelines(line + "\n" for line in difflib.unified_diff(
            self.lines, result, str(self.path), "printed", lineterm=""))
        print(f"{self.path.name}: {self.commands} commands, {self.failed} failed", flush=True)
        return self.failed == 0 or accepts


def main():
    """Exit status 1 if something differs, 77 if all files need what is missing."""
    accepts = "--accept" in sys.argv
    good, ran = True, False
    for transcript in map(Transcript, (path for path in sys.argv[1:] if path != "--accept")):
        if transcript.missing():
            print(f"skipped: {transcript.path.name} needs {' '.join(transcript.missing())}")
        else:
            ran, good = True, transcript.check(accepts) and good
    return (0 if good else 1) if ran else 77


if __name__ == "__main__":
    sys.exit(main())

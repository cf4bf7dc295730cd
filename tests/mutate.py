#!/usr/bin/env python3
"""Break one place of the driver at a time, and see whether the quick tests notice.

    python3 tests/mutate.py [--count 40] [--rng-seed 1] [--suite NAME]... [FILE...]

Draws COUNT mutants, by default of all folders of driver/, of each as many as its share of the lines;
or of the FILEs. Each is built in a scratch copy, and `meson test` runs the file's own units, then the
suites, `unit` and `transcripts` by default, until a test fails. A mutant that does not compile, or that
changes no program, is drawn anew. Prints a line a mutant as it is judged, then, even if SIGINT or
SIGTERM ends it, what killed how many, and the rate as the last line. An hour for 60 on two processors.
SPDX-License-Identifier: MIT
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[1]
PROGRAMS = [f"driver/frng-{tool}" for tool in ("search", "replay", "reduce", "report", "status")] + [
    "examples/ring", "tests/unit/test_frng"] # the last two have the headers of frng/

# (name, pattern, replacements): each match on a line makes a mutant of each.
OPERATORS = [
    ("relation", r" (<=) ", ["<"]), ("relation", r" (<) ", ["<="]),
    ("relation", r" (>=) ", [">"]), ("relation", r" (>) ", [">="]),
    ("relation", r" (==) ", ["!="]), ("relation", r" (!=) ", ["=="]),
    ("logic", r" (&&) ", ["||"]), ("logic", r" (\|\|) ", ["&&"]),
    ("arithmetic", r" (\+) ", ["-"]), ("arithmetic", r" (-) ", ["+"]),
    ("arithmetic", r"[\w)\]] (\*) [\w(]", ["/"]), ("arithmetic", r"(\+=) ", ["-="]),
    ("step", r"(\+\+)", ["--"]), ("step", r"(--)[;)\]]", ["++"]),
    ("constant", r"(?<![\w.\"'])(\d{1,6})(?![\w.\"'])", ["+1", "-1"]),
    ("constant", r"\b(true)\b", ["false"]), ("constant", r"\b(false)\b", ["true"]),
    ("negation", r"\b(?:if|while) \((.+)\) (?:\{|return|break|continue|\w+)", ["!"]),
    ("removal", r"^ +((?!return|break|case|goto|else|const|static)[a-z_][\w.>\[\]-]*"
                r"(?:\(.*\)| [-+|&]?= [^{]*|\+\+|--);)$", [";"]),
    ("swap", r"\w\((\w+, \w+)\)", ["swap"]),
]


def mutants_of(path):
    """(line number, operator, line, mutated line) for each mutant of a file."""
    found, in_comment = [], False
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")):
        code = re.sub(r"/\*.*?\*/", lambda m: " " * len(m[0]), line)
        opens = "/*" in code
        skipped = in_comment or not line.startswith(" ") or re.match(
            r"\s*(?:/?\*|assert\(|_Static_assert|ck_|case |static const|const struct)", line)
        in_comment = (in_comment or opens) and "*/" not in line
        if skipped or opens:
            continue
        bare = re.sub(r"\"(?:\\.|[^\"\\])*\"", lambda m: '"' * len(m[0]), code)
        for name, pattern, replacements in OPERATORS:
            for match in re.finditer(pattern, bare):
                start, end = match.span(1)
                for replacement in replacements:
                    old = line[start:end]
                    if replacement in ("+1", "-1"):
                        new = str(abs(int(old) + int(replacement)))
                    elif replacement == "!":
                        new = f"!({old})"
                    elif replacement == "swap":
                        first, second = old.split(", ")
                        new = f"{second}, {first}"
                        if first == second:
                            continue
                    else:
                        new = replacement
                    found.append((number, name, line, line[:start] + new + line[end:]))
    return found


class Copy:
    """A copy of the sources with a build of it."""

    def __init__(self, folder, suites):
        self.folder, self.build, self.suites = folder, folder / "b", suites
        tracked = subprocess.check_output(["git", "ls-files", "-z"], cwd=SOURCE, text=True)
        for name in tracked.split("\0")[:-1]:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(SOURCE / name, folder / name)
        self.run("meson", "setup", self.build, folder, "-Doptimization=1")
        self.unchanged = self.programs()
        if not self.unchanged or (failed := self.killer()) != "":
            raise SystemExit(f"without a mutant: {failed if self.unchanged else None} fails")

    def run(self, *command):
        """Whether the command exits with 0; nothing that it started is left."""
        # The limit is for Check's processes, which have groups of their own: none loops for ever.
        with subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              start_new_session=True, preexec_fn=lambda: resource.setrlimit(
                                  resource.RLIMIT_CPU, (30, 30))) as running:
            try:
                return running.wait() == 0
            finally:
                try:
                    os.killpg(running.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass

    def programs(self):
        """The bytes of the programs, or None if they do not compile."""
        if self.run("ninja", "-C", self.build, *PROGRAMS):
            return [(self.build / name).read_bytes() for name in PROGRAMS]

    def killer(self, stem=None):
        """The name of a test that fails, "" if none does, or None if the tests do not compile. The
        units of a file go first, then the first suite, then the others: only what they need is built."""
        units = [file.stem.removeprefix("test_") for file in self.folder.glob("tests/unit/test_*.c")]
        own = [unit for unit in units if stem and (unit in stem or stem in unit)]
        log = self.build / "meson-logs/testlog.json"
        suites = [f"--suite={name}" for name in self.suites]
        for tests in filter(None, [own, suites[:1], suites[1:]]):
            log.unlink(missing_ok=True)
            if self.run("meson", "test", "-C", self.build, "--maxfail", "1", "--num-processes",
                        str(4 * os.cpu_count()), *tests): # most of them wait for deadlines
                continue
            results = map(json.loads, log.read_text().splitlines() if log.exists() else [])
            return next((each["name"].split(" / ")[-1] for each in results
                         if each["result"] in ("FAIL", "TIMEOUT", "ERROR")), None)
        return ""

    def judge(self, path, mutant):
        """What killed the mutant, "" if it survived, or None if it is none."""
        number, _, _, text = mutant
        file = self.folder / path
        original = file.read_text(encoding="utf-8")
        lines = original.split("\n")
        lines[number] = text
        file.write_text("\n".join(lines), encoding="utf-8")
        try:
            return None if self.programs() in (None, self.unchanged) else self.killer(path.stem)
        finally:
            file.write_text(original, encoding="utf-8")


def draw(files, count, draws):
    """Mutants without end: of each folder as many as its share of the lines."""
    lines, pools = collections.Counter(), collections.defaultdict(list)
    for path in files:
        lines[path.parent] += len((SOURCE / path).read_text(encoding="utf-8").splitlines())
        pools[path.parent] += [(path, mutant) for mutant in mutants_of(SOURCE / path)]
    for pool in pools.values():
        draws.shuffle(pool)
    print(f"{sum(map(len, pools.values()))} mutants in {len(files)} files; {count} are drawn", flush=True)
    while any(pools.values()):
        folders = [folder for folder in lines if pools[folder]]
        yield pools[draws.choices(folders, [lines[folder] for folder in folders])[0]].pop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--rng-seed", type=int, default=1)
    parser.add_argument("--suite", action="append")
    parser.add_argument("files", nargs="*", metavar="FILE")
    options = parser.parse_args()
    files = [pathlib.Path(name).resolve().relative_to(SOURCE) for name in options.files] or sorted(
        path.relative_to(SOURCE) for path in (SOURCE / "driver").glob("*/*.[ch]"))
    verdicts = []
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="frng-mutate-") as folder:
        try:
            copy = Copy(pathlib.Path(folder), options.suite or ["unit", "transcripts"])
            for path, mutant in draw(files, options.count, random.Random(options.rng_seed)):
                if (killer := copy.judge(path, mutant)) is None:
                    continue
                verdicts.append(killer)
                number, name, old, text = mutant
                print(f"{path}:{number + 1}: {name}: {f'killed by {killer}' if killer else 'SURVIVED'}: "
                      f"{old.strip()}  ->  {text.strip()}", flush=True)
                if len(verdicts) == options.count:
                    break
        except KeyboardInterrupt:
            pass
    killers = collections.Counter(filter(None, verdicts))
    print(", ".join(f"{count} by {killer}" for killer, count in killers.most_common()))
    print(f"{killers.total()} of {len(verdicts)} killed "
          f"({100 * killers.total() / max(1, len(verdicts)):.0f}%)")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Break one place of the sources at a time, and see whether the unit tests of its layer notice.

    python3 tests/mutate.py [--count 50] [--rng-seed 1] [--jobs 2] [--deep] [FILE...]

Draws COUNT mutants of the FILEs (default: driver/core, search, store, reduce, and frng/),
builds each in a scratch copy, and runs the unit tests that link the layer, the file's own first,
then the programs of tests/self that do, on SELF_RUNS random inputs.
--deep also runs scenarios on what these let pass. Prints a line a survivor, and the rate as the last
line. A mutant that does not compile, or that changes nothing in the program, is drawn anew.
SPDX-License-Identifier: MIT
"""

import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import queue
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[1]
LAYERS = ("driver/core", "driver/search", "driver/store", "driver/reduce", "frng")
ABOVE = {"core": {"core", "search", "reduce", "store", "show"}}
UNITS = (SOURCE / "tests/unit/meson.build").read_text(encoding="utf-8")
SELF = (SOURCE / "tests/self/meson.build").read_text(encoding="utf-8")
SELF_RUNS = 150
SCENARIOS = ("search", "replay", "findings", "reduce", "json")

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


def limit_processor():
    """In a child about to execute: Check's processes, in groups of their own, do not loop for ever."""
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))


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


def tests_of(path):
    """Names of the unit tests that link the file's layer, the file's own first."""
    layer = path.parts[1] if path.parts[0] == "driver" else "frng"
    names = []
    for name, libraries in re.findall(r"^  '(\w+)': \[(.*?)\],$", UNITS, re.MULTILINE):
        linked = re.findall(r"driver_deps\['(\w+)'\]", libraries)
        of_frng = name == "frng" or (not linked and "tool_dep" not in libraries)
        if (layer == "frng" and of_frng) or set(linked) & ({layer} | ABOVE.get(layer, set())):
            names.append(name)
    return sorted(names, key=lambda name: (name not in path.stem and path.stem not in name, name))


def self_tests_of(path):
    """Names of the programs in tests/self that link the file's layer."""
    layer = path.parts[1] if path.parts[0] == "driver" else "frng"
    layers = {layer, *ABOVE.get(layer, ())}
    return [name for name, libraries
            in re.findall(r"^  '(\w+)': \[\[(.*?\])\]", SELF, re.MULTILINE)
            if set(re.findall(r"driver_deps\['(\w+)'\]", libraries)) & layers]


class Copy:
    """A copy of the sources with a build of it."""

    def __init__(self, folder):
        self.folder, self.build = folder, folder / "b"
        tracked = subprocess.run(["git", "ls-files", "-z"], cwd=SOURCE, check=True,
                                 capture_output=True).stdout.decode().split("\0")[:-1]
        for name in tracked:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(SOURCE / name, folder / name)
        subprocess.run(["meson", "setup", self.build, folder, "-Dbuildtype=plain", "-Dc_args=-O0"],
                       check=True, stdout=subprocess.DEVNULL)

    def ninja(self, targets):
        return subprocess.run(["ninja", "-C", self.build, "-j1", *targets], check=False,
                              stdout=subprocess.DEVNULL).returncode == 0

    def passes(self, command, seconds, stdin=subprocess.DEVNULL, **variables):
        """True if the command exits with 0 in time; all that it started is killed otherwise."""
        process = subprocess.Popen(command, cwd=self.build, stdin=stdin, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True,
                                   preexec_fn=limit_processor,
                                   env={**os.environ, **variables})
        try:
            return process.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return False

    def passes_self(self, name):
        """True if the program passes random inputs, always the same."""
        draws = random.Random(1)
        for _ in range(SELF_RUNS):
            with tempfile.TemporaryFile() as file:
                file.write(draws.randbytes(draws.choice((200, 400, 1000))))
                file.seek(0)
                if not self.passes([f"tests/self/self_{name}"], 20, stdin=file):
                    return False
        return True

    def objects(self, test):
        return hashlib.sha256((self.build / f"tests/unit/test_{test}").read_bytes()).digest()

    def judge(self, path, mutant, deep):
        """How the mutant ends: "killed by ...", "survived", or None if it is none."""
        number, _, _, text = mutant
        file = self.folder / path
        original = file.read_text(encoding="utf-8")
        tests = tests_of(path)
        if not self.ninja([f"tests/unit/test_{tests[0]}"]):
            raise RuntimeError(f"test_{tests[0]} does not build unchanged")
        before = self.objects(tests[0])
        lines = original.split("\n")
        lines[number] = text
        file.write_text("\n".join(lines), encoding="utf-8")
        try:
            for test in tests:
                if not self.ninja([f"tests/unit/test_{test}"]):
                    return None
                if test == tests[0] and self.objects(test) == before:
                    return None
                if not self.passes([f"tests/unit/test_{test}"], 90):
                    return f"killed by {test}"
            for name in self_tests_of(path):
                if not self.ninja([f"tests/self/self_{name}"]):
                    return None
                if not self.passes_self(name):
                    return f"killed by self_{name}"
            if deep and self.ninja(["all"]):
                for noun in SCENARIOS:
                    if not self.passes(["python3", str(self.folder / f"tests/cli/test_{noun}.py")],
                                       600, FRNG_BUILD=str(self.build), FRNG_LONG="0"):
                        return f"killed by scenarios of {noun}"
            return "survived"
        finally:
            file.write_text(original, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--rng-seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--deep", action="store_true", help="run scenarios on survivors too")
    parser.add_argument("files", nargs="*", metavar="FILE")
    options = parser.parse_args()
    files = [pathlib.Path(name).resolve().relative_to(SOURCE) for name in options.files] or sorted(
        path.relative_to(SOURCE) for layer in LAYERS for path in (SOURCE / layer).glob("*.[ch]"))
    mutants = [(path, mutant) for path in files for mutant in mutants_of(SOURCE / path)]
    random.Random(options.rng_seed).shuffle(mutants)
    print(f"{len(mutants)} mutants in {len(files)} files; {options.count} are drawn", flush=True)
    killed = survived = 0
    with tempfile.TemporaryDirectory(prefix="frng-mutate-") as folder:
        copies = queue.Queue()
        for i in range(options.jobs):
            copies.put(Copy(pathlib.Path(folder, str(i))))

        def judge(drawn):
            copy = copies.get()
            try:
                return *drawn, copy.judge(*drawn, options.deep)
            finally:
                copies.put(copy)
        rest = iter(mutants)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            while killed + survived < options.count:
                batch = [drawn for _, drawn in zip(range(options.count - killed - survived), rest)]
                if not batch:
                    break
                for path, (number, name, old, text), end in pool.map(judge, batch):
                    killed += end is not None and end.startswith("killed")
                    survived += end == "survived"
                    if end == "survived":
                        print(f"{path}:{number + 1}: {name}: {old.strip()}  ->  {text.strip()}",
                              flush=True)
    total = killed + survived
    print(f"{killed} of {total} killed ({100 * killed / max(1, total):.0f}%)")


if __name__ == "__main__":
    main()

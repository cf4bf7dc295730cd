#!/usr/bin/env python3
"""Let checks of the ports fail beside the library that users of the language know.

    checks.py --build DIR [--out DIR] [--seeds 5] [--load N] [--language cpp]... [--property sum]...
              [--python PROGRAM] [--node FOLDER] [--cargo FOLDER] [--verbose]

Six properties (checks/) are false; both may make 1,000 runs. A row has seconds of CPU with children
from the start of the runner to its end, medians by turns, and how many answers the seeds give. A
library that is not there has no figures: --python names one with pytest and Hypothesis, --node a
node_modules with fast-check, --cargo a .cargo with proptest; RapidCheck is Debian's, and nothing is
beside Go. --load runs so many busy loops meanwhile. SPDX-License-Identifier: MIT
"""

import argparse
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from statistics import median

from measure import in_turn, table

HERE = Path(__file__).resolve().parent / "checks"
FRNG = HERE.parents[2] / "frng"
GO = "frng.example/frng.git/frng/go"
PROPERTIES = ["sum", "distinct", "quote", "dates", "queue", "cache"]
CARGO = f"""[package]
name = "checks"
version = "0.1.0"
edition = "2021"
[lib]
path = "code.rs"
[dev-dependencies]
frng = {{ path = "{FRNG}/rust" }}
"""
PROPTEST = 'proptest = { version = "1", default-features = false, features = ["std"] }\n'
TARGETS = "".join(f'[[test]]\nname = "{who}"\npath = "{who}.rs"\n' for who in ("frng", "other"))
SHOWN = {  # the answer in what a library prints
    "python": r"Falsifying example:\s*(.*?)\n *\n", "cpp": r"Falsifiable after.*?\n\n(.*?)\n\n",
    "javascript": r"Counterexample: (.*?)(?: /\*|\n)", "rust": r"minimal failing input: (.*?)\n\t"}
VALUES = r"(?m)^ *([a-z]\w*(?: = [^\n]*|\([^\n0]*(?: = [^\n]*)?\)))$"  # names, or steps, of frng


def make(folder, *words, **more):
    """True if a command ends well."""
    made = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, **more}, check=False)
    if made.returncode != 0:
        print(f"not there: {' '.join(map(str, words))}: {made.stderr[-400:]}", file=sys.stderr)
    return made.returncode == 0


def prepare(language, folder, options):
    """Return the words that run both, in which {0} is the property, and {1} the seed."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE / language, folder)
    if language == "python":
        words = [options.python, "-m", "pytest", "-p", "no:cacheprovider", "-q"]
        there = make(folder, options.python, "-c", "import pytest, hypothesis")
        return there, [*words, "frng_test.py::test_{0}"], [
            *words, "--hypothesis-seed={1}", "other_test.py::test_{0}"]
    if language == "javascript":
        modules = folder / "node_modules"
        modules.mkdir()
        (modules / "frng").symlink_to(FRNG / "javascript")
        for name in ("fast-check", "pure-rand") if options.node else ():
            (modules / name).symlink_to(options.node.resolve() / name)
        return options.node, *(["node", "--test", f"{who}.test.mjs"] for who in ("frng", "other"))
    if language == "cpp":
        flags = ["c++", "-O2", "-g", "-std=c++17", f"-I{FRNG}", f"-I{FRNG}/cpp"]
        make(folder, *flags, "frng.cpp", "-o", "frng")
        there = make(folder, *flags, "other.cpp", "-o", "other", "-lrapidcheck")
        return there, ["./frng", "{0}"], ["./other", "{0}"]
    if language == "rust":
        if options.cargo:
            shutil.copytree(options.cargo, folder / ".cargo")
        (folder / "Cargo.toml").write_text(CARGO + PROPTEST * bool(options.cargo) + TARGETS)
        build = ["cargo", "test", "--offline", "--no-run", "--test"]
        there = options.cargo and make(folder, *build, "other")
        make(folder, *build, "frng")
        made = [f for f in (folder / "target/debug/deps").glob("*-*") if os.access(f, os.X_OK)]
        return there, *([str(f), "{0}"] for who in ("frng", "other")
                        for f in made if f.name.startswith(who + "-"))
    (folder / "go.mod").write_text(f"module frng.example/code\n\ngo 1.19\n\nrequire {GO} v0.1.0\n"
                                   f"\nreplace {GO} => {FRNG}/go\n")
    make(folder, "go", "test", "-c", "-o", "frng", GOFLAGS="-mod=mod")
    return False, ["./frng", "-test.run=(?i)^Test{0}$"], []


def run(words, language, name, seed, folder, options):
    """Return the seconds of CPU of a failing check, and its answer; None: it has passed."""
    more = {"PROPERTY": name, "SEED": str(seed), "FRNG_SEED": str(seed),
            "RC_PARAMS": f"seed={seed} max_success=1000", "PYTHONPATH": str(FRNG / "python"),
            "PATH": f"{options.build.resolve()}/driver:{os.environ['PATH']}", "NO_COLOR": "1",
            "RUST_BACKTRACE": "0"}  # takes longer than all else
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run([word.format(name, seed) for word in words], cwd=folder, text=True,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False,
                           stderr=subprocess.STDOUT, env={**os.environ, **more})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = re.sub("(?m)^E ", "", ended.stdout)
    report = re.search(r"fails? in run(.*?)to go on", text, re.S)
    found = report or re.search(SHOWN.get(language, " "), text, re.S)
    answer = "\n".join(re.findall(VALUES, report[1])) if report else found and found[1]
    if options.verbose:
        print(language, name, seed, words[-1], "\n", answer or text[-3000:], flush=True)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, answer


def measure(language, options):
    folder, loop = options.out.resolve() / language, [sys.executable, "-c", "while True: pass"]
    there, *words = prepare(language, folder, options)
    for name in options.property or PROPERTIES:
        loops = [subprocess.Popen(loop) for _ in range(options.load)]
        try:
            got = in_turn({who: lambda seed, w=w: run(w, language, name, seed, folder, options)
                           for who, w in zip(("frng", "other") if there else ("frng",), words)},
                          options.seeds)
        finally:
            for one in loops:
                one.kill()
                one.wait()
        row, both = [language, name], list(got.values())
        for runs in both:
            answers = [answer for _, answer in runs if answer]
            row += [f"{median(cpu for cpu, _ in runs):.3f}", f"{len(set(answers))}/{len(answers)}"]
        yield [*row, f"{median(a[0] / b[0] for a, b in zip(*both)):.2f}"] if there else row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    for name, kind, value in (
            ("build", Path, Path("build")), ("out", Path, Path("build/tests/bench/checks")),
            ("seeds", int, 5), ("load", int, 0), ("python", str, sys.executable),
            ("node", Path, None), ("cargo", Path, None)):
        parser.add_argument(f"--{name}", type=kind, default=value)
    parser.add_argument("--language", action="append", choices=sorted(os.listdir(HERE)))
    parser.add_argument("--property", action="append", choices=PROPERTIES)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the loops end with it
    table(["language", "property", "frng: CPU s", "answers", "library", "answers", "ratio"],
          (row for language in options.language or sorted(os.listdir(HERE))
           for row in measure(language, options)))


if __name__ == "__main__":
    main()

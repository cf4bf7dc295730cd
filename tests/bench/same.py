#!/usr/bin/env python3
"""Say in what two builds of frng differ: answers and calls.

    same.py --before BUILD --after BUILD [--section NAME]... [--starts N]

Both folders are builds by Meson with their examples and challenges (`ninja -C BUILD`); each build
runs programs that were compiled with its own headers. Sections:

    challenges  each challenge reduced from N searches: size, hex and calls
    noise       the same from N random failures of 10 KiB, held out of the tuning
    searches    each example searched with seven --rng-seeds: result line, runs and reruns
    all         examples with --all, with --reduce, with both, and on 3 jobs
    files       five files of the sources reduced by 200 calls: bytes and digest
    jumps       examples with --reduce, --ignore and --all, after alone: where each failure ends its
                process or not
    transcripts each of this clone's tests/transcripts: the lines of text and JSON in which it differs

A row that differs is printed with both sides; the last line counts them. Exit status 0 if nothing
differs. SPDX-License-Identifier: MIT
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "challenges")]
TIMEOUT_S = 600
EXAMPLES = ("ring", "cobs", "consensus", "kvstore", "lease", "raft", "wal", "queue", "stack")
SMALL = ["--all", "--attempts", 10, "--size-max", 64] # the sizes of --all cost seconds

# Files below the sources, the last one as records with their lengths; and what makes `data` of them
# interesting, in Python, where an exception says that it is not well-formed.
FILES = {
    "frng/javascript/package.json": "import json; found = len(json.loads(data)) > 3",
    "examples/screen.svg": "from xml.dom import minidom\n"
                           "found = len(minidom.parseString(data).getElementsByTagName('path')) > 1",
    "examples/ring.c": "found = re.search(rb'\\{[^{}]*\\btail\\b[^{}]*\\}', data) and "
                       "all(data.count(a) == data.count(b) for a, b in ((b'{', b'}'), (b'(', b')')))",
    "RECIPES.md": "found = re.search(b'reduce.*input', data)",
    "LICENSE": "at, before = 0, b''\nwhile at < len(data):\n"
               "    size = data[at] << 8 | data[at + 1]; here = data[at + 2:at + 2 + size]; at += 2 + size\n"
               "    assert at <= len(data); found |= b'copies' in before and len(here) > 9; before = here",
}


def run(build, tool, *arguments, folder=None, environment=None):
    """The events that a tool wrote; its last one is `done`."""
    command = [str(build / "driver" / f"frng-{tool}"), *map(str, arguments), "--json", "-"]
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(command, cwd=folder or scratch, stdin=subprocess.DEVNULL, check=False,
                              capture_output=True, timeout=TIMEOUT_S,
                              env={**os.environ, **(environment or {})})
    lines = [json.loads(line) for line in done.stdout.decode().splitlines() if line[:1] == "{"]
    if done.returncode > 1 or not lines:
        return [{"exit": done.returncode, "stderr": done.stderr.decode()[-300:]}]
    return lines


def picked(event, *names):
    return {name: event[name] for name in names if name in event} if "event" in event else event


def reduced(build, program, start):
    events = run(build, "reduce", program, *start, "--jobs", 1, "--explain", "no")
    return picked(events[-1], "outcome", "size", "hex", "calls")


def challenge_rows(options, origin):
    from challenges import CHALLENGES, find_starts, link_program
    folders = {build: tempfile.mkdtemp(dir=options.folder) for build in (options.before, options.after)}
    for name in CHALLENGES:  # the starts of both are those of `before`
        at = {build: link_program(build, name, folder) for build, folder in folders.items()}
        starts = find_starts(options.before, at[options.before], origin, options.starts)
        for i, start in enumerate(starts):
            yield f"{name} {i}", lambda b, at=at, s=start: reduced(b, at[b], s)


def searched(build, name, seed, *more, environment=None):
    events = run(build, "search", build / "examples" / name, "--rng-seed", seed, *more,
                 environment=environment)
    kept = ("size", "seed", "runs", "reruns", "outcome", "hex", "signature", "exit", "stderr")
    return [picked(e, *kept) for e in events if e.get("event") in (None, "done", "best", "other")]


def search_rows(options, origin):
    for name in EXAMPLES:
        for seed in range(1, 8):
            yield f"{name} {seed}", lambda b, n=name, s=seed: searched(b, n, s, "--jobs", 1)[-1:]


def all_rows(options, origin):
    for name in EXAMPLES[:4]:
        for more in (SMALL, ["--reduce"], [*SMALL, "--reduce"], ["--jobs", 3]):
            yield f"{name} {' '.join(map(str, more))}", lambda b, n=name, m=more: [
                {k: v for k, v in e.items() if "runs" not in k or "--jobs" not in m}
                for e in searched(b, n, 5, *(m if "--jobs" in m else [*m, "--jobs", 1]))]


def file_rows(options, origin):
    for name, judge in FILES.items():
        data, program = (HERE.parents[1] / name).read_bytes(), Path(options.folder, "interesting")
        if name == "LICENSE":
            data = b"".join(struct.pack(">H", len(line)) + line for line in data.splitlines())
        program.unlink(missing_ok=True)
        program.write_text(f"#!{sys.executable} -IS\nimport re, sys\ndata, found = open('file', 'rb').read(), 0\n"
                           f"{judge}\nsys.exit(not found)\n")
        program.chmod(0o755)

        def row(build):
            with tempfile.TemporaryDirectory() as scratch:
                Path(scratch, "file").write_bytes(data)
                events = run(build, "reduce", "--predicate", program, "file", "--output", "reduced",
                             "--jobs", 1, "--calls", 200, folder=scratch)
                digest = hashlib.sha256(Path(scratch, "reduced").read_bytes()).hexdigest()[:12]
            return {**picked(events[-1], "outcome", "size", "calls"), "digest": digest}
        yield name, row


def jump_rows(options, origin):
    for more in (["--reduce"], ["--ignore", "signal:SIGABRT", "--attempts", 600, "--size-max", 64],
                 [*SMALL, "--size-max", 256]):
        for name in EXAMPLES:
            yield f"{name} {more[0]}", lambda b, n=name, m=more: searched(
                options.after, n, 5, *m, "--jobs", 1,
                environment={"FRNG_NO_JUMP": "1" if b == options.before else "0"})


def transcript_rows(options, origin):
    for path in sorted(HERE.parent.glob("transcripts/*.t")):
        yield path.stem, lambda b, p=path: [line for line in subprocess.run(
            [sys.executable, p.parent / "run.py", p], env={**os.environ, "FRNG_BUILD": str(b)}, check=False,
            stdout=subprocess.PIPE, timeout=TIMEOUT_S).stdout.decode().splitlines() if line[:1] in "+-"]


SECTIONS = {"challenges": (challenge_rows, "search"), "noise": (challenge_rows, "random"),
            "searches": (search_rows, None), "all": (all_rows, None), "files": (file_rows, None),
            "jumps": (jump_rows, None),
            "transcripts": (transcript_rows, None)}


def show(section, name, before, after):
    print(f"{section}: {name} differs\n    before {json.dumps(before)[:400]}\n"
          f"    after  {json.dumps(after)[:400]}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--before", type=Path, required=True)
    parser.add_argument("--after", type=Path, required=True)
    parser.add_argument("--section", action="append", choices=list(SECTIONS))
    parser.add_argument("--starts", type=int, default=3)
    options = parser.parse_args()
    options.before, options.after = options.before.resolve(), options.after.resolve()
    rows = differ = 0
    calls = [0, 0]
    with tempfile.TemporaryDirectory(prefix="frng-same-") as options.folder, \
            concurrent.futures.ThreadPoolExecutor(2) as two:
        for section in options.section or SECTIONS:
            make, origin = SECTIONS[section]
            for name, row in make(options, origin):
                before, after = two.map(row, (options.before, options.after))
                rows += 1
                for i, side in enumerate((before, after)):
                    calls[i] += side.get("calls", 0) if isinstance(side, dict) else 0
                if before != after:
                    differ += 1
                    show(section, name, before, after)
    print(f"{differ} of {rows} rows differ; {calls[0]:,} calls before, {calls[1]:,} after")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())

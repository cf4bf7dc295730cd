#!/usr/bin/env python3
"""seeds.py FOLDER TARGET...: inputs that the targets of this folder begin with, in FOLDER/TARGET/.

Text for those that parse text; what is cut up into numbers begins with zeros, ones and noise.
SPDX-License-Identifier: MIT
"""

import json
import pathlib
import random
import re
import struct
import sys

FINDING = {"format": 1, "sut": "./sut", "sut_digest": "00ff", "args": ["--flag", "two words"],
           "size": 41, "seed": "16842751", "expand": 1, "identity": "signal:SIGABRT", "status": 134,
           "site": "queue.c:12", "reruns": 20, "repeated": 19, "when": "2024-01-31T23:59:59Z"}
BYTES = {**{key: value for key, value in FINDING.items() if key not in ("size", "seed")}, "hex": "00ff41"}
WORKER = [{"event": "earlier", "searches": 2, "runs": 9, "seconds": 2.5, "below": 40, "passed": 9,
           "counted": 8, "stretches": 2},
          {"event": "start", "sut": "./a", "args": ["-x"], "digest": "ab", "filter": " --only timeout",
           "expand": "both", "host": "node", "pid": 7, "jobs": 2, "rng_seed": "7", "every": 60.0},
          {"event": "best", "size": 41, "seed": "7s", "identity": "exit:3", "site": "a.c:3"},
          {"event": "alive", "when": "2026-11-22T08:31:00Z", "runs": 10, "reruns": 2, "seconds": 1.5,
           "best_size": 41, "below": 40, "passed": 9, "counted": 8, "stretches": 2, "every": 60.0}]
START = {"event": "start", "sut": "./q", "args": ["a b"], "rng_seed": "7", "host": "h", "jobs": 2}
BEST = {"event": "best", "size": 40, "seed": "17s", "identity": "exit:3", "site": "q.c:1", "runs": 9,
        "output": "q.c:1: <b>bad</b>\n", "rate": {"reruns": 20, "repeated": 19}}
REDUCED = [{"event": "start", "task": "reduce", "sut": "./q", "args": [], "size": 4},
           {"event": "step", "calls": 3, "size": 3, "pass": "delete"},
           {"event": "done", "outcome": "fail", "complete": True, "size": 2, "hex": "00ff",
            "identity": "exit:3", "calls": 9, "below": 1, "passed": 9, "bound": 0.3,
            "passes": [{"name": "delete", "calls": 3, "successes": 1, "bytes": 2}],
            "explanation": {"runs": 3, "together": {"draws": 2, "runs": 20, "failed": 20}, "statements": [
                {"offset": 0, "step": "put", "note": "key", "value": "7", "text": "= key at offset 1",
                 "notes": ["x"]}, {"offset": 1, "note": "key", "value": "7", "text": "any"}]}}]


SITES = (pathlib.Path(__file__).parents[1] / "unit/sites.txt").read_text(encoding="utf-8")


def lines(*events):
    return "\n".join(json.dumps({"schema": 1, **event}) for event in events)


def program(code, texts=b"\0while\0"):
    """An ELF file with sections of code, texts, names, a table of names, data, and its addresses."""
    names, at = b"\0test\0", 64
    symbols = bytes(24) + struct.pack("<IBBHQQ", 1, 2, 0, 1, 0x1000, len(code))
    pointers = struct.pack("<QQq", 0x3000, 8, 0x2001)
    body, headers = b"", bytes(64)
    for number, (kind, flags, address, part) in enumerate((
            (1, 6, 0x1000, code), (1, 2, 0x2000, texts), (3, 0, 0, names), (2, 0, 0, symbols),
            (1, 3, 0x3000, bytes(16)), (4, 2, 0, pointers))):
        headers += struct.pack("<IIQQQQIIQQ", 0, kind, flags, address, at + len(body), len(part),
                               3 if number == 3 else 0, 0, 1, 24)
        body += part
    return struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 3, 62, 1, 0, 0, at + len(body), 0, 64, 56, 0,
                       64, 7, 0) + body + headers


SEEDS = {
    "constants": [program(bytes.fromhex(code)) for code in (
        "3defbeadde", "6681ffff00", "48b8efcdab89674523014839c7", "488d3dfa0f0000", "488d3df91f0000",
        "be01200000", "80f92a837dfc29",
        "8d8700fdffff83f86f")],
    "report": [lines(START, BEST, {"event": "tested", "size": 9, "runs": 7, "failures": 2},
                     {**BEST, "event": "done", "outcome": "fail", "failures": [BEST]}),
               lines(*REDUCED), lines(START, BEST, *REDUCED)],
    "sites": ["signal:SIGABRT at a.c:*", "asan:*", *re.split(r"(?m)^[@!#].*\n", SITES)],
    "text": ["00fF", "\x1b[31mred\x1b[0m\n", "é\u2028\u202e€😀", b"\xff\xc2\x9b\xed\xa0\x80",
             "it's \"quoted\" \\ $x", "a\tb\r\n\x7f"],
    "options": [words.replace(" ", "\n") for words in (
        "0--attempts 100 --size-max=4M -j 2 ./sut -- --flag",
        "0--timeout 1.5h --time=500ms --memory 2G --mode fork ./sut --only exit:3",
        "0--rng-seed 0xff ./sut --findings found --json - --quiet --reduce --stdin pipe",
        "1./sut --size 41 --seed 7 --runs 3 --only signal:SIGABRT", "1./sut --hex 00ff --trace",
        "1--input - ./sut --wrap gdb", "2./sut --finding x.json --calls 10 --any-failure --output out",
        "2--predicate ./interesting file --reducer clex\u00a0rm-toks-1")],
    "finding": [json.dumps(FINDING), json.dumps({**FINDING, "seed": "17s"}), json.dumps(BYTES, indent=2)],
    "worker": ["".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines) for lines in (
        WORKER, [*WORKER, {"event": "done", "outcome": "fail", "size": 3, "seed": "1", "identity": "timeout"}])],
    "passes": ["\x80int main(void) { return (1 + 2) * f(a, b); }\n\n/* text */\n",
               "\xa0" + "line\n" * 40, "\x91{[()]}{[(())]}", b"\xfd" + bytes(range(200))],
}


def noise(target):
    """Inputs for those whose input is cut up into numbers; the same each time."""
    source = random.Random(target)
    yield from (bytes(64), bytes([1]) * 200)
    for length in (40, 200, 600, 1500):
        yield bytes(source.randrange(256) for _ in range(length))
        yield bytes(source.choice((0, 1, 2, 3, 8, 16, 255)) for _ in range(length))


def main():
    for target in sys.argv[2:]:
        folder = pathlib.Path(sys.argv[1], target)
        folder.mkdir(parents=True, exist_ok=True)
        seeds = SEEDS.get(target, []) + ([] if target == "finding" else list(noise(target)))
        for i, seed in enumerate(seeds):
            (folder / f"seed-{i:02}").write_bytes(seed.encode() if isinstance(seed, str) else seed)


if __name__ == "__main__":
    main()

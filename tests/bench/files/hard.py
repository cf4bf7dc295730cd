#!/usr/bin/env python3
"""Measure what frng-reduce computes between its calls, on large files of awkward shapes.

    hard.py --build DIR [--case NAME]... [--calls 300] [--timeout 120] [--without PASS]...

The predicates are cheap (hard.c). `bytes` is the size after `calls` calls, `least` what the
predicate needs, `us a call` the processor time of frng-reduce alone, without its workers and the
predicates, by call; `seconds` the wall time. SPDX-License-Identifier: MIT
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cases import compile_c, quoted

WORDS = ["amber", "basin", "cedar", "delta", "ember", "fjord", "grove", "haven", "inlet", "jetty"]


def word(rng):
    """A long word."""
    letters = bytearray(rng.choices(b"abcdefghijklmnopqrstuvwxyz", k=1 << 20))
    letters[700000:700003], letters[900000:900003] = b"XYZ", b"QRS"
    return bytes(letters)


def newlines(_rng):
    """A million empty lines, and two that are not."""
    return b"\n" * 600000 + b"alpha\n" + b"\n" * 400000 + b"omega\n"


def deep(rng):
    """Blocks that are indented ever deeper, up to 400, again and again."""
    rows = [" " * (n % 400) + f"{rng.choice(WORDS)} {n}:" for n in range(5000)]
    rows[3210] += " alpha"
    rows[3220] += " omega"
    return "\n".join(rows).encode()


def host(rng, n):
    return {"id": n, "name": rng.choice(WORDS), "load": [rng.random(), rng.randint(0, 9)],
            "tags": {rng.choice(WORDS): rng.choice(WORDS), "on": True}}


def minified(rng):
    """2 MiB of JSON on one line."""
    hosts = [host(rng, n) for n in range(20000)]
    hosts[12345]["name"] = "alpha"
    hosts[15000]["tags"]["x"] = "omega"
    return json.dumps({"hosts": hosts}, separators=(",", ":")).encode()


def rows(rng):
    """100,000 rows of a table."""
    lines = [f"{n},{rng.choice(WORDS)},{rng.randint(0, 999)},{rng.choice(WORDS)}"
             for n in range(100000)]
    lines[54321] += "alpha"
    lines[77777] += "omega"
    return "\n".join(lines).encode() + b"\n"


def elements(_rng):
    """10,000 elements in each other."""
    names = [f"e{n % 97}" for n in range(10000)]
    text = "".join(f"<{name}>" for name in names) + "alpha"
    return (text + "".join(f"</{name}>" for name in reversed(names)) + "omega").encode()


def noise(rng):
    data = bytearray(rng.randbytes(4 << 20))
    data[3000000:3000005] = b"alpha"
    data[3500000:3500005] = b"omega"
    return bytes(data)


def letters(rng):
    """UTF-8 of two, three and four bytes, with few lines."""
    signs = "äöüßñéλπжщ中文字符日本語한글🙂🚀  ,.;"
    text = "".join(rng.choices(signs, k=300000))
    parts = [text[:100000], "alpha\n", text[100000:200000], "omega", text[200000:]]
    return "".join(parts).encode()


def functions(rng):
    """500 KiB of C with a function on each line."""
    lines = [f"static int {rng.choice(WORDS)}_{n}(int a, int b) {{ if (a > {n}) {{ return b; }} "
             f"return {rng.choice(WORDS)}_{rng.randint(0, n)}(b, a) + {n}; }}" for n in range(5500)]
    lines[3000] = "int alpha(int a) { while (a) { a--; } return a; }"
    lines[4000] = "int main(void) { if (1) { return alpha(3); } return 0; }"
    return "\n".join(lines).encode()


def brackets(_rng):
    """50,000 brackets in each other, of three kinds."""
    return b"[({" * 17000 + b"alpha" + b"})]" * 17000 + b"omega"


def objects(rng):
    """JSON objects in each other, 3,000 of them, with others beside them."""
    text = "".join(f'{{"{rng.choice(WORDS)}":[{n},{{"{rng.choice(WORDS)}":[]}}],"in":'
                   for n in range(3000))
    return (text + '"alpha omega"' + "}" * 3000).encode()


def spread(rng):
    """1 MiB of words on one line, of which 50 at equal distances have to stay."""
    data = " ".join(rng.choices(WORDS, k=180000))
    step = len(data) // len(SPREAD)
    return "".join(data[n * step:(n + 1) * step] + word for n, word in enumerate(SPREAD)).encode()


def marked(rng):
    """40,000 lines, of which 50 at equal distances have to stay."""
    lines = [f"{rng.choice(WORDS)} {rng.choice(WORDS)} ({n})" for n in range(40000)]
    for n, word in enumerate(SPREAD):
        lines[n * 800 + 77] += word
    return "\n".join(lines).encode()


SPREAD = [f"={n}=" for n in range(50)]


def scattered(rng):
    """1 MiB of noise, in which 50 short marks have to stay."""
    data = bytearray(rng.randbytes(1 << 20))
    for n, word in enumerate(SPREAD):
        data[n * 20000 + 999:n * 20000 + 999 + len(word)] = word.encode()
    return bytes(data)


def unended(_rng):
    """Tags without an end, of which 50 have to stay."""
    return " ".join("<a " * 1000 + word for word in SPREAD).encode()


def escaped(_rng):
    """Escaped quotes on one line, of which none ends another."""
    return " ".join('\\"a\\": ' * 1000 + word for word in SPREAD).encode()


STUCK = [f"w{n:x}" for n in range(9000)]


def stuck(_rng):
    """50 KB of words that all have to stay."""
    return (" ".join(STUCK) + "  ").encode()


# What makes the file, what it has to keep, and what has to be nested.
CASES = {
    "word": (word, ["XYZ", "QRS"], ""),
    "newlines": (newlines, ["alpha", "omega"], ""),
    "deep": (deep, ["alpha", "omega"], ""),
    "minified": (minified, ["alpha", "omega"], "{}[]"),
    "rows": (rows, ["alpha", "omega"], ""),
    "elements": (elements, ["alpha", "omega"], "<>"),
    "noise": (noise, ["alpha", "omega"], ""),
    "letters": (letters, ["alpha", "omega"], ""),
    "brackets": (brackets, ["alpha", "omega"], "()[]{}"),
    "objects": (objects, ["alpha", "omega"], "{}[]"),
    "spread": (spread, SPREAD, ""),
    "marked": (marked, SPREAD, "()"),
    "scattered": (scattered, SPREAD, ""),
    "unended": (unended, SPREAD, ""),
    "escaped": (escaped, SPREAD, ""),
    "stuck": (stuck, STUCK, ""),
    "functions": (functions, ["alpha", "main", "alpha"], "(){}"),
}


def own_cpu(process):
    """Wait for a process to end, and return the seconds of processor time of itself alone."""
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    process.wait()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(name, options, place):
    """The bytes of the result, and the calls."""
    make, words, nest = CASES[name]
    file, predicate, result = place / "data", place / "interesting", place / "result"
    file.write_bytes(make(random.Random(f"frng {name}")))
    has = '"' + "".join(word + "\\0" for word in words) + '"'
    defines = [f"HAS={has}", f"NEST={quoted(nest)}", 'NAME="data"', f"TAGS={int('<' in nest)}"]
    compile_c("hard.c", predicate, defines)
    program = "tests/bench/frng-reduce-without" if options.without else "driver/frng-reduce"
    command = [options.build.resolve() / program, "--predicate", predicate, file, "--jobs", "1"]
    command += ["--output", result, "--json", place / "events", "--quiet"]
    command += ["--calls", str(options.calls), "--time", f"{options.timeout}s"]
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        cpu = own_cpu(process)
    seconds = time.perf_counter() - start
    last = [json.loads(line) for line in (place / "events").read_text().splitlines()][-1]
    size = (result if result.exists() else file).stat().st_size
    calls = max(last.get("runs", last.get("calls", 0)), 1)
    if options.shows:
        least = sum(map(len, words))
        print(f"{name:10} {file.stat().st_size:9} {size:9} {least:6} {calls:6} "
              f"{1e6 * cpu / calls:10.0f} {seconds:8.1f}", flush=True)
    return size, calls


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", type=Path, required=True, help="Meson's build folder")
    parser.add_argument("--case", action="append", choices=list(CASES), help="only this one")
    parser.add_argument("--calls", type=int, default=300, help="of the predicate")
    parser.add_argument("--timeout", type=int, default=120, help="seconds for each")
    parser.add_argument("--without", action="append", metavar="PASS", help="left out")
    parser.set_defaults(shows=True)
    options = parser.parse_args()
    if options.without:
        os.environ["FRNG_WITHOUT"] = ",".join(options.without)
    print("case            start     bytes  least  calls  us a call  seconds")
    for name in options.case or CASES:
        with tempfile.TemporaryDirectory(prefix="frng-hard-") as folder:
            measure(name, options, Path(folder))


if __name__ == "__main__":
    sys.exit(main())

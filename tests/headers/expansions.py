#!/usr/bin/env python3
"""expansions.py PROGRAM FRNG_PY: the bytes of random seeds, plain and styled, from frng_expand.h as
PROGRAM prints them, beside those of an implementation in Python, which follows DRAWS.md."""
import importlib.util
import os
import random
import subprocess
import sys

EDGES = (0, 1, 2, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)


def load(path):
    sys.path.insert(0, os.path.dirname(path))  # of what it imports
    spec = importlib.util.spec_from_file_location("frng", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cases(draw):
    """Seeds, styles, sizes and sizes of fills, which are multiples of 8 or 0: all at once."""
    for i in range(1000):
        seed = draw.getrandbits(64) if i % 4 else draw.choice(EDGES) + i & (1 << 64) - 1
        size = draw.choice((draw.randrange(40), draw.randrange(700), draw.randrange(4096)))
        yield seed, i % 8 != 7, size, 8 * draw.randrange(1 + size // 8) if i % 2 else 0


def main():
    program, path = sys.argv[1:]
    expand = load(path).expand
    wanted = list(cases(random.Random(1)))
    text = "".join(f"{seed} {int(styled)} {size} {step}\n" for seed, styled, size, step in wanted)
    lines = subprocess.run([program], input=text, stdout=subprocess.PIPE, check=True,
                           text=True).stdout.splitlines()
    assert len(lines) == len(wanted), f"{len(lines)} lines for {len(wanted)} cases"
    for (seed, styled, size, step), line in zip(wanted, lines):
        name = f"{seed}s" if styled else str(seed)
        expected = expand(name, size).hex()
        assert line == expected, f"seed {name}, size {size}, fills of {step}:\n{line}\n{expected}"
    print(f"{len(wanted)} expansions are the same")


main()

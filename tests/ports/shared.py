#!/usr/bin/env python3
"""What the ports share, in the words of each: constants, tables, variables, messages.

    shared.py           check that the files of the ports say what frng/shared.json says
    shared.py --write   write them
"""
import json
import pathlib
import re
import sys
import textwrap

FRNG = pathlib.Path(__file__).resolve().parents[2] / "frng"
SAYS = "Made by tests/ports/shared.py: do not edit."
CHECK = "Of a check: runs, bytes, cost of a run, passes at a size, at the last; reductions; a finding"


def camel(name):
    """runCost, noNumber: as Go names what a package keeps to itself."""
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name.lower())


def fits(head, text, end="", columns=100):
    """A definition on one line, or on two, as the formatters have it."""
    line = f"{head} {text}{end}"
    return line if len(line) <= columns else f"{head}\n    {text}{end}"


def c_file(names, constants, tables, texts):
    yield f"/* frng_shared.h: what the ports share. {SAYS}\n * SPDX-License-Identifier: MIT */"
    yield f"#ifndef FRNG_SHARED_H\n#define FRNG_SHARED_H\n\n/* {CHECK} */\nenum {{"
    yield from (f"    FRNG_CHECK_{name} = {value}," for name, value in constants.items())
    yield "};\n\n/* Tables of eight bytes, the first one lowest. */"
    for name, values in tables.items():
        yield f"#define FRNG__{name} UINT64_C(0x{int.from_bytes(bytes(values), 'little'):016x})"
    yield "\n/* Variables, without FRNG_. */"
    for i in 0, 1:
        yield f'#define FRNG__VARIABLES_{i} {", ".join(map(json.dumps, names[i::2]))}'
    yield ""
    yield from (f"#define FRNG__{name} {json.dumps(text)}" for name, text in texts.items())
    yield "\n#endif"


def python_file(names, constants, tables, texts):
    yield f'"""What the ports share. {SAYS}\n\nSPDX: MIT"""\n\n# {CHECK}'
    yield from (f"{name} = {value}" for name, value in constants.items())
    yield from (f"{name} = {tuple(values)}" for name, values in tables.items())
    yield f'VARIABLES = "{" ".join(names)}".split()'
    yield from (f"{name} = {json.dumps(text)}" for name, text in texts.items())


def javascript_file(names, constants, tables, texts):
    yield f"// What the ports share. {SAYS}\n// SPDX-License-Identifier: MIT\n\n// {CHECK}"
    yield from (f"export const {name} = {value};" for name, value in constants.items())
    yield from (f"export const {name} = {values};" for name, values in tables.items())
    yield f"const NAMES = '{' '.join(names)}';\nexport const VARIABLES = NAMES.split(' ');"
    for name, text in texts.items():
        yield fits(f"export const {name} =", f"'{text}'", ";", columns=99)


def rust_file(names, constants, tables, texts):
    yield f"//! What the ports share. {SAYS}\n//! SPDX-License-Identifier: MIT\n"
    yield f"#![allow(dead_code)] // ALONE: its line names cargo\n\n// {CHECK}"
    for name, value in constants.items():
        yield f"pub const {name}: {'u64' if name[-2:] == '_S' else 'usize'} = {value};"
    yield from (f"pub const {name}: [u64; 8] = {values};" for name, values in tables.items())
    texts = {"VARIABLES": " ".join(names), **texts}
    for name, text in texts.items():
        yield fits(f"pub const {name}: &str =", json.dumps(text), ";")


def go_file(names, constants, tables, texts):
    yield f"package frng\n\n// What the ports share. {SAYS}\n\n// {CHECK}"
    yield from (f"const {camel('CHECK_' + name)} = {value}" for name, value in constants.items())
    texts = {"VARIABLES": " ".join(names), **texts}
    yield from (f"const {camel('SAYS_' + name)} = {json.dumps(text)}" for name, text in texts.items())
    yield ""
    for name, values in tables.items():
        yield f"var {camel(name)} = [8]uint64{{{str(values)[1:-1]}}}"


FILES = {"frng_shared.h": c_file, "python/frng/shared.py": python_file,
         "javascript/shared.mjs": javascript_file, "rust/shared.rs": rust_file,
         "go/shared.go": go_file}


def main():
    shared = json.loads((FRNG / "shared.json").read_text(encoding="utf-8"))
    parts = [shared[name] for name in ("variables", "constants", "styles", "messages")]
    for name, lines in FILES.items():
        path, text = FRNG / name, "\n".join(lines(*parts)) + "\n"
        if sys.argv[1:] == ["--write"]:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path} differs from frng/shared.json: python3 tests/ports/shared.py --write")
    print(f"{len(FILES)} files say what frng/shared.json says")


if __name__ == "__main__":
    main()

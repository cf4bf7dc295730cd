#!/usr/bin/env python3
"""Make the files that files.py reduces, each with the predicate that says what is interesting.

    cases.py NAME FOLDER      writes FOLDER/NAME/ with the file and the predicate, to use by hand

The same bytes each time. A predicate follows C-Reduce's convention: it is run in a folder that
holds a candidate under the file's own name, or takes another name as its argument; exit status 0
says interesting, and a crash does not. Those that must be fast are of predicates.c.

    c_file              20 KB of C that gcc accepts, with instructions of two of its functions
    subsequence         20,000 bytes that have 8 given ones in order, at any distance; chance alone
                        would give these many times over
    subsequence_unique  the same, but they are nowhere else
    records             6,000 bytes: a length and so many bytes, repeated; these must have a sum
    json                10 KB: well-formed, but an object has two members of one name
    log                 100 KB: a line with one word and after it another
    sleepy              2,000 bytes as in subsequence_unique, the predicate sleeps 50 ms
    computing           the same, the predicate computes for 20 ms
    and those of more_cases.py
SPDX-License-Identifier: MIT
"""

import json
import random
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import more_cases

HERE = Path(__file__).resolve().parent
BUILD_TIMEOUT_S = 60


@dataclass
class Case:
    name: str
    file: Path
    predicate: Path
    smallest: int  # bytes, as far as is known; 0 where it is not
    kind: str  # "c", "text" or "binary"


def compile_c(source, output, defines):
    command = ["gcc", "-std=c11", "-O2", str(HERE / source), "-o", str(output)]
    subprocess.run(command + [f"-D{d}" for d in defines], check=True, timeout=BUILD_TIMEOUT_S)


def quoted(text):
    """A string literal of C."""
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def compiled(predicate, *defines, source="predicates.c"):
    def write(case):
        always = [f"PREDICATE={predicate}", f"NAME={quoted(case.file.name)}"]
        compile_c(source, case.predicate, always + list(defines))

    return write


def script(*lines):
    """A predicate for sh; $file is the candidate."""

    def write(case):
        head = ["#!/bin/sh", "LC_ALL=C", "export LC_ALL"]
        head.append('file="${1:-' + shlex.quote(case.file.name) + '}"')
        case.predicate.write_text("\n".join(head + list(lines)) + "\n", encoding="utf-8")
        case.predicate.chmod(0o755)

    return write


# ---- A file of C ----

C_HEAD = """\
/* Stock keeping: made by a generator, no line of it means anything. */
#define LIMIT 64
#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))
#define CLAMP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))

extern int printf(const char *format, ...);

typedef unsigned int uint;
typedef unsigned char byte;

enum kind { KIND_NONE, KIND_BOX, KIND_CRATE, KIND_PALLET, KIND_COUNT };

static const int weights[LIMIT] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4};
static int totals[LIMIT];
"""

C_STRUCT = """
/* What {noun} number {n} is kept as. */
struct {noun}_{n} {{
    int id, amount;
    char label[{a}];
    enum kind kind;
    {link}
    long history[{b}];
}};

static struct {noun}_{n} {noun}s_{n}[{c}];
"""

C_FUNCTIONS = [
    """
/* Adds up the {noun}s that weigh more than {a}. */
static int sum_{n}(int count) {{
    int sum = 0;
    for (int i = 0; i < count && i < LIMIT; i++) {{
        if (weights[i] > {a}) sum += weights[i] * {b};
        else sum -= totals[i];
    }}
    return CLAMP(sum, {c}, {d});
}}
""", """
static const char *name_{n}(enum kind kind) {{
    switch (kind) {{
    case KIND_BOX: return "{noun} box {a}";
    case KIND_CRATE: return "{noun} crate, {b} apiece";
    case KIND_PALLET: return "a pallet of {noun}s";
    default: break;
    }}
    return "{noun}?"; // never seen so far
}}
""", """
/* Mixes the bits of a key, {a} times round. */
static uint mix_{n}(uint key) {{
    uint h = key ^ 0x{hex}u;
    for (int round = 0; round < {a}; round++) {{
        h ^= h << {e};
        h ^= h >> {f};
        h += {b}u * (uint)round;
    }}
    return h & 0x7fffffffu;
}}
""", """
static int length_{n}(const char *text) {{
    int length = 0, blanks = 0;
    while (text[length] && length < {c}) {{
        blanks += text[length] == ' ' || text[length] == '\\t';
        length++;
    }}
    return length - blanks + {call};
}}
""", """
/* Stores a {noun}; the oldest one makes room. */
static void store_{n}(int id, int amount) {{
    struct {struct} *s = &{struct_array}[id & 1];
    s->id = id;
    s->amount += amount > {a} ? {a} : amount;
    s->kind = id > {b} ? KIND_CRATE : KIND_BOX;
    for (int i = COUNT(s->history) - 1; i > 0; i--) s->history[i] = s->history[i - 1];
    s->history[0] = amount;
}}
""", """
static int table_{n}(int row, int column) {{
    static const byte cells[4][4] = {{{{{a}, 2, {b}}}, {{4, {e}}}, {{6, {f}, 8}}, {{9}}}};
    int best = 0;
    for (int i = 0; i <= (row & 3); i++) {{
        for (int j = 0; j <= (column & 3); j++) {{
            if (cells[i][j] > best) best = cells[i][j];
        }}
    }}
    printf("{noun}: best of %d, %d is %d\\n", row, column, best);
    return best;
}}
""", """
static int walk_{n}(int depth) {{
    if (depth <= 0) return {call};
    totals[depth & (LIMIT - 1)] += depth * {a};
    do {{
        depth -= {e};
    }} while (depth > {f});
    return walk_{n}(depth - 1) + {b};
}}
""",
]

C_SHARE = """
/* An equal share for each {noun}; nobody gets anything where nobody is. */
static int share_{n}(int total, int parts) {{
    if (parts == 0) return {a};
    return total / parts + weights[parts & (LIMIT - 1)];
}}
"""

C_SCALE = """
static double scale_{n}(int amount, double unit) {{
    double scaled = amount;
    if (amount > {c}) scaled = scaled * unit;
    return scaled + {b};
}}
"""

# What can be called once function n of a form is there.
C_CALLS = {
    "sum": "sum_{n}({a})", "mix": "(int)mix_{n}({a}u)", "length": 'length_{n}("{noun} {b}")',
    "table": "table_{n}({a}, {b})", "walk": "walk_{n}({a})", "share": "share_{n}({c}, {a})",
    "scale": "(int)scale_{n}({a}, 0.5)", "name": "length_3(name_{n}(KIND_BOX))",
}
NOUNS = ["barrel", "bottle", "bucket", "carton", "jar", "kettle", "parcel", "sack", "tin", "tray"]
C_FUNCTION_COUNT = 59
C_SMALL_COUNT = 25


def numbers(rng, n):
    small = {key: rng.randint(2, 9) for key in "abef"}
    return {**small, "c": rng.randint(20, 60), "d": rng.randint(1000, 9999), "n": n,
            "hex": f"{rng.getrandbits(32):08x}", "noun": rng.choice(NOUNS)}


def c_structs(rng):
    made = []
    for n in range(8):
        values = numbers(rng, n)
        link = f"struct {rng.choice(made)} *next;" if made else "byte flags;"
        made.append(f"{values['noun']}_{n}")
        yield made[-1], C_STRUCT.format(link=link, **values)


def c_calls(rng, n, names):
    form = names[n]
    if form == "store":
        return f"store_{n}({rng.randint(1, 9)}, {rng.randint(1, 99)})"
    return C_CALLS[form].format(**numbers(rng, n))


def c_main(rng, names):
    lines = ["", "int main(void) {", "    int sum = 0;"]
    for n, form in enumerate(names):
        call = c_calls(rng, n, names)
        lines.append(f"    {call};" if form == "store" else f"    sum += {call};")
    return "\n".join(lines + ['    printf("all in all %d\\n", sum);', "    return 0;", "}", ""])


def c_file(rng, count=C_FUNCTION_COUNT):
    structs = list(c_structs(rng))
    parts, names = [C_HEAD] + [text for _, text in structs], []
    special = {17: C_SHARE, 22: C_SCALE, 33: C_SHARE, 41: C_SCALE}
    for n in range(count):
        form = special.get(n, C_FUNCTIONS[n % len(C_FUNCTIONS)])
        struct = rng.choice(structs)[0]
        noun, number = struct.split("_")
        usable = [i for i, name in enumerate(names) if name not in ("store", "name")]
        call = c_calls(rng, rng.choice(usable), names) if usable else "1"
        text = form.format(struct=struct, struct_array=f"{noun}s_{number}", call=call,
                           **numbers(rng, n))
        names.append(text[: text.index(f"_{n}(")].split()[-1].lstrip("*"))
        parts.append(text)
    return ("".join(parts) + c_main(rng, names)).encode()


# A signed division, and an int made a double: on x86-64 alone. No name or string has a tab.
C_PREDICATE = script(
    'out=$(gcc -O0 -w -S -o - "$file" 2>/dev/null) || exit 1',
    "tab=$(printf '\\t')",
    'case $out in *"${tab}idivl$tab"*) ;; *) exit 1 ;; esac',
    'case $out in *"${tab}cvtsi2sdl$tab"*) exit 0 ;; esac',
    "exit 1",
)


def c_small(rng):
    return c_file(rng, C_SMALL_COUNT).replace(b"walk_20(depth - 1)", b"walk_20()")


# It must compile but for one mistake: a call with too few arguments.
C_SMALL_PREDICATE = script(
    'out=$(LC_ALL=C gcc -O0 -w -S -o /dev/null "$file" 2>&1) && exit 1',
    "case $out in *error:*error:*) exit 1 ;; esac",
    'case $out in *"too few arguments to function"*) exit 0 ;; esac',
    "exit 1",
)


# ---- Sequences ----

MARK = bytes([0x9C, 0x31, 0xE7, 0x0D, 0x5A, 0xB8, 0x44, 0xF2])
MARK_DEFINE = 'MARK="' + "".join(f"\\x{byte:02x}" for byte in MARK) + '"'


def with_mark(rng, size, others):
    """MARK at random places among so many of the other bytes."""
    data = bytearray(rng.choices(others, k=size))
    for place, byte in zip(sorted(rng.sample(range(size), len(MARK))), MARK):
        data[place] = byte
    return bytes(data)


ANY_BYTES = range(256)
OTHER_BYTES = [byte for byte in range(256) if byte not in MARK]


def records(rng):
    """The last record fills up the 6,000 bytes."""
    data = bytearray()
    while len(data) < 6000:
        length = min(rng.randint(0, 255), 6000 - len(data) - 1)
        data += bytes([length]) + rng.randbytes(length)
    return bytes(data)


# ---- JSON ----

WORDS = ["amber", "basin", "cedar", "delta", "ember", "fjord", "grove", "haven", "inlet", "jetty"]
TWICE = "serial, once more"


def json_port(rng, n):
    return {"port": n, "speed": rng.choice([100, 1000, 2.5e3, 1e4]), "up": rng.random() < 0.8,
            "peer": rng.choice([None, f"{rng.choice(WORDS)}-{rng.randint(1, 99)}"])}


def json_host(rng, n):
    return {"id": n, "name": f"{rng.choice(WORDS)}\u00e9{n}", "serial": f"SN{rng.randint(0, 9999)}",
            "ports": [json_port(rng, i) for i in range(rng.randint(2, 4))],
            "load": [round(rng.uniform(-1, 9), 3) for _ in range(3)],
            "note": f'in "{rng.choice(WORDS)}"\\{rng.choice(WORDS)}\n', "tags": {}}


def json_document(rng):
    racks = [{"rack": r, "hosts": [json_host(rng, 10 * r + i) for i in range(4)]} for r in range(5)]
    host = racks[3]["hosts"][2]
    racks[3]["hosts"][2] = {**host, TWICE: "SN0"}
    text = json.dumps({"site": "north", "version": 3, "racks": racks}, indent=1)
    return text.replace(TWICE, "serial").encode()


# ---- A log ----

LOG_LEVELS = ["DEBUG", "INFO ", "INFO ", "INFO ", "WARN ", "ERROR"]
LOG_MESSAGES = [
    "request {a} from 10.0.{b}.{c} took {a} ms", "checkpoint {a} written, {b} pages",
    "connection {a} closed by peer", "{word}: retry {b} of {c}", "report {a} overdue by {b} s",
    "cache of {word} has {a} entries, {b} expired", "user {word}{c} logged in",
]


def log_line(rng, seconds, message):
    values = {"a": rng.randint(1, 99999), "b": rng.randint(1, 255), "c": rng.randint(1, 255)}
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    head = f"2026-03-01T{clock}.{rng.randrange(1000):03} {rng.choice(LOG_LEVELS)} "
    head += f"worker-{rng.randint(1, 16)} "
    return head + message.format(word=rng.choice(WORDS), **values) + "\n"


def log(rng):
    lines, size = [], 0
    while size < 100000:
        rare = size > 61000 and not any("stays" in line for line in lines[-200:])
        message = "checkpoint {a} of {word} stays overdue" if rare and size < 61100 else None
        lines.append(log_line(rng, 20 * len(lines) % 86400, message or rng.choice(LOG_MESSAGES)))
        size += len(lines[-1])
    return "".join(lines).encode()


# ---- All of them ----


@dataclass
class Recipe:
    file: str
    kind: str
    smallest: int
    make: object  # of a random.Random, the bytes
    write_predicate: object  # of a Case


def everyday(name, file, smallest, kind="text", source="formats.c"):
    """A case of more_cases.py with a predicate of its name."""
    predicate = compiled(name, source=source)
    return Recipe(file, kind, smallest, getattr(more_cases, name), predicate)


def python_script(case):
    text = f"#!{sys.executable} -IS\n" + more_cases.PYTHON_PREDICATE
    given = f"(sys.argv[1:] or [{case.file.name!r}])[0]"
    case.predicate.write_text(text.replace("sys.argv[1]", given))
    case.predicate.chmod(0o755)


RECIPES = {
    "c_file": Recipe("stock.c", "c", 0, c_file, C_PREDICATE),
    "subsequence": Recipe(
        "data.bin", "binary", len(MARK), lambda rng: with_mark(rng, 20000, ANY_BYTES),
        compiled("subsequence", MARK_DEFINE)),
    "subsequence_unique": Recipe(
        "data.bin", "binary", len(MARK), lambda rng: with_mark(rng, 20000, OTHER_BYTES),
        compiled("subsequence", MARK_DEFINE)),
    "records": Recipe("data.bin", "binary", 6, records, compiled("records", "SUM=1200")),
    "json": Recipe("racks.json", "text", 11, json_document, compiled("json")),
    "log": Recipe("server.log", "text", 17, log,
                  script("exec grep -aq 'checkpoint.*overdue' \"$file\"")),
    "c_small": Recipe("stock.c", "c", 0, c_small, C_SMALL_PREDICATE),
    "csv": everyday("csv", "bills.csv", 0),
    "sql": everyday("sql", "stock.sql", 0),
    "shell": everyday("shell", "start.sh", 0),
    "xml": everyday("xml", "shop.xml", 0),
    "ini": everyday("ini", "site.ini", 0),
    "yaml": everyday("yaml", "site.yaml", 0),
    "rules": everyday("rules", "Makefile", 0),
    "python": Recipe("tools.py", "text", 0, more_cases.python, python_script),
    "chunks": everyday("chunks", "image.img", 33, "binary"),
    "latex": everyday("latex", "paper.tex", 0, source="nests.c"),
    "conditions": everyday("conditions", "site.h", 0, source="nests.c"),
    "lisp": everyday("lisp", "site.scm", 0, source="nests.c"),
    "hex": everyday("hex", "digests.ini", 6, source="nests.c"),
    "pdf": everyday("pdf", "paper.pdf", 0, "binary", "nests.c"),
    "latin1": Recipe("site.ini", "binary", 0, more_cases.latin1,
                     compiled("ini", source="formats.c")),
    "strings": Recipe("names.bin", "binary", 0, more_cases.strings, compiled("records", "SUM=500")),
    "sleepy": Recipe(
        "data.bin", "binary", len(MARK), lambda rng: with_mark(rng, 2000, OTHER_BYTES),
        compiled("subsequence", MARK_DEFINE, "SLEEP_MS=50")),
    "computing": Recipe(
        "data.bin", "binary", len(MARK), lambda rng: with_mark(rng, 2000, OTHER_BYTES),
        compiled("subsequence", MARK_DEFINE, "BURN_MS=20")),
}


def make_case(name, folder, start=0):
    """The case in a folder of its name. Other starts are other files of the same kind."""
    recipe = RECIPES[name]
    place = Path(folder).resolve() / name
    place.mkdir(parents=True)
    case = Case(name, place / recipe.file, place / "interesting", recipe.smallest, recipe.kind)
    case.file.write_bytes(recipe.make(random.Random(f"frng {name}" + f" {start}" * (start > 0))))
    recipe.write_predicate(case)
    return case


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in RECIPES:
        sys.exit(f"usage: cases.py NAME FOLDER, where NAME is one of: {', '.join(RECIPES)}")
    case = make_case(sys.argv[1], sys.argv[2])
    print(f"{case.predicate} {case.file}")


if __name__ == "__main__":
    main()

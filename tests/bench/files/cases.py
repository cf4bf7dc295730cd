#!/usr/bin/env python3
"""Make the files that files.py reduces, each with the predicate that says what is interesting.

    cases.py NAME FOLDER      writes FOLDER/NAME/ with the file and the predicate, to use by hand

The same bytes each time. A predicate follows C-Reduce's convention: it is run in a folder that
holds a candidate under the file's own name, or takes another name as its argument; exit status 0
says interesting, and a crash does not. Those that must be fast are of predicates.c.

    subsequence         20,000 bytes that have 8 given ones in order, at any distance; chance alone
                        would give these many times over
    subsequence_unique  the same, but they are nowhere else
    records             6,000 bytes: a length and so many bytes, repeated; these must have a sum
    json                10 KB: well-formed, but an object has two members of one name
    log                 100 KB: a line with one word and after it another
    sleepy              2,000 bytes as in subsequence_unique, the predicate sleeps 50 ms
    computing           the same, the predicate computes for 20 ms
    csv, sql, ini, chunks   what formats.c says of each
SPDX-License-Identifier: MIT
"""

import json
import random
import shlex
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

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


# ---- Formats of every day ----

WORDS = ["amber", "basin", "cedar", "delta", "ember", "fjord", "grove", "haven", "inlet", "jetty"]


def csv(rng):
    columns = ["id", "day", "name", "city", "state", "units", "price", "total", "note", "owner"]
    rows = [",".join(columns)]
    for n in range(120):
        state = rng.choice(["open", "paid", "sent", "void"])
        total = rng.randint(10, 999)
        if n == 71:
            state, total = "open", -35
        elif n % 17 == 0:
            state, total = "void", -total
        rows.append(f"{n},2026-03-{1 + n % 28:02},{rng.choice(WORDS)},{rng.choice(WORDS)},{state},"
                    f"{rng.randint(1, 9)},{rng.randint(1, 99)}.{rng.randint(10, 99)},{total},"
                    f"{rng.choice(WORDS)} {rng.choice(WORDS)},{rng.choice(WORDS)}")
    return "\n".join(rows + [""]).encode()


SQL_COLUMNS = ["id INTEGER NOT NULL", "serial TEXT", "name TEXT", "amount NUMERIC(10, 2)",
               "made TEXT", "place TEXT", "weight REAL", "flag INTEGER"]


def sql(rng):
    text, serials = "", []
    for table in ("parts", "orders", "stock", "visits"):
        columns = SQL_COLUMNS[:]
        if table == "visits":
            columns.remove("serial TEXT")
        # A type with a comma in brackets is none for the predicate.
        columns = [column.replace("(10, 2)", "") for column in columns]
        text += f"CREATE TABLE {table} (\n  " + ",\n  ".join(columns) + "\n);\n"
        for part in range(3):
            rows = []
            for n in range(9):
                serials.append(f"'{table[0]}{part}{n}-{rng.randint(100, 999)}'")
                if (table, part, n) == ("stock", 2, 4):
                    serials[-1] = serials[-9]
                values = [str(9 * part + n), serials[-1], f"'{rng.choice(WORDS)}'",
                          f"{rng.randint(1, 999)}", f"'2026-02-{1 + n}'", f"'{rng.choice(WORDS)}'",
                          str(rng.randint(1, 90)), str(n % 2)]
                if table == "visits":
                    del values[1]
                rows.append("  (" + ", ".join(values) + ")")
            text += f"INSERT INTO {table} VALUES\n" + ",\n".join(rows) + ";\n"
    return text.encode()


def ini(rng):
    text = "; made by a generator\n"
    for n in range(40):
        text += f"\n[{rng.choice(WORDS)}-{n}]\n" if n != 22 else "\n[defaults]\n"
        for key in rng.sample(["host", "port", "user", "level", "color", "limit", "title"], 5):
            text += f"{key} = {rng.choice(WORDS)}{rng.randint(1, 99)}\n"
        if n == 31:
            text += "include = defaults\n"
        text += f"path = /srv/{rng.choice(WORDS)}\n" if n in (4, 22, 37) else ""
        text += "# once more\n" if n % 5 == 0 else ""
    return text.encode()


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", sum(data) % 65521)


def chunks(rng):
    data = b"\x89IMG" + chunk(b"IHDR", rng.randbytes(13))
    for n in range(40):
        if n == 9:
            data += chunk(b"PLTE", rng.randbytes(3 * 24))
        elif n == 23:
            data += chunk(b"tRNS", rng.randbytes(30))
        else:
            kind = rng.choice([b"IDAT", b"tEXt", b"zTXt", b"gAMA"])
            data += chunk(kind, rng.randbytes(rng.randint(4, 300)))
    return data + chunk(b"IEND", b"")


# ---- All of them ----


@dataclass
class Recipe:
    file: str
    kind: str
    smallest: int
    make: object  # of a random.Random, the bytes
    write_predicate: object  # of a Case


def everyday(name, file, smallest, kind="text", source="formats.c"):
    """A case with a predicate of formats.c of its name."""
    predicate = compiled(name, source=source)
    return Recipe(file, kind, smallest, globals()[name], predicate)


RECIPES = {
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
    "csv": everyday("csv", "bills.csv", 0),
    "sql": everyday("sql", "stock.sql", 0),
    "ini": everyday("ini", "site.ini", 0),
    "chunks": everyday("chunks", "image.img", 33, "binary"),
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

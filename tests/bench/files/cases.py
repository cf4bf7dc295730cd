"""Make the files that files.py reduces, each with the predicate that says what is interesting.

The same bytes each time. A predicate follows C-Reduce's convention: it is run in a folder that
holds a candidate under the file's own name, or takes another name as its argument; exit status 0
says interesting, and a crash does not. PREDICATES says what each case is.
SPDX-License-Identifier: MIT
"""

import json
import random
import struct
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Case:
    name: str
    file: Path
    predicate: Path
    log: Path  # of the predicate's runs: a line `.` when one begins, the size of what is interesting
    kind: str


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

# What makes a file interesting: it is well-formed, and ...
PREDICATES = {
    "log": """# a line has one word and after it another
found = re.search(b"checkpoint.*overdue", data) is not None
""",
    "json": """# an object has two members of one name
import json
def pairs(members):
    global found
    found |= len({name for name, _ in members}) < len(members)
json.loads(data, object_pairs_hook=pairs, parse_constant=lambda _: 1 / 0)
""",
    "csv": """# a row has `open` in the column `state` and a negative number in `total`
header, *rows = [row.split(b",") for row in data.removesuffix(b"\\n").split(b"\\n")]
columns = dict(reversed([(name, at) for at, name in enumerate(header)]))
for row in rows:
    assert len(row) == len(header)
    found |= row[columns[b"state"]] == b"open" and bool(re.match(rb"-[1-9]", row[columns[b"total"]]))
""",
    "ini": """# an `include` names a section that has a `path`
section, wanted, have = b"", set(), set()
for line in filter(None, map(bytes.strip, data.split(b"\\n"))):
    if line[:1] == b"[":
        section = re.fullmatch(rb"\\[(.+)\\]", line)[1]
    elif line[:1] not in b"#;":
        key, value = map(bytes.strip, re.fullmatch(rb"([^=]*)=(.*)", line).groups())
        assert key and section
        wanted |= {value} if key == b"include" else set()
        have |= {section} if key == b"path" else set()
found = bool(wanted & have)
""",
    "chunks": """# a `tRNS` has more bytes than the `PLTE` before it has colours
assert data[:4] == b"\\x89IMG"
at, colours = 4, None
while at < len(data):
    length, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
    assert at + 12 + length <= len(data)
    if kind == b"PLTE":
        assert length > 0 and length % 3 == 0
        colours = length // 3
    found |= kind == b"tRNS" and colours is not None and length > colours
    at += 12 + length
""",
}


def predicate(case):
    """A program in Python, of `data`; an exception says that it is not well-formed."""
    text = PREDICATES[case.name].replace("\n", "\n    ").rstrip()
    return (f"#!{sys.executable} -IS\nimport os, re, sys\nfound = False\n"
            f"log = os.open({str(case.log)!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)\n"
            f"os.write(log, b'.\\n')\n"
            f"data = open((sys.argv[1:] or [{case.file.name!r}])[0], 'rb').read()\n"
            f"try:\n    {text}\nexcept Exception:\n    found = False\n"
            f"if found:\n    os.write(log, b'%d\\n' % len(data))\nsys.exit(not found)\n")


# A file, its kind, and what makes its bytes of a random.Random.
RECIPES = {
    "json": ("racks.json", "text", json_document),
    "log": ("server.log", "text", log),
    "csv": ("bills.csv", "text", csv),
    "ini": ("site.ini", "text", ini),
    "chunks": ("image.img", "binary", chunks),
}


def make_case(name, folder):
    """The case in a folder of its name."""
    file, kind, make = RECIPES[name]
    place = Path(folder).resolve() / name
    place.mkdir(parents=True)
    case = Case(name, place / file, place / "interesting", place / "log", kind)
    case.file.write_bytes(make(random.Random(f"frng {name}")))
    case.predicate.write_text(predicate(case))
    case.predicate.chmod(0o755)
    return case

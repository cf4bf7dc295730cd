"""Make the files that files.py reduces, each with the predicate that says what is interesting.

The same bytes each time. A predicate follows C-Reduce's convention: it is run in a folder that
holds a candidate under the file's own name, or takes another name as its argument; exit status 0
says interesting, and a crash does not. PREDICATES says what each case is.
SPDX-License-Identifier: MIT
"""

import importlib.util
import io
import json
import marshal
import random
import re
import sqlite3
import struct
import subprocess
import sys
import tarfile
import tempfile
import wave
import zipfile
import zlib
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


def nested(rng):
    """Levels that all have to stay, as for a limit of a parser."""
    text = "null"
    for n in range(257):
        key, word = f"{rng.choice(WORDS)}{n % 7}", rng.choice(WORDS)
        text = rng.choice([f'{{"{key}": {text}}}', f'{{"id": {n}, "{key}": {text}, "{word}": [{n}, true]}}',
                           f'["{word}", {text}]', f"[{text}, {n}]"])
    return text.encode()


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


def large(rng):
    """A log of 50 MB."""
    usual = log(rng).replace(b"stays", b"was")
    usual = re.sub(rb"checkpoint.*overdue", b"checkpoint", usual)
    return usual * 300 + b"checkpoint 7 of amber stays overdue\n" + usual * 200


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


# ---- Markup, programs and other texts ----

def words(rng, count):
    return " ".join(rng.choice(WORDS) for _ in range(count))


def html(rng):
    text = "<!DOCTYPE html>\n<html><head><title>Orders</title>\n<style>td { color: red }</style></head>\n<body>\n"
    for n in range(60):
        text += f'<div class="{words(rng, 1)}" id="d{n}">\n<h2>{words(rng, 3)}</h2>\n<ul>\n'
        text += "".join(f'<li><a href="/{words(rng, 1)}/{i}">{words(rng, 4)}</a><br></li>\n' for i in range(6))
        text += "</ul>\n"
        if n % 9 == 4:
            rows = "".join(f"<tr><td>{words(rng, 2)}</td><td>{i}</td></tr>\n" for i in range(8))
            text += f"<table>\n{rows}</table>\n" if n != 31 else f"<form><table>\n{rows}<input></table></form>\n"
        text += f"<p>{words(rng, 30)} <b>{words(rng, 2)}</b></p></div>\n"
    return (text + "</body></html>\n").encode()


def xml(rng):
    text = '<?xml version="1.0"?>\n<catalogue>\n'
    for n in range(150):
        text += f' <item id="i{n}">\n  <name>{words(rng, 2)}</name>\n  <tags>'
        text += "".join(f'<tag key="{words(rng, 1)}"/>' for _ in range(rng.randint(1, 4)))
        text += f"</tags>\n  <price unit=\"{'kg' if n == 97 else rng.choice(['m', 's'])}\">{n}</price>\n"
        text += "  <price>7</price>\n </item>\n" if n == 97 else " </item>\n"
    return (text + "</catalogue>\n").encode()


def python(rng):
    text = "import math\nimport sys\n"
    for n in range(90):
        a, b, c = (rng.choice(WORDS) for _ in range(3))
        text += f"\n\ndef {a}_{n}({b}, other={n}):\n    \"\"\"{words(rng, 6)}.\"\"\"\n    for {c} in range({n}):\n"
        text += f"        if {c} > other:\n            {b} += [{c}, other]\n"
        text += "        else:\n            yield lambda: (yield)\n" if n == 52 else "        else:\n            break\n"
        text += f"    return {b}\n"
    return text.encode()


def latin1(rng):
    lines = [f"{words(rng, 7)} caf\xe9 {words(rng, 2)} na\xefve {n}" for n in range(300)]
    lines[180] += " \xa7 12 gilt"
    return "\r\n".join(lines).encode("latin1")


def dimacs(rng):
    rows = [" ".join(str(rng.choice([-1, 1]) * rng.randint(5, 60)) for _ in range(3)) for _ in range(700)]
    for at, row in zip((90, 260, 430, 600), ("1 2", "-1 2", "1 -2", "-1 -2")):
        rows[at] = row
    return ("c random\np cnf 60 700\n" + "".join(f"{row} 0\n" for row in rows)).encode()


def preprocessed(compiler, suffix, source):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"a.{suffix}"
        file.write_text(source)
        return subprocess.run([compiler, "-E", file.name], cwd=folder, capture_output=True, check=True).stdout


def c(rng):
    names = "ctype errno fcntl locale math poll pthread sched setjmp signal spawn stdio stdlib string time unistd wchar"
    return preprocessed("gcc", "c", "".join(f"#include <{name}.h>\n" for name in names.split()) + """
struct node { struct node *next; int value; char name[16]; };
static int count(const struct node *list) {
    int sum = 0;
    for (; list != NULL; list = list->next) sum += strlen(list->name) > 3 ? list->value : 1;
    return sum;
}
int needle(struct node *list, int zero) {
    if (list == NULL || zero > 5) { fprintf(stderr, "none\\n"); exit(1); }
    return count(list) / zero % 77;
}
int main(void) { struct node n = {NULL, 5, "amber"}; printf("%d\\n", needle(&n, 0)); }
""")


CPP = """#include <iostream>
#include <map>
#include <string>
#include <vector>
static int needle(const std::vector<int> &values) {
    std::map<int, std::string> names;
    for (int v : values) names[v] = "x";
    const int zero = static_cast<int>(names.size());
    return values[0] / zero % 77;
}
int main() {
    std::vector<int> values{1, 2, 3};
    std::cout << needle(values) << "\\n";
}
"""


def cpp(rng):
    return preprocessed("g++", "cc", CPP)


def llvm(rng):
    text = 'target triple = "x86_64-pc-linux-gnu"\n'
    for n in range(250):
        text += f"\ndefine {'internal' if n % 3 == 0 else 'dso_local'} i32 @{WORDS[n % 10]}{n}(i32 noundef %0) #0 {{\n"
        text += "  %a0 = add i32 %0, 1\n" + "".join(f"  %a{i + 1} = mul nsw i32 %a{i}, {rng.randrange(99)}\n" for i in range(9))
        text += "".join(f"  %r{i} = call i32 @{WORDS[m % 10]}{m}(i32 %a{i})\n" for i, m in enumerate(rng.choices(range(250), k=3)))
        text += "  %z = sdiv i32 %a9, 0\n" if n == 177 else ""
        text += "  br label %end\n\nend:\n  ret i32 %a9\n}\n"
    return (text + "\nattributes #0 = { nounwind }\n").encode()


def ir(rng):
    """What clang makes of C++: functions of libraries that call one another."""
    return subprocess.run(["clang++", "-S", "-emit-llvm", "-O0", "-fno-ident", "-x", "c++", "-", "-o", "-"],
                          input=CPP.encode(), capture_output=True, check=True).stdout


# ---- Other binary files ----

def sqlite(rng):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.db"
        base = sqlite3.connect(file)
        for table in ("users", "orders", "events"):
            base.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, name TEXT, note TEXT)")
            rows = [(None, f"{table}{n}", words(rng, 12)) for n in range(300)]
            base.executemany(f"INSERT INTO {table} VALUES (?, ?, ?)", rows)
        base.commit()
        base.close()
        return file.read_bytes()


def pdf(rng):
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
               b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Annots [9 0 R] >>"]
    for _ in range(30):
        stream = zlib.compress(words(rng, 150).encode())
        objects.append(b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(stream), stream))
    objects[8] = b"<< /Type /Annot /Rect [0 0 5] /Border [0 0 1] >>"
    data, places = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for n, body in enumerate(objects, 1):
        places.append(b"%010d 00000 n \n" % len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (n, body)
    return data + (b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Root 1 0 R /Size %d >>\nstartxref\n%d\n%%%%EOF\n" %
                   (len(places) + 1, b"".join(places), len(places) + 1, len(data)))


def wav(rng):
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(2)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(b"".join(struct.pack("<hh", rng.randint(-99, 99), rng.randint(-99, 99)) for _ in range(3003)))
    return file.getvalue() + b"\0"


def utf16(rng):
    return ("\ufeff" + csv(rng).decode()).encode("utf-16-le")


def source(_):
    return b"""enum { SIZE = 4, LAST = 7 };
static int table[SIZE];
void f(int x) {
    table[LAST] = x;
}
int g(void) { return table[2]; }
"""


def member(_):
    return b"""struct list { int count; char items[4]; };
static struct list one;
void f(char x) { one.items[7] = x; }
char *g(void) { return one.items; }
"""


def typedefs(_):
    return b"""typedef unsigned char byte;
typedef byte block[4];
static block first;
void f(byte x) { first[7] = x; }
byte *g(void) { return first; }
"""


def utf16_log(rng):
    return ("\ufeff" + log(rng)[14000:62300].decode()).encode("utf-16-le")


def members(rng):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for n in range(80):
            member = zipfile.ZipInfo(f"{rng.choice(WORDS)}/{rng.choice(WORDS)}-{n}.txt")
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, words(rng, rng.randint(200, 900)))
    return file.getvalue()


def leb(n):
    return bytes([n & 127 | 128]) + leb(n >> 7) if n > 127 else bytes([n])


def wasm(rng):
    def section(kind, items):
        body = leb(len(items)) + b"".join(items)
        return bytes([kind]) + leb(len(body)) + body

    def sized(data):
        return leb(len(data)) + data

    bodies = [b"\0" + b"".join(b"\x41" + leb(rng.randrange(64)) + b"\x1a" for _ in range(rng.randint(3, 60))) + b"\x0b"
              for _ in range(20)]
    bodies[13] = bodies[13][:-1] + b"\x0f\x0b"
    def blob(kind):
        return bytes([kind]) + sized(rng.randbytes(rng.randint(140, 500)))

    return (b"\0asm\1\0\0\0" + section(1, [b"\x60\0\0"]) + blob(0) + section(3, [b"\0"] * 20) + blob(4) + blob(6) +
            section(7, [sized(f"{rng.choice(WORDS)}{n}".encode()) + b"\0" + leb(n) for n in range(20)]) + blob(9) +
            section(10, [sized(body) for body in bodies]) + blob(11) + blob(0))


def elf(rng):
    return Path("/bin/true").read_bytes()


def pcap(rng):
    data = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
    for n in range(68):
        packet = rng.randbytes(rng.randint(60, 200)) if n != 41 else b"\2" * 12 + b"\x08\x06needle"
        data += struct.pack("<IIII", 1700000000 + n, rng.randrange(10**6), len(packet), len(packet)) + packet
    return data


def tar(rng):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for n in range(40):
            member = tarfile.TarInfo(f"{rng.choice(WORDS)}-{n}.txt")
            member.size = rng.randint(10, 4000)
            archive.addfile(member, io.BytesIO(words(rng, 999).encode()))
    return file.getvalue()


# ---- Formats whose members go with what counts, measures or points to them ----

def texts(rng, count, most):
    """Words in so many texts, one of them with a needle, but not the first or the last."""
    at = count * 2 // 3
    return [words(rng, rng.randint(2, most)).encode() + (b" needle" if n == at else b"") for n in range(count)]


def padded(data, multiple):
    return data + b"\0" * (-len(data) % multiple)


def ar(rng):
    return b"!<arch>\n" + b"".join(padded(b"%-16s%-12d%-6d%-6d%-8o%-10d`\n" % (b"f%d/" % n, 0, 0, 0, 0o644, len(text)) + text, 2)
                                   for n, text in enumerate(texts(rng, 40, 200)))


def cpio(rng):
    def entry(name, text):
        head = b"070701" + b"".join(b"%08X" % x for x in (1, 0o100644, 0, 0, 1, 0, len(text), 0, 0, 0, 0, len(name), 0))
        return padded(padded(head + name, 4) + text, 4)

    return b"".join(entry(b"f%d\0" % n, text) for n, text in enumerate(texts(rng, 40, 200))) + entry(b"TRAILER!!!\0", b"")


def gettext(rng):
    entries = "".join(f'msgid "{words(rng, 3)} {n}"\nmsgstr "{text.decode()}"\n' for n, text in enumerate(texts(rng, 99, 9)))
    return subprocess.run(["msgfmt", "-o", "-", "-"], input=entries.encode(), capture_output=True, check=True).stdout


def bmp(rng):
    pixels = b"".join(padded(bytes(rng.randrange(200) for _ in range(3 * 61)), 4) for _ in range(80))
    pixels = pixels[:9000] + b"\xff" + pixels[9001:]
    return (struct.pack("<2sIIIIiiHHIIIIII", b"BM", 54 + len(pixels), 0, 54, 40, 61, 80, 1, 24, 0, len(pixels), 0, 0, 0, 0) + pixels)


def dns(rng):
    data = struct.pack(">HHHHHH", 77, 0x8180, 1, 60, 0, 0) + b"\3www\7example\0\0\1\0\1"
    return data + b"".join(b"\xc0\x0c\0\x10\0\1\0\0\1\0" + struct.pack(">HB", len(text) + 1, len(text)) + text
                           for text in texts(rng, 60, 9))


def gif(rng):
    def blocks(data):
        return b"".join(bytes([len(data[at:at + 99])]) + data[at:at + 99] for at in range(0, len(data), 99)) + b"\0"

    return (b"GIF89a" + struct.pack("<HHBBB", 32, 32, 0xf4, 0, 0) + rng.randbytes(96) + b"".join(
        b"!\xfe" + blocks(text) + b"," + struct.pack("<HHHHBB", 0, 0, 32, 32, 0, 5) + blocks(rng.randbytes(rng.randint(99, 500)))
        for text in texts(rng, 24, 60)) + b";")


def midi(rng):
    def track(text):
        events = b"".join(bytes([rng.randrange(128), 0x90, rng.randrange(128), 7]) for _ in range(60))
        data = b"\0\xff\1" + bytes([len(text)]) + text + events + b"\0\xff\x2f\0"
        return b"MTrk" + struct.pack(">I", len(data)) + data

    return b"MThd" + struct.pack(">IHHH", 6, 1, 12, 96) + b"".join(map(track, texts(rng, 12, 9)))


def cbor(rng, value=None):
    def head(major, count):
        return bytes([major << 5 | count]) if count < 24 else bytes([major << 5 | 25]) + struct.pack(">H", count)

    if value is None:
        value = {b"rows": [{b"id": n * 77, b"name": text, b"tags": [words(rng, 1).encode()] * (n % 4)}
                           for n, text in enumerate(texts(rng, 90, 6))]}
    if isinstance(value, int):
        return head(0, value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(cbor(rng, member) for member in value)
    return head(5, len(value)) + b"".join(cbor(rng, key) + cbor(rng, member) for key, member in value.items())


def bencode(rng):
    files = b"".join(b"d6:lengthi%de4:path%d:%se" % (rng.randrange(10**6), len(text), text) for text in texts(rng, 60, 9))
    return b"d8:announce9:http://a/5:filesl" + files + b"ee"


def protobuf(rng):
    def field(number, data):
        return leb(number << 3 | 2) + leb(len(data)) + data

    return field(1, b"north") + b"".join(field(3, b"\x08" + leb(n) + field(2, text) + field(3, field(4, rng.randbytes(9))))
                                         for n, text in enumerate(texts(rng, 80, 9)))


def pyc(rng):
    return importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(compile(python(rng), "module.py", "exec"))


def object_file(rng):
    with tempfile.NamedTemporaryFile(suffix=".o") as file:
        subprocess.run(["gcc", "-O1", "-g", "-c", "-o", file.name, "-x", "cpp-output", "-"], input=c(rng), check=True)
        return Path(file.name).read_bytes()


def http(rng):
    text = "\r\n".join(words(rng, 9) + (" needle" if n == 40 else "") for n in range(60))
    head = "".join(f"X-{word}: {words(rng, 5)}\r\n" for word in WORDS)
    return f"POST / HTTP/1.1\r\n{head}Content-Length: {len(text)}\r\n\r\n{text}".encode()


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
    "nested": """# brackets are 257 deep, and the parser takes them
import json
sys.setrecursionlimit(9999)
def depth(value):
    inner = value if isinstance(value, list) else value.values() if isinstance(value, dict) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)
found = depth(json.loads(data)) > 256
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
    "html": """# an `input` is in a table in a form; what is open at the end need not be closed
from html.parser import HTMLParser
class Page(HTMLParser):
    nest = []
    def handle_starttag(self, tag, attributes):
        global found
        found |= tag == "input" and self.nest[-2:] == ["form", "table"]
        self.nest += [tag] if tag not in ("br", "input") else []
    def handle_endtag(self, tag):
        assert self.nest.pop() == tag
Page().feed(data.decode())
""",
    "xml": """# an `item` has two prices, and the unit of the first is `kg`
import xml.etree.ElementTree as tree
for item in tree.fromstring(data).iter("item"):
    prices = item.findall("price")
    found |= len(prices) == 2 and prices[0].get("unit") == "kg"
""",
    "python": """# it compiles, and a generator has a lambda that is one
import ast
compile(data, "a", "exec")
for def_ in ast.walk(ast.parse(data)):
    if isinstance(def_, ast.FunctionDef):
        found |= any(isinstance(a, ast.Lambda) and isinstance(a.body, ast.Yield) for a in ast.walk(def_))
""",
    "latin1": """# a line has a word of Latin-1 and a paragraph sign behind it
found = re.search(rb"caf\\xe9.*\\xa7 12", data) is not None
""",
    "dimacs": """# no values of the first two variables satisfy the clauses that have no others
clauses = [[int(word) for word in row.split()] for row in data.splitlines() if row[:1] not in (b"c", b"p")]
assert re.search(rb"(?m)^p cnf ", data) and all(clause[-1] == 0 for clause in clauses)
small = [clause[:-1] for clause in clauses if all(abs(word) <= 2 for word in clause)]
found = not any(all(any((v > 0) == bool(n >> abs(v) - 1 & 1) for v in one) for one in small) for n in range(4))
""",
    "c": """# a function divides by `zero`, and it compiles
import subprocess
found = re.search(rb"needle\\(.*/ zero % 77;", data, re.S) is not None and subprocess.run(
    ["gcc", "-fsyntax-only", "-w", "-x", "c", "-"], input=data, capture_output=True).returncode == 0
""",
    "c++": """# a function divides by `zero`, and it compiles
import subprocess
found = re.search(rb"needle\\(.*/ zero % 77;", data, re.S) is not None and subprocess.run(
    ["g++", "-fsyntax-only", "-w", "-x", "c++", "-"], input=data, capture_output=True).returncode == 0
""",
    "llvm": """# a function divides by 0, and opt takes it
import subprocess
found = re.search(rb"sdiv i32 .*, 0", data) is not None and subprocess.run(
    ["opt", "-S", "-O0", "-o", "/dev/null"], input=data, capture_output=True).returncode == 0
""",
    "ir": """# opt keeps a remainder that is known at compile time only by its divisor
import subprocess
opt = subprocess.run(["opt", "-S", "-O2", "-o", "-"], input=data, capture_output=True)
found = opt.returncode == 0 and re.search(rb"srem i32 .*, 77", opt.stdout) is not None
""",
    "source": """# it compiles, and an array is written behind its end
import subprocess
gcc = subprocess.run(["gcc", "-O2", "-Warray-bounds", "-S", "-o", "/dev/null", "-x", "c", "-"], input=data, capture_output=True)
found = gcc.returncode == 0 and b"array subscript 7 is above array bounds" in gcc.stderr
""",
    "zip": """# unzip's kin takes every member, and one has the number 23
import zipfile
with zipfile.ZipFile((sys.argv[1:] or ["members.zip"])[0]) as archive:
    assert archive.testzip() is None
    found = any("-23." in name for name in archive.namelist())
""",
    "braces": """# a function divides by `zero`, and its brackets match
depth = 0
for sign in re.sub(rb'"(?:\\\\.|[^"])*"|[^][(){}]', b"", data):
    depth += 1 if sign in b"([{" else -1
    assert depth >= 0
found = depth == 0 and re.search(rb"needle\\(.*/ zero % 77;\\s*}", data, re.S) is not None
""",
    "sqlite": """# a row of the first table can be read
import sqlite3
base = sqlite3.connect(":memory:")
base.deserialize(data)
found = base.execute("SELECT name FROM users LIMIT 1").fetchone()[0].startswith("users")
""",
    "pdf": """# an annotation that a page names has a rectangle of three numbers
assert data[:5] == b"%PDF-"
objects = dict(re.findall(rb"(?s)(\\d+) 0 obj(.*?)endobj", data))
for names in re.findall(rb"/Annots ?\\[(\\d+) 0 R", data):
    found |= re.search(rb"/Rect ?\\[ ?[0-9]+ [0-9]+ [0-9]+ ?\\]", objects[names]) is not None
""",
    "elf": """# readelf shows that it needs the library of C
import subprocess
found = re.search(rb"NEEDED.*libc[.]so[.]6", subprocess.run(["readelf", "-d", (sys.argv[1:] or ["program"])[0]],
                                                           capture_output=True).stdout) is not None
""",
    "pcap": """# a packet has a word; as tcpdump does, it takes a last packet that is cut
assert data[:4] == b"\\xd4\\xc3\\xb2\\xa1"
at = 24
while at + 16 <= len(data):
    length, whole = struct.unpack("<II", data[at + 8:at + 16])
    assert length <= whole <= 65535
    found |= b"needle" in data[at + 16:at + 16 + length] and at + 16 + length <= len(data)
    at += 16 + length
""",
    "tar": """# tar lists a member of the number 23, and complains of nothing
import tarfile
with tarfile.open((sys.argv[1:] or ["members.tar"])[0], errorlevel=2, ignore_zeros=False) as archive:
    for member in archive:
        found |= "-23." in member.name
        assert archive.extractfile(member).read(member.size)[member.size - 1:]
""",
    "wasm": """# the sections are whole and of counted items, and the code of an exported function has a return
def number(data, at):
    shift = value = 0
    while True:
        value |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return value, at
assert data[:8] == b"\\0asm\\1\\0\\0\\0"
at, sections = 8, {}
while at < len(data):
    size, start = number(data, at + 1)
    assert start + size <= len(data)
    sections[data[at]] = data[start:start + size]
    at = start + size
code, codes = sections[10], []
count, at = number(code, 0)
for _ in range(count):
    size, at = number(code, at)
    assert size >= 2 and at + size <= len(code) and code[at + size - 1] == 11
    codes.append(code[at:at + size])
    at += size
assert at == len(code)
exports, (count, at) = sections[7], number(sections[7], 0)
for _ in range(count):
    size, at = number(exports, at)
    index, at = number(exports, at + size + 1)
    found |= codes[index][-2] == 15
assert at == len(exports)
""",
    "wav": """# the samples are whole frames of two channels, in a file of odd length
assert data[:4] == b"RIFF" and data[8:16] == b"WAVEfmt " and len(data) % 2 == 1
length, = struct.unpack("<I", data[40:44])
assert data[36:40] == b"data" and 44 + length < len(data) and length % 4 == 0
found = length >= 80
""",
    "ar": """# ar lists the file with a needle, and complains of nothing
import subprocess
ar = subprocess.run(["ar", "p", (sys.argv[1:] or ["members.a"])[0]], capture_output=True)
found = ar.returncode == 0 and ar.stderr == b"" and b"needle" in ar.stdout
""",
    "cpio": """# the entries are whole, up to the last one, and one has a needle
at, name = 0, None
while name != b"TRAILER!!!\\0":
    assert data[at:at + 6] == b"070701"
    size, length = (int(data[at + n:at + n + 8], 16) for n in (54, 94))
    name = data[at + 110:at + 110 + length]
    assert name[-1:] == b"\\0"
    at += -(-(110 + length) // 4) * 4
    assert at + size <= len(data)
    found |= b"needle" in data[at:at + size]
    at += -(-size // 4) * 4
assert at == len(data)
""",
    "gettext": """# msgunfmt takes it, and a translation has a needle
import subprocess
found = re.search(b'msgstr ".*needle', subprocess.run(["msgunfmt", "-"], input=data, capture_output=True, check=True).stdout) is not None
""",
    "bmp": """# all sizes are right, and a byte of three rows of pixels is 255
kind, size, _, place, head, width, height, _, depth, _, bytes_ = struct.unpack("<2sIIIIiiHHII", data[:38])
assert kind == b"BM" and size == len(data) and (place, head, depth) == (54, 40, 24) and width > 0
assert bytes_ == (3 * width + 3) // 4 * 4 * height == size - 54
found = height > 2 and b"\\xff" in data[54:]
""",
    "dns": """# as many answers as the head says, whole, and one has a needle
def skip(at):
    while 0 < data[at] < 64:
        at += 1 + data[at]
    return at + 1 + (data[at] > 191)
_, flags, questions, answers, other, more = struct.unpack(">HHHHHH", data[:12])
assert flags >> 15 and other == more == 0
at = 12
for n in range(questions + answers):
    at = skip(at) + 4
    if n >= questions:
        size, = struct.unpack(">H", data[at + 4:at + 6])
        assert at + 6 + size <= len(data)
        found |= b"needle" in data[at + 6:at + 6 + size]
        at += 6 + size
assert at == len(data)
""",
    "gif": """# its blocks are whole, two are images, and a comment has a needle
def skip(at):
    while data[at]:
        at += 1 + data[at]
    return at + 1
assert data[:4] == b"GIF8"
at, images = 13 + (6 << (data[10] & 7) if data[10] > 127 else 0), 0
while data[at] != 0x3b:
    start, is_image = at, data[at] == 0x2c
    assert is_image and data[at + 9] < 128 or data[at] == 0x21
    at = skip(at + (11 if is_image else 2))
    images += is_image
    found |= not is_image and b"needle" in data[start:at]
assert at + 1 == len(data) and images > 1
""",
    "midi": """# as many whole tracks as the head says, and one has a text with a needle
def number(at):
    value = data[at] & 127
    while data[at] > 127:
        at += 1
        value = value << 7 | data[at] & 127
    return value, at + 1
kind, size, _, tracks, _ = struct.unpack(">4sIHHH", data[:14])
assert kind == b"MThd" and size == 6
at = 14
for _ in range(tracks):
    kind, size = struct.unpack(">4sI", data[at:at + 8])
    at, end, event = at + 8, at + 8 + size, 0
    assert kind == b"MTrk" and end <= len(data)
    while at < end:
        _, at = number(at)
        event = data[at:at + 2]
        if event[0] == 255:
            size, at = number(at + 2)
            found |= event[1] == 1 and b"needle" in data[at:at + size]
            at += size
        else:
            assert event[0] >> 4 == 9
            at += 3
    assert at == end and event == b"\\xff\\x2f"
assert at == len(data)
""",
    "cbor": """# it is one value, and a string in a list has a needle
def value(at, inside):
    global found
    major, count = data[at] >> 5, data[at] & 31
    at += 1
    if count > 23:
        assert count == 25 and at + 2 <= len(data)
        count, at = struct.unpack(">H", data[at:at + 2])[0], at + 2
    if major == 2:
        assert at + count <= len(data)
        found |= inside and b"needle" in data[at:at + count]
        return at + count
    assert major in (0, 4, 5)
    for _ in range(count * (major - 3) if major else 0):
        at = value(at, inside or major == 4)
    return at
assert value(0, False) == len(data)
""",
    "bencode": """# it is one value, and a string has a needle
def value(at):
    global found
    if data[at] in b"ld":
        at += 1
        while data[at] != 101:
            at = value(at)
        return at + 1
    if data[at] == 105:
        return at + re.match(rb"i-?\\d+e", data[at:]).end()
    digits = re.match(rb"(\\d+):", data[at:])
    end = at + digits.end() + int(digits[1])
    assert end <= len(data)
    found |= b"needle" in data[at:end]
    return end
assert value(0) == len(data) and data[0] == 100
""",
    "protobuf": """# the fields are whole, and one in another has a needle
def number(at):
    value = shift = 0
    while True:
        value, shift, at = value | (data[at] & 127) << shift, shift + 7, at + 1
        if data[at - 1] < 128:
            return value, at
def fields(at, end, depth):
    global found
    while at < end:
        key, at = number(at)
        size, at = number(at)
        assert key >> 3 and key & 7 in (0, 2)
        if key & 7 == 2:
            assert at + size <= end
            if key == 26 and depth == 0:
                fields(at, at + size, 1)
            found |= depth > 0 and b"needle" in data[at:at + size]
            at += size
    assert at == end
fields(0, len(data), 0)
""",
    "pyc": """# a lambda in it is a generator
import marshal
def has(code):
    return code.co_name == "<lambda>" and code.co_flags & 32 > 0 or any(has(c) for c in code.co_consts if hasattr(c, "co_code"))
found = data[2:4] == b"\\r\\n" and has(marshal.loads(data[16:]))
""",
    "object": """# nm lists the function, and complains of nothing
import subprocess
nm = subprocess.run(["nm", (sys.argv[1:] or ["a.o"])[0]], capture_output=True)
found = nm.stderr == b"" and b" T needle\\n" in nm.stdout
""",
    "http": """# the body is as long as the head says, and has a needle
head, body = data.split(b"\\r\\n\\r\\n", 1)
found = b"needle" in body and int(re.search(rb"\\nContent-Length: *(\\d+)", head)[1]) == len(body)
""",
}
PREDICATES["large"] = PREDICATES["log"]
PREDICATES["utf16"] = """# the same in UTF-16
assert data[:2] == b"\\xff\\xfe"
text = data.decode("utf-16").encode()
""" + PREDICATES["csv"].replace("data.", "text.")
PREDICATES["log16"] = """# the same as of `log`, in UTF-16
text = data.decode("utf-16").encode()
""" + PREDICATES["log"].replace("data)", "text)")
PREDICATES["member"] = PREDICATES["typedef"] = PREDICATES["source"]


def predicate(case):
    """A program in Python, of `data`; an exception says that it is not well-formed."""
    text = PREDICATES[case.name].replace("\n", "\n    ").rstrip()
    return (f"#!{sys.executable} -IS\nimport os, re, struct, sys\nfound = False\n"
            f"log = os.open({str(case.log)!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)\n"
            f"os.write(log, b'.\\n')\n"
            f"data = open((sys.argv[1:] or [{case.file.name!r}])[0], 'rb').read()\n"
            f"try:\n    {text}\nexcept Exception:\n    found = False\n"
            f"if found:\n    os.write(log, b'%d\\n' % len(data))\nsys.exit(not found)\n")


# A file, its kind, and what makes its bytes of a random.Random.
RECIPES = {
    "json": ("racks.json", "text", json_document),
    "nested": ("nested.json", "text", nested),
    "log": ("server.log", "text", log),
    "large": ("servers.log", "text", large),
    "csv": ("bills.csv", "text", csv),
    "ini": ("site.ini", "text", ini),
    "c": ("a.i.c", "text", c),
    "c++": ("a.ii.cc", "text", cpp),
    "llvm": ("functions.ll", "text", llvm),
    "braces": ("braces.txt", "text", cpp),
    "html": ("page.html", "text", html),
    "xml": ("items.xml", "text", xml),
    "python": ("module.py", "text", python),
    "latin1": ("note.txt", "text", latin1),
    "dimacs": ("small.cnf", "text", dimacs),
    "chunks": ("image.img", "binary", chunks),
    "sqlite": ("base.db", "binary", sqlite),
    "pdf": ("page.pdf", "binary", pdf),
    "wav": ("sound.wav", "binary", wav),
    "wasm": ("module.wasm", "binary", wasm),
    "elf": ("program", "binary", elf),
    "pcap": ("packets.pcap", "binary", pcap),
    "tar": ("members.tar", "binary", tar),
    "utf16": ("words.txt", "text", utf16),
    "log16": ("words.log", "text", utf16_log),
    "ir": ("program.ll", "text", ir),
    "source": ("a.c", "text", source),
    "member": ("a.c", "text", member),
    "typedef": ("a.c", "text", typedefs),
    "zip": ("members.zip", "binary", members),
    "ar": ("members.a", "binary", ar),
    "cpio": ("members.cpio", "binary", cpio),
    "gettext": ("words.mo", "binary", gettext),
    "bmp": ("image.bmp", "binary", bmp),
    "dns": ("answer.dns", "binary", dns),
    "gif": ("image.gif", "binary", gif),
    "midi": ("song.mid", "binary", midi),
    "cbor": ("rows.cbor", "binary", cbor),
    "bencode": ("files.torrent", "binary", bencode),
    "protobuf": ("rows.pb", "binary", protobuf),
    "pyc": ("module.pyc", "binary", pyc),
    "object": ("a.o", "binary", object_file),
    "http": ("post.http", "text", http),
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

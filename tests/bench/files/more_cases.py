"""The cases of cases.py that are formats of every day, for a predicate of formats.c each.

    c_small    10 KB of C in which a function is called with too few arguments: gcc takes 20 ms
    csv, sql, shell, xml, ini, yaml, rules, chunks      what formats.c says of each
    latex, conditions, lisp, pdf, hex                   and nests.c
    latin1     4 KB of the same as ini, with words in Latin-1, so that it is no text for frng
    strings    6,000 bytes of short strings, each after its length
    python     6 KB that Python can parse, with a `yield` in a `try` in a loop
SPDX-License-Identifier: MIT
"""

import struct

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


SHELL_PARTS = ["""
{word}_{n}() {{
    dir=${{1:-/var/{word}}}
    for file in "$dir"/*.{word}; do
        if [ -f "$file" ]; then
            echo "moving $file"
            mv "$file" "$dir/old"
        else
            echo "skipped" >&2
        fi
    done
}}
""", """
# Wait for the {word} to come up.
tries=0
while [ "$tries" -lt {n} ]; do
    if {word}ctl status >/dev/null; then
        break
    fi
    sleep 1
    tries=$((tries + 1))
done
""", """
case $mode in
start) {word}_{m} start ;;
stop)
    {word}ctl stop
    rm -f "/run/{word}.pid"
    ;;
*) echo "usage: start or stop" ;;
esac
"""]
SHELL_RARE = """
if [ -n "$list" ]; then
    echo "checking the list"
    while read -r name size; do
        echo "$name"
        case $name in
        old*) continue ;;
        esac
        if [ "$size" -gt 100 ]; then
            echo "too large: $name" >&2
        fi
        test -e "$name" || exit 3
    done
    echo "all there"
fi
"""


def shell(rng):
    text = "#!/bin/sh\nset -eu\nmode=${1:-start}\nlist=${2:-}\n"
    for n in range(27):
        part = SHELL_RARE if n == 15 else SHELL_PARTS[n % 3]
        text += part if n == 15 else part.format(word=rng.choice(WORDS), n=n, m=3 * (n // 3))
    return text.encode()


def xml_item(rng, n, depth):
    pad = "  " * depth
    text = f'{pad}<item id="i{n}" kind="{rng.choice(WORDS)}">\n'
    text += f"{pad}  <name>{rng.choice(WORDS)} {rng.choice(WORDS)}</name>\n"
    for _ in range(rng.randint(1, 3)):
        text += f'{pad}  <price unit="{rng.choice(WORDS)}">{rng.randint(1, 999)}</price>\n'
    return text + f'{pad}  <empty/>\n{pad}</item>\n'


def xml(rng):
    text = '<?xml version="1.0"?>\n<catalogue owner="north">\n'
    for shelf in range(9):
        kind = "list" if shelf % 3 == 1 else "shelf"
        text += f'  <{kind} id="s{shelf}">\n'
        for n in range(6):
            number = 12 if (shelf, n) == (4, 3) else 10 * shelf + n
            text += xml_item(rng, number, 2)
        text += f"  </{kind}>\n"
    return (text + "</catalogue>\n").encode()


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


def yaml_service(rng, n):
    text = f"  {rng.choice(WORDS)}{n}:\n    image: {rng.choice(WORDS)}:{n}\n    ports:\n"
    text += "".join(f"      - {rng.randint(1024, 9999)}\n" for _ in range(rng.randint(1, 3)))
    text += "    environment:\n"
    for key in rng.sample(["LEVEL", "HOME", "LANG", "USER", "TOKEN"], 3):
        text += f"      {key}: {rng.choice(WORDS)}\n"
    if n == 13:
        text += "      MODE: fast\n      CACHE: small\n      MODE: slow\n"
    return text + "    limits:\n      memory: 512\n      cpu: 2\n"


def yaml(rng):
    text = "# services of a site\nversion: 3\nservices:\n"
    text += "".join(yaml_service(rng, n) for n in range(22))
    return (text + "networks:\n  front:\n    driver: bridge\n  back:\n    driver: none\n").encode()


def rules(rng):
    text = "CC = cc\nCFLAGS = -O2 -g\nOUT = build\n\nall: prog test\n\n"
    for n in range(60):
        name = f"{rng.choice(WORDS)}{n}"
        if n == 25:
            text += "table.c: scan.h make.awk\n\tawk -f make.awk scan.h > table.c\n\n"
        elif n == 44:
            text += "scan.h: table.c types.h\n\t./generate table.c > scan.h\n\n"
        else:
            text += f"$(OUT)/{name}.o: {name}.c {rng.choice(WORDS)}.h\n"
            text += f"\tmkdir -p $(OUT)\n\t$(CC) $(CFLAGS) -c -o $@ {name}.c\n\n"
    return (text + "clean:\n\trm -rf $(OUT)\n").encode()


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


def latex_block(rng, n, depth):
    """A section's worth of text, in up to four environments."""
    text = "".join(f"{rng.choice(WORDS)} {rng.choice(WORDS)}, see \\ref{{r{rng.randint(0, 99)}}}.\n"
                   for _ in range(rng.randint(1, 3)))
    if depth == 0 or n % 5 == 0:
        return text + f"\\begin{{equation}}\n\\label{{e{n}}}\nx = {n}\n\\end{{equation}}\n"
    name = rng.choice(["quote", "theorem", "proof", "center", "itemize"])
    inner = latex_block(rng, rng.randint(100, 999), depth - 1)
    return text + f"\\begin{{{name}}}\n{inner}\\end{{{name}}}\n"


def latex(rng):
    text = "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n"
    for n in range(40):
        text += f"\\section{{{rng.choice(WORDS)} {n}}}\n" + latex_block(rng, n, rng.randint(0, 3))
        if n == 22:
            text += "\\begin{proof}\nBy \\textbf{the law} of \\ref{e10}.\n\\end{proof}\n"
    return (text + "\\end{document}\n").encode()


def condition(rng, n, depth):
    """A row of definitions under conditions in each other."""
    word = rng.choice(WORDS)
    text = f"#if{rng.choice(['def', 'ndef'])} HAVE_{word.upper()}_{n}\n"
    text += f"#define {word}_{n} {rng.randint(1, 99)}\nextern int {word}_{n}_of(int {word});\n"
    if depth > 0:
        text += condition(rng, 10 * n + 1, depth - 1)
    if n % 3 == 0:
        text += f"#else\n/* No {word} here. */\nstruct {word}_{n};\n"
    return text + f"#define LIMIT {n}\n" * (n in (171, 251)) + "#endif\n"


def conditions(rng):
    parts = [condition(rng, n, 2 if n in (17, 25) else rng.randint(0, 2)) for n in range(1, 40)]
    return ("#ifndef SITE_H\n#define SITE_H\n" + "\n".join(parts) + "#endif\n").encode()


def form(rng, depth):
    if depth == 0:
        return rng.choice([rng.choice(WORDS), str(rng.randint(0, 99)), f'"{rng.choice(WORDS)}"'])
    inner = " ".join(form(rng, rng.randint(0, depth - 1)) for _ in range(rng.randint(1, 4)))
    names = ["let ((%s %s) (%s %s))" % (rng.choice(WORDS[:5]), form(rng, 0), rng.choice(WORDS[5:]),
                                        form(rng, 0)), "if", "list", "+", "begin"]
    return f"({rng.choice(names)} {inner})"


def lisp(rng):
    text = ""
    for n in range(60):
        body = form(rng, rng.randint(2, 5))
        if n == 37:
            body = f"(begin {body} (let ((amber 1) (basin (list 2 3)) (amber basin)) {body}))"
        text += f"(define ({rng.choice(WORDS)}-{n} {rng.choice(WORDS)})\n  {body})\n\n"
    return text.encode()


def pdf(rng):
    data = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    for n in range(1, 61):
        parent = {31: 44, 44: 31}.get(n, rng.randint(100, 200))
        own = f"<< /Type /{rng.choice(WORDS).title()} /Parent {parent} 0 R /Box [0 0 {n} {n}] "
        own += f"/Fonts << /F{n} {rng.randint(1, 60)} 0 R >> "
        body = b""
        if n % 3 == 0:
            stream = rng.randbytes(rng.randint(20, 200))
            own += f"/Length {len(stream)} "
            body = b"\nstream\n" + stream + b"\nendstream"
        data += f"{n} 0 obj\n{own}>>".encode() + body + b"\nendobj\n"
    return data


def hex(rng):
    """Digests of files; bytes 7f and 00 are in one of them."""
    text = ""
    for n in range(60):
        digest = [rng.randint(0x80, 0xFF) for _ in range(32)]
        if n == 41:
            digest[7], digest[22] = 0x7F, 0
        text += f"{rng.choice(WORDS)}{n} = {bytes(digest).hex()}\n"
    return text.encode()


def latin1(rng):
    text = ini(rng).decode().replace("amber", "\u00e4mber").replace("fjord", "fj\u00f8rd")
    return text.encode("latin-1")


def strings(rng):
    data = bytearray()
    while len(data) < 6000:
        size = min(rng.choice([0, 0, 0, 0, 1, 1, 2, 5]), 6000 - len(data) - 1)
        data += bytes([size]) + rng.randbytes(size)
    return bytes(data)


PYTHON_PARTS = ["""
class {Word}{n}:
    \"\"\"Keeps {word}s, {n} at most.\"\"\"

    def __init__(self, size={n}):
        self.size = size
        self.items = []

    def add(self, item):
        if len(self.items) >= self.size:
            raise ValueError("full")
        self.items.append(item)
""", """
def {word}_{n}(values, limit={n}):
    total = 0
    for value in values:
        if value > limit:
            total += value
        elif value < 0:
            continue
        else:
            total -= {n}
    return total
""", """
def read_{word}_{n}(path):
    with open(path, encoding="utf-8") as file:
        rows = [line.split(",") for line in file if line.strip()]
    try:
        return {{row[0]: int(row[1]) for row in rows}}
    except (IndexError, ValueError) as error:
        print(f"{{path}}: {{error}}")
        return None
"""]
PYTHON_RARE = """
def blocks_of(paths, size=4096):
    for path in paths:
        if path.startswith("."):
            continue
        with open(path, "rb") as file:
            try:
                block = file.read(size)
                while block:
                    yield block
                    block = file.read(size)
            finally:
                print("done with", path)
"""


def python(rng):
    text = "import os\nimport sys\n\nLIMIT = 10\n"
    for n in range(24):
        word = rng.choice(WORDS)
        rare = n == 14
        part = PYTHON_PARTS[n % 3]
        text += PYTHON_RARE if rare else part.format(word=word, Word=word.title(), n=n)
    return (text + '\nif __name__ == "__main__":\n    print(len(sys.argv))\n').encode()


PYTHON_PREDICATE = """\
import ast, sys
try:
    tree = ast.parse(open(sys.argv[1], "rb").read())
except Exception:
    sys.exit(1)
for loop in ast.walk(tree):
    if not isinstance(loop, (ast.For, ast.While)): continue
    for block in ast.walk(loop):
        if isinstance(block, ast.Try) and any(isinstance(n, ast.Yield) for n in ast.walk(block)):
            sys.exit(0)
sys.exit(1)
"""

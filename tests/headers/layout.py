"""layout.py PROTOCOL.md: a C file that compiles if frng_protocol.h has the offsets of its tables."""
import sys

# The structs of the tables that name their members, in their order; offsets, then sizes, that no table has.
TABLES = iter("report label_table label_row message known_table guide_table".split())
OFFSETS = """trace_record start 0 taken 8 kind 16 width 17 depth 18 site 20 u.draw.min 24 u.text 24 u.draw.max 32
trace_record u.draw.value 40 u.draw.index 48
histogram count 0 min 8 max 16 buckets 24
guide_site at 8
guide_record run 4 u 16
known_failure site 16
known_run drawn 8"""
SIZES = """report.generator 64 report.site 128 trace_record.u.text 32 histogram.buckets 2048 label_table.few 32
label_row.name 56 report 384 trace_record 56 histogram 2072 label_table 4208 label_row 2144 guide_site 16
guide_table 66568 guide_record 64 known_failure 144 known_run 16 known_table 67864 message 80"""


def members():
    name, at = 0, 0
    for line in open(sys.argv[1], encoding="utf-8"):
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        titles = {"name", "field"} & set(cells) or {"number"} & set(cells[:1])
        if not cells:
            struct = None
        elif titles and struct is None:
            struct, name, at = next(TABLES), cells.index(*titles), 0
        elif struct and not cells[0].startswith("---"):
            yield struct, cells[name], cells[0] if name else at
            at += 8
    for words in map(str.split, OFFSETS.splitlines()):
        yield from ((words[0], *pair) for pair in zip(words[1::2], words[2::2]))


print('#include "frng_protocol.h"\n#include <assert.h>')
struct = None
for struct, member, offset in members():
    print(f'static_assert(offsetof(frng_{struct}, {member}) == {offset}, "{struct}.{member}");')
for what, size in zip(SIZES.split()[::2], SIZES.split()[1::2]):
    struct, _, member = what.partition(".")
    of = f"((frng_{struct} *)0)->{member}" if member else f"frng_{struct}"
    print(f'static_assert(sizeof({of}) == {size}, "{what}");')
assert not list(TABLES), "a table is gone"
print("int main(void) { return 0; }")

#!/bin/sh
# style.sh SOURCE
# Rules that a formatter does not know: lines of at most 100 columns, functions of at most 70 lines,
# mains under 40, files of driver/ of at most 900 lines, frng.h in 256, no include by a path upward,
# and the maps of the files.
set -u
cd "$1" || exit 99
status=0

python3 tests/packaging/code_map.py "$PWD" || status=1

lines=$(wc -l <frng/frng.h)
[ "$lines" -le 256 ] || { echo "frng/frng.h: $lines lines, more than 256"; status=1; }

for file in driver/*/*.[ch]; do
    lines=$(wc -l <"$file")
    [ "$lines" -le 900 ] || { echo "$file: $lines lines, more than 900"; status=1; }
done

find driver examples frng tests -name '*.[ch]' | sort | LC_ALL=C xargs awk '
function bad(line, what) { printf "%s:%d: %s\n", FILENAME, line, what; failed = 1 }
FNR == 1 { inside = 0; start = 0; }
{
    text = $0
    gsub(/[\200-\277]/, "", text) # where awk counts bytes: all but the first of a character
    if (length(text) > 100) bad(FNR, "more than 100 columns")
}
/^#include "\.\.?\// { bad(FNR, "an include by a path") }
!inside && /^[A-Za-z_]/ { start = FNR; is_main = /^int main\(/ } # a declaration begins
!inside && start && /\) \{$/ { inside = 1 }
inside && /^\}/ {
    lines = FNR - start + 1
    if (lines > 70) bad(start, "a function of " lines " lines")
    if (is_main && lines >= 40) bad(start, "a main of " lines " lines")
    inside = start = 0
    functions++
}
END { printf "style: %d functions\n", functions; if (functions < 100) failed = 1; exit failed }' || status=1
exit $status

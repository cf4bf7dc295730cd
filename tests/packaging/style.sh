#!/bin/sh
# style.sh SOURCE
# Rules that a formatter does not know: lines of at most 100 columns, functions of at most 70 lines,
# mains under 40, files of driver/ of at most 900 lines, sources of more than 150 with a head of 5 to
# 30 that tells how they work, frng.h in 256, no include by a path upward.
# The first line of each source of the driver and of the headers is a sentence.
# Each header of the driver begins with its name and what it is, so that `head -qn1 driver/*/*.h`
# lists them; frng/README.md lists each header there once, and nothing else. Each row of "Numbers that
# users feel" in ARCHITECTURE.md names a constant, and the file where it has a value.
set -u
cd "$1" || exit 99
status=0

bad() { echo "$*"; status=1; }

lines=$(wc -l <frng/frng.h)
[ "$lines" -le 256 ] || bad "frng/frng.h: $lines lines, more than 256"

for file in driver/*/*.[ch]; do
    lines=$(wc -l <"$file")
    [ "$lines" -le 900 ] || bad "$file: $lines lines, more than 900"
    case $(sed -n '/^[^/ ]/{=;q}' "$file") in [6-9] | [12][0-9] | 3[01]) ;; *)
        [ "$lines" -le 150 ] || [ "${file%.c}" = "$file" ] || bad "$file: no head of 5 to 30 lines" ;;
    esac
done

listed=$(sed -n 's/^    \([a-z0-9_]*\)  .*[^ ]$/\1/p' frng/README.md | sort)
there=$(basename -s .h frng/*.h | sort)
[ "$listed" = "$there" ] || bad "frng/README.md lists other headers:" "$listed"

rows=$(sed -n '/^## Numbers that users feel/,/^## [^N]/p' ARCHITECTURE.md |
    sed -n 's/^| .* | `\([A-Za-z_]*\)` | `\([a-z_./]*\)` |$/\1:\2/p')
[ "$(echo "$rows" | wc -l)" -ge 10 ] || bad "ARCHITECTURE.md: the table is gone"
for row in $rows; do
    grep -q "\<${row%:*}\>.* = \|#define ${row%:*} " "${row#*:}" ||
        bad "ARCHITECTURE.md: ${row%:*} has no value in ${row#*:}"
done

{ find driver examples frng tests -name '*.[ch]'; echo ARCHITECTURE.md; echo frng/README.md; } | sort |
    LC_ALL=C xargs awk '
function bad(line, what) { printf "%s:%d: %s\n", FILENAME, line, what; failed = 1 }
FNR == 1 { inside = 0; start = 0; name = FILENAME; sub(/.*\//, "", name) }
{
    text = $0
    gsub(/[\200-\277]/, "", text) # where awk counts bytes: all but the first of a character
    if (length(text) > 100 && !(name ~ /md$/ && /^\|/)) bad(FNR, "more than 100 columns")
}
FNR == 1 && FILENAME ~ /^(driver|frng)\/.*[ch]$/ && !/^\/\* .*[.:]( \*\/)?$/ { bad(1, "the first line is no sentence") }
FNR == 1 && FILENAME ~ /^driver.*h$/ && index($0, "/* " name ": ") != 1 { bad(1, "no name and what it is") }
name ~ /md$/ { next }
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

#!/bin/sh
# numbers.sh SOURCE
# ARCHITECTURE.md has a table "Numbers that users feel": each row names a constant and the file of
# its value, and the file has that constant with a value.
set -u
cd "$1" || exit 99
rows=$(sed -n '/^## Numbers that users feel/,/^## [^N]/p' ARCHITECTURE.md |
    sed -n 's/^| .* | `\([A-Za-z_]*\)` | `\([a-z_./]*\)` |$/\1 \2/p')
[ "$(echo "$rows" | wc -l)" -ge 10 ] || { echo "ARCHITECTURE.md: the table is gone"; exit 1; }
echo "$rows" | {
    status=0
    while read -r name file; do
        grep -q "\<$name\>.* = \|#define $name " "$file" && continue
        echo "ARCHITECTURE.md: $name has no value in $file"
        status=1
    done
    exit "$status"
}

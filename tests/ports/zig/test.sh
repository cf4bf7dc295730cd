#!/bin/sh
# test.sh OUT: an error that a test returns fails at the line that made it. OUT has the suite.
set -eu
suite=$(cd "$(dirname "$0")" && pwd)/suite.zig
line=$(grep -n '// the error$' "$suite" | cut -d: -f1)
printf '\1\377' | "$1/suite" errors 2>"$1/stderr" && { echo "the error passed"; exit 1; }
said=$(head -n 1 "$1/stderr")
[ "$said" = "suite.zig:$line: TooLarge" ] || { echo "$said is not line $line"; exit 1; }

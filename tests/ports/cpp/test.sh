#!/bin/sh
# test.sh OUT: an exception fails at the line of its throw, also where its type is thrown twice, and
# at its type without debug information.
set -eu
suite=$(cd "$(dirname "$0")" && pwd)/suite.cpp

# The line of stderr that names a throw: says BYTES PROGRAM WORD.
says() {
    printf '%b' "$1" | "$2" bugs 2>"$3" && return 1
    head -n 1 "$3"
}

check() {
    [ "$1" = "$2" ] || { echo "$1 is not $2"; exit 1; }
}

line_of() { grep -n "throw std::runtime_error(\"$1\")" "$suite" | cut -d: -f1; }

high='\\0377'
check "$(says '\0000\0000' "$1/suite" "$1/stderr")" "suite.cpp:$(line_of few): std::runtime_error"
check "$(says "$(printf "$high%.0s" 1 2 3 4)" "$1/suite" "$1/stderr")" \
    "suite.cpp:$(line_of many): std::runtime_error"
strip -o "$1/stripped" "$1/suite"
check "$(says '\0000\0000' "$1/stripped" "$1/stderr")" \
    "terminate called after throwing an instance of 'std::runtime_error'"

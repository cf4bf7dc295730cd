#!/bin/sh
# build.sh OUT: build OUT/queue and OUT/suite, with CC.
set -eu
cd "$(dirname "$0")"
for name in queue suite; do
    ${CC:-cc} -std=c11 -O2 -g -Wall -Wextra -I../../../frng -o "$1/$name" "$name.c"
done

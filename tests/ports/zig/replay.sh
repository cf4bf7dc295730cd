#!/bin/sh
# replay.sh OUT FOLDER: replay the findings of a folder in `zig test`, with what build.sh has left.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cp "$here/replay_test.zig" "$1"
cd "$1"
FRNG_FOUND=$2 "${ZIG:-zig}" test replay_test.zig -cflags -g0 -- frng.c -lc -I "$here/../../../frng" \
    -fno-omit-frame-pointer --cache-dir cache --global-cache-dir cache

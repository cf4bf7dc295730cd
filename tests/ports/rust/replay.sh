#!/bin/sh
# replay.sh OUT FOLDER: run the unit test of the queue on a folder of findings, after build.sh OUT.
set -eu
out=$(cd "$1" && pwd)
"${RUSTC:-rustc}" --edition 2021 --test --extern frng="$out/libfrng.rlib" -o "$out/queue-test" \
    "$(dirname "$0")/../../../frng/rust/queue.rs"
rm -f "$out/found"
[ ! -e "$2" ] || ln -s "$(realpath "$2")" "$out/found"
cd "$out"
exec ./queue-test

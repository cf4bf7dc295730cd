#!/bin/sh
# build.sh OUT [panics]: build OUT/queue, OUT/suite, OUT/passes and OUT/plain, or what test_rust.py needs, with RUSTC.
set -eu
out=$(cd "$1" && pwd)
cd "$(dirname "$0")"
rustc="${RUSTC:-rustc}"
if ! "$rustc" --version > /dev/null 2>&1; then
    echo "rust: skipped, there is no $rustc"
    exit 77
fi
port=../../../frng/rust
level=3
[ "${2:-}" != panics ] || level=0 # a panic is the same, and compiled in a third of the time
options="--edition 2021 -C opt-level=$level -D warnings"
# shellcheck disable=SC2086 # options are words
build() { "$rustc" $options "$@"; }
build --crate-name frng --crate-type rlib -o "$out/libfrng.rlib" "$port/lib.rs"
options="$options --extern frng=$out/libfrng.rlib"
if [ "${2:-}" = panics ]; then
    build -o "$out/panics" panics.rs
    build -C panic=abort -o "$out/panics-abort" panics.rs
else
    build -o "$out/queue" "$port/queue.rs"
    build -o "$out/suite" suite.rs
    build --test -o "$out/passes" passes.rs
    build -o "$out/plain" passes.rs
fi

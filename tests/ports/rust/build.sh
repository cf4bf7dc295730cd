#!/bin/sh
# build.sh OUT: build OUT/queue and OUT/suite, and what test_rust.py needs, with RUSTC.
set -eu
out=$(cd "$1" && pwd)
cd "$(dirname "$0")"
rustc="${RUSTC:-rustc}"
if ! "$rustc" --version > /dev/null 2>&1; then
    echo "rust: skipped, there is no $rustc"
    exit 77
fi
port=../../../frng/rust
options="--edition 2021 -C opt-level=3 -D warnings"
# shellcheck disable=SC2086 # options are words
{
    "$rustc" $options --crate-name frng --crate-type rlib -o "$out/libfrng.rlib" "$port/lib.rs"
    "$rustc" $options --extern frng="$out/libfrng.rlib" -o "$out/queue" "$port/queue.rs"
    "$rustc" $options --extern frng="$out/libfrng.rlib" -o "$out/suite" suite.rs
    "$rustc" $options --extern frng="$out/libfrng.rlib" -o "$out/panics" panics.rs
    "$rustc" $options --extern frng="$out/libfrng.rlib" -C panic=abort -o "$out/panics-abort" panics.rs
}

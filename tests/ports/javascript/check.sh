#!/bin/sh
# check.sh OUT [fails]: run checks that pass, or one that fails, under node --test.
exec node --test "$(dirname "$0")/${2:-passes}.test.mjs"

#!/bin/sh
# check.sh OUT [fails|plain]: run checks that pass, or one that fails, under node --test, or one in a
# program.
[ "${2:-}" != plain ] || exec node "$(dirname "$0")/passes.test.mjs" plain
exec node --test "$(dirname "$0")/${2:-passes}.test.mjs"

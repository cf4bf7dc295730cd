#!/bin/sh
# check.sh OUT: run a check that passes, under node --test.
exec node --test "$(dirname "$0")/passes.test.mjs"

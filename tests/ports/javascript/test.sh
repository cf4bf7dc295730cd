#!/bin/sh
# test.sh OUT: the tests of the port in its own language.
set -eu
PATH=$1/../../../driver:$PATH FRNG_REDUCE=0 FRNG_SEED=7 exec node --test "$(dirname "$0")/check.test.mjs"

#!/bin/sh
# check.sh OUT: run a check that passes, in a test program of build.sh.
exec "$1/tested" -test.v -test.run TestPasses

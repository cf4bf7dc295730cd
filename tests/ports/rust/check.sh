#!/bin/sh
# check.sh OUT: run a check that passes, in a test program of build.sh.
cd "$1" && exec ./passes

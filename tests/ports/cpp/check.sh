#!/bin/sh
# check.sh OUT: run a check that passes, a program of build.sh.
exec "$1/passes"

#!/bin/sh
# check.sh OUT [fails]: run checks that pass, or one that fails, in a test program of build.sh.
exec "$1/tested" -test.v -test.run "(?i)^Test${2:-passes}$"

#!/bin/sh
# check.sh OUT [fails]: run checks that pass, or one that fails, in a test program of build.sh.
cd "$1" && exec ./passes "${2:-passes}"

#!/bin/sh
# check.sh OUT [fails]: run a check that passes, or one that fails, a program of build.sh.
exec "$1/${2:-passes}" --check

#!/bin/sh
# check.sh OUT [fails|plain]: run checks that pass, or one that fails, in a test program of build.sh, or
# one in a program.
cd "$1" || exit
[ "${2:-}" != plain ] || exec ./plain
exec ./passes "${2:-passes}"

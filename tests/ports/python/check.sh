#!/bin/sh
# check.sh OUT [fails|plain]: run checks that pass, or one that fails, in unittest, or one in a program.
set -eu
cd "$(dirname "$0")"
export PYTHONPATH="$1" PYTHONDONTWRITEBYTECODE=1
[ "${2:-}" != plain ] || exec "${PYTHON:-python3}" passes.py plain
exec "${PYTHON:-python3}" -m unittest "${2:-passes}"

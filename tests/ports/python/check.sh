#!/bin/sh
# check.sh OUT [fails]: run checks that pass, or one that fails, in unittest.
set -eu
cd "$(dirname "$0")"
PYTHONPATH=$1 PYTHONDONTWRITEBYTECODE=1 exec "${PYTHON:-python3}" -m unittest "${2:-passes}"

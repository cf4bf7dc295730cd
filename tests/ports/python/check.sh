#!/bin/sh
# check.sh OUT: run a check that passes, in unittest.
set -eu
cd "$(dirname "$0")"
PYTHONPATH=$1 PYTHONDONTWRITEBYTECODE=1 exec "${PYTHON:-python3}" -m unittest passes

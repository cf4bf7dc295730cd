#!/bin/sh
# replay.sh OUT FOLDER: replay the findings of the queue in pytest, or in unittest without it.
set -eu
cd "$(dirname "$0")"
export FRNG_FOUND="$2" PYTHONPATH="$1" PYTHONDONTWRITEBYTECODE=1
python=${PYTHON:-python3}
if "$python" -c 'import pytest' 2>/dev/null; then
    exec "$python" -m pytest -p no:cacheprovider -q -rA found.py
fi
exec "$python" -m unittest -v found

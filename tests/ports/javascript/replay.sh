#!/bin/sh
# replay.sh OUT FOLDER: replay the findings of the queue under node --test.
set -eu
FRNG_FOUND=$2 exec node --test "$(dirname "$0")/replay.test.mjs"

#!/bin/sh
# build.sh OUT: make OUT/queue and OUT/suite, links to the scripts.
set -eu
cd "$(dirname "$0")"
old='process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)'
if ! command -v node >/dev/null || ! node -e "$old"; then
    echo "node is missing, or older than 18"
    exit 77
fi
ln -sf "$(cd ../../../frng/javascript && pwd)/queue.mjs" "$1/queue"
ln -sf "$PWD/suite.mjs" "$1/suite"

#!/bin/sh
# replay.sh OUT FOLDER: replay the findings of the queue in a test program of build.sh.
FRNG_FOUND=$2 exec "$1/tested" -test.v -test.run TestFindings

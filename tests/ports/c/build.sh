#!/bin/sh
# build.sh OUT: build OUT/queue and OUT/suite, with CC. Not optimized: to compile the headers takes
# longest, and tests/headers/compile.sh compares what each level draws.
set -eu
cd "$(dirname "$0")"
options="-std=c11 -g -Wall -Wextra -I../../../frng"
# shellcheck disable=SC2086 # options are words
{
    ${CC:-cc} $options -o "$1/queue" queue.c
    ${CC:-cc} $options -o "$1/suite" suite.c draw_by_name.c
}

#!/bin/sh
# build.sh OUT: build OUT/queue and OUT/suite, with CC.
set -eu
cd "$(dirname "$0")"
options="-std=c11 -O2 -g -Wall -Wextra -I../../../frng"
# shellcheck disable=SC2086 # options are words
{
    ${CC:-cc} $options -o "$1/queue" queue.c
    ${CC:-cc} $options -o "$1/suite" suite.c draw_by_name.c
    ${CC:-cc} $options -o "$1/make_vectors" make_vectors.c draw_by_name.c
}

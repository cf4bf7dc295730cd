#!/bin/sh
# Every example with its bug switched off, for a long time: none may fail.
#
#     long_examples.sh [BUILD [ATTEMPTS [SIZE_MAX]]]       default: build 10000 4K
#
# ATTEMPTS counts the runs at each size. Prints a line for each example; exit status 1 when one
# failed, 2 when one could not be judged. SPDX-License-Identifier: MIT
set -u
build=${1:-build} attempts=${2:-10000} size_max=${3:-4K}
worst=0 seen=0
for sut in "$build"/examples/*-fixed; do
    [ -f "$sut" ] && [ -x "$sut" ] || continue
    seen=$((seen + 1))
    start=$(date +%s)
    result=$("$build"/driver/frng-search "$sut" --attempts "$attempts" \
        --size-max "$size_max" --quiet)
    status=$?
    case $status in
    0) verdict=passed ;;
    1) verdict="FAILED $result" ;;
    130 | 143) exit $status ;;
    *) verdict="NOT JUDGED, exit status $status" ;;
    esac
    printf '%-28s %6d s  %s\n' "$(basename "$sut")" $(($(date +%s) - start)) "$verdict"
    [ $status -gt 1 ] && status=2
    [ $status -gt $worst ] && worst=$status
done
if [ $seen -eq 0 ]; then
    echo "long_examples.sh: no examples in $build/examples" >&2
    exit 2
fi
exit $worst

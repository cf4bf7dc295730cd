#!/usr/bin/env bash
# Search round after round, keep the findings, and leave room on the disk.
#
#     examples/overnight.sh TARGET [OPTION of frng-search]... [-- ARG of TARGET...]
#
# Every round resumes from the best finding in the folder. After a round that ends long before its
# time, the next one asks for twice as many passes in a row.
#
# Environment variables:
#     FINDINGS   findings folder, one for each TARGET and ARGs     findings/<name of TARGET>
#     HOURS      start no round after this time                    8
#     ROUND      seconds a round                                   600
#     ATTEMPTS   passes in a row that end the first round          100
#     KEEP       findings kept, beside the best of each signature  200
#     FREE_MB    stop when the disk has less room than this        256
#
# Ends on Ctrl-C or SIGTERM (at once, with the summary, and dies of that signal), when the time is
# up (exit 0 nothing found, 1 something found), and when another round would only repeat an error:
# exit 2 of frng-search (it cannot run TARGET, or its options are wrong) and 4 (it cannot write).
set -u

if [ $# -eq 0 ] || [ "${1#-}" != "$1" ]; then
    echo "usage: $0 TARGET [OPTION of frng-search]... [-- ARG...]" >&2
    exit 2
fi

built=$(dirname "$0")/../build/driver/frng-search
if [ -n "${FRNG_SEARCH:-}" ]; then search=$FRNG_SEARCH
elif [ -x "$built" ]; then search=$built
else search=frng-search
fi
if ! command -v -- "$search" >/dev/null; then
    echo "$0: there is no $search: build frng, or set FRNG_SEARCH" >&2
    exit 2
fi

findings=${FINDINGS:-findings/$(basename "$1")}
attempts=${ATTEMPTS:-100}
round=${ROUND:-600}
keep=${KEEP:-200}
free_mb=${FREE_MB:-256}
hours=${HOURS:-8}
for number in "$attempts" "$round" "$keep" "$free_mb" "$hours"; do
    case $number in
    '' | *[!0-9]*) echo "$0: '$number' is no whole number" >&2 && exit 2 ;;
    esac
done
deadline=$((SECONDS + hours * 3600))
rounds=0
inconclusive=0
child=
signal=

mkdir -p -- "$findings" || exit 4

# The names of the findings, the best first: <size, 10 digits>-<seed, 16 hex digits>.json, with an s
# behind a styled seed.
names() {
    (cd -- "$findings" && printf '%s\n' *.json) | grep -E '^[0-9]{10}-[0-9a-f]{16}s?\.json$' |
        LC_ALL=C sort
}

signature_of() {
    sed -n 's/.*"identity": *"\([^"]*\)".*/\1/p' "$findings/$1" 2>/dev/null | head -n 1
}

# Remove the largest findings, but never the best of a signature.
prune() {
    local -A seen=()
    local count=0 name signature
    while read -r name; do
        signature=$(signature_of "$name")
        count=$((count + 1))
        if [ "$count" -gt "$keep" ] && [ -n "${seen[x$signature]:-}" ]; then
            rm -f -- "$findings/$name"
        fi
        seen[x$signature]=1
    done < <(names)
}

disk_is_full() {
    local available_kb
    available_kb=$(df -Pk -- "$findings" | awk 'NR == 2 { print $4 }')
    [ "${available_kb:-0}" -lt $((free_mb * 1024)) ]
}

summary() {
    local -A seen=()
    local name signature best=
    echo "overnight: $rounds rounds, $(names | wc -l) findings in $findings"
    if [ "$inconclusive" -gt 0 ]; then
        echo "overnight: $inconclusive rounds met only failures that did not fail again"
    fi
    while read -r name; do
        signature=$(signature_of "$name")
        best=${best:-$name}
        [ -n "${seen[x$signature]:-}" ] && continue
        seen[x$signature]=1
        echo "  $((10#${name:0:10})) bytes  $signature  $findings/$name"
    done < <(names)
    if [ -n "$best" ]; then
        printf 'overnight: replay the best with: frng-replay %q --finding %q\n' "$sut" \
            "$findings/$best"
    fi
}

finish() {
    summary
    if [ -n "$signal" ]; then # die of it, so that a shell loop around this one stops too
        trap - "$signal"
        kill -s "$signal" $$
    fi
    exit "$1"
}

# The search runs in a process group of its own, so that Ctrl-C reaches it once: from here.
pass_on() {
    signal=$1
    if [ -n "$child" ]; then kill -s "$1" "$child" 2>/dev/null; fi
}
trap 'pass_on INT' INT
trap 'pass_on TERM' TERM
trap 'pass_on HUP' HUP

run_round() {
    set -m
    "$search" --findings "$findings" --time "${round}s" --attempts "$attempts" "$@" </dev/null &
    child=$!
    set +m
    [ -n "$signal" ] && kill -s "$signal" "$child" 2>/dev/null
    wait "$child"
    status=$?
    while kill -0 "$child" 2>/dev/null; do # a trap ends a wait, not the child
        wait "$child"
        status=$?
    done
    child=
}

sut=$1
while [ -z "$signal" ] && [ "$SECONDS" -lt "$deadline" ]; do
    if disk_is_full; then
        echo "overnight: less than $free_mb MB left for $findings" >&2
        finish 4
    fi
    start=$SECONDS
    run_round "$@"
    rounds=$((rounds + 1))
    prune
    [ -n "$signal" ] && break
    case $status in
    0 | 1) ;;
    3) inconclusive=$((inconclusive + 1)) ;;
    2 | 4) finish "$status" ;;
    *)
        echo "overnight: frng-search ended with status $status" >&2
        finish "$status"
        ;;
    esac
    if [ $((SECONDS - start)) -lt $((round / 2)) ] && [ "$attempts" -lt 100000000 ]; then
        attempts=$((attempts * 2))
    fi
done

if [ -n "$(names)" ]; then finish 1; else finish 0; fi

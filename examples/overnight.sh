#!/usr/bin/env bash
# Search round after round, keep the findings, and leave room on the disk.
#
#     examples/overnight.sh TARGET [OPTION of frng-search]... [-- ARG of TARGET...]
#
# Every round resumes from the best finding in the folder, and doubles the passes in a row that it asks
# for until the time is over (--keep-going). If a signal kills frng-search, as the kernel does when
# memory is short, the next round begins after some seconds. frng-status shows the night as one
# worker.
#
# Environment variables:
#     FINDINGS   findings folder, one for each TARGET and ARGs     findings/<name of TARGET>
#     HOURS      end after this time, such as 10 or 0.5            8
#     ROUND      seconds a round                                   600
#     ATTEMPTS   passes in a row that a round asks for at first    100
#     KEEP       findings kept, beside the best of each signature  200
#     FREE_MB    stop when the disk has less room than this        256
#
# Ends on Ctrl-C or SIGTERM (at once, with the summary, and dies of that signal), when the time is
# up (exit 0 nothing found, 1 something found), and when another round would only repeat an error:
# exit 2 of frng-search (it cannot run TARGET, or its options are wrong), 4 (it cannot write), and
# 128 + the signal when signals killed five rounds in a row.
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
for name in attempts round keep free_mb; do
    case ${!name} in
    '' | *[!0-9]*) echo "$0: ${name^^}: '${!name}' is no whole number" >&2 && exit 2 ;;
    esac
    declare "$name=$((10#${!name}))" # 08 is no octal number
done
case $hours in
*[!0-9.]* | *.*.* | '' | .) echo "$0: HOURS: '$hours' is no number of hours" >&2 && exit 2 ;;
esac
deadline=$(LC_ALL=C awk -v now="$SECONDS" -v hours="$hours" 'BEGIN { print int(now + hours * 3600) }')
deaths_max=5
deaths=0 # in a row
rounds=0
inconclusive=0
child=
signal=
worker=overnight-$(uname -n)-$$

mkdir -p -- "$findings" || exit 4

# The names of the findings, the best first: <size, 10 digits>-<seed, 16 hex digits>.json, with an s
# behind a styled seed.
names() {
    (cd -- "$findings" && printf '%s\n' *.json) | grep -E '^[0-9]{10}-[0-9a-f]{16}s?\.json$' |
        LC_ALL=C sort
}

# Lines of the best finding first: its name, a tab, and its signature. One grep reads all of them.
signatures() {
    names | (cd -- "$findings" && xargs -r grep -oHsE '"(identity|site)": *"[^"]*"' --) | awk '
        {
            name = substr($0, 1, index($0, ":") - 1)
            text = $0
            sub(/^[^:]*:"[a-z]*": *"/, "", text)
            sub(/"$/, "", text)
            if (name in signature) signature[name] = signature[name] " at " text
            else { signature[name] = text; order[++count] = name }
        }
        END { for (i = 1; i <= count; i++) print order[i] "\t" signature[order[i]] }'
}

# The functions in ( ) are short, and Ctrl-C does not end their programs halfway.

# Remove the largest findings, but never the best of a signature.
prune() (
    trap '' INT TERM HUP
    [ "$(names | wc -l)" -gt "$keep" ] || exit
    signatures | awk -F '\t' -v keep="$keep" 'seen[$2]++ && NR > keep { print $1 }' |
        (cd -- "$findings" && xargs -r rm -f --)
)

disk_is_full() (
    trap '' INT TERM HUP
    available_kb=$(df -Pk -- "$findings" | awk 'NR == 2 { print $4 }')
    [ "${available_kb:-0}" -lt $((free_mb * 1024)) ]
)

# counted N WORD: such as `1 round` and `2 rounds`.
counted() { if [ "$1" -eq 1 ]; then echo "$1 $2"; else echo "$1 $2s"; fi; }

summary() (
    trap '' INT TERM HUP
    best=$(names | head -n 1)
    echo "overnight: $(counted "$rounds" round), $(counted "$(names | wc -l)" finding) in $findings"
    if [ "$inconclusive" -gt 0 ]; then
        echo "overnight: $(counted "$inconclusive" round) met only failures that did not fail again"
    fi
    signatures | awk -F '\t' '!seen[$2]++' | while IFS=$'\t' read -r name signature; do
        echo "  $((10#${name:0:10})) bytes  $signature  $findings/$name"
    done
    if [ -n "$best" ]; then
        printf 'overnight: replay the best with: frng-replay %q --finding %q\n' "$sut" \
            "$findings/$best"
    fi
)

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

# Wait for the child; a trap ends a wait, not the child. The status of the child is in `status`.
wait_for_child() {
    wait "$child" 2>/dev/null
    status=$?
    while kill -0 "$child" 2>/dev/null; do
        wait "$child" 2>/dev/null
        status=$?
    done
    child=
}

# run_round SECONDS TARGET...
run_round() {
    local seconds=$1
    shift
    set -m
    "$search" --findings "$findings" --keep-going --time "${seconds}s" --attempts "$attempts" \
        --worker "$worker" "$@" </dev/null &
    child=$!
    set +m
    [ -n "$signal" ] && kill -s "$signal" "$child" 2>/dev/null
    wait_for_child
}

pause() {
    sleep "$1" &
    child=$!
    [ -n "$signal" ] && kill -s "$signal" "$child" 2>/dev/null # it came before there was a child
    wait_for_child
}

# A signal killed the round: wait some seconds, in which memory can become free, unless there were
# too many.
take_death() {
    local name
    name=$(kill -l $((status - 128)) 2>/dev/null) || name=$((status - 128))
    deaths=$((deaths + 1))
    if [ "$deaths" -eq "$deaths_max" ]; then
        echo "overnight: signal $name killed frng-search $deaths times in a row: stopped" >&2
        finish "$status"
    fi
    echo "overnight: signal $name killed frng-search; the search goes on in $deaths s" >&2
    pause "$deaths"
}

sut=$1
while [ -z "$signal" ] && [ "$SECONDS" -lt "$deadline" ]; do
    if disk_is_full; then
        echo "overnight: less than $free_mb MB left for $findings" >&2
        finish 4
    fi
    start=$SECONDS
    left=$((deadline - SECONDS))
    run_round $((left < round ? left : round)) "$@"
    rounds=$((rounds + 1))
    prune
    [ -n "$signal" ] && break
    case $status in
    0 | 1) deaths=0 ;;
    3)
        deaths=0
        inconclusive=$((inconclusive + 1))
        ;;
    2 | 4) finish "$status" ;;
    129 | 1[3-9][0-9]) take_death && continue ;;
    *)
        echo "overnight: frng-search ended with status $status" >&2
        finish "$status"
        ;;
    esac
    [ "$SECONDS" -gt "$start" ] || pause 1 # it had nothing to do: nothing is less than empty input
done

if [ -n "$(names)" ]; then finish 1; else finish 0; fi

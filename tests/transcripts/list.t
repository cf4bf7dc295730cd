# frng-replay --list: a row for each program and signature, with its answer.
$ cat >finding <<'EOF'
> #!/bin/sh
> # SIZE SEED IDENTITY REPEATED FIELDS ENTROPY, the last three perhaps in other words
> seed=${2%s} style=${2##*[0-9]} format=1
> [ -z "$style" ] || format=2
> cat >"$(printf 'found/%010d-%016x%s.json' $1 $seed $style)" <<JSON
> {"format": $format, "sut": "./prog", "sut_digest": "ab", "expand": 1, "identity": "${3:-exit:3}",
>  "status": 3, "reruns": 20, "repeated": ${4:-20}, "when": "2026-11-22T08:30:00Z",
>  ${5:-"\"args\": []"}, ${6:-"\"size\": $1, \"seed\": \"$2\""}}
> JSON
> EOF
> chmod +x finding; mkdir found
> ./finding 30 1; ./finding 20 2s; ./finding 25 3
> ./finding 7 9 signal:SIGABRT 20 '"args": [], "site": "a b.c:3"'
> ./finding 40 4 exit:3 20 '"args": ["-x", "y z"]'
> frng-replay --list found
> rm found/*
| signature                    size  reruns  findings  found
| signal:SIGABRT at a b.c:3       7   20/20         1  2026-11-22T08:30:00Z
|     frng-replay ./prog --size 7 --seed 9
| exit:3                         20   20/20         3  2026-11-22T08:30:00Z
|     frng-replay ./prog --size 20 --seed 2s
| exit:3                         40   20/20         1  2026-11-22T08:30:00Z
|     frng-replay ./prog --size 40 --seed 4 -- -x 'y z'

# One that always failed is the answer, and not a smaller flaky one; signatures can be chosen.
$ ./finding 5 1 exit:3 3; ./finding 9 2; ./finding 9 3 timeout
> frng-replay --list found -q
> frng-replay --list found -q --only timeout; frng-replay --list found -q --ignore timeout
> rm found/*
| size=9 seed=2 signature=exit:3
| size=9 seed=3 signature=timeout
| size=9 seed=3 signature=timeout
| size=9 seed=2 signature=exit:3

# Of equal sizes it is the reduced one, in all lists and pages; bytes are hex, or named by their file.
$ ./finding 2 1; ./finding 2 2 exit:3 20 '"args": []' '"hex": "0000"'
> ./finding 2 3 exit:3 20 '"args": []' '"hex": "00ff", "reduced": true'
> ./finding 2 4 exit:3 3 '"args": []' '"hex": "00fe", "reduced": true'
> ./finding 100 5 exit:4 20 '"args": []' '"hex": "'$(printf '00%.0s' $(seq 100))'"'
> frng-replay --list found -q
> frng-replay --list found | tail -n 1
> frng-status found | grep -c -e '--hex 00ff'
> frng-report found && grep -o 'found/0*2-[0-9a-f]*.json' report.html | sort -u
> rm found/*
| size=2 hex=00ff signature=exit:3
| size=100 finding=found/0000000100-0000000000000005.json signature=exit:4
|     frng-replay ./prog --finding found/0000000100-0000000000000005.json
| 1
| found/0000000002-0000000000000003.json

# What is no finding is skipped; nothing is made, and nothing is changed.
$ ./finding 5 1; for i in 1 2 3 4 5; do echo 'torn{' >found/0000000004-000000000000000$i.json; done
> frng-replay --list found -q
> rm found/*; touch found/.0000000004-0000000000000001.json.0123456789abcdef
> frng-replay --list found; ls -A found | wc -l
> frng-replay --list missing || echo $?; ls missing 2>&1 | wc -l
| size=5 seed=1 signature=exit:3
| 1
| 129
| 1
! frng-replay: found/0000000004-0000000000000001.json: skipped: it is cut short, or not a JSON object
! frng-replay: found/0000000004-0000000000000002.json: skipped: it is cut short, or not a JSON object
! frng-replay: found/0000000004-0000000000000003.json: skipped: it is cut short, or not a JSON object
! frng-replay: found: 2 more files skipped
! frng-replay: found: no findings
! frng-replay: missing: cannot be opened: No such file or directory

# Folders right below are read too: earlier versions of frng-ci made one for each target. Not those
# of failures that were not confirmed, nor hidden ones; links to nothing and to files are none.
$ mkdir -p found/a found/b found/unconfirmed found/.c found/b/d
> ./finding 5 1; mv found/0*.json found/b; ./finding 6 2 exit:4
> for d in unconfirmed .c b/d; do cp found/0*.json found/$d/0000000001-0000000000000001.json; done
> mv found/0*.json found/a; ln -s nowhere found/e; ln -s ../finding found/f
> frng-replay --list found -q; frng-status found || echo $?
> frng-report found; grep -o 'found/[^ ]*json' report.html | sort -u
| size=5 seed=1 signature=exit:3
| size=6 seed=2 signature=exit:4
| no workers: frng-search reports here with --sync or --worker
|
| signature    size  reruns  findings  found
| exit:3          5   20/20         1  2026-11-22T08:30:00Z
|     frng-replay ./prog --size 5 --seed 1
| exit:4          6   20/20         1  2026-11-22T08:30:00Z
|     frng-replay ./prog --size 6 --seed 2
| 1
| found/a/0000000006-0000000000000002.json
| found/b/0000000005-0000000000000001.json

# Where nothing could be read, nobody says that nothing was found.
$ rm -r found; mkdir found; echo 'torn{' >found/0000000004-0000000000000001.json
> frng-replay --list found; echo $?; frng-status found
| 129
| no workers: frng-search reports here with --sync or --worker
|   skipped  1 file that could not be read
|
| no finding could be read
! frng-replay: found/0000000004-0000000000000001.json: skipped: it is cut short, or not a JSON object
! frng-status: found/0000000004-0000000000000001.json: skipped: it is cut short, or not a JSON object
? 2

# It excludes an input and a run.
$ for more in '--size 3 --seed 1' '--runs 2' --trace --dump sut-modes '--hex 00'; do
>   frng-replay --list found $more || echo $?
> done 2>&1 | sort | uniq -c
|       6 129
|       6 frng-replay: --list takes only --only, --ignore and --quiet beside it; see 'frng-replay --help'

# Styled seeds, wherever people and programs meet them: 17s, and never 17. (suites: sanitized compiled)
$ cat >keys <<'END'
> #!/bin/sh
> od -An -v -w8 -tx1 | awk 'length == 24 && seen[$0]++ { exit 3 }'
> END
> chmod +x keys

# A failure that no plain seed has, from the search to the smallest bytes.
$ frng-search sut-pairs --rng-seed 1 --attempts 20 --size-max 1K --findings found --expand styled
> ls found; sed 's/"sut_digest": *"[^"]*"/DIGEST/; s/"when": *"[^"]*"/WHEN/' found/*
| size=16 seed=8960593081339977372s
| 0000000016-7c5a6beea6179e9cs.json
| {
|   "format": 2,
|   "sut": "sut-pairs",
|   DIGEST,
|   "args": [],
|   "size": 16,
|   "seed": "8960593081339977372s",
|   "expand": 1,
|   "identity": "signal:SIGABRT",
|   "status": 134,
|   "site": "tests/sut/small.c:18",
|   "reruns": 20,
|   "repeated": 20,
|   WHEN,
|   "draws": "2-aa9102ec66a7e865"
| }
! fails with signal:SIGABRT at tests/sut/small.c:18: size 64, seed 15903160598761770143s (run 8)
!
! smallest failure: signal:SIGABRT at size 16
!   failure  signal:SIGABRT at tests/sut/small.c:18
!   replay   frng-replay sut-pairs --size 16 --seed 8960593081339977372s
!   finding  found/0000000016-7c5a6beea6179e9cs.json
!   output   tests/sut/small.c:18: assertion failed: keys[i] != keys[count]: it is there
!   reruns   failed again 20/20 times: under 17% of reruns pass (95% confidence)
!   smaller  52 fresh runs at size 15 passed: under 13% of such runs fail (95% confidence)
!            all runs had styled bytes (--expand)
!   effort   92 runs and 21 reruns in <time> (<n>/s, <jobs>), --rng-seed 1
$ frng-search ./keys --rng-seed 1 --attempts 2 --size-max 128 --jobs 1 --expand styled 2>/dev/null
| size=16 seed=8960593081339977372s
? 1
# It replays by its size and seed, its line, its number in hex, its finding and its bytes; not by 17.
$ for words in 'size=16 seed=8960593081339977372s' '--size 16 --seed 0x7c5a6beea6179e9cs' \
>   '--size 16 --seed 8960593081339977372' '--finding found/0000000016-7c5a6beea6179e9cs.json'
> do frng-replay --quiet sut-pairs $words 2>/dev/null; s="$s $?"; done; echo $s
| 1 1 0 1
# A later search begins with it.
$ frng-search sut-pairs --rng-seed 2 --attempts 1 --findings found --expand uniform 2>&1 | grep -e size= -e known -e smaller -e finding
| known finding, size 16, seed 8960593081339977372s: still fails
|   finding  found/0000000016-7c5a6beea6179e9cs.json
|   smaller  1 fresh run at size 15 passed
| size=16 seed=8960593081339977372s
# Reductions take it in the same ways.
$ for words in 'size=16 seed=8960593081339977372s' '--finding found/0000000016-7c5a6beea6179e9cs.json'
> do frng-reduce --quiet sut-pairs $words; done | uniq -c
|       2 size=16 hex=00000000000000000000000000000000
# All modes find the same bests.
$ for mode in spawn fork persistent; do
>   frng-search sut-pairs --rng-seed 1 --attempts 50 --size-max 1K --mode $mode --json - 2>/dev/null |
>     sed -n 's/.*"event":"best".*"size":\([0-9]*\),"seed":"\([0-9s]*\)".*/\1 \2/p' >$mode
> done; cat spawn; cmp spawn fork; cmp spawn persistent
| 16 7080814041164127450s

# Plain and styled findings in one folder.
$ cat >keep <<'END'
> #!/bin/sh
> # keep NAME SIZE SEED [FORMAT]: a finding; SEED is JSON
> mkdir -p both; cat >both/$1 <<JSON
> {"format": ${4:-2}, "sut": "./keys", "sut_digest": null, "args": [], "size": $2, "seed": $3,
>  "expand": 1, "identity": "exit:3", "status": 3, "site": null, "reruns": 0, "repeated": 0,
>  "when": "2026-01-31T23:59:59Z"}
> JSON
> END
> chmod +x keep
$ ./keep 0000000064-000000000000000ds.json 64 '"13s"'
> ./keep 0000000064-000000000000000d.json 64 '"13"' 1
> frng-replay --finding both/0000000064-000000000000000ds.json; echo $?
> frng-replay --finding both/0000000064-000000000000000d.json
| 1
! fails with exit:3
! passes
$ frng-search ./keys --rng-seed 1 --attempts 1 --size-max 1K --jobs 1 --findings both 2>&1 | grep -e known -e fails -e smallest -e '  finding'
| known finding, size 64, seed 13: passes now
| fails with exit:3: size 64, seed 13s (run 2)
| known finding, size 64, seed 13s: still fails
| smallest failure: exit:3 at size 16
|   finding  both/0000000016-40db436a21744cd1s.json
# The best of both kinds is where a search begins; what a finding says counts, and not its name.
$ rm both/*; ./keep 0000000063-0000000000000005.json 1000 '"5"' 1
> ./keep 0000000064-000000000000000ds.json 64 '"13s"'
> frng-search ./keys --rng-seed 1 --attempts 1 --size-max 1K --jobs 1 --findings both 2>&1 |
>   grep -e known -e 'fails with'
| known finding, size 1000, seed 5: passes now
| fails with exit:3: size 64, seed 13s (run 2)
| known finding, size 64, seed 13s: still fails
# Temporary files of styled findings are removed.
$ left=both/.0000000016-0000000000000011s.json.0123456789abcdef; echo { >$left; touch -d @0 $left
> frng-search --quiet ./keys --rng-seed 1 --attempts 1 --size-max 1K --jobs 1 --findings both
> ls -A both
| size=16 seed=4673403161433885905s
| 0000000016-40db436a21744cd1s.json
| 0000000063-0000000000000005.json
| 0000000064-000000000000000ds.json

# A bad seed is skipped with a line.
$ n=0; for seed in s -1s '1s\u0000' 1s,2s; do
>   name=$(printf %010d-%016xs.json $n $n); n=$((n + 1))
>   ./keep $name 1 "\"$seed\""; frng-replay --finding both/$name || echo $?
> done 2>&1 | sed 's,both/.*json,FILE,' | sort | uniq -c
|       4 129
|       1 frng-replay: FILE: cannot be read: it is cut short, or not a JSON object
|       3 frng-replay: FILE: cannot be read: its seed is not valid: give a text such as 17 or 17s
$ frng-search ./keys --rng-seed 1 --attempts 1 --size-max 1K --jobs 1 --findings both 2>&1 |
>   grep -e known -e skipped
| frng-search: both/0000000000-0000000000000000s.json: skipped: its seed is not valid: give a text such as 17 or 17s
| frng-search: both/0000000001-0000000000000001s.json: skipped: its seed is not valid: give a text such as 17 or 17s
| frng-search: both/0000000002-0000000000000002s.json: skipped: it is cut short, or not a JSON object
| known finding, size 16, seed 4673403161433885905s: still fails
| frng-search: both: 1 more file skipped

# A message about a run says of which style its seed is.
$ for how in uniform styled; do
>   frng-search --expand $how --size-max 8 --rng-seed 1 --attempts 2000 --mode persistent sut-dirt \
>     -- draws-otherwise 0 2>&1 | sed -n 's/.*\(keeps state.*seed\) [0-9]*\(s*\).*/\1 N\2/p'
> done
| keeps state between its runs, or is flaky: size 8, seed N
| keeps state between its runs, or is flaky: size 8, seed Ns

$ for how in uniform styled; do
>   rm -f frozen; frng-search --expand $how --size-max 16 --timeout 300ms --attempts 3 --rng-seed 1 \
>     --mode spawn sut-strays -- freeze-once 9 2>&1 | sed -n 's/.*\(worker: .*seed\) [0-9]*\(s*\).*/\1 N\2/p'
> done
| worker: a run of 16 bytes, seed N
| worker: a run of 16 bytes, seed N
| worker: a run of 16 bytes, seed Ns
| worker: a run of 16 bytes, seed Ns
$ frng-search sut-pairs --rng-seed 1 --expand styled --size-max 1K --json - 2>/dev/null |
>   grep -o -e '"expand":"[a-z]*"' -e '"best".*"seed":"[0-9s]*"'
| "expand":"styled"
| "best","schema":1,"size":64,"seed":"15903160598761770143s"
| "best","schema":1,"size":16,"seed":"8960593081339977372s"

# What is no seed and no expansion is refused.
$ for seed in 17S '17 s' 0xs 18446744073709551616s
> do frng-replay sut-pairs --size 16 --seed "$seed" || echo $?
> done 2>&1 | sed "s/'$seed'/SEED/; s/seed '[^']*'/seed SEED/" | sort | uniq -c
|       4 129
|       4 frng-replay: --seed SEED is not valid: give a number below 2^64, decimal or 0x and hex, with an s behind it if the seed is styled
$ for word in '' plain Both styled,uniform 'both '
> do frng-search sut-pairs --expand "$word" || echo $?; done 2>&1 | sed "s/expand '[^']*'/expand WORD/" | sort | uniq -c
|       5 2
|       5 frng-search: --expand WORD is not valid: give both, uniform or styled

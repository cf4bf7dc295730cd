# Draws that a program reports and its bytes contradict: a line says so, and bytes are reduced.
$ for claim in honest unknown modulo back silent; do
>   frng-reduce --size 400 --seed 5 --jobs 1 --explain no sut-claims -- $claim 2>&1 |
>     sed -n 's/.*: \(the draw .*\): reduces bytes, not draws/\1/p; /size=/p; /add --trace/p'; done | uniq
|   draws    add --trace to see them
| size=2 hex=0007
|   draws    add --trace to see them
| size=2 hex=0007
| the draw digit (u8 0..9 at byte 1) says 2, but its byte is 9
| size=2 hex=00c5
| the draw digit (u8 0..9 at byte 0) is not where the one before it ends, at byte 1
| size=2 hex=00c5
| the draw digit (bool at byte 2) is not where the one before it ends, at byte 1
| size=2 hex=00c5
# The table of a trace is printed, and then doubted.
$ for claim in honest unknown modulo; do
>   frng-replay --size 400 --seed 5 --trace sut-claims -- $claim 2>&1 >table | grep -e ': the draw '; grep -c digit table; done
| 5
| 5
| frng-replay: the draw digit (u8 0..9 at byte 1) says 2, but its byte is 9: is reduced as bytes
| 5
# In every mode, once where much is reduced, in no other run if it is quiet.
$ for mode in spawn fork persistent; do frng-reduce --size 40 --seed 5 --mode $mode sut-claims 2>&1 |
>   grep -c ': reduces bytes, not draws$'; done
| 1
| 1
| 1
$ frng-search --reduce --all --attempts 10 --size-max 64 --rng-seed 1 sut-claims -- two 2>&1 |
>   grep -c ': reduces bytes, not draws$'
| 1
$ frng-reduce --quiet --size 400 --seed 5 --jobs 1 sut-claims
| size=2 hex=00c5
? 1
$ frng-reduce --size 400 --seed 5 --json events --jobs 1 sut-claims 2>/dev/null; grep wrong_record events
| size=2 hex=00c5
| {"event":"wrong_record","schema":1,"offset":1,"note":"digit","kind":"u8 0..9","text":"the draw digit (u8 0..9 at byte 1) says 2, but its byte is 9"}
$ frng-replay --size 400 --seed 5 --trace --json - sut-claims 2>/dev/null | grep -A1 '"number":2,' |
>   sed 's/,.*//'; frng-replay --size 400 --seed 5 --trace --json - sut-claims 2>/dev/null | grep -c wrong_record
| {"event":"draw"
| {"event":"draw"
| 1
# A lie of a later run: what the input reported was true.
$ for seed in $(seq 40); do
>   frng-replay --size 400 --seed $seed --trace sut-claims -- later 2>&1 >table | grep -q ': the draw ' && continue
>   frng-reduce --size 400 --seed $seed --jobs 1 sut-claims -- later 2>&1 | grep -e ': the draw ' -e size=
>   break; done
| frng-reduce: the draw digit (u8 0..9 at byte 1) says 7, but its byte is 0: reduces bytes, not draws
| size=2 hex=0007
# A claim speaks of the sizes that were run: one between them may always fail.
$ printf '#!/bin/sh\n[ $(wc -c) -ne 17 ]\n' >not17; chmod +x not17; frng-search --rng-seed 1 --jobs 1 --size-max 64 --attempts 10 ./not17 2>&1 | grep sizes
| no failure in 35 runs: at each of 3 sizes (16, 32, 64) under 31% of such runs fail (95%)
|   passes   at least 10 at each of 3 sizes (16, 32, 64)
# By default the sizes get runs of one cost, and the claim is a list, with any number of jobs; --attempts counts.
$ for jobs in 1 2 5; do frng-search sut-labels --rng-seed 5 --jobs $jobs --size-max 32K -- all 2>&1 | grep -e 'no failure' -e '^  passes'; done | sort | uniq -c
|       3   passes   at least 76 at each of 12 sizes (16, 32, ... 32K)
|       3 no failure in 45,095 runs: at 12 sizes (16, 32, ... 32K), up to 256 under 0.076%, 4K 0.61%, 32K 4.8% (76 runs) of such runs fail (95%)
$ frng-search sut-labels --rng-seed 5 --attempts 20 --size-max 4K -- all 2>&1 | grep -e 'no failure' -e '  passes'
| no failure in 185 runs: at each of 9 sizes (16, 32, ... 4K) under 17% of such runs fail (95%)
|   passes   at least 20 at each of 9 sizes (16, 32, ... 4K)
# Those beyond the least of a slow test end after some CPU time, and not where so many are asked for.
$ for how in '' '--attempts 100'; do rm -f events
>   frng-search sut-places --rng-seed 5 --size-max 32 --json events $how -- slow 2>&1 | sed -n 's/--attempts [0-9]*/--attempts N/; /attempts/p'
>   sed -n 's/.*"event":"done".*"end":"\([a-z]*\)".*"runs":\([0-9]*\),"sizes":2,.*/\1 \2/p' events | awk '{print $1, $2 < 100 ? "too few" : $2 == 100 ? 100 : $2 < 2000 ? "some" : "many"}'; done
|            its runs are slow, so it made fewer: --attempts N makes about as many again
| effort some
| complete 100

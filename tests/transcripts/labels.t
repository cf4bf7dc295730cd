# A search without a failure shows what its runs drew, and how many had each label.
$ frng-search sut-labels --rng-seed 5 --attempts 100 -- items
!
! no failure in 1,905 runs: at each of 6 sizes (16, 32, ... 512) under 3.7% of such runs fail (95%)
!            half of the runs had uniform bytes, half styled ones (--expand)
!   passes   at least 100 at each of 6 sizes (16, 32, ... 512)
!   sizes    larger sizes test nothing new: no run drew more than 256 bytes
!   drawn    bytes a run: median 94, quartiles 33 and 171, most 256; 16% ran out of entropy
!            draws a run: median 76, quartiles 27 and 126, most 256 (of 30 runs counted)
!   labels   of all runs         runs  median size
!                    52%          995           48  short
!                    48%          909          176  long
!                    22%          415          161  seven
!                  0.26%            5            8  rare
!   measures       least       median         most
!                      1          103          255  items
!   effort   1,905 runs and 0 reruns in <time> (<n>/s, <jobs>), --rng-seed 5
$ frng-search sut-labels --rng-seed 5 --attempts 100 -- exits 2>&1 | grep -e drawn -e labels -e long -e short
|   drawn    bytes a run: median 67, quartiles 25 and 140, most 256; 14% ran out of entropy
|   labels   of all runs         runs  median size
|                    52%          997           38  short
|                    48%          907          143  long
# A failure is reported without statistics of draws, unless --verbose.
$ frng-search sut-labels --rng-seed 5 --attempts 100 --jobs 2 -- fails 2>&1 | sed -n '/ drawn /p; / labels /,$p'
|   labels   of all runs         runs  median size
|                    57%           70            1  long
|                    42%           51            1  short
|   measures       least       median         most
|                      1            7           15  items
|   effort   122 runs and 22 reruns in <time> (<n>/s, <jobs>), --rng-seed 5
| size=2 seed=7485121835981390346
$ frng-search sut-labels --rng-seed 5 --attempts 100 --jobs 2 --verbose -- fails 2>&1 | grep drawn
|   drawn    bytes a run: median 1, quartiles 1 and 1, most 16; 93% ran out of entropy
# Few labels are shown by default, all with --verbose; those beyond the room are said; names are escaped.
$ frng-search sut-labels --rng-seed 5 --attempts 500 -- many 2>&1 | sed -n 's/[0-9,]* marks/N marks/; / more /p'
|   sizes    larger sizes test nothing new: no run drew more than 232 bytes
|            and 48 more with --verbose
|            more than 64 labels and measures: N marks were not counted
$ frng-search sut-labels --rng-seed 5 --attempts 500 --verbose -- many 2>&1 |
>   sed -n 's/.*  name [0-9]*/name N/; /more than 64/p; /x1b/p' | cut -c 1-42 | uniq -c
|      64 name N\x1b[31m\xff of some length that is
|       1            more than 64 labels and measure

# Growing stops at twice the most that a run has drawn, where the user gives a size, too.
$ frng-search sut-labels --rng-seed 5 -- forty 2>&1 | grep -e '  passes' -e sizes -e drawn
| no failure in 27,131 runs: at each of 3 sizes (16, 32, 64) under 0.043% of such runs fail (95%)
|   passes   at least 8,680 at each of 3 sizes (16, 32, 64)
|   sizes    larger sizes test nothing new: no run drew more than 40 bytes
|   drawn    bytes a run: median 33, quartiles 17 and 40, most 40; 68% ran out of entropy
$ frng-search sut-labels --rng-seed 5 --attempts 100 --size-max 256 -- forty 2>&1 | grep -e '  passes' -e sizes
| no failure in 505 runs: at each of 3 sizes (16, 32, 64) under 3.7% of such runs fail (95%)
|   passes   at least 100 at each of 3 sizes (16, 32, 64)
|   sizes    larger sizes test nothing new: no run drew more than 40 bytes
# It goes on while runs use all their bytes, and not for a few that draw again and again.
$ frng-search sut-labels --rng-seed 5 --attempts 3 -- all 2>&1 | grep -e '  passes' -e sizes -e warning
| no failure in 62 runs: at each of 19 sizes (16, 32, ... 4M) under 85% of such runs fail (95%)
|   passes   at least 3 at each of 19 sizes (16, 32, ... 4M)
$ frng-search sut-labels --rng-seed 2 --attempts 100 -- again 2>&1 | grep -e '  passes' -e sizes
| no failure in 1,927 runs: at each of 12 sizes (16, 32, ... 32K) under 3.7% of such runs fail (95%)
|   passes   at least 100 at each of 12 sizes (16, 32, ... 32K)
|   sizes    larger sizes test little new: few runs used all of 32K

# Too few runs with a required label make the search inconclusive, a line for each, even when quiet.
$ frng-search sut-labels --rng-seed 5 --attempts 100 --quiet --require long:10% --require seven:0.5% -- items
$ frng-search sut-labels --rng-seed 5 --attempts 100 --require long:10% --require seven:99.5% --json events -- items 2>&1 |
>   grep -e failure -e require
> sed -n 's/.*"event":"done".*"outcome":"\([a-z]*\)".*"reason":"\([a-z]*\)".*/\1 \2/p' events
| no failure in 1,905 runs: at each of 6 sizes (16, 32, ... 512) under 3.7% of such runs fail (95%)
| frng-search: --require seven:99.5%: only 22% of the runs had this label: 415 of 1,905
| inconclusive require
$ frng-search sut-labels --rng-seed 5 --attempts 100 --quiet --require 'no such:0.01%' --require 'nor this:1%' -- items
! frng-search: --require no such:0.01%: no run had this label
! frng-search: --require nor this:1%: no run had this label
? 3
$ frng-search sut-labels --rng-seed 5 --attempts 100 --quiet --require "$(printf 'x\033[31m\n:1%%')" -- items
! frng-search: --require x\x1b[31m\x0a:1%: no run had this label
? 3
# A failure outweighs a requirement.
$ frng-search sut-labels --rng-seed 5 --attempts 100 --quiet --require 'no such:1%' -- fails
| size=2 seed=7485121835981390346
? 1
$ for wrong in long long:101%
> do { frng-search sut-labels --require $wrong || echo $?; } 2>&1 | sed "s/'$wrong'/VALUE/"; done | sort | uniq -c
|       2 2
|       2 frng-search: --require VALUE is not valid: give a label and a share of the runs, above 0% and at most 100%, such as long:2.5%; 64 times at most
$ frng-search /bin/true --require long:1%
! frng-search: --require: /bin/true gives its runs no labels: it does not speak the protocol
? 2

# Runs that test little are warned of.
$ for mode in persistent spawn; do
>   frng-search sut-labels --rng-seed 5 --mode $mode --attempts 10 --size-max 4K -- nothing
>   frng-search sut-labels --rng-seed 5 --mode $mode --attempts 3 -- hungry
>   frng-search sut-labels --rng-seed 5 --mode $mode --attempts 10 --size-max 4K -- few
> done 2>&1 | grep 'warning\|none of' | sort | uniq -c
|       2   warning  77% of the runs ended within 3 draws: do they reach the code to test?
|       2   warning  each run ran out of entropy before its first draw: 4M bytes are too few
|       2 inconclusive: none of 11 runs read its input
$ for what in items forty; do frng-search sut-labels --rng-seed 5 --attempts 30 -- $what 2>&1 | grep -c warning; done
| 0
| 0
? 1
$ frng-search /bin/true --rng-seed 5 --attempts 100 --size-max 64 2>&1 | grep drawn
? 1
$ frng-search $SOURCE/examples/forkserver.py --mode fork --rng-seed 5 --size-max 64 --attempts 10 -- --fixed 2>&1 | grep -A1 drawn
|   drawn    bytes a run: median 33, quartiles 16 and 64, most 64
|   effort   35 runs and 0 reruns in <time> (<n>/s, <jobs>), --rng-seed 5
# All modes and any jobs count the same runs, but for draws, which each process has. A run that exits has no end.
$ for how in 'items 4K' 'exits 32'; do set -- $how; for mode in 'persistent --jobs 1' 'fork --jobs 2' 'spawn --jobs 5'; do
>   frng-search --rng-seed 5 --attempts 100 --json - --mode $mode --size-max $2 sut-labels -- $1 2>/dev/null | sed -n 's/.*"statistics"://p' >told
>   [ $1 = exits ] && grep -o '"labels":.*}],"m' told || sed 's/"draws":\(null\|{[^}]*}\),//' told; done; done | uniq -c
|       3 {"runs":905,"told":905,"ran_out":299,"drawn":{"min":0,"quartile1":25,"median":68,"quartile3":140,"max":256,"runs":905},"labels":[{"name":"long","runs":458,"share":0.506077348066,"size":{"min":4,"quartile1":64,"median":139,"quartile3":196,"max":256,"runs":458}},{"name":"short","runs":446,"share":0.492817679558,"size":{"min":1,"quartile1":16,"median":35,"quartile3":71,"max":128,"runs":446}},{"name":"seven","runs":183,"share":0.202209944751,"size":{"min":5,"quartile1":95,"median":140,"quartile3":188,"max":256,"runs":183}},{"name":"rare","runs":4,"share":0.00441988950276,"size":{"min":8,"quartile1":8,"median":8,"quartile3":8,"max":8,"runs":4}}],"measures":[{"name":"items","runs":860,"values":{"min":1,"quartile1":30,"median":63,"quartile3":139,"max":255,"runs":860}}],"lost":0,"warning":null}}
|       3 "labels":[{"name":"long","runs":104,"share":0.507317073171,"size":{"min":4,"quartile1":16,"median":25,"quartile3":32,"max":32,"runs":104}},{"name":"short","runs":100,"share":0.487804878049,"size":{"min":1,"quartile1":12,"median":17,"quartile3":32,"max":32,"runs":100}},{"name":"seven","runs":15,"share":0.0731707317073,"size":{"min":16,"quartile1":25,"median":32,"quartile3":32,"max":32,"runs":15}},{"name":"rare","runs":1,"share":0.00487804878049,"size":{"min":8,"quartile1":8,"median":8,"quartile3":8,"max":8,"runs":1}}],"m

# Runs that frng_assume discards are no evidence: in each mode they count apart, and have no labels.
$ for mode in persistent fork spawn; do
>   frng-search sut-assumes --rng-seed 5 --attempts 20 --mode $mode -- 60 2>&1 | sed '/a run/d; / best none /d; s/ in .* (.*//'
> done | sort | uniq -c
|       3
|       3                    40%          281            2  even
|       3                    59%          408            2  odd
|       3            half of the runs had uniform bytes, half styled ones (--expand)
|       3   effort   1,451 runs (756 discarded) and 0 reruns
|       3   labels   of all runs         runs  median size
|       3   passes   at least 27 at each of 5 sizes (16, 32, ... 256)
|       3   sizes    larger sizes test nothing new: no run drew more than 96 bytes
|       3   warning  52% of the runs were discarded: draw only what the test accepts
|       3 no failure
$ frng-search sut-assumes --rng-seed 5 --attempts 20 --json assumed --findings assumed.d --worker w -- 60 2>&1 |
>   grep -e warning -e effort
> sed -n 's/.*"event":"tested".*"discarded":\([0-9]*\).*/\1/p' assumed | awk '{ n += $1 } END { print n }'
> grep -o '"discarded":[0-9]*\|"warning":"[a-z]*"' assumed | tail -n 2; frng-status assumed.d | grep -o '^  runs.*reruns'
|   warning  52% of the runs were discarded: draw only what the test accepts
|   effort   1,451 runs (756 discarded) and 0 reruns in <time> (<n>/s, <jobs>), --rng-seed 5
| 756
| "discarded":756
| "warning":"discarded"
|   runs     1,451 (756 discarded) and 0 reruns
# Over nine tenths are an error, in any mode, and even when quiet.
$ frng-search sut-assumes --rng-seed 5 --attempts 300 --json assumed -- 98
!
! inconclusive: 54,870 of 60,631 runs were discarded: draw only what the test accepts
!   labels   of all runs         runs  median size
!                    88%        5,078            2  odd
!                    11%          638            2  even
!   effort   60,631 runs (54,870 discarded) and 0 reruns in <time> (<n>/s, <jobs>), --rng-seed 5
? 3
$ grep -o '"reason":"[a-z]*"' assumed
| "reason":"discarded"
$ for mode in fork spawn; do frng-search sut-assumes --rng-seed 5 --attempts 5 --mode $mode --quiet -- 98; echo $?; done
| 3
| 3
# Nor do they keep processes from going on after ignored failures, nor leave such runs out twice.
$ for jobs in 1 3; do
>   frng-search sut-assumes --rng-seed 5 --attempts 40 --jobs $jobs --ignore 'signal:SIGABRT*' -- '60, or fails' 2>&1 |
>   grep -e runs: -e effort; done
| no failure but ignored ones in 3,739 runs: at each of 6 sizes (16, 32, ... 512) under 8.5% of such runs fail so (95%)
|   ignored  601 runs: signal:SIGABRT at tests/sut/small.c:572
|   effort   3,739 runs (2,073 discarded) and 11 reruns in <time> (<n>/s, <jobs>), --rng-seed 5
| no failure but ignored ones in 3,739 runs: at each of 6 sizes (16, 32, ... 512) under 8.5% of such runs fail so (95%)
|   ignored  601 runs: signal:SIGABRT at tests/sut/small.c:572
|   effort   3,739 runs (2,073 discarded) and 11 reruns in <time> (<n>/s, <jobs>), --rng-seed 5
# A failure outweighs them. What a reduction tries and the test discards is not interesting.
$ frng-search sut-assumes --rng-seed 5 --attempts 100 --jobs 2 -- '60, or fails' 2>&1 | grep -v -e odd -e even
| fails with signal:SIGABRT at tests/sut/small.c:572: size 2, seed 16485163039290686990s (run 9)
|
| smallest failure: signal:SIGABRT at size 2
|   failure  signal:SIGABRT at tests/sut/small.c:572
|   replay   frng-replay sut-assumes --size 2 --seed 16485163039290686990s -- '60, or fails'
|   output   tests/sut/small.c:572: assertion failed: y < 200 || !is("60, or fails")
|   reruns   failed again 20/20 times: under 17% of reruns pass (95% confidence)
|   smaller  96 fresh runs at size 1 passed: under 5.3% of such runs fail (95% confidence)
|            half of the runs had uniform bytes, half styled ones (--expand)
|   labels   of all runs         runs  median size
|   effort   152 runs (52 discarded) and 20 reruns in <time> (<n>/s, <jobs>), --rng-seed 5
| size=2 seed=16485163039290686990s
$ frng-reduce sut-assumes --jobs 1 --hex ffff -- '60, or fails'
| size=2 hex=9bc8
!
! reduced: signal:SIGABRT at tests/sut/small.c:572, 2 -> 2 bytes
!   replay   frng-replay sut-assumes --hex 9bc8 -- '60, or fails'
!   draws    add --trace to see them
!   output   tests/sut/small.c:572: assertion failed: y < 200 || !is("60, or fails")
!   reruns   failed again 3/3 times
!   explain  values that fail, with one draw changed at a time (375 runs)
!            offset 0  60..99
!            offset 1  200..255
!   effort   62 calls and 12 steps in <time> (<n>/s, <jobs>)
? 1
# A replay says so: it is a pass for git bisect.
$ frng-replay sut-assumes --hex 01ff --trace -- 60
| offset  bytes  draw      value
|      0  01     u8 0..99  0
! discarded: the test assumes what does not hold
$ frng-replay sut-assumes --hex 01ff --runs 3 --json assumed -- 60
! discarded: the test assumes what does not hold each time (fails in 0 of 3 runs: 0%, 95% confidence 0 to 71%)
$ tail -n 1 assumed | grep -o '"passed":[0-9]*\|"discarded":[0-9]*'
| "passed":0
| "discarded":3
$ printf '\1\377' | sut-assumes 60

# A usage error of a search is one line that says what is wrong and what to do.
$ frng-search
! frng-search: which program? Usage: frng-search TARGET [options] [-- ARG...]; see 'frng-search --help'
? 2
$ frng-search --no-such-option sut-modes
! frng-search: unknown option '--no-such-option'; see 'frng-search --help'
? 2
# The nearest option is named.
$ frng-search --atempts 3 sut-modes
! frng-search: unknown option '--atempts': did you mean --attempts? See 'frng-search --help'
? 2

# One input is none for a search.
$ frng-search sut-modes --size 3 --seed 7 -- at-least 3
! frng-search: --size: one input is run by frng-replay; a search has --rng-seed and --size-max; see 'frng-search --help'
? 2
$ frng-search --size=12 --seed 34s './a b' -- --size; frng-search --finding found/x.json || frng-search --hex 00 x
! frng-search: --size=12: one input is run by frng-replay; a search has --rng-seed and --size-max; see 'frng-search --help'
! frng-search: --finding: one input is run by frng-replay; a search has --rng-seed and --size-max; see 'frng-search --help'
! frng-search: --hex: one input is run by frng-replay; a search has --rng-seed and --size-max; see 'frng-search --help'
? 2
$ frng-search sut-modes size=3 seed=7 -- at-least 3
! frng-search: size=3: one input is run by frng-replay; a search has --rng-seed and --size-max; see 'frng-search --help'
? 2

# A value that is none is named with its option.
$ for option in attempts=1.5 jobs=99999999999999999999999 size-max=4KX memory= timeout=10 time=1s1 \
>   rng-seed=0x10000000000000000 mode=fast stdin=tty sync=0s only=signal:SIGNOPE \
>   worker=a/b worker=$(printf %0201d 0)
> do frng-search sut-modes --$option || s="$s $?"; done; echo $s
| 2 2 2 2 2 2 2 2 2 2 2 2 2
! frng-search: --attempts '1.5' is not valid: give a whole number, at least 1, such as 500 or 10k
! frng-search: --jobs '99999999999999999999999' is not valid: give a whole number from 1 to 256
! frng-search: --size-max '4KX' is not valid: give a size of at most 8G, such as 41, 64K or 4MiB
! frng-search: --memory '' is not valid: give a size of at least 8M, such as 512M or 2G
! frng-search: --timeout '10' is not valid: give a duration, such as 500ms, 10s, 1.5h or 1h30m
! frng-search: --time '1s1' is not valid: give a duration, such as 500ms, 10s, 1.5h or 1h30m
! frng-search: --rng-seed '0x10000000000000000' is not valid: give a number below 2^64, decimal or 0x and hex
! frng-search: --mode 'fast' is not valid: give auto, spawn, fork or persistent
! frng-search: --stdin 'tty' is not valid: give file or pipe
! frng-search: --sync '0s' is not valid: give a duration above 0, such as 30s or 5m, or never
! frng-search: --only 'signal:SIGNOPE' is not valid: give exit:N, signal:NAME, timeout or a kind such as asan:SEGV, with ' at PLACE' or a * at its end; 32 times at most
! frng-search: --worker 'a/b' is not valid: give a name of at most 200 bytes, without a slash and without a dot at its start
! frng-search: --worker '000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000' is not valid: give a name of at most 200 bytes, without a slash and without a dot at its start
$ frng-search sut-modes --quiet --verbose
! frng-search: --quiet and --verbose exclude each other; see 'frng-search --help'
? 2

# Names that other programs give to options are answered with ours, or the tool that has it.
$ for word in --duration --max-time -t -t500 -runs=9 -max_len=64 -n -o -V --workers=4 --no-color -j4 \
>   -max_total_time=60 -i -m --iterations --max-examples --dir -seed=1 -timeout=5 -s -json --shrink -workers=2
> do for tool in search replay reduce report status; do
>   frng-$tool $word 2>&1 | sed -n "s/.*'$word': \(did you mean \)*\(.*\)[?;] [Ss]ee.*/\2/p; s/.*'$word': \(--.* is an option\) .*/\1 elsewhere/p"
> done | uniq -c | paste -sd, | sed "s/^/$word:/; s/  */ /g"; done
| --duration: 1 --time, 1 --time is an option elsewhere, 1 --time, 2 --time is an option elsewhere
| --max-time: 1 --time, 1 --time is an option elsewhere, 1 --time, 2 --time is an option elsewhere
| -t: 1 --timeout or --time, 1 --timeout, 1 --timeout or --time, 2 --timeout is an option elsewhere
| -t500: 1 --timeout or --time, 1 --timeout, 1 --timeout or --time, 2 --timeout is an option elsewhere
| -runs=9: 2 --runs, 1 --calls, 2 --attempts is an option elsewhere
| -max_len=64: 1 --size-max, 4 --size-max is an option elsewhere
| -n: 1 --attempts or --runs, 1 --runs, 1 --calls, 2 --attempts is an option elsewhere
| -o: 1 --findings, 1 --dump, 1 --findings or --output, 1 --findings is an option elsewhere
| -V: 5 --version
| --workers=4: 1 --jobs, 1 --jobs is an option elsewhere, 1 --jobs, 2 --jobs is an option elsewhere
| --no-color: 1 --ui, 1 it prints no colors, 1 --ui, 2 it prints no colors
| -j4: 3 --jobs is an option elsewhere
| -max_total_time=60: 1 --time, 1 --time is an option elsewhere, 1 --time, 2 --time is an option elsewhere
| -i: 1 --input is an option elsewhere, 2 --input, 2 --input is an option elsewhere
| -m: 3 --memory, 2 --memory is an option elsewhere
| --iterations: 1 --attempts or --runs, 1 --runs, 1 --calls, 2 --attempts is an option elsewhere
| --max-examples: 1 --attempts or --runs, 1 --runs, 1 --calls, 2 --attempts is an option elsewhere
| --dir: 1 --findings, 1 --findings is an option elsewhere, 1 --findings or --output, 1 --output, 1 --findings is an option elsewhere
| -seed=1: 1 --rng-seed, 2 --seed, 2 --seed is an option elsewhere
| -timeout=5: 3 --timeout, 2 --timeout is an option elsewhere
| -s: 1 --rng-seed, 2 --seed, 2 --seed is an option elsewhere
| -json: 3 --json, 1 --json is an option elsewhere, 1 --json
| --shrink: 1 --reduce, 4 frng-reduce does that
| -workers=2: 1 --jobs, 1 --jobs is an option elsewhere, 1 --jobs, 2 --jobs is an option elsewhere
# An option of another tool is answered with its name.
$ frng-search x --output=x
! frng-search: unknown option '--output=x': did you mean --findings? See 'frng-search --help'
? 2
$ frng-replay x --attempts
! frng-replay: --attempts is not an option of frng-replay, but of frng-search
? 129
$ frng-report x --findings
! frng-report: --findings is not an option of frng-report, but of frng-search, frng-reduce
? 2

# A failure on empty input has a hint: the program may need arguments.
$ printf '#!/bin/sh\ntest "$1" = right\n' >sut; chmod +x sut
$ frng-search ./sut --attempts 2 --rng-seed 1 2>&1 | grep -e size= -e arguments
| size=0 seed=6791897765849424158
| frng-search: ./sut: fails on empty input: does it need arguments? They follow '--'
$ frng-reduce ./sut --hex 00ff --jobs 1 2>&1 | grep -e size= -e arguments
| size=0 hex=
| frng-reduce: ./sut: fails on empty input: does it need arguments? They follow '--'
$ frng-search ./sut --attempts 2 --rng-seed 1 --quiet
| size=0 seed=6791897765849424158
? 1
$ frng-search ./sut --attempts 2 --rng-seed 1 -- wrong 2>&1 | grep -e size= -e arguments
| size=0 seed=6791897765849424158
$ frng-reduce ./sut --hex 00ff --quiet
| size=0 hex=
? 1
$ frng-reduce ./sut --hex 00ff --jobs 1 -- wrong 2>&1 | grep -e size= -e arguments
| size=0 hex=
# One with a place has none, nor has one that passes on empty input.
$ printf "#!/usr/bin/env python3\nraise ValueError('x')\n" >sut.py; chmod +x sut.py
$ frng-search ./sut.py --attempts 2 --rng-seed 1 2>&1 | grep -e size= -e arguments
| size=0 seed=6791897765849424158
$ printf '#!/bin/sh\ntest $(wc -c) -lt 1\n' >some; chmod +x some
$ frng-search ./some --attempts 2 --rng-seed 1 2>&1 | grep -e size= -e arguments
| size=1 seed=16860738450190168607

# A draw that is misused says how.
$ for mode in spawn fork persistent
> do frng-search --mode $mode --attempts 2 --rng-seed 1 sut-dirt -- misuses 1 2>&1 |
>   grep -e size= -e output; done | sort | uniq -c
|       3   output   frng_u8_range: min 9 > max 3
|       3 size=1 seed=16860738450190168607

# What ends with 2 at once may have been called wrongly: an interpreter without its script.
$ frng-search --attempts 1 --size-max 4 --rng-seed 1 grep -- x nosuch 2>&1 | grep 'empty input:'
| frng-search: grep: fails on empty input: are its arguments right? A wrong one often ends with 2

# What follows the dashes is the target's.
$ printf '#!/bin/sh\nprintf "<%%s>" "$@"; exit 1\n' >arguments; chmod +x arguments
$ frng-search ./arguments --attempts 2 --rng-seed 1 -- --attempts '' 'a  b' -- -x --help 2>&1 |
> grep -e size= -e replay -e output
|   replay   frng-replay ./arguments --size 0 --seed 6791897765849424158 -- --attempts '' 'a  b' -- -x --help
|   output   <--attempts><><a  b><--><-x><--help>
| size=0 seed=6791897765849424158

# Help fits a screen, and needs no other argument.
$ frng-search --attempts 3 --help >few; frng-search --attempts 3 --help all >all; grep -vxFf all few
> sed -n 's/^ .* \(--[a-z-]*\).*  .*/\1/p' few | tr '\n' ' '; wc -l <few
| Most used:
| --time --findings --reduce --all --attempts --keep-going --size-max --rng-seed --timeout --jobs --only --json --help --version 22
$ frng-reduce --help all | grep -c -e --
| 32
$ frng-reduce --help | grep -c -e --
| 18
$ cat all
| Usage: frng-search TARGET [options] [-- ARG...]
| Find the smallest random input on which a program exits nonzero, dies or hangs.
|
| What to run:
|       --size-max SIZE         Try inputs up to this size (default: 4M)
|       --rng-seed SEED         Repeat a search
|       --expand HOW            Make bytes uniform or styled (default: both)
|       --guide WHEN            Make guided runs: auto or off (default: auto)
|       --timeout TIME          Kill runs after this long (default: 10s)
|       --memory SIZE           Limit address space
|       --stdin KIND            Input as file or pipe (default: file)
|   -j, --jobs N                Make N runs at once (default: one per processor)
|       --mode MODE             Run by spawn, fork or persistent (default: auto)
|       --containment HOW       Isolate by namespace or subreaper (default: auto)
| When to stop:
|       --attempts N            Stop after N fresh passes in a row (default: 100)
|       --runs N                Stop after N runs
|       --keep-going            Use all the time
|       --time TIME             Stop after this long
| Results:
|       --require LABEL:P%      Exit with 3 if fewer runs had it; repeatable
|       --all                   Find the smallest of each signature
|       --reduce                Simplify what is found
|       --coverage              Say which lines no run reached (gcc --coverage)
|       --findings DIR          Keep findings in DIR, and start from those there
|       --sync TIME             Sync with DIR this often
|       --worker NAME           Report there as NAME
|       --only S                Count only failures of this signature
|       --ignore S              Ignore failures of this signature
|       --signature REGEX       Tell failures apart by what it finds in output
| Output:
|       --json FILE             Write events as JSON Lines; - is standard output
|       --ui HOW                Progress by screen, line or none (default: auto)
|   -q, --quiet                 Print the result alone
|   -v, --verbose               Print each new best too
|   -h, --help                  Print this help; --help all: all options
|       --version               Print the version
| Example: frng-search ./target --attempts 1000 --findings found -- strict
| Exit status: 0 no failure, 1 failure found, 2 error, 3 inconclusive: no failure
| repeated, no run passed, too many were discarded or --require was not met,
| 4 output cannot be written
# tests/packaging/man.sh compares the options of each tool with its page.
$ for tool in replay reduce report status; do frng-$tool --help | sed -n 1p; done
| Usage: frng-replay TARGET --size N --seed S [options] [-- ARG...]
| Usage: frng-reduce TARGET --size N --seed S | --input FILE [options] [-- ARG...]
| Usage: frng-report EVENTS... [options]
| Usage: frng-status DIR... [options]
$ for tool in search replay reduce report status; do frng-$tool --help all; frng-$tool --help; done | awk 'length > 80'
$ version=$(sed -n 's/.*FRNG_VERSION "\(.*\)".*/\1/p' $SOURCE/frng/frng.h)
> for tool in search replay reduce report status; do frng-$tool --version | sed "s/$version/VERSION/"; done
| frng-search VERSION
| frng-replay VERSION
| frng-reduce VERSION
| frng-report VERSION
| frng-status VERSION

# A size that is large costs no memory.
$ frng-search --quiet --attempts 1 --size-max 1G --rng-seed 1 sut-modes
| size=41 seed=15903160598761770143
? 1
# Counts take k; more attempts are more runs.
$ for attempts in 1 5 50 1k; do frng-search --attempts $attempts --rng-seed 1 sut-modes -- at-least 3 2>&1 | grep smaller; done
|   smaller  1 fresh run at size 2 passed
|   smaller  5 fresh runs at size 2 passed: under 75% of such runs fail (95% confidence)
|   smaller  50 fresh runs at size 2 passed: under 11% of such runs fail (95% confidence)
|   smaller  1,000 fresh runs at size 2 passed: under 0.55% of such runs fail (95% confidence)

# With --runs it does, too, and ends after so many, with any number of jobs.
$ for jobs in 1 3; do frng-search --runs 777 --attempts 9 --size-max 4 --jobs $jobs --rng-seed 1 sut-modes -- at-least 9 2>&1 | grep -e '^no failure'; done; frng-search --keep-going sut-modes
| no failure in 777 runs: at size 4 under 0.49% of such runs fail (95%)
| no failure in 777 runs: at size 4 under 0.49% of such runs fail (95%)
! frng-search: --keep-going needs --time or --runs; see 'frng-search --help'
? 2
# With --time a search goes round again, and finds what the first round missed.
$ frng-search --quiet --time 60s --attempts 1 --size-max 1 --rng-seed 1 sut-modes -- byte 7
| size=1 seed=16860738450190168635s
? 1
$ frng-search --time 1s --timeout 1h --rng-seed 1 sut-modes -- sleeps 2>&1 | grep -c '^inconclusive: '
| 1

# A target gets no more memory than --memory allows.
$ frng-search --quiet --attempts 1 --size-max 4 --rng-seed 1 sut-modes -- allocate 64
$ frng-search --quiet --attempts 1 --size-max 4 --rng-seed 1 --memory 1G sut-modes -- allocate 64
$ frng-search --quiet --attempts 1 --size-max 4 --rng-seed 1 --memory 31M sut-modes -- allocate 64
| size=0 seed=6791897765849424158
? 1

# A pipe gives the same bytes as a file, which is the default.
$ for how in 'at-least 41' staircase; do
>   frng-search --quiet --rng-seed 5 --attempts 10 sut-modes -- $how
>   frng-search --quiet --rng-seed 5 --attempts 10 --stdin pipe sut-modes -- $how
> done
| size=41 seed=10934428637507817821
| size=41 seed=10934428637507817821
| size=2 seed=2935936887426855993s
| size=2 seed=2935936887426855993s
? 1
$ frng-search --quiet --attempts 1 --size-max 4 sut-environment -- file 9; grep stdin.kind file | uniq -c
|       4 stdin.kind file
$ frng-search --quiet --attempts 1 --size-max 4 --stdin pipe sut-environment -- pipe 9
> grep stdin.kind pipe | uniq -c
|       4 stdin.kind pipe
# Only a pipe shows the bug of one who reads once.
$ frng-search --quiet --attempts 3 --size-max 512K --rng-seed 1 sut-modes -- short-read
$ frng-search --quiet --attempts 3 --size-max 512K --rng-seed 1 --stdin pipe sut-modes -- short-read |
> grep -c size=
| 1
# Targets that do not read a pipe are judged by their status.
$ for mode in half closes always
> do frng-search --quiet --stdin pipe --attempts 2 --size-max 1M --rng-seed 1 sut-modes -- $mode; echo $?; done
| 0
| 3
| size=0 seed=6791897765849424158
| 1

# Only the failure asked for is searched.
$ for only in exit:3 signal:SIGABRT exit:4; do
>   frng-search --only $only --attempts 5 --size-max 256 --rng-seed 1 sut-modes -- two 20 45 2>&1 | grep -e size= -e also -e ' in '
> done
| also fails with signal:SIGABRT: size 32, seed 8960593081339977370 (run 7)
|   also     signal:SIGABRT at size 29
|   effort   55 runs and 26 reruns in <time> (<n>/s, <jobs>), --rng-seed 1
| size=45 seed=15903160598761770143
|   effort   45 runs and 24 reruns in <time> (<n>/s, <jobs>), --rng-seed 1
| size=20 seed=8960593081339977370
| no exit:4 in 30 runs: at each of 5 sizes (16, 32, ... 256) under 61% of such runs fail so (95%)
|   also     signal:SIGABRT at size 32
|   also     exit:3 at size 64
|   effort   30 runs and 2 reruns in <time> (<n>/s, <jobs>), --rng-seed 1
$ frng-search --only timeout --timeout 200ms --attempts 1 --size-max 2 --rng-seed 1 sut-modes -- sleeps 2>&1 | grep -e size= -e smallest -e replay
| smallest failure: timeout at size 0
|   replay   frng-replay sut-modes --size 0 --seed 6791897765849424158 --timeout 200ms -- sleeps
| size=0 seed=6791897765849424158

# --quiet leaves the result line; --verbose says more.
$ frng-search --quiet --attempts 1 --size-max 16 sut-modes -- never
$ frng-search --verbose --attempts 3 --rng-seed 1 sut-modes 2>&1 | sed '/^$/,$d'
| testing sut-modes
|   digest <hex>
|   mode spawn, <jobs>, --rng-seed 1, --expand both
|   containment <text>
| fails with exit:1: size 64, seed 15903160598761770143 (run 8)
| fails with exit:1: size 63, seed 15903160598761770143 (run 9)
| fails with exit:1: size 47, seed 15903160598761770143 (run 11)
| fails with exit:1: size 43, seed 15903160598761770143 (run 13)
| fails with exit:1: size 41, seed 15903160598761770143 (run 14)
# The largest values.
$ most='--timeout 2562046.999999999h --memory 17179869183G'
> frng-search -q --attempts 1000000000000 --size-max 8G $most --time 2562046.999999999h --rng-seed 18446744073709551615 sut-modes -- always
> frng-replay --size 0 --seed 18446744073709551615 $most sut-modes -- always
| size=0 seed=6755974106381971767
! fails with exit:1
? 1

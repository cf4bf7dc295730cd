# A limit of memory that is below what a program needs.
$ frng-search --memory 8191K sut-modes
! frng-search: --memory '8191K' is not valid: give a size of at least 8M, such as 512M or 2G
? 2
$ frng-search --memory 32M --attempts 1 --size-max 4 sut-modes -- allocate 64 2>&1 | tail -n 1
| frng-search: sut-modes: fails on empty input: does it need more --memory?
# What does not fail with twice as much is no failure, and is said twice. A run that takes all is one.
$ frng-search --memory 64M --attempts 1 --size-max 4 --rng-seed 1 sut-dirt -- needs 3 80
! inconclusive: memory: a run of 3 bytes failed (signal:SIGABRT), but not so with twice the memory
!
! inconclusive: memory: a run of 3 bytes failed (signal:SIGABRT), but not so with twice the memory
!   replay   frng-replay sut-dirt --size 3 --seed 16065523922850094438 --memory 64M -- needs 3 80
!   memory   1 failed run not counted: each ended otherwise with twice the memory
!   effort   4 runs and 1 rerun in <time> (<n>/s, <jobs>), --rng-seed 1
? 3
$ frng-reduce --hex 010203 --memory 64M --jobs 1 sut-dirt -- needs 2 80
! inconclusive: memory: a run of 3 bytes failed (signal:SIGABRT), but not so with twice the memory
! inconclusive: memory: a run of 3 bytes failed (signal:SIGABRT), but not so with twice the memory
? 3
# A bug under a limit is one.
$ frng-search --quiet --memory 64M --attempts 1 --size-max 4 --rng-seed 1 sut-dirt -- eats 3
| size=3 seed=16065523922850094438
? 1
$ frng-search --quiet --memory 64M --attempts 1 --size-max 4 --rng-seed 1 sut-dirt -- holds 3 40
| size=3 seed=16065523922850094438
? 1
$ frng-reduce --quiet --explain no --hex 010203 --memory 64M sut-dirt -- holds 2 20
| size=2 hex=0000
? 1
$ frng-search --quiet --memory 64M --attempts 1 --size-max 4 --rng-seed 1 sut-modes -- always
| size=0 seed=6791897765849424158
? 1

# Runs that all fail otherwise show no pass.
$ printf '#!/bin/sh\nexit 1\n' >fails; chmod +x fails
$ frng-search --attempts 1 --size-max 4 --rng-seed 1 --ignore exit:1 ./fails
!
! inconclusive: none of 4 runs passed: --only or --ignore leaves out all failures
!   ignored  4 runs: exit:1
!   effort   4 runs and 0 reruns in <time> (<n>/s, <jobs>), --rng-seed 1
? 3
$ frng-search --attempts 1 --size-max 4 --rng-seed 1 --only timeout ./fails 2>err; echo $?; grep -e inconclusive -e ignored -e also err
| 3
| also fails with exit:1: size 0, seed 6791897765849424158 (run 1)
| inconclusive: none of 4 runs passed: --only or --ignore leaves out all failures
|   also     exit:1 at size 0
$ frng-search --attempts 1 --size-max 4 --rng-seed 1 --all --ignore exit:1 ./fails 2>err; echo $?; grep -e inconclusive -e ignored -e also err
| 3
| inconclusive: none of 4 runs passed: --only or --ignore leaves out all failures
|   ignored  4 runs: exit:1
$ frng-search --attempts 1 --size-max 4 --rng-seed 1 --only exit:2 sut-modes -- at-least 1 2>err; echo $?; grep -e inconclusive -e ignored -e also err
| 3
| also fails with exit:1: size 1, seed 16860738450190168607 (run 2)
| inconclusive: only the run of 0 bytes passed: --only or --ignore leaves out all failures
|   also     exit:1 at size 1

# @@ in the arguments is the name of a file that holds the input. It may be a part, and stand there twice.
$ printf '#!/bin/sh\n[ "$(wc -c <"$1")" -lt 5 ] || exit 3\n' >sut; chmod +x sut; cat >twice <<'END'
> #!/bin/sh
> [ $# = 3 ] && [ "$1" = -v ] || exit 9
> in=${2#--in=}; [ "$3" = "$in:$in" ] || exit 8
> [ "$(wc -c <"$in")" -lt 4 ] || exit 3
> END
> chmod +x twice; few='--quiet --rng-seed 1 --attempts 5'
> frng-search $few --findings found --json events ./sut -- @@
> frng-search $few --only exit:3 ./twice -- -v --in=@@ @@:@@; grep -o '"args":."@@".\|"mode":"[a-z]*"' events | uniq
| size=5 seed=3181050607885091805
| size=4 seed=16065523922850094438
| "args":["@@"]
| "mode":"spawn"
# An extension ends the name of the file, which any process can open: of a replay, too.
$ printf '#!/bin/sh\ncase $1 in *.tar.gz) echo "${2#*=}" | xargs cat | cmp -s "$1" && [ "$(wc -c <"$1")" -lt 5 ];; esac\n' >named; chmod +x named
> frng-search --quiet --rng-seed 1 --attempts 5 ./named -- @@.tar.gz --in=@@; frng-replay ./named --hex 0000000000 -- @@.tar.gz --in=@@; frng-replay ./named --hex 00 --runs 2 -- @@.tar.gz --in=@@
> frng-replay ./named --hex 00 --wrap 'ls' -- @@.tar.gz 2>/dev/null | sed 's/.*frng-work-[0-9a-f]*.//'
| size=5 seed=3181050607885091805
| ./named
| entropy.tar.gz
! fails with exit:1
! passes each time (fails in 0 of 2 runs: 0%, 95% confidence 0 to 85%)
# A replay and a finding keep the sign, and a reduction gives it too.
$ frng-replay --finding found/*.json; frng-replay ./sut --hex 00000000 -- @@; frng-replay ./sut --hex 0000000000 --runs 3 -- @@
> sed -n 's/.*"replay":"\([^"]*\).*/\1/p' events | tail -n 1 | sh
! fails with exit:3
! passes
! fails with exit:3 (fails in 3 of 3 runs: 100%, 95% confidence 29 to 100%)
! fails with exit:3
? 1
$ (seq 9; echo 'a needle'; seq 9) >in; printf '#!/bin/sh\nif grep -q needle "$1"; then exit 3; fi\n' >needle; chmod +x needle
> frng-reduce --quiet ./needle --input in -- @@ | sed 's/.*hex=//' | tr a-f A-F | basenc -d --base16
| needle<no newline>
# A wrapper gets a file of its own; one that does not run the program gives no verdict.
$ printf '#!/bin/sh\necho "given $2" >&2; exec "$@"\n' >show; chmod +x show; for hex in 00000000 0000000000; do
>   frng-replay ./sut --hex $hex --wrap ./show -- @@ 2>err; echo $?; sed 's/^[a-z ]*//' err | uniq | wc -l; done
| 0
| 1
| 3
| 1
$ frng-replay ./sut --hex 0000000000 --wrap true -- @@
! entropy is in <path>/entropy
# It needs a file, and a new process for each run.
$ for more in '--stdin pipe' '--mode fork' '--mode persistent'; do frng-search ./sut $more -- @@ || echo $?; done
> frng-replay ./sut --hex 00 --stdin pipe -- @@ || echo $?; frng-search --quiet --rng-seed 1 --attempts 5 --mode spawn ./sut -- @@
| 2
| 2
| 2
| 129
| size=5 seed=3181050607885091805
! frng-search: @@ and --stdin pipe exclude each other: a pipe has no name to open again
! frng-search: @@ needs a new process for each run; leave --mode out, or say --mode spawn
! frng-search: @@ needs a new process for each run; leave --mode out, or say --mode spawn
! frng-replay: @@ and --stdin pipe exclude each other: a pipe has no name to open again; see 'frng-replay --help'
? 1
# Each run of any worker sees its own file alone, and what runs write reaches no other run.
$ cat >alone <<'END'
> #!/bin/sh
> [ -f "$1" ] && cmp -s "$1" - || exit 4
> grep -q left "$1" && exit 5
> printf 'left by another run' 2>/dev/null 1<>"$1"
> exit 0
> END
> chmod +x alone; frng-search -q --jobs 4 --attempts 40 --size-max 256 ./alone -- @@
# Nothing is left when the search is killed.
$ mkdir empty; printf '#!/bin/sh\ncat "$1" >/dev/null; sleep 0.01\n' >slow; chmod +x slow; rm events
> TMPDIR=$PWD/empty frng-search ./slow --json events -- @@ 2>/dev/null & until grep -q '"size"' events 2>/dev/null; do :; done
> kill -KILL $!; wait; until [ -z "$(ls -A empty)" ]; do sleep 0.1; done

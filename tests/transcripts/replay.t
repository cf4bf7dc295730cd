# A run that passes is exit status 0, one that fails is 1, for any status of its own. (suites: sanitized compiled)
$ frng-replay --size 40 --seed 1 sut-modes -- at-least 41
! passes
$ for code in 1 125 255
> do frng-replay --size 4 --seed 1 sut-modes -- exit $code; s="$s $?"; done; echo $s
| 1 1 1
! fails with exit:1
! fails with exit:125
! fails with exit:255
$ for number in 6 9 37
> do frng-replay --size 4 --seed 1 sut-modes -- signal $number; s="$s $?"; done; echo $s
| 1 1 1
! fails with signal:SIGABRT
! fails with signal:SIGKILL
! fails with signal:SIGRTMIN+3
# One that fails otherwise than asked cannot be judged.
$ for how in '5 exit:3' '10 exit:3' '20 exit:3' '10 signal:SIGABRT' '20 signal:SIGABRT'
> do set -- $how; frng-replay --size $1 --seed 1 --only $2 sut-modes -- two 10 20; echo "$how: $?"; done
| 5 exit:3: 0
| 10 exit:3: 125
| 20 exit:3: 1
| 10 signal:SIGABRT: 1
| 20 signal:SIGABRT: 125
! passes
! cannot judge: fails with signal:SIGABRT, not as --only asks
! fails with exit:3
! fails with signal:SIGABRT
! cannot judge: fails with exit:3, not as --only asks

# The output of the run is seen, and --quiet leaves it alone.
$ frng-replay --size 41 --seed 1 sut-modes -- says 41 'out of sut' 'err of sut'
| out of sut
! err of sut
! fails with exit:1
? 1
$ frng-replay --quiet --size 41 --seed 1 sut-modes -- says 41 'out of sut' 'err of sut'
| out of sut
! err of sut
? 1

# A failed run is made again, hidden, to read where it failed, or that it cannot be loaded.
$ printf '#!/bin/sh\necho run >>runs; echo seen; cat >/dev/null; exit 127\n' >sut; chmod +x sut
$ frng-replay ./sut --hex 00; echo $?; grep -c run runs; rm runs
| seen
| 1
| 2
! fails with exit:127
$ frng-replay ./sut --hex 00 --runs 5; echo $?; grep -c run runs
| 1
| 5
! fails with exit:127 (fails in 5 of 5 runs: 100%, 95% confidence 47 to 100%)
$ frng-replay ./sut --hex 00 --quiet
| seen
? 1
$ printf '#!/bin/sh\necho run >>runs; exit 3\n' >sut; rm runs; frng-replay --quiet ./sut --hex 00; echo $?; grep -c run runs
| 1
| 1
# Its flood ends at the timeout.
$ cat >sut <<'END'
> #!/bin/sh
> test -e ran || { touch ran; exit 127; }
> while :; do echo 0123456789012345678901234567890123456789; done
> END
$ frng-replay ./sut --hex 00 --timeout 1s
! fails with exit:127
? 1

# Limits are those of a search.
$ for mode in sleeps ignores
> do frng-replay --timeout 200ms --size 1 --seed 1 sut-modes -- $mode; s="$s $?"; done; echo $s
| 1 1
! fails with timeout
! fails with timeout
$ frng-replay --memory 32M --size 1 --seed 1 sut-modes -- allocate 64
! fails with exit:3
? 1
$ frng-replay --stdin pipe --size 512K --seed 1 sut-modes -- short-read
! fails with exit:1
? 1

# --runs counts the failures.
$ frng-replay --runs 10 --size 4 --seed 1 sut-modes -- alternate $PWD/marks 1
! fails with exit:1 (fails in 5 of 10 runs: 50%, 95% confidence 18 to 82%)
? 1
$ frng-replay --runs 3 --size 4 --seed 1 sut-modes -- never
! passes each time (fails in 0 of 3 runs: 0%, 95% confidence 0 to 71%)

# The bytes of a seed are these for ever.
$ printf '#!/bin/sh\nod -An -v -tx1 -w20 | tr -d " "; exit 3\n' >keep; chmod +x keep
$ for seed in 0 0xFFFFFFFFFFFFFFFF
> do frng-replay --quiet ./keep --size 20 --seed $seed; s="$s $?"; done; echo $s
| df230b49615d175307d580c33d6fda61fc7b9aec
| b2278e94cef8cc56905b5a2e438885e68bca1981
| 1 1
$ frng-replay ./keep --size 3K --seed 5 --quiet | md5sum
| 3864aa4cecd79b5c9fcbdb244d1e4cfb  -
$ frng-replay --size 3072 --seed 5 --dump | od -An -v -tx1 -w20 | tr -d ' ' | md5sum
| 3864aa4cecd79b5c9fcbdb244d1e4cfb  -
# A file, standard input and hex digits are replayed unchanged.
$ printf '\0\n\377' >bytes; frng-replay --quiet ./keep --input bytes
| 000aff
? 1
$ : >empty; frng-replay --quiet ./keep --input empty
? 1
$ i=0; while [ $((i += 1)) -le 5000 ]; do printf '\0\n\377'; done >bytes
> frng-replay --quiet ./keep --input bytes | md5sum
> frng-replay --quiet ./keep --input - <bytes | md5sum; od -An -v -tx1 -w20 bytes | tr -d ' ' | md5sum
| b42491ff7a7b73ab021f2c0b6c3812ea  -
| b42491ff7a7b73ab021f2c0b6c3812ea  -
| b42491ff7a7b73ab021f2c0b6c3812ea  -
$ frng-replay --quiet ./keep --hex 00ff10Ab
| 00ff10ab
? 1
$ printf '#!/bin/sh\nprintf "<%%s>" "$@"; exit 1\n' >arguments; chmod +x arguments
> frng-replay --size 1 --seed 1 ./arguments -- --size '' 'a b' -- -x
| <--size><><a b><--><-x><no newline>
! fails with exit:1
? 1

# --dump writes the bytes, and runs nothing.
$ printf '#!/bin/sh\ntouch touched' >touches; chmod +x touches
$ frng-replay ./touches --size 20 --seed 0 --dump | od -An -v -tx1 -w20; ls | grep touched
|  df 23 0b 49 61 5d 17 53 07 d5 80 c3 3d 6f da 61 fc 7b 9a ec
? 1
$ for hex in 0x00ff '00 ff' '{0x00, 0xff}' 00:FF '\x00\xff' '00000000: 00ff  ..'
> do frng-replay sut-modes --hex "$hex" --dump; done | od -An -tx1
|  00 ff 00 ff 00 ff 00 ff 00 ff 00 ff
$ frng-replay sut-modes --hex 00ff --dump | od -An -tx1
|  00 ff
$ printf '\0abc\377' >bytes; frng-replay sut-modes --input bytes --dump | od -An -tx1
|  00 61 62 63 ff

# A result line is taken as it was printed, by all tools.
$ frng-replay "$(frng-reduce --quiet size=20 seed=7 sut-modes -- at-least 20)" sut-modes -- at-least 20
! fails with exit:1
? 1

# A finding is replayed as it was found; one of another program or build is noted.
$ cp $BUILD/tests/sut/sut-modes old; cp old same; printf '#!/bin/sh\nexit 3\n' >other; chmod +x other
$ frng-search --attempts 5 --rng-seed 1 --findings found --quiet ./old -- staircase
| size=2 seed=9932316855385411229s
? 1
$ finding=$(ls found/*.json); echo $finding
> frng-replay --quiet ./keep --finding $finding | md5sum
> frng-replay --dump --finding $finding | od -An -v -tx1 -w20 | tr -d ' ' | md5sum
| found/0000000002-89d6ad8e69df4e9ds.json
| 4c3cbcadf7b8a9ae2932afc00560a0d6  -
| 4c3cbcadf7b8a9ae2932afc00560a0d6  -
$ finding=$(ls found/*.json); frng-replay --finding $finding
> frng-replay --finding $finding ./same -- staircase; frng-replay --finding $finding ./other
> frng-reduce --finding $finding --calls 20 ./other 2>&1 | grep note:
| frng-reduce: found/0000000002-89d6ad8e69df4e9ds.json: note: was found in ./old, and this runs ./other
! fails with exit:1
! fails with exit:1
! frng-replay: found/0000000002-89d6ad8e69df4e9ds.json: note: was found in ./old, and this runs ./other
! fails with exit:3
$ printf 'another build' >>old; finding=$(ls found/*.json); frng-replay --finding $finding
> frng-replay --finding $finding --quiet; frng-reduce --finding $finding --calls 20 2>&1 | grep note:
| frng-reduce: found/0000000002-89d6ad8e69df4e9ds.json: note: was found in another build of ./old
! frng-replay: found/0000000002-89d6ad8e69df4e9ds.json: note: was found in another build of ./old
! fails with exit:1

# A pass of a run that did not read its input is no verdict, unless that is empty; a failure is one.
$ for program in true false cat; do for size in 0 16; do frng-replay --size $size --seed 1 $program >/dev/null; echo $?; done; done
> for more in '--runs 3' '--stdin pipe' '--quiet' '--trace'; do frng-replay $more --size 16 --seed 1 true >/dev/null; echo $?; done
> for word in true cat; do frng-replay --size 16 --seed 1 $word -- @@ >/dev/null; echo $?; done
> printf '#!/bin/sh\ntest $(wc -c) -lt 100\n' >measures; chmod +x measures; frng-replay --size 16 --seed 1 ./measures
| 0
| 125
| 1
| 1
| 0
| 0
| 125
| 125
| 125
| 125
| 125
| 0
! passes
! cannot judge: passes, but did not read its input
! fails with exit:1
! fails with exit:1
! passes
! passes
! cannot judge: passes each time, but did not read its input
! cannot judge: passes, but did not read its input
! frng-replay: /usr/bin/true: reports no draws: it does not speak the protocol
! cannot judge: passes, but did not read its input
! cannot judge: passes, but did not read its input
! passes
! passes

# Arguments that the test refuses are none, whatever is recorded.
$ for more in '' --trace '--trace --quiet' '--runs 2'; do frng-replay $more --size 16 --seed 1 $BUILD/examples/ring -- --help 2>&1 | tail -n1; done
| frng-replay: <build>/examples/ring: cannot be run: unknown argument '--help': it makes no run
| frng-replay: <build>/examples/ring: cannot be run: unknown argument '--help': it makes no run
| frng-replay: <build>/examples/ring: cannot be run: unknown argument '--help': it makes no run
| frng-replay: <build>/examples/ring: cannot be run: unknown argument '--help': it makes no run

# What a reduction of a failure ends with. Each form of input gives the same result.
$ eval "$(frng-search -q sut-assert --rng-seed 1 --findings found)"
> frng-replay sut-assert --size $size --seed $seed --dump >bytes
> hex=$(od -An -v -tx1 <bytes | tr -d ' \n')
> for input in "--size $size --seed $seed" '--input bytes' "--hex $hex" "--finding $(echo found/*)" \
>   "--hex $(echo $hex | tr a-f A-F)"; do frng-reduce -q --explain no sut-assert $input; done | uniq -c
> frng-reduce -q --explain no --finding found/*; frng-reduce -q --explain no sut-assert --input - <bytes
|       5 size=4 hex=01d0ffff
| size=4 hex=01d0ffff
| size=4 hex=01d0ffff
? 1
# So do each mode and any number of jobs. The result fails as the summary's command says.
$ for more in '--mode spawn' '--mode fork' '--mode persistent' '--jobs 2' '--jobs 8' '--stdin pipe' --unconfirmed
> do frng-reduce -q sut-assert --hex f0fff1fe --explain no $more; done | uniq -c
|       7 size=4 hex=01d0ffff
$ frng-reduce --jobs 1 sut-assert --hex ffffffff
| size=4 hex=01d0ffff
!
! reduced: signal:SIGABRT at tests/sut/small.c:32, 4 -> 4 bytes
!   replay   frng-replay sut-assert --hex 01d0ffff
!   draws    add --trace to see them
!   output   tests/sut/small.c:32: assertion failed: sum < 600: sum 600
!   reruns   failed again 3/3 times
!   explain  values that fail, with one draw changed at a time (823 runs)
!            value at offset 0  any
!            value at offset 1  172..209
!            no other value of the other 2 draws fails
!   effort   137 calls and 6 steps in <time> (<n>/s, <jobs>)
? 1
$ frng-replay sut-assert --hex $(frng-reduce -q --jobs 1 sut-assert --hex ffffffff | sed 's/.*hex=//') --trace
| offset  note   bytes  draw        value
|      0  value  01     u8 10..209  10
|      1  value  d0     u8 10..209  172
|      2  value  ff     u8 10..209  209
|      3  value  ff     u8 10..209  209
! tests/sut/small.c:32: assertion failed: sum < 600: sum 600
! fails with signal:SIGABRT at tests/sut/small.c:32
? 1
# Arguments come from the finding or the command line, and are in the replay command.
$ frng-search -q --rng-seed 1 --findings modes sut-modes -- at-least 5 >line
> frng-reduce -q --explain no --finding modes/*; frng-reduce -q --explain no --finding modes/* -- at-least 3
| size=5 hex=0000000000
| size=3 hex=000000
? 1
$ frng-reduce --hex 0102 --timeout 9s sut-modes -- at-least 1 2>&1 | grep -E '^size=|replay'
|   replay   frng-replay sut-modes --hex 00 --timeout 9s -- at-least 1
| size=1 hex=00
$ frng-reduce -v --jobs 1 --explain no --hex 1122334455 sut-modes -- at-least 2 2>&1 | sed '/^$/,$d'
| reducing sut-modes at-least 2
|   digest <hex>
|   mode spawn, 1 job
|   containment <text>
# More than is drawn is cut off.
$ head -c 4096 /dev/zero | tr '\0' '\377' | frng-reduce -q --jobs 1 sut-draws --input -
| size=9 hex=010101010101010101
? 1
# Choices: what refers to a thing does so when there are fewer, or others, what uses all of a size goes on so when
# the size grows, and loops that draw while bytes are left become short, but not by losing their end.
$ for mode in fork persistent; do for jobs in 1 4
> do frng-reduce -q --explain no sut-references --hex c80302 --mode $mode --jobs $jobs; done; done | uniq -c
|       4 size=3 hex=03ab56
$ for mode in fork persistent; do frng-reduce -q --explain no sut-places --hex 00000000008000c080abff --mode $mode; done | uniq -c
|       2 size=7 hex=008000c0800080
$ for mode in spawn fork persistent; do frng-reduce -q --explain no sut-extents --hex c8ff96ff --mode $mode; done | uniq -c
|       3 size=4 hex=2dfbffff
$ python3 -c 'import random, sys; sys.stdout.buffer.write(random.Random(1).randbytes(200))' >start
> for mode in fork persistent; do frng-reduce -q --explain no sut-left --input start --mode $mode; done | uniq -c
|       2 size=4 hex=2dfbffff
$ python3 -c 'import sys; sys.stdout.buffer.write(b"".join(bytes([1 + i % 70, 7, i % 256, 9, 5])
>   for i in range(450)) + b"\x4dabcd\xffabcd")' >start
> for mode in fork persistent; do frng-reduce -q --explain no sut-runaway --input start --mode $mode; done | uniq -c
|       2 size=10 hex=4d00000000ff00000000
# A program without draws is reduced by its bytes, and does not slip into another failure.
$ cat >letters <<'END'; chmod +x letters
> #!/bin/sh
> # Fails from three lower-case letters on, and otherwise with 3 where a Z is.
> found=$(od -An -v -tx1 | grep -oE ' (6[1-9a-f]|7[0-9a]|5a)' | tr -d '\n')
> [ $(printf %s "$found" | sed 's/ 5a//g' | wc -c) -lt 9 ] || exit 1
> case $found in *5a*) exit 3 ;; esac
> END
> frng-reduce -q --explain no ./letters --hex 41615a016202636465
| size=3 hex=616161
? 1
# Another failure is printed, with a command that shows it, and is a finding. --any-failure takes it.
$ two="--hex $(printf '01%.0s' $(seq 30)) sut-modes -- two 5 20"
> frng-reduce --jobs 1 --findings both $two 2>&1 | grep -E '^(size=|reduced)|also|^   +frng'
> for finding in both/*; do frng-replay --finding $finding; done
> frng-reduce -q --any-failure $two
| reduced: exit:3, 30 -> 20 bytes
|   also     signal:SIGABRT, 10 bytes
|            frng-replay sut-modes --hex 00000000000000000000 -- two 5 20
| size=20 hex=0000000000000000000000000000000000000000
| size=5 hex=0000000000
! fails with signal:SIGABRT
! fails with exit:3
? 1
# A hang is a failure as any.
$ frng-reduce -q --hex 0102 --timeout 300ms --explain no sut-modes -- hangs 1
| size=1 hex=00
? 1
# What did not repeat, and what was not seen twice.
! flaky: exit:1 with 2 bytes passed when it was run again; from now on each step must fail as often as the first input
! inconclusive: the input failed with exit:1, and passed when it was run again
? 3
$ frng-reduce --jobs 1 --hex 0102 sut-dirt -- once 1 other
! flaky: signal:SIGABRT with 2 bytes passed when it was run again; from now on each step must fail as often as the first input
! inconclusive: the input failed with signal:SIGABRT, and passed when it was run again
? 3
$ frng-reduce --jobs 1 --hex 0102 --calls 1 sut-modes -- always
! not reduced: stopped at its start
? 3
# The answer is rerun, not the best of the search. One that cannot be simpler keeps the rerun of its search.
$ frng-search --reduce --rng-seed 1 --jobs 1 sut-modes -- exit 3 2>&1 | grep -E '^(reduced|size)|reruns|effort'
|   reruns   failed again 2/2 times: under 85% of reruns pass (95% confidence)
|   effort   1 run and 2 reruns in <time> (<n>/s, <jobs>), --rng-seed 1
| size=0 seed=6791897765849424158
| reduced: exit:3, 0 -> 0 bytes
|   reruns   failed again 3/3 times: under 71% of reruns pass (95% confidence)
|   effort   2 calls and 0 steps in <time> (<n>/s, <jobs>)
| size=0 hex=

# Results. A long one is in the file that was asked for, or in the finding; else it is printed.
$ head -c 150 /dev/zero | tr '\0' '\1' >in; echo old >out
> frng-reduce --input in --output out sut-modes -- at-least 100 2>&1 | grep -E '^size=|replay'; cmp -n 100 out /dev/zero; wc -c <out
|   replay   frng-replay sut-modes --input out -- at-least 100
| size=100 output=out
| 100
$ frng-reduce -q --input in --findings long sut-modes -- at-least 100 >line; cat line
> sed 's/.*finding=//' line | xargs frng-replay --finding
| size=100 finding=long/0000000100-9fb106370ff7d433.json
! fails with exit:1
? 123
$ frng-reduce -q --input in sut-modes -- at-least 100 | tee line | cut -c 1-20; frng-replay sut-modes $(cat line) -- at-least 100
| size=100 hex=0000000
! fails with exit:1
? 1
$ frng-reduce --input in sut-modes -- at-least 100 2>&1 >/dev/null | grep replay
|   replay   give frng-replay the line on standard output
# One of a finding goes into a new file beside it; the line has the bytes if that is there.
$ frng-search -q --rng-seed 1 --findings seed --expand uniform --attempts 1 sut-modes -- at-least 100 >line; cd seed
> frng-reduce --finding *.json 2>&1 | grep -E '^size=|replay'; frng-reduce -q --finding *.json | cut -b -20; ls; cmp -n 100 *.reduced /dev/zero
|   replay   frng-replay sut-modes --input 0000000100-e763d9731e965158.json.reduced -- at-least 100
| size=100 output=0000000100-e763d9731e965158.json.reduced
| size=100 hex=0000000
| 0000000100-e763d9731e965158.json
| 0000000100-e763d9731e965158.json.reduced
# A short one is in the file too. --output follows a link, fills a pipe, and leaves a device.
$ mkdir place; echo old >place/real; ln -s place/real link; mkfifo pipe; od -An -tx1 pipe >read &
> for output in real link pipe /dev/null; do
>   frng-reduce -q --explain no --hex 0102 --output $output sut-modes -- at-least 1; done
> wait; cat read; od -An -tx1 place/real; [ -L link ] && [ -p pipe ] && [ -c /dev/null ]
| size=1 hex=00
| size=1 hex=00
| size=1 hex=00
| size=1 hex=00
|  00
|  00
# What cannot be stored, or written, is exit status 4, and still printed.
$ frng-reduce --jobs 1 --explain no --hex 0102 sut-modes -- at-least 1 >/dev/full
!
! reduced: exit:1, 2 -> 1 bytes
!   replay   frng-replay sut-modes --hex 00 -- at-least 1
!   reruns   failed again 3/3 times
!   effort   7 calls and 2 steps in <time> (<n>/s, <jobs>)
! frng-reduce: standard output: cannot be written: No space left on device
? 4

# A file, for what a program finds interesting in it.
$ (seq 60; echo 'the needle is here'; seq 60) >hay; printf '#!/bin/sh\ngrep -q needle "$1"\n' >interesting; chmod +x interesting
> frng-reduce --jobs 1 --predicate ./interesting hay 2>&1 | grep -v '^interesting'; cat hay.reduced; rm hay.reduced
|
| reduced: hay, 361 -> 6 bytes
|   result   hay.reduced
|   check    (d=$(mktemp -d) && cp -- hay.reduced "$d"/hay && cd "$d" && <here>/interesting hay)
|   reruns   interesting 3/3 times
|   effort   37 calls and 7 steps in <time> (<n>/s, <jobs>)
| size=6 output=hay.reduced
| needle<no newline>
$ frng-reduce -v --jobs 1 --predicate ./interesting hay --output out -- x 2>&1 | grep -E 'with|timeout'
| reducing hay with <here>/interesting x
|   timeout  <time>
# What cannot be made smaller is a result, so is nothing. A predicate that takes an empty file is refused.
$ printf needle >hay; frng-reduce -q --predicate ./interesting hay; rm hay.reduced
| size=6 output=hay.reduced
$ printf '#!/bin/sh\ntest $(wc -c <"$1") -lt 100\n' >small; printf '#!/bin/sh\ngrep -q x "$1"; true\n' >yes; chmod +x small yes
> : >none; frng-reduce --predicate ./small none 2>&1 | grep -c bytes:
| 0
? 1
$ frng-reduce --jobs 1 --predicate ./yes hay || echo $?; ls hay.reduced
| 2
! frng-reduce: <here>/yes: exits with 0 for an empty file, too: let it look for what is interesting in the file "$1", in the folder it starts in
! ls: cannot access 'hay.reduced': No such file or directory
? 2
# It may look for other files of the folder by relative paths, and for the file under its own, as for C-Vise.
$ mkdir -p sub/src; cd sub; printf 'hay\nneedle\n' >src/a.c; echo needle >src/words; printf '#!/bin/sh\ngrep -qf src/words "$1"\n' >words
> printf '#!/bin/sh\n[ $(ls -A src | wc -l) -lt 3 ] && grep -q ee src/a.c\n' >vise; printf '#!/bin/sh\n./words "$1" && echo x >src/words.new\n' >helper; chmod +x words vise helper
> printf '#!/bin/sh\ngrep -q "$(cat src/words)" "$1"\n' >lenient; chmod +x lenient # without the words all matches
> printf '#!/bin/sh\n[ $(ls -A | wc -l) -eq 6 ] && grep -q ee src/a.c\n' >counts; chmod +x counts; frng-reduce -q --output o.c --predicate ./counts src/a.c && rm o.c counts
> for way in words vise helper lenient; do frng-reduce --predicate ./$way src/a.c >out 2>&1; grep beside out; cat src/a.c.reduced; sh -c "$(sed -n 's/^  check *//p' out)"; echo " $?"; rm src/a.c.reduced; done; ls src; cd ..; rm -r sub
| size=2 output=o.c
| frng-reduce: <here>/sub/words: finds src/a.c interesting only beside the other files of this folder; its runs get links to them
| needle 0
| frng-reduce: <here>/sub/vise: finds src/a.c interesting only beside the other files of this folder; its runs get links to them
| ee 0
| frng-reduce: <here>/sub/helper: finds src/a.c interesting only beside the other files of this folder; its runs get links to them
| needle 0
| frng-reduce: <here>/sub/lenient: finds src/a.c interesting beside the other files of this folder; its runs get links to them
| needle 0
| a.c
| words
# So it may for files above its folder, which the check of the summary has, too; and take no argument, as for C-Reduce.
# What it removes there stays.
$ mkdir -p deep/er made; echo needle | tee words >made/kept; cd deep/er; { echo hay; cat ../../words; } >a.txt
> printf '#!/bin/sh\nrm -rf ../../made/*; grep -q "$(cat ../../words)" a.txt\n' >up
> printf '#!/bin/sh\n[ $# = 0 ] && grep -q needle a.txt\n' >bare; chmod +x up bare
> for way in up bare; do frng-reduce --predicate ./$way a.txt >out 2>&1; grep finds out; cat a.txt.reduced; sh -c "$(sed -n 's/^  check *//p' out)"; echo " $?"; rm a.txt.reduced; done; cd ../..; cat made/kept; rm -r deep made words
| frng-reduce: <here>/deep/er/up: finds a.txt interesting beside the other files of this folder; its runs get links to them
| needle 0
| frng-reduce: <here>/deep/er/bare: finds a.txt interesting only without arguments; its runs get none
| needle 0
| needle
# The same line goes on from what it left; nothing is left where nothing was gained.
$ { seq 3000; echo needle; seq 3000; } >hay; frng-reduce -q --predicate ./interesting hay --calls 5; frng-reduce --jobs 1 --predicate ./interesting hay 2>&1 | grep from; ls hay.*
| size=27793 output=hay.reduced
| frng-reduce: goes on from hay.reduced (27,793 bytes), which this command line has left; to begin again, remove it
| hay.reduced
$ rm hay.reduced; printf '#!/bin/sh\ncmp -s "$1" %s/hay || { test -s "$1" && sleep 60; exit 1; }\n' "$PWD" >stays; chmod +x stays
> timeout -s INT 1 frng-reduce -q --predicate ./stays hay; ls hay.*
! ls: cannot access 'hay.*': No such file or directory
? 2

# A predicate is found on PATH and by a path. A result that nobody named is not overwritten.
$ printf '#!/bin/sh\ngrep -q needle "$1"\n' >interesting; mkdir there; rm -f hay.reduced; echo 'a needle' | tee there/hay >hay; cd there
> PATH=$PWD/..:$PATH frng-reduce -q --predicate interesting hay; rm hay.reduced
> frng-reduce -q --predicate ../interesting hay; frng-reduce -q --predicate ../interesting hay
| size=6 output=hay.reduced
| size=6 output=hay.reduced
! frng-reduce: hay.reduced: exists; to go on from it, put it in the place of hay; to begin again, remove it or name it by --output
? 2
# The first run is enough to know that a file is interesting; once and not again is no answer, nor is none.
$ for calls in 1 2; do frng-reduce -q --predicate ./interesting hay --calls $calls; rm hay.reduced; done
| size=9 output=hay.reduced
| size=9 output=hay.reduced
$ printf '#!/bin/sh\nmkdir %s/mark 2>/dev/null\n' $PWD >once; printf '#!/bin/sh\nsleep 1000\n' >sleeps; chmod +x once sleeps
> frng-reduce --predicate ./once hay || echo $?; frng-reduce --predicate ./sleeps hay --time 500ms || echo $?; ls hay.reduced
| 3
| 3
! inconclusive: hay was interesting, and was not when the predicate was asked again
! frng-reduce: hay: not reduced: the predicate had not answered once when --time was over
! ls: cannot access 'hay.reduced': No such file or directory
? 2
# A predicate that rejects the file at first, and not when asked again, is said to be flaky. This one rejects 3 runs.
$ printf '#!/bin/sh\nls "$1" >>%s/asked; test $(wc -l <%s/asked) -gt 3 && grep -q needle "$1"\n' $PWD $PWD >warms; chmod +x warms
> frng-reduce --predicate ./warms hay --calls 40 2>&1 | head -1; frng-reduce -q --predicate ./warms hay --output out
| frng-reduce: <here>/warms: may be flaky: rejects hay, and finds it interesting when asked again (2 times)
| size=6 output=out
$ truncate -s 67108865 large; frng-reduce --predicate ./interesting large
! frng-reduce: large: larger than 67108864 bytes, the most that frng-reduce takes
? 2
# The output is where it was asked for: a pipe gets it once, and an older file is replaced and no start.
$ rm -f pipe; mkfifo pipe; cat pipe >read & frng-reduce -q --predicate ./interesting hay --output pipe; wait; cat read
| size=6 output=pipe
| needle<no newline>
$ for text in needle 'much more than a needle'; do
>   echo "$text" >out; frng-reduce -q --predicate ./interesting hay --output out; cat out; done
| size=6 output=out
| needlesize=6 output=out
| needle<no newline>

# A search that finds a reduced finding in its folder, and sees its seed fail, stores nothing worse.
$ frng-search -q --rng-seed 1 --attempts 20 --findings night --reduce --jobs 1 sut-assert; ls night
> frng-search --rng-seed 2 --attempts 20 --findings night --jobs 1 sut-assert 2>&1 | grep -e known -e ' finding'
> frng-replay --list night -q; ls night
| size=4 seed=7080814041164127444s
| size=4 hex=01d0ffff
| 0000000004-7cc4b2d3fe3aee0f.json
| known finding, size 4, seed 7080814041164127444s: still fails
|   finding  night/0000000004-7cc4b2d3fe3aee0f.json
| size=4 hex=01d0ffff signature=signal:SIGABRT at tests/sut/small.c:32
| 0000000004-7cc4b2d3fe3aee0f.json
# A summary names no file that the reduction then removes, also when the time has ended the search.
$ frng-search --keep-going --time 1s --rng-seed 1 --reduce --findings late sut-modes -- at-least 5 2>err >/dev/null
> for file in $(sed -n 's/^  finding  //p' err); do [ -e $file ] && echo there || echo gone; done
| there
# A reduction of an answer makes no step, also where a pass had its share of the calls before its end.
$ ln -s $BUILD/tests/bench/challenges/challenges commit
> frng-reduce -q --jobs 1 --explain no --size 147 --seed 4663105083105520804 ./commit >answer
> frng-reduce -q --jobs 1 --explain no --json again --hex $(sed 's/.*hex=//' answer) ./commit >same
> cmp answer same && grep -c '"event":"step"' again
| 0
? 1
# Of a program, blocks go with the places behind them: 32,696 bytes stayed of 35,664.
$ cp /bin/true program; printf '#!/bin/sh\nreadelf -d "$1" 2>/dev/null | grep -q "NEEDED.*libc.so.6"\n' >needs; chmod +x needs
$ frng-reduce --quiet --jobs 1 --predicate ./needs program --calls 150 >/dev/null; [ $(wc -c <program.reduced) -lt 4000 ]
# Blocks of an image go, with the numbers in both orders of those behind them: 38,367 bytes stayed of 55,808.
$ cat >blocks <<'END'
> #!/usr/bin/env python3
> import struct, sys
> def make(at=9, rows=b""):
>     bodies = [(b"needle" if n == 23 else b"%d" % n).ljust(99 * n, b"x").ljust(99 * n // 512 * 512 + 512, b"\0") for n in range(30)]
>     for body in bodies: rows += b"entry_" + struct.pack("<I", at) + struct.pack(">I", at); at += len(body) // 512
>     return bytes(4096) + rows.ljust(512, b"\0") + b"".join(bodies)
> data = make() if sys.argv[1] == "make" else open(sys.argv[1], "rb").read()
> if sys.argv[1] == "make": sys.exit(sys.stdout.buffer.write(data) == 0)
> rows = [(data[at:at + 6], *struct.unpack("<I", data[at + 6:at + 10]), *struct.unpack(">I", data[at + 10:at + 14])) for at in range(4096, 4516, 14)]
> sys.exit(not all(row[0] == b"entry_" for row in rows) or not any(a == b and data[a * 512:a * 512 + 6] == b"needle" for _, a, b in rows))
> END
$ chmod +x blocks; ./blocks make >image; frng-reduce --quiet --jobs 1 --predicate ./blocks image --calls 60 >/dev/null; [ $(wc -c <image.reduced) -lt 5200 ]
# A core file loses segments, and notes of the one that has to stay: 36,864 bytes stayed of one that gdb wrote.
$ python3 -c 'import struct as s; note = b"".join(s.pack("<3I8s9s3x", 5, 9, n, b"CORE", b"needle %02d" % n) for n in range(6))
> parts = [b"x" * 900 * n for n in range(1, 9)] + [note]; at = 64 + 56 * 9; heads = b""
> for n, p in enumerate(parts): heads += s.pack("<IIQQQQQQ", 4 if n == 8 else 1, 4, at, 0, 0, len(p), 99999, 1); at += len(p)
> head = s.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 4, 62, 1, 0, 64, 0, 0, 64, 56, 9, 64, 0, 0)
> print(end=(head + heads + b"".join(parts)).decode("latin1"))' | iconv -f UTF-8 -t LATIN1 >dump
> printf '#!/bin/sh\nreadelf -n "$1" 2>err | grep -q NT_PRPSINFO && [ ! -s err ]\n' >noted; chmod +x noted
> frng-reduce --quiet --jobs 1 --predicate ./noted dump --calls 60
| size=140 output=dump.reduced
# Records go as a whole, before halves can cut one: 2,600 bytes stayed after as many calls.
$ python3 -c 'import random, struct; r = random.Random(7); record = lambda b: struct.pack("<III", 1, len(b), 2) + b
> print(end="M" * 24 + b"".join(record(r.randbytes(r.randint(20, 99)) if n != 41 else b"needle") for n in range(68)).decode("latin1"))' |
>   iconv -f UTF-8 -t LATIN1 >records
$ cat >whole <<'END'
> #!/usr/bin/env python3
> import struct, sys
> data, at, found = open(sys.argv[1], "rb").read(), 24, False
> while at < len(data):
>     size = struct.unpack("<I", data[at + 4:at + 8])[0]
>     if at + 12 + size > len(data): break
>     found |= data[at + 12:at + 12 + size] == b"needle"
>     at += 12 + size
> sys.exit(data[:24] != b"M" * 24 or not found)
> END
$ chmod +x whole; frng-reduce --quiet --jobs 1 --predicate ./whole records --calls 60
| size=42 output=records.reduced
# Of a packed file, where hardly a byte can go alone, a line names what unpacks it.
$ echo a needle | gzip -n >hay.gz; printf '#!/bin/sh\ngunzip -c "$1" | grep -q needle\n' >unpacks; chmod +x unpacks
$ frng-reduce --jobs 1 --predicate ./unpacks hay.gz --calls 9 2>&1 >/dev/null | grep packed:
| frng-reduce: hay.gz: packed: unpack it first with gunzip, and pack it again in the predicate
$ printf -- '-----BEGIN X-----\nTUlJQ\n-----END X-----\n' >a.pem; printf '#!/bin/sh\ngrep -q "^TUlJQ$" "$1"\n' >keys; chmod +x keys
$ frng-reduce --jobs 1 --predicate ./keys a.pem --calls 9 2>&1 >/dev/null | grep packed:
| frng-reduce: a.pem: packed: unpack it first with base64 --decode, and pack it again in the predicate
$ printf '#!/bin/sh\n[ -s "$1" ]\n' >full; chmod +x full
> for begin in '\4"M\30' hsqs 'QFI\373' 'PACK\0\0\0\2' '# v2 git bundle\n' 'To: a\nContent-Transfer-Encoding: base64\n' 'begin 644 a\nend\n' '\377\330\377\340'
> do printf "$begin" >packed; frng-reduce --jobs 1 --predicate ./full packed --calls 2 2>&1 >/dev/null | sed -n 's/.* first with \(.*\), and.*/\1/p'; rm -f packed.*; done
| unlz4
| unsquashfs
| qemu-img convert -O raw
| git unpack-objects
| git fast-export
| base64 --decode
| uudecode
| djpeg
# Triangles of a mesh go with their count, where all bytes stayed.
$ python3 -c 'import random; r = random.Random(7); print(end=(b"m" * 80 + b"\x29\0\0\0" + b"".join(r.randbytes(50) if n != 23 else b"needle" * 8 + b"\0\0" for n in range(41))).decode("latin1"))' |
>   iconv -f UTF-8 -t LATIN1 >mesh; printf '#!/bin/sh\npython3 -c "d = open(\\"$1\\", \\"rb\\").read(); assert len(d) == 84 + 50 * d[80] and b\\"needle\\" * 8 in d" 2>err\n' >counted
> chmod +x counted; frng-reduce --quiet --jobs 1 --predicate ./counted mesh --calls 40
| size=134 output=mesh.reduced
# Members of an archive of tar go as a whole: 30,209 bytes stayed where tar rejects one that is cut.
$ mkdir -p members; for i in $(seq 30); do seq $((i * 40)) >members/$i.txt; done; tar --format=ustar -cf members.tar members
$ printf '#!/bin/sh\ntar -tf "$1" >list 2>/dev/null && grep -q 17.txt list\n' >lists; chmod +x lists
$ frng-reduce --quiet --jobs 1 --predicate ./lists members.tar --calls 60 >/dev/null; [ $(wc -c <members.tar.reduced) -lt 8000 ]
# So do those of one in an archive of ar, as in packages of Debian, where 30,912 bytes stayed.
$ ar rcD packed.a members.tar
$ printf '#!/bin/sh\nar p "$1" members.tar 2>/dev/null | tar -tf - >list 2>/dev/null && grep -q 17.txt list\n' >inner; chmod +x inner
$ frng-reduce --quiet --jobs 1 --predicate ./inner packed.a --calls 60 >/dev/null; [ $(wc -c <packed.a.reduced) -lt 8000 ]
# Sections and symbols of a shared library go, of which 2,872 bytes stayed, and entries of an index of Git.
$ for i in $(seq 30); do echo "int f$i(int a) { return a / $i; }"; done >a.c; cc -shared -fPIC -o a.so a.c
$ printf '#!/bin/sh\nreadelf -W --dyn-syms "$1" >list 2>&1; grep -q "FUNC.* f17" list && ! grep -q readelf: list\n' >symbols; chmod +x symbols
$ frng-reduce --quiet --jobs 1 --predicate ./symbols a.so --calls 100 >/dev/null; [ $(wc -c <a.so.reduced) -lt 1200 ]
$ python3 -c 'import sys; sys.stdout.buffer.write(b"DIRC" + bytes(3) + b"\2" + b"\0\0\0\x1e" + b"".join(bytes(61) + b"\5%05d" % i + bytes(5) for i in range(30)))' >index
$ cat >entries <<'END'
> #!/usr/bin/env python3
> import sys
> data = open(sys.argv[1], "rb").read()
> sys.exit(len(data) != 12 + 72 * data[11] or b"00017" not in data)
> END
$ chmod +x entries; frng-reduce --quiet --jobs 1 --predicate ./entries index --calls 30
| size=84 output=index.reduced
# Those of a ZIP archive and of a font go with their entries in the directory: all bytes stayed.
$ cat >archive <<'END'
> #!/usr/bin/env python3
> import io, random, struct, sys, zipfile
> def fonts(data):
>     rows = [struct.unpack(">4sIII", data[at:at + 16]) for at in range(12, 12 + 16 * struct.unpack(">H", data[4:6])[0], 16)]
>     assert all(sum(data[at:at + size]) == check for _, check, at, size in rows) and data[:4] == b"\0\1\0\0"
>     return [name for name, *_ in rows]
> def make(kind):
>     bodies, file = {f"m{n:03}": random.Random(n).randbytes(90 + n) for n in range(30)}, io.BytesIO()
>     if kind == "font":
>         places = [12 + 16 * 30 + sum(map(len, list(bodies.values())[:n])) for n in range(30)]
>         rows = [struct.pack(">4sIII", k.encode(), sum(b), at, len(b)) for (k, b), at in zip(bodies.items(), places)]
>         return struct.pack(">IHHHH", 1 << 16, 30, 0, 0, 0) + b"".join(rows) + b"".join(bodies.values())
>     with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED if kind == "zip" else zipfile.ZIP_STORED) as archive:
>         archive.comment = b"made by hand"
>         for n, b in bodies.items(): archive.writestr(zipfile.ZipInfo(n), b if kind == "zip" else b.hex())
>     return file.getvalue()
> if sys.argv[1] == "make": sys.exit(sys.stdout.buffer.write(make(sys.argv[2])) == 0)
> data = open(sys.argv[1], "rb").read()
> if data[:2] != b"PK": sys.exit(b"m017" not in fonts(data))
> archive = zipfile.ZipFile(sys.argv[1]); sys.exit(archive.testzip() is not None or archive.read("m017") == b"")
> END
$ chmod +x archive; for kind in zip stored font; do ./archive make $kind >a.$kind
>   frng-reduce --quiet --jobs 1 --predicate ./archive a.$kind --calls 30; done
| size=225 output=a.zip.reduced
| size=332 output=a.stored.reduced
| size=135 output=a.font.reduced
# A place beyond the members, as of the record of the directory, is none.
$ python3 - <<'END'
> data = bytearray(open("a.stored", "rb").read())
> record, at = data.rindex(b"PK\5\6"), data.rindex(b"PK\1\2")
> for name, place in ("at", record), ("behind", record + 5):
>     data[at + 42:at + 46] = place.to_bytes(4, "little")
>     open(f"a.{name}", "wb").write(data)
> END
> printf '#!/bin/sh\ngrep -q m017 "$1"\n' >named; chmod +x named
> for kind in at behind; do frng-reduce --quiet --jobs 1 --predicate ./named a.$kind --calls 60; done
| size=4 output=a.at.reduced
| size=4 output=a.behind.reduced

# What is given beside the target without an option. `follow` prints what a wrong line is told, and the
# exit status of each whole line in it, which is run as it stands; the first is that of the wrong one.
$ cp $BUILD/examples/ring .; printf '#!/bin/sh\ngrep -q needle "$1"\n' >test.sh; chmod +x test.sh
> printf '#!/bin/sh\n[ "$(wc -c)" -lt 3 ]\n' >reads; chmod +x reads
> printf 'import sys\nsys.exit(len(sys.stdin.buffer.read()) > 5)\n' >t.py
> cp ./test.sh ./-q9; (seq 9; echo needle; seq 9) >big.txt; head -c 64 /dev/zero >crash
> frng-search -q ring --rng-seed 7 --attempts 100 --findings found | tee result; cat >follow <<'END'
> #!/bin/sh
> "$@" 2>.said >/dev/null; codes=$?
> sed 's/[0-9]\{10\}-[0-9a-f]*/BEST/g' .said
> sed -n 's/.*[:y] \(\(A=1 \)\{0,1\}frng-[a-z]* .*\)/\1/p; s/^  \(frng-.*\)/\1/p' .said >.lines
> while read -r line; do
>   rm -f *.reduced; sh -c "$line" >/dev/null 2>&1 </dev/null; codes="$codes $?"
> done <.lines
> echo "$codes"
> END
> chmod +x follow
| size=77 seed=1827271350178654005s
$ ./follow frng-reduce ./test.sh big.txt; ./follow frng-reduce big.txt ./test.sh
| frng-reduce: unexpected argument 'big.txt': to reduce this file, or what ./test.sh reads, say
|   frng-reduce --predicate ./test.sh big.txt
|   frng-reduce ./test.sh --input big.txt
| 2 0 1
| frng-reduce: unexpected argument 'big.txt': to reduce this file, or what ./test.sh reads, say
|   frng-reduce --predicate ./test.sh big.txt
|   frng-reduce ./test.sh --input big.txt
| 2 0 1
$ ./follow frng-reduce ./test.sh big.txt crash; ./follow frng-reduce --predicate big.txt ./test.sh
| frng-reduce: one file is reduced at a time; for a file that a program judges, or an input of the program, say
|   frng-reduce --predicate ./test.sh big.txt
|   frng-reduce ./test.sh --input crash -- big.txt
| 2 0 3
| frng-reduce: --predicate big.txt: is no program, and ./test.sh is one; the file comes last: frng-reduce --predicate ./test.sh big.txt
| 2 0
$ ./follow frng-reduce ./test.sh found/*.json
| frng-reduce: unexpected argument 'found/BESTs.json': to reduce this file, or what ./test.sh reads, say
|   frng-reduce --predicate ./test.sh found/BESTs.json
|   frng-reduce ./test.sh --finding found/BESTs.json
| 2 2 1
$ ./follow frng-replay ./reads crash; ./follow frng-reduce ./reads 16 7; ./follow frng-replay python3 t.py crash
| frng-replay: unexpected argument 'crash': for an input of ./reads, say frng-replay ./reads --input crash
| 129 1
| frng-reduce: unexpected argument '16': for an input of ./reads, say frng-reduce ./reads --size 16 --seed 7
| 2 1
| frng-replay: unexpected argument 't.py': for an input of python3, say frng-replay python3 --input crash -- t.py
| 129 1
# A target of the protocol takes no arguments: what stands there is its input.
$ while read -r words; do eval "frng-replay -q $words" >/dev/null 2>&1; echo "$? $words"; done <<'END'
> ./ring found/*.json
> found/*.json ./ring
> found/*.json
> ./ring $(sed 's/s[a-z]*=//g' result)
> $(sed 's/s[a-z]*=//g' result) ./ring
> ./ring $(sed 's/=/ /g; s/ seed/, seed/' result) '(run 7)'
> ./ring "fails with x: $(sed 's/=/ /g; s/ seed/, seed/' result) (run 7)"
> ./ring $(sed 's/ /, /' result)
> ./ring crash
> ./ring 0x0000
> ./ring '00 00'
> ./ring 00
> ./ring - <crash
> END
| 1 ./ring found/*.json
| 1 found/*.json ./ring
| 1 found/*.json
| 1 ./ring $(sed 's/s[a-z]*=//g' result)
| 1 $(sed 's/s[a-z]*=//g' result) ./ring
| 1 ./ring $(sed 's/=/ /g; s/ seed/, seed/' result) '(run 7)'
| 1 ./ring "fails with x: $(sed 's/=/ /g; s/ seed/, seed/' result) (run 7)"
| 1 ./ring $(sed 's/ /, /' result)
| 0 ./ring crash
| 0 ./ring 0x0000
| 0 ./ring '00 00'
| 0 ./ring 00
| 0 ./ring - <crash
$ frng-reduce -q --jobs 1 ./ring found/*.json; frng-replay -q found/*.json
| size=51 hex=01ac000100010001f601f600fb00fb0001f601f600fb00fb0001f601f600fb00fb0001f601f600f600f600000101f601f60001
! examples/ring.c:92: assertion failed: got == want: byte 192 is 5 and was sent as 192: overwritten before it was read
? 1
$ ./follow frng-replay ./ring found/*.json found/*.json; ./follow frng-replay ./ring found; ./follow frng-replay found/
| frng-replay: give one finding at a time; see 'frng-replay --help'
| 129
| frng-replay: found: is a folder of findings; to list them, say frng-replay --list found
| 129 0
| frng-replay: found/: is a folder of findings; to list them, say frng-replay --list found/
| 129 0
$ ./follow frng-replay ./ring nosuch.json; ./follow frng-replay ./ring what; ./follow frng-replay ./ring $(cat result) run 7
| frng-replay: nosuch.json: no such file; which input? Give --size and --seed, --input, --hex or --finding; see 'frng-replay --help'
| 129
| frng-replay: unexpected argument 'what': which input? Give --size and --seed, --input, --hex or --finding; see 'frng-replay --help'
| 129
| frng-replay: unexpected argument 'run': leave it out: frng-replay ./ring size=77 seed=1827271350178654005s
| 129 1
# A search.
$ ./follow frng-search found; ./follow frng-search found/*.json; ./follow frng-search ./ring found/*.json -q --attempts 5
| frng-search: found: is a folder of findings; to list them, say frng-replay --list found
| 2 0
| frng-search: found/BESTs.json: is a finding; to replay or to reduce it, say
|   frng-replay --finding found/BESTs.json
|   frng-reduce --finding found/BESTs.json
| 2 1 1
| frng-search: one input is run by frng-replay: frng-replay ./ring --finding found/BESTs.json
| 2 1
$ ./follow frng-search ./ring --attempts 1 100; ./follow frng-search python3 --attempts 1 t.py; ./follow frng-search --attempts 1 python3 -u t.py
| frng-search: unexpected argument '100': leave it out: frng-search ./ring --attempts 1
| 2 1
| frng-search: unexpected argument 't.py': arguments for the program under test follow '--': frng-search python3 --attempts 1 -- t.py
| 2 1
| frng-search: unknown option '-u': arguments for the program follow '--': frng-search python3 --attempts 1 -- -u t.py
| 2 1
$ ./follow frng-search './ring --check' --attempts 1; ./follow frng-search 'python3 t.py' --attempts 1; ./follow frng-search ./reads --attempts=1 -Zx
| frng-search: './ring --check' is no program; its arguments follow '--': frng-search ./ring --attempts 1 -- --check
| 2 1
| frng-search: 'python3 t.py' is no program; its arguments follow '--': frng-search python3 --attempts 1 -- t.py
| 2 1
| frng-search: unknown option '-Zx': arguments for the program follow '--': frng-search ./reads --attempts=1 -- -Zx
| 2 1
$ ./follow frng-search ./ring --attempts 1 --check; ./follow frng-search ./reads --check
| frng-search: unknown option '--check': a test that uses frng_main.h has it itself, as in ./test --check; see 'frng-search --help'
| 2
| frng-search: unknown option '--check': a test that uses frng_main.h has it itself, as in ./test --check; see 'frng-search --help'
| 2
$ ./follow frng-search ./ring --attempts 1 --seed 5; ./follow frng-search ./ring seed=7
| frng-search: --seed: one input is run by frng-replay; a search has --rng-seed and --size-max; see 'frng-search --help'
| 2
| frng-search: seed=7: one input is run by frng-replay; a search has --rng-seed and --size-max; see 'frng-search --help'
| 2
$ ./follow frng-search -q9; ./follow frng-search sh -c 'exit 1'
| frng-search: unknown option '-q9': for the file of that name say ./-q9
| 2
| frng-search: unknown option '-c': did you mean --attempts or --runs? See 'frng-search --help'; for the program, say frng-search sh -- -c 'exit 1'
| 2 1
$ ./follow frng-replay ./t.py crash; ./follow frng-search A=1 python3 t.py
| frng-replay: ./t.py: not executable; compile it if it is source code, else try: chmod +x ./t.py
| 129
| frng-search: A=1: not found on PATH; give the path to the program
| 2
$ ./follow frng-replay "./ring --size 64 --seed 7"
| frng-replay: './ring --size 64 --seed 7' is no program, but several words: frng-replay ./ring --size 64 --seed 7
| 129 0
$ frng-reduce crash; frng-replay -q ./ring --input found/*.json 2>&1 | sed -n 's/[0-9]\{10\}-[0-9a-f]*/BEST/p'
| frng-replay: note: found/BESTs.json is a finding, and its text is the input; --finding takes its bytes
! frng-reduce: crash: is no program; give one that reads it, as in PROGRAM --input crash, or judges it, as in --predicate PROGRAM crash; see 'frng-reduce --help'

# What is given beside the target without an option.
$ cp $BUILD/examples/ring .; printf '#!/bin/sh\ngrep -q needle "$1"\n' >test.sh; chmod +x test.sh
> printf '#!/bin/sh\n[ "$(wc -c)" -lt 3 ]\n' >reads; chmod +x reads; echo 'text' >t.py
> cp ./test.sh ./-q9; (seq 9; echo needle; seq 9) >big.txt; head -c 64 /dev/zero >crash
> frng-search -q ring --rng-seed 7 --attempts 100 --findings found | tee result; cat >each <<'END'
> #!/bin/sh
> while read -r words; do eval "$1 $words" 2>&1 >/dev/null | sed 's/[0-9]\{10\}-[0-9a-f]*/BEST/g'; done
> END
> chmod +x each
| size=77 seed=1827271350178654005s
# Of a target that may take arguments nothing is certain.
$ ./each frng-reduce <<'END'
> ./test.sh big.txt
> ./test.sh big.txt crash
> ./test.sh found/*.json
> ./reads 16 7
> crash
> END
| frng-reduce: unexpected argument 'big.txt': for an input of ./test.sh say --input big.txt; to reduce this file, --predicate ./test.sh big.txt
| frng-reduce: unexpected argument 'big.txt': which input? Give --size and --seed, --input, --hex or --finding; arguments follow '--'; see 'frng-reduce --help'
| frng-reduce: unexpected argument 'found/BESTs.json': for an input of ./test.sh say --finding found/BESTs.json; to reduce this file, --predicate ./test.sh found/BESTs.json
| frng-reduce: unexpected argument '16': for an input of ./reads say --size 16 --seed 7
| frng-reduce: crash: is no program; give one that reads it, as in PROGRAM --input crash, or judges it, as in --predicate PROGRAM crash; see 'frng-reduce --help'
$ ./each frng-replay <<'END'
> ./reads crash
> python3 t.py crash
> ./ring found/*.json found/*.json
> ./ring found
> ./ring nosuch.json
> ./ring what
> ./t.py crash
> ./ring $(cat result) run 7
> "./ring --size 64 --seed 7"
> END
| frng-replay: unexpected argument 'crash': for an input of ./reads say --input crash
| frng-replay: unexpected argument 't.py': which input? Give --size and --seed, --input, --hex or --finding; arguments follow '--'; see 'frng-replay --help'
| frng-replay: unexpected argument 'found/BESTs.json': which input? Give --size and --seed, --input, --hex or --finding; arguments follow '--'; see 'frng-replay --help'
| frng-replay: found: is a folder of findings; frng-replay --list found lists them
| frng-replay: nosuch.json: no such file; which input? Give --size and --seed, --input, --hex or --finding; see 'frng-replay --help'
| frng-replay: unexpected argument 'what': which input? Give --size and --seed, --input, --hex or --finding; arguments follow '--'; see 'frng-replay --help'
| frng-replay: ./t.py: not executable; compile it if it is source code, else try: chmod +x ./t.py
| frng-replay: unexpected argument 'run': arguments for the program under test follow '--'
| frng-replay: which input? Give --size and --seed, --input, --hex or --finding; see 'frng-replay --help'
# A target of the protocol takes no arguments: what stands there is its input.
$ while read -r words; do eval "frng-replay -q $words" >/dev/null 2>&1; echo "$? $words"; done <<'END'
> ./ring found/*.json
> found/*.json
> ./ring $(sed 's/s[a-z]*=//g' result)
> ./ring $(sed 's/ /, /' result)
> ./ring crash
> ./ring 0x0000
> ./ring '00 00'
> ./ring 00
> ./ring - <crash
> END
| 1 ./ring found/*.json
| 1 found/*.json
| 1 ./ring $(sed 's/s[a-z]*=//g' result)
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
# A search.
$ ./each frng-search <<'END'
> found
> found/*.json
> ./ring found/*.json -q --attempts 5
> ./ring --attempts 1 100
> python3 --attempts 1 -u t.py
> ./ring --attempts 1 --check
> ./ring --attempts 1 --seed 5
> ./ring seed=7
> -q9
> sh -c 'exit 1'
> ./reads --attempts=1 -Zx
> A=1 python3 t.py
> './ring --check'
> END
| frng-search: found: is a folder of findings; frng-replay --list found lists them
| frng-search: found/BESTs.json: is a finding; give it to frng-replay or frng-reduce by --finding
| frng-search: unexpected argument 'found/BESTs.json': one input is run by frng-replay
| frng-search: unexpected argument '100': arguments for the program under test follow '--'
| frng-search: unknown option '-u': arguments for the program follow '--'; see 'frng-search --help'
| frng-search: unknown option '--check': a test that uses frng_main.h has it itself, as in ./test --check; see 'frng-search --help'
| frng-search: --seed: one input is run by frng-replay; a search has --rng-seed and --size-max; see 'frng-search --help'
| frng-search: seed=7: one input is run by frng-replay; a search has --rng-seed and --size-max; see 'frng-search --help'
| frng-search: unknown option '-q9': for the file of that name say ./-q9
| frng-search: unknown option '-c': did you mean --attempts or --runs? See 'frng-search --help'; arguments for the program follow '--'
| frng-search: unknown option '-Zx': arguments for the program follow '--'; see 'frng-search --help'
| frng-search: A=1: not found on PATH; give the path to the program
| frng-search: ./ring --check: not found; check the path, or build it first
$ frng-replay -q ./ring --input found/*.json 2>&1 | sed -n 's/[0-9]\{10\}-[0-9a-f]*/BEST/p'
| frng-replay: note: found/BESTs.json is a finding, and its text is the input; --finding takes its bytes

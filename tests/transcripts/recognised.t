# How --mode auto knows a target: by what the files of its command line say. A program of which none
# says anything is started for its runs only; one that may speak the protocol is asked once more. (suites: plain)
$ cp $SOURCE/examples/forkserver.py frng.py; mkdir folder; mkfifo pipe
$ cat >test.py <<'END'
> import sys
> import frng
> def test(entropy):
>     try:
>         while True:
>             assert entropy.byte() < 250
>     except frng.OutOfEntropy:
>         pass
> if not frng.serve(test):
>     test(frng.Entropy(sys.stdin.buffer.read()))
> END
$ cat >mode <<'END'
> #!/bin/sh
> # mode TARGET...: the mode that a search chooses, and with ./run how often that is asked besides its runs
> rm -f starts
> frng-search --jobs 1 --attempts 1 --size-max 2 --rng-seed 1 --json - "$@" 2>/dev/null >events
> mode=$(sed -n '1s/.*"mode":"\([a-z]*\)".*/\1/p' events); runs=$(sed -n '$s/.*"runs":\([0-9]*\),"reruns.*/\1/p' events)
> if [ -f starts ]; then mode="$mode, $(wc -l <starts) starts for $runs runs: $(sort starts | uniq -c | xargs)"; fi
> echo "$mode"
> END
$ cat >counts <<'END'
> cat > /dev/null
> name=FRNG_ # its whole name would be a sign
> eval "offer=\${${name}DRIVER:-none}"
> case $offer in none) ;; *) offer=asked;; esac
> echo $offer >> $FRNG_SCENARIO/starts
> END
$ cat >run_with <<'END'
> #!/bin/sh
> # run_with LINE: make ./run, a script with this line that passes and logs its starts
> { printf '#!/bin/sh\n: "%s"\n' "$1"; cat counts; } >run; chmod +x run
> END
$ chmod +x mode run_with
$ (printf '#!/usr/bin/env python3\n'; cat test.py) >run.py; chmod +x run.py; printf '#!/bin/sh\nexec python3 test.py\n' >plain.sh
> printf '#!/bin/sh\n# FRNG_DRIVER\nexec python3 test.py\n' >marked.sh; chmod +x plain.sh marked.sh
$ { ./mode python3 -- test.py; ./mode python3 -- -S $PWD/test.py argument; ./mode env -- python3 test.py
> ./mode ./run.py; ./mode ./marked.sh; ./mode ./plain.sh; ./mode sut-claims; ./mode env -- A=1 $BUILD/tests/sut/sut-claims; } | uniq -c
|       5 fork
|       1 spawn
|       2 persistent
$ for line in "import { main } from './frng.mjs'" "const f = require('frng')" 'use frng::Frng;' 'import frng' '# frng'
> do ./run_with "$line"; ./mode ./run; done | uniq -c
|       5 spawn, 4 starts for 3 runs: 1 asked 3 none
# Parts of words are no words; the word alone means nothing in a binary, the variable does.
$ for line in nothing frng_main frng-search myfrng frngs FRNG a_frng Frng
> do ./run_with "$line"; ./mode ./run; done | uniq -c
|       8 spawn, 3 starts for 3 runs: 3 none
$ ./run_with nothing; printf '\0 frng ' >data; ./mode ./run -- data; printf '\0 FRNG_DRIVER ' >data; ./mode ./run -- data
| spawn, 3 starts for 3 runs: 3 none
| spawn, 4 starts for 3 runs: 1 asked 3 none
# Arguments that are no files to read are skipped.
$ ln -s loop loop; truncate -s 1T sparse
> ./mode ./run -- pipe folder loop sparse missing '' - /dev/zero /dev/tty --file=test.py; rm loop sparse
| spawn, 3 starts for 3 runs: 3 none
# A mode that a program cannot be run in is refused; --verbose says why it is spawned.
$ ./run_with nothing; for mode in fork persistent; do frng-search --mode $mode ./run; done
> frng-search --mode persistent python3 -- test.py; frng-search --mode fork $SOURCE/tests/sut/in_process.py -- passes 0
! frng-search: ./run: cannot be run with --mode fork: it does not speak the protocol; say --mode spawn
! frng-search: ./run: cannot be run with --mode persistent: it does not speak the protocol; say --mode spawn
! frng-search: python3: cannot be run with --mode persistent: it makes no batches; say --mode fork
! frng-search: <source>/tests/sut/in_process.py: cannot be run with --mode fork: it makes its runs in its own process; say --mode persistent or spawn
? 2
$ ./run_with '# frng'; for how in --verbose --quiet; do
>   frng-search --rng-seed 1 --attempts 1 --size-max 2 $how ./run 2>&1 | grep mentions
> done
| frng-search: ./run: mentions frng, but does not speak its protocol: run by spawn
| frng-search: ./run: mentions frng, but does not speak its protocol; if it is a test, pass it to frng's main
? 1
# A test that nothing calls draws a hint, once; one that serves, fails or has a mode of its own does not.
$ few='--rng-seed 1 --attempts 1 --size-max 2'; echo 'import frng' >plain.py; printf 'import frng\nraise ValueError\n' >fails.py
> frng-search $few python3 -- plain.py 2>&1 | grep mentions
> for how in 'python3 -- test.py' 'python3 -- fails.py' '--mode spawn python3 -- plain.py' '--quiet python3 -- plain.py'
> do frng-search $few $how 2>&1 | grep mentions; done
| frng-search: plain.py: mentions frng, but does not speak its protocol; if it is a test, pass it to frng's main
? 1
# It names the file that has changed meanwhile.
$ cat >changes <<'END'
> #!/bin/sh
> # frng
> cat > /dev/null
> if grep -q "^# [f]rng" "$0"; then sed -i "s/^# [f]rng/# other/" "$0"; fi
> END
$ chmod +x changes; frng-search --rng-seed 1 --attempts 1 --size-max 2 ./changes 2>&1 | grep mentions; sed -n 2p changes
| frng-search: ./changes: mentions frng, but does not speak its protocol; if it is a test, pass it to frng's main
| # other
$ ./run_with nothing; frng-replay --hex 01 --trace ./run
| offset  bytes  draw  value
! frng-replay: ./run: reports no draws: it does not speak the protocol
! passes
# A replay under another program gives both ways to the input, and the name alone may be used.
$ cat >both.py <<'END'
> import os, sys  # frng
> named = open(os.environ['FRNG_INPUT'], 'rb').read()
> sys.exit(3 if named == (sys.stdin.buffer.read() if sys.argv[1:] else b'ab') == b'ab' else 0)
> END
$ for words in '' '-'; do frng-replay --hex 6162 --wrap 'env A=1' python3 -- both.py $words; echo $?; done
| 3
| 3
! entropy is in FRNG_INPUT=<path>/entropy
! entropy is in FRNG_INPUT=<path>/entropy
# A program of the other byte order is spawned.
$ printf '#!/bin/sh\n' >emulator; chmod +x emulator; order=$(od -An -tu1 -j5 -N1 $BUILD/tests/sut/sut-modes)
> printf "\177ELF\2\\$((3 - order))\1%100s FRNG_DRIVER" >other; ./mode ./emulator -- other
| spawn

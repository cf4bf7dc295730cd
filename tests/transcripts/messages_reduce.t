# The command line of C-Reduce is answered with ours, which works.
$ printf 'int main;' >big.c; printf '#!/bin/sh\ntest -s big.c\n' >interesting.sh
> chmod +x interesting.sh
$ frng-reduce ./interesting.sh big.c
! frng-reduce: unexpected argument 'big.c': for an input of ./interesting.sh say --input big.c; to reduce this file, --predicate ./interesting.sh big.c
? 2
$ frng-reduce --predicate ./interesting.sh big.c 2>/dev/null; echo $?; wc -c <big.c.reduced
| size=1 output=big.c.reduced
| 0
| 1

# What is no program or no file is named.
$ rm big.c.reduced
$ frng-reduce --predicate 'grep -q int' big.c
! frng-reduce: grep -q int: not found on PATH; give the path to the program
? 2
$ printf '#!/bin/sh\ngrep -q int "$1"\n' >'my test'; chmod +x 'my test'; frng-reduce -q --predicate './my test' --output out big.c
| size=3 output=out
$ frng-reduce --predicate . big.c
! frng-reduce: .: is a folder; give the program in it
? 2
$ frng-reduce --predicate true .
! frng-reduce: /usr/bin/true: exits with 0 for empty files, too: let it look for what is interesting in the files "$@", in the folder it starts in
? 2

# What cannot be reduced is a line that says why, and exit status 2.
$ while read -r words; do eval "frng-reduce $words" || s="$s $?"; done <<'END'; echo $s
> ''
> sut-assert --size 3
> sut-assert --hex 0
> sut-assert --hex 00 --seed 1
> sut-assert --input missing
> sut-assert --finding missing
> sut-assert --size 65M --seed 1
> sut-assert --hex 00 --output .
> sut-assert --hex 00 --output no/where
> sut-assert --hex 00 --findings /dev/null
> ./missing --hex 00
> sut-modes --hex 00 --mode fork
> END
| 2 2 2 2 2 2 2 2 2 2 2 2
! frng-reduce: which input? Give --size and --seed, --input, --hex or --finding; see 'frng-reduce --help'
! frng-reduce: --size needs --seed; see 'frng-reduce --help'
! frng-reduce: --hex '0' is not valid: give bytes in hex, two digits each, such as 01ff, '01 ff' or 0x01,0xff
! frng-reduce: give one of --size and --seed, --input, --hex, --finding; see 'frng-reduce --help'
! frng-reduce: missing: cannot be opened: No such file or directory
! frng-reduce: missing: cannot be read: No such file or directory
! frng-reduce: --size: larger than 67108864 bytes, the most that frng-reduce takes
! frng-reduce: .: cannot be written: Is a directory
! frng-reduce: no/where: cannot be written: No such file or directory
! frng-reduce: /dev/null: cannot be opened: Not a directory
! frng-reduce: ./missing: not found; check the path, or build it first
! frng-reduce: sut-modes: cannot be run with --mode fork: it does not speak the protocol; say --mode spawn
$ cp $BUILD/tests/sut/sut-modes own; ln -s own other; for where in '--output own' '--output other' '--json other'
> do frng-reduce ./own --hex 00 $where; done; cmp own $BUILD/tests/sut/sut-modes; rm own other
! frng-reduce: own: is ./own itself, and would be overwritten; give another --output, or --json
! frng-reduce: other: is ./own itself, and would be overwritten; give another --output, or --json
! frng-reduce: other: is ./own itself, and would be overwritten; give another --output, or --json

# What passes, or fails otherwise than asked, is not reduced.
$ frng-reduce --hex 0102 --output out sut-modes -- never; [ ! -e out ]
! nothing to reduce: the input of 2 bytes passes (20 runs)
$ frng-reduce -q --hex 0102 sut-modes -- never
$ frng-reduce --hex 0102 true
! cannot judge: the input passes, but did not read its input
? 3
$ frng-reduce --only signal:SIGSEGV --hex 0102 sut-modes -- exit 7
! nothing to reduce: the input fails with exit:7, not as --only asks
$ frng-reduce -q --only exit:7 --hex 0102 sut-modes -- exit 7
| size=0 hex=
? 1

# Files, and predicates.
$ echo 'a needle' >hay; printf '#!/bin/sh\ngrep -q needle "$1"\n' >interesting; chmod +x interesting
> mkfifo pipe; printf '#!/no/such/interpreter\n' >lost; chmod +x lost; ln -s hay link; ln hay hard
> while read -r words; do eval "frng-reduce --predicate $words" || s="$s $?"; done <<'END'; echo $s
> ./missing hay
> ./lost hay
> ./interesting missing
> ./interesting pipe
> ./interesting /dev/null
> ./interesting hay --output ./hay
> ./interesting hay --output link
> ./interesting hay --output hard
> ./interesting hay --json link
> ./interesting hay --output interesting
> ./interesting hay --output ''
> END
| 2 2 2 2 2 2 2 2 2 2 2
! frng-reduce: ./missing: not found; check the path, or build it first
! frng-reduce: <here>/lost: cannot be started: its interpreter was not found; check the first line of a script, or the loader of a binary
! frng-reduce: missing: cannot be opened: No such file or directory
! frng-reduce: pipe: cannot be read: not a regular file
! frng-reduce: /dev/null: cannot be read: not a regular file
! frng-reduce: ./hay: is hay itself, and would be overwritten; give another --output, or --json
! frng-reduce: link: is hay itself, and would be overwritten; give another --output, or --json
! frng-reduce: hard: is hay itself, and would be overwritten; give another --output, or --json
! frng-reduce: link: is hay itself, and would be overwritten; give another --output, or --json
! frng-reduce: interesting: is <here>/interesting itself, and would be overwritten; give another --output, or --json
! frng-reduce: --output '' is not valid: give the name of a file
$ TMPDIR=/no/where frng-reduce --predicate ./interesting hay
! frng-reduce: /no/where: cannot be written: No such file or directory
? 2

# One that looks for a file of the user's folder is told that it runs in another; the line repeats it.
$ mkdir away; cd away; echo 'a needle' >hay
> printf '#!/bin/sh\n./grep-it "$1"\n' >relative; printf '#!/bin/sh\ngrep needle "$1" && cat missing\n' >other; chmod +x relative other
> for way in relative other; do frng-reduce --predicate ./$way hay 2>said; echo $?; cat said; tail -n 1 said | sh 2>&1; done; rm -r ../away
| 2
| frng-reduce: <here>/away/relative: cannot be started: exits with 127 without reading its input: <here>/away/relative: 2: ./grep-it: not found
| frng-reduce: <here>/away/relative: ran without standard input in a private folder with the file alone, then with links to the other files of this folder; give it files elsewhere by absolute paths, and repeat its run by
|   (d=$(mktemp -d) && cp -rs "$PWD"/. "$d" && cp --remove-destination -- hay "$d"/hay && cd "$d" && <here>/away/relative hay)
| <here>/away/relative: 2: ./grep-it: not found
| 2
| frng-reduce: hay: not interesting: the predicate exited with 1; it must exit with 0 for an interesting file
|   output   a needle
|            cat: missing: No such file or directory
| frng-reduce: <here>/away/other: ran without standard input in a private folder with the file alone, then with links to the other files of this folder; give it files elsewhere by absolute paths, and repeat its run by
|   (d=$(mktemp -d) && cp -rs "$PWD"/. "$d" && cp --remove-destination -- hay "$d"/hay && cd "$d" && <here>/away/other hay)
| a needle
| cat: missing: No such file or directory
# A file that is not interesting
$ printf '#!/bin/sh\necho seen; echo said >&2; exit 7\n' >interesting; frng-reduce --predicate ./interesting hay
! frng-reduce: hay: not interesting: the predicate exited with 7; it must exit with 0 for an interesting file
!   output   seen
!            said
! frng-reduce: <here>/interesting: ran without standard input in a private folder with the file alone, then with links to the other files of this folder; give it files elsewhere by absolute paths, and repeat its run by
!   (d=$(mktemp -d) && cp -rs "$PWD"/. "$d" && cp --remove-destination -- hay "$d"/hay && cd "$d" && <here>/interesting hay)
? 2
$ printf '#!/bin/sh\nkill -SEGV $$\n' >interesting; frng-reduce --predicate ./interesting hay
! frng-reduce: hay: not interesting: the predicate died of SIGSEGV; it must exit with 0 for an interesting file
! frng-reduce: <here>/interesting: ran without standard input in a private folder with the file alone, then with links to the other files of this folder; give it files elsewhere by absolute paths, and repeat its run by
!   (d=$(mktemp -d) && cp -rs "$PWD"/. "$d" && cp --remove-destination -- hay "$d"/hay && cd "$d" && <here>/interesting hay)
? 2
$ printf '#!/bin/sh\nprintf "\\033[2J\\a"; exit 1\n' >interesting; frng-reduce --predicate ./interesting hay
! frng-reduce: hay: not interesting: the predicate exited with 1; it must exit with 0 for an interesting file
!   output   \x1b[2J\x07
! frng-reduce: <here>/interesting: ran without standard input in a private folder with the file alone, then with links to the other files of this folder; give it files elsewhere by absolute paths, and repeat its run by
!   (d=$(mktemp -d) && cp -rs "$PWD"/. "$d" && cp --remove-destination -- hay "$d"/hay && cd "$d" && <here>/interesting hay)
? 2
$ printf '#!/bin/sh\nsleep 600\n' >interesting; frng-reduce --predicate ./interesting hay --timeout 300ms
! frng-reduce: hay: not interesting: the predicate took longer than 300ms (--timeout); it must exit with 0 for an interesting file
? 2
$ cat hay; ls | xargs
| a needle
| hard hay interesting link lost pipe

# External passes: the words of --reducer. Known programs have all their commands, from coarse to fine.
$ mkdir bin sub; for program in bin/tool sub/tool sub/clex 'a tool.py' sub/clang_delta tool.py
> do printf '#!/bin/sh\nexit 1\n' >"$program"; chmod +x "$program"; done; ln -s tool.py clex; ln -s sub away
> printf 'import json, sys\nfor line in sys.stdin: last = json.loads(line)\nnames = [r["name"] for r in last["reducers"]]\nprint(len(names), *(names if len(names) < 9 else names[:2] + names[-2:]), sep=", ")\n' >names.py
> echo text >file; printf '#!/bin/sh\ntest -s "$1"\n' >yes; chmod +x yes
> while read -r words; do PATH=bin:$PATH frng-reduce -q --calls 1 --predicate ./yes file --output out --json - --reducer "$words" | python3 names.py
> done <<'END'
> ./tool.py
>  ./tool.py  drop lower 
> './a tool.py' "x y" z\ z
> tool x
> sub/clex rm-toks-2
> ./clex c
> away/tool c
> sub/clex
> sub/clang_delta
> END
| 1, tool.py all
| 2, tool.py drop, tool.py lower
| 2, a tool.py x y, a tool.py z z
| 1, tool x
| 1, clex rm-toks-2
| 1, clex c
| 1, tool c
| 21, clex rm-toks-16, clex rm-toks-15, clex shorten-string, clex rename-toks
| 65, clang_delta replace-function-def-with-decl, clang_delta remove-unused-function, clang_delta move-global-var, clang_delta unify-function-decl
$ while read -r words; do frng-reduce --predicate ./yes file --output out --reducer "$words" || s="$s $?"; done <<'END'; echo $s
> 
> tool 'x
> tool.py
> ./none all
> END
| 2 2 2 2
! frng-reduce: --reducer '' is not valid: give a program, and the commands of it to use; 64 times at most
! frng-reduce: --reducer 'tool 'x' is not valid: give a program, and the commands of it to use
! frng-reduce: tool.py: not found on PATH; for the file in this folder say ./tool.py
! frng-reduce: ./none: not found; check the path, or build it first
$ frng-reduce --predicate ./yes file --output out --reducer "$(printf 'a\033[2J')"
! frng-reduce: a\x1b[2J: not found on PATH; give the path to the program
? 2

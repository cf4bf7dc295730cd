# Several files are reduced together: whole ones go, and the others get smaller. The predicate has their names.
$ mkdir p; cd p; printf '#include "c.h"\n#include "d.h"\nneedle one\nmore\n' >a.c; printf 'more\nneedle two\n' >c.h; printf 'nothing\n' >b.c; : >d.h
> printf '#!/bin/sh\necho "$@" >>%s/log; grep -q "needle one" a.c && grep -q "needle two" c.h && [ -e d.h ] && ! [ -e log ]\n' "$PWD" >check; chmod +x check
> frng-reduce --predicate ./check a.c c.h b.c ./d.h --jobs 1 2>&1 | grep -Ev '^interesting|call.*[|]' | tee said; sort -u log; grep -r . --exclude=.frng-reduced a.c.reduced | sort; ls -A a.c.reduced | xargs; ls -A | xargs; md5sum a.c c.h b.c d.h
|
| reduced: a.c and 3 more, 70 -> 20 bytes
|   result   a.c.reduced
|   check    (d=$(mktemp -d) && cp -r -- a.c.reduced/. "$d" && cd "$d" && <here>/p/check a.c c.h d.h)
|   files    a.c, 46 -> 10 bytes
|            c.h, 16 -> 10 bytes
|            ./d.h, 0 -> 0 bytes
|   removed  1 file
|   reruns   interesting 3/3 times
|   effort   208 calls and 8 steps in <time> (<n>/s, <jobs>)
| size=20 output=a.c.reduced
| a.c b.c d.h
| a.c c.h
| a.c c.h b.c d.h
| a.c c.h d.h
| a.c d.h
| b.c d.h
| c.h b.c d.h
| c.h d.h
| d.h
| a.c.reduced/a.c:needle one
| a.c.reduced/c.h:needle two
| .frng-reduced a.c c.h d.h
| a.c a.c.reduced b.c c.h check d.h log said
| 42fd0f7dea39d738d022f833229287f2  a.c
| e3e7a89804594fb86104095a0180a0f5  c.h
| 3618634fc7650e537697fd7f542002c0  b.c
| d41d8cd98f00b204e9800998ecf8427e  d.h
# Any number of jobs comes to the same. The summary's line runs the predicate once more. What stands there goes on, or stays.
$ cd p; sed -n 's/^  check *//p' said >again; rm log; sh again; echo $?
> frng-reduce -q --predicate ./check a.c c.h b.c d.h --jobs 3 --output out3; diff -r --exclude=.frng-reduced out3 a.c.reduced
> frng-reduce --predicate ./check a.c c.h b.c d.h
> frng-reduce -q --predicate ./check a.c c.h b.c d.h --calls 30 --output cut --jobs 1; frng-reduce --predicate ./check a.c c.h b.c d.h --output cut 2>&1 | head -n 1; diff -r --exclude=.frng-reduced cut out3
> frng-reduce --predicate ./check cut --output again --time 1m 2>&1 | head -n 1; cd ..; rm -r p
| 0
| size=20 output=out3
| size=26 output=cut
| frng-reduce: goes on from cut (26 bytes), which this command line has left; to begin again, remove it
| frng-reduce: again: exists, and is no folder that frng-reduce has made; several files go to a new one: name it by --output
! frng-reduce: a.c.reduced: exists; to go on from it, put it in the place of a.c; to begin again, remove it or name it by --output
# A folder, whose files have their paths. A predicate that expects to be in it gets that.
$ mkdir -p src/inner src/none; echo 'a needle' >src/inner/x; echo other >src/y; echo third >src/z
> printf '#!/bin/sh\n[ "$*" = "src last" ] && grep -q needle src/inner/x\n' >check; chmod +x check
> frng-reduce --predicate ./check src/ --json events --jobs 1 -- last 2>&1 | grep -Ev '^interesting|call.*[|]'; find src.reduced -type f | sort; cat src.reduced/inner/x; echo
> grep -o '"files":.*}]' events; rm -r src.reduced
|
| reduced: src/, 21 -> 6 bytes
|   result   src.reduced
|   check    (d=$(mktemp -d) && mkdir -p -- "$d"/src && cp -r -- src.reduced/. "$d"/src && cd "$d" && <here>/check src last)
|   files    src/inner/x, 9 -> 6 bytes
|   removed  2 files
|   reruns   interesting 3/3 times
|   effort   56 calls and 4 steps in <time> (<n>/s, <jobs>)
| size=6 output=src.reduced
| src.reduced/.frng-reduced
| src.reduced/inner/x
| needle
| "files":[{"path":"src/inner/x","before":9,"after":6,"removed":false},{"path":"src/y","before":6,"after":0,"removed":true},{"path":"src/z","before":6,"after":0,"removed":true}]
$ printf '#!/bin/sh\n[ "$1" = . ] && grep -q needle inner/x\n' >check; frng-reduce --jobs 1 --predicate ./check src 2>&1 | grep -Ev '^interesting|call.*[|]' | tee said; grep '^  check' said | sed 's/check//' | sh; echo $?; rm -r src.reduced
| frng-reduce: <here>/check: finds src interesting only from within; its runs are in that folder
|
| reduced: src, 21 -> 6 bytes
|   result   src.reduced
|   check    (d=$(mktemp -d) && cp -r -- src.reduced/. "$d" && cd "$d" && <here>/check .)
|   files    src/inner/x, 9 -> 6 bytes
|   removed  2 files
|   reruns   interesting 3/3 times
|   effort   58 calls and 4 steps in <time> (<n>/s, <jobs>)
| size=6 output=src.reduced
| 0
# C-Vise's predicates name the files by their paths, and other files of the folder.
$ echo seen >beside; printf '#!/bin/sh\ngrep -q seen beside && grep -q needle src/inner/x && ! grep -q needle src/y\n' >check; frng-reduce --jobs 1 --predicate ./check src/inner/x src/y 2>&1 | grep -Ev '^interesting|call.*[|]' | tee said
> grep '^  check' said | sed 's/check//' | sh; echo $?; find src/inner/x.reduced -type f | sort; rm -r src/inner/x.reduced
| frng-reduce: <here>/check: finds src/inner/x and 1 more interesting only beside the other files of this folder; its runs get links to them
|
| reduced: src/inner/x and 1 more, 15 -> 6 bytes
|   result   src/inner/x.reduced
|   check    (d=$(mktemp -d) && cp -rs "$PWD"/. "$d" && (cd "$d" && rm -rf -- src/inner/x.reduced src/inner/x src/y) && cp -r -- src/inner/x.reduced/x "$d"/src/inner/x && cd "$d" && <here>/check src/inner/x)
|   files    src/inner/x, 9 -> 6 bytes
|   removed  1 file
|   reruns   interesting 3/3 times
|   effort   57 calls and 3 steps in <time> (<n>/s, <jobs>)
| size=6 output=src/inner/x.reduced
| 0
| src/inner/x.reduced/.frng-reduced
| src/inner/x.reduced/x
! grep: src/y: No such file or directory
# Folders and files together.
$ echo 'a needle' >src/hay; echo second >hay; printf '#!/bin/sh\ngrep -q needle src/hay && grep -q second hay\n' >check
> frng-reduce --predicate ./check src hay --output both 2>&1 | grep -Ev 'effort|^interesting|call.*[|]' | tee said; grep '^  check' said | sed 's/check//' | sh; echo $?; find both -type f | sort; rm -r both src/hay hay
|
| reduced: src and 1 more, 37 -> 12 bytes
|   result   both
|   check    (d=$(mktemp -d) && cp -r -- both/. "$d" && cd "$d" && <here>/check src hay)
|   files    src/hay, 9 -> 6 bytes
|            hay, 7 -> 6 bytes
|   removed  3 files
|   reruns   interesting 3/3 times
| size=12 output=both
| 0
| both/.frng-reduced
| both/hay
| both/src/hay
$ printf '#!/bin/sh\ngrep -q needle "$1"/inner/x\n' >check; (cd src; frng-reduce -q --predicate ../check .); ls src.reduced; rm -r src.reduced
| size=6 output=<here>/src.reduced
| inner

# What is refused is one line each.
$ echo 'a needle' >hay; echo more >more; mkdir empty other; echo x >other/hay; ln -s hay link; ln hay hard; mkfifo fifo; mkdir linked piped; ln -s ../hay linked/x; mkfifo piped/x
> printf '#include "%s/hay"\n' "$PWD" >names; mkdir mine; echo mine >mine/x; echo x >mine/.frng-reduced; printf '#!/bin/sh\ngrep -q needle hay\n' >check; printf '#!/bin/sh\n' >all; chmod +x all
> while read -r words; do eval "frng-reduce --predicate $words" || s="$s $?"; done <<'END'; echo $s; ls
> ./check hay more missing
> ./check hay missing more
> ./check empty
> ./check hay empty
> ./check hay fifo
> ./check piped
> ./check linked
> ./check hay link
> ./check hay hard
> ./check hay ./hay
> ./check hay other/hay
> ./check hay names
> ./check hay more --output other
> ./check hay more --output more
> ./check hay more --output no/where
> ./check src hay --output src/out
> ./check src hay --output .
> ./check hay more --json more
> ./check mine/.frng-reduced hay
> ./all hay more
> END
| 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2
| all
| beside
| check
| empty
| events
| fifo
| hard
| hay
| link
| linked
| mine
| more
| names
| other
| piped
| said
| src
! frng-reduce: missing: cannot be opened: No such file or directory
! frng-reduce: missing: cannot be opened: No such file or directory
! frng-reduce: empty: is a folder without a file
! frng-reduce: empty: is a folder without a file
! frng-reduce: fifo: cannot be read: not a regular file
! frng-reduce: piped/x: cannot be read: not a regular file
! frng-reduce: linked/x: is a symbolic link, behind which runs would find the original; give files
! frng-reduce: link: is a symbolic link, behind which runs would find the original; give files
! frng-reduce: hay: is hard itself, by another name or twice; give each file once
! frng-reduce: hay: is ./hay itself, by another name or twice; give each file once
! frng-reduce: hay and other/hay: have the same name; give the folder that both are in
! frng-reduce: names: has the absolute path of hay, so that runs would read the original; include it by a relative path
! frng-reduce: other: exists, and is no folder that frng-reduce has made; several files go to a new one: name it by --output
! frng-reduce: more: overlaps more, which is never written; give another --output
! frng-reduce: no/where: cannot be written: No such file or directory
! frng-reduce: src/out: overlaps src, which is never written; give another --output
! frng-reduce: <here>: overlaps src, which is never written; give another --output
! frng-reduce: more: is more itself, and would be overwritten; give another --output, or --json
! frng-reduce: mine/.frng-reduced: the result has its own file of this name; rename it
! frng-reduce: <here>/all: exits with 0 for empty files, too: let it look for what is interesting in the files "$@", in the folder it starts in

# Files that are not interesting, and a result that is so no more, after which runs are as at first.
$ mkdir q; cd q; mkdir src; echo 'a needle' >src/x; echo other >src/y; printf '#!/bin/sh\n[ "$1" = src ] && grep -q needle src/x\n' >check; printf '#!/bin/sh\nexit 1\n' >none; chmod +x *
> frng-reduce --predicate ./none src/x src/y; echo $?; frng-reduce --predicate ./none src; echo $?
> frng-reduce -q --predicate ./check src --calls 12 --jobs 1; echo gone >src.reduced/x
> frng-reduce --predicate ./check src --jobs 1 2>&1 | grep -Ev '^interesting|call.*[|]' | head -n 5; cat src.reduced/x; echo
| 2
| 2
| size=9 output=src.reduced
| frng-reduce: goes on from src.reduced (5 bytes), which this command line has left; to begin again, remove it
| frng-reduce: src.reduced: is not interesting any more; begins with src again
|
| reduced: src, 15 -> 6 bytes
|   result   src.reduced
| needle
! frng-reduce: src/x and 1 more: not interesting: the predicate exited with 1; it must exit with 0 for an interesting file
! frng-reduce: <here>/q/none: ran without standard input in a private folder with the files alone, then with links to the other files of this folder; give it files elsewhere by absolute paths, and repeat its run by
!   (d=$(mktemp -d) && cp -rs "$PWD"/. "$d" && cd "$d" && <here>/q/none src/x src/y)
! frng-reduce: src: not interesting: the predicate exited with 1; it must exit with 0 for an interesting file
! frng-reduce: <here>/q/none: ran without standard input in a private folder with the files alone, then with links to the other files of this folder; give it files elsewhere by absolute paths, and repeat its run by
!   (d=$(mktemp -d) && cp -rs "$PWD"/. "$d" && cd "$d" && <here>/q/none src)
# The originals may go: the output stays as it was.
$ cd q; mkdir moved; echo more >hay; printf '#!/bin/sh\n[ ! -e %s/src ] || mv %s/src %s/moved\ngrep -q needle src/x && grep -q more hay\n' "$PWD" "$PWD" "$PWD" >mover; chmod +x mover
> frng-reduce -q --predicate ./mover src hay --output both; find both -type f | sort; mv moved/src .
| size=10 output=both
| both/.frng-reduced
| both/hay
| both/src/x
# Files of the current folder have their places there by any path, and the summary's line leaves the originals as they are.
$ cd q; printf '#!/bin/sh\ngrep -q needle src/x && grep -q more hay && [ -e none ]\n' >check
> for path in "$PWD/src/x" ../q/src/x; do
>     rm -rf out; frng-reduce --predicate ./check "$path" hay --output out --jobs 1 --calls 30 2>said; grep '^  check' said; grep '^  check' said | sed 's/check//' | sh; echo $?; cat src/x hay; done
| size=10 output=out
|   check    (d=$(mktemp -d) && cp -rs "$PWD"/. "$d" && (cd "$d" && rm -rf -- out src/x hay) && cp -r -- out/x "$d"/src/x && cp -r -- out/hay "$d"/hay && cd "$d" && <here>/q/check src/x hay)
| 0
| a needle
| more
| size=10 output=out
|   check    (d=$(mktemp -d) && cp -rs "$PWD"/. "$d" && (cd "$d" && rm -rf -- out src/x hay) && cp -r -- out/x "$d"/src/x && cp -r -- out/hay "$d"/hay && cd "$d" && <here>/q/check src/x hay)
| 0
| a needle
| more
# Not through a link, behind which the original would be.
$ cd q; ln -s src link; for files in 'link/x hay' link/x; do frng-reduce --predicate ./check $files --output through; echo $?; done; cd ..; rm -r q
| 2
| 2
! frng-reduce: link/x and 1 more: not interesting: the predicate exited with 2; it must exit with 0 for an interesting file
!   output   grep: src/x: No such file or directory
! frng-reduce: <here>/q/check: ran without standard input in a private folder with the files alone; give it files elsewhere by absolute paths, and repeat its run by
!   (d=$(mktemp -d) && cp -r -- link/x hay "$d" && cd "$d" && <here>/q/check x hay)
! frng-reduce: link/x: not interesting: the predicate exited with 2; it must exit with 0 for an interesting file
!   output   grep: src/x: No such file or directory
! frng-reduce: <here>/q/check: ran without standard input in a private folder with the file alone; give it files elsewhere by absolute paths, and repeat its run by
!   (d=$(mktemp -d) && cp -- link/x "$d"/x && cd "$d" && <here>/q/check x)
# What the user puts in the output stays, and no second reduction writes it at the same time.
$ mkdir -p r/src; cd r; for i in 1 2 3; do (echo needle$i; seq 99) >src/f$i; done; HERE=$PWD; export HERE
> printf '#!/bin/sh\n[ -e "$HERE/said" ] || (cd "$HERE"; frng-reduce --predicate ./check src --output out >said 2>&1)\n! [ -e "$HERE/out/f1" ] || : >"$HERE/out/during"\ngrep -q needle1 src/f1 && grep -q needle2 src/f2\n' >check; chmod +x check
> frng-reduce -q --predicate ./check src --output out; cat said; mkdir out/mine; echo note >out/mine/x; ln -s x out/mine/link
> frng-reduce -q --predicate ./check src --output out --calls 9; frng-reduce --predicate ./check src/f1 src/f2 --output out 2>&1 | grep -e '^frng' -e result; echo mine >out/f3; frng-reduce -q --predicate ./check src --output out; echo $?; ls -A . out out/mine; grep -r . out | sed 's/done .*/done/' | sort
| size=14 output=out
| frng-reduce: out: another frng-reduce writes it; give another --output
| size=592 output=out
| frng-reduce: <here>/r/check: finds src/f1 and 1 more interesting only beside the other files of this folder; its runs get links to them
|   result   out
| 2
| .:
| check
| out
| said
| src
|
| out:
| .frng-reduced
| during
| f1
| f2
| f3
| mine
|
| out/mine:
| link
| x
| out/.frng-reduced:done
| out/.frng-reduced:f1
| out/.frng-reduced:f2
| out/f1:needle1
| out/f2:needle2
| out/f3:mine
| out/mine/x:note
! frng-reduce: out/f3: is in the way, and not of frng-reduce; move it, or give another --output
# Nor does a second one write a single file, by whatever name: it overwrote what the first one had found.
$ cd r; HERE=$PWD; export HERE; printf '#!/bin/sh\n[ -e "$HERE/told" ] || (cd "$HERE/out"; frng-reduce --predicate ../one f2 --output ../src/../o2 >../told 2>&1)\ngrep -q needle "$1"\n' >one
> chmod +x one; frng-reduce -q --predicate ./one src/f1 --output o2; cat told o2; frng-reduce -q --predicate ./one src/f2 --output o2
| size=6 output=o2
| frng-reduce: ../src/../o2: another frng-reduce writes it; give another --output
| needlesize=6 output=o2
# A predicate that names the originals is told so, and another file's way through a folder leads to what is reduced.
$ cd r; printf '#!/bin/sh\ngrep -q needle1 f1 && ls %s/src >ls\n' "$PWD" >named; chmod +x named; (cd src; frng-reduce --predicate ../named . --calls 3 2>&1 | head -n 1)
> mkdir sub; ln -s ../hay sub/x; (echo needle; echo more) >hay; printf '#!/bin/sh\ngrep -q needle hay && grep -q more sub/../hay\n' >check; frng-reduce -q --predicate ./check hay; cat hay.reduced; echo; cd ..; rm -r r
| frng-reduce: <here>/r/named: has the absolute path of ., where runs find what is not reduced; use a relative one, of the folder that they are in
| size=10 output=hay.reduced
| needlemore

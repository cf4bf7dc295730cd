# The lines of --json, but for times. The schema and frng-events(5) tell what each field means. (suites: sanitized compiled)
$ cat >lines <<'END'
> sed -e '/"event":"\(start\|size\)"/d' -e 's/"seconds":[0-9.e-]*/"seconds":0/; s/"schema":1,//'
> END
$ frng-search sut-modes --json - --rng-seed 7 --attempts 5 --jobs 1 -- at-least 3 2>errors | sh lines | sed '/"tested","size":[12]/d'
| {"event":"tested","size":0,"fresh":true,"runs":1,"failures":0,"others":0,"unreliable":0,"drawn":null,"seconds":0}
| {"event":"best","size":4,"seed":"10262101105036121637","identity":"exit:1","site":null,"signature":"exit:1","flaky":false,"evidence":{"reruns":1,"repeated":1},"replay":"frng-replay sut-modes --size 4 --seed 10262101105036121637 -- at-least 3","runs":4,"reruns":1,"seconds":0,"mode":"spawn"}
| {"event":"best","size":3,"seed":"10262101105036121637","identity":"exit:1","site":null,"signature":"exit:1","flaky":false,"evidence":{"reruns":1,"repeated":1},"replay":"frng-replay sut-modes --size 3 --seed 10262101105036121637 -- at-least 3","runs":5,"reruns":2,"seconds":0,"mode":"spawn"}
| {"event":"tested","size":4,"fresh":true,"runs":1,"failures":1,"others":0,"unreliable":0,"drawn":null,"seconds":0}
| {"event":"tested","size":3,"fresh":false,"runs":1,"failures":1,"others":0,"unreliable":0,"drawn":null,"seconds":0}
| {"event":"done","errors":0,"outcome":"fail","end":"complete","size":3,"seed":"10262101105036121637","identity":"exit:1","site":null,"signature":"exit:1","flaky":false,"rate":{"reruns":20,"repeated":20,"low":0.8315,"high":1.0},"replay":"frng-replay sut-modes --size 3 --seed 10262101105036121637 -- at-least 3","below":2,"passed":5,"bound":0.746,"confidence":0.95,"counted":4,"stretches":3,"tested":null,"also":[],"runs":17,"reruns":21,"seconds":0,"mode":"spawn","statistics":{"runs":17,"told":0,"ran_out":0,"drawn":null,"draws":null,"labels":[],"measures":[],"lost":0,"warning":null}}
$ frng-search sut-modes --json - --rng-seed 7 --attempts 2 --size-max 64 --jobs 1 --quiet -- never | sh lines | tail -2
| {"event":"tested","size":64,"fresh":true,"runs":1,"failures":0,"others":0,"unreliable":0,"drawn":null,"seconds":0}
| {"event":"done","errors":0,"outcome":"pass","end":"complete","claim":"no failure in 11 runs: at each of 3 sizes (16, 32, 64) under 85% of such runs fail (95%)","size":null,"seed":null,"identity":null,"site":null,"signature":null,"flaky":null,"rate":null,"replay":null,"below":null,"passed":null,"bound":0.8419,"confidence":0.95,"counted":null,"stretches":1,"tested":{"runs":2,"sizes":3,"largest":64,"levels":[{"size":16,"runs":2,"counted":2,"bound":0.8419},{"size":32,"runs":2,"counted":2,"bound":0.8419},{"size":64,"runs":2,"counted":2,"bound":0.8419}]},"also":[],"runs":11,"reruns":0,"seconds":0,"mode":"spawn","statistics":{"runs":11,"told":0,"ran_out":0,"drawn":null,"draws":null,"labels":[],"measures":[],"lost":0,"warning":null}}
$ frng-search sut-modes --json - --rng-seed 7 --attempts 2 --size-max 64 --jobs 1 -- once mark 1 2>errors | sh lines | tail -1
| {"event":"done","errors":0,"outcome":"inconclusive","end":"complete","reason":"flaky","size":1,"seed":"4414019431610648416","identity":"exit:1","site":null,"signature":"exit:1","flaky":"0/20","rate":{"reruns":20,"repeated":0,"low":0.0,"high":0.1685},"replay":"frng-replay sut-modes --size 1 --seed 4414019431610648416 -- once mark 1","below":null,"passed":null,"bound":null,"confidence":0.95,"counted":null,"stretches":1,"tested":null,"also":[],"runs":11,"reruns":20,"seconds":0,"mode":"spawn","statistics":{"runs":11,"told":0,"ran_out":0,"drawn":null,"draws":null,"labels":[],"measures":[],"lost":0,"warning":null}}
# A replay: its runs, and its draws with their notes and steps.
$ frng-replay --json - --hex 000000 --runs 3 sut-modes -- says 3 out err | sh lines
| {"event":"run","number":1,"outcome":"fail","identity":"exit:1","site":null,"signature":"exit:1","output":"err\nout\n","seconds":0}
| {"event":"run","number":2,"outcome":"fail","identity":"exit:1","site":null,"signature":"exit:1","output":"err\nout\n","seconds":0}
| {"event":"run","number":3,"outcome":"fail","identity":"exit:1","site":null,"signature":"exit:1","output":"err\nout\n","seconds":0}
| {"event":"done","outcome":"fail","size":3,"signature":"exit:1","runs":3,"passed":0,"failed":3,"other":0,"rate":{"reruns":3,"repeated":3,"low":0.2924,"high":1.0},"replay":"frng-replay sut-modes --hex 000000 -- says 3 out err","records":null,"seconds":0}
! fails with exit:1 (fails in 3 of 3 runs: 100%, 95% confidence 29 to 100%)
$ frng-replay --json - --hex 00 sut-modes -- never | sh lines
| {"event":"run","number":1,"outcome":"pass","identity":null,"site":null,"signature":null,"seconds":0}
| {"event":"done","outcome":"pass","size":1,"signature":null,"runs":1,"passed":1,"failed":0,"other":0,"rate":{"reruns":1,"repeated":0,"low":0.0,"high":0.975},"replay":"frng-replay sut-modes --hex 00 -- never","records":null,"seconds":0}
! passes
$ frng-replay --json - --hex 00 --only timeout sut-modes -- exit 3 | sh lines
| {"event":"run","number":1,"outcome":"other","identity":"exit:3","site":null,"signature":"exit:3","seconds":0}
| {"event":"done","outcome":"inconclusive","size":1,"signature":"exit:3","runs":1,"passed":0,"failed":0,"other":1,"rate":{"reruns":1,"repeated":1,"low":0.025,"high":1.0},"replay":"frng-replay sut-modes --hex 00 -- exit 3","records":null,"seconds":0}
! cannot judge: fails with exit:3, not as --only asks
$ frng-replay --json - --size 40 --seed 7s --trace sut-shows | sh lines
| {"event":"run","number":1,"outcome":"pass","identity":null,"site":null,"signature":null,"seconds":0}
| {"event":"draw","number":1,"offset":0,"size":3,"bytes":"00ffff","kind":"bytes 3","min":null,"max":null,"value":"","note":"first","step":null,"step_number":0}
| {"event":"draw","number":2,"offset":3,"size":20,"bytes":"ffff00200000030000000000008000000080ffff","kind":"bytes 20","min":null,"max":null,"value":"","note":null,"step":null,"step_number":0}
| {"event":"draw","number":3,"offset":23,"size":1,"bytes":"ff","kind":"bool","min":null,"max":null,"value":"true","note":null,"step":null,"step_number":0}
| {"event":"draw","number":4,"offset":24,"size":1,"bytes":"ff","kind":"u8","min":"0","max":"255","value":"255","note":null,"step":null,"step_number":0}
| {"event":"draw","number":5,"offset":25,"size":4,"bytes":"00000080","kind":"u16 0..1000","min":"0","max":"1000","value":"500","note":"\\x1b[31mred\\x1b]0;t\\x07\\x0a","step":null,"step_number":0}
| {"event":"draw","number":6,"offset":29,"size":8,"bytes":"0000008000000040","kind":"u64 1..18446744073709551614","min":"1","max":"18446744073709551614","value":"4611686020574871552","note":null,"step":null,"step_number":0}
| {"event":"done","outcome":"pass","size":40,"signature":null,"runs":1,"passed":1,"failed":0,"other":0,"rate":{"reruns":1,"repeated":0,"low":0.0,"high":0.975},"replay":"frng-replay sut-shows --size 40 --seed 7s","records":8,"seconds":0}
! passes
$ frng-replay --json - --hex '' --runs 1010 /bin/true | sh lines | wc -l
| 1001
! passes each time (fails in 0 of 1,010 runs: 0%, 95% confidence 0 to 0.4%)
# A reader that wants no more, events that cannot be written, and a search that never began.
$ frng-replay --json - --hex 00 --runs 300 --quiet /bin/true | head -n 1 | grep -c start
| 1
$ frng-replay --hex 00 --json /dev/full sut-modes -- never
! passes
! frng-replay: /dev/full: cannot be written: No space left on device
? 125
$ frng-search --json - ./missing
! frng-search: ./missing: not found; check the path, or build it first
? 2
# Notes that name no draw, steps, and what the test says.
$ frng-replay --json - --size 60 --seed 7 --trace wal 2>&1 | sh lines | head -5
| {"event":"run","number":1,"outcome":"fail","identity":"signal:SIGABRT","site":"examples/wal.c:<n> in commit","signature":"signal:SIGABRT at examples/wal.c:<n> in commit","output":"examples/wal.c:<n>: assertion failed in commit: found[key] == model[key]: key 0 holds 4, and 6 was committed before the last commit\n","seconds":0}
| {"event":"draw","number":1,"offset":0,"size":1,"bytes":"3d","kind":"weighted 0..15","min":"0","max":"15","value":"3","note":"event","step":null,"step_number":0}
| {"event":"draw","number":2,"offset":1,"size":1,"bytes":"91","kind":"u8 0..3","min":"0","max":"3","value":"2","note":"key","step":"put","step_number":1}
| {"event":"draw","number":3,"offset":2,"size":1,"bytes":"ae","kind":"weighted 0..15","min":"0","max":"15","value":"10","note":"event","step":null,"step_number":1}
| {"event":"say","draws":3,"offset":3,"text":"committed 0 0 1 0","step":"commit","step_number":2}
# The result line is on stdout if the events are in a file, and a reduction goes on in it.
$ frng-search sut-explained --json events --rng-seed 7 --jobs 1 --quiet -- equal; frng-replay sut-explained --json events --hex 00 -- equal
> frng-reduce sut-explained --json events --jobs 1 --quiet --hex 050507 --explain yes -- equal; sed -n 's/.*"explanation"://p' events
| size=3 seed=3149150492377596911s
| size=3 hex=010101
| {"runs":<n>,"draws":3,"explained":3,"cut":null,"together":null,"statements":[{"draw":0,"offset":0,"name":"key","note":"key","step":null,"kind":"u8 0..30","value":"0","fails":"equal","text":"= size","other":1,"exact":false,"tried":30,"failed":0},{"draw":1,"offset":1,"name":"size","note":"size","step":null,"kind":"u8 0..40","value":"0","fails":"equal","text":"= key","other":0,"exact":false,"tried":40,"failed":0},{"draw":2,"offset":2,"name":"rest","note":"rest","step":null,"kind":"u8 0..25","value":"0","fails":"any","text":"any","exact":true,"tried":25,"failed":25}]}}
! passes
# How reductions end, and what they tell by the way. Bests are told after counts of calls.
$ printf '#!/no/such/interpreter\n' >lost; printf '#!/bin/sh\ngrep -q needle "$1"\n' >interesting; chmod +x lost interesting
> tell() { frng-reduce --json - --jobs 1 "$@" 2>/dev/null | sh lines | sed 's/,"\(passes\|reducers\)":.*//'; }
> tell --hex 00 sut-modes -- never; tell --hex 00 ./lost; tell --hex 00 sut-modes -- once mark2 1; rm mark2
> tell --hex 010101010101 --explain no sut-modes -- two 2 5; head -c 4097 /dev/zero >in; tell --input in --output out --explain no sut-modes -- at-least 4097 | cut -c 1-90
> echo 'a needle' >hay; frng-reduce --predicate ./interesting hay --json - -- a 2>/dev/null | grep -o '"predicate":.*"output":"[^"]*"'
> rm hay.reduced; tell --predicate ./interesting hay -- a; tell --predicate /bin/false lost; tell --predicate ./lost hay
| {"event":"done","outcome":"pass","end":"not-failing","complete":false,"size":null,"hex":null,"identity":null,"site":null,"signature":null,"flaky":null,"rate":null,"replay":null,"also":[],"calls":20,"successes":0,"seconds":0,"mode":"spawn","starts":0,"alike":0
| {"event":"done","outcome":"error","end":"error","complete":false,"size":null,"hex":null,"identity":null,"site":null,"signature":null,"flaky":null,"rate":null,"replay":null,"also":[],"calls":1,"successes":0,"seconds":0,"mode":"spawn","starts":0,"alike":0
| {"event":"done","outcome":"inconclusive","end":"not-failing","complete":false,"reason":"flaky","size":null,"hex":null,"identity":null,"site":null,"signature":null,"flaky":null,"rate":null,"replay":null,"also":[],"calls":21,"successes":0,"seconds":0,"mode":"spawn","starts":0,"alike":0
| {"event":"step","size":6,"pass":"zero-alike","draws":6,"rank":0,"change":{"offset":0,"removed":6,"inserted":6,"before":"010101010101","after":"000000000000"},"calls":3,"successes":1,"seconds":0}
| {"event":"other","size":4,"hex":"00000000","identity":"signal:SIGABRT","site":null,"signature":"signal:SIGABRT","flaky":false,"evidence":{"reruns":1,"repeated":1},"replay":"frng-replay sut-modes --hex 00000000 -- two 2 5","calls":5,"successes":1,"seconds":0,"mode":"spawn"}
| {"event":"other","size":3,"hex":"000000","identity":"signal:SIGABRT","site":null,"signature":"signal:SIGABRT","flaky":false,"evidence":{"reruns":1,"repeated":1},"replay":"frng-replay sut-modes --hex 000000 -- two 2 5","calls":7,"successes":1,"seconds":0,"mode":"spawn"}
| {"event":"step","size":5,"pass":"halves","draws":5,"rank":0,"change":{"offset":5,"removed":1,"inserted":0,"before":"00","after":""},"calls":8,"successes":2,"seconds":0}
| {"event":"best","size":5,"hex":"0000000000","identity":"exit:3","site":null,"signature":"exit:3","flaky":false,"evidence":{"reruns":1,"repeated":1},"replay":"frng-replay sut-modes --hex 0000000000 -- two 2 5","pass":"halves","draws":5,"rank":0,"calls":8,"successes":2,"seconds":0,"mode":"spawn"}
| {"event":"other","size":2,"hex":"0000","identity":"signal:SIGABRT","site":null,"signature":"signal:SIGABRT","flaky":false,"evidence":{"reruns":1,"repeated":1},"replay":"frng-replay sut-modes --hex 0000 -- two 2 5","calls":10,"successes":2,"seconds":0,"mode":"spawn"}
| {"event":"done","outcome":"fail","end":"complete","complete":true,"size":5,"hex":"0000000000","identity":"exit:3","site":null,"signature":"exit:3","flaky":false,"rate":{"reruns":3,"repeated":3,"low":0.2924,"high":1.0},"replay":"frng-replay sut-modes --hex 0000000000 -- two 2 5","also":[{"size":2,"hex":"0000","identity":"signal:SIGABRT","site":null,"signature":"signal:SIGABRT","flaky":false,"rate":{"reruns":1,"repeated":1,"low":0.025,"high":1.0},"replay":"frng-replay sut-modes --hex 0000 -- two 2 5"}],"calls":13,"successes":2,"seconds":0,"mode":"spawn","starts":1,"alike":1
| {"event":"done","outcome":"fail","end":"complete","complete":true,"size":4097,"hex":null,"
| "predicate":"<here>/interesting","args":["a"],"file":"hay","files":["hay"],"output":"hay.reduced"
| {"event":"step","size":8,"pass":"blanks","draws":8,"rank":55,"change":{"offset":8,"removed":1,"inserted":0,"before":"0a","after":""},"calls":6,"successes":1,"seconds":0}
| {"event":"step","size":6,"pass":"terms","draws":6,"rank":42,"change":{"offset":0,"removed":2,"inserted":0,"before":"6120","after":""},"calls":8,"successes":2,"seconds":0}
| {"event":"best","size":6,"hex":"6e6565646c65","flaky":false,"evidence":{"reruns":1,"repeated":1},"pass":"bytes","draws":6,"rank":42,"calls":10,"successes":2,"seconds":0}
| {"event":"done","outcome":"interesting","end":"complete","complete":true,"size":6,"hex":"6e6565646c65","flaky":false,"rate":{"reruns":3,"repeated":3,"low":0.2924,"high":1.0},"replay":"(d=$(mktemp -d) && cp -- hay.reduced \"$d\"/hay && cd \"$d\" && <here>/interesting hay a)","output":"hay.reduced","calls":27,"successes":2,"seconds":0,"calls_to_size":8
| {"event":"done","outcome":"uninteresting","end":"not-failing","complete":false,"size":null,"hex":null,"flaky":null,"rate":null,"replay":null,"output":null,"calls":24,"successes":0,"seconds":0,"calls_to_size":24

# frng-report: what it says. What it puts into its page is in tests/cli/test_report.py.
$ frng-report
! frng-report: which events? Usage: frng-report EVENTS... [-o FILE]; see 'frng-report --help'
? 2
$ frng-report missing.jsonl
! frng-report: missing.jsonl: cannot be read: No such file or directory
? 2
$ frng-report - <. || echo $?; ls
| 2
! frng-report: -: cannot be read: Is a directory
$ echo '{"sut":"./queue","event":"start","schema":1,"args":[]}' >events
> echo '{"event":"done","schema":1,"outcome":"fail","size":16,"seed":"9","identity":"exit:3"}' >>events
> frng-report events --ouptut=x
! frng-report: unknown option '--ouptut=x': did you mean --output? See 'frng-report --help'
? 2
$ frng-report events -o events; wc -l <events
| 2
! frng-report: --output events would replace the events: name another file
$ frng-report events -o /dev/full
! frng-report: /dev/full: cannot be written: No space left on device
? 4
# A file without events, or of another version, leaves the page alone.
$ echo old >report.html; echo '{"schema":99,"event":"done"}' >other; : >empty
> for text in 'hello\n' '\177ELF\0\1' '{"event":"start"}\n' '{\n}\n'; do
>   printf "$text" >text; frng-report text
> done; frng-report empty other; cat report.html
| old
! frng-report: text: no events of frng in it; give a file that --json wrote, or a folder of findings
! frng-report: text: no events of frng in it; give a file that --json wrote, or a folder of findings
! frng-report: text: no events of frng in it; give a file that --json wrote, or a folder of findings
! frng-report: text: no events of frng in it; give a file that --json wrote, or a folder of findings
! frng-report: events of schema 99: this frng-report reads schema 1; use the one of the frng that wrote them
$ frng-report empty text
! frng-report: empty and the rest: no events of frng in it; give a file that --json wrote, or a folder of findings
? 2
# A page is replaced as a whole. Lines that are no events are counted.
$ frng-report events; grep -c '"outcome":"fail","size":16' report.html; ls
| 1
| empty
| events
| other
| report.html
| text
$ printf '\n{"event":"best","size":30,"se' >>events; frng-report events
! frng-report: 1 line is not an event, and is skipped
$ printf '\n[]\n{}\n{"event":1}\n{"event":"later","schema":1}\n' >>events; frng-report events; grep -c later report.html
| 0
! frng-report: 4 lines are not events, and are skipped
? 1
$ mkdir found; echo {} >found/0000000001-0000000000000001.json; frng-report found events
! frng-report: found/0000000001-0000000000000001.json: skipped: it is not a finding of frng
! frng-report: 4 lines are not events, and are skipped
# A folder has findings, and the files of events that frng-ci makes.
$ mkdir made; cp events made/a.jsonl; head -n 2 events >made/b.jsonl; cp events made/c; mkfifo made/d.jsonl
> frng-report made -o - | grep -o 'made/[a-z.]*'
| made/a.jsonl
| made/b.jsonl
! frng-report: 4 lines are not events, and are skipped
# Standard streams.
$ frng-report - -o - <events | grep -c '"outcome":"fail","size":16'
| 1
! frng-report: 4 lines are not events, and are skipped
# A reduction behind a search has its own result.
$ frng-search --quiet --all --reduce --rng-seed 1 --attempts 30 --size-max 256 --json each sut-several >lines
> frng-report each -o - | sed -n 's/^<pre><code>frng-replay sut-several \(.*\)<.code>.*/\1/p'
| --size 1 --seed 16860738450190168617s
| --hex 00
| --hex 08080808
| --hex 808080808080808080

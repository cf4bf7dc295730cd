#! needs git
# `git bisect run frng-replay` finds the first bad commit.
$ cat >history <<'END'
> #!/bin/sh
> # history FOLDER WORD...: a repository with one commit a word; its last ./sut is the last word's
> export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=a \
>   GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
> good='#!/bin/sh\ntest $(wc -c) -lt 100\n' bad='#!/bin/sh\ntest $(wc -c) -lt 41\n'
> broken='#!/no/such/interpreter\n' other='#!/bin/sh\nexit 77\n'
> mkdir $1; cd $1; shift
> git init --quiet --initial-branch main
> for word; do
>   eval "printf \"\$$word\"" >sut; chmod +x sut; echo $((n += 1)) $word >version
>   git add . && git commit --quiet --message "$n $word"
> done
> git bisect start HEAD $(git rev-list HEAD | tail -n 1) >/dev/null
> END
> chmod +x history
$ ./history one good good good good good good bad bad bad bad bad
> cd one && git bisect run frng-replay ./sut --size 41 --seed 7 >../out 2>&1
> echo $?; git log -1 --format=%s bisect/bad
| 0
| 7 bad
# Commits that do not start or fail otherwise are skipped.
$ ./history two good good broken good bad bad other bad bad
> cd two && git bisect run frng-replay ./sut --only exit:1 --size 41 --seed 7 >../out 2>&1
> echo $?; git log -1 --format=%s bisect/bad
| 0
| 5 bad

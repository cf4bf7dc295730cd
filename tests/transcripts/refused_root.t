#! if test $(id -u) = 0 && prlimit true && setpriv --reuid 65534 --regid 65534 --clear-groups test -x $BUILD/driver/frng-search
# A process that gains rights, and so cannot be killed, is named once and not waited for. (suites: plain)
$ chmod 755 .; cp $(which setpriv) become-root; chmod 4755 become-root; as='setpriv --reuid 65534 --regid 65534 --clear-groups'
> printf '#!/bin/sh\n./become-root --reuid 0 sh -c "echo \$\$ >>pids; exec sleep 60" </dev/null >/dev/null 2>&1 &\nsleep 0.2\n' >leaves
> killed='frng-search: process 0, which a run left behind, cannot be killed; it is left alone; 0'; chmod +x leaves
> $as ./become-root --reuid 0 true || { echo "$killed"; exit; } # no rights are gained here
> $as frng-search --containment subreaper --jobs 1 --attempts 3 --size-max 4 ./leaves 2>err; status=$?
> echo "$(grep 'cannot be killed' err); $status"; kill $(cat pids)
| frng-search: process <n>, which a run left behind, cannot be killed; it is left alone; 0
# RLIMIT_NPROC counts all processes of a user, and holds for all but root: without one a tool says so.
$ user=$((100000 + $$)); chown $user .; echo 'a needle' >hay; printf '#!/bin/sh\nexec grep -q needle "$1"\n' >interesting; chmod +x interesting
> room() { limit=$((1 + $1)); shift; setpriv --reuid $user --regid $user --clear-groups --inh-caps=-all --bounding-set=-all \
>   prlimit --nproc=$limit:$limit "$@" 2>&1; echo $?; }
> export ASAN_OPTIONS=detect_leaks=0 # that takes a process
> for spare in 0 1; do room $spare frng-search -q --jobs 1 --findings found sut-modes -- at-least 5; done
> room 0 frng-replay --size 9 --seed 1 sut-modes -- at-least 5; room 1 frng-reduce -q --predicate ./interesting hay --jobs 1
> cat hay; ls found | grep ^0
| frng-search: cannot run worker processes: Resource temporarily unavailable
| 4
| frng-search: cannot start a run: Resource temporarily unavailable
| 4
| frng-replay: cannot start the run: Resource temporarily unavailable
| 125
| frng-reduce: cannot start a run: Resource temporarily unavailable
| 4
| a needle
? 1
# A folder above that cannot be read has no links.
$ mkdir -p shut/proj; cd shut/proj; (echo hay; echo needle) >a; echo >helper; printf '#!/bin/sh\n# ../x\n[ -e helper ] && grep -q needle a\n' >check
> chmod +x check; chmod 311 ..; setpriv --bounding-set=-dac_override,-dac_read_search frng-reduce -q --predicate ./check a >out 2>&1; cat a.reduced; cd ../..; chmod 711 shut; rm -r shut
| needle<no newline>

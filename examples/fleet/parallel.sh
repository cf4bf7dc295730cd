#!/bin/sh
# Searches on several machines by GNU parallel and ssh, with all processors of each.
#
#     HOSTS=node1,node2 parallel.sh TARGET [OPTION of frng-search]... [-- ARG...]
#
# All see the current folder under the same path, and `found` in it. `:` is this machine. A
# failed worker is started again.
hosts=${HOSTS:-:}
count=$(echo "$hosts" | tr , '\n' | grep -c .)
# shellcheck disable=SC2016,SC2046 # the inner shell expands, and numbers are words
exec parallel --sshlogin "$hosts" --jobs 1 --retries 3 --workdir "$PWD" --env PATH \
    --line-buffer --tag -I INDEX --quote sh -c '
        frng-search "$@" || [ $? -eq 1 ]' worker --findings found --keep-going --time 8h --worker parallel-INDEX "$@" \
    ::: $(seq 1 "$count")

#!/bin/sh
# completions.sh BUILD
# The completions of each shell have every long option that --help all prints, and those of bash work.
# Exit status 77 (skipped) without bash.
set -u
build=$1
folder=$build/driver/completions
command -v bash >/dev/null || { echo "skipped: bash is not installed"; exit 77; }
status=0

bad() { printf 'FAILED: %s\n' "$*"; status=1; }

for tool in search replay reduce report status; do
    options=$("$build/driver/frng-$tool" --help all | sed "s/'[^']*'//g" | grep -E '^  (  |-)' |
        grep -oE '(^| )--[a-z][a-z-]*' | tr -d ' ' | sort -u)
    least=15
    case $tool in
    report | status) least=3 ;;
    esac
    [ "$(echo "$options" | wc -l)" -ge $least ] || bad "frng-$tool --help has few options"
    for option in $options; do
        grep -qE -e "[' {,(]$option[][' =})]" "$folder/frng-$tool" || bad "bash: no $option for frng-$tool"
        grep -qE -e "$option[]['=[})]" "$folder/_frng-$tool" || bad "zsh: no $option for frng-$tool"
        grep -qE -e " -l ${option#--} " "$folder/frng-$tool.fish" || bad "fish: no $option for frng-$tool"
    done
    bash -n "$folder/frng-$tool" || bad "bash -n frng-$tool"
    if command -v zsh >/dev/null; then zsh -n "$folder/_frng-$tool" || bad "zsh -n _frng-$tool"; fi
    if command -v fish >/dev/null; then
        fish -n "$folder/frng-$tool.fish" || bad "fish -n frng-$tool.fish"
    fi
done

# complete EXPECTED WORD...: the last word is completed to EXPECTED, words apart by blanks.
complete() {
    expected=$1
    shift
    # shellcheck disable=SC2016 # the inner shell expands
    got=$(bash -c '. "$0"
        COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2))
        "_${1//-/_}"
        echo "${COMPREPLY[*]}"' "$folder/$1" "$1" "$@")
    [ "$got" = "$expected" ] || bad "'$*' is completed to '$got', not '$expected'"
}

cd "$folder" || exit 99
complete --attempts frng-search --at
complete "--require --reduce" frng-search ./sut --re
complete "--reduce" frng-search ./sut --red
complete spawn frng-search --mode sp
complete spawn frng-search --mode = sp
complete "spawn fork persistent auto" frng-search --mode =
complete "" frng-search --attempts ""
complete frng-search.fish frng-search --json frng-search.f
complete frng-search.fish frng-search ./sut -- --mode frng-search.f
complete --predicate frng-reduce --pre
complete --finding frng-replay --fin
cd ..
complete events.schema.json frng-replay ./sut --finding events.
complete "" frng-replay ./sut --finding frng-
[ $status -ne 0 ] || echo "completions: agree with --help"
exit $status

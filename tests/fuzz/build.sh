#!/bin/sh
# build.sh CLANG LEVEL OUTPUT DEPFILE SOURCE
# Compile the targets and what they use of driver/ for libFuzzer, AddressSanitizer and
# UndefinedBehaviorSanitizer into the program OUTPUT. DEPFILE gets what it was made of, for Ninja.
set -eu
export clang=$1
level=$2 output=$3 depfile=$4 source=$5
export flags="-std=c11 -D_GNU_SOURCE -gline-tables-only $level -Wall -Wextra -Wmissing-prototypes -Wno-missing-field-initializers -Werror -fno-omit-frame-pointer
    -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all -I$source/frng -I$source/tests/fuzz"
for layer in base core run search reduce store show tool; do
    flags="$flags -I$source/driver/$layer"
done
flags="$flags $(pkg-config --cflags libsodium jansson)"
export objects=$output.objects
rm -rf "$objects"
mkdir -p "$objects/driver" "$objects/fuzz"
# What no target uses takes a third of the time; without anything else the program does not link.
unused='accept|crash_site|engine|events|explain|file_set|keeper|outside|pool|reduce|reduce_f[a-z]*|reducers|search|search_result|session|share|standing|strategy|fleet_report|warmth|worker'
# shellcheck disable=SC2016 # the inner shell expands them
find "$source/driver" "$source/tests/fuzz" -name '*.c' | grep -vE "/($unused|[a-z]*_main)[.]c$" |
    xargs -P 2 -I '{}' sh -c '
    case {} in */fuzz/*) name=$objects/fuzz/ ;; *) name=$objects/driver/ ;; esac
    name=$name$(basename "{}" .c)
    exec "$clang" $flags -MMD -MF "$name.d" -c "{}" -o "$name.o"'
# What targets play themselves comes first, and takes the place of the driver's; what the driver has
# no more has no prototype, and does not compile.
# shellcheck disable=SC2046,SC2086 # words are meant to be split
"$clang" $flags -fsanitize=fuzzer -Wl,-z,muldefs "$objects"/fuzz/*.o "$objects"/driver/*.o \
    $(pkg-config --libs libsodium jansson) -lm -o "$output"
{
    printf '%s:' "$output"
    cat "$objects"/*/*.d | sed -e 's/^[^ ]*://' | tr -d '\\' | tr -s ' \n' ' '
    echo
} >"$depfile"

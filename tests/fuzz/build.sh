#!/bin/sh
# build.sh CLANG OUTPUT DEPFILE SOURCE [TARGET.c]
# Compile for libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer: without TARGET.c all layers
# of driver/ into the library OUTPUT; else one target and the library beside it into the program
# OUTPUT. DEPFILE gets what it was made of, for Ninja.
set -eu
export clang=$1
output=$2 depfile=$3 source=$4
export flags="-std=c11 -D_GNU_SOURCE -g -O1 -Wall -Wextra -Wno-missing-field-initializers -Werror -fno-omit-frame-pointer
    -fsanitize=address,undefined -fno-sanitize-recover=all -I$source/frng"
for layer in base core run search reduce store show tool; do
    flags="$flags -I$source/driver/$layer"
done
flags="$flags $(pkg-config --cflags libsodium jansson)"
export objects=$output.objects
rm -rf "$objects"
mkdir -p "$objects"
if [ $# -eq 4 ]; then
    # shellcheck disable=SC2016 # the inner shell expands them
    find "$source/driver" -name '*.c' ! -name '*_main.c' | xargs -P 2 -I '{}' sh -c '
        name=$objects/$(basename "{}" .c)
        exec "$clang" $flags -fsanitize=fuzzer-no-link -MMD -MF "$name.d" -c "{}" -o "$name.o"'
    rm -f "$output"
    ar rcs "$output" "$objects"/*.o
else
    # shellcheck disable=SC2046,SC2086 # words are meant to be split
    "$clang" $flags -I"$source/tests/fuzz" -fsanitize=fuzzer -MMD -MF "$objects/target.d" "$5" \
        "$(dirname "$output")/libdriver-fuzz.a" $(pkg-config --libs libsodium jansson) -lm -o "$output"
fi
{
    printf '%s:' "$output"
    cat "$objects"/*.d | sed -e 's/^[^ ]*://' | tr -d '\\' | tr -s ' \n' ' '
    echo
} >"$depfile"

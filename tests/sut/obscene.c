/* obscene.c: a program that says what no terminal should hear: on stdout and stderr, without a line
 * end, as the site of an assertion, and as the names of its draws.
 *
 *     sut-obscene N KIB [MS]
 *
 * Takes MS milliseconds a run. Aborts when it has drawn N bytes, and says so many KiB before.
 * SPDX-License-Identifier: MIT */
#include "frng_main.h"

#include <time.h>

static const char words[] = "text \x1b[31mred\x1b[2J\x1b]0;title\a\x9b"
                            "31m \xff\xfe\x80 \0 \r\b\x85"
                            "\xe2\x80\xae\xc2\x9b\xed\xa0\x80 \xf4\x90\x80\x80 \"\\ \x7f ";
static unsigned long needed, kib;
static struct timespec pause_before;

static void say_all(void) {
    static char block[1024];
    for (size_t i = 0; i < sizeof block; i++) block[i] = words[i % (sizeof words - 1)];
    for (unsigned long i = 0; i < kib; i++) {
        if (write(1 + (int)(i % 2), block, sizeof block) < 0) break;
    }
}

static bool test(frng *f) {
    nanosleep(&pause_before, NULL);
    for (unsigned long i = 0; i < needed; i++) {
        uint8_t byte;
        frng_note(f, words + i % 8);
        FRNG_TRY(frng_u8(f, &byte));
    }
    say_all();
    frng_on_assert("obscene\x1b]0;title\a\x9b\n\xff.c:12");
    abort();
}

int main(int argc, char **argv) {
    if (argc != 3 && argc != 4) return 64;
    needed = strtoul(argv[1], NULL, 0);
    kib = strtoul(argv[2], NULL, 0);
    if (argc == 4) pause_before.tv_nsec = strtol(argv[3], NULL, 0) * 1000000;
    return frng_run(test);
}

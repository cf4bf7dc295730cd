/* says.c: a test that says what it does. The argument is what it does last:
 *
 *     says passes | aborts | draws | many | repeats
 *
 * It prints the sum of its draws, which must not depend on who listens.
 * SPDX-License-Identifier: MIT */
#include "frng_main.h"
#include "frng_more.h"

static const char *last;

static bool make_rounds(frng *f, unsigned *sum) {
    for (int round = 1; round <= 2; round++) {
        uint8_t who;
        frng_step(f, "fault");
        frng_say(f, "round %d of %s", round, "two");
        frng_note(f, "who");
        FRNG_TRY(frng_u8_max(f, 3, &who));
        *sum += who;
        frng_say(f, "cuts off S%d for %u ms", who, 20u * who);
    }
    return true;
}

static void say_all_kinds(frng *f) {
    char lengthy[400];
    memset(lengthy, 'x', sizeof lengthy - 1);
    lengthy[sizeof lengthy - 1] = '\0';
    errno = 33;
    frng_say(f, "%s", "");
    frng_say(f, "%.*s", 32, lengthy);
    frng_say(f, "%.*s", 64, lengthy);
    frng_say(f, "%.*s", 159, lengthy);
    frng_say(f, "%s", lengthy);
    frng_say(f, "raw \x1b[31mred\nand %s", "\xff\xfe");
    FRNG_ASSERT(errno == 33, "it is %d", errno);
}

/* Seven pushes, the third and the last of other values where the bytes are. */
static bool repeat(frng *f) {
    for (int i = 0; i < 7; i++) {
        uint8_t item;
        frng_step(f, "push");
        FRNG_TRY(frng_u8(f, &item));
        frng_say(f, "%d items", item);
    }
    return true;
}

static bool test(frng *f) {
    unsigned sum = 0;
    if (strcmp(last, "repeats") == 0) return repeat(f);
    const bool has_all = make_rounds(f, &sum);
    frng_say(f, has_all ? "all rounds" : "out of entropy");
    say_all_kinds(f);
    if (strcmp(last, "many") == 0)
        for (int i = 0; i < 70000; i++) frng_say(f, "line %d", i);
    printf("sum %u after %zu bytes%s\n", sum, frng_used(f), frng_listens(f) ? ", heard" : "");
    fflush(stdout);
    if (strcmp(last, "aborts") == 0) abort();
    if (strcmp(last, "draws") == 0) {
        uint8_t more;
        return frng_u8(f, &more);
    }
    return true;
}

int main(int argc, char **argv) {
    last = argc > 1 ? argv[argc - 1] : "passes";
    return frng_run(test);
}

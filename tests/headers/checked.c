/* checked.c: a test that searches by itself, ./checked --check. FAILS names what fails.
 * SPDX-License-Identifier: MIT */
#include "frng_main.h"

static bool push(frng *f, void *state) {
    uint8_t x;
    FRNG_TRY(frng_u8_max(f, 9, &x));
    ++*(int *)state;
    return true;
}

static bool pop(frng *f, void *state) {
    (void)f;
    if (*(int *)state > 0) --*(int *)state;
    return true;
}

static void check(const void *state) {
    const int count = *(const int *)state;
    FRNG_ASSERT(count < 6, "%d are in the stack", count);
}

static bool test(frng *f) {
    const char *fails = getenv("FAILS");
    static int runs;
    uint8_t items[8] = {0};
    size_t count = 0, length;
    char word[5];
    int x, y;
    bool coin;
    frng_note(f, "xs");
    frng_list(f, 0, 3, i) {
        FRNG_TRY(frng_int_range(f, 0, 1, &x));
        FRNG_TRY(frng_int_range(f, -1, 1, &y));
    }
    frng_note(f, "lists");
    frng_list(f, 2, 2, i) { frng_list(f, 1, 1, k) FRNG_TRY(frng_bool(f, &coin)); }
    frng_note(f, "word");
    FRNG_TRY(frng_string_of(f, "a\0", 2, 2, 4, word, &length));
    if (length > 2) frng_label(f, "long");
    frng_note(f, "coin");
    FRNG_TRY(frng_bool(f, &coin));
    if (fails == NULL) return true;
    if (strcmp(fails, "once") == 0) FRNG_ASSERT(++runs != 10);
    if (strcmp(fails, "false") == 0) return !coin;
    while (strcmp(fails, "hangs") == 0 && length == 3) pause();
    if (strcmp(fails, "rarely") == 0) { /* one byte of 256, and no other draw */
        uint8_t rare;
        frng_step(f, "hit");
        FRNG_TRY(frng_u8(f, &rare));
        FRNG_ASSERT(rare != 7);
    }
    if (strcmp(fails, "rules") == 0) {
        static const frng_rule rules[] = {{"push", push}, {"pop", pop}};
        int stack = 0;
        return frng_repeat(f, rules, 2, &stack, check);
    }
    while (strcmp(fails, "many") == 0) {
        frng_step(f, "push");
        FRNG_TRY(frng_u8_max(f, 9, &items[count]));
        frng_say(f, "item %zu", count);
        FRNG_ASSERT(++count < sizeof items, "%zu are too many", count);
    }
    return true;
}

FRNG_MAIN(test)

/* libedit: entries of the history are counted from 1, and from 0.
 *
 * Library: libedit's interface of readline
 * Bug: `replace_history_entry(0)` is NULL, and `history_set_pos(0)` leads to no entry
 * Packages: libedit-dev
 * Link: -ledit
 *
 * history(3readline): "Make the history entry at offset which have line and data. This returns the
 * old entry" and "Return the history entry at the current position, as determined by
 * where_history()". GNU's own passes this test. SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <editline/readline.h>

static void check(const char *what, int at, HIST_ENTRY *got, const char *wanted) {
    FRNG_ASSERT(got != NULL && strcmp(got->line, wanted) == 0, "%s %d is %s, not %s", what, at,
                got != NULL ? got->line : "NULL", wanted);
}

static bool test(frng *f) {
    char lines[8][2] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    uint8_t count, at;
    bool replaces;
    FRNG_TRY(frng_u8_range(f, 1, 8, &count));
    using_history();
    for (int i = 0; i < count; i++) add_history(lines[i]);
    for (;;) {
        FRNG_TRY(frng_u8_max(f, (uint8_t)(count - 1), &at) && frng_bool(f, &replaces));
        if (replaces) {
            check("replaced", at, replace_history_entry(at, "x", NULL), lines[at]);
            lines[at][0] = 'x';
        } else {
            FRNG_ASSERT(history_set_pos(at) == 1 && where_history() == at, "no place %d", at);
            check("current", at, current_history(), lines[at]);
        }
    }
}

FRNG_MAIN(test)

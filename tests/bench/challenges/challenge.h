/* challenge.h: what the files of challenges share: a table of tests by name.
 * SPDX-License-Identifier: MIT */
#ifndef CHALLENGE_H
#define CHALLENGE_H

#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include <frng_assert.h>

/* A test that repeats is drawn again and again until the entropy is out. */
enum { AS_IS, REPEATS };

typedef struct challenge {
    const char *name;
    bool (*test)(frng *f);
    unsigned how;
} challenge;

/* The last row of each has no name. */
extern const challenge training[], held_out[], fresh_ones[], fresh_test[], unseen[];

/* The challenge that is run. */
extern const challenge *this_challenge;

/* False if none has this name. */
static inline bool find_challenge(const char *name) {
    const challenge *const tables[] = {training, held_out, fresh_ones, fresh_test, unseen};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        for (this_challenge = tables[i]; this_challenge->name != NULL; this_challenge++) {
            if (strcmp(this_challenge->name, name) == 0) return true;
        }
    }
    return false;
}

static inline bool run_challenge(frng *f) {
    do {
        FRNG_TRY(this_challenge->test(f));
    } while (this_challenge->how == REPEATS);
    return true;
}

#endif

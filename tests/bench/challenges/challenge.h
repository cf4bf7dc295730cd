/* challenge.h: what the files of challenges share: a table of tests by name.
 * SPDX-License-Identifier: MIT */
#ifndef CHALLENGE_H
#define CHALLENGE_H

#include <stdlib.h>
#include <string.h>

#include <frng_assert.h>
#include <frng_more.h>

/* How a challenge differs from the one that has its test, too. */
enum {
    AS_IS,
    REPEATS,        /* it is drawn again and again until the entropy is out */
    SWAPS = 2,      /* of binheap */
    TO_4_APART = 4, /* of difference */
    ONE_APART = 8   /* the same */
};

typedef struct challenge {
    const char *name;
    bool (*test)(frng *f);
    unsigned how;
} challenge;

/* The last row of each has no name. */
extern const challenge classics[], machines[], values[], training[], held_out[];
extern const challenge fresh_ones[], fresh_test[], unseen[];

/* The challenge that is run. */
extern const challenge *this_challenge;

static inline bool is_so(unsigned how) { return (this_challenge->how & how) != 0; }

/* False if none has this name. */
static inline bool find_challenge(const char *name) {
    const challenge *const tables[] = {fresh_ones, fresh_test, classics, machines,
                                       values,     training,   held_out, unseen};
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
    } while (is_so(REPEATS));
    return true;
}

#endif

/* bests.h: failures that the search relied on, each smaller than the one before it. The search
 * keeps them in case the last ones turn out to be flaky. */
#ifndef BESTS_H
#define BESTS_H

#include "failure.h"

#include <stdbool.h>
#include <stddef.h>

enum { BESTS_MAX = 64 };

typedef struct bests {
    size_t count;
    failure *list; /* room for BESTS_MAX */
} bests;

/* Allocate the list. Return false if memory is out. */
bool bests_init(bests *b);
void bests_finish(bests *b);

/* Return the smallest, or NULL if there is none. */
failure *bests_smallest(const bests *b);

/* Add a failure at its place. If there is no room, drop the largest. Return true if the new one is
 * the smallest. */
bool bests_add(bests *b, const failure *f);

void bests_drop_smallest(bests *b);

#endif

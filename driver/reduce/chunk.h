/* chunk.h: stretches of draws that can be taken out so that what follows stands where something
 * alike stood: items of a list, rounds of a loop. */
#ifndef CHUNK_H
#define CHUNK_H

#include "testcase.h"

/* Units that follow each other from draw `at` on, each with `step` draws like the one at `at`; far
 * ones are not counted. */
uint64_t chunk_count(const testcase *t, size_t at, size_t step);

/* The draw behind `count` of them; count is 1..chunk_count. */
size_t chunk_end(const testcase *t, size_t at, size_t step, uint64_t count);

/* Whether the chunk of one step at `at` is the same as the one behind it; of a row of equal items,
 * all but the last are. What fails for one of them most likely does for the others. */
bool chunk_repeats(const testcase *t, size_t at);

#endif

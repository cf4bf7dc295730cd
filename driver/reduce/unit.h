/* unit.h: stretches of draws that can be taken out so that what follows stands where something
 * alike stood: items of a list, rounds of a loop. */
#ifndef UNIT_H
#define UNIT_H

#include "testcase.h"

/* Units that follow each other from draw `at` on, each with `step` draws like the one at `at`; far
 * ones are not counted. */
uint64_t unit_count(const testcase *t, size_t at, size_t step);

/* The draw behind `count` of them; count is 1..unit_count. */
size_t unit_end(const testcase *t, size_t at, size_t step, uint64_t count);

/* Whether the unit of one step at `at` is the same as the one behind it; of a row of equal items,
 * all but the last are. What fails for one of them most likely does for the others. */
bool unit_repeats(const testcase *t, size_t at);

#endif

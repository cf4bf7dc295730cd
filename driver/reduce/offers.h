/* offers.h: test cases of other reducers (reduce_source) become the best if they fail here too. */
#ifndef OFFERS_H
#define OFFERS_H

#include <stdbool.h>

typedef struct reduction reduction;

/* True if it is time to look for test cases of others. */
bool offers_are_due(const reduction *r);

/* Look for a test case of others. One that is smaller than the best is run, up to OFFERS_TRIES
 * times, and becomes the best if it fails as a step has to; what was in flight is cancelled. True
 * if it is the best now: the schedule begins anew. */
enum { OFFERS_TRIES = 3 };
bool offers_take(reduction *r);

#endif

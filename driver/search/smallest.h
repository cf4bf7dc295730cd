/* smallest.h: the best failure of each signature that a search has met, in its result. */
#ifndef SMALLEST_H
#define SMALLEST_H

#include "search.h"

bool seed_input_equal(seed_input a, seed_input b);

/* Remember the best failure of each signature, with what its reruns said last: what never missed
 * comes before what is flaky, and then what is smaller. False when this is none of them. */
bool smallest_note(search_result *r, const failure *f);

/* Forget the one that is like this failure. */
void smallest_forget(search_result *r, const failure *f);

/* A smaller input of the best's own signature that is flaky: list it too, if there is room. */
void smallest_add(search_result *r, const failure *f);

#endif

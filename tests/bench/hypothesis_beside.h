/* hypothesis_beside.h: included before each challenge: frng_more tells which element it asks for.
 * SPDX-License-Identifier: MIT */
#include <frng_more.h>

extern uint64_t beside_count;
#define frng_more(f, count, min, max, more)                                                        \
    (beside_count = (count), frng_more(f, count, min, max, more))

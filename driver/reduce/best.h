/* best.h: what a result means for the best test case so far. */
#ifndef BEST_H
#define BEST_H

#include "reducer.h"

/* A candidate that failed is the best if it is simpler and of interest, and once something was
 * flaky, if it fails as often as the result does. True if so; what was best before is the base
 * then, unless that is kept. */
bool best_take(reducer *r, const run_result *run, const candidate_set *given, uint32_t i,
               bool keeps_base);

/* Remember that a candidate passed, and with it all that it would tell of others. */
void best_remember(reducer *r, const candidate_set *given, uint32_t i);

#endif

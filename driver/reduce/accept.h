/* accept.h: what a result means for the best test case so far. */
#ifndef ACCEPT_H
#define ACCEPT_H

#include "reduction_state.h"

/* A failure as a run reported it. */
failure accept_failure(const run_result *run, uint64_t size);

/* True if a run failed as the reduction wants it. */
bool accept_is_interesting(const reduction *r, const run_result *run);

/* Make a candidate that failed the best if it is simpler and of interest and, once something was
 * flaky, fails as often as the result does. What was best before is the base then, unless that is
 * kept. To see whether a flaky one repeats, all that is under way is cancelled. */
bool accept_try(reduction *r, const run_result *run, const candidate_set *set, uint32_t i,
                bool keeps_base);

/* Remember that a candidate passed, and with it all that would draw the same bytes. */
void accept_reject(reduction *r, const candidate_set *set, uint32_t i);

#endif

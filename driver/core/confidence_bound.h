/* confidence_bound.h: an upper bound on how often a size fails after fresh runs of it passed. */
#ifndef CONFIDENCE_BOUND_H
#define CONFIDENCE_BOUND_H

#include <stdint.h>

/* Return an upper bound on the share of fresh runs that fail. With 95% confidence, a size at which
 * `passed` fresh runs in a row passed, in stretch `stretch_number` (1 for the first) of a search,
 * fails less often than that. The confidence holds for the bounds of all stretches of a search
 * together. It also holds for a fleet, of which both arguments are sums: the passes of all workers
 * at the size just below the smallest failure, and all stretches of all workers. Of a mixture of
 * two styles, `passed` counts as many runs of one as of the other. */
double confidence_bound(uint64_t passed, uint64_t stretch_number);

#endif

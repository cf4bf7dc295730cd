/* growth.h: rows of runs at growing sizes, while nothing fails. Private to size_search.c.
 *
 * Levels are the sizes 1, 2, 4, ... up to size_max. A row is fresh runs of one level. First, rows
 * give each level the runs that are due. Where the search is endless, rows for the level that has
 * cost least follow for ever. Whatever else should be tried after a first round without a failure
 * begins in growth_next_row, and is a row of its own kind. */
#ifndef GROWTH_H
#define GROWTH_H

#include "size_search.h"

/* Cost of a run beside its size, in bytes. Decisions count bytes, not time, so that a search can be
 * repeated. The start of a process takes about as long as a test takes for some kilobytes. */
enum { GROWTH_RUN_COST = 4096 };

/* Set s->level and s->row to the next row. No row is left if s->row is 0. */
void growth_next_row(const strategy_config *config, size_search *s);

/* Return the bytes of a run of this level. */
uint64_t growth_size(const strategy_config *config, unsigned level);

/* Return the mix of the row: with EXPAND_BOTH the rows of a level are plain and styled in turn. */
batch_mix growth_mix(const strategy_config *config, const size_search *s);

/* Return the bytes that a run of this level draws on average; its size if that is unknown. */
uint64_t growth_mean_drawn(const strategy_config *config, const size_search *s, unsigned level);

/* Return the fresh runs at the full levels, which can be compared. It is unknown how many of them
 * would have failed while nothing has. */
uint64_t growth_runs(const strategy_config *config, const size_search *s);

/* Return the least number of runs of a full level. */
uint64_t growth_runs_least(const strategy_config *config, const size_search *s);

/* Return the number of runs that complete the credit for `quota` runs, if they pass. */
uint64_t growth_runs_left(uint64_t quota, uint64_t credit);

/* Return how many of these passes, some of them styled, a bound counts. A run of the mixture has
 * either style with equal chances, so that only pairs of both count (confidence_bound.c). */
uint64_t growth_counted(const strategy_config *config, uint64_t passed, uint64_t styled);

/* Return the claim while nothing has failed. */
run_claim growth_claim(const strategy_config *config, const size_search *s);

#endif

/* seeds.h: the seeds of a search, derived from its master seed (--rng-seed). Pure, and frozen: an
 * --rng-seed repeats its search in every later version. */
#ifndef SEEDS_H
#define SEEDS_H

#include "seed_input.h"

/* Return the seed of fresh run `number` of a search, if that run has `size` bytes. A search never
 * uses a number twice, at any size, so each fresh run is new evidence. Consecutive numbers have
 * consecutive seeds: they fit in one batch. */
uint64_t seeds_fresh(uint64_t master_seed, uint64_t size, uint64_t number);

/* Return the number of the first fresh run of a search that resumes from `best`. A search that does
 * not resume counts from 0 and never reaches it, so the two share no run. */
uint64_t seeds_first_resumed(seed_input best);

#endif

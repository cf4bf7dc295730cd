/* guide.h: guided runs: inputs made from what comparisons of earlier runs have shown.
 *
 *     cost = guide_begin(g, ...);                   // once
 *     switch (guide_turn(g, fresh, is_over, &room)) // before each batch
 *     case GUIDE_ROW: guide_fill(g, set);           // submit the set
 *     case GUIDE_WAIT: ...                          // take results first
 *     case GUIDE_FRESH: ...                         // submit at most `room` fresh runs
 *     guide_take(g, set, passed);                   // of each guided set, in order
 */
#pragma once

#include "candidate_set.h"
#include "dictionary.h"
#include "tally.h"

/* Room that each guided set needs. */
enum { GUIDE_SET_BYTES = 1 << 20, GUIDE_SET_RECORDS = 16384 };

typedef struct guide guide;

typedef enum guide_answer { GUIDE_FRESH, GUIDE_ROW, GUIDE_WAIT } guide_answer;

/* All guided runs follow from the seed, the dictionary (borrowed; NULL: none) and the results, and
 * have at most size_max bytes. */
guide *guide_create(uint64_t seed, uint64_t size_max, const dictionary *words);
void guide_destroy(guide *g); /* NULL is allowed */

/* Begin, after so many fresh runs, of `size` bytes in all, of which they drew `drawn`; no run draws
 * more than `most`, as far as is known. `by_draws`: the target records nothing else. Return what
 * they have cost. */
uint64_t guide_begin(guide *g, bool by_draws, uint64_t runs, uint64_t size, uint64_t drawn,
                     uint64_t most);
bool guide_has_begun(const guide *g);

/* Return the cost of later fresh runs: decisions count it, and no time. */
uint64_t guide_cost(const guide *g, uint64_t runs, uint64_t size);

/* What comes after fresh runs of this cost, those under way included: a guided row; fresh runs that
 * cost about *room; or results must be taken first. `is_over`: there is no other fresh run, and
 * guided ones end when they have cost as much. */
guide_answer guide_turn(const guide *g, uint64_t fresh, bool is_over, uint64_t *room);

/* Fill an empty set with the next row. It is under way from now on. */
void guide_fill(guide *g, candidate_set *set);

/* Take the first runs of the oldest row under way, which passed. The rest of it is dropped. */
void guide_take(guide *g, const candidate_set *set, uint32_t passed);

/* Go on from the fresh runs that came highest to goals, too, if those came higher. Call it before
 * guide_take alone, so that the same fresh runs were tallied in any case. */
void guide_offer(guide *g, const tally *t);

/* Return how high any run came to a goal of a tally, a guided one or not. `g` can be NULL. */
uint64_t guide_height(const guide *g, const tally *t, const tally_row *goal);

/* Add to a tally what guided runs saw: how high they came to its goals, and whether code outside
 * of the test compares. `g` can be NULL: there were none. */
void guide_add_to_tally(const guide *g, tally *t);

/* Forget the rows under way: they come again. */
void guide_forget(guide *g);

/* Return the runs of the rows under way. `g` can be NULL: there are none. */
uint64_t guide_runs_under_way(const guide *g);

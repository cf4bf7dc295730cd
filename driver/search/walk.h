/* walk.h: the way of a search down to one best failure. */
#ifndef WALK_H
#define WALK_H

#include "strategy.h"

typedef struct failure failure;
typedef struct search search;

/* Begin a strategy from the best, or from nothing; after an earlier one, number seeds and stretches
 * on. Stop the client if memory is out. */
void walk_begin(search *s);

/* The same, but count on what growing has done so far, and from nothing go on growing. If an
 * earlier turn ended below the best, go on in its stretch; size 0: there was none. */
void walk_turn(search *s, strategy_stretch stretch);

/* Follow the strategy to its end, and take what the source has meanwhile. Return also if a stage
 * waits for its turn while a search for each failure that keeps going grows. */
void walk_follow(search *s);

/* Run an input that another search found meanwhile, and go on below it if it fails and is the
 * smallest. What is under way is cancelled only for that. Return false if there is none now. */
bool walk_try_known(search *s);

/* At the end, go on with twice the attempts if the search keeps going. Return false if it does not,
 * if the client has stopped, or if nothing smaller is left to run. */
bool walk_goes_on(search *s);

/* Rerun the best as often as it takes to call it reliable. If a rerun passes, set it aside and
 * verify the next larger one. Return false if the best changed. */
bool walk_verify(search *s);

/* Run s->known, a failure of another search. Return false if the client stopped before that. */
bool walk_replay_known(search *s);

/* Before a walk, rerun earlier failures, the best first: all of them (SEARCH_EACH), or until one
 * still fails. If that one turns out to be flaky, the next call goes on with the next one. */
void walk_replay_earlier(search *s);

/* Return the claim for this best. It holds only if the strategy went down from the best, and if
 * none of the runs that passed was a failure that did not repeat. */
strategy_claim walk_claim(const search *s, const failure *best);

#endif

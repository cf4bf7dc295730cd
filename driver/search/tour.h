/* tour.h: the way of a search to the smallest failure of each signature.
 *
 * Each signature has a stage (stages.h). The first failure begins the first one: the search
 * walks down from it, and other failures count as passes. Then it turns to the smallest failure
 * of another signature that it met on the way, and so on. When none is left, it goes on growing
 * where it stopped, and failures of all known signatures count as passes, until one fails in a
 * new way or each size has had its runs. */
#ifndef TOUR_H
#define TOUR_H

typedef struct search search;

/* Rerun earlier findings, then search until each signature has its answer. */
void tour_run(search *s);

/* Rerun the best of each stage that waits for its turn as often as it takes to call it reliable. */
void tour_verify(search *s);

/* Conclude a tour that is over, or whose client has stopped: fill result->each. */
void tour_conclude(search *s);

#endif

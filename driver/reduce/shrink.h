/* shrink.h: the loop of a reduction, which sends candidates to workers and takes their results.
 *
 * The schedule proposes each candidate as if no candidate in flight became the best. The first
 * success in this order is the new best, and candidates sent after it are dropped. So the result
 * does not depend on the number of workers. */
#ifndef SHRINK_H
#define SHRINK_H

#include <stdbool.h>

typedef struct reduction reduction;
typedef struct schedule schedule;

/* Run the best as choices. If it fails as before, candidates are choices from now on. */
void shrink_try_choices(reduction *r);

/* Continue with a schedule that has taken the result of its candidate. */
void shrink_from(reduction *r, const schedule *from);

/* Try the schedule's candidates until none is left. */
void shrink_by_schedule(reduction *r);

/* Give the external passes a turn. True if the best has changed: the schedule begins anew. */
bool shrink_by_external(reduction *r);

#endif

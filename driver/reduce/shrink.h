/* shrink.h: the loop of a reduction: candidates of the schedule, on their way out and back.
 *
 * Workers get what the schedule proposes if all that is under way fails. The first success in this
 * order is the new best; what was handed out after it is cancelled. So the result does not depend
 * on how many workers there are. */
#ifndef SHRINK_H
#define SHRINK_H

#include "reduction_state.h"

/* Go on from a schedule that has learned what became of its candidate. */
void shrink_from(reduction *r, const schedule *from);

/* Try what the schedule proposes until nothing is left, or it is the turn of external passes. */
void shrink_by_schedule(reduction *r);

/* Give external passes a turn, until none has anything more. True if one had a success. */
bool shrink_by_external(reduction *r);

#endif

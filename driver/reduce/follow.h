/* follow.h: candidates of the schedule, on their way out and back. */
#ifndef FOLLOW_H
#define FOLLOW_H

#include "reducer.h"

/* Go on from a schedule that was told of a candidate. */
void follow_from(reducer *r, const schedule *told);

/* Follow the schedule until nothing is left to try, or it waits for somebody else. */
void follow_plan(reducer *r);

/* What was taken for a failure and was none may have kept a pass from going on: look at all again.
 * False when there was no such thing. */
bool follow_again(reducer *r);

#endif

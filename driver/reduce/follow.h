/* follow.h: candidates of the plan, on their way out and back. */
#ifndef FOLLOW_H
#define FOLLOW_H

#include "reducer.h"

/* Go on from a plan that was told of a candidate. */
void follow_from(reducer *r, const plan *told);

/* Follow the plan until nothing is left to try, or it waits for somebody else. */
void follow_plan(reducer *r);

/* What was taken for a failure and was none may have kept a pass from going on: look at all again.
 * False when there was no such thing. */
bool follow_again(reducer *r);

#endif

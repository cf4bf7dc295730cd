/* step_change.h: what a step of a reduction changed, as bytes and as draws. */
#ifndef STEP_CHANGE_H
#define STEP_CHANGE_H

#include "event.h"
#include "testcase.h"

typedef struct step_change {
    byte_change bytes;
    draw_change draws; /* no draws at all if the target reports none */
} step_change;

/* Return the difference of two test cases: all between what both begin with and end with. */
step_change step_change_of(const testcase *from, const testcase *to);

#endif

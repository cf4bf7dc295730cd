/* difference.h: how two runs of one input differ, each in a new process of its own. */
#ifndef DIFFERENCE_H
#define DIFFERENCE_H

#include "frng_protocol.h"
#include "seed_input.h"

#include <stdint.h>

typedef enum difference_kind {
    DIFFERENCE_NONE,
    DIFFERENCE_DRAW,  /* another draw, or one more */
    DIFFERENCE_STATE, /* another word of frng_digest */
    DIFFERENCE_END,   /* all is the same but how they ended */
    DIFFERENCE_LATER  /* something, after the last record that there is room for */
} difference_kind;

/* The first difference. The texts are untrusted. */
typedef struct run_difference {
    difference_kind kind;
    seed_input input;
    uint64_t draw; /* number of the draw, from 1 on; of a state and an end, the last one before it;
                        0: before the first */
    uint64_t offset;             /* where that draw begins in the entropy */
    char note[32];               /* its note, or the step that it is in; "" for none */
    char said[FRNG_SAY_MAX + 1]; /* what the test said last, before that; "" for nothing */
} run_difference;

#endif

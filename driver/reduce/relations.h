/* relations.h: which draws fail only as others do: "b fails where it equals a". */
#ifndef RELATIONS_H
#define RELATIONS_H

#include "domain.h"

/* A draw moved to another position. */
typedef struct move {
    size_t draw;
    uint64_t position;
} move;

/* Moves of a few draws together, of which a run tells whether it fails. */
typedef struct question {
    const move *moves;
    size_t count;
} question;

/* Answers questions as an asker does (explore.h). */
typedef struct mover {
    bool (*ask)(void *context, const question *questions, size_t count, bool *fails);
    void *context;
} mover;

/* A draw, and what is known of it alone. */
typedef struct explored {
    domain domain;
    answers known;
    statement statement; /* in positions */
} explored;

/* Explore a draw alone, the values of others included. False once the budget is spent. */
bool relations_explore(explored *all, size_t count, size_t number, const mover *m, uint64_t all_max,
                       uint64_t *random);

/* Look for relations between draws that do not fail with any value, and put them into their
 * statements. A relation agrees with all runs of its draw alone, with runs of both draws at random,
 * and holds for several values of the other draw. False once the budget is spent. */
bool relations_find(explored *draws, size_t count, const mover *m, uint64_t *random);

#endif

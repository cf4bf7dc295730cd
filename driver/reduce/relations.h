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

/* Answers questions as an asker does (explain_values.h). */
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

/* A search for the relations of draws. Its budget, which the mover keeps, stays spent. */
typedef struct relation_search {
    explored *draws; /* borrowed; gets what is found */
    size_t count;
    const mover *mover;
    uint64_t *random; /* the state of the samples */
    uint64_t all_max; /* domains of at most that many values are explored as a whole */
    bool is_spent;
} relation_search;

/* Explore a draw alone, the values of others included. False once the budget is spent. */
bool relations_explore(relation_search *r, size_t number);

/* Look for relations between draws that do not fail with any value, and put them into their
 * statements. A relation agrees with all runs of its draw alone, with runs of both draws at random,
 * and holds for several values of the other draw. False once the budget is spent. */
bool relations_find(relation_search *r);

#endif

/* explain_values.h: which values of a draw fail. A value is a position on an axis, in the order of
 * values; the explorer asks whether positions fail, and makes a statement that agrees with all
 * answers. */
#ifndef EXPLAIN_VALUES_H
#define EXPLAIN_VALUES_H

#include "explanation.h"

/* The positions 0..last, of which `at` is known to fail. */
typedef struct axis {
    uint64_t last, at;
    bool is_ordered;       /* neighbours are alike: ranges make sense */
    const uint64_t *hints; /* positions to ask first; borrowed */
    size_t hint_count;
    uint64_t all_max; /* an axis of at most that many positions is explored as a whole */
} axis;

/* Answers whether each of `count` positions fails. Returns false once the budget is spent. */
typedef struct asker {
    bool (*ask)(void *context, const uint64_t *positions, size_t count, bool *fails);
    void *context;
} asker;

typedef struct answer {
    uint64_t position;
    bool fails;
} answer;

/* Answers by position. */
typedef struct answers {
    answer *list; /* owned */
    size_t count, capacity;
} answers;

void answers_finish(answers *known);

/* Return how many numbers are in 0..n - 1, at random: the next one of *state. n is not 0. */
uint64_t explain_values_random(uint64_t *state, uint64_t n);

/* The same in 0..last; of UINT64_MAX + 1 numbers, the last one never comes. */
uint64_t explain_values_random_upto(uint64_t *state, uint64_t last);

enum {
    EXPLAIN_VALUES_ALL_MAX = 256, /* positions of the longest axis that is explored as a whole */
    EXPLAIN_VALUES_ASKED_MAX = 64 /* positions asked at a time */
};

/* Explore an axis as a whole, or a longer one by samples, galloping and bisecting. *known is
 * zeroed, and gets all answers. *random is the state of the samples. The values of the statement
 * are positions. Return false, and make no statement, if the budget is spent or memory runs out. */
bool explain_values(const axis *l, const asker *a, uint64_t *random, answers *known,
                    statement *out);

/* True if a statement, not EQUAL, agrees with an answer. */
bool explain_values_agrees(const statement *s, uint64_t at, const answer *a);

#endif

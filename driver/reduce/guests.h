/* guests.h: external passes at work: programs of others that make candidates, asked side by side,
 * those that paid best first. */
#ifndef GUESTS_H
#define GUESTS_H

#include "external_pass.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct reducer reducer;

/* What is remembered of an external pass from turn to turn. Zeroed it is new. */
typedef struct guest {
    bool is_aside;      /* it is not asked any more */
    bool is_spent;      /* it has nothing more for the best that there was after ... */
    uint64_t spent_at;  /* ... so many successes */
    bool has_made;      /* a candidate, once */
    unsigned strikes;   /* times that it broke */
    unsigned barren;    /* candidates in a row that could be of no use */
    uint64_t asked;     /* runs of it */
    uint64_t last_made; /* digest of its last candidate; 0: none */

    /* In the turn at hand: */
    uint64_t next;     /* instance to ask for */
    uint64_t began_at; /* with instance 0, after so many successes */
    size_t under_way;
    unsigned known; /* candidates in a row that were tried before */
    bool is_warm;   /* it made something: ask for more than one at a time */
    bool is_ended;  /* it has no such instance */
} guest;

/* Give all of them a turn. True when there was a success. */
bool guests_take_turn(reducer *r);

#endif

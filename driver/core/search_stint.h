/* search_stint.h: what a search is doing, and how far it is with that. */
#ifndef SEARCH_STINT_H
#define SEARCH_STINT_H

#include <stdint.h>

typedef enum search_activity {
    ACTIVITY_STARTING,
    ACTIVITY_GROWING,   /* fresh runs at growing sizes: nothing has failed */
    ACTIVITY_SPLICING,  /* runs that begin as earlier ones did */
    ACTIVITY_BISECTING, /* prefixes of the best */
    ACTIVITY_PROBING,   /* some fresh runs far below the best */
    ACTIVITY_ENDING     /* fresh runs just below the best, which end the search if all pass */
} search_activity;

/* A row of runs of one size, and how many of them are made. */
typedef struct search_stint {
    search_activity activity;
    uint64_t size;   /* bytes */
    uint64_t passed; /* runs that passed, in a row */
    uint64_t wanted; /* runs that have to pass; 0: unknown */
} search_stint;

#endif

/* vacuity.h: signs that runs tested nothing, although they passed. */
#ifndef VACUITY_H
#define VACUITY_H

#include <stdint.h>

typedef struct tally tally;

/* The first that holds is the one to tell. */
typedef enum vacuity {
    VACUITY_NONE,
    VACUITY_NO_DRAWS,  /* no run drew anything */
    VACUITY_STARVED,   /* each run ran out of entropy before its first draw */
    VACUITY_FEW_DRAWS, /* most runs end by themselves within a few draws */
    VACUITY_COUNT
} vacuity;

/* Return the sign in the runs of a search that passed; VACUITY_NONE if the target does not tell
 * what it draws, or there are too few runs to judge. */
vacuity vacuity_of(const tally *t);

/* Return the number of runs that ended by themselves within a few draws. */
uint64_t vacuity_few(const tally *t);

/* Return its word in events; NULL for VACUITY_NONE. */
const char *vacuity_word(vacuity v);

#endif

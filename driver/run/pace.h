/* pace.h: how many runs a batch should have, so that it takes a worker some milliseconds. Runs of
 * one size tend to take alike, so each power of two of the size has its own answer. */
#ifndef PACE_H
#define PACE_H

#include <stdint.h>

enum { PACE_SIZES = 65 }; /* 0, and the powers of two in 64 bits */

/* What batches of about one size took. Nothing is known if zeroed. */
typedef struct pace_of_size {
    uint32_t count;      /* wanted number of runs; 0: no batch of this size was made */
    int64_t least_ns;    /* time of the shortest batch; 0: none yet */
    int64_t overhead_ns; /* the part of it that is not the run; -1: unknown */
} pace_of_size;

/* Empty if zeroed. */
typedef struct pace {
    pace_of_size of[PACE_SIZES];
} pace;

/* Return the largest number of runs that a batch of `size` bytes a run should have. */
uint32_t pace_count(const pace *p, uint64_t size);

/* Take the time of a batch of `ran` runs. */
void pace_add(pace *p, uint64_t size, uint32_t ran, int64_t took_ns);

#endif

/* tally_areas.h: tallies in memory that the driver shares with its workers, one for each batch in
 * flight. After a cancellation a tally stays in use until the worker has answered, since the worker
 * may be writing it. */
#ifndef TALLY_AREAS_H
#define TALLY_AREAS_H

#include "tally.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A tally, and the batch and the worker that use it; number 0 if none do. */
typedef struct tally_area {
    tally *tally;
    uint64_t number;
    unsigned worker;
} tally_area;

/* None if zeroed. */
typedef struct tally_areas {
    size_t count;
    tally_area *list;
    tally *memory;
} tally_areas;

/* Map `count` tallies. Unused ones cost no memory. Returns 0 or an errno. */
int tally_areas_init(tally_areas *a, size_t count);
void tally_areas_finish(tally_areas *a);

/* Return a free tally for a batch; NULL if there are none. */
tally *tally_areas_take(tally_areas *a, uint64_t number, unsigned worker);

/* Free the tally of a batch, if it has one. */
void tally_areas_free(tally_areas *a, uint64_t number);

/* Free the tallies of a worker that has died, of batches before number `wanted`. */
void tally_areas_free_before(tally_areas *a, unsigned worker, uint64_t wanted);

#endif

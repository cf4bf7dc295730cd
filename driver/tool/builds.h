/* builds.h: which builds of which programs are in a fleet: what workers run, and what findings are
 * of. */
#ifndef BUILDS_H
#define BUILDS_H

#include "finding_table.h"
#include "fleet.h"

typedef struct build {
    const char *sut,
        *digest; /* of the path, what follows the last slash; borrowed; NULL: unknown */
    size_t workers, running;
    uint64_t findings, smallest; /* bytes; 0 without findings */
} build;

/* Those with workers first, then those with the smallest findings. */
typedef struct builds {
    build *list;
    size_t count;
} builds;

/* Collect the builds of both. Return false when out of memory. */
bool builds_collect(builds *b, const fleet *f, const finding_table *t);
void builds_finish(builds *b);

#endif

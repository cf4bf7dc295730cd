/* ignored.h: how many runs failed in a way that --ignore names, by signature. */
#ifndef IGNORED_H
#define IGNORED_H

#include "failure.h"

#include <stddef.h>
#include <stdint.h>

enum { IGNORED_MAX = 16 };

typedef struct ignored_row {
    signature signature;
    char site[FAILURE_SITE_MAX];
    uint64_t runs;
} ignored_row;

/* Empty if zeroed. */
typedef struct ignored {
    size_t count;
    ignored_row list[IGNORED_MAX];
    uint64_t rest; /* runs of further signatures */
} ignored;

/* Count a run. */
void ignored_add(ignored *all, const failure *f);

/* Return the number of all runs. */
uint64_t ignored_runs(const ignored *all);

#endif

/* status_look.h: one look of frng-status at its folders. */
#ifndef STATUS_LOOK_H
#define STATUS_LOOK_H

#include "builds.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a look prints a line for each of the first files that it skips. */
typedef enum look_manner { LOOK_WITH_MESSAGES, LOOK_SILENTLY } look_manner;

typedef struct status_look {
    fleet fleet;
    finding_table table;
    builds builds;
    uint64_t skipped; /* count of files that could not be read */
    size_t folders;   /* count of folders that could be read */
    bool failed;      /* a folder could not be read, or memory was out */
} status_look;

/* The folders to look at. All is borrowed. */
typedef struct look_folders {
    char *const *list;
    size_t count;
} look_folders;

/* Look at some folders, once more than `before`, which may be NULL. Fill *l in any case; the caller
 * calls status_look_finish. */
void status_look_take(status_look *l, const status_look *before, look_folders folders,
                      look_manner manner);
void status_look_finish(status_look *l);

#endif

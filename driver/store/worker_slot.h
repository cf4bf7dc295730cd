/* worker_slot.h: the place workers/NAME.json of a findings folder, in which one search reports.
 *
 * Each version of the file is written beside and renamed, so that readers see a whole one. It is
 * not synced: after a loss of power the past is gone, but no finding is. All calls are by path, so
 * that a folder which went away and came back is used again. */
#ifndef WORKER_SLOT_H
#define WORKER_SLOT_H

#include "worker_file.h"

#include <sys/types.h>

typedef struct worker_slot {
    char *folder;    /* DIR/workers */
    char *path;      /* DIR/workers/NAME.json */
    char *temporary; /* its name until it is whole */
    dev_t device;    /* of the version that this slot wrote; inode 0: none */
    ino_t inode;
} worker_slot;

/* Choose the place of `name` in the findings folder `findings`. Touches no file. False when out of
 * memory. Call worker_slot_finish in any case. */
bool worker_slot_init(worker_slot *s, const char *findings, const char *name);
void worker_slot_finish(worker_slot *s);

/* True if another file took the place of the one that this slot wrote. */
bool worker_slot_is_of_another(const worker_slot *s);

/* Read the file of the place. *why is as in worker_file_read, but NULL if there is no file. */
bool worker_slot_read(const worker_slot *s, worker_file *w, const char **why);

/* Rename what is in the place to a free name, NAME.json.aside or with -2, -3 and so on behind it.
 * Return 0 or an errno. *to is that path, which the caller frees. */
int worker_slot_set_aside(const worker_slot *s, char **to);

/* Replace the file, and make its folder if that is missing, but not the findings folder. Return 0
 * or an errno. */
int worker_slot_write(worker_slot *s, const char *text);

#endif

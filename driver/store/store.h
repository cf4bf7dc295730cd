/* store.h: a folder of findings.
 *
 * Any number of writers share the folder without a lock: a writer writes a finding to a temporary
 * file, syncs it and renames it, and two writers of one name write the same finding. Names begin
 * with the size, so that the first name in the folder is that of the best finding. */
#ifndef STORE_H
#define STORE_H

#include "finding.h"

typedef struct store store;

/* A callback for each file that has the name of a finding but is not one. */
typedef void (*store_skipped)(const char *folder, const char *name, const char *why);

/* Open a folder, and make it if it is missing. On failure return NULL with errno. `folder` is
 * borrowed. */
store *store_open(const char *folder);
/* Open a folder to read it: it must be there, and stays as it is. */
store *store_open_there(const char *folder);
void store_close(store *s); /* NULL is allowed */

/* Save a finding. Return 0 when it is on disk, else an errno. */
int store_save(store *s, const finding *f);

/* Return all *count findings, the best first. The caller frees each with finding_free, and the
 * array with free. Skip files whose names are not those of findings. On failure return NULL with
 * errno; an empty folder is not a failure. */
finding *store_load(store *s, store_skipped skipped, size_t *count);

enum { STORE_NAME_MAX = 40 };

/* Write the name of a finding: <size, 10 digits>-<seed, 16 hex digits>.json, with an s behind
 * a styled seed. If the finding has bytes or a chain of seeds, a digest of them stands for the
 * seed. */
void store_name(const finding *f, char name[STORE_NAME_MAX]);

#endif

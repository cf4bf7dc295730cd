/* store.h: a folder of findings.
 *
 * Any number of writers share it without a lock: a finding is written beside its place, synced
 * and renamed, and two writers of one name write the same thing. Names begin with the size, so
 * that the first in the folder is the best. */
#ifndef STORE_H
#define STORE_H

#include "finding.h"

typedef struct store store;

/* Called for each file that is named like a finding and is none. */
typedef void (*store_skipped)(const char *folder, const char *name, const char *why);

/* Open a folder, made if it is not there. NULL with errno. `folder` is borrowed. */
store *store_open(const char *folder);
void store_close(store *s); /* NULL is allowed */

/* Keep a finding; it is on disk when this returns 0, and else an errno says why not. */
int store_save(store *s, const finding *f);

/* All findings, the best first; *count of them, each to be freed with finding_free, the array
 * with free. Files named otherwise are foreign, and passed over. NULL with errno on failure; an
 * empty folder gives an array of none. */
finding *store_load(store *s, store_skipped skipped, size_t *count);

enum { STORE_NAME_MAX = 40 };

/* <size, 10 digits>-<seed, 16 hex digits>.json */
void store_name(const finding *f, char name[STORE_NAME_MAX]);

#endif

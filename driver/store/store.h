/* store.h: a folder of findings.
 *
 * Any number of writers share the folder without a lock: a writer writes a finding to a temporary
 * file, syncs it and renames it, and two writers of one name write the same finding. */
#ifndef STORE_H
#define STORE_H

#include "files.h"
#include "finding.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Names ----
 *
 * The names of the findings are the index of a folder: their order is that of the sizes, so that
 * the best finding is known before any is opened. */

/* A name is <size, 10 digits>-<seed, 16 hex digits>.json, with an s behind a styled seed. */
enum { STORE_NAME_MAX = 34 };

/* True if a file's name has this format. */
bool store_is_name(const char *name);

/* Return the size in such a name, in bytes of entropy. */
uint64_t store_name_size(const char *name);

/* Names in their order, the smallest first; empty when zeroed. */
typedef struct store_names {
    char (*list)[STORE_NAME_MAX];
    size_t count;
} store_names;

void store_names_free(store_names *names);

/* True if a name is there. */
bool store_names_has(const store_names *names, const char *name);

/* Add a name that may be there already. Return false when out of memory. */
bool store_names_add(store_names *names, const char *name);

/* ---- A folder ---- */

/* Make a folder, and those above it, if they are missing. Remove what killed writers left in it.
 * Return 0 or an errno. */
int store_make(const char *folder);

/* ---- Writing ---- */

/* Write the name of a finding. If it has bytes, a digest of them stands for the seed. */
void store_name(const finding *f, char name[STORE_NAME_MAX]);

/* Change a name to one that depends on the program and the arguments too: for a finding whose name
 * is that of one of another program. */
void store_name_apart(const char *sut, const char *const *args, char name[STORE_NAME_MAX]);

/* Write or replace a file; without a text, sync what another process wrote. Only in the folder
 * that the stamp is of; NULL: in any. Return 0 when it is on disk, else an errno. */
int store_write(const char *folder, const file_stamp *of, const char *name, const char *text,
                size_t size);

/* Remove a file, if that can be done, from the folder that the stamp is of. */
void store_remove(const char *folder, const file_stamp *of, const char *name);

/* ---- Reading ---- */

/* List the names of the findings. Return 0 or an errno. The caller calls store_names_free. */
int store_list(const char *folder, store_names *names);

/* Read a file of the folder. The caller calls finding_free. On failure return false; *why is a
 * short constant text for the user, or NULL if there is no such file any more; errno is that of the
 * system, or 0 if the file was read and is no finding. */
bool store_read(const char *folder, const char *name, finding *f, const char **why);

/* ---- Looking for changes ---- */

/* See which folder is at the path, and when its names changed, by the clock of its file system: one
 * call to the system. Return 0 or an errno. */
int store_look(const char *folder, file_stamp *seen);

#endif

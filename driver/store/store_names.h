/* store_names.h: the names of the findings in a folder. They are its index: the order of the names
 * is that of the sizes, so that the best finding is known before any is opened. */
#ifndef STORE_NAMES_H
#define STORE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* List the findings of an open folder by readdir alone. Return 0 or an errno; *names is empty
 * then. The caller calls store_names_free. */
int store_names_read(store_names *names, int folder_fd);
void store_names_free(store_names *names);

/* Return the index of the first name that is not below `name`; the count if all are. */
size_t store_names_find(const store_names *names, const char *name);

#endif

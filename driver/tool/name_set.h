/* name_set.h: a set of names of findings. */
#ifndef NAME_SET_H
#define NAME_SET_H

#include "store.h"

#include <stdbool.h>

/* Sorted. Empty if zeroed. */
typedef struct name_set {
    store_names names; /* owned */
    size_t room;       /* names for which there is memory */
} name_set;

bool name_set_has(const name_set *s, const char *name);

/* Add a name that may be there already. Return false when out of memory. */
bool name_set_add(name_set *s, const char *name);

/* Remove all names, and free the memory. */
void name_set_clear(name_set *s);

#endif

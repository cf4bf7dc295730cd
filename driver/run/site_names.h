/* site_names.h: the sites that addresses in reports of sanitizers stand for, as runs with symbols
 * have shown them. */
#ifndef SITE_NAMES_H
#define SITE_NAMES_H

#include "failure.h"

enum { SITE_NAMES_MAX = 32 }; /* the oldest is forgotten */

typedef struct site_name {
    char address[SITE_MAX], name[SITE_MAX];
} site_name;

/* Empty if zeroed. */
typedef struct site_names {
    size_t count;
    site_name list[SITE_NAMES_MAX];
} site_names;

/* Return the name of a site with an address, or NULL if it is new. It lives until the next
 * site_names_add. */
const char *site_names_find(const site_names *s, const char *address);

/* Keep the name of a site that is new. */
void site_names_add(site_names *s, const char *address, const char *name);

#endif

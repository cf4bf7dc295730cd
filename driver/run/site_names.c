#include "site_names.h"

#include <assert.h>
#include <string.h>

const char *site_names_find(const site_names *s, const char *address) {
    const size_t kept = s->count < SITE_NAMES_MAX ? s->count : SITE_NAMES_MAX;
    for (size_t i = 0; i < kept; i++) {
        if (strcmp(s->list[i].address, address) == 0) return s->list[i].name;
    }
    return NULL;
}

void site_names_add(site_names *s, const char *address, const char *name) {
    assert(strlen(address) < SITE_MAX && strlen(name) < SITE_MAX);
    site_name *to = &s->list[s->count++ % SITE_NAMES_MAX];
    strcpy(to->address, address);
    strcpy(to->name, name);
}

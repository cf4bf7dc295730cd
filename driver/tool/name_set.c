#include "name_set.h"

#include <stdlib.h>
#include <string.h>

static bool is_at(const store_names *n, size_t i, const char *name) {
    return i < n->count && strcmp(n->list[i], name) == 0;
}

bool name_set_has(const name_set *s, const char *name) {
    return is_at(&s->names, store_names_find(&s->names, name), name);
}

static bool make_room(name_set *s) {
    enum { ROOM_FIRST = 16 };
    if (s->names.count < s->room) return true;
    const size_t room = s->room > 0 ? 2 * s->room : ROOM_FIRST;
    void *list = reallocarray(s->names.list, room, sizeof *s->names.list);
    if (list == NULL) return false;
    s->names.list = list;
    s->room = room;
    return true;
}

bool name_set_add(name_set *s, const char *name) {
    store_names *n = &s->names;
    const size_t i = store_names_find(n, name);
    if (is_at(n, i, name)) return true;
    if (!make_room(s)) return false;
    memmove(n->list[i + 1], n->list[i], (n->count - i) * sizeof *n->list);
    strcpy(n->list[i], name);
    n->count++;
    return true;
}

void name_set_clear(name_set *s) {
    store_names_free(&s->names);
    *s = (name_set){.room = 0};
}

#include "story.h"

#include <stdlib.h>
#include <string.h>

static void item_finish(story_item *item) {
    free(item->note);
    free(item->bytes);
    free(item->draw);
    free(item->value);
    free(item->meaning);
}

bool story_add(story *s, story_item item) {
    if (s->count == STORY_MAX) {
        if (item.kind == STORY_DRAW) s->left_out++;
        item_finish(&item);
        return true;
    }
    if (s->count == s->room) {
        const size_t room = s->room == 0 ? 32 : 2 * s->room;
        story_item *grown = realloc(s->items, room * sizeof *grown);
        if (grown == NULL) {
            item_finish(&item);
            return false;
        }
        s->items = grown;
        s->room = room;
    }
    s->items[s->count++] = item;
    return true;
}

static bool has_steps(const story *s) {
    for (size_t i = 0; i < s->count; i++) {
        if (s->items[i].kind == STORY_STEP) return true;
    }
    return false;
}

static size_t count_note(const story *s, const char *note) {
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (s->items[i].kind == STORY_DRAW && strcmp(s->items[i].note, note) == 0) count++;
    }
    return count;
}

/* Return the note of draws that is repeated most often, the first of several; or NULL. */
static const char *most_repeated(const story *s) {
    const char *best = NULL;
    size_t most = 1;
    for (size_t i = 0; i < s->count; i++) {
        const char *note = s->items[i].note;
        if (s->items[i].kind != STORY_DRAW || note[0] == '\0') continue;
        if (best != NULL && strcmp(note, best) == 0) continue;
        const size_t count = count_note(s, note);
        if (count > most) {
            most = count;
            best = note;
        }
    }
    return best;
}

size_t story_operations(const story *s, size_t operations[STORY_MAX]) {
    const bool steps = has_steps(s);
    const char *leader = steps ? NULL : most_repeated(s);
    size_t at = 0;
    if (!steps && leader == NULL) return 0;
    for (size_t i = 0; i < s->count; i++) {
        const story_item *item = &s->items[i];
        const bool leads = steps ? item->kind == STORY_STEP
                                 : item->kind == STORY_DRAW && strcmp(item->note, leader) == 0;
        if (leads && i > 0) at++;
        operations[i] = at;
    }
    return at + 1;
}

void story_finish(story *s) {
    for (size_t i = 0; i < s->count; i++) item_finish(&s->items[i]);
    free(s->items);
    *s = (story){.items = NULL};
}

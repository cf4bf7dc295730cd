#include "story_fields.h"

#include "json_field.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 400 };

/* Return the first of several fields that is there as a text; "" if none is. NULL when out of
 * memory. */
static char *text_of(const json_t *object, const char *const *names) {
    char text[64] = "";
    for (; *names != NULL; names++) {
        const json_t *field = json_object_get(object, *names);
        if (json_is_string(field)) return strndup(json_string_value(field), TEXT_MAX);
        if (json_is_boolean(field)) return strdup(json_is_true(field) ? "true" : "false");
        if (json_is_integer(field)) {
            snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(field));
            return strdup(text);
        }
        if (json_is_real(field)) {
            snprintf(text, sizeof text, "%.17g", json_real_value(field));
            return strdup(text);
        }
    }
    return strdup("");
}

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Add a heading or a note without a draw. */
static bool add_words(story *s, story_kind kind, const char *words) {
    if (words[0] == '\0') return true;
    story_item item = {.kind = kind, .note = strndup(words, TEXT_MAX)};
    item.bytes = strdup("");
    item.draw = strdup("");
    item.value = strdup("");
    item.meaning = strdup("");
    const bool ok = item.note != NULL && item.bytes != NULL && item.draw != NULL &&
                    item.value != NULL && item.meaning != NULL;
    return story_add(s, item) && ok;
}

/* Add the step that begins with a draw, if one does. */
static bool add_step(const json_t *from, story *s) {
    uint64_t number = 0;
    if (json_field_count(from, "step_number", &number)) {
        if (number == s->last_step) return true;
        s->last_step = number;
    }
    return add_words(s, STORY_STEP, json_field_text(from, "step"));
}

/* Add notes without a draw. */
static bool add_notes(const json_t *from, story *s) {
    for (size_t i = 0; i < json_field_items(from, "notes"); i++) {
        const char *note = json_string_value(json_field_item(from, "notes", i));
        if (note != NULL && !add_words(s, STORY_NOTE, note)) return false;
    }
    return true;
}

bool story_fields_add(const json_t *from, story *s) {
    if (!add_step(from, s)) return false;
    if (!add_notes(from, s)) return false;
    story_item item = {.kind = STORY_DRAW};
    json_field_count(from, "offset", &item.offset);
    item.note = text_of(from, NAMES("note"));
    item.bytes = text_of(from, NAMES("bytes"));
    item.draw = text_of(from, NAMES("kind"));
    item.value = text_of(from, NAMES("value"));
    item.meaning = text_of(from, NAMES("text"));
    const bool ok = item.note != NULL && item.bytes != NULL && item.draw != NULL &&
                    item.value != NULL && item.meaning != NULL;
    const char *fails = json_field_text(from, "fails");
    item.is_alone = strcmp(fails, "only") == 0 || strcmp(fails, "fixed") == 0;
    if (ok && item.meaning[0] != '\0') s->has_meanings = true;
    return story_add(s, item) && ok;
}

bool story_fields_add_say(const json_t *from, story *s) {
    return add_step(from, s) && add_words(s, STORY_SAY, json_field_text(from, "text"));
}

static bool add_draws(const json_t *from, const char *name, story *s) {
    for (size_t i = 0; i < json_field_items(from, name); i++) {
        const json_t *item = json_field_item(from, name, i);
        if (json_is_object(item) && !story_fields_add(item, s)) return false;
    }
    return true;
}

/* Count the draws that the event leaves out. */
static void add_left_out(const json_t *from, story *s) {
    const size_t listed = json_field_items(from, "statements") + json_field_items(from, "rest");
    uint64_t draws = 0;
    if (json_field_count(from, "draws", &draws) && draws > listed) s->left_out += draws - listed;
}

bool story_fields_read(const json_t *line, story *s) {
    const json_t *from = json_object_get(line, "explanation");
    const json_t *together = json_object_get(from, "together");
    if (json_field_items(from, "statements") + json_field_items(from, "rest") == 0) return true;
    story_finish(s);
    json_field_count(from, "runs", &s->explained_by);
    json_field_count(together, "draws", &s->any_draws);
    json_field_count(together, "runs", &s->any_runs);
    json_field_count(together, "failed", &s->any_failed);
    s->is_cut = json_field_has(from, "cut");
    add_left_out(from, s);
    const bool ok = add_draws(from, "statements", s) && add_draws(from, "rest", s);
    return ok && add_notes(from, s);
}

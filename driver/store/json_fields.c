/* Structs as JSON, by tables.
 *
 * The files of a findings folder are read by any version of these tools, by scripts and by people,
 * and may have been written by anybody. So each value is checked, and one that makes no sense makes
 * the whole file be skipped; but what a file leaves out is zero, unless its type requires it. Texts
 * for people are escaped where JSON cannot have them. Names and arguments must come back byte by
 * byte: where they are not UTF-8 they are written as hex.
 *
 * A reader borrows the strings from the JSON tree, which it frees as a whole. */
#include "json_fields.h"

#include "bytes.h"
#include "failure.h"
#include "frng_protocol.h"
#include "seed_input.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Words ---- */

json_t *json_word_shown(const char *text) {
    char escaped[4096];
    if (text == NULL) return json_null();
    json_t *string = json_string(text);
    if (string != NULL) return string;
    bytes_escape((const uint8_t *)text, strlen(text), true, escaped, sizeof escaped);
    return json_string(escaped);
}

json_t *json_hex(const void *bytes, size_t size) {
    char *hex = memory_new(2 * size + 1);
    bytes_to_hex(bytes, size, hex);
    json_t *text = memory_need(json_string(hex));
    free(hex);
    return text;
}

bool json_hex_restore(json_t *text) {
    const char *hex = json_string_value(text);
    const size_t size_max = json_string_length(text) / 2;
    size_t size = 0;
    uint8_t *bytes = memory_new(size_max + 1);
    const bool ok = hex != NULL && bytes_from_hex(hex, bytes, size_max, &size) &&
                    json_string_setn_nocheck(text, (const char *)bytes, size) == 0;
    free(bytes);
    return ok;
}

/* Return a name or an argument, which can be any bytes, or null for NULL. One that is not UTF-8
 * becomes {"hex": ...}, so that reading restores the same bytes. */
static json_t *json_exact(const char *word) {
    if (word == NULL) return json_null();
    json_t *text = json_string(word);
    return text != NULL ? text : json_pack("{so}", "hex", json_hex(word, strlen(word)));
}

/* Return a word that json_exact wrote. NULL if it is not such a word or contains a zero byte, which
 * would end the C string early. Its bytes take the place of its hex in the tree. */
static const char *restore(json_t *item) {
    json_t *hex = json_object_get(item, "hex");
    if (json_is_string(item) || !json_is_string(hex)) return json_string_value(item);
    return json_hex_restore(hex) &&
                   memchr(json_string_value(hex), '\0', json_string_length(hex)) == NULL
               ? json_string_value(hex)
               : NULL;
}

const char *json_text(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
}

uint64_t json_count(const json_t *object, const char *name) {
    const json_int_t value = json_integer_value(json_object_get(object, name));
    return value > 0 ? (uint64_t)value : 0;
}

/* ---- Types ---- */

static json_t *put_words(const char *const *words) {
    json_t *array = json_array();
    for (size_t i = 0; words != NULL && words[i] != NULL; i++)
        json_array_append_new(array, memory_need(json_exact(words[i])));
    return array;
}

static bool get_words(const json_t *array, const char ***to) {
    const size_t count = json_array_size(array);
    const char **words = *to = memory_zeroed(count + 1, sizeof *words);
    if (!json_is_array(array)) return false;
    for (size_t i = 0; i < count; i++) {
        words[i] = restore(json_array_get(array, i));
        if (words[i] == NULL) return false;
    }
    return true;
}

static json_t *put_count(uint64_t count) {
    return json_integer(count < INT64_MAX ? (json_int_t)count : INT64_MAX);
}

static bool get_count(const json_t *json, uint64_t most, uint64_t *to) {
    const json_int_t number = json_integer_value(json);
    *to = (uint64_t)number;
    return json_is_integer(json) && number >= 0 && *to <= most;
}

static bool get_small(const json_t *json, unsigned *to) {
    uint64_t count;
    const bool ok = get_count(json, UINT32_MAX, &count);
    *to = (unsigned)count;
    return ok;
}

static json_t *put_input(const seed_input *input) {
    return json_string(seed_text_format(SEED_TEXT, input));
}

/* A seed has no hex digits here. */
static bool get_input(const char *text, seed_input *to) {
    return text != NULL && strpbrk(text, "xX") == NULL && seed_text_parse(text, to);
}

/* The count and the digest: "16-b5f3c8a1d2e40976". */
static json_t *put_draws(const draws_seen *draws) {
    if (draws->count == 0) return json_null();
    return json_sprintf("%" PRIu64 "-%016" PRIx64, draws->count, draws->digest);
}

static bool get_draws(const char *text, draws_seen *draws) {
    const size_t digits = text != NULL ? strspn(text, "0123456789") : 0;
    if (digits == 0 || digits > 4 || text[digits] != '-') return false;
    const char *digest = text + digits + 1;
    draws->count = strtoull(text, NULL, 10);
    draws->digest = strtoull(digest, NULL, 16);
    return draws->count > 0 && draws->count <= FRNG_DRAWS_KEPT && strlen(digest) == 16 &&
           strspn(digest, "0123456789abcdef") == 16;
}

/* A type: the value of a member `of`, and how member `to` gets the value `json`, which is the text
 * `text`, or else that is NULL. */
#define TYPE(name, type, put, get, is_required)                                                    \
    static json_t *put_##name(const void *member) {                                                \
        type const *of = member;                                                                   \
        return put;                                                                                \
    }                                                                                              \
    static bool get_##name(json_t *json, void *member) {                                           \
        type *to = member;                                                                         \
        const char *text = json_string_value(json);                                                \
        (void)text;                                                                                \
        return get;                                                                                \
    }                                                                                              \
    const json_field_type name = {put_##name, get_##name, is_required};

TYPE(field_text, const char *, json_word_shown(*of), (*to = text, true), false)
TYPE(field_exact, const char *, json_exact(*of), (*to = restore(json), true), false)
TYPE(field_words, const char **, put_words((const char *const *)*of), get_words(json, to), false)
TYPE(field_count, uint64_t, put_count(*of), get_count(json, UINT64_MAX, to), false)
TYPE(field_size, uint64_t, put_count(*of), get_count(json, INPUT_SIZE_MAX, to), true)
TYPE(field_small, unsigned, json_integer(*of), get_small(json, to), false)
TYPE(field_input, seed_input, put_input(of), get_input(text, to), true)
TYPE(field_origin, seed_input, of->size > 0 ? put_input(of) : json_null(), get_input(text, to),
     false)
TYPE(field_signature, signature, json_string(signature_format(*of, SIGNATURE_TEXT)),
     text != NULL && signature_parse(text, to), true)
TYPE(field_site, failure, json_word_shown(failure_site(of)),
     snprintf(to->site, SITE_MAX, "%s", text != NULL ? text : "") >= 0, false)
TYPE(field_reduced, failure_form, json_boolean(*of == FORM_REDUCED),
     (*to = json_is_true(json) ? FORM_REDUCED : *to, true), false)
TYPE(field_draws, draws_seen, put_draws(of), get_draws(text, to), false)

/* ---- Claims ---- */

claim_levels json_levels(const json_t *tested) {
    const json_t *list = json_object_get(tested, "levels"), *level;
    claim_levels levels = {.count = 0};
    size_t i;
    json_array_foreach(list, i, level) {
        const json_t *bound = json_object_get(level, "bound");
        const claim_level l = {json_count(level, "size"), json_count(level, "runs"),
                               json_count(level, "counted"),
                               json_is_number(bound) ? json_number_value(bound) : 1};
        if (levels.count == CLAIM_LEVELS_MAX || l.counted > l.runs) return levels;
        levels.list[levels.count++] = l;
    }
    return levels;
}

/* ---- Tables ---- */

json_t *fields_put(const json_field *fields, const void *from) {
    json_t *object = json_object();
    for (const json_field *f = fields; f->type != NULL; f++) {
        json_t *value = f->type->put((const char *)from + f->at);
        if (json_object_set_new(object, f->name, value) != 0) memory_need(NULL);
    }
    return object;
}

static const char *fields_get(const json_field *fields, json_t *object, void *to) {
    const char *wrong = NULL;
    for (const json_field *f = fields; f->type != NULL && wrong == NULL; f++) {
        json_t *json = json_object_get(object, f->name);
        void *member = (char *)to + f->at;
        if (json == NULL || json_is_null(json)) {
            wrong = f->type->is_required ? f->missing : NULL;
        } else {
            wrong = f->type->get(json, member) ? NULL : f->wrong;
        }
    }
    return wrong;
}

const char *fields_read(const json_field *fields, json_t *object, json_int_t format_max,
                        const char *none, void *to) {
    const json_int_t format = json_integer_value(json_object_get(object, "format"));
    if (!json_is_object(object)) return "it is cut short, or not a JSON object";
    if (format < 1) return none;
    if (format > format_max) return "it is of a later format than this frng reads";
    return fields_get(fields, object, to);
}

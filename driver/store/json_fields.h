/* json_fields.h: structs as JSON objects, and back, by tables of their fields; and texts. */
#pragma once

#include "progress.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- Words ---- */

/* Return a text to be read by people: null for NULL, escaped if it is not UTF-8, which JSON
 * requires. */
json_t *json_word_shown(const char *text);

/* Return bytes as hex digits. */
json_t *json_hex(const void *bytes, size_t size);

/* Put the bytes of hex digits into their place. False if it is no such text. */
bool json_hex_restore(json_t *text);

/* Return a member of an object: its text, or NULL; its number, or 0 if it has none above that. */
const char *json_text(const json_t *object, const char *name);
uint64_t json_count(const json_t *object, const char *name);

/* ---- Claims ---- */

/* Return what the field `tested` of an event says of each size; of an older one nothing. */
claim_levels json_levels(const json_t *tested);

/* ---- Fields ---- */

typedef struct json_field json_field;

/* How a member becomes a value, and a value a member. */
typedef struct json_field_type {
    /* Return the value of a member. */
    json_t *(*put)(const void *member);
    /* Set a zeroed member, of a value that is not null. False if that makes no sense. */
    bool (*get)(json_t *json, void *member);
    bool is_required; /* there is no sense in leaving it out */
} json_field_type;

/* A row of a table, which ends with a zeroed one. */
struct json_field {
    const char *name;
    const char *wrong, *missing; /* what is said of a value that makes no sense, and of none */
    const json_field_type *type;
    size_t at;
};

#define JSON_FIELD(of, name, type, member)                                                         \
    JSON_FIELD_TOLD(of, name, type, member, "its \"" name "\" makes no sense")
#define JSON_FIELD_TOLD(of, name, type, member, wrong)                                             \
    { name, wrong, "it has no \"" name "\"", &field_##type, offsetof(of, member) }
#define JSON_FIELDS_END                                                                            \
    { NULL, NULL, NULL, NULL, 0 }

/* The types of members:
 *
 *     text       const char *: for people; may be escaped; null or not a text: NULL
 *     exact      const char *: any bytes without a zero; null or not a word: NULL
 *     words      const char **, ended by NULL: exact ones; the reader frees the array
 *     count      uint64_t up to INT64_MAX; missing: 0
 *     size       uint64_t up to INPUT_SIZE_MAX
 *     small      unsigned; missing: 0
 *     input      seed_input: its seed as a text such as 17s; its size is a field before
 *     origin     the same, but none if its size is 0
 *     signature  signature
 *     site       failure: its site
 *     reduced    failure_form: whether it is FORM_REDUCED
 *     draws      draws_seen: their count and digest; missing: none */
extern const json_field_type field_text, field_exact, field_words, field_count, field_size,
    field_small, field_input, field_origin, field_signature, field_site, field_reduced, field_draws;

/* Return an object of a struct's fields. */
json_t *fields_put(const json_field *fields, const void *from);

/* Set the members of a zeroed struct from the object of a file that has a format; if that is none,
 * the file is `none`. Texts live in the object. Return NULL, or which value is missing or makes no
 * sense, as a constant text. */
const char *fields_read(const json_field *fields, json_t *object, json_int_t format_max,
                        const char *none, void *to);

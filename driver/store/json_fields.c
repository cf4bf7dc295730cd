/* Structs as JSON, by tables.
 *
 * The files of a findings folder are read by any version of these tools, by scripts and by people,
 * and may have been written by anybody. So each value is checked, and one that makes no sense makes
 * the whole file be skipped; but what a file does not have is zero, so that it may come from an
 * earlier version. Texts for people are escaped where JSON cannot have them. Names and arguments
 * must come back byte by byte: where they are not UTF-8 they are written as hex.
 *
 * A reader borrows the strings from the JSON tree, which it frees as a whole. */
#include "json_fields.h"

#include "bytes.h"
#include "units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Words ---- */

bool json_word_set(json_t *object, const char *name, json_t *value) {
    return json_object_set_new(object, name, value) == 0;
}

json_t *json_word_shown(const char *text) {
    char escaped[4096];
    if (text == NULL) return json_null();
    json_t *string = json_string(text);
    if (string != NULL) return string;
    bytes_escape((const uint8_t *)text, strlen(text), true, escaped, sizeof escaped);
    return json_string(escaped);
}

json_t *json_hex(const void *bytes, size_t size) {
    char *hex = malloc(2 * size + 1);
    if (hex == NULL) return NULL;
    bytes_to_hex(bytes, size, hex);
    json_t *text = json_string(hex);
    free(hex);
    return text;
}

/* Return a name or an argument, which can be any bytes, or null for NULL. One that is not UTF-8
 * becomes {"hex": ...}, so that reading restores the same bytes. NULL when out of memory. */
static json_t *json_exact(const char *word) {
    if (word == NULL) return json_null();
    json_t *text = json_string(word);
    return text != NULL ? text : json_pack("{so}", "hex", json_hex(word, strlen(word)));
}

/* Return a word that json_exact wrote, as a new JSON string of its bytes. NULL if it is not
 * such a word or contains a zero byte, which would end the C string early. */
static json_t *restore(json_t *item) {
    const char *hex = json_string_value(json_object_get(item, "hex"));
    if (json_is_string(item)) return json_incref(item);
    if (hex == NULL) return NULL;
    size_t size = 0;
    const size_t size_max = strlen(hex) / 2;
    char *word = malloc(size_max + 1);
    json_t *text = NULL;
    if (word != NULL && bytes_from_hex(hex, (uint8_t *)word, size_max, &size) &&
        memchr(word, '\0', size) == NULL) {
        text = json_stringn_nocheck(word, size);
    }
    free(word);
    return text;
}

char *json_word_dump(json_t *object) {
    char *text = object != NULL ? json_dumps(object, JSON_INDENT(2)) : NULL, *line = NULL;
    if (text == NULL) return NULL;
    json_t *back = json_loads(text, 0, NULL);
    const bool is_whole = json_equal(back, object);
    if (is_whole && asprintf(&line, "%s\n", text) < 0) line = NULL;
    json_decref(back);
    free(text);
    return line;
}

/* ---- Types ---- */

/* A value that depends on the member alone. */
#define PUT(name, type, value)                                                                     \
    static json_t *put_##name(const json_field *f, const void *member) {                           \
        const type of = *(type const *)member;                                                     \
        (void)f;                                                                                   \
        return value;                                                                              \
    }

PUT(text, char *, json_word_shown(of))
PUT(exact, char *, json_exact(of))
PUT(count, uint64_t, json_integer(of < INT64_MAX ? (json_int_t)of : INT64_MAX))
PUT(small, unsigned, json_integer(of))
PUT(signed, int64_t, json_integer(of))
PUT(number, double, json_real(of))

static bool get_text(const json_field *f, json_t *object, void *member) {
    *(const char **)member = json_string_value(json_object_get(object, f->name));
    return true;
}

static bool get_exact(const json_field *f, json_t *object, void *member) {
    json_t *word = restore(json_object_get(object, f->name));
    if (word != NULL && !json_word_set(object, f->name, word)) return false;
    *(const char **)member = json_string_value(word); /* NULL for NULL */
    return true;
}

static json_t *put_words(const json_field *f, const void *member) {
    const char *const *words = *(const char *const *const *)member;
    json_t *array = json_array();
    (void)f;
    for (size_t i = 0; words != NULL && words[i] != NULL; i++) {
        if (json_array_append_new(array, json_exact(words[i])) == 0) continue;
        json_decref(array);
        return NULL;
    }
    return array;
}

static bool get_words(const json_field *f, json_t *object, void *member) {
    json_t *array = json_object_get(object, f->name);
    const size_t count = json_array_size(array);
    const char **words = calloc(count + 1, sizeof *words);
    *(const char ***)member = words;
    if (words == NULL || !json_is_array(array)) return false;
    for (size_t i = 0; i < count; i++) {
        json_t *word = restore(json_array_get(array, i));
        if (word == NULL) return false;
        json_array_set_new(array, i, word);
        words[i] = json_string_value(word);
    }
    return true;
}

static bool get_count(const json_field *f, json_t *object, void *member) {
    const json_t *value = json_object_get(object, f->name);
    *(uint64_t *)member = (uint64_t)json_integer_value(value);
    return json_is_integer(value) && json_integer_value(value) >= 0;
}

static bool get_small(const json_field *f, json_t *object, void *member) {
    uint64_t count;
    if (!get_count(f, object, &count) || count > UINT32_MAX) return false;
    *(unsigned *)member = (unsigned)count;
    return true;
}

static bool get_signed(const json_field *f, json_t *object, void *member) {
    *(int64_t *)member = json_integer_value(json_object_get(object, f->name));
    return true;
}

static bool get_number(const json_field *f, json_t *object, void *member) {
    const double most = 1e15; /* a sum of many is finite */
    const json_t *value = json_object_get(object, f->name);
    const double number = json_number_value(value);
    *(double *)member = number;
    return json_is_number(value) && number >= 0 && number <= most;
}

static json_t *put_seed(const json_field *f, const void *member) {
    char text[32];
    (void)f;
    snprintf(text, sizeof text, "%" PRIu64, *(const uint64_t *)member);
    return json_string(text);
}

static bool get_seed(const json_field *f, json_t *object, void *member) {
    const char *text = json_string_value(json_object_get(object, f->name));
    return text != NULL && units_parse_seed(text, member);
}

static json_t *put_word(const json_field *f, const void *member) {
    const char *const *names = f->with;
    return json_string(names[*(const unsigned *)member]);
}

static bool get_word(const json_field *f, json_t *object, void *member) {
    const char *text = json_string_value(json_object_get(object, f->name));
    const char *const *names = f->with;
    for (unsigned i = 0; text != NULL && names[i] != NULL; i++) {
        *(unsigned *)member = i;
        if (strcmp(text, names[i]) == 0) return true;
    }
    return false;
}

static json_t *put_object(const json_field *f, const void *member) {
    return fields_put(f->with, member);
}

static bool get_object(const json_field *f, json_t *object, void *member) {
    json_t *value = f->name != NULL ? json_object_get(object, f->name) : object;
    return json_is_object(value) && fields_get(f->with, value, member);
}

static json_t *put_option(const json_field *f, const void *member) {
    return *(const bool *)member ? fields_put(f->with, member) : json_null();
}

static bool get_option(const json_field *f, json_t *object, void *member) {
    *(bool *)member = true;
    return get_object(f, object, member);
}

const json_field_type field_text = {put_text, get_text, false},
                      field_exact = {put_exact, get_exact, false},
                      field_words = {put_words, get_words, false},
                      field_count = {put_count, get_count, false},
                      field_small = {put_small, get_small, false},
                      field_signed = {put_signed, get_signed, false},
                      field_number = {put_number, get_number, false},
                      field_seed = {put_seed, get_seed, true},
                      field_word = {put_word, get_word, true},
                      field_object = {put_object, get_object, true},
                      field_option = {put_option, get_option, false};

/* ---- Tables ---- */

bool fields_add(json_t *object, const json_field *fields, const void *from) {
    for (const json_field *f = fields; f->type != NULL; f++) {
        const void *member = (const char *)from + f->at;
        const bool ok = f->name == NULL ? fields_add(object, f->with, member)
                                        : json_word_set(object, f->name, f->type->put(f, member));
        if (!ok) return false;
    }
    return true;
}

json_t *fields_put(const json_field *fields, const void *from) {
    json_t *object = json_object();
    if (fields_add(object, fields, from)) return object;
    json_decref(object);
    return NULL;
}

bool fields_get(const json_field *fields, json_t *object, void *to) {
    for (const json_field *f = fields; f->type != NULL; f++) {
        const json_t *value = f->name != NULL ? json_object_get(object, f->name) : object;
        const bool is_missing = value == NULL || json_is_null(value);
        if (is_missing ? f->type->is_required : !f->type->get(f, object, (char *)to + f->at))
            return false;
    }
    return true;
}

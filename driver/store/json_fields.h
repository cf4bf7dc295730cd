/* json_fields.h: structs as JSON objects, and back, by tables of their fields; names, arguments and
 * other texts in the files of a findings folder. */
#ifndef JSON_FIELDS_H
#define JSON_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- Words ---- */

/* Set a value, which is stolen. False when out of memory. */
bool json_word_set(json_t *object, const char *name, json_t *value);

/* Return a text to be read by people: null for NULL, escaped if it is not UTF-8, which JSON
 * requires. NULL when out of memory. */
json_t *json_word_shown(const char *text);

/* Return bytes as hex digits. NULL when out of memory. */
json_t *json_hex(const void *bytes, size_t size);

/* Return the text of an object, ended by a newline, which the caller frees. NULL for NULL, and when
 * out of memory: jansson leaves out keys then, so the text is parsed again. */
char *json_word_dump(json_t *object);

/* ---- Fields ---- */

typedef struct json_field json_field;

/* How a member becomes a value, and a value a member. */
typedef struct json_field_type {
    /* Return the value of a member, or NULL when out of memory. */
    json_t *(*put)(const json_field *f, const void *member);
    /* Set a zeroed member by the value of f->name, which is neither missing nor null. False if the
     * value makes no sense. */
    bool (*get)(const json_field *f, json_t *object, void *member);
    bool is_required; /* there is no sense in leaving it out */
} json_field_type;

/* A row of a table, which ends with a zeroed one. */
struct json_field {
    const char *name; /* NULL: a part, whose fields stand in the same object */
    const json_field_type *type;
    size_t at;
    const void *with; /* names of a word, or fields of an object; else NULL */
};

/* The types of members:
 *
 *     text    const char *: for people; may be escaped; null or not a text: NULL
 *     exact   const char *: any bytes without a zero; null or not a word: NULL
 *     words   const char **, ended by NULL: exact ones; the reader frees the array
 *     count   uint64_t up to INT64_MAX; missing: 0
 *     small   unsigned; missing: 0
 *     signed  int64_t; missing: 0
 *     number  double from 0 to 1e15; missing: 0
 *     seed    uint64_t, as a text: many readers of JSON keep at most 53 bits of a number
 *     word    enum from 0, by `with`: its names, ended by NULL
 *     object  struct with the fields `with`
 *     option  the same, and its first member is a bool: false is null */
extern const json_field_type field_text, field_exact, field_words, field_count, field_small,
    field_signed, field_number, field_seed, field_word, field_object, field_option;

/* Add a struct's fields to an object. False when out of memory. */
bool fields_add(json_t *object, const json_field *fields, const void *from);

/* Return an object of a struct's fields, or NULL when out of memory. */
json_t *fields_put(const json_field *fields, const void *from);

/* Set the members of a zeroed struct. Texts live in the object, in which an exact one takes the
 * place of its hex. False if a value makes no sense. */
bool fields_get(const json_field *fields, json_t *object, void *to);

#endif

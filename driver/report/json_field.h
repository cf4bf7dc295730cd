/* json_field.h: fields of JSON that may be missing, or of any type. */
#ifndef JSON_FIELD_H
#define JSON_FIELD_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Return a text, or "" if there is none. Valid as long as the object. */
const char *json_field_text(const json_t *object, const char *name);

/* Get a whole number of at least 0. */
bool json_field_count(const json_t *object, const char *name, uint64_t *value);

/* Get a finite number. */
bool json_field_number(const json_t *object, const char *name, double *value);

bool json_field_has(const json_t *object, const char *name); /* and it is not null */

/* Return how many items a field has; 0 if it is not an array. */
size_t json_field_items(const json_t *object, const char *name);
const json_t *json_field_item(const json_t *object, const char *name, size_t index);

#endif

#include "json_field.h"

#include <math.h>

const char *json_field_text(const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "";
}

bool json_field_count(const json_t *object, const char *name, uint64_t *value) {
    const json_t *field = json_object_get(object, name);
    if (!json_is_integer(field) || json_integer_value(field) < 0) return false;
    *value = (uint64_t)json_integer_value(field);
    return true;
}

bool json_field_number(const json_t *object, const char *name, double *value) {
    const json_t *field = json_object_get(object, name);
    if (!json_is_number(field) || !isfinite(json_number_value(field))) return false;
    *value = json_number_value(field);
    return true;
}

bool json_field_has(const json_t *object, const char *name) {
    const json_t *field = json_object_get(object, name);
    return field != NULL && !json_is_null(field);
}

size_t json_field_items(const json_t *object, const char *name) {
    return json_array_size(json_object_get(object, name));
}

const json_t *json_field_item(const json_t *object, const char *name, size_t index) {
    return json_array_get(json_object_get(object, name), index);
}

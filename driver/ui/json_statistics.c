#include "json_statistics.h"

#include "json_set.h"

#include <string.h>

static json_t *name_of(const tally_row *row) {
    char text[4 * sizeof row->name + 1];
    bytes_escape((const uint8_t *)row->name, strlen(row->name), true, text, sizeof text);
    return json_string(text);
}

/* Return the values of a histogram; null if there are none. */
static json_t *values_of(const histogram *h) {
    if (h->count == 0) return json_null();
    json_t *object = json_object();
    json_set_integer(object, "min", h->min);
    json_set_integer(object, "quartile1", histogram_quantile(h, 1, 4));
    json_set_integer(object, "median", histogram_quantile(h, 1, 2));
    json_set_integer(object, "quartile3", histogram_quantile(h, 3, 4));
    json_set_integer(object, "max", h->max);
    json_set_integer(object, "runs", h->count);
    return object;
}

static json_t *label_of(const tally *t, const tally_row *row) {
    json_t *object = json_object();
    json_object_set_new(object, "name", name_of(row));
    json_set_integer(object, "runs", row->runs);
    json_object_set_new(object, "share", json_real((double)row->runs / (double)t->runs));
    json_object_set_new(object, "size", values_of(&row->values));
    return object;
}

static json_t *measure_of(const tally *t, const tally_row *row) {
    json_t *object = json_object();
    (void)t;
    json_object_set_new(object, "name", name_of(row));
    json_set_integer(object, "runs", row->runs);
    json_object_set_new(object, "values", values_of(&row->values));
    return object;
}

static json_t *rows_of(const tally *t, tally_kind kind) {
    size_t order[FRNG_LABELS_MAX];
    const size_t count = tally_sort(t, kind, order);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        const tally_row *row = &t->rows[order[i]];
        json_array_append_new(array, (kind == TALLY_LABEL ? label_of : measure_of)(t, row));
    }
    return array;
}

json_t *json_statistics(const tally *t) {
    json_t *object = json_object();
    json_set_integer(object, "runs", t->runs);
    json_set_integer(object, "told", t->reported);
    json_set_integer(object, "ran_out", t->ran_out);
    json_object_set_new(object, "drawn", values_of(&t->drawn));
    json_object_set_new(object, "draws", values_of(&t->draws));
    json_object_set_new(object, "labels", rows_of(t, TALLY_LABEL));
    json_object_set_new(object, "measures", rows_of(t, TALLY_MEASURE));
    json_set_integer(object, "lost", t->lost);
    return object;
}

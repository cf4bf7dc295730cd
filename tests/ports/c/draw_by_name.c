#include "draw_by_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS_MAX = 3, NAME_MAX_SIZE = 32, LIST_MAX = 16 };

typedef struct call {
    char name[NAME_MAX_SIZE];
    char arguments[ARGUMENTS_MAX][DRAW_TEXT_MAX];
} call;

static call call_of(const char *text) {
    call c = {.name = ""};
    sscanf(text, "%31s %511s %511s %511s", c.name, c.arguments[0], c.arguments[1], c.arguments[2]);
    return c;
}

static uint64_t number_at(const call *c, int i) {
    const char *text = c->arguments[i];
    return text[0] == '-' ? (uint64_t)strtoll(text, NULL, 10) : strtoull(text, NULL, 10);
}

static double double_at(const call *c, int i) {
    const uint64_t bits = strtoull(c->arguments[i], NULL, 16);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static size_t list_at(const call *c, int i, uint32_t list[LIST_MAX]) {
    const char *text = c->arguments[i];
    size_t count = 0;
    while (text != NULL && count < LIST_MAX) {
        list[count++] = (uint32_t)strtoul(text, NULL, 10);
        text = strchr(text, ',');
        if (text != NULL) text++;
    }
    return count;
}

static bool is(const call *c, const char *name) { return strcmp(c->name, name) == 0; }

/* ---- Values ---- */

static void write_number(uint64_t number, char *value) { sprintf(value, "%" PRIu64, number); }

static void write_double(double number, char *value) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    sprintf(value, "%016" PRIx64, bits);
}

static void write_list(const uint64_t *list, size_t count, char *value) {
    value[0] = '\0';
    for (size_t i = 0; i < count; i++)
        value += sprintf(value, "%s%" PRIu64, i > 0 ? "," : "", list[i]);
}

static void write_weights(const uint32_t *weights, size_t count, char *value) {
    uint64_t list[LIST_MAX];
    for (size_t i = 0; i < count; i++) list[i] = weights[i];
    write_list(list, count, value);
}

/* ---- Draws ---- */

/* u8, u8_range MIN MAX, u8_mixed MIN MAX, and so on. */
#define DRAW_NUMBER(type, name, format)                                                            \
    if (is(c, #name) || is(c, #name "_range") || is(c, #name "_mixed")) {                          \
        const type min = (type)number_at(c, 0), max = (type)number_at(c, 1);                       \
        type number;                                                                               \
        if (is(c, #name))                                                                          \
            *ok = frng_##name(f, &number);                                                         \
        else if (is(c, #name "_range"))                                                            \
            *ok = frng_##name##_range(f, min, max, &number);                                       \
        else                                                                                       \
            *ok = frng_##name##_mixed(f, min, max, &number);                                       \
        sprintf(value, "%" format, number);                                                        \
        return true;                                                                               \
    }

static bool draw_number(frng *f, const call *c, char *value, bool *ok) {
    DRAW_NUMBER(uint8_t, u8, PRIu8)
    DRAW_NUMBER(uint16_t, u16, PRIu16)
    DRAW_NUMBER(uint32_t, u32, PRIu32)
    DRAW_NUMBER(uint64_t, u64, PRIu64)
    DRAW_NUMBER(int8_t, i8, PRId8)
    DRAW_NUMBER(int16_t, i16, PRId16)
    DRAW_NUMBER(int32_t, i32, PRId32)
    DRAW_NUMBER(int64_t, i64, PRId64)
    return false;
}

static bool draw_double(frng *f, const call *c, char *value, bool *ok) {
    double number;
    if (is(c, "f64"))
        *ok = frng_f64(f, &number);
    else if (is(c, "f64_any"))
        *ok = frng_f64_any(f, &number);
    else if (is(c, "f64_range"))
        *ok = frng_f64_range(f, double_at(c, 0), double_at(c, 1), &number);
    else
        return false;
    write_double(number, value);
    return true;
}

static bool draw_index(frng *f, const call *c, char *value, bool *ok) {
    uint32_t weights[LIST_MAX];
    const size_t count = list_at(c, 0, weights);
    size_t index;
    if (is(c, "index"))
        *ok = frng_index(f, number_at(c, 0), &index);
    else if (is(c, "pick"))
        *ok = frng_pick(f, number_at(c, 0), &index);
    else if (is(c, "weighted"))
        *ok = frng_weighted(f, weights, count, &index);
    else if (is(c, "pick_weighted"))
        *ok = frng_pick_weighted(f, weights, count, &index);
    else
        return false;
    write_number(index, value);
    return true;
}

static bool draw_bool(frng *f, const call *c, char *value, bool *ok) {
    bool is_true;
    if (is(c, "bool"))
        *ok = frng_bool(f, &is_true);
    else if (is(c, "chance"))
        *ok = frng_chance(f, (uint32_t)number_at(c, 0), (uint32_t)number_at(c, 1), &is_true);
    else if (is(c, "more"))
        *ok = frng_more(f, number_at(c, 0), number_at(c, 1), number_at(c, 2), &is_true);
    else
        return false;
    write_number(is_true, value);
    return true;
}

static bool draw_weights(frng *f, const call *c, char *value, bool *ok) {
    uint32_t weights[LIST_MAX];
    const size_t count = number_at(c, 0) < LIST_MAX ? number_at(c, 0) : LIST_MAX;
    if (is(c, "swarm_weights"))
        *ok = frng_swarm_weights(f, weights, count);
    else if (is(c, "swarm"))
        *ok = frng_swarm(f, weights, count);
    else
        return false;
    write_weights(weights, count, value);
    return true;
}

static bool draw_order(frng *f, const call *c, char *value, bool *ok) {
    const size_t count = number_at(c, 0) < LIST_MAX ? number_at(c, 0) : LIST_MAX;
    uint64_t list[LIST_MAX];
    size_t order[LIST_MAX];
    for (size_t i = 0; i < count; i++) list[i] = order[i] = i;
    if (is(c, "shuffle"))
        *ok = frng_shuffle(f, list, count, sizeof list[0]);
    else if (is(c, "permutation"))
        *ok = frng_permutation(f, count, order);
    else
        return false;
    for (size_t i = 0; i < count && is(c, "permutation"); i++) list[i] = order[i];
    write_list(list, count, value);
    return true;
}

static bool draw_other(frng *f, const call *c, char *value, bool *ok) {
    const uint8_t *bytes;
    uint64_t mask;
    int year, month, day;
    if (is(c, "bytes")) {
        const size_t count = number_at(c, 0) < LIST_MAX ? number_at(c, 0) : LIST_MAX;
        *ok = frng_bytes(f, count, &bytes);
        value[0] = '\0';
        for (size_t i = 0; i < count && *ok; i++) value += sprintf(value, "%02x", bytes[i]);
    } else if (is(c, "string")) {
        *ok = frng_string(f, c->arguments[0], number_at(c, 1), number_at(c, 2), value);
    } else if (is(c, "subset")) {
        *ok = frng_subset(f, number_at(c, 0), &mask);
        write_number(mask, value);
    } else if (is(c, "date")) {
        *ok = frng_date(f, &year, &month, &day);
        sprintf(value, "%04d-%02d-%02d", year, month, day);
    } else {
        return false;
    }
    return true;
}

bool draw_by_name(frng *f, const char *text, char value[DRAW_TEXT_MAX], bool *ok) {
    const call c = call_of(text);
    return draw_number(f, &c, value, ok) || draw_double(f, &c, value, ok) ||
           draw_index(f, &c, value, ok) || draw_bool(f, &c, value, ok) ||
           draw_weights(f, &c, value, ok) || draw_order(f, &c, value, ok) ||
           draw_other(f, &c, value, ok);
}

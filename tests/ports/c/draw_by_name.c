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

/* ---- Draws ---- */

/* Each makes a draw of its name, and writes its value, or goes on. */
#define DRAW(name, type, call, write)                                                              \
    if (is(c, name)) {                                                                             \
        type x;                                                                                    \
        *ok = call;                                                                                \
        write;                                                                                     \
        return true;                                                                               \
    }
#define DRAW_NUMBER(type, name, format)                                                            \
    DRAW(#name, type, frng_##name(f, &x), sprintf(value, "%" format, x))                           \
    DRAW(#name "_range", type,                                                                     \
         frng_##name##_range(f, (type)number_at(c, 0), (type)number_at(c, 1), &x),                 \
         sprintf(value, "%" format, x))                                                            \
    DRAW(#name "_mixed", type,                                                                     \
         frng_##name##_mixed(f, (type)number_at(c, 0), (type)number_at(c, 1), &x),                 \
         sprintf(value, "%" format, x))

static bool draw_number(frng *f, const call *c, char *value, bool *ok) {
    DRAW_NUMBER(uint8_t, u8, PRIu8)
    DRAW_NUMBER(uint16_t, u16, PRIu16)
    DRAW_NUMBER(uint32_t, u32, PRIu32)
    DRAW_NUMBER(uint64_t, u64, PRIu64)
    DRAW_NUMBER(int8_t, i8, PRId8)
    DRAW_NUMBER(int16_t, i16, PRId16)
    DRAW_NUMBER(int32_t, i32, PRId32)
    DRAW_NUMBER(int64_t, i64, PRId64)
    DRAW("f64", double, frng_f64(f, &x), write_double(x, value))
    DRAW("f64_any", double, frng_f64_any(f, &x), write_double(x, value))
    DRAW("f64_range", double, frng_f64_range(f, double_at(c, 0), double_at(c, 1), &x),
         write_double(x, value))
    DRAW("bool", bool, frng_bool(f, &x), write_number(x, value))
    DRAW("chance", bool, frng_chance(f, (uint32_t)number_at(c, 0), (uint32_t)number_at(c, 1), &x),
         write_number(x, value))
    DRAW("more", bool, frng_more(f, number_at(c, 0), number_at(c, 1), number_at(c, 2), &x),
         write_number(x, value))
    DRAW("index", size_t, frng_index(f, number_at(c, 0), &x), write_number(x, value))
    DRAW("pick", size_t, frng_pick(f, number_at(c, 0), &x), write_number(x, value))
    DRAW("subset", uint64_t, frng_subset(f, number_at(c, 0), &x), write_number(x, value))
    return false;
}

/* Draws of lists, and from them. */
static bool draw_list(frng *f, const call *c, char *value, bool *ok) {
    uint32_t weights[LIST_MAX];
    const size_t listed = list_at(c, 0, weights);
    const size_t count = number_at(c, 0) < LIST_MAX ? number_at(c, 0) : LIST_MAX;
    uint64_t list[LIST_MAX];
    size_t order[LIST_MAX];
    for (size_t i = 0; i < LIST_MAX; i++) list[i] = order[i] = i;
    DRAW("weighted", size_t, frng_weighted(f, weights, listed, &x), write_number(x, value))
    DRAW("pick_weighted", size_t, frng_pick_weighted(f, weights, listed, &x),
         write_number(x, value))
    if (is(c, "shuffle")) {
        *ok = frng_shuffle(f, list, count, sizeof list[0]);
    } else if (is(c, "permutation")) {
        *ok = frng_permutation(f, count, order);
        for (size_t i = 0; i < count; i++) list[i] = order[i];
    } else if (is(c, "swarm_weights") || is(c, "swarm")) {
        *ok = (is(c, "swarm") ? frng_swarm : frng_swarm_weights)(f, weights, count);
        for (size_t i = 0; i < count; i++) list[i] = weights[i];
    } else {
        return false;
    }
    write_list(list, count, value);
    return true;
}

static bool draw_other(frng *f, const call *c, char *value, bool *ok) {
    const uint8_t *bytes;
    int year, month, day;
    if (is(c, "bytes")) {
        const size_t count = number_at(c, 0);
        *ok = frng_bytes(f, count, &bytes);
        value[0] = '\0';
        for (size_t i = 0; i < count && *ok; i++) value += sprintf(value, "%02x", bytes[i]);
    } else if (is(c, "string")) {
        *ok = frng_string(f, c->arguments[0], number_at(c, 1), number_at(c, 2), value);
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
    return draw_number(f, &c, value, ok) || draw_list(f, &c, value, ok) ||
           draw_other(f, &c, value, ok);
}

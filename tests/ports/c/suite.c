/* suite.c: what test_ports.py asks of each port, in C. Its first argument chooses what it does:
 *
 *     answers     read lines: "entropy 00ff" begins a run, "expand 7s 20" asks for bytes, any other
 *                 one is a draw, "u32_range 0 10". Print a line for each but the first: the bytes,
 *                 or "VALUE USED EXHAUSTED", or "?" for a draw that a port lacks. Values are
 *                 decimal; a double is the 16 hexadecimal digits of its bits, bytes are
 *                 hexadecimal, a bool is 0 or 1, a date 2000-01-31, lists are joined by commas
 *     calls FILE  be a target that makes the draws in a file, over and over
 *     draws N     be a target that draws N bytes; and so on, see main
 *
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>
#include <frng_more.h>
#include <frng_pool.h>
#include <frng_regex.h>
#include <frng_utf8.h>
#include <inttypes.h>
#include <unistd.h>

enum { LINE_MAX_SIZE = 8192, CALLS_MAX = 64, DRAW_TEXT_MAX = 512 };
enum { ARGUMENTS_MAX = 3, NAME_MAX_SIZE = 32, LIST_MAX = 16 };

/* ---- Calls ---- */

typedef struct call {
    char name[NAME_MAX_SIZE];
    char arguments[ARGUMENTS_MAX][DRAW_TEXT_MAX];
} call;

static call call_of(const char *text) {
    call c;
    memset(&c, 0, sizeof c);
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

static uint64_t day_at(const call *c, int i) {
    int year = 1, month = 1, day = 1;
    sscanf(c->arguments[i], "%d-%d-%d", &year, &month, &day);
    return frng_day(year, month, day);
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
    DRAW("depth", bool, frng_depth(f, number_at(c, 0), &x), write_number(x, value))
    DRAW("index", size_t, frng_index(f, number_at(c, 0), &x), write_number(x, value))
    DRAW("pick", size_t, frng_pick(f, number_at(c, 0), &x), write_number(x, value))
    DRAW("subset", uint64_t, frng_subset(f, number_at(c, 0), &x), write_number(x, value))
    return false;
}

/* Add 0 to `made` - 1 to a pool, and take so many. */
static bool draw_pool(frng *f, size_t made, size_t taken, char *value) {
    frng_pool p;
    uint64_t list[LIST_MAX] = {0};
    bool ok = true;
    p.count = 0;
    for (size_t i = 0; i < made; i++) frng_pool_add(f, &p, i);
    for (size_t i = 0; i < taken && ok; i++) {
        size_t thing;
        ok = frng_pool_take(f, &p, &thing);
        list[i] = thing;
    }
    write_list(list, taken, value);
    return ok;
}

/* Draws of lists, and from them. */
static bool draw_list(frng *f, const call *c, char *value, bool *ok) {
    uint32_t weights[LIST_MAX];
    const size_t listed = list_at(c, 0, weights), most = LIST_MAX;
    const size_t count = number_at(c, 0) < most ? number_at(c, 0) : most;
    uint64_t list[LIST_MAX];
    size_t order[LIST_MAX];
    for (size_t i = 0; i < LIST_MAX; i++) list[i] = order[i] = i;
    DRAW("weighted", size_t, frng_weighted(f, weights, listed, &x), write_number(x, value))
    DRAW("pick_weighted", size_t, frng_pick_weighted(f, weights, listed, &x),
         write_number(x, value))
    if (is(c, "pool")) {
        *ok = draw_pool(f, number_at(c, 0), number_at(c, 1), value);
        return true;
    }
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

static void write_hex(const void *bytes, size_t size, char *value) {
    value[0] = '\0';
    for (size_t i = 0; i < size; i++) value += sprintf(value, "%02x", ((const uint8_t *)bytes)[i]);
}

static bool draw_other(frng *f, const call *c, char *value, bool *ok) {
    const uint8_t *bytes;
    int year, month, day;
    char text[DRAW_TEXT_MAX / 2];
    size_t size = 0;
    if (is(c, "bytes")) {
        const size_t count = number_at(c, 0);
        *ok = frng_bytes(f, count, &bytes);
        write_hex(bytes, *ok ? count : 0, value);
    } else if (is(c, "utf8")) {
        *ok = frng_utf8(f, number_at(c, 0), number_at(c, 1), text, &size);
        write_hex(text, size, value);
    } else if (is(c, "regex")) {
        *ok = frng_regex(f, c->arguments[0], text);
        write_hex(text, strlen(text), value);
    } else if (is(c, "string")) {
        *ok = frng_string(f, c->arguments[0], number_at(c, 1), number_at(c, 2), value);
    } else if (is(c, "date") || is(c, "date_range")) {
        *ok = is(c, "date") ? frng_date(f, &year, &month, &day)
                            : frng_date_range(f, day_at(c, 0), day_at(c, 1), &year, &month, &day);
        sprintf(value, "%04d-%02d-%02d", year, month, day);
    } else {
        return false;
    }
    return true;
}

/* Make the draw of "u8_range 0 9", say, and write its value; false if there is no such draw. */
static bool draw_by_name(frng *f, const char *text, char value[DRAW_TEXT_MAX], bool *ok) {
    const call c = call_of(text);
    return draw_number(f, &c, value, ok) || draw_list(f, &c, value, ok) ||
           draw_other(f, &c, value, ok);
}

/* ---- Answers ---- */

static size_t read_hex(const char *text, uint8_t *bytes) {
    size_t size = 0;
    unsigned byte;
    while (sscanf(text + 2 * size, "%2x", &byte) == 1) bytes[size++] = (uint8_t)byte;
    return size;
}

static void answer_expand(const char *arguments) {
    uint8_t bytes[LINE_MAX_SIZE];
    char *end;
    const uint64_t seed = strtoull(arguments, &end, 10);
    const size_t size = strtoull(end + (*end == 's'), NULL, 10);
    (*end == 's' ? frng_expand_styled : frng_expand)(seed, bytes, size);
    for (size_t i = 0; i < size; i++) printf("%02x", bytes[i]);
    printf("\n");
}

static void answer_draw(frng *f, const char *line) {
    char value[DRAW_TEXT_MAX];
    bool ok;
    if (draw_by_name(f, line, value, &ok) && ok != f->exhausted)
        printf("%s %zu %d\n", value, frng_used(f), f->exhausted);
    else
        printf("?\n");
}

static int answer(void) {
    static char line[LINE_MAX_SIZE];
    static uint8_t entropy[LINE_MAX_SIZE];
    frng f = frng_init(entropy, 0);
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "expand ", 7) == 0) {
            answer_expand(line + 7);
        } else if (strncmp(line, "entropy ", 8) == 0) {
            f = frng_init(entropy, read_hex(line + 8, entropy));
        } else {
            answer_draw(&f, line);
        }
    }
    return 0;
}

/* ---- Targets ---- */

static const char *argument = ""; /* the second one of the program */

static bool test_calls(frng *f) {
    static char calls[CALLS_MAX][128];
    static size_t count;
    FILE *file = count == 0 ? fopen(argument, "r") : NULL;
    while (file != NULL && fgets(calls[count], sizeof calls[0], file) != NULL) count++;
    if (file != NULL) fclose(file);
    for (;;) {
        frng_step(f, "all kinds");
        for (size_t i = 0; i < count; i++) {
            char value[DRAW_TEXT_MAX], name[32];
            bool ok = false;
            sscanf(calls[i], "%31s", name);
            frng_note(f, name);
            if (!draw_by_name(f, calls[i], value, &ok)) abort();
            FRNG_TRY(ok);
            FRNG_ASSERT(strcmp(name, "u8") != 0 || strcmp(value, "77") != 0, "77");
        }
    }
}

static bool test_draws(frng *f) {
    uint8_t x;
    for (int i = 0; i < atoi(argument); i++) FRNG_TRY(frng_u8(f, &x));
    return true;
}

/* A loop with two bugs, `few` and `many`. With the argument `exits` it can end before that as
 * passed; with `hangs` it can hang. */
static bool test_bugs(frng *f) {
    const bool exits = strcmp(argument, "exits") == 0, hangs = strcmp(argument, "hangs") == 0;
    uint8_t x, previous = 255;
    int high = 0;
    for (;; previous = x) {
        FRNG_TRY(frng_u8(f, &x));
        if (exits && x < 64) exit(0);
        while (hangs && x == 200) pause();
        FRNG_ASSERT(x != 0 || previous != 0, "few");
        high += x >= 128;
        FRNG_ASSERT(high < 4, "many");
    }
}

static bool test_stateful(frng *f) {
    static int runs;
    uint8_t x;
    FRNG_TRY(frng_u8(f, &x));
    FRNG_ASSERT(runs++ < 50, "too many runs");
    return true;
}

/* What a test says of its run; many ports lack some of it. */
static bool test_marks(frng *f) {
    uint8_t x;
    for (unsigned count = 0;; count++) {
        frng_measure(f, "count", count);
        FRNG_TRY(frng_u8(f, &x));
        if (x % 2 == 1) frng_label(f, "odd");
        frng_say(f, "byte %u is %d, in a line that takes two records of a trace", count, x);
    }
}

/* Discards most runs. */
static bool test_assumes(frng *f) {
    uint8_t x, y;
    FRNG_TRY(frng_u8(f, &x));
    if (x % 2 == 1) frng_label(f, "odd");
    FRNG_TRY(frng_assume(f, x >= 160));
    FRNG_TRY(frng_u8(f, &y));
    return true;
}

/* A goal, which guided runs reach step by step, and fresh ones do not. */
static bool test_climbs(frng *f) {
    uint8_t x;
    for (unsigned high = 0, count = 0; count < 20; count++) {
        FRNG_TRY(frng_u8(f, &x));
        high = x % 32 == (high + 1) * 11 % 32 ? high + 1 : 0;
        frng_maximize(f, "high", high);
        FRNG_ASSERT(high < 4, "too high");
    }
    return true;
}

typedef struct target {
    const char *name;
    frng_test test;
} target;

int main(int argc, char **argv) {
    static const target targets[] = {
        {"calls", test_calls},       {"draws", test_draws}, {"bugs", test_bugs},
        {"stateful", test_stateful}, {"marks", test_marks}, {"climbs", test_climbs},
        {"assumes", test_assumes},
    };
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "answers") == 0) return answer();
    if (argc > 2) argument = argv[2];
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        if (strcmp(name, targets[i].name) == 0) return frng_run(targets[i].test);
    }
    fprintf(stderr, "suite: no such sub-command: %s\n", name);
    return 2;
}

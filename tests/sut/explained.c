/* Failures of small domains, whose draws mean what tests/cli/test_explain.py says of them. */
#include "frng_main.h"
#include "frng_more.h"

static const char *way = "";

static bool is(const char *name) { return strcmp(way, name) == 0; }

/* Draw values of 0 to the maximum of each. */
static bool draw_all(frng *f, const char *const *names, const uint8_t *most, uint8_t *x,
                     size_t count) {
    for (size_t i = 0; i < count; i++) {
        frng_note(f, names[i]);
        FRNG_TRY(frng_u8_max(f, most[i], &x[i]));
    }
    return true;
}

static bool fails_with_three(const uint8_t *x) {
    const bool is_sum = x[0] + x[1] + x[2] >= 20;
    return (is("sizes") && x[1] >= 4 && x[1] <= 20) || (is("equal") && x[0] == x[1]) ||
           (is("all-equal") && x[0] == x[1] && x[1] == x[2]) || (is("larger") && x[1] > x[0]) ||
           (is("larger-from") && x[1] > x[0] && x[0] >= 10) || (is("odd") && x[2] % 2 == 1) ||
           (is("fives") && x[0] % 5 == 3) ||
           (is("listed") && (x[0] == 1 || x[0] == 4 || x[0] == 9)) ||
           (is("except") && x[0] != 2 && x[1] != 0) ||
           (is("not-both") && (x[0] == 0 || x[1] == 0)) || (is("sum") && is_sum) ||
           (is("different") && x[0] != x[1]) || (is("at-most") && x[0] <= x[1] && x[1] >= 7) ||
           (is("scattered") && x[0] * 37 % 31 < 12);
}

static bool three(frng *f) {
    static const char *const names[] = {"key", "size", "rest"};
    static const uint8_t most[] = {30, 40, 25};
    uint8_t x[3];
    FRNG_TRY(draw_all(f, names, most, x, 3));
    if (fails_with_three(x)) abort();
    return true;
}

/* Draw an index whose bound is another draw. */
static bool bounded(frng *f) {
    uint8_t count, i;
    FRNG_TRY(frng_u8_max(f, 12, &count));
    FRNG_TRY(frng_u8_max(f, count, &i));
    if (count >= 3 && i == count - 1) abort();
    return true;
}

/* Draw a count and as many values: with a larger one entropy runs out. */
static bool counted(frng *f) {
    uint8_t count, x;
    unsigned sum = 0;
    FRNG_TRY(frng_u8_max(f, 6, &count));
    for (unsigned i = 0; i < count; i++) {
        FRNG_TRY(frng_u8_max(f, 3, &x));
        sum += x;
    }
    if (sum >= 5) abort();
    return true;
}

/* Fail with all 256 keys, or with one of two messages at places of their own. */
static bool placed(frng *f) {
    uint8_t x;
    FRNG_TRY(frng_u8(f, &x));
    FRNG_ASSERT(x < 100 || x >= 200, "here");
    FRNG_ASSERT(x < 200, "there");
    return true;
}

static bool every_kind(frng *f) {
    int16_t number;
    bool coin;
    double real;
    char text[5];
    uint32_t wide;
    frng_note(f, "number");
    FRNG_TRY(frng_i16(f, &number));
    frng_note(f, "coin");
    FRNG_TRY(frng_bool(f, &coin));
    frng_note(f, "real");
    FRNG_TRY(frng_f64_range(f, -10, 10, &real));
    frng_note(f, "text");
    FRNG_TRY(frng_string(f, FRNG_LOWER, 2, 4, text));
    frng_note(f, "wide");
    FRNG_TRY(frng_u32(f, &wide));
    if (number <= -300 && coin && real >= 2.5 && text[0] >= 'd') abort();
    return true;
}

/* Fail with any value of the draws whose encodings differ in length. */
static bool lengths(frng *f) {
    uint8_t x;
    uint32_t number;
    int64_t signed_number;
    double real;
    FRNG_TRY(frng_u8(f, &x));
    FRNG_TRY(frng_u32_mixed(f, 0, 100000, &number));
    FRNG_TRY(frng_i64_mixed(f, INT64_MIN, INT64_MAX, &signed_number));
    FRNG_TRY(frng_f64_any(f, &real));
    if (x >= 3) abort();
    return true;
}

/* Fail after more draws than a short explanation has runs for. */
static bool many(frng *f) {
    uint8_t x;
    for (int i = 0; i < 200; i++) FRNG_TRY(frng_u8(f, &x));
    abort();
}

static bool test(frng *f) {
    if (is("lengths")) return lengths(f);
    if (is("bounded")) return bounded(f);
    if (is("counted")) return counted(f);
    if (is("placed")) return placed(f);
    if (is("many")) return many(f);
    return is("kinds") ? every_kind(f) : three(f);
}

int main(int argc, char **argv) {
    if (argc > 1) way = argv[1];
    return frng_run(test);
}

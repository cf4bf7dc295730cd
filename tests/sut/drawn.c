/* drawn.c: failures over draws of frng_more.h, whose simplest inputs are plain to people. Its
 * argument names one. SPDX-License-Identifier: MIT */
#include <frng_main.h>
#include <frng_more.h>

static const char *way;

static bool is(const char *name) { return strcmp(way, name) == 0; }

/* Three equal letters in a row. */
static bool words(frng *f) {
    char text[41];
    frng_note(f, "text");
    FRNG_TRY(frng_string(f, FRNG_PRINTABLE, 0, 40, text));
    for (size_t i = 0; i + 2 < strlen(text); i++) {
        FRNG_ASSERT(text[i] != text[i + 1] || text[i] != text[i + 2], "%s", text);
    }
    return true;
}

static bool doubles(frng *f) {
    double any, in_range;
    FRNG_TRY(frng_f64_any(f, &any) && frng_f64_range(f, -100, 1e6, &in_range));
    if (is("large")) FRNG_ASSERT(!(any > 41.5 && in_range > 2.25));

    if (is("half")) FRNG_ASSERT(!(any > 98 && any < 1e6 && any != (double)(int64_t)any));
    if (is("infinite")) FRNG_ASSERT(!(any > 1.7976931348623157e308));
    return true;
}

/* A list with a large number in it. */
static bool list(frng *f) {
    int32_t item;
    bool more;
    for (size_t n = 0;; n++) {
        FRNG_TRY(frng_more(f, n, 0, 12, &more));
        if (!more) return true;
        frng_step(f, "item");
        FRNG_TRY(frng_i32_mixed(f, -2000000000, 2000000000, &item));
        FRNG_ASSERT(item > -70000, "%d", item);
    }
}

static bool days(frng *f) {
    int year, month, day;
    uint64_t mask;
    FRNG_TRY(frng_date(f, &year, &month, &day) && frng_subset(f, 40, &mask));
    FRNG_ASSERT(day != 29 || (mask & 0x90) != 0x90);
    return true;
}

/* Pairs, as long as there are any. Their sum is checked when there is no entropy left, as whether a
 * cluster makes progress once it is healed. */
static bool healed(frng *f) {
    uint8_t a, b;
    unsigned sum = 0, pairs = 0;
    while (frng_u8_max(f, 9, &a) && frng_u8_max(f, 9, &b)) {
        if (a == b) continue;
        sum += a;
        pairs++;
    }
    FRNG_ASSERT(sum < 17, "%u pairs", pairs);
    return true;
}

static bool test(frng *f) {
    if (is("healed")) return healed(f);
    if (is("words")) return words(f);
    if (is("list")) return list(f);
    return is("days") ? days(f) : doubles(f);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    way = argv[1];
    return frng_run(test);
}

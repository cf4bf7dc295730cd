/* Labels, measures and what a run draws, in the ways that a search reports. */
#include "frng_main.h"
#include "frng_more.h"

static const char *way = "";

static bool is(const char *name) { return strcmp(way, name) == 0; }

/* Draw a length and that many items. */
static bool items(frng *f) {
    uint8_t count, item;
    FRNG_TRY(frng_u8(f, &count));
    frng_label(f, count < 128 ? "short" : "long");
    if (count == 7) frng_label(f, "rare");
    for (unsigned i = 0; i < count; i++) {
        FRNG_TRY(frng_u8(f, &item));
        frng_measure(f, "items", i + 1);
        if (item == 7) frng_label(f, "seven");
        if (item == 9 && is("fails")) abort();
        if (item == 9 && is("exits")) exit(0);
    }
    return true;
}

static bool many(frng *f) {
    char name[100];
    uint8_t which;
    FRNG_TRY(frng_u8_max(f, 99, &which));
    snprintf(name, sizeof name, "name %d\033[31m\xff of some length that is beyond what is kept",
             which);
    frng_label(f, name);
    return true;
}

/* Draw this many bytes, one after the other. */
static bool drawing(frng *f, int count) {
    for (int i = 0; i < count; i++) {
        uint8_t byte;
        FRNG_TRY(frng_u8(f, &byte));
    }
    return true;
}

static bool few(frng *f) {
    uint8_t kind;
    FRNG_TRY(frng_u8(f, &kind));
    return kind < 200 || drawing(f, 50);
}

/* Draw bytes again until five of them fit. */
static bool again(frng *f) {
    for (int fitting = 0; fitting < 5;) {
        uint8_t byte;
        FRNG_TRY(frng_u8(f, &byte));
        fitting += byte < 32;
    }
    return true;
}

static bool test(frng *f) {
    const uint8_t *bytes;
    if (is("nothing")) return true;
    if (is("many")) return many(f);
    if (is("few")) return few(f);
    if (is("hungry")) return frng_bytes(f, 1 << 30, &bytes);
    if (is("forty")) return drawing(f, 40);
    if (is("again")) return again(f);
    if (is("all")) return drawing(f, 1 << 30);
    return items(f);
}

int main(int argc, char **argv) {
    if (argc > 1) way = argv[1];
    return frng_run(test);
}

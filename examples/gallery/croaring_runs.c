/* croaring_runs: the run that never ends.
 *
 * Library: CRoaring's run-length encoding
 * Bug: removing the encoding of a run that ends at 65,535 writes until it crashes
 * Packages: libroaring-dev
 * Link: -lroaring
 *
 * roaring.h: roaring_bitmap_remove_run_compression is to "remove run-length encoding even when it
 * is more space efficient", and returns "whether a change was applied". Neither that nor
 * roaring_bitmap_run_optimize changes the values.
 *
 * The values are those around 65,536, where one container ends and the next begins. The model is an
 * array of flags.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>
#include <frng_more.h>

#include <roaring/roaring.h>

enum { FIRST = 65536 - 8, VALUES = 16, STEPS_MAX = 50 };

typedef struct sets {
    roaring_bitmap_t *real;
    bool model[VALUES]; /* of FIRST and those that follow */
} sets;

static void compare(const sets *s) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < VALUES; i++) {
        const bool is_in = roaring_bitmap_contains(s->real, FIRST + i);
        FRNG_ASSERT(is_in == s->model[i], "%u is %s", FIRST + i, is_in ? "in" : "missing");
        count += s->model[i];
    }
    FRNG_ASSERT(roaring_bitmap_get_cardinality(s->real) == count, "not %d values", (int)count);
}

static bool change_range(frng *f, sets *s, bool is_in) {
    uint8_t first, last;
    frng_note(f, "first");
    FRNG_TRY(frng_u8_max(f, VALUES - 1, &first));
    frng_note(f, "last");
    FRNG_TRY(frng_u8_range(f, first, VALUES - 1, &last));
    if (is_in) {
        roaring_bitmap_add_range_closed(s->real, FIRST + first, FIRST + last);
    } else {
        roaring_bitmap_remove_range_closed(s->real, FIRST + first, FIRST + last);
    }
    for (uint8_t i = first; i <= last; i++) s->model[i] = is_in;
    return true;
}

static bool step(frng *f, sets *s) {
    static const char *const names[] = {"add range", "remove range", "run_optimize",
                                        "remove_run_compression"};
    uint8_t operation;
    FRNG_TRY(frng_u8_max(f, 3, &operation));
    frng_step(f, names[operation]);
    switch (operation) {
    case 0: FRNG_TRY(change_range(f, s, true)); break;
    case 1: FRNG_TRY(change_range(f, s, false)); break;
    case 2: roaring_bitmap_run_optimize(s->real); break;
    default: roaring_bitmap_remove_run_compression(s->real); break;
    }
    compare(s);
    return true;
}

static bool test(frng *f) {
    sets s = {.real = roaring_bitmap_create()};
    for (int i = 0; i < STEPS_MAX && step(f, &s); i++) {
    }
    roaring_bitmap_free(s.real);
    return true;
}

FRNG_MAIN(test)

/* croaring: a bitmap that its own file does not bring back.
 *
 * Library: CRoaring's portable serialization
 * Bug: a set of 4,096 comes back as other numbers
 * Packages: libroaring-dev
 * Link: -lroaring
 *
 * roaring.h: "write a bitmap to a char buffer", "read a bitmap from a serialized version", in the
 * format that Java and Go read. So what is read equals what was written. The format, in
 * RoaringFormatSpec: a container that is no run container and has up to 4,096 values is a sorted
 * array of 16-bit numbers, one with more is a bitset.
 *
 * The values are those around 0 and 4,096, where a container changes its kind. The model is an
 * array of flags.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>
#include <frng_more.h>

#include <roaring/roaring.h>

enum { VALUES = 4104, ROUNDS_MAX = 20 };

typedef struct sets {
    roaring_bitmap_t *real;
    bool model[VALUES];
} sets;

static bool draw_value(frng *f, uint32_t *value) {
    bool is_far;
    uint8_t offset;
    FRNG_TRY(frng_bool(f, &is_far));
    FRNG_TRY(frng_u8_max(f, 7, &offset));
    *value = (is_far ? VALUES - 8 : 0) + (uint32_t)offset;
    return true;
}

static void set_range(sets *s, uint32_t first, uint32_t last, bool present) {
    if (present) {
        roaring_bitmap_add_range_closed(s->real, first, last);
    } else {
        roaring_bitmap_remove_range_closed(s->real, first, last);
    }
    for (uint32_t i = first; i <= last; i++) s->model[i] = present;
}

static void add(sets *s, uint32_t value) {
    const bool added = roaring_bitmap_add_checked(s->real, value);
    FRNG_ASSERT(added == !s->model[value], "add %u: %s", value, added ? "new" : "known");
    s->model[value] = true;
}

static void save_and_load(sets *s) {
    const size_t size = roaring_bitmap_portable_size_in_bytes(s->real);
    char *file = (char *)malloc(size + 1);
    FRNG_ASSERT(roaring_bitmap_portable_serialize(s->real, file) == size, "size %zu", size);
    roaring_bitmap_free(s->real);
    s->real = roaring_bitmap_portable_deserialize_safe(file, size);
    FRNG_ASSERT(s->real != NULL, "what was written cannot be read");
    free(file);
}

static void compare(const sets *s) {
    uint32_t values[VALUES];
    const size_t count = (size_t)roaring_bitmap_get_cardinality(s->real);
    FRNG_ASSERT(count <= VALUES, "%zu values", count);
    roaring_bitmap_to_uint32_array(s->real, values);
    size_t at = 0;
    for (uint32_t i = 0; i < VALUES; i++) {
        if (!s->model[i]) continue;
        FRNG_ASSERT(at < count && values[at] == i, "value %zu of %zu is %u, not %u", at, count,
                    at < count ? values[at] : 0, i);
        at++;
    }
    FRNG_ASSERT(at == count, "%zu values, not %zu", count, at);
}

static bool step(frng *f, sets *s) {
    static const char *const names[] = {"add range", "remove range", "add", "save and load"};
    uint8_t operation;
    uint32_t first, last;
    FRNG_TRY(frng_u8_max(f, 3, &operation));
    frng_step(f, names[operation]);
    if (operation == 3) {
        save_and_load(s);
        compare(s);
        return true;
    }
    frng_note(f, operation == 2 ? "value" : "first");
    FRNG_TRY(draw_value(f, &first));
    if (operation == 2) {
        add(s, first);
        return true;
    }
    frng_note(f, "last");
    FRNG_TRY(draw_value(f, &last));
    if (first <= last) set_range(s, first, last, operation == 0);
    return true;
}

static bool test(frng *f) {
    sets s = {.real = roaring_bitmap_create()};
    for (int i = 0; i < ROUNDS_MAX && step(f, &s); i++) {
    }
    roaring_bitmap_free(s.real);
    return true;
}

FRNG_MAIN(test)

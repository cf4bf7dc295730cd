/* stb_ds: nothing, inserted into nothing.
 *
 * Library: stb_ds.h's dynamic arrays
 * Bug: `arrinsn` of 0 elements into an empty array crashes
 * Packages: libstb-dev
 *
 * stb_ds.h: "Declare an empty dynamic array of type T: T* foo = NULL", and "arrinsn(T* a, int p,
 * int n): Inserts n uninitialized items into array a starting at a[p], moving the rest of the array
 * over". No count is excluded, and arraddnptr and arraddnindex take 0.
 *
 * The model is an array that never moves.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>
#include <frng_more.h>

#define STB_DS_IMPLEMENTATION
#include <stb/stb_ds.h>

enum { ITEMS_MAX = 1000, ROUNDS_MAX = 200 };

typedef struct arrays {
    uint8_t *real; /* NULL: empty */
    uint8_t model[ITEMS_MAX];
    size_t count;
} arrays;

static void append(arrays *a, uint8_t value) {
    arrput(a->real, value);
    a->model[a->count++] = value;
}

static void insert(arrays *a, size_t at, size_t count) {
    memmove(a->model + at + count, a->model + at, a->count - at);
    memset(a->model + at, '+', count);
    a->count += count;
    arrinsn(a->real, at, count);
    for (size_t i = 0; i < count; i++) a->real[at + i] = '+';
}

static void delete (arrays *a, size_t at, size_t count) {
    if (a->count == 0) return; /* "Deletes n elements starting at a[p]": there is none */
    memmove(a->model + at, a->model + at + count, a->count - at - count);
    a->count -= count;
    arrdeln(a->real, at, count);
}

static void compare(const arrays *a) {
    FRNG_ASSERT(arrlenu(a->real) == a->count, "%zu items, not %zu", arrlenu(a->real), a->count);
    for (size_t i = 0; i < a->count; i++) {
        FRNG_ASSERT(a->real[i] == a->model[i], "item %zu is %u, not %u", i, a->real[i],
                    a->model[i]);
    }
}

static bool step(frng *f, arrays *a) {
    static const char *const names[] = {"append", "insert", "delete"};
    uint8_t operation, count;
    uint16_t at;
    FRNG_TRY(frng_u8_max(f, 2, &operation));
    frng_step(f, names[operation]);
    frng_note(f, "count");
    FRNG_TRY(frng_u8_max(f, 5, &count));
    frng_note(f, "at");
    FRNG_TRY(frng_u16_max(f, (uint16_t)a->count, &at));
    switch (operation) {
    case 0: append(a, count); break;
    case 1: insert(a, at, count); break;
    default: delete (a, at, at + count <= a->count ? count : a->count - at); break;
    }
    compare(a);
    return a->count + 5 <= ITEMS_MAX;
}

static bool test(frng *f) {
    arrays a = {.real = NULL};
    for (int i = 0; i < ROUNDS_MAX && step(f, &a); i++) {
    }
    arrfree(a.real);
    return true;
}

FRNG_MAIN(test)

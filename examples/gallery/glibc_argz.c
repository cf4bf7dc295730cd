/* glibc_argz: nothing, appended to nothing, twice.
 *
 * Library: the GNU C Library's argz vectors
 * Bug: the second `argz_append` of nothing is out of memory, and frees it
 * Packages: libc6-dev
 *
 * argz_add(3): "The pair (NULL,0) is an argz vector, and, conversely, argz vectors of length 0 must
 * have null pointer", "argz_append() appends the argz vector (buf, buf_len) after
 * (*argz, *argz_len) and updates *argz and *argz_len", and "all argz functions that do memory
 * allocation have a return type of error_t, and return 0 for success, and ENOMEM if an allocation
 * error occurs". The model is an array of strings.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* argz.h */
#include <argz.h>

#include <frng_main.h>
#include <frng_more.h>

enum { STRINGS_MAX = 20, TEXT_SIZE = 4 };

typedef struct vectors {
    char *real;
    size_t size;
    char model[STRINGS_MAX][TEXT_SIZE];
    size_t count;
} vectors;

static void must_succeed(error_t error, const char *what, size_t size) {
    FRNG_ASSERT(error == 0, "%s of %zu bytes: %s", what, size, strerror(error));
}

static bool draw_text(frng *f, char *text) {
    uint8_t length;
    FRNG_TRY(frng_u8_max(f, TEXT_SIZE - 1, &length));
    memset(text, 'a', length);
    text[length] = '\0';
    return true;
}

static bool add(frng *f, vectors *v) {
    char *text = v->model[v->count];
    FRNG_TRY(draw_text(f, text));
    v->count++;
    must_succeed(argz_add(&v->real, &v->size, text), "argz_add", strlen(text));
    return true;
}

/* Append a vector of at most two strings. */
static bool append(frng *f, vectors *v) {
    char bytes[2 * TEXT_SIZE];
    size_t size = 0;
    uint8_t count;
    FRNG_TRY(frng_u8_max(f, 2, &count));
    while (count-- > 0) {
        char *text = v->model[v->count];
        FRNG_TRY(draw_text(f, text));
        v->count++;
        memcpy(bytes + size, text, strlen(text) + 1);
        size += strlen(text) + 1;
    }
    must_succeed(argz_append(&v->real, &v->size, size == 0 ? NULL : bytes, size), "argz_append",
                 size);
    return true;
}

static bool delete_one(frng *f, vectors *v) {
    uint8_t index;
    FRNG_TRY(frng_u8_max(f, STRINGS_MAX, &index));
    if (index >= v->count) return true;
    char *entry = v->real;
    for (uint8_t i = 0; i < index; i++) entry = argz_next(v->real, v->size, entry);
    argz_delete(&v->real, &v->size, entry);
    v->count--;
    memmove(v->model[index], v->model[index + 1], (v->count - index) * TEXT_SIZE);
    return true;
}

static void compare(const vectors *v) {
    const size_t count = argz_count(v->real, v->size);
    FRNG_ASSERT(count == v->count, "%zu strings, not %zu", count, v->count);
    const char *entry = NULL;
    for (size_t i = 0; i < count; i++) {
        entry = argz_next(v->real, v->size, entry);
        FRNG_ASSERT(strcmp(entry, v->model[i]) == 0, "string %zu is \"%s\", not \"%s\"", i, entry,
                    v->model[i]);
    }
}

static bool step(frng *f, vectors *v) {
    static const char *const names[] = {"add", "append", "delete"};
    uint8_t operation;
    FRNG_TRY(frng_u8_max(f, 2, &operation));
    frng_step(f, names[operation]);
    switch (operation) {
    case 0: FRNG_TRY(add(f, v)); break;
    case 1: FRNG_TRY(append(f, v)); break;
    default: FRNG_TRY(delete_one(f, v)); break;
    }
    compare(v);
    return v->count + 2 < STRINGS_MAX;
}

static bool test(frng *f) {
    vectors v = {.real = NULL};
    while (step(f, &v)) {
    }
    free(v.real);
    return true;
}

FRNG_MAIN(test)

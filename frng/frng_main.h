/* frng_main.h: from bytes on stdin to a verdict, for a system under test.
 *
 *     static bool test(frng *f) { ... }
 *     FRNG_MAIN(test)
 *
 * is the whole program. One with a main of its own returns frng_run(test) from it. Entropy is
 * read from stdin, or from the file that FRNG_INPUT names, so that a debugger keeps the terminal.
 *
 * A test that returns true, or false because its entropy ran out, has passed: exit status 0. One
 * that returns false with entropy to spare meant `return x == y`: it fails with exit status 1.
 * A test that crashes fails by that. Entropy that cannot be read is exit status 125: no verdict.
 * Include it in one file of the program. C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_MAIN_H
#define FRNG_MAIN_H

#include "frng.h"
#include "frng_assert.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRNG_EXIT_PASS = 0, FRNG_EXIT_FAIL = 1, FRNG_EXIT_CANNOT_JUDGE = 125 };

typedef bool (*frng_test)(frng *f);

/* Tools find these words in an executable, and know that it reads FRNG_INPUT. */
__attribute__((used)) static const char frng__marker[] = "frng_main:1";

static inline void *frng__cannot_read(const char *name, const char *why) {
    fprintf(stderr, "frng: cannot read entropy from %s: %s\n", name, why);
    return NULL;
}

/* All that `file` holds: *size bytes, freed by the caller, and no byte more, so that sanitizers
 * see who reads past them. NULL when that failed, and was said. */
static inline uint8_t *frng__read_all(FILE *file, const char *name, size_t *size) {
    size_t capacity = 4096;
    uint8_t *bytes = (uint8_t *)malloc(capacity);
    *size = 0;
    while (bytes != NULL) {
        uint8_t *larger;
        *size += fread(bytes + *size, 1, capacity - *size, file);
        if (*size < capacity) break;
        capacity *= 2;
        larger = (uint8_t *)realloc(bytes, capacity);
        if (larger == NULL) free(bytes);
        bytes = larger;
    }
    if (bytes == NULL) return (uint8_t *)frng__cannot_read(name, "out of memory");
    if (ferror(file)) {
        frng__cannot_read(name, strerror(errno)); /* before free, which may set errno */
        free(bytes);
        return NULL;
    }
    {
        uint8_t *exact = (uint8_t *)realloc(bytes, *size > 0 ? *size : 1);
        return exact != NULL ? exact : bytes;
    }
}

/* What the process should exit with after `test` has returned `returned`. */
static inline int frng__verdict(const frng *f, bool returned) {
    if (returned || f->exhausted) return FRNG_EXIT_PASS;
    fprintf(stderr, "frng: the test returned false after %zu of %zu bytes of entropy\n", f->used,
            f->size);
    return FRNG_EXIT_FAIL;
}

/* Run `test` once on the entropy of this process; returns the exit status. */
static inline int frng_run(frng_test test) {
    const char *name = getenv("FRNG_INPUT");
    FILE *file = name != NULL ? fopen(name, "rb") : stdin;
    uint8_t *bytes;
    size_t size;
    int status;
    frng f;
    __asm__ volatile("" : : "r"(frng__marker)); /* or --gc-sections drops it */
    if (name == NULL) name = "stdin";
    if (file == NULL) {
        frng__cannot_read(name, strerror(errno));
        return FRNG_EXIT_CANNOT_JUDGE;
    }
    bytes = frng__read_all(file, name, &size);
    if (file != stdin) fclose(file);
    if (bytes == NULL) return FRNG_EXIT_CANNOT_JUDGE;
    f = frng_init(bytes, size);
    status = frng__verdict(&f, test(&f));
    free(bytes);
    return status;
}

#define FRNG_MAIN(test)                                                                            \
    int main(void) { return frng_run(test); }

#endif

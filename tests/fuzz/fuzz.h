/* fuzz.h: what the targets of this folder share: their input, cut up, and properties of it. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Ends the target where a property does not hold, release builds too. */
#define FUZZ_HOLDS(property)                                                                       \
    ((property) ? (void)0                                                                          \
                : (fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #property),   \
                   abort()))

/* What is left of an input. Beyond its end there are zeros. */
typedef struct fuzz_input {
    const uint8_t *bytes;
    size_t size;
} fuzz_input;

static inline void fuzz_fill(fuzz_input *in, void *to, size_t size) {
    const size_t count = size < in->size ? size : in->size;
    memset(to, 0, size);
    if (count > 0) memcpy(to, in->bytes, count);
    in->bytes += count;
    in->size -= count;
}

static inline uint8_t fuzz_u8(fuzz_input *in) {
    uint8_t byte;
    fuzz_fill(in, &byte, sizeof byte);
    return byte;
}

static inline uint64_t fuzz_u64(fuzz_input *in) {
    uint64_t number;
    fuzz_fill(in, &number, sizeof number);
    return number;
}

/* A number that is often small, or close to a limit: one byte says which. */
static inline uint64_t fuzz_number(fuzz_input *in) {
    const uint8_t how = fuzz_u8(in);
    if (how < 128) return how;
    if (how < 192) return (UINT64_C(1) << (how - 128)) - 1 + (fuzz_u8(in) & 1);
    return how < 224 ? 0 - (uint64_t)(how - 191) : fuzz_u64(in);
}

/* All that is left, as a text that ends with its first zero; freed by the caller. */
static inline char *fuzz_text(fuzz_input *in) {
    char *text = malloc(in->size + 1);
    FUZZ_HOLDS(text != NULL);
    text[in->size] = '\0';
    fuzz_fill(in, text, in->size);
    return text;
}

#endif

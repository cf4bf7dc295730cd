/* fuzz.h: what the targets of this folder share: their input, cut up into numbers and records, and
 * properties of it. A target takes an input, and aborts where a property does not hold. */
#ifndef FUZZ_H
#define FUZZ_H

#include "frng.h"
#include "frng_protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Parsers (parsers.c), a trace and its reduction (traces.c), guided runs (guided.c), both ends of
 * the protocol. */
typedef void fuzz_target(fuzz_input *in);
fuzz_target fuzz_constants, fuzz_driver, fuzz_finding, fuzz_guide, fuzz_options, fuzz_passes,
    fuzz_report, fuzz_server, fuzz_sites, fuzz_text, fuzz_trace, fuzz_worker;

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
static inline char *fuzz_rest(const fuzz_input *in) {
    char *text = malloc(in->size + 1);
    FUZZ_HOLDS(text != NULL);
    memcpy(text, in->bytes, in->size);
    text[in->size] = '\0';
    return text;
}

/* A record of a trace as it comes, or made to look nearly as though an honest program had told it;
 * *at is where the next draw begins. */
static inline frng_trace_record fuzz_record(fuzz_input *in, uint64_t *at) {
    frng_trace_record r = {0};
    const uint8_t how = fuzz_u8(in);
    if (how == 255) {
        fuzz_fill(in, &r, sizeof r);
        return r;
    }
    if (how >= 248) {
        r.kind = FRNG_TRACE_NOTE;
        fuzz_fill(in, r.u.text, sizeof r.u.text);
        return r;
    }
    r.kind = how % (FRNG_KIND_MAX + 1);
    r.width = (uint8_t)(1u << (how / 8 % 4));
    if (r.kind == FRNG_BOOL) r.width = 1;
    if (r.kind == FRNG_CHANCE) r.width = 4;
    if (r.kind == FRNG_F64) r.width = 8;
    r.start = *at;
    r.taken = r.width + (how >= 192 ? fuzz_u8(in) : 0u);
    r.u.draw.min = fuzz_number(in);
    r.u.draw.max = how % 3 == 0 ? fuzz_number(in) : r.u.draw.min + fuzz_number(in);
    r.u.draw.value = how % 5 == 0 ? fuzz_number(in) : r.u.draw.min + fuzz_u8(in);
    if (r.kind == FRNG_BOOL) r.u.draw.value &= 1;
    if (r.kind == FRNG_BYTES) r.taken = r.u.draw.max;
    *at += r.taken;
    return r;
}

#endif

/* testcase.h: the bytes of a test case, and the draws that were made from them.
 *
 * Values are reduced, not bytes: each draw has a rank, the count of values that are simpler than
 * its own, and each rank one encoding, the smallest number that the draw accepts. Without a trace
 * each byte is a draw. */
#ifndef TESTCASE_H
#define TESTCASE_H

#include "frng_protocol.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A draw and its value. Of raw bytes (FRNG_BYTES), each byte is one. */
typedef struct draw {
    uint8_t kind;      /* frng_kind */
    uint8_t width;     /* bytes of its encoding, 1..8 */
    uint64_t min, max; /* as frng_drawn reports them */
    uint64_t rank;     /* 0: the simplest value */
} draw;

typedef struct testcase {
    uint8_t *bytes; /* owned */
    size_t size;    /* bytes: those drawn */
    draw *draws;    /* owned */
    size_t count;
    bool has_trace;       /* the program reported its draws */
    bool has_slack_bytes; /* the bytes are more than the draws need */
} testcase;

/* Make one of `size` bytes and the trace of their run; `drawn` is the count of bytes it drew, or
 * more than `size` where that is unknown. Records are untrusted: from the first that makes no sense
 * on, each byte is a draw. False when out of memory. */
bool testcase_init(testcase *t, const uint8_t *bytes, size_t size, uint64_t drawn,
                   const frng_trace_record *records, size_t record_count);
bool testcase_copy(testcase *t, const testcase *from);
void testcase_finish(testcase *t);

/* Draws that can stand in for each other: the same bytes, the same kind of meaning. */
static inline bool draw_is_alike(const draw *a, const draw *b) {
    return a->kind == b->kind && a->width == b->width;
}

/* The rank of the least simple value. */
uint64_t draw_rank_max(const draw *d);

/* The value of a draw of numbers (unsigned, signed, index, weighted, bytes), in two's
 * complement. */
uint64_t draw_value(const draw *d);
bool draw_is_number(const draw *d);

/* A coin, fair or not: it says which way to go on. */
bool draw_is_choice(const draw *d);

/* How far a number can be moved towards its simplest value without passing it, and the rank that it
 * has then. Signed values keep their sign. */
uint64_t draw_distance(const draw *d);
uint64_t draw_rank_nearer(const draw *d, uint64_t by);

/* The rank of a value; false where the draw cannot have it. */
bool draw_rank_of(const draw *d, uint64_t value, uint64_t *rank);

/* Write the `width` bytes that stand for a rank of this draw. */
void draw_encode(const draw *d, uint64_t rank, uint8_t *bytes);

/* The order: fewer bytes; then the ranks, draw by draw; then fewer draws; then the bytes. Less
 * than 0 when `a` is simpler. */
int testcase_compare(const testcase *a, const testcase *b);

#endif

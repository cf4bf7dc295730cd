/* testcase.h: the bytes of a test case, and the draws that the target made from them.
 *
 * A reduction changes values, not bytes. Each draw has a rank, the count of values simpler than its
 * own. Each rank has one encoding, the smallest number that the draw accepts. Without a trace each
 * byte is a draw. A large file, and a text in UTF-16 or UTF-32, has units in place of draws: its
 * bytes are all that it keeps. */
#pragma once

#include "candidate_set.h"
#include "frng_encode.h"
#include "frng_protocol.h"

/* A draw and its value. Each byte of raw bytes (FRNG_BYTES) is a draw. */
typedef struct draw {
    uint8_t kind;      /* frng_kind or frng_more_kind */
    uint8_t width;     /* bytes of its encoding, 1..8; of its type if that varies (draw_size) */
    uint64_t min, max; /* as frng_drawn reports them */
    uint64_t rank;     /* 0: the simplest value */
    uint64_t marked;   /* its rank when testcase_mark was last called */
    uint32_t site;     /* the place in the test that made it; 0: unknown */
    uint16_t depth;    /* of the stack there; 0: unknown */
    bool is_by_index;  /* FRNG_WEIGHTED: the rank is the index, of at most max + 1 */
    bool begins_step;  /* the target said that an operation begins here (frng_step) */
    bool goes_on;      /* a later byte of a few raw bytes, which are one value */
} draw;

typedef enum trace_extent {
    TRACE_NONE, /* none: each byte is a draw */
    TRACE_PART, /* the first ones, or some of kinds that are unknown here */
    TRACE_WHOLE /* all, each of a known kind */
} trace_extent;

/* The number of bytes before a draw, and the digest of these. */
typedef struct prefix_hash {
    size_t at;
    uint64_t digest;
} prefix_hash;

typedef struct testcase {
    uint8_t *bytes;     /* owned, or shared with copies, if it has no draws */
    size_t size;        /* count of bytes, which are those drawn */
    draw *draws;        /* owned; NULL: the bytes are units of `width` bytes */
    size_t count;       /* of draws or units */
    uint8_t width;      /* bytes of a unit; bytes at the end that make none are units of one byte */
    bool is_big;        /* units are big-endian */
    size_t *owners;     /* count of the test cases that share the bytes; NULL: it has them alone, */
    bool is_borrowed;   /* or they are those of a longer life */
    size_t step_count;  /* draws that begin a step */
    trace_extent trace; /* the draws that the target reported */
    bool has_wrong_record; /* the bytes contradict a record: each byte is a draw */
    bool has_run_out;      /* as choices: its run wanted more, and failed without it */
    prefix_hash *hashes;   /* before each draw and the end, or before some units, once patch_digest
                              made them; owned */
    candidate_form hashed; /* their form */
} testcase;

/* Make a test case of the `size` bytes that a run drew and its records, which are untrusted: if one
 * is wrong (record_check), none is used. */
void testcase_init(testcase *t, const uint8_t *bytes, size_t size, const frng_trace_record *records,
                   size_t record_count);
void testcase_copy(testcase *t, const testcase *from);
void testcase_finish(testcase *t);

/* Make a test case of units, of these very bytes, which stay; and let its copies share a copy of
 * them. */
testcase testcase_of_units(const uint8_t *bytes, size_t size, uint8_t width, bool is_big);
void testcase_own(testcase *t);

/* Return where the bytes of a unit begin, its bytes, and its number. */
static inline size_t testcase_place(const testcase *t, size_t at) {
    const size_t whole = t->width == 1 ? t->size : t->size / t->width;
    return at <= whole ? at * t->width : whole * t->width + (at - whole);
}
static inline unsigned testcase_unit_width(const testcase *t, size_t at) {
    return t->width == 1 || at >= t->size / t->width ? 1 : t->width;
}
uint64_t testcase_unit(const testcase *t, size_t at);

/* Return the rank of a draw, or the number of a unit; and the draw, or one like the unit. */
static inline uint64_t testcase_rank(const testcase *t, size_t at) {
    if (t->draws != NULL) return t->draws[at].rank;
    return t->width == 1 ? t->bytes[at] : testcase_unit(t, at);
}
draw testcase_draw(const testcase *t, size_t at);

/* Mark the ranks of a test case. The marks stay in what it becomes, while only values change. */
void testcase_mark(testcase *t);
void testcase_keep_marks(testcase *t, const testcase *from);

/* Ways in which two draws are alike: they have the same kind and width, so that one can stand in
 * for the other; the same bounds too, but for that of an index, which varies with what it selects
 * from; and besides these the same value. */
static inline bool same_type(const draw *a, const draw *b) {
    return a->kind == b->kind && a->width == b->width;
}
bool same_range(const draw *a, const draw *b);
static inline bool same_value(const draw *a, const draw *b) {
    return a->rank == b->rank && same_range(a, b);
}

/* Return the rank of the least simple value. */
uint64_t draw_rank_max(const draw *d);

/* Return the rank that lowering a draw ends at: a letter stays a letter. */
uint64_t draw_rank_least(const draw *d);

/* Return the value of a draw of a number (unsigned, signed, index, weighted, bytes), in two's
 * complement. */
uint64_t draw_value(const draw *d);
bool draw_is_number(const draw *d);

/* True for a coin, fair or not, which selects a way for the target to go on. */
bool draw_is_choice(const draw *d);

/* Return how far a number can move towards its simplest value without passing it, and the rank of
 * the number when moved by `by`. Signed values keep their sign. */
uint64_t draw_distance(const draw *d);
uint64_t draw_rank_nearer(const draw *d, uint64_t by);

/* Find the rank of a value. Return false if the draw cannot have the value. */
bool draw_rank_of(const draw *d, uint64_t value, uint64_t *rank);

/* True for a double; its value; and its rank, false if the draw cannot have the value. */
bool draw_is_real(const draw *d);
double draw_real(const draw *d);
bool draw_rank_of_real(const draw *d, double value, uint64_t *rank);

/* Return the number (frng_encode.h) of a rank of this draw. */
uint64_t draw_number(const draw *d, uint64_t rank);

/* Write the bytes that encode a rank of this draw, and return their count. */
enum { DRAW_BYTES_MAX = FRNG_ENCODED_MAX };
unsigned draw_encode(const draw *d, uint64_t rank, uint8_t *bytes);

/* Return the count of bytes that encode the draw as it is. */
unsigned draw_size(const draw *d);

/* Return the rank by which draws of test cases compare. Where a list must go on, its rank is 0, but
 * it compares as where it may. */
uint64_t testcase_order_at(const testcase *t, size_t at);

/* Compare two test cases: fewer bytes are simpler; then lower ranks, draw by draw; then fewer
 * draws; then lower bytes, from the last one on, so that of equal values those of draw_encode are
 * the simplest. Return less than 0 if `a` is simpler. */
int testcase_compare(const testcase *a, const testcase *b);

/* ---- The values of a draw in their order, as positions 0..last ---- */

/* Values that compare: those of one order, other than ORDER_NONE. */
typedef enum value_order {
    ORDER_NONE,
    ORDER_UNSIGNED,
    ORDER_SIGNED,
    ORDER_DATES,
    ORDER_REALS
} value_order;

/* The key of a position is first + position; keys of one order compare as the values do. */
typedef struct axis {
    uint64_t last, at; /* `at`: of the draw's own value */
    bool is_ordered;   /* neighbours are alike */
    value_order order;
    uint64_t first;
} axis;

axis draw_axis(const draw *d);

/* Return the rank of a position; the draw's own where it has no such value. */
uint64_t draw_rank_at(const draw *d, const axis *a, uint64_t at);

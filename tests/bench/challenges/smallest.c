/* smallest: the smallest failure of a challenge, by trying everything that is smaller. smallest.py
 * runs this, and says what is limited and why.
 *
 * Shortlex order: sizes from 0 up; for each size, all sequences of draws that take so many bytes,
 * draw by draw from the simplest value. Each draw has one encoding, the smallest that the sampling
 * accepts. Which draw comes next is what the test says when it is run on the draws before it and a
 * few bytes of 0xff, which no sampling rejects.
 *
 *     smallest NAME SIZE_MAX [VALUES=TRIED]...   of draws with VALUES values or more, try TRIED
 *
 * Prints size, hex and the number of runs. SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf failed;

/* In place of frng_assert.h: a failure comes back here. */
#define FRNG_ASSERT_H
#define FRNG_ASSERT(...) ((FIRST(__VA_ARGS__, 0)) ? (void)0 : longjmp(failed, 1))
#define FIRST(condition, ...) condition

#include "classic.c"
#include "machines.c"
#include "values.c"

const challenge *this_challenge;

enum { ENTROPY_MAX = 256, PADDING = 16 };

typedef struct seen_draw {
    bool made;
    frng_kind kind;
    size_t width;
    uint64_t min, max;
    uint64_t end, share, picks; /* of FRNG_MORE and FRNG_LETTER */
} seen_draw;

typedef enum run_result { PASSED, FAILED, DRY } run_result;

static uint8_t entropy[ENTROPY_MAX + PADDING];
static size_t known;   /* bytes of it that are chosen */
static seen_draw next; /* the first draw behind them */
static unsigned long long runs;

typedef struct value_limit {
    unsigned long long values, tried;
} value_limit;

static value_limit limits[8];
static size_t limit_count;

/* Raw bytes are so many draws. */
static void drawn(frng *f, frng_kind kind, size_t start, size_t width, uint64_t min, uint64_t max,
                  uint64_t value) {
    (void)value;
    if (next.made || (kind == FRNG_BYTES ? f->used <= known : start < known)) return;
    next = (seen_draw){.made = true, .kind = kind, .width = width, .min = min, .max = max};
    if (kind == FRNG_BYTES) next.max = UINT8_MAX;
    if ((int)kind != FRNG_MORE && (int)kind != FRNG_LETTER) return;
    next.min = (min & FRNG_MUST_GO_ON) != 0 ? 1 : 0;
    if ((min & FRNG_MUST_END) != 0) next.max = 0;
    next.end = (uint16_t)min;
    next.share = (uint16_t)(min >> 16);
    next.picks = max;
}

static bool fill(frng *f, size_t count) {
    (void)f, (void)count;
    return false;
}

/* Run the test on `size` bytes. */
static run_result run(size_t size) {
    static frng_host host = {.fill = fill, .drawn = drawn, .note = NULL};
    static frng f;
    f = frng_init(entropy, size);
    f.host = &host;
    next.made = false;
    runs++;
    if (setjmp(failed) != 0) return FAILED;
    (void)run_challenge(&f);
    return f.exhausted ? DRY : PASSED;
}

/* The encoding of `offset`, a number below n = span + 1, in `width` bytes. */
static uint64_t encode_offset(uint64_t offset, uint64_t span, size_t width) {
    const unsigned __int128 all = (unsigned __int128)1 << (8 * width);
    const unsigned __int128 n = (unsigned __int128)span + 1;
    return (uint64_t)((offset * all + all % n + n - 1) / n);
}

/* How many values of the draw are tried: all that it has, but for the limit that is nearest. */
static uint64_t count_values(const seen_draw *d) {
    if (d->kind == FRNG_CHANCE) return (uint64_t)((d->min > 0) + (d->min < d->max));
    const uint64_t values = d->max - d->min + 1;
    const value_limit *nearest = NULL;
    for (size_t i = 0; i < limit_count; i++) {
        const value_limit *l = &limits[i];
        if (l->values <= values && (nearest == NULL || l->values > nearest->values)) nearest = l;
    }
    return nearest != NULL && nearest->tried < values ? nearest->tried : values;
}

/* The bytes of the value at this distance from the simplest, as a number. */
static uint64_t value_at(const seen_draw *d, uint64_t rank) {
    if (d->kind == FRNG_BOOL || d->kind == FRNG_BYTES || (int)d->kind == FRNG_SUBSET) return rank;
    if (d->share > 0) {
        const uint64_t pick = d->min + rank, first = d->end + (pick - 1) * d->share;
        return encode_offset(pick > 0 ? first : 0, d->end + d->share * d->picks - 1, d->width);
    }
    if (d->kind == FRNG_CHANCE) {
        const bool is_true = rank == 1 || d->min >= d->max;
        return encode_offset(is_true ? 0 : d->min, d->max - 1, d->width);
    }
    const uint64_t top = UINT64_MAX >> (64 - 8 * d->width);
    uint64_t value = d->min + rank;
    if (d->kind == FRNG_INT) {
        const int64_t min = (int64_t)d->min, max = (int64_t)d->max;
        const uint64_t below = min < 0 ? (uint64_t)0 - d->min : 0; /* values on that side of 0 */
        const uint64_t above = max > 0 ? d->max : 0;
        const uint64_t both = below < above ? below : above;
        if (min > 0) {
            value = d->min + rank;
        } else if (max < 0) {
            value = d->max - rank;
        } else if (rank <= 2 * both) {
            value = rank % 2 == 1 ? (rank + 1) / 2 : (uint64_t)0 - rank / 2;
        } else {
            value = above > below ? rank - both : (uint64_t)0 - (rank - both);
        }
    }
    if (d->max - d->min == top) return value & top;
    return encode_offset(value - d->min, d->max - d->min, d->width);
}

/* Try all that begins with the bytes chosen and is `size` long; true when one failed. */
static bool descend(size_t size) {
    if (known == size) return run(size) == FAILED;
    memset(entropy + known, 0xff, PADDING);
    (void)run(known + PADDING);
    if (!next.made) return false; /* it ends before, and was tried at its own size */
    const seen_draw d = next;
    const bool is_known = (int)d.kind == FRNG_SUBSET || (int)d.kind == FRNG_DATE;
    if (d.kind == FRNG_F64 || ((int)d.kind > FRNG_LETTER && !is_known)) abort();
    if (known + d.width > size) return false;
    const uint64_t values = count_values(&d);
    const size_t start = known;
    for (uint64_t rank = 0; rank < values; rank++) {
        const uint64_t bytes = value_at(&d, rank);
        for (size_t i = 0; i < d.width; i++) entropy[start + i] = (uint8_t)(bytes >> (8 * i));
        known = start + d.width;
        if (descend(size)) return true;
        known = start;
    }
    return false;
}

int main(int argc, char **argv) {
    if (argc < 3 || !find_challenge(argv[1])) return 2;
    const size_t size_max = strtoul(argv[2], NULL, 10);
    for (int i = 3; i < argc && limit_count < sizeof limits / sizeof *limits; i++) {
        value_limit *l = &limits[limit_count++];
        if (sscanf(argv[i], "%llu=%llu", &l->values, &l->tried) != 2) return 2;
    }
    for (size_t size = 0; size <= size_max && size <= ENTROPY_MAX; size++) {
        if (!descend(size)) continue;
        printf("%zu ", size);
        for (size_t i = 0; i < size; i++) printf("%02x", entropy[i]);
        printf(" %llu\n", runs);
        return 0;
    }
    printf("none %llu\n", runs);
    return 1;
}

/* seed_input.h: a size and a seed, which define one run, and a batch, which is a row of them. */
#ifndef SEED_INPUT_H
#define SEED_INPUT_H

#include <stdbool.h>
#include <stdint.h>

/* The most bytes of entropy of a run: 8 GiB, ten digits, as names of findings have; 1 GiB where the
 * driver and a target could not both map more. */
#if SIZE_MAX > UINT32_MAX
#define INPUT_SIZE_MAX (UINT64_C(8) << 30)
#else
#define INPUT_SIZE_MAX (UINT64_C(1) << 30)
#endif

/* How a seed becomes bytes (frng_expand.h). */
typedef enum seed_style {
    SEED_PLAIN = 0, /* uniform bytes */
    SEED_STYLED     /* with edges, duplicates and repetitions */
} seed_style;

enum { SEED_LINKS_MAX = 8 };

/* The first `size` bytes of a seed. */
typedef struct seed_link {
    uint64_t size;
    uint64_t seed;
    seed_style style;
} seed_link;

/* The bytes with which a splice begins: those of `count` links, one after the other. None if
 * zeroed. */
typedef struct seed_prefix {
    uint32_t count;
    seed_link links[SEED_LINKS_MAX - 1];
} seed_prefix;

/* One run: `size` bytes of entropy, the prefix and then bytes expanded from `seed` in this style.
 * They suffice to replay it. With a prefix it is a splice: a chain of links, of which the seed is
 * the last. */
typedef struct seed_input {
    uint64_t size; /* bytes, those of the prefix included: no fewer than these */
    uint64_t seed;
    seed_style style;
    seed_prefix prefix;
} seed_input;

/* Return the bytes of a prefix. */
uint64_t seed_prefix_size(const seed_prefix *p);

/* Write the bytes of a prefix, or of an input. */
void seed_prefix_expand(const seed_prefix *p, uint8_t *bytes);
void seed_input_expand(const seed_input *t, uint8_t *bytes);

/* Return the input that is `t` with another size: its first bytes, or more bytes of its seed. */
seed_input seed_input_cut(seed_input t, uint64_t size);

/* Make a prefix of the first `size` bytes of `t`. Return false if that takes too many links. */
bool seed_input_prefix(seed_input t, uint64_t size, seed_prefix *prefix);

bool seed_prefix_equal(const seed_prefix *a, const seed_prefix *b);
bool seed_input_equal(seed_input a, seed_input b);

/* True if `a` is smaller: fewer bytes, or else fewer links, or else the smaller seed, or else a
 * plain one, so that a set has one best. Names of findings have the same order, but for chains. */
bool seed_input_less(seed_input a, seed_input b);

/* The styles of the seeds of a batch. Each depends on the seed alone, so that the parts of a batch
 * have the same runs as the whole. */
typedef enum batch_mix {
    MIX_PLAIN = 0,
    MIX_STYLED,
    MIX_HALF /* odd seeds are styled, even ones are plain */
} batch_mix;

static inline seed_style batch_mix_style(batch_mix mix, uint64_t seed) {
    return mix == MIX_STYLED || (mix == MIX_HALF && seed % 2 == 1) ? SEED_STYLED : SEED_PLAIN;
}

/* Return the mix of a batch of one seed. */
static inline batch_mix batch_mix_of(seed_style style) {
    return style == SEED_STYLED ? MIX_STYLED : MIX_PLAIN;
}

/* The seeds that a search runs. */
typedef enum seed_expansion {
    EXPAND_UNIFORM, /* plain ones */
    EXPAND_STYLED,
    EXPAND_BOTH
} seed_expansion;

struct candidate_set;

/* `count` runs of `size` bytes each, with the seeds first_seed, first_seed + 1, ..., up to and
 * including the first that does not pass. With `candidates`: `count` test cases of that set, in its
 * order; then `size` is 0, `mix` MIX_PLAIN, `prefix` empty and `shows` false. */
typedef struct batch {
    uint64_t first_seed; /* with `candidates`: index of the first test case in the set */
    uint32_t count;      /* at least 1 */
    uint64_t size;       /* bytes */
    struct candidate_set *candidates; /* borrowed; NULL: expand seeds */
    batch_mix mix;
    seed_prefix prefix; /* of each run */
    bool shows;         /* the features of its runs are wanted */
} batch;

/* Return the `count` runs of a batch from its run `i` on. */
static inline batch batch_part(const batch *runs, uint64_t i, uint32_t count) {
    batch part = *runs;
    part.first_seed += i;
    part.count = count;
    return part;
}

#endif

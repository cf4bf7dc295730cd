/* seed_input.h: a size and a seed, which define a run; batches of them; and seeds as text. */
#pragma once

#include "bytes.h"

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
    SEED_STYLED,    /* with edges, duplicates and repetitions */
    SEED_GIVEN      /* no seed: a digest of bytes that were kept (seed_input_keep) */
} seed_style;

/* One run: `size` bytes of entropy, expanded from `seed` in this style. They suffice to replay
 * it. */
typedef struct seed_input {
    uint64_t size; /* bytes */
    uint64_t seed;
    seed_style style;
} seed_input;

/* Write the bytes of an input. */
void seed_input_expand(const seed_input *t, uint8_t *bytes);

/* Keep a copy of explicit bytes, and make them an input. False if too many are kept. */
bool seed_input_keep(const uint8_t *bytes, uint64_t size, seed_input *t);

/* Forget the bytes of inputs that are not needed: nobody has them. */
void seed_input_forget(bool (*is_needed)(void *context, seed_input t), void *context);

/* Return the bytes of an input that has no seed; NULL: they follow from its seed. */
const uint8_t *seed_input_bytes(const seed_input *t);

/* Return the input that is `t` with another size: its first bytes, or more bytes of its seed. */
static inline seed_input seed_input_cut(seed_input t, uint64_t size) {
    t.size = size;
    return t;
}

static inline bool seed_input_equal(seed_input a, seed_input b) {
    return a.size == b.size && a.seed == b.seed && a.style == b.style;
}

/* True if `a` is smaller: fewer bytes, or else the smaller seed, or else a plain one, so that a set
 * has one best. Names of findings have the same order. */
static inline bool seed_input_less(seed_input a, seed_input b) {
    if (a.size != b.size) return a.size < b.size;
    return a.seed != b.seed ? a.seed < b.seed : a.style < b.style;
}

/* Return the seed of fresh run `number` of a search, if that run has `size` bytes. It follows from
 * the master seed (--rng-seed). Frozen: an --rng-seed repeats its search in every later version. A
 * search never uses a number twice, at any size, so each fresh run is new evidence. Consecutive
 * numbers have consecutive seeds: they fit in one batch. */
uint64_t seed_input_fresh(uint64_t master_seed, uint64_t size, uint64_t number);

/* Return the number of the first fresh run of a search that resumes from `best`. A search that does
 * not resume counts from 0 and never reaches it, so the two share no run. Frozen, too. */
uint64_t seed_input_resumed(seed_input best);

/* The seeds that a search, or a batch of it, runs. The style of each depends on the seed alone, so
 * that the parts of a batch have the same runs as the whole. */
typedef enum seed_expansion {
    EXPAND_UNIFORM, /* plain ones */
    EXPAND_STYLED,
    EXPAND_BOTH /* odd seeds are styled, even ones are plain */
} seed_expansion;

static inline seed_style expansion_style(seed_expansion e, uint64_t seed) {
    return e == EXPAND_STYLED || (e == EXPAND_BOTH && seed % 2 == 1) ? SEED_STYLED : SEED_PLAIN;
}

/* Return the expansion of a batch of one seed. */
static inline seed_expansion expansion_of(seed_style style) {
    return style == SEED_STYLED ? EXPAND_STYLED : EXPAND_UNIFORM;
}

struct candidate_set;

/* `count` runs of `size` bytes each, with the seeds first_seed, first_seed + 1, ..., up to and
 * including the first that does not pass. With `candidates`: `count` test cases of that set, in its
 * order; then `size` is 0 and `mix` EXPAND_UNIFORM. */
typedef struct batch {
    uint64_t first_seed; /* with `candidates`: index of the first test case in the set */
    uint32_t count;      /* at least 1 */
    uint64_t size;       /* bytes */
    struct candidate_set *candidates; /* borrowed; NULL: expand seeds */
    seed_expansion mix;
    struct tally *tally; /* borrowed; gets the statistics of the runs that count; NULL: unwanted */
    struct known_runs *known; /* borrowed; gets the runs that failed as known; NULL: all that fail
                                 end the batch */
    bool may_know;            /* runs may go on in their process after known failures */
    uint64_t number; /* of its first run in a search or a reduction, from 1, which decides what
                            is compared (batch_is_sampled); 0: nothing is */
} batch;

/* Return the `count` runs of a batch from its run `i` on. */
static inline batch batch_part(const batch *b, uint64_t i, uint32_t count) {
    batch part = *b;
    part.first_seed += i;
    part.count = count;
    if (part.number > 0) part.number += i;
    return part;
}

/* True if one of the first `ran` runs of a batch is due for a comparison: its number is one of the
 * powers of two, of which each `step`th counts, or a multiple of 2^share. No clock decides, since
 * the answer must not depend on the load of the machine. */
static inline bool batch_is_sampled(const batch *b, uint64_t ran, unsigned step, unsigned share) {
    const uint64_t before = b->number - 1, last = before + ran;
    return b->number > 0 &&
           (bits(before) / step < bits(last) / step || before >> share < last >> share);
}

/* ---- Texts ---- */

/* Parse a seed: a decimal number, or 0x and hex; then an s if it is styled. Sets all of *t but its
 * size. The whole text must be valid; else returns false, and *t is unchanged. */
bool seed_text_parse(const char *text, seed_input *t);

/* Return the name of an expansion, as --expand has it. */
const char *seed_text_expansion(seed_expansion e);

enum { SEED_TEXT_MAX = 24 }; /* room for any seed, including its end */

#define SEED_TEXT ((char[SEED_TEXT_MAX]){0}) /* room in an argument, as NUMBERS_TEXT is */

/* Fill `text` with the seed of *t, in decimal, and return it. */
const char *seed_text_format(char text[SEED_TEXT_MAX], const seed_input *t);

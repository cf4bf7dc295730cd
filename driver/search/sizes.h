/* sizes.h: the state of a search over sizes, which strategy.c takes from one run to the next. */
#pragma once

#include "bytes.h"
#include "warmth.h"

enum { SIZE_LEVELS_MAX = CLAIM_LEVELS_MAX }; /* the powers of two in 64 bits, and size_max */

/* Credit is in parts of a run. A run that passed gives CREDIT_RUN. A masked run, which ended in a
 * failure that counts as a pass, showed less than that: quarters of a run (sizes_masked). One that
 * the test discarded showed nothing; it gives so much that ten times as many runs are the most. */
enum { CREDIT_DISCARDED = 4, CREDIT_MASKED = 10, CREDIT_RUN = 40 };

typedef enum size_phase {
    PHASE_EMPTY,  /* one run of no bytes */
    PHASE_GROW,   /* fresh runs at all levels, cheapest first */
    PHASE_BISECT, /* one seed, over its own prefixes */
    PHASE_FRESH,  /* fresh runs at one size below the best: a stretch */
    PHASE_OVER
} size_phase;

/* The fresh runs of one size while growing. */
typedef struct size_level {
    uint64_t runs;
    uint64_t styled;  /* those of `runs` that were styled */
    uint64_t masked;  /* those of `runs` that were masked */
    uint64_t credit;  /* of these runs */
    uint64_t drawn;   /* bytes that they drew together; UINT64_MAX: unknown */
    uint64_t ran_out; /* those of them whose bytes ran out */
    size_warmth warmth;
} size_level;

/* Fresh runs of one size, all of which passed. */
typedef struct size_stretch {
    uint64_t size;   /* bytes */
    uint64_t passed; /* masked runs included */
    uint64_t styled; /* those of `passed` that were styled */
    uint64_t masked; /* those of `passed` that were masked */
    uint64_t credit; /* of these runs */
    uint64_t number; /* 1 for the first stretch of a search, in order of their starts */
    size_warmth warmth;
} size_stretch;

typedef struct sizes {
    strategy_config config;
    size_phase phase;
    bool failed; /* best is valid */
    seed_input best;
    uint64_t fresh; /* number of the next fresh run, at any size (seed_input_fresh) */

    uint64_t spent;   /* growing: cost of its runs (GUIDE_COST) */
    bool has_grown;   /* growing: so much was spent, or each level got its runs */
    bool begins_row;  /* growing: no run of `row` was taken */
    bool is_thorough; /* growing: all levels get all their runs, for a known failure may hide others
                         at larger sizes; and growing ends. Else those below 16 bytes get one, for
                         they are prefixes of the others; and rows that grow follow if endless */
    size_level levels[SIZE_LEVELS_MAX];
    uint64_t row;        /* growing: runs that `level` still gets in a row, */
    seed_expansion turn; /* and how their bytes are made */
    unsigned level;
    bool is_settled; /* no runs are made by cost any more, but those that are due in any case */
    uint64_t used;   /* growing: the most bytes that a run used; UINT64_MAX: unknown */
    uint64_t top;    /* growing: bytes of the largest run */

    uint64_t passing; /* bisecting: bytes with which the seed of best passes, as far as known */
    uint64_t from;    /* bytes with which that seed first failed */
    bool is_drawn;    /* a run failed before it had drawn all, so that what follows does not matter;
                         else the target may look at all bytes, and a failure says little of other
                         sizes */

    size_stretch stretch; /* the stretch under way */
    size_stretch floor;   /* the last one below best that the search left without a failure; size 0:
                             none */
    uint64_t stretches;   /* number of stretches begun so far; growing is one */
    uint64_t growing;     /* number of growing among them; 0: nothing is claimed of it */
    uint64_t step;        /* bytes from the stretch up to best, a power of two; 0: not begun */
    uint64_t probes_max;  /* most runs of a stretch while step is above 1 */
    int trust;            /* number of failures whose bound gained something, minus the others */
    uint64_t tries;       /* fresh runs that all failures together took */
    uint64_t hits;        /* number of these failures */
} sizes;

/* True if the stretch is one byte below the best. */
static inline bool at_end(const sizes *s) { return s->stretch.size + 1 == s->best.size; }

/* Levels are 1, 2, 4, ... bytes; the last is size_max. */
static inline unsigned level_count(const sizes *s) {
    return (unsigned)bits(s->config.size_max - 1) + 1;
}

/* walk_strategy.h: what the two strategies offer to walk.c, and nobody else includes.
 *
 * A strategy is a plain struct that can be copied, and four functions: how it begins, which row of
 * runs it wishes for now, and what it makes of runs that passed and of one that failed. It must
 * not matter in how many parts the runs of a wish pass: passed(3) is passed(1) and passed(2). */
#ifndef WALK_STRATEGY_H
#define WALK_STRATEGY_H

#include "seed_input.h"
#include "walk.h"

#include <stdbool.h>
#include <stdint.h>

/* Runs wished for: `count` of them, with the seeds from first.seed on. 0: the walk is done. */
typedef struct walk_wish {
    seed_input first;
    uint64_t count;
} walk_wish;

/* The seed of the k-th fresh run of a walk, if it is one of `size` bytes. One walk never uses a k
 * twice, at no size, so that each run is new evidence. */
uint64_t walk_fresh_seed(const walk_config *config, uint64_t size, uint64_t k);

/* The first k of a walk that resumes from best: runs that the walk before it cannot have made. */
uint64_t walk_resumed_fresh(seed_input best);

enum { WALK_LEVELS_MAX = 65 }; /* the powers of two in 64 bits, and size_max */

typedef enum walk_phase {
    WALK_EMPTY,  /* one run of no bytes */
    WALK_GROW,   /* fresh runs at all levels, cheapest first */
    WALK_BISECT, /* one seed, over its own prefixes */
    WALK_FRESH,  /* fresh runs at one size below the best: a stretch */
    WALK_OVER
} walk_phase;

/* Fresh runs of one size, all of which passed. */
typedef struct walk_stretch {
    uint64_t size; /* bytes */
    uint64_t passed;
    uint64_t number; /* 1 for the first stretch of a walk, in the order of their beginnings */
} walk_stretch;

typedef struct walk_auto {
    walk_phase phase;
    bool failed; /* best is valid */
    seed_input best;
    uint64_t fresh; /* fresh runs so far, at any size; in a resumed walk not from 0 */

    uint64_t runs[WALK_LEVELS_MAX]; /* growing: at each level */
    uint64_t rounds;                /* growing: a level gets rounds * attempts runs at most */
    uint64_t batch;                 /* growing: runs that `level` still gets in a row */
    unsigned level;

    uint64_t passing; /* bisecting: bytes with which the seed of best passes, as far as known */
    uint64_t from;    /* bytes with which that seed first failed */

    walk_stretch stretch; /* the one under way */
    walk_stretch floor;   /* the last one below best that was left without a failure; or size 0 */
    uint64_t stretches;   /* begun so far */
    uint64_t step; /* bytes below best at which the stretch is: a power of two; 0: not begun */
    uint64_t probes_max; /* runs that a stretch gets at most while step is above 1 */
    int trust;           /* failing runs whose bound gained something, less those without */
    uint64_t tries;      /* fresh runs that all of the failures took */
    uint64_t hits;       /* these failures */
} walk_auto;

walk_auto walk_auto_begin(void);
walk_auto walk_auto_resume(seed_input best);
walk_wish walk_auto_wish(const walk_config *config, const walk_auto *w);
void walk_auto_passed(const walk_config *config, walk_auto *w, uint64_t count);
void walk_auto_failed(const walk_config *config, walk_auto *w, seed_input failing, uint64_t drawn);
walk_claim walk_auto_claim(const walk_config *config, const walk_auto *w);

/* 95% confident: a size at which `passed` fresh runs in a row passed, in the stretch of that
 * number, fails less often than this. See walk_claim. */
double walk_bound(uint64_t passed, uint64_t stretch_number);

#endif

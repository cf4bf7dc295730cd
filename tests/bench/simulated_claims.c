#include "simulated.h"

#include "candidate_set.h"
#include "frng_expand.h"
#include "rates.h"

#include <stdlib.h>

enum { WORKERS_MAX = 8, STEPS = 1500, ATTEMPTS = 20, FIRST_SIZE = 4096 };

typedef struct worker {
    strategy *strategy;
    strategy_claim claim; /* now */
    strategy_claim sign;  /* at the last sign */
    bool was_false;
} worker;

struct fleet {
    const claim_attack *attack;
    const model *m;
    seed_expansion expand;
    uint64_t dice; /* state of a generator */
    worker workers[WORKERS_MAX];
    worker *at; /* the worker that made a step */
    uint64_t adopted;
    bool was_false, was_false_unwary;
};

static uint64_t throw_dice(fleet *f, uint64_t sides) { return frng__splitmix64(&f->dice) % sides; }

/* ---- Claims ---- */

static bool is_false(const fleet *f, uint64_t below, uint64_t counted, uint64_t stretches) {
    if (below == 0 || counted == 0) return false;
    return model_share(f->m, f->expand, below) > confidence_bound(counted, stretches);
}

static bool is_own_false(const fleet *f, const run_claim *c) {
    if (c->below == 0 || c->passed == 0) return false;
    return model_share(f->m, f->expand, c->below) > c->bound;
}

static const run_claim *claim_read(const fleet *f, const worker *w) {
    return f->attack->reads_signs ? &w->sign.run : &w->claim.run;
}

typedef struct pooled_claim {
    uint64_t below, counted, stretches;
} pooled_claim;

/* Pool what all workers say of the size below the smallest best. */
static pooled_claim pool_claims(const fleet *f) {
    pooled_claim all = {.below = UINT64_MAX};
    for (unsigned i = 0; i < f->attack->workers; i++) {
        const run_claim *c = claim_read(f, &f->workers[i]);
        if (c->below < all.below) all.counted = 0;
        if (c->below <= all.below) {
            all.below = c->below;
            all.counted += c->counted;
        }
        all.stretches += c->stretches;
    }
    return all;
}

static void compare_with_truth(fleet *f) {
    const pooled_claim all = pool_claims(f);
    f->at->was_false |= is_own_false(f, &f->at->claim.run);
    f->was_false |= is_false(f, all.below, all.counted, all.stretches);
    f->was_false_unwary |= is_false(f, all.below, all.counted, 1);
}

/* ---- Workers ---- */

static void look(worker *w) { w->claim = strategy_claim_now(w->strategy); }

/* Make one run; at the end of the walk, go on with twice the attempts. */
static void make_run(const fleet *f, worker *w) {
    batch t;
    if (strategy_next(w->strategy, 1, &t) == STRATEGY_RUN) {
        const ending e = run_model(f->m, batch_input(&t, 0));
        strategy_feed(w->strategy, 1, e.failed ? STRATEGY_FAILED : STRATEGY_PASSED,
                      e.failed ? e.drawn : STRATEGY_DRAWN_UNKNOWN);
    } else {
        strategy_raise_attempts(w->strategy);
    }
    look(w);
}

static void adopt(fleet *f, worker *w, seed_input best) {
    if (best.size >= w->claim.best.size) return;
    strategy_adopt(w->strategy, best);
    f->adopted++;
    look(w);
}

static worker *smallest(fleet *f) {
    worker *w = f->workers;
    for (unsigned i = 1; i < f->attack->workers; i++) {
        if (f->workers[i].claim.best.size < w->claim.best.size) w = &f->workers[i];
    }
    return w;
}

static void all_adopt(fleet *f, seed_input best) {
    for (unsigned i = 0; i < f->attack->workers; i++) adopt(f, &f->workers[i], best);
}

/* ---- Attacks ---- */

static void leave_alone(fleet *f) { (void)f; }

/* Give a failure of any smaller size, now and then. */
static void give_any(fleet *f) {
    const uint64_t size = f->at->claim.best.size;
    if (size <= 2 || throw_dice(f, 64) > 0) return;
    adopt(f, f->at, (seed_input){.size = 2 + throw_dice(f, size - 2), .seed = f->dice});
}

/* Give a failure that is a byte smaller after a few passes, again and again: many stretches. */
static void give_next(fleet *f) {
    const uint64_t size = f->at->claim.best.size;
    if (size <= 2 || f->at->claim.run.passed < 8 || throw_dice(f, 16) > 0) return;
    adopt(f, f->at, (seed_input){.size = size - 1, .seed = f->dice});
}

/* The fleet looks at its findings, at random moments. */
static void sync_at_random(fleet *f) {
    if (throw_dice(f, 50) == 0) adopt(f, f->at, smallest(f)->claim.best);
}

static void sync_at_once(fleet *f) { all_adopt(f, smallest(f)->claim.best); }

/* All others join the size whose passes are lucky: a quarter of those that make a false claim. */
static void join_the_lucky(fleet *f) {
    const pooled_claim all = pool_claims(f);
    if (is_false(f, all.below, 4 * all.counted, all.stretches)) sync_at_once(f);
}

/* Give the whole fleet a failure of any smaller size, now and then. */
static void give_all(fleet *f) {
    const uint64_t size = smallest(f)->claim.best.size;
    if (size <= 2 || throw_dice(f, 1000) > 0) return;
    all_adopt(f, (seed_input){.size = 2 + throw_dice(f, size - 2), .seed = f->dice});
}

const claim_attack claim_attacks[CLAIM_ATTACKS] = {
    {"keeps going", 1, leave_alone, false},
    {"given any size", 1, give_any, false},
    {"given the next size", 1, give_next, false},
    {"8, never sync", 8, leave_alone, false},
    {"8, sync at once", 8, sync_at_once, false},
    {"8, sync at random, old signs", 8, sync_at_random, true},
    {"8, join the lucky", 8, join_the_lucky, false},
    {"8, given any size", 8, give_all, false},
};

/* ---- Repetitions ---- */

static void begin(fleet *f) {
    for (unsigned i = 0; i < f->attack->workers; i++) {
        const strategy_config config = {.attempts = ATTEMPTS,
                                        .size_max = FIRST_SIZE,
                                        .master_seed = frng__splitmix64(&f->dice),
                                        .expand = f->expand};
        worker *w = &f->workers[i];
        *w = (worker){.strategy = strategy_resume(
                          &config, (seed_input){.size = FIRST_SIZE, .seed = config.master_seed})};
        if (w->strategy == NULL) abort();
        look(w);
        w->sign = w->claim;
    }
}

/* Workers make their steps in any order, some of them more often than others. */
static worker *next_worker(fleet *f) {
    const unsigned any = (unsigned)throw_dice(f, f->attack->workers);
    return &f->workers[throw_dice(f, any + 1)];
}

static void step(fleet *f) {
    f->at = next_worker(f);
    make_run(f, f->at);
    compare_with_truth(f);
    f->attack->meddle(f);
    if (throw_dice(f, 20) == 0) f->at->sign = f->at->claim;
    compare_with_truth(f);
}

static void add(claim_refutation *r, fleet *f, uint64_t repetitions) {
    const double one = 1 / (double)repetitions;
    r->pooled += f->was_false ? one : 0;
    r->unwary += f->was_false_unwary ? one : 0;
    for (unsigned i = 0; i < f->attack->workers; i++) {
        r->own += f->workers[i].was_false ? one / f->attack->workers : 0;
        strategy_destroy(f->workers[i].strategy);
    }
    r->adopted += (double)f->adopted * one / f->attack->workers;
}

claim_refutation claim_attack_run(const claim_attack *a, const model *m, seed_expansion expand,
                                  uint64_t repetitions) {
    claim_refutation r = {.own = 0};
    for (uint64_t i = 0; i < repetitions; i++) {
        fleet f = {.attack = a, .m = m, .expand = expand, .dice = i};
        begin(&f);
        for (unsigned k = 0; k < (unsigned)STEPS * a->workers; k++) step(&f);
        add(&r, &f, repetitions);
    }
    return r;
}

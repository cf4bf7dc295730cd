/* strategy_simulation.c: the strategy against model systems, many times over, in one process.
 *
 *     strategy_simulation [--quick]
 *
 * Two tables are printed: how often the claim of a search that has met no failure is false; how
 * often a claim is false at any moment, of searches that keep going and of fleets of them.
 *
 * A model is the share of the seeds that fail at a size, and how the luck of a seed at one size
 * depends on that at others. SPDX-License-Identifier: MIT */
#include "candidate_set.h"
#include "confidence.h"
#include "frng_expand.h"
#include "seed_input.h"
#include "strategy.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Models ---- */

typedef struct model model;

struct model {
    const char *name;
    double (*share)(const model *m, uint64_t size); /* of the runs that fail */
    enum {
        NESTED,   /* a seed that fails fails with more bytes, too */
        HASHED,   /* a hash of all the input decides, so that a prefix says nothing */
        TERRACES, /* a seed fails or not on each of the terraces, which are an eighth of their size
                     wide: bounds gain a little each time and the share stays as it is, so that a
                     search has many chances to stop */
        DRAWN     /* NESTED, and a run draws no more than it needs to fail */
    } luck;
    uint64_t n;        /* bytes, as the model likes */
    double p, styled;  /* shares of plain and of styled runs, as the model likes */
    uint64_t size_max; /* bytes */
};

/* Uniform in [0, 1), a function of the seed and the salt. */
static double hashed(uint64_t seed, uint64_t salt) {
    uint64_t state = seed ^ (salt * UINT64_C(0xd1342543de82ef95));
    frng__splitmix64(&state);
    return (double)(frng__splitmix64(&state) >> 11) * 0x1p-53;
}

static double from_n(const model *m, uint64_t size) { return size >= m->n ? m->p : 0; }

/* Each 8-byte draw is the bad one with probability p: depths are geometric. */
static double marker(const model *m, uint64_t size) {
    return 1 - pow(1 - m->p, (double)(size / 8));
}

/* Of the seeds that fail with n bytes, half and ever fewer fail with less. */
static double plateau(const model *m, uint64_t size) {
    return size >= m->n ? m->p : m->p * 0.5 * (double)size / (double)m->n;
}

/* The share grows with the logarithm of the size, up to n bytes. */
static double slope(const model *m, uint64_t size) {
    return m->p * fmin(1, log2(1 + (double)size) / log2(1 + (double)m->n));
}

/* Return the share of the runs that fail at a size. */
static double share_of(const model *m, seed_expansion expand, uint64_t size) {
    model styled = *m;
    styled.p = m->styled;
    if (expand != EXPAND_BOTH) return m->share(m, size);
    return (m->share(m, size) + m->share(&styled, size)) / 2;
}

/* Return whether a run fails, and what it draws. */
static bool fails(const model *plain, seed_input t, uint64_t *drawn) {
    model m = *plain;
    uint64_t passing = 0, salt = 1;
    if (t.style == SEED_STYLED) m.p = m.styled;
    if (m.luck == HASHED) salt = t.size;
    if (m.luck == TERRACES) salt += (uint64_t)floor(log2((double)t.size) * 6);
    *drawn = t.size;
    const double luck = hashed(t.seed, salt);
    if (t.size == 0 || luck >= m.share(&m, t.size)) return false;
    while (m.luck == DRAWN && *drawn - passing > 1) { /* bisect */
        const uint64_t middle = passing + (*drawn - passing) / 2;
        *(luck < m.share(&m, middle) ? drawn : &passing) = middle;
    }
    return true;
}

/* ---- What a search says that met no failure ---- */

static const double shares[] = {0.005, 0.01, 0.02, 0.03, 0.04, 0.06, 0.1, 0.2};
enum { SHARES = sizeof shares / sizeof shares[0] };

static const model shapes[] = {
    {"plateau from 16", plateau, NESTED, 16},   {"plateau from 1000", plateau, NESTED, 1000},
    {"slope to 4096", slope, NESTED, 4096},     {"whole hash from 41", from_n, HASHED, 41},
    {"terraces from 16", from_n, TERRACES, 16}, {"marker", marker, DRAWN}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* Return the greatest share of failing runs at the sizes of a claim. */
static double share_up_to(const model *m, seed_expansion expand, uint64_t largest) {
    double share = 0;
    for (uint64_t size = 16; size < largest; size *= 2) {
        share = fmax(share, share_of(m, expand, size));
    }
    return fmax(share, share_of(m, expand, largest));
}

/* True if a search claims too much at any moment before its first failure. */
static bool passes_falsely(const model *m, const strategy_config *config) {
    strategy *w = strategy_create(config, NULL);
    bool is_false = false;
    uint64_t drawn;
    batch t;
    while (!is_false && strategy_next(w, 1, &t) == STRATEGY_RUN) {
        if (fails(m, batch_input(&t, 0), &drawn)) break;
        strategy_feed(w, 1, STRATEGY_PASSED, STRATEGY_DRAWN_UNKNOWN, NULL);
        const run_claim claim = strategy_claim_now(w).run;
        is_false = share_up_to(m, config->expand, claim.largest) > claim.bound;
    }
    strategy_destroy(w);
    return is_false;
}

/* The fewer sizes fail, the longer nothing fails: the worst program fails at one size only. */
static bool print_passes(uint64_t repetitions) {
    static const model rows[] = {{"16 alone", plateau, NESTED, 16, .size_max = 16},
                                 {"1K of 7 sizes", from_n, HASHED, 1024, .size_max = 1024},
                                 {"all of 3 sizes", plateau, NESTED, 16, .size_max = 64},
                                 {"slope of 7", slope, NESTED, 1024, .size_max = 1024}};
    static const struct {
        seed_expansion expand;
        double plain, styled;
        const char *lead;
    } parts[] = {{EXPAND_UNIFORM, 1, 1, ""},
                 {EXPAND_BOTH, 1, 1, " |      "},
                 {EXPAND_BOTH, 2, 0, ""},
                 {EXPAND_BOTH, 0, 2, ""}};
    bool honest = true;
    printf("\nClaims of passes that are false at any moment before a failure, of %" PRIu64
           " searches; at most 2.5%% should be.\n\n%-16s %6s | %7s | both: %7s %7s %7s\n",
           repetitions, "fails at", "share", "uniform", "alike", "plain", "styled");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t k = 0; k < SHARES; k++) {
            printf("%-16s %5.1f%% |", rows[i].name, 100 * shares[k]);
            for (size_t j = 0; j < sizeof parts / sizeof *parts; j++) {
                model m = rows[i];
                strategy_config config = {
                    .attempts = 1000, .size_max = m.size_max, .expand = parts[j].expand};
                m.p = shares[k] * parts[j].plain;
                m.styled = shares[k] * parts[j].styled;
                uint64_t wrong = 0;
                for (uint64_t r = 0; r < repetitions; r++) {
                    config.master_seed = ~r;
                    wrong += passes_falsely(&m, &config);
                }
                const double share = (double)wrong / (double)repetitions;
                printf("%s %6.1f%%", parts[j].lead, 100 * share);
                honest &= share <= 0.025 + 3 * sqrt(0.025 / (double)repetitions); /* by chance */
            }
            printf("\n");
        }
    }
    return honest;
}

/* ---- Searches that keep going, and fleets of them ----
 *
 * Attacks on the claims of searches that keep going, alone and in fleets. Each search begins below
 * a failure, and doubles its attempts whenever it is done. After each run its claim is compared
 * with the truth: an adversary who knows the truth stops it at its worst moment, so that it counts
 * as false if it ever was. */

typedef struct claim_attack {
    const char *name;
    unsigned workers;
    unsigned one_in; /* steps, after which workers adopt a failure; 0: never */
    enum {
        BEST, /* the smallest of the fleet */
        ANY,  /* of any smaller size */
        NEXT, /* a byte smaller after a few passes, again and again: many stretches */
        LUCKY /* BEST, if the pool has a quarter of the passes that make a false claim */
    } given;
    bool reads_signs; /* pooled are the last signs of the workers, given now and then */
} claim_attack;

enum { SELDOM = 50 }; /* a worker by itself, at random moments */
enum { WORKERS_MAX = 8, STEPS = 1500, FLEET_ATTEMPTS = 20, FIRST_SIZE = 4096 };

typedef struct worker {
    strategy *strategy;
    strategy_claim claim; /* now */
    strategy_claim sign;  /* at the last sign */
    bool was_false;
} worker;

typedef struct fleet {
    const claim_attack *attack;
    const model *m;
    seed_expansion expand;
    uint64_t dice; /* state of a generator */
    worker workers[WORKERS_MAX];
    worker *at; /* the worker that made a step */
    uint64_t adopted;
    bool was_false, was_false_unwary;
} fleet;

static uint64_t throw_dice(fleet *f, uint64_t sides) { return frng__splitmix64(&f->dice) % sides; }

static bool is_false(const fleet *f, uint64_t below, uint64_t counted, uint64_t stretches) {
    if (below == 0 || counted == 0) return false;
    return share_of(f->m, f->expand, below) > confidence_bound(counted, stretches);
}

static bool is_own_false(const fleet *f, const run_claim *c) {
    if (c->below == 0 || c->passed == 0) return false;
    return share_of(f->m, f->expand, c->below) > c->bound;
}

/* Pool what all workers say of the size below the smallest best. */
static run_claim pool_claims(const fleet *f) {
    run_claim all = {.below = UINT64_MAX};
    for (unsigned i = 0; i < f->attack->workers; i++) {
        const worker *w = &f->workers[i];
        const run_claim *c = f->attack->reads_signs ? &w->sign.run : &w->claim.run;
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
    const run_claim all = pool_claims(f);
    f->at->was_false |= is_own_false(f, &f->at->claim.run);
    f->was_false |= is_false(f, all.below, all.counted, all.stretches);
    f->was_false_unwary |= is_false(f, all.below, all.counted, 1);
}

static void look(worker *w) { w->claim = strategy_claim_now(w->strategy); }

/* Make one run; at the end of the walk, go on with twice the attempts. */
static void make_run(const fleet *f, worker *w) {
    batch t;
    uint64_t drawn;
    if (strategy_next(w->strategy, 1, &t) == STRATEGY_RUN) {
        const bool failed = fails(f->m, batch_input(&t, 0), &drawn);
        strategy_feed(w->strategy, 1, failed ? STRATEGY_FAILED : STRATEGY_PASSED,
                      failed ? drawn : STRATEGY_DRAWN_UNKNOWN, NULL);
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

/* ---- Attacks ---- */

/* After each step of a worker: give it, or the whole fleet, a smaller failure. */
static void meddle(fleet *f) {
    const claim_attack *a = f->attack;
    const bool is_for_all = a->workers > 1 && a->one_in != SELDOM;
    const strategy_claim *least = &smallest(f)->claim;
    seed_input given = least->best;
    if (a->one_in == 0 || throw_dice(f, a->one_in) > 0) return;
    if (a->given == ANY || a->given == NEXT) {
        if (given.size <= 2 || (a->given == NEXT && least->run.passed < 8)) return;
        const uint64_t size = a->given == ANY ? 2 + throw_dice(f, given.size - 2) : given.size - 1;
        given = (seed_input){.size = size, .seed = f->dice};
    }
    const run_claim all = pool_claims(f);
    if (a->given == LUCKY && !is_false(f, all.below, 4 * all.counted, all.stretches)) return;
    for (unsigned i = 0; i < a->workers; i++) {
        if (is_for_all || f->at == &f->workers[i]) adopt(f, &f->workers[i], given);
    }
}

static const claim_attack claim_attacks[] = {
    {"keeps going", 1, 0},
    {"given any size", 1, 64, ANY},
    {"given the next size", 1, 16, NEXT},
    {"8, never sync", 8, 0},
    {"8, sync at once", 8, 1, BEST},
    {"8, sync at random, old signs", 8, SELDOM, BEST, true},
    {"8, join the lucky", 8, 1, LUCKY},
    {"8, given any size", 8, 1000, ANY},
};
enum { CLAIM_ATTACKS = sizeof claim_attacks / sizeof claim_attacks[0] };

static void begin(fleet *f) {
    for (unsigned i = 0; i < f->attack->workers; i++) {
        const strategy_config config = {.attempts = FLEET_ATTEMPTS,
                                        .size_max = FIRST_SIZE,
                                        .master_seed = frng__splitmix64(&f->dice),
                                        .expand = f->expand};
        worker *w = &f->workers[i];
        *w = (worker){.strategy = strategy_create(
                          &config, &(seed_input){.size = FIRST_SIZE, .seed = config.master_seed})};
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
    meddle(f);
    if (throw_dice(f, 20) == 0) f->at->sign = f->at->claim;
    compare_with_truth(f);
}

/* How often a claim was false at any moment. */
typedef struct refutation {
    double own;     /* of one worker, in the mean */
    double pooled;  /* of the fleet */
    double unwary;  /* of the fleet, if each claim counted one stretch only */
    double adopted; /* adoptions of a worker, in the mean */
} refutation;

static void attack_once(fleet f, double weight, refutation *r) {
    const unsigned workers = f.attack->workers;
    begin(&f);
    for (unsigned k = 0; k < STEPS * workers; k++) step(&f);
    for (unsigned k = 0; k < workers; k++) {
        r->own += f.workers[k].was_false * weight / workers;
        strategy_destroy(f.workers[k].strategy);
    }
    r->pooled += f.was_false * weight;
    r->unwary += f.was_false_unwary * weight;
    r->adopted += (double)f.adopted * weight / workers;
}

/* Attack all shapes, with some shares of failing runs. Return the mean, and the worst of them. */
static refutation try_attack(const claim_attack *a, seed_expansion expand, uint64_t repetitions,
                             refutation *worst) {
    static const double fails[] = {0.005, 0.02, 0.06, 0.2};
    enum { CELLS = SHAPES * sizeof fails / sizeof *fails };
    const uint64_t count = a->workers > 1 ? repetitions / 4 : repetitions;
    refutation mean = {.own = 0};
    for (size_t i = 0; i < CELLS; i++) {
        model m = shapes[i % SHAPES];
        refutation here = {.own = 0};
        m.p = fails[i / SHAPES] * (expand == EXPAND_BOTH ? 0.2 : 1);
        m.styled = fails[i / SHAPES] * 1.8;
        for (uint64_t dice = 0; dice < count; dice++) {
            const fleet f = {.attack = a, .m = &m, .expand = expand, .dice = dice};
            attack_once(f, 1.0 / (double)count, &here);
        }
        mean.own += here.own / CELLS;
        mean.pooled += here.pooled / CELLS;
        mean.unwary += here.unwary / CELLS;
        mean.adopted += here.adopted / CELLS;
        worst->own = fmax(worst->own, here.own);
        worst->pooled = fmax(worst->pooled, here.pooled);
    }
    return mean;
}

/* False if the claims are false too often. */
static bool print_attacks(uint64_t repetitions) {
    static const seed_expansion expands[] = {EXPAND_UNIFORM, EXPAND_BOTH};
    bool honest = true;
    printf(
        "\nClaims of searches that keep going that are false at any moment: of %" PRIu64
        " searches, or a quarter as many\nfleets of 8, for each of %d shapes and 4 shares; at most"
        " 5%% should be. `pooled`: of the fleet; `unwary`:\nif it counted one stretch only.\n\n"
        "%-7s %-29s %7s | %5s %6s | %6s %6s | %6s\n",
        repetitions, SHAPES, "expand", "attack", "adopts", "own", "worst", "pooled", "worst",
        "unwary");
    for (size_t e = 0; e < 2; e++) {
        for (size_t i = 0; i < CLAIM_ATTACKS; i++) {
            refutation worst = {.own = 0};
            const refutation r = try_attack(&claim_attacks[i], expands[e], repetitions, &worst);
            printf("%-7s %-29s %7.1f | %4.1f%% %5.1f%% | %5.1f%% %5.1f%% | %5.1f%%\n",
                   e == 0 ? "uniform" : "both", claim_attacks[i].name, r.adopted, 100 * r.own,
                   100 * worst.own, 100 * r.pooled, 100 * worst.pooled, 100 * r.unwary);
            if (worst.own > 0.05 || worst.pooled > 0.05) honest = false;
        }
    }
    return honest;
}

int main(int argc, char **argv) {
    const bool quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    if (argc > 1 && !quick) {
        fprintf(stderr, "usage: strategy_simulation [--quick]\n");
        return 2;
    }
    bool is_honest = print_passes(quick ? 400 : 2000);
    is_honest &= print_attacks(quick ? 12 : 200);
    if (!is_honest) printf("\nWRONG: claims are false more often than they say\n");
    return is_honest ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* strategy_simulation.c: the strategy against model systems, many times over, in one process.
 *
 *     strategy_simulation [--quick]
 *
 * Three tables are printed: where searches end; how often the claim of a search that has met no
 * failure is false; how often a claim is false at any moment, of searches that keep going and of
 * fleets of them.
 *
 * A model is a pure function of (seed, style, size): does this run fail, and how many bytes had it
 * drawn. Models that draw do so with frng.h from the real expansion.
 * SPDX-License-Identifier: MIT */
#include "candidate_set.h"
#include "frng.h"
#include "frng_expand.h"
#include "frng_more.h"
#include "rates.h"
#include "seed_input.h"
#include "strategy.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB(n) ((uint64_t)(n) << 20)

/* ---- The entropy of a model: expanded as it is drawn ---- */

typedef struct entropy {
    frng_host host; /* first, so that fill() finds the rest */
    frng_expansion expansion;
    uint8_t *bytes; /* of the largest size any model sees */
} entropy;

static entropy source;

static void models_init(uint64_t size_max) {
    source.bytes = malloc((size_t)size_max);
    if (source.bytes == NULL) abort();
}

static void models_finish(void) { free(source.bytes); }

static bool fill(frng *f, size_t count) {
    size_t end = (f->used + count + 63) / 64 * 64;
    if (end > f->size) end = f->size;
    frng_expansion_fill(&source.expansion, source.bytes + f->ready, end - f->ready);
    f->ready = end;
    return true;
}

static frng entropy_begin(seed_input t) {
    source.host.fill = fill;
    source.expansion =
        t.style == SEED_STYLED ? frng_expansion_styled(t.seed) : frng_expansion_init(t.seed);
    frng f = frng_init(source.bytes, (size_t)t.size);
    f.ready = 0;
    f.host = &source.host;
    return f;
}

/* ---- Models ---- */

typedef struct model model;

struct model {
    const char *name;
    bool (*test)(const model *m, frng *f); /* a run of a drawing model: true if it fails */
    /* A run of a model that looks at the seed and the size as a whole and draws all. */
    bool (*whole)(const model *m, uint64_t seed, uint64_t size);
    uint64_t n; /* parameters, as the model likes */
    double p;
    double styled;     /* a model that looks at the whole: p of styled runs */
    uint64_t size_max; /* bytes; 0 for the usual */
};

typedef struct ending {
    bool failed;
    uint64_t drawn; /* bytes */
} ending;

static ending run_model(const model *m, seed_input t) {
    if (m->whole != NULL) {
        model of_style = *m;
        if (t.style == SEED_STYLED) of_style.p = m->styled;
        return (ending){m->whole(&of_style, t.seed, t.size), t.size};
    }
    frng f = entropy_begin(t);
    const bool fails = m->test(m, &f);
    return (ending){fails, frng_used(&f)};
}

/* Uniform in [0, 1), a function of the seed and the salt. */
static double hashed(uint64_t seed, uint64_t salt) {
    uint64_t state = seed ^ (salt * UINT64_C(0xd1342543de82ef95));
    frng__splitmix64(&state);
    return (double)(frng__splitmix64(&state) >> 11) * 0x1p-53;
}

/* Fails with n bytes or more, whatever they are, and having read n. */
static bool size_alone(const model *m, frng *f) {
    const uint8_t *bytes;
    FRNG_TRY(frng_bytes(f, (size_t)m->n, &bytes));
    return true;
}

/* The same, but it reads all before it looks. */
static bool size_read_whole(const model *m, uint64_t seed, uint64_t size) {
    (void)seed;
    return size >= m->n;
}

/* Each 8-byte draw is the bad one with probability p: depths are geometric. */
static bool marker(const model *m, frng *f) {
    for (;;) {
        double x;
        FRNG_TRY(frng_f64(f, &x));
        if (x < m->p) return true;
    }
}

/* A share of the seeds fails with n bytes or more, all read; of these seeds, half and ever fewer
 * fail with less. */
static double plateau_share(const model *m, uint64_t size) {
    return size >= m->n ? m->p : m->p * 0.5 * (double)size / (double)m->n;
}

static bool plateau(const model *m, uint64_t seed, uint64_t size) {
    return hashed(seed, 1) < plateau_share(m, size);
}

/* The share grows with the logarithm of the size, up to n bytes. */
static double slope_share(const model *m, uint64_t size) {
    const double part = log2(1 + (double)size) / log2(1 + (double)m->n);
    return m->p * (part < 1 ? part : 1);
}

static bool slope(const model *m, uint64_t seed, uint64_t size) {
    return hashed(seed, 1) < slope_share(m, size);
}

/* A hash of all the input decides, so a prefix says nothing. */
static bool whole_hash(const model *m, uint64_t seed, uint64_t size) {
    return size >= m->n && hashed(seed, size) < m->p;
}

/* The same, at odd sizes only. */
static bool odd_sizes(const model *m, uint64_t seed, uint64_t size) {
    return size >= m->n && size % 2 == 1 && hashed(seed, size) < m->p;
}

/* The same, where the input is full records only. */
static bool whole_records(const model *m, uint64_t seed, uint64_t size) {
    return size >= m->n && size % 16 == 0 && hashed(seed, size) < m->p;
}

/* The same, within these sizes only; the growing strategies meet it at 128. */
static bool window(const model *m, uint64_t seed, uint64_t size) {
    return size >= 100 && size <= 200 && hashed(seed, size) < m->p;
}

/* A seed fails or not on each of the terraces, which are an eighth of their size wide: bounds gain
 * a little each time and the share stays as it is, so that a search has many chances to stop. */
static bool terraces(const model *m, uint64_t seed, uint64_t size) {
    if (size < m->n) return false;
    const double terrace = floor(log2((double)size) * 6);
    return hashed(seed, 1 + (uint64_t)terrace) < m->p;
}

static double plain_share(const model *m, uint64_t size) {
    if (m->test == marker) return 1 - pow(1 - m->p, (double)(size / 8));
    if (m->whole == plateau) return plateau_share(m, size);
    if (m->whole == slope) return slope_share(m, size);
    if (m->whole == whole_hash || m->whole == terraces) return size >= m->n ? m->p : 0;
    abort();
}

/* Return the share of the runs that fail at a size: of a marker, a plateau, a slope, a hash or
 * terraces. */
static double model_share(const model *m, seed_expansion expand, uint64_t size) {
    model styled = *m;
    styled.p = m->styled;
    if (expand != EXPAND_BOTH) return plain_share(m, size);
    return (plain_share(m, size) + plain_share(&styled, size)) / 2;
}

static const model models[] = {
    {.name = "size >= 41", .test = size_alone, .n = 41},
    {.name = "size >= 41, reads all", .whole = size_read_whole, .n = 41},
    {.name = "marker 1/1000", .test = marker, .p = 0.001},
    {.name = "slope 10%", .whole = slope, .n = 4096, .p = 0.1},
    {.name = "plateau 4% from 16", .whole = plateau, .n = 16, .p = 0.04},
    {.name = "whole hash 10%", .whole = whole_hash, .n = 41, .p = 0.1},
    {.name = "odd sizes 50%", .whole = odd_sizes, .n = 33, .p = 0.5, .size_max = 4095},
    {.name = "records of 16, 20%", .whole = whole_records, .n = 64, .p = 0.2},
    {.name = "only 100..200, 20%", .whole = window, .p = 0.2},
};
enum { MODELS = sizeof models / sizeof models[0] };

enum { ATTEMPTS = 100, BATCH = 64 };

/* ---- Searches ---- */

typedef struct search {
    strategy_claim claim;
    uint64_t runs;
} search;

static strategy_config config_of(const model *m) {
    return (strategy_config){.attempts = ATTEMPTS,
                             .size_max = m->size_max > 0 ? m->size_max : MIB(4)};
}

static search simulate(const model *m, const strategy_config *config) {
    search s = {.runs = 0};
    strategy *w = strategy_create(config, NULL);
    batch t;
    while (strategy_next(w, BATCH, &t) == STRATEGY_RUN) {
        ending v = {false, 0};
        uint32_t ran = 0;
        while (ran < t.count && !v.failed) {
            v = run_model(m, batch_input(&t, ran++));
            s.runs++;
        }
        strategy_feed(w, ran, v.failed, v.failed ? v.drawn : STRATEGY_DRAWN_UNKNOWN, NULL);
    }
    s.claim = strategy_claim_now(w);
    strategy_destroy(w);
    return s;
}

typedef struct ends {
    uint64_t found;                 /* searches that met a failure; sizes are of these */
    uint64_t median, ninety, worst; /* bytes; nine in ten searches end at `ninety` or below */
    double runs;                    /* the mean */
} ends;

static int compare_sizes(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Searches with the master seeds from 0 on. */
static ends repeat(const model *m, uint64_t repetitions) {
    strategy_config config = config_of(m);
    ends sum = {.found = 0};
    uint64_t *sizes = calloc(repetitions, sizeof *sizes);
    if (sizes == NULL) abort();
    for (uint64_t i = 0; i < repetitions; i++, config.master_seed++) {
        const search s = simulate(m, &config);
        sum.runs += (double)s.runs / (double)repetitions;
        if (s.claim.failed) sizes[sum.found++] = s.claim.best.size;
    }
    qsort(sizes, sum.found, sizeof *sizes, compare_sizes);
    if (sum.found > 0) {
        sum.median = sizes[sum.found / 2];
        sum.ninety = sizes[sum.found * 9 / 10];
        sum.worst = sizes[sum.found - 1];
    }
    free(sizes);
    return sum;
}

/* ---- Where a search ends ---- */

/* False if a search for a model that fails on size alone did not end at just that size. */
static bool print_searches(uint64_t repetitions) {
    bool exact = true;
    printf("Searches, %d attempts, %" PRIu64 " of each. Sizes in bytes: median, nine in ten,"
           " worst; runs on average.\n\n%-25s | %6s %6s %6s %5s |\n",
           ATTEMPTS, repetitions, "model", "median", "9/10", "worst", "runs");
    for (size_t i = 0; i < MODELS; i++) {
        const model *m = &models[i];
        const ends e = repeat(m, repetitions);
        printf("%-25s | %6" PRIu64 " %6" PRIu64 " %6" PRIu64 " %5.0f |%s\n", m->name, e.median,
               e.ninety, e.worst, e.runs, e.found < repetitions ? " MISSED" : "");
        if (m->test == size_alone || m->whole == size_read_whole)
            exact &= e.median == m->n && e.worst == m->n;
    }
    return exact;
}

/* ---- What a search says that met no failure ---- */

static const double shares[] = {0.005, 0.01, 0.02, 0.03, 0.04, 0.06, 0.1, 0.2};
enum { SHARES = sizeof shares / sizeof shares[0] };

static const model shapes[] = {{.name = "plateau from 16", .whole = plateau, .n = 16},
                               {.name = "plateau from 1000", .whole = plateau, .n = 1000},
                               {.name = "slope to 4096", .whole = slope, .n = 4096},
                               {.name = "whole hash from 41", .whole = whole_hash, .n = 41},
                               {.name = "terraces from 16", .whole = terraces, .n = 16},
                               {.name = "marker", .test = marker}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* Return the greatest share of failing runs at the sizes of a claim. */
static double share_up_to(const model *m, seed_expansion expand, uint64_t largest) {
    double share = 0;
    for (uint64_t size = 16; size < largest; size *= 2) {
        share = fmax(share, model_share(m, expand, size));
    }
    return fmax(share, model_share(m, expand, largest));
}

/* True if a search claims too much at any moment before its first failure. */
static bool passes_falsely(const model *m, const strategy_config *config) {
    strategy *w = strategy_create(config, NULL);
    bool is_false = false;
    batch t;
    while (!is_false && strategy_next(w, 1, &t) == STRATEGY_RUN) {
        if (run_model(m, batch_input(&t, 0)).failed) break;
        strategy_feed(w, 1, STRATEGY_PASSED, STRATEGY_DRAWN_UNKNOWN, NULL);
        const run_claim claim = strategy_claim_now(w).run;
        is_false = share_up_to(m, config->expand, claim.largest) > claim.bound;
    }
    strategy_destroy(w);
    return is_false;
}

/* The fewer sizes fail, the longer nothing fails: the worst program fails at one size only. */
static bool print_passes(uint64_t repetitions) {
    static const model rows[] = {
        {.name = "16 alone", .whole = plateau, .n = 16, .size_max = 16},
        {.name = "1K of 7 sizes", .whole = whole_hash, .n = 1024, .size_max = 1024},
        {.name = "all of 3 sizes", .whole = plateau, .n = 16, .size_max = 64},
        {.name = "slope of 7", .whole = slope, .n = 1024, .size_max = 1024}};
    static const double parts[][2] = {{1, 1}, {2, 0}, {0, 2}};
    bool honest = true;
    printf("\nClaims of passes that are false at any moment before a failure, of %" PRIu64
           " searches; at most 2.5%% should be.\n\n%-16s %6s | %7s | both: %7s %7s %7s\n",
           repetitions, "fails at", "share", "uniform", "alike", "plain", "styled");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t k = 0; k < SHARES; k++) {
            printf("%-16s %5.1f%% |", rows[i].name, 100 * shares[k]);
            for (size_t j = 0; j < 1 + sizeof parts / sizeof *parts; j++) {
                model m = rows[i];
                strategy_config config = config_of(&m);
                config.attempts = 1000;
                config.expand = j == 0 ? EXPAND_UNIFORM : EXPAND_BOTH;
                m.p = shares[k] * (j == 0 ? 1 : parts[j - 1][0]);
                m.styled = shares[k] * (j == 0 ? 1 : parts[j - 1][1]);
                uint64_t wrong = 0;
                for (uint64_t r = 0; r < repetitions; r++) {
                    config.master_seed = ~r;
                    wrong += passes_falsely(&m, &config);
                }
                const double share = (double)wrong / (double)repetitions;
                printf("%s %6.1f%%", j == 1 ? " |      " : "", 100 * share);
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

typedef struct fleet fleet;

typedef struct claim_attack {
    const char *name;
    unsigned workers;
    void (*meddle)(fleet *f); /* after each step of a worker: makes workers adopt failures */
    bool reads_signs;         /* pooled are the last signs of the workers, given now and then */
} claim_attack;

enum { WORKERS_MAX = 8, STEPS = 1500, FLEET_ATTEMPTS = 20, FIRST_SIZE = 4096 };

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

static bool is_false(const fleet *f, uint64_t below, uint64_t counted, uint64_t stretches) {
    if (below == 0 || counted == 0) return false;
    return model_share(f->m, f->expand, below) > confidence_bound(counted, stretches);
}

static bool is_own_false(const fleet *f, const run_claim *c) {
    if (c->below == 0 || c->passed == 0) return false;
    return model_share(f->m, f->expand, c->below) > c->bound;
}

typedef struct pooled_claim {
    uint64_t below, counted, stretches;
} pooled_claim;

/* Pool what all workers say of the size below the smallest best. */
static pooled_claim pool_claims(const fleet *f) {
    pooled_claim all = {.below = UINT64_MAX};
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
    const pooled_claim all = pool_claims(f);
    f->at->was_false |= is_own_false(f, &f->at->claim.run);
    f->was_false |= is_false(f, all.below, all.counted, all.stretches);
    f->was_false_unwary |= is_false(f, all.below, all.counted, 1);
}

static void look(worker *w) { w->claim = strategy_claim_now(w->strategy); }

/* Make one run; at the end of the walk, go on with twice the attempts. */
static void make_run(const fleet *f, worker *w) {
    batch t;
    if (strategy_next(w->strategy, 1, &t) == STRATEGY_RUN) {
        const ending e = run_model(f->m, batch_input(&t, 0));
        strategy_feed(w->strategy, 1, e.failed ? STRATEGY_FAILED : STRATEGY_PASSED,
                      e.failed ? e.drawn : STRATEGY_DRAWN_UNKNOWN, NULL);
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

static const claim_attack claim_attacks[] = {
    {"keeps going", 1, leave_alone, false},
    {"given any size", 1, give_any, false},
    {"given the next size", 1, give_next, false},
    {"8, never sync", 8, leave_alone, false},
    {"8, sync at once", 8, sync_at_once, false},
    {"8, sync at random, old signs", 8, sync_at_random, true},
    {"8, join the lucky", 8, join_the_lucky, false},
    {"8, given any size", 8, give_all, false},
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
    f->attack->meddle(f);
    if (throw_dice(f, 20) == 0) f->at->sign = f->at->claim;
    compare_with_truth(f);
}

/* How often a claim was false at any moment, in the mean of all shapes and shares of failing runs,
 * and of the worst of them. */
typedef struct refutation {
    double own, own_worst;       /* of one worker, in the mean */
    double pooled, pooled_worst; /* of the fleet */
    double unwary;               /* of the fleet, if each claim counted one stretch only */
    double adopted;              /* adoptions of a worker, in the mean */
} refutation;

static void attack_model(const claim_attack *a, const model *m, seed_expansion expand,
                         uint64_t repetitions, double weight, refutation *r) {
    double own = 0, pooled = 0;
    for (uint64_t i = 0; i < repetitions; i++) {
        fleet f = {.attack = a, .m = m, .expand = expand, .dice = i};
        begin(&f);
        for (unsigned k = 0; k < (unsigned)STEPS * a->workers; k++) step(&f);
        for (unsigned k = 0; k < a->workers; k++) {
            own += f.workers[k].was_false;
            strategy_destroy(f.workers[k].strategy);
        }
        pooled += f.was_false;
        r->unwary += f.was_false_unwary * weight / (double)repetitions;
        r->adopted += (double)f.adopted * weight / a->workers / (double)repetitions;
    }
    own /= a->workers * (double)repetitions;
    pooled /= (double)repetitions;
    r->own += weight * own;
    r->pooled += weight * pooled;
    r->own_worst = fmax(r->own_worst, own);
    r->pooled_worst = fmax(r->pooled_worst, pooled);
}

static refutation try_attack(const claim_attack *a, seed_expansion expand, uint64_t repetitions) {
    static const double fails[] = {0.005, 0.02, 0.06, 0.2};
    enum { FAILS = sizeof fails / sizeof *fails };
    refutation r = {.own = 0};
    for (size_t i = 0; i < SHAPES; i++) {
        for (size_t k = 0; k < FAILS; k++) {
            model m = shapes[i];
            m.p = expand == EXPAND_BOTH ? fails[k] * 0.2 : fails[k];
            m.styled = fails[k] * 1.8;
            if (expand == EXPAND_BOTH && m.whole == NULL) m = shapes[0];
            attack_model(a, &m, expand, a->workers > 1 ? repetitions / 4 : repetitions,
                         1.0 / (SHAPES * FAILS), &r);
        }
    }
    return r;
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
            const refutation r = try_attack(&claim_attacks[i], expands[e], repetitions);
            printf("%-7s %-29s %7.1f | %4.1f%% %5.1f%% | %5.1f%% %5.1f%% | %5.1f%%\n",
                   e == 0 ? "uniform" : "both", claim_attacks[i].name, r.adopted, 100 * r.own,
                   100 * r.own_worst, 100 * r.pooled, 100 * r.pooled_worst, 100 * r.unwary);
            if (r.own_worst > 0.05 || r.pooled_worst > 0.05) honest = false;
        }
    }
    return honest;
}

static int attack(bool quick) {
    const bool exact = print_searches(quick ? 40 : 400);
    const bool passing_honest = print_passes(quick ? 200 : 2000);
    const bool going_honest = print_attacks(quick ? 12 : 200);
    if (!exact) printf("\nWRONG: a model of size alone did not end at its size\n");
    if (!passing_honest || !going_honest)
        printf("\nWRONG: claims are false more often than they say\n");
    return exact && passing_honest && going_honest ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv) {
    const bool quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    if (argc > 1 && !quick) {
        fprintf(stderr, "usage: strategy_simulation [--quick]\n");
        return 2;
    }
    models_init(MIB(64));
    const int status = attack(quick);
    models_finish();
    return status;
}

/* strategy_simulation.c: the strategy against model systems, many times over, in one process.
 *
 *     strategy_simulation [--quick]
 *
 * Five tables are printed: what a search costs and where it ends; how often the final claim of a
 * search is false, of plain inputs and of the mixture; how often the claim of a search that has met
 * no failure is false; how often a claim is false at any moment, of searches that keep going and of
 * fleets of them. Cost is in bytes: RUN_BYTES a run and its size. */
#include "candidate_set.h"
#include "frng_expand.h"
#include "simulated.h"
#include "strategy.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ATTEMPTS = 100, RUN_BYTES = 4096, BATCH = 64 };

/* ---- Searches ---- */

typedef struct search {
    strategy_claim claim;
    uint64_t runs;
    double cost; /* bytes */
} search;

static void count_run(search *s, uint64_t size) {
    s->runs++;
    s->cost += (double)(RUN_BYTES + size);
}

static strategy_config config_of(const model *m) {
    return (strategy_config){.attempts = ATTEMPTS,
                             .size_max = m->size_max > 0 ? m->size_max : MIB(4)};
}

static search simulate(const model *m, const strategy_config *config, bool drawn_known) {
    search s = {.runs = 0};
    strategy *w = strategy_create(config);
    batch t;
    while (strategy_next(w, BATCH, &t) == STRATEGY_RUN) {
        ending v = {false, 0};
        uint32_t ran = 0;
        while (ran < t.count && !v.failed) {
            v = run_model(m, batch_input(&t, ran++));
            count_run(&s, t.size);
        }
        strategy_feed(w, ran, v.failed, v.failed && drawn_known ? v.drawn : STRATEGY_DRAWN_UNKNOWN);
    }
    s.claim = strategy_claim_now(w);
    strategy_destroy(w);
    return s;
}

typedef struct costs {
    uint64_t found;                 /* searches that met a failure; sizes are of these */
    uint64_t median, ninety, worst; /* bytes; nine in ten searches end at `ninety` or below */
    double runs, cost;              /* means */
} costs;

static int compare_sizes(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Searches with the master seeds from 0 on. */
static costs repeat(const model *m, bool drawn_known, uint64_t repetitions) {
    strategy_config config = config_of(m);
    costs sum = {.found = 0};
    uint64_t *sizes = calloc(repetitions, sizeof *sizes);
    if (sizes == NULL) abort();
    for (uint64_t i = 0; i < repetitions; i++, config.master_seed++) {
        const search s = simulate(m, &config, drawn_known);
        sum.runs += (double)s.runs / (double)repetitions;
        sum.cost += s.cost / (double)repetitions;
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

/* ---- What a search costs and where it ends ---- */

static void print_summary(const costs *s) {
    printf("| %6" PRIu64 " %6" PRIu64 " %6" PRIu64 " %5.0f %7.2f ", s->median, s->ninety, s->worst,
           s->runs, s->cost / 0x1p20);
}

/* False if a search for a model that fails on size alone did not end at just that size. */
static bool print_search_row(const model *m, bool known, uint64_t repetitions) {
    const costs s = repeat(m, known, repetitions);
    printf("%-25s %-7s ", m->name, known ? "known" : "unknown");
    print_summary(&s);
    printf("|%s\n", s.found < repetitions ? " MISSED" : "");
    const bool exact = m->test == size_alone || m->whole == size_read_whole;
    return !exact || (s.median == m->n && s.worst == m->n);
}

static bool print_searches(uint64_t repetitions) {
    bool exact = true;
    printf("Searches, %d attempts, %" PRIu64 " of each. Sizes in bytes: median, nine in ten,"
           " worst; runs and MiB on average.\n\n",
           ATTEMPTS, repetitions);
    printf("%-25s %-7s | %6s %6s %6s %5s %7s |\n", "model", "drawn", "median", "9/10", "worst",
           "runs", "MiB");
    for (size_t i = 0; i < MODELS; i++) {
        const model *m = &models[i];
        if (!print_search_row(m, true, repetitions)) exact = false;
        if (!print_search_row(m, false, repetitions)) exact = false;
    }
    return exact;
}

/* ---- What a search says, and how often that is false ---- */

typedef struct refutation {
    double ours, three; /* shares of the searches */
    double bound;       /* mean */
} refutation;

static refutation refute(const model *m, seed_expansion expand, uint64_t repetitions) {
    refutation r = {.ours = 0};
    strategy_config config = config_of(m);
    config.expand = expand;
    for (uint64_t i = 0; i < repetitions; i++) {
        config.master_seed = ~i;
        const strategy_claim claim = simulate(m, &config, true).claim;
        if (!claim.failed) continue;
        const double share = model_share(m, expand, claim.run.below);
        if (share > claim.run.bound) r.ours += 1 / (double)repetitions;
        if (share > 3 / (double)claim.run.passed) r.three += 1 / (double)repetitions;
        r.bound += claim.run.bound / (double)repetitions;
    }
    return r;
}

static const double shares[] = {0.005, 0.01, 0.02, 0.03, 0.04, 0.06, 0.1, 0.2};
enum { SHARES = sizeof shares / sizeof shares[0] };

static const model shapes[] = {{.name = "plateau from 16", .whole = plateau, .n = 16},
                               {.name = "plateau from 1000", .whole = plateau, .n = 1000},
                               {.name = "slope to 4096", .whole = slope, .n = 4096},
                               {.name = "whole hash from 41", .whole = whole_hash, .n = 41},
                               {.name = "terraces from 16", .whole = terraces, .n = 16},
                               {.name = "marker", .test = marker}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* False if the claims are false too often. */
static bool print_claim_row(const model *m, seed_expansion expand, uint64_t repetitions) {
    const refutation r = refute(m, expand, repetitions);
    const double shape = expand == EXPAND_BOTH ? (m->p + m->styled) / 2 : m->p;
    printf("%-20s %5.1f%% | %8.1f%% %6.1f%% %6.1f%%\n", m->name, 100 * shape, 100 * r.bound,
           100 * r.ours, 100 * r.three);
    return r.ours <= 0.05;
}

static bool print_claims(uint64_t repetitions) {
    bool honest = true;
    printf("\nFinal claims that are false, of %" PRIu64
           " searches; at most 5%% should be. Beside it"
           " the rule of three.\n\n%-20s %6s | %9s %7s %7s\n",
           repetitions, "shape", "fails", "it says", "false", "three");
    for (size_t i = 0; i < SHAPES; i++) {
        for (size_t k = 0; k < SHARES; k++) {
            model m = shapes[i];
            m.p = shares[k];
            if (!print_claim_row(&m, EXPAND_UNIFORM, repetitions)) honest = false;
        }
    }
    return honest;
}

/* ---- What a search says that met no failure ---- */

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
    strategy *w = strategy_create(config);
    bool is_false = false;
    batch t;
    while (!is_false && strategy_next(w, 1, &t) == STRATEGY_RUN) {
        if (run_model(m, batch_input(&t, 0)).failed) break;
        strategy_feed(w, 1, STRATEGY_PASSED, STRATEGY_DRAWN_UNKNOWN);
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

/* Mixtures in which both styles fail alike, one of them alone, or one of them often. A marker draws
 * its bytes, and its share of styled ones is not known. */
static bool print_claims_of_mixtures(uint64_t repetitions) {
    static const double parts[][2] = {{1, 1}, {2, 0}, {0, 2}, {0.2, 1.8}, {1.8, 0.2}};
    bool honest = true;
    printf("\nThe same of mixtures; the shape is the mean of both styles, before it their parts."
           "\n\n");
    for (size_t i = 0; i < SHAPES; i++) {
        for (size_t k = 0; k < SHARES; k++) {
            for (size_t j = 0; j < sizeof parts / sizeof *parts && shapes[i].whole != NULL; j++) {
                model m = shapes[i];
                m.p = shares[k] * parts[j][0];
                m.styled = shares[k] * parts[j][1];
                printf("%3.1f + %3.1f  ", parts[j][0], parts[j][1]);
                if (!print_claim_row(&m, EXPAND_BOTH, repetitions)) honest = false;
            }
        }
    }
    return honest;
}

/* ---- Searches that keep going, and fleets of them ---- */

/* What an attack refutes of all shapes and shares: in the mean, and of the worst of them. */
typedef struct verdict_on_attack {
    claim_refutation mean;
    double own_worst, pooled_worst;
} verdict_on_attack;

static void add_refutation(verdict_on_attack *v, const claim_refutation *r, double weight) {
    v->mean.own += weight * r->own;
    v->mean.pooled += weight * r->pooled;
    v->mean.unwary += weight * r->unwary;
    v->mean.adopted += weight * r->adopted;
    v->own_worst = fmax(v->own_worst, r->own);
    v->pooled_worst = fmax(v->pooled_worst, r->pooled);
}

static verdict_on_attack try_attack(const claim_attack *a, seed_expansion expand,
                                    uint64_t repetitions) {
    static const double fails[] = {0.005, 0.02, 0.06, 0.2};
    enum { FAILS = sizeof fails / sizeof *fails };
    verdict_on_attack v = {.own_worst = 0};
    for (size_t i = 0; i < SHAPES; i++) {
        for (size_t k = 0; k < FAILS; k++) {
            model m = shapes[i];
            m.p = expand == EXPAND_BOTH ? fails[k] * 0.2 : fails[k];
            m.styled = fails[k] * 1.8;
            if (expand == EXPAND_BOTH && m.whole == NULL) m = shapes[0];
            const claim_refutation r =
                claim_attack_run(a, &m, expand, a->workers > 1 ? repetitions / 4 : repetitions);
            add_refutation(&v, &r, 1.0 / (SHAPES * FAILS));
        }
    }
    return v;
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
            const verdict_on_attack v = try_attack(&claim_attacks[i], expands[e], repetitions);
            printf("%-7s %-29s %7.1f | %4.1f%% %5.1f%% | %5.1f%% %5.1f%% | %5.1f%%\n",
                   e == 0 ? "uniform" : "both", claim_attacks[i].name, v.mean.adopted,
                   100 * v.mean.own, 100 * v.own_worst, 100 * v.mean.pooled, 100 * v.pooled_worst,
                   100 * v.mean.unwary);
            if (v.own_worst > 0.05 || v.pooled_worst > 0.05) honest = false;
        }
    }
    return honest;
}

static int attack(bool quick) {
    const bool exact = print_searches(quick ? 40 : 400);
    const bool honest = print_claims(quick ? 200 : 2000);
    const bool mixed_honest = print_claims_of_mixtures(quick ? 100 : 1000);
    const bool passing_honest = print_passes(quick ? 200 : 2000);
    const bool going_honest = print_attacks(quick ? 12 : 200);
    if (!exact) printf("\nWRONG: a model of size alone did not end at its size\n");
    if (!honest || !mixed_honest || !passing_honest || !going_honest)
        printf("\nWRONG: claims are false more often than they say\n");
    return exact && honest && mixed_honest && passing_honest && going_honest ? EXIT_SUCCESS
                                                                             : EXIT_FAILURE;
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

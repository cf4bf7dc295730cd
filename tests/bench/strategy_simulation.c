/* strategy_simulation.c: the strategy against model systems, many times over, in one process.
 *
 *     strategy_simulation [--quick | --post]
 *
 * Six tables are printed: what a search costs and where it ends; how often the final claim of a
 * search is false, of plain inputs and of the mixture; how often the claim of a search that has met
 * no failure is false; how often a claim is false at any moment, of
 * searches that keep going and of fleets of them; and how the cost grows with size_max. With
 * --post: searches of the mixture and of plain inputs beside those of the blog post's driver
 * (STRATEGY.md). Cost is in bytes: RUN_BYTES a run and its size. */
#include "candidate_set.h"
#include "frng_expand.h"
#include "simulated_claims.h"
#include "simulated_models.h"
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
    double cost;         /* bytes */
    uint64_t first_runs; /* until the first failure; 0: none yet */
    double first_cost;
} search;

static void count_run(search *s, uint64_t size) {
    s->runs++;
    s->cost += (double)(RUN_BYTES + size);
}

static void count_first(search *s) {
    if (s->first_runs > 0) return;
    s->first_runs = s->runs;
    s->first_cost = s->cost;
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
        if (v.failed) count_first(&s);
        strategy_feed(w, ran, v.failed, v.failed && drawn_known ? v.drawn : STRATEGY_DRAWN_UNKNOWN);
    }
    s.claim = strategy_claim_now(w);
    strategy_destroy(w);
    return s;
}

static search simulate_known(const model *m, const strategy_config *config) {
    return simulate(m, config, true);
}

static search simulate_unknown(const model *m, const strategy_config *config) {
    return simulate(m, config, false);
}

typedef search simulation(const model *m, const strategy_config *config);

typedef struct costs {
    uint64_t found;                 /* searches that met a failure; sizes are of these */
    uint64_t median, ninety, worst; /* bytes; nine in ten searches end at `ninety` or below */
    double runs, cost;              /* means */
    double first_runs, first_cost;  /* means */
} costs;

static int compare_sizes(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Searches with the master seeds from `config.master_seed` on. */
static costs repeat(const model *m, strategy_config config, simulation *simulates,
                    uint64_t repetitions) {
    costs sum = {.found = 0};
    uint64_t *sizes = calloc(repetitions, sizeof *sizes);
    if (sizes == NULL) abort();
    for (uint64_t i = 0; i < repetitions; i++, config.master_seed++) {
        const search s = simulates(m, &config);
        sum.runs += (double)s.runs / (double)repetitions;
        sum.cost += s.cost / (double)repetitions;
        sum.first_runs += (double)s.first_runs / (double)repetitions;
        sum.first_cost += s.first_cost / (double)repetitions;
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

static strategy_config config_of(const model *m) {
    return (strategy_config){.attempts = ATTEMPTS,
                             .size_max = m->size_max > 0 ? m->size_max : MIB(4)};
}

/* ---- What a search costs and where it ends ---- */

static void print_summary(const costs *s) {
    printf("| %6" PRIu64 " %6" PRIu64 " %6" PRIu64 " %5.0f %7.2f ", s->median, s->ninety, s->worst,
           s->runs, s->cost / 0x1p20);
}

/* False if a search for a model that fails on size alone did not end at just that size. */
static bool print_search_row(const model *m, bool known, uint64_t repetitions) {
    const costs s = repeat(m, config_of(m), known ? simulate_known : simulate_unknown, repetitions);
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

/* ---- How cost grows with size_max ---- */

static void print_growth(uint64_t repetitions) {
    static const model growing[] = {{.name = "never fails", .whole = never},
                                    {.name = "size >= 41", .test = size_alone, .n = 41},
                                    {.name = "marker 1/20000", .test = marker, .p = 0.00005},
                                    {.name = "size >= 50000", .test = size_alone, .n = 50000}};
    printf("\nCost by size_max: runs, and MiB.\n\n%-16s %9s | %18s\n", "model", "size_max",
           "runs, MiB");
    for (size_t i = 0; i < sizeof growing / sizeof growing[0]; i++) {
        for (uint64_t kib = 64; kib <= 64 * 1024; kib *= 4) {
            model m = growing[i];
            m.size_max = kib * 1024;
            printf("%-16s %5" PRIu64 " KiB", m.name, kib);
            const costs sum = repeat(&m, config_of(&m), simulate_known, repetitions);
            printf(" | %7.0f %10.1f\n", sum.runs, sum.cost / 0x1p20);
        }
    }
}

/* ---- Beside the post ---- */

/* The search of post_driver.c, which has no styles and knows no draws. */
typedef struct post {
    const model *m;
    uint64_t seeds; /* state of the generator of seeds */
    search s;
} post;

/* Up to ATTEMPTS fresh seeds; true when all passed. */
static bool post_row(post *p, uint64_t size) {
    for (int i = 0; i < ATTEMPTS; i++) {
        const seed_input t = {.size = size, .seed = frng__splitmix64(&p->seeds)};
        count_run(&p->s, size);
        if (run_model(p->m, t).failed) {
            p->s.claim.failed = true;
            p->s.claim.best = t;
            count_first(&p->s);
            return false;
        }
    }
    return true;
}

static search simulate_post(const model *m, const strategy_config *config) {
    post p = {.m = m, .seeds = config->master_seed};
    uint64_t size = 16, step = 16;
    while (step > 0) {
        const bool found = p.s.claim.failed;
        if (!found && size >= config->size_max) break;
        uint64_t next = step < size ? size - step : 0;
        if (!found) next = step < config->size_max - size ? size + step : config->size_max;
        const bool has_passed = post_row(&p, next);
        if (!has_passed || !found) size = next;
        if (!has_passed && size == 0) break;
        if (has_passed) step = found ? step / 2 : step * 2;
        if (!has_passed && !found) step /= 2;
    }
    return p.s;
}

/* Of SETS sets of searches: the median of each size, the runs and the cost in the mean. The
 * worst of one set is mostly chance. */
enum { SETS = 11 };

static uint64_t median_of_sets(uint64_t *values) {
    qsort(values, SETS, sizeof *values, compare_sizes);
    return values[SETS / 2];
}

static costs repeat_sets(const model *m, strategy_config config, simulation *simulates,
                         uint64_t repetitions) {
    uint64_t median[SETS], ninety[SETS], worst[SETS];
    costs all = {.found = 0};
    for (size_t i = 0; i < SETS; i++) {
        config.master_seed = i * repetitions;
        const costs set = repeat(m, config, simulates, repetitions);
        median[i] = set.median;
        ninety[i] = set.ninety;
        worst[i] = set.worst;
        all.runs += set.runs / SETS;
        all.cost += set.cost / SETS;
    }
    all.median = median_of_sets(median);
    all.ninety = median_of_sets(ninety);
    all.worst = median_of_sets(worst);
    return all;
}

static bool is_larger(const costs *a, const costs *b) {
    return a->median > b->median || a->ninety > b->ninety || a->worst > b->worst;
}

/* Both styles of a model that looks at the whole fail alike. */
static model in_both_styles(const model *m) {
    model both = *m;
    both.styled = both.p;
    return both;
}

/* The ways of a search to be compared. */
typedef struct contender {
    const char *name;
    seed_expansion expand;
    simulation *simulates;
    double runs;   /* of all models */
    size_t larger; /* models on which it is larger than the post's */
} contender;

static void compare(contender *c, const model *m, const costs *theirs, uint64_t repetitions) {
    strategy_config config = config_of(m);
    config.expand = c->expand;
    const costs ours = repeat_sets(m, config, c->simulates, repetitions);
    c->runs += ours.runs;
    c->larger += is_larger(&ours, theirs);
    print_summary(&ours);
    printf("%5.2f %c ", ours.runs / theirs->runs, is_larger(&ours, theirs) ? '*' : ' ');
}

static void print_sizes_beside_post(uint64_t repetitions) {
    contender all[] = {{.name = "both", EXPAND_BOTH, simulate_known},
                       {.name = "uniform", EXPAND_UNIFORM, simulate_known},
                       {.name = "both, draws unknown", EXPAND_BOTH, simulate_unknown}};
    enum { CONTENDERS = sizeof all / sizeof *all };
    double base = 0;
    printf("Beside the post, %d attempts, the medians of %d sets of %" PRIu64
           " searches. Sizes in bytes: median,"
           " nine in ten, worst; runs and MiB on average. * larger than the post's\n\n%-25s | %35s",
           ATTEMPTS, SETS, repetitions, "model", "post");
    for (size_t k = 0; k < CONTENDERS; k++) printf(" | %43s", all[k].name);
    printf(" |\n");
    for (size_t i = 0; i < MODELS; i++) {
        const model m = in_both_styles(&models[i]);
        const costs theirs = repeat_sets(&m, config_of(&m), simulate_post, repetitions);
        base += theirs.runs;
        printf("%-25s ", m.name);
        print_summary(&theirs);
        for (size_t k = 0; k < CONTENDERS; k++) compare(&all[k], &m, &theirs, repetitions);
        printf("|\n");
    }
    for (size_t k = 0; k < CONTENDERS; k++) {
        printf("%s%s: %.2f of the post's runs, larger on %zu of %d models\n", k == 0 ? "\n" : "",
               all[k].name, all[k].runs / base, all[k].larger, MODELS);
    }
}

/* What the first failure costs that needs many bytes, and is rare. */
static void print_first_beside_post(uint64_t repetitions) {
    static const double parts[] = {0.5, 0.1, 0.02};
    printf("\nThe first failure, from a size on: runs and MiB.\n\n%-16s | %14s | %14s |\n", "fails",
           "post", "both");
    for (uint64_t kib = 8; kib <= 2048; kib *= 16) {
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
            model m = {.whole = rare_from, .n = kib * 1024, .p = parts[k], .styled = parts[k]};
            strategy_config config = config_of(&m);
            const costs theirs = repeat(&m, config, simulate_post, repetitions);
            config.expand = EXPAND_BOTH;
            const costs ours = repeat(&m, config, simulate_known, repetitions);
            printf("%3.0f%% from %4" PRIu64 "K | %6.0f %7.1f | %6.0f %7.1f |\n", 100 * parts[k],
                   kib, theirs.first_runs, theirs.first_cost / 0x1p20, ours.first_runs,
                   ours.first_cost / 0x1p20);
        }
    }
}

static int attack(bool quick) {
    const bool exact = print_searches(quick ? 40 : 400);
    const bool honest = print_claims(quick ? 200 : 2000);
    const bool mixed_honest = print_claims_of_mixtures(quick ? 100 : 1000);
    const bool passing_honest = print_passes(quick ? 200 : 2000);
    const bool going_honest = print_attacks(quick ? 12 : 200);
    print_growth(quick ? 10 : 100);
    if (!exact) printf("\nWRONG: a model of size alone did not end at its size\n");
    if (!honest || !mixed_honest || !passing_honest || !going_honest)
        printf("\nWRONG: claims are false more often than they say\n");
    return exact && honest && mixed_honest && passing_honest && going_honest ? EXIT_SUCCESS
                                                                             : EXIT_FAILURE;
}

int main(int argc, char **argv) {
    const char *what = argc == 2 ? argv[1] : "";
    int status = EXIT_SUCCESS;
    if (argc > 1 && strcmp(what, "--quick") != 0 && strcmp(what, "--post") != 0) {
        fprintf(stderr, "usage: strategy_simulation [--quick | --post]\n");
        return 2;
    }
    models_init(MIB(64));
    if (strcmp(what, "--post") == 0) {
        print_sizes_beside_post(300);
        print_first_beside_post(100);
    } else {
        status = attack(strcmp(what, "--quick") == 0);
    }
    models_finish();
    return status;
}

#include "simulated_alone.h"

#include "frng_expand.h"
#include "simulated_worker.h"
#include "strategy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SEARCH_S 3600.0

typedef struct lone {
    double sum, squares; /* of one figure of many searches */
} lone;

/* The figures that are compared. */
typedef enum lone_figure {
    LONE_BEST,
    LONE_RUNS,
    LONE_BESTS,
    LONE_PASSED,
    LONE_FIGURES
} lone_figure;

static void count(lone *all, double value) {
    all->sum += value;
    all->squares += value * value;
}

static void count_search(lone all[LONE_FIGURES], const strategy_claim *claim, uint64_t runs,
                         uint64_t bests) {
    count(&all[LONE_BEST], claim->failed ? (double)claim->best.size : WORKER_SIZE_MAX);
    count(&all[LONE_RUNS], (double)runs);
    count(&all[LONE_BESTS], (double)bests);
    count(&all[LONE_PASSED], (double)claim->run.passed);
}

/* A worker alone, as the fleets have it. */
static void model_search(lone all[LONE_FIGURES], const simulated_target *t, uint64_t seed) {
    const sharing alone = {.sync_s = 0};
    simulated_folder folder;
    simulated_worker w = {.target = t, .shares = &alone, .folder = &folder};
    simulated_folder_init(&folder, SEARCH_S, 0);
    simulated_worker_start(&w, 0, seed);
    while (simulated_worker_next(&w) < SEARCH_S) simulated_worker_step(&w);
    const strategy_claim claim = simulated_worker_end(&w, SEARCH_S);
    count_search(all, &claim, w.runs, w.bests);
    simulated_folder_finish(&folder);
}

/* Bytes with which a seed fails, if it has so many. */
static uint64_t failing_size(const simulated_target *t, uint64_t seed) {
    uint64_t state = seed;
    const double chance = (double)(frng__splitmix64(&state) >> 11) * 0x1p-53;
    const double fails = simulated_target_share(t, WORKER_SIZE_MAX);
    if (chance >= fails) return UINT64_MAX;
    return simulated_target_drawn(t, WORKER_SIZE_MAX, chance / fails);
}

/* Runs of a batch, up to the first that fails. */
typedef struct batch_end {
    uint32_t ran;
    bool failed;
    uint64_t drawn, sum; /* bytes: of the last run, and of all */
    double seconds;
} batch_end;

static batch_end run_batch(const simulated_target *t, const batch *b) {
    batch_end end = {.ran = 0};
    while (end.ran < b->count && !end.failed) {
        const uint64_t fails = failing_size(t, b->first_seed + end.ran++);
        end.failed = fails <= b->size;
        end.drawn = end.failed ? fails : b->size;
        end.sum += end.drawn;
        end.seconds += simulated_target_seconds(end.drawn) * (end.failed ? 2 : 1);
    }
    return end;
}

/* The same search by strategy.c, run by run. It ends with the run that is under way. */
static void real_search(lone all[LONE_FIGURES], const simulated_target *t, uint64_t seed) {
    const strategy_config config = {.attempts = WORKER_ATTEMPTS,
                                    .size_max = WORKER_SIZE_MAX,
                                    .master_seed = seed,
                                    .expand = EXPAND_BOTH,
                                    .endless = true};
    uint64_t runs = 0, bests = 0;
    double at = 0;
    batch b;
    strategy *s = strategy_create(&config);
    if (s == NULL) abort();
    for (;;) {
        const strategy_answer answer = strategy_next(s, 1, &b);
        if (answer == STRATEGY_DONE && strategy_raise_attempts(s)) continue;
        if (answer != STRATEGY_RUN) break;
        const batch_end end = run_batch(t, &b);
        if ((at += end.seconds) > SEARCH_S) break;
        runs += end.ran;
        bests += end.failed;
        strategy_take_draws(s, (strategy_draws){end.drawn, end.sum, 0});
        strategy_feed(s, end.ran, end.failed ? STRATEGY_FAILED : STRATEGY_PASSED, end.drawn);
    }
    const strategy_claim claim = strategy_claim_now(s);
    count_search(all, &claim, runs, bests);
    strategy_destroy(s);
}

/* False if the means of a figure differ by more than four standard errors. */
static bool agrees(const char *name, const lone *model, const lone *real, double searches) {
    const double a = model->sum / searches, b = real->sum / searches;
    const double variance =
        (model->squares / searches - a * a) + (real->squares / searches - b * b);
    const double error = sqrt(variance / searches);
    const bool agree = fabs(a - b) <= 4 * error;
    printf("%-24s %9.1f by the model, %9.1f run by run, standard error %.1f%s\n", name, a, b, error,
           agree ? "" : " WRONG");
    return agree;
}

bool simulated_alone_agrees(const simulated_target *t, unsigned searches) {
    static const char *const names[LONE_FIGURES] = {"smallest failure, bytes", "runs", "failures",
                                                    "passes one byte below"};
    lone model[LONE_FIGURES] = {{0}}, real[LONE_FIGURES] = {{0}};
    bool agree = true;
    for (unsigned i = 0; i < searches; i++) {
        model_search(model, t, i);
        real_search(real, t, ~(uint64_t)i);
    }
    for (int i = 0; i < LONE_FIGURES; i++) {
        if (!agrees(names[i], &model[i], &real[i], searches)) agree = false;
    }
    return agree;
}

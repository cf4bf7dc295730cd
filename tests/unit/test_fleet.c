/* fleet.h: who is alive, sums of files that may say anything, and claims that stay true. */
#include "fleet.h"
#include "rates.h"
#include "suite.h"

#include <math.h>

enum { WORKERS = 8, SIZES = 40, FLEETS = 400, STEPS = 400 };

static const int64_t second_ns = 1000000000;

/* Numbers that repeat. */
static double draw(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static worker_file file_of(uint64_t seed) {
    static const char *args[] = {"-x", NULL};
    return (worker_file){.name = "a",
                         .process = {"node", 7, "2026-11-22T08:30:00Z"},
                         .every = 60,
                         .target = {"./a", "ab", args, "", EXPAND_UNIFORM},
                         .rng_seed = seed};
}

static void set_best(worker_file *w, uint64_t size) {
    w->best = (worker_best){.is_known = true, .input = {.size = size}};
    w->evidence.below = size - 1;
    w->evidence.passed = w->evidence.counted = 0;
    w->evidence.stretches++;
}

/* Add a worker to a fleet. */
static void add(fleet *f, const char *name, worker_file file, int64_t modified_ns) {
    file.modified_ns = modified_ns;
    fleet_worker w = {.folder = "found", .file = file};
    snprintf(w.name, sizeof w.name, "%s", name);
    fleet_add(f, &w);
}

static void end(fleet *f, int64_t now_ns) {
    fleet_collect(f);
    fleet_end(f, now_ns);
}

/* ---- Claims ---- */

/* Return the evidence of some workers, as one look sees it. */
static fleet_evidence look(const worker_file *workers) {
    fleet f = {.count = 0};
    char name[16];
    for (int i = 0; i < WORKERS; i++) {
        snprintf(name, sizeof name, "w%d", i);
        add(&f, name, workers[i], 0);
    }
    end(&f, second_ns);
    ck_assert(!f.failed);
    ck_assert_uint_eq(f.campaign_count, 1);
    const fleet_evidence seen = f.campaigns[0].evidence;
    fleet_finish(&f);
    return seen;
}

/* How often the claims of a fleet were false: with its stretches, and if each were the first. */
typedef struct lies {
    int pooled, naive;
} lies;

/* One run of a worker, of a size whose runs fail with probability q. Others adopt its failure after
 * a while. */
static void step(worker_file *workers, double q, uint64_t *state) {
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < WORKERS; i++) {
        if (workers[i].best.input.size < best) best = workers[i].best.input.size;
    }
    for (int i = 0; i < WORKERS; i++) {
        worker_file *w = &workers[i];
        if (w->best.input.size > best && draw(state) < 0.3) set_best(w, best);
        if (w->best.input.size > 1 && draw(state) < q) {
            set_best(w, w->best.input.size - 1);
        } else {
            w->evidence.counted++, w->evidence.passed++;
        }
    }
}

/* Watch a fleet whose sizes all fail with probability q, and see whether it ever claims less. */
static void watch(uint64_t seed, double q, lies *sum) {
    worker_file workers[WORKERS];
    bool has_lied = false, lies_naively = false;
    uint64_t state = seed;
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = file_of((uint64_t)i);
        set_best(&workers[i], SIZES);
    }
    for (int i = 0; i < STEPS; i++) {
        step(workers, q, &state);
        const fleet_evidence e = look(workers);
        if (e.counted == 0 || e.below == 0) continue; /* at 0 bytes nothing fails here */
        has_lied |= e.bound < q;
        lies_naively |= confidence_bound(e.counted, 1) < q;
    }
    sum->pooled += has_lied;
    sum->naive += lies_naively;
}

TEST(a_fleet_claims_what_is_false_in_5_of_100_cases_at_most) {
    lies sum = {0, 0};
    for (uint64_t i = 0; i < FLEETS; i++) watch(i, 0.02, &sum);
    ck_assert_int_le(sum.pooled, FLEETS / 20);
    ck_assert_int_gt(sum.naive, FLEETS / 20); /* so the correction is needed */
}

TEST(a_claim_is_that_of_one_search_with_all_passes_and_all_stretches) {
    worker_file workers[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = file_of((uint64_t)i);
        set_best(&workers[i], 41);
        workers[i].evidence.counted = 100;
    }
    const fleet_evidence e = look(workers);
    ck_assert(fabs(e.bound - confidence_bound(100 * WORKERS, WORKERS)) < 1e-12);
    ck_assert_uint_eq(e.workers, WORKERS);
}

/* ---- Files that may say anything ---- */

TEST(sums_stop_at_the_largest_number) {
    fleet f = {.count = 0};
    for (int i = 0; i < 4; i++) {
        char name[16];
        worker_file w = file_of((uint64_t)i);
        snprintf(name, sizeof name, "w%d", i);
        w.totals = (worker_totals){.runs = INT64_MAX, .seconds = 1e15};
        set_best(&w, 41);
        w.evidence.counted = w.evidence.passed = w.evidence.stretches = INT64_MAX;
        add(&f, name, w, INT64_MAX);
    }
    end(&f, 0);
    ck_assert(f.totals.runs == UINT64_MAX);
    ck_assert(isfinite(f.totals.seconds));
    ck_assert(f.campaigns[0].evidence.bound >= 0 && f.campaigns[0].evidence.bound <= 1);
    ck_assert_uint_eq(f.sights[SIGHT_RUNNING], 4);
    fleet_finish(&f);
}

TEST(an_empty_fleet_is_well) {
    fleet f = {.count = 0};
    end(&f, second_ns);
    ck_assert(!fleet_has_found(&f));
    fleet_finish(&f);
}

TEST(copies_of_a_file_count_once) {
    fleet f = {.count = 0};
    worker_file w = file_of(1);
    w.totals.runs = 10;
    add(&f, "a", w, 0);
    w.totals.runs = 20;
    add(&f, "a", w, 0);
    end(&f, second_ns);
    ck_assert_uint_eq(f.count, 1);
    ck_assert_uint_eq(f.totals.runs, 20);
    fleet_finish(&f);
}

/* ---- Silence ---- */

/* Return what a worker whose file is so old is seen as. */
static fleet_sight sight_at(int64_t age_ns) {
    fleet f = {.count = 0};
    const worker_file w = file_of(1);
    add(&f, "a", w, 0);
    end(&f, age_ns);
    const fleet_sight seen = f.workers[0].sight;
    fleet_finish(&f);
    return seen;
}

TEST(a_worker_is_silent_after_three_times_its_promise) {
    ck_assert_int_eq(sight_at(0), SIGHT_RUNNING);
    ck_assert_int_eq(sight_at(180 * second_ns), SIGHT_RUNNING);
    ck_assert_int_eq(sight_at(180 * second_ns + 1), SIGHT_SILENT);
}

#include "walk_strategy.h"

#include <assert.h>

/* The default strategy. It rests on one thing: the bytes of a run are a prefix of those of a longer
 * run with the same seed. So a failing run that had drawn n bytes fails with n bytes as well, and
 * where the system under test does not say what it drew, its seed is bisected over its own
 * prefixes. Either way one failure bounds the size at once; and as whatever fails within fewer
 * bytes fails within best - 1 too, no size below the best is better to try than best - 1. That is
 * where fresh seeds are run, until enough of them in a row have passed.
 *
 * Not every system is like that. One that looks at its input as a whole (a checksum, a length that
 * must be even) fails at some sizes and passes at others, with the same seed. Going down a byte at
 * a time would take for ever there, or end at once above a size that always passes. So there are
 * also probes further below, a power of two away: a few, once, after the first failure; and more
 * of them each time that bounds turn out to gain nothing. */

/* What a run costs beside its size, in bytes: decisions weigh bytes, not clocks, so that a search
 * can be repeated. Starting a process takes about as long as a test takes for some kilobytes. */
enum { RUN_COST = 4096 };

/* Levels below this many bytes are run once, because what fails there fails here too. */
enum { FULL_LEVEL = 16 };

/* Runs at each size probed after the first failure. Few, since what is looked for, a system that
 * often fails far below although it does not at best - 1, is rare. */
enum { LOOK_RUNS = 6 };

/* See end_quota and stretch_quota. */
enum { PROBES_MIN = 6 };
enum { BITS_PLAIN = 6, BITS_MAX = 12 };

/* A bound that takes off less than this part of the size gains nothing. */
enum { GAIN_PART = 16 };

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static uint64_t sum(uint64_t a, uint64_t b) {
    uint64_t result;
    return __builtin_add_overflow(a, b, &result) ? UINT64_MAX : result;
}

static uint64_t product(uint64_t a, uint64_t b) {
    uint64_t result;
    return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

static uint64_t bits(uint64_t x) { return x == 0 ? 0 : 64 - (uint64_t)__builtin_clzll(x); }

/* ---- Growing ---- */

/* Levels are 1, 2, 4, ... bytes; the last is size_max. */
static unsigned level_count(const walk_config *config) {
    return (unsigned)bits(config->size_max - 1) + 1;
}

static uint64_t level_size(const walk_config *config, unsigned level) {
    return level + 1 == level_count(config) ? config->size_max : UINT64_C(1) << level;
}

static bool is_full(const walk_config *config, unsigned level) {
    return level + 1 == level_count(config) || level_size(config, level) >= FULL_LEVEL;
}

/* Turn to the level that has cost least so far, its next run included. So no large run is made
 * before small ones have cost as much together, and a level that fails often is met soon. Levels
 * take runs in rows that lengthen with what they had, because rows are cheaper than single runs. */
static void pick_level(const walk_config *config, walk_auto *w) {
    uint64_t cost_min = 0;
    w->batch = 0;
    for (unsigned level = 0; level < level_count(config); level++) {
        const uint64_t quota = is_full(config, level) ? product(w->rounds, config->attempts) : 1;
        const uint64_t left = quota - w->runs[level];
        const uint64_t cost = product(w->runs[level] + 1, sum(RUN_COST, level_size(config, level)));
        if (left > 0 && (w->batch == 0 || cost < cost_min)) {
            cost_min = cost;
            w->level = level;
            w->batch = smaller(left, 1 + w->runs[level] / 4);
        }
    }
}

static void grow(const walk_config *config, walk_auto *w) {
    w->phase = WALK_GROW;
    pick_level(config, w);
    if (w->batch == 0 && config->endless) {
        w->rounds++;
        pick_level(config, w);
    }
    if (w->batch == 0) w->phase = WALK_OVER;
}

/* Fresh runs at the levels that can be compared. How many of them would have failed is not known
 * while nothing has. */
static uint64_t runs_grown(const walk_config *config, const walk_auto *w) {
    uint64_t runs = 0;
    for (unsigned level = 0; level < level_count(config); level++) {
        if (is_full(config, level)) runs += w->runs[level];
    }
    return runs;
}

/* ---- Going down ---- */

static bool at_end(const walk_auto *w) { return w->stretch.size + 1 == w->best.size; }

/* Fresh runs that must pass at best - 1: `attempts`, and a quarter more for each bit of the size
 * beyond BITS_PLAIN. Bisecting would make `attempts` runs for each of these bits; and to stop early
 * by bad luck costs most where the size is large. From BITS_MAX on the cost of a run grows with its
 * size, and their number does not grow further. */
static uint64_t end_quota(const walk_config *config, uint64_t size) {
    const uint64_t extra = larger(BITS_PLAIN, smaller(bits(size), BITS_MAX)) - BITS_PLAIN;
    return sum(config->attempts, product(config->attempts, extra) / 4);
}

/* A probe that fails as often as what failed so far passes this many runs one time in seven. */
static uint64_t stretch_quota(const walk_config *config, const walk_auto *w) {
    if (at_end(w)) return end_quota(config, w->best.size);
    return smaller(w->probes_max, 2 * (w->tries / w->hits) + PROBES_MIN);
}

/* Where best - 1 was probed already, its passes count: they were fresh, and all that were made. */
static void next_stretch(const walk_config *config, walk_auto *w) {
    while (w->step > 1 && (w->step >= w->best.size || w->best.size - w->step <= w->floor.size)) {
        w->step /= 2;
    }
    const uint64_t size = w->best.size - w->step;
    if (size == w->floor.size) {
        w->stretch = w->floor;
    } else {
        w->stretches++;
        w->stretch = (walk_stretch){.size = size, .number = w->stretches};
    }
    w->phase = w->stretch.passed < stretch_quota(config, w) ? WALK_FRESH : WALK_OVER;
}

/* Probe below best, from the largest step down. */
static void look_below(walk_auto *w, uint64_t probes_max) {
    w->step = UINT64_C(1) << (bits(w->best.size) - 1);
    w->probes_max = probes_max;
}

/* The size of a failing seed is settled: go on below it. */
static void settled(const walk_config *config, walk_auto *w) {
    if (w->best.size <= 1) { /* and the run of no bytes has passed, or is the best */
        w->phase = WALK_OVER;
        return;
    }
    const bool gained = w->from - w->best.size >= larger(1, w->from / GAIN_PART);
    w->trust += gained ? 1 : -1;
    if (w->floor.size >= w->best.size) w->floor = (walk_stretch){.size = 0};
    if (w->step <= 1) {
        if (!gained && w->trust < 0) {
            look_below(w, config->attempts);
        } else if (w->step == 0) {
            look_below(w, smaller(LOOK_RUNS, config->attempts));
        }
    }
    next_stretch(config, w);
}

/* Goes on over the prefixes of the failing seed, unless that gained nothing again and again. */
static void bisect(const walk_config *config, walk_auto *w) {
    w->phase = WALK_BISECT;
    if (w->best.size - w->passing <= 1 || w->trust < -1) settled(config, w);
}

static uint64_t bisect_size(const walk_auto *w) {
    return w->passing + (w->best.size - w->passing) / 2;
}

static void stretch_passed(const walk_config *config, walk_auto *w) {
    if (at_end(w)) {
        w->phase = WALK_OVER;
        return;
    }
    w->floor = w->stretch;
    w->step /= 2;
    next_stretch(config, w);
}

/* ---- The strategy ---- */

walk_auto walk_auto_begin(void) { return (walk_auto){.phase = WALK_EMPTY, .rounds = 1}; }

walk_auto walk_auto_resume(seed_input best) {
    return (walk_auto){.phase = best.size == 0 ? WALK_OVER : WALK_EMPTY,
                       .failed = true,
                       .best = best,
                       .from = best.size,
                       .fresh = walk_resumed_fresh(best),
                       .trust = 1,
                       .tries = LOOK_RUNS,
                       .hits = 1};
}

static walk_wish fresh_runs(const walk_config *config, const walk_auto *w, uint64_t size,
                            uint64_t count) {
    return (walk_wish){.first = {.size = size, .seed = walk_fresh_seed(config, size, w->fresh)},
                       .count = count};
}

walk_wish walk_auto_wish(const walk_config *config, const walk_auto *w) {
    switch (w->phase) {
    case WALK_EMPTY: return fresh_runs(config, w, 0, 1);
    case WALK_GROW: return fresh_runs(config, w, level_size(config, w->level), w->batch);
    case WALK_BISECT:
        return (walk_wish){.first = {.size = bisect_size(w), .seed = w->best.seed}, .count = 1};
    case WALK_FRESH:
        return fresh_runs(config, w, w->stretch.size, stretch_quota(config, w) - w->stretch.passed);
    case WALK_OVER: break;
    }
    return (walk_wish){.count = 0};
}

void walk_auto_passed(const walk_config *config, walk_auto *w, uint64_t count) {
    if (w->phase != WALK_BISECT) w->fresh += count;
    switch (w->phase) {
    case WALK_EMPTY:
        if (w->failed) {
            settled(config, w);
        } else if (config->size_max > 0) {
            grow(config, w);
        } else {
            w->phase = WALK_OVER;
        }
        return;
    case WALK_GROW:
        w->runs[w->level] += count;
        w->batch -= count;
        if (w->batch == 0) grow(config, w);
        return;
    case WALK_BISECT:
        w->passing = bisect_size(w);
        bisect(config, w);
        return;
    case WALK_FRESH:
        w->stretch.passed += count;
        if (w->stretch.passed == stretch_quota(config, w)) stretch_passed(config, w);
        return;
    case WALK_OVER: break;
    }
    assert(false); /* nothing was wished for */
}

/* Keep the books on how long failures take to come. */
static void count_failure(const walk_config *config, walk_auto *w) {
    w->tries += 1 + (w->failed ? w->stretch.passed : runs_grown(config, w));
    w->hits++;
}

void walk_auto_failed(const walk_config *config, walk_auto *w, seed_input failing, uint64_t drawn) {
    if (w->phase != WALK_BISECT) {
        if (failing.size > 0) count_failure(config, w);
        w->fresh++;
        w->from = failing.size;
        w->passing = 0;
    }
    w->failed = true;
    w->best = failing;
    if (drawn < failing.size) { /* known, and fewer: no prefix of these can fail */
        w->best.size = drawn;
        w->passing = drawn - smaller(1, drawn);
    }
    bisect(config, w);
}

/* What passed while nothing failed. */
static walk_claim claim_of_passes(const walk_config *config, const walk_auto *w) {
    walk_claim claim = {.bound = 1, .rounds = UINT64_MAX};
    if (config->size_max == 0) {
        return (walk_claim){.bound = 1, .rounds = w->phase == WALK_OVER, .sizes = 1};
    }
    for (unsigned level = 0; level < level_count(config); level++) {
        if (!is_full(config, level)) continue;
        claim.rounds = smaller(claim.rounds, w->runs[level]);
        claim.sizes++;
    }
    return claim;
}

walk_claim walk_auto_claim(const walk_config *config, const walk_auto *w) {
    if (!w->failed) return claim_of_passes(config, w);
    walk_claim claim = {.failed = true, .best = w->best, .bound = 1};
    if (w->best.size > 0) claim.below = w->best.size - 1;
    if (w->best.size <= 1 && w->phase == WALK_OVER) {
        claim.passed = w->best.size;
        claim.bound = 0;
    } else if (at_end(w) && w->phase != WALK_BISECT) {
        claim.passed = w->stretch.passed;
        claim.bound = walk_bound(w->stretch.passed, w->stretch.number);
    }
    return claim;
}

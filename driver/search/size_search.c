#include "size_search.h"

#include "confidence_bound.h"
#include "seeds.h"

#include <assert.h>
#include <string.h>

/* The strategy rests on one fact: the bytes of a run are a prefix of those of a longer run with the
 * same seed. So a failing run that drew n bytes fails with n bytes as well. If the target does not
 * report its draws, the strategy bisects the failing seed over its own prefixes. Either way one
 * failure bounds the size at once. Whatever fails within fewer bytes fails within best - 1 too, so
 * no size below the best is better to try than best - 1. The strategy runs fresh seeds there, until
 * enough of them in a row have passed.
 *
 * Not every target is like that. A target that looks at its input as a whole (a checksum, a length
 * that must be even) fails at some sizes and passes at others, with the same seed. Going down a
 * byte at a time would take for ever there, or end at once above a size that always passes. So
 * there are also probes further below, a power of two away: a few, once, after the first failure;
 * and more of them each time that bounds turn out to gain nothing. */

/* Cost of a run beside its size, in bytes. Decisions count bytes, not time, so that a search can be
 * repeated. The start of a process takes about as long as a test takes for some kilobytes. */
enum { RUN_COST = 4096 };

/* Bits that count of the cost of a run (level_cost). */
enum { COST_BITS = 4 };

/* Levels below this many bytes are run once, because their failures show at this level too. */
enum { FULL_LEVEL = 16 };

/* Runs at each size probed after the first failure. They are few, because it is rare that a target
 * often fails far below although it does not at best - 1. */
enum { LOOK_RUNS = 6 };

/* See end_quota and window_quota. */
enum { PROBES_MIN = 6 };
enum { BITS_PLAIN = 6, BITS_MAX = 12 };

/* A bound that takes off less than 1/GAIN_PART of the size gains nothing. */
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
static unsigned level_count(const strategy_config *config) {
    return (unsigned)bits(config->size_max - 1) + 1;
}

static uint64_t level_size(const strategy_config *config, unsigned level) {
    return level + 1 == level_count(config) ? config->size_max : UINT64_C(1) << level;
}

static bool is_full(const strategy_config *config, const size_search *s, unsigned level) {
    return s->growth == GROWTH_AGAIN || level + 1 == level_count(config) ||
           level_size(config, level) >= FULL_LEVEL;
}

/* True if runs of this level may differ from those of the level below. A run that did not use all
 * its bytes is the same with more. Lengths of runs often have a long tail, so there is one level
 * beyond the longest. */
static bool is_open(const strategy_config *config, const size_search *s, unsigned level) {
    if (!config->follows_draws) return true;
    return level_size(config, level) <= larger(FULL_LEVEL, product(2, s->used));
}

/* Return the number of levels to grow over; the others are larger. */
static unsigned open_count(const strategy_config *config, const size_search *s) {
    unsigned level = 0;
    while (level < level_count(config) && is_open(config, s, level)) level++;
    return level;
}

/* Return the number of levels that this one stands for. The last open level gets the runs of the
 * closed ones too: larger runs would test the same, and a search is no less thorough. */
static uint64_t levels_of(const strategy_config *config, unsigned level, unsigned open) {
    return level + 1 == open ? 1 + level_count(config) - open : 1;
}

/* Return the number of runs that a level gets in the first round. */
static uint64_t level_quota(const strategy_config *config, const size_search *s, unsigned level,
                            unsigned open) {
    if (!is_full(config, s, level)) return 1;
    return product(product(s->rounds, config->attempts), levels_of(config, level, open));
}

/* Return the number of runs that complete the credit for `quota` runs, if they pass. */
static uint64_t runs_left(uint64_t quota, uint64_t credit) {
    const uint64_t wanted = product(quota, CREDIT_RUN);
    return wanted <= credit ? 0 : (wanted - credit - 1) / CREDIT_RUN + 1;
}

/* Pick the level with the least cost so far, its next run included, of those that lack runs. So no
 * large run is made before small ones have cost as much together, and the search soon meets a level
 * that fails often. The row of runs at a level lengthens with the runs it had, because rows are
 * cheaper than single runs. */
static void pick_level(const strategy_config *config, size_search *s) {
    const unsigned open = open_count(config, s);
    uint64_t cost_min = 0;
    s->row = 0;
    for (unsigned level = 0; level < open; level++) {
        const size_level *l = &s->levels[level];
        const uint64_t left = runs_left(level_quota(config, s, level, open), l->credit);
        const uint64_t cost = product(l->runs + 1, sum(RUN_COST, level_size(config, level)));
        if (left > 0 && (s->row == 0 || cost < cost_min)) {
            cost_min = cost;
            s->level = level;
            s->row = smaller(left, 1 + l->runs / 4);
        }
    }
}

/* Return the bytes that a run of this level draws on average; its size if that is unknown. */
static uint64_t mean_drawn(const strategy_config *config, const size_search *s, unsigned level) {
    const size_level *l = &s->levels[level];
    const uint64_t size = level_size(config, level);
    return l->runs == 0 || l->drawn == UINT64_MAX ? size : smaller(size, l->drawn / l->runs);
}

/* Return the cost of a level so far, by the bytes that its runs drew: a test of 64 bytes costs as
 * much at every size. It is rounded down, so that predicting it a little wrong picks no other
 * level. */
static uint64_t level_cost(const strategy_config *config, const size_search *s, unsigned level,
                           unsigned open) {
    const size_level *l = &s->levels[level];
    const uint64_t run_cost = sum(RUN_COST, mean_drawn(config, s, level));
    const uint64_t kept = larger(bits(run_cost), COST_BITS) - COST_BITS;
    const uint64_t runs = larger(l->runs, l->credit / CREDIT_RUN); /* a hang costs many */
    return product(runs / levels_of(config, level, open), run_cost >> kept << kept);
}

/* Pick the full level that has cost least, for a row half as long as all its rows so far. Each of
 * them gets the same share of the time, and the start of a row soon costs nothing beside it. */
static void pick_cheapest(const strategy_config *config, size_search *s) {
    const unsigned open = open_count(config, s);
    uint64_t cost_min = 0;
    for (unsigned level = 0; level < open; level++) {
        const uint64_t cost = level_cost(config, s, level, open);
        if (!is_full(config, s, level) || (s->row > 0 && cost >= cost_min)) continue;
        cost_min = cost;
        s->level = level;
        s->row = 1 + s->levels[level].runs / 2;
    }
}

/* Begin the next row. */
static void grow(const strategy_config *config, size_search *s) {
    s->phase = PHASE_GROW;
    pick_level(config, s);
    if (s->row == 0 && config->endless && s->growth == GROWTH_FIRST) pick_cheapest(config, s);
    if (s->row == 0) s->phase = PHASE_OVER;
}

/* Return the fresh runs at the full levels, which can be compared. It is unknown how many of them
 * would have failed while nothing has. */
static uint64_t runs_grown(const strategy_config *config, const size_search *s) {
    uint64_t runs = 0;
    for (unsigned level = 0; level < level_count(config); level++) {
        if (is_full(config, s, level)) runs += s->levels[level].runs;
    }
    return runs;
}

/* Return the least number of runs of a full level. */
static uint64_t runs_least(const strategy_config *config, const size_search *s) {
    uint64_t runs = UINT64_MAX;
    for (unsigned level = 0; level < open_count(config, s); level++) {
        if (is_full(config, s, level)) runs = smaller(runs, s->levels[level].runs);
    }
    return runs;
}

/* ---- Going down ---- */

static bool at_end(const size_search *s) { return s->window.size + 1 == s->best.size; }

/* Return the number of fresh runs that must pass at best - 1: `attempts`, and a quarter more for
 * each bit of the size beyond BITS_PLAIN. Bisecting would make `attempts` runs for each of these
 * bits, and an early stop by bad luck costs most at a large size. From BITS_MAX on, the cost of a
 * run grows with its size, and their number does not grow further. */
static uint64_t end_quota(const strategy_config *config, uint64_t size) {
    const uint64_t extra = larger(BITS_PLAIN, smaller(bits(size), BITS_MAX)) - BITS_PLAIN;
    return sum(config->attempts, product(config->attempts, extra) / 4);
}

/* Return the number of runs of the window. A probe that fails as often as the sizes that failed so
 * far passes this many runs one time in seven. */
static uint64_t window_quota(const strategy_config *config, const size_search *s) {
    if (at_end(s)) return end_quota(config, s->best.size);
    return smaller(s->probes_max, 2 * (s->tries / s->hits) + PROBES_MIN);
}

/* Begin the next window. If its size was probed already, the passes there count: they were fresh
 * runs, and all the runs made there. */
static void next_window(const strategy_config *config, size_search *s) {
    while (s->step > 1 && (s->step >= s->best.size || s->best.size - s->step <= s->floor.size)) {
        s->step /= 2;
    }
    const uint64_t size = s->best.size - s->step;
    if (size == s->floor.size) {
        s->window = s->floor;
    } else {
        s->windows++;
        s->window = (size_window){.size = size, .number = s->windows};
    }
    const bool is_open = runs_left(window_quota(config, s), s->window.credit) > 0;
    s->phase = is_open ? PHASE_FRESH : PHASE_OVER;
}

/* Probe below best, from the largest step down. */
static void look_below(size_search *s, uint64_t probes_max) {
    s->step = UINT64_C(1) << (bits(s->best.size) - 1);
    s->probes_max = probes_max;
}

/* Go on below a failing seed whose size is settled. */
static void settled(const strategy_config *config, size_search *s) {
    if (s->best.size <= 1) { /* the run of no bytes has passed, or is the best */
        s->phase = PHASE_OVER;
        return;
    }
    const bool gained = s->from - s->best.size >= larger(1, s->from / GAIN_PART);
    s->trust += gained ? 1 : -1;
    if (s->floor.size >= s->best.size) s->floor = (size_window){.size = 0};
    if (s->step <= 1) {
        if (!gained && s->trust < 0) {
            look_below(s, config->attempts);
        } else if (s->step == 0) {
            look_below(s, smaller(LOOK_RUNS, config->attempts));
        }
    }
    next_window(config, s);
}

/* Go on over the prefixes of the failing seed, unless that gained nothing again and again. */
static void bisect(const strategy_config *config, size_search *s) {
    s->phase = PHASE_BISECT;
    if (s->best.size - s->passing <= 1 || s->trust < -1) settled(config, s);
}

static uint64_t bisect_size(const size_search *s) {
    return s->passing + (s->best.size - s->passing) / 2;
}

static void window_passed(const strategy_config *config, size_search *s) {
    if (at_end(s)) {
        s->phase = PHASE_OVER;
        return;
    }
    s->floor = s->window;
    s->step /= 2;
    next_window(config, s);
}

/* ---- The strategy ---- */

size_search size_search_begin(void) { return (size_search){.phase = PHASE_EMPTY, .rounds = 1}; }

size_search size_search_resume(seed_input best) {
    return (size_search){.phase = best.size == 0 ? PHASE_OVER : PHASE_EMPTY,
                         .failed = true,
                         .best = best,
                         .from = best.size,
                         .fresh = seeds_first_resumed(best),
                         .trust = 1,
                         .tries = LOOK_RUNS,
                         .hits = 1};
}

size_search size_search_turn_to(const size_search *before, seed_input best) {
    size_search s = size_search_resume(best);
    s.fresh = before->fresh;
    s.windows = before->windows;
    s.growth = before->growth;
    s.rounds = before->rounds;
    s.used = before->used;
    s.top = before->top;
    memcpy(s.levels, before->levels, sizeof s.levels);
    return s;
}

size_search size_search_grow_on(const strategy_config *config, const size_search *before) {
    size_search s = size_search_turn_to(before, (seed_input){.size = 0});
    s.failed = false;
    if (s.growth == GROWTH_FIRST && config->size_max > 0) {
        s.rounds = larger(1, runs_least(config, before) / config->attempts);
    }
    s.growth = GROWTH_AGAIN;
    s.trust = 0;
    s.tries = s.hits = 0;
    if (config->size_max > 0) grow(config, &s);
    return s;
}

static size_request fresh_runs(const strategy_config *config, const size_search *s, uint64_t size,
                               uint64_t count) {
    return (size_request){
        .first = {.size = size, .seed = seeds_fresh(config->master_seed, size, s->fresh)},
        .count = count};
}

size_request size_search_request(const strategy_config *config, const size_search *s) {
    switch (s->phase) {
    case PHASE_EMPTY: return fresh_runs(config, s, 0, 1);
    case PHASE_GROW: return fresh_runs(config, s, level_size(config, s->level), s->row);
    case PHASE_BISECT: {
        const seed_input first = seed_input_cut(s->best, bisect_size(s));
        return (size_request){.first = first, .count = 1, .mix = batch_mix_of(first.style)};
    }
    case PHASE_FRESH:
        return fresh_runs(config, s, s->window.size,
                          runs_left(window_quota(config, s), s->window.credit));
    case PHASE_OVER: break;
    }
    return (size_request){.count = 0};
}

void size_search_drew(const strategy_config *config, size_search *s, strategy_draws draws) {
    s->top = larger(s->top, size_search_request(config, s).first.size);
    s->used = larger(s->used, draws.most);
    if (s->phase != PHASE_GROW) return;
    size_level *l = &s->levels[s->level];
    l->drawn = sum(l->drawn, draws.sum);
}

strategy_draws size_search_predict(const strategy_config *config, const size_search *s,
                                   uint64_t count) {
    const uint64_t size = size_search_request(config, s).first.size;
    strategy_draws draws = {s->used >= s->top ? size : smaller(s->used, size), 0};
    if (s->phase == PHASE_GROW) draws.sum = product(count, mean_drawn(config, s, s->level));
    return draws;
}

/* Take `count` runs that did not fail, and their credit. */
static void take(const strategy_config *config, size_search *s, uint64_t count, uint64_t credit) {
    if (s->phase != PHASE_BISECT) s->fresh += count;
    switch (s->phase) {
    case PHASE_EMPTY:
        if (s->failed) {
            settled(config, s);
        } else if (config->size_max > 0) {
            grow(config, s);
        } else {
            s->phase = PHASE_OVER;
        }
        return;
    case PHASE_GROW:
        s->levels[s->level].runs += count;
        s->levels[s->level].credit = sum(s->levels[s->level].credit, credit);
        s->row -= count;
        if (s->row == 0) grow(config, s);
        return;
    case PHASE_BISECT:
        s->passing = bisect_size(s);
        bisect(config, s);
        return;
    case PHASE_FRESH:
        s->window.passed += count;
        s->window.credit = sum(s->window.credit, credit);
        if (runs_left(window_quota(config, s), s->window.credit) == 0) window_passed(config, s);
        return;
    case PHASE_OVER: break;
    }
    assert(false); /* nothing was requested */
}

void size_search_passed(const strategy_config *config, size_search *s, uint64_t count) {
    take(config, s, count, product(count, CREDIT_RUN));
}

/* Return what a masked run is worth. It shows nothing behind the failure that ended it. If the
 * target reports its draws, the run is cheap, so that there are more of them: by the share of the
 * bytes that it drew, four times as many at most. A hang costs its whole time limit, so that a few
 * of them are enough. */
static uint64_t credit_of_masked(const strategy_config *config, uint64_t size, uint64_t drawn,
                                 strategy_result mask) {
    if (mask == STRATEGY_MASKED_BY_HANG) return larger(CREDIT_RUN, config->attempts);
    if (drawn >= size) return CREDIT_RUN;
    return larger(CREDIT_MASKED, product(CREDIT_RUN, drawn) / size);
}

void size_search_masked(const strategy_config *config, size_search *s, uint64_t drawn,
                        strategy_result mask) {
    const uint64_t size = size_search_request(config, s).first.size;
    switch (config->masks) {
    case MASKED_AS_PASSED: size_search_passed(config, s, 1); return;
    case MASKED_COUNTS_LESS: break;
    }
    take(config, s, 1, credit_of_masked(config, size, drawn, mask));
}

/* Count the fresh runs that a failure took. */
static void count_failure(const strategy_config *config, size_search *s) {
    s->tries += 1 + (s->failed ? s->window.passed : runs_grown(config, s));
    s->hits++;
}

void size_search_failed(const strategy_config *config, size_search *s, seed_input failing,
                        uint64_t drawn) {
    if (s->phase != PHASE_BISECT) {
        if (failing.size > 0) count_failure(config, s);
        s->fresh++;
        s->from = failing.size;
        s->passing = 0;
    }
    s->failed = true;
    s->best = failing;
    if (drawn < failing.size) { /* known, and fewer: no shorter prefix can fail */
        s->best = seed_input_cut(failing, drawn);
        s->passing = drawn - smaller(1, drawn);
    }
    bisect(config, s);
}

/* Return the passes while nothing failed. */
static strategy_claim claim_of_passes(const strategy_config *config, const size_search *s) {
    strategy_claim claim = {.confidence_bound = 1};
    if (config->size_max == 0) {
        return (strategy_claim){
            .confidence_bound = 1, .rounds = s->phase == PHASE_OVER, .sizes = 1};
    }
    for (unsigned level = 0; level < open_count(config, s); level++) {
        if (!is_full(config, s, level)) continue;
        claim.largest = level_size(config, level);
        claim.sizes++;
    }
    claim.rounds = runs_least(config, s);
    return claim;
}

strategy_claim size_search_claim(const strategy_config *config, const size_search *s) {
    if (!s->failed) return claim_of_passes(config, s);
    strategy_claim claim = {.failed = true, .best = s->best, .confidence_bound = 1};
    if (s->best.size > 0) claim.below = s->best.size - 1;
    if (s->best.size <= 1 && s->phase == PHASE_OVER) {
        claim.passed = s->best.size;
        claim.confidence_bound = 0;
    } else if (at_end(s) && s->phase != PHASE_BISECT) {
        claim.passed = s->window.passed;
        claim.confidence_bound = confidence_bound(s->window.passed, s->window.number);
    }
    return claim;
}

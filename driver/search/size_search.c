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
 * and more of them each time that bounds turn out to gain nothing, unless its draws tell that the
 * target is not of that kind. There are more of them after a styled failure, too. Styled inputs can
 * fail often at a large size, far above the size at which plain ones would have failed a little
 * later.
 *
 * While nothing fails, the search grows by rows of runs. Levels are the sizes 1, 2, 4, ... up to
 * size_max. A row is fresh runs of one level. First, rows give each level the runs that are due.
 * Where the search is endless, rows for the level that has cost least follow for ever. */
#include "size_search.h"

#include "bytes.h"
#include "rates.h"

#include <assert.h>

/* ---- Growing: rows of runs at growing sizes ---- */

/* Cost of a run beside its size, in bytes. Decisions count bytes, not time, so that a search can be
 * repeated. The start of a process takes about as long as a test takes for some kilobytes. */
enum { GROWTH_RUN_COST = 4096 };

/* Bits that count of the cost of a run (level_cost). */
enum { COST_BITS = 4 };

/* See is_used. It is enough that one in 50 runs draws all its bytes. */
enum { USED_PART = 50 };

/* Levels below this many bytes are run once, because their failures show at this level too, unless
 * known failures may hide them there. */
enum { FULL_LEVEL = 16 };

/* Levels are 1, 2, 4, ... bytes; the last is size_max. */
static unsigned level_count(const strategy_config *config) {
    return (unsigned)bits(config->size_max - 1) + 1;
}

/* Return the bytes of a run of this level. */
static uint64_t growth_size(const strategy_config *config, unsigned level) {
    return level + 1 == level_count(config) ? config->size_max : UINT64_C(1) << level;
}

static bool is_full(const strategy_config *config, const size_search *s, unsigned level) {
    return s->is_thorough || level + 1 == level_count(config) ||
           growth_size(config, level) >= FULL_LEVEL;
}

/* Return the bytes that a run of this level draws on average; its size if that is unknown. */
static uint64_t growth_mean_drawn(const strategy_config *config, const size_search *s,
                                  unsigned level) {
    const size_level *l = &s->levels[level];
    const uint64_t size = growth_size(config, level);
    return l->runs == 0 || l->drawn == UINT64_MAX ? size : smaller(size, l->drawn / l->runs);
}

/* True if runs of a level use a part of its bytes together, or that part of them ran out. */
static bool is_used(const strategy_config *config, const size_search *s, unsigned level) {
    const size_level *l = &s->levels[level];
    const uint64_t mean = growth_mean_drawn(config, s, level);
    return s->used == UINT64_MAX || product(USED_PART, mean) >= growth_size(config, level) ||
           product(USED_PART, l->ran_out) >= l->runs;
}

/* True if runs of this level may differ from those of the level below. A run that did not use all
 * its bytes is the same with more. Lengths of runs often have a long tail, so there is one level
 * beyond the longest. Levels that cost more than the start of a run need more than a few long runs:
 * a draw that is repeated until it fits takes all bytes where these are equal. */
static bool is_open(const strategy_config *config, const size_search *s, unsigned level) {
    const uint64_t size = growth_size(config, level);
    if (size > larger(FULL_LEVEL, product(2, s->used))) return false;
    return size <= GROWTH_RUN_COST || is_used(config, s, level - 1);
}

/* Return the number of levels to grow over; the others are larger. */
static unsigned open_count(const strategy_config *config, const size_search *s) {
    unsigned level = 0;
    while (level < level_count(config) && is_open(config, s, level)) level++;
    return level;
}

/* Return the number of runs that complete the credit for `quota` runs, if they pass. */
static uint64_t growth_runs_left(uint64_t quota, uint64_t credit) {
    const uint64_t wanted = product(quota, CREDIT_RUN);
    return wanted <= credit ? 0 : (wanted - credit - 1) / CREDIT_RUN + 1;
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
    return product(config->attempts, levels_of(config, level, open));
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
        const uint64_t left = growth_runs_left(level_quota(config, s, level, open), l->credit);
        const uint64_t cost =
            product(l->runs + 1, sum(GROWTH_RUN_COST, growth_size(config, level)));
        if (left > 0 && (s->row == 0 || cost < cost_min)) {
            cost_min = cost;
            s->level = level;
            s->row = smaller(left, 1 + l->runs / 4);
        }
    }
}

/* Return the cost of a level so far, by the bytes that its runs drew: a test of 64 bytes costs as
 * much at every size. It is rounded down, so that predicting it a little wrong picks no other
 * level. */
static uint64_t level_cost(const strategy_config *config, const size_search *s, unsigned level,
                           unsigned open) {
    const size_level *l = &s->levels[level];
    const uint64_t run_cost = sum(GROWTH_RUN_COST, growth_mean_drawn(config, s, level));
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

/* Return the fresh runs at the full levels, which can be compared. It is unknown how many of them
 * would have failed while nothing has. */
static uint64_t growth_runs(const strategy_config *config, const size_search *s) {
    uint64_t runs = 0;
    for (unsigned level = 0; level < level_count(config); level++) {
        if (is_full(config, s, level)) runs += s->levels[level].runs;
    }
    return runs;
}

/* Return the least number of runs of a full level. */
static uint64_t growth_runs_least(const strategy_config *config, const size_search *s) {
    uint64_t runs = UINT64_MAX;
    for (unsigned level = 0; level < open_count(config, s); level++) {
        if (is_full(config, s, level)) runs = smaller(runs, s->levels[level].runs);
    }
    return runs;
}

/* Return the mix of the row: with EXPAND_BOTH the rows of a level are plain and styled in turn. */
static batch_mix growth_mix(const strategy_config *config, const size_search *s) {
    switch (config->expand) {
    case EXPAND_UNIFORM: break;
    case EXPAND_STYLED: return MIX_STYLED;
    case EXPAND_BOTH: return s->levels[s->level].rows % 2 == 1 ? MIX_STYLED : MIX_PLAIN;
    }
    return MIX_PLAIN;
}

/* Set s->level and s->row to the next row. No row is left if s->row is 0. */
static void growth_next_row(const strategy_config *config, size_search *s) {
    pick_level(config, s);
    if (s->row == 0 && config->endless && !s->is_thorough) pick_cheapest(config, s);
}

/* Return how many of these passes, some of them styled, a bound counts. A run of the mixture has
 * either style with equal chances, so that only pairs of both count (confidence_bound.c). */
static uint64_t growth_counted(const strategy_config *config, uint64_t passed, uint64_t styled) {
    return config->expand == EXPAND_BOTH ? 2 * smaller(styled, passed - styled) : passed;
}

/* True if runs of a byte or more were made, and each was masked. */
static bool all_masked(const strategy_config *config, const size_search *s) {
    uint64_t runs = 0, masked = 0;
    for (unsigned level = 0; level < open_count(config, s); level++) {
        runs += s->levels[level].runs;
        masked += s->levels[level].masked;
    }
    return runs > 0 && masked == runs;
}

/* Return the claim while nothing has failed. */
static run_claim growth_claim(const strategy_config *config, const size_search *s) {
    run_claim claim = {.bound = 1};
    if (config->size_max == 0) {
        claim.rounds = s->phase == PHASE_OVER;
        claim.bound = s->phase == PHASE_OVER ? 0 : 1;
        claim.sizes = 1;
        return claim;
    }
    uint64_t counted = UINT64_MAX;
    for (unsigned level = 0; level < open_count(config, s); level++) {
        if (!is_full(config, s, level)) continue;
        const size_level *l = &s->levels[level];
        claim.largest = growth_size(config, level);
        claim.sizes++;
        counted = smaller(counted, growth_counted(config, l->runs, l->styled));
    }
    if (s->growing > 0) claim.bound = confidence_bound(counted, s->growing);
    claim.rounds = growth_runs_least(config, s);
    claim.all_masked = all_masked(config, s);
    return claim;
}

/* ---- Going down ---- */

/* Runs at each size probed after the first failure, if it is plain. They are few, because it is
 * rare that a target often fails far below although it does not at best - 1. */
enum { LOOK_RUNS = 6 };

/* See stretch_quota, end_quota and styled_quota. */
enum { PROBES_MIN = 6, PROBE_TRIES = 8, PROBE_TRIES_OF_DRAWS = 2 };
enum { BITS_PLAIN = 2, BITS_MAX = 9 };
enum { RARER_TRIES = 8, RARE_TRIES = 2, RARE_ATTEMPTS = 10 };

/* A bound that takes off less than 1/GAIN_PART of the size gains nothing. */
enum { GAIN_PART = 16 };

/* Begin the next row. */
static void grow(const strategy_config *config, size_search *s) {
    growth_next_row(config, s);
    s->phase = s->row > 0 ? PHASE_GROW : PHASE_OVER;
}

static bool at_end(const size_search *s) { return s->stretch.size + 1 == s->best.size; }

/* Return the number of fresh runs that must pass at best - 1: `attempts`, and a quarter more for
 * each bit of the size beyond BITS_PLAIN, and there half more again. Bisecting would make as many
 * as `attempts` for each bit, and an early stop by bad luck costs most at a large size. From
 * BITS_MAX on more of them make no difference (tests/bench/BENCH.md). */
static uint64_t end_quota(const strategy_config *config, uint64_t size) {
    const uint64_t extra = larger(BITS_PLAIN, smaller(bits(size), BITS_MAX)) - BITS_PLAIN;
    const uint64_t quota = sum(config->attempts, product(config->attempts, extra) / 4);
    return extra > 0 ? sum(quota, quota / 2) : quota;
}

/* Return the number of fresh runs that must pass below a styled best of a mixture. It may have come
 * sooner than a plain failure that would be smaller, and only half of these runs are plain. So
 * there are RARER_TRIES times the runs that a failure took so far, in the mean; where failures are
 * rare, fewer, so that the end does not take far longer than all before it. */
static uint64_t styled_quota(const strategy_config *config, const size_search *s) {
    const uint64_t mean = s->tries / s->hits;
    const uint64_t rare = sum(product(RARE_TRIES, mean), product(RARE_ATTEMPTS, config->attempts));
    return larger(end_quota(config, s->best.size), smaller(product(RARER_TRIES, mean), rare));
}

/* Return the number of runs of the stretch. A probe that fails as often as the sizes that failed so
 * far passes this many runs one time in 3,000; one time in seven where the target draws in order,
 * so that a failure there would be one at best - 1, too. */
static uint64_t stretch_quota(const strategy_config *config, const size_search *s) {
    if (at_end(s)) {
        const bool is_styled = config->expand == EXPAND_BOTH && s->best.style == SEED_STYLED;
        return is_styled ? styled_quota(config, s) : end_quota(config, s->best.size);
    }
    const uint64_t tries = s->is_drawn ? PROBE_TRIES_OF_DRAWS : PROBE_TRIES;
    return smaller(s->probes_max, sum(product(tries, s->tries / s->hits), PROBES_MIN));
}

/* Run the stretch if it lacks runs. */
static void open_stretch(const strategy_config *config, size_search *s) {
    const bool is_open = growth_runs_left(stretch_quota(config, s), s->stretch.credit) > 0;
    s->phase = is_open ? PHASE_FRESH : PHASE_OVER;
}

/* Begin the next stretch. If its size was probed already, the passes there count: they were fresh
 * runs, and all the runs made there. */
static void next_stretch(const strategy_config *config, size_search *s) {
    while (s->step > 1 && (s->step >= s->best.size || s->best.size - s->step <= s->floor.size)) {
        s->step /= 2;
    }
    const uint64_t size = s->best.size - s->step;
    if (size == s->floor.size) {
        s->stretch = s->floor;
    } else {
        s->stretches++;
        s->stretch = (size_stretch){.size = size, .number = s->stretches};
    }
    open_stretch(config, s);
}

/* Probe below best, from the largest step down. */
static void look_below(size_search *s, uint64_t probes_max) {
    s->step = UINT64_C(1) << (bits(s->best.size) - 1);
    s->probes_max = probes_max;
}

/* Go on below the best: after the first failure by probes, of more runs if it is styled. */
static void go_below(const strategy_config *config, size_search *s) {
    if (s->best.size <= 1) { /* the run of no bytes has passed, or is the best */
        s->phase = PHASE_OVER;
        return;
    }
    if (s->floor.size >= s->best.size) s->floor = (size_stretch){.size = 0};
    if (s->step == 0) {
        const bool is_styled = s->best.style == SEED_STYLED;
        look_below(s, is_styled ? config->attempts : smaller(LOOK_RUNS, config->attempts));
    }
    next_stretch(config, s);
}

/* Go on below a failing seed whose size is settled. */
static void settled(const strategy_config *config, size_search *s) {
    const bool gained = s->from - s->best.size >= larger(1, s->from / GAIN_PART);
    s->trust += gained ? 1 : -1;
    if (s->step <= 1 && !gained && s->trust < 0 && !s->is_drawn && s->best.size > 0) {
        look_below(s, config->attempts);
    }
    go_below(config, s);
}

/* Go on over the prefixes of the failing seed, unless that gained nothing again and again. */
static void bisect(const strategy_config *config, size_search *s) {
    s->phase = PHASE_BISECT;
    if (s->best.size - s->passing <= 1 || s->trust < -1) settled(config, s);
}

/* One byte less comes first. If it passes, that settles the size: there is nothing to bisect, or
 * prefixes say nothing, as where sizes must be even. */
static uint64_t bisect_size(const size_search *s) {
    if (s->passing == 0 && s->best.size == s->from) return s->best.size - 1;
    return s->passing + (s->best.size - s->passing) / 2;
}

static void stretch_passed(const strategy_config *config, size_search *s) {
    if (at_end(s)) {
        s->phase = PHASE_OVER;
        return;
    }
    s->floor = s->stretch;
    s->step /= 2;
    next_stretch(config, s);
}

/* ---- The strategy ---- */

size_search size_search_begin(void) {
    return (size_search){.phase = PHASE_EMPTY, .stretches = 1, .growing = 1};
}

size_search size_search_resume(seed_input best) {
    return (size_search){.phase = best.size == 0 ? PHASE_OVER : PHASE_EMPTY,
                         .failed = true,
                         .best = best,
                         .from = best.size,
                         .fresh = seed_input_resumed(best),
                         .trust = 1,
                         .tries = LOOK_RUNS,
                         .hits = 1};
}

void size_search_adopt(const strategy_config *config, size_search *s, seed_input best) {
    if (!s->failed) {
        size_search resumed = size_search_resume(best);
        resumed.fresh = s->fresh;
        resumed.stretches = s->stretches;
        resumed.used = s->used;
        resumed.top = s->top;
        *s = resumed;
        return;
    }
    const bool is_as_small = best.size == s->best.size;
    assert(best.size <= s->best.size);
    s->best = best;
    s->from = best.size;
    s->passing = 0;
    if (s->phase == PHASE_EMPTY && best.size > 0) return;
    if (is_as_small && (s->phase == PHASE_FRESH || s->phase == PHASE_OVER) && best.size > 1) {
        open_stretch(config, s); /* fresh runs of this size say the same of both */
    } else {
        go_below(config, s);
    }
}

bool size_search_is_exhausted(const strategy_config *config, const size_search *s) {
    return s->failed ? s->best.size <= 1 : config->size_max == 0;
}

void size_search_go_on(const strategy_config *config, size_search *s) {
    assert(s->phase == PHASE_OVER && !size_search_is_exhausted(config, s));
    if (s->failed) {
        open_stretch(config, s);
    } else {
        grow(config, s);
    }
}

static size_request fresh_runs(const strategy_config *config, const size_search *s, uint64_t size,
                               uint64_t count, batch_mix mix) {
    const uint64_t seed = seed_input_fresh(config->master_seed, size, s->fresh);
    return (size_request){
        .first = {.size = size, .seed = seed, .style = batch_mix_style(mix, seed)},
        .count = count,
        .mix = mix};
}

/* Return the mix of fresh runs below a failure. */
static batch_mix stretch_mix(const strategy_config *config) {
    switch (config->expand) {
    case EXPAND_UNIFORM: break;
    case EXPAND_STYLED: return MIX_STYLED;
    case EXPAND_BOTH: return MIX_HALF;
    }
    return MIX_PLAIN;
}

size_request size_search_request(const strategy_config *config, const size_search *s) {
    switch (s->phase) {
    case PHASE_EMPTY: return fresh_runs(config, s, 0, 1, MIX_PLAIN);
    case PHASE_GROW:
        return fresh_runs(config, s, growth_size(config, s->level), s->row, growth_mix(config, s));
    case PHASE_BISECT: {
        const seed_input first = seed_input_cut(s->best, bisect_size(s));
        return (size_request){.first = first, .count = 1, .mix = batch_mix_of(first.style)};
    }
    case PHASE_FRESH:
        return fresh_runs(config, s, s->stretch.size,
                          growth_runs_left(stretch_quota(config, s), s->stretch.credit),
                          stretch_mix(config));
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
    l->ran_out += draws.ran_out;
}

strategy_draws size_search_predict(const strategy_config *config, const size_search *s,
                                   uint64_t count) {
    const uint64_t size = size_search_request(config, s).first.size;
    strategy_draws draws = {s->used >= s->top ? size : smaller(s->used, size), 0, 0};
    if (s->phase != PHASE_GROW) return draws;
    const size_level *l = &s->levels[s->level];
    draws.sum = product(count, growth_mean_drawn(config, s, s->level));
    draws.ran_out = product(count, l->ran_out) / larger(1, l->runs);
    return draws;
}

/* Return the number of styled runs among the first `count` of a half mix. */
static uint64_t styled_of(const size_request *runs, uint64_t count) {
    if (runs->mix != MIX_HALF) return 0;
    return count / 2 + (count % 2 == 1 && runs->first.style == SEED_STYLED);
}

/* Take `count` runs that did not fail, and their credit. */
static void take(const strategy_config *config, size_search *s, uint64_t count, uint64_t credit) {
    const size_request runs = size_search_request(config, s);
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
        if (runs.mix == MIX_STYLED) s->levels[s->level].styled += count;
        s->levels[s->level].credit = sum(s->levels[s->level].credit, credit);
        s->row -= count;
        if (s->row > 0) return;
        s->levels[s->level].rows++;
        grow(config, s);
        return;
    case PHASE_BISECT:
        s->passing = bisect_size(s);
        bisect(config, s);
        return;
    case PHASE_FRESH:
        s->stretch.passed += count;
        s->stretch.styled += styled_of(&runs, count);
        s->stretch.credit = sum(s->stretch.credit, credit);
        if (growth_runs_left(stretch_quota(config, s), s->stretch.credit) == 0)
            stretch_passed(config, s);
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
    if (s->phase == PHASE_GROW) s->levels[s->level].masked++;
    switch (config->masks) {
    case MASKED_AS_PASSED: size_search_passed(config, s, 1); return;
    case MASKED_COUNTS_LESS: break;
    }
    take(config, s, 1, credit_of_masked(config, size, drawn, mask));
}

/* Count the fresh runs that a failure took. */
static void count_failure(const strategy_config *config, size_search *s) {
    s->tries += 1 + (s->failed ? s->stretch.passed : growth_runs(config, s));
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
        s->is_drawn = true;
        s->best = seed_input_cut(failing, drawn);
        s->passing = drawn - smaller(1, drawn);
    }
    bisect(config, s);
}

/* Return the fresh runs of a stretch: masked runs count for less, so that there are more of them.
 * */
static search_stint stretch_stint(const strategy_config *config, const size_search *s) {
    const size_stretch *at = &s->stretch;
    const uint64_t left = growth_runs_left(stretch_quota(config, s), at->credit);
    return (search_stint){at_end(s) ? ACTIVITY_ENDING : ACTIVITY_PROBING, at->size, at->passed,
                          sum(at->passed, left)};
}

search_stint size_search_stint(const strategy_config *config, const size_search *s) {
    const uint64_t size = size_search_request(config, s).first.size;
    switch (s->phase) {
    case PHASE_EMPTY: break;
    case PHASE_GROW: {
        const uint64_t runs = s->levels[s->level].runs;
        return (search_stint){ACTIVITY_GROWING, size, runs, sum(runs, s->row)};
    }
    case PHASE_BISECT: return (search_stint){.activity = ACTIVITY_BISECTING, .size = size};
    case PHASE_FRESH: return stretch_stint(config, s);
    case PHASE_OVER:
        if (s->failed && s->stretch.size > 0 && at_end(s)) return stretch_stint(config, s);
        break;
    }
    return (search_stint){.activity = ACTIVITY_STARTING};
}

strategy_claim size_search_claim(const strategy_config *config, const size_search *s) {
    strategy_claim claim = {.failed = s->failed, .run = {.bound = 1}};
    if (!s->failed) claim.run = growth_claim(config, s);
    claim.run.stretches = s->stretches;
    if (!s->failed) return claim;
    claim.best = s->best;
    if (s->best.size > 0) claim.run.below = s->best.size - 1;
    if (s->best.size <= 1 && s->phase == PHASE_OVER) {
        claim.run.passed = s->best.size;
        claim.run.bound = 0;
    } else if (at_end(s) && s->phase != PHASE_BISECT) {
        claim.run.passed = s->stretch.passed;
        claim.run.counted = growth_counted(config, s->stretch.passed, s->stretch.styled);
        claim.run.bound = confidence_bound(claim.run.counted, s->stretch.number);
    }
    return claim;
}

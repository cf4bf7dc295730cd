#include "size_search.h"

#include "bytes.h"
#include "growth.h"
#include "rates.h"
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
 * and more of them each time that bounds turn out to gain nothing, unless its draws tell that the
 * target is not of that kind. There are more of them after a styled failure, too. Styled inputs can
 * fail often at a large size, far above the size at which plain ones would have failed a little
 * later. */

/* Runs at each size probed after the first failure, if it is plain. They are few, because it is
 * rare that a target often fails far below although it does not at best - 1. */
enum { LOOK_RUNS = 6 };

/* See stretch_quota, end_quota and styled_quota. */
enum { PROBES_MIN = 6, PROBE_TRIES = 8, PROBE_TRIES_OF_DRAWS = 2 };
enum { BITS_PLAIN = 2, BITS_MAX = 9 };
enum { RARER_TRIES = 8, RARE_TRIES = 2, RARE_ATTEMPTS = 10 };

/* A bound that takes off less than 1/GAIN_PART of the size gains nothing. */
enum { GAIN_PART = 16 };

/* ---- Growing ---- */

/* Begin the next row. */
static void grow(const strategy_config *config, size_search *s) {
    growth_next_row(config, s);
    s->phase = s->row > 0 ? PHASE_GROW : PHASE_OVER;
}

/* ---- Going down ---- */

static bool at_end(const size_search *s) { return s->stretch.size + 1 == s->best.size; }

/* Return the number of fresh runs that must pass at best - 1: `attempts`, and a quarter more for
 * each bit of the size beyond BITS_PLAIN, and there half more again. Bisecting would make as many
 * as `attempts` for each bit, and an early stop by bad luck costs most at a large size. From
 * BITS_MAX on more of them make no difference (tests/bench/STRATEGY.md). */
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
    const uint64_t tries = s->order == ORDER_DRAWN ? PROBE_TRIES_OF_DRAWS : PROBE_TRIES;
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
        s->stretch = (strategy_stretch){.size = size, .number = s->stretches};
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
    if (s->floor.size >= s->best.size) s->floor = (strategy_stretch){.size = 0};
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
    if (s->step <= 1 && !gained && s->trust < 0 && s->order == ORDER_UNKNOWN && s->best.size > 0) {
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
    return (size_search){.phase = PHASE_EMPTY, .rounds = 1, .stretches = 1, .growing = 1};
}

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
    s.stretches = before->stretches;
    s.growth = before->growth;
    s.rounds = before->rounds;
    s.used = before->used;
    s.top = before->top;
    memcpy(s.levels, before->levels, sizeof s.levels);
    return s;
}

size_search size_search_return_to(const strategy_config *config, const size_search *before,
                                  seed_input best, const strategy_stretch *stretch) {
    size_search s = size_search_turn_to(before, best);
    if (stretch->size == 0 || stretch->size + 1 != best.size) return s;
    s.stretch = *stretch;
    s.step = 1;
    open_stretch(config, &s);
    return s;
}

size_search size_search_grow_on(const strategy_config *config, const size_search *before) {
    size_search s = size_search_turn_to(before, (seed_input){.size = 0});
    s.failed = false;
    if (s.growth == GROWTH_FIRST && config->size_max > 0) {
        s.rounds = larger(1, growth_runs_least(config, before) / config->attempts);
    }
    s.growth = GROWTH_AGAIN;
    s.trust = 0;
    s.tries = s.hits = 0;
    if (config->size_max > 0) grow(config, &s);
    return s;
}

void size_search_adopt(const strategy_config *config, size_search *s, seed_input best) {
    if (!s->failed) {
        *s = size_search_turn_to(s, best);
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
    const uint64_t seed = seeds_fresh(config->master_seed, size, s->fresh);
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
        s->order = ORDER_DRAWN;
        s->best = seed_input_cut(failing, drawn);
        s->passing = drawn - smaller(1, drawn);
    }
    bisect(config, s);
}

/* Return the fresh runs of a stretch: masked runs count for less, so that there are more of them.
 * */
static search_stint stretch_stint(const strategy_config *config, const size_search *s) {
    const strategy_stretch *at = &s->stretch;
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

/* A strategy that asks ahead of results.
 *
 * What to run next is decided by the state of a search over sizes, a plain value. There are two:
 * `now`, after all results that were fed, and `ahead`, as if all batches under way had passed.
 * Requests come from `ahead`. A pass changes `now` as expected. After anything else, `ahead` is
 * worked out again from `now`; if it asks for the batches that are under way, they stay, else they
 * are void, and the caller cancels them.
 *
 * So the runs that count do not depend on how many batches are under way, or how long they are: for
 * `now` it makes no difference in how many parts passes are fed. tests/self/strategy.c tries to
 * refute that.
 *
 * The strategy rests on one fact: the bytes of a run are a prefix of those of a longer run with the
 * same seed. So a failing run that drew n bytes fails with n bytes as well. If the target does not
 * report its draws, the strategy bisects the failing seed over its own prefixes. Either way one
 * failure bounds the size at once. Whatever fails within fewer bytes fails within best - 1 too, so
 * no smaller size is better to try. There fresh seeds run until enough in a row have passed.
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
#include "strategy.h"

#include "bytes.h"
#include "candidate_set.h"
#include "confidence.h"
#include "sizes.h"

#include <assert.h>
#include <stdlib.h>

/* ---- Growing: rows of runs at growing sizes ---- */

/* Cost of a run beside its size, in bytes. Decisions count bytes, not time, so that a search can be
 * repeated. The start of a process takes about as long as a test takes for some kilobytes. */
enum { GROWTH_RUN_COST = 4096 };

/* The cost of fresh runs that come before any guided ones: some hundred at small sizes. */
enum { GUIDE_COST = 2 << 20 };

/* Bits that count of the cost of a run (cost_rounded). */
enum { COST_BITS = 4 };

/* By cost: bytes that the runs of a size cost together, for each of the attempts (2.5 MB for 100);
 * cost of a run beside its bytes, where one process makes many, while one that is masked ends it
 * (GROWTH_RUN_COST); most runs, for each of the attempts. And the least: the attempts at small
 * sizes, else 1 / LARGE_PART of them, LARGE_LEAST at least, so that there are some of either style.
 * Unless runs are slow it is 1 / LARGE_WANTED: then 73 of 100 searches find what fails once in 100
 * runs beyond 1M. */
enum { SIZE_COST = 25000, RUN_COST = 256, RUNS_MOST = 100 };
enum { SMALL_SIZE = 4096, LARGE_PART = 10, LARGE_LEAST = 2, LARGE_WANTED = 4 };

/* See is_used. It is enough that one in 50 runs draws all its bytes. */
enum { USED_PART = 50 };

/* Levels below this many bytes are run once, because their failures show at this level too, unless
 * known failures may hide them there. */
enum { FULL_LEVEL = 16 };

/* Return the bytes of a run of this level. */
static uint64_t growth_size(const sizes *s, unsigned level) {
    return level + 1 == level_count(s) ? s->config.size_max : UINT64_C(1) << level;
}

static bool is_full(const sizes *s, unsigned level) {
    return s->is_thorough || level + 1 == level_count(s) || growth_size(s, level) >= FULL_LEVEL;
}

/* Return the bytes that a run of this level draws on average; its size if that is unknown. */
static uint64_t growth_mean_drawn(const sizes *s, unsigned level) {
    const size_level *l = &s->levels[level];
    const uint64_t size = growth_size(s, level);
    return l->runs == 0 || l->drawn == UINT64_MAX ? size : smaller(size, l->drawn / l->runs);
}

/* True if runs of a level use a part of its bytes together, or that part of them ran out. */
static bool is_used(const sizes *s, unsigned level) {
    const size_level *l = &s->levels[level];
    const uint64_t mean = growth_mean_drawn(s, level);
    return s->used == UINT64_MAX || product(USED_PART, mean) >= growth_size(s, level) ||
           product(USED_PART, l->ran_out) >= l->runs;
}

/* True if runs of this level may differ from those of the level below. A run that did not use all
 * its bytes is the same with more. Lengths of runs often have a long tail, so there is one level
 * beyond the longest. Levels that cost more than the start of a run need more than a few long runs:
 * a draw that is repeated until it fits takes all bytes where these are equal. */
static bool is_open_level(const sizes *s, unsigned level) {
    const uint64_t size = growth_size(s, level);
    if (size > larger(FULL_LEVEL, product(2, s->used))) return false;
    return size <= GROWTH_RUN_COST || is_used(s, level - 1);
}

/* Return the number of levels to grow over; the others are larger. */
static unsigned open_count(const sizes *s) {
    unsigned level = 0;
    while (level < level_count(s) && is_open_level(s, level)) level++;
    return level;
}

/* Return the number of runs that complete the credit for `quota` runs, if they pass. */
static uint64_t growth_runs_left(uint64_t quota, uint64_t credit) {
    const uint64_t wanted = product(quota, CREDIT_RUN);
    return wanted <= credit ? 0 : (wanted - credit - 1) / CREDIT_RUN + 1;
}

/* Return the number of levels that this one stands for. The last open level gets the runs of the
 * closed ones too: larger runs would test the same, and a search is no less thorough. */
static uint64_t levels_of(const sizes *s, unsigned level, unsigned open) {
    return level + 1 == open ? 1 + level_count(s) - open : 1;
}

/* Return how many of these passes, some of them styled, a bound counts. A run of the mixture has
 * either style with equal chances, so that only pairs of both count (confidence_bound). */
static uint64_t growth_counted(const sizes *s, uint64_t passed, uint64_t styled) {
    return s->config.expand == EXPAND_BOTH ? 2 * smaller(styled, kept(passed, styled)) : passed;
}

/* The same without those that may have had a masked run before them in their process. */
static uint64_t evidence(const sizes *s, uint64_t passed, uint64_t styled, const size_warmth *w) {
    return growth_counted(s, kept(passed, w->runs + w->discarded),
                          kept(styled, w->styled + w->discarded_styled));
}

/* Round down, so that predicting a cost a little wrong changes nothing. */
static uint64_t cost_rounded(uint64_t cost) {
    const uint64_t kept = larger(bits(cost), COST_BITS) - COST_BITS;
    return cost >> kept << kept;
}

/* Return the number of runs that a size gets by cost: each draws `drawn` bytes, and `masked` of the
 * `runs` so far ended their process. */
static uint64_t runs_by_cost(const sizes *s, uint64_t drawn, uint64_t runs, uint64_t masked) {
    const uint64_t attempts = s->config.attempts;
    const uint64_t ended = runs > 0 ? product(masked, GROWTH_RUN_COST) / runs : 0;
    const uint64_t each = cost_rounded(sum(RUN_COST, sum(drawn, ended)));
    return smaller(product(attempts, RUNS_MOST), product(attempts, SIZE_COST) / each);
}

/* Return the runs of a level that are due in any case. */
static uint64_t level_least(const sizes *s, unsigned level, unsigned open) {
    const uint64_t attempts = s->config.attempts;
    const bool is_all = !s->config.grows_by_cost || growth_size(s, level) <= SMALL_SIZE;
    const uint64_t part = is_all ? attempts : larger(LARGE_LEAST, attempts / LARGE_PART);
    return is_full(s, level) ? product(part, levels_of(s, level, open)) : 1;
}

/* Return the runs of a level that pass before growing is over. */
static uint64_t level_quota(const sizes *s, unsigned level, unsigned open) {
    const size_level *l = &s->levels[level];
    const uint64_t least = level_least(s, level, open);
    if (!s->config.grows_by_cost || s->is_settled || !is_full(s, level)) return least;
    const uint64_t by_cost = runs_by_cost(s, growth_mean_drawn(s, level), l->runs, l->masked);
    return larger(larger(least, s->config.attempts / LARGE_WANTED), by_cost);
}

/* Return the runs that a level lacks. By cost, those are made up for that were cut off a row. */
static uint64_t level_left(const sizes *s, unsigned level, unsigned open) {
    const size_level *l = &s->levels[level];
    const uint64_t quota = level_quota(s, level, open);
    const uint64_t left = growth_runs_left(quota, l->credit);
    const uint64_t counted = growth_counted(s, l->runs, l->styled);
    if (left > 0 || !s->config.grows_by_cost || quota == 1) return left;
    return smaller(l->runs - counted, larger(quota, counted) - counted);
}

/* Begin a row at a level that lacks `left` runs: `wanted` at most, or after a plain row as many
 * styled ones as that had. */
static void begin_level(sizes *s, unsigned level, uint64_t wanted, uint64_t left) {
    const size_level *l = &s->levels[level];
    const bool is_both = s->config.expand == EXPAND_BOTH;
    const uint64_t lead = is_both ? l->runs - smaller(l->runs, product(2, l->styled)) : 0;
    s->level = level;
    s->turn = !is_both ? s->config.expand : lead > 0 ? EXPAND_STYLED : EXPAND_UNIFORM;
    s->row = smaller(left, lead > 0 ? lead : is_both ? smaller(wanted, left - left / 2) : wanted);
}

/* Return the cost of a level so far, by the bytes that its runs drew: a test of 64 bytes costs as
 * much at every size. */
static uint64_t level_cost(const sizes *s, unsigned level, unsigned open) {
    const size_level *l = &s->levels[level];
    const uint64_t run_cost = sum(GROWTH_RUN_COST, growth_mean_drawn(s, level));
    const uint64_t runs = larger(l->runs, l->credit / CREDIT_RUN); /* a hang costs many */
    return product(runs / levels_of(s, level, open), cost_rounded(run_cost));
}

/* Pick the level of least cost for the next row.
 *
 * Of those that lack runs it is the cost so far, the next run included. So no large run is made
 * before small ones have cost as much together, and the search soon meets a level that fails often.
 * The row of runs at a level lengthens with the runs it had, because rows are cheaper than single
 * runs. Where none lacks runs, an endless search goes on (`is_endless`): each full level gets the
 * same share of the time, in rows half as long as all its rows so far, so that the start of a row
 * soon costs nothing beside it. */
static void pick_level(sizes *s, bool is_endless) {
    const unsigned open = open_count(s);
    uint64_t cost_min = UINT64_MAX, most = 0;
    unsigned picked = 0;
    for (unsigned level = 0; level < open; level++) {
        const uint64_t due = is_full(s, level) ? UINT64_MAX : 0;
        const uint64_t left = is_endless ? due : level_left(s, level, open);
        const uint64_t run_cost = sum(GROWTH_RUN_COST, growth_size(s, level));
        const uint64_t cost =
            is_endless ? level_cost(s, level, open) : product(s->levels[level].runs + 1, run_cost);
        if (left == 0 || (most > 0 && cost >= cost_min)) continue;
        cost_min = cost;
        picked = level;
        most = left;
    }
    s->row = 0;
    if (most > 0) begin_level(s, picked, 1 + s->levels[picked].runs / (is_endless ? 2 : 4), most);
}

/* Return the fresh runs that can be compared, but for discarded ones: at the full levels, or of the
 * stretch. It is unknown how many of them would have failed while nothing has. */
static uint64_t growth_runs(const sizes *s) {
    uint64_t runs = 0;
    if (s->failed) return kept(s->stretch.passed, s->stretch.warmth.discarded);
    for (unsigned level = 0; level < level_count(s); level++) {
        const size_level *l = &s->levels[level];
        if (is_full(s, level)) runs += kept(l->runs, l->warmth.discarded);
    }
    return runs;
}

/* Return the claim while nothing has failed. While the search grows it is of the sizes up to the
 * first whose runs show nothing yet. */
static run_claim growth_claim(const sizes *s) {
    run_claim claim = {.bound = 1};
    if (s->config.size_max == 0) {
        claim.rounds = s->phase == PHASE_OVER;
        claim.bound = s->phase == PHASE_OVER ? 0 : 1;
        claim.sizes = 1;
        claim.levels.list[claim.levels.count++] =
            (claim_level){0, claim.rounds, claim.rounds, claim.bound};
        return claim;
    }
    uint64_t counted = UINT64_MAX, runs = 0, masked = 0;
    claim.rounds = UINT64_MAX;
    for (unsigned level = 0; level < open_count(s); level++) {
        const size_level *l = &s->levels[level];
        const uint64_t passed = kept(l->runs, l->warmth.discarded);
        const uint64_t here = evidence(s, l->runs, l->styled, &l->warmth);
        runs += l->runs;
        masked += l->masked;
        if (!is_full(s, level)) continue;
        claim.is_partial |=
            s->phase != PHASE_OVER && claim.sizes > 0 && (counted > 0 ? here : passed) == 0;
        if (claim.is_partial) continue;
        claim.largest = growth_size(s, level);
        claim.levels.list[claim.levels.count++] = (claim_level){
            claim.largest, passed, here, s->growing > 0 ? confidence_bound(here, s->growing) : 1};
        claim.sizes++;
        claim.rounds = smaller(claim.rounds, passed);
        counted = smaller(counted, here);
    }
    if (s->growing > 0) claim.bound = confidence_bound(counted, s->growing);
    claim.all_masked = runs > 0 && masked == runs;
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

/* Begin the next row, if one is left. */
static void grow(sizes *s) {
    pick_level(s, false);
    s->has_grown |= s->row == 0 || s->spent >= GUIDE_COST;
    s->begins_row = true;
    if (s->row == 0 && s->config.endless && !s->is_thorough) pick_level(s, true);
    s->phase = s->row > 0 ? PHASE_GROW : PHASE_OVER;
}

/* Return the attempts of the stretch, without those for the size: by cost, as many as a size gets
 * while nothing has failed. */
static uint64_t end_attempts(const sizes *s, uint64_t size) {
    const size_stretch *at = &s->stretch;
    const uint64_t attempts = s->config.attempts;
    if (!s->config.ends_by_cost || s->is_settled) return attempts;
    return larger(attempts, runs_by_cost(s, size, at->passed, at->masked));
}

/* Return the number of fresh runs that must pass at best - 1: the attempts, and a quarter more for
 * each bit of the size beyond BITS_PLAIN, and there half more again. Bisecting would make as many
 * as `attempts` for each bit, and an early stop by bad luck costs most at a large size. From
 * BITS_MAX on more of them make no difference. */
static uint64_t end_quota(const sizes *s, uint64_t size) {
    const uint64_t extra = larger(BITS_PLAIN, smaller(bits(size), BITS_MAX)) - BITS_PLAIN;
    const uint64_t attempts = end_attempts(s, size);
    const uint64_t quota = sum(attempts, product(attempts, extra) / 4);
    return extra > 0 ? sum(quota, quota / 2) : quota;
}

/* Return the number of fresh runs that must pass below a styled best of a mixture. It may have come
 * sooner than a plain failure that would be smaller, and only half of these runs are plain. So
 * there are RARER_TRIES times the runs that a failure took so far, in the mean; where failures are
 * rare, fewer, so that the end does not take far longer than all before it. By cost, most of the
 * runs that it took were small, and many more than a large size can have. */
static uint64_t styled_quota(const sizes *s) {
    const uint64_t mean = s->tries / s->hits;
    const uint64_t rare =
        sum(product(RARE_TRIES, mean), product(RARE_ATTEMPTS, s->config.attempts));
    const uint64_t quota = smaller(product(RARER_TRIES, mean), rare);
    const uint64_t most = product(RARE_ATTEMPTS, runs_by_cost(s, s->best.size, 0, 0));
    return larger(end_quota(s, s->best.size),
                  s->config.grows_by_cost ? smaller(quota, most) : quota);
}

/* Return the number of runs of the stretch. A probe that fails as often as the sizes that failed so
 * far passes this many runs one time in 3,000; one time in seven where the target draws in order,
 * so that a failure there would be one at best - 1, too. */
static uint64_t stretch_quota(const sizes *s) {
    if (at_end(s)) {
        const bool is_styled = s->config.expand == EXPAND_BOTH && s->best.style == SEED_STYLED;
        return is_styled ? styled_quota(s) : end_quota(s, s->best.size);
    }
    const uint64_t tries = s->is_drawn ? PROBE_TRIES_OF_DRAWS : PROBE_TRIES;
    return smaller(s->probes_max, sum(product(tries, s->tries / s->hits), PROBES_MIN));
}

/* Run the stretch if it lacks runs. */
static void open_stretch(sizes *s) {
    const bool is_open = growth_runs_left(stretch_quota(s), s->stretch.credit) > 0;
    s->phase = is_open ? PHASE_FRESH : PHASE_OVER;
}

/* Begin the next stretch. If its size was probed already, the passes there count: they were fresh
 * runs, and all the runs made there. */
static void next_stretch(sizes *s) {
    while (s->step > 1 && (s->step >= s->best.size || s->best.size - s->step <= s->floor.size)) {
        s->step /= 2;
    }
    const uint64_t size = s->best.size - s->step;
    const bool is_probed = size == s->floor.size;
    s->stretches += !is_probed;
    s->stretch = is_probed ? s->floor : (size_stretch){.size = size, .number = s->stretches};
    open_stretch(s);
}

/* Probe below best, from the largest step down. */
static void look_below(sizes *s, uint64_t probes_max) {
    s->step = UINT64_C(1) << (bits(s->best.size) - 1);
    s->probes_max = probes_max;
}

/* Go on below the best: after the first failure by probes, of more runs if it is styled. */
static void go_below(sizes *s) {
    if (s->best.size <= 1) { /* the run of no bytes has passed, or is the best */
        s->phase = PHASE_OVER;
        return;
    }
    if (s->floor.size >= s->best.size) s->floor = (size_stretch){.size = 0};
    if (s->step == 0) {
        const bool is_styled = s->best.style == SEED_STYLED;
        look_below(s, is_styled ? s->config.attempts : smaller(LOOK_RUNS, s->config.attempts));
    }
    next_stretch(s);
}

/* Go on below a failing seed whose size is settled. */
static void settled(sizes *s) {
    const bool gained = s->from - s->best.size >= larger(1, s->from / GAIN_PART);
    s->trust += gained ? 1 : -1;
    if (s->step <= 1 && !gained && s->trust < 0 && !s->is_drawn && s->best.size > 0) {
        look_below(s, s->config.attempts);
    }
    go_below(s);
}

/* Go on over the prefixes of the failing seed, unless that gained nothing again and again. */
static void bisect(sizes *s) {
    s->phase = PHASE_BISECT;
    if (s->best.size - s->passing <= 1 || s->trust < -1) settled(s);
}

/* One byte less comes first. If it passes, that settles the size: there is nothing to bisect, or
 * prefixes say nothing, as where sizes must be even. */
static uint64_t bisect_size(const sizes *s) {
    if (s->passing == 0 && s->best.size == s->from) return s->best.size - 1;
    return s->passing + (s->best.size - s->passing) / 2;
}

/* ---- Going on from one state to the next ---- */

/* Begin from nothing, or from an input known to fail. */
static sizes sizes_begin(const strategy_config *config, const seed_input *best) {
    if (best == NULL || best->size > config->size_max)
        return (sizes){.config = *config, .phase = PHASE_EMPTY, .stretches = 1, .growing = 1};
    return (sizes){.config = *config,
                   .phase = best->size == 0 ? PHASE_OVER : PHASE_EMPTY,
                   .failed = true,
                   .best = *best,
                   .from = best->size,
                   .fresh = seed_input_resumed(*best),
                   .trust = 1,
                   .tries = LOOK_RUNS,
                   .hits = 1};
}

/* Begin anew, with seeds and stretches that follow the last ones. */
static sizes sizes_begin_again(const sizes *before, const seed_input *best) {
    sizes s = sizes_begin(&before->config, best);
    s.is_settled = before->is_settled;
    s.fresh = before->fresh;
    s.stretches += before->stretches;
    if (!s.failed) s.growing = s.stretches;
    return s;
}

static batch fresh_runs(const sizes *s, uint64_t size, uint64_t count, seed_expansion mix) {
    return (batch){.first_seed = seed_input_fresh(s->config.master_seed, size, s->fresh),
                   .count = (uint32_t)smaller(count, UINT32_MAX),
                   .size = size,
                   .mix = mix,
                   .number = 1 + s->fresh};
}

/* Return the next runs. The search is done if there are 0 of them. */
static batch sizes_request(const sizes *s) {
    const size_level *l = &s->levels[s->level];
    batch next = {.count = 0};
    switch (s->phase) {
    case PHASE_EMPTY: return fresh_runs(s, 0, 1, EXPAND_UNIFORM);
    case PHASE_GROW:
        next = fresh_runs(s, growth_size(s, s->level), s->row, s->turn);
        warmth_let_go_on(&l->warmth, &next, l->runs);
        break;
    case PHASE_BISECT:
        return (batch){.first_seed = s->best.seed,
                       .count = 1,
                       .size = bisect_size(s),
                       .mix = expansion_of(s->best.style)};
    case PHASE_FRESH:
        next = fresh_runs(s, s->stretch.size, growth_runs_left(stretch_quota(s), s->stretch.credit),
                          s->config.expand);
        warmth_let_go_on(&s->stretch.warmth, &next, s->stretch.passed);
        break;
    case PHASE_OVER: break;
    }
    return next;
}

/* Return the bytes of the next runs. */
static uint64_t sizes_next(const sizes *s) {
    return s->phase == PHASE_GROW     ? growth_size(s, s->level)
           : s->phase == PHASE_FRESH  ? s->stretch.size
           : s->phase == PHASE_BISECT ? bisect_size(s)
                                      : 0;
}

/* Take what runs of the request drew, before they are taken themselves. */
static void sizes_drew(sizes *s, strategy_draws draws) {
    s->top = larger(s->top, sizes_next(s));
    s->used = larger(s->used, draws.most);
    if (s->phase != PHASE_GROW) return;
    size_level *l = &s->levels[s->level];
    l->drawn = sum(l->drawn, draws.sum);
    l->ran_out += draws.ran_out;
}

/* Guess what `count` runs of the request will draw. */
static strategy_draws sizes_predict(const sizes *s, uint64_t count) {
    const uint64_t size = sizes_next(s);
    strategy_draws draws = {.most = s->used >= s->top ? size : smaller(s->used, size)};
    if (s->phase != PHASE_GROW) return draws;
    const size_level *l = &s->levels[s->level];
    draws.sum = product(count, growth_mean_drawn(s, s->level));
    draws.ran_out = product(count, l->ran_out) / larger(1, l->runs);
    return draws;
}

/* Go on to the next stretch if this one has its runs. */
static void end_stretch(sizes *s) {
    if (growth_runs_left(stretch_quota(s), s->stretch.credit) > 0) return;
    if (at_end(s)) {
        s->phase = PHASE_OVER;
    } else {
        s->floor = s->stretch;
        s->step /= 2;
        next_stretch(s);
    }
}

static void take_runs(sizes *s, const runs_taken *r) {
    const uint64_t count = r->count;
    batch runs = sizes_request(s);
    runs.may_know = s->config.masked_first > 0;
    size_level *l = &s->levels[s->level];
    size_stretch *at = &s->stretch;
    runs.count = (uint32_t)count;
    if (s->phase != PHASE_BISECT) s->fresh += count;
    switch (s->phase) {
    case PHASE_EMPTY:
        if (s->failed)
            settled(s);
        else if (s->config.size_max > 0)
            grow(s);
        else
            s->phase = PHASE_OVER;
        return;
    case PHASE_GROW:
        warmth_take(&l->warmth, r, &runs, l->runs, l->masked, s->config.masked_first);
        l->runs += count;
        s->spent = sum(s->spent, product(count, sum(GROWTH_RUN_COST, runs.size)));
        l->styled += warmth_styled(&runs);
        l->credit = sum(l->credit, r->credit);
        s->row -= count;
        s->begins_row = false;
        if (s->row > 0) return;
        grow(s);
        return;
    case PHASE_BISECT:
        s->passing = bisect_size(s);
        bisect(s);
        return;
    case PHASE_FRESH:
        warmth_take(&at->warmth, r, &runs, at->passed, at->masked, s->config.masked_first);
        at->passed += count;
        at->styled += warmth_styled(&runs);
        at->credit = sum(at->credit, r->credit);
        end_stretch(s);
        return;
    case PHASE_OVER: break;
    }
    assert(false); /* nothing was requested */
}

static void sizes_passed(sizes *s, uint64_t count, uint64_t discarded, uint64_t styled) {
    const uint64_t none = smaller(count, discarded);
    const uint64_t less = none * (CREDIT_RUN - CREDIT_DISCARDED);
    take_runs(s,
              &(runs_taken){count, count * CREDIT_RUN - less, false, none, smaller(none, styled)});
}

/* Return the runs of which a hang stands for a quarter. */
static uint64_t hang_quota(const sizes *s) {
    if (s->phase == PHASE_GROW && s->config.grows_by_cost)
        return level_quota(s, s->level, open_count(s));
    return s->phase == PHASE_FRESH ? end_attempts(s, s->stretch.size) : s->config.attempts;
}

/* Return the credit of a run that ended as `mask` says, after `drawn` bytes (or
 * STRATEGY_DRAWN_UNKNOWN). It shows nothing behind the failure that ended it. If the target reports
 * its draws, the run is cheap, so that there are more of them: by the share of the bytes that it
 * drew, four times as many at most. A hang costs its whole time limit, so that a few are enough. */
static uint64_t masked_credit(const sizes *s, uint64_t drawn, strategy_result mask) {
    const uint64_t size = sizes_next(s);
    uint64_t quarters = 4;
    if (mask == STRATEGY_MASKED_BY_HANG) {
        quarters = larger(4, hang_quota(s));
    } else if (drawn < size) {
        quarters = larger(1, product(4, drawn) / size);
    }
    return product(quarters, CREDIT_MASKED);
}

static void sizes_masked(sizes *s, uint64_t count, uint64_t credit) {
    if (s->phase == PHASE_GROW) s->levels[s->level].masked += count;
    if (s->phase == PHASE_FRESH) s->stretch.masked += count;
    take_runs(s, &(runs_taken){count, credit, true, 0, 0});
}

/* Take the runs up to the last masked one of these. Return how many of them were asked for. What is
 * behind the first one in a row of growing is all warm, and ends nothing: it is taken at once. */
static uint32_t sizes_take_masked(sizes *s, const known_run *masked, uint32_t count) {
    const batch first = sizes_request(s);
    uint32_t taken = 0;
    known_run last = {.discarded = 0};
    for (uint32_t i = 0; i < count; last = masked[i - 1]) {
        const batch wanted = sizes_request(s);
        const uint32_t all = masked[count - 1].run + 1 - taken;
        const bool is_rest =
            i > 0 && s->phase == PHASE_GROW && wanted.may_know && all <= wanted.count;
        const uint32_t more = is_rest ? count - i : 1;
        const known_run end = masked[i + more - 1];
        const uint32_t passed = end.run + 1 - taken - more;
        uint64_t credit = 0;
        if (wanted.size != first.size || wanted.first_seed != first.first_seed + taken) break;
        if (wanted.count <= passed) return taken + wanted.count;
        if (passed > 0)
            sizes_passed(s, passed, kept(end.discarded, last.discarded),
                         kept(end.discarded_styled, last.discarded_styled));
        for (const uint32_t behind = i + more; i < behind; i++)
            credit = sum(credit, masked_credit(s, masked[i].drawn, STRATEGY_MASKED));
        sizes_masked(s, more, credit);
        taken += passed + more;
    }
    return taken;
}

static void sizes_failed(sizes *s, seed_input failing, uint64_t drawn) {
    if (s->phase != PHASE_BISECT) {
        if (failing.size > 0) { /* count the fresh runs that it took */
            s->tries += 1 + growth_runs(s);
            s->hits++;
        }
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
    bisect(s);
}

/* Return the fresh runs of a stretch; masked runs count for less, so that there are more. */
static search_stage stretch_stage(const sizes *s) {
    const size_stretch *at = &s->stretch;
    const uint64_t left = growth_runs_left(stretch_quota(s), at->credit);
    return (search_stage){at_end(s) ? ACTIVITY_ENDING : ACTIVITY_PROBING, at->passed,
                          sum(at->passed, left)};
}

/* ---- The strategy ---- */

/* Most batches under way at one time, far more than any pool holds. Beyond them strategy_next
 * answers STRATEGY_WAIT. */
enum { BATCHES_MAX = 4096 };

struct strategy {
    sizes now;                    /* the state after all results fed */
    sizes ahead;                  /* the state as if all batches under way had passed */
    uint32_t first;               /* index of the oldest batch under way */
    uint32_t count;               /* number of batches under way */
    batch under_way[BATCHES_MAX]; /* a ring */
};

search_stage strategy_stage(const strategy *of) {
    const sizes *s = &of->now;
    switch (s->phase) {
    case PHASE_EMPTY: break;
    case PHASE_GROW: {
        const uint64_t runs = s->levels[s->level].runs;
        return (search_stage){ACTIVITY_GROWING, runs, sum(runs, s->row)};
    }
    case PHASE_BISECT: return (search_stage){.activity = ACTIVITY_BISECTING};
    case PHASE_FRESH: return stretch_stage(s);
    case PHASE_OVER:
        if (s->failed && s->stretch.size > 0 && at_end(s)) return stretch_stage(s);
        break;
    }
    return (search_stage){.activity = ACTIVITY_STARTING};
}

strategy_claim strategy_claim_now(const strategy *of) {
    const sizes *s = &of->now;
    strategy_claim claim = {.failed = s->failed, .run = {.bound = 1}};
    if (!s->failed) claim.run = growth_claim(s);
    claim.run.stretches = s->stretches;
    if (!s->failed) return claim;
    claim.best = s->best;
    if (s->best.size > 0) claim.run.below = s->best.size - 1;
    if (s->best.size <= 1 && s->phase == PHASE_OVER) {
        claim.run.passed = s->best.size;
        claim.run.bound = 0;
    } else if (at_end(s) && s->phase != PHASE_BISECT) {
        const size_stretch *at = &s->stretch;
        claim.run.passed = kept(at->passed, at->warmth.discarded);
        claim.run.counted = evidence(s, at->passed, at->styled, &at->warmth);
        claim.run.bound = confidence_bound(claim.run.counted, s->stretch.number);
    }
    return claim;
}

/* ---- Life ---- */

strategy *strategy_create(const strategy_config *config, const seed_input *best) {
    assert(config->attempts > 0);
    strategy *s = memory_zeroed(1, sizeof *s);
    s->now = sizes_begin(config, best);
    s->ahead = s->now;
    return s;
}

void strategy_continue(strategy *s, const seed_input *best, bool is_thorough) {
    s->now = sizes_begin_again(&s->now, best);
    s->now.is_thorough = is_thorough;
    strategy_forget(s);
}

static void adopt(sizes *s, seed_input best) {
    if (!s->failed) {
        *s = sizes_begin_again(s, &best);
        return;
    }
    const bool is_as_small = best.size == s->best.size;
    assert(best.size <= s->best.size);
    s->best = best;
    s->from = best.size;
    s->passing = 0;
    if (s->phase == PHASE_EMPTY && best.size > 0) return;
    if (is_as_small && (s->phase == PHASE_FRESH || s->phase == PHASE_OVER) && best.size > 1) {
        open_stretch(s); /* fresh runs of this size say the same of both */
    } else {
        go_below(s);
    }
}

void strategy_adopt(strategy *s, seed_input best) {
    assert(best.size <= s->now.config.size_max);
    adopt(&s->now, best);
    strategy_forget(s);
}

bool strategy_raise_attempts(strategy *s) {
    sizes *now = &s->now;
    assert(s->count == 0 && now->phase == PHASE_OVER);
    if (now->failed ? now->best.size <= 1 : now->config.size_max == 0) return false;
    while (now->phase == PHASE_OVER && now->config.attempts <= UINT64_MAX / 2) {
        now->config.attempts *= 2;
        if (now->failed)
            open_stretch(now);
        else
            grow(now);
    }
    s->ahead = s->now;
    return now->phase != PHASE_OVER;
}

/* True if runs are made by cost. */
static bool is_by_cost(const sizes *s) {
    return !s->is_settled && s->phase != PHASE_OVER &&
           (s->failed ? s->config.ends_by_cost : s->config.grows_by_cost);
}

bool strategy_is_extra(const strategy *of) {
    sizes s = of->now;
    if (!is_by_cost(&s)) return false;
    if (s.phase == PHASE_GROW)
        return growth_runs_left(level_least(&s, s.level, open_count(&s)),
                                s.levels[s.level].credit) == 0;
    s.is_settled = true;
    return s.phase == PHASE_FRESH && growth_runs_left(stretch_quota(&s), s.stretch.credit) == 0;
}

bool strategy_settle(strategy *s) {
    sizes *now = &s->now;
    if (!is_by_cost(now)) return false;
    now->is_settled = true;
    if (now->phase == PHASE_GROW) grow(now);
    if (now->phase == PHASE_FRESH) end_stretch(now);
    strategy_forget(s);
    return true;
}

uint64_t strategy_attempts_alike(const strategy *of) {
    if (of == NULL) return 0;
    const sizes *s = &of->now;
    const unsigned open = open_count(s);
    uint64_t stands = 0;
    if (s->failed || s->config.size_max == 0) return s->config.attempts;
    for (unsigned level = 0; level < open; level++)
        stands += is_full(s, level) ? levels_of(s, level, open) : 0;
    return larger(1, growth_runs(s) / larger(1, stands));
}

bool strategy_has_grown(const strategy *s) {
    return s->now.has_grown && s->now.begins_row && !s->now.failed;
}

void strategy_destroy(strategy *s) { free(s); }

/* ---- Requests and results ---- */

uint64_t strategy_next_size(const strategy *s) { return sizes_next(&s->ahead); }

/* Take a batch under way as if it had passed. */
static void expect_pass(strategy *s, const batch *b) {
    sizes_drew(&s->ahead, sizes_predict(&s->ahead, b->count));
    sizes_passed(&s->ahead, b->count, 0, 0);
}

strategy_answer strategy_next(strategy *s, uint32_t count_max, batch *next) {
    assert(count_max > 0);
    *next = sizes_request(&s->ahead);
    if (next->count == 0) return s->count == 0 ? STRATEGY_DONE : STRATEGY_WAIT;
    if (s->count == BATCHES_MAX) return STRATEGY_WAIT;
    assert(next->size <= s->now.config.size_max);
    next->count = (uint32_t)smaller(next->count, count_max);
    expect_pass(s, next);
    s->under_way[(s->first + s->count) % BATCHES_MAX] = *next;
    s->count++;
    return STRATEGY_RUN;
}

/* True if the results so far, or those that are expected, ask for this batch. */
static bool is_asked_for(const sizes *at, const batch *b) {
    const batch wanted = sizes_request(at);
    return wanted.count >= b->count && wanted.size == b->size &&
           wanted.first_seed == b->first_seed && wanted.mix == b->mix;
}

/* Work out again the state as if all batches under way pass. Return false if they are not the ones
 * that are asked for now. */
static bool look_ahead(strategy *s) {
    s->ahead = s->now;
    for (uint32_t i = 0; i < s->count; i++) {
        const batch *b = &s->under_way[(s->first + i) % BATCHES_MAX];
        if (!is_asked_for(&s->ahead, b)) return false;
        expect_pass(s, b);
    }
    return true;
}

/* Take the oldest batch, or its first `ran` runs, off those under way. */
static void take_off(strategy *s, uint32_t ran) {
    batch *oldest = &s->under_way[s->first];
    oldest->first_seed += ran;
    oldest->count -= ran;
    if (oldest->count > 0) return;
    s->first = (s->first + 1) % BATCHES_MAX;
    s->count--;
}

uint32_t strategy_fit(const strategy *s, uint32_t ran, const known_run *masked, uint32_t count) {
    sizes now = s->now;
    const batch first = sizes_request(&now);
    if (now.phase == PHASE_GROW && ran <= first.count) return ran; /* nothing ends a row early */
    const uint32_t taken = sizes_take_masked(&now, masked, count);
    const batch rest = sizes_request(&now);
    const bool is_one = rest.size == first.size && rest.first_seed == first.first_seed + taken;
    if (count > 0 && taken <= masked[count - 1].run) return taken;
    return is_one ? (uint32_t)smaller(ran, (uint64_t)taken + rest.count) : taken;
}

void strategy_feed_masked(strategy *s, const known_run *masked, uint32_t count,
                          strategy_draws *all) {
    if (count == 0) return;
    all->discarded = kept(all->discarded, masked[count - 1].discarded);
    all->discarded_styled = kept(all->discarded_styled, masked[count - 1].discarded_styled);
    take_off(s, sizes_take_masked(&s->now, masked, count));
}

bool strategy_feed(strategy *s, uint32_t ran, strategy_result last, uint64_t drawn,
                   const strategy_draws *draws) {
    strategy_draws all = {.most = STRATEGY_DRAWN_UNKNOWN, .sum = STRATEGY_DRAWN_UNKNOWN};
    const bool is_masked = last != STRATEGY_PASSED && last != STRATEGY_FAILED;
    assert(s->count > 0);
    const batch fed = s->under_way[s->first];
    const uint32_t passed_count = last == STRATEGY_PASSED ? ran : ran - 1;
    bool is_valid = false;
    assert(ran <= fed.count && (ran > 0 || last == STRATEGY_PASSED));
    assert(last == STRATEGY_PASSED || drawn <= fed.size || drawn == STRATEGY_DRAWN_UNKNOWN);
    take_off(s, ran);
    if (draws != NULL) all = *draws;
    /* With more bytes a masked run would have ended in the same failure, unless the prefix that it
     * drew passes, and `drawn` is unknown. */
    if (is_masked && drawn == STRATEGY_DRAWN_UNKNOWN) all.most = STRATEGY_DRAWN_UNKNOWN;
    if (ran > 0) sizes_drew(&s->now, all);
    if (passed_count > 0) sizes_passed(&s->now, passed_count, all.discarded, all.discarded_styled);
    switch (last) {
    case STRATEGY_PASSED: is_valid = ran == fed.count && look_ahead(s); break;
    case STRATEGY_FAILED: sizes_failed(&s->now, batch_input(&fed, passed_count), drawn); break;
    case STRATEGY_MASKED:
    case STRATEGY_MASKED_BY_HANG:
        sizes_masked(&s->now, 1, masked_credit(&s->now, drawn, last));
        is_valid = look_ahead(s);
        break;
    }
    if (!is_valid) strategy_forget(s);
    return !is_valid;
}

void strategy_forget(strategy *s) {
    s->ahead = s->now;
    s->count = 0;
}

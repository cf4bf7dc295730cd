#include "growth.h"

#include "bytes.h"
#include "rates.h"

/* Bits that count of the cost of a run (level_cost). */
enum { COST_BITS = 4 };

/* See is_used. It is enough that one in 50 runs draws all its bytes. */
enum { USED_PART = 50 };

/* Levels below this many bytes are run once, because their failures show at this level too. */
enum { FULL_LEVEL = 16 };

/* Levels are 1, 2, 4, ... bytes; the last is size_max. */
static unsigned level_count(const strategy_config *config) {
    return (unsigned)bits(config->size_max - 1) + 1;
}

uint64_t growth_size(const strategy_config *config, unsigned level) {
    return level + 1 == level_count(config) ? config->size_max : UINT64_C(1) << level;
}

static bool is_full(const strategy_config *config, const size_search *s, unsigned level) {
    return s->growth == GROWTH_AGAIN || level + 1 == level_count(config) ||
           growth_size(config, level) >= FULL_LEVEL;
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

uint64_t growth_runs_left(uint64_t quota, uint64_t credit) {
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
    return product(product(s->rounds, config->attempts), levels_of(config, level, open));
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

uint64_t growth_mean_drawn(const strategy_config *config, const size_search *s, unsigned level) {
    const size_level *l = &s->levels[level];
    const uint64_t size = growth_size(config, level);
    return l->runs == 0 || l->drawn == UINT64_MAX ? size : smaller(size, l->drawn / l->runs);
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

uint64_t growth_runs(const strategy_config *config, const size_search *s) {
    uint64_t runs = 0;
    for (unsigned level = 0; level < level_count(config); level++) {
        if (is_full(config, s, level)) runs += s->levels[level].runs;
    }
    return runs;
}

uint64_t growth_runs_least(const strategy_config *config, const size_search *s) {
    uint64_t runs = UINT64_MAX;
    for (unsigned level = 0; level < open_count(config, s); level++) {
        if (is_full(config, s, level)) runs = smaller(runs, s->levels[level].runs);
    }
    return runs;
}

batch_mix growth_mix(const strategy_config *config, const size_search *s) {
    switch (config->expand) {
    case EXPAND_UNIFORM: break;
    case EXPAND_STYLED: return MIX_STYLED;
    case EXPAND_BOTH: return s->levels[s->level].rows % 2 == 1 ? MIX_STYLED : MIX_PLAIN;
    }
    return MIX_PLAIN;
}

void growth_next_row(const strategy_config *config, size_search *s) {
    pick_level(config, s);
    if (s->row == 0 && config->endless && s->growth == GROWTH_FIRST) pick_cheapest(config, s);
}

uint64_t growth_counted(const strategy_config *config, uint64_t passed, uint64_t styled) {
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

run_claim growth_claim(const strategy_config *config, const size_search *s) {
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

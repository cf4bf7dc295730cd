#include "splices.h"

#include "growth.h"
#include "saturating.h"

#include <stddef.h>

/* Splices cost half as much as fresh runs, and less and less while they find nothing new: after
 * BARREN_RUNS of them 1 in BARREN_FIRST, after twice as many half of that, and so on. */
enum { PART = 2, BARREN_RUNS = 10000, BARREN_FIRST = 16, BARREN_SHARE = 64 };

/* The bytes behind the prefix: a power of two, by the number of the row. */
enum { TAIL_BITS_MIN = 4, TAIL_BITS_MAX = 12 };

/* They begin when the small levels, which are cheapest, have had their first runs. Where a program
 * draws all it gets, a whole round takes seconds. */
bool splices_are_due(const strategy_config *config, const size_search *s) {
    if (config->corpus == NULL || !config->endless || s->growth != GROWTH_FIRST) return false;
    return growth_size(config, s->level) > GROWTH_RUN_COST ||
           s->levels[s->level].runs >= config->attempts;
}

/* Return the cost of the next row of fresh runs. Costs are rounded, so that to predict them a
 * little wrong changes no row. */
static uint64_t fresh_cost(const strategy_config *config, const size_search *s) {
    const uint64_t mean_bits = bits(growth_mean_drawn(config, s, s->level));
    return product(s->row, GROWTH_RUN_COST + (UINT64_C(1) << smaller(40, mean_bits)));
}

/* Return the cost of a splice: no run draws far more than the longest one so far. */
static uint64_t splice_cost(const size_search *s, uint64_t size) {
    const uint64_t most = UINT64_C(1) << smaller(40, bits(s->used));
    return GROWTH_RUN_COST + smaller(size, most);
}

static uint64_t divisor(uint64_t barren) {
    const uint64_t times = barren / BARREN_RUNS;
    return larger(PART, smaller(BARREN_SHARE, product(BARREN_FIRST, times)));
}

splices_row splices_now(const strategy_config *config, const size_search *s) {
    const size_splices *p = &s->splices;
    const corpus_sizes sizes = {.limit = config->size_max, .longest = s->used};
    splices_row row = {.plan = corpus_plan_row(config->corpus, p->row, sizes)};
    const uint64_t tail_bits =
        TAIL_BITS_MIN + row.plan.random % (TAIL_BITS_MAX - TAIL_BITS_MIN + 1);
    row.size = smaller(config->size_max, row.plan.parent_size + (UINT64_C(1) << tail_bits));
    const uint64_t due = fresh_cost(config, s) / divisor(row.plan.barren);
    const uint64_t left = due - smaller(p->spent, due);
    const uint64_t cost = splice_cost(s, row.size);
    row.plan.count = smaller(row.plan.count, left / cost + 1);
    row.spent = sum(p->spent, row.plan.count * cost);
    row.is_last = row.spent >= due;
    return row;
}

bool splices_take(const strategy_config *config, size_search *s, uint64_t count) {
    size_splices *p = &s->splices;
    const splices_row row = splices_now(config, s);
    p->row_runs += count;
    if (p->row_runs < row.plan.count) return false;
    p->row = (corpus_row){p->row.number + 1, p->row.before + p->row_runs};
    p->row_runs = 0;
    p->spent = row.is_last ? 0 : row.spent;
    return row.is_last;
}

bool splices_are_far_ahead(const size_search *ahead, const size_search *now) {
    return ahead->phase == PHASE_SPLICE &&
           ahead->splices.row.number >= now->splices.row.number + CORPUS_LAG;
}

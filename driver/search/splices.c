#include "splices.h"

#include "growth.h"
#include "saturating.h"

/* The reciprocal of the share of splices in the cost of all runs while they find nothing new. */
enum { BARREN_SHARE = 64 };

/* The bytes behind the prefix: a power of two, by the number of the row. */
enum { TAIL_BITS_MIN = 4, TAIL_BITS_MAX = 12 };

/* They begin when the small levels, which are cheapest, have had their first runs. Where a program
 * draws all it gets, a whole round takes seconds. */
bool splices_are_due(const strategy_config *config, const size_search *s) {
    if (config->corpus == NULL || !config->endless || s->growth != GROWTH_FIRST) return false;
    return growth_size(config, s->level) > GROWTH_RUN_COST ||
           s->levels[s->level].runs >= config->attempts;
}

splices_row splices_now(const strategy_config *config, const size_search *s) {
    const size_splices *p = &s->splices;
    splices_row row = {.plan = corpus_plan_row(config->corpus, p->row, config->size_max)};
    const uint64_t tail_bits =
        TAIL_BITS_MIN + row.plan.random % (TAIL_BITS_MAX - TAIL_BITS_MIN + 1);
    const uint64_t wanted = seed_prefix_size(&row.plan.prefix) + (UINT64_C(1) << tail_bits);
    /* Rounded, so that predicting it a little wrong changes no row. */
    const uint64_t mean_bits = bits(growth_mean_drawn(config, s, s->level));
    const uint64_t mean = GROWTH_RUN_COST + (UINT64_C(1) << smaller(40, mean_bits));
    const uint64_t due = product(s->row, mean) / (row.plan.is_barren ? BARREN_SHARE : 1);
    const uint64_t left = due - smaller(p->spent, due);
    row.size = smaller(config->size_max, wanted);
    row.plan.count = smaller(row.plan.count, left / (GROWTH_RUN_COST + row.size) + 1);
    row.spent = sum(p->spent, row.plan.count * (GROWTH_RUN_COST + row.size));
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

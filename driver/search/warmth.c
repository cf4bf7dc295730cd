/* Whether processes go on depends on numbers of runs alone, so any number of jobs decides alike. */
#include "warmth.h"

enum { ROW_RUNS = 8192, MASKED_PART = 100 };

/* Return the first run of the row that has this one. Run `second` begins the second row. */
static uint64_t row_start(uint64_t run, uint64_t second) {
    return run < ROW_RUNS ? (run < second ? 0 : second) : run / ROW_RUNS * ROW_RUNS;
}

uint64_t warmth_styled(const batch *b) {
    if (b->mix == EXPAND_BOTH) return (b->count + b->first_seed % 2) / 2;
    return b->mix == EXPAND_STYLED ? b->count : 0;
}

void warmth_let_go_on(const size_warmth *w, batch *b, uint64_t at) {
    b->may_know = w->goes_on;
    if (b->may_know) b->count = (uint32_t)smaller(b->count, ROW_RUNS - at % ROW_RUNS);
}

void warmth_take(size_warmth *w, const runs_taken *r, const batch *of, uint64_t at, uint64_t masked,
                 uint64_t second) {
    const bool is_warm = at < w->until; /* all of them are, or none */
    const uint64_t row = row_start(at + r->count, second);
    w->discarded += r->discarded;
    w->discarded_styled += r->discarded_styled;
    if (is_warm) w->runs += r->count - r->discarded;
    if (is_warm) w->styled += kept(warmth_styled(of), r->discarded_styled);
    if (r->is_masked && w->goes_on) w->until = (at / ROW_RUNS + 1) * ROW_RUNS;
    if (row > row_start(at, second))
        w->goes_on = of->may_know && product(masked, MASKED_PART) >= row;
}

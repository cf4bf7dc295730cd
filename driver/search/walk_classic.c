#include "walk_strategy.h"

/* The loop of the post, with three repairs. It ends at size 0 when that fails. The last step up is
 * cut short, so that size_max itself is tried and nothing larger. And a size of 0 is run once, not
 * `attempts` times, because all its inputs are one. */

enum { CLASSIC_SIZE = 16, CLASSIC_STEP = 16 }; /* bytes */

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* The size tried now: a step above what passed, or a step below what failed. */
static uint64_t tried(const walk_config *config, const walk_classic *w) {
    if (w->failed) return w->size - smaller(w->step, w->size);
    return w->size + smaller(w->step, config->size_max - w->size);
}

walk_classic walk_classic_begin(const walk_config *config) {
    return (walk_classic){.size = smaller(CLASSIC_SIZE, config->size_max), .step = CLASSIC_STEP};
}

/* The step with which a growing walk would have come to this size. */
walk_classic walk_classic_resume(seed_input best) {
    uint64_t step = CLASSIC_STEP / 2;
    while (step < best.size / 4) step *= 2;
    return (walk_classic){.done = best.size == 0,
                          .failed = true,
                          .best = best,
                          .size = best.size,
                          .step = step,
                          .fresh = walk_resumed_fresh(best)};
}

walk_wish walk_classic_wish(const walk_config *config, const walk_classic *w) {
    if (w->done) return (walk_wish){.count = 0};
    const uint64_t size = tried(config, w);
    const uint64_t quota = size == 0 ? 1 : config->attempts;
    return (walk_wish){.first = {.size = size, .seed = walk_fresh_seed(config, size, w->fresh)},
                       .count = quota - w->passed};
}

static void halve(walk_classic *w) {
    w->step /= 2;
    w->done = w->step == 0;
}

static void size_passed(const walk_config *config, walk_classic *w) {
    const uint64_t size = tried(config, w);
    if (size == 0) w->empty_passed = true;
    if (w->failed) {
        halve(w);
    } else if (size < config->size_max) {
        w->size = size;
        w->step *= 2;
    } else {
        const uint64_t fresh = w->fresh, rounds = w->rounds + 1;
        *w = walk_classic_begin(config);
        w->fresh = fresh;
        w->rounds = rounds;
        w->done = !config->endless;
    }
}

void walk_classic_passed(const walk_config *config, walk_classic *w, uint64_t count) {
    const walk_wish wish = walk_classic_wish(config, w);
    if (w->failed && w->passed == 0) w->stretches++;
    w->fresh += count;
    w->passed += count;
    if (w->failed && wish.first.size + 1 == w->best.size) w->passed_below = w->passed;
    if (count == wish.count) {
        w->passed = 0;
        size_passed(config, w);
    }
}

void walk_classic_failed(walk_classic *w, seed_input failing) {
    const bool first = !w->failed;
    w->fresh++;
    w->passed = 0;
    w->passed_below = 0;
    w->failed = true;
    w->best = failing;
    w->size = failing.size;
    w->done = failing.size == 0;
    if (first && !w->done) halve(w);
}

/* How many sizes a growing walk tries. */
static uint64_t size_count(const walk_config *config) {
    walk_classic w = walk_classic_begin(config);
    uint64_t count = 1;
    for (; tried(config, &w) < config->size_max; count++) {
        w.size = tried(config, &w);
        w.step *= 2;
    }
    return count;
}

walk_claim walk_classic_claim(const walk_config *config, const walk_classic *w) {
    if (!w->failed) {
        const uint64_t runs = config->size_max == 0 ? 1 : config->attempts;
        return (walk_claim){.bound = 1, .rounds = w->rounds * runs, .sizes = size_count(config)};
    }
    walk_claim claim = {.failed = true, .best = w->best};
    if (w->best.size == 0 || (w->best.size == 1 && w->empty_passed)) {
        claim.passed = w->best.size;
        return claim;
    }
    claim.below = w->best.size - 1;
    claim.passed = w->passed_below;
    claim.bound = walk_bound(w->passed_below, w->stretches);
    return claim;
}

#include "pace.h"

#include <stdbool.h>

enum {
    BATCH_NS = 10 * 1000 * 1000, /* target duration of a batch */
    BATCH_MAX = 1 << 24
};

static unsigned index_of(uint64_t size) {
    return size == 0 ? 0 : 64 - (unsigned)__builtin_clzll(size);
}

/* Return what is known of this size, or else of the next smaller one of which something is. */
static pace_of_size known(const pace *p, uint64_t size) {
    for (unsigned i = index_of(size) + 1; i > 0; i--) {
        if (p->of[i - 1].count > 0) return p->of[i - 1];
    }
    return (pace_of_size){.count = 1, .overhead_ns = -1};
}

uint32_t pace_count(const pace *p, uint64_t size) { return known(p, size).count; }

/* Starting a batch and ending its process may cost as much as thousands of runs, with sanitizers
 * 100 ms. It is what the shortest batch took, without the share of a run. */
static void measure_overhead(pace_of_size *p, uint32_t ran, int64_t took_ns) {
    if (p->least_ns == 0 || took_ns < p->least_ns) p->least_ns = took_ns;
    if (ran == 1) return;
    const int64_t run_ns = (took_ns - p->least_ns) / (ran - 1);
    p->overhead_ns = run_ns < p->least_ns ? p->least_ns - run_ns : 0;
}

/* Return the time that a batch should take: the overhead should be a small part of it. */
static int64_t batch_goal(const pace_of_size *p) {
    enum { SHARE = 8, GOAL_MAX_NS = 1000 * 1000 * 1000 };
    if (p->overhead_ns <= BATCH_NS / SHARE) return BATCH_NS;
    return p->overhead_ns < GOAL_MAX_NS / SHARE ? p->overhead_ns * SHARE : GOAL_MAX_NS;
}

/* A batch that had few runs says nothing, unless it took too long even so. */
void pace_add(pace *p, uint64_t size, uint32_t ran, int64_t took_ns) {
    pace_of_size now = known(p, size);
    const bool is_small = ran < now.count / 2;
    if (ran == 0) return;
    if (!is_small) measure_overhead(&now, ran, took_ns);
    const bool is_known = now.overhead_ns >= 0;
    const int64_t goal_ns = batch_goal(&now);
    if (!is_small && (took_ns < goal_ns / 2 || !is_known) && now.count < BATCH_MAX) now.count *= 2;
    if (took_ns > goal_ns * 2 && is_known && now.count > 1) now.count /= 2;
    p->of[index_of(size)] = now;
}

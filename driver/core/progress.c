/* The rate of a count is that of the last few seconds. */
#include "progress.h"

#include "clock.h"

void meter_add(meter *m, int64_t at_ns, uint64_t count) {
    if (at_ns < m->at_ns[1] + 3 * CLOCK_NS_PER_S / 2) return;
    *m = (meter){{m->at_ns[1], at_ns}, {m->count[1], count}};
}

double meter_rate(const meter *m, int64_t at_ns, uint64_t count) {
    const int64_t span_ns = at_ns - m->at_ns[0];
    if (span_ns <= 0 || count <= m->count[0]) return 0;
    return (double)(count - m->count[0]) * 1e9 / (double)span_ns;
}

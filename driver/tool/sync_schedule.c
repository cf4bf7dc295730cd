#include "sync_schedule.h"

#include <assert.h>

/* Spans stay below this, so that sums with times do not overflow. */
#define SPAN_MAX_NS (INT64_MAX / 4)

static int64_t span_ns(const sync_schedule *s) {
    return s->interval_ns > SPAN_MAX_NS / s->factor ? SPAN_MAX_NS : s->interval_ns * s->factor;
}

/* Return from three quarters of the present span to five quarters of it. */
static int64_t wait_ns(const sync_schedule *s, uint32_t chance) {
    const int64_t span = span_ns(s);
    const double share = (double)chance / UINT32_MAX;
    return span - span / 4 + (int64_t)((double)(span / 2) * share);
}

static int64_t after(int64_t now_ns, int64_t wait) {
    return now_ns > INT64_MAX - wait ? INT64_MAX : now_ns + wait;
}

sync_schedule sync_schedule_begin(int64_t interval_ns, int64_t now_ns, uint32_t chance) {
    assert(interval_ns > 0);
    sync_schedule s = {.interval_ns = interval_ns, .factor = 1};
    const double share = (double)chance / UINT32_MAX;
    s.next_ns = after(now_ns, (int64_t)((double)span_ns(&s) * share));
    return s;
}

void sync_schedule_looked(sync_schedule *s, int64_t now_ns, bool has_news, uint32_t chance) {
    s->factor = has_news ? 1 : s->factor < SYNC_BACKOFF_MAX ? 2 * s->factor : s->factor;
    s->next_ns = after(now_ns, wait_ns(s, chance));
}

void sync_schedule_hurry(sync_schedule *s, int64_t now_ns, uint32_t chance) {
    s->factor = 1;
    const int64_t next_ns = after(now_ns, wait_ns(s, chance));
    if (next_ns < s->next_ns) s->next_ns = next_ns;
}

int64_t sync_schedule_within_ns(const sync_schedule *s) {
    const int64_t span = span_ns(s);
    return span + span / 4;
}

/* sync_schedule.h: when a search looks at a shared folder of findings. Pure: the caller reads the
 * clock and draws the chances.
 *
 * A fleet of searches must not look at the same time, nor often at a folder where nothing happens.
 * So each waits a span that differs by up to a quarter either way, and that doubles after each look
 * without news. News brings the first span back. */
#ifndef SYNC_SCHEDULE_H
#define SYNC_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

/* The longest span without news, in intervals. */
enum { SYNC_BACKOFF_MAX = 16 };

/* Times are those of one clock that never goes back (clock_now_ns), in nanoseconds. */
typedef struct sync_schedule {
    int64_t interval_ns; /* the span after news; at least 1 */
    int64_t next_ns;     /* time of the next look */
    unsigned factor;     /* the present span, in intervals: a power of 2 up to SYNC_BACKOFF_MAX */
} sync_schedule;

/* The first look is within an interval after now_ns, at any time of it: those who start together do
 * not look together. `chance` is any number; with the next functions it decides how much shorter or
 * longer a span is. */
sync_schedule sync_schedule_begin(int64_t interval_ns, int64_t now_ns, uint32_t chance);

static inline bool sync_schedule_is_due(const sync_schedule *s, int64_t now_ns) {
    return now_ns >= s->next_ns;
}

/* Take a look that was made at now_ns. */
void sync_schedule_looked(sync_schedule *s, int64_t now_ns, bool has_news, uint32_t chance);

/* Take news that did not come by a look: the present span ends no later than an interval after
 * now_ns, and does not become longer. */
void sync_schedule_hurry(sync_schedule *s, int64_t now_ns, uint32_t chance);

/* Return the longest time between the last look and the next one, whatever the chance was. */
int64_t sync_schedule_within_ns(const sync_schedule *s);

#endif

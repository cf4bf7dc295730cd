/* inline_pool.h: what a pool without processes takes at a time: so an engine that looks ahead, as
 * with many jobs, can be run in one process; and a clock for it. */
#ifndef INLINE_POOL_H
#define INLINE_POOL_H

#include <stdint.h>

enum { INLINE_POOL_DEPTH_MAX = 16 };

extern unsigned inline_pool_depth;   /* batches in flight, 1 .. INLINE_POOL_DEPTH_MAX; 2 at first */
extern uint32_t inline_pool_batch;   /* runs of a batch; 1 at first */
extern int64_t inline_pool_later_ns; /* what the clock shows beyond the time, to all but clock.c */

#endif

/* simulated_target.h: a test that fails once a few rare events have happened, and what its runs
 * cost.
 *
 * A run draws messages of `message` bytes each. One in `rarity` of them is an event; the run fails
 * with the last of `events`, having drawn the bytes up to there. So the bytes of a run are a prefix
 * of those of a longer one, and each run is a sample of one distribution, whatever its size. */
#ifndef SIMULATED_TARGET_H
#define SIMULATED_TARGET_H

#include <stdint.h>

typedef struct simulated_target {
    const char *name;
    unsigned events;
    double rarity;
    unsigned message; /* bytes */
    double *fails;    /* by messages: the share of runs that fail within so many; owned */
    uint64_t messages_max;
} simulated_target;

/* Make the table for runs of up to size_max bytes. */
void simulated_target_init(simulated_target *t, uint64_t size_max);
void simulated_target_finish(simulated_target *t);

/* Return the share of the runs of a size that fail. */
double simulated_target_share(const simulated_target *t, uint64_t size);

/* Return the fewest bytes that fail. */
uint64_t simulated_target_minimum(const simulated_target *t);

/* Return the bytes that a run drew which failed with `size` bytes; `chance`: uniform in [0, 1). */
uint64_t simulated_target_drawn(const simulated_target *t, uint64_t size, double chance);

/* Return the seconds that a run takes. */
double simulated_target_seconds(uint64_t drawn);

#endif

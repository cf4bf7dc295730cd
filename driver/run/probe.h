/* probe.h: detects the fastest mode that a target supports. */
#ifndef PROBE_H
#define PROBE_H

#include "containment.h"
#include "mode.h"
#include "report_shm.h"
#include "runner_spawn.h"

/* Detect the fastest mode of a target, and the place where it reports its draws. Runs the target
 * once, below a contained process; a target that does not speak the protocol sees an empty stdin.
 * The mode is MODE_SPAWN also if the target cannot be started. Returns 0; ECANCELED if the deadline
 * passed or interrupt_fd (-1: none) became readable before the answer; or an errno if the system
 * stays too short of resources to run the target. */
int probe_run(containment c, const run_config *config, int interrupt_fd, int64_t deadline_ns,
              run_mode *mode, report_layout *layout);

#endif

/* probe.h: what a system under test can do, found out by asking it. */
#ifndef PROBE_H
#define PROBE_H

#include "containment.h"
#include "mode.h"
#include "report_shm.h"
#include "runner_spawn.h"

/* Find out what a system under test can do, and where it reports what it has drawn. Run it once,
 * below a process that is contained; a program that speaks no protocol sees an empty stdin.
 * MODE_SPAWN where it cannot be started, too. Returns 0; ECANCELED where it had not answered at the
 * deadline, or when interrupt_fd (-1: none) had something to read; or an errno where the system is
 * short of what it takes to ask, though that was waited for. */
int probe_run(containment c, const run_config *config, int interrupt_fd, int64_t deadline_ns,
              run_mode *mode, report_layout *layout);

#endif

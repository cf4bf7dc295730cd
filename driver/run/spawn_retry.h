/* spawn_retry.h: starting a program that may not be ready for it just now. */
#ifndef SPAWN_RETRY_H
#define SPAWN_RETRY_H

#include "proc.h"
#include "runner.h"

/* As proc_spawn; but what passes is waited for: some seconds where the system is short of
 * processes, memory or descriptors, and a second where the program is being written or replaced.
 * *result, which may be NULL, is told of a shortage, and that the watch (also NULL) has cancelled
 * the wait. Returns 0 or an errno. */
int spawn_retry(const proc_command *command, const proc_setup *setup, const runner_watch *watch,
                run_result *result, proc *child);

#endif

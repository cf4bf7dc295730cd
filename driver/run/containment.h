/* containment.h: a process that holds what it starts, so that nothing outlives it.
 *
 * Where permitted it is pid 1 of a pid namespace, with its own mounts and /proc: its end, however
 * it comes, ends all in it. Elsewhere it is a subreaper (proc.h), which sweeps what runs leave
 * behind. */
#pragma once

#include "failure.h"

#include <sys/types.h>

/* Return the name, such as "pid namespace". */
const char *containment_name(containment c);

/* Return the best containment that this process is permitted, by trying. Many container engines
 * refuse pid namespaces, and some distributions refuse unprivileged user namespaces. */
containment containment_detect(void);

/* Fork a contained process in its own session; it gets SIGKILL when the caller ends. If it is pid 1
 * of a pid namespace, it has its own mounts and /proc, no process in the namespace outlives it, and
 * the processes that it starts can neither kill nor stop it. Returns -1 with errno if the fork
 * fails. A process that was forked, but is refused something it needs, exits nonzero. */
pid_t containment_fork(containment c);

/* ---- The numbers of processes ---- */

typedef struct pid_block {
    int fd; /* of ns_last_pid; -1: the numbers are those of the system */
    long first, count;
} pid_block;

/* Give the namespace of a contained worker, one of so many of a driver, numbers of its own. */
pid_block pid_block_begin(pid_t driver_pid, unsigned worker, unsigned workers);

/* Begin again where the block ends. A batch may take as many numbers as a quarter of it. */
void pid_block_go_on(const pid_block *b);

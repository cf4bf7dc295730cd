/* containment.h: how the process that starts runs is kept apart, so that nothing of them outlives
 * it, however it ends. */
#ifndef CONTAINMENT_H
#define CONTAINMENT_H

#include <stdint.h>
#include <sys/types.h>

/* From what any process may have to what only some machines grant. */
typedef enum containment {
    CONTAINMENT_SUBREAPER, /* it takes in orphans, and ends them one by one */
    CONTAINMENT_USER,      /* it is pid 1 of a pid namespace, inside a user namespace */
    CONTAINMENT_NAMESPACE  /* it is pid 1 of a pid namespace */
} containment;

/* In words, as "pid namespace". */
const char *containment_name(containment c);

/* The best that this process is granted, found out by trying: pid namespaces are refused by many
 * container engines, and unprivileged user namespaces by some distributions. */
containment containment_detect(void);

/* fork(), into a process so contained, with a session of its own, that gets SIGKILL when the caller
 * ends. Where it is pid 1 of a pid namespace, with mounts and a /proc of its own, nothing in the
 * namespace outlives it, and what it starts can neither kill nor stop it. -1 with errno where it
 * cannot be made; one that is made, and not granted what it needs, exits nonzero. */
pid_t containment_fork(containment c);

/* Told each time that a process has to wait for what others have taken all of: the errno, and how
 * long so far. */
typedef void shortage_told(void *told, int error_number, int64_t waited_ns);

/* The same, but waits (backoff.h) while the system is short of processes or memory. `tell` may be
 * NULL. */
pid_t containment_fork_patiently(containment c, shortage_told *tell, void *told);

#endif

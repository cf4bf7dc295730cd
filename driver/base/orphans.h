/* orphans.h: children of this process that it did not start, or no longer waits for: orphaned
 * descendants, which the kernel reparents to it. Also threads that await a tracer, and /proc. */
#ifndef ORPHANS_H
#define ORPHANS_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* From now on orphans among the descendants of this process become its children. No effect if it
 * already had children before its exec: those are spared, so their orphans would need sparing too,
 * but cannot be distinguished from ours. */
void orphans_adopt(void);

/* Forget the spared children, in a process that was just forked: they are not its children. */
void orphans_begin_process(void);

/* Declare that this process is pid 1 of a pid namespace that contains only its descendants:
 * orphans_sweep can kill them all at once. */
void orphans_own_namespace(void);

/* Exempt a child from orphans_sweep, until it is unspared. */
void orphans_spare(pid_t child);
void orphans_unspare(pid_t child);

/* Kill and reap all children that are not spared, and those that become children meanwhile. Costs
 * one system call if there are no children. Takes at most ORPHANS_SWEEP_MS: a child that cannot be
 * killed (it runs as another user) or does not die is given up. Processes may fork faster than they
 * are found. In a namespace of its own, this process then kills all others, including spared ones,
 * which the caller still reaps. */
enum { ORPHANS_SWEEP_MS = 2000 };
void orphans_sweep(void);

/* Send SIGKILL to all descendants of a process. One of them may trace the process, and stop it at
 * its end (PTRACE_O_TRACEEXIT), before the kernel reparents its children to this process. */
void orphans_kill_descendants(pid_t pid);

/* Return the number of living children of a process; 0 also if the kernel does not list them. */
unsigned orphans_count_children(pid_t pid);

/* Spare a child for good, since it cannot be killed. */
void orphans_give_up(pid_t child);

/* Return the pid of the first child given up since the last call; 0: none. ORPHANS_UNKNOWN: the
 * kernel did not list the children to a sweep. */
enum { ORPHANS_UNKNOWN = -1 };
pid_t orphans_take_given_up(void);

/* ---- Children that asked this process to trace them (PTRACE_TRACEME); it does not ---- */

/* Resume a thread that has stopped for this signal, untraced. The thread gets the signal, except
 * for the SIGTRAP that an exec under a tracer sends itself. */
void traced_let_go(pid_t thread, int signal_number);

/* Resume all stopped threads of a child except the first. Reap a thread that has ended, since its
 * process cannot be reaped before. */
void traced_let_threads_go(pid_t child);

/* ---- /proc, which is held open: a run of root can unmount it ---- */

/* Open /proc, unless it is held. Call it before any run. */
void procfs_hold(void);

/* Close it, in a process with another /proc, or that closes all descriptors. */
void procfs_drop(void);

/* Open a file of /proc, or the list of the threads of a process. NULL if there is none. */
FILE *procfs_open(const char *path);
DIR *procfs_open_threads(pid_t pid);

#endif

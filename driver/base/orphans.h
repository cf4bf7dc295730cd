/* orphans.h: the children of this process that it did not start itself, or no longer waits for:
 * orphans among its descendants, which the kernel hands to it. */
#ifndef ORPHANS_H
#define ORPHANS_H

#include <stdbool.h>
#include <sys/types.h>

/* From now on orphans among the descendants of this process become its children. Not where it has
 * children already, from before it was this program: those are spared, and so would their orphans
 * have to be, which cannot be told from ours. */
void orphans_adopt(void);

/* This process has just been forked: what was spared are no children of it. */
void orphans_begin_process(void);

/* This process is pid 1 of a pid namespace that holds only what it has started: orphans_sweep can
 * kill all of it at once. */
void orphans_own_namespace(void);

/* A child that orphans_sweep leaves alone, until it is unspared. */
void orphans_spare(pid_t child);
void orphans_unspare(pid_t child);

/* Kill and reap all children that are not spared, and those that become children meanwhile. Costs
 * one system call when there are no children. Takes ORPHANS_SWEEP_MS at most: a child that cannot
 * be killed (it has another user's rights) or does not die is given up. In a namespace of its own,
 * processes that fork faster than they are found are met by killing all of it, spared ones too;
 * those are left to be reaped. */
enum { ORPHANS_SWEEP_MS = 2000 };
void orphans_sweep(void);

/* SIGKILL all descendants of a process. One of them may trace it, and stop it at its end
 * (PTRACE_O_TRACEEXIT), before it hands them to us. */
void orphans_kill_descendants(pid_t pid);

/* Spare a child for good, since it cannot be killed. */
void orphans_give_up(pid_t child);

/* The pid of a child that was given up since this was last asked; 0: there is none. */
pid_t orphans_take_given_up(void);

#endif

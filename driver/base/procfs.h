/* procfs.h: /proc, which is held open: a run of root can unmount it. */
#ifndef PROCFS_H
#define PROCFS_H

#include <dirent.h>
#include <stdio.h>
#include <sys/types.h>

/* Open /proc, unless it is held. Call it before any run. */
void procfs_hold(void);

/* Close it, in a process with another /proc, or that closes all descriptors. */
void procfs_drop(void);

/* Open a file of /proc, or the list of the threads of a process. NULL if there is none. */
FILE *procfs_open(const char *path);
DIR *procfs_open_threads(pid_t pid);

#endif

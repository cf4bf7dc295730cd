/* start.h: starting a program that may not be ready for it just now. */
#ifndef START_H
#define START_H

#include "proc.h"

/* As proc_spawn; but what passes is waited for, a second at most: a lack of processes, memory or
 * descriptors, and a program that is being written or replaced. Returns 0 or an errno. */
int start_program(const proc_command *command, const proc_setup *setup, proc *child);

#endif

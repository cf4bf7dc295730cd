/* headroom.h: whether a program gets far enough to be tested under a limit of memory. */
#ifndef HEADROOM_H
#define HEADROOM_H

#include "containment.h"
#include "runner_spawn.h"
#include "target_command.h"

/* See that the program can run under config->memory_max at all, for which it may have to be started
 * on empty input. Says itself why it cannot. True as well when that could not be found out, as when
 * interrupt_fd has something to read: whoever runs it next will see the same. */
bool headroom_check(const target_command *s, containment c, const run_config *config,
                    int interrupt_fd, int64_t deadline_ns);

#endif

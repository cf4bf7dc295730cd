#include "start.h"

#include "clock.h"
#include "outcome.h"

#include <errno.h>
#include <time.h>

/* A linker removes the old program, and writes the new one before it makes it executable. */
static bool is_passing(int error) {
    return outcome_fault_of_exec(error) == FAULT_SYSTEM || error == ETXTBSY || error == ENOENT ||
           error == EACCES || error == ENOEXEC;
}

int start_program(const proc_command *command, const proc_setup *setup, proc *child) {
    enum { PAUSE_MAX_MS = 64 };
    const int64_t deadline_ns = clock_after(clock_now_ns(), CLOCK_NS_PER_S);
    for (long pause_ms = 1;; pause_ms = pause_ms < PAUSE_MAX_MS ? 2 * pause_ms : pause_ms) {
        const int error = proc_spawn(command, setup, child);
        if (error == 0 || !is_passing(error) || clock_now_ns() >= deadline_ns) return error;
        /* The ticks of a worker end it early: no count of pauses makes a second. */
        nanosleep(&(struct timespec){0, pause_ms * CLOCK_NS_PER_MS}, NULL);
    }
}

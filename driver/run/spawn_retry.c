#include "spawn_retry.h"

#include "backoff.h"
#include "clock.h"

#include <errno.h>
#include <time.h>

/* A linker removes the old program, and writes the new one before it makes it executable. */
static bool is_being_rebuilt(int error) {
    return error == ETXTBSY || error == ENOENT || error == EACCES || error == ENOEXEC;
}

static bool is_cancelled(const runner_watch *watch, run_result *result) {
    if (watch == NULL || result == NULL) return false;
    if (runner_is_cancelled(watch)) result->cancelled = true;
    return result->cancelled;
}

/* False when it has been short for long enough, or nobody waits for the run any more. */
static bool wait_for_system(backoff *waits, int error, const runner_watch *watch,
                            run_result *result) {
    if (result != NULL) {
        result->short_of = error;
        result->waited_ns = waits->waited_ns;
    }
    runner_go_on(watch, CLOCK_NS_PER_S);
    return !is_cancelled(watch, result) && backoff_wait(waits);
}

int spawn_retry(const proc_command *command, const proc_setup *setup, const runner_watch *watch,
                run_result *result, proc *child) {
    enum { PAUSE_MAX_MS = 64 };
    const int64_t deadline_ns = clock_after(clock_now_ns(), CLOCK_NS_PER_S);
    backoff waits = {0};
    long pause_ms = 1;
    for (;;) {
        const int error = proc_spawn(command, setup, child);
        if (backoff_helps(error)) {
            if (!wait_for_system(&waits, error, watch, result)) return error;
        } else if (is_being_rebuilt(error) && clock_now_ns() < deadline_ns) {
            runner_go_on(watch, CLOCK_NS_PER_S);
            nanosleep(&(struct timespec){0, pause_ms * CLOCK_NS_PER_MS}, NULL);
            if (pause_ms < PAUSE_MAX_MS) pause_ms *= 2;
        } else {
            return error;
        }
    }
}

#include "outcome.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

outcome outcome_of_end(int status, bool timed_out) {
    const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    outcome o = outcome_of_status(status);
    if (timed_out && killed) o.verdict = VERDICT_TIMEOUT;
    return o;
}

outcome_fault outcome_fault_of_exec(int error_number) {
    switch (error_number) {
    case EAGAIN:
    case ENOMEM:
    case EMFILE:
    case ENFILE: return FAULT_SYSTEM;
    default: return FAULT_EXEC;
    }
}

identity outcome_identity(const outcome *o) {
    assert(outcome_failed(o));
    if (o->verdict == VERDICT_TIMEOUT) return (identity){IDENTITY_TIMEOUT, 0};
    return identity_of_status(o->status);
}

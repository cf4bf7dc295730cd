#include "outcome.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

static bool holds(const bytes_tail *tail, const char *words) {
    return memmem(tail->bytes, tail->size, words, strlen(words)) != NULL;
}

/* True if the dynamic linker reported that a program cannot run here: exit status 127 and a
 * line. */
static bool is_linker_error(int status, const bytes_tail *output) {
    return WIFEXITED(status) && WEXITSTATUS(status) == 127 &&
           (holds(output, ": error while loading shared libraries: ") ||
            holds(output, ": symbol lookup error: "));
}

outcome outcome_of_end(int status, bool timed_out, const bytes_tail *output) {
    const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    outcome o = outcome_of_status(status);
    if (output != NULL && is_linker_error(status, output)) return outcome_error(FAULT_LINKER, 0);
    if (timed_out && killed) o.verdict = VERDICT_TIMEOUT;
    return o;
}

bool outcome_is_of_memory(const measured_run *run, const measured_run *again, uint64_t memory_max,
                          uint64_t floor) {
    const uint64_t held = run->held, held_again = again->held;
    if (!outcome_failed(&again->end)) return true;
    if (!signature_equal(outcome_signature(&run->end), outcome_signature(&again->end))) return true;
    /* A target whose demand at most doubles, and which asks before it takes, has then held more
     * than the limit. It is unknown how much of its address space is never held, so half as much
     * again is enough as well. */
    return (held_again > memory_max && held_again > floor) || held_again > held + held / 2;
}

outcome_fault outcome_fault_of_exec(int error_number) {
    switch (error_number) {
    case EAGAIN:
    case ENOMEM:
    case EMFILE:
    case ENFILE:
    case ENOBUFS: return FAULT_SYSTEM;
    default: return FAULT_EXEC;
    }
}

signature outcome_signature(const outcome *o) {
    assert(outcome_failed(o));
    if (o->verdict == VERDICT_TIMEOUT) return (signature){SIGNATURE_TIMEOUT, 0};
    return signature_of_status(o->status);
}

failure_cause outcome_cause(signature failed, const outcome *again) {
    const bool was_hung = failed.kind == SIGNATURE_TIMEOUT;
    if (again->verdict == VERDICT_MEMORY) return CAUSE_MEMORY;
    if (again->verdict == VERDICT_STUCK) return CAUSE_WORKER;
    return again->verdict == VERDICT_PASS && was_hung ? CAUSE_TIMEOUT : CAUSE_NONE;
}

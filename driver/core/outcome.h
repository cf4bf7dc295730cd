/* outcome.h: how one run ended. */
#ifndef OUTCOME_H
#define OUTCOME_H

#include "bytes.h"
#include "failure_cause.h"
#include "signature.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum verdict {
    VERDICT_PASS,
    VERDICT_FAIL,    /* exited nonzero or died of a signal */
    VERDICT_TIMEOUT, /* outlived its deadline and was killed */
    VERDICT_MEMORY,  /* failed, as it may for want of memory alone; `status` says how */
    VERDICT_STUCK,   /* the worker that made it did not get on, and was killed: says nothing */
    VERDICT_ERROR    /* was never started: says nothing about the system under test */
} verdict;

/* What an error was about. */
typedef enum outcome_fault {
    FAULT_NONE,
    FAULT_EXEC,   /* the program cannot be started: its file, or its interpreter */
    FAULT_LINKER, /* the program was started, but not its shared libraries */
    FAULT_FOLDER, /* the folder that a run works in is gone, or cannot be made */
    FAULT_END,    /* a run cannot be ended: it does not die (ETIME), or waiting for it is refused */
    FAULT_SYSTEM  /* a system call of ours failed: no process, no memory, no descriptor */
} outcome_fault;

/* The drawn field of an outcome when the system under test did not say. */
#define OUTCOME_DRAWN_UNKNOWN UINT64_MAX

typedef struct outcome {
    verdict verdict;
    int status;          /* of waitpid, for a pass or a failure */
    outcome_fault fault; /* for an error */
    int error_number;    /* errno, for all of them but FAULT_LINKER */
    uint64_t drawn;      /* bytes of entropy drawn, or OUTCOME_DRAWN_UNKNOWN */
} outcome;

static inline outcome outcome_error(outcome_fault fault, int error_number) {
    return (outcome){VERDICT_ERROR, 0, fault, error_number, OUTCOME_DRAWN_UNKNOWN};
}

static inline outcome outcome_stuck(void) {
    return (outcome){VERDICT_STUCK, 0, FAULT_NONE, 0, OUTCOME_DRAWN_UNKNOWN};
}

/* A process that ended in time, as waitpid told it. */
static inline outcome outcome_of_status(int status) {
    return (outcome){status == 0 ? VERDICT_PASS : VERDICT_FAIL, status, FAULT_NONE, 0,
                     OUTCOME_DRAWN_UNKNOWN};
}

/* A process that ended, or was killed at its deadline: its own end counts if it came first. What it
 * printed (NULL where nobody knows) tells a program that could not be loaded. */
outcome outcome_of_end(int status, bool timed_out, const bytes_tail *output);

/* A run failed under a limit of `memory_max` bytes, and then ended as `again` says under one of
 * twice as much. Had it failed for want of memory, or does it take whatever it is given? The most
 * memory that they held is told by `held` and `held_again`; neither is below `floor` (bytes), for
 * that is what was measured before they began. */
bool outcome_is_of_memory(const outcome *o, const outcome *again, uint64_t memory_max,
                          uint64_t held, uint64_t held_again, uint64_t floor);

/* What an errno of exec or fork was about: the program, or the state of the system. */
outcome_fault outcome_fault_of_exec(int error_number);

/* A failure is what a search looks for: not a pass, and not an error of ours. */
static inline bool outcome_failed(const outcome *o) {
    return o->verdict == VERDICT_FAIL || o->verdict == VERDICT_TIMEOUT;
}

/* The signature of a failure. */
signature outcome_signature(const outcome *o);

/* Which limit may have made a failure, that has been run again under twice the limits and then
 * ended as `again` says. */
failure_cause outcome_cause(signature failed, const outcome *again);

#endif

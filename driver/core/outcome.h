/* outcome.h: the outcome of one run. */
#ifndef OUTCOME_H
#define OUTCOME_H

#include "bytes.h"
#include "signature.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum verdict {
    VERDICT_PASS,
    VERDICT_FAIL,    /* exited nonzero or died of a signal */
    VERDICT_TIMEOUT, /* outlived its deadline and was killed */
    VERDICT_MEMORY,  /* failed, perhaps only for lack of memory; `status` says how */
    VERDICT_STUCK,   /* its worker made no progress and was killed: says nothing of the target */
    VERDICT_ERROR    /* never started: says nothing of the target */
} verdict;

/* The subject of an error. */
typedef enum outcome_fault {
    FAULT_NONE,
    FAULT_EXEC,   /* the program cannot be started: its file or its interpreter is at fault */
    FAULT_LINKER, /* the program started, but its shared libraries could not be loaded */
    FAULT_FOLDER, /* the working folder of a run is gone or cannot be made */
    FAULT_END,    /* a run cannot be ended: it does not die (ETIME), or the wait for it is
                     refused */
    FAULT_SYSTEM  /* a system call of the driver failed: no process, memory or descriptor */
} outcome_fault;

/* Value of `drawn` in an outcome if the target did not report it. */
#define OUTCOME_DRAWN_UNKNOWN UINT64_MAX

typedef struct outcome {
    verdict verdict;
    int status;          /* wait status of a pass or a failure */
    outcome_fault fault; /* of an error */
    int error_number;    /* errno of any error but FAULT_LINKER */
    uint64_t drawn;      /* bytes of entropy drawn, or OUTCOME_DRAWN_UNKNOWN */
} outcome;

static inline outcome outcome_error(outcome_fault fault, int error_number) {
    return (outcome){VERDICT_ERROR, 0, fault, error_number, OUTCOME_DRAWN_UNKNOWN};
}

static inline outcome outcome_stuck(void) {
    return (outcome){VERDICT_STUCK, 0, FAULT_NONE, 0, OUTCOME_DRAWN_UNKNOWN};
}

/* Return the outcome of a process that ended in time with this wait status. */
static inline outcome outcome_of_status(int status) {
    return (outcome){status == 0 ? VERDICT_PASS : VERDICT_FAIL, status, FAULT_NONE, 0,
                     OUTCOME_DRAWN_UNKNOWN};
}

/* Return the outcome of a process that ended, or was killed at its deadline. Its own end counts if
 * it came first. The output (NULL if unknown) shows that a program could not be loaded. */
outcome outcome_of_end(int status, bool timed_out, const bytes_tail *output);

/* A run whose memory was measured. */
typedef struct measured_run {
    outcome end;
    uint64_t held; /* the most bytes that it held */
} measured_run;

/* True if memory may have caused the failure of a run under a limit of `memory_max` bytes: the run
 * lacked memory, or the target takes all memory that it gets. `again` is a rerun under twice the
 * limit. Neither held fewer than `floor` bytes, which were measured before they began. */
bool outcome_is_of_memory(const measured_run *run, const measured_run *again, uint64_t memory_max,
                          uint64_t floor);

/* Return the subject of an errno of exec or fork: the program, or the state of the system. */
outcome_fault outcome_fault_of_exec(int error_number);

/* True if the run failed, as a search wants: neither a pass nor an error of the driver. */
static inline bool outcome_failed(const outcome *o) {
    return o->verdict == VERDICT_FAIL || o->verdict == VERDICT_TIMEOUT;
}

/* Return the signature of a failure. */
signature outcome_signature(const outcome *o);

/* Return the limit that may have caused a failure whose rerun under twice the limits ended as
 * `again`. */
failure_cause outcome_cause(signature failed, const outcome *again);

#endif

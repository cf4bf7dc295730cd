/* report.h: what a person reads of a search: each finding, and how it all ended. */
#ifndef REPORT_H
#define REPORT_H

#include "event.h"
#include "subject.h"

typedef enum report_end {
    REPORT_PASSED,       /* nothing failed */
    REPORT_FAILED,       /* `best` is what was found */
    REPORT_INCONCLUSIVE, /* only failures that did not fail again; `best` is the smallest */
    REPORT_STOPPED       /* interrupted before anything failed twice */
} report_end;

/* How a search ended, in what a person wants to know. All is borrowed. */
typedef struct report {
    const subject *subject;
    report_end end;
    bool unfinished; /* stopped by a signal, the budget or an error */
    const failure *best;
    const failure *others; /* the smallest of other signatures */
    size_t other_count;
    uint64_t below, passed; /* so many fresh runs at that size passed, in a row */
    double bound;           /* as in strategy_claim */
    const signature *only;  /* what was searched for; NULL: any failure */
    uint64_t rounds, sizes; /* as in strategy_claim: runs that passed at each of so many sizes */
    uint64_t size_max;
    uint64_t runs, reruns;
    uint64_t limited[CAUSE_COUNT]; /* runs that failed, as that limit alone may have made them */
    int64_t elapsed_ns;
    unsigned jobs;
    uint64_t rng_seed;
} report;

/* One line for a new best, or the smallest failure of another signature. */
void report_failure(const failure *f, bool is_best, const progress *p);
void report_replayed(seed_input t, bool fails);
void report_flaky(const failure *f);
/* `t` is NULL where the run has no size and seed. */
void report_doubted(isolation_violation why, const seed_input *t, bool changes_mode);

/* What is about to be done. `digest` may be NULL. */
void report_start(const subject *s, const char *digest, const char *mode, unsigned jobs,
                  uint64_t rng_seed);

/* How workers are contained, after report_start or the like. */
void report_containment(const char *containment);

/* The summary on standard error. */
void report_summary(const report *r);

/* frng-replay: `failed` of `runs` runs failed as `how` says; `other` of them otherwise than
 * was asked for. */
void report_verdict(uint64_t failed, uint64_t other, uint64_t runs, const char *how);

/* frng-replay: where a debugger finds the entropy. */
void report_wrapped(const char *file, bool by_environment);

/* In place of report_verdict where what wraps the program has ended as `how` says ("": it passed),
 * and the program itself may not have run. */
void report_wrapped_unknown(const char *how);

/* The result line, for standard output: size=41 seed=7, ended by a newline. */
void report_result_line(seed_input t, char *text, size_t text_max);

#endif

/* report_shm.h: the report, memory that a system under test writes and the driver reads. See
 * frng/PROTOCOL.md. What is in it is untrusted: it may be nonsense, and change while it is read. */
#ifndef REPORT_SHM_H
#define REPORT_SHM_H

#include "candidate_set.h"
#include "frng_protocol.h"
#include "runner.h"

#include <stddef.h>
#include <stdint.h>

typedef struct report_shm {
    int fd;
    volatile frng_report *report;
    uint64_t size;        /* bytes mapped */
    uint64_t trace_count; /* records there is room for */
} report_shm;

/* The place of the count of drawn bytes in the report; a width of 0: it is not reported. */
typedef struct report_layout {
    uint64_t drawn_offset;
    uint64_t drawn_width;
} report_layout;

/* With room for a trace of so many records, and a row for each run of a candidate set. Sealed, so
 * that no process can shrink it under us. All is wanted of one run. Returns 0 or an errno. */
int report_shm_init(report_shm *s, uint64_t trace_count);
void report_shm_finish(report_shm *s);

/* Forget what earlier runs told. The next `runs` (at most CANDIDATE_SET_COUNT_MAX) are to tell all
 * they can: a row each, and a trace. 0: they need not, which is faster. */
void report_shm_reset(report_shm *s, uint32_t runs);

/* The layout that a HELLO tells, if it lies within the report; else one that tells nothing. */
report_layout report_shm_check_layout(const frng_message *hello);

/* Bytes drawn, at most `size`; OUTCOME_DRAWN_UNKNOWN for anything else. */
uint64_t report_shm_drawn(const report_shm *s, report_layout layout, uint64_t size);

/* Copies of ours, bounded: the index of the run in progress (at most max), the site ("" for none,
 * control characters escaped), and a record of the trace. */
uint64_t report_shm_run(const report_shm *s, uint64_t max);
void report_shm_copy_site(const report_shm *s, char site[FAILURE_SITE_MAX]);
uint64_t report_shm_traced(const report_shm *s); /* records told, also those that found no room */
frng_trace_record report_shm_record(const report_shm *s, uint64_t at); /* at < trace_count */

/* The report of run `run` when it had passed, with `size` bytes to draw from. */
candidate_pass report_shm_pass(const report_shm *s, uint32_t run, uint64_t size);

/* True if a run has begun to draw since the report was reset: it made its external pass there. */
bool report_shm_has_begun(const report_shm *s);

/* Copy the trace, as far as the candidate set has room for it. */
void report_shm_copy_trace(const report_shm *s, candidate_set *p);

enum { REPORT_SHM_OFFER_MAX = 64 };

/* FRNG_DRIVER=..., for the environment of the system under test. -1 for a control or entropy
 * descriptor that it does not get. */
void report_shm_offer(const report_shm *s, int control, int entropy,
                      char offer[REPORT_SHM_OFFER_MAX]);

/* An environment with the offer added; the strings are borrowed, the array is freed by the caller.
 * NULL when out of memory. */
char **report_shm_environment(char *const *envp, char *offer);

#endif

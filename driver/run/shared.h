/* shared.h: the report, memory that a system under test writes and the driver reads. See
 * frng/PROTOCOL.md. What is in it is untrusted: it may be nonsense, and change while it is read. */
#ifndef SHARED_H
#define SHARED_H

#include "candidate_set.h"
#include "frng_protocol.h"
#include "runner.h"

#include <stddef.h>
#include <stdint.h>

typedef struct shared {
    int fd;
    volatile frng_report *report;
    uint64_t size;        /* bytes mapped */
    uint64_t trace_count; /* records there is room for */
} shared;

/* Where in the report the count of bytes drawn is; a width of 0: it is not told. */
typedef struct shared_layout {
    uint64_t drawn_offset;
    uint64_t drawn_width;
} shared_layout;

/* With room for a trace of so many records, and a row for each run of a candidate set. Sealed, so
 * that nobody can shrink it under us. All is wanted of one run. Returns 0 or an errno. */
int shared_init(shared *s, uint64_t trace_count);
void shared_finish(shared *s);

/* Forget what earlier runs told. The next `runs` (at most CANDIDATE_SET_COUNT_MAX) are to tell all
 * they can: a row each, and a trace. 0: they need not, which is faster. */
void shared_reset(shared *s, uint32_t runs);

/* The layout that a HELLO tells, if it lies within the report; else one that tells nothing. */
shared_layout shared_check_layout(const frng_message *hello);

/* Bytes drawn, at most `size`; OUTCOME_DRAWN_UNKNOWN for anything else. */
uint64_t shared_drawn(const shared *s, shared_layout layout, uint64_t size);

/* Copies of ours, bounded: the index of the run in progress (at most max), the site ("" for none,
 * control characters escaped), and a record of the trace. */
uint64_t shared_run(const shared *s, uint64_t max);
void shared_copy_site(const shared *s, char site[FAILURE_SITE_MAX]);
uint64_t shared_traced(const shared *s); /* records told, also those that found no room */
frng_trace_record shared_record(const shared *s, uint64_t at); /* at < trace_count */

/* What run `run` told when it had passed, with `size` bytes to draw from. */
candidate_pass shared_pass(const shared *s, uint32_t run, uint64_t size);

/* Whether a run has begun to draw since the report was reset: it made its external pass there. */
bool shared_has_begun(const shared *s);

/* Copy the trace, as far as the candidate set has room for it. */
void shared_copy_trace(const shared *s, candidate_set *p);

enum { SHARED_OFFER_MAX = 64 };

/* FRNG_DRIVER=..., for the environment of the system under test. -1 for a control or entropy
 * descriptor that it does not get. */
void shared_offer(const shared *s, int control, int entropy, char offer[SHARED_OFFER_MAX]);

/* An environment with the offer added; the strings are borrowed, the array is freed by the caller.
 * NULL when out of memory. */
char **shared_environment(char *const *envp, char *offer);

#endif

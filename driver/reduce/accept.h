/* accept.h: apply the result of a candidate to the best test case so far. */
#ifndef ACCEPT_H
#define ACCEPT_H

#include "failure.h"
#include "testcase.h"

typedef struct candidate_set candidate_set;
typedef struct reduction reduction;
typedef struct run_result run_result;

/* Return the run that drew `drawn` of these bytes, with the records of its set. */
traced_run accept_trace(const candidate_set *set, const uint8_t *bytes, size_t size,
                        uint64_t drawn);

/* Make the test case of a run. Emits the first record that the bytes contradict: from then on no
 * records are used, and each byte is a draw. False when out of memory, which ends the reduction. */
bool accept_testcase(reduction *r, traced_run run, testcase *t);

/* Return the failure that a run reported, of an input of `size` bytes. Its output lasts until the
 * next such call, or a rerun of it. */
failure accept_failure(reduction *r, const run_result *run, uint64_t size);

/* True if a failure counts (config->filter), as far as its site is known. */
bool accept_counts(const reduction *r, const failure *f);

/* True if a run of these bytes failed in a way that steps accept. A rerun that shows its site
 * cancels everything in flight. */
bool accept_is_alike(reduction *r, const run_result *run, const uint8_t *bytes, uint64_t size);

/* A candidate that was run. */
typedef struct tried_candidate {
    const run_result *run;
    const candidate_set *set;
    uint32_t at;      /* its index in the set */
    size_t draws_max; /* draws of choices that it may make; SIZE_MAX: any count */
    bool keeps_base;  /* if it becomes the best, the base stays */
} tried_candidate;

/* Make a failed candidate the best. Return false if it is not simpler, made too many draws of
 * choices, is uninteresting or, once a test case was flaky, fails less often than the result
 * (confirm_holds). The previous best becomes the base, unless the candidate keeps it. Counting how
 * often a candidate fails, or a rerun that shows its site, cancels everything in flight. */
bool accept_try(reduction *r, const tried_candidate *c);

/* Take the start of a reduction, which was run as choices: the best with the draws that it
 * reported. Return false if it did not fail as before. */
bool accept_start(reduction *r, const run_result *run, const candidate_set *set);

/* Never propose a test case again: it is uninteresting, or the best. */
void accept_bar(reduction *r, const testcase *t);

/* Remember that a candidate passed, and with it all test cases that would draw the same bytes. */
void accept_reject(reduction *r, const candidate_set *set, uint32_t i);

#endif

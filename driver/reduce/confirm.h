/* confirm.h: announce a best only after it failed again in a fresh process. */
#ifndef CONFIRM_H
#define CONFIRM_H

#include "testcase.h"

typedef struct failure failure;
typedef struct reduction reduction;

enum { CONFIRM_TRIES = 20 }; /* limit of runs of the input until it first fails */

/* Rerun a test case `times` times in fresh processes, or until a rerun does not fail. True if all
 * failed. */
bool confirm_repeats(reduction *r, const testcase *t, failure *f, unsigned times);

/* Rerun a test case until it has `times` reruns in all, to know how often it fails. */
void confirm_count(reduction *r, const testcase *t, failure *f, unsigned times);

/* Measure how often a test case fails, by failure_reruns_due reruns in all, or three times as many
 * if it is flaky. */
void confirm_measure(reduction *r, const testcase *t, failure *f);

/* True if a test case fails as often as the result that it would replace; for use once a test case
 * was flaky. If the result always failed, the test case must fail in all failure_reruns_due reruns;
 * if the result had few reruns, it gets more first, for it may have failed by luck. If the result
 * is flaky, the test case must fail as often as the first rung: it is rejected once its share of up
 * to three times as many reruns is lower with 97.5% confidence. */
bool confirm_holds(reduction *r, const testcase *t, failure *f);

/* Rerun the best until it has `times` reruns in all, and announce it. False if the client stops or
 * if a rerun passes and another test case becomes the best. */
bool confirm_best(reduction *r, unsigned times);

/* Make the best, which failed again, the result. Keep the previous result as a rung to go back to,
 * if it is short enough. */
void confirm_keep(reduction *r);

/* Add a rung, which takes the bytes over. */
void confirm_keep_rung(reduction *r, testcase *bytes, const failure *f);

/* Announce the result if it was not announced yet. */
void confirm_announce_best(reduction *r);

/* True if the best waits to be confirmed and announced. */
bool confirm_is_due(const reduction *r);

/* Rerun the failures of other signatures that candidates met, and announce those that repeat. */
void confirm_others(reduction *r);

void confirm_announce(reduction *r, const failure *f, const testcase *t, bool is_best);
/* Emit the last step, which a pass of this name made. */
void confirm_emit_step(reduction *r, const char *name);
void confirm_emit_progress(reduction *r);
void confirm_emit_flaky(reduction *r, const failure *f);

#endif

/* confirm.h: a best is announced only after it failed again in a fresh process. */
#ifndef CONFIRM_H
#define CONFIRM_H

#include "reduction_state.h"

enum { CONFIRM_TRIES = 20 }; /* that what it is to begin from gets, to fail in */

/* Run a test case in fresh processes until it did not fail in one, or `times` did. */
bool confirm_repeats(reduction *r, const testcase *t, failure *f, unsigned times);

/* The same, until it was run so often in all: to know how often it fails. */
void confirm_count(reduction *r, const testcase *t, failure *f, unsigned times);

/* Run a test case until it is known how often it fails: failure_reruns_due times, and three times
 * as often where it does not always. */
void confirm_measure(reduction *r, const testcase *t, failure *f);

/* Once something was flaky: true if a test case fails as often as the result that it is to replace.
 * Where that failed always it has to fail in failure_reruns_due reruns; where that is doubtful, for
 * it was not run often, it is run more often first. Else it has to fail as often as what it all
 * began from: it does not as soon as its share of up to three times so many reruns is below that
 * with 97.5% confidence. */
bool confirm_holds(reduction *r, const testcase *t, failure *f);

/* Run the best again until it failed so often in all, and announce it. False if it passes: another
 * one is the best now. */
bool confirm_best(reduction *r, unsigned times);

/* The best failed again: it is what the result is, if nothing better comes. What was that before is
 * kept to go back to, if it is short enough; a rung takes the bytes over. */
void confirm_keep(reduction *r);
void confirm_keep_rung(reduction *r, testcase *bytes, const failure *f);

/* Announce the result, if it was not. */
void confirm_announce_best(reduction *r);

/* True if the best waits to be confirmed and announced. */
bool confirm_is_due(const reduction *r);

/* Failures of other signatures were met: run them again, and announce those that fail again. */
void confirm_others(reduction *r);

void confirm_announce(reduction *r, const failure *f, const testcase *t, bool is_best);
void confirm_emit_progress(reduction *r);
void confirm_emit_flaky(reduction *r, const failure *f);

#endif

/* verify.h: nothing is told that did not fail again. */
#ifndef VERIFY_H
#define VERIFY_H

#include "reducer.h"

enum { VERIFY_TRIES = 20 }; /* runs that tell how often something flaky fails */

/* Run a test case in fresh processes until it did not fail in one, or `times` did. */
bool verify_repeats(reducer *r, const testcase *t, failure *f, unsigned times);

/* The same, until it was run so often in all: to know how often it fails. */
void verify_count(reducer *r, const testcase *t, failure *f, unsigned times);

/* See the best fail again, so often in all, and tell it. False when it does not, and another one is
 * the best now. */
bool verify_best(reducer *r, unsigned times);

/* The best failed again: it is what the result is, if nothing better comes. */
void verify_keep(reducer *r);

/* Whether the best waits to be verified and told. */
bool verify_is_due(const reducer *r);

/* Failures of other identities were met: see whether they fail again, and tell those that do. */
void verify_others(reducer *r);

void verify_announce(reducer *r, const failure *f, const testcase *t, bool is_best);
void verify_tell_progress(reducer *r);
void verify_tell_flaky(reducer *r, const failure *f);

#endif

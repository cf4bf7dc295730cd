/* reruns.h: rerun a failure until it is known whether it repeats. */
#ifndef RERUNS_H
#define RERUNS_H

#include "client.h"
#include "failure.h"

/* Make the failure of a run of this input. It has no reruns and no output. */
void failure_of_run(failure *f, const run_result *r, seed_input input);

/* An input to rerun, and the failure that counts its reruns and takes the output of the last one
 * that counted. */
typedef struct reruns_job {
    client_input input;
    failure *failure;
    const failure *like; /* a rerun counts only if it fails like this one; NULL: in any way */
} reruns_job;

typedef enum reruns_until {
    RERUNS_ALL,       /* make all reruns */
    RERUNS_UNTIL_PASS /* stop at the first rerun that does not count: the failure is flaky */
} reruns_until;

/* Rerun a failure, each time in a fresh process, until it has `count` reruns in all. Reruns get
 * twice the limits until one has failed. The pool must be idle before, and is idle afterwards.
 * Return true if each rerun made here failed and the client is still running. */
bool reruns_make(client *c, const reruns_job *what, unsigned count, reruns_until until);

#endif

/* reruns.h: run a failure again until it is known whether it repeats. */
#ifndef RERUNS_H
#define RERUNS_H

#include "client.h"
#include "failure.h"

/* What is run again, and where its reruns are counted. */
typedef struct reruns_job {
    client_input input;
    failure *failure;
    const failure *like; /* reruns must fail like this one to count; NULL: in any way */
    bytes_tail *output;  /* of the last rerun that counted; NULL: it is dropped */
} reruns_job;

typedef enum reruns_until {
    RERUNS_ALL,       /* all reruns are made */
    RERUNS_UNTIL_PASS /* the first rerun that does not count ends it: the failure is flaky */
} reruns_until;

/* Rerun a failure, each time in a fresh process, until it has `count` of them in all. Until one
 * has failed, all get twice the limits. Nothing else may be under way in the pool; nothing is
 * afterwards. Return true if each rerun made here failed, and the client is still running. */
bool reruns_make(client *c, const reruns_job *what, unsigned count, reruns_until until);

#endif

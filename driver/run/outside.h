/* outside.h: whether a failure also fails outside of the user namespace of the workers.
 *
 * In it, files of other users have another owner, and some calls are refused. */
#pragma once

#include "engine.h"
#include "failure_table.h"

typedef struct outside_look {
    bool is_inside;       /* the workers are in a user namespace; else nothing is looked at */
    failure_table *found; /* marks those that fail outside, too */
} outside_look;

/* True if a failure that failed again is the first of its signature, or (`is_last`) its input was
 * not looked at. */
bool outside_is_due(const outside_look *o, const failure *f, bool is_last);

/* Rerun a failure outside, as its user runs the program. Return false if the user namespace is why
 * it fails: there it ends otherwise in all reruns, and here in none. Then the event OUTSIDE tells
 * so, and the workers are outside from now on. If only some pass, it is flaky, and they count.
 * Return false also if the client stopped before that is known of a signature. Where it is false,
 * the failure counts as one without reruns. The pool must be idle. */
bool outside_stands(outside_look *o, client *c, const reruns_job *what);

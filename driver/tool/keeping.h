/* keeping.h: the failures of a session become findings, and the user reads what is amiss: one line
 * when findings cannot be stored, one when they are again, one when another folder is there. */
#ifndef KEEPING_H
#define KEEPING_H

#include "finding.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct event event;
typedef struct session session;
typedef struct store_stamp store_stamp;

/* Keep a failure as a finding. `kept` has its bytes, or none: its seed suffices. Return true if it
 * is on disk; false without --findings. */
bool keeping_save(session *s, const failure *f, finding kept);

/* Return the path of the finding of a failure, which the caller frees. NULL if it is not on disk,
 * as without --findings, or out of memory. */
char *keeping_path(const session *s, const failure *f, const uint8_t *bytes);

/* Write the final reruns of a failure that is stored, and what `kept` has: its remarks, and what a
 * reduction says. */
void keeping_conclude(session *s, const failure *f, finding kept);

/* Keep the failure of an event of a search, before the event goes to the sinks. */
void keeping_take(session *s, const event *e);

/* Try again what is only in memory, at each sync. `seen` is what store_look has just seen; NULL:
 * look. */
void keeping_retry(session *s, const store_stamp *seen);

/* The same at the end: what is not on disk makes the exit status 4. */
void keeping_finish(session *s);

#endif

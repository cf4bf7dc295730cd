/* worker.h: reports what a search does in workers/NAME.json of its findings folder, where
 * frng-status reads it. */
#ifndef WORKER_H
#define WORKER_H

#include "session.h"

#include <stdbool.h>
#include <stdint.h>

/* Seconds between two reports of a search without --sync. */
enum { WORKER_EVERY_S = 60 };

typedef struct worker_options {
    const char *findings; /* the folder of the fleet */
    const char *name;     /* NULL: host, process and start */
    bool is_canary;
    int64_t every_ns; /* between reports; 0: WORKER_EVERY_S */
} worker_options;

typedef struct worker worker;

/* Begin to report a search that is prepared (session_prepare), and add to the totals of an earlier
 * one of this name. A file that cannot be read is set aside. Prints what goes wrong, which never
 * ends the search. NULL when out of memory; all calls take NULL. */
worker *worker_create(const session *s, const worker_options *o);
void worker_destroy(worker *w);

/* Take an event of the search. Reports what is overdue, so that only a search which stands still is
 * silent. */
void worker_take(worker *w, const event *e);

/* Report now, and promise the next report within every_ns. */
void worker_sign(worker *w, int64_t every_ns);

/* Count a finding that could not be saved, or a folder that could not be used. */
void worker_count_error(worker *w);

/* Report the end of the search. `signal_number` is that of the signal that ended it, or 0. */
void worker_end(worker *w, const summary *of, int signal_number);

#endif

/* beacon.h: reports what a search does in workers/NAME.json of its findings folder, where
 * frng-status reads it. */
#pragma once

#include <stdint.h>

typedef struct event event;
typedef struct session session;
typedef struct summary summary;

/* Seconds between two reports of a search without --sync. A fleet that looks at its folder less
 * often than that spares its file server. */
enum { BEACON_EVERY_S = 60 };

typedef struct beacon beacon;

/* Begin to report a search that is prepared (session_prepare), if its options ask for that, and
 * add to the totals of an earlier one of this name. Where that is alive, or cannot be read, this
 * one reports as NAME-PID. Prints what goes wrong, which never ends the search. NULL when out of
 * memory, too; all calls take NULL. */
beacon *beacon_create(const session *s);
void beacon_destroy(beacon *b);

/* Take an event of the search. Reports what is overdue, so that only a search which stands still is
 * silent. */
void beacon_take(beacon *b, const event *e);

/* Report if that is overdue, while the search waits for a reduction. */
void beacon_beat(beacon *b);

/* Report now, and promise the next report within every_ns, or sooner: a search whose looks at the
 * folder become rarer goes on to report as often as it was to look, unless that is seldom
 * (BEACON_EVERY_S) and the fleet may be large. */
void beacon_sign(beacon *b, int64_t every_ns);

/* Report the end of the search. `signal_number` is that of the signal that ended it, or 0. */
void beacon_end(beacon *b, const summary *of, int signal_number);

/* fleet_report.h: what a search tells of itself in its log, where frng-status reads it. */
#pragma once

#include <stdint.h>

typedef struct event event;
typedef struct session session;

/* Seconds between two signs of life of a search without --sync. A fleet that looks at its folder
 * less often than that spares its file server. */
enum { FLEET_REPORT_EVERY_S = 60 };

typedef struct fleet_report fleet_report;

/* Begin the log of a search that is prepared (session_prepare), if its options ask for that. Prints
 * what goes wrong, which never ends the search. NULL: it does not report; all calls take NULL. */
fleet_report *fleet_report_open(const session *s);
void fleet_report_close(fleet_report *r);

/* Take an event of the search, in its order. */
void fleet_report_take(fleet_report *r, const event *e);

/* Give a sign now, and promise the next within every_ns, or sooner: a search whose looks at the
 * folder become rarer goes on to report as often as it was to look, unless that is seldom
 * (FLEET_REPORT_EVERY_S) and the fleet may be large. */
void fleet_report_sign(fleet_report *r, int64_t every_ns);

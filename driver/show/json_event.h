/* json_event.h: events as JSON objects, with the fields that events.def lists. */
#ifndef JSON_EVENT_H
#define JSON_EVENT_H

#include "event.h"
#include "event_lines.h"
#include "failure.h"
#include "json_set.h"

#include <jansson.h>

/* Most bytes of an input that an event shows as hex. */
enum { JSON_EVENT_HEX_MAX = JSON_SET_HEX_MAX };

/* What fields need beside the event. */
typedef struct json_context {
    const run_setup *setup;
    const char *mode;                               /* of the runs, at present */
    const char *(*utc)(char text[SUMMARY_UTC_MAX]); /* the wall clock */
} json_context;

/* Return the event as an object; NULL if events of its kind become no line. */
json_t *json_event_of(const json_context *c, const event *e);

typedef struct ignored_row ignored_row;
typedef struct json_replay json_replay;
typedef struct replay_end replay_end;
typedef struct replay_run replay_run;
typedef struct replay_draw replay_draw;
typedef struct tally_row tally_row;
typedef struct histogram histogram;

/* What the values of events.def speak of. A line needs those that its rows name. */
typedef struct json_scope {
    const run_setup *setup;
    const event *event;
    const summary *end;
    const progress *progress;
    const char *mode, *when; /* when: now */
    found_input found;       /* without a failure: none */
    rerun_count seen;        /* runs that show how often it fails */
    const run_claim *claim;
    bool has_failed; /* the claim is about smaller failures than the best */
    const wrong_record *wrong;
    const explanation *explanation;
    size_t draw; /* of the explanation */
    const ignored_row *ignored;
    const pass_statistics *pass;
    const tally *tally;
    const tally_row *row;
    const histogram *values;
    const json_replay *replay;
    const replay_run *run;
    const replay_draw *shown;
    const replay_end *done;
} json_scope;

/* Return a new object: the line or the object of events.def whose bit is `kind`. */
json_t *json_fields(uint64_t kind, const json_scope *v);

#endif

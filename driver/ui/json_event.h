/* json_event.h: which fields an event has as JSON, by a table. events.schema.json says the same to
 * readers. */
#ifndef JSON_EVENT_H
#define JSON_EVENT_H

#include "event.h"
#include "json_set.h"

#include <jansson.h>

/* Version of the events; fields may be added within it. */
enum { JSON_FIELDS_SCHEMA = 1 };

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

/* Return an object with the members that all events have. */
json_t *json_event_begin(const char *event_name);

/* Return the name of a task. */
const char *json_event_task(run_task t);

/* Put `tool`, `task`, `version`, `when`, `host`, `argv` and `digest`. */
void json_event_put_call(json_t *line, const run_setup *setup, const char *task);

/* Put which draw has a wrong record, and what is wrong. */
void json_event_put_wrong_record(json_t *line, const wrong_record *w);

#endif

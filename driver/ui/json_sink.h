/* json_sink.h: events as JSON Lines, for programs. Each line is an object with an `event`. */
#ifndef JSON_SINK_H
#define JSON_SINK_H

#include "event.h"

#include <stdio.h>

/* Events show the bytes of an input as hex up to this size. */
enum { JSON_SINK_HEX_MAX = 4096 };

typedef struct json_sink {
    FILE *out;              /* borrowed; NULL: nothing is written */
    const run_setup *setup; /* of the event STARTED */
    const char *mode;       /* how runs are made now */
    uint64_t last_size;     /* of the last line `size` */
    bool has_size;
    int error; /* errno of the first line that could not be written, or 0 */
} json_sink;

/* The function of an event_sink whose context is a json_sink. A size becomes a line while nothing
 * has failed if it is the largest so far, and later if it changes. */
void json_sink_take(void *context, const event *e);

#endif

/* json_sink.h: events as JSON Lines, for programs. Each line is an object with an `event`. */
#ifndef JSON_SINK_H
#define JSON_SINK_H

#include "event.h"

#include <stdio.h>

/* Most bytes of an input that an event shows as hex. */
enum { JSON_SINK_HEX_MAX = 4096 };

typedef struct json_sink {
    FILE *out;              /* borrowed; NULL: no output */
    const run_setup *setup; /* of the event STARTED */
    const char *mode;       /* current mode of the runs */
    uint64_t last_size;     /* size in the last line `size` */
    bool has_size;
    int error; /* errno of the first line that could not be written, or 0 */
} json_sink;

/* The function of an event_sink whose context is a json_sink. Before the first failure, a size
 * becomes a line only if it is the largest so far; after that, whenever it changes. */
void json_sink_take(void *context, const event *e);

#endif

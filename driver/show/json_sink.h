/* json_sink.h: events as JSON Lines, for programs. Each line is an object with an `event`. */
#ifndef JSON_SINK_H
#define JSON_SINK_H

#include "json_event.h"
#include "json_output.h"
#include "size_counts.h"

/* Steps of a reduction that become lines at first; later ones only if they save much. */
enum { JSON_SINK_STEPS = 4096, JSON_SINK_STEP_SHARE = 256 };

/* Time between signs of life. Progress comes every 100 ms at least, so that a minute has one. */
enum { JSON_SINK_ALIVE_MS = 59500 };

typedef struct json_sink {
    json_output *out;     /* borrowed; NULL: no output */
    json_context context; /* of the event STARTED */
    size_counts *counts;  /* owned; from the first runs to FINISHED */
    uint64_t last_size;   /* size in the last line `size` or `step` */
    uint64_t steps;       /* lines `step` */
    int64_t alive_ns;     /* elapsed time at the last sign of life */
    bool has_size;
    int error; /* errno of the first line that could not be written, or 0 */
} json_sink;

/* The function of an event_sink whose context is a json_sink. Before the first failure, a size
 * becomes a line `size` only if it is the largest so far; after that, whenever it changes. */
void json_sink_take(void *context, const event *e);

#endif

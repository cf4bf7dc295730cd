/* event_lines.h: the lines of events.def and the objects within them, as bits. */
#ifndef EVENT_LINES_H
#define EVENT_LINES_H

#include <stdint.h>

/* Version of the events; fields may be added within it. */
enum { EVENTS_SCHEMA = 1 };

/* Tasks of an EVENT: 1 << run_task, and a replay. */
enum { OF_SEARCH = 1, OF_REDUCE = 2, OF_FILE = 4, OF_REPLAY = 8 };

enum {
#define EVENT(id, ...) AT_##id,
#define OBJECT(id, ...) AT_##id,
#include "events.def"
    AT_MAYBE
};

#define EVENT(id, ...) static const uint64_t id = UINT64_C(1) << AT_##id;
#define OBJECT(id, ...) static const uint64_t id = UINT64_C(1) << AT_##id;
#include "events.def"
static const uint64_t MAYBE = UINT64_C(1) << AT_MAYBE; /* of a row: absent if it would be null */

#endif

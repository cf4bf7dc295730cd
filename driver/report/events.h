/* events.h: reads the events of a search, a reduction or a replay (--json) into a night.
 *
 * Fields that are missing leave out what they say. Events that are not known are counted, as are
 * lines that are no JSON. */
#ifndef EVENTS_H
#define EVENTS_H

#include "night.h"

/* The reader of one file. */
typedef struct events {
    night *night;
    const char *source;     /* name of the file; borrowed */
    night_program *program; /* of the last start; NULL: none, or there is no room */
    size_t work;            /* index in the program */
    bool is_open;           /* there is a work, to which events belong */
} events;

void events_begin(events *e, night *n, const char *source);

/* Take a line. */
void events_take(events *e, const char *line, size_t size);

/* Take all lines of an open file. Returns 0 or an errno. */
int events_read(night *n, int fd, const char *source);

#endif

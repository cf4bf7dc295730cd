/* events_file.h: the file of --json. */
#ifndef EVENTS_FILE_H
#define EVENTS_FILE_H

#include "json_line.h"

/* Open a file for events, which go to its end; "-" is standard output. Waits for the reader of a
 * pipe. Returns false after a message. */
bool events_file_open(json_output *o, const char *name);

/* True if the events go to standard output, in place of results. NULL: there are none. */
bool events_file_is_stdout(const json_output *o);

/* Close the file, if it is one (NULL: nothing). */
void events_file_close(const json_output *o);

#endif

/* stream.h: writes to pipes and terminals whose readers may stop reading. */
#ifndef STREAM_H
#define STREAM_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

/* Set the signals that stop the tool, which it keeps blocked and checks for itself. */
void stream_heed_signals(const sigset_t *stopping);

/* Wait until the stream accepts a few kilobytes. Meanwhile the signals are unblocked and end the
 * process, which could not check for them. */
void stream_wait(FILE *stream);

/* Write the whole text, and flush it and earlier output. False with errno on an error. */
bool stream_write(FILE *stream, const char *text);

/* Write all bytes to a descriptor, continuing after signals. Returns 0 or an errno. */
int stream_write_all(int fd, const void *bytes, size_t size);

#endif

/* stream.h: writes to pipes and terminals whose readers may stop reading. */
#ifndef STREAM_H
#define STREAM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Set the signals that stop the tool, which it keeps blocked and checks for itself. */
void stream_heed_signals(const sigset_t *stopping);

/* Wait until the stream accepts a few kilobytes. Meanwhile the signals are unblocked and end the
 * process, which could not check for them. */
void stream_wait(FILE *stream);

/* Write the whole text, and flush it and earlier output. False with errno on an error. */
bool stream_write(FILE *stream, const char *text);

/* The same for a descriptor. Returns 0 or an errno. */
int stream_send(int fd, const char *text, size_t size);

/* Write all bytes to a descriptor by one call, as long as the system takes them all; continue after
 * signals. Returns 0 or an errno. *done is the number of bytes that were written. */
int stream_write_counted(int fd, const void *bytes, size_t size, size_t *done);
int stream_write_all(int fd, const void *bytes, size_t size);

#endif

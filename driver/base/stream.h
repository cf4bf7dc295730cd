/* stream.h: writing to pipes and terminals, whose readers may stop reading. */
#ifndef STREAM_H
#define STREAM_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

/* The signals that stop a tool, which it holds back and looks for itself. */
void stream_heed_signals(const sigset_t *stopping);

/* Wait until the stream takes a few kilobytes. The signals act as usual meanwhile: they end the
 * process, which could not look for them. */
void stream_wait(FILE *stream);

/* Write all of the text, and flush what was written before. False with errno when that failed. */
bool stream_write(FILE *stream, const char *text);

/* Write all of the bytes to a descriptor, however often a signal interrupts that. Returns 0 or an
 * errno. */
int stream_write_all(int fd, const void *bytes, size_t size);

#endif

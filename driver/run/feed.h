/* feed.h: entropy going into a run through a pipe. */
#ifndef FEED_H
#define FEED_H

#include <stdint.h>

typedef struct feed {
    int fd;               /* to be watched for POLLOUT; -1 once all is written or nobody reads */
    const uint8_t *bytes; /* borrowed */
    uint64_t left;        /* bytes */
} feed;

/* A feed that brings nothing and has no descriptor. */
#define FEED_NONE ((feed){-1, 0, 0})

/* Open the pipe; *reader is the run's end, to be closed by the caller. Returns 0 or an errno. */
int feed_open(feed *f, const uint8_t *bytes, uint64_t size, int *reader);

/* Write what the pipe takes now. A run that does not read it all is no failure for that. */
void feed_write(feed *f);

void feed_close(feed *f);

#endif

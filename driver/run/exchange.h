/* exchange.h: a server, started when it is needed, and orders to it: the bytes that go with an
 * order, the answer, and what becomes of one that does not come. */
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include "file_stamp.h"
#include "server.h"

typedef struct exchange {
    const spawn_config *config;
    const runner_watch *watch;
    shared report;
    entropy_file entropy; /* for what the server does not expand */
    server server;
    file_stamp program; /* that the server was started from */
    bool cancelled;     /* the batch being run is not wanted any more */
    bool is_plain;      /* no server can be had: it greeted the probe, and nobody since */
} exchange;

/* How an order went. */
typedef enum exchange_end {
    EXCHANGE_DONE,      /* *done says */
    EXCHANGE_HUNG,      /* run done->count outlived its deadline; the server was killed */
    EXCHANGE_CANCELLED, /* given up */
    EXCHANGE_LOST       /* the server is gone or talks nonsense, and was killed */
} exchange_end;

/* Both are borrowed. Returns 0 or an errno, with nothing left open. */
int exchange_init(exchange *x, const spawn_config *config, const runner_watch *watch);
void exchange_finish(exchange *x);

/* Start the server if it is not there. Returns 0 or an errno. */
int exchange_need_server(exchange *x);

/* Stop the server if its program is not what its path names any more: old and new runs are not to
 * be mixed. */
void exchange_heed_program(exchange *x);

/* How many of these runs the server, which is there, can take in one order. 0: it expands seeds,
 * and knows nothing else. */
uint32_t exchange_takes(const exchange *x, const batch *runs);

/* Have the server, which is there, make no more runs than it takes; flags are those of FRNG_RUN,
 * and FRNG_DIGEST is for the last run. What the runs told is in the report until the next order. */
exchange_end exchange_make(exchange *x, const batch *runs, uint64_t flags, frng_message *done);

#endif

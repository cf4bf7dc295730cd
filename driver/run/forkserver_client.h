/* forkserver_client.h: a forkserver, started when it is needed, and orders to it: the bytes that go
 * with an order, the answer, and what becomes of one that does not come. */
#ifndef CLIENT_H
#define CLIENT_H

#include "file_stamp.h"
#include "forkserver.h"

typedef struct forkserver_client {
    const run_config *config;
    const runner_watch *watch;
    report_shm report;
    input_memfd entropy; /* for what the forkserver does not expand */
    forkserver forkserver;
    file_stamp program; /* that the forkserver was started from */
    bool cancelled;     /* the batch being run is not wanted any more */
    bool is_plain;      /* no forkserver can be had: it greeted the probe, and nobody since */
} forkserver_client;

/* How an order went. */
typedef enum forkserver_client_end {
    CLIENT_DONE,      /* *done says */
    CLIENT_HUNG,      /* run done->count outlived its deadline; the forkserver was killed */
    CLIENT_CANCELLED, /* given up */
    CLIENT_LOST       /* the forkserver is gone or talks nonsense, and was killed */
} forkserver_client_end;

/* Both are borrowed. Returns 0 or an errno, with nothing left open. */
int forkserver_client_init(forkserver_client *x, const run_config *config,
                           const runner_watch *watch);
void forkserver_client_finish(forkserver_client *x);

/* Start the forkserver if it is not there. Returns 0 or an errno. */
int forkserver_client_need_server(forkserver_client *x);

/* Stop the forkserver if its program is not what its path names any more: old and new runs are not
 * to be mixed. */
void forkserver_client_heed_program(forkserver_client *x);

/* How many of these runs the forkserver, which is there, can take in one order. 0: it expands
 * seeds, and knows nothing else. */
uint32_t forkserver_client_takes(const forkserver_client *x, const batch *runs);

/* Have the forkserver, which is there, make no more runs than it takes; flags are those of
 * FRNG_RUN, and FRNG_DIGEST is for the last run. What the runs told is in the report until the next
 * order. */
forkserver_client_end forkserver_client_make(forkserver_client *x, const batch *runs,
                                             uint64_t flags, frng_message *done);

#endif

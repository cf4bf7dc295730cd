/* forkserver_client.h: the client of a fork server: starts it on demand, sends it orders with their
 * bytes, takes its answers and its end, and kills it if it does not answer. */
#ifndef FORKSERVER_CLIENT_H
#define FORKSERVER_CLIENT_H

#include "file_stamp.h"
#include "forkserver.h"
#include "input_memfd.h"
#include "server_life.h"

/* A fork server, and what its process has made in itself. */
typedef struct server_process {
    forkserver forkserver;
    file_stamp program;    /* its program file */
    uint64_t lived;        /* runs */
    server_life life;      /* these runs, as far as they are remembered */
    int64_t born_ns;       /* when it had started */
    int64_t start_took_ns; /* until its HELLO */
    int64_t counted_ns;    /* when its children were counted last, or could be */
} server_process;

typedef struct forkserver_client {
    const run_config *config;
    const runner_watch *watch;
    report_shm report;
    input_memfd entropy; /* bytes that the fork server does not expand itself */
    server_process server;
    frng_leaks_request leaks; /* of the next order */
    const feature_map *known; /* the next order asks for other features; NULL: for none */
    bool made_first;          /* no run came before those of the last order in their process */
    uint32_t unbegun;         /* orders in a row that it did not even begin */
    bool knows_helpers;       /* of this program */
    unsigned helpers;         /* living children of its first process when that had started */
    bool cancelled;           /* the current batch is cancelled */
    bool is_plain;            /* no fork server can be started, although the probe could; or it
                                 begins no order */
} forkserver_client;

/* The end of an order. */
typedef enum forkserver_client_end {
    CLIENT_DONE,      /* *done is the answer */
    CLIENT_HUNG,      /* run done->count missed its deadline; the fork server was killed */
    CLIENT_CANCELLED, /* the batch was cancelled */
    CLIENT_LOST       /* the fork server died or sent nonsense, and was killed */
} forkserver_client_end;

/* `config` and `watch` are borrowed. Returns 0, or an errno with nothing left open. */
int forkserver_client_init(forkserver_client *c, const run_config *config,
                           const runner_watch *watch);
void forkserver_client_finish(forkserver_client *c);

/* Start the fork server unless it is running. Returns 0 or an errno: ECANCELED if the batch was
 * cancelled meanwhile; EPROTO if it is plain. */
int forkserver_client_need_server(forkserver_client *c);

/* Stop the fork server if its program file was replaced or rewritten: runs of the old and the new
 * program must not mix. */
void forkserver_client_stop_if_replaced(forkserver_client *c);

/* Stop a fork server that has made runs in itself for as long as server_life.h allows. */
void forkserver_client_stop_if_old(forkserver_client *c);

/* True if the running fork server can run choices, and report what they drew. */
bool forkserver_client_can_choose(const forkserver_client *c);

/* Return the number of these runs that fit in one order to the running fork server. 0: the first
 * has explicit bytes, a style or a prefix, and the fork server only expands plain seeds. */
uint32_t forkserver_client_takes(const forkserver_client *c, const batch *runs);

/* Make these runs, no more than forkserver_client_takes returned, with the running fork server. The
 * flags are those of FRNG_RUN; FRNG_DIGEST applies to the last run. The report of the runs is valid
 * until the next order. */
forkserver_client_end forkserver_client_make(forkserver_client *c, const batch *runs,
                                             uint64_t flags, frng_message *done);

/* Make a batch of one run in a process that makes no other before it: a fork of the fork server,
 * which is started if needed; or a new fork server, if that makes its runs in itself. */
forkserver_client_end forkserver_client_make_alone(forkserver_client *c, const batch *once,
                                                   uint64_t flags, frng_message *done);

#endif

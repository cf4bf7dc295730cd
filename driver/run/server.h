/* server.h: a system under test that stays, and makes runs in processes that it forks. */
#ifndef SERVER_H
#define SERVER_H

#include "entropy.h"
#include "proc.h"
#include "shared.h"
#include "spawn.h"

typedef struct server {
    proc child;
    int control;    /* -1: it is not there */
    uint64_t flags; /* of its HELLO: what it can do */
    shared_layout layout;
} server;

#define SERVER_NONE ((server){.control = -1})

typedef enum server_answer {
    SERVER_READY,
    SERVER_PLAIN, /* it started, but speaks no protocol */
    SERVER_ERROR  /* *error_number says why it could not be started */
} server_answer;

/* How long a HELLO may take where a run may take `timeout_ns`: as long, but at least two seconds,
 * since a busy machine starts a program slowly, and at most ten. */
int64_t server_hello_ns(int64_t timeout_ns);

/* Start it and wait for its HELLO, at most server_hello_ns. It is spared (orphans.h) until it is
 * stopped. */
server_answer server_start(server *s, const spawn_config *config, const shared *report,
                           const entropy_file *entropy, int *error_number);

/* Kill it and all that it has started. Nothing if it is not there. The caller has adopted orphans
 * (orphans_adopt), and has no other children. */
void server_stop(server *s);

bool server_send(const server *s, const frng_message *order);

/* Read its answer. False when it hung up, or what it sent is no DONE for an order of `count`. */
bool server_receive(const server *s, uint64_t count, frng_message *done);

#endif

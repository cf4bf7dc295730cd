#include "repetition.h"

#include <stdlib.h>

/* Make all runs of a batch in the running process. False if one of them did not pass. */
static bool make_all(forkserver_client *c, const batch *runs) {
    frng_message done;
    for (uint64_t i = 0; i < runs->count; i += done.count) {
        batch part = batch_part(runs, i, runs->count - (uint32_t)i);
        part.count = forkserver_client_takes(c, &part);
        if (part.count == 0 || c->server.forkserver.control < 0) return false;
        const forkserver_client_end end = forkserver_client_make(c, &part, FRNG_ONE_PROCESS, &done);
        if (end != CLIENT_DONE || done.status != 0 || done.count == 0) return false;
    }
    return true;
}

/* Bring a new process to where another one was after these runs. False if one of them did not
 * pass. */
static bool relive(forkserver_client *c, const server_life *life) {
    forkserver_stop(&c->server.forkserver);
    if (forkserver_client_need_server(c) != 0) return false;
    for (uint32_t i = 0; i < life->count; i++) {
        if (!make_all(c, &life->batches[i])) return false;
    }
    return true;
}

/* True if an order ended in another way than by a failure of run `at`. */
static bool is_other_end(forkserver_client_end end, const frng_message *done, uint64_t at) {
    switch (end) {
    case CLIENT_DONE:
        if ((done->flags & FRNG_NO_PROCESS) != 0) return false;
        return done->count != at || done->status == 0;
    case CLIENT_HUNG: return done->count != at;
    case CLIENT_CANCELLED:
    case CLIENT_LOST: return false;
    }
    abort();
}

bool repetition_shows_flaky(forkserver_client *c, const server_life *life, const batch *runs,
                            uint64_t at) {
    const batch again = batch_part(runs, 0, (uint32_t)at + 1);
    frng_message done;
    c->leaks = FRNG_LEAKS_IGNORE;
    if (life != NULL && !relive(c, life)) return true; /* another run failed this time */
    if (forkserver_client_need_server(c) != 0) return false;
    return is_other_end(forkserver_client_make(c, &again, FRNG_ONE_PROCESS, &done), &done, at);
}

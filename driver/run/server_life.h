/* server_life.h: the runs of seeds that one process has made, so that another one can make them
 * again: a failure may come from what they left behind. */
#ifndef SERVER_LIFE_H
#define SERVER_LIFE_H

#include "seed_input.h"

/* Batches that a life remembers. */
enum { SERVER_LIFE_MAX = 64 };

/* A fork server that makes runs in itself ends after this many seconds, and this many times as long
 * as its start took: to find out if a failure comes from the runs before it, all of them are made
 * again. */
enum { SERVER_LIFE_S = 5, SERVER_LIFE_STARTS = 50 };

/* The last batches of a process, oldest first. Empty if zeroed. */
typedef struct server_life {
    uint32_t count;
    batch batches[SERVER_LIFE_MAX];
} server_life;

/* Add the first `passed` runs of a batch. One that continues the last batch extends it; beyond
 * SERVER_LIFE_MAX the oldest is forgotten. A candidate set cannot be run again later: with it, all
 * that came before is forgotten. */
void server_life_add(server_life *l, const batch *runs, uint32_t passed);

#endif

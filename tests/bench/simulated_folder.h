/* simulated_folder.h: a folder of findings that a fleet shares: its best over time, and the calls
 * to its file system. */
#ifndef SIMULATED_FOLDER_H
#define SIMULATED_FOLDER_H

#include "seed_input.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Calls to the file system by path or about a file or folder, as strace counts them; syncing and
 * reading are among them, closing is not. */
typedef enum folder_calls {
    CALLS_START = 22, /* folders opened, tidied and listed, a status written */
    CALLS_LOOK = 1,
    CALLS_SIGN = 5, /* a status written */
    CALLS_LIST = 4,
    CALLS_READ = 6, /* a finding opened and read, and looked for once more when it has failed */
    CALLS_SAVE = 8, /* a finding looked for and written */
    CALLS_REMOVE = 1
} folder_calls;

/* The most calls of a sync without news that tests/cli/test_sync.py allows. */
enum { CALLS_SYNC_MAX = 8 };

typedef struct shared_best {
    double at; /* seconds */
    seed_input input;
} shared_best;

typedef struct simulated_folder {
    shared_best *bests; /* each smaller than the one before it; owned */
    size_t best_count;
    double *changes; /* seconds at which entries changed; owned */
    size_t change_count;
    double lag_s;     /* until others see a change */
    uint64_t written; /* findings */
    uint64_t removed; /* those of them that are gone */
    uint32_t *calls;  /* in each second; owned */
    size_t seconds;
} simulated_folder;

void simulated_folder_init(simulated_folder *f, double seconds, double lag_s);
void simulated_folder_finish(simulated_folder *f);

void simulated_folder_call(simulated_folder *f, double at, uint64_t count);

/* Return the best that a worker sees, or NULL. */
const seed_input *simulated_folder_best(const simulated_folder *f, double at);

/* Return the number of changes that a worker sees. */
size_t simulated_folder_changes(const simulated_folder *f, double at);

void simulated_folder_write(simulated_folder *f, double at, const seed_input *input);
void simulated_folder_remove(simulated_folder *f, double at, uint64_t count);

/* Return when a finding of so few bytes was first there, or a negative number. */
double simulated_folder_reached(const simulated_folder *f, uint64_t size);

/* Return the calls of the busiest second of [from, to), or the calls a second on average. */
uint32_t simulated_folder_peak(const simulated_folder *f, double from, double to);
double simulated_folder_mean(const simulated_folder *f, double from, double to);

#endif

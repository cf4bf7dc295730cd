/* simulated_worker.h: one search of a fleet, over a simulated target and in simulated time.
 *
 * It is size_search.c and sync_schedule.c that decide. A request for runs of one size is made in
 * one step: how many pass before one fails is drawn at once. */
#ifndef SIMULATED_WORKER_H
#define SIMULATED_WORKER_H

#include "simulated_folder.h"
#include "simulated_target.h"
#include "size_search.h"
#include "sync_schedule.h"

/* How the workers of a fleet share findings. */
typedef struct sharing {
    double sync_s;  /* --sync; 0: never */
    bool backs_off; /* waits longer while there is no news */
    bool jitters;   /* waits a little more or less each time */
} sharing;

/* The runs that are under way. */
typedef struct worker_plan {
    size_request request;
    uint64_t passes; /* before the run that fails, or all */
    bool fails;
    uint64_t drawn;   /* bytes, of that run */
    double began, at; /* seconds, until it failed again or all passed */
} worker_plan;

typedef struct simulated_worker {
    const simulated_target *target;
    const sharing *shares;
    simulated_folder *folder;
    strategy_config config;
    size_search search;
    worker_plan plan;
    sync_schedule schedule;
    size_t seen;          /* changes of the folder at the last look */
    bool lists_again;     /* at the next look, whether the folder has changed or not */
    uint64_t random;      /* state of SplitMix64 */
    uint64_t own;         /* findings of this worker in the folder */
    uint64_t runs, bests; /* bests are the failures that it found itself */
} simulated_worker;

/* The defaults of frng-search. */
enum { WORKER_ATTEMPTS = 100, WORKER_SIZE_MAX = 4 << 20 };

/* Start a search at a time. What it points at must outlive it. */
void simulated_worker_start(simulated_worker *w, double at, uint64_t seed);

/* Return the time of its next event, in seconds. */
double simulated_worker_next(const simulated_worker *w);

/* Take the next event. */
void simulated_worker_step(simulated_worker *w);

/* Take the runs that are over by `at`, and return the claim. */
strategy_claim simulated_worker_end(simulated_worker *w, double at);

#endif

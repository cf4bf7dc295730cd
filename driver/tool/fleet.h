/* fleet.h: the workers of a fleet, as their files say: which of them are alive, what all of them
 * did, and what their passes show together. A worker is one search. Pure. */
#ifndef FLEET_H
#define FLEET_H

#include "finding.h"
#include "worker_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A worker that promised a sign within some time is silent after so many times of that. */
enum { FLEET_SILENT_AFTER = 3 };

typedef enum fleet_sight {
    SIGHT_RUNNING,
    SIGHT_SILENT, /* it runs by its file, and gave no sign */
    SIGHT_FOUND,
    SIGHT_PASSED,
    SIGHT_STOPPED,
    SIGHT_FAILED
} fleet_sight;

enum { SIGHTS = SIGHT_FAILED + 1 };

const char *fleet_sight_name(fleet_sight s);

/* A worker, and what a look knows of its file. */
typedef struct fleet_worker {
    const char *folder;             /* where its file is; borrowed */
    char name[WORKER_NAME_MAX + 1]; /* of its file, without the suffix */
    worker_file file;               /* owned by the fleet */
    /* Filled by fleet_end. */
    fleet_sight sight;
    int64_t age_ns;  /* of the file; 0 for one from the future */
    size_t campaign; /* index */
} fleet_worker;

/* The evidence of all workers of a campaign one byte below its smallest failure. */
typedef struct fleet_evidence {
    uint64_t below, passed, counted;
    uint64_t stretches; /* of all workers, at any size: a bound is paid for by each */
    size_t workers;     /* how many of them passed at `below` */
    double bound;       /* 1: no evidence */
} fleet_evidence;

/* Workers whose passes add up: of one build, one list of arguments, one way of expanding seeds, and
 * with the same failures that count. */
typedef struct fleet_campaign {
    worker_target target; /* borrowed from the file of one of the workers */
    size_t workers, running;
    uint64_t runs;
    bool has_best;
    uint64_t best_size;
    fleet_evidence evidence;
} fleet_campaign;

/* Empty if zeroed. */
typedef struct fleet {
    fleet_worker *workers; /* in the order of their names */
    size_t count, room;
    fleet_campaign *campaigns;
    size_t campaign_count, campaign_room;
    /* Filled by fleet_end. */
    size_t sights[SIGHTS];
    worker_totals totals;
    double rate; /* runs and reruns a second, of those that run */
    bool failed; /* out of memory: something is missing */
} fleet;

/* Add a worker, whose file the fleet takes over. Its folder has to live as long as the fleet. */
void fleet_add(fleet *f, const fleet_worker *w);

/* After the last worker: put them in order, and collect their campaigns. */
void fleet_collect(fleet *f);

/* Take a finding into account, in the campaigns of its build, arguments and filter. */
void fleet_see_finding(fleet *f, const finding *of);

/* After fleet_collect: judge all workers at a time of the wall clock, and add up. */
void fleet_end(fleet *f, int64_t now_ns);

/* True if a worker knows a failure. */
bool fleet_has_found(const fleet *f);

void fleet_finish(fleet *f);

#endif

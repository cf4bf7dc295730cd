/* simulated_fleet.h: many searches beside each other over one folder. */
#ifndef SIMULATED_FLEET_H
#define SIMULATED_FLEET_H

#include "simulated_worker.h"

/* When a simulation ends. */
typedef enum fleet_until {
    UNTIL_TIME,   /* after the seconds of the fleet */
    UNTIL_MINIMUM /* before, if the smallest failure has been found */
} fleet_until;

typedef struct fleet_config {
    const simulated_target *target;
    sharing shares;
    size_t workers;
    fleet_until until;
    double seconds;    /* that the fleet runs */
    double starting_s; /* in which the workers start, evenly */
    double lag_s;      /* until others see a change of the folder */
    uint64_t seed;
} fleet_config;

typedef struct fleet_result {
    double minimum_at;      /* seconds until the smallest failure was found; infinite: not found */
    uint64_t best;          /* bytes; 0: nothing was found */
    uint64_t runs, bests;   /* of all workers; bests are the failures that each found */
    uint64_t written, left; /* findings */
    uint64_t passed;        /* runs one byte below the best that passed, of all workers */
    double bound;           /* of how often they fail, by all workers that have the best */
    uint32_t starting_peak; /* calls in the busiest second of the first hour */
    uint32_t steady_peak;   /* the same of the rest */
    double steady_mean;     /* calls a second in the rest */
} fleet_result;

/* Simulate a fleet. The same configuration gives the same result. */
fleet_result simulated_fleet_run(const fleet_config *config);

#endif

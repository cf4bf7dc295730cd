#include "simulated_fleet.h"

#include "frng_expand.h"
#include "rates.h"

#include <math.h>
#include <stdlib.h>

enum { STARTING_S = 3600 };

/* ---- The worker whose event is next: a binary heap ---- */

typedef struct turn {
    double at;
    simulated_worker *worker;
} turn;

typedef struct turns {
    turn *list; /* the first is the earliest */
    size_t count;
} turns;

/* The order of equal times is that of the workers, so that a simulation can be repeated. */
static bool is_before(const turn *a, const turn *b) {
    return a->at < b->at || (a->at <= b->at && a->worker < b->worker);
}

static void sink(turns *t, size_t i) {
    for (;;) {
        size_t least = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < t->count; child++) {
            if (is_before(&t->list[child], &t->list[least])) least = child;
        }
        if (least == i) return;
        const turn moved = t->list[i];
        t->list[i] = t->list[least];
        t->list[least] = moved;
        i = least;
    }
}

/* ---- A fleet ---- */

typedef struct fleet {
    const fleet_config *config;
    simulated_folder folder;
    simulated_worker *workers;
    turns turns;
    size_t started;
} fleet;

static double start_of(const fleet *f, size_t worker) {
    return f->config->starting_s * (double)worker / (double)f->config->workers;
}

/* Each worker has a first turn, in which it starts. Starts are in order, and so is this heap. */
static void set_up(fleet *f) {
    const size_t count = f->config->workers;
    simulated_folder_init(&f->folder, f->config->seconds, f->config->lag_s);
    f->workers = calloc(count, sizeof *f->workers);
    f->turns.list = calloc(count, sizeof *f->turns.list);
    if (f->workers == NULL || f->turns.list == NULL) abort();
    f->turns.count = count;
    for (size_t i = 0; i < count; i++) {
        f->workers[i].target = f->config->target;
        f->workers[i].shares = &f->config->shares;
        f->workers[i].folder = &f->folder;
        f->turns.list[i] = (turn){start_of(f, i), &f->workers[i]};
    }
}

static void step(fleet *f, turn *next, uint64_t *seeds) {
    if (next->worker == &f->workers[f->started]) {
        f->started++;
        simulated_worker_start(next->worker, next->at, frng__splitmix64(seeds));
    } else {
        simulated_worker_step(next->worker);
    }
    next->at = simulated_worker_next(next->worker);
}

static bool is_over(const fleet *f) {
    const size_t count = f->folder.best_count;
    return f->config->until == UNTIL_MINIMUM && count > 0 &&
           f->folder.bests[count - 1].input.size == simulated_target_minimum(f->config->target);
}

static void simulate(fleet *f) {
    uint64_t seeds = f->config->seed;
    while (f->turns.list[0].at < f->config->seconds && !is_over(f)) {
        step(f, &f->turns.list[0], &seeds);
        sink(&f->turns, 0);
    }
}

/* Pool the evidence of the workers that have the best, as frng-status does. */
static void conclude(fleet *f, fleet_result *r) {
    uint64_t counted = 0, stretches = 0;
    for (size_t i = 0; i < f->started; i++) {
        const strategy_claim claim = simulated_worker_end(&f->workers[i], f->config->seconds);
        r->runs += f->workers[i].runs;
        r->bests += f->workers[i].bests;
        stretches += claim.run.stretches;
        if (!claim.failed || claim.best.size != r->best) continue;
        r->passed += claim.run.passed;
        counted += claim.run.counted;
    }
    r->bound = confidence_bound(counted, stretches);
}

static void measure(const fleet *f, fleet_result *r) {
    const double end = f->config->seconds;
    const double reached =
        simulated_folder_reached(&f->folder, simulated_target_minimum(f->config->target));
    const size_t bests = f->folder.best_count;
    r->minimum_at = reached < 0 ? INFINITY : reached;
    r->best = bests > 0 ? f->folder.bests[bests - 1].input.size : 0;
    r->written = f->folder.written;
    r->left = f->folder.written - f->folder.removed;
    r->starting_peak = simulated_folder_peak(&f->folder, 0, STARTING_S);
    r->steady_peak = simulated_folder_peak(&f->folder, STARTING_S, end);
    r->steady_mean = simulated_folder_mean(&f->folder, STARTING_S, end);
}

fleet_result simulated_fleet_run(const fleet_config *config) {
    fleet f = {.config = config};
    fleet_result r = {.runs = 0};
    set_up(&f);
    simulate(&f);
    measure(&f, &r);
    conclude(&f, &r);
    simulated_folder_finish(&f.folder);
    free(f.workers);
    free(f.turns.list);
    return r;
}

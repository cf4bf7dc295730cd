#include "fast.h"

#include "candidate_set.h"
#include "clock.h"
#include "exchange.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* One part in so many of the time goes into comparing runs. */
enum { SAMPLE_SHARE = 100 };

typedef struct fast_runner {
    runner base;
    const fast_config *config;
    run_mode mode;
    exchange exchange;
    runner *spawn; /* for runs in fresh processes */
    int64_t batch_ns, sample_ns;
    uint32_t sampled; /* runs of the longest batch that was compared */
} fast_runner;

#define OUTCOME_HUNG ((outcome){VERDICT_TIMEOUT, 0, FAULT_NONE, 0, OUTCOME_DRAWN_UNKNOWN})

/* ---- Runs ---- */

/* `count` runs of a batch, from its run `i` on. */
static batch part_of(const batch *runs, uint64_t i, uint32_t count) {
    return (batch){runs->first_seed + i, count, runs->size, runs->given};
}

/* The first `count` runs of an order have passed. Keep what they told, and the one after them,
 * before there is another order. */
static void keep_told(const fast_runner *r, const batch *order, uint64_t count) {
    candidate_set *given = order->given;
    if (given == NULL) return;
    for (uint32_t i = 0; i < count; i++) {
        const seed_input t = batch_input(order, i);
        given->passes[t.seed] = shared_pass(&r->exchange.report, i, t.size);
    }
    shared_copy_trace(&r->exchange.report, given);
}

static void tell(const fast_runner *r, outcome o, uint64_t size, run_result *result) {
    o.drawn = shared_drawn(&r->exchange.report, r->config->layout, size);
    result->last = o;
    shared_copy_site(&r->exchange.report, result->site);
}

/* The batch's next run in a fresh process, by spawning it: nobody can argue with that. */
static void spawn_one(fast_runner *r, const batch *runs, run_result *result) {
    const uint32_t ran = result->ran;
    const batch once = part_of(runs, ran, 1);
    const isolation_violation violation = result->violation;
    r->spawn->ops->run(r->spawn, &once, RUN_TRY, result);
    r->exchange.cancelled = result->cancelled;
    result->violation = violation;
    result->ran += ran;
}

/* One run in a fork of its own. Returns false where that says nothing: cancelled, or lost. */
static bool fork_one(fast_runner *r, const batch *once, uint64_t flags, outcome *o) {
    frng_message done;
    if (exchange_need_server(&r->exchange) != 0) return false;
    switch (exchange_make(&r->exchange, once, flags, &done)) {
    case EXCHANGE_DONE:
        if ((done.flags & FRNG_NO_PROCESS) != 0) return false;
        *o = spawn_judge_killed(r->spawn, outcome_of_status((int)done.status));
        return true;
    case EXCHANGE_HUNG: *o = OUTCOME_HUNG; return true;
    case EXCHANGE_CANCELLED:
    case EXCHANGE_LOST: return false;
    }
    abort();
}

/* Runs in one process have turned out to be no runs of their own: fork each one from now on. */
static void distrust(fast_runner *r, isolation_violation violation, seed_input t,
                     run_result *result) {
    r->mode = MODE_FORK;
    result->violation = violation;
    result->doubted = t;
}

/* ---- Comparing runs of a batch with fresh ones ---- */

typedef struct sample {
    uint64_t digest, drawn;
} sample;

static sample sample_of(const fast_runner *r) {
    const volatile frng_report *report = r->exchange.report.report;
    return (sample){report->digest, report->digest_drawn};
}

/* State may show after a number of runs only: a batch much longer than those before it is due. */
static bool is_sample_due(const fast_runner *r, uint64_t count) {
    return r->mode == MODE_PERSISTENT && count > 1 &&
           (count / 4 >= r->sampled || r->sample_ns < r->batch_ns / SAMPLE_SHARE);
}

/* The last run of a batch passed. Make it again in a fresh fork. Returns false, and distrusts the
 * runs, when that is another run. */
static bool is_same_fresh(fast_runner *r, const batch *runs, run_result *result) {
    const int64_t start_ns = clock_now_ns();
    const seed_input t = batch_input(runs, runs->count - 1);
    const batch once = part_of(runs, runs->count - 1, 1);
    const sample seen = sample_of(r);
    outcome o;
    const bool known = fork_one(r, &once, FRNG_DIGEST, &o);
    const sample fresh = sample_of(r);
    if (runs->count > r->sampled) r->sampled = runs->count;
    r->sample_ns += clock_now_ns() - start_ns;
    if (!known || o.verdict == VERDICT_MEMORY) return true;
    if (o.verdict != VERDICT_PASS) {
        distrust(r, ISOLATION_FRESH_FAILS, t, result);
    } else if (seen.drawn != fresh.drawn) {
        distrust(r, ISOLATION_OTHER_COUNT, t, result);
    } else if (seen.digest != fresh.digest) {
        distrust(r, ISOLATION_OTHER_DRAWS, t, result);
    } else {
        return true;
    }
    return false;
}

/* ---- A batch ---- */

/* Whether run `at` of a batch fails again when the batch is made again, up to there: then it does
 * by what the runs before it left. Else it is flaky. Where nobody knows it is not. */
static bool is_flaky_in(fast_runner *r, const batch *runs, uint64_t at) {
    const batch again = part_of(runs, 0, (uint32_t)at + 1);
    frng_message done;
    if (exchange_need_server(&r->exchange) != 0) return false;
    switch (exchange_make(&r->exchange, &again, FRNG_ONE_PROCESS, &done)) {
    case EXCHANGE_DONE:
        if ((done.flags & FRNG_NO_PROCESS) != 0) return false;
        return done.count != at || done.status == 0;
    case EXCHANGE_HUNG: return done.count != at;
    case EXCHANGE_CANCELLED:
    case EXCHANGE_LOST: return false;
    }
    abort();
}

/* Run `at` of a batch did not pass. It counts if it fails in a fork of its own, too, which is what
 * the first of a batch has; or if it is flaky, for then it may be rare, and whoever asked will see
 * that it does not repeat. What is given is judged by who gave it. */
static void judge_failure(fast_runner *r, const batch *runs, uint64_t at, outcome o,
                          run_result *result) {
    const batch once = part_of(runs, at, 1);
    const seed_input t = batch_input(&once, 0);
    tell(r, o, t.size, result); /* another order makes the report forget it */
    result->ran += (uint32_t)at + 1;
    if (!outcome_failed(&o) || r->mode != MODE_PERSISTENT || at == 0 || once.given != NULL) return;
    outcome fresh;
    if (!fork_one(r, &once, 0, &fresh)) return;
    if (fresh.verdict == VERDICT_PASS) {
        if (is_flaky_in(r, runs, at)) return;
        distrust(r, ISOLATION_FRESH_PASSES, t, result);
        result->last = fresh;
        result->site[0] = '\0';
        return;
    }
    tell(r, fresh, t.size, result);
}

/* An order was carried out. */
static void judge_done(fast_runner *r, const batch *runs, uint64_t flags, const frng_message *done,
                       run_result *result) {
    const seed_input at =
        batch_input(runs, done->count < runs->count ? done->count : runs->count - 1);
    if (done->status != 0 && done->count == runs->count) {
        distrust(r, ISOLATION_BATCH_END, at, result); /* all passed, but not their process's exit */
    } else if (done->status != 0) {
        const outcome o = spawn_judge_killed(r->spawn, outcome_of_status((int)done->status));
        judge_failure(r, runs, done->count, o, result);
    } else if ((done->flags & FRNG_LEFTOVER) != 0 && (flags & FRNG_ONE_PROCESS) != 0) {
        distrust(r, ISOLATION_LEFTOVER, at, result);
    } else if (done->count < runs->count || (flags & FRNG_DIGEST) == 0 ||
               is_same_fresh(r, runs, result)) {
        result->ran += (uint32_t)done->count;
    }
}

/* Make as many runs of the batch as one order can, from result->ran on. */
static void run_some(fast_runner *r, const batch *runs, run_result *result) {
    const uint64_t server_flags = r->exchange.server.flags;
    batch part = part_of(runs, result->ran, runs->count - result->ran);
    const bool batches = r->mode == MODE_PERSISTENT && (server_flags & FRNG_CAN_BATCH) != 0;
    const bool sampled = batches && is_sample_due(r, part.count);
    const uint64_t flags = (batches ? FRNG_ONE_PROCESS : 0) | (sampled ? FRNG_DIGEST : 0);
    frng_message done;
    part.count = exchange_takes(&r->exchange, &part);
    if (part.count == 0) {
        spawn_one(r, runs, result);
        return;
    }
    const exchange_end end = exchange_make(&r->exchange, &part, flags, &done);
    if (end == EXCHANGE_CANCELLED) return;
    keep_told(r, &part, done.count);
    if (end == EXCHANGE_LOST || (done.flags & FRNG_NO_PROCESS) != 0) {
        /* The run in progress may have done that; those before it have passed. Or the server cannot
         * fork now: this end knows how to wait. */
        result->ran += (uint32_t)done.count;
        spawn_one(r, runs, result);
    } else if (end == EXCHANGE_HUNG) {
        judge_failure(r, &part, done.count, OUTCOME_HUNG, result);
    } else {
        judge_done(r, &part, flags, &done, result);
    }
}

static void fast_run(runner *base, const batch *runs, run_purpose purpose, run_result *result) {
    fast_runner *r = (fast_runner *)base;
    exchange *x = &r->exchange;
    const int64_t start_ns = clock_now_ns();
    if (purpose != RUN_TRY || x->is_plain || r->mode == MODE_SPAWN) {
        r->spawn->ops->run(r->spawn, runs, purpose, result);
        return;
    }
    exchange_heed_program(x);
    spawn_heed_kills(r->spawn);
    x->cancelled = false;
    result->ran = 0;
    result->violation = ISOLATION_NONE;
    result->last = outcome_of_status(0);
    result->output.size = result->output.total = 0;
    result->site[0] = '\0';
    while (result->ran < runs->count && result->last.verdict == VERDICT_PASS && !x->cancelled) {
        if (exchange_need_server(x) == 0) {
            result->program = x->program;
            run_some(r, runs, result);
        } else {
            spawn_one(r, runs, result);
        }
    }
    result->cancelled = x->cancelled;
    if (r->config->steady) r->mode = r->config->mode;
    result->took_ns = clock_now_ns() - start_ns;
    r->batch_ns += result->took_ns;
}

static void fast_destroy(runner *base) {
    fast_runner *r = (fast_runner *)base;
    exchange_finish(&r->exchange);
    r->spawn->ops->destroy(r->spawn);
    free(r);
}

runner *fast_create(const void *config, const runner_watch *watch, int *error_number) {
    static const runner_ops ops = {fast_run, fast_destroy};
    fast_runner *r = calloc(1, sizeof *r);
    *error_number = ENOMEM;
    if (r == NULL) return NULL;
    r->base.ops = &ops;
    r->config = config;
    r->mode = r->config->mode;
    *error_number = exchange_init(&r->exchange, &r->config->spawn, watch);
    if (*error_number == 0) {
        r->spawn = spawn_create(&r->config->spawn, watch, error_number);
        if (r->spawn != NULL) return &r->base;
        exchange_finish(&r->exchange);
    }
    free(r);
    return NULL;
}

#include "fast.h"

#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    SAMPLE_SHARE = 100,    /* one part in so many of the time goes into comparing runs */
    SAMPLES_AT_ONCE = 3,   /* batches compared at first, whatever that costs */
    CANCEL_MS = 50,        /* a cancelled batch has so long to end by itself */
    LOOKS_PER_TIMEOUT = 8, /* how often a batch is looked at to see that it gets on */
    RESTART_MAX = 3        /* starts of a server in a row that may fail */
};

typedef struct fast_runner {
    runner base;
    const fast_config *config;
    const runner_watch *watch;
    run_mode mode;
    shared report;
    entropy_file entropy; /* for a server that expands no seeds */
    server server;
    runner *spawn;  /* for runs in fresh processes */
    bool cancelled; /* the ticket being run is not wanted any more */
    bool is_plain;  /* no server can be had: it greeted the probe, and nobody since */
    int64_t batch_ns, sample_ns;
    unsigned samples;
} fast_runner;

#define OUTCOME_HUNG ((outcome){VERDICT_TIMEOUT, 0, FAULT_NONE, 0, OUTCOME_DRAWN_UNKNOWN})

/* How an order went. */
typedef enum exchange_end {
    EXCHANGE_DONE,      /* *done says */
    EXCHANGE_HUNG,      /* run done->count outlived its deadline; the server was killed */
    EXCHANGE_CANCELLED, /* given up */
    EXCHANGE_LOST       /* the server is gone or talks nonsense, and was killed */
} exchange_end;

/* ---- One order and its answer ---- */

/* Whether the batch gets on: the run in progress, and since when. */
typedef struct heartbeat {
    uint64_t run;
    int64_t since_ns;
} heartbeat;

/* A number that goes back, or beyond the batch, is none of an honest server. */
static bool has_hung(const fast_runner *r, uint64_t count, heartbeat *beat, int64_t now_ns) {
    const uint64_t run = r->report.report->run;
    if (run > beat->run && run < count) *beat = (heartbeat){run, now_ns};
    return now_ns >= clock_after(beat->since_ns, r->config->spawn.timeout_ns);
}

/* Kill the server; the runs before the one in progress have passed. */
static exchange_end hang_up(fast_runner *r, const frng_message *order, frng_message *done,
                            exchange_end end) {
    memset(done, 0, sizeof *done);
    done->count = shared_run(&r->report, order->count - 1);
    server_stop(&r->server);
    return end;
}

/* Whether an answer can be one to this order: some run was made, or there is a reason why not. */
static bool makes_sense(const frng_message *order, const frng_message *done) {
    if ((done->flags & FRNG_NO_PROCESS) != 0) return true;
    if (done->status == 0) return done->count > 0;
    return done->count < order->count || (order->flags & FRNG_ONE_PROCESS) != 0;
}

static exchange_end receive(fast_runner *r, const frng_message *order, frng_message *done) {
    if (!server_receive(&r->server, order->count, done) || !makes_sense(order, done)) {
        return hang_up(r, order, done, EXCHANGE_LOST);
    }
    if ((done->flags & FRNG_LEFTOVER) != 0) server_stop(&r->server);
    return EXCHANGE_DONE;
}

/* Ask a batch to end, and see to it. */
static exchange_end cancel(fast_runner *r) {
    struct pollfd fd = {r->server.control, POLLIN, 0};
    frng_message done;
    r->cancelled = true;
    r->report.report->stop = 1;
    if (poll(&fd, 1, CANCEL_MS) <= 0 || !server_receive(&r->server, UINT64_MAX, &done) ||
        (done.flags & FRNG_LEFTOVER) != 0) {
        server_stop(&r->server);
    }
    return EXCHANGE_CANCELLED;
}

static exchange_end wait_for_answer(fast_runner *r, const frng_message *order, frng_message *done) {
    const int64_t look_ns = r->config->spawn.timeout_ns / LOOKS_PER_TIMEOUT + 1;
    heartbeat beat = {0, clock_now_ns()};
    for (;;) {
        const int64_t now_ns = clock_now_ns();
        struct pollfd fds[] = {{r->server.control, POLLIN, 0}, {r->watch->fd, POLLIN, 0}};
        poll(fds, 2, clock_poll_ms(now_ns, clock_after(now_ns, look_ns)));
        if (fds[0].revents != 0) return receive(r, order, done);
        if (fds[1].revents != 0 && r->watch->cancelled(r->watch->context)) return cancel(r);
        if (has_hung(r, order->count, &beat, clock_now_ns())) {
            return hang_up(r, order, done, EXCHANGE_HUNG);
        }
    }
}

/* Start the server if it is not there. Returns 0 or an errno. */
static int need_server(fast_runner *r) {
    int error = 0;
    for (int i = 0; r->server.control < 0 && i < RESTART_MAX; i++) {
        const spawn_config *config = &r->config->spawn;
        if (server_start(&r->server, config, &r->report, &r->entropy, &error) == SERVER_ERROR) {
            return error;
        }
    }
    r->is_plain = r->server.control < 0;
    return r->is_plain ? EPROTO : 0;
}

static exchange_end exchange(fast_runner *r, const frng_message *order, frng_message *done) {
    shared_reset(&r->report);
    if ((r->server.flags & FRNG_CAN_EXPAND) == 0 &&
        entropy_expand(&r->entropy, order->size, order->first_seed) != 0) {
        return hang_up(r, order, done, EXCHANGE_LOST);
    }
    if (!server_send(&r->server, order)) return hang_up(r, order, done, EXCHANGE_LOST);
    return wait_for_answer(r, order, done);
}

/* ---- Runs ---- */

static frng_message make_order(trial first, uint64_t count, uint64_t flags) {
    return (frng_message){.type = FRNG_RUN,
                          .flags = flags,
                          .first_seed = first.seed,
                          .count = count,
                          .size = first.size};
}

static void tell(const fast_runner *r, outcome o, uint64_t size, run_result *result) {
    o.drawn = shared_drawn(&r->report, r->config->layout, size);
    result->last = o;
    shared_copy_site(&r->report, result->site);
}

/* One run in a fresh process, by spawning it: nobody can argue with that. */
static void spawn_one(fast_runner *r, trial t, run_result *result) {
    const uint32_t ran = result->ran;
    const ticket once = {t.seed, 1, t.size};
    const run_doubt doubt = result->doubt;
    spawn_spare(r->spawn, r->server.control >= 0 ? r->server.child.pid : 0);
    r->spawn->ops->run(r->spawn, &once, false, result);
    r->cancelled = result->cancelled;
    result->doubt = doubt;
    result->ran += ran;
}

/* One run in a fork of its own. Returns false where that says nothing: cancelled, or lost. */
static bool fork_one(fast_runner *r, trial t, uint64_t flags, outcome *o) {
    const frng_message order = make_order(t, 1, flags);
    frng_message done;
    if (need_server(r) != 0) return false;
    switch (exchange(r, &order, &done)) {
    case EXCHANGE_DONE:
        if ((done.flags & FRNG_NO_PROCESS) != 0) return false;
        *o = outcome_of_status((int)done.status);
        return true;
    case EXCHANGE_HUNG: *o = OUTCOME_HUNG; return true;
    case EXCHANGE_CANCELLED:
    case EXCHANGE_LOST: return false;
    }
    abort();
}

/* Runs in one process have turned out to be no runs of their own: fork each one from now on. */
static void distrust(fast_runner *r, run_doubt doubt, trial t, run_result *result) {
    r->mode = MODE_FORK;
    result->doubt = doubt;
    result->doubted = t;
}

/* ---- Comparing runs of a batch with fresh ones ---- */

typedef struct sample {
    uint64_t digest, drawn;
} sample;

static sample sample_of(const fast_runner *r) {
    return (sample){r->report.report->digest, r->report.report->digest_drawn};
}

static bool is_sample_due(const fast_runner *r, uint64_t count) {
    return r->mode == MODE_PERSISTENT && count > 1 &&
           (r->samples < SAMPLES_AT_ONCE || r->sample_ns < r->batch_ns / SAMPLE_SHARE);
}

/* The last run of a batch passed, having drawn `seen`. Make it again in a fresh fork. Returns
 * false, and distrusts the batch, when that is another run. */
static bool is_same_fresh(fast_runner *r, trial t, sample seen, run_result *result) {
    const int64_t start_ns = clock_now_ns();
    outcome o;
    const bool known = fork_one(r, t, FRNG_DIGEST, &o);
    const sample fresh = sample_of(r);
    r->samples++;
    r->sample_ns += clock_now_ns() - start_ns;
    if (!known) return true;
    if (o.verdict != VERDICT_PASS) {
        distrust(r, DOUBT_FRESH_FAILS, t, result);
    } else if (seen.drawn != fresh.drawn) {
        distrust(r, DOUBT_OTHER_COUNT, t, result);
    } else if (seen.digest != fresh.digest) {
        distrust(r, DOUBT_OTHER_DRAWS, t, result);
    } else {
        return true;
    }
    return false;
}

/* ---- A ticket ---- */

/* A run of a batch did not pass. It counts if it fails in a fork of its own, too; `was_alone`: that
 * is what it had. */
static void judge_failure(fast_runner *r, trial t, outcome o, bool was_alone, run_result *result) {
    if (r->mode == MODE_PERSISTENT && !was_alone) {
        outcome fresh;
        if (fork_one(r, t, 0, &fresh)) {
            if (fresh.verdict == VERDICT_PASS) {
                distrust(r, DOUBT_FRESH_PASSES, t, result);
            }
            o = fresh;
        }
    }
    tell(r, o, t.size, result);
    result->ran++;
}

/* Make as many runs of the ticket as one order can, from result->ran on. */
static void run_some(fast_runner *r, const ticket *runs, run_result *result) {
    const trial first = {runs->size, runs->first_seed + result->ran};
    const bool batches = r->mode == MODE_PERSISTENT && (r->server.flags & FRNG_CAN_BATCH) != 0;
    const uint64_t left = runs->count - result->ran;
    const bool sampled = is_sample_due(r, left) && batches;
    frng_message done;
    frng_message order = make_order(first, (r->server.flags & FRNG_CAN_EXPAND) != 0 ? left : 1,
                                    (batches ? FRNG_ONE_PROCESS : 0) | (sampled ? FRNG_DIGEST : 0));
    order.digest_run = left - 1;
    const exchange_end end = exchange(r, &order, &done);
    const trial at = {first.size, first.seed + done.count};
    switch (end) {
    case EXCHANGE_CANCELLED: return;
    case EXCHANGE_LOST: /* the run in progress may have done that; those before it have passed */
        result->ran += (uint32_t)done.count;
        spawn_one(r, at, result);
        return;
    case EXCHANGE_HUNG:
        result->ran += (uint32_t)done.count;
        judge_failure(r, at, OUTCOME_HUNG, done.count == 0, result); /* a second one takes long */
        return;
    case EXCHANGE_DONE: break;
    }
    if ((done.flags & FRNG_NO_PROCESS) != 0) { /* it cannot fork now: this end knows how to wait */
        result->ran += (uint32_t)done.count;
        spawn_one(r, at, result);
    } else if (done.status != 0 && done.count == order.count) {
        distrust(r, DOUBT_BATCH_END, at, result); /* all passed, but not their process's exit */
    } else if (done.status != 0) {
        result->ran += (uint32_t)done.count;
        judge_failure(r, at, outcome_of_status((int)done.status), false, result);
    } else if ((done.flags & FRNG_LEFTOVER) != 0 && batches) {
        distrust(r, DOUBT_LEFTOVER, at, result);
    } else if (!sampled || is_same_fresh(r, (trial){first.size, first.seed + order.digest_run},
                                         sample_of(r), result)) {
        result->ran += (uint32_t)done.count;
    }
}

static void fast_run(runner *base, const ticket *runs, bool capture, run_result *result) {
    fast_runner *r = (fast_runner *)base;
    const int64_t start_ns = clock_now_ns();
    if (capture || r->is_plain || r->mode == MODE_SPAWN) {
        spawn_spare(r->spawn, r->server.control >= 0 ? r->server.child.pid : 0);
        r->spawn->ops->run(r->spawn, runs, capture, result);
        return;
    }
    r->cancelled = false;
    result->ran = 0;
    result->doubt = DOUBT_NONE;
    result->last = outcome_of_status(0);
    result->output.size = result->output.total = 0;
    result->site[0] = '\0';
    while (result->ran < runs->count && result->last.verdict == VERDICT_PASS && !r->cancelled) {
        const int error = need_server(r);
        if (error == 0) {
            run_some(r, runs, result);
        } else {
            spawn_one(r, (trial){runs->size, runs->first_seed + result->ran}, result);
        }
    }
    result->cancelled = r->cancelled;
    if (r->config->steady) r->mode = r->config->mode;
    result->took_ns = clock_now_ns() - start_ns;
    r->batch_ns += result->took_ns;
}

static void fast_destroy(runner *base) {
    fast_runner *r = (fast_runner *)base;
    server_stop(&r->server);
    shared_finish(&r->report);
    entropy_finish(&r->entropy);
    r->spawn->ops->destroy(r->spawn);
    free(r);
}

/* Descriptors and memory. Returns 0 or an errno, with nothing left open. */
static int open_all(fast_runner *r) {
    int error = shared_init(&r->report, 0);
    if (error != 0) return error;
    error = entropy_init(&r->entropy, r->config->spawn.size_max);
    if (error == 0) {
        r->spawn = spawn_create(&r->config->spawn, r->watch, &error);
        if (r->spawn != NULL) return 0;
        entropy_finish(&r->entropy);
    }
    shared_finish(&r->report);
    return error;
}

runner *fast_create(const void *config, const runner_watch *watch, int *error_number) {
    static const runner_ops ops = {fast_run, fast_destroy};
    fast_runner *r = calloc(1, sizeof *r);
    *error_number = ENOMEM;
    if (r == NULL) return NULL;
    r->base.ops = &ops;
    r->config = config;
    r->watch = watch;
    r->mode = r->config->mode;
    r->server = SERVER_NONE;
    *error_number = open_all(r);
    if (*error_number == 0) return &r->base;
    free(r);
    return NULL;
}

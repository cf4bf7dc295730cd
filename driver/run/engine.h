/* engine.h: what a search and a reduction share: a client of the pool, and reruns of a failure.
 *
 * A client submits inputs, waits for results, and stops at its deadline, at its limit of runs, at
 * an interrupt or at an error; `stop` has the one that came first. An engine holds one client as
 * long as it works:
 *
 *     client c;
 *     client_init(&c, pool, &(client_config){deadline_ns, sink, hooks});
 *     while (client_is_running(&c)) {
 *         while (pool_has_room(pool) && ...) pool_submit(pool, &b, RUN_TRY);
 *         const run_result *r = client_wait(&c, &b);
 *         if (r != NULL) ...
 *     }
 *
 * A reduction submits candidate sets to the pool itself, and gets them back in b.candidates. A
 * check that makes a single run (the first look at a file, the probe of a target) calls
 * client_run_once. */
#pragma once

#include "failure.h"
#include "runner.h"

typedef struct event_sink event_sink;
typedef struct pool pool;
typedef struct pool_config pool_config;
typedef struct signature_filter signature_filter;

/* Any function may be NULL. */
typedef struct client_hooks {
    void *context;
    void (*result)(void *context, const run_result *r); /* called with each result, before
                                                           client_wait returns it; if it stops the
                                                           client, the result is dropped */
    void (*idle)(void *context);                        /* called after CLIENT_IDLE_MS without a
                                                           result */
} client_hooks;

enum {
    CLIENT_IDLE_MS = 100,
    CLIENT_GRACE_MS = 2000 /* for the last reruns after the budget is spent */
};

typedef struct client_config {
    int64_t deadline_ns;    /* on clock_now_ns's clock; CLOCK_NEVER for none */
    const event_sink *sink; /* borrowed; NULL: no events */
    client_hooks hooks;
    const signature_filter *filter; /* of failures that count; NULL: all */
    bool tells_shapes;              /* their sites keep the shapes of messages */
} client_config;

/* The shapes of messages that were seen, as digests: of their places, and of whole sites. */
typedef struct shapes_seen {
    size_t count;
    struct {
        uint64_t place, site;
    } list[256];
} shapes_seen;

typedef struct client {
    pool *pool;
    client_config
        config; /* its deadline moves: client_extend, or if the caller did something else */
    int64_t start_ns;
    uint64_t runs_max;
    uint64_t runs;      /* results of external passes do not count */
    uint64_t reruns;    /* those of `runs` that reruns_make made */
    file_stamp program; /* the file of the target, as the first runs had it */
    bool is_stopped;
    run_stop stop;        /* why it stopped; stays set when client_extend lets it go on */
    bool has_violation;   /* EVENT_ISOLATION was emitted */
    bool has_difference;  /* EVENT_NONDETERMINISTIC was emitted */
    bool has_start_leaks; /* EVENT_LEAKS was emitted */
    shapes_seen shapes;
} client;

/* One input: a seed to expand, or explicit bytes. */
typedef struct client_input {
    seed_input input;     /* for explicit bytes: their number, and seed 0 */
    const uint8_t *bytes; /* borrowed; NULL: the seed is expanded */
} client_input;

client_input client_seed(seed_input input);
client_input client_bytes(const uint8_t *bytes, size_t size);

/* Start a client without a limit of runs. It borrows the pool, which must be idle. The client emits
 * the first isolation violation; the engine emits all other events. */
void client_init(client *c, pool *p, const client_config *config);

bool client_is_running(const client *c);

/* Return how many runs its limit leaves, when so many are under way. */
uint64_t client_runs_left(const client *c, uint64_t under_way);

/* Stop for this reason, unless the client has stopped already, and cancel all that is under way. */
void client_stop(client *c, run_end end);

/* Stop as END_BROKEN: a process or a system call of the tools failed with this errno. */
void client_stop_broken(client *c, int error_number);

/* Let a client that stopped at its deadline or at runs_max go on until `end_ns`, without a limit of
 * runs. Do nothing if it stopped for another reason or is still running. */
void client_extend(client *c, int64_t end_ns);

/* Stop if the deadline is over, once a run has ended. For what takes long between two waits. */
void client_look_at_clock(client *c);

/* Return the oldest result, and its batch in *runs; both live until the next call. Return NULL once
 * the client has stopped, and from time to time before that: the pool may have room again. */
const run_result *client_wait(client *c, batch *b);

/* Run one input while nothing else is under way. Return NULL once the client has stopped. */
const run_result *client_run_alone(client *c, const client_input *in, run_purpose purpose,
                                   batch *b);

/* Run one input by a client of its own. Without a pool errno has the reason. The hooks can show
 * that the tool lives. Return END_DONE with a copy of the result in *result; or the reason why
 * there is no result, and then *result has only its error and output. */
run_stop client_run_once(pool *p, const client_config *config, const client_input *in,
                         run_purpose purpose, run_result *result);

/* ---- Rerunning a failure until it is known whether it repeats ---- */

/* Make the failure of a run of this input. It has no reruns and no output. */
void failure_of_run(failure *f, const run_result *r, seed_input input);

/* Make the failure of a run, as failure_of_run does, and decide whether its site keeps the shape of
 * the message. A client that tells shapes keeps the first SHAPES_MAX shapes of each place; it
 * removes later ones, and emits EVENT_SHAPES for the first of these. Failures that the filter
 * leaves out keep theirs. Other clients remove all shapes: a reduction may change what a message
 * says. */
void client_failure(client *c, failure *f, const run_result *r, seed_input input);

/* An input to rerun, and the failure that counts its reruns and takes the last output of those. */
typedef struct reruns_job {
    client_input input;
    failure *failure;
    const failure *like; /* a rerun counts only if it fails like this one; NULL: in any way */
    bool is_alone;       /* one at a time: two may want the same port, and fail for that */
} reruns_job;

typedef enum reruns_until {
    RERUNS_ALL,       /* make all reruns */
    RERUNS_UNTIL_PASS /* stop at the first rerun that does not count: the failure is flaky */
} reruns_until;

/* Let the processes of these workers that made passing runs in themselves end, and judge that:
 * their results say if one failed. Nothing may be under way. */
void client_end_processes(client *c, unsigned workers);

/* Rerun a failure, each time in a fresh process, until it has `count` reruns in all. Reruns get
 * twice the limits until one has failed. They begin once all that was cancelled has ended; nothing
 * else may be under way. Return true if each rerun made here failed and the client is running. */
bool reruns_make(client *c, const reruns_job *what, unsigned count, reruns_until until);

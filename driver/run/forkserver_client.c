#include "forkserver_client.h"

#include "candidate_set.h"
#include "clock.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

enum {
    CANCEL_MS = 50,        /* a cancelled batch has so long to end by itself */
    LOOKS_PER_TIMEOUT = 8, /* how often a batch is looked at to see that it gets on */
    RESTART_MAX = 3        /* starts of a forkserver in a row that may fail */
};

/* Whether the batch gets on: the run in progress, and since when. */
typedef struct heartbeat {
    uint64_t run;
    int64_t since_ns;
} heartbeat;

/* A number that goes back, or beyond the batch, is none of an honest forkserver. */
static bool has_hung(const forkserver_client *x, const batch *runs, heartbeat *beat,
                     int64_t now_ns) {
    const uint64_t run = x->report.report->run;
    if (run > beat->run && run < runs->count) {
        *beat = (heartbeat){run, now_ns};
        runner_begin_step(x->watch, runs->first_seed + run, x->config->timeout_ns);
    }
    return now_ns >= clock_after(beat->since_ns, x->config->timeout_ns);
}

/* Kill the forkserver; the runs before the one in progress have passed. */
static forkserver_client_end hang_up(forkserver_client *x, const frng_message *order,
                                     frng_message *done, forkserver_client_end end) {
    memset(done, 0, sizeof *done);
    done->count = report_shm_run(&x->report, order->count - 1);
    forkserver_stop(&x->forkserver);
    return end;
}

/* Whether an answer can be one to this order: some run was made, or there is a reason why not. */
static bool makes_sense(const frng_message *order, const frng_message *done) {
    if ((done->flags & FRNG_NO_PROCESS) != 0) return done->count < order->count;
    if (done->status == 0) return done->count > 0;
    return done->count < order->count || (order->flags & FRNG_ONE_PROCESS) != 0;
}

static forkserver_client_end receive(forkserver_client *x, const frng_message *order,
                                     frng_message *done) {
    if (!forkserver_receive(&x->forkserver, order->count, done) || !makes_sense(order, done)) {
        return hang_up(x, order, done, CLIENT_LOST);
    }
    if ((done->flags & FRNG_LEFTOVER) != 0) forkserver_stop(&x->forkserver);
    return CLIENT_DONE;
}

/* Ask a batch to end, and see to it. */
static forkserver_client_end cancel(forkserver_client *x) {
    struct pollfd fd = {x->forkserver.control, POLLIN, 0};
    frng_message done;
    x->cancelled = true;
    x->report.report->stop = 1;
    if (poll(&fd, 1, CANCEL_MS) <= 0 || !forkserver_receive(&x->forkserver, UINT64_MAX, &done) ||
        (done.flags & FRNG_LEFTOVER) != 0) {
        forkserver_stop(&x->forkserver);
    }
    return CLIENT_CANCELLED;
}

static forkserver_client_end wait_for_answer(forkserver_client *x, const batch *runs,
                                             const frng_message *order, frng_message *done) {
    const int64_t look_ns = x->config->timeout_ns / LOOKS_PER_TIMEOUT + 1;
    heartbeat beat = {0, clock_now_ns()};
    for (;;) {
        const int64_t now_ns = clock_now_ns();
        struct pollfd fds[] = {{x->forkserver.control, POLLIN, 0}, {x->watch->fd, POLLIN, 0}};
        const int wait_ms = clock_look_ms(now_ns, clock_after(now_ns, look_ns));
        if (poll(fds, 2, wait_ms) < 0 && errno != EINTR) {
            return hang_up(x, order, done, CLIENT_LOST);
        }
        if (fds[0].revents != 0) return receive(x, order, done);
        if (fds[1].revents != 0 && x->watch->cancelled(x->watch->context)) return cancel(x);
        if (has_hung(x, runs, &beat, clock_now_ns())) {
            if (poll(fds, 1, 0) > 0) return receive(x, order, done); /* it has just ended */
            return hang_up(x, order, done, CLIENT_HUNG);
        }
    }
}

/* The order for these runs, and the bytes that go with it. Returns 0 or an errno. */
static int prepare(forkserver_client *x, const batch *runs, uint64_t flags, frng_message *order) {
    const candidate_set *given = runs->given;
    const uint32_t first = (uint32_t)runs->first_seed;
    *order = (frng_message){.type = FRNG_RUN, .flags = flags, .count = runs->count};
    if ((flags & FRNG_DIGEST) != 0) order->digest_run = runs->count - 1;
    report_shm_reset(&x->report, given != NULL ? runs->count : 0);
    if (given == NULL) {
        order->first_seed = runs->first_seed;
        order->size = runs->size;
        if ((x->forkserver.flags & FRNG_CAN_EXPAND) != 0) return 0;
        return input_memfd_expand(&x->entropy, runs->size, runs->first_seed);
    }
    if ((x->forkserver.flags & FRNG_CAN_GIVEN) != 0) {
        order->flags |= FRNG_GIVEN;
        return input_memfd_copy_row(&x->entropy, given->bytes, candidate_set_start(given, first),
                                    given->ends + first, runs->count, &order->size);
    }
    order->size = candidate_set_size(given, first);
    return input_memfd_copy(&x->entropy, order->size, candidate_set_bytes(given, first));
}

uint32_t forkserver_client_takes(const forkserver_client *x, const batch *runs) {
    const bool expands = (x->forkserver.flags & FRNG_CAN_EXPAND) != 0;
    if (runs->given == NULL) return expands ? runs->count : 1;
    if ((x->forkserver.flags & FRNG_CAN_GIVEN) != 0) return runs->count;
    return expands ? 0 : 1;
}

forkserver_client_end forkserver_client_make(forkserver_client *x, const batch *runs,
                                             uint64_t flags, frng_message *done) {
    frng_message order;
    runner_begin_step(x->watch, runs->first_seed,
                      clock_after(x->config->timeout_ns, runner_expansion_ns(runs->size)));
    if (prepare(x, runs, flags, &order) != 0 || !forkserver_send(&x->forkserver, &order)) {
        return hang_up(x, &order, done, CLIENT_LOST);
    }
    return wait_for_answer(x, runs, &order, done);
}

int forkserver_client_need_server(forkserver_client *x) {
    int error = 0;
    for (int i = 0; x->forkserver.control < 0 && i < RESTART_MAX; i++) {
        x->program = file_stamp_of(x->config->command.path);
        runner_go_on(x->watch, forkserver_hello_ns(x->config->timeout_ns));
        if (forkserver_start(&x->forkserver, x->config, &x->report, &x->entropy, &error) ==
            FORKSERVER_ERROR) {
            return error;
        }
    }
    x->is_plain = x->forkserver.control < 0;
    return x->is_plain ? EPROTO : 0;
}

void forkserver_client_heed_program(forkserver_client *x) {
    const file_stamp now = file_stamp_of(x->config->command.path);
    if (!file_stamp_equal(&now, &x->program)) forkserver_stop(&x->forkserver);
}

int forkserver_client_init(forkserver_client *x, const run_config *config,
                           const runner_watch *watch) {
    const uint64_t table = CANDIDATE_SET_COUNT_MAX * sizeof(uint64_t);
    const uint64_t given = config->given_bytes > 0 ? config->given_bytes + table : 0;
    *x = (forkserver_client){.config = config, .watch = watch, .forkserver = FORKSERVER_NONE};
    int error = report_shm_init(&x->report, config->records_max);
    if (error != 0) return error;
    error = input_memfd_init(&x->entropy, given > config->size_max ? given : config->size_max);
    if (error != 0) report_shm_finish(&x->report);
    return error;
}

void forkserver_client_finish(forkserver_client *x) {
    forkserver_stop(&x->forkserver);
    report_shm_finish(&x->report);
    input_memfd_finish(&x->entropy);
}

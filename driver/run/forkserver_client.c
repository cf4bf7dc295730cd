#include "forkserver_client.h"

#include "candidate_set.h"
#include "clock.h"
#include "orphans.h"
#include "runner.h"
#include "runner_spawn.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

enum {
    COUNT_MS = 20,         /* time between two counts of the processes that runs left */
    CANCEL_MS = 50,        /* time for a cancelled batch to end by itself */
    LOOKS_PER_TIMEOUT = 8, /* checks of a batch's progress in each timeout */
    ROW_BYTES = 1 << 20,   /* expansions for a program that knows no styles, in one order */
    RESTART_MAX = 3        /* failed starts of a fork server in a row before it counts as plain */
};

/* The run in progress of a fork server that makes its runs in itself, before it begins an order. */
#define RUN_NONE UINT64_MAX

static bool can(const forkserver_client *c, uint64_t ability) {
    return (c->server.forkserver.flags & ability) != 0;
}

/* The progress of a batch: the run in progress, and when it was first seen. */
typedef struct heartbeat {
    uint64_t run;
    int64_t since_ns;
} heartbeat;

/* True if the run in progress has missed its deadline. A run number that decreases, or lies beyond
 * the batch, is ignored: no honest fork server reports it. */
static bool has_hung(const forkserver_client *c, const batch *runs, heartbeat *beat,
                     int64_t now_ns) {
    const uint64_t run = c->report.report->run;
    if (run > beat->run && run < runs->count) {
        *beat = (heartbeat){run, now_ns};
        runner_begin_step(c->watch, runs->first_seed + run, c->config->timeout_ns);
    }
    return now_ns >= clock_after(beat->since_ns, c->config->timeout_ns);
}

/* True if the runs of an order have begun, as far as can be known. A fork server that makes its
 * runs in itself has then replaced RUN_NONE in the report, by the index of the first one. */
static bool has_begun(const forkserver_client *c, const frng_message *order) {
    return !can(c, FRNG_NO_FORK) || c->report.report->run < order->count;
}

/* Kill the fork server. The runs before the one in progress have passed. */
static forkserver_client_end hang_up(forkserver_client *c, const frng_message *order,
                                     frng_message *done, forkserver_client_end end) {
    const bool begun = has_begun(c, order);
    memset(done, 0, sizeof *done);
    if (begun) done->count = report_shm_run(&c->report, order->count - 1);
    c->unbegun = begun ? 0 : c->unbegun + 1;
    forkserver_stop(&c->server.forkserver);
    return begun ? end : CLIENT_LOST;
}

/* True if an answer is valid for this order: it reports some run, or the reason for none. */
static bool makes_sense(const frng_message *order, const frng_message *done) {
    if ((done->flags & FRNG_NO_PROCESS) != 0) return done->count < order->count;
    if (done->status == 0) return done->count > 0;
    return done->count < order->count || (order->flags & FRNG_ONE_PROCESS) != 0;
}

/* Make an answer of the end of a fork server that makes its runs in itself: it is that of the run
 * in progress, which has passed if the process exits with 0. */
static forkserver_client_end take_end(forkserver_client *c, const frng_message *order,
                                      frng_message *done) {
    int status;
    if (!has_begun(c, order)) return hang_up(c, order, done, CLIENT_LOST);
    const uint64_t run = report_shm_run(&c->report, order->count - 1);
    c->unbegun = 0;
    *done = (frng_message){.type = FRNG_DONE, .count = run};
    if (!forkserver_reap(&c->server.forkserver, &status)) return CLIENT_LOST;
    done->status = (uint64_t)status;
    if (status == 0) done->count++;
    return CLIENT_DONE;
}

/* True if runs left processes behind that the fork server, which made them in itself, did not
 * notice. Counting happens now and then: the kernel takes some ms longer to reap a process whose
 * folder in /proc was read. */
static bool has_left_processes(forkserver_client *c) {
    const int64_t now_ns = clock_now_ns();
    if (!can(c, FRNG_NO_FORK)) return false;
    if (now_ns < clock_after(c->server.counted_ns, COUNT_MS * CLOCK_NS_PER_MS)) return false;
    c->server.counted_ns = now_ns;
    return orphans_count_children(c->server.forkserver.child.pid) > c->helpers;
}

static forkserver_client_end take_answer(forkserver_client *c, const frng_message *order,
                                         frng_message *done) {
    if (!forkserver_receive(&c->server.forkserver, order->count, done) ||
        !makes_sense(order, done)) {
        return hang_up(c, order, done, CLIENT_LOST);
    }
    c->unbegun = 0;
    if (has_left_processes(c)) done->flags |= FRNG_LEFTOVER;
    if ((done->flags & FRNG_LEFTOVER) != 0) forkserver_stop(&c->server.forkserver);
    return CLIENT_DONE;
}

/* Ask a batch to end, and kill the fork server if it does not. */
static forkserver_client_end cancel(forkserver_client *c, frng_message *done) {
    struct pollfd fd = {c->server.forkserver.control, POLLIN, 0};
    c->cancelled = true;
    c->report.report->stop = 1;
    if (poll(&fd, 1, CANCEL_MS) <= 0 ||
        !forkserver_receive(&c->server.forkserver, UINT64_MAX, done) ||
        (done->flags & FRNG_LEFTOVER) != 0) {
        forkserver_stop(&c->server.forkserver);
    }
    return CLIENT_CANCELLED;
}

/* True if the fork server sends no more answers. */
static bool has_hung_up(const forkserver_client *c) {
    char byte;
    return recv(c->server.forkserver.control, &byte, sizeof byte, MSG_PEEK | MSG_DONTWAIT) <= 0;
}

/* Return how long to wait for an answer, until the next look at the run in progress. */
static int answer_wait_ms(const forkserver_client *c) {
    const int64_t now_ns = clock_now_ns();
    const int64_t look_ns = clock_after(now_ns, c->config->timeout_ns / LOOKS_PER_TIMEOUT + 1);
    if (!can(c, FRNG_NO_FORK)) return clock_look_ms(now_ns, look_ns);
    return proc_look_ms(&c->server.forkserver.child, now_ns, look_ns);
}

/* A fork server that makes its runs in itself can hang up some time before its end, or leave the
 * socket to a process that it started. So its end is watched, too. */
static forkserver_client_end wait_for_answer(forkserver_client *c, const batch *runs,
                                             const frng_message *order, frng_message *done) {
    const bool runs_itself = can(c, FRNG_NO_FORK);
    heartbeat beat = {0, clock_now_ns()};
    int control = c->server.forkserver.control;
    for (;;) {
        struct pollfd fds[] = {{control, POLLIN, 0},
                               {c->watch->fd, POLLIN, 0},
                               {runs_itself ? c->server.forkserver.child.pidfd : -1, POLLIN, 0}};
        const int ready = poll(fds, 3, answer_wait_ms(c));
        if (ready < 0 && errno != EINTR) return hang_up(c, order, done, CLIENT_LOST);
        if (fds[0].revents != 0) {
            if (!runs_itself || !has_hung_up(c)) return take_answer(c, order, done);
            control = -1;
        }
        const bool may_have_ended = runs_itself && (ready <= 0 || fds[2].revents != 0);
        if (may_have_ended && proc_has_ended(&c->server.forkserver.child)) {
            return has_hung_up(c) ? take_end(c, order, done) : take_answer(c, order, done);
        }
        if (fds[1].revents != 0 && c->watch->cancelled(c->watch->context)) return cancel(c, done);
        if (has_hung(c, runs, &beat, clock_now_ns())) {
            fds[0].fd = control;
            if (poll(fds, 3, 0) > 0) continue; /* it has just ended */
            return hang_up(c, order, done, CLIENT_HUNG);
        }
    }
}

/* True if the fork server can expand the seeds of these runs itself. */
static bool is_expanded_there(const forkserver_client *c, const batch *runs) {
    const bool is_plain =
        runs->mix == MIX_PLAIN || (runs->count == 1 && batch_input(runs, 0).style == SEED_PLAIN);
    return can(c, FRNG_CAN_EXPAND) && (is_plain || can(c, FRNG_CAN_STYLE)) &&
           (runs->prefix.count == 0 || can(c, FRNG_CAN_PREFIX));
}

/* True if many runs whose bytes the driver expands fit in one order. */
static bool takes_rows(const forkserver_client *c) {
    return can(c, FRNG_CAN_GIVEN) && (can(c, FRNG_CAN_EXPAND) || can(c, FRNG_CAN_BATCH));
}

/* Prepare the bytes of runs with seeds, or say how the fork server expands them. Returns 0 or an
 * errno. */
static int prepare_seeds(forkserver_client *c, const batch *runs, frng_message *order) {
    static const uint64_t styles[] = {[MIX_STYLED] = FRNG_STYLED, [MIX_HALF] = FRNG_HALF_STYLED};
    const seed_input first = batch_input(runs, 0);
    order->first_seed = runs->first_seed;
    order->size = runs->size;
    if (is_expanded_there(c, runs)) {
        if (can(c, FRNG_CAN_STYLE)) order->flags |= styles[runs->mix];
        if (runs->prefix.count == 0) return 0;
        order->flags |= FRNG_PREFIX;
        return input_memfd_prefix(&c->entropy, &runs->prefix);
    }
    if (!takes_rows(c)) return input_memfd_expand(&c->entropy, &first);
    order->flags |= FRNG_GIVEN;
    return input_memfd_row(&c->entropy, runs, &order->size);
}

/* True if the bytes drawn by these runs are counted by a row of each: a port to another language
 * has no table of labels. */
static bool counts_rows(const forkserver_client *c, const batch *runs) {
    const bool is_port = can(c, FRNG_NO_FORK) || (takes_rows(c) && !can(c, FRNG_CAN_EXPAND));
    return c->report.counts && runs->candidates == NULL && is_port;
}

/* Prepare the order for these runs, and its bytes. Returns 0 or an errno. */
static int prepare(forkserver_client *c, const batch *runs, uint64_t flags, frng_message *order) {
    const candidate_set *set = runs->candidates;
    const uint32_t first = (uint32_t)runs->first_seed;
    *order = (frng_message){.type = FRNG_RUN, .flags = flags, .count = runs->count};
    if ((flags & FRNG_DIGEST) != 0) order->digest_run = runs->count - 1;
    report_shm_reset(&c->report, set != NULL ? runs->count : 0);
    report_shm_request_leaks(&c->report, c->leaks);
    if (c->known != NULL) report_shm_request_features(&c->report, c->known);
    if (can(c, FRNG_NO_FORK)) c->report.report->run = RUN_NONE;
    if (counts_rows(c, runs)) report_shm_request_rows(&c->report, runs->count);
    if (set == NULL) return prepare_seeds(c, runs, order);
    if (can(c, FRNG_CAN_GIVEN)) {
        order->flags |= FRNG_GIVEN;
        if (set->form == CANDIDATE_CHOICES) {
            order->flags |= FRNG_CHOSEN;
            report_shm_request_chosen(&c->report, set->chosen_max);
        }
        return input_memfd_row(&c->entropy, runs, &order->size);
    }
    order->size = candidate_set_size(set, first);
    return input_memfd_copy(&c->entropy, order->size, candidate_set_bytes(set, first));
}

static uint32_t smaller(uint64_t fit, uint32_t count) {
    return fit < count ? (uint32_t)fit : count;
}

/* Return the number of these runs with seeds that fit in one order. */
static uint32_t takes_seeds(const forkserver_client *c, const batch *runs) {
    const uint64_t most = counts_rows(c, runs) ? REPORT_SHM_ROWS_MAX : FRNG_COUNT_MAX;
    const uint32_t count = smaller(most, runs->count);
    batch first = *runs;
    first.count = 1;
    if (is_expanded_there(c, runs)) return count;
    if (!takes_rows(c)) return !can(c, FRNG_CAN_EXPAND) || is_expanded_there(c, &first) ? 1 : 0;
    const uint64_t fit = ROW_BYTES / input_memfd_row_bytes(runs->size);
    return fit == 0 ? 1 : smaller(fit, count);
}

bool forkserver_client_can_choose(const forkserver_client *c) {
    return can(c, FRNG_CAN_GIVEN) && can(c, FRNG_CAN_CHOOSE) &&
           c->server.forkserver.layout.drawn_width > 0;
}

uint32_t forkserver_client_takes(const forkserver_client *c, const batch *runs) {
    if (runs->candidates == NULL) return takes_seeds(c, runs);
    if (can(c, FRNG_CAN_GIVEN)) return runs->count;
    return can(c, FRNG_CAN_EXPAND) ? 0 : 1;
}

/* Remember the runs of a process that goes on: it may carry something from them to the next. */
static void add_to_life(forkserver_client *c, const batch *runs, const frng_message *done) {
    const uint64_t passed = done->count < runs->count ? done->count : runs->count;
    c->server.lived += passed + (done->status != 0);
    server_life_add(&c->server.life, runs, (uint32_t)passed);
}

forkserver_client_end forkserver_client_make(forkserver_client *c, const batch *runs,
                                             uint64_t flags, frng_message *done) {
    frng_message order;
    assert(runs->count > 0 && runs->count <= FRNG_COUNT_MAX);
    runner_begin_step(c->watch, runs->first_seed,
                      clock_after(c->config->timeout_ns, runner_expansion_ns(runs->size)));
    if (prepare(c, runs, flags, &order) != 0 || !forkserver_send(&c->server.forkserver, &order)) {
        return hang_up(c, &order, done, CLIENT_LOST);
    }
    c->made_first = c->server.lived == 0;
    const forkserver_client_end end = wait_for_answer(c, runs, &order, done);
    if (can(c, FRNG_NO_FORK)) add_to_life(c, runs, done); /* it is still running */
    return end;
}

/* Make a run in a fork server of its own, beside the running one, which stays as it is: a warm
 * process is worth more than a new one. */
static forkserver_client_end make_beside(forkserver_client *c, const batch *once, uint64_t flags,
                                         frng_message *done) {
    const server_process running = c->server;
    c->server.forkserver = FORKSERVER_NONE;
    const forkserver_client_end end = forkserver_client_make_alone(c, once, flags, done);
    forkserver_stop(&c->server.forkserver);
    c->server = running;
    return end;
}

forkserver_client_end forkserver_client_make_alone(forkserver_client *c, const batch *once,
                                                   uint64_t flags, frng_message *done) {
    assert(once->count == 1);
    if (can(c, FRNG_NO_FORK) && c->server.lived > 0) return make_beside(c, once, flags, done);
    const int error = forkserver_client_need_server(c);
    if (error != 0) return error == ECANCELED ? CLIENT_CANCELLED : CLIENT_LOST;
    return forkserver_client_make(c, once, flags, done);
}

/* Begin to remember what a fork server does that has just started. */
static void begin_life(forkserver_client *c, int64_t start_ns) {
    assert(c->server.forkserver.control >= 0);
    c->server.lived = c->server.life.count = 0;
    c->server.born_ns = clock_now_ns();
    c->server.start_took_ns = c->server.born_ns - start_ns;
    c->server.counted_ns = c->server.born_ns;
    if (!can(c, FRNG_NO_FORK) || c->knows_helpers) return;
    c->helpers = orphans_count_children(c->server.forkserver.child.pid);
    c->knows_helpers = true;
}

int forkserver_client_need_server(forkserver_client *c) {
    const int64_t start_ns = clock_now_ns();
    int error = 0;
    if (c->unbegun >= RESTART_MAX) c->is_plain = true;
    if (c->is_plain) return EPROTO;
    const forkserver_setup setup = {c->config, &c->report, &c->entropy, c->watch};
    for (int i = 0; c->server.forkserver.control < 0 && i < RESTART_MAX; i++) {
        c->server.program = file_stamp_of(c->config->command.path);
        runner_go_on(c->watch, forkserver_hello_ns(c->config->timeout_ns));
        switch (forkserver_start(&c->server.forkserver, &setup, &error)) {
        case FORKSERVER_READY: begin_life(c, start_ns); break;
        case FORKSERVER_PLAIN:
        case FORKSERVER_FOREIGN: break;
        case FORKSERVER_CANCELLED: c->cancelled = true; return ECANCELED;
        case FORKSERVER_ERROR: return error;
        }
    }
    c->is_plain = c->server.forkserver.control < 0;
    return c->is_plain ? EPROTO : 0;
}

void forkserver_client_stop_if_replaced(forkserver_client *c) {
    const file_stamp now = file_stamp_of(c->config->command.path);
    if (file_stamp_equal(&now, &c->server.program)) return;
    forkserver_stop(&c->server.forkserver);
    c->knows_helpers = false;
}

void forkserver_client_stop_if_old(forkserver_client *c) {
    const int64_t least_ns = SERVER_LIFE_S * CLOCK_NS_PER_S;
    const int64_t worth_ns = c->server.start_took_ns * SERVER_LIFE_STARTS;
    const int64_t old_ns =
        clock_after(c->server.born_ns, least_ns > worth_ns ? least_ns : worth_ns);
    if (can(c, FRNG_NO_FORK) && clock_now_ns() >= old_ns) forkserver_stop(&c->server.forkserver);
}

int forkserver_client_init(forkserver_client *c, const run_config *config,
                           const runner_watch *watch) {
    const uint64_t table = CANDIDATE_SET_COUNT_MAX * sizeof(uint64_t);
    const uint64_t candidates = config->candidate_bytes > 0 ? config->candidate_bytes + table : 0;
    uint64_t capacity = input_memfd_row_bytes(config->size_max);
    if (capacity < ROW_BYTES) capacity = ROW_BYTES;
    if (capacity < candidates) capacity = candidates;
    *c =
        (forkserver_client){.config = config, .watch = watch, .server.forkserver = FORKSERVER_NONE};
    int error = report_shm_init_choosing(&c->report, config->records_max,
                                         config->candidate_bytes > 0 ? config->size_max : 0);
    if (error != 0) return error;
    error = input_memfd_init(&c->entropy, capacity);
    if (error != 0) report_shm_finish(&c->report);
    return error;
}

void forkserver_client_finish(forkserver_client *c) {
    forkserver_stop(&c->server.forkserver);
    report_shm_finish(&c->report);
    input_memfd_finish(&c->entropy);
}

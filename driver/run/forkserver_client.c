#include "forkserver_client.h"

#include "candidate_set.h"
#include "clock.h"
#include "orphans.h"

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

static bool can(const forkserver_client *x, uint64_t ability) {
    return (x->forkserver.flags & ability) != 0;
}

/* The progress of a batch: the run in progress, and when it was first seen. */
typedef struct heartbeat {
    uint64_t run;
    int64_t since_ns;
} heartbeat;

/* True if the run in progress has missed its deadline. A run number that decreases, or lies beyond
 * the batch, is ignored: no honest fork server reports it. */
static bool has_hung(const forkserver_client *x, const batch *runs, heartbeat *beat,
                     int64_t now_ns) {
    const uint64_t run = x->report.report->run;
    if (run > beat->run && run < runs->count) {
        *beat = (heartbeat){run, now_ns};
        runner_begin_step(x->watch, runs->first_seed + run, x->config->timeout_ns);
    }
    return now_ns >= clock_after(beat->since_ns, x->config->timeout_ns);
}

/* True if the runs of an order have begun, as far as can be known. A fork server that makes its
 * runs in itself has then replaced RUN_NONE in the report, by the index of the first one. */
static bool has_begun(const forkserver_client *x, const frng_message *order) {
    return !can(x, FRNG_NO_FORK) || x->report.report->run < order->count;
}

/* Kill the fork server. The runs before the one in progress have passed. */
static forkserver_client_end hang_up(forkserver_client *x, const frng_message *order,
                                     frng_message *done, forkserver_client_end end) {
    const bool begun = has_begun(x, order);
    memset(done, 0, sizeof *done);
    if (begun) done->count = report_shm_run(&x->report, order->count - 1);
    x->unbegun = begun ? 0 : x->unbegun + 1;
    forkserver_stop(&x->forkserver);
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
static forkserver_client_end take_end(forkserver_client *x, const frng_message *order,
                                      frng_message *done) {
    int status;
    if (!has_begun(x, order)) return hang_up(x, order, done, CLIENT_LOST);
    const uint64_t run = report_shm_run(&x->report, order->count - 1);
    x->unbegun = 0;
    *done = (frng_message){.type = FRNG_DONE, .count = run};
    if (!forkserver_reap(&x->forkserver, &status)) return CLIENT_LOST;
    done->status = (uint64_t)status;
    if (status == 0) done->count++;
    return CLIENT_DONE;
}

/* True if runs left processes behind that the fork server, which made them in itself, did not
 * notice. Counting happens now and then: the kernel takes some ms longer to reap a process whose
 * folder in /proc was read. */
static bool has_left_processes(forkserver_client *x) {
    const int64_t now_ns = clock_now_ns();
    if (!can(x, FRNG_NO_FORK)) return false;
    if (now_ns < clock_after(x->counted_ns, COUNT_MS * CLOCK_NS_PER_MS)) return false;
    x->counted_ns = now_ns;
    return orphans_count_children(x->forkserver.child.pid) > x->helpers;
}

static forkserver_client_end take_answer(forkserver_client *x, const frng_message *order,
                                         frng_message *done) {
    if (!forkserver_receive(&x->forkserver, order->count, done) || !makes_sense(order, done)) {
        return hang_up(x, order, done, CLIENT_LOST);
    }
    x->unbegun = 0;
    if (has_left_processes(x)) done->flags |= FRNG_LEFTOVER;
    if ((done->flags & FRNG_LEFTOVER) != 0) forkserver_stop(&x->forkserver);
    return CLIENT_DONE;
}

/* Ask a batch to end, and kill the fork server if it does not. */
static forkserver_client_end cancel(forkserver_client *x, frng_message *done) {
    struct pollfd fd = {x->forkserver.control, POLLIN, 0};
    x->cancelled = true;
    x->report.report->stop = 1;
    if (poll(&fd, 1, CANCEL_MS) <= 0 || !forkserver_receive(&x->forkserver, UINT64_MAX, done) ||
        (done->flags & FRNG_LEFTOVER) != 0) {
        forkserver_stop(&x->forkserver);
    }
    return CLIENT_CANCELLED;
}

/* True if the fork server sends no more answers. */
static bool has_hung_up(const forkserver_client *x) {
    char byte;
    return recv(x->forkserver.control, &byte, sizeof byte, MSG_PEEK | MSG_DONTWAIT) <= 0;
}

/* Return how long to wait for an answer, until the next look at the run in progress. */
static int answer_wait_ms(const forkserver_client *x) {
    const int64_t now_ns = clock_now_ns();
    const int64_t look_ns = clock_after(now_ns, x->config->timeout_ns / LOOKS_PER_TIMEOUT + 1);
    if (!can(x, FRNG_NO_FORK)) return clock_look_ms(now_ns, look_ns);
    return proc_look_ms(&x->forkserver.child, now_ns, look_ns);
}

/* A fork server that makes its runs in itself can hang up some time before its end, or leave the
 * socket to a process that it started. So its end is watched, too. */
static forkserver_client_end wait_for_answer(forkserver_client *x, const batch *runs,
                                             const frng_message *order, frng_message *done) {
    const bool runs_itself = can(x, FRNG_NO_FORK);
    heartbeat beat = {0, clock_now_ns()};
    int control = x->forkserver.control;
    for (;;) {
        struct pollfd fds[] = {{control, POLLIN, 0},
                               {x->watch->fd, POLLIN, 0},
                               {runs_itself ? x->forkserver.child.pidfd : -1, POLLIN, 0}};
        const int ready = poll(fds, 3, answer_wait_ms(x));
        if (ready < 0 && errno != EINTR) return hang_up(x, order, done, CLIENT_LOST);
        if (fds[0].revents != 0) {
            if (!runs_itself || !has_hung_up(x)) return take_answer(x, order, done);
            control = -1;
        }
        const bool may_have_ended = runs_itself && (ready <= 0 || fds[2].revents != 0);
        if (may_have_ended && proc_has_ended(&x->forkserver.child)) {
            return has_hung_up(x) ? take_end(x, order, done) : take_answer(x, order, done);
        }
        if (fds[1].revents != 0 && x->watch->cancelled(x->watch->context)) return cancel(x, done);
        if (has_hung(x, runs, &beat, clock_now_ns())) {
            fds[0].fd = control;
            if (poll(fds, 3, 0) > 0) continue; /* it has just ended */
            return hang_up(x, order, done, CLIENT_HUNG);
        }
    }
}

/* True if the fork server can expand the seeds of these runs itself. */
static bool is_expanded_there(const forkserver_client *x, const batch *runs) {
    const bool is_plain =
        runs->mix == MIX_PLAIN || (runs->count == 1 && batch_input(runs, 0).style == SEED_PLAIN);
    return can(x, FRNG_CAN_EXPAND) && (is_plain || can(x, FRNG_CAN_STYLE)) &&
           (runs->prefix.count == 0 || can(x, FRNG_CAN_PREFIX));
}

/* True if many runs whose bytes the driver expands fit in one order. */
static bool takes_rows(const forkserver_client *x) {
    return can(x, FRNG_CAN_GIVEN) && (can(x, FRNG_CAN_EXPAND) || can(x, FRNG_CAN_BATCH));
}

/* Prepare the bytes of runs with seeds, or say how the fork server expands them. Returns 0 or an
 * errno. */
static int prepare_seeds(forkserver_client *x, const batch *runs, frng_message *order) {
    static const uint64_t styles[] = {[MIX_STYLED] = FRNG_STYLED, [MIX_HALF] = FRNG_HALF_STYLED};
    const seed_input first = batch_input(runs, 0);
    order->first_seed = runs->first_seed;
    order->size = runs->size;
    if (is_expanded_there(x, runs)) {
        if (can(x, FRNG_CAN_STYLE)) order->flags |= styles[runs->mix];
        if (runs->prefix.count == 0) return 0;
        order->flags |= FRNG_PREFIX;
        return input_memfd_prefix(&x->entropy, &runs->prefix);
    }
    if (!takes_rows(x)) return input_memfd_expand(&x->entropy, &first);
    order->flags |= FRNG_GIVEN;
    return input_memfd_expand_row(&x->entropy, runs, &order->size);
}

/* True if the bytes drawn by these runs are counted by a row of each: a port to another language
 * has no table of labels. */
static bool counts_rows(const forkserver_client *x, const batch *runs) {
    const bool is_port = can(x, FRNG_NO_FORK) || (takes_rows(x) && !can(x, FRNG_CAN_EXPAND));
    return x->report.counts && runs->candidates == NULL && is_port;
}

/* Prepare the order for these runs, and its bytes. Returns 0 or an errno. */
static int prepare(forkserver_client *x, const batch *runs, uint64_t flags, frng_message *order) {
    const candidate_set *set = runs->candidates;
    const uint32_t first = (uint32_t)runs->first_seed;
    *order = (frng_message){.type = FRNG_RUN, .flags = flags, .count = runs->count};
    if ((flags & FRNG_DIGEST) != 0) order->digest_run = runs->count - 1;
    report_shm_reset(&x->report, set != NULL ? runs->count : 0);
    report_shm_want_leaks(&x->report, x->leaks);
    if (x->known != NULL) report_shm_want_features(&x->report, x->known);
    if (can(x, FRNG_NO_FORK)) x->report.report->run = RUN_NONE;
    if (counts_rows(x, runs)) report_shm_want_rows(&x->report, runs->count);
    if (set == NULL) return prepare_seeds(x, runs, order);
    if (can(x, FRNG_CAN_GIVEN)) {
        order->flags |= FRNG_GIVEN;
        if (set->form == CANDIDATE_CHOICES) {
            order->flags |= FRNG_CHOSEN;
            report_shm_want_chosen(&x->report, set->chosen_max);
        }
        return input_memfd_copy_row(&x->entropy, set->bytes, candidate_set_start(set, first),
                                    set->ends + first, runs->count, &order->size);
    }
    order->size = candidate_set_size(set, first);
    return input_memfd_copy(&x->entropy, order->size, candidate_set_bytes(set, first));
}

static uint32_t smaller(uint64_t fit, uint32_t count) {
    return fit < count ? (uint32_t)fit : count;
}

/* Return the number of these runs with seeds that fit in one order. */
static uint32_t takes_seeds(const forkserver_client *x, const batch *runs) {
    const uint32_t count =
        counts_rows(x, runs) ? smaller(REPORT_SHM_ROWS_MAX, runs->count) : runs->count;
    batch first = *runs;
    first.count = 1;
    if (is_expanded_there(x, runs)) return count;
    if (!takes_rows(x)) return !can(x, FRNG_CAN_EXPAND) || is_expanded_there(x, &first) ? 1 : 0;
    const uint64_t fit = ROW_BYTES / input_memfd_row_bytes(runs->size);
    return fit == 0 ? 1 : smaller(fit, count);
}

bool forkserver_client_can_choose(const forkserver_client *x) {
    return can(x, FRNG_CAN_GIVEN) && can(x, FRNG_CAN_CHOOSE) &&
           x->forkserver.layout.drawn_width > 0;
}

uint32_t forkserver_client_takes(const forkserver_client *x, const batch *runs) {
    if (runs->candidates == NULL) return takes_seeds(x, runs);
    if (can(x, FRNG_CAN_GIVEN)) return runs->count;
    return can(x, FRNG_CAN_EXPAND) ? 0 : 1;
}

/* Remember the runs of a process that goes on: it may carry something from them to the next. */
static void add_to_life(forkserver_client *x, const batch *runs, const frng_message *done) {
    const uint64_t passed = done->count < runs->count ? done->count : runs->count;
    x->lived += passed + (done->status != 0);
    server_life_add(&x->life, runs, (uint32_t)passed);
}

forkserver_client_end forkserver_client_make(forkserver_client *x, const batch *runs,
                                             uint64_t flags, frng_message *done) {
    frng_message order;
    runner_begin_step(x->watch, runs->first_seed,
                      clock_after(x->config->timeout_ns, runner_expansion_ns(runs->size)));
    if (prepare(x, runs, flags, &order) != 0 || !forkserver_send(&x->forkserver, &order)) {
        return hang_up(x, &order, done, CLIENT_LOST);
    }
    x->made_first = x->lived == 0;
    const forkserver_client_end end = wait_for_answer(x, runs, &order, done);
    if (can(x, FRNG_NO_FORK)) add_to_life(x, runs, done); /* it is still running */
    return end;
}

/* Make a run in a fork server of its own, beside the running one, which stays as it is: a warm
 * process is worth more than a new one. */
static forkserver_client_end make_beside(forkserver_client *x, const batch *once, uint64_t flags,
                                         frng_message *done) {
    const forkserver_client running = *x;
    x->forkserver = FORKSERVER_NONE;
    const forkserver_client_end end = forkserver_client_make_alone(x, once, flags, done);
    forkserver_stop(&x->forkserver);
    x->forkserver = running.forkserver;
    x->program = running.program;
    x->life = running.life;
    x->lived = running.lived;
    x->born_ns = running.born_ns;
    x->start_took_ns = running.start_took_ns;
    x->counted_ns = running.counted_ns;
    return end;
}

forkserver_client_end forkserver_client_make_alone(forkserver_client *x, const batch *once,
                                                   uint64_t flags, frng_message *done) {
    assert(once->count == 1);
    if (can(x, FRNG_NO_FORK) && x->lived > 0) return make_beside(x, once, flags, done);
    const int error = forkserver_client_need_server(x);
    if (error != 0) return error == ECANCELED ? CLIENT_CANCELLED : CLIENT_LOST;
    return forkserver_client_make(x, once, flags, done);
}

/* Begin to remember what a fork server does that has just started. */
static void begin_life(forkserver_client *x, int64_t start_ns) {
    x->lived = x->life.count = 0;
    x->born_ns = clock_now_ns();
    x->start_took_ns = x->born_ns - start_ns;
    x->counted_ns = x->born_ns;
    if (!can(x, FRNG_NO_FORK) || x->knows_helpers) return;
    x->helpers = orphans_count_children(x->forkserver.child.pid);
    x->knows_helpers = true;
}

int forkserver_client_need_server(forkserver_client *x) {
    const int64_t start_ns = clock_now_ns();
    int error = 0;
    if (x->unbegun >= RESTART_MAX) x->is_plain = true;
    if (x->is_plain) return EPROTO;
    const forkserver_setup setup = {x->config, &x->report, &x->entropy, x->watch};
    for (int i = 0; x->forkserver.control < 0 && i < RESTART_MAX; i++) {
        x->program = file_stamp_of(x->config->command.path);
        runner_go_on(x->watch, forkserver_hello_ns(x->config->timeout_ns));
        switch (forkserver_start(&x->forkserver, &setup, &error)) {
        case FORKSERVER_READY: begin_life(x, start_ns); break;
        case FORKSERVER_PLAIN:
        case FORKSERVER_FOREIGN: break;
        case FORKSERVER_CANCELLED: x->cancelled = true; return ECANCELED;
        case FORKSERVER_ERROR: return error;
        }
    }
    x->is_plain = x->forkserver.control < 0;
    return x->is_plain ? EPROTO : 0;
}

void forkserver_client_heed_program(forkserver_client *x) {
    const file_stamp now = file_stamp_of(x->config->command.path);
    if (file_stamp_equal(&now, &x->program)) return;
    forkserver_stop(&x->forkserver);
    x->knows_helpers = false;
}

void forkserver_client_heed_age(forkserver_client *x) {
    const int64_t least_ns = SERVER_LIFE_S * CLOCK_NS_PER_S;
    const int64_t worth_ns = x->start_took_ns * SERVER_LIFE_STARTS;
    const int64_t old_ns = clock_after(x->born_ns, least_ns > worth_ns ? least_ns : worth_ns);
    if (can(x, FRNG_NO_FORK) && clock_now_ns() >= old_ns) forkserver_stop(&x->forkserver);
}

int forkserver_client_init(forkserver_client *x, const run_config *config,
                           const runner_watch *watch) {
    const uint64_t table = CANDIDATE_SET_COUNT_MAX * sizeof(uint64_t);
    const uint64_t candidates = config->candidate_bytes > 0 ? config->candidate_bytes + table : 0;
    uint64_t capacity = input_memfd_row_bytes(config->size_max);
    if (capacity < ROW_BYTES) capacity = ROW_BYTES;
    if (capacity < candidates) capacity = candidates;
    *x = (forkserver_client){.config = config, .watch = watch, .forkserver = FORKSERVER_NONE};
    int error = report_shm_init_choosing(&x->report, config->records_max,
                                         config->candidate_bytes > 0 ? config->size_max : 0);
    if (error != 0) return error;
    error = input_memfd_init(&x->entropy, capacity);
    if (error != 0) report_shm_finish(&x->report);
    return error;
}

void forkserver_client_finish(forkserver_client *x) {
    forkserver_stop(&x->forkserver);
    report_shm_finish(&x->report);
    input_memfd_finish(&x->entropy);
}

/* How a fork server is used.
 *
 * It is started with a socket, the report and the memory of entropy, and sends HELLO, which names
 * its abilities. A program that does not speak the protocol ends, or says nothing before the
 * deadline: then it is plain, and its runs are spawned.
 *
 * A message (frng_message) asks for many runs. Their bytes are seeds that the server expands, or
 * rows in the memory of entropy. The report shows the run in progress, so that a hang is the run
 * that does not change until its deadline. The answer tells how many runs passed, and how the next
 * one ended.
 * A server that dies, sends nonsense or leaves processes behind is killed with all of its processes
 * and started again for the next message; one that begins no message RESTART_MAX times is plain.
 *
 * A server that makes its runs in itself cannot answer for a run that ends it: the end of its
 * process does. A run that needs a process of its own is made by a second server beside it. */
#include "server.h"

#include "candidate_set.h"
#include "clock.h"
#include "input_memfd.h"
#include "proc.h"
#include "spawn.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Its start and end ---- */

/* Limits on the wait for a HELLO, which may otherwise take as long as a run (`timeout_ns`). The
 * minimum is for busy machines, which start a program slowly. */
enum { SERVER_HELLO_MIN_MS = 2000, SERVER_HELLO_MAX_MS = 10000 };

typedef enum start_end {
    START_READY,
    START_PLAIN,     /* the target started, but does not speak the protocol */
    START_FOREIGN,   /* the same; it speaks in the other byte order */
    START_CANCELLED, /* the batch was cancelled before the HELLO */
    START_ERROR      /* the target could not be started */
} start_end;

#define PROCESS_NONE ((server_process){.control = -1})

/* Start the process with its end of the control socket. Returns 0 or an errno. */
static int start_process(fork_server *c, int control) {
    const run_config *config = c->config;
    const int inherited[] = {control, c->report.fd, c->entropy.fd};
    const int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null_fd < 0) return errno;
    const proc_setup process = {
        .stdin_fd = null_fd,
        .stdout_fd = null_fd,
        .stderr_fd = null_fd,
        .place = PROC_OWN_SESSION,
        .dies_with_parent = true,
        .memory_max = config->memory_max,
        .mask = config->mask,
        .inherited = inherited,
        .inherited_count = sizeof inherited / sizeof inherited[0],
    };
    proc_command command = config->command;
    char *const *envp = config->terse_envp != NULL ? config->terse_envp : command.envp;
    command.envp = report_shm_environment(&c->report, control, c->entropy.fd, envp);
    const int error = command.envp != NULL
                          ? child_spawn(&command, &process, c->watch, NULL, &c->process.child)
                          : ENOMEM;
    free((void *)(uintptr_t)command.envp);
    close(null_fd);
    return error;
}

static bool receive(const fork_server *c, frng_message *message) {
    ssize_t size;
    while ((size = recv(c->process.control, message, sizeof *message, MSG_TRUNC)) < 0 &&
           errno == EINTR) {
    }
    return size == (ssize_t)sizeof *message;
}

static start_end take_greeting(fork_server *c) {
    frng_message hello;
    if (!receive(c, &hello)) return START_PLAIN;
    if (hello.type == __builtin_bswap64(FRNG_HELLO)) return START_FOREIGN;
    if (hello.type != FRNG_HELLO || hello.version != FRNG_PROTOCOL_VERSION) return START_PLAIN;
    c->process.flags = hello.flags;
    c->process.layout = report_shm_check_layout(&hello);
    return START_READY;
}

/* Return how long to wait for HELLO. */
static int64_t hello_ns(const fork_server *c) {
    const int64_t least_ns = SERVER_HELLO_MIN_MS * CLOCK_NS_PER_MS;
    const int64_t most_ns = SERVER_HELLO_MAX_MS * CLOCK_NS_PER_MS;
    const int64_t timeout_ns = c->config->timeout_ns;
    if (timeout_ns < least_ns) return least_ns;
    return timeout_ns < most_ns ? timeout_ns : most_ns;
}

/* Wait for HELLO. A program that does not speak the protocol ends, or is still busy at the
 * deadline. */
static start_end await_greeting(fork_server *c) {
    const server_process *s = &c->process;
    runner_go_on(c->watch, hello_ns(c));
    int64_t now_ns = clock_now_ns();
    const int64_t deadline_ns = clock_after(now_ns, hello_ns(c));
    struct pollfd fds[] = {
        {s->control, POLLIN, 0}, {s->child.pidfd, POLLIN, 0}, {c->watch->fd, POLLIN, 0}};
    for (; now_ns < deadline_ns; now_ns = clock_now_ns()) {
        const int ready = poll(fds, 3, proc_look_ms(&s->child, now_ns, deadline_ns));
        if (ready < 0 && errno != EINTR) break;
        if (ready > 0 && (fds[0].revents & POLLIN) != 0) return take_greeting(c);
        if (ready > 0 && (fds[0].revents != 0 || fds[1].revents != 0)) break;
        if (ready > 0 && c->watch->cancelled(c->watch->context)) return START_CANCELLED;
        if (ready == 0 && proc_has_ended(&s->child)) break;
    }
    return START_PLAIN;
}

/* Start a fork server and wait for its HELLO. The process is spared (proc.h) until server_stop.
 * *error_number is the cause of START_ERROR. */
static start_end start(fork_server *c, int *error_number) {
    int ends[2];
    c->process = PROCESS_NONE;
    c->process.program = file_stamp_of(c->config->command.path);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        *error_number = errno;
        return START_ERROR;
    }
    *error_number = start_process(c, ends[1]);
    close(ends[1]);
    if (*error_number != 0) {
        close(ends[0]);
        return START_ERROR;
    }
    c->process.control = ends[0];
    orphans_spare(c->process.child.pid);
    const start_end end = await_greeting(c);
    if (end != START_READY) server_stop(c);
    return end;
}

/* Reap a fork server that has ended, and kill all processes that it started. Returns false if its
 * wait status cannot be known. The caller is that of server_stop. */
static bool reap(fork_server *c, int *status) {
    assert(c->process.control >= 0);
    orphans_unspare(c->process.child.pid);
    const bool is_known = proc_reap(&c->process.child, true, status) == 0;
    close(c->process.control);
    c->process.control = -1;
    orphans_sweep();
    return is_known;
}

void server_stop(fork_server *c) {
    int status;
    if (c->process.control < 0) return;
    proc_kill(&c->process.child, true);
    reap(c, &status);
}

/* ---- Messages ---- */

static bool send_message(const fork_server *c, const frng_message *message) {
    assert(c->process.control >= 0);
    return send(c->process.control, message, sizeof *message, MSG_NOSIGNAL) ==
           (ssize_t)sizeof *message;
}

/* True for a status that waitpid can return for a process that has ended. */
static bool is_end(uint64_t status) {
    if (status > UINT16_MAX) return false;
    if (WIFEXITED((int)status)) return true;
    return WIFSIGNALED((int)status) && WTERMSIG((int)status) <= SIGRTMAX;
}

/* Read an answer. False if the fork server hung up, or sent anything but a DONE for a message of
 * `count` runs. */
static bool receive_done(const fork_server *c, uint64_t count, frng_message *done) {
    enum { ERRNO_MAX = 4095 };
    if (!receive(c, done) || done->type != FRNG_DONE || done->count > count) return false;
    const bool is_errno = (done->flags & FRNG_NO_PROCESS) != 0;
    return is_errno ? done->status <= ERRNO_MAX : is_end(done->status);
}

enum {
    COUNT_MS = 20,         /* time between two counts of the processes that runs left */
    CANCEL_MS = 50,        /* time for a cancelled batch to end by itself */
    LOOKS_PER_TIMEOUT = 8, /* checks of a batch's progress in each timeout */
    LOOK_MAX_MS = 100,     /* time between two of them, at most */
    ROW_BYTES = 1 << 20,   /* expansions for a program that knows no styles, in one message */
    RESTART_MAX = 3        /* failed starts of a fork server in a row before it counts as plain */
};

/* The run in progress of a fork server that makes its runs in itself, before it begins any. */
#define RUN_NONE UINT64_MAX

static bool can(const fork_server *c, uint64_t ability) {
    return (c->process.flags & ability) != 0;
}

/* The progress of a batch: the run in progress, and when it was first seen. */
typedef struct heartbeat {
    uint64_t run;
    int64_t since_ns;
} heartbeat;

/* True if the run in progress has missed its deadline. A run number that decreases, or lies beyond
 * the batch, is ignored: no honest fork server reports it. */
static bool has_hung(const fork_server *c, const batch *b, heartbeat *beat, int64_t now_ns) {
    const uint64_t run = c->report.report->run;
    if (run > beat->run && run < b->count) {
        *beat = (heartbeat){run, now_ns};
        runner_begin_step(c->watch, b->first_seed + run, c->config->timeout_ns);
    }
    return now_ns >= clock_after(beat->since_ns, c->config->timeout_ns);
}

/* True if the runs of a message have begun, as far as can be known. A fork server that makes its
 * runs in itself has then replaced RUN_NONE in the report, by the index of the first one. */
static bool has_begun(const fork_server *c, const frng_message *message) {
    return !can(c, FRNG_NO_FORK) || c->report.report->run < message->count;
}

/* Kill the fork server. The runs before the one in progress have passed. */
static server_end hang_up(fork_server *c, const frng_message *message, frng_message *done,
                          server_end end) {
    const bool begun = has_begun(c, message);
    memset(done, 0, sizeof *done);
    if (begun) done->count = report_shm_run(&c->report, message->count - 1);
    c->unbegun = begun ? 0 : c->unbegun + 1;
    server_stop(c);
    return begun ? end : SERVER_LOST;
}

/* True if an answer is valid for this message: it reports some run, or the reason for none. */
static bool makes_sense(const frng_message *message, const frng_message *done) {
    if ((done->flags & FRNG_NO_PROCESS) != 0) return done->count < message->count;
    if (done->status == 0) return done->count > 0;
    return done->count < message->count || (message->flags & FRNG_ONE_PROCESS) != 0;
}

/* Make an answer of the end of a fork server that makes its runs in itself: it is that of the run
 * in progress, which has passed if the process exits with 0. */
static server_end take_end(fork_server *c, const frng_message *message, frng_message *done) {
    int status;
    if (!has_begun(c, message)) return hang_up(c, message, done, SERVER_LOST);
    const uint64_t run = report_shm_run(&c->report, message->count - 1);
    c->unbegun = 0;
    *done = (frng_message){.type = FRNG_DONE, .count = run};
    if (!reap(c, &status)) return SERVER_LOST;
    done->status = (uint64_t)status;
    if (status == 0) done->count++;
    return SERVER_DONE;
}

/* True if runs left processes behind that the fork server, which made them in itself, did not
 * notice. Counting happens now and then: the kernel takes some ms longer to reap a process whose
 * folder in /proc was read. */
static bool has_left_processes(fork_server *c) {
    const int64_t now_ns = clock_now_ns();
    if (!can(c, FRNG_NO_FORK)) return false;
    if (now_ns < clock_after(c->process.counted_ns, COUNT_MS * CLOCK_NS_PER_MS)) return false;
    c->process.counted_ns = now_ns;
    return orphans_count_children(c->process.child.pid) > c->helpers;
}

static server_end take_answer(fork_server *c, const frng_message *message, frng_message *done) {
    if (!receive_done(c, message->count, done) || !makes_sense(message, done)) {
        return hang_up(c, message, done, SERVER_LOST);
    }
    c->unbegun = 0;
    if (has_left_processes(c)) done->flags |= FRNG_LEFTOVER;
    if ((done->flags & FRNG_LEFTOVER) != 0) server_stop(c);
    return SERVER_DONE;
}

/* Ask a batch to end, and kill the fork server if it does not. */
static server_end cancel(fork_server *c, frng_message *done) {
    struct pollfd fd = {c->process.control, POLLIN, 0};
    c->cancelled = true;
    c->report.report->stop = 1;
    if (poll(&fd, 1, CANCEL_MS) <= 0 || !receive_done(c, UINT64_MAX, done) ||
        (done->flags & FRNG_LEFTOVER) != 0) {
        server_stop(c);
    }
    return SERVER_CANCELLED;
}

/* True if the fork server sends no more answers. */
static bool has_hung_up(const fork_server *c) {
    char byte;
    return recv(c->process.control, &byte, sizeof byte, MSG_PEEK | MSG_DONTWAIT) <= 0;
}

/* Return how long to wait for an answer, until the next look at the run in progress. */
static int answer_wait_ms(const fork_server *c) {
    const int64_t now_ns = clock_now_ns();
    const int64_t part_ns = c->config->timeout_ns / LOOKS_PER_TIMEOUT + 1;
    const int64_t most_ns = LOOK_MAX_MS * CLOCK_NS_PER_MS;
    const int64_t look_ns = clock_after(now_ns, part_ns < most_ns ? part_ns : most_ns);
    if (!can(c, FRNG_NO_FORK)) return clock_look_ms(now_ns, look_ns);
    return proc_look_ms(&c->process.child, now_ns, look_ns);
}

/* A fork server that makes its runs in itself can hang up some time before its end, or leave the
 * socket to a process that it started. So its end is watched, too. */
static server_end wait_for_answer(fork_server *c, const batch *b, const frng_message *message,
                                  frng_message *done) {
    const bool runs_itself = can(c, FRNG_NO_FORK);
    heartbeat beat = {0, clock_now_ns()};
    int control = c->process.control;
    for (;;) {
        struct pollfd fds[] = {{control, POLLIN, 0},
                               {c->watch->fd, POLLIN, 0},
                               {runs_itself ? c->process.child.pidfd : -1, POLLIN, 0}};
        const int ready = poll(fds, 3, answer_wait_ms(c));
        if (ready < 0 && errno != EINTR) return hang_up(c, message, done, SERVER_LOST);
        if (fds[0].revents != 0) {
            if (!runs_itself || !has_hung_up(c)) return take_answer(c, message, done);
            control = -1;
        }
        const bool may_have_ended = runs_itself && (ready <= 0 || fds[2].revents != 0);
        if (may_have_ended && proc_has_ended(&c->process.child)) {
            return has_hung_up(c) ? take_end(c, message, done) : take_answer(c, message, done);
        }
        if (fds[1].revents != 0 && c->watch->cancelled(c->watch->context)) return cancel(c, done);
        if (has_hung(c, b, &beat, clock_now_ns())) {
            fds[0].fd = control;
            if (poll(fds, 3, 0) > 0) continue; /* it has just ended */
            const bool is_stopped = !runs_itself && proc_is_stopped(c->process.child.pid);
            return hang_up(c, message, done, is_stopped ? SERVER_STOPPED : SERVER_HUNG);
        }
    }
}

/* True if the fork server can expand the seeds of these runs itself. */
static bool is_expanded_there(const fork_server *c, const batch *b) {
    const bool is_plain =
        b->mix == MIX_PLAIN || (b->count == 1 && batch_input(b, 0).style == SEED_PLAIN);
    return can(c, FRNG_CAN_EXPAND) && (is_plain || can(c, FRNG_CAN_STYLE));
}

/* True if many runs whose bytes the driver expands fit in one message. */
static bool takes_rows(const fork_server *c) {
    return can(c, FRNG_CAN_GIVEN) && (can(c, FRNG_CAN_EXPAND) || can(c, FRNG_CAN_BATCH));
}

/* True if the bytes drawn by these runs are counted by a row of each: a port to another language
 * has no table of labels. */
static bool counts_rows(const fork_server *c, const batch *b) {
    const bool is_port = can(c, FRNG_NO_FORK) || (takes_rows(c) && !can(c, FRNG_CAN_EXPAND));
    return c->report.counts && b->candidates == NULL && is_port;
}

/* Prepare the message for these runs, and the bytes that the fork server does not expand itself.
 * Returns 0 or an errno. */
static int prepare(fork_server *c, const batch *b, uint64_t flags, frng_message *message) {
    static const uint64_t styles[] = {[MIX_STYLED] = FRNG_STYLED, [MIX_HALF] = FRNG_HALF_STYLED};
    const candidate_set *set = b->candidates;
    *message = (frng_message){.type = FRNG_RUN, .flags = flags, .count = b->count};
    if ((flags & FRNG_DIGEST) != 0) message->digest_run = b->count - 1;
    report_shm_reset(&c->report, set != NULL ? b->count : 0);
    c->report.report->leaks = c->leaks;
    if (can(c, FRNG_NO_FORK)) c->report.report->run = RUN_NONE;
    if (counts_rows(c, b)) report_shm_request_rows(&c->report, b->count);
    if (set == NULL) message->first_seed = b->first_seed;
    if (set == NULL && is_expanded_there(c, b)) {
        if (can(c, FRNG_CAN_STYLE)) message->flags |= styles[b->mix];
        message->size = b->size;
        return 0;
    }
    const bool is_given = set != NULL ? can(c, FRNG_CAN_GIVEN) : takes_rows(c);
    if (is_given) message->flags |= FRNG_GIVEN;
    if (is_given && set != NULL && set->form == CANDIDATE_CHOICES) {
        message->flags |= FRNG_CHOSEN;
        report_shm_request_chosen(&c->report, set->chosen_max);
    }
    return input_memfd_write(&c->entropy, b, is_given, &message->size);
}

static uint32_t at_most(uint64_t fit, uint32_t count) {
    return fit < count ? (uint32_t)fit : count;
}

/* Return the number of these runs with seeds that fit in one message. */
static uint32_t takes_seeds(const fork_server *c, const batch *b) {
    const uint64_t most = counts_rows(c, b) ? REPORT_SHM_ROWS_MAX : FRNG_COUNT_MAX;
    const uint32_t count = at_most(most, b->count);
    batch first = *b;
    first.count = 1;
    if (is_expanded_there(c, b)) return count;
    if (!takes_rows(c)) return !can(c, FRNG_CAN_EXPAND) || is_expanded_there(c, &first) ? 1 : 0;
    const uint64_t fit = ROW_BYTES / input_memfd_row_bytes(b->size);
    return fit == 0 ? 1 : at_most(fit, count);
}

bool server_can_choose(const fork_server *c) {
    return can(c, FRNG_CAN_GIVEN) && can(c, FRNG_CAN_CHOOSE) && c->process.layout.drawn_width > 0;
}

uint32_t server_takes(const fork_server *c, const batch *b) {
    if (b->candidates == NULL) return takes_seeds(c, b);
    if (can(c, FRNG_CAN_GIVEN)) return b->count;
    return can(c, FRNG_CAN_EXPAND) ? 0 : 1;
}

server_end server_make(fork_server *c, const batch *b, uint64_t flags, frng_message *done) {
    frng_message message;
    assert(b->count > 0 && b->count <= FRNG_COUNT_MAX);
    runner_begin_step(c->watch, b->first_seed,
                      clock_after(c->config->timeout_ns, runner_expansion_ns(b->size)));
    if (prepare(c, b, flags, &message) != 0 || !send_message(c, &message)) {
        return hang_up(c, &message, done, SERVER_LOST);
    }
    c->made_first = c->process.lived == 0;
    const server_end end = wait_for_answer(c, b, &message, done);
    if (can(c, FRNG_NO_FORK)) /* it is still running */
        c->process.lived += at_most(done->count, b->count) + (done->status != 0);
    return end;
}

server_end server_make_alone(fork_server *c, const batch *once, uint64_t flags,
                             frng_message *done) {
    const server_process warm = c->process;
    const bool is_beside = can(c, FRNG_NO_FORK) && warm.lived > 0;
    assert(once->count == 1);
    if (is_beside) c->process = PROCESS_NONE;
    const int error = server_need(c);
    const server_end end = error == 0           ? server_make(c, once, flags, done)
                           : error == ECANCELED ? SERVER_CANCELLED
                                                : SERVER_LOST;
    if (!is_beside) return end;
    server_stop(c);
    c->process = warm;
    return end;
}

/* Take note of a fork server that has just started. */
static void begin_server(fork_server *c) {
    assert(c->process.control >= 0);
    c->process.lived = 0;
    c->process.counted_ns = clock_now_ns();
    if (!can(c, FRNG_NO_FORK) || c->knows_helpers) return;
    c->helpers = orphans_count_children(c->process.child.pid);
    c->knows_helpers = true;
}

int server_need(fork_server *c) {
    int error = 0;
    if (c->unbegun >= RESTART_MAX) c->is_plain = true;
    if (c->is_plain) return EPROTO;
    for (int i = 0; c->process.control < 0 && i < RESTART_MAX; i++) {
        runner_go_on(c->watch, hello_ns(c));
        switch (start(c, &error)) {
        case START_READY: begin_server(c); break;
        case START_PLAIN:
        case START_FOREIGN: break;
        case START_CANCELLED: c->cancelled = true; return ECANCELED;
        case START_ERROR: return error;
        }
    }
    c->is_plain = c->process.control < 0;
    return c->is_plain ? EPROTO : 0;
}

void server_stop_if_replaced(fork_server *c) {
    const file_stamp now = file_stamp_of(c->config->command.path);
    if (file_stamp_equal(&now, &c->process.program)) return;
    server_stop(c);
    c->knows_helpers = false;
}

int server_init(fork_server *c, const run_config *config, const runner_watch *watch) {
    const uint64_t table = CANDIDATE_SET_COUNT_MAX * sizeof(uint64_t);
    const uint64_t candidates = config->candidate_bytes > 0 ? config->candidate_bytes + table : 0;
    uint64_t capacity = input_memfd_row_bytes(config->size_max);
    if (capacity < ROW_BYTES) capacity = ROW_BYTES;
    if (capacity < candidates) capacity = candidates;
    *c = (fork_server){.config = config, .watch = watch, .process = PROCESS_NONE};
    /* The bytes drawn for choices are copied to their set, which has room for no more. */
    int error = report_shm_init(&c->report, config->records_max, config->candidate_bytes);
    if (error != 0) return error;
    error = input_memfd_init(&c->entropy, capacity);
    if (error != 0) report_shm_finish(&c->report);
    return error;
}

void server_finish(fork_server *c) {
    server_stop(c);
    report_shm_finish(&c->report);
    input_memfd_finish(&c->entropy);
}

/* ---- What a target can do ---- */

typedef struct probe {
    runner base;
    fork_server server;
} probe;

static outcome probe_once(runner *base, const batch *once, run_purpose purpose,
                          run_result *result) {
    fork_server *c = &((probe *)base)->server;
    probe_answer answer = {.mode = MODE_SPAWN};
    int error;
    (void)purpose;
    runner_begin_step(c->watch, once->first_seed, hello_ns(c));
    switch (start(c, &error)) {
    case START_READY:
        answer.layout = c->process.layout;
        answer.mode = can(c, FRNG_CAN_BATCH)      ? MODE_PERSISTENT
                      : !answer.layout.forks_none ? MODE_FORK
                                                  : MODE_SPAWN;
        server_stop(c);
        break;
    case START_FOREIGN: answer.is_foreign = true; break;
    case START_PLAIN: break;
    case START_CANCELLED: result->cancelled = true; break;
    case START_ERROR: return outcome_error(outcome_fault_of_exec(error), error);
    }
    bytes_tail_add(&result->output, (const uint8_t *)&answer, sizeof answer);
    return outcome_of_status(0);
}

probe_answer probe_answer_of(const run_result *result) {
    probe_answer answer = {.mode = MODE_SPAWN};
    if (result->last.verdict == VERDICT_PASS && result->output.size == sizeof answer)
        memcpy(&answer, result->output.bytes, sizeof answer);
    return answer;
}

static void probe_destroy(runner *base) {
    server_finish(&((probe *)base)->server);
    free(base);
}

runner *probe_create(const void *config, const runner_watch *watch, int *error_number) {
    static const runner_ops ops = {runner_run_each, probe_destroy, probe_once};
    probe *p = calloc(1, sizeof *p);
    *error_number = p != NULL ? server_init(&p->server, config, watch) : ENOMEM;
    if (*error_number == 0) {
        p->base.ops = &ops;
        return &p->base;
    }
    free(p);
    return NULL;
}

/* worker.h: a process that answers each order once, gives up what is void, and ends with its
 * driver. */
#include "suite.h"
#include "worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- A runner that does as the seed says ---- */

enum { FAILS = 100, WAITS_TO_BE_CANCELLED = 200, PRINTS = 300 };

typedef struct echo {
    runner base;
    const runner_watch *watch;
    unsigned *runs; /* in shared memory; behind it, how it ended */
} echo;

enum { ENDED_ABANDONED = 1, ENDED_DISMISSED };

static runner_step step; /* of a worker's own: it is forked */

static void echo_run(runner *base, const batch *runs, run_purpose purpose, run_result *result) {
    const echo *e = (echo *)base;
    __atomic_fetch_add(e->runs, 1, __ATOMIC_SEQ_CST);
    result->ran = runs->count;
    result->cancelled = false;
    result->last = outcome_of_status(runs->first_seed == FAILS ? 3 << 8 : 0);
    result->took_ns = (int64_t)runs->size;
    if (runs->first_seed == PRINTS && purpose != RUN_TRY) {
        uint8_t bytes[BYTES_TAIL_MAX];
        memset(bytes, 'x', sizeof bytes);
        bytes_tail_add(&result->output, bytes, runs->size);
    }
    while (runs->first_seed == WAITS_TO_BE_CANCELLED && !result->cancelled) {
        struct pollfd fd = {e->watch->fd, POLLIN, 0};
        poll(&fd, 1, -1);
        result->cancelled = e->watch->cancelled(e->watch->context);
        result->took_ns++;
    }
}

static void echo_destroy(runner *base) {
    const echo *e = (echo *)base;
    e->runs[1] = e->watch->driver_died(e->watch->context) ? ENDED_ABANDONED : ENDED_DISMISSED;
    free(base);
}

static runner *echo_create(const void *config, const runner_watch *watch, int *error_number) {
    static const runner_ops ops = {echo_run, echo_destroy};
    echo *e = malloc(sizeof *e);
    (void)error_number;
    if (e == NULL) return NULL;
    *e = (echo){{&ops}, watch, *(unsigned *const *)config};
    return &e->base;
}

/* ---- A worker and its driver's end ---- */

typedef struct pair {
    pid_t pid;
    int fd;
    unsigned *runs;
} pair;

static pair start(runner_factory create) {
    int ends[2];
    pair p;
    p.runs = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(p.runs, MAP_FAILED);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    p.pid = fork();
    ck_assert_int_ge(p.pid, 0);
    if (p.pid == 0) {
        close(ends[0]);
        worker_main(ends[1], &step, create, &p.runs);
    }
    close(ends[1]);
    p.fd = ends[0];
    return p;
}

static void order(const pair *p, worker_verb verb, uint64_t number, batch runs,
                  run_purpose purpose) {
    const worker_order o = {verb, purpose, number, runs};
    ck_assert_int_eq(send(p->fd, &o, sizeof o, MSG_NOSIGNAL), (ssize_t)sizeof o);
}

static worker_answer *answer(const pair *p, uint64_t number) {
    static worker_answer a;
    ck_assert(worker_receive(p->fd, &a));
    ck_assert_uint_eq(a.number, number);
    ck_assert_int_eq(a.start_error, 0);
    return &a;
}

static void stop(pair *p) {
    int status;
    close(p->fd);
    ck_assert_int_eq(waitpid(p->pid, &status, 0), p->pid);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned)status);
}

TEST(output_travels_with_the_answer) {
    const size_t sizes[] = {0, 1, 1000, BYTES_TAIL_MAX, 3};
    pair p = start(echo_create);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        order(&p, WORKER_RUN, i + 1, (batch){PRINTS, 1, sizes[i], NULL}, true);
        const worker_answer *a = answer(&p, i + 1);
        ck_assert_uint_eq(a->result.output.size, sizes[i]);
        for (size_t k = 0; k < sizes[i]; k++) ck_assert_uint_eq(a->result.output.bytes[k], 'x');
    }
    order(&p, WORKER_RUN, 9, (batch){PRINTS, 1, 50, NULL}, false);
    ck_assert_uint_eq(answer(&p, 9)->result.output.size, 0);
    stop(&p);
}

TEST(a_driver_that_hangs_up_without_a_word_has_died) {
    pair p = start(echo_create);
    stop(&p);
    ck_assert_uint_eq(p.runs[1], ENDED_ABANDONED);
    p = start(echo_create);
    order(&p, WORKER_RUN, 1, (batch){WAITS_TO_BE_CANCELLED, 1, 1, NULL}, false);
    order(&p, WORKER_END, 0, (batch){0, 0, 0, NULL}, false);
    stop(&p);
    ck_assert_uint_eq(p.runs[1], ENDED_DISMISSED);
}

/* SIGCONT tells of a driver's death, but a run may send it, too. */
TEST(a_run_that_says_its_driver_is_dead) {
    pair p = start(echo_create);
    order(&p, WORKER_RUN, 1, (batch){1, 1, 1, NULL}, false);
    answer(&p, 1);
    ck_assert_int_eq(kill(p.pid, SIGCONT), 0);
    order(&p, WORKER_RUN, 2, (batch){1, 1, 1, NULL}, false);
    answer(&p, 2);
    stop(&p);
}

TEST(a_worker_dies_with_its_driver) {
    /* Nobody but the worker holds the write end of the pipe once its driver is gone, however that
     * ended. */
    int pipe_ends[2], sockets[2], status;
    char byte;
    ck_assert_int_eq(pipe(pipe_ends), 0);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets), 0);
    const pid_t driver = fork();
    ck_assert_int_ge(driver, 0);
    if (driver == 0) {
        static unsigned runs[2];
        static unsigned *const config = runs;
        static worker_answer a;
        close(pipe_ends[0]);
        if (fork() == 0) {
            close(sockets[0]);
            worker_main(sockets[1], &step, echo_create, &config);
        }
        close(sockets[1]);
        const worker_order o = {WORKER_RUN, false, 1, {1, 1, 1, NULL}};
        if (send(sockets[0], &o, sizeof o, 0) < 0) _exit(EXIT_FAILURE);
        if (!worker_receive(sockets[0], &a)) _exit(EXIT_FAILURE);
        raise(SIGKILL);
    }
    close(sockets[0]);
    close(sockets[1]);
    close(pipe_ends[1]);
    ck_assert_int_eq(waitpid(driver, &status, 0), driver);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    ck_assert_int_eq(read(pipe_ends[0], &byte, 1), 0);
}

TEST(what_is_no_answer_is_refused) {
    static worker_answer a, got;
    const size_t head = offsetof(worker_answer, result.output.bytes);
    int ends[2];
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    const size_t sizes[] = {1, head - 1, head, head + 9, head + 11, sizeof a};
    a.result.output.size = 10;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        ck_assert_int_eq(send(ends[1], &a, sizes[i], 0), (ssize_t)sizes[i]);
        ck_assert(!worker_receive(ends[0], &got));
    }
    ck_assert_int_eq(send(ends[1], &a, head + 10, 0), (ssize_t)head + 10);
    ck_assert(worker_receive(ends[0], &got));
    a.result.output.size = SIZE_MAX - head + 1;
    ck_assert_int_eq(send(ends[1], &a, head, 0), (ssize_t)head);
    ck_assert(!worker_receive(ends[0], &got));
    close(ends[1]);
    ck_assert(!worker_receive(ends[0], &got));
}

/* worker.h: a process that answers each order once, gives up what is void, and ends with its
 * driver. */
#include "fixture.h"
#include "worker.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <sys/socket.h>

/* ---- A runner that does as the seed says ---- */

enum { PASSES = 1, WAITS_TO_BE_CANCELLED, PRINTS };
enum { ENDED_ABANDONED = 1, ENDED_DISMISSED };

typedef struct echo {
    runner base;
    const runner_watch *watch;
    unsigned *ended; /* in shared memory */
} echo;

static void echo_run(runner *base, const batch *runs, run_purpose purpose, run_result *result) {
    const echo *e = (echo *)base;
    *result = (run_result){.ran = runs->count, .last = outcome_of_status(0)};
    if (runs->first_seed == PRINTS && purpose != RUN_TRY) {
        uint8_t bytes[BYTES_TAIL_MAX];
        memset(bytes, 'x', sizeof bytes);
        bytes_tail_add(&result->output, bytes, runs->size);
    }
    while (runs->first_seed == WAITS_TO_BE_CANCELLED && !result->cancelled) {
        struct pollfd fd = {e->watch->fd, POLLIN, 0};
        poll(&fd, 1, -1);
        result->cancelled = e->watch->cancelled(e->watch->context);
    }
}

static void echo_destroy(runner *base) {
    const echo *e = (echo *)base;
    *e->ended = e->watch->driver_died(e->watch->context) ? ENDED_ABANDONED : ENDED_DISMISSED;
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

static runner_step step; /* of a worker's own: it is forked */
static unsigned *ended;
static pid_t pid;
static int fd;

static void begin(void) {
    int ends[2];
    ended = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(ended, MAP_FAILED);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) close(ends[0]);
    if (pid == 0) worker_main(ends[1], &step, echo_create, &ended);
    close(ends[1]);
    fd = ends[0];
}

static void order(worker_verb verb, uint64_t number, batch runs, run_purpose purpose) {
    const worker_order o = {verb, purpose, number, runs};
    ck_assert_int_eq(send(fd, &o, sizeof o, MSG_NOSIGNAL), (ssize_t)sizeof o);
}

static const worker_answer *answer(uint64_t number) {
    static worker_answer a;
    ck_assert(worker_receive(fd, &a));
    ck_assert_uint_eq(a.number, number);
    ck_assert_int_eq(a.start_error, 0);
    return &a;
}

static void stop(unsigned wanted) {
    int status;
    close(fd);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(*ended, wanted);
}

TEST(output_travels_with_the_answer) {
    static const size_t sizes[] = {0, 1, 1000, BYTES_TAIL_MAX, 3};
    begin();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        order(WORKER_RUN, i + 1, (batch){PRINTS, 1, sizes[i], NULL}, RUN_SHOW);
        const worker_answer *a = answer(i + 1);
        ck_assert_uint_eq(a->result.output.size, sizes[i]);
        for (size_t k = 0; k < sizes[i]; k++) ck_assert_uint_eq(a->result.output.bytes[k], 'x');
    }
    order(WORKER_RUN, 9, (batch){PRINTS, 1, 50, NULL}, RUN_TRY);
    ck_assert_uint_eq(answer(9)->result.output.size, 0);
    stop(ENDED_ABANDONED); /* a driver that hangs up without a word has died */
}

/* SIGCONT tells of a driver's death, but a run may send it, too. */
TEST(a_driver_that_says_so_has_not_died) {
    begin();
    for (uint64_t number = 1; number <= 2; number++) {
        order(WORKER_RUN, number, (batch){PASSES, 1, 1, NULL}, RUN_TRY);
        answer(number);
        ck_assert_int_eq(kill(pid, SIGCONT), 0);
    }
    order(WORKER_RUN, 3, (batch){WAITS_TO_BE_CANCELLED, 1, 1, NULL}, RUN_TRY);
    order(WORKER_END, 0, (batch){0, 0, 0, NULL}, RUN_TRY);
    stop(ENDED_DISMISSED);
}

/* However its driver ends: nobody else holds the write end of the pipe then. */
TEST(a_worker_dies_with_its_driver) {
    int pipe_ends[2], status;
    char byte;
    ck_assert_int_eq(pipe(pipe_ends), 0);
    const pid_t driver = fork();
    ck_assert_int_ge(driver, 0);
    if (driver == 0) {
        close(pipe_ends[0]);
        begin();
        order(WORKER_RUN, 1, (batch){PASSES, 1, 1, NULL}, RUN_TRY);
        answer(1);
        raise(SIGKILL);
    }
    close(pipe_ends[1]);
    ck_assert_int_eq(waitpid(driver, &status, 0), driver);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    ck_assert_int_eq(read(pipe_ends[0], &byte, 1), 0);
}

TEST(what_is_no_answer_is_refused) {
    static worker_answer a, got;
    enum { HEAD = offsetof(worker_answer, result.output.bytes) };
    static const struct {
        size_t kept, size;
        bool is_good;
    } answers[] = {{10, 1, false},        {10, HEAD - 1, false},
                   {10, HEAD, false},     {10, HEAD + 9, false},
                   {10, HEAD + 10, true}, {10, HEAD + 11, false},
                   {10, sizeof a, false}, {SIZE_MAX - HEAD + 1, HEAD, false}};
    int ends[2];
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        a.result.output.size = answers[i].kept;
        ck_assert_int_eq(send(ends[1], &a, answers[i].size, 0), (ssize_t)answers[i].size);
        ck_assert(worker_receive(ends[0], &got) == answers[i].is_good);
    }
    close(ends[1]);
    ck_assert(!worker_receive(ends[0], &got));
}

#include "probe.h"

#include "backoff.h"
#include "clock.h"
#include "forkserver.h"
#include "input_memfd.h"
#include "orphans.h"
#include "runner_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* A HELLO of the other byte order. */
#define FOREIGN_HELLO __builtin_bswap64(FRNG_HELLO)

/* Start the fork server in a separate process, and send its HELLO. */
static _Noreturn void probe_main(const run_config *config, int out) {
    report_shm report;
    input_memfd entropy;
    forkserver s;
    forkserver_answer answer = FORKSERVER_ERROR;
    int error;
    frng_message found = {0};
    proc_offer_to_oom_killer();
    if ((error = report_shm_init(&report, 0)) == 0 && (error = input_memfd_init(&entropy, 0)) == 0)
        answer = forkserver_start(
            &s, &(forkserver_setup){config, &report, &entropy, &runner_watch_never}, &error);
    if (answer == FORKSERVER_FOREIGN) found.type = FOREIGN_HELLO;
    if (answer == FORKSERVER_READY) {
        found = (frng_message){.type = FRNG_HELLO,
                               .flags = s.flags,
                               .drawn_offset = s.layout.drawn_offset,
                               .drawn_width = s.layout.drawn_width};
        forkserver_stop(&s);
    }
    if (found.type == 0 && (backoff_helps(error) || error == EMFILE))
        found.status = (uint64_t)error;
    const ssize_t sent = write(out, &found, sizeof found);
    _exit(sent == (ssize_t)sizeof found ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* The separate process, while it is waited for. */
typedef struct asked {
    pid_t pid;
    int answer_fd;
    int64_t end_ns;
} asked;

/* Read the process's message, and continue it if the target stops it. False if there is none. */
static bool receive(const asked *a, int interrupt_fd, frng_message *found) {
    struct pollfd fds[] = {{a->answer_fd, POLLIN, 0}, {interrupt_fd, POLLIN, 0}};
    ssize_t size;
    int ready;
    while ((ready = poll(fds, 2, clock_look_ms(clock_now_ns(), a->end_ns))) == 0 ||
           (ready < 0 && errno == EINTR)) {
        if (clock_now_ns() >= a->end_ns) return false;
        proc_wake(a->pid);
    }
    if (fds[0].revents == 0) return false;
    while ((size = read(a->answer_fd, found, sizeof *found)) < 0 && errno == EINTR) {
    }
    return size == (ssize_t)sizeof *found;
}

static bool is_cut_short(const probe_setup *setup) {
    struct pollfd interrupt = {setup->interrupt_fd, POLLIN, 0};
    return clock_now_ns() >= setup->deadline_ns || poll(&interrupt, 1, 0) > 0;
}

/* End the process, which is about to exit if it has answered. */
static void end(pid_t pid) {
    proc child = {.pid = pid, .pidfd = -1};
    int status;
    proc_reap(&child, false, &status);
    orphans_sweep(); /* if it was killed, its children are now ours */
}

/* Return when the process is given up, at the latest. Resources may stay scarce for as long as a
 * backoff lasts. */
static int64_t end_of(const probe_setup *setup) {
    const int64_t hello_ns = forkserver_hello_ns(setup->config->timeout_ns);
    const int64_t end_ns = clock_after(clock_now_ns(), 2 * hello_ns + 10 * CLOCK_NS_PER_S);
    return end_ns < setup->deadline_ns ? end_ns : setup->deadline_ns;
}

/* Ask in a separate process. *is_answered: *found is its message. Returns 0 or an errno. */
static int ask(const probe_setup *setup, frng_message *found, bool *is_answered) {
    const int64_t end_ns = end_of(setup);
    int ends[2];
    *is_answered = false;
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    const pid_t pid = containment_fork_patiently(setup->containment, NULL, NULL);
    const int error = pid < 0 ? errno : 0;
    if (pid == 0) probe_main(setup->config, ends[1]);
    close(ends[1]);
    if (pid > 0) {
        const asked a = {pid, ends[0], end_ns};
        *is_answered = receive(&a, setup->interrupt_fd, found);
    }
    close(ends[0]);
    if (pid > 0) end(pid);
    return error;
}

int probe_run(const probe_setup *setup, probe_answer *answer) {
    frng_message found = {0};
    bool is_answered;
    orphans_adopt();
    *answer = (probe_answer){.mode = MODE_SPAWN};
    const int error = ask(setup, &found, &is_answered);
    if (error != 0) return error;
    if (!is_answered) return is_cut_short(setup) ? ECANCELED : 0;
    answer->is_foreign = found.type == FOREIGN_HELLO;
    if (found.type != FRNG_HELLO) return (int)found.status;
    answer->layout = report_shm_check_layout(&found);
    if ((found.flags & FRNG_CAN_BATCH) != 0) {
        answer->mode = MODE_PERSISTENT;
    } else if (!answer->layout.forks_none) {
        answer->mode = MODE_FORK;
    }
    return 0;
}

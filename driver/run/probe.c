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

/* Read the process's message, and continue it if the target stops it. */
static ssize_t receive(int in, pid_t pid, int interrupt_fd, int64_t end_ns, frng_message *found) {
    struct pollfd fds[] = {{in, POLLIN, 0}, {interrupt_fd, POLLIN, 0}};
    ssize_t size;
    int ready;
    while ((ready = poll(fds, 2, clock_look_ms(clock_now_ns(), end_ns))) == 0 ||
           (ready < 0 && errno == EINTR)) {
        if (clock_now_ns() >= end_ns) return 0;
        proc_wake(pid);
    }
    if (fds[0].revents == 0) return 0;
    while ((size = read(in, found, sizeof *found)) < 0 && errno == EINTR) {
    }
    return size;
}

static bool is_cut_short(int interrupt_fd, int64_t deadline_ns) {
    struct pollfd interrupt = {interrupt_fd, POLLIN, 0};
    return clock_now_ns() >= deadline_ns || poll(&interrupt, 1, 0) > 0;
}

/* End the process, which is about to exit if it has answered. */
static void end(pid_t pid) {
    proc child = {.pid = pid, .pidfd = -1};
    int status;
    proc_reap(&child, false, &status);
    orphans_sweep(); /* if it was killed, its children are now ours */
}

int probe_run(containment c, const run_config *config, int interrupt_fd, int64_t deadline_ns,
              probe_answer *answer) {
    /* Resources may stay scarce for as long as a backoff lasts. */
    const int64_t limit_ns = 2 * forkserver_hello_ns(config->timeout_ns) + 10 * CLOCK_NS_PER_S;
    const int64_t own_ns = clock_after(clock_now_ns(), limit_ns);
    const int64_t end_ns = own_ns < deadline_ns ? own_ns : deadline_ns;
    frng_message found = {0};
    int ends[2];
    ssize_t size = 0;
    orphans_adopt();
    *answer = (probe_answer){.mode = MODE_SPAWN};
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    const pid_t pid = containment_fork_patiently(c, NULL, NULL);
    const int error = pid < 0 ? errno : 0;
    if (pid == 0) probe_main(config, ends[1]);
    close(ends[1]);
    if (pid > 0) size = receive(ends[0], pid, interrupt_fd, end_ns, &found);
    close(ends[0]);
    if (pid > 0) end(pid);
    if (error != 0) return error;
    if (size != (ssize_t)sizeof found)
        return is_cut_short(interrupt_fd, deadline_ns) ? ECANCELED : 0;
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

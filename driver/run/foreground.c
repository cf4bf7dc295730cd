#include "foreground.h"

#include "clock.h"
#include "feed.h"
#include "spawn_retry.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* A signal for the driver. One from the terminal went to the run as well, which may handle it;
 * one from a process is passed on, and SIGTERM and SIGHUP end the run. */
static int take_signal(const foreground_run *run, const proc *child) {
    struct signalfd_siginfo info;
    if (read(run->signal_fd, &info, sizeof info) != (ssize_t)sizeof info) return 0;
    const int number = (int)info.ssi_signo;
    if (number == SIGTERM || number == SIGHUP) {
        proc_kill(child, run->hidden);
    } else if (info.ssi_pid != 0 || run->hidden) {
        kill(child->pid, number);
    }
    return number;
}

/* Wait for the run. Returns true when it had to be killed at its deadline. Where it cannot be
 * waited for it is killed, and *error says why. */
static bool wait_for_end(const foreground_run *run, const proc *child, feed *input, int *stopped_by,
                         int *error) {
    const int64_t deadline_ns = clock_after(clock_now_ns(), run->timeout_ns);
    for (;;) {
        struct pollfd fds[] = {
            {child->pidfd, POLLIN, 0}, {run->signal_fd, POLLIN, 0}, {input->fd, POLLOUT, 0}};
        const int ready = poll(fds, 3, proc_look_ms(child, clock_now_ns(), deadline_ns));
        if (ready < 0 && errno != EINTR) {
            *error = errno;
            proc_kill(child, run->hidden);
            return false;
        }
        if (ready > 0 && fds[2].revents != 0) feed_write(input);
        if (ready > 0 && fds[1].revents != 0) {
            const int number = take_signal(run, child);
            if (*stopped_by == 0) *stopped_by = number;
        }
        if (ready > 0 && fds[0].revents != 0) return false;
        if (ready <= 0 && proc_has_ended(child)) return false;
        if (clock_now_ns() < deadline_ns) continue;
        proc_kill(child, run->hidden);
        return true;
    }
}

static int spawn_reporting(const foreground_run *run, const proc_setup *setup, proc *child) {
    char offer[REPORT_SHM_OFFER_MAX];
    proc_command command = run->command;
    if (run->report == NULL) return spawn_retry(&command, setup, NULL, NULL, child);
    report_shm_offer(run->report, -1, -1, offer);
    char **envp = report_shm_environment(run->command.envp, offer);
    if (envp == NULL) return ENOMEM;
    command.envp = envp;
    const int error = spawn_retry(&command, setup, NULL, NULL, child);
    free(envp);
    return error;
}

/* Start the child. Returns 0 or an errno. */
static int start(const foreground_run *run, feed *input, int output_fd, proc *child) {
    const int open_fd = run->stdin_fd != NULL ? *run->stdin_fd : -1;
    int stdin_fd = -1, null_fd = -1, error = 0;
    if (run->pipe_bytes != NULL)
        error = feed_open(input, run->pipe_bytes, run->pipe_size, &stdin_fd);
    if (output_fd < 0 && run->hidden) null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (output_fd < 0 && run->hidden && null_fd < 0) error = errno;
    if (output_fd < 0) output_fd = null_fd;
    const proc_setup setup = {
        .inherited = run->report != NULL ? &run->report->fd : NULL,
        .inherited_count = run->report != NULL ? 1 : 0,
        .stdin_folder_fd = run->stdin_folder_fd,
        .stdin_path = stdin_fd < 0 && open_fd < 0 ? run->stdin_path : NULL,
        .stdin_fd = stdin_fd >= 0 ? stdin_fd : open_fd,
        .stdout_fd = output_fd,
        .stderr_fd = output_fd,
        .place = run->hidden ? PROC_OWN_SESSION : PROC_SAME_GROUP,
        .dies_with_parent = true,
        .memory_max = run->memory_max,
        .mask = run->mask,
    };
    if (error == 0) error = spawn_reporting(run, &setup, child);
    if (stdin_fd >= 0) close(stdin_fd);
    if (null_fd >= 0) close(null_fd);
    return error;
}

/* A memory file that never grows beyond what it has now: writes past its end fail, and the run goes
 * on. -1 with errno. */
static int make_output_file(void) {
    const int fd = memfd_create("output", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) return -1;
    if (ftruncate(fd, FOREGROUND_OUTPUT_MAX) == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_GROW) == 0) {
        return fd;
    }
    const int error = errno;
    close(fd);
    errno = error;
    return -1;
}

/* Take what a run wrote to its memory file, up to the report_shm offset, and close it. */
static void read_output(int fd, bytes_tail *output) {
    static uint8_t bytes[FOREGROUND_OUTPUT_MAX];
    const off_t size = lseek(fd, 0, SEEK_CUR);
    const ssize_t count = size > 0 ? pread(fd, bytes, sizeof bytes, 0) : 0;
    if (count > 0) bytes_tail_add(output, bytes, (size_t)(count < size ? count : size));
    close(fd);
}

outcome foreground_run_once(const foreground_run *run, int *stopped_by) {
    feed input = FEED_NONE;
    proc child;
    *stopped_by = 0;
    const int output_fd = run->output != NULL ? make_output_file() : -1;
    if (run->output != NULL && output_fd < 0) return outcome_error(FAULT_SYSTEM, errno);
    int error = start(run, &input, output_fd, &child);
    if (error != 0) {
        if (output_fd >= 0) close(output_fd);
        feed_close(&input);
        return outcome_error(outcome_fault_of_exec(error), error);
    }
    const bool timed_out = wait_for_end(run, &child, &input, stopped_by, &error);
    feed_close(&input);
    int status = 0;
    const int reap_error = proc_reap(&child, run->hidden, &status);
    if (output_fd >= 0) read_output(output_fd, run->output);
    if (reap_error != 0) return outcome_error(FAULT_END, reap_error);
    if (error != 0) return outcome_error(FAULT_SYSTEM, error);
    return outcome_of_end(status, timed_out, run->output);
}

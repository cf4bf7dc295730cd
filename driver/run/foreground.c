#include "foreground.h"

#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Create a memory file that never grows: writes past its end fail, and the run continues. Returns
 * -1 with errno. */
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

/* Open the run's output: its memory file, /dev/null, or -1 for the terminal. Returns 0 or an
 * errno. */
static int open_output(const foreground_run *run, int *fd) {
    *fd = -1;
    if (run->output == NULL && !run->hidden) return 0;
    *fd = run->output != NULL ? make_output_file() : open("/dev/null", O_RDWR | O_CLOEXEC);
    return *fd >= 0 ? 0 : errno;
}

/* Read the output of a run from its memory file, up to the offset that the run's descriptor shares
 * with ours. */
static void read_output(int fd, bytes_tail *output) {
    static uint8_t bytes[FOREGROUND_OUTPUT_MAX];
    const off_t size = lseek(fd, 0, SEEK_CUR);
    const ssize_t count = size > 0 ? pread(fd, bytes, sizeof bytes, 0) : 0;
    if (count > 0) bytes_tail_add(output, bytes, (size_t)(count < size ? count : size));
}

/* Run a command that prints to `output_fd`. */
static outcome run_command(const foreground_run *run, const proc_command *command, int output_fd,
                           child_signals *signals) {
    static run_result result; /* needed only as a buffer for output */
    const child_setup how = {
        .command = command,
        .signals = signals,
        .pulse = run->pulse,
        .timeout_ns = run->timeout_ns,
        .setup = {.memory_max = run->memory_max,
                  .mask = run->mask,
                  .place = run->hidden ? PROC_OWN_SESSION : PROC_SAME_GROUP,
                  .inherited = run->report != NULL ? &run->report->fd : NULL,
                  .inherited_count = run->report != NULL ? 1 : 0,
                  .stdin_folder_fd = run->stdin_folder_fd,
                  .stdin_path = run->stdin_fd == NULL ? run->stdin_path : NULL,
                  .stdin_fd = run->stdin_fd != NULL ? *run->stdin_fd : -1,
                  .stdout_fd = output_fd,
                  .stderr_fd = output_fd},
        .is_piped = run->pipe_bytes != NULL,
        .piped = run->pipe_bytes,
        .piped_size = run->pipe_size,
        .capture = run->hidden_ends != NULL,
    };
    result.output.size = result.output.total = 0;
    outcome o = child_run(&how, &result, NULL);
    if (run->hidden_ends != NULL) *run->hidden_ends = result.output;
    if (run->output == NULL) return o;
    read_output(output_fd, run->output);
    if (o.verdict == VERDICT_ERROR) return o;
    return outcome_of_end(o.status, o.verdict == VERDICT_TIMEOUT, run->output);
}

outcome foreground_run_once(const foreground_run *run, int *stopped_by) {
    char offer[REPORT_SHM_OFFER_MAX];
    child_signals signals = {run->signal_fd, 0};
    proc_command command = run->command;
    char **envp = NULL;
    int output_fd;
    *stopped_by = 0;
    const int error = open_output(run, &output_fd);
    if (error != 0) return outcome_error(FAULT_SYSTEM, error);
    outcome o = outcome_error(FAULT_SYSTEM, ENOMEM);
    if (run->report != NULL) {
        report_shm_offer(run->report, -1, -1, offer);
        command.envp = envp = report_shm_environment(run->command.envp, offer);
    }
    if (command.envp != NULL) o = run_command(run, &command, output_fd, &signals);
    free(envp);
    if (output_fd >= 0) close(output_fd);
    *stopped_by = signals.first;
    return o;
}

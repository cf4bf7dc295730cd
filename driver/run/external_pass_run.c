#include "external_pass_run.h"

#include "regular.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Least limit, in bytes, on the files that an external pass writes, even if candidates must be
 * smaller. */
enum { FILE_LEAST = 16 << 20 };

/* Read an external pass's output into the candidate set, as test case 1. False if there is none, or
 * it is larger than any candidate can be. */
static bool take_made(int fd, candidate_set *set) {
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return false;
    const uint64_t start = set->ends[0];
    if (status.st_size < 0 || (uint64_t)status.st_size > set->bytes_max - start) return false;
    uint64_t size = 0;
    while (size < (uint64_t)status.st_size) {
        const ssize_t count =
            pread(fd, set->bytes + start + size, (size_t)status.st_size - size, (off_t)size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break; /* the file was truncated meanwhile */
        size += (uint64_t)count;
    }
    set->ends[1] = start + size;
    return true;
}

/* Judge how an external pass ended, and read its candidate. */
static external_pass_answer finish(const external_pass *g, int made_fd, int status,
                                   candidate_set *set) {
    const external_pass_answer answer = external_pass_judge(g, status);
    size_t size;
    if (answer != EXTERNAL_PASS_MADE) return answer;
    if (!take_made(made_fd, set)) return EXTERNAL_PASS_BROKEN;
    size = (size_t)candidate_set_size(set, 1);
    const external_pass_answer finished =
        external_pass_finish(g, set->number, set->bytes + set->ends[0], &size);
    set->ends[1] = set->ends[0] + size;
    return finished;
}

outcome external_pass_run(const scratch_dir *w, candidate_set *set, const child_order *base,
                          run_result *result) {
    const external_pass *g = set->external_pass;
    external_pass_call call;
    set->answer = EXTERNAL_PASS_NONE;
    if (!external_pass_make_call(g, set->number, w->name, &call)) return outcome_of_status(0);
    const proc_command command = {g->program, call.argv, base->command->envp};
    const int out_fd = call.writes_stdout ? memfd_create("generated", MFD_CLOEXEC) : -1;
    if (call.writes_stdout && out_fd < 0) return outcome_error(FAULT_SYSTEM, errno);
    child_order order = *base;
    order.command = &command;
    order.capture = false;
    order.is_piped = false;
    order.setup.folder = w->folder;
    order.setup.file_max = set->bytes_max > FILE_LEAST ? set->bytes_max + 1 : FILE_LEAST;
    order.setup.stdin_folder_fd = AT_FDCWD;
    order.setup.stdin_path = call.reads_stdin ? w->file : "/dev/null";
    if (call.writes_stdout) order.setup.stdout_fd = out_fd;
    const outcome end = child_run(&order, result, NULL);
    set->answer = end.verdict == VERDICT_TIMEOUT ? EXTERNAL_PASS_HUNG : EXTERNAL_PASS_BROKEN;
    if (end.verdict == VERDICT_PASS || end.verdict == VERDICT_FAIL) {
        uint64_t size;
        const int fd =
            call.writes_stdout ? out_fd : regular_open(AT_FDCWD, w->file, O_NOFOLLOW, &size);
        set->answer = finish(g, fd, end.status, set);
        if (fd >= 0 && fd != out_fd) close(fd);
    }
    if (out_fd >= 0) close(out_fd);
    const bool is_ours =
        end.fault == FAULT_SYSTEM || end.fault == FAULT_END || scratch_dir_is_gone(w);
    if (end.verdict == VERDICT_ERROR && is_ours) return end;
    return outcome_of_status(0);
}

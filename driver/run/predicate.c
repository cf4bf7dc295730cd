/* How a file is judged.
 *
 * Each test case gets a folder with the file in it; the predicate runs there, and then the folder
 * goes. A predicate that exits with 0 finds it interesting; one that hangs, crashes or lacks memory
 * does not. An external pass runs in a folder, too: it changes the file or prints, and what it made
 * is judged in the next one, unless it is of no use.
 *
 * A run may leave anything in its folder: trees of any depth, folders that deny access, mounts. All
 * of it goes, but mounts and what is in them: those belong to others. A worker holds the parent of
 * the folders open, so a run that removes it, or mounts something on it, misleads nobody. */
#include "predicate.h"

#include "candidate_set.h"
#include "clock.h"
#include "files.h"
#include "spawn.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/openat2.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Private folders ----
 *
 * Unlinking and renaming never enter a mount; only opening can, so each folder is opened below its
 * parent, without crossing one (openat2). Trees of any depth need only two descriptors, since what
 * is deep moves up first. */

/* Open an entry of a folder; no link. Returns -1 with errno: EXDEV if a mount is on it. */
static int open_below(int folder_fd, const char *name, int flags) {
    const struct open_how how = {.flags = (unsigned)(flags | O_NOFOLLOW | O_CLOEXEC),
                                 .resolve = RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS};
    return (int)syscall(SYS_openat2, folder_fd, name, &how, sizeof how);
}

/* Permit access to a folder that denies it. */
static void allow(int parent_fd, const char *name) {
    char path[32];
    const int fd = open_below(parent_fd, name, O_PATH | O_DIRECTORY);
    if (fd < 0) return;
    snprintf(path, sizeof path, "self/fd/%d", fd);
    fchmodat(procfs(), path, S_IRWXU, 0);
    close(fd);
}

static const char *next_name(DIR *folder) {
    const struct dirent *entry = readdir(folder);
    while (entry != NULL && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0))
        entry = readdir(folder);
    return entry != NULL ? entry->d_name : NULL;
}

/* Move a folder to `top_fd`, under a free number. */
static void lift(int parent_fd, const char *name, int top_fd, unsigned long *number) {
    char lifted[32];
    do {
        snprintf(lifted, sizeof lifted, "lifted-%lu", (*number)++);
    } while (faccessat(top_fd, lifted, F_OK, AT_SYMLINK_NOFOLLOW) == 0);
    allow(parent_fd, name); /* moving a folder writes its ".." */
    renameat(parent_fd, name, top_fd, lifted);
}

/* Remove the present entries of a folder. Lift the folders in its folders out of these, into it.
 * Return the number of removed entries. */
static size_t thin_out(int parent_fd, const char *name, int top_fd, unsigned long *number) {
    size_t removed = 0;
    allow(parent_fd, name);
    const int fd = open_below(parent_fd, name, O_RDONLY | O_DIRECTORY);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    if (fd >= 0 && folder == NULL) close(fd);
    for (const char *entry; folder != NULL && (entry = next_name(folder)) != NULL;) {
        const bool is_file = unlinkat(fd, entry, 0) == 0;
        if (!is_file && top_fd >= 0) lift(fd, entry, top_fd, number);
        if (!is_file && top_fd < 0) thin_out(fd, entry, fd, number);
        removed += is_file || unlinkat(fd, entry, AT_REMOVEDIR) == 0;
    }
    if (folder != NULL) closedir(folder);
    return removed;
}

/* Remove an entry of a folder, with all its content. Returns 0 or an errno. */
static int remove_entry(int folder_fd, const char *name) {
    unsigned long number = 0;
    if (unlinkat(folder_fd, name, 0) == 0) return 0;
    while (thin_out(folder_fd, name, -1, &number) > 0) {
    }
    return unlinkat(folder_fd, name, AT_REMOVEDIR) == 0 || errno == ENOENT ? 0 : errno;
}

/* Open the folder that an absolute path is in. Returns -1 with errno. */
static int open_parent(const char *path) {
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)(path_base(path) - path), path);
    return open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int work_folder_remove(const char *path) {
    const int parent_fd = open_parent(path);
    if (parent_fd < 0) return errno == ENOENT ? 0 : errno;
    const int error = remove_entry(parent_fd, path_base(path));
    close(parent_fd);
    return error;
}

#define WORK_NAME "frng-work-"
enum { RANDOM_NAME_MAX = 17 };

/* Return 16 digits that nobody can guess. */
static const char *random_name(char name[RANDOM_NAME_MAX]) {
    uint8_t bytes[(RANDOM_NAME_MAX - 1) / 2];
    randombytes_buf(bytes, sizeof bytes);
    bytes_to_hex(bytes, sizeof bytes, name);
    return name;
}

static bool is_work_name(const char *name) {
    const size_t length = sizeof WORK_NAME - 1;
    return strncmp(name, WORK_NAME, length) == 0 && strlen(name + length) == RANDOM_NAME_MAX - 1 &&
           strspn(name + length, "0123456789abcdef") == RANDOM_NAME_MAX - 1;
}

static bool is_private(int folder_fd) {
    struct stat status;
    return fstat(folder_fd, &status) == 0 && status.st_uid == geteuid() &&
           (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

/* Remove the folders whose users have died: those of this user that are not locked. */
static void tidy(const char *path) {
    DIR *list = opendir(path);
    for (const char *name; list != NULL && (name = next_name(list)) != NULL;) {
        if (!is_work_name(name)) continue;
        const int fd = open_below(dirfd(list), name, O_RDONLY | O_DIRECTORY);
        if (fd < 0) continue;
        if (is_private(fd) && flock(fd, LOCK_EX | LOCK_NB) == 0) remove_entry(dirfd(list), name);
        close(fd);
    }
    if (list != NULL) closedir(list);
}

int work_folder_make(const char *folder, char path[PATH_MAX], int *lock_fd) {
    enum { TRIES = 10 };
    char whole[PATH_MAX], name[RANDOM_NAME_MAX];
    int error = ENOENT;
    path[0] = '\0';
    *lock_fd = -1;
    if (realpath(folder, whole) == NULL) return errno;
    tidy(whole);
    for (int i = 0; i < TRIES && error == ENOENT; i++) { /* another may tidy before the lock */
        const int length = snprintf(path, PATH_MAX, "%s/" WORK_NAME "%s", whole, random_name(name));
        if (length >= PATH_MAX) return ENAMETOOLONG;
        if (mkdir(path, S_IRWXU) != 0) return errno;
        *lock_fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (*lock_fd >= 0) flock(*lock_fd, LOCK_EX); /* without support, none is stale either */
        error = *lock_fd >= 0 && access(path, F_OK) == 0 ? 0 : errno;
        if (error == 0) return 0;
        unlinkat(AT_FDCWD, path, AT_REMOVEDIR); /* if it is there */
        if (*lock_fd >= 0) close(*lock_fd), *lock_fd = -1;
    }
    return error;
}

/* ---- Predicates ---- */

/* Time limit for making or removing the files of one run: a predicate can leave very many. */
#define FILES_NS (60 * CLOCK_NS_PER_S)

typedef struct runner_predicate {
    runner base;
    const runner_predicate_config *config;
    const runner_watch *watch;
    int root_fd, root_error, null_fd;
    char folder[PATH_MAX], file[PATH_MAX]; /* of the run */
} runner_predicate;

/* Return the description of a run. Confirmation gets twice the time, since the machine may be
 * busy. */
static child_setup setup_of(const runner_predicate *p, run_purpose purpose) {
    const runner_predicate_config *config = p->config;
    const int64_t timeout_ns = config->timeout_ns;
    return (child_setup){
        .command = &config->command,
        .watch = p->watch,
        .timeout_ns = purpose == RUN_CONFIRM ? clock_after(timeout_ns, timeout_ns) : timeout_ns,
        .setup = {.memory_max = config->memory_max,
                  .mask = config->mask,
                  .place = PROC_OWN_GROUP,
                  .folder = p->folder,
                  .stdin_folder_fd = AT_FDCWD,
                  .stdin_path = "/dev/null",
                  .stdout_fd = p->null_fd,
                  .stderr_fd = p->null_fd},
        .capture = runner_is_shown(purpose),
    };
}

/* Convert a predicate's outcome: an interesting test case is a failure, and a predicate that hangs
 * or crashes rejects it. The status is kept. */
static outcome judge(outcome end) {
    switch (end.verdict) {
    case VERDICT_PASS: end.verdict = VERDICT_FAIL; break;
    case VERDICT_FAIL:
    case VERDICT_TIMEOUT:
    case VERDICT_MEMORY: end.verdict = VERDICT_PASS; break;
    case VERDICT_STUCK:
    case VERDICT_ERROR: break;
    }
    return end;
}

/* True if a program cannot be started in the folder, which is not its fault. */
static bool is_out_of_reach(const runner_predicate *p) { return access(p->folder, F_OK) != 0; }

/* ---- External passes ---- */

typedef struct command_line {
    char *argv[5]; /* ended by NULL; into the pass and `text` */
    char text[1024];
} command_line;

/* Make the command line for instance `number` on `file`, a name in the current folder. False if it
 * is too long. */
static bool make_call(const external_pass *g, uint64_t number, const char *file,
                      command_line *call) {
    const char *const *words = external_kinds[g->dialect].words;
    size_t used = 0;
    memset(call, 0, sizeof *call);
    call->argv[0] = g->program;
    for (int i = 0; i < 3 && words[i] != NULL; i++) {
        const char *hole = strchr(words[i], '%'), *value = g->command;
        const size_t room = sizeof call->text - used;
        char *word = call->text + used, digits[24];
        const bool is_option = hole[1] == 'f' && file[0] == '-'; /* unless it is a path */
        if (hole[1] == 'f') value = file;
        if (hole[1] == 'n' || hole[1] == 'N') {
            snprintf(digits, sizeof digits, "%" PRIu64, number + (hole[1] == 'N'));
            value = digits;
        }
        const int length = snprintf(word, room, "%.*s%s%s", (int)(hole - words[i]), words[i],
                                    is_option ? "./" : "", value);
        if (length < 0 || (size_t)length >= room) return false;
        call->argv[i + 1] = word;
        used += (size_t)length + 1;
    }
    return true;
}

/* Return the answer in a wait status: MADE, NONE or BROKEN. */
static external_pass_answer answer_of(const external_pass *g, int wait_status) {
    const external_kind *kind = &external_kinds[g->dialect];
    if (!WIFEXITED(wait_status)) return EXTERNAL_PASS_BROKEN;
    const int status = WEXITSTATUS(wait_status);
    if (status == kind->made) return EXTERNAL_PASS_MADE;
    return status == kind->none || status == kind->none_too ? EXTERNAL_PASS_NONE
                                                            : EXTERNAL_PASS_BROKEN;
}

static bool is_blank(uint8_t byte) {
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\v' || byte == '\f';
}

/* Keep the lines of `bytes` that are not blank and not first..last, without their indentation.
 * Return the number of lines that are not blank. topformflat is not idempotent: each time it adds a
 * line before the first, and a blank after each line it made, so a candidate would grow by more
 * than the length of a short line. C-Reduce and C-Vise format once and leave out blank lines as
 * well. */
static uint64_t keep_lines(uint8_t *bytes, size_t *size, uint64_t first, uint64_t last) {
    const uint8_t *at = bytes, *const end = bytes + *size;
    uint8_t *to = bytes;
    uint64_t count = 0;
    while (at < end) {
        while (at < end && is_blank(*at)) at++;
        const uint8_t *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        const uint8_t *next = newline != NULL ? newline + 1 : end;
        if (at < end && newline != at) {
            if (count < first || count > last) {
                memmove(to, at, (size_t)(next - at));
                to += next - at;
            }
            count++;
        }
        at = next;
    }
    *size = (size_t)(to - bytes);
    return count;
}

/* Turn the output of the program into the candidate of instance `number`, in place, and store its
 * new size in *size. Only EXTERNAL_PASS_LINES changes the bytes. Return MADE or NONE. */
static external_pass_answer finish(const external_pass *g, uint64_t number, uint8_t *bytes,
                                   size_t *size) {
    if (g->dialect != EXTERNAL_PASS_LINES) return EXTERNAL_PASS_MADE;
    assert(g->lines > 0);
    if (number > (UINT64_MAX - g->lines) / g->lines) return EXTERNAL_PASS_NONE;
    const uint64_t first = number * g->lines;
    const uint64_t count = keep_lines(bytes, size, first, first + g->lines - 1);
    return first < count ? EXTERNAL_PASS_MADE : EXTERNAL_PASS_NONE;
}

/* Least limit, in bytes, on the files that an external pass writes, even if candidates must be
 * smaller. */
enum { FILE_LEAST = 16 << 20 };

/* Judge how an external pass ended, and read its candidate from `fd`, as test case 1. */
static external_pass_answer take_made(const external_pass *g, int fd, int wait_status,
                                      candidate_set *set) {
    const external_pass_answer answer = answer_of(g, wait_status);
    uint8_t *made = set->bytes + set->ends[0];
    struct stat status;
    if (answer != EXTERNAL_PASS_MADE) return answer;
    if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ||
        (uint64_t)status.st_size > set->bytes_max - set->ends[0])
        return EXTERNAL_PASS_BROKEN; /* there is none, or it is larger than any candidate can be */
    const ssize_t count = regular_read(fd, 0, made, (size_t)status.st_size);
    if (count < 0) return EXTERNAL_PASS_BROKEN;
    size_t size = (size_t)count;
    const external_pass_answer finished = finish(g, set->number, made, &size);
    set->ends[1] = set->ends[0] + size;
    return finished;
}

/* Run the set's external pass on the file in the folder, to make test case 1, and set the answer.
 * An error is one of ours. */
static outcome make(runner_predicate *p, candidate_set *set, run_result *result) {
    const external_pass *g = set->external_pass;
    const external_kind *kind = &external_kinds[g->dialect];
    command_line call;
    set->answer = EXTERNAL_PASS_NONE;
    if (!make_call(g, set->number, p->config->name, &call)) return outcome_of_status(0);
    const proc_command command = {g->program, call.argv, p->config->command.envp};
    const int out_fd = kind->writes_stdout ? memfd_create("generated", MFD_CLOEXEC) : -1;
    if (kind->writes_stdout && out_fd < 0) return outcome_error(FAULT_SYSTEM, errno);
    child_setup how = setup_of(p, RUN_TRY);
    how.command = &command;
    how.timeout_ns = p->config->external_pass_timeout_ns;
    how.capture = false;
    how.setup.file_max = set->bytes_max > FILE_LEAST ? set->bytes_max + 1 : FILE_LEAST;
    if (kind->reads_stdin) how.setup.stdin_path = p->file;
    if (kind->writes_stdout) how.setup.stdout_fd = out_fd;
    const outcome end = child_run(&how, result);
    set->answer = end.verdict == VERDICT_TIMEOUT ? EXTERNAL_PASS_HUNG : EXTERNAL_PASS_BROKEN;
    if (end.verdict == VERDICT_PASS || end.verdict == VERDICT_FAIL) {
        uint64_t size;
        const int fd =
            kind->writes_stdout ? out_fd : regular_open(AT_FDCWD, p->file, O_NOFOLLOW, &size);
        set->answer = take_made(g, fd, end.status, set);
        if (fd >= 0 && fd != out_fd) close(fd);
    }
    if (out_fd >= 0) close(out_fd);
    const bool is_ours = end.fault == FAULT_SYSTEM || end.fault == FAULT_END || is_out_of_reach(p);
    return end.verdict == VERDICT_ERROR && is_ours ? end : outcome_of_status(0);
}

/* Make the run's folder, with the file in it. Returns 0 or an errno. */
static int open_folder(runner_predicate *p, const uint8_t *bytes, size_t size) {
    const runner_predicate_config *c = p->config;
    char digits[RANDOM_NAME_MAX];
    if (p->root_error != 0) return p->root_error;
    snprintf(p->folder, sizeof p->folder, "%s/%s", c->root, random_name(digits));
    const int length = snprintf(p->file, sizeof p->file, "%s/%s", p->folder, c->name);
    if (length >= (int)sizeof p->file) return ENAMETOOLONG;
    if (mkdirat(p->root_fd, path_base(p->folder), S_IRWXU) != 0) return errno;
    const int fd = openat(p->root_fd, p->file + strlen(c->root) + 1,
                          O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)c->mode);
    if (fd < 0) return errno;
    const int error = stream_write_all(fd, bytes, size);
    return close(fd) != 0 && error == 0 ? errno : error;
}

/* Judge a test case in a folder of its own, or let an external pass make test case 1 of test case
 * 0. If another run removed the folder before the program started, that would have found no file; a
 * mount on the parent is the end of all runs. A disk that another process has filled briefly is
 * waited for. */
static outcome run_in_folder(runner_predicate *p, candidate_set *set, uint32_t i,
                             run_purpose purpose, run_result *result) {
    const uint8_t *bytes = candidate_set_bytes(set, i);
    const size_t size = (size_t)candidate_set_size(set, i);
    child_setup how = setup_of(p, purpose);
    file_watch watch = {-1};
    backoff waits = {0};
    int error;
    runner_begin_step(p->watch, i, FILES_NS);
    while ((error = open_folder(p, bytes, size)) != 0 &&
           (error == ENOSPC || backoff_helps(error)) && backoff_wait(&waits))
        remove_entry(p->root_fd, path_base(p->folder));
    outcome end = outcome_error(FAULT_FOLDER, error);
    if (error == 0 && set->external_pass != NULL && i == 0) {
        end = make(p, set, result);
    } else if (error == 0) {
        if (how.capture) watch = file_watch_begin(p->file); /* its end is looked at */
        how.file = &watch;
        end = judge(child_run(&how, result));
        file_watch_end(&watch);
    }
    runner_go_on(p->watch, FILES_NS);
    if (error == 0 && end.verdict == VERDICT_ERROR && is_out_of_reach(p)) {
        const bool is_there = faccessat(p->root_fd, path_base(p->folder), F_OK, 0) == 0;
        end = is_there ? outcome_error(FAULT_FOLDER, EXDEV) : outcome_of_status(0);
    }
    remove_entry(p->root_fd, path_base(p->folder)); /* or it stays: the next has another name */
    return end;
}

static outcome run_once(runner *base, const batch *once, run_purpose purpose, run_result *result) {
    runner_predicate *p = (runner_predicate *)base;
    candidate_set *set = once->candidates;
    assert(set != NULL);
    uint32_t i = (uint32_t)once->first_seed;
    set->reported = set->record_count = 0;
    if (set->external_pass != NULL) {
        const outcome end = run_in_folder(p, set, i++, purpose, result);
        if (end.verdict == VERDICT_ERROR || result->cancelled) return end;
        if (set->answer == EXTERNAL_PASS_MADE) set->answer = candidate_set_sift(set);
        if (set->answer != EXTERNAL_PASS_MADE) return end;
    }
    set->passes[i] = CANDIDATE_PASS_UNKNOWN;
    return run_in_folder(p, set, i, purpose, result);
}

static void runner_predicate_destroy(runner *base) {
    runner_predicate *p = (runner_predicate *)base;
    close(p->null_fd);
    if (p->root_fd >= 0) close(p->root_fd);
    if (p->watch->driver_died != NULL && p->watch->driver_died(p->watch->context)) {
        rmdir(p->config->root);
    }
    free(p);
}

/* Open the parent of the folders of runs, if it is this user's, and no mount is on it. Returns 0
 * or an errno. */
static int open_root(runner_predicate *p) {
    const int parent_fd = open_parent(p->config->root);
    if (parent_fd < 0) return errno;
    p->root_fd = open_below(parent_fd, path_base(p->config->root), O_RDONLY | O_DIRECTORY);
    const int error = p->root_fd < 0 ? errno : is_private(p->root_fd) ? 0 : EPERM;
    close(parent_fd);
    return error;
}

runner *runner_predicate_create(const void *config, const runner_watch *watch, int *error_number) {
    const runner_predicate_config *c = config;
    runner_predicate *p = calloc(1, sizeof *p);
    *error_number = ENOMEM;
    if (p == NULL) return NULL;
    *p = (runner_predicate){.base = {runner_run_each, runner_predicate_destroy, run_once},
                            .config = c,
                            .watch = watch,
                            .root_fd = -1};
    p->root_error = open_root(p); /* that of each run */
    p->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (p->null_fd >= 0) return &p->base;
    *error_number = errno;
    free(p);
    return NULL;
}

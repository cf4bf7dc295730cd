/* How files are judged.
 *
 * Each test case gets a folder with the file and the others that are reduced with it; the predicate
 * runs there, and then the folder goes. A predicate that exits with 0 finds it interesting; one
 * that hangs, crashes or lacks memory does not. The folder can have links to the user's other
 * files. An external pass runs in one, too: it changes the file or prints, and what it made is
 * judged in the next one, unless it is of no use.
 *
 * A worker holds the parent of the folders open, so a run that removes it, or mounts something on
 * it, misleads nobody. */
#include "predicate.h"

#include "bytes.h"
#include "candidate_set.h"
#include "clock.h"
#include "files.h"
#include "spawn.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Predicates ---- */

typedef struct runner_predicate {
    runner base;
    const runner_predicate_config *config;
    const runner_watch *watch;
    int root_fd, root_error, null_fd;
    temp_folder temp; /* of all that runs */
    char **envp;      /* that of the config, with it; owned */
    char **argv;      /* of the run; owned */
    proc_command command;
    char folder[PATH_MAX], place[PATH_MAX], file[PATH_MAX]; /* of the run, which is at `place` */
} runner_predicate;

/* Return the description of a run. Confirmation gets twice the time, since the machine may be
 * busy. */
static child_setup setup_of(const runner_predicate *p, run_purpose purpose) {
    const runner_predicate_config *config = p->config;
    const int64_t timeout_ns = config->limits.timeout_ns;
    return (child_setup){
        .command = &p->command,
        .watch = p->watch,
        .timeout_ns = purpose == RUN_CONFIRM ? clock_after(timeout_ns, timeout_ns) : timeout_ns,
        .setup = {.memory_max = config->limits.memory_max,
                  .mask = config->mask,
                  .place = PROC_OWN_GROUP,
                  .folder = p->place,
                  .stdin_fd = p->null_fd,
                  .stdout_fd = p->null_fd,
                  .stderr_fd = p->null_fd},
        .capture = runner_is_shown(purpose),
    };
}

/* Convert a predicate's outcome: an interesting test case is a failure, and a predicate that hangs
 * or crashes rejects it. The status is kept. */
static outcome judged_outcome(outcome end) {
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
static external_pass_answer answer_of_status(const external_pass *g, int wait_status) {
    const external_kind *kind = &external_kinds[g->dialect];
    if (!WIFEXITED(wait_status)) return EXTERNAL_PASS_BROKEN;
    const int status = WEXITSTATUS(wait_status);
    if (status == kind->made) return EXTERNAL_PASS_MADE;
    return status == kind->none || status == kind->none_too ? EXTERNAL_PASS_NONE
                                                            : EXTERNAL_PASS_BROKEN;
}

/* Least limit, in bytes, on the files that an external pass writes, even if candidates must be
 * smaller. */
enum { FILE_LEAST = 16 << 20 };

/* Judge how an external pass ended, and read its candidate from `fd`, as test case 1. */
static external_pass_answer take_made(const external_pass *g, int fd, int wait_status,
                                      candidate_set *set) {
    const external_pass_answer answer = answer_of_status(g, wait_status);
    uint8_t *made = set->bytes + set->ends[0];
    struct stat status;
    if (answer != EXTERNAL_PASS_MADE) return answer;
    if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ||
        (uint64_t)status.st_size > set->bytes_max - set->ends[0])
        return EXTERNAL_PASS_BROKEN; /* there is none, or it is larger than any candidate can be */
    const ssize_t count = regular_read(fd, 0, made, (size_t)status.st_size);
    if (count < 0) return EXTERNAL_PASS_BROKEN;
    set->ends[1] = set->ends[0] + (size_t)count;
    return EXTERNAL_PASS_MADE;
}

/* Run the set's external pass on the file in the folder, to make test case 1, and set the answer.
 * An error is one of ours. */
static outcome make_candidate(runner_predicate *p, candidate_set *set, run_result *result) {
    const external_pass *g = set->external_pass;
    const external_kind *kind = &external_kinds[g->dialect];
    command_line call;
    set->answer = EXTERNAL_PASS_NONE;
    if (!make_call(g, set->number, p->config->files[p->config->at].name, &call))
        return outcome_of_status(0);
    const proc_command command = {g->program, call.argv, p->envp};
    const int out_fd = kind->writes_stdout ? memfd_create("generated", MFD_CLOEXEC) : -1;
    if (kind->writes_stdout && out_fd < 0) return outcome_error(FAULT_SYSTEM, errno);
    child_setup how = setup_of(p, RUN_TRY);
    how.command = &command;
    how.timeout_ns = p->config->external_pass_timeout_ns;
    how.capture = false;
    how.setup.file_max = set->bytes_max > FILE_LEAST ? set->bytes_max + 1 : FILE_LEAST;
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

static bool ends_with(const char *name, const char *end) {
    const size_t length = strlen(name), count = strlen(end);
    return length >= count && strcmp(name + length - count, end) == 0;
}

/* True for what reductions write, this one or another beside it: a predicate that counts the files
 * of its folder would be flaky. Temporary files (store/atomic_file) end in 16 digits. */
static bool is_output(const runner_predicate_config *c, const char *path) {
    enum { DIGITS = 16 };
    const char *name = path_base(path), *dot = strrchr(name, '.'), *made = path_base(c->output);
    char state[PATH_MAX];
    if (ends_with(name, ".reduced") || ends_with(name, ".reduced.state")) return true;
    if (name[0] == '.' && dot > name && strlen(dot + 1) == DIGITS &&
        strspn(dot + 1, "0123456789abcdef") == DIGITS)
        return true;
    if (strncmp(name, made, strlen(made)) != 0) return false;
    snprintf(state, sizeof state, "%s.state", c->output);
    return file_is_same(path, c->output) || file_is_same(path, state);
}

/* True for a file that is reduced; *is_inside: it, or where runs are, is below the path, which is a
 * folder. */
static bool is_ours(const runner_predicate_config *c, const char *path, bool *is_inside) {
    const size_t around = strlen(c->below), length = strlen(path);
    *is_inside = around > length && strncmp(path, c->below, length) == 0 && c->below[length] == '/';
    if (*is_inside || strncmp(path, c->below, around) != 0) return *is_inside;
    for (size_t i = 0; i < c->file_count; i++) {
        const char *name = c->files[i].name;
        const size_t left = length - around;
        if (strncmp(name, path + around, left) != 0 || (name[left] != '\0' && name[left] != '/'))
            continue;
        *is_inside = name[left] == '/';
        return true;
    }
    return false;
}

/* True for a folder of the user that a run gets as a folder of links, so that `..` in it is its
 * own; a large one, or one of very many, would take too long. */
static bool is_copied(const struct dirent *e, const char *path, unsigned folders) {
    enum { FOLDERS_MAX = 64, FOLDER_SIZE_MAX = 4096 };
    struct stat status;
    return e->d_type == DT_DIR && e->d_name[0] != '.' && folders < FOLDERS_MAX &&
           access(path, R_OK | X_OK) == 0 && stat(path, &status) == 0 &&
           status.st_size <= FOLDER_SIZE_MAX;
}

/* Make a folder look like that of the user: `below` is "" or its path there, ended by a slash. It
 * has links to all that is in the user's, but for the files that are reduced and what reductions
 * write; where runs are below it, to what the predicate names. Returns 0 or an errno. */
static int put_links(const runner_predicate_config *c, int folder_fd, const char *below,
                     unsigned *folders) {
    enum { HOW = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
    char target[PATH_MAX], inner[PATH_MAX];
    const size_t at = strlen(c->linked) + 1; /* of what is below the folder */
    const bool is_above = strlen(below) < strlen(c->below) &&
                          strncmp(below, c->below, strlen(below)) == 0; /* where runs are */
    int error = 0;
    snprintf(target, sizeof target, "%s/%s", c->linked, below);
    DIR *list = opendir(target);
    if (list == NULL) return errno;
    for (const struct dirent *e; error == 0 && (e = readdir(list)) != NULL;) {
        bool is_inside;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        if (snprintf(target, sizeof target, "%s/%s%s", c->linked, below, e->d_name) >=
            (int)sizeof target - 1) {
            error = ENAMETOOLONG;
            continue;
        }
        const bool is_reduced = is_ours(c, target + at, &is_inside);
        const bool is_folder = !is_reduced && is_copied(e, target, *folders);
        if ((is_reduced && !is_inside) || (!is_reduced && is_output(c, target))) continue;
        if (is_above && !is_inside && strstr(c->words, e->d_name) == NULL) continue;
        if (!is_inside && !is_folder) {
            error = symlinkat(target, folder_fd, e->d_name) != 0 ? errno : 0;
            continue;
        }
        *folders += is_folder;
        const bool is_made = mkdirat(folder_fd, e->d_name, S_IRWXU) == 0;
        const int fd = is_made ? openat(folder_fd, e->d_name, HOW) : -1;
        snprintf(inner, sizeof inner, "%s/", target + at);
        error = fd < 0 ? errno : put_links(c, fd, inner, folders);
        if (fd >= 0) close(fd);
    }
    closedir(list);
    return error;
}

/* Write a file in the run's folder, and make the folders on its path. Returns 0 or an errno. */
static int write_file(const runner_predicate *p, const predicate_file *f, const uint8_t *bytes,
                      size_t size) {
    char path[PATH_MAX];
    const int length =
        snprintf(path, sizeof path, "%s/%s%s", path_base(p->folder), p->config->below, f->name);
    if (length >= (int)sizeof path) return ENAMETOOLONG;
    int error = work_folder_make_above(p->root_fd, path, S_IRWXU);
    if (error != 0) return error;
    const int fd =
        openat(p->root_fd, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)f->mode);
    if (fd < 0) return errno;
    error = stream_write_all(fd, bytes, size);
    return close(fd) != 0 && error == 0 ? errno : error;
}

/* Write the files that a test case has, and name them in the arguments. Returns 0 or an errno. */
static int put_files(runner_predicate *p, const uint8_t *bytes, size_t size) {
    const runner_predicate_config *c = p->config;
    char **argv = p->argv, *const *all = c->command.argv;
    const bool selects = c->at == c->file_count;
    size_t place = 0, to = 1;
    memset(argv + 1, 0, c->argument_count * sizeof *argv);
    for (size_t i = 0; i < c->file_count; i++) {
        const predicate_file *f = &c->files[i];
        if (f->is_gone || (selects && (place >= size || bytes[place++] == 0))) continue;
        const size_t others = c->is_empty ? 0 : f->size;
        const int error =
            i == c->at ? write_file(p, f, bytes, size) : write_file(p, f, f->bytes, others);
        if (error != 0) return error;
        argv[f->argument] = all[f->argument];
    }
    for (size_t i = 1; !c->is_bare && i <= c->argument_count; i++)
        if (argv[i] != NULL) argv[to++] = argv[i];
    size_t rest = 1 + c->argument_count;
    while ((argv[to++] = all[rest++]) != NULL) continue;
    return 0;
}

/* Make the run's folder, with the files in it. Returns 0 or an errno. */
static int make_run_folder(runner_predicate *p, const uint8_t *bytes, size_t size) {
    enum { HOW = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
    const runner_predicate_config *c = p->config;
    char digits[WORK_NAME_MAX];
    if (p->root_error != 0) return p->root_error;
    snprintf(p->folder, sizeof p->folder, "%s/%s", c->root, work_name(digits));
    const char *name = c->files[c->at < c->file_count ? c->at : 0].name;
    int length = snprintf(p->file, sizeof p->file, "%s/%s%s", p->folder, c->below, name);
    if (length >= (int)sizeof p->file) return ENAMETOOLONG;
    length = snprintf(p->place, sizeof p->place, "%s/%s", p->folder, c->below);
    assert(length < (int)sizeof p->place);
    if (mkdirat(p->root_fd, path_base(p->folder), S_IRWXU) != 0) return errno;
    if (c->linked == NULL) return put_files(p, bytes, size);
    const int fd = openat(p->root_fd, path_base(p->folder), HOW);
    unsigned folders = 0;
    const int error = fd < 0 ? errno : put_links(c, fd, "", &folders);
    if (fd >= 0) close(fd);
    return error != 0 ? error : put_files(p, bytes, size);
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
    file_watch watch = {.fd = -1};
    backoff waits = {0};
    int error;
    runner_begin_step(p->watch, i, WORK_FOLDER_NS);
    while ((error = make_run_folder(p, bytes, size)) != 0 &&
           (error == ENOSPC || backoff_helps(error)) && backoff_wait(&waits))
        work_folder_remove_entry(p->root_fd, path_base(p->folder));
    outcome end = outcome_error(FAULT_FOLDER, error);
    if (error == 0 && set->external_pass != NULL && i == 0) {
        end = make_candidate(p, set, result);
    } else if (error == 0) {
        if (how.capture && p->config->at < p->config->file_count)
            watch = file_watch_begin(p->file); /* its end is looked at */
        how.file = &watch;
        end = judged_outcome(child_run(&how, result));
        file_watch_end(&watch);
    }
    runner_go_on(p->watch, WORK_FOLDER_NS);
    if (error == 0 && end.verdict == VERDICT_ERROR && is_out_of_reach(p)) {
        const bool is_there = faccessat(p->root_fd, path_base(p->folder), F_OK, 0) == 0;
        end = is_there ? outcome_error(FAULT_FOLDER, EXDEV) : outcome_of_status(0);
    }
    work_folder_remove_entry(p->root_fd, path_base(p->folder)); /* or it stays */
    temp_folder_empty(&p->temp, p->watch);
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
    if (p->null_fd >= 0) close(p->null_fd);
    if (p->root_fd >= 0) close(p->root_fd);
    free(p->argv);
    free(p->envp);
    free(p);
}

runner *runner_predicate_create(const void *config, const runner_watch *watch, int *error_number) {
    const runner_predicate_config *c = config;
    runner_predicate *p = memory_zeroed(1, sizeof *p);
    *p = (runner_predicate){.base = {runner_run_each, runner_predicate_destroy, run_once},
                            .config = c,
                            .watch = watch,
                            .root_fd = -1};
    p->root_fd = work_folder_fd(c->root);
    p->root_error = p->root_fd < 0 ? errno : 0; /* that of each run */
    temp_folder_open(&p->temp, watch->folder, "t");
    p->envp = temp_folder_environment(&p->temp, c->command.envp);
    p->argv = memory_zeroed(text_count(c->command.argv) + 1, sizeof *p->argv);
    p->command = (proc_command){c->command.path, p->argv, p->envp};
    p->argv[0] = c->command.argv[0];
    p->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (p->null_fd >= 0) return &p->base;
    *error_number = errno;
    runner_predicate_destroy(&p->base);
    return NULL;
}

#include "file_task.h"

#include "bytes.h"
#include "clock.h"
#include "messages.h"
#include "options.h"
#include "predicate.h"
#include "reduce_failure.h"
#include "session.h"
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REDUCER_TIMEOUT_S = 30 };

static bool read_file(file_task *t) {
    t->path = t->options->rest.sut;
    if (stat(t->path, &t->status) != 0) {
        message_error(errno, "%s: cannot be opened", t->path);
    } else if (!S_ISREG(t->status.st_mode)) {
        message(S_ISDIR(t->status.st_mode) ? "%s: is a folder; give a file in it"
                                           : "%s: cannot be read: not a regular file",
                t->path);
    } else {
        return input_source_read_path(&t->file, t->path, REDUCE_FAILURE_SIZE_MAX);
    }
    return false;
}

/* True if `path` is not the file to reduce, which is never overwritten under any name. */
static bool spares_file(const file_task *t, const char *path) {
    struct stat status;
    if (stat(path, &status) != 0 || status.st_dev != t->status.st_dev ||
        status.st_ino != t->status.st_ino)
        return true;
    message("%s: is %s itself, and would be overwritten; give another --output, or --json", path,
            t->path);
    return false;
}

/* True if no earlier result has the name that was not asked for by --output. */
static bool spares_result(const file_task *t) {
    if (t->options->output != NULL || access(t->output_path, F_OK) != 0) return true;
    message("%s: exists; to go on from it, put it in the place of %s; to begin again, remove it or "
            "name it by --output",
            t->output_path, t->path);
    return false;
}

static char *name_output(const file_task *t) {
    const char *wanted = t->options->output;
    char *path;
    if (wanted != NULL) return strdup(wanted);
    return asprintf(&path, "%s.reduced", t->path) < 0 ? NULL : path;
}

static bool open_output(file_task *t) {
    t->output_path = name_output(t);
    if (t->output_path == NULL) {
        message_error(ENOMEM, "cannot name the output");
        return false;
    }
    if (!spares_file(t, t->output_path) || !spares_result(t)) return false;
    const int error = atomic_file_open(&t->output, t->output_path);
    if (error != 0) message_error(error, "%s: cannot be written", t->output_path);
    return error == 0;
}

static bool open_events(file_task *t) {
    const char *name = t->options->json;
    const bool is_file = name != NULL && strcmp(name, "-") != 0;
    if (is_file && !(spares_file(t, name) && session_spares_program(t->session, name)))
        return false;
    return session_open_events(t->session);
}

/* True if it is a program and its arguments, as --wrap takes them, and not the name of a file. */
static bool is_command_line(const char *predicate) {
    char *path = proc_find(predicate, program_folders(environ));
    const bool is_there = path != NULL && access(path, F_OK) == 0;
    free(path);
    return !is_there && strpbrk(predicate, " \t\n") != NULL;
}

/* Find the predicate, and make its arguments. The first is the name of the file. */
static bool find_predicate(file_task *t) {
    const tool_options *o = t->options;
    session_target *target = &t->session->target;
    const size_t count = text_count(o->rest.args);
    t->args = calloc(count + 2, sizeof *t->args);
    if (t->args == NULL) {
        message_error(ENOMEM, "cannot prepare to start the predicate");
        return false;
    }
    t->args[0] = (char *)path_base(t->path);
    memcpy(t->args + 1, o->rest.args, count * sizeof *t->args);
    if (is_command_line(o->predicate)) {
        message("--predicate '%s': takes a program, not a command line; give a script that does "
                "this to the file \"$1\"",
                o->predicate);
        return false;
    }
    if (!target_find(&target->sut, o->predicate, t->args, environ)) return false;
    if (!target_make_absolute(&target->sut)) return false;
    if (o->run.memory_max > 0 && !target_takes_memory_limit(&target->sut)) return false;
    target->subject =
        (run_target){.sut = target->sut.path, .args = (const char *const *)o->rest.args};
    return true;
}

static bool find_reducers(file_task *t) {
    const reducer_options *wanted = &t->options->reducers;
    for (size_t i = 0; i < wanted->count; i++) {
        if (!external_pass_list_add(&t->reducers, wanted->commands[i])) return false;
    }
    return true;
}

static bool make_root(file_task *t) {
    const char *folder = getenv("TMPDIR");
    const int error = scratch_dir_make_root(folder, t->root, &t->lock_fd);
    if (error == 0) return true;
    t->root[0] = '\0';
    message_error(error, "%s: cannot be written",
                  folder != NULL && folder[0] != '\0' ? folder : "/tmp");
    return false;
}

/* Return the configuration of the predicate's runs. A candidate has the mode of the file, but its
 * owner can always read and write it. */
static runner_predicate_config make_predicate(const file_task *t) {
    const run_options *run = &t->options->run;
    return (runner_predicate_config){
        .command = target_proc(&t->session->target.sut),
        .root = t->root,
        .name = path_base(t->path),
        .mode = (t->status.st_mode & 0777) | S_IRUSR | S_IWUSR,
        .timeout_ns = run->timeout_ns != 0 ? run->timeout_ns : FILE_TASK_TIMEOUT_S * CLOCK_NS_PER_S,
        .external_pass_timeout_ns =
            run->timeout_ns != 0 ? run->timeout_ns : REDUCER_TIMEOUT_S * CLOCK_NS_PER_S,
        .memory_max = run->memory_max,
        .size_max = reduce_candidate_set_bytes(t->file.size),
        .mask = t->session->signals.mask,
    };
}

bool file_task_prepare(file_task *t, session *s, const tool_options *o) {
    *t = (file_task){.session = s, .options = o, .output = {.folder_fd = -1}, .lock_fd = -1};
    if (!session_begin(s, o)) return false;
    if (!read_file(t) || !open_output(t) || !find_predicate(t) || !find_reducers(t)) return false;
    if (!session_spares_program(s, t->output_path) || !session_choose_containment(s)) return false;
    if (!open_events(t) || !make_root(t)) return false;
    t->predicate = make_predicate(t);
    return true;
}

void file_task_finish(file_task *t) {
    if (t->root[0] != '\0') tool_remove_scratch(t->root);
    if (t->lock_fd >= 0) close(t->lock_fd);
    external_pass_list_finish(&t->reducers);
    atomic_file_close(&t->output);
    free(t->output_path);
    free(t->args);
    input_source_finish(&t->file);
}

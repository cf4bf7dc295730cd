#include "file_task.h"

#include "clock.h"
#include "messages.h"
#include "program.h"
#include "reduce_failure.h"
#include "reduce_options.h"
#include "resume.h"
#include "scratch_dir.h"
#include "session.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REDUCER_TIMEOUT_S = 30 };

static bool read_file(file_task *t) {
    t->path = t->options->work.rest.sut;
    if (stat(t->path, &t->status) != 0) {
        message_error(errno, "%s: cannot be opened", t->path);
    } else if (!S_ISREG(t->status.st_mode)) {
        message("%s: cannot be read: not a regular file", t->path);
    } else {
        return input_source_read_path(&t->file, t->path, REDUCE_FAILURE_SIZE_MAX);
    }
    return false;
}

static bool is_the_file(const file_task *t, int folder_fd, const char *path) {
    struct stat status;
    return fstatat(folder_fd, path, &status, 0) == 0 && status.st_dev == t->status.st_dev &&
           status.st_ino == t->status.st_ino;
}

/* True if `path` is not the file to reduce, which is never overwritten under any name. */
static bool spares_file(const file_task *t, const char *path) {
    if (!is_the_file(t, AT_FDCWD, path)) return true;
    message("%s: is %s itself, and would be overwritten; give another --output, or --json", path,
            t->path);
    return false;
}

/* True if the digests' file, beside the output, is not the file to reduce. */
static bool spares_file_beside(const file_task *t) {
    if (t->output.is_stream) return true;
    char *name = resume_known_name(&t->output);
    const bool ok = name != NULL && !is_the_file(t, t->output.folder_fd, name);
    if (name != NULL && !ok) {
        message("%s: is %s itself, and would be overwritten; give another --output, or --json",
                name, t->path);
    }
    if (name == NULL) message_error(ENOMEM, "cannot name the output");
    free(name);
    return ok;
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
    if (!spares_file(t, t->output_path)) return false;
    const int error = atomic_file_open(&t->output, t->output_path);
    if (error != 0) message_error(error, "%s: cannot be written", t->output_path);
    return error == 0 && spares_file_beside(t);
}

static bool open_events(file_task *t) {
    const char *name = t->options->work.json;
    const bool is_file = name != NULL && strcmp(name, "-") != 0;
    if (is_file && !(spares_file(t, name) && session_spares_program(t->session, name)))
        return false;
    return session_open_events(t->session);
}

/* Find the predicate, and make its arguments. The first is the name of the file, unless the
 * predicate reads stdin. */
static bool find_predicate(file_task *t) {
    const reduce_options *o = t->options;
    session_target *target = &t->session->target;
    const size_t count = text_count(o->work.rest.args);
    size_t at = 0;
    t->args = calloc(count + 2, sizeof *t->args);
    if (t->args == NULL) {
        message_error(ENOMEM, "cannot prepare to start the predicate");
        return false;
    }
    if (!o->on_stdin) t->args[at++] = (char *)path_base(t->path);
    memcpy(t->args + at, o->work.rest.args, count * sizeof *t->args);
    if (!target_command_find(&target->sut, o->predicate, t->args, environ)) return false;
    if (!target_command_make_absolute(&target->sut)) return false;
    if (o->work.run.memory_max > 0 && !target_command_takes_memory_limit(&target->sut))
        return false;
    target->subject =
        (run_target){.sut = target->sut.path, .args = (const char *const *)o->work.rest.args};
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
    mounts_left left = {.error = 0};
    const int error = scratch_dir_make_root(folder, t->root, &t->lock_fd, &left);
    tool_mount_left(&left);
    if (error == 0) return true;
    t->root[0] = '\0';
    message_error(error, "%s: cannot be written",
                  folder != NULL && folder[0] != '\0' ? folder : "/tmp");
    return false;
}

/* Return the key under which digests of an earlier reduction count. */
static known_key make_key(const file_task *t) {
    const reduce_options *o = t->options;
    known_key key = {{0}};
    const char *digest = t->session->target.sut.digest != NULL ? t->session->target.sut.digest : "";
    known_key_add(&key, digest, strlen(digest));
    known_key_add(&key, &o->on_stdin, sizeof o->on_stdin);
    known_key_add(&key, &o->work.run.timeout_ns, sizeof o->work.run.timeout_ns);
    known_key_add(&key, &o->work.run.memory_max, sizeof o->work.run.memory_max);
    for (char **arg = t->args; *arg != NULL; arg++) known_key_add(&key, *arg, strlen(*arg));
    known_key_add(&key, t->file.bytes, t->file.size);
    return key;
}

/* Return the configuration of the predicate's runs. A candidate has the mode of the file, but its
 * owner can always read and write it. */
static runner_predicate_config make_predicate(const file_task *t) {
    const run_options *run = &t->options->work.run;
    return (runner_predicate_config){
        .command = target_command_proc(&t->session->target.sut),
        .root = t->root,
        .name = path_base(t->path),
        .mode = (t->status.st_mode & 0777) | S_IRUSR | S_IWUSR,
        .on_stdin = t->options->on_stdin,
        .timeout_ns = run->timeout_ns != 0 ? run->timeout_ns : FILE_TASK_TIMEOUT_S * CLOCK_NS_PER_S,
        .external_pass_timeout_ns =
            run->timeout_ns != 0 ? run->timeout_ns : REDUCER_TIMEOUT_S * CLOCK_NS_PER_S,
        .memory_max = run->memory_max,
        .size_max = reduce_candidate_set_bytes(t->file.size),
        .mask = t->session->signals.mask,
    };
}

bool file_task_prepare(file_task *t, session *s, const reduce_options *o) {
    *t = (file_task){.session = s, .options = o, .output = {.folder_fd = -1}, .lock_fd = -1};
    if (!session_begin(s, &o->work)) return false;
    if (!read_file(t) || !open_output(t) || !find_predicate(t) || !find_reducers(t)) return false;
    if (!session_spares_program(s, t->output_path) || !session_choose_containment(s)) return false;
    if (!open_events(t) || !make_root(t)) return false;
    t->key = make_key(t);
    t->predicate = make_predicate(t);
    return true;
}

static void remove_root(const file_task *t) {
    mounts_left left = {.error = 0};
    scratch_dir_remove(t->root, &left);
    tool_mount_left(&left);
}

void file_task_finish(file_task *t) {
    if (t->root[0] != '\0') remove_root(t);
    if (t->lock_fd >= 0) close(t->lock_fd);
    external_pass_list_finish(&t->reducers);
    atomic_file_close(&t->output);
    free(t->output_path);
    free(t->args);
    input_source_finish(&t->file);
}

#include "replay_wrap.h"

#include "bytes.h"
#include "messages.h"
#include "predicate.h"
#include "target.h"
#include "tool.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Make argv: the words of the line, the target, its arguments. */
static bool make_argv(replay_wrap *w, const char *line, const target_command *s) {
    const size_t sut_count = text_count(s->argv);
    size_t count = 0;
    bool ok = true;
    w->words = strdup(line);
    w->argv = calloc(strlen(line) + sut_count + 2, sizeof *w->argv);
    if (w->words == NULL || w->argv == NULL) {
        message_error(ENOMEM, "cannot wrap");
        return false;
    }
    char *rest = w->words;
    for (char *word; (word = words_next(&rest, &ok)) != NULL;) w->argv[count++] = word;
    assert(ok && count > 0);
    w->argv[count++] = s->path; /* a path, since debuggers do not search PATH */
    memcpy(w->argv + count, s->argv + 1, sut_count * sizeof *w->argv);
    return true;
}

static bool write_entropy(const char *path, const uint8_t *bytes, size_t size) {
    FILE *file = fopen(path, "wbxe");
    if (file == NULL) return false;
    const bool written = size == 0 || fwrite(bytes, 1, size, file) == size;
    return fclose(file) == 0 && written;
}

static bool make_file(replay_wrap *w, const replay_wrap_setup *of) {
    const int error = scratch_dir_make_root(of->temporary, w->folder, &w->lock_fd);
    if (error != 0) {
        message_error(error, "%s: cannot be written", of->temporary);
        w->folder[0] = '\0';
        return false;
    }
    if (asprintf(&w->file, "%s/entropy", w->folder) > 0 &&
        write_entropy(w->file, of->bytes, of->size)) {
        w->file_fd = open(w->file, O_RDONLY | O_CLOEXEC);
        if (w->file_fd >= 0) return true;
    }
    message_error(errno, "%s: cannot be written", w->folder);
    return false;
}

static bool make_envp(replay_wrap *w, const target_command *s) {
    const size_t count = text_count(s->envp);
    w->envp = calloc(count + 2, sizeof *w->envp);
    if (w->envp == NULL || asprintf(&w->input, "FRNG_INPUT=%s", w->file) < 0) {
        message_error(ENOMEM, "cannot wrap");
        return false;
    }
    memcpy(w->envp, s->envp, count * sizeof *w->envp);
    if (target_takes_frng_input(s)) w->envp[count] = w->input;
    return true;
}

/* Put the file's path in place of each @@. */
static bool put_file(replay_wrap *w, const target_command *s) {
    if (!target_names_file(s->argv + 1)) return true;
    w->file_words = target_put_path(w->argv, w->file);
    if (w->file_words == NULL) message_error(ENOMEM, "cannot wrap");
    return w->file_words != NULL;
}

static bool is_debugger(const char *path) {
    const char *name = path_base(path);
    return strstr(name, "gdb") != NULL || strstr(name, "lldb") != NULL;
}

bool replay_wrap_init(replay_wrap *w, const replay_wrap_setup *of) {
    const target_command *s = of->target;
    memset(w, 0, sizeof *w);
    w->lock_fd = w->file_fd = -1;
    if (!make_argv(w, of->line, s) || !make_file(w, of) || !make_envp(w, s) || !put_file(w, s))
        return false;
    w->path = proc_find(w->argv[0], program_folders(s->envp));
    if (w->path == NULL) {
        program_not_on_path(w->argv[0]);
        return false;
    }
    w->keeps_stdin = target_reads_frng_input(s) || is_debugger(w->path) || w->file_words != NULL;
    return true;
}

void replay_wrap_finish(replay_wrap *w) {
    if (w->folder[0] != '\0') tool_remove_scratch(w->folder);
    if (w->lock_fd >= 0) close(w->lock_fd);
    if (w->file_fd >= 0) close(w->file_fd);
    target_free_words(w->file_words);
    free(w->words);
    free(w->path);
    free(w->argv);
    free(w->envp);
    free(w->file);
    free(w->input);
}

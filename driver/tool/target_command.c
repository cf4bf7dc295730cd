#include "target_command.h"

#include "file_argument.h"
#include "file_signs.h"
#include "finding.h"
#include "messages.h"
#include "program.h"
#include "regular.h"
#include "sanitizer.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *target_command_path_folders(char *const *envp) {
    for (; *envp != NULL; envp++) {
        if (strncmp(*envp, "PATH=", 5) == 0) return *envp + 5;
    }
    return "/usr/local/bin:/usr/bin:/bin";
}

/* True for variables from a driver to one process. Those in our own environment concern this
 * process, if it is a run of another driver, and not the target. */
static bool is_ours(const char *variable) {
    static const char *const names[] = {"FRNG_INPUT=", "FRNG_DRIVER="};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strncmp(variable, names[i], strlen(names[i])) == 0) return true;
    }
    return false;
}

static bool make_vectors(target_command *s, const char *name, char *const *args, char **envp) {
    const size_t arg_count = text_count(args);
    size_t kept = 0;
    s->argv = calloc(arg_count + 2, sizeof *s->argv);
    s->envp = calloc(text_count(envp) + 1, sizeof *s->envp);
    if (s->argv == NULL || s->envp == NULL) return false;
    s->argv[0] = (char *)name;
    memcpy(s->argv + 1, args, arg_count * sizeof *args);
    for (; *envp != NULL; envp++) {
        if (!is_ours(*envp)) s->envp[kept++] = *envp;
    }
    return true;
}

bool target_command_find(target_command *s, const char *name, char *const *args, char **envp) {
    memset(s, 0, sizeof *s);
    s->path = proc_find(name, target_command_path_folders(envp));
    if (s->path == NULL) {
        program_not_on_path(name);
        return false;
    }
    if (!program_check(s->path)) return false;
    if (!make_vectors(s, name, args, envp)) {
        message_error(ENOMEM, "cannot prepare to start the program");
        return false;
    }
    s->mark = file_stamp_of(s->path);
    s->digest = finding_digest(s->path);
    return true;
}

bool target_command_put_file(target_command *s) {
    s->words = file_argument_put(s->argv, FILE_ARGUMENT_OF_RUN);
    if (s->words == NULL) message_error(ENOMEM, "cannot prepare to start the program");
    return s->words != NULL;
}

bool target_command_update(target_command *s) {
    const file_stamp now = file_stamp_of(s->path);
    if (file_stamp_equal(&now, &s->mark)) return false;
    char *digest = finding_digest(s->path);
    const file_stamp then = file_stamp_of(s->path);
    if (digest == NULL || !file_stamp_equal(&now, &then)) { /* a write is under way */
        free(digest);
        return false;
    }
    const bool changed = s->digest == NULL || strcmp(s->digest, digest) != 0;
    free(s->digest);
    s->digest = digest;
    s->mark = now;
    return changed;
}

bool target_command_make_absolute(target_command *s) {
    char *path = program_absolute(s->path);
    if (path == NULL) {
        program_cannot_start(s->path, errno);
        return false;
    }
    free(s->path);
    s->path = s->argv[0] = path;
    return true;
}

void target_command_refuse_memory(const char *path, const char *sanitizer) {
    message("%s: --memory cannot be used: it was built with %s, which reserves more address space "
            "than there is memory; build it without, or leave --memory out",
            path, sanitizer);
}

bool target_command_takes_memory_limit(const target_command *s) {
    const char *sanitizer = sanitizer_of(s->path);
    if (sanitizer != NULL) target_command_refuse_memory(s->path, sanitizer);
    return sanitizer == NULL;
}

void target_command_finish(target_command *s) {
    free(s->path);
    free(s->argv);
    file_argument_free(s->words);
    free(s->envp);
    free(s->digest);
}

/* ---- What its files say ---- */

enum { ARGUMENTS_MAX = 64 };                         /* arguments that are looked at */
static const uint64_t ARGUMENT_SIZE_MAX = 256 << 20; /* and the largest file among them */

typedef bool file_sign(const char *path, uint64_t size_max);

/* Return the first file of the command line with a sign: the one that is started, or one that an
 * argument names. NULL for none. */
static const char *find_sign(const target_command *s, file_sign *has_sign) {
    const int64_t deadline_ns = regular_deadline();
    if (has_sign(s->path, FILE_SIGNS_ANY_SIZE)) return s->path;
    for (size_t i = 1; s->argv != NULL && s->argv[i] != NULL && i <= ARGUMENTS_MAX; i++) {
        if (regular_should_stop(deadline_ns)) return NULL;
        if (has_sign(s->argv[i], ARGUMENT_SIZE_MAX)) return s->argv[i];
    }
    return NULL;
}

bool target_command_reads_frng_input(const target_command *s) {
    return find_sign(s, file_signs_frng_input) != NULL;
}

const char *target_command_names_protocol(const target_command *s) {
    return find_sign(s, file_signs_protocol);
}

bool target_command_takes_frng_input(const target_command *s) {
    return target_command_reads_frng_input(s) || target_command_names_protocol(s) != NULL;
}

const char *target_command_of_other_order(const target_command *s) {
    return find_sign(s, file_signs_other_order);
}

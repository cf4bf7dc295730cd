/* A program is found as a shell finds it, by a path or on PATH.
 *
 * It is checked before anything starts it: whatever is wrong is one line that says what to do. */
#include "program.h"

#include "files.h"
#include "memory.h"
#include "messages.h"
#include "phrase.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

const char *program_folders(void) {
    const char *folders = getenv("PATH");
    return folders != NULL ? folders : "/usr/local/bin:/usr/bin:/bin";
}

char *program_beside(const char *tool, const char *other) {
    return memory_text("%.*s%s", (int)(path_base(tool) - tool), tool, other);
}

void program_not_on_path(const char *name) {
    struct stat status;
    if (stat(name, &status) == 0 && S_ISDIR(status.st_mode)) {
        message("%s: is a folder; give the program in it", name);
    } else if (access(name, F_OK) == 0) {
        message("%s: not found on PATH; for the file in this folder say ./%s", name, name);
    } else {
        message("%s: not found on PATH; give the path to the program", name);
    }
}

bool program_cannot_start(const char *path, int error_number) {
    const char *why =
        error_number == ENOENT ? "its interpreter was not found; check the first line of a "
                                 "script, or the loader of a binary"
        : error_number == ENOEXEC
            ? "not a program of this machine; a script begins with #! and its "
              "interpreter"
        : error_number == EACCES ? "permission denied; check that it, its interpreter and its "
                                   "folders may be executed"
                                 : NULL;
    if (error_number == ENOENT && access(path, F_OK) != 0)
        return message("%s: not found; check the path, or build it first", path);
    return why != NULL ? message("%s: cannot be started: %s", path, why)
                       : message_error(error_number, "%s: cannot be started", path);
}

/* Return the bytes of the line of the output that begins at `first`. */
static int line_length(const bytes_tail *output, const uint8_t *first) {
    const size_t left = output->size - (size_t)(first - output->bytes);
    const uint8_t *end = memchr(first, '\n', left);
    return (int)(end != NULL ? (size_t)(end - first) : left);
}

bool program_print_fault(const char *path, const outcome *error, const bytes_tail *output) {
    if (error->fault == FAULT_EXEC) {
        program_cannot_start(path, error->error_number);
    } else if (outcome_is_unstarted(error)) {
        const bool is_usage = error->fault == FAULT_USAGE;
        const uint8_t *first = is_usage ? outcome_usage_line(output) : output->bytes;
        const int length = line_length(output, first);
        const char *line = (const char *)first;
        if (is_usage)
            message("%s: %s: %.*s", path,
                    outcome_is_limit(error) ? "a run cannot be judged" : "cannot be run", length,
                    line);
        else if (error->fault == FAULT_LINKER)
            message("%s: cannot be loaded: %.*s", path, length, line);
        else
            message("%s: cannot be started: exits with %d without reading its input%s%.*s", path,
                    WEXITSTATUS(error->status), length > 0 ? ": " : "", length, line);
    } else if (error->fault == FAULT_END && error->error_number == ETIME) {
        message("a run does not die of SIGKILL; is kill(2) refused by a sandbox, or the machine "
                "stuck?");
    } else if (error->fault == FAULT_END) {
        message("cannot wait for a run: %s; frng needs wait4(2), which a sandbox may refuse",
                strerror(error->error_number));
    } else {
        return false;
    }
    return true;
}

bool program_check(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) return program_cannot_start(path, errno);
    if (S_ISDIR(status.st_mode)) return message("%s: is a folder; give the program in it", path);
    if (!S_ISREG(status.st_mode)) /* reading a FIFO for its digest would never end */
        return program_cannot_start(path, EACCES);
    return access(path, X_OK) == 0 ||
           message("%s: not executable; compile it if it is source code, else try: chmod +x %s",
                   path, phrase_shell(path));
}

char *program_find(const char *name) {
    char *path = proc_find(name, program_folders());
    if (path == NULL) program_not_on_path(name);
    if (path != NULL && program_check(path)) return path;
    free(path);
    return NULL;
}

char *program_absolute(const char *path) {
    const char *name = path_base(path);
    char *folder = memory_text("%.*s", (int)(name - path), path);
    char *real = realpath(name == path ? "." : folder, NULL);
    free(folder);
    if (real == NULL) return NULL;
    char *result = memory_text("%s%s%s", real, strcmp(real, "/") == 0 ? "" : "/", name);
    free(real);
    return result;
}

bool program_is_kept(const char *program, const char *path) {
    if (!file_is_same(program, path)) return true;
    return message("%s: is %s itself, and would be overwritten; give another --output, or --json",
                   path, program);
}

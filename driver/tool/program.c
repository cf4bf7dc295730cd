#include "program.h"

#include "messages.h"
#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *program_beside(const char *tool, const char *other) {
    char *path = NULL;
    const int folder_length = (int)(path_base(tool) - tool);
    return asprintf(&path, "%.*s%s", folder_length, tool, other) < 0 ? NULL : path;
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

void program_cannot_start(const char *path, int error_number) {
    const bool is_missing = error_number == ENOENT && access(path, F_OK) != 0;
    if (is_missing) {
        message("%s: not found; check the path, or build it first", path);
    } else if (error_number == ENOENT) {
        message("%s: cannot be started: its interpreter was not found; check the first line of a "
                "script, or the loader of a binary",
                path);
    } else if (error_number == ENOEXEC) {
        message("%s: cannot be started: not a program of this machine; a script begins with #! "
                "and its interpreter",
                path);
    } else if (error_number == EACCES) {
        message("%s: cannot be started: permission denied; check that it, its interpreter and its "
                "folders may be executed",
                path);
    } else {
        message_error(error_number, "%s: cannot be started", path);
    }
}

static void print_not_loaded(const char *path, const bytes_tail *output) {
    const uint8_t *end = memchr(output->bytes, '\n', output->size);
    const size_t length = end != NULL ? (size_t)(end - output->bytes) : output->size;
    message("%s: cannot be loaded: %.*s", path, (int)length, (const char *)output->bytes);
}

static void print_not_ended(int error_number) {
    if (error_number == ETIME) {
        message("a run does not die of SIGKILL; is kill(2) refused by a sandbox, or the machine "
                "stuck?");
    } else {
        message("cannot wait for a run: %s; frng needs wait4(2), which a sandbox may refuse",
                strerror(error_number));
    }
}

bool program_print_fault(const char *path, const outcome *error, const bytes_tail *output) {
    switch (error->fault) {
    case FAULT_EXEC: program_cannot_start(path, error->error_number); return true;
    case FAULT_LINKER: print_not_loaded(path, output); return true;
    case FAULT_END: print_not_ended(error->error_number); return true;
    case FAULT_NONE:
    case FAULT_FOLDER:
    case FAULT_SYSTEM: break;
    }
    return false;
}

bool program_check(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) {
        program_cannot_start(path, errno);
    } else if (S_ISDIR(status.st_mode)) {
        message("%s: is a folder; give the program in it", path);
    } else if (!S_ISREG(status.st_mode)) { /* reading a FIFO for its digest would never end */
        program_cannot_start(path, EACCES);
    } else if (access(path, X_OK) != 0) {
        message("%s: not executable; try 'chmod +x %s'", path, path);
    } else {
        return true;
    }
    return false;
}

char *program_absolute(const char *path) {
    const char *name = path_base(path);
    char *result = NULL;
    char *folder = name == path ? strdup(".") : strndup(path, (size_t)(name - path));
    char *real = folder != NULL ? realpath(folder, NULL) : NULL;
    free(folder);
    if (real == NULL) return NULL;
    const char *separator = strcmp(real, "/") == 0 ? "" : "/";
    if (asprintf(&result, "%s%s%s", real, separator, name) < 0) result = NULL;
    free(real);
    return result;
}

bool program_is_kept(const char *program, const char *path) {
    struct stat ours, theirs;
    if (stat(program, &ours) != 0 || stat(path, &theirs) != 0) return true;
    if (ours.st_dev != theirs.st_dev || ours.st_ino != theirs.st_ino) return true;
    message("%s: is %s itself, and would be overwritten; give another --output, or --json", path,
            program);
    return false;
}

#include "program.h"

#include "messages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *program_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool program_check(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) {
        message_sut_cannot_start(path, errno);
    } else if (S_ISDIR(status.st_mode)) {
        message_sut_is_folder(path);
    } else if (!S_ISREG(status.st_mode)) { /* reading a FIFO for its digest would never end */
        message_sut_cannot_start(path, EACCES);
    } else if (access(path, X_OK) != 0) {
        message_sut_not_executable(path);
    } else {
        return true;
    }
    return false;
}

char *program_absolute(const char *path) {
    const char *name = program_name(path);
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

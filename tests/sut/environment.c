/* environment.c: a system under test that writes down what it inherited.
 *
 *     sut-environment FILE N [ARGUMENT...]
 *
 * appends lines "key value" to FILE, the first one "run PID" and the last one "end", in one write,
 * and fails with exit status 1 iff it gets at least N bytes. SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void tell_processes(FILE *out) {
    char folder[PATH_MAX];
    fprintf(out, "run %d\n", (int)getpid());
    fprintf(out, "parent %d\n", (int)getppid());
    fprintf(out, "session %d\n", (int)getsid(0));
    fprintf(out, "group %d\n", (int)getpgrp());
    fprintf(out, "folder %s\n", getcwd(folder, sizeof folder) != NULL ? folder : "?");
}

static void tell_environment(FILE *out, char **argv) {
    /* By their beginnings: a file that holds the name of the protocol's variable is asked first
     * whether it speaks that. */
    for (char **variable = environ; *variable != NULL; variable++) {
        const bool is_wanted =
            strncmp(*variable, "FRNG_", 5) == 0 || strncmp(*variable, "PATH=", 5) == 0;
        const int length = (int)strcspn(*variable, "=");
        if (is_wanted) fprintf(out, "%.*s %s\n", length, *variable, *variable + length + 1);
    }
    for (int i = 0; argv[i] != NULL; i++) fprintf(out, "argument.%d %s\n", i, argv[i]);
}

/* SigBlk, SigIgn and SigCgt, as hexadecimal masks. */
static void tell_signals(FILE *out) {
    FILE *status = fopen("/proc/self/status", "re");
    char line[256], key[64], value[64];
    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, "Sig", 3) == 0 && sscanf(line, "%63[^:]: %63s", key, value) == 2) {
            fprintf(out, "%s %s\n", key, value);
        }
    }
    if (status != NULL) fclose(status);
}

static void tell_descriptors(FILE *out) {
    DIR *folder = opendir("/proc/self/fd");
    const struct dirent *entry;
    char path[300], target[PATH_MAX];
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.' || atoi(entry->d_name) == dirfd(folder)) continue;
        snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        const ssize_t length = readlink(path, target, sizeof target - 1);
        target[length > 0 ? length : 0] = 0;
        fprintf(out, "descriptor.%s %s\n", entry->d_name, target);
    }
    if (folder != NULL) closedir(folder);
}

static void tell_stdin(FILE *out) {
    struct stat s;
    if (fstat(0, &s) != 0) return;
    const char *kind = S_ISREG(s.st_mode) ? "file" : S_ISFIFO(s.st_mode) ? "pipe" : "other";
    const int access = fcntl(0, F_GETFL) & O_ACCMODE;
    fprintf(out, "stdin.kind %s\n", kind);
    fprintf(out, "stdin.access %s\n", access == O_RDONLY ? "read" : "write");
    fprintf(out, "stdin.offset %lld\n", (long long)lseek(0, 0, SEEK_CUR));
}

static void tell_limits(FILE *out) {
    struct rlimit core;
    if (getrlimit(RLIMIT_CORE, &core) == 0) {
        fprintf(out, "core %lld\n", (long long)core.rlim_cur);
    }
    const mode_t mask = umask(0);
    fprintf(out, "umask %o\n", (unsigned)mask);
}

int main(int argc, char **argv) {
    char *text = NULL, byte;
    size_t length = 0, size = 0;
    if (argc < 3) return 64;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) return 65;
    tell_processes(out);
    tell_environment(out, argv);
    tell_signals(out);
    tell_stdin(out);
    tell_limits(out);
    fflush(out);
    tell_descriptors(out);
    while (read(0, &byte, 1) == 1) size++;
    fprintf(out, "size %zu\nend\n", size);
    fclose(out);
    const int fd = open(argv[1], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, text, length) != (ssize_t)length) return 65;
    free(text);
    return size >= strtoull(argv[2], NULL, 0) ? 1 : 0;
}

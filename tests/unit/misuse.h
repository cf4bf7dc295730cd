/* misuse.h: bugs of the caller of a draw: what the host hears, and the trap. */
#ifndef MISUSE_H
#define MISUSE_H

#include "frng.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct misuse {
    void (*make)(frng *f);
    const char *heard;
} misuse;

__attribute__((format(printf, 1, 2))) static void misuse_hear(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vdprintf(STDOUT_FILENO, format, arguments);
    va_end(arguments);
}

/* Check what a child writes that has this bug with `size` bytes of entropy, and that it traps. */
static void misuse_check(const misuse *m, size_t size, bool has_host) {
    char heard[128] = "";
    int ends[2], status = 0;
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        const struct rlimit none = {0, 0};
        const uint8_t entropy[16] = {0};
        frng_host host = {.misuse = misuse_hear};
        setrlimit(RLIMIT_CORE, &none);
        dup2(ends[1], STDOUT_FILENO);
        frng f = frng_init(entropy, size);
        if (has_host) f.host = &host;
        m->make(&f);
        _exit(0);
    }
    close(ends[1]);
    ck_assert_int_ge(read(ends[0], heard, sizeof heard - 1), 0);
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_str_eq(heard, has_host ? m->heard : "");
    ck_assert(WIFSIGNALED(status));
    ck_assert(WTERMSIG(status) == SIGILL || WTERMSIG(status) == SIGTRAP);
}

#endif

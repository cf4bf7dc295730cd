/* dying.h: what a child process writes that dies of a signal. */
#ifndef DYING_H
#define DYING_H

#include "suite.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Run `act(argument)` in a child, which must die of SIGABRT, or else of a trap. Return what it
 * wrote to `fd`: qemu-user writes of signals on stderr itself. The next call overwrites it. */
static inline const char *dying_message(void (*act)(const void *), const void *argument,
                                        bool is_trap, int fd) {
    static char text[4096];
    int ends[2], status = 0;
    size_t size = 0;
    ssize_t got;
    ck_assert_int_eq(pipe(ends), 0);
    fflush(stdout);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        dup2(ends[1], fd);
        close(ends[0]);
        close(ends[1]);
        act(argument);
        _exit(0);
    }
    close(ends[1]);
    while ((got = read(ends[0], text + size, sizeof text - 1 - size)) > 0) size += (size_t)got;
    text[size] = '\0';
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFSIGNALED(status), "status %x: %s", (unsigned)status, text);
    const int death = WTERMSIG(status);
    ck_assert(is_trap ? death == SIGILL || death == SIGTRAP : death == SIGABRT);
    return text;
}

#endif

/* failing.h: the message of a failure, from a child process that dies of it. */
#ifndef FAILING_H
#define FAILING_H

#include "suite.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Run `run(begin)` in a child, which must die of SIGABRT, and return what it printed on stderr. The
 * next call overwrites it. */
static inline const char *failing_message(void (*run)(void *(*begin)(void *)),
                                          void *(*begin)(void *)) {
    static char text[4096];
    int ends[2], status;
    ssize_t n, size = 0;
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        run(begin);
        _exit(0);
    }
    close(ends[1]);
    while ((n = read(ends[0], text + size, sizeof text - 1 - (size_t)size)) > 0) size += n;
    text[size] = '\0';
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "status %d: %s", status,
                  text);
    return text;
}

#endif

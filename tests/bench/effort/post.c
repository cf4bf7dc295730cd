/* post.c: makes runs without frng, as the post's driver did, and as little as a fork can be.
 *
 *     post N PROGRAM     N times: fork, exec, 64 bytes through a pipe, wait
 *     post N             N times: fork, exit, wait
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void run(char *program) {
    static const char entropy[64] = {1, 2, 3};
    int ends[2], status;
    if (pipe(ends) != 0) exit(2);
    const pid_t child = fork();
    if (child == 0 && program == NULL) exit(0);
    if (child == 0) {
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl(program, program, (char *)NULL);
        _exit(2);
    }
    close(ends[0]);
    if (program != NULL && write(ends[1], entropy, sizeof entropy) != (ssize_t)sizeof entropy)
        exit(2);
    close(ends[1]);
    if (waitpid(child, &status, 0) != child || status != 0) exit(2);
}

int main(int argc, char **argv) {
    for (long n = argc > 1 ? atol(argv[1]) : 0; n > 0; n--) run(argc > 2 ? argv[2] : NULL);
    return 0;
}

/* nested.c: a test that runs a program, and fails when that exits with 1, as a search does that
 * found a failure.
 *
 *     sut-nested PROGRAM [ARG...]        SPDX-License-Identifier: MIT */
#include "frng_main.h"

static char **command;

static bool test(frng *f) {
    uint8_t unused;
    FRNG_TRY(frng_u8(f, &unused));
    const pid_t child = fork();
    if (child == 0) {
        execv(command[0], command);
        _exit(126);
    }
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    const bool has_found = WIFEXITED(status) && WEXITSTATUS(status) == 1;
    FRNG_ASSERT(!has_found, "the inner search found a failure");
    FRNG_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d", status);
    return true;
}

int main(int argc, char **argv) {
    if (argc < 2) return FRNG_EXIT_CANNOT_JUDGE;
    command = argv + 1;
    return frng_run(test);
}

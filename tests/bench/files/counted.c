/* Stands before a predicate and counts how often it is run: a byte is added to the file COUNTER.
 * Compiled with -DCOUNTER='"file"' -DPREDICATE='"program"', absolute paths both.
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int fd = open(COUNTER, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (argc < 1 || fd < 0 || write(fd, ".", 1) != 1) return 2;
    argv[0] = PREDICATE;
    execv(PREDICATE, argv);
    return 2;
}

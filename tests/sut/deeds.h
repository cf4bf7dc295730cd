/* deeds.h: what both programs that misbehave do: modes.c, which is plain, and dirt.c, which speaks
 * the protocol. SPDX-License-Identifier: MIT */
#ifndef DEEDS_H
#define DEEDS_H

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)

enum { USAGE = 64, BROKEN = 65 };

static void broken(const char *what) {
    perror(what);
    exit(BROKEN);
}

static void hang(void) {
    for (;;) pause();
}

static void spin(void) {
    for (volatile bool more = true; more;) continue;
}

static void stop(void) {
    while (raise(SIGSTOP) == 0) continue;
}

/* Every signal it can, and hang. */
static void ignore_all(void) {
    for (int number = 1; number < 32; number++) signal(number, SIG_IGN);
    hang();
}

/* Allocate bytes and write to each; NULL if there are none. */
static void *take(size_t size) {
    volatile char *memory = (volatile char *)malloc(size);
    for (size_t i = 0; memory != NULL && i < size; i += 4096) memory[i] = 1;
    return (void *)(uintptr_t)memory;
}

/* So many KiB of text, escapes, invalid UTF-8 and NULs, on stdout and on stderr in turns. */
static void flood(unsigned long kib) {
    static const char dirt[] = "text \x1b[31mred\x1b[2J\x1b]0;title\a \xff\xfe\x80 \0 \r\b\x9b\n";
    static char block[1 << 14];
    for (size_t i = 0; i < sizeof block; i++) block[i] = dirt[i % (sizeof dirt - 1)];
    for (unsigned long i = 0; i < kib / 16; i++) {
        if (write(1 + (int)(i % 2), block, sizeof block) < 0) broken("output");
    }
}

static bool is_lucky(unsigned long percent) {
    uint32_t luck;
    if (getrandom(&luck, sizeof luck, 0) != (ssize_t)sizeof luck) broken("getrandom");
    return luck % 100 < percent;
}

static bool is_new(const char *file) {
    return open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) >= 0;
}

#endif

/* liar.c: a program that offers to make runs for a driver (frng/PROTOCOL.md), and then lies.
 *
 *     sut-liar LIE [N]
 *
 * It never fails but by what it says: over plain stdin it passes whatever it gets; with N it
 * fails there, with exit status 3, when it gets N bytes or more. SPDX-License-Identifier: MIT */
#include "frng_protocol.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ABORTED = 6, EXITED_1 = 1 << 8 }; /* wait statuses */

static const char *lie;
static int control;
static volatile frng_report *report;

static bool is(const char *name) { return strcmp(lie, name) == 0; }

static void say(const void *bytes, size_t size) {
    if (send(control, bytes, size, MSG_NOSIGNAL) < 0) exit(0);
}

static void wait_for_ever(void) {
    for (;;) pause();
}

/* Whether this program was started before in this scenario. A mark in its folder tells. */
static bool is_later_start(void) {
    static const char mark[] = "later";
    char folder[256], path[300];
    const char *scenario = getenv("FRNG_SCENARIO");
    snprintf(folder, sizeof folder, "%s", scenario != NULL ? scenario : "/nonexistent");
    snprintf(path, sizeof path, "%s/%s", folder, mark);
    if (access(path, F_OK) == 0) return true;
    FILE *file = fopen(path, "w");
    if (file != NULL) fclose(file);
    return false;
}

static frng_message hello(void) {
    return (frng_message){.type = FRNG_HELLO,
                          .version = FRNG_PROTOCOL_VERSION,
                          .flags = FRNG_CAN_EXPAND | FRNG_CAN_BATCH,
                          .drawn_offset = offsetof(frng_report, generator),
                          .drawn_width = 8};
}

static void greet(void) {
    static const char noise[200] = "noise";
    frng_message m = hello();
    if (is("hello-dies")) _exit(3);
    if (is("hello-never")) wait_for_ever();
    if (is("hello-short")) say(&m, 8);
    if (is("hello-long")) say(noise, sizeof noise);
    if (is("hello-empty")) say(noise, 0);
    if (is("hello-type")) m.type = 99;
    if (is("hello-version")) m.version = 2;
    if (is("hello-offset")) m.drawn_offset = UINT64_MAX - 7;
    if (is("hello-beyond")) m.drawn_offset = sizeof(frng_report);
    if (is("hello-odd")) m.drawn_offset += 3;
    if (is("hello-width")) m.drawn_width = 3;
    if (is("hello-flags")) m.flags = UINT64_MAX;
    if (is("hello-later-dies") && is_later_start()) _exit(3);
    if (is("hello-later-never") && is_later_start()) wait_for_ever();
    say(&m, sizeof m);
    if (is("hello-twice")) say(&m, sizeof m);
    if (is("hello-then-dies")) _exit(3);
}

/* The answer to an order. One that is true but for the lie says that every run has passed. */
static void answer(const frng_message *order) {
    static char noise[200] = "noise";
    frng_message m = {.type = FRNG_DONE, .count = order->count};
    report->generator[0] = 0;
    if (is("dies")) _exit(3);
    if (is("aborts")) abort();
    if (is("never")) wait_for_ever();
    if (is("hangs-up")) {
        close(control);
        wait_for_ever();
    }
    for (uint64_t run = 0; is("busy"); run++) {
        report->run = run % 2;
        usleep(1000);
    }
    if (is("garbage")) memset(&m, 0xa5, sizeof m);
    if (is("type")) m.type = FRNG_RUN;
    if (is("hello-again")) m = hello();
    if (is("count-more")) m.count = order->count + 1;
    if (is("count-huge")) m.count = UINT64_MAX;
    if (is("count-0")) m.count = 0;
    if (is("count-less")) m.count = order->count / 2;
    if (is("status-huge")) m.status = UINT64_MAX;
    if (is("status-odd")) m.count = 0, m.status = 0x7fffffff;
    if (is("status-stopped")) m.count = 0, m.status = 0x137f;
    if (is("status-after-all")) m.status = EXITED_1;
    if (is("fails")) m.count = 0, m.status = ABORTED;
    if (is("fails-drawn")) m.count = 0, m.status = ABORTED, report->generator[0] = UINT64_MAX;
    if (is("leftover")) m.flags = FRNG_LEFTOVER;
    if (is("flags")) m.flags = UINT64_MAX & ~(uint64_t)FRNG_NO_PROCESS;
    if (is("site")) {
        m.count = 0, m.status = ABORTED;
        memset((void *)(uintptr_t)report->site, '\x1b', sizeof report->site);
    }
    if (is("digest")) report->digest = (uint64_t)getpid() ^ (uint64_t)order->count;
    if (is("long")) {
        say(noise, sizeof noise);
    } else {
        say(&m, is("short") ? 72 : is("empty") ? 0 : sizeof m);
    }
    if (is("done-twice")) say(&m, sizeof m);
    if (is("dies-between")) _exit(3);
}

static int run_stdin(const char *fails_from) {
    size_t size = 0;
    while (getchar() != EOF) size++;
    return fails_from != NULL && size >= strtoul(fails_from, NULL, 0) ? 3 : 0;
}

int main(int argc, char **argv) {
    int version, memory;
    const char *offer = getenv(FRNG_DRIVER_VARIABLE);
    if (argc < 2) return 64;
    lie = argv[1];
    if (offer == NULL || sscanf(offer, "%d,%d,%d", &version, &control, &memory) != 3 ||
        control < 0) {
        return run_stdin(argv[2]);
    }
    report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if ((const volatile void *)report == MAP_FAILED) return 65;
    greet();
    frng_message order;
    while (recv(control, &order, sizeof order, 0) == (ssize_t)sizeof order) answer(&order);
    return 0;
}

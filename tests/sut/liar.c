/* liar.c: a program that offers to make runs for a driver (frng/PROTOCOL.md), and then lies.
 *
 *     sut-liar LIE [N]
 *
 * Over plain stdin it fails, with exit status 3, when it gets N bytes or more, and without N never.
 * Most LIEs are false messages. With these, messages are true and runs are made, but a thread
 * writes over the whole report as long as the program lives:
 *
 *     noise, small, ones    numbers of any size, below 64, and all ones
 *     draws                 what looks like the trace of a program that tells of draws
 *     wild                  anything, and now and then a number of a message as well
 *
 * SPDX-License-Identifier: MIT */
#include "frng.h"
#include "frng_protocol.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FAILS = 3, ABORTED = 6, EXITED_1 = 1 << 8 }; /* the latter are wait statuses */

static const char *lie;
static uint64_t needed = UINT64_MAX;
static int control;
static volatile frng_report *report;
static size_t report_size;
static bool scribbles;

static bool is(const char *name) { return strcmp(lie, name) == 0; }

static void say(const void *bytes, size_t size) {
    if (send(control, bytes, size, MSG_NOSIGNAL) < 0) exit(0);
}

static void wait_for_ever(void) {
    for (;;) pause();
}

/* ---- A thread that writes over the report ---- */

static uint64_t noise(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Records of a trace, which may be anywhere, as though each draw were a byte. */
static uint64_t part_of_draw(size_t at, uint64_t luck) {
    const uint64_t kinds = FRNG_UINT | 1u << 8;
    switch (at % 7) {
    case 0: return at / 7;
    case 1: return 1;
    case 2: return luck % 8 == 0 ? luck : kinds;
    case 3: return luck % 16 == 0 ? luck : 0;
    case 4: return luck % 32 == 0 ? luck : 255;
    default: return luck % 256;
    }
}

static void scribble(uint64_t *state) {
    volatile uint64_t *words = (volatile uint64_t *)(volatile void *)report;
    for (size_t i = 0; i < report_size / sizeof *words; i++) {
        const uint64_t luck = noise(state);
        words[i] = is("noise")   ? luck
                   : is("small") ? luck % 64
                   : is("ones")  ? UINT64_MAX
                   : is("draws") ? part_of_draw(i, luck)
                                 : luck >> luck % 64;
    }
}

static void *scribble_for_ever(void *state) {
    while (state != NULL) scribble(state);
    return NULL;
}

static void begin_to_scribble(void) {
    static uint64_t state = 88172645463325252u;
    pthread_t thread;
    state ^= (uint64_t)getpid() << 32;
    scribble(&state);
    if (pthread_create(&thread, NULL, scribble_for_ever, &state) != 0) exit(65);
}

/* The truth, but for `wild`. */
static void answer_truly(const frng_message *order) {
    static uint64_t state = 1234567;
    frng_message m = {.type = FRNG_DONE, .count = order->count};
    if (order->size >= needed) m.count = 0, m.status = FAILS << 8;
    const uint64_t luck = noise(&state);
    if (is("wild") && luck % 2 == 0) {
        ((uint64_t *)(void *)&m)[luck / 2 % 10] = noise(&state) >> luck / 32 % 64;
    }
    say(&m, sizeof m);
}

/* ---- Messages ---- */

static void greet(void) {
    frng_message m = {.type = FRNG_HELLO,
                      .version = FRNG_PROTOCOL_VERSION,
                      .flags = FRNG_CAN_EXPAND | FRNG_CAN_BATCH,
                      .drawn_offset = offsetof(frng_report, generator),
                      .drawn_width = 8};
    if (is("hello-offset")) m.drawn_offset = UINT64_MAX - 7;
    if (is("hello-flags")) m.flags = UINT64_MAX;
    say(&m, sizeof m);
    if (is("hello-twice")) say(&m, sizeof m);
    if (is("hello-then-dies")) _exit(3);
}

/* The answer to an order. One that is true but for the lie says that every run has passed. */
static void answer(const frng_message *order) {
    static char junk[200] = "noise";
    frng_message m = {.type = FRNG_DONE, .count = order->count};
    if (scribbles) {
        answer_truly(order);
        return;
    }
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
    if (is("count-more")) m.count = order->count + 1;
    if (is("count-0")) m.count = 0;
    if (is("count-less")) m.count = order->count / 2;
    if (is("status-after-all")) m.status = EXITED_1;
    if (is("fails")) m.count = 0, m.status = ABORTED;
    if (is("leftover")) m.flags = FRNG_LEFTOVER;
    if (is("site")) {
        m.count = 0, m.status = ABORTED;
        memset((void *)(uintptr_t)report->site, '\x1b', sizeof report->site);
    }
    if (is("digest")) report->digest = (uint64_t)getpid() ^ (uint64_t)order->count;
    if (is("long")) {
        say(junk, sizeof junk);
    } else {
        say(&m, is("short") ? 72 : sizeof m);
    }
    if (is("done-twice")) say(&m, sizeof m);
    if (is("dies-between")) _exit(3);
}

static bool meet_driver(void) {
    int version, memory;
    struct stat s;
    const char *offer = getenv(FRNG_DRIVER_VARIABLE);
    if (offer == NULL || sscanf(offer, "%d,%d,%d", &version, &control, &memory) != 3) return false;
    if (fstat(memory, &s) != 0) exit(65);
    report_size = (size_t)s.st_size;
    report = mmap(NULL, report_size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if ((const volatile void *)report == MAP_FAILED) exit(65);
    if (scribbles) begin_to_scribble();
    return control >= 0;
}

int main(int argc, char **argv) {
    size_t size = 0;
    frng_message order;
    if (argc < 2) return 64;
    lie = argv[1];
    if (argc > 2) needed = strtoull(argv[2], NULL, 0);
    scribbles = is("noise") || is("small") || is("ones") || is("draws") || is("wild");
    if (meet_driver()) {
        greet();
        while (recv(control, &order, sizeof order, 0) == (ssize_t)sizeof order) answer(&order);
        return 0;
    }
    while (getchar() != EOF) size++;
    for (int i = 0; scribbles && i < 20; i++) usleep(100); /* for the thread to have its turn */
    _exit(size >= needed ? FAILS : 0);
}

/* scribbler.c: a program that writes over the report, all of it and for its whole life, while its
 * driver reads it. What it says in messages is true, and so is how it ends.
 *
 *     sut-scribbler KIND N
 *
 * It fails, with exit status 3, when it gets N bytes or more: over plain stdin, and as a server.
 * KIND is what it writes:
 *
 *     noise, small, ones    numbers of any size, below 64, and all ones
 *     draws                 what looks like the trace of a program that tells of draws
 *     wild                  anything, and now and then a number of a message as well
 *
 * SPDX-License-Identifier: MIT */
#include "frng.h"
#include "frng_protocol.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FAILS = 3, FAILED = FAILS << 8 };

static const char *kind;
static volatile uint64_t *words; /* the report */
static size_t word_count;
static uint64_t scribbled;

static bool is(const char *name) { return strcmp(kind, name) == 0; }

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
    for (size_t i = 0; i < word_count; i++) {
        const uint64_t luck = noise(state);
        words[i] = is("noise")   ? luck
                   : is("small") ? luck % 64
                   : is("ones")  ? UINT64_MAX
                   : is("draws") ? part_of_draw(i, luck)
                                 : luck >> luck % 64;
    }
    scribbled++;
}

static void *scribble_for_ever(void *state) {
    while (state != NULL) scribble(state);
    return NULL;
}

/* Map the whole of what a driver has offered, and begin. Returns the control descriptor. */
static int meet_driver(void) {
    static uint64_t state = 88172645463325252u;
    int version, control, memory;
    struct stat s;
    pthread_t thread;
    const char *offer = getenv(FRNG_DRIVER_VARIABLE);
    if (offer == NULL || sscanf(offer, "%d,%d,%d", &version, &control, &memory) != 3) return -1;
    if (fstat(memory, &s) != 0) exit(65);
    void *mapped = mmap(NULL, (size_t)s.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (mapped == MAP_FAILED) exit(65);
    words = mapped;
    word_count = (size_t)s.st_size / sizeof *words;
    state ^= (uint64_t)getpid() << 32;
    scribble(&state);
    if (pthread_create(&thread, NULL, scribble_for_ever, &state) != 0) exit(65);
    return control;
}

static void answer(const frng_message *order, uint64_t needed, frng_message *m) {
    static uint64_t state = 1234567;
    *m = (frng_message){.type = FRNG_DONE, .count = order->count};
    if (order->size >= needed) m->count = 0, m->status = FAILED;
    if (!is("wild")) return;
    uint64_t *fields = (uint64_t *)(void *)m;
    const uint64_t luck = noise(&state);
    if (luck % 2 == 0) fields[luck / 2 % 10] = noise(&state) >> luck / 32 % 64;
}

static void serve(int control, uint64_t needed) {
    frng_message order, m = {.type = FRNG_HELLO,
                             .version = FRNG_PROTOCOL_VERSION,
                             .flags = FRNG_CAN_EXPAND | FRNG_CAN_BATCH,
                             .drawn_offset = offsetof(frng_report, generator),
                             .drawn_width = 8};
    while (send(control, &m, sizeof m, MSG_NOSIGNAL) == (ssize_t)sizeof m &&
           recv(control, &order, sizeof order, 0) == (ssize_t)sizeof order) {
        answer(&order, needed, &m);
    }
}

int main(int argc, char **argv) {
    size_t size = 0;
    if (argc != 3) return 64;
    kind = argv[1];
    const uint64_t needed = strtoull(argv[2], NULL, 0);
    const int control = meet_driver();
    if (control >= 0) {
        serve(control, needed);
        return 0;
    }
    while (getchar() != EOF) size++;
    for (int i = 0; words != NULL && i < 20; i++) usleep(100); /* for the thread to have its turn */
    _exit(size >= needed ? FAILS : 0);
}

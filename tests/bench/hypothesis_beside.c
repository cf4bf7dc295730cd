/* hypothesis_beside.c: a challenge whose draws ask Python for their values (hypothesis_beside.py).
 * The draws are those of frng.h: a host without entropy is asked for each one, and writes the bytes
 * of Python's answer. So an answer of Hypothesis is also bytes, and replays with frng.
 * SPDX-License-Identifier: MIT */
#include "challenges/challenge.h"

#include <frng_encode.h>

#include <setjmp.h>
#include <stdio.h>

enum { BYTES_MAX = 1 << 16, BROKEN = 1, PASSED = 0 };

/* Returns whether there is a value; *value is that of the draw, in two's complement. `count` is the
 * argument of frng_more. */
typedef int (*asked)(int kind, uint64_t min, uint64_t max, uint64_t count, uint64_t *value);

const challenge *this_challenge;
uint64_t beside_count; /* of the next frng_more: compiled with -Dfrng_more=... */

static asked ask;
static void (*step)(void);
static uint8_t bytes[BYTES_MAX];
static char failed_at[128];
static jmp_buf at_failure;

/* Failed assertions come here instead of the end of the process. */
void frng_on_assert(const char *site);
void frng_on_assert(const char *site) {
    snprintf(failed_at, sizeof failed_at, "%s", site);
    longjmp(at_failure, 1);
}

static bool fill(frng *f, size_t count) {
    (void)f, (void)count;
    return false;
}

static bool choose_bytes(frng *f, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        uint64_t byte;
        if (f->used + i == BYTES_MAX || !ask(FRNG_UINT, 0, 255, 0, &byte)) return false;
        bytes[f->used + i] = (uint8_t)byte;
    }
    f->ready = f->used + count;
    return true;
}

/* Return the number of a value (frng_encode.h). */
static uint64_t number_of(const frng_request *r, uint64_t value) {
    switch ((int)r->kind) {
    case FRNG_UINT:
    case FRNG_INDEX:
    case FRNG_WEIGHTED:
    case FRNG_MIXED_UINT: return value - r->min;
    case FRNG_INT:
    case FRNG_MIXED_INT: return frng__unzigzag(r->min, r->max, value);
    default: return value;
    }
}

static bool choose(frng *f, frng_kind kind, size_t width, uint64_t min, uint64_t max,
                   const uint32_t *weights) {
    const frng_request request = {kind, width, min, max, NULL};
    uint64_t value;
    (void)weights; /* the number drawn is what is asked for */
    if (kind == FRNG_BYTES) return choose_bytes(f, max);
    if (f->used + FRNG_ENCODED_MAX > BYTES_MAX) return false;
    if (!ask((int)kind, min, max, beside_count, &value)) return false;
    f->ready = f->used + frng_encode(&request, number_of(&request, value), bytes + f->used);
    return true;
}

static void mark(frng *f, int kind, const char *name, uint64_t value) {
    (void)f, (void)name;
    if (kind == FRNG_STEP && value == 0) step();
}

/* Run a challenge. Return BROKEN if it failed; *used bytes of `drawn` give the same run. */
int beside_run(const char *name, asked asks, void (*steps)(void), const uint8_t **drawn,
               size_t *used, const char **site) {
    static frng_host host = {.fill = fill, .choose = choose, .mark = mark};
    static frng f;
    ask = asks, step = steps;
    f = (frng){bytes, 0, 0, BYTES_MAX, &host, false};
    failed_at[0] = '\0';
    *drawn = bytes, *site = failed_at;
    if (!find_challenge(name)) return -1;
    const bool is_broken = setjmp(at_failure) != 0 || (!run_challenge(&f) && !f.exhausted);
    *used = f.used;
    return is_broken ? BROKEN : PASSED;
}

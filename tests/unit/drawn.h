/* drawn.h: systems under test as functions over frng.h, whose draws are told as a program tells
 * them. */
#ifndef DRAWN_H
#define DRAWN_H

#include "event.h"
#include "frng_expand.h"
#include "frng_more.h"
#include "pool.h"
#include "recorder.h"
#include "reduce.h"
#include "runner_fake.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRAWN_UNUSED __attribute__((unused))

/* ---- Systems under test ---- */

/* Sets *status to a wait status other than 0 to fail; returns false when out of entropy. */
typedef bool sut_test(frng *f, int *status);

enum { LOG_MAX = 1 << 14, LOG_BYTES = 64 };

typedef struct logged {
    uint8_t bytes[LOG_BYTES];
    size_t size;
    bool capture, failed;
} logged;

typedef struct sut {
    sut_test *test;
    bool is_silent; /* tells nothing of its draws */
    /* Spoils what is told, or decides otherwise; NULL for neither. */
    void (*meddle)(struct sut *s, candidate_set *given, uint32_t index, outcome *o);
    uint64_t calls, captured;
    logged log[LOG_MAX];
} sut;

static uint64_t sut_call; /* number of the call in progress, for tests that are no functions */

static outcome judge_given(void *context, candidate_set *given, uint32_t index, bool capture) {
    sut *s = context;
    const uint8_t *bytes = candidate_set_bytes(given, index);
    const size_t size = candidate_set_size(given, index);
    recorder told = recorder_of(given->records, given->records_max);
    frng f = frng_init(bytes, size);
    int status = 0;
    f.host = &told.host;
    sut_call = s->calls++;
    s->captured += capture;
    if (!s->test(&f, &status)) status = 0;
    outcome o = outcome_of_status(status);
    if (!s->is_silent) {
        o.drawn = f.used;
        given->passes[index] = (candidate_pass){f.used, f.exhausted};
        given->reported = told.told;
        given->record_count = told.told < told.max ? told.told : told.max;
    }
    if (s->meddle != NULL) s->meddle(s, given, index, &o);
    if (sut_call < LOG_MAX && size <= LOG_BYTES) {
        logged *l = &s->log[sut_call];
        *l = (logged){.size = size, .capture = capture, .failed = outcome_failed(&o)};
        if (size > 0) memcpy(l->bytes, bytes, size);
    }
    return o;
}

/* ---- Reducing one ---- */

static const event_sink nobody;

/* With the fake runner, in so many workers; 0: in this process. */
DRAWN_UNUSED static void reduce_in(unsigned jobs, const reduce_config *config,
                                   const runner_fake_config *fake, int interrupt_fd,
                                   const event_sink *sink, reduce_result *result) {
    const pool_config workers = {.jobs = jobs,
                                 .create = runner_fake_create,
                                 .config = fake,
                                 .interrupt_fd = interrupt_fd,
                                 .candidate_set_bytes = reduce_candidate_set_bytes(config->size),
                                 .candidate_set_records =
                                     reduce_candidate_set_records(config->size)};
    pool *p = pool_create(&workers);
    ck_assert_ptr_nonnull(p);
    memset(result, 0xee, sizeof *result);
    reduce_run(config, p, sink, result);
    pool_destroy(p);
}

DRAWN_UNUSED static void reduce_with(const reduce_config *config, sut *s, const event_sink *sink,
                                     reduce_result *result) {
    const runner_fake_config fake = {.judge_given = judge_given, .context = s};
    reduce_in(0, config, &fake, -1, sink, result);
}

DRAWN_UNUSED static reduce_config config_of(const uint8_t *bytes, size_t size) {
    return (reduce_config){.bytes = bytes,
                           .size = size,
                           .jobs = 1,
                           .calls_max = UINT64_MAX,
                           .deadline_ns = INT64_MAX,
                           .last_ns = INT64_MAX};
}

/* The test case that a test draws from these bytes. */
DRAWN_UNUSED static testcase testcase_drawn(sut_test *test, const uint8_t *bytes, size_t size) {
    enum { RECORDS = 1 << 12 };
    static frng_trace_record records[RECORDS];
    recorder told = recorder_of(records, RECORDS);
    frng f = frng_init(bytes, size);
    int status = 0;
    testcase t;
    f.host = &told.host;
    (void)test(&f, &status);
    ck_assert_uint_le(told.told, RECORDS);
    testcase_init(&t, bytes, f.used, records, told.told);
    return t;
}

/* ---- As text ---- */

/* The values of all draws, in decimal; numbers with a sign where the draw has one. */
DRAWN_UNUSED static const char *values_of(const testcase *t) {
    static char text[4096];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < t->count && used + 32 < sizeof text; i++) {
        const draw *d = &t->draws[i];
        const char *space = i > 0 ? " " : "";
        const size_t left = sizeof text - used;
        const unsigned long long value = draw_is_number(d) ? draw_value(d) : d->rank;
        used += (size_t)(d->kind == FRNG_INT
                             ? snprintf(text + used, left, "%s%lld", space, (long long)value)
                             : snprintf(text + used, left, "%s%llu", space, value));
    }
    return text;
}

/* Random numbers of a fixed seed. */
DRAWN_UNUSED static uint64_t dice(uint64_t *state, uint64_t sides) {
    return frng__splitmix64(state) % sides;
}

#endif

/* reduce.h: from bytes that make a system under test fail, behind a pool, to the simplest ones in
 * the order of testcase.h that make it fail in the same way. */
#ifndef REDUCE_H
#define REDUCE_H

#include "external_pass.h"
#include "failure.h"
#include "observer.h"
#include "pass.h"
#include "pool.h"

/* What a pass has done. */
typedef struct pass_statistics {
    const char *name;
    uint64_t calls, successes;
    uint64_t bytes; /* by how much it shortened the test case */
} pass_statistics;

enum { REDUCE_PASS_MAX = PASS_MAX + 1, REDUCE_OTHER_MAX = 32 };

typedef struct reduce_progress {
    uint64_t size;      /* bytes of the best */
    uint64_t calls;     /* runs made, verification included */
    uint64_t successes; /* steps taken */
    int64_t elapsed_ns;
    const char *pass; /* at work; NULL before the first */
} reduce_progress;

/* Why an external pass is set aside. */
typedef enum reduce_misdeed {
    MISDEED_BROKEN, /* it crashed, hung, or said what means nothing, again and again */
    MISDEED_BARREN  /* what it made was no smaller, or known, again and again */
} reduce_misdeed;

/* Any function may be NULL. All that is passed is borrowed for the call. */
typedef struct reduce_observer {
    void *context;
    /* A test case that failed again in a fresh process: a new best, or (is_best false) a failure of
     * another signature met on the way. f->input.size is the count of bytes; there is no seed. */
    void (*failure)(void *context, const failure *f, const uint8_t *bytes, bool is_best,
                    const reduce_progress *p);
    /* Generator `index` of the config is not asked any more. */
    void (*set_aside)(void *context, size_t index, reduce_misdeed why);
    /* What seemed to fail did not fail again, for the first time; f->limit may be the reason. */
    void (*flaky)(void *context, const failure *f);
    void (*doubted)(void *context, isolation_violation why);
    void (*progress)(void *context, const reduce_progress *p);
} reduce_observer;

typedef struct reduce_config {
    const uint8_t *bytes; /* to begin from; borrowed */
    size_t size;
    unsigned missed; /* runs of them that were made before and did not fail */
    /* What they come from, where that is something else; NULL: nothing is. Where `bytes` are flaky
     * and fail less often than these do, it is these that are reduced. Borrowed. */
    const uint8_t *origin;
    size_t origin_size; /* at least `size`; 0 without them */
    bool has_only;      /* they are to fail as `only` says; else as they do */
    signature only;
    bool any_failure;      /* steps may fail in another way than what they began from */
    bool is_file;          /* somebody's file, not entropy: what is text stays text */
    bool has_memory_limit; /* the pool's runs have one: what fails may fail of that */
    bool is_fresh;       /* the pool runs each test case in a process of its own over plain stdin */
    unsigned jobs;       /* of the pool, at least 1 */
    uint64_t calls_max;  /* UINT64_MAX: none */
    int64_t deadline_ns; /* on clock_now_ns's clock; CLOCK_NEVER for none */
    const pass *const *passes;            /* NULL: those that fit what the test case is made of */
    const external_pass *external_passes; /* that the pool's runner can ask; borrowed */
    size_t external_pass_count;
    const uint64_t
        *known; /* digests (rejected_cache.h) of what is of no interest, from before; borrowed */
    size_t known_count;
} reduce_config;

typedef enum reduce_end {
    REDUCE_DONE,        /* no pass has anything more to try */
    REDUCE_SPENT,       /* the deadline or calls_max came first */
    REDUCE_INTERRUPTED, /* the pool's interrupt came first */
    REDUCE_PASSES,      /* what it began from does not fail, or not again, or not so: see `seen` */
    REDUCE_ENVIRONMENT, /* the system under test cannot be started: see `error` */
    REDUCE_BROKEN       /* our own processes failed: see `error_number` */
} reduce_end;

typedef struct reduce_result {
    reduce_end end;
    bool found;     /* `best` failed when it was run again; flaky where not always */
    failure best;   /* reruns: of it alone; in fresh processes */
    testcase bytes; /* of the best; freed by reduce_finish */
    outcome seen;   /* for REDUCE_PASSES: how it ended. A failure: it was seen once and never again,
                       or is not what was asked for */
    failure_cause limit; /* for REDUCE_PASSES: what seems to have made that failure */
    uint64_t calls, successes;
    uint64_t calls_to_size; /* those it took until the best was as short as it is */
    int64_t elapsed_ns;
    size_t statistics_count;
    pass_statistics statistics[REDUCE_PASS_MAX];
    pass_statistics *external_passes; /* of each in the config; freed by reduce_finish */
    size_t external_pass_count;
    uint64_t *known; /* digests of all that is known to be of no interest; freed likewise */
    size_t known_count;
    outcome error;
    bytes_tail error_output;
    int error_number;
} reduce_result;

/* Bytes of the longest test case: what it begins from. */
static inline size_t reduce_size_max(const reduce_config *c) {
    return c->origin_size > c->size ? c->origin_size : c->size;
}

/* Room that a candidate set needs in the pool, for bytes of so many. */
uint64_t reduce_candidate_set_bytes(size_t size);
uint64_t reduce_candidate_set_records(size_t size);

/* Reduce until done. *result is filled in any case; it is large (static or heap). */
void reduce_run(const reduce_config *config, pool *p, const reduce_observer *o,
                reduce_result *result);
void reduce_finish(reduce_result *result);

#endif

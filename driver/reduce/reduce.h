/* reduce.h: from bytes that make a system under test fail, behind a pool, to the simplest ones in
 * the order of testcase.h that make it fail in the same way. */
#ifndef REDUCE_H
#define REDUCE_H

#include "event.h"
#include "external_pass.h"
#include "pass.h"
#include "pool.h"

enum { REDUCE_PASS_MAX = PASS_MAX + 1, REDUCE_OTHER_MAX = 32 };

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
    bool is_file;          /* a file, not entropy: text stays text */
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

typedef struct reduce_result {
    run_end end;
    bool found;     /* `best` failed when it was run again; flaky where not always */
    failure best;   /* reruns: of it alone; in fresh processes */
    testcase bytes; /* of the best; freed by reduce_finish */
    outcome seen;   /* for END_PASSES: how it ended. A failure: it was seen once and never again,
                       or is not what was asked for */
    failure_cause limit; /* for END_PASSES: what seems to have made that failure */
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
void reduce_run(const reduce_config *config, pool *p, const event_sink *sink,
                reduce_result *result);
void reduce_finish(reduce_result *result);

#endif

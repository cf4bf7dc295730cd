/* inline_pool.c: pools and runners without processes, for tests of what stands above them. A pool
 * of no jobs makes its runs in pool_wait, with a runner of the process that asks. The linker's
 * --wrap calls these functions in place of those of pool.c, which serve all other pools
 * (meson.build). */
#include "clock.h"
#include "pool.h"
#include "runner_fake.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { POOLS_MAX = 4, SETS = 2 * INLINE_POOL_DEPTH_MAX };

unsigned inline_pool_depth = 2;
uint32_t inline_pool_batch = 1;
int64_t inline_pool_later_ns;

typedef struct inline_pool {
    runner *runner;
    batch batches[INLINE_POOL_DEPTH_MAX]; /* the oldest first */
    run_purpose purposes[INLINE_POOL_DEPTH_MAX];
    batch taken; /* the one that was returned last */
    run_purpose purpose;
    size_t count;
    run_result result;
    candidate_set *sets[SETS];
    bool in_use[SETS];
    rejected_table rejected;
    size_t set_size;
} inline_pool;

static inline_pool *live[POOLS_MAX];

#define WRAP(type, name, ...)                                                                      \
    type __real_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__)
WRAP(pool *, pool_create, const pool_config *config);
WRAP(bool, pool_stop, pool *p, seed_input *stuck);
WRAP(void, pool_destroy, pool *p);
WRAP(bool, pool_has_room, const pool *p);
WRAP(uint32_t, pool_batch, const pool *p, uint64_t size);
WRAP(void, pool_submit, pool *p, const batch *runs, run_purpose purpose);
WRAP(candidate_set *, pool_candidate_set, pool *p);
WRAP(void, pool_submit_candidate_set, pool *p, candidate_set *given, run_purpose purpose);
WRAP(pool_event, pool_wait, pool *p, int64_t deadline_ns, batch *runs, const run_result **result);
WRAP(void, pool_continue, pool *p, uint32_t ran);
WRAP(int64_t, pool_slow_run, const pool *p, int64_t least_ns, seed_input *input);
WRAP(void, pool_skip, pool *p, const candidate_set *given);
WRAP(void, pool_cancel, pool *p);
WRAP(int64_t, clock_now_ns, void);

int64_t __wrap_clock_now_ns(void) { return __real_clock_now_ns() + inline_pool_later_ns; }

/* The pool without processes at this address, or NULL: pool.c owns the pool. */
static inline_pool *find(const pool *p) {
    for (size_t i = 0; i < POOLS_MAX; i++) {
        if (live[i] != NULL && (const void *)live[i] == (const void *)p) return live[i];
    }
    return NULL;
}

static bool create_sets(inline_pool *p, const pool_config *config) {
    const size_t records = config->candidate_set_records * sizeof(frng_trace_record);
    const size_t head = (sizeof(candidate_set) + 7) / 8 * 8;
    p->set_size = head + records + config->candidate_set_bytes;
    for (size_t i = 0; config->candidate_set_bytes > 0 && i < SETS; i++) {
        uint8_t *memory = mmap(NULL, p->set_size, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) return false;
        candidate_set *set = p->sets[i] = (void *)memory;
        set->rejected = &p->rejected;
        set->records = (void *)(memory + head);
        set->records_max = config->candidate_set_records;
        set->bytes = memory + head + records;
        set->bytes_max = config->candidate_set_bytes;
    }
    return true;
}

static void destroy(inline_pool *p) {
    for (size_t i = 0; i < POOLS_MAX; i++) {
        if (live[i] == p) live[i] = NULL;
    }
    if (p->runner != NULL) p->runner->ops->destroy(p->runner);
    for (size_t i = 0; i < SETS; i++) {
        if (p->sets[i] != NULL) munmap(p->sets[i], p->set_size);
    }
    free(p);
}

pool *__wrap_pool_create(const pool_config *config) {
    static const runner_watch never = {.fd = -1};
    if (config->jobs > 0) return __real_pool_create(config);
    size_t at = 0;
    while (at < POOLS_MAX && live[at] != NULL) at++;
    assert(at < POOLS_MAX);
    inline_pool *p = calloc(1, sizeof *p);
    int error = ENOMEM;
    if (p == NULL) return NULL;
    if (create_sets(p, config)) p->runner = config->create(config->config, &never, &error);
    if (p->runner != NULL) return (void *)(live[at] = p);
    destroy(p);
    errno = error;
    return NULL;
}

bool __wrap_pool_stop(pool *p, seed_input *stuck) {
    return find(p) == NULL && __real_pool_stop(p, stuck);
}

void __wrap_pool_destroy(pool *p) {
    inline_pool *own = find(p);
    if (own == NULL) {
        __real_pool_destroy(p);
    } else {
        destroy(own);
    }
}

bool __wrap_pool_has_room(const pool *p) {
    const inline_pool *own = find(p);
    return own == NULL ? __real_pool_has_room(p) : own->count < inline_pool_depth;
}

uint32_t __wrap_pool_batch(const pool *p, uint64_t size) {
    return find(p) == NULL ? __real_pool_batch(p, size) : inline_pool_batch;
}

static void submit(inline_pool *p, batch runs, run_purpose purpose) {
    assert(p->count < inline_pool_depth);
    p->batches[p->count] = runs;
    p->purposes[p->count++] = purpose;
}

void __wrap_pool_submit(pool *p, const batch *runs, run_purpose purpose) {
    inline_pool *own = find(p);
    if (own == NULL) {
        __real_pool_submit(p, runs, purpose);
    } else {
        submit(own, *runs, purpose);
    }
}

candidate_set *__wrap_pool_candidate_set(pool *p) {
    const inline_pool *own = find(p);
    if (own == NULL) return __real_pool_candidate_set(p);
    size_t i = 0;
    while (i < SETS && own->in_use[i]) i++;
    assert(i < SETS);
    candidate_set *empty = own->sets[i];
    empty->count = 0;
    empty->reported = empty->record_count = 0;
    empty->external_pass = NULL;
    return empty;
}

static void set_in_use(inline_pool *p, const candidate_set *set, bool in_use) {
    for (size_t i = 0; i < SETS; i++) {
        if (set != NULL && p->sets[i] == set) p->in_use[i] = in_use;
    }
}

void __wrap_pool_submit_candidate_set(pool *p, candidate_set *given, run_purpose purpose) {
    inline_pool *own = find(p);
    if (own == NULL) {
        __real_pool_submit_candidate_set(p, given, purpose);
        return;
    }
    assert(given->count > 0 && given->ends[given->count - 1] <= given->bytes_max);
    submit(own, (batch){0, given->count, 0, given}, purpose);
    set_in_use(own, given, true);
}

pool_event __wrap_pool_wait(pool *p, int64_t deadline_ns, batch *runs, const run_result **result) {
    inline_pool *own = find(p);
    if (own == NULL) return __real_pool_wait(p, deadline_ns, runs, result);
    if (own->count == 0) return POOL_IDLE;
    *runs = own->taken = own->batches[0];
    own->purpose = own->purposes[0];
    own->runner->ops->run(own->runner, runs, own->purpose, &own->result);
    *result = &own->result;
    own->count--;
    memmove(own->batches, own->batches + 1, own->count * sizeof own->batches[0]);
    memmove(own->purposes, own->purposes + 1, own->count * sizeof own->purposes[0]);
    set_in_use(own, runs->candidates, false);
    return POOL_RESULT;
}

void __wrap_pool_continue(pool *p, uint32_t ran) {
    inline_pool *own = find(p);
    if (own == NULL) {
        __real_pool_continue(p, ran);
        return;
    }
    memmove(own->batches + 1, own->batches, own->count * sizeof own->batches[0]);
    memmove(own->purposes + 1, own->purposes, own->count * sizeof own->purposes[0]);
    own->count++;
    own->batches[0] = batch_part(&own->taken, ran, own->taken.count - ran);
    own->purposes[0] = own->purpose;
}

int64_t __wrap_pool_slow_run(const pool *p, int64_t least_ns, seed_input *input) {
    return find(p) == NULL ? __real_pool_slow_run(p, least_ns, input) : 0;
}

void __wrap_pool_skip(pool *p, const candidate_set *given) {
    if (find(p) == NULL) __real_pool_skip(p, given);
}

void __wrap_pool_cancel(pool *p) {
    inline_pool *own = find(p);
    if (own == NULL) {
        __real_pool_cancel(p);
        return;
    }
    for (size_t i = 0; i < own->count; i++) set_in_use(own, own->batches[i].candidates, false);
    own->count = 0;
}

/* ---- A runner that is a function ---- */

typedef struct runner_fake {
    runner base;
    const runner_fake_config *config;
} runner_fake;

static outcome judge(const runner_fake_config *config, const batch *runs, uint32_t i,
                     bool capture) {
    candidate_set *given = runs->candidates;
    if (given == NULL) {
        return config->judge(config->context, batch_input(runs, i));
    }
    const uint32_t index = (uint32_t)runs->first_seed + i;
    given->passes[index] = CANDIDATE_PASS_UNKNOWN;
    given->reported = given->record_count = 0;
    return config->judge_given(config->context, given, index, capture);
}

static void runner_fake_run(runner *r, const batch *runs, run_purpose purpose, run_result *result) {
    const runner_fake_config *config = ((runner_fake *)r)->config;
    *result = (run_result){.last = outcome_of_status(0)};
    while (result->ran < runs->count && result->last.verdict == VERDICT_PASS) {
        result->last = judge(config, runs, result->ran, runner_is_shown(purpose));
        result->is_site_known = runs->candidates == NULL && runner_is_shown(purpose);
        result->ran++;
    }
}

static void runner_fake_destroy(runner *r) { free(r); }

runner *runner_fake_create(const void *config, const runner_watch *watch, int *error_number) {
    static const runner_ops ops = {runner_fake_run, runner_fake_destroy};
    runner_fake *r = malloc(sizeof *r);
    (void)watch;
    *error_number = ENOMEM;
    if (r == NULL) return NULL;
    *r = (runner_fake){{&ops}, config};
    return &r->base;
}

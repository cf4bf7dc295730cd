/* inline_pool.c: a pool and a runner without processes, for tests of what stands above them. A pool
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

enum { SETS = 2 * INLINE_POOL_DEPTH_MAX };

unsigned inline_pool_depth = 2;
uint32_t inline_pool_batch = 1;
int64_t inline_pool_later_ns;

typedef struct order {
    batch batch;
    run_purpose purpose;
} order;

typedef struct inline_pool {
    runner *runner;
    order orders[INLINE_POOL_DEPTH_MAX]; /* the oldest first */
    order taken;                         /* the one that was returned last */
    size_t count;
    run_result result;
    candidate_set *sets[SETS];
    bool in_use[SETS];
    rejected_table rejected;
    size_t set_size;
} inline_pool;

static inline_pool *live; /* NULL: there is none */

static bool create_sets(inline_pool *p, const pool_config *config) {
    const size_t records = config->candidate_set_records * sizeof(frng_trace_record);
    const size_t head = (sizeof(candidate_set) + 7) / 8 * 8;
    const size_t bytes = (config->candidate_set_bytes + 7) / 8 * 8;
    const size_t log = config->candidate_set_log * sizeof(frng_guide_record);
    const size_t known = log > 0 ? sizeof(frng_guide_table) : 0;
    p->set_size = head + records + bytes + log + known;
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
        set->log = (void *)(set->bytes + bytes);
        set->log_max = config->candidate_set_log;
        set->known = (void *)(set->bytes + bytes + log);
    }
    return true;
}

static void inline_pool_destroy(inline_pool *p) {
    if (p->runner != NULL) p->runner->destroy(p->runner);
    for (size_t i = 0; i < SETS; i++) {
        if (p->sets[i] != NULL) munmap(p->sets[i], p->set_size);
    }
    free(p);
    live = NULL;
}

static pool *inline_pool_create(const pool_config *config) {
    static const runner_watch never = {.fd = -1};
    assert(live == NULL);
    int error = ENOMEM;
    live = calloc(1, sizeof *live);
    if (live == NULL) return NULL;
    if (create_sets(live, config)) live->runner = config->create(config->config, &never, &error);
    if (live->runner != NULL) return (void *)live;
    inline_pool_destroy(live);
    errno = error;
    return NULL;
}

static bool inline_pool_has_room(const inline_pool *p) { return p->count < inline_pool_depth; }

static void inline_pool_submit(inline_pool *p, const batch *runs, run_purpose purpose) {
    assert(p->count < inline_pool_depth);
    p->orders[p->count++] = (order){*runs, purpose};
}

static candidate_set *inline_pool_candidate_set(inline_pool *p) {
    size_t i = 0;
    while (i < SETS && p->in_use[i]) i++;
    assert(i < SETS);
    candidate_set *empty = p->sets[i];
    empty->count = 0;
    empty->reported = empty->record_count = 0;
    empty->external_pass = NULL;
    empty->is_guided = false;
    empty->log_count = 0;
    return empty;
}

static void set_in_use(inline_pool *p, const candidate_set *set, bool in_use) {
    for (size_t i = 0; i < SETS; i++) {
        if (set != NULL && p->sets[i] == set) p->in_use[i] = in_use;
    }
}

static void inline_pool_submit_candidate_set(inline_pool *p, candidate_set *given,
                                             run_purpose purpose) {
    const batch runs = {.count = given->count, .candidates = given};
    assert(given->count > 0 && given->ends[given->count - 1] <= given->bytes_max);
    inline_pool_submit(p, &runs, purpose);
    set_in_use(p, given, true);
}

static pool_event inline_pool_wait(inline_pool *p, batch *runs, const run_result **result) {
    if (p->count == 0) return POOL_IDLE;
    p->taken = p->orders[0];
    *runs = p->taken.batch;
    p->runner->run(p->runner, runs, p->taken.purpose, &p->result);
    *result = &p->result;
    memmove(p->orders, p->orders + 1, --p->count * sizeof *p->orders);
    set_in_use(p, runs->candidates, false);
    return POOL_RESULT;
}

static void inline_pool_continue(inline_pool *p, uint32_t ran) {
    memmove(p->orders + 1, p->orders, p->count++ * sizeof *p->orders);
    p->orders[0] = p->taken;
    p->orders[0].batch = batch_part(&p->taken.batch, ran, p->taken.batch.count - ran);
}

static void inline_pool_cancel(inline_pool *p) {
    for (size_t i = 0; i < p->count; i++) set_in_use(p, p->orders[i].batch.candidates, false);
    p->count = 0;
}

/* ---- What the linker calls ---- */

/* A function of the live pool, if it is asked, or else of pool.c; `give` is empty for void. */
#define WRAP(type, give, name, parameters, is_own, own, real)                                      \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters {                                                                \
        if (is_own)                                                                                \
            give own;                                                                              \
        else                                                                                       \
            give __real_##name real;                                                               \
    }
#define OF(p) (live != NULL && (const void *)(p) == (const void *)live)

WRAP(int64_t, return, clock_now_ns, (void), false, 0, () + inline_pool_later_ns)
WRAP(pool *, return, pool_create, (const pool_config *c), c->jobs == 0, inline_pool_create(c), (c))
WRAP(bool, return, pool_stop, (pool * p, seed_input *stuck), OF(p), false, (p, stuck))
WRAP(void, , pool_destroy, (pool * p), OF(p), inline_pool_destroy(live), (p))
WRAP(bool, return, pool_has_room, (const pool *p), OF(p), inline_pool_has_room(live), (p))
WRAP(bool, return, pool_is_idle, (const pool *p), OF(p), live->count == 0, (p))
WRAP(uint32_t, return, pool_batch, (const pool *p, uint64_t size), OF(p), inline_pool_batch,
     (p, size))
WRAP(void, , pool_submit, (pool * p, const batch *b, run_purpose how), OF(p),
     inline_pool_submit(live, b, how), (p, b, how))
WRAP(candidate_set *, return, pool_candidate_set, (pool * p), OF(p),
     inline_pool_candidate_set(live), (p))
WRAP(void, , pool_submit_candidate_set, (pool * p, candidate_set *set, run_purpose how), OF(p),
     inline_pool_submit_candidate_set(live, set, how), (p, set, how))
WRAP(pool_event, return, pool_wait, (pool * p, int64_t until_ns, batch *b, const run_result **r),
     OF(p), inline_pool_wait(live, b, r), (p, until_ns, b, r))
WRAP(void, , pool_continue, (pool * p, uint32_t ran), OF(p), inline_pool_continue(live, ran),
     (p, ran))
WRAP(int64_t, return, pool_slow_run, (const pool *p, int64_t least_ns, seed_input *input), OF(p), 0,
     (p, least_ns, input))
WRAP(void, , pool_skip, (pool * p, const candidate_set *set), OF(p), (void)0, (p, set))
WRAP(void, , pool_cancel, (pool * p), OF(p), inline_pool_cancel(live), (p))
WRAP(void, , pool_know, (pool * p, const known_failure *k), OF(p), (void)0, (p, k))
WRAP(void, , pool_know_none, (pool * p, bool for_good), OF(p), inline_pool_cancel(live),
     (p, for_good))

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
        result->is_site_known = config->judge != NULL && runner_is_shown(purpose);
        result->ran++;
    }
}

static void runner_fake_destroy(runner *r) { free(r); }

runner *runner_fake_create(const void *config, const runner_watch *watch, int *error_number) {
    runner_fake *r = malloc(sizeof *r);
    (void)watch;
    *error_number = ENOMEM;
    if (r == NULL) return NULL;
    *r = (runner_fake){{runner_fake_run, runner_fake_destroy}, config};
    return &r->base;
}

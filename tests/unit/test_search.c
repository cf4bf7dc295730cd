/* search.h on literal models: what is found, what is claimed and what is told, in which order. */
#include "event.h"
#include "pool.h"
#include "search.h"
#include "signature_filter.h"
#include "suite.h"

#include "clock.h"
#include "frng_expand.h"
#include "rates.h"
#include "runner_fake.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* ---- Models: systems under test as functions ---- */

typedef struct model model;

/* True when the run fails as model.failing, model.other or model.error says. */
typedef enum answer { PASSES, FAILS, FAILS_OTHERWISE, ERRS } answer;

struct model {
    answer (*answer)(model *m, seed_input t, uint64_t call);
    uint64_t size;    /* N */
    unsigned percent; /* of the runs that are flaky, where they fail */
    outcome failing, other, error;
    uint64_t at;       /* the call at which something happens */
    int64_t sleep_ns;  /* then */
    uint64_t calls;    /* so far; kept in memory that workers share */
    uint64_t size_max; /* of all runs so far */
    seed_input log[1 << 16];
    bool log_failed[1 << 16];
};

enum { LOG_MAX = 1 << 16 };

static uint64_t hash(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t z = a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xc2b2ae3d27d4eb4f) + c;
    for (int i = 0; i < 3; i++) z = (z ^ (z >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return z ^ (z >> 32);
}

static outcome judge(void *context, seed_input t) {
    model *m = context;
    const uint64_t call = __atomic_fetch_add(&m->calls, 1, __ATOMIC_SEQ_CST);
    const answer a = m->answer(m, t, call);
    if (call < LOG_MAX) {
        m->log[call] = t;
        m->log_failed[call] = a == FAILS || a == FAILS_OTHERWISE;
    }
    if (t.size > m->size_max) m->size_max = t.size;
    if (m->sleep_ns > 0 && call == m->at) {
        nanosleep(&(struct timespec){m->sleep_ns / CLOCK_NS_PER_S, m->sleep_ns % CLOCK_NS_PER_S},
                  NULL);
    }
    switch (a) {
    case PASSES: return outcome_of_status(0);
    case FAILS: return m->failing;
    case FAILS_OTHERWISE: return m->other;
    case ERRS: return m->error;
    }
    abort();
}

static model *model_create(answer (*answers)(model *m, seed_input t, uint64_t call),
                           uint64_t size) {
    model *m = mmap(NULL, sizeof *m, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(m, MAP_FAILED);
    m->answer = answers;
    m->size = size;
    m->failing = outcome_of_status(SIGABRT);
    m->other = outcome_of_status(3 << 8);
    m->error = outcome_error(FAULT_EXEC, ENOENT);
    return m;
}

static void model_destroy(model *m) { munmap(m, sizeof *m); }

static answer size_only(model *m, seed_input t, uint64_t call) {
    (void)call;
    return t.size >= m->size ? FAILS : PASSES;
}

static answer exact_size(model *m, seed_input t, uint64_t call) {
    (void)call;
    return t.size == m->size ? FAILS : PASSES;
}

static answer never(model *m, seed_input t, uint64_t call) {
    (void)m, (void)t, (void)call;
    return PASSES;
}

/* A byte of 0xa5 or 0xa6 anywhere, as a real system finds it, after the first N - 1. */
static answer marker(model *m, seed_input t, uint64_t call) {
    static uint8_t bytes[1 << 16];
    (void)call;
    frng_expand(t.seed, bytes, t.size);
    for (uint64_t i = m->size - 1; i < t.size; i++) {
        if (bytes[i] == 0xa5 || bytes[i] == 0xa6) return FAILS;
    }
    return PASSES;
}

/* Fails the first time only that an input of N bytes or more is run. */
static answer once_each(model *m, seed_input t, uint64_t call) {
    if (t.size < m->size) return PASSES;
    for (uint64_t i = 0; i < call && i < LOG_MAX; i++) {
        if (m->log[i].size == t.size && m->log[i].seed == t.seed) return PASSES;
    }
    return FAILS;
}

static answer flaky(model *m, seed_input t, uint64_t call) {
    if (t.size < m->size) return PASSES;
    return hash(t.seed, t.size, call) % 100 < m->percent ? FAILS : PASSES;
}

enum { SURE_SIZE = 100 };

/* Flaky from N bytes on, and always failing from SURE_SIZE on. */
static answer flaky_and_sure(model *m, seed_input t, uint64_t call) {
    if (t.size >= SURE_SIZE) return FAILS_OTHERWISE;
    return flaky(m, t, call);
}

/* Seldom at N or more, with a seed that is luck: but then each time. */
static answer seldom_but_sure_and_flaky(model *m, seed_input t, uint64_t call) {
    if (t.size >= SURE_SIZE && hash(t.seed, 0, 0) % 8 == 0) return FAILS_OTHERWISE;
    return flaky(m, t, call);
}

/* Fails the first time only that it is run with N bytes or more, whatever the input. */
static answer once_at_all(model *m, seed_input t, uint64_t call) {
    bool failed = false;
    for (uint64_t i = 0; i < call && i < LOG_MAX; i++) failed = failed || m->log_failed[i];
    return t.size >= m->size && !failed ? FAILS : PASSES;
}

/* Fails otherwise from SURE_SIZE on. */
static answer starved_and_sure(model *m, seed_input t, uint64_t call) {
    (void)call;
    if (t.size >= SURE_SIZE) return FAILS_OTHERWISE;
    return t.size >= m->size ? FAILS : PASSES;
}

static answer two_ways(model *m, seed_input t, uint64_t call) {
    (void)call;
    if (t.size >= 50) return FAILS;
    return t.size >= m->size ? FAILS_OTHERWISE : PASSES;
}

static answer error_at(model *m, seed_input t, uint64_t call) {
    if (call == m->at) return ERRS;
    return t.size >= m->size ? FAILS : PASSES;
}

/* ---- What a search tells ---- */

typedef struct told {
    const model *model;
    const search_config *config;
    size_t failures, bests, replays, flakies, progresses;
    uint64_t tested; /* runs */
    failure best;    /* announced last */
    failure other;
    bool replay_fails[8];
    seed_input replays_of[8];
} told;

static uint64_t failures_of(const model *m, seed_input t) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < m->calls && i < LOG_MAX; i++) {
        count += m->log[i].size == t.size && m->log[i].seed == t.seed && m->log_failed[i];
    }
    return count;
}

/* The same, with that many bytes or more, as a run had that drew no more. */
static uint64_t failures_from(const model *m, seed_input t) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < m->calls && i < LOG_MAX; i++) {
        count += m->log[i].size >= t.size && m->log[i].seed == t.seed && m->log_failed[i];
    }
    return count;
}

static void on_failure(void *context, const failure *f, bool is_best, const progress *p) {
    told *t = context;
    t->failures++;
    ck_assert_uint_gt(f->repeated, 0);
    ck_assert_uint_ge(f->reruns, f->repeated);
    if (t->model->calls <= LOG_MAX) {
        ck_assert_msg(failures_from(t->model, f->input) >= 1 + f->repeated,
                      "it was announced before it had failed again");
    }
    ck_assert_uint_ge(p->runs, 1);
    if (!is_best) {
        t->other = *f;
        return;
    }
    if (t->bests > 0 && !seed_input_less(f->input, t->best.input)) {
        ck_assert_msg(seed_input_less(t->best.input, f->input), "it was announced twice");
        /* Back to a larger one, because the last one, hardly rerun, was found to be flaky. */
        ck_assert_msg(t->flakies > 0 && t->best.reruns < FAILURE_RERUNS, "bests must get smaller");
    }
    const signature_filter *filter = t->config->filter;
    ck_assert(filter == NULL ||
              signature_filter_match(filter, f->signature, f->site, true) == SIGNATURE_MATCHES);
    t->bests++;
    t->best = *f;
}

static void on_replayed(void *context, seed_input known, bool fails) {
    told *t = context;
    ck_assert_uint_lt(t->replays, 8);
    t->replay_fails[t->replays] = fails;
    t->replays_of[t->replays++] = known;
}

static void on_tested(void *context, const tested_runs *tested, const progress *p) {
    told *t = context;
    t->tested += tested->runs;
    ck_assert_uint_le(tested->failures + tested->others + tested->unreliable, 1);
    ck_assert_uint_le(t->tested, p->runs);
    ck_assert_uint_eq(tested->size, p->size);
    if (p->claim.passed > 0) ck_assert_uint_eq(p->claim.below + 1, p->best->input.size);
}

static void on_flaky(void *context, const failure *f) {
    told *t = context;
    ck_assert(failure_is_flaky(f) || f->cause == CAUSE_MEMORY);
    t->flakies++;
}

static void on_progress(void *context, const progress *p) {
    told *t = context;
    t->progresses++;
    ck_assert(p->best == NULL || p->best->repeated > 0);
}

static void take(void *context, const event *e) {
    switch (e->kind) {
    case EVENT_BEST:
    case EVENT_OTHER: on_failure(context, e->failure, e->kind == EVENT_BEST, &e->progress); return;
    case EVENT_REPLAYED: on_replayed(context, *e->input, e->fails); return;
    case EVENT_FLAKY: on_flaky(context, e->failure); return;
    case EVENT_PROGRESS: on_progress(context, &e->progress); return;
    case EVENT_TESTED: on_tested(context, e->tested, &e->progress); return;
    case EVENT_ISOLATION:
    case EVENT_NONDETERMINISTIC:
    case EVENT_WRONG_RECORD:
    case EVENT_LEAKS:
    case EVENT_ALIKE:
    case EVENT_STARTED:
    case EVENT_ALIVE:
    case EVENT_STEP:
    case EVENT_PASS_DROPPED:
    case EVENT_FINISHED: ck_abort_msg("a search emits no such event");
    }
}

/* ---- Running one ---- */

static search_config plain_config(uint64_t attempts) {
    return (search_config){
        .strategy = {.attempts = attempts, .size_max = 1 << 12, .master_seed = 1},
        .deadline_ns = CLOCK_NEVER};
}

static signature_pattern pattern_of(const char *text) {
    signature_pattern p;
    ck_assert(signature_pattern_parse(text, &p));
    return p;
}

static const signature_filter *only(const char *text) {
    static signature_filter filter;
    filter = (signature_filter){.only = {1, {pattern_of(text)}}};
    return &filter;
}

static const signature_filter *ignoring(const char *text) {
    static signature_filter filter;
    filter = (signature_filter){.ignored = {1, {pattern_of(text)}}};
    return &filter;
}

/* What must hold whatever the model. */
static void check_result(const search_result *r, const told *t) {
    const failure *best = &r->best;
    ck_assert(!(r->found && r->inconclusive));
    if (!r->found) ck_assert_uint_eq(t->bests, 0);
    if (r->found) {
        ck_assert_uint_gt(best->repeated, 0);
        ck_assert_uint_gt(t->bests, 0);
        for (size_t i = 0; i < r->others.count; i++) {
            const failure *other = &r->others.list[i];
            ck_assert(!failure_is_alike(other, best) ||
                      (failure_is_flaky(other) && other->input.size < best->input.size));
        }
        if (r->claim.run.passed > 0) {
            ck_assert_uint_eq(r->claim.best.size, best->input.size);
            ck_assert_uint_eq(r->claim.best.seed, best->input.seed);
        }
    }
    if (r->found && r->stop.end == END_DONE) {
        ck_assert_uint_eq(best->reruns, failure_reruns_due(best));
    }
    if (r->inconclusive) ck_assert_uint_eq(best->repeated, 0);
    ck_assert(isfinite(r->claim.run.bound));
    ck_assert_uint_le(t->tested, r->runs);
    if (t->replays == 0) ck_assert_uint_eq(t->tested, r->runs);
}

/* ---- Inputs of other searches ---- */

/* Inputs that a source offers in their order, and again from the first one in the next run. */
typedef struct offers {
    const failure *list;
    size_t count, next;
    const model *model; /* offer the first one after `calls` calls of it; NULL: at the start */
    uint64_t calls;
} offers;

static bool next_offer(void *context, const failure *best, failure *next) {
    offers *o = context;
    (void)best;
    if (o->next == o->count || (o->model != NULL && o->model->calls < o->calls)) return false;
    *next = o->list[o->next++];
    return true;
}

/* Offer all inputs again. */
static void offer_again(const search_source *source) {
    offers *o = source->context;
    if (o != NULL) o->next = 0;
}

static search_source source_of(const failure *list, size_t count) {
    static offers o; /* each test is a process of its own */
    o = (offers){.list = list, .count = count};
    return (search_source){next_offer, &o};
}

/* A source of inputs that another search finds while this one makes its call `calls`. */
static search_source source_after(const model *m, uint64_t calls, const failure *list,
                                  size_t count) {
    search_source source = source_of(list, count);
    offers *o = source.context;
    o->model = m;
    o->calls = calls;
    return source;
}

/* Free the outputs of a result. Tests compare results after other searches, and no outputs. */
static void drop_outputs(search_result *r) {
    failure *all[1 + 2 * DISTINCT_FAILURES_MAX] = {&r->best};
    size_t count = 1;
    for (size_t i = 0; i < r->each.count; i++) all[count++] = &r->each.list[i].best;
    for (size_t i = 0; i < r->others.count; i++) all[count++] = &r->others.list[i];
    for (size_t i = 0; i < count; i++) {
        free(all[i]->output);
        all[i]->output = NULL;
    }
}

static told run_with(const search_config *config, model *m, unsigned jobs, runner_factory create,
                     search_result *result) {
    static told t;
    const runner_fake_config fake = {.judge = judge, .context = m};
    const pool_config workers = {
        .jobs = jobs, .create = create, .config = &fake, .interrupt_fd = -1};
    const event_sink sink = {take, &t};
    memset(&t, 0, sizeof t);
    t.model = m;
    t.config = config;
    offer_again(&config->source);
    pool *p = pool_create(&workers);
    ck_assert_ptr_nonnull(p);
    memset(result, 0xee, sizeof *result);
    search_run(config, p, &sink, result);
    drop_outputs(result);
    pool_destroy(p);
    check_result(result, &t);
    return t;
}

static told run(const search_config *config, model *m, search_result *result) {
    return run_with(config, m, 0, runner_fake_create, result);
}

static search_result result; /* large; each test is a process of its own */

/* ---- What is found ---- */

static const uint64_t literal_sizes[] = {0,  1,  2,  3,   7,   8,    15,   16,
                                         17, 31, 41, 100, 128, 1000, 4095, 4096};

TEST(a_failure_by_size_alone_ends_at_that_size) {
    for (size_t i = 0; i < sizeof literal_sizes / sizeof *literal_sizes; i++) {
        model *m = model_create(size_only, literal_sizes[i]);
        search_config config = plain_config(20);
        const told t = run(&config, m, &result);
        ck_assert_int_eq(result.stop.end, END_DONE);
        ck_assert(result.found);
        ck_assert_uint_eq(result.best.input.size, m->size);
        ck_assert(signature_equal(result.best.signature, (signature){SIGNATURE_SIGNAL, SIGABRT}));
        ck_assert_uint_eq(result.best.reruns, 20);
        ck_assert_uint_eq(result.best.repeated, 20);
        ck_assert_uint_eq(failures_of(m, result.best.input), 21);
        ck_assert_uint_eq(result.others.count, 0);
        ck_assert_uint_eq(t.best.input.size, m->size);
        ck_assert_uint_eq(t.bests, t.failures);
        ck_assert_uint_eq(t.flakies, 0);
        ck_assert_uint_eq(m->calls, result.runs + result.reruns);
        if (m->size > 1) {
            ck_assert_uint_eq(result.claim.run.below, m->size - 1);
            ck_assert_uint_ge(result.claim.run.passed, 20);
        }
        model_destroy(m);
    }
}

TEST(an_exact_size_is_found_and_not_left) {
    model *m = model_create(exact_size, 64);
    const search_config config = plain_config(20);
    run(&config, m, &result);
    ck_assert(result.found);
    ck_assert_uint_eq(result.best.input.size, 64);
    model_destroy(m);
}

static const outcome hang = {VERDICT_TIMEOUT, SIGKILL, FAULT_NONE, 0, OUTCOME_DRAWN_UNKNOWN};
static const outcome starved = {VERDICT_MEMORY, SIGABRT, FAULT_NONE, 0, OUTCOME_DRAWN_UNKNOWN};

TEST(what_fails_for_want_of_memory_is_no_failure) {
    model *m = model_create(size_only, 5);
    const search_config config = plain_config(3);
    m->failing = starved;
    const told t = run(&config, m, &result);
    ck_assert_int_eq(result.stop.end, END_DONE);
    ck_assert(!result.found);
    ck_assert(result.inconclusive);
    ck_assert_int_eq(result.best.cause, CAUSE_MEMORY);
    ck_assert(signature_equal(result.best.signature, (signature){SIGNATURE_SIGNAL, SIGABRT}));
    ck_assert_uint_gt(result.limited[CAUSE_MEMORY], 1);
    ck_assert_uint_eq(result.limited[CAUSE_TIMEOUT], 0);
    ck_assert_uint_eq(t.flakies, 1);
    ck_assert_uint_eq(t.failures, 0);
    model_destroy(m);
}

TEST(what_was_not_asked_for_leaves_nothing_open) {
    model *m = model_create(size_only, 5);
    search_config config = plain_config(3);
    config.filter = only("exit:3");
    m->failing = starved;
    const told t = run(&config, m, &result);
    ck_assert(!result.found);
    ck_assert(!result.inconclusive);
    ck_assert_uint_gt(result.limited[CAUSE_MEMORY], 1);
    ck_assert_uint_eq(t.flakies, 1);
    model_destroy(m);
}

TEST(a_failure_beyond_them_is_found) {
    model *m = model_create(starved_and_sure, 5);
    const search_config config = plain_config(3);
    m->failing = starved;
    m->other = outcome_of_status(3 << 8);
    const told t = run(&config, m, &result);
    ck_assert(result.found);
    ck_assert(!result.inconclusive);
    ck_assert_uint_eq(result.best.input.size, SURE_SIZE);
    ck_assert_uint_eq(result.best.repeated, 20);
    ck_assert_uint_gt(result.limited[CAUSE_MEMORY], 0);
    ck_assert_uint_eq(result.claim.run.passed, 0); /* what was run below it did not pass */
    ck_assert_uint_eq(t.flakies, 1);
    model_destroy(m);
}

TEST(a_hang_that_ends_when_it_is_run_again_is_told_as_one) {
    model *m = model_create(once_at_all, 5);
    const search_config config = plain_config(3);
    m->failing = hang;
    const told t = run(&config, m, &result);
    ck_assert(!result.found);
    ck_assert(result.inconclusive);
    ck_assert_int_eq(result.best.cause, CAUSE_TIMEOUT);
    ck_assert_uint_eq(result.best.reruns, FAILURE_RERUNS_OF_HANG);
    ck_assert_uint_eq(result.limited[CAUSE_TIMEOUT], 1);
    ck_assert_uint_eq(result.limited[CAUSE_MEMORY], 0);
    ck_assert_uint_eq(t.flakies, 1);
    model_destroy(m);
}

TEST(a_hang_that_repeats_is_found) {
    model *m = model_create(size_only, 5);
    const search_config config = plain_config(3);
    m->failing = hang;
    run(&config, m, &result);
    ck_assert(result.found);
    ck_assert_uint_eq(result.best.input.size, 5);
    ck_assert_uint_eq(result.best.repeated, FAILURE_RERUNS_OF_HANG);
    ck_assert_uint_eq(result.limited[CAUSE_TIMEOUT], 0);
    model_destroy(m);
}

/* Sizes at which so many runs were made. */
static uint64_t sizes_run(const model *m, uint64_t runs) {
    static uint64_t runs_of[(1 << 12) + 1];
    uint64_t count = 0;
    memset(runs_of, 0, sizeof runs_of);
    for (uint64_t i = 0; i < m->calls && i < LOG_MAX; i++) {
        if (++runs_of[m->log[i].size] == runs) count++;
    }
    return count;
}

TEST(nothing_fails) {
    model *m = model_create(never, 0);
    search_config config = plain_config(30);
    const told t = run(&config, m, &result);
    ck_assert_int_eq(result.stop.end, END_DONE);
    ck_assert(!result.found);
    ck_assert(!result.inconclusive);
    ck_assert_uint_eq(result.claim.run.rounds, 30);
    ck_assert_uint_eq(result.claim.run.sizes, sizes_run(m, 30));
    ck_assert_uint_ge(result.claim.run.sizes, 8); /* from 32 to 4096 */
    ck_assert_uint_eq(result.reruns, 0);
    ck_assert_uint_eq(result.runs, m->calls);
    ck_assert_uint_eq(m->size_max, config.strategy.size_max);
    ck_assert_uint_eq(t.failures + t.flakies + t.replays, 0);
    ck_assert_uint_gt(t.progresses, 0);
    model_destroy(m);
}

TEST(a_sink_may_drop_all_events) {
    model *m = model_create(flaky_and_sure, 10);
    const search_config config = plain_config(20);
    const runner_fake_config fake = {.judge = judge, .context = m};
    const pool_config workers = {
        .jobs = 0, .create = runner_fake_create, .config = &fake, .interrupt_fd = -1};
    const event_sink deaf = {.take = NULL};
    m->percent = 50;
    pool *p = pool_create(&workers);
    search_run(&config, p, &deaf, &result);
    drop_outputs(&result);
    pool_destroy(p);
    ck_assert(result.found);
    model_destroy(m);
}

TEST(a_timeout_is_rerun_five_times) {
    model *m = model_create(size_only, 20);
    const search_config config = plain_config(10);
    m->failing = (outcome){VERDICT_TIMEOUT, SIGKILL, FAULT_NONE, 0, OUTCOME_DRAWN_UNKNOWN};
    run(&config, m, &result);
    ck_assert(result.found);
    ck_assert_int_eq(result.best.signature.kind, SIGNATURE_TIMEOUT);
    ck_assert_uint_eq(result.best.reruns, FAILURE_RERUNS_OF_HANG);
    model_destroy(m);
}

/* ---- Flaky systems ---- */

TEST(failures_that_never_repeat_are_inconclusive) {
    for (uint64_t size = 0; size <= 40; size += 8) {
        model *m = model_create(once_each, size);
        search_config config = plain_config(5);
        config.strategy.size_max = 256;
        const told t = run(&config, m, &result);
        ck_assert_int_eq(result.stop.end, END_DONE);
        ck_assert(!result.found);
        ck_assert(result.inconclusive);
        ck_assert_uint_ge(result.best.input.size, size);
        ck_assert_uint_le(result.best.input.size, size > 1 ? 2 * size : size);
        ck_assert_uint_eq(result.best.reruns, 20);
        ck_assert_uint_eq(t.failures, 0);
        ck_assert_uint_eq(t.flakies, 1);
        model_destroy(m);
    }
}

TEST(a_flaky_system_alone) {
    const unsigned percents[] = {5, 50, 90};
    unsigned flaky_count = 0;
    for (uint64_t seed = 0; seed < 30; seed++) {
        model *m = model_create(flaky, 10);
        search_config config = plain_config(20);
        config.strategy.master_seed = seed;
        config.strategy.size_max = 512;
        m->percent = percents[seed % 3];
        const told t = run(&config, m, &result);
        ck_assert_int_eq(result.stop.end, END_DONE);
        ck_assert_msg(result.found || (m->percent == 5 && result.inconclusive),
                      "a finding is lost: %u%%, seed %d", m->percent, (int)seed);
        ck_assert_uint_ge(result.best.input.size, 10);
        if (m->percent == 50) ck_assert(failure_is_flaky(&result.best));
        flaky_count += result.found && failure_is_flaky(&result.best);
        if (result.found) {
            ck_assert_uint_eq(t.best.input.size, result.best.input.size);
            ck_assert_uint_eq(t.best.input.seed, result.best.input.seed);
        }
        model_destroy(m);
    }
    ck_assert_uint_gt(flaky_count, 0);
}

/* The reruns that a search made, by its log: runs of an input after the first that failed. */
static rerun_count reruns_of(const model *m) {
    rerun_count seen = {0, 0};
    ck_assert_uint_le(m->calls, LOG_MAX);
    for (uint64_t i = 0; i < m->calls; i++) {
        uint64_t runs = 0;
        if (m->log[i].size < m->size) continue;
        for (uint64_t j = i; j-- > 0;) {
            if (m->log[j].size == m->log[i].size && m->log[j].seed == m->log[i].seed) runs++;
        }
        ck_assert_msg(runs <= FAILURE_RERUNS, "a trial that was set aside had another chance");
        seen.reruns += runs > 0;
        seen.repeated += runs > 0 && m->log_failed[i];
    }
    return seen;
}

/* It is flaky once any rerun of any failure passed, whatever those of the best said; and how often
 * it fails is told by all of them. The interval may miss the truth in one search of 20: 24 of 30
 * are missed with a chance of 3 in 10^5. */
TEST_EACH(a_flaky_system_is_called_so_with_its_rate, 4) {
    static const unsigned percents[] = {50, 80, 90, 95};
    const unsigned percent = percents[_i];
    unsigned flaky_count = 0, held_count = 0, lucky_count = 0;
    for (uint64_t seed = 0; seed < 30; seed++) {
        model *m = model_create(flaky, 5);
        search_config config = plain_config(20);
        config.strategy.master_seed = seed;
        config.strategy.size_max = 64;
        m->percent = percent;
        run(&config, m, &result);
        const rerun_count seen = reruns_of(m);
        const rate_interval often = rate_of(seen.repeated, seen.reruns);
        ck_assert(result.found);
        ck_assert_uint_eq(result.best.alike.reruns, seen.reruns);
        ck_assert_uint_eq(result.best.alike.repeated, seen.repeated);
        ck_assert_int_eq(failure_is_of_flaky(&result.best), seen.repeated < seen.reruns);
        flaky_count += failure_is_of_flaky(&result.best);
        lucky_count += failure_is_of_flaky(&result.best) && !failure_is_flaky(&result.best);
        held_count += 100 * often.low <= percent && percent <= 100 * often.high;
        model_destroy(m);
    }
    ck_assert_uint_ge(held_count, 24);
    if (percent == 50) ck_assert_uint_eq(flaky_count, 30);
    if (percent == 80) ck_assert_uint_ge(flaky_count, 29);
    ck_assert_uint_ge(flaky_count, 10);
    if (percent == 90) ck_assert_uint_gt(lucky_count, 0);
}

/* A finding whose reruns had passed at times is never relied on, though it fails now. */
TEST(a_finding_that_was_flaky_is_so_still) {
    model *m = model_create(size_only, 30);
    search_config config = plain_config(20);
    failure known = {.input = {30, 2},
                     .signature = {SIGNATURE_SIGNAL, SIGABRT},
                     .alike = {.reruns = 20, .repeated = 18}};
    config.source = source_of(&known, 1);
    run(&config, m, &result);
    ck_assert(result.found);
    ck_assert_uint_eq(result.best.input.size, 30);
    ck_assert_uint_ne(result.best.input.seed, 2);
    ck_assert(!failure_is_flaky(&result.best));
    ck_assert(failure_is_of_flaky(&result.best));
    ck_assert_uint_eq(result.best.alike.reruns - result.best.alike.repeated, 2);
    ck_assert_uint_ge(result.best.alike.reruns, 40);
    m->calls = 0;
    known.signature = (signature){SIGNATURE_EXIT, 3}; /* that of another bug */
    run(&config, m, &result);
    ck_assert(!failure_is_of_flaky(&result.best));
    ck_assert_uint_ne(result.best.input.seed, 2);
    m->calls = 0;
    known.alike = (rerun_count){20, 20};
    run(&config, m, &result);
    ck_assert(!failure_is_of_flaky(&result.best));
    ck_assert_uint_eq(result.best.input.seed, 2);
    model_destroy(m);
}

/* With the bytes that a run had drawn, and no more, it passes once, and never again. */
static answer prefix_passes_once(model *m, seed_input t, uint64_t call) {
    (void)call;
    if (t.size < m->size) return PASSES;
    m->failing.drawn = m->size;
    return t.size > m->size || m->at++ > 0 ? FAILS : PASSES;
}

/* Passes with what it had drawn alone, each time: it looks at how much is left. */
static answer looks_at_what_is_left(model *m, seed_input t, uint64_t call) {
    (void)call;
    m->failing.drawn = m->size;
    return t.size > m->size ? FAILS : PASSES;
}

TEST(a_prefix_that_passes_first_and_fails_then_is_flaky) {
    model *m = model_create(prefix_passes_once, 10);
    const search_config config = plain_config(20);
    run(&config, m, &result);
    ck_assert(result.found);
    ck_assert(failure_is_of_flaky(&result.best));
    m->answer = looks_at_what_is_left;
    m->calls = 0;
    run(&config, m, &result);
    ck_assert(result.found);
    ck_assert_uint_eq(result.best.input.size, 11);
    ck_assert(!failure_is_of_flaky(&result.best));
    model_destroy(m);
}

/* Runs at the size of the claim that failed, in the search that made it. */
static uint64_t failed_at(const model *m, uint64_t size) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < m->calls && i < LOG_MAX; i++) {
        count += m->log[i].size == size && m->log_failed[i];
    }
    return count;
}

TEST(a_claim_counts_no_run_that_failed) {
    unsigned doubtful = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        model *m = model_create(flaky_and_sure, 1);
        search_config config = plain_config(50);
        config.strategy.master_seed = seed;
        m->percent = 5;
        run(&config, m, &result);
        ck_assert_uint_eq(result.best.input.size, SURE_SIZE);
        if (failed_at(m, SURE_SIZE - 1) > 0) {
            ck_assert_uint_eq(result.claim.run.passed, 0);
            ck_assert(result.claim.run.bound >= 1);
            doubtful++;
        }
        model_destroy(m);
    }
    ck_assert_uint_gt(doubtful, 0);
}

static answer flaky_at_first(model *m, seed_input t, uint64_t call) {
    if (t.size >= SURE_SIZE) return FAILS_OTHERWISE;
    /* Fails the first two times that an input is run, and is believed for that; and never again. */
    return t.size >= m->size && failures_of(m, t) < 2 && call > 0 ? FAILS : PASSES;
}

TEST(a_best_that_does_not_hold_is_left_for_a_larger_one) {
    model *m = model_create(flaky_at_first, 10);
    const search_config config = plain_config(20);
    const told t = run(&config, m, &result);
    ck_assert(result.found);
    ck_assert(!failure_is_flaky(&result.best));
    ck_assert_uint_eq(result.best.input.size, SURE_SIZE);
    ck_assert_uint_ge(t.flakies, 1);
    model_destroy(m);
}

/* Each input fails twice, so that it is announced at first, and never again. */
static answer twice_each(model *m, seed_input t, uint64_t call) {
    (void)call;
    return t.size >= m->size && failures_of(m, t) < 2 ? FAILS : PASSES;
}

TEST(a_best_that_is_flaky_is_told_once) {
    for (uint64_t size = 0; size <= 32; size += 8) {
        model *m = model_create(twice_each, size);
        search_config config = plain_config(5);
        config.strategy.size_max = 64;
        const told t = run(&config, m, &result);
        ck_assert(result.found);
        ck_assert(failure_is_flaky(&result.best));
        ck_assert_uint_eq(result.best.reruns, 20);
        ck_assert_uint_eq(result.best.repeated, 1);
        ck_assert_uint_eq(result.best.input.size, t.best.input.size);
        ck_assert_uint_eq(result.best.input.seed, t.best.input.seed);
        model_destroy(m);
    }
}

/* ---- Identities ---- */

TEST(only_one_signature_counts) {
    model *m = model_create(two_ways, 10);
    search_config config = plain_config(20);
    config.filter = only("signal:SIGABRT");
    const told t = run(&config, m, &result);
    ck_assert(result.found);
    ck_assert_uint_eq(result.best.input.size, 50);
    ck_assert_uint_eq(result.others.count, 1);
    ck_assert(signature_equal(result.others.list[0].signature, (signature){SIGNATURE_EXIT, 3}));
    ck_assert_uint_ge(result.others.list[0].input.size, 10);
    ck_assert_uint_lt(result.others.list[0].input.size, 50);
    ck_assert_uint_eq(t.other.input.size, result.others.list[0].input.size);
    config.filter = only("exit:3");
    run(&config, m, &result);
    ck_assert(result.found);
    ck_assert_uint_eq(result.best.input.size, 10);
    config.filter = only("exit:4");
    const told none = run(&config, m, &result);
    ck_assert(!result.found);
    ck_assert(!result.inconclusive);
    ck_assert_uint_eq(result.others.count, 2);
    ck_assert_uint_eq(none.bests, 0);
    ck_assert_uint_ge(none.failures, 2);
    model_destroy(m);
}

TEST(other_signatures_are_listed) {
    model *m = model_create(two_ways, 10);
    const search_config config = plain_config(20);
    const failure known = {.input = {3000, 7}};
    search_config resumed = config;
    resumed.source = source_of(&known, 1);
    run(&resumed, m, &result);
    ck_assert(result.found);
    ck_assert_uint_eq(result.best.input.size, 10);
    ck_assert(signature_equal(result.best.signature, (signature){SIGNATURE_EXIT, 3}));
    ck_assert_uint_eq(result.others.count, 1);
    const signature aborted = {SIGNATURE_SIGNAL, SIGABRT};
    ck_assert(signature_equal(result.others.list[0].signature, aborted));
    ck_assert_uint_ge(result.others.list[0].input.size, 50);
    model_destroy(m);
}

TEST(a_smaller_flaky_signature_is_listed) {
    bool seen = false;
    for (uint64_t seed = 0; seed < 10; seed++) {
        model *m = model_create(flaky_and_sure, 10);
        search_config config = plain_config(20);
        config.strategy.master_seed = seed;
        m->percent = 50;
        run(&config, m, &result);
        ck_assert_uint_eq(result.best.input.size, SURE_SIZE);
        for (size_t i = 0; i < result.others.count; i++) {
            ck_assert(signature_equal(result.others.list[i].signature,
                                      (signature){SIGNATURE_SIGNAL, SIGABRT}));
            ck_assert_msg(failure_is_flaky(&result.others.list[i]), "it is known to be flaky");
            seen = true;
        }
        model_destroy(m);
    }
    ck_assert(seen);
}

/* As flaky_and_sure, and from 300 on it fails always in the way that is flaky further down. */
static answer sure_again(model *m, seed_input t, uint64_t call) {
    return t.size >= 300 ? FAILS : flaky_and_sure(m, t, call);
}

TEST(what_fails_always_stands_for_its_signature) {
    const failure known = {.input = {600, 4}};
    for (uint64_t seed = 0; seed < 10; seed++) {
        model *m = model_create(sure_again, 10);
        search_config config = plain_config(20);
        config.strategy.master_seed = seed;
        config.source = source_of(&known, 1);
        m->percent = 50;
        const told t = run(&config, m, &result);
        ck_assert_uint_eq(t.flakies, 1);
        ck_assert_uint_eq(result.best.input.size, SURE_SIZE);
        ck_assert_uint_eq(result.others.count, 1);
        ck_assert(!failure_is_flaky(&result.others.list[0]));
        ck_assert_uint_ge(result.others.list[0].input.size, 300);
        model_destroy(m);
    }
}

/* ---- Known findings ---- */

TEST(known_findings_are_replayed_and_resumed) {
    model *m = model_create(size_only, 100);
    search_config config = plain_config(20);
    const failure known[] = {{.input = {5000, 1}},
                             {.input = {30, 2}},
                             {.input = {99, 3}},
                             {.input = {600, 4}},
                             {.input = {700, 5}}};
    config.source = source_of(known, 5);
    const told t = run(&config, m, &result);
    ck_assert_uint_eq(t.replays, 3);
    ck_assert(!t.replay_fails[0] && !t.replay_fails[1] && t.replay_fails[2]);
    ck_assert_uint_eq(t.replays_of[0].size, 30);
    ck_assert_uint_eq(t.replays_of[2].seed, 4);
    ck_assert(result.found);
    ck_assert_uint_eq(result.best.input.size, 100);
    ck_assert_msg(m->size_max == 600, "nothing larger than the finding is run");
    model_destroy(m);
}

TEST(a_known_finding_that_stays_the_best) {
    model *m = model_create(exact_size, 77);
    search_config config = plain_config(20);
    const failure known = {.input = {77, 12345}};
    config.source = source_of(&known, 1);
    const told t = run(&config, m, &result);
    ck_assert(result.found);
    ck_assert_uint_eq(result.best.input.size, 77);
    ck_assert_uint_eq(result.best.input.seed, 12345);
    ck_assert_uint_eq(result.best.reruns, 20);
    ck_assert_uint_eq(t.bests, 1);
    ck_assert_uint_gt(result.claim.run.passed, 0);
    model_destroy(m);
}

TEST(known_findings_that_are_all_mended) {
    model *m = model_create(never, 0);
    search_config config = plain_config(20);
    const failure known[] = {{.input = {30, 2}}, {.input = {99, 3}}};
    config.source = source_of(known, 2);
    const told t = run(&config, m, &result);
    ck_assert_uint_eq(t.replays, 2);
    ck_assert(!result.found && !result.inconclusive);
    ck_assert_uint_eq(result.claim.run.rounds, 20);
    model_destroy(m);
}

/* ---- Findings of searches under way ---- */

/* Fails from 100 bytes on; below only an input of N bytes does that another search found. */
enum { FOUND_SEED = 4 };

static answer luck_of_another(model *m, seed_input t, uint64_t call) {
    (void)call;
    if (t.size == m->size && t.seed == FOUND_SEED) return FAILS_OTHERWISE;
    return t.size >= 100 ? FAILS : PASSES;
}

/* Count the runs of a size in the log. */
static uint64_t runs_at(const model *m, uint64_t size) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < m->calls && i < LOG_MAX; i++) count += m->log[i].size == size;
    return count;
}

TEST(an_input_that_passes_here_costs_one_run) {
    const failure known[] = {{.input = {60, 5}}, {.input = {59, 6}}, {.input = {5000, 7}}};
    model *m = model_create(luck_of_another, 50), *n = model_create(luck_of_another, 50);
    search_config config = plain_config(100);
    run(&config, m, &result);
    const search_result alone = result;
    config.source = source_after(n, 100, known, 3);
    const told t = run(&config, n, &result);
    ck_assert_uint_eq(t.replays, 2);
    ck_assert(!t.replay_fails[0] && !t.replay_fails[1]);
    ck_assert_uint_eq(n->calls, m->calls + 2);
    ck_assert_uint_eq(result.runs, alone.runs + 2);
    ck_assert(seed_input_equal(result.best.input, alone.best.input));
    ck_assert_uint_eq(result.claim.run.passed, alone.claim.run.passed);
    ck_assert(result.claim.run.bound == alone.claim.run.bound);
    model_destroy(m);
    model_destroy(n);
}

TEST(an_input_as_small_with_a_smaller_seed_is_adopted_and_keeps_the_passes) {
    const failure known = {.input = {100, 0}};
    model *m = model_create(size_only, 100), *n = model_create(size_only, 100);
    search_config config = plain_config(100);
    run(&config, m, &result);
    const search_result alone = result;
    config.source = source_after(n, 200, &known, 1);
    run(&config, n, &result);
    ck_assert(seed_input_equal(result.best.input, known.input));
    ck_assert_uint_eq(result.claim.run.passed, alone.claim.run.passed);
    ck_assert_uint_eq(result.claim.run.stretches, alone.claim.run.stretches);
    ck_assert_uint_eq(runs_at(n, 99), runs_at(m, 99));
    model_destroy(m);
    model_destroy(n);
}

TEST(an_input_that_was_flaky_elsewhere_is_not_adopted) {
    const failure known = {
        .input = {50, FOUND_SEED}, .signature = {SIGNATURE_EXIT, 3}, .alike = {20, 7}};
    model *m = model_create(luck_of_another, 50);
    search_config config = plain_config(100);
    config.source = source_after(m, 100, &known, 1);
    const told t = run(&config, m, &result);
    ck_assert_uint_eq(t.replays, 1);
    ck_assert_uint_eq(result.best.input.size, 100);
    ck_assert_uint_gt(result.claim.run.passed, 0);
    model_destroy(m);
}

/* A larger input is run if it can be the smallest of another signature; else it costs nothing. */
TEST(only_news_of_other_searches_is_run) {
    const failure known[] = {
        {.input = {300, 9}},
        {.input = {200, 8}, .signature = {SIGNATURE_SIGNAL, SIGABRT}, .alike = {20, 20}},
        {.input = {52, 7}, .signature = {SIGNATURE_SIGNAL, SIGABRT}, .alike = {20, 20}},
        {.input = {49, 1}, .signature = {SIGNATURE_EXIT, 3}, .alike = {20, 20}}};
    model *m = model_create(two_ways, 40);
    search_config config = plain_config(100);
    config.source = source_after(m, 100, known, 4);
    const told t = run(&config, m, &result);
    ck_assert_uint_eq(result.best.input.size, 40);
    ck_assert_uint_eq(t.replays, 1);
    ck_assert_uint_eq(t.replays_of[0].size, 52);
    ck_assert_uint_eq(t.other.input.size, 52);
    ck_assert_uint_eq(result.others.count, 1);
    ck_assert(seed_input_equal(result.others.list[0].input, known[2].input));
    model_destroy(m);
}

/* ---- Keeping going ---- */

/* Fails from 41 bytes on, and one seed in 3,000 with any byte. */
static answer seldom_small(model *m, seed_input t, uint64_t call) {
    (void)call;
    if (t.size >= m->size) return FAILS;
    return t.size > 0 && hash(t.seed, 1, 0) % 3000 == 0 ? FAILS_OTHERWISE : PASSES;
}

static search_config going_on(uint64_t attempts) {
    search_config config = plain_config(attempts);
    config.keeps_going = true;
    config.strategy.endless = true;
    return config;
}

TEST(a_search_that_keeps_going_ends_where_nothing_is_smaller) {
    const unsigned jobs[] = {0, 1, 2, 4, 8};
    static search_result alone;
    model *m = model_create(seldom_small, 41);
    const search_config config = going_on(20), plain = plain_config(20);
    run(&plain, m, &result);
    ck_assert_uint_eq(result.best.input.size, 41);
    for (size_t i = 0; i < 5; i++) {
        m->calls = 0;
        run_with(&config, m, jobs[i], runner_fake_create, &result);
        if (i == 0) alone = result;
        ck_assert_int_eq(result.stop.end, END_DONE);
        ck_assert_uint_eq(result.best.input.size, 1);
        ck_assert_uint_eq(result.best.reruns, FAILURE_RERUNS);
        ck_assert_uint_eq(result.runs, alone.runs);
        ck_assert_uint_eq(result.reruns, alone.reruns);
        ck_assert(seed_input_equal(result.best.input, alone.best.input));
        ck_assert(result.claim.run.bound == 0);
    }
    model_destroy(m);
}

TEST(passes_of_a_search_that_keeps_going_add_up) {
    model *m = model_create(size_only, 41);
    search_config config = plain_config(20);
    run(&config, m, &result);
    const strategy_claim once = result.claim;
    config.keeps_going = true;
    config.deadline_ns = clock_after(clock_now_ns(), 300 * CLOCK_NS_PER_MS);
    m->calls = 0;
    run(&config, m, &result);
    ck_assert_int_eq(result.stop.end, END_SPENT);
    ck_assert_uint_eq(result.best.input.size, 41);
    ck_assert_uint_eq(result.best.reruns, FAILURE_RERUNS);
    ck_assert_uint_eq(result.claim.run.below, 40);
    ck_assert_uint_gt(result.claim.run.passed, 10 * once.run.passed);
    ck_assert_uint_eq(result.claim.run.stretches, once.run.stretches);
    ck_assert(result.claim.run.bound < once.run.bound / 9);
    ck_assert_int_ge(clock_now_ns(), config.deadline_ns);
    model_destroy(m);
}

TEST(a_search_that_keeps_going_adopts_after_its_end) {
    const failure known = {.input = {50, FOUND_SEED}};
    model *m = model_create(luck_of_another, 50);
    search_config config = plain_config(20);
    config.keeps_going = true;
    config.source = source_after(m, 2000, &known, 1); /* plain attempts end before that */
    config.deadline_ns = clock_after(clock_now_ns(), 300 * CLOCK_NS_PER_MS);
    run(&config, m, &result);
    ck_assert(seed_input_equal(result.best.input, known.input));
    ck_assert_uint_eq(result.claim.run.below, 49);
    ck_assert_uint_ge(result.claim.run.passed, 20);
    ck_assert_uint_eq(result.best.reruns, FAILURE_RERUNS);
    model_destroy(m);
}

TEST(a_flaky_best_does_not_end_a_search_that_keeps_going) {
    model *m = model_create(flaky_and_sure, 10);
    search_config config = plain_config(20);
    config.keeps_going = true;
    config.deadline_ns = clock_after(clock_now_ns(), 300 * CLOCK_NS_PER_MS);
    m->percent = 50;
    run(&config, m, &result);
    ck_assert_int_eq(result.stop.end, END_SPENT);
    ck_assert_uint_eq(result.best.input.size, SURE_SIZE);
    ck_assert_uint_eq(result.best.reruns, FAILURE_RERUNS);
    model_destroy(m);
}

/* ---- Ends ---- */

TEST(a_deadline_that_has_passed) {
    model *m = model_create(size_only, 0);
    search_config config = plain_config(20);
    config.deadline_ns = clock_now_ns() - 1;
    run(&config, m, &result);
    ck_assert_int_eq(result.stop.end, END_SPENT);
    ck_assert(!result.found && !result.inconclusive);
    ck_assert_uint_eq(result.runs, 0); /* the first run may start, and does not count */
    model_destroy(m);
}

TEST(an_endless_search_ends_at_its_deadline) {
    model *m = model_create(never, 0);
    search_config config = plain_config(1);
    config.strategy.endless = true;
    config.deadline_ns = clock_after(clock_now_ns(), 300 * CLOCK_NS_PER_MS);
    run(&config, m, &result);
    ck_assert_int_eq(result.stop.end, END_SPENT);
    ck_assert(!result.found);
    ck_assert_uint_gt(result.claim.run.rounds, 1);
    ck_assert_int_ge(clock_now_ns(), config.deadline_ns);
    model_destroy(m);
}

/* The budget is spent while call `at` is made. */
static told run_spent_at(search_config config, model *m, uint64_t at) {
    enum { BUDGET_MS = 1500 };
    m->at = at;
    m->sleep_ns = (BUDGET_MS + 100) * CLOCK_NS_PER_MS;
    config.deadline_ns = clock_after(clock_now_ns(), BUDGET_MS * CLOCK_NS_PER_MS);
    const told t = run(&config, m, &result);
    ck_assert_int_eq(result.stop.end, END_SPENT);
    ck_assert_uint_gt(m->calls, at);
    return t;
}

TEST(the_last_best_is_rerun_after_the_deadline) {
    model *m = model_create(size_only, 3);
    run_spent_at(plain_config(20), m, 9);
    ck_assert(result.found);
    ck_assert_uint_eq(result.best.reruns, 20);
    ck_assert_uint_eq(result.best.repeated, 20);
    model_destroy(m);
}

TEST(a_failure_at_the_deadline_is_not_lost) {
    model *m = model_create(size_only, 0);
    const told t = run_spent_at(plain_config(20), m, 0);
    ck_assert(result.found);
    ck_assert_uint_eq(result.best.input.size, 0);
    ck_assert_uint_eq(result.best.reruns, 20);
    ck_assert_uint_eq(t.bests, 1);
    ck_assert_uint_eq(t.flakies, 0);
    model_destroy(m);
}

TEST(what_another_search_found_until_the_deadline_is_adopted) {
    const failure known[] = {{.input = {60, 5}}, {.input = {50, FOUND_SEED}}};
    model *m = model_create(luck_of_another, 50);
    search_config config = plain_config(20);
    config.source = source_after(m, 41, known, 2);
    const told t = run_spent_at(config, m, 40);
    ck_assert_uint_eq(t.replays, 2);
    ck_assert(seed_input_equal(result.best.input, known[1].input));
    ck_assert_uint_eq(result.best.reruns, FAILURE_RERUNS);
    ck_assert_uint_eq(result.claim.run.passed, 0);
    model_destroy(m);
}

TEST(no_claim_is_left_of_a_best_that_fell_after_the_deadline) {
    const failure known = {.input = {600, 4}};
    model *m = model_create(flaky_at_first, 10);
    search_config config = plain_config(200);
    uint64_t at = 0;
    config.source = source_of(&known, 1);
    run(&config, m, &result); /* to see when it makes fresh runs below the flaky best */
    while (m->log[at].size != 9 || m->log[at + 1].size != 9) at++;
    m->calls = 0;
    run_spent_at(config, m, at + 5);
    ck_assert(result.found);
    ck_assert_uint_ge(result.best.input.size, SURE_SIZE);
    ck_assert_uint_eq(result.claim.run.passed, 0);
    ck_assert(result.claim.run.bound >= 1);
    model_destroy(m);
}

TEST(an_error_ends_the_search) {
    /* The first run, one while nothing failed, a rerun, and one when a best is there. */
    const uint64_t calls[] = {0, 2, 4, 12, 30};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        model *m = model_create(error_at, 3);
        const search_config config = plain_config(20);
        m->at = calls[i];
        run(&config, m, &result);
        ck_assert_int_eq(result.stop.end, END_ENVIRONMENT);
        ck_assert_int_eq(result.stop.error.fault, FAULT_EXEC);
        ck_assert_int_eq(result.stop.error.error_number, ENOENT);
        ck_assert_msg(m->calls == calls[i] + 1, "nothing is run after the error");
        model_destroy(m);
    }
}

TEST(an_interrupt_ends_the_search) {
    model *m = model_create(never, 0);
    const search_config config = plain_config(1000000);
    const runner_fake_config fake = {.judge = judge, .context = m};
    const event_sink deaf = {.take = NULL};
    int ends[2];
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    ck_assert_int_eq(write(ends[1], "", 1), 1);
    const pool_config workers = {
        .jobs = 2, .create = runner_fake_create, .config = &fake, .interrupt_fd = ends[0]};
    pool *p = pool_create(&workers);
    search_run(&config, p, &deaf, &result);
    drop_outputs(&result);
    pool_destroy(p);
    ck_assert_int_eq(result.stop.end, END_INTERRUPTED);
    ck_assert(!result.found);
    model_destroy(m);
}

static answer kills_the_worker(model *m, seed_input t, uint64_t call) {
    (void)m, (void)t, (void)call;
    kill(getpid(), SIGKILL);
    return PASSES;
}

TEST(workers_that_keep_dying_end_the_search) {
    model *m = model_create(kills_the_worker, 0);
    const search_config config = plain_config(20);
    run_with(&config, m, 2, runner_fake_create, &result);
    ck_assert_int_eq(result.stop.end, END_BROKEN);
    ck_assert_int_eq(result.stop.error_number, ECHILD);
    model_destroy(m);
}

/* ---- Jobs ---- */

/* The fake runner made so fast that batches get many runs: or slow to answer, and deaf. */
typedef struct timed_runner {
    runner base;
    runner *inner;
    bool sluggish;
} timed_runner;

static void timed_run(runner *base, const batch *runs, run_purpose purpose, run_result *r) {
    const timed_runner *t = (timed_runner *)base;
    t->inner->ops->run(t->inner, runs, purpose, r);
    r->took_ns = 100000 * (int64_t)r->ran;
    if (!t->sluggish) return;
    /* Most are quick; some take long, so that what was cancelled is answered late. */
    const uint64_t luck = hash(runs->first_seed, runs->size, (uint64_t)getpid()) % 16;
    nanosleep(&(struct timespec){0, luck == 0 ? 20 * 1000 * 1000 : (long)luck * 1000}, NULL);
}

static void timed_destroy(runner *base) {
    timed_runner *t = (timed_runner *)base;
    t->inner->ops->destroy(t->inner);
    free(t);
}

static runner *timed_create(const void *config, const runner_watch *watch, int *error_number) {
    static const runner_ops ops = {timed_run, timed_destroy};
    timed_runner *t = calloc(1, sizeof *t);
    if (t == NULL) return NULL;
    t->base.ops = &ops;
    t->inner = runner_fake_create(config, watch, error_number);
    return &t->base;
}

static runner *sluggish_create(const void *config, const runner_watch *watch, int *error_number) {
    runner *r = timed_create(config, watch, error_number);
    if (r != NULL) ((timed_runner *)r)->sluggish = true;
    return r;
}

static void check_same(const search_result *a, const search_result *b) {
    ck_assert_int_eq(a->stop.end, b->stop.end);
    ck_assert_int_eq(a->found, b->found);
    ck_assert_uint_eq(a->best.input.size, b->best.input.size);
    ck_assert_uint_eq(a->best.input.seed, b->best.input.seed);
    ck_assert(signature_equal(a->best.signature, b->best.signature));
    ck_assert_uint_eq(a->best.reruns, b->best.reruns);
    ck_assert_uint_eq(a->best.repeated, b->best.repeated);
    ck_assert_uint_eq(a->runs, b->runs);
    ck_assert_uint_eq(a->reruns, b->reruns);
    ck_assert_uint_eq(a->claim.run.passed, b->claim.run.passed);
    ck_assert_uint_eq(a->claim.run.below, b->claim.run.below);
    ck_assert_uint_eq(a->claim.run.rounds, b->claim.run.rounds);
    ck_assert_uint_eq(a->others.count, b->others.count);
    for (size_t i = 0; i < a->others.count; i++) {
        ck_assert(signature_equal(a->others.list[i].signature, b->others.list[i].signature));
        ck_assert_uint_eq(a->others.list[i].input.size, b->others.list[i].input.size);
        ck_assert_uint_eq(a->others.list[i].input.seed, b->others.list[i].input.seed);
    }
}

typedef struct literal {
    answer (*answer)(model *m, seed_input t, uint64_t call);
    uint64_t size;
} literal;

static const literal literals[] = {{size_only, 0}, {size_only, 41}, {exact_size, 64}, {never, 0},
                                   {two_ways, 10}, {marker, 1},     {marker, 30}};

TEST_EACH(any_number_of_jobs_finds_the_same, sizeof literals / sizeof *literals) {
    const unsigned jobs[] = {1, 2, 8};
    static search_result alone;
    search_config config = plain_config(25);
    model *m = model_create(literals[_i].answer, literals[_i].size);
    config.strategy.master_seed = 11;
    config.strategy.size_max = 2048;
    run_with(&config, m, 0, runner_fake_create, &alone);
    for (size_t i = 0; i < 3; i++) {
        m->calls = 0;
        run_with(&config, m, jobs[i], runner_fake_create, &result);
        check_same(&alone, &result);
        m->calls = 0;
        run_with(&config, m, jobs[i], timed_create, &result);
        check_same(&alone, &result);
    }
    model_destroy(m);
}

TEST(batches_of_many_runs_of_a_flaky_system) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        model *m = model_create(seldom_but_sure_and_flaky, 10);
        search_config config = plain_config(200);
        config.strategy.master_seed = seed;
        m->percent = 5;
        run_with(&config, m, 1 + (unsigned)seed % 2, timed_create, &result);
        ck_assert(result.found);
        ck_assert(!failure_is_flaky(&result.best));
        ck_assert_uint_eq(result.best.input.size, SURE_SIZE);
        ck_assert_uint_eq(result.claim.best.size, result.best.input.size);
        ck_assert_uint_eq(result.claim.best.seed, result.best.input.seed);
        model_destroy(m);
    }
}

TEST(workers_that_are_slow_to_give_up) {
    for (uint64_t seed = 0; seed < 6; seed++) {
        model *m = model_create(flaky_and_sure, 10);
        search_config config = plain_config(10);
        config.strategy.master_seed = seed;
        config.strategy.size_max = 512;
        m->percent = 90;
        run_with(&config, m, 3 + (unsigned)seed, sluggish_create, &result);
        ck_assert_int_eq(result.stop.end, END_DONE);
        ck_assert(result.found);
        model_destroy(m);
    }
}

/* ---- All failures ---- */

static search_config each_config(uint64_t attempts) {
    search_config config = plain_config(attempts);
    config.goal = SEARCH_EACH;
    config.strategy.masks = MASKED_COUNTS_LESS;
    return config;
}

/* A program in which the bytes are operations. Which comes first decides how it fails: a byte below
 * `shallow` (exit 1), three in a row below 128 (exit 2), or a row of N of at least 128 (exit 3). */
static outcome three_bugs(void *context, seed_input t) {
    static uint8_t bytes[1 << 12];
    model *m = context;
    uint64_t low = 0, high = 0;
    __atomic_fetch_add(&m->calls, 1, __ATOMIC_SEQ_CST);
    frng_expand(t.seed, bytes, t.size);
    for (uint64_t i = 0; i < t.size; i++) {
        low = bytes[i] < 128 ? low + 1 : 0;
        high = bytes[i] < 128 ? 0 : high + 1;
        const int status = bytes[i] < m->percent ? 1 : low == 3 ? 2 : high == m->size ? 3 : 0;
        outcome o = outcome_of_status(status << 8);
        if (m->at > 0) o.drawn = i + 1;
        if (status != 0) return o;
    }
    return outcome_of_status(0);
}

/* Search for all failures of a function. */
static void run_each(const search_config *config, outcome (*judged)(void *, seed_input), model *m,
                     unsigned jobs, search_result *r) {
    const runner_fake_config fake = {.judge = judged, .context = m};
    const pool_config workers = {
        .jobs = jobs, .create = runner_fake_create, .config = &fake, .interrupt_fd = -1};
    const event_sink none = {NULL, NULL};
    pool *p = pool_create(&workers);
    ck_assert_ptr_nonnull(p);
    search_run(config, p, &none, r);
    drop_outputs(r);
    pool_destroy(p);
}

static const search_answer *answer_of(const search_result *r, int status) {
    for (size_t i = 0; i < r->each.count; i++) {
        if (r->each.list[i].best.signature.value == status) return &r->each.list[i];
    }
    ck_abort_msg("no failure with exit:%d", status);
}

/* Whether the target reports its draws or not, each bug ends at its size, and has its claim. */
TEST_EACH(each_bug_is_minimised, 2) {
    for (uint64_t seed = 0; seed < 10; seed++) {
        model *m = model_create(never, 7);
        search_config config = each_config(100);
        config.strategy.master_seed = seed;
        m->percent = 40; /* one byte in six: most runs fail so, and soon */
        m->at = (uint64_t)_i;
        run_each(&config, three_bugs, m, 0, &result);
        ck_assert_int_eq(result.stop.end, END_DONE);
        ck_assert(result.found);
        ck_assert_uint_eq(result.each.count, 3);
        ck_assert_uint_eq(result.best.input.size, 1);
        ck_assert_uint_eq(answer_of(&result, 1)->best.input.size, 1);
        ck_assert_uint_eq(answer_of(&result, 2)->best.input.size, 3);
        ck_assert_uint_le(answer_of(&result, 3)->best.input.size, 9);
        for (size_t i = 0; i < 3; i++) {
            const search_answer *of = &result.each.list[i];
            ck_assert_uint_eq(of->best.reruns, FAILURE_RERUNS);
            ck_assert(seed_input_equal(of->claim.best, of->best.input));
            ck_assert_uint_eq(of->claim.run.below, of->best.input.size - 1);
            if (of->claim.run.below > 0) ck_assert_uint_ge(of->claim.run.passed, 100);
        }
        ck_assert_uint_ge(result.grown.rounds, 100);
        ck_assert_uint_eq(m->calls, result.runs + result.reruns);
        model_destroy(m);
    }
}

/* The deep one shows in one run of 300, since most bytes fail at once. */
TEST(a_bug_behind_one_that_nearly_always_fails_is_found) {
    unsigned found = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        model *m = model_create(never, 8);
        search_config config = each_config(100);
        config.strategy.master_seed = seed;
        m->percent = 128; /* a run shows eight high bytes in a row before a low one */
        m->at = 1;
        run_each(&config, three_bugs, m, 0, &result);
        ck_assert_uint_eq(answer_of(&result, 1)->best.input.size, 1);
        found += result.each.count == 2 && answer_of(&result, 3)->best.input.size == 8;
        model_destroy(m);
    }
    ck_assert_uint_ge(found, 9);
}

/* It fails at 5 to 11 bytes, and otherwise from 12 bytes on, whatever they are. */
static outcome by_size(void *context, seed_input t) {
    model *m = context;
    __atomic_fetch_add(&m->calls, 1, __ATOMIC_SEQ_CST);
    const bool is_deep = t.size >= 5 && t.size < 12 && t.seed % 16 == 0;
    return outcome_of_status(t.size >= 12 ? 1 << 8 : is_deep ? 2 << 8 : 0);
}

TEST(a_bug_only_at_sizes_below_the_shallow_one_is_found) {
    for (uint64_t seed = 0; seed < 10; seed++) {
        model *m = model_create(never, 0);
        search_config config = each_config(200);
        config.strategy.master_seed = seed;
        run_each(&config, by_size, m, 0, &result);
        ck_assert_uint_eq(answer_of(&result, 1)->best.input.size, 12);
        ck_assert_uint_eq(answer_of(&result, 2)->best.input.size, 5);
        model_destroy(m);
    }
}

TEST(without_failures_a_search_for_all_is_like_any_other) {
    model *m = model_create(never, 0);
    const search_config config = each_config(20), plain = plain_config(20);
    run_each(&config, judge, m, 0, &result);
    const search_result each = result;
    m->calls = 0;
    run(&plain, m, &result);
    ck_assert(!each.found && !each.inconclusive);
    ck_assert_uint_eq(each.each.count, 0);
    ck_assert_uint_eq(each.runs, result.runs);
    ck_assert_uint_eq(each.claim.run.rounds, result.claim.run.rounds);
    model_destroy(m);
}

/* Exit 2 in half of the runs from 10 bytes on; else exit 1 in all from 50 bytes on. */
static outcome flaky_and_not(void *context, seed_input t) {
    model *m = context;
    const uint64_t call = __atomic_fetch_add(&m->calls, 1, __ATOMIC_SEQ_CST);
    if (t.size >= 50 && t.seed % 2 == 0) return outcome_of_status(1 << 8);
    if (t.size >= 10 && hash(t.seed, t.size, call) % 2 == 0) return outcome_of_status(2 << 8);
    return outcome_of_status(0);
}

TEST(a_flaky_signature_is_listed_after_one_that_always_fails) {
    for (uint64_t seed = 0; seed < 5; seed++) {
        model *m = model_create(never, 0);
        search_config config = each_config(20);
        config.strategy.master_seed = seed;
        run_each(&config, flaky_and_not, m, 0, &result);
        ck_assert_uint_eq(result.each.count, 2);
        ck_assert_int_eq(result.best.signature.value, 1);
        ck_assert_uint_eq(result.best.input.size, 50);
        ck_assert(failure_is_flaky(&result.each.list[1].best));
        ck_assert_uint_eq(result.each.list[1].best.reruns, FAILURE_RERUNS);
        ck_assert_uint_eq(result.each.list[1].claim.run.passed, 0);
        model_destroy(m);
    }
}

/* ---- All failures, and keeping going ---- */

/* Sizes of the runs in their order, as EVENT_TESTED gives them. Run `end` interrupts the search. */
enum { SIZES_MAX = 8000 };

typedef struct sizes_of_runs {
    size_t count, end;
    uint16_t list[SIZES_MAX];
    int interrupt_fd;
} sizes_of_runs;

static void take_sizes(void *context, const event *e) {
    sizes_of_runs *sizes = context;
    if (e->kind != EVENT_TESTED || sizes->count == sizes->end) return;
    for (uint64_t i = 0; i < e->tested->runs && sizes->count < sizes->end; i++) {
        sizes->list[sizes->count++] = (uint16_t)e->tested->size;
    }
    if (sizes->count == sizes->end) ck_assert_int_eq(write(sizes->interrupt_fd, "", 1), 1);
}

/* Search for each failure of a function until the sink interrupts. */
static void keep_going(const search_config *config, outcome (*judged)(void *, seed_input), model *m,
                       unsigned jobs, void (*takes)(void *, const event *), sizes_of_runs *sizes) {
    const runner_fake_config fake = {.judge = judged, .context = m};
    const event_sink sink = {takes, sizes};
    search_config going = *config;
    int ends[2];
    going.keeps_going = true;
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    const pool_config workers = {
        .jobs = jobs, .create = runner_fake_create, .config = &fake, .interrupt_fd = ends[0]};
    pool *p = pool_create(&workers);
    ck_assert_ptr_nonnull(p);
    sizes->count = 0;
    sizes->interrupt_fd = ends[1];
    search_run(&going, p, &sink, &result);
    drop_outputs(&result);
    ck_assert_int_eq(result.stop.end, END_INTERRUPTED);
    pool_destroy(p);
    close(ends[0]);
    close(ends[1]);
}

/* Exit 1 from 50 bytes on, exit 2 of two inputs that other searches found. */
static outcome luck_of_others(void *context, seed_input t) {
    model *m = context;
    __atomic_fetch_add(&m->calls, 1, __ATOMIC_SEQ_CST);
    const bool is_luck = (t.size == 40 || t.size == 30) && t.seed == FOUND_SEED;
    return outcome_of_status(t.size >= 50 ? 1 << 8 : is_luck ? 2 << 8 : 0);
}

/* Offer two inputs at the start, and the last one while a round grows, although the search
 * knows failures. */
static bool offer_while_growing(void *context, const failure *best, failure *next) {
    static const seed_input inputs[] = {{50, 9}, {40, FOUND_SEED}, {30, FOUND_SEED}};
    size_t *given = context;
    if (*given == 3 || (*given == 2 && best != NULL)) return false;
    *next = (failure){.input = inputs[(*given)++]};
    return true;
}

/* Take the sizes of the runs after the failure of 30 bytes. */
static void take_sizes_below_30(void *context, const event *e) {
    sizes_of_runs *sizes = context;
    const bool is_failure = e->kind == EVENT_BEST || e->kind == EVENT_OTHER;
    if (is_failure && e->failure->input.size == 30) sizes->end = 100;
    take_sizes(context, e);
}

TEST(a_smaller_failure_met_while_growing_is_pursued_at_once) {
    static sizes_of_runs sizes;
    size_t given = 0, below = 0;
    model *m = model_create(never, 0);
    search_config config = each_config(300);
    config.strategy.size_max = 64;
    config.source = (search_source){offer_while_growing, &given};
    keep_going(&config, luck_of_others, m, 1, take_sizes_below_30, &sizes);
    for (size_t i = 0; i < sizes.count; i++) below += sizes.list[i] < 30;
    ck_assert_uint_eq(below, sizes.count);
    model_destroy(m);
}

/* The budget is spent in the first call after another failure is met. */
enum lateness { ON_TIME, LATE_NOW, LATE_ONCE };
static uint64_t *lateness; /* shared with the workers */

static outcome by_size_late(void *context, seed_input t) {
    if (*lateness == LATE_NOW) {
        *lateness = LATE_ONCE;
        nanosleep(&(struct timespec){1, 600 * CLOCK_NS_PER_MS}, NULL);
    }
    return by_size(context, t);
}

static void be_late_after_second(void *context, const event *e) {
    (void)context;
    const bool is_second = e->kind == EVENT_BEST && e->failure->signature.value == 2;
    if (is_second && *lateness == ON_TIME) *lateness = LATE_NOW;
}

TEST(the_best_of_each_signature_is_rerun_after_the_deadline) {
    model *m = model_create(never, 0), *late = model_create(never, 0);
    const runner_fake_config fake = {.judge = by_size_late, .context = m};
    const pool_config workers = {.create = runner_fake_create, .config = &fake, .interrupt_fd = -1};
    const event_sink sink = {be_late_after_second, NULL};
    search_config config = each_config(200);
    lateness = &late->calls;
    config.deadline_ns = clock_after(clock_now_ns(), 1500 * CLOCK_NS_PER_MS);
    pool *p = pool_create(&workers);
    ck_assert_ptr_nonnull(p);
    search_run(&config, p, &sink, &result);
    drop_outputs(&result);
    pool_destroy(p);
    ck_assert_int_eq(result.stop.end, END_SPENT);
    ck_assert_uint_eq(result.each.count, 2);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(result.each.list[i].best.reruns, FAILURE_RERUNS);
    }
    model_destroy(m);
    model_destroy(late);
}

/* ---- Ignored failures ---- */

TEST(the_search_goes_on_past_what_is_ignored) {
    for (unsigned jobs = 0; jobs < 5; jobs += 2) {
        model *m = model_create(never, 7);
        search_config config = plain_config(100);
        config.strategy.masks = MASKED_COUNTS_LESS;
        config.filter = ignoring("exit:1");
        m->percent = 40;
        m->at = 1;
        run_each(&config, three_bugs, m, jobs, &result);
        ck_assert(result.found);
        ck_assert_int_eq(result.best.signature.value, 2);
        ck_assert_uint_eq(result.best.input.size, 3);
        ck_assert_uint_ge(result.claim.run.passed, 100);
        ck_assert_uint_eq(result.ignored.count, 1);
        ck_assert_uint_gt(result.ignored.list[0].runs, 0);
        model_destroy(m);
    }
}

TEST(only_ignored_failures_are_none) {
    model *m = model_create(size_only, 5);
    search_config config = plain_config(20);
    config.filter = ignoring("signal:SIGABRT");
    run(&config, m, &result);
    ck_assert_int_eq(result.stop.end, END_DONE);
    ck_assert(!result.found && !result.inconclusive);
    ck_assert_uint_eq(result.reruns, 0);
    ck_assert_uint_eq(ignored_runs(&result.ignored), result.ignored.list[0].runs);
    ck_assert_uint_gt(result.ignored.list[0].runs, 100);
    model_destroy(m);
}

SUITE(.timeout_s = 120);

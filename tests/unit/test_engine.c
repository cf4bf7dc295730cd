/* engine.h: the top of run, which searches and reductions use. */
#include "clock.h"
#include "engine.h"
#include "event.h"
#include "pool.h"
#include "runner_fake.h"
#include "suite.h"

#include <errno.h>

/* ---- A target as a function: run i ends as the i-th character says, the last for ever ---- */

static const char *script_at; /* p passes, f exits with 1, g with 2, s is stuck, e is an error */
static size_t runs, results;
static runner_fake_config fake;
static pool_config workers;
static client c;
static batch b;

static outcome next_outcome(void *context, seed_input t) {
    (void)context, (void)t;
    const char end = *script_at;
    if (script_at[1] != '\0') script_at++;
    runs++;
    switch (end) {
    case 'f': return outcome_of_status(1 << 8);
    case 'g': return outcome_of_status(2 << 8);
    case 's': return outcome_stuck();
    case 'e': return outcome_error(FAULT_EXEC, ENOENT);
    default: return outcome_of_status(0);
    }
}

static outcome judge_bytes(void *context, candidate_set *given, uint32_t index, bool capture) {
    (void)capture;
    if (candidate_set_size(given, index) != 3) abort(); /* a worker has no use for ck_assert */
    if (memcmp(candidate_set_bytes(given, index), "abc", 3) != 0) abort();
    return next_outcome(context, (seed_input){3, 0});
}

static void on_result(void *context, const run_result *r) {
    (void)context, (void)r;
    results++;
}

static void begin(const char *ends) {
    static const event_sink no_sink;
    script_at = ends;
    runs = results = 0;
    fake = (runner_fake_config){next_outcome, NULL, judge_bytes};
    workers = (pool_config){.create = runner_fake_create,
                            .config = &fake,
                            .interrupt_fd = -1,
                            .candidate_set_bytes = 8};
    pool *p = pool_create(&workers);
    ck_assert_ptr_nonnull(p);
    const client_hooks hooks = {NULL, on_result, NULL};
    client_init(&c, p, &(client_config){CLOCK_NEVER, &no_sink, hooks});
}

static const run_result *run_seed(void) {
    const client_input seed = client_seed((seed_input){.size = 9, .seed = 4});
    return client_run_alone(&c, &seed, RUN_TRY, &b);
}

static const signature exit_1 = {SIGNATURE_EXIT, 1};

/* ---- The client ---- */

TEST(an_input_is_run_alone) {
    begin("fp");
    const run_result *r = run_seed();
    ck_assert(r != NULL && outcome_failed(&r->last));
    ck_assert_uint_eq(b.first_seed, 4);
    ck_assert_uint_eq(b.size, 9);
    const client_input bytes = client_bytes((const uint8_t *)"abc", 3);
    r = client_run_alone(&c, &bytes, RUN_SHOW, &b);
    ck_assert(r != NULL && r->last.verdict == VERDICT_PASS);
    ck_assert_ptr_nonnull(b.candidates);
    ck_assert_uint_eq(c.runs, 2);
    ck_assert_uint_eq(results, 2);
    pool_destroy(c.pool);
}

TEST(an_error_stops_the_client) {
    begin("e");
    ck_assert_ptr_null(run_seed());
    ck_assert(!client_is_running(&c));
    ck_assert_int_eq(c.stop.end, END_ENVIRONMENT);
    ck_assert_int_eq(c.stop.error.error_number, ENOENT);
    client_stop(&c, END_BROKEN);
    ck_assert_int_eq(c.stop.end, END_ENVIRONMENT); /* the first reason stands */
    client_extend(&c, INT64_MAX);
    ck_assert(!client_is_running(&c));
    pool_destroy(c.pool);
}

TEST(a_limit_of_runs_or_time_stops_the_client_until_it_is_extended) {
    begin("p");
    c.runs_max = 2;
    ck_assert_ptr_nonnull(run_seed());
    ck_assert_ptr_nonnull(run_seed());
    ck_assert_ptr_null(run_seed());
    ck_assert_int_eq(c.stop.end, END_SPENT);
    client_extend(&c, clock_after(clock_now_ns(), 60 * CLOCK_NS_PER_S));
    ck_assert_ptr_nonnull(run_seed());
    ck_assert(client_is_running(&c));
    ck_assert_int_eq(c.stop.end, END_SPENT); /* so it will be called at the end */
    pool_destroy(c.pool);
    begin("p");
    c.config.deadline_ns = clock_now_ns();
    ck_assert_ptr_null(client_wait(&c, &b));
    ck_assert_int_eq(c.stop.end, END_SPENT);
    ck_assert_uint_eq(runs, 0);
    pool_destroy(c.pool);
}

/* Make one run in a pool of its own. */
static run_end run_once(const client_config *config, run_result *result) {
    const client_input bytes = client_bytes((const uint8_t *)"abc", 3);
    pool *p = pool_create(&workers);
    const run_end end = client_run_once(p, config, &bytes, RUN_SHOW, result).end;
    pool_destroy(p);
    return end;
}

TEST(one_run_has_a_client_of_its_own) {
    static run_result result;
    const client_config endless = {.deadline_ns = CLOCK_NEVER}, late = {.deadline_ns = 0};
    begin("f");
    workers.jobs = 1;
    ck_assert_int_eq(run_once(&endless, &result), END_DONE);
    ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
    script_at = "e";
    ck_assert_int_eq(run_once(&endless, &result), END_ENVIRONMENT);
    ck_assert_int_eq(result.last.error_number, ENOENT);
    ck_assert_int_eq(run_once(&late, &result), END_SPENT);
    pool_destroy(c.pool);
}

/* ---- Reruns of a failure with exit status 1 ---- */

static const failure fails_with_1 = {.signature = {SIGNATURE_EXIT, 1}};

static const struct {
    const char *ends;
    unsigned count;
    reruns_until until;
    const failure *like;
    unsigned before[2];              /* earlier reruns, and those that failed */
    bool all;                        /* wanted: all failed, */
    unsigned reruns, repeated, exit; /* reruns, those that failed, exit status of the failure, */
    failure_cause cause;
} reruns[] = {
    {"f", 20, RERUNS_UNTIL_PASS, NULL, {0, 0}, true, 20, 20, 1, CAUSE_NONE},
    {"ffpf", 20, RERUNS_UNTIL_PASS, NULL, {0, 0}, false, 3, 2, 1, CAUSE_NONE},
    {"ffpf", 20, RERUNS_ALL, NULL, {0, 0}, false, 20, 19, 1, CAUSE_NONE},
    {"f", 5, RERUNS_UNTIL_PASS, NULL, {3, 2}, true, 5, 4, 1, CAUSE_NONE}, /* an earlier pass */
    /* The first is certain. */
    {"gf", 2, RERUNS_UNTIL_PASS, NULL, {0, 0}, true, 2, 2, 2, CAUSE_NONE},
    {"gf", 2, RERUNS_ALL, &fails_with_1, {0, 0}, false, 2, 1, 1, CAUSE_NONE},
    {"fsf", 3, RERUNS_ALL, NULL, {0, 0}, false, 3, 2, 1, CAUSE_WORKER}, /* no pass, no failure */
};

TEST(reruns_tell_a_failure_from_a_flaky_one) {
    for (size_t i = 0; i < sizeof reruns / sizeof *reruns; i++) {
        failure f = {.input = {9, 4},
                     .signature = exit_1,
                     .reruns = reruns[i].before[0],
                     .repeated = reruns[i].before[1]};
        const reruns_job what = {client_seed(f.input), &f, reruns[i].like};
        begin(reruns[i].ends);
        ck_assert(reruns_make(&c, &what, reruns[i].count, reruns[i].until) == reruns[i].all);
        ck_assert_uint_eq(runs, f.reruns - reruns[i].before[0]);
        ck_assert_uint_eq(f.reruns, reruns[i].reruns);
        ck_assert_uint_eq(f.repeated, reruns[i].repeated);
        ck_assert_int_eq(f.signature.value, (int)reruns[i].exit);
        ck_assert_int_eq(f.cause, reruns[i].cause);
        pool_destroy(c.pool);
    }
}

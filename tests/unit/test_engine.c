/* engine.h: the top of run, which searches and reductions use. */
#include "clock.h"
#include "engine.h"
#include "event.h"
#include "pool.h"
#include "runner_fake.h"
#include "suite.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* ---- A target as a function: run i ends as the i-th character says, the last for ever ---- */

typedef struct script {
    const char *ends; /* p passes, f exits with 1, g exits with 2, s is stuck, e is an error */
    size_t at;
    size_t runs;
    unsigned results, violations, idles;
} script;

static outcome next_outcome(void *context, seed_input t) {
    script *s = context;
    (void)t;
    const char end = s->ends[s->at];
    if (s->ends[s->at + 1] != '\0') s->at++;
    s->runs++;
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
    (void)r;
    ((script *)context)->results++;
}

static const event_sink no_sink;

typedef struct setup {
    script script;
    runner_fake_config fake;
    pool_config workers;
    pool *pool;
    client client;
} setup;

static void begin(setup *s, const char *ends) {
    *s = (setup){.script = {.ends = ends}};
    s->fake = (runner_fake_config){next_outcome, &s->script, judge_bytes};
    s->workers = (pool_config){.create = runner_fake_create,
                               .config = &s->fake,
                               .interrupt_fd = -1,
                               .candidate_set_bytes = 8};
    s->pool = pool_create(&s->workers);
    ck_assert_ptr_nonnull(s->pool);
    const client_hooks hooks = {&s->script, on_result, NULL};
    client_init(&s->client, s->pool, &(client_config){CLOCK_NEVER, &no_sink, hooks});
}

static void end(setup *s) { pool_destroy(s->pool); }

static const signature exit_1 = {SIGNATURE_EXIT, 1}, exit_2 = {SIGNATURE_EXIT, 2};

/* ---- The client ---- */

TEST(an_input_is_run_alone) {
    setup s;
    batch runs;
    begin(&s, "fp");
    const client_input seed = client_seed((seed_input){.size = 9, .seed = 4});
    const run_result *r = client_run_alone(&s.client, &seed, RUN_TRY, &runs);
    ck_assert_ptr_nonnull(r);
    ck_assert(outcome_failed(&r->last));
    ck_assert_uint_eq(runs.first_seed, 4);
    ck_assert_uint_eq(runs.size, 9);
    const client_input bytes = client_bytes((const uint8_t *)"abc", 3);
    r = client_run_alone(&s.client, &bytes, RUN_SHOW, &runs);
    ck_assert_ptr_nonnull(r);
    ck_assert_int_eq(r->last.verdict, VERDICT_PASS);
    ck_assert_ptr_nonnull(runs.candidates);
    ck_assert_uint_eq(s.client.runs, 2);
    ck_assert_uint_eq(s.script.results, 2);
    end(&s);
}

TEST(an_error_stops_the_client) {
    setup s;
    batch runs;
    begin(&s, "e");
    const client_input seed = client_seed((seed_input){.size = 9, .seed = 4});
    ck_assert_ptr_null(client_run_alone(&s.client, &seed, RUN_TRY, &runs));
    ck_assert(!client_is_running(&s.client));
    ck_assert_int_eq(s.client.stop.end, END_ENVIRONMENT);
    ck_assert_int_eq(s.client.stop.error.error_number, ENOENT);
    client_stop(&s.client, END_BROKEN);
    ck_assert_int_eq(s.client.stop.end, END_ENVIRONMENT); /* the first reason stands */
    client_extend(&s.client, 1);
    ck_assert(!client_is_running(&s.client));
    end(&s);
}

TEST(a_limit_of_runs_stops_the_client_until_it_is_extended) {
    setup s;
    batch runs;
    begin(&s, "p");
    s.client.runs_max = 2;
    const client_input seed = client_seed((seed_input){.size = 9, .seed = 4});
    ck_assert_ptr_nonnull(client_run_alone(&s.client, &seed, RUN_TRY, &runs));
    ck_assert_ptr_nonnull(client_run_alone(&s.client, &seed, RUN_TRY, &runs));
    ck_assert_ptr_null(client_run_alone(&s.client, &seed, RUN_TRY, &runs));
    ck_assert_int_eq(s.client.stop.end, END_SPENT);
    client_extend(&s.client, 60 * CLOCK_NS_PER_S);
    ck_assert_ptr_nonnull(client_run_alone(&s.client, &seed, RUN_TRY, &runs));
    ck_assert(client_is_running(&s.client));
    ck_assert_int_eq(s.client.stop.end, END_SPENT); /* so it will be called at the end */
    end(&s);
}

TEST(a_deadline_that_has_passed_stops_the_client) {
    setup s;
    batch runs;
    begin(&s, "p");
    s.client.config.deadline_ns = clock_now_ns();
    ck_assert_ptr_null(client_wait(&s.client, &runs));
    ck_assert_int_eq(s.client.stop.end, END_SPENT);
    ck_assert_uint_eq(s.script.runs, 0);
    end(&s);
}

TEST(one_run_has_a_pool_of_its_own) {
    setup s;
    static run_result result;
    const client_config endless = {.deadline_ns = CLOCK_NEVER}, late = {.deadline_ns = 0};
    begin(&s, "f");
    s.workers.jobs = 1;
    const client_input bytes = client_bytes((const uint8_t *)"abc", 3);
    ck_assert_int_eq(client_run_once(&s.workers, &endless, &bytes, &result).end, END_DONE);
    ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
    s.script.ends = "e";
    ck_assert_int_eq(client_run_once(&s.workers, &endless, &bytes, &result).end, END_ENVIRONMENT);
    ck_assert_int_eq(result.last.error_number, ENOENT);
    ck_assert_int_eq(client_run_once(&s.workers, &late, &bytes, &result).end, END_SPENT);
    end(&s);
}

/* ---- Reruns ---- */

/* Rerun a failure with exit status 1 against a script. */
static failure rerun(const char *ends, unsigned count, reruns_until until, const failure *like,
                     bool *all) {
    setup s;
    failure f = {.input = {9, 4}, .signature = exit_1};
    const reruns_job what = {client_seed(f.input), &f, like};
    begin(&s, ends);
    *all = reruns_make(&s.client, &what, count, until);
    ck_assert_uint_eq(s.script.runs, f.reruns);
    end(&s);
    return f;
}

TEST(reruns_that_all_fail_are_counted) {
    bool all;
    const failure f = rerun("f", 20, RERUNS_UNTIL_PASS, NULL, &all);
    ck_assert(all);
    ck_assert_uint_eq(f.reruns, 20);
    ck_assert_uint_eq(f.repeated, 20);
    ck_assert_int_eq(f.cause, CAUSE_NONE);
}

TEST(a_pass_ends_reruns_where_that_is_enough) {
    bool all;
    failure f = rerun("ffpf", 20, RERUNS_UNTIL_PASS, NULL, &all);
    ck_assert(!all);
    ck_assert_uint_eq(f.reruns, 3);
    ck_assert_uint_eq(f.repeated, 2);
    f = rerun("ffpf", 20, RERUNS_ALL, NULL, &all);
    ck_assert(!all);
    ck_assert_uint_eq(f.reruns, 20);
    ck_assert_uint_eq(f.repeated, 19);
}

TEST(an_earlier_pass_does_not_end_reruns) {
    setup s;
    failure f = {.input = {9, 4}, .signature = exit_1, .reruns = 3, .repeated = 2};
    const reruns_job what = {client_seed(f.input), &f, NULL};
    begin(&s, "f");
    ck_assert(reruns_make(&s.client, &what, 5, RERUNS_UNTIL_PASS));
    ck_assert_uint_eq(f.reruns, 5);
    ck_assert_uint_eq(f.repeated, 4);
    end(&s);
}

TEST(the_signature_is_that_of_the_first_rerun_that_fails) {
    bool all;
    failure f = rerun("gf", 2, RERUNS_UNTIL_PASS, NULL, &all);
    ck_assert(all);
    ck_assert(signature_equal(f.signature, exit_2));
    const failure like = {.signature = exit_1};
    f = rerun("gf", 2, RERUNS_ALL, &like, &all);
    ck_assert(!all);
    ck_assert(signature_equal(f.signature, exit_1));
    ck_assert_uint_eq(f.repeated, 1);
}

TEST(a_rerun_that_stops_its_worker_is_no_pass_and_names_its_cause) {
    bool all;
    const failure f = rerun("fsf", 3, RERUNS_ALL, NULL, &all);
    ck_assert(!all);
    ck_assert_int_eq(f.cause, CAUSE_WORKER);
    ck_assert_uint_eq(f.repeated, 2);
}

/* ---- Distinct failures ---- */

static failure failing(uint64_t size, signature how, const char *site) {
    failure f = {.input = {size, 7}, .signature = how, .reruns = 1, .repeated = 1};
    strcpy(f.site, site);
    return f;
}

TEST(the_smallest_of_each_signature_and_site_is_kept) {
    distinct_failures d = {0};
    const failure a = failing(9, exit_1, "x.c:1"), smaller = failing(8, exit_1, "x.c:1");
    const failure elsewhere = failing(3, exit_1, "x.c:2"), other = failing(5, exit_2, "");
    ck_assert(distinct_failures_add(&d, &a));
    ck_assert(distinct_failures_add(&d, &smaller));
    ck_assert(!distinct_failures_add(&d, &a));
    ck_assert(distinct_failures_add(&d, &elsewhere));
    ck_assert(distinct_failures_add(&d, &other));
    ck_assert_uint_eq(d.count, 3);
    ck_assert_uint_eq(d.list[0].input.size, 8);
    distinct_failures_remove(&d, &a);
    ck_assert_uint_eq(d.count, 2);
    ck_assert_uint_eq(d.list[0].input.size, 3);
    distinct_failures_remove(&d, &a);
    ck_assert_uint_eq(d.count, 2);
}

TEST(a_failure_that_has_no_site_is_not_one_whose_site_is_unknown) {
    distinct_failures d = {0};
    failure at_a_site = failing(9, exit_1, "x.c:1"), unknown = failing(8, exit_1, "");
    failure siteless = failing(7, exit_1, "");
    at_a_site.is_site_known = siteless.is_site_known = true;
    ck_assert(distinct_failures_add(&d, &at_a_site));
    ck_assert_uint_eq(distinct_failures_find(&d, &unknown), 0);
    ck_assert(distinct_failures_add(&d, &siteless));
    ck_assert_uint_eq(d.count, 2);
    ck_assert_uint_eq(distinct_failures_find(&d, &siteless), 1); /* the same before the alike */
}

TEST(what_always_fails_goes_before_what_is_flaky) {
    distinct_failures d = {0};
    failure flaky = failing(3, exit_1, "");
    const failure sure = failing(9, exit_1, "");
    flaky.reruns = 2;
    ck_assert(distinct_failures_add(&d, &flaky));
    ck_assert(distinct_failures_add(&d, &sure));
    ck_assert(!distinct_failures_add(&d, &flaky));
    ck_assert_uint_eq(d.list[0].input.size, 9);
    failure now_flaky = sure;
    now_flaky.reruns = 20;
    ck_assert(distinct_failures_add(&d, &now_flaky)); /* the latest word on the same input */
    ck_assert_uint_eq(d.list[0].reruns, 20);
}

TEST(room_for_distinct_failures_is_bounded) {
    distinct_failures d = {0};
    for (int i = 0; i < DISTINCT_FAILURES_MAX; i++) {
        const failure f = failing(9, (signature){SIGNATURE_EXIT, 1 + i}, "");
        ck_assert(distinct_failures_add(&d, &f));
    }
    const failure more = failing(1, (signature){SIGNATURE_EXIT, 100}, "");
    ck_assert(!distinct_failures_add(&d, &more));
    ck_assert_uint_eq(d.count, DISTINCT_FAILURES_MAX);
}

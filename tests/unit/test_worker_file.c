/* worker_file.h, json_fields.h: reports of searches, and files that may be anything. What
 * frng-status says of other kinds of files is in tests/cli/test_status.py. */
#include "fixture.h"
#include "worker_file.h"

static const char *some_args[] = {"-n", "a\xff", NULL}, *other_args[] = {"-n", NULL};

static const worker_file example = {
    .format = WORKER_FORMAT,
    .name = "node-7",
    .host = "node",
    .pid = 1234,
    .started = "2026-11-22T08:30:00Z",
    .state = WORKER_RUNNING,
    .updated = "2026-11-22T09:30:00Z",
    .every = 75,
    .target = {"./ring", "ab12", some_args, " --only timeout", EXPAND_BOTH},
    .version = "0.1.0",
    .rng_seed = UINT64_MAX,
    .jobs = 4,
    .totals = {.runs = 1000, .reruns = 20, .restarts = 1, .errors = 2, .seconds = 3600.5},
    .rate = 12.5,
    .best = {.is_known = true,
             .input = {.size = 41, .seed = 7, .style = SEED_STYLED},
             .signature = {SIGNATURE_EXIT, 3},
             .site = "ring.c:9"},
    .evidence = {.below = 40, .passed = 101, .counted = 100, .stretches = 5},
};

TEST(what_was_written_is_read_and_each_prefix_of_it_refused) {
    worker_file back;
    const char *why;
    char *text = worker_file_to_json(&example);
    for (size_t size = 0; size + 1 < strlen(text); size++) {
        ck_assert(!worker_file_from_json(text, size, &back, &why));
        ck_assert_str_eq(why, "it is cut short, or not a JSON object");
    }
    ck_assert(worker_file_from_json(text, strlen(text), &back, &why));
    char *again = worker_file_to_json(&back);
    ck_assert_str_eq(text, again);
    ck_assert_str_eq(back.target.args[1], "a\xff");
    ck_assert(back.rng_seed == UINT64_MAX);
    ck_assert(seed_input_equal(back.best.input, example.best.input));
    ck_assert(worker_target_equal(&example.target, &back.target));
    free(text);
    free(again);
    worker_file_free(&back);
}

TEST(passes_of_other_targets_do_not_add_up) {
    const worker_target a = example.target;
    const worker_target others[] = {{a.sut, a.digest, other_args, a.filter, a.expand},
                                    {a.sut, "cd", a.args, a.filter, a.expand},
                                    {a.sut, a.digest, a.args, "", a.expand},
                                    {a.sut, a.digest, a.args, a.filter, EXPAND_UNIFORM}};
    for (int i = 0; i < 4; i++) ck_assert(!worker_target_equal(&a, &others[i]));
    worker_target unknown = a;
    unknown.digest = NULL; /* it may be any file */
    ck_assert(!worker_target_equal(&unknown, &unknown));
    unknown = a;
    unknown.sut = "elsewhere/ring";
    ck_assert(worker_target_equal(&a, &unknown));
}

TEST(values_that_make_no_sense_are_refused) {
    static const char *const changes[][3] = {
        {"\"runs\": 1000", "\"runs\": -1", "its \"runs\" makes no sense"},
        {"\"runs\": 1000", "\"runs\": \"x\"", "its \"runs\" makes no sense"},
        {"\"every\": 75.0", "\"every\": 0", "its values contradict each other"},
        {"\"state\": \"running\"", "\"state\": \"no\"", "its \"state\" makes no sense"},
        {"\"counted\": 100", "\"counted\": 102", "its values contradict each other"},
        {"\"stretches\": 5", "\"stretches\": 0", "its values contradict each other"},
        {"\"seed\": \"7s\"", "\"seed\": \"x\"", "its \"best\" makes no sense"},
        {"\"expand\": \"both\"", "\"expand\": \"all\"", "its \"target\" makes no sense"},
        {"\"arguments\": [", "\"arguments\": [ 5, ", "its \"target\" makes no sense"},
        {"\"seconds\": 3600.5", "\"seconds\": 1e16", "its \"seconds\" makes no sense"},
        {"\"signature\": \"exit:3\"", "\"signature\": 3", "its \"best\" makes no sense"}};
    char *whole = worker_file_to_json(&example), *text;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        worker_file w;
        const char *why, *at = strstr(whole, changes[i][0]);
        ck_assert_ptr_nonnull(at);
        ck_assert_int_gt(asprintf(&text, "%.*s%s%s", (int)(at - whole), whole, changes[i][1],
                                  at + strlen(changes[i][0])),
                         0);
        ck_assert_msg(!worker_file_from_json(text, strlen(text), &w, &why), "%s", changes[i][1]);
        ck_assert_str_eq(why, changes[i][2]);
        free(text);
    }
    free(whole);
}

TEST(names_are_made_fit_for_files) {
    static const char *const cases[][2] = {{"a/b\nc", "a_b_c"}, {"..", "_."}, {"", "worker"}};
    char name[WORKER_NAME_MAX + 1], longer[2 * WORKER_NAME_MAX];
    for (int i = 0; i < 3; i++) {
        worker_name_clean(cases[i][0], name);
        ck_assert_str_eq(name, cases[i][1]);
    }
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    worker_name_clean(longer, name);
    ck_assert_uint_eq(strlen(name), WORKER_NAME_MAX);
}

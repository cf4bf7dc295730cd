/* stages.h: the signatures that a search for all failures pursues one after the other. */
#include "stages.h"
#include "suite.h"

static stages all;

static failure failure_of(int status, const char *site, uint64_t size) {
    failure f = {.input = {size, 7},
                 .signature = {SIGNATURE_EXIT, status},
                 .is_site_known = true,
                 .reruns = 1,
                 .repeated = 1};
    snprintf(f.site, sizeof f.site, "%s", site);
    return f;
}

static bool add(int status, const char *site, uint64_t size) {
    const failure f = failure_of(status, site, size);
    return stages_add(&all, &f);
}

static stages_answer judge(int status, const char *site, uint64_t size) {
    failure f = failure_of(status, site, size);
    f.is_site_known = site[0] != '\0';
    f.reruns = f.repeated = 0;
    return stages_judge(&all, &f);
}

static void enter(int status, const char *site) {
    const failure f = failure_of(status, site, 0);
    stages_enter(&all, &f);
}

TEST(between_stages_any_new_failure_is_pursued) {
    ck_assert_int_eq(judge(1, "a.c:1", 10), STAGES_PURSUE);
    ck_assert(add(1, "a.c:1", 10));
    ck_assert_int_eq(judge(1, "a.c:1", 10), STAGES_KNOWN);
    ck_assert_int_eq(judge(1, "a.c:2", 10), STAGES_PURSUE);
    ck_assert_int_eq(judge(2, "", 10), STAGES_PURSUE);
}

TEST(in_a_stage_others_are_news_only_if_new_or_smaller) {
    add(1, "a.c:1", 10);
    add(1, "a.c:2", 20);
    enter(1, "a.c:1");
    ck_assert_int_eq(judge(1, "a.c:1", 30), STAGES_PURSUE);
    ck_assert_int_eq(judge(1, "a.c:2", 20), STAGES_KNOWN);
    ck_assert_int_eq(judge(1, "a.c:2", 19), STAGES_NEWS);
    ck_assert_int_eq(judge(3, "", 19), STAGES_NEWS);
}

/* Make the stage of a failure done, as a search does. */
static void finish(int status, const char *site) {
    enter(status, site);
    stage *at = stages_current(&all);
    at->state = STAGE_DONE;
    at->claim = (strategy_claim){.failed = true, .best = at->best.input, .run = {.passed = 100}};
    if (at->best.input.size > 1)
        at->stretch = (strategy_stretch){.size = at->best.input.size - 1, .passed = 100};
}

TEST(stages_that_can_go_on_take_their_turn_again) {
    add(1, "", 10);
    add(2, "", 1);
    add(3, "", 8);
    for (int status = 1; status <= 3; status++) finish(status, "");
    all.list[2].best.reruns = 2; /* flaky */
    ck_assert_ptr_null(stages_pending(&all));
    stages_reopen(&all);
    ck_assert_ptr_eq(stages_pending(&all), &all.list[0]);
    ck_assert_uint_eq(all.list[0].claim.run.passed, 100);
    enter(1, "");
    ck_assert_ptr_null(stages_pending(&all));
}

TEST(a_smaller_best_begins_without_a_claim) {
    add(1, "", 10);
    finish(1, "");
    ck_assert(add(1, "", 10)); /* the same input again */
    ck_assert_uint_eq(all.list[0].claim.run.passed, 100);
    ck_assert(add(1, "", 9));
    ck_assert_int_eq(all.list[0].state, STAGE_PENDING);
    ck_assert(!all.list[0].claim.failed);
    ck_assert_uint_eq(all.list[0].stretch.size, 0);
}

TEST(a_run_without_a_site_is_uncertain_where_sites_differ) {
    add(1, "a.c:1", 10);
    ck_assert_int_eq(judge(1, "", 10), STAGES_UNCERTAIN);
    ck_assert_int_eq(judge(2, "", 10), STAGES_PURSUE);
    enter(1, "a.c:1");
    ck_assert_int_eq(judge(1, "", 10), STAGES_UNCERTAIN);
}

TEST(a_run_that_is_known_to_have_no_site_is_certain) {
    failure f = failure_of(1, "", 10);
    add(1, "a.c:1", 10);
    ck_assert_int_eq(stages_judge(&all, &f), STAGES_PURSUE);
    add(1, "", 10);
    ck_assert_int_eq(stages_judge(&all, &f), STAGES_KNOWN);
    f.is_site_known = false;
    ck_assert_int_eq(stages_judge(&all, &f), STAGES_UNCERTAIN);
}

TEST(a_hang_that_is_known_is_certain) {
    failure f = failure_of(0, "", 10);
    f.signature = (signature){SIGNATURE_TIMEOUT, 0};
    f.is_site_known = false;
    ck_assert(stages_add(&all, &f));
    ck_assert_int_eq(stages_judge(&all, &f), STAGES_KNOWN);
}

TEST(a_smaller_failure_reopens_its_stage) {
    add(1, "", 10);
    add(2, "", 20);
    stages_pending(&all)->state = STAGE_DONE;
    ck_assert_uint_eq(stages_pending(&all)->best.input.size, 20);
    ck_assert(!add(1, "", 11));
    ck_assert_uint_eq(stages_pending(&all)->best.input.size, 20);
    ck_assert(add(1, "", 9));
    ck_assert_uint_eq(stages_pending(&all)->best.input.size, 9);
    ck_assert_uint_eq(all.count, 2);
}

TEST(a_failure_that_always_fails_replaces_a_flaky_one) {
    failure flaky = failure_of(1, "a.c:1", 10);
    flaky.reruns = 2;
    ck_assert(stages_add(&all, &flaky));
    ck_assert_int_eq(judge(1, "a.c:1", 50), STAGES_PURSUE);
    ck_assert(add(1, "a.c:1", 50));
    ck_assert(!stages_add(&all, &flaky));
    ck_assert_uint_eq(all.list[0].best.input.size, 50);
}

TEST(beyond_32_signatures_none_is_pursued) {
    for (int i = 1; i <= STAGES_MAX; i++) ck_assert(add(i, "", 10));
    ck_assert_int_eq(judge(STAGES_MAX + 1, "", 1), STAGES_KNOWN);
    ck_assert(!add(STAGES_MAX + 1, "", 1));
    ck_assert(add(1, "", 9));
}

TEST(answers_are_sorted_with_flaky_ones_last) {
    failure flaky = failure_of(1, "", 1);
    flaky.reruns = 2;
    stages_add(&all, &flaky);
    add(2, "", 30);
    add(3, "", 20);
    stages_sort(&all);
    ck_assert_int_eq(all.list[0].best.signature.value, 3);
    ck_assert_int_eq(all.list[1].best.signature.value, 2);
    ck_assert_int_eq(all.list[2].best.signature.value, 1);
}

SUITE(.timeout_s = 20);

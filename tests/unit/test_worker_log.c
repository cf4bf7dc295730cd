/* worker_log.h: logs of searches, and files that may be anything. What frng-status makes of them is
 * in tests/cli/test_status.py, what kills and failing calls do to them in tests/world. */
#include "fixture.h"
#include "worker_log.h"

#define START                                                                                      \
    "{\"event\":\"start\",\"sut\":\"./"                                                            \
    "ring\",\"args\":[\"-n\"],\"expand\":\"both\",\"host\":\"node\","                              \
    "\"pid\":12,\"digest\":\"ab12\",\"filter\":\" --only "                                         \
    "timeout\",\"rng_seed\":\"7\",\"every\":75.0}\n"
#define EARLIER                                                                                    \
    "{\"event\":\"earlier\",\"searches\":3,\"runs\":1000,\"errors\":2,\"seconds\":5.0,"            \
    "\"below\":40,\"passed\":10,\"counted\":8,\"stretches\":4}\n"
#define BEST                                                                                       \
    "{\"event\":\"best\",\"size\":41,\"seed\":\"7s\",\"identity\":\"exit:3\",\"site\":\"ring.c:"   \
    "9\"}\n"
#define ALIVE(runs, seconds, best)                                                                 \
    "{\"event\":\"alive\",\"runs\":" #runs ",\"seconds\":" #seconds ",\"best_size\":" #best        \
    ",\"below\":40,\"passed\":5,\"counted\":4,\"stretches\":1,\"every\":60.0}\n"

static worker_report parse(const char *text) {
    worker_report r;
    const char *why;
    ck_assert_msg(worker_report_parse("w3.node-12-99", text, strlen(text), &r, &why), "%s", text);
    return r;
}

TEST(the_newest_lines_and_the_earlier_searches_count) {
    worker_report r = parse(EARLIER START ALIVE(50, 1, null) BEST ALIVE(150, 3, 41));
    ck_assert_str_eq(r.name, "w3");
    ck_assert_int_eq(r.state, WORKER_RUNNING);
    ck_assert_uint_eq(r.totals.runs, 1150);
    ck_assert_uint_eq(r.totals.restarts, 3);
    ck_assert_uint_eq(r.evidence.passed, 15);
    ck_assert_uint_eq(r.evidence.stretches, 5);
    ck_assert(r.rate == 50 && r.every == 60);
    ck_assert(r.best.is_known && r.best.input.size == 41 && r.best.input.style == SEED_STYLED);
    worker_report_free(&r);
    r = parse(START BEST ALIVE(50, 1, null)); /* the best was refuted */
    ck_assert(!r.best.is_known);
    worker_report_free(&r);
}

TEST(a_line_that_was_cut_short_does_not_count) {
    static const char *const cut[] = {"{\"event\":\"alive\",\"runs\":9",
                                      "{\"event\":\"alive\",\"runs\":9\n",
                                      "{\"event\":\"alive\",\"runs\":9" ALIVE(60, 2, null), "\n"};
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        char text[2048];
        snprintf(text, sizeof text, "%s%s", START ALIVE(50, 1, null), cut[i]);
        worker_report r = parse(text);
        ck_assert_uint_eq(r.totals.runs, 50);
        worker_report_free(&r);
    }
}

TEST(what_makes_no_sense_is_no_log) {
    static const char *const texts[] = {
        "",
        EARLIER,
        ALIVE(1, 1, null),
        "[1]\n",
        "{\"event\":\"start\"}\n",
        START "{\"event\":\"done\",\"size\":1,\"seed\":\"x\",\"identity\":\"exit:3\"}\n",
        START "{\"event\":\"done\",\"size\":1,\"seed\":\"1\",\"identity\":\"no\"}\n",
        START "{\"event\":\"alive\",\"every\":60.0,\"passed\":1,\"counted\":2,\"stretches\":1}\n",
        START "{\"event\":\"alive\",\"every\":-1}\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        worker_report r;
        const char *why;
        ck_assert_msg(!worker_report_parse("w", texts[i], strlen(texts[i]), &r, &why), "%s",
                      texts[i]);
        ck_assert_str_eq(why, "it is not the log of a search");
    }
}

TEST(passes_of_other_targets_do_not_add_up) {
    static const char *some_args[] = {"-n", "a\xff", NULL}, *other_args[] = {"-n", NULL};
    const worker_target a = {"./ring", "ab12", some_args, " --only timeout", EXPAND_BOTH};
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

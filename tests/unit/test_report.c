/* report.h: what a person reads, line by line. */
#include "fixture.h"
#include "report.h"

#include "clock.h"
#include "messages.h"
#include "reduction.h"

#include <signal.h>

static const char *const no_args[] = {NULL};
static const subject the_subject = {
    .sut = "./sut", .args = no_args, .replay = "frng-replay", .options = ""};

static failure abort_at(uint64_t size) {
    return (failure){
        .input = {size, 7}, .signature = {SIGNATURE_SIGNAL, SIGABRT}, .reruns = 20, .repeated = 20};
}

static report report_of(report_end end, const failure *best) {
    return (report){.subject = &the_subject,
                    .end = end,
                    .best = best,
                    .runs = 1234,
                    .reruns = 21,
                    .elapsed_ns = 2 * CLOCK_NS_PER_S,
                    .jobs = 2,
                    .size_max = 4096,
                    .rng_seed = 99};
}

static const char *summary(const report *r) {
    capture_begin();
    report_summary(r);
    return capture_end();
}

/* ---- Single lines ---- */

TEST(failures_as_they_come) {
    const failure f = abort_at(41);
    const progress p = {.runs = 1234};
    capture_begin();
    report_failure(&f, true, &p);
    report_failure(&f, false, &p);
    report_replayed(f.input, true);
    report_replayed(f.input, false);
    ck_assert_str_eq(capture_end(), "fails with signal:SIGABRT: size 41, seed 7 (run 1,234)\n"
                                    "also fails with signal:SIGABRT: size 41, seed 7 (run 1,234)\n"
                                    "known finding, size 41, seed 7: still fails\n"
                                    "known finding, size 41, seed 7: passes now\n");
    capture_begin();
    report_flaky(&f);
    assert_contains(capture_end(), "flaky: signal:SIGABRT at size 41, seed 7 passed");
    assert_contains(capture_text, "rerun 20 times\n");
}

TEST(failures_that_a_limit_may_have_made) {
    failure f = abort_at(41);
    f.cause = CAUSE_MEMORY;
    capture_begin();
    report_flaky(&f);
    reduction_tell_flaky(&f);
    ck_assert_str_eq(capture_end(),
                     "inconclusive: memory: signal:SIGABRT with 41 bytes comes of memory "
                     "running out: too little is given, or the program takes all there is\n"
                     "inconclusive: memory: signal:SIGABRT with 41 bytes comes of memory "
                     "running out: too little is given, or the program takes all there is\n");
    f = (failure){.input = {1, 7}, .signature = {SIGNATURE_TIMEOUT, 0}, .cause = CAUSE_TIMEOUT};
    capture_begin();
    report_flaky(&f);
    ck_assert_str_eq(capture_end(),
                     "inconclusive: timeout: a run of 1 byte hung, and ended when given twice the "
                     "time: the machine is busy, or --timeout too short\n");
}

TEST(result_lines) {
    char text[64];
    report_result_line((seed_input){0, UINT64_MAX}, text, sizeof text);
    ck_assert_str_eq(text, "size=0 seed=18446744073709551615\n");
    report_result_line((seed_input){UINT64_MAX, UINT64_MAX}, text, sizeof text);
    ck_assert_str_eq(text, "size=18446744073709551615 seed=18446744073709551615\n");
}

TEST(starts) {
    const char *const args[] = {"a b", "\033[2J", NULL};
    const subject s = {.sut = "./s", .args = args, .replay = "frng-replay", .options = ""};
    capture_begin();
    report_start(&s, "00ff", "spawn", 2, UINT64_MAX);
    ck_assert_str_eq(capture_end(), "testing ./s 'a b' $'\\033[2J'\n"
                                    "  digest 00ff\n"
                                    "  mode spawn, 2 jobs, --rng-seed "
                                    "18446744073709551615\n");
    capture_begin();
    report_start(&s, NULL, "fork", 1, 0);
    assert_contains(capture_end(), "digest unknown\n");
    assert_contains(capture_text, "mode fork, 1 job, --rng-seed 0\n");
}

TEST(verdicts) {
    static const struct {
        uint64_t failed, other, runs;
        const char *text;
    } cases[] = {
        {0, 0, 1, "passes\n"},
        {1, 0, 1, "fails with exit:3\n"},
        {0, 1, 1, "cannot judge: fails with exit:3, not as --only asks\n"},
        {0, 0, 10, "passes each time (fails in 0 of 10 runs: 0%, 95% confidence 0 to 31%)\n"},
        {4, 0, 10, "fails with exit:3 (fails in 4 of 10 runs: 40%, 95% confidence 12 to 74%)\n"},
        {0, 4, 10,
         "cannot judge: fails with exit:3, not as --only asks (fails in 4 of 10 runs: 40%, 95% "
         "confidence 12 to 74%)\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        capture_begin();
        report_verdict(cases[i].failed, cases[i].other, cases[i].runs, "exit:3");
        ck_assert_str_eq(capture_end(), cases[i].text);
    }
}

TEST(wrapped) {
    capture_begin();
    report_wrapped("/tmp/x", true);
    assert_contains(capture_end(), "FRNG_INPUT=/tmp/x\n");
    capture_begin();
    report_wrapped("/tmp/x", false);
    assert_contains(capture_end(), "run < /tmp/x\n");
    capture_begin();
    report_wrapped_unknown("");
    assert_contains(capture_end(), "no verdict: nothing shows that the program ran");
    assert_contains(capture_text, "ended with exit:0\n");
    capture_begin();
    report_wrapped_unknown("exit:3");
    assert_contains(capture_end(), "ended with exit:3\n");
}

/* ---- Summaries ---- */

TEST(a_failure) {
    const failure f = abort_at(41);
    report r = report_of(REPORT_FAILED, &f);
    r.below = 40;
    r.passed = 100;
    r.bound = 0.0512;
    ck_assert_str_eq(
        summary(&r),
        "\nsmallest failure: signal:SIGABRT at size 41\n"
        "  replay   frng-replay ./sut --size 41 --seed 7\n"
        "  reruns   failed again 20/20 times\n"
        "  smaller  100 fresh runs at size 40 passed: under 5.2% of such fail (95% confidence)\n"
        "  effort   1,234 runs and 21 reruns in 2.0s (627/s, 2 jobs), --rng-seed 99\n");
    r.unfinished = true;
    assert_contains(summary(&r), "\nsmallest failure so far: ");
}

TEST(claims) {
    failure f = abort_at(41);
    report r = report_of(REPORT_FAILED, &f);
    assert_lacks(summary(&r), "smaller");
    r.passed = 3;
    r.below = 40;
    r.bound = 1;
    assert_contains(summary(&r), "3 fresh runs at size 40 passed\n");
    assert_lacks(capture_text, "confidence");
    r.bound = 0;
    r.below = 1;
    r.passed = 256;
    assert_contains(summary(&r), "all inputs of size 1 were run and passed\n");
    f.input.size = 0;
    assert_contains(summary(&r), "nothing is: it fails on empty input\n");
    assert_lacks(capture_text, "all inputs");
    r.end = REPORT_INCONCLUSIVE;
    assert_lacks(summary(&r), "smaller");
}

TEST(flaky_ones) {
    failure f = abort_at(41);
    f.repeated = 17;
    report r = report_of(REPORT_FAILED, &f);
    assert_contains(summary(&r),
                    "  reruns   flaky 17/20: fails in 85%, 95% confidence 62 to 97%\n");
    f.alike = (rerun_count){258, 230};
    static const char pooled[] = ": fails in 89%, 95% confidence 84 to 93% (230 of 258 reruns of "
                                 "failures like it)\n";
    assert_contains(summary(&r), "  reruns   flaky 17/20");
    assert_contains(capture_text, pooled);
    f.repeated = 20; /* by luck: it is flaky all the same */
    assert_contains(summary(&r), "  reruns   flaky 20/20");
    assert_contains(capture_text, pooled);
    f.alike = (rerun_count){28, 28};
    assert_contains(summary(&r), "  reruns   failed again 20/20 times: under 17% of such pass (95% "
                                 "confidence)\n");
    assert_lacks(capture_text, "flaky");
    f.alike = (rerun_count){0, 0};
    f.reruns = f.repeated = 0;
    assert_lacks(summary(&r), "  reruns  ");
    r.end = REPORT_INCONCLUSIVE;
    assert_contains(summary(&r), "\ninconclusive: signal:SIGABRT at size 41 failed once, and was "
                                 "not run again\n");
    assert_lacks(capture_text, " 0 times");
    f.reruns = 20;
    assert_contains(summary(&r), "\ninconclusive: signal:SIGABRT at size 41 failed once, and "
                                 "passed 20 of 20 times");
    assert_contains(capture_text, "--size 41 --seed 7\n");
}

TEST(passes) {
    report r = report_of(REPORT_PASSED, NULL);
    r.rounds = 100;
    r.sizes = 9;
    assert_contains(summary(&r),
                    "\nno failure in 1,234 runs: at least 100 at each of 9 sizes up to 4K\n");
    assert_lacks(capture_text, "replay");
    r.only = &(signature){SIGNATURE_EXIT, 3};
    assert_contains(summary(&r), "\nno exit:3 in 1,234 runs: at least 100 at each of 9 sizes");
    r.only = NULL;
    r.rounds = r.sizes = r.runs = 1;
    assert_contains(summary(&r), "\nno failure in 1 run: at least 1 at size 4K\n");
    r.rounds = 0;
    r.runs = 17;
    assert_contains(summary(&r), "\nno failure in 17 runs so far; not every size was tried\n");
    r.runs = 0;
    assert_contains(summary(&r), "\nno failure in 0 runs so far; not every size was tried\n");
    r.end = REPORT_STOPPED;
    assert_contains(summary(&r), "\nstopped before anything failed\n");
    r.runs = r.reruns = 1;
    r.jobs = 1;
    r.elapsed_ns = 0; /* nothing is divided by it */
    assert_contains(summary(&r), "  effort   1 run and 1 rerun in 0.0s (0/s, 1 job)");
}

TEST(others_are_listed) {
    const failure f = abort_at(41);
    failure others[2] = {abort_at(50), abort_at(60)};
    others[0].signature = (signature){SIGNATURE_TIMEOUT, 0};
    others[1].signature = (signature){SIGNATURE_EXIT, 3};
    report r = report_of(REPORT_FAILED, &f);
    r.others = others;
    r.other_count = 2;
    assert_contains(summary(&r), "  also     timeout at size 50\n"
                                 "           frng-replay ./sut --size 50 --seed 7\n"
                                 "  also     exit:3 at size 60\n"
                                 "           frng-replay ./sut --size 60 --seed 7\n");
    others[0].alike = (rerun_count){40, 30};
    others[1].repeated = 3;
    assert_contains(summary(&r), "  also     timeout at size 50, flaky\n");
    assert_contains(capture_text, "  also     exit:3 at size 60, flaky 3/20\n");
    others[0].alike = (rerun_count){0, 0};
    r = report_of(REPORT_PASSED, NULL); /* of what --only does not ask for */
    r.others = others;
    r.other_count = 1;
    assert_contains(summary(&r), "  also     timeout at size 50\n");
}

/* ---- What the run printed ---- */

static const char *summary_with_output(const void *bytes, size_t size) {
    static failure f;
    f = abort_at(41);
    bytes_tail_add(&f.output, bytes, size);
    const report r = report_of(REPORT_FAILED, &f);
    return summary(&r);
}

TEST(both_ends_of_the_output_are_shown) {
    const char *text = summary_with_output("1\n2\n3\n4\n5\n6\n7\n8\n\n\n", 18);
    assert_contains(text, "  output   1\n           2\n           ...\n           5\n"
                          "           6\n           7\n           8\n  reruns");
    text = summary_with_output("only", 4);
    assert_contains(text, "  output   only\n  reruns");
    text = summary_with_output("a\n\nb", 4);
    assert_contains(text, "  output   a\n           \n           b\n");
    assert_lacks(summary_with_output("\n\n\n", 3), "output");
    assert_lacks(summary_with_output("", 0), "output");
}

TEST(output_is_escaped) {
    const char *text = summary_with_output("\033[2J\r\0\xff\tx\n\x07", 11);
    assert_contains(text, "  output   \\x1b[2J\\x0d\\x00\\xff\tx\n           \\x07\n");
    assert_lacks(text, "\033");
}

TEST(floods_are_cut) {
    static char flood[3 * BYTES_TAIL_MAX];
    memset(flood, 1, sizeof flood);
    const char *text = summary_with_output(flood, sizeof flood);
    ck_assert_uint_gt(strlen(text), 4 * BYTES_TAIL_MAX);
    ck_assert_uint_lt(strlen(text), 4 * BYTES_TAIL_MAX + 1000);
    assert_contains(text, "\\x01\n  reruns");
}

/* ---- Reductions ---- */

static const uint8_t bytes[REDUCTION_SHORT_MAX + 1] = {1, 2};

static const char *reduced(const reduction *r, bool with_passes) {
    capture_begin();
    reduction_tell_end(r, with_passes);
    return capture_end();
}

TEST(reductions_as_they_come) {
    const failure f = abort_at(12), one = abort_at(1);
    const progress p = {.runs = 1234};
    capture_begin();
    reduction_tell(&f, true, &p);
    reduction_tell(&one, false, &p);
    ck_assert_str_eq(capture_end(), "fails with signal:SIGABRT: 12 bytes (call 1,234)\n"
                                    "also fails with signal:SIGABRT: 1 byte (call 1,234)\n");
    capture_begin();
    reduction_tell_flaky(&f);
    assert_contains(capture_end(), "flaky: signal:SIGABRT with 12 bytes passed");
    capture_begin();
    reduction_tell_start(&the_subject, NULL, "fork", 1, 4096);
    ck_assert_str_eq(capture_end(), "reducing 4096 bytes of ./sut\n"
                                    "  digest unknown\n"
                                    "  mode fork, 1 job\n");
    capture_begin();
    report_doubted(ISOLATION_LEFTOVER, NULL, true);
    assert_contains(capture_end(), "or is flaky: one run or one before it left a process behind; "
                                   "from now on");
}

TEST(a_reduction) {
    failure f = abort_at(2);
    const failure other = abort_at(70);
    const reduction_case others[] = {{&other, bytes, "dir/f.json", true},
                                     {&other, bytes, NULL, true}};
    const pass_statistics done[] = {{"delete", 1000, 12, 4094}, {"idle", 0, 0, 0}};
    snprintf(f.site, sizeof f.site, "a.c:7");
    reduction r = {
        .subject = &the_subject,
        .end = REDUCTION_FAILED,
        .tells_draws = true,
        .size = 4096,
        .best = {.failure = &f, .bytes = bytes},
        .passes = done,
        .pass_count = 2,
        .progress = {.size = 2, .runs = 143, .steps = 17, .elapsed_ns = CLOCK_NS_PER_S / 100},
        .jobs = 2};
    static const char head[] = "\nreduced: signal:SIGABRT at a.c:7, 4096 -> 2 bytes\n"
                               "  replay   frng-replay ./sut --hex 0102\n"
                               "  draws    add --trace to see them\n"
                               "  reruns   failed again 20/20 times\n";
    static const char effort[] = "  effort   143 calls and 17 steps in 0.01s (14,300/s, 2 jobs)\n";
    char expected[1024];
    snprintf(expected, sizeof expected, "%s%s", head, effort);
    ck_assert_str_eq(reduced(&r, false), expected);
    r.unfinished = true;
    r.others = others;
    r.other_count = 2;
    reduced(&r, true);
    assert_contains(capture_text, "\nreduced so far: ");
    assert_contains(capture_text, "  also     signal:SIGABRT, 70 bytes\n"
                                  "           frng-replay ./sut --finding dir/f.json\n"
                                  "  also     signal:SIGABRT, 70 bytes\n"
                                  "           --findings DIR would have kept it\n");
    assert_contains(capture_text, "bytes\n           delete                        1,000       12"
                                  "        4,094\n");
    assert_lacks(capture_text, "idle");
}

TEST(reductions_that_were_none) {
    reduction r = {
        .subject = &the_subject, .size = 12, .seen = {SIGNATURE_EXIT, 3}, .progress = {.runs = 20}};
    const struct {
        reduction_end end;
        const char *text;
    } cases[] = {
        {REDUCTION_PASSED, "nothing to reduce: the input of 12 bytes passes (20 runs)\n"},
        {REDUCTION_DIFFERENT,
         "nothing to reduce: the input fails with exit:3, not as --only asks\n"},
        {REDUCTION_INCONCLUSIVE,
         "inconclusive: the input failed with exit:3, and passed when it was run again\n"},
        {REDUCTION_STOPPED, "stopped before the input had failed twice\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        r.end = cases[i].end;
        ck_assert_str_eq(reduced(&r, true), cases[i].text);
    }
}

TEST(result_lines_of_reductions) {
    failure f = abort_at(0);
    const struct {
        uint64_t size;
        const char *saved;
        bool is_finding;
        const char *line;
    } cases[] = {
        {0, NULL, false, "size=0 hex=\n"},
        {2, "f", false, "size=2 hex=0102\n"},
        {65, "f \n", false, "size=65 output=f \\x0a\n"},
        {65, "d/f.json", true, "size=65 finding=d/f.json\n"},
        {65, NULL, true, "size=65\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        f.input.size = cases[i].size;
        const reduction_case c = {&f, bytes, cases[i].saved, cases[i].is_finding};
        char *line = reduction_result_line(&c);
        ck_assert_str_eq(line, cases[i].line);
        free(line);
    }
}

TEST(replays_of_reductions) {
    const failure f = abort_at(65);
    reduction r = {.subject = &the_subject,
                   .end = REDUCTION_FAILED,
                   .best = {.failure = &f, .bytes = bytes, .saved = "my file"}};
    assert_contains(reduced(&r, false), "  replay   frng-replay ./sut --input 'my file'\n");
    r.best.is_finding = true;
    assert_contains(reduced(&r, false), "  replay   frng-replay ./sut --finding 'my file'\n");
    const failure empty = abort_at(0);
    r.best.failure = &empty;
    assert_contains(reduced(&r, false), "  replay   frng-replay ./sut --hex ''\n");
}

static void print_as_frng_test(void) { message_init("frng-test", false); }

SUITE(.before_all = print_as_frng_test);

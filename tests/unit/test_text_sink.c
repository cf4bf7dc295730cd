/* text_sink.h: events and summaries as a person reads them, line by line. */
#include "bytes.h"
#include "failure.h"
#include "fixture.h"
#include "result_line.h"
#include "signature_filter.h"
#include "text_sink.h"
#include "text_summary.h"

#include "clock.h"
#include "messages.h"
#include "replay_text.h"

#include <signal.h>
#include <stdlib.h>

static const char *const no_args[] = {NULL};
static const run_target the_subject = {
    .sut = "./sut", .args = no_args, .replay = "frng-replay", .options = ""};

static failure abort_at(uint64_t size) {
    return (failure){
        .input = {size, 7}, .signature = {SIGNATURE_SIGNAL, SIGABRT}, .reruns = 20, .repeated = 20};
}

static run_setup searching = {.task = TASK_SEARCH,
                              .subject = &the_subject,
                              .jobs = 2,
                              .size_max = 4096,
                              .rng_seed = 99,
                              .expand = EXPAND_BOTH};
static run_setup reducing = {.task = TASK_REDUCE, .subject = &the_subject, .size = 4096, .jobs = 2};

static summary summary_of(run_answer answered, const failure *best) {
    return (summary){.setup = &searching,
                     .answer = answered,
                     .best = {.failure = best},
                     .progress = {.runs = 1234, .reruns = 21, .elapsed_ns = 2 * CLOCK_NS_PER_S}};
}

static const char *shown(const summary *r) {
    capture_begin();
    text_summary_put(message_stream(), r, true);
    return capture_end();
}

static text_sink sink_of(const run_setup *of) { return (text_sink){.setup = of}; }

static void take_failure(text_sink *t, event_kind kind, const failure *f) {
    const event e = {.kind = kind, .failure = f, .progress = {.runs = 1234}};
    text_sink_take(t, &e);
}

static void take_start(run_setup of) {
    text_sink t = {.is_verbose = true};
    text_sink_take(&t, &(event){.kind = EVENT_STARTED, .setup = &of});
    free(t.screen.subject); /* there is no end that would */
}

/* ---- Single lines ---- */

TEST(failures_as_they_come) {
    const failure f = abort_at(41);
    text_sink t = sink_of(&searching);
    event replay = {.kind = EVENT_REPLAYED, .input = &f.input, .fails = true};
    capture_begin();
    take_failure(&t, EVENT_BEST, &f);
    take_failure(&t, EVENT_OTHER, &f);
    text_sink_take(&t, &replay);
    replay.fails = false;
    text_sink_take(&t, &replay);
    ck_assert_str_eq(capture_end(), "fails with signal:SIGABRT: size 41, seed 7 (run 1,234)\n"
                                    "also fails with signal:SIGABRT: size 41, seed 7 (run 1,234)\n"
                                    "known finding, size 41, seed 7: still fails\n"
                                    "known finding, size 41, seed 7: passes now\n");
    capture_begin();
    take_failure(&t, EVENT_FLAKY, &f);
    assert_contains(capture_end(), "flaky: signal:SIGABRT at size 41, seed 7 passed");
    assert_contains(capture_text, "rerun 20 times\n");
}

TEST(failures_that_a_limit_may_have_made) {
    failure f = abort_at(41);
    text_sink t = sink_of(&searching), of_reduction = sink_of(&reducing);
    f.cause = CAUSE_MEMORY;
    capture_begin();
    take_failure(&t, EVENT_FLAKY, &f);
    take_failure(&of_reduction, EVENT_FLAKY, &f);
    ck_assert_str_eq(capture_end(), "inconclusive: memory: a run of 41 bytes ran out of memory "
                                    "(signal:SIGABRT): it has too little, or takes all there is\n"
                                    "inconclusive: memory: a run of 41 bytes ran out of memory "
                                    "(signal:SIGABRT): it has too little, or takes all there is\n");
    f = (failure){.input = {1, 7}, .signature = {SIGNATURE_TIMEOUT, 0}, .cause = CAUSE_TIMEOUT};
    capture_begin();
    take_failure(&t, EVENT_FLAKY, &f);
    ck_assert_str_eq(capture_end(),
                     "inconclusive: timeout: a run of 1 byte hung, and ended when given twice the "
                     "time: the machine is busy, --timeout is too short, or the run "
                     "stopped its parent (ptrace)\n");
}

TEST(styled_seeds_have_an_s) {
    failure f = abort_at(41);
    f.input.style = SEED_STYLED;
    text_sink t = sink_of(&searching);
    capture_begin();
    take_failure(&t, EVENT_BEST, &f);
    take_failure(&t, EVENT_FLAKY, &f);
    f.cause = CAUSE_WORKER;
    take_failure(&t, EVENT_FLAKY, &f);
    text_sink_take(&t, &(event){.kind = EVENT_REPLAYED, .input = &f.input, .fails = true});
    text_sink_take(
        &t,
        &(event){.kind = EVENT_ISOLATION, .input = &f.input, .violation = ISOLATION_OTHER_DRAWS});
    capture_end();
    assert_contains(capture_text, "fails with signal:SIGABRT: size 41, seed 7s (run 1,234)\n");
    assert_contains(capture_text, "flaky: signal:SIGABRT at size 41, seed 7s passed");
    assert_contains(capture_text, "a run of 41 bytes, seed 7s, stopped");
    assert_contains(capture_text, "known finding, size 41, seed 7s: still fails\n");
    assert_contains(capture_text, "flaky: size 41, seed 7s made other draws");
    const summary r = summary_of(ANSWER_FOUND, &f);
    char *line = result_line(&r);
    ck_assert_str_eq(line, "size=41 seed=7s\n");
    free(line);
}

TEST(result_lines) {
    failure f = {.input = {0, UINT64_MAX}};
    const summary r = summary_of(ANSWER_FOUND, &f);
    char *line = result_line(&r);
    ck_assert_str_eq(line, "size=0 seed=18446744073709551615\n");
    free(line);
    f.input.size = UINT64_MAX;
    line = result_line(&r);
    ck_assert_str_eq(line, "size=18446744073709551615 seed=18446744073709551615\n");
    free(line);
}

TEST(starts) {
    const char *const args[] = {"a b", "\033[2J", NULL};
    const run_target s = {.sut = "./s", .args = args, .replay = "frng-replay", .options = ""};
    capture_begin();
    take_start((run_setup){.task = TASK_SEARCH,
                           .subject = &s,
                           .digest = "00ff",
                           .mode = "spawn",
                           .jobs = 2,
                           .rng_seed = UINT64_MAX,
                           .expand = EXPAND_BOTH});
    ck_assert_str_eq(capture_end(), "testing ./s 'a b' $'\\033[2J'\n"
                                    "  digest 00ff\n"
                                    "  mode spawn, 2 jobs, --rng-seed "
                                    "18446744073709551615\n");
    capture_begin();
    take_start((run_setup){
        .task = TASK_SEARCH, .subject = &s, .mode = "fork", .jobs = 1, .expand = EXPAND_STYLED});
    assert_contains(capture_end(), "digest unknown\n");
    assert_contains(capture_text, "mode fork, 1 job, --rng-seed 0, --expand styled\n");
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
        replay_text_verdict(cases[i].failed, cases[i].other, cases[i].runs, "exit:3",
                            "not as --only asks");
        ck_assert_str_eq(capture_end(), cases[i].text);
    }
}

TEST(wrapped) {
    capture_begin();
    replay_text_wrapped("/tmp/x", true, false);
    assert_contains(capture_end(), "FRNG_INPUT=/tmp/x\n");
    capture_begin();
    replay_text_wrapped("/tmp/x", false, false);
    assert_contains(capture_end(), "run < /tmp/x\n");
}

/* ---- Summaries ---- */

TEST(a_failure) {
    const failure f = abort_at(41);
    summary r = summary_of(ANSWER_FOUND, &f);
    r.claim.below = 40;
    r.claim.passed = 100;
    r.claim.bound = 0.0512;
    ck_assert_str_eq(
        shown(&r),
        "\nsmallest failure: signal:SIGABRT at size 41\n"
        "  replay   frng-replay ./sut --size 41 --seed 7\n"
        "  reruns   failed again 20/20 times\n"
        "  smaller  100 fresh runs at size 40 passed: under 5.2% of such runs fail (95% "
        "confidence)\n"
        "           half of the runs had uniform bytes, half styled ones (--expand)\n"
        "  effort   1,234 runs and 21 reruns in 2.00 s (627/s, 2 jobs), --rng-seed 99\n");
    r.end = END_SPENT;
    assert_contains(shown(&r), "\nsmallest failure so far: ");
}

TEST(a_claim_says_of_which_runs_it_speaks) {
    static const char *const notes[] = {
        [EXPAND_UNIFORM] = "fail (95% confidence)\n  effort",
        [EXPAND_STYLED] = "fail (95% confidence)\n"
                          "           all runs had styled bytes (--expand)\n",
        [EXPAND_BOTH] =
            "fail (95% confidence)\n"
            "           half of the runs had uniform bytes, half styled ones (--expand)\n"};
    const failure f = abort_at(41);
    summary r = summary_of(ANSWER_FOUND, &f);
    run_setup of = *r.setup;
    r.setup = &of;
    r.claim.below = 40;
    r.claim.passed = 100;
    r.claim.bound = 0.0512;
    for (of.expand = EXPAND_UNIFORM; of.expand <= EXPAND_BOTH; of.expand++) {
        assert_contains(shown(&r), notes[of.expand]);
    }
}

TEST(claims) {
    failure f = abort_at(41);
    summary r = summary_of(ANSWER_FOUND, &f);
    assert_lacks(shown(&r), "smaller");
    r.claim.passed = 3;
    r.claim.below = 40;
    r.claim.bound = 1;
    assert_contains(shown(&r), "3 fresh runs at size 40 passed\n");
    assert_lacks(capture_text, "confidence");
    r.claim.bound = 0;
    r.claim.below = 1;
    r.claim.passed = 256;
    assert_contains(shown(&r), "all inputs of size 1 were run and passed\n");
    f.input.size = 0;
    assert_contains(shown(&r), "none: it fails on empty input\n");
    assert_lacks(capture_text, "all inputs");
    r.answer = ANSWER_INCONCLUSIVE;
    assert_lacks(shown(&r), "smaller");
}

TEST(flaky_ones) {
    failure f = abort_at(41);
    f.repeated = 17;
    summary r = summary_of(ANSWER_FOUND, &f);
    assert_contains(shown(&r), "  reruns   flaky 17/20: fails in 85%, 95% confidence 62 to 97%\n");
    f.alike = (rerun_count){258, 230};
    static const char pooled[] = ", and 230/258 with failures like it: fails in 89%, 95% "
                                 "confidence 84 to 93%\n";
    assert_contains(shown(&r), "  reruns   flaky 17/20");
    assert_contains(capture_text, pooled);
    f.repeated = 20; /* by luck: it is flaky all the same */
    assert_contains(shown(&r), "  reruns   flaky 20/20");
    assert_contains(capture_text, pooled);
    f.alike = (rerun_count){28, 28};
    assert_contains(shown(&r), "  reruns   failed again 20/20 times: under 17% of reruns pass (95% "
                               "confidence)\n");
    assert_lacks(capture_text, "flaky");
    f.alike = (rerun_count){0, 0};
    f.reruns = f.repeated = 0;
    assert_lacks(shown(&r), "  reruns  ");
    r.answer = ANSWER_INCONCLUSIVE;
    assert_contains(shown(&r), "\ninconclusive: signal:SIGABRT at size 41 failed once, and was "
                               "not run again\n");
    assert_lacks(capture_text, " 0 times");
    f.reruns = 20;
    assert_contains(shown(&r), "\ninconclusive: signal:SIGABRT at size 41 failed once, and "
                               "passed 20 of 20 times");
    assert_contains(capture_text, "--size 41 --seed 7\n");
}

TEST(passes) {
    summary r = summary_of(ANSWER_PASSED, NULL);
    r.claim.rounds = 100;
    r.claim.sizes = 9;
    r.claim.largest = 4096;
    assert_contains(shown(&r),
                    "\nno failure in 1,234 runs: at least 100 at each of 9 sizes up to 4K\n");
    assert_lacks(capture_text, "replay");
    r.claim.bound = 0.0000448;
    assert_contains(shown(&r), "\nno failure in 1,234 runs: at each size up to 4K under 0.0045% of "
                               "such runs fail (95%)\n           half of the runs had uniform");
    assert_contains(capture_text, "\n  passes   at least 100 at each of 9 sizes up to 4K\n");
    r.claim.bound = 0.995;
    assert_contains(shown(&r), "\nno failure in 1,234 runs: at least 100 at each of 9 sizes");
    signature_filter filter = {.only = {.count = 1}};
    ck_assert(signature_pattern_parse("exit:3", &filter.only.list[0]));
    searching.filter = &filter;
    assert_contains(shown(&r), "\nno exit:3 in 1,234 runs: at least 100 at each of 9 sizes");
    searching.filter = NULL;
    r.claim.rounds = r.claim.sizes = r.progress.runs = 1;
    assert_contains(shown(&r), "\nno failure in 1 run: at least 1 at size 4K\n");
    r.claim.rounds = 0;
    r.progress.runs = 17;
    assert_contains(shown(&r), "\nno failure in 17 runs so far; not every size was tried\n");
    r.answer = ANSWER_NONE;
    assert_contains(shown(&r), "\ninconclusive: none of 17 runs passed: ");
    r.progress.runs = 0;
    assert_contains(shown(&r), "\ninconclusive: the time ended before the first run did\n");
    r.end = END_INTERRUPTED;
    assert_contains(shown(&r), "\nstopped before anything failed\n");
    r.end = END_DONE;
    r.progress.runs = r.progress.reruns = 1;
    searching.jobs = 1;
    r.progress.elapsed_ns = 0; /* nothing is divided by it */
    assert_contains(shown(&r), "  effort   1 run and 1 rerun in 0.00 s (0/s, 1 job)");
}

TEST(others_are_listed) {
    const failure f = abort_at(41);
    failure others[2] = {abort_at(50), abort_at(60)};
    others[0].signature = (signature){SIGNATURE_TIMEOUT, 0};
    others[1].signature = (signature){SIGNATURE_EXIT, 3};
    summary r = summary_of(ANSWER_FOUND, &f);
    const found_input met[] = {{.failure = &others[0]}, {.failure = &others[1]}};
    r.others = met;
    r.other_count = 2;
    assert_contains(shown(&r), "  also     timeout at size 50\n"
                               "           frng-replay ./sut --size 50 --seed 7\n"
                               "  also     exit:3 at size 60\n"
                               "           frng-replay ./sut --size 60 --seed 7\n");
    others[0].alike = (rerun_count){40, 30};
    others[1].repeated = 3;
    assert_contains(shown(&r), "  also     timeout at size 50, flaky\n");
    assert_contains(capture_text, "  also     exit:3 at size 60, flaky 3/20\n");
    others[0].alike = (rerun_count){0, 0};
    r = summary_of(ANSWER_PASSED, NULL); /* of what --only does not ask for */
    r.others = met;
    r.other_count = 1;
    assert_contains(shown(&r), "  also     timeout at size 50\n");
}

/* ---- What the run printed ---- */

static const char *summary_with_output(const void *bytes, size_t size) {
    static bytes_tail output;
    static failure f;
    f = abort_at(41);
    f.output = &output;
    output = (bytes_tail){0};
    bytes_tail_add(&output, bytes, size);
    const summary r = summary_of(ANSWER_FOUND, &f);
    return shown(&r);
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

static const uint8_t bytes[PHRASE_HEX_MAX + 1] = {1, 2};

static const char *reduced(const summary *r, bool with_passes) {
    capture_begin();
    text_summary_put(message_stream(), r, with_passes);
    return capture_end();
}

TEST(reductions_as_they_come) {
    const failure f = abort_at(12), one = abort_at(1);
    text_sink t = sink_of(&reducing);
    capture_begin();
    take_failure(&t, EVENT_BEST, &f);
    take_failure(&t, EVENT_OTHER, &one);
    ck_assert_str_eq(capture_end(), "fails with signal:SIGABRT: 12 bytes (call 1,234)\n"
                                    "also fails with signal:SIGABRT: 1 byte (call 1,234)\n");
    capture_begin();
    take_failure(&t, EVENT_FLAKY, &f);
    assert_contains(capture_end(), "flaky: signal:SIGABRT with 12 bytes passed");
    capture_begin();
    take_start((run_setup){
        .task = TASK_REDUCE, .subject = &the_subject, .mode = "fork", .jobs = 1, .size = 4096});
    ck_assert_str_eq(capture_end(), "reducing 4096 bytes of ./sut\n"
                                    "  digest unknown\n"
                                    "  mode fork, 1 job\n");
    capture_begin();
    text_sink_take(
        &t, &(event){.kind = EVENT_ISOLATION, .violation = ISOLATION_LEFTOVER, .mode = "fork"});
    assert_contains(capture_end(), "or is flaky: one run or one before it left a process behind; "
                                   "from now on");
}

TEST(a_reduction) {
    failure f = abort_at(2);
    const failure other = abort_at(70);
    const found_input others[] = {{&other, bytes, "dir/f.json", true}, {&other, bytes, NULL, true}};
    const pass_statistics done[] = {{"delete", 1000, 12, 4094}, {"idle", 0, 0, 0}};
    snprintf(f.site, sizeof f.site, "a.c:7");
    summary r = {
        .setup = &reducing,
        .answer = ANSWER_FOUND,
        .has_draws = true,
        .best = {.failure = &f, .bytes = bytes},
        .passes = done,
        .pass_count = 2,
        .progress = {.size = 2, .runs = 143, .steps = 17, .elapsed_ns = CLOCK_NS_PER_S / 100}};
    static const char head[] = "\nreduced: signal:SIGABRT at a.c:7, 4096 -> 2 bytes\n"
                               "  replay   frng-replay ./sut --hex 0102\n"
                               "  draws    add --trace to see them\n"
                               "  reruns   failed again 20/20 times\n";
    static const char effort[] = "  effort   143 calls and 17 steps in 0.01 s (14,300/s, 2 jobs)\n";
    char expected[1024];
    snprintf(expected, sizeof expected, "%s%s", head, effort);
    ck_assert_str_eq(reduced(&r, false), expected);
    r.end = END_SPENT;
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
    summary r = {.setup = &reducing, .seen = {SIGNATURE_EXIT, 3}, .progress = {.runs = 20}};
    reducing.size = 12;
    const struct {
        run_answer end;
        const char *text;
    } cases[] = {
        {ANSWER_PASSED, "nothing to reduce: the input of 12 bytes passes (20 runs)\n"},
        {ANSWER_DIFFERENT, "nothing to reduce: the input fails with exit:3, not as --only asks\n"},
        {ANSWER_INCONCLUSIVE,
         "inconclusive: the input failed with exit:3, and passed when it was run again\n"},
        {ANSWER_NONE, "stopped before the input had failed twice\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        r.answer = cases[i].end;
        ck_assert_str_eq(reduced(&r, true), cases[i].text);
    }
}

TEST(result_lines_of_reductions) {
    static const uint8_t zeros[65];
    char zeros_line[160] = "size=65 hex=";
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
        {65, NULL, false, zeros_line},
    };
    bytes_to_hex(zeros, 65, zeros_line + strlen(zeros_line));
    strcat(zeros_line, "\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        f.input.size = cases[i].size;
        const summary r = {
            .setup = &reducing,
            .best = {&f, cases[i].size > 2 ? zeros : bytes, cases[i].saved, cases[i].is_finding}};
        char *line = result_line(&r);
        ck_assert_str_eq(line, cases[i].line);
        free(line);
    }
}

TEST(replays_of_reductions) {
    const failure f = abort_at(65);
    summary r = {.setup = &reducing,
                 .answer = ANSWER_FOUND,
                 .best = {.failure = &f, .bytes = bytes, .saved = "my file"}};
    assert_contains(reduced(&r, false), "  replay   frng-replay ./sut --input 'my file'\n");
    r.best.is_finding = true;
    assert_contains(reduced(&r, false), "  replay   frng-replay ./sut --finding 'my file'\n"
                                        "  finding  'my file'\n");
    r.best.saved = NULL;
    assert_contains(reduced(&r, false),
                    "  replay   give frng-replay the line on standard output\n");
    const failure empty = abort_at(0);
    r.best.failure = &empty;
    assert_contains(reduced(&r, false), "  replay   frng-replay ./sut --hex ''\n");
}

static void print_as_frng_test(void) { message_init("frng-test", false); }

SUITE(.before_all = print_as_frng_test);

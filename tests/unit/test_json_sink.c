/* json_sink.h: each line is an object that another reader understands. */
#include "failure.h"
#include "fixture.h"
#include "json_sink.h"

#include "clock.h"

#include <errno.h>
#include <jansson.h>
#include <signal.h>

/* ---- Reading back ---- */

static char lines[4 << 20]; /* as of the last look */
static size_t lines_size;
static json_output target;

static const char *const no_args[] = {NULL};
static const run_target the_subject = {
    .sut = "./s", .args = no_args, .replay = "frng-replay", .options = ""};
static const run_setup searching = {
    .task = TASK_SEARCH, .subject = &the_subject, .version = "0.1.0", .mode = "spawn"};
static const run_setup reducing = {.task = TASK_REDUCE,
                                   .subject = &the_subject,
                                   .version = "0.1.0",
                                   .mode = "spawn",
                                   .size = 4096,
                                   .jobs = 2};

static const char *utc(char text[SUMMARY_UTC_MAX]) { return strcpy(text, "2026-11-22T08:30:00Z"); }

static json_sink sink_of(const run_setup *of, int fd) {
    ck_assert_int_ge(fd, 0);
    target = json_output_on(fd, false);
    return (json_sink){.out = &target, .context = {of, of->mode, utc}};
}

static json_sink open_lines(const run_setup *of) {
    return sink_of(of, memfd_create("lines", MFD_CLOEXEC));
}

static void look_at_lines(const json_sink *j) {
    const ssize_t size = pread(j->out->fd, lines, sizeof lines - 1, 0);
    ck_assert_int_ge(size, 0);
    lines_size = (size_t)size;
    lines[lines_size] = '\0';
}

static void close_lines(json_sink *j) {
    ck_assert_int_eq(j->error, 0);
    close(j->out->fd);
}

static void take_start(json_sink *j, const run_setup *of) {
    json_sink_take(j, &(event){.kind = EVENT_STARTED, .setup = of});
}

static void take_size(json_sink *j, const progress *p) {
    json_sink_take(j, &(event){.kind = EVENT_PROGRESS, .progress = *p});
}

static void take_failure(json_sink *j, const found_input *c, bool is_best, const progress *p) {
    json_sink_take(j, &(event){.kind = is_best ? EVENT_BEST : EVENT_OTHER,
                               .failure = c->failure,
                               .bytes = c->bytes,
                               .progress = *p});
}

static void take_end(json_sink *j, const summary *r) {
    json_sink_take(j, &(event){.kind = EVENT_FINISHED, .summary = r});
}

/* The end of a search. */
static void take_done(json_sink *j, run_answer answered, const failure *best) {
    const summary r = {.setup = &searching,
                       .answer = answered,
                       .best = {.failure = best},
                       .progress = {.runs = 9}};
    take_end(j, &r);
}

/* The line of that number, parsed strictly; the caller gives it up. */
static json_t *line_at(const json_sink *j, size_t index) {
    look_at_lines(j);
    const char *line = lines;
    for (; index > 0; index--) {
        line = strchr(line, '\n');
        ck_assert_ptr_nonnull(line);
        line++;
    }
    const char *end = strchr(line, '\n');
    ck_assert_msg(end != NULL, "no newline at the end of '%s'", line);
    json_t *object = json_loadb(line, (size_t)(end - line), JSON_REJECT_DUPLICATES, NULL);
    ck_assert_msg(json_is_object(object), "no object: %s", line);
    return object;
}

static size_t count_lines(const json_sink *j) {
    size_t count = 0;
    look_at_lines(j);
    for (size_t i = 0; i < lines_size; i++) count += lines[i] == '\n';
    return count;
}

static void has_text(const json_t *object, const char *name, const char *expected) {
    const char *text = json_string_value(json_object_get(object, name));
    ck_assert_msg(text != NULL, "no %s", name);
    ck_assert_str_eq(text, expected);
}

static void has_number(const json_t *object, const char *name, int64_t expected) {
    ck_assert_msg(json_is_integer(json_object_get(object, name)), "no %s", name);
    ck_assert_int_eq(json_integer_value(json_object_get(object, name)), expected);
}

static void has_seconds(const json_t *object, double expected) {
    ck_assert(json_is_real(json_object_get(object, "seconds")));
    ck_assert_double_eq_tol(json_real_value(json_object_get(object, "seconds")), expected, 1e-9);
}

/* ---- Events ---- */

TEST(starts) {
    const char *const args[] = {"-x", "\xff\n", "", NULL};
    const run_target s = {.sut = "./s\xff", .args = args, .replay = "frng-replay", .options = ""};
    run_setup start = searching;
    start.subject = &s;
    start.attempts = 100;
    start.size_max = UINT64_C(8) << 30;
    start.rng_seed = UINT64_MAX;
    start.jobs = 2;
    start.expand = EXPAND_BOTH;
    json_sink j = open_lines(&searching);
    take_start(&j, &start);
    json_t *line = line_at(&j, 0);
    has_text(line, "event", "start");
    has_text(line, "sut", "./s\\xff");
    has_text(line, "version", "0.1.0");
    has_text(line, "mode", "spawn");
    has_text(line, "rng_seed", "18446744073709551615");
    has_text(line, "expand", "both");
    has_number(line, "attempts", 100);
    has_number(line, "size_max", INT64_C(8) << 30);
    has_number(line, "jobs", 2);
    const json_t *array = json_object_get(line, "args");
    ck_assert_uint_eq(json_array_size(array), 3);
    ck_assert_str_eq(json_string_value(json_array_get(array, 1)), "\\xff\n");
    ck_assert_str_eq(json_string_value(json_array_get(array, 2)), "");
    ck_assert_uint_eq(count_lines(&j), 1);
    json_decref(line);
    close_lines(&j);
}

TEST(sizes_that_are_news) {
    const failure best = {.input = {20, 1}};
    progress p = {.size = 0, .runs = 5, .elapsed_ns = CLOCK_NS_PER_S / 2};
    json_sink j = open_lines(&searching);
    take_size(&j, &p); /* 0 is a size too */
    take_size(&j, &p);
    json_t *line = line_at(&j, 0);
    has_text(line, "event", "size");
    has_number(line, "size", 0);
    has_number(line, "runs", 5);
    has_seconds(line, 0.5);
    json_decref(line);
    static const uint64_t growing[] = {1, 2, 2, 1, 2, 4};
    for (size_t i = 0; i < 6; i++) {
        p.size = growing[i];
        take_size(&j, &p);
    }
    ck_assert_msg(count_lines(&j) == 4, "only 0, 1, 2 and 4 while nothing has failed");
    p.best = &best;
    static const uint64_t any[] = {4, 3, 3, 10, 3};
    for (size_t i = 0; i < 5; i++) {
        p.size = any[i];
        take_size(&j, &p);
    }
    ck_assert_msg(count_lines(&j) == 7, "3, 10 and 3 afterwards");
    line = line_at(&j, 6);
    has_number(line, "size", 3);
    json_decref(line);
    close_lines(&j);
}

TEST(failures) {
    static bytes_tail output;
    failure f = {.output = &output,
                 .input = {41, UINT64_MAX},
                 .signature = {SIGNATURE_SIGNAL, SIGABRT},
                 .reruns = 20,
                 .repeated = 20};
    const progress p = {.runs = 123, .reruns = 21, .elapsed_ns = CLOCK_NS_PER_S};
    json_sink j = open_lines(&searching);
    take_failure(&j, &(found_input){.failure = &f}, true, &p);
    f.repeated = 3;
    f.input.style = SEED_STYLED;
    bytes_tail_add(&output, (const uint8_t *)"a\n\0\xff\033", 5);
    take_failure(&j, &(found_input){.failure = &f}, false, &p);
    json_t *line = line_at(&j, 0);
    has_text(line, "event", "best");
    has_number(line, "size", 41);
    has_text(line, "seed", "18446744073709551615");
    has_text(line, "identity", "signal:SIGABRT");
    has_number(line, "runs", 123);
    has_number(line, "reruns", 21);
    has_text(line, "mode", "spawn");
    has_seconds(line, 1);
    ck_assert(json_is_false(json_object_get(line, "flaky")));
    ck_assert_ptr_null(json_object_get(line, "output"));
    json_decref(line);
    line = line_at(&j, 1);
    has_text(line, "event", "other");
    has_text(line, "seed", "18446744073709551615s");
    has_text(line, "flaky", "3/20");
    ck_assert_ptr_null(json_object_get(line, "rate"));
    has_text(line, "output", "a\n\\x00\\xff\\x1b");
    json_decref(line);
    close_lines(&j);
}

/* The worst output grows fourfold, and must not be cut within a character. */
TEST(floods) {
    static bytes_tail tail;
    const failure f = {.input = {41, 7}, .signature = {SIGNATURE_EXIT, 1}, .output = &tail};
    const progress p = {0};
    uint8_t bytes[2 * BYTES_TAIL_MAX];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(0x80 | i);
    bytes_tail_add(&tail, bytes, sizeof bytes);
    json_sink j = open_lines(&searching);
    take_failure(&j, &(found_input){.failure = &f}, true, &p);
    json_t *line = line_at(&j, 0);
    const char *output = json_string_value(json_object_get(line, "output"));
    ck_assert_ptr_nonnull(output);
    ck_assert_uint_gt(strlen(output), BYTES_TAIL_MAX);
    ck_assert_str_eq(output + strlen(output) - 4, "\\xff");
    const char *gap = strstr(output, "\n...\n");
    ck_assert_ptr_nonnull(gap);
    ck_assert_int_eq(gap - output, 4 * BYTES_TAIL_HEAD);
    json_decref(line);
    close_lines(&j);
}

TEST(why_nothing_is_known) {
    static const char *const reasons[CAUSE_COUNT] = {"flaky", "timeout", "memory", "worker",
                                                     "unfinished"};
    json_sink j = open_lines(&searching);
    for (size_t i = 0; i < CAUSE_COUNT; i++) {
        const failure f = {.cause = (failure_cause)i, .reruns = 20};
        take_done(&j, ANSWER_INCONCLUSIVE, &f);
        json_t *line = line_at(&j, 2 * i);
        has_text(line, "reason", reasons[i]);
        json_decref(line);
        take_done(&j, ANSWER_FOUND, &f);
        line = line_at(&j, 2 * i + 1);
        ck_assert_ptr_null(json_object_get(line, "reason"));
        json_decref(line);
    }
    close_lines(&j);
}

TEST(nothing_is_said_of_what_was_not_run_again) {
    const failure f = {.input = {41, 7}};
    json_sink j = open_lines(&searching);
    take_done(&j, ANSWER_INCONCLUSIVE, &f);
    json_t *line = line_at(&j, 0);
    has_text(line, "reason", "unconfirmed");
    ck_assert(json_is_null(json_object_get(line, "flaky")));
    ck_assert(json_is_null(json_object_get(line, "rate")));
    json_decref(line);
    close_lines(&j);
}

static void has_rate(const json_t *line, int64_t reruns, int64_t repeated, double low,
                     double high) {
    const json_t *rate = json_object_get(line, "rate");
    ck_assert(json_is_object(rate));
    has_number(rate, "reruns", reruns);
    has_number(rate, "repeated", repeated);
    ck_assert_double_eq_tol(json_real_value(json_object_get(rate, "low")), low, 1e-9);
    ck_assert_double_eq_tol(json_real_value(json_object_get(rate, "high")), high, 1e-9);
}

/* One whose own reruns all failed is flaky all the same if others like it passed. */
TEST(how_often_it_fails) {
    failure f = {.input = {41, 7}, .reruns = 20, .repeated = 20, .alike = {28, 28}};
    json_sink j = open_lines(&searching);
    take_done(&j, ANSWER_FOUND, &f);
    f.alike = (rerun_count){200, 180};
    take_done(&j, ANSWER_FOUND, &f);
    json_t *line = line_at(&j, 0);
    ck_assert(json_is_false(json_object_get(line, "flaky")));
    has_rate(line, 20, 20, 0.8315, 1); /* 0.83157 */
    json_decref(line);
    line = line_at(&j, 1);
    has_text(line, "flaky", "20/20");
    has_rate(line, 200, 180, 0.8497, 0.9379); /* 0.84979, 0.93784 */
    json_decref(line);
    close_lines(&j);
}

TEST(dones) {
    static const struct {
        run_end end;
        run_answer answered;
        const char *outcome;
    } cases[] = {
        {END_DONE, ANSWER_PASSED, "pass"},
        {END_DONE, ANSWER_FOUND, "fail"},
        {END_INTERRUPTED, ANSWER_FOUND, "interrupted"},
        {END_INTERRUPTED, ANSWER_NONE, "interrupted"},
        {END_BROKEN, ANSWER_FOUND, "error"},
        {END_ENVIRONMENT, ANSWER_NONE, "error"},
    };
    const failure f = {.input = {41, 7}, .signature = {SIGNATURE_TIMEOUT, 0}};
    json_sink j = open_lines(&searching);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool has_best = cases[i].answered == ANSWER_FOUND;
        const summary r = {.setup = &searching,
                           .end = cases[i].end,
                           .answer = cases[i].answered,
                           .best = {.failure = has_best ? &f : NULL},
                           .progress = {.runs = 9}};
        take_end(&j, &r);
        json_t *line = line_at(&j, i);
        has_text(line, "event", "done");
        has_text(line, "outcome", cases[i].outcome);
        has_text(line, "mode", "spawn");
        has_number(line, "runs", 9);
        if (has_best) {
            has_number(line, "size", 41);
            has_text(line, "seed", "7");
            has_text(line, "identity", "timeout");
        } else {
            ck_assert(json_is_null(json_object_get(line, "size")));
            ck_assert(json_is_null(json_object_get(line, "seed")));
            ck_assert(json_is_null(json_object_get(line, "identity")));
            ck_assert(json_is_null(json_object_get(line, "flaky")));
        }
        json_decref(line);
    }
    close_lines(&j);
}

/* ---- Reductions ---- */

TEST(starts_of_reductions) {
    json_sink j = open_lines(&reducing);
    take_start(&j, &reducing);
    json_t *line = line_at(&j, 0);
    has_text(line, "event", "start");
    has_text(line, "sut", "./s");
    has_text(line, "version", "0.1.0");
    has_text(line, "mode", "spawn");
    has_number(line, "size", 4096);
    has_number(line, "jobs", 2);
    json_decref(line);
    close_lines(&j);
}

TEST(bests_of_reductions) {
    static uint8_t bytes[JSON_EVENT_HEX_MAX + 1] = {0xab, 0xcd};
    failure f = {.input = {2, 0}, .signature = {SIGNATURE_EXIT, 3}, .site = "a.c:7", .reruns = 3};
    const found_input told = {.failure = &f, .bytes = bytes};
    const progress p = {
        .size = 2, .runs = 143, .steps = 17, .elapsed_ns = CLOCK_NS_PER_S / 4, .pass = "delete"};
    json_sink j = open_lines(&reducing);
    take_failure(&j, &told, true, &p);
    json_t *line = line_at(&j, 0);
    has_text(line, "event", "best");
    has_text(line, "hex", "abcd");
    has_text(line, "identity", "exit:3");
    has_text(line, "site", "a.c:7");
    has_text(line, "flaky", "0/3");
    has_number(line, "size", 2);
    has_number(line, "calls", 143);
    has_number(line, "successes", 17);
    has_seconds(line, 0.25);
    ck_assert_ptr_null(json_object_get(line, "seed"));
    json_decref(line);
    f.site[0] = '\0';
    f.input.size = JSON_EVENT_HEX_MAX + 1;
    take_failure(&j, &told, false, &p);
    line = line_at(&j, 1);
    has_text(line, "event", "other");
    ck_assert(json_is_null(json_object_get(line, "hex")));
    ck_assert(json_is_null(json_object_get(line, "site")));
    json_decref(line);
    f.input.size = JSON_EVENT_HEX_MAX;
    take_failure(&j, &told, true, &p);
    line = line_at(&j, 2);
    ck_assert_uint_eq(json_string_length(json_object_get(line, "hex")), 2 * JSON_EVENT_HEX_MAX);
    json_decref(line);
    close_lines(&j);
}

TEST(dones_of_reductions) {
    const failure f = {
        .input = {0, 0}, .signature = {SIGNATURE_TIMEOUT, 0}, .reruns = 3, .repeated = 3};
    const pass_statistics passes[] = {{"delete", 10, 2, 5}, {"zero", 1, 0, 0}};
    summary r = {.setup = &reducing,
                 .answer = ANSWER_FOUND,
                 .best = {.failure = &f, .bytes = (const uint8_t *)""},
                 .passes = passes,
                 .pass_count = 2};
    json_sink j = open_lines(&reducing);
    take_end(&j, &r);
    json_t *line = line_at(&j, 0);
    has_text(line, "outcome", "fail");
    has_text(line, "hex", "");
    has_text(line, "identity", "timeout");
    ck_assert(json_is_false(json_object_get(line, "flaky")));
    ck_assert(json_is_true(json_object_get(line, "complete")));
    const json_t *first = json_array_get(json_object_get(line, "passes"), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(line, "passes")), 2);
    has_text(first, "name", "delete");
    has_number(first, "calls", 10);
    has_number(first, "successes", 2);
    has_number(first, "bytes", 5);
    json_decref(line);
    r = (summary){.setup = &reducing, .end = END_PASSES, .answer = ANSWER_PASSED};
    take_end(&j, &r);
    line = line_at(&j, 1);
    has_text(line, "outcome", "pass");
    ck_assert(json_is_null(json_object_get(line, "size")));
    ck_assert(json_is_null(json_object_get(line, "hex")));
    ck_assert(json_is_null(json_object_get(line, "identity")));
    ck_assert(json_is_false(json_object_get(line, "complete")));
    json_decref(line);
    close_lines(&j);
}

TEST(without_a_file_nothing_is_written) {
    const failure f = {.signature = {SIGNATURE_TIMEOUT, 0}};
    const progress p = {0};
    json_sink j = {.out = NULL};
    take_start(&j, &searching);
    take_size(&j, &p);
    take_failure(&j, &(found_input){.failure = &f}, true, &p);
    take_done(&j, ANSWER_PASSED, NULL);
    ck_assert_int_eq(j.error, 0);
}

TEST(a_reader_is_never_behind) {
    int ends[2];
    char text[4096];
    const progress p = {.size = 16};
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
    json_sink j = sink_of(&searching, ends[1]);
    take_size(&j, &p);
    const ssize_t count = read(ends[0], text, sizeof text);
    ck_assert_int_gt(count, 0);
    ck_assert_int_eq(text[count - 1], '\n');
    close(j.out->fd);
    close(ends[0]);
}

/* The error of an early line is still known at the end, when nothing more fails. */
TEST(a_full_disk_is_told_at_the_end) {
    progress p = {.size = 16};
    json_sink j = sink_of(&searching, open("/dev/full", O_WRONLY | O_CLOEXEC));
    take_size(&j, &p);
    ck_assert_msg(j.error == ENOSPC, "%s", strerror(j.error));
    take_done(&j, ANSWER_PASSED, NULL);
    ck_assert_int_eq(j.error, ENOSPC);
    close(j.out->fd);
}

TEST(a_reader_that_went_away_is_told_at_the_end) {
    int ends[2];
    const progress p = {.size = 16};
    signal(SIGPIPE, SIG_IGN);
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    close(ends[0]);
    json_sink j = sink_of(&searching, ends[1]);
    take_size(&j, &p);
    take_done(&j, ANSWER_PASSED, NULL);
    ck_assert_int_eq(j.error, EPIPE);
    close(j.out->fd);
}

/* ---- What a night writes ---- */

TEST(a_minute_without_news_has_a_sign_of_life) {
    json_sink j = open_lines(&searching);
    progress p = {.size = 16, .runs = 5, .claim = {.bound = 1}};
    take_size(&j, &p);
    for (int64_t s = 0; s <= 180; s++) {
        p.elapsed_ns = s * CLOCK_NS_PER_S;
        p.runs += 10;
        take_size(&j, &p);
    }
    ck_assert_uint_eq(count_lines(&j), 4);
    json_t *line = line_at(&j, 1);
    has_text(line, "event", "alive");
    has_seconds(line, 60);
    has_number(line, "runs", 5 + 610);
    ck_assert(json_is_null(json_object_get(line, "best_size")));
    has_text(line, "when", "2026-11-22T08:30:00Z");
    json_decref(line);
    close_lines(&j);
}

TEST(runs_of_a_size_become_one_line) {
    json_sink j = open_lines(&searching);
    const summary end = {.setup = &searching, .answer = ANSWER_PASSED, .progress = {.runs = 9}};
    tested_runs t = {.size = 16, .runs = 5, .drawn = 70, .is_fresh = true};
    json_sink_take(&j, &(event){.kind = EVENT_TESTED, .tested = &t});
    t.failures = 1;
    t.drawn = UINT64_MAX;
    json_sink_take(&j, &(event){.kind = EVENT_TESTED, .tested = &t});
    take_end(&j, &end);
    ck_assert_uint_eq(count_lines(&j), 2);
    json_t *line = line_at(&j, 0);
    has_text(line, "event", "tested");
    has_number(line, "size", 16);
    has_number(line, "runs", 10);
    has_number(line, "failures", 1);
    ck_assert(json_is_null(json_object_get(line, "drawn")));
    ck_assert(json_is_true(json_object_get(line, "fresh")));
    json_decref(line);
    close_lines(&j);
}

TEST(steps_show_their_change_and_the_last_of_many_only_what_saves_much) {
    json_sink j = open_lines(&reducing);
    progress p = {.size = 1 << 20, .runs = 7, .steps = 1, .pass = "delete", .draws = 3};
    const byte_change change = {.offset = 4,
                                .removed = 100,
                                .inserted = 1,
                                .before = {[0] = 0xab, [31] = 0xcd},
                                .after = {0x01}};
    for (unsigned i = 0; i < JSON_SINK_STEPS + 1000; i++) {
        json_sink_take(&j, &(event){.kind = EVENT_STEP, .progress = p, .change = &change});
    }
    ck_assert_uint_eq(count_lines(&j), JSON_SINK_STEPS);
    p.size -= p.size / JSON_SINK_STEP_SHARE + 1;
    json_sink_take(&j, &(event){.kind = EVENT_STEP, .progress = p, .change = &change});
    ck_assert_uint_eq(count_lines(&j), JSON_SINK_STEPS + 1);
    json_t *line = line_at(&j, 0);
    const json_t *shown = json_object_get(line, "change");
    has_text(line, "pass", "delete");
    has_number(shown, "removed", 100);
    has_text(shown, "after", "01");
    ck_assert_uint_eq(strlen(json_string_value(json_object_get(shown, "before"))), 64);
    json_decref(line);
    close_lines(&j);
}

TEST(the_end_has_the_claim_and_the_replay_command) {
    json_sink j = open_lines(&searching);
    const failure best = {.input = {.size = 16, .seed = 7}, .signature = {SIGNATURE_EXIT, 3}};
    const failure other = {.input = {.size = 9, .seed = 8}, .signature = {SIGNATURE_TIMEOUT, 0}};
    const found_input others[] = {{.failure = &other}};
    summary s = {.setup = &searching,
                 .answer = ANSWER_FOUND,
                 .best = {.failure = &best},
                 .others = others,
                 .other_count = 1,
                 .claim = {.below = 15, .passed = 262, .bound = 0.02849}};
    take_end(&j, &s);
    s.claim.bound = 0.0000062791;
    take_end(&j, &s);
    s.answer = ANSWER_PASSED;
    s.best.failure = NULL;
    s.claim = (run_claim){.rounds = 100, .sizes = 4, .largest = 64, .bound = 0.03622};
    take_end(&j, &s);
    json_t *line = line_at(&j, 0), *strong = line_at(&j, 1), *passed = line_at(&j, 2);
    ck_assert_double_eq_tol(json_real_value(json_object_get(strong, "bound")), 0.00000628, 1e-12);
    has_number(line, "below", 15);
    has_number(line, "passed", 262);
    ck_assert_double_eq_tol(json_real_value(json_object_get(line, "bound")), 0.0285, 1e-9);
    ck_assert_double_eq_tol(json_real_value(json_object_get(line, "confidence")), 0.95, 1e-9);
    has_text(line, "replay", "frng-replay ./s --size 16 --seed 7");
    has_text(line, "end", "complete");
    const json_t *also = json_array_get(json_object_get(line, "also"), 0);
    has_text(also, "identity", "timeout");
    has_text(also, "replay", "frng-replay ./s --size 9 --seed 8");
    ck_assert_double_eq_tol(json_real_value(json_object_get(passed, "bound")), 0.0363, 1e-9);
    ck_assert(json_is_null(json_object_get(passed, "below")));
    ck_assert(json_is_null(json_object_get(passed, "replay")));
    has_number(json_object_get(passed, "tested"), "sizes", 4);
    json_decref(line);
    json_decref(strong);
    json_decref(passed);
    close_lines(&j);
}

/* events.h, json_line.h: what becomes a line, what a line holds, and how lines are written. That
 * each line fits the schema is checked by the scenarios (tests/cli/schema.py). */
#include "events.h"
#include "fixture.h"

#include "clock.h"

#include <errno.h>
#include <sys/resource.h>

/* ---- Reading back ---- */

static json_output output;

static const run_target subject = {
    .sut = "./s", .args = (const char *const[]){NULL}, .replay = "frng-replay", .options = ""};
static const run_setup searching = {
    .task = TASK_SEARCH, .subject = &subject, .version = "0.1.0", .mode = "spawn"};
static const run_setup reducing = {.task = TASK_REDUCE,
                                   .subject = &subject,
                                   .version = "0.1.0",
                                   .mode = "spawn",
                                   .size = 4096,
                                   .jobs = 2};

static const char *utc(char text[SUMMARY_UTC_MAX]) { return strcpy(text, "2026-11-22T08:30:00Z"); }

static events events_on(const run_setup *of, int fd) {
    ck_assert_int_ge(fd, 0);
    output = json_output_on(fd, false);
    return (events){.out = &output, .utc = utc, .setup = of, .mode = of->mode};
}

static events begin(const run_setup *of) {
    return events_on(of, memfd_create("lines", MFD_CLOEXEC));
}

static const char *text_of(int fd) {
    static char text[8 << 20];
    const ssize_t size = pread(fd, text, sizeof text - 1, 0);
    ck_assert_int_ge(size, 0);
    text[size] = '\0';
    return text;
}

static size_t count_lines(void) {
    size_t count = 0;
    for (const char *at = text_of(output.fd); *at != '\0'; at++) count += *at == '\n';
    return count;
}

/* Return the line of that number, from 0 on, parsed strictly. */
static json_t *line_at(size_t index) {
    const char *line = text_of(output.fd);
    for (; index > 0 && line != NULL; index--) line = strchr(line, '\n') + 1;
    const char *end = strchr(line, '\n');
    ck_assert_msg(end != NULL, "no newline at the end of '%s'", line);
    json_t *object = json_loadb(line, (size_t)(end - line), JSON_REJECT_DUPLICATES, NULL);
    ck_assert_msg(json_is_object(object), "no object: %s", line);
    return object;
}

/* All members of `expected` are in `object`, with these values. */
static void check_holds(json_t *object, json_t *expected) {
    const char *name;
    json_t *value;
    json_object_foreach(expected, name, value) {
        json_t *found = json_object_get(object, name);
        if (json_is_object(value) && json_is_object(found)) {
            check_holds(found, value);
        } else {
            char *is = json_dumps(found, JSON_ENCODE_ANY);
            ck_assert_msg(json_equal(found, value), "%s is %s", name, is != NULL ? is : "absent");
            free(is);
        }
    }
}

static void line_holds(size_t index, const char *expected) {
    json_error_t error;
    json_t *members = json_loads(expected, 0, &error), *line = line_at(index);
    ck_assert_msg(members != NULL, "%s: %s", error.text, expected);
    check_holds(line, members);
    json_decref(line);
    json_decref(members);
}

static void line_lacks(size_t index, const char *name) {
    json_t *line = line_at(index);
    ck_assert_ptr_null(json_object_get(line, name));
    json_decref(line);
}

static void take(events *s, event_kind kind, const failure *f, const progress *p) {
    events_take(s, &(event){.kind = kind, .failure = f, .progress = *p});
}

static void take_size(events *s, const progress *p) { take(s, EVENT_PROGRESS, NULL, p); }

static void take_end(events *s, const summary *m) {
    events_take(s, &(event){.kind = EVENT_FINISHED, .summary = m});
}

static void take_done(events *s, run_answer answer, const failure *best) {
    const summary m = {.setup = &searching, .answer = answer, .best = {.failure = best}};
    take_end(s, &m);
}

/* ---- Searches ---- */

TEST(starts) {
    const run_target target = {.sut = "./s\xff",
                               .args = (const char *const[]){"-x", "\xff\n", "", NULL},
                               .replay = "frng-replay",
                               .options = ""};
    run_setup setup = searching;
    setup.subject = &target;
    setup.attempts = 100;
    setup.size_max = UINT64_C(8) << 30;
    setup.rng_seed = UINT64_MAX;
    setup.jobs = 2;
    setup.expand = EXPAND_BOTH;
    events s = begin(&searching);
    events_take(&s, &(event){.kind = EVENT_STARTED, .setup = &setup});
    events_take(&s, &(event){.kind = EVENT_STARTED, .setup = &reducing});
    line_holds(0, "{\"event\":\"start\",\"sut\":\"./s\\\\xff\",\"version\":\"0.1.0\","
                  "\"mode\":\"spawn\",\"rng_seed\":\"18446744073709551615\",\"expand\":\"both\","
                  "\"attempts\":100,\"size_max\":8589934592,\"jobs\":2,"
                  "\"args\":[\"-x\",\"\\\\xff\\n\",\"\"]}");
    line_holds(1, "{\"event\":\"start\",\"task\":\"reduce\",\"sut\":\"./s\",\"version\":\"0.1.0\","
                  "\"mode\":\"spawn\",\"size\":4096,\"jobs\":2}");
    ck_assert_uint_eq(count_lines(), 2);
}

TEST(sizes_that_are_news) {
    static const uint64_t growing[] = {0, 0, 1, 2, 2, 1, 2, 4}, any[] = {4, 3, 3, 10, 3};
    const failure best = {.input = {20, 1}};
    progress p = {.runs = 5, .elapsed_ns = CLOCK_NS_PER_S / 2};
    events s = begin(&searching);
    for (size_t i = 0; i < sizeof growing / sizeof *growing; i++) {
        p.size = growing[i];
        take_size(&s, &p);
    }
    ck_assert_msg(count_lines() == 4, "only 0, 1, 2 and 4 while nothing has failed");
    line_holds(0, "{\"event\":\"size\",\"size\":0,\"runs\":5,\"seconds\":0.5}");
    p.best = &best;
    for (size_t i = 0; i < sizeof any / sizeof *any; i++) {
        p.size = any[i];
        take_size(&s, &p);
    }
    ck_assert_msg(count_lines() == 7, "3, 10 and 3 afterwards");
    line_holds(6, "{\"size\":3}");
}

TEST(failures) {
    static bytes_tail printed;
    failure f = {.output = &printed,
                 .input = {41, UINT64_MAX},
                 .signature = {SIGNATURE_SIGNAL, SIGABRT},
                 .reruns = 20,
                 .repeated = 20};
    const progress p = {.runs = 123, .reruns = 21, .elapsed_ns = CLOCK_NS_PER_S};
    events s = begin(&searching);
    take(&s, EVENT_BEST, &f, &p);
    f.repeated = 3;
    f.input.style = SEED_STYLED;
    bytes_tail_add(&printed, (const uint8_t *)"a\n\0\xff\033", 5);
    take(&s, EVENT_OTHER, &f, &p);
    line_holds(0, "{\"event\":\"best\",\"size\":41,\"seed\":\"18446744073709551615\","
                  "\"identity\":\"signal:SIGABRT\",\"runs\":123,\"reruns\":21,\"mode\":\"spawn\","
                  "\"seconds\":1.0,\"flaky\":false}");
    line_lacks(0, "output");
    line_holds(1, "{\"event\":\"other\",\"seed\":\"18446744073709551615s\",\"flaky\":\"3/20\","
                  "\"output\":\"a\\n\\\\x00\\\\xff\\\\x1b\"}");
    line_lacks(1, "rate");
}

/* The worst output grows fourfold, and must not be cut within a character. */
TEST(floods) {
    static bytes_tail tail;
    const failure f = {.input = {41, 7}, .signature = {SIGNATURE_EXIT, 1}, .output = &tail};
    uint8_t bytes[2 * BYTES_TAIL_MAX];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(0x80 | i);
    bytes_tail_add(&tail, bytes, sizeof bytes);
    events s = begin(&searching);
    take(&s, EVENT_BEST, &f, &(progress){0});
    json_t *line = line_at(0);
    const char *text = json_string_value(json_object_get(line, "output"));
    ck_assert_ptr_nonnull(text);
    ck_assert_str_eq(text + strlen(text) - 4, "\\xff");
    ck_assert_int_eq(strstr(text, "\n...\n") - text, 4 * BYTES_TAIL_HEAD);
    json_decref(line);
}

TEST(reasons) {
    static const char *const reasons[CAUSE_COUNT] = {"flaky", "timeout", "memory", "worker",
                                                     "unfinished"};
    events s = begin(&searching);
    for (size_t i = 0; i < CAUSE_COUNT; i++) {
        char expected[64];
        const failure f = {.cause = (failure_cause)i, .reruns = 20};
        take_done(&s, ANSWER_INCONCLUSIVE, &f);
        take_done(&s, ANSWER_FOUND, &f);
        snprintf(expected, sizeof expected, "{\"reason\":\"%s\"}", reasons[i]);
        line_holds(2 * i, expected);
        line_lacks(2 * i + 1, "reason");
    }
    const failure once = {.input = {41, 7}};
    take_done(&s, ANSWER_INCONCLUSIVE, &once);
    line_holds(2 * CAUSE_COUNT, "{\"reason\":\"unconfirmed\",\"flaky\":null,\"rate\":null}");
}

/* One whose own reruns all failed is flaky all the same if others like it passed. */
TEST(rates) {
    failure f = {.input = {41, 7}, .reruns = 20, .repeated = 20, .alike = {28, 28}};
    events s = begin(&searching);
    take_done(&s, ANSWER_FOUND, &f);
    f.alike = (rerun_count){200, 180};
    take_done(&s, ANSWER_FOUND, &f);
    line_holds(0, "{\"flaky\":false,\"rate\":{\"reruns\":20,\"repeated\":20,\"low\":0.8315,"
                  "\"high\":1.0}}"); /* 0.83157 */
    line_holds(1, "{\"flaky\":\"20/20\",\"rate\":{\"reruns\":200,\"repeated\":180,\"low\":0.8497,"
                  "\"high\":0.9379}}"); /* 0.84979, 0.93784 */
}

TEST(outcomes) {
    static const struct {
        run_end end;
        run_answer answer;
        const char *expected;
    } cases[] = {
        {END_DONE, ANSWER_PASSED, "{\"outcome\":\"pass\",\"size\":null,\"seed\":null}"},
        {END_DONE, ANSWER_FOUND, "{\"outcome\":\"fail\",\"size\":41,\"seed\":\"7\"}"},
        {END_INTERRUPTED, ANSWER_FOUND, "{\"outcome\":\"interrupted\",\"identity\":\"timeout\"}"},
        {END_INTERRUPTED, ANSWER_NONE, "{\"outcome\":\"interrupted\",\"identity\":null}"},
        {END_BROKEN, ANSWER_FOUND, "{\"outcome\":\"error\",\"mode\":\"spawn\",\"runs\":9}"},
        {END_ENVIRONMENT, ANSWER_NONE, "{\"outcome\":\"error\",\"flaky\":null}"},
    };
    const failure f = {.input = {41, 7}, .signature = {SIGNATURE_TIMEOUT, 0}};
    events s = begin(&searching);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const summary m = {.setup = &searching,
                           .end = cases[i].end,
                           .answer = cases[i].answer,
                           .best = {.failure = cases[i].answer == ANSWER_FOUND ? &f : NULL},
                           .progress = {.runs = 9}};
        take_end(&s, &m);
        line_holds(i, cases[i].expected);
    }
}

TEST(the_end_has_the_claim_and_the_replay_command) {
    const failure best = {.input = {.size = 16, .seed = 7}, .signature = {SIGNATURE_EXIT, 3}};
    const failure other = {.input = {.size = 9, .seed = 8}, .signature = {SIGNATURE_TIMEOUT, 0}};
    const found_input others[] = {{.failure = &other}};
    events s = begin(&searching);
    summary m = {.setup = &searching,
                 .answer = ANSWER_FOUND,
                 .best = {.failure = &best},
                 .others = others,
                 .other_count = 1,
                 .claim = {.below = 15, .passed = 262, .bound = 0.02849}};
    take_end(&s, &m);
    m.claim.bound = 0.0000062791;
    take_end(&s, &m);
    m.answer = ANSWER_PASSED;
    m.best.failure = NULL;
    m.claim = (run_claim){.rounds = 100, .sizes = 4, .largest = 64, .bound = 0.03622};
    take_end(&s, &m);
    line_holds(0, "{\"below\":15,\"passed\":262,\"bound\":0.0285,\"confidence\":0.95,"
                  "\"replay\":\"frng-replay ./s --size 16 --seed 7\",\"end\":\"complete\"}");
    line_holds(1, "{\"bound\":0.00000628}");
    line_holds(2, "{\"bound\":0.0363,\"below\":null,\"replay\":null,\"tested\":{\"sizes\":4}}");
    json_t *line = line_at(0), *also = json_array_get(json_object_get(line, "also"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(also, "replay")),
                     "frng-replay ./s --size 9 --seed 8");
    json_decref(line);
}

/* ---- Reductions ---- */

TEST(bests_of_reductions) {
    static uint8_t bytes[JSON_HEX_MAX + 1] = {0xab, 0xcd};
    failure f = {.input = {2, 0}, .signature = {SIGNATURE_EXIT, 3}, .site = "a.c:7", .reruns = 3};
    event e = {.kind = EVENT_BEST,
               .failure = &f,
               .bytes = bytes,
               .progress = {.size = 2,
                            .runs = 143,
                            .steps = 17,
                            .elapsed_ns = CLOCK_NS_PER_S / 4,
                            .pass = "delete"}};
    events s = begin(&reducing);
    events_take(&s, &e);
    f.site[0] = '\0';
    f.input.size = JSON_HEX_MAX + 1;
    e.kind = EVENT_OTHER;
    events_take(&s, &e);
    f.input.size = JSON_HEX_MAX;
    events_take(&s, &e);
    line_holds(0, "{\"event\":\"best\",\"hex\":\"abcd\",\"identity\":\"exit:3\",\"site\":\"a.c:7\","
                  "\"flaky\":\"0/3\",\"size\":2,\"calls\":143,\"successes\":17,\"seconds\":0.25}");
    line_lacks(0, "seed");
    line_holds(1, "{\"event\":\"other\",\"hex\":null,\"site\":null}");
    json_t *line = line_at(2);
    ck_assert_uint_eq(json_string_length(json_object_get(line, "hex")), 2 * JSON_HEX_MAX);
    json_decref(line);
}

TEST(dones_of_reductions) {
    const failure f = {.signature = {SIGNATURE_TIMEOUT, 0}, .reruns = 3, .repeated = 3};
    const pass_statistics passes[] = {{"delete", 10, 2, 5}, {"zero", 1, 0, 0}};
    summary m = {.setup = &reducing,
                 .answer = ANSWER_FOUND,
                 .best = {.failure = &f, .bytes = (const uint8_t *)""},
                 .passes = passes,
                 .pass_count = 2};
    events s = begin(&reducing);
    take_end(&s, &m);
    m = (summary){.setup = &reducing, .end = END_PASSES, .answer = ANSWER_PASSED};
    take_end(&s, &m);
    line_holds(0, "{\"outcome\":\"fail\",\"hex\":\"\",\"identity\":\"timeout\",\"flaky\":false,"
                  "\"complete\":true,\"passes\":["
                  "{\"name\":\"delete\",\"calls\":10,\"successes\":2,\"bytes\":5},"
                  "{\"name\":\"zero\",\"calls\":1,\"successes\":0,\"bytes\":0}]}");
    line_holds(1, "{\"outcome\":\"pass\",\"size\":null,\"hex\":null,\"identity\":null,"
                  "\"complete\":false}");
}

/* ---- What a night writes ---- */

TEST(a_minute_without_news_has_a_sign_of_life) {
    events s = begin(&searching);
    progress p = {.size = 16, .runs = 5, .claim = {.bound = 1}};
    take_size(&s, &p);
    for (int64_t second = 0; second <= 180; second++) {
        p.elapsed_ns = second * CLOCK_NS_PER_S;
        p.runs += 10;
        take_size(&s, &p);
    }
    ck_assert_uint_eq(count_lines(), 4);
    line_holds(1, "{\"event\":\"alive\",\"seconds\":60.0,\"runs\":615,\"best_size\":null,"
                  "\"when\":\"2026-11-22T08:30:00Z\"}");
}

TEST(many_steps_become_few_lines) {
    const byte_change change = {.offset = 4,
                                .removed = 100,
                                .inserted = 1,
                                .before = {[0] = 0xab, [31] = 0xcd},
                                .after = {0x01}};
    event e = {.kind = EVENT_STEP,
               .change = &change,
               .progress = {.size = 1 << 20, .runs = 7, .steps = 1, .pass = "delete", .draws = 3}};
    events s = begin(&reducing);
    for (unsigned i = 0; i < EVENTS_STEPS + 1000; i++) events_take(&s, &e);
    ck_assert_uint_eq(count_lines(), EVENTS_STEPS);
    e.progress.size -= e.progress.size / EVENTS_STEP_SHARE + 1;
    events_take(&s, &e);
    ck_assert_uint_eq(count_lines(), EVENTS_STEPS + 1);
    line_holds(0, "{\"pass\":\"delete\",\"change\":{\"removed\":100,\"after\":\"01\","
                  "\"before\":\"ab000000000000000000000000000000"
                  "000000000000000000000000000000cd\"}}");
}

enum { SIZES = 20000 };

static void take_runs(events *s, uint64_t size, uint64_t runs) {
    const tested_runs t = {.size = size, .runs = runs, .drawn = size * runs, .is_fresh = true};
    events_take(s, &(event){.kind = EVENT_TESTED, .tested = &t});
}

/* End the search. Each size has as many runs in its lines as `expected` says. */
static void counts_add_up(events *s, uint64_t (*expected)(uint64_t size)) {
    static uint64_t runs[SIZES], drawn[SIZES];
    const char *line = text_of(output.fd);
    take_done(s, ANSWER_PASSED, NULL);
    text_of(output.fd);
    for (const char *end; *line != '\0'; line = end + 1) {
        end = strchr(line, '\n');
        json_t *object = json_loadb(line, (size_t)(end - line), 0, NULL);
        const json_int_t size = json_integer_value(json_object_get(object, "size"));
        ck_assert(size >= 0 && size < SIZES);
        runs[size] += (uint64_t)json_integer_value(json_object_get(object, "runs"));
        drawn[size] += (uint64_t)json_integer_value(json_object_get(object, "drawn"));
        json_decref(object);
    }
    for (uint64_t size = 0; size < SIZES; size++) {
        ck_assert_uint_eq(runs[size], expected(size));
        ck_assert_uint_eq(drawn[size], size * expected(size));
    }
}

static uint64_t in_turn(uint64_t size) { return size >= 16 && size < 80 ? 100000 : 0; }
static uint64_t uneven(uint64_t size) { return 3 * (1 + size % 3); }

TEST(a_size_is_told_when_it_is_left_and_each_time_its_runs_have_doubled) {
    events s = begin(&searching);
    take_runs(&s, 8, 3);
    take_runs(&s, 8, 4);
    ck_assert_uint_eq(count_lines(), 0);
    take_runs(&s, 5, 1);
    line_holds(0, "{\"event\":\"tested\",\"size\":8,\"runs\":7,\"drawn\":56,\"fresh\":true}");
    for (uint64_t i = 1; i < 1 << 20; i++) take_runs(&s, 5, 1);
    ck_assert_uint_eq(count_lines(), 16); /* 64, 64, 128, 256, ... */
    free(s.counts);                       /* the end of the search would */
}

TEST(sizes_in_turn_for_a_night_are_told_seldom_and_add_up) {
    events s = begin(&searching);
    for (unsigned round = 0; round < 10000; round++)
        for (uint64_t size = 16; size < 80; size++) take_runs(&s, size, 10);
    ck_assert_uint_lt(count_lines(), 64 * 17);
    counts_add_up(&s, in_turn);
}

TEST(more_sizes_than_there_is_room_for_add_up_too) {
    events s = begin(&searching);
    for (unsigned round = 0; round < 3; round++)
        for (uint64_t size = 0; size < SIZES; size++) take_runs(&s, size, 1 + size % 3);
    counts_add_up(&s, uneven);
}

TEST(ends_and_draws_add_up_and_what_is_unknown_stays_so) {
    tested_runs t = {.size = 8, .runs = 10, .drawn = 80, .failures = 1, .others = 1};
    events s = begin(&searching);
    events_take(&s, &(event){.kind = EVENT_TESTED, .tested = &t});
    t = (tested_runs){.size = 8, .runs = 20, .drawn = UINT64_MAX, .failures = 1, .unreliable = 1};
    events_take(&s, &(event){.kind = EVENT_TESTED, .tested = &t});
    take_runs(&s, 8, 5); /* fresh: by itself */
    take_done(&s, ANSWER_PASSED, NULL);
    line_holds(0, "{\"runs\":30,\"drawn\":null,\"failures\":2,\"others\":1,\"unreliable\":1,"
                  "\"fresh\":false}");
    line_holds(1, "{\"runs\":5,\"drawn\":40,\"fresh\":true}");
    ck_assert_uint_eq(count_lines(), 3);
}

/* ---- Files, pipes, disks ---- */

TEST(without_a_file_nothing_is_written) {
    events s = {.out = NULL};
    events_take(&s, &(event){.kind = EVENT_STARTED, .setup = &searching});
    take_size(&s, &(progress){0});
    take_done(&s, ANSWER_PASSED, NULL);
    ck_assert_int_eq(s.error, 0);
}

/* The error of an early line is still known at the end, when nothing more fails. */
TEST(a_full_disk_and_a_reader_that_went_away_are_told_at_the_end) {
    int ends[2];
    events s = events_on(&searching, open("/dev/full", O_WRONLY | O_CLOEXEC));
    take_size(&s, &(progress){.size = 16});
    take_done(&s, ANSWER_PASSED, NULL);
    ck_assert_int_eq(s.error, ENOSPC);
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    close(ends[0]);
    s = events_on(&searching, ends[1]);
    take_size(&s, &(progress){.size = 16});
    ck_assert_int_eq(s.error, EPIPE);
}

static int open_file(const char *text) {
    if (text != NULL) test_dir_text("events", text, 0600);
    const int fd = open(test_dir_path("events"), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    ck_assert_int_ge(fd, 0);
    return fd;
}

static int put(json_output *o, const char *value) {
    return json_output_put(o, json_pack("{s:s}", "a", value));
}

TEST(lines_follow_what_is_there_and_end_a_torn_line_once) {
    for (int is_torn = 0; is_torn < 2; is_torn++) {
        const int fd = open_file(is_torn == 1 ? "{\"old\":" : "{\"old\":1}\n");
        json_output o = json_output_on(fd, is_torn == 1);
        ck_assert_int_eq(put(&o, "b"), 0);
        ck_assert_int_eq(put(&o, "c"), 0);
        ck_assert_str_eq(text_of(fd), is_torn == 1 ? "{\"old\":\n{\"a\":\"b\"}\n{\"a\":\"c\"}\n"
                                                   : "{\"old\":1}\n{\"a\":\"b\"}\n{\"a\":\"c\"}\n");
    }
}

/* Let files grow to this size at most, as a disk that is full. */
static void limit_files(rlim_t size) {
    const struct rlimit limit = {size, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

TEST(a_line_that_a_full_disk_cut_is_ended_before_the_next) {
    const int fd = open_file(NULL);
    json_output o = json_output_on(fd, false);
    limit_files(5);
    ck_assert_int_eq(put(&o, "b"), EFBIG);
    ck_assert_int_eq(put(&o, "c"), EFBIG); /* no byte of it fits */
    limit_files(RLIM_INFINITY);
    ck_assert_int_eq(put(&o, "d"), 0);
    ck_assert_str_eq(text_of(fd), "{\"a\":\n{\"a\":\"d\"}\n");
}

/* Write lines of one letter, long and short ones. */
static void write_lines(char letter, int count) {
    static char word[9000];
    json_output o = json_output_on(open_file(NULL), false);
    for (int i = 0; i < count; i++) {
        const size_t length = (size_t)(i * 37) % (sizeof word - 1);
        memset(word, letter, length);
        word[length] = '\0';
        if (put(&o, word) != 0) _exit(1);
    }
}

TEST(lines_of_two_writers_do_not_mix) {
    enum { COUNT = 300 };
    int status, lines = 0;
    const pid_t other = fork();
    if (other == 0) {
        write_lines('y', COUNT);
        _exit(0);
    }
    write_lines('x', COUNT);
    ck_assert_int_eq(waitpid(other, &status, 0), other);
    ck_assert_int_eq(status, 0);
    for (const char *line = text_of(open_file(NULL)), *end; *line != '\0'; line = end + 1) {
        end = strchr(line, '\n');
        const size_t length = (size_t)(end - line) - strlen("{'a':''}");
        ck_assert_int_eq(strncmp(line, "{\"a\":\"", 6), 0);
        ck_assert_uint_eq(strspn(line + 6, line[6] == 'x' ? "x" : "y"), length);
        lines++;
    }
    ck_assert_int_eq(lines, 2 * COUNT);
}

TEST(a_pipe_takes_a_line_of_any_size_at_once) {
    static char word[100000], text[sizeof word + 100];
    int ends[2], status;
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    const pid_t writer = fork();
    if (writer == 0) {
        json_output o = json_output_on(ends[1], false);
        memset(word, 'w', sizeof word - 1);
        _exit(put(&o, word));
    }
    close(ends[1]);
    ck_assert_uint_eq(read_all(ends[0], text, sizeof text), sizeof word - 1 + strlen("{'a':''}\n"));
    ck_assert_int_eq(waitpid(writer, &status, 0), writer);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
    events s = events_on(&searching, ends[1]);
    take_size(&s, &(progress){.size = 16}); /* its reader is never behind */
    const ssize_t count = read(ends[0], text, sizeof text);
    ck_assert(count > 0 && text[count - 1] == '\n');
}

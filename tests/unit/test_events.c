/* events.h: what becomes a line, and how lines are written. What lines hold is in
 * texts.txt and tests/transcripts/events.t, that each fits the schema is checked by the scenarios
 * (tests/cli/schema.py). */
#include "events.h"
#include "fixture.h"

#include "clock.h"

#include <errno.h>
#include <sys/resource.h>

/* ---- Reading back ---- */

static int output; /* of the events under way */

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
    output = fd;
    return (events){.out = fd, .utc = utc, .setup = of, .mode = of->mode};
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
    for (const char *at = text_of(output); *at != '\0'; at++) count += *at == '\n';
    return count;
}

/* Return the line of that number, from 0 on, parsed strictly. */
static json_t *line_at(size_t index) {
    const char *line = text_of(output);
    for (; index > 0 && line != NULL; index--) line = strchr(line, '\n') + 1;
    const char *end = strchr(line, '\n');
    ck_assert_msg(end != NULL, "no newline at the end of '%s'", line);
    json_t *object = json_loadb(line, (size_t)(end - line), JSON_REJECT_DUPLICATES, NULL);
    ck_assert_msg(json_is_object(object), "no object: %s", line);
    return object;
}

/* The line has all of these members. */
static void line_holds(size_t index, const char *expected) {
    json_t *members = json_loads(expected, 0, NULL), *line = line_at(index), *value;
    const char *name;
    json_object_foreach(members, name, value) {
        char *is = json_dumps(json_object_get(line, name), JSON_ENCODE_ANY);
        ck_assert_msg(json_equal(json_object_get(line, name), value), "%s is %s", name, is);
        free(is);
    }
    json_decref(line);
    json_decref(members);
}

static void take(events *s, event_kind kind, const failure *f, const progress *p) {
    events_take(s, &(event){.kind = kind, .failure = f, .progress = *p});
}

static void take_size(events *s, const progress *p) { take(s, EVENT_PROGRESS, NULL, p); }

static void take_end(events *s, const summary *m) {
    events_take(s, &(event){.kind = EVENT_FINISHED, .summary = m});
}

static const summary passed = {.setup = &searching, .answer = ANSWER_PASSED};

/* ---- Single lines ---- */

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
    const byte_change change = {4, 100, 1, .before = {[0] = 0xab, [31] = 0xcd}, .after = {0x01}};
    event e = {.kind = EVENT_STEP,
               .change = &change,
               .progress = {.size = 1 << 20, .runs = 7, .steps = 1, .pass = "delete", .draws = 3}};
    events s = begin(&reducing);
    for (unsigned i = 0; i < EVENTS_STEPS + 1000; i++) events_take(&s, &e);
    ck_assert_uint_eq(count_lines(), EVENTS_STEPS);
    e.progress.size -= e.progress.size / EVENTS_STEP_SHARE + 1;
    events_take(&s, &e);
    ck_assert_uint_eq(count_lines(), EVENTS_STEPS + 1);
    line_holds(0, "{\"pass\":\"delete\",\"change\":{\"offset\":4,\"removed\":100,\"inserted\":1,"
                  "\"before\":\"ab000000000000000000000000000000000000000000000000000000000000cd\","
                  "\"after\":\"01\"}}");
}

static void take_runs(events *s, uint64_t size, uint64_t runs) {
    const tested_runs t = {.size = size, .runs = runs, .drawn = size * runs, .is_fresh = true};
    events_take(s, &(event){.kind = EVENT_TESTED, .tested = &t});
}

TEST(a_size_is_told_when_it_is_left_and_each_time_its_runs_have_doubled) {
    events s = begin(&searching);
    take_runs(&s, 8, 3);
    take_runs(&s, 8, 4);
    ck_assert_uint_eq(count_lines(), 0);
    take_runs(&s, 5, 1);
    line_holds(0, "{\"event\":\"tested\",\"size\":8,\"runs\":7,\"drawn\":56,\"fresh\":true}");
    for (uint64_t i = 1; i < 1 << 20; i++) take_runs(&s, 5, 1);
    ck_assert_uint_eq(count_lines(), 16); /* 64, 64, 128, 256, ... */
}

TEST(ends_and_draws_add_up_and_what_is_unknown_stays_so) {
    tested_runs t = {.size = 8, .runs = 10, .drawn = 80, .failures = 1, .others = 1};
    events s = begin(&searching);
    events_take(&s, &(event){.kind = EVENT_TESTED, .tested = &t});
    t = (tested_runs){.size = 8, .runs = 20, .drawn = UINT64_MAX, .failures = 1, .unreliable = 1};
    events_take(&s, &(event){.kind = EVENT_TESTED, .tested = &t});
    take_runs(&s, 8, 5); /* fresh: by itself */
    take_end(&s, &passed);
    line_holds(0, "{\"runs\":30,\"drawn\":null,\"failures\":2,\"others\":1,\"unreliable\":1,"
                  "\"fresh\":false}");
    line_holds(1, "{\"runs\":5,\"drawn\":40,\"fresh\":true}");
    ck_assert_uint_eq(count_lines(), 3);
}

/* ---- Files, pipes, disks ---- */

/* The error of an early line is still known at the end, when nothing more fails. */
TEST(a_full_disk_and_a_reader_that_went_away_are_told_at_the_end) {
    int ends[2];
    events s = events_on(&searching, open("/dev/full", O_WRONLY | O_CLOEXEC));
    take_size(&s, &(progress){.size = 16});
    take_end(&s, &passed);
    ck_assert_int_eq(s.error, ENOSPC);
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    close(ends[0]);
    s = events_on(&searching, ends[1]);
    take_size(&s, &(progress){.size = 16});
    ck_assert_int_eq(s.error, EPIPE);
}

static int open_file(void) {
    const int fd = open(test_dir_path("events"), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    ck_assert_int_ge(fd, 0);
    return fd;
}

static bool is_torn; /* the last line of `put` */

static int put(int fd, const char *value) {
    return json_put_line(fd, &is_torn, json_pack("{s:s}", "a", value));
}

/* Let files grow to this size at most, as a disk that is full. */
static void limit_files(rlim_t size) {
    const struct rlimit limit = {size, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

TEST(a_line_that_a_full_disk_cut_is_ended_before_the_next) {
    const int fd = open_file();
    limit_files(0);
    ck_assert_int_eq(put(fd, "a"), EFBIG); /* no line to end */
    limit_files(5);
    ck_assert_int_eq(put(fd, "b"), EFBIG);
    ck_assert_int_eq(put(fd, "c"), EFBIG); /* no byte of it fits */
    limit_files(RLIM_INFINITY);
    ck_assert_int_eq(put(fd, "d"), 0);
    ck_assert_str_eq(text_of(fd), "{\"a\":\n{\"a\":\"d\"}\n");
}

/* Both write lines of one letter, long and short ones. */
TEST(lines_of_two_writers_do_not_mix) {
    enum { COUNT = 300 };
    static char word[9000];
    int status, lines = 0;
    const pid_t other = fork();
    const int fd = open_file();
    for (int i = 0; i < COUNT; i++) {
        const size_t length = (size_t)(i * 37) % (sizeof word - 1);
        memset(word, other == 0 ? 'y' : 'x', length);
        word[length] = '\0';
        ck_assert_int_eq(put(fd, word), 0);
    }
    if (other == 0) _exit(0);
    ck_assert_int_eq(waitpid(other, &status, 0), other);
    ck_assert_int_eq(status, 0);
    for (const char *line = text_of(fd), *end; *line != '\0'; line = end + 1, lines++) {
        end = strchr(line, '\n');
        const size_t length = (size_t)(end - line) - strlen("{'a':''}");
        ck_assert_int_eq(strncmp(line, "{\"a\":\"", 6), 0);
        ck_assert_uint_eq(strspn(line + 6, line[6] == 'x' ? "x" : "y"), length);
    }
    ck_assert_int_eq(lines, 2 * COUNT);
}

TEST(a_pipe_takes_a_line_of_any_size_at_once) {
    static char word[100000], text[sizeof word + 100];
    int ends[2], status;
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    const pid_t writer = fork();
    if (writer == 0) {
        memset(word, 'w', sizeof word - 1);
        _exit(put(ends[1], word));
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

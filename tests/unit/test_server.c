/* server.h: what is believed of a target that speaks the protocol. This program
 * once more is the target: an honest one (frng_main.h), or a few lines that say and do what the
 * rows of a table want. */
#include "fixture.h"
#include "frng_main.h" /* first: it has locals with names that ours have for types */

#include "candidate_set.h"
#include "clock.h"
#include "engine.h"
#include "pool.h"
#include "server_state.h"

#include <errno.h>
#include <sys/socket.h>

enum { LONG_S = 100, SHORT_MS = 500, SIZE = 64, GIVEN_MAX = 4096, RECORDS_MAX = 8 };

/* ---- Honest targets ---- */

static bool passes(frng *f) {
    uint64_t value;
    for (int i = 0; i < 3; i++) FRNG_TRY(frng_u64(f, &value));
    return true;
}

static bool always_asserts(frng *f) {
    FRNG_ASSERT(f == NULL);
    return true;
}

static bool dies_at_12(frng *f) {
    uint32_t value;
    for (int i = 0; i < 3; i++) FRNG_TRY(frng_u32(f, &value));
    return kill(getpid(), SIGKILL) != 0;
}

static bool asserts_on_8(frng *f) {
    uint8_t value;
    FRNG_TRY(frng_u8(f, &value));
    FRNG_ASSERT(value % 8 != 0);
    return true;
}

static bool fails_third(frng *f) {
    static int runs;
    (void)f;
    return ++runs != 3;
}

static bool hangs_third(frng *f) {
    static int runs;
    (void)f;
    while (runs == 2) pause();
    return ++runs > 0;
}

static bool stops_its_server(frng *f) {
    uint8_t value;
    FRNG_TRY(frng_u8(f, &value));
    kill(getppid(), SIGSTOP);
    while (pause() != 0) continue;
    return true;
}

static bool hangs(frng *f) {
    uint16_t value;
    FRNG_TRY(frng_u16(f, &value));
    while (pause() != 0) continue;
    return true;
}

/* Draws 0, 1, 3 or 4 bytes: q quits, f fails, x exits and reports nothing. */
static bool reads_letters(frng *f) {
    uint8_t first, last;
    uint16_t more;
    FRNG_TRY(frng_u8(f, &first));
    if (first == 'q') return true;
    FRNG_TRY(frng_u16(f, &more));
    frng_note(f, "last");
    FRNG_ASSERT(first != 'f');
    if (first == 'x') exit(EXIT_SUCCESS);
    FRNG_TRY(frng_u8(f, &last));
    return true;
}

/* Fails in a step that says where: in forks and programs, in programs only, or nowhere. */
static bool fails_somewhere(frng *f) {
    const bool is_fork = frng__state()->control >= 0;
    uint8_t where;
    FRNG_TRY(frng_u8(f, &where));
    frng_step(f, is_fork ? "fork" : "program");
    FRNG_ASSERT(where == 'n' || (where == 'p' && is_fork));
    return true;
}

static bool draws_more_later(frng *f) {
    static bool later;
    uint8_t value;
    FRNG_TRY(frng_u8(f, &value));
    if (later) FRNG_TRY(frng_u8(f, &value));
    later = true;
    return true;
}

static bool draws_more_third(frng *f) {
    static int runs;
    uint8_t value;
    FRNG_TRY(frng_u8(f, &value));
    return ++runs < 3 || frng_u8(f, &value);
}

/* Each draw has bounds that an earlier one decides. */
static bool draws_by_bounds(frng *f) {
    uint8_t count;
    size_t index, weighted;
    bool coin;
    const uint8_t *raw;
    FRNG_TRY(frng_u8_max(f, 9, &count));
    FRNG_TRY(frng_pick(f, (size_t)count + 1, &index));
    const uint32_t weights[] = {0, count, 0, 3, 0};
    FRNG_TRY(frng_pick_weighted(f, weights, 5, &weighted));
    FRNG_TRY(frng_bool(f, &coin));
    FRNG_TRY(frng_bytes(f, 2, &raw));
    FRNG_ASSERT(count != 4 || index != 4 || weighted != 3 || coin || raw[0] != 7 || raw[1] != 0);
    return true;
}

/* ---- Played servers ---- */

typedef struct role role;

struct role {
    const char *name;
    frng_test test; /* of an honest target; of a played server: its runs that are spawned */
    uint64_t able;  /* flags of the HELLO of a played server */
    /* Make `done`, which begins as `says`, of an order. NULL: an honest target */
    void (*answer)(const role *p, const frng_message *order, frng_message *done);
    frng_message says;
};

static const char *played; /* name of the part, of which that in the table may be the beginning */
static uint64_t made;      /* runs of this process */

static void as_it_says(const role *p, const frng_message *order, frng_message *done) {
    (void)p, (void)order, (void)done;
}

/* A message has no more runs than the protocol allows. */
static void all_have_passed(const role *p, const frng_message *order, frng_message *done) {
    (void)p;
    if (order->count > FRNG_COUNT_MAX) abort();
    done->count = order->count;
}

/* Two have passed, and the third ends the server. */
static void dies_in_the_third(const role *p, const frng_message *order, frng_message *done) {
    (void)p, (void)order, (void)done;
    frng__state()->report->run = 2;
    _exit(3);
}

/* One run an order, from the entropy file; 'f' fails, and nothing is reported. */
static void one_by_one(const role *p, const frng_message *order, frng_message *done) {
    uint8_t bytes[SIZE];
    const ssize_t size = pread(frng__state()->entropy, bytes, sizeof bytes, 0);
    const bool is_right = order->type == FRNG_RUN && order->flags == 0 && order->count == 1 &&
                          order->size < SIZE && size == (ssize_t)order->size;
    (void)p;
    done->count = is_right && (size == 0 || bytes[0] != 'f');
    if (done->count == 0) done->status = 7 << 8;
}

/* Rows and a trace that cannot be. */
static void forges_rows(const role *p, const frng_message *order, frng_message *done) {
    frng_report *report = frng__state()->report;
    uint64_t *rows = (uint64_t *)(void *)((uint8_t *)report + report->runs_offset);
    (void)p;
    for (uint64_t i = 0; i < order->count; i++) rows[i] = (i % 2 << 63) | (GIVEN_MAX + i);
    report->traced = UINT64_MAX - 3;
    report->trace_count = report->trace_offset = report->runs_offset = UINT64_MAX;
    done->count = order->count;
}

/* End the process as this part does. */
static void end_run(void) {
    if (strcmp(played, "itself-exits-0") == 0) _exit(0);
    if (strcmp(played, "itself-dies") == 0) kill(getpid(), SIGKILL);
    while (strcmp(played, "itself-hangs") == 0) pause();
    if (strcmp(played, "itself-hangs-up") == 0) {
        close(frng__state()->control);
        usleep(20 * 1000);
    }
    strcpy(frng__state()->report->site, "queue.py:16");
    _exit(3);
}

/* Make the runs of explicit bytes in this process, whose end is that of the run in progress. */
static void makes_runs_itself(const role *p, const frng_message *order, frng_message *done) {
    (void)p;
    static uint8_t bytes[1 << 20];
    const bool late = strcmp(played, "itself-fails-25th") == 0;
    const ssize_t size = pread(frng__state()->entropy, bytes, sizeof bytes, 0);
    const bool is_alone = (order->flags & FRNG_ONE_PROCESS) == 0;
    if (strcmp(played, "itself-begins-none") == 0) _exit(3);
    if (size != (ssize_t)order->size || (order->flags & FRNG_GIVEN) == 0) abort();
    if (is_alone && (order->count != 1 || made > 0)) abort();
    for (uint64_t i = 0; i < order->count; i++) {
        const size_t used = 1;
        frng__state()->report->run = i;
        memcpy((uint8_t *)frng__state()->report->generator + offsetof(frng, used), &used,
               sizeof used);
        if (++made == 25 && late) _exit(3);
        if (!late && bytes[order->count * sizeof(uint64_t) + i * SIZE] % 8 == 0) end_run();
    }
    done->count = order->count;
}

#define expands (FRNG_CAN_EXPAND | FRNG_CAN_BATCH)
#define takes (FRNG_CAN_GIVEN | FRNG_CAN_BATCH)

#define NO_PROCESS(error)                                                                          \
    { FRNG_DONE, .flags = FRNG_NO_PROCESS, .status = error }

static const role parts[] = {
    {"says-stopped", always_asserts, expands, as_it_says, {FRNG_DONE, .status = 0x137f}},
    {"says-beyond", always_asserts, expands, as_it_says, {FRNG_DONE, .status = 1 << 16}},
    {"says-signal-126", always_asserts, expands, as_it_says, {FRNG_DONE, .status = 0x7e}},
    {"says-no-process", always_asserts, expands, as_it_says, NO_PROCESS(EAGAIN)},
    {"says-no-errno", always_asserts, expands, as_it_says, NO_PROCESS(5000)},
    {"dies-in-third", always_asserts, expands, dies_in_the_third, {FRNG_DONE}},
    {"expands-alone", reads_letters, expands, all_have_passed, {FRNG_DONE}},
    {"one-by-one", reads_letters, 0, one_by_one, {FRNG_DONE}},
    {"forges-rows", reads_letters, takes, forges_rows, {FRNG_DONE}},
    {"takes-no-process", reads_letters, takes, as_it_says, NO_PROCESS(EAGAIN)},
    {"itself-", passes, takes | FRNG_NO_FORK, makes_runs_itself, {FRNG_DONE}},
    /* Honest targets. */
    {"passes", passes},
    {"dies-at-12", dies_at_12},
    {"asserts", asserts_on_8},
    {"letters", reads_letters},
    {"fails-somewhere", fails_somewhere},
    {"draws-more-later", draws_more_later},
    {"draws-more-third", draws_more_third},
    {"draws-by-bounds", draws_by_bounds},
    {"hangs-third", hangs_third},
    {"hangs-server", stops_its_server},
    {"hangs", hangs},
    {"fails-third", fails_third},
};

static int play_server(const role *p) {
    frng_message m = {.type = FRNG_HELLO,
                      .version = 1,
                      .flags = p->able,
                      .drawn_offset = offsetof(frng_report, generator) + offsetof(frng, used),
                      .drawn_width = sizeof(size_t)};
    frng__set_hosts();
    const int control = frng__meet_driver();
    if (control < 0) return frng_run(p->test);
    while (send(control, &m, sizeof m, MSG_NOSIGNAL) >= 0 && recv(control, &m, sizeof m, 0) > 0) {
        frng_message done = p->says;
        p->answer(p, &m, &done);
        m = done;
    }
    return 0;
}

static int play(const char *name) {
    played = name;
    while (strcmp(name, "silent") == 0) pause();
    if (strcmp(name, "aborts") == 0) abort();
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        if (strncmp(name, parts[i].name, strlen(parts[i].name)) != 0) continue;
        return parts[i].answer == NULL ? frng_run(parts[i].test) : play_server(&parts[i]);
    }
    return EXIT_SUCCESS; /* it does not speak the protocol */
}

SUITE(.timeout_s = 90, .as_program = play, .emulator_lacks = "binfmt_misc");

/* ---- Batches ---- */

static const runner_watch never = {.fd = -1};
static char *arguments[] = {"test_server", NULL, NULL};
static run_result result; /* large; each test is a process of its own */

static run_config config_of(const char *name, run_mode mode) {
    const bool has_short_time = strstr(name, "hangs") != NULL;
    run_config config = {
        .command = {"/proc/self/exe", arguments, environ},
        .limits.timeout_ns = has_short_time ? SHORT_MS * CLOCK_NS_PER_MS : LONG_S * CLOCK_NS_PER_S,
        .size_max = SIZE,
        .reports = true,
        .candidate_bytes = GIVEN_MAX,
        .records_max = RECORDS_MAX,
        .mode = mode,
        .layout = {offsetof(frng_report, generator) + offsetof(frng, used), sizeof(size_t),
                   .forks_none = strncmp(name, "itself", 6) == 0},
    };
    arguments[1] = (char *)(uintptr_t)name;
    sigemptyset(&config.mask);
    return config;
}

static void no_process_is_left(void) {
    errno = 0;
    ck_assert_msg(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "a process is left");
}

static void run_with(const run_config *config, batch runs) {
    int error = -1;
    runner *r = runner_server_create(config, &never, &error);
    ck_assert_msg(r != NULL, "%s", strerror(error));
    r->run(r, &runs, RUN_TRY, &result);
    r->destroy(r);
    no_process_is_left();
}

static uint8_t given_bytes[GIVEN_MAX];
static frng_trace_record given_records[RECORDS_MAX];
static candidate_set given;

/* Empty the set: each run in it has told something that no run tells before. */
static void begin_giving(void) {
    given = (candidate_set){.bytes = given_bytes,
                            .bytes_max = GIVEN_MAX,
                            .records = given_records,
                            .records_max = RECORDS_MAX,
                            .reported = 99,
                            .record_count = 99,
                            .can_choose = true};
    memset(given.passes, 0x77, sizeof given.passes);
}

static void give(const void *bytes, uint64_t size) {
    const uint64_t start = given.count > 0 ? given.ends[given.count - 1] : 0;
    if (size > 0) memcpy(given_bytes + start, bytes, size);
    given.ends[given.count++] = start + size;
}

/* The result as text: "7 signal:SIGABRT drew 3 at test_server.c", then what the runs of a set that
 * passed drew ("!": all there was, "?": unknown), and the records. */
static const char *told(uint32_t first) {
    static char text[512];
    char end[SIGNATURE_TEXT_MAX] = "pass";
    const bool failed = result.last.verdict != VERDICT_PASS;
    if (result.last.verdict == VERDICT_STUCK) strcpy(end, "stuck");
    if (outcome_failed(&result.last)) signature_format(outcome_signature(&result.last), end);
    int n = snprintf(text, sizeof text, "%u %s", result.ran, end);
    if (failed && result.last.drawn != OUTCOME_DRAWN_UNKNOWN)
        n += sprintf(text + n, " drew %d", (int)result.last.drawn);
    const char *slash = strrchr(result.site, '/'), *site = slash != NULL ? slash + 1 : result.site;
    if (*site != '\0') n += sprintf(text + n, " at %.*s", (int)strcspn(site, ":"), site);
    if (result.violation != ISOLATION_NONE)
        n += sprintf(text + n, " doubt %d of %d", result.violation, (int)result.doubted.seed);
    for (uint32_t i = 0; i < result.ran - failed && given.count > 0; i++) {
        const candidate_pass p = given.passes[first + i];
        const bool is_known = p.drawn != OUTCOME_DRAWN_UNKNOWN;
        n += is_known ? sprintf(text + n, " %d%s", (int)p.drawn, p.ran_out ? "!" : "")
                      : sprintf(text + n, " ?");
    }
    if (given.count > 0) sprintf(text + n, " %d/%d", (int)given.record_count, (int)given.reported);
    return text;
}

enum {
    SPAWN = 1 << MODE_SPAWN,
    FORK = 1 << MODE_FORK,
    PERSISTENT = 1 << MODE_PERSISTENT,
    SERVED = FORK | PERSISTENT,
    ALL = SPAWN | SERVED
};

static const char letters[] = "qz||m|mabc|xabc|mab|fabzz|q"; /* eight inputs */
static const char spawned[] = "1 signal:SIGABRT drew 0 at test_server.c";
static const char letters_told[] = "7 signal:SIGABRT drew 3 at test_server.c 1 0! 1! 4 ? 3! 3/3";

static const struct {
    const char *part;
    unsigned modes;
    const char *inputs; /* of a candidate set; NULL: seeds from 1 on */
    uint32_t first, count;
    const char *told;
    uint64_t number; /* of the first run in its search; 0: 1 */
} batches[] = {
    {"dies-at-12", ALL, NULL, 1, 5, "1 signal:SIGKILL drew 12"},
    {"asserts", ALL, NULL, 1, 999, "11 signal:SIGABRT drew 1 at test_server.c"},
    {"hangs", SERVED, NULL, 1, 5, "1 timeout drew 2"},
    {"hangs-server", SERVED, NULL, 1, 5, "1 stuck"},
    /* Failures that runs before them caused do not count. */
    {"fails-third", PERSISTENT, NULL, 1, 10, "10 pass doubt 1 of 3"},
    {"hangs-third", PERSISTENT, NULL, 1, 10, "10 pass doubt 1 of 3"},
    /* What makes no sense is not believed: the run is spawned. */
    {"says-stopped", SERVED, NULL, 1, 4, spawned},
    {"says-beyond", SERVED, NULL, 1, 4, spawned},
    {"says-signal-126", SERVED, NULL, 1, 4, spawned},
    {"says-no-process", SERVED, NULL, 1, 4, spawned},
    {"says-no-errno", SERVED, NULL, 1, 4, spawned},
    {"dies-in-third", SERVED, NULL, 1, 4, "3 signal:SIGABRT drew 0 at test_server.c"},
    /* The end of a server that makes its runs in itself is that of the run in progress. */
    {"itself-fails", PERSISTENT, NULL, 1, 999, "11 exit:3 drew 1 at queue.py"},
    {"itself-hangs-up", PERSISTENT, NULL, 1, 999, "11 exit:3 drew 1 at queue.py"},
    {"itself-dies", PERSISTENT, NULL, 1, 999, "11 signal:SIGKILL drew 1"},
    {"itself-hangs", PERSISTENT, NULL, 1, 999, "11 timeout drew 1"},
    {"itself-exits-0", PERSISTENT, NULL, 1, 100, "100 pass"},
    {"itself-begins-none", PERSISTENT, NULL, 1, 20, "20 pass"},
    /* Candidates: each run that passes tells what it drew, and the last one its trace. */
    {"letters", ALL, letters, 0, 8, letters_told},
    {"letters", ALL, letters, 2, 2, "2 pass 1! 4 4/4"},
    {"hangs", ALL, "m|abc|m", 0, 3, "2 timeout drew 2 0! 1/1"},
    {"fails-third", PERSISTENT, "a|b|c|d", 0, 4, "3 exit:1 drew 0 0 0 0/0"},   /* not made again */
    {"draws-more-later", PERSISTENT, "abc|abc|abc", 0, 3, "3 pass 1 2 2 2/2"}, /* it settles */
    {"draws-more-third", PERSISTENT, "abc|abc|abc", 0, 3, "3 pass doubt 3 of 2 1 1 1 1/1"},
    /* The number of a run decides whether it is compared. */
    {"draws-more-third", PERSISTENT, "abc|abc|abc", 0, 3, "3 pass 1 1 2 2/2", 17},
    {"draws-more-third", PERSISTENT, "abc|abc|abc", 0, 3, "3 pass doubt 3 of 2 1 1 1 1/1", 31},
    /* A server that expands seeds, and no more, is spawned; one that reads its entropy is not. */
    {"expands-alone", SERVED, letters, 0, 8, letters_told},
    {"expands-alone", SERVED, NULL, 1, FRNG_COUNT_MAX + 1, "16777217 pass"},
    {"one-by-one", SERVED, "|mab|fab", 0, 3, "3 exit:7 ? ? 0/0"},
    {"forges-rows", SERVED, "mab|m|f", 0, 3, "3 pass ? ? ? 8/-4"},
    {"takes-no-process", SERVED, letters, 0, 8, letters_told},
};

TEST_EACH(a_batch_is_judged, COUNT_OF(batches)) {
    for (run_mode mode = MODE_SPAWN; mode <= MODE_PERSISTENT; mode++) {
        if ((batches[_i].modes >> mode & 1) == 0) continue;
        const run_config config = config_of(batches[_i].part, mode);
        batch runs = {.first_seed = batches[_i].first,
                      .count = batches[_i].count,
                      .size = SIZE,
                      .number = larger(1, batches[_i].number)};
        begin_giving();
        for (const char *at = batches[_i].inputs; at != NULL; at = *at == '|' ? at + 1 : NULL) {
            const size_t size = strcspn(at, "|");
            give(at, size);
            at += size;
        }
        if (given.count > 0) runs.candidates = &given, runs.size = 0;
        run_with(&config, runs);
        ck_assert_msg(strcmp(told(batches[_i].first), batches[_i].told) == 0,
                      "%s in mode %d: %s, not %s", batches[_i].part, mode, told(batches[_i].first),
                      batches[_i].told);
    }
}

/* Where a server makes its runs in itself, the cause of a failure remains unknown: it counts. Runs
 * that are spawned then take their time, too. */
TEST_EACH(a_failure_of_unknown_cause_is_named_and_counts, 2) {
    static const known_failures none;
    static known_runs ends = {.failures = &none};
    run_config config = config_of("itself-fails-25th", MODE_PERSISTENT);
    int error;
    unsigned doubts = 0;
    config.is_steady = _i != 0;
    runner *r = runner_server_create(&config, &never, &error);
    ck_assert_ptr_nonnull(r);
    for (uint64_t i = 0; i < 12; i++) {
        const batch runs = {.first_seed = 1 + 10 * i, .count = 5, .size = SIZE, .known = &ends};
        r->run(r, &runs, RUN_TRY, &result);
        ck_assert_int_gt(result.took_ns, 0);
        const bool is_25th = result.violation != ISOLATION_NONE;
        ck_assert_int_eq(result.last.verdict, is_25th ? VERDICT_FAIL : VERDICT_PASS);
        ck_assert_uint_eq(result.ran, 5);
        if (is_25th) ck_assert_int_eq(result.violation, ISOLATION_FRESH_PASSES);
        doubts += is_25th;
    }
    ck_assert_msg(doubts == (config.is_steady ? 2 : 1), "%u of them",
                  doubts); /* else each is spawned */
    r->destroy(r);
    no_process_is_left();
}

/* Return a server whose process can stay; NULL where it cannot: with UBSan of gcc the target is a
 * program of C++, which does not stay. */
static runner *staying_server(const run_config *config) {
#if defined(__SANITIZE_ADDRESS__)
    (void)config;
    return NULL;
#else
    int error;
    runner *r = runner_server_create(config, &never, &error);
    ck_assert_ptr_nonnull(r);
    return r;
#endif
}

/* The process of a set stays for the next ones, but that of the first one: its exit is judged. A
 * set whose runs are to be cold gets a new one. */
TEST(a_process_stays_between_sets) {
    const run_config config = config_of("draws-more-later", MODE_PERSISTENT);
    static const struct {
        bool is_cold;
        uint64_t drawn;
    } sets[] = {{false, 1}, {false, 1}, {false, 2}, {true, 1}, {false, 2}};
    runner *r = staying_server(&config);
    if (r == NULL) return;
    for (size_t i = 0; i < COUNT_OF(sets); i++) {
        begin_giving();
        give("abc", 3);
        given.is_cold = sets[i].is_cold;
        const batch runs = {.count = 1, .candidates = &given};
        r->run(r, &runs, RUN_TRY_UNWATCHED, &result);
        ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
        ck_assert_msg(given.passes[0].drawn == sets[i].drawn, "set %zu drew %d", i,
                      (int)given.passes[0].drawn);
    }
    r->destroy(r);
    no_process_is_left();
}

/* After a failure that did not end its process, the known runs are in the message of the next set,
 * which has the reports of its own runs. */
TEST(known_runs_come_before_those_of_a_set) {
    const run_config config = config_of("asserts", MODE_PERSISTENT);
    static const char *const sets[] = {"a", "ah", "bcd", "ebh", "cab"};
    runner *r = staying_server(&config);
    if (r == NULL) return;
    for (size_t i = 0; i < COUNT_OF(sets); i++) {
        const uint32_t count = (uint32_t)strlen(sets[i]);
        begin_giving();
        for (uint32_t k = 0; k < count; k++) give(&sets[i][k], 1);
        const batch runs = {.count = count, .candidates = &given};
        r->run(r, &runs, RUN_TRY_UNWATCHED, &result);
        const bool fails = strchr(sets[i], 'h') != NULL;
        ck_assert_int_eq(result.last.verdict, fails ? VERDICT_FAIL : VERDICT_PASS);
        ck_assert_uint_eq(result.ran, count);
        for (uint32_t k = 0; k < count - fails; k++) ck_assert_uint_eq(given.passes[k].drawn, 1);
    }
    const warm_state *warm = &((const runner_server *)r)->warm;
    ck_assert(!warm->is_off && !warm->counts_none);
    ck_assert_uint_eq(warm->ahead.count, 2 + 2); /* "c", after a failure, was compared alone */
    r->destroy(r);
    no_process_is_left();
}

/* A set that is to go on after a failure does so up to the next one that is compared. */
TEST(a_set_goes_on_after_failures_that_are_meant) {
    const run_config config = config_of("asserts", MODE_PERSISTENT);
    static const char *const sets[] = {"h", "h", "h", "h", "h", "a", "hahh", "hh"};
    runner *r = staying_server(&config);
    if (r == NULL) return;
    const warm_state *warm = &((const runner_server *)r)->warm;
    known_failure meant = {.least = 0};
    for (size_t i = 0; i < COUNT_OF(sets); i++) {
        const batch runs = {.count = (uint32_t)strlen(sets[i]), .candidates = &given};
        begin_giving();
        for (uint32_t k = 0; k < runs.count; k++) give(&sets[i][k], 1);
        given.goes_on = runs.count > 1;
        given.meant = meant;
        r->run(r, &runs, RUN_TRY_UNWATCHED, &result);
        if (i == 0) meant.signature = outcome_signature(&result.last);
        if (i == 0) strcpy(meant.site, result.site);
        if (runs.count != 4) continue;
        ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
        ck_assert_uint_eq(result.ran, 4);
        for (size_t k = 0; k < 4; k++)
            ck_assert_int_eq(given.passes[k].is_counted, sets[i][k] == 'h');
    }
    ck_assert(outcome_failed(&result.last) && result.ran == 1); /* the eighth: it is compared */
    ck_assert(!warm->is_off && !warm->counts_none && warm->failures == 8);
    r->destroy(r);
    no_process_is_left();
}

/* A fork of the server makes the first rerun of a failure once a new program has repeated one. */
TEST(forks_confirm_until_a_program_differs) {
    const run_config config = config_of("fails-somewhere", MODE_PERSISTENT);
    static const struct {
        run_purpose purpose;
        char where;
        const char *step; /* in which it failed; NULL: it passed */
    } runs[] = {{RUN_TRY, 'a', "fork"},        {RUN_CONFIRM, 'a', "program"},
                {RUN_CONFIRM, 'a', "fork"},    {RUN_SHOW, 'a', "program"},
                {RUN_CONFIRM, 'n', NULL},      {RUN_CONFIRM, 'a', "fork"},
                {RUN_CONFIRM, 'p', "program"}, {RUN_CONFIRM, 'a', "program"}};
    int error;
    runner *r = runner_server_create(&config, &never, &error);
    ck_assert_ptr_nonnull(r);
    for (size_t i = 0; i < COUNT_OF(runs); i++) {
        begin_giving();
        give(&runs[i].where, 1);
        const batch once = {.count = 1, .candidates = &given};
        r->run(r, &once, runs[i].purpose, &result);
        const char *step = strstr(result.site, " in ");
        ck_assert_msg(step != NULL ? runs[i].step != NULL && strcmp(step + 4, runs[i].step) == 0
                                   : runs[i].step == NULL,
                      "run %zu failed at %s", i, result.site);
        ck_assert_int_eq(outcome_failed(&result.last), runs[i].step != NULL);
        if (step != NULL && runs[i].purpose != RUN_TRY) ck_assert_uint_gt(result.draws.count, 0);
    }
    r->destroy(r);
    no_process_is_left();
}

/* ---- Choices ---- */

static uint8_t choice_bytes[SIZE];
static size_t choices_size;

static void choose(frng_kind kind, unsigned width, uint64_t number) {
    const frng_choice c = {(uint8_t)kind, (uint8_t)width, false, number};
    choices_size += frng_choice_store(&c, choice_bytes + choices_size);
}

static void give_choices(uint64_t chosen_max) {
    given.form = CANDIDATE_CHOICES;
    given.chosen_max = chosen_max;
    give(choice_bytes, choices_size);
}

/* The choices of a failure of draws_by_bounds: an index beyond its bounds and of another width, a
 * weighted index without a weight, a coin that is missing, and one byte of two. */
static void choose_a_failure(void) {
    choices_size = 0;
    choose(FRNG_UINT, 1, 4);
    choose(FRNG_INDEX, 2, 200);
    choose(FRNG_WEIGHTED, 2, 4);
    choose(FRNG_BYTES, 1, 7);
}

TEST(choices_are_written_under_the_bounds_of_the_draw) {
    for (run_mode mode = MODE_FORK; mode <= MODE_PERSISTENT; mode++) {
        run_config config = config_of("draws-by-bounds", mode);
        uint8_t entropy[6];
        begin_giving();
        choices_size = 0;
        choose(FRNG_UINT, 1, 1);
        choose(FRNG_INDEX, 1, 0);
        give_choices(7); /* ends early */
        const size_t early = choices_size;
        choose_a_failure();
        give_choices(7);
        give_choices(7);
        run_with(&config, (batch){0, given.count, 0, &given});
        ck_assert(given.can_choose);
        ck_assert_uint_eq(result.ran, 2);
        ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
        ck_assert(given.passes[0].drawn == early && given.passes[0].ran_out);
        ck_assert_uint_eq(given.record_count, 5);
        ck_assert_uint_eq(given_records[1].u.draw.value, 4);
        ck_assert_uint_eq(given_records[2].u.draw.index, 4 | UINT64_C(4) << 32);
        ck_assert_uint_eq(given.chosen_size, sizeof entropy);
        /* What was written is an input that fails as well. */
        memcpy(entropy, candidate_set_chosen(&given), sizeof entropy);
        config = config_of("draws-by-bounds", MODE_SPAWN);
        begin_giving();
        give(entropy, sizeof entropy);
        run_with(&config, (batch){0, 1, 0, &given});
        ck_assert_int_eq(result.last.verdict, VERDICT_FAIL);
        ck_assert_uint_eq(given_records[2].u.draw.index, 0);
    }
}

/* A server of an earlier protocol, and a process for each run, take no choices. */
TEST(choices_that_cannot_be_run_are_said_so) {
    for (size_t i = 0; i < 3; i++) {
        const run_config config =
            config_of(i == 0 ? "one-by-one" : "draws-by-bounds", i == 0 ? MODE_FORK : MODE_SPAWN);
        begin_giving();
        choose_a_failure();
        give_choices(7);
        run_with(&config, (batch){0, 1, 0, &given});
        ck_assert(!given.can_choose);
        ck_assert_int_eq(result.last.verdict, VERDICT_PASS);
        ck_assert_uint_eq(result.ran, 1);
    }
}

/* ---- Its start ---- */

static bool cancels(void *context) { return ++*(int *)context == 2; }

TEST(the_wait_for_a_hello_can_be_cancelled_and_the_start_goes_on) {
    const run_config config = config_of("passes", MODE_FORK);
    const batch once = {.first_seed = 1, .count = 1, .size = SIZE};
    int looks = 0, ends[2], error;
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    ck_assert_int_eq(write(ends[1], "x", 1), 1);
    const runner_watch watch = {.fd = ends[0], .cancelled = cancels, .context = &looks};
    runner *r = runner_server_create(&config, &watch, &error);
    r->run(r, &once, RUN_TRY, &result);
    ck_assert(result.cancelled && result.ran == 0 && looks == 2);
    ck_assert_uint_eq(orphans_count_children(getpid()), 1);
    r->run(r, &once, RUN_TRY, &result);
    ck_assert(!result.cancelled && result.ran == 1);
    ck_assert_uint_eq(orphans_count_children(getpid()), 1);
    r->destroy(r);
    no_process_is_left();
}

static probe_answer probe(const char *path, const char *name) {
    static run_result found;
    run_config config = config_of(name, MODE_FORK);
    config.command.path = path;
    config.limits.timeout_ns = CLOCK_NS_PER_S;
    const pool_config one = {.jobs = 1,
                             .create = runner_server_create,
                             .config = &config,
                             .containment = CONTAINMENT_SUBREAPER,
                             .interrupt_fd = -1};
    const client_config endless = {.deadline_ns = CLOCK_NEVER};
    const client_input empty = client_seed((seed_input){.size = 0});
    pool *p = pool_create(&one);
    const run_end end = client_run_once(p, &endless, &empty, RUN_PROBE, &found).end;
    pool_destroy(p);
    const bool exists = access(path, F_OK) == 0;
    ck_assert_int_eq(end, exists ? END_DONE : END_ENVIRONMENT);
    if (!exists) ck_assert(found.last.fault == FAULT_EXEC && found.last.error_number == ENOENT);
    no_process_is_left();
    return found.able;
}

TEST(a_target_says_by_its_greeting_or_its_end_what_it_can_do) {
    ck_assert_int_eq(probe("/proc/self/exe", "passes").mode, MODE_PERSISTENT);
    ck_assert_int_eq(probe("/proc/self/exe", "itself-fails").mode, MODE_PERSISTENT);
    static const char *const others[] = {"plain", "silent", "aborts"};
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        ck_assert_int_eq(probe("/proc/self/exe", others[i]).mode, MODE_SPAWN);
    }
    ck_assert_int_eq(probe("/nonexistent/program", "plain").mode, MODE_SPAWN);
}

TEST(no_descriptor_is_lost) {
    static const char *const names[] = {"passes", "passes", "dies-at-12", "says-beyond", "asserts"};
    unsigned open_fds[2] = {0, 0};
    for (int i = 0; i < 5; i++) {
        for (run_mode mode = MODE_FORK; mode <= MODE_PERSISTENT; mode++) {
            const run_config config = config_of(names[i], mode);
            run_with(&config, (batch){.first_seed = 1, .count = 3, .size = SIZE});
        }
        if (i > 0 && i < 4) continue; /* the first run opens some for good */
        for (int fd = 0; fd < 256; fd++) open_fds[i / 4] += fcntl(fd, F_GETFD) >= 0;
    }
    ck_assert_uint_eq(open_fds[0], open_fds[1]);
}

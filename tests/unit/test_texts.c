/* text.h, events.h: what people and programs read, as a whole: each case prints below its name, as
 * text and as a line of --json, and texts.txt has what is new in it (golden.h). */
#include "events.h"
#include "failure.h"
#include "fixture.h"
#include "golden.h"
#include "signature_filter.h"
#include "text.h"

#include "clock.h"
#include "messages.h"

static FILE *out;

static const char *const no_args[] = {NULL};
static const run_target target = {
    .sut = "./sut", .args = no_args, .replay = "frng-replay", .options = ""};
static const run_setup searching = {.task = TASK_SEARCH,
                                    .subject = &target,
                                    .jobs = 2,
                                    .size_max = 4096,
                                    .rng_seed = 99,
                                    .expand = EXPAND_BOTH};
static const run_setup reducing = {
    .task = TASK_REDUCE, .subject = &target, .size = 4096, .jobs = 2};
static const run_setup reducing_file = {.task = TASK_REDUCE_FILE,
                                        .subject = &target,
                                        .size = 4096,
                                        .jobs = 1,
                                        .file = "a\033.c",
                                        .output = "a.out.c",
                                        .places = (const char *const[]){"a.c", NULL}};

static failure failure_of(uint64_t size, signature_kind kind, int number) {
    return (failure){.input = {size, 7}, .signature = {kind, number}, .reruns = 20, .repeated = 20};
}

static failure abort_at(uint64_t size) { return failure_of(size, SIGNATURE_SIGNAL, SIGABRT); }

/* ---- Printing ---- */

static void name_case(const char *name) { fprintf(out, "== %s\n", name); }

static const char *utc(char text[SUMMARY_UTC_MAX]) { return strcpy(text, "2026-11-22T08:30:00Z"); }

/* Print the line that an event becomes for programs. */
static void put_json(const run_setup *setup, const event *e) {
    static char line[1 << 16];
    const int fd = memfd_create("json", MFD_CLOEXEC);
    events s = {.out = fd, .utc = utc, .setup = setup, .mode = setup->mode};
    events_take(&s, e);
    line[pread(fd, line, sizeof line - 1, 0)] = '\0';
    fputs(line, out);
    close(fd);
}

static text_sink sink;

/* Print a summary, its result line, and its last event. */
static void put(const char *name, const summary *s) {
    name_case(name);
    capture_begin();
    sink = (text_sink){.setup = s->setup, .is_verbose = true};
    text_sink_take(&sink, &(event){.kind = EVENT_FINISHED, .summary = s});
    fputs(capture_end(), out);
    char *line = s->best.failure != NULL ? text_summary_result(s) : NULL;
    if (line != NULL) fprintf(out, "stdout: %s", line);
    free(line);
    put_json(s->setup, &(event){.kind = EVENT_FINISHED, .summary = s});
}

static void take(const event *e) {
    capture_begin();
    text_sink_take(&sink, e);
    fputs(capture_end(), out);
    put_json(sink.setup, e);
}

static void begin_events(const char *name, const run_setup *setup) {
    name_case(name);
    sink = (text_sink){.setup = setup};
}

static void take_failure(event_kind kind, const failure *f) {
    static const uint8_t bytes[64] = {1, 2};
    const progress now = {.runs = 1234, .steps = 17, .pass = "delete"};
    const bool has_seed = sink.setup->task == TASK_SEARCH;
    take(&(event){.kind = kind, .failure = f, .bytes = has_seed ? NULL : bytes, .progress = now});
}

/* ---- Events ---- */

static void put_events_of_searches(void) {
    failure f = abort_at(41);
    event replayed = {.kind = EVENT_REPLAYED, .input = &f.input, .fails = true};
    event isolation = {.kind = EVENT_ISOLATION, .input = &f.input};
    begin_events("a search tells", &searching);
    take_failure(EVENT_BEST, &f);
    take_failure(EVENT_OTHER, &f);
    take_failure(EVENT_FLAKY, &f);
    take(&replayed);
    replayed.fails = false;
    take(&replayed);
    f.input.style = SEED_STYLED;
    take_failure(EVENT_OTHER, &f);
    for (f.cause = CAUSE_TIMEOUT; f.cause <= CAUSE_WORKER; f.cause++) take_failure(EVENT_FLAKY, &f);
    take(&(event){.kind = EVENT_NONDETERMINISTIC, .input = &f.input});
    take(&(event){.kind = EVENT_LEAKS});
    for (isolation.violation = ISOLATION_FRESH_PASSES; isolation.violation <= ISOLATION_LEFTOVER;
         isolation.violation++)
        take(&isolation);
    take(&(event){.kind = EVENT_ISOLATION, .violation = ISOLATION_LEFTOVER, .mode = "fork"});
    take(&(event){.kind = EVENT_PASS_DROPPED, .name = "a\033", .misdeed = MISDEED_BROKEN});
    take(&(event){.kind = EVENT_PASS_DROPPED, .name = "b", .misdeed = MISDEED_BARREN});
}

static void put_events_of_reductions(void) {
    failure f = abort_at(12), one = abort_at(1);
    bytes_tail here = {0}, there = {0};
    bytes_tail_add(&here, (const uint8_t *)"words\nend \033", 11);
    bytes_tail_add(&there, (const uint8_t *)"other words\n", 12);
    begin_events("a reduction tells", &reducing);
    take_failure(EVENT_BEST, &f);
    take_failure(EVENT_OTHER, &one);
    take_failure(EVENT_FLAKY, &f);
    f.cause = CAUSE_MEMORY;
    take_failure(EVENT_FLAKY, &f);
    f.output = &here;
    one.output = &there;
    strcpy(f.site, "a.c:7");
    take(&(event){.kind = EVENT_ALIKE, .failure = &f});
    take(&(event){.kind = EVENT_ALIKE, .failure = &f, .other = &one});
    begin_events("the reduction of a file tells", &reducing_file);
    take_failure(EVENT_BEST, &f);
    take_failure(EVENT_FLAKY, &f);
}

static void put_starts(void) {
    const char *const args[] = {"a b", "\033[2J", NULL};
    const run_target dirty = {.sut = "./s", .args = args, .replay = "frng-replay", .options = ""};
    run_setup setups[] = {searching, searching, reducing, reducing_file, reducing_file};
    name_case("starts");
    setups[0].subject = setups[1].subject = &dirty;
    setups[0].digest = "00ff";
    setups[0].mode = setups[1].mode = "spawn";
    setups[0].rng_seed = UINT64_MAX;
    setups[1].expand = EXPAND_STYLED;
    setups[1].jobs = 1;
    setups[1].containment = "pid namespace";
    setups[2].mode = "fork";
    setups[4].command_count = 2;
    for (size_t i = 0; i < sizeof setups / sizeof *setups; i++) {
        sink = (text_sink){.is_verbose = true};
        take(&(event){.kind = EVENT_STARTED, .setup = &setups[i]});
    }
}

/* ---- Summaries of searches ---- */

static summary summary_of(run_answer answer, const failure *best) {
    return (summary){.setup = &searching,
                     .answer = answer,
                     .best = {.failure = best},
                     .progress = {.runs = 1234, .reruns = 21, .elapsed_ns = 2 * CLOCK_NS_PER_S}};
}

static void put_claims(void) {
    failure f = abort_at(41);
    summary s = summary_of(ANSWER_FOUND, &f);
    s.stop.end = END_SPENT;
    s.claim = (run_claim){.below = 40, .passed = 100, .bound = 1};
    strcpy(f.site, "a.c:7\033");
    f.input.style = SEED_STYLED;
    put("a failure at a site, a claim without a bound, stopped", &s);
    s.claim = (run_claim){.below = 1, .passed = 256};
    put("all inputs below were run", &s);
    f.input = (seed_input){0, UINT64_MAX};
    put("empty input fails", &s);
}

static void put_flaky(void) {
    failure f = abort_at(41);
    summary s = summary_of(ANSWER_FOUND, &f);
    f.repeated = 17;
    put("a flaky failure", &s);
    f.alike = (rerun_count){258, 230};
    put("a flaky failure, and others like it", &s);
    f.repeated = 20;
    put("flaky, though its own reruns all failed by luck", &s);
    f.alike = (rerun_count){0, 0};
    f.reruns = f.repeated = 0;
    s.answer = ANSWER_INCONCLUSIVE;
    put("never run again", &s);
    f.reruns = 20;
    put("passed when it was run again", &s);
    f.cause = CAUSE_BUDGET;
    s.stop = (run_stop){.cut_ns = 3 * CLOCK_NS_PER_S};
    put("cut off", &s);
}

static void put_passed(void) {
    static tally t;
    signature_filter filter = {.only = {.count = 1}};
    run_setup setup = searching;
    summary s = summary_of(ANSWER_PASSED, NULL);
    s.setup = &setup;
    s.claim = (run_claim){.rounds = 100, .sizes = 9, .largest = 4096};
    s.claim.bound = 0.995;
    put("nothing failed, with a bound of nearly 1", &s);
    for (size_t i = 0; i < 9; i++)
        s.claim.levels.list[s.claim.levels.count++] =
            (claim_level){UINT64_C(16) << i, 200 - 10 * i, 100, 0.001 * (double)(i * i + 1)};
    s.claim.bound = 0.065;
    s.attempts_alike = 152;
    put("nothing failed, which says more of small sizes, and runs are slow", &s);
    s.claim.levels.count = 0;
    s.attempts_alike = 0;
    ck_assert(signature_pattern_parse("exit:3", &filter.only.list[0]));
    setup.filter = &filter;
    s.claim.bound = 0.01;
    filter.only.count = 2;
    put("nothing failed as --only asks twice", &s);
    setup.filter = NULL;
    s.claim.sizes = s.claim.rounds = s.progress.runs = 1;
    put("one run", &s);
    s.tally = &t;
    t.drawn.max = t.used_max = 17;
    setup.size_max = 1 << 20;
    put("larger sizes test nothing new", &s);
    t.used_max = 4096;
    put("larger sizes test little new", &s);
    s.claim.is_partial = true;
    put("larger sizes had too few runs", &s);
    s.tally = NULL;
    s.claim.rounds = 0;
    s.progress.runs = 17;
    put("not every size was tried", &s);
    s.answer = ANSWER_NONE;
    s.progress = (progress){.runs = 0};
    setup.jobs = 1;
    put("no run", &s);
    s.stop.end = END_INTERRUPTED;
    put("stopped", &s);
}

static void put_others(void) {
    const failure f = abort_at(41);
    failure others[] = {failure_of(50, SIGNATURE_TIMEOUT, 0), failure_of(60, SIGNATURE_EXIT, 3)};
    summary s = summary_of(ANSWER_FOUND, &f);
    s.others = (found_list){{{.failure = &others[0]}, {.failure = &others[1]}}, 2};
    others[0].alike = (rerun_count){40, 30};
    others[1].repeated = 3;
    s.limited[CAUSE_WORKER] = 1;
    s.limited[CAUSE_MEMORY] = 2000;
    s.limited[CAUSE_OOM] = 3;
    s.limited[CAUSE_TIMEOUT] = 1;
    put("other failures, flaky, and runs that do not count", &s);
}

static void put_all(void) {
    failure list[] = {abort_at(0), failure_of(9, SIGNATURE_EXIT, 3), abort_at(60), abort_at(70)};
    list[2].repeated = 3;
    memset(list[3].site, 'x', 60);
    const run_claim none = {.passed = 0}, bounded = {.below = 8, .passed = 90, .bound = 0.05},
                    unbounded = {.below = 69, .passed = 9, .bound = 1},
                    whole = {.below = 8, .passed = 90};
    const found_list each = {{{.failure = &list[0], .claim = &none},
                              {.failure = &list[1], .claim = &bounded},
                              {.failure = &list[2], .claim = &none},
                              {.failure = &list[3], .claim = &unbounded},
                              {.failure = &list[1], .claim = &whole},
                              {.failure = &list[1], .claim = &none}},
                             6};
    summary s = summary_of(ANSWER_FOUND, &list[0]);
    s.each = each;
    put("all failures", &s);
    s.stop.end = END_SPENT;
    s.each.count = 1;
    s.grown = (run_claim){.rounds = 30, .sizes = 14, .largest = 8192};
    put("all failures, one so far", &s);
}

/* ---- Summaries of reductions ---- */

static void put_reductions(void) {
    static const uint8_t bytes[PHRASE_HEX_MAX + 64] = {1, 2};
    failure f = abort_at(2);
    const failure other = abort_at(70);
    const pass_statistics done[] = {{"delete", 1000, 12, 4094}, {"idle", 0, 0, 0}};
    strcpy(f.site, "a.c:7");
    summary s = {
        .setup = &reducing,
        .answer = ANSWER_FOUND,
        .has_draws = true,
        .best = {.failure = &f, .bytes = bytes},
        .passes = done,
        .pass_count = 2,
        .progress = {.size = 2, .runs = 143, .steps = 17, .elapsed_ns = CLOCK_NS_PER_S / 100}};
    s.stop.end = END_SPENT;
    s.others = (found_list){{{&other, bytes, "dir/f.json", true}, {&other, bytes, NULL, true}}, 2};
    s.ignored = 1;
    put("a reduction that was stopped, and other failures", &s);
    s.pass_count = s.others.count = 0;
    f.input.size = 65;
    put("more bytes than a line has", &s);
    s.best.saved = "my file\n";
    put("bytes in a file", &s);
    s.best.is_finding = true;
    put("bytes in a finding", &s);
    f.input.size = 0;
    put("no bytes", &s);
    f.repeated = 19;
    run_setup timed = reducing_file;
    timed.limits.timeout_ns = 90 * CLOCK_NS_PER_S;
    s.setup = &timed;
    s.reducers = done;
    s.reducer_count = 1;
    put("a file", &s);
    s.answer = ANSWER_INCONCLUSIVE;
    put("a file that is not interesting", &s);
    s.setup = &reducing;
    s.limit = CAUSE_TIMEOUT;
    put("a limit may have made the input fail", &s);
}

/* ---- All of it ---- */

static void put_texts(void) {
    put_events_of_searches();
    put_events_of_reductions();
    put_starts();
    put_claims();
    put_flaky();
    put_passed();
    put_others();
    put_all();
    put_reductions();
}

TEST(texts_are_as_they_were) {
    char *text = NULL;
    size_t size;
    message_init("frng-test", false);
    out = open_memstream(&text, &size);
    put_texts();
    ck_assert_int_eq(fclose(out), 0);
    char *changes = golden_changes(text);
    golden_check(TEXTS_FILE, changes);
    free(changes);
    free(text);
}

/* trace.h: statements in words, and as a column of the table of draws; what is wrong with a
 * record, on one line; and the table. traces.txt has what is new (golden.h). What programs print of
 * each kind is in tests/transcripts/drawn.t, and records that are nonsense are fuzzed
 * (tests/fuzz/traces.c). */
#include "explained.h"
#include "golden.h"
#include "suite.h"
#include "trace.h"

#include "frng_more.h"

#define DRAW(at, size, is_a, bytes, least, most, is)                                               \
    ((frng_trace_record){.start = (at),                                                            \
                         .taken = (size),                                                          \
                         .kind = (is_a),                                                           \
                         .width = (bytes),                                                         \
                         .u.draw = {(least), (most), (is)}})
#define MARK(at, is_a, words)                                                                      \
    ((frng_trace_record){.start = (at), .kind = FRNG_TRACE_##is_a, .u.text = words})
#define COIN(at, is) DRAW(at, 1, FRNG_BOOL, 1, 0, 1, is)

static FILE *out;
static frng_trace_record records[5];
static explained_draw draws[3];
static explanation all;

/* Three draws of a byte that fail with any value: "key", "size" and one without a name. */
static void begin(void) {
    const uint64_t starts[] = {0, 0, 1, 1, 2};
    for (size_t i = 0; i < 5; i++)
        records[i] = DRAW(starts[i], 1, FRNG_UINT, 1, 0, 99, 7 + starts[i]);
    records[0] = MARK(0, NOTE, "key");
    records[2] = MARK(1, NOTE, "size");
    for (size_t i = 0; i < 3; i++)
        draws[i] = (explained_draw){.record = records[i < 2 ? 2 * i + 1 : 4],
                                    .statement.kind = STATEMENT_ANY};
    all = (explanation){.state = EXPLANATION_MADE,
                        .draws = draws,
                        .count = 3,
                        .explained = 3,
                        .records = records,
                        .record_count = 5,
                        .runs = 1234};
}

static void put(const char *name) {
    static const uint8_t bytes[] = {7, 8, 9};
    fprintf(out, "== %s\n", name);
    explained_put(out, &all, bytes, sizeof bytes);
}

/* ---- Explanations ---- */

static void put_statements(void) {
    static const struct {
        statement s;
        bool is_index;
    } cases[] = {
        {{.kind = STATEMENT_ANY}, false},
        {{.kind = STATEMENT_ONLY}, false},
        {{.kind = STATEMENT_ONLY}, true},
        {{.kind = STATEMENT_FIXED}, false},
        {{.kind = STATEMENT_RANGE, .low = 4, .high = 20, .step = 1}, false},
        {{.kind = STATEMENT_RANGE, .low = 4, .high = 20, .step = 2}, false},
        {{.kind = STATEMENT_RANGE, .low = 5, .high = 21, .step = 2}, false},
        {{.kind = STATEMENT_RANGE, .low = 5, .high = 20, .step = 5}, false},
        {{.kind = STATEMENT_SET, .values = {1, 4, 9}, .value_count = 3}, false},
        {{.kind = STATEMENT_SET, .values = {0, 2}, .value_count = 2}, true},
        {{.kind = STATEMENT_EXCEPT, .values = {1, 9}, .value_count = 2}, false},
        {{.kind = STATEMENT_SOME, .tried = 40, .failed = 12}, false},
        {{.kind = STATEMENT_EQUAL, .other = 1}, false},
        {{.kind = STATEMENT_EQUAL, .other = 2}, false},
    };
    const explained_draw letter = {.record = {.kind = FRNG_LETTER, .width = 1}};
    const uint64_t values[] = {0, 3, 3 | (uint64_t)'c' << 32 | EXPLANATION_LETTER_KNOWN};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        draws[0].statement = cases[i].s;
        draws[0].is_index = cases[i].is_index;
        fprintf(out, "%s\n", explained_format(&all, 0));
    }
    for (size_t i = 0; i < 3; i++) fprintf(out, "%s\n", explained_value(&letter, values[i]));
}

static void put_reports(void) {
    begin();
    draws[1].statement = (statement){.kind = STATEMENT_RANGE, .low = 4, .high = 20, .step = 1};
    all.together = 20;
    all.together_failed = 19;
    put("a row for each name");
    all.together = 0;
    records[1].kind = draws[0].record.kind = FRNG_INDEX; /* it chooses the step */
    records[2] = MARK(1, STEP, "pop");
    all.records++;
    all.record_count--;
    put("the step of a draw without a name");
    begin();
    draws[1].statement = (statement){.kind = STATEMENT_RANGE, .low = 4, .high = 20, .step = 1};
    draws[0].statement.kind = STATEMENT_ONLY;
    put("a draw that must be as it is");
    draws[2].statement.kind = STATEMENT_FIXED;
    put("two that must be");
    draws[1].statement.kind = STATEMENT_ONLY;
    put("all must be");
    begin();
    all.is_asked = true;
    draws[1].statement = (statement){.kind = STATEMENT_EQUAL, .other = 0};
    put("asked for, as a column");
    begin();
    records[0] = records[2] = MARK(0, NOTE, "\033k");
    records[2].start = 1;
    put("names that are used twice");
}

static void put_reasons(void) {
    static const explanation cases[] = {
        {.cut = CUT_CALLS, .explained = 1},
        {.cut = CUT_TIME, .explained = 1},
        {.cut = CUT_TIME, .explained = 1, .is_asked = true},
        {.cut = CUT_STOPPED, .explained = 1},
        {.cut = CUT_STOPPED, .explained = 3},
        {.state = EXPLANATION_FLAKY},
        {.state = EXPLANATION_FLAKY, .is_asked = true},
        {.state = EXPLANATION_SLOW},
        {.state = EXPLANATION_LONG, .is_asked = true},
        {.state = EXPLANATION_STOPPED, .is_asked = true},
        {.state = EXPLANATION_NONE, .is_asked = true},
    };
    begin();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        all = cases[i];
        all.draws = draws;
        all.count = 3;
        if (all.cut != CUT_NONE) all.state = EXPLANATION_MADE;
        put(all.cut != CUT_NONE ? "cut" : "none");
    }
}

/* ---- Wrong records ---- */

static void put_wrong_records(void) {
#define U8 DRAW(2, 1, FRNG_UINT, 1, 0, 9, 7)
    const wrong_record cases[] = {
        {RECORD_VALUE, U8, "", 4},
        {RECORD_VALUE, U8, "digit", 4},
        {RECORD_VALUE, DRAW(2, 4, FRNG_INT, 4, UINT64_MAX - 8, 9, UINT64_MAX), "", 4},
        {RECORD_VALUE, DRAW(0, 1, FRNG_LETTER, 1, 0, 26, 7), "", 0},
        {RECORD_VALUE, DRAW(0, 1, FRNG_BOOL, 1, 0, 1, 5), "", 1}, /* "true" both */
        {RECORD_PLACE, U8, "", 4},
        {RECORD_BEYOND, U8, "", 2},
        {RECORD_BOUNDS, DRAW(2, 1, FRNG_UINT, 1, 0, 300, 7), "", 0},
        {RECORD_LENGTH, U8, "", 2},
        {RECORD_LENGTH, DRAW(2, 1, FRNG_UINT, 2, 0, 9, 7), "", 0},
        {RECORD_LENGTH, DRAW(2, 5, FRNG_TRACE_NOTE, 0, 0, 0, 0), "", 0},
        {RECORD_BEYOND, DRAW(1ull << 40, 9, FRNG_INT, 8, -9ull << 50, 9ull << 50, 7),
         "\033\033\033\033\033\033\033\033\033\033\033\033", 1ull << 40}, /* too long */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        fprintf(out, "%s\n", explained_wrong(&cases[i]));
}

/* ---- Tables ---- */

static void put_tables(void) {
    static const uint8_t entropy[16] = {0x10, 0x21, 0x32, 0x43, 0x54, 0x65, 0x76, 0x87,
                                        0x98, 0xa9, 0xba, 0xcb, 0xdc, 0xed, 0xfe, 0x0f};
    const frng_trace_record rare[] = {
        COIN(0, 0),
        MARK(0, NOTE, "long name"),
        DRAW(1, 3, FRNG_UINT, 1, 0, 6, 3),
        DRAW(4, 2, FRNG_MIXED_UINT, 2, 0, 65535, 0x6554),
        DRAW(6, 10, FRNG_BYTES, 1, 0, 10, 0),
        DRAW(0, 1, FRNG_INT, 1, -3ull, 3, -3ull),
        DRAW(0, 4, 99, 4, 0, 9, 5),
        DRAW(15, 2, FRNG_BOOL, 2, 0, 1, 1), /* beyond the input */
        DRAW(0, 1, FRNG_LETTER, 1, 0, 26, 3 | (uint64_t)'c' << 32),
        DRAW(1, 2, FRNG_LETTER, 1, 0, 26, 1 | (uint64_t)'"' << 32),
        DRAW(3, 1, FRNG_LETTER, 1, 0, 26, 0), /* its end */
        DRAW(4, 1, FRNG_LETTER, 1, 0, 26, 2 | (uint64_t)'b' << 32),
        DRAW(6, 1, FRNG_LETTER, 1, 0, 26, 2 | (uint64_t)'b' << 32), /* elsewhere */
    };
    const frng_trace_record said[] = {
        MARK(0, NOTE, "lone"),
        MARK(0, NOTE, "\x1b[2J\xff\r\n"),
        COIN(0, 1),
        MARK(1, STEP, "insert"),
        MARK(1, NOTE, "who"),
        MARK(1, SAY, "short"),
        COIN(1, 1),
        {.kind = FRNG_TRACE_SAY, .width = 1, .u.text = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,"},
        MARK(2, SAY, " and "),
        {.kind = FRNG_TRACE_SAY, .width = 1, .u.text = "torn"},
        MARK(2, STEP, "erase"),
        MARK(2, NOTE, "end"),
        MARK(2, SAY, "bye"),
        MARK(2, STEP, "all"),
    };
    /* a message that comes after one other moment, and one whose parts are beyond its line */
#define LINE(is_fate, where, when, words)                                                          \
    {.kind = FRNG_TRACE_SAY,                                                                       \
     .width = 1,                                                                                   \
     .u.moment = {0, is_fate, {0, 1}, {2, 1}, {where, 9}, when, 1, 0}},                            \
        MARK(0, SAY, words)
    const frng_trace_record told[] = {
        LINE(FRNG_FATE_SENT, 4, 1, "A B ask, is hidden"),
        LINE(FRNG_FATE_SENT, 200, 1, "A B yes, is hidden"),
        LINE(FRNG_FATE_SENT, 4, 1, "A C ask, stays"),
        LINE(FRNG_FATE_SENT, 4, 1, "A B no"),
        LINE(FRNG_FATE_NONE, 4, 2, "A   other"),
        LINE(FRNG_FATE_CAME, 4, 2, "A B ask, is hidden or comes"),
        LINE(FRNG_FATE_CAME, 255, 2, "A B yes"),
        LINE(FRNG_FATE_LOST, 4, 2, "A C ask, stays, for it is lost"),
        LINE(9, 4, 3, "A   of no fate"),
        LINE(FRNG_FATE_CAME, 4, 3, "A B no"),
    };
    trace_print(out, &(trace){rare, 13, 13, entropy, sizeof entropy}, &(remarks){NULL, 0});
    trace_print(out, &(trace){said, 14, 16, entropy, sizeof entropy}, &(remarks){NULL, 0});
    const uint64_t count = sizeof told / sizeof *told;
    trace_print(out, &(trace){told, count, count, entropy, 0, true}, &(remarks){NULL, 0});
}

TEST(traces_and_what_they_mean_are_as_they_were) {
    char *printed = NULL;
    size_t size;
    out = open_memstream(&printed, &size);
    begin();
    put_statements();
    put_reports();
    put_reasons();
    put_wrong_records();
    put_tables();
    ck_assert_int_eq(fclose(out), 0);
    char *changes = golden_changes(printed);
    golden_check(TRACES_FILE, changes);
    free(changes);
    free(printed);
}

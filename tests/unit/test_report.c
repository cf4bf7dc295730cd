/* report.h: memory that a system under test writes, in which nothing is to be believed; and what a
 * run reads, whatever earlier runs did to the file. */
#include "fixture.h"
#include "report.h"

#include "candidate_set.h"
#include "failure.h"
#include "frng_expand.h"
#include "record_check.h"

#include <errno.h>
#include <stddef.h>

enum { RECORDS = 5, SIZE_MAX_TESTED = 256 * 1024 };

static report_shm s;
static input_memfd e;
static tally t;

static void begin(void) {
    ck_assert_int_eq(report_shm_init(&s, RECORDS, 0, 0), 0);
    ck_assert_int_eq(input_memfd_init(&e, SIZE_MAX_TESTED), 0);
}
static void end(void) { report_shm_finish(&s); }

SUITE(.timeout_s = 120, .before_each = begin, .after_each = end);

static void *part_at(uint64_t offset) { return (uint8_t *)(uintptr_t)s.report + offset; }

static report_layout layout_of(uint64_t offset, uint64_t width) {
    const frng_message hello = {.drawn_offset = offset, .drawn_width = width};
    return report_shm_check_layout(&hello);
}

TEST(a_layout_lies_within_the_report) {
    enum { END = sizeof(frng_report) };
    static const struct {
        uint64_t offset, width;
        bool is_good;
    } layouts[] = {
        {0, 8, true},    {192, 8, true},  {END - 8, 8, true},     {END - 4, 4, true},
        {196, 4, true},  {END, 4, false}, {END - 4, 8, false},    {END - 2, 4, false},
        {193, 8, false}, {196, 8, false}, {194, 4, false},        {0, 0, false},
        {0, 16, false},  {192, 3, false}, {0, UINT64_MAX, false}, {UINT64_MAX - 7, 8, false}};
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        const report_layout layout = layout_of(layouts[i].offset, layouts[i].width);
        ck_assert_uint_eq(layout.drawn_offset, layouts[i].is_good ? layouts[i].offset : 0);
        ck_assert_uint_eq(layout.drawn_width, layouts[i].is_good ? layouts[i].width : 0);
    }
}

TEST(drawn_is_a_count_that_a_run_can_reach) {
    static const struct {
        uint64_t word, width, size, drawn;
    } counts[] = {{UINT64_MAX, 8, 1 << 20, OUTCOME_DRAWN_UNKNOWN}, /* as a reset leaves it */
                  {UINT64_MAX, 4, 1 << 20, OUTCOME_DRAWN_UNKNOWN},
                  {UINT64_MAX, 8, UINT64_MAX, OUTCOME_DRAWN_UNKNOWN},
                  {41, 8, 41, 41},
                  {41, 4, 41, 41},
                  {41, 8, 40, OUTCOME_DRAWN_UNKNOWN},
                  {41, 0, 41, OUTCOME_DRAWN_UNKNOWN},
                  {UINT64_C(1) << 32 | 7, 8, 41, OUTCOME_DRAWN_UNKNOWN},
                  {UINT64_C(1) << 32 | 1, 4, 41, 1}};
    const size_t at = offsetof(frng_report, generator);
    ck_assert_uint_eq(s.report->generator[0], UINT64_MAX);
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        uint64_t word = counts[i].word;
        if (counts[i].width == 4) { /* the machine's first half */
            const uint32_t half = (uint32_t)word;
            memcpy(&word, &half, sizeof half);
        }
        s.report->generator[0] = word;
        const report_layout layout = layout_of(at, counts[i].width);
        ck_assert_uint_eq(report_shm_drawn(&s, layout, counts[i].size), counts[i].drawn);
    }
}

TEST(the_run_in_progress_is_one_of_the_batch) {
    const uint64_t told[] = {0, 1, 9, 10, 11, UINT64_MAX};
    for (size_t i = 0; i < COUNT_OF(told); i++) {
        s.report->run = told[i];
        ck_assert_uint_eq(report_shm_run(&s, 10), told[i] < 10 ? told[i] : 10);
    }
}

TEST(a_site_is_text_that_ends) {
    char site[SITE_MAX];
    memcpy((void *)(uintptr_t)s.report->site, "file.c:12", 10);
    report_shm_copy_site(&s, site);
    ck_assert_str_eq(site, "file.c:12");
    for (int byte = 1; byte < 256; byte++) { /* no end at all */
        memset((void *)(uintptr_t)s.report->site, byte, sizeof s.report->site);
        report_shm_copy_site(&s, site);
        ck_assert_uint_lt(strnlen(site, sizeof site), sizeof site);
        for (const char *c = site; *c != '\0'; c++) ck_assert(*c >= 0x20 && *c < 0x7f);
    }
}

/* What it says of its own offsets and counts is not believed, nor is a text that has no end. */
TEST(records_are_copied_as_far_as_there_is_room) {
    static const uint64_t told[] = {0, 2, 3, 4, 5, 1000, UINT64_MAX};
    frng_trace_record room[RECORDS + 2], *records;
    report_shm_reset(&s, 1);
    records = part_at(s.report->trace_offset);
    memset(records, 0xff, RECORDS * sizeof *records);
    records[0].kind = FRNG_TRACE_NOTE;
    for (uint64_t i = 0; i < RECORDS; i++) records[i].start = 100 + i;
    s.report->trace_count = s.report->trace_offset = UINT64_MAX;
    for (size_t i = 0; i < COUNT_OF(told); i++) {
        for (uint64_t max = 3; max <= RECORDS + 1; max++) {
            candidate_set p = {.records = room, .records_max = max};
            const uint64_t fit = max < RECORDS ? max : RECORDS;
            memset(room, 0, sizeof room);
            s.report->traced = told[i];
            report_shm_copy_trace(&s, &p);
            ck_assert_uint_eq(p.reported, told[i]);
            ck_assert_uint_eq(p.record_count, told[i] < fit ? told[i] : fit);
            for (uint64_t k = 0; k < RECORDS + 2; k++)
                ck_assert_uint_eq(room[k].start, k < p.record_count ? 100 + k : 0);
            ck_assert_uint_lt(strnlen(room[0].u.text, sizeof room[0].u.text),
                              sizeof room[0].u.text);
        }
    }
}

/* The known answers of DRAWS.md: an i8, a note, an index. */
TEST(draws_have_a_digest_of_their_kinds_and_bounds) {
    const draws_seen none = {0, FRNG_DRAWS_DIGEST}, both = {2, UINT64_C(0xc6b0a82b402a5ae7)};
    const draws_seen other = {2, both.digest ^ 1}, more = {3, both.digest};
    report_shm_reset(&s, 1);
    frng_trace_record *records = part_at(s.report->trace_offset);
    uint64_t *rows = part_at(s.report->runs_offset);
    records[0] = (frng_trace_record){.kind = FRNG_INT, .width = 1};
    records[0].u.draw.min = UINT64_MAX - 127;
    records[0].u.draw.max = 127;
    records[1] = (frng_trace_record){.kind = FRNG_TRACE_NOTE};
    records[2] = (frng_trace_record){.kind = FRNG_INDEX, .width = 8};
    records[2].u.draw.max = 2;
    ck_assert_uint_eq(report_shm_draws(&s, 9).count, none.count);
    ck_assert(!report_shm_draws_others(&s, both, 9)); /* it reports nothing */
    rows[0] = 9;
    ck_assert(report_shm_draws_others(&s, both, 9)); /* it draws nothing */
    s.report->traced = 3;
    ck_assert_uint_eq(report_shm_draws(&s, 9).count, both.count);
    ck_assert_uint_eq(report_shm_draws(&s, 9).digest, both.digest);
    ck_assert_uint_eq(report_shm_draws(&s, 0).digest, none.digest);
    ck_assert(!report_shm_draws_others(&s, none, 9) && !report_shm_draws_others(&s, both, 9));
    ck_assert(report_shm_draws_others(&s, other, 9) && report_shm_draws_others(&s, more, 9));
    s.report->traced = UINT64_MAX; /* all of the rest had no room */
    ck_assert(report_shm_draws_others(&s, other, 9));
    memset(records, 0xff, RECORDS * sizeof *records);
    ck_assert(!report_shm_draws_others(&s, more, 9));
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* What a program with the headers of commit 25e5a971 wrote in its second run, kept word by word: an
 * assertion failed after a note, a draw of 0..9, the step "push" and a draw of -9..9. Programs keep
 * their copy of the headers for years: a change that reads this otherwise breaks them. */
TEST(the_report_of_an_old_target_is_read_as_ever) {
    static const frng_message hello = {
        .type = 1, .version = 1, .flags = 151, .drawn_offset = 200, .drawn_width = 8};
    static const uint64_t from_target[32] = {[0] = 1, /* run */
                                             [5] = 4, /* traced */
                                             [9] = 5, /* drawn, in the generator */
                                             [10] = 5,
                                             [11] = 5,
                                             [13] = 0xffffffffffffff00,
                                             [14] = UINT64_MAX,
                                             [15] = UINT64_MAX,
                                             [16] = 0x31313a632e646c6f, /* the site */
                                             [17] = 0x68737570206e6920};
    static const uint64_t trace[4 * 7] = {[2] = 0xff,        [3] = 0x79656b, /* the note "key" */
                                          [8] = 1,           [9] = 0x102,
                                          [11] = 9,          [12] = 5,
                                          [14] = 1,          [16] = 0xfe,
                                          [17] = 0x68737570, /* the step "push" */
                                          [21] = 1,          [22] = 4,
                                          [23] = 0x403,      [24] = 0xfffffffffffffff7,
                                          [25] = 9,          [26] = 0xfffffffffffffffa};
    static const uint8_t bytes[] = {0x96, 0x8b, 0x12, 0x48, 0x34};
    frng_trace_record records[4];
    char site[SITE_MAX];
    report_shm_reset(&s, 2);
    memcpy(part_at(offsetof(frng_report, run)), from_target, sizeof from_target);
    memcpy(part_at(s.report->trace_offset), trace, sizeof trace);
    ck_assert_uint_eq(report_shm_drawn(&s, report_shm_check_layout(&hello), sizeof bytes), 5);
    ck_assert_uint_eq(report_shm_run(&s, 2), 1);
    report_shm_copy_site(&s, site);
    ck_assert_str_eq(site, "old.c:11 in push");
    ck_assert_uint_eq(s.report->traced, 4);
    for (size_t i = 0; i < 4; i++) records[i] = report_shm_record(&s, i);
    ck_assert_str_eq(records[0].u.text, "key");
    ck_assert_str_eq(records[2].u.text, "push");
    ck_assert_uint_eq(records[1].u.draw.value, 5);
    ck_assert_int_eq((int64_t)records[3].u.draw.value, -6);
    ck_assert_int_eq(record_check(bytes, sizeof bytes, records, 4).error, RECORD_RIGHT);
    ck_assert_uint_eq(report_shm_draws(&s, 4).count, 2);
}
#endif

TEST(a_row_is_a_count_that_its_run_can_reach) {
    static const struct {
        uint64_t row, size, drawn;
        bool ran_out;
    } cases[] = {{0, 0, 0, false},
                 {9, 9, 9, false},
                 {FRNG_RUN_RAN_OUT | 9, 9, 9, true},
                 {FRNG_RUN_RAN_OUT, 0, 0, true},
                 {10, 9, OUTCOME_DRAWN_UNKNOWN, false},
                 {FRNG_RUN_RAN_OUT | 10, 9, OUTCOME_DRAWN_UNKNOWN, false},
                 {UINT64_MAX, UINT64_C(8) << 30, OUTCOME_DRAWN_UNKNOWN, false}};
    const uint32_t last = CANDIDATE_SET_COUNT_MAX - 1;
    report_shm_reset(&s, CANDIDATE_SET_COUNT_MAX);
    uint64_t *rows = part_at(s.report->runs_offset);
    ck_assert_uint_eq(report_shm_pass(&s, 0, 1 << 20).drawn, OUTCOME_DRAWN_UNKNOWN);
    ck_assert_uint_eq(report_shm_pass(&s, last, 1 << 20).drawn, OUTCOME_DRAWN_UNKNOWN);
    s.report->runs_offset = UINT64_MAX; /* ours is another */
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        rows[last] = cases[i].row;
        const candidate_pass pass = report_shm_pass(&s, last, cases[i].size);
        ck_assert_uint_eq(pass.drawn, cases[i].drawn);
        ck_assert(pass.ran_out == cases[i].ran_out);
    }
}

TEST(nobody_can_change_its_size) {
    ck_assert_int_eq(ftruncate(s.fd, 0), -1);
    ck_assert_int_eq(errno, EPERM);
    ck_assert_int_eq(ftruncate(s.fd, (off_t)s.size * 2), -1);
    ck_assert((fcntl(s.fd, F_GETFD) & FD_CLOEXEC) != 0);
}

TEST(the_offer_joins_an_environment) {
    char *const before[] = {(char *)(uintptr_t) "A=1", (char *)(uintptr_t) "B=2", NULL};
    char expected[64];
    char **after = report_shm_environment(&s, 7, -1, before);
    ck_assert_ptr_nonnull(after);
    ck_assert_str_eq(after[1], "B=2");
    snprintf(expected, sizeof expected, "FRNG_DRIVER=1,7,%d,-1", s.fd);
    ck_assert_str_eq(after[2], expected);
    ck_assert_ptr_null(after[3]);
    free(after);
}

/* ---- Statistics ---- */

static frng_label_table *head(void) { return part_at(s.labels_offset); }
static frng_label_row *row(size_t i) { return (frng_label_row *)(void *)(head() + 1) + i; }

static void begin_counting(void) {
    s.counts = true;
    report_shm_reset(&s, 0);
    memset(row(0), 0, FRNG_LABELS_MAX * sizeof *row(0));
    tally_clear(&t);
}

static void count(frng_histogram *h, uint64_t value) {
    if (h->count++ == 0) h->min = h->max = value;
    if (value < h->min) h->min = value;
    if (value > h->max) h->max = value;
    h->buckets[frng__bucket(value)]++;
}

static seed_expansion mix; /* of the batch */
static uint64_t first = 70;

static void add(uint64_t passed, bool has_failed, uint64_t drawn) {
    const batch b = {.first_seed = first, .count = 9, .size = 64, .mix = mix};
    report_tally_add(&s, &(report_end){passed, has_failed, drawn, 64, &b}, &t);
}

static void name_row(size_t i, uint64_t kind, const char *name) {
    strcpy(row(i)->name, name);
    row(i)->kind = kind;
    head()->used = i + 1;
}

/* Reports that are added up: what a table says, what rows of runs say, and what remains. */
static const struct {
    uint64_t table_runs, ran_out;
    uint64_t drawn[4]; /* of the table, up to a 0 */
    uint64_t rows[4];
    uint32_t row_count;
    uint64_t passed;
    bool has_failed;
    uint64_t last;                                          /* drawn by the last run */
    uint64_t runs, reported, ran_out_sum, count, max, used; /* wanted */
    uint64_t drew_nothing;
} reports[] = {
    {3, 1, {1, 2, 3}, {0}, 0, 3, false, 3, 3, 3, 1, 3, 3, 64},
    {2, 0, {3, 50}, {0}, 0, 2, false, 3, 2, 2, 0, 2, 50, 50},
    {2, 0, {3, 5000}, {0}, 0, 2, false, 3, 2, 2, 0, 2, 5000, 64}, /* nonsense */
    {1, 0, {9}, {0}, 0, 1, true, 5, 2, 1, 0, 2, 9, 9},            /* the run that failed */
    /* A target without a table, and one whose rows stand in for it: more than there is is none. */
    {0, 0, {0}, {0}, 0, 1, false, 5, 1, 0, 0, 1, 5, UINT64_MAX},
    {0, 0, {0}, {16, 64 | FRNG_RUN_RAN_OUT, 0, 65}, 4, 4, true, 9, 5, 3, 1, 4, 64, UINT64_MAX, 1},
    {2, 0, {16, 16}, {16, 16}, 2, 2, false, 16, 2, 2, 0, 2, 16, 16}, /* not twice */
};

TEST(a_report_is_added_up) {
    for (size_t i = 0; i < COUNT_OF(reports); i++) {
        begin_counting();
        report_shm_request_rows(&s, reports[i].row_count);
        head()->runs = reports[i].table_runs;
        head()->ran_out = reports[i].ran_out;
        for (size_t k = 0; k < 4 && reports[i].drawn[k] > 0; k++)
            count(&head()->drawn, reports[i].drawn[k]);
        memcpy(part_at(s.report->runs_offset), reports[i].rows,
               reports[i].row_count * sizeof reports[i].rows[0]);
        add(reports[i].passed, reports[i].has_failed, reports[i].last);
        ck_assert_uint_eq(t.runs, reports[i].runs);
        ck_assert_uint_eq(t.reported, reports[i].reported);
        ck_assert_uint_eq(t.failed, reports[i].has_failed);
        ck_assert_uint_eq(t.ran_out, reports[i].ran_out_sum);
        ck_assert_uint_eq(t.drawn.count, reports[i].count);
        ck_assert_uint_eq(t.drawn.max, reports[i].max);
        ck_assert_uint_eq(tally_most_used(&t), reports[i].used);
        ck_assert_uint_eq(t.few[0], reports[i].drew_nothing);
    }
}

/* Seed 70 is the first of the batch. What a table says of no run of it counts for nothing. */
TEST(a_goal_has_the_input_that_came_highest) {
    begin_counting();
    head()->runs = 3;
    name_row(0, FRNG_ROW_GOAL, "g");
    count(&row(0)->values, 5);
    row(0)->values.buckets[FRNG_GOAL_RUN] = 2;
    row(0)->values.buckets[FRNG_GOAL_DRAWN] = 17;
    add(3, false, 9);
    ck_assert_uint_eq(t.rows[0].most, 5);
    ck_assert(seed_input_equal(t.rows[0].at, (seed_input){17, 72, SEED_PLAIN}));
    row(0)->value = 8; /* the run that failed */
    s.report->marked = 1;
    add(3, true, 30);
    ck_assert(seed_input_equal(t.rows[0].at, (seed_input){30, 73, SEED_PLAIN}));
    s.report->marked = 0;
    row(0)->values.buckets[FRNG_GOAL_RUN] = 3;
    count(&row(0)->values, 99);
    add(3, false, 9);
    ck_assert_uint_eq(t.rows[0].most, 8);
}

/* By rows, or by two counts in `wants`; a target that lies discards no more than passed. */
TEST(discarded_runs_are_counted_by_their_style) {
    static const uint64_t rows[] = {3 | FRNG_RUN_DISCARDED, 4, 5 | FRNG_RUN_DISCARDED,
                                    6 | FRNG_RUN_DISCARDED, UINT64_MAX};
    static const struct {
        uint64_t wants, rows, passed, discarded, styled;
    } all[] = {{0, 5, 5, 3, 2},
               {9 * FRNG_DISCARDED, 5, 3, 2, 2},
               {FRNG_WANTS_DISCARDS, 0, 5, 0, 0},
               {3 * FRNG_DISCARDED + 2 * FRNG_DISCARDED_STYLED, 0, 5, 5, 2},
               {FRNG_HAS_STATES + (1 << 24) * FRNG_DISCARDED, 0, 1 << 24, 1 << 24, 0},
               {(1 << 24) * FRNG_DISCARDED_STYLED + 1, 0, 1 << 24, 1 << 24, 1 << 24},
               {UINT64_MAX, 0, 5, 5, 5}};
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        begin_counting();
        ck_assert_uint_eq(s.report->wants, FRNG_WANTS_DISCARDS);
        s.report->wants = all[i].wants;
        report_shm_request_rows(&s, (uint32_t)all[i].rows);
        memcpy(part_at(s.report->runs_offset), rows, all[i].rows * sizeof rows[0]);
        mix = EXPAND_BOTH;
        first = 71;
        add(all[i].passed, false, OUTCOME_DRAWN_UNKNOWN);
        mix = EXPAND_UNIFORM;
        first = 70;
        ck_assert_uint_eq(t.discarded, all[i].discarded);
        ck_assert_uint_eq(t.discarded_styled, all[i].styled);
    }
}

TEST(a_run_that_crashed_has_the_labels_that_it_marked) {
    begin_counting();
    head()->runs = 1;
    head()->few[2] = 1;
    count(&head()->drawn, 9);
    name_row(0, FRNG_ROW_LABEL, "a");
    name_row(1, FRNG_ROW_LABEL, "b");
    name_row(2, FRNG_ROW_MEASURE, "m");
    count(&row(0)->values, 9);
    row(2)->value = 77;
    s.report->marked = 6;
    add(1, true, 5);
    ck_assert_uint_eq(t.few[2], 1);
    for (int i = 0; i < 3; i++) ck_assert_uint_eq(t.rows[i].runs, 1);
    ck_assert_uint_eq(t.rows[0].values.max, 9);
    ck_assert_uint_eq(t.rows[1].values.max, 5);
    ck_assert_uint_eq(t.rows[2].values.max, 77);
    begin_counting(); /* without a count of bytes: no size */
    name_row(0, FRNG_ROW_LABEL, "a");
    s.report->marked = 1;
    add(0, true, OUTCOME_DRAWN_UNKNOWN);
    ck_assert_uint_eq(t.rows[0].runs, 1);
    ck_assert_uint_eq(t.rows[0].values.count + t.drawn.count, 0);
    begin_counting(); /* a third run, which was lost, is repeated: it is not counted twice */
    head()->runs = 2;
    name_row(0, FRNG_ROW_LABEL, "a");
    s.report->marked = 1;
    add(2, false, 5);
    ck_assert_uint_eq(t.runs, 2);
    ck_assert_uint_eq(t.rows[0].runs, 0);
}

/* ---- The input ---- */

/* What a new opener of the path reads from its start equals `expected`; each has its own offset.
 * More may follow a table. */
static void check_read(const uint8_t *expected, size_t size, bool is_all) {
    static uint8_t bytes[SIZE_MAX_TESTED + 1];
    for (int i = 0; i < 2; i++) {
        const int fd = openat(e.folder_fd, e.name, O_RDONLY | O_CLOEXEC);
        ck_assert_int_ge(fd, 0);
        ck_assert_uint_eq(read_all(fd, bytes, is_all ? sizeof bytes : size), size);
        ck_assert_int_eq(memcmp(bytes, expected, size), 0);
        close(fd);
    }
}

static int expand(seed_input from) {
    uint64_t size;
    const batch once = {
        .first_seed = from.seed, .count = 1, .size = from.size, .mix = expansion_of(from.style)};
    return input_memfd_write(&e, &once, false, &size);
}

static void check_expanded(seed_input from) {
    static uint8_t expected[SIZE_MAX_TESTED];
    ck_assert_int_eq(expand(from), 0);
    if (from.style == SEED_STYLED) frng_expand_styled(from.seed, expected, from.size);
    if (from.style == SEED_PLAIN) frng_expand(from.seed, expected, from.size);
    check_read(expected, from.size, true);
}

TEST(bytes_are_the_expansion_of_the_seed_or_a_copy) {
    static const size_t sizes[] = {0, 1, 7, 8, 9, 4095, 4097, 100, 3, SIZE_MAX_TESTED, 0, 20};
    static const uint8_t bytes[] = {1, 2, 3, 0, 5};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        check_expanded((seed_input){.size = sizes[i], .seed = UINT64_MAX - i});
        check_expanded((seed_input){sizes[i], i, SEED_STYLED});
    }
    for (size_t size = 0; size <= sizeof bytes; size++) {
        ck_assert_int_eq(input_memfd_copy(&e, size, bytes), 0);
        check_read(bytes, size, true);
    }
    ck_assert_int_eq(fcntl(e.fd, F_GETFD), FD_CLOEXEC);
    input_memfd_finish(&e);
    ck_assert_int_eq(fcntl(e.fd, F_GETFD), -1);
    ck_assert_int_eq(input_memfd_init(&e, 0), 0);
    ck_assert_int_eq(input_memfd_copy(&e, 0, NULL), 0);
    check_read(bytes, 0, true);
}

/* A table of ends, and then the bytes. */
static void check_row(const batch *runs, const uint64_t *ends, const void *bytes) {
    uint8_t expected[256];
    uint64_t size = 0;
    const size_t table = runs->count * sizeof *ends, rest = ends[runs->count - 1];
    memcpy(expected, ends, table);
    memcpy(expected + table, bytes, rest);
    ck_assert_int_eq(input_memfd_write(&e, runs, true, &size), 0);
    ck_assert_uint_eq(size, table + rest);
    check_read(expected, size, false);
}

TEST(a_row_stands_behind_its_table) {
    uint8_t bytes[] = "abcdefgh", expanded[60];
    candidate_set set = {.count = 4, .ends = {2, 5, 5, 8}, .bytes = bytes};
    const batch whole = {.count = 4, .candidates = &set};
    const batch later = batch_part(&whole, 1, 3), empty = batch_part(&whole, 2, 1);
    const batch seeds = {.first_seed = 7, .count = 3, .size = 20, .mix = EXPAND_BOTH};
    check_row(&whole, set.ends, bytes);
    check_row(&later, (const uint64_t[]){3, 3, 6}, bytes + 2);
    check_row(&empty, (const uint64_t[]){0}, bytes);
    frng_expand_styled(7, expanded, 20);
    frng_expand(8, expanded + 20, 20);
    frng_expand_styled(9, expanded + 40, 20);
    check_row(&seeds, (const uint64_t[]){20, 40, 60}, expanded);
    ck_assert_uint_eq(3 * input_memfd_row_bytes(20), 3 * 8 + 60);
}

/* It can truncate, but neither write nor freeze the length. */
TEST(another_opener_changes_nothing) {
    static const off_t lengths[] = {0, 5000, 1, 1000000};
    check_expanded((seed_input){.size = 10000, .seed = 1});
    const int fd = openat(e.folder_fd, e.name, O_RDWR | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, "x", 1), -1);
    ck_assert_int_eq(errno, EPERM);
    ck_assert_ptr_eq(mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, fd, 0), MAP_FAILED);
    ck_assert_int_eq(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW), -1);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        ck_assert_int_eq(ftruncate(fd, lengths[i]), 0);
        check_expanded((seed_input){.size = 10000, .seed = 2 + i});
    }
}

_Noreturn static void truncate_for_ever(void) {
    const int fd = openat(e.folder_fd, e.name, O_RDWR | O_CLOEXEC);
    while (ftruncate(fd, 0) == 0) {
    }
    _exit(EXIT_FAILURE);
}

TEST(a_truncator_does_no_harm) {
    int status, written = 0;
    const pid_t truncator = fork();
    ck_assert_int_ge(truncator, 0);
    if (truncator == 0) truncate_for_ever();
    for (uint64_t i = 0; i < 3000; i++) {
        const int error =
            expand((seed_input){.size = i % 2 == 0 ? 100 : SIZE_MAX_TESTED, .seed = i});
        ck_assert(error == 0 || error == EIO);
        written += error == 0;
    }
    ck_assert_int_eq(kill(truncator, SIGKILL), 0);
    ck_assert_int_eq(waitpid(truncator, &status, 0), truncator);
    ck_assert_msg(WIFSIGNALED(status), "the truncator was refused");
    ck_assert_int_gt(written, 0);
    check_expanded((seed_input){.size = SIZE_MAX_TESTED, .seed = 5});
}

TEST_RAISES(bus_errors_of_others_still_kill, SIGBUS) {
    ck_assert_int_eq(expand((seed_input){.size = 1, .seed = 1}), 0);
    ck_assert_int_eq(ftruncate(e.fd, 0), 0);
    *(volatile uint8_t *)e.bytes = 1;
}

/* report.h: statistics in memory that a system under test writes. */
#include "report.h"
#include "suite.h"

#include "failure.h"

#include <string.h>

static report_shm s;
static tally t;

static frng_label_table *head(void) {
    return (frng_label_table *)(void *)((uint8_t *)(uintptr_t)s.report + s.labels_offset);
}

static frng_label_row *row(size_t i) { return (frng_label_row *)(void *)(head() + 1) + i; }

static void begin(void) {
    ck_assert_int_eq(report_shm_init(&s, 0, 0), 0);
    s.counts = true;
    report_shm_reset(&s, 0);
}

SUITE(.before_each = begin);

static void count(frng_histogram *h, uint64_t value) {
    if (h->count++ == 0) h->min = h->max = value;
    if (value < h->min) h->min = value;
    if (value > h->max) h->max = value;
    h->buckets[frng__bucket(value)]++;
}

static void add(uint64_t passed, bool has_failed, uint64_t drawn) {
    report_tally_add(&s, &(report_end){passed, has_failed, drawn, 64}, &t);
}

static void name_row(size_t i, uint64_t kind, const char *name) {
    strcpy(row(i)->name, name);
    row(i)->kind = kind;
    if (head()->used <= i) head()->used = i + 1;
}

TEST(a_report_offers_a_table_only_when_asked) {
    ck_assert_uint_eq(s.report->labels_count, FRNG_LABELS_MAX);
    ck_assert_uint_eq(s.report->labels_offset, s.labels_offset);
    ck_assert_uint_le(s.labels_offset + sizeof(frng_label_table) +
                          FRNG_LABELS_MAX * sizeof(frng_label_row),
                      s.size);
    head()->runs = 3;
    report_shm_reset(&s, 0);
    ck_assert_uint_eq(head()->runs, 0);
    s.counts = false;
    report_shm_reset(&s, 0);
    ck_assert_uint_eq(s.report->labels_count, 0);
}

static void set_row(uint32_t i, uint64_t value) {
    memcpy((uint8_t *)(uintptr_t)s.report + s.report->runs_offset + i * sizeof value, &value,
           sizeof value);
}

TEST(rows_of_runs_stand_in_for_a_table) {
    report_shm_request_rows(&s, 5);
    ck_assert_uint_eq(s.report->runs_count, 5);
    set_row(0, 16);
    set_row(1, 64 | FRNG_RUN_RAN_OUT);
    set_row(2, 0);
    set_row(3, 65); /* more than there is */
    add(5, true, 9);
    ck_assert_uint_eq(t.runs, 6);
    ck_assert_uint_eq(t.reported, 3);
    ck_assert_uint_eq(t.ran_out, 1);
    ck_assert_uint_eq(t.few[0], 1);
    ck_assert_uint_eq(t.used_max, 64);
    ck_assert_uint_eq(t.drawn.count, 4); /* with the failed run */
    ck_assert_uint_eq(t.drawn.max, 64);
}

TEST(rows_of_runs_do_not_count_twice_beside_a_table) {
    report_shm_request_rows(&s, 2);
    set_row(0, 16);
    set_row(1, 16);
    head()->runs = 2;
    count(&head()->drawn, 16);
    count(&head()->drawn, 16);
    add(2, false, 16);
    ck_assert_uint_eq(t.reported, 2);
    ck_assert_uint_eq(t.drawn.count, 2);
    ck_assert_uint_eq(t.used_max, 16);
}

TEST(a_reset_ends_the_wish_for_rows) {
    report_shm_request_rows(&s, 2);
    report_shm_reset(&s, 1);
    ck_assert_uint_eq(s.rows, 0);
    ck_assert_uint_eq(s.report->runs_count, 1);
}

TEST(runs_that_ended_are_added) {
    head()->runs = 3;
    head()->ran_out = 1;
    head()->few[2] = 1;
    for (uint64_t i = 1; i <= 3; i++) count(&head()->drawn, i);
    name_row(0, FRNG_ROW_LABEL, "a");
    count(&row(0)->values, 2);
    add(3, false, 3);
    ck_assert_uint_eq(t.runs, 3);
    ck_assert_uint_eq(t.reported, 3);
    ck_assert_uint_eq(t.ran_out, 1);
    ck_assert_uint_eq(t.few[2], 1);
    ck_assert_uint_eq(t.drawn.count, 3);
    ck_assert_uint_eq(t.rows[0].runs, 1);
    ck_assert_uint_eq(t.rows[0].values.min, 2);
}

TEST(a_run_that_crashed_has_the_labels_that_it_marked) {
    head()->runs = 1;
    count(&head()->drawn, 9);
    name_row(0, FRNG_ROW_LABEL, "a");
    name_row(1, FRNG_ROW_LABEL, "b");
    name_row(2, FRNG_ROW_MEASURE, "m");
    count(&row(0)->values, 9);
    row(2)->value = 77;
    s.report->marked = 6;
    add(1, true, 5);
    ck_assert_uint_eq(t.runs, 2);
    ck_assert_uint_eq(t.reported, 1);
    ck_assert_uint_eq(t.failed, 1);
    ck_assert_uint_eq(t.drawn.count, 2);
    ck_assert_uint_eq(t.drawn.min, 5);
    ck_assert_uint_eq(t.rows[0].runs, 1);
    ck_assert_uint_eq(t.rows[1].runs, 1);
    ck_assert_uint_eq(t.rows[1].values.max, 5);
    ck_assert_uint_eq(t.rows[2].values.max, 77);
}

TEST(a_crash_without_a_count_of_bytes_has_labels_without_a_size) {
    name_row(0, FRNG_ROW_LABEL, "a");
    s.report->marked = 1;
    add(0, true, OUTCOME_DRAWN_UNKNOWN);
    ck_assert_uint_eq(t.rows[0].runs, 1);
    ck_assert_uint_eq(t.rows[0].values.count, 0);
    ck_assert_uint_eq(t.drawn.count, 0);
}

TEST(a_target_without_a_table_tells_what_its_run_drew) {
    add(1, false, 5);
    ck_assert_uint_eq(t.runs, 1);
    ck_assert_uint_eq(t.reported, 0);
    ck_assert_uint_eq(t.drawn.max, 5);
    ck_assert_uint_eq(tally_most_used(&t), UINT64_MAX);
}

TEST(a_run_that_was_lost_is_not_counted_twice) {
    head()->runs = 2;
    name_row(0, FRNG_ROW_LABEL, "a");
    s.report->marked = 1; /* by the third run, which is repeated */
    add(2, false, 5);
    ck_assert_uint_eq(t.runs, 2);
    ck_assert_uint_eq(t.rows[0].runs, 0);
}

TEST(nonsense_is_bounded_by_the_runs) {
    memset(head(), 0xff, sizeof *head() + FRNG_LABELS_MAX * sizeof *row(0));
    for (size_t i = 0; i < FRNG_LABELS_MAX; i++) row(i)->kind = FRNG_ROW_LABEL;
    row(0)->kind = 7;
    head()->drawn.min = row(1)->values.min = 0;
    s.report->marked = UINT64_MAX;
    add(4, true, 5);
    ck_assert_uint_eq(t.runs, 5);
    ck_assert_uint_eq(t.reported, 4);
    ck_assert_uint_eq(t.ran_out, 4);
    ck_assert_uint_le(t.drawn.count, 5);
    ck_assert_uint_eq(t.row_count, 1); /* one long name */
    ck_assert_uint_eq(strlen(t.rows[0].name), sizeof t.rows[0].name - 1);
}

TEST(a_run_that_ran_out_used_all_its_bytes) {
    head()->runs = 2;
    count(&head()->drawn, 3);
    count(&head()->drawn, 50);
    add(2, false, 3);
    ck_assert_uint_eq(tally_most_used(&t), 50);
    head()->ran_out = 1;
    add(2, false, 3);
    ck_assert_uint_eq(tally_most_used(&t), 64);
    head()->drawn.max = 5000; /* nonsense */
    head()->ran_out = 0;
    tally_clear(&t);
    add(2, false, 3);
    ck_assert_uint_eq(tally_most_used(&t), 64);
}

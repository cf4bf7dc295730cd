/* report.h: memory that a system under test writes, in which nothing is to be believed. */
#include "candidate_set.h"
#include "failure.h"
#include "fixture.h"
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>

static report_shm s;

static void begin(uint64_t trace_count) {
    ck_assert_int_eq(report_shm_init(&s, trace_count, 0), 0);
}

static void *part_at(uint64_t offset) { return (uint8_t *)(uintptr_t)s.report + offset; }

static report_layout layout_of(uint64_t offset, uint64_t width) {
    const frng_message hello = {.drawn_offset = offset, .drawn_width = width};
    return report_shm_check_layout(&hello);
}

TEST(a_layout_lies_within_the_report) {
    const uint64_t end = sizeof(frng_report);
    const uint64_t good[][2] = {{0, 8}, {192, 8}, {end - 8, 8}, {end - 4, 4}, {196, 4}};
    const uint64_t bad[][2] = {{end, 4},
                               {end - 4, 8},
                               {end - 2, 4},
                               {193, 8},
                               {196, 8},
                               {194, 4},
                               {0, 0},
                               {0, 1},
                               {0, 16},
                               {192, 3},
                               {0, UINT64_MAX},
                               {UINT64_MAX - 7, 8},
                               {UINT64_MAX - 3, 4}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const report_layout layout = layout_of(good[i][0], good[i][1]);
        ck_assert_uint_eq(layout.drawn_offset, good[i][0]);
        ck_assert_uint_eq(layout.drawn_width, good[i][1]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const report_layout layout = layout_of(bad[i][0], bad[i][1]);
        ck_assert_uint_eq(layout.drawn_offset, 0);
        ck_assert_uint_eq(layout.drawn_width, 0);
    }
}

TEST(drawn_is_a_count_that_a_run_can_reach) {
    const size_t at = offsetof(frng_report, generator);
    begin(0);
    ck_assert_uint_eq(report_shm_drawn(&s, layout_of(at, 8), 1 << 20), OUTCOME_DRAWN_UNKNOWN);
    ck_assert_uint_eq(report_shm_drawn(&s, layout_of(at, 4), 1 << 20), OUTCOME_DRAWN_UNKNOWN);
    const uint32_t narrow[2] = {41, 0};
    memcpy((void *)(uintptr_t)s.report->generator, narrow, sizeof narrow);
    ck_assert_uint_eq(report_shm_drawn(&s, layout_of(at, 4), 41), 41);
    s.report->generator[0] = 41;
    ck_assert_uint_eq(report_shm_drawn(&s, layout_of(at, 8), 41), 41);
    ck_assert_uint_eq(report_shm_drawn(&s, layout_of(at, 8), 40), OUTCOME_DRAWN_UNKNOWN);
    ck_assert_uint_eq(report_shm_drawn(&s, layout_of(0, 0), 41), OUTCOME_DRAWN_UNKNOWN);
    s.report->generator[0] = UINT64_C(1) << 32 | 7;
    ck_assert_uint_eq(report_shm_drawn(&s, layout_of(at, 8), 41), OUTCOME_DRAWN_UNKNOWN);
    s.report->generator[0] = UINT64_MAX;
    ck_assert_uint_eq(report_shm_drawn(&s, layout_of(at, 8), UINT64_MAX), OUTCOME_DRAWN_UNKNOWN);
    report_shm_finish(&s);
}

TEST(the_run_in_progress_is_one_of_the_batch) {
    begin(0);
    const uint64_t told[] = {0, 1, 9, 10, 11, UINT64_MAX};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        s.report->run = told[i];
        ck_assert_uint_eq(report_shm_run(&s, 10), told[i] < 10 ? told[i] : 10);
        ck_assert_uint_eq(report_shm_run(&s, 0), 0);
    }
    report_shm_finish(&s);
}

TEST(a_site_is_text_that_ends) {
    char site[FAILURE_SITE_MAX];
    begin(0);
    report_shm_copy_site(&s, site);
    ck_assert_str_eq(site, "");
    memcpy((void *)(uintptr_t)s.report->site, "file.c:12", 10);
    report_shm_copy_site(&s, site);
    ck_assert_str_eq(site, "file.c:12");
    for (int byte = 1; byte < 256; byte++) { /* no end at all */
        memset((void *)(uintptr_t)s.report->site, byte, sizeof s.report->site);
        report_shm_copy_site(&s, site);
        ck_assert_uint_lt(strnlen(site, sizeof site), sizeof site);
        for (const char *c = site; *c != '\0'; c++) ck_assert(*c >= 0x20 && *c < 0x7f);
    }
    report_shm_finish(&s);
}

TEST(records_are_copies_and_notes_end) {
    begin(3);
    frng_trace_record *records = part_at(s.report->trace_offset);
    memset(records, 0xff, 3 * sizeof *records);
    records[1].kind = 2;
    records[1].u.draw.value = 77;
    const frng_trace_record note = report_shm_record(&s, 0), draw = report_shm_record(&s, 1);
    ck_assert_uint_eq(note.kind, FRNG_TRACE_NOTE);
    ck_assert_uint_eq(strnlen(note.u.text, sizeof note.u.text), sizeof note.u.text - 1);
    records[1].u.draw.value = 78;
    ck_assert_uint_eq(draw.u.draw.value, 77);
    s.report->traced = UINT64_MAX;
    ck_assert_uint_eq(s.report->traced, UINT64_MAX);
    ck_assert_uint_eq(s.trace_count, 3);
    s.report->trace_count = UINT64_MAX; /* ours is another */
    s.report->trace_offset = UINT64_MAX;
    ck_assert_uint_eq(report_shm_record(&s, 2).kind, FRNG_TRACE_NOTE);
    report_shm_finish(&s);
}

TEST(a_reset_forgets_and_mends) {
    begin(2);
    memset((void *)(uintptr_t)s.report, 0x5a, sizeof *s.report);
    report_shm_reset(&s, 3);
    ck_assert_uint_eq(s.report->magic, FRNG_REPORT_MAGIC);
    ck_assert_uint_eq(s.report->size, s.size);
    ck_assert_uint_eq(s.report->runs_offset, sizeof(frng_report));
    ck_assert_uint_eq(s.report->runs_count, 3);
    ck_assert_uint_eq(s.report->trace_offset,
                      sizeof(frng_report) + CANDIDATE_SET_COUNT_MAX * sizeof(uint64_t));
    ck_assert_uint_eq(s.report->trace_count, 2);
    ck_assert_uint_eq(s.report->stop, 0);
    ck_assert_uint_eq(s.report->run, 0);
    ck_assert_uint_eq(s.report->traced, 0);
    ck_assert_uint_eq(s.report->generator[0], UINT64_MAX);
    ck_assert_int_eq(s.report->site[0], 0);
    report_shm_reset(&s, 0);
    ck_assert_msg(s.report->trace_count == 0, "nobody wants one");
    ck_assert_uint_eq(s.report->runs_count, 0);
    report_shm_finish(&s);
}

TEST(a_row_is_a_count_that_its_run_can_reach) {
    const struct {
        uint64_t row, size, drawn;
        bool ran_out;
    } cases[] = {
        {0, 0, 0, false},
        {9, 9, 9, false},
        {FRNG_RUN_RAN_OUT | 9, 9, 9, true},
        {FRNG_RUN_RAN_OUT, 0, 0, true},
        {10, 9, OUTCOME_DRAWN_UNKNOWN, false},
        {FRNG_RUN_RAN_OUT | 10, 9, OUTCOME_DRAWN_UNKNOWN, false},
        {UINT64_MAX, UINT64_C(8) << 30, OUTCOME_DRAWN_UNKNOWN, false},
    };
    begin(0);
    report_shm_reset(&s, CANDIDATE_SET_COUNT_MAX);
    uint64_t *rows = part_at(s.report->runs_offset);
    for (uint32_t i = 0; i < CANDIDATE_SET_COUNT_MAX; i++) {
        ck_assert_uint_eq(report_shm_pass(&s, i, 1 << 20).drawn, OUTCOME_DRAWN_UNKNOWN);
    }
    s.report->runs_offset = UINT64_MAX; /* ours is another */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rows[CANDIDATE_SET_COUNT_MAX - 1] = cases[i].row;
        const candidate_pass pass = report_shm_pass(&s, CANDIDATE_SET_COUNT_MAX - 1, cases[i].size);
        ck_assert_uint_eq(pass.drawn, cases[i].drawn);
        ck_assert(pass.ran_out == cases[i].ran_out);
    }
    report_shm_finish(&s);
}

TEST(a_copied_trace_fits) {
    const uint64_t told[] = {0, 2, 3, 4, 5, 1000, UINT64_MAX};
    frng_trace_record room[4];
    begin(5);
    frng_trace_record *records = part_at(s.report->trace_offset);
    for (uint64_t i = 0; i < 5; i++) records[i].start = 100 + i;
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        candidate_set p = {.records = room, .records_max = 3};
        memset(room, 0, sizeof room);
        s.report->traced = told[i];
        report_shm_copy_trace(&s, &p);
        ck_assert_uint_eq(p.reported, told[i]);
        ck_assert_uint_eq(p.record_count, told[i] < 3 ? told[i] : 3);
        for (uint64_t k = 0; k < p.record_count; k++) ck_assert_uint_eq(room[k].start, 100 + k);
        ck_assert_uint_eq(room[3].start, 0);
        p.records_max = 4;
        report_shm_copy_trace(&s, &p);
        ck_assert_uint_eq(p.record_count, told[i] < 4 ? told[i] : 4);
    }
    report_shm_finish(&s);
    begin(2);
    candidate_set p = {.records = room, .records_max = 4};
    s.report->traced = 4;
    report_shm_copy_trace(&s, &p);
    ck_assert_msg(p.record_count == 2, "no more than was kept");
    report_shm_finish(&s);
}

TEST(nobody_can_change_its_size) {
    begin(0);
    ck_assert_int_eq(ftruncate(s.fd, 0), -1);
    ck_assert_int_eq(errno, EPERM);
    ck_assert_int_eq(ftruncate(s.fd, (off_t)s.size * 2), -1);
    ck_assert_uint_ge(s.size, sizeof(frng_report));
    ck_assert((fcntl(s.fd, F_GETFD) & FD_CLOEXEC) != 0);
    const int fd = s.fd;
    report_shm_finish(&s);
    ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
}

TEST(the_offer_joins_an_environment) {
    char *const before[] = {"A=1", "B=2", NULL};
    char offer[REPORT_SHM_OFFER_MAX], expected[REPORT_SHM_OFFER_MAX];
    begin(0);
    report_shm_offer(&s, 7, -1, offer);
    snprintf(expected, sizeof expected, "FRNG_DRIVER=1,7,%d,-1", s.fd);
    ck_assert_str_eq(offer, expected);
    char **after = report_shm_environment(before, offer);
    ck_assert_ptr_nonnull(after);
    ck_assert_str_eq(after[1], "B=2");
    ck_assert_ptr_eq(after[2], offer);
    ck_assert_ptr_null(after[3]);
    free(after);
    report_shm_finish(&s);
}

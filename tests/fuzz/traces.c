/* The report, which the program under test writes: its counts, rows, site and records are bounded,
 * and shown as harmless text; wrong records are named in a line. Of what is right a test case is
 * made, which passes reduce, with a judge that follows from the input: each candidate has values
 * that its draws can have and the digest that was foretold of it; what is a text stays one. */
#include "candidate_set.h"
#include "explained.h"
#include "failure.h"
#include "fuzz.h"
#include "pass.h"
#include "patch.h"
#include "record_check.h"
#include "report.h"
#include "schedule.h"
#include "trace.h"

enum { RECORDS = 24, ENTROPY_MAX = 200, KEPT = 16, CANDIDATES_MAX = 120 };

static void check_text(const char *text, size_t length) {
    FUZZ_HOLDS(strlen(text) == length && text_errors((const uint8_t *)text, length) == 0);
    FUZZ_HOLDS(strpbrk(text, "\x1b\r\t\v\f") == NULL);
}

/* ---- The passes ---- */

static void check_candidate(const testcase *base, const testcase *made, bool is_text) {
    size_t size = 0;
    for (size_t i = 0; i < made->count; i++) {
        FUZZ_HOLDS(made->draws[i].rank <= draw_rank_max(&made->draws[i]));
        size += draw_size(&made->draws[i]);
    }
    FUZZ_HOLDS(size == made->size);
    FUZZ_HOLDS(!is_text || (text_errors(made->bytes, made->size) == 0 && made->size <= base->size));
}

/* Some bits of a digest decide whether it fails: more or fewer of them, as `share` of 64 says. */
static void reduce(testcase *best, unsigned share) {
    static patch edits; /* large */
    schedule p;
    const bool is_text = best->trace == TRACE_NONE && text_errors(best->bytes, best->size) == 0;
    testcase base, made = {0};
    uint64_t digest;
    schedule_init(&p, passes_for(best, true));
    testcase_copy(&base, best);
    for (int i = 0; i < CANDIDATES_MAX; i++) {
        if (!schedule_next(&p, best, &base, &edits)) break;
        if (p.phase != SITE_ON_BASE) { /* the site begins, or has had no success */
            testcase_finish(&base);
            testcase_copy(&base, best);
        }
        patch_apply(&edits, &base, &made);
        digest = patch_digest(&edits, &base, CANDIDATE_BYTES);
        FUZZ_HOLDS(digest_of(made.bytes, made.size) == digest);
        check_candidate(&base, &made, is_text);
        const bool success = testcase_compare(&made, best) < 0 && digest % 64 < share;
        schedule_feedback(&p, success);
        if (!success) continue;
        testcase_finish(best);
        testcase_copy(best, &made);
    }
    testcase_finish(&made);
    testcase_finish(&base);
}

/* Of bytes alone, such as files. */
void fuzz_passes(fuzz_input *in) {
    testcase t;
    const uint8_t how = fuzz_u8(in);
    const size_t size = in->size < ENTROPY_MAX ? in->size : ENTROPY_MAX;
    testcase_init(&t, in->bytes, size, NULL, 0);
    reduce(&t, how / 4);
    testcase_finish(&t);
}

/* ---- The report ---- */

static report_shm report;

/* Let the input write over all of the report, as a program under test can. */
static void write_report(fuzz_input *in) {
    uint64_t at = 0;
    uint8_t *memory = (uint8_t *)(uintptr_t)report.report;
    const uint8_t how = fuzz_u8(in);
    report_shm_reset(&report, 8);
    const uint64_t trace_offset = report.report->trace_offset;
    report.report->traced = fuzz_number(in);
    report.report->run = fuzz_number(in);
    if (how & 1) fuzz_fill(in, memory, sizeof(frng_report));
    for (int i = 0; i < 8 && (how & 2) != 0; i++) {
        const uint64_t row = fuzz_number(in);
        memcpy(memory + sizeof(frng_report) + (size_t)i * sizeof row, &row, sizeof row);
    }
    for (int i = 0; i < RECORDS; i++) {
        const frng_trace_record r = fuzz_record(in, &at);
        memcpy(memory + trace_offset + (size_t)i * sizeof r, &r, sizeof r);
    }
}

static void check_numbers(fuzz_input *in, uint64_t size) {
    char site[SITE_MAX];
    frng_message hello = {.drawn_offset = fuzz_number(in), .drawn_width = fuzz_number(in)};
    const report_layout layout = report_shm_check_layout(&hello);
    FUZZ_HOLDS(layout.drawn_width <= 8);
    FUZZ_HOLDS(layout.drawn_offset + layout.drawn_width <= sizeof(frng_report));
    const uint64_t drawn = report_shm_drawn(&report, layout, size);
    FUZZ_HOLDS(drawn <= size || drawn == OUTCOME_DRAWN_UNKNOWN);
    FUZZ_HOLDS(report_shm_run(&report, size) <= size);
    report_shm_copy_site(&report, site);
    check_text(site, strnlen(site, sizeof site - 1));
    for (uint32_t i = 0; i < 8; i++) {
        const candidate_pass pass = report_shm_pass(&report, i, size);
        FUZZ_HOLDS(pass.drawn <= size || pass.drawn == OUTCOME_DRAWN_UNKNOWN);
    }
}

static void check_table(const candidate_set *p, const uint8_t *entropy, uint64_t size) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    FUZZ_HOLDS(out != NULL);
    trace_print(out,
                &(trace){p->records, p->record_count, p->reported, entropy, size, size % 2 != 0},
                &(remarks){NULL, 0});
    fclose(out);
    check_text(text, length);
    FUZZ_HOLDS(length < 1024 * (p->record_count + 4));
    free(text);
}

/* Give records the values that their bytes encode; true: all of them are right then. */
static bool correct(frng_trace_record *records, size_t count, const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i <= count; i++) {
        const wrong_record w = record_check(bytes, size, records, count);
        if (w.error == RECORD_RIGHT) return true;
        const char *text = explained_wrong(&w);
        FUZZ_HOLDS(strlen(text) > 0 && strlen(text) < 160);
        check_text(text, strlen(text));
        for (size_t k = 0; k < count && w.error == RECORD_VALUE; k++) {
            if (records[k].start != w.record.start || records[k].kind != w.record.kind) continue;
            records[k].u.draw.value = w.right;
        }
    }
    return false;
}

static void check_draw(const draw *d) {
    uint8_t bytes[DRAW_BYTES_MAX];
    uint64_t rank = 0;
    FUZZ_HOLDS(d->width >= 1 && d->width <= 8 && d->rank <= draw_rank_max(d));
    const unsigned used = draw_encode(d, d->rank, bytes);
    FUZZ_HOLDS(used == draw_size(d) && used >= 1 && used <= DRAW_BYTES_MAX);
    if (!draw_is_number(d)) return;
    FUZZ_HOLDS(draw_rank_of(d, draw_value(d), &rank) && rank == d->rank);
    FUZZ_HOLDS(draw_rank_nearer(d, draw_distance(d)) <= d->rank);
}

/* `drawn` is what the program claims, whatever its records do. */
static void check_testcase(const candidate_set *p, const uint8_t *entropy, uint64_t size,
                           uint64_t drawn, unsigned share) {
    testcase t;
    size_t needed = 0;
    uint8_t *exact = malloc(size + 1); /* for AddressSanitizer */
    FUZZ_HOLDS(exact != NULL);
    memcpy(exact, entropy, size);
    const bool is_right = correct(p->records, p->record_count, exact, size);
    testcase_init(&t, exact, drawn < size ? drawn : size, p->records, p->record_count);
    free(exact);
    FUZZ_HOLDS(t.size <= size && t.count <= t.size);
    for (size_t i = 0; i < t.count; i++) {
        check_draw(&t.draws[i]);
        needed += draw_size(&t.draws[i]);
    }
    FUZZ_HOLDS(needed <= t.size);
    if (is_right) reduce(&t, share);
    testcase_finish(&t);
}

void fuzz_trace(fuzz_input *in) {
    static frng_trace_record records[KEPT];
    static uint8_t entropy[ENTROPY_MAX];
    static candidate_set p;
    if (report.report == NULL) FUZZ_HOLDS(report_shm_init(&report, RECORDS, 0, 0) == 0);
    p.records = records;
    p.records_max = fuzz_u8(in) % (KEPT + 1);
    const uint64_t size = fuzz_u8(in) % (ENTROPY_MAX + 1);
    fuzz_fill(in, entropy, size);
    const uint64_t drawn = fuzz_number(in);
    write_report(in);
    check_numbers(in, size);
    report_shm_copy_trace(&report, &p);
    FUZZ_HOLDS(p.record_count <= p.records_max && p.record_count <= p.reported);
    for (uint64_t i = 0; i < p.record_count; i++) {
        FUZZ_HOLDS(records[i].kind != FRNG_TRACE_NOTE || memchr(records[i].u.text, 0, 32) != NULL);
    }
    check_table(&p, entropy, size);
    check_testcase(&p, entropy, size, drawn, 32);
}

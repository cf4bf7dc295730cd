/* Everything that is read from the report, the memory that a program under test writes: counts,
 * rows, site, records. What comes out is bounded, a table of harmless text, and a test
 * case whose draws have values they can have. */
#include "candidate_set.h"
#include "failure.h"
#include "fuzz.h"
#include "fuzz_records.h"
#include "pass.h"
#include "report.h"
#include "testcase.h"
#include "trace.h"

enum { RECORDS = 24, ENTROPY_MAX = 64, KEPT = 16 };

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
    FUZZ_HOLDS(strnlen(site, sizeof site) < sizeof site);
    FUZZ_HOLDS(text_is((const uint8_t *)site, strlen(site)) && strchr(site, '\x1b') == NULL);
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
    trace_print(out, &(trace){p->records, p->record_count, p->reported, entropy, size},
                &(remarks){NULL, 0});
    fclose(out);
    FUZZ_HOLDS(text_is((const uint8_t *)text, length) && strlen(text) == length);
    FUZZ_HOLDS(strpbrk(text, "\x1b\r\t\v\f") == NULL);
    FUZZ_HOLDS(length < 1024 * (p->record_count + 4));
    free(text);
}

/* What a draw of frng.h makes of the bytes; false where there is none like that. */
static bool draw_again(const draw *d, const uint8_t *bytes, uint64_t *value) {
    frng f = frng_init(bytes, d->width);
    uint8_t u1 = 0;
    uint16_t u2 = 0;
    uint32_t u4 = 0;
    int64_t i8 = 0;
    bool ok = false;
    if (d->kind == FRNG_INT && d->width == 8) {
        ok = frng_i64_range(&f, (int64_t)d->min, (int64_t)d->max, &i8);
        *value = (uint64_t)i8;
        return ok;
    }
    if (d->kind != FRNG_UINT) return false;
    switch (d->width) {
    case 1: ok = frng_u8_range(&f, (uint8_t)d->min, (uint8_t)d->max, &u1), *value = u1; break;
    case 2: ok = frng_u16_range(&f, (uint16_t)d->min, (uint16_t)d->max, &u2), *value = u2; break;
    case 4: ok = frng_u32_range(&f, (uint32_t)d->min, (uint32_t)d->max, &u4), *value = u4; break;
    case 8: ok = frng_u64_range(&f, d->min, d->max, value); break;
    default: return false;
    }
    FUZZ_HOLDS(ok); /* an encoding that is rejected is none */
    return true;
}

static void check_draw(const draw *d) {
    uint8_t bytes[DRAW_BYTES_MAX];
    uint64_t rank = 0, value = 0;
    FUZZ_HOLDS(d->width >= 1 && d->width <= 8);
    FUZZ_HOLDS(d->rank <= draw_rank_max(d));
    const unsigned used = draw_encode(d, d->rank, bytes);
    FUZZ_HOLDS(used == draw_size(d) && used >= 1 && used <= DRAW_BYTES_MAX);
    if (draw_is_real(d)) FUZZ_HOLDS(draw_rank_nearer(d, draw_distance(d)) <= d->rank);
    if (draw_is_number(d)) {
        FUZZ_HOLDS(draw_rank_of(d, draw_value(d), &rank) && rank == d->rank);
        FUZZ_HOLDS(draw_rank_nearer(d, draw_distance(d)) <= d->rank);
        if (draw_again(d, bytes, &value)) FUZZ_HOLDS(value == draw_value(d));
    }
}

static void check_testcase(const candidate_set *p, const uint8_t *entropy, uint64_t size,
                           uint64_t drawn) {
    testcase t, copy;
    size_t needed = 0;
    uint8_t *exact = malloc(size + 1); /* for AddressSanitizer */
    FUZZ_HOLDS(exact != NULL);
    memcpy(exact + 1, entropy, size);
    const traced_run run = {exact + 1, size, drawn, p->records, p->record_count};
    FUZZ_HOLDS(testcase_init(&t, run));
    free(exact);
    FUZZ_HOLDS(t.size <= size && t.count <= t.size);
    for (size_t i = 0; i < t.count; i++) {
        check_draw(&t.draws[i]);
        needed += draw_size(&t.draws[i]);
    }
    FUZZ_HOLDS(needed <= t.size && t.has_slack_bytes == (needed < t.size));
    FUZZ_HOLDS(testcase_copy(&copy, &t) && testcase_compare(&copy, &t) == 0);
    testcase_finish(&copy);
    testcase_finish(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t input_size) {
    static frng_trace_record records[KEPT];
    static uint8_t entropy[ENTROPY_MAX];
    static candidate_set p;
    fuzz_input in = {bytes, input_size};
    if (report.report == NULL) FUZZ_HOLDS(report_shm_init(&report, RECORDS, 0) == 0);
    p.records = records;
    p.records_max = fuzz_u8(&in) % (KEPT + 1);
    const uint64_t size = fuzz_u8(&in) % (ENTROPY_MAX + 1);
    fuzz_fill(&in, entropy, size);
    const uint64_t drawn = fuzz_number(&in);
    write_report(&in);
    check_numbers(&in, size);
    report_shm_copy_trace(&report, &p);
    FUZZ_HOLDS(p.record_count <= p.records_max && p.record_count <= p.reported);
    for (uint64_t i = 0; i < p.record_count; i++) {
        FUZZ_HOLDS(records[i].kind != FRNG_TRACE_NOTE || memchr(records[i].u.text, 0, 32) != NULL);
    }
    check_table(&p, entropy, size);
    check_testcase(&p, entropy, size, drawn);
    return 0;
}

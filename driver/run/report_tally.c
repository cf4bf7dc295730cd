#include "report_tally.h"

#include "candidate_set.h"
#include "outcome.h"

#include <string.h>

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

static const uint8_t *table_at(const report_shm *s) {
    return (const uint8_t *)(uintptr_t)s->report + s->labels_offset;
}

/* Add row `i`. `is_marked`: the last run has it, but has not counted it. */
static void add_row(const report_shm *s, uint64_t i, const report_end *end, bool is_marked,
                    tally *t) {
    frng_label_row row;
    memcpy(&row, table_at(s) + sizeof(frng_label_table) + i * sizeof row, sizeof row);
    row.name[sizeof row.name - 1] = '\0';
    if (row.kind != FRNG_ROW_LABEL && row.kind != FRNG_ROW_MEASURE) return;
    const tally_kind kind = row.kind == FRNG_ROW_LABEL ? TALLY_LABEL : TALLY_MEASURE;
    const uint64_t last = kind == TALLY_MEASURE ? row.value : end->drawn;
    const bool is_known = kind == TALLY_MEASURE || end->drawn != OUTCOME_DRAWN_UNKNOWN;
    tally_row *ours = tally_row_of(t, kind, row.name);
    if (ours == NULL) return;
    ours->runs += smaller(row.values.count, end->passed) + is_marked;
    histogram_add_untrusted(&ours->values, &row.values, end->passed);
    if (is_marked && is_known) histogram_add(&ours->values, last);
}

/* Add what the runs used. */
static void add_used(const frng_label_table *head, const report_end *end, tally *t) {
    const bool is_drawn = end->drawn != OUTCOME_DRAWN_UNKNOWN;
    uint64_t used = is_drawn ? end->drawn : 0;
    if (head->drawn.count > 0 && head->drawn.max > used) used = smaller(head->drawn.max, end->size);
    if (head->ran_out > 0) used = end->size;
    if (used > t->used_max) t->used_max = used;
}

/* Add the rows of runs of a target that keeps no table of labels. Returns how many there are. */
static uint64_t add_passes(const report_shm *s, const report_end *end, tally *t) {
    const uint64_t rows = smaller(s->rows, end->passed);
    uint64_t known = 0;
    for (uint32_t i = 0; i < rows; i++) {
        const candidate_pass pass = report_shm_counted_pass(s, i, end->size);
        if (pass.drawn == OUTCOME_DRAWN_UNKNOWN) continue;
        known++;
        t->ran_out += pass.ran_out;
        t->few[0] += pass.drawn == 0 && !pass.ran_out;
        histogram_add(&t->drawn, pass.drawn);
        const uint64_t used = pass.ran_out ? end->size : pass.drawn;
        if (used > t->used_max) t->used_max = used;
    }
    return known;
}

void report_tally_add(const report_shm *s, const report_end *end, tally *t) {
    frng_label_table head;
    memcpy(&head, table_at(s), sizeof head);
    const uint64_t marked = s->report->marked;
    const uint64_t used = smaller(head.used, FRNG_LABELS_MAX);
    const bool has_table = head.runs > 0 || head.used > 0;
    const uint64_t reported = has_table ? smaller(head.runs, end->passed) : add_passes(s, end, t);
    /* A failed run has not counted itself, and neither have the runs of some targets. */
    const bool is_last_open = end->has_failed || reported + 1 == end->passed;
    t->runs += end->passed + end->has_failed;
    t->reported += reported;
    t->failed += end->has_failed;
    t->ran_out += smaller(head.ran_out, reported);
    t->lost += head.lost;
    if (end->size > t->size_max) t->size_max = end->size;
    for (size_t i = 0; i < FRNG_FEW_DRAWS; i++) t->few[i] += smaller(head.few[i], reported);
    histogram_add_untrusted(&t->drawn, &head.drawn, reported);
    histogram_add_untrusted(&t->draws, &head.draws, reported);
    if (is_last_open && end->drawn != OUTCOME_DRAWN_UNKNOWN) histogram_add(&t->drawn, end->drawn);
    add_used(&head, end, t);
    for (uint64_t i = 0; i < used; i++) {
        add_row(s, i, end, is_last_open && (marked >> i & 1) != 0, t);
    }
}

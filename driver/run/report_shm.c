#include "report_shm.h"

#include "bytes.h"
#include "candidate_set.h"
#include "failure.h"
#include "feature_map.h"
#include "outcome.h"
#include "text.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    RUNS_OFFSET = sizeof(frng_report), /* the table of runs comes first, then the trace */
    TRACE_OFFSET = RUNS_OFFSET + CANDIDATE_SET_COUNT_MAX * sizeof(uint64_t)
};

int report_shm_init(report_shm *s, uint64_t trace_count) {
    return report_shm_init_choosing(s, trace_count, 0);
}

int report_shm_init_choosing(report_shm *s, uint64_t trace_count, uint64_t chosen_max) {
    const uint64_t page = 4096;
    const uint64_t labels = sizeof(frng_label_table) + FRNG_LABELS_MAX * sizeof(frng_label_row);
    s->trace_count = trace_count;
    s->labels_offset = TRACE_OFFSET + trace_count * sizeof(frng_trace_record);
    s->features_offset = s->labels_offset + labels;
    s->rows_offset = s->features_offset + sizeof(frng_feature_table);
    s->chosen_offset = s->rows_offset + REPORT_SHM_ROWS_MAX * sizeof(uint64_t);
    s->chosen_max = chosen_max;
    s->counts = false;
    s->size = (s->chosen_offset + chosen_max + page - 1) & ~(page - 1);
    s->fd = memfd_create("report", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (s->fd < 0) return errno;
    void *mapping = MAP_FAILED;
    int resized;
    while ((resized = ftruncate(s->fd, (off_t)s->size)) != 0 && errno == EINTR) {
    }
    if (resized == 0 && fcntl(s->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
        mapping = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
    }
    if (mapping == MAP_FAILED) {
        const int error = errno;
        close(s->fd);
        return error;
    }
    s->report = mapping;
    report_shm_reset(s, 1);
    return 0;
}

void report_shm_finish(report_shm *s) {
    munmap((void *)(uintptr_t)s->report, s->size);
    close(s->fd);
}

static void want_rows_at(report_shm *s, uint64_t offset, uint32_t runs) {
    memset((uint8_t *)(uintptr_t)s->report + offset, 0xff, runs * sizeof(uint64_t));
    s->report->runs_offset = offset;
    s->report->runs_count = runs;
}

void report_shm_request_rows(report_shm *s, uint32_t runs) {
    assert(runs <= REPORT_SHM_ROWS_MAX);
    s->rows = runs;
    want_rows_at(s, s->rows_offset, runs);
}

void report_shm_reset(report_shm *s, uint32_t runs) {
    assert(runs <= CANDIDATE_SET_COUNT_MAX);
    /* Fill the generator with ones, as the rows: a count of drawn bytes that no run can reach. */
    memset((void *)(uintptr_t)s->report, 0, sizeof *s->report);
    memset((void *)(uintptr_t)s->report->generator, 0xff, sizeof s->report->generator);
    s->report->magic = FRNG_REPORT_MAGIC;
    s->report->size = s->size;
    s->report->trace_offset = TRACE_OFFSET;
    s->report->trace_count = runs > 0 ? s->trace_count : 0;
    s->rows = 0;
    want_rows_at(s, RUNS_OFFSET, runs);
    if (!s->counts) return;
    memset((uint8_t *)(uintptr_t)s->report + s->labels_offset, 0, sizeof(frng_label_table));
    s->report->labels_offset = s->labels_offset;
    s->report->labels_count = FRNG_LABELS_MAX;
}

report_layout report_shm_check_layout(const frng_message *hello) {
    const uint64_t width = hello->drawn_width;
    const bool ok = (width == 4 || width == 8) && hello->drawn_offset % width == 0 &&
                    hello->drawn_offset <= sizeof(frng_report) - width;
    const uint64_t flags = FRNG_CAN_EXPAND | FRNG_CAN_PREFIX;
    report_layout layout = {.takes_prefix = (hello->flags & flags) == flags,
                            .forks_none = (hello->flags & FRNG_NO_FORK) != 0};
    if (ok) layout.drawn_offset = hello->drawn_offset;
    if (ok) layout.drawn_width = width;
    return layout;
}

uint64_t report_shm_drawn(const report_shm *s, report_layout layout, uint64_t size) {
    const volatile uint8_t *at = (const volatile uint8_t *)s->report + layout.drawn_offset;
    if (layout.drawn_width == 0) return OUTCOME_DRAWN_UNKNOWN;
    const uint64_t drawn = layout.drawn_width == 8
                               ? *(const volatile uint64_t *)(const void *)(uintptr_t)at
                               : *(const volatile uint32_t *)(const void *)(uintptr_t)at;
    return drawn <= size ? drawn : OUTCOME_DRAWN_UNKNOWN;
}

uint64_t report_shm_run(const report_shm *s, uint64_t max) {
    const uint64_t run = s->report->run;
    return run <= max ? run : max;
}

void report_shm_copy_site(const report_shm *s, char site[FAILURE_SITE_MAX]) {
    uint8_t raw[sizeof s->report->site];
    memcpy(raw, (const void *)(uintptr_t)s->report->site, sizeof raw);
    bytes_escape(raw, strnlen((const char *)raw, sizeof raw), false, site, FAILURE_SITE_MAX);
}

uint64_t report_shm_traced(const report_shm *s) { return s->report->traced; }

frng_trace_record report_shm_record(const report_shm *s, uint64_t at) {
    frng_trace_record record;
    assert(at < s->trace_count);
    const uint8_t *records = (const uint8_t *)(uintptr_t)s->report + TRACE_OFFSET;
    memcpy(&record, records + at * sizeof record, sizeof record);
    const bool is_text = record.kind == FRNG_TRACE_NOTE || record.kind == FRNG_TRACE_STEP;
    if (is_text) record.u.text[sizeof record.u.text - 1] = '\0';
    return record;
}

static candidate_pass pass_at(const report_shm *s, uint64_t offset, uint32_t run, uint64_t size) {
    uint64_t row;
    const uint8_t *rows = (const uint8_t *)(uintptr_t)s->report + offset;
    memcpy(&row, rows + run * sizeof row, sizeof row);
    const uint64_t drawn = row & ~FRNG_RUN_RAN_OUT;
    if (drawn > size) return CANDIDATE_PASS_UNKNOWN;
    return (candidate_pass){drawn, (row & FRNG_RUN_RAN_OUT) != 0};
}

candidate_pass report_shm_pass(const report_shm *s, uint32_t run, uint64_t size) {
    assert(run < CANDIDATE_SET_COUNT_MAX);
    return pass_at(s, RUNS_OFFSET, run, size);
}

candidate_pass report_shm_counted_pass(const report_shm *s, uint32_t run, uint64_t size) {
    assert(run < s->rows);
    return pass_at(s, s->rows_offset, run, size);
}

void report_shm_request_chosen(report_shm *s, uint64_t size) {
    assert(size <= s->chosen_max);
    s->report->chosen_offset = s->chosen_offset;
    s->report->chosen_size = size;
}

bool report_shm_has_run_out(const report_shm *s) { return s->report->ran_out != 0; }

void report_shm_copy_chosen(const report_shm *s, uint8_t *bytes, uint64_t size) {
    assert(size <= s->chosen_max);
    if (size > 0)
        memcpy(bytes, (const uint8_t *)(uintptr_t)s->report + s->chosen_offset, (size_t)size);
}

void report_shm_request(report_shm *s, uint64_t wants) { s->report->wants = wants; }

bool report_shm_has_states(const report_shm *s) {
    return (s->report->wants & FRNG_HAS_STATES) != 0;
}

void report_shm_request_leaks(report_shm *s, frng_leaks_request request) {
    s->report->leaks = request;
}

static frng_feature_table *features_of(const report_shm *s) {
    return (frng_feature_table *)(void *)((uint8_t *)(uintptr_t)s->report + s->features_offset);
}

void report_shm_request_features(report_shm *s, const feature_map *known) {
    frng_feature_table *table = features_of(s);
    table->count = 0;
    memcpy(table->seen, known->seen, sizeof table->seen);
    s->report->features_offset = s->features_offset;
    s->report->features_count = FRNG_FEATURES;
}

uint32_t report_shm_feature_count(const report_shm *s) {
    const uint64_t count = *(volatile uint64_t *)&features_of(s)->count;
    return count < FRNG_FEATURES ? (uint32_t)count : FRNG_FEATURES;
}

bool report_shm_feature(const report_shm *s, uint32_t at, uint64_t runs, uint64_t size,
                        frng_feature_record *record) {
    assert(at < FRNG_FEATURES);
    memcpy(record, &features_of(s)->records[at], sizeof *record);
    return record->run < runs && record->feature < FRNG_FEATURES && record->offset <= size;
}

uint64_t report_shm_leak_state(const report_shm *s) { return s->report->leak_state; }

bool report_shm_has_begun(const report_shm *s) {
    const volatile uint64_t *words = s->report->generator;
    for (size_t i = 0; i < sizeof s->report->generator / sizeof *words; i++) {
        if (words[i] != UINT64_MAX) return true;
    }
    return false;
}

void report_shm_copy_trace(const report_shm *s, candidate_set *p) {
    const uint64_t reported = report_shm_traced(s);
    uint64_t count = reported < s->trace_count ? reported : s->trace_count;
    if (count > p->records_max) count = p->records_max;
    for (uint64_t i = 0; i < count; i++) p->records[i] = report_shm_record(s, i);
    p->record_count = count;
    p->reported = reported;
}

void report_shm_offer(const report_shm *s, int control, int entropy,
                      char offer[REPORT_SHM_OFFER_MAX]) {
    snprintf(offer, REPORT_SHM_OFFER_MAX, FRNG_DRIVER_VARIABLE "=%d,%d,%d,%d",
             FRNG_PROTOCOL_VERSION, control, s->fd, entropy);
}

char **report_shm_environment(char *const *envp, char *offer) {
    const size_t count = text_count(envp);
    char **extended = calloc(count + 2, sizeof *extended);
    if (extended == NULL) return NULL;
    memcpy(extended, envp, count * sizeof *envp);
    extended[count] = offer;
    return extended;
}

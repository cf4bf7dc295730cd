#include "shown_features.h"

#include <assert.h>

/* True if a record is new, and of the run of the one before it or a later run. An honest target
 * reports no others; for those of a dishonest one, no run is made again and again. */
static bool is_in_turn(const shown_features *s, const frng_feature_record *record) {
    if (s->known.seen[record->feature] != 0) return false;
    return s->count == 0 || record->run >= s->records[s->count - 1].run;
}

void shown_features_take(shown_features *s, const report_shm *report, uint64_t runs,
                         uint64_t size) {
    const uint32_t count = report_shm_feature_count(report);
    s->size = size;
    s->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        frng_feature_record *next = &s->records[s->count];
        if (report_shm_feature(report, i, runs, size, next) && is_in_turn(s, next)) s->count++;
    }
}

bool shown_features_next(const shown_features *s, uint32_t before, shown_run *run) {
    assert(run->end <= s->count);
    run->first = run->end;
    if (run->first == s->count) return false;
    const uint32_t index = s->records[run->first].run;
    while (run->end < s->count && s->records[run->end].run == index) run->end++;
    run->at = before + index;
    return true;
}

static void add(shown_features *s, frng_feature_record record, feature_list *list) {
    if (s->known.seen[record.feature] != 0 || list->count == FRNG_FEATURES) return;
    s->known.seen[record.feature] = 1;
    list->records[list->count++] = record;
}

/* Say whether the features of a run are due. */
static void set_due(shown_features *s, const shown_run *run, bool is_due) {
    for (uint32_t i = run->first; i < run->end; i++) s->due.seen[s->records[i].feature] = is_due;
}

void shown_features_confirm(shown_features *s, const report_shm *report, const shown_run *run,
                            feature_list *list) {
    const uint32_t count = report_shm_feature_count(report);
    frng_feature_record record;
    set_due(s, run, true);
    for (uint32_t i = 0; i < count; i++) {
        if (!report_shm_feature(report, i, 1, s->size, &record)) continue;
        if (s->due.seen[record.feature] == 0) continue;
        record.run = run->at;
        add(s, record, list);
    }
    set_due(s, run, false);
}

void shown_features_settle(shown_features *s, const shown_run *run, feature_list *list) {
    for (uint32_t i = run->first; i < run->end; i++)
        add(s, (frng_feature_record){.run = run->at, .feature = s->records[i].feature}, list);
}

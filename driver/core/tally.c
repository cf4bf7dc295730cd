/* Statistics of runs.
 *
 * A histogram counts values in buckets that are exact below 16 and an eighth wide above, so that a
 * target can fill it in shared memory without a word on their range, and two of them add up by
 * adding buckets. A tally has some of them, and a row for each label and measure, found by its
 * name. Workers fill tallies from reports (run/report), the pool and the search merge them. What a
 * target wrote is untrusted: counts are capped by the number of runs, and names end where their
 * room does.
 *
 * Sums of drawn bytes take the least number of each bucket: then the sum of parts is that of the
 * whole, and the strategy, which decides by it, does not depend on how runs are batched. */
#include "tally.h"

#include "bytes.h"

#include <stdlib.h>
#include <string.h>

/* ---- Histograms ---- */

static void widen(histogram *h, uint64_t min, uint64_t max) {
    if (h->count == 0 || min < h->min) h->min = min;
    if (h->count == 0 || max > h->max) h->max = max;
}

void histogram_add(histogram *h, uint64_t value) {
    widen(h, value, value);
    h->count++;
    h->buckets[frng__bucket(value)]++;
}

static void histogram_merge(histogram *h, const histogram *more) {
    if (more->count == 0) return;
    widen(h, more->min, more->max);
    h->count += more->count;
    for (unsigned i = frng__bucket(more->min); i <= frng__bucket(more->max); i++) {
        h->buckets[i] += more->buckets[i];
    }
}

void histogram_add_untrusted(histogram *h, const frng_histogram *more, uint64_t count_max) {
    const uint64_t min = more->min, max = more->max;
    uint64_t sum = 0;
    if (count_max == 0 || min > max) return;
    for (unsigned i = frng__bucket(min); i <= frng__bucket(max); i++) {
        const uint64_t count = smaller(more->buckets[i], count_max - sum);
        h->buckets[i] += count;
        sum += count;
    }
    if (sum == 0) return;
    widen(h, min, max);
    h->count += sum;
}

static uint64_t bucket_start(unsigned bucket) {
    if (bucket < 16) return bucket;
    return (uint64_t)(8 + (bucket - 16) % 8) << ((bucket - 16) / 8 + 1);
}

uint64_t histogram_quantile(const histogram *h, unsigned part, unsigned parts) {
    if (h->count == 0 || part == 0) return h->min; /* 0 of none */
    if (part >= parts) return h->max;
    uint64_t rank = (h->count - 1) / parts * part + (h->count - 1) % parts * part / parts;
    for (unsigned i = frng__bucket(h->min); i <= frng__bucket(h->max); i++) {
        const uint64_t count = h->buckets[i];
        if (rank >= count) {
            rank -= count;
            continue;
        }
        /* The values of a bucket are taken as spread evenly over it. */
        const double share = ((double)rank + 0.5) / (double)count;
        const uint64_t width = i < 16 ? 1 : UINT64_C(1) << ((i - 16) / 8 + 1);
        const uint64_t value = bucket_start(i) + (uint64_t)(share * (double)width);
        return value < h->min ? h->min : smaller(value, h->max);
    }
    return h->max;
}

/* ---- Tallies ---- */

void tally_clear(tally *t) {
    memset(t, 0, offsetof(tally, rows)); /* tally_row_of clears each row that it adds */
}

/* Return the index of a row, row_count if there is none. Of a name as much counts as is kept. */
static size_t find_row(const tally *t, tally_kind kind, const char *name) {
    const size_t length = sizeof t->rows->name - 1;
    size_t i = 0;
    while (i < t->row_count &&
           (t->rows[i].kind != kind || strncmp(t->rows[i].name, name, length) != 0))
        i++;
    return i;
}

tally_row *tally_row_of(tally *t, tally_kind kind, const char *name) {
    const size_t i = find_row(t, kind, name);
    if (i == FRNG_LABELS_MAX) return NULL;
    tally_row *row = &t->rows[i];
    if (i < t->row_count) return row;
    t->row_count++;
    memset(row, 0, sizeof *row);
    strncpy(row->name, name, sizeof row->name - 1);
    row->kind = kind;
    return row;
}

void tally_merge(tally *t, const tally *more) {
    t->runs += more->runs;
    t->reported += more->reported;
    t->failed += more->failed;
    t->ran_out += more->ran_out;
    t->discarded += more->discarded;
    t->discarded_styled += more->discarded_styled;
    t->unread += more->unread;
    t->lost += more->lost;
    if (more->size_max > t->size_max) t->size_max = more->size_max;
    if (more->used_max > t->used_max) t->used_max = more->used_max;
    for (size_t i = 0; i < FRNG_FEW_DRAWS; i++) t->few[i] += more->few[i];
    histogram_merge(&t->drawn, &more->drawn);
    histogram_merge(&t->draws, &more->draws);
    for (size_t i = 0; i < more->row_count; i++) {
        const tally_row *row = &more->rows[i];
        tally_row *ours = tally_row_of(t, row->kind, row->name);
        if (ours == NULL) {
            t->lost += row->runs;
            continue;
        }
        ours->runs += row->runs;
        histogram_merge(&ours->values, &row->values);
        if (row->kind == TALLY_GOAL) tally_climbed(ours, row->most, row->at);
    }
}

void tally_climbed(tally_row *goal, uint64_t value, seed_input at) {
    if (value <= goal->most) return;
    goal->most = value;
    goal->at = at;
}

const tally_row *tally_goal(const tally *t) {
    size_t order[FRNG_LABELS_MAX];
    return tally_sort(t, TALLY_GOAL, order) > 0 ? &t->rows[order[0]] : NULL;
}

size_t tally_sort(const tally *t, tally_kind kind, size_t sorted[FRNG_LABELS_MAX]) {
    size_t count = 0;
    for (size_t i = 0; i < t->row_count; i++) {
        const tally_row *row = &t->rows[i];
        size_t at = count;
        if (row->kind != kind) continue;
        for (; at > 0; at--) { /* an insertion sort */
            const tally_row *before = &t->rows[sorted[at - 1]];
            if (before->runs > row->runs) break;
            if (before->runs == row->runs && strcmp(before->name, row->name) < 0) break;
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = i;
        count++;
    }
    return count;
}

uint64_t tally_most_used(const tally *t) {
    if (t->reported + t->failed < t->runs) return UINT64_MAX;
    return t->used_max;
}

bool tally_is_unread(const tally *t) {
    enum { RUNS_LEAST = 10 };
    const bool has_drawn = t->ran_out > 0 || tally_most_used(t) > 0; /* or that is unknown */
    return t->runs >= RUNS_LEAST && (t->unread == t->runs || !has_drawn);
}

bool tally_is_discarded(const tally *t) { return (double)t->discarded > 0.9 * (double)t->runs; }

bool tally_ends_unread(const tally *t, uint64_t size_max) {
    enum { LARGE = 16384, LEAST = 16 }; /* a search grows no further where nothing is drawn */
    const uint64_t wanted = tally_most_used(t) == 0 ? LEAST : LARGE;
    return tally_is_unread(t) && t->failed == 0 && t->size_max >= smaller(wanted, size_max);
}

uint64_t tally_sum_drawn(const tally *t) {
    const histogram *h = &t->drawn;
    uint64_t sum = 0;
    if (t->reported + t->failed < t->runs || h->count < t->runs) return UINT64_MAX;
    if (h->count == 0) return 0;
    for (unsigned i = frng__bucket(h->min); i <= frng__bucket(h->max); i++) {
        uint64_t more;
        if (__builtin_mul_overflow(h->buckets[i], bucket_start(i), &more) ||
            __builtin_add_overflow(sum, more, &sum)) {
            return UINT64_MAX;
        }
    }
    return sum;
}

/* ---- Signs that runs tested nothing ---- */

/* Fewer runs say little; and runs that draw more bytes than this in their few draws may test
 * much. */
enum { WARNING_RUNS_MIN = 20, FEW_BYTES_MAX = 16 };

uint64_t tally_few_draws(const tally *t) {
    uint64_t runs = 0;
    for (size_t i = 0; i < FRNG_FEW_DRAWS; i++) runs += t->few[i];
    return runs;
}

bool tally_is_half_discarded(const tally *t) { return t->discarded > t->runs / 2; }

const char *tally_warning(const tally *t) {
    if (t->runs >= WARNING_RUNS_MIN && tally_is_half_discarded(t)) return "discarded";
    if (t->runs < WARNING_RUNS_MIN || tally_most_used(t) == UINT64_MAX) return NULL;
    if (t->drawn.max == 0) return t->ran_out == 0 ? "no-draws" : "starved";
    const bool is_short = tally_few_draws(t) > t->reported / 2;
    return is_short && histogram_quantile(&t->drawn, 1, 2) <= FEW_BYTES_MAX ? "few-draws" : NULL;
}

/* ---- Shares that labels must have ---- */

bool requirement_parse(const char *text, requirement *r) {
    const char *colon = strrchr(text, ':');
    if (colon == NULL || colon == text) return false;
    const char *number = colon + 1;
    int end = 0;
    sscanf(number, "%*[0-9]%n.%*[0-9]%n", &end, &end);
    if (end == 0 || strcmp(number + end, "%") != 0) return false;
    const double percent = strtod(number, NULL);
    if (!(percent > 0 && percent <= 100)) return false;
    const size_t length = (size_t)(colon - text), length_max = sizeof r->label - 1;
    memset(r->label, 0, sizeof r->label);
    memcpy(r->label, text, length < length_max ? length : length_max);
    r->text = text;
    r->percent = percent;
    return true;
}

uint64_t requirement_runs(const requirement *r, const tally *t) {
    const size_t i = find_row(t, TALLY_LABEL, r->label);
    return i < t->row_count ? t->rows[i].runs : 0;
}

bool requirement_is_met(const requirement *r, const tally *t) {
    const uint64_t runs = requirement_runs(r, t);
    return runs > 0 && (double)runs * 100 >= r->percent * (double)(t->runs - t->discarded);
}

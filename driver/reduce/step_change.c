#include "step_change.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static byte_change bytes_of(const testcase *from, const testcase *to) {
    const size_t most = from->size < to->size ? from->size : to->size;
    size_t head = 0, tail = 0;
    while (head < most && from->bytes[head] == to->bytes[head]) head++;
    while (tail < most - head &&
           from->bytes[from->size - tail - 1] == to->bytes[to->size - tail - 1]) {
        tail++;
    }
    byte_change c = {head, from->size - head - tail, to->size - head - tail, {0}, {0}};
    const size_t removed = c.removed < sizeof c.before ? (size_t)c.removed : sizeof c.before;
    const size_t inserted = c.inserted < sizeof c.after ? (size_t)c.inserted : sizeof c.after;
    if (removed > 0) memcpy(c.before, from->bytes + head, removed);
    if (inserted > 0) memcpy(c.after, to->bytes + head, inserted);
    return c;
}

static bool is_same(const draw *a, const draw *b) { return same_type(a, b) && a->rank == b->rank; }

/* Return a draw as a record, or as a note if a record would not show its value. */
static frng_trace_record record_of(const draw *d) {
    frng_trace_record r = {.kind = d->kind, .width = d->width};
    r.u.draw.min = d->min;
    r.u.draw.max = d->max;
    if (draw_is_choice(d)) {
        r.u.draw.value = d->rank;
    } else if (draw_is_number(d) && d->kind != FRNG_BYTES) {
        r.u.draw.value = draw_value(d);
    } else {
        r.kind = FRNG_TRACE_NOTE;
        if (d->kind == FRNG_BYTES) {
            snprintf(r.u.text, sizeof r.u.text, "0x%02" PRIx64, d->rank);
        } else if (draw_is_real(d)) {
            snprintf(r.u.text, sizeof r.u.text, "%.9g", draw_real(d));
        } else {
            snprintf(r.u.text, sizeof r.u.text, "#%" PRIu64, d->rank);
        }
    }
    return r;
}

static void copy_records(frng_trace_record shown[DRAW_CHANGE_SHOWN], const draw *draws,
                         uint64_t count) {
    for (size_t i = 0; i < count && i < DRAW_CHANGE_SHOWN; i++) shown[i] = record_of(&draws[i]);
}

static draw_change draws_of(const testcase *from, const testcase *to) {
    draw_change c = {.at = 0};
    const size_t most = from->count < to->count ? from->count : to->count;
    size_t head = 0, tail = 0;
    if (from->trace == TRACE_NONE || to->trace == TRACE_NONE) return c;
    while (head < most && is_same(&from->draws[head], &to->draws[head])) head++;
    while (tail < most - head &&
           is_same(&from->draws[from->count - tail - 1], &to->draws[to->count - tail - 1])) {
        tail++;
    }
    c.at = head;
    c.removed = from->count - head - tail;
    c.inserted = to->count - head - tail;
    if (c.removed > 0) copy_records(c.before, from->draws + head, c.removed);
    if (c.inserted > 0) copy_records(c.after, to->draws + head, c.inserted);
    return c;
}

step_change step_change_of(const testcase *from, const testcase *to) {
    return (step_change){bytes_of(from, to), draws_of(from, to)};
}

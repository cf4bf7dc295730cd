#include "comparison.h"

#include "frng_more.h"

#include <stdbool.h>
#include <string.h>

/* A walk over the draws and states of a run, and what stands around them. */
typedef struct reader {
    const reported_run *run;
    uint64_t next; /* index of the next record */
    run_difference at;
    uint64_t letters_end; /* where a string goes on; UINT64_MAX: in none */
    bool is_named;        /* a note awaits its draw */
} reader;

static void copy_text(char *to, size_t room, const char *from, size_t size) {
    const size_t length = strnlen(from, size);
    const size_t kept = length < room ? length : room - 1;
    memcpy(to, from, kept);
    to[kept] = '\0';
}

static void take_say(reader *r, const frng_trace_record *record) {
    const bool goes_on = r->next > 1 && record[-1].kind == FRNG_TRACE_SAY && record[-1].width == 1;
    const size_t length = goes_on ? strlen(r->at.said) : 0;
    copy_text(r->at.said + length, sizeof r->at.said - length, record->u.text,
              sizeof record->u.text);
}

/* Count a draw; all letters of a string are one, as in a trace. */
static void take_draw(reader *r, const frng_trace_record *record) {
    const bool is_letter = record->kind == FRNG_LETTER;
    const bool goes_on = is_letter && record->start == r->letters_end;
    if (!goes_on) {
        r->at.draw++;
        r->at.offset = record->start;
        if (!r->is_named) r->at.note[0] = '\0';
        r->is_named = false;
    }
    const bool ends = !is_letter || (uint32_t)record->u.draw.value == 0;
    r->letters_end = ends ? UINT64_MAX : record->start + record->taken;
}

/* Return the next draw or state, or NULL at the end. */
static const frng_trace_record *read_next(reader *r) {
    while (r->next < r->run->count) {
        const frng_trace_record *record = &r->run->records[r->next++];
        switch (record->kind) {
        case FRNG_TRACE_NOTE:
        case FRNG_TRACE_STEP:
            copy_text(r->at.note, sizeof r->at.note, record->u.text, sizeof record->u.text);
            r->is_named = true;
            break;
        case FRNG_TRACE_SAY: take_say(r, record); break;
        case FRNG_TRACE_STATE: return record;
        default: take_draw(r, record); return record;
        }
    }
    return NULL;
}

static bool is_equal(const frng_trace_record *a, const frng_trace_record *b) {
    return a->kind == b->kind && a->start == b->start && a->taken == b->taken &&
           a->width == b->width && a->u.draw.min == b->u.draw.min &&
           a->u.draw.max == b->u.draw.max && a->u.draw.value == b->u.draw.value;
}

static bool is_state(const frng_trace_record *r) {
    return r != NULL && r->kind == FRNG_TRACE_STATE;
}

/* Compare how two runs ended whose records are the same. */
static difference_kind kind_of_end(const reported_run *a, const reported_run *b) {
    const bool is_cut = a->reported > a->count || b->reported > b->count;
    if (a->digest != b->digest || a->drawn != b->drawn)
        return is_cut ? DIFFERENCE_LATER : DIFFERENCE_END;
    const bool ends_alike = a->end.verdict == b->end.verdict && a->end.status == b->end.status;
    return ends_alike ? DIFFERENCE_NONE : DIFFERENCE_END;
}

void comparison_find(const reported_run *a, const reported_run *b, run_difference *d) {
    reader first = {.run = a, .letters_end = UINT64_MAX};
    reader second = {.run = b, .letters_end = UINT64_MAX};
    const frng_trace_record *x, *y;
    do {
        x = read_next(&first);
        y = read_next(&second);
    } while (x != NULL && y != NULL && is_equal(x, y));
    const seed_input input = d->input;
    const bool is_second = x == NULL || (is_state(x) && y != NULL && !is_state(y));
    const bool is_cut =
        (x == NULL && a->reported > a->count) || (y == NULL && b->reported > b->count);
    *d = is_second ? second.at : first.at;
    d->input = input;
    d->kind = x == NULL && y == NULL        ? kind_of_end(a, b)
              : is_state(is_second ? y : x) ? DIFFERENCE_STATE
                                            : DIFFERENCE_DRAW;
    if (d->kind != DIFFERENCE_NONE && is_cut) d->kind = DIFFERENCE_LATER;
}

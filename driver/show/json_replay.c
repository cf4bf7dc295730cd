#include "json_replay.h"

#include <string.h>

static void put(json_replay *j, uint64_t kind, json_scope v) {
    if (j->out == NULL) return;
    v.setup = j->setup;
    v.replay = j;
    const int error = json_output_put(j->out, json_fields(kind, &v));
    if (error != 0 && j->error == 0) j->error = error;
}

void json_replay_start(json_replay *j, uint64_t runs) {
    j->draws = UINT64_MAX;
    put(j, P_START, (json_scope){.found = j->input, .progress = &(progress){.runs = runs}});
}

/* ---- Runs ---- */

void json_replay_run(json_replay *j, const replay_run *r) {
    if (r->number > JSON_REPLAY_RUNS) return;
    put(j, P_RUN,
        (json_scope){.run = r,
                     .found.failure = r->how,
                     .progress = &(progress){.elapsed_ns = r->elapsed_ns}});
}

void json_replay_alive(json_replay *j, const char *when, uint64_t runs, int64_t elapsed_ns) {
    put(j, P_ALIVE,
        (json_scope){.when = when,
                     .progress = &(progress){.runs = runs, .elapsed_ns = elapsed_ns}});
}

/* ---- Draws ---- */

static json_t *text_of(const frng_trace_record *r) {
    enum { ROOM = 4 * sizeof r->u.text + 1 };
    char text[ROOM];
    bytes_escape((const uint8_t *)r->u.text, strnlen(r->u.text, sizeof r->u.text), false, text,
                 ROOM);
    return json_string(text);
}

/* The lines of a trace under way. */
typedef struct trace_lines {
    json_replay *j;
    const trace *trace;
    uint64_t at;      /* the next record */
    uint64_t spoken;  /* lines so far of what the test says */
    replay_draw next; /* what stands before the next draw; `number` counts draws so far */
} trace_lines;

/* Move a note or a step that names no draw to the others. */
static void leave(replay_draw *next, const frng_trace_record **heading) {
    if (*heading == NULL) return;
    if (next->notes == NULL) next->notes = json_array();
    json_array_append_new(next->notes, text_of(*heading));
    *heading = NULL;
}

static void take_heading(replay_draw *next, const frng_trace_record *r) {
    leave(next, &next->note);
    if (r->kind == FRNG_TRACE_NOTE) {
        next->note = r;
        return;
    }
    leave(next, &next->step);
    next->step = r;
    next->step_number++;
}

/* Put a draw, or all letters of a string. */
static void put_draw(trace_lines *p) {
    char kind[TRACE_VALUE_MAX], value[TRACE_VALUE_MAX];
    const frng_trace_record *first = &p->trace->records[p->at];
    const uint64_t used = trace_format_row(first, p->trace->count - p->at, kind, value);
    const frng_trace_record *last = &first[used - 1];
    const uint64_t end = last->start + last->taken;
    replay_draw *d = &p->next;
    d->number++;
    d->record = first;
    d->offset = first->start;
    d->size = end - first->start;
    d->is_inside = first->start <= end && end <= p->trace->size;
    d->bytes = d->is_inside ? p->trace->entropy + first->start : NULL;
    d->kind = kind;
    d->text = value;
    put(p->j, P_DRAW, (json_scope){.shown = d});
    json_decref(d->notes);
    d->note = d->step = NULL;
    d->notes = NULL;
    p->at += used;
}

/* Put a line that the test says. A step that begins with it begins with the next draw, too. */
static void put_say(trace_lines *p) {
    char text[TRACE_SAY_MAX];
    const frng_trace_record *first = &p->trace->records[p->at];
    p->at += trace_format_say(first, p->trace->count - p->at, text);
    p->spoken++;
    p->next.offset = first->start;
    p->next.text = text;
    put(p->j, P_SAY, (json_scope){.shown = &p->next});
}

void json_replay_draws(json_replay *j, const trace *t) {
    trace_lines p = {.j = j, .trace = t};
    if (j->out == NULL) return;
    j->draws = t->reported;
    while (p.at < t->count && p.next.number < JSON_REPLAY_DRAWS && p.spoken < JSON_REPLAY_DRAWS) {
        const frng_trace_record *r = &t->records[p.at];
        if (r->kind == FRNG_TRACE_NOTE || r->kind == FRNG_TRACE_STEP) {
            take_heading(&p.next, r);
            p.at++;
        } else if (r->kind == FRNG_TRACE_SAY) {
            put_say(&p);
        } else {
            put_draw(&p);
        }
    }
    json_decref(p.next.notes);
}

void json_replay_wrong_record(json_replay *j, const wrong_record *w) {
    put(j, R_WRONG, (json_scope){.wrong = w});
}

/* ---- The end ---- */

void json_replay_done(json_replay *j, const replay_end *end) {
    const uint64_t failed = end->counts->failed + end->counts->other;
    put(j, P_DONE,
        (json_scope){.done = end,
                     .found = j->input,
                     .seen = {.reruns = end->counts->passed + failed, .repeated = failed},
                     .progress = &(progress){.elapsed_ns = end->elapsed_ns}});
}

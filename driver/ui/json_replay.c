#include "json_replay.h"

#include "clock.h"
#include "failure.h"
#include "json_event.h"
#include "json_failure.h"

#include <inttypes.h>
#include <string.h>

static void put(json_replay *j, json_t *line) {
    const int error = json_output_put(j->out, line);
    if (error != 0 && j->error == 0) j->error = error;
}

/* ---- The start ---- */

void json_replay_start(json_replay *j, uint64_t runs) {
    const run_setup *setup = j->setup;
    const seed_input *input = &j->input.failure->input;
    if (j->out == NULL) return;
    j->draws = UINT64_MAX;
    json_t *line = json_event_begin("start");
    json_event_put_call(line, setup, "replay");
    json_set_text(line, "sut", setup->subject->sut);
    json_set_texts(line, "args", setup->subject->args);
    json_set_integer(line, "size", input->size);
    json_set_null(line, "seed");
    json_set_null(line, "hex");
    if (j->has_seed) json_set_seed(line, "seed", input);
    if (!j->has_seed && input->size <= JSON_EVENT_HEX_MAX)
        json_set_hex(line, "hex", j->bytes, input->size, JSON_EVENT_HEX_MAX);
    json_set_seconds(line, "timeout", setup->limits.timeout_ns);
    json_set_known(line, "memory", setup->limits.memory_max, 0);
    json_set_integer(line, "runs", runs);
    put(j, line);
}

/* ---- Runs ---- */

void json_replay_run(json_replay *j, const replay_run *r) {
    const failure *f = r->how;
    if (j->out == NULL || r->number > JSON_REPLAY_RUNS) return;
    json_t *line = json_event_begin("run");
    json_set_integer(line, "number", r->number);
    json_set_word(line, "outcome", f == NULL ? "pass" : r->counts ? "fail" : "other");
    json_failure_put_signature(line, f);
    if (f != NULL) json_set_output(line, "output", f->output);
    json_set_seconds(line, "seconds", r->elapsed_ns);
    put(j, line);
}

void json_replay_alive(json_replay *j, const char *when, uint64_t runs, int64_t elapsed_ns) {
    if (j->out == NULL) return;
    json_t *line = json_event_begin("alive");
    json_set_word(line, "when", when);
    json_set_integer(line, "runs", runs);
    json_set_seconds(line, "seconds", elapsed_ns);
    put(j, line);
}

/* ---- Draws ---- */

static json_t *text_of(const frng_trace_record *r) {
    enum { ROOM = 4 * sizeof r->u.text + 1 };
    char text[ROOM];
    bytes_escape((const uint8_t *)r->u.text, strnlen(r->u.text, sizeof r->u.text), false, text,
                 ROOM);
    return json_string(text);
}

/* What stands before a draw. */
typedef struct headings {
    json_t *note;  /* the last note, which names the draw; NULL: none */
    json_t *step;  /* the last step, if it begins with the draw; NULL: none */
    json_t *notes; /* notes and steps without a draw; NULL: none */
    uint64_t steps;
} headings;

/* Move a heading that names no draw to the others. */
static void leave(headings *h, json_t **heading) {
    if (*heading == NULL) return;
    if (h->notes == NULL) h->notes = json_array();
    json_array_append_new(h->notes, *heading);
    *heading = NULL;
}

static void take_heading(headings *h, const frng_trace_record *r) {
    leave(h, &h->note);
    if (r->kind == FRNG_TRACE_NOTE) {
        h->note = text_of(r);
        return;
    }
    leave(h, &h->step);
    h->step = text_of(r);
    h->steps++;
}

static void put_headings(json_t *line, headings *h) {
    json_object_set_new(line, "note", h->note != NULL ? h->note : json_null());
    json_object_set_new(line, "step", h->step != NULL ? h->step : json_null());
    json_set_integer(line, "step_number", h->steps);
    if (h->notes != NULL) json_object_set_new(line, "notes", h->notes);
    h->note = h->step = h->notes = NULL;
}

/* Put the bounds of a draw of an integer as text, since many readers keep 53 bits. */
static void put_bounds(json_t *line, const frng_trace_record *r) {
    char least[24], most[24];
    json_set_null(line, "min");
    json_set_null(line, "max");
    switch (trace_bounds(r)) {
    case TRACE_UNBOUNDED: return;
    case TRACE_UNSIGNED:
        snprintf(least, sizeof least, "%" PRIu64, r->u.draw.min);
        snprintf(most, sizeof most, "%" PRIu64, r->u.draw.max);
        break;
    case TRACE_SIGNED:
        snprintf(least, sizeof least, "%" PRId64, (int64_t)r->u.draw.min);
        snprintf(most, sizeof most, "%" PRId64, (int64_t)r->u.draw.max);
        break;
    }
    json_set_word(line, "min", least);
    json_set_word(line, "max", most);
}

/* The lines of a trace under way. */
typedef struct trace_lines {
    json_replay *j;
    const trace *trace;
    uint64_t at;            /* the next record */
    uint64_t draws, spoken; /* lines so far, of draws and of what the test says */
    headings headings;
} trace_lines;

/* Put a draw, or all letters of a string. */
static void put_draw(trace_lines *p) {
    char kind[TRACE_VALUE_MAX], value[TRACE_VALUE_MAX];
    const frng_trace_record *first = &p->trace->records[p->at];
    const uint64_t used = trace_format_row(first, p->trace->count - p->at, kind, value);
    const frng_trace_record *last = &first[used - 1];
    const uint64_t start = first->start, end = last->start + last->taken;
    const bool is_inside = start <= end && end <= p->trace->size;
    json_t *line = json_event_begin("draw");
    json_set_integer(line, "number", ++p->draws);
    json_set_integer(line, "offset", start);
    json_set_known(line, "size", is_inside ? end - start : UINT64_MAX, UINT64_MAX);
    json_set_null(line, "bytes");
    if (is_inside)
        json_set_hex(line, "bytes", p->trace->entropy + start, end - start, BYTE_CHANGE_SHOWN);
    json_set_word(line, "kind", kind);
    put_bounds(line, first);
    json_set_word(line, "value", value);
    put_headings(line, &p->headings);
    put(p->j, line);
    p->at += used;
}

/* Put a line that the test says. A step that begins with it begins with the next draw, too. */
static void put_say(trace_lines *p) {
    char text[TRACE_SAY_MAX];
    const frng_trace_record *first = &p->trace->records[p->at];
    const headings *h = &p->headings;
    p->at += trace_format_say(first, p->trace->count - p->at, text);
    p->spoken++;
    json_t *line = json_event_begin("say");
    json_set_integer(line, "draws", p->draws);
    json_set_integer(line, "offset", first->start);
    json_set_word(line, "text", text);
    json_object_set(line, "step", h->step != NULL ? h->step : json_null());
    json_set_integer(line, "step_number", h->steps);
    put(p->j, line);
}

void json_replay_draws(json_replay *j, const trace *t) {
    trace_lines p = {.j = j, .trace = t};
    if (j->out == NULL) return;
    j->draws = t->reported;
    while (p.at < t->count && p.draws < JSON_REPLAY_DRAWS && p.spoken < JSON_REPLAY_DRAWS) {
        const frng_trace_record *r = &t->records[p.at];
        if (r->kind == FRNG_TRACE_NOTE || r->kind == FRNG_TRACE_STEP) {
            take_heading(&p.headings, r);
            p.at++;
        } else if (r->kind == FRNG_TRACE_SAY) {
            put_say(&p);
        } else {
            put_draw(&p);
        }
    }
    json_decref(p.headings.note);
    json_decref(p.headings.step);
    json_decref(p.headings.notes);
}

void json_replay_wrong_record(json_replay *j, const wrong_record *w) {
    if (j->out == NULL) return;
    json_t *line = json_event_begin("wrong_record");
    json_event_put_wrong_record(line, w);
    put(j, line);
}

/* ---- The end ---- */

void json_replay_done(json_replay *j, const replay_end *end) {
    const replay_counts *t = end->counts;
    const uint64_t failed = t->failed + t->other;
    if (j->out == NULL) return;
    json_t *line = json_event_begin("done");
    json_set_word(line, "outcome", end->word);
    json_set_integer(line, "size", j->input.failure->input.size);
    json_set_text(line, "signature", end->how[0] != '\0' ? end->how : NULL);
    json_set_integer(line, "runs", t->passed + failed);
    json_set_integer(line, "passed", t->passed);
    json_set_integer(line, "failed", t->failed);
    json_set_integer(line, "other", t->other);
    json_failure_put_rate_of(line, failed, t->passed + failed);
    json_failure_put_replay(line, j->setup, &j->input);
    json_set_known(line, "records", j->draws, UINT64_MAX);
    json_set_seconds(line, "seconds", end->elapsed_ns);
    put(j, line);
}

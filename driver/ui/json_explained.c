#include "json_explained.h"

#include "bytes.h"
#include "explained_text.h"
#include "json_set.h"
#include "trace.h"

#include <string.h>

static json_t *value_of(const explained_draw *d, uint64_t value) {
    char text[EXPLAINED_VALUE_MAX];
    return json_string(explained_text_value(d, value, text));
}

/* Return the numbers of the draws of a group. */
static json_t *group_of(const explanation *e, size_t group) {
    json_t *members = json_array();
    for (size_t i = 0; i < e->count; i++) {
        const statement *s = &e->draws[i].statement;
        if (s->kind == STATEMENT_RELATED && s->group == group)
            json_array_append_new(members, json_integer((json_int_t)i));
    }
    return members;
}

/* Return the text of a note or a step. */
static json_t *title_text(const frng_trace_record *r) {
    char text[4 * sizeof r->u.text + 1];
    bytes_escape((const uint8_t *)r->u.text, strnlen(r->u.text, sizeof r->u.text), true, text,
                 sizeof text);
    return json_string(text);
}

/* Put the note or the step right before a draw; null if there is none. */
static void put_title(json_t *item, const char *field, const explanation *e, size_t i,
                      uint8_t kind) {
    const frng_trace_record *r = explained_text_title(e, i, kind);
    json_object_set_new(item, field, r != NULL ? title_text(r) : json_null());
}

/* Put the notes from `start` on up to the note `own`, which is not one of them. Put nothing if
 * there are none. */
static void put_notes(json_t *item, const explanation *e, uint64_t start,
                      const frng_trace_record *own) {
    json_t *notes = json_array();
    for (size_t i = 0; i < e->record_count; i++) {
        const frng_trace_record *r = &e->records[i];
        if (r == own) break;
        if (r->kind == FRNG_TRACE_NOTE && r->start >= start && r->u.text[0] != '\0')
            json_array_append_new(notes, title_text(r));
    }
    if (json_array_size(notes) > 0) json_object_set(item, "notes", notes);
    json_decref(notes);
}

/* Put what the kind of a statement needs. */
static void put_values(json_t *item, const explanation *e, const explained_draw *d) {
    const statement *s = &d->statement;
    const bool has_range = s->kind == STATEMENT_RANGE || s->kind == STATEMENT_AROUND;
    const bool has_values = s->kind == STATEMENT_SET || s->kind == STATEMENT_EXCEPT;
    const bool is_related = s->kind == STATEMENT_RELATED;
    if (has_range || is_related) {
        const explained_draw *of = is_related ? &e->draws[s->other] : d;
        json_object_set_new(item, "low", value_of(of, s->low));
        json_object_set_new(item, "high", value_of(of, s->high));
    }
    if (has_range) json_set_integer(item, "step_size", s->step);
    if (is_related) {
        json_set_word(item, "relation", explained_text_relation(s->relation));
        json_set_integer(item, "other", s->other);
    }
    if (is_related && s->group > 0) json_object_set_new(item, "group", group_of(e, s->group));
    if (!has_values) return;
    json_t *values = json_array();
    for (size_t i = 0; i < s->value_count; i++)
        json_array_append_new(values, value_of(d, s->values[i]));
    json_object_set_new(item, "values", values);
}

/* Return a draw, without what it means. */
static json_t *draw_of(const explanation *e, size_t i) {
    char name[EXPLAINED_NAME_MAX], kind[TRACE_VALUE_MAX];
    const explained_draw *d = &e->draws[i];
    json_t *item = json_object();
    json_set_integer(item, "draw", i);
    json_set_integer(item, "offset", d->record.start);
    json_set_word(item, "name", explained_text_name(e, i, name));
    put_title(item, "note", e, i, FRNG_TRACE_NOTE);
    put_title(item, "step", e, i, FRNG_TRACE_STEP);
    const frng_trace_record *own = explained_text_title(e, i, FRNG_TRACE_NOTE);
    if (own != NULL) put_notes(item, e, d->record.start, own);
    trace_format_kind(&d->record, kind);
    json_set_word(item, "kind", kind);
    json_object_set_new(item, "value", value_of(d, d->record.u.draw.value));
    return item;
}

static json_t *statement_of(const explanation *e, size_t i) {
    char text[EXPLAINED_TEXT_MAX];
    const explained_draw *d = &e->draws[i];
    json_t *item = draw_of(e, i);
    json_set_word(item, "fails", explained_text_kind(d->statement.kind));
    json_set_word(item, "text", explained_text_format(e, i, text));
    put_values(item, e, d);
    json_object_set_new(item, "exact", json_boolean(d->statement.is_exact));
    json_set_integer(item, "tried", d->statement.tried);
    json_set_integer(item, "failed", d->statement.failed);
    return item;
}

static json_t *together_of(const explanation *e) {
    if (e->together == 0) return json_null();
    json_t *together = json_object();
    json_set_integer(together, "draws", e->any_count);
    json_set_integer(together, "runs", e->together);
    json_set_integer(together, "failed", e->together_failed);
    return together;
}

static json_t *cut_of(explanation_cut cut) {
    switch (cut) {
    case CUT_NONE: break;
    case CUT_CALLS: return json_string("calls");
    case CUT_TIME: return json_string("time");
    case CUT_STOPPED: return json_string("stopped");
    }
    return json_null();
}

json_t *json_explained(const explanation *e) {
    if (e == NULL || e->state != EXPLANATION_MADE) return json_null();
    enum { REST_MAX = 1000 };
    json_t *all = json_object(), *statements = json_array(), *rest = json_array();
    for (size_t i = 0; i < e->explained; i++) json_array_append_new(statements, statement_of(e, i));
    for (size_t i = e->explained; i < e->count && i < e->explained + REST_MAX; i++)
        json_array_append_new(rest, draw_of(e, i));
    json_set_integer(all, "runs", e->runs);
    json_set_integer(all, "draws", e->count);
    json_set_integer(all, "explained", e->explained);
    json_object_set_new(all, "cut", cut_of(e->cut));
    json_object_set_new(all, "together", together_of(e));
    json_object_set_new(all, "statements", statements);
    if (json_array_size(rest) > 0) json_object_set(all, "rest", rest);
    json_decref(rest);
    if (e->count > 0 && e->count <= e->explained + REST_MAX) {
        const frng_trace_record *last = &e->draws[e->count - 1].record;
        put_notes(all, e, last->start + last->taken, NULL);
    }
    return all;
}

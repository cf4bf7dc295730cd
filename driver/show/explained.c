/* What a reduction learned about each draw of its result becomes a statement ("any", "4..1000",
 * "= key"), in a table of its own, or beside the draws of a trace (remarks). A draw is named by the
 * note or the step before it, and by its offset where two have that name. Draws without a name and
 * with one statement share a row, and those of which no other value fails are only counted, unless
 * --explain asked for all.
 *
 * A record that the bytes of its run contradict is one line: which draw, what the target
 * reported, and what its bytes encode. A long line has neither the note nor the bounds. */
#include "trace.h"

#include "bytes.h"
#include "frng_more.h"
#include "phrase.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 16 }; /* unless an option asks for all */

/* ---- Names ---- */

const frng_trace_record *explained_title(const explanation *e, size_t draw, uint8_t kind) {
    const frng_trace_record *title = NULL;
    const uint64_t start = e->draws[draw].record.start;
    for (size_t i = 0; i < e->record_count && e->records[i].start <= start; i++) {
        const frng_trace_record *r = &e->records[i];
        if (r->kind == kind && r->start == start && r->u.text[0] != '\0') title = r;
    }
    return title;
}

/* Return the note or the step that names a draw; NULL if it has none of its own. */
static const frng_trace_record *title_of(const explanation *e, size_t draw) {
    const frng_trace_record *note = explained_title(e, draw, FRNG_TRACE_NOTE);
    return note != NULL ? note : explained_title(e, draw, FRNG_TRACE_STEP);
}

static bool is_title(const frng_trace_record *r) {
    return r->kind == FRNG_TRACE_NOTE || r->kind == FRNG_TRACE_STEP;
}

static size_t count_title(const explanation *e, const frng_trace_record *title) {
    size_t count = 0;
    for (size_t i = 0; i < e->record_count; i++) {
        const frng_trace_record *r = &e->records[i];
        if (is_title(r) && strncmp(r->u.text, title->u.text, sizeof r->u.text) == 0) count++;
    }
    return count;
}

const char *explained_name(const explanation *e, size_t i, char text[EXPLAINED_NAME_MAX]) {
    const uint64_t start = e->draws[i].record.start;
    const frng_trace_record *title = title_of(e, i);
    char name[TRACE_TITLE_MAX] = "";
    if (title != NULL) trace_format_title(title, false, name);
    if (title == NULL || count_title(e, title) > 1) {
        snprintf(text, EXPLAINED_NAME_MAX, "%s%soffset %" PRIu64, name, title != NULL ? " at " : "",
                 start);
    } else {
        snprintf(text, EXPLAINED_NAME_MAX, "%s", name);
    }
    return text;
}

/* ---- Values and statements ---- */

static void format_letter(uint64_t value, char text[EXPLAINED_VALUE_MAX]) {
    const uint8_t letter = (uint8_t)(value >> 32);
    char escaped[8];
    if ((uint32_t)value == 0) {
        snprintf(text, EXPLAINED_VALUE_MAX, "end");
    } else if ((value & EXPLANATION_LETTER_KNOWN) != 0) {
        bytes_escape(&letter, 1, false, escaped, sizeof escaped);
        snprintf(text, EXPLAINED_VALUE_MAX, "'%s'", escaped);
    } else {
        snprintf(text, EXPLAINED_VALUE_MAX, "letter %" PRIu32, (uint32_t)value);
    }
}

const char *explained_value(const explained_draw *d, uint64_t value,
                            char text[EXPLAINED_VALUE_MAX]) {
    char kind[TRACE_VALUE_MAX], whole[TRACE_VALUE_MAX];
    frng_trace_record r = d->record;
    r.u.draw.value = value;
    if (d->is_index) {
        snprintf(text, EXPLAINED_VALUE_MAX, "index %" PRIu64, value);
    } else if (d->is_part) {
        snprintf(text, EXPLAINED_VALUE_MAX, "0x%02" PRIx64, value & UINT8_MAX);
    } else if (r.kind == FRNG_LETTER) {
        format_letter(value, text);
    } else {
        trace_format_draw(&r, kind, whole);
        snprintf(text, EXPLAINED_VALUE_MAX, "%.*s", EXPLAINED_VALUE_MAX - 1, whole);
    }
    return text;
}

#define VALUE(d, value) explained_value(d, value, (char[EXPLAINED_VALUE_MAX]){0})

static void put_range(FILE *out, const explained_draw *d, const explained_draw *plain) {
    const statement *s = &d->statement;
    fprintf(out, "%s..%s", VALUE(d, s->low), VALUE(plain, s->high));
    if (s->step == 2) fputs(s->low % 2 == 0 ? ", even" : ", odd", out);
    if (s->step > 2) fprintf(out, " in steps of %" PRIu64, s->step);
}

static void put_values(FILE *out, const explained_draw *d, const explained_draw *plain,
                       const char *last) {
    const statement *s = &d->statement;
    for (size_t i = 0; i < s->value_count; i++) {
        if (i > 0) fputs(i + 1 < s->value_count ? ", " : last, out);
        fputs(VALUE(i > 0 ? plain : d, s->values[i]), out);
    }
}

static void put_statement(FILE *out, const explanation *e, const explained_draw *d) {
    const statement *s = &d->statement;
    explained_draw plain = *d; /* of its values, after the first: "index 1, 4" */
    plain.is_index = false;
    switch (s->kind) {
    case STATEMENT_NONE: fputs("not tried", out); break;
    case STATEMENT_FIXED: fputs("its only value", out); break;
    case STATEMENT_ANY: fputs("any", out); break;
    case STATEMENT_ONLY: fprintf(out, "only %s", VALUE(d, d->record.u.draw.value)); break;
    case STATEMENT_RANGE: put_range(out, d, &plain); break;
    case STATEMENT_SET: put_values(out, d, &plain, " or "); break;
    case STATEMENT_EXCEPT:
        fputs("any but ", out);
        put_values(out, d, &plain, " and ");
        break;
    case STATEMENT_SOME:
        fprintf(out, "%" PRIu32 " of %" PRIu32 " others", s->failed, s->tried);
        break;
    case STATEMENT_EQUAL:
        fprintf(out, "= %s", explained_name(e, s->other, (char[EXPLAINED_NAME_MAX]){0}));
        break;
    }
}

const char *explained_format(const explanation *e, size_t i, char text[EXPLAINED_TEXT_MAX]) {
    FILE *out = fmemopen(text, EXPLAINED_TEXT_MAX, "w");
    text[0] = '\0';
    if (out == NULL) return text;
    put_statement(out, e, &e->draws[i]);
    fclose(out);
    text[EXPLAINED_TEXT_MAX - 1] = '\0'; /* a longer one is cut */
    return text;
}

/* ---- Rows ---- */

remarks explained_remarks(const explanation *e) {
    remark *list = calloc(e->explained + 1, sizeof *list);
    remarks all = {list, 0};
    for (size_t i = 0; list != NULL && i < e->explained; i++) {
        char text[EXPLAINED_TEXT_MAX];
        const char *copy = strdup(explained_format(e, i, text));
        if (copy == NULL) break;
        list[all.count++] = (remark){e->draws[i].record.start, copy};
    }
    return all;
}

void explained_free_remarks(remarks *all) {
    for (size_t i = 0; i < all->count; i++) free((char *)(uintptr_t)all->list[i].text);
    free((remark *)(uintptr_t)all->list);
    *all = (remarks){NULL, 0};
}

/* Format the names of draws first..last, which have one statement. */
static void format_names(const explanation *e, size_t first, size_t last,
                         char text[EXPLAINED_NAME_MAX]) {
    explained_name(e, first, text);
    const size_t used = strlen(text);
    if (last > first)
        snprintf(text + used, EXPLAINED_NAME_MAX - used, "-%" PRIu64, e->draws[last].record.start);
}

/* Return the last draw of a row: those that follow without a name and with the same statement. */
static size_t row_end(const explanation *e, size_t first) {
    char text[EXPLAINED_TEXT_MAX], next[EXPLAINED_TEXT_MAX];
    size_t last = first;
    if (title_of(e, first) != NULL) return first;
    explained_format(e, first, text);
    while (last + 1 < e->explained && title_of(e, last + 1) == NULL &&
           strcmp(explained_format(e, last + 1, next), text) == 0)
        last++;
    return last;
}

/* True if a row says that no other value fails, which a short report counts only. */
static bool is_folded(const explanation *e, size_t i) {
    const statement_kind kind = e->draws[i].statement.kind;
    return !e->is_asked && (kind == STATEMENT_ONLY || kind == STATEMENT_FIXED);
}

static int width_of_names(const explanation *e) {
    int width = 0;
    for (size_t i = 0; i < e->explained; i = row_end(e, i) + 1) {
        char name[EXPLAINED_NAME_MAX];
        format_names(e, i, row_end(e, i), name);
        if (!is_folded(e, i) && (int)strlen(name) > width) width = (int)strlen(name);
    }
    return width;
}

static void put_folded(FILE *out, const explanation *e, size_t folded) {
    if (folded == 0) return;
    fprintf(out, "           no other value of the %s%s fails\n",
            folded < e->explained ? "other " : "", folded == 1 ? "draw" : COUNTED(folded, "draw"));
}

static void put_rows(FILE *out, const explanation *e) {
    size_t rows = 0, folded = 0;
    const int width = width_of_names(e);
    for (size_t i = 0; i < e->explained; i = row_end(e, i) + 1) {
        char name[EXPLAINED_NAME_MAX], text[EXPLAINED_TEXT_MAX];
        if (is_folded(e, i)) {
            folded += row_end(e, i) - i + 1;
            continue;
        }
        if (!e->is_asked && rows++ >= ROWS_MAX) continue;
        format_names(e, i, row_end(e, i), name);
        fprintf(out, "           %-*s  %s\n", width, name, explained_format(e, i, text));
    }
    if (rows > ROWS_MAX)
        fprintf(out, "           ... and %s: --explain yes\n",
                COUNTED(rows - ROWS_MAX, "more row"));
    put_folded(out, e, folded);
}

static void put_together(FILE *out, const explanation *e) {
    if (e->together == 0) return;
    if (e->together_failed == e->together) {
        fprintf(out,
                "           random values of all \"any\" draws at once fail, too (%" PRIu32
                " runs)\n",
                e->together);
    } else {
        fprintf(out,
                "           random values of all \"any\" draws at once fail in %" PRIu32
                " of %" PRIu32 " runs\n",
                e->together_failed, e->together);
    }
}

/* Print why there is no explanation. */
static void put_reason(FILE *out, const explanation *e) {
    static const char *const reasons[] = {
        [EXPLANATION_LONG] = "the program reports no draws, and 64 bytes are the most",
        [EXPLANATION_FLAKY] = "the failure is flaky",
        [EXPLANATION_SLOW] = "runs take over 50 ms; --explain yes takes the time",
        [EXPLANATION_STOPPED] = "the reduction was stopped",
        [EXPLANATION_DIFFERS] = "the result did not fail again with the same draws"};
    if (e->is_asked || e->state == EXPLANATION_SLOW)
        fprintf(out, "  explain  nothing: %s\n", reasons[e->state]);
}

/* Print what was not done, and why. */
static void put_cut(FILE *out, const explanation *e) {
    static const char *const cuts[][2] = {
        [CUT_CALLS] = {"2,000 runs are over; --explain yes goes on", "20,000 runs are over"},
        [CUT_TIME] = {"one minute or --time is over; --explain yes goes on", "--time is over"},
        [CUT_STOPPED] = {"a signal or an error stopped it", "a signal or an error stopped it"}};
    const char *why = cuts[e->cut][e->is_asked];
    if (e->explained < e->count) {
        fprintf(out, "           %zu of %zu draws explained: %s\n", e->explained, e->count, why);
        return;
    }
    const char *rest = e->together > 0    ? "the \"any\" draws were changed at once in fewer runs"
                       : e->any_count > 1 ? "the \"any\" draws were not changed at once"
                                          : "not all draws were compared with each other";
    fprintf(out, "           %s: %s\n", rest, why);
}

void explained_put(FILE *out, const explanation *e, const uint8_t *bytes, uint64_t size) {
    if (e->state == EXPLANATION_NONE) return;
    if (e->state != EXPLANATION_MADE) {
        put_reason(out, e);
        return;
    }
    if (e->count == 0) return;
    fprintf(out, "  explain  values that fail, with one draw changed at a time (%s)\n",
            COUNTED(e->runs, "run"));
    if (e->is_asked && e->record_count > 0) {
        remarks all = explained_remarks(e);
        trace_print(out, &(trace){e->records, e->record_count, e->record_count, bytes, size}, &all);
        explained_free_remarks(&all);
    } else {
        put_rows(out, e);
    }
    put_together(out, e);
    if (e->cut != CUT_NONE) put_cut(out, e);
}

/* ---- A wrong record ---- */

enum {
    LINE_SHOWN = 120, /* with what tools put around it, below 160 columns */
    VALUE_SHOWN = 24  /* of a subset, which can be long */
};

/* Put "draw 3 (note: u8 0..9 at byte 2)", or "the note after draw 3 (at byte 9)". */
static void put_wrong(FILE *out, const wrong_record *w, bool is_short) {
    const frng_trace_record *r = &w->record;
    char kind[TRACE_VALUE_MAX], value[TRACE_VALUE_MAX], note[4 * sizeof w->note + 1] = "";
    if (r->kind >= FRNG_TRACE_STATE) {
        fprintf(out, "the %s after draw %" PRIu64 " (at byte %" PRIu64 ")",
                r->kind == FRNG_TRACE_NOTE   ? "note"
                : r->kind == FRNG_TRACE_STEP ? "step"
                : r->kind == FRNG_TRACE_SAY  ? "line"
                                             : "state",
                w->draw, r->start);
        return;
    }
    trace_format_draw(r, kind, value);
    char *bounds = is_short ? strrchr(kind, ' ') : NULL;
    if (bounds != NULL) *bounds = '\0';
    if (!is_short)
        bytes_escape((const uint8_t *)w->note, strlen(w->note), false, note, sizeof note);
    fprintf(out, "draw %" PRIu64 " (%s%s%.60s at byte %" PRIu64 ")", w->draw, note,
            note[0] != '\0' ? ": " : "", kind, r->start);
}

/* Write a value as a trace does. Of a string, a record has one letter or its end. */
static void wrong_value(const frng_trace_record *r, uint64_t value, char text[TRACE_VALUE_MAX]) {
    char kind[TRACE_VALUE_MAX];
    frng_trace_record with = *r;
    with.u.draw.value = value;
    trace_format_draw(&with, kind, text);
    if (r->kind == FRNG_LETTER)
        snprintf(text, TRACE_VALUE_MAX, (uint32_t)value == 0 ? "its end" : "letter %" PRIu32,
                 (uint32_t)value);
    if (strlen(text) > VALUE_SHOWN) strcpy(text + VALUE_SHOWN - 3, "...");
}

static void put_wrong_values(FILE *out, const wrong_record *w) {
    char reported[TRACE_VALUE_MAX], right[TRACE_VALUE_MAX];
    wrong_value(&w->record, w->record.u.draw.value, reported);
    wrong_value(&w->record, w->right, right);
    if (strcmp(reported, right) == 0) { /* the texts round, or wrap */
        snprintf(reported, sizeof reported, "0x%" PRIx64, w->record.u.draw.value);
        snprintf(right, sizeof right, "0x%" PRIx64, w->right);
    }
    fprintf(out, " says %s, but its %s %s", reported,
            w->record.taken == 1 ? "byte is" : "bytes are", right);
}

static void put_wrong_length(FILE *out, const wrong_record *w) {
    const bool is_draw = w->record.kind < FRNG_TRACE_STATE;
    fprintf(out, " takes %s, but %s", COUNTED(w->record.taken, "byte"),
            is_draw ? "needs " : "only draws take bytes");
    if (is_draw) fputs(w->right == 0 ? "more" : COUNT(w->right), out);
}

static void put_wrong_error(FILE *out, const wrong_record *w) {
    switch (w->error) {
    case RECORD_RIGHT: fputs(" is right", out); break;
    case RECORD_EARLY:
        fprintf(out, " goes back: the last one ends at byte %" PRIu64, w->right);
        break;
    case RECORD_LATE: fprintf(out, " leaves out byte %" PRIu64, w->right); break;
    case RECORD_BEYOND:
        fprintf(out, " ends beyond the %s of its run", COUNTED(w->right, "byte"));
        break;
    case RECORD_WIDTH:
        fprintf(out, " has a width of %d bytes, which no such draw has", w->record.width);
        break;
    case RECORD_BOUNDS: fputs(" has bounds that no such draw has", out); break;
    case RECORD_LENGTH: put_wrong_length(out, w); break;
    case RECORD_VALUE: put_wrong_values(out, w); break;
    }
}

const char *explained_wrong(const wrong_record *w, char text[WRONG_TEXT_MAX]) {
    text[0] = '\0';
    for (int tries = 0; tries < 2 && (tries == 0 || strlen(text) > LINE_SHOWN); tries++) {
        FILE *out = fmemopen(text, WRONG_TEXT_MAX, "w");
        if (out == NULL) break;
        put_wrong(out, w, tries > 0);
        put_wrong_error(out, w);
        fclose(out);
        text[WRONG_TEXT_MAX - 1] = '\0';
    }
    return text;
}

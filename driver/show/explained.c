/* What a reduction learned about each draw of its result becomes a statement.
 *
 * It is "any", "4..1000" or "= key", in a table of its own, or beside the draws of a trace
 * (remarks). A draw is named by the note or the step before it, and by its offset where two have
 * that name; others of a step, as the one that chose it, by both. Draws without a name and with one
 * statement share a row, and those of which no other value fails are only counted, unless --explain
 * asked for all. A record that the bytes of its run contradict is one line: which draw, what the
 * target reported, and what its bytes encode. */
#include "explained.h"

#include "bytes.h"
#include "phrase.h"
#include "trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 16 }; /* unless an option asks for all */

/* ---- Names ---- */

/* Find the last note or step (`kind`: FRNG_TRACE_NOTE or FRNG_TRACE_STEP) that has a text, up to
 * byte `start` of the input. Returns NULL if no record is one. */
static const frng_trace_record *last_title(const explanation *e, uint64_t start, uint8_t kind) {
    const frng_trace_record *title = NULL;
    for (size_t i = 0; i < e->record_count && e->records[i].start <= start; i++) {
        const frng_trace_record *r = &e->records[i];
        if (r->kind == kind && r->u.text[0] != '\0') title = r;
    }
    return title;
}

const frng_trace_record *explained_title(const explanation *e, size_t draw, uint8_t kind) {
    const uint64_t start = e->draws[draw].record.start;
    const frng_trace_record *title = last_title(e, start, kind);
    return title != NULL && title->start == start ? title : NULL;
}

/* Return the note or the step that names a draw; NULL if it has none of its own. */
static const frng_trace_record *title_of(const explanation *e, size_t draw) {
    const frng_trace_record *note = explained_title(e, draw, FRNG_TRACE_NOTE);
    return note != NULL ? note : explained_title(e, draw, FRNG_TRACE_STEP);
}

static size_t count_title(const explanation *e, const frng_trace_record *title) {
    size_t count = 0;
    for (size_t i = 0; i < e->record_count; i++) {
        const frng_trace_record *r = &e->records[i];
        if (trace_is_title(r) && strncmp(r->u.text, title->u.text, sizeof r->u.text) == 0) count++;
    }
    return count;
}

/* Return the step that a draw belongs to; NULL if it has none. */
static const frng_trace_record *step_of(const explanation *e, uint64_t start) {
    const frng_trace_record *r = e->records, *first = frng__first_chooser(r, e->record_count);
    for (size_t i = 0; i + 1 < e->record_count && r[i].start <= start; i++)
        if (r[i].start == start && frng__is_chooser(r, e->record_count, i, first)) return &r[i + 1];
    return last_title(e, start, FRNG_TRACE_STEP);
}

const char *explained_name(const explanation *e, size_t i) {
    const uint64_t start = e->draws[i].record.start;
    const frng_trace_record *title = title_of(e, i);
    const frng_trace_record *step = title == NULL ? step_of(e, start) : NULL;
    if (title == NULL && step == NULL) return phrase_format("offset %" PRIu64, start);
    const char *name = phrase_escaped(trace_title(title != NULL ? title : step));
    if (title == NULL) return phrase_format("%s, offset %" PRIu64, name, start);
    return count_title(e, title) > 1 ? phrase_format("%s at offset %" PRIu64, name, start) : name;
}

/* ---- Values and statements ---- */

static const char *letter_text(uint64_t value) {
    const uint8_t letter = (uint8_t)(value >> 32);
    char escaped[8];
    if ((uint32_t)value == 0) return "end";
    if ((value & EXPLANATION_LETTER_KNOWN) == 0)
        return phrase_format("letter %" PRIu32, (uint32_t)value);
    bytes_escape(&letter, 1, false, escaped, sizeof escaped);
    return phrase_format("'%s'", escaped);
}

const char *explained_value(const explained_draw *d, uint64_t value) {
    if (d->is_index) return phrase_format("index %" PRIu64, value);
    if (d->is_part) return phrase_format("0x%02" PRIx64, value & UINT8_MAX);
    if (d->record.kind == FRNG_LETTER) return letter_text(value);
    return phrase_format("%.63s", trace_value(&d->record, value));
}

static const char *range_text(const explained_draw *d, const explained_draw *plain) {
    const statement *s = &d->statement;
    const char *steps = s->step > 2       ? phrase_format(" in steps of %" PRIu64, s->step)
                        : s->step < 2     ? ""
                        : s->low % 2 == 0 ? ", even"
                                          : ", odd";
    return phrase_format("%s..%s%s", explained_value(d, s->low), explained_value(plain, s->high),
                         steps);
}

static const char *values_text(const explained_draw *d, const explained_draw *plain,
                               const char *last) {
    const statement *s = &d->statement;
    const char *text = explained_value(d, s->values[0]);
    for (size_t i = 1; i < s->value_count; i++)
        text = phrase_format("%s%s%s", text, i + 1 < s->value_count ? ", " : last,
                             explained_value(plain, s->values[i]));
    return text;
}

const char *explained_format(const explanation *e, size_t i) {
    const explained_draw *d = &e->draws[i];
    const statement *s = &d->statement;
    explained_draw plain = *d; /* of its values, after the first: "index 1, 4" */
    plain.is_index = false;
    switch (s->kind) {
    case STATEMENT_FIXED: return "its only value";
    case STATEMENT_ANY: return "any";
    case STATEMENT_ONLY:
        return phrase_format("only %s", explained_value(d, d->record.u.draw.value));
    case STATEMENT_RANGE: return range_text(d, &plain);
    case STATEMENT_SET: return values_text(d, &plain, " or ");
    case STATEMENT_EXCEPT: return phrase_format("any but %s", values_text(d, &plain, " and "));
    case STATEMENT_SOME:
        return phrase_format("%" PRIu32 " of %" PRIu32 " others", s->failed, s->tried);
    case STATEMENT_EQUAL: return phrase_format("= %s", explained_name(e, s->other));
    }
    abort();
}

/* ---- Rows ---- */

remarks explained_remarks(const explanation *e) {
    remark *list = memory_zeroed(e->explained + 1, sizeof *list);
    for (size_t i = 0; i < e->explained; i++)
        list[i] = (remark){e->draws[i].record.start, memory_text("%s", explained_format(e, i))};
    return (remarks){list, e->explained};
}

void explained_free_remarks(remarks *all) {
    for (size_t i = 0; i < all->count; i++) free((char *)(uintptr_t)all->list[i].text);
    free((remark *)(uintptr_t)all->list);
    *all = (remarks){NULL, 0};
}

/* Return the last draw of a row: those that follow without a name and with the same statement. */
static size_t row_end(const explanation *e, size_t first) {
    size_t last = first;
    if (title_of(e, first) != NULL) return first;
    while (last + 1 < e->explained && title_of(e, last + 1) == NULL &&
           strcmp(explained_format(e, last + 1), explained_format(e, first)) == 0)
        last++;
    return last;
}

static const char *row_names(const explanation *e, size_t first) {
    const size_t last = row_end(e, first);
    const char *name = explained_name(e, first);
    if (last == first) return name;
    return phrase_format("%s-%" PRIu64, name, e->draws[last].record.start);
}

/* True if a row says that no other value fails, which a short report counts only. */
static bool is_folded(const explanation *e, size_t i) {
    const statement_kind kind = e->draws[i].statement.kind;
    return !e->is_asked && (kind == STATEMENT_ONLY || kind == STATEMENT_FIXED);
}

static int width_of_names(const explanation *e) {
    int width = 0;
    for (size_t i = 0; i < e->explained; i = row_end(e, i) + 1)
        if (!is_folded(e, i)) width = trace_wider(width, row_names(e, i));
    return width;
}

static void put_rows(FILE *out, const explanation *e) {
    size_t rows = 0, folded = 0;
    const int width = width_of_names(e);
    for (size_t i = 0; i < e->explained; i = row_end(e, i) + 1) {
        if (is_folded(e, i)) folded += row_end(e, i) - i + 1;
        if (is_folded(e, i) || (!e->is_asked && rows++ >= ROWS_MAX)) continue;
        fprintf(out, "           %-*s  ", width, row_names(e, i)); /* of any number of draws */
        fprintf(out, "%s\n", explained_format(e, i));
    }
    if (rows > ROWS_MAX)
        fprintf(out, "           ... and %s: --explain yes\n",
                COUNTED(rows - ROWS_MAX, "more row"));
    if (folded == 0) return;
    fprintf(out, "           no other value of the %s%s fails\n",
            folded < e->explained ? "other " : "", folded == 1 ? "draw" : COUNTED(folded, "draw"));
}

static void put_together(FILE *out, const explanation *e) {
    const uint32_t runs = e->together, failed = e->together_failed;
    if (runs == 0) return;
    fprintf(out, "           random values of all \"any\" draws at once fail%s runs%s\n",
            failed == runs ? phrase_format(", too (%" PRIu32, runs)
                           : phrase_format(" in %" PRIu32 " of %" PRIu32, failed, runs),
            failed == runs ? ")" : "");
}

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

static void put_cut(FILE *out, const explanation *e) {
    static const char *const cuts[][2] = {
        [CUT_CALLS] = {"2,000 runs are over; --explain yes goes on", "20,000 runs are over"},
        [CUT_TIME] = {"--time is over", "--time is over"},
        [CUT_STOPPED] = {"a signal or an error stopped it", "a signal or an error stopped it"}};
    const char *why = cuts[e->cut][e->is_asked];
    if (e->explained < e->count)
        fprintf(out, "           %zu of %zu draws explained: %s\n", e->explained, e->count, why);
    else
        fprintf(out, "           not all draws were changed with others: %s\n", why);
}

void explained_put(FILE *out, const explanation *e, const uint8_t *bytes, uint64_t size) {
    if (e->state == EXPLANATION_NONE) return;
    if (e->state != EXPLANATION_MADE) put_reason(out, e);
    if (e->state != EXPLANATION_MADE || e->count == 0) return;
    fprintf(out, "  explain  values that fail, with one draw changed at a time (%s)\n",
            COUNTED(e->runs, "run"));
    remarks all = explained_remarks(e);
    const uint64_t count = e->is_asked ? e->record_count : 0;
    frng_trace_record *records = memory_zeroed(count + 1, sizeof *records);
    if (count > 0) {
        memcpy(records, e->records, count * sizeof *records);
        records_settle(records, count);
        trace_print(out, &(trace){records, count, count, bytes, size, false}, &all);
    } else {
        put_rows(out, e);
    }
    free(records);
    explained_free_remarks(&all);
    put_together(out, e);
    if (e->cut != CUT_NONE) put_cut(out, e);
}

/* ---- A wrong record ---- */

static const char *wrong_values(const char *draw, const wrong_record *w) {
    const explained_draw d = {.record = w->record};
    const uint64_t value = w->record.u.draw.value;
    const char *reported = explained_value(&d, value), *right = explained_value(&d, w->right);
    const char *are = w->record.taken == 1 ? "byte is" : "bytes are";
    if (strcmp(reported, right) != 0)
        return phrase_format("%s says %.24s, but its %s %.24s", draw, reported, are, right);
    return phrase_format("%s says 0x%" PRIx64 ", but its %s 0x%" PRIx64, draw, value, are,
                         w->right); /* the texts round, or wrap */
}

const char *explained_wrong(const wrong_record *w) {
    const bool is_draw = w->record.kind < FRNG_TRACE_STATE, is_named = w->note[0] != '\0';
    const char *draw = /* such as "the draw note (u8 0..9 at byte 2)" */
        is_draw
            ? phrase_format("the draw %.30s%s(%.40s at byte %" PRIu64 ")", phrase_escaped(w->note),
                            is_named ? " " : "", trace_kind(&w->record), w->record.start)
            : phrase_format("the note or step at byte %" PRIu64, w->record.start);
    switch (w->error) {
    case RECORD_RIGHT: return phrase_format("%s is right", draw);
    case RECORD_PLACE:
        return phrase_format("%s is not where the one before it ends, at byte %" PRIu64, draw,
                             w->right);
    case RECORD_BEYOND:
        return phrase_format("%s ends beyond the %s of its run", draw, COUNTED(w->right, "byte"));
    case RECORD_BOUNDS:
        return phrase_format("%s has a width or bounds that no such draw has", draw);
    case RECORD_LENGTH:
        return phrase_format("%s takes %s, but needs %s", draw, COUNTED(w->record.taken, "byte"),
                             w->right > 0 ? COUNT(w->right)
                             : is_draw    ? "more"
                                          : "none");
    case RECORD_VALUE: return wrong_values(draw, w);
    }
    abort();
}

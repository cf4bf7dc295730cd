/* What a reduction learned about each draw of its result becomes a statement.
 *
 * It is "any", "4..1000" or "= key", in a table of its own, or beside the draws of a trace
 * (remarks). A draw is named by the note or the step before it, and by its offset where two have
 * that name. Draws without a name and with one statement share a row, and those of which no other
 * value fails are only counted, unless --explain asked for all. A record that the bytes of its run
 * contradict is one line: which draw, what the target reported, and what its bytes encode. */
#include "explained.h"

#include "bytes.h"
#include "phrase.h"
#include "trace.h"

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

static size_t count_title(const explanation *e, const frng_trace_record *title) {
    size_t count = 0;
    for (size_t i = 0; i < e->record_count; i++) {
        const frng_trace_record *r = &e->records[i];
        if (trace_is_title(r) && strncmp(r->u.text, title->u.text, sizeof r->u.text) == 0) count++;
    }
    return count;
}

const char *explained_name(const explanation *e, size_t i) {
    const uint64_t start = e->draws[i].record.start;
    const frng_trace_record *title = title_of(e, i);
    if (title == NULL) return phrase_format("offset %" PRIu64, start);
    const char *name = phrase_escaped(trace_title(title));
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

static void put_range(FILE *out, const explained_draw *d, const explained_draw *plain) {
    const statement *s = &d->statement;
    fprintf(out, "%s..%s", explained_value(d, s->low), explained_value(plain, s->high));
    if (s->step == 2) fputs(s->low % 2 == 0 ? ", even" : ", odd", out);
    if (s->step > 2) fprintf(out, " in steps of %" PRIu64, s->step);
}

static void put_values(FILE *out, const explained_draw *d, const explained_draw *plain,
                       const char *last) {
    const statement *s = &d->statement;
    for (size_t i = 0; i < s->value_count; i++) {
        if (i > 0) fputs(i + 1 < s->value_count ? ", " : last, out);
        fputs(explained_value(i > 0 ? plain : d, s->values[i]), out);
    }
}

static void put_statement(FILE *out, const explanation *e, const explained_draw *d) {
    const statement *s = &d->statement;
    explained_draw plain = *d; /* of its values, after the first: "index 1, 4" */
    plain.is_index = false;
    switch (s->kind) {
    case STATEMENT_FIXED: fputs("its only value", out); break;
    case STATEMENT_ANY: fputs("any", out); break;
    case STATEMENT_ONLY: fprintf(out, "only %s", explained_value(d, d->record.u.draw.value)); break;
    case STATEMENT_RANGE: put_range(out, d, &plain); break;
    case STATEMENT_SET: put_values(out, d, &plain, " or "); break;
    case STATEMENT_EXCEPT:
        fputs("any but ", out);
        put_values(out, d, &plain, " and ");
        break;
    case STATEMENT_SOME:
        fprintf(out, "%" PRIu32 " of %" PRIu32 " others", s->failed, s->tried);
        break;
    case STATEMENT_EQUAL: fprintf(out, "= %s", explained_name(e, s->other)); break;
    }
}

const char *explained_format(const explanation *e, size_t i) {
    char text[512] = ""; /* a longer one is cut */
    FILE *out = fmemopen(text, sizeof text - 1, "w");
    if (out != NULL) put_statement(out, e, &e->draws[i]);
    if (out != NULL) fclose(out);
    return phrase_format("%s", text);
}

/* ---- Rows ---- */

remarks explained_remarks(const explanation *e) {
    remark *list = calloc(e->explained + 1, sizeof *list);
    remarks all = {list, 0};
    for (size_t i = 0; list != NULL && i < e->explained; i++) {
        const char *copy = strdup(explained_format(e, i));
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
    frng_trace_record *records = calloc(count + 1, sizeof *records);
    if (records != NULL && count > 0) {
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

static void put_wrong_values(FILE *out, const wrong_record *w) {
    const explained_draw d = {.record = w->record};
    const uint64_t value = w->record.u.draw.value;
    const char *reported = explained_value(&d, value), *right = explained_value(&d, w->right);
    const char *are = w->record.taken == 1 ? "byte is" : "bytes are";
    if (strcmp(reported, right) != 0)
        fprintf(out, " says %.24s, but its %s %.24s", reported, are, right);
    else /* the texts round, or wrap */
        fprintf(out, " says 0x%" PRIx64 ", but its %s 0x%" PRIx64, value, are, w->right);
}

static void put_wrong(FILE *out, const wrong_record *w) {
    const bool is_draw = w->record.kind < FRNG_TRACE_STATE;
    if (is_draw) /* such as "the draw note (u8 0..9 at byte 2)" */
        fprintf(out, "the draw %.30s%s(%.40s at byte %" PRIu64 ")", phrase_escaped(w->note),
                w->note[0] != '\0' ? " " : "", trace_kind(&w->record), w->record.start);
    else
        fprintf(out, "the note or step at byte %" PRIu64, w->record.start);
    switch (w->error) {
    case RECORD_RIGHT: fputs(" is right", out); break;
    case RECORD_PLACE:
        fprintf(out, " is not where the one before it ends, at byte %" PRIu64, w->right);
        break;
    case RECORD_BEYOND:
        fprintf(out, " ends beyond the %s of its run", COUNTED(w->right, "byte"));
        break;
    case RECORD_BOUNDS: fputs(" has a width or bounds that no such draw has", out); break;
    case RECORD_LENGTH:
        fprintf(out, " takes %s, but needs %s", COUNTED(w->record.taken, "byte"),
                w->right > 0 ? COUNT(w->right)
                : is_draw    ? "more"
                             : "none");
        break;
    case RECORD_VALUE: put_wrong_values(out, w); break;
    }
}

const char *explained_wrong(const wrong_record *w) {
    char text[160] = "";
    FILE *out = fmemopen(text, sizeof text - 1, "w");
    if (out != NULL) put_wrong(out, w);
    if (out != NULL) fclose(out);
    return phrase_format("%s", text);
}

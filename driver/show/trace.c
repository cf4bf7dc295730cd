/* A trace is records that the target reported, in the order of its draws, with notes, steps and
 * lines that it said between them. The table has a row for each draw: where it begins, its
 * note, the bytes that it took, its kind with its bounds, and its value. All letters of a
 * string are one row. A step is a heading, and what is said stands between the rows.
 *
 * Records are untrusted: what they claim of bytes is checked against the size of the input, and
 * a draw of an unknown kind is shown as a number. Columns are as wide as their widest text,
 * which costs a pass over all records; a long value shifts what follows.
 *
 * What a reduction learned about each draw of its result becomes a statement ("any", "4..1000",
 * "= key"), in a table of its own, or beside the draws of a trace (remarks). A draw is named by the
 * note or the step before it, and by its offset where two have that name. Draws without a name and
 * with one statement share a row, and those of which no other value fails are only counted, unless
 * --explain asked for all.
 *
 * A record that the bytes of its run contradict is one line: which draw, what the target
 * reported, and what its bytes encode. */
#include "trace.h"

#include "bytes.h"
#include "frng_more.h"
#include "phrase.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_SHOWN = 8, TEXT_MAX = 96, VALUE_MAX = TRACE_VALUE_MAX };

/* One line of the table, of the bytes start..end - 1. */
typedef struct row {
    uint64_t start, end;
    char bytes[TEXT_MAX], draw[VALUE_MAX], value[VALUE_MAX];
} row;

/* True for a draw of any number of bytes, which are shown from the first on. */
static bool takes_all(const frng_trace_record *r) {
    return r->kind == FRNG_BYTES || r->kind == FRNG_LETTER || r->kind == FRNG_REAL ||
           r->kind == FRNG_MIXED_UINT || r->kind == FRNG_MIXED_INT;
}

/* Format the bytes that a draw took; if it rejected numbers, only those of the number that it
 * kept. */
static void format_bytes(const frng_trace_record *r, const uint8_t *entropy, uint64_t size,
                         char text[TEXT_MAX]) {
    const uint64_t end = r->start + r->taken;
    uint64_t count = takes_all(r) ? r->taken : r->width;
    if (end < r->start || end > size || count > r->taken) {
        snprintf(text, TEXT_MAX, "?");
        return;
    }
    const uint64_t shown = count < BYTES_SHOWN ? count : BYTES_SHOWN;
    bytes_to_hex(entropy + end - count, shown, text);
    const size_t length = strlen(text);
    if (shown < count) snprintf(text + length, TEXT_MAX - length, "..");
    if (count < r->taken) {
        snprintf(text + length, TEXT_MAX - length, " (%" PRIu64 " rejected)", r->taken - count);
    }
}

enum { REAL_TEXT_MAX = 32 };

/* Format a double in the fewest digits that tell it from all others. */
static const char *format_real(uint64_t bits, char text[REAL_TEXT_MAX]) {
    double value;
    memcpy(&value, &bits, sizeof value);
    if (value > -1e15 && value < 1e15 && value == (double)(int64_t)value && value != 0) {
        snprintf(text, REAL_TEXT_MAX, "%.0f", value);
        return text;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, REAL_TEXT_MAX, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    return text;
}
#define REAL(bits) format_real(bits, (char[REAL_TEXT_MAX]){0})

#define KIND(...) snprintf(kind, VALUE_MAX, __VA_ARGS__)
#define VALUE(...) snprintf(value, VALUE_MAX, __VA_ARGS__)

static void format_integer(const frng_trace_record *r, char kind[VALUE_MAX],
                           char value[VALUE_MAX]) {
    const bool is_signed = r->kind == FRNG_INT || r->kind == FRNG_MIXED_INT;
    const bool is_mixed = r->kind == FRNG_MIXED_UINT || r->kind == FRNG_MIXED_INT;
    const uint64_t min = r->u.draw.min, max = r->u.draw.max;
    const unsigned bits = 8u * (r->width <= 8 ? r->width : 8);
    const uint64_t top = bits == 0 ? 0 : UINT64_MAX >> (64 - bits);
    char bounds[TEXT_MAX];
    if (is_signed) {
        VALUE("%" PRId64, (int64_t)r->u.draw.value);
        snprintf(bounds, TEXT_MAX, " %" PRId64 "..%" PRId64, (int64_t)min, (int64_t)max);
    } else {
        VALUE("%" PRIu64, r->u.draw.value);
        snprintf(bounds, TEXT_MAX, " %" PRIu64 "..%" PRIu64, min, max);
    }
    KIND("%s%c%u%s", is_mixed ? "mixed " : "", is_signed ? 'i' : 'u', bits,
         max - min == top ? "" : bounds);
}

static void format_subset(const frng_trace_record *r, char kind[VALUE_MAX], char value[VALUE_MAX]) {
    size_t used = 1;
    KIND("subset of %" PRIu64, frng__bits(r->u.draw.max));
    VALUE("{");
    for (unsigned i = 0; i < 64; i++) { /* at most 4 characters each */
        if ((r->u.draw.value >> i & 1) == 0) continue;
        used += (size_t)snprintf(value + used, VALUE_MAX - used, "%s%u", used > 1 ? ", " : "", i);
    }
    snprintf(value + used, VALUE_MAX - used, "}");
}

void trace_format_draw(const frng_trace_record *r, char kind[TRACE_VALUE_MAX],
                       char value[TRACE_VALUE_MAX]) {
    const uint64_t min = r->u.draw.min, max = r->u.draw.max, number = r->u.draw.value;
    int year, month, day;
    VALUE("%s", number != 0 ? "true" : "false");
    switch (r->kind) {
    case FRNG_BOOL: KIND("bool"); return;
    case FRNG_MORE: KIND("more"); return;
    case FRNG_CHANCE: KIND("chance %" PRIu64 "/%" PRIu64, min, max); return;
    case FRNG_UINT:
    case FRNG_INT:
    case FRNG_MIXED_UINT:
    case FRNG_MIXED_INT: format_integer(r, kind, value); return;
    case FRNG_SUBSET: format_subset(r, kind, value); return;
    case FRNG_BYTES:
        KIND("bytes %" PRIu64, max);
        value[0] = '\0';
        return;
    case FRNG_F64:
        KIND("f64");
        VALUE("%.17g", (double)(number >> 11) / 9007199254740992.0);
        return;
    case FRNG_REAL:
        KIND("double");
        VALUE("%s", REAL(number));
        return;
    case FRNG_REAL_RANGE:
        KIND("double %s..%s", REAL(min), REAL(max));
        VALUE("%s", REAL(number));
        return;
    case FRNG_DATE:
        frng__day(number % FRNG__DAYS, &year, &month, &day);
        KIND("date");
        VALUE("%04d-%02d-%02d", year, month, day);
        return;
    case FRNG_INDEX: KIND("index %" PRIu64 "..%" PRIu64, min, max); break;
    case FRNG_WEIGHTED: KIND("weighted %" PRIu64 "..%" PRIu64, min, max); break;
    case FRNG_LETTER: KIND("letter"); break;
    default: KIND("kind %u", r->kind);
    }
    VALUE("%" PRIu64, number);
}

static void format_value(const frng_trace_record *r, uint64_t value, char text[TRACE_VALUE_MAX]) {
    char kind[TRACE_VALUE_MAX];
    frng_trace_record with = *r;
    with.u.draw.value = value;
    trace_format_draw(&with, kind, text);
}

/* ---- Strings: one row for all letters ---- */

/* Format the letters of a string, in quotes, without the last one if the string did not end.
 * Return the count of its records, which follow one another in the entropy. */
static uint64_t format_string(const frng_trace_record *records, uint64_t count, char *value) {
    enum { LETTERS_SHOWN = 60 };
    uint8_t letters[LETTERS_SHOWN] = {0};
    uint64_t used = 0, shown = 0, end = records->start;
    bool ended = false;
    while (!ended && used < count && records[used].kind == FRNG_LETTER &&
           records[used].start == end) {
        const frng_trace_record *r = &records[used++];
        ended = (uint32_t)r->u.draw.value == 0;
        end += r->taken;
        if (!ended && shown < LETTERS_SHOWN) letters[shown++] = (uint8_t)(r->u.draw.value >> 32);
    }
    value[0] = '"';
    bytes_escape(letters, shown, false, value + 1, VALUE_MAX - 8);
    strcat(value, used - ended > shown ? "\"..." : "\"");
    return used;
}

uint64_t trace_format_row(const frng_trace_record *records, uint64_t count,
                          char kind[TRACE_VALUE_MAX], char value[TRACE_VALUE_MAX]) {
    trace_format_draw(records, kind, value);
    if (records->kind != FRNG_LETTER) return 1;
    KIND("string");
    return format_string(records, count, value);
}

/* Format the row that begins at a record. Return the count of its records. */
static uint64_t format_row(const trace *t, uint64_t at, row *line) {
    frng_trace_record all = t->records[at];
    const uint64_t used = trace_format_row(&t->records[at], t->count - at, line->draw, line->value);
    const frng_trace_record *last = &t->records[at + used - 1];
    line->start = all.start;
    line->end = last->start + last->taken;
    all.taken = line->end - line->start;
    format_bytes(&all, t->entropy, t->size, line->bytes);
    return used;
}

/* ---- Notes, steps, and lines that the test says ---- */

const char *trace_format_title(const frng_trace_record *r, bool keeps_lines,
                               char text[TRACE_TITLE_MAX]) {
    bytes_escape((const uint8_t *)r->u.text, strnlen(r->u.text, sizeof r->u.text), keeps_lines,
                 text, TRACE_TITLE_MAX);
    return text;
}

uint64_t trace_format_say(const frng_trace_record *records, uint64_t count,
                          char text[TRACE_SAY_MAX]) {
    uint8_t line[FRNG_SAY_MAX + 1];
    uint64_t used = 0;
    size_t size = 0;
    bool goes_on = true;
    while (goes_on && used < count && records[used].kind == FRNG_TRACE_SAY) {
        const frng_trace_record *r = &records[used];
        const size_t length = strnlen(r->u.text, sizeof r->u.text);
        if (length > sizeof line - size) break;
        memcpy(line + size, r->u.text, length);
        size += length;
        goes_on = r->width == 1;
        used++;
    }
    bytes_escape(line, size, false, text, TRACE_SAY_MAX);
    return used;
}

/* ---- The table ---- */

static int wider(int width, const char *text) {
    const int length = (int)strlen(text);
    return length > width ? length : width;
}

typedef struct widths {
    int note, bytes, draw, value;
} widths;

static widths measure(const trace *t) {
    enum { VALUE_SHOWN = 30 }; /* a longer value shifts what follows */
    widths w = {0, 5, 4, 5};
    for (uint64_t i = 0; i < t->count; i++) {
        const frng_trace_record *r = &t->records[i];
        char note[TRACE_TITLE_MAX];
        row line;
        if (r->kind == FRNG_TRACE_STEP || r->kind == FRNG_TRACE_SAY) continue;
        if (r->kind == FRNG_TRACE_NOTE) {
            w.note = wider(w.note, trace_format_title(r, false, note));
        } else {
            i += format_row(t, i, &line) - 1;
            w.bytes = wider(w.bytes, line.bytes);
            w.draw = wider(w.draw, line.draw);
            if (strlen(line.value) <= VALUE_SHOWN) w.value = wider(w.value, line.value);
        }
    }
    if (w.note > 0) w.note = wider(w.note, "note") + 2;
    return w;
}

/* The table under way. */
typedef struct table {
    FILE *out;
    const remarks *why;
    widths widths;
    char note[TRACE_TITLE_MAX]; /* of the following draws; shown beside the first */
    uint64_t steps;
} table;

/* Print a note without draws. */
static void print_lone(table *p) {
    if (p->note[0] != '\0') fprintf(p->out, "        %s\n", p->note);
    p->note[0] = '\0';
}

/* True if the note before records[0] names a draw: lines may come between. */
static bool is_draw_next(const frng_trace_record *records, uint64_t count) {
    uint64_t i = 0;
    while (i < count && records[i].kind == FRNG_TRACE_SAY) i++;
    return i < count && records[i].kind < FRNG_TRACE_SAY;
}

/* Format the remarks on bytes from..to - 1: the text that all have, or how many are "any". */
static void format_remarks(const remarks *why, uint64_t from, uint64_t to, char text[VALUE_MAX]) {
    const char *first = "";
    size_t count = 0, any = 0, same = 0;
    for (size_t i = 0; i < why->count; i++) {
        const remark *r = &why->list[i];
        if (r->start < from || r->start >= to) continue;
        if (count++ == 0) first = r->text;
        any += strcmp(r->text, "any") == 0;
        same += strcmp(r->text, first) == 0;
    }
    bytes_escape((const uint8_t *)first, strlen(first), false, text, VALUE_MAX);
    if (same < count) snprintf(text, VALUE_MAX, "%zu of %zu are any", any, count);
}

/* Print a row, and the remarks on its draws. */
static void print_row(table *p, const row *line) {
    const widths *w = &p->widths;
    char fails[VALUE_MAX];
    format_remarks(p->why, line->start, line->end, fails);
    fprintf(p->out, "%6" PRIu64 "  %-*s%-*s  %-*s  ", line->start, w->note, p->note, w->bytes,
            line->bytes, w->draw, line->draw);
    if (fails[0] != '\0') {
        fprintf(p->out, "%-*s  %s\n", w->value, line->value, fails);
    } else {
        fprintf(p->out, "%s\n", line->value);
    }
    p->note[0] = '\0';
}

/* Print what begins at a record. Return the count of its records. A step is a heading: the draws
 * below it, up to the next one, are its own. */
static uint64_t print_next(table *p, const trace *t, uint64_t at) {
    const frng_trace_record *r = &t->records[at];
    char name[TRACE_TITLE_MAX], said[TRACE_SAY_MAX];
    uint64_t used = 1;
    row line;
    if (r->kind == FRNG_TRACE_SAY) {
        if (!is_draw_next(r, t->count - at)) print_lone(p);
        used = trace_format_say(r, t->count - at, said);
        fprintf(p->out, "      > %s\n", said);
    } else if (r->kind == FRNG_TRACE_NOTE) {
        print_lone(p);
        trace_format_title(r, false, p->note);
    } else if (r->kind == FRNG_TRACE_STEP) {
        print_lone(p);
        fprintf(p->out, "%" PRIu64 ". %s\n", ++p->steps, trace_format_title(r, false, name));
    } else {
        used = format_row(t, at, &line);
        print_row(p, &line);
    }
    return used;
}

void trace_print(FILE *out, const trace *t, const remarks *why) {
    table p = {.out = out, .why = why, .widths = measure(t)};
    const widths *w = &p.widths;
    fprintf(out, "offset  %-*s%-*s  %-*s  %-*s%s\n", w->note, w->note > 0 ? "note" : "", w->bytes,
            "bytes", w->draw, "draw", why->count > 0 ? w->value + 2 : 0, "value",
            why->count > 0 ? "fails with" : "");
    for (uint64_t i = 0; i < t->count;) i += print_next(&p, t, i);
    print_lone(&p);
    if (t->reported > t->count) fprintf(out, "... and %s more\n", COUNT(t->reported - t->count));
}

enum { ROWS_MAX = 16 }; /* unless an option asks for all */

/* ---- Explanations: names ---- */

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
    char whole[TRACE_VALUE_MAX];
    if (d->is_index) {
        snprintf(text, EXPLAINED_VALUE_MAX, "index %" PRIu64, value);
    } else if (d->is_part) {
        snprintf(text, EXPLAINED_VALUE_MAX, "0x%02" PRIx64, value & UINT8_MAX);
    } else if (d->record.kind == FRNG_LETTER) {
        format_letter(value, text);
    } else {
        format_value(&d->record, value, whole);
        snprintf(text, EXPLAINED_VALUE_MAX, "%.*s", EXPLAINED_VALUE_MAX - 1, whole);
    }
    return text;
}

#define VALUE_OF(d, value) explained_value(d, value, (char[EXPLAINED_VALUE_MAX]){0})

static void put_range(FILE *out, const explained_draw *d, const explained_draw *plain) {
    const statement *s = &d->statement;
    fprintf(out, "%s..%s", VALUE_OF(d, s->low), VALUE_OF(plain, s->high));
    if (s->step == 2) fputs(s->low % 2 == 0 ? ", even" : ", odd", out);
    if (s->step > 2) fprintf(out, " in steps of %" PRIu64, s->step);
}

static void put_values(FILE *out, const explained_draw *d, const explained_draw *plain,
                       const char *last) {
    const statement *s = &d->statement;
    for (size_t i = 0; i < s->value_count; i++) {
        if (i > 0) fputs(i + 1 < s->value_count ? ", " : last, out);
        fputs(VALUE_OF(i > 0 ? plain : d, s->values[i]), out);
    }
}

static void put_statement(FILE *out, const explanation *e, const explained_draw *d) {
    const statement *s = &d->statement;
    explained_draw plain = *d; /* of its values, after the first: "index 1, 4" */
    plain.is_index = false;
    switch (s->kind) {
    case STATEMENT_FIXED: fputs("its only value", out); break;
    case STATEMENT_ANY: fputs("any", out); break;
    case STATEMENT_ONLY: fprintf(out, "only %s", VALUE_OF(d, d->record.u.draw.value)); break;
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
    } else {
        fprintf(out, "           not all draws were changed with others: %s\n", why);
    }
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

/* Put "the draw note (u8 0..9 at byte 2)". */
static void put_wrong_draw(FILE *out, const wrong_record *w) {
    const frng_trace_record *r = &w->record;
    char kind[TRACE_VALUE_MAX], value[TRACE_VALUE_MAX], note[4 * sizeof w->note + 1];
    bytes_escape((const uint8_t *)w->note, strlen(w->note), false, note, sizeof note);
    trace_format_draw(r, kind, value);
    fprintf(out, "the draw %.30s%s(%.40s at byte %" PRIu64 ")", note, note[0] != '\0' ? " " : "",
            kind, r->start);
}

static void put_wrong_values(FILE *out, const wrong_record *w) {
    const explained_draw d = {.record = w->record};
    const uint64_t value = w->record.u.draw.value;
    const char *reported = VALUE_OF(&d, value), *right = VALUE_OF(&d, w->right);
    const char *are = w->record.taken == 1 ? "byte is" : "bytes are";
    if (strcmp(reported, right) != 0) {
        fprintf(out, " says %.24s, but its %s %.24s", reported, are, right);
    } else { /* the texts round, or wrap */
        fprintf(out, " says 0x%" PRIx64 ", but its %s 0x%" PRIx64, value, are, w->right);
    }
}

static void put_wrong_length(FILE *out, const wrong_record *w, bool is_draw) {
    fprintf(out, " takes %s, but needs ", COUNTED(w->record.taken, "byte"));
    fputs(w->right > 0 ? COUNT(w->right) : is_draw ? "more" : "none", out);
}

const char *explained_wrong(const wrong_record *w, char text[WRONG_TEXT_MAX]) {
    const bool is_draw = w->record.kind < FRNG_TRACE_STATE;
    FILE *out = fmemopen(text, WRONG_TEXT_MAX, "w");
    text[0] = '\0';
    if (out == NULL) return text;
    if (is_draw) put_wrong_draw(out, w);
    if (!is_draw) fprintf(out, "the note or step at byte %" PRIu64, w->record.start);
    switch (w->error) {
    case RECORD_RIGHT: fputs(" is right", out); break;
    case RECORD_PLACE:
        fprintf(out, " is not where the one before it ends, at byte %" PRIu64, w->right);
        break;
    case RECORD_BEYOND:
        fprintf(out, " ends beyond the %s of its run", COUNTED(w->right, "byte"));
        break;
    case RECORD_BOUNDS: fputs(" has a width or bounds that no such draw has", out); break;
    case RECORD_LENGTH: put_wrong_length(out, w, is_draw); break;
    case RECORD_VALUE: put_wrong_values(out, w); break;
    }
    fclose(out);
    text[WRONG_TEXT_MAX - 1] = '\0';
    return text;
}

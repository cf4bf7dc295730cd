/* A trace is records that the target reported, in the order of its draws, with notes, steps and
 * lines that it said between them. The table has a row for each draw: where it begins, its
 * note, the bytes that it took, its kind with its bounds, and its value. All letters of a
 * string are one row. A step is a heading, and what is said stands between the rows.
 *
 * Records are untrusted: what they claim of bytes is checked against the size of the input, and
 * a draw of an unknown kind is shown as a number. Columns are as wide as their widest text,
 * which costs a pass over all records; a long value shifts what follows. */
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

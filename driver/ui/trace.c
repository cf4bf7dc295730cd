#include "trace.h"

#include "bytes.h"
#include "frng_more.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_SHOWN = 8, TEXT_MAX = 96, VALUE_MAX = TRACE_VALUE_MAX };

/* One line of the table. */
typedef struct row {
    char bytes[TEXT_MAX], draw[TEXT_MAX], value[VALUE_MAX];
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

static void format_unsigned(const frng_trace_record *r, const char *name, row *line) {
    snprintf(line->draw, TEXT_MAX, "%s %" PRIu64 "..%" PRIu64, name, r->u.draw.min, r->u.draw.max);
    snprintf(line->value, VALUE_MAX, "%" PRIu64, r->u.draw.value);
}

static void format_number(const frng_trace_record *r, row *line) {
    char name[16];
    const bool is_signed = r->kind == FRNG_INT || r->kind == FRNG_MIXED_INT;
    const bool is_mixed = r->kind == FRNG_MIXED_UINT || r->kind == FRNG_MIXED_INT;
    const unsigned bits = 8u * (r->width <= 8 ? r->width : 8);
    const uint64_t top = bits == 0 ? 0 : UINT64_MAX >> (64 - bits);
    snprintf(name, sizeof name, "%s%c%u", is_mixed ? "mixed " : "", is_signed ? 'i' : 'u', bits);
    if (is_signed) {
        snprintf(line->draw, TEXT_MAX, "%s %" PRId64 "..%" PRId64, name, (int64_t)r->u.draw.min,
                 (int64_t)r->u.draw.max);
        snprintf(line->value, VALUE_MAX, "%" PRId64, (int64_t)r->u.draw.value);
    } else {
        format_unsigned(r, name, line);
    }
    if (r->u.draw.max - r->u.draw.min == top) snprintf(line->draw, TEXT_MAX, "%s", name);
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

static void format_subset(const frng_trace_record *r, row *line) {
    size_t used = 1;
    snprintf(line->draw, TEXT_MAX, "subset of %" PRIu64, frng__bits(r->u.draw.max));
    snprintf(line->value, VALUE_MAX, "{");
    for (unsigned i = 0; i < 64; i++) { /* at most 4 characters each */
        if ((r->u.draw.value >> i & 1) == 0) continue;
        used +=
            (size_t)snprintf(line->value + used, VALUE_MAX - used, "%s%u", used > 1 ? ", " : "", i);
    }
    snprintf(line->value + used, VALUE_MAX - used, "}");
}

/* Format a draw of frng_more.h. */
static void format_more(const frng_trace_record *r, row *line) {
    char text[REAL_TEXT_MAX], other[REAL_TEXT_MAX];
    int year, month, day;
    switch (r->kind) {
    case FRNG_MORE:
        snprintf(line->draw, TEXT_MAX, "more");
        snprintf(line->value, VALUE_MAX, "%s", r->u.draw.value != 0 ? "true" : "false");
        return;
    case FRNG_MIXED_UINT:
    case FRNG_MIXED_INT: format_number(r, line); return;
    case FRNG_REAL: snprintf(line->draw, TEXT_MAX, "double"); break;
    case FRNG_REAL_RANGE:
        snprintf(line->draw, TEXT_MAX, "double %s..%s", format_real(r->u.draw.min, text),
                 format_real(r->u.draw.max, other));
        break;
    case FRNG_SUBSET: format_subset(r, line); return;
    case FRNG_DATE:
        frng__day(r->u.draw.value % FRNG__DAYS, &year, &month, &day);
        snprintf(line->draw, TEXT_MAX, "date");
        snprintf(line->value, VALUE_MAX, "%04d-%02d-%02d", year, month, day);
        return;
    default:
        snprintf(line->draw, TEXT_MAX, "kind %u", r->kind);
        snprintf(line->value, VALUE_MAX, "%" PRIu64, r->u.draw.value);
        return;
    }
    snprintf(line->value, VALUE_MAX, "%s", format_real(r->u.draw.value, text));
}

static void format_draw(const frng_trace_record *r, row *line) {
    switch (r->kind) {
    case FRNG_BYTES:
        snprintf(line->draw, TEXT_MAX, "bytes %" PRIu64, r->u.draw.max);
        line->value[0] = '\0';
        return;
    case FRNG_BOOL:
        snprintf(line->draw, TEXT_MAX, "bool");
        snprintf(line->value, VALUE_MAX, "%s", r->u.draw.value != 0 ? "true" : "false");
        return;
    case FRNG_UINT:
    case FRNG_INT: format_number(r, line); return;
    case FRNG_INDEX: format_unsigned(r, "index", line); return;
    case FRNG_WEIGHTED: format_unsigned(r, "weighted", line); return;
    case FRNG_F64:
        snprintf(line->draw, TEXT_MAX, "f64");
        snprintf(line->value, VALUE_MAX, "%.17g",
                 (double)(r->u.draw.value >> 11) / 9007199254740992.0);
        return;
    case FRNG_CHANCE:
        snprintf(line->draw, TEXT_MAX, "chance %" PRIu64 "/%" PRIu64, r->u.draw.min, r->u.draw.max);
        snprintf(line->value, VALUE_MAX, "%s", r->u.draw.value != 0 ? "true" : "false");
        return;
    default: format_more(r, line); return;
    }
}

void trace_format_value(const frng_trace_record *r, char text[TRACE_VALUE_MAX]) {
    row line;
    format_draw(r, &line);
    snprintf(text, TRACE_VALUE_MAX, "%s", line.value);
}

void trace_format_kind(const frng_trace_record *r, char text[TRACE_VALUE_MAX]) {
    row line;
    if (r->kind == FRNG_LETTER) {
        snprintf(text, TRACE_VALUE_MAX, "letter");
        return;
    }
    format_draw(r, &line);
    snprintf(text, TRACE_VALUE_MAX, "%s", line.draw);
}

/* ---- Strings: one row for all letters ---- */

/* Format the letters of a string, in quotes, without the last one if the string did not end.
 * Return the count of its records, which follow one another in the entropy. */
static uint64_t format_string(const frng_trace_record *records, uint64_t count,
                              frng_trace_record *all, row *line) {
    enum { LETTERS_SHOWN = 60 };
    uint8_t letters[LETTERS_SHOWN] = {0};
    uint64_t used = 0, shown = 0;
    bool ended = false;
    *all = records[0];
    all->taken = 0;
    while (!ended && used < count && records[used].kind == FRNG_LETTER &&
           records[used].start == all->start + all->taken) {
        const frng_trace_record *r = &records[used++];
        ended = (uint32_t)r->u.draw.value == 0;
        all->taken += r->taken;
        if (!ended && shown < LETTERS_SHOWN) letters[shown++] = (uint8_t)(r->u.draw.value >> 32);
    }
    line->value[0] = '"';
    bytes_escape(letters, shown, false, line->value + 1, VALUE_MAX - 8);
    strcat(line->value, used - ended > shown ? "\"..." : "\"");
    snprintf(line->draw, TEXT_MAX, "string");
    return used;
}

/* Format the next row. Return the count of its records. */
static uint64_t format_row(const frng_trace_record *records, uint64_t count, const uint8_t *entropy,
                           uint64_t size, row *line) {
    frng_trace_record all = records[0];
    uint64_t used = 1;
    if (all.kind == FRNG_LETTER) {
        used = format_string(records, count, &all, line);
    } else {
        format_draw(&all, line);
    }
    format_bytes(&all, entropy, size, line->bytes);
    return used;
}

uint64_t trace_format_row(const frng_trace_record *records, uint64_t count,
                          char kind[TRACE_VALUE_MAX], char value[TRACE_VALUE_MAX]) {
    row line;
    const uint64_t used = format_row(records, count, (const uint8_t *)"", 0, &line);
    snprintf(kind, TRACE_VALUE_MAX, "%s", line.draw);
    snprintf(value, TRACE_VALUE_MAX, "%s", line.value);
    return used;
}

trace_bounds_kind trace_bounds(const frng_trace_record *r) {
    switch (r->kind) {
    case FRNG_UINT:
    case FRNG_INDEX:
    case FRNG_WEIGHTED:
    case FRNG_MIXED_UINT: return TRACE_UNSIGNED;
    case FRNG_INT:
    case FRNG_MIXED_INT: return TRACE_SIGNED;
    default: return TRACE_UNBOUNDED;
    }
}

/* ---- Lines that the test says ---- */

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

static void format_note(const frng_trace_record *r, char text[TEXT_MAX]) {
    bytes_escape((const uint8_t *)r->u.text, strnlen(r->u.text, sizeof r->u.text), false, text,
                 TEXT_MAX);
}

typedef struct widths {
    int note, bytes, draw, value;
} widths;

static widths measure(const frng_trace_record *records, uint64_t count, const uint8_t *entropy,
                      uint64_t size) {
    enum { VALUE_SHOWN = 30 }; /* a longer value shifts what follows */
    widths w = {0, 5, 4, 5};
    for (uint64_t i = 0; i < count; i++) {
        row line;
        if (records[i].kind == FRNG_TRACE_STEP || records[i].kind == FRNG_TRACE_SAY) continue;
        if (records[i].kind == FRNG_TRACE_NOTE) {
            format_note(&records[i], line.draw);
            w.note = wider(w.note, line.draw);
        } else {
            i += format_row(&records[i], count - i, entropy, size, &line) - 1;
            w.bytes = wider(w.bytes, line.bytes);
            w.draw = wider(w.draw, line.draw);
            if (strlen(line.value) <= VALUE_SHOWN) w.value = wider(w.value, line.value);
        }
    }
    if (w.note > 0) w.note = wider(w.note, "note") + 2;
    return w;
}

/* Print a note without draws. */
static void print_lone(FILE *out, char note[TEXT_MAX]) {
    if (note[0] != '\0') fprintf(out, "        %s\n", note);
    note[0] = '\0';
}

/* Print the heading of step `number`: the draws below it, up to the next one, are its own. */
static void print_step(FILE *out, const frng_trace_record *r, uint64_t number) {
    char name[TEXT_MAX];
    format_note(r, name);
    fprintf(out, "%" PRIu64 ". %s\n", number, name);
}

/* True if the note before records[0] names a draw: lines may come between. */
static bool is_draw_next(const frng_trace_record *records, uint64_t count) {
    uint64_t i = 0;
    while (i < count && records[i].kind == FRNG_TRACE_SAY) i++;
    return i < count && records[i].kind < FRNG_TRACE_SAY;
}

/* Print a line that the test says. Return the count of its records. */
static uint64_t print_say(FILE *out, const frng_trace_record *records, uint64_t count) {
    char text[TRACE_SAY_MAX];
    const uint64_t used = trace_format_say(records, count, text);
    fprintf(out, "      > %s\n", text);
    return used;
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

/* Print a row of `used` records, and the remarks on its draws. */
static void print_row(FILE *out, const widths *w, const char *note, const row *line,
                      const frng_trace_record *first, uint64_t used, const remarks *why) {
    char fails[VALUE_MAX];
    const frng_trace_record *last = first + used - 1;
    format_remarks(why, first->start, last->start + last->taken, fails);
    fprintf(out, "%6" PRIu64 "  %-*s%-*s  %-*s  ", first->start, w->note, note, w->bytes,
            line->bytes, w->draw, line->draw);
    if (fails[0] != '\0') {
        fprintf(out, "%-*s  %s\n", w->value, line->value, fails);
    } else {
        fprintf(out, "%s\n", line->value);
    }
}

void trace_print(FILE *out, const frng_trace_record *records, uint64_t count, uint64_t told,
                 const uint8_t *entropy, uint64_t size, const remarks *why) {
    const widths w = measure(records, count, entropy, size);
    char note[TEXT_MAX] = ""; /* note of the following draws; shown beside the first */
    uint64_t steps = 0;
    fprintf(out, "offset  %-*s%-*s  %-*s  %-*s%s\n", w.note, w.note > 0 ? "note" : "", w.bytes,
            "bytes", w.draw, "draw", why->count > 0 ? w.value + 2 : 0, "value",
            why->count > 0 ? "fails with" : "");
    for (uint64_t i = 0; i < count; i++) {
        row line;
        if (records[i].kind == FRNG_TRACE_NOTE) {
            print_lone(out, note);
            format_note(&records[i], note);
            continue;
        }
        if (records[i].kind == FRNG_TRACE_STEP) {
            print_lone(out, note);
            print_step(out, &records[i], ++steps);
            continue;
        }
        if (records[i].kind == FRNG_TRACE_SAY) {
            if (!is_draw_next(&records[i], count - i)) print_lone(out, note);
            i += print_say(out, &records[i], count - i) - 1;
            continue;
        }
        const uint64_t used = format_row(&records[i], count - i, entropy, size, &line);
        print_row(out, &w, note, &line, &records[i], used, why);
        i += used - 1;
        note[0] = '\0';
    }
    print_lone(out, note);
    if (told > count) fprintf(out, "... and %" PRIu64 " more\n", told - count);
}

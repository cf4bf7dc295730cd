#include "trace.h"

#include "bytes.h"
#include "frng.h"

#include <inttypes.h>
#include <string.h>

enum { BYTES_SHOWN = 8, TEXT_MAX = 96 };

/* One line of the table. */
typedef struct row {
    char bytes[TEXT_MAX], draw[TEXT_MAX], value[TEXT_MAX];
} row;

/* Format the bytes that a draw took; if it rejected numbers, only those of the number that it
 * kept. */
static void format_bytes(const frng_trace_record *r, const uint8_t *entropy, uint64_t size,
                         char text[TEXT_MAX]) {
    const uint64_t end = r->start + r->taken;
    uint64_t count = r->kind == FRNG_BYTES ? r->taken : r->width;
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
    snprintf(line->value, TEXT_MAX, "%" PRIu64, r->u.draw.value);
}

static void format_number(const frng_trace_record *r, row *line) {
    char name[8];
    const bool is_signed = r->kind == FRNG_INT;
    const unsigned bits = 8u * (r->width <= 8 ? r->width : 8);
    const uint64_t top = bits == 0 ? 0 : UINT64_MAX >> (64 - bits);
    snprintf(name, sizeof name, "%c%u", is_signed ? 'i' : 'u', bits);
    if (is_signed) {
        snprintf(line->draw, TEXT_MAX, "%s %" PRId64 "..%" PRId64, name, (int64_t)r->u.draw.min,
                 (int64_t)r->u.draw.max);
        snprintf(line->value, TEXT_MAX, "%" PRId64, (int64_t)r->u.draw.value);
    } else {
        format_unsigned(r, name, line);
    }
    if (r->u.draw.max - r->u.draw.min == top) snprintf(line->draw, TEXT_MAX, "%s", name);
}

static void format_draw(const frng_trace_record *r, row *line) {
    switch ((frng_kind)r->kind) {
    case FRNG_BYTES:
        snprintf(line->draw, TEXT_MAX, "bytes %" PRIu64, r->u.draw.max);
        line->value[0] = '\0';
        return;
    case FRNG_BOOL:
        snprintf(line->draw, TEXT_MAX, "bool");
        snprintf(line->value, TEXT_MAX, "%s", r->u.draw.value != 0 ? "true" : "false");
        return;
    case FRNG_UINT:
    case FRNG_INT: format_number(r, line); return;
    case FRNG_INDEX: format_unsigned(r, "index", line); return;
    case FRNG_WEIGHTED: format_unsigned(r, "weighted", line); return;
    case FRNG_F64:
        snprintf(line->draw, TEXT_MAX, "f64");
        snprintf(line->value, TEXT_MAX, "%.17g",
                 (double)(r->u.draw.value >> 11) / 9007199254740992.0);
        return;
    case FRNG_CHANCE:
        snprintf(line->draw, TEXT_MAX, "chance %" PRIu64 "/%" PRIu64, r->u.draw.min, r->u.draw.max);
        snprintf(line->value, TEXT_MAX, "%s", r->u.draw.value != 0 ? "true" : "false");
        return;
    }
    snprintf(line->draw, TEXT_MAX, "kind %u", r->kind);
    snprintf(line->value, TEXT_MAX, "%" PRIu64, r->u.draw.value);
}

static void format_row(const frng_trace_record *r, const uint8_t *entropy, uint64_t size,
                       row *line) {
    format_bytes(r, entropy, size, line->bytes);
    format_draw(r, line);
}

static int wider(int width, const char *text) {
    const int length = (int)strlen(text);
    return length > width ? length : width;
}

static void format_note(const frng_trace_record *r, char text[TEXT_MAX]) {
    bytes_escape((const uint8_t *)r->u.text, strnlen(r->u.text, sizeof r->u.text), false, text,
                 TEXT_MAX);
}

typedef struct widths {
    int note, bytes, draw;
} widths;

static widths measure(const frng_trace_record *records, uint64_t count, const uint8_t *entropy,
                      uint64_t size) {
    widths w = {0, 5, 4};
    for (uint64_t i = 0; i < count; i++) {
        row line;
        if (records[i].kind == FRNG_TRACE_STEP) continue;
        if (records[i].kind == FRNG_TRACE_NOTE) {
            format_note(&records[i], line.draw);
            w.note = wider(w.note, line.draw);
        } else {
            format_row(&records[i], entropy, size, &line);
            w.bytes = wider(w.bytes, line.bytes);
            w.draw = wider(w.draw, line.draw);
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

void trace_print(FILE *out, const frng_trace_record *records, uint64_t count, uint64_t told,
                 const uint8_t *entropy, uint64_t size) {
    const widths w = measure(records, count, entropy, size);
    char note[TEXT_MAX] = ""; /* note of the following draws; shown beside the first */
    uint64_t steps = 0;
    fprintf(out, "offset  %-*s%-*s  %-*s  value\n", w.note, w.note > 0 ? "note" : "", w.bytes,
            "bytes", w.draw, "draw");
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
        format_row(&records[i], entropy, size, &line);
        fprintf(out, "%6" PRIu64 "  %-*s%-*s  %-*s  %s\n", records[i].start, w.note, note, w.bytes,
                line.bytes, w.draw, line.draw, line.value);
        note[0] = '\0';
    }
    print_lone(out, note);
    if (told > count) fprintf(out, "... and %" PRIu64 " more\n", told - count);
}

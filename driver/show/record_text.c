#include "record_text.h"

#include "bytes.h"
#include "frng_more.h"
#include "trace.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    LINE_SHOWN = 120, /* with what tools put around it, below 160 columns */
    VALUE_SHOWN = 24  /* of a subset, which can be long */
};

/* ---- The draw ---- */

/* How much of a draw is shown. */
typedef enum detail { DETAIL_ALL, DETAIL_NO_NOTE, DETAIL_NO_BOUNDS } detail;

static void format_kind(const frng_trace_record *r, detail how_much, char text[TRACE_VALUE_MAX]) {
    trace_format_kind(r, text);
    if (how_much != DETAIL_NO_BOUNDS) return;
    char *bounds = strrchr(text, ' ');
    if (bounds != NULL) *bounds = '\0';
}

/* Write "draw 3 (note: u8 0..9 at byte 2)". */
static void format_draw(const wrong_record *w, detail how_much, char text[RECORD_TEXT_MAX]) {
    char kind[TRACE_VALUE_MAX], note[4 * sizeof w->note + 1] = "";
    format_kind(&w->record, how_much, kind);
    if (how_much == DETAIL_ALL)
        bytes_escape((const uint8_t *)w->note, strlen(w->note), false, note, sizeof note);
    snprintf(text, RECORD_TEXT_MAX, "draw %" PRIu64 " (%s%s%.60s at byte %" PRIu64 ")", w->draw,
             note, note[0] != '\0' ? ": " : "", kind, w->record.start);
}

/* Write "the note after draw 3 (at byte 9)". */
static void format_mark(const wrong_record *w, char text[RECORD_TEXT_MAX]) {
    const uint8_t kind = w->record.kind;
    const char *word = kind == FRNG_TRACE_NOTE   ? "note"
                       : kind == FRNG_TRACE_STEP ? "step"
                       : kind == FRNG_TRACE_SAY  ? "line"
                                                 : "state";
    snprintf(text, RECORD_TEXT_MAX, "the %s after draw %" PRIu64 " (at byte %" PRIu64 ")", word,
             w->draw, w->record.start);
}

/* ---- Values ---- */

/* Write a value as a trace does. Of a string, a record has one letter or its end. */
static void format_value(const frng_trace_record *r, uint64_t value, char text[TRACE_VALUE_MAX]) {
    frng_trace_record with = *r;
    with.u.draw.value = value;
    trace_format_value(&with, text);
    if (r->kind == FRNG_LETTER)
        snprintf(text, TRACE_VALUE_MAX, (uint32_t)value == 0 ? "its end" : "letter %" PRIu32,
                 (uint32_t)value);
    if (strlen(text) > VALUE_SHOWN) strcpy(text + VALUE_SHOWN - 3, "...");
}

static int format_values(const wrong_record *w, char *text, size_t room) {
    char reported[TRACE_VALUE_MAX], right[TRACE_VALUE_MAX];
    format_value(&w->record, w->record.u.draw.value, reported);
    format_value(&w->record, w->right, right);
    if (strcmp(reported, right) == 0) { /* the texts round, or wrap */
        snprintf(reported, sizeof reported, "0x%" PRIx64, w->record.u.draw.value);
        snprintf(right, sizeof right, "0x%" PRIx64, w->right);
    }
    return snprintf(text, room, " says %s, but its %s %s", reported,
                    w->record.taken == 1 ? "byte is" : "bytes are", right);
}

/* ---- What is wrong ---- */

/* True if a draw has its number, and that is one to draw again for. */
static bool is_rejected(const wrong_record *w) {
    const uint8_t kind = w->record.kind;
    const bool has_one_width = kind != FRNG_MIXED_UINT && kind != FRNG_MIXED_INT &&
                               kind != FRNG_REAL && kind != FRNG_BYTES;
    return has_one_width && w->right == 0 && w->record.taken >= w->record.width;
}

static int format_length(const wrong_record *w, char *text, size_t room) {
    const uint64_t taken = w->record.taken;
    if (w->record.kind >= FRNG_TRACE_STATE)
        return snprintf(text, room, " takes %" PRIu64 " bytes, but only draws take bytes", taken);
    if (is_rejected(w)) {
        char value[TRACE_VALUE_MAX];
        format_value(&w->record, w->record.u.draw.value, value);
        return snprintf(text, room, " says %s, but its byte%s rejected", value,
                        taken == 1 ? " is" : "s are");
    }
    if (w->right == 0)
        return snprintf(text, room, " takes %" PRIu64 " byte%s, but needs more", taken,
                        taken == 1 ? "" : "s");
    return snprintf(text, room, " takes %" PRIu64 " byte%s, but needs %" PRIu64, taken,
                    taken == 1 ? "" : "s", w->right);
}

static void format_error(const wrong_record *w, char *text, size_t room) {
    switch (w->error) {
    case RECORD_RIGHT: snprintf(text, room, " is right"); break;
    case RECORD_EARLY:
        snprintf(text, room, " goes back: the last one ends at byte %" PRIu64, w->right);
        break;
    case RECORD_LATE: snprintf(text, room, " leaves out byte %" PRIu64, w->right); break;
    case RECORD_BEYOND:
        snprintf(text, room, " ends beyond the %" PRIu64 " byte%s of its run", w->right,
                 w->right == 1 ? "" : "s");
        break;
    case RECORD_WIDTH:
        snprintf(text, room, " has a width of %d bytes, which no such draw has", w->record.width);
        break;
    case RECORD_BOUNDS: snprintf(text, room, " has bounds that no such draw has"); break;
    case RECORD_LENGTH: format_length(w, text, room); break;
    case RECORD_VALUE: format_values(w, text, room); break;
    }
}

const char *record_text(const wrong_record *w, char text[RECORD_TEXT_MAX]) {
    for (detail how_much = DETAIL_ALL; how_much <= DETAIL_NO_BOUNDS; how_much++) {
        if (w->record.kind >= FRNG_TRACE_STATE) {
            format_mark(w, text);
        } else {
            format_draw(w, how_much, text);
        }
        const size_t length = strlen(text);
        format_error(w, text + length, RECORD_TEXT_MAX - length);
        if (strlen(text) <= LINE_SHOWN) break;
    }
    return text;
}

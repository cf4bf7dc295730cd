/* frng_told.h: the draws of a run by their names, as frng_check.h prints them.
 *
 *     xs = [(0, 1), (1, -1)]
 *     word = "ab"
 *     push(3)
 *
 * A note names the draws that follow it, a step is a row with its draws as arguments. The elements
 * of a list and the letters of a string are one value. frng.hpp adds the values that it made of
 * several draws, which stand in their place; then a value or a list of those that only the test
 * knows is "draws of x". Other draws without a name after that of a note may be of its value or
 * not: "draws from x on = (1, 2)".
 * C11 and C++11.
 * SPDX-License-Identifier: MIT */
#ifndef FRNG_TOLD_H
#define FRNG_TOLD_H

#include "frng_more.h"
#include "frng_protocol.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

FRNG__WRAPS

/* A list in progress: what tells it from others, and its element in progress. */
typedef struct frng__told_list {
    uint64_t id;
    size_t start;  /* of the element, in the text */
    size_t opened; /* where the text was before the list */
    unsigned elements, parts;
} frng__told_list;

enum { FRNG__TOLD_LISTS = 8, FRNG__TOLD_VALUES = 256, FRNG__TOLD_TEXT = 1 << 15 };

/* Values that a run has made of its records, from one to before another. */
typedef struct frng__told_values {
    bool is_typed; /* the port records values: draws without one are printed as "draws of" */
    uint32_t count, size;
    struct {
        uint64_t from, to;
        uint32_t at; /* in the text, up to a zero */
    } list[FRNG__TOLD_VALUES];
    char text[FRNG__TOLD_TEXT + 1];
} frng__told_values;

/* Begin a value at a record. Return its index; FRNG__TOLD_VALUES: there is no room. */
FRNG__ONCE uint32_t frng__told_begin(frng__told_values *v, uint64_t from) {
    if (v->count >= FRNG__TOLD_VALUES) return FRNG__TOLD_VALUES;
    v->list[v->count].from = from;
    v->list[v->count].to = UINT64_MAX;
    v->list[v->count].at = FRNG__TOLD_TEXT;
    return v->count++;
}

/* End a value, which has such a text if it is known and there is room. */
FRNG__ONCE void frng__told_end(frng__told_values *v, uint32_t i, uint64_t to, const char *text) {
    const size_t size = strlen(text) + 1;
    if (i >= FRNG__TOLD_VALUES) return;
    v->list[i].to = to;
    if (v->size > FRNG__TOLD_TEXT || size > FRNG__TOLD_TEXT - v->size) return;
    v->list[i].at = v->size;
    memcpy(v->text + v->size, text, size);
    v->size += (uint32_t)size;
}

/* Return the text of the longest value that begins at a record, and set its end; NULL if no value
 * begins there. Notes before *quiet are within a value. A run that fails may have written anything.
 */
FRNG__ONCE const char *frng__told_value(frng__told_values *v, uint64_t from, uint64_t *to,
                                        uint64_t *quiet) {
    const char *text = NULL;
    *to = from + 1;
    v->text[FRNG__TOLD_TEXT] = '\0';
    for (uint32_t i = 0; i < v->count && i < FRNG__TOLD_VALUES; i++) {
        if (v->list[i].from != from) continue;
        if (v->list[i].to > *quiet) *quiet = v->list[i].to;
        if (v->list[i].to < *to || v->list[i].at >= FRNG__TOLD_TEXT) continue;
        if (v->text[v->list[i].at] == '\0') continue;
        *to = v->list[i].to;
        text = v->text + v->list[i].at;
    }
    return text;
}

/* The text of the draws since a note: "(1, 2)", "[(0, 0), (-1, 1)]". */
typedef struct frng__told {
    char text[1024];
    size_t length;
    char name[FRNG_SAY_MAX + 1]; /* of the note before these draws; "" without one */
    unsigned values;             /* outside of lists */
    frng__told_list lists[FRNG__TOLD_LISTS];
    int depth;
    bool has_begun; /* an element, without a draw so far */
    bool in_text, in_step, has_note;
    bool in_row; /* of a step, which its draws end as arguments */
    unsigned arguments;
    bool is_typed, is_draws;          /* values are known; not all of these */
    uint64_t until;                   /* the end of a value that only the test knows, or 0 */
    uint64_t noted;                   /* the list whose elements notes name */
    const frng_trace_record *chooser; /* the draw that chose the first step, or NULL */
} frng__told;

__attribute__((format(printf, 2, 3))) FRNG__ONCE void frng__tell(frng__told *t, const char *format,
                                                                 ...) {
    const size_t room = sizeof t->text - t->length;
    va_list arguments;
    int length;
    va_start(arguments, format);
    length = vsnprintf(t->text + t->length, room, format, arguments);
    va_end(arguments);
    if (length > 0) t->length += (size_t)length < room ? (size_t)length : room - 1;
}

/* End the element in progress of the innermost list. */
FRNG__ONCE void frng__tell_element_end(frng__told *t) {
    const frng__told_list *list = &t->lists[t->depth - 1];
    if (list->parts < 2 || t->length + 2 >= sizeof t->text) return;
    t->is_draws = true;
    memmove(t->text + list->start + 1, t->text + list->start, t->length - list->start + 1);
    t->text[list->start] = '(';
    t->length++;
    frng__tell(t, ")");
}

/* End the draws of a name. */
FRNG__ONCE void frng__tell_end(frng__told *t) {
    bool is_tuple;
    if (t->in_text) frng__tell(t, "\"");
    if (t->depth == 1 && t->lists[0].elements == 1 && t->lists[0].parts == 0) {
        t->noted = t->lists[0].id; /* notes name its elements */
        t->text[t->length = t->lists[0].opened] = '\0';
        t->values -= 1;
        t->depth = 0;
    }
    is_tuple = t->values > 1;
    for (; t->depth > 0; t->depth--) {
        t->is_draws = true;
        frng__tell_element_end(t);
        frng__tell(t, " ...]");
    }
    if (t->values > 0 && strcmp(t->name, "swarm") != 0) { /* that of frng_repeat says little */
        const char *before = t->in_row    ? (t->arguments++ > 0 ? ", " : "")
                             : t->in_step ? "    "
                                          : "  ";
        const bool is_open = t->is_typed && is_tuple && t->until == 0;
        const char *of = !t->is_typed                  ? ""
                         : is_open                     ? "draws from "
                         : t->is_draws || t->until > 0 ? "draws of "
                                                       : "";
        fprintf(stderr, "%s%s%s%s = %s%s%s%s", before, of, t->name, is_open ? " on" : "",
                is_tuple ? "(" : "", t->text, is_tuple ? ")" : "", t->in_row ? "" : "\n");
    }
    t->length = 0;
    t->text[0] = t->name[0] = '\0';
    t->values = 0;
    t->until = 0;
    t->in_text = t->has_begun = t->has_note = t->is_draws = false;
}

/* End the row of a step. */
FRNG__ONCE void frng__tell_row_end(frng__told *t) {
    frng__tell_end(t);
    if (t->in_row) fputs(")\n", stderr);
    t->in_row = false;
}

/* Begin a value. Without a note it has a line of its own. */
FRNG__ONCE void frng__tell_value(frng__told *t, const char *kind) {
    t->has_begun = false;
    if (t->depth > 0) {
        if (t->lists[t->depth - 1].parts++ > 0) frng__tell(t, ", ");
        return;
    }
    if (!t->has_note) frng__tell_end(t);
    if (!t->has_note) snprintf(t->name, sizeof t->name, "%s", kind);
    if (t->values++ > 0) frng__tell(t, ", ");
}

FRNG__ONCE void frng__tell_number(frng__told *t, const frng_trace_record *r) {
    static const char *const kinds[] = {"bytes", "bool",   "uint",   "int",    "index", "weighted",
                                        "f64",   "chance", "list",   "string", "mixed", "mixed",
                                        "real",  "real",   "subset", "date"};
    const uint64_t value = r->u.draw.value;
    int year, month, day;
    double real;
    frng__copy(&real, &value, sizeof real);
    frng__tell_value(t, kinds[r->kind & 15]);
    switch ((int)r->kind) {
    case FRNG_BOOL:
    case FRNG_CHANCE: frng__tell(t, "%s", value == 1 ? "true" : "false"); break;
    case FRNG_INT:
    case FRNG_MIXED_INT: frng__tell(t, "%lld", (long long)value); break;
    case FRNG_F64: frng__tell(t, "%.17g", (double)(value >> 11) / 9007199254740992.0); break;
    case FRNG_REAL:
    case FRNG_REAL_RANGE: frng__tell(t, "%.17g", real); break;
    case FRNG_DATE:
        frng__day(value, &year, &month, &day);
        frng__tell(t, "%04d-%02d-%02d", year, month, day);
        break;
    default: frng__tell(t, "%llu", (unsigned long long)value);
    }
}

/* Tell of an element of a list, or of its end. A list begins where the one in progress asks another
 * question, or has asked for an element that has no draw yet. */
FRNG__ONCE void frng__tell_list(frng__told *t, uint64_t id, bool is_end) {
    frng__told_list *list = t->depth > 0 ? &t->lists[t->depth - 1] : NULL;
    if (list == NULL && id == t->noted) {
        if (is_end) t->noted = 0;
        return;
    }
    if (list != NULL && list->id == id && !t->has_begun) {
        frng__tell_element_end(t);
    } else if (t->depth < FRNG__TOLD_LISTS) {
        const size_t before = t->length;
        frng__tell_value(t, "list");
        list = &t->lists[t->depth++];
        list->opened = t->length > before ? before : t->length;
        frng__tell(t, "[");
        list->id = id;
        list->elements = list->parts = 0;
    }
    t->has_begun = !is_end;
    if (is_end) {
        frng__tell(t, "]");
        t->is_draws |= list->elements > 0;
        t->depth--;
        return;
    }
    if (list->elements++ > 0) frng__tell(t, ", ");
    list->start = t->length;
    list->parts = 0;
}

/* Tell of an element of a list or a letter of a string, or their end. */
FRNG__ONCE void frng__tell_more(frng__told *t, const frng_trace_record *r) {
    const bool is_text = r->kind == FRNG_LETTER, is_end = (uint32_t)r->u.draw.value == 0;
    if (is_text) {
        const int letter = (int)(r->u.draw.value >> 32 & 255);
        if (!t->in_text) frng__tell_value(t, "string");
        if (!t->in_text) frng__tell(t, "\"");
        t->in_text = !is_end;
        if (is_end)
            frng__tell(t, "\"");
        else
            frng__tell(t, letter >= 32 && letter < 127 ? "%c" : "\\x%02x", letter);
        return;
    }
    frng__tell_list(t, (uint32_t)r->u.draw.min, is_end);
}

/* Print the draws of a run, of these records, and this input, which has the bytes of frng_bytes. */
FRNG__ONCE void frng__tell_run(const frng_trace_record *records, uint64_t count,
                               const uint8_t *bytes, size_t size, frng__told_values *v) {
    frng__told t;
    uint64_t to, quiet = 0;
    memset(&t, 0, sizeof t);
    t.is_typed = v->is_typed;
    t.chooser = frng__first_chooser(records, count);
    for (uint64_t i = 0; i < count; i++) {
        const frng_trace_record *r = &records[i];
        const int room = (int)sizeof r->u.text;
        const char *value = frng__told_value(v, i, &to, &quiet);
        if (t.until > 0 && i >= t.until) frng__tell_end(&t);
        if (t.has_note && t.values == 0 && quiet > (value != NULL ? to : i) && quiet < UINT64_MAX)
            t.until = quiet;
        if (t.depth == 0 && frng__is_chooser(records, count, i, t.chooser)) continue;
        if (value != NULL) {
            frng__tell_value(&t, "value");
            frng__tell(&t, "%s", value);
            i = to - 1;
            continue;
        }
        if (r->kind == FRNG_TRACE_NOTE && i < quiet) continue;
        if (r->kind == FRNG_MORE || r->kind == FRNG_LETTER) {
            frng__tell_more(&t, r);
        } else if (r->kind == FRNG_BYTES) {
            frng__tell_value(&t, "bytes");
            for (size_t k = 0; k < r->taken && r->start + k < size; k++)
                frng__tell(&t, k > 0 ? " %02x" : "%02x", bytes[r->start + k]);
        } else if (r->kind <= FRNG_KIND_MAX) {
            frng__tell_number(&t, r);
        } else if (r->kind == FRNG_TRACE_NOTE) {
            frng__tell_end(&t);
            snprintf(t.name, sizeof t.name, "%.*s", room, r->u.text);
            t.has_note = true;
        } else if (r->kind == FRNG_TRACE_STEP) {
            frng__tell_row_end(&t);
            fprintf(stderr, "  %.*s(", room, r->u.text);
            t.in_step = t.in_row = true;
            t.arguments = 0;
        } else if (r->kind == FRNG_TRACE_SAY) {
            frng__tell_row_end(&t);
            fprintf(stderr, "%s%.*s%s", t.in_step ? "    " : "  ", room, r->u.text,
                    r->width == 1 ? "" : "\n");
            for (; r->width == 1 && i + 1 < count; i++)
                r++, fprintf(stderr, "%.*s%s", room, r->u.text, r->width == 1 ? "" : "\n");
        }
    }
    frng__tell_row_end(&t);
}

/* Tell how a process ended that named no place of its failure. */
FRNG__ONCE void frng__tell_status(int status) {
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    const char *name = number == SIGABRT ? ", SIGABRT" : number == SIGSEGV ? ", SIGSEGV" : "";
    if (number == 0) fprintf(stderr, "ended with exit status %d\n", WEXITSTATUS(status));
    if (number != 0) fprintf(stderr, "ended by signal %d%s\n", number, name);
}

FRNG__WRAPS_END
#endif

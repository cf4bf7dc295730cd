/* A trace is the records of a target's draws, in order, with notes, steps and lines between them.
 *
 * The table has a row for each draw: where it begins, its note, the bytes that it took, its kind
 * with its bounds, and its value. All letters of a string are one row. A step is a heading, and
 * what is said stands between the rows.
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

enum { BYTES_SHOWN = 8 };

/* True for a draw of any number of bytes, which are shown from the first on. */
static bool takes_all(const frng_trace_record *r) {
    return r->kind == FRNG_BYTES || r->kind == FRNG_LETTER || r->kind == FRNG_REAL ||
           r->kind == FRNG_MIXED_UINT || r->kind == FRNG_MIXED_INT;
}

/* Return the `taken` bytes that a draw took; if it rejected numbers, only those of the number that
 * it kept. */
static const char *bytes_text(const trace *t, const frng_trace_record *r, uint64_t taken) {
    const uint64_t end = r->start + taken, count = takes_all(r) ? taken : r->width;
    const uint64_t shown = smaller(count, BYTES_SHOWN);
    char hex[2 * BYTES_SHOWN + 1], rejected[48] = "";
    if (end < r->start || end > t->size || count > taken) return "?";
    bytes_to_hex(t->entropy + end - count, shown, hex);
    if (count < taken)
        snprintf(rejected, sizeof rejected, " (%" PRIu64 " rejected)", taken - count);
    return phrase_format("%s%s%s", hex, shown < count ? ".." : "", rejected);
}

/* Return a double in the fewest digits that tell it from all others. */
static const char *real_text(uint64_t bits) {
    double value;
    char text[32] = "";
    memcpy(&value, &bits, sizeof value);
    if (value > -1e15 && value < 1e15 && value == (double)(int64_t)value && value != 0)
        return phrase_format("%.0f", value);
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    return phrase_format("%s", text);
}

static const char *integer_kind(const frng_trace_record *r) {
    const bool is_signed = r->kind == FRNG_INT || r->kind == FRNG_MIXED_INT;
    const bool is_mixed = r->kind == FRNG_MIXED_UINT || r->kind == FRNG_MIXED_INT;
    const uint64_t min = r->u.draw.min, max = r->u.draw.max;
    const unsigned bits = 8u * (r->width <= 8 ? r->width : 8);
    const uint64_t top = bits == 0 ? 0 : UINT64_MAX >> (64 - bits);
    const char *kind =
        phrase_format("%s%c%u", is_mixed ? "mixed " : "", is_signed ? 'i' : 'u', bits);
    if (max - min == top) return kind;
    if (!is_signed) return phrase_format("%s %" PRIu64 "..%" PRIu64, kind, min, max);
    return phrase_format("%s %" PRId64 "..%" PRId64, kind, (int64_t)min, (int64_t)max);
}

const char *trace_kind(const frng_trace_record *r) {
    const uint64_t min = r->u.draw.min, max = r->u.draw.max;
    switch (r->kind) {
    case FRNG_BOOL: return "bool";
    case FRNG_MORE: return "more";
    case FRNG_CHANCE: return phrase_format("chance %" PRIu64 "/%" PRIu64, min, max);
    case FRNG_UINT:
    case FRNG_INT:
    case FRNG_MIXED_UINT:
    case FRNG_MIXED_INT: return integer_kind(r);
    case FRNG_SUBSET: return phrase_format("subset of %" PRIu64, frng__bits(max));
    case FRNG_BYTES: return phrase_format("bytes %" PRIu64, max);
    case FRNG_F64: return "f64";
    case FRNG_REAL: return "double";
    case FRNG_REAL_RANGE: return phrase_format("double %s..%s", real_text(min), real_text(max));
    case FRNG_DATE: return "date";
    case FRNG_INDEX: return phrase_format("index %" PRIu64 "..%" PRIu64, min, max);
    case FRNG_WEIGHTED: return phrase_format("weighted %" PRIu64 "..%" PRIu64, min, max);
    case FRNG_LETTER: return "letter";
    default: return phrase_format("kind %u", r->kind);
    }
}

static const char *subset_text(uint64_t value) {
    char text[64 * 4 + 1] = "";
    size_t used = 0;
    for (unsigned i = 0; i < 64; i++) {
        if ((value >> i & 1) == 0) continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", used > 0 ? ", " : "", i);
    }
    return phrase_format("{%s}", text);
}

const char *trace_value(const frng_trace_record *r, uint64_t value) {
    int year, month, day;
    switch (r->kind) {
    case FRNG_BOOL:
    case FRNG_MORE:
    case FRNG_CHANCE: return value != 0 ? "true" : "false";
    case FRNG_INT:
    case FRNG_MIXED_INT: return phrase_format("%" PRId64, (int64_t)value);
    case FRNG_SUBSET: return subset_text(value);
    case FRNG_BYTES: return "";
    case FRNG_F64: return phrase_format("%.17g", (double)(value >> 11) / 9007199254740992.0);
    case FRNG_REAL:
    case FRNG_REAL_RANGE: return real_text(value);
    case FRNG_DATE:
        frng__day(value % FRNG__DAYS, &year, &month, &day);
        return phrase_format("%04d-%02d-%02d", year, month, day);
    default: return phrase_format("%" PRIu64, value);
    }
}

/* ---- Rows ---- */

/* Return the letters of a string, in quotes, without the last one if the string did not end. The
 * count of its records, which follow one another in the entropy, comes to *used. */
static const char *string_text(const frng_trace_record *records, uint64_t count, uint64_t *used) {
    enum { LETTERS_SHOWN = 60 };
    uint8_t letters[LETTERS_SHOWN] = {0};
    char text[4 * LETTERS_SHOWN + 1];
    uint64_t shown = 0, end = records->start;
    bool ended = false;
    for (*used = 0; !ended && *used < count && records[*used].kind == FRNG_LETTER &&
                    records[*used].start == end;) {
        const frng_trace_record *r = &records[(*used)++];
        ended = (uint32_t)r->u.draw.value == 0;
        end += r->taken;
        if (!ended && shown < LETTERS_SHOWN) letters[shown++] = (uint8_t)(r->u.draw.value >> 32);
    }
    bytes_escape(letters, shown, false, text, sizeof text);
    return phrase_format("\"%s\"%s", text, *used - ended > shown ? "..." : "");
}

/* Return a part that ends with the text at the latest. */
static frng_part clip(frng_part part, size_t size) {
    if (part.at >= size) return (frng_part){0, 0};
    return (frng_part){part.at, (uint8_t)smaller(part.size, size - part.at)};
}

static frng_moment clip_moment(frng_moment m, size_t size) {
    m.from = clip(m.from, size);
    m.to = clip(m.to, size);
    m.what = clip(m.what, size);
    if (m.fate > FRNG_FATE_LOST) m.fate = FRNG_FATE_NONE;
    return m;
}

uint64_t trace_read_line(const frng_trace_record *records, uint64_t count, said_line *line) {
    size_t size = 0;
    bool goes_on = true;
    uint64_t used = 0;
    *line = (said_line){.has_moment = false};
    for (; goes_on && used < count && records[used].kind == FRNG_TRACE_SAY; used++) {
        const frng_trace_record *r = &records[used];
        const size_t length = strnlen(r->u.text, sizeof r->u.text);
        if (length > sizeof line->text - 1 - size) break;
        memcpy(line->text + size, r->u.text, length);
        size += length;
        goes_on = r->width == 1;
        if (used == 0 && goes_on && length == 0) line->has_moment = true;
    }
    if (line->has_moment) line->moment = clip_moment(records[0].u.moment, size);
    return used;
}

const char *trace_part(const said_line *line, frng_part part) {
    if (part.size == 0) return NULL;
    return phrase_escaped(phrase_format("%.*s", (int)part.size, line->text + part.at));
}

const char *trace_title(const frng_trace_record *r) {
    return r != NULL ? phrase_format("%.*s", (int)sizeof r->u.text, r->u.text) : NULL;
}

trace_row trace_row_at(const trace *t, uint64_t at) {
    const frng_trace_record *r = &t->records[at], *last;
    trace_row row = {.start = r->start, .count = 1};
    if (r->kind == FRNG_TRACE_SAY) {
        said_line line;
        row.count = trace_read_line(r, t->count - at, &line);
        row.text = phrase_escaped(line.text);
    } else if (r->kind == FRNG_TRACE_NOTE || r->kind == FRNG_TRACE_STEP) {
        row.text = phrase_escaped(trace_title(r));
    } else if (r->kind == FRNG_LETTER) {
        row.kind = "string";
        row.text = string_text(r, t->count - at, &row.count);
    } else {
        row.kind = trace_kind(r);
        row.text = trace_value(r, r->u.draw.value);
    }
    last = &r[row.count - 1];
    row.size = last->start + last->taken - row.start;
    return row;
}

/* ---- What is folded ----
 *
 * A line tells what draws of a simulated world mean: it stands beside the heading of their step,
 * in place of them. Steps that are the same as the one before are counted. A message of frng_sim.h
 * that only messages pass on its way has one line, where it comes. */

/* Is this such a step, a note of such a draw, or, without a text, of such a line? */
static bool is_told(const trace *t, uint64_t at) {
    return t->folds && trace_is_title(&t->records[at]) && t->records[at].width == 1;
}

static bool is_same_part(const said_line *a, frng_part x, const said_line *b, frng_part y) {
    return x.size == y.size && memcmp(a->text + x.at, b->text + y.at, x.size) == 0;
}

static bool is_same_message(const said_line *a, const said_line *b) {
    const frng_moment *m = &a->moment, *n = &b->moment;
    return m->sent == n->sent && is_same_part(a, m->from, b, n->from) &&
           is_same_part(a, m->to, b, n->to) && is_same_part(a, m->what, b, n->what);
}

/* Does this line say that a message is sent, which comes before a second moment at which something
 * else happens? */
static bool comes_soon(const trace *t, uint64_t at) {
    said_line sent, next;
    uint64_t other = 0, used = 0;
    if (t->folds) used = trace_read_line(&t->records[at], t->count - at, &sent);
    if (used == 0 || !sent.has_moment || sent.moment.fate != FRNG_FATE_SENT) return false;
    for (at += used; at < t->count; at += larger(used, 1)) {
        used = trace_read_line(&t->records[at], t->count - at, &next);
        const frng_moment *m = &next.moment;
        if (used == 0 || !next.has_moment) continue;
        if (other > 0 && m->at > other) return false;
        if (m->at > sent.moment.at && m->fate == FRNG_FATE_NONE) other = m->at;
        if (m->fate == FRNG_FATE_CAME && is_same_message(&sent, &next)) return true;
    }
    return false;
}

static uint64_t step_end(const trace *t, uint64_t at) {
    do at++;
    while (at < t->count && t->records[at].kind != FRNG_TRACE_STEP);
    return at;
}

/* Return how many steps from `at` on are equal, but for their places. */
static uint64_t count_equal(const trace *t, uint64_t at) {
    const uint64_t size = step_end(t, at) - at;
    uint64_t count = 1;
    for (uint64_t next = at + size; t->folds && next < t->count; next += size, count++) {
        if (step_end(t, next) != next + size) break;
        for (uint64_t i = 0; i < size; i++) {
            frng_trace_record a = t->records[at + i], b = t->records[next + i];
            a.start = b.start = 0;
            if (memcmp(&a, &b, sizeof a) != 0) return count;
        }
    }
    return count;
}

/* ---- The table ---- */

typedef struct widths {
    int note, bytes, draw, value;
    bool has_rows, has_told; /* there are draws, and draws that lines tell */
} widths;

/* A table is made twice: without an output, which finds its widths, and with them. */
typedef struct table {
    FILE *out; /* NULL: none */
    const remarks *why;
    widths widths;
    const frng_trace_record *note; /* of the following draws, shown beside the first; or NULL */
    const frng_trace_record *step; /* whose heading waits for its line; or NULL */
    bool is_folded, is_told;       /* the next draw; the next line is that of its step */
    uint64_t steps, step_number, equal, go_on; /* equal ones begin here; after them */
} table;

/* Return the note before what comes next, which is printed with that; "": none. */
static const char *take_note(table *p) {
    const char *text = p->note != NULL ? phrase_escaped(trace_title(p->note)) : "";
    p->note = NULL;
    return text;
}

/* Print a note without draws. */
static void print_lone(table *p) {
    const char *note = take_note(p);
    if (note[0] != '\0' && p->out != NULL) fprintf(p->out, "        %s\n", note);
}

/* True if the note before records[0] names a draw: lines may come between. */
static bool is_draw_next(const frng_trace_record *records, uint64_t count) {
    uint64_t i = 0;
    while (i < count && records[i].kind == FRNG_TRACE_SAY) i++;
    return i < count && records[i].kind < FRNG_TRACE_SAY;
}

/* Return the remarks on bytes from..to - 1: the text that all have, or how many are "any". */
static const char *remarks_text(const remarks *why, uint64_t from, uint64_t to) {
    const char *first = "";
    size_t count = 0, any = 0, same = 0;
    for (size_t i = 0; i < why->count; i++) {
        const remark *r = &why->list[i];
        if (r->start < from || r->start >= to) continue;
        if (count++ == 0) first = r->text;
        any += strcmp(r->text, "any") == 0;
        same += strcmp(r->text, first) == 0;
    }
    return same < count ? phrase_format("%zu of %zu are any", any, count) : phrase_escaped(first);
}

static void measure_row(table *p, const trace_row *row, const char *bytes) {
    enum { VALUE_SHOWN = 30 }; /* a longer value shifts what follows */
    widths *w = &p->widths;
    w->has_rows = true;
    w->bytes = trace_wider(w->bytes, bytes);
    w->draw = trace_wider(w->draw, row->kind);
    if (strlen(row->text) <= VALUE_SHOWN) w->value = trace_wider(w->value, row->text);
}

static void print_trace_row(table *p, const trace_row *row, const char *bytes) {
    const widths *w = &p->widths;
    const char *fails = remarks_text(p->why, row->start, row->start + row->size);
    fprintf(p->out, "%6" PRIu64 "  %-*s%-*s  %-*s  ", row->start, w->note, take_note(p), w->bytes,
            bytes, w->draw, row->kind);
    const char *gap = fails[0] != '\0' ? "  " : "";
    fprintf(p->out, "%-*s%s%s\n", *gap ? w->value : 0, row->text, gap, fails);
}

/* Print the heading of the step that begins at a record, or let it wait for its line. */
static void print_step(table *p, const trace *t, uint64_t at, const char *name) {
    const uint64_t equal = count_equal(t, at), first = ++p->steps;
    if (is_told(t, at)) {
        p->step = &t->records[at];
        p->step_number = first;
        return;
    }
    p->steps += equal - 1;
    p->equal = step_end(t, at);
    p->go_on = at + equal * (p->equal - at);
    if (p->out == NULL) return;
    fprintf(p->out, "%" PRIu64 "%s. %s%s\n", first,
            equal > 1 ? phrase_format("-%" PRIu64, p->steps) : "", name,
            equal > 1 ? phrase_format(", %s times", COUNT(equal)) : "");
}

/* Print a line that the test says; where it tells what its step is, beside the heading. */
static void print_line(table *p, const char *text) {
    const char *heading =
        p->is_told && p->step != NULL
            ? phrase_format("%" PRIu64 ". %s", p->step_number, phrase_escaped(trace_title(p->step)))
            : "      >";
    const char *gap = heading[0] == ' ' ? " " : text[0] == ' ' ? "" : "  ";
    if (p->out != NULL) fprintf(p->out, "%s%s%s\n", heading, gap, text);
    if (heading[0] != ' ') p->step = NULL;
    p->is_told = false;
}

/* Print what begins at a record. Return the count of its records. A step is a heading: the draws
 * below it, up to the next one, are its own. */
static uint64_t print_next(table *p, const trace *t, uint64_t at) {
    const frng_trace_record *r = &t->records[at];
    if (p->note != NULL &&
        (r->kind == FRNG_TRACE_SAY ? !is_draw_next(r, t->count - at) : trace_is_title(r)))
        print_lone(p);
    const bool is_folded = comes_soon(t, at);
    const trace_row row = trace_row_at(t, at);
    if (r->kind == FRNG_TRACE_SAY) {
        if (!is_folded) print_line(p, row.text);
    } else if (r->kind == FRNG_TRACE_STEP) {
        print_step(p, t, at, row.text);
    } else if (is_told(t, at)) {
        p->is_folded = row.text[0] != '\0';
        p->is_told = !p->is_folded;
        p->widths.has_told |= p->out == NULL && r->kind == FRNG_TRACE_NOTE;
    } else if (r->kind == FRNG_TRACE_NOTE) {
        p->note = r;
        if (p->out == NULL) p->widths.note = trace_wider(p->widths.note, row.text);
    } else if (!p->is_folded) {
        (p->out != NULL ? print_trace_row : measure_row)(p, &row, bytes_text(t, r, row.size));
    } else {
        p->is_folded = false;
    }
    return row.count;
}

/* Print all, or measure it. Return the widths. */
static widths print_all(FILE *out, const trace *t, const remarks *why, widths w) {
    table p = {.out = out, .why = why, .widths = w, .equal = UINT64_MAX};
    for (uint64_t i = 0; i < t->count; i = i == p.equal ? p.go_on : i) i += print_next(&p, t, i);
    print_lone(&p);
    return p.widths;
}

void trace_print(FILE *out, const trace *t, const remarks *why) {
    widths w = print_all(NULL, t, why, (widths){.bytes = 5, .draw = 4, .value = 5});
    if (w.note > 0) w.note = trace_wider(w.note, "note") + 2;
    if (w.has_rows || !w.has_told)
        fprintf(out, "offset  %-*s%-*s  %-*s  %-*s%s\n", w.note, w.note > 0 ? "note" : "", w.bytes,
                "bytes", w.draw, "draw", why->count > 0 ? w.value + 2 : 0, "value",
                why->count > 0 ? "fails with" : "");
    print_all(out, t, why, w);
    if (t->reported > t->count) fprintf(out, "... and %s more\n", COUNT(t->reported - t->count));
}

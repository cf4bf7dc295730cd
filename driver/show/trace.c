/* A trace is the records of a target's draws, in order, with notes, steps and lines between them.
 *
 * The table has a row for each draw: where it begins, its note, the bytes that it took, its kind
 * with its bounds, and its value. All letters of a string are one row. A step is a heading, and
 * what is said stands between the rows.
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

/* Return a value of such a draw: that of raw bytes is "", and of a letter a number. */
static const char *value_text(const frng_trace_record *r, uint64_t value) {
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
        row.text = value_text(r, r->u.draw.value);
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

static bool is_title(const frng_trace_record *r) {
    return r->kind == FRNG_TRACE_NOTE || r->kind == FRNG_TRACE_STEP;
}

/* Is this such a step, a note of such a draw, or, without a text, of such a line? */
static bool is_told(const trace *t, uint64_t at) {
    return t->folds && is_title(&t->records[at]) && t->records[at].width == 1;
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

static int wider(int width, const char *text) {
    const int length = (int)strlen(text);
    return length > width ? length : width;
}

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
    w->bytes = wider(w->bytes, bytes);
    w->draw = wider(w->draw, row->kind);
    if (strlen(row->text) <= VALUE_SHOWN) w->value = wider(w->value, row->text);
}

static void print_row(table *p, const trace_row *row, const char *bytes) {
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
    if (is_title(r) || (r->kind == FRNG_TRACE_SAY && !is_draw_next(r, t->count - at)))
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
        if (p->out == NULL) p->widths.note = wider(p->widths.note, row.text);
    } else if (!p->is_folded) {
        (p->out != NULL ? print_row : measure_row)(p, &row, bytes_text(t, r, row.size));
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
    if (w.note > 0) w.note = wider(w.note, "note") + 2;
    if (w.has_rows || !w.has_told)
        fprintf(out, "offset  %-*s%-*s  %-*s  %-*s%s\n", w.note, w.note > 0 ? "note" : "", w.bytes,
                "bytes", w.draw, "draw", why->count > 0 ? w.value + 2 : 0, "value",
                why->count > 0 ? "fails with" : "");
    print_all(out, t, why, w);
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

static size_t count_title(const explanation *e, const frng_trace_record *title) {
    size_t count = 0;
    for (size_t i = 0; i < e->record_count; i++) {
        const frng_trace_record *r = &e->records[i];
        if (is_title(r) && strncmp(r->u.text, title->u.text, sizeof r->u.text) == 0) count++;
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
    return phrase_format("%.63s", value_text(&d->record, value));
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
        if (!is_folded(e, i)) width = wider(width, row_names(e, i));
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

/* Events become a `screen`, the state that is shown; that becomes a `page`, lines of text with
 * their columns; and the page takes the place of the one before at the end of the terminal.
 *
 * A screen shows labelled rows, as the summary at the end does, from the top on (`draw` has their
 * order). The rows that are left below them get the charts: how the size fell, a line of steps on
 * logarithmic axes, and for a search the share of runs that failed at sizes of 0, 1, 2 ... bits.
 * Charts are drawn row by row, as text is; a cell of the line is a character of braille, of 2 x 4
 * dots. Untrusted text is decoded in a locale of our own: no control character reaches the page,
 * wide characters take two columns, and what has no width goes.
 *
 * The live lines need nothing from the terminal that would have to be given back: no other screen,
 * no mode, and the cursor is hidden only within a write. So they survive every kind of end, and
 * what others print follows them: a message erases them first (message_before). Only lines that
 * changed are written, in one frame, and none while the terminal takes no output. The escape
 * sequences are those of ECMA-48 (the cursor goes up, lines are erased), and two modes that
 * terminals which lack them ignore.
 *
 * A terminal that is resized wraps what was shown, scrolls some of it away, and may bring that back
 * when it grows: it is cleared, unless it shows a line by choice. After Ctrl-Z the shell has
 * printed below, and nothing above is touched. */
#include "screen.h"

#include "clock.h"
#include "messages.h"
#include "phrase.h"
#include "rates.h"
#include "seed_input.h"

#include <assert.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

enum { COLUMNS_MIN = 60, ROWS_MIN = 12, COLUMNS_MAX = 240, ROWS_MAX = 60 }; /* of a screen */
enum { REDRAW_MS = 100, FIRST_PAUSE_MS = 10000, METER_PAUSE_MS = 1500 };
#define LONGEST_PAUSE_NS (600 * CLOCK_NS_PER_S)

/* ---- Events ---- */

void meter_add(meter *m, int64_t at_ns, uint64_t count) {
    if (at_ns < m->at_ns[1] + METER_PAUSE_MS * CLOCK_NS_PER_MS) return;
    *m = (meter){{m->at_ns[1], at_ns}, {m->count[1], count}};
}

double meter_rate(const meter *m, int64_t at_ns, uint64_t count) {
    const int64_t span_ns = at_ns - m->at_ns[0];
    if (span_ns <= 0 || count <= m->count[0]) return 0;
    return (double)(count - m->count[0]) * 1e9 / (double)span_ns;
}

static bool is_search(const screen *s) { return s->setup->task == TASK_SEARCH; }

static void add_size(screen *s, uint64_t runs, uint64_t size) {
    if (s->first_runs == 0) s->first_runs = runs;
    s->sizes[frng__bucket(runs)] = size + 1;
}

/* Keep the smallest failure of each signature. */
static void add_failure(screen *s, const failure *f) {
    size_t i = 0;
    while (i < s->failure_count && !failure_is_same(&s->failures[i], f)) i++;
    if (i == SCREEN_FAILURES_MAX) return;
    if (i < s->failure_count && s->failures[i].input.size <= f->input.size) return;
    if (i == s->failure_count) s->failure_count++;
    s->failures[i] = *f;
    s->failures[i].output = NULL;
}

/* Make a failure the best of a search. With --all that before may be of another signature. */
static void set_best(screen *s, const failure *f, const progress *p) {
    s->has_best = true;
    s->best.output = &s->best_output;
    failure_keep(&s->best, f);
    s->best_runs = p->runs;
    s->best_ns = p->elapsed_ns;
    add_size(s, p->runs, f->input.size);
    add_failure(s, f);
}

static void take_tested(screen *s, const tested_runs *t) {
    const unsigned bits = t->size == 0 ? 0 : 64 - (unsigned)__builtin_clzll(t->size);
    s->flaky += t->unreliable;
    if (!t->is_fresh) return; /* chosen by results, they say nothing of how often a size fails */
    s->by_bits[bits].runs += t->runs;
    s->by_bits[bits].failures += t->failures;
}

/* Take the best of a search, which can also be an earlier one than before: the last was flaky. With
 * --all there is none while a round grows. */
static void take_progress(screen *s, const progress *p) {
    if (!is_search(s)) {
        add_size(s, p->runs, p->size);
    } else if (p->best == NULL) {
        s->has_best = s->has_best && s->setup->finds_each;
    } else if (!s->has_best || !seed_input_equal(s->best.input, p->best->input)) {
        set_best(s, p->best, p);
    }
    s->now = *p;
    s->now.best = NULL; /* does not outlive the event */
    meter_add(&s->meter, p->elapsed_ns, p->runs + p->reruns);
}

/* Take a step, and say what it changed: draws, if the target tells them. */
static void take_step(screen *s, const event *e) {
    const byte_change *b = e->change;
    const draw_change *d = e->draw_change;
    const bool has_draws = d != NULL && d->removed + d->inserted > 0;
    take_progress(s, &e->progress);
    s->step_ns = e->progress.elapsed_ns;
    s->draws = e->progress.draws;
    snprintf(s->change, sizeof s->change, "%.31s at %s%s: -%s +%s",
             e->progress.pass != NULL ? e->progress.pass : "", has_draws ? "draw " : "",
             COUNT(has_draws ? d->at : b->offset), COUNT(has_draws ? d->removed : b->removed),
             COUNTED(has_draws ? d->inserted : b->inserted, has_draws ? "draw" : "byte"));
}

static void take_best(screen *s, const event *e) {
    const uint64_t size = e->failure->input.size;
    if (is_search(s)) {
        set_best(s, e->failure, &e->progress);
        return;
    }
    s->head_size = size < SCREEN_HEAD_MAX ? (size_t)size : SCREEN_HEAD_MAX;
    if (size > 0) memcpy(s->head, e->bytes, s->head_size);
}

static void begin(screen *s, const run_setup *setup) {
    *s = (screen){.style = s->style, .setup = setup};
    if (setup->task == TASK_SEARCH) return;
    s->now.size = setup->size;
    add_size(s, 1, setup->size);
}

/* ---- Pages: lines of text ---- */

typedef enum ink { PLAIN_INK, STRONG, RED, GREEN, YELLOW, BLUE, CYAN } ink;

static const char *const ink_codes[] = {"\033[0m",    "\033[0;1m",  "\033[0;31m", "\033[0;32m",
                                        "\033[0;33m", "\033[0;34m", "\033[0;36m"};

enum { LINE_BYTES = COLUMNS_MAX * 16, LABEL_COLUMN = 2, TEXT_COLUMN = 11 };

typedef struct line {
    char text[LINE_BYTES];
    size_t length;
    unsigned columns; /* fewer than those of the terminal */
    ink ink;
} line;

/* Lines under way; the last one begun takes text. There is room for all but charts. */
typedef struct page {
    unsigned columns, rows, count;
    screen_style style;
    line lines[ROWS_MAX + 2];
} page;

static line *current(page *p) { return &p->lines[p->count - 1]; }

static void begin_line(page *p) { p->lines[p->count++] = (line){.length = 0}; }

static void add_bytes(line *l, const char *bytes, size_t size) {
    assert(l->length + size < LINE_BYTES);
    memcpy(l->text + l->length, bytes, size);
    l->length += size;
}

/* Return the character at *text, and move *text past it: '?' or U+FFFD if it cannot be shown. */
static wchar_t next_char(const char **text, bool is_utf8) {
    wchar_t c;
    mbstate_t state = {0};
    const size_t left = strlen(*text), size = mbrtowc(&c, *text, left, &state);
    if (size > left) c = 0xfffd;
    *text += size == (size_t)-1 ? 1 : smaller(size, left);
    if (c == L'\t') return L' ';
    return !is_utf8 && c >= 0x80 ? L'?' : c;
}

/* Return the columns of a character: 0 for marks, and for control characters. */
static unsigned columns_of(wchar_t c) { return wcwidth(c) > 0 ? (unsigned)wcwidth(c) : 0; }

static unsigned width_of(const page *p, const char *text) {
    unsigned width = 0;
    while (*text != '\0') width += columns_of(next_char(&text, p->style.is_utf8));
    return width;
}

static void add_cell(page *p, ink i, wchar_t c) {
    char bytes[MB_LEN_MAX];
    mbstate_t state = {0};
    line *l = current(p);
    if (l->columns + columns_of(c) > p->columns) return;
    if (c != L' ' && i != l->ink) {
        if (p->style.is_coloured) add_bytes(l, ink_codes[i], strlen(ink_codes[i]));
        l->ink = i;
    }
    add_bytes(l, bytes, wcrtomb(bytes, c, &state));
    l->columns += columns_of(c);
}

static void pad_to(page *p, unsigned column) {
    while (current(p)->columns < column && column <= p->columns) add_cell(p, PLAIN_INK, L' ');
}

/* Add text to the line, up to a column, where it is cut. */
static void add_text(page *p, ink i, unsigned end, const char *text) {
    line *l = current(p);
    if (end > p->columns) end = p->columns;
    if (l->columns >= end) return;
    const bool is_cut = width_of(p, text) > end - l->columns;
    if (is_cut) end--;
    while (*text != '\0') {
        const wchar_t c = next_char(&text, p->style.is_utf8);
        if (l->columns + columns_of(c) > end) break;
        if (columns_of(c) > 0) add_cell(p, i, c);
    }
    if (is_cut) add_cell(p, i, p->style.is_utf8 ? 0x2026 : L'>');
}

/* Add text to the line; what does not fit is cut. */
__attribute__((format(printf, 3, 4))) static void put(page *p, ink i, const char *format, ...) {
    char text[COLUMNS_MAX * 4];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add_text(p, i, p->columns, text);
}

/* Begin a line with a label, "" for none. */
static void begin_row(page *p, const char *label) {
    begin_line(p);
    pad_to(p, LABEL_COLUMN);
    add_text(p, CYAN, TEXT_COLUMN - 1, label);
    pad_to(p, TEXT_COLUMN);
}

/* Begin a line with a label, and an ink and text to go with it. */
#define PUT_ROW(p, label, ...) (begin_row(p, label), put(p, __VA_ARGS__))

/* Begin a line for each line of a text, at most `lines_max` of them, without their first bytes. */
static void put_text(page *p, const char *label, const char *text, size_t skipped,
                     unsigned lines_max) {
    for (; lines_max > 0 && *text != '\0'; lines_max--, label = "") {
        const size_t length = strcspn(text, "\n"), skip = length < skipped ? length : skipped;
        PUT_ROW(p, label, PLAIN_INK, "%.*s", (int)(length - skip), text + skip);
        text += length + (text[length] == '\n');
    }
}

/* Return how many lines a part may have on a low, a usual and a high terminal. */
static unsigned lines_of(const page *p, unsigned low, unsigned usual, unsigned high) {
    return p->rows >= 36 ? high : p->rows >= 22 ? usual : low;
}

/* Return the character that fills a cell by 0 to 8 eighths from the left. */
static wchar_t bar_cell(const page *p, double eighths) {
    const int full = eighths < 0 ? 0 : eighths > 8 ? 8 : (int)eighths;
    if (full == 0 || (full < 8 && !p->style.is_utf8)) return p->style.is_utf8 ? 0xb7 : L'.';
    return p->style.is_utf8 ? 0x2590 - full : L'#';
}

/* Add a bar, full by `part` (0 to 1), and a text after it, if there is room for both. */
static void put_bar(page *p, unsigned columns, double part, ink i, const char *after) {
    if (current(p)->columns + columns + width_of(p, after) + 1 > p->columns) return;
    for (unsigned at = 0; at < columns; at++) {
        const double eighths = 8 * (part * columns - at);
        add_cell(p, eighths >= 1 ? i : PLAIN_INK, bar_cell(p, eighths));
    }
    put(p, PLAIN_INK, " %s", after);
}

/* ---- Parts of a search ---- */

static double rate_now(const screen *s) {
    return meter_rate(&s->meter, s->now.elapsed_ns, s->now.runs + s->now.reruns);
}

static void put_best(const screen *s, page *p) {
    if (!s->has_best) {
        PUT_ROW(p, "best", PLAIN_INK, "nothing has failed so far");
        return;
    }
    PUT_ROW(p, "best", STRONG, "size %s", COUNT(s->best.input.size));
    put(p, PLAIN_INK, " fails with ");
    put(p, RED, "%s", site_format(s->best.signature, s->best.site, SITE_TEXT));
    PUT_ROW(p, "", PLAIN_INK, "seed %s, run %s, at %s", seed_text_format(SEED_TEXT, &s->best.input),
            COUNT(s->best_runs), units_format_elapsed(UNITS_TEXT, s->best_ns));
}

/* Put the lines of the output that name the failure. */
static void put_output(const screen *s, page *p) {
    char *text = NULL;
    size_t length;
    FILE *out = s->has_best ? open_memstream(&text, &length) : NULL;
    if (out == NULL) return;
    phrase_put_excerpt(out, s->best.output, s->best.site);
    if (fclose(out) == 0) put_text(p, "prints", text, TEXT_COLUMN, lines_of(p, 2, 3, 6));
    free(text);
}

/* Write how long the passes that are left will take, "" if that is unknown. A search that keeps
 * going doubles their number then. */
static const char *format_after(const screen *s, char text[2 * UNITS_TEXT_MAX]) {
    const search_stint *t = &s->now.stint;
    const uint64_t left = t->wanted > t->passed ? t->wanted - t->passed : 0;
    const double rate = rate_now(s), seconds = rate > 0 ? ceil((double)left / rate) : 1e9;
    const bool doubles = s->setup->keeps_going && t->activity == ACTIVITY_ENDING;
    if (seconds >= 1e9) return "";
    snprintf(text, 2 * UNITS_TEXT_MAX, doubles ? "doubles in %s" : "%s to go",
             units_format_clock(UNITS_TEXT, (int64_t)seconds * CLOCK_NS_PER_S));
    return text;
}

static void put_passes(const screen *s, page *p) {
    const search_stint *t = &s->now.stint;
    if (t->wanted == 0) {
        PUT_ROW(p, "passes", PLAIN_INK, "-");
        return;
    }
    PUT_ROW(p, "passes", PLAIN_INK, "%s of %s in a row  ", COUNT(t->passed), COUNT(t->wanted));
    put_bar(p, p->columns / 5, (double)t->passed / (double)t->wanted, GREEN,
            format_after(s, (char[2 * UNITS_TEXT_MAX]){0}));
}

static void put_bound(const screen *s, page *p) {
    const run_claim *c = &s->now.claim;
    const char *bound = rate_format_bound(c->bound, RATE_TEXT);
    if (c->bound >= 0.99 || (s->has_best ? c->passed == 0 : c->rounds == 0)) {
        PUT_ROW(p, "bound", PLAIN_INK, "none yet");
    } else if (s->has_best) {
        PUT_ROW(p, "bound", PLAIN_INK, "under %s of size %s fail (95%% confidence)", bound,
                COUNT(c->below));
    } else {
        PUT_ROW(p, "bound", PLAIN_INK, "under %s fail at each size up to %s (95%% confidence)",
                bound, COUNT(c->largest));
    }
}

static void put_effort(const screen *s, page *p) {
    static const char *const activities[] = {"starting", "growing", "bisecting the best",
                                             "probing below the best", "just below the best"};
    PUT_ROW(p, "now", STRONG, "size %s", COUNT(s->now.size));
    put(p, PLAIN_INK, ", %s", activities[s->now.stint.activity]);
    put_passes(s, p);
    put_bound(s, p);
    PUT_ROW(p, "effort", STRONG, "%s", COUNTED(s->now.runs, "run"));
    put(p, PLAIN_INK, ", %s/s, %s, %s, %s", COUNT((uint64_t)rate_now(s)),
        COUNTED(s->setup->jobs, "job"), s->setup->mode, COUNTED(s->now.reruns, "rerun"));
}

/* ---- Parts of a reduction ---- */

static void put_size(const screen *s, page *p) {
    const double part = s->setup->size > 0 ? (double)s->now.size / (double)s->setup->size : 0;
    char gone[16];
    snprintf(gone, sizeof gone, "%d%% gone", (int)(100 * (1 - (part < 1 ? part : 1))));
    PUT_ROW(p, "size", STRONG, "%s of %s", COUNT(s->now.size), COUNTED(s->setup->size, "byte"));
    if (s->draws > 0 && s->setup->task == TASK_REDUCE)
        put(p, PLAIN_INK, ", %s", COUNTED(s->draws, "draw"));
    put(p, PLAIN_INK, "  ");
    put_bar(p, p->columns / 5, 1 - part, GREEN, gone);
}

static void put_calls(const screen *s, page *p) {
    const progress *n = &s->now;
    const bool is_in_round = n->pass != NULL && n->pass_count > 0;
    PUT_ROW(p, "calls", STRONG, "%s", COUNT(n->runs));
    put(p, PLAIN_INK, ", %s/s, %s", COUNT((uint64_t)rate_now(s)), COUNTED(s->setup->jobs, "job"));
    PUT_ROW(p, "steps", STRONG, "%s", COUNT(n->steps));
    if (s->change[0] != '\0')
        put(p, PLAIN_INK, ", the last %s ago",
            units_format_elapsed(UNITS_TEXT, n->elapsed_ns - s->step_ns));
    PUT_ROW(p, "pass", is_in_round ? STRONG : PLAIN_INK, "%s", n->pass != NULL ? n->pass : "start");
    if (!is_in_round) return;
    put(p, PLAIN_INK, ", %u of %u in its round  ", n->pass_number, n->pass_count);
    put_bar(p, p->columns / 8, (double)n->pass_number / (double)n->pass_count, BLUE, "");
}

/* Put the last step, and the first bytes of the best: as text, or as "0a 1f" if they hold control
 * characters. */
static void put_best_bytes(const screen *s, page *p) {
    static char text[4 * SCREEN_HEAD_MAX + 1];
    const unsigned lines_max = lines_of(p, 2, 3, 10);
    const size_t step = p->columns / 24 > 1 ? p->columns / 24 * 8 - 8 : 8; /* bytes in a row */
    bool is_text = true;
    for (size_t i = 0; i < s->head_size; i++) {
        const uint8_t b = s->head[i];
        is_text = is_text && (b >= 0x20 || (b >= '\t' && b <= '\r')) && b != 0x7f && b < 0xf8;
        snprintf(text + 3 * i, 4, "%02x%c", b, (i + 1) % step == 0 ? '\n' : ' ');
    }
    PUT_ROW(p, "change", PLAIN_INK, "%s", s->change[0] != '\0' ? s->change : "none yet");
    if (is_text) bytes_escape(s->head, s->head_size, true, text, sizeof text);
    put_text(p, "best", s->head_size > 0 ? text : "", 0, lines_max);
}

/* ---- Parts of both ---- */

/* Write the time since the start, and what is left of the budget, if there is one. */
enum { TIME_MAX = 3 * UNITS_TEXT_MAX };
#define TIME_TEXT ((char[TIME_MAX]){0})
static const char *format_time(char text[TIME_MAX], const screen *s) {
    const int64_t budget_ns = s->setup->limits.budget_ns, elapsed_ns = s->now.elapsed_ns;
    const int64_t left_ns = budget_ns > elapsed_ns ? budget_ns - elapsed_ns : 0;
    units_format_clock(text, elapsed_ns);
    if (budget_ns == CLOCK_NEVER || budget_ns == 0) return text;
    const char *left = units_format_clock(UNITS_TEXT, left_ns + CLOCK_NS_PER_S - 1);
    snprintf(text, TIME_MAX, "%s, %s left", units_format_clock(UNITS_TEXT, elapsed_ns), left);
    return text;
}

static void put_title(const screen *s, page *p) {
    const char *time = format_time(TIME_TEXT, s);
    const unsigned width = width_of(p, time), at = p->columns > width ? p->columns - width : 0;
    char command[COLUMNS_MAX * 4] = "";
    FILE *out = fmemopen(command, sizeof command - 1, "w");
    if (out != NULL) phrase_put_command(out, s->setup->subject);
    if (out != NULL) fclose(out);
    begin_line(p);
    put(p, STRONG, is_search(s) ? "frng-search" : "frng-reduce");
    pad_to(p, 12);
    add_text(p, PLAIN_INK, at > 2 ? at - 2 : 0, command);
    pad_to(p, at);
    add_text(p, STRONG, p->columns, time);
}

/* Count the failures that are not like the best of a search. */
static size_t count_others(const screen *s) {
    size_t count = 0;
    for (size_t i = 0; i < s->failure_count; i++)
        count += !s->has_best || !failure_is_same(&s->failures[i], &s->best);
    return count;
}

/* Put how many other failures there are, and the smallest of each: on the same line, or on a line
 * for each with --all, as far as there is room. */
static void put_others(const screen *s, page *p) {
    const size_t count = count_others(s), room = lines_of(p, 1, 4, 12);
    size_t number = 0;
    PUT_ROW(p, "also", count > 0 ? RED : PLAIN_INK, "%zu other%s", count, phrase_plural(count));
    put(p, PLAIN_INK, ", ");
    put(p, s->flaky > 0 ? YELLOW : PLAIN_INK, "%s flaky", COUNT(s->flaky));
    for (size_t i = 0; i < s->failure_count; i++) {
        const failure *f = &s->failures[i];
        const char *name = site_format(f->signature, f->site, SITE_TEXT),
                   *size = COUNT(f->input.size);
        if (s->has_best && failure_is_same(f, &s->best)) continue;
        number++;
        if (!s->setup->finds_each) {
            put(p, PLAIN_INK, "%s%s (size %s)", number == 1 ? ": " : ", ", name, size);
        } else if (number < room || (number == room && count == room)) {
            PUT_ROW(p, "", PLAIN_INK, "size %s ", size);
            put(p, RED, "%s", name);
        } else if (number == room) {
            PUT_ROW(p, "", PLAIN_INK, "and %zu more", count - room + 1);
        }
    }
}

/* ---- Charts ---- */

enum { SCALE_COLUMNS = 8 };

/* Write a number in at most seven characters: 183,975 or 12M. */
static const char *format_short(char text[UNITS_TEXT_MAX], uint64_t value) {
    static const char *const suffixes[] = {"", "k", "M", "G", "T", "P", "E"};
    unsigned power = 0;
    for (; value >= (power == 0 ? 1000000 : 10000); value /= 1000) power++;
    snprintf(text, UNITS_TEXT_MAX, "%.20s%s", COUNT(value), suffixes[power]);
    return text;
}

/* A chart: the heights of its columns, and the texts around it. */
typedef struct chart {
    bool is_line; /* of two heights a column, of dots; else of columns of eighths */
    unsigned columns, rows;
    const char *title;
    char top[UNITS_TEXT_MAX], bottom[UNITS_TEXT_MAX]; /* the ends of its scale */
    char axis_start[UNITS_TEXT_MAX], axis_end[2 * UNITS_TEXT_MAX];
    unsigned axis_columns; /* from its start to its end; 0: there is nothing to draw yet */
    int heights[2 * COLUMNS_MAX];
} chart;

/* Return the character of a cell of the line, `row` rows from the bottom. Its columns of dots go
 * from the height before down to their own. A size that is larger again begins anew: it is of
 * another signature, or the one before was flaky. */
static wchar_t line_cell(const chart *c, unsigned column, unsigned row, bool is_utf8) {
    static const uint8_t dots[2][4] = {{0x40, 0x04, 0x02, 0x01}, {0x80, 0x20, 0x10, 0x08}};
    const int dots_y = is_utf8 ? 4 : 2, least = (int)row * dots_y;
    unsigned bits = 0, marks = 0;
    for (unsigned x = 2 * column; x < 2 * column + 2; x++) {
        const int to = c->heights[x], before = x > 0 ? c->heights[x - 1] : to;
        for (int y = 0; y < dots_y; y++) {
            if (least + y < to || least + y > (before > to ? before : to)) continue;
            bits |= dots[x % 2][y];
            marks |= 1u << y;
        }
    }
    if (is_utf8) return bits == 0 ? L' ' : (wchar_t)(0x2800 | bits);
    return L" .':"[marks];
}

/* Return the character of a cell of a column of 0 to 8 eighths a row; less than 0: no column. */
static wchar_t column_cell(const chart *c, unsigned column, unsigned row, bool is_utf8) {
    const int height = c->heights[column], here = height - 8 * (int)row;
    if (height == 0 && row == 0) return L'_';
    if (height < 0 || here <= 0) return L' ';
    return is_utf8 ? 0x2580 + (here < 8 ? here : 8) : L" ..::||##"[here < 8 ? here : 8];
}

/* Set the heights of the line of steps, on logarithmic axes. */
static void chart_history(const screen *s, bool is_utf8, chart *c) {
    const int most_height = (int)c->rows * (is_utf8 ? 4 : 2) - 1;
    uint64_t least = UINT64_MAX, most = 0;
    c->title = is_search(s) ? "size over runs" : "size over calls";
    if (s->first_runs == 0) return;
    for (size_t i = 0; i < TALLY_BUCKETS; i++) {
        if (s->sizes[i] > 0) least = smaller(least, s->sizes[i] - 1);
        if (s->sizes[i] > most + 1) most = s->sizes[i] - 1;
    }
    const double low = log1p((double)least), high = log1p((double)most);
    const double first = log1p((double)s->first_runs), last = log1p((double)s->now.runs);
    const unsigned count = 2 * c->columns;
    uint64_t size = most;
    for (unsigned x = 0, at = 0; x < count; x++) {
        const double runs = expm1(first + (last - first) * (x + 1) / count) + 1e-6;
        for (; at <= frng__bucket((uint64_t)fmin(runs, 1e18)); at++)
            if (s->sizes[at] > 0) size = s->sizes[at] - 1;
        /* With more digits than a double has, as on 32 bits, the least would be below 0. */
        const double up = fmax(0, log1p((double)size) - low);
        c->heights[x] = high > low ? (int)(up / (high - low) * most_height + 0.5) : 0;
    }
    format_short(c->top, most);
    format_short(c->bottom, least);
    format_short(c->axis_start, s->first_runs);
    snprintf(c->axis_end, sizeof c->axis_end, "%s %s", format_short(UNITS_TEXT, s->now.runs),
             is_search(s) ? "runs" : "calls");
    c->axis_columns = c->columns;
}

/* Set the heights to shares of failures on a logarithmic scale: none is 0, and one in a million is
 * just visible. */
static void chart_failures(const screen *s, chart *c) {
    enum { WIDTH_MAX = 8, DECADES = 6 };
    unsigned first = 0, end = SCREEN_BITS;
    while (end > 0 && s->by_bits[end - 1].runs == 0) end--;
    while (first < end && s->by_bits[first].runs == 0) first++;
    c->title = "failures by size";
    strcpy(c->top, "all");
    strcpy(c->bottom, "1/1M");
    if (end == 0) return;
    const unsigned fits = c->columns / (end - first);
    const unsigned width = fits < 1 ? 1 : fits < WIDTH_MAX ? fits : WIDTH_MAX;
    c->axis_columns = width * (end - first);
    for (unsigned x = 0; x < c->columns; x++) {
        const bool is_bar = x < c->axis_columns && (width == 1 || x % width < width - 1);
        const runs_by_size *r = &s->by_bits[is_bar ? first + x / width : 0];
        const double share = r->runs > 0 ? (double)r->failures / (double)r->runs : 0;
        const double height = fmax(0.01, 1 + log10(share) / DECADES) * c->rows * 8;
        c->heights[x] = !is_bar || r->runs == 0 ? -1 : share > 0 ? (int)fmax(1, height + 0.5) : 0;
    }
    units_format_size(c->axis_start, first > 0 ? UINT64_C(1) << (first - 1) : 0);
    units_format_size(c->axis_end, end > 1 ? UINT64_C(1) << (end - 2) : 0);
}

/* Add text that ends before a column. */
static void put_right(page *p, unsigned end, const char *text) {
    const unsigned width = width_of(p, text);
    pad_to(p, end > width ? end - width : 0);
    add_text(p, PLAIN_INK, end, text);
}

/* Add a row of a chart from column `left` on: the title, one of the cells, or the axis. */
static void put_chart_row(page *p, const chart *c, unsigned left, unsigned row) {
    const unsigned from = left + SCALE_COLUMNS, end = from + c->axis_columns;
    if (row == 0) {
        pad_to(p, left + LABEL_COLUMN);
        add_text(p, CYAN, from + c->columns, c->title);
    } else if (row > c->rows) {
        pad_to(p, from);
        add_text(p, PLAIN_INK, from + c->columns, c->axis_start);
        if (current(p)->columns + width_of(p, c->axis_end) < end) put_right(p, end, c->axis_end);
    } else {
        put_right(p, from - 1, row == 1 ? c->top : row == c->rows ? c->bottom : "");
        pad_to(p, from);
        if (c->is_line && c->axis_columns == 0 && row == c->rows / 2 + 1)
            put(p, PLAIN_INK, "no failure yet");
        for (unsigned x = 0; x < c->columns && c->axis_columns > 0; x++) {
            const wchar_t cell =
                (c->is_line ? line_cell : column_cell)(c, x, c->rows - row, p->style.is_utf8);
            add_cell(p, cell == L'_' ? PLAIN_INK : c->is_line ? GREEN : RED, cell);
        }
    }
}

/* Put the charts side by side, or the first alone if there is no room for both. */
static void put_charts(const screen *s, page *p) {
    enum { ROWS_LEAST = 7, CHART_ROWS = 12, BOTH_COLUMNS = 70, GAP = 2 };
    static chart fall, failures; /* large */
    const unsigned left = p->rows > p->count ? p->rows - p->count : 0, half = p->columns / 2;
    const bool is_both = is_search(s) && p->columns >= BOTH_COLUMNS;
    if (left < ROWS_LEAST || p->columns + 1 < COLUMNS_MIN) return; /* it was resized just now */
    const unsigned rows = left - 3 < CHART_ROWS ? left - 3 : CHART_ROWS;
    fall = (chart){true, (is_both ? half - GAP : p->columns) - SCALE_COLUMNS, rows};
    failures = (chart){false, half - GAP - SCALE_COLUMNS, rows};
    chart_history(s, p->style.is_utf8, &fall);
    chart_failures(s, &failures);
    begin_line(p);
    for (unsigned row = 0; row < rows + 2; row++) {
        begin_line(p);
        put_chart_row(p, &fall, 0, row);
        if (is_both) put_chart_row(p, &failures, half, row);
    }
}

/* ---- What a screen and a line show ---- */

static void draw(const screen *s, page *p) {
    put_title(s, p);
    if (is_search(s)) {
        put_best(s, p);
        put_output(s, p);
        put_effort(s, p);
        put_others(s, p);
    } else {
        put_size(s, p);
        put_calls(s, p);
        put_others(s, p);
        put_best_bytes(s, p);
    }
    put_charts(s, p);
    if (p->count > p->rows) p->count = p->rows;
    for (unsigned i = 0; i < p->count; i++) {
        line *l = &p->lines[i];
        for (; l->length > 0 && l->text[l->length - 1] == ' '; l->length--) l->columns--;
        if (p->style.is_coloured && l->ink != PLAIN_INK) add_bytes(l, ink_codes[0], 4);
    }
    p->lines[p->count++] = (line){.length = 0}; /* there the cursor rests */
}

/* The same in one line, the most important first. */
static void print_line(const screen *s, FILE *out) {
    const progress *n = &s->now;
    const uint64_t all = n->runs + n->reruns;
    const size_t others = count_others(s);
    const char *rate = units_format_rate(UNITS_TEXT, all, n->elapsed_ns);
    if (is_search(s)) {
        const uint64_t best = s->best.input.size;
        fprintf(out, "size %s | best %s", units_format_size(UNITS_TEXT, n->size),
                s->has_best ? units_format_size(UNITS_TEXT, best) : "none");
        if (n->stint.wanted > 0)
            fprintf(out, " | %s/%s passes", COUNT(n->stint.passed), COUNT(n->stint.wanted));
        fprintf(out, " | %s runs | %s/s", COUNT(all), rate);
    } else {
        fprintf(out, "%s | %s calls | %s/s | %.32s", COUNTED(n->size, "byte"), COUNT(all), rate,
                n->pass != NULL ? n->pass : "start");
        if (n->pass_count > 0) fprintf(out, " | pass %u/%u", n->pass_number, n->pass_count);
    }
    fprintf(out, " | %s", format_time(TIME_TEXT, s));
    if (others > 0) fprintf(out, " | %zu other%s", others, phrase_plural(others));
    if (s->flaky > 0 && is_search(s)) fprintf(out, " | %s flaky", COUNT(s->flaky));
    if (s->flaky > 0 && !is_search(s)) fputs(" | flaky", out);
}

/* ---- The live lines ---- */

typedef struct area {
    unsigned columns, rows;
    bool is_known;
} area;

/* What the terminal shows of us. The cursor is at the end of the last line. */
static struct {
    area area;  /* when it was shown */
    int pauses; /* clock_pauses then */
    page page;  /* no lines: nothing is shown */
} shown;

/* Return the size of the terminal; 80 x 24 if that is not known. */
static area measure(void) {
    struct winsize size;
    const bool known =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 && size.ws_row > 0;
    return known ? (area){size.ws_col, size.ws_row, true} : (area){80, 24, false};
}

static void put_up(FILE *out, unsigned rows) {
    if (rows > 0) fprintf(out, "\033[%uA", rows);
}

/* Write what erases the lines shown, or all of a terminal that was resized. */
static void put_erasure(FILE *out, area now, bool is_resized) {
    const bool is_line = shown.page.style.kind == SCREEN_LINE;
    const unsigned columns = shown.page.lines[0].columns; /* they may take more rows than one now */
    put_up(out, shown.page.count - 1 + (is_line && columns > 0 ? (columns - 1) / now.columns : 0));
    fputs(is_resized && !is_line ? "\033[H\033[J" : "\r\033[J", out);
    shown.page.count = 0;
}

/* Write the lines that differ from those shown. Return false if none does. */
static bool put_lines(FILE *out, const page *p) {
    bool differs = p->count != shown.page.count;
    if (shown.page.count > 0) put_up(out, shown.page.count - 1);
    for (unsigned i = 0; i < p->count; i++) {
        const line *l = &p->lines[i], *before = i < shown.page.count ? &shown.page.lines[i] : NULL;
        const bool is_same = before != NULL && l->length == before->length &&
                             memcmp(l->text, before->text, l->length) == 0;
        differs = differs || !is_same;
        if (i > 0) fputs("\n", out);
        if (!is_same || i == p->count - 1) fprintf(out, "\r%.*s\033[K", (int)l->length, l->text);
    }
    if (p->count < shown.page.count) fputs("\033[J", out);
    return differs;
}

/* Show a page in place of the one before, NULL: none. It is written as one piece, so that a
 * terminal never shows half of it; and not while the terminal takes no output, so that it never
 * holds up the caller. */
static void show_page(const page *p) {
    char *text = NULL;
    size_t length;
    struct pollfd terminal = {STDERR_FILENO, POLLOUT, 0};
    const area now = measure();
    const int pauses = clock_pauses();
    if (pauses != shown.pauses) shown.page.count = 0; /* it is above a shell's */
    shown.pauses = pauses;
    if (p == NULL ? shown.page.count == 0 : poll(&terminal, 1, 0) != 1) return;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) return;
    const bool is_resized = now.columns != shown.area.columns || now.rows != shown.area.rows;
    const bool is_block = p != NULL && (p->count > 1 || shown.page.count > 1);
    bool differs = p == NULL || (is_resized && shown.page.count > 0);
    if (is_block) fputs("\033[?2026h\033[?25l", out); /* until its end show nothing of it */
    if (differs) put_erasure(out, now, is_resized);
    if (p != NULL) differs = put_lines(out, p) || differs;
    if (is_block) fputs("\033[?25h\033[?2026l", out);
    if (p != NULL) shown.page = *p;
    shown.area = now;
    if (fclose(out) == 0 && differs) {
        fwrite(text, 1, length, stderr);
        fflush(stderr);
    }
    free(text);
}

static void erase_shown(void) { show_page(NULL); }

/* ---- Times ---- */

bool screen_is_full(const screen *s) {
    const area now = measure();
    const bool is_wanted =
        s->style.kind == SCREEN_FULL || (s->style.kind == SCREEN_AUTO && now.is_known);
    return is_wanted && message_is_terminal() && now.columns >= COLUMNS_MIN && now.rows >= ROWS_MIN;
}

static void show_screen(const screen *s) {
    static page p;        /* large */
    static locale_t utf8; /* (locale_t)0: this machine has none, and is shown ASCII */
    const area now = measure();
    p.style = s->style;
    p.columns = now.columns - 1 < COLUMNS_MAX ? now.columns - 1 : COLUMNS_MAX;
    p.rows = now.rows - 1 < ROWS_MAX ? now.rows - 1 : ROWS_MAX;
    p.count = 0;
    if (utf8 == (locale_t)0) utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    p.style.is_utf8 = s->style.is_utf8 && utf8 != (locale_t)0;
    const locale_t before = uselocale(utf8);
    draw(s, &p);
    uselocale(before);
    show_page(&p);
}

static void show_line(screen *s) {
    static page p; /* large */
    char text[1024] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    if (out == NULL) return;
    print_line(s, out);
    fclose(out);
    if (message_is_terminal()) {
        p.style = s->style;
        p.count = 0;
        begin_line(&p);
        add_bytes(&p.lines[0], text, strnlen(text, measure().columns - 1));
        p.lines[0].columns = (unsigned)p.lines[0].length;
        show_page(&p);
    } else {
        fprintf(message_stream(), "%s\n", text);
        s->pause_ns = s->pause_ns < LONGEST_PAUSE_NS / 2 ? 2 * s->pause_ns : LONGEST_PAUSE_NS;
    }
}

/* Show what is due at this elapsed time. A tool in the background disturbs no other program. */
static void show(screen *s, int64_t elapsed_ns) {
    const bool on_terminal = message_is_terminal();
    if (s->pause_ns == 0)
        s->pause_ns = s->next_ns = (on_terminal ? REDRAW_MS : FIRST_PAUSE_MS) * CLOCK_NS_PER_MS;
    if (s->style.kind == SCREEN_NONE || elapsed_ns < s->next_ns) return;
    const pid_t group = on_terminal ? tcgetpgrp(STDERR_FILENO) : -1;
    if (group >= 0 && group != getpgrp()) return;
    message_before(erase_shown);
    if (screen_is_full(s)) {
        show_screen(s);
    } else {
        show_line(s);
    }
    s->next_ns = clock_after(elapsed_ns, s->pause_ns);
}

void screen_take(screen *s, const event *e) {
    if (e->kind == EVENT_STARTED) begin(s, e->setup);
    if (s->setup == NULL) return;
    if (e->kind == EVENT_TESTED) take_tested(s, e->tested);
    if (e->kind == EVENT_STEP) take_step(s, e);
    if (e->kind == EVENT_BEST) take_best(s, e);
    if (e->kind == EVENT_OTHER) add_failure(s, e->failure);
    if (e->kind == EVENT_FLAKY && !is_search(s)) s->flaky++;
    if (e->kind == EVENT_PROGRESS) {
        take_progress(s, &e->progress);
        show(s, e->progress.elapsed_ns);
    }
    if (e->kind == EVENT_FINISHED) s->setup = NULL;
}

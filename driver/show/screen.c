/* Events change a `screen`, the state that is shown, from which a `page` is drawn.
 *
 * A page is a grid of characters with their inks; it takes the place of the one before at the end
 * of the terminal.
 *
 * A screen shows labelled rows, as the summary at the end does, from the top on (`draw` has their
 * order). The rows that are left below them get the charts: how the size fell, a line of steps on
 * logarithmic axes, and for a search the share of runs that failed at sizes of 0, 1, 2 ... bits.
 * Untrusted text is decoded in a locale of our own: no control character reaches the page, wide
 * characters take two columns, and what has no width goes. Where the user's locale has no UTF-8, a
 * page is made in the same way, and printed with characters of ASCII in their places.
 *
 * The live lines need nothing from the terminal that would have to be given back: no other screen,
 * no mode, and the cursor is hidden only within a write. So they survive every kind of end, and
 * what others print follows them: a message erases them first (message_before). Only rows that
 * changed are written, in one frame, and none while the terminal takes no output. The escape
 * sequences are those of ECMA-48 (the cursor goes up, lines are erased), and two modes that
 * terminals which lack them ignore.
 *
 * A terminal that is resized wraps what was shown, scrolls some of it away, and may bring that back
 * when it grows: it is cleared, unless it shows a line by choice. After Ctrl-Z the shell has
 * printed below, and nothing above is touched. */
#include "screen.h"

#include "clock.h"
#include "confidence.h"
#include "failure_table.h"
#include "messages.h"
#include "phrase.h"
#include "seed_input.h"
#include "text.h"

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
enum { REDRAW_MS = 100, FIRST_PAUSE_MS = 10000 };
#define LONGEST_PAUSE_NS (600 * CLOCK_NS_PER_S)

/* ---- Events ---- */

static bool is_search(const screen *s) { return s->setup->task == TASK_SEARCH; }

static void add_size(screen *s, uint64_t runs, uint64_t size) {
    if (s->first_runs == 0) s->first_runs = runs;
    s->sizes[frng__bucket(runs)] = size + 1;
}

static void take_tested(screen *s, const tested_runs *t) {
    const unsigned bits = t->size == 0 ? 0 : 64 - (unsigned)__builtin_clzll(t->size);
    s->flaky += t->unreliable;
    if (!t->is_fresh) return; /* chosen by results, they say nothing of how often a size fails */
    s->by_bits[bits].runs += t->runs;
    s->by_bits[bits].failures += t->failures;
}

/* Take the best of a search, which can also be an earlier one than before: the last was flaky, or
 * with --all of another signature. There is none while a round grows. */
static void take_search(screen *s, const progress *p) {
    if (p->best == NULL) s->has_best = s->has_best && s->setup->finds_each;
    if (p->best == NULL || (s->has_best && seed_input_equal(s->best.input, p->best->input))) return;
    s->has_best = true;
    s->best.output = &s->best_output;
    failure_keep(&s->best, p->best);
    s->best_runs = p->runs;
    s->best_ns = p->elapsed_ns;
    add_size(s, p->runs, p->best->input.size);
}

static void take_progress(screen *s, const progress *p) {
    if (is_search(s)) take_search(s, p);
    if (!is_search(s)) add_size(s, p->runs, p->size);
    s->now = *p;
    s->now.best = NULL; /* does not outlive the event */
    meter_add(&s->meter, p->elapsed_ns, p->runs + p->reruns);
}

static void begin_screen(screen *s, const run_setup *setup) {
    const screen_style style = s->style;
    memset(s, 0, sizeof *s); /* a whole one as a value needs a large stack */
    s->style = style;
    s->setup = setup;
    if (setup->task == TASK_SEARCH) return;
    s->now.size = setup->size;
    add_size(s, 1, setup->size);
}

/* ---- Pages: cells of text ---- */

typedef enum ink { PLAIN_INK, STRONG, RED, GREEN, CYAN } ink;

enum { LABEL_COLUMN = 2, TEXT_COLUMN = 11 };

enum { RIGHT_HALF = 1 }; /* of a character that takes two columns */

typedef struct cell {
    wchar_t c; /* 0: a blank */
    ink ink;
} cell;

/* Text goes to the cell at `row` and `column`, and on from there up to the column `end`. */
typedef struct page {
    unsigned columns, rows;
    bool is_utf8, is_coloured;
    unsigned row, column, end, count; /* count: rows begun, or one more than there are */
    cell cells[ROWS_MAX + 1][COLUMNS_MAX];
} page;

/* Return the character at *text, and move *text past it: U+FFFD if there is none. */
static wchar_t next_char(const char **text) {
    wchar_t c;
    mbstate_t state = {0};
    const size_t left = strlen(*text), size = mbrtowc(&c, *text, left, &state);
    *text += size == (size_t)-1 ? 1 : smaller(size, left);
    return size > left ? 0xfffd : c == L'\t' ? L' ' : c;
}

static void add_char(page *p, ink i, wchar_t c) {
    const int width = wcwidth(c); /* 0 or -1: marks, and control characters */
    if (width <= 0 || p->row >= p->rows) return;
    cell *row = p->cells[p->row];
    if (p->column + (unsigned)width <= p->end) {
        row[p->column] = (cell){c, i};
        if (width == 2) row[p->column + 1] = (cell){RIGHT_HALF, i};
        p->column += (unsigned)width;
        return;
    }
    unsigned last = p->end - 1;
    while (row[last].c == RIGHT_HALF) row[last--] = (cell){0, i};
    row[last] = (cell){0x2026, i}; /* an ellipsis: the rest is cut */
    p->column = p->end;
}

static void add_text(page *p, ink i, const char *text) {
    while (*text != '\0') add_char(p, i, next_char(&text));
}

static unsigned columns_of(const char *text) {
    unsigned columns = 0;
    while (*text != '\0') {
        const int width = wcwidth(next_char(&text));
        columns += width > 0 ? (unsigned)width : 0;
    }
    return columns;
}

/* Add text to the row; what does not fit is cut. */
__attribute__((format(printf, 3, 4))) static void put(page *p, ink i, const char *format, ...) {
    char text[COLUMNS_MAX * 4];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add_text(p, i, text);
}

/* Put text at a row and a column, with its ink. */
#define PUT_AT(p, at_row, at_column, ...)                                                          \
    ((p)->row = (at_row), (p)->column = (at_column), put(p, __VA_ARGS__))

static void begin_row(page *p, const char *label) {
    if (p->count <= p->rows) p->count++;
    PUT_AT(p, p->count - 1, LABEL_COLUMN, CYAN, "%s", label);
    p->column = TEXT_COLUMN;
}

/* Begin a row with a label, and an ink and text to go with it. */
#define PUT_ROW(p, label, ...) (begin_row(p, label), put(p, __VA_ARGS__))

/* Begin a row for each line of a text, at most `lines_max` of them, without their first bytes. */
static void put_lines(page *p, const char *label, const char *text, size_t skipped,
                      unsigned lines_max) {
    for (; lines_max > 0 && *text != '\0'; lines_max--, label = "") {
        const size_t length = strcspn(text, "\n"), skip = smaller(length, skipped);
        PUT_ROW(p, label, PLAIN_INK, "%.*s", (int)(length - skip), text + skip);
        text += length + (text[length] == '\n');
    }
}

/* Add how and where a failure fails. Where that does not fit, the start of the path is cut: its end
 * and the line tell more. */
static void put_site(page *p, const failure *f) {
    const char *text = site_format(f->signature, f->site, SITE_TEXT), *at = strstr(text, " at ");
    const char *path = at != NULL ? at + strlen(" at ") : text + strlen(text);
    const size_t before = (size_t)(path - text), shown = before + strcspn(path, " ") + 1;
    const size_t room = p->end - p->column, more = shown > room ? shown - room + 1 : 0;
    const char *line = strchr(path, ':');
    size_t cut = line != NULL && columns_of(text) > room ? smaller(more, (size_t)(line - path)) : 0;
    while (((unsigned char)path[cut] & 0xc0) == 0x80) cut++; /* the rest of a character */
    put(p, RED, "%.*s%s%s", (int)before, text, cut > 0 ? "\xe2\x80\xa6" : "", path + cut);
}

/* Return how many lines a part may have on a low, a usual and a high terminal. */
static unsigned lines_of(const page *p, unsigned low, unsigned usual, unsigned high) {
    return p->rows >= 36 ? high : p->rows >= 22 ? usual : low;
}

/* Add a bar, full by `part` (0 to 1) in eighths of a cell, and a text after it, if there is room
 * for both. */
static void put_bar(page *p, double part, const char *after) {
    const unsigned columns = p->columns / 5;
    if (p->column + columns + strlen(after) + 1 > p->end) return;
    for (unsigned at = 0; at < columns; at++) {
        const double eighths = fmin(8, 8 * (part * columns - at));
        add_char(p, eighths >= 1 ? GREEN : PLAIN_INK, eighths >= 1 ? 0x2590 - (int)eighths : 0xb7);
    }
    put(p, PLAIN_INK, " %s", after);
}

/* Return what stands for a character where only ASCII is shown. */
static wchar_t in_ascii(wchar_t c) {
    if (c >= 0x20 && c < 0x80) return c;
    if (c >= 0x2800 && c <= 0x28ff) /* braille: dots above, and below */
        return L" '.:"[((c & 0x1b) != 0) + 2 * ((c & 0xe4) != 0)];
    if (c >= 0x2581 && c <= 0x2588) return L"..::||##"[c - 0x2581];
    return c == 0x2026 ? L'>' : c == 0xb7 || (c > 0x2588 && c < 0x2590) ? L'.' : L'?';
}

/* Print a row, but for blanks at its end. */
static void print_row(const page *p, unsigned row, FILE *out) {
    static const char *const codes[] = {"0", "0;1", "0;31", "0;32", "0;36"};
    const cell *cells = p->cells[row];
    unsigned count = p->columns;
    ink i = PLAIN_INK;
    while (count > 0 && (cells[count - 1].c == 0 || cells[count - 1].c == L' ')) count--;
    for (unsigned at = 0; at < count; at++) {
        const wchar_t c = cells[at].c != 0 ? cells[at].c : L' ';
        if (p->is_coloured && c != L' ' && cells[at].ink != i)
            fprintf(out, "\033[%sm", codes[i = cells[at].ink]);
        if (c != RIGHT_HALF || !p->is_utf8)
            fprintf(out, "%lc", (wint_t)(p->is_utf8 ? c : in_ascii(c)));
    }
    if (i != PLAIN_INK) fprintf(out, "\033[%sm", codes[PLAIN_INK]);
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
    PUT_ROW(p, "best", STRONG, "size %s fails with ", COUNT(s->best.input.size));
    put_site(p, &s->best);
    PUT_ROW(p, "", PLAIN_INK, "seed %s, run %s, at %s", seed_text_format(SEED_TEXT, &s->best.input),
            COUNT(s->best_runs), numbers_format_elapsed(NUMBERS_TEXT, s->best_ns));
}

static bool is_timed(const screen *s) {
    return s->setup->budget_ns != CLOCK_NEVER && s->setup->budget_ns != 0;
}

/* Return how long the passes that are left will take, "" if that is unknown. Where the title has a
 * clock that runs down, it is the only one: then their share. */
static const char *after_text(const screen *s) {
    const search_stage *t = &s->now.stage;
    if (is_timed(s)) return phrase_format("%d%%", (int)(100 * t->passed / t->wanted));
    const uint64_t left = t->wanted > t->passed ? t->wanted - t->passed : 0;
    const double rate = rate_now(s), seconds = rate > 0 ? ceil((double)left / rate) : 1e9;
    if (seconds >= 1e9) return "";
    return phrase_format("%s to go",
                         numbers_format_clock(NUMBERS_TEXT, (int64_t)seconds * CLOCK_NS_PER_S));
}

static void put_bound(const screen *s, page *p) {
    const run_claim *c = &s->now.claim;
    const char *bound = rate_format_bound(c->bound, RATE_TEXT);
    if (!run_claim_is_bounded(c) || (s->has_best ? c->passed == 0 : c->rounds == 0)) {
        PUT_ROW(p, "bound", PLAIN_INK, "none yet");
    } else if (s->has_best) {
        PUT_ROW(p, "bound", PLAIN_INK, "under %s of size %s fail (95%% confidence)", bound,
                COUNT(c->below));
    } else if (text_bounds(c) != NULL) {
        PUT_ROW(p, "bound", PLAIN_INK, "%s fail (95%%)", text_bounds(c));
    } else {
        PUT_ROW(p, "bound", PLAIN_INK, "under %s fail at %s, 95%% confidence", bound,
                text_sizes(c));
    }
}

static void put_effort(const screen *s, page *p) {
    static const char *const activities[] = {"starting", "growing", "bisecting the best",
                                             "probing below the best", "just below the best"};
    const search_stage *t = &s->now.stage;
    PUT_ROW(p, "now", PLAIN_INK, "size %s, %s", COUNT(s->now.size), activities[t->activity]);
    if (t->wanted == 0) {
        PUT_ROW(p, "passes", PLAIN_INK, "-");
    } else {
        PUT_ROW(p, "passes", PLAIN_INK, "%s of %s in a row  ", COUNT(t->passed), COUNT(t->wanted));
        put_bar(p, (double)t->passed / (double)t->wanted, after_text(s));
    }
    put_bound(s, p);
    if (s->now.goal != NULL)
        PUT_ROW(p, "goal", PLAIN_INK, "%s: at most %s", phrase_escaped(s->now.goal->name),
                COUNT(s->now.goal_most));
    PUT_ROW(p, "effort", PLAIN_INK, "%s, %s, %s, %s, %s", COUNTED(s->now.runs, "run"),
            numbers_format_rate(NUMBERS_TEXT, rate_now(s), "run"), COUNTED(s->setup->jobs, "job"),
            s->setup->mode, COUNTED(s->now.reruns, "rerun"));
}

/* ---- Parts of a reduction ---- */

static void put_size(const screen *s, page *p) {
    const double part = s->setup->size > 0 ? (double)s->now.size / (double)s->setup->size : 0;
    PUT_ROW(p, "size", STRONG, "%s of %s", COUNT(s->now.size), COUNTED(s->setup->size, "byte"));
    if (s->draws > 0 && s->setup->task == TASK_REDUCE)
        put(p, PLAIN_INK, ", %s", COUNTED(s->draws, "draw"));
    put(p, PLAIN_INK, "  ");
    put_bar(p, 1 - part, phrase_format("%d%% gone", (int)(100 * (1 - fmin(part, 1)))));
}

static void put_calls(const screen *s, page *p) {
    const progress *n = &s->now;
    PUT_ROW(p, "calls", PLAIN_INK, "%s, %s, %s", COUNT(n->runs),
            numbers_format_rate(NUMBERS_TEXT, rate_now(s), "call"), COUNTED(s->setup->jobs, "job"));
    PUT_ROW(p, "steps", PLAIN_INK, "%s", COUNT(n->steps));
    if (n->steps > 0)
        put(p, PLAIN_INK, ", the last %s ago",
            numbers_format_elapsed(NUMBERS_TEXT, n->elapsed_ns - s->step_ns));
    PUT_ROW(p, "pass", PLAIN_INK, "%s", n->pass != NULL ? n->pass : "start");
    if (n->pass != NULL && n->pass_count > 0)
        put(p, PLAIN_INK, ", %u of %u in its round", n->pass_number, n->pass_count);
}

/* Put the first bytes of the best, as text: in a binary most of them are escaped. */
static void put_best_bytes(const screen *s, page *p) {
    static char text[4 * SCREEN_HEAD_MAX + 1]; /* stacks may be small */
    bytes_escape(s->head, s->head_size, true, text, sizeof text);
    put_lines(p, "best", text, 0, lines_of(p, 2, 3, 10));
}

/* ---- Parts of both ---- */

/* Return the time since the start, and what is left of the budget, if there is one. */
static const char *time_text(const screen *s) {
    const int64_t budget_ns = s->setup->budget_ns, elapsed_ns = s->now.elapsed_ns;
    const int64_t left_ns = budget_ns > elapsed_ns ? budget_ns - elapsed_ns : 0;
    const char *elapsed = numbers_format_clock(NUMBERS_TEXT, elapsed_ns);
    if (!is_timed(s)) return phrase_format("%s", elapsed);
    return phrase_format(
        "%s, %s left", elapsed,
        numbers_format_clock(NUMBERS_TEXT, clock_after(left_ns, CLOCK_NS_PER_S - 1)));
}

/* Put a command into what is left of the row. A long one loses its beginning, which is often a
 * path: the name of the program and its arguments tell more. */
static void put_command(page *p, const char *command) {
    const unsigned room = p->end > p->column ? p->end - p->column : 0;
    const char *rest = command, *gap = "";
    while (columns_of(gap) + columns_of(rest) > room && *rest != '\0') {
        next_char(&rest);
        gap = "...";
    }
    put(p, PLAIN_INK, "%s%s", gap, rest);
}

static void put_title(const screen *s, page *p) {
    const char *time = time_text(s);
    const unsigned width = (unsigned)strlen(time), at = p->end > width ? p->end - width : 0;
    p->count = 1;
    PUT_AT(p, 0, at, STRONG, "%s", time);
    p->end = at > 2 ? at - 2 : 0;
    PUT_AT(p, 0, 0, STRONG, is_search(s) ? "frng-search " : "frng-reduce ");
    put_command(p, phrase_command(s->setup->subject));
    p->end = p->columns;
}

/* Return the next failure from *at on that is the best of its signature, no flaky one, and not like
 * the best of a search; and move *at behind it. NULL: there are no more. */
static const failure *next_other(const screen *s, size_t *at) {
    const failure_table *t = s->now.failures;
    while (t != NULL && *at < t->count) {
        const failure_row *e = &t->rows[(*at)++];
        if (e->is_best && e->state != FAILURE_FLAKY &&
            !(s->has_best && failure_is_same(&e->failure, &s->best)))
            return &e->failure;
    }
    return NULL;
}

static size_t count_others(const screen *s) {
    size_t count = 0, at = 0;
    while (next_other(s, &at) != NULL) count++;
    return count;
}

/* Put how many other failures there are, and a row for the smallest of each, as far as there is
 * room. */
static void put_others(const screen *s, page *p) {
    const size_t count = count_others(s), room = lines_of(p, 1, 4, 12);
    size_t at = 0;
    PUT_ROW(p, "also", PLAIN_INK, "%s, %s flaky", COUNTED(count, "other"), COUNT(s->flaky));
    for (size_t i = 1; i <= room && i <= count; i++) {
        const failure *f = next_other(s, &at);
        if (i == room && count > room) {
            PUT_ROW(p, "", PLAIN_INK, "and %zu more", count - room + 1);
        } else {
            PUT_ROW(p, "", PLAIN_INK, "size %s ", COUNT(f->input.size));
            put_site(p, f);
        }
    }
}

/* ---- Charts ---- */

enum { SCALE_COLUMNS = 8 };

/* The room of a chart on a page: its title, `rows` rows of cells right of the scale, and its axis.
 * Texts go to its page. */
typedef struct chart {
    page *page;
    unsigned top, left, columns, rows;
} chart;

/* Return a number in at most seven characters: 183,975 or 12M. */
static const char *short_text(uint64_t value) {
    static const char *const suffixes[] = {"", "k", "M", "G", "T", "P", "E"};
    unsigned power = 0;
    for (; value >= (power == 0 ? 1000000 : 10000); value /= 1000) power++;
    return phrase_format("%s%s", COUNT(value), suffixes[power]);
}

static void put_scale(const chart *c, const char *title, const char *highest, const char *lowest) {
    PUT_AT(c->page, c->top, c->left + LABEL_COLUMN, CYAN, "%s", title);
    PUT_AT(c->page, c->top + 1, c->left, PLAIN_INK, "%*s", SCALE_COLUMNS - 1, highest);
    PUT_AT(c->page, c->top + c->rows, c->left, PLAIN_INK, "%*s", SCALE_COLUMNS - 1, lowest);
}

/* Put the ends of an axis of so many columns. The right one is left out if it would touch the left
 * one. */
static void put_axis(const chart *c, const char *start, const char *end, unsigned columns) {
    const unsigned row = c->top + c->rows + 1, left = c->left + SCALE_COLUMNS;
    const unsigned width = (unsigned)strlen(end);
    PUT_AT(c->page, row, left, PLAIN_INK, "%s", start);
    if (strlen(start) + width < columns)
        PUT_AT(c->page, row, left + columns - width, PLAIN_INK, "%s", end);
}

/* Return the cell of a chart, `row` rows from its bottom. */
static cell *cell_of(const chart *c, unsigned column, unsigned row) {
    return &c->page->cells[c->top + c->rows - row][c->left + SCALE_COLUMNS + column];
}

/* Put the line of steps, on logarithmic axes, as dots of braille: 2 x 4 in a cell. At each of its
 * columns it goes from the height before down to its own. A size that is larger again begins anew:
 * it is of another signature, or the one before was flaky. */
static void put_history(const screen *s, const chart *c) {
    static const uint8_t dots[2][4] = {{0x40, 0x04, 0x02, 0x01}, {0x80, 0x20, 0x10, 0x08}};
    const unsigned count = 2 * c->columns;
    const char *noun = is_search(s) ? "runs" : "calls";
    uint64_t least = UINT64_MAX, most = 0;
    const char *title = phrase_format("size over %s", noun);
    const char *end = phrase_format("%s %s", short_text(s->now.runs), noun);
    for (size_t i = 0; i < TALLY_BUCKETS; i++) {
        if (s->sizes[i] == 0) continue;
        least = smaller(least, s->sizes[i] - 1);
        most = larger(most, s->sizes[i] - 1);
    }
    if (s->first_runs == 0) {
        put_scale(c, title, "", "");
        PUT_AT(c->page, c->top + c->rows / 2 + 1, c->left + SCALE_COLUMNS, PLAIN_INK,
               "no failure yet");
        return;
    }
    put_scale(c, title, short_text(most), short_text(least));
    put_axis(c, short_text(s->first_runs), end, c->columns);
    const double low = log1p((double)least), high = log1p((double)most);
    const double first = log1p((double)s->first_runs), last = log1p((double)s->now.runs);
    uint64_t size = most;
    unsigned before = 0;
    for (unsigned x = 0, at = 0; x < count; x++) {
        const double runs = expm1(first + (last - first) * (x + 1) / count) + 1e-6;
        for (; at <= frng__bucket((uint64_t)fmin(runs, 1e18)); at++)
            if (s->sizes[at] > 0) size = s->sizes[at] - 1;
        /* With more digits than a double has, as on 32 bits, the least would be below 0. */
        const double up = fmax(0, log1p((double)size) - low);
        const unsigned y = high > low ? (unsigned)(up / (high - low) * (4 * c->rows - 1) + 0.5) : 0;
        for (unsigned dot = y; dot == y || (x > 0 && dot <= before); dot++) {
            cell *to = cell_of(c, x / 2, dot / 4);
            *to = (cell){to->c | 0x2800 | dots[x % 2][dot % 4], GREEN};
        }
        before = y;
    }
}

/* Put a column for the sizes of as many bits: the share of their runs that failed, on a logarithmic
 * scale in eighths of a row. None is 0, and one in a million is just visible. */
static void put_failures(const screen *s, const chart *c) {
    enum { WIDTH_MAX = 8, DECADES = 6 };
    unsigned first = 0, end = SCREEN_BITS;
    while (end > 0 && s->by_bits[end - 1].runs == 0) end--;
    while (first < end && s->by_bits[first].runs == 0) first++;
    put_scale(c, "failures by size", "all", "1/1M");
    if (end == 0) return;
    const unsigned width = (unsigned)larger(1, smaller(c->columns / (end - first), WIDTH_MAX));
    for (unsigned x = 0; x < width * (end - first) && x < c->columns; x++) {
        const runs_by_size *r = &s->by_bits[first + x / width];
        const double share = r->runs > 0 ? (double)r->failures / (double)r->runs : 0;
        const double height = fmax(0.01, 1 + log10(share) / DECADES) * c->rows * 8;
        const int eighths = share > 0 ? (int)fmax(1, height + 0.5) : 0;
        if (r->runs == 0 || (width > 1 && x % width == width - 1)) continue; /* a gap */
        if (eighths == 0) *cell_of(c, x, 0) = (cell){L'_', PLAIN_INK};
        for (int row = 0; 8 * row < eighths; row++)
            *cell_of(c, x, (unsigned)row) = (cell){0x2580 + (int)fmin(8, eighths - 8 * row), RED};
    }
    put_axis(c, numbers_format_size(NUMBERS_TEXT, first > 0 ? UINT64_C(1) << (first - 1) : 0),
             numbers_format_size(NUMBERS_TEXT, end > 1 ? UINT64_C(1) << (end - 2) : 0),
             width * (end - first));
}

/* Put the charts side by side, or the first alone if there is no room for both. */
static void put_charts(const screen *s, page *p) {
    enum { ROWS_LEAST = 7, CHART_ROWS = 12, BOTH_COLUMNS = 70, GAP = 2 };
    const unsigned left = p->rows > p->count ? p->rows - p->count : 0, half = p->columns / 2;
    const bool is_both = is_search(s) && p->columns >= BOTH_COLUMNS;
    if (left < ROWS_LEAST) return;
    const unsigned rows = left - 3 < CHART_ROWS ? left - 3 : CHART_ROWS, top = p->count + 1;
    p->count += rows + 3;
    put_history(s, &(chart){p, top, 0, (is_both ? half - GAP : p->columns) - SCALE_COLUMNS, rows});
    if (is_both) put_failures(s, &(chart){p, top, half, half - GAP - SCALE_COLUMNS, rows});
}

/* ---- What a screen and a line show ---- */

static void draw(const screen *s, page *p) {
    put_title(s, p);
    if (is_search(s)) {
        put_best(s, p);
        put_lines(p, "prints", s->has_best ? phrase_excerpt(s->best.output, s->best.site) : "",
                  TEXT_COLUMN, lines_of(p, 2, 3, 6));
        put_effort(s, p);
        put_others(s, p);
    } else {
        put_size(s, p);
        put_calls(s, p);
        put_others(s, p);
        put_best_bytes(s, p);
    }
    put_charts(s, p);
    p->count = (unsigned)smaller(p->count, p->rows) + 1; /* the cursor rests below */
}

/* The same in one line, the most important first. */
static void print_line(const screen *s, FILE *out) {
    const progress *n = &s->now;
    const uint64_t all = n->runs + n->reruns;
    const size_t others = count_others(s);
    const double rate = meter_rate(&(meter){0}, n->elapsed_ns, all);
    if (is_search(s)) {
        const uint64_t best = s->best.input.size;
        fprintf(out, "size %s | best %s", numbers_format_size(NUMBERS_TEXT, n->size),
                s->has_best ? numbers_format_size(NUMBERS_TEXT, best) : "none");
        if (n->stage.wanted > 0)
            fprintf(out, " | %s/%s passes", COUNT(n->stage.passed), COUNT(n->stage.wanted));
        fprintf(out, " | %s runs | %s", COUNT(all), numbers_format_rate(NUMBERS_TEXT, rate, "run"));
    } else {
        fprintf(out, "%s | %s calls | %s | %.32s", COUNTED(n->size, "byte"), COUNT(all),
                numbers_format_rate(NUMBERS_TEXT, rate, "call"),
                n->pass != NULL ? n->pass : "start");
        if (n->pass_count > 0) fprintf(out, " | pass %u/%u", n->pass_number, n->pass_count);
    }
    fprintf(out, " | %s", time_text(s));
    if (others > 0) fprintf(out, " | %s", COUNTED(others, "other"));
    if (s->flaky > 0 && is_search(s)) fprintf(out, " | %s flaky", COUNT(s->flaky));
    if (s->flaky > 0 && !is_search(s)) fputs(" | flaky", out);
}

/* ---- The live lines ---- */

/* What the terminal shows of us. The cursor is on the last row. */
static struct {
    struct winsize size; /* of the terminal, when it was shown */
    int pauses;          /* clock_pauses then */
    page page;           /* no rows: nothing is shown */
} shown;

/* Return the size of the terminal; no rows and columns if that is not known. */
static struct winsize terminal_size(void) {
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size : (struct winsize){.ws_row = 0};
}

/* Write the rows that differ from those shown, from the first of these on. */
static void put_rows(FILE *out, const page *p) {
    for (unsigned i = 0; i < p->count; i++) {
        const bool is_same = i < shown.page.count &&
                             memcmp(p->cells[i], shown.page.cells[i], sizeof p->cells[i]) == 0;
        if (i > 0) fputs("\n", out);
        if (is_same && i < p->count - 1) continue;
        fputs("\r", out);
        print_row(p, i, out);
        fputs("\033[K", out);
    }
    if (p->count < shown.page.count) fputs("\033[J", out);
}

/* Show a page in place of the one before, NULL: none. It is written as one piece, so that a
 * terminal never shows half of it; and not while the terminal takes no output, so that it never
 * holds up the caller. */
static void show_page(const page *p) {
    char *text = NULL;
    size_t length;
    struct pollfd terminal = {STDERR_FILENO, POLLOUT, 0};
    if (clock_pauses() != shown.pauses) shown.page.count = 0; /* it is above a shell's */
    shown.pauses = clock_pauses();
    const struct winsize now = terminal_size();
    const bool is_resized = shown.page.count > 0 && memcmp(&now, &shown.size, sizeof now) != 0;
    if (p == NULL ? shown.page.count == 0 : poll(&terminal, 1, 0) != 1) return;
    if (p != NULL && !is_resized && memcmp(p, &shown.page, sizeof *p) == 0) return;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) return;
    fputs("\033[?2026h\033[?25l", out); /* until its end show nothing of it */
    if (shown.page.count > 1) fprintf(out, "\033[%uA", shown.page.count - 1);
    if (p == NULL || is_resized) {
        fputs(is_resized && shown.page.count > 1 ? "\033[H\033[J" : "\r\033[J", out);
        shown.page.count = 0;
    }
    if (p != NULL) {
        put_rows(out, p);
        memcpy(&shown.page, p, sizeof *p);
    }
    fputs("\033[?25h\033[?2026l", out);
    shown.size = now;
    if (fclose(out) == 0 && text != NULL) {
        fwrite(text, 1, length, stderr);
        fflush(stderr);
    }
    free(text);
}

static void erase_shown(void) { show_page(NULL); }

/* ---- Times ---- */

bool screen_is_full(const screen *s) {
    const struct winsize now = terminal_size();
    return (s->style.kind == SCREEN_AUTO || s->style.kind == SCREEN_FULL) &&
           message_is_terminal() && now.ws_col >= COLUMNS_MIN && now.ws_row >= ROWS_MIN;
}

/* Show a line, or the screen (NULL). */
static void show_on_terminal(const screen *s, const char *text) {
    static page p;        /* large */
    static locale_t utf8; /* (locale_t)0: this machine has none, and is shown ASCII */
    const struct winsize now = terminal_size();
    if (utf8 == (locale_t)0) utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    memset(&p, 0, sizeof p);
    p.rows = text != NULL ? 1 : (unsigned)smaller(now.ws_row - 1u, ROWS_MAX);
    p.columns = (unsigned)smaller(now.ws_col > 1 ? now.ws_col - 1u : 79, COLUMNS_MAX);
    p.end = p.columns;
    p.is_utf8 = s->style.is_utf8 && utf8 != (locale_t)0;
    p.is_coloured = s->style.is_coloured;
    const locale_t before = uselocale(utf8);
    if (text != NULL) {
        add_text(&p, PLAIN_INK, text);
        p.count = 1;
    } else {
        draw(s, &p);
    }
    show_page(&p);
    uselocale(before);
}

static void show_line(screen *s) {
    char text[1024] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    if (out == NULL) return;
    print_line(s, out);
    fclose(out);
    if (message_is_terminal()) {
        show_on_terminal(s, text);
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
    if (screen_is_full(s))
        show_on_terminal(s, NULL);
    else
        show_line(s);
    s->next_ns = clock_after(elapsed_ns, s->pause_ns);
}

void screen_take(screen *s, const event *e) {
    if (e->kind == EVENT_STARTED) begin_screen(s, e->setup);
    if (s->setup == NULL) return;
    if (e->kind == EVENT_TESTED) take_tested(s, e->tested);
    if (e->kind == EVENT_FLAKY && !is_search(s)) s->flaky++;
    if (e->kind == EVENT_PROGRESS || e->kind == EVENT_STEP || e->kind == EVENT_BEST)
        take_progress(s, &e->progress);
    if (e->kind == EVENT_STEP) {
        s->step_ns = e->progress.elapsed_ns;
        s->draws = e->progress.draws;
    }
    if (e->kind == EVENT_BEST && !is_search(s)) {
        s->head_size = (size_t)smaller(e->failure->input.size, SCREEN_HEAD_MAX);
        if (s->head_size > 0) memcpy(s->head, e->bytes, s->head_size);
    }
    if (e->kind == EVENT_PROGRESS) show(s, e->progress.elapsed_ns);
    if (e->kind == EVENT_FINISHED) s->setup = NULL;
}

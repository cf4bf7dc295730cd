#include "screen_reduce.h"

#include "bytes.h"
#include "failure.h"
#include "trace.h"

#include <stdio.h>
#include <string.h>

/* ---- State ---- */

void screen_reduce_begin(screen_reduce *r, const run_setup *setup) {
    memset(r, 0, sizeof *r);
    r->setup = setup;
    r->now.size = setup->size;
    history_add(&r->sizes, 1, setup->size);
}

static void take_progress(screen_reduce *r, const progress *p) {
    r->now = *p;
    r->now.best = NULL; /* does not outlive the event */
    history_add(&r->sizes, p->runs, p->size);
    meter_add(&r->meter, p->elapsed_ns, p->runs);
}

static void take_step(screen_reduce *r, const event *e) {
    const char *name = e->progress.pass != NULL ? e->progress.pass : "";
    take_progress(r, &e->progress);
    r->has_step = true;
    r->step_ns = e->progress.elapsed_ns;
    r->draws = e->progress.draws;
    r->change.bytes = *e->change;
    r->change.draws = e->draw_change != NULL ? *e->draw_change : (draw_change){.at = 0};
    snprintf(r->change.pass, sizeof r->change.pass, "%.31s", name);
}

static void take_best(screen_reduce *r, const event *e) {
    const uint64_t size = e->failure->input.size;
    r->best.size = size < SCREEN_HEAD_MAX ? (size_t)size : SCREEN_HEAD_MAX;
    if (size > 0) memcpy(r->best.bytes, e->bytes, r->best.size);
}

void screen_reduce_take(screen_reduce *r, const event *e) {
    if (e->kind == EVENT_PROGRESS) take_progress(r, &e->progress);
    if (e->kind == EVENT_STEP) take_step(r, e);
    if (e->kind == EVENT_BEST) take_best(r, e);
    r->others += e->kind == EVENT_OTHER;
    r->flaky += e->kind == EVENT_FLAKY;
}

/* ---- Bytes as text ---- */

/* True if bytes read as text: no control characters but white space. */
static bool is_text(const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        const uint8_t b = bytes[i];
        if ((b < 0x20 && b != '\n' && b != '\t' && b != '\r') || b == 0x7f || b >= 0xf8)
            return false;
    }
    return true;
}

enum { HEX_ROW = 3, SHOWN_MAX = 3 * SCREEN_HEAD_MAX + 1 };

/* Write bytes as "0a 1f". */
static void put_hex(const uint8_t *bytes, size_t size, char *text, size_t text_max) {
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < size && length + HEX_ROW < text_max; i++) {
        length +=
            (size_t)snprintf(text + length, text_max - length, i > 0 ? " %02x" : "%02x", bytes[i]);
    }
}

/* ---- Parts ---- */

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static void put_size(const screen_reduce *r, panel *p) {
    char size[UNITS_TEXT_MAX], gone[UNITS_TEXT_MAX];
    const double part = r->setup->size > 0 ? (double)r->now.size / (double)r->setup->size : 0;
    panel_begin(p, "size");
    panel_put(p, INK_STRONG, "%s of %s byte%s", units_format_count(size, r->now.size),
              units_format_count(UNITS_TEXT, r->setup->size), plural(r->setup->size));
    if (r->draws > 0 && r->setup->task == TASK_REDUCE) {
        panel_put(p, INK_PLAIN, ", %s draw%s", units_format_count(UNITS_TEXT, r->draws),
                  plural(r->draws));
    }
    panel_put(p, INK_PLAIN, "  ");
    snprintf(gone, sizeof gone, "%d%% gone", (int)(100 * (1 - (part < 1 ? part : 1))));
    panel_bar(p, (panel_gauge){p->canvas->columns / 5, 1 - part, INK_GREEN, gone});
}

static void put_calls(const screen_reduce *r, panel *p) {
    char calls[UNITS_TEXT_MAX], steps[UNITS_TEXT_MAX], ago[UNITS_TEXT_MAX];
    const double now = meter_rate(&r->meter, r->now.elapsed_ns, r->now.runs);
    panel_begin(p, "calls");
    panel_put(p, INK_STRONG, "%s", units_format_count(calls, r->now.runs));
    panel_put(p, INK_PLAIN, ", %s/s, %u job%s", units_format_count(UNITS_TEXT, (uint64_t)now),
              r->setup->jobs, plural(r->setup->jobs));
    panel_begin(p, "steps");
    panel_put(p, INK_STRONG, "%s", units_format_count(steps, r->now.steps));
    if (!r->has_step) return;
    panel_put(p, INK_PLAIN, ", the last %s ago",
              units_format_elapsed(ago, r->now.elapsed_ns - r->step_ns));
}

static void put_pass(const screen_reduce *r, panel *p) {
    panel_begin(p, "pass");
    if (r->now.pass == NULL || r->now.pass_count == 0) {
        panel_put(p, INK_PLAIN, "%s", r->now.pass != NULL ? r->now.pass : "start");
        return;
    }
    panel_put(p, INK_STRONG, "%s", r->now.pass);
    panel_put(p, INK_PLAIN, ", %u of %u in its round  ", r->now.pass_number, r->now.pass_count);
    panel_bar(p,
              (panel_gauge){p->canvas->columns / 8,
                            (double)r->now.pass_number / (double)r->now.pass_count, INK_BLUE, ""});
}

/* One side of a change: `count` bytes or draws, after a sign. */
typedef struct change_side {
    char sign;
    canvas_ink ink;
    uint64_t count;
} change_side;

/* Put the lines of one side of a change, each after its sign. */
static void put_side(panel *p, change_side side, const uint8_t *bytes, unsigned lines_max) {
    const size_t shown = side.count < BYTE_CHANGE_SHOWN ? (size_t)side.count : BYTE_CHANGE_SHOWN;
    char text[4 * BYTE_CHANGE_SHOWN + 1];
    const char *rest = text;
    if (side.count == 0) return;
    if (is_text(bytes, shown)) {
        bytes_escape(bytes, shown, true, text, sizeof text);
    } else {
        put_hex(bytes, shown, text, sizeof text);
    }
    for (unsigned i = 0; i < lines_max && *rest != '\0'; i++) {
        const size_t length = strcspn(rest, "\n");
        const bool is_end = rest[length] == '\0' || rest[length + 1] == '\0' || i == lines_max - 1;
        panel_begin(p, "");
        panel_put(p, side.ink, "%c %.*s%s", side.sign, (int)length, rest,
                  is_end && side.count > shown ? " ..." : "");
        rest += length + (rest[length] == '\n');
    }
}

/* Put the values of one side of a change of draws. */
static void put_draws(panel *p, change_side side, const frng_trace_record *draws) {
    char value[TRACE_VALUE_MAX];
    if (side.count == 0) return;
    panel_begin(p, "");
    panel_put(p, side.ink, "%c", side.sign);
    for (size_t i = 0; i < side.count && i < DRAW_CHANGE_SHOWN; i++) {
        const bool is_note = draws[i].kind == FRNG_TRACE_NOTE;
        if (!is_note) trace_format_value(&draws[i], value);
        panel_put(p, side.ink, " %s%s", is_note ? draws[i].u.text : value,
                  i + 1 < side.count ? "," : "");
    }
    if (side.count > DRAW_CHANGE_SHOWN) panel_put(p, side.ink, " ...");
}

static void put_change(const screen_reduce *r, panel *p, unsigned lines_max) {
    char at[UNITS_TEXT_MAX];
    const byte_change *b = &r->change.bytes;
    const draw_change *d = &r->change.draws;
    const bool has_draws = d->removed + d->inserted > 0;
    panel_begin(p, "change");
    if (!r->has_step) {
        panel_put(p, INK_PLAIN, "none yet");
        return;
    }
    const uint64_t gone = has_draws ? d->removed : b->removed;
    const uint64_t come = has_draws ? d->inserted : b->inserted;
    panel_put(p, INK_PLAIN, "%s at %s%s: -%s +%s %s%s", r->change.pass, has_draws ? "draw " : "",
              units_format_count(at, has_draws ? d->at : b->offset),
              units_format_count(UNITS_TEXT, gone), units_format_count(UNITS_TEXT, come),
              has_draws ? "draw" : "byte", plural(come));
    if (has_draws) {
        put_draws(p, (change_side){'-', INK_RED, gone}, d->before);
        put_draws(p, (change_side){'+', INK_GREEN, come}, d->after);
    } else {
        put_side(p, (change_side){'-', INK_RED, gone}, b->before, lines_max);
        put_side(p, (change_side){'+', INK_GREEN, come}, b->after, lines_max);
    }
}

static void put_head(const screen_reduce *r, panel *p, unsigned lines_max) {
    static char text[SHOWN_MAX];
    const screen_head *h = &r->best;
    if (h->size == 0 || lines_max == 0) return;
    if (is_text(h->bytes, h->size)) {
        bytes_escape(h->bytes, h->size, true, text, sizeof text);
        panel_text(p, "best", text, lines_max);
        return;
    }
    const size_t row = p->canvas->columns / HEX_ROW / 8 * 8, step = row > 8 ? row - 8 : 8;
    for (size_t at = 0; at < h->size && lines_max > 0; at += step, lines_max--) {
        put_hex(h->bytes + at, h->size - at < step ? h->size - at : step, text, sizeof text);
        panel_begin(p, at == 0 ? "best" : "");
        panel_put(p, INK_PLAIN, "%s", text);
    }
}

static void put_others(const screen_reduce *r, panel *p) {
    char flaky[UNITS_TEXT_MAX];
    panel_begin(p, "also");
    panel_put(p, r->others > 0 ? INK_RED : INK_PLAIN, "%s other failure%s",
              units_format_count(UNITS_TEXT, r->others), plural(r->others));
    panel_put(p, INK_PLAIN, ", ");
    panel_put(p, r->flaky > 0 ? INK_YELLOW : INK_PLAIN, "%s flaky",
              units_format_count(flaky, r->flaky));
}

static void put_chart(const screen_reduce *r, panel *p) {
    enum { ROWS_MAX = 14 };
    const unsigned left = panel_left(p);
    if (left < PANEL_CHART_ROWS_MIN + 1 || p->canvas->columns < PANEL_CHART_COLUMNS_MIN) return;
    const canvas_area area = {p->count + 1, 0, left - 1 < ROWS_MAX ? left - 1 : ROWS_MAX,
                              p->canvas->columns};
    panel_history(p, area, (panel_curve){"size over calls", "calls", &r->sizes, r->now.runs});
    p->count = area.row + area.rows;
}

unsigned screen_reduce_draw(const screen_reduce *r, const char *subject, canvas *c) {
    enum { ROWS_SOME = 22, ROWS_MANY = 36 };
    char time[PANEL_TIME_MAX];
    panel p = panel_on(c);
    const unsigned detail = c->rows >= ROWS_MANY ? 3 : c->rows >= ROWS_SOME ? 1 : 0;
    panel_title(&p, "frng-reduce", subject, panel_format_time(time, r->setup, r->now.elapsed_ns));
    put_size(r, &p);
    put_calls(r, &p);
    put_pass(r, &p);
    put_others(r, &p);
    put_change(r, &p, detail + 1);
    put_head(r, &p, detail == 3 ? 10 : detail == 1 ? 3 : 2);
    put_chart(r, &p);
    return p.count < c->rows ? p.count : c->rows;
}

/* ---- The status line ---- */

void screen_reduce_line(const screen_reduce *r, char text[SCREEN_LINE_MAX]) {
    char size[UNITS_TEXT_MAX], calls[UNITS_TEXT_MAX], rate[UNITS_TEXT_MAX], others[UNITS_TEXT_MAX],
        time[PANEL_TIME_MAX];
    const progress *p = &r->now;
    int length = snprintf(
        text, SCREEN_LINE_MAX, "%s byte%s | %s calls | %s/s | %.32s",
        units_format_count(size, p->size), plural(p->size), units_format_count(calls, p->runs),
        units_format_rate(rate, p->runs, p->elapsed_ns), p->pass != NULL ? p->pass : "start");
    if (p->pass_count > 0) {
        length += snprintf(text + length, SCREEN_LINE_MAX - (size_t)length, " | pass %u/%u",
                           p->pass_number, p->pass_count);
    }
    length += snprintf(text + length, SCREEN_LINE_MAX - (size_t)length, " | %s",
                       panel_format_time(time, r->setup, p->elapsed_ns));
    if (r->others > 0) {
        length += snprintf(text + length, SCREEN_LINE_MAX - (size_t)length, " | %s other%s",
                           units_format_count(others, r->others), plural(r->others));
    }
    if (r->flaky > 0) snprintf(text + length, SCREEN_LINE_MAX - (size_t)length, " | flaky");
}

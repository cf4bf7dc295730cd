#include "screen_search.h"

#include "event.h"
#include "excerpt.h"
#include "failure.h"
#include "rates.h"
#include "seed_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- State ---- */

void screen_search_begin(screen_search *s, const run_setup *setup) {
    memset(s, 0, sizeof *s);
    s->setup = setup;
    s->best.output = &s->best_output;
}

static void take_other(screen_search *s, const failure *f) {
    size_t i = 0;
    while (i < s->other_count && !(signature_equal(s->others[i].signature, f->signature) &&
                                   strcmp(s->others[i].site, f->site) == 0)) {
        i++;
    }
    if (i == SCREEN_OTHERS_MAX) return;
    screen_other *o = &s->others[i];
    if (i == s->other_count) {
        s->other_count++;
        o->size = UINT64_MAX;
        o->signature = f->signature;
        memcpy(o->site, f->site, sizeof o->site);
    }
    if (f->input.size < o->size) o->size = f->input.size;
}

/* Make a failure the best. With --all that before may be of another signature, and stays known. */
static void set_best(screen_search *s, const failure *f, const progress *p) {
    if (s->has_best && !failure_is_same(&s->best, f)) take_other(s, &s->best);
    s->has_best = true;
    failure_keep(&s->best, f);
    s->best_runs = p->runs;
    s->best_ns = p->elapsed_ns;
    history_add(&s->sizes, p->runs, f->input.size);
}

static unsigned bits_of(uint64_t size) {
    return size == 0 ? 0 : 64 - (unsigned)__builtin_clzll(size);
}

static void take_tested(screen_search *s, const tested_runs *t) {
    s->flaky += t->unreliable;
    if (!t->is_fresh) return; /* chosen by results, they say nothing of how often a size fails */
    s->by_bits[bits_of(t->size)].runs += t->runs;
    s->by_bits[bits_of(t->size)].failures += t->failures;
}

/* Take the best of a search, which can also be an earlier one than before: the last was flaky. With
 * --all there is none between two stages. */
static void take_progress(screen_search *s, const progress *p) {
    if (p->best == NULL) {
        s->has_best = s->has_best && s->setup->finds_each;
    } else if (!s->has_best || !seed_input_equal(s->best.input, p->best->input)) {
        set_best(s, p->best, p);
    }
    s->now = *p;
    s->now.best = NULL; /* does not outlive the event */
    meter_add(&s->meter, p->elapsed_ns, p->runs + p->reruns);
}

void screen_search_take(screen_search *s, const event *e) {
    if (e->kind == EVENT_PROGRESS) take_progress(s, &e->progress);
    if (e->kind == EVENT_TESTED) take_tested(s, e->tested);
    if (e->kind == EVENT_BEST) set_best(s, e->failure, &e->progress);
    if (e->kind == EVENT_OTHER) take_other(s, e->failure);
}

/* ---- Parts ---- */

static double rate_now(const screen_search *s) {
    return meter_rate(&s->meter, s->now.elapsed_ns, s->now.runs + s->now.reruns);
}

static void put_best(const screen_search *s, panel *p) {
    char seed[SEED_TEXT_MAX], at[UNITS_TEXT_MAX];
    char size[UNITS_TEXT_MAX];
    panel_begin(p, "best");
    if (!s->has_best) {
        panel_put(p, INK_PLAIN, "nothing has failed so far");
        return;
    }
    panel_put(p, INK_STRONG, "size %s", units_format_count(size, s->best.input.size));
    panel_put(p, INK_PLAIN, " fails with ");
    panel_put(p, INK_RED, "%s", site_format(s->best.signature, s->best.site, SITE_TEXT));
    panel_begin(p, "");
    panel_put(p, INK_PLAIN, "seed %s, run %s, at %s", seed_text_format(seed, &s->best.input),
              units_format_count(UNITS_TEXT, s->best_runs), units_format_elapsed(at, s->best_ns));
}

/* Put the lines of the output that name the failure. */
static void put_output(const screen_search *s, panel *p, unsigned lines_max) {
    char *text = NULL;
    size_t length;
    FILE *out = s->has_best && lines_max > 0 ? open_memstream(&text, &length) : NULL;
    if (out == NULL) return;
    excerpt_put_at(out, s->best.output, s->best.site);
    if (fclose(out) == 0) panel_excerpt(p, "prints", text, lines_max);
    free(text);
}

static const char *activity_text(search_activity a) {
    switch (a) {
    case ACTIVITY_STARTING: break;
    case ACTIVITY_GROWING: return "growing";
    case ACTIVITY_BISECTING: return "bisecting the best";
    case ACTIVITY_PROBING: return "probing below the best";
    case ACTIVITY_ENDING: return "just below the best";
    }
    return "starting";
}

/* Write how long the passes that are left will take. A search that keeps going doubles their number
 * then. */
static void format_after(const screen_search *s, char *text, size_t size) {
    char wait[UNITS_TEXT_MAX];
    const search_stint *t = &s->now.stint;
    const uint64_t left = t->wanted > t->passed ? t->wanted - t->passed : 0;
    panel_format_wait(wait, left, rate_now(s));
    text[0] = '\0';
    if (wait[0] == '\0') return;
    if (s->setup->keeps_going && t->activity == ACTIVITY_ENDING) {
        snprintf(text, size, "doubles in %s", wait);
    } else {
        snprintf(text, size, "%s to go", wait);
    }
}

static void put_now(const screen_search *s, panel *p) {
    char size[UNITS_TEXT_MAX];
    char after[2 * UNITS_TEXT_MAX];
    const search_stint *t = &s->now.stint;
    panel_begin(p, "now");
    panel_put(p, INK_STRONG, "size %s", units_format_count(size, s->now.size));
    panel_put(p, INK_PLAIN, ", %s", activity_text(t->activity));
    if (t->wanted == 0) {
        panel_begin(p, "passes");
        panel_put(p, INK_PLAIN, "-");
        return;
    }
    format_after(s, after, sizeof after);
    panel_begin(p, "passes");
    panel_put(p, INK_PLAIN, "%s of %s in a row  ", units_format_count(UNITS_TEXT, t->passed),
              units_format_count(UNITS_TEXT, t->wanted));
    panel_bar(p, (panel_gauge){p->canvas->columns / 5, (double)t->passed / (double)t->wanted,
                               INK_GREEN, after});
}

static void put_bound(const screen_search *s, panel *p) {
    const run_claim *c = &s->now.claim;
    panel_begin(p, "bound");
    if (s->has_best && c->passed > 0 && c->bound < 0.99) {
        panel_put(p, INK_PLAIN, "under %s of size %s fail (95%% confidence)",
                  rate_format_bound(c->bound, RATE_TEXT), units_format_count(UNITS_TEXT, c->below));
    } else if (!s->has_best && c->rounds > 0 && c->bound < 0.99) {
        panel_put(p, INK_PLAIN, "under %s fail at each size up to %s (95%% confidence)",
                  rate_format_bound(c->bound, RATE_TEXT),
                  units_format_count(UNITS_TEXT, c->largest));
    } else {
        panel_put(p, INK_PLAIN, "none yet");
    }
}

static void put_effort(const screen_search *s, panel *p) {
    panel_begin(p, "effort");
    panel_put(p, INK_STRONG, "%s run%s", units_format_count(UNITS_TEXT, s->now.runs),
              s->now.runs == 1 ? "" : "s");
    panel_put(p, INK_PLAIN, ", %s/s, %u job%s, %s, %s rerun%s",
              units_format_count(UNITS_TEXT, (uint64_t)rate_now(s)), s->setup->jobs,
              s->setup->jobs == 1 ? "" : "s", s->setup->mode,
              units_format_count(UNITS_TEXT, s->now.reruns), s->now.reruns == 1 ? "" : "s");
}

/* True if a failure is like the best. */
static bool is_best(const screen_search *s, const screen_other *o) {
    return s->has_best && signature_equal(o->signature, s->best.signature) &&
           strcmp(o->site, s->best.site) == 0;
}

static size_t count_others(const screen_search *s) {
    size_t count = 0;
    for (size_t i = 0; i < s->other_count; i++) count += !is_best(s, &s->others[i]);
    return count;
}

static void put_others(const screen_search *s, panel *p) {
    char size[UNITS_TEXT_MAX], flaky[UNITS_TEXT_MAX];
    const size_t count = count_others(s);
    panel_begin(p, "also");
    panel_put(p, count > 0 ? INK_RED : INK_PLAIN, "%zu other%s", count, count == 1 ? "" : "s");
    panel_put(p, INK_PLAIN, ", ");
    panel_put(p, s->flaky > 0 ? INK_YELLOW : INK_PLAIN, "%s flaky",
              units_format_count(flaky, s->flaky));
    for (size_t i = 0, put = 0; i < s->other_count; i++) {
        const screen_other *o = &s->others[i];
        if (is_best(s, o)) continue;
        panel_put(p, INK_PLAIN, "%s%s (size %s)", put++ == 0 ? ": " : ", ",
                  site_format(o->signature, o->site, SITE_TEXT), units_format_count(size, o->size));
    }
}

/* Put the charts side by side, or the first alone if there is no room for both. */
static void put_charts(const screen_search *s, panel *p) {
    enum { ROWS_MAX = 14, BOTH_COLUMNS = 70, GAP = 2 };
    const unsigned columns = p->canvas->columns, left = panel_left(p);
    if (left < PANEL_CHART_ROWS_MIN + 1 || p->canvas->columns < PANEL_CHART_COLUMNS_MIN) return;
    const bool is_both = columns >= BOTH_COLUMNS;
    canvas_area area = {p->count + 1, 0, left - 1 < ROWS_MAX ? left - 1 : ROWS_MAX, columns};
    if (is_both) area.columns = columns / 2 - GAP;
    panel_history(p, area, (panel_curve){"size over runs", "runs", &s->sizes, s->now.runs});
    if (is_both) {
        area.column = columns / 2;
        panel_failures(p, area, s->by_bits);
    }
    p->count = area.row + area.rows;
}

unsigned screen_search_draw(const screen_search *s, const char *subject, canvas *c) {
    enum { LINES_FEW = 2, LINES_SOME = 3, LINES_MOST = 6, ROWS_SOME = 22, ROWS_MANY = 36 };
    char time[PANEL_TIME_MAX];
    panel p = panel_on(c);
    panel_title(&p, "frng-search", subject, panel_format_time(time, s->setup, s->now.elapsed_ns));
    put_best(s, &p);
    put_output(s, &p,
               c->rows >= ROWS_MANY   ? LINES_MOST
               : c->rows >= ROWS_SOME ? LINES_SOME
                                      : LINES_FEW);
    put_now(s, &p);
    put_bound(s, &p);
    put_effort(s, &p);
    put_others(s, &p);
    put_charts(s, &p);
    return p.count < c->rows ? p.count : c->rows;
}

/* ---- The status line ---- */

void screen_search_line(const screen_search *s, char text[SCREEN_LINE_MAX]) {
    char size[UNITS_TEXT_MAX], best[UNITS_TEXT_MAX], runs[UNITS_TEXT_MAX], rate[UNITS_TEXT_MAX],
        passed[UNITS_TEXT_MAX], wanted[UNITS_TEXT_MAX], time[PANEL_TIME_MAX];
    const progress *p = &s->now;
    const uint64_t all = p->runs + p->reruns;
    const size_t others = count_others(s);
    int length =
        snprintf(text, SCREEN_LINE_MAX, "size %s | best %s", units_format_size(size, p->size),
                 s->has_best ? units_format_size(best, s->best.input.size) : "none");
    if (p->stint.wanted > 0) {
        length += snprintf(text + length, SCREEN_LINE_MAX - (size_t)length, " | %s/%s passes",
                           units_format_count(passed, p->stint.passed),
                           units_format_count(wanted, p->stint.wanted));
    }
    length += snprintf(text + length, SCREEN_LINE_MAX - (size_t)length, " | %s runs | %s/s | %s",
                       units_format_count(runs, all), units_format_rate(rate, all, p->elapsed_ns),
                       panel_format_time(time, s->setup, p->elapsed_ns));
    if (others > 0) {
        length += snprintf(text + length, SCREEN_LINE_MAX - (size_t)length, " | %zu other%s",
                           others, others == 1 ? "" : "s");
    }
    if (s->flaky > 0) {
        snprintf(text + length, SCREEN_LINE_MAX - (size_t)length, " | %s flaky",
                 units_format_count(best, s->flaky));
    }
}

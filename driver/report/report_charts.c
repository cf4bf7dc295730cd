#include "report_charts.h"

#include "chart.h"
#include "rate.h"
#include "units.h"

#include <inttypes.h>
#include <stdio.h>

enum { POINTS_MAX = 400, POINTS_MIN = 16, BARS_MAX = 80, BARS_MIN = 12, LINES_MAX = 40 };
enum { BAR_RUNS_MIN = 3, LINE_POINTS_MIN = 24, MARK_SIZE = 150 }; /* bytes of a dot or a bar */
enum { ID_MAX = 40, WORDS_MAX = 400 };

/* Return how many marks a chart may have: a third of what is left of the page. */
static size_t marks_of(const html *h, size_t least, size_t most) {
    const size_t room = html_left(h) / 3 / MARK_SIZE;
    return room < least ? least : room < most ? room : most;
}

/* ---- Curves ---- */

typedef struct extent {
    double x_low, x_high, y_low, y_high;
    size_t curves;
} extent;

/* Return where the curve of a work ends: at its last run. */
static double end_of(const night_work *w) {
    const double last = w->points.points[w->points.count - 1].x;
    return w->runs.is_known && (double)w->runs.value > last ? (double)w->runs.value : last;
}

static void widen(extent *e, const night_work *w) {
    const series_point first = w->points.points[0];
    if (e->curves++ == 0) *e = (extent){first.x, first.x, first.y, first.y, 1};
    if (end_of(w) > e->x_high) e->x_high = end_of(w);
    for (size_t i = 0; i < w->points.count; i++) {
        const series_point p = w->points.points[i];
        if (p.x < e->x_low) e->x_low = p.x;
        if (p.y < e->y_low) e->y_low = p.y;
        if (p.y > e->y_high) e->y_high = p.y;
    }
}

/* Write a curve of at most `most` points, and a dot for each. */
static void put_curve(chart *c, night_work *w, size_t most) {
    const char *unit = w->task == NIGHT_SEARCH ? "run" : "call";
    series *s = &w->points;
    chart_line line;
    series_thin(s, most);
    chart_line_begin(&line, c);
    for (size_t i = 0; i < s->count; i++) {
        /* A search that goes up pursues another signature, or its best was flaky. */
        const bool rises = i > 0 && s->points[i].y > s->points[i - 1].y;
        if (rises && w->task == NIGHT_SEARCH) chart_line_break(&line);
        chart_line_to(&line, s->points[i].x, s->points[i].y);
    }
    chart_line_end(&line, end_of(w));
    c->is_dense = s->count > 100;
    for (size_t i = 0; i < s->count; i++) {
        char title[WORDS_MAX];
        const series_point p = s->points[i];
        snprintf(title, sizeof title, "%s %s: %s bytes", unit,
                 units_format_count(UNITS_TEXT, (uint64_t)p.x),
                 units_format_count(UNITS_TEXT, (uint64_t)p.y));
        if (w->task != NIGHT_SEARCH)
            c->colour = p.kind == 0 ? 0 : report_charts_colour(w, p.kind - 1);
        chart_dot(c, p.x, p.y, title);
    }
}

/* Return the axis of sizes. It begins below the smallest, so that its dot is not on the axis. */
static scale size_axis(double low, double high) {
    return scale_of(SCALE_COUNT, low > 8 ? low * 0.8 : 0, high);
}

/* ---- Searches ---- */

static bool has_curve(const night_work *w) {
    return w->task == NIGHT_SEARCH && w->points.count > 0;
}

/* Write which colour is which search. */
static void put_legend(html *h, const night_program *p, size_t curves) {
    unsigned colour = 0;
    if (curves < 2 || curves > CHART_COLOURS) return;
    html_raw(h, "<p class=\"soft small\">");
    for (size_t i = 0; i < p->work_count; i++) {
        const night_work *w = &p->works[i];
        if (!has_curve(w)) continue;
        html_put(h, "<span class=\"d\"><span class=\"key c%u\"></span>%s %s</span> ", ++colour,
                 w->host != NULL && w->host[0] != '\0' ? w->host : "search",
                 w->rng_seed != NULL && w->rng_seed[0] != '\0' ? w->rng_seed : "");
    }
    html_raw(h, "</p>\n");
}

bool report_charts_searches(html *h, night_program *p, size_t number) {
    extent e = {.curves = 0};
    char id[ID_MAX], words[WORDS_MAX], runs[UNITS_TEXT_MAX];
    for (size_t i = 0; i < p->work_count; i++) {
        if (has_curve(&p->works[i])) widen(&e, &p->works[i]);
    }
    if (e.curves == 0) return false;
    chart c = {h, scale_of(SCALE_COUNT, e.x_low > 3 ? e.x_low * 0.7 : 0, e.x_high),
               size_axis(e.y_low, e.y_high), false, 1};
    snprintf(id, sizeof id, "searches-%zu", number);
    snprintf(words, sizeof words,
             "%zu search%s: the smallest failure so far after each number of runs, at most %s. It "
             "ends at %s bytes. Both axes are logarithmic.",
             e.curves, e.curves == 1 ? "" : "es", units_format_count(runs, (uint64_t)e.x_high),
             units_format_count(UNITS_TEXT, (uint64_t)e.y_low));
    chart_begin(&c, &(chart_words){id, "Best size over runs", words, "runs", "bytes"});
    const size_t points = marks_of(h, POINTS_MIN, POINTS_MAX);
    const size_t lines = points < POINTS_MAX ? 1 + points / LINE_POINTS_MIN : LINES_MAX;
    const size_t shown = e.curves < lines ? e.curves : lines;
    const size_t most = points / shown > LINE_POINTS_MIN ? points / shown : LINE_POINTS_MIN;
    size_t drawn = 0;
    for (size_t i = 0; i < p->work_count && drawn < lines; i++) {
        if (!has_curve(&p->works[i])) continue;
        c.colour = e.curves > CHART_COLOURS ? 1 : (unsigned)++drawn;
        if (e.curves > CHART_COLOURS) drawn++;
        put_curve(&c, &p->works[i], most);
    }
    chart_end(&c);
    put_legend(h, p, e.curves);
    return true;
}

/* ---- Sizes ---- */

static void put_size(chart *c, const size_row *row) {
    char low[UNITS_TEXT_MAX], high[UNITS_TEXT_MAX], failed[UNITS_TEXT_MAX], runs[UNITS_TEXT_MAX];
    char title[WORDS_MAX];
    const rate_interval rate = rate_of(row->failures, row->runs);
    const double x = ((double)row->low + (double)row->high) / 2;
    const bool is_one = row->low == row->high;
    units_format_count(low, row->low);
    units_format_count(high, row->high);
    snprintf(title, sizeof title, "%s%s%s bytes: %s of %s runs failed, %s", low,
             is_one ? "" : " to ", is_one ? "" : high, units_format_count(failed, row->failures),
             units_format_count(runs, row->runs), rate_format(rate, RATE_TEXT));
    c->colour = row->failures > 0 ? 1 : 0;
    const bool is_weak = rate.high - rate.low > 0.5; /* too few runs to say much */
    if (row->runs >= BAR_RUNS_MIN) chart_bar(c, x, rate.low, rate.high, is_weak, title);
    if (row->failures > 0) chart_dot(c, x, rate.seen, title);
}

/* Bars of fewer runs go from the bottom to the top, and say nothing. */
static bool has_marks(const size_row *row) {
    return row->failures > 0 || row->runs >= BAR_RUNS_MIN;
}

/* Return the smallest share that an end of a bar has, or a dot. */
static double least_share(const size_table *t) {
    double least = 1;
    for (size_t i = 0; i < t->count; i++) {
        if (!has_marks(&t->rows[i])) continue;
        const rate_interval rate = rate_of(t->rows[i].failures, t->rows[i].runs);
        const double share = t->rows[i].failures > 0 ? rate.low : rate.high / 2;
        if (share < least) least = share;
    }
    return least > 1e-9 ? least : 1e-9;
}

bool report_charts_sizes(html *h, night_program *p, size_t number) {
    size_table *t = &p->sizes;
    char id[ID_MAX], words[WORDS_MAX], low[UNITS_TEXT_MAX], high[UNITS_TEXT_MAX];
    size_table_sort(t, marks_of(h, BARS_MIN, BARS_MAX));
    size_t marked = 0;
    for (size_t i = 0; i < t->count; i++) marked += has_marks(&t->rows[i]) ? 1 : 0;
    if (marked == 0) return false;
    const double first = (double)t->rows[0].low, last = (double)t->rows[t->count - 1].high;
    chart c = {h, scale_of(SCALE_COUNT, first > 8 ? first * 0.9 : 0, last * 1.05),
               scale_of(SCALE_SHARE, least_share(t), 1), false, 1};
    snprintf(id, sizeof id, "sizes-%zu", number);
    snprintf(words, sizeof words,
             "The share of runs that failed, for sizes from %s to %s bytes. A bar is the interval "
             "in which the true share lies with 95%% confidence; a dot is the share that was seen.",
             units_format_count(low, t->rows[0].low),
             units_format_count(high, t->rows[t->count - 1].high));
    chart_begin(&c, &(chart_words){id, "Failures by size", words, "bytes", "share that fails"});
    for (size_t i = 0; i < t->count; i++) put_size(&c, &t->rows[i]);
    chart_end(&c);
    return true;
}

/* ---- Reductions ---- */

unsigned report_charts_colour(const night_work *w, size_t pass) {
    unsigned better = 0;
    const uint64_t bytes = w->passes[pass].bytes;
    for (size_t i = 0; i < w->pass_count; i++) {
        const uint64_t other = w->passes[i].bytes;
        if (other > bytes || (other == bytes && i < pass)) better++;
    }
    return bytes > 0 && better < CHART_COLOURS ? better + 1 : 0;
}

bool report_charts_reduction(html *h, night_work *w, size_t number) {
    extent e = {.curves = 0};
    char id[ID_MAX], words[WORDS_MAX], calls[UNITS_TEXT_MAX], from[UNITS_TEXT_MAX],
        to[UNITS_TEXT_MAX];
    if (w->points.count < 2) return false;
    widen(&e, w);
    chart c = {h, scale_of(SCALE_COUNT, 0, e.x_high), size_axis(e.y_low, e.y_high), false, 0};
    snprintf(id, sizeof id, "reduction-%zu", number);
    snprintf(words, sizeof words,
             "The size of the test case after each number of calls: from %s to %s bytes in %s "
             "calls. Both axes are logarithmic.",
             units_format_count(from, (uint64_t)e.y_high),
             units_format_count(to, (uint64_t)e.y_low),
             units_format_count(calls, (uint64_t)e.x_high));
    chart_begin(&c, &(chart_words){id, "Size over calls", words, "calls", "bytes"});
    put_curve(&c, w, marks_of(h, POINTS_MIN, POINTS_MAX));
    chart_end(&c);
    return true;
}

#include "chart.h"

/* Places in percent of the plot. */
static double percent_x(const chart *c, double x) { return 100 * scale_at(&c->x, x); }
static double percent_y(const chart *c, double y) { return 100 - 100 * scale_at(&c->y, y); }

static void put_grid(chart *c) {
    double ticks[SCALE_TICKS_MAX];
    char label[SCALE_LABEL_MAX];
    const size_t rows = scale_ticks(&c->y, 6, ticks);
    for (size_t i = 0; i < rows; i++) {
        const double at = percent_y(c, ticks[i]);
        html_put(c->out,
                 "<line class=\"grid\" x1=\"0\" x2=\"100%%\" y1=\"%.2f%%\" y2=\"%.2f%%\"/>"
                 "<text class=\"ty\" x=\"-8\" y=\"%.2f%%\" dy=\".32em\">%s</text>\n",
                 at, at, at, scale_label(&c->y, ticks[i], label));
    }
    const size_t columns = scale_ticks(&c->x, 6, ticks);
    for (size_t i = 0; i < columns; i++) {
        const double at = percent_x(c, ticks[i]);
        html_put(c->out,
                 "<line class=\"tick\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"100%%\" y2=\"100%%\"/>"
                 "<text class=\"tx\" x=\"%.2f%%\" y=\"100%%\" dy=\"1.5em\">%s</text>\n",
                 at, at, at, scale_label(&c->x, ticks[i], label));
    }
    html_raw(c->out, "<line class=\"axis\" x1=\"0\" x2=\"100%\" y1=\"100%\" y2=\"100%\"/>\n");
}

void chart_begin(chart *c, const chart_words *w) {
    html_put(c->out,
             "<figure><svg class=\"chart\" id=\"%s\" role=\"img\" aria-labelledby=\"%s-t %s-d\">"
             "<title id=\"%s-t\">%s</title><desc id=\"%s-d\">%s</desc>\n",
             w->id, w->id, w->id, w->id, w->title, w->id, w->description);
    put_grid(c);
    html_put(c->out,
             "<text class=\"ny\" x=\"-8\" y=\"0\" dy=\"-1em\">%s</text>"
             "<text class=\"nx\" x=\"100%%\" y=\"100%%\" dy=\"3em\">%s</text>\n",
             w->y, w->x);
}

void chart_end(chart *c) { html_raw(c->out, "</svg></figure>\n"); }

/* ---- Lines ---- */

void chart_line_begin(chart_line *l, chart *c) {
    *l = (chart_line){.chart = c};
    html_put(c->out,
             "<svg class=\"plot\" width=\"100%%\" height=\"100%%\" viewBox=\"0 0 1000 1000\" "
             "preserveAspectRatio=\"none\"><path class=\"line c%u\" d=\"",
             c->colour);
}

void chart_line_to(chart_line *l, double x, double y) {
    const double px = 10 * percent_x(l->chart, x), py = 10 * percent_y(l->chart, y);
    if (!l->has_begun) {
        html_put(l->chart->out, "M%.1f %.1f", px, py);
    } else {
        html_put(l->chart->out, "H%.1fV%.1f", px, py);
    }
    l->has_begun = true;
    l->y = y;
}

void chart_line_break(chart_line *l) { l->has_begun = false; }

void chart_line_end(chart_line *l, double x) {
    if (l->has_begun) html_put(l->chart->out, "H%.1f", 10 * percent_x(l->chart, x));
    html_raw(l->chart->out, "\"/></svg>\n");
}

/* ---- Marks ---- */

void chart_dot(const chart *c, double x, double y, const char *title) {
    html_put(c->out,
             "<circle class=\"c%u\" r=\"%.1f\" cx=\"%.2f%%\" cy=\"%.2f%%\"><title>%s</title>"
             "</circle>\n",
             c->colour, c->is_dense ? 1.8 : 3.2, percent_x(c, x), percent_y(c, y), title);
}

void chart_bar(const chart *c, double x, double low, double high, bool is_weak, const char *title) {
    const double at = percent_x(c, x);
    html_put(c->out,
             "<line class=\"%s c%u\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.2f%%\" y2=\"%.2f%%\">"
             "<title>%s</title></line>\n",
             is_weak ? "bar weak" : "bar", c->colour, at, at, percent_y(c, low), percent_y(c, high),
             title);
}

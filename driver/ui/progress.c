#include "progress.h"

#include "clock.h"
#include "diag.h"
#include "units.h"

#include <stdio.h>

enum { NS_PER_MS = 1000000 };
static const int64_t redraw_ns = INT64_C(100) * NS_PER_MS;
static const int64_t first_pause_ns = INT64_C(10000) * NS_PER_MS;
static const int64_t longest_pause_ns = INT64_C(600000) * NS_PER_MS;

static void format(const progress *p, char *text, size_t text_max) {
    char size[UNITS_TEXT_MAX], best[UNITS_TEXT_MAX], runs[UNITS_TEXT_MAX], rate[UNITS_TEXT_MAX],
        elapsed[UNITS_TEXT_MAX];
    const uint64_t all = p->runs + p->reruns;
    snprintf(text, text_max, "size %s | best %s | %s runs | %s/s | %s",
             units_format_size(size, p->size),
             p->best != NULL ? units_format_size(best, p->best->trial.size) : "none",
             units_format_count(runs, all), units_format_rate(rate, all, p->elapsed_ns),
             units_format_elapsed(elapsed, p->elapsed_ns));
}

void progress_line_show(progress_line *line, const progress *p) {
    char text[6 * UNITS_TEXT_MAX];
    if (line->pause_ns == 0) {
        line->pause_ns = diag_is_terminal() ? redraw_ns : first_pause_ns;
        line->next_ns = line->pause_ns;
    }
    if (p->elapsed_ns < line->next_ns) return;
    format(p, text, sizeof text);
    if (diag_is_terminal()) {
        diag_status(text);
    } else {
        fprintf(diag_stream(), "%s\n", text);
        line->pause_ns *= 2;
        if (line->pause_ns > longest_pause_ns) line->pause_ns = longest_pause_ns;
    }
    line->next_ns = clock_after(p->elapsed_ns, line->pause_ns);
}

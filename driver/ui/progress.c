#include "progress.h"

#include "clock.h"
#include "messages.h"
#include "units.h"

#include <stdio.h>

enum { NS_PER_MS = 1000000 };
static const int64_t redraw_ns = INT64_C(100) * NS_PER_MS;
static const int64_t first_pause_ns = INT64_C(10000) * NS_PER_MS;
static const int64_t longest_pause_ns = INT64_C(600000) * NS_PER_MS;

enum { TEXT_MAX = 6 * UNITS_TEXT_MAX };

/* True if a line is due at this elapsed time. */
static bool is_due(progress_line *line, int64_t elapsed_ns) {
    if (line->pause_ns == 0) {
        line->pause_ns = message_is_terminal() ? redraw_ns : first_pause_ns;
        line->next_ns = line->pause_ns;
    }
    return elapsed_ns >= line->next_ns;
}

static void show(progress_line *line, const char *text, int64_t elapsed_ns) {
    if (message_is_terminal()) {
        message_status(text);
    } else {
        fprintf(message_stream(), "%s\n", text);
        line->pause_ns *= 2;
        if (line->pause_ns > longest_pause_ns) line->pause_ns = longest_pause_ns;
    }
    line->next_ns = clock_after(elapsed_ns, line->pause_ns);
}

static void format_search(const progress *p, char text[TEXT_MAX]) {
    char size[UNITS_TEXT_MAX], best[UNITS_TEXT_MAX], runs[UNITS_TEXT_MAX], rate[UNITS_TEXT_MAX],
        elapsed[UNITS_TEXT_MAX];
    const uint64_t all = p->runs + p->reruns;
    snprintf(text, TEXT_MAX, "size %s | best %s | %s runs | %s/s | %s",
             units_format_size(size, p->size),
             p->best != NULL ? units_format_size(best, p->best->input.size) : "none",
             units_format_count(runs, all), units_format_rate(rate, all, p->elapsed_ns),
             units_format_elapsed(elapsed, p->elapsed_ns));
}

static void format_reduction(const progress *p, char text[TEXT_MAX]) {
    char size[UNITS_TEXT_MAX], calls[UNITS_TEXT_MAX], rate[UNITS_TEXT_MAX], elapsed[UNITS_TEXT_MAX];
    snprintf(text, TEXT_MAX, "%s byte%s | %s calls | %s/s | %.32s | %s",
             units_format_count(size, p->size), p->size == 1 ? "" : "s",
             units_format_count(calls, p->runs), units_format_rate(rate, p->runs, p->elapsed_ns),
             p->pass != NULL ? p->pass : "start", units_format_elapsed(elapsed, p->elapsed_ns));
}

void progress_line_show(progress_line *line, run_task t, const progress *p) {
    char text[TEXT_MAX];
    if (!is_due(line, p->elapsed_ns)) return;
    if (t == TASK_SEARCH) {
        format_search(p, text);
    } else {
        format_reduction(p, text);
    }
    show(line, text, p->elapsed_ns);
}

#include "progress.h"

#include "clock.h"
#include "live.h"
#include "messages.h"
#include "subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REDRAW_MS = 100, FIRST_PAUSE_MS = 10000, LONGEST_PAUSE_MS = 600000 };

static const run_setup *setup_of(const progress_display *d) {
    return d->search.setup != NULL ? d->search.setup : d->reduce.setup;
}

static bool has_room(live_area area) {
    return area.columns >= PROGRESS_COLUMNS_MIN && area.rows >= PROGRESS_ROWS_MIN;
}

bool progress_display_is_screen(const progress_display *d) {
    const live_area area = live_measure();
    const bool is_wanted =
        d->style.kind == PROGRESS_SCREEN || (d->style.kind == PROGRESS_AUTO && area.is_known);
    return is_wanted && message_is_terminal() && has_room(area);
}

/* True if something is due at this elapsed time. */
static bool is_due(progress_display *d, int64_t elapsed_ns) {
    if (d->pause_ns == 0) {
        const int64_t pause_ms = message_is_terminal() ? REDRAW_MS : FIRST_PAUSE_MS;
        d->pause_ns = d->next_ns = pause_ms * CLOCK_NS_PER_MS;
    }
    return elapsed_ns >= d->next_ns;
}

/* ---- A screen ---- */

/* Draw the screen on the live lines. The last line is empty: there the cursor rests. */
static void show_screen(const progress_display *d) {
    static canvas drawn; /* large */
    static char texts[CANVAS_ROWS_MAX][CANVAS_TEXT_MAX];
    live_line lines[CANVAS_ROWS_MAX + 1];
    const live_area area = live_measure();
    const char *subject = d->subject != NULL ? d->subject : "";
    canvas_init(&drawn, area.columns - 1, area.rows - 1, d->style.charset);
    const unsigned rows = d->search.setup != NULL ? screen_search_draw(&d->search, subject, &drawn)
                                                  : screen_reduce_draw(&d->reduce, subject, &drawn);
    for (unsigned i = 0; i < rows; i++) {
        const unsigned columns = canvas_text(&drawn, i, d->style.is_coloured, texts[i]);
        lines[i] = (live_line){texts[i], columns};
    }
    lines[rows] = (live_line){"", 0};
    live_show(lines, rows + 1);
}

/* ---- A line ---- */

static void show_line(progress_display *d) {
    char text[SCREEN_LINE_MAX];
    if (d->search.setup != NULL) {
        screen_search_line(&d->search, text);
    } else {
        screen_reduce_line(&d->reduce, text);
    }
    if (message_is_terminal()) {
        const size_t columns = live_measure().columns - 1;
        if (columns < sizeof text) text[columns] = '\0';
        live_show(&(live_line){text, (unsigned)strlen(text)}, 1);
        return;
    }
    fprintf(message_stream(), "%s\n", text);
    d->pause_ns *= 2;
    if (d->pause_ns > LONGEST_PAUSE_MS * CLOCK_NS_PER_MS)
        d->pause_ns = LONGEST_PAUSE_MS * CLOCK_NS_PER_MS;
}

/* ---- Events ---- */

static void show(progress_display *d, int64_t elapsed_ns) {
    if (d->style.kind == PROGRESS_NONE || !is_due(d, elapsed_ns)) return;
    if (message_is_terminal() && !live_is_allowed()) return;
    if (progress_display_is_screen(d)) {
        show_screen(d);
    } else {
        show_line(d);
    }
    d->next_ns = clock_after(elapsed_ns, d->pause_ns);
}

static void begin(progress_display *d, const run_setup *setup) {
    d->next_ns = d->pause_ns = 0;
    d->search.setup = NULL;
    d->reduce.setup = NULL;
    if (setup->task == TASK_SEARCH) {
        screen_search_begin(&d->search, setup);
    } else {
        screen_reduce_begin(&d->reduce, setup);
    }
    free(d->subject);
    d->subject = subject_command(setup->subject);
}

void progress_display_take(progress_display *d, const event *e) {
    if (e->kind == EVENT_STARTED) begin(d, e->setup);
    if (setup_of(d) == NULL) return;
    if (d->search.setup != NULL) {
        screen_search_take(&d->search, e);
    } else {
        screen_reduce_take(&d->reduce, e);
    }
    if (e->kind == EVENT_PROGRESS) show(d, e->progress.elapsed_ns);
    if (e->kind != EVENT_FINISHED) return;
    free(d->subject);
    d->subject = NULL;
    d->search.setup = d->reduce.setup = NULL;
}

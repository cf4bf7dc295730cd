#include "live.h"

#include "clock.h"

#include <assert.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define FRAME_BEGIN "\033[?2026h\033[?25l" /* until its end, show nothing of it, nor the cursor */
#define FRAME_END "\033[?25h\033[?2026l"

/* What the terminal shows of us. The cursor is at the end of the last line. */
static struct {
    live_area area; /* when it was shown */
    int pauses;     /* clock_pauses then */
    size_t count;   /* lines; 0: nothing is shown */
    char *texts[LIVE_LINES_MAX];
    unsigned columns[LIVE_LINES_MAX];
    size_t lost_count;             /* lines above those, which left a lower terminal at its top */
    unsigned lost[LIVE_LINES_MAX]; /* their columns */
} shown;

live_area live_measure(void) {
    struct winsize size;
    const bool known =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 && size.ws_row > 0;
    return known ? (live_area){size.ws_col, size.ws_row, true} : (live_area){80, 24, false};
}

bool live_is_allowed(void) {
    const pid_t group = tcgetpgrp(STDERR_FILENO);
    return group < 0 || group == getpgrp();
}

static void forget_lines(void) {
    for (size_t i = 0; i < shown.count; i++) free(shown.texts[i]);
    shown.count = 0;
}

/* Forget all that was shown if the tool was stopped since: the shell has printed below it. */
static void heed_pause(void) {
    const int pauses = clock_pauses();
    if (pauses == shown.pauses) return;
    shown.pauses = pauses;
    forget_lines();
    shown.lost_count = 0;
}

/* Return the rows that a line of these columns takes in a terminal that wraps it. */
static size_t rows_of(unsigned columns, live_area area) {
    return columns == 0 ? 1 : (columns + area.columns - 1) / area.columns;
}

/* Return the rows that lead from the first line shown, or lost, to the cursor. */
static size_t rows_up(live_area area) {
    size_t rows = 0;
    for (size_t i = 0; i < shown.lost_count; i++) rows += rows_of(shown.lost[i], area);
    for (size_t i = 0; i < shown.count; i++) rows += rows_of(shown.columns[i], area);
    return rows > 0 ? rows - 1 : 0;
}

/* Remember the lines that the terminal no longer shows: it may show them again if it grows. */
static void keep_lost(live_area area) {
    unsigned all[2 * LIVE_LINES_MAX];
    size_t count = shown.lost_count, rows = 0, kept;
    memcpy(all, shown.lost, count * sizeof *all);
    memcpy(all + count, shown.columns, shown.count * sizeof *all);
    count += shown.count;
    for (kept = count; kept > 0; kept--) {
        rows += rows_of(all[kept - 1], area);
        if (rows > area.rows) break;
    }
    const size_t skipped = kept > LIVE_LINES_MAX ? kept - LIVE_LINES_MAX : 0;
    shown.lost_count = kept - skipped;
    memcpy(shown.lost, all + skipped, shown.lost_count * sizeof *all);
}

static void put_up(FILE *out, size_t rows) {
    if (rows > 0) fprintf(out, "\033[%zuA", rows);
}

/* Write what erases the lines shown, and forget them. */
static void put_erasure(FILE *out, live_area area) {
    put_up(out, rows_up(area));
    fputs("\r\033[J", out);
    keep_lost(area);
    forget_lines();
}

static void put_lines(FILE *out, const live_line *lines, size_t count) {
    if (shown.count > 0) put_up(out, shown.count - 1);
    for (size_t i = 0; i < count; i++) {
        const char *before = i < shown.count ? shown.texts[i] : NULL;
        const bool is_same = before != NULL && strcmp(before, lines[i].text) == 0;
        if (i > 0) fputs("\n", out);
        if (!is_same || i == count - 1) fprintf(out, "\r%s\033[K", lines[i].text);
    }
    if (count < shown.count) fputs("\033[J", out);
}

static void keep_lines(const live_line *lines, size_t count, live_area area) {
    forget_lines();
    for (size_t i = 0; i < count; i++) {
        shown.texts[i] = strdup(lines[i].text);
        shown.columns[i] = lines[i].columns;
    }
    shown.count = count;
    shown.area = area;
}

static bool is_same_as_shown(const live_line *lines, size_t count) {
    if (count != shown.count) return false;
    for (size_t i = 0; i < count; i++) {
        if (shown.texts[i] == NULL || strcmp(shown.texts[i], lines[i].text) != 0) return false;
    }
    return true;
}

static bool takes_output(void) {
    struct pollfd out = {STDERR_FILENO, POLLOUT, 0};
    return poll(&out, 1, 0) == 1;
}

/* Write one piece, so that a terminal never shows half of it. */
static void write_frame(const char *text, size_t length) {
    fwrite(text, 1, length, stderr);
    fflush(stderr);
}

void live_show(const live_line *lines, size_t count) {
    const live_area area = live_measure();
    char *text = NULL;
    size_t length;
    assert(count > 0 && count <= LIVE_LINES_MAX);
    heed_pause();
    const bool is_resized = area.columns != shown.area.columns || area.rows != shown.area.rows;
    if (!is_resized && is_same_as_shown(lines, count)) return;
    FILE *out = takes_output() ? open_memstream(&text, &length) : NULL;
    if (out == NULL) return;
    const bool is_block = count > 1 || shown.count > 1;
    if (is_block) fputs(FRAME_BEGIN, out);
    if (is_resized && shown.count > 0) put_erasure(out, area);
    put_lines(out, lines, count);
    if (is_block) fputs(FRAME_END, out);
    if (fclose(out) == 0) {
        write_frame(text, length);
        keep_lines(lines, count, area);
    }
    free(text);
}

void live_erase(void) {
    char *text = NULL;
    size_t length;
    heed_pause();
    if (shown.count == 0) return;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) return;
    if (shown.count == 1 && shown.lost_count == 0) {
        fputs("\r\033[K", out);
        forget_lines();
    } else {
        put_erasure(out, live_measure());
    }
    shown.lost_count = 0; /* what is printed now comes between */
    if (fclose(out) == 0) write_frame(text, length);
    free(text);
}

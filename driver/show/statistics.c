#include "statistics.h"

#include "bytes.h"
#include "messages.h"
#include "stats.h"
#include "text_summary.h"
#include "units.h"

#include <stdlib.h>
#include <string.h>

/* Rows of labels, and of measures, that are printed by default. */
enum { ROWS_FEW = 16 };

/* Labels in a line. */
enum { LABELS_FEW = 8 };

/* Counted runs whose draws are shown. */
enum { DRAWS_MIN = 8 };

const char *statistics_format_share(char text[STATISTICS_SHARE_MAX], uint64_t part,
                                    uint64_t whole) {
    const double percent = whole > 0 ? 100 * ((double)part / (double)whole) : 0;
    if (part == 0 || part == whole) {
        snprintf(text, STATISTICS_SHARE_MAX, "%d%%", part > 0 ? 100 : 0);
    } else if (percent < 0.01) {
        snprintf(text, STATISTICS_SHARE_MAX, "under 0.01%%");
    } else if (percent > 99.9) {
        snprintf(text, STATISTICS_SHARE_MAX, "over 99.9%%"); /* never "100%" */
    } else {
        snprintf(text, STATISTICS_SHARE_MAX,
                 percent < 1    ? "%.2f%%"
                 : percent < 10 ? "%.1f%%"
                                : "%.0f%%",
                 percent);
    }
    return text;
}

/* Write the labels of runs, the most frequent first, such as "'long', 'short'"; "" if there are
 * none. */
enum { LABELS_TEXT_MAX = 640 };
static void format_labels(char text[LABELS_TEXT_MAX], const tally *t) {
    size_t order[FRNG_LABELS_MAX], used = 0;
    const size_t count = tally_sort(t, TALLY_LABEL, order);
    text[0] = '\0';
    for (size_t i = 0; i < count && i < LABELS_FEW; i++) {
        used += (size_t)snprintf(text + used, LABELS_TEXT_MAX - used, "%s'%s'", i > 0 ? ", " : "",
                                 t->rows[order[i]].name);
    }
    if (count > LABELS_FEW)
        snprintf(text + used, LABELS_TEXT_MAX - used, " and %zu more", count - LABELS_FEW);
}

/* ---- What the runs drew ---- */

static void put_range(FILE *out, const histogram *h) {
    char median[UNITS_TEXT_MAX], most[UNITS_TEXT_MAX];
    fprintf(out, "median %s", units_format_count(median, histogram_quantile(h, 1, 2)));
    fprintf(out, ", quartiles %s and %s",
            units_format_count(UNITS_TEXT, histogram_quantile(h, 1, 4)),
            units_format_count(UNITS_TEXT, histogram_quantile(h, 3, 4)));
    fprintf(out, ", most %s", units_format_count(most, h->max));
}

static void put_drawn(FILE *out, const tally *t) {
    char text[STATISTICS_SHARE_MAX], runs[UNITS_TEXT_MAX];
    if (t->drawn.count == 0) return;
    fputs("  drawn    bytes a run: ", out);
    put_range(out, &t->drawn);
    if (t->reported > 0) {
        fprintf(out, "; %s ran out of entropy", statistics_format_share(text, t->ran_out, t->runs));
    }
    fputs("\n", out);
    if (t->draws.count < DRAWS_MIN && t->draws.count < t->reported) return;
    if (t->draws.count == 0) return;
    fputs("           draws a run: ", out);
    put_range(out, &t->draws);
    if (t->draws.count < t->reported) {
        fprintf(out, " (of %s runs counted)", units_format_count(runs, t->draws.count));
    }
    fputs("\n", out);
}

/* ---- Labels and measures ---- */

/* Return the columns that a text takes; bytes that continue a character of UTF-8 take none. */
static int columns(const char *text) {
    int count = 0;
    for (; *text != '\0'; text++) count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

enum { NAME_TEXT_MAX = 4 * sizeof((tally_row){0}.name) + 1 };

/* Escape a name for a terminal. */
static const char *name_text(const tally_row *row, char text[NAME_TEXT_MAX]) {
    bytes_escape((const uint8_t *)row->name, strlen(row->name), false, text, NAME_TEXT_MAX);
    return text;
}

/* Print a name, filled up to `width` columns. */
static void put_name(FILE *out, const tally_row *row, int width) {
    char text[NAME_TEXT_MAX];
    name_text(row, text);
    fprintf(out, "%s%*s", text, columns(text) < width ? width - columns(text) : 0, "");
}

static int width_of(const tally *t, const size_t *order, size_t count) {
    enum { WIDTH_MIN = 12, WIDTH_MAX = 64 };
    char text[NAME_TEXT_MAX];
    int width = WIDTH_MIN;
    for (size_t i = 0; i < count; i++) {
        const int one = columns(name_text(&t->rows[order[i]], text));
        if (one > width) width = one;
    }
    return width < WIDTH_MAX ? width : WIDTH_MAX;
}

static void put_label(FILE *out, const tally *t, const tally_row *row, int width) {
    char share[STATISTICS_SHARE_MAX], runs[UNITS_TEXT_MAX], median[UNITS_TEXT_MAX] = "";
    if (row->values.count > 0) units_format_count(median, histogram_quantile(&row->values, 1, 2));
    fputs("           ", out);
    put_name(out, row, width);
    fprintf(out, " %11s %12s %12s\n", statistics_format_share(share, row->runs, t->runs),
            units_format_count(runs, row->runs), median);
}

static void put_measure(FILE *out, const tally *t, const tally_row *row, int width) {
    (void)t;
    fputs("           ", out);
    put_name(out, row, width);
    fprintf(out, " %11s %12s %12s\n", units_format_count(UNITS_TEXT, row->values.min),
            units_format_count(UNITS_TEXT, histogram_quantile(&row->values, 1, 2)),
            units_format_count(UNITS_TEXT, row->values.max));
}

static void put_rows(FILE *out, const tally *t, tally_kind kind, bool is_whole) {
    size_t order[FRNG_LABELS_MAX];
    const size_t count = tally_sort(t, kind, order);
    const size_t shown = is_whole || count <= ROWS_FEW ? count : ROWS_FEW;
    const int width = width_of(t, order, shown);
    if (count == 0) return;
    if (kind == TALLY_LABEL) {
        fprintf(out, "  labels   %-*s %11s %12s %12s\n", width, "", "of all runs", "runs",
                "median size");
    } else {
        fprintf(out, "  measures %-*s %11s %12s %12s\n", width, "", "least", "median", "most");
    }
    for (size_t i = 0; i < shown; i++) {
        const tally_row *row = &t->rows[order[i]];
        (kind == TALLY_LABEL ? put_label : put_measure)(out, t, row, width);
    }
    if (shown < count) fprintf(out, "           and %zu more with --verbose\n", count - shown);
}

void statistics_put(FILE *out, const tally *t, bool with_drawn, bool is_whole) {
    if (with_drawn) put_drawn(out, t);
    put_rows(out, t, TALLY_LABEL, is_whole);
    put_rows(out, t, TALLY_MEASURE, is_whole);
    if (t->lost == 0) return;
    fprintf(out, "           more than %d labels and measures: %s mark%s not counted\n",
            FRNG_LABELS_MAX, units_format_count(UNITS_TEXT, t->lost),
            t->lost == 1 ? " was" : "s were");
}

void statistics_put_warning(FILE *out, const tally *t, vacuity v) {
    char share[STATISTICS_SHARE_MAX], size[UNITS_TEXT_MAX];
    units_format_size(size, t->size_max);
    if (v != VACUITY_NONE) fputs("  warning  ", out);
    switch (v) {
    case VACUITY_NONE:
    case VACUITY_COUNT: return;
    case VACUITY_NO_DRAWS: fputs("no run drew anything, so all runs are the same\n", out); return;
    case VACUITY_STARVED:
        fprintf(out, "each run ran out of entropy before its first draw: %s bytes are too few\n",
                size);
        return;
    case VACUITY_FEW_DRAWS:
        statistics_format_share(share, vacuity_few(t), t->reported);
        fprintf(out, "%s of the runs ended within %d draws: do they reach the code to test?\n",
                share, FRNG_FEW_DRAWS - 1);
        return;
    }
}

/* ---- Requirements ---- */

/* Print that no run had a label, and which labels runs had: one of them may be meant. */
static void print_unseen(const requirement *r, const tally *t) {
    char labels[LABELS_TEXT_MAX];
    format_labels(labels, t);
    message("--require %s: no run had this label%s%s", r->text,
            labels[0] != '\0' ? "; runs had " : ", nor any other", labels);
}

static void print_unmet_one(const requirement *r, const tally *t) {
    char share[STATISTICS_SHARE_MAX], had[UNITS_TEXT_MAX], runs[UNITS_TEXT_MAX];
    const uint64_t count = requirement_runs(r, t);
    if (count == 0) {
        print_unseen(r, t);
        return;
    }
    message("--require %s: only %s of the runs had this label: %s of %s", r->text,
            statistics_format_share(share, count, t->runs), units_format_count(had, count),
            units_format_count(runs, t->runs));
}

void statistics_print_unmet(const requirement_list *required, const tally *t) {
    for (size_t i = 0; i < required->count; i++) {
        const requirement *r = &required->list[i];
        if (!requirement_is_met(r, t)) print_unmet_one(r, t);
    }
}

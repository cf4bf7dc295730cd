/* What runs drew, and how often they had each label or measure, are rows of numbers below a
 * heading, the most frequent first; all of them with --verbose, else the first few. A share is
 * never rounded to none or to all. A search that passed also says what speaks against it: runs
 * that drew nothing test nothing. If runs lacked a label that --require asks for, the message lists
 * those that they had, since one of them may be meant. */
#include "statistics.h"

#include "bytes.h"
#include "messages.h"
#include "phrase.h"
#include "stats.h"

#include <stdlib.h>
#include <string.h>

/* Rows of labels, and of measures, that are printed by default. */
enum { ROWS_FEW = 16 };

/* Labels in a line. */
enum { LABELS_FEW = 8 };

/* Counted runs whose draws are shown. */
enum { DRAWS_MIN = 8 };

/* Write `part` of `whole` as a percentage, such as "34%", "0.02%" or "under 0.01%". */
enum { SHARE_MAX = 16 };
static const char *format_share(char text[SHARE_MAX], uint64_t part, uint64_t whole) {
    const double percent = whole > 0 ? 100 * ((double)part / (double)whole) : 0;
    if (part == 0 || part == whole) {
        snprintf(text, SHARE_MAX, "%d%%", part > 0 ? 100 : 0);
    } else if (percent < 0.01) {
        snprintf(text, SHARE_MAX, "under 0.01%%");
    } else if (percent > 99.9) {
        snprintf(text, SHARE_MAX, "over 99.9%%"); /* never "100%" */
    } else {
        snprintf(text, SHARE_MAX,
                 percent < 1    ? "%.2f%%"
                 : percent < 10 ? "%.1f%%"
                                : "%.0f%%",
                 percent);
    }
    return text;
}

#define SHARE(part, whole) format_share((char[SHARE_MAX]){0}, part, whole)

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
    fprintf(out, "median %s, quartiles %s and %s, most %s", COUNT(histogram_quantile(h, 1, 2)),
            COUNT(histogram_quantile(h, 1, 4)), COUNT(histogram_quantile(h, 3, 4)), COUNT(h->max));
}

static void put_drawn(FILE *out, const tally *t) {
    if (t->drawn.count == 0) return;
    fputs("  drawn    bytes a run: ", out);
    put_range(out, &t->drawn);
    if (t->reported > 0) {
        fprintf(out, "; %s ran out of entropy", SHARE(t->ran_out, t->runs));
    }
    fputs("\n", out);
    if (t->draws.count < DRAWS_MIN && t->draws.count < t->reported) return;
    if (t->draws.count == 0) return;
    fputs("           draws a run: ", out);
    put_range(out, &t->draws);
    if (t->draws.count < t->reported) {
        fprintf(out, " (of %s runs counted)", COUNT(t->draws.count));
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

/* Print a label with its share of runs, or a measure with its values. */
static void put_one(FILE *out, const tally *t, const tally_row *row, int width) {
    const histogram *h = &row->values;
    fputs("           ", out);
    put_name(out, row, width);
    const char *median = h->count > 0 ? COUNT(histogram_quantile(h, 1, 2)) : "";
    if (row->kind == TALLY_LABEL) {
        fprintf(out, " %11s %12s %12s\n", SHARE(row->runs, t->runs), COUNT(row->runs), median);
    } else {
        fprintf(out, " %11s %12s %12s\n", COUNT(h->min), median, COUNT(h->max));
    }
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
    for (size_t i = 0; i < shown; i++) put_one(out, t, &t->rows[order[i]], width);
    if (shown < count) fprintf(out, "           and %zu more with --verbose\n", count - shown);
}

void statistics_put(FILE *out, const tally *t, bool with_drawn, bool is_whole) {
    if (with_drawn) put_drawn(out, t);
    put_rows(out, t, TALLY_LABEL, is_whole);
    put_rows(out, t, TALLY_MEASURE, is_whole);
    if (t->lost == 0) return;
    fprintf(out, "           more than %d labels and measures: %s mark%s not counted\n",
            FRNG_LABELS_MAX, COUNT(t->lost), t->lost == 1 ? " was" : "s were");
}

/* ---- The warning that runs tested nothing ---- */

/* Fewer runs say little; and runs that draw more bytes than this in their few draws may test
 * much. */
enum { WARNING_RUNS_MIN = 20, FEW_BYTES_MAX = 16 };

/* Return the number of runs that ended by themselves within a few draws. */
static uint64_t runs_of_few_draws(const tally *t) {
    uint64_t runs = 0;
    for (size_t i = 0; i < FRNG_FEW_DRAWS; i++) runs += t->few[i];
    return runs;
}

const char *statistics_warning(const tally *t) {
    if (t->runs < WARNING_RUNS_MIN || tally_most_used(t) == UINT64_MAX) return NULL;
    if (t->drawn.max == 0) return t->ran_out == 0 ? "no-draws" : "starved";
    const bool is_short = runs_of_few_draws(t) > t->reported / 2;
    return is_short && histogram_quantile(&t->drawn, 1, 2) <= FEW_BYTES_MAX ? "few-draws" : NULL;
}

void statistics_put_warning(FILE *out, const tally *t) {
    const char *word = statistics_warning(t);
    if (word == NULL) return;
    fputs("  warning  ", out);
    if (strcmp(word, "no-draws") == 0) {
        fputs("no run drew anything, so all runs are the same\n", out);
    } else if (strcmp(word, "starved") == 0) {
        fprintf(out, "each run ran out of entropy before its first draw: %s bytes are too few\n",
                units_format_size(UNITS_TEXT, t->size_max));
    } else {
        fprintf(out, "%s of the runs ended within %d draws: do they reach the code to test?\n",
                SHARE(runs_of_few_draws(t), t->reported), FRNG_FEW_DRAWS - 1);
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
    const uint64_t count = requirement_runs(r, t);
    if (count == 0) {
        print_unseen(r, t);
    } else {
        message("--require %s: only %s of the runs had this label: %s of %s", r->text,
                SHARE(count, t->runs), COUNT(count), COUNT(t->runs));
    }
}

void statistics_print_unmet(const requirement_list *required, const tally *t) {
    for (size_t i = 0; i < required->count; i++) {
        const requirement *r = &required->list[i];
        if (!requirement_is_met(r, t)) print_unmet_one(r, t);
    }
}

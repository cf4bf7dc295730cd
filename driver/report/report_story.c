#include "report_story.h"

#include "units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const night_work *report_story_of(const night_program *p) {
    const night_work *best = NULL;
    for (size_t i = 0; i < p->work_count; i++) {
        const night_work *w = &p->works[i];
        if (w->story.count > 0 && (best == NULL || !best->best.is_known ||
                                   (w->best.is_known && w->best.size <= best->best.size)))
            best = w;
    }
    return best;
}

/* Return the number of the operation of the draw at an offset; 0: there is none. */
static size_t find_operation(const story *s, const size_t *operations, uint64_t offset) {
    for (size_t i = 0; i < s->count; i++) {
        const story_item *item = &s->items[i];
        if (item->kind == STORY_DRAW && item->offset == offset) return operations[i] + 1;
    }
    return 0;
}

/* Write what a draw means. Rows have numbers, and no offsets: "at offset 8" becomes "in 2". */
static void put_meaning(html *h, const story *s, const size_t *operations, const char *text) {
    static const char place[] = " at offset ";
    html_raw(h, "<span class=\"m\">");
    for (const char *at; (at = strstr(text, place)) != NULL;) {
        char before[512];
        char *end = NULL;
        const uint64_t offset = strtoull(at + sizeof place - 1, &end, 10);
        const size_t row = find_operation(s, operations, offset);
        snprintf(before, sizeof before, "%.*s", (int)(at - text), text);
        html_put(h, "%s", before);
        if (row > 0) html_put(h, " in %zu", row);
        if (row == 0) html_put(h, "%s%" PRIu64, place, offset);
        text = end;
    }
    html_put(h, "%s</span>", text);
}

static void put_draw(html *h, const story *s, const size_t *operations, const story_item *item) {
    html_raw(h, "<span class=\"d\">");
    if (item->note[0] != '\0') html_put(h, "<i>%s</i>", item->note);
    if (item->kind == STORY_DRAW) {
        const char *value = item->value[0] != '\0' ? item->value : item->bytes;
        if (item->note[0] == '\0') html_put(h, "<i>%s</i>", item->draw);
        html_put(h, "<code>%s</code>", value);
    }
    if (item->meaning[0] != '\0') put_meaning(h, s, operations, item->meaning);
    html_raw(h, "</span> ");
}

/* Write one row for each operation. */
static void put_operations(html *h, const story *s, const size_t *operations) {
    for (size_t i = 0; i < s->count; i++) {
        const story_item *item = &s->items[i];
        if (i == 0 || operations[i] != operations[i - 1]) {
            if (i > 0) html_raw(h, "</td></tr>\n");
            html_put(h, "<tr><td class=\"n\">%zu</td><td>", operations[i] + 1);
        }
        if (item->kind != STORY_DRAW) {
            html_put(h, "<span class=\"d op\">%s</span> ", item->note);
        } else {
            put_draw(h, s, operations, item);
        }
    }
    html_raw(h, "</td></tr>\n");
}

/* Write the table of a test that names no operations: one row a draw. */
static void put_draws(html *h, const story *s) {
    html_raw(h, "<tr><th class=\"n\">offset</th><th>draw</th><th>value</th><th>name</th>"
                "<th>other values that fail too</th></tr>\n");
    for (size_t i = 0; i < s->count; i++) {
        const story_item *item = &s->items[i];
        html_put(h,
                 "<tr><td class=\"n\">%" PRIu64 "</td><td>%s</td><td><code>%s</code></td>"
                 "<td>%s</td><td class=\"m\">%s</td></tr>\n",
                 item->offset, item->draw, item->value[0] != '\0' ? item->value : item->bytes,
                 item->note, item->meaning);
    }
}

/* Write what the column of meanings is worth. */
static void put_meanings(html *h, const story *s) {
    char text[UNITS_TEXT_MAX];
    if (!s->has_meanings) return;
    html_raw(h, "<p class=\"soft\">In colour: the values of a draw that fail in the same way, the "
                "others being as they are");
    if (s->explained_by > 0)
        html_put(h, ", as %s runs have shown", units_format_count(text, s->explained_by));
    html_raw(h, s->is_cut ? "; not all draws were explained." : ".");
    if (s->any_runs > 0) {
        html_put(h, " With all %s draws called any at random,",
                 units_format_count(text, s->any_draws));
        html_put(h, " %s of", units_format_count(text, s->any_failed));
        html_put(h, " %s runs failed.", units_format_count(text, s->any_runs));
    }
    html_raw(h, "</p>\n");
}

void report_story_put(html *h, const night_program *p) {
    const night_work *w = report_story_of(p);
    if (w == NULL) return;
    html_raw(h, "<h2>What it does</h2>\n");
    report_story_put_work(h, w);
}

void report_story_put_work(html *h, const night_work *w) {
    if (w->story.count == 0) return;
    static size_t operations[STORY_MAX]; /* stacks may be small */
    const story *s = &w->story;
    html_raw(h, "<p class=\"soft\">The decisions of the test in this "
                "failure, in their order.</p>\n<div class=\"scroll\"><table class=\"story\">\n");
    if (story_operations(s, operations) > 0) {
        put_operations(h, s, operations);
    } else {
        put_draws(h, s);
    }
    html_raw(h, "</table></div>\n");
    put_meanings(h, s);
    if (s->left_out > 0) {
        html_put(h, "<p class=\"soft\">%" PRIu64 " more draws are left out.</p>\n", s->left_out);
    }
}

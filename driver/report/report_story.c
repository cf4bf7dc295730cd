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

enum { TEXT_MAX = 200 }; /* bytes of a text in a row */

static void put_text(html *h, const char *text) { html_text(h, text, TEXT_MAX); }

/* Return the number of the operation of the draw at an offset; 0: there is none. */
static size_t find_operation(const story *s, const size_t *operations, uint64_t offset) {
    for (size_t i = 0; i < s->count; i++) {
        const story_item *item = &s->items[i];
        if (item->kind == STORY_DRAW && item->offset == offset) return operations[i] + 1;
    }
    return 0;
}

/* Write what a draw means. Rows have numbers, and no offsets: "at offset 8" becomes "in 2". */
static void put_meaning(html *h, const story *s, const size_t *operations, const story_item *item) {
    static const char place[] = " at offset ";
    const char *text = item->meaning;
    if (item->is_alone) {
        html_raw(h, "<span class=\"soft m\">only this</span>");
        return;
    }
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
    put_text(h, text);
    html_raw(h, "</span>");
}

static void put_draw(html *h, const story *s, const size_t *operations, const story_item *item) {
    html_raw(h, "<span class=\"d\">");
    html_raw(h, "<i>");
    put_text(h, item->note[0] != '\0' ? item->note : item->draw);
    html_raw(h, "</i><code>");
    put_text(h, item->value[0] != '\0' ? item->value : item->bytes);
    html_raw(h, "</code>");
    if (item->meaning[0] != '\0') put_meaning(h, s, operations, item);
    html_raw(h, "</span> ");
}

/* Write one row for each operation. Return how many items are written. */
static size_t put_operations(html *h, const story *s, const size_t *operations, size_t most) {
    size_t i = 0;
    for (; i < s->count && i < most && html_left(h) > 0; i++) {
        const story_item *item = &s->items[i];
        if (i == 0 || operations[i] != operations[i - 1]) {
            if (i > 0) html_raw(h, "</td></tr>\n");
            html_put(h, "<tr><td class=\"n\">%zu</td><td>", operations[i] + 1);
        }
        if (item->kind != STORY_DRAW) {
            html_raw(h, item->kind == STORY_SAY ? "<span class=\"say\">" : "<span class=\"d op\">");
            put_text(h, item->note);
            html_raw(h, "</span> ");
        } else {
            put_draw(h, s, operations, item);
        }
    }
    if (i > 0) html_raw(h, "</td></tr>\n");
    return i;
}

static void put_cell(html *h, const char *tag, const char *text) {
    html_raw(h, tag);
    put_text(h, text);
}

/* Write the table of a test that names no operations: one row a draw. Return how many. */
static size_t put_draws(html *h, const story *s, size_t most) {
    size_t i = 0;
    html_raw(h, "<tr><th class=\"n\">offset</th><th>draw</th><th>value</th><th>name</th>"
                "<th>other values that fail too</th></tr>\n");
    for (; i < s->count && i < most && html_left(h) > 0; i++) {
        const story_item *item = &s->items[i];
        html_put(h, "<tr><td class=\"n\">%" PRIu64, item->offset);
        put_cell(h, "</td><td>", item->draw);
        put_cell(h, "</td><td><code>", item->value[0] != '\0' ? item->value : item->bytes);
        put_cell(h, "</code></td><td>", item->note);
        put_cell(h, item->is_alone ? "</td><td class=\"soft m\">" : "</td><td class=\"m\">",
                 item->is_alone ? "only this" : item->meaning);
        html_raw(h, "</td></tr>\n");
    }
    return i;
}

/* Write how many draws have no row. */
static void put_left_out(html *h, const story *s, size_t shown) {
    uint64_t more = s->left_out;
    for (size_t i = shown; i < s->count; i++) more += s->items[i].kind == STORY_DRAW ? 1 : 0;
    if (more == 0) return;
    html_put(h,
             "<p class=\"soft\">… and %s more draw%s: <code>frng-replay --trace</code> shows "
             "%s.</p>\n",
             units_format_count(UNITS_TEXT, more), more == 1 ? "" : "s", more == 1 ? "it" : "them");
}

/* Write what the column of meanings is worth. */
static void put_meanings(html *h, const story *s) {
    char text[UNITS_TEXT_MAX];
    if (!s->has_meanings) return;
    html_raw(h, "<p class=\"soft\">In colour: the values that fail in the same way, with one "
                "draw changed at a time");
    if (s->explained_by > 0)
        html_put(h, ", as %s runs have shown", units_format_count(text, s->explained_by));
    html_raw(h, s->is_cut ? "; not all draws were explained." : ".");
    if (s->any_runs > 0) {
        html_put(h, " With random values of all %s draws that are any,",
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
    report_story_put_work(h, w, STORY_MAX);
}

void report_story_put_work(html *h, const night_work *w, size_t most) {
    if (w->story.count == 0) return;
    static size_t operations[STORY_MAX]; /* stacks may be small */
    const story *s = &w->story;
    html_raw(h, "<p class=\"soft\">The decisions of the test in this "
                "failure, in their order.</p>\n<div class=\"scroll\"><table class=\"story\">\n");
    const size_t shown = story_operations(s, operations) > 0
                             ? put_operations(h, s, operations, most)
                             : put_draws(h, s, most);
    html_raw(h, "</table></div>\n");
    put_left_out(h, s, shown);
    put_meanings(h, s);
}

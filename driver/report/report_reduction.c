#include "report_reduction.h"

#include "byte_diff.h"
#include "bytes.h"
#include "report_charts.h"
#include "report_story.h"
#include "seed_text.h"
#include "units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_MAX = 8, PASSES_SHOWN = 12, OPEN_MAX = 400, DRAWS_SHOWN = 60 };
enum { REDUCTION_LEAST = 3000 }; /* bytes of the page that one takes at the least */

static bool is_reduction(const night_work *w) {
    return w->task == NIGHT_REDUCE || w->task == NIGHT_REDUCE_FILE;
}

/* ---- Bytes ---- */

/* The bytes of a test case; `bytes` is owned, and NULL if they are not known. */
typedef struct test_bytes {
    uint8_t *bytes;
    size_t size;
} test_bytes;

/* Return the bytes of a failure, by its hex or by its seed. */
static test_bytes bytes_of(const night_failure *f) {
    seed_input input;
    test_bytes t = {NULL, 0};
    if (!f->is_known || f->size == 0 || f->size > BYTE_DIFF_MAX) return t;
    t.bytes = malloc((size_t)f->size);
    if (t.bytes == NULL) return t;
    if (f->hex[0] != '\0' && bytes_from_hex(f->hex, t.bytes, (size_t)f->size, &t.size) &&
        t.size == f->size)
        return t;
    if (f->hex[0] == '\0' && seed_text_parse(f->seed, &input)) {
        input.size = f->size;
        if (seed_prefix_size(&input.prefix) <= input.size) {
            seed_input_expand(&input, t.bytes);
            t.size = (size_t)f->size;
            return t;
        }
    }
    free(t.bytes);
    return (test_bytes){NULL, 0};
}

/* True if a reduction began with this failure. */
static bool begins_with(const night_work *w, const night_failure *f) {
    return f->is_known && f->size == w->size.value && f->hex[0] == '\0' &&
           strcmp(f->signature, w->best.signature) == 0;
}

/* Return the bytes that the reduction began with, which a search before it has found. */
static test_bytes before_of(const night_program *p, const night_work *w) {
    const bool knows = w->size.is_known && w->best.is_known;
    for (const night_work *other = w; knows && other > p->works;) {
        other--;
        if (other->task != NIGHT_SEARCH) continue;
        if (begins_with(w, &other->best)) return bytes_of(&other->best);
        for (size_t i = 0; i < other->each_count; i++) {
            if (begins_with(w, &other->each[i])) return bytes_of(&other->each[i]);
        }
    }
    if (knows && w->first.is_known && w->first.size == w->size.value) return bytes_of(&w->first);
    return (test_bytes){NULL, 0};
}

/* Write bytes, those that are not in `common` as elements of `name`. */
static void put_bytes(html *h, const test_bytes *t, const bool *common, const char *name) {
    bool is_open = false;
    for (size_t i = 0; i < t->size; i++) {
        char hex[3];
        bytes_to_hex(&t->bytes[i], 1, hex);
        const bool differs = common != NULL && !common[i];
        if (is_open && !differs) html_put(h, "</%s>", name);
        if (i > 0) html_raw(h, i % 8 == 0 ? "  " : " ");
        if (!is_open && differs) html_put(h, "<%s>", name);
        is_open = differs;
        html_raw(h, hex);
    }
    if (is_open) html_put(h, "</%s>", name);
    html_raw(h, "</code></p>\n");
}

/* Write the result of a reduction of a file, as the text that it mostly is. */
static void put_file(html *h, const night_work *w) {
    const test_bytes after = bytes_of(&w->best);
    if (after.bytes == NULL) return;
    char *text = calloc(after.size + 1, 1);
    if (text == NULL) h->failed = true;
    for (size_t i = 0; text != NULL && i < after.size; i++)
        text[i] = after.bytes[i] != 0 ? (char)after.bytes[i] : ' ';
    html_put(h, "<h3>After: %s bytes</h3>\n<pre>", units_format_count(UNITS_TEXT, after.size));
    if (text != NULL) html_text(h, text, BYTE_DIFF_MAX);
    html_raw(h, "</pre>\n");
    free(text);
    free(after.bytes);
}

static void put_before_after(html *h, const night_program *p, const night_work *w) {
    static bool in_before[BYTE_DIFF_MAX], in_after[BYTE_DIFF_MAX];
    const test_bytes before = before_of(p, w), after = bytes_of(&w->best);
    char size[UNITS_TEXT_MAX];
    if (after.bytes != NULL) {
        const bool has_both =
            before.bytes != NULL && 16 * before.size < html_left(h) &&
            byte_diff_mark(before.bytes, before.size, after.bytes, after.size, in_before, in_after);
        if (has_both) {
            html_put(h, "<details%s><summary>Before: %s bytes</summary>\n<p class=\"bytes\"><code>",
                     before.size <= OPEN_MAX ? " open" : "", units_format_count(size, before.size));
            put_bytes(h, &before, in_before, "del");
            html_raw(h, "</details>\n");
        }
        html_put(h, "<h3>After: %s bytes</h3>\n<p class=\"bytes\"><code>",
                 units_format_count(size, after.size));
        put_bytes(h, &after, has_both ? in_after : NULL, "ins");
    }
    free(before.bytes);
    free(after.bytes);
}

/* ---- Passes ---- */

static int compare(const void *a, const void *b) {
    const night_pass *const *x = a, *const *y = b;
    if ((*x)->bytes != (*y)->bytes) return (*x)->bytes > (*y)->bytes ? -1 : 1;
    if ((*x)->successes != (*y)->successes) return (*x)->successes > (*y)->successes ? -1 : 1;
    return (*x)->calls > (*y)->calls ? -1 : (*x)->calls < (*y)->calls;
}

static void put_pass(html *h, const night_work *w, const night_pass *pass, uint64_t most) {
    const unsigned colour = report_charts_colour(w, (size_t)(pass - w->passes));
    html_put(h,
             "<tr><td class=\"name\"><span class=\"key c%u\"></span>%s</td><td class=\"n\">%s</td>"
             "<td class=\"n\">%s</td><td class=\"n\">%s</td><td class=\"wide\">",
             colour, pass->name, units_format_count(UNITS_TEXT, pass->calls),
             units_format_count(UNITS_TEXT, pass->successes),
             units_format_count(UNITS_TEXT, pass->bytes));
    if (pass->bytes > 0) {
        html_put(h, "<span class=\"gain\" style=\"background:var(--c%u);width:%.1f%%\"></span>",
                 colour, 100 * (double)pass->bytes / (double)most);
    }
    html_raw(h, "</td></tr>\n");
}

static void put_passes(html *h, const night_work *w) {
    const night_pass *sorted[NIGHT_PASSES_MAX];
    size_t shown = 0;
    for (size_t i = 0; i < w->pass_count; i++) {
        if (w->passes[i].calls > 0) sorted[shown++] = &w->passes[i];
    }
    if (shown == 0) return;
    qsort(sorted, shown, sizeof *sorted, compare);
    html_raw(h,
             "<div class=\"scroll\"><table><tr><th>pass</th><th class=\"n\">calls</th>"
             "<th class=\"n\">steps</th><th class=\"n\">bytes</th><th class=\"wide\"></th></tr>\n");
    const uint64_t most = sorted[0]->bytes > 0 ? sorted[0]->bytes : 1;
    uint64_t calls = 0, left_out = 0;
    for (size_t i = 0; i < shown; i++) {
        const bool is_shown = i < PASSES_SHOWN && (sorted[i]->successes > 0 || i == 0);
        if (is_shown) put_pass(h, w, sorted[i], most);
        if (!is_shown) calls += sorted[i]->calls, left_out++;
    }
    if (left_out > 0) {
        html_put(h,
                 "<tr><td class=\"soft\">%zu other%s</td><td class=\"n\">%s</td><td></td><td></td>"
                 "<td></td></tr>\n",
                 (size_t)left_out, left_out == 1 ? "" : "s", units_format_count(UNITS_TEXT, calls));
    }
    html_raw(h, "</table></div>\n");
}

/* ---- One reduction ---- */

/* Return what stopped a reduction before its end; NULL if nothing did. */
static const char *stop_of(const night_work *w) {
    if (w->end == NULL) return NULL;
    if (strcmp(w->end, "limit") == 0) return "--time or --calls";
    return strcmp(w->end, "interrupted") == 0 ? "A signal" : NULL;
}

static void put_reduction(html *h, night_program *p, night_work *w, size_t number) {
    char to[UNITS_TEXT_MAX], calls[UNITS_TEXT_MAX];
    const char *stop = stop_of(w);
    html_raw(h, "<h2>How it was reduced</h2>\n");
    if (w->best.is_known && p->signature_count > 1)
        html_put(h, "<p><code>%s</code></p>\n", w->best.signature);
    html_raw(h, "<p class=\"soft\">");
    if (w->size.is_known && w->best.is_known) {
        html_put(h, "From %s to %s bytes", units_format_count(UNITS_TEXT, w->size.value),
                 units_format_count(to, w->best.size));
        if (w->runs.is_known) html_put(h, " in %s calls", units_format_count(calls, w->runs.value));
        html_raw(h, w->outcome == NULL || stop != NULL ? ", so far. " : ". ");
    }
    if (stop != NULL) html_put(h, "%s stopped it: it may become simpler still. ", stop);
    if (w->is_complete) html_raw(h, "No pass could make it simpler still. ");
    html_raw(h, "A dot is a step to a simpler test case, in the colour of its pass.</p>\n");
    report_charts_reduction(h, w, number);
    put_passes(h, w);
    if (report_story_of(p) != w) report_story_put_work(h, w, DRAWS_SHOWN);
    if (w->best.is_known && 16 * w->best.size > html_left(h)) {
        html_raw(h, "<p class=\"soft\">Its bytes are left out of this page.</p>\n");
    } else if (w->task == NIGHT_REDUCE_FILE) {
        put_file(h, w);
    } else {
        put_before_after(h, p, w);
    }
}

void report_reduction_put(html *h, night_program *p, size_t number) {
    size_t shown = 0, more = 0;
    for (size_t i = p->work_count; i-- > 0;) {
        night_work *w = &p->works[i];
        if (!is_reduction(w) || (w->points.count == 0 && !w->best.is_known)) continue;
        if (shown == SHOWN_MAX || html_left(h) < REDUCTION_LEAST) {
            more++;
        } else {
            put_reduction(h, p, w, NIGHT_WORKS_MAX * number + i);
            shown++;
        }
    }
    if (more > 0)
        html_put(h, "<p class=\"soft\">%zu more reduction%s left out.</p>\n", more,
                 more == 1 ? " is" : "s are");
}

#include "report_page.h"

#include "page_frame.h"
#include "report_charts.h"
#include "report_details.h"
#include "report_reduction.h"
#include "report_story.h"
#include "report_verdict.h"

#include <stdio.h>
#include <string.h>

/* Bytes of a page, of which charts and texts at the end of a part may take some more; bytes of what
 * a program prints. */
enum { PAGE_MAX = 400000, OUTPUT_MAX = NIGHT_TEXT_MAX };

static void put_output(html *h, const night_program *p) {
    const night_signature *best = report_verdict_best(p);
    if (best == NULL || best->smallest.output == NULL) return;
    const char *output = best->smallest.output;
    const char *end = strchr(output, '\n');
    if (end == NULL || end[1] == '\0') return; /* the line at the top is all of it */
    html_raw(h, "<h2>What it printed</h2>\n<pre>");
    html_text(h, output, html_left(h) < 2 * OUTPUT_MAX ? OUTPUT_MAX / 8 : OUTPUT_MAX);
    html_raw(h, "</pre>\n");
}

static void put_charts(html *h, night_program *p, size_t number) {
    const size_t start = h->size; /* headings of charts that are not there are taken back */
    html_raw(h, "<h2>How the search went</h2>\n");
    const size_t before_searches = h->size;
    html_raw(h,
             "<h3>Best size over runs</h3>\n<p class=\"soft\">Each dot is a smaller failure. The "
             "line ends at the last run.</p>\n");
    const bool has_searches = report_charts_searches(h, p, number);
    if (!has_searches) h->size = before_searches;
    const size_t before_sizes = h->size;
    html_raw(h,
             "<h3>Failures by size</h3>\n<p class=\"soft\">How often random inputs of a size "
             "fail. A dot is the share that was seen, a bar the range in which the true one lies "
             "with 95% confidence. Where nothing failed, a grey bar ends at the bound. Sizes with "
             "fewer than 3 runs have no bar.</p>\n");
    const bool has_sizes = report_charts_sizes(h, p, number);
    if (!has_sizes) h->size = has_searches ? before_sizes : start;
}

/* Write the part of a program, in about `share` bytes. */
static void put_program(html *h, night_program *p, size_t number, size_t share) {
    const size_t start = h->size;
    h->limit = start + share / 2;
    html_put(h, "<section class=\"program\" id=\"program-%zu\">\n", number);
    html_raw(h, "<p class=\"eyebrow\">frng report</p>\n");
    report_verdict_put(h, p);
    report_story_put(h, p);
    put_output(h, p);
    h->limit = start + share / 10 * 7;
    put_charts(h, p, number);
    h->limit = start + share / 10 * 9;
    report_reduction_put(h, p, number);
    h->limit = start + share;
    report_verdict_put_signatures(h, p);
    report_details_put(h, p);
    html_raw(h, "</section>\n");
}

static void put_contents(html *h, const night *n) {
    char sentence[REPORT_SENTENCE_MAX];
    html_put(h, "<nav><p class=\"eyebrow\">frng report</p>\n<h1>%zu programs</h1>\n<ul>\n",
             n->program_count);
    for (size_t i = 0; i < n->program_count; i++) {
        report_verdict_sentence(&n->programs[i], sentence);
        html_put(h, "<li><a href=\"#program-%zu\">%s</a></li>\n", i + 1, sentence);
    }
    html_raw(h, "</ul></nav>\n");
}

void report_page_put(html *h, night *n) {
    char title[REPORT_SENTENCE_MAX] = "frng report";
    if (n->program_count == 1) report_verdict_sentence(&n->programs[0], title);
    page_frame_begin(h, title);
    if (n->program_count > 1) put_contents(h, n);
    if (n->program_count == 0) {
        html_raw(h, "<p class=\"eyebrow\">frng report</p>\n<h1>Nothing was run</h1>\n");
    }
    for (size_t i = 0; i < n->program_count; i++) {
        const size_t left = h->size < PAGE_MAX ? PAGE_MAX - h->size : 0;
        put_program(h, &n->programs[i], i + 1, left / (n->program_count - i));
    }
    h->limit = 0;
    html_raw(h, "<footer>\n");
    report_details_put_sources(h, n);
    html_raw(h, "</footer>\n");
    page_frame_end(h);
}

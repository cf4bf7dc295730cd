#include "report_details.h"

#include "units.h"

#include <inttypes.h>
#include <string.h>

enum { SHOWN_MAX = 100 };

static const char *task_of(const night_work *w) {
    switch (w->task) {
    case NIGHT_SEARCH: return "search";
    case NIGHT_REDUCE: return "reduction";
    case NIGHT_REDUCE_FILE: return "reduction of a file";
    case NIGHT_REPLAY: return "replay";
    }
    return "";
}

static void put_text(html *h, const char *name, const char *text) {
    if (text == NULL || text[0] == '\0') return;
    html_put(h, "<dt>%s</dt><dd><code>%s</code></dd>\n", name, text);
}

static const char *end_of(const night_work *w) {
    if (w->outcome == NULL) return "has not ended";
    return w->outcome;
}

static void put_work(html *h, const night_work *w) {
    char runs[UNITS_TEXT_MAX] = "", jobs[UNITS_TEXT_MAX] = "", time[UNITS_TEXT_MAX] = "";
    if (w->runs.is_known) units_format_count(runs, w->runs.value);
    if (w->jobs.is_known) units_format_count(jobs, w->jobs.value);
    if (w->seconds >= 0 && w->seconds < 9e9)
        units_format_elapsed(time, (int64_t)(w->seconds * 1e9));
    const char *const cells[] = {w->when, w->host, w->mode, w->rng_seed, w->source};
    html_put(h,
             "<tr><td>%s</td><td>%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td>"
             "<td class=\"n\">%s</td>",
             task_of(w), end_of(w), runs, time, jobs);
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++)
        html_put(h, "<td>%s</td>", cells[i] != NULL ? cells[i] : "");
    html_raw(h, "</tr>\n");
}

static const char *digest_of(const night_work *w) { return w->digest; }
static const char *version_of(const night_work *w) { return w->version; }

/* Write the different texts that works have, and return how many they are. */
static size_t put_each(html *h, const night_program *p, const char *name,
                       const char *(*of)(const night_work *w)) {
    enum { SEEN_MAX = 10 };
    const char *seen[SEEN_MAX];
    size_t count = 0;
    for (size_t i = 0; i < p->work_count && count < SEEN_MAX; i++) {
        const char *text = of(&p->works[i]);
        size_t k = 0;
        if (text == NULL || text[0] == '\0') continue;
        while (k < count && strcmp(seen[k], text) != 0) k++;
        if (k < count) continue;
        seen[count++] = text;
        put_text(h, name, text);
    }
    return count;
}

void report_details_put(html *h, const night_program *p) {
    html_raw(h, "<h2>What was run</h2>\n<dl class=\"about\">\n");
    put_text(h, "program", p->name);
    put_text(h, "arguments", p->args);
    const size_t builds = put_each(h, p, "digest", digest_of);
    if (builds > 1) html_put(h, "<dt></dt><dd>%zu different builds</dd>\n", builds);
    put_each(h, p, "frng", version_of);
    for (size_t i = 0; i < p->work_count; i++) {
        const char *command = p->works[i].command;
        if (command == NULL || command[0] == '\0') continue;
        put_text(h, "command", command);
        break;
    }
    html_raw(h, "</dl>\n");
    if (p->work_count == 0) return;
    html_raw(h, "<div class=\"scroll\"><table class=\"works\"><tr><th></th><th>result</th>"
                "<th class=\"n\">runs</th><th class=\"n\">time</th><th class=\"n\">jobs</th>"
                "<th>began</th><th>host</th><th>mode</th><th>--rng-seed</th>"
                "<th>events</th></tr>\n");
    size_t shown = 0;
    while (shown < p->work_count && shown < SHOWN_MAX && (shown == 0 || html_left(h) > 0))
        put_work(h, &p->works[shown++]);
    html_raw(h, "</table></div>\n");
    const uint64_t more = p->works_left_out + (p->work_count - shown);
    if (more > 0) html_put(h, "<p class=\"soft\">%" PRIu64 " more are left out.</p>\n", more);
}

void report_details_put_sources(html *h, const night *n) {
    char text[UNITS_TEXT_MAX];
    uint64_t findings = 0;
    for (size_t i = 0; i < n->program_count; i++) findings += n->programs[i].findings;
    html_put(h, "<p>Made by frng-report from %s event%s", units_format_count(text, n->lines),
             n->lines == 1 ? "" : "s");
    if (findings > 0) {
        html_put(h, " and %s finding%s", units_format_count(text, findings),
                 findings == 1 ? "" : "s");
    }
    if (n->torn > 0) html_put(h, "; %s lines could not be read", units_format_count(text, n->torn));
    if (n->too_long > 0)
        html_put(h, "; %s lines were too long", units_format_count(text, n->too_long));
    if (n->unknown > 0)
        html_put(h, "; %s events are of a kind that it does not know",
                 units_format_count(text, n->unknown));
    if (n->programs_left_out > 0)
        html_put(h, "; %s searches are of more programs than it shows",
                 units_format_count(text, n->programs_left_out));
    html_raw(h, ".</p>\n");
}

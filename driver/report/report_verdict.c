#include "report_verdict.h"

#include "page_frame.h"
#include "rate.h"
#include "seed_text.h"
#include "subject.h"
#include "text_summary.h"
#include "units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool known(const char *text) { return text != NULL && text[0] != '\0'; }

const night_signature *report_verdict_best(const night_program *p) {
    const night_signature *best = NULL;
    for (size_t i = 0; i < p->signature_count; i++) {
        const night_signature *s = &p->signatures[i];
        if (best == NULL || s->smallest.size < best->smallest.size) best = s;
    }
    return best;
}

/* ---- What all searches did together ---- */

typedef struct effort {
    uint64_t runs, calls, reruns;
    double seconds;
    size_t searches, reductions, ended, passed, inconclusive;
    bool has_runs;
} effort;

static bool is_outcome(const night_work *w, const char *word) {
    return w->outcome != NULL && strcmp(w->outcome, word) == 0;
}

static effort effort_of(const night_program *p) {
    effort e = {.runs = 0};
    for (size_t i = 0; i < p->work_count; i++) {
        const night_work *w = &p->works[i];
        const bool searches = w->task == NIGHT_SEARCH;
        if (w->seconds > 0) e.seconds += w->seconds;
        if (searches) e.searches++;
        if (w->task == NIGHT_REDUCE || w->task == NIGHT_REDUCE_FILE) e.reductions++;
        if (searches && w->runs.is_known) e.runs += w->runs.value, e.has_runs = true;
        if (!searches && w->runs.is_known) e.calls += w->runs.value;
        if (w->outcome != NULL) e.ended++;
        if (is_outcome(w, "pass")) e.passed++;
        if (is_outcome(w, "inconclusive")) e.inconclusive++;
    }
    return e;
}

/* ---- The sentence ---- */

static const char *name_of(const night_program *p) {
    return p->name[0] != '\0' ? night_base_of(p->name) : "a program";
}

/* Return the last reduction of a file by this predicate; NULL if it is no predicate. */
static const night_work *file_of(const night_program *p) {
    const night_work *last = p->work_count > 0 ? &p->works[p->work_count - 1] : NULL;
    return last != NULL && last->task == NIGHT_REDUCE_FILE ? last : NULL;
}

static void file_sentence(const night_work *w, char text[REPORT_SENTENCE_MAX]) {
    char from[UNITS_TEXT_MAX], to[UNITS_TEXT_MAX];
    const char *file = known(w->file) ? night_base_of(w->file) : "a file";
    if (!w->best.is_known) {
        snprintf(text, REPORT_SENTENCE_MAX, "%s is %s", file,
                 w->outcome != NULL ? w->outcome : "not reduced");
    } else if (w->size.is_known) {
        snprintf(text, REPORT_SENTENCE_MAX, "%s is reduced from %s to %s bytes", file,
                 units_format_count(from, w->size.value), units_format_count(to, w->best.size));
    } else {
        snprintf(text, REPORT_SENTENCE_MAX, "%s is reduced to %s bytes", file,
                 units_format_count(to, w->best.size));
    }
}

void report_verdict_sentence(const night_program *p, char text[REPORT_SENTENCE_MAX]) {
    const night_signature *best = report_verdict_best(p);
    const effort e = effort_of(p);
    char runs[UNITS_TEXT_MAX], size[UNITS_TEXT_MAX];
    units_format_count(runs, e.runs);
    if (best == NULL && file_of(p) != NULL) {
        file_sentence(file_of(p), text);
    } else if (best != NULL && p->signature_count > 1) {
        snprintf(text, REPORT_SENTENCE_MAX, "%s fails in %zu ways, on %s bytes or more", name_of(p),
                 p->signature_count, units_format_count(size, best->smallest.size));
    } else if (best != NULL) {
        snprintf(text, REPORT_SENTENCE_MAX, "%s fails on %s byte%s", name_of(p),
                 units_format_count(size, best->smallest.size),
                 best->smallest.size == 1 ? "" : "s");
    } else if (e.inconclusive > 0) {
        snprintf(text, REPORT_SENTENCE_MAX, "%s failed, but never in the same way again",
                 name_of(p));
    } else if (e.ended < p->work_count) {
        snprintf(text, REPORT_SENTENCE_MAX, "%s has not failed, and the search has not ended",
                 name_of(p));
    } else if (e.has_runs) {
        snprintf(text, REPORT_SENTENCE_MAX, "%s did not fail in %s runs", name_of(p), runs);
    } else {
        snprintf(text, REPORT_SENTENCE_MAX, "%s did not fail", name_of(p));
    }
}

/* ---- The failure ---- */

/* Return the line of the output that names the site, or the first one; the caller frees it. */
static char *line_of(const night_failure *f) {
    const char *output = f->output != NULL ? f->output : "";
    const char *at = known(f->site) ? strstr(output, f->site) : NULL;
    if (at == NULL) at = output + strspn(output, "\r\n \t");
    while (at > output && at[-1] != '\n') at--;
    return strndup(at, strcspn(at, "\n"));
}

static void put_lead(html *h, const night_signature *s) {
    char *line = line_of(&s->smallest);
    html_put(h, "<p class=\"lead\"><code>%s</code>", s->smallest.signature);
    if (known(s->smallest.flaky)) {
        html_put(h, " &nbsp;<span class=\"soft\">flaky: failed in %s reruns</span>",
                 s->smallest.flaky);
    }
    html_raw(h, "</p>\n");
    if (line == NULL) h->failed = true;
    if (line != NULL && line[0] != '\0') html_put(h, "<pre class=\"says\">%s</pre>\n", line);
    free(line);
}

char *report_verdict_replay(const night_program *p, const night_failure *f) {
    const char *const none[] = {NULL};
    const run_target target = {p->name, none, "frng-replay", ""};
    seed_input input;
    char *line = NULL, *whole = NULL;
    if (known(f->replay)) return strdup(f->replay);
    if (known(f->finding)) {
        line = subject_replay_line_of(&target, "--finding", f->finding);
    } else if (known(f->hex)) {
        line = subject_replay_line_of(&target, "--hex", f->hex);
    } else if (known(f->seed) && seed_text_parse(f->seed, &input)) {
        input.size = f->size;
        line = subject_replay_line(&target, input);
    } else {
        return strdup("");
    }
    if (line == NULL || p->args[0] == '\0') return line;
    if (asprintf(&whole, "%s -- %s", line, p->args) < 0) whole = NULL;
    free(line);
    return whole;
}

static void put_replay(html *h, const night_program *p, const night_failure *f,
                       const char *heading) {
    char *line = report_verdict_replay(p, f);
    if (line == NULL) h->failed = true;
    if (line != NULL && line[0] != '\0') {
        html_put(h, "<h2>%s</h2>\n", heading);
        page_frame_put_copied(h, line);
    }
    free(line);
}

/* ---- The claim ---- */

static void put_claim(html *h, const night_program *p, const night_signature *best) {
    char below[UNITS_TEXT_MAX], passed[UNITS_TEXT_MAX];
    const night_claim *c = NULL;
    for (size_t i = 0; i < p->work_count; i++) {
        const night_claim *of = &p->works[i].best.claim;
        if (of->is_known && of->passed > 0 && (c == NULL || of->below < c->below)) c = of;
    }
    if (c == NULL) return;
    units_format_count(below, c->below);
    units_format_count(passed, c->passed);
    html_raw(h, "<h2>Is there a smaller one?</h2>\n<p>");
    if (c->bound <= 0) {
        html_put(h, "No. Every input of %s byte%s was run, and passed.</p>\n", below,
                 text_plural(c->below));
        return;
    }
    html_put(
        h,
        "Perhaps, but few random inputs show one. The search ended when, below its own smallest "
        "failure, %s random inputs of %s byte%s had passed in a row: with %.0f%% confidence, "
        "fewer than %s of such inputs fail.",
        passed, below, text_plural(c->below), 100 * c->confidence,
        rate_format_bound(c->bound, RATE_TEXT));
    if (best != NULL && best->smallest.size <= c->below)
        html_put(h, " From there, a reduction went on to %s byte%s.",
                 units_format_count(UNITS_TEXT, best->smallest.size),
                 text_plural(best->smallest.size));
    html_raw(h, "</p>\n");
}

/* ---- Figures ---- */

static void put_fact(html *h, const char *name, const char *value, const char *more) {
    html_put(h, "<div><dt>%s</dt><dd>%s<small>%s</small></dd></div>\n", name, value, more);
}

static void put_time(html *h, const effort *e) {
    char time[UNITS_TEXT_MAX], more[REPORT_SENTENCE_MAX];
    const int64_t time_ns = e->seconds < 9e9 ? (int64_t)(e->seconds * 1e9) : INT64_MAX;
    if (e->seconds <= 0) return;
    snprintf(more, sizeof more, "%s a second",
             units_format_rate(UNITS_TEXT, e->runs + e->calls, time_ns));
    put_fact(h, "time", units_format_elapsed(time, time_ns), more);
}

static void put_facts(html *h, const night_program *p, const night_signature *best) {
    const effort e = effort_of(p);
    char value[UNITS_TEXT_MAX], more[REPORT_SENTENCE_MAX];
    html_raw(h, "<dl class=\"facts\">\n");
    if (best != NULL) {
        put_fact(h, "smallest failure", units_format_count(value, best->smallest.size), "bytes");
    }
    if (best != NULL && best->smallest.reruns.is_known && best->smallest.reruns.value > 0) {
        snprintf(more, sizeof more, "of %s rerun%s",
                 units_format_count(UNITS_TEXT, best->smallest.reruns.value),
                 best->smallest.reruns.value == 1 ? "" : "s");
        put_fact(h, "failed again in", units_format_count(value, best->smallest.repeated.value),
                 more);
    }
    if (e.has_runs) {
        snprintf(more, sizeof more, "in %zu search%s", e.searches, e.searches == 1 ? "" : "es");
        put_fact(h, "runs", units_format_count(value, e.runs), more);
    }
    if (e.calls > 0) {
        snprintf(more, sizeof more, "in %zu reduction%s", e.reductions,
                 e.reductions == 1 ? "" : "s");
        put_fact(h, "calls", units_format_count(value, e.calls), more);
    }
    if (p->findings > 0) put_fact(h, "findings", units_format_count(value, p->findings), "files");
    put_time(h, &e);
    html_raw(h, "</dl>\n");
}

void report_verdict_put(html *h, const night_program *p) {
    char sentence[REPORT_SENTENCE_MAX];
    const night_signature *best = report_verdict_best(p);
    report_verdict_sentence(p, sentence);
    html_put(h, "<h1>%s</h1>\n", sentence);
    if (best != NULL) put_lead(h, best);
    put_facts(h, p, best);
    if (best != NULL) put_replay(h, p, &best->smallest, "Replay it");
    if (best == NULL && file_of(p) != NULL && file_of(p)->best.is_known)
        put_replay(h, p, &file_of(p)->best, "Check it");
    put_claim(h, p, best);
}

/* ---- Signatures ---- */

static int compare(const void *a, const void *b) {
    const night_signature *const *x = a, *const *y = b;
    const uint64_t of_x = (*x)->smallest.size, of_y = (*y)->smallest.size;
    if (of_x != of_y) return of_x < of_y ? -1 : 1;
    return strcmp((*x)->smallest.signature, (*y)->smallest.signature);
}

enum { SIGNATURE_TEXT_SHOWN = 200, REPLAY_SHOWN = 1000 }; /* bytes of a row */

static void put_signature(html *h, const night_program *p, const night_signature *s) {
    const night_failure *f = &s->smallest;
    char *line = report_verdict_replay(p, f);
    if (line == NULL) h->failed = true;
    html_raw(h, "<tr><td class=\"long\"><code>");
    html_text(h, f->signature, SIGNATURE_TEXT_SHOWN);
    html_put(h, "</code></td><td class=\"n\">%s</td><td class=\"n\">%s</td><td>%s",
             units_format_count(UNITS_TEXT, f->size), units_format_count(UNITS_TEXT, s->seen),
             known(f->flaky) ? "flaky, " : "");
    if (f->reruns.is_known && f->reruns.value > 0) {
        html_put(h, "%s", rate_format(rate_of(f->repeated.value, f->reruns.value), RATE_TEXT));
    }
    const bool is_long = line != NULL && strlen(line) > REPLAY_SHOWN; /* a part replays nothing */
    html_put(h, "</td><td class=\"long\"><code>%s</code>%s</td></tr>\n",
             line != NULL && !is_long ? line : "", is_long ? "the events have its bytes" : "");
    free(line);
}

void report_verdict_put_signatures(html *h, const night_program *p) {
    enum { SHOWN_MAX = 60 };
    size_t shown = 0;
    const night_signature **sorted = calloc(p->signature_count + 1, sizeof *sorted);
    if (sorted == NULL) h->failed = true;
    for (size_t i = 0; sorted != NULL && i < p->signature_count; i++) sorted[i] = &p->signatures[i];
    if (sorted == NULL || p->signature_count == 0) {
        free(sorted);
        return;
    }
    qsort(sorted, p->signature_count, sizeof *sorted, compare);
    html_raw(h, "<h2>All failures</h2>\n<p class=\"soft\">One row for each way and place in which "
                "it failed.</p>\n<div class=\"scroll\"><table><tr><th>signature</th>"
                "<th class=\"n\">smallest</th><th class=\"n\">seen</th><th>reruns that failed</th>"
                "<th>replay</th></tr>\n");
    while (shown < p->signature_count && shown < SHOWN_MAX && (shown == 0 || html_left(h) > 0))
        put_signature(h, p, sorted[shown++]);
    html_raw(h, "</table></div>\n");
    const uint64_t more = p->signatures_left_out + (p->signature_count - shown);
    if (more > 0)
        html_put(h, "<p class=\"soft\">… and %" PRIu64 " more, which are larger.</p>\n", more);
    free(sorted);
}

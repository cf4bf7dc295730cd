#include "fleet_text.h"

#include "builds.h"
#include "bytes.h"
#include "rates.h"
#include "subject.h"
#include "text_failures.h"
#include "text_summary.h"
#include "units.h"

#include <inttypes.h>
#include <string.h>

/* How many names of one kind, campaigns and builds are shown. */
enum { SHOWN_MAX = 5, NAME_WIDTH = 32 };

static void put_label(FILE *out, const char *label) { fprintf(out, "  %-8s ", label); }

/* ---- Counts ---- */

static void put_part(FILE *out, const char **before, size_t count, const char *what) {
    if (count == 0) return;
    fprintf(out, "%s%s %s", *before, units_format_count(UNITS_TEXT, count), what);
    *before = ", ";
}

/* Print how many workers there are, and what became of them. */
static void put_workers(FILE *out, const fleet *f) {
    const char *before = ": ";
    if (f->count == 0) {
        fputs("no workers: frng-search reports here with --sync or --worker\n", out);
        return;
    }
    fprintf(out, "%s worker%s", units_format_count(UNITS_TEXT, f->count), text_plural(f->count));
    put_part(out, &before, f->sights[SIGHT_RUNNING], "running");
    put_part(out, &before, f->sights[SIGHT_SILENT], "silent");
    put_part(out, &before, f->sights[SIGHT_FOUND] + f->sights[SIGHT_PASSED], "done");
    put_part(out, &before, f->sights[SIGHT_STOPPED], "stopped");
    put_part(out, &before, f->sights[SIGHT_FAILED], "failed");
    fputs("\n", out);
}

static int64_t ns_of(double seconds) {
    return seconds < 9e9 ? (int64_t)(seconds * 1e9) : INT64_MAX;
}

static void put_runs(FILE *out, const fleet *f) {
    char runs[UNITS_TEXT_MAX];
    if (f->count == 0) return;
    put_label(out, "runs");
    fprintf(out, "%s and %s rerun%s in %s of searching", units_format_count(runs, f->totals.runs),
            units_format_count(UNITS_TEXT, f->totals.reruns), text_plural(f->totals.reruns),
            units_format_elapsed(UNITS_TEXT, ns_of(f->totals.seconds)));
    if (f->sights[SIGHT_RUNNING] > 0)
        fprintf(out, ", %s/s now",
                units_format_count(UNITS_TEXT, f->rate < 1e18 ? (uint64_t)f->rate : UINT64_MAX));
    fputs("\n", out);
}

/* ---- Workers to look at ---- */

/* Why a worker is named. */
typedef enum concern { CONCERN_SILENT, CONCERN_FAILED, CONCERN_ERRORS } concern;

static bool has_concern(const fleet_worker *w, concern c) {
    switch (c) {
    case CONCERN_SILENT: return w->sight == SIGHT_SILENT;
    case CONCERN_FAILED: return w->sight == SIGHT_FAILED;
    case CONCERN_ERRORS: return w->file.totals.errors > 0 && w->sight != SIGHT_FAILED;
    }
    return false;
}

static void put_concern(FILE *out, const fleet_worker *w, concern c) {
    char age[UNITS_TEXT_MAX], every[UNITS_TEXT_MAX];
    units_format_clock(age, w->age_ns);
    switch (c) {
    case CONCERN_SILENT:
        fprintf(out, ": no sign for %s, and promised one every %s", age,
                w->file.every < 1 ? units_format_elapsed(every, ns_of(w->file.every))
                                  : units_format_clock(every, ns_of(w->file.every)));
        break;
    case CONCERN_FAILED: fprintf(out, ": ended by an error %s ago", age); break;
    case CONCERN_ERRORS:
        fprintf(out, ": %s write%s or look%s at the folder failed",
                units_format_count(UNITS_TEXT, w->file.totals.errors),
                text_plural(w->file.totals.errors), text_plural(w->file.totals.errors));
        break;
    }
}

static void put_name(FILE *out, const fleet_worker *w) {
    const char *host = w->file.process.host != NULL ? w->file.process.host : "";
    text_put_escaped(out, w->name);
    if (host[0] == '\0' || strstr(w->name, host) != NULL) return;
    fputs(" on ", out);
    text_put_escaped(out, host);
}

static void put_concerned(FILE *out, const fleet *f, concern c, const char *label) {
    size_t count = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (!has_concern(&f->workers[i], c) || count++ >= SHOWN_MAX) continue;
        put_label(out, count == 1 ? label : "");
        put_name(out, &f->workers[i]);
        put_concern(out, &f->workers[i], c);
        fputs("\n", out);
    }
    if (count <= SHOWN_MAX) return;
    put_label(out, "");
    fprintf(out, "and %s more\n", units_format_count(UNITS_TEXT, count - SHOWN_MAX));
}

static void put_all_concerned(FILE *out, const fleet *f) {
    put_concerned(out, f, CONCERN_SILENT, "silent");
    if (f->is_out_of_step) {
        put_label(out, "");
        fputs("all gave their last sign at one time: is this machine's clock ahead?\n", out);
    }
    put_concerned(out, f, CONCERN_FAILED, "failed");
    put_concerned(out, f, CONCERN_ERRORS, "errors");
}

/* ---- Evidence ---- */

/* Print which searches a claim is of, if there are several. */
static void put_campaign(FILE *out, const fleet_campaign *c) {
    subject_put_word(out, c->target.sut != NULL ? path_base(c->target.sut) : "SUT");
    if (c->target.args != NULL && c->target.args[0] != NULL) fputs(" --", out);
    for (size_t i = 0; c->target.args != NULL && c->target.args[i] != NULL; i++) {
        fputs(" ", out);
        subject_put_word(out, c->target.args[i]);
    }
    if (c->target.filter != NULL) text_put_escaped(out, c->target.filter);
    if (c->target.digest == NULL) return;
    fputs(", build ", out);
    finding_table_put_build(out, c->target.digest);
}

/* Return which of the runs were styled, if not none. */
static const char *styles_of(seed_expansion e) {
    switch (e) {
    case EXPAND_UNIFORM: break;
    case EXPAND_STYLED: return "; all runs styled";
    case EXPAND_BOTH: return "; half of the runs styled";
    }
    return "";
}

/* With more passes than this the claim has no room in 80 columns. */
enum { ONE_LINE_PASSES = 100000 };

/* Print what the passes of all workers show. */
static void put_evidence(FILE *out, const fleet_campaign *c) {
    char workers[UNITS_TEXT_MAX], stretches[UNITS_TEXT_MAX];
    const fleet_evidence *e = &c->evidence;
    const run_claim claim = {.below = e->below, .passed = e->passed, .bound = e->bound};
    if (!c->has_best) {
        fprintf(out, "no failure in %s run%s\n", units_format_count(UNITS_TEXT, c->runs),
                text_plural(c->runs));
        return;
    }
    if (c->best_size == 0) {
        fputs("none: it fails on empty input\n", out);
        return;
    }
    if (e->passed == 0) {
        fprintf(out, "no worker has passes at size %" PRIu64 " yet\n", e->below);
        return;
    }
    text_put_passes(out, &claim, e->passed < ONE_LINE_PASSES ? " " : "\n           ");
    fputs("\n", out);
    put_label(out, "");
    fprintf(out, "95%% confidence; %s worker%s, %s stretch%s%s\n",
            units_format_count(workers, e->workers), text_plural(e->workers),
            units_format_count(stretches, e->stretches), e->stretches == 1 ? "" : "es",
            styles_of(c->target.expand));
}

static void put_all_evidence(FILE *out, const fleet *f) {
    for (size_t i = 0; i < f->campaign_count && i < SHOWN_MAX; i++) {
        const fleet_campaign *c = &f->campaigns[i];
        const bool is_first = i == 0 || c->has_best != f->campaigns[i - 1].has_best;
        put_label(out, !is_first ? "" : c->has_best ? "smaller" : "passed");
        if (f->campaign_count > 1) {
            put_campaign(out, c);
            fputs(":\n", out);
            put_label(out, "");
        }
        put_evidence(out, c);
    }
    if (f->campaign_count <= SHOWN_MAX) return;
    put_label(out, "");
    fprintf(out, "and %s more programs, builds or arguments\n",
            units_format_count(UNITS_TEXT, f->campaign_count - SHOWN_MAX));
}

/* ---- Builds ---- */

static void put_build(FILE *out, const build *b) {
    if (b->digest != NULL) {
        finding_table_put_build(out, b->digest);
    } else {
        fputs("unknown     ", out);
    }
    fputs(" of ", out);
    text_put_escaped(out, b->sut != NULL ? b->sut : "a program");
    fprintf(out, ": %s worker%s, %s finding%s", units_format_count(UNITS_TEXT, b->workers),
            text_plural(b->workers), units_format_count(UNITS_TEXT, b->findings),
            text_plural(b->findings));
    if (b->findings > 0) fprintf(out, ", the smallest of %" PRIu64, b->smallest);
    fputs("\n", out);
}

/* Print the builds, if there are several. */
static void put_builds(FILE *out, const builds *b) {
    for (size_t i = 0; b->count > 1 && i < b->count && i < SHOWN_MAX; i++) {
        put_label(out, i == 0 ? "builds" : "");
        put_build(out, &b->list[i]);
    }
    if (b->count <= SHOWN_MAX) return;
    put_label(out, "");
    fprintf(out, "and %s more\n", units_format_count(UNITS_TEXT, b->count - SHOWN_MAX));
}

/* ---- The whole ---- */

static void put_findings(FILE *out, const fleet_view *v) {
    const finding_table_style style = {
        .tool = v->replay, .name_width = NAME_WIDTH, .shows_builds = v->builds->count > 1};
    fputs("\n", out);
    if (v->table->count == 0) {
        fputs(fleet_has_found(v->fleet) ? "the folder has no finding\n" : "nothing found\n", out);
    }
    finding_table_put(out, v->table, &style);
    if (v->table->unread > 0)
        fprintf(out, "and %s larger findings, which were not read\n",
                units_format_count(UNITS_TEXT, v->table->unread));
}

static void put_skipped(FILE *out, const fleet_view *v) {
    if (v->skipped == 0) return;
    put_label(out, "skipped");
    fprintf(out, "%s file%s that could not be read\n", units_format_count(UNITS_TEXT, v->skipped),
            text_plural(v->skipped));
}

void fleet_text_put(FILE *out, const fleet_view *v) {
    put_workers(out, v->fleet);
    put_runs(out, v->fleet);
    put_all_concerned(out, v->fleet);
    put_skipped(out, v);
    put_all_evidence(out, v->fleet);
    put_builds(out, v->builds);
    put_findings(out, v);
}

canvas_ink fleet_text_ink(const char *line) {
    static const char *const bad[] = {"  silent  ", "  failed  ", "  errors  "};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (strncmp(line, bad[i], strlen(bad[i])) == 0) return INK_RED;
    }
    return line[0] != ' ' && strstr(line, " worker") != NULL ? INK_STRONG : INK_PLAIN;
}

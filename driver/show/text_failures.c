#include "text_failures.h"

#include "excerpt.h"
#include "failure.h"
#include "rates.h"
#include "text_summary.h"
#include "units.h"

#include <inttypes.h>
#include <string.h>

const char *text_failures_name(const failure *f, char text[FAILURE_NAME_MAX]) {
    char name[SITE_TEXT_MAX];
    site_format(f->signature, f->site, name);
    bytes_escape((const uint8_t *)name, strlen(name), false, text, FAILURE_NAME_MAX);
    return text;
}

static int width_of_names(const summary *s) {
    int width = 9; /* of the heading */
    for (size_t i = 0; i < s->each_count; i++) {
        char text[FAILURE_NAME_MAX];
        const char *name = text_failures_name(s->each[i].input.failure, text);
        const int length = (int)strnlen(name, FAILURE_NAME_WIDTH_MAX);
        if (length > width) width = length;
    }
    return width;
}

/* Print what is known of smaller failures of this signature. */
static void put_claim(FILE *out, const failure *f, const run_claim *c) {
    char often[RATE_TEXT_MAX];
    if (failure_is_of_flaky(f)) {
        fprintf(
            out, "flaky: fails in %s",
            rate_format(rate_of(failure_evidence(f).repeated, failure_evidence(f).reruns), often));
    } else if (f->input.size == 0) {
        fputs("nothing is", out);
    } else if (c->passed == 0) {
        fputs("not searched to the end", out);
    } else if (c->bound == 0) {
        fprintf(out, "none: all inputs of size %" PRIu64 " were run", c->below);
    } else {
        fprintf(out, "none in %" PRIu64 " runs at size %" PRIu64, c->passed, c->below);
        if (c->bound <= 0.99) fprintf(out, ": under %s", rate_format_bound(c->bound, often));
    }
}

/* The seed is in the replay command below the table: rows of 80 columns are the aim. */
static void put_row(FILE *out, const found_failure *row, int width) {
    const failure *f = row->input.failure;
    char reruns[32], name[FAILURE_NAME_MAX];
    snprintf(reruns, sizeof reruns, "%u/%u", f->repeated, f->reruns);
    fprintf(out, "  %-*s  %4" PRIu64 "  %6s  ", width, text_failures_name(f, name), f->input.size,
            reruns);
    put_claim(out, f, &row->claim);
    fputs("\n", out);
}

/* Print what growing has shown since all of these are known. */
static void put_grown(FILE *out, const summary *s) {
    char sizes[UNITS_TEXT_MAX];
    const run_claim *c = &s->grown;
    if (s->is_each_full) {
        fprintf(
            out,
            "  limit    frng keeps at most %zu signatures: failures of others counted as passes\n",
            s->each_count);
    }
    fputs("  other    ", out);
    if (c->rounds == 0) {
        fputs("stopped before all sizes were tried for other failures\n", out);
        return;
    }
    fprintf(out, "no other failure in at least %s runs at each of %s sizes up to %s\n",
            units_format_count(UNITS_TEXT, c->rounds), units_format_count(sizes, c->sizes),
            units_format_size(UNITS_TEXT, c->largest));
}

void text_failures_put(FILE *out, const summary *s) {
    const int width = width_of_names(s);
    fprintf(out, "\n%zu distinct failure%s%s\n\n  %-*s  %4s  %6s  %s\n", s->each_count,
            phrase_plural(s->each_count), summary_is_complete(s) ? "" : " so far", width,
            "signature", "size", "reruns", "smaller (95% confidence)");
    for (size_t i = 0; i < s->each_count; i++) put_row(out, &s->each[i], width);
    text_put_expansion(out, "claims", s->setup->expand);
    fputs("\n", out);
    for (size_t i = 0; i < s->each_count; i++) {
        char name[FAILURE_NAME_MAX];
        fprintf(out, "%s\n", text_failures_name(s->each[i].input.failure, name));
        text_put_replay(out, "replay", s->setup, &s->each[i].input);
        const failure *f = s->each[i].input.failure;
        excerpt_put_at(out, f->output, f->site);
    }
    fputs("\n", out);
    put_grown(out, s);
}

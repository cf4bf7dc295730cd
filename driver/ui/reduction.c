#include "reduction.h"

#include "excerpt.h"
#include "messages.h"
#include "report_parts.h"
#include "units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

void reduction_tell(const failure *f, bool is_best, const progress *p) {
    char id[SIGNATURE_TEXT_MAX], calls[UNITS_TEXT_MAX];
    fprintf(message_stream(), "%s %s: %" PRIu64 " byte%s (call %s)\n",
            is_best ? "fails with" : "also fails with", signature_format(f->signature, id),
            f->input.size, plural(f->input.size), units_format_count(calls, p->runs));
}

void reduction_tell_flaky(const failure *f) {
    char id[SIGNATURE_TEXT_MAX];
    if (f->cause != CAUSE_NONE) {
        report_put_limited(message_stream(), f);
        return;
    }
    fprintf(message_stream(),
            "flaky: %s with %" PRIu64 " byte%s passed when it was run again; from now on each "
            "step has to fail as often as what it began from\n",
            signature_format(f->signature, id), f->input.size, plural(f->input.size));
}

void reduction_tell_start(const subject *s, const char *digest, const char *mode, unsigned jobs,
                          uint64_t size) {
    char *command = subject_command(s);
    fprintf(message_stream(),
            "reducing %" PRIu64 " byte%s of %s\n  digest %s\n  mode %s, %u job%s\n", size,
            plural(size), command != NULL ? command : s->sut, digest != NULL ? digest : "unknown",
            mode, jobs, plural(jobs));
    free(command);
}

/* ---- The summary ---- */

static void put_site(FILE *out, const failure *f) {
    char text[4 * FAILURE_SITE_MAX];
    bytes_escape((const uint8_t *)f->site, strlen(f->site), false, text, sizeof text);
    if (text[0] != '\0') fprintf(out, " at %s", text);
}

static void put_head(FILE *out, const reduction *r) {
    char id[SIGNATURE_TEXT_MAX];
    switch (r->end) {
    case REDUCTION_PASSED:
        fprintf(out,
                "nothing to reduce: the input of %" PRIu64 " byte%s passes (%" PRIu64 " run%s)\n",
                r->size, plural(r->size), r->progress.runs, plural(r->progress.runs));
        return;
    case REDUCTION_DIFFERENT:
        fprintf(out, "nothing to reduce: the input fails with %s, not as --only asks\n",
                signature_format(r->seen, id));
        return;
    case REDUCTION_INCONCLUSIVE:
        if (r->limit != CAUSE_NONE) {
            const failure f = {.input = {r->size, 0}, .signature = r->seen, .cause = r->limit};
            report_put_limited(out, &f);
            return;
        }
        fprintf(out, "inconclusive: the input failed with %s, and passed when it was run again\n",
                signature_format(r->seen, id));
        return;
    case REDUCTION_STOPPED: fputs("stopped before the input had failed twice\n", out); return;
    case REDUCTION_FAILED: break;
    }
    const failure *f = r->best.failure;
    fprintf(out, "\nreduced%s: %s", r->unfinished ? " so far" : "",
            signature_format(f->signature, id));
    put_site(out, f);
    fprintf(out, ", %" PRIu64 " -> %" PRIu64 " bytes\n", r->size, f->input.size);
}

/* The command that replays a case; NULL where its bytes are nowhere to be had. */
static char *replay_line(const subject *s, const reduction_case *c) {
    const uint64_t size = c->failure->input.size;
    char hex[2 * REDUCTION_SHORT_MAX + 1];
    if (size <= REDUCTION_SHORT_MAX) {
        bytes_to_hex(c->bytes, size, hex);
        return subject_replay_line_of(s, "--hex", hex);
    }
    if (c->saved == NULL) return NULL;
    return subject_replay_line_of(s, c->is_finding ? "--finding" : "--input", c->saved);
}

static void put_replay(FILE *out, const char *label, const subject *s, const reduction_case *c) {
    char *line = replay_line(s, c);
    fprintf(out, "  %-8s %s\n", label, line != NULL ? line : "--findings DIR would have kept it");
    free(line);
}

static void put_others(FILE *out, const reduction *r) {
    for (size_t i = 0; i < r->other_count; i++) {
        char id[SIGNATURE_TEXT_MAX];
        const failure *f = r->others[i].failure;
        fprintf(out, "  also     %s", signature_format(f->signature, id));
        put_site(out, f);
        fprintf(out, ", %" PRIu64 " byte%s\n", f->input.size, plural(f->input.size));
        put_replay(out, "", r->subject, &r->others[i]);
    }
}

static const char *format_elapsed(char text[UNITS_TEXT_MAX], int64_t span_ns) {
    const double seconds = (double)span_ns / 1e9;
    if (seconds >= 10) return units_format_elapsed(text, span_ns);
    snprintf(text, UNITS_TEXT_MAX, "%.2fs", seconds);
    return text;
}

void report_put_effort(FILE *out, const progress *p, unsigned jobs) {
    char calls[UNITS_TEXT_MAX], steps[UNITS_TEXT_MAX], elapsed[UNITS_TEXT_MAX],
        rate[UNITS_TEXT_MAX];
    fprintf(out, "  effort   %s call%s and %s step%s in %s (%s/s, %u job%s)\n",
            units_format_count(calls, p->runs), plural(p->runs),
            units_format_count(steps, p->steps), plural(p->steps),
            format_elapsed(elapsed, p->elapsed_ns), units_format_rate(rate, p->runs, p->elapsed_ns),
            jobs, plural(jobs));
}

void report_put_passes(FILE *out, const char *label, const pass_statistics *passes, size_t count) {
    char calls[UNITS_TEXT_MAX], steps[UNITS_TEXT_MAX], bytes[UNITS_TEXT_MAX];
    fprintf(out, "  %-8s %-22s %12s %8s %12s\n", label, "", "calls", "steps", "bytes");
    for (size_t i = 0; i < count; i++) {
        const pass_statistics *p = &passes[i];
        if (p->calls == 0) continue;
        fprintf(out, "  %-8s %-22s %12s %8s %12s\n", "", p->name,
                units_format_count(calls, p->calls), units_format_count(steps, p->successes),
                units_format_count(bytes, p->bytes));
    }
}

void reduction_tell_end(const reduction *r, bool with_passes) {
    FILE *out = message_stream();
    put_head(out, r);
    if (r->end == REDUCTION_FAILED) {
        put_replay(out, "replay", r->subject, &r->best);
        if (r->tells_draws) fputs("  draws    add --trace to see them\n", out);
        excerpt_put(out, &r->best.failure->output);
        report_put_reruns(out, r->best.failure);
    }
    put_others(out, r);
    if (r->end != REDUCTION_FAILED) return;
    report_put_effort(out, &r->progress, r->jobs);
    if (with_passes) report_put_passes(out, "passes", r->passes, r->pass_count);
}

char *reduction_result_line(const reduction_case *c) {
    const uint64_t size = c->failure->input.size;
    char hex[2 * REDUCTION_SHORT_MAX + 1], *line = NULL;
    int length;
    if (size <= REDUCTION_SHORT_MAX) {
        bytes_to_hex(c->bytes, size, hex);
        length = asprintf(&line, "size=%" PRIu64 " hex=%s\n", size, hex);
    } else if (c->saved != NULL) {
        const size_t text_max = 4 * strlen(c->saved) + 1;
        char *text = malloc(text_max);
        if (text == NULL) return NULL;
        bytes_escape((const uint8_t *)c->saved, strlen(c->saved), false, text, text_max);
        length = asprintf(&line, "size=%" PRIu64 " %s=%s\n", size,
                          c->is_finding ? "finding" : "output", text);
        free(text);
    } else {
        length = asprintf(&line, "size=%" PRIu64 "\n", size);
    }
    return length < 0 ? NULL : line;
}

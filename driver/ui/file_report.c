#include "file_report.h"

#include "excerpt.h"
#include "messages.h"
#include "report_parts.h"
#include "units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

/* Text from outside, on its way to a terminal. */
static void put_text(FILE *out, const char *text) {
    const size_t size = strlen(text), escaped_max = 4 * size + 1;
    char *escaped = malloc(escaped_max);
    if (escaped == NULL) return;
    bytes_escape((const uint8_t *)text, size, false, escaped, escaped_max);
    fputs(escaped, out);
    free(escaped);
}

/* ---- On the way ---- */

void file_report_start(const subject *s, const char *file, uint64_t size, unsigned jobs,
                       size_t reducer_count) {
    FILE *out = message_stream();
    char *command = subject_command(s);
    fprintf(out, "reducing %" PRIu64 " byte%s of ", size, plural(size));
    put_text(out, file);
    fprintf(out, "\n  predicate %s\n  %u job%s", command != NULL ? command : "", jobs,
            plural(jobs));
    if (reducer_count > 0) {
        fprintf(out, ", %zu command%s of reducers", reducer_count, plural(reducer_count));
    }
    fputs("\n", out);
    free(command);
}

void file_report_not_interesting(const char *file, int wait_status, bool is_late,
                                 int64_t timeout_ns, const bytes_tail *printed) {
    char how[128], id[SIGNATURE_TEXT_MAX], span[UNITS_TEXT_MAX];
    const signature end = signature_of_status(wait_status);
    if (is_late) {
        snprintf(how, sizeof how, "took longer than %s (--timeout)",
                 units_format_duration(span, timeout_ns));
    } else if (end.kind == SIGNATURE_SIGNAL) {
        snprintf(how, sizeof how, "died of %s", signature_format(end, id) + strlen("signal:"));
    } else {
        snprintf(how, sizeof how, "exited with %d", end.value);
    }
    message("%s: not interesting: the predicate %s; it must exit with 0 for an interesting file",
            file, how);
    excerpt_put(message_stream(), printed);
}

void file_report_resumed(const char *output, uint64_t size, bool is_interesting) {
    FILE *out = message_stream();
    if (is_interesting) fputs("going on from ", out);
    put_text(out, output);
    if (is_interesting) {
        fprintf(out, " (%" PRIu64 " byte%s)\n", size, plural(size));
    } else {
        fputs(", of an earlier reduction, is not interesting: beginning anew\n", out);
    }
}

void file_report_best(const progress *p) {
    char calls[UNITS_TEXT_MAX];
    fprintf(message_stream(), "interesting: %" PRIu64 " byte%s (call %s)\n", p->size,
            plural(p->size), units_format_count(calls, p->runs));
}

void file_report_flaky(const failure *f) {
    fprintf(message_stream(),
            "flaky: what was interesting with %" PRIu64 " byte%s was not when it was asked again; "
            "from now on each step has to be interesting as often as what it began from\n",
            f->input.size, plural(f->input.size));
}

void file_report_set_aside(const char *reducer, bool is_broken) {
    FILE *out = message_stream();
    fputs("set aside ", out);
    put_text(out, reducer);
    fputs(is_broken ? ": crashed or hung again and again\n"
                    : ": made nothing smaller again and again\n",
          out);
}

/* ---- The summary ---- */

static void put_head(FILE *out, const file_report *r) {
    if (r->end == FILE_INCONCLUSIVE) {
        fputs("inconclusive: ", out);
        put_text(out, r->file);
        fputs(" was interesting, and was not when the predicate was asked again\n", out);
        return;
    }
    fprintf(out, "\nreduced%s: ", r->unfinished ? " so far" : "");
    put_text(out, r->file);
    fprintf(out, ", %" PRIu64 " -> %" PRIu64 " bytes\n", r->size, r->best.failure->input.size);
}

static void put_reruns(FILE *out, const failure *f) {
    if (f->reruns == 0) return;
    if (failure_is_flaky(f)) {
        fprintf(out, "  reruns   flaky %u/%u: interesting in %u of %u runs\n", f->repeated,
                f->reruns, f->repeated, f->reruns);
    } else {
        fprintf(out, "  reruns   interesting %u/%u times\n", f->repeated, f->reruns);
    }
}

void file_report_end(const file_report *r, bool with_passes) {
    FILE *out = message_stream();
    put_head(out, r);
    if (r->end == FILE_INCONCLUSIVE) return;
    char *line = subject_check_line(r->subject, r->output, r->name);
    fputs("  result   ", out);
    put_text(out, r->output);
    fprintf(out, "\n  check    %s\n", line != NULL ? line : "out of memory");
    free(line);
    put_reruns(out, r->best.failure);
    report_put_effort(out, &r->progress, r->jobs);
    if (!with_passes) return;
    char span[UNITS_TEXT_MAX];
    fprintf(out, "  timeout  %s\n", units_format_duration(span, r->timeout_ns));
    report_put_passes(out, "passes", r->passes, r->pass_count);
    if (r->reducer_count > 0) report_put_passes(out, "reducers", r->reducers, r->reducer_count);
}

char *file_report_result_line(uint64_t size, const char *output) {
    char *line = NULL;
    size_t length;
    FILE *out = open_memstream(&line, &length);
    if (out == NULL) return NULL;
    fprintf(out, "size=%" PRIu64 " output=", size);
    put_text(out, output);
    fputs("\n", out);
    fclose(out);
    return line;
}

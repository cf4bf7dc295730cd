#include "report.h"

#include "excerpt.h"
#include "messages.h"
#include "rate.h"
#include "report_parts.h"
#include "units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void report_failure(const failure *f, bool is_best, const progress *p) {
    char id[SIGNATURE_TEXT_MAX], runs[UNITS_TEXT_MAX];
    fprintf(message_stream(), "%s %s: size %" PRIu64 ", seed %" PRIu64 " (run %s)\n",
            is_best ? "fails with" : "also fails with", signature_format(f->signature, id),
            f->input.size, f->input.seed, units_format_count(runs, p->runs));
}

void report_replayed(seed_input t, bool fails) {
    fprintf(message_stream(), "known finding, size %" PRIu64 ", seed %" PRIu64 ": %s\n", t.size,
            t.seed, fails ? "still fails" : "passes now");
}

void report_put_limited(FILE *out, const failure *f) {
    char id[SIGNATURE_TEXT_MAX];
    const char *how = signature_format(f->signature, id);
    switch (f->cause) {
    case CAUSE_NONE: return;
    case CAUSE_TIMEOUT:
        fprintf(out,
                "inconclusive: timeout: a run of %" PRIu64 " byte%s hung, and ended when given "
                "twice the time: the machine is busy, or --timeout too short\n",
                f->input.size, f->input.size == 1 ? "" : "s");
        return;
    case CAUSE_MEMORY:
        fprintf(out,
                "inconclusive: memory: %s with %" PRIu64 " byte%s comes of memory running out: too "
                "little is given, or the program takes all there is\n",
                how, f->input.size, f->input.size == 1 ? "" : "s");
        return;
    case CAUSE_WORKER:
        fprintf(out,
                "inconclusive: worker: a run of %" PRIu64 " byte%s, seed %" PRIu64 ", stopped the "
                "process of frng that made it, which was killed\n",
                f->input.size, f->input.size == 1 ? "" : "s", f->input.seed);
        return;
    }
}

void report_flaky(const failure *f) {
    char id[SIGNATURE_TEXT_MAX];
    if (f->cause != CAUSE_NONE) {
        report_put_limited(message_stream(), f);
        return;
    }
    fprintf(message_stream(),
            "flaky: %s at size %" PRIu64 ", seed %" PRIu64 " passed when it was run again; from "
            "now on each failure is rerun %d times\n",
            signature_format(f->signature, id), f->input.size, f->input.seed, FAILURE_RERUNS);
}

static const char *doubt_text(isolation_violation why) {
    switch (why) {
    case ISOLATION_NONE: break;
    case ISOLATION_FRESH_PASSES: return "failed among others, and passes in a fresh process";
    case ISOLATION_FRESH_FAILS: return "passed among others, and fails in a fresh process";
    case ISOLATION_OTHER_COUNT:
        return "drew another count of bytes than it does in a fresh process";
    case ISOLATION_OTHER_DRAWS: return "made other draws than it does in a fresh process";
    case ISOLATION_BATCH_END: return "and others passed, but then their process failed at its exit";
    case ISOLATION_LEFTOVER: return "or one before it left a process behind";
    }
    return "differs";
}

void report_doubted(isolation_violation why, const seed_input *t, bool changes_mode) {
    char which[64] = "one run";
    if (t != NULL) {
        snprintf(which, sizeof which, "size %" PRIu64 ", seed %" PRIu64, t->size, t->seed);
    }
    fprintf(message_stream(), "the test keeps state between its runs, or is flaky: %s %s%s\n",
            which, doubt_text(why),
            changes_mode ? "; from now on each run has a process of its own" : "");
}

void report_result_line(seed_input t, char *text, size_t text_max) {
    snprintf(text, text_max, "size=%" PRIu64 " seed=%" PRIu64 "\n", t.size, t.seed);
}

void report_start(const subject *s, const char *digest, const char *mode, unsigned jobs,
                  uint64_t rng_seed) {
    char *command = subject_command(s);
    fprintf(message_stream(),
            "testing %s\n  digest %s\n  mode %s, %u job%s, --rng-seed %" PRIu64 "\n",
            command != NULL ? command : s->sut, digest != NULL ? digest : "unknown", mode, jobs,
            jobs == 1 ? "" : "s", rng_seed);
    free(command);
}

void report_containment(const char *containment) {
    fprintf(message_stream(), "  containment %s\n", containment);
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

/* Nothing failed, or nothing as was asked for. */
static void put_passed(FILE *out, const report *r) {
    char id[SIGNATURE_TEXT_MAX], size[UNITS_TEXT_MAX], text[UNITS_TEXT_MAX];
    fprintf(out, "\nno %s in %s run%s",
            r->only != NULL ? signature_format(*r->only, id) : "failure",
            units_format_count(text, r->runs), plural(r->runs));
    units_format_size(size, r->size_max);
    if (r->rounds == 0) {
        fputs(" so far; not every size was tried\n", out);
        return;
    }
    fprintf(out, ": at least %s at ", units_format_count(text, r->rounds));
    if (r->sizes == 1) {
        fprintf(out, "size %s\n", size);
    } else {
        fprintf(out, "each of %" PRIu64 " sizes up to %s\n", r->sizes, size);
    }
}

/* A failure was never seen again. */
static void put_inconclusive(FILE *out, const failure *f) {
    char id[SIGNATURE_TEXT_MAX];
    fputs("\n", out);
    if (f->cause != CAUSE_NONE) {
        report_put_limited(out, f);
        return;
    }
    fprintf(out, "inconclusive: %s at size %" PRIu64 " failed once, and ",
            signature_format(f->signature, id), f->input.size);
    if (f->reruns == 0) {
        fputs("was not run again\n", out);
    } else {
        fprintf(out, "passed %u of %u times when it was run again\n", f->reruns - f->repeated,
                f->reruns);
    }
}

static void put_head(FILE *out, const report *r) {
    char id[SIGNATURE_TEXT_MAX];
    const failure *f = r->best;
    switch (r->end) {
    case REPORT_PASSED: put_passed(out, r); return;
    case REPORT_STOPPED: fputs("\nstopped before anything failed\n", out); return;
    case REPORT_INCONCLUSIVE: put_inconclusive(out, f); return;
    case REPORT_FAILED: break;
    }
    fprintf(out, "\nsmallest failure%s: %s at size %" PRIu64 "\n", r->unfinished ? " so far" : "",
            signature_format(f->signature, id), f->input.size);
}

void report_put_reruns(FILE *out, const failure *f) {
    char often[RATE_TEXT_MAX], count[UNITS_TEXT_MAX], all[UNITS_TEXT_MAX];
    const rerun_count seen = failure_evidence(f);
    if (seen.reruns == 0) return;
    const rate_interval rate = rate_of(seen.repeated, seen.reruns);
    fprintf(out, "  reruns   ");
    if (!failure_is_of_flaky(f)) {
        fprintf(out, "failed again %u/%u times", f->repeated, f->reruns);
        if (f->alike.reruns > 0) {
            fprintf(out, ": under %s of such pass (95%% confidence)",
                    rate_format_bound(1 - rate.low, often));
        }
        fputs("\n", out);
        return;
    }
    fprintf(out, "flaky %u/%u: fails in %s", f->repeated, f->reruns, rate_format(rate, often));
    if (seen.reruns > f->reruns) {
        fprintf(out, " (%s of %s reruns of failures like it)",
                units_format_count(count, seen.repeated), units_format_count(all, seen.reruns));
    }
    fputs("\n", out);
}

static void put_replay(FILE *out, const char *label, const report *r, const failure *f) {
    char *line = subject_replay_line(r->subject, f->input);
    fprintf(out, "  %-8s %s\n", label, line != NULL ? line : "out of memory");
    free(line);
}

/* What the passes below the best mean; confidence_bound.c says why that holds. */
static void put_claim(FILE *out, const report *r) {
    char text[RATE_TEXT_MAX];
    if (r->best->input.size == 0) {
        fputs("  smaller  nothing is: it fails on empty input\n", out);
        return;
    }
    if (r->passed == 0) return;
    if (r->bound == 0) {
        fprintf(out, "  smaller  all inputs of size %" PRIu64 " were run and passed\n", r->below);
        return;
    }
    fprintf(out, "  smaller  %" PRIu64 " fresh run%s at size %" PRIu64 " passed", r->passed,
            r->passed == 1 ? "" : "s", r->below);
    if (r->bound <= 0.99) { /* more would be shown as 100% */
        fprintf(out, ": under %s of such fail (95%% confidence)",
                rate_format_bound(r->bound, text));
    }
    fputs("\n", out);
}

static void put_others(FILE *out, const report *r) {
    for (size_t i = 0; i < r->other_count; i++) {
        char id[SIGNATURE_TEXT_MAX];
        const failure *f = &r->others[i];
        fprintf(out, "  also     %s at size %" PRIu64, signature_format(f->signature, id),
                f->input.size);
        if (failure_is_of_flaky(f)) fputs(", flaky", out);
        if (failure_is_flaky(f)) fprintf(out, " %u/%u", f->repeated, f->reruns);
        fputs("\n", out);
        put_replay(out, "", r, f);
    }
}

static void put_effort(FILE *out, const report *r) {
    char runs[UNITS_TEXT_MAX], reruns[UNITS_TEXT_MAX], elapsed[UNITS_TEXT_MAX],
        rate[UNITS_TEXT_MAX];
    fprintf(out,
            "  effort   %s run%s and %s rerun%s in %s (%s/s, %u job%s), --rng-seed %" PRIu64 "\n",
            units_format_count(runs, r->runs), r->runs == 1 ? "" : "s",
            units_format_count(reruns, r->reruns), r->reruns == 1 ? "" : "s",
            units_format_elapsed(elapsed, r->elapsed_ns),
            units_format_rate(rate, r->runs + r->reruns, r->elapsed_ns), r->jobs,
            r->jobs == 1 ? "" : "s", r->rng_seed);
}

/* Runs that failed and do not count. */
static void put_limited(FILE *out, const report *r) {
    char count[UNITS_TEXT_MAX];
    const uint64_t memory = r->limited[CAUSE_MEMORY], hung = r->limited[CAUSE_TIMEOUT],
                   stuck = r->limited[CAUSE_WORKER];
    if (stuck > 0) {
        fprintf(out, "  worker   %s run%s set aside: the process that made it had to be killed\n",
                units_format_count(count, stuck), stuck == 1 ? "" : "s");
    }
    if (memory > 0) {
        fprintf(out, "  memory   %s failed run%s set aside: too little memory, or never enough\n",
                units_format_count(count, memory), memory == 1 ? "" : "s");
    }
    if (hung > 0) {
        fprintf(out, "  timeout  %s run%s set aside: each ended, given twice the time\n",
                units_format_count(count, hung), hung == 1 ? "" : "s");
    }
}

void report_summary(const report *r) {
    FILE *out = message_stream();
    put_head(out, r);
    if (r->end == REPORT_FAILED || r->end == REPORT_INCONCLUSIVE) {
        put_replay(out, "replay", r, r->best);
        excerpt_put(out, &r->best->output);
        if (r->best->cause == CAUSE_NONE) report_put_reruns(out, r->best);
    }
    if (r->end == REPORT_FAILED) put_claim(out, r);
    put_others(out, r);
    put_limited(out, r);
    put_effort(out, r);
}

void report_verdict(uint64_t failed, uint64_t other, uint64_t runs, const char *how) {
    FILE *out = message_stream();
    if (failed + other == 0) {
        fputs(runs == 1 ? "passes" : "passes each time", out);
    } else {
        fprintf(out, "%s %s", failed > 0 ? "fails with" : "cannot judge: fails with", how);
        if (failed == 0) fputs(", not as --only asks", out);
    }
    if (runs > 1) {
        char often[RATE_TEXT_MAX];
        fprintf(out, " (fails in %" PRIu64 " of %" PRIu64 " runs: %s)", failed + other, runs,
                rate_format(rate_of(failed + other, runs), often));
    }
    fputs("\n", out);
}

void report_wrapped_unknown(const char *how) {
    fprintf(message_stream(),
            "no verdict: nothing shows that the program ran to its end under --wrap, which ended "
            "with %s\n",
            how[0] != '\0' ? how : "exit:0");
}

void report_wrapped(const char *file, bool by_environment) {
    fprintf(message_stream(),
            by_environment ? "entropy is in FRNG_INPUT=%s\n"
                           : "entropy is in a file; in a debugger: run < %s\n",
            file);
}

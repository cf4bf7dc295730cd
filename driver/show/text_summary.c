#include "text_summary.h"

#include "excerpt.h"
#include "explained_text.h"
#include "failure.h"
#include "phrase.h"
#include "rates.h"
#include "seed_input.h"
#include "signature_filter.h"
#include "statistics.h"
#include "stats.h"
#include "text_failures.h"
#include "units.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void text_put_limited(FILE *out, const failure *f) {
    char seed[SEED_TEXT_MAX];
    const uint64_t size = f->input.size;
    switch (f->cause) {
    case CAUSE_NONE: return;
    case CAUSE_TIMEOUT:
        fprintf(out,
                "inconclusive: timeout: a run of %" PRIu64 " byte%s hung, and ended when given "
                "twice the time: the machine is busy, --timeout is too short, or the run stopped "
                "its parent (ptrace)\n",
                size, phrase_plural(size));
        return;
    case CAUSE_MEMORY:
        fprintf(out,
                "inconclusive: memory: a run of %" PRIu64
                " byte%s ran out of memory (%s): it has too "
                "little, or takes all there is\n",
                size, phrase_plural(size), signature_format(f->signature, SIGNATURE_TEXT));
        return;
    case CAUSE_WORKER:
        fprintf(out,
                "inconclusive: worker: a run of %" PRIu64 " byte%s, seed %s, stopped the "
                "process of frng that made it, which was killed\n",
                size, phrase_plural(size), seed_text_format(seed, &f->input));
        return;
    case CAUSE_BUDGET: break;
    }
    assert(false); /* only the end of a search has such a run */
}

/* ---- The first line ---- */

/* Print which failures were searched for. */
static void put_wanted(FILE *out, const summary *s) {
    const signature_filter *filter = s->setup->filter;
    const signature_pattern *only =
        filter != NULL && filter->only.count > 0 ? &filter->only.list[0] : NULL;
    if (s->ignored_by_signature != NULL && ignored_runs(s->ignored_by_signature) > 0) {
        fputs("failure but ignored ones", out);
    } else if (only == NULL) {
        fputs("failure", out);
    } else if (filter->only.count > 1) {
        fputs("failure of --only", out);
    } else if (only->has_how && strstr(only->text, " at ") == NULL) {
        fputs(signature_format(only->how, SIGNATURE_TEXT), out);
    } else {
        phrase_put_escaped(out, only->text);
    }
}

/* Print the bound on failures that a pass implies; confidence_bound.c has the reason. */
static void put_bound_of_pass(FILE *out, const summary *s, const char *size) {
    const signature_filter *filter = s->setup->filter;
    fprintf(out, "at %s %s under %s of such runs fail%s (95%%)\n",
            s->claim.sizes == 1 ? "size" : "each size up to", size,
            rate_format_bound(s->claim.bound, RATE_TEXT),
            filter == NULL || signature_filter_is_empty(filter) ? "" : " so");
    text_put_expansion(out, "", s->setup->expand);
    fputs("  passes   ", out);
}

/* Print that no run failed, or none as --only and --ignore ask. */
static void put_passed_search(FILE *out, const summary *s) {
    char size[UNITS_TEXT_MAX], text[UNITS_TEXT_MAX];
    fputs("\nno ", out);
    put_wanted(out, s);
    fprintf(out, " in %s run%s", units_format_count(text, s->progress.runs),
            phrase_plural(s->progress.runs));
    if (s->claim.rounds == 0) {
        fputs(" so far; not every size was tried\n", out);
        return;
    }
    fputs(": ", out);
    units_format_size(size, s->claim.largest);
    if (s->claim.bound > 0 && s->claim.bound <= 0.99) put_bound_of_pass(out, s, size);
    fprintf(out, "at least %s at ", units_format_count(text, s->claim.rounds));
    if (s->claim.sizes == 1) {
        fprintf(out, "size %s\n", size);
    } else {
        fprintf(out, "each of %s sizes up to %s\n", units_format_count(text, s->claim.sizes), size);
    }
    if (s->claim.largest == s->setup->size_max || s->tally == NULL) return;
    if (s->tally->used_max < s->claim.largest) {
        units_format_count(text, s->tally->drawn.max);
        fprintf(out, "  sizes    larger sizes test nothing new: no run drew more than %s byte%s\n",
                text, phrase_plural(s->tally->drawn.max));
    } else {
        fprintf(out, "  sizes    larger sizes test little new: few runs used all of %s\n", size);
    }
}

/* Print that a failure was not confirmed, with the cause. */
static void put_inconclusive_search(FILE *out, const summary *s) {
    const failure *f = s->best.failure;
    const uint64_t size = f->input.size;
    fputs("\n", out);
    if (f->cause == CAUSE_BUDGET) {
        fprintf(out, "inconclusive: the run of %" PRIu64 " byte%s had not ended after %s\n", size,
                phrase_plural(size), units_format_elapsed(UNITS_TEXT, s->stop->cut_ns));
        return;
    }
    if (f->cause != CAUSE_NONE) {
        text_put_limited(out, f);
        return;
    }
    fprintf(out, "inconclusive: %s at size %" PRIu64 " failed once, and ",
            signature_format(f->signature, SIGNATURE_TEXT), f->input.size);
    if (f->reruns == 0) {
        fputs("was not run again\n", out);
    } else {
        fprintf(out, "passed %u of %u times when it was run again\n", f->reruns - f->repeated,
                f->reruns);
    }
}

/* Print why a search has no answer, not even an inconclusive failure. */
static void put_untested_search(FILE *out, const summary *s) {
    const uint64_t runs = s->progress.runs;
    if (s->end == END_INTERRUPTED) {
        fputs("\nstopped before anything failed\n", out);
    } else if (runs == 0) {
        fputs("\ninconclusive: the time ended before the first run did\n", out);
    } else if (s->claim.all_masked) {
        fputs("\ninconclusive: only the run of 0 bytes passed: --only or --ignore leaves out all "
              "failures\n",
              out);
    } else {
        fprintf(out,
                "\ninconclusive: none of %s run%s passed: --only or --ignore leaves out all "
                "failures\n",
                units_format_count(UNITS_TEXT, runs), phrase_plural(runs));
    }
}

static void put_search_head(FILE *out, const summary *s) {
    const failure *f = s->best.failure;
    switch (s->answer) {
    case ANSWER_PASSED:
    case ANSWER_UNMET:
    case ANSWER_DIFFERENT: put_passed_search(out, s); return;
    case ANSWER_NONE: put_untested_search(out, s); return;
    case ANSWER_INCONCLUSIVE: put_inconclusive_search(out, s); return;
    case ANSWER_FOUND: break;
    }
    fprintf(out, "\nsmallest failure%s: %s at size %" PRIu64 "\n",
            summary_is_complete(s) ? "" : " so far", signature_format(f->signature, SIGNATURE_TEXT),
            f->input.size);
}

/* Print the signature of a failure, and its site if that is known. */
static void put_signature(FILE *out, const failure *f) {
    phrase_put_escaped(out, site_format(f->signature, f->site, SITE_TEXT));
}

static void put_site(FILE *out, const failure *f) {
    if (f->site[0] == '\0') return;
    fputs("  failure  ", out);
    put_signature(out, f);
    fputs("\n", out);
}

static void put_inconclusive_reduction(FILE *out, const summary *s) {
    if (s->limit != CAUSE_NONE) {
        const failure f = {
            .input = {.size = s->setup->size}, .signature = s->seen, .cause = s->limit};
        text_put_limited(out, &f);
        return;
    }
    fprintf(out, "inconclusive: the input failed with %s, and passed when it was run again\n",
            signature_format(s->seen, SIGNATURE_TEXT));
}

static void put_reduction_head(FILE *out, const summary *s) {
    const uint64_t size = s->setup->size;
    const failure *f = s->best.failure;
    switch (s->answer) {
    case ANSWER_PASSED:
        fprintf(out, "nothing to reduce: the input of %" PRIu64 " byte%s passes (%s run%s)\n", size,
                phrase_plural(size), units_format_count(UNITS_TEXT, s->progress.runs),
                phrase_plural(s->progress.runs));
        return;
    case ANSWER_DIFFERENT:
        fprintf(out, "nothing to reduce: the input fails with %s, %s\n",
                signature_format(s->seen, SIGNATURE_TEXT),
                s->is_ignored ? "which --ignore names" : "not as --only asks");
        return;
    case ANSWER_INCONCLUSIVE: put_inconclusive_reduction(out, s); return;
    case ANSWER_UNMET:
    case ANSWER_NONE: fputs("stopped before the input had failed twice\n", out); return;
    case ANSWER_FOUND: break;
    }
    fprintf(out, "\nreduced%s: ", summary_is_complete(s) ? "" : " so far");
    put_signature(out, f);
    fprintf(out, ", %" PRIu64 " -> %" PRIu64 " bytes\n", size, f->input.size);
}

/* ---- Failures ---- */

void text_put_replay(FILE *out, const char *label, const run_setup *setup, const found_input *c) {
    char *line = phrase_replay_found(setup->subject, c);
    const char *without = label[0] == '\0' ? "--findings DIR would have kept it"
                                           : "give frng-replay the line on standard output";
    if (c->bytes == NULL || c->saved != NULL) without = "out of memory";
    fprintf(out, "  %-8s %s\n", label, line != NULL ? line : without);
    free(line);
}

/* Print the file of a finding. */
static void put_finding(FILE *out, const found_input *c) {
    if (c->saved == NULL || !c->is_finding) return;
    fputs("  finding  ", out);
    phrase_put_shell(out, c->saved);
    fputs("\n", out);
}

/* Print how many reruns of a failure failed. */
static void put_reruns(FILE *out, const failure *f) {
    char often[RATE_TEXT_MAX];
    const rerun_count seen = failure_evidence(f);
    if (seen.reruns == 0) return;
    const rate_interval rate = rate_of(seen.repeated, seen.reruns);
    fprintf(out, "  reruns   ");
    if (!failure_is_of_flaky(f)) {
        fprintf(out, "failed again %u/%u times", f->repeated, f->reruns);
        if (f->alike.reruns > 0) {
            fprintf(out, ": under %s of reruns pass (95%% confidence)",
                    rate_format_bound(1 - rate.low, often));
        }
        fputs("\n", out);
        return;
    }
    fprintf(out, "flaky %u/%u", f->repeated, f->reruns);
    if (seen.reruns > f->reruns) {
        fprintf(out, ", and %s/%s with failures like it",
                units_format_count(UNITS_TEXT, seen.repeated),
                units_format_count(UNITS_TEXT, seen.reruns));
    }
    fprintf(out, ": fails in %s\n", rate_format(rate, often));
}

static void put_file_reruns(FILE *out, const failure *f) {
    if (f->reruns == 0) return;
    if (failure_is_flaky(f)) {
        fprintf(out, "  reruns   flaky %u/%u: interesting in %u of %u runs\n", f->repeated,
                f->reruns, f->repeated, f->reruns);
    } else {
        fprintf(out, "  reruns   interesting %u/%u times\n", f->repeated, f->reruns);
    }
}

void text_put_expansion(FILE *out, const char *label, seed_expansion expand) {
    switch (expand) {
    case EXPAND_UNIFORM: return;
    case EXPAND_STYLED:
        fprintf(out, "  %-8s all runs had styled bytes (--expand)\n", label);
        return;
    case EXPAND_BOTH:
        fprintf(out, "  %-8s half of the runs had uniform bytes, half styled ones (--expand)\n",
                label);
        return;
    }
}

bool text_put_passes(FILE *out, const run_claim *c, const char *between) {
    const bool shows_bound = c->bound <= 0.99; /* a larger one would be shown as 100% */
    fprintf(out, "%s fresh run%s at size %" PRIu64 " passed",
            units_format_count(UNITS_TEXT, c->passed), phrase_plural(c->passed), c->below);
    if (shows_bound)
        fprintf(out, ":%sunder %s of such runs fail", between,
                rate_format_bound(c->bound, RATE_TEXT));
    return shows_bound;
}

/* Print the bound on failures below the best that passes there imply; confidence_bound.c has the
 * reason. */
static void put_claim(FILE *out, const summary *s) {
    const run_claim *c = &s->claim;
    if (s->best.failure->input.size == 0) {
        fputs("  smaller  none: it fails on empty input\n", out);
        return;
    }
    if (c->passed == 0) return;
    if (c->bound == 0) {
        fprintf(out, "  smaller  all inputs of size %" PRIu64 " were run and passed\n", c->below);
        return;
    }
    fputs("  smaller  ", out);
    if (!text_put_passes(out, c, " ")) {
        fputs("\n", out);
        return;
    }
    fputs(" (95% confidence)\n", out);
    text_put_expansion(out, "", s->setup->expand);
}

static void put_other(FILE *out, const summary *s, const found_input *c) {
    const failure *f = c->failure;
    fputs("  also     ", out);
    put_signature(out, f);
    if (s->setup->task == TASK_SEARCH) {
        fprintf(out, " at size %" PRIu64, f->input.size);
        if (failure_is_of_flaky(f)) fputs(", flaky", out);
        if (failure_is_flaky(f)) fprintf(out, " %u/%u", f->repeated, f->reruns);
    } else {
        fprintf(out, ", %" PRIu64 " byte%s", f->input.size, phrase_plural(f->input.size));
    }
    fputs("\n", out);
    text_put_replay(out, "", s->setup, c);
}

static void put_others(FILE *out, const summary *s) {
    for (size_t i = 0; i < s->other_count; i++) put_other(out, s, &s->others[i]);
}

/* Print the counts of runs that failed and do not count, by cause. */
static void put_limits(FILE *out, const summary *s) {
    static const struct {
        failure_cause limit;
        const char *label, *before, *after;
    } rows[] = {
        {CAUSE_WORKER, "worker", "run", "frng killed the process that made each"},
        {CAUSE_MEMORY, "memory", "failed run", "each ran out of memory"},
        {CAUSE_TIMEOUT, "timeout", "run", "each ended when given twice the time"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint64_t count = s->limited[rows[i].limit];
        if (count == 0) continue;
        fprintf(out, "  %-8s %s %s%s not counted: %s\n", rows[i].label,
                units_format_count(UNITS_TEXT, count), rows[i].before, phrase_plural(count),
                rows[i].after);
    }
}

/* Print the count of failed runs that --ignore names. */
static void put_ignored(FILE *out, const summary *s) {
    if (s->ignored == 0) return;
    fprintf(out, "  ignored  %s failed run%s\n", units_format_count(UNITS_TEXT, s->ignored),
            phrase_plural(s->ignored));
}

/* Print how many runs failed as --ignore says, by signature. */
static void put_ignored_by_signature(FILE *out, const summary *s) {
    const ignored_counts *all = s->ignored_by_signature;
    char count[UNITS_TEXT_MAX];
    if (all == NULL) return;
    for (size_t i = 0; i < all->count; i++) {
        const ignored_row *row = &all->list[i];
        fprintf(out, "  ignored  %s run%s: ", units_format_count(count, row->runs),
                phrase_plural(row->runs));
        phrase_put_escaped(out, site_format(row->signature, row->site, SITE_TEXT));
        fputs("\n", out);
    }
    if (all->rest == 0) return;
    fprintf(out, "  ignored  %s run%s of other signatures\n", units_format_count(count, all->rest),
            phrase_plural(all->rest));
}

/* ---- Costs ---- */

static void put_search_effort(FILE *out, const summary *s) {
    char runs[UNITS_TEXT_MAX], reruns[UNITS_TEXT_MAX], elapsed[UNITS_TEXT_MAX],
        rate[UNITS_TEXT_MAX];
    const progress *p = &s->progress;
    fprintf(out,
            "  effort   %s run%s and %s rerun%s in %s (%s/s, %u job%s), --rng-seed %" PRIu64 "\n",
            units_format_count(runs, p->runs), phrase_plural(p->runs),
            units_format_count(reruns, p->reruns), phrase_plural(p->reruns),
            units_format_elapsed(elapsed, p->elapsed_ns),
            units_format_rate(rate, p->runs + p->reruns, p->elapsed_ns), s->setup->jobs,
            phrase_plural(s->setup->jobs), s->setup->rng_seed);
}

static void put_reduction_effort(FILE *out, const summary *s) {
    char calls[UNITS_TEXT_MAX], steps[UNITS_TEXT_MAX], elapsed[UNITS_TEXT_MAX],
        rate[UNITS_TEXT_MAX];
    const progress *p = &s->progress;
    fprintf(out, "  effort   %s call%s and %s step%s in %s (%s/s, %u job%s)\n",
            units_format_count(calls, p->runs), phrase_plural(p->runs),
            units_format_count(steps, p->steps), phrase_plural(p->steps),
            units_format_elapsed(elapsed, p->elapsed_ns),
            units_format_rate(rate, p->runs, p->elapsed_ns), s->setup->jobs,
            phrase_plural(s->setup->jobs));
}

/* Print the statistics of each pass that made calls. */
static void put_passes(FILE *out, const char *label, const pass_statistics *passes, size_t count) {
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

/* ---- Whole summaries ---- */

static void put_search(FILE *out, const summary *s, bool is_verbose) {
    const failure *f = s->best.failure;
    if (s->each_count > 0) {
        text_failures_put(out, s);
        put_ignored_by_signature(out, s);
        put_limits(out, s);
        if (s->tally != NULL) statistics_put(out, s->tally, is_verbose, is_verbose);
        put_search_effort(out, s);
        return;
    }
    put_search_head(out, s);
    if (f != NULL) {
        put_site(out, f);
        text_put_replay(out, "replay", s->setup, &s->best);
        put_finding(out, &s->best);
        excerpt_put_at(out, f->output, f->site);
        if (f->cause == CAUSE_NONE) put_reruns(out, f);
    }
    if (s->answer == ANSWER_FOUND) put_claim(out, s);
    put_others(out, s);
    put_ignored_by_signature(out, s);
    put_limits(out, s);
    if (s->tally != NULL) {
        const bool has_passed = s->answer == ANSWER_PASSED || s->answer == ANSWER_UNMET;
        statistics_put(out, s->tally, is_verbose || has_passed, is_verbose);
        if (has_passed) statistics_put_warning(out, s->tally, s->vacuity);
    }
    put_search_effort(out, s);
}

static void put_reduction(FILE *out, const summary *s, bool with_passes) {
    put_reduction_head(out, s);
    if (s->answer == ANSWER_FOUND) {
        text_put_replay(out, "replay", s->setup, &s->best);
        put_finding(out, &s->best);
        if (s->has_draws) fputs("  draws    add --trace to see them\n", out);
        excerpt_put_at(out, s->best.failure->output, s->best.failure->site);
        put_reruns(out, s->best.failure);
        if (s->explanation != NULL)
            explained_text_put(out, s->explanation, s->best.bytes, s->best.failure->input.size);
    }
    put_others(out, s);
    put_ignored(out, s);
    if (s->answer != ANSWER_FOUND) return;
    put_reduction_effort(out, s);
    if (with_passes) put_passes(out, "passes", s->passes, s->pass_count);
}

static void put_file_head(FILE *out, const summary *s) {
    const bool is_found = s->answer == ANSWER_FOUND;
    fputs(is_found ? "\nreduced" : "inconclusive", out);
    fputs(is_found && !summary_is_complete(s) ? " so far: " : ": ", out);
    phrase_put_escaped(out, s->setup->file);
    if (is_found) {
        fprintf(out, ", %" PRIu64 " -> %" PRIu64 " bytes\n", s->setup->size,
                s->best.failure->input.size);
    } else {
        fputs(" was interesting, and was not when the predicate was asked again\n", out);
    }
}

static void put_file(FILE *out, const summary *s, bool with_passes) {
    const run_setup *of = s->setup;
    if (s->answer != ANSWER_FOUND && s->answer != ANSWER_INCONCLUSIVE) return;
    put_file_head(out, s);
    if (s->answer != ANSWER_FOUND) return;
    char *line = phrase_check(of->subject, of->output, of->name);
    fputs("  result   ", out);
    phrase_put_escaped(out, of->output);
    fprintf(out, "\n  check    %s\n", line != NULL ? line : "out of memory");
    free(line);
    put_file_reruns(out, s->best.failure);
    put_reduction_effort(out, s);
    if (!with_passes) return;
    fprintf(out, "  timeout  %s\n", units_format_duration(UNITS_TEXT, s->timeout_ns));
    put_passes(out, "passes", s->passes, s->pass_count);
    if (s->reducer_count > 0) put_passes(out, "reducers", s->reducers, s->reducer_count);
}

void text_summary_put(FILE *out, const summary *s, bool with_passes) {
    const bool never_ran = s->end == END_ENVIRONMENT && s->answer != ANSWER_FOUND;
    switch (s->setup->task) {
    case TASK_SEARCH:
        if (!never_ran) put_search(out, s, with_passes);
        break;
    case TASK_REDUCE:
        if (!never_ran) put_reduction(out, s, with_passes);
        break;
    case TASK_REDUCE_FILE: put_file(out, s, with_passes); break;
    }
}

/* Events become lines, and the last one a summary.
 *
 * A search says each confirmed failure when it comes, while there is no screen that shows it, and
 * what the user may want to act on: a failure that is flaky, a test that keeps state, two bugs
 * behind one site. Each kind of event has a function at the end of this file.
 *
 * A summary is lines with a label of eight columns: the answer, how to replay it, what it printed,
 * how often it fails, the claim that nothing smaller does, other failures, statistics, effort. Each
 * function below prints one of them, or nothing.
 *
 * What runs drew, and how often they had each label or measure, are rows below a heading, the most
 * frequent first; all of them with --verbose, else the first few. A share is never rounded to none
 * or to all. A bound on runs not made is rounded up (confidence.h), and not shown where that makes
 * it 100%. A search that passed also says what speaks against it; one for all failures has such
 * lines for each of them. */
#include "text.h"

#include "clock.h"
#include "confidence.h"
#include "explained.h"
#include "memory.h"
#include "messages.h"
#include "output_site.h"
#include "seed_input.h"
#include "signature_filter.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#define BOUND_TEXT(c) rate_format_bound((c)->bound, RATE_TEXT)
#define SIGNATURE(f) signature_format((f)->signature, SIGNATURE_TEXT)

const char *text_failure_name(const failure *f) {
    return phrase_escaped(site_format(f->signature, f->site, SITE_TEXT));
}

static void put_row(FILE *out, const char *label) { fprintf(out, "  %-8s ", label); }

/* ---- Runs that did not count ---- */

/* Of each cause: what a run did, with a detail in it; and what is said of their count. */
static const struct {
    const char *label, *did, *then, *run, *why;
} limits[] = {
    [CAUSE_TIMEOUT] = {"timeout",
                       " hung, and ended when given twice the time: the machine is busy, or "
                       "--timeout is too short",
                       "", "run", "each ended when given twice the time"},
    [CAUSE_MEMORY] = {"memory", " failed (", "), but not so with twice the memory", "failed run",
                      "each ended otherwise with twice the memory"},
    [CAUSE_OOM] = {"memory",
                   " was killed for want of memory, and passed when it ran again: give the "
                   "machine or its control group more, or fewer --jobs",
                   "", "killed run", "the kernel lacked memory, and each passed when it ran again"},
    [CAUSE_WORKER] = {"worker", ", seed ", ", stopped the process that made it, which was killed",
                      "run", "frng killed the process that made each"}};

static void put_limited(FILE *out, const failure *f) {
    if (f->cause == CAUSE_NONE) return;
    assert(f->cause != CAUSE_BUDGET); /* only the end of a search has such a run */
    fprintf(out, "inconclusive: %s: a run of %s%s%s%s\n", limits[f->cause].label,
            COUNTED(f->input.size, "byte"), limits[f->cause].did,
            f->cause == CAUSE_MEMORY   ? SIGNATURE(f)
            : f->cause == CAUSE_WORKER ? seed_text_format(SEED_TEXT, &f->input)
                                       : "",
            limits[f->cause].then);
}

static void put_limits(FILE *out, const summary *s) {
    static const failure_cause order[] = {CAUSE_WORKER, CAUSE_MEMORY, CAUSE_OOM, CAUSE_TIMEOUT};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const uint64_t count = s->limited[order[i]];
        if (count == 0) continue;
        put_row(out, limits[order[i]].label);
        fprintf(out, "%s not counted: %s\n", COUNTED(count, limits[order[i]].run),
                limits[order[i]].why);
    }
}

static void put_ignored(FILE *out, const summary *s) {
    const ignored_counts *all = s->ignored_by_signature;
    for (size_t i = 0; all != NULL && i < all->count; i++) {
        const ignored_row *row = &all->list[i];
        fprintf(out, "  ignored  %s: %s\n", COUNTED(row->runs, "run"),
                phrase_escaped(site_format(row->signature, row->site, SITE_TEXT)));
    }
    if (all != NULL && all->rest > 0)
        fprintf(out, "  ignored  %s of other signatures\n", COUNTED(all->rest, "run"));
}

/* ---- The first line of a search ---- */

/* Return which failures were searched for. */
static const char *wanted_text(const summary *s) {
    const signature_filter *filter = s->setup->filter;
    const size_t count = filter != NULL ? filter->only.count : 0;
    if (s->ignored_by_signature != NULL && s->ignored_by_signature->count > 0)
        return "failure but ignored ones";
    return count == 0   ? "failure"
           : count == 1 ? phrase_escaped(filter->only.list[0].text)
                        : "failure of --only";
}

/* Print of which inputs a claim speaks, if not of uniform ones; and of how many ends of processes,
 * where these make many runs. */
static void put_terms(FILE *out, const char *label, const summary *s) {
    static const char *const texts[] = {
        [EXPAND_STYLED] = "all runs had styled bytes (--expand)",
        [EXPAND_BOTH] = "half of the runs had uniform bytes, half styled ones (--expand)"};
    const seed_expansion expand = s->setup->expand;
    if (expand != EXPAND_UNIFORM) {
        put_row(out, label);
        fprintf(out, "%s\n", texts[expand]);
    }
    if (s->ends == 0 || s->end_failed) return;
    put_row(out, expand != EXPAND_UNIFORM ? "" : label);
    fprintf(out, "ends of %s judged\n",
            s->ends == 1 ? "1 process" : phrase_format("%s processes", COUNT(s->ends)));
}

const char *text_size_list(const run_claim *c) {
    enum { FEW = 3 };
    const char *count = COUNT(c->sizes), *list = "";
    const claim_level *l = c->levels.list;
    if (c->sizes < 2 || c->levels.count != c->sizes)
        return phrase_format("%s sizes up to %s", count,
                             numbers_format_size(NUMBERS_TEXT, c->largest));
    for (size_t i = 0; i + 1 < c->sizes && i + 1 < FEW; i++)
        list = phrase_format("%s%s, ", list, numbers_format_size(NUMBERS_TEXT, l[i].size));
    return phrase_format("%s sizes (%s%s%s)", count, list, c->sizes > FEW ? "... " : "",
                         numbers_format_size(NUMBERS_TEXT, c->largest));
}

const char *text_sizes(const run_claim *c) {
    const char *largest = numbers_format_size(NUMBERS_TEXT, c->largest);
    if (c->sizes <= 1) return phrase_format("size %s", largest);
    return phrase_format("each of %s", text_size_list(c));
}

static const char *rounds_text(const run_claim *c) {
    return phrase_format("at least %s at %s", COUNT(c->rounds), text_sizes(c));
}

/* Return the levels that show how the bound grows with the size, the last one among them, in
 * *list. A bound of the list holds for all sizes up to its own. */
static size_t list_bounds(const run_claim *c, claim_level list[CLAIM_LEVELS_MAX]) {
    enum { SIZE_FIRST = 256, SIZE_FACTOR = 16 };
    uint64_t next = SIZE_FIRST;
    size_t count = 0;
    double worst = 0;
    char last[RATE_TEXT_MAX];
    rate_format_bound(c->bound, last);
    for (size_t i = 0; i < c->levels.count; i++) {
        const claim_level *l = &c->levels.list[i];
        const bool is_last = i + 1 == c->levels.count;
        worst = l->bound > worst ? l->bound : worst;
        if (!is_last && (l->size < next || strcmp(rate_format_bound(worst, RATE_TEXT), last) == 0))
            continue;
        while (next <= l->size && next <= UINT64_MAX / SIZE_FACTOR) next *= SIZE_FACTOR;
        list[count++] = (claim_level){l->size, l->runs, l->counted, worst};
    }
    return count;
}

const char *text_bounds(const run_claim *c) {
    claim_level list[CLAIM_LEVELS_MAX];
    const size_t count = list_bounds(c, list);
    const char *text = "";
    if (count < 2) return NULL;
    for (size_t i = 0; i < count; i++) {
        const char *size = numbers_format_size(NUMBERS_TEXT, list[i].size);
        const char *bound = rate_format_bound(list[i].bound, RATE_TEXT);
        text = i == 0 ? phrase_format("up to %s under %s", size, bound)
                      : phrase_format("%s, %s %s", text, size, bound);
    }
    return phrase_format("%s (%s)", text, COUNTED(c->rounds, "run"));
}

static bool has_filter(const summary *s) {
    return s->setup->filter != NULL && !signature_filter_is_empty(s->setup->filter);
}

const char *text_claim(const summary *s) {
    const run_claim *c = &s->claim;
    const char *in = phrase_format("no %s in %s", wanted_text(s), COUNTED(s->progress.runs, "run"));
    if (c->rounds == 0) return phrase_format("%s so far; not every size was tried", in);
    if (c->largest == 0) return phrase_format("%s: it is the only input of size 0", in);
    if (c->bound <= 0 || !run_claim_is_bounded(c))
        return phrase_format("%s: %s", in, rounds_text(c));
    const char *bounds = text_bounds(c);
    const char *where = bounds != NULL ? phrase_format("%s, %s", text_size_list(c), bounds)
                                       : phrase_format("%s under %s", text_sizes(c), BOUND_TEXT(c));
    return phrase_format("%s: at %s of such runs fail%s (95%%)", in, where,
                         has_filter(s) ? " so" : "");
}

/* Print that no run failed, or none as --only and --ignore ask. */
static void put_passed(FILE *out, const summary *s) {
    const run_claim *c = &s->claim;
    fprintf(out, "\n%s\n", text_claim(s));
    if (c->rounds > 0 && c->bound > 0 && run_claim_is_bounded(c)) {
        put_terms(out, "", s);
        fprintf(out, "  %s %s\n", has_filter(s) ? "runs    " : "passes  ", rounds_text(c));
    }
    if (c->rounds > 0 && c->is_partial) fputs("  sizes    larger sizes had too few runs\n", out);
    if (c->rounds == 0 || c->is_partial || c->largest == s->setup->size_max || s->tally == NULL)
        return;
    if (s->tally->used_max < c->largest) {
        fprintf(out, "  sizes    larger sizes test nothing new: no run drew more than %s\n",
                COUNTED(s->tally->drawn.max, "byte"));
    } else {
        fprintf(out, "  sizes    larger sizes test little new: few runs used all of %s\n",
                numbers_format_size(NUMBERS_TEXT, c->largest));
    }
}

static void put_inconclusive(FILE *out, const summary *s) {
    const failure *f = s->best.failure;
    fputs("\n", out);
    if (f->cause == CAUSE_BUDGET) {
        fprintf(out, "inconclusive: the run of %s had not ended after %s\n",
                COUNTED(f->input.size, "byte"),
                numbers_format_elapsed(NUMBERS_TEXT, s->stop.cut_ns));
    } else if (f->cause != CAUSE_NONE) {
        put_limited(out, f);
    } else {
        fprintf(out, "inconclusive: %s at size %" PRIu64 " failed once, and ", SIGNATURE(f),
                f->input.size);
        fprintf(out,
                f->reruns == 0 ? "was not run again\n"
                               : "passed %u of %u times when it was run again\n",
                f->reruns - f->repeated, f->reruns);
    }
}

/* Print why a search has no answer, not even an inconclusive failure. */
static void put_untested(FILE *out, const summary *s) {
    const char *runs = COUNTED(s->progress.runs, "run");
    if (s->stop.end != END_DONE && s->stop.end != END_SPENT) {
        fputs("\nstopped before anything failed\n", out);
    } else if (s->progress.runs == 0) {
        fputs("\ninconclusive: the time ended before the first run did\n", out);
    } else if (s->end_failed) {
        fprintf(out,
                "\ninconclusive: %s ended without a failure, but a process that had made "
                "passing ones failed at its end\n",
                runs);
    } else if (s->tally != NULL && tally_is_unread(s->tally)) {
        fprintf(out, "\ninconclusive: none of %s read its input\n", runs);
        if (s->tally->unread > 0 && !texts_name_input((char *const *)s->setup->subject->args))
            fputs(
                "           it gets it on standard input; @@ in its arguments is a file with it\n",
                out);
    } else if (s->answer == ANSWER_DISCARDED) {
        fprintf(out, "\ninconclusive: %s of %s were discarded: draw only what the test accepts\n",
                COUNT(s->progress.discarded), runs);
    } else {
        fprintf(out, "\ninconclusive: %s passed: --only or --ignore leaves out all failures\n",
                s->claim.all_masked ? "only the run of 0 bytes"
                                    : phrase_format("none of %s", runs));
    }
}

static void put_search_head(FILE *out, const summary *s) {
    const failure *f = s->best.failure;
    switch (s->answer) {
    case ANSWER_PASSED:
    case ANSWER_UNMET:
    case ANSWER_DIFFERENT: put_passed(out, s); return;
    case ANSWER_DISCARDED:
    case ANSWER_NONE: put_untested(out, s); return;
    case ANSWER_INCONCLUSIVE: put_inconclusive(out, s); return;
    case ANSWER_FOUND: break;
    }
    fprintf(out, "\nsmallest failure%s%s: %s at size %" PRIu64 "\n",
            s->stop.end == END_DONE ? "" : " so far",
            failure_is_of_flaky(f) && !failure_is_flaky(f) ? " that failed in each rerun" : "",
            SIGNATURE(f), f->input.size);
}

/* ---- Failures ---- */

/* Print the command that replays a failure. If that needs a file, and there is none, the line of
 * the result has the bytes; those of other failures (no label) are gone. */
static void put_replay(FILE *out, const char *label, const run_setup *setup, const found_input *c) {
    const char *line = phrase_replay_found(setup->subject, c);
    const char *without = label[0] == '\0' ? "--findings DIR would have kept it"
                                           : "give frng-replay the line on standard output";
    put_row(out, label);
    fprintf(out, "%s\n", line != NULL ? line : without);
}

static void put_reruns(FILE *out, const failure *f) {
    const rerun_count seen = failure_evidence(f);
    if (seen.reruns == 0) return;
    const rate_interval rate = rate_of(seen.repeated, seen.reruns);
    fprintf(out,
            failure_is_flaky(f) ? "  reruns   flaky %u/%u" : "  reruns   failed again %u/%u times",
            f->repeated, f->reruns);
    if (seen.reruns > f->reruns)
        fprintf(out, ", and %s/%s with failures like it", COUNT(seen.repeated), COUNT(seen.reruns));
    if (failure_is_of_flaky(f)) {
        fprintf(out, ": fails in %s", rate_format(rate, RATE_TEXT));
    } else if (f->alike.reruns > 0) {
        fprintf(out, ": under %s of reruns pass (95%% confidence)",
                rate_format_bound(1 - rate.low, RATE_TEXT));
    }
    fputs("\n", out);
}

const char *text_passes(const run_claim *c, const char *between) {
    const char *runs = COUNTED(c->passed, "fresh run");
    if (!run_claim_is_bounded(c))
        return phrase_format("%s at size %" PRIu64 " passed", runs, c->below);
    return phrase_format("%s at size %" PRIu64 " passed:%sunder %s of such runs fail", runs,
                         c->below, between, BOUND_TEXT(c));
}

/* Print the bound on smaller failures than this one that passes below it imply. Return true if
 * there is one. */
static bool put_claim(FILE *out, const failure *f, const run_claim *c) {
    const bool is_bounded =
        f->input.size > 0 && c->passed > 0 && c->bound > 0 && run_claim_is_bounded(c);
    if (f->input.size == 0) {
        fputs("  smaller  none: it fails on empty input\n", out);
    } else if (c->passed > 0 && c->bound == 0) {
        fprintf(out, "  smaller  all inputs of size %" PRIu64 " were run and passed\n", c->below);
    } else if (c->passed > 0) {
        fprintf(out, "  smaller  %s%s\n", text_passes(c, " "),
                is_bounded ? " (95% confidence)" : "");
    }
    return is_bounded;
}

static void put_others(FILE *out, const summary *s) {
    for (size_t i = 0; i < s->others.count; i++) {
        const failure *f = s->others.list[i].failure;
        fprintf(out, "  also     %s", text_failure_name(f));
        if (s->setup->task == TASK_SEARCH) {
            fprintf(out, " at size %" PRIu64, f->input.size);
            if (failure_is_of_flaky(f)) fputs(", flaky", out);
            if (failure_is_flaky(f)) fprintf(out, " %u/%u", f->repeated, f->reruns);
            fputs("\n", out);
        } else {
            fprintf(out, ", %s\n", COUNTED(f->input.size, "byte"));
        }
        put_replay(out, "", s->setup, &s->others.list[i]);
    }
}

/* Print failures that never failed again, and are like nothing that did. */
static void put_once(FILE *out, const summary *s) {
    for (size_t i = 0; i < s->once.count; i++) {
        const failure *f = s->once.list[i].failure;
        fprintf(out,
                "  once     %s at size %" PRIu64 " failed once, and passed when it was run again\n",
                text_failure_name(f), f->input.size);
        put_replay(out, "", s->setup, &s->once.list[i]);
        fputs(phrase_excerpt(f->output, f->site), out);
    }
}

/* ---- All failures ---- */

/* Print how to replay a failure, what it printed and how often it fails. */
static void put_found(FILE *out, const summary *s, const found_input *c) {
    const failure *f = c->failure;
    put_replay(out, "replay", s->setup, c);
    if (c->saved != NULL && c->is_finding) fprintf(out, "  finding  %s\n", phrase_shell(c->saved));
    if (s->has_draws) fputs("  draws    add --trace to see them\n", out);
    fputs(phrase_excerpt(f->output, f->site), out);
    if (f->cause == CAUSE_NONE) put_reruns(out, f);
}

/* Print what growing has shown since all of these are known. */
static void put_grown(FILE *out, const summary *s) {
    const run_claim *c = &s->grown;
    if (s->each.count == DISTINCT_FAILURES_MAX)
        fprintf(
            out,
            "  limit    frng keeps at most %zu signatures: failures of others counted as passes\n",
            s->each.count);
    if (c->rounds == 0) {
        fputs("  other    stopped before all sizes were tried for other failures\n", out);
        return;
    }
    fprintf(out, "  other    no other failure in at least %s runs at %s\n", COUNT(c->rounds),
            text_sizes(c));
}

static void put_each(FILE *out, const summary *s) {
    bool is_bounded = false;
    fprintf(out, "\n%s%s\n", COUNTED(s->each.count, "distinct failure"),
            s->stop.end == END_DONE ? "" : " so far");
    for (size_t i = 0; i < s->each.count; i++) {
        const failure *f = s->each.list[i].failure;
        fprintf(out, "\n%s, size %" PRIu64 "\n", text_failure_name(f), f->input.size);
        put_found(out, s, &s->each.list[i]);
        is_bounded |= put_claim(out, f, s->each.list[i].claim);
    }
    fputs("\n", out);
    if (is_bounded) put_terms(out, "claims", s);
    put_grown(out, s);
}

/* ---- Statistics ---- */

enum {
    ROWS_FEW = 16, /* of labels, and of measures, without --verbose */
    DRAWS_MIN = 8  /* counted runs whose draws are shown */
};

/* Return `part` of `whole` as a percentage, such as "34%", "0.02%" or "under 0.01%". */
static const char *share_text(uint64_t part, uint64_t whole) {
    const double percent = whole > 0 ? 100 * ((double)part / (double)whole) : 0;
    if (part == 0) return "0%";
    if (part == whole) return "100%";
    if (percent < 0.01) return "under 0.01%";
    if (percent > 99.9) return "over 99.9%"; /* never "100%" */
    return phrase_format("%.*f%%", percent < 1 ? 2 : percent < 10 ? 1 : 0, percent);
}

static void put_range(FILE *out, const char *label, const char *what, const histogram *h) {
    put_row(out, label);
    fprintf(out, "%s a run: median %s, quartiles %s and %s, most %s", what,
            COUNT(histogram_quantile(h, 1, 2)), COUNT(histogram_quantile(h, 1, 4)),
            COUNT(histogram_quantile(h, 3, 4)), COUNT(h->max));
}

static void put_drawn(FILE *out, const tally *t) {
    const uint64_t counted = t->draws.count;
    if (t->drawn.count == 0) return;
    put_range(out, "drawn", "bytes", &t->drawn);
    if (t->reported > 0) fprintf(out, "; %s ran out of entropy", share_text(t->ran_out, t->runs));
    fputs("\n", out);
    if (counted == 0 || (counted < DRAWS_MIN && counted < t->reported)) return;
    put_range(out, "", "draws", &t->draws);
    if (counted < t->reported) fprintf(out, " (of %s runs counted)", COUNT(counted));
    fputs("\n", out);
}

/* ---- Labels and measures ---- */

static void put_labels(FILE *out, const tally *t, tally_kind kind, bool is_whole) {
    const bool is_label = kind == TALLY_LABEL;
    size_t order[FRNG_LABELS_MAX];
    const size_t count = tally_sort(t, kind, order);
    const size_t shown = is_whole || count <= ROWS_FEW ? count : ROWS_FEW;
    if (count == 0) return;
    put_row(out, is_label ? "labels" : "measures");
    fputs(is_label ? "of all runs         runs  median size\n"
                   : "      least       median         most\n",
          out);
    for (size_t i = 0; i < shown; i++) {
        const tally_row *row = &t->rows[order[i]];
        const histogram *h = &row->values;
        const char *median = h->count > 0 ? COUNT(histogram_quantile(h, 1, 2)) : "";
        fprintf(out, "%22s %12s %12s  %s\n",
                is_label ? share_text(row->runs, t->runs - t->discarded) : COUNT(h->min),
                is_label ? COUNT(row->runs) : median, is_label ? median : COUNT(h->max),
                phrase_escaped(row->name));
    }
    if (shown < count) fprintf(out, "           and %zu more with --verbose\n", count - shown);
}

static void put_goals(FILE *out, const summary *s) {
    size_t order[FRNG_LABELS_MAX];
    const size_t count = tally_sort(s->tally, TALLY_GOAL, order);
    for (size_t i = 0; i < count; i++) {
        put_row(out, i == 0 ? "goals" : "");
        fprintf(out, "%s\n", phrase_goal(s->setup->subject, &s->tally->rows[order[i]]));
    }
}

/* Print the labels and measures of a search, and (with_drawn) what its runs drew. `is_whole`: each
 * label, not only the most frequent ones. */
static void put_statistics(FILE *out, const tally *t, bool with_drawn, bool is_whole) {
    if (with_drawn) put_drawn(out, t);
    put_labels(out, t, TALLY_LABEL, is_whole);
    put_labels(out, t, TALLY_MEASURE, is_whole);
    if (t->lost == 0) return;
    fprintf(out, "           more than %d labels and measures: %s mark%s not counted\n",
            FRNG_LABELS_MAX, COUNT(t->lost), t->lost == 1 ? " was" : "s were");
}

/* ---- The warning that runs tested nothing ---- */

static void put_warning(FILE *out, const tally *t) {
    if (tally_warning(t) == NULL) return;
    fputs("  warning  ", out);
    if (tally_is_half_discarded(t)) {
        fprintf(out, "%s of the runs were discarded: draw only what the test accepts\n",
                share_text(t->discarded, t->runs));
    } else if (t->drawn.max > 0) {
        fprintf(out, "%s of the runs ended within %d draws: do they reach the code to test?\n",
                share_text(tally_few_draws(t), t->reported), FRNG_FEW_DRAWS - 1);
    } else if (t->ran_out > 0) {
        fprintf(out, "each run ran out of entropy before its first draw: %s bytes are too few\n",
                numbers_format_size(NUMBERS_TEXT, t->size_max));
    } else {
        fputs("no run drew anything, so all runs are the same\n", out);
    }
}

/* ---- A search ---- */

static void put_effort(FILE *out, const summary *s) {
    const progress *p = &s->progress;
    const bool is_search = s->setup->task == TASK_SEARCH;
    const double rate = meter_rate(&(meter){0}, p->elapsed_ns, p->runs + p->reruns);
    const char *guided = s->guided > 0 ? phrase_format(" (%s guided)", COUNT(s->guided)) : "";
    fprintf(out, "  effort   %s%s%s and %s in %s (%s, %s)",
            COUNTED(p->runs, is_search ? "run" : "call"), guided, phrase_discarded(p->discarded),
            is_search ? COUNTED(p->reruns, "rerun") : COUNTED(p->steps, "step"),
            numbers_format_elapsed(NUMBERS_TEXT, p->elapsed_ns),
            numbers_format_rate(NUMBERS_TEXT, rate, is_search ? "run" : "call"),
            COUNTED(s->setup->jobs, "job"));
    if (is_search) fprintf(out, ", --rng-seed %" PRIu64, s->setup->rng_seed);
    fputs("\n", out);
    if (s->is_unguided && s->best.failure == NULL)
        fputs("           guided runs saw no comparison outside of the test: see frng(7)\n", out);
    if (s->attempts_alike > 0)
        fprintf(out,
                "           its runs are slow, so it made fewer: --attempts %" PRIu64
                " makes about as many again\n",
                s->attempts_alike);
}

static void put_search(FILE *out, const summary *s, bool is_verbose) {
    const failure *f = s->best.failure;
    const bool has_passed = s->answer == ANSWER_PASSED || s->answer == ANSWER_UNMET;
    if (s->each.count > 0) {
        put_each(out, s);
    } else {
        put_search_head(out, s);
        if (f != NULL && f->site[0] != '\0') fprintf(out, "  failure  %s\n", text_failure_name(f));
        if (f != NULL) put_found(out, s, &s->best);
        if (s->answer == ANSWER_FOUND && put_claim(out, f, &s->claim)) put_terms(out, "", s);
        put_others(out, s);
    }
    put_once(out, s);
    put_ignored(out, s);
    put_limits(out, s);
    if (s->tally != NULL) {
        const bool is_passed = has_passed && s->each.count == 0;
        put_statistics(out, s->tally, is_verbose || is_passed, is_verbose);
        if (is_passed) put_goals(out, s);
        if (is_passed || (s->answer == ANSWER_FOUND && tally_is_half_discarded(s->tally)))
            put_warning(out, s->tally);
    }
    put_effort(out, s);
}

/* ---- Reductions ---- */

static void put_sizes(FILE *out, const summary *s, const char *what) {
    fprintf(out, "\nreduced%s: %s, %s -> %s bytes\n", s->stop.end == END_DONE ? "" : " so far",
            phrase_escaped(what), COUNT(s->setup->size), COUNT(s->best.failure->input.size));
}

static void put_reduction_head(FILE *out, const summary *s) {
    const char *how = signature_format(s->seen, SIGNATURE_TEXT);
    const failure limited = {
        .input = {.size = s->setup->size}, .signature = s->seen, .cause = s->limit};
    switch (s->answer) {
    case ANSWER_PASSED:
        fprintf(out, "nothing to reduce: the input of %s passes (%s)\n",
                COUNTED(s->setup->size, "byte"), COUNTED(s->progress.runs, "run"));
        return;
    case ANSWER_DIFFERENT:
        fprintf(out, "nothing to reduce: the input fails with %s, %s\n", how,
                s->is_ignored ? "which --ignore names" : "not as --only asks");
        return;
    case ANSWER_INCONCLUSIVE:
        put_limited(out, &limited);
        if (s->doubt != DOUBT_NONE)
            fprintf(out, "cannot judge: the input passes%s\n", phrase_doubts[s->doubt]);
        else if (s->limit == CAUSE_NONE)
            fprintf(out,
                    "inconclusive: the input failed with %s, and passed when it was run again\n",
                    how);
        return;
    case ANSWER_UNMET:
    case ANSWER_DISCARDED:
    case ANSWER_NONE: fputs("not reduced: stopped at its start\n", out); return;
    case ANSWER_FOUND: break;
    }
    put_sizes(out, s, site_format(s->best.failure->signature, s->best.failure->site, SITE_TEXT));
}

static void put_reduction(FILE *out, const summary *s) {
    const bool is_found = s->answer == ANSWER_FOUND;
    put_reduction_head(out, s);
    if (is_found) put_found(out, s, &s->best);
    if (is_found && s->explanation != NULL)
        explained_put(out, s->explanation, s->best.bytes, s->best.failure->input.size);
    put_others(out, s);
    if (s->ignored > 0) fprintf(out, "  ignored  %s\n", COUNTED(s->ignored, "failed run"));
    if (is_found && s->starts > 1)
        fprintf(out, "  starts   %u of %u failing inputs came to this one\n", s->same_starts,
                s->starts);
    if (is_found) put_effort(out, s);
}

/* Put a line for each of several files, as far as they are few. */
static void put_outcomes(FILE *out, const summary *s) {
    enum { SHOWN_MAX = 16 };
    size_t gone = 0, shown = 0;
    for (size_t i = 0; i < s->file_count; i++) {
        const file_outcome *f = &s->files[i];
        gone += f->is_gone;
        if (f->is_gone || shown++ >= SHOWN_MAX) continue;
        fprintf(out, "  %s %s, %s -> %s bytes\n", shown == 1 ? "files   " : "        ",
                phrase_escaped(f->path), COUNT(f->before), COUNT(f->after));
    }
    if (shown > SHOWN_MAX) fprintf(out, "           and %s more\n", COUNT(shown - SHOWN_MAX));
    if (gone > 0) fprintf(out, "  removed  %s\n", COUNTED(gone, "file"));
}

static void put_finding(FILE *out, const summary *s, bool is_verbose) {
    const run_setup *of = s->setup;
    const failure *f = s->best.failure;
    if (s->answer == ANSWER_INCONCLUSIVE)
        fprintf(
            out,
            "inconclusive: %s was interesting, and was not when the predicate was asked again\n",
            phrase_escaped(of->file));
    if (s->answer != ANSWER_FOUND) return;
    put_sizes(out, s, of->file);
    if (s->best.saved != NULL)
        fprintf(out, "  result   %s\n  check    %s\n", phrase_escaped(of->output),
                phrase_check(of, false));
    else
        fputs("  result   standard output has the bytes in hex: turn them back with xxd -r -p\n",
              out);
    put_outcomes(out, s);
    if (f->reruns > 0)
        fprintf(out, "  reruns   %sinteresting %u/%u times\n", failure_is_flaky(f) ? "flaky: " : "",
                f->repeated, f->reruns);
    put_effort(out, s);
    if (is_verbose)
        fprintf(out, "  timeout  %s\n",
                numbers_format_duration(NUMBERS_TEXT, s->setup->limits.timeout_ns));
}

static void put_summary(FILE *out, const summary *s, bool is_verbose) {
    const bool never_ran = s->stop.end == END_ENVIRONMENT && s->answer != ANSWER_FOUND;
    if (s->setup->task == TASK_REDUCE_FILE) put_finding(out, s, is_verbose);
    if (s->setup->task == TASK_REDUCE && !never_ran) put_reduction(out, s);
    if (s->setup->task == TASK_SEARCH && !never_ran) put_search(out, s, is_verbose);
}

void text_print_unmet(const requirement_list *required, const tally *t) {
    for (size_t i = 0; i < required->count; i++) {
        const requirement *r = &required->list[i];
        const uint64_t count = requirement_runs(r, t);
        if (requirement_is_met(r, t)) continue;
        if (count == 0) {
            message("--require %s: no run had this label", r->text);
        } else {
            message("--require %s: only %s of the runs had this label: %s of %s", r->text,
                    share_text(count, t->runs - t->discarded), COUNT(count),
                    COUNT(t->runs - t->discarded));
        }
    }
}

/* ---- The result for programs ---- */

static void put_hex(FILE *out, const uint8_t *bytes, uint64_t size) {
    fputs(" hex=", out);
    for (uint64_t i = 0; i < size; i++) fprintf(out, "%02x", bytes[i]);
}

static void put_input(FILE *out, const found_input *c) {
    const uint64_t size = c->failure->input.size;
    fprintf(out, "size=%" PRIu64, size);
    if (c->bytes == NULL) {
        fprintf(out, " seed=%s", seed_text_format(SEED_TEXT, &c->failure->input));
    } else if (size > PHRASE_HEX_MAX && c->saved != NULL) {
        fprintf(out, c->is_finding ? " finding=%s" : " output=%s", phrase_escaped(c->saved));
    } else {
        put_hex(out, c->bytes, size);
    }
}

void text_put_result_named(FILE *out, const found_input *c) {
    put_input(out, c);
    fprintf(out, " signature=%s\n", text_failure_name(c->failure));
}

/* Put each of several files that could not be written. */
static void put_lost(FILE *out, const summary *s) {
    const uint8_t *bytes = s->best.bytes;
    for (size_t i = 0, shown = 0; i < s->file_count; i++) {
        const file_outcome *f = &s->files[i];
        if (f->is_gone) continue;
        fprintf(out, "%sfile=%s size=%" PRIu64, shown++ > 0 ? "\n" : "", phrase_escaped(f->path),
                f->after);
        put_hex(out, bytes, f->after);
        bytes += f->after;
    }
}

char *text_summary_result(const summary *s) {
    char *line = NULL;
    size_t length;
    FILE *out = memory_stream(&line, &length);
    for (size_t i = 0; i < s->each.count; i++) text_put_result_named(out, &s->each.list[i]);
    if (s->each.count == 0 && s->setup->task == TASK_REDUCE_FILE && s->best.saved != NULL) {
        fprintf(out, "size=%" PRIu64 " output=%s", s->best.failure->input.size,
                phrase_escaped(s->setup->output));
    } else if (s->each.count == 0 && s->file_count > 0) {
        put_lost(out, s);
    } else if (s->each.count == 0) {
        put_input(out, &s->best);
    }
    if (s->each.count == 0) fputs("\n", out);
    return memory_close(out, &line);
}

static void take_start(text_sink *t, const run_setup *s) {
    FILE *out = message_stream();
    t->setup = s;
    t->has_best = false;
    if (!t->is_verbose) return;
    const bool is_search = s->task == TASK_SEARCH;
    fputs(is_search ? "testing " : "reducing ", out);
    if (s->task == TASK_REDUCE_FILE) fprintf(out, "%s with ", phrase_escaped(s->file));
    fprintf(out, "%s\n  digest %s\n  ", phrase_command(s->subject),
            s->digest != NULL ? s->digest : "unknown");
    if (s->mode != NULL) fprintf(out, "mode %s, ", s->mode);
    fputs(COUNTED(s->jobs, "job"), out);
    if (is_search)
        fprintf(out, ", --rng-seed %" PRIu64 ", --expand %s", s->rng_seed,
                seed_text_expansion(s->expand));
    if (s->command_count > 0)
        fprintf(out, ", %s of reducers", COUNTED(s->command_count, "command"));
    fputs("\n", out);
    if (s->containment != NULL) fprintf(out, "  containment %s\n", s->containment);
}

/* ---- Events: during the run ---- */

/* True if a best deserves a line; records it as printed. Not all do: the next best soon follows. */
static bool take_best(text_sink *t, const event *e) {
    enum { PAUSE_MS = 1000 };
    const int64_t now_ns = e->progress.elapsed_ns;
    const bool is_due = now_ns >= t->best_ns + PAUSE_MS * CLOCK_NS_PER_MS;
    if (t->has_best && !t->is_verbose && !is_due) return false;
    t->has_best = true;
    t->best_ns = now_ns;
    return true;
}

static void take_failure(text_sink *t, const event *e) {
    const bool is_best = e->kind == EVENT_BEST;
    const failure *f = e->failure;
    const char *size = COUNTED(f->input.size, "byte"), *runs = COUNT(e->progress.runs);
    if (is_best && !take_best(t, e)) return;
    FILE *out = message_stream();
    if (t->setup->task == TASK_REDUCE_FILE) {
        fprintf(out, "interesting: %s (call %s)\n", size, runs);
        return;
    }
    fprintf(out, "%sfails with %s: ", is_best ? "" : "also ",
            site_format(f->signature, f->site, SITE_TEXT));
    if (t->setup->task == TASK_SEARCH)
        fprintf(out, "%s (run %s)\n", phrase_input(&f->input), runs);
    else
        fprintf(out, "%s (call %s)\n", size, runs);
}

static void take_flaky(const text_sink *t, const failure *f) {
    const char *then = "step must fail as often as the first input";
    FILE *out = message_stream();
    const char *size = COUNTED(f->input.size, "byte"),
               *how = signature_format(f->signature, SIGNATURE_TEXT);
    if (f->cause != CAUSE_NONE && t->setup->task != TASK_REDUCE_FILE) {
        put_limited(out, f);
        return;
    }
    fputs("flaky: ", out);
    switch (t->setup->task) {
    case TASK_SEARCH:
        fprintf(out, "%s at %s passed", how, phrase_input(&f->input));
        then = phrase_format("failure is rerun %d times", FAILURE_RERUNS);
        break;
    case TASK_REDUCE: fprintf(out, "%s with %s passed", how, size); break;
    case TASK_REDUCE_FILE:
        fprintf(out, "a file of %s was interesting, and was not", size);
        then = "step must be interesting as often as the first file";
        break;
    }
    fprintf(out, " when it was run again; from now on each %s\n", then);
}

/* Two failures at one site; or a candidate of a reduction that says other words than its input. */
static void take_alike(const failure *f, const failure *earlier) {
    const failure *both[] = {earlier, f};
    FILE *out = message_stream();
    if (earlier == NULL) {
        fprintf(out,
                "other words: %s with %s prints another last line than the input; if that is "
                "another bug, use --signature REGEX to separate them\n",
                signature_format(f->signature, SIGNATURE_TEXT), COUNTED(f->input.size, "byte"));
        return;
    }
    fprintf(out, "two bugs may hide behind %s: messages differ:\n", phrase_escaped(f->site));
    for (size_t i = 0; i < 2; i++) {
        const char *line = output_message(both[i]->output, f->site, OUTPUT_END);
        fprintf(out, "  %s\n", phrase_escaped(line));
    }
}

static void take_isolation(const event *e) {
    static const char *const texts[] = {
        [ISOLATION_FRESH_PASSES] = "failed after other runs, and passes in a fresh process",
        [ISOLATION_FRESH_FAILS] = "passed after other runs, and fails in a fresh process",
        [ISOLATION_OTHER_COUNT] = "drew another count of bytes than it does in a fresh process",
        [ISOLATION_OTHER_DRAWS] = "made other draws than it does in a fresh process",
        [ISOLATION_BATCH_END] = "and others passed, but then their process failed at its exit",
        [ISOLATION_LEFTOVER] = "or one before it left a process behind"};
    const char *which = e->input != NULL ? phrase_input(e->input) : "one run";
    fprintf(message_stream(), "the test keeps state between its runs, or is flaky: %s %s%s\n",
            which, texts[e->violation],
            e->mode != NULL ? "; from now on each run has a process of its own" : "");
}

void text_sink_take(void *context, const event *e) {
    text_sink *t = context;
    if (e->kind == EVENT_STARTED) take_start(t, e->setup);
    assert(t->setup != NULL);
    if (t->is_quiet) return;
    screen_take(&t->screen, e);
    switch (e->kind) {
    case EVENT_BEST:
    case EVENT_OTHER:
        if (t->is_verbose || !screen_is_full(&t->screen)) take_failure(t, e);
        break;
    case EVENT_FLAKY: take_flaky(t, e->failure); break;
    case EVENT_ALIKE: take_alike(e->failure, e->other); break;
    case EVENT_SHAPES:
        fprintf(message_stream(),
                "messages of %s have more than %d shapes: the others are one failure\n",
                phrase_escaped(e->failure->site), SHAPES_MAX);
        break;
    case EVENT_ISOLATION: take_isolation(e); break;
    case EVENT_NONDETERMINISTIC:
        fprintf(message_stream(),
                "the test is not deterministic: %s differs in another process; does it depend on "
                "addresses, or on memory that was never written?\n",
                phrase_input(e->input));
        break;
    case EVENT_WRONG_RECORD: /* once, also where many failures are reduced */
        if (!t->has_wrong_record)
            message("%s: reduces bytes, not draws", explained_wrong(e->wrong));
        t->has_wrong_record = true;
        break;
    case EVENT_LEAKS:
        message("the target leaks memory before any run: leaks of runs cannot be found");
        break;
    case EVENT_REPLAYED:
        fprintf(message_stream(), "known finding, %s: %s%s\n",
                e->input->style == SEED_GIVEN ? COUNTED(e->input->size, "byte")
                                              : phrase_input(e->input),
                e->fails                 ? "still fails"
                : e->doubt == DOUBT_NONE ? "passes now"
                                         : "passes",
                phrase_doubts[e->doubt]);
        break;
    case EVENT_PASS_DROPPED:
        fprintf(message_stream(), "disabled reducer %s: %s again and again\n",
                phrase_escaped(e->name),
                e->misdeed == MISDEED_BROKEN ? "crashed or hung" : "made nothing smaller");
        break;
    case EVENT_FINISHED: put_summary(message_stream(), e->summary, t->is_verbose); break;
    case EVENT_STARTED:
    case EVENT_UNCONFIRMED:
    case EVENT_REFUTED:
    case EVENT_OUTSIDE:
    case EVENT_PROGRESS:
    case EVENT_ALIVE:
    case EVENT_TESTED:
    case EVENT_STEP: break;
    }
}

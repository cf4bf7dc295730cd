#include "text_sink.h"

#include "clock.h"
#include "event.h"
#include "failure.h"
#include "messages.h"
#include "output_site.h"
#include "phrase.h"
#include "record_text.h"
#include "seed_input.h"
#include "text_summary.h"
#include "units.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- The start ---- */

static void put_search_start(FILE *out, const run_setup *s, const char *command) {
    const bool is_usual = s->expand == EXPAND_BOTH;
    fprintf(out, "testing %s\n  digest %s\n  mode %s, %u job%s, --rng-seed %" PRIu64 "%s%s\n",
            command, s->digest != NULL ? s->digest : "unknown", s->mode, s->jobs,
            phrase_plural(s->jobs), s->rng_seed, is_usual ? "" : ", --expand ",
            is_usual ? "" : seed_text_expansion(s->expand));
}

static void put_reduction_start(FILE *out, const run_setup *s, const char *command) {
    fprintf(out, "reducing %" PRIu64 " byte%s of %s\n  digest %s\n  mode %s, %u job%s\n", s->size,
            phrase_plural(s->size), command, s->digest != NULL ? s->digest : "unknown", s->mode,
            s->jobs, phrase_plural(s->jobs));
}

static void put_file_start(FILE *out, const run_setup *s, const char *command) {
    fprintf(out, "reducing %" PRIu64 " byte%s of ", s->size, phrase_plural(s->size));
    phrase_put_escaped(out, s->file);
    fprintf(out, "\n  predicate %s\n  %u job%s", command, s->jobs, phrase_plural(s->jobs));
    if (s->command_count > 0) {
        fprintf(out, ", %zu command%s of reducers", s->command_count,
                phrase_plural(s->command_count));
    }
    fputs("\n", out);
}

static void take_start(text_sink *t, const run_setup *s) {
    FILE *out = message_stream();
    t->setup = s;
    t->has_best = false;
    if (!t->is_verbose) return;
    char *command = phrase_command(s->subject);
    const char *shown = command != NULL ? command : s->subject->sut;
    switch (s->task) {
    case TASK_SEARCH: put_search_start(out, s, shown); break;
    case TASK_REDUCE: put_reduction_start(out, s, shown); break;
    case TASK_REDUCE_FILE: put_file_start(out, s, shown); break;
    }
    free(command);
    if (s->containment != NULL) fprintf(out, "  containment %s\n", s->containment);
}

/* ---- During the run ---- */

/* True if a best deserves a line; records it as printed. Not all do: the next best soon follows,
 * and a file has many. */
static bool take_best(text_sink *t, const event *e) {
    enum { PAUSE_MS = 1000, FILE_SHARE = 10 };
    const uint64_t size = e->failure->input.size;
    const int64_t now_ns = e->progress.elapsed_ns;
    const bool is_due = now_ns >= t->best_ns + PAUSE_MS * CLOCK_NS_PER_MS;
    const bool is_much =
        t->setup->task != TASK_REDUCE_FILE || size <= t->best_size - t->best_size / FILE_SHARE;
    if (t->has_best && !t->is_verbose && !(is_due && is_much)) return false;
    t->has_best = true;
    t->best_ns = now_ns;
    t->best_size = size;
    return true;
}

static void take_failure(text_sink *t, const event *e) {
    char id[SITE_TEXT_MAX], seed[SEED_TEXT_MAX], runs[UNITS_TEXT_MAX];
    const bool is_best = e->kind == EVENT_BEST;
    const uint64_t size = e->failure->input.size;
    if (is_best && !take_best(t, e)) return;
    const char *verb = is_best ? "fails with" : "also fails with";
    site_format(e->failure->signature, e->failure->site, id);
    units_format_count(runs, e->progress.runs);
    switch (t->setup->task) {
    case TASK_SEARCH:
        fprintf(message_stream(), "%s %s: size %" PRIu64 ", seed %s (run %s)\n", verb, id, size,
                seed_text_format(seed, &e->failure->input), runs);
        break;
    case TASK_REDUCE:
        fprintf(message_stream(), "%s %s: %" PRIu64 " byte%s (call %s)\n", verb, id, size,
                phrase_plural(size), runs);
        break;
    case TASK_REDUCE_FILE:
        fprintf(message_stream(), "interesting: %" PRIu64 " byte%s (call %s)\n", size,
                phrase_plural(size), runs);
        break;
    }
}

static void take_flaky(const text_sink *t, const failure *f) {
    FILE *out = message_stream();
    char id[SIGNATURE_TEXT_MAX], seed[SEED_TEXT_MAX];
    const uint64_t size = f->input.size;
    const bool is_file = t->setup->task == TASK_REDUCE_FILE;
    if (f->cause != CAUSE_NONE && !is_file) {
        text_put_limited(out, f);
        return;
    }
    signature_format(f->signature, id);
    switch (t->setup->task) {
    case TASK_SEARCH:
        fprintf(out,
                "flaky: %s at size %" PRIu64 ", seed %s passed when it was run again; "
                "from now on each failure is rerun %d times\n",
                id, size, seed_text_format(seed, &f->input), FAILURE_RERUNS);
        break;
    case TASK_REDUCE:
        fprintf(out,
                "flaky: %s with %" PRIu64 " byte%s passed when it was run again; from now on each "
                "step must fail as often as the first input\n",
                id, size, phrase_plural(size));
        break;
    case TASK_REDUCE_FILE:
        fprintf(out,
                "flaky: a file of %" PRIu64 " byte%s was interesting, and was not when it was run "
                "again; from now on each step must be interesting as often as the first file\n",
                size, phrase_plural(size));
        break;
    }
}

/* Two failures at one site. */
static void take_other_message(const failure *f, const failure *earlier) {
    char line[OUTPUT_END_MAX];
    fputs("two bugs may hide behind ", message_stream());
    phrase_put_escaped(message_stream(), f->site);
    fputs(": messages differ:\n  ", message_stream());
    output_last_line(earlier->output, line);
    phrase_put_escaped(message_stream(), line);
    fputs("\n  ", message_stream());
    output_last_line(f->output, line);
    phrase_put_escaped(message_stream(), line);
    fputs("\n", message_stream());
}

static void take_alike(const failure *f) {
    char id[SIGNATURE_TEXT_MAX];
    fprintf(message_stream(),
            "other words: %s with %" PRIu64 " byte%s prints another last line than the input; if "
            "that is another bug, use --signature REGEX to separate them\n",
            signature_format(f->signature, id), f->input.size, phrase_plural(f->input.size));
}

static const char *violation_text(isolation_violation why) {
    switch (why) {
    case ISOLATION_NONE: break;
    case ISOLATION_FRESH_PASSES: return "failed after other runs, and passes in a fresh process";
    case ISOLATION_FRESH_FAILS: return "passed after other runs, and fails in a fresh process";
    case ISOLATION_OTHER_COUNT:
        return "drew another count of bytes than it does in a fresh process";
    case ISOLATION_OTHER_DRAWS: return "made other draws than it does in a fresh process";
    case ISOLATION_BATCH_END: return "and others passed, but then their process failed at its exit";
    case ISOLATION_LEFTOVER: return "or one before it left a process behind";
    }
    return "differs";
}

static void take_isolation(const event *e) {
    char seed[SEED_TEXT_MAX], which[SEED_TEXT_MAX + 40] = "one run";
    if (e->input != NULL) {
        snprintf(which, sizeof which, "size %" PRIu64 ", seed %s", e->input->size,
                 seed_text_format(seed, e->input));
    }
    fprintf(message_stream(), "the test keeps state between its runs, or is flaky: %s %s%s\n",
            which, violation_text(e->violation),
            e->mode != NULL ? "; from now on each run has a process of its own" : "");
}

static void take_nondeterministic(const seed_input *t) {
    char seed[SEED_TEXT_MAX];
    fprintf(message_stream(),
            "the test is not deterministic: size %" PRIu64 ", seed %s differs in another process; "
            "does it depend on addresses, or on memory that was never written?\n",
            t->size, seed_text_format(seed, t));
}

/* Say it once, also where many failures are reduced. */
static void take_wrong_record(text_sink *t, const wrong_record *w) {
    char text[RECORD_TEXT_MAX];
    if (t->has_wrong_record) return;
    t->has_wrong_record = true;
    message("%s: reduces bytes, not draws", record_text(w, text));
}

static void take_dropped(const event *e) {
    FILE *out = message_stream();
    fputs("disabled reducer ", out);
    phrase_put_escaped(out, e->name);
    fputs(e->misdeed == MISDEED_BROKEN ? ": crashed or hung again and again\n"
                                       : ": made nothing smaller again and again\n",
          out);
}

static void take_replayed(const event *e) {
    char seed[SEED_TEXT_MAX];
    fprintf(message_stream(), "known finding, size %" PRIu64 ", seed %s: %s\n", e->input->size,
            seed_text_format(seed, e->input), e->fails ? "still fails" : "passes now");
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
    case EVENT_ALIKE:
        if (e->other != NULL) {
            take_other_message(e->failure, e->other);
        } else {
            take_alike(e->failure);
        }
        break;
    case EVENT_ISOLATION: take_isolation(e); break;
    case EVENT_NONDETERMINISTIC: take_nondeterministic(e->input); break;
    case EVENT_WRONG_RECORD: take_wrong_record(t, e->wrong); break;
    case EVENT_LEAKS:
        message("the target leaks memory before any run: leaks of runs cannot be found");
        break;
    case EVENT_REPLAYED: take_replayed(e); break;
    case EVENT_PASS_DROPPED: take_dropped(e); break;
    case EVENT_FINISHED: text_summary_put(message_stream(), e->summary, t->is_verbose); break;
    case EVENT_STARTED:
    case EVENT_PROGRESS:
    case EVENT_ALIVE:
    case EVENT_TESTED:
    case EVENT_STEP: break;
    }
}

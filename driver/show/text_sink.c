/* A search tells each confirmed failure when it comes, while there is no screen that shows it, and
 * what the user may want to act on: a failure that is flaky, a test that keeps state, two bugs
 * behind one site. Each kind of event has a function here. Numbers look as in the summary,
 * and untrusted text is escaped. */
#include "text.h"

#include "clock.h"
#include "event.h"
#include "failure.h"
#include "messages.h"
#include "output_site.h"
#include "seed_input.h"
#include "trace.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- The start ---- */

static void take_start(text_sink *t, const run_setup *s) {
    FILE *out = message_stream();
    t->setup = s;
    t->has_best = false;
    if (!t->is_verbose) return;
    const bool is_search = s->task == TASK_SEARCH, is_file = s->task == TASK_REDUCE_FILE;
    if (is_search) fputs("testing ", out);
    if (!is_search) fprintf(out, "reducing %s of ", COUNTED(s->size, "byte"));
    if (is_file) {
        phrase_put_escaped(out, s->file);
        fputs("\n  predicate ", out);
    }
    phrase_put_command(out, s->subject);
    if (!is_file)
        fprintf(out, "\n  digest %s\n  mode %s,", s->digest != NULL ? s->digest : "unknown",
                s->mode);
    fprintf(out, "%s %s", is_file ? "\n " : "", COUNTED(s->jobs, "job"));
    if (is_search) fprintf(out, ", --rng-seed %" PRIu64, s->rng_seed);
    if (is_search && s->expand != EXPAND_BOTH)
        fprintf(out, ", --expand %s", seed_text_expansion(s->expand));
    if (s->command_count > 0)
        fprintf(out, ", %s of reducers", COUNTED(s->command_count, "command"));
    fputs("\n", out);
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
    if (t->setup->task == TASK_SEARCH) {
        fprintf(out, "size %" PRIu64 ", seed %s (run %s)\n", f->input.size,
                seed_text_format(SEED_TEXT, &f->input), runs);
    } else {
        fprintf(out, "%s (call %s)\n", size, runs);
    }
}

static void take_flaky(const text_sink *t, const failure *f) {
    FILE *out = message_stream();
    const char *size = COUNTED(f->input.size, "byte"),
               *how = signature_format(f->signature, SIGNATURE_TEXT);
    if (f->cause != CAUSE_NONE && t->setup->task != TASK_REDUCE_FILE) {
        text_put_limited(out, f);
        return;
    }
    switch (t->setup->task) {
    case TASK_SEARCH:
        fprintf(out,
                "flaky: %s at size %" PRIu64 ", seed %s passed when it was run again; "
                "from now on each failure is rerun %d times\n",
                how, f->input.size, seed_text_format(SEED_TEXT, &f->input), FAILURE_RERUNS);
        break;
    case TASK_REDUCE:
        fprintf(out,
                "flaky: %s with %s passed when it was run again; from now on each step must fail "
                "as often as the first input\n",
                how, size);
        break;
    case TASK_REDUCE_FILE:
        fprintf(out,
                "flaky: a file of %s was interesting, and was not when it was run again; from now "
                "on each step must be interesting as often as the first file\n",
                size);
        break;
    }
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
    fputs("two bugs may hide behind ", out);
    phrase_put_escaped(out, f->site);
    fputs(": messages differ:\n", out);
    for (size_t i = 0; i < 2; i++) {
        char line[OUTPUT_END_MAX];
        output_last_line(both[i]->output, line);
        fputs("  ", out);
        phrase_put_escaped(out, line);
        fputs("\n", out);
    }
}

static void take_isolation(const event *e) {
    static const char *const texts[] = {
        [ISOLATION_NONE] = "differs",
        [ISOLATION_FRESH_PASSES] = "failed after other runs, and passes in a fresh process",
        [ISOLATION_FRESH_FAILS] = "passed after other runs, and fails in a fresh process",
        [ISOLATION_OTHER_COUNT] = "drew another count of bytes than it does in a fresh process",
        [ISOLATION_OTHER_DRAWS] = "made other draws than it does in a fresh process",
        [ISOLATION_BATCH_END] = "and others passed, but then their process failed at its exit",
        [ISOLATION_LEFTOVER] = "or one before it left a process behind"};
    char which[SEED_TEXT_MAX + 40] = "one run";
    if (e->input != NULL)
        snprintf(which, sizeof which, "size %" PRIu64 ", seed %s", e->input->size,
                 seed_text_format(SEED_TEXT, e->input));
    fprintf(message_stream(), "the test keeps state between its runs, or is flaky: %s %s%s\n",
            which, texts[e->violation],
            e->mode != NULL ? "; from now on each run has a process of its own" : "");
}

static void take_nondeterministic(const seed_input *t) {
    fprintf(message_stream(),
            "the test is not deterministic: size %" PRIu64 ", seed %s differs in another process; "
            "does it depend on addresses, or on memory that was never written?\n",
            t->size, seed_text_format(SEED_TEXT, t));
}

/* Say it once, also where many failures are reduced. */
static void take_wrong_record(text_sink *t, const wrong_record *w) {
    char text[WRONG_TEXT_MAX];
    if (t->has_wrong_record) return;
    t->has_wrong_record = true;
    message("%s: reduces bytes, not draws", explained_wrong(w, text));
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
    fprintf(message_stream(), "known finding, size %" PRIu64 ", seed %s: %s\n", e->input->size,
            seed_text_format(SEED_TEXT, e->input), e->fails ? "still fails" : "passes now");
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

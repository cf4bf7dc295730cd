#include "json_sink.h"

#include "json_statistics.h"
#include "rate.h"
#include "seed_text.h"
#include "stream.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- Values ---- */

static void set_integer(json_t *line, const char *name, uint64_t value) {
    json_object_set_new(line, name, json_integer((json_int_t)value));
}

static void set_word(json_t *line, const char *name, const char *word) {
    json_object_set_new(line, name, json_string(word));
}

static void set_null(json_t *line, const char *name) {
    json_object_set_new(line, name, json_null());
}

/* Set untrusted text, with escapes for bytes that are not UTF-8. */
static void set_text(json_t *line, const char *name, const char *value) {
    static char text[4 * BYTES_TAIL_MAX + 1]; /* stacks may be small */
    bytes_escape((const uint8_t *)value, strlen(value), true, text, sizeof text);
    set_word(line, name, text);
}

/* Set a seed as a string, since many JSON readers keep at most 53 bits of a number. */
static void set_seed(json_t *line, const char *name, const seed_input *t) {
    char text[SEED_TEXT_MAX];
    set_word(line, name, seed_text_format(text, t));
}

static void set_seconds(json_t *line, int64_t elapsed_ns) {
    json_object_set_new(line, "seconds", json_real((double)elapsed_ns / 1e9));
}

static void set_output(json_t *line, const bytes_tail *output) {
    static char text[BYTES_TAIL_TEXT_MAX]; /* stacks may be small */
    bytes_tail_text(output, text);
    set_word(line, "output", text);
}

static void set_command(json_t *line, const char *name, const run_target *s) {
    json_t *args = json_array();
    set_text(line, name, s->sut);
    for (size_t i = 0; s->args[i] != NULL; i++) {
        char text[BYTES_TAIL_MAX];
        bytes_escape((const uint8_t *)s->args[i], strlen(s->args[i]), true, text, sizeof text);
        json_array_append_new(args, json_string(text));
    }
    json_object_set_new(line, "args", args);
}

static void set_passes(json_t *line, const char *name, const pass_statistics *passes,
                       size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        const pass_statistics *p = &passes[i];
        json_t *item = json_object();
        set_text(item, "name", p->name);
        set_integer(item, "calls", p->calls);
        set_integer(item, "successes", p->successes);
        set_integer(item, "bytes", p->bytes);
        json_array_append_new(array, item);
    }
    json_object_set_new(line, name, array);
}

/* ---- Groups of fields ---- */

typedef void group(json_t *line, const json_sink *j, const event *e);

static found_input found_by(const event *e) {
    if (e->kind == EVENT_FINISHED) return e->summary->best;
    return (found_input){.failure = e->failure, .bytes = e->bytes};
}

static const progress *progress_at(const event *e) {
    return e->kind == EVENT_FINISHED ? &e->summary->progress : &e->progress;
}

static void put_sut(json_t *line, const json_sink *j, const event *e) {
    (void)e;
    set_command(line, "sut", j->setup->subject);
}

static void put_predicate(json_t *line, const json_sink *j, const event *e) {
    (void)e;
    set_command(line, "predicate", j->setup->subject);
    set_text(line, "file", j->setup->file);
    set_text(line, "output", j->setup->output);
}

static void put_version(json_t *line, const json_sink *j, const event *e) {
    (void)e;
    set_word(line, "version", j->setup->version);
    if (j->setup->containment != NULL) set_word(line, "containment", j->setup->containment);
}

static void put_mode(json_t *line, const json_sink *j, const event *e) {
    (void)e;
    set_word(line, "mode", j->mode);
}

static void put_search(json_t *line, const json_sink *j, const event *e) {
    (void)e;
    set_integer(line, "attempts", j->setup->attempts);
    set_integer(line, "size_max", j->setup->size_max);
    set_word(line, "expand", seed_text_expansion(j->setup->expand));
    set_integer(line, "jobs", j->setup->jobs);
    set_seed(line, "rng_seed", &(seed_input){.seed = j->setup->rng_seed});
}

static void put_reduction(json_t *line, const json_sink *j, const event *e) {
    (void)e;
    set_integer(line, "size", j->setup->size);
    set_integer(line, "jobs", j->setup->jobs);
}

static void put_resumed(json_t *line, const json_sink *j, const event *e) {
    set_text(line, "output", j->setup->output);
    set_integer(line, "size", e->size);
}

static void put_size(json_t *line, const json_sink *j, const event *e) {
    (void)j;
    set_integer(line, "size", e->progress.size);
    set_integer(line, "runs", e->progress.runs);
    set_seconds(line, e->progress.elapsed_ns);
}

static void put_outcome(json_t *line, const json_sink *j, const event *e) {
    set_word(line, "outcome", summary_word(e->summary));
    if (j->setup->task == TASK_SEARCH) return;
    json_object_set_new(line, "complete", json_boolean(summary_is_complete(e->summary)));
}

/* Put the reason of an inconclusive outcome. */
static void put_reason(json_t *line, const json_sink *j, const event *e) {
    static const char *const reasons[CAUSE_COUNT] = {
        [CAUSE_NONE] = "flaky",
        [CAUSE_TIMEOUT] = "timeout",
        [CAUSE_MEMORY] = "memory",
        [CAUSE_WORKER] = "worker",
    };
    const summary *s = e->summary;
    const bool is_search = j->setup->task == TASK_SEARCH;
    if (s->answer == ANSWER_UNMET) set_word(line, "reason", "require");
    if (s->answer != ANSWER_INCONCLUSIVE || strcmp(summary_word(s), "inconclusive") != 0) return;
    const failure_cause limit = is_search ? s->best.failure->cause : s->limit;
    const bool was_rerun = !is_search || s->best.failure->reruns > 0;
    const bool is_open = limit == CAUSE_NONE && !was_rerun;
    set_word(line, "reason", is_open ? "unconfirmed" : reasons[limit]);
}

static void put_seed_input(json_t *line, const json_sink *j, const event *e) {
    const failure *f = found_by(e).failure;
    (void)j;
    if (f == NULL) {
        set_null(line, "size");
        set_null(line, "seed");
        return;
    }
    set_integer(line, "size", f->input.size);
    set_seed(line, "seed", &f->input);
}

static void put_bytes(json_t *line, const json_sink *j, const event *e) {
    char hex[2 * JSON_SINK_HEX_MAX + 1];
    const found_input c = found_by(e);
    (void)j;
    set_null(line, "size");
    set_null(line, "hex");
    if (c.failure == NULL) return;
    const uint64_t size = c.failure->input.size;
    set_integer(line, "size", size);
    if (size > JSON_SINK_HEX_MAX) return;
    bytes_to_hex(c.bytes, size, hex);
    set_word(line, "hex", hex);
}

/* Put `flaky`: false if each rerun of the failure and of failures like it failed; null without
 * reruns. */
static void put_flaky(json_t *line, const json_sink *j, const event *e) {
    const failure *f = found_by(e).failure;
    char text[32];
    (void)j;
    if (f == NULL || failure_evidence(f).reruns == 0) {
        set_null(line, "flaky");
    } else if (failure_is_of_flaky(f)) {
        snprintf(text, sizeof text, "%u/%u", f->repeated, f->reruns);
        set_word(line, "flaky", text);
    } else {
        json_object_set_new(line, "flaky", json_false());
    }
}

static void put_failure(json_t *line, const json_sink *j, const event *e) {
    const failure *f = found_by(e).failure;
    char id[SIGNATURE_TEXT_MAX];
    set_null(line, "identity");
    if (f != NULL) set_word(line, "identity", signature_format(f->signature, id));
    set_null(line, "site");
    if (f != NULL && f->site[0] != '\0') set_text(line, "site", f->site);
    put_flaky(line, j, e);
    if (f != NULL && f->output.size > 0) set_output(line, &f->output);
}

/* Put the rate of failing reruns, by failure_evidence. The interval is rounded outward. */
static void put_rate(json_t *line, const json_sink *j, const event *e) {
    enum { DECIMALS = 4 };
    const failure *f = found_by(e).failure;
    (void)j;
    set_null(line, "rate");
    if (f == NULL || failure_evidence(f).reruns == 0) return;
    const rerun_count seen = failure_evidence(f);
    const rate_interval often = rate_of(seen.repeated, seen.reruns);
    json_t *rate = json_object();
    set_integer(rate, "reruns", seen.reruns);
    set_integer(rate, "repeated", seen.repeated);
    json_object_set_new(rate, "low", json_real(rate_round_down(often.low, DECIMALS)));
    json_object_set_new(rate, "high", json_real(rate_round_up(often.high, DECIMALS)));
    json_object_set_new(line, "rate", rate);
}

/* Put the claim on smaller failures; null if there is none. The bound is rounded up. */
static void put_smaller(json_t *line, const run_claim *c) {
    set_null(line, "smaller");
    if (c->passed == 0) return;
    json_t *smaller = json_object();
    set_integer(smaller, "size", c->below);
    set_integer(smaller, "runs", c->passed);
    json_object_set_new(smaller, "bound", json_real(c->bound > 0 ? rate_round_up(c->bound, 4) : 0));
    json_object_set_new(line, "smaller", smaller);
}

/* Put the answer for each signature. */
static void put_each(json_t *line, const json_sink *j, const event *e) {
    if (!j->setup->finds_each) return;
    json_t *array = json_array();
    for (size_t i = 0; i < e->summary->each_count; i++) {
        const found_failure *one = &e->summary->each[i];
        const event of = {.kind = EVENT_OTHER, .failure = one->input.failure};
        json_t *item = json_object();
        put_seed_input(item, j, &of);
        put_failure(item, j, &of);
        put_rate(item, j, &of);
        put_smaller(item, &one->claim);
        json_array_append_new(array, item);
    }
    json_object_set_new(line, "failures", array);
}

/* Put how many runs failed as --ignore says, by signature. */
static void put_ignored(json_t *line, const json_sink *j, const event *e) {
    const signature_filter *filter = j->setup->filter;
    const ignored *all = e->summary->ignored_by_signature;
    if (filter == NULL || filter->ignored.count == 0 || all == NULL) return;
    json_t *array = json_array();
    for (size_t i = 0; i < all->count; i++) {
        char text[SITE_TEXT_MAX];
        json_t *item = json_object();
        const ignored_row *row = &all->list[i];
        set_text(item, "signature", site_format(row->signature, row->site, text));
        set_integer(item, "runs", row->runs);
        json_array_append_new(array, item);
    }
    json_object_set_new(line, "ignored", array);
}

/* Put what splices found, if there were any. */
static void put_guide(json_t *line, const json_sink *j, const event *e) {
    const run_guide *g = &e->summary->guide;
    (void)j;
    if (g->fresh + g->spliced == 0) return;
    json_t *guide = json_object();
    set_integer(guide, "states", g->fresh + g->spliced);
    set_integer(guide, "spliced", g->spliced);
    json_object_set_new(line, "guide", guide);
}

static void put_runs(json_t *line, const json_sink *j, const event *e) {
    const progress *p = progress_at(e);
    (void)j;
    set_integer(line, "runs", p->runs);
    set_integer(line, "reruns", p->reruns);
    set_seconds(line, p->elapsed_ns);
}

static void put_calls(json_t *line, const json_sink *j, const event *e) {
    const progress *p = progress_at(e);
    (void)j;
    set_integer(line, "calls", p->runs);
    set_integer(line, "successes", p->steps);
    set_seconds(line, p->elapsed_ns);
}

static void put_output_file(json_t *line, const json_sink *j, const event *e) {
    set_null(line, "output");
    if (found_by(e).failure != NULL) set_text(line, "output", j->setup->output);
}

static void put_passes(json_t *line, const json_sink *j, const event *e) {
    (void)j;
    set_passes(line, "passes", e->summary->passes, e->summary->pass_count);
}

static void put_reducers(json_t *line, const json_sink *j, const event *e) {
    set_integer(line, "calls_to_size", e->summary->calls_to_size);
    put_passes(line, j, e);
    set_passes(line, "reducers", e->summary->reducers, e->summary->reducer_count);
}

/* Put `statistics`: what the runs of a search drew, and their labels and measures. */
static void put_statistics(json_t *line, const json_sink *j, const event *e) {
    (void)j;
    if (e->summary->tally == NULL) {
        set_null(line, "statistics");
    } else {
        json_t *statistics = json_statistics(e->summary->tally);
        const char *word = vacuity_word(e->summary->vacuity);
        json_object_set_new(statistics, "warning", word != NULL ? json_string(word) : json_null());
        json_object_set_new(line, "statistics", statistics);
    }
}

/* ---- Lines ---- */

enum { GROUPS_MAX = 12 }; /* the last is NULL */

/* An event of a task that becomes a line, and its fields in order. */
typedef struct line_format {
    run_task task;
    event_kind kind;
    const char *name;
    group *groups[GROUPS_MAX]; /* ended by NULL */
} line_format;

static const line_format formats[] = {
    {TASK_SEARCH, EVENT_STARTED, "start", {put_sut, put_version, put_mode, put_search}},
    {TASK_SEARCH, EVENT_PROGRESS, "size", {put_size}},
    {TASK_SEARCH, EVENT_BEST, "best", {put_seed_input, put_failure, put_runs, put_mode}},
    {TASK_SEARCH, EVENT_OTHER, "other", {put_seed_input, put_failure, put_runs, put_mode}},
    {TASK_SEARCH,
     EVENT_FINISHED,
     "done",
     {put_outcome, put_reason, put_seed_input, put_failure, put_rate, put_each, put_ignored,
      put_guide, put_runs, put_mode, put_statistics}},
    {TASK_REDUCE, EVENT_STARTED, "start", {put_sut, put_version, put_mode, put_reduction}},
    {TASK_REDUCE, EVENT_BEST, "best", {put_bytes, put_failure, put_calls, put_mode}},
    {TASK_REDUCE, EVENT_OTHER, "other", {put_bytes, put_failure, put_calls, put_mode}},
    {TASK_REDUCE,
     EVENT_FINISHED,
     "done",
     {put_outcome, put_reason, put_bytes, put_failure, put_calls, put_mode, put_passes}},
    {TASK_REDUCE_FILE, EVENT_STARTED, "start", {put_predicate, put_version, put_reduction}},
    {TASK_REDUCE_FILE, EVENT_RESUMED, "resume", {put_resumed}},
    {TASK_REDUCE_FILE, EVENT_BEST, "best", {put_bytes, put_flaky, put_calls}},
    {TASK_REDUCE_FILE,
     EVENT_FINISHED,
     "done",
     {put_outcome, put_bytes, put_flaky, put_output_file, put_calls, put_reducers}},
};

static const line_format *format_of(const json_sink *j, const event *e) {
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (formats[i].task == j->setup->task && formats[i].kind == e->kind) return &formats[i];
    }
    return NULL;
}

/* Write, flush and free a line. The flush shows it to readers at once. */
static void write_line(json_sink *j, json_t *line) {
    char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(12));
    json_decref(line);
    char *whole = NULL;
    errno = 0;
    const bool ok =
        text != NULL && asprintf(&whole, "%s\n", text) > 0 && stream_write(j->out, whole);
    if (!ok && j->error == 0) j->error = errno != 0 ? errno : EIO;
    free(whole);
    free(text);
}

/* True if the size of a progress deserves a line; records it as written. */
static bool take_size(json_sink *j, const progress *p) {
    const bool is_news =
        !j->has_size || (p->best != NULL ? p->size != j->last_size : p->size > j->last_size);
    if (is_news) {
        j->has_size = true;
        j->last_size = p->size;
    }
    return is_news;
}

/* True if an event that has a format is to be written. */
static bool is_written(json_sink *j, const event *e) {
    if (e->kind == EVENT_PROGRESS) return take_size(j, &e->progress);
    return e->kind != EVENT_RESUMED || e->fails;
}

void json_sink_take(void *context, const event *e) {
    json_sink *j = context;
    if (e->kind == EVENT_STARTED) {
        j->setup = e->setup;
        j->mode = e->setup->mode;
    }
    if (e->kind == EVENT_ISOLATION && e->changes_mode) j->mode = "fork";
    assert(j->setup != NULL);
    const line_format *format = format_of(j, e);
    if (j->out == NULL || format == NULL || !is_written(j, e)) return;
    json_t *line = json_object();
    set_word(line, "event", format->name);
    for (size_t i = 0; i < GROUPS_MAX && format->groups[i] != NULL; i++) {
        format->groups[i](line, j, e);
    }
    write_line(j, line);
}

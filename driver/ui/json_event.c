#include "json_event.h"

#include "bytes.h"
#include "clock.h"
#include "difference.h"
#include "failure.h"
#include "json_explained.h"
#include "json_failure.h"
#include "json_statistics.h"
#include "record_text.h"
#include "seed_text.h"
#include "trace.h"

#include <string.h>

/* ---- Parts ---- */

const char *json_event_task(run_task t) {
    switch (t) {
    case TASK_SEARCH: return "search";
    case TASK_REDUCE: return "reduce";
    case TASK_REDUCE_FILE: break;
    }
    return "reduce-file";
}

json_t *json_event_begin(const char *event_name) {
    json_t *line = json_object();
    json_set_word(line, "event", event_name);
    json_set_integer(line, "schema", JSON_FIELDS_SCHEMA);
    return line;
}

void json_event_put_call(json_t *line, const run_setup *setup, const char *task) {
    static const char *const none[] = {NULL};
    const run_call *call = &setup->call;
    json_set_word(line, "tool", call->tool);
    json_set_word(line, "task", task);
    json_set_word(line, "version", setup->version);
    json_set_word(line, "when", call->when);
    json_set_text(line, "host", call->host);
    json_set_texts(line, "argv", call->argv != NULL ? call->argv : none);
    json_set_word(line, "digest", setup->digest);
}

static void set_command(json_t *line, const char *name, const run_target *s) {
    json_set_text(line, name, s->sut);
    json_set_texts(line, "args", s->args);
}

static void set_passes(json_t *line, const char *name, const pass_statistics *passes,
                       size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        const pass_statistics *p = &passes[i];
        json_t *item = json_object();
        json_set_text(item, "name", p->name);
        json_set_integer(item, "calls", p->calls);
        json_set_integer(item, "successes", p->successes);
        json_set_integer(item, "bytes", p->bytes);
        json_array_append_new(array, item);
    }
    json_object_set_new(line, name, array);
}

/* ---- Groups of fields ---- */

typedef void group(json_t *line, const json_context *c, const event *e);

static found_input found_by(const event *e) {
    if (e->kind == EVENT_FINISHED) return e->summary->best;
    return (found_input){.failure = e->failure, .bytes = e->bytes};
}

static const progress *progress_at(const event *e) {
    return e->kind == EVENT_FINISHED ? &e->summary->progress : &e->progress;
}

static void put_sut(json_t *line, const json_context *c, const event *e) {
    (void)e;
    set_command(line, "sut", c->setup->subject);
}

static void put_predicate(json_t *line, const json_context *c, const event *e) {
    (void)e;
    set_command(line, "predicate", c->setup->subject);
    json_set_text(line, "file", c->setup->file);
    json_set_text(line, "output", c->setup->output);
}

static void put_call(json_t *line, const json_context *c, const event *e) {
    (void)e;
    json_event_put_call(line, c->setup, json_event_task(c->setup->task));
    if (c->setup->containment != NULL) json_set_word(line, "containment", c->setup->containment);
}

static void put_limits(json_t *line, const json_context *c, const event *e) {
    const run_limits *l = &c->setup->limits;
    (void)e;
    json_set_seconds(line, "timeout", l->timeout_ns != 0 ? l->timeout_ns : CLOCK_NEVER);
    json_set_known(line, "memory", l->memory_max, 0);
    json_set_seconds(line, "time", l->budget_ns);
    if (c->setup->task == TASK_SEARCH) return;
    json_set_known(line, "calls_max", l->calls_max, UINT64_MAX);
}

static void put_mode(json_t *line, const json_context *c, const event *e) {
    (void)e;
    json_set_word(line, "mode", c->mode);
}

static void put_search(json_t *line, const json_context *c, const event *e) {
    (void)e;
    json_set_integer(line, "attempts", c->setup->attempts);
    json_set_integer(line, "size_max", c->setup->size_max);
    json_set_word(line, "expand", seed_text_expansion(c->setup->expand));
    json_set_integer(line, "jobs", c->setup->jobs);
    json_set_seed(line, "rng_seed", &(seed_input){.seed = c->setup->rng_seed});
}

static void put_reduction(json_t *line, const json_context *c, const event *e) {
    (void)e;
    json_set_integer(line, "size", c->setup->size);
    json_set_integer(line, "jobs", c->setup->jobs);
}

static void put_resumed(json_t *line, const json_context *c, const event *e) {
    json_set_text(line, "output", c->setup->output);
    json_set_integer(line, "size", e->size);
}

static void put_size(json_t *line, const json_context *c, const event *e) {
    (void)c;
    json_set_integer(line, "size", e->progress.size);
    json_set_integer(line, "runs", e->progress.runs);
    json_set_seconds(line, "seconds", e->progress.elapsed_ns);
}

static void put_tested(json_t *line, const json_context *c, const event *e) {
    const tested_runs *t = e->tested;
    (void)c;
    json_set_integer(line, "size", t->size);
    json_object_set_new(line, "fresh", json_boolean(t->is_fresh));
    json_set_integer(line, "runs", t->runs);
    json_set_integer(line, "failures", t->failures);
    json_set_integer(line, "others", t->others);
    json_set_integer(line, "unreliable", t->unreliable);
    json_set_known(line, "drawn", t->drawn, UINT64_MAX);
    json_set_seconds(line, "seconds", e->progress.elapsed_ns);
}

static const char *end_word(run_end end) {
    switch (end) {
    case END_DONE: return "complete";
    case END_SPENT: return "limit";
    case END_INTERRUPTED: return "interrupted";
    case END_PASSES: return "not-failing";
    case END_ENVIRONMENT:
    case END_BROKEN: break;
    }
    return "error";
}

static void put_outcome(json_t *line, const json_context *c, const event *e) {
    json_set_word(line, "outcome", summary_word(e->summary));
    json_set_word(line, "end", end_word(e->summary->end));
    if (c->setup->task == TASK_SEARCH) return;
    json_object_set_new(line, "complete", json_boolean(summary_is_complete(e->summary)));
}

/* Put the reason of an inconclusive outcome. */
static void put_reason(json_t *line, const json_context *c, const event *e) {
    static const char *const reasons[CAUSE_COUNT] = {
        [CAUSE_NONE] = "flaky",
        [CAUSE_TIMEOUT] = "timeout",
        [CAUSE_MEMORY] = "memory",
        [CAUSE_WORKER] = "worker",
    };
    const summary *s = e->summary;
    const bool is_search = c->setup->task == TASK_SEARCH;
    if (s->answer == ANSWER_UNMET) json_set_word(line, "reason", "require");
    if (s->answer != ANSWER_INCONCLUSIVE || strcmp(summary_word(s), "inconclusive") != 0) return;
    const failure_cause limit = is_search ? s->best.failure->cause : s->limit;
    const bool was_rerun = !is_search || s->best.failure->reruns > 0;
    const bool is_open = limit == CAUSE_NONE && !was_rerun;
    json_set_word(line, "reason", is_open ? "unconfirmed" : reasons[limit]);
}

static void put_seed_input(json_t *line, const json_context *c, const event *e) {
    const found_input found = found_by(e);
    (void)c;
    json_failure_put_input(line, &found, false);
}

static void put_bytes(json_t *line, const json_context *c, const event *e) {
    const found_input found = found_by(e);
    (void)c;
    json_failure_put_input(line, &found, true);
}

static void put_failure(json_t *line, const json_context *c, const event *e) {
    (void)c;
    json_failure_put(line, found_by(e).failure);
}

static void put_flaky(json_t *line, const json_context *c, const event *e) {
    (void)c;
    json_failure_put_flaky(line, found_by(e).failure);
}

static void put_rate(json_t *line, const json_context *c, const event *e) {
    (void)c;
    json_failure_put_rate(line, found_by(e).failure);
}

static void put_evidence(json_t *line, const json_context *c, const event *e) {
    (void)c;
    json_failure_put_evidence(line, found_by(e).failure);
}

static void put_replay(json_t *line, const json_context *c, const event *e) {
    const found_input found = found_by(e);
    json_failure_put_replay(line, c->setup, &found);
}

static void put_claim(json_t *line, const json_context *c, const event *e) {
    (void)c;
    json_failure_put_claim(line, &e->summary->claim, e->summary->best.failure != NULL);
}

static void put_also(json_t *line, const json_context *c, const event *e) {
    json_failure_put_also(line, e->summary, c->setup->task != TASK_SEARCH);
}

static void put_each(json_t *line, const json_context *c, const event *e) {
    (void)c;
    json_failure_put_each(line, e->summary);
    json_failure_put_ignored(line, e->summary);
}

/* Put what splices found, if there were any. */
static void put_guide(json_t *line, const json_context *c, const event *e) {
    const run_guide *g = &e->summary->guide;
    (void)c;
    if (g->fresh + g->spliced == 0) return;
    json_t *guide = json_object();
    json_set_integer(guide, "states", g->fresh + g->spliced);
    json_set_integer(guide, "spliced", g->spliced);
    json_object_set_new(line, "guide", guide);
}

static void put_runs(json_t *line, const json_context *c, const event *e) {
    const progress *p = progress_at(e);
    (void)c;
    json_set_integer(line, "runs", p->runs);
    json_set_integer(line, "reruns", p->reruns);
    json_set_seconds(line, "seconds", p->elapsed_ns);
}

static void put_calls(json_t *line, const json_context *c, const event *e) {
    const progress *p = progress_at(e);
    (void)c;
    json_set_integer(line, "calls", p->runs);
    json_set_integer(line, "successes", p->steps);
    json_set_seconds(line, "seconds", p->elapsed_ns);
}

/* Put what a step makes simpler. */
static void put_simplicity(json_t *line, const json_context *c, const event *e) {
    (void)c;
    json_set_text(line, "pass", e->progress.pass);
    json_set_integer(line, "draws", e->progress.draws);
    json_set_integer(line, "rank", e->progress.rank_bits);
}

static void put_change(json_t *line, const json_context *c, const event *e) {
    const byte_change *b = e->change;
    json_t *change = json_object();
    (void)c;
    json_set_integer(change, "offset", b->offset);
    json_set_integer(change, "removed", b->removed);
    json_set_integer(change, "inserted", b->inserted);
    json_set_hex(change, "before", b->before, b->removed, sizeof b->before);
    json_set_hex(change, "after", b->after, b->inserted, sizeof b->after);
    json_object_set_new(line, "change", change);
}

static void put_step_size(json_t *line, const json_context *c, const event *e) {
    (void)c;
    json_set_integer(line, "size", e->progress.size);
}

static void put_output_file(json_t *line, const json_context *c, const event *e) {
    json_set_text(line, "output", found_by(e).failure != NULL ? c->setup->output : NULL);
}

static void put_passes(json_t *line, const json_context *c, const event *e) {
    (void)c;
    set_passes(line, "passes", e->summary->passes, e->summary->pass_count);
}

static void put_explanation(json_t *line, const json_context *c, const event *e) {
    (void)c;
    json_object_set_new(line, "explanation", json_explained(e->summary->explanation));
}

static void put_reducers(json_t *line, const json_context *c, const event *e) {
    json_set_integer(line, "calls_to_size", e->summary->calls_to_size);
    put_passes(line, c, e);
    set_passes(line, "reducers", e->summary->reducers, e->summary->reducer_count);
}

/* Put `statistics`: what the runs of a search drew, and their labels and measures. */
static void put_statistics(json_t *line, const json_context *c, const event *e) {
    (void)c;
    if (e->summary->tally == NULL) {
        json_set_null(line, "statistics");
    } else {
        json_t *statistics = json_statistics(e->summary->tally);
        json_set_word(statistics, "warning", vacuity_word(e->summary->vacuity));
        json_object_set_new(line, "statistics", statistics);
    }
}

/* Put where a search or a reduction is. */
static void put_alive(json_t *line, const json_context *c, const event *e) {
    const progress *p = &e->progress;
    char when[SUMMARY_UTC_MAX];
    json_set_word(line, "when", c->utc(when));
    json_set_integer(line, "size", p->size);
    if (c->setup->task != TASK_SEARCH) {
        json_set_text(line, "pass", p->pass);
        return;
    }
    json_set_known(line, "best_size", p->best != NULL ? p->best->input.size : UINT64_MAX,
                   UINT64_MAX);
    json_failure_put_claim(line, &p->claim, p->best != NULL);
}

static const char *difference_word(difference_kind kind) {
    switch (kind) {
    case DIFFERENCE_NONE: break;
    case DIFFERENCE_DRAW: return "draw";
    case DIFFERENCE_STATE: return "state";
    case DIFFERENCE_END: return "end";
    case DIFFERENCE_LATER: return "later";
    }
    return "none";
}

/* Put untrusted text, or null for none. */
static void put_escaped(json_t *line, const char *name, const char *text) {
    char escaped[4 * (FRNG_SAY_MAX + 1) + 1];
    bytes_escape((const uint8_t *)text, strlen(text), false, escaped, sizeof escaped);
    json_set_text(line, name, text[0] != '\0' ? escaped : NULL);
}

static void put_difference(json_t *line, const json_context *c, const event *e) {
    const run_difference *d = e->difference;
    (void)c;
    json_set_integer(line, "size", d->input.size);
    json_set_seed(line, "seed", &d->input);
    json_set_word(line, "differs", difference_word(d->kind));
    json_set_integer(line, "draw", d->draw);
    json_set_known(line, "offset", d->draw > 0 ? d->offset : UINT64_MAX, UINT64_MAX);
    put_escaped(line, "note", d->note);
    put_escaped(line, "said", d->said);
}

void json_event_put_wrong_record(json_t *line, const wrong_record *w) {
    char kind[TRACE_VALUE_MAX], text[RECORD_TEXT_MAX];
    trace_format_kind(&w->record, kind);
    json_set_integer(line, "draw", w->draw);
    json_set_integer(line, "offset", w->record.start);
    put_escaped(line, "note", w->note);
    json_set_word(line, "kind", kind);
    json_set_word(line, "text", record_text(w, text));
}

static void put_wrong_record(json_t *line, const json_context *c, const event *e) {
    (void)c;
    json_event_put_wrong_record(line, e->wrong);
}

/* ---- Lines ---- */

enum { GROUPS_MAX = 16 }; /* the last is NULL */

/* An event of a task that becomes a line, and its fields in order. */
typedef struct line_format {
    run_task task;
    event_kind kind;
    const char *name;
    group *groups[GROUPS_MAX]; /* ended by NULL */
} line_format;

static const line_format formats[] = {
    {TASK_SEARCH, EVENT_STARTED, "start", {put_sut, put_call, put_mode, put_search, put_limits}},
    {TASK_SEARCH, EVENT_PROGRESS, "size", {put_size}},
    {TASK_SEARCH, EVENT_TESTED, "tested", {put_tested}},
    {TASK_SEARCH, EVENT_ALIVE, "alive", {put_alive, put_runs, put_mode}},
    {TASK_SEARCH,
     EVENT_BEST,
     "best",
     {put_seed_input, put_failure, put_evidence, put_replay, put_runs, put_mode}},
    {TASK_SEARCH,
     EVENT_OTHER,
     "other",
     {put_seed_input, put_failure, put_evidence, put_replay, put_runs, put_mode}},
    {TASK_SEARCH, EVENT_NONDETERMINISTIC, "nondeterministic", {put_difference}},
    {TASK_SEARCH,
     EVENT_FINISHED,
     "done",
     {put_outcome, put_reason, put_seed_input, put_failure, put_rate, put_replay, put_claim,
      put_also, put_each, put_guide, put_runs, put_mode, put_statistics}},
    {TASK_REDUCE, EVENT_STARTED, "start", {put_sut, put_call, put_mode, put_reduction, put_limits}},
    {TASK_REDUCE, EVENT_ALIVE, "alive", {put_alive, put_calls, put_mode}},
    {TASK_REDUCE, EVENT_STEP, "step", {put_step_size, put_simplicity, put_change, put_calls}},
    {TASK_REDUCE,
     EVENT_BEST,
     "best",
     {put_bytes, put_failure, put_evidence, put_replay, put_simplicity, put_calls, put_mode}},
    {TASK_REDUCE,
     EVENT_OTHER,
     "other",
     {put_bytes, put_failure, put_evidence, put_replay, put_calls, put_mode}},
    {TASK_REDUCE, EVENT_WRONG_RECORD, "wrong_record", {put_wrong_record}},
    {TASK_REDUCE,
     EVENT_FINISHED,
     "done",
     {put_outcome, put_reason, put_bytes, put_failure, put_rate, put_replay, put_also, put_calls,
      put_mode, put_passes, put_explanation}},
    {TASK_REDUCE_FILE,
     EVENT_STARTED,
     "start",
     {put_predicate, put_call, put_reduction, put_limits}},
    {TASK_REDUCE_FILE, EVENT_RESUMED, "resume", {put_resumed}},
    {TASK_REDUCE_FILE, EVENT_ALIVE, "alive", {put_alive, put_calls}},
    {TASK_REDUCE_FILE, EVENT_STEP, "step", {put_step_size, put_simplicity, put_change, put_calls}},
    {TASK_REDUCE_FILE,
     EVENT_BEST,
     "best",
     {put_bytes, put_flaky, put_evidence, put_simplicity, put_calls}},
    {TASK_REDUCE_FILE,
     EVENT_FINISHED,
     "done",
     {put_outcome, put_bytes, put_flaky, put_rate, put_replay, put_output_file, put_calls,
      put_reducers}},
};

static const line_format *format_of(run_task task, event_kind kind) {
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (formats[i].task == task && formats[i].kind == kind) return &formats[i];
    }
    return NULL;
}

json_t *json_event_of(const json_context *c, const event *e) {
    const line_format *format = format_of(c->setup->task, e->kind);
    if (format == NULL) return NULL;
    json_t *line = json_event_begin(format->name);
    for (size_t i = 0; i < GROUPS_MAX && format->groups[i] != NULL; i++) {
        format->groups[i](line, c, e);
    }
    return line;
}

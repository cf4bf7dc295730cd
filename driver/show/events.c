/* Each line of --json, and each object within one, is what the rows of events.def say.
 *
 * `fields` runs through all of them and sets the fields that the line has, in their order. What
 * stands first here are the makers of the types, and the functions by which rows tell their
 * values. NULL is null; a field of MAYBE that is null is left out. A row is evaluated only for a
 * line that has it, so a line needs no more of an events_scope than its rows name.
 *
 * A new field is one row there. A new line is a row EVENT and the rows of its fields; for one
 * that is no event of a search or a reduction, see events_put. The page and the schema follow.
 *
 * A search makes millions of runs, and no more lines than people can keep. So runs are counted by
 * size: the counts of a size are written when the search leaves it, and each time they have doubled
 * while it stays there; they add up to all runs. Of the steps of a reduction,
 * later ones are written only if they save much. */
#include "events.h"

#include "bytes.h"
#include "clock.h"
#include "confidence.h"
#include "explained.h"
#include "files.h"
#include "frng_more.h"
#include "output_site.h"
#include "phrase.h"
#include "signature_filter.h"
#include "text.h"
#include "trace.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DECIMALS = 4 }; /* of bounds and shares, rounded outward */

/* Return a new object: the line or the object of events.def whose bit is `kind`. */
static json_t *fields(uint64_t kind, const events_scope *v);

/* ---- Values ---- */

void json_set(json_t *object, const char *name, json_t *value) {
    json_object_set_new(object, name, value != NULL ? value : json_null());
}

json_t *json_of_integer(uint64_t value) {
    return json_integer((json_int_t)smaller(value, INT64_MAX));
}

json_t *json_of_known(uint64_t value) {
    return value != UINT64_MAX ? json_of_integer(value) : NULL;
}

json_t *json_of_text(const char *value) {
    return value != NULL ? json_string(phrase_escaped_lines(value)) : NULL;
}

json_t *json_of_texts(const char *const *values) {
    json_t *array = json_array();
    for (size_t i = 0; values != NULL && values[i] != NULL; i++)
        json_array_append_new(array, json_of_text(values[i]));
    return array;
}

json_t *json_of_seed(const seed_input *t) {
    return t != NULL && t->style != SEED_GIVEN ? json_string(seed_text_format(SEED_TEXT, t)) : NULL;
}

int json_put_line(int fd, bool *is_torn, json_t *object) {
    char *text = memory_need(json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(12)));
    char *line = memory_text("%s%s\n", *is_torn ? "\n" : "", text);
    const off_t start = lseek(fd, 0, SEEK_CUR); /* a descriptor that appends moves as it writes */
    const int error = stream_send(fd, line, strlen(line));
    if (lseek(fd, 0, SEEK_CUR) != start) *is_torn = error != 0;
    json_decref(object);
    free(text);
    free(line);
    return error;
}

/* Return a share; NULL for a negative one. */
static json_t *json_of_bound(double value) { return value >= 0 ? json_real(value) : NULL; }

/* Return untrusted text as one line; NULL for NULL. */
static json_t *json_of_line(const char *text) {
    return text != NULL ? json_string(phrase_escaped(text)) : NULL;
}

static json_t *hex_of(const uint8_t *bytes, uint64_t size, size_t shown) {
    static char text[2 * EVENTS_HEX_MAX + 1]; /* stacks may be small */
    bytes_to_hex(bytes, smaller(size, shown), text);
    return json_string(text);
}

static json_t *input_hex(const uint8_t *bytes, uint64_t size) {
    return size <= EVENTS_HEX_MAX ? hex_of(bytes, size, EVENTS_HEX_MAX) : NULL;
}

/* Return a time in seconds; NULL for CLOCK_NEVER. */
static json_t *json_of_seconds(int64_t time_ns) {
    return time_ns != CLOCK_NEVER ? json_real((double)time_ns / 1e9) : NULL;
}

/* Return both ends of an output; NULL for NULL and an empty one. */
static json_t *json_of_output(const bytes_tail *output) {
    static char text[BYTES_TAIL_TEXT_MAX]; /* stacks may be small */
    if (output == NULL || output->size == 0) return NULL;
    bytes_tail_text(output, text);
    return json_string(text);
}

/* Return false if each rerun of the failure and of failures like it failed; NULL without reruns. */
static json_t *json_of_flaky(const failure *f) {
    if (f == NULL || failure_evidence(f).reruns == 0) return NULL;
    return failure_is_of_flaky(f) ? json_sprintf("%u/%u", f->repeated, f->reruns) : json_false();
}

/* ---- What a run, a failure and an end say ---- */

static const char *some(const char *text) { return text[0] != '\0' ? text : NULL; }

static const char *const end_words[] = {
    [END_DONE] = "complete",       [END_SPENT] = "limit",        [END_INTERRUPTED] = "interrupted",
    [END_REBUILT] = "interrupted", [END_PASSES] = "not-failing", [END_ENVIRONMENT] = "error",
    [END_BROKEN] = "error"};

static const char *end_word(const summary *s) {
    return s->attempts_alike > 0 && s->stop.end == END_DONE ? "effort" : end_words[s->stop.end];
}

/* Return the reason of an inconclusive outcome, or of an error if it is the program. */
static const char *reason_word(const summary *s) {
    static const char *const reasons[CAUSE_COUNT] = {
        [CAUSE_NONE] = "flaky", [CAUSE_TIMEOUT] = "timeout", [CAUSE_MEMORY] = "memory",
        [CAUSE_OOM] = "memory", [CAUSE_WORKER] = "worker",   [CAUSE_BUDGET] = "unfinished",
    };
    const bool is_search = s->setup->task == TASK_SEARCH;
    const char *unmet = s->answer == ANSWER_UNMET       ? "require"
                        : s->answer == ANSWER_DISCARDED ? "discarded"
                                                        : NULL;
    if (s->stop.end == END_ENVIRONMENT && outcome_is_unstarted(&s->stop.error)) return "unstarted";
    if (strcmp(summary_word(s), "inconclusive") != 0) return unmet;
    if (s->stop.end == END_REBUILT && s->answer == ANSWER_NONE) return "rebuilt";
    if (s->answer == ANSWER_NONE && is_search)
        return s->end_failed                                   ? "unconfirmed"
               : s->tally != NULL && tally_is_unread(s->tally) ? "unread"
                                                               : "untested";
    if (s->answer != ANSWER_INCONCLUSIVE) return unmet;
    if (s->doubt != DOUBT_NONE) return s->doubt == DOUBT_UNREAD ? "unread" : "other-draws";
    const failure_cause limit = is_search ? s->best.failure->cause : s->limit;
    const bool was_rerun = !is_search || s->best.failure->reruns > 0;
    if (limit != CAUSE_NONE || was_rerun) return reasons[limit];
    return s->stop.end == END_REBUILT ? "rebuilt" : "unconfirmed";
}

/* Return the shell command that replays a failure. NULL: there is none. */
static const char *replay_command(const run_setup *setup, const found_input *found) {
    if (found->failure == NULL) return NULL;
    return setup->task == TASK_REDUCE_FILE ? phrase_check(setup, false)
                                           : phrase_replay_found(setup->subject, found);
}

/* Return the bound, rounded up to three significant digits or to DECIMALS: a long search bounds a
 * share of some millionths. */
static double bound_of(double bound) {
    enum { BOUND_DECIMALS_MAX = 15 };
    int decimals = DECIMALS;
    if (bound <= 0) return 0;
    for (double unit = 0.01; bound < unit && decimals < BOUND_DECIMALS_MAX; unit /= 10) decimals++;
    return rate_round_up(bound, decimals);
}

/* Return the bound of a size; negative: unknown. */
static double level_bound(const claim_level *l) {
    return l->bound <= CLAIM_BOUND_MAX ? bound_of(l->bound) : -1;
}

/* Return the bound of a claim; negative: unknown. */
static double claimed_bound(const events_scope *v) {
    const bool is_claim = v->has_failed ? v->claim->passed > 0 : v->claim->rounds > 0;
    return is_claim && run_claim_is_bounded(v->claim) ? bound_of(v->claim->bound) : -1;
}

/* ---- Lists: NONE is null, or what the values of each object speak of ---- */

#define NONE SIZE_MAX

static size_t ignored_count(const summary *s) {
    const signature_filter *filter = s->setup->filter;
    const ignored_counts *all = s->ignored_by_signature;
    return filter != NULL && filter->ignored.count > 0 && all != NULL ? all->count : NONE;
}

static json_t *values_of(const histogram *h) {
    return h->count > 0 ? fields(O_VALUES, &(events_scope){.values = h}) : NULL;
}

/* Return the label or the measure that is the most frequent but `i`. */
static const tally_row *row_at(const tally *t, tally_kind kind, size_t i) {
    size_t order[FRNG_LABELS_MAX];
    tally_sort(t, kind, order);
    return &t->rows[order[i]];
}

/* ---- Draws ---- */

/* A draw, or a line that the test says, and what stands before it. */
struct replay_draw {
    const frng_trace_record *record; /* the first */
    uint64_t number;                 /* of the draw; of a line: of draws before it */
    trace_row row;
    said_line line;                /* if it is one */
    const uint8_t *bytes;          /* that it took; NULL: the input has not all of them */
    const frng_trace_record *note; /* the last note, which names the draw; NULL: none */
    const frng_trace_record *step; /* the last step, if it begins with the draw; NULL: none */
    uint64_t step_number;
    json_t *notes; /* notes and steps without a draw; NULL: none */
};

/* Return a bound of a draw of an integer as text, since many readers keep 53 bits. */
static const char *bound_text(const frng_trace_record *r, bool is_most) {
    const uint64_t bound = is_most ? r->u.draw.max : r->u.draw.min;
    const bool is_signed = r->kind == FRNG_INT || r->kind == FRNG_MIXED_INT;
    const bool is_unsigned = r->kind == FRNG_UINT || r->kind == FRNG_MIXED_UINT ||
                             r->kind == FRNG_INDEX || r->kind == FRNG_WEIGHTED;
    if (is_signed) return phrase_format("%" PRId64, (int64_t)bound);
    return is_unsigned ? phrase_format("%" PRIu64, bound) : NULL;
}

static bool has_range(const explained_draw *d) { return d->statement.kind == STATEMENT_RANGE; }

static json_t *value_texts(const explained_draw *d) {
    const statement *s = &d->statement;
    if (s->kind != STATEMENT_SET && s->kind != STATEMENT_EXCEPT) return NULL;
    json_t *values = json_array();
    for (size_t i = 0; i < s->value_count; i++)
        json_array_append_new(values, json_string(explained_value(d, s->values[i])));
    return values;
}

/* Add the text of a note or a step to an array; NULL: there is none yet. */
static void add_note(json_t **notes, const frng_trace_record *r, bool keeps_lines) {
    const char *text = trace_title(r);
    if (*notes == NULL) *notes = json_array();
    json_array_append_new(*notes, keeps_lines ? json_of_text(text) : json_of_line(text));
}

/* Return the notes from `start` on up to the note `own`, which is not one of them; NULL: none. */
static json_t *notes_from(const explanation *e, uint64_t start, const frng_trace_record *own) {
    json_t *notes = NULL;
    for (size_t i = 0; i < e->record_count && &e->records[i] != own; i++) {
        const frng_trace_record *r = &e->records[i];
        const bool is_note = r->kind == FRNG_TRACE_NOTE && r->u.text[0] != '\0';
        if (is_note && r->start >= start) add_note(&notes, r, true);
    }
    return notes;
}

static json_t *notes_before(const explanation *e, size_t draw) {
    const frng_trace_record *own = explained_title(e, draw, FRNG_TRACE_NOTE);
    return own != NULL ? notes_from(e, e->draws[draw].record.start, own) : NULL;
}

enum { REST_MAX = 1000 }; /* most draws without a statement */

static json_t *last_notes(const explanation *e) {
    if (e->count == 0 || e->count > e->explained + REST_MAX) return NULL;
    const frng_trace_record *last = &e->draws[e->count - 1].record;
    return notes_from(e, last->start + last->taken, NULL);
}

static size_t rest_count(const explanation *e) {
    const size_t rest = e->count > e->explained ? e->count - e->explained : 0;
    return rest == 0 ? NONE : rest < REST_MAX ? rest : REST_MAX;
}

static const char *const statement_words[] = {
    [STATEMENT_FIXED] = "fixed", [STATEMENT_ANY] = "any",    [STATEMENT_ONLY] = "only",
    [STATEMENT_RANGE] = "range", [STATEMENT_SET] = "set",    [STATEMENT_EXCEPT] = "except",
    [STATEMENT_SOME] = "some",   [STATEMENT_EQUAL] = "equal"};

static const char *const fate_words[] = {
    [FRNG_FATE_SENT] = "sent", [FRNG_FATE_CAME] = "came", [FRNG_FATE_LOST] = "lost"};

static const char *const cut_words[] = {
    [CUT_CALLS] = "calls", [CUT_TIME] = "time", [CUT_STOPPED] = "stopped"};

/* ---- Lines ---- */

#define TYPE(name, c_type, maker, ...)                                                             \
    static json_t *make_##name(c_type value) { return maker(value); }
#include "events.def"

/* Set a field, but not one of MAYBE that is null. */
static void set(json_t *line, uint64_t lines, const char *name, json_t *value) {
    if (value != NULL || (lines & MAYBE) == 0) json_set(line, name, value);
}

static json_t *fields(uint64_t kind, const events_scope *v) {
    const run_setup *s = v->setup;
    const event *e = v->event;
    const summary *m = e != NULL ? e->summary : NULL;
    const progress *p = v->progress;
    const tested_runs *t = e != NULL ? e->tested : NULL;
    const failure *f = v->found.failure;
    const run_claim *c = v->has_failed && v->claim->passed > 0 ? v->claim : NULL;
    const rerun_count seen = e != NULL && f != NULL ? failure_evidence(f) : v->seen;
    const explanation *x = m != NULL ? m->explanation : NULL;
    const explained_draw *d = x != NULL && x->draws != NULL ? &x->draws[v->draw] : NULL;
    const replay_draw *w = v->shown;
    json_t *line = json_object();
#define EVENT(id, tasks, of, name, text)                                                           \
    if (kind == (id)) {                                                                            \
        json_set(line, "event", json_string(name));                                                \
        json_set(line, "schema", json_integer(EVENTS_SCHEMA));                                     \
    }
#define FIELD(lines, name, type, value, text)                                                      \
    if ((kind & (lines)) != 0) set(line, lines, name, make_##type(value));
#define PART(lines, name, object, value, text)                                                     \
    if ((kind & (lines)) != 0) set(line, lines, name, value);
#define LIST(lines, name, object, count, scope, text)                                              \
    if ((kind & (lines)) != 0) {                                                                   \
        json_t *list = (count) != NONE ? json_array() : NULL;                                      \
        for (size_t i = 0; list != NULL && i < (count); i++) {                                     \
            events_scope one = *v;                                                                 \
            scope;                                                                                 \
            json_array_append_new(list, fields(object, &one));                                     \
        }                                                                                          \
        set(line, lines, name, list);                                                              \
    }
#include "events.def"
    return line;
}

/* Return the line of an event; 0: none. */
static uint64_t line_of(run_task task, event_kind kind) {
#define EVENT(id, tasks, of, name, text)                                                           \
    if (((tasks) >> task & 1) != 0 && kind == (of)) return id;
#include "events.def"
    return 0;
}

static void leave_out(json_t *value, const char *name) {
    const char *key;
    json_t *member;
    json_object_del(value, name);
    json_object_foreach(value, key, member) leave_out(member, name);
    for (size_t i = 0; i < json_array_size(value); i++) leave_out(json_array_get(value, i), name);
}

void events_put(events *s, uint64_t line, events_scope v) {
    if (s->out == 0) return;
    v.setup = s->setup;
    v.every_ns = s->every_ns > 0 ? s->every_ns : EVENTS_ALIVE_MS * CLOCK_NS_PER_MS;
    json_t *object = fields(line, &v);
    if (s->is_brief) leave_out(object, "output");
    const int error = json_put_line(s->out, &s->is_torn, object);
    if (error != 0 && s->error == 0) s->error = error;
}

static void write_event(events *s, const event *e) {
    const summary *end = e->summary;
    const progress *p = end != NULL ? &end->progress : &e->progress;
    const uint64_t line = line_of(s->setup->task, e->kind);
    char when[SUMMARY_UTC_MAX];
    if (line == 0) return;
    events_put(
        s, line,
        (events_scope){.event = e,
                       .progress = p,
                       .mode = s->mode,
                       .when = e->kind == EVENT_ALIVE ? s->utc(when) : NULL,
                       .found = end != NULL
                                    ? end->best
                                    : (found_input){e->failure, e->bytes, e->name, e->name != NULL},
                       .claim = end != NULL ? &end->claim : &p->claim,
                       .has_failed = end != NULL ? end->best.failure != NULL : p->best != NULL,
                       .wrong = e->wrong});
}

/* ---- Runs by size ---- */

static void put_counts(events *s, const progress *at) {
    const tested_runs due = s->tested;
    if (due.runs == 0) return;
    s->told += due.runs;
    s->tested = (tested_runs){.size = due.size, .is_fresh = due.is_fresh};
    write_event(s, &(event){.kind = EVENT_TESTED, .tested = &due, .progress = *at});
}

/* Count runs, and write the counts that are due: of a size that the search leaves, or of one that
 * it stays at, when they have doubled. */
static void count_runs(events *s, const tested_runs *more, const progress *at) {
    enum { RUNS_MIN = 64 };
    tested_runs *to = &s->tested;
    if (to->size != more->size || to->is_fresh != more->is_fresh) {
        put_counts(s, at);
        *to = (tested_runs){.size = more->size, .is_fresh = more->is_fresh};
        s->told = 0;
    }
    const bool is_known = to->drawn != UINT64_MAX && more->drawn != UINT64_MAX;
    to->runs += more->runs;
    to->failures += more->failures;
    to->others += more->others;
    to->unreliable += more->unreliable;
    to->discarded += more->discarded;
    to->drawn = is_known ? to->drawn + more->drawn : UINT64_MAX;
    if (to->runs >= larger(RUNS_MIN, s->told)) put_counts(s, at);
}

/* ---- What is seldom enough ---- */

static bool take_size(events *s, const progress *p) {
    const bool is_news =
        !s->has_size || (p->best != NULL ? p->size != s->last_size : p->size > s->last_size);
    if (is_news) s->last_size = p->size;
    s->has_size = true;
    return is_news;
}

static bool take_step(events *s, const progress *p) {
    const bool is_much = p->size < s->last_size - s->last_size / EVENTS_STEP_SHARE;
    if (s->steps >= EVENTS_STEPS && !is_much) return false;
    s->steps++;
    s->last_size = p->size;
    return true;
}

static void show_life(events *s, const event *e) {
    const int64_t now_ns = e->progress.elapsed_ns;
    if (now_ns < clock_after(s->alive_ns, EVENTS_ALIVE_MS * CLOCK_NS_PER_MS)) return;
    s->alive_ns = now_ns;
    write_event(s, &(event){.kind = EVENT_ALIVE, .progress = e->progress});
}

static void begin_task(events *s, const run_setup *setup) {
    *s = (events){.out = s->out,
                  .utc = s->utc,
                  .is_brief = s->is_brief,
                  .every_ns = s->every_ns,
                  .is_torn = s->is_torn,
                  .error = s->error};
    s->setup = setup;
    s->mode = setup->mode;
}

void events_take(void *context, const event *e) {
    events *s = context;
    if (e->kind == EVENT_STARTED) begin_task(s, e->setup);
    if (e->kind == EVENT_ISOLATION && e->mode != NULL) s->mode = e->mode;
    assert(s->setup != NULL);
    if (s->out == 0) return;
    if (e->kind == EVENT_TESTED) {
        count_runs(s, e->tested, &e->progress); /* written when there are enough */
        return;
    }
    if (e->kind == EVENT_FINISHED) put_counts(s, &e->summary->progress);
    const bool is_written = e->kind == EVENT_PROGRESS ? take_size(s, &e->progress)
                            : e->kind == EVENT_STEP   ? take_step(s, &e->progress)
                                                      : true;
    if (is_written) write_event(s, e);
    if (e->kind == EVENT_PROGRESS) show_life(s, e);
}

/* ---- The draws of a replay ---- */

/* Move a note or a step that names no draw to the others. */
static void leave(replay_draw *next, const frng_trace_record **heading) {
    if (*heading != NULL) add_note(&next->notes, *heading, false);
    *heading = NULL;
}

static void take_heading(replay_draw *next, const frng_trace_record *r) {
    const bool is_step = r->kind == FRNG_TRACE_STEP;
    leave(next, &next->note);
    if (is_step) leave(next, &next->step);
    *(is_step ? &next->step : &next->note) = r;
    next->step_number += is_step;
}

static void put_draw(events *s, const trace *t, replay_draw *d) {
    const uint64_t start = d->row.start, end = start + d->row.size;
    const bool is_inside = start <= end && end <= t->size;
    d->number++;
    d->bytes = is_inside ? (const uint8_t *)"" : NULL;
    if (is_inside && t->size > 0) d->bytes = t->entropy + start;
    events_put(s, P_DRAW, (events_scope){.shown = d});
    json_decref(d->notes);
    d->note = d->step = NULL;
    d->notes = NULL;
}

void events_put_trace(events *s, const trace *t) {
    replay_draw next = {.number = 0}; /* what stands before the next draw; counts draws so far */
    uint64_t spoken = 0;
    for (uint64_t at = 0;
         s->out != 0 && at < t->count && next.number < EVENTS_DRAWS && spoken < EVENTS_DRAWS;) {
        const frng_trace_record *r = next.record = &t->records[at];
        next.row = trace_row_at(t, at);
        at += next.row.count;
        if (r->kind == FRNG_TRACE_NOTE || r->kind == FRNG_TRACE_STEP) {
            take_heading(&next, r);
        } else if (r->kind == FRNG_TRACE_SAY) { /* a step begins with it and with the next draw */
            spoken++;
            trace_read_line(r, t->count - (uint64_t)(r - t->records), &next.line);
            events_put(s, P_SAY, (events_scope){.shown = &next});
        } else {
            put_draw(s, t, &next);
        }
    }
    json_decref(next.notes);
}

#include "events.h"

#include "failure_fields.h"
#include "json_field.h"
#include "line_reader.h"
#include "story_fields.h"
#include "subject.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static night_work *work_of(const events *e) {
    return e->is_open ? &e->program->works[e->work] : NULL;
}

/* ---- start ---- */

/* Return the elements of an array as words for a shell. The caller frees them. */
static char *words_of(const json_t *object, const char *name) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    for (size_t i = 0; i < json_field_items(object, name); i++) {
        const char *word = json_string_value(json_field_item(object, name, i));
        if (word == NULL) continue;
        if (i > 0) putc(' ', out);
        subject_put_word(out, word);
    }
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

static night_task task_of(const json_t *line) {
    static const char *const names[] = {
        [NIGHT_SEARCH] = "search",
        [NIGHT_REDUCE] = "reduce",
        [NIGHT_REDUCE_FILE] = "reduce-file",
        [NIGHT_REPLAY] = "replay",
    };
    const char *task = json_field_text(line, "task");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(task, names[i]) == 0) return (night_task)i;
    }
    if (json_field_has(line, "predicate")) return NIGHT_REDUCE_FILE;
    if (json_field_has(line, "rng_seed") || json_field_has(line, "attempts")) return NIGHT_SEARCH;
    if (json_field_has(line, "calls")) return NIGHT_REDUCE;
    return json_field_has(line, "size") && json_field_has(line, "jobs") ? NIGHT_REDUCE
                                                                        : NIGHT_SEARCH;
}

static night_count count_of(const json_t *line, const char *name) {
    night_count c = {false, 0};
    c.is_known = json_field_count(line, name, &c.value);
    return c;
}

/* Begin a work of the program that the event names. */
static void begin_work(events *e, const json_t *line) {
    const night_task task = task_of(line);
    const char *name = task == NIGHT_REDUCE_FILE ? "predicate" : "sut";
    char *args = words_of(line, "args");
    if (args == NULL) e->night->failed = true;
    e->is_open = false;
    if (args != NULL) e->program = night_find_program(e->night, json_field_text(line, name), args);
    free(args);
    if (e->night->failed || e->program == NULL) return;
    e->is_open = night_add_work(e->night, e->program, task) != NULL;
    e->work = e->program->work_count - 1;
}

static void take_start(events *e, const json_t *line) {
    night *n = e->night;
    begin_work(e, line);
    night_work *w = work_of(e);
    if (w == NULL) return;
    const night_task task = w->task;
    w->source = night_text(n, e->source);
    w->version = night_text(n, json_field_text(line, "version"));
    w->mode = night_text(n, json_field_text(line, "mode"));
    w->host = night_text(n, json_field_text(line, "host"));
    w->digest = night_text(n, json_field_text(line, "digest"));
    w->when = night_text(n, json_field_text(line, "when"));
    w->rng_seed = night_text(n, json_field_text(line, "rng_seed"));
    w->file = night_text(n, json_field_text(line, "file"));
    w->command = words_of(line, "argv");
    if (w->command == NULL) n->failed = true;
    w->jobs = count_of(line, "jobs");
    w->size = count_of(line, "size");
    if (w->size.is_known && task != NIGHT_SEARCH)
        series_add(&w->points, (series_point){0, (double)w->size.value, 0});
    if (w->points.failed) n->failed = true;
}

/* ---- What happens in between ---- */

/* Take how far the work is. */
static void take_effort(night_work *w, const json_t *line) {
    const char *runs = json_field_has(line, "calls") ? "calls" : "runs";
    const night_count count = count_of(line, runs), reruns = count_of(line, "reruns");
    if (count.is_known && (!w->runs.is_known || count.value >= w->runs.value)) w->runs = count;
    if (reruns.is_known) w->reruns = reruns;
    json_field_number(line, "seconds", &w->seconds);
}

/* Return 1 + the index of a pass, which is added if it is new; 0 if there is no name or no room. */
static uint32_t find_pass(night *n, night_work *w, const char *name) {
    if (name[0] == '\0') return 0;
    for (size_t i = 0; i < w->pass_count; i++) {
        if (strcmp(w->passes[i].name, name) == 0) return (uint32_t)i + 1;
    }
    if (w->passes == NULL) w->passes = calloc(NIGHT_PASSES_MAX, sizeof *w->passes);
    if (w->passes == NULL) n->failed = true;
    if (n->failed || w->pass_count == NIGHT_PASSES_MAX) return 0;
    w->passes[w->pass_count].name = night_text(n, name);
    return n->failed ? 0 : (uint32_t)++w->pass_count;
}

static void add_point(night *n, night_work *w, const json_t *line) {
    const char *runs = json_field_has(line, "calls") ? "calls" : "runs";
    uint64_t size, at;
    if (!json_field_count(line, "size", &size) || !json_field_count(line, runs, &at)) return;
    const uint32_t pass = find_pass(n, w, json_field_text(line, "pass"));
    series_add(&w->points, (series_point){(double)at, (double)size, pass});
    if (w->points.failed) n->failed = true;
}

static void take_best(events *e, const json_t *line) {
    night_work *w = work_of(e);
    night_failure f;
    add_point(e->night, w, line);
    take_effort(w, line);
    failure_fields_read(e->night, line, &f);
    if (!f.is_known) return;
    if (!w->first.is_known) night_failure_set(e->night, &w->first, &f);
    night_failure_set(e->night, &w->best, &f);
    night_add_failure(e->night, e->program, &f);
    night_failure_finish(&f);
}

static void take_other(events *e, const json_t *line) {
    night_failure f;
    take_effort(work_of(e), line);
    failure_fields_read(e->night, line, &f);
    night_add_failure(e->night, e->program, &f);
    night_failure_finish(&f);
}

static void take_step(events *e, const json_t *line) {
    add_point(e->night, work_of(e), line);
    take_effort(work_of(e), line);
}

/* Take fresh runs of one size, which come on top of those of other events of this size. */
static void take_tested(events *e, const json_t *line) {
    uint64_t size, runs, failures, others = 0;
    if (json_is_false(json_object_get(line, "fresh"))) return; /* seeds that results chose */
    if (!json_field_count(line, "size", &size) || !json_field_count(line, "runs", &runs) ||
        !json_field_count(line, "failures", &failures))
        return;
    json_field_count(line, "others", &others);
    if (failures > runs || others > runs - failures) return;
    size_table_add(&e->program->sizes, size, runs, failures + others);
    if (e->program->sizes.failed) e->night->failed = true;
}

static void take_progress(events *e, const json_t *line) { take_effort(work_of(e), line); }

static void take_draw(events *e, const json_t *line) {
    if (!story_fields_add(line, &work_of(e)->story)) e->night->failed = true;
}

static void take_say(events *e, const json_t *line) {
    if (!story_fields_add_say(line, &work_of(e)->story)) e->night->failed = true;
}

/* ---- done ---- */

static void take_passes(events *e, const json_t *line, const char *name) {
    night_work *w = work_of(e);
    for (size_t i = 0; i < json_field_items(line, name); i++) {
        const json_t *item = json_field_item(line, name, i);
        const uint32_t at = find_pass(e->night, w, json_field_text(item, "name"));
        if (at == 0) continue;
        night_pass *pass = &w->passes[at - 1];
        json_field_count(item, "calls", &pass->calls);
        json_field_count(item, "successes", &pass->successes);
        json_field_count(item, "bytes", &pass->bytes);
    }
}

/* Take failures of other signatures, or of all. */
static void take_failures(events *e, const json_t *line, const char *name) {
    for (size_t i = 0; i < json_field_items(line, name); i++) {
        night_failure f;
        failure_fields_read(e->night, json_field_item(line, name, i), &f);
        night_add_failure(e->night, e->program, &f);
        night_add_each(e->night, work_of(e), &f);
        night_failure_finish(&f);
    }
}

static void take_done(events *e, const json_t *line) {
    night_work *w = work_of(e);
    night_failure f;
    take_effort(w, line);
    free(w->outcome);
    free(w->end);
    free(w->reason);
    w->outcome = night_text(e->night, json_field_text(line, "outcome"));
    w->end = night_text(e->night, json_field_text(line, "end"));
    w->reason = night_text(e->night, json_field_text(line, "reason"));
    w->is_complete = json_is_true(json_object_get(line, "complete"));
    failure_fields_read(e->night, line, &f);
    if (f.is_known) {
        night_failure_set(e->night, &w->best, &f);
        if (w->task != NIGHT_REPLAY) night_add_failure(e->night, e->program, &f);
    }
    night_failure_finish(&f);
    take_failures(e, line, "failures");
    take_failures(e, line, "also");
    take_passes(e, line, "passes");
    take_passes(e, line, "reducers");
}

/* Take the failure, if any, of a work for which there is no room. */
static void take_left_out(events *e, const json_t *line) {
    night_failure f;
    if (e->program == NULL) return;
    failure_fields_read(e->night, line, &f);
    night_add_failure(e->night, e->program, &f);
    night_failure_finish(&f);
}

/* ---- Lines ---- */

static void take_event(events *e, const json_t *line) {
    static const struct {
        const char *name;
        void (*take)(events *e, const json_t *line);
    } known[] = {{"start", take_start},    {"size", take_progress},
                 {"tested", take_tested},  {"best", take_best},
                 {"other", take_other},    {"step", take_step},
                 {"alive", take_progress}, {"draw", take_draw},
                 {"say", take_say},        {"nondeterministic", take_progress},
                 {"run", take_progress},   {"resume", take_progress},
                 {"done", take_done}};
    const char *name = json_field_text(line, "event");
    size_t i = 0;
    while (i < sizeof known / sizeof known[0] && strcmp(name, known[i].name) != 0) i++;
    if (i == sizeof known / sizeof known[0]) {
        e->night->unknown++;
        return;
    }
    if (e->program == NULL && known[i].take != take_start) begin_work(e, line);
    if (!e->is_open && known[i].take != take_start) {
        take_left_out(e, line);
        return;
    }
    known[i].take(e, line);
    if (e->is_open && !story_fields_read(line, &work_of(e)->story)) e->night->failed = true;
}

void events_begin(events *e, night *n, const char *source) {
    *e = (events){.night = n, .source = source};
}

void events_take(events *e, const char *text, size_t size) {
    json_t *line = json_loadb(text, size, 0, NULL);
    e->night->lines++;
    if (json_is_object(line)) {
        take_event(e, line);
    } else {
        e->night->torn++;
    }
    json_decref(line);
}

int events_read(night *n, int fd, const char *source) {
    events e;
    line_reader reader;
    const char *text;
    size_t size;
    events_begin(&e, n, source);
    line_reader_init(&reader, fd);
    for (line_kind kind; (kind = line_reader_next(&reader, &text, &size)) != LINE_END;) {
        if (kind == LINE_FAILED || n->failed) break;
        if (kind == LINE_LONG) n->too_long++;
        if (kind == LINE_LONG || size == 0) continue;
        events_take(&e, text, size);
    }
    line_reader_finish(&reader);
    return reader.error != 0 ? reader.error : n->failed ? ENOMEM : 0;
}

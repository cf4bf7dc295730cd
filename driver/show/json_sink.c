#include "json_sink.h"

#include "clock.h"

#include <assert.h>
#include <errno.h>

static void fail(json_sink *j, int error) {
    if (j->error == 0) j->error = error;
}

static void put(json_sink *j, const event *e) {
    json_t *line = json_event_of(&j->context, e);
    const int error = line != NULL ? json_output_put(j->out, line) : 0;
    if (error != 0) fail(j, error);
}

/* Begin the lines of a search or a reduction. */
static void start(json_sink *j, const event *e) {
    j->context = (json_context){e->setup, e->setup->mode, j->context.utc};
    j->last_size = j->steps = 0;
    j->alive_ns = 0;
    j->has_size = false;
}

/* ---- Runs by size ---- */

/* The sink that writes counts, and the event at which it does. */
typedef struct telling {
    json_sink *sink;
    const progress *at;
} telling;

static void tell(void *context, const tested_runs *t) {
    const telling *to = context;
    put(to->sink, &(event){.kind = EVENT_TESTED, .tested = t, .progress = *to->at});
}

static void count(json_sink *j, const event *e) {
    telling to = {j, &e->progress};
    if (j->counts == NULL) j->counts = size_counts_create();
    if (j->counts == NULL) {
        fail(j, ENOMEM);
    } else {
        size_counts_add(j->counts, e->tested, &(size_counts_sink){tell, &to});
    }
}

static void end_counts(json_sink *j, const event *e) {
    telling to = {j, &e->summary->progress};
    if (j->counts != NULL) size_counts_flush(j->counts, &(size_counts_sink){tell, &to});
    size_counts_destroy(j->counts);
    j->counts = NULL;
}

/* ---- What is seldom enough ---- */

static bool take_size(json_sink *j, const progress *p) {
    const bool is_news =
        !j->has_size || (p->best != NULL ? p->size != j->last_size : p->size > j->last_size);
    if (is_news) {
        j->has_size = true;
        j->last_size = p->size;
    }
    return is_news;
}

static bool take_step(json_sink *j, const progress *p) {
    const bool is_much = p->size < j->last_size - j->last_size / JSON_SINK_STEP_SHARE;
    if (j->steps >= JSON_SINK_STEPS && !is_much) return false;
    j->steps++;
    j->last_size = p->size;
    return true;
}

static void show_life(json_sink *j, const event *e) {
    const int64_t now_ns = e->progress.elapsed_ns;
    if (now_ns < clock_after(j->alive_ns, JSON_SINK_ALIVE_MS * CLOCK_NS_PER_MS)) return;
    j->alive_ns = now_ns;
    put(j, &(event){.kind = EVENT_ALIVE, .progress = e->progress});
}

/* True if an event is to be written as it is. Runs are counted instead. */
static bool is_written(json_sink *j, const event *e) {
    if (e->kind == EVENT_PROGRESS) return take_size(j, &e->progress);
    if (e->kind == EVENT_STEP) return take_step(j, &e->progress);
    return e->kind != EVENT_TESTED;
}

void json_sink_take(void *context, const event *e) {
    json_sink *j = context;
    if (e->kind == EVENT_STARTED) start(j, e);
    if (e->kind == EVENT_ISOLATION && e->mode != NULL) j->context.mode = e->mode;
    assert(j->context.setup != NULL);
    if (j->out == NULL) return;
    if (e->kind == EVENT_FINISHED) end_counts(j, e);
    if (e->kind == EVENT_TESTED) count(j, e);
    if (is_written(j, e)) put(j, e);
    if (e->kind == EVENT_PROGRESS) show_life(j, e);
}

#include "jsonl.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static void set_integer(json_t *line, const char *name, uint64_t value) {
    json_object_set_new(line, name, json_integer((json_int_t)value));
}

/* Text from outside: what is no UTF-8 is escaped. */
static void set_text(json_t *line, const char *name, const uint8_t *bytes, size_t size) {
    char text[4 * BYTES_TAIL_MAX + 1];
    bytes_escape(bytes, size, true, text, sizeof text);
    json_object_set_new(line, name, json_string(text));
}

/* Seeds are decimal strings: many readers of JSON keep no more than 53 bits of a number. */
static void set_seed(json_t *line, const char *name, uint64_t seed) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, seed);
    json_object_set_new(line, name, json_string(text));
}

static json_t *begin(const char *event) {
    json_t *line = json_object();
    json_object_set_new(line, "event", json_string(event));
    return line;
}

/* Write a line and give it up. It is flushed, so that a reader is never behind. */
static void end(jsonl *j, json_t *line) {
    char *text = json_dumps(line, JSON_COMPACT);
    json_decref(line);
    errno = 0;
    const bool written = text != NULL && fprintf(j->out, "%s\n", text) > 0;
    if ((fflush(j->out) != 0 || !written) && j->error == 0) j->error = errno != 0 ? errno : EIO;
    free(text);
}

void jsonl_write_start(jsonl *j, const jsonl_start *start) {
    if (j->out == NULL) return;
    json_t *line = begin("start");
    json_t *args = json_array();
    set_text(line, "sut", (const uint8_t *)start->subject->sut, strlen(start->subject->sut));
    for (size_t i = 0; start->subject->args[i] != NULL; i++) {
        char text[BYTES_TAIL_MAX];
        const char *arg = start->subject->args[i];
        bytes_escape((const uint8_t *)arg, strlen(arg), true, text, sizeof text);
        json_array_append_new(args, json_string(text));
    }
    json_object_set_new(line, "args", args);
    json_object_set_new(line, "version", json_string(start->version));
    json_object_set_new(line, "mode", json_string(j->mode));
    json_object_set_new(line, "strategy", json_string(start->strategy));
    set_integer(line, "attempts", start->attempts);
    set_integer(line, "size_max", start->size_max);
    set_integer(line, "jobs", start->jobs);
    set_seed(line, "rng_seed", start->rng_seed);
    end(j, line);
}

void jsonl_write_size(jsonl *j, const progress *p) {
    const bool news =
        !j->has_size || (p->best != NULL ? p->size != j->last_size : p->size > j->last_size);
    if (j->out == NULL || !news) return;
    j->has_size = true;
    j->last_size = p->size;
    json_t *line = begin("size");
    set_integer(line, "size", p->size);
    set_integer(line, "runs", p->runs);
    json_object_set_new(line, "seconds", json_real((double)p->elapsed_ns / 1e9));
    end(j, line);
}

static void set_failure(json_t *line, const failure *f) {
    char id[IDENTITY_TEXT_MAX], flaky[32];
    set_integer(line, "size", f->trial.size);
    set_seed(line, "seed", f->trial.seed);
    json_object_set_new(line, "identity", json_string(identity_format(f->identity, id)));
    snprintf(flaky, sizeof flaky, "%u/%u", f->repeated, f->reruns);
    json_object_set_new(line, "flaky", failure_is_flaky(f) ? json_string(flaky) : json_false());
    if (f->output.size > 0) set_text(line, "output", f->output.bytes, f->output.size);
}

static void set_progress(const jsonl *j, json_t *line, const progress *p) {
    set_integer(line, "runs", p->runs);
    set_integer(line, "reruns", p->reruns);
    json_object_set_new(line, "seconds", json_real((double)p->elapsed_ns / 1e9));
    json_object_set_new(line, "mode", json_string(j->mode));
}

void jsonl_write_failure(jsonl *j, const failure *f, bool is_best, const progress *p) {
    if (j->out == NULL) return;
    json_t *line = begin(is_best ? "best" : "other");
    set_failure(line, f);
    set_progress(j, line, p);
    end(j, line);
}

void jsonl_write_done(jsonl *j, const char *outcome, const failure *best, const progress *p) {
    if (j->out == NULL) return;
    json_t *line = begin("done");
    json_object_set_new(line, "outcome", json_string(outcome));
    if (best != NULL) {
        set_failure(line, best);
    } else {
        json_object_set_new(line, "size", json_null());
        json_object_set_new(line, "seed", json_null());
        json_object_set_new(line, "identity", json_null());
        json_object_set_new(line, "flaky", json_null());
    }
    set_progress(j, line, p);
    end(j, line);
}

bool jsonl_finish(jsonl *j) {
    errno = j->error;
    return j->error == 0;
}

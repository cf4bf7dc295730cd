#include "jsonl.h"

#include "rate.h"
#include "stream.h"

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
    static char text[4 * BYTES_TAIL_MAX + 1]; /* stacks may be small */
    bytes_escape(bytes, size, true, text, sizeof text);
    json_object_set_new(line, name, json_string(text));
}

static void set_output(json_t *line, const bytes_tail *output) {
    static char text[BYTES_TAIL_TEXT_MAX]; /* stacks may be small */
    bytes_tail_text(output, text);
    json_object_set_new(line, "output", json_string(text));
}

/* Seeds are decimal strings: many readers of JSON keep no more than 53 bits of a number. */
static void set_seed(json_t *line, const char *name, uint64_t seed) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, seed);
    json_object_set_new(line, name, json_string(text));
}

static json_t *begin(const char *kind) {
    json_t *line = json_object();
    json_object_set_new(line, "event", json_string(kind));
    return line;
}

/* Write a line and give it up. It is flushed, so that a reader is never behind. */
static void end(jsonl *j, json_t *line) {
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

static void set_path(json_t *line, const char *name, const char *path) {
    set_text(line, name, (const uint8_t *)path, strlen(path));
}

static void set_command(json_t *line, const char *name, const subject *s) {
    json_t *args = json_array();
    set_path(line, name, s->sut);
    for (size_t i = 0; s->args[i] != NULL; i++) {
        char text[BYTES_TAIL_MAX];
        bytes_escape((const uint8_t *)s->args[i], strlen(s->args[i]), true, text, sizeof text);
        json_array_append_new(args, json_string(text));
    }
    json_object_set_new(line, "args", args);
}

static void set_subject(json_t *line, const subject *s) { set_command(line, "sut", s); }

void jsonl_write_start(jsonl *j, const jsonl_start *start) {
    if (j->out == NULL) return;
    json_t *line = begin("start");
    set_subject(line, start->subject);
    json_object_set_new(line, "version", json_string(start->version));
    if (j->containment != NULL) {
        json_object_set_new(line, "containment", json_string(j->containment));
    }
    json_object_set_new(line, "mode", json_string(j->mode));
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

/* Whether it failed each time that it, or one like it, was run again; null: nothing was. */
static void set_flaky(json_t *line, const failure *f) {
    char text[32];
    json_t *flaky = json_false();
    snprintf(text, sizeof text, "%u/%u", f->repeated, f->reruns);
    if (failure_evidence(f).reruns == 0) flaky = json_null();
    if (failure_is_of_flaky(f)) flaky = json_string(text);
    json_object_set_new(line, "flaky", flaky);
}

/* How often it fails, by all that is known. The interval is rounded outward. */
static void set_rate(json_t *line, const failure *f) {
    enum { DECIMALS = 4 };
    const rerun_count seen = failure_evidence(f);
    if (seen.reruns == 0) {
        json_object_set_new(line, "rate", json_null());
        return;
    }
    const rate_interval often = rate_of(seen.repeated, seen.reruns);
    json_t *rate = json_object();
    set_integer(rate, "reruns", seen.reruns);
    set_integer(rate, "repeated", seen.repeated);
    json_object_set_new(rate, "low", json_real(rate_round_down(often.low, DECIMALS)));
    json_object_set_new(rate, "high", json_real(rate_round_up(often.high, DECIMALS)));
    json_object_set_new(line, "rate", rate);
}

/* How it failed, of a search or a reduction. */
static void set_end(json_t *line, const failure *f) {
    char id[SIGNATURE_TEXT_MAX];
    json_object_set_new(line, "identity", json_string(signature_format(f->signature, id)));
    set_flaky(line, f);
    if (f->output.size > 0) set_output(line, &f->output);
}

static void set_failure(json_t *line, const failure *f) {
    set_integer(line, "size", f->input.size);
    set_seed(line, "seed", f->input.seed);
    set_end(line, f);
}

/* Why nothing is known for sure. */
static void set_reason(json_t *line, const char *outcome, failure_cause limit, bool was_rerun) {
    static const char *const reasons[CAUSE_COUNT] = {
        [CAUSE_NONE] = "flaky",
        [CAUSE_TIMEOUT] = "timeout",
        [CAUSE_MEMORY] = "memory",
        [CAUSE_WORKER] = "worker",
    };
    if (strcmp(outcome, "inconclusive") != 0) return;
    const bool is_open = limit == CAUSE_NONE && !was_rerun;
    json_object_set_new(line, "reason", json_string(is_open ? "unconfirmed" : reasons[limit]));
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
        set_reason(line, outcome, best->cause, best->reruns > 0);
        set_failure(line, best);
        set_rate(line, best);
    } else {
        json_object_set_new(line, "size", json_null());
        json_object_set_new(line, "seed", json_null());
        json_object_set_new(line, "identity", json_null());
        json_object_set_new(line, "flaky", json_null());
        json_object_set_new(line, "rate", json_null());
    }
    set_progress(j, line, p);
    end(j, line);
}

/* ---- A reduction ---- */

void jsonl_write_reduction_start(jsonl *j, const jsonl_reduction_start *start) {
    if (j->out == NULL) return;
    json_t *line = begin("start");
    set_subject(line, start->subject);
    json_object_set_new(line, "version", json_string(start->version));
    if (j->containment != NULL) {
        json_object_set_new(line, "containment", json_string(j->containment));
    }
    json_object_set_new(line, "mode", json_string(j->mode));
    set_integer(line, "size", start->size);
    set_integer(line, "jobs", start->jobs);
    end(j, line);
}

static void set_bytes(json_t *line, const reduction_case *c) {
    char hex[2 * JSONL_HEX_MAX + 1];
    const uint64_t size = c->failure->input.size;
    if (size <= JSONL_HEX_MAX) bytes_to_hex(c->bytes, size, hex);
    set_integer(line, "size", size);
    json_object_set_new(line, "hex", size <= JSONL_HEX_MAX ? json_string(hex) : json_null());
}

static void set_case(json_t *line, const reduction_case *c) {
    const failure *f = c->failure;
    set_bytes(line, c);
    set_end(line, f);
    json_object_set_new(line, "site", json_null());
    if (f->site[0] != '\0') set_path(line, "site", f->site);
}

static void set_calls(json_t *line, const progress *p) {
    set_integer(line, "calls", p->runs);
    set_integer(line, "successes", p->steps);
    json_object_set_new(line, "seconds", json_real((double)p->elapsed_ns / 1e9));
}

static void set_reduction_progress(const jsonl *j, json_t *line, const progress *p) {
    set_calls(line, p);
    json_object_set_new(line, "mode", json_string(j->mode));
}

void jsonl_write_reduced(jsonl *j, const reduction_case *c, bool is_best, const progress *p) {
    if (j->out == NULL) return;
    json_t *line = begin(is_best ? "best" : "other");
    set_case(line, c);
    set_reduction_progress(j, line, p);
    end(j, line);
}

static void set_passes(json_t *line, const char *name, const pass_statistics *passes,
                       size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        const pass_statistics *p = &passes[i];
        json_t *item = json_object();
        set_path(item, "name", p->name);
        set_integer(item, "calls", p->calls);
        set_integer(item, "successes", p->successes);
        set_integer(item, "bytes", p->bytes);
        json_array_append_new(array, item);
    }
    json_object_set_new(line, name, array);
}

void jsonl_write_reduction_done(jsonl *j, const char *outcome, const reduction *r) {
    static const char *const names[] = {"size", "hex", "identity", "flaky", "site"};
    if (j->out == NULL) return;
    json_t *line = begin("done");
    json_object_set_new(line, "outcome", json_string(outcome));
    json_object_set_new(line, "complete", json_boolean(!r->unfinished));
    if (r->end == REDUCTION_INCONCLUSIVE) set_reason(line, outcome, r->limit, true);
    if (r->end == REDUCTION_FAILED) {
        set_case(line, &r->best);
    } else {
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            json_object_set_new(line, names[i], json_null());
        }
    }
    set_reduction_progress(j, line, &r->progress);
    set_passes(line, "passes", r->passes, r->pass_count);
    end(j, line);
}

/* ---- A file ---- */

void jsonl_write_file_start(jsonl *j, const jsonl_file_start *start) {
    if (j->out == NULL) return;
    json_t *line = begin("start");
    set_command(line, "predicate", start->subject);
    set_path(line, "file", start->file);
    set_path(line, "output", start->output);
    json_object_set_new(line, "version", json_string(start->version));
    if (j->containment != NULL) {
        json_object_set_new(line, "containment", json_string(j->containment));
    }
    set_integer(line, "size", start->size);
    set_integer(line, "jobs", start->jobs);
    end(j, line);
}

void jsonl_write_file_resumed(jsonl *j, const char *output, uint64_t size) {
    if (j->out == NULL) return;
    json_t *line = begin("resume");
    set_path(line, "output", output);
    set_integer(line, "size", size);
    end(j, line);
}

void jsonl_write_file_best(jsonl *j, const reduction_case *c, const progress *p) {
    if (j->out == NULL) return;
    json_t *line = begin("best");
    set_bytes(line, c);
    set_flaky(line, c->failure);
    set_calls(line, p);
    end(j, line);
}

void jsonl_write_file_done(jsonl *j, const char *outcome, const file_report *r) {
    static const char *const names[] = {"size", "hex", "flaky", "output"};
    if (j->out == NULL) return;
    json_t *line = begin("done");
    json_object_set_new(line, "outcome", json_string(outcome));
    json_object_set_new(line, "complete", json_boolean(!r->unfinished));
    if (r->best.failure != NULL) {
        set_bytes(line, &r->best);
        set_flaky(line, r->best.failure);
        set_path(line, "output", r->output);
    } else {
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            json_object_set_new(line, names[i], json_null());
        }
    }
    set_calls(line, &r->progress);
    set_integer(line, "calls_to_size", r->calls_to_size);
    set_passes(line, "passes", r->passes, r->pass_count);
    set_passes(line, "reducers", r->reducers, r->reducer_count);
    end(j, line);
}

bool jsonl_finish(jsonl *j) {
    errno = j->error;
    return j->error == 0;
}

#include "fleet_json.h"

#include "builds.h"
#include "fleet_text.h"
#include "frng.h"
#include "json_set.h"

#include <stdlib.h>

enum { SCHEMA = 1 };

static void set_list(json_t *object, const char *name, json_t *array) {
    json_object_set_new(object, name, array);
}

/* ---- Workers ---- */

static void set_totals(json_t *object, const worker_totals *t) {
    json_set_integer(object, "runs", t->runs);
    json_set_integer(object, "reruns", t->reruns);
    json_set_real(object, "seconds", t->seconds);
    json_set_integer(object, "restarts", t->restarts);
    json_set_integer(object, "errors", t->errors);
}

static json_t *worker_of(const fleet_worker *w) {
    json_t *object = json_object();
    json_set_text(object, "worker", w->name);
    json_set_text(object, "folder", w->folder);
    json_set_text(object, "host", w->file.process.host);
    json_object_set_new(object, "pid", json_integer((json_int_t)w->file.process.pid));
    json_set_word(object, "state", fleet_sight_name(w->sight));
    json_set_real(object, "age", (double)w->age_ns / 1e9);
    json_set_real(object, "every", w->file.every);
    json_set_text(object, "updated", w->file.updated);
    json_set_integer(object, "jobs", w->file.jobs);
    set_totals(object, &w->file.totals);
    json_set_real(object, "rate", w->file.rate);
    json_set_known(object, "best", w->file.best.is_known ? w->file.best.input.size : UINT64_MAX);
    return object;
}

static json_t *workers_of(const fleet *f) {
    json_t *array = json_array();
    for (size_t i = 0; i < f->count; i++) json_array_append_new(array, worker_of(&f->workers[i]));
    return array;
}

static json_t *counts_of(const fleet *f) {
    json_t *object = json_object();
    json_set_integer(object, "all", f->count);
    for (int i = 0; i < SIGHTS; i++) {
        json_set_integer(object, fleet_sight_name((fleet_sight)i), f->sights[i]);
    }
    return object;
}

/* ---- Failures ---- */

static void set_input(json_t *object, const finding *of) {
    json_set_integer(object, "size", of->input.size);
    if (of->bytes == NULL) {
        json_set_seed(object, "seed", &of->input);
    } else {
        json_set_null(object, "seed");
    }
}

static json_t *failure_of(const finding_row *r, const char *replay) {
    const finding *of = &r->smallest;
    char *path = finding_row_path(r), *line = finding_row_replay(r, replay);
    json_t *object = json_object();
    json_set_word(object, "signature", signature_format(of->signature, SIGNATURE_TEXT));
    json_set_text(object, "site", of->site);
    set_input(object, of);
    json_set_integer(object, "reruns", of->reruns);
    json_set_integer(object, "repeated", of->repeated);
    json_set_integer(object, "findings", r->count);
    json_set_text(object, "found", of->when);
    json_set_text(object, "sut", of->sut);
    json_set_texts(object, "args", (const char *const *)of->args);
    json_set_text(object, "digest", of->sut_digest);
    json_set_text(object, "finding", path);
    json_set_text(object, "replay", line);
    free(path);
    free(line);
    return object;
}

static json_t *failures_of(const fleet_view *v) {
    json_t *array = json_array();
    for (size_t i = 0; i < v->table->count; i++) {
        json_array_append_new(array, failure_of(&v->table->rows[i], v->replay));
    }
    return array;
}

/* ---- Evidence and builds ---- */

static json_t *campaign_of(const fleet_campaign *c) {
    const fleet_evidence *e = &c->evidence;
    json_t *object = json_object();
    json_set_text(object, "sut", c->target.sut);
    json_set_texts(object, "args", (const char *const *)c->target.args);
    json_set_text(object, "digest", c->target.digest);
    json_set_text(object, "filter", c->target.filter);
    json_set_word(object, "expand", seed_text_expansion(c->target.expand));
    json_set_integer(object, "workers", c->workers);
    json_set_integer(object, "runs", c->runs);
    json_set_known(object, "best", c->has_best ? c->best_size : UINT64_MAX);
    json_set_known(object, "below", c->has_best && c->best_size > 0 ? e->below : UINT64_MAX);
    json_set_integer(object, "passed", e->passed);
    json_set_integer(object, "counted", e->counted);
    json_set_integer(object, "stretches", e->stretches);
    json_set_real(object, "bound", e->bound);
    json_set_real(object, "confidence", 0.95);
    return object;
}

static json_t *campaigns_of(const fleet *f) {
    json_t *array = json_array();
    for (size_t i = 0; i < f->campaign_count; i++) {
        json_array_append_new(array, campaign_of(&f->campaigns[i]));
    }
    return array;
}

static json_t *build_of(const build *b) {
    json_t *object = json_object();
    json_set_text(object, "sut", b->sut);
    json_set_text(object, "digest", b->digest);
    json_set_integer(object, "workers", b->workers);
    json_set_integer(object, "running", b->running);
    json_set_integer(object, "findings", b->findings);
    json_set_known(object, "smallest", b->findings > 0 ? b->smallest : UINT64_MAX);
    return object;
}

static json_t *builds_of(const builds *b) {
    json_t *array = json_array();
    for (size_t i = 0; i < b->count; i++) json_array_append_new(array, build_of(&b->list[i]));
    return array;
}

/* ---- The whole ---- */

static json_t *folders_of(const fleet_view *v) {
    json_t *array = json_array();
    json_t *one = json_object();
    for (size_t i = 0; i < v->folder_count; i++) {
        json_set_text(one, "folder", v->folders[i]);
        json_array_append(array, json_object_get(one, "folder"));
    }
    json_decref(one);
    return array;
}

json_t *fleet_json(const fleet_view *v, int status, const char *when) {
    json_t *object = json_object();
    json_set_integer(object, "schema", SCHEMA);
    json_set_word(object, "tool", "frng-status");
    json_set_word(object, "version", FRNG_VERSION);
    json_set_word(object, "when", when);
    json_set_integer(object, "status", (uint64_t)status);
    set_list(object, "folders", folders_of(v));
    json_set_integer(object, "skipped", v->skipped);
    json_set_integer(object, "unread", v->table->unread);
    set_list(object, "workers", counts_of(v->fleet));
    set_totals(object, &v->fleet->totals);
    json_set_real(object, "rate", v->fleet->rate);
    set_list(object, "failures", failures_of(v));
    set_list(object, "evidence", campaigns_of(v->fleet));
    set_list(object, "builds", builds_of(v->builds));
    set_list(object, "each", workers_of(v->fleet));
    return object;
}

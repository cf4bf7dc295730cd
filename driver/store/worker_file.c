/* A worker's report, as JSON by tables (json_fields.h). Nobody locks it: the search that owns the
 * name writes the whole file anew (tool/beacon.c). */
#include "worker_file.h"

#include "atomic_file.h"
#include "bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const state_names[] = {"running", "found", "passed", "stopped", "failed", NULL};
static const char *const expansion_names[] = {"uniform", "styled", "both", NULL};

bool worker_target_equal(const worker_target *a, const worker_target *b) {
    return a->digest != NULL && text_equal(a->digest, b->digest) && a->expand == b->expand &&
           text_equal(a->filter, b->filter) && texts_equal(a->args, b->args);
}

void worker_name_clean(const char *text, char name[WORKER_NAME_MAX + 1]) {
    size_t length = 0;
    for (; text[length] != '\0' && length < WORKER_NAME_MAX; length++) {
        const unsigned char c = (unsigned char)text[length];
        const bool is_bad = c < ' ' || c == 0x7f || c == '/' || (length == 0 && c == '.');
        name[length] = is_bad ? '_' : (char)c;
    }
    name[length] = '\0';
    if (length == 0) memcpy(name, "worker", sizeof "worker");
}

/* ---- As JSON ---- */

static const json_field target_fields[] = {
    JSON_FIELD(worker_target, "path", exact, sut, NULL),
    JSON_FIELD(worker_target, "digest", text, digest, NULL),
    JSON_FIELD(worker_target, "arguments", words, args, NULL),
    JSON_FIELD(worker_target, "filter", exact, filter, NULL),
    JSON_FIELD(worker_target, "expand", word, expand, expansion_names),
    JSON_FIELDS_END};

static const json_field best_fields[] = {
    JSON_FIELD(worker_best, "size", size, input.size, NULL),
    JSON_FIELD(worker_best, "seed", input, input, NULL),
    JSON_FIELD(worker_best, "signature", signature, signature, NULL),
    JSON_FIELD(worker_best, "site", text, site, NULL), JSON_FIELDS_END};

static const json_field totals_fields[] = {
    JSON_FIELD(worker_totals, "runs", count, runs, NULL),
    JSON_FIELD(worker_totals, "reruns", count, reruns, NULL),
    JSON_FIELD(worker_totals, "seconds", number, seconds, NULL),
    JSON_FIELD(worker_totals, "restarts", count, restarts, NULL),
    JSON_FIELD(worker_totals, "errors", count, errors, NULL),
    JSON_FIELDS_END};

static const json_field fields[] = {
    JSON_FIELD(worker_file, "format", count, format, NULL),
    JSON_FIELD(worker_file, "worker", exact, name, NULL),
    JSON_FIELD(worker_file, "host", text, host, NULL),
    JSON_FIELD(worker_file, "pid", count, pid, NULL),
    JSON_FIELD(worker_file, "started", text, started, NULL),
    JSON_FIELD(worker_file, "state", word, state, state_names),
    JSON_FIELD(worker_file, "updated", text, updated, NULL),
    JSON_FIELD(worker_file, "every", number, every, NULL),
    JSON_FIELD(worker_file, "target", object, target, target_fields),
    JSON_FIELD(worker_file, "version", text, version, NULL),
    JSON_FIELD(worker_file, "rng_seed", seed, rng_seed, NULL),
    JSON_FIELD(worker_file, "jobs", small, jobs, NULL),
    JSON_PART(worker_file, totals, totals_fields),
    JSON_FIELD(worker_file, "rate", number, rate, NULL),
    JSON_FIELD(worker_file, "best", option, best, best_fields),
    JSON_FIELD(worker_file, "below", count, evidence.below, NULL),
    JSON_FIELD(worker_file, "passed", count, evidence.passed, NULL),
    JSON_FIELD(worker_file, "counted", count, evidence.counted, NULL),
    JSON_FIELD(worker_file, "stretches", count, evidence.stretches, NULL),
    JSON_FIELDS_END};

char *worker_file_to_json(const worker_file *w) {
    json_t *object = fields_put(fields, w);
    char *text = json_word_dump(object);
    json_decref(object);
    return text;
}

/* Return NULL, or why it is not a file of a worker. */
static const char *read_fields(json_t *object, worker_file *w) {
    const worker_evidence *e = &w->evidence;
    const char *why =
        fields_read(fields, object, WORKER_FORMAT, "it is not the file of a worker", w);
    if (why != NULL) return why;
    if (w->target.filter == NULL) w->target.filter = "";
    if (w->target.args == NULL) w->target.args = calloc(1, sizeof *w->target.args);
    if (w->target.args == NULL) return "out of memory";
    const bool ok = w->name != NULL && w->every > 0 && e->counted <= e->passed &&
                    (e->counted == 0 || e->stretches > 0);
    return ok ? NULL : "its values contradict each other";
}

bool worker_file_from_json(const char *text, size_t size, worker_file *w, const char **why) {
    *w = (worker_file){.owned = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL)};
    *why = read_fields(w->owned, w);
    if (*why == NULL) return true;
    worker_file_free(w);
    return false;
}

void worker_file_free(worker_file *w) {
    if (w->owned == NULL) return;
    free(w->target.args);
    json_decref(w->owned);
    memset(w, 0, sizeof *w);
}

bool worker_file_is_silent(const worker_file *w, int64_t now_ns) {
    const double age = (double)(now_ns - w->modified_ns) / 1e9;
    return w->state == WORKER_RUNNING && age > 3 * w->every;
}

bool worker_file_read(int folder_fd, const char *path, worker_file *w, const char **why) {
    size_t size;
    struct stat status;
    char *text = atomic_file_read(folder_fd, path, WORKER_FILE_SIZE_MAX, &size, why);
    const bool is_there = fstatat(folder_fd, path, &status, AT_SYMLINK_NOFOLLOW) == 0;
    const bool ok = text != NULL && worker_file_from_json(text, size, w, why);
    free(text);
    if (ok && is_there)
        w->modified_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
    if (!ok && !is_there && errno == ENOENT) *why = NULL;
    return ok;
}

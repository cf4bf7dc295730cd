/* A worker's report, as JSON by tables (json_fields.h). Nobody locks it: the search that owns the
 * name writes the whole file anew (tool/beacon.c). */
#include "worker_file.h"

#include "atomic_file.h"
#include "bytes.h"
#include "json_fields.h"

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

static json_t *put_input(const json_field *f, const void *member) {
    (void)f;
    return json_string(seed_text_format(SEED_TEXT, member));
}

static bool get_input(const json_field *f, json_t *object, void *member) {
    const char *text = json_string_value(json_object_get(object, f->name));
    seed_input *input = member; /* its size is there already */
    return text != NULL && input->size <= INPUT_SIZE_MAX && seed_text_parse(text, input);
}

static json_t *put_signature(const json_field *f, const void *member) {
    (void)f;
    return json_string(signature_format(*(const signature *)member, SIGNATURE_TEXT));
}

static bool get_signature(const json_field *f, json_t *object, void *member) {
    const char *text = json_string_value(json_object_get(object, f->name));
    return text != NULL && signature_parse(text, member);
}

static const json_field_type field_input = {put_input, get_input, true},
                             field_signature = {put_signature, get_signature, true};

static const json_field process_fields[] = {
    {"host", &field_text, offsetof(worker_process, host), NULL},
    {"pid", &field_signed, offsetof(worker_process, pid), NULL},
    {"started", &field_text, offsetof(worker_process, started), NULL},
    {NULL, NULL, 0, NULL}};

static const json_field target_fields[] = {
    {"path", &field_exact, offsetof(worker_target, sut), NULL},
    {"digest", &field_text, offsetof(worker_target, digest), NULL},
    {"arguments", &field_words, offsetof(worker_target, args), NULL},
    {"filter", &field_exact, offsetof(worker_target, filter), NULL},
    {"expand", &field_word, offsetof(worker_target, expand), expansion_names},
    {NULL, NULL, 0, NULL}};

static const json_field best_fields[] = {
    {"size", &field_count, offsetof(worker_best, input.size), NULL},
    {"seed", &field_input, offsetof(worker_best, input), NULL},
    {"signature", &field_signature, offsetof(worker_best, signature), NULL},
    {"site", &field_text, offsetof(worker_best, site), NULL},
    {NULL, NULL, 0, NULL}};

const json_field worker_totals_fields[] = {
    {"runs", &field_count, offsetof(worker_totals, runs), NULL},
    {"reruns", &field_count, offsetof(worker_totals, reruns), NULL},
    {"seconds", &field_number, offsetof(worker_totals, seconds), NULL},
    {"restarts", &field_count, offsetof(worker_totals, restarts), NULL},
    {"errors", &field_count, offsetof(worker_totals, errors), NULL},
    {NULL, NULL, 0, NULL}};

static const json_field fields[] = {
    {"format", &field_signed, offsetof(worker_file, format), NULL},
    {"worker", &field_exact, offsetof(worker_file, name), NULL},
    {NULL, &field_object, offsetof(worker_file, process), process_fields},
    {"state", &field_word, offsetof(worker_file, state), state_names},
    {"updated", &field_text, offsetof(worker_file, updated), NULL},
    {"every", &field_number, offsetof(worker_file, every), NULL},
    {"target", &field_object, offsetof(worker_file, target), target_fields},
    {"version", &field_text, offsetof(worker_file, version), NULL},
    {"rng_seed", &field_seed, offsetof(worker_file, rng_seed), NULL},
    {"jobs", &field_small, offsetof(worker_file, jobs), NULL},
    {NULL, &field_object, offsetof(worker_file, totals), worker_totals_fields},
    {"rate", &field_number, offsetof(worker_file, rate), NULL},
    {"best", &field_option, offsetof(worker_file, best), best_fields},
    {"below", &field_count, offsetof(worker_file, evidence.below), NULL},
    {"passed", &field_count, offsetof(worker_file, evidence.passed), NULL},
    {"counted", &field_count, offsetof(worker_file, evidence.counted), NULL},
    {"stretches", &field_count, offsetof(worker_file, evidence.stretches), NULL},
    {NULL, NULL, 0, NULL}};

char *worker_file_to_json(const worker_file *w) {
    json_t *object = fields_put(fields, w);
    char *text = json_word_dump(object);
    json_decref(object);
    return text;
}

/* Return NULL, or why it is not a file of a worker. */
static const char *read_fields(json_t *object, worker_file *w) {
    const worker_evidence *e = &w->evidence;
    if (!json_is_object(object)) return "it is cut short, or not a JSON object";
    const json_int_t format = json_integer_value(json_object_get(object, "format"));
    if (format < 1) return "it is not the file of a worker";
    if (format > WORKER_FORMAT) return "it is of a later format than this frng reads";
    const bool ok = fields_get(fields, object, w) && w->name != NULL && w->every > 0 &&
                    e->counted <= e->passed && (e->counted == 0 || e->stretches > 0);
    if (w->target.filter == NULL) w->target.filter = "";
    if (w->target.args == NULL) w->target.args = calloc(1, sizeof *w->target.args);
    if (w->target.args == NULL) return "out of memory";
    return ok ? NULL : "a value in it makes no sense";
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

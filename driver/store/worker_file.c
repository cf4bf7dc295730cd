#include "worker_file.h"

#include "bytes.h"
#include "files.h"
#include "json_word.h"
#include "units.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The memory of a file that was read; its strings live in the JSON tree. */
typedef struct owned {
    json_t *json;
    const char **args;
} owned;

static const char *const state_names[WORKER_STATES] = {"running", "found", "passed", "stopped",
                                                       "failed"};

const char *worker_state_name(worker_state s) { return state_names[s]; }

bool worker_process_equal(const worker_process *a, const worker_process *b) {
    return a->pid == b->pid && text_equal(a->host, b->host) && text_equal(a->started, b->started);
}

static bool is_list_equal(const char **a, const char **b) {
    static const char *none[] = {NULL};
    size_t i = 0;
    if (a == NULL) a = none;
    if (b == NULL) b = none;
    while (a[i] != NULL && text_equal(a[i], b[i])) i++;
    return text_equal(a[i], b[i]);
}

bool worker_target_equal(const worker_target *a, const worker_target *b) {
    return a->digest != NULL && text_equal(a->digest, b->digest) && a->expand == b->expand &&
           text_equal(a->filter, b->filter) && is_list_equal(a->args, b->args);
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

/* ---- To JSON ---- */

static json_t *count_of(uint64_t value) {
    const uint64_t most = INT64_MAX;
    return json_integer((json_int_t)(value < most ? value : most));
}

/* Return a seed as text, since many readers of JSON keep at most 53 bits of a number. */
static json_t *seed_of(uint64_t seed) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, seed);
    return json_string(text);
}

static bool put_process(json_t *object, const worker_process *p) {
    return json_word_set(object, "host", json_word_shown(p->host)) &&
           json_word_set(object, "pid", json_integer((json_int_t)p->pid)) &&
           json_word_set(object, "started", json_word_shown(p->started));
}

static bool put_totals(json_t *object, const worker_totals *t) {
    return json_word_set(object, "runs", count_of(t->runs)) &&
           json_word_set(object, "reruns", count_of(t->reruns)) &&
           json_word_set(object, "seconds", json_real(t->seconds)) &&
           json_word_set(object, "restarts", count_of(t->restarts)) &&
           json_word_set(object, "errors", count_of(t->errors));
}

/* Return an object, or NULL and free it if it is not whole. */
static json_t *whole(json_t *object, bool is_whole) {
    if (is_whole) return object;
    json_decref(object);
    return NULL;
}

static json_t *target_of(const worker_target *t) {
    json_t *object = json_object();
    return whole(
        object,
        json_word_set(object, "path", json_word_exact(t->sut)) &&
            json_word_set(object, "digest", json_word_shown(t->digest)) &&
            json_word_set(object, "arguments", json_word_list((const char *const *)t->args)) &&
            json_word_set(object, "filter", json_word_exact(t->filter)) &&
            json_word_set(object, "expand", json_string(seed_text_expansion(t->expand))));
}

static json_t *best_of(const worker_best *b) {
    char seed[SEED_TEXT_MAX];
    if (!b->is_known) return json_null();
    json_t *object = json_object();
    return whole(
        object, json_word_set(object, "size", count_of(b->input.size)) &&
                    json_word_set(object, "seed", json_string(seed_text_format(seed, &b->input))) &&
                    json_word_set(object, "signature",
                                  json_string(signature_format(b->signature, SIGNATURE_TEXT))) &&
                    json_word_set(object, "site", json_word_shown(b->site)));
}

static bool put_evidence(json_t *object, const worker_evidence *e) {
    return json_word_set(object, "below", count_of(e->below)) &&
           json_word_set(object, "passed", count_of(e->passed)) &&
           json_word_set(object, "counted", count_of(e->counted)) &&
           json_word_set(object, "stretches", count_of(e->stretches));
}

static json_t *before_of(const worker_file *w) {
    if (w->before.started == NULL) return json_null();
    json_t *object = json_object();
    return whole(object, put_process(object, &w->before) && put_totals(object, &w->before_totals));
}

static bool put_all(json_t *object, const worker_file *w) {
    return json_word_set(object, "format", json_integer(WORKER_FORMAT)) &&
           json_word_set(object, "worker", json_word_exact(w->name)) &&
           put_process(object, &w->process) &&
           json_word_set(object, "state", json_string(worker_state_name(w->state))) &&
           json_word_set(object, "updated", json_word_shown(w->updated)) &&
           json_word_set(object, "every", json_real(w->every)) &&
           json_word_set(object, "target", target_of(&w->target)) &&
           json_word_set(object, "version", json_word_shown(w->version)) &&
           json_word_set(object, "rng_seed", seed_of(w->rng_seed)) &&
           json_word_set(object, "jobs", json_integer((json_int_t)w->jobs)) &&
           put_totals(object, &w->totals) && json_word_set(object, "rate", json_real(w->rate)) &&
           json_word_set(object, "best", best_of(&w->best)) && put_evidence(object, &w->evidence) &&
           json_word_set(object, "before", before_of(w));
}

char *worker_file_to_json(const worker_file *w) {
    json_t *object = json_object();
    char *text = put_all(object, w) ? json_word_dump(object) : NULL;
    json_decref(object);
    return text;
}

/* ---- From JSON ---- */

#define NUMBER_MAX 1e15 /* a sum of many is finite */

static const char strange[] = "a value in it makes no sense";

/* Read a count. False if it is no count; a missing one is 0. */
static bool read_count(const json_t *object, const char *name, uint64_t *count) {
    const json_t *value = json_object_get(object, name);
    *count = 0;
    if (value == NULL || json_is_null(value)) return true;
    if (!json_is_integer(value) || json_integer_value(value) < 0) return false;
    *count = (uint64_t)json_integer_value(value);
    return true;
}

/* The same for a number of seconds or of runs a second. */
static bool read_number(const json_t *object, const char *name, double *number) {
    const json_t *value = json_object_get(object, name);
    *number = json_number_value(value);
    if (value == NULL || json_is_null(value)) return true;
    return json_is_number(value) && *number >= 0 && *number <= NUMBER_MAX;
}

static const char *text_at(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
}

static bool read_state(const json_t *object, worker_state *state) {
    const char *text = text_at(object, "state");
    for (int i = 0; text != NULL && i < WORKER_STATES; i++) {
        *state = (worker_state)i;
        if (strcmp(text, state_names[i]) == 0) return true;
    }
    return false;
}

static void read_process(const json_t *object, worker_process *p) {
    p->host = text_at(object, "host");
    p->pid = json_integer_value(json_object_get(object, "pid"));
    p->started = text_at(object, "started");
}

static bool read_totals(const json_t *object, worker_totals *t) {
    return read_count(object, "runs", &t->runs) && read_count(object, "reruns", &t->reruns) &&
           read_number(object, "seconds", &t->seconds) &&
           read_count(object, "restarts", &t->restarts) && read_count(object, "errors", &t->errors);
}

static bool read_evidence(const json_t *object, worker_evidence *e) {
    return read_count(object, "below", &e->below) && read_count(object, "passed", &e->passed) &&
           read_count(object, "counted", &e->counted) && e->counted <= e->passed &&
           read_count(object, "stretches", &e->stretches) && (e->counted == 0 || e->stretches > 0);
}

static bool read_expansion(const json_t *object, seed_expansion *expand) {
    const char *text = text_at(object, "expand");
    for (*expand = EXPAND_UNIFORM; text != NULL && *expand <= EXPAND_BOTH; ++*expand) {
        if (strcmp(text, seed_text_expansion(*expand)) == 0) return true;
    }
    return false;
}

static const char *read_target(json_t *object, worker_target *t, owned *o) {
    if (!json_is_object(object)) return "it has no target";
    const char *why = json_word_read_list(object, "arguments", &o->args);
    t->sut = json_word_read(object, "path");
    t->digest = text_at(object, "digest");
    t->filter = json_word_read(object, "filter");
    if (t->filter == NULL) t->filter = "";
    t->args = o->args;
    return why == NULL && !read_expansion(object, &t->expand) ? strange : why;
}

static bool read_best(const json_t *object, worker_best *b) {
    const char *seed = text_at(object, "seed"), *id = text_at(object, "signature");
    b->is_known = json_is_object(object);
    if (!b->is_known) return object == NULL || json_is_null(object);
    b->site = text_at(object, "site");
    const bool ok = read_count(object, "size", &b->input.size) && b->input.size <= INPUT_SIZE_MAX &&
                    seed != NULL && seed_text_parse(seed, &b->input) && id != NULL &&
                    signature_parse(id, &b->signature);
    return ok;
}

static bool read_numbers(const json_t *object, worker_file *w) {
    uint64_t jobs;
    const char *seed = text_at(object, "rng_seed");
    if (seed == NULL || !units_parse_seed(seed, &w->rng_seed)) return false;
    if (!read_count(object, "jobs", &jobs) || jobs > UINT32_MAX) return false;
    w->jobs = (unsigned)jobs;
    return read_totals(object, &w->totals) && read_number(object, "rate", &w->rate) &&
           read_number(object, "every", &w->every) && w->every > 0 &&
           read_evidence(object, &w->evidence);
}

static const char *read_fields(json_t *object, worker_file *w, owned *o) {
    const json_int_t format = json_integer_value(json_object_get(object, "format"));
    const json_t *before = json_object_get(object, "before");
    if (format < 1) return "it is not the file of a worker";
    if (format > WORKER_FORMAT) return "it is of a later format than this frng reads";
    w->name = json_word_read(object, "worker");
    w->updated = text_at(object, "updated");
    w->version = text_at(object, "version");
    read_process(object, &w->process);
    read_process(before, &w->before);
    const bool ok = w->name != NULL && read_state(object, &w->state) && read_numbers(object, w) &&
                    read_best(json_object_get(object, "best"), &w->best) &&
                    read_totals(before, &w->before_totals);
    return ok ? read_target(json_object_get(object, "target"), &w->target, o) : strange;
}

bool worker_file_from_json(const char *text, size_t size, worker_file *w, const char **why) {
    memset(w, 0, sizeof *w);
    owned *o = calloc(1, sizeof *o);
    *why = "out of memory";
    if (o == NULL) return false;
    w->owned = o;
    o->json = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    *why = json_is_object(o->json) ? read_fields(o->json, w, o)
                                   : "it is cut short, or not a JSON object";
    if (*why == NULL) return true;
    worker_file_free(w);
    return false;
}

void worker_file_free(worker_file *w) {
    owned *o = w->owned;
    if (o == NULL) return;
    json_decref(o->json);
    free(o->args);
    free(o);
    memset(w, 0, sizeof *w);
}

/* ---- Files ---- */

/* Read the text of a file, whose size was `said`, and parse it. */
static bool read_open(int fd, uint64_t said, worker_file *w, const char **why) {
    *why = "it is too large";
    if (said > WORKER_FILE_SIZE_MAX) return false;
    const size_t text_max = (size_t)said + 1;
    char *text = malloc(text_max);
    *why = "out of memory";
    if (text == NULL) return false;
    const ssize_t size = regular_read(fd, 0, text, text_max);
    *why = size < 0 ? strerror(errno) : "it grows";
    const bool ok =
        size >= 0 && size < (ssize_t)text_max && worker_file_from_json(text, (size_t)size, w, why);
    free(text);
    return ok;
}

static int64_t modified_ns_of(int fd) {
    struct stat status;
    if (fstat(fd, &status) != 0) return 0;
    return (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
}

/* Read a file once. On failure errno is that of opening it, or 0. */
static bool read_once(int folder_fd, const char *path, worker_file *w, const char **why) {
    uint64_t said;
    const int fd = regular_open(folder_fd, path, 0, &said);
    if (fd < 0) {
        *why = errno == EINVAL ? "it is not a regular file" : strerror(errno);
        return false;
    }
    const int64_t modified_ns = modified_ns_of(fd);
    const bool ok = read_open(fd, said, w, why);
    if (ok) w->modified_ns = modified_ns;
    close(fd);
    errno = 0;
    return ok;
}

bool worker_file_read(int folder_fd, const char *path, worker_file *w, const char **why) {
    if (read_once(folder_fd, path, w, why)) return true;
    return (errno == ENOENT || errno == ESTALE) && read_once(folder_fd, path, w, why);
}

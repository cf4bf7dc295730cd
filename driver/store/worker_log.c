/* Logs of searches have one writer each, which appends lines, so that a kill loses none.
 *
 * Nobody locks one. What counts are the newest whole line of each kind and the one before the
 * newest `alive`, for the rate; a log that has become large is written anew with these, by a
 * rename.
 *
 * A search counts the ended logs of its name on its host, so that a loop leaves one. It claims each
 * by renaming it to FILE.PID-START, where FILE is its own log, which only one search can do. Its
 * own first lines, `earlier`, which has the totals of all of them, and `start`, wait in memory, and
 * are written at once. A claimed log counts until FILE is there, and never from then on: so each
 * run counts once at any instant. */
#include "worker_log.h"

#include "atomic_file.h"
#include "bytes.h"
#include "files.h"
#include "json_values.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

/* ---- The lines that count ---- */

typedef enum line_kind { EARLIER, START, BEST, BEFORE, ALIVE, DONE, KINDS } line_kind;

static const char *const beginnings[KINDS] = {
    [EARLIER] = "{\"event\":\"earlier\"", [START] = "{\"event\":\"start\"",
    [BEST] = "{\"event\":\"best\"",       [BEFORE] = "{\"event\":\"alive\"",
    [ALIVE] = "{\"event\":\"alive\"",     [DONE] = "{\"event\":\"done\"",
};

/* A whole line, with its newline, and its object. */
typedef struct log_line {
    const char *at; /* NULL: none */
    size_t size;
    json_t *object; /* owned */
} log_line;

/* Return the last line before `end` that begins like this, unparsed: a line that was cut short by a
 * full disk or a kill has no sense, even if others follow it. */
static log_line last_like(const char *bytes, const char *end, const char *beginning) {
    const size_t needed = strlen(beginning);
    log_line found = {.at = NULL};
    for (const char *at = bytes, *next; at < end; at = next) {
        next = memchr(at, '\n', (size_t)(end - at));
        if (next == NULL) break;
        const size_t size = (size_t)(++next - at);
        if (size > needed && memcmp(at, beginning, needed) == 0) found = (log_line){at, size, NULL};
    }
    return found;
}

static log_line last_whole(const char *bytes, const char *end, const char *beginning) {
    log_line found;
    do {
        found = last_like(bytes, end, beginning);
        end = found.at;
        if (found.at != NULL)
            found.object = json_loadb(found.at, found.size, JSON_REJECT_DUPLICATES, NULL);
    } while (found.at != NULL && found.object == NULL);
    return found;
}

/* Find the newest line of each kind; BEFORE is the one before the last ALIVE. */
static void find_lines(const char *bytes, size_t size, log_line found[KINDS]) {
    for (line_kind kind = EARLIER; kind < KINDS; kind++)
        found[kind] = last_whole(bytes, bytes + size, beginnings[kind]);
    json_decref(found[BEFORE].object);
    found[BEFORE] = (log_line){.at = NULL};
    if (found[ALIVE].at != NULL)
        found[BEFORE] = last_whole(bytes, found[ALIVE].at, beginnings[BEFORE]);
}

static double number_of(const json_t *o, const char *name) {
    const double value = json_number_value(json_object_get(o, name));
    return value > 0 && value <= 1e15 ? value : 0;
}

static worker_state state_of(const json_t *done) {
    const char *word = json_text(done, "outcome");
    if (word == NULL) return WORKER_RUNNING;
    return text_equal(word, "fail")    ? WORKER_FOUND
           : text_equal(word, "pass")  ? WORKER_PASSED
           : text_equal(word, "error") ? WORKER_FAILED
                                       : WORKER_STOPPED;
}

/* Return the line that has the best: the end, or the last `best` unless the newest sign of life
 * says that there is none. */
static const json_t *best_line(const json_t *const part[KINDS]) {
    if (part[DONE] != NULL) return part[DONE];
    return json_is_null(json_object_get(part[ALIVE], "best_size")) ? NULL : part[BEST];
}

static bool read_best(const json_t *line, worker_best *to) {
    const char *seed = json_text(line, "seed"), *identity = json_text(line, "identity");
    if (identity == NULL) return true;
    to->is_known = true;
    to->input.style = SEED_GIVEN; /* the bytes of a guided run have no seed */
    if (seed != NULL && !seed_text_parse(seed, &to->input)) return false;
    to->input.size = json_count(line, "size");
    to->site = json_text(line, "site");
    return signature_parse(identity, &to->signature) && to->input.size <= INPUT_SIZE_MAX;
}

static bool read_target(const json_t *start, worker_target *t) {
    const json_t *args = json_object_get(start, "args");
    const char *expand = json_text(start, "expand");
    const size_t count = json_array_size(args);
    *t = (worker_target){.sut = json_text(start, "sut"),
                         .digest = json_text(start, "digest"),
                         .args = memory_zeroed(count + 1, sizeof *t->args),
                         .filter = json_text(start, "filter")};
    if (t->sut == NULL || expand == NULL) return false;
    if (t->filter == NULL) t->filter = "";
    for (size_t i = 0; i < count; i++) {
        t->args[i] = json_string_value(json_array_get(args, i));
        if (t->args[i] == NULL) return false;
    }
    for (seed_expansion e = EXPAND_UNIFORM; e <= EXPAND_BOTH; e++) {
        if (text_equal(expand, seed_text_expansion(e))) t->expand = e;
    }
    return true;
}

static worker_totals totals_of(const json_t *line) {
    return (worker_totals){.runs = json_count(line, "runs"),
                           .discarded = json_count(line, "discarded"),
                           .reruns = json_count(line, "reruns"),
                           .restarts = json_count(line, "searches"),
                           .errors = json_count(line, "errors"),
                           .seconds = number_of(line, "seconds")};
}

static worker_evidence evidence_in(const json_t *line) {
    return (worker_evidence){json_count(line, "below"), json_count(line, "passed"),
                             json_count(line, "counted"), json_count(line, "stretches")};
}

/* Return what the field `tested` of an event says of each size; of an older one nothing. */
static claim_levels levels_of(const json_t *tested) {
    const json_t *list = json_object_get(tested, "levels"), *level;
    claim_levels levels = {.count = 0};
    size_t i;
    json_array_foreach(list, i, level) {
        const json_t *bound = json_object_get(level, "bound");
        const claim_level l = {json_count(level, "size"), json_count(level, "runs"),
                               json_count(level, "counted"),
                               json_is_number(bound) ? json_number_value(bound) : 1};
        if (levels.count == CLAIM_LEVELS_MAX || l.counted > l.runs) return levels;
        levels.list[levels.count++] = l;
    }
    return levels;
}

void worker_totals_add(worker_totals *to, const worker_totals *more) {
    to->runs = sum(to->runs, more->runs);
    to->discarded = sum(to->discarded, more->discarded);
    to->reruns = sum(to->reruns, more->reruns);
    to->restarts = sum(to->restarts, more->restarts);
    to->errors = sum(to->errors, more->errors);
    to->seconds += more->seconds;
}

/* Add passes at the same size, and all stretches. */
static void add_evidence(worker_evidence *to, const worker_evidence *more) {
    to->stretches = sum(to->stretches, more->stretches);
    if (to->below != more->below) return;
    to->passed = sum(to->passed, more->passed);
    to->counted = sum(to->counted, more->counted);
}

static double rate_of_lines(const json_t *const part[KINDS]) {
    const json_t *end = part[DONE] != NULL ? part[DONE] : part[ALIVE];
    const json_t *from = part[DONE] != NULL ? NULL : part[BEFORE];
    const double seconds = number_of(end, "seconds") - number_of(from, "seconds");
    const double runs = (double)(json_count(end, "runs") + json_count(end, "reruns")) -
                        (double)(json_count(from, "runs") + json_count(from, "reruns"));
    return seconds > 0 && runs > 0 ? runs / seconds : 0;
}

/* Return the name of a worker, as whose file NAME.HOST-PID-START shows it; a search that was given
 * none is called by the rest. */
static char *name_of_worker(const worker_report *r) {
    char *middle = memory_text(".%s-%" PRIu64 "-", r->host, r->pid);
    const char *at = strstr(r->file, middle);
    free(middle);
    if (at == NULL || at == r->file) return memory_text("%s", r->file);
    const bool is_usual = strncmp(r->file, "worker.", strlen("worker.")) == 0;
    return is_usual ? memory_text("%s", at + 1) : memory_text("%.*s", (int)(at - r->file), r->file);
}

/* Set what the lines say. False if they make no sense. */
static bool read_lines(const json_t *const part[KINDS], worker_report *r) {
    const json_t *start = part[START], *last = part[DONE] != NULL ? part[DONE] : part[ALIVE];
    const json_t *sign = part[ALIVE] != NULL ? part[ALIVE] : start;
    const char *seed = json_text(start, "rng_seed");
    const worker_totals earlier = totals_of(part[EARLIER]);
    const worker_evidence proved = evidence_in(part[EARLIER]);
    r->host = json_text(start, "host") != NULL ? json_text(start, "host") : "";
    r->pid = json_count(start, "pid");
    r->updated = json_text(sign, "when");
    r->state = state_of(part[DONE]);
    r->every = number_of(sign, "every");
    r->rng_seed = seed != NULL ? strtoull(seed, NULL, 10) : 0;
    r->jobs = (unsigned)smaller(json_count(start, "jobs"), UINT32_MAX);
    r->totals = totals_of(last);
    r->rate = rate_of_lines(part);
    r->evidence = evidence_in(last);
    r->levels = levels_of(json_object_get(last, "tested"));
    worker_totals_add(&r->totals, &earlier);
    add_evidence(&r->evidence, &proved);
    if (!read_best(best_line(part), &r->best)) return false;
    return read_target(start, &r->target) && r->every > 0 &&
           r->evidence.counted <= r->evidence.passed &&
           (r->evidence.counted == 0 || r->evidence.stretches > 0);
}

bool worker_report_parse(const char *file, const char *bytes, size_t size, worker_report *r,
                         const char **why) {
    log_line found[KINDS];
    const json_t *part[KINDS];
    json_t *owned = json_array();
    find_lines(bytes, size, found);
    for (line_kind kind = EARLIER; kind < KINDS; kind++) {
        part[kind] = found[kind].object;
        if (part[kind] != NULL) json_array_append_new(owned, found[kind].object);
    }
    *r = (worker_report){.owned = owned, .file = memory_text("%s", file)};
    *why = "it is not the log of a search";
    const bool ok = part[START] != NULL && read_lines(part, r);
    if (ok)
        r->name = name_of_worker(r);
    else
        worker_report_free(r);
    return ok;
}

void worker_report_free(worker_report *r) {
    free(r->target.args);
    free(r->file);
    free(r->name);
    json_decref(r->owned);
    memset(r, 0, sizeof *r);
}

bool worker_report_is_silent(const worker_report *r, int64_t now_ns) {
    const double age = (double)(now_ns - r->modified_ns) / 1e9;
    return r->state == WORKER_RUNNING && age > 3 * r->every;
}

/* ---- A folder of logs ---- */

static void name_of(const char *file, char name[NAME_MAX + 1]) {
    snprintf(name, NAME_MAX + 1, "%.240s" WORKER_SUFFIX, file);
}

/* Return the name of a log without its suffix, which the caller frees. NULL: it is no log. */
static char *file_of(const char *name) {
    const size_t length = strlen(name), suffix = strlen(WORKER_SUFFIX);
    const bool is_log =
        name[0] != '.' && length > suffix && strcmp(name + length - suffix, WORKER_SUFFIX) == 0;
    return is_log ? memory_text("%.*s", (int)(length - suffix), name) : NULL;
}

/* Read one log. False: *why says why, or is NULL if it is not there any more. */
static bool read_log(int folder_fd, const char *name, const char *file, worker_report *r,
                     const char **why) {
    size_t size;
    struct stat status;
    char *bytes = atomic_file_read(folder_fd, name, WORKER_FILE_SIZE_MAX, &size, why);
    const bool has_time = fstatat(folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    const bool is_gone = bytes == NULL && !has_time && errno == ENOENT;
    const bool ok = bytes != NULL && worker_report_parse(file, bytes, size, r, why);
    free(bytes);
    if (is_gone) *why = NULL;
    if (ok && has_time)
        r->modified_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
    return ok;
}

static int by_file(const void *a, const void *b) {
    return strcmp(((const worker_report *)a)->file, ((const worker_report *)b)->file);
}

void worker_reports_free(worker_reports *all) {
    for (size_t i = 0; i < all->count; i++) worker_report_free(&all->list[i]);
    free(all->list);
    *all = (worker_reports){.list = NULL};
}

/* True if a log of the list has claimed this one, and counts it. */
static bool is_counted(const worker_reports *all, const worker_report *r) {
    char owner[NAME_MAX + 1];
    const char *dot = strrchr(r->file, '.');
    snprintf(owner, sizeof owner, "%.*s", dot != NULL ? (int)(dot - r->file) : 0, r->file);
    const worker_report key = {.file = owner};
    return bsearch(&key, all->list, all->count, sizeof key, by_file) != NULL;
}

/* Drop the logs that others count, and remove them if the folder is not -1. Return 0 or an errno:
 * some are still there. */
static int drop_counted(worker_reports *all, int folder_fd) {
    char name[NAME_MAX + 1];
    size_t kept = 0;
    int error = 0;
    for (size_t i = 0; i < all->count; i++)
        all->list[i].is_counted = is_counted(all, &all->list[i]);
    for (size_t i = 0; i < all->count; i++) {
        worker_report *r = &all->list[i];
        name_of(r->file, name);
        if (!r->is_counted) {
            all->list[kept++] = *r;
            continue;
        }
        if (folder_fd >= 0 && unlinkat(folder_fd, name, 0) != 0 && errno != ENOENT) error = errno;
        worker_report_free(r);
    }
    all->count = kept;
    return error;
}

static int read_all(int folder_fd, worker_reports *all,
                    void (*skip)(void *context, const char *name, const char *why), void *context) {
    const int fd = openat(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;
    int error = entries == NULL ? errno : 0;
    if (entries == NULL && fd >= 0) close(fd);
    while (error == 0 && (errno = 0, (entry = readdir(entries)) != NULL)) {
        worker_report r;
        const char *why;
        char *file = file_of(entry->d_name);
        if (file == NULL) continue;
        if (read_log(folder_fd, entry->d_name, file, &r, &why)) {
            all->list = with_room(all->list, all->count, sizeof r);
            all->list[all->count++] = r;
        } else if (why != NULL && skip != NULL) {
            skip(context, entry->d_name, why);
        }
        free(file);
    }
    if (error == 0 && errno != 0) error = errno;
    if (entries != NULL) closedir(entries);
    if (all->count > 0) qsort(all->list, all->count, sizeof *all->list, by_file);
    return error;
}

int worker_reports_read(const char *folder, worker_reports *all,
                        void (*skip)(void *context, const char *name, const char *why),
                        void *context) {
    *all = (worker_reports){.list = NULL};
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return errno == ENOENT ? 0 : errno;
    int error = read_all(fd, all, skip, context);
    close(fd);
    if (error == 0) error = drop_counted(all, -1);
    return error;
}

/* ---- The logs of earlier searches ---- */

static bool is_alive(uint64_t pid) {
    char process[64];
    snprintf(process, sizeof process, "/proc/%" PRIu64, pid);
    return access(process, F_OK) == 0;
}

/* True if a log is of an ended search of this name and host. *id is the rest of the name of its
 * file, PID-START; a log that was claimed has more than that. A search that was killed has ended
 * once it is silent, and its process is not there. */
static bool has_ended(const worker_report *r, const worker_self *self, const char **id) {
    char *start = memory_text("%s.%s-%" PRIu64 "-", self->name, self->host, r->pid);
    const size_t length = strlen(start);
    const bool is_like = strncmp(r->file, start, length) == 0 &&
                         strspn(r->file + length, "0123456789") == strlen(r->file + length);
    free(start);
    *id = r->file + strlen(self->name) + strlen(self->host) + 2;
    if (!is_like || r->pid == (uint64_t)self->pid) return false;
    if (r->state != WORKER_RUNNING) return true;
    return worker_report_is_silent(r, (int64_t)time(NULL) * 1000000000) && !is_alive(r->pid);
}

/* What the claimed logs come to: their searches are `restarts`. */
typedef struct earlier {
    worker_totals totals;
    worker_evidence evidence;
} earlier;

/* Add a log. Passes prove nothing more if they are of another target, of the same seeds, or below
 * no best; the smaller best decides at which size they count. */
static void fold(earlier *e, const worker_report *r, const worker_self *self) {
    const bool is_evidence = worker_target_equal(&r->target, self->target) &&
                             r->rng_seed != self->rng_seed && r->best.is_known;
    worker_evidence v = is_evidence ? r->evidence : (worker_evidence){.below = 0};
    worker_totals_add(&e->totals, &r->totals);
    e->totals.restarts = sum(e->totals.restarts, 1);
    if (v.stretches == 0) return;
    if (e->evidence.stretches == 0 || v.below < e->evidence.below) {
        const worker_evidence other = e->evidence;
        e->evidence = v;
        v = other;
    }
    add_evidence(&e->evidence, &v);
}

/* Return the line that has them, which the caller frees. */
static char *earlier_line(const earlier *e) {
    const worker_totals *t = &e->totals;
    const worker_evidence *v = &e->evidence;
    return memory_text("%s,\"searches\":%" PRIu64 ",\"runs\":%" PRIu64 ",\"discarded\":%" PRIu64
                       ",\"reruns\":%" PRIu64 ",\"errors\":%" PRIu64
                       ",\"seconds\":%.3f,\"below\":%" PRIu64 ",\"passed\":%" PRIu64
                       ",\"counted\":%" PRIu64 ",\"stretches\":%" PRIu64 "}\n",
                       beginnings[EARLIER], t->restarts, t->runs, t->discarded, t->reruns,
                       t->errors, t->seconds, v->below, v->passed, v->counted, v->stretches);
}

/* Claim the ended logs. A call that fails may have done it, and another search may be faster. */
static int claim_ended(const worker_log *l, int folder_fd, const worker_self *self) {
    worker_reports all = {.list = NULL};
    int error = read_all(folder_fd, &all, NULL, NULL); /* what cannot be read stays as it is */
    if (error == 0) error = drop_counted(&all, folder_fd);
    for (size_t i = 0; error == 0 && i < all.count; i++) {
        char from[NAME_MAX + 1], to[NAME_MAX + 1];
        const char *id;
        if (!has_ended(&all.list[i], self, &id)) continue;
        name_of(all.list[i].file, from);
        snprintf(to, sizeof to, "%.200s.%.40s" WORKER_SUFFIX, l->file, id);
        renameat(folder_fd, from, folder_fd, to);
    }
    worker_reports_free(&all);
    return error;
}

/* True if the log has claimed a file. */
static bool has_claimed(const worker_log *l, const char *file) {
    const size_t length = strlen(l->file);
    return strncmp(file, l->file, length) == 0 && file[length] == '.';
}

static void hear_unread(void *context, const char *name, const char *why) {
    worker_log *l = context;
    (void)why;
    l->is_partial |= has_claimed(l, name) && strcmp(name + strlen(l->file), WORKER_SUFFIX) != 0;
}

/* Claim the ended logs, and set *line to the one that has the totals of all that this log has
 * claimed, or to NULL. Return 0 or an errno: they count by themselves then. */
static int take_ended(worker_log *l, int folder_fd, const worker_self *self, char **line) {
    earlier e = {.totals = {.runs = 0}};
    worker_reports all = {.list = NULL};
    int error = claim_ended(l, folder_fd, self);
    if (error == 0) error = read_all(folder_fd, &all, hear_unread, l);
    for (size_t i = 0; i < all.count; i++)
        if (has_claimed(l, all.list[i].file)) fold(&e, &all.list[i], self);
    worker_reports_free(&all);
    if (error == 0 && l->is_partial) error = EIO;
    l->has_claimed = error == 0 && e.totals.restarts > 0;
    if (l->has_claimed) *line = earlier_line(&e);
    return error;
}

/* ---- The log of this search ---- */

static int open_log_folder(const char *folder) {
    enum { FLAGS = O_RDONLY | O_DIRECTORY | O_CLOEXEC };
    const int fd = open(folder, FLAGS);
    if (fd >= 0 || errno != ENOENT || (mkdir(folder, 0777) != 0 && errno != EEXIST)) return fd;
    return open(folder, FLAGS);
}

/* Write the log with these bytes, and go on appending to it. Return 0 or an errno. */
static int write_log(worker_log *l, int folder_fd, const char *bytes, size_t size) {
    char name[NAME_MAX + 1];
    struct stat made;
    name_of(l->file, name);
    int error = atomic_file_replace(folder_fd, name, bytes, size, &made);
    if (error != 0) return error;
    const int fd = openat(folder_fd, name, O_RDWR | O_APPEND | O_CLOEXEC);
    if (fd < 0) return errno;
    if (l->fd > 0) close(l->fd);
    l->fd = fd;
    return 0;
}

void worker_log_close(worker_log *l) {
    if (l->fd > 0) close(l->fd);
    free(l->folder);
    free(l->file);
    *l = (worker_log){.fd = 0};
}

int worker_log_open(worker_log *l, const char *folder, const worker_self *self) {
    char *line = NULL;
    *l = (worker_log){.folder = memory_text("%s", folder),
                      .file = memory_text("%.*s.%.64s-%ld-%" PRId64, WORKER_NAME_MAX, self->name,
                                          self->host, (long)self->pid, self->start_s)};
    const int fd = open_log_folder(folder);
    if (fd < 0) return errno;
    int error = take_ended(l, fd, self, &line);
    close(fd);
    if (error == 0 && (l->fd = memfd_create("log", MFD_CLOEXEC)) < 0) error = errno;
    if (error == 0 && line != NULL) error = stream_write_all(l->fd, line, strlen(line));
    free(line);
    if (error != 0) worker_log_close(l);
    return error;
}

/* Return the lines of the log that count, which the caller frees, and their size. */
static char *shorten(const worker_log *l, size_t *size) {
    struct stat status;
    if (fstat(l->fd, &status) != 0) return NULL;
    char *bytes = memory_new((size_t)status.st_size + 1), *text = NULL;
    const ssize_t count = regular_read(l->fd, 0, bytes, (size_t)status.st_size);
    log_line found[KINDS];
    find_lines(bytes, count > 0 ? (size_t)count : 0, found);
    FILE *out = count > 0 ? memory_stream(&text, size) : NULL;
    for (line_kind kind = EARLIER; kind < KINDS; kind++) {
        if (out != NULL && found[kind].at != NULL) fwrite(found[kind].at, 1, found[kind].size, out);
        json_decref(found[kind].object);
    }
    if (out != NULL) memory_close(out, &text);
    free(bytes);
    return text;
}

/* True if the log is small, and at its path. */
static bool is_well(const worker_log *l) {
    struct stat own, there;
    char *path = memory_text("%s/%s" WORKER_SUFFIX, l->folder, l->file);
    const bool ok = fstat(l->fd, &own) == 0 && own.st_size <= WORKER_LOG_MAX &&
                    stat(path, &there) == 0 && own.st_ino == there.st_ino &&
                    own.st_dev == there.st_dev;
    free(path);
    return ok;
}

/* Remove what the log has claimed, once it is there. */
static void remove_claimed(worker_log *l, int folder_fd) {
    worker_reports all = {.list = NULL};
    if (!l->has_claimed) return;
    int error = read_all(folder_fd, &all, NULL, NULL);
    if (error == 0) error = drop_counted(&all, folder_fd);
    worker_reports_free(&all);
    l->has_claimed = error != 0;
}

int worker_log_keep(worker_log *l) {
    size_t size = 0;
    if (l->fd <= 0 || (!l->has_claimed && is_well(l))) return 0;
    const int fd = open_log_folder(l->folder);
    if (fd < 0) return errno;
    char *text = shorten(l, &size);
    const int error = text != NULL ? write_log(l, fd, text, size) : ENOMEM;
    if (error == 0) remove_claimed(l, fd);
    free(text);
    close(fd);
    return error;
}

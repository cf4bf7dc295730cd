/* The report of a search in workers/NAME.json.
 *
 * A report is written at the start, at each sign of life and at the end, each time as a whole
 * file. A search adds its own totals to those that an earlier one of its name left, so a kill and
 * a restart never lower them. If the earlier search still lives on this machine, this one goes on
 * as NAME-PID. If another search has written over the report meanwhile, it has added our last
 * totals to its own: we go on as NAME-PID, and what we reported is taken from all that follows.
 * Totals that two files could both count are lost rather than counted twice. */
#include "beacon.h"

#include "clock.h"
#include "files.h"
#include "frng.h"
#include "messages.h"
#include "screen.h"
#include "session.h"
#include "worker_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where the report is. Each version is written beside and renamed, so that readers see a whole one.
 * It is not synced: after a loss of power the past is gone, but no finding is. All calls are by
 * path, so that a folder which went away and came back is used again. */
typedef struct place {
    char *folder;    /* DIR/workers */
    char *path;      /* DIR/workers/NAME.json */
    char *temporary; /* its name until it is whole */
    dev_t device;    /* of the version that was read or written here; inode 0: none */
    ino_t inode;
} place;

struct beacon {
    const session *session;
    place place;
    worker_file file; /* as it was reported last */
    /* Added to what this search did: that of earlier ones, less what another file counts. */
    worker_totals base;
    struct {
        uint64_t stretches, below;
        int64_t passed, counted; /* at the size `below` */
    } proved;
    meter meter;
    progress progress;    /* of this search, the last one seen */
    uint64_t errors;      /* of this search */
    int64_t reported_ns;  /* when (clock_now_ns) */
    int64_t every_ns;     /* within which the next report is promised */
    int64_t usual_ns;     /* the same while there is news */
    bool has_failed_once; /* the file could not be written, and a message said so */
    bool has_ended;
    char *filter; /* owns file.target.filter */
    char name[WORKER_NAME_MAX + 1], host[256], started[SUMMARY_UTC_MAX], updated[SUMMARY_UTC_MAX],
        site[SITE_MAX];
};

/* ---- The place ---- */

__attribute__((format(printf, 1, 2))) static char *print(const char *format, ...) {
    char *text;
    va_list list;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0) text = NULL;
    va_end(list);
    return text;
}

static void place_finish(place *p) {
    free(p->folder);
    free(p->path);
    free(p->temporary);
}

/* Choose the place of `name`. Touches no file. False when out of memory. */
static bool place_init(place *p, const char *findings, const char *name) {
    uint64_t number;
    randombytes_buf(&number, sizeof number);
    *p = (place){.folder = print("%s/" WORKER_FOLDER, findings)};
    p->path = print("%s/" WORKER_FOLDER "/%s" WORKER_SUFFIX, findings, name);
    p->temporary =
        print("%s/" WORKER_FOLDER "/.%s" WORKER_SUFFIX ".%016" PRIx64, findings, name, number);
    if (p->folder != NULL && p->path != NULL && p->temporary != NULL) return true;
    place_finish(p);
    *p = (place){.folder = NULL};
    return false;
}

static bool place_is_taken(const place *p) {
    struct stat status;
    return lstat(p->path, &status) == 0 &&
           (status.st_dev != p->device || status.st_ino != p->inode);
}

/* Write a version beside, and rename it. Return 0 or an errno. */
static int place_write(place *p, const char *text) {
    struct stat status;
    const int fd = open(p->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0) return errno;
    int error = stream_write_all(fd, text, strlen(text));
    if (error == 0 && fstat(fd, &status) != 0) error = errno;
    if (close(fd) != 0 && error == 0) error = errno;
    if (error == 0 && rename(p->temporary, p->path) != 0) error = errno;
    if (error != 0) {
        unlink(p->temporary);
        return error;
    }
    p->device = status.st_dev;
    p->inode = status.st_ino;
    return 0;
}

/* ---- Totals ---- */

static worker_totals sum_of(const worker_totals *a, const worker_totals *b) {
    return (worker_totals){.runs = a->runs + b->runs,
                           .reruns = a->reruns + b->reruns,
                           .restarts = a->restarts + b->restarts,
                           .errors = a->errors + b->errors,
                           .seconds = a->seconds + b->seconds};
}

static worker_totals own_totals(const beacon *b) {
    return (worker_totals){.runs = b->progress.runs,
                           .reruns = b->progress.reruns,
                           .errors = b->errors + keeper_count(b->session->keeper).errors,
                           .seconds = (double)b->progress.elapsed_ns / CLOCK_NS_PER_S};
}

static uint64_t plus(uint64_t own, int64_t base) {
    return base < 0 && (uint64_t)-base > own ? 0 : own + (uint64_t)base;
}

/* Return the evidence of this search, with that of earlier ones at the same size, and without what
 * another file counts. */
static worker_evidence evidence_of(const beacon *b) {
    const run_claim *c = &b->progress.claim;
    const bool is_same = b->file.best.is_known && b->proved.below == c->below;
    worker_evidence e = {.below = c->below,
                         .passed = plus(c->passed, is_same ? b->proved.passed : 0),
                         .counted = plus(c->counted, is_same ? b->proved.counted : 0),
                         .stretches = c->stretches + b->proved.stretches};
    if (e.counted > e.passed) e.counted = e.passed; /* pairs count, and passed one by one */
    return e;
}

/* ---- The file ---- */

static void set_best(beacon *b, const failure *f) {
    worker_best *best = &b->file.best;
    *best = (worker_best){.is_known = f != NULL};
    if (f == NULL) return;
    best->input = f->input;
    best->signature = f->signature;
    snprintf(b->site, sizeof b->site, "%s", f->site);
    best->site = b->site[0] != '\0' ? b->site : NULL;
}

static double rate_of_all(const worker_totals *t) {
    return t->seconds > 0 ? (double)(t->runs + t->reruns) / t->seconds : 0;
}

/* Fill the file with what is known now. */
static void fill(beacon *b) {
    worker_file *f = &b->file;
    const worker_totals own = own_totals(b);
    f->updated = tool_call_utc(b->updated);
    f->every = (double)b->every_ns / CLOCK_NS_PER_S;
    f->target.digest = b->session->target.sut.digest; /* the program may have been rebuilt */
    f->totals = sum_of(&b->base, &own);
    if (f->totals.seconds < 0) f->totals.seconds = 0;
    f->rate = b->has_ended ? rate_of_all(&own)
                           : meter_rate(&b->meter, b->progress.elapsed_ns, own.runs + own.reruns);
    f->evidence = evidence_of(b);
}

static void print_unwritten(beacon *b, int error) {
    b->errors++;
    if (b->has_failed_once) return;
    b->has_failed_once = true;
    message_error(error, "%s: cannot be written; the search goes on", b->place.path);
}

static void write_file(beacon *b) {
    fill(b);
    char *text = worker_file_to_json(&b->file);
    int error = text != NULL ? place_write(&b->place, text) : ENOMEM;
    if (error == ENOENT || error == ESTALE) {
        error = mkdir(b->place.folder, 0777) != 0 && errno != EEXIST ? errno
                                                                     : place_write(&b->place, text);
    }
    free(text);
    if (error != 0) print_unwritten(b, error);
}

/* ---- Names ---- */

/* Go on as NAME-PID. */
static void choose_another_name(beacon *b) {
    char longer[sizeof b->name + 32], name[sizeof b->name];
    place other;
    snprintf(longer, sizeof longer, "%.180s-%ld", b->name, (long)getpid());
    worker_name_clean(longer, name);
    if (!place_init(&other, b->session->options->findings, name)) return;
    place_finish(&b->place);
    b->place = other;
    memcpy(b->name, name, sizeof b->name);
}

static void leave_name(beacon *b) {
    message(
        "worker %s: another search reports under this name too, and this one goes on as %s-%ld; "
        "give each search its own --worker",
        b->name, b->name, (long)getpid());
    choose_another_name(b);
}

/* Another search reports in our place. It has added what we had reported to its totals: from now on
 * we report only the rest. */
static void give_way(beacon *b) {
    const worker_totals *told = &b->file.totals;
    const worker_evidence *e = &b->file.evidence;
    b->base.runs -= told->runs;
    b->base.reruns -= told->reruns;
    b->base.restarts -= told->restarts;
    b->base.errors -= told->errors;
    b->base.seconds -= told->seconds;
    if (b->proved.below != e->below) b->proved.passed = b->proved.counted = 0;
    b->proved.below = e->below;
    b->proved.passed -= (int64_t)e->passed;
    b->proved.counted -= (int64_t)e->counted;
    leave_name(b);
}

/* True if the search that reports runs on this machine. One on another machine is seen only when it
 * writes over our report. */
static bool is_alive(const beacon *b, const worker_file *before) {
    char path[64];
    const worker_process *p = &before->process;
    snprintf(path, sizeof path, "/proc/%lld", (long long)p->pid);
    return before->state == WORKER_RUNNING && strcmp(p->host, b->host) == 0 && p->pid != getpid() &&
           access(path, F_OK) == 0;
}

/* Add to what an earlier search of this name reported. Its passes add up if they are of the same
 * target, and of other seeds. */
static void add_to(beacon *b, const worker_file *before) {
    const worker_evidence *e = &before->evidence;
    b->base = before->totals;
    b->base.restarts++;
    if (before->rng_seed == b->file.rng_seed) return;
    if (!worker_target_equal(&before->target, &b->file.target)) return;
    b->proved.below = e->below;
    b->proved.stretches = e->stretches;
    b->proved.passed = (int64_t)e->passed;
    b->proved.counted = (int64_t)e->counted;
}

/* A file that cannot be read stays as it is. */
static void look_back(beacon *b) {
    worker_file before;
    struct stat status;
    const char *why;
    if (lstat(b->place.path, &status) == 0) {
        b->place.device = status.st_dev;
        b->place.inode = status.st_ino;
    }
    if (worker_file_read(AT_FDCWD, b->place.path, &before, &why)) {
        is_alive(b, &before) ? leave_name(b) : add_to(b, &before);
        worker_file_free(&before);
    } else if (why != NULL) {
        message("%s: cannot be read: %s; this search reports as %s-%ld", b->place.path, why,
                b->name, (long)getpid());
        choose_another_name(b);
    }
}

/* Name the search by its host, its process and its start. The time has no colons, which some file
 * systems do not take: 20261122T083000Z. */
static void choose_usual_name(beacon *b) {
    char text[sizeof b->host + sizeof b->started + 32], start[sizeof b->started];
    size_t length = 0;
    for (const char *at = b->started; *at != '\0'; at++) {
        if (*at != '-' && *at != ':') start[length++] = *at;
    }
    start[length] = '\0';
    snprintf(text, sizeof text, "%.120s-%ld-%s", b->host, (long)getpid(), start);
    worker_name_clean(text, b->name);
}

static void describe(beacon *b, const session *s) {
    b->file = (worker_file){
        .format = WORKER_FORMAT,
        .name = b->name,
        .process = {.host = b->host, .pid = getpid(), .started = b->started},
        .target = {.sut = s->target.subject.sut,
                   .digest = s->target.sut.digest,
                   .args = (const char **)s->target.subject.args,
                   .filter = b->filter,
                   .expand = s->setup.expand},
        .version = FRNG_VERSION,
        .rng_seed = s->setup.rng_seed,
        .jobs = s->setup.jobs,
    };
}

beacon *beacon_create(const session *s) {
    const tool_options *o = s->options;
    const bool is_asked = o->findings != NULL && (o->sync_ns > 0 || o->worker != NULL);
    beacon *b = is_asked ? calloc(1, sizeof *b) : NULL;
    if (b == NULL) return NULL;
    b->session = s;
    b->usual_ns = o->sync_ns > 0 ? o->sync_ns : BEACON_EVERY_S * CLOCK_NS_PER_S;
    b->every_ns = b->usual_ns;
    snprintf(b->host, sizeof b->host, "%s", s->setup.call.host != NULL ? s->setup.call.host : "");
    tool_call_utc(b->started);
    o->worker != NULL ? worker_name_clean(o->worker, b->name) : choose_usual_name(b);
    b->filter = filter_options_text(s->setup.filter);
    if (b->filter == NULL || !place_init(&b->place, o->findings, b->name)) {
        beacon_destroy(b);
        return NULL;
    }
    describe(b, s);
    look_back(b);
    b->reported_ns = clock_now_ns();
    write_file(b);
    return b;
}

void beacon_destroy(beacon *b) {
    if (b == NULL) return;
    place_finish(&b->place);
    free(b->filter);
    free(b);
}

/* ---- Reporting ---- */

void beacon_sign(beacon *b, int64_t every_ns) {
    if (b == NULL) return;
    const bool is_often = b->usual_ns < BEACON_EVERY_S * CLOCK_NS_PER_S;
    b->every_ns = is_often && every_ns > b->usual_ns ? b->usual_ns : every_ns;
    b->reported_ns = clock_now_ns();
    if (place_is_taken(&b->place)) give_way(b);
    write_file(b);
}

static void take_progress(beacon *b, const progress *p) {
    b->progress = *p;
    b->progress.best = NULL; /* it lives only during the event */
    set_best(b, p->best);
    meter_add(&b->meter, p->elapsed_ns, p->runs + p->reruns);
}

void beacon_take(beacon *b, const event *e) {
    if (b == NULL || e->kind != EVENT_PROGRESS) return;
    take_progress(b, &e->progress);
    beacon_beat(b);
}

void beacon_beat(beacon *b) {
    if (b == NULL) return;
    const int64_t due_ns = clock_after(b->reported_ns, b->every_ns);
    if (clock_now_ns() >= due_ns) beacon_sign(b, b->every_ns);
}

static worker_state state_of(const summary *s, int signal_number) {
    if (s->end == END_ENVIRONMENT || s->end == END_BROKEN) return WORKER_FAILED;
    if (signal_number != 0 || s->end == END_INTERRUPTED) return WORKER_STOPPED;
    return s->answer == ANSWER_FOUND    ? WORKER_FOUND
           : s->answer == ANSWER_PASSED ? WORKER_PASSED
                                        : WORKER_STOPPED;
}

void beacon_end(beacon *b, const summary *of, int signal_number) {
    if (b == NULL) return;
    b->file.state = state_of(of, signal_number);
    b->has_ended = true;
    if (b->file.state == WORKER_FAILED) b->errors++;
    take_progress(b, &of->progress);
    b->progress.claim = of->claim;
    set_best(b, of->answer == ANSWER_FOUND ? of->best.failure : NULL);
    beacon_sign(b, b->every_ns);
}

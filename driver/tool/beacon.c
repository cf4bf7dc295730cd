/* The report of a search in workers/NAME.json.
 *
 * A report is written at the start, at each sign of life and at the end, each time as a whole file
 * in the folder that is at the path then. A search adds its own totals to those that an earlier one
 * of its name left, so a kill and a restart never lower them. The first report settles the name: if
 * the earlier search still lives, or another one took the name in the same instant, it is NAME-PID.
 * A search whose report is replaced later reports no more: two never write one file in turn, and
 * no run is counted twice. */
#include "beacon.h"

#include "atomic_file.h"
#include "clock.h"
#include "frng.h"
#include "messages.h"
#include "session.h"
#include "worker_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct beacon {
    const session *session;
    char *folder; /* DIR/workers */
    char name[WORKER_NAME_MAX + 1], in_folder[WORKER_NAME_MAX + sizeof WORKER_SUFFIX];
    dev_t device; /* of the version that was read or written here last; inode 0: none */
    ino_t inode;
    worker_file file;       /* as it was reported last */
    worker_totals base;     /* of earlier searches of this name: ours are added */
    worker_evidence proved; /* by them */
    meter meter;
    progress progress;    /* of this search, the last one seen */
    uint64_t errors;      /* of this search */
    int64_t reported_ns;  /* when (clock_now_ns) */
    int64_t every_ns;     /* within which the next report is promised */
    int64_t usual_ns;     /* the same while there is news */
    bool has_looked;      /* for an earlier report of the name */
    bool is_over;         /* another search writes the file */
    bool has_failed_once; /* the file could not be written, and a message said so */
    bool has_ended;
    char *filter; /* owns file.target.filter */
    char updated[SUMMARY_UTC_MAX], site[SITE_MAX];
};

static worker_totals totals_of(const beacon *b) {
    const worker_totals *before = &b->base;
    const progress *own = &b->progress;
    return (worker_totals){.runs = before->runs + own->runs,
                           .reruns = before->reruns + own->reruns,
                           .restarts = before->restarts,
                           .errors =
                               before->errors + b->errors + keeper_count(b->session->keeper).errors,
                           .seconds = before->seconds + (double)own->elapsed_ns / CLOCK_NS_PER_S};
}

/* Return the evidence of this search, with that of earlier ones at the same size. */
static worker_evidence evidence_of(const beacon *b) {
    const run_claim *c = &b->progress.claim;
    const bool is_same = b->file.best.is_known && b->proved.below == c->below;
    worker_evidence e = {.below = c->below, .stretches = c->stretches + b->proved.stretches};
    e.passed = c->passed + (is_same ? b->proved.passed : 0);
    e.counted = c->counted + (is_same ? b->proved.counted : 0);
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

static void fill(beacon *b) {
    worker_file *f = &b->file;
    const meter *since = b->has_ended ? &(meter){.at_ns = {0}} : &b->meter;
    f->updated = tool_call_utc(b->updated);
    f->every = (double)b->every_ns / CLOCK_NS_PER_S;
    f->totals = totals_of(b);
    f->rate = meter_rate(since, b->progress.elapsed_ns, b->progress.runs + b->progress.reruns);
    f->evidence = evidence_of(b);
}

/* ---- Names ---- */

static void choose_name(beacon *b, const char *text) {
    worker_name_clean(text, b->name);
    snprintf(b->in_folder, sizeof b->in_folder, "%s" WORKER_SUFFIX, b->name);
}

/* Go on as NAME-PID. */
static void leave_name(beacon *b, const char *what, const char *why) {
    char longer[sizeof b->name + 32];
    snprintf(longer, sizeof longer, "%.180s-%ld", b->name, (long)getpid());
    message("%s/%s: %s: %s; this search reports as %s", b->folder, b->in_folder, what, why, longer);
    choose_name(b, longer);
}

static const char taken[] = "another search reports under this name too",
                  each[] = "give each its own --worker";

/* True if the search that reports runs: on this machine its process does, and one on another
 * machine gave a sign lately. */
static bool is_alive(const beacon *b, const worker_file *before) {
    char path[64];
    if (before->state != WORKER_RUNNING) return false;
    if (!text_equal(before->host, b->file.host))
        return !worker_file_is_silent(before, (int64_t)time(NULL) * CLOCK_NS_PER_S);
    snprintf(path, sizeof path, "/proc/%" PRIu64, before->pid);
    return before->pid != b->file.pid && access(path, F_OK) == 0;
}

/* Add to what an earlier search of this name reported. Its passes add up if they are of the same
 * target, and of other seeds. */
static void add_to(beacon *b, const worker_file *before) {
    const bool is_same = worker_target_equal(&before->target, &b->file.target);
    b->base = before->totals;
    b->base.restarts++;
    if (is_same && before->rng_seed != b->file.rng_seed) b->proved = before->evidence;
}

/* Settle the name: add to an earlier report of it, whose search has ended. One of a search that
 * lives, or that cannot be read, stays as it is. Containers may have more of one name and PID. */
static void look_back(beacon *b, int fd) {
    enum { NAMES_MAX = 4 };
    for (unsigned names = 1;; names++) {
        worker_file before;
        const char *why;
        struct stat status = {.st_ino = 0};
        fstatat(fd, b->in_folder, &status, AT_SYMLINK_NOFOLLOW);
        b->device = status.st_dev;
        b->inode = status.st_ino;
        const bool is_there = worker_file_read(fd, b->in_folder, &before, &why);
        const bool lives = is_there && is_alive(b, &before);
        if (is_there && !lives) add_to(b, &before);
        if (is_there) worker_file_free(&before);
        if (!lives && (is_there || why == NULL)) return;
        leave_name(b, lives ? taken : "cannot be read", lives ? each : why);
        if (!lives || names == NAMES_MAX) return;
    }
}

/* Another search reports in our place. If it began with us, it has none of our runs. */
static void give_way(beacon *b, int fd) {
    b->is_over = b->file.totals.runs > b->base.runs;
    b->base = (worker_totals){.runs = 0};
    b->proved = (worker_evidence){.passed = 0};
    if (b->is_over) {
        message("%s/%s: %s: this one reports no more; %s", b->folder, b->in_folder, taken, each);
    } else {
        leave_name(b, taken, each);
        look_back(b, fd);
    }
}

/* ---- Writing ---- */

/* True if the report is not the one that we wrote last. */
static bool is_taken(const beacon *b, int folder_fd) {
    struct stat status;
    return fstatat(folder_fd, b->in_folder, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           (status.st_dev != b->device || status.st_ino != b->inode);
}

/* Write a version. It is not synced, which spares file servers: after a loss of power the past is
 * gone, but no finding is. Return 0 or an errno. */
static int write_file(beacon *b, int folder_fd) {
    struct stat made;
    fill(b);
    char *text = worker_file_to_json(&b->file);
    if (text == NULL) return ENOMEM;
    const int error = atomic_file_replace(folder_fd, b->in_folder, text, strlen(text), &made);
    free(text);
    if (error != 0) return error;
    b->device = made.st_dev;
    b->inode = made.st_ino;
    return 0;
}

/* Report, all of it in one folder, whatever comes to the path meanwhile. */
static void report(beacon *b) {
    if (b->is_over) return;
    enum { FLAGS = O_RDONLY | O_DIRECTORY | O_CLOEXEC };
    int fd = open(b->folder, FLAGS);
    if (fd < 0 && errno == ENOENT && (mkdir(b->folder, 0777) == 0 || errno == EEXIST))
        fd = open(b->folder, FLAGS);
    int error = fd < 0 ? errno : 0;
    b->file.target.digest = b->session->target.digest; /* the program may have been rebuilt */
    b->reported_ns = clock_now_ns();
    if (error == 0) {
        if (!b->has_looked) look_back(b, fd);
        if (b->has_looked && is_taken(b, fd)) give_way(b, fd);
        b->has_looked = true;
        error = b->is_over ? 0 : write_file(b, fd);
        close(fd);
    }
    b->errors += error != 0;
    if (error == 0 || b->has_failed_once) return;
    b->has_failed_once = true;
    message_error(error, "%s/%s: cannot be written; the search goes on", b->folder, b->in_folder);
}

/* ---- From the start to the end ---- */

static void describe(beacon *b, const session *s) {
    b->file = (worker_file){
        .format = WORKER_FORMAT,
        .name = b->name,
        .host = s->setup.call.host != NULL ? s->setup.call.host : "",
        .pid = (uint64_t)getpid(),
        .started = s->setup.call.when,
        .target = {.sut = s->target.subject.sut,
                   .digest = s->target.digest,
                   .args = (const char **)s->target.subject.args,
                   .filter = b->filter,
                   .expand = s->setup.expand},
        .version = FRNG_VERSION,
        .rng_seed = s->setup.rng_seed,
        .jobs = s->setup.jobs,
    };
}

beacon *beacon_create(const session *s) {
    char name[WORKER_NAME_MAX]; /* the usual one: its host, its process and its start */
    const tool_options *o = s->options;
    const bool is_asked = o->findings != NULL && (o->sync_ns > 0 || o->worker != NULL);
    beacon *b = is_asked ? calloc(1, sizeof *b) : NULL;
    if (b == NULL) return NULL;
    b->session = s;
    b->usual_ns = o->sync_ns > 0 ? o->sync_ns : BEACON_EVERY_S * CLOCK_NS_PER_S;
    b->every_ns = b->usual_ns;
    b->filter = run_options_text(&o->run, RUN_OPTIONS_FILTER);
    if (asprintf(&b->folder, "%s/" WORKER_FOLDER, o->findings) < 0) b->folder = NULL;
    if (b->filter == NULL || b->folder == NULL) {
        beacon_destroy(b);
        return NULL;
    }
    describe(b, s);
    snprintf(name, sizeof name, "%.120s-%ld-%lld", b->file.host, (long)getpid(),
             (long long)time(NULL));
    choose_name(b, o->worker != NULL ? o->worker : name);
    report(b);
    return b;
}

void beacon_destroy(beacon *b) {
    if (b == NULL) return;
    free(b->folder);
    free(b->filter);
    free(b);
}

void beacon_sign(beacon *b, int64_t every_ns) {
    if (b == NULL) return;
    const bool is_often = b->usual_ns < BEACON_EVERY_S * CLOCK_NS_PER_S;
    b->every_ns = is_often && every_ns > b->usual_ns ? b->usual_ns : every_ns;
    report(b);
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

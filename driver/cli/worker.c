#include "worker.h"

#include "clock.h"
#include "frng.h"
#include "history.h"
#include "messages.h"
#include "worker_slot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What earlier searches of this name did. */
typedef struct past {
    worker_totals totals;
    worker_evidence evidence;
    bool adds; /* their passes are of the same target, and of other seeds */
} past;

struct worker {
    const session *session;
    const char *findings;
    worker_slot slot;
    worker_file file; /* as it was reported last */
    past past;
    worker_totals given; /* that part of the totals of both, which another file has */
    meter meter;
    progress progress;    /* of this search, the last one seen */
    uint64_t errors;      /* of this search */
    int64_t reported_ns;  /* when (clock_now_ns) */
    int64_t every_ns;     /* within which the next report is promised */
    bool has_failed_once; /* the file could not be written, and a message said so */
    bool has_ended;
    char *filter; /* owns file.target.filter */
    char name[WORKER_NAME_MAX + 1], host[256], started[SUMMARY_UTC_MAX], updated[SUMMARY_UTC_MAX],
        site[FAILURE_SITE_MAX];
    /* Own the texts of file.before. */
    char host_before[256], started_before[SUMMARY_UTC_MAX];
};

/* ---- Totals ---- */

static worker_totals sum_of(const worker_totals *a, const worker_totals *b) {
    return (worker_totals){.runs = a->runs + b->runs,
                           .reruns = a->reruns + b->reruns,
                           .restarts = a->restarts + b->restarts,
                           .errors = a->errors + b->errors,
                           .seconds = a->seconds + b->seconds};
}

static uint64_t less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

static worker_totals difference_of(const worker_totals *a, const worker_totals *b) {
    return (worker_totals){.runs = less(a->runs, b->runs),
                           .reruns = less(a->reruns, b->reruns),
                           .restarts = less(a->restarts, b->restarts),
                           .errors = less(a->errors, b->errors),
                           .seconds = a->seconds > b->seconds ? a->seconds - b->seconds : 0};
}

static worker_totals own_totals(const worker *w) {
    return (worker_totals){.runs = w->progress.runs,
                           .reruns = w->progress.reruns,
                           .errors = w->errors,
                           .seconds = (double)w->progress.elapsed_ns / CLOCK_NS_PER_S};
}

/* Return the evidence of this search, with that of earlier ones at the same size. */
static worker_evidence evidence_of(const worker *w) {
    const run_claim *c = &w->progress.claim;
    const worker_evidence *before = &w->past.evidence;
    worker_evidence e = {c->below, c->passed, c->counted, c->windows};
    if (!w->past.adds) return e;
    e.stretches += before->stretches;
    if (!w->file.best.is_known || before->below != c->below) return e;
    e.passed += before->passed;
    e.counted += before->counted;
    return e;
}

/* ---- The file ---- */

static void set_best(worker *w, const failure *f) {
    worker_best *b = &w->file.best;
    *b = (worker_best){.is_known = f != NULL};
    if (f == NULL) return;
    b->input = f->input;
    b->signature = f->signature;
    snprintf(w->site, sizeof w->site, "%s", f->site);
    b->site = w->site[0] != '\0' ? w->site : NULL;
}

static double rate_of_all(const worker_totals *t) {
    return t->seconds > 0 ? (double)(t->runs + t->reruns) / t->seconds : 0;
}

/* Fill the file with what is known now. */
static void fill(worker *w) {
    worker_file *f = &w->file;
    const worker_totals own = own_totals(w), all = sum_of(&w->past.totals, &own);
    f->updated = session_utc(w->updated);
    f->every = (double)w->every_ns / CLOCK_NS_PER_S;
    f->target.digest = w->session->target.sut.digest; /* the program may have been rebuilt */
    f->totals = difference_of(&all, &w->given);
    f->rate = w->has_ended ? rate_of_all(&own)
                           : meter_rate(&w->meter, w->progress.elapsed_ns, own.runs + own.reruns);
    f->evidence = evidence_of(w);
}

static void say_unwritten(worker *w, int error) {
    w->errors++;
    if (w->has_failed_once) return;
    w->has_failed_once = true;
    message_error(error, "%s: cannot be written; the search goes on", w->slot.path);
}

static void write_file(worker *w) {
    fill(w);
    char *text = worker_file_to_json(&w->file);
    const int error = text != NULL ? worker_slot_write(&w->slot, text) : ENOMEM;
    free(text);
    if (error != 0) say_unwritten(w, error);
}

/* ---- Others of the same name ---- */

/* Set a file aside that cannot be read. */
static void set_aside(worker *w, const char *why) {
    char *to;
    const int error = worker_slot_set_aside(&w->slot, &to);
    if (error == 0) {
        message("%s: cannot be read: %s; it is %s now, and the totals begin at 0", w->slot.path,
                why, to);
    } else {
        message("%s: cannot be read: %s; it is replaced", w->slot.path, why);
    }
    free(to);
}

/* Go on under a name of our own. */
static void choose_another_name(worker *w) {
    char longer[sizeof w->name + 64], name[sizeof w->name];
    worker_slot other;
    snprintf(longer, sizeof longer, "%.120s-%.60s-%ld", w->name, w->host, (long)getpid());
    worker_name_clean(longer, name);
    if (!worker_slot_init(&other, w->findings, name)) {
        worker_slot_finish(&other);
        return;
    }
    worker_slot_finish(&w->slot);
    w->slot = other;
    memcpy(w->name, name, sizeof w->name);
    w->file.before = (worker_process){.host = NULL};
}

/* Another search reports in our place. It has added what it read of ours to its totals: from now on
 * we report only the rest, in a place of our own. */
static void give_way(worker *w, const worker_file *theirs) {
    const bool has_ours = worker_process_equal(&theirs->before, &w->file.process);
    message("worker %s: process %lld on %s reports under this name too; give each search its own "
            "--worker",
            w->name, (long long)theirs->process.pid,
            theirs->process.host != NULL ? theirs->process.host : "another host");
    w->given = has_ours ? theirs->before_totals : w->past.totals;
    w->past.adds = false;
    choose_another_name(w);
}

/* See whether our place has the file of another search now. */
static void heed_others(worker *w) {
    worker_file theirs;
    const char *why;
    if (!worker_slot_is_of_another(&w->slot)) return;
    if (!worker_slot_read(&w->slot, &theirs, &why)) {
        if (why != NULL) set_aside(w, why);
        return;
    }
    if (!worker_process_equal(&theirs.process, &w->file.process)) give_way(w, &theirs);
    worker_file_free(&theirs);
}

/* ---- Beginning ---- */

/* Add to what an earlier search of this name reported. */
static void add_to(worker *w, const worker_file *before) {
    worker_file *f = &w->file;
    f->before = before->process;
    f->before_totals = before->totals;
    snprintf(w->host_before, sizeof w->host_before, "%s",
             before->process.host != NULL ? before->process.host : "");
    snprintf(w->started_before, sizeof w->started_before, "%s",
             before->process.started != NULL ? before->process.started : "");
    f->before.host = w->host_before;
    f->before.started = w->started_before;
    w->past = (past){.totals = before->totals,
                     .evidence = before->evidence,
                     .adds = worker_target_equal(&before->target, &f->target) &&
                             before->rng_seed != f->rng_seed};
    w->past.totals.restarts++;
}

static void look_back(worker *w) {
    worker_file before;
    const char *why;
    if (worker_slot_read(&w->slot, &before, &why)) {
        add_to(w, &before);
        worker_file_free(&before);
    } else if (why != NULL) {
        set_aside(w, why);
    }
}

static void choose_name(worker *w, const char *name) {
    char text[sizeof w->host + sizeof w->started + 32];
    if (name == NULL) {
        snprintf(text, sizeof text, "%.120s-%ld-%s", w->host, (long)getpid(), w->started);
        name = text;
    }
    worker_name_clean(name, w->name);
}

static void describe(worker *w, const session *s) {
    w->file = (worker_file){
        .name = w->name,
        .process = {.host = w->host, .pid = getpid(), .started = w->started},
        .target = {.sut = s->target.subject.sut,
                   .digest = s->target.sut.digest,
                   .args = (const char **)s->target.subject.args,
                   .filter = w->filter,
                   .expand = s->setup.expand},
        .version = FRNG_VERSION,
        .rng_seed = s->setup.rng_seed,
        .jobs = s->setup.jobs,
    };
}

worker *worker_create(const session *s, const worker_options *o) {
    worker *w = calloc(1, sizeof *w);
    if (w == NULL) return NULL;
    w->session = s;
    w->findings = o->findings;
    w->every_ns = o->every_ns > 0 ? o->every_ns : WORKER_EVERY_S * CLOCK_NS_PER_S;
    snprintf(w->host, sizeof w->host, "%s", s->setup.call.host != NULL ? s->setup.call.host : "");
    session_utc(w->started);
    choose_name(w, o->name);
    w->filter = filter_options_text(s->setup.filter);
    if (w->filter == NULL || !worker_slot_init(&w->slot, o->findings, w->name)) {
        worker_destroy(w);
        return NULL;
    }
    describe(w, s);
    w->file.is_canary = o->is_canary;
    look_back(w);
    w->reported_ns = clock_now_ns();
    write_file(w);
    return w;
}

void worker_destroy(worker *w) {
    if (w == NULL) return;
    worker_slot_finish(&w->slot);
    free(w->filter);
    free(w);
}

/* ---- Reporting ---- */

void worker_sign(worker *w, int64_t every_ns) {
    if (w == NULL) return;
    w->every_ns = every_ns;
    w->reported_ns = clock_now_ns();
    heed_others(w);
    write_file(w);
}

void worker_count_error(worker *w) {
    if (w != NULL) w->errors++;
}

static void take_progress(worker *w, const progress *p) {
    w->progress = *p;
    w->progress.best = NULL; /* it lives only during the event */
    set_best(w, p->best);
    meter_add(&w->meter, p->elapsed_ns, p->runs + p->reruns);
}

void worker_take(worker *w, const event *e) {
    if (w == NULL) return;
    if (e->kind == EVENT_REBUILT) w->past.adds = false; /* those passes are of another program */
    if (e->kind != EVENT_PROGRESS) return;
    take_progress(w, &e->progress);
    const int64_t due_ns = clock_after(w->reported_ns, w->every_ns);
    if (clock_now_ns() >= due_ns) worker_sign(w, w->every_ns);
}

static worker_state state_of(const summary *s, int signal_number) {
    if (s->end == END_ENVIRONMENT || s->end == END_BROKEN) return WORKER_FAILED;
    if (signal_number != 0 || s->end == END_INTERRUPTED) return WORKER_STOPPED;
    switch (s->answer) {
    case ANSWER_FOUND: return WORKER_FOUND;
    case ANSWER_PASSED: return WORKER_PASSED;
    case ANSWER_NONE:
    case ANSWER_DIFFERENT:
    case ANSWER_UNMET:
    case ANSWER_INCONCLUSIVE: break;
    }
    return WORKER_STOPPED;
}

void worker_end(worker *w, const summary *of, int signal_number) {
    if (w == NULL) return;
    w->file.state = state_of(of, signal_number);
    w->has_ended = true;
    if (w->file.state == WORKER_FAILED) w->errors++;
    take_progress(w, &of->progress);
    w->progress.claim = of->claim;
    set_best(w, of->answer == ANSWER_FOUND ? of->best.failure : NULL);
    worker_sign(w, w->every_ns);
}

/* The events of a search become lines of its log.
 *
 * The sink of --json makes them (show/events), without those of sizes and runs; worker_log keeps
 * the file small and at its place. What cannot be written is said once, counted in the next sign
 * of life, and tried again with it. */
#include "fleet_report.h"

#include "clock.h"
#include "memory.h"
#include "messages.h"
#include "phrase.h"
#include "session.h"
#include "worker_log.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct fleet_report {
    const session *session;
    worker_log log; /* without a descriptor: it could not be opened yet */
    events lines;
    progress last;     /* of this search; its best lives only during an event */
    uint64_t errors;   /* lines that could not be written */
    int64_t usual_ns;  /* between signs of life, while there is news */
    int64_t signed_ns; /* time of the last one (clock_now_ns) */
    bool has_failed;   /* and a message said so */
};

static void take_error(fleet_report *r, int error) {
    r->errors += error != 0;
    if (error == 0 || r->has_failed) return;
    r->has_failed = true;
    message_error(error, "%s/" WORKER_FOLDER ": the report cannot be written; the search goes on",
                  r->session->options->findings);
}

static int open_log(fleet_report *r) {
    char name[WORKER_NAME_MAX + 1];
    const run_setup *setup = &r->session->now->setup;
    const tool_options *o = r->session->options;
    const char *host = setup->call.host;
    const worker_target target = {.sut = setup->subject->sut,
                                  .digest = setup->digest,
                                  .args = (const char **)setup->subject->args,
                                  .filter = setup->filter_text,
                                  .expand = setup->expand};
    worker_name_clean(o->worker != NULL ? o->worker : "", name);
    const worker_self self = {.name = name,
                              .host = host != NULL && host[0] != '\0' ? host : "host",
                              .pid = getpid(),
                              .start_s = (int64_t)time(NULL),
                              .rng_seed = setup->rng_seed,
                              .target = &target};
    worker_log_close(&r->log);
    const int error =
        worker_log_open(&r->log, phrase_format("%s/" WORKER_FOLDER, o->findings), &self);
    r->lines.out = r->log.fd;
    events_take(&r->lines, &(event){.kind = EVENT_STARTED, .setup = setup});
    if (error != 0) return error;
    if (r->lines.error != 0) worker_log_close(&r->log); /* the next sign of life begins another */
    return r->lines.error != 0 ? r->lines.error : worker_log_keep(&r->log);
}

static void put_event(fleet_report *r, event e) {
    summary whole;
    int error = r->log.fd > 0 ? 0 : open_log(r);
    e.progress.errors = r->errors + keeper_count(r->session->keeper).errors;
    if (e.summary != NULL) {
        whole = *e.summary;
        whole.progress.errors = e.progress.errors;
        e.summary = &whole;
    }
    r->lines.error = 0;
    r->lines.out = r->log.fd;
    if (error == 0) events_take(&r->lines, &e);
    if (error == 0) error = r->lines.error;
    /* At the end another search may claim the log at once. */
    if (error == 0 && e.kind != EVENT_FINISHED) error = worker_log_keep(&r->log);
    take_error(r, error);
}

fleet_report *fleet_report_open(const session *s) {
    const tool_options *o = s->options;
    const bool is_asked = o->findings != NULL && (o->sync_ns > 0 || o->worker != NULL);
    fleet_report *r = is_asked ? memory_zeroed(1, sizeof *r) : NULL;
    if (r == NULL) return NULL;
    r->session = s;
    r->usual_ns = o->sync_ns > 0 ? o->sync_ns : FLEET_REPORT_EVERY_S * CLOCK_NS_PER_S;
    r->lines = (events){.utc = tool_call_utc, .is_brief = true, .every_ns = r->usual_ns};
    r->signed_ns = clock_now_ns();
    take_error(r, open_log(r));
    return r;
}

void fleet_report_close(fleet_report *r) {
    if (r == NULL) return;
    worker_log_close(&r->log);
    free(r);
}

static void give_sign(fleet_report *r) {
    r->signed_ns = clock_now_ns();
    put_event(r, (event){.kind = EVENT_ALIVE, .progress = r->last});
}

void fleet_report_take(fleet_report *r, const event *e) {
    if (r == NULL) return;
    if (e->kind == EVENT_PROGRESS) {
        r->last = e->progress;
        if (clock_now_ns() >= clock_after(r->signed_ns, r->lines.every_ns)) give_sign(r);
        r->last.best = NULL;
    } else if (e->kind != EVENT_TESTED) {
        put_event(r, *e);
    }
}

void fleet_report_sign(fleet_report *r, int64_t every_ns) {
    if (r == NULL) return;
    const bool is_often = r->usual_ns < FLEET_REPORT_EVERY_S * CLOCK_NS_PER_S;
    r->lines.every_ns = is_often && every_ns > r->usual_ns ? r->usual_ns : every_ns;
    give_sign(r);
}

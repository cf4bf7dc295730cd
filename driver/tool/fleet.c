/* What the files of all workers mean together.
 *
 * Workers of one target (program, build, arguments, filter, expansion) are a campaign. Its best is
 * the smallest failure that its workers or its folder know; the passes of those workers count
 * whose evidence is of the size below it. Their runs are independent, so they add up to one bound,
 * but two workers with one --rng-seed ran the same inputs: only the one with more of them counts.
 * A file that was copied to several folders is one worker.
 *
 * Whether a worker is silent follows from the age of its file by the clock of its file system,
 * never from times that are written in it. */
#include "fleet.h"

#include "rates.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *const sight_names[SIGHTS] = {"running", "silent",  "found",
                                                "passed",  "stopped", "failed"};

const char *fleet_sight_name(fleet_sight s) { return sight_names[s]; }

/* Return an array with room for one more, or NULL and set `failed`. */
static void *with_room(fleet *f, void *list, size_t count, size_t *room, size_t size) {
    if (count < *room) return list;
    const size_t more = *room > 0 ? 2 * *room : 16;
    void *longer = reallocarray(list, more, size);
    if (longer == NULL) f->failed = true;
    if (longer != NULL) *room = more;
    return longer;
}

/* ---- Campaigns ---- */

static size_t find_campaign(const fleet *f, const worker_target *t) {
    size_t i = f->campaign_count;
    while (i > 0) { /* neighbours are often alike */
        if (worker_target_equal(&f->campaigns[--i].target, t)) return i;
    }
    return f->campaign_count;
}

static size_t campaign_of(fleet *f, const worker_target *t) {
    const size_t found = find_campaign(f, t);
    if (found < f->campaign_count) return found;
    fleet_campaign *list =
        with_room(f, f->campaigns, f->campaign_count, &f->campaign_room, sizeof *list);
    if (list == NULL) return 0;
    f->campaigns = list;
    list[f->campaign_count] = (fleet_campaign){.target = *t};
    return f->campaign_count++;
}

static void see_size(fleet_campaign *c, uint64_t size) {
    if (c->has_best && c->best_size <= size) return;
    c->has_best = true;
    c->best_size = size;
}

void fleet_see_finding(fleet *f, const finding *of) {
    if (of->repeated < of->reruns) return; /* a flaky one is no best */
    for (size_t i = 0; i < f->campaign_count; i++) {
        fleet_campaign *c = &f->campaigns[i];
        const worker_target *ours = &c->target;
        if (ours->filter == NULL || ours->filter[0] != '\0') continue; /* it may not count there */
        const worker_target theirs = {of->sut, of->sut_digest, of->args, ours->filter,
                                      ours->expand};
        if (worker_target_equal(ours, &theirs)) see_size(c, of->input.size);
    }
}

/* ---- Workers ---- */

void fleet_add(fleet *f, const fleet_worker *w) {
    worker_file dropped = w->file;
    fleet_worker *list = with_room(f, f->workers, f->count, &f->room, sizeof *list);
    if (list == NULL) {
        worker_file_free(&dropped);
        return;
    }
    f->workers = list;
    list[f->count++] = *w;
}

static int by_name(const void *a, const void *b) {
    const fleet_worker *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    if (order != 0) return order;
    return (x->file.totals.runs < y->file.totals.runs) -
           (x->file.totals.runs > y->file.totals.runs);
}

static bool is_same_search(const fleet_worker *a, const fleet_worker *b) {
    const char *host = a->file.process.host, *other = b->file.process.host;
    return a->file.process.pid == b->file.process.pid && a->file.rng_seed == b->file.rng_seed &&
           strcmp(a->name, b->name) == 0 && host != NULL && other != NULL &&
           strcmp(host, other) == 0;
}

/* Put the workers in order, and drop copies of a file in other folders: the one with the most runs
 * stays. */
static void put_in_order(fleet *f) {
    size_t kept = 0;
    if (f->count > 0) qsort(f->workers, f->count, sizeof *f->workers, by_name);
    for (size_t i = 0; i < f->count; i++) {
        if (kept > 0 && is_same_search(&f->workers[kept - 1], &f->workers[i])) {
            worker_file_free(&f->workers[i].file);
        } else {
            f->workers[kept++] = f->workers[i];
        }
    }
    f->count = kept;
}

void fleet_collect(fleet *f) {
    assert(f->campaign_count == 0);
    put_in_order(f);
    for (size_t i = 0; i < f->count; i++) {
        fleet_worker *w = &f->workers[i];
        w->campaign = campaign_of(f, &w->file.target);
    }
}

/* ---- Sight ---- */

static fleet_sight sight_of(const fleet_worker *w) {
    switch (w->file.state) {
    case WORKER_RUNNING:
        return (double)w->age_ns > FLEET_SILENT_AFTER * w->file.every * 1e9 ? SIGHT_SILENT
                                                                            : SIGHT_RUNNING;
    case WORKER_FOUND: return SIGHT_FOUND;
    case WORKER_PASSED: return SIGHT_PASSED;
    case WORKER_STOPPED: return SIGHT_STOPPED;
    case WORKER_FAILED: return SIGHT_FAILED;
    }
    return SIGHT_FAILED;
}

/* By the times of files alone: those that workers write may be wrong. */
static void judge(fleet *f, int64_t now_ns) {
    for (size_t i = 0; i < f->count; i++) {
        fleet_worker *w = &f->workers[i];
        w->age_ns = now_ns > w->file.modified_ns ? now_ns - w->file.modified_ns : 0;
        w->sight = sight_of(w);
        f->sights[w->sight]++;
    }
}

/* ---- Sums ---- */

/* Add to a sum, which stops at the largest number: files may say anything. */
static void add(uint64_t *sum, uint64_t more) {
    *sum = *sum > UINT64_MAX - more ? UINT64_MAX : *sum + more;
}

static void add_totals(worker_totals *sum, const worker_totals *t) {
    add(&sum->runs, t->runs);
    add(&sum->reruns, t->reruns);
    add(&sum->restarts, t->restarts);
    add(&sum->errors, t->errors);
    sum->seconds += t->seconds;
}

static void add_up(fleet *f) {
    for (size_t i = 0; i < f->count; i++) {
        const fleet_worker *w = &f->workers[i];
        if (f->campaign_count == 0) continue;
        fleet_campaign *c = &f->campaigns[w->campaign];
        add_totals(&f->totals, &w->file.totals);
        c->workers++;
        add(&c->runs, w->file.totals.runs);
        add(&c->evidence.stretches, w->file.evidence.stretches);
        if (w->file.best.is_known) see_size(c, w->file.best.input.size);
        if (w->sight != SIGHT_RUNNING) continue;
        c->running++;
        f->rate += w->file.rate;
    }
}

/* ---- Evidence ---- */

static int by_seed(const void *a, const void *b) {
    const fleet_worker *x = *(fleet_worker *const *)a, *y = *(fleet_worker *const *)b;
    if (x->campaign != y->campaign) return x->campaign < y->campaign ? -1 : 1;
    if (x->file.rng_seed != y->file.rng_seed) return x->file.rng_seed < y->file.rng_seed ? -1 : 1;
    return (x->file.evidence.counted < y->file.evidence.counted) -
           (x->file.evidence.counted > y->file.evidence.counted);
}

static bool has_passes(const fleet *f, const fleet_worker *w) {
    if (f->campaign_count == 0 || w->file.evidence.counted == 0) return false;
    const fleet_campaign *c = &f->campaigns[w->campaign];
    return c->has_best && c->best_size > 0 && w->file.evidence.below == c->best_size - 1;
}

/* Add up the passes of workers in the order of their seeds. Those with the seeds of another one ran
 * the same inputs, and show nothing new. */
static void pool_passes(fleet *f, fleet_worker *const *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const fleet_worker *w = list[i], *last = i > 0 ? list[i - 1] : NULL;
        fleet_evidence *e = &f->campaigns[w->campaign].evidence;
        if (last != NULL && last->campaign == w->campaign &&
            last->file.rng_seed == w->file.rng_seed)
            continue;
        add(&e->passed, w->file.evidence.passed);
        add(&e->counted, w->file.evidence.counted);
        e->workers++;
    }
}

/* Fill the evidence of the campaigns. The bound holds for the pool as for one search
 * (confidence_bound.c): the runs of all workers at a size are independent, and each size that the
 * fleet ever claims costs at least one stretch, so that no two claims share a number of stretches
 * that is too low. */
static void pool_evidence(fleet *f) {
    fleet_worker **list = calloc(f->count + 1, sizeof(fleet_worker *));
    size_t count = 0;
    if (list == NULL) {
        f->failed = true;
        return;
    }
    for (size_t i = 0; i < f->count; i++) {
        if (has_passes(f, &f->workers[i])) list[count++] = &f->workers[i];
    }
    qsort(list, count, sizeof(fleet_worker *), by_seed);
    pool_passes(f, list, count);
    free(list);
    for (size_t i = 0; i < f->campaign_count; i++) {
        fleet_campaign *c = &f->campaigns[i];
        c->evidence.below = c->has_best && c->best_size > 0 ? c->best_size - 1 : 0;
        c->evidence.bound = confidence_bound(c->evidence.counted, c->evidence.stretches);
    }
}

/* ---- Wholes ---- */

void fleet_end(fleet *f, int64_t now_ns) {
    judge(f, now_ns);
    add_up(f);
    pool_evidence(f);
}

bool fleet_has_found(const fleet *f) {
    for (size_t i = 0; i < f->count; i++) {
        if (f->workers[i].file.best.is_known) return true;
    }
    return false;
}

void fleet_finish(fleet *f) {
    for (size_t i = 0; i < f->count; i++) worker_file_free(&f->workers[i].file);
    free(f->workers);
    free(f->campaigns);
    memset(f, 0, sizeof *f);
}

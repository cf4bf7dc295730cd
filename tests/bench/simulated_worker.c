#include "simulated_worker.h"

#include "bytes.h"
#include "frng_expand.h"

#include <math.h>

enum { NS_PER_S = 1000000000 };

static int64_t ns_of(double seconds) { return (int64_t)(seconds * NS_PER_S); }

static double uniform(simulated_worker *w) {
    return (double)(frng__splitmix64(&w->random) >> 11) * 0x1p-53;
}

static bool syncs(const simulated_worker *w) { return w->shares->sync_s > 0; }

/* ---- Runs ---- */

/* Draw how many runs pass before one fails: a geometric distribution. */
static uint64_t draw_passes(simulated_worker *w, double share) {
    if (share <= 0) return UINT64_MAX;
    const double passes = floor(log1p(-uniform(w)) / log1p(-share));
    return passes < 0x1p62 ? (uint64_t)passes : UINT64_MAX;
}

/* Raise the attempts at the end of the search, as strategy_raise_attempts. */
static size_request request(simulated_worker *w) {
    size_request wanted = size_search_request(&w->config, &w->search);
    while (wanted.count == 0 && !size_search_is_exhausted(&w->config, &w->search)) {
        w->config.attempts *= 2;
        size_search_go_on(&w->config, &w->search);
        wanted = size_search_request(&w->config, &w->search);
    }
    return wanted;
}

/* Plan the next runs from a time on. A failure is run once more. */
static void plan(simulated_worker *w, double at) {
    worker_plan *p = &w->plan;
    *p = (worker_plan){.request = request(w), .began = at, .at = INFINITY};
    if (p->request.count == 0) return;
    const uint64_t size = p->request.first.size;
    p->passes = draw_passes(w, simulated_target_share(w->target, size));
    p->fails = p->passes < p->request.count;
    p->passes = smaller(p->passes, p->request.count);
    p->at = at + (double)p->passes * simulated_target_seconds(size);
    if (!p->fails) return;
    p->drawn = simulated_target_drawn(w->target, size, uniform(w));
    p->at += 2 * simulated_target_seconds(p->drawn);
}

/* Take the first `passes` runs of the plan, and then the failure. */
static void take_runs(simulated_worker *w, uint64_t passes, bool fails) {
    const size_request *r = &w->plan.request;
    const batch last = {
        .first_seed = r->first.seed + passes, .count = 1, .size = r->first.size, .mix = r->mix};
    const strategy_draws draws = {passes > 0 ? last.size : w->plan.drawn,
                                  passes * last.size + (fails ? w->plan.drawn : 0)};
    if (passes == 0 && !fails) return;
    w->runs += passes + fails;
    size_search_drew(&w->config, &w->search, draws);
    if (passes > 0) size_search_passed(&w->config, &w->search, passes);
    if (!fails) return;
    const seed_input failing = {.size = last.size,
                                .seed = last.first_seed,
                                .style = batch_mix_style(last.mix, last.first_seed)};
    w->bests++;
    size_search_failed(&w->config, &w->search, failing, w->plan.drawn);
}

/* Return how many runs of the plan have passed by a time. */
static uint64_t passes_by(const simulated_worker *w, double at) {
    const worker_plan *p = &w->plan;
    if (at <= p->began) return 0;
    const double passes = (at - p->began) / simulated_target_seconds(p->request.first.size);
    return smaller(p->passes, (uint64_t)passes);
}

/* ---- The folder ---- */

/* Without jitter spans are as long as they say. */
static uint32_t chance(simulated_worker *w) {
    const uint32_t drawn = (uint32_t)frng__splitmix64(&w->random);
    return w->shares->jitters ? drawn : UINT32_MAX / 2;
}

/* One's own larger findings go once a smaller one is there. */
static void remove_own(simulated_worker *w, double at) {
    simulated_folder_remove(w->folder, at, w->own);
    w->own = 0;
}

/* Save the best, unless a smaller finding is there. */
static void save(simulated_worker *w, double at) {
    const seed_input *theirs = simulated_folder_best(w->folder, at);
    if (syncs(w)) {
        simulated_folder_call(w->folder, at, CALLS_LIST);
        sync_schedule_hurry(&w->schedule, ns_of(at), chance(w));
        if (theirs != NULL && seed_input_less(*theirs, w->search.best)) return;
        remove_own(w, at);
    }
    simulated_folder_write(w->folder, at, &w->search.best);
    w->own++;
}

static bool is_wanted(const simulated_worker *w, const seed_input *theirs) {
    return theirs != NULL && (!w->search.failed || seed_input_less(*theirs, w->search.best));
}

/* Run the best of the folder and go on below it, if it is smaller. Return the time afterwards. */
static double adopt(simulated_worker *w, double at) {
    const seed_input *theirs = simulated_folder_best(w->folder, at);
    if (!is_wanted(w, theirs)) return at;
    size_search_adopt(&w->config, &w->search, *theirs);
    simulated_folder_call(w->folder, at, CALLS_READ);
    if (syncs(w)) remove_own(w, at);
    w->runs++;
    return at + 2 * simulated_target_seconds(theirs->size);
}

/* ---- Syncs ---- */

static double next_sync(const simulated_worker *w) {
    return syncs(w) ? (double)w->schedule.next_ns / NS_PER_S : INFINITY;
}

/* A run that has failed is run again and saved first. */
static bool is_confirming(const simulated_worker *w, double at) {
    const worker_plan *p = &w->plan;
    return p->fails &&
           at > p->began + (double)p->passes * simulated_target_seconds(p->request.first.size);
}

/* List the folder if it has changed since the last look, and once more after that, as
 * folder_watch.c. */
static void list(simulated_worker *w, double at) {
    const size_t changes = simulated_folder_changes(w->folder, at);
    const bool has_changed = changes != w->seen;
    simulated_folder_call(w->folder, at, CALLS_LOOK + CALLS_SIGN);
    if (has_changed || w->lists_again) simulated_folder_call(w->folder, at, CALLS_LIST);
    w->seen = changes;
    w->lists_again = has_changed;
}

static void look(simulated_worker *w, double at) {
    list(w, at);
    const bool is_news =
        !is_confirming(w, at) && is_wanted(w, simulated_folder_best(w->folder, at));
    if (is_news) {
        take_runs(w, passes_by(w, at), false);
        plan(w, adopt(w, at));
    }
    sync_schedule_looked(&w->schedule, ns_of(at), is_news || !w->shares->backs_off, chance(w));
}

/* ---- A worker ---- */

void simulated_worker_start(simulated_worker *w, double at, uint64_t seed) {
    w->random = seed;
    w->config = (strategy_config){.attempts = WORKER_ATTEMPTS,
                                  .size_max = WORKER_SIZE_MAX,
                                  .master_seed = frng__splitmix64(&w->random),
                                  .expand = EXPAND_BOTH,
                                  .endless = true};
    w->search = size_search_begin();
    simulated_folder_call(w->folder, at, CALLS_START);
    w->lists_again = true;
    if (syncs(w)) {
        w->schedule = sync_schedule_begin(ns_of(w->shares->sync_s), ns_of(at), chance(w));
    }
    plan(w, adopt(w, at));
}

double simulated_worker_next(const simulated_worker *w) { return fmin(w->plan.at, next_sync(w)); }

void simulated_worker_step(simulated_worker *w) {
    const double sync = next_sync(w), at = w->plan.at;
    if (sync < at) {
        look(w, sync);
        return;
    }
    const bool fails = w->plan.fails;
    take_runs(w, w->plan.passes, fails);
    if (fails) save(w, at);
    plan(w, at);
}

strategy_claim simulated_worker_end(simulated_worker *w, double at) {
    take_runs(w, passes_by(w, at), false);
    return size_search_claim(&w->config, &w->search);
}

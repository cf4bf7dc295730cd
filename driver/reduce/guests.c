#include "guests.h"

#include "accept.h"
#include "confirm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    STRIKES_MAX = 3,  /* an external pass that breaks so often is set aside ... */
    BARREN_MAX = 100, /* ... and one that makes so many candidates of no use in a row */
    KNOWN_MAX = 1000, /* candidates in a row that were tried before: it goes in circles */
    ASKED_MAX = 1000, /* instances that it has, at most, and 16 more for each byte */
    WARM_MAX = 8      /* instances of one external pass that are asked for at a time */
};

/* Something under way: an external pass that was asked, or what it made, which is tried. */
typedef struct errand {
    size_t guest;
    uint64_t number;
    bool is_tried;
    bool is_stale;   /* the best has changed since */
    uint64_t digest; /* of a candidate */
    uint8_t *made;   /* a candidate that waits for a worker; owned */
    size_t size;
} errand;

/* Errands in the order in which they were sent out. */
typedef struct errands {
    size_t capacity, first, count;
    errand *ring;
} errands;

typedef struct turn {
    reducer *r;
    size_t *order;   /* of the external passes */
    errands sent;    /* in the order of their results */
    errands waiting; /* candidates that nobody runs yet */
    bool has_won;
} turn;

/* ---- Errands ---- */

static bool errands_init(errands *e, size_t capacity) {
    *e = (errands){.capacity = capacity, .ring = calloc(capacity, sizeof *e->ring)};
    return e->ring != NULL;
}

static errand *errands_at(const errands *e, size_t i) {
    return &e->ring[(e->first + i) % e->capacity];
}

static void errands_add(errands *e, const errand *added) {
    assert(e->count < e->capacity);
    *errands_at(e, e->count++) = *added;
}

static errand errands_take(errands *e) {
    const errand first = *errands_at(e, 0);
    e->first = (e->first + 1) % e->capacity;
    e->count--;
    return first;
}

static void errand_finish(errand *e) { free(e->made); }

static void errands_clear(errands *e) {
    while (e->count > 0) {
        errand gone = errands_take(e);
        errand_finish(&gone);
    }
}

static void errands_finish(errands *e) {
    if (e->ring != NULL) errands_clear(e);
    free(e->ring);
}

/* ---- Whose turn it is ---- */

static double merit(const reducer *r, size_t i) {
    const pass_statistics *s = &r->result->external_passes[i];
    return (double)s->bytes / (double)(1 + s->calls + r->guests[i].asked);
}

/* Those that saved most for what they cost come first; before them, those that were never asked. */
static void sort_by_merit(const reducer *r, size_t *order) {
    for (size_t i = 0; i < r->config->external_pass_count; i++) {
        const bool is_new = r->guests[i].asked == 0;
        size_t k = i;
        for (; k > 0; k--) {
            const guest *before = &r->guests[order[k - 1]];
            if (before->asked == 0 || (!is_new && merit(r, order[k - 1]) >= merit(r, i))) break;
            order[k] = order[k - 1];
        }
        order[k] = i;
    }
}

static void begin_turn(reducer *r) {
    for (size_t i = 0; i < r->config->external_pass_count; i++) {
        guest *g = &r->guests[i];
        g->next = g->under_way = 0;
        g->known = 0;
        g->began_at = r->result->successes;
        g->is_warm = false;
        g->last_made = 0;
        g->is_spent = g->is_spent && g->spent_at == r->result->successes;
        g->is_ended = g->is_aside || g->is_spent;
    }
}

static void set_aside(const turn *t, size_t i, pass_misdeed why) {
    const reducer *r = t->r;
    guest *g = &r->guests[i];
    if (!g->is_aside) {
        event_emit(r->sink,
                   &(event){.kind = EVENT_PASS_DROPPED, .external_pass = i, .misdeed = why});
    }
    g->is_aside = g->is_ended = true;
}

/* It has nothing (more) for this best. */
static void end_guest(const turn *t, guest *g) {
    g->is_ended = true;
    g->is_spent = g->began_at == t->r->result->successes;
    g->spent_at = t->r->result->successes;
}

/* An instance that was asked for is asked for again, of the best that there is now. */
static void ask_again(const turn *t, const errand *e) {
    guest *g = &t->r->guests[e->guest];
    if (e->number < g->next) g->next = e->number;
}

/* ---- Sending out ---- */

/* Hand out bytes: as a candidate, or to external pass `who` for its instance `number`. */
static void submit(turn *t, const uint8_t *bytes, size_t size, const external_pass *who,
                   uint64_t number) {
    pool *workers = t->r->oracle.pool;
    candidate_set *p = pool_candidate_set(workers);
    assert(size <= p->bytes_max);
    p->count = 1;
    p->ends[0] = size;
    p->external_pass = who;
    p->number = number;
    if (size > 0) memcpy(p->bytes, bytes, size);
    pool_submit_candidate_set(workers, p, RUN_TRY);
}

/* Try the candidate that has waited longest. */
static void try_one(turn *t) {
    errand e = errands_take(&t->waiting);
    submit(t, e.made, e.size, NULL, 0);
    free(e.made);
    e.made = NULL;
    errands_add(&t->sent, &e);
}

/* Ask the first external pass that may be asked. False when none may. */
static bool ask_one(turn *t) {
    reducer *r = t->r;
    for (size_t i = 0; i < r->config->external_pass_count; i++) {
        const size_t who = t->order[i];
        guest *g = &r->guests[who];
        if (g->next > ASKED_MAX + 16 * (uint64_t)r->best.size) end_guest(t, g);
        if (g->is_ended || g->under_way >= (g->is_warm ? WARM_MAX : 1)) continue;
        const errand e = {.guest = who, .number = g->next++};
        g->under_way++;
        g->asked++;
        submit(t, r->best.bytes, r->best.size, &r->config->external_passes[who], e.number);
        errands_add(&t->sent, &e);
        return true;
    }
    return false;
}

static bool has_calls_left(const turn *t) {
    const oracle *o = &t->r->oracle;
    return o->calls_max == UINT64_MAX || o->result->calls + t->sent.count < o->calls_max;
}

static void send_all(turn *t) {
    const pool *workers = t->r->oracle.pool;
    while (t->sent.count < t->r->window.max && pool_has_room(workers) && has_calls_left(t)) {
        if (t->waiting.count > 0) {
            try_one(t);
        } else if (t->waiting.count + t->sent.count >= t->waiting.capacity || !ask_one(t)) {
            return;
        }
    }
}

/* ---- Results ---- */

/* The best has changed by a candidate: what is under way was made of another one. */
static void outdate(turn *t, const errand *winner) {
    for (size_t i = 0; i < t->sent.count; i++) {
        errand *e = errands_at(&t->sent, i);
        e->is_stale = true;
        if (e->is_tried) ask_again(t, e);
    }
    for (size_t i = 0; i < t->waiting.count; i++) ask_again(t, errands_at(&t->waiting, i));
    errands_clear(&t->waiting);
    ask_again(t, winner);
}

/* Whether what an external pass made can be a success that nobody knows of. */
static bool is_worth_a_call(const turn *t, const errand *e, const uint8_t *bytes) {
    const testcase *best = &t->r->best;
    guest *g = &t->r->guests[e->guest];
    const bool is_simpler =
        e->size < best->size || (e->size == best->size && memcmp(bytes, best->bytes, e->size) < 0);
    const bool is_repeated = g->last_made == e->digest;
    const bool is_known = rejected_cache_has_digest(&t->r->rejected, e->digest);
    g->last_made = e->digest;
    g->barren = is_simpler && !is_repeated ? 0 : g->barren + 1;
    g->known = is_simpler && is_known ? g->known + 1 : 0;
    if (g->barren >= BARREN_MAX) set_aside(t, e->guest, MISDEED_BARREN);
    if (g->known >= KNOWN_MAX) end_guest(t, g);
    return is_simpler && !is_known;
}

/* Whether the same candidate is on its way for another external pass. */
static bool is_under_way(const turn *t, uint64_t digest) {
    for (size_t i = 0; i < t->sent.count; i++) {
        const errand *e = errands_at(&t->sent, i);
        if (e->digest == digest && !e->is_stale) return true;
    }
    for (size_t i = 0; i < t->waiting.count; i++) {
        if (errands_at(&t->waiting, i)->digest == digest) return true;
    }
    return false;
}

/* Keep a candidate until it can be tried, if it is worth that. */
static void take_made(turn *t, const errand *asked, const candidate_set *given) {
    const uint8_t *bytes = candidate_set_bytes(given, 0);
    errand e = {.guest = asked->guest, .number = asked->number, .is_tried = true};
    e.size = (size_t)candidate_set_size(given, 0);
    e.digest = rejected_cache_digest(bytes, e.size);
    if (!is_worth_a_call(t, &e, bytes) || is_under_way(t, e.digest)) return;
    e.made = malloc(e.size + 1);
    if (e.made == NULL) {
        reducer_stop_for_memory(t->r);
        return;
    }
    memcpy(e.made, bytes, e.size);
    errands_add(&t->waiting, &e);
}

static void commit_asked(turn *t, const errand *e, const candidate_set *given) {
    guest *g = &t->r->guests[e->guest];
    g->under_way--;
    if (e->is_stale) {
        ask_again(t, e);
        return;
    }
    switch (given->answer) {
    case EXTERNAL_PASS_MADE:
        g->is_warm = g->has_made = true;
        take_made(t, e, given);
        break;
    case EXTERNAL_PASS_NONE: end_guest(t, g); break;
    case EXTERNAL_PASS_BROKEN:
        if (g->has_made) {
            end_guest(t, g);
        } else {
            ask_again(t, e); /* it may never have been of use */
        }
        if (++g->strikes >= STRIKES_MAX) set_aside(t, e->guest, MISDEED_BROKEN);
        break;
    case EXTERNAL_PASS_HUNG: set_aside(t, e->guest, MISDEED_BROKEN); break;
    }
}

/* A candidate of an external pass is the best. */
static void win(turn *t, errand *e, pass_statistics *own, pass_statistics *all, size_t saved) {
    reducer *r = t->r;
    guest *g = &r->guests[e->guest];
    r->result->successes++;
    own->successes++;
    own->bytes += saved;
    all->successes++;
    all->bytes += saved;
    t->has_won = true;
    g->is_ended = g->is_aside; /* there may be another of what there was no more */
    g->last_made = 0;
    outdate(t, e);
    if (confirm_is_due(r)) confirm_best(r, 1);
}

/* To see whether a success repeats, all else under way is given up. */
static void give_up_all(turn *t) {
    pool_cancel(t->r->oracle.pool);
    while (t->sent.count > 0) {
        errand gone = errands_take(&t->sent);
        if (!gone.is_tried) t->r->guests[gone.guest].under_way--;
        ask_again(t, &gone);
        errand_finish(&gone);
    }
}

static void commit_tried(turn *t, errand *e, const run_result *run, const candidate_set *given) {
    reducer *r = t->r;
    pass_statistics *own = &r->result->external_passes[e->guest];
    pass_statistics *all = &r->result->statistics[schedule_pass(&r->schedule)];
    const size_t size = r->best.size;
    own->calls++;
    all->calls++;
    if (!outcome_failed(&run->last)) {
        accept_reject(r, given, 0);
        return;
    }
    if (e->is_stale) return;
    if (r->is_strict) give_up_all(t);
    if (try_accept(r, run, given, 0, false)) {
        win(t, e, own, all, size - r->best.size);
    } else {
        rejected_cache_add_digest(&r->rejected, e->digest);
    }
}

static void commit(turn *t, const run_result *run, const candidate_set *given) {
    errand e = errands_take(&t->sent);
    if (e.is_tried) {
        commit_tried(t, &e, run, given);
    } else {
        commit_asked(t, &e, given);
    }
    errand_finish(&e);
    confirm_tell_progress(t->r);
}

static void take_turn(turn *t) {
    reducer *r = t->r;
    sort_by_merit(r, t->order);
    begin_turn(r);
    while (!r->oracle.stopped) {
        const candidate_set *given;
        send_all(t);
        if (t->sent.count == 0 && t->waiting.count == 0 && pool_has_room(r->oracle.pool)) break;
        const run_result *run = oracle_wait(&r->oracle, &given);
        if (run != NULL && t->sent.count > 0) commit(t, run, given);
    }
}

bool guests_take_turn(reducer *r) {
    turn t = {.r = r, .order = calloc(r->config->external_pass_count + 1, sizeof *t.order)};
    const size_t room = 2 * r->window.max;
    assert(r->config->is_fresh && r->window.count == 0);
    if (errands_init(&t.sent, room) && errands_init(&t.waiting, room) && t.order != NULL) {
        take_turn(&t);
    } else {
        reducer_stop_for_memory(r);
    }
    errands_finish(&t.sent);
    errands_finish(&t.waiting);
    free(t.order);
    return t.has_won;
}

/* raft.c: a cluster that replicates a log by Raft (raft.h), on a network and machines that fail.
 *
 * Time is virtual (frng_sim.h). Without faults the cluster runs by itself: a node leads, its client
 * writes now and then, entries get committed. Entropy is spent on faults alone: a node is cut off,
 * crashes, stands still; messages wait or get lost. After each change the test checks what Raft
 * promises (figure 3 of the paper), and at the end, when all faults are over, that it makes
 * progress.
 *
 * The bug: a leader commits an entry of an earlier term as soon as a majority holds it (figure 8 of
 * the paper). See raft.md. -DBUG=1 to -DBUG=5 plant others, -DFIXED none. */
#if defined(FIXED)
#define BUG 0
#elif !defined(BUG)
#define BUG 2
#endif

#include <frng_main.h>
#include <frng_sim.h>

#include "raft.h"

/* In microseconds. The log does not get full while a run lasts. */
enum {
    RUN_FOR = 25000 * FRNG_SIM_MS,
    WRITE_EVERY = 160 * FRNG_SIM_MS,
    PROGRESS_WITHIN = 3000 * FRNG_SIM_MS
};
enum { EVENTS = 96, TERMS = 64 };

typedef enum timer { TICK, WRITE } timer;

static const char *const names[NODES] = {"S1", "S2", "S3",
#if NODES == 5
                                         "S4", "S5"
#endif
};

typedef struct world {
    frng_sim sim;
    frng_sim_event events[EVENTS];
    raft_message messages[EVENTS];
    raft nodes[NODES];
    uint32_t writes;

    /* What only the checker knows. */
    struct {
        uint32_t term;
        uint8_t leader;
    } elections[TERMS]; /* the last ones, by term */
    raft_entry committed[RAFT_LOG + 1];
    uint32_t committed_in[RAFT_LOG + 1]; /* the term in which each was */
    uint32_t committed_count;
} world;

/* ---- What Raft promises ---- */

/* Election safety: a term has one leader at most. */
static void check_election(world *w, const raft *r) {
    const uint32_t term = r->disk.term, slot = term % TERMS;
    if (w->elections[slot].term == term) {
        const uint8_t other = w->elections[slot].leader;
        FRNG_ASSERT(other == r->id, "%s and %s both lead term %u", names[other], names[r->id],
                    term);
    }
    w->elections[slot].term = term;
    w->elections[slot].leader = r->id;
}

/* Leader completeness: what was committed in a term is in the logs of the leaders of later ones. */
static void check_complete(const world *w, const raft *r) {
    for (uint32_t at = 1; at <= w->committed_count; at++) {
        if (w->committed_in[at] >= r->disk.term) continue;
        FRNG_ASSERT(at <= r->disk.length && raft_term_at(r, at) == w->committed[at].term,
                    "%s leads term %u without entry %u of term %u, which was committed in term %u",
                    names[r->id], r->disk.term, at, w->committed[at].term, w->committed_in[at]);
    }
}

/* Log matching: logs with an entry of the same term at a place are the same up to there. What comes
 * before was checked when it was stored. */
static void check_matching(const world *w, const raft *r, uint32_t at) {
    for (uint32_t i = 0; i < NODES; i++) {
        const raft *other = &w->nodes[i];
        if (i == r->id || other->disk.length < at) continue;
        if (raft_term_at(other, at) != raft_term_at(r, at)) continue;
        FRNG_ASSERT(other->disk.log[at].value == r->disk.log[at].value &&
                        raft_term_at(other, at - 1) == raft_term_at(r, at - 1),
                    "%s and %s hold entry %u of term %u, but differ before it", names[r->id],
                    names[i], at, raft_term_at(r, at));
    }
}

/* State machine safety: no two nodes apply different entries at a place. */
static void check_applied(world *w, const raft *r, uint32_t at) {
    const raft_entry *e = &r->disk.log[at];
    if (at > w->committed_count) {
        w->committed[++w->committed_count] = *e;
        w->committed_in[at] = r->disk.term;
        frng_sim_say(&w->sim, r->id, "commits entry %u of term %u: write %u", at, e->term,
                     e->value);
    }
    FRNG_ASSERT(w->committed[at].value == e->value,
                "%s applies write %u at %u, where write %u was applied", names[r->id], e->value, at,
                w->committed[at].value);
}

/* ---- What comes out of a node ---- */

static void raft_send(raft *r, const raft_message *m) {
    static const char *const kinds[] = {"ask-vote", "vote", "append", "appended"};
    world *w = (world *)r->host;
    if (m->kind == RAFT_VOTE && m->yes) {
        frng_sim_say(&w->sim, m->from, "votes for %s in term %u", names[m->to], m->term);
    }
    frng_sim_send(&w->sim, m->from, m->to, kinds[m->kind], m);
}

static void raft_leads(raft *r) {
    world *w = (world *)r->host;
    frng_sim_say(&w->sim, r->id, "leads term %u with %u entries", r->disk.term, r->disk.length);
    check_election(w, r);
    check_complete(w, r);
    frng_sim_cancel(&w->sim, r->id, WRITE);
    frng_sim_after(&w->sim, r->id, WRITE_EVERY, WRITE, 0);
}

static void raft_stores(raft *r, uint32_t at) {
    world *w = (world *)r->host;
    const raft_entry *e = &r->disk.log[at];
    frng_sim_say(&w->sim, r->id, "stores entry %u of term %u: write %u", at, e->term, e->value);
    FRNG_ASSERT(at > r->commit, "%s overwrites entry %u, which it has applied", names[r->id], at);
    check_matching(w, r, at);
}

static void raft_applies(raft *r, uint32_t at) { check_applied((world *)r->host, r, at); }

/* ---- The test ---- */

static void set_timer(world *w, uint8_t node) {
    const uint64_t now = frng_sim_clock(&w->sim, node), due = raft_due(&w->nodes[node]);
    frng_sim_after(&w->sim, node, due > now ? due - now : 0, TICK, 0);
}

static void tick(world *w, uint8_t node) {
    raft *r = &w->nodes[node];
    const uint32_t term = r->disk.term;
    raft_tick(r, frng_sim_clock(&w->sim, node));
    if (r->disk.term != term) {
        frng_sim_say(&w->sim, node, "hears of no leader, and stands for term %u", r->disk.term);
    }
    set_timer(w, node);
}

/* While a node leads, its client writes. */
static void client_write(world *w, uint8_t node) {
    raft *r = &w->nodes[node];
    if (r->role != RAFT_LEADER) return;
    (void)raft_write(r, ++w->writes, frng_sim_clock(&w->sim, node));
    frng_sim_after(&w->sim, node, WRITE_EVERY, WRITE, 0);
}

static void handle(world *w, const frng_sim_event *e) {
    raft *r = &w->nodes[e->node];
    const uint64_t now = frng_sim_clock(&w->sim, e->node);
    switch (e->type) {
    case FRNG_SIM_MESSAGE: raft_receive(r, (const raft_message *)e->message, now); break;
    case FRNG_SIM_TIMER:
        if (e->kind == TICK) tick(w, e->node);
        if (e->kind == WRITE) client_write(w, e->node);
        break;
    case FRNG_SIM_RESTARTED:
        raft_restart(r, now);
        set_timer(w, e->node);
        break;
    default: break; /* what a crash takes, a restart forgets */
    }
}

/* Have all nodes applied a write that is newer than this one? */
static bool have_applied(const world *w, uint32_t write) {
    for (uint32_t i = 0; i < NODES; i++) {
        const raft *r = &w->nodes[i];
        if (r->commit == 0 || r->disk.log[r->commit].value <= write) return false;
    }
    return true;
}

/* Without faults a new write is soon applied everywhere. */
static void check_progress(world *w) {
    const uint32_t old = w->writes;
    frng_sim_event e;
    frng_sim_heal(&w->sim);
    const uint64_t end = w->sim.now + PROGRESS_WITHIN;
    while (!have_applied(w, old)) {
        FRNG_ASSERT(frng_sim_next(&w->sim, &e) && w->sim.now < end,
                    "%u s after the faults, no new write was applied by all nodes",
                    PROGRESS_WITHIN / 1000000);
        handle(w, &e);
    }
}

static bool test(frng *f) {
    world w;
    frng_sim_event e;
    memset(&w, 0, sizeof w);
    frng_sim_init(&w.sim, f, names, w.events, w.messages);
    w.sim.weights[FRNG_SIM_AHEAD] = w.sim.weights[FRNG_SIM_BACK] = 0; /* monotonic clocks */
    w.sim.weights[FRNG_SIM_MUTE] = w.sim.weights[FRNG_SIM_CUT] = 8;   /* others take over */
    w.sim.length_unit = 2 * FRNG_SIM_MS; /* long enough for an election or two */
    for (uint8_t i = 0; i < NODES; i++) {
        raft_init(&w.nodes[i], &w, i, frng_sim_clock(&w.sim, i));
        set_timer(&w, i);
    }
    while (w.sim.now < RUN_FOR && frng_sim_next(&w.sim, &e)) handle(&w, &e);
    check_progress(&w);
    return true;
}

FRNG_MAIN(test)

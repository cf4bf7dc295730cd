/* consensus.c: a replicated log in the manner of Raft, on a network and on disks made of entropy.
 *
 * Three replicas elect a leader, which copies its log to the others; an entry that a majority
 * holds is committed. Entropy decides what happens next: a timer runs out, a message arrives, out
 * of order or twice or never, a replica crashes and comes back with what its disk holds, a client
 * writes. Everything runs in one thread and in no time at all.
 *
 * The bug: a replica that grants its vote does not sync it to disk. See consensus.md.
 * Build with -DFIXED for the version without it. */
#include <frng_main.h>

enum { REPLICAS = 3, MAJORITY = 2, NOBODY = REPLICAS, LOG_MAX = 8, NET_MAX = 16 };

typedef enum role { FOLLOWER, CANDIDATE, LEADER } role;
typedef enum message_kind { ASK_VOTE, GRANT_VOTE, APPEND, APPENDED } message_kind;
typedef enum event { TIMER, DELIVER, DUPLICATE, LOSE, CRASH, WRITE, EVENTS } event;

typedef struct entry {
    uint32_t term;
    uint32_t value;
} entry;

/* What a replica must remember: it lives in memory, and is synced to disk. */
typedef struct state {
    uint32_t term;
    size_t vote; /* who got ours in this term, or NOBODY */
    size_t length;
    entry log[LOG_MAX];
} state;

typedef struct replica {
    state now;
    state disk;
    role role;
    bool votes[REPLICAS];   /* a candidate's: who voted for it */
    size_t match[REPLICAS]; /* a leader's: how many entries each is known to hold */
} replica;

/* A simplification: messages carry the whole log, which is short. */
typedef struct message {
    message_kind kind;
    size_t from, to;
    state sent; /* APPENDED: only term and length */
} message;

typedef struct cluster {
    replica replicas[REPLICAS];
    message net[NET_MAX];
    size_t net_count;
    uint32_t writes;

    /* What only the checker knows. */
    uint32_t led[REPLICAS]; /* the last term that each has led */
    entry committed[LOG_MAX];
    uint32_t committed_in[LOG_MAX]; /* the term whose leader has committed each */
    size_t committed_count;
    frng *f; /* for what happens */
} cluster;

/* ---- The network ---- */

static void net_send(cluster *c, message m) {
    if (m.from == m.to || c->net_count == NET_MAX) return; /* full: lost */
    c->net[c->net_count++] = m;
}

static void send_all(cluster *c, message_kind kind, size_t from) {
    for (size_t to = 0; to < REPLICAS; to++) {
        const message m = {.kind = kind, .from = from, .to = to, .sent = c->replicas[from].now};
        net_send(c, m);
    }
}

static void reply(cluster *c, message_kind kind, const message *to) {
    message m = {.kind = kind, .from = to->to, .to = to->from};
    m.sent.term = c->replicas[to->to].now.term;
    m.sent.length = to->sent.length;
    net_send(c, m);
}

/* ---- Invariants ---- */

static void check_leader(cluster *c, size_t who) {
    const state *s = &c->replicas[who].now;
    for (size_t other = 0; other < REPLICAS; other++) {
        FRNG_ASSERT(other == who || c->led[other] != s->term,
                    "split brain: replicas %zu and %zu both lead term %u", other, who, s->term);
    }
    for (size_t i = 0; i < c->committed_count; i++) {
        if (c->committed_in[i] > s->term) continue; /* elected long ago, and told only now */
        FRNG_ASSERT(i < s->length && s->log[i].value == c->committed[i].value,
                    "lost: replica %zu leads term %u without committed entry %zu", who, s->term, i);
    }
    c->led[who] = s->term;
}

static void check_commit(cluster *c, const state *s, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i == c->committed_count) {
            c->committed_in[i] = s->term;
            c->committed[c->committed_count++] = s->log[i];
        }
        FRNG_ASSERT(c->committed[i].value == s->log[i].value,
                    "two entries committed at %zu: write %u and write %u", i, c->committed[i].value,
                    s->log[i].value);
    }
}

/* ---- A replica ---- */

static void sync_disk(replica *r) { r->disk = r->now; }

static void enter_term(replica *r, uint32_t term) {
    r->now.term = term;
    r->now.vote = NOBODY;
    r->role = FOLLOWER;
    sync_disk(r);
}

static void time_out(cluster *c, size_t who) {
    replica *r = &c->replicas[who];
    if (r->role == LEADER) {
        send_all(c, APPEND, who); /* its heartbeat */
        return;
    }
    enter_term(r, r->now.term + 1);
    frng_say(c->f, "%zu: stands for term %u", who, r->now.term);
    r->role = CANDIDATE;
    r->now.vote = who;
    sync_disk(r);
    memset(r->votes, 0, sizeof(r->votes));
    r->votes[who] = true;
    send_all(c, ASK_VOTE, who);
}

static uint32_t last_term(const state *s) { return s->length > 0 ? s->log[s->length - 1].term : 0; }

static bool up_to_date(const state *theirs, const state *ours) {
    if (last_term(theirs) != last_term(ours)) return last_term(theirs) > last_term(ours);
    return theirs->length >= ours->length;
}

static const char *const votes[REPLICAS][REPLICAS] = {{"", "0 votes for 1", "0 votes for 2"},
                                                      {"1 votes for 0", "", "1 votes for 2"},
                                                      {"2 votes for 0", "2 votes for 1", ""}};

static void on_ask_vote(cluster *c, replica *r, const message *m) {
    if (r->now.vote != NOBODY && r->now.vote != m->from) return;
    if (!up_to_date(&m->sent, &r->now)) return;
    frng_say(c->f, "%zu: votes for %zu in term %u", m->to, m->from, r->now.term);
    frng_note(c->f, votes[m->to][m->from]);
    r->now.vote = m->from;
#ifdef FIXED
    sync_disk(r);
#else
    /* A sync takes milliseconds, and enter_term has just made one for this term. */
#endif
    reply(c, GRANT_VOTE, m);
}

static const char *const leads[REPLICAS] = {"0 leads", "1 leads", "2 leads"};

static void on_grant_vote(cluster *c, replica *r, const message *m) {
    size_t count = 0;
    if (r->role != CANDIDATE) return;
    r->votes[m->from] = true;
    for (size_t i = 0; i < REPLICAS; i++) count += r->votes[i];
    if (count < MAJORITY) return;
    frng_say(c->f, "%zu: leads term %u", m->to, r->now.term);
    frng_note(c->f, leads[m->to]);
    check_leader(c, m->to);
    r->role = LEADER;
    memset(r->match, 0, sizeof(r->match));
    r->match[m->to] = r->now.length;
    send_all(c, APPEND, m->to);
}

/* Take over the leader's entries, from the first on that differs. A shorter log is an old message
 * that comes late, and must not cut ours. */
static void on_append(cluster *c, replica *r, const message *m) {
    r->role = FOLLOWER;
    for (size_t i = 0; i < m->sent.length; i++) {
        if (i < r->now.length && r->now.log[i].term == m->sent.log[i].term) continue;
        memcpy(r->now.log, m->sent.log, sizeof(r->now.log));
        r->now.length = m->sent.length;
        break;
    }
    sync_disk(r);
    reply(c, APPENDED, m);
}

/* An entry is committed when a majority holds it, and it or one after it is of this term. */
static void on_appended(cluster *c, replica *r, const message *m) {
    if (r->role != LEADER) return;
    if (r->match[m->from] < m->sent.length) r->match[m->from] = m->sent.length;
    for (size_t length = r->now.length; length > 0; length--) {
        size_t holders = 0;
        for (size_t i = 0; i < REPLICAS; i++) holders += r->match[i] >= length;
        if (holders < MAJORITY || r->now.log[length - 1].term != r->now.term) continue;
        frng_say(c->f, "%zu: %zu entries committed", m->to, length);
        check_commit(c, &r->now, length);
        return;
    }
}

static void receive(cluster *c, const message *m) {
    replica *r = &c->replicas[m->to];
    if (m->sent.term < r->now.term) return;
    if (m->sent.term > r->now.term) enter_term(r, m->sent.term);
    switch (m->kind) {
    case ASK_VOTE: on_ask_vote(c, r, m); break;
    case GRANT_VOTE: on_grant_vote(c, r, m); break;
    case APPEND: on_append(c, r, m); break;
    case APPENDED: on_appended(c, r, m); break;
    }
}

static void crash(cluster *c, size_t who) {
    replica *r = &c->replicas[who];
    frng_say(c->f, "%zu: crashes and restarts", who);
    r->now = r->disk;
    r->role = FOLLOWER;
}

static void client_write(cluster *c, size_t who) {
    replica *r = &c->replicas[who];
    if (r->role != LEADER || r->now.length == LOG_MAX) return;
    const entry e = {.term = r->now.term, .value = ++c->writes};
    frng_say(c->f, "%zu: takes write %u", who, e.value);
    r->now.log[r->now.length++] = e;
    r->match[who] = r->now.length;
    sync_disk(r);
    send_all(c, APPEND, who);
}

/* ---- The test ---- */

/* A message out of the network, any one: this is what reorders them. */
static bool disturb_net(frng *f, cluster *c, event what) {
    uint8_t pick;
    if (c->net_count == 0) return true;
    frng_note(f, "message");
    FRNG_TRY(frng_u8_max(f, (uint8_t)(c->net_count - 1), &pick));
    const message m = c->net[pick];
    if (what != DUPLICATE) c->net[pick] = c->net[--c->net_count];
    if (what != LOSE) receive(c, &m);
    return true;
}

static const char *const names[EVENTS] = {
    [TIMER] = "timer", [DELIVER] = "deliver", [DUPLICATE] = "duplicate",
    [LOSE] = "lose",   [CRASH] = "crash",     [WRITE] = "write"};

static bool step(frng *f, cluster *c, const uint32_t *weights) {
    size_t what;
    uint8_t who;
    frng_step(f, "event");
    frng_note(f, "event");
    FRNG_TRY(frng_pick_weighted(f, weights, EVENTS, &what));
    frng_note(f, names[what]);
    if (what == DELIVER || what == DUPLICATE || what == LOSE) {
        return disturb_net(f, c, (event)what);
    }
    frng_note(f, "replica");
    FRNG_TRY(frng_u8_max(f, REPLICAS - 1, &who));
    if (what == TIMER) time_out(c, who);
    if (what == CRASH) crash(c, who);
    if (what == WRITE) client_write(c, who);
    return true;
}

/* The cluster is on the stack and nothing is owned, so that FRNG_TRY may return from here. */
static bool test(frng *f) {
    cluster c = {.f = f};
    uint32_t weights[EVENTS];
    for (size_t i = 0; i < REPLICAS; i++) c.replicas[i].now.vote = NOBODY;
    for (size_t i = 0; i < REPLICAS; i++) sync_disk(&c.replicas[i]);
    FRNG_TRY(frng_swarm(f, weights, EVENTS));
    for (;;) FRNG_TRY(step(f, &c, weights));
}

FRNG_MAIN(test)

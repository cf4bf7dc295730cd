/* raft.h: the consensus algorithm Raft, as a state machine (Ongaro and Ousterhout, "In Search of an
 * Understandable Consensus Algorithm", 2014). Without snapshots and changes of membership.
 *
 * The caller passes in time, messages and writes by raft_restart, raft_tick, raft_receive and
 * raft_write. It defines four functions that the node calls: raft_send, raft_leads, raft_stores and
 * raft_applies. Times are microseconds on the clock of the node.
 *
 * BUG plants one of five bugs of real implementations; 0 is none. */
#ifndef RAFT_H
#define RAFT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifndef BUG
#define BUG 0
#endif
#ifndef NODES
#define NODES 3
#endif

enum { RAFT_LOG = 256, RAFT_BATCH = 8, RAFT_MAJORITY = NODES / 2 + 1, RAFT_NOBODY = NODES };
enum { RAFT_HEARTBEAT = 50000, RAFT_PATIENCE = 150000, RAFT_STAGGER = 40000 };

typedef enum raft_role { RAFT_FOLLOWER, RAFT_CANDIDATE, RAFT_LEADER } raft_role;
typedef enum raft_kind { RAFT_ASK_VOTE, RAFT_VOTE, RAFT_APPEND, RAFT_APPENDED } raft_kind;

typedef struct raft_entry {
    uint32_t term, value;
} raft_entry;

typedef struct raft_message {
    raft_kind kind;
    uint8_t from, to;
    uint32_t term;
    uint32_t at, at_term; /* ASK_VOTE: the last entry. APPEND: the entry before those sent.
                             APPENDED: up to where the logs agree, or may agree */
    uint32_t commit;
    bool yes;
    uint32_t count;
    raft_entry entries[RAFT_BATCH];
} raft_message;

/* What is on disk, and survives a crash. Each change is synced before anything is sent. */
typedef struct raft_disk {
    uint32_t term, vote, length;
    raft_entry log[RAFT_LOG + 1]; /* from 1 on */
} raft_disk;

typedef struct raft {
    raft_disk disk;
    void *host; /* whose functions below are called */
    uint8_t id;
    raft_role role;
    uint32_t commit;       /* entries up to here are committed, and applied */
    uint64_t election_at;  /* when a follower or a candidate stands for election */
    uint64_t send_at;      /* when a leader or a candidate sends again */
    uint32_t votes, heard; /* a candidate's: who voted for it, who answered; bits */
    uint32_t next[NODES];  /* a leader's: the entry to send next, to each */
    uint32_t match[NODES]; /* a leader's: up to where each is known to agree */
} raft;

static void raft_send(raft *r, const raft_message *m);
static void raft_leads(raft *r);
static void raft_stores(raft *r, uint32_t at);
static void raft_applies(raft *r, uint32_t at);

static uint32_t raft_count(uint32_t bits) {
    uint32_t count = 0;
    for (; bits != 0; bits &= bits - 1) count++;
    return count;
}

static uint32_t raft_term_at(const raft *r, uint32_t at) {
    return at > 0 ? r->disk.log[at].term : 0;
}

/* Wait for a leader. Nodes take turns in being the least patient, so that votes rarely split. */
static void raft_wait(raft *r, uint64_t now) {
    const uint32_t turn = (r->id + r->disk.term) % NODES;
    r->election_at = now + RAFT_PATIENCE + (uint64_t)turn * RAFT_STAGGER;
}

static void raft_follow(raft *r, uint32_t term, uint64_t now) {
    if (r->role == RAFT_LEADER) raft_wait(r, now);
    r->role = RAFT_FOLLOWER;
    if (term == r->disk.term) return;
    r->disk.term = term;
    r->disk.vote = RAFT_NOBODY;
}

static void raft_apply_to(raft *r, uint32_t commit) {
    while (r->commit < commit) raft_applies(r, ++r->commit);
}

static raft_message raft_message_to(const raft *r, uint8_t to, raft_kind kind) {
    raft_message m;
    memset(&m, 0, sizeof m);
    m.kind = kind;
    m.from = r->id;
    m.to = to;
    m.term = r->disk.term;
    return m;
}

static void raft_reply(raft *r, const raft_message *to, raft_kind kind, bool yes, uint32_t at) {
    raft_message m = raft_message_to(r, to->from, kind);
    m.yes = yes;
    m.at = at;
    raft_send(r, &m);
}

/* ---- Elections ---- */

static void raft_ask_votes(raft *r, uint64_t now) {
    for (uint8_t to = 0; to < NODES; to++) {
        raft_message m = raft_message_to(r, to, RAFT_ASK_VOTE);
        m.at = r->disk.length;
        m.at_term = raft_term_at(r, m.at);
        if ((r->heard >> to & 1) == 0) raft_send(r, &m);
    }
    r->send_at = now + RAFT_HEARTBEAT;
}

static void raft_stand(raft *r, uint64_t now) {
    r->role = RAFT_CANDIDATE;
    r->disk.term++;
    r->disk.vote = r->id;
    r->votes = r->heard = UINT32_C(1) << r->id;
    raft_wait(r, now);
    raft_ask_votes(r, now);
}

/* Is the log of a candidate as new as ours? */
static bool raft_is_as_new(const raft *r, const raft_message *m) {
    const uint32_t last_term = raft_term_at(r, r->disk.length);
    if (m->at_term != last_term) return m->at_term > last_term;
    return m->at >= r->disk.length || BUG == 3;
}

static void raft_on_ask_vote(raft *r, const raft_message *m, uint64_t now) {
    const bool is_free = r->disk.vote == RAFT_NOBODY || r->disk.vote == m->from;
    const bool yes = m->term == r->disk.term && is_free && raft_is_as_new(r, m);
    if (yes) {
        r->disk.vote = m->from;
        raft_wait(r, now);
    }
    raft_reply(r, m, RAFT_VOTE, yes, 0);
}

/* ---- Replication ---- */

static void raft_send_entries(raft *r, uint8_t to) {
    raft_message m = raft_message_to(r, to, RAFT_APPEND);
    m.at = r->next[to] - 1;
    m.at_term = raft_term_at(r, m.at);
    m.commit = r->commit;
    while (r->next[to] <= r->disk.length && m.count < RAFT_BATCH) {
        m.entries[m.count++] = r->disk.log[r->next[to]++];
    }
    raft_send(r, &m);
}

static void raft_send_all(raft *r, uint64_t now) {
    for (uint8_t to = 0; to < NODES; to++) {
        if (to != r->id) raft_send_entries(r, to);
    }
    r->send_at = now + RAFT_HEARTBEAT;
}

static void raft_on_vote(raft *r, const raft_message *m, uint64_t now) {
    if (r->role != RAFT_CANDIDATE || (m->term != r->disk.term && BUG != 4)) return;
    r->heard |= UINT32_C(1) << m->from;
    if (m->yes) r->votes |= UINT32_C(1) << m->from;
    if (raft_count(r->votes) < RAFT_MAJORITY) return;
    r->role = RAFT_LEADER;
    for (uint32_t i = 0; i < NODES; i++) {
        r->next[i] = r->disk.length + 1;
        r->match[i] = 0;
    }
    r->match[r->id] = r->disk.length;
    raft_leads(r);
    raft_send_all(r, now);
}

/* Return up to where our log may agree with the leader's: not at `at`, as its term differs. */
static uint32_t raft_may_agree(const raft *r, uint32_t at) {
    const uint32_t term = raft_term_at(r, at);
    while (at > r->commit && raft_term_at(r, at) == term) at--;
    return at;
}

static void raft_on_append(raft *r, const raft_message *m, uint64_t now) {
    if (m->term < r->disk.term) {
        raft_reply(r, m, RAFT_APPENDED, false, 0);
        return;
    }
    raft_follow(r, m->term, now);
    raft_wait(r, now);
    if (m->at > r->disk.length) {
        raft_reply(r, m, RAFT_APPENDED, false, r->disk.length);
        return;
    }
    if (raft_term_at(r, m->at) != m->at_term && BUG != 5) {
        raft_reply(r, m, RAFT_APPENDED, false, raft_may_agree(r, m->at));
        return;
    }
    const uint32_t last = m->at + m->count;
    for (uint32_t i = 0, at = m->at + 1; i < m->count; i++, at++) {
        if (at <= r->disk.length && raft_term_at(r, at) == m->entries[i].term) continue;
        r->disk.log[at] = m->entries[i];
        r->disk.length = at; /* what followed an entry that differed is gone */
        raft_stores(r, at);
    }
    raft_apply_to(r, m->commit < last ? m->commit : last);
    raft_reply(r, m, RAFT_APPENDED, true, last);
}

/* Commit what a majority holds, from the last entry of this term on: an entry of an earlier term
 * can still be overwritten, even if a majority holds it (section 5.4.2 and figure 8). */
static void raft_commit(raft *r) {
    for (uint32_t at = r->disk.length; at > r->commit; at--) {
        uint32_t holders = 0;
        if (raft_term_at(r, at) != r->disk.term && BUG != 2) return;
        for (uint32_t i = 0; i < NODES; i++) holders += r->match[i] >= at;
        if (holders >= RAFT_MAJORITY) raft_apply_to(r, at);
    }
}

static void raft_on_appended(raft *r, const raft_message *m) {
    const uint8_t from = m->from;
    if (r->role != RAFT_LEADER || m->term != r->disk.term) return;
    if (m->yes && r->match[from] < m->at) r->match[from] = m->at;
    if (!m->yes) r->next[from] = m->at + 1;
    if (r->next[from] <= r->match[from]) r->next[from] = r->match[from] + 1;
    if (m->yes) raft_commit(r);
    if (!m->yes || r->next[from] <= r->disk.length) raft_send_entries(r, from);
}

/* ---- What goes in ---- */

/* Start, or start again after a crash: only the disk has survived. */
static void raft_restart(raft *r, uint64_t now) {
    r->role = RAFT_FOLLOWER;
    r->commit = 0;
    if (BUG == 1) r->disk.vote = RAFT_NOBODY;
    raft_wait(r, now);
}

static void raft_init(raft *r, void *host, uint8_t id, uint64_t now) {
    memset(r, 0, sizeof *r);
    r->host = host;
    r->id = id;
    r->disk.vote = RAFT_NOBODY;
    raft_restart(r, now);
}

/* Return when raft_tick is due. */
static uint64_t raft_due(const raft *r) {
    if (r->role == RAFT_LEADER) return r->send_at;
    return r->role == RAFT_CANDIDATE && r->send_at < r->election_at ? r->send_at : r->election_at;
}

static void raft_tick(raft *r, uint64_t now) {
    if (now < raft_due(r)) return;
    if (r->role == RAFT_LEADER) {
        raft_send_all(r, now);
    } else if (now >= r->election_at) {
        raft_stand(r, now);
    } else {
        raft_ask_votes(r, now);
    }
}

static void raft_receive(raft *r, const raft_message *m, uint64_t now) {
    if (m->term > r->disk.term) raft_follow(r, m->term, now);
    switch (m->kind) {
    case RAFT_ASK_VOTE: raft_on_ask_vote(r, m, now); break;
    case RAFT_VOTE: raft_on_vote(r, m, now); break;
    case RAFT_APPEND: raft_on_append(r, m, now); break;
    case RAFT_APPENDED: raft_on_appended(r, m); break;
    }
}

/* A client writes. False: this node does not lead, or its log is full. */
static bool raft_write(raft *r, uint32_t value, uint64_t now) {
    if (r->role != RAFT_LEADER || r->disk.length == RAFT_LOG) return false;
    const uint32_t at = ++r->disk.length;
    r->disk.log[at].term = r->disk.term;
    r->disk.log[at].value = value;
    r->match[r->id] = at;
    raft_stores(r, at);
    raft_send_all(r, now);
    return true;
}

#endif

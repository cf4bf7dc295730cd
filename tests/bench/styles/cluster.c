/* cluster: three replicas vote in terms. A vote survives a restart, but the term does not, so that
 * two leaders of a term can be. Events are weighted anew in each run. */
#include <frng_main.h>

enum { NODES = 3, MESSAGES = 32 };

typedef struct message {
    uint8_t from, to, term;
    bool is_vote;
} message;

typedef struct cluster {
    uint8_t term[NODES], voted[NODES], votes[NODES]; /* voted: in which term */
    bool is_leader[NODES];
    message wire[MESSAGES];
    unsigned count;
    int leader_of[256];
} cluster;

static void post(cluster *c, message m) {
    if (c->count < MESSAGES) c->wire[c->count++] = m;
}

static void campaign(cluster *c, uint8_t n) {
    if (c->term[n] == 255) return;
    c->term[n]++;
    c->voted[n] = c->term[n];
    c->votes[n] = 1;
    c->is_leader[n] = false;
    for (uint8_t to = 0; to < NODES; to++) {
        if (to != n) post(c, (message){.from = n, .to = to, .term = c->term[n]});
    }
}

static void deliver(cluster *c, unsigned i) {
    const message m = c->wire[i];
    c->wire[i] = c->wire[--c->count];
    if (m.term < c->term[m.to]) return;
    if (m.term > c->term[m.to]) {
        c->term[m.to] = m.term;
        c->votes[m.to] = 0;
        c->is_leader[m.to] = false;
    }
    if (!m.is_vote && c->voted[m.to] != m.term) {
        c->voted[m.to] = m.term;
        post(c, (message){.from = m.to, .to = m.from, .term = m.term, .is_vote = true});
    }
    if (!m.is_vote || ++c->votes[m.to] < 2) return;
    FRNG_ASSERT(c->leader_of[m.term] < 0 || c->leader_of[m.term] == m.to, "term %d", m.term);
    c->leader_of[m.term] = m.to;
}

static bool test(frng *f) {
    static cluster c;
    uint32_t weights[4];
    memset(&c, 0, sizeof c);
    memset(c.leader_of, -1, sizeof c.leader_of);
    FRNG_TRY(frng_swarm_weights(f, weights, 4));
    for (;;) {
        size_t event;
        uint8_t node, i;
        FRNG_TRY(frng_weighted(f, weights, 4, &event));
        FRNG_TRY(frng_u8_max(f, NODES - 1, &node));
        if (event == 0) campaign(&c, node);
        if (event == 3) c.term[node] = c.votes[node] = c.voted[node] = 0; /* the bug: forgets */
        if ((event != 1 && event != 2) || c.count == 0) continue;
        FRNG_TRY(frng_u8_max(f, (uint8_t)(c.count - 1), &i));
        if (event == 1)
            deliver(&c, i);
        else
            c.wire[i] = c.wire[--c.count];
    }
}

FRNG_MAIN(test)

/* lease.c: a register on a primary and a backup, whose primary reads under a lease.
 *
 * A viewer says which of two servers is the primary, for 100 ms from when it grants that; the
 * primary asks again every 40 ms. Writes go to the primary, which copies them to the backup before
 * it answers. Reads are answered by the primary alone, as long as it has the lease. If it asks no
 * more, the viewer waits until the lease is over, and makes the backup the primary.
 *
 * All of it runs in virtual time on a network that cuts nodes off and holds messages: frng_sim.h.
 * What the clients saw must be linearizable: frng_lin.h.
 *
 * The bug: the primary's lease begins when the grant comes, not when it asked. See lease.md.
 * Build with -DFIXED for the version without it. */
#include <frng_lin.h>
#include <frng_main.h>
#include <frng_sim.h>

enum { VIEWER, A, B, WRITER, READER, NODES };
static const char *const names[NODES] = {"viewer", "A", "B", "writer", "reader"};

/* Milliseconds, but for the last two. */
enum { LEASE = 100, RENEW = 40, TIMEOUT = 15, THINK = 20, OPERATIONS = 40, EVENTS = 40 };

typedef enum timer { RENEWS, STARTS, GIVES_UP } timer;
typedef enum message_kind { ASK, GRANT, PUT, GET, COPY, COPIED, DONE, NOT_ME } message_kind;
static const char *const kinds[] = {"ask", "grant", "put", "get", "copy", "copied", "done", "no"};

/* Who is the primary. */
typedef struct view {
    uint32_t number;
    uint8_t primary;
    bool has_backup;
} view;

typedef struct message {
    message_kind kind;
    view view;
    uint8_t client;
    uint32_t operation;
    uint64_t value;
    uint64_t asked; /* ASK, GRANT: when, on the clock of the server that asks */
} message;

typedef struct server {
    view view;
    uint64_t lease_end; /* on its clock, as that of the viewer */
    uint64_t value;     /* writes count from 1, so that the larger one is the newer one */
} server;

typedef struct client {
    bool is_busy;
    uint8_t server;
    size_t operation; /* in the history */
} client;

typedef struct world {
    frng_sim sim;
    frng_sim_event events[EVENTS];
    message messages[EVENTS];
    server viewer, servers[B + 1];
    client clients[NODES];
    uint64_t writes;
    frng_lin history;
} world;

static uint64_t in(const world *w, uint8_t node, uint64_t ms) {
    return frng_sim_clock(&w->sim, node) + ms * FRNG_SIM_MS;
}

static void set_timer(world *w, uint8_t node, timer which, uint64_t ms) {
    frng_sim_after(&w->sim, node, ms * FRNG_SIM_MS, which, 0);
}

static void post(world *w, uint8_t from, uint8_t to, message m) {
    frng_sim_send(&w->sim, from, to, kinds[m.kind], &m);
}

/* ---- The viewer and the servers ---- */

static void on_ask(world *w, uint8_t from, message m) {
    server *v = &w->viewer;
    if (from != v->view.primary && v->view.has_backup && in(w, VIEWER, 0) >= v->lease_end) {
        v->view.number++;
        v->view.primary = from;
        v->view.has_backup = false; /* and never again: it would have to catch up first */
        frng_sim_say(&w->sim, VIEWER, "makes %s the primary", names[from]);
    }
    if (from == v->view.primary) v->lease_end = in(w, VIEWER, LEASE);
    m.kind = GRANT;
    m.view = v->view;
    post(w, VIEWER, from, m);
}

static void on_grant(world *w, uint8_t me, message m) {
    server *s = &w->servers[me];
    if (m.view.number < s->view.number) return;
    s->view = m.view;
#ifdef FIXED
    if (s->lease_end < m.asked + LEASE * FRNG_SIM_MS) s->lease_end = m.asked + LEASE * FRNG_SIM_MS;
#else
    s->lease_end = in(w, me, LEASE);
#endif
}

static void on_request(world *w, uint8_t me, uint8_t from, message m) {
    server *s = &w->servers[me];
    const bool leads = s->view.primary == me && in(w, me, 0) < s->lease_end;
    m.client = from;
    m.view = s->view;
    if (leads && m.kind == PUT && s->view.has_backup) {
        m.kind = COPY;
        post(w, me, A + B - me, m);
        return;
    }
    if (leads && m.kind == PUT) s->value = m.value;
    m.kind = leads ? DONE : NOT_ME;
    m.value = s->value;
    post(w, me, from, m);
}

static void on_server(world *w, uint8_t me, uint8_t from, message m) {
    server *s = &w->servers[me];
    if (m.kind == GRANT) on_grant(w, me, m);
    if (m.kind == PUT || m.kind == GET) on_request(w, me, from, m);
    if (m.kind == COPY && (m.view.number < s->view.number || s->view.primary == me)) return;
    if (m.kind != COPY && m.kind != COPIED) return;
    if (s->value < m.value) s->value = m.value;
    const bool is_backup = m.kind == COPY;
    m.kind = is_backup ? COPIED : DONE;
    post(w, me, is_backup ? from : m.client, m);
}

/* ---- The clients: one writes 1, 2, 3, .., the other one reads ---- */

static void client_asks(world *w, uint8_t me) {
    client *c = &w->clients[me];
    message m = {.kind = me == WRITER ? PUT : GET};
    if (me == WRITER) m.value = ++w->writes;
    c->operation = frng_lin_call(&w->history, w->sim.now, me, m.kind, m.value);
    c->is_busy = true;
    m.operation = (uint32_t)c->operation;
    post(w, me, c->server, m);
    set_timer(w, me, GIVES_UP, TIMEOUT);
}

/* The operation is over, with an answer or without: then it may happen yet. */
static void client_ends(world *w, uint8_t me, const message *m) {
    client *c = &w->clients[me];
    const bool is_done = m != NULL && m->kind == DONE;
    c->is_busy = false;
    if (is_done) {
        frng_lin_return(&w->history, c->operation, w->sim.now, m->value);
        frng_sim_say(&w->sim, me, me == WRITER ? "has put %d at %s" : "gets %d at %s",
                     (int)m->value, names[c->server]);
    }
    if (!is_done || me == READER) c->server = A + B - c->server;
    frng_sim_cancel(&w->sim, me, GIVES_UP);
    set_timer(w, me, STARTS, THINK);
}

static void on_client(world *w, uint8_t me, const message *m) {
    if (w->clients[me].is_busy && m->operation == w->clients[me].operation) client_ends(w, me, m);
}

/* ---- The test ---- */

static void on_timer(world *w, uint8_t me, timer which) {
    const message ask = {.kind = ASK, .asked = in(w, me, 0)};
    if (which == STARTS) client_asks(w, me);
    if (which == GIVES_UP) client_ends(w, me, NULL);
    if (which != RENEWS) return;
    post(w, me, VIEWER, ask);
    set_timer(w, me, RENEWS, RENEW);
}

static void handle(world *w, const frng_sim_event *e) {
    const message *m = e->message;
    if (e->type == FRNG_SIM_TIMER) on_timer(w, e->node, (timer)e->kind);
    if (e->type != FRNG_SIM_MESSAGE) return;
    if (e->node == VIEWER) on_ask(w, e->from, *m);
    if (e->node == A || e->node == B) on_server(w, e->node, e->from, *m);
    if (e->node >= WRITER) on_client(w, e->node, m);
}

static bool is_register(uint64_t *state, const frng_lin_op *op) {
    if (op->kind == PUT) *state = op->in;
    return op->kind == PUT || frng_lin_gave(op, *state);
}

static int print(char *text, size_t size, const frng_lin_op *op) {
    return op->kind == PUT ? snprintf(text, size, "put %d", (int)op->in)
                           : snprintf(text, size, "get returned %d", (int)op->out);
}

static void check(world *w) {
    static uint64_t memory[FRNG_LIN_WORDS(4096, 1)];
    const uint64_t zero = 0;
    char text[200];
    w->history.memory = memory;
    w->history.memory_words = sizeof(memory) / sizeof(*memory);
    FRNG_ASSERT(frng_lin_check(&w->history, is_register, &zero, 1) != FRNG_LIN_NO, "stale read: %s",
                frng_lin_why(w->sim.f, &w->history, print, text, sizeof(text)));
}

static void start(world *w, frng *f) {
    const view first = {.number = 1, .primary = A, .has_backup = true};
    frng_sim_init(&w->sim, f, names, w->events, w->messages);
    memset(w->sim.weights, 0, sizeof(w->sim.weights));
    w->sim.weights[FRNG_SIM_HOLD] = w->sim.weights[FRNG_SIM_CUT] = 1;
    w->viewer.view = w->servers[A].view = w->servers[B].view = first;
    w->viewer.lease_end = w->servers[A].lease_end = in(w, VIEWER, LEASE);
    for (uint8_t node = A; node <= B; node++) set_timer(w, node, RENEWS, RENEW);
    for (uint8_t node = WRITER; node <= READER; node++) set_timer(w, node, STARTS, THINK);
    w->clients[WRITER].server = w->clients[READER].server = A;
}

static bool test(frng *f) {
    static world w;
    frng_sim_event e;
    memset(&w, 0, sizeof(w));
    start(&w, f);
    while (w.history.count < OPERATIONS && frng_sim_next(&w.sim, &e)) handle(&w, &e);
    check(&w);
    return true;
}

FRNG_MAIN(test)

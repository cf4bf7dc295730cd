/* libraft.c: Debian's libraft (libraft-dev), as it is shipped, in a world of frng_sim.h.
 *
 * The library knows neither time, nor network, nor disk: struct raft_io has a function for each.
 * Here messages go through a frng_sim, timers are its timers, and each of three nodes has a
 * frng_disk, so that a crash takes what is not synced. Entropy is spent on faults alone. Checked
 * are what Raft promises (election safety, state machine safety), and, without faults, progress.
 *
 * Disk: the first unit has the term and the vote, entry n is in unit n, each with a checksum. An
 * entry is written when the library says so, and synced when its callback is called, 1 ms later.
 * See libraft.md. */
#include <frng_main.h>

#include <frng_disk.h>
#include <frng_sim.h>

#include <raft.h>

enum { NODES = 3, EVENTS = 1024, UNIT = 128, ENTRIES = 120, DATA = 96, PENDING = 256, SENT = 96 };
enum { RUN_FOR = 12000 * FRNG_SIM_MS, WRITE_EVERY = 160 * FRNG_SIM_MS };
enum { WRITES = 60, LAST = 20 }; /* LAST: more when all faults are over */
enum { PROGRESS_WITHIN = 8000 * FRNG_SIM_MS, TERMS = 256 };
enum timer { TICK, WRITE, DONE }; /* DONE: of a send or an append; data is its place */

static const char *const names[NODES] = {"S1", "S2", "S3"};

/* What is on disk, or in a message. */
typedef struct record {
    uint64_t index, term, vote, check;
    uint32_t type, size;
    uint8_t data[DATA - 8];
} record;
_Static_assert(sizeof(record) <= UNIT, "a record fits its unit");

typedef struct wire {
    struct raft_message m;
    uint32_t count;
    struct {
        uint64_t term;
        uint32_t type, size;
        uint8_t data[DATA - 8];
    } entries[SENT];
} wire;

typedef struct request {
    struct raft_io_send *send;
    struct raft_io_append *append;
} request;

typedef struct node {
    struct world *w;
    uint8_t id;
    bool runs;
    struct raft raft;
    struct raft_io io;
    struct raft_fsm fsm;
    raft_io_tick_cb tick;
    raft_io_recv_cb receive;
    unsigned tick_ms, randoms, applied; /* applied: commands, from the first on */
    request pending[PENDING];
    frng_disk disk;
    uint8_t bytes[(ENTRIES + 1) * UNIT], undo[(ENTRIES + 1) * UNIT];
} node;

typedef struct world {
    frng_sim sim;
    frng_sim_event events[EVENTS];
    node nodes[NODES];
    uint32_t writes, acknowledged, committed, order[WRITES + LAST + 1];
    uint8_t leads[TERMS]; /* the node that leads a term, plus 1 */
} world;

/* ---- The disk ---- */

static uint64_t checksum(const record *r) {
    record copy = *r;
    uint64_t sum = UINT64_C(0x9e3779b97f4a7c15);
    copy.check = 0;
    for (size_t i = 0; i < sizeof copy; i++)
        sum = (sum ^ ((const uint8_t *)&copy)[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static void put_record(node *n, size_t unit, record *r) {
    FRNG_ASSERT(unit <= ENTRIES, "the disk of %s is full", names[n->id]);
    r->check = checksum(r);
    (void)frng_disk_write(&n->disk, unit * UNIT, r, sizeof *r);
}

static bool get_record(const node *n, size_t unit, record *r) {
    if (unit > ENTRIES || !frng_disk_read(&n->disk, unit * UNIT, r, sizeof *r)) return false;
    return r->index == unit && r->check == checksum(r);
}

static int set_head(node *n, raft_term term, raft_id vote) {
    record r;
    memset(&r, 0, sizeof r);
    r.term = term;
    r.vote = vote;
    put_record(n, 0, &r);
    (void)frng_disk_sync(&n->disk);
    return 0;
}

static void put_entries(node *n, raft_index index, const struct raft_entry *e, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        record r;
        memset(&r, 0, sizeof r);
        FRNG_ASSERT(e[i].buf.len <= sizeof r.data, "an entry of %zu bytes", e[i].buf.len);
        r.index = index + i;
        r.term = e[i].term;
        r.type = e[i].type;
        r.size = (uint32_t)e[i].buf.len;
        memcpy(r.data, e[i].buf.base, e[i].buf.len);
        put_record(n, (size_t)r.index, &r);
    }
}

/* An entry that the library may keep and free. */
static struct raft_entry entry_of(uint64_t term, uint32_t type, uint32_t size, const void *data) {
    struct raft_entry e = {.term = term, .type = (unsigned short)type};
    e.batch = e.buf.base = raft_malloc(size);
    e.buf.len = size;
    memcpy(e.buf.base, data, size);
    return e;
}

static raft_index last_index(const node *n) {
    record r;
    raft_index index = 0;
    while (get_record(n, (size_t)index + 1, &r)) index++;
    return index;
}

/* ---- raft_io: what the library asks for ---- */

static node *of(struct raft_io *io) { return (node *)io->impl; }
static int io_init(struct raft_io *io, raft_id id, const char *address) {
    (void)io, (void)id, (void)address;
    return 0;
}

/* A request is done, or its node has ended. */
static void finish(node *n, size_t place, int status) {
    const request r = n->pending[place];
    n->pending[place] = (request){NULL, NULL};
    if (r.append != NULL) (void)frng_disk_sync(&n->disk);
    if (r.append != NULL) r.append->cb(r.append, status);
    if (r.send != NULL) r.send->cb(r.send, status);
}

static void io_close(struct raft_io *io, raft_io_close_cb done) {
    node *n = of(io);
    for (size_t i = 0; i < PENDING; i++) finish(n, i, RAFT_CANCELED);
    done(io);
}

static int io_load(struct raft_io *io, raft_term *term, raft_id *vote,
                   struct raft_snapshot **snapshot, raft_index *start, struct raft_entry *entries[],
                   size_t *count) {
    node *n = of(io);
    record r;
    const bool has_head = get_record(n, 0, &r);
    *term = has_head ? r.term : 0;
    *vote = has_head ? r.vote : 0;
    *snapshot = NULL;
    *start = 1;
    *count = (size_t)last_index(n);
    *entries = *count > 0 ? raft_malloc(*count * sizeof **entries) : NULL;
    for (size_t i = 0; i < *count; i++) {
        (void)get_record(n, i + 1, &r);
        (*entries)[i] = entry_of(r.term, r.type, r.size, r.data);
    }
    return 0;
}

static int io_start(struct raft_io *io, unsigned ms, raft_io_tick_cb tick, raft_io_recv_cb recv) {
    node *n = of(io);
    n->tick = tick;
    n->receive = recv;
    n->tick_ms = ms;
    frng_sim_after(&n->w->sim, n->id, (uint64_t)ms * FRNG_SIM_MS, TICK, 0);
    return 0;
}

static int io_bootstrap(struct raft_io *io, const struct raft_configuration *c) {
    struct raft_entry e = {.term = 1, .type = RAFT_CHANGE};
    if (raft_configuration_encode(c, &e.buf) != 0) return RAFT_NOMEM;
    put_entries(of(io), 1, &e, 1);
    raft_free(e.buf.base);
    return set_head(of(io), 1, 0);
}

static int io_set_term(struct raft_io *io, raft_term term) { return set_head(of(io), term, 0); }
static int io_set_vote(struct raft_io *io, raft_id vote) {
    record r = {.term = 0};
    (void)get_record(of(io), 0, &r); /* the library sets the term on disk first, then its own */
    return set_head(of(io), r.term, vote);
}

/* A request is done after so long. */
static void finish_later(node *n, request r, uint64_t after) {
    size_t place = 0;
    while (n->pending[place].send != NULL || n->pending[place].append != NULL) place++;
    FRNG_ASSERT(place < PENDING, "too many requests of %s", names[n->id]);
    n->pending[place] = r;
    frng_sim_after(&n->w->sim, n->id, after, DONE, place);
}

static int io_send(struct raft_io *io, struct raft_io_send *request_, const struct raft_message *m,
                   raft_io_send_cb done) {
    static const char *const kinds[] = {"?", "append", "appended", "ask-vote", "vote"};
    node *n = of(io);
    wire message;
    memset(&message, 0, sizeof message);
    message.m = *m;
    if (m->type == RAFT_IO_APPEND_ENTRIES) message.count = m->append_entries.n_entries;
    FRNG_ASSERT(message.count <= SENT && m->type < 5, "a message of another kind");
    for (uint32_t i = 0; i < message.count; i++) {
        const struct raft_entry *e = &m->append_entries.entries[i];
        message.entries[i].term = e->term;
        message.entries[i].type = e->type;
        message.entries[i].size = (uint32_t)e->buf.len;
        memcpy(message.entries[i].data, e->buf.base, e->buf.len);
    }
    request_->cb = done;
    frng_sim_send(&n->w->sim, n->id, (uint8_t)(m->server_id - 1), kinds[m->type], &message);
    finish_later(n, (request){request_, NULL}, 0);
    return 0;
}

static int io_append(struct raft_io *io, struct raft_io_append *request_,
                     const struct raft_entry entries[], unsigned count, raft_io_append_cb done) {
    node *n = of(io);
    put_entries(n, last_index(n) + 1, entries, count);
    request_->cb = done;
    finish_later(n, (request){NULL, request_}, FRNG_SIM_MS);
    return 0;
}

static int io_truncate(struct raft_io *io, raft_index index) {
    static const uint8_t nothing[UNIT];
    node *n = of(io);
    for (raft_index at = last_index(n); at >= index; at--)
        (void)frng_disk_write(&n->disk, (size_t)at * UNIT, nothing, UNIT);
    return 0;
}

static raft_time io_time(struct raft_io *io) {
    return frng_sim_clock(&of(io)->w->sim, of(io)->id) / FRNG_SIM_MS;
}

/* A sequence of each node's own, not of chance: elections cost no entropy. */
static int io_random(struct raft_io *io, int min, int max) {
    node *n = of(io);
    n->randoms = (n->randoms + n->id + 1U) * 2654435761U;
    return min + (int)((n->randoms >> 8) % (unsigned)(max - min));
}

/* ---- What Raft promises ---- */

static int fsm_apply(struct raft_fsm *fsm, const struct raft_buffer *buffer, void **result) {
    node *n = (node *)fsm->data;
    world *w = n->w;
    uint32_t write;
    memcpy(&write, buffer->base, sizeof write);
    const unsigned at = ++n->applied;
    if (at > w->committed) {
        w->order[++w->committed] = write;
        frng_sim_say(&w->sim, n->id, "applies write %u first, as number %u", write, at);
    }
    FRNG_ASSERT(w->order[at] == write, "%s applies write %u as number %u, where write %u was",
                names[n->id], write, at, w->order[at]);
    *result = NULL;
    return 0;
}

static void check_leader(world *w, node *n) {
    if (!n->runs || raft_state(&n->raft) != RAFT_LEADER) return;
    uint8_t *leader = &w->leads[n->raft.current_term % TERMS];
    if (*leader == n->id + 1) return;
    FRNG_ASSERT(*leader == 0, "%s and %s both lead term %d", names[*leader - 1], names[n->id],
                (int)n->raft.current_term);
    *leader = (uint8_t)(n->id + 1);
    frng_sim_say(&w->sim, n->id, "leads term %d", (int)n->raft.current_term);
    frng_sim_cancel(&w->sim, n->id, WRITE);
    frng_sim_after(&w->sim, n->id, WRITE_EVERY, WRITE, 0);
}

/* ---- Nodes ---- */

static void begin(node *n) {
    n->io = (struct raft_io){.version = 1,
                             .impl = n,
                             .init = io_init,
                             .close = io_close,
                             .load = io_load,
                             .start = io_start,
                             .bootstrap = io_bootstrap,
                             .set_term = io_set_term,
                             .set_vote = io_set_vote,
                             .send = io_send,
                             .append = io_append,
                             .truncate = io_truncate,
                             .time = io_time,
                             .random = io_random};
    n->fsm = (struct raft_fsm){.version = 1, .data = n, .apply = fsm_apply};
    n->applied = 0;
    FRNG_ASSERT(raft_init(&n->raft, &n->io, &n->fsm, n->id + 1U, names[n->id]) == 0, "init");
    raft_set_election_timeout(&n->raft, 150);
    raft_set_heartbeat_timeout(&n->raft, 50);
    raft_set_snapshot_threshold(&n->raft, 100000);
}

static void go(node *n) {
    const int error = raft_start(&n->raft);
    FRNG_ASSERT(error == 0, "%s does not start: %s", names[n->id], raft_errmsg(&n->raft));
    n->runs = true;
}

static void closed(struct raft *raft) { (void)raft; }

/* The process ends; what it had not synced may be lost. */
static void stop(node *n) {
    if (!n->runs) return;
    n->runs = false;
    n->disk.off = true;
    raft_close(&n->raft, closed);
}

static void applied(struct raft_apply *request_, int status, void *result) {
    (void)result;
    if (status == 0) ((world *)request_->data)->acknowledged++;
    raft_free(request_);
}

static void client_write(world *w, node *n) {
    struct raft_buffer buffer = {raft_malloc(8), 8};
    struct raft_apply *request_ = raft_malloc(sizeof *request_);
    const uint64_t write = w->writes + 1;
    memset(request_, 0, sizeof *request_);
    request_->data = w;
    memcpy(buffer.base, &write, 8);
    frng_sim_after(&w->sim, n->id, WRITE_EVERY, WRITE, 0);
    const uint32_t most = w->sim.is_healed ? WRITES + LAST : WRITES;
    if (w->writes < most && raft_apply(&n->raft, request_, &buffer, 1, applied) == 0) {
        w->writes++;
        return;
    }
    raft_free(buffer.base);
    raft_free(request_);
}

static void receive(node *n, const frng_sim_event *e) {
    wire *got = (wire *)e->message;
    struct raft_entry *entries = NULL;
    char *batch = NULL; /* all that came together */
    if (got->count > 0) entries = raft_calloc(got->count, sizeof *entries);
    if (got->count > 0) batch = raft_malloc(got->count * (size_t)DATA);
    for (uint32_t i = 0; i < got->count; i++) {
        entries[i].term = got->entries[i].term;
        entries[i].type = (unsigned short)got->entries[i].type;
        entries[i].batch = batch;
        entries[i].buf.base = batch + (size_t)i * DATA;
        entries[i].buf.len = got->entries[i].size;
        memcpy(entries[i].buf.base, got->entries[i].data, got->entries[i].size);
    }
    if (got->m.type == RAFT_IO_APPEND_ENTRIES) got->m.append_entries.entries = entries;
    got->m.server_id = e->from + 1U;
    got->m.server_address = names[e->from];
    n->receive(&n->io, &got->m);
}

static bool handle(world *w, const frng_sim_event *e, frng *f) {
    node *n = &w->nodes[e->node];
    if (e->type == FRNG_SIM_CRASHED) stop(n);
    if (e->type == FRNG_SIM_RESTARTED) { /* without entropy nothing more is lost */
        const bool more = frng_disk_recover(f, &n->disk);
        begin(n);
        go(n);
        if (!more && !w->sim.is_healed) return false;
    }
    if (!n->runs) return true;
    if (e->type == FRNG_SIM_MESSAGE) receive(n, e);
    if (e->type == FRNG_SIM_TIMER && e->kind == DONE) finish(n, (size_t)e->data, 0);
    if (e->type == FRNG_SIM_TIMER && e->kind == WRITE && raft_state(&n->raft) == RAFT_LEADER)
        client_write(w, n);
    if (e->type == FRNG_SIM_TIMER && e->kind == TICK) {
        n->tick(&n->io);
        frng_sim_after(&w->sim, n->id, (uint64_t)n->tick_ms * FRNG_SIM_MS, TICK, 0);
    }
    check_leader(w, n);
    return true;
}

/* ---- The test ---- */

static void bootstrap(world *w) {
    struct raft_configuration c;
    raft_configuration_init(&c);
    for (uint8_t i = 0; i < NODES; i++)
        FRNG_ASSERT(raft_configuration_add(&c, i + 1U, names[i], RAFT_VOTER) == 0, "a server");
    for (uint8_t i = 0; i < NODES; i++) {
        node *n = &w->nodes[i];
        n->w = w;
        n->id = i;
        frng_disk_init(&n->disk, n->bytes, sizeof n->bytes, n->undo, sizeof n->undo);
        n->disk.unit = UNIT;
        begin(n);
        FRNG_ASSERT(raft_bootstrap(&n->raft, &c) == 0, "bootstrap");
        go(n);
    }
    raft_configuration_close(&c);
}

/* Without faults a new write is soon applied by all. */
static void check_progress(world *w, frng *f) {
    frng_sim_event e;
    frng_sim_heal(&w->sim);
    const uint64_t end = w->sim.now + PROGRESS_WITHIN;
    const uint32_t old = w->committed;
    for (;;) {
        bool all = true;
        for (size_t i = 0; i < NODES; i++) all = all && w->nodes[i].applied > old;
        if (all) return;
        FRNG_ASSERT(frng_sim_next(&w->sim, &e) && w->sim.now < end,
                    "%d s after the faults, no new write was applied by all nodes",
                    PROGRESS_WITHIN / 1000000);
        (void)handle(w, &e, f);
    }
}

static bool run(frng *f, world *w) {
    frng_sim_event e;
    bootstrap(w);
    while (w->sim.now < RUN_FOR && frng_sim_next(&w->sim, &e))
        if (!handle(w, &e, f)) break;
    check_progress(w, f);
    FRNG_ASSERT(w->acknowledged <= w->committed, "%u acknowledged", w->acknowledged);
    return true;
}

static bool test(frng *f) {
    static world w;
    static wire messages[EVENTS];
    memset(&w, 0, sizeof w);
    frng_sim_init(&w.sim, f, names, w.events, messages);
    w.sim.weights[FRNG_SIM_AHEAD] = w.sim.weights[FRNG_SIM_BACK] = 0; /* monotonic clocks */
    w.sim.length_unit = 2 * FRNG_SIM_MS;
    const bool ok = run(f, &w);
    for (size_t i = 0; i < NODES; i++) stop(&w.nodes[i]);
    return ok;
}

FRNG_MAIN(test)

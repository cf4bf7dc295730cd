/* wal.c: a key-value store with a write-ahead log, on a disk that loses power.
 *
 * Puts and deletes wait in memory for a commit, which appends all of them to the log as one record,
 * and syncs. A checkpoint writes all keys to a table, and then the log begins anew. There are two
 * tables, so that one is whole whenever the power fails. Each has a generation, and so has each
 * record: what the log still holds of earlier generations is void. To open the store is to read the
 * newer table, and to replay the log up to the first record that is not valid.
 *
 * The bug: a commit does not sync. See wal.md.
 * Build with -DFIXED for the version without it, or with -DBUG=2 to 5 for another:
 * 2: the log begins anew before the table is on the disk.
 * 3: the checksum of a record leaves out its operations.
 * 4: records of earlier generations are replayed.
 * 5: after a power failure the log goes on where it ends. */
#include <frng_disk.h>
#include <frng_main.h>

#ifdef FIXED
#define BUG 0
#elif !defined(BUG)
#define BUG 1
#endif

/* Small, so that records cross sectors and the log is often full. */
enum { KEYS = 4, UNIT = 16, BLOCK = 64, TABLES = 0, LOG = 2 * BLOCK, DISK = 512 };

typedef struct table {
    uint32_t sum; /* of all that follows */
    uint32_t generation;
    uint32_t values[KEYS]; /* 0: there is none */
} table;

typedef struct operation {
    uint32_t key;
    uint32_t value; /* 0: delete it */
} operation;

typedef struct record {
    uint32_t sum; /* of all that follows */
    uint32_t generation;
    uint32_t count;
    operation operations[KEYS];
} record;

typedef struct store {
    frng_disk *disk;
    table now;
    record next;
    size_t log_end;
} store;

/* ---- The store. False: the disk has failed, and the store must be opened again. ---- */

/* FNV-1a over what follows the sum itself. */
static uint32_t checksum(const void *part, size_t size) {
    const uint8_t *bytes = part;
    uint32_t sum = 2166136261;
    for (size_t i = sizeof(uint32_t); i < size; i++) sum = (sum ^ bytes[i]) * 16777619;
    return sum;
}

static size_t record_size(uint32_t count) {
    return offsetof(record, operations) + count * sizeof(operation);
}

static uint32_t record_sum(const record *r) {
    return checksum(r, record_size(BUG == 3 ? 0 : r->count));
}

static void apply(table *t, const record *r) {
    for (uint32_t i = 0; i < r->count; i++) {
        if (r->operations[i].key < KEYS) t->values[r->operations[i].key] = r->operations[i].value;
    }
}

static bool read_record(const store *s, record *r) {
    const size_t head = record_size(0), left = DISK - s->log_end;
    if (left < head || !frng_disk_read(s->disk, s->log_end, r, head)) return false;
    if (r->count == 0 || r->count > KEYS || record_size(r->count) > left) return false;
    if (!frng_disk_read(s->disk, s->log_end, r, record_size(r->count))) return false;
    return r->sum == record_sum(r) && (BUG == 4 || r->generation == s->now.generation);
}

static void store_open(store *s, frng_disk *disk) {
    record r;
    memset(s, 0, sizeof *s);
    s->disk = disk;
    s->log_end = LOG;
    for (size_t i = 0; i < 2; i++) {
        table t;
        if (!frng_disk_read(disk, TABLES + i * BLOCK, &t, sizeof t)) continue;
        if (t.sum == checksum(&t, sizeof t) && t.generation > s->now.generation) s->now = t;
    }
    while (read_record(s, &r)) {
        apply(&s->now, &r);
        s->log_end += record_size(r.count);
    }
    if (BUG != 5) s->log_end = DISK; /* full: the first commit makes a checkpoint. See wal.md */
}

static bool store_checkpoint(store *s) {
    s->now.generation++;
    s->now.sum = checksum(&s->now, sizeof s->now);
    const size_t at = TABLES + s->now.generation % 2 * BLOCK; /* not over the last one */
    if (!frng_disk_write(s->disk, at, &s->now, sizeof s->now)) return false;
    s->log_end = LOG;
    return BUG == 2 || frng_disk_sync(s->disk); /* 2: the next commit syncs the table, too */
}

/* Put a value at the next commit, or delete it (0). */
static void store_put(store *s, uint32_t key, uint32_t value) {
    uint32_t i = 0;
    while (i < s->next.count && s->next.operations[i].key != key) i++;
    if (i == s->next.count) s->next.count++;
    s->next.operations[i].key = key;
    s->next.operations[i].value = value;
}

static bool store_commit(store *s) {
    const size_t size = record_size(s->next.count);
    if (s->next.count == 0) return true;
    if (size > DISK - s->log_end && !store_checkpoint(s)) return false;
    s->next.generation = s->now.generation;
    s->next.sum = record_sum(&s->next);
    if (!frng_disk_write(s->disk, s->log_end, &s->next, size)) return false;
    if (BUG != 1 && !frng_disk_sync(s->disk)) return false; /* 1: the disk writes in order */
    apply(&s->now, &s->next);
    s->log_end += size;
    s->next.count = 0;
    return true;
}

/* ---- The test ---- */

typedef enum event { PUT, DELETE, COMMIT, CHECKPOINT, POWER, EVENTS } event;

static const uint32_t weights[EVENTS] = {
    [PUT] = 6, [DELETE] = 2, [COMMIT] = 4, [CHECKPOINT] = 2, [POWER] = 2};
static const char *const names[EVENTS] = {
    [PUT] = "put", [DELETE] = "delete", [COMMIT] = "commit", [CHECKPOINT] = "checkpoint"};

typedef struct world {
    frng_disk disk;
    store store;
    uint8_t bytes[DISK], undo[DISK];
    uint32_t committed[KEYS]; /* what must be there */
    uint32_t asked[KEYS];     /* what may be there if a commit is in flight */
    bool in_flight;
    uint32_t puts; /* each put has a value of its own, so that a wrong one names its put */
} world;

/* Every key holds what was committed, or every key what the commit in flight has asked for. */
static void check(world *w) {
    const uint32_t *found = w->store.now.values, *model = w->committed;
    if (w->in_flight && memcmp(found, w->asked, sizeof w->asked) == 0) model = w->asked;
    for (uint32_t key = 0; key < KEYS; key++) {
        FRNG_ASSERT(found[key] == model[key], "key %u holds %u, and %u was committed%s", key,
                    found[key], model[key], w->in_flight ? " before the last commit" : "");
    }
    memcpy(w->committed, found, sizeof w->committed);
    memcpy(w->asked, found, sizeof w->asked);
    w->in_flight = false;
}

static bool put_or_delete(frng *f, world *w, bool is_put) {
    uint8_t key;
    frng_note(f, "key");
    FRNG_TRY(frng_u8_max(f, KEYS - 1, &key));
    w->asked[key] = is_put ? ++w->puts : 0;
    store_put(&w->store, key, w->asked[key]);
    return true;
}

static void commit(frng *f, world *w) {
    w->in_flight = !store_commit(&w->store);
    if (w->in_flight) return;
    memcpy(w->committed, w->asked, sizeof w->asked);
    frng_say(f, "committed %u %u %u %u", w->asked[0], w->asked[1], w->asked[2], w->asked[3]);
}

static bool step(frng *f, world *w) {
    size_t what;
    frng_note(f, "event");
    FRNG_TRY(frng_pick_weighted(f, weights, EVENTS, &what));
    if (what != POWER) frng_step(f, names[what]);
    if (what == PUT || what == DELETE) FRNG_TRY(put_or_delete(f, w, what == PUT));
    if (what == COMMIT) commit(f, w);
    if (what == CHECKPOINT) store_checkpoint(&w->store);
    if (what == POWER) FRNG_TRY(frng_disk_plan(f, &w->disk, 4));
    if (!w->disk.off) return true;
    FRNG_TRY(frng_disk_recover(f, &w->disk));
    store_open(&w->store, &w->disk);
    frng_label(f, w->in_flight ? "power failed in a commit" : "power failed elsewhere");
    check(w);
    return true;
}

static bool test(frng *f) {
    world w = {.puts = 0};
    frng_disk_init(&w.disk, w.bytes, sizeof w.bytes, w.undo, sizeof w.undo);
    w.disk.unit = UNIT;
    w.disk.block = BLOCK;
    store_open(&w.store, &w.disk);
    for (;;) FRNG_TRY(step(f, &w));
}

FRNG_MAIN(test)

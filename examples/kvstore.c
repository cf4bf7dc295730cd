/* kvstore.c: a log-structured key-value store, checked against an array.
 *
 * Writes go to a small table in memory. A flush turns the table into a run: records sorted by key,
 * never changed again. A read looks into the table, then into the runs, the newest first. A delete
 * writes a tombstone, a record that says "gone" and hides what older runs hold. Compaction merges
 * neighbouring runs into one, where the newest record of each key survives.
 *
 * The bug: compaction drops every tombstone it meets. See kvstore.md.
 * Build with -DFIXED for the version without it. */
#include <frng_main.h>

enum { KEYS = 16, RUNS_MAX = 8 };

typedef struct record {
    uint8_t key;
    bool tombstone;
    uint32_t value;
} record;

typedef struct run {
    record *records; /* sorted by key, one a key; from malloc */
    size_t count;
} run;

typedef struct store {
    record table[KEYS]; /* sorted by key, one a key */
    size_t table_count;
    run runs[RUNS_MAX]; /* the oldest first */
    size_t run_count;
} store;

/* ---- Runs ---- */

static run run_create(size_t capacity) {
    const run r = {.records = malloc((capacity > 0 ? capacity : 1) * sizeof(record)), .count = 0};
    if (r.records == NULL) {
        perror("kvstore");
        exit(FRNG_EXIT_CANNOT_JUDGE); /* the machine's fault, not a finding */
    }
    return r;
}

/* The index of `key`, or of the first record after where it would be. */
static size_t lower_bound(const record *records, size_t count, uint8_t key) {
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (records[middle].key < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static const record *find(const record *records, size_t count, uint8_t key) {
    const size_t i = lower_bound(records, count, key);
    return i < count && records[i].key == key ? &records[i] : NULL;
}

/* Both runs in one, the caller's to free; of two records for one key, the newer one's. */
static run run_merge(const run *older, const run *newer) {
    run merged = run_create(older->count + newer->count);
    size_t i = 0, j = 0;
    while (i < older->count || j < newer->count) {
        const record *a = i < older->count ? &older->records[i] : NULL;
        const record *b = j < newer->count ? &newer->records[j] : NULL;
        if (b == NULL || (a != NULL && a->key < b->key)) {
            merged.records[merged.count++] = *a;
            i++;
        } else {
            if (a != NULL && a->key == b->key) i++;
            merged.records[merged.count++] = *b;
            j++;
        }
    }
    return merged;
}

static void run_drop_tombstones(run *r) {
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (!r->records[i].tombstone) r->records[kept++] = r->records[i];
    }
    r->count = kept;
}

/* ---- The store ---- */

static void store_write(store *s, record r) {
    const size_t i = lower_bound(s->table, s->table_count, r.key);
    if (i == s->table_count || s->table[i].key != r.key) {
        memmove(&s->table[i + 1], &s->table[i], (s->table_count - i) * sizeof(record));
        s->table_count++;
    }
    s->table[i] = r;
}

/* What `key` holds: true and its value, or false. */
static bool store_read(const store *s, uint8_t key, uint32_t *value) {
    const record *r = find(s->table, s->table_count, key);
    for (size_t i = s->run_count; r == NULL && i > 0; i--) {
        r = find(s->runs[i - 1].records, s->runs[i - 1].count, key);
    }
    if (r == NULL || r->tombstone) return false;
    *value = r->value;
    return true;
}

/* Merge `count` neighbouring runs into one, `first` the oldest of them. */
static void store_compact(store *s, size_t first, size_t count) {
    run merged = run_create(0);
    for (size_t i = first; i < first + count; i++) {
        const run larger = run_merge(&merged, &s->runs[i]);
        free(merged.records);
        free(s->runs[i].records);
        merged = larger;
    }
    /* A merged run has one record for each key: its tombstones have done their work. */
#ifdef FIXED
    if (first == 0) run_drop_tombstones(&merged); /* older runs may still hold the key */
#else
    run_drop_tombstones(&merged);
#endif
    s->runs[first] = merged;
    s->run_count -= count - 1;
    memmove(&s->runs[first + 1], &s->runs[first + count], (s->run_count - first - 1) * sizeof(run));
}

static void store_flush(store *s) {
    if (s->table_count == 0) return;
    if (s->run_count == RUNS_MAX) store_compact(s, 0, RUNS_MAX);
    run r = run_create(s->table_count);
    memcpy(r.records, s->table, s->table_count * sizeof(record));
    r.count = s->table_count;
    s->runs[s->run_count++] = r;
    s->table_count = 0;
}

static void store_finish(store *s) {
    for (size_t i = 0; i < s->run_count; i++) free(s->runs[i].records);
}

/* ---- The test ---- */

typedef struct model {
    bool present[KEYS];
    uint32_t values[KEYS];
    uint32_t writes; /* each write gets a value of its own, so that a wrong read names its write */
} model;

typedef enum operation { PUT, DELETE, GET, FLUSH, COMPACT, OPERATIONS } operation;

static const uint32_t weights[OPERATIONS] = {
    [PUT] = 4, [DELETE] = 2, [GET] = 4, [FLUSH] = 2, [COMPACT] = 1};

static void check(const store *s, const model *m, uint8_t key) {
    uint32_t value = 0;
    const bool present = store_read(s, key, &value);
    FRNG_ASSERT(!present || m->present[key], "key %u was deleted, and is back with write %u", key,
                value);
    FRNG_ASSERT(present || !m->present[key], "key %u is gone, and was put by write %u", key,
                m->values[key]);
    FRNG_ASSERT(!present || value == m->values[key], "key %u holds write %u, not write %u", key,
                value, m->values[key]);
}

static const char *const names[OPERATIONS] = {
    [PUT] = "put", [DELETE] = "delete", [GET] = "get", [FLUSH] = "flush", [COMPACT] = "compact"};

static bool step_key(frng *f, store *s, model *m, operation what) {
    uint8_t key;
    frng_note(f, "key");
    FRNG_TRY(frng_u8_max(f, KEYS - 1, &key));
    frng_say(f, "%s %u", names[what], key);
    if (what == GET) {
        check(s, m, key);
        return true;
    }
    if (what == DELETE && m->present[key]) frng_label(f, "deleted a key that is there");
    const record r = {.key = key, .tombstone = what == DELETE, .value = ++m->writes};
    store_write(s, r);
    m->present[key] = what == PUT;
    m->values[key] = r.value;
    return true;
}

static bool step_compact(frng *f, store *s) {
    uint8_t first, last;
    if (s->run_count < 2) return true;
    frng_note(f, "first run");
    FRNG_TRY(frng_u8_max(f, (uint8_t)(s->run_count - 2), &first));
    frng_note(f, "last run");
    FRNG_TRY(frng_u8_range(f, (uint8_t)(first + 1), (uint8_t)(s->run_count - 1), &last));
    frng_say(f, "compact runs %u to %u of %zu", first, last, s->run_count);
    frng_label(f, first > 0 ? "compacted newer runs only" : "compacted the oldest runs too");
    store_compact(s, first, (size_t)(last - first) + 1);
    return true;
}

static bool step(frng *f, store *s, model *m) {
    size_t what;
    frng_note(f, "operation");
    FRNG_TRY(frng_weighted(f, weights, OPERATIONS, &what));
    frng_note(f, names[what]);
    if (what == COMPACT) return step_compact(f, s);
    if (what != FLUSH) return step_key(f, s, m, (operation)what);
    frng_say(f, "flush");
    store_flush(s);
    frng_measure(f, "runs", s->run_count);
    return true;
}

/* The test owns the store and draws nothing; the steps draw and own nothing. FRNG_TRY in here
 * would return without store_finish, and leak. */
static bool test(frng *f) {
    store s = {.run_count = 0};
    model m = {.writes = 0};
    while (step(f, &s, &m)) {
    }
    store_finish(&s);
    return false; /* out of entropy: passed */
}

FRNG_MAIN(test)

/* lmdb: one of two.
 *
 * Library: LMDB's cursors over sorted duplicates
 * Bug: a cursor on the second of two values counts one, or finds no next value
 * Packages: liblmdb-dev
 * Link: -llmdb
 *
 * lmdb.h: MDB_DUPSORT means "Use sorted duplicates"; mdb_cursor_count is to "Return count of
 * duplicates for current key", MDB_NEXT is to "Position at next data item", MDB_PREV is to
 * "Position at previous data item". The test has one cursor in one transaction, in which it puts
 * and deletes. Where the cursor's own item is deleted, it has to be positioned anew.
 *
 * The model is an array of flags, a key in each row; the database is in memory.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memfd_create */
#include <frng_main.h>
#include <frng_more.h>

#include <lmdb.h>

enum { KEYS = 3, VALUES = 4, ITEMS = KEYS * VALUES, STEPS_MAX = 200, NOWHERE = -1 };

typedef struct store {
    MDB_txn *txn;
    MDB_dbi dbi;
    MDB_cursor *cursor;
    bool model[ITEMS]; /* in order: value i of key k is at k * VALUES + i */
    int at;            /* where the cursor stands, or NOWHERE */
} store;

static MDB_val key_of(int item) { return (MDB_val){1, &"klm"[item / VALUES]}; }
static MDB_val value_of(int item) { return (MDB_val){1, &"abcd"[item % VALUES]}; }

static void cannot(int error) {
    if (error == 0) return;
    fprintf(stderr, "lmdb: %s\n", mdb_strerror(error));
    exit(FRNG_EXIT_CANNOT_JUDGE); /* the machine's fault, not a finding */
}

static void put(store *s, int item) {
    MDB_val key = key_of(item), value = value_of(item);
    const int error = mdb_put(s->txn, s->dbi, &key, &value, 0);
    FRNG_ASSERT(error == 0, "put: %s", mdb_strerror(error));
    s->model[item] = true;
}

static void delete_item(store *s, int item) {
    MDB_val key = key_of(item), value = value_of(item);
    const int error = mdb_del(s->txn, s->dbi, &key, &value);
    FRNG_ASSERT(error == (s->model[item] ? 0 : MDB_NOTFOUND), "del: %s", mdb_strerror(error));
    s->model[item] = false;
    if (s->at == item) s->at = NOWHERE;
}

/* Move the cursor to `item`, which is beyond an end if there is none. */
static void expect(store *s, MDB_cursor_op operation, const char *name, int item) {
    MDB_val key, value;
    const int error = mdb_cursor_get(s->cursor, &key, &value, operation);
    s->at = item >= 0 && item < ITEMS ? item : NOWHERE;
    FRNG_ASSERT(error == (s->at == NOWHERE ? MDB_NOTFOUND : 0), "%s: %s", name,
                mdb_strerror(error));
    if (s->at == NOWHERE) return;
    const char got = *(char *)value.mv_data, wanted = *(char *)value_of(item).mv_data;
    FRNG_ASSERT(*(char *)key.mv_data == *(char *)key_of(item).mv_data, "%s: another key", name);
    FRNG_ASSERT(got == wanted, "%s: value %c, not %c", name, got, wanted);
}

/* The first item from `item` on, in steps of `by`; beyond an end if there is none. */
static int seek(const store *s, int item, int by) {
    while (item >= 0 && item < ITEMS && !s->model[item]) item += by;
    return item;
}

static void count(const store *s) {
    size_t got, wanted = 0;
    const int first = s->at - s->at % VALUES;
    for (int i = first; i < first + VALUES; i++) wanted += s->model[i];
    const int error = mdb_cursor_count(s->cursor, &got);
    FRNG_ASSERT(error == 0, "count: %s", mdb_strerror(error));
    FRNG_ASSERT(got == wanted, "at value %c of %zu: a count of %zu",
                *(char *)value_of(s->at).mv_data, wanted, got);
}

static bool step(frng *f, store *s) {
    static const char *const names[] = {"put", "del", "first", "last", "next", "previous", "count"};
    uint8_t operation, item;
    FRNG_TRY(frng_u8_max(f, 6, &operation));
    frng_step(f, names[operation]);
    if (operation < 2) {
        frng_note(f, "item");
        FRNG_TRY(frng_u8_max(f, ITEMS - 1, &item));
    }
    switch (operation) {
    case 0: put(s, item); return true;
    case 1: delete_item(s, item); return true;
    case 2: expect(s, MDB_FIRST, "first", seek(s, 0, 1)); return true;
    case 3: expect(s, MDB_LAST, "last", seek(s, ITEMS - 1, -1)); return true;
    default: break;
    }
    if (s->at == NOWHERE) return true;
    switch (operation) {
    case 4: expect(s, MDB_NEXT, "next", seek(s, s->at + 1, 1)); break;
    case 5: expect(s, MDB_PREV, "previous", seek(s, s->at - 1, -1)); break;
    default: count(s); break;
    }
    return true;
}

static bool test(frng *f) {
    store s = {.at = NOWHERE};
    MDB_env *env;
    char path[32];
    const int memory = memfd_create("lmdb", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
    cannot(mdb_env_create(&env));
    cannot(mdb_env_open(env, path, MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOSYNC, 0600));
    cannot(mdb_txn_begin(env, NULL, 0, &s.txn));
    cannot(mdb_dbi_open(s.txn, NULL, MDB_DUPSORT, &s.dbi));
    cannot(mdb_cursor_open(s.txn, s.dbi, &s.cursor));
    for (int i = 0; i < STEPS_MAX && step(f, &s); i++) {
    }
    mdb_cursor_close(s.cursor);
    mdb_txn_abort(s.txn);
    mdb_env_close(env);
    close(memory);
    return true;
}

FRNG_MAIN(test)

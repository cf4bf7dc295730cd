/* kv.h: one test of all key-value stores, with power failures under their file calls.
 *
 * A store defines the functions below, and includes this file first. A put or delete is
 * acknowledged when it returns while the power is on or, with KV_SYNCS, when a sync after it does.
 * After each failure the store must open, and each key hold the acknowledged value, or one that
 * was put after it. What a new store makes is on the disk first, but with KV_IS_BORN. With
 * KV_THREADS the threads that a store makes are scheduled by the test, too (-rdynamic names them);
 * with KV_OWN_TEST the test is yours, and calls kv_power. Compiled with -DKV_REAL this is the
 * second way, without frng: see real.sh.
 * SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stddef.h>

static const char *kv_error = "";         /* why the last call has failed */
static void *kv_open(const char *folder); /* NULL: it does not open */
static bool kv_put(void *store, const char *key, const char *value, size_t size); /* NULL: delete */
static int kv_get(void *store, const char *key, char *value, size_t room); /* -1: none, -2: error */
static bool kv_sync(void *store);         /* makes all that was put durable, with KV_SYNCS */
static const char *kv_check(void *store); /* what is wrong with the store, or NULL */
static void kv_close(void *store);

#ifdef KV_REAL
#include "real.h"
#else
#include <frng_files.h>
#ifdef KV_THREADS
#include <frng_threads.h>
#endif
#include <frng_main.h>
#ifndef KV_SYNCS
#define KV_SYNCS false
#endif
#ifndef KV_MODEL
#define KV_MODEL FRNG_FILES_EXT4
#endif
#ifndef KV_IS_BORN
#define KV_IS_BORN false /* true: the power may fail before a new store is on the disk */
#endif
#ifndef KV_CALLS
#define KV_CALLS 40 /* the power fails within so many */
#endif

enum { KEYS = 4, HISTORY = 64, VALUE_MAX = 5000 };

/* The values that a key may have: first the acknowledged one, and then those put after it. */
typedef struct model {
    unsigned values[KEYS][HISTORY];
    int count[KEYS];
    unsigned puts;
} model;

/* Value `n`, which has its number and one of four sizes; 0 is none. */
static size_t value_of(unsigned n, char *into) {
    static const size_t sizes[] = {8, 100, 900, VALUE_MAX};
    const size_t size = n == 0 ? 0 : sizes[n % 4];
    for (size_t i = 0; i < size; i++) into[i] = (char)('a' + (n + i) % 26);
    if (n > 0) snprintf(into, size, "%06u", n);
    return size;
}

static const char *key_of(int k) {
    static const char *const keys[KEYS] = {"k0", "k1", "k2", "k3"};
    return keys[k];
}

static void acknowledge(model *m, int k) {
    m->values[k][0] = m->values[k][m->count[k] - 1];
    m->count[k] = 1;
}

static void check_key(model *m, void *store, int k) {
    static char found[2 * VALUE_MAX], wanted[VALUE_MAX];
    const int size = kv_get(store, key_of(k), found, sizeof found);
    FRNG_ASSERT(size != -2, "key %d cannot be read: %s", k, kv_error);
    int i = 0;
    for (; i < m->count[k]; i++) {
        const size_t n = value_of(m->values[k][i], wanted);
        if (m->values[k][i] == 0 ? size < 0 : size == (int)n && memcmp(found, wanted, n) == 0)
            break;
    }
    const bool is_known = i < m->count[k];
    FRNG_ASSERT(is_known || size >= 0, "key %d is lost, and %u was acknowledged", k,
                m->values[k][0]);
    FRNG_ASSERT(is_known || m->values[k][0] > 0, "key %d holds %.6s, and was deleted", k, found);
    FRNG_ASSERT(is_known, "key %d holds %d bytes (%.6s), and %u was acknowledged", k, size,
                size > 5 ? found : "", m->values[k][0]);
    m->values[k][0] = m->values[k][i], m->count[k] = 1;
}

static void check(model *m, void *store) {
    for (int k = 0; k < KEYS; k++) check_key(m, store, k);
    const char *wrong = kv_check(store);
    FRNG_ASSERT(wrong == NULL, "the store's own check: %s", wrong);
}

static bool step(frng *f, model *m, void *store) {
    static char value[VALUE_MAX];
    uint8_t what, k;
    frng_note(f, "what");
    FRNG_TRY(frng_u8_max(f, 7, &what));
    if (KV_SYNCS && what == 7) {
        frng_step(f, "sync");
        const bool ok = kv_sync(store);
        if (frng_files_off()) return true;
        FRNG_ASSERT(ok, "sync: %s", kv_error);
        frng_say(f, "all is acknowledged");
        for (int i = 0; i < KEYS; i++) acknowledge(m, i);
        return true;
    }
    frng_step(f, what < 5 ? "put" : "delete");
    frng_note(f, "key");
    FRNG_TRY(frng_u8_max(f, KEYS - 1, &k));
    if (m->count[k] == HISTORY) return true;
    const unsigned n = what < 5 ? (m->puts += 4) + what % 4 : 0;
    m->values[k][m->count[k]++] = n;
    const bool ok = kv_put(store, key_of(k), n > 0 ? value : NULL, value_of(n, value));
    if (frng_files_off()) return true;
    FRNG_ASSERT(ok, "put: %s", kv_error);
    if (!KV_SYNCS) acknowledge(m, k);
    if (n > 0)
        frng_say(f, "key %d = %u%s", k, n, KV_SYNCS ? "" : " is acknowledged");
    else
        frng_say(f, "key %d is deleted%s", k, KV_SYNCS ? "" : ": acknowledged");
    return true;
}

static bool run(frng *f) {
    static model m;
    const char *folder = frng_files_begin(KV_MODEL);
    memset(&m, 0, sizeof m);
    for (int k = 0; k < KEYS; k++) m.count[k] = 1;
    frng_files_listen(f);
    for (bool is_new = true;; is_new = false) {
        void *store = kv_open(folder);
        FRNG_ASSERT(store != NULL, "does not open: %s", kv_error);
        if (is_new && !KV_IS_BORN) sync();
        check(&m, store);
        bool ok = frng_files_plan(f, KV_CALLS);
        while (ok && !frng_files_off()) {
#ifdef KV_AUDIT
            frng_files_audit();
#endif
            ok = step(f, &m, store);
        }
        kv_close(store);
        FRNG_TRY(ok && frng_files_recover(f));
    }
}

#ifdef KV_THREADS
static void *begin(void *f) { return run((frng *)f) ? f : NULL; }
static bool kv_power(frng *f) { return frng_sched_run(f, begin, f); }
#else
static bool kv_power(frng *f) { return run(f); }
#endif
#ifndef KV_OWN_TEST
FRNG_MAIN(kv_power)
#endif
#endif

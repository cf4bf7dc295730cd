/* lmdb: what it promises without a sync. FLAGS is 0, MDB_NOMETASYNC or MDB_NOSYNC.
 *
 * Library: LMDB
 * Packages: liblmdb-dev
 * Link: -llmdb
 * Promise: lmdb.h, MDB_NOSYNC: "If the filesystem preserves write order and the MDB_WRITEMAP flag
 * is not used, transactions exhibit ACI (atomicity, consistency, isolation) properties and only
 * lose D (durability)"; FRNG_FILES_ORDERED is such a file system. MDB_NOMETASYNC: "maintains
 * database integrity, but a system crash may undo the last committed transaction".
 * SPDX-License-Identifier: MIT */
#ifndef FLAGS
#define FLAGS MDB_NOSYNC
#define KV_MODEL FRNG_FILES_ORDERED
#endif
#if !defined(KV_SYNCS) && !defined(DURABLE)
#define KV_SYNCS true
#endif
#include "kv.h"

#include <lmdb.h>
#include <stdlib.h>
#include <string.h>

static void *kv_open(const char *folder) {
    MDB_env *env;
    mdb_env_create(&env);
    const int e = mdb_env_open(env, folder, FLAGS, 0644);
    if (e == 0) return env;
    kv_error = mdb_strerror(e);
    mdb_env_close(env);
    return NULL;
}

static bool kv_put(void *env, const char *key, const char *value, size_t size) {
    MDB_txn *txn;
    MDB_dbi dbi;
    MDB_val k = {2, (void *)key}, v = {size, (void *)value};
    int e = mdb_txn_begin(env, NULL, 0, &txn);
    if (e == 0) e = mdb_dbi_open(txn, NULL, 0, &dbi);
    if (e == 0) e = value != NULL ? mdb_put(txn, dbi, &k, &v, 0) : mdb_del(txn, dbi, &k, NULL);
    if (e == MDB_NOTFOUND) e = 0;
    if (e == 0) e = mdb_txn_commit(txn);
    kv_error = mdb_strerror(e);
    return e == 0;
}

static int kv_get(void *env, const char *key, char *value, size_t room) {
    MDB_txn *txn;
    MDB_dbi dbi;
    MDB_val k = {2, (void *)key}, v = {0, NULL};
    int e = mdb_txn_begin(env, NULL, MDB_RDONLY, &txn);
    if (e == 0) e = mdb_dbi_open(txn, NULL, 0, &dbi);
    if (e == 0) e = mdb_get(txn, dbi, &k, &v);
    if (e == 0 && v.mv_size <= room) memcpy(value, v.mv_data, v.mv_size);
    mdb_txn_abort(txn);
    kv_error = mdb_strerror(e);
    return e == 0 ? (int)v.mv_size : e == MDB_NOTFOUND ? -1 : -2;
}

static bool kv_sync(void *env) { return mdb_env_sync(env, 1) == 0; }
static const char *kv_check(void *env) { return env != NULL ? NULL : "closed"; }
static void kv_close(void *env) { mdb_env_close(env); }

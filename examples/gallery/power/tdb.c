/* tdb: a file that its own check calls corrupt.
 *
 * Library: tdb, the database of Samba
 * Packages: libtdb-dev
 * Link: -ltdb
 * Promise: tdb.h, tdb_check: "Check the consistency of the database." of a file that transactions
 * alone have written: tdb_transaction_commit makes each of them whole.
 * SPDX-License-Identifier: MIT */
#include "kv.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <tdb.h>

static void *kv_open(const char *folder) {
    char path[200];
    snprintf(path, sizeof path, "%s/db", folder);
    void *db = tdb_open(path, 0, TDB_DEFAULT, O_RDWR | O_CREAT, 0644);
    kv_error = db == NULL ? "tdb_open" : "";
    return db;
}

static TDB_DATA data_of(const char *bytes, size_t size) {
    const TDB_DATA d = {(unsigned char *)bytes, size};
    return d;
}

static bool kv_put(void *db, const char *key, const char *value, size_t size) {
    bool ok = tdb_transaction_start(db) == 0;
    if (ok && value != NULL) ok = tdb_store(db, data_of(key, 2), data_of(value, size), 0) == 0;
    if (ok && value == NULL) (void)tdb_delete(db, data_of(key, 2));
    ok = ok && tdb_transaction_commit(db) == 0;
    kv_error = tdb_errorstr(db);
    return ok;
}

static int kv_get(void *db, const char *key, char *value, size_t room) {
    const TDB_DATA d = tdb_fetch(db, data_of(key, 2));
    kv_error = tdb_errorstr(db);
    if (d.dptr == NULL) return tdb_error(db) == TDB_ERR_NOEXIST ? -1 : -2;
    memcpy(value, d.dptr, d.dsize < room ? d.dsize : room);
    free(d.dptr);
    return (int)d.dsize;
}

static bool kv_sync(void *db) { return db != NULL; }
#ifdef KV_NO_CHECK
static const char *kv_check(void *db) { return db != NULL ? NULL : "closed"; }
#else
static const char *kv_check(void *db) {
    return tdb_check(db, NULL, NULL) == 0 ? NULL : "tdb_check";
}
#endif
static void kv_close(void *db) { tdb_close(db); }

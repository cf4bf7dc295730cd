/* qdbm: a transaction that is committed.
 *
 * Library: QDBM's Villa, the ancestor of Tokyo Cabinet
 * Packages: libqdbm-dev
 * Link: -lqdbm
 * Promise: villa.h, vltrancommit: "Updating a database in the transaction is fixed when it is
 * committed successfully."
 * SPDX-License-Identifier: MIT */
#include "kv.h"

#include <qdbm/depot.h>
#include <qdbm/villa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *kv_open(const char *folder) {
    char path[200];
    snprintf(path, sizeof path, "%s/db", folder);
    void *db = vlopen(path, VL_OWRITER | VL_OCREAT, VL_CMPLEX);
    kv_error = dperrmsg(dpecode);
    return db;
}

static bool kv_put(void *db, const char *key, const char *value, size_t size) {
    bool ok = vltranbegin(db);
    if (ok && value != NULL) ok = vlput(db, key, 2, value, (int)size, VL_DOVER);
    if (ok && value == NULL) ok = vlout(db, key, 2) || dpecode == DP_ENOITEM;
    ok = ok && vltrancommit(db);
    kv_error = dperrmsg(dpecode);
    return ok;
}

static int kv_get(void *db, const char *key, char *value, size_t room) {
    int size = 0;
    char *bytes = vlget(db, key, 2, &size);
    kv_error = dperrmsg(dpecode);
    if (bytes == NULL) return dpecode == DP_ENOITEM ? -1 : -2;
    memcpy(value, bytes, (size_t)size < room ? (size_t)size : room);
    free(bytes);
    return size;
}

static bool kv_sync(void *db) { return vlsync(db); }
static const char *kv_check(void *db) { return vlfatalerror(db) ? "vlfatalerror" : NULL; }
static void kv_close(void *db) { vlclose(db); }

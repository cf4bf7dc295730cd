/* gdbm: synchronized, and never synced.
 *
 * Library: GNU dbm
 * Packages: libgdbm-dev
 * Link: -lgdbm
 * Promise: gdbm(3), GDBM_SYNC: "Causes all database operations to be synchronized to the disk."
 * SPDX-License-Identifier: MIT */
#include "kv.h"

#include <gdbm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *kv_open(const char *folder) {
    char path[200];
    snprintf(path, sizeof path, "%s/db", folder);
    GDBM_FILE db = gdbm_open(path, 512, GDBM_WRCREAT | GDBM_SYNC, 0644, NULL);
    kv_error = gdbm_strerror(gdbm_errno);
    return db;
}

static datum datum_of(const char *bytes, size_t size) {
    const datum d = {(char *)bytes, (int)size};
    return d;
}

static bool kv_put(void *db, const char *key, const char *value, size_t size) {
    const datum k = datum_of(key, 2);
    if (value == NULL) return gdbm_delete(db, k) == 0 || gdbm_errno == GDBM_ITEM_NOT_FOUND;
    const bool ok = gdbm_store(db, k, datum_of(value, size), GDBM_REPLACE) == 0;
    kv_error = gdbm_strerror(gdbm_errno);
    return ok;
}

static int kv_get(void *db, const char *key, char *value, size_t room) {
    datum d = gdbm_fetch(db, datum_of(key, 2));
    if (d.dptr == NULL && gdbm_needs_recovery(db) && gdbm_recover(db, NULL, 0) == 0)
        d = gdbm_fetch(db, datum_of(key, 2)); /* as the manual says */
    kv_error = gdbm_strerror(gdbm_errno);
    if (d.dptr == NULL) return gdbm_errno == GDBM_ITEM_NOT_FOUND ? -1 : -2;
    memcpy(value, d.dptr, (size_t)d.dsize < room ? (size_t)d.dsize : room);
    free(d.dptr);
    return d.dsize;
}

static bool kv_sync(void *db) { return gdbm_sync(db) == 0; }
static const char *kv_check(void *db) { return gdbm_needs_recovery(db) ? "needs recovery" : NULL; }
static void kv_close(void *db) { gdbm_close(db); }

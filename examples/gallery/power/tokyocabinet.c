/* tokyocabinet: a commit that is rolled back.
 *
 * Library: Tokyo Cabinet's hash database
 * Packages: libtokyocabinet-dev
 * Link: -ltokyocabinet
 * Promise: tchdb.h, HDBOTSYNC: "every transaction synchronizes updated contents with the device";
 * tchdbtrancommit: "Update in the transaction is fixed when it is committed successfully."
 * SPDX-License-Identifier: MIT */
#include "kv.h"

#include <stdio.h>
#include <tchdb.h>

static void *kv_open(const char *folder) {
    char path[200];
    TCHDB *db = tchdbnew();
    snprintf(path, sizeof path, "%s/db", folder);
    if (tchdbopen(db, path, HDBOWRITER | HDBOCREAT | HDBOTSYNC)) return db;
    kv_error = tchdberrmsg(tchdbecode(db));
    tchdbdel(db);
    return NULL;
}

static bool kv_put(void *db, const char *key, const char *value, size_t size) {
    bool ok = tchdbtranbegin(db);
    if (ok && value != NULL) ok = tchdbput(db, key, 2, value, (int)size);
    if (ok && value == NULL) ok = tchdbout(db, key, 2) || tchdbecode(db) == TCENOREC;
    ok = ok && tchdbtrancommit(db);
    kv_error = tchdberrmsg(tchdbecode(db));
    return ok;
}

static int kv_get(void *db, const char *key, char *value, size_t room) {
    const int size = tchdbget3(db, key, 2, value, (int)room);
    kv_error = tchdberrmsg(tchdbecode(db));
    return size >= 0 ? size : tchdbecode(db) == TCENOREC ? -1 : -2;
}

static bool kv_sync(void *db) { return tchdbsync(db); }
static const char *kv_check(void *db) { return tchdbrnum(db) > 4 ? "five records" : NULL; }
static void kv_close(void *db) { tchdbclose(db), tchdbdel(db); }

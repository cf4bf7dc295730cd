/* kyotocabinet: a recovery that is not durable.
 *
 * Library: Kyoto Cabinet's hash database
 * Packages: libkyotocabinet-dev
 * Link: -lkyotocabinet
 * Promise: kchashdb.h, HashDB::open: OAUTOTRAN "means each updating operation is performed in
 * implicit transaction", OAUTOSYNC "means each updating operation is followed by implicit
 * synchronization with the file system".
 * SPDX-License-Identifier: MIT */
#include "kv.h"

#include <kclangc.h>
#include <stdio.h>

static void *kv_open(const char *folder) {
    char path[200];
    KCDB *db = kcdbnew();
    snprintf(path, sizeof path, "%s/db.kch#bnum=101", folder);
    if (kcdbopen(db, path, KCOWRITER | KCOCREATE | KCOAUTOTRAN | KCOAUTOSYNC)) return db;
    kv_error = kcecodename(kcdbecode(db));
    kcdbdel(db);
    return NULL;
}

static bool kv_put(void *db, const char *key, const char *value, size_t size) {
    const bool ok = value != NULL ? kcdbset(db, key, 2, value, size)
                                  : kcdbremove(db, key, 2) || kcdbecode(db) == KCENOREC;
    kv_error = kcecodename(kcdbecode(db));
    return ok;
}

static int kv_get(void *db, const char *key, char *value, size_t room) {
    const int size = kcdbgetbuf(db, key, 2, value, room);
    kv_error = kcecodename(kcdbecode(db));
    return size >= 0 ? size : kcdbecode(db) == KCENOREC ? -1 : -2;
}

static bool kv_sync(void *db) { return kcdbsync(db, 1, NULL, NULL); }
static const char *kv_check(void *db) { return kcdbcount(db) > 4 ? "five records" : NULL; }
static void kv_close(void *db) { kcdbclose(db), kcdbdel(db); }

/* sqlite: the pair that calibrates the model. LEVEL is FULL, which may lose a commit, or EXTRA.
 *
 * Library: SQLite
 * Packages: libsqlite3-dev
 * Link: -lsqlite3
 * Promise: https://www.sqlite.org/pragma.html#pragma_synchronous: "EXTRA synchronous is like FULL
 * with the addition that the directory containing a rollback journal is synced after that journal
 * is unlinked to commit a transaction in DELETE mode. EXTRA provides additional durability if the
 * commit is followed closely by a power loss."
 * SPDX-License-Identifier: MIT */
#include "kv.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#ifndef JOURNAL
#define JOURNAL "DELETE"
#endif
#ifndef LEVEL
#define LEVEL "FULL"
#endif

static void *kv_open(const char *folder) {
    char path[200];
    sqlite3 *db;
    snprintf(path, sizeof path, "%s/db", folder);
    const int e = sqlite3_open(path, &db);
    if (e == SQLITE_OK && sqlite3_exec(db,
                                       "PRAGMA page_size = 1024; PRAGMA journal_mode = " JOURNAL
                                       "; PRAGMA synchronous = " LEVEL
                                       "; CREATE TABLE IF NOT EXISTS t (k PRIMARY KEY, v);",
                                       NULL, NULL, NULL) == SQLITE_OK)
        return db;
    kv_error = sqlite3_errmsg(db);
    return NULL;
}

static bool kv_put(void *db, const char *key, const char *value, size_t size) {
    const char *text = value != NULL ? "REPLACE INTO t VALUES (?, ?)" : "DELETE FROM t WHERE k = ?";
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(db, text, -1, &s, NULL) != SQLITE_OK) return false;
    sqlite3_bind_text(s, 1, key, 2, SQLITE_STATIC);
    if (value != NULL) sqlite3_bind_blob(s, 2, value, (int)size, SQLITE_STATIC);
    const bool ok = sqlite3_step(s) == SQLITE_DONE;
    kv_error = sqlite3_errmsg(db);
    sqlite3_finalize(s);
    return ok;
}

static int kv_get(void *db, const char *key, char *value, size_t room) {
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(db, "SELECT v FROM t WHERE k = ?", -1, &s, NULL) != SQLITE_OK) return -2;
    sqlite3_bind_text(s, 1, key, 2, SQLITE_STATIC);
    const int found = sqlite3_step(s), size = found == SQLITE_ROW ? sqlite3_column_bytes(s, 0) : -1;
    if (size > 0 && (size_t)size <= room) memcpy(value, sqlite3_column_blob(s, 0), (size_t)size);
    kv_error = sqlite3_errmsg(db);
    sqlite3_finalize(s);
    return found == SQLITE_ROW || found == SQLITE_DONE ? size : -2;
}

static int is_ok(void *ok, int count, char **values, char **names) {
    (void)count, (void)names;
    return *(bool *)ok = strcmp(values[0], "ok") == 0, 0;
}

static bool kv_sync(void *db) { return db != NULL; }
static const char *kv_check(void *db) {
    bool ok = false;
    sqlite3_exec(db, "PRAGMA integrity_check", is_ok, &ok, NULL);
    return ok ? NULL : "integrity_check";
}
static void kv_close(void *db) { sqlite3_close(db); }

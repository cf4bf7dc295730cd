/* LevelDB: with the thread that compacts its tables.
 *
 * Library: LevelDB
 * Packages: libleveldb-dev
 * Link: -lleveldb -rdynamic
 * Promise: leveldb/options.h, sync: "If this flag is true, writes will be slower. If this flag is
 * false, and the machine crashes, some recent writes may be lost."
 * SPDX-License-Identifier: MIT */
#define KV_THREADS
#include "kv.h"

#include <leveldb/c.h>
#include <stdlib.h>
#include <string.h>

static bool has_failed(char *error) {
    static char text[200];
    if (error == NULL) return false;
    snprintf(text, sizeof text, "%s", error);
    kv_error = text;
    leveldb_free(error);
    return true;
}

static void *kv_open(const char *folder) {
    leveldb_options_t *o = leveldb_options_create();
    char *error = NULL;
    leveldb_options_set_create_if_missing(o, 1);
    leveldb_options_set_paranoid_checks(o, 1);
    leveldb_options_set_write_buffer_size(o, 65536); /* the least: a table each few puts */
    leveldb_t *db = leveldb_open(o, folder, &error);
    leveldb_options_destroy(o);
    return has_failed(error) ? NULL : db;
}

static bool kv_put(void *db, const char *key, const char *value, size_t size) {
    leveldb_writeoptions_t *o = leveldb_writeoptions_create();
    char *error = NULL;
    leveldb_writeoptions_set_sync(o, 1);
    if (value != NULL)
        leveldb_put((leveldb_t *)db, o, key, 2, value, size, &error);
    else
        leveldb_delete((leveldb_t *)db, o, key, 2, &error);
    leveldb_writeoptions_destroy(o);
    return !has_failed(error);
}

static int kv_get(void *db, const char *key, char *value, size_t room) {
    leveldb_readoptions_t *o = leveldb_readoptions_create();
    char *error = NULL;
    size_t size = 0;
    char *found = leveldb_get((leveldb_t *)db, o, key, 2, &size, &error);
    leveldb_readoptions_destroy(o);
    if (has_failed(error)) return -2;
    if (found == NULL) return -1;
    memcpy(value, found, size < room ? size : room);
    leveldb_free(found);
    return (int)size;
}

static bool kv_sync(void *db) { return db != NULL; }
static const char *kv_check(void *db) { return db != NULL ? NULL : "no store"; }
static void kv_close(void *db) { leveldb_close((leveldb_t *)db); }

/* tkrzw: synchronized hard.
 *
 * Library: Tkrzw's hash database, the successor of Kyoto Cabinet
 * Packages: libtkrzw-dev
 * Link: -ltkrzw
 * Promise: tkrzw_langc.h, tkrzw_dbm_synchronize: "Synchronizes the content of the database to the
 * file system", and if hard is true, "to do physical synchronization with the hardware".
 * SPDX-License-Identifier: MIT */
#define KV_SYNCS true
#include "kv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tkrzw_langc.h>

static void *kv_open(const char *folder) {
    char path[200];
    snprintf(path, sizeof path, "%s/db.tkh", folder);
    void *db = tkrzw_dbm_open(
        path, true, "num_buckets=101,update_mode=UPDATE_APPENDING,restore_mode=RESTORE_SYNC");
    kv_error = tkrzw_get_last_status_message();
    return db;
}

static bool kv_put(void *db, const char *key, const char *value, size_t size) {
    const bool ok = value != NULL ? tkrzw_dbm_set(db, key, 2, value, (int)size, true)
                                  : tkrzw_dbm_remove(db, key, 2);
    kv_error = tkrzw_get_last_status_message();
    return ok || (value == NULL && tkrzw_get_last_status_code() == TKRZW_STATUS_NOT_FOUND_ERROR);
}

static int kv_get(void *db, const char *key, char *value, size_t room) {
    int size = 0;
    char *bytes = tkrzw_dbm_get(db, key, 2, &size);
    kv_error = tkrzw_get_last_status_message();
    if (bytes == NULL)
        return tkrzw_get_last_status_code() == TKRZW_STATUS_NOT_FOUND_ERROR ? -1 : -2;
    memcpy(value, bytes, (size_t)size < room ? (size_t)size : room);
    free(bytes);
    return size;
}

static bool kv_sync(void *db) { return tkrzw_dbm_synchronize(db, true, NULL, NULL, ""); }
static const char *kv_check(void *db) { return tkrzw_dbm_is_healthy(db) ? NULL : "not healthy"; }
static void kv_close(void *db) { tkrzw_dbm_close(db); }

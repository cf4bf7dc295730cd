/* berkeleydb: a database that recovery makes again, and does not sync.
 *
 * Library: Berkeley DB's transactional data store
 * Packages: libdb5.3-dev
 * Link: -ldb-5.3
 * Search: --rng-seed 20
 * Promise: DB_TXN->commit, "Durability": the changes of a committed transaction survive failures of
 * application, system and hardware; DB_RECOVER: "Run normal recovery on this environment before
 * opening it for normal use."
 * SPDX-License-Identifier: MIT */
#define KV_IS_BORN true
#include "kv.h"

#include <db.h>
#include <stdlib.h>
#include <string.h>

typedef struct store {
    DB_ENV *env;
    DB *db;
} store;

static void quiet(const DB_ENV *env, const char *prefix, const char *message) {
    (void)env, (void)prefix, (void)message;
}

static void kv_close(void *p) {
    store *s = p;
    if (s->db != NULL) s->db->close(s->db, 0);
    s->env->close(s->env, 0);
    free(s);
}

static void *kv_open(const char *folder) {
    store *s = calloc(1, sizeof *s);
    db_env_create(&s->env, 0);
    s->env->set_errcall(s->env, quiet);
    s->env->set_lg_max(s->env, 1 << 20);
    int e = s->env->open(s->env, folder,
                         DB_CREATE | DB_INIT_TXN | DB_INIT_LOG | DB_INIT_LOCK | DB_INIT_MPOOL |
                             DB_RECOVER | DB_PRIVATE,
                         0644);
    if (e == 0) e = db_create(&s->db, s->env, 0);
    if (e == 0) e = s->db->open(s->db, NULL, "db", NULL, DB_HASH, DB_CREATE | DB_AUTO_COMMIT, 0644);
    if (e == 0) return s;
    kv_error = db_strerror(e);
    kv_close(s);
    return NULL;
}

static DBT dbt_of(const void *bytes, size_t size) {
    DBT d;
    memset(&d, 0, sizeof d);
    d.data = (void *)(size_t)bytes, d.size = (unsigned)size;
    return d;
}

static bool kv_put(void *p, const char *key, const char *value, size_t size) {
    const store *s = p;
    DBT k = dbt_of(key, 2), v = dbt_of(value, size);
    int e = value != NULL ? s->db->put(s->db, NULL, &k, &v, 0) : s->db->del(s->db, NULL, &k, 0);
    kv_error = db_strerror(e);
    return e == 0 || (value == NULL && e == DB_NOTFOUND);
}

static int kv_get(void *p, const char *key, char *value, size_t room) {
    const store *s = p;
    DBT k = dbt_of(key, 2), v = dbt_of(value, 0);
    v.ulen = (unsigned)room, v.flags = DB_DBT_USERMEM;
    const int e = s->db->get(s->db, NULL, &k, &v, 0);
    kv_error = db_strerror(e);
    return e == 0 ? (int)v.size : e == DB_NOTFOUND ? -1 : -2;
}

static bool kv_sync(void *p) { return ((store *)p)->db->sync(((store *)p)->db, 0) == 0; }
static const char *kv_check(void *p) { return ((store *)p)->db == NULL ? "closed" : NULL; }

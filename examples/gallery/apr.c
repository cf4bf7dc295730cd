/* apr: nothing, laid over a table.
 *
 * Library: the Apache Portable Runtime's tables
 * Bug: `apr_table_overlap` with an empty table removes entries
 * Packages: libapr1-dev
 * Link: -D_GNU_SOURCE -I/usr/include/apr-1.0 -lapr-1
 *
 * apr_tables.h has the model: "Conceptually, apr_table_overlap does this:", and a loop that calls
 * apr_table_mergen, apr_table_addn or apr_table_setn for each element of b, "except that it is more
 * efficient". So the test makes two tables, copies one, and compares the function with the loop, by
 * the values of each key in their order.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <apr_general.h>
#include <apr_strings.h>
#include <apr_tables.h>

static const char *const keys[] = {"k", "l", "m"};
static const char *const values[] = {"0", "1", "2", "3"};

/* The loop of apr_tables.h. */
static void overlap(apr_table_t *a, const apr_table_t *b, unsigned flags) {
    const apr_array_header_t *elements = apr_table_elts(b);
    const apr_table_entry_t *entries = (const apr_table_entry_t *)elements->elts;
    for (int i = 0; i < elements->nelts; i++) {
        if ((flags & APR_OVERLAP_TABLES_MERGE) != 0) {
            apr_table_mergen(a, entries[i].key, entries[i].val);
        } else if ((flags & APR_OVERLAP_TABLES_ADD) != 0) {
            apr_table_addn(a, entries[i].key, entries[i].val);
        } else {
            apr_table_setn(a, entries[i].key, entries[i].val);
        }
    }
}

/* The values of a key, each in brackets. */
static const char *list(apr_pool_t *pool, const apr_table_t *table, const char *key) {
    const apr_array_header_t *elements = apr_table_elts(table);
    const apr_table_entry_t *entries = (const apr_table_entry_t *)elements->elts;
    char *text = apr_pstrdup(pool, "");
    for (int i = 0; i < elements->nelts; i++) {
        if (strcmp(entries[i].key, key) != 0) continue;
        text = apr_pstrcat(pool, text, "[", entries[i].val, "]", NULL);
    }
    return text;
}

static bool draw_table(frng *f, apr_table_t *table) {
    uint8_t count, key, value;
    frng_note(f, "entries");
    FRNG_TRY(frng_u8_max(f, 4, &count));
    while (count-- > 0) {
        frng_note(f, "key, value");
        FRNG_TRY(frng_u8_max(f, 2, &key));
        FRNG_TRY(frng_u8_max(f, 3, &value));
        apr_table_addn(table, keys[key], values[value]);
    }
    return true;
}

static bool step(frng *f, apr_pool_t *pool) {
    static const unsigned flags[] = {APR_OVERLAP_TABLES_SET, APR_OVERLAP_TABLES_MERGE,
                                     APR_OVERLAP_TABLES_ADD};
    apr_table_t *a = apr_table_make(pool, 1), *b = apr_table_make(pool, 1);
    uint8_t flag;
    FRNG_TRY(draw_table(f, a));
    FRNG_TRY(draw_table(f, b));
    frng_note(f, "set, merge, add");
    FRNG_TRY(frng_u8_max(f, 2, &flag));

    apr_table_t *wanted = apr_table_copy(pool, a);
    overlap(wanted, b, flags[flag]);
    apr_table_overlap(a, b, flags[flag]);
    for (size_t i = 0; i < 3; i++) {
        const char *got = list(pool, a, keys[i]), *want = list(pool, wanted, keys[i]);
        FRNG_ASSERT(strcmp(got, want) == 0, "key %s has %s, not %s", keys[i], got, want);
    }
    return true;
}

static bool test(frng *f) {
    apr_pool_t *pool;
    bool more = true;
    if (apr_initialize() != APR_SUCCESS) exit(FRNG_EXIT_CANNOT_JUDGE);
    while (more) {
        if (apr_pool_create(&pool, NULL) != APR_SUCCESS) exit(FRNG_EXIT_CANNOT_JUDGE);
        more = step(f, pool);
        apr_pool_destroy(pool);
    }
    apr_terminate();
    return true;
}

FRNG_MAIN(test)

/* files.c: a store of four numbers in files: a log, and snapshots of it.
 *
 * A put appends a record to the log, and syncs. A snapshot has all numbers: it is written to a
 * temporary file, gets its name by a rename, the folder is synced, and the log begins anew. Each
 * snapshot has a generation, and so has each record; to open the store is to read the newest
 * snapshot, and to replay the records of its generation. The store makes system calls and knows
 * nothing of frng: it could be a shared library without sources.
 *
 * The bug: a snapshot is renamed without an fsync of its bytes. See files.md.
 * Build with -DFIXED for the version without it, or with -DBUG=2 or 3 for another:
 * 2: a put does not sync.
 * 3: the folder is not synced after the log was created: ext4 forgives that, POSIX does not. */
#include <frng_files.h>
#include <frng_main.h>

#ifdef FIXED
#define BUG 0
#elif !defined(BUG)
#define BUG 1
#endif
#ifndef MODEL
#define MODEL FRNG_FILES_EXT4
#endif

/* ---- The store ---- */

enum { NUMBERS = 4, GENERATIONS = 8 };

typedef struct store {
    char folder[100];
    int log, root;
    uint32_t generation, numbers[NUMBERS];
} store;

typedef struct record {
    uint32_t key, number, generation, sum;
} record;

static uint32_t sum_of(const record *r) {
    return ((r->key * 31 + r->number) * 31 + r->generation) * 31 + 77;
}

static char *path_of(const store *s, const char *name, char path[200]) {
    snprintf(path, 200, "%s/%s", s->folder, name);
    return path;
}

static char *path_of_snapshot(const store *s, uint32_t generation, char path[200]) {
    snprintf(path, 200, "%s/snapshot.%u", s->folder, (unsigned)generation);
    return path;
}

static bool read_snapshot(store *s, uint32_t generation) {
    char path[200];
    const int file = open(path_of_snapshot(s, generation, path), O_RDONLY);
    if (file < 0) return true; /* there is none */
    const bool ok = read(file, s->numbers, sizeof s->numbers) == sizeof s->numbers;
    s->generation = generation;
    close(file);
    return ok;
}

/* False: the store is damaged. */
static bool store_open(store *s, const char *folder) {
    char path[200];
    record r;
    off_t end = 0;
    memset(s, 0, sizeof *s);
    snprintf(s->folder, sizeof s->folder, "%s", folder);
    for (uint32_t g = 1; g < GENERATIONS; g++)
        if (!read_snapshot(s, g)) return false;
    s->root = open(folder, O_RDONLY | O_DIRECTORY);
    s->log = open(path_of(s, "log", path), O_RDWR | O_CREAT, 0644);
    if (BUG != 3) fsync(s->root);
    for (; pread(s->log, &r, sizeof r, end) == sizeof r && r.sum == sum_of(&r);
         end += (off_t)sizeof r)
        if (r.generation == s->generation) s->numbers[r.key] = r.number;
    return ftruncate(s->log, end) == 0 && fsync(s->log) == 0; /* a torn record goes */
}

static void store_put(store *s, uint32_t key, uint32_t number) {
    record r = {key, number, s->generation, 0};
    r.sum = sum_of(&r);
    lseek(s->log, 0, SEEK_END);
    if (write(s->log, &r, sizeof r) != sizeof r) abort();
    if (BUG != 2) fsync(s->log);
    s->numbers[key] = number;
}

static void store_snapshot(store *s) {
    char path[200], named[200];
    if (s->generation + 1 == GENERATIONS) return;
    path_of_snapshot(s, s->generation + 1, named);
    const int file = open(path_of(s, "temporary", path), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (write(file, s->numbers, sizeof s->numbers) != sizeof s->numbers) abort();
    if (BUG != 1) fsync(file);
    close(file);
    rename(path, named);
    fsync(s->root);
    s->generation++;
    if (ftruncate(s->log, 0) == 0) fsync(s->log);
}

static void store_close(const store *s) {
    close(s->log);
    close(s->root);
}

/* ---- The test ---- */

typedef struct model {
    uint32_t put[NUMBERS], asked[NUMBERS], next;
} model;

static void check(const store *s, model *m) {
    for (size_t k = 0; k < NUMBERS; k++) {
        const uint32_t found = s->numbers[k];
        FRNG_ASSERT(found == m->put[k] || found == m->asked[k], "number %zu is %u, and %u was put",
                    k, (unsigned)found, (unsigned)m->put[k]);
        m->put[k] = m->asked[k] = found;
    }
}

static bool step(frng *f, store *s, model *m) {
    bool is_put;
    uint8_t key;
    FRNG_TRY(frng_bool(f, &is_put));
    frng_step(f, is_put ? "put" : "snapshot");
    if (!is_put) {
        store_snapshot(s);
        return true;
    }
    FRNG_TRY(frng_u8_max(f, NUMBERS - 1, &key));
    m->asked[key] = ++m->next;
    store_put(s, key, m->next);
    if (frng_files_off()) return true;
    m->put[key] = m->next;
    frng_say(f, "number %u = %u is acknowledged", key, (unsigned)m->next);
    return true;
}

static bool test(frng *f) {
    const char *folder = frng_files_begin(MODEL);
    model m;
    store s;
    memset(&m, 0, sizeof m);
    frng_files_listen(f);
    for (;;) {
        FRNG_ASSERT(store_open(&s, folder), "the store does not open");
        check(&s, &m);
        bool ok = frng_files_plan(f, 20);
        while (ok && !frng_files_off()) ok = step(f, &s, &m);
        store_close(&s);
        FRNG_TRY(ok && frng_files_recover(f));
    }
}

FRNG_MAIN(test)

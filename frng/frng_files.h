/* frng_files.h: the power fails under real file calls, of libraries as they are.
 *
 * The program defines open, write, fsync, rename, mmap and the like, so that calls of its shared
 * libraries come here. Those in one private folder make the real calls, and are logged with their
 * data; others pass untouched. When the power fails, entropy says what is lost of that which no
 * sync has promised, and the folder is made anew from the rest. Calls never draw.
 *
 *     static bool test(frng *f) {
 *         const char *folder = frng_files_begin(FRNG_FILES_EXT4);  // empty
 *         uint8_t stored = 0, asked = 0;
 *         for (;;) {                                   // each time that the machine starts
 *             store *s = store_open(folder);           // of the library
 *             FRNG_ASSERT(s != NULL, "does not open");
 *             const uint8_t found = store_get(s);
 *             FRNG_ASSERT(found == stored || found == asked, "%u is lost", stored);
 *             bool ok = frng_files_plan(f, 40);        // the power fails after 0..40 calls
 *             for (stored = found; ok && !frng_files_off();) {
 *                 ok = frng_u8(f, &asked);
 *                 if (ok) store_put(s, asked);
 *                 if (ok && !frng_files_off()) stored = asked; // acknowledged
 *             }
 *             store_close(s);                          // in a world that does not survive
 *             FRNG_TRY(ok && frng_files_recover(f));   // draws what is lost
 *         }
 *     }
 *
 *     frng_files_begin(model)     an empty folder for this run; its path
 *     frng_files_listen(f)        calls before the first plan are in the trace, too
 *     frng_files_plan(f, most)    draw when the power fails: after 0 (now) to `most` logged calls
 *     frng_files_off()            has it failed? What returns before is acknowledged
 *     frng_files_recover(f)       draw what is lost, and make the folder of the rest
 *     frng_files_audit()          assert that the log explains the folder: no call was missed
 *
 * FRNG_FILES_ORDERED loses the newest calls alone: all file systems may. FRNG_FILES_EXT4 is ext4
 * as mounted by default: names and sizes in order, data late by file or by page. FRNG_FILES_POSIX
 * loses whatever the file's own fsync, or that of the folder for a name, does not promise.
 *
 * Include it before other headers, in one file of the program; link with what libraries need. Not
 * seen, and so refused if it can be: io_uring, AIO, O_TMPFILE, symbolic links, renamed folders.
 * Linux with 64 bits, glibc. C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_FILES_H
#define FRNG_FILES_H
#include "frng_files_calls.h"
#include <stdlib.h>
#include <sys/file.h>

FRNG__WRAPS

/* ---- The folder ---- */

/* Remove folders of ours that nobody holds: those of runs that crashed. */
static void frng__files_sweep(const char *parent) {
    char path[PATH_MAX];
    FRNG__EACH(e, parent) {
        if (strncmp(e->d_name, "frng-files-", 11) != 0) continue;
        snprintf(path, sizeof path, "%s/%s", parent, e->d_name);
        const int fd = (int)FRNG__DO(openat, AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
        if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) {
            frng__files_wipe(path);
            (void)FRNG__DO(unlinkat, AT_FDCWD, path, FRNG__AT_REMOVEDIR);
        }
        if (fd >= 0) (void)FRNG__DO(close, fd);
    }
}

/* Make a folder that is locked as long as this process lives. A sweep may remove it before. */
static void frng__files_make_root(const char *parent) {
    char *const path = frng__files.root;
    struct stat st;
    for (int number = 0; number < 10000; number++) {
        snprintf(path, sizeof frng__files.root, "%s/frng-files-%d-%d", parent, (int)getpid(),
                 number);
        const bool is_new = FRNG__DO(mkdirat, AT_FDCWD, path, 0700) == 0;
        if (!is_new && errno != EEXIST) break;
        if (!is_new) continue;
        const int lock =
            (int)FRNG__DO(openat, AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
        if (lock >= 0 && flock(lock, LOCK_EX) == 0 && stat(path, &st) == 0) return;
        if (lock >= 0) (void)FRNG__DO(close, lock);
    }
    path[0] = 0;
}

static void frng__files_drop_log(void) {
    for (size_t i = 0; i < frng__files.op_count; i++) free(frng__files.ops[i].bytes);
    for (size_t i = 0; i < frng__files.file_count; i++) {
        frng__file *const n = &frng__files.files[i];
        if (n->seen != NULL) (void)FRNG__DO(munmap, n->view, n->view_size);
        free(n->seen), n->seen = NULL;
    }
    frng__files.op_count = frng__files.mapping_count = frng__files.told = 0;
    frng__files.until_off = 0, frng__files.is_off = false;
}

__attribute__((destructor, unused)) static void frng__files_leave(void) {
    if (frng__files.root[0] == 0 || frng__files.process != (int)getpid()) return;
    frng__files.is_active = false;
    frng__files_wipe(frng__files.root);
    (void)FRNG__DO(unlinkat, AT_FDCWD, frng__files.root, FRNG__AT_REMOVEDIR);
    frng__files.root[0] = 0;
}

/* Begin a run with an empty folder, and return its path. */
__attribute__((unused)) static const char *frng_files_begin(frng_files_model model) {
    struct stat st;
    const char *const parents[] = {"/dev/shm", "/tmp"};
    frng__files.is_active = false;
    if (frng__files.process != (int)getpid())
        frng__files.root[0] = 0; /* after a fork: of its own */
    frng__files.process = (int)getpid();
    for (size_t i = 0; i < 2 && frng__files.root[0] == 0; i++) {
        frng__files_sweep(parents[i]);
        frng__files_make_root(parents[i]);
    }
    FRNG_ASSERT(frng__files.root[0] != 0, "no folder in /dev/shm or /tmp: %s", strerror(errno));
    frng__files_wipe(frng__files.root);
    frng__files_drop_log();
    for (size_t i = 0; i < frng__files.file_count; i++) free(frng__files.files[i].bytes);
    for (size_t i = 0; i < frng__files.text_count; i++) free(frng__files.texts[i]);
    frng__files.file_count = frng__files.name_count = frng__files.text_count = 0;
    frng__files.calls = frng__files.temporary = 0;
    frng__files.f = NULL, frng__files.refused = NULL, frng__files.model = model;
    frng__files.thread = &frng__files_thread;
    FRNG_ASSERT(stat(frng__files.root, &st) == 0, "%s is gone", frng__files.root);
    frng__files.device = st.st_dev;
    (void)frng__files_new(&st);
    frng__files.is_active = true;
    return frng__files.root;
}

/* Let calls from now on be lines of the trace. */
__attribute__((unused)) static inline void frng_files_listen(frng *f) { frng__files.f = f; }

/* ---- The power ---- */

/* True if it has failed. */
__attribute__((unused)) static inline bool frng_files_off(void) {
    return __atomic_load_n(&frng__files.is_off, __ATOMIC_RELAXED);
}

/* Draw after how many logged calls the power fails: 0 is now. */
FRNG_DRAW bool frng_files_plan(frng *f, size_t most) {
    size_t calls;
    frng__files.f = f;
    frng__world_step(f, "power fails");
    frng_note(f, "after calls");
    FRNG_TRY(frng_pick(f, most + 1, &calls));
    frng__files_take();
    frng__files_log_stores();
    frng__files.until_off = calls + 1;
    if (calls == 0) frng__files.is_off = true;
    frng__files_give();
    return true;
}

/* Lose what the newest `count` calls did that can be lost. Return how many there are. */
static size_t frng__files_lose_newest(size_t count) {
    const frng__op *last = NULL;
    size_t calls = 0;
    for (size_t i = frng__files.op_count; i-- > 0;) {
        frng__op *const o = &frng__files.ops[i];
        if (o->kind == FRNG__FORCE && calls < count) o->is_lost = !o->is_safe;
        if (!frng__files_may_lose(i)) continue;
        if (last == NULL || !frng__files_is_same_call(last, o)) {
            if (calls == count) break;
            calls++;
        }
        last = o, o->is_lost = true;
    }
    return calls;
}

/* Of so many values no byte is rejected, so that zeros mean that nothing is lost. */
static size_t frng__files_power_of_2(size_t least) {
    size_t power = 1;
    while (power < least) power *= 2;
    return power;
}

/* In how many ways an operation may be late: data with its file, or with its page alone. */
static size_t frng__files_ways(size_t i) {
    return !frng__files_may_lose(i) ? 0u : frng__files_is_data(&frng__files.ops[i]) ? 2u : 1u;
}

/* Draw one file that is late from some operation on, or one page or name; none in half of the cases
 * or more. */
FRNG_DRAW bool frng__files_draw_late(frng *f, bool *is_late) {
    size_t count = 1, pick = 0, i;
    for (i = 0; i < frng__files.op_count; i++) count += frng__files_ways(i);
    *is_late = false;
    if (count == 1) return true;
    uint32_t *const weights = (uint32_t *)frng__files_room(NULL, count * sizeof *weights);
    for (i = 1; i < count; i++) weights[i] = 1;
    weights[0] = (uint32_t)(frng__files_power_of_2(2 * count - 2) - (count - 1));
    frng_note(f, "late");
    const bool ok = frng_pick_weighted(f, weights, count, &pick);
    free(weights);
    *is_late = pick > 0;
    for (i = 0; pick > frng__files_ways(i); i++) pick -= frng__files_ways(i);
    if (*is_late) frng__files_lose(i, pick == 1 && frng__files_ways(i) == 2);
    return ok;
}

FRNG_DRAW bool frng__files_draw(frng *f) {
    size_t newest = frng__files_lose_newest(SIZE_MAX), pick = 0;
    bool is_late = frng__files.model != FRNG_FILES_ORDERED;
    for (size_t i = 0; i < frng__files.op_count; i++) frng__files.ops[i].is_lost = false;
    frng_note(f, "newest lost");
    if (newest > 0) FRNG_TRY(frng_pick(f, frng__files_power_of_2(newest + 1), &pick));
    (void)frng__files_lose_newest(pick);
    while (is_late) {
        frng__files_lose_whole_appends();
        FRNG_TRY(frng__files_draw_late(f, &is_late));
    }
    return true;
}

/* Say what is lost, and how much is there though no sync has promised it. */
static void frng__files_say_lost(frng *f) {
    char line[300];
    size_t kept = 0;
    for (size_t i = 0; i < frng__files.op_count;) {
        const frng__op *const o = &frng__files.ops[i];
        kept += !o->is_lost && !o->is_safe && o->kind < FRNG__FORCE;
        i = o->is_lost ? frng__files_describe(i, line, sizeof line) : i + 1;
        if (o->is_lost) frng_say(f, "lost: %s", line);
    }
    if (kept > 0) frng_say(f, "kept: %zu operations that no sync has promised", kept);
}

/* The power is back: draw what is lost, and make the folder of the rest. */
FRNG_DRAW bool frng_files_recover(frng *f) {
    frng__world_step(f, "power returns");
    frng__files.f = f;
    frng__files_take();
    frng__files_log_stores();
    frng__files.is_off = true;
    frng__files_give();
    const bool ok = frng__files_draw(f);
    if (frng_listens(f)) frng__files_say_lost(f);
    frng_digest(f, (uint64_t)frng__files.calls << 20 ^ frng__files.op_count);
    frng__files.is_active = false;
    frng__files_wipe(frng__files.root);
    for (size_t i = 0; i < frng__files.op_count; i++) {
        const frng__op *const o = &frng__files.ops[i];
        if (!o->is_lost && frng__files_is_name(o)) frng__files_play_name(o);
        if (!o->is_lost && o->file != FRNG__NO_FILE)
            frng__files_play(&frng__files.files[o->file], o);
    }
    for (size_t i = 1; i < frng__files.file_count; i++) frng__files.files[i].inode = 0;
    frng__files_drop_log();
    frng__files_build(0);
    frng__files_forget();
    frng__files.is_active = true;
    return ok;
}

/* ---- The audit ---- */

/* Assert that a file holds what it does by the log. */
static void frng__files_compare_file(const char *path, size_t file) {
    frng__file n = frng__files.files[file];
    n.bytes = (uint8_t *)frng__files_room(NULL, n.count);
    if (n.count > 0) memcpy(n.bytes, frng__files.files[file].bytes, n.count);
    for (size_t i = 0; i < frng__files.op_count; i++)
        if (frng__files.ops[i].file == file) frng__files_play(&n, &frng__files.ops[i]);
    uint8_t *const bytes = (uint8_t *)frng__files_room(NULL, n.count + 1);
    memset(bytes, 0, n.count + 1); /* for MemorySanitizer, as in frng__files_stat */
    const int fd = (int)FRNG__DO(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    const ssize_t size = FRNG__DO(pread64, fd, bytes, n.count + 1, 0);
    FRNG_ASSERT(size == (ssize_t)n.count && memcmp(bytes, n.bytes, n.count) == 0,
                "audit: %s has %zd bytes, and by the log %zu%s", path, size, n.count,
                size == (ssize_t)n.count ? " others" : "");
    (void)FRNG__DO(close, fd);
    free(bytes), free(n.bytes);
}

/* Compare what is in a folder with the disk, and return how many names it has. */
static size_t frng__files_compare(const char *path, size_t folder) {
    char name[PATH_MAX];
    size_t count = 0;
    FRNG__EACH(e, path) {
        snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        const frng__name *const n = frng__files_bound(folder, frng__files_path(folder, e->d_name));
        FRNG_ASSERT(n != NULL, "audit: the log does not have %s", name);
        const bool is_folder = frng__files.files[n->file].is_folder;
        count += 1 + (is_folder ? frng__files_compare(name, n->file) : 0);
        if (!is_folder) frng__files_compare_file(name, n->file);
    }
    return count;
}

/* Assert that the log explains the folder, while the power is on. */
__attribute__((unused)) static void frng_files_audit(void) {
    if (frng__files.is_off || !frng__files.is_active) return;
    frng__files_take();
    frng__files_log_stores();
    frng__name *const names = frng__files.names;
    const size_t name_count = frng__files.name_count, size = name_count * sizeof *names;
    frng__files.names = (frng__name *)frng__files_room(NULL, 2 * size); /* a copy, to play on */
    if (size > 0) memcpy(frng__files.names, names, size);
    for (size_t i = 0; i < frng__files.op_count; i++)
        if (frng__files_is_name(&frng__files.ops[i])) frng__files_play_name(&frng__files.ops[i]);
    const size_t count = frng__files_compare(frng__files.root, 0);
    FRNG_ASSERT(count == frng__files.name_count, "audit: %zu names, and by the log %zu", count,
                frng__files.name_count);
    free(frng__files.names);
    frng__files.names = names, frng__files.name_count = name_count;
    frng__files_give();
}
FRNG__WRAPS_END
#endif

#include "keeper.h"

#include "cover.h"
#include "kept.h"
#include "overwrite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef enum keeper_phase { KEEPER_AT_WORK, KEEPER_AT_END } keeper_phase;

struct keeper {
    store *store;
    bool is_shared;
    kept_list list;
    cover_doubts doubts;
    store_stamp folder; /* where the findings on disk are */
    keeper_phase phase;
    bool has_new_doubts; /* what was needless may not be */
    unsigned round;      /* number of the last round of tries */
    int lost;            /* errno: a finding is not even in memory */
    keeper_counts counts;
};

keeper *keeper_create(store *s) {
    keeper *k = calloc(1, sizeof *k);
    if (k == NULL) return NULL;
    k->store = s;
    store_look(s, &k->folder);
    return k;
}

void keeper_destroy(keeper *k) {
    if (k == NULL) return;
    kept_list_finish(&k->list);
    cover_doubts_finish(&k->doubts);
    free(k);
}

void keeper_share(keeper *k) { k->is_shared = true; }

/* ---- The folder ---- */

/* Of what was on disk, nothing is in this folder as far as we know. */
static void move_to(keeper *k, const store_stamp *folder) {
    k->folder = *folder;
    k->counts.moves++;
    for (size_t i = 0; i < k->list.count; i++) {
        kept *e = k->list.list[i];
        if (e->place == KEPT_ON_DISK && e->text != NULL) e->place = KEPT_IN_MEMORY;
    }
}

/* Look whether the folder is there, and the same. Return 0 or an errno. */
static int look(keeper *k) {
    store_stamp now;
    int error = store_look(k->store, &now);
    if (error != 0) error = store_look(k->store, &now); /* what failed only once goes well now */
    if (error == 0 && !store_stamp_is_same_folder(&now, &k->folder)) move_to(k, &now);
    return error;
}

/* True if something has the name of a finding. */
static bool is_taken(const keeper *k, const kept *e) {
    enum { TRIES = 2 }; /* another machine may just replace it */
    struct stat status;
    int error = ESTALE;
    for (int i = 0; i < TRIES && error == ESTALE; i++) {
        error = fstatat(store_fd(k->store), e->file, &status, AT_SYMLINK_NOFOLLOW) != 0 ? errno : 0;
    }
    return error == 0;
}

/* Return 0 if a finding is there; ENOENT if it is not, or something else has its name, which is
 * replaced; EEXIST if the finding there is of another program. One that was there is not opened. */
static int look_for(keeper *k, const kept *e) {
    const char *why;
    finding there;
    if (!is_taken(k, e)) return ENOENT;
    if (e->place == KEPT_ON_DISK) return 0;
    if (!store_read(k->store, e->file, &there, &why)) return ENOENT;
    const bool is_same = kept_has_subject(e, &there);
    finding_free(&there);
    return is_same ? 0 : EEXIST;
}

/* ---- A full disk ---- */

static bool is_full(int error) { return error == ENOSPC || error == EDQUOT; }

static int write_text(keeper *k, const kept *e) {
    return store_write(k->store, e->file, e->text, strlen(e->text));
}

static int write_over(keeper *k, const kept *old, const kept *e) {
    return overwrite_file(store_fd(k->store), old->file, e->file, e->text);
}

/* Forget a finding of this process that made room. */
static void give_up(keeper *k, const kept *old) {
    kept_list_drop(&k->list, old);
    k->counts.removed++;
}

/* Return the one finding on disk of this process that `e` would make needless, or NULL. */
static kept *predecessor_of(const keeper *k, const kept *e) {
    for (size_t i = 0; i < k->list.count && !e->is_doubted; i++) {
        kept *old = k->list.list[i];
        if (old->place != KEPT_ON_DISK || old->writer == KEPT_OF_OTHERS) continue;
        if (kept_is_better(&k->list, e, old)) return old;
        if (old->is_doubted && kept_is_alike(e, old)) return old;
    }
    return NULL;
}

/* Put a finding in the place of one that is needless. Return 0 or an errno. */
static int replace_spare(keeper *k, const kept *spare, const kept *e) {
    if (write_over(k, spare, e) == 0) return 0;
    return store_remove(k->store, spare->file) == 0 ? write_text(k, e) : ENOSPC;
}

/* Write a finding although the disk is full. A kill at any instant leaves one of its signature on
 * disk, if there was one: what goes first is needless beside another one, and the last one is
 * overwritten in one call. Return 0 or an errno. */
static int make_room(keeper *k, const kept *e) {
    int error = ENOSPC;
    kept *old;
    while (is_full(error) && (old = kept_list_spare(&k->list)) != NULL) {
        error = replace_spare(k, old, e);
        give_up(k, old);
    }
    old = is_full(error) ? predecessor_of(k, e) : NULL;
    if (old == NULL) return error;
    error = write_over(k, old, e);
    if (error == 0) give_up(k, old);
    return error;
}

static int write_new(keeper *k, kept *e) {
    int error = write_text(k, e);
    if (error != 0) error = write_text(k, e); /* what failed only once goes well now */
    if (is_full(error)) error = e->is_outdated ? write_over(k, e, e) : make_room(k, e);
    if (error != 0) return error;
    e->writer = KEPT_OF_US;
    e->is_outdated = false;
    return 0;
}

/* ---- Findings that make others needless ---- */

/* True if a finding on disk that failed here is better. */
static bool has_better(const keeper *k, const kept *e) {
    for (size_t i = 0; i < k->list.count; i++) {
        const kept *other = k->list.list[i];
        if (other->place == KEPT_ON_DISK && kept_is_better(&k->list, other, e)) return true;
    }
    return false;
}

static bool is_needless(keeper *k, const kept *e) {
    const cover_proof proof = k->phase == KEEPER_AT_END ? COVER_PROVEN : COVER_FAILED;
    if (!k->is_shared || e->has_bytes || e->digest[0] == '\0') return false;
    return has_better(k, e) || cover_is_there(k->store, e, &k->doubts, proof);
}

/* Take leave of a finding, because `e` is better. Return true if it is to be forgotten. */
static bool is_superseded(keeper *k, const kept *e, kept *old) {
    if (old->place != KEPT_ON_DISK) return true;
    const bool is_removed =
        k->is_shared && e->place == KEPT_ON_DISK && !e->has_bytes && e->digest[0] != '\0';
    if (is_removed && old->writer == KEPT_OF_OTHERS) return true;
    if (is_removed && store_remove(k->store, old->file) == 0) return true;
    if (e->place == KEPT_IN_MEMORY) return false; /* what is on disk is all there is */
    free(old->text);
    old->text = NULL;
    return false;
}

static void supersede(keeper *k, const kept *e) {
    for (size_t i = 0; i < k->list.count;) {
        kept *old = k->list.list[i];
        const bool is_gone = kept_is_better(&k->list, e, old) && is_superseded(k, e, old);
        if (is_gone) kept_list_drop(&k->list, old);
        if (!is_gone) i++;
    }
}

/* ---- Keeping ---- */

static void stay_in_memory(keeper *k, kept *e) {
    e->place = KEPT_IN_MEMORY;
    k->counts.errors++;
}

/* Find or write a finding. Return 0, or an errno: it is only in memory. */
static int put(keeper *k, kept *e, kept_place *where) {
    int error = look_for(k, e);
    if (error == EEXIST && kept_set_apart(e)) error = look_for(k, e);
    const bool is_free = error == ENOENT || (error == 0 && e->is_outdated);
    *where = is_free && is_needless(k, e) ? KEPT_NEEDLESS : KEPT_ON_DISK;
    if (!is_free) return error;
    return *where == KEPT_NEEDLESS ? 0 : write_new(k, e);
}

/* Bring a finding to its place. Return as above. */
static int place(keeper *k, kept *e) {
    kept_place where;
    const int error = put(k, e, &where);
    e->place = where;
    if (error != 0) stay_in_memory(k, e);
    supersede(k, e);
    return error;
}

/* True if a finding is to be brought to its place. */
static bool is_due(const keeper *k, const kept *e) {
    switch (e->place) {
    case KEPT_IN_MEMORY: return true;
    case KEPT_NEEDLESS: return k->has_new_doubts;
    case KEPT_ON_DISK: break;
    }
    return false;
}

/* Return a finding that is due and was not tried in this round, or NULL. */
static kept *next_due(const keeper *k) {
    for (size_t i = 0; i < k->list.count; i++) {
        kept *e = k->list.list[i];
        if (is_due(k, e) && e->round != k->round) return e;
    }
    return NULL;
}

/* Bring all that are due to their places. Return 0 or the first errno. */
static int place_due(keeper *k) {
    int first = 0;
    kept *e;
    k->round++;
    while ((e = next_due(k)) != NULL) {
        e->round = k->round;
        const int error = place(k, e);
        if (first == 0) first = error;
    }
    k->has_new_doubts = false;
    return first;
}

/* Doubt a finding if it is flaky, or else trust it. */
static void judge(keeper *k, kept *e, const finding *f) {
    e->is_doubted = f->repeated < f->reruns;
    if (e->is_doubted) {
        cover_doubt(&k->doubts, e->name);
    } else {
        cover_trust(&k->doubts, e->name);
    }
}

int keeper_save(keeper *k, const finding *f) {
    kept *e = kept_list_put(&k->list, f);
    if (e == NULL) {
        k->counts.errors++;
        k->lost = ENOMEM;
        return ENOMEM;
    }
    judge(k, e, f);
    int error = look(k);
    if (error == 0) {
        error = place(k, e);
        if (error == 0) place_due(k); /* what failed before may go well now, too */
    } else if (e->place != KEPT_ON_DISK) {
        stay_in_memory(k, e);
        supersede(k, e);
    }
    return error;
}

void keeper_file(const keeper *k, const finding *f, char name[STORE_NAME_MAX]) {
    store_name(f, name);
    const kept *e = kept_list_find(&k->list, name);
    if (e != NULL) memcpy(name, e->file, sizeof e->file);
}

void keeper_doubt(keeper *k, const seed_input *input) {
    char name[STORE_NAME_MAX];
    const finding f = {.input = *input};
    store_name(&f, name);
    kept *e = kept_list_find(&k->list, name);
    if (e != NULL) e->is_doubted = true;
    cover_doubt(&k->doubts, name);
    k->has_new_doubts = true;
}

int keeper_retry(keeper *k, const store_stamp *seen) {
    const int error = seen != NULL ? 0 : look(k);
    if (seen != NULL && !store_stamp_is_same_folder(seen, &k->folder)) move_to(k, seen);
    return error == 0 ? place_due(k) : error;
}

/* ---- The end ---- */

/* Write the final text over the first one. */
static void write_final(keeper *k, kept *e) {
    int error = write_text(k, e);
    if (is_full(error)) error = write_over(k, e, e);
    if (error == 0) e->writer = KEPT_OF_US_CONCLUDED;
    k->counts.errors += error != 0;
}

void keeper_conclude(keeper *k, const finding *f) {
    char name[STORE_NAME_MAX];
    store_name(f, name);
    kept *e = kept_list_find(&k->list, name);
    if (e == NULL || !kept_is_news(e, f)) return;
    if (e->place == KEPT_ON_DISK && e->writer != KEPT_OF_US) return;
    if (!kept_rewrite(e, f)) return; /* the first text stays */
    judge(k, e, f);
    if (e->place == KEPT_ON_DISK && look(k) == 0 && look_for(k, e) == 0) write_final(k, e);
}

/* Find out which of the best findings are not on disk any more. Those in a folder that is gone were
 * stored, and went with it. */
static void look_for_all(keeper *k, int gone) {
    for (size_t i = 0; i < k->list.count; i++) {
        kept *e = k->list.list[i];
        if (e->place == KEPT_NEEDLESS) e->place = KEPT_IN_MEMORY; /* look again for a better one */
        if (gone != 0 || e->place != KEPT_ON_DISK || e->text == NULL) continue;
        if (look_for(k, e) != 0) e->place = KEPT_IN_MEMORY;
    }
}

static size_t count_waiting(const keeper *k) {
    size_t waiting = 0;
    for (size_t i = 0; i < k->list.count; i++) {
        waiting += k->list.list[i]->place == KEPT_IN_MEMORY;
    }
    return waiting;
}

int keeper_finish(keeper *k) {
    k->phase = KEEPER_AT_END;
    const int gone = look(k);
    look_for_all(k, gone);
    int error = gone == 0 ? place_due(k) : 0;
    if (gone != 0 && count_waiting(k) > 0) error = gone;
    k->counts.is_gone = gone != 0;
    return k->lost != 0 ? k->lost : error;
}

keeper_counts keeper_count(const keeper *k) {
    if (k == NULL) return (keeper_counts){.errors = 0};
    keeper_counts counts = k->counts;
    counts.waiting = count_waiting(k);
    return counts;
}

#include "keeper.h"

#include "atomic_file.h"
#include "kept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct keeper {
    store *store;
    kept_list list;
    store_stamp folder; /* where the findings on disk are */
    unsigned round;     /* number of the last round of tries */
    int lost;           /* errno: a finding is not even in memory */
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
    free(k);
}

/* ---- The folder ---- */

/* Of what was on disk, nothing is in this folder as far as we know. */
static void move_to(keeper *k, const store_stamp *folder) {
    k->folder = *folder;
    k->counts.moves++;
    for (size_t i = 0; i < k->list.count; i++) k->list.list[i]->place = KEPT_IN_MEMORY;
}

/* Look whether the folder is there, and the same. Return 0 or an errno. */
static int look(keeper *k) {
    store_stamp now;
    int error = store_look(k->store, &now);
    if (error != 0) error = store_look(k->store, &now); /* what failed only once goes well now */
    if (error == 0 && !store_stamp_is_same_folder(&now, &k->folder)) move_to(k, &now);
    return error;
}

/* Return 0 if something has the name of a finding, ENOENT if not; or another errno. */
static int look_at(const keeper *k, const kept *e) {
    enum { TRIES = 2 }; /* another machine may just replace it */
    struct stat status;
    int error = ESTALE;
    for (int i = 0; i < TRIES && error == ESTALE; i++) {
        error = fstatat(store_fd(k->store), e->file, &status, AT_SYMLINK_NOFOLLOW) != 0 ? errno : 0;
    }
    return error;
}

/* Return 0 if a finding is there; ENOENT if it is not, or something else has its name, which is
 * replaced; EEXIST if the finding there is of another program. One that was there is not opened. */
static int look_for(keeper *k, const kept *e) {
    const char *why;
    finding there;
    const int error = look_at(k, e);
    if (error != 0) return error;
    if (e->place == KEPT_ON_DISK) return 0;
    if (!store_read(k->store, e->file, &there, &why))
        return errno == 0 || errno == EINVAL ? ENOENT : errno;
    const bool is_same = kept_has_subject(e, &there);
    finding_free(&there);
    return is_same ? 0 : EEXIST;
}

/* ---- Keeping ---- */

static int write_text(keeper *k, const kept *e) {
    return store_write(k->store, e->file, e->text, strlen(e->text));
}

/* Find or write a finding. Return 0, or an errno: it is only in memory. */
static int put(keeper *k, kept *e) {
    int error = look_for(k, e);
    if (error == EEXIST && kept_set_apart(e)) error = look_for(k, e);
    if (error == 0 && !e->is_outdated) return atomic_file_sync(store_fd(k->store));
    if (error != ENOENT && error != 0) return error;
    error = write_text(k, e);
    if (error != 0) error = write_text(k, e); /* what failed only once goes well now */
    if (error != 0) return error;
    e->writer = KEPT_OF_US;
    e->is_outdated = false;
    return 0;
}

/* Forget what `e` replaces, and remove the files that this process wrote. What is on disk goes only
 * after `e` is on disk: a kill at any instant leaves one of them. */
static void replace_larger(keeper *k, const kept *e) {
    for (size_t i = k->list.count; i-- > 0;) {
        const kept *old = k->list.list[i];
        const bool is_on_disk = old->place == KEPT_ON_DISK;
        if (!kept_replaces(&k->list, e, old) || (is_on_disk && e->place != KEPT_ON_DISK)) continue;
        if (is_on_disk && old->writer != KEPT_OF_OTHERS) store_remove(k->store, old->file);
        kept_list_drop(&k->list, old);
    }
}

static void stay_in_memory(keeper *k, kept *e) {
    e->place = KEPT_IN_MEMORY;
    k->counts.errors++;
}

/* Bring a finding to its place. Return as above. */
static int place(keeper *k, kept *e) {
    const int error = put(k, e);
    e->place = KEPT_ON_DISK;
    if (error != 0) stay_in_memory(k, e);
    replace_larger(k, e);
    return error;
}

/* Return a finding that is only in memory and was not tried in this round, or NULL. */
static kept *next_due(const keeper *k) {
    for (size_t i = 0; i < k->list.count; i++) {
        kept *e = k->list.list[i];
        if (e->place == KEPT_IN_MEMORY && e->round != k->round) return e;
    }
    return NULL;
}

/* Write all that are only in memory. Return 0 or the first errno. */
static int place_due(keeper *k) {
    int first = 0;
    kept *e;
    k->round++;
    while ((e = next_due(k)) != NULL) {
        e->round = k->round;
        const int error = place(k, e);
        if (first == 0) first = error;
    }
    return first;
}

int keeper_save(keeper *k, const finding *f) {
    kept *e = kept_list_put(&k->list, f);
    if (e == NULL) {
        k->counts.errors++;
        k->lost = ENOMEM;
        return ENOMEM;
    }
    int error = look(k);
    if (error == 0) {
        error = place(k, e);
        if (error == 0) place_due(k); /* what failed before may go well now, too */
    } else if (e->place != KEPT_ON_DISK) {
        stay_in_memory(k, e);
        replace_larger(k, e);
    }
    return error;
}

void keeper_file(const keeper *k, const finding *f, char name[STORE_NAME_MAX]) {
    store_name(f, name);
    const kept *e = kept_list_find(&k->list, name);
    if (e != NULL) memcpy(name, e->file, sizeof e->file);
}

int keeper_retry(keeper *k, const store_stamp *seen) {
    const int error = seen != NULL ? 0 : look(k);
    if (seen != NULL && !store_stamp_is_same_folder(seen, &k->folder)) move_to(k, seen);
    return error == 0 ? place_due(k) : error;
}

/* ---- The end ---- */

/* Write the final text over the first one. */
static void write_final(keeper *k, kept *e, const finding *f) {
    if (e->writer == KEPT_CONCLUDED || !kept_is_news(e, f)) return;
    if (!kept_rewrite(e, f)) return; /* the first text stays */
    if (e->place != KEPT_ON_DISK || look(k) != 0 || look_for(k, e) != 0) return;
    if (write_text(k, e) == 0) {
        e->writer = KEPT_CONCLUDED;
    } else {
        k->counts.errors++;
    }
}

static bool is_same_build(const finding *a, const finding *b) {
    return a->sut_digest != NULL && b->sut_digest != NULL &&
           strcmp(a->sut_digest, b->sut_digest) == 0;
}

/* Write to the finding of another process what it could not, as it was killed. */
static void complete(keeper *k, kept *e, const finding *f) {
    const char *why;
    finding there;
    e->reruns = f->reruns;
    e->repeated = f->repeated;
    if (look(k) != 0 || !store_read(k->store, e->file, &there, &why)) return;
    const bool is_news = f->reruns > there.reruns || (f->is_reduced && !there.is_reduced);
    if (is_news && is_same_build(f, &there) && kept_has_subject(e, &there)) {
        finding whole = f->is_reduced ? *f : there;
        whole.sut = there.sut;
        whole.when = there.when;
        whole.reruns = f->reruns;
        whole.repeated = f->repeated;
        char *text = finding_to_json(&whole);
        if (text != NULL) store_write(k->store, e->file, text, strlen(text));
        free(text);
        e->is_reduced = f->is_reduced;
        e->has_seed |= f->is_reduced;
    }
    finding_free(&there);
}

void keeper_conclude(keeper *k, const finding *f) {
    char name[STORE_NAME_MAX];
    store_name(f, name);
    kept *e = kept_list_find(&k->list, name);
    if (e == NULL) return;
    if (e->place == KEPT_ON_DISK && e->writer == KEPT_OF_OTHERS) {
        complete(k, e, f);
    } else {
        write_final(k, e, f);
    }
    replace_larger(k, e);
}

/* Find out which of the best findings are not on disk any more. Those in a folder that is gone were
 * stored, and went with it. */
static void look_for_all(keeper *k) {
    for (size_t i = 0; i < k->list.count; i++) {
        kept *e = k->list.list[i];
        if (e->place == KEPT_ON_DISK && look_for(k, e) == ENOENT) e->place = KEPT_IN_MEMORY;
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
    const int gone = look(k);
    int error = gone;
    if (gone == 0) {
        look_for_all(k);
        error = place_due(k);
    } else if (count_waiting(k) == 0) {
        error = 0;
    }
    k->counts.is_gone = gone != 0;
    return k->lost != 0 ? k->lost : error;
}

keeper_counts keeper_count(const keeper *k) {
    if (k == NULL) return (keeper_counts){.errors = 0};
    keeper_counts counts = k->counts;
    counts.waiting = count_waiting(k);
    return counts;
}

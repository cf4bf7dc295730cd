/* What one search or reduction keeps in a folder of findings.
 *
 * The keeper has each finding that failed here in a list, with the text of its file. One that is
 * not on disk has its text in memory, and is tried again: with the next finding, at each sync and
 * at the end. One that is on disk is not written again, but for its final reruns.
 *
 * A finding replaces those of its signature that are worse, as the table `rules` says. Of those
 * only in memory it takes the place at once. The files of others go when it is on disk itself, its
 * name too, and only if this process wrote them. So a kill or a loss of power at any instant leaves
 * one of them. A file of another program that has the name of a finding stays, and
 * the finding gets a name apart. The answer of another process's reduction counts as stored once
 * the seed that it began with has failed here: then no seed that is worse is stored beside it.
 *
 * If another folder comes to the path, nothing is on disk there as far as we know, and all that is
 * kept is written anew: that is the best of each signature, since those have replaced the rest.
 *
 * tests/world checks all this in worlds where calls fail, processes die and power is lost. */
#include "keeper.h"

#include "failure.h"
#include "memory.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A finding that failed here. It is no row of a failure_table: it outlives the search, as --reduce
 * goes on, and stays until its file is on disk, where a row goes for want of room. */
typedef struct entry {
    char name[STORE_NAME_MAX]; /* by store_name */
    char file[STORE_NAME_MAX]; /* the same, or by store_name_apart */
    failure of;     /* as it failed last; FORM_REDUCED: its text is the last one of a reduction */
    bool has_seed;  /* the text has a seed: of bytes, the one that their reduction began with */
    bool is_stored; /* in the folder, by this process or another one */
    bool is_ours;   /* this process wrote the file */
    char *text;     /* of the file */
} entry;

struct keeper {
    const char *path; /* of the folder */
    const char *sut;  /* of all findings */
    const char *const *args;
    entry **list; /* in the order in which they were found */
    size_t count;
    file_stamp folder; /* where those that are stored are */
    keeper_counts counts;
};

keeper *keeper_create(const char *folder) {
    keeper *k = memory_zeroed(1, sizeof *k);
    k->path = folder;
    store_look(folder, &k->folder);
    return k;
}

static void destroy(entry *e) {
    free(e->text);
    free(e);
}

void keeper_destroy(keeper *k) {
    if (k == NULL) return;
    for (size_t i = 0; i < k->count; i++) destroy(k->list[i]);
    free(k->list);
    free(k);
}

/* ---- The list ---- */

static entry *find_entry(const keeper *k, const finding *f) {
    char name[STORE_NAME_MAX];
    store_name(f, name);
    for (size_t i = k->count; i > 0; i--) {
        if (strcmp(k->list[i - 1]->name, name) == 0) return k->list[i - 1];
    }
    return NULL;
}

static size_t index_of(const keeper *k, const entry *e) {
    size_t i = 0;
    while (i < k->count && k->list[i] != e) i++;
    assert(i < k->count);
    return i;
}

static void drop_entry(keeper *k, size_t i) {
    destroy(k->list[i]);
    k->count--;
    memmove(&k->list[i], &k->list[i + 1], (k->count - i) * sizeof(entry *));
}

/* Take what a finding is, as it failed last, and its text. The number of its reruns decides nothing
 * here. */
static void describe(entry *e, const finding *f) {
    e->of = (failure){.input = f->of.input,
                      .form = e->of.form,
                      .signature = f->of.signature,
                      .reruns = failure_is_flaky(&f->of)};
    memcpy(e->of.site, f->of.site, sizeof e->of.site);
    free(e->text);
    e->text = finding_to_json(f);
    e->has_seed = f->of.form != FORM_BYTES || f->from.size > 0;
}

/* Return the entry of a finding, perhaps a new one. */
static entry *put_entry(keeper *k, const finding *f) {
    entry *e = find_entry(k, f);
    if (e != NULL) return e;
    k->list = with_room(k->list, k->count, sizeof *k->list);
    k->list[k->count++] = e = memory_zeroed(1, sizeof *e);
    store_name(f, e->name);
    strcpy(e->file, e->name);
    e->of.form = f->bytes != NULL ? FORM_BYTES : FORM_SEED;
    describe(e, f);
    return e;
}

/* When a finding replaces another one of its signature and site. */
typedef enum rule {
    IF_BETTER,
    IF_SEEDED, /* and if its text has the seed, from which later searches start, or `b` is flaky */
    IF_LATER,  /* or if it is as good and later: it is simpler */
    ALWAYS     /* what a reduction announced on the way failed less often than it seemed */
} rule;

/* By the form of the one that replaces, then of the one that goes. */
static const rule rules[][FORM_REDUCED + 1] = {
    /*               a seed,    bytes,     a result */
    [FORM_SEED] = {IF_BETTER, IF_BETTER, IF_BETTER},
    [FORM_BYTES] = {IF_SEEDED, IF_LATER, IF_BETTER},
    [FORM_REDUCED] = {IF_SEEDED, ALWAYS, IF_LATER},
};

static bool replaces(const keeper *k, const entry *a, const entry *b) {
    const bool is_better = failure_is_better(&a->of, &b->of);
    if (a == b || !failure_is_same(&a->of, &b->of)) return false;
    switch (rules[a->of.form][b->of.form]) {
    case IF_BETTER: return is_better;
    case IF_SEEDED: return is_better && (a->has_seed || failure_is_flaky(&b->of));
    case IF_LATER:
        return !failure_is_better(&b->of, &a->of) && (is_better || index_of(k, a) > index_of(k, b));
    case ALWAYS: break;
    }
    return true;
}

/* Return the better answer of a reduction, of the same signature, in the folder; or NULL. */
static const entry *find_answer(const keeper *k, const failure *f) {
    for (size_t i = 0; i < k->count; i++) {
        const entry *old = k->list[i];
        if (&old->of != f && old->of.form == FORM_REDUCED && old->is_stored &&
            failure_is_same(&old->of, f) && failure_is_better(&old->of, f))
            return old;
    }
    return NULL;
}

/* ---- The folder ---- */

static void move_to(keeper *k, const file_stamp *folder) {
    if (file_stamp_is_same_file(folder, &k->folder)) return;
    k->folder = *folder;
    store_make(k->path); /* its name is on disk then */
    for (size_t i = 0; i < k->count; i++) k->list[i]->is_stored = k->list[i]->is_ours = false;
}

/* Look whether the folder is there, and the same. Return 0 or an errno. What failed only once goes
 * well now: so here and below. */
static int look_at_folder(keeper *k) {
    file_stamp now;
    int error = store_look(k->path, &now);
    if (error != 0) error = store_look(k->path, &now);
    if (error == 0) move_to(k, &now);
    return error;
}

/* Read the finding that has a name in the folder. Return 0; ENOENT if there is none, or something
 * else has the name, which may be replaced; or another errno. */
static int read_there(const keeper *k, const char *name, finding *there) {
    const char *why;
    if (store_read(k->path, name, there, &why)) return 0;
    return errno == 0 || errno == EINVAL || errno == EISDIR || errno == EFBIG ? ENOENT : errno;
}

/* True if the file says that it is the answer of a reduction: of another one, if not of ours. */
static bool is_answer_there(const keeper *k, const entry *e) {
    finding there;
    if (e->of.form == FORM_SEED || read_there(k, e->file, &there) != 0) return false;
    const bool is_reduced = there.of.form == FORM_REDUCED;
    finding_free(&there);
    return is_reduced;
}

/* Forget what `e` replaces, and remove the files that this process wrote; but not one that has
 * become the answer of another process. */
static void replace_larger(keeper *k, const entry *e) {
    for (size_t i = k->count; i-- > 0;) {
        const entry *old = k->list[i];
        if (!replaces(k, e, old) || (old->is_stored && !e->is_stored)) continue;
        if (old->is_stored && old->is_ours &&
            (old->of.form == FORM_REDUCED || !is_answer_there(k, old)))
            store_remove(k->path, &k->folder, old->file);
        drop_entry(k, i);
    }
}

/* Look for a finding under the name of its file. Return 0 if it is there, also by another process
 * whose reduction goes on; EEXIST if that is one of another program; else as read_there. */
static int look_for(const keeper *k, entry *e) {
    finding there;
    const int error = read_there(k, e->file, &there);
    if (error != 0) return error;
    const bool is_ours = finding_has_subject(&there, k->sut, k->args);
    if (is_ours && there.of.form < e->of.form) e->of.form = there.of.form;
    finding_free(&there);
    return is_ours ? 0 : EEXIST;
}

/* Find or write a finding. Return 0 when it is on disk, or an errno. */
static int put_into_folder(keeper *k, entry *e) {
    int error = look_for(k, e);
    if (error == EEXIST && strcmp(e->file, e->name) == 0) {
        store_name_apart(k->sut, k->args, e->file);
        error = look_for(k, e);
    }
    if (error == 0)
        return store_write(k->path, &k->folder, e->file, NULL, 0); /* its writer may be dead */
    if (error != ENOENT) return error;
    error = store_write(k->path, &k->folder, e->file, e->text, strlen(e->text));
    if (error != 0) error = store_write(k->path, &k->folder, e->file, e->text, strlen(e->text));
    e->is_ours |= error == 0;
    return error;
}

/* Bring a finding into the folder, and what it replaces out of it. Return as above. */
static int store_one(keeper *k, entry *e) {
    const int error = e->is_stored ? 0 : put_into_folder(k, e);
    e->is_stored = error == 0;
    k->counts.errors += error != 0;
    replace_larger(k, e);
    return error;
}

/* The same of all that are only in memory. Return 0 or the first errno. */
static int store_waiting(keeper *k) {
    int first = 0;
    for (size_t i = 0; i < k->count; i++) {
        entry *e = k->list[i];
        if (e->is_stored) continue;
        const int error = store_one(k, e);
        if (first == 0) first = error;
        i = index_of(k, e); /* others may be gone */
    }
    return first;
}

/* ---- Keeping ---- */

int keeper_save(keeper *k, const finding *f) {
    entry *e = put_entry(k, f);
    k->sut = f->sut;
    k->args = (const char *const *)f->args;
    if (!e->is_stored && find_answer(k, &e->of) != NULL) {
        drop_entry(k, index_of(k, e));
        return 0;
    }
    int error = look_at_folder(k);
    if (error != 0 && !e->is_stored) {
        k->counts.errors++;
        replace_larger(k, e);
    }
    /* What was stored may be gone. */
    if (error == 0 && e->is_stored && look_for(k, e) == ENOENT) e->is_stored = false;
    if (error == 0) error = store_one(k, e);
    if (error == 0) store_waiting(k); /* what failed before may go well now, too */
    return error;
}

void keeper_adopt(keeper *k, const finding *f) {
    entry *e = put_entry(k, f);
    e->is_stored = true;
    e->of.form = FORM_REDUCED;
    replace_larger(k, e);
}

void keeper_file(const keeper *k, const finding *f, char name[STORE_NAME_MAX]) {
    const entry *e = find_entry(k, f);
    if (e == NULL && f->bytes == NULL) e = find_answer(k, &f->of);
    store_name(f, name);
    if (e != NULL) strcpy(name, e->file);
}

int keeper_retry(keeper *k, const file_stamp *seen) {
    const int error = seen != NULL ? 0 : look_at_folder(k);
    if (seen != NULL) move_to(k, seen);
    return error == 0 ? store_waiting(k) : error;
}

/* Write to the finding that is there what its first text lacks, also to one of another process,
 * which may have been killed before it could. True if it lacks nothing now. */
static bool complete_finding(keeper *k, const entry *e, const finding *f) {
    finding there;
    if (look_at_folder(k) != 0 || read_there(k, e->file, &there) != 0) return false;
    const bool has_more = f->of.reruns > there.of.reruns || f->of.form > there.of.form ||
                          f->remarks.count > there.remarks.count ||
                          (f->from.size > 0 && there.from.size == 0);
    const bool is_same_build = f->sut_digest != NULL && text_equal(f->sut_digest, there.sut_digest);
    bool is_whole = !has_more;
    if (has_more && is_same_build && finding_has_subject(&there, k->sut, k->args)) {
        finding whole =
            f->of.form == FORM_REDUCED || f->from.size > 0 || f->remarks.count > 0 ? *f : there;
        whole.sut = there.sut;
        whole.when = there.when;
        whole.of.reruns = f->of.reruns;
        whole.of.repeated = f->of.repeated;
        char *text = finding_to_json(&whole);
        is_whole = store_write(k->path, &k->folder, e->file, text, strlen(text)) == 0;
        free(text);
        k->counts.errors += !is_whole;
    }
    finding_free(&there);
    return is_whole;
}

void keeper_conclude(keeper *k, const finding *f) {
    entry *e = find_entry(k, f);
    if (e == NULL) return;
    describe(e, f);
    const bool is_whole = !e->is_stored || complete_finding(k, e, f);
    if (f->bytes != NULL) e->of.form = is_whole ? FORM_REDUCED : FORM_BYTES;
    replace_larger(k, e);
}

static size_t count_waiting(const keeper *k) {
    size_t waiting = 0;
    for (size_t i = 0; i < k->count; i++) waiting += !k->list[i]->is_stored;
    return waiting;
}

int keeper_finish(keeper *k) {
    int error = look_at_folder(k);
    k->counts.is_gone = error != 0;
    if (error == 0) {
        for (size_t i = 0; i < k->count; i++) {
            entry *e = k->list[i];
            if (e->is_stored && look_for(k, e) == ENOENT) e->is_stored = false;
        }
        error = store_waiting(k);
    } else if (count_waiting(k) == 0) {
        error = 0; /* what is in a folder that is gone was stored, and went with it */
    }
    return error;
}

keeper_counts keeper_count(const keeper *k) {
    if (k == NULL) return (keeper_counts){.errors = 0};
    keeper_counts counts = k->counts;
    counts.waiting = count_waiting(k);
    return counts;
}

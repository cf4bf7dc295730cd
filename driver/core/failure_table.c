/* A failure has one row, by its input, its signature and its site, to which reruns of it add.
 *
 * A search meets few different failures, and a target that fails in ever new ways must not fill
 * memory: where there is no room, the largest of the least needed rows goes, and leaves its
 * reruns to a failure like it. Bests of their signatures and answers of --all are marks of rows,
 * so that no second list has to follow the first. */
#include "failure_table.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

failure_row *failure_table_smallest(failure_table *t, failure_state state) {
    for (size_t i = 0; i < t->count; i++) {
        if (t->rows[i].state == state) return &t->rows[i];
    }
    return NULL;
}

const failure *failure_table_best(failure_table *t) {
    const failure_row *best = failure_table_smallest(t, FAILURE_SURE);
    return best != NULL ? &best->failure : NULL;
}

failure_row *failure_table_marked(failure_table *t, const failure *f, failure_mark mark) {
    size_t i = 0;
    while (i < t->count && !((t->rows[i].marks & mark) && failure_is_same(&t->rows[i].failure, f)))
        i++;
    return i < t->count ? &t->rows[i] : NULL;
}

failure_row *failure_table_like(failure_table *t, const failure *f) {
    failure_row *like = NULL;
    for (size_t i = 0; i < t->count; i++) {
        failure_row *e = &t->rows[i];
        if (!e->is_best) continue;
        if (failure_is_same(&e->failure, f)) return e;
        if (like == NULL && failure_is_alike(&e->failure, f)) like = e;
    }
    return like;
}

failure_row *failure_table_answer(failure_table *t, const failure *f) {
    for (size_t i = 0; i < t->count; i++) {
        failure_row *e = &t->rows[i];
        if (e->answer > 0 && failure_is_same(&e->failure, f)) return e;
    }
    return NULL;
}

static void add_reruns(rerun_count *to, rerun_count more) {
    to->reruns += more.reruns;
    to->repeated += more.repeated;
}

/* Return the reruns that count as evidence: a limit may have caused the others. */
static rerun_count own_reruns(const failure *f) {
    return f->cause == CAUSE_NONE ? (rerun_count){f->reruns, f->repeated} : (rerun_count){0, 0};
}

static rerun_count reruns_of(const failure_row *e) {
    rerun_count all = e->more;
    add_reruns(&all, own_reruns(&e->failure));
    return all;
}

rerun_count failure_table_evidence(const failure_table *t, const failure *f) {
    rerun_count all = {0, 0};
    for (size_t i = 0; i < t->count; i++) {
        if (failure_is_alike(&t->rows[i].failure, f)) add_reruns(&all, reruns_of(&t->rows[i]));
    }
    return all;
}

/* Rank a row by its use: 2 if it is in the answer, 1 if the search relies on it, else 0. */
static int need_of(const failure_row *e) {
    return e->is_best || e->answer > 0 ? 2 : e->state <= FAILURE_ANSWERED;
}

static void remove_row(failure_table *t, failure_row *e) {
    failure_drop(&e->failure);
    free(e->bytes);
    free(e->saved);
    t->count--;
    memmove(e, e + 1, (size_t)(&t->rows[t->count] - e) * sizeof *e);
}

/* Make room: drop the largest failure of those that are needed least, and let another one that is
 * like it count its reruns. */
static void drop_one(failure_table *t) {
    size_t i = t->count - 1;
    for (size_t k = i; k-- > 0;) i = need_of(&t->rows[k]) < need_of(&t->rows[i]) ? k : i;
    failure_row *gone = &t->rows[i];
    for (size_t k = 0; k < t->count; k++) {
        if (k == i || !failure_is_alike(&t->rows[k].failure, &gone->failure)) continue;
        add_reruns(&t->rows[k].more, reruns_of(gone));
        break;
    }
    remove_row(t, gone);
}

/* Return the index of the row of this very failure, or the count of rows. */
static size_t index_of(const failure_table *t, const failure *f) {
    size_t i = 0;
    while (i < t->count && !(seed_input_equal(t->rows[i].failure.input, f->input) &&
                             failure_is_same(&t->rows[i].failure, f))) {
        i++;
    }
    return i;
}

failure_row *failure_table_row(failure_table *t, const failure *f) {
    const size_t i = index_of(t, f);
    failure none = *f;
    none.reruns = none.repeated = 0;
    return i < t->count ? &t->rows[i] : failure_table_note(t, &none, FAILURE_OTHER);
}

failure_row *failure_table_note(failure_table *t, const failure *f, failure_state state) {
    size_t i = index_of(t, f);
    const bool is_new = i == t->count;
    if (is_new) {
        if (t->count == FAILURE_ROWS_MAX) drop_one(t);
        i = t->count;
        while (i > 0 && seed_input_less(f->input, t->rows[i - 1].failure.input)) i--;
        memmove(&t->rows[i + 1], &t->rows[i], (t->count - i) * sizeof t->rows[0]);
        t->rows[i] = (failure_row){.state = state};
        t->count++;
    }
    failure_row *e = &t->rows[i];
    if (state != FAILURE_OTHER) e->state = state;
    if (e->answer > 0 && f != &e->failure) {
        add_reruns(&e->more, own_reruns(f));
        return e;
    }
    if (!is_new && f != &e->failure) e->more = reruns_of(e);
    failure_keep(&e->failure, f);
    return e;
}

bool failure_table_keep(failure_table *t, failure_row *e) {
    failure_row *old = failure_table_like(t, &e->failure);
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++) count += t->rows[i].is_best;
    if (old == NULL && count == DISTINCT_FAILURES_MAX) return false;
    if (old != NULL && !seed_input_equal(e->failure.input, old->failure.input) &&
        !failure_is_better(&e->failure, &old->failure))
        return false;
    if (old != NULL) old->is_best = false;
    return e->is_best = true;
}

failure_row *failure_table_put_answer(failure_table *t, failure_row *e, const run_claim *claim) {
    failure_row *old = failure_table_answer(t, &e->failure);
    if (old == NULL && t->answers == DISTINCT_FAILURES_MAX) return NULL;
    if (old != NULL && !failure_is_better(&e->failure, &old->failure) &&
        !(seed_input_equal(e->failure.input, old->failure.input) &&
          claim->bound < t->claims[old->answer - 1].bound))
        return old;
    const unsigned number = old != NULL ? old->answer : ++t->answers;
    if (old != NULL) old->answer = 0;
    e->answer = number;
    t->claims[number - 1] = *claim;
    return e;
}

void failure_table_meet(failure_table *t, const failure *f, const uint8_t *bytes) {
    enum { ROWS_MAX = 2 * DISTINCT_FAILURES_MAX }; /* of each the best, and a smaller one */
    const size_t size = f->input.size;
    for (size_t i = 0; i < t->count && t->rows[i].failure.input.size <= size; i++) {
        failure_row *e = &t->rows[i];
        if (!failure_is_alike(&e->failure, f)) continue;
        if (e->failure.input.size == size && size > 0 && failure_is_same(&e->failure, f) &&
            memcmp(bytes, e->bytes, size) < 0) {
            failure_keep(&e->failure, f);
            memcpy(e->bytes, bytes, size);
            e->state = FAILURE_MET;
        }
        return;
    }
    for (size_t i = t->count; i-- > 0;) {
        failure_row *e = &t->rows[i];
        if (!e->is_best && failure_is_same(&e->failure, f)) remove_row(t, e);
    }
    if (t->count >= ROWS_MAX) return;
    failure_row *e = failure_table_note(t, f, FAILURE_MET);
    e->bytes = memory_new(size + 1);
    if (size > 0) memcpy(e->bytes, bytes, size);
}

void failure_table_recall(failure_table *t, const failure *f) {
    if (f->alike.repeated == f->alike.reruns) return;
    failure_row *e = failure_table_note(t, f, FAILURE_OTHER);
    add_reruns(&e->more, f->alike);
    e->is_aside = true;
}

/* All inputs of no bytes are one. */
bool failure_table_was_aside(const failure_table *t, seed_input input) {
    for (size_t i = 0; i < t->count; i++) {
        const seed_input known = t->rows[i].failure.input;
        const bool is_same = seed_input_equal(known, input) || (known.size == 0 && input.size == 0);
        if (is_same && t->rows[i].is_aside) return true;
    }
    return false;
}

bool failure_table_is_unreliable(const failure_table *t, uint64_t size) {
    for (size_t i = 0; i < t->count; i++) {
        if (t->rows[i].is_pass && t->rows[i].failure.input.size == size) return true;
    }
    return false;
}

bool failure_table_has_bytes(const failure_table *t, seed_input given) {
    for (size_t i = 0; i < t->count; i++) {
        const seed_input known = t->rows[i].failure.input;
        if (known.style == given.style && known.seed == given.seed) return true;
    }
    return false;
}

void failure_table_clear(failure_table *t) {
    while (t->count > 0) remove_row(t, &t->rows[t->count - 1]);
}

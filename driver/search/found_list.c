/* The list keeps a failure by its input, its signature and its site: what reruns say of one adds to
 * what is known of it. A search meets few different ones, and a target that fails in ever new ways
 * must not fill memory: where there is no room, the largest goes that the search does not rely on,
 * and leaves its reruns to one that is like it. */
#include "found_list.h"

#include <string.h>

found *found_list_smallest(found_list *l, found_state state) {
    for (size_t i = 0; i < l->count; i++) {
        if (l->list[i].state == state) return &l->list[i];
    }
    return NULL;
}

const failure *found_list_best(found_list *l) {
    const found *best = found_list_smallest(l, FOUND_SURE);
    return best != NULL ? &best->failure : NULL;
}

static void add_reruns(rerun_count *to, rerun_count more) {
    to->reruns += more.reruns;
    to->repeated += more.repeated;
}

/* Return the reruns that count as evidence: a limit may have caused the others. */
static rerun_count reruns_of(const found *e) {
    rerun_count all = e->more;
    const failure *f = &e->failure;
    if (f->cause == CAUSE_NONE) add_reruns(&all, (rerun_count){f->reruns, f->repeated});
    return all;
}

rerun_count found_list_evidence(const found_list *l, const failure *f) {
    rerun_count all = {0, 0};
    for (size_t i = 0; i < l->count; i++) {
        if (failure_is_alike(&l->list[i].failure, f)) add_reruns(&all, reruns_of(&l->list[i]));
    }
    return all;
}

/* Make room: drop the largest failure that the search does not rely on, or else the largest, and
 * let another one that is like it count its reruns. */
static void drop_one(found_list *l) {
    size_t i = l->count - 1;
    while (i > 0 && l->list[i].state <= FOUND_ANSWERED) i--;
    if (l->list[i].state <= FOUND_ANSWERED) i = l->count - 1;
    found *gone = &l->list[i];
    for (size_t k = 0; k < l->count; k++) {
        if (k == i || !failure_is_alike(&l->list[k].failure, &gone->failure)) continue;
        add_reruns(&l->list[k].more, reruns_of(gone));
        break;
    }
    failure_drop(&gone->failure);
    l->count--;
    memmove(gone, gone + 1, (l->count - i) * sizeof *gone);
}

found *found_list_note(found_list *l, const failure *f, found_state state) {
    size_t i = 0;
    while (i < l->count && !(seed_input_equal(l->list[i].failure.input, f->input) &&
                             failure_is_same(&l->list[i].failure, f))) {
        i++;
    }
    if (i == l->count) {
        if (l->count == FOUND_MAX) drop_one(l);
        i = l->count;
        while (i > 0 && seed_input_less(f->input, l->list[i - 1].failure.input)) i--;
        memmove(&l->list[i + 1], &l->list[i], (l->count - i) * sizeof l->list[0]);
        l->list[i] = (found){.state = state};
        l->count++;
    } else if (f != &l->list[i].failure) {
        l->list[i].more = reruns_of(&l->list[i]);
    }
    if (state != FOUND_OTHER) l->list[i].state = state;
    failure_keep(&l->list[i].failure, f);
    return &l->list[i];
}

void found_list_recall(found_list *l, const failure *f) {
    if (f->alike.repeated == f->alike.reruns) return;
    found *e = found_list_note(l, f, FOUND_OTHER);
    add_reruns(&e->more, f->alike);
    e->is_aside = true;
}

/* All inputs of no bytes are one. */
bool found_list_was_aside(const found_list *l, seed_input t) {
    for (size_t i = 0; i < l->count; i++) {
        const seed_input known = l->list[i].failure.input;
        const bool is_same = seed_input_equal(known, t) || (known.size == 0 && t.size == 0);
        if (is_same && l->list[i].is_aside) return true;
    }
    return false;
}

bool found_list_is_unreliable(const found_list *l, uint64_t size) {
    for (size_t i = 0; i < l->count; i++) {
        if (l->list[i].is_pass && l->list[i].failure.input.size == size) return true;
    }
    return false;
}

void found_list_clear(found_list *l) {
    while (l->count > 0) failure_drop(&l->list[--l->count].failure);
}

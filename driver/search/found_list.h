/* found_list.h: the failures of a search that were rerun, or could not be. */
#pragma once

#include "failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum found_state {
    FOUND_SURE,     /* it failed in each rerun: the strategy may rely on it */
    FOUND_ANSWERED, /* the same, but an answer of --all is like it and no larger */
    FOUND_FLAKY,    /* it failed again, but not always */
    FOUND_ONCE,     /* it never failed again */
    FOUND_LIMITED,  /* it failed for lack of memory, or stopped its worker */
    FOUND_OTHER     /* it is not what the search pursues */
} found_state;

/* A failure that was rerun, or could not be. */
typedef struct found {
    failure failure;
    found_state state;
    bool is_announced; /* as a best, before it was known to be flaky */
    bool is_aside;     /* a rerun of it passed: the search never relies on it again */
    bool is_pass;      /* the strategy took it as a pass: no claim of its size holds */
    rerun_count more;  /* reruns of it, and of failures like it, that `failure` does not count */
} found;

enum { FOUND_MAX = 256 };

/* By their inputs, the smallest first. */
typedef struct found_list {
    found list[FOUND_MAX];
    size_t count;
} found_list;

/* Return the smallest failure in this state, and the best that the search may rely on; or NULL. */
found *found_list_smallest(found_list *l, found_state state);
const failure *found_list_best(found_list *l);

/* Return the reruns of all failures like this one that count as evidence. */
rerun_count found_list_evidence(const found_list *l, const failure *f);

/* Note a failure in this state. If it is in the list, its reruns stay; for OTHER its state, too. */
found *found_list_note(found_list *l, const failure *f, found_state state);

/* Note what another search knows of a failure: some of its reruns passed. */
void found_list_recall(found_list *l, const failure *f);

/* True if a rerun of this input passed, and if an unreliable failure of this size is a pass. */
bool found_list_was_aside(const found_list *l, seed_input t);
bool found_list_is_unreliable(const found_list *l, uint64_t size);

void found_list_clear(found_list *l);

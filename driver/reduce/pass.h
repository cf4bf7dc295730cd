/* pass.h: a way to make test cases simpler. Pure functions: where it can be tried, how far it can
 * go there, and what it would change. */
#ifndef PASS_H
#define PASS_H

#include "patch.h"
#include "step_search.h"

/* Where in a test case; each pass gives the three its own meaning, and goes through them in
 * lexicographic order, c fastest, from {0, 0, 0} on. */
typedef struct site {
    size_t a, b, c;
} site;

/* One without functions is a turn of somebody else. */
typedef struct pass {
    const char *name;
    bool is_cheap; /* tried again after each success; the dear wait until these are stuck */
    step_kind how;
    /* Move *s to the first site that is not before it. False when there is none. */
    bool (*find)(const testcase *t, site *s);
    /* The largest amount at a site that `find` gave, at least 1. */
    uint64_t (*limit)(const testcase *t, const site *s);
    /* Add the changes of an amount in 1..limit to an empty patch. False when there is nothing to
     * change so. */
    bool (*edit)(const testcase *t, const site *s, uint64_t by, patch *p);
} pass;

enum { PASS_MAX = 32 };

/* The limit of passes that do one thing at a site. */
static inline uint64_t pass_limit_one(const testcase *t, const site *s) {
    (void)t;
    (void)s;
    return 1;
}

/* All of them, in the order they are tried first; ended by NULL. */
extern const pass *const pass_list[];

/* The same for test cases that tell no draws, and for files of text: what is text stays so, and
 * only gets shorter. */
extern const pass *const pass_list_of_bytes[];
extern const pass *const pass_list_of_text[];

/* The list that fits this test case. */
const pass *const *passes_for(const testcase *t, bool is_file);

extern const pass pass_blocks, pass_braces, pass_brackets, pass_bytes, pass_clauses, pass_lines,
    pass_canonical, pass_collapse, pass_concentrate, pass_guests, pass_pieces, pass_records,
    pass_delete, pass_delete_and_lower, pass_delete_and_raise, pass_end_and_hand_on, pass_end_early,
    pass_flip, pass_keep_sum, pass_lower_and_delete, pass_lower_both, pass_lower_difference,
    pass_lower_equal, pass_merge_counts, pass_minimise, pass_raise, pass_raise_and_delete,
    pass_swap, pass_tokens, pass_zero, pass_zero_alike;

#endif

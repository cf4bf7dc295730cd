/* pass.h: a way to make test cases simpler. Pure functions: where the pass can be tried, how far it
 * can go there, and what it would change. */
#ifndef PASS_H
#define PASS_H

#include "patch.h"
#include "step_search.h"

typedef struct pass pass;

/* A site of a pass in a test case. A pass gives meaning to what it needs of these. */
typedef struct position {
    const pass *pass; /* which moves it */
    size_t at;        /* the draw that the site is named after */
    size_t other;     /* a second draw */
    size_t way;       /* one of several changes there */
    bool is_visited;  /* `next` returned it */
} position;

static inline position position_begin(const pass *p) { return (position){.pass = p}; }

/* Sites of position_next_nearby: draws that are near others. */
typedef struct vicinity {
    int64_t first, last; /* of `other`, counted from `at` */
    size_t ways;
    bool (*is_anchor)(const testcase *t, size_t at); /* NULL: every draw is */
    bool (*fits)(const testcase *t, const position *p);
} vicinity;

struct pass {
    const char *name;
    bool is_cheap; /* tried again after each success; the costly wait until these are stuck */
    step_kind how;
    /* Move a position to the next site, or from position_begin to the first. False at the end. The
     * test case may have changed since the last call. NULL: the slot of external passes. */
    bool (*next)(const testcase *t, position *p);
    /* Return the largest amount at a site, at least 1. NULL: 1. */
    uint64_t (*limit)(const testcase *t, const position *p);
    /* Add the changes of an amount in 1..limit to an empty patch. False if there are none. */
    bool (*edit)(const testcase *t, const position *p, uint64_t by, patch *edits);
    /* Parameters for passes that share functions. */
    vicinity nearby;
    int mode;
    const char *signs;
    size_t sign_count;
};

enum { PASS_MAX = 32 };

static inline uint64_t pass_limit(const testcase *t, const position *p) {
    return p->pass->limit != NULL ? p->pass->limit(t, p) : 1;
}

/* ---- Iterators: by draw; then by other draw near it, then by way ---- */

bool position_next_draw(const testcase *t, position *p);
bool position_next_nearby(const testcase *t, position *p);

/* ---- Chunks: draws that can be taken out so that what follows stands where something alike stood:
 * items of a list, rounds of a loop ---- */

/* Count the chunks that follow each other from draw `at` on, each with `step` draws like the one at
 * `at`; far ones are not counted. */
uint64_t chunk_count(const testcase *t, size_t at, size_t step);

/* Return the draw behind `count` of them; count is 1..chunk_count. */
size_t chunk_end(const testcase *t, size_t at, size_t step, uint64_t count);

/* True if the chunk of one step at `at` equals the one behind it: of a row of equal items, all but
 * the last do. A change that fails for one of them most likely fails for the others. */
bool chunk_repeats(const testcase *t, size_t at);

/* ---- Lists, ended by NULL, in the order in which their passes are first tried ---- */

/* For a program that reports its draws; for one that does not; and for files of text, which stays
 * text and only gets shorter. */
extern const pass *const pass_list[];
extern const pass *const pass_list_of_bytes[];
extern const pass *const pass_list_of_text[];

/* Return the list that fits the test case. */
const pass *const *passes_for(const testcase *t, bool is_file);

/* True for valid UTF-8 (ASCII is a part of it) without control characters but blanks, line ends,
 * form feeds and escapes. */
bool text_is(const uint8_t *bytes, size_t size);

/* passes_draws.c: shorter test cases. */
extern const pass pass_delete, pass_delete_and_lower, pass_raise_and_delete, pass_collapse,
    pass_end_early, pass_lower_and_delete, pass_merge_counts;

/* passes_values.c: simpler values in test cases of the same length. */
extern const pass pass_zero, pass_zero_alike, pass_minimise, pass_flip, pass_lower_equal,
    pass_lower_difference, pass_keep_sum, pass_swap, pass_canonical;

/* passes_text.c: shorter texts and other bytes of unknown meaning. */
extern const pass pass_blocks, pass_braces, pass_brackets, pass_bytes, pass_clauses, pass_lines,
    pass_pieces, pass_records, pass_tokens;

/* The slot in which external passes (--reducer) propose candidates. */
extern const pass pass_external;

#endif

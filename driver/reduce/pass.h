/* pass.h: passes as pure functions: their sites in a test case, and their changes there.
 *
 * A pass says the largest amount of its change at each site. */
#pragma once

#include "testcase.h"

/* ---- Search for the largest amount of a change that still succeeds ---- */

typedef enum step_kind {
    STEP_ALL,   /* the whole amount or nothing */
    STEP_MOST,  /* 1, 2, 3, 4, then doubling, then bisection: O(log n) tries for an amount of n */
    STEP_RUN,   /* the last site's amount, then doubling, then bisection */
    STEP_VALUE, /* lower a value: first by all of it, by 1, to half and by 2; after a success to
                   half as many bits (small values are the most frequent result), to half, then
                   by leaps or bisection */
    STEP_PAIR   /* the same for two values, with only the tries of all and of 1 first */
} step_kind;

typedef struct step_search {
    step_kind kind;
    uint64_t hint;  /* STEP_RUN: the first amount */
    uint64_t limit; /* the largest amount, at least 1 */
    uint64_t good;  /* the largest amount that succeeded; 0 always does */
    uint64_t bad;   /* the smallest amount above `good` that failed; 0: none */
    uint8_t tried;  /* STEP_VALUE, STEP_PAIR: count of first tries made */
    uint8_t pace;   /* STEP_VALUE, STEP_PAIR: the kind of the next try after a success */
} step_search;

static inline step_search step_search_begin(step_kind kind, uint64_t limit) {
    return (step_search){.kind = kind, .hint = 1, .limit = limit};
}

/* Return the next amount to try, 0 at the end. */
uint64_t step_search_next(const step_search *a);

/* Take the result of trying step_search_next(a). */
void step_search_feedback(step_search *a, bool success);

/* ---- Passes ---- */

typedef struct patch patch;

typedef struct pass pass;

/* The search for rows of units that go (passes_text.c). */
typedef struct row_search {
    size_t size;          /* units of the row */
    size_t bad;           /* a row of so many here is known to stay; 0: unknown */
    size_t gone;          /* units since the last one that stays */
    size_t tried, before; /* rows, and the bytes of the text when their gain was last looked at */
    bool has_slowed;      /* a turn of bodies gained little */
} row_search;

/* Choose the size of the next row: a row that went doubles it, and one that stays halves it. Return
 * true if a unit alone stays, which the row then leaves behind. */
static inline bool row_search_go_on(row_search *r, bool has_gone) {
    const bool stays = !has_gone && r->size == 1;
    r->size = has_gone ? 2 * r->size : r->size > 1 ? r->size / 2 : 1;
    return stays;
}

/* A site of a pass in a test case. Each pass defines the meaning of `other` and `way`. */
typedef struct position {
    const pass *pass; /* the pass, whose `next` moves the position */
    size_t at;        /* the site's main draw */
    size_t other;     /* a second draw */
    size_t way;       /* the number of a change, where the site has several */
    size_t count;     /* the draws of the test case that a pass has counted something in */
    size_t misses;    /* sites in a row that a pass has left without a success */
    row_search rows;  /* of units of a text */
    uint64_t by;      /* the amount of the change */
    bool is_visited;  /* `next` has returned this position */
} position;

static inline position position_begin(const pass *p) { return (position){.pass = p}; }

/* Leave the site that `next` has returned, if any: `number` is the member of the position that
 * counts the sites. */
static inline void position_leave(position *p, size_t *number) {
    if (p->is_visited) ++*number;
    p->is_visited = true;
}

/* The sites of position_next_nearby: pairs of near draws. */
typedef struct vicinity {
    int64_t first, last; /* range of `other`, relative to `at` */
    size_t ways;
    bool (*is_anchor)(const testcase *t, size_t at);    /* for `at`; NULL: any draw */
    bool (*fits)(const testcase *t, const position *p); /* NULL: any way does */
} vicinity;

/* When a pass has its turn. */
typedef enum pass_cost {
    PASS_COSTLY, /* when all cheap passes are stuck */
    PASS_CHEAP,  /* after each success */
    PASS_LATE    /* when all others are stuck; after a success all others come first again */
} pass_cost;

struct pass {
    const char *name;
    pass_cost cost;
    step_kind how;
    /* Move a position to the next site, or from position_begin to the first. False at the end. The
     * test case may have changed since the last call. */
    bool (*next)(const testcase *t, position *p);
    /* Return the largest amount at a site, or 0 if there is none. NULL: 1. */
    uint64_t (*limit)(const testcase *t, const position *p);
    /* Add the changes of the amount p->by, 1..limit, to an empty patch. False if there are none. */
    bool (*edit)(const testcase *t, const position *p, patch *edits);
    /* One in idle_share of all candidates may be one of this pass without a success, or idle_min of
     * them. A share of 0: after idle_min (0: any number) other passes go first. */
    uint64_t idle_share, idle_min;
    bool saves_bytes; /* where successes save none, or hardly any, the other passes go first */
    bool in_slices;   /* it also runs on one slice of a large text (schedule.h) */
    bool is_aligned;  /* it moves draws only to a place of the same meaning */
    bool needs_draws; /* it takes no units, and this does not follow from another member */
    /* Parameters for passes that share functions. */
    vicinity nearby;
    int mode;
};

/* True if a pass works on units (testcase.h), too: it neither asks what draws mean, nor is it for a
 * few of them only. */
static inline bool pass_takes_units(const pass *p) {
    return !p->is_aligned && p->idle_share == 0 && !p->needs_draws;
}

/* Define a pass: its identifier, name, cost, kind of steps and functions; then other members. */
#define PASS(id, text, when, steps, next_, limit_, ...)                                            \
    const pass pass_##id = {.name = text,                                                          \
                            .cost = PASS_##when,                                                   \
                            .how = STEP_##steps,                                                   \
                            .next = next_,                                                         \
                            .limit = limit_,                                                       \
                            .edit = __VA_ARGS__};

enum { PASS_MAX = 48 };

static inline uint64_t pass_limit(const testcase *t, const position *p) {
    return p->pass->limit != NULL ? p->pass->limit(t, p) : 1;
}

/* ---- What passes share ---- */

/* Iterators: over the draws, the draws near each and the ways; over the ways, and for each over the
 * draws at which it fits. */
bool position_next_nearby(const testcase *t, position *p);
bool position_next_of_way(const testcase *t, position *p);

/* Move to the next row of units to delete. The first row has `most` units, or all, and ends where
 * the test case does; its halves follow. False when no row is left, or when `vain` rows, one after
 * the other, deleted nothing. at: the units behind the row, which stay; other: `units`; count: the
 * draws of the test case. */
bool position_next_row(const testcase *t, position *p, size_t units, size_t most, size_t vain);

/* Return the number of draws from a position on: a limit. */
uint64_t position_rest(const testcase *t, const position *p);

/* True if draw `at` is like one of the draws from..to - 1; and the count of those. */
typedef bool draws_alike(const draw *a, const draw *b);
bool has_alike(const testcase *t, size_t at, size_t from, size_t to, draws_alike *alike);
size_t count_alike(const testcase *t, size_t at, size_t from, size_t to, draws_alike *alike);

/* True if two draws were made at the same place of the test, or, where that is unknown, have the
 * same bounds, also if they are indices; and the same value, too. */
bool same_place(const draw *a, const draw *b);
bool same_choice(const draw *a, const draw *b);

/* True if two numbers or letters most likely have the same meaning. */
bool is_of_kind(const draw *a, const draw *b);

/* Return the end of what begins at a draw: the next draw of its place, or the end of all if none
 * is near. */
size_t round_end(const testcase *t, size_t at);

/* A permutation of items, as frng_permutation, frng_shuffle and picks from the rest draw it: by
 * indices of one place in the test, whose bounds fall by one. Each index counts the items left
 * before its own. */
enum { ORDER_MAX = 64 };
typedef struct drawn_order {
    size_t first, draws, count; /* its first draw; how many draws and items it has */
    bool swaps;                 /* as frng_shuffle: an item that is chosen changes places with the
                                   first one left */
    uint8_t items[ORDER_MAX];   /* in order; those without a draw are last */
} drawn_order;

/* Read the order that a draw is part of. False if it is part of none, or of one with over ORDER_MAX
 * items. */
bool order_read(const testcase *t, size_t at, drawn_order *o);

/* Change the draws of an order to those of its items. */
bool order_write(const testcase *t, const drawn_order *o, patch *edits);

/* ---- Lists, ended by NULL, in the order in which their passes are first tried ---- */

/* The passes for targets that report their draws, for targets that do not, and for text files. A
 * text stays text and only gets shorter. */
extern const pass *const pass_list[];
extern const pass *const pass_list_of_bytes[];
extern const pass *const pass_list_of_text[];

/* Return the list that fits the test case. */
const pass *const *passes_for(const testcase *t, bool is_file);

/* Count the bytes that are not of a text: of UTF-8 (which includes ASCII) whose only control
 * characters are tabs, line ends, vertical tabs, form feeds and escapes. */
size_t text_errors(const uint8_t *bytes, size_t size);

/* Return the bytes of a unit of a text: 2 or 4 of one in UTF-16 or UTF-32, with a byte order mark
 * or with signs of ASCII; else 1. */
uint8_t text_unit_width(const uint8_t *bytes, size_t size, bool *is_big);

/* passes_delete.c: shorter test cases, and changes of a few draws at once; passes_spans.c: fewer
 * calls of the test; passes_values.c: simpler values in test cases of the same length;
 * passes_moves.c: names, rounds and orders moved; passes_text.c: shorter texts and other bytes of
 * unknown meaning; passes_llvm.c: what LLVM's language needs; passes_binary.c: shorter files of
 * chunks with lengths, and fewer files. */
extern const pass pass_all_units, pass_blanks, pass_blocks, pass_bodies, pass_body_strides,
    pass_brackets, pass_byte_runs, pass_bytes, pass_canonical, pass_chunks, pass_clauses,
    pass_close_gap, pass_columns, pass_contents, pass_copy_round, pass_date, pass_date_pair,
    pass_declare, pass_delete, pass_delete_and_lower, pass_delete_and_raise, pass_delete_place,
    pass_delete_two, pass_equal_lengths, pass_exchange_bits, pass_exchange_names, pass_export,
    pass_files, pass_folds, pass_frames, pass_go_on, pass_half_rounds, pass_halves, pass_hoist,
    pass_hoist_child, pass_inline, pass_chunk_halves, pass_keep_sum, pass_large_blocks,
    pass_last_rounds, pass_levels, pass_lower_and_delete, pass_lower_difference, pass_lower_equal,
    pass_members, pass_merge, pass_minimise, pass_numbered, pass_order, pass_places, pass_real,
    pass_records, pass_run_out, pass_shift, pass_steps, pass_stride, pass_subset, pass_swap,
    pass_swap_places, pass_switch, pass_terms, pass_token_pairs, pass_token_runs, pass_trade,
    pass_trade_unequal, pass_units, pass_unused, pass_undefine, pass_unwrap, pass_words, pass_zero,
    pass_zero_alike;

/* frng_lin.h: known histories as literals, and random ones beside all orders of all subsets.
 * FRNG_LIN_HISTORIES=1000000 in the environment makes as many random ones. */
#include "dying.h"
#include "frng_lin.h"
#include "heard.h"

#define NEVER FRNG_LIN_NEVER

enum { PUT, GET, CAS, ADD, SLOTS = 8192 };

static uint64_t memory[FRNG_LIN_WORDS(SLOTS, 3)];

/* ---- Models ---- */

/* A register; CAS has expected * 16 + new, ADD returns the old value. */
static bool a_register(uint64_t *state, const frng_lin_op *op) {
    const uint64_t old = *state;
    switch (op->kind) {
    case PUT: *state = op->in; return true;
    case GET: return frng_lin_gave(op, old);
    case ADD: *state += op->in; return frng_lin_gave(op, old);
    default:
        if (old == op->in / 16) *state = op->in % 16;
        return frng_lin_gave(op, old == op->in / 16);
    }
}

/* The same in another word of the state. */
static size_t word;

static bool a_register_there(uint64_t *state, const frng_lin_op *op) {
    return a_register(state + word, op);
}

static int print(char *text, size_t size, const frng_lin_op *op) {
    static const char *const names[] = {"put", "get", "cas", "add"};
    const char *name = names[op->kind];
    if (op->kind == PUT) return snprintf(text, size, "%s %d", name, (int)op->in);
    return snprintf(text, size, "%s returned %d", name, (int)op->out);
}

/* ---- Literals ---- */

static frng_lin of(const frng_lin_op *ops, size_t count) {
    frng_lin h;
    frng_lin_init(&h, memory, FRNG_LIN_WORDS(SLOTS, 1));
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(frng_lin_call(&h, ops[i].call, ops[i].who, ops[i].kind, ops[i].in), i);
        if (ops[i].back != NEVER) frng_lin_return(&h, i, ops[i].back, ops[i].out);
    }
    return h;
}

#define IS(answer, text, ...)                                                                      \
    do {                                                                                           \
        const frng_lin_op ops[] = {__VA_ARGS__};                                                   \
        const uint64_t zero = 0;                                                                   \
        char why[200];                                                                             \
        frng_lin history = of(ops, COUNT_OF(ops));                                                 \
        ck_assert_int_eq(frng_lin_check(&history, a_register, &zero, 1), FRNG_LIN_##answer);       \
        ck_assert_str_eq(frng_lin_why(NULL, &history, print, why, sizeof(why)), text);             \
    } while (0)

/* Call, return, in, out, who, kind. What is linearizable and what is not, below, is said of random
 * histories; these show it. */

TEST(a_stale_read_is_not_linearizable) {
    IS(YES, "after put 2, put 1, get returned 1", {0, 9, 1, 0, 0, PUT}, {1, 8, 2, 0, 0, PUT},
       {10, 11, 0, 1, 1, GET});
    IS(NO, "after put 1, put 2: get returned 1", {0, 1, 1, 0, 0, PUT}, {2, 3, 2, 0, 0, PUT},
       {4, 5, 0, 1, 1, GET});
    IS(NO, "at first: get returned 1", {0, 1, 0, 1, 1, GET}, {2, 3, 1, 0, 0, PUT});
    IS(NO, "after ..., put 3, put 4, put 5: get returned 4", {0, 1, 1, 0, 0, PUT},
       {2, 3, 2, 0, 0, PUT}, {4, 5, 3, 0, 1, PUT}, {6, 7, 4, 0, 1, PUT}, {8, 9, 5, 0, 1, PUT},
       {10, 11, 0, 4, 1, GET});
}

/* ---- Unknown ---- */

/* `count` overlapping additions that cannot have returned what they did: all orders are tried. */
static frng_lin hard(size_t count, size_t slots) {
    frng_lin h;
    frng_lin_init(&h, memory, FRNG_LIN_WORDS(slots, 1));
    for (size_t i = 0; i < count; i++)
        frng_lin_return(&h, frng_lin_call(&h, 0, (uint32_t)i, PUT, 1 + i), 9, 0);
    frng_lin_return(&h, frng_lin_call(&h, 10, 0, GET, 0), 11, 1000);
    return h;
}

TEST(a_small_table_makes_it_unknown) {
    const uint64_t initial = 0;
    frng_lin h = hard(6, SLOTS); /* 6 * 2^5 states */
    ck_assert_int_eq(frng_lin_check(&h, a_register, &initial, 1), FRNG_LIN_NO);
    ck_assert_uint_eq(h.states, 192);
    ck_assert_uint_eq(h.ordered, 6);
    for (size_t slots = 0; slots < 400; slots++) {
        h = hard(6, slots);
        ck_assert_int_eq(frng_lin_check(&h, a_register, &initial, 1),
                         slots / 2 < 192 ? FRNG_LIN_UNKNOWN : FRNG_LIN_NO);
        ck_assert_uint_le(h.states, slots / 2 + 1);
    }
    for (size_t words = 0; words < 3; words++) { /* not even room for a state */
        frng_lin_init(&h, NULL, words);
        (void)frng_lin_call(&h, 1, 0, PUT, 1);
        ck_assert_int_eq(frng_lin_check(&h, a_register, &initial, 1), FRNG_LIN_UNKNOWN);
    }
}

TEST(a_yes_on_a_small_table_is_a_yes) {
    const uint64_t initial = 0;
    frng_lin h = hard(6, 16);
    h.count--;
    ck_assert_int_eq(frng_lin_check(&h, a_register, &initial, 1), FRNG_LIN_YES);
    ck_assert_uint_eq(h.states, 6);
}

TEST(more_than_64_operations_are_unknown) {
    const uint64_t initial = 0;
    frng_lin h;
    frng_lin_init(&h, memory, COUNT_OF(memory));
    for (uint64_t i = 0; i < 64; i++)
        frng_lin_return(&h, frng_lin_call(&h, 2 * i, 0, PUT, i), 2 * i + 1, 0);
    ck_assert_int_eq(frng_lin_check(&h, a_register, &initial, 1), FRNG_LIN_YES);
    ck_assert_uint_eq(h.ordered, 64);
    const size_t one_more = frng_lin_call(&h, 200, 0, GET, 0);
    ck_assert_uint_eq(one_more, 64);
    frng_lin_return(&h, one_more, 201, 1000);
    frng_lin_failed(&h, one_more);
    ck_assert_int_eq(frng_lin_check(&h, a_register, &initial, 1), FRNG_LIN_UNKNOWN);
}

static void returns_before_its_call(frng_lin *h) {
    frng_lin_return(h, frng_lin_call(h, 5, 0, PUT, 1), 4, 0);
}

static void returns_without_a_call(frng_lin *h) { frng_lin_return(h, 0, 4, 0); }

static void returns_after_it_failed(frng_lin *h) {
    const size_t index = frng_lin_call(h, 5, 0, PUT, 1);
    frng_lin_failed(h, index);
    frng_lin_return(h, index, 6, 0);
}

static void (*const bugs[])(frng_lin *) = {returns_before_its_call, returns_without_a_call,
                                           returns_after_it_failed};

static void make(const void *bug) {
    frng_lin h;
    frng_lin_init(&h, memory, COUNT_OF(memory));
    (*(void (*const *)(frng_lin *))bug)(&h);
}

TEST_EACH(bugs_of_the_caller_trap, COUNT_OF(bugs)) {
    dying_message(make, &bugs[_i], true, STDERR_FILENO);
}

/* ---- Messages ---- */

TEST(a_message_is_cut_where_its_text_ends) {
    const frng_lin_op ops[] = {{0, 1, 1, 0, 0, PUT}, {2, 3, 2, 0, 0, PUT}, {4, 5, 0, 1, 1, GET}};
    const char *const all = "after put 1, put 2: get returned 1";
    const uint64_t initial = 0;
    frng_lin h = of(ops, 3);
    ck_assert_int_eq(frng_lin_check(&h, a_register, &initial, 1), FRNG_LIN_NO);
    for (size_t size = 1; size < 40; size++) {
        char text[40];
        memset(text, 'x', sizeof(text));
        frng_lin_why(NULL, &h, print, text, size);
        ck_assert_uint_eq(strlen(text), size <= strlen(all) ? size - 1 : strlen(all));
        ck_assert_int_eq(strncmp(text, all, strlen(text)), 0);
        for (size_t i = size; i < sizeof(text); i++) ck_assert_int_eq(text[i], 'x');
    }
}

TEST(a_trace_has_the_whole_order) {
    const frng_lin_op ops[] = {{0, 1, 1, 0, 0, PUT},
                               {2, 3, 2, 0, 0, PUT},
                               {4, 5, 0, 2, 1, GET},
                               {4, 7, 3, 0, 0, PUT},
                               {8, 9, 0, 1, 1, GET}};
    const uint64_t initial = 0;
    char text[100];
    frng f = heard(NULL, 0);
    frng_lin h = of(ops, 5);
    ck_assert_int_eq(frng_lin_check(&h, a_register, &initial, 1), FRNG_LIN_NO);
    ck_assert_str_eq(frng_lin_why(&f, &h, print, text, sizeof(text)),
                     "after ..., put 2, get returned 2, put 3: get returned 1");
    ck_assert_str_eq(said, "order 1: put 1\norder 2: put 2\norder 3: get returned 2\n"
                           "order 4: put 3\norder 5 cannot be: get returned 1\n");
}

/* ---- Beside all orders of all subsets ---- */

static uint64_t random_state = 1;

static uint64_t below(uint64_t n) {
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (random_state >> 33) % n;
}

/* May what returned, with any of what did not, follow `order` in an order that the model accepts?
 * By the definition: nothing comes after what it returned before. */
static bool any_order(const frng_lin *h, const size_t *order, size_t count, uint64_t state) {
    bool all = true, used[FRNG_LIN_MAX] = {false};
    for (size_t k = 0; k < count; k++) used[order[k]] = true;
    for (size_t i = 0; i < h->count; i++) all = all && (used[i] || h->ops[i].back == NEVER);
    if (all) return true;
    for (size_t i = 0; i < h->count; i++) {
        size_t next[FRNG_LIN_MAX];
        uint64_t changed = state;
        bool ok = !used[i] && h->ops[i].call != NEVER;
        for (size_t k = 0; k < count; k++) ok = ok && h->ops[i].back >= h->ops[order[k]].call;
        if (!ok || !a_register(&changed, &h->ops[i])) continue;
        memcpy(next, order, count * sizeof(*next));
        next[count] = i;
        if (any_order(h, next, count + 1, changed)) return true;
    }
    return false;
}

/* The order that the check reports goes well, as far as it goes, and its misfit does not. */
static void order_holds(const frng_lin *h, frng_lin_answer answer, uint64_t state) {
    uint64_t done = 0;
    for (size_t k = 0; k < h->ordered; k++) {
        const frng_lin_op *op = &h->ops[h->order[k]];
        ck_assert_uint_lt(h->order[k], h->count);
        ck_assert((done >> h->order[k] & 1) == 0);
        ck_assert(a_register(&state, op));
        done |= UINT64_C(1) << h->order[k];
        for (size_t j = 0; j < k; j++) ck_assert(op->back >= h->ops[h->order[j]].call);
    }
    for (size_t i = 0; i < h->count && answer == FRNG_LIN_YES; i++)
        ck_assert((done >> i & 1) == 1 || h->ops[i].back == NEVER);
    ck_assert_int_eq(h->order[h->ordered] == FRNG_LIN_MAX, answer == FRNG_LIN_YES);
    if (answer == FRNG_LIN_NO) ck_assert(!a_register(&state, &h->ops[h->order[h->ordered]]));
}

/* Up to 7 operations, half of the time with results of some order of the calls. */
static frng_lin any_history(size_t slots, size_t words, uint64_t state) {
    frng_lin h;
    const uint64_t count = below(8), times = 1 + below(20);
    const bool likely = below(2) == 0;
    frng_lin_init(&h, memory, FRNG_LIN_WORDS(slots, words));
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t kind = (uint32_t)below(4);
        const uint64_t in = kind == CAS ? below(3) * 16 + below(3) : below(3);
        const uint64_t call = likely ? i + below(4) : below(times), long_ = below(5),
                       fate = below(16);
        frng_lin_op op = {call, call + long_, in, below(3), (uint32_t)i, kind};
        const uint64_t old = state;
        const bool swaps = old == in / 16;
        if (likely && (fate > 2 || below(2) == 0)) {
            op.back = NEVER;
            ck_assert(a_register(&state, &op));
            op.back = call + long_;
            op.out = kind == CAS ? swaps : old;
        }
        const size_t index = frng_lin_call(&h, op.call, op.who, op.kind, op.in);
        if (fate > 2) frng_lin_return(&h, index, op.back, op.out);
        if (fate == 0 && below(3) == 0) frng_lin_failed(&h, index);
    }
    return h;
}

TEST(random_histories_agree_with_all_orders) {
    const char *wanted = getenv("FRNG_LIN_HISTORIES");
    const int count = wanted != NULL ? atoi(wanted) : 50000;
    const size_t order[1] = {0};
    int yes = 0, unknown = 0;
    for (int i = 0; i < count; i++) {
        const size_t slots = i % 2 == 0 ? SLOTS : 2 + below(40);
        const size_t words = 1 + below(3); /* those of other sizes leave what looks like slots */
        uint64_t initial[3] = {0};
        word = (size_t)i % words;
        initial[word] = below(3);
        frng_lin h = any_history(slots, words, initial[word]);
        const frng_lin_answer answer = frng_lin_check(&h, a_register_there, initial, words);
        const bool exists = any_order(&h, order, 0, initial[word]);
        if (answer != FRNG_LIN_UNKNOWN) {
            ck_assert_int_eq(answer, exists ? FRNG_LIN_YES : FRNG_LIN_NO);
            order_holds(&h, answer, initial[word]);
        }
        ck_assert(slots < SLOTS || answer != FRNG_LIN_UNKNOWN);
        yes += answer == FRNG_LIN_YES;
        unknown += answer == FRNG_LIN_UNKNOWN;
    }
    ck_assert_int_gt(yes, count / 4);
    ck_assert_int_lt(yes, count * 3 / 4);
    ck_assert_int_gt(unknown, count / 100);
}

SUITE(.timeout_s = 600);

/* patch.h: random patches of random test cases, beside a model that changes one draw at a time. */
#include "patch.h"
#include "suite.h"

#include "drawn.h"
#include "rounds.h"

enum { LENGTH = 16, MODEL_MAX = 16 * LENGTH };

/* ---- The model: what comes before each draw and at the end, and what takes its place ---- */

typedef struct model {
    draw before, in_place[LENGTH];
    size_t placed;
    bool has_before, is_changed;
} model;

static model cells[LENGTH + 1];

static draw with_rank(draw d, uint64_t rank) {
    d.rank = rank;
    return d;
}

/* Add the change to the model. False if it must be refused. */
static bool change_model(const testcase *base, const change *c) {
    if (c->kind == CHANGE_INSERT) {
        if (cells[c->first].has_before) return false;
        cells[c->first].has_before = true;
        cells[c->first].before = with_rank(base->draws[c->from], c->rank);
        return true;
    }
    for (size_t i = c->first; i < c->first + c->count; i++) {
        if (cells[i].is_changed) return false;
    }
    for (size_t i = c->first; i < c->first + c->count; i++) {
        const draw *d = &base->draws[i];
        const uint64_t max = draw_rank_max(d);
        const bool is_set = c->kind == CHANGE_SET ||
                            (c->kind == CHANGE_SET_ALIKE && same_type(d, &base->draws[c->first]));
        cells[i].is_changed = true;
        cells[i].placed = c->kind == CHANGE_SET || c->kind == CHANGE_SET_ALIKE;
        cells[i].in_place[0] = is_set ? with_rank(*d, c->rank < max ? c->rank : max) : *d;
    }
    for (size_t i = 0; c->kind == CHANGE_COPY && i < c->length; i++)
        cells[c->first].in_place[cells[c->first].placed++] = base->draws[c->from + i];
    return true;
}

static size_t draws_of_model(const testcase *base, draw *out) {
    size_t count = 0;
    for (size_t i = 0; i <= base->count; i++) {
        if (cells[i].has_before) out[count++] = cells[i].before;
        if (i < base->count && !cells[i].is_changed) out[count++] = base->draws[i];
        for (size_t k = 0; k < cells[i].placed; k++) out[count++] = cells[i].in_place[k];
    }
    return count;
}

/* ---- Random ones ---- */

/* Numbers of two widths, coins and letters, small ones mostly. */
static testcase random_testcase(uint64_t *state) {
    static const draw kinds[] = {
        {.kind = FRNG_UINT, .width = 1, .max = 255},
        {.kind = FRNG_UINT, .width = 2, .max = 999},
        {.kind = FRNG_BOOL, .width = 1, .max = 1},
        {.kind = FRNG_BYTES, .width = 1, .max = 255},
    };
    testcase t;
    static const uint8_t zeroes[LENGTH];
    testcase_init(&t, zeroes, LENGTH, NULL, 0);
    for (size_t i = 0; i < LENGTH; i++) {
        const draw *d = &kinds[dice(state, 4)];
        t.draws[i] = with_rank(*d, dice(state, d->kind == FRNG_BOOL ? 2 : 4));
    }
    t.trace = TRACE_WHOLE;
    return t;
}

static change random_change(const testcase *t, uint64_t *state) {
    change c = {.kind = (change_kind)dice(state, CHANGE_INSERT + 1), .first = dice(state, LENGTH)};
    const size_t rest = LENGTH - c.first;
    c.count = 1 + dice(state, rest < 3 ? rest : 3);
    if (c.kind != CHANGE_DELETE && c.kind != CHANGE_COPY) c.rank = dice(state, 6) << dice(state, 9);
    if (c.kind == CHANGE_COPY || c.kind == CHANGE_INSERT) c.from = dice(state, LENGTH);
    if (c.kind == CHANGE_COPY) c.length = dice(state, LENGTH - c.from < 4 ? LENGTH - c.from : 4);
    if (c.kind != CHANGE_INSERT) return c;
    c.first += dice(state, 2);
    c.count = 0;
    const uint64_t max = draw_rank_max(&t->draws[c.from]);
    if (c.rank > max) c.rank = max;
    return c;
}

/* True if an insertion is inside what a change replaces; such a one is refused. */
static bool is_inside(const patch *p, const change *c) {
    for (size_t i = 0; i < p->count; i++) {
        const change *a = &p->changes[i];
        const change *in = c->kind == CHANGE_INSERT ? c : a, *of = c->kind == CHANGE_INSERT ? a : c;
        if (in->kind == CHANGE_INSERT && of->count > 0 && in->first > of->first &&
            in->first < of->first + of->count)
            return true;
    }
    return false;
}

TEST(a_patch_makes_what_its_changes_say) {
    static patch p, before;
    static draw expected[MODEL_MAX];
    uint64_t state = 2;
    unsigned refused = 0;
    testcase out = {0};
    for (int i = 0; i < 100000 / ROUNDS_STEP; i++) {
        testcase base = random_testcase(&state);
        uint64_t digest;
        memset(cells, 0, sizeof cells);
        patch_clear(&p);
        for (uint64_t k = 1 + dice(&state, 4); k > 0; k--) {
            const change c = random_change(&base, &state);
            before = p;
            const bool fits = !is_inside(&p, &c) && change_model(&base, &c);
            ck_assert_int_eq(patch_add(&p, c), fits);
            refused += !fits;
            if (!fits) ck_assert_mem_eq(&p, &before, sizeof p);
        }
        patch_apply(&p, &base, &out);
        ck_assert_uint_eq(out.count, draws_of_model(&base, expected));
        for (size_t k = 0; k < out.count; k++) {
            ck_assert(same_type(&out.draws[k], &expected[k]));
            ck_assert_uint_eq(out.draws[k].rank, expected[k].rank);
        }
        digest = patch_digest(&p, &base, CANDIDATE_BYTES);
        ck_assert_uint_eq(digest, digest_of(out.bytes, out.size));
        testcase_finish(&base);
    }
    ck_assert_uint_gt(refused, 1000);
    testcase_finish(&out);
}

/* Units of one byte are what draws of bytes are; of any width, a digest is of what is written. */
TEST_EACH(a_patch_of_units, 3) {
    static patch p;
    enum { SIZE = 600 };
    uint64_t state = 3;
    testcase bytes, out = {0};
    uint8_t all[SIZE], written[SIZE + 99];
    for (int i = 0; i < 3000 / ROUNDS_STEP; i++) {
        const size_t size = SIZE - dice(&state, 9);
        for (size_t k = 0; k < size; k++) all[k] = (uint8_t)dice(&state, 256);
        testcase units = testcase_of_units(all, size, (uint8_t)(1 << _i), dice(&state, 2) > 0);
        testcase_init(&bytes, all, size, NULL, 0);
        patch_clear(&p);
        for (uint64_t k = 1 + dice(&state, 4); k > 0; k--) {
            change c = random_change(&bytes, &state);
            c.first += dice(&state, units.count - 2 * LENGTH);
            if (c.kind == CHANGE_COPY || c.kind == CHANGE_INSERT)
                c.from += dice(&state, units.count - 2 * LENGTH);
            patch_add(&p, c);
        }
        const size_t made = patch_size(&p, &units);
        uint64_t digest;
        ck_assert_uint_le(made, sizeof written);
        patch_write(&p, &units, written);
        digest = patch_digest(&p, &units, CANDIDATE_BYTES);
        ck_assert_uint_eq(digest, digest_of(written, made));
        if (_i == 0) {
            patch_apply(&p, &bytes, &out);
            ck_assert_uint_eq(made, out.size);
            ck_assert_mem_eq(written, out.bytes, made);
        }
        testcase_finish(&units);
        testcase_finish(&bytes);
    }
    testcase_finish(&out);
}

TEST(there_is_room_for_so_many) {
    static patch p;
    for (size_t i = 0; i < PATCH_MAX; i++) ck_assert(patch_set(&p, 2 * (PATCH_MAX - i), 1));
    ck_assert(!patch_set(&p, 1, 1));
    ck_assert_uint_eq(p.count, PATCH_MAX);
}

/* ---- What is moved keeps its meaning, or not ---- */

/* Of a byte, two coins, a byte, a small one and a coin. */
static bool bytes_and_coins(frng *f, int *status) {
    uint8_t byte;
    bool coin;
    (void)status;
    for (unsigned i = 0; i < 6; i++)
        FRNG_TRY(i == 4             ? frng_u8_max(f, 127, &byte)
                 : i == 0 || i == 3 ? frng_u8(f, &byte)
                                    : frng_bool(f, &coin));
    return true;
}

static const struct {
    change edit;
    bool keeps;
} moves[] = {
    {{.first = 1, .count = 1, .kind = CHANGE_DELETE}, true},  /* a coin comes to the coin */
    {{.first = 1, .count = 2, .kind = CHANGE_DELETE}, false}, /* a byte */
    {{.first = 0, .count = 3, .kind = CHANGE_DELETE}, true},
    {{.first = 3, .count = 3, .kind = CHANGE_DELETE}, true},  /* the end */
    {{.first = 3, .count = 1, .kind = CHANGE_DELETE}, false}, /* a byte of other bounds */
    {{.first = 1, .count = 1, .kind = CHANGE_COPY, .from = 5, .length = 1}, true},
    {{.first = 1, .count = 1, .kind = CHANGE_COPY, .from = 4, .length = 1}, false},
    {{.first = 4, .count = 1, .kind = CHANGE_SET, .rank = 3}, true},
    {{.first = 6, .count = 0, .kind = CHANGE_INSERT, .from = 0, .rank = 3}, true},
};

TEST_EACH(what_is_moved_keeps_its_meaning_or_not, sizeof moves / sizeof moves[0]) {
    static const uint8_t bytes[] = {9, 1, 0, 8, 7, 1};
    testcase base = testcase_drawn(bytes_and_coins, bytes, sizeof bytes);
    static patch p;
    ck_assert_uint_eq(base.count, 6);
    ck_assert(patch_add(&p, moves[_i].edit));
    ck_assert_int_eq(patch_keeps_meaning(&p, &base), moves[_i].keeps);
    testcase_finish(&base);
}

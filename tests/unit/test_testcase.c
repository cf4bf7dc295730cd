/* testcase.h: ranks and encodings are the exact inverse of the draws, the order of test cases is
 * total, and records are not trusted. */
#include "drawn.h"
#include "frng_more.h"
#include "patch.h"
#include "rounds.h"
#include "suite.h"

enum { ROOM = 16 }; /* for a number of up to 8 bytes; gcc sees loops run further */

/* ---- The real draws ---- */

/* What frng.h makes of these bytes where such a draw is made; false when it wants more than the
 * width of one number, that is, where it rejects. */
static bool real_value(const draw *d, const uint8_t *bytes, uint64_t *value) {
    frng f = frng_init(bytes, d->width);
    bool b = false;
    if (d->kind == FRNG_CHANCE) {
        const bool ok = frng_chance(&f, (uint32_t)d->min, (uint32_t)d->max, &b);
        *value = b;
        return ok;
    }
    if (d->kind == FRNG_BYTES) *value = bytes[0];
    if (d->kind == FRNG_BOOL) *value = bytes[0] & 1;
    if (d->kind == FRNG_F64) *value = frng__load(bytes, 8);
    if (d->kind == FRNG_BYTES || d->kind == FRNG_BOOL || d->kind == FRNG_F64) return true;
    return frng__range(&f, (frng_kind)d->kind, d->width, d->min, d->max, value);
}

static draw draw_of(frng_kind kind, unsigned width, int64_t min, uint64_t max) {
    return (draw){.kind = (uint8_t)kind, .width = (uint8_t)width, .min = (uint64_t)min, .max = max};
}

/* The value that a rank stands for, as frng.h would tell it. */
static uint64_t value_of(draw d, uint64_t rank) {
    d.rank = rank;
    if (draw_is_number(&d)) return draw_value(&d);
    return d.kind == FRNG_CHANCE && d.min >= d.max ? 1 : rank;
}

static void store(uint64_t x, uint8_t *bytes) {
    for (unsigned i = 0; i < 8; i++) bytes[i] = (uint8_t)(x >> (8 * i));
}

static bool rank_of(const draw *d, uint64_t value, uint64_t *rank) {
    *rank = d->kind == FRNG_CHANCE && draw_rank_max(d) == 0 ? 0 : value;
    return !draw_is_number(d) || draw_rank_of(d, value, rank);
}

/* The encoding of a rank is accepted, gives its value, and no smaller number of `below` that are
 * looked at does; and the value has this rank. The distance leads to the simplest value. */
static void check_rank(const draw *d, uint64_t rank, uint64_t below) {
    uint8_t bytes[ROOM];
    uint64_t value = 0, back;
    const uint64_t wanted = value_of(*d, rank);
    draw now = *d;
    now.rank = rank;
    draw_encode(d, rank, bytes);
    if (!real_value(d, bytes, &value) || value != wanted) ck_abort_msg("another value");
    if (!rank_of(d, value, &back) || back != rank) ck_abort_msg("another rank");
    const uint64_t x = frng__load(bytes, d->width);
    for (uint64_t less = 1; less <= below && less <= x; less++) {
        store(x - less, bytes);
        if (real_value(d, bytes, &value) && value == wanted) {
            ck_abort_msg("kind %d, %llx..%llx, rank %llx: %llx is not the smallest", (int)d->kind,
                         (unsigned long long)d->min, (unsigned long long)d->max,
                         (unsigned long long)rank, (unsigned long long)x);
        }
    }
    if (!draw_is_number(d)) return;
    const uint64_t distance = draw_distance(&now);
    ck_assert_uint_eq(draw_rank_nearer(&now, 0), rank);
    ck_assert_uint_eq(draw_rank_nearer(&now, distance), 0);
    if (distance > 0) ck_assert_uint_lt(draw_rank_nearer(&now, distance / 2 + 1), rank);
    for (uint64_t by = 1; by <= distance && by < 300; by++) {
        const uint64_t nearer = value_of(*d, draw_rank_nearer(&now, by));
        ck_assert(wanted - nearer == by || nearer - wanted == by);
    }
}

/* Whatever is drawn has a rank, and an encoding that is no larger. */
static void check_number(const draw *d, uint64_t number) {
    uint8_t bytes[ROOM], canonical[ROOM];
    uint64_t value, again, rank;
    store(number, bytes);
    if (!real_value(d, bytes, &value)) return;
    if (!rank_of(d, value, &rank) || rank > draw_rank_max(d)) ck_abort_msg("no rank");
    if (value_of(*d, rank) != value) ck_abort_msg("not the value's rank");
    draw_encode(d, rank, canonical);
    if (!real_value(d, canonical, &again) || again != value) ck_abort_msg("another value");
    if (frng__load(canonical, d->width) > frng__load(bytes, d->width)) ck_abort_msg("larger");
}

static void check_all(const draw *d) {
    for (uint64_t rank = 0; rank <= draw_rank_max(d); rank++) check_rank(d, rank, UINT64_MAX);
    for (uint64_t x = 0; d->width <= 2 && x < UINT64_C(1) << (8 * d->width); x++)
        check_number(d, x);
}

/* ---- Numbers ---- */

/* 0, 1, -1, 2, -2 ... as far as they are in min..max; else from the end nearest 0. Others have no
 * rank. */
static void check_signed(int64_t min, int64_t max) {
    const draw d = draw_of(FRNG_INT, 1, min, (uint64_t)max);
    uint64_t rank = 0, none;
    check_all(&d);
    for (int64_t m = 0; m <= 200; m++) {
        if (m >= min && m <= max) ck_assert_int_eq((int64_t)value_of(d, rank++), m);
        if (m > 0 && -m >= min && -m <= max) ck_assert_int_eq((int64_t)value_of(d, rank++), -m);
        ck_assert_int_eq(draw_rank_of(&d, (uint64_t)m, &none), m >= min && m <= max);
        ck_assert_int_eq(draw_rank_of(&d, (uint64_t)-m, &none), -m >= min && -m <= max);
    }
    ck_assert_uint_eq(rank, draw_rank_max(&d) + 1);
    ck_assert(!draw_rank_of(&d, UINT64_C(1) << 63, &none));
}

TEST(signed_values_have_ranks_by_distance_from_zero) {
    static const int64_t ends[][2] = {{-128, 127}, {-128, 0}, {-1, 127},  {-128, 1},
                                      {-128, -1},  {1, 127},  {-127, 127}};
    for (int64_t min = -4; min <= 4; min++) {
        for (int64_t max = min; max <= 4; max++) check_signed(min, max);
    }
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) check_signed(ends[i][0], ends[i][1]);
}

TEST(unsigned_values_have_ranks_by_size) {
    uint64_t none;
    for (int64_t min = 0; min <= 255; min += min < 5 ? 1 : 50) {
        for (int64_t max = min; max <= 255; max += max < min + 12 ? 1 : 27) {
            const draw d = draw_of(FRNG_UINT, 1, min, (uint64_t)max);
            check_all(&d);
            ck_assert_int_eq((int64_t)value_of(d, 1), min + 1);
            ck_assert(!draw_rank_of(&d, (uint64_t)max + 1, &none));
            ck_assert(min == 0 || !draw_rank_of(&d, (uint64_t)min - 1, &none));
        }
    }
}

TEST(choices_have_ranks_by_number) {
    const draw coin = draw_of(FRNG_BOOL, 1, 0, 1), byte = draw_of(FRNG_BYTES, 1, 0, UINT8_MAX);
    const draw letter = {.kind = FRNG_LETTER, .width = 1, .max = 3, .rank = 2};
    check_all(&coin);
    check_all(&byte);
    ck_assert_uint_eq(draw_distance(&letter), 1); /* to the first letter: the end is another */
    for (uint32_t denominator = 1; denominator <= 4; denominator++) {
        for (uint32_t numerator = 0; numerator <= denominator; numerator++) {
            const draw d = draw_of(FRNG_CHANCE, 4, numerator, denominator);
            const bool is_open = numerator > 0 && numerator < denominator;
            ck_assert_uint_eq(draw_rank_max(&d), is_open);
            for (uint64_t rank = 0; rank <= draw_rank_max(&d); rank++) check_rank(&d, rank, 9999);
        }
    }
}

static const draw wide_draws[] = {
    {FRNG_UINT, 2, 65535, 65535, 0, false},
    {FRNG_UINT, 2, 65535 - 256, 65535, 0, false},
    {FRNG_UINT, 2, 0, 32768, 0, false},
    {FRNG_INT, 2, (uint64_t)-32768, 0, 0, false},
    {FRNG_INT, 2, (uint64_t)-1000, 999, 0, false},
    {FRNG_UINT, 8, 0, UINT64_MAX, 0, false},
    {FRNG_UINT, 8, 1, UINT64_MAX, 0, false},
    {FRNG_UINT, 8, 0, UINT64_MAX - 1, 0, false},
    {FRNG_UINT, 8, 0, UINT64_MAX / 2, 0, false},     /* 2^w mod n is 0 */
    {FRNG_UINT, 8, 0, UINT64_MAX / 2 + 1, 0, false}, /* 2^w mod n is n - 2 */
    {FRNG_UINT, 8, 0, UINT64_MAX / 3, 0, false},
    {FRNG_UINT, 8, UINT64_MAX, UINT64_MAX, 0, false},
    {FRNG_UINT, 8, 5, 14, 0, false},
    {FRNG_UINT, 4, 1, UINT32_MAX, 0, false},
    {FRNG_UINT, 4, 0, 999999, 0, false},
    {FRNG_INDEX, 8, 0, UINT64_MAX - 1, 0, false},
    {FRNG_INDEX, 8, 0, 99, 0, false},
    {FRNG_WEIGHTED, 8, 0, UINT64_C(6) << 32, 0, false},
    {FRNG_F64, 8, 0, UINT64_MAX, 0, false},
    {FRNG_INT, 8, (uint64_t)INT64_MIN, INT64_MAX, 0, false},
    {FRNG_INT, 8, (uint64_t)INT64_MIN, 1, 0, false},
    {FRNG_INT, 8, (uint64_t)INT64_MIN, UINT64_MAX, 0, false}, /* ..-1 */
    {FRNG_INT, 8, (uint64_t)INT64_MIN, (uint64_t)INT64_MIN, 0, false},
    {FRNG_INT, 8, UINT64_MAX, INT64_MAX, 0, false}, /* -1.. */
    {FRNG_INT, 8, 1, INT64_MAX, 0, false},
    {FRNG_INT, 4, (uint64_t)(int64_t)INT32_MIN, INT32_MAX, 0, false},
    {FRNG_INT, 4, (uint64_t)-7, INT32_MAX, 0, false},
    {FRNG_CHANCE, 4, 1, UINT32_MAX, 0, false},
    {FRNG_CHANCE, 4, 7, (UINT64_C(1) << 31) + 1, 0, false},
    {FRNG_CHANCE, 4, UINT32_MAX, UINT32_MAX, 0, false},
};
enum { WIDE_DRAWS = sizeof wide_draws / sizeof *wide_draws };

TEST(ranges_of_two_to_eight_bytes) {
    uint64_t state = 5;
    for (size_t i = 0; i < WIDE_DRAWS; i++) {
        const draw *d = &wide_draws[i];
        const uint64_t max = draw_rank_max(d);
        for (uint64_t k = 0; k < 20 && k <= max; k++) {
            check_rank(d, k, 1000);
            check_rank(d, max - k, 1000);
            check_rank(d, max / 2 + (k < max / 2 ? k : 0), 1000);
            check_rank(d, dice(&state, max == UINT64_MAX ? max : max + 1), 1000);
        }
        for (int k = 0; k < 6000 / ROUNDS_STEP; k++)
            check_number(d, dice(&state, UINT64_MAX) >> dice(&state, 64));
    }
}

/* An x87 may change the bits of a double that is no number. */
static bool is_number(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value == value;
}

static uint64_t rank_of_bits(uint64_t bits) {
    const draw d = {.kind = FRNG_REAL, .width = 8};
    uint64_t rank;
    double value;
    memcpy(&value, &bits, sizeof value);
    ck_assert(draw_rank_of_real(&d, value, &rank));
    return rank;
}

static uint64_t bits_of_rank(uint64_t rank) {
    const draw d = {.kind = FRNG_REAL, .width = 8, .rank = rank};
    return draw_number(&d, rank);
}

TEST(whole_numbers_are_the_simplest_doubles) {
    static const double order[] = {0, 1, -1, 2, -2, 3, 9007199254740991.0, 9007199254740992.0};
    uint64_t bits, state = 3;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        memcpy(&bits, &order[i], sizeof bits);
        if (i < 6) ck_assert_uint_eq(rank_of_bits(bits), i);
        ck_assert_uint_eq(bits_of_rank(rank_of_bits(bits)), bits);
    }
    for (int i = 0; i < 100000 / ROUNDS_STEP; i++) {
        bits = dice(&state, UINT64_MAX) >> dice(&state, 64);
        if (is_number(bits)) ck_assert_uint_eq(bits_of_rank(rank_of_bits(bits)), bits);
        for (uint64_t rank = bits, n = 0; n < 2; rank = 0 - bits, n++) {
            const uint64_t at = bits_of_rank(rank);
            if (is_number(at)) ck_assert_uint_eq(rank_of_bits(at), rank);
        }
    }
}

/* ---- The order of test cases ---- */

static void build_of(testcase *t, const uint8_t *bytes, size_t size, unsigned cuts) {
    frng_trace_record records[8];
    size_t count = 0, at = 0;
    while (at < size) { /* a bit of `cuts` makes one draw of two bytes */
        const size_t width = (cuts >> at & 1) && at + 2 <= size ? 2 : 1;
        frng_trace_record *r = &records[count++];
        *r = (frng_trace_record){
            .start = at, .taken = width, .kind = FRNG_UINT, .width = (uint8_t)width};
        r->u.draw.max = width == 1 ? UINT8_MAX : UINT16_MAX;
        r->u.draw.value = frng__load(bytes + at, width);
        at += width;
    }
    testcase_init(t, bytes, size, records, count);
    ck_assert_uint_eq(t->count, count);
}

/* Fewer bytes, then fewer or simpler draws: the ranks, not the bytes. */
TEST(the_order_is_total) {
    enum { FEW = 150 };
    static const uint8_t values[] = {0, 1, 255}, high[] = {0, 9}, low[] = {1, 0};
    static testcase all[FEW];
    static int order[FEW][FEW];
    size_t count = 0;
    build_of(&all[count++], high, 2, 1); /* 0x900 */
    build_of(&all[count++], low, 2, 1);  /* 1 */
    build_of(&all[count++], high, 2, 0); /* 0, 9 */
    for (unsigned i = 0; i < 27; i++) {
        const uint8_t bytes[] = {values[i % 3], values[i / 3 % 3], values[i / 9]};
        for (unsigned cuts = 0; cuts < 3; cuts++) build_of(&all[count++], bytes, 3, cuts);
        if (i < 9) build_of(&all[count++], bytes, 2, 0);
        if (i < 9) build_of(&all[count++], bytes, 2, 1);
        if (i < 4) build_of(&all[count++], bytes, i < 3, 0);
    }
    ck_assert_uint_le(count, FEW);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            const int c = testcase_compare(&all[i], &all[k]);
            order[i][k] = (c > 0) - (c < 0);
            if (i == k) ck_assert_int_eq(c, 0);
            if (all[i].size < all[k].size) ck_assert_int_lt(c, 0);
            if (c != 0) continue; /* else the same bytes, and the same number of draws */
            ck_assert_uint_eq(all[i].count, all[k].count);
            ck_assert_mem_eq(all[i].bytes, all[k].bytes, all[i].size);
        }
    }
    ck_assert(order[0][1] > 0 && order[2][1] < 0);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            if (order[i][k] != -order[k][i]) ck_abort_msg("not antisymmetric");
            for (size_t m = 0; m < count; m++) {
                const bool both = order[i][k] <= 0 && order[k][m] <= 0;
                if (both && order[i][m] > 0) ck_abort_msg("not transitive");
            }
        }
    }
    for (size_t i = 0; i < count; i++) testcase_finish(&all[i]);
}

/* ---- What runs tell ---- */

/* Steps: an empty one, one that begins with no bytes, and a last one without a draw. */
static bool all_kinds(frng *f, int *status) {
    static const uint32_t weights[] = {3, 0, 2};
    const uint8_t *bytes;
    char text[40];
    bool b;
    uint8_t u8;
    int16_t i16;
    int64_t i64;
    uint64_t u64;
    uint32_t u32;
    double real;
    size_t index;
    int year, month, day;
    (void)status;
    FRNG_TRY(frng_u8_range(f, 3, 7, &u8));
    frng_step(f, "empty");
    frng_step(f, "one");
    frng_note(f, "a name");
    FRNG_TRY(frng_bytes(f, 0, &bytes));
    FRNG_TRY(frng_bytes(f, 3, &bytes) && frng_index(f, 9, &index));
    frng_step(f, "others");
    FRNG_TRY(frng_weighted(f, weights, 3, &index) && frng_chance(f, 1, 3, &b));
    FRNG_TRY(frng_f64(f, &real) && frng_bool(f, &b));
    for (size_t n = 0;; n++) {
        FRNG_TRY(frng_more(f, n, 2, 5, &b));
        if (!b) break;
    }
    FRNG_TRY(frng_string(f, FRNG_LOWER, 1, 6, text) && frng_string(f, "xy", 0, 30, text));
    FRNG_TRY(frng_string(f, FRNG_PRINTABLE FRNG_PRINTABLE, 0, 3, text));
    FRNG_TRY(frng_i64_mixed(f, INT64_MIN, INT64_MAX, &i64));
    FRNG_TRY(frng_i16_mixed(f, -3, 900, &i16) && frng_i16_mixed(f, -900, -4, &i16));
    FRNG_TRY(frng_u64_mixed(f, 0, UINT64_MAX, &u64) && frng_u32_mixed(f, 3, 70000, &u32));
    for (int i = 0; i < 4; i++) FRNG_TRY(frng_f64_any(f, &real));
    FRNG_TRY(frng_f64_range(f, -0.1, 1e3, &real) && frng_f64_range(f, 1e20, 1e300, &real));
    FRNG_TRY(frng_f64_range(f, -2, -2, &real) && frng_f64_range(f, 0, 5e-324, &real));
    FRNG_TRY(frng_f64_range(f, -1.7976931348623157e308, 1.7976931348623157e308, &real));
    FRNG_TRY(frng_f64_range(f, 0.25, 0.75, &real) && frng_f64_range(f, -9e15, 9e15, &real));
    FRNG_TRY(frng_subset(f, 64, &u64) && frng_subset(f, 3, &u64));
    FRNG_TRY(frng_pick(f, 300, &index) && frng_pick_weighted(f, weights, 3, &index));
    FRNG_TRY(frng_date(f, &year, &month, &day));
    frng_step(f, "last");
    return true;
}

/* A canonical encoding is no longer than what was drawn, and is drawn as the same values. */
TEST(draws_return_from_their_ranks) {
    static const patch nothing;
    static uint8_t noise[1000];
    uint64_t state = 8;
    testcase canonical = {0}, copy;
    for (int i = 0; i < 20000 / ROUNDS_STEP; i++) {
        for (size_t k = 0; k < sizeof noise; k++) noise[k] = (uint8_t)dice(&state, 256);
        testcase t = testcase_drawn(all_kinds, noise, sizeof noise);
        ck_assert(t.trace == TRACE_WHOLE && t.size < sizeof noise && t.step_count == 2);
        for (size_t k = 0; k < t.count; k++) {
            ck_assert_int_eq(t.draws[k].kind == FRNG_BYTES, k > 0 && k < 4);
            ck_assert_int_eq(t.draws[k].begins_step, k == 1 || k == 5);
            ck_assert_int_eq(t.draws[k].goes_on, k == 2 || k == 3);
        }
        patch_apply(&nothing, &t, &canonical);
        testcase again = testcase_drawn(all_kinds, canonical.bytes, canonical.size);
        ck_assert_uint_le(canonical.size, t.size);
        ck_assert_uint_eq(again.size, canonical.size);
        ck_assert_uint_eq(again.count, t.count);
        for (size_t k = 0; k < t.count; k++)
            ck_assert_uint_eq(again.draws[k].rank, t.draws[k].rank);
        ck_assert_int_le(testcase_compare(&again, &t), 0);
        testcase_copy(&copy, &t);
        ck_assert(testcase_compare(&copy, &t) == 0);
        testcase_finish(&copy);
        testcase_finish(&t);
        testcase_finish(&again);
    }
    testcase_finish(&canonical);
}

/* ---- Records that make no sense ---- */

static frng_trace_record record_of(frng_kind kind, uint64_t start, uint64_t taken, unsigned width,
                                   uint64_t min, uint64_t max, uint64_t value) {
    frng_trace_record r = {
        .start = start, .taken = taken, .kind = (uint8_t)kind, .width = (uint8_t)width};
    r.u.draw.min = min;
    r.u.draw.max = max;
    r.u.draw.value = value;
    return r;
}

/* If one is wrong, none is used (record_check). Of a later kind, one is bytes. */
TEST(a_record_is_used_if_all_are_right) {
    static const uint8_t bytes[8] = {1, 0, 5, 0, 1};
    const struct {
        frng_trace_record second;
        bool is_wrong;
        size_t count;
    } rows[] = {
        {record_of(FRNG_UINT, 2, 2, 2, 0, 9, 0), false, 3},
        {record_of((frng_kind)200, 2, 3, 99, 9, 0, 7), false, 4},
        {record_of(FRNG_UINT, 3, 2, 2, 0, 9, 0), true, 5},  /* a gap */
        {record_of(FRNG_UINT, 2, 2, 2, 0, 9, 6), true, 5},  /* another value */
        {record_of(FRNG_UINT, 2, 2, 2, 9, 3, 0), true, 5},  /* no bounds */
        {record_of(FRNG_UINT, 2, 31, 2, 0, 9, 0), true, 5}, /* beyond the end */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const frng_trace_record records[] = {record_of(FRNG_UINT, 0, 2, 2, 0, 9, 0),
                                             rows[i].second};
        testcase t;
        testcase_init(&t, bytes, 5, records, 2);
        ck_assert_int_eq(t.has_wrong_record, rows[i].is_wrong);
        ck_assert_int_eq(t.trace, rows[i].is_wrong ? TRACE_NONE : TRACE_PART);
        ck_assert_uint_eq(t.count, rows[i].count);
        testcase_finish(&t);
    }
}

SUITE(.timeout_s = 120);

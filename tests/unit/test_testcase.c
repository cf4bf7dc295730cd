/* testcase.h: the laws of the order, by all small cases, and records that nobody trusts. */
#include "suite.h"
#include "testcase.h"

#include "drawn.h"
#include "frng_more.h"
#include "patch.h"
#include "rounds.h"

/* For a number of up to 8 bytes; gcc sees loops run further. */
enum { ROOM = 16 };

/* ---- The real draws ---- */

/* What frng.h makes of these bytes where a draw of this kind is made; false when it wants more than
 * the width of one number, that is, where it rejects. */
static bool real_value(const draw *d, const uint8_t *bytes, uint64_t *value) {
    frng f = frng_init(bytes, d->width);
    *value = 0;
    switch (d->kind) {
    case FRNG_BYTES: *value = bytes[0]; return true;
    case FRNG_BOOL: {
        bool b = false;
        const bool ok = frng_bool(&f, &b);
        *value = b;
        return ok;
    }
    case FRNG_F64: {
        double x = 0;
        const bool ok = frng_f64(&f, &x);
        *value = frng__load(bytes, 8);
        return ok;
    }
    case FRNG_CHANCE: {
        bool b = false;
        const bool ok = frng_chance(&f, (uint32_t)d->min, (uint32_t)d->max, &b);
        *value = b;
        return ok;
    }
    case FRNG_UINT:
    case FRNG_INT:
    case FRNG_INDEX:
    case FRNG_WEIGHTED: break;
    }
    return frng__range(&f, (frng_kind)d->kind, d->width, d->min, d->max, value);
}

static draw draw_of(frng_kind kind, unsigned width, uint64_t min, uint64_t max) {
    return (draw){.kind = (uint8_t)kind, .width = (uint8_t)width, .min = min, .max = max};
}

static draw signed_draw(unsigned width, int64_t min, int64_t max) {
    return draw_of(FRNG_INT, width, (uint64_t)min, (uint64_t)max);
}

/* The value that a rank stands for, as frng.h would tell it. */
static uint64_t value_of(draw d, uint64_t rank) {
    d.rank = rank;
    if (draw_is_number(&d)) return draw_value(&d);
    return d.kind == FRNG_CHANCE && d.min >= d.max ? 1 : rank;
}

static void store(uint64_t x, unsigned width, uint8_t *bytes) {
    for (unsigned i = 0; i < width; i++) bytes[i] = (uint8_t)(x >> (8 * i));
}

/* The encoding of a rank is accepted, gives its value, and no smaller number of `below` that are
 * looked at does. */
static void check_encoding(const draw *d, uint64_t rank, uint64_t below) {
    uint8_t bytes[ROOM];
    uint64_t value = 0;
    const uint64_t wanted = value_of(*d, rank);
    draw_encode(d, rank, bytes);
    ck_assert_msg(real_value(d, bytes, &value), "rejected");
    ck_assert_uint_eq(value, wanted);
    const uint64_t x = frng__load(bytes, d->width);
    for (uint64_t less = 1; less <= below && less <= x; less++) {
        store(x - less, d->width, bytes);
        if (real_value(d, bytes, &value) && value == wanted) {
            ck_abort_msg("kind %d, %llx..%llx, rank %llx: %llx is not the smallest", (int)d->kind,
                         (unsigned long long)d->min, (unsigned long long)d->max,
                         (unsigned long long)rank, (unsigned long long)x);
        }
    }
}

/* rank <-> value is a bijection, whatever is drawn has a rank, and encodings are the smallest. */
static void check_all_ranks(const draw *d) {
    const uint64_t max = draw_rank_max(d);
    ck_assert_uint_le(max, UINT16_MAX);
    for (uint64_t rank = 0; rank <= max; rank++) {
        uint64_t back = UINT64_MAX;
        if (draw_is_number(d)) {
            ck_assert(draw_rank_of(d, value_of(*d, rank), &back));
            ck_assert_uint_eq(back, rank);
        }
        check_encoding(d, rank, UINT64_MAX);
    }
    const uint64_t numbers = UINT64_C(1) << (8 * d->width);
    for (uint64_t x = 0; d->width <= 2 && x < numbers; x++) {
        uint8_t bytes[ROOM];
        uint64_t value, rank = 0;
        store(x, d->width, bytes);
        if (!real_value(d, bytes, &value) || !draw_is_number(d)) continue;
        if (!draw_rank_of(d, value, &rank) || rank > max) ck_abort_msg("a value without a rank");
        if (value_of(*d, rank) != value) ck_abort_msg("not the value's rank");
    }
}

/* ---- Numbers ---- */

/* 0, 1, -1, 2, -2 ... as far as they are in min..max; else from the end nearest 0. */
static void check_signed_order(const draw *d) {
    const int64_t min = (int64_t)d->min, max = (int64_t)d->max;
    uint64_t rank = 0;
    for (int64_t m = 0; m <= 200; m++) {
        if (m >= min && m <= max) ck_assert_int_eq((int64_t)value_of(*d, rank++), m);
        if (m > 0 && -m >= min && -m <= max) ck_assert_int_eq((int64_t)value_of(*d, rank++), -m);
    }
    ck_assert_uint_eq(rank, draw_rank_max(d) + 1);
}

/* The distance goes to 0, or to the end nearest to it; each step of it is one of the value. */
static void check_distance(const draw *d) {
    for (uint64_t rank = 0; rank <= draw_rank_max(d); rank++) {
        draw now = *d;
        now.rank = rank;
        const int64_t value = (int64_t)draw_value(&now), simplest = (int64_t)value_of(*d, 0);
        const uint64_t distance = draw_distance(&now);
        const int64_t sign = value < simplest ? -1 : 1;
        ck_assert_int_eq(value - simplest, sign * (int64_t)distance);
        for (uint64_t by = 0; by <= distance; by++) {
            const uint64_t nearer = draw_rank_nearer(&now, by);
            ck_assert_int_eq((int64_t)value_of(*d, nearer), value - sign * (int64_t)by);
            ck_assert(by == 0 ? nearer == rank : nearer < rank);
        }
    }
}

TEST(signed_values_have_ranks_by_distance_from_zero) {
    for (int64_t min = -4; min <= 4; min++) {
        for (int64_t max = min; max <= 4; max++) {
            const draw d = signed_draw(1, min, max);
            check_all_ranks(&d);
            check_signed_order(&d);
            check_distance(&d);
        }
    }
    static const int64_t ends[][2] = {{-128, 127}, {-128, 0}, {0, 127},    {-1, 127},  {-128, 1},
                                      {-128, -1},  {1, 127},  {-127, 127}, {-128, 126}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const draw d = signed_draw(1, ends[i][0], ends[i][1]);
        check_all_ranks(&d);
        check_signed_order(&d);
        check_distance(&d);
    }
}

TEST(unsigned_values_have_ranks_by_size) {
    for (uint64_t min = 0; min <= 255; min += min < 5 ? 1 : 50) {
        for (uint64_t max = min; max <= 255; max += max < min + 12 ? 1 : 27) {
            const draw d = draw_of(FRNG_UINT, 1, min, max);
            check_all_ranks(&d);
            check_distance(&d);
            for (uint64_t rank = 0; rank <= max - min; rank++) {
                ck_assert_uint_eq(value_of(d, rank), min + rank);
            }
        }
    }
}

TEST(values_outside_have_no_rank) {
    uint64_t rank;
    for (int64_t min = -4; min <= 4; min++) {
        for (int64_t max = min; max <= 4; max++) {
            const draw d = signed_draw(1, min, max);
            const draw u = draw_of(FRNG_UINT, 1, (uint64_t)(min + 4), (uint64_t)(max + 4));
            for (int64_t v = -9; v <= 9; v++) {
                ck_assert_int_eq(draw_rank_of(&d, (uint64_t)v, &rank), v >= min && v <= max);
                ck_assert_int_eq(draw_rank_of(&u, (uint64_t)(v + 4), &rank), v >= min && v <= max);
            }
            ck_assert(!draw_rank_of(&d, UINT64_C(1) << 63, &rank));
            ck_assert(!draw_rank_of(&u, UINT64_MAX, &rank));
        }
    }
}

TEST(choices_have_ranks_by_number) {
    const draw coin = draw_of(FRNG_BOOL, 1, 0, 1), byte = draw_of(FRNG_BYTES, 1, 0, UINT8_MAX);
    ck_assert_uint_eq(draw_rank_max(&coin), 1);
    check_all_ranks(&coin);
    check_all_ranks(&byte);
    check_distance(&byte);
    for (uint32_t denominator = 1; denominator <= 4; denominator++) {
        for (uint32_t numerator = 0; numerator <= 4; numerator++) {
            const draw d = draw_of(FRNG_CHANCE, 4, numerator, denominator);
            const bool open = numerator > 0 && numerator < denominator;
            ck_assert_uint_eq(draw_rank_max(&d), open ? 1 : 0);
            if (numerator > denominator) continue; /* it is told, perhaps, and never drawn */
            for (uint64_t rank = 0; rank <= draw_rank_max(&d); rank++) {
                check_encoding(&d, rank, 100000);
            }
        }
    }
    for (uint64_t count = 1; count <= 6; count++) {
        const draw index = draw_of(FRNG_INDEX, 8, 0, count - 1);
        const draw weighted = draw_of(FRNG_WEIGHTED, 8, 0, count - 1);
        for (uint64_t rank = 0; rank < count; rank++) {
            ck_assert_uint_eq(value_of(index, rank), rank);
            ck_assert_uint_eq(value_of(weighted, rank), rank);
            check_encoding(&index, rank, 10000);
            check_encoding(&weighted, rank, 10000);
        }
        check_distance(&index);
    }
}

/* ---- Wider ones ---- */

TEST(ranges_of_two_bytes) {
    static const uint64_t counts[] = {1, 2, 3, 7, 255, 256, 257, 32768, 32769, 65535, 65536};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const uint64_t last = counts[i] - 1;
        const draw u = draw_of(FRNG_UINT, 2, 65535 - last, 65535);
        const draw s = signed_draw(2, -32768, -32768 + (int64_t)last);
        for (uint64_t k = 0; k < 40; k++) {
            const uint64_t rank = last * k / 39;
            check_encoding(&u, rank, UINT64_MAX);
            check_encoding(&s, rank, UINT64_MAX);
        }
    }
    const draw all = draw_of(FRNG_UINT, 2, 0, 65535), middle = signed_draw(2, -1000, 999);
    check_signed_order(&(draw){.kind = FRNG_INT, .width = 2, .min = (uint64_t)-90, .max = 77});
    for (uint64_t rank = 0; rank < 2000; rank++) {
        uint64_t back;
        ck_assert(draw_rank_of(&middle, value_of(middle, rank), &back) && back == rank);
        ck_assert(draw_rank_of(&all, value_of(all, rank), &back) && back == rank);
    }
}

static const draw wide_draws[] = {
    {FRNG_UINT, 8, 0, UINT64_MAX, 0, false},
    {FRNG_UINT, 8, 1, UINT64_MAX, 0, false},
    {FRNG_UINT, 8, 0, UINT64_MAX - 1, 0, false},
    {FRNG_UINT, 8, 0, UINT64_MAX / 2, 0, false},     /* 2^w mod n is 0 */
    {FRNG_UINT, 8, 0, UINT64_MAX / 2 + 1, 0, false}, /* 2^w mod n is n - 2 */
    {FRNG_UINT, 8, 0, UINT64_MAX / 3, 0, false},
    {FRNG_UINT, 8, 0, 0, 0, false},
    {FRNG_UINT, 8, UINT64_MAX, UINT64_MAX, 0, false},
    {FRNG_UINT, 8, 5, 14, 0, false},
    {FRNG_UINT, 4, 0, UINT32_MAX, 0, false},
    {FRNG_UINT, 4, 1, UINT32_MAX, 0, false},
    {FRNG_UINT, 4, 0, UINT32_MAX / 2 + 1, 0, false},
    {FRNG_UINT, 4, 1, INT32_MAX, 0, false},
    {FRNG_UINT, 4, 0, 999999, 0, false},
    {FRNG_INDEX, 8, 0, UINT64_MAX - 1, 0, false},
    {FRNG_INDEX, 8, 0, 99, 0, false},
    {FRNG_WEIGHTED, 8, 0, UINT64_C(6) << 32, 0, false},
    {FRNG_F64, 8, 0, UINT64_MAX, 0, false},
    {FRNG_INT, 8, (uint64_t)INT64_MIN, INT64_MAX, 0, false},
    {FRNG_INT, 8, (uint64_t)INT64_MIN, 0, 0, false},
    {FRNG_INT, 8, (uint64_t)INT64_MIN, 1, 0, false},
    {FRNG_INT, 8, (uint64_t)INT64_MIN, UINT64_MAX, 0, false}, /* ..-1 */
    {FRNG_INT, 8, (uint64_t)INT64_MIN, (uint64_t)INT64_MIN, 0, false},
    {FRNG_INT, 8, 0, INT64_MAX, 0, false},
    {FRNG_INT, 8, UINT64_MAX, INT64_MAX, 0, false}, /* -1.. */
    {FRNG_INT, 8, 1, INT64_MAX, 0, false},
    {FRNG_INT, 8, (uint64_t)-1000, 999, 0, false},
    {FRNG_INT, 4, (uint64_t)(int64_t)INT32_MIN, INT32_MAX, 0, false},
    {FRNG_INT, 4, (uint64_t)(int64_t)INT32_MIN, 0, 0, false},
    {FRNG_INT, 4, (uint64_t)-7, INT32_MAX, 0, false},
    {FRNG_CHANCE, 4, 1, UINT32_MAX, 0, false},
    {FRNG_CHANCE, 4, UINT32_MAX - 1, UINT32_MAX, 0, false},
    {FRNG_CHANCE, 4, 7, (UINT64_C(1) << 31) + 1, 0, false},
    {FRNG_CHANCE, 4, UINT32_MAX, UINT32_MAX, 0, false},
};
enum { WIDE_DRAWS = sizeof wide_draws / sizeof *wide_draws };

static void check_wide_rank(const draw *d, uint64_t rank) {
    uint64_t back = 0;
    draw now = *d;
    now.rank = rank;
    check_encoding(d, rank, 1000);
    if (!draw_is_number(d)) return;
    ck_assert(draw_rank_of(d, draw_value(&now), &back));
    ck_assert_uint_eq(back, rank);
    const uint64_t distance = draw_distance(&now);
    ck_assert_uint_eq(draw_rank_nearer(&now, 0), rank);
    ck_assert_uint_eq(draw_rank_nearer(&now, distance), 0);
    if (distance > 0) ck_assert_uint_lt(draw_rank_nearer(&now, distance / 2 + 1), rank);
}

TEST(ranges_of_four_and_eight_bytes) {
    for (size_t i = 0; i < WIDE_DRAWS; i++) {
        const draw *d = &wide_draws[i];
        const uint64_t max = draw_rank_max(d);
        uint64_t state = i;
        for (uint64_t k = 0; k < 20 && k <= max; k++) {
            check_wide_rank(d, k);
            check_wide_rank(d, max - k);
            check_wide_rank(d, max / 2 + (k < 10 && k < max / 2 ? k : 0));
            check_wide_rank(d, max == UINT64_MAX ? dice(&state, max) : dice(&state, max + 1));
        }
    }
}

/* The threshold of frng.h for small draws of every width, both ways. */
TEST(whatever_is_drawn_has_a_smallest_encoding) {
    uint64_t state = 5;
    for (int i = 0; i < 200000 / ROUNDS_STEP; i++) {
        draw d = wide_draws[dice(&state, WIDE_DRAWS)];
        uint8_t bytes[ROOM], canonical[ROOM];
        uint64_t value, again, rank = 0;
        store(dice(&state, UINT64_MAX) >> dice(&state, 64), 8, bytes);
        if (!real_value(&d, bytes, &value)) continue;
        if (draw_is_number(&d)) {
            if (!draw_rank_of(&d, value, &rank)) ck_abort_msg("no rank");
        } else {
            rank = d.kind == FRNG_CHANCE && draw_rank_max(&d) == 0 ? 0 : value;
        }
        if (rank > draw_rank_max(&d)) ck_abort_msg("the rank is beyond the last");
        draw_encode(&d, rank, canonical);
        if (!real_value(&d, canonical, &again) || again != value) ck_abort_msg("another value");
        if (frng__load(canonical, d.width) > frng__load(bytes, d.width)) ck_abort_msg("larger");
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
        r->u.draw.min = 0;
        r->u.draw.max = width == 1 ? UINT8_MAX : UINT16_MAX;
        r->u.draw.value = frng__load(bytes + at, width);
        at += width;
    }
    ck_assert(testcase_init(t, (traced_run){bytes, size, size, records, count}));
    ck_assert_uint_eq(t->count, count);
}

enum { FEW = 150 };

static size_t enumerate(testcase *all) {
    static const uint8_t values[] = {0, 1, 255};
    size_t count = 0;
    testcase_init(&all[count++], traced_run_of(NULL, 0));
    for (size_t size = 1; size <= 3; size++) {
        const unsigned combinations = size == 1 ? 3 : size == 2 ? 9 : 27;
        for (unsigned i = 0; i < combinations; i++) {
            const uint8_t bytes[] = {values[i % 3], values[i / 3 % 3], values[i / 9]};
            build_of(&all[count++], bytes, size, 0);
            if (size > 1) build_of(&all[count++], bytes, size, 1);
            if (size > 2) build_of(&all[count++], bytes, size, 2);
        }
    }
    return count;
}

TEST(the_order_is_total) {
    static testcase all[FEW + 1];
    static int order[FEW + 1][FEW + 1];
    const size_t count = enumerate(all);
    ck_assert_uint_le(count, FEW + 1);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            const int c = testcase_compare(&all[i], &all[k]);
            order[i][k] = (c > 0) - (c < 0);
            if (i == k) ck_assert_int_eq(c, 0);
            if (all[i].size < all[k].size) ck_assert_int_lt(c, 0);
            if (c == 0) { /* the same bytes, and the same number of draws */
                ck_assert_uint_eq(all[i].count, all[k].count);
                ck_assert_mem_eq(all[i].bytes, all[k].bytes, all[i].size);
            }
        }
    }
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

TEST(ranks_count_before_bytes) {
    static const uint8_t high[] = {0, 9}, low[] = {1, 0};
    testcase a, b;
    build_of(&a, high, 2, 1); /* 0x900 */
    build_of(&b, low, 2, 1);  /* 1 */
    ck_assert_int_gt(testcase_compare(&a, &b), 0);
    testcase_finish(&a);
    build_of(&a, high, 2, 0); /* 0, 9 */
    ck_assert_int_lt(testcase_compare(&a, &b), 0);
    testcase_finish(&a);
    testcase_finish(&b);
}

/* ---- What runs tell ---- */

static bool all_kinds(frng *f, int *status) {
    const uint32_t weights[] = {3, 0, 2};
    const uint8_t *bytes;
    uint8_t a;
    int32_t b;
    size_t i;
    bool c;
    double d;
    (void)status;
    FRNG_TRY(frng_u8_range(f, 3, 7, &a));
    frng_note(f, "one");
    FRNG_TRY(frng_bytes(f, 3, &bytes));
    FRNG_TRY(frng_bytes(f, 0, &bytes));
    FRNG_TRY(frng_i32_range(f, -5, 5, &b));
    frng_note(f, "two");
    FRNG_TRY(frng_index(f, 9, &i));
    FRNG_TRY(frng_weighted(f, weights, 3, &i));
    FRNG_TRY(frng_chance(f, 1, 3, &c));
    frng_note(f, "one");
    FRNG_TRY(frng_f64(f, &d));
    return frng_bool(f, &c);
}

TEST(draws_of_a_run) {
    uint8_t noise[100];
    uint64_t state = 3;
    for (int i = 0; i < 1000; i++) {
        for (size_t k = 0; k < sizeof noise; k++) noise[k] = (uint8_t)dice(&state, 256);
        testcase t = testcase_drawn(all_kinds, noise, sizeof noise);
        ck_assert_uint_eq(t.count, 10);
        ck_assert(t.trace != TRACE_NONE);
        ck_assert_uint_lt(t.size, sizeof noise);
        for (size_t k = 0; k < 3; k++) ck_assert_uint_eq(t.draws[1 + k].kind, FRNG_BYTES);
        testcase copy;
        ck_assert(testcase_copy(&copy, &t));
        ck_assert_int_eq(testcase_compare(&copy, &t), 0);
        testcase_finish(&copy);
        testcase_finish(&t);
    }
}

/* ---- Draws of frng_more.h ---- */

static bool more_kinds(frng *f, int *status) {
    static const uint32_t weights[] = {3, 0, 900};
    char text[40];
    bool more;
    int64_t i64;
    uint64_t u64;
    int16_t i16;
    uint32_t u32;
    double real;
    size_t index;
    int year, month, day;
    (void)status;
    for (size_t n = 0;; n++) {
        FRNG_TRY(frng_more(f, n, 2, 5, &more));
        if (!more) break;
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
    return frng_date(f, &year, &month, &day);
}

/* A canonical encoding is no longer than what was drawn, and is drawn as the same values. */
TEST(draws_of_frng_more_return_from_their_ranks) {
    static const patch nothing;
    static uint8_t noise[1000];
    uint64_t state = 8;
    testcase canonical = {0};
    for (int i = 0; i < 20000 / ROUNDS_STEP; i++) {
        for (size_t k = 0; k < sizeof noise; k++) noise[k] = (uint8_t)dice(&state, 256);
        testcase t = testcase_drawn(more_kinds, noise, sizeof noise);
        for (size_t k = 0; k < t.count; k++) ck_assert_uint_ne(t.draws[k].kind, FRNG_BYTES);
        ck_assert(patch_apply(&nothing, &t, &canonical));
        testcase again = testcase_drawn(more_kinds, canonical.bytes, canonical.size);
        ck_assert_uint_le(canonical.size, t.size);
        ck_assert_uint_eq(again.size, canonical.size);
        ck_assert_uint_eq(again.count, t.count);
        for (size_t k = 0; k < t.count; k++) {
            ck_assert_uint_eq(again.draws[k].rank, t.draws[k].rank);
        }
        testcase_finish(&t);
        testcase_finish(&again);
    }
    testcase_finish(&canonical);
}

TEST(whole_numbers_are_the_simplest_doubles) {
    static const double order[] = {0, 1, -1, 2, -2, 3, 9007199254740991.0, 9007199254740992.0};
    uint64_t bits, state = 3;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        memcpy(&bits, &order[i], sizeof bits);
        if (i < 6) ck_assert_uint_eq(real_rank(bits), i);
        ck_assert_uint_eq(real_bits(real_rank(bits)), bits);
    }
    for (int i = 0; i < 100000 / ROUNDS_STEP; i++) {
        bits = dice(&state, UINT64_MAX) >> dice(&state, 64);
        ck_assert_uint_eq(real_bits(real_rank(bits)), bits);
        ck_assert_uint_eq(real_rank(real_bits(bits)), bits);
        ck_assert_uint_eq(real_rank(real_bits(0 - bits)), 0 - bits);
    }
}

/* Steps: an empty one, one that begins with no bytes, and a last one without a draw. */
static bool steps(frng *f, int *status) {
    const uint8_t *bytes;
    uint8_t x;
    (void)status;
    FRNG_TRY(frng_u8(f, &x));
    frng_step(f, "empty");
    frng_step(f, "one");
    FRNG_TRY(frng_bytes(f, 0, &bytes));
    frng_note(f, "a name");
    FRNG_TRY(frng_u8(f, &x) && frng_u8(f, &x));
    frng_step(f, "bytes");
    FRNG_TRY(frng_bytes(f, 2, &bytes));
    frng_step(f, "last");
    return true;
}

TEST(a_step_begins_at_the_draw_after_its_mark) {
    static const uint8_t bytes[] = {1, 2, 3, 4, 5};
    static const bool begins[] = {false, true, false, true, false};
    testcase t = testcase_drawn(steps, bytes, sizeof bytes);
    ck_assert_uint_eq(t.count, 5);
    ck_assert_uint_eq(t.step_count, 2);
    for (size_t i = 0; i < t.count; i++) ck_assert_int_eq(t.draws[i].begins_step, begins[i]);
    testcase_finish(&t);
}

TEST(bytes_not_drawn_are_trimmed) {
    static const uint8_t bytes[] = {1, 2, 3, 4, 5};
    for (uint64_t drawn = 0; drawn <= 8; drawn++) {
        testcase t;
        traced_run run = traced_run_of(bytes, 5);
        run.drawn = drawn == 8 ? UINT64_MAX : drawn;
        ck_assert(testcase_init(&t, run));
        ck_assert_uint_eq(t.size, drawn < 5 ? drawn : 5);
        ck_assert_uint_eq(t.count, t.size);
        ck_assert(t.trace == TRACE_NONE);
        for (size_t i = 0; i < t.size; i++) ck_assert_uint_eq(t.draws[i].rank, bytes[i]);
        testcase_finish(&t);
    }
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

/* Whatever the records, this holds. */
static void check_sense(const testcase *t) {
    size_t sum = 0;
    ck_assert_uint_le(t->count, t->size);
    for (size_t i = 0; i < t->count; i++) {
        const draw *d = &t->draws[i];
        uint8_t bytes[ROOM];
        if (d->width < 1 || d->width > 8) ck_abort_msg("a width of %d", d->width);
        if (d->rank > draw_rank_max(d)) ck_abort_msg("a rank beyond the last");
        draw_encode(d, d->rank, bytes);
        if (draw_is_number(d)) {
            uint64_t rank = 0;
            if (!draw_rank_of(d, draw_value(d), &rank) || rank != d->rank) ck_abort_msg("rank");
            if (draw_rank_nearer(d, draw_distance(d)) != 0) ck_abort_msg("distance");
        }
        sum += draw_size(d);
    }
    ck_assert_uint_le(sum, t->size); /* rejected numbers take more */
}

/* record_check.c has a test of each way to be wrong. */
TEST(of_wrong_records_none_is_used) {
    uint8_t bytes[8] = {1, 0, 5, 0, 1};
    const frng_trace_record wrong[] = {
        record_of(FRNG_UINT, 3, 2, 2, 0, 9, 0),  /* a gap */
        record_of(FRNG_UINT, 2, 2, 2, 0, 9, 6),  /* another value */
        record_of(FRNG_UINT, 2, 2, 2, 9, 3, 0),  /* no bounds */
        record_of(FRNG_UINT, 2, 31, 2, 0, 9, 0), /* beyond the end */
        record_of(FRNG_BYTES, 2, UINT64_MAX, 1, 0, UINT64_MAX, 0),
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const frng_trace_record records[] = {record_of(FRNG_UINT, 0, 2, 2, 0, 9, 0), wrong[i]};
        testcase t;
        ck_assert(testcase_init(&t, (traced_run){bytes, sizeof bytes, 5, records, 2}));
        ck_assert(t.has_wrong_record && t.trace == TRACE_NONE && t.count == 5);
        testcase_finish(&t);
        ck_assert(testcase_init(&t, (traced_run){bytes, sizeof bytes, 5, records, 1}));
        ck_assert(!t.has_wrong_record && t.trace == TRACE_PART && t.count == 4);
        testcase_finish(&t);
    }
}

TEST(a_later_kind_is_opaque_and_no_more) {
    const uint8_t bytes[] = {1, 2, 3, 4};
    const frng_trace_record records[] = {record_of(FRNG_UINT, 0, 1, 1, 0, 9, 0),
                                         record_of((frng_kind)200, 1, 2, 99, 9, 0, 7),
                                         record_of(FRNG_UINT, 3, 1, 1, 0, 9, 0)};
    testcase t;
    ck_assert(testcase_init(&t, (traced_run){bytes, 4, 4, records, 3}));
    check_sense(&t);
    ck_assert_uint_eq(t.count, 4);
    ck_assert_int_eq(t.draws[0].kind, FRNG_UINT);
    ck_assert_int_eq(t.draws[1].kind, FRNG_BYTES);
    ck_assert_int_eq(t.draws[2].kind, FRNG_BYTES);
    ck_assert_int_eq(t.draws[3].kind, FRNG_UINT);
    testcase_finish(&t);
}

static uint64_t odd_number(uint64_t *state) {
    switch (dice(state, 6)) {
    case 0: return dice(state, 4);
    case 1: return 0 - dice(state, 4);
    case 2: return (UINT64_C(1) << dice(state, 64)) - dice(state, 2);
    case 3: return dice(state, 300);
    default: return dice(state, UINT64_MAX) >> dice(state, 64);
    }
}

/* Often nearly sense, so that more than the first one is looked at. */
static frng_trace_record random_record(uint64_t *state, uint64_t at) {
    static const unsigned widths[] = {1, 2, 4, 8, 3, 5, 6, 7, 0, 9, 255};
    const uint64_t kinds = dice(state, 20) == 0 ? 256 : FRNG_KIND_MAX + 1;
    const unsigned width = widths[dice(state, dice(state, 4) == 0 ? 11 : 4)];
    frng_trace_record r = record_of((frng_kind)dice(state, kinds), at, width, width, 0, 0, 0);
    if (dice(state, 20) == 0) r.start += 1 - dice(state, 3);
    if (dice(state, 8) == 0) r.taken = odd_number(state);
    if (dice(state, 3) != 0) r.u.draw.min = odd_number(state);
    r.u.draw.max = dice(state, 2) == 0 ? odd_number(state) : r.u.draw.min + odd_number(state);
    r.u.draw.value = dice(state, 2) == 0 ? odd_number(state) : r.u.draw.min + dice(state, 3);
    if (r.kind == FRNG_BYTES && dice(state, 2) == 0) r.u.draw.max = r.taken;
    if (dice(state, 4) == 0) {
        r.u.draw.min = 0;
        r.u.draw.max = r.u.draw.value = 1;
    }
    if (r.kind == FRNG_TRACE_NOTE) r.u.text[31] = '\0'; /* report_shm.c sees to that */
    return r;
}

TEST(random_records_of_liars) {
    enum { RECORDS = 4 };
    uint64_t state = 17;
    size_t told = 0;
    for (int i = 0; i < 200000; i++) {
        uint8_t bytes[40];
        const size_t size = dice(&state, sizeof bytes + 1), count = dice(&state, RECORDS + 1);
        frng_trace_record *records = malloc((count + 1) * sizeof *records); /* for sanitizers */
        uint64_t at = 0;
        testcase t;
        for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (uint8_t)dice(&state, 3);
        for (size_t k = 0; k < count; k++) {
            records[k] = random_record(&state, at);
            at += records[k].kind == FRNG_TRACE_NOTE ? 0 : records[k].taken;
        }
        uint8_t *exact = malloc(size + 1);
        memcpy(exact + 1, bytes, size);
        const traced_run run = {exact + 1, size, odd_number(&state), records, count};
        ck_assert(testcase_init(&t, run));
        free(exact);
        free(records);
        check_sense(&t);
        for (size_t k = 0; k < t.count; k++) told += t.draws[k].kind != FRNG_BYTES;
        testcase_finish(&t);
    }
    ck_assert_uint_gt(told, 100);
}

SUITE(.timeout_s = 120);

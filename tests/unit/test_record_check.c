/* record_check.h: no honest record is called wrong, and each wrong one is found. */
#include "record_check.h"
#include "recorder.h"
#include "suite.h"

#include "frng_expand.h"
#include "frng_more.h"

enum { BYTES = 400, RECORDS = 2000 };

/* ---- Honest records ---- */

static frng_trace_record records[RECORDS];
static recorder heard;

static frng begin(const uint8_t *bytes, size_t size) {
    frng f = frng_init(bytes, size);
    memset(records, 0, sizeof records);
    heard = recorder_of(records, RECORDS);
    f.host = &heard.host;
    return f;
}

static uint64_t state;

static uint64_t dice(uint64_t sides) { return frng__splitmix64(&state) % sides; }

/* Bounds of any magnitude. */
static uint64_t bound(uint64_t top) { return dice(UINT64_MAX) >> dice(64) & top; }

static bool draw_text(frng *f) {
    static char alphabet[301];
    char text[9];
    const size_t min = (size_t)dice(3), max = min + (size_t)dice(6);
    memset(alphabet, 'x', sizeof alphabet - 1);
    alphabet[1 + dice(300)] = '\0';
    return frng_string(f, alphabet, min, max, text);
}

static bool draw_list(frng *f) {
    bool more = true;
    for (size_t n = 0; more; n++) {
        if (!frng_more(f, n, 2, 5, &more)) return false;
    }
    return true;
}

/* Each kind with the least and the largest width, and bounds that are hard on it. */
static bool draw_anything(frng *f) {
    static const uint32_t weights[] = {0, 3, 0, 90};
    const uint64_t x = bound(UINT64_MAX), y = bound(UINT64_MAX);
    const uint64_t low = x < y ? x : y, high = x < y ? y : x;
    const int64_t least = (int64_t)x < (int64_t)y ? (int64_t)x : (int64_t)y;
    const int64_t most = (int64_t)x < (int64_t)y ? (int64_t)y : (int64_t)x;
    uint8_t byte;
    uint64_t number;
    int8_t small;
    int64_t large;
    size_t index;
    double real;
    bool coin;
    const uint8_t *raw;
    int year, month, day;
    switch (dice(22)) {
    case 0: return frng_u8_max(f, (uint8_t)x, &byte);
    case 1: return frng_u64_range(f, low, high, &number);
    case 2: return frng_u64_mixed(f, low, high, &number);
    case 3: return frng_i8(f, &small);
    case 4: return frng_i64_range(f, least, most, &large);
    case 5: return frng_i8_mixed(f, -3, 100, &small);
    case 6: return frng_i64_mixed(f, least, most, &large);
    case 7: return frng_bool(f, &coin);
    case 8: return frng_chance(f, (uint32_t)dice(4), 3, &coin);
    case 9: return frng_index(f, (size_t)bound(SIZE_MAX - 1) + 1, &index);
    case 10: return frng_pick(f, (size_t)dice(70000) + 1, &index);
    case 11: return frng_weighted(f, weights, 4, &index);
    case 12: return frng_pick_weighted(f, weights, 4, &index);
    case 13: return frng_subset(f, (size_t)dice(64) + 1, &number);
    case 14: return frng_bytes(f, (size_t)dice(5), &raw);
    case 15: return frng_f64(f, &real);
    case 16: return frng_f64_any(f, &real);
    case 17: return frng_f64_range(f, -1.5, (double)dice(100) / 7, &real);
    case 18: return frng_date(f, &year, &month, &day);
    case 19: frng_note(f, "a note"); return true;
    case 20: return draw_text(f);
    default: return draw_list(f);
    }
}

static uint8_t bytes[BYTES];

/* Draw until the entropy runs out. Returns the bytes drawn. */
static size_t draw_all(uint64_t seed) {
    static const uint8_t edges[] = {0, 255};
    state = seed;
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = seed % 4 == 3 ? edges[dice(2)] : (uint8_t)dice(256);
    frng f = begin(bytes, BYTES);
    while (draw_anything(&f)) {
    }
    return f.used;
}

static wrong_record check(size_t size) { return record_check(bytes, size, records, heard.told); }

TEST(what_the_draws_of_the_headers_report_is_right) {
    bool seen[FRNG_KIND_MAX + 1] = {false};
    for (uint64_t seed = 0; seed < 4000; seed++) {
        const wrong_record w = check(draw_all(seed));
        ck_assert_msg(w.error == RECORD_RIGHT, "seed %d, kind %d: error %d", (int)seed,
                      w.record.kind, w.error);
        ck_assert(check(BYTES).error == RECORD_RIGHT); /* bytes may be left */
        for (size_t i = 0; i < heard.told; i++) {
            if (records[i].kind <= FRNG_KIND_MAX) seen[records[i].kind] = true;
        }
    }
    for (size_t i = 0; i <= FRNG_KIND_MAX; i++) ck_assert_msg(seen[i], "no draw of kind %zu", i);
}

/* ---- Wrong ones ---- */

/* Make record `i` of a run wrong in its value, have it twice, or else leave it out; return what is
 * right there. */
static uint64_t spoil(size_t i, record_error error, bool is_twice) {
    frng_trace_record *r = &records[i];
    const uint64_t value = r->u.draw.value, start = r->start, end = start + r->taken;
    if (error == RECORD_VALUE) {
        r->u.draw.value ^= UINT64_C(1) << dice(r->kind == FRNG_LETTER ? 32 : 64);
        return value;
    }
    if (is_twice) {
        records[i + 1] = *r;
        return end;
    }
    memmove(r, r + 1, (heard.told - i - 1) * sizeof *r);
    heard.told--;
    return start;
}

/* Raw bytes have no value that another one could be, and the letter is the target's. */
TEST(a_wrong_record_is_found_wherever_it_is) {
    static const record_error errors[] = {RECORD_VALUE, RECORD_PLACE, RECORD_PLACE, RECORD_BEYOND};
    for (uint64_t seed = 0; seed < 6000; seed++) {
        size_t used = draw_all(seed), i = (size_t)dice(heard.told - 1), how = (size_t)dice(4);
        const record_error error = errors[how];
        const bool has_value = records[i].kind != FRNG_BYTES && records[i].kind <= FRNG_KIND_MAX;
        if (error == RECORD_VALUE ? !has_value : records[i].taken == 0) continue;
        if (error == RECORD_BEYOND) {
            i = heard.told - 1;
            while (records[i].taken == 0) i--;
            used = (size_t)(records[i].start + dice(records[i].taken));
        }
        const uint64_t right = error == RECORD_BEYOND ? used : spoil(i, error, how == 1);
        const wrong_record w = check(used);
        ck_assert_msg(w.error == error, "kind %d: error %d", w.record.kind, w.error);
        ck_assert_uint_eq(w.right, right);
        if (error == RECORD_VALUE) ck_assert_mem_eq(&w.record, &records[i], sizeof *records);
    }
}

/* ---- One record, by hand ---- */

#define ALL UINT64_MAX
#define NAN_BITS UINT64_C(0x7ff8000000000000)

/* One record over 16 bytes of 0x80. */
static const struct {
    record_error error;
    unsigned kind;
    uint64_t taken;
    unsigned width;
    uint64_t min, max, value, index;
} alone[] = {
    {RECORD_RIGHT, FRNG_UINT, 2, 2, 0, 9, 5, 0},
    {RECORD_BOUNDS, FRNG_UINT, 2, 0, 0, 9, 5, 0},
    {RECORD_BOUNDS, FRNG_UINT, 9, 9, 0, 9, 5, 0},
    {RECORD_BOUNDS, FRNG_INT, 9, 255, 0, 9, 5, 0},
    {RECORD_BOUNDS, FRNG_BOOL, 2, 2, 0, 1, 0, 0},
    {RECORD_BOUNDS, FRNG_F64, 4, 4, 0, 0, 0, 0},
    {RECORD_BOUNDS, FRNG_CHANCE, 8, 8, 1, 2, 0, 0},
    {RECORD_BOUNDS, FRNG_SUBSET, 8, 8, 0, 255, 0, 0},
    {RECORD_BOUNDS, FRNG_REAL_RANGE, 4, 4, 0, 0, 0, 0},
    {RECORD_BOUNDS, FRNG_UINT, 1, 1, 0, 256, 5, 0},
    {RECORD_BOUNDS, FRNG_UINT, 1, 1, 9, 3, 5, 0},
    {RECORD_BOUNDS, FRNG_INT, 1, 1, 1, ALL, 0, 0},
    {RECORD_BOUNDS, FRNG_INT, 1, 1, ALL - 128, 5, 0, 0},
    {RECORD_BOUNDS, FRNG_INDEX, 8, 8, 1, 9, 5, 0},
    {RECORD_BOUNDS, FRNG_CHANCE, 4, 4, 3, 2, 0, 0},
    {RECORD_BOUNDS, FRNG_CHANCE, 4, 4, 0, 0, 0, 0},
    {RECORD_BOUNDS, FRNG_CHANCE, 4, 4, 0, ALL, 0, 0},
    {RECORD_BOUNDS, FRNG_MORE, 1, 1, 0, 1, 0, 0},
    {RECORD_RIGHT, FRNG_MORE, 1, 1, 128 | 128 << 16, 1, 1, 0},
    {RECORD_BOUNDS, FRNG_MORE, 1, 1, 128 | 128 << 16, 2, 1, 0},
    {RECORD_BOUNDS, FRNG_MORE, 1, 1, ALL, 1, 1, 0},
    {RECORD_BOUNDS, FRNG_MORE, 1, 1, 200 | 100 << 16, 1, 1, 0},
    {RECORD_BOUNDS, FRNG_LETTER, 2, 2, 1 | 1 << 16, ALL, 1, 0},
    {RECORD_BOUNDS, FRNG_REAL_RANGE, 8, 8, 0, NAN_BITS, 0, 0},
    {RECORD_BOUNDS, FRNG_SUBSET, 1, 1, 0, 5, 0, 0},
    {RECORD_RIGHT, FRNG_DATE, 4, 4, 7, 14, 11, 0},
    {RECORD_BOUNDS, FRNG_DATE, 4, 4, 7, 5, 0, 0},
    {RECORD_BOUNDS, FRNG_DATE, 4, 4, 7, 4000000, 0, 0},
    {RECORD_RIGHT, FRNG_WEIGHTED, 8, 8, 0, 9, 5, 0},
    {RECORD_RIGHT, FRNG_WEIGHTED, 8, 8, 0, 9, 5, UINT64_C(3) << 32 | 3},
    {RECORD_BOUNDS, FRNG_WEIGHTED, 8, 8, 0, 9, 5, UINT64_C(3) << 32 | 4},
    {RECORD_BOUNDS, FRNG_WEIGHTED, 1, 1, 0, 9, 5, UINT64_C(257) << 32 | 3},
    {RECORD_LENGTH, FRNG_BOOL, 2, 1, 0, 1, 0, 0},
    {RECORD_LENGTH, FRNG_UINT, 0, 1, 0, 9, 5, 0},
    {RECORD_LENGTH, FRNG_UINT, 2, 1, 0, 9, 5, 0},
    {RECORD_LENGTH, FRNG_BYTES, 3, 1, 0, 4, 0, 0},
    {RECORD_RIGHT, FRNG_BYTES, 4, 1, 0, 4, 0, 0},
    {RECORD_BEYOND, FRNG_BYTES, 17, 1, 0, 17, 0, 0},
    {RECORD_BEYOND, FRNG_UINT, ALL, 1, 0, 9, 5, 0},
    {RECORD_LENGTH, FRNG_TRACE_NOTE, 1, 0, 0, 0, 0, 0},
    {RECORD_RIGHT, FRNG_TRACE_STATE, 0, 0, 0, 0, 7, 0},
    {RECORD_RIGHT, 200, 5, 99, 9, 0, 7, 0}, /* opaque */
    {RECORD_BEYOND, 200, 17, 99, 9, 0, 7, 0},
};

TEST(what_no_draw_can_be_is_found) {
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
        frng_trace_record r = {.taken = alone[i].taken,
                               .kind = (uint8_t)alone[i].kind,
                               .width = (uint8_t)alone[i].width};
        r.u.draw.min = alone[i].min;
        r.u.draw.max = alone[i].max;
        r.u.draw.value = alone[i].value;
        if (alone[i].index > 0) r.u.draw.index = alone[i].index;
        memset(bytes, 0x80, sizeof bytes);
        const record_error error = record_check(bytes, 16, &r, 1).error;
        ck_assert_msg(error == alone[i].error, "row %zu: error %d", i, error);
    }
    ck_assert_int_eq(record_check(NULL, 0, NULL, 0).error, RECORD_RIGHT);
    ck_assert_int_eq(record_check(bytes, 5, NULL, 0).error, RECORD_RIGHT);
}

TEST(the_note_just_before_a_draw_names_it) {
    static const struct {
        size_t record; /* whose value is wrong, and then those of the rows above */
        const char *note;
    } rows[] = {{5, "last"}, {3, ""}, {1, "first"}};
    uint8_t x = 1;
    memset(bytes, 255, sizeof bytes);
    frng f = begin(bytes, sizeof bytes);
    frng_note(&f, "first");
    ck_assert(frng_u8(&f, &x) && frng_u8(&f, &x) && frng_u8(&f, &x));
    frng_note(&f, "last");
    ck_assert(frng_u8(&f, &x));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        records[rows[i].record].u.draw.value = 9;
        ck_assert_str_eq(check(sizeof bytes).note, rows[i].note);
    }
}

/* Rows of kinds: a step is s, a note n; u and v are numbers of two ranges, i is an index. */
TEST(the_draw_that_chose_a_step_is_read_within_it) {
    static const char *const rows[][2] = {
        {"usvusvvus", "suvsuvvsu"},
        {"svsvvs", "svsvvs"},
        {"vsuus", "svuus"},
        {"sviss", "svsis"},
        {"isviisvns", "sivisivns"},
        {"nususvus", "nusu"
                     "svus"},
        {"us", "su"},
        {"s", "s"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t count = strlen(rows[i][0]);
        char told[16] = "";
        memset(records, 0, sizeof records);
        for (size_t k = 0; k < count; k++) {
            const char kind = rows[i][0][k];
            records[k].start = k;
            records[k].width = (uint8_t)kind;
            records[k].u.draw.max = kind == 'u' ? 1 : k;
            records[k].kind = kind == 's'   ? FRNG_TRACE_STEP
                              : kind == 'n' ? FRNG_TRACE_NOTE
                              : kind == 'i' ? FRNG_INDEX
                                            : FRNG_UINT;
        }
        records_settle(records, count);
        for (size_t k = 0; k < count; k++) told[k] = (char)records[k].width;
        ck_assert_str_eq(told, rows[i][1]);
        for (size_t k = 1; k < count; k++)
            ck_assert_uint_le(records[k - 1].start, records[k].start);
    }
}

SUITE(.timeout_s = 60);

/* pass.h: each pass alone on a literal sequence of draws, to its exact end and in exactly so many
 * calls: one to see the failure, one to see it again, three more for the result. The counts follow
 * what passes try: whoever tunes them writes the new ones here. */
#include "drawn.h"
#include "event.h"
#include "patch.h"
#include "rounds.h"
#include "suite.h"
#include <ctype.h>
#include <time.h>

static sut subject;
static reduce_result result;

/* Bytes are drawn as they stand by draws of all of a type. */
typedef struct sample {
    const pass *pass;
    sut_test *test;
    uint8_t bytes[174];
    size_t size;
    const char *values; /* of the result; or its text */
    uint64_t calls;
    enum { SITES_UNKNOWN, ONE_SITE, SITE_OF_EACH } sites;
} sample;

/* ---- Targets ---- */

/* One that draws so many numbers of 0..max, and fails if the condition on x holds. */
#define NUMBERS(name, count, max, condition)                                                       \
    static bool name(frng *f, int *status) {                                                       \
        uint8_t x[count];                                                                          \
        for (size_t i = 0; i < (count); i++) FRNG_TRY(frng_u8_max(f, max, &x[i]));                 \
        *status = (condition) ? SIGABRT : 0;                                                       \
        return true;                                                                               \
    }

NUMBERS(any_four, 4, 255, x[0] <= 255)
NUMBERS(second_of_three, 3, 255, x[1] >= 100)
NUMBERS(equal_three, 3, 255, x[0] == x[2] && x[0] >= 17)
NUMBERS(equal_multiples, 2, 255, x[0] == x[1] && x[0] > 0 && x[0] % 16 == 0)
NUMBERS(one_and_ten, 2, 255, x[0] > 0 && 10 * x[0] == x[1])
NUMBERS(sum_of_60, 3, 255, x[0] + x[1] + x[2] == 60)
NUMBERS(neighbours, 2, 255, x[0] - x[1] == 1 && x[1] >= 4)
NUMBERS(with_interest, 2, 255, x[1] >= 22 && x[0] + x[0] / 10 == x[1])
NUMBERS(two_that_follow, 4, 255, x[0] + x[1] == 90 && x[0] + x[3] == 70 && x[2] == 5)
NUMBERS(three_in_order, 3, 255, x[0] > x[1] && x[2] > x[0])
NUMBERS(three_and_eights, 1, 255, x[0] >= 100 && x[0] % 8 == 3)
NUMBERS(a_multiple, 2, 255, x[0] >= 2 && x[1] == 14 * x[0])
NUMBERS(of_a_hash, 1, 255, x[0] % 61 == 13)
NUMBERS(around_five, 3, 255, x[1] == 5 && x[0] + x[2] == 12 && x[0] % 6 == 3)
NUMBERS(a_way, 4, 3, x[0] != x[1] && x[1] == x[2] && x[3] != x[0] && x[3] != x[1])

/* One that draws items, each behind a coin that goes on, at most so many. */
#define ITEMS(name, most, condition)                                                               \
    static bool name(frng *f, int *status) {                                                       \
        uint8_t x[most];                                                                           \
        size_t count = 0;                                                                          \
        unsigned sum = 0;                                                                          \
        for (bool more; count < (most); sum += x[count++]) {                                       \
            FRNG_TRY(frng_bool(f, &more));                                                         \
            if (!more) break;                                                                      \
            FRNG_TRY(frng_u8(f, &x[count]));                                                       \
        }                                                                                          \
        (void)sum; /* some conditions are on the items alone */                                    \
        *status = (condition) ? SIGABRT : 0;                                                       \
        return true;                                                                               \
    }

/* A check that goes on after it has failed, as EXPECT_LE of GoogleTest does. */
static bool any_two_in_order(frng *f, int *status) {
    uint8_t x, y, more;
    FRNG_TRY(frng_u8(f, &x) && frng_u8(f, &y));
    while (frng_u8(f, &more) && more > 0) continue;
    *status = x > y ? SIGABRT : 0;
    return true;
}

/* Two numbers with a difference, and many choices between them. */
static bool far_apart(frng *f, int *status) {
    uint8_t x, y, way;
    FRNG_TRY(frng_u8(f, &x));
    for (int i = 0; i < 14; i++) FRNG_TRY(frng_u8_max(f, 3, &way));
    FRNG_TRY(frng_u8(f, &y));
    *status = x == y + 30 ? SIGABRT : 0;
    return true;
}

/* True if two items name each other's places. */
static bool are_coupled(const uint8_t *x, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (x[i] < count && x[i] != i && x[x[i]] == i) return true;
    }
    return false;
}

ITEMS(coupled, 200, sum > 0 && are_coupled(x, count))
ITEMS(sum_of_items, 200, sum == 60)

static bool draws(frng *f, unsigned count, uint8_t wanted, bool *has) {
    for (; count > 0; count--) {
        uint8_t item;
        FRNG_TRY(frng_u8(f, &item));
        *has |= item >= wanted;
    }
    return true;
}

/* Items, each behind a byte that is not 0. */
static bool a_large_item(frng *f, int *status) {
    bool is_large = false;
    for (uint8_t more;;) {
        FRNG_TRY(frng_u8(f, &more));
        if (more == 0) break;
        FRNG_TRY(draws(f, 1, 200, &is_large));
    }
    *status = is_large ? SIGABRT : 0;
    return true;
}

/* Waits for so many seconds, and one for each that it needs. */
static bool waiting(frng *f, int *status) {
    uint8_t seconds, count;
    size_t needed;
    FRNG_TRY(frng_u8_max(f, 99, &seconds) && frng_u8_max(f, 4, &count));
    for (unsigned i = 0; i < count; i++) FRNG_TRY(frng_index(f, 3, &needed));
    *status = seconds + count == 9 ? SIGABRT : 0;
    return true;
}

/* A number that is not drawn in the canonical way, and another one. */
static bool nine(frng *f, int *status) {
    uint8_t a, b;
    FRNG_TRY(frng_u8_max(f, 9, &a) && frng_u8_max(f, 99, &b));
    *status = a == 9 ? SIGABRT : 0;
    return true;
}

/* Items that need some of those before them. One needs one that needs another. */
static bool needy(frng *f, int *status) {
    uint8_t count;
    uint64_t needs[8] = {0};
    FRNG_TRY(frng_u8_range(f, 1, 8, &count));
    *status = 0;
    for (unsigned i = 1; i < count; i++) {
        FRNG_TRY(frng_subset(f, i, &needs[i]));
        for (unsigned k = 0; k < i; k++) *status |= (needs[i] >> k & 1) != 0 && needs[k] != 0;
    }
    *status *= SIGABRT;
    return true;
}

/* Items and their order. One that needs another comes before it. */
static bool ordered(frng *f, bool swaps, int *status) {
    uint8_t count;
    uint64_t needs[8] = {0}, done = 0;
    size_t order[8];
    FRNG_TRY(frng_u8_range(f, 1, 8, &count));
    for (unsigned i = 1; i < count; i++) FRNG_TRY(frng_subset(f, i, &needs[i]));
    for (unsigned i = 0; i < count; i++) order[i] = i;
    FRNG_TRY(swaps ? frng_shuffle(f, order, count, sizeof *order)
                   : frng_permutation(f, count, order));
    *status = 0;
    for (unsigned i = 0; i < count; i++) {
        if ((needs[order[i]] & ~done) != 0) *status = SIGABRT;
        done |= UINT64_C(1) << order[i];
    }
    return true;
}

/* Some of so many items: a 77, and no other one. */
static bool select_one(frng *f, const uint8_t *items, size_t count, int *status) {
    uint64_t some;
    FRNG_TRY(count > 0 && frng_subset(f, count, &some));
    for (size_t i = 0; i < count; i++)
        if (items[i] == 77 && some == UINT64_C(1) << i) *status = SIGABRT;
    return true;
}

/* Items behind coins, and items up to a 0. */
static bool selected(frng *f, int *status) {
    uint8_t items[9];
    size_t count = 0;
    for (bool more; count < sizeof items; count++) {
        FRNG_TRY(frng_bool(f, &more));
        if (!more) break;
        FRNG_TRY(frng_u8(f, &items[count]));
    }
    return select_one(f, items, count, status);
}
static bool selected_to_0(frng *f, int *status) {
    uint8_t items[9];
    size_t count = 0;
    do FRNG_TRY(count < sizeof items && frng_u8(f, &items[count]));
    while (items[count++] != 0);
    return select_one(f, items, count, status);
}

/* A way that draws two numbers, one or none, and a 77. */
static bool draws_less(frng *f, int *status) {
    uint8_t way, x;
    FRNG_TRY(frng_u8_max(f, 2, &way));
    for (; way < 2; way++) FRNG_TRY(frng_u8(f, &x));
    FRNG_TRY(frng_u8(f, &x));
    *status = x == 77 ? SIGABRT : 0;
    return true;
}

/* Counted subsets that are no graph, of 64 and then of ever fewer, and an order of three. */
static bool unordered(frng *f, int *status) {
    static const unsigned sizes[] = {64, 8, 2};
    uint8_t count;
    uint64_t members;
    size_t order[3];
    FRNG_TRY(frng_u8_range(f, 1, 3, &count));
    for (unsigned i = 0; i < count; i++) FRNG_TRY(frng_subset(f, sizes[i], &members));
    FRNG_TRY(frng_permutation(f, 3, order));
    *status = SIGABRT;
    return true;
}

static bool permuted(frng *f, int *status) { return ordered(f, false, status); }
static bool shuffled(frng *f, int *status) { return ordered(f, true, status); }

/* A text, and the place of its last letter, which is not the first. */
static bool a_place(frng *f, int *status) {
    char text[8];
    uint8_t place;
    FRNG_TRY(frng_string(f, FRNG_LOWER, 1, 7, text) && frng_u8_max(f, 7, &place));
    *status = place > 0 && place + (size_t)1 == strlen(text) ? SIGABRT : 0;
    return true;
}

/* A count, then so many items with a 77 or more among them. */
static bool counted(frng *f, int *status) {
    uint8_t count;
    bool has = false;
    FRNG_TRY(frng_u8(f, &count) && draws(f, count, 77, &has));
    *status = has ? SIGABRT : 0;
    return true;
}

static bool until_seven(frng *f, int *status) {
    uint8_t item = 0;
    while (item != 7) FRNG_TRY(frng_u8(f, &item));
    *status = SIGABRT;
    return true;
}

/* Nothing but the letters x, y and z in this order. */
static bool x_y_z(frng *f, int *status) {
    const char *next = "xyz";
    for (size_t left = frng_left(f); left > 0 && *next != '\0'; left--) {
        uint8_t byte;
        FRNG_TRY(frng_u8(f, &byte));
        if (byte == *next) next++;
    }
    *status = *next == '\0' ? SIGABRT : 0;
    return true;
}

/* Something is assigned, and a statement ends. */
static bool assignment(frng *f, int *status) {
    uint8_t byte = 0, before = 0;
    bool assigns = false;
    for (size_t left = frng_left(f); left > 0; left--, before = byte) {
        FRNG_TRY(frng_u8(f, &byte));
        if (assigns && byte == ';') *status = SIGABRT;
        assigns |= before == '=' && byte != ';';
    }
    return true;
}

/* Records of a length and as many bytes, which add up to more than 300. */
static bool heavy_records(frng *f, int *status) {
    unsigned sum = 0;
    while (frng_left(f) > 0) {
        uint8_t count, item;
        FRNG_TRY(frng_u8(f, &count));
        for (; count > 0; count--) {
            FRNG_TRY(frng_u8(f, &item));
            sum += item;
        }
    }
    *status = sum > 300 ? SIGABRT : 0;
    return true;
}

/* A step for each count that is not 0, which draws so many items, a 77 or more among them. */
static bool stepped(frng *f, int *status) {
    bool has = false;
    for (uint8_t count;;) {
        FRNG_TRY(frng_u8(f, &count));
        if (count == 0) break;
        frng_step(f, "step");
        FRNG_TRY(draws(f, count, 77, &has));
    }
    *status = has ? SIGABRT : 0;
    return true;
}

static bool a_fraction(frng *f, int *status) {
    double value;
    FRNG_TRY(frng_f64_any(f, &value));
    *status = value > 2.25 && value < 1000 ? SIGABRT : 0;
    return true;
}

static bool far_from_0(frng *f, int *status) {
    double value;
    FRNG_TRY(frng_f64_any(f, &value));
    *status = value < -2.25 || value > 2.25 ? SIGABRT : 0;
    return true;
}

static bool a_leap_day(frng *f, int *status) {
    int year, month, day;
    FRNG_TRY(frng_date(f, &year, &month, &day));
    *status = month == 2 && day == 29 ? SIGABRT : 0;
    return true;
}

/* The 15th of a month from 2001 on. */
static bool a_fifteenth(frng *f, int *status) {
    int year, month, day;
    FRNG_TRY(frng_date_range(f, 0, frng_day(2040, 1, 1), &year, &month, &day));
    *status = day == 15 && year > 2000 ? SIGABRT : 0;
    return true;
}

static bool a_first_of_march(frng *f, int *status) {
    int year, month, day;
    FRNG_TRY(frng_date_range(f, frng_day(1990, 1, 1), frng_day(2089, 12, 31), &year, &month, &day));
    *status = month == 3 && day == 1 && year >= 1999 ? SIGABRT : 0;
    return true;
}

/* Nine days from a first of February on. */
static bool an_interval(frng *f, int *status) {
    const uint64_t first = frng_day(1990, 1, 1), last = frng_day(2029, 12, 31);
    int from[3], to[3];
    FRNG_TRY(frng_date_range(f, first, last, &from[0], &from[1], &from[2]));
    FRNG_TRY(frng_date_range(f, first, last, &to[0], &to[1], &to[2]));
    const uint64_t day = frng_day(from[0], from[1], from[2]);
    const bool is_it = from[1] == 2 && from[2] == 1 && frng_day(to[0], to[1], to[2]) == day + 9;
    *status = is_it ? SIGABRT : 0;
    return true;
}

/* Three whole months, up to a 28th. */
static bool whole_months(frng *f, int *status) {
    int from[3], to[3];
    FRNG_TRY(frng_date_range(f, frng_day(2019, 1, 1), frng_day(2029, 12, 31), &from[0], &from[1],
                             &from[2]));
    const uint64_t first = frng_day(from[0], from[1], from[2]);
    FRNG_TRY(frng_date_range(f, first, frng_day(2031, 12, 31), &to[0], &to[1], &to[2]));
    const int months = 12 * (to[0] - from[0]) + to[1] - from[1] + (from[2] == 1);
    *status = months == 3 && to[2] == 28 ? SIGABRT : 0;
    return true;
}

static bool a_stay(frng *f, int *status) {
    int year, month, day;
    uint8_t nights;
    FRNG_TRY(frng_date_range(f, 0, 255, &year, &month, &day) && frng_u8(f, &nights));
    *status = frng_day(year, month, day) + nights == 200 ? SIGABRT : 0;
    return true;
}

static bool a_named_two(frng *f, int *status) {
    uint8_t numbers[4];
    size_t name;
    for (size_t i = 0; i < 4; i++) FRNG_TRY(frng_u8_max(f, 15, &numbers[i]));
    FRNG_TRY(frng_pick(f, 4, &name));
    *status = numbers[name] == 2 ? SIGABRT : 0;
    return true;
}

static bool named_from_the_last(frng *f, int *status) {
    uint8_t numbers[3], way;
    size_t back, sum = 0;
    for (size_t i = 0; i < 3; sum += numbers[i++])
        FRNG_TRY(frng_u8_max(f, 1, &way) && frng_u8_max(f, 15, &numbers[i]));
    FRNG_TRY(frng_pick(f, 3, &back));
    *status = numbers[2 - back] == 2 && sum == 5 ? SIGABRT : 0;
    return true;
}

/* 1 turns on or off, 2 is seen, 0 ends it while it is off. */
static bool seen_and_off(frng *f, int *status) {
    bool is_on = false, is_seen = false;
    uint8_t way;
    do {
        FRNG_TRY(frng_u8_max(f, 2, &way));
        is_on ^= way == 1, is_seen |= way == 2;
    } while (way > 0);
    *status = is_seen && !is_on ? SIGABRT : 0;
    return true;
}

static bool two_of_two_subsets(frng *f, int *status) {
    uint64_t first, second;
    FRNG_TRY(frng_subset(f, 2, &first) && frng_subset(f, 2, &second));
    *status = (first | second) == 3 && second > 1 ? SIGABRT : 0;
    return true;
}

static bool two_of_eight(frng *f, int *status) {
    uint64_t mask;
    FRNG_TRY(frng_subset(f, 8, &mask));
    *status = (mask & 0x24) == 0x24 ? SIGABRT : 0;
    return true;
}

/* Some of three members, each with a number, the last of which is 77 or more. */
static bool numbered_members(frng *f, int *status) {
    uint64_t members;
    uint8_t number = 0;
    FRNG_TRY(frng_subset(f, 3, &members));
    for (; members > 0; members &= members - 1) FRNG_TRY(frng_u8(f, &number));
    *status = number >= 77 ? SIGABRT : 0;
    return true;
}

/* A number of 0..2, and the only member of a set of one. */
static bool one_of_eight(frng *f, int *status) {
    uint64_t set;
    size_t other, only;
    FRNG_TRY(frng_subset(f, 8, &set) && frng_pick(f, 9, &other) && frng_pick(f, 8, &only));
    *status = set == UINT64_C(1) << only && other == 5 ? SIGABRT : 0;
    return true;
}

static bool draw_names(frng *f, size_t count, char names[][3]) {
    for (size_t i = 0; i < count; i++) FRNG_TRY(frng_string(f, "ab", 1, 2, names[i]));
    return true;
}

static bool two_equal_names(frng *f, int *status) {
    char names[2][3];
    FRNG_TRY(draw_names(f, 2, names));
    *status = strcmp(names[0], names[1]) == 0 && strcmp(names[0], "a") != 0 ? SIGABRT : 0;
    return true;
}

/* A counted list of numbers, each with one of 0..2, which add up to 2. */
static bool two_in_all(frng *f, int *status) {
    uint8_t count, number, more, sum = 0;
    FRNG_TRY(frng_u8_max(f, 8, &count));
    for (unsigned i = 0; i < count; i++) {
        FRNG_TRY(frng_u8(f, &number) && frng_u8_max(f, 2, &more));
        sum = (uint8_t)(sum + more);
    }
    *status = sum == 2 ? SIGABRT : 0;
    return true;
}

static bool not_a(frng *f, int *status) {
    char name[4];
    FRNG_TRY(frng_string(f, "ab", 1, 3, name));
    *status = strcmp(name, "a") != 0 ? SIGABRT : 0;
    return true;
}

/* Two doubles, the second of which is lower. */
/* What fails on both sides of 0: a number of a type, one of a range that ends sooner on one side,
 * and two that are equal and even. */
static bool both_sides(frng *f, int *status) {
    int8_t x;
    FRNG_TRY(frng_i8(f, &x));
    *status = x <= -20 || x >= 30 ? SIGABRT : 0;
    return true;
}

static bool both_sides_of_a_range(frng *f, int *status) {
    int8_t x;
    FRNG_TRY(frng_i8_range(f, -100, 20, &x));
    *status = x <= -60 || x >= 10 ? SIGABRT : 0;
    return true;
}

static bool alike_on_both_sides(frng *f, int *status) {
    int8_t x, y;
    FRNG_TRY(frng_i8(f, &x) && frng_i8(f, &y));
    *status = x == y && x % 2 == 0 && (x <= -20 || x >= 20) ? SIGABRT : 0;
    return true;
}

static bool falls(frng *f, int *status) {
    double first, second;
    FRNG_TRY(frng_f64_any(f, &first) && frng_f64_any(f, &second));
    *status = second < first ? SIGABRT : 0;
    return true;
}

static bool another_name(frng *f, int *status) {
    char names[3][3];
    FRNG_TRY(draw_names(f, 3, names));
    const bool is_first = strcmp(names[0], names[1]) == 0;
    *status = is_first && strcmp(names[0], names[2]) != 0 ? SIGABRT : 0;
    return true;
}

/* Two of 4 numbers as items 0 and 1, and then which of them is larger. */
static bool a_larger_item(frng *f, int *status) {
    size_t items[2], larger;
    for (size_t i = 0, what; i < 2; i++) {
        FRNG_TRY(frng_pick(f, 3, &what) && what == 1 && frng_pick(f, 4, &items[i]));
    }
    FRNG_TRY(frng_pick(f, 2, &larger));
    *status = items[larger] == 3 && items[1 - larger] == 1 ? SIGABRT : 0;
    return true;
}

/* An order of 4 in which 0 is before 2, and 1 behind. */
static bool an_order(frng *f, int *status) {
    size_t order[4], places[4];
    FRNG_TRY(frng_permutation(f, 4, order));
    for (size_t i = 0; i < 4; i++) places[order[i]] = i;
    *status = places[0] < places[2] && places[1] > places[2] ? SIGABRT : 0;
    return true;
}

/* Rounds of a number, or of the number before it. */
static bool a_repeated_round(frng *f, int *status) {
    uint8_t x[3] = {0};
    for (size_t i = 0; i < 3; i++) {
        bool again;
        size_t at;
        FRNG_TRY(frng_bool(f, &again));
        if (again)
            FRNG_TRY(frng_pick(f, 3, &at));
        else
            FRNG_TRY(frng_u8(f, &x[i]));
        if (again && i > 0) x[i] = x[i - 1];
    }
    *status = x[0] == 7 && x[1] == 7 && x[2] > 0 ? SIGABRT : 0;
    return true;
}

/* Names of 0..1 that differ, and another number. */
static bool names_of_a_bound(frng *f, int *status) {
    size_t x, a, b;
    FRNG_TRY(frng_pick(f, 3, &x) && frng_pick(f, 2, &a) && frng_pick(f, 2, &b));
    *status = x == 1 && a != b ? SIGABRT : 0;
    return true;
}

/* A number, and two others of one bound that are equal. */
static bool equal_of_a_bound(frng *f, int *status) {
    size_t x, a, b;
    FRNG_TRY(frng_pick(f, 5, &x) && frng_pick(f, 3, &a) && frng_pick(f, 3, &b));
    *status = x == 2 && a == b ? SIGABRT : 0;
    return true;
}

/* Two names of a letter that differ. */
static bool two_letters(frng *f, int *status) {
    char names[2][3];
    FRNG_TRY(draw_names(f, 2, names));
    const bool differ = names[0][0] != names[1][0];
    *status = differ && names[0][1] + names[1][1] == 0 ? SIGABRT : 0;
    return true;
}

static bool two_equal_letters(frng *f, int *status) {
    char text[3];
    FRNG_TRY(frng_string(f, "abcd", 2, 2, text));
    *status = text[0] == text[1] ? SIGABRT : 0;
    return true;
}

static bool three_equal_letters(frng *f, int *status) {
    char text[9];
    FRNG_TRY(frng_string(f, "abc", 0, 8, text));
    for (size_t i = 0; i + 2 < strlen(text); i++) {
        if (text[i] == text[i + 1] && text[i] == text[i + 2]) *status = SIGABRT;
    }
    return true;
}

/* Two operations, of which only the first of all kinds has an operand: 0 or 1, and 2. */
static bool two_operations(frng *f, int *status) {
    uint8_t first, second, operand;
    FRNG_TRY(frng_u8_max(f, 15, &first));
    if (first == 0) FRNG_TRY(frng_u8(f, &operand));
    FRNG_TRY(frng_u8_max(f, 15, &second));
    *status = first <= 1 && second == 2 ? SIGABRT : 0;
    return true;
}

/* A counted list of items of three numbers, of which one begins with 77 or more. */
static bool threes(frng *f, int *status) {
    uint8_t count, first, second, third;
    FRNG_TRY(frng_u8_max(f, 15, &count));
    for (unsigned i = 0; i < count; i++) {
        FRNG_TRY(frng_u8(f, &first) && frng_u8_max(f, 15, &second) && frng_u8_max(f, 7, &third));
        if (first >= 77) *status = SIGABRT;
    }
    return true;
}

/* Two numbers or none, and a 2. */
static bool a_choice(frng *f, int *status) {
    bool has;
    uint8_t first, second, last;
    FRNG_TRY(frng_bool(f, &has));
    if (has) FRNG_TRY(frng_u8(f, &first) && frng_u8(f, &second));
    FRNG_TRY(frng_u8_max(f, 15, &last));
    *status = last == 2 ? SIGABRT : 0;
    return true;
}

/* Two lists of the same length that end with 77. */
static bool alike_lists(frng *f, int *status) {
    uint8_t first, second, item = 0;
    FRNG_TRY(frng_u8(f, &first));
    for (unsigned i = 0; i < first; i++) FRNG_TRY(frng_u8(f, &item));
    const bool ends = item == 77;
    FRNG_TRY(frng_u8(f, &second));
    for (unsigned i = 0; i < second; i++) FRNG_TRY(frng_u8(f, &item));
    *status = ends && item == 77 && first == second ? SIGABRT : 0;
    return true;
}

/* The first ones are of programs that tell no draws. */
enum { SILENT = 93 };
#define ZEROS "\0\0\0\0\0\0\0\0\0\0\0\0"
#define QS "QQQQQQQQQQQQQQQQ"
#define EIGHTY_ONES "81 81 81 81 81 81 81 81 81 81 81 81 81 81 81 81"
#define ZEROS_6 "\0\0\0\0\0\0"
#define ZEROS_64 ZEROS ZEROS ZEROS ZEROS ZEROS "\0\0\0\0"
#define ICONS "\0\0\1\0\2\0" ZEROS "\x26\0\0\0" ZEROS "\x27\0\0\0qxyz"
#define WASM "\0asm\1\0\0\0"
#define CLASS "\xca\xfe\xba\xbe\0\0\0\x34\0"
#define ZEROS_12 "0 0 0 0 0 0 0 0 0 0 0 0 "
static const sample samples[] = {
    {&pass_hoist, x_y_z, "(a(b[(x,y,z)]c)d(e))", 20, "(x,y,z)", 7},
    {&pass_unwrap, x_y_z, "<a b='>'><c>xyz<c/></c>", 23, "<a b='>'>xyz<c/>", 6},
    {&pass_unwrap, x_y_z, "for\n if\n  x\n else\n  yz", 22, "x\nyz", 8},
    {&pass_columns, x_y_z, "a,x,b\nc,y,d\ne,z,f", 17, "x\ny\nz", 8},
    {&pass_columns, x_y_z, "({a,x},{b,y},[\",\",z])", 20, "({x},{y},[z]", 7},
    {&pass_words, x_y_z, "axa b axa y bz zy", 17, "x b x y bz zy", 9},
    ROW(&pass_inline, x_y_z, "x;enum{L=y,M}t[L]z", 18, "x;enum{M}t[y]z", 6),
    ROW(&pass_inline, x_y_z, "enum{L=y}x;y;t[L]z", 18, "x;y;t[y]z", 6),
    ROW(&pass_inline, x_y_z, "#define L y\nx;y;t[L]z", 21, "x;y;t[y]z", 6),
    ROW(&pass_inline, x_y_z, "x;t=\"y;\";[t]z", 13, "x;[\"y;\"]z", 6),
    ROW(&pass_inline, x_y_z, "typedef b[9];b x;yz", 19, "x[9];yz", 6),
    ROW(&pass_inline, x_y_z, "x;struct{q y}o;o.z", 18, "x;q y;z", 6),
    ROW(&pass_inline, x_y_z, "x;struct s{q y;};f(struct s*p){p->z}", 36, "x;f(q y){z}", 6),
    ROW(&pass_inline, x_y_z, "x;typedef struct{q y}e;w(e*e){e->z,e}", 37, "x;w(q y){z,y}", 6),
    {&pass_token_runs, x_y_z, "a+x*b(c)y()z{};", 15, "x(yz;", 16},
    ROW(&pass_chunks, x_y_z, "m\0\2ab!\0\3xyz!\0\1c!", 16, "109 0 3 120 121 122 33", 8),
    ROW(&pass_chunks, x_y_z, "m\2abm\4xyzcm\1d", 13, "109 4 120 121 122 99", 8),
    ROW(&pass_chunks, x_y_z, "\x82\0ab\x83\0xyz\x81\0c", 12, "131 0 120 121 122", 8),
    ROW(&pass_records, x_y_z,
        "ab\0\1\2\3\4\5\6\7\10qab\0\1\2\3\4\5\6\7\10xab\0\1\2\3\4\5\6\7\10q"
        "ab\0\1\2\3\4\5\6\7\10yab\0\1\2\3\4\5\6\7\10qab\0\1\2\3\4\5\6\7\10z",
        72, "97 98 0 1 2 3 4 5 6 7 8 120 97 98 0 1 2 3 4 5 6 7 8 121 97 98 0 1 2 3 4 5 6 7 8 122",
        15),
    ROW(&pass_chunk_halves, x_y_z, "m\0\2ab!\0\3xyz!\0\1c!\0\1d!\0\1e!", 24,
        "109 0 3 120 121 122 33", 9),
    ROW(&pass_members, x_y_z,
        WASM "\1\4\1`\0\0\2\7\1\1a\1b\0\0\3\4\3\0\0x\7\5\1\1y\0\3\n\x0f\3\4\0\20\2\v\2\0\v\5\0\1"
             "Az\v",
        53, "0 97 115 109 1 0 0 0 3 2 1 120 7 5 1 1 121 0 0 10 6 1 4 0 65 122 11", 24),
    ROW(&pass_members, x_y_z, WASM "\7\5\1\1x\0\0\n\x15\2\2\0\v\x10\0\2@Aq\5Ay\vAz\16\1\0\0\v", 38,
        "0 97 115 109 1 0 0 0 7 5 1 1 120 0 0 10 8 1 6 0 65 121 65 122 11", 25),
    ROW(&pass_contents, x_y_z, WASM "\7\x9\1\5xyzab\0\0", 19,
        "0 97 115 109 1 0 0 0 7 7 1 3 120 121 122 0 0", 12),
    ROW(&pass_members, x_y_z, "\x94\1\xa1x\x82\1\2\xa1y\xa1z\3", 12,
        "146 161 120 129 161 121 161 122", 16),
    ROW(&pass_members, x_y_z, "l1:ai5e1:xd1:b1:c1:y1:zee", 25, "l1:xd1:y1:zee", 16),
    ROW(&pass_contents, x_y_z, "\x92\244abxy\xa3zcd", 10, "146 162 120 121 161 122", 17),
    ROW(&pass_contents, x_y_z, "l12:xyabcdefghij2:azi7ee", 24, "l2:xy1:zi7ee", 17),
    ROW(&pass_members, x_y_z, "0\x81\x0c\2\1a0\7\4\3xyz\5\0", 15, "4 3 120 121 122", 11),
    ROW(&pass_members, x_y_z, "\0\0\0\34moov\0\0\0\tfreea\0\0\0\13trakxyz", 28,
        "0 0 0 11 116 114 97 107 120 121 122", 9),
    ROW(&pass_contents, x_y_z, "\n\r\r\n\xc\0\0\0\xc\0\0\0abcd\x14\0\0\0xyzefghi\x14\0\0\0", 32,
        "10 13 13 10 12 0 0 0 12 0 0 0 97 98 99 100 15 0 0 0 120 121 122 15 0 0 0", 12),
    ROW(&pass_contents, x_y_z, "FORM\0\0\0\22AIFFqqqq\0\0\0\5xyzab", 26,
        "70 79 82 77 0 0 0 16 65 73 70 70 113 113 113 113 0 0 0 3 120 121 122 0", 12),
    ROW(&pass_members, x_y_z, CLASS "\4\1\0\1a\1\0\3xyz\7\0\2\0\0\0\3" ZEROS, 38,
        "202 254 186 190 0 0 0 52 0 2 1 0 3 120 121 122 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", 8),
    ROW(&pass_members, x_y_z,
        "qq\r\n" ZEROS ")\3\xda\6qqqqqq\xda\2xyc" ZEROS
        "\0\0\0\0\0\0\0\0Nz\1zr\1\0\0\0NNNNN\0\0\0\0NN",
        71,
        "113 113 13 10 0 0 0 0 0 0 0 0 0 0 0 0 41 2 218 2 120 121 99 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
        "0 0 0 0 0 78 122 1 122 114 0 0 0 0 78 78 78 78 78 0 0 0 0 78 78",
        9),
    ROW(&pass_members, x_y_z,
        "SQLite format 3\0" ZEROS "\0\0\0\13abbbbbxyzccccdddddeeeefffffgggghhh", 66,
        "83 81 76 105 116 101 32 102 111 114 109 97 116 32 51 " ZEROS_12
        "0 0 0 98 98 120 121 122 99",
        12),
    ROW(&pass_members, x_y_z, "OggS\1axOggSbOggScyOggSdOggSez", 29,
        "79 103 103 83 1 97 120 79 103 103 83 99 121 79 103 103 83 101 122", 12),
    ROW(&pass_contents, x_y_z, "ID3\3\0\0\0\0\0\x0fTIT2\0\0\0\5\0\0abxyz", 25,
        "73 68 51 3 0 0 0 0 0 13 84 73 84 50 0 0 0 3 0 0 120 121 122", 15),
    ROW(&pass_contents, x_y_z, "Content-Length: 7\r\n\r\nabxyzcd", 28,
        "67 111 110 116 101 110 116 45 76 101 110 103 116 104 58 32 51 13 10 13 10 120 121 122",
        18),
    ROW(&pass_members, x_y_z, "OFF\n3 2 0\na\nxyz\nb\n2 0 1\n2 1 1\n", 30, "OFF\n1 0 0\nxyz\n", 10),
    ROW(&pass_members, x_y_z, "UNA:+.? 'UNB'UNH+x'Qyz'UNS'UNT+4+'\nUNH'UNT+2'UNZ+2'", 51,
        "UNA:+.? 'UNB'UNH+x'Qyz'UNT+3+'\nUNZ+1'", 9),
    ROW(&pass_members, x_y_z, "ISA~GS~ST~SNxyz~B~SE*4~GE*1~GS~ST~SE*2~ST~SE*2~GE*2~IEA*2~", 58,
        "ISA~GS~ST~SNxyz~SE*3~GE*1~IEA*1~", 10),
    ROW(&pass_members, x_y_z, "*1\r\n$1\r\na\r\n*2\r\n$1\r\nq\r\n$3\r\nxyz\r\n:1\r\n", 35,
        "36 51 13 10 120 121 122 13 10", 12),
    ROW(&pass_members, x_y_z, "@a\nb\n+\nc\n@x\ny\n+\nz\n@d\ne\n+\nf\n", 27, "@x\ny\n+\nz\n", 9),
    ROW(&pass_members, x_y_z, "a:3:{i:0;N;s:1:\"q\";O:1:\"x\":2:{i:0;N;i:1;s:2:\"yz\";}i:2;d:0;}",
        59, "a:1:{s:1:\"q\";O:1:\"x\":2:{i:0;N;i:1;s:2:\"yz\";}}", 9),
    ROW(&pass_members, x_y_z,
        "\xb\0\1\0\0\0\1q\xf\0\2\xc\0\0\0\2\b\0\1qqqq\0\xb\0\1\0\0\0\3xyz\0\2\0\1q\0", 40,
        "15 0 2 12 0 0 0 1 11 0 1 0 0 0 3 120 121 122 0", 14),
    ROW(&pass_members, x_y_z, "Obj\1\2\2q\6xyz\0" QS "\2\4aa" QS "\2\2b" QS, 67,
        "79 98 106 1 2 2 113 6 120 121 122 0 " EIGHTY_ONES, 8),
    ROW(&pass_contents, x_y_z, "Obj\1\4\2q\n_xyz_\2r\4rr\0" QS "\2\4aa" QS, 55,
        "79 98 106 1 4 0 6 120 121 122 0 0 0 " EIGHTY_ONES " 2 0 " EIGHTY_ONES, 22),
    ROW(&pass_members, x_y_z, "\3qqq\3\0\0\0\xc\0\3\0abcxyzdef", 21,
        "3 113 113 113 1 0 0 0 12 0 3 0 120 121 122", 9),
    ROW(&pass_members, x_y_z, "4\na\nxy\nb\nz\n", 11, "2\nxy\nz\n", 13),
    ROW(&pass_members, x_y_z, "2\nq\na\nb\n3\nq\nx\nyz\nb\n", 19, "1\nx\nyz\n", 14),
    ROW(&pass_members, x_y_z, "c q\np cnf 3 4\n1 x\n2\nyz\n3\n", 25, "p cnf 3 2\n1 x\nyz\n", 12),
    ROW(&pass_members, x_y_z, "%%M\n%q\n3 3 3\n1 x\n2\nyz\n", 22, "%%M\n3 3 2\n1 x\nyz\n", 11),
    ROW(&pass_contents, x_y_z,
        "\x1a\x45\xdf\xa3\x80\x42\x86\x81q\x18\x53\x80\x67\1\0\0\0\0\0\0\xb\xec\x82qq\xec\x40\4xyz"
        "c",
        32,
        "26 69 223 163 128 66 134 128 24 83 128 103 1 0 0 0 0 0 0 8 236 128 236 64 3 120 121 122",
        13),
    ROW(&pass_records, x_y_z,
        "G0123456789abcdxG!ab\1cd\2ef\3gh\4ijG\5kl\6mn\7op\16qr#$%GfedcbaXYZqwerty"
        "G&stuvw\17AB~^@|`'Gy-+*/=_:;,.<>()GTSRQPONMLKJIHuvGzlkjihgf[]{}?0w",
        128, "G0123456789abcdxGfedcbaXYZqwertyGzlkjihgf[]{}?0w", 17),
    ROW(&pass_members, x_y_z,
        "TABL\0\0\0\3\0\0\0\14\0\0\0$\0\0\0\2\0\0\0&\0\0\0\3\0\0\0)\0\0\0\1abxyzc", 42,
        "84 65 66 76 0 0 0 1 0 0 0 12 0 0 0 20 0 0 0 3 120 121 122", 10),
    ROW(&pass_members, x_y_z,
        "\0\0\0\34stsz" ZEROS_6 "\0\0\0\0\0\2\0\0\0\1\0\0\0\3\0\0\0\30stco" ZEROS_6
        "\0\2\0\0\0<\0\0\0=\0\0\0\14mdataxyz",
        64, "0 0 0 20 115 116 99 111 0 0 0 0 0 0 0 1 0 0 0 28 0 0 0 11 109 100 97 116 120 121 122",
        14),
    ROW(&pass_members, x_y_z, "Content-Length: 4\n\nqqqq\nContent-Length: 3\n\nxyz\n", 47,
        "Content-Length: 3\n\nxyz\n", 8),
    ROW(&pass_members, x_y_z, "PUT\r\n\r\n1\r\na\r\n2\r\nbc\r\n3\r\nxyz\r\n0\r\n\r\n", 33,
        "80 85 84 13 10 13 10 51 13 10 120 121 122 13 10", 11),
    ROW(&pass_members, x_y_z, "1:a,3:xyz,1:b,1:c,", 18, "3:xyz,", 9),
    ROW(&pass_members, x_y_z, "\203l\0\0\0\2h\2a\1w\1qk\0\3xyzj", 20, "107 0 3 120 121 122", 9),
    ROW(&pass_members, x_y_z, "\n\0\0\1\0\1a\7\t\0\1b\b\0\0\0\2\0\1q\0\3xyz\0", 26,
        "9 0 1 98 8 0 0 0 1 0 3 120 121 122", 12),
    ROW(&pass_members, x_y_z,
        ZEROS_64 ZEROS_64
        "DICM\2\0\0\0LO\1\0a\20\0 \0SQ\0\0\23\0\0\0\376\377\0\340\13\0\0\0\20\0 \0LO\3\0xyz",
        172, "16 0 32 0 83 81 0 0 19 0 0 0 254 255 0 224 11 0 0 0 16 0 32 0 76 79 3 0 120 121 122",
        11),
    ROW(&pass_contents, x_y_z, "0\x81\x09\4\x81\6axybcz", 12, "48 7 4 5 120 121 98 99 122", 17),
    ROW(&pass_bodies, x_y_z, "x\x84\0abcd\x84\0yzef", 13, "120 0 2 121 122", 11),
    ROW(&pass_members, x_y_z,
        "bplist00\xa3\1\2\4Rab\xa1\3SxyzRcd\10\xc\xf\x11\x15" ZEROS_6 "\1\1" ZEROS_6 "\0\5" ZEROS_6
        "\0\0" ZEROS_6 "\0\x18",
        61,
        "98 112 108 105 115 116 48 48 83 120 121 122 8 0 0 0 0 0 0 1 1 0 0 0 0 0 0 0 1 " ZEROS_12
        "0 0 0 12",
        13),
    ROW(&pass_members, x_y_z, ICONS, 42, "0 0 1 0 1 0 " ZEROS_12 "22 0 0 0 120 121 122", 8),
    ROW(&pass_bodies, x_y_z, "x\4\0abcd\4\0yzef", 13, "120 0 0 1 121 122", 13),
    ROW(&pass_body_strides, x_y_z, "x\4\0abcd\4\0yzef", 13, "120 1 0 97 4 0 121 122 101 102", 11),
    {&pass_declare, x_y_z, "define @x{\nb\n}\ndefine q{\ny\n}\ndefine @w{\nz\n}\n", 44,
     "declare @x\ndefine q{\ny\n}\ndefine @w{\nz\n}\n", 8},
    ROW(&pass_export, x_y_z, "define weak @x{\ny\n}\ndefine weak @z{\n}\n", 38,
        "define @x{\ny\n}\ndefine @z{\n}\n", 6),
    ROW(&pass_undefine, x_y_z, "define @x{\n %1 = q\n %2 = y %1\n br label %3\n3:\n z %2\n}\n", 54,
        "define @x{\n %1 = y undef\n z %1\n}\n", 13),
    {&pass_levels, x_y_z, "[[[[[[[[[[[xyz]]]]]]]]]]", 24, "[[xyz]", 10},
    {&pass_frames, x_y_z, "{a:{b:{c:[d,{e:{f:{g:(h)x,(i,y),j},k},z}]}}}}", 45,
     "[[[[{e:[{g:(h)x,(i,y),j}],z}]]]]}", 18},
    {&pass_token_pairs, x_y_z, "a(x;y)z", 7, "axy)z", 8},
    {&pass_byte_runs, x_y_z, "abxcdeyfz", 9, "xeyfz", 17},
    {&pass_units, x_y_z, "a\n(c,d,{x;e},[f,y])\nz", 21, "({x;},[y])\nz", 27},
    {&pass_units, x_y_z, "a\nend;\nf\nx\nEND-F\ny\ng\nbegin\n b\nendg\nz\n", 40, "x\ny\nz\n", 23},
    {&pass_units, x_y_z, "--- q\n+++ q\n@@ -1\n+b\n--- q\n+++ q\n@@ -1\n x\n-y\n@@ -2\n@@ -3\n z\n",
     60, "@@ -1\n x\n-y\n@@ -3\n z\n", 25},
    {&pass_units, x_y_z, "a;\"b\nc\"\n\"x\";\"y\nd\"\ne;f\n\"g\nh\"\"\";z\n", 32, "\"x\";\"y\nz\n",
     23},
    {&pass_units, x_y_z, "a;x\nb;c\ny;d\nz;e\n", 16, "a;x\ny;d\nz;e\n", 14},
    {&pass_units, x_y_z, "{a}\n{x}\n{b}\n{y}\n{z}\n", 20, "{x}\n{y}\n{z}\n", 21},
    {&pass_units, x_y_z, "q:\n r\n x\nfor\n y\ndone\nz\n", 23, "q:\n x\nfor\n y\nz\n", 20},
    ROW(&pass_units, x_y_z,
        "int x;\nint f(a, b)\n{\n  g(\"}\");\n  if (y) {\n    q;\n  }\n}\n\nint z;\n", 63,
        "int x;\nint f()\n{  if (y) {\n}\n\nint z;\n", 20),
    {&pass_units, x_y_z, "<a><b i=\">\"/>x<c></c>y<d><e>z</a>", 33, "<a>xy<d><e>z</a>", 7},
    {&pass_units, x_y_z, "[1, [\"x,]\", 2], {\"a\": \"y\", b}, z,]", 34,
     "[[\"x,]\"], {\"a\": \"y\"}, z,]", 23},
    {&pass_units, x_y_z, "don't (x, can't, (y; a, b), z)", 30, "don't (x, (y; ), z)", 18},
    {&pass_units, x_y_z, "if x\nthen\n  y\n  for d\n    e\n  done\nelse\n  f\nfi\n\nz\n", 50,
     "if x\nthen\n  y\nz\n", 18},
    {&pass_halves, x_y_z, "abcdefghijxyzklmnopqrst", 23, "jxyzklmno", 10},
    {&pass_blocks, x_y_z, "abcxde,yfghijklmnz", 18, "xyz", 27},
    {&pass_terms, x_y_z, "ab x1 (\n+y) \xc3\xa4 z_ c", 19, "x1 (\ny) z_ ", 22},
    {&pass_terms, x_y_z, "f(a[x], \"b)\") + (y g(z))", 24, "([x]) (y (z))", 31},
    {&pass_blanks, x_y_z, "x \n  y  a {\n\n z }", 17, "x \ny a{z}", 7},
    {&pass_folds, x_y_z, "x \n  y  a {\n\n z }", 17, "xy a{z}", 8},
    {&pass_all_units, x_y_z, "a\n(c,d,{x;e},[f,y])\nz", 21, "({x;},[y])\nz", 27},
    {&pass_brackets, x_y_z, "(a)x{bc}(y)z", 12, "120 121 122", 10},
    {&pass_clauses, x_y_z, "x = (b, c), if(y);z", 19, "120 32 44 32 121 59 122", 7},
    {&pass_clauses, assignment, "=f(b, c) + x;", 13, "61 48 59", 7},
    {&pass_bytes, x_y_z, "aaaaaxbbbbybbbbz", 16, "120 121 122", 19},
    {&pass_chunks, heavy_records, {1, 9, 2, 200, 99, 0, 1, 7, 1, 102}, 10, "2 200 99 1 102", 11},
    {&pass_delete, a_large_item, {1, 7, 1, 8, 1, 250, 1, 9, 1, 201, 0}, 11, "1 201 0", 13},
    {&pass_real, a_fraction, {192, 0, 0, 0, 0, 0, 0, 12, 64}, 9, "5", 6},    /* 3.5 to 3 */
    {&pass_real, far_from_0, {192, 0, 0, 0, 0, 0, 0, 8, 192}, 9, "5", 6},    /* -3 to 3 */
    {&pass_date, a_leap_day, {0xb0, 0x16, 0x1d, 0xa6}, 4, "59", 7},          /* 8488 to 2000 */
    {&pass_date, a_first_of_march, {0x5e, 0x14, 0x23, 0x9f}, 4, "3346", 22}, /* 2052 to 1999 */
    {&pass_date, a_fifteenth, {0x69, 0xec, 0x04, 0x5d}, 4, "380", 18},
    {&pass_date_pair, an_interval, {0xba, 0x6b, 0x8e, 0x60, 0xc4, 0xca, 0xb6, 0x60}, 8, "31 40", 9},
    {&pass_date_pair,
     whole_months,
     {0xdb, 0xa2, 0xd2, 0x03, 0x69, 0x95, 0x71, 0x06},
     8,
     "0 86",
     10},
    {&pass_keep_sum, a_stay, {0, 0, 0, 150, 50}, 5, "0 200", 6},
    {&pass_swap_places, a_named_two, {0, 0x20, 0, 0, 64}, 5, "0 0 0 2 3", 9},
    {&pass_subset, two_of_eight, {0xff}, 1, "36", 15},
    {&pass_subset, two_of_two_subsets, {1, 2}, 2, "0 3", 8},
    {&pass_subset, numbered_members, {7, 1, 2, 77}, 4, "4 77", 12},
    {&pass_exchange_bits, one_of_eight, {0x20, 0x90, 0xa0}, 3, "1 5 0", 6},
    {&pass_swap_places, named_from_the_last, {0, 0x20, 0, 0, 0, 0x30, 0xab}, 7, "0 0 0 2 0 3 1", 6},
    {&pass_delete_two, seen_and_off, {0x56, 0xab, 0x56, 1}, 4, "2 0", 8},
    {&pass_delete_place, selected, {1, 3, 1, 5, 1, 77, 0, 4}, 8, "1 77 0 1", 8},
    {&pass_delete_place, selected_to_0, {3, 5, 77, 0, 4}, 5, "77 0 1", 10},
    {&pass_switch, draws_less, {1, 9, 8, 77}, 4, "2 77", 10},
    {&pass_delete_place, needy, {0x60, 0, 2, 4}, 4, "3 1 2", 8, ONE_SITE},
    {&pass_delete_place, permuted, {0x60, 0, 1, 0, 0xc0, 0xab, 0x80}, 7, "2 1 1", 9, ONE_SITE},
    {&pass_delete_place,
     shuffled,
     {0x60, 0, 1, 0, [11] = 0xc0, [19] = 0x56, [27] = 0},
     28,
     "2 1 1",
     8,
     ONE_SITE},
    {&pass_delete_place, unordered, {0xc0, 1, [9] = 1, 1, 0x80, 0x80}, 13, "1 1 0 0", 9, ONE_SITE},
    {&pass_merge, two_in_all, {0x3a, 0, 0x56, 0, 0x56}, 5, "1 0 2", 6},
    {&pass_delete_and_raise, waiting, {22, 52, 77, [9] = 0}, 10, "9 0", 6},
    {&pass_equal_lengths, two_equal_names, {0x80, 0x80, 0, 0x80, 0x80, 0}, 6, "1 0 1 0", 9},
    {&pass_equal_lengths, not_a, {0x60, 0xc0, 1}, 3, "1 0", 6},
    {&pass_stride, both_sides, {30}, 1, "-21", 27},
    {&pass_stride, both_sides_of_a_range, {85}, 1, "12", 26},          /* -60 */
    {&pass_stride, alike_on_both_sides, {0xea, 0xea}, 2, "22 22", 61}, /* -22 */
    {&pass_shift, falls, {0, 2, 0}, 3, "1 0", 6},
    {&pass_exchange_names, another_name, {0xc0, 0, 0xc0, 0, 0x80, 0}, 6, "0 0 0 0 1 0", 6},
    {&pass_exchange_names, two_letters, {0xc0, 0, 0x80, 0}, 4, "0 0 1 0", 6, ONE_SITE},
    {&pass_lower_equal, equal_of_a_bound, {0x67, 0xab, 0xab}, 3, "2 0 0", 8, SITE_OF_EACH},
    {&pass_exchange_names, names_of_a_bound, {0x60, 0x80, 0}, 3, "1 0 1", 9},
    {&pass_zero_alike, three_equal_letters, {255, 255, 255, 1}, 4, "1 1 1 0", 6},
    {&pass_steps, stepped, {1, 5, 2, 6, 77, 3, 1, 2, 3, 1, 9, 0}, 12, "2 6 77 1 9 0", 12},
    {&pass_zero, second_of_three, {9, 120, 200}, 3, "0 120 0", 9},
    {&pass_zero, any_four, {9, 120, 200, 7}, 4, "0 0 0 0", 9},
    {&pass_zero_alike, any_four, {9, 120, 200, 7}, 4, "0 0 0 0", 6},
    {&pass_minimise, second_of_three, {9, 255, 200}, 3, "0 100 0", 23},
    {&pass_lower_and_delete, counted, {6, 1, 77, 3, 4, 5, 77}, 7, "1 77", 10},
    {&pass_lower_and_delete, threes, {0x20, 5, 0, 0, 77, 0, 0}, 7, "1 77 0 0", 6},
    {&pass_lower_and_delete, a_place, {0x40, 0x40, 0x47, 1, 0x40}, 5, "1 3 0 1", 12},
    {&pass_delete_and_lower, coupled, {1, 0, 1, 2, 1, 1, 0}, 7, "1 1 1 0 0", 7},
    {&pass_lower_equal, equal_three, {90, 90, 90}, 3, "17 17 17", 15},
    {&pass_lower_equal, equal_multiples, {48, 48}, 2, "16 16", 11},
    {&pass_lower_equal, two_equal_letters, {0xc0, 0xc0, 0xc0}, 3, "0 0 0", 6},
    {&pass_trade, one_and_ten, {9, 90}, 2, "1 10", 18},
    {&pass_trade, far_apart, {80, [15] = 50}, 16, "30 " ZEROS_12 "0 0 0", 88},
    {&pass_trade, a_multiple, {6, 84}, 2, "2 28", 21},
    {&pass_swap_places, a_larger_item, {0x60, 0xd0, 0x60, 0x50, 0}, 5, "1 1 1 3 1", 6},
    {&pass_swap_places, around_five, {9, 5, 3}, 3, "3 5 9", 6},
    {&pass_order, an_order, {0xd0, 1, 0x90}, 3, "0 1 0", 10},
    {&pass_copy_round, a_repeated_round, {0, 7, 1, 1, 0, 9}, 6, "0 7 0 7 0 9", 6},
    {&pass_swap, sum_of_60, {30, 20, 10}, 3, "10 20 30", 7},
    {&pass_canonical, nine, {255, 0, 0, 254}, 4, "9 99", 6},
    {&pass_lower_difference, neighbours, {201, 200}, 2, "5 4", 12},
    {&pass_keep_sum, sum_of_60, {30, 20, 10}, 3, "0 0 60", 7},
    {&pass_close_gap, three_in_order, {90, 50, 200}, 3, "1 0 2", 15},
    {&pass_equal_lengths, alike_lists, {2, 5, 77, 2, 6, 77}, 6, "1 77 1 77", 9},
    {&pass_stride, three_and_eights, {203}, 1, "107", 30},
    {&pass_stride, of_a_hash, {196}, 1, "13", 18},
    {&pass_exchange_names, a_way, {0x50, 0x90, 0x90, 0x10}, 4, "0 1 1 2", 7},
    {&pass_trade_unequal, with_interest, {110, 121}, 2, "29 31", 30},
    {&pass_trade_unequal, two_that_follow, {30, 60, 5, 40}, 4, "0 90 5 70", 78},
    {&pass_trade, sum_of_60, {30, 20, 10}, 3, "0 0 60", 20},
    {&pass_last_rounds, until_seven, {9, 9, 9, [39] = 7}, 40, "7", 6},
    {&pass_half_rounds,
     until_seven,
     {9, 9, 9, [71] = 7},
     72,
     ZEROS_12 ZEROS_12 "0 0 0 0 0 0 0 0 0 0 0 7",
     6},
    {&pass_merge, sum_of_items, {1, 20, 1, 40, 0}, 5, "1 60 0", 6},
    {&pass_switch, two_operations, {0, 9, 0x20}, 3, "1 2", 6},
    {&pass_switch, a_choice, {1, 9, 8, 0x20}, 4, "0 2", 7},
    {&pass_run_out, any_two_in_order, {1, 0, 7, 7, 7, 7, 7, 7}, 8, "1 0", 12},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

/* ---- Each alone ---- */

/* Two chunks of one byte's length are a layout in a file of 64 bytes and more only by chance. */
TEST(a_few_chunks_of_a_text_are_none) {
    uint8_t bytes[73];
    for (size_t size = 41; size <= sizeof bytes; size += 32) {
        testcase t;
        position p = position_begin(&pass_bodies);
        memset(bytes, 'x', sizeof bytes);
        bytes[1] = bytes[1 + size / 2] = (uint8_t)(size / 2 - 1);
        testcase_init(&t, bytes, size, NULL, 0);
        ck_assert_int_eq(pass_bodies.next(&t, &p), size < 64);
        testcase_finish(&t);
    }
}

static uint32_t site_step;

static void tell_sites(sut *s, candidate_set *given, uint32_t index, outcome *o) {
    (void)s, (void)index, (void)o;
    for (uint32_t i = 0; i < given->record_count; i++) given->records[i].site = 1 + site_step * i;
}

static void run_alone(const sample *s) {
    const pass *const passes[] = {s->pass, NULL};
    reduce_config config = config_of(s->bytes, s->size);
    config.passes = passes;
    memset(&subject, 0, sizeof subject);
    subject.test = s->test;
    subject.is_silent = s < samples + SILENT;
    subject.meddle = s->sites != SITES_UNKNOWN ? tell_sites : NULL;
    site_step = s->sites == SITE_OF_EACH;
    reduce_with(&config, &subject, &nobody, &result);
}

/* The result: of a program that tells no draws the bytes, if they are text, or else all values. */
static const char *shown_result(const sample *s) {
    static char text[sizeof s->bytes + 1];
    const testcase *t = &result.bytes;
    for (size_t i = 0; i < t->size; i++) {
        if (s >= samples + SILENT || (t->bytes[i] != '\n' && !isprint(t->bytes[i])))
            return values_of(t);
    }
    memcpy(text, t->bytes, t->size);
    text[t->size] = '\0';
    return text;
}

TEST_EACH(each_pass_alone_ends_at_its_values, SAMPLES) {
    const sample *s = &samples[_i];
    run_alone(s);
    ck_assert_int_eq(result.stop.end, END_DONE);
    ck_assert(result.found);
    ck_assert_uint_eq(result.statistics_count, 1);
    ck_assert_str_eq(result.statistics[0].name, s->pass->name);
    ck_assert_msg(strcmp(shown_result(s), s->values) == 0 && result.calls == s->calls,
                  "%s: \"%s\" in %d calls", s->pass->name, shown_result(s), (int)result.calls);
    ck_assert_uint_eq(result.calls, subject.calls);
    ck_assert_uint_gt(result.successes, 0);
    ck_assert_uint_eq(result.statistics[0].successes, result.successes);
    ck_assert_uint_eq(result.statistics[0].calls, result.calls - 5);
    ck_assert_uint_eq(result.statistics[0].bytes, s->size - result.bytes.size);
    reduce_finish(&result);
}

/* The first 600 bytes of `a_binary_file_loses_its_end_first`, but for 8. */
static bool a_beginning(frng *f, int *status) {
    uint8_t byte;
    for (unsigned i = 0; i < 600; i++) {
        FRNG_TRY(frng_u8(f, &byte));
        if (i >= 8 && byte != (uint8_t)(i * i / 7)) return true;
    }
    *status = SIGABRT;
    return true;
}

/* A chunk after a head of 4 bytes, of 20 or more frames of 4 bytes, and nothing else. */
static bool whole_frames(frng *f, int *status) {
    uint32_t head, size;
    FRNG_TRY(frng_u32(f, &head) && frng_u32(f, &size));
    *status = size == frng_left(f) && size >= 80 && size % 4 == 0 ? SIGABRT : 0;
    return true;
}

/* A row of 800 records of a length and a byte, of which the first and the last 200 stay. */
enum { RECORD = 5, STAY = 200 * RECORD, RECORDS_SIZE = 4 * STAY };

static uint8_t record_byte(size_t at) {
    return at % RECORD == 0 ? 1 : at % RECORD == 4 ? (uint8_t)(128 + at * at / 7 % 128) : 0;
}

static bool has_both_ends(frng *f, int *status) {
    uint8_t byte;
    const size_t size = frng_left(f);
    for (size_t i = 0; i < size; i++) {
        FRNG_TRY(frng_u8(f, &byte));
        if ((i < STAY && byte != record_byte(i)) ||
            (size - i <= STAY && byte != record_byte(RECORDS_SIZE - (size - i))))
            return true;
    }
    *status = size >= 2 * STAY ? SIGABRT : 0;
    return true;
}

/* A guess that gains nothing lets other passes go first. */
TEST(chunks_that_stay_let_blocks_go_first) {
    static uint8_t bytes[RECORDS_SIZE];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = record_byte(i);
    reduce_config config = config_of(bytes, sizeof bytes);
    config.is_file = true;
    config.calls_max = 200;
    memset(&subject, 0, sizeof subject);
    subject.test = has_both_ends;
    subject.is_silent = true;
    reduce_with(&config, &subject, &nobody, &result);
    ck_assert(result.found && result.bytes.size < sizeof bytes * 3 / 4);
    reduce_finish(&result);
}

/* Of a file the end goes first, then rows of its bodies, all before any value changes. */
static const struct {
    sut_test *test;
    uint8_t begins[8];
    size_t size, least;
} binaries[] = {{a_beginning, {0}, 8192, 616}, {whole_frames, {[4] = 0xfc, [5] = 0x1f}, 8196, 104}};

TEST_EACH(a_binary_file_loses_its_end_first, sizeof binaries / sizeof *binaries) {
    static uint8_t bytes[8196];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * i / 7);
    memcpy(bytes, binaries[_i].begins, sizeof binaries[_i].begins);
    reduce_config config = config_of(bytes, binaries[_i].size);
    config.is_file = true;
    config.calls_max = 100;
    memset(&subject, 0, sizeof subject);
    subject.test = binaries[_i].test;
    subject.is_silent = true;
    reduce_with(&config, &subject, &nobody, &result);
    ck_assert_uint_le(result.bytes.size, binaries[_i].least);
    reduce_finish(&result);
}

TEST(large_blocks_are_for_large_texts) {
    static uint8_t text[40000];
    for (size_t size = sizeof text; size > 0; size /= 2) {
        testcase t;
        position at = position_begin(&pass_large_blocks);
        testcase_init(&t, text, size, NULL, 0);
        ck_assert(pass_large_blocks.next(&t, &at) == (size >= 1 << 15));
        testcase_finish(&t);
    }
}

TEST(a_bracket_is_not_closed_beyond_its_reach) {
    static uint8_t text[8193] = "(";
    static patch edits;
    for (size_t size = sizeof text; size + 2 > sizeof text; size--) {
        testcase t;
        position at = {.pass = &pass_brackets, .by = 1};
        text[size - 1] = ')';
        testcase_init(&t, text, size, NULL, 0);
        ck_assert(pass_brackets.edit(&t, &at, &edits) == (size < sizeof text));
        testcase_finish(&t);
    }
}

/* A file of zeros is a row of chunks of each width: each must not cost a look at all others. */
TEST(chunks_of_a_file_of_zeros_are_found_at_once) {
    static uint8_t zeros[60000];
    size_t sites = 0;
    testcase t;
    position at = position_begin(&pass_chunks);
    testcase_init(&t, zeros, sizeof zeros, NULL, 0);
    const clock_t begin = clock(); /* of the processor, not of the day */
    while (pass_chunks.next(&t, &at)) sites++;
    ck_assert_uint_ge(sites, sizeof zeros);
    ck_assert_int_lt((clock() - begin) / CLOCKS_PER_SEC, 4);
    testcase_finish(&t);
}

/* Every pass of the list is here. */
/* One place has several bounds, and one bound several places. */
TEST(draws_are_alike_by_their_sites_or_their_bounds) {
    static const struct {
        uint32_t site, other_site;
        uint8_t kind;
        uint64_t max; /* of the other one, a number of 0..7 */
        bool alike;
    } rows[] = {{1, 1, FRNG_UINT, 9, true},   {1, 2, FRNG_UINT, 7, false},
                {0, 1, FRNG_UINT, 7, true},   {1, 0, FRNG_UINT, 7, true},
                {1, 1, FRNG_INDEX, 7, false}, {0, 0, FRNG_UINT, 7, true}};
    static const uint8_t bytes[2] = {0x81, 0x81};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        frng_trace_record r[2] = {
            {.taken = 1, .kind = rows[i].kind, .width = 1, .site = rows[i].site},
            {.start = 1, .taken = 1, .kind = FRNG_UINT, .width = 1, .site = rows[i].other_site}};
        testcase t;
        r[0].u.draw.max = rows[i].max, r[0].u.draw.value = (rows[i].max + 1) / 2;
        r[1].u.draw.max = 7, r[1].u.draw.value = 4;
        testcase_init(&t, bytes, sizeof bytes, r, 2);
        ck_assert(!t.has_wrong_record);
        ck_assert_msg(same_place(&t.draws[0], &t.draws[1]) == rows[i].alike, "row %zu", i);
        testcase_finish(&t);
    }
}

/* A list has to go on before its first item only. Where its place is known, items change places. */
TEST(items_are_exchanged_where_a_list_must_go_on) {
    static const uint64_t must = 8602517568, may = 12582976; /* 1 to 5 items */
    static const uint8_t bytes[] = {0x40, 5, 0x40, 3, 1};
    for (uint32_t site = 0; site < 2; site++) {
        frng_trace_record r[5] = {{0}};
        testcase t, out = {0};
        static patch edits;
        position at = {.pass = &pass_swap, .other = 2, .way = 1, .by = 1};
        for (uint8_t i = 0; i < 5; i++) {
            r[i] = (frng_trace_record){.start = i, .taken = 1, .width = 1, .site = site};
            r[i].kind = i % 2 == 0 ? FRNG_MORE : FRNG_UINT;
            r[i].u.draw.min = i == 0 ? must : i % 2 == 0 ? may : 0;
            r[i].u.draw.max = i % 2 == 0 ? 1 : UINT8_MAX;
            r[i].u.draw.value = i % 2 == 0 ? i < 4 : bytes[i];
        }
        testcase_init(&t, bytes, sizeof bytes, r, 5);
        ck_assert(!t.has_wrong_record);
        ck_assert(pass_swap.edit(&t, &at, &edits));
        patch_apply(&edits, &t, &out);
        ck_assert_uint_eq(patch_keeps_meaning(&edits, &t), site);
        ck_assert(testcase_compare(&out, &t) < 0);
        ck_assert_uint_eq(out.draws[1].rank, 3);
        patch_clear(&edits);
        testcase_finish(&out);
        testcase_finish(&t);
    }
}

/* A tree of calls: 1 has two children. Each call takes the place of those around it, with what its
 * callers draw behind it or without. 77 is the largest value at the limit of the depth, and an
 * ordinary one above. Calls whose depths are unknown are left alone. */
TEST(a_call_takes_the_place_of_its_callers) {
    static const uint8_t bytes[] = {1, 2, 1, 255, 3, 4}, values[] = {1, 2, 1, 77, 3, 4};
    static const uint16_t depths[] = {1, 2, 2, 3, 3, 1};
    static const char *const wanted[] = {"2", "2 4", "77", "77 4", "3", "1 77 3", "1 2 77 4"};
    char seen[512] = ",";
    for (int known = 0; known < 2; known++) {
        frng_trace_record r[6] = {{0}};
        testcase t, out = {0};
        static patch edits;
        position at = position_begin(&pass_hoist_child);
        for (uint8_t i = 0; i < 6; i++) {
            r[i].start = i, r[i].taken = r[i].width = 1, r[i].kind = FRNG_UINT, r[i].site = 1;
            r[i].u.draw.max = i == 3 ? 77 : UINT8_MAX, r[i].u.draw.value = values[i];
            r[i].depth = known != 0 ? depths[i] : 0;
        }
        testcase_init(&t, bytes, sizeof bytes, r, 6);
        ck_assert(!t.has_wrong_record);
        while (pass_hoist_child.next(&t, &at)) {
            patch_clear(&edits);
            at.by = 1;
            if (!pass_hoist_child.edit(&t, &at, &edits)) continue;
            patch_apply(&edits, &t, &out);
            for (size_t i = 0; i < out.count; i++) {
                ck_assert_uint_eq(out.draws[i].max, UINT8_MAX);
                sprintf(seen + strlen(seen), "%s%u", i > 0 ? " " : "", (unsigned)out.draws[i].rank);
            }
            strcat(seen, ",");
        }
        ck_assert_int_eq(strlen(seen) > 1, known);
        testcase_finish(&out);
        testcase_finish(&t);
    }
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        char whole[32];
        snprintf(whole, sizeof whole, ",%s,", wanted[i]);
        ck_assert_msg(strstr(seen, whole) != NULL, "%s is not in %s", wanted[i], seen);
    }
}

TEST(none_is_left_out) {
    const pass *const *lists[] = {pass_list, pass_list_of_bytes, pass_list_of_text};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        for (const pass *const *p = lists[l]; *p != NULL; p++) {
            bool seen = (*p)->next == NULL;   /* the slot of external passes */
            seen |= *p == &pass_large_blocks; /* `blocks`, but for its least size */
            seen |= *p == &pass_hoist_child;  /* samples have no depths: see above */
            seen |= *p == &pass_places || *p == &pass_numbered; /* reduce.t */
            seen |= *p == &pass_unused;                         /* of large texts: reduce_texts.t */
            seen |= *p == &pass_go_on; /* as others moved: `slope` of test_reduce.c */
            for (size_t k = 0; k < SAMPLES; k++) seen |= samples[k].pass == *p;
            ck_assert_msg(seen, "%s has no test", (*p)->name);
        }
    }
}

/* ---- What each promises, on texts and near-texts; tests/self/reducer.c is on random draws ---- */

static bool is_same(const position *a, const position *b) {
    return a->at == b->at && a->other == b->other && a->way == b->way &&
           memcmp(&a->rows, &b->rows, sizeof a->rows) == 0;
}

/* Sites end, none comes twice in a row, and a copy of a position goes the same way. Every amount
 * can be asked for, and makes a patch that applies. */
static size_t check_sites(const pass *p, const testcase *t, testcase *out) {
    static patch edits;
    size_t sites = 0;
    position now = position_begin(p);
    for (position last = now, copy = now; p->next(t, &now); last = copy = now, sites++) {
        ck_assert(p->next(t, &copy) && is_same(&now, &copy));
        ck_assert(sites == 0 || !is_same(&now, &last));
        ck_assert_uint_lt(sites, 100000);
        const uint64_t limit = pass_limit(t, &now);
        const uint64_t tries[] = {1, limit / 2, limit / 3 + 1, limit - 1, limit};
        for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
            if (tries[i] == 0 || limit == 0) continue;
            patch_clear(&edits);
            now.by = tries[i];
            if (!p->edit(t, &now, &edits)) continue;
            if (t->draws == NULL) {
                out->bytes = realloc(out->bytes, patch_size(&edits, t) + 1);
                patch_write(&edits, t, out->bytes);
            } else {
                patch_apply(&edits, t, out);
            }
        }
    }
    return sites;
}

TEST_EACH(sites_and_amounts_of_texts, SILENT) {
    static const char signs[] = "ab1 \n\n;,{}()[]|&=.#\x01\x02\xc3";
    uint64_t state = 5;
    size_t sites = 0;
    testcase out = {0};
    for (int i = 0; i < 1000 / ROUNDS_STEP || (sites == 0 && i < 1000); i++) {
        testcase t;
        uint8_t bytes[sizeof ICONS] = {0};
        const size_t size = i % 4 == 3 ? sizeof bytes : dice(&state, 25);
        for (size_t k = 0; k < size; k++) bytes[k] = (uint8_t)signs[dice(&state, sizeof signs - 1)];
        if (i % 4 == 0) memset(bytes, '[', size / 2); /* deep nests */
        if (i % 8 == 1) memcpy(bytes, "define @a{\n q\n}\n", smaller(size, 16));
        if (i % 8 == 3) memcpy(bytes, ICONS, sizeof bytes);
        for (size_t k = 0; i % 8 == 7 && k < size; k++) bytes[k] = (uint8_t)(k % 10); /* records */
        if (i % 8 == 2) memcpy(bytes, "T\7\2\1a\3xyzU\3\2qr", smaller(size, 14));
        if (i % 8 == 5)
            memcpy(bytes, (uint8_t[]){0x82, 1, (uint8_t)(0x3d + size)}, smaller(size, 3));
        const bool is_of_units = i % 3 == 1 && pass_takes_units(samples[_i].pass);
        if (is_of_units) t = testcase_of_units(bytes, size, i % 2 > 0 ? 2 : 1, false);
        if (!is_of_units) testcase_init(&t, bytes, size, NULL, 0);
        sites += check_sites(samples[_i].pass, &t, &out);
        testcase_finish(&t);
    }
    ck_assert_uint_gt(sites, 0);
    testcase_finish(&out);
}

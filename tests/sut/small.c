/* small.c: small tests, each the program sut-NAME or NAME, as this one does what the name says by
 * which it is called. Some have variants, which an argument names. SPDX-License-Identifier: MIT */
#include "frng_main.h"
#include "frng_more.h"

#include <time.h>

static const char *way = ""; /* the argument */

static bool is(const char *name) { return strcmp(way, name) == 0; }

/* Keys of 64 bits, of which one comes twice. */
static bool pairs(frng *f) {
    enum { KEYS_MAX = 64 };
    uint64_t keys[KEYS_MAX];
    for (size_t count = 0; count < KEYS_MAX; count++) {
        FRNG_TRY(frng_u64(f, &keys[count]));
        for (size_t i = 0; i < count; i++) FRNG_ASSERT(keys[i] != keys[count], "it is there");
    }
    return true;
}

/* An assertion that does not hold for all values. */
static bool asserts(frng *f) {
    uint32_t sum = 0;
    for (int i = 0; i < 4; i++) {
        uint8_t value;
        frng_note(f, "value");
        FRNG_TRY(frng_u8_range(f, 10, 209, &value));
        sum += value;
    }
    FRNG_ASSERT(sum < 600, "sum %u", (unsigned)sum);
    return true;
}

/* Return whether two values are equal, instead of crashing. The codec loses the highest bit. */
static bool compare(frng *f) {
    uint8_t value;
    FRNG_TRY(frng_u8(f, &value));
    return (value & 0x7f) == value;
}

/* A bug that decisions lead to: pushes and pops on a stack that has room for 8. */
static bool draws(frng *f) {
    for (unsigned depth = 0;;) {
        bool push;
        FRNG_TRY(frng_bool(f, &push));
        if (push && ++depth > 8) abort();
        if (!push && depth > 0) depth--;
    }
}

/* Two sizes, each with a part of it that is used: 300 in all. */
static bool extents(frng *f) {
    unsigned sum = 0;
    for (int i = 0; i < 2; i++) {
        uint8_t size, used;
        FRNG_TRY(frng_u8(f, &size));
        FRNG_TRY(frng_u8_max(f, size, &used));
        sum += used;
    }
    FRNG_ASSERT(sum < 300);
    return true;
}

/* Draw while bytes are left; the numbers add up to 300. */
static bool left(frng *f) {
    unsigned sum = 0;
    while (frng_left(f) >= 2) {
        uint8_t most, number;
        FRNG_TRY(frng_u8(f, &most));
        FRNG_TRY(frng_u8_max(f, most, &number));
        sum += number;
    }
    FRNG_ASSERT(sum < 300);
    return true;
}

/* A count of things, then the references 2 and 1 to them. */
static bool references(frng *f) {
    uint8_t count;
    size_t first, second;
    FRNG_TRY(frng_u8(f, &count));
    if (count == 0) return true;
    FRNG_TRY(frng_pick(f, count, &first));
    FRNG_TRY(frng_pick(f, count, &second));
    FRNG_ASSERT(first != 2 || second != 1);
    return true;
}

/* Rounds until a number ends them, or for long: one drew 77, or nothing ended them. */
static bool runaway(frng *f) {
    enum { ROUNDS = 2000, FOUND = 77, LAST = 255 };
    uint8_t number = 0;
    bool found = false;
    unsigned rounds = 0;
    for (; rounds < ROUNDS && number != LAST; rounds++) {
        uint32_t more;
        FRNG_TRY(frng_u8(f, &number));
        if (number > 0) FRNG_TRY(frng_u32(f, &more));
        found |= number == FOUND;
    }
    FRNG_ASSERT(!found && rounds < ROUNDS);
    return true;
}

/* Every kind of draw and note, then SIGABRT; with an argument it passes. */
static bool shows(frng *f) {
    static const uint32_t weights[] = {1, 0, 3};
    const uint8_t *bytes;
    bool b;
    uint8_t u8;
    uint16_t u16;
    uint64_t u64;
    int8_t i8;
    int32_t i32;
    int64_t i64;
    size_t index;
    double d;
    frng_note(f, "first");
    FRNG_TRY(frng_bytes(f, 3, &bytes));
    FRNG_TRY(frng_bytes(f, 20, &bytes));
    FRNG_TRY(frng_bool(f, &b));
    FRNG_TRY(frng_u8(f, &u8));
    frng_note(f, "\x1b[31mred\x1b]0;t\a\n");
    FRNG_TRY(frng_u16_max(f, 1000, &u16));
    FRNG_TRY(frng_u64_range(f, 1, UINT64_MAX - 1, &u64));
    FRNG_TRY(frng_i8_range(f, -3, 3, &i8));
    FRNG_TRY(frng_i32_range(f, INT32_MIN, INT32_MAX, &i32));
    FRNG_TRY(frng_i64_range(f, -1, 1, &i64));
    frng_note(f, "a name that is far longer than what is copied of it");
    FRNG_TRY(frng_index(f, 10, &index));
    FRNG_TRY(frng_weighted(f, weights, 3, &index));
    FRNG_TRY(frng_f64(f, &d));
    FRNG_TRY(frng_chance(f, 1, 3, &b));
    for (int i = 0; i < 64; i++) FRNG_TRY(frng_u8_max(f, 128, &u8)); /* half of all rejected */
    frng_note(f, "last");
    if (is("")) abort();
    return true;
}

/* ---- drawn: draws of frng_more.h, whose simplest inputs are plain to people ---- */

/* Three equal letters in a row. */
static bool words(frng *f) {
    char text[41];
    frng_note(f, "text");
    FRNG_TRY(frng_string(f, FRNG_PRINTABLE, 0, 40, text));
    for (size_t i = 0; i + 2 < strlen(text); i++) {
        FRNG_ASSERT(text[i] != text[i + 1] || text[i] != text[i + 2], "%s", text);
    }
    return true;
}

static bool doubles(frng *f) {
    double any, in_range;
    FRNG_TRY(frng_f64_any(f, &any) && frng_f64_range(f, -100, 1e6, &in_range));
    if (is("large")) FRNG_ASSERT(!(any > 41.5 && in_range > 2.25));

    if (is("half")) FRNG_ASSERT(!(any > 98 && any < 1e6 && any != (double)(int64_t)any));
    if (is("infinite")) FRNG_ASSERT(!(any > 1.7976931348623157e308));
    return true;
}

/* A list with a large number in it. */
static bool list(frng *f) {
    int32_t item;
    bool more;
    for (size_t n = 0;; n++) {
        FRNG_TRY(frng_more(f, n, 0, 12, &more));
        if (!more) return true;
        frng_step(f, "item");
        FRNG_TRY(frng_i32_mixed(f, -2000000000, 2000000000, &item));
        FRNG_ASSERT(item > -70000, "%d", item);
    }
}

static bool days(frng *f) {
    int year, month, day;
    uint64_t mask;
    FRNG_TRY(frng_date(f, &year, &month, &day) && frng_subset(f, 40, &mask));
    FRNG_ASSERT(day != 29 || (mask & 0x90) != 0x90);
    return true;
}

/* Pairs, as long as there are any. Their sum is checked when there is no entropy left, as whether a
 * cluster makes progress once it is healed. */
static bool healed(frng *f) {
    uint8_t a, b;
    unsigned sum = 0, count = 0;
    while (frng_u8_max(f, 9, &a) && frng_u8_max(f, 9, &b)) {
        if (a == b) continue;
        sum += a;
        count++;
    }
    FRNG_ASSERT(sum < 17, "%u pairs", count);
    return true;
}

/* Two numbers, of which the first is not to be larger, and others. It goes on after its check has
 * failed, as EXPECT_LE of GoogleTest does. */
static bool lenient(frng *f) {
    uint8_t a, b;
    uint64_t other;
    FRNG_TRY(frng_u8(f, &a) && frng_u8(f, &b));
    while (frng_u64(f, &other) && other % 2 > 0) continue;
    FRNG_ASSERT(a <= b);
    return true;
}

static char **arguments; /* ended by NULL */

/* Eight values, none of which is small, or a few, one of which is large: no small change makes one
 * failure of the other. A third one is near the second. A value of 255 in the smallest of the first
 * kind, as an explanation has it, rebuilds the program, if arguments name the new and the old. */
static bool apart(frng *f) {
    bool all_count, is_large = false, is_small = false;
    uint8_t count = 8, value = 0;
    unsigned sum = 0;
    FRNG_TRY(frng_bool(f, &all_count));
    if (!all_count) FRNG_TRY(frng_u8_range(f, 1, 40, &count));
    for (; count > 0; count--) {
        FRNG_TRY(frng_u8(f, &value));
        is_large |= value >= 250;
        is_small |= value < 64;
        sum += value;
    }
    if (all_count && sum == 7 * 64 + 255 && arguments[1] != NULL)
        (void)rename(arguments[1], arguments[2]);
    FRNG_ASSERT(all_count || value != 254);
    FRNG_ASSERT(all_count ? is_small : !is_large);
    return true;
}

/* Operations by weights that are drawn, too: the fourth one after the third and the second. */
static bool weighed(frng *f) {
    uint32_t weights[4];
    size_t what, before[2] = {0, 0};
    FRNG_TRY(frng_swarm(f, weights, 4));
    for (;;) {
        FRNG_TRY(frng_pick_weighted(f, weights, 4, &what));
        FRNG_ASSERT(what != 3 || before[0] != 2 || before[1] != 1);
        before[1] = before[0];
        before[0] = what;
    }
}

static bool drawn(frng *f) {
    if (is("weighed")) return weighed(f);
    if (is("apart")) return apart(f);
    if (is("healed")) return healed(f);
    if (is("lenient")) return lenient(f);
    if (is("words")) return words(f);
    if (is("list")) return list(f);
    return is("days") ? days(f) : doubles(f);
}

/* ---- explained: what its draws mean, tests/cli/test_explain.py says ---- */

static bool fails_with_three(const uint8_t *x) {
    const bool is_sum = x[0] + x[1] + x[2] >= 20;
    return (is("sizes") && x[1] >= 4 && x[1] <= 20) || (is("equal") && x[0] == x[1]) ||
           (is("larger") && x[1] > x[0]) || (is("sum") && is_sum);
}

static bool three(frng *f) {
    static const char *const names[] = {"key", "size", "rest"};
    static const uint8_t most[] = {30, 40, 25};
    uint8_t x[3];
    for (size_t i = 0; i < 3; i++) {
        frng_note(f, names[i]);
        FRNG_TRY(frng_u8_max(f, most[i], &x[i]));
    }
    if (fails_with_three(x)) abort();
    return true;
}

/* A count and as many values: with a larger one entropy runs out. */
static bool counted(frng *f) {
    uint8_t count, x;
    unsigned sum = 0;
    FRNG_TRY(frng_u8_max(f, 6, &count));
    for (unsigned i = 0; i < count; i++) {
        FRNG_TRY(frng_u8_max(f, 3, &x));
        sum += x;
    }
    if (sum >= 5) abort();
    return true;
}

/* Fail with all 256 keys, or with one of two messages at places of their own. */
static bool placed(frng *f) {
    uint8_t x;
    FRNG_TRY(frng_u8(f, &x));
    FRNG_ASSERT(x < 100 || x >= 200, "here");
    FRNG_ASSERT(x < 200, "there");
    return true;
}

static bool every_kind(frng *f) {
    int16_t number;
    bool coin;
    double real;
    char text[5];
    uint32_t wide;
    frng_note(f, "number");
    FRNG_TRY(frng_i16(f, &number));
    frng_note(f, "coin");
    FRNG_TRY(frng_bool(f, &coin));
    frng_note(f, "real");
    FRNG_TRY(frng_f64_range(f, -10, 10, &real));
    frng_note(f, "text");
    FRNG_TRY(frng_string(f, FRNG_LOWER, 2, 4, text));
    frng_note(f, "wide");
    FRNG_TRY(frng_u32(f, &wide));
    if (number <= -300 && coin && real >= 2.5 && text[0] >= 'd') abort();
    return true;
}

/* Fail with any value of the draws whose encodings differ in length. */
static bool lengths(frng *f) {
    uint8_t x;
    uint32_t number;
    int64_t signed_number;
    double real;
    FRNG_TRY(frng_u8(f, &x));
    FRNG_TRY(frng_u32_mixed(f, 0, 100000, &number));
    FRNG_TRY(frng_i64_mixed(f, INT64_MIN, INT64_MAX, &signed_number));
    FRNG_TRY(frng_f64_any(f, &real));
    if (x >= 3) abort();
    return true;
}

/* Fail after more draws than a short explanation has runs for. */
static bool many(frng *f) {
    uint8_t x;
    for (int i = 0; i < 200; i++) FRNG_TRY(frng_u8(f, &x));
    abort();
}

static bool explained(frng *f) {
    if (is("lengths")) return lengths(f);
    if (is("counted")) return counted(f);
    if (is("placed")) return placed(f);
    if (is("many")) return many(f);
    return is("kinds") ? every_kind(f) : three(f);
}

/* ---- claims: between coins it draws a byte, fails if it is 7 modulo 10, and reports the byte as
 * it likes, as a port of frng.h does that is not finished: as a draw of 0..9 with that value, which
 * is false, or as an argument says; with `two`, half of the failures have another signature ---- */

static frng_host *heard_by; /* the driver's ear */

/* Report the byte at `start`, which was just drawn. */
static void claim(frng *f, frng_kind kind, size_t start, size_t width, uint64_t min, uint64_t max,
                  uint64_t value) {
    const uint64_t byte = value;
    const bool is_modulo = is("") || is("modulo") || is("two");
    if (is("silent")) return;
    if (!is("honest")) max = 9, value = is_modulo ? byte % 10 : byte * 10 >> 8;
    if (is("later") && byte < 128) value = byte % 10;
    if (is("unknown")) kind = (frng_kind)200, width = 99;
    if (is("back")) start--;
    heard_by->drawn(f, kind, start, width, min, max, value);
}

static bool draw_claimed(frng *f, uint8_t *byte) {
    static frng_host says;
    frng_host *host = heard_by = f->host;
    if (host != NULL) {
        says = *host;
        if (host->drawn != NULL) says.drawn = claim;
        f->host = &says;
    }
    const bool ok = frng_u8(f, byte);
    f->host = host;
    return ok;
}

static bool claims(frng *f) {
    for (;;) {
        uint8_t byte;
        bool coin;
        FRNG_TRY(frng_bool(f, &coin));
        frng_note(f, "digit");
        FRNG_TRY(draw_claimed(f, &byte));
        if (is("two") && coin && byte % 10 == 7) _exit(3);
        FRNG_ASSERT(byte % 10 != 7);
    }
}

/* ---- labels: labels, measures and what a run draws, in the ways that a search reports ---- */

/* Draw a length and that many items. */
static bool items(frng *f) {
    uint8_t count, item;
    FRNG_TRY(frng_u8(f, &count));
    frng_label(f, count < 128 ? "short" : "long");
    if (count == 7) frng_label(f, "rare");
    for (unsigned i = 0; i < count; i++) {
        FRNG_TRY(frng_u8(f, &item));
        frng_measure(f, "items", i + 1);
        if (item == 7) frng_label(f, "seven");
        if (item == 9 && is("fails")) abort();
        if (item == 9 && is("exits")) exit(0);
    }
    return true;
}

static bool many_labels(frng *f) {
    char name[100];
    uint8_t which;
    FRNG_TRY(frng_u8_max(f, 99, &which));
    snprintf(name, sizeof name, "name %d\033[31m\xff of some length that is beyond what is kept",
             which);
    frng_label(f, name);
    return true;
}

/* Draw this many bytes, one after the other. */
static bool drawing(frng *f, int count) {
    for (int i = 0; i < count; i++) {
        uint8_t byte;
        FRNG_TRY(frng_u8(f, &byte));
    }
    return true;
}

static bool few(frng *f) {
    uint8_t kind;
    FRNG_TRY(frng_u8(f, &kind));
    return kind < 200 || drawing(f, 50);
}

/* Draw bytes again until five of them fit. */
static bool again(frng *f) {
    for (int fitting = 0; fitting < 5;) {
        uint8_t byte;
        FRNG_TRY(frng_u8(f, &byte));
        fitting += byte < 32;
    }
    return true;
}

static bool labels(frng *f) {
    const uint8_t *bytes;
    if (is("nothing")) return true;
    if (is("many")) return many_labels(f);
    if (is("few")) return few(f);
    if (is("hungry")) return frng_bytes(f, 1 << 30, &bytes);
    if (is("forty")) return drawing(f, 40);
    if (is("again")) return again(f);
    if (is("all")) return drawing(f, 1 << 30);
    return items(f);
}

/* ---- several: bugs of different depth in one loop, of which a run shows the first that it meets.
 * `often`: the shallow one ends half of all steps. `hang`: it hangs. `flaky`: one that fails half
 * of the time, and one that always does. `many`: 40 ways to exit. `none`: no bug ---- */

static void shallow(uint8_t op) {
    if (is("hang")) {
        if (op == 7) pause();
        return;
    }
    FRNG_ASSERT(op >= (is("often") ? 128 : 8), "shallow");
}

/* A clock decides: no seed repeats it. */
static void flaky(uint8_t op) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (op < 16 && (now.tv_nsec >> 4) % 2 == 0) _exit(9);
}

static bool several(frng *f) {
    unsigned low = 0, high = 0;
    for (;;) {
        uint8_t op;
        FRNG_TRY(frng_u8(f, &op));
        if (is("none")) continue;
        if (is("many")) _exit(1 + op % 40);
        if (is("flaky")) {
            flaky(op);
        } else {
            shallow(op);
        }
        low = op < 128 ? low + 1 : 0;
        high = op < 128 ? 0 : high + 1;
        if (low == 4) _exit(3);
        FRNG_ASSERT(high < 9, "deep");
    }
}

/* The first byte says how it ends; stdout says what it was given. */
static bool verdict(frng *f) {
    const size_t size = frng_left(f);
    const uint8_t *rest;
    uint8_t how;
    unsigned sum = 0;
    printf("size %zu", size);
    FRNG_TRY(frng_u8(f, &how));
    FRNG_TRY(frng_bytes(f, size - 1, &rest));
    for (size_t i = 0; i < size - 1; i++) sum = (sum * 31 + rest[i]) % 1000003;
    printf(" sum %u", sum);
    FRNG_ASSERT(how != 'a', "as told");
    if (how == 'x') FRNG_TRY(frng_u8(f, &how)); /* one byte too many */
    if (how == 's') exit(7);
    return how != 'f' && (how != 'X' || !frng_u8(f, &how)); /* X: out of entropy, but true */
}

/* ---- obscene N KIB [MS]: takes MS milliseconds a run, and aborts when it has drawn N bytes. It
 * says what no terminal should get: so many KiB on stdout and stderr, without a line end, as the
 * site of an assertion, and as the names of its draws ---- */

static void say_words(const char *said, size_t size) {
    static char block[1024];
    for (size_t i = 0; i < sizeof block; i++) block[i] = said[i % size];
    for (unsigned long i = 0; i < strtoul(arguments[1], NULL, 0); i++) {
        if (write(1 + (int)(i % 2), block, sizeof block) < 0) break;
    }
}

static bool obscene(frng *f) {
    static const char said[] = "text \x1b[31mred\x1b[2J\x1b]0;title\a\x9b"
                               "31m \xff\xfe\x80 \0 \r\b\x85"
                               "\xe2\x80\xae\xc2\x9b\xed\xa0\x80 \xf4\x90\x80\x80 \"\\ \x7f ";
    if (arguments[2] != NULL) usleep((useconds_t)strtoul(arguments[2], NULL, 0) * 1000);
    for (unsigned long i = 0; i < strtoul(arguments[0], NULL, 0); i++) {
        uint8_t byte;
        frng_note(f, said + i % 8);
        FRNG_TRY(frng_u8(f, &byte));
    }
    say_words(said, sizeof said - 1);
    frng_on_assert("obscene\x1b]0;title\a\x9b\n\xff.c:12");
    abort();
}

/* Take 2 ms of CPU time, and draw a little. */
static bool slow(frng *f) {
    const clock_t end = clock() + CLOCKS_PER_SEC / 500;
    while (clock() < end) continue;
    return drawing(f, 20);
}

/* Things of four kinds, and their places in a list: kind 2 must not come to kind 3. */
static bool places(frng *f) {
    enum { THINGS_MAX = 8 };
    size_t kinds[THINGS_MAX], count = 0, what, kind, from, to;
    if (is("slow")) return slow(f);
    for (;;) {
        FRNG_TRY(frng_pick(f, 2, &what));
        if (what == 0 && count < THINGS_MAX) {
            FRNG_TRY(frng_pick(f, 4, &kind));
            kinds[count++] = kind;
        } else if (count > 0) {
            FRNG_TRY(frng_pick(f, count, &from) && frng_pick(f, count, &to));
            FRNG_ASSERT(kinds[from] != 2 || kinds[to] != 3);
        }
    }
}

/* ---- assumes: discards the first so many of 100 values, and in one way fails ---- */

static bool assumes(frng *f) {
    uint8_t x, y;
    FRNG_TRY(frng_u8_max(f, 99, &x));
    frng_label(f, x % 2 == 1 ? "odd" : "even");
    FRNG_TRY(frng_assume(f, x >= atoi(way)));
    FRNG_TRY(frng_u8(f, &y));
    FRNG_ASSERT(y < 200 || !is("60, or fails"));
    return true;
}

/* ---- shapes: one assertion, whose message tells its bugs apart; `few`: the first ones ---- */

__attribute__((format(printf, 1, 2), noreturn)) static void say(const char *format, ...) {
    char why[99];
    va_list all;
    va_start(all, format);
    vsnprintf(why, sizeof why, format, all);
    va_end(all);
    FRNG_ASSERT(false, "%s", why);
    abort();
}

static void assert_at(uint8_t what, uint8_t x, const char *name) {
    const bool is_odd = x % 2 == 1;
    if (what == 10) say("got %d, not %d", x - 128, x);
    if (what == 11) say("lost %s%s", name, is_odd ? "" : " [1, -2.5]");
    if (what == 12) say("%d%% of \"%s\" can't be read", x, name);
    if (what == 13) say("differs: 0x%x, [%d, %d] of %s", x, x, x, is_odd ? "[]" : "{3}");
    FRNG_ASSERT(what != 14, "%s %s", name, is_odd ? "came twice" : "is gone");
    FRNG_ASSERT(what != 15, "'%s' is %d", name, x);
    if (what == 20) say("it is too late");
    if (what == 21) say("it came too early");
    if (what == 22) say("it is an old one");
    if (what == 23) say("it is the last one");
    if (what == 24) say("it was not there");
    if (what == 25) say("of which there are no more");
}

static bool shapes(frng *f) {
    uint8_t what, x;
    char name[9];
    for (;;) {
        FRNG_TRY(frng_u8_max(f, is("few") ? 19 : 29, &what) && frng_u8(f, &x));
        FRNG_TRY(frng_string(f, FRNG_LOWER, 1, 8, name));
        assert_at(what, x, name);
    }
}

/* Two bugs, that in the first draw before that in the second: exit statuses 3 and 4, or 5 and 6. */
static bool two(frng *f) {
    for (int i = 0; i < 2; i++) {
        bool fails;
        FRNG_TRY(frng_bool(f, &fails));
        if (!fails) continue;
        fprintf(stderr, "%s\n", i == 0 ? "first" : "second");
        exit(i + (is("5") ? 5 : 3));
    }
    return true;
}

int main(int argc, char **argv) {
    static const struct small {
        const char *name;
        frng_test test;
    } tests[] = {
        {"assert", asserts},        {"claims", claims},   {"compare", compare},
        {"drawn", drawn},           {"draws", draws},     {"explained", explained},
        {"extents", extents},       {"labels", labels},   {"left", left},
        {"obscene", obscene},       {"pairs", pairs},     {"places", places},
        {"references", references}, {"runaway", runaway}, {"several", several},
        {"shows", shows},           {"verdict", verdict}, {"assumes", assumes},
        {"shapes", shapes},         {"two", two},
    };
    const char *file = strrchr(argv[0], '/'), *name = file != NULL ? file + 1 : argv[0];
    if (strncmp(name, "sut-", 4) == 0) name += 4;
    if (argc > 1) way = argv[1];
    arguments = argv + 1;
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        if (strcmp(tests[i].name, name) == 0) return frng_run(tests[i].test);
    }
    return 64;
}

/* known.c: 32 small tests that a search finds in few runs, in many or never. The guided search was
 * made with tests of these names and difficulties; new.c has others. guided.py builds each alone,
 * -DSELECTED=magic, and compares the tools. "Fresh" are the median runs of a search unguided.
 * SPDX-License-Identifier: MIT */
#include "guided.h"

/* A file begins with a magic word. Fresh: never. */
TEST(magic) {
    DRAW(uint32_t, word, frng_u32, f);
    DRAW(uint32_t, length, frng_u32_max, f, 1000);
    FRNG_ASSERT(word != 0x8badf00d || length < 10, "length %u", length);
    return true;
}

/* A command of six bytes, as they come. Fresh: never. */
TEST(keyword) {
    const uint8_t *command;
    FRNG_TRY(frng_bytes(f, 6, &command));
    DRAW(uint8_t, count, frng_u8_max, f, 20);
    FRNG_ASSERT(memcmp(command, "revoke", 6) != 0 || count == 0);
    return true;
}

static uint32_t crc32_of(const uint8_t *bytes, size_t count) {
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (0xedb88320 & (0 - (crc & 1)));
    }
    return ~crc;
}

/* A chunk of the right CRC, whose kind is unknown. Fresh: never. */
TEST(crc32) {
    const uint8_t *chunk;
    DRAW(uint8_t, count, frng_u8_range, f, 6, 24);
    FRNG_TRY(frng_bytes(f, count, &chunk));
    DRAW(uint32_t, crc, frng_u32, f);
    if (crc32_of(chunk, count) != crc) return true;
    FRNG_ASSERT(chunk[0] < 100 || chunk[0] > 199, "kind %u", chunk[0]);
    return true;
}

/* A lock opens after eight events in their order. Fresh: never. */
TEST(machine) {
    for (unsigned state = 0; state < 8; state++) {
        DRAW(uint8_t, event, frng_u8_max, f, 99);
        GOAL(f, "state", state);
        if (state == 0 && event != 17) return true;
        if (state == 1 && event != 4) return true;
        if (state == 2 && event != 81) return true;
        if (state == 3 && event != 60) return true;
        if (state == 4 && event != 33) return true;
        if (state == 5 && event != 98) return true;
        if (state == 6 && event != 9) return true;
        FRNG_ASSERT(state != 7 || event != 52);
    }
    return true;
}

/* A table of 64 hashed keys looks for a free place 27 steps on. Fresh: millions. */
TEST(table) {
    uint16_t keys[64] = {0};
    for (unsigned count = 0; count < 32; count++) {
        DRAW(uint16_t, key, frng_u16_range, f, 1, UINT16_MAX);
        unsigned at = key * 40503U >> 10 & 63, steps = 0;
        for (; keys[at] != 0 && keys[at] != key; at = (at + 1) & 63) steps++;
        GOAL(f, "steps", steps);
        FRNG_ASSERT(steps < 27);
        keys[at] = key;
    }
    return true;
}

/* Eighty entries are one too many, and one of five operations clears them. Fresh: 42. */
TEST(counter) {
    for (unsigned depth = 0;;) {
        DRAW(uint8_t, operation, frng_u8_max, f, 4);
        depth = operation == 0 ? 0 : depth + 1;
        FRNG_ASSERT(depth < 80, "the stack overflows");
    }
}

/* Two equal words of 64 bits. Fresh: 46. */
TEST(equal64) {
    DRAW(uint64_t, a, frng_u64, f);
    DRAW(uint64_t, b, frng_u64, f);
    FRNG_ASSERT(a != b);
    return true;
}

/* Five conditions within each other. Fresh: never. */
TEST(nested) {
    DRAW(uint8_t, kind, frng_u8, f);
    if (kind != 0x4d) return true;
    DRAW(uint16_t, width, frng_u16_max, f, 4999);
    if (width % 100 != 37) return true;
    DRAW(uint16_t, height, frng_u16_max, f, 4999);
    if (height < 1200 || height > 1230) return true;
    DRAW(uint8_t, planes, frng_u8, f);
    if ((planes & 0xf3) != 0x51) return true;
    DRAW(uint16_t, depth, frng_u16_max, f, 999);
    FRNG_ASSERT(depth < 480 || depth > 485);
    return true;
}

/* Sums and products: a product of a sum of products, with a 0. */
static bool draw_term(frng *f, int depth, int *nested, bool product, int *value) {
    DRAW(uint8_t, what, frng_u8_max, f, depth < 6 ? 5 : 2);
    if (what <= 2) return frng_i32_mixed(f, -9, 9, value);
    const bool multiplies = what == 5;
    int a, b, deeper = *nested + (multiplies != product ? 1 : 0), deepest = deeper;
    FRNG_TRY(draw_term(f, depth + 1, &deeper, multiplies, &a));
    FRNG_TRY(draw_term(f, depth + 1, &deepest, multiplies, &b));
    *nested = deeper > deepest ? deeper : deepest;
    *value = multiplies ? a * b : a + b;
    FRNG_ASSERT(*nested < 6 || *value != 0, "simplified to nothing");
    return true;
}

/* A term that alternates six times and is 0. Fresh: 893. */
TEST(grammar) {
    int nested = 0, value;
    return draw_term(f, 0, &nested, false, &value);
}

/* A robot between walls; one step aside of the path is one back home. Fresh: never. */
TEST(walk) {
    static const char rows[9][10] = {"..#......", "#.#.####.", "..#.#....",
                                     ".##.#.###", "....#...#", ".####.#..",
                                     "......##.", ".###.#...", "...#.#.#."};
    int x = 0, y = 0;
    for (int steps = 0; steps < 1000; steps++) {
        DRAW(uint8_t, way, frng_u8_max, f, 3);
        const int to_x = x + (way == 0) - (way == 1), to_y = y + (way == 2) - (way == 3);
        const bool is_in = to_x >= 0 && to_x < 9 && to_y >= 0 && to_y < 9;
        if (is_in && rows[to_y][to_x] == '#') return true;
        if (is_in) x = to_x, y = to_y;
        GOAL(f, "way to the corner", (uint64_t)(x + y));
        FRNG_ASSERT(x != 8 || y != 8, "the robot is out after %d steps", steps);
    }
    return true;
}

/* The absolute value of the least number. Fresh: 72. */
TEST(edge) {
    DRAW(int32_t, x, frng_i32, f);
    FRNG_ASSERT((x < 0 ? 0 - (uint32_t)x : (uint32_t)x) <= INT32_MAX);
    return true;
}

/* The mean of two numbers. Fresh: 20. */
TEST(overflow) {
    DRAW(uint32_t, a, frng_u32_max, f, INT32_MAX);
    DRAW(uint32_t, b, frng_u32_max, f, INT32_MAX);
    FRNG_ASSERT(a < 0x7c000000 || (int64_t)a + b <= INT32_MAX);
    return true;
}

/* A key that is put twice, and deleted once. Fresh: 218. */
TEST(dupkey) {
    uint16_t keys[32];
    for (unsigned count = 0, steps = 0; steps < 32; steps++) {
        unsigned same = 0;
        DRAW(bool, deletes, frng_bool, f);
        DRAW(uint16_t, key, frng_u16, f);
        for (unsigned i = 0; i < count; i++) same += keys[i] == key;
        FRNG_ASSERT(!deletes || same != 2 || count < 18, "one key is left");
        if (!deletes) keys[count++] = key;
    }
    return true;
}

/* Parts that fill 1,000 bytes to the last. Fresh: 146. */
TEST(sum) {
    uint32_t sum = 0;
    for (int parts = 0; parts < 12; parts++) {
        DRAW(uint8_t, part, frng_u8_range, f, 1, 200);
        sum += part;
        FRNG_ASSERT(sum != 1000 || parts < 9, "no room for the end");
    }
    return true;
}

static bool accept(const char **at, const char *word) {
    const size_t length = strlen(word);
    for (size_t i = 0; i < length; i++)
        if ((*at)[i] != word[i]) return false;
    *at += length;
    return true;
}

/* Return whether there is a value at *at, and go behind it; `kinds` gets what it has. */
static bool parse_value(const char **at, unsigned *kinds) {
    if (accept(at, "true")) return *kinds |= 1, true;
    if (accept(at, "null")) return *kinds |= 2, true;
    if (!accept(at, "[")) return false;
    do {
        if (!parse_value(at, kinds)) return false;
    } while (accept(at, ","));
    return accept(at, "]");
}

/* A list of text with both words. Fresh: never. */
TEST(parser) {
    char text[25] = "";
    const char *at = text;
    unsigned kinds = 0;
    for (int i = 0; i < 24; i++) FRNG_TRY(frng_u8_range(f, ' ', '~', (uint8_t *)&text[i]));
    if (parse_value(&at, &kinds)) FRNG_ASSERT(kinds != 3, "%s", text);
    return true;
}

/* A power of two above 2^32. Fresh: 112. */
TEST(pow2) {
    DRAW(uint64_t, size, frng_u64, f);
    FRNG_ASSERT(size <= UINT32_MAX || (size & (size - 1)) != 0);
    return true;
}

/* Count times size, in 32 bits, is less than the count. Fresh: 12. */
TEST(sizeovf) {
    DRAW(uint32_t, count, frng_u32, f);
    DRAW(uint32_t, size, frng_u32_range, f, 1, UINT32_MAX);
    FRNG_ASSERT(count * size >= count || count < UINT32_MAX / 16 * 14);
    return true;
}

/* An appointment that begins when the one before ends, at midnight. Fresh: 483. */
TEST(times) {
    for (unsigned last = 0, count = 0; count < 6; count++) {
        DRAW(uint16_t, start, frng_u16_max, f, 1439);
        DRAW(uint16_t, length, frng_u16_range, f, 1, 240);
        FRNG_ASSERT(start != 0 || last != 1440);
        last = start + length;
    }
    return true;
}

/* The empty key is put, and deleted from a map of seven others. Fresh: 1,540. */
TEST(emptykey) {
    char keys[8][9], key[9];
    for (unsigned count = 0, steps = 0; steps < 12; steps++) {
        unsigned at = 0;
        DRAW(bool, deletes, frng_bool, f);
        FRNG_TRY(frng_string(f, FRNG_LOWER, 0, 8, key));
        while (at < count && strcmp(keys[at], key) != 0) at++;
        FRNG_ASSERT(!deletes || at == count || key[0] != '\0' || count < 8);
        if (deletes && at < count) strcpy(keys[at], keys[--count]);
        if (!deletes && at == count && count < 8) strcpy(keys[count++], key);
    }
    return true;
}

/* A number that is not equal to itself. Fresh: 90. */
TEST(nan) {
    DRAW(double, a, frng_f64_any, f);
    DRAW(double, b, frng_f64_any, f);
    FRNG_ASSERT(a < b || a == b || a > b || a < 1e9);
    return true;
}

/* The last sixteen code points of UTF-16. Fresh: millions. */
TEST(surrogate) {
    uint16_t before = 0;
    for (int count = 0; count < 32; count++) {
        DRAW(uint16_t, unit, frng_u16_range, f, 0x20, 0xffff);
        if ((before & 0xfc00) == 0xd800 && (unit & 0xfc00) == 0xdc00) {
            const uint32_t point = 0x10000 + ((before & 0x3ffU) << 10) + (unit & 0x3ffU);
            FRNG_ASSERT(point < 0x10fff0);
        }
        before = unit;
    }
    return true;
}

/* The least number of a list comes last. Fresh: 30. */
TEST(least) {
    int32_t least = INT32_MAX;
    for (unsigned count = 0;; count++) {
        DRAW(bool, more, frng_more, f, count, 0, 30);
        if (!more) break;
        DRAW(int32_t, x, frng_i32, f);
        FRNG_ASSERT(count < 12 || x >= least, "the least comes as number %u", count);
        if (x < least) least = x;
    }
    return true;
}

/* Addresses of a page each. Fresh: 24. */
TEST(lowbits) {
    uint32_t all = 0, address[16];
    for (int i = 0; i < 16; i++) FRNG_TRY(frng_u32(f, &address[i]));
    for (int i = 0; i < 2; i++) all |= address[i];
    for (int i = 2; i < 16; i++) all &= address[i] | ~0xffU;
    FRNG_ASSERT((all & 0xff) != 0 || all == 0);
    return true;
}

/* A day that a leap year would have, but for the rule of centuries. Fresh: 22,000. */
TEST(feb29) {
    DRAW(uint16_t, year, frng_u16_range, f, 1900, 2299);
    DRAW(uint8_t, month, frng_u8_range, f, 1, 12);
    DRAW(uint8_t, day, frng_u8_range, f, 1, 31);
    if (month != 2 || day > 29 || (day == 29 && year % 4 != 0)) return true;
    FRNG_ASSERT(day < 29 || year % 100 != 0 || year % 400 == 0);
    return true;
}

static bool deeper(frng *f, int depth) {
    FRNG_ASSERT(depth < 60, "too deep");
    for (;;) {
        DRAW(bool, goes_down, frng_bool, f);
        if (!goes_down) return true;
        FRNG_TRY(deeper(f, depth + 1));
    }
}

/* Brackets within brackets. Fresh: 20. */
TEST(deeprec) {
    for (;;) FRNG_TRY(deeper(f, 0));
}

/* A counter of 16 bits is 0 again. Fresh: 930. */
TEST(wrap64k) {
    uint16_t sent = 0;
    bool is_ping;
    do {
        FRNG_TRY(frng_bool(f, &is_ping));
        sent++;
    } while (sent != 0);
    FRNG_ASSERT(is_ping, "the wrong one is acknowledged");
    return true;
}

/* Four magic numbers, one after the other. Fresh: never. */
TEST(magic4) {
    DRAW(uint32_t, head, frng_u32, f);
    DRAW(uint16_t, version, frng_u16, f);
    DRAW(uint16_t, flags, frng_u16, f);
    DRAW(uint16_t, end, frng_u16, f);
    if (head != 0x04034b50) return true;
    if (version != 0x0314) return true;
    if (flags != 0x0808) return true;
    FRNG_ASSERT(end != 0x5aa5);
    return true;
}

/* A packet with the right checksum. Fresh: 7,600. */
TEST(fletcher) {
    const uint8_t *data;
    DRAW(uint8_t, count, frng_u8_range, f, 2, 16);
    FRNG_TRY(frng_bytes(f, count, &data));
    DRAW(uint8_t, sum, frng_u8, f);
    unsigned a = 0, b = 0;
    for (unsigned i = 0; i < count; i++) b += a += data[i];
    if ((b % 255 ^ a % 255) != sum || sum == 0) return true;
    FRNG_ASSERT(data[0] < 0x80 || data[0] > 0x84);
    return true;
}

/* A word of a language, among other words. Fresh: never. */
TEST(word) {
    char word[13];
    for (int count = 0; count < 20; count++) {
        FRNG_TRY(frng_string(f, FRNG_LOWER, 0, 12, word));
        FRNG_ASSERT(strcmp(word, "while") != 0);
    }
    return true;
}

/* Six numbers of a die in their order. Fresh: 21,000. */
TEST(six) {
    static const uint8_t wanted[] = {3, 6, 1, 5, 2, 4};
    for (int i = 0; i < 6; i++) {
        DRAW(uint8_t, die, frng_u8_range, f, 1, 6);
        if (die != wanted[i]) return true;
    }
    FRNG_ASSERT(false, "the game is over");
}

/* Ten numbers, each greater than the one before. Fresh: 116,000. */
TEST(longrun) {
    uint8_t x, last = 0;
    for (unsigned count = 0, run = 0; count < 60; count++, last = x) {
        FRNG_TRY(frng_u8(f, &x));
        run = x > last ? run + 1 : 0;
        FRNG_ASSERT(run < 9);
    }
    return true;
}

/* Two names of one object, of which one is freed. Fresh: 117. */
TEST(alias) {
    uint8_t names[16] = {0};
    bool is_free[16] = {false};
    for (int steps = 0; steps < 12; steps++) {
        DRAW(uint8_t, from, frng_u8_max, f, 15);
        DRAW(uint8_t, to, frng_u8_max, f, 15);
        if (steps % 4 == 3) is_free[names[from]] = true;
        FRNG_ASSERT(names[from] == 0 || from == to || !is_free[names[from]] || steps % 4 != 2);
        names[to] = steps % 4 == 0 ? to : names[from];
    }
    return true;
}

FRNG_MAIN(TEST_OF(SELECTED))

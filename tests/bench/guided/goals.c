/* goals.c: 8 tests that name a goal (frng_maximize), which fresh runs hardly reach in 5 seconds of
 * CPU and guided ones must, in plain builds too: a walk to a corner, sums at a limit, long runs and
 * four of other kinds. The suite has four hard tests more, of known.c and new.c, with their GOALs.
 * SPDX-License-Identifier: MIT */
#include "guided.h"

/* A number of so many bits, to which each step adds another: no repetition of bytes helps. */
static unsigned turned(unsigned x, int step, unsigned bits) {
    return (x + ((unsigned)step * 0x9e3779b9u >> 20)) & ((1u << bits) - 1);
}

/* A walk on an open field, to its corner. */
TEST(corner) {
    int x = 0, y = 0;
    for (int steps = 0; steps < 200; steps++) {
        DRAW(uint8_t, way, frng_u8_max, f, 3);
        way = (uint8_t)turned(way, steps, 2);
        const int to_x = x + (way == 0) - (way == 1), to_y = y + (way == 2) - (way == 3);
        if (to_x >= 0 && to_x <= 40) x = to_x;
        if (to_y >= 0 && to_y <= 40) y = to_y;
        frng_maximize(f, "way to the corner", (uint64_t)(x + y));
        FRNG_ASSERT(x < 40 || y < 40, "in the corner after %d steps", steps);
    }
    return true;
}

/* Twenty payments to and fro, whose sum must be within two of the largest. */
TEST(sum) {
    unsigned sum = 0;
    for (int i = 0; i < 20; i++) {
        DRAW(uint16_t, amount, frng_u16_max, f, 1000);
        sum += turned(0, i, 1) == 0 ? amount : 1000u - amount;
    }
    frng_maximize(f, "sum", sum);
    FRNG_ASSERT(sum < 19998, "%u", sum);
    return true;
}

/* A sum that must be right to the last unit. */
TEST(exact) {
    int64_t sum = 0, far;
    for (int i = 0; i < 8; i++) {
        DRAW(int32_t, amount, frng_i32_range, f, -1000000, 1000000);
        sum += amount;
    }
    far = sum > 3141592 ? sum - 3141592 : 3141592 - sum;
    frng_maximize(f, "near to the limit", (uint64_t)(8000000 + 3141592 - far));
    FRNG_ASSERT(far != 0);
    return true;
}

/* Twenty numbers, each greater than the one before. */
TEST(longrun) {
    uint8_t x, last = 0;
    for (unsigned count = 0, run = 0; count < 60; count++, last = x) {
        FRNG_TRY(frng_u8(f, &x));
        run = x > last ? run + 1 : 0;
        frng_maximize(f, "run", run);
        FRNG_ASSERT(run < 20);
    }
    return true;
}

/* ---- Of other kinds ---- */

/* A queue of 60 places is full, where it is taken from more often than put to. */
TEST(queue) {
    unsigned length = 0;
    for (int steps = 0; steps < 300; steps++) {
        DRAW(uint8_t, what, frng_u8_max, f, 7);
        what = (uint8_t)turned(what, steps, 3);
        if (what < 3) length++;
        if (what > 3 && length > 0) length--;
        frng_maximize(f, "length", length);
        FRNG_ASSERT(length < 60);
    }
    return true;
}

/* A tree of 40 keys, each once, that nobody balances has 24 levels. */
TEST(tree) {
    uint16_t keys[40];
    uint8_t left[40] = {0}, right[40] = {0};
    for (uint8_t count = 0; count < 40; count++) {
        uint8_t at = 0, levels = 1;
        FRNG_TRY(frng_u16(f, &keys[count]));
        while (count > 0) {
            if (keys[count] == keys[at]) return true;
            uint8_t *next = keys[count] < keys[at] ? &left[at] : &right[at];
            levels++;
            if (*next == 0) {
                *next = count;
                break;
            }
            at = *next;
        }
        frng_maximize(f, "levels", levels);
        FRNG_ASSERT(levels < 24);
    }
    return true;
}

/* A word of twelve bytes, of which only the number of right ones is told. */
TEST(secret) {
    static const uint8_t word[] = "q7#Kz!0vR@e&";
    unsigned right = 0;
    for (int i = 0; i < 12; i++) {
        DRAW(uint8_t, letter, frng_u8, f);
        right += letter == word[i];
    }
    frng_maximize(f, "right letters", right);
    FRNG_ASSERT(right < 12);
    return true;
}

/* Ten settings of two goals that pull apart: of speed and of heat both must be high. */
TEST(apart) {
    int64_t speed = 0, heat = 0;
    for (int i = 0; i < 10; i++) {
        DRAW(int16_t, x, frng_i16_range, f, -1000, 1000);
        speed += x;
        const int far = x - (int)turned(300, i, 10);
        heat += 1000 - (far > 0 ? far : -far);
    }
    frng_maximize(f, "speed", (uint64_t)(10000 + speed));
    frng_maximize(f, "heat", (uint64_t)(10000 + heat));
    FRNG_ASSERT(heat < 9900, "hot");
    return true;
}

FRNG_MAIN(TEST_OF(SELECTED))

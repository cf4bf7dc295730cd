/* deep: a state that only operations in one order reach.
 *
 * VARIANT 1: 8 operations in order, of 12 kinds, a byte each. A wrong operation changes nothing.
 *            Each state draws a number of its own range when the test enters it.
 * VARIANT 2: the same, and a wrong operation goes back to the start.
 * VARIANT 3: a login, then a file, then a lock, ...: each step by frng_step; arguments differ.
 * VARIANT 4: a lock with 10 digits; a wrong one goes back by one.
 * VARIANT 5: a protocol with 12 messages, each with a sequence number that must be the next.
 * VARIANT 6: a dungeon: rooms differ by the range of their gold, far above 64; a wrong door ends
 *            the test.
 * VARIANT 7: the argument comes before its operation, and its range says how far the test is; a
 *            wrong operation goes back by two. */
#include <frng_main.h>
#include <frng_more.h>

#if VARIANT == 1 || VARIANT == 2
static bool test(frng *f) {
    static const uint8_t order[] = {7, 2, 11, 0, 5, 9, 3, 8};
    size_t state = 0;
    for (;;) {
        uint8_t operation, detail;
        FRNG_TRY(frng_u8_max(f, 11, &operation));
        if (operation == order[state]) {
            FRNG_ASSERT(state + 1 < sizeof order, "the last state");
            state++;
            FRNG_TRY(frng_u8_max(f, (uint8_t)(20 + state), &detail)); /* of this state alone */
        } else if (VARIANT == 2) {
            state = 0;
        }
    }
}
#elif VARIANT == 3
enum { LOGIN, OPEN, LOCK, WRITE, SYNC, UNLOCK, RENAME, CLOSE, STAT, LIST, PING, LOGOUT, COUNT };

static const char *const names[COUNT] = {"login",  "open",  "lock", "write", "sync", "unlock",
                                         "rename", "close", "stat", "list",  "ping", "logout"};

static bool test(frng *f) {
    int done = 0;
    for (;;) {
        size_t operation;
        uint32_t argument;
        FRNG_TRY(frng_pick(f, COUNT, &operation));
        if ((int)operation != done && operation < STAT) continue; /* refused */
        if (operation == LOGOUT) done = 0;
        if ((int)operation != done) continue;
        frng_step(f, names[operation]);
        FRNG_TRY(frng_u32_max(f, 1000, &argument));
        done++;
        FRNG_ASSERT(done <= CLOSE, "closed after a rename, %u", argument);
    }
}
#elif VARIANT == 4
static bool test(frng *f) {
    static const uint8_t digits[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
    size_t state = 0;
    for (;;) {
        uint8_t digit;
        frng_note(f, state == 0 ? "closed" : "turned");
        FRNG_TRY(frng_u8_max(f, 9, &digit));
        if (digit != digits[state]) {
            state = state > 0 ? state - 1 : 0;
            continue;
        }
        state++;
        char name[32];
        snprintf(name, sizeof name, "digit %zu", state);
        frng_note(f, name);
        FRNG_ASSERT(state < sizeof digits, "open");
    }
}
#elif VARIANT == 5
static bool test(frng *f) {
    unsigned next = 0;
    for (;;) {
        uint8_t kind;
        uint16_t number;
        FRNG_TRY(frng_u8_max(f, 11, &kind));
        FRNG_TRY(frng_u16_max(f, 63, &number));
        if (number != next || kind != (next * 5 + 3) % 12) continue;
        next++;
        frng_label(f, "in order");
        bool is_last;
        FRNG_TRY(frng_bool(f, &is_last));
        FRNG_TRY(frng_u8_max(f, (uint8_t)(100 + next), &kind));
        FRNG_ASSERT(next < 8, "all of them");
    }
}
#elif VARIANT == 6
static bool test(frng *f) {
    static const uint8_t doors[] = {1, 6, 2, 6, 11, 3, 0, 9};
    uint32_t gold = 100;
    for (size_t room = 0;;) {
        size_t door;
        FRNG_TRY(frng_index(f, 12, &door));
        if (door != doors[room]) return true;
        room++;
        FRNG_ASSERT(room < sizeof doors, "the treasure");
        uint32_t taken;
        FRNG_TRY(frng_u32_max(f, gold, &taken));
        gold = gold * 3 / 2;
    }
}
#else
static bool test(frng *f) {
    unsigned done = 0;
    for (;;) {
        uint16_t argument;
        uint8_t operation;
        FRNG_TRY(frng_u16_max(f, (uint16_t)(7 + 40 * done), &argument));
        FRNG_TRY(frng_u8_max(f, 11, &operation));
        if (operation == (done * 7 + 4) % 12) {
            done++;
        } else {
            done = done > 2 ? done - 2 : 0;
        }
        FRNG_ASSERT(done < 8, "all of them");
    }
}
#endif

FRNG_MAIN(test)

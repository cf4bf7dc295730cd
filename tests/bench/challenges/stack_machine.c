/* stack_machine: a calculator with a stack. An instruction that lacks operands does nothing. Fails
 * when it shows a number of 1000 or more.
 *
 * Smallest: of the ways to 1000 in so few bytes, the one with the smallest first number.
 *
 *     stack_machine       push 6, duplicate, multiply, duplicate, multiply, show
 *         0130b86fb86fdc
 */
#include "challenge.h"

enum { DEPTH = 32, NUMBER_MAX = 31, SHOWN_MAX = 1000 };

typedef enum instruction {
    PUSH,
    ADD,
    SWAP,
    MULTIPLY,
    POP,
    DUPLICATE,
    SHOW,
    INSTRUCTIONS
} instruction;

typedef struct machine {
    uint64_t stack[DEPTH + 1];
    size_t depth;
} machine;

static void put(machine *m, uint64_t number) {
    if (m->depth < DEPTH) m->stack[m->depth++] = number & 0xffff;
}

static void combine(machine *m, instruction what) {
    const uint64_t b = m->stack[--m->depth], a = m->stack[--m->depth];
    if (what == SWAP) put(m, b);
    put(m, what == ADD ? a + b : what == MULTIPLY ? a * b : a);
}

static bool operate(frng *f, machine *m) {
    uint8_t drawn, number;
    FRNG_TRY(frng_u8_max(f, INSTRUCTIONS - 1, &drawn));
    const instruction what = (instruction)drawn;
    if (what == PUSH) {
        FRNG_TRY(frng_u8_max(f, NUMBER_MAX, &number));
        put(m, number);
    } else if (what == ADD || what == SWAP || what == MULTIPLY) {
        if (m->depth >= 2) combine(m, what);
    } else if (m->depth > 0) {
        const uint64_t top = m->stack[m->depth - 1];
        if (what == POP)
            m->depth--;
        else if (what == DUPLICATE)
            put(m, top);
        else
            FRNG_ASSERT(top < SHOWN_MAX, "%u", (unsigned)top);
    }
    return true;
}

static bool test(frng *f) {
    machine m = {.depth = 0};
    for (;;) FRNG_TRY(operate(f, &m));
}

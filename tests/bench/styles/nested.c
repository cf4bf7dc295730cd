/* nested: conditions within conditions, which only edges tell: no draw depends on them. Built with
 * -fsanitize-coverage=inline-8bit-counters or trace-pc.
 *
 * VARIANT 1: 6 bytes of a header, one after the other.
 * VARIANT 2: 8 operations of 12 in order, nothing drawn by the state.
 * VARIANT 3: comparisons of four numbers of 16 bits, each within 1/64 of its range.
 * VARIANT 4: a tokenizer: `if (a) { b; }` in 24 letters, by functions that call one another. */
#include <frng_main.h>

#if VARIANT == 1
static bool test(frng *f) {
    const uint8_t *p;
    FRNG_TRY(frng_bytes(f, 6, &p));
    if (p[0] != 0x7f) return true;
    if (p[1] != 'E') return true;
    if (p[2] != 'L') return true;
    if (p[3] < 0xf0) return true;
    if (p[4] % 16 != 3) return true;
    if (p[5] != 2) return true;
    FRNG_ASSERT(p[0] == 0, "a header");
    return true;
}
#elif VARIANT == 2
static volatile unsigned calls;

/* A state each, as a switch of a real machine has. */
static int next(int state, uint8_t operation) {
    calls++;
    switch (state) {
    case 0:
        if (operation == 4) return 1;
        break;
    case 1:
        if (operation == 0) return 2;
        break;
    case 2:
        if (operation == 9) return 3;
        break;
    case 3:
        if (operation == 11) return 4;
        break;
    case 4:
        if (operation == 2) return 5;
        break;
    case 5:
        if (operation == 7) return 6;
        break;
    case 6:
        if (operation == 1) return 7;
        break;
    case 7:
        if (operation == 4) return 8;
        break;
    }
    return operation == 6 ? 0 : state;
}

static bool test(frng *f) {
    for (int state = 0;;) {
        uint8_t operation;
        FRNG_TRY(frng_u8_max(f, 11, &operation));
        state = next(state, operation);
        FRNG_ASSERT(state != 8, "the last state");
    }
}
#elif VARIANT == 3
static bool test(frng *f) {
    uint16_t a, b, c, d;
    FRNG_TRY(frng_u16(f, &a));
    FRNG_TRY(frng_u16(f, &b));
    FRNG_TRY(frng_u16(f, &c));
    FRNG_TRY(frng_u16(f, &d));
    if (a < 31000 || a >= 32000) return true;
    if (b < 5000 || b >= 6000) return true;
    if (c % 64 != 17) return true;
    if ((d ^ c) % 64 != 0) return true;
    FRNG_ASSERT(a == b, "%u %u %u %u", a, b, c, d);
    return true;
}
#else
typedef struct parser {
    const char *at;
} parser;

static bool eat(parser *p, char c) {
    while (*p->at == ' ') p->at++;
    if (*p->at != c) return false;
    p->at++;
    return true;
}

static bool name(parser *p) { return eat(p, 'a') || eat(p, 'b') || eat(p, 'c'); }

static bool statement(parser *p) {
    if (eat(p, 'i')) {
        if (!eat(p, 'f')) return false;
        if (!eat(p, '(')) return false;
        if (!name(p)) return false;
        if (!eat(p, ')')) return false;
        if (!eat(p, '{')) return false;
        if (!statement(p)) return false;
        if (!eat(p, '}')) return false;
        FRNG_ASSERT(*p->at != '\0', "the rule of `if`");
        return true;
    }
    return name(p) && eat(p, ';');
}

static bool test(frng *f) {
    static const char letters[] = "abcdefghijklm(){};= +-.,";
    char text[65] = "";
    for (size_t length = 0; length < 64; length++) {
        uint8_t index;
        parser p = {text};
        FRNG_TRY(frng_u8_max(f, sizeof letters - 2, &index));
        text[length] = letters[index];
        text[length + 1] = '\0';
        (void)statement(&p);
    }
    return true;
}
#endif

FRNG_MAIN(test)

/* nested: conditions within conditions, which only edges tell: no draw depends on them. Built with
 * -fsanitize-coverage=inline-8bit-counters or trace-pc.
 *
 * VARIANT 1: 6 bytes of a header, one after the other.
 * VARIANT 2: 8 operations of 12 in order, nothing drawn by the state.
 * VARIANT 3: comparisons of four numbers of 16 bits, each within 1/64 of its range.
 * VARIANT 4: a tokenizer: `if (a) { b; }` in 24 letters, by functions that call one another.
 * VARIANT 5: a file of records in bytes of a drawn number: magic, version, then tags with lengths.
 * VARIANT 6: 8 values of 16 in the order of a table; a wrong one ends the test. One edge for all of
 *            them: only how often it is taken tells how far the test is.
 * VARIANT 7: 6 draws of 1 and 2 bytes, then conditions between them.
 * VARIANT 8: text in UTF-8, and within it a rule of four characters. */
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
#elif VARIANT == 4
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
#elif VARIANT == 5
/* Return the length of the value of a record that is allowed in this state, and the next state. */
static size_t value_of(uint8_t tag, unsigned *state) {
    switch (tag) {
    case 0x10:
        if (*state == 0) *state = 1;
        return 2;
    case 0x21:
        if (*state == 1) *state = 2;
        return 1;
    case 0x32:
        if (*state == 2) *state = 3;
        return 0;
    default: return SIZE_MAX;
    }
}

static bool test(frng *f) {
    const uint8_t *p;
    uint8_t size;
    unsigned state = 0;
    FRNG_TRY(frng_u8_max(f, 48, &size));
    FRNG_TRY(frng_bytes(f, size, &p));
    if (size < 8) return true;
    if (p[0] != 'R') return true;
    if (p[1] != 'F') return true;
    if (p[2] < 3 || p[2] > 6) return true;
    for (size_t at = 4; at < size;) {
        const size_t length = value_of(p[at], &state);
        if (length > size - at - 1) return true;
        at += 1 + length;
        FRNG_ASSERT(state != 3, "three records at %zu", at);
    }
    return true;
}
#elif VARIANT == 6
static const volatile uint8_t table[] = {9, 2, 14, 7, 7, 0, 11, 5};

static bool test(frng *f) {
    size_t done = 0;
    for (;;) {
        uint8_t value;
        FRNG_TRY(frng_u8_max(f, 15, &value));
        if (value != table[done]) return true;
        done++;
        FRNG_ASSERT(done < sizeof table, "the last value");
    }
}
#elif VARIANT == 7
static bool test(frng *f) {
    uint8_t kind, level, mask;
    uint16_t first, last, sum;
    FRNG_TRY(frng_u8(f, &kind));
    FRNG_TRY(frng_u8_max(f, 99, &level));
    FRNG_TRY(frng_u16(f, &first));
    FRNG_TRY(frng_u16(f, &last));
    FRNG_TRY(frng_u8(f, &mask));
    FRNG_TRY(frng_u16_max(f, 4999, &sum));
    if (kind == 77) {
        if (level > 95) {
            if (first / 256 == level) {
                if (last > first && last - first < 300) {
                    if ((mask & 0xf8) == 0xa8) {
                        FRNG_ASSERT(sum % 50 != level % 50, "%u %u", first, last);
                    }
                }
            }
        }
    }
    return true;
}
#else
/* Decode a character of two or three bytes, or one; return 0 if it is none. */
static unsigned decode(const uint8_t *p, size_t size, size_t *at) {
    const unsigned first = p[(*at)++];
    if (first < 0x80) return first;
    if (first >= 0xc2 && first < 0xe0) {
        if (size - *at < 1 || (p[*at] & 0xc0) != 0x80) return 0;
        return (first & 0x1f) << 6 | (p[(*at)++] & 0x3f);
    }
    if (first < 0xe0 || first >= 0xf0 || size - *at < 2) return 0;
    if ((p[*at] & 0xc0) != 0x80 || (p[*at + 1] & 0xc0) != 0x80) return 0;
    *at += 2;
    return (first & 0x0f) << 12 | (p[*at - 2] & 0x3fu) << 6 | (p[*at - 1] & 0x3fu);
}

static bool test(frng *f) {
    const uint8_t *p;
    size_t at = 0;
    FRNG_TRY(frng_bytes(f, 16, &p));
    if (decode(p, 16, &at) != '<') return true;
    const unsigned greek = decode(p, 16, &at);
    if (greek < 0x391 || greek > 0x3c9) return true;
    const unsigned symbol = decode(p, 16, &at);
    if (symbol < 0x2000 || symbol > 0x2fff) return true;
    if (decode(p, 16, &at) != '>') return true;
    FRNG_ASSERT(greek == 0, "%x %x", greek, symbol);
    return true;
}
#endif

FRNG_MAIN(test)

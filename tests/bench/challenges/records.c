/* records: up to 2,000 records, each with a key of up to 8 letters and a value. Fails when two keys
 * of one length have the same letters in sum, but other values: then one is taken for the other.
 *
 * Smallest: keys ab and ba.
 *
 *     records             ab 0, ba 1
 *         43003a010b003a0b0101
 */
#include "challenge.h"

enum { RECORDS_MAX = 2000, KEY_MAX = 8, LETTERS = 26 };

typedef struct record {
    uint8_t length, key[KEY_MAX], value;
    unsigned sum;
} record;

static bool draw_record(frng *f, record *r) {
    size_t letter;
    r->sum = 0;
    FRNG_TRY(frng_u8_max(f, KEY_MAX, &r->length));
    for (size_t i = 0; i < r->length; i++) {
        FRNG_TRY(frng_pick(f, LETTERS, &letter));
        r->key[i] = (uint8_t)letter;
        r->sum += (unsigned)letter;
    }
    return frng_u8(f, &r->value);
}

static bool is_same(const record *a, const record *b) {
    for (size_t i = 0; i < a->length; i++) {
        if (a->key[i] != b->key[i]) return false;
    }
    return true;
}

static void check(const record *a, const record *b) {
    if (a->length != b->length || a->sum != b->sum || is_same(a, b)) return;
    FRNG_ASSERT(a->value == b->value, "%u is found, not %u", a->value, b->value);
}

static bool test(frng *f) {
    static record records[RECORDS_MAX];
    uint16_t count;
    FRNG_TRY(frng_u16_max(f, RECORDS_MAX, &count));
    for (size_t i = 0; i < count; i++) FRNG_TRY(draw_record(f, &records[i]));
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) check(&records[k], &records[i]);
    }
    return true;
}

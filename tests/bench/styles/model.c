/* model: an open-addressing table beside an array. A put takes the first deleted slot without a
 * look for the key behind it, so that a key can be there twice; a delete then leaves the other. */
#include <frng_main.h>

enum { SLOTS = 32, KEYS = 64 };

typedef struct table {
    int key[SLOTS]; /* -1: empty, -2: deleted */
    uint8_t value[SLOTS];
    int used;
} table;

static int home(int key) { return (key * 7) % SLOTS; }

static int find(const table *t, int key) {
    for (int i = 0; i < SLOTS; i++) {
        const int at = (home(key) + i) % SLOTS;
        if (t->key[at] == key) return at;
        if (t->key[at] == -1) return -1;
    }
    return -1;
}

static bool put(table *t, int key, uint8_t value) {
    for (int i = 0; i < SLOTS; i++) {
        const int at = (home(key) + i) % SLOTS;
        if (t->key[at] != key && t->key[at] >= 0) continue;
        t->key[at] = key;
        t->value[at] = value;
        return true;
    }
    return false;
}

static bool test(frng *f) {
    table t;
    int model[KEYS];
    memset(model, -1, sizeof model);
    memset(&t, -1, sizeof t);
    for (;;) {
        uint8_t operation, key, value;
        FRNG_TRY(frng_u8_max(f, 2, &operation));
        FRNG_TRY(frng_u8_max(f, KEYS - 1, &key));
        const int at = find(&t, key);
        if (operation == 0) {
            FRNG_TRY(frng_u8(f, &value));
            if (put(&t, key, value)) model[key] = value;
        } else if (operation == 1 && at >= 0) {
            t.key[at] = -2;
            model[key] = -1;
        } else {
            FRNG_ASSERT((at < 0 ? -1 : t.value[at]) == model[key], "key %d", key);
        }
    }
}

FRNG_MAIN(test)

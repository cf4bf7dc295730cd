/* cache: the least recently used of 8 goes. A hit on the oldest one with the cache full moves it
 * to the front, and the next one is not the oldest then. */
#include <frng_main.h>

enum { ROOM = 8, KEYS = 500 };

typedef struct cache {
    uint8_t keys[ROOM]; /* newest first */
    size_t count;
} cache;

static bool touch(cache *c, uint8_t key, bool has_bug) {
    size_t at = 0;
    while (at < c->count && c->keys[at] != key) at++;
    const bool is_hit = at < c->count;
    if (!is_hit) at = c->count < ROOM ? c->count++ : ROOM - 1;
    if (has_bug && is_hit && at == ROOM - 1) {
        c->keys[at] = c->keys[0]; /* a swap in place of a rotation */
        c->keys[0] = key;
        return true;
    }
    memmove(&c->keys[1], &c->keys[0], at);
    c->keys[0] = key;
    return is_hit;
}

static bool test(frng *f) {
    cache real = {.count = 0}, model = {.count = 0};
    for (;;) {
        uint32_t key;
        FRNG_TRY(frng_u32_max(f, KEYS - 1, &key));
        const bool got = touch(&real, (uint8_t)key, true),
                   want = touch(&model, (uint8_t)key, false);
        FRNG_ASSERT(got == want, "key %u", key);
    }
}

FRNG_MAIN(test)

/* fresh.c: challenges of the shapes that users write, which no pass of the reducer was written for.
 * SPDX-License-Identifier: MIT */
#include "challenge.h"

/* lru: a cache of three entries, the latest first. Putting a key that it has does not make it the
 * latest. Fails when it has a key or not, and three later ones say otherwise.
 *
 * Smallest: 0, put again, is dropped for 3 as if it were the oldest.
 *
 *     lru                 put 0, 1, 0, 2 and 3, get 0  0100000120000100000140000160000000
 */
enum { KEYS = 8, CACHED_MAX = 3 };

typedef struct cache {
    uint8_t keys[CACHED_MAX], values[CACHED_MAX];
    size_t count;
} cache;

static size_t cache_find(const cache *c, uint8_t key) {
    size_t at = 0;
    while (at < c->count && c->keys[at] != key) at++;
    return at;
}

static void cache_to_front(cache *c, size_t at, uint8_t key, uint8_t value) {
    memmove(&c->keys[1], c->keys, at);
    memmove(&c->values[1], c->values, at);
    c->keys[0] = key;
    c->values[0] = value;
}

static void cache_put(cache *c, uint8_t key, uint8_t value) {
    const size_t at = cache_find(c, key);
    if (at < c->count) {
        c->values[at] = value;
        return;
    }
    if (c->count < CACHED_MAX) c->count++;
    cache_to_front(c, c->count - 1, key, value);
}

static bool lru(frng *f) {
    cache c = {.count = 0};
    unsigned used_at[KEYS] = {0}, now = 0;
    for (;;) {
        bool puts;
        uint8_t key;
        FRNG_TRY(frng_bool(f, &puts) && frng_u8_max(f, KEYS - 1, &key));
        if (puts) {
            DRAW(uint8_t, value, frng_u8, f);
            cache_put(&c, key, value);
        } else {
            unsigned later = 0;
            for (size_t i = 0; i < KEYS; i++) later += used_at[i] > used_at[key];
            const size_t at = cache_find(&c, key);
            const bool expected = used_at[key] > 0 && later < CACHED_MAX;
            FRNG_ASSERT((at < c.count) == expected, "key %u, %u are later", key, later);
            if (!expected) continue;
            cache_to_front(&c, at, key, c.values[at]);
        }
        used_at[key] = ++now;
    }
}

/* typing: text that is inserted and deleted, with undo and redo. What was undone is forgotten when
 * text is inserted, but not when it is deleted. Fails when text is changed behind the end.
 *
 * Smallest: a letter is deleted, which is undone, and again.
 *
 *     typing              insert x, delete, undo, delete, redo
 *         0100000000000000004000676666666666666600019b999999999999996766666666666666000167
 *         666666666666e6
 */
enum { ACTIONS_MAX = 32, INSERTED_MAX = 6 };

typedef struct action {
    bool inserts;
    size_t at;
    char text[INSERTED_MAX + 1];
} action;

typedef struct editor {
    char text[ACTIONS_MAX * INSERTED_MAX + 1];
    action done[ACTIONS_MAX], undone[ACTIONS_MAX];
    size_t done_count, undone_count;
} editor;

static void editor_apply(editor *e, const action *a, bool inserts) {
    const size_t length = strlen(e->text), size = strlen(a->text);
    char *at = e->text + a->at;
    FRNG_ASSERT(a->at + (inserts ? 0 : size) <= length, "%u of %u", (unsigned)a->at,
                (unsigned)length);
    if (inserts) {
        memmove(at + size, at, length - a->at + 1);
        memcpy(at, a->text, size);
    } else {
        memmove(at, at + size, length - a->at - size + 1);
    }
}

static void editor_do(editor *e, action a) {
    if (e->done_count == ACTIONS_MAX) return;
    editor_apply(e, &a, a.inserts);
    e->done[e->done_count++] = a;
    if (a.inserts) e->undone_count = 0;
}

static void editor_move(editor *e, bool undoes) {
    size_t *from = undoes ? &e->done_count : &e->undone_count;
    if (*from == 0 || (!undoes && e->done_count == ACTIONS_MAX)) return;
    if (undoes && e->undone_count == ACTIONS_MAX) return;
    const action a = (undoes ? e->done : e->undone)[--*from];
    editor_apply(e, &a, a.inserts != undoes);
    if (undoes)
        e->undone[e->undone_count++] = a;
    else
        e->done[e->done_count++] = a;
}

static bool edit(frng *f) {
    enum { INSERT, DELETE, UNDO, REDO };
    static const uint32_t weights[] = {[INSERT] = 4, [DELETE] = 2, [UNDO] = 3, [REDO] = 1};
    editor e = {.done_count = 0};
    for (;;) {
        size_t count;
        action a = {.at = 0};
        const size_t length = strlen(e.text);
        DRAW(size_t, what, frng_weighted, f, weights, 4);
        if (what == INSERT) {
            a.inserts = true;
            FRNG_TRY(frng_pick(f, length + 1, &a.at));
            FRNG_TRY(frng_string(f, "xyz", 1, INSERTED_MAX, a.text));
            editor_do(&e, a);
        } else if (what == DELETE && length > 0) {
            FRNG_TRY(frng_pick(f, length, &a.at) && frng_pick(f, INSERTED_MAX, &count));
            if (count >= length - a.at) count = length - a.at - 1;
            memcpy(a.text, &e.text[a.at], count + 1);
            editor_do(&e, a);
        } else if (what >= UNDO) {
            editor_move(&e, what == UNDO);
        }
    }
}

/* median: a list of an odd count of doubles is sorted, but by differences that are truncated to
 * whole numbers. Fails when the one in the middle is not the median.
 *
 * Smallest: 1 stays before the smallest number above 0.
 *
 *     median              3 numbers: 0, 1, 2^-46
 *         000100000000000000328ac2f5285c8f022005000000000000
 */
enum { NUMBERS_MAX = 9 };

static void sort_numbers(double *numbers, size_t count) {
    for (size_t i = 1; i < count; i++) {
        for (size_t k = i; k > 0 && (int)(numbers[k - 1] - numbers[k]) > 0; k--) {
            const double swapped = numbers[k];
            numbers[k] = numbers[k - 1];
            numbers[k - 1] = swapped;
        }
    }
}

static bool median(frng *f) {
    double numbers[NUMBERS_MAX];
    DRAW(uint8_t, half, frng_u8_range, f, 1, NUMBERS_MAX / 2);
    const size_t count = 2 * (size_t)half + 1;
    for (size_t i = 0; i < count; i++) FRNG_TRY(frng_f64_range(f, -100, 100, &numbers[i]));
    sort_numbers(numbers, count);
    size_t below = 0, above = 0;
    for (size_t i = 0; i < count; i++) {
        below += numbers[i] < numbers[half];
        above += numbers[i] > numbers[half];
    }
    FRNG_ASSERT(below <= half && above <= half, "%u and %u", (unsigned)below, (unsigned)above);
    return true;
}

/* bucket: a limit of 10 tokens, of which one comes back every 100 ms. When some come back, the time
 * that is left over is forgotten. Fails when a request is refused for which there are tokens.
 *
 * Smallest: of 110 ms, 10 are forgotten.
 *
 *     bucket              2 at once, 4 after 110 ms, 6 after 90  10012c103881102ed6
 */
enum { TOKENS_MAX = 10, MS_FOR_TOKEN = 100 };

static bool bucket(frng *f) {
    unsigned tokens = TOKENS_MAX, waited = 0;    /* as the limiter counts */
    unsigned credit = TOKENS_MAX * MS_FOR_TOKEN; /* exactly, in ms */
    for (size_t n = 0;; n++) {
        uint8_t ticks, cost;
        DRAW(bool, more, frng_more, f, n, 0, 200);
        if (!more) return true;
        FRNG_TRY(frng_u8_max(f, 50, &ticks) && frng_u8_range(f, 1, 6, &cost));
        waited += ticks * 10u;
        credit += ticks * 10u;
        if (credit > TOKENS_MAX * MS_FOR_TOKEN) credit = TOKENS_MAX * MS_FOR_TOKEN;
        if (waited >= MS_FOR_TOKEN) {
            tokens += waited / MS_FOR_TOKEN;
            waited = 0;
        }
        if (tokens >= TOKENS_MAX) {
            tokens = TOKENS_MAX;
            waited = 0;
        }
        const bool allowed = tokens >= cost;
        if (allowed) tokens -= cost;
        if (credit < cost * MS_FOR_TOKEN) continue;
        FRNG_ASSERT(allowed, "%u for %u ms", cost, credit);
        credit -= cost * MS_FOR_TOKEN;
    }
}

/* hashing: a hash table with linear probing, whose removed keys leave graves. A key is put into the
 * first grave or free slot, though it may be behind. Fails when a removed key is found.
 *
 * Smallest: two keys with one slot. The first one leaves a grave, and the second is put into it.
 *
 *     hashing             add 0 and 16, remove 0, again 16, remove 16, look up 16
 *         000000000000000000001000000000000000800040808080c080
 */
enum { SLOTS = 16, KNOWN_MAX = 12 };
enum { FREE, FULL, GRAVE };

typedef struct hash_table {
    uint64_t keys[SLOTS];
    uint8_t states[SLOTS];
} hash_table;

/* Return the slot of a key, or SLOTS. */
static size_t hash_find(const hash_table *t, uint64_t key) {
    for (size_t i = 0, at = key % SLOTS; i < SLOTS; i++, at = (at + 1) % SLOTS) {
        if (t->states[at] == FREE) break;
        if (t->states[at] == FULL && t->keys[at] == key) return at;
    }
    return SLOTS;
}

static void hash_insert(hash_table *t, uint64_t key) {
    size_t at = key % SLOTS, probes = 0;
    while (t->states[at] == FULL && t->keys[at] != key && probes++ < SLOTS) at = (at + 1) % SLOTS;
    t->states[at] = FULL;
    t->keys[at] = key;
}

static bool hashing(frng *f) {
    enum { ADD, AGAIN, REMOVE, LOOK_UP };
    hash_table t = {.keys = {0}};
    uint64_t known[KNOWN_MAX + 1];
    bool has[KNOWN_MAX] = {false};
    size_t count = 0, i;
    for (;;) {
        DRAW(uint8_t, what, frng_u8_max, f, LOOK_UP);
        if (what == ADD && count < KNOWN_MAX) {
            FRNG_TRY(frng_u64(f, &known[count]));
            for (i = 0; known[i] != known[count]; i++) {
            }
            if (i == count) count++;
        } else if (count > 0) {
            FRNG_TRY(frng_pick(f, count, &i));
        } else {
            continue;
        }
        const size_t at = hash_find(&t, known[i]);
        if (what == LOOK_UP) FRNG_ASSERT((at < SLOTS) == has[i], "a removed key");
        if (what == REMOVE && at < SLOTS) t.states[at] = GRAVE;
        if (what <= AGAIN) hash_insert(&t, known[i]);
        if (what != LOOK_UP) has[i] = what <= AGAIN;
    }
}

/* terms: an arithmetic term is printed with as few parentheses as it needs, and read again; none
 * are printed around what a product has at its right. Fails when its value is another one.
 *
 * Smallest: a product with a quotient at its right.
 *
 *     terms               2 * (1 / 2)  9a0134cd011b0134
 */
enum { NUMBER, PLUS, MINUS, TIMES, DIVIDED, DEPTH_MAX = 4, TEXT_MAX = 256 };

static int64_t combine_terms(uint8_t what, int64_t a, int64_t b) {
    if (what == PLUS) return a + b;
    if (what == MINUS) return a - b;
    return what == TIMES ? a * b : b == 0 ? 0 : a / b;
}

/* Draw a term, append it to a text, and store its value. */
static bool print_term(frng *f, size_t depth, char *text, uint8_t outer, bool is_right,
                       int64_t *value) {
    uint8_t what = NUMBER;
    int64_t left, right;
    if (depth < DEPTH_MAX) FRNG_TRY(frng_u8_max(f, DIVIDED, &what));
    if (what == NUMBER) {
        DRAW(uint8_t, digit, frng_u8_max, f, 9);
        snprintf(text + strlen(text), 2, "%u", digit % 10u);
        *value = digit;
        return true;
    }
    const bool is_sum = what <= MINUS;
    const bool has_parentheses = (outer >= TIMES && is_sum) ||
                                 (is_right && ((outer == MINUS && is_sum) || outer == DIVIDED));
    if (has_parentheses) strcat(text, "(");
    FRNG_TRY(print_term(f, depth + 1, text, what, false, &left));
    strcat(text, what == PLUS ? "+" : what == MINUS ? "-" : what == TIMES ? "*" : "/");
    FRNG_TRY(print_term(f, depth + 1, text, what, true, &right));
    if (has_parentheses) strcat(text, ")");
    *value = combine_terms(what, left, right);
    return true;
}

/* Read a sum if `binds` is PLUS, a product if it is TIMES, else what such a term is made of. */
static int64_t read_term(const char **at, uint8_t binds) {
    if (binds > TIMES) {
        if (*(*at)++ != '(') return (*at)[-1] - '0';
        const int64_t inner = read_term(at, PLUS);
        ++*at;
        return inner;
    }
    int64_t value = read_term(at, binds + 2);
    for (;;) {
        const uint8_t what = **at == '+'   ? PLUS
                             : **at == '-' ? MINUS
                             : **at == '*' ? TIMES
                             : **at == '/' ? DIVIDED
                                           : NUMBER;
        if (what != binds && what != binds + 1) return value;
        ++*at;
        value = combine_terms(what, value, read_term(at, binds + 2));
    }
}

static bool terms(frng *f) {
    char text[TEXT_MAX] = "";
    const char *at = text;
    int64_t value;
    FRNG_TRY(print_term(f, 0, text, NUMBER, false, &value));
    const int64_t again = read_term(&at, PLUS);
    FRNG_ASSERT(again == value, "%s", text);
    return true;
}

/* hotel: guests get the first of three rooms that is free, and can move to another one. Whether it
 * is free then is asked for their first and last nights alone. Fails when two have a room at last.
 *
 * Smallest: a guest of three nights moves to one who has that in the middle.
 *
 *     hotel               3 steps: book 0 1 2 3, move 0 1  1301014a010901cd0056
 */
enum { ROOMS = 3, GUESTS_MAX = 40 };

typedef struct guest {
    unsigned room, from, to; /* `to` is the day they leave */
} guest;

static bool is_free(const guest *guests, size_t count, unsigned room, unsigned from, unsigned to) {
    for (const guest *g = guests; g < guests + count; g++)
        if (g->room == room && g->from < to && from < g->to) return false;
    return true;
}

static void move_guest(guest *guests, size_t count, size_t at, unsigned room) {
    guest *g = &guests[at];
    const bool can_enter = is_free(guests, count, room, g->from, g->from + 1);
    if (can_enter && is_free(guests, count, room, g->to - 1, g->to)) g->room = room;
}

static bool hotel(frng *f) {
    static const uint32_t weights[] = {3, 1, 1};
    guest guests[GUESTS_MAX];
    size_t count = 0;
    uint8_t day, nights, room;
    DRAW(uint8_t, steps, frng_u8_max, f, GUESTS_MAX);
    for (size_t i = 0; i < steps; i++) {
        DRAW(size_t, what, frng_pick_weighted, f, weights, 3);
        if (what == 0) {
            frng_note(f, "booking");
            FRNG_TRY(frng_u8_max(f, 30, &day) && frng_u8_range(f, 1, 7, &nights));
            guest g = {.from = day, .to = day + (unsigned)nights};
            while (g.room < ROOMS && !is_free(guests, count, g.room, g.from, g.to)) g.room++;
            if (g.room < ROOMS) guests[count++] = g;
        } else if (count > 0) {
            frng_note(f, what == 1 ? "cancel" : "move");
            DRAW(size_t, at, frng_pick, f, count);
            if (what == 1) {
                guests[at] = guests[--count];
            } else {
                FRNG_TRY(frng_u8_max(f, ROOMS - 1, &room));
                move_guest(guests, count, at, room);
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        const guest *g = &guests[i];
        FRNG_ASSERT(is_free(guests, i, g->room, g->from, g->to), "room %u", g->room);
    }
    return true;
}

/* pipe: a ring buffer of 4, 8, 16 or 32 bytes. That it is full is noted unless what is written goes
 * around its end. Fails when bytes are read that were not written, or too few.
 *
 * Smallest: as many bytes as there is room for, written around the end.
 *
 *     pipe                4 bytes: write "a", read 1, write "aaaa", read 1
 *         00000f010100000f0f0f0f010100
 */
enum { PIPE_MAX = 32 };

typedef struct ring {
    char bytes[PIPE_MAX];
    size_t size, head, tail;
    bool is_full;
} ring;

static size_t ring_used(const ring *r) {
    return r->is_full ? r->size : (r->head + r->size - r->tail) % r->size;
}

static size_t ring_write(ring *r, const char *text) {
    const size_t room = r->size - ring_used(r), length = strlen(text);
    const size_t count = length < room ? length : room;
    const bool goes_around = r->head + count > r->size;
    for (size_t i = 0; i < count; i++) r->bytes[(r->head + i) % r->size] = text[i];
    r->head = (r->head + count) % r->size;
    if (count > 0 && !goes_around) r->is_full = r->head == r->tail;
    return count;
}

static bool pipe_bytes(frng *f) {
    ring r = {.size = 4};
    char queue[PIPE_MAX + 1] = "", text[PIPE_MAX + 1];
    DRAW(uint8_t, power, frng_u8_max, f, 3);
    r.size <<= power;
    for (;;) {
        DRAW(bool, reads, frng_bool, f);
        frng_step(f, reads ? "read" : "write");
        if (!reads) {
            FRNG_TRY(frng_string(f, FRNG_LOWER, 0, PIPE_MAX, text));
            const size_t queued = strlen(queue), room = r.size - queued;
            text[room < strlen(text) ? room : strlen(text)] = '\0';
            ring_write(&r, text);
            strcat(queue, text);
            continue;
        }
        DRAW(uint8_t, wanted, frng_u8_range, f, 1, PIPE_MAX);
        for (; wanted > 0 && queue[0] != '\0'; wanted--) {
            FRNG_ASSERT(ring_used(&r) > 0 && r.bytes[r.tail] == queue[0], "not '%c'", queue[0]);
            r.tail = (r.tail + 1) % r.size;
            r.is_full = false;
            memmove(queue, queue + 1, strlen(queue));
        }
    }
}

/* levels: packages need some of those before them, and are listed in any order. Each has a level
 * above those that it needs, found in three passes over the list. Fails when one has not.
 *
 * Smallest: each of five needs the one before, and all but the first are listed backwards.
 *
 *     levels              5 packages: 0, 1, 2, 3; 0 4 3 2 1
 *         8001020408010000000000000000000000000000c056555555555555550000000000000000
 */
enum { PACKAGES_MAX = 8, PASSES = 3 };

static bool levels(frng *f) {
    uint64_t needs[PACKAGES_MAX] = {0};
    uint8_t list[PACKAGES_MAX];
    unsigned level[PACKAGES_MAX] = {0};
    DRAW(uint8_t, count, frng_u8_range, f, 1, PACKAGES_MAX);
    for (uint8_t i = 0; i < count; i++) {
        list[i] = i;
        if (i > 0) FRNG_TRY(frng_subset(f, i, &needs[i]));
    }
    FRNG_TRY(frng_shuffle(f, list, count, 1));
    for (size_t n = 0; n < PASSES * (size_t)count; n++) {
        const uint8_t at = list[n % count];
        for (size_t k = 0; k < at; k++)
            if ((needs[at] >> k & 1) != 0 && level[at] <= level[k]) level[at] = level[k] + 1;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++)
            FRNG_ASSERT((needs[i] >> k & 1) == 0 || level[i] > level[k], "%u", (unsigned)i);
    }
    return true;
}

/* commit: two phases with a coordinator, three members and a network that repeats and loses
 * messages. The coordinator counts votes, but not whose. Fails when a member commits that aborted.
 *
 * Smallest: a vote that is repeated twice, and a member that refuses meanwhile. It takes three
 * votes, and with two members that vote for it one number more.
 *
 *     commit              deliver 0, 0 refusing, repeat 0, deliver 0, repeat 0, deliver 0 0 4
 *         01000000000000000100000000000000000100000000000000010000000000000001acaaaaaaaaaa
 *         aaaa010000000000000001000000000000000000000000000000acaaaaaaaaaaaaaa010000000000
 *         00000100000000000000000000000000000001000000000000000100000000000000010000000000
 *         0000cdcccccccccccccc
 */
enum { MEMBERS = 3, FLYING_MAX = 24 };
enum { PREPARE, YES, NO, COMMIT };
enum { DELIVER, REPEAT, LOSE };

typedef struct message {
    uint8_t what, member;
} message;

typedef struct transaction {
    message flying[FLYING_MAX];
    size_t count;
    unsigned votes;
    bool is_decided, has_voted[MEMBERS], has_aborted[MEMBERS];
} transaction;

static void post(transaction *t, uint8_t what, uint8_t member) {
    if (t->count < FLYING_MAX) t->flying[t->count++] = (message){what, member};
}

static bool receive(frng *f, transaction *t, message m) {
    if (m.what == PREPARE && !t->has_voted[m.member]) {
        DRAW(bool, refuses, frng_bool, f);
        t->has_voted[m.member] = true;
        t->has_aborted[m.member] = refuses;
        post(t, refuses ? NO : YES, m.member);
    } else if (m.what == NO) {
        t->is_decided = true;
    } else if (m.what == YES && !t->is_decided && ++t->votes == MEMBERS) {
        t->is_decided = true;
        for (uint8_t i = 0; i < MEMBERS; i++) post(t, COMMIT, i);
    } else if (m.what == COMMIT) {
        FRNG_ASSERT(!t->has_aborted[m.member], "member %u", m.member);
    }
    return true;
}

static bool commit(frng *f) {
    static const uint32_t weights[] = {[DELIVER] = 6, [REPEAT] = 2, [LOSE] = 1};
    transaction t = {.count = 0};
    for (uint8_t i = 0; i < MEMBERS; i++) post(&t, PREPARE, i);
    while (t.count > 0) {
        size_t what, at;
        FRNG_TRY(frng_weighted(f, weights, 3, &what) && frng_index(f, t.count, &at));
        const message m = t.flying[at];
        if (what == REPEAT) {
            post(&t, m.what, m.member);
            continue;
        }
        t.flying[at] = t.flying[--t.count];
        if (what == DELIVER) FRNG_TRY(receive(f, &t, m));
    }
    return true;
}

const challenge fresh_ones[] = {
    {"lru", lru, AS_IS},       {"typing", edit, AS_IS},     {"median", median, AS_IS},
    {"bucket", bucket, AS_IS}, {"hashing", hashing, AS_IS}, {"terms", terms, AS_IS},
    {"hotel", hotel, AS_IS},   {"pipe", pipe_bytes, AS_IS}, {"levels", levels, AS_IS},
    {"commit", commit, AS_IS}, {NULL, NULL, AS_IS},
};

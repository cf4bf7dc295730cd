/* training.c: whole little tests as users write them. The reducer may be improved on these; those
 * of held_out.c then tell what that is worth. SPDX-License-Identifier: MIT */
#include "challenge.h"

/* book: limit orders to buy and to sell. The best price is taken first, and of equal ones the
 * oldest, but one that is taken in part goes behind all others. Fails when a younger one is taken
 * before an older one of its price.
 *
 * Smallest: one piece of the first order is sold, and then one of the second.
 *
 *     book                buy 2 for 1, buy 1 for 1, sell 1 for 1, sell 1 for 1
 *         01000106010001010101010101010101
 */
enum { OFFERS_MAX = 64 };

typedef struct offer {
    bool sells;
    uint8_t price, pieces;
    unsigned number;
} offer;

static bool is_better(const offer *a, const offer *b) {
    return a->sells ? a->price < b->price : a->price > b->price;
}

static void take_offer(offer *all, size_t *count, size_t at, uint8_t pieces) {
    offer rest = all[at];
    for (size_t i = 0; i < *count; i++) {
        const bool is_like = all[i].sells == rest.sells && all[i].price == rest.price;
        FRNG_ASSERT(!is_like || all[i].number >= rest.number, "%u first", rest.number);
    }
    rest.pieces -= pieces;
    memmove(&all[at], &all[at + 1], (--*count - at) * sizeof *all);
    if (rest.pieces > 0) all[(*count)++] = rest;
}

static void trade(offer *all, size_t *count, offer o) {
    while (o.pieces > 0) {
        size_t best = *count;
        for (size_t i = 0; i < *count; i++) {
            const offer bound = {.sells = all[i].sells, .price = o.price};
            if (bound.sells == o.sells || is_better(&bound, &all[i])) continue;
            if (best == *count || is_better(&all[i], &all[best])) best = i;
        }
        if (best == *count) break;
        const uint8_t pieces = o.pieces < all[best].pieces ? o.pieces : all[best].pieces;
        take_offer(all, count, best, pieces);
        o.pieces -= pieces;
    }
    if (o.pieces > 0 && *count < OFFERS_MAX) all[(*count)++] = o;
}

static bool book(frng *f) {
    enum { ORDER, CANCEL = 2 };
    offer all[OFFERS_MAX], o = {.number = 0};
    size_t count = 0;
    for (;;) {
        DRAW(uint8_t, what, frng_u8_max, f, CANCEL);
        if (what < CANCEL) {
            FRNG_TRY(frng_bool(f, &o.sells) && frng_u8_range(f, 1, 100, &o.price));
            FRNG_TRY(frng_u8_range(f, 1, 50, &o.pieces));
            o.number++;
            trade(all, &count, o);
        } else if (count > 0) {
            DRAW(size_t, at, frng_pick, f, count);
            memmove(&all[at], &all[at + 1], (--count - at) * sizeof *all);
        }
    }
}

/* collector: objects with two fields each, and up to four roots. A collection frees what no root
 * leads to, or only the young of these: then fields of old objects count if they were written since
 * the last one, which is noted for the first field only. Fails when a freed object is read.
 *
 * Smallest: the second field of an old object holds the only reference to a young one.
 *
 *     collector           new, collect, new, write 0.1 1, drop 1, collect, read 0.1
 *         010000000100000001000000010000000100000001cd0001340080809a80cd00670080
 */
enum { HEAP_MAX = 40, ROOTS_MAX = 4 };

typedef struct cell {
    bool is_freed, is_old, is_written, is_marked;
    size_t field[2]; /* 0: none */
} cell;

static void mark(cell *heap, size_t at, bool all) {
    cell *c = &heap[at];
    if (at == 0 || c->is_marked || (c->is_old && !all)) return;
    c->is_marked = true;
    for (size_t i = 0; i < 2; i++) mark(heap, c->field[i], all);
}

static void collect(cell *heap, size_t count, const size_t *roots, size_t depth, bool all) {
    for (size_t i = 0; i < depth; i++) mark(heap, roots[i], all);
    for (size_t i = 1; i <= count; i++) {
        if (!heap[i].is_old || !heap[i].is_written || heap[i].is_freed) continue;
        for (size_t k = 0; k < 2; k++) mark(heap, heap[i].field[k], all);
    }
    for (size_t i = 1; i <= count; i++) {
        cell *c = &heap[i];
        c->is_freed |= !c->is_marked && (all || !c->is_old);
        c->is_old = true;
        c->is_written = c->is_marked = false;
    }
}

static bool collector(frng *f) {
    enum { NEW, WRITE, READ, DROP, COLLECT, KINDS };
    cell heap[HEAP_MAX + 1] = {{false}};
    uint32_t weights[KINDS];
    size_t roots[ROOTS_MAX], depth = 0, count = 0;
    FRNG_TRY(frng_swarm_weights(f, weights, KINDS));
    for (;;) {
        DRAW(size_t, what, frng_pick_weighted, f, weights, KINDS);
        if (what == NEW && count == HEAP_MAX) { /* begin anew */
            count = depth = 0;
            memset(heap, 0, sizeof heap);
        }
        if (what == NEW && depth < ROOTS_MAX) roots[depth++] = ++count;
        if (what == COLLECT) {
            DRAW(bool, all, frng_bool, f);
            collect(heap, count, roots, depth, all);
        }
        if (what == NEW || what == COLLECT || depth == 0) continue;
        DRAW(size_t, at, frng_pick, f, depth);
        if (what == DROP) {
            memmove(&roots[at], &roots[at + 1], (--depth - at) * sizeof *roots);
            continue;
        }
        DRAW(size_t, field, frng_pick, f, 2);
        cell *c = &heap[roots[at]];
        if (what == WRITE) {
            DRAW(size_t, to, frng_pick, f, depth);
            c->field[field] = roots[to];
            c->is_written |= field == 0;
        } else {
            FRNG_ASSERT(!heap[c->field[field]].is_freed, "object %zu", c->field[field]);
        }
    }
}

/* patterns: patterns of letters, dots, stars, sequences and choices, and a text. A star remembers
 * the two farthest places where it can end. Fails when a text is not found to match.
 *
 * Smallest: a dot is shorter than a letter. Two dots need a star that leaves both.
 *
 *     patterns            .*.. of aa
 *         cd6701cd0101202001
 */
enum { DOT, LETTER, STAR, EITHER, SEQUENCE, PATTERNS = 32 };

/* That at `at` has its parts at 2 * at and 2 * at + 1. */
typedef struct pattern {
    uint8_t what;
    char letter;
} pattern;

static bool draw_pattern(frng *f, pattern *all, size_t at) {
    static const char letters[] = {'a', 'b', 'c'};
    pattern *p = &all[at];
    FRNG_TRY(frng_u8_max(f, 2 * at < PATTERNS ? SEQUENCE : LETTER, &p->what));
    if (p->what == LETTER) return frng_element(f, letters, &p->letter);
    if (p->what >= STAR) FRNG_TRY(draw_pattern(f, all, 2 * at));
    return p->what <= STAR || draw_pattern(f, all, 2 * at + 1);
}

/* Return the places, as bits, where a match that begins at one of `starts` can end. */
static unsigned ends(const pattern *all, size_t at, const char *text, unsigned starts,
                     bool all_ends) {
    const pattern *p = &all[at];
    unsigned found = 0, before;
    if (p->what <= LETTER) {
        for (unsigned i = 0; text[i] != '\0'; i++) {
            if (p->what == DOT || p->letter == text[i]) found |= (starts >> i & 1) << (i + 1);
        }
    } else if (p->what == STAR) {
        for (found = starts, before = 0; before != found;) {
            before = found;
            found |= ends(all, 2 * at, text, found, all_ends);
        }
        while (!all_ends && __builtin_popcount(found) > 2) found &= found - 1;
    } else {
        found = ends(all, 2 * at, text, starts, all_ends);
        const unsigned from = p->what == EITHER ? starts : found;
        const unsigned second = ends(all, 2 * at + 1, text, from, all_ends);
        found = p->what == EITHER ? found | second : second;
    }
    return found;
}

static bool patterns(frng *f) {
    pattern all[PATTERNS];
    char text[13];
    FRNG_TRY(draw_pattern(f, all, 1) && frng_string(f, "abc", 0, sizeof text - 1, text));
    const unsigned right = ends(all, 1, text, 1, true), wrong = ends(all, 1, text, 1, false);
    FRNG_ASSERT(((right ^ wrong) >> strlen(text) & 1) == 0, "%s", text);
    return true;
}

/* permissions: roles with some of eight rights, and those of their parent, an earlier one, and
 * users that have a role each. When a role gets a parent, its own heirs stay as they are. Fails
 * when a user is not let do what he may, or the other way round.
 *
 * Smallest: an heir of an heir.
 *
 *     permissions         {0}, {}, {}, inherit 2 1, inherit 1 0, grant 0 2, check 0 0
 *         00010000000040ab564056018000abc00000
 */
enum { ROLES_MAX = 16, USERS = 4, RIGHTS = 8 };

typedef struct role {
    uint64_t own, sum;
    size_t parent; /* itself: none */
} role;

static uint64_t rights_of(const role *roles, size_t at) {
    const size_t parent = roles[at].parent;
    return roles[at].own | (parent != at ? rights_of(roles, parent) : 0);
}

static bool permissions(frng *f) {
    enum { ADD, INHERIT, GRANT, CHECK };
    role roles[ROLES_MAX];
    size_t held[USERS] = {0}; /* and 1; 0: none */
    size_t count = 0, user, at, other;
    for (;;) {
        uint64_t own;
        DRAW(uint8_t, what, frng_u8_max, f, CHECK);
        if (what == ADD) {
            FRNG_TRY(frng_subset(f, RIGHTS, &own));
            if (count < ROLES_MAX) roles[count] = (role){own, own, count};
            count += count < ROLES_MAX;
        } else if (what == CHECK) {
            FRNG_TRY(frng_pick(f, USERS, &user) && frng_pick(f, RIGHTS, &other));
            if (held[user] == 0) continue;
            const role *r = &roles[held[user] - 1];
            const uint64_t wrong = r->sum ^ rights_of(roles, held[user] - 1);
            FRNG_ASSERT((wrong >> other & 1) == 0, "user %zu, right %zu", user, other);
        } else if (count > 0) {
            FRNG_TRY(frng_pick(f, what == GRANT ? USERS : count, &at) &&
                     frng_pick(f, count, &other));
            if (what == GRANT) held[at] = other + 1;
            if (what == GRANT || other >= at) continue;
            roles[at].parent = other;
            roles[at].sum = roles[at].own | roles[other].sum;
        }
    }
}

/* resolver: names that have an address or stand for another name, which change, and a cache whose
 * answers hold for 10 seconds, or until their own name changes. Each use of one of an alias begins
 * its time anew. Fails when an answer is wrong that is older.
 *
 * Smallest: two waits are 11 seconds in sum, and 10 at most each.
 *
 *     resolver            a is 0, b is a, ask b, remove a, wait 1, ask b, wait 10, ask b
 *         0180000034c00080009ac000678000cd019ac000cde79ac000
 */
enum { NAMES = 9, HOPS_MAX = 4, TIME_TO_LIVE = 10 };

typedef struct entry {
    enum { NOTHING, ADDRESS, ALIAS } what;
    size_t is; /* the address or the other name */
    bool is_cached;
    size_t answer;
    unsigned found, used; /* when */
} entry;

static bool draw_name(frng *f, size_t *name) {
    char text[3];
    FRNG_TRY(frng_string(f, "ab", 1, 2, text));
    *name = (size_t)(text[0] - 'a') * 3 + (text[1] != '\0' ? (size_t)(text[1] - 'a') + 1 : 0);
    return true;
}

/* Return the entry of an address, or of none. */
static const entry *resolve(const entry *names, size_t name) {
    const entry *e = &names[name];
    for (int hops = 0; e->what == ALIAS && hops < HOPS_MAX; hops++) e = &names[e->is];
    return e;
}

static void ask(entry *names, size_t name, unsigned now) {
    entry *e = &names[name];
    const entry *to = resolve(names, name);
    if (!e->is_cached || now - e->used > TIME_TO_LIVE) {
        e->is_cached = to->what == ADDRESS;
        e->answer = to->is;
        e->found = e->used = now;
    }
    if (!e->is_cached) return;
    const bool is_right = to->what == ADDRESS && to->is == e->answer;
    FRNG_ASSERT(is_right || now - e->found <= TIME_TO_LIVE, "%zu", e->answer);
    if (e->what == ALIAS) e->used = now;
}

static bool resolver(frng *f) {
    enum { SET, LINK, REMOVE, ASK, WAIT };
    entry names[NAMES] = {{.what = NOTHING}};
    unsigned now = 0;
    for (;;) {
        uint8_t number;
        size_t name, to;
        DRAW(uint8_t, what, frng_u8_max, f, WAIT);
        if (what == WAIT) {
            FRNG_TRY(frng_u8_range(f, 1, 10, &number));
            now += number;
            continue;
        }
        FRNG_TRY(draw_name(f, &name));
        if (what == ASK) {
            ask(names, name, now);
            continue;
        }
        entry e = {.what = NOTHING};
        if (what == SET) {
            FRNG_TRY(frng_u8(f, &number));
            e = (entry){.what = ADDRESS, .is = number};
        } else if (what == LINK) {
            FRNG_TRY(draw_name(f, &to));
            e = (entry){.what = ALIAS, .is = to};
        }
        names[name] = e;
    }
}

/* routes: the longest prefix of an 8-bit address decides where it goes, and of equal ones the last.
 * Answers are remembered. A route that is added ends those for shorter prefixes. Fails when an
 * address is sent to where it does not go. Those below 16 are never looked up.
 *
 * Smallest: the same prefix again.
 *
 *     routes              add 0/1 0, find 16, add 0/1 1, find 16
 *         01000000ab0101000020ab01
 */
enum { ROUTES_MAX = 32, ADDRESSES = 256 };

typedef struct route {
    uint8_t prefix, length, to;
} route;

static bool covers(const route *r, size_t address) {
    return (address ^ r->prefix) >> (8 - r->length) == 0;
}

static route find_route(const route *routes, size_t count, size_t address) {
    route best = {.length = 0};
    for (size_t i = 0; i < count; i++) {
        if (covers(&routes[i], address) && routes[i].length >= best.length) best = routes[i];
    }
    return best;
}

static bool routes(frng *f) {
    enum { ADD, REMOVE, FIND };
    route all[ROUTES_MAX], r, found[ADDRESSES] = {{0}};
    bool is_known[ADDRESSES] = {false};
    size_t count = 0;
    for (;;) {
        DRAW(uint8_t, what, frng_u8_max, f, FIND);
        if (what == ADD) {
            FRNG_TRY(frng_u8(f, &r.prefix) && frng_u8_range(f, 1, 8, &r.length));
            FRNG_TRY(frng_u8_max(f, 7, &r.to));
            if (count == ROUTES_MAX) continue;
            all[count++] = r;
            for (size_t i = 0; i < ADDRESSES; i++) {
                if (covers(&r, i) && r.length > found[i].length) is_known[i] = false;
            }
        } else if (what == FIND) {
            DRAW(uint8_t, address, frng_u8_range, f, 16, ADDRESSES - 1);
            const route right = find_route(all, count, address), *known = &found[address];
            if (!is_known[address]) found[address] = right;
            is_known[address] = true;
            FRNG_ASSERT(known->to == right.to, "%u to %u, not %u", address, known->to, right.to);
        } else if (count > 0) {
            DRAW(size_t, at, frng_pick, f, count);
            memmove(&all[at], &all[at + 1], (--count - at) * sizeof *all);
            memset(is_known, 0, sizeof is_known);
        }
    }
}

/* sheet: six cells that hold numbers, or sums or products of two others. When one changes, the
 * formulas are computed in the order of their cells. Fails when a wrong number is shown.
 *
 * Smallest: a formula needs a later one, which needs a number other than 0.
 *
 *     sheet               0 is 1, 1 is 0 + 2, 2 is 0 + 0, show 1
 *         010104562c0001565656000101ab2c
 */
enum { CELLS = 6 };

typedef struct formula {
    bool is_formula, multiplies;
    size_t a, b;
    unsigned value;
} formula;

static bool depends(const formula *cells, size_t at, size_t on) {
    const formula *c = &cells[at];
    return at == on || (c->is_formula && (depends(cells, c->a, on) || depends(cells, c->b, on)));
}

static unsigned compute(const formula *c, unsigned a, unsigned b) {
    return c->multiplies ? a * b : a + b;
}

static unsigned value_of(const formula *cells, size_t at) {
    const formula *c = &cells[at];
    if (!c->is_formula) return c->value;
    return compute(c, value_of(cells, c->a), value_of(cells, c->b));
}

static bool sheet(frng *f) {
    enum { SET, FORMULA, SHOW };
    formula cells[CELLS] = {{false}}, c = {false};
    size_t at;
    for (;;) {
        uint8_t what;
        FRNG_TRY(frng_u8_max(f, SHOW, &what) && frng_pick(f, CELLS, &at));
        if (what == SET) {
            DRAW(uint8_t, number, frng_u8_max, f, 99);
            cells[at] = (formula){.value = number};
        } else if (what == FORMULA) {
            c.is_formula = true;
            FRNG_TRY(frng_bool(f, &c.multiplies));
            FRNG_TRY(frng_pick(f, CELLS, &c.a) && frng_pick(f, CELLS, &c.b));
            if (!depends(cells, c.a, at) && !depends(cells, c.b, at)) cells[at] = c;
        } else {
            FRNG_ASSERT(cells[at].value == value_of(cells, at), "%u", cells[at].value);
        }
        for (size_t i = 0; i < CELLS; i++) {
            formula *each = &cells[i];
            if (each->is_formula)
                each->value = compute(each, cells[each->a].value, cells[each->b].value);
        }
    }
}

/* templates: up to 12 templates of tasks, with a parent or without, of which each has some of three
 * settings, and tasks made of them. A setting is that of the nearest template that has it, else 0.
 * From the third generation on, one of 0 counts as none. Fails when a task has a wrong setting.
 *
 * Smallest: the second of three generations has what the third one resets.
 *
 *     templates           0 {}, 1 of 0 {1}, 2 of 1 {0}, task of 2
 *         2500002580010d25ab01010125ab
 */
enum { TEMPLATES_MAX = 12, SETTINGS = 3 };

typedef struct task {
    size_t parent, generation; /* from 1 on; 0 is none */
    uint64_t has;
    uint8_t settings[SETTINGS];
} task;

static unsigned setting_of(const task *all, size_t at, size_t which, size_t no_zeros_from) {
    const task *t = &all[at];
    if (at == 0) return 0;
    const bool counts = t->settings[which] > 0 || t->generation < no_zeros_from;
    if ((t->has >> which & 1) != 0 && counts) return t->settings[which];
    return setting_of(all, t->parent, which, no_zeros_from);
}

static bool templates(frng *f) {
    task all[TEMPLATES_MAX + 1] = {{0}};
    size_t count;
    bool more;
    for (count = 0;; count++) {
        task *t = &all[count + 1];
        FRNG_TRY(frng_more(f, count, 1, TEMPLATES_MAX, &more));
        if (!more) break;
        FRNG_TRY(frng_pick(f, count + 1, &t->parent) && frng_subset(f, SETTINGS, &t->has));
        t->generation = all[t->parent].generation + 1;
        for (size_t i = 0; i < SETTINGS; i++) {
            if ((t->has >> i & 1) != 0) FRNG_TRY(frng_u8_max(f, 20, &t->settings[i]));
        }
    }
    for (size_t tasks = 0;; tasks++) {
        FRNG_TRY(frng_more(f, tasks, 0, 10, &more));
        if (!more) return true;
        DRAW(size_t, at, frng_pick, f, count);
        for (size_t i = 0; i < SETTINGS; i++) {
            const unsigned right = setting_of(all, at + 1, i, SIZE_MAX);
            const unsigned wrong = setting_of(all, at + 1, i, 3);
            FRNG_ASSERT(right == wrong, "%u, not %u", wrong, right);
        }
    }
}

/* timers: a wheel of 8 slots of a tick each for timers that are due soon, and one of 8 slots of 8
 * ticks for others, which move to the first one when their 8 ticks begin. They do so after the
 * timers of that tick were fired. Fails when one is fired at a wrong time.
 *
 * Smallest: one that is due when its 8 ticks begin is fired at 16.
 *
 *     timers              start 8, tick 6, tick 10
 *         011fab81abe7
 */
enum { TIMERS_MAX = 32, SLOTS = 8 };

typedef struct timer {
    bool is_near;
    unsigned due;
} timer;

static void tick(timer *timers, size_t *count, unsigned now) {
    size_t left = 0;
    for (size_t i = 0; i < *count; i++) {
        const timer *t = &timers[i];
        if (t->is_near && t->due % SLOTS == now % SLOTS) {
            FRNG_ASSERT(t->due == now, "due at %u, fired at %u", t->due, now);
        } else {
            timers[left++] = *t;
        }
    }
    *count = left;
    for (size_t i = 0; i < left && now % SLOTS == 0; i++) {
        timers[i].is_near |= timers[i].due / SLOTS % SLOTS == now / SLOTS % SLOTS;
    }
}

static bool timers(frng *f) {
    enum { START, CANCEL, TICK };
    timer all[TIMERS_MAX];
    size_t count = 0;
    unsigned now = 0;
    for (;;) {
        uint8_t ticks;
        DRAW(uint8_t, what, frng_u8_max, f, TICK);
        if (what == START) {
            FRNG_TRY(frng_u8_range(f, 1, SLOTS * SLOTS - 4, &ticks));
            if (count < TIMERS_MAX) all[count++] = (timer){ticks < SLOTS, now + ticks};
        } else if (what == TICK) {
            FRNG_TRY(frng_u8_range(f, 1, 10, &ticks));
            for (; ticks > 0; ticks--) tick(all, &count, ++now);
        } else if (count > 0) {
            DRAW(size_t, at, frng_pick, f, count);
            memmove(&all[at], &all[at + 1], (--count - at) * sizeof *all);
        }
    }
}

/* transfers: accounts in four currencies, of which one is worth 1, 5, 7 or 8. Between two that are
 * not worth 1, what arrives is rounded up. Fails when a transfer gains 7 or more.
 *
 * Smallest: 25 become 32.
 *
 *     transfers           open 1, deposit 0 5, open 3, transfer 0 1 5
 *         b4400100de240601b4c04e0080de240601
 */
enum { ACCOUNTS_MAX = 16 };

typedef struct account {
    size_t currency;
    uint32_t amount;
} account;

static void transfer(account *from, account *to, uint32_t amount) {
    static const uint32_t worth[] = {1, 5, 7, 8};
    if (amount > from->amount) return;
    const uint32_t value = amount * worth[from->currency], unit = worth[to->currency];
    const bool rounds_up = from->currency > 0 && to->currency > 0;
    const uint32_t arriving = (value + (rounds_up ? unit - 1 : 0)) / unit;
    FRNG_ASSERT(arriving * unit < value + 7, "%u become %u", value, arriving * unit);
    from->amount -= amount;
    to->amount += arriving;
}

static bool transfers(frng *f) {
    enum { DEPOSIT, TRANSFER, OPEN, CLOSE, KINDS };
    static const uint32_t weights[KINDS] = {3, 4, 2, 1};
    account accounts[ACCOUNTS_MAX];
    size_t count = 0, to;
    for (;;) {
        DRAW(size_t, what, frng_pick_weighted, f, weights, KINDS);
        if (what == OPEN) {
            FRNG_TRY(frng_pick(f, 4, &to));
            if (count < ACCOUNTS_MAX) accounts[count++] = (account){to, 0};
        }
        if (what == OPEN || count == 0) continue;
        DRAW(size_t, at, frng_pick, f, count);
        if (what == CLOSE) {
            memmove(&accounts[at], &accounts[at + 1], (--count - at) * sizeof *accounts);
        } else {
            if (what == TRANSFER) FRNG_TRY(frng_pick(f, count, &to));
            DRAW(uint32_t, amount, frng_u32_range, f, 1, 1000);
            if (what == DEPOSIT)
                accounts[at].amount += amount;
            else
                transfer(&accounts[at], &accounts[to], amount);
        }
    }
}

const challenge training[] = {
    {"book", book, AS_IS},
    {"collector", collector, AS_IS},
    {"patterns", patterns, REPEATS},
    {"permissions", permissions, AS_IS},
    {"resolver", resolver, AS_IS},
    {"routes", routes, AS_IS},
    {"sheet", sheet, AS_IS},
    {"templates", templates, REPEATS},
    {"timers", timers, AS_IS},
    {"transfers", transfers, AS_IS},
    {NULL, NULL, AS_IS},
};

/* machines.c: challenges of the shapes that users write, whose tests do one operation after the
 * other to something. SPDX-License-Identifier: MIT */
#include "challenge.h"

/* allocator: 100 units in blocks. The first free block that is large enough is taken, and a block
 * that is freed joins the free one before it, but not the one behind. Fails when so many free units
 * follow each other as were asked for, and there is no such block.
 *
 * Smallest: a block of 37 units that becomes free beside the other 63, and 64 asked for.
 *
 *     allocator           take 37, free 0, take 64
 *         0090010000fc
 */
enum { UNITS = 100, TAKEN_MAX = 64 };

typedef struct block {
    unsigned size;
    bool is_taken;
} block;

typedef struct memory {
    block blocks[UNITS + 1];
    size_t count, taken;
} memory;

static void take(memory *h, unsigned size) {
    unsigned row = 0, largest = 0;
    for (size_t i = 0; i < h->count; i++) {
        block *b = &h->blocks[i];
        row = b->is_taken ? 0 : row + b->size;
        if (row > largest) largest = row;
        if (b->is_taken || b->size < size) continue;
        if (b->size > size) {
            memmove(b + 1, b, (h->count++ - i) * sizeof *b);
            b[1].size -= size;
            b->size = size;
        }
        b->is_taken = true;
        h->taken++;
        return;
    }
    FRNG_ASSERT(largest < size, "%u are free, %u asked for", largest, size);
}

static void release(memory *h, size_t index) {
    block *b = h->blocks;
    while (!b->is_taken || index-- > 0) b++;
    b->is_taken = false;
    h->taken--;
    const size_t at = (size_t)(b - h->blocks);
    if (at == 0 || b[-1].is_taken) return;
    b[-1].size += b->size;
    memmove(b, b + 1, (h->count-- - at) * sizeof *b);
}

static bool allocator(frng *f) {
    memory h = {.blocks = {{.size = UNITS}}, .count = 1};
    for (;;) {
        bool frees;
        uint8_t size;
        size_t index;
        FRNG_TRY(frng_bool(f, &frees));
        if (!frees) {
            FRNG_TRY(frng_u8_range(f, 1, TAKEN_MAX, &size));
            take(&h, size);
        } else if (h.taken > 0) {
            FRNG_TRY(frng_pick(f, h.taken, &index));
            release(&h, index);
        }
    }
}

/* connection: four connections, with operations on one of them each. Fails when an answer comes to
 * a connection that was closed while it waited for one, and opened again.
 *
 * Smallest: nothing but these five, on connection 0.
 *
 *     connection          open 0, send 0 0, close 0, open 0, answer 0
 *         0100340000670001009a00
 */
static bool connection(frng *f) {
    enum { CONNECTIONS = 4 };
    enum { OPEN, SEND, CLOSE, ANSWER, TICK };
    bool is_open[CONNECTIONS] = {false}, waits[CONNECTIONS] = {false};
    bool is_stale[CONNECTIONS] = {false};
    for (;;) {
        uint8_t what, at, length;
        FRNG_TRY(frng_u8_max(f, TICK, &what) && frng_u8_max(f, CONNECTIONS - 1, &at));
        if (what == OPEN && !is_open[at]) {
            is_open[at] = true;
            is_stale[at] = waits[at];
            waits[at] = false;
        } else if (what == SEND) {
            FRNG_TRY(frng_u8(f, &length));
            waits[at] |= is_open[at];
        } else if (what == CLOSE) {
            is_open[at] = false;
        } else if (what == ANSWER && is_open[at]) {
            FRNG_ASSERT(!is_stale[at], "an answer from before");
            waits[at] = false;
        } else if (what == TICK) {
            memset(is_stale, 0, sizeof is_stale);
        }
    }
}

/* handles: objects that link to each other, each named by its place among those alive. Dropping one
 * ends the links to it, but forgets those from objects of its own colour. Fails when a link is
 * followed to an object that is gone.
 *
 * Smallest: one object links to another one of its colour, which is dropped.
 *
 *     handles             create 0, create 0, link 0 1, drop 1, follow 0
 *         000100014000808080c000
 */
enum { OBJECTS_MAX = 32 };

typedef struct object {
    unsigned id, link; /* ids begin with 1 */
    uint8_t colour;
} object;

typedef struct pool {
    object alive[OBJECTS_MAX];
    size_t count;
    unsigned last_id;
} pool;

static bool create(frng *f, pool *p) {
    uint8_t colour;
    FRNG_TRY(frng_u8_max(f, 2, &colour));
    if (p->count < OBJECTS_MAX)
        p->alive[p->count++] = (object){.id = ++p->last_id, .colour = colour};
    return true;
}

static void drop(pool *p, size_t at) {
    const object gone = p->alive[at];
    p->count--;
    memmove(&p->alive[at], &p->alive[at + 1], (p->count - at) * sizeof(object));
    for (size_t i = 0; i < p->count; i++) {
        object *o = &p->alive[i];
        if (o->link == gone.id && o->colour != gone.colour) o->link = 0;
    }
}

static void follow(const pool *p, unsigned link) {
    bool found = link == 0;
    for (size_t i = 0; i < p->count; i++) found |= p->alive[i].id == link;
    FRNG_ASSERT(found, "object %u is gone", link);
}

static bool handles(frng *f) {
    enum { CREATE, LINK, DROP, FOLLOW };
    pool p = {.count = 0};
    for (;;) {
        uint8_t what;
        size_t at, to;
        FRNG_TRY(frng_u8_max(f, FOLLOW, &what));
        if (what == CREATE) FRNG_TRY(create(f, &p));
        if (what == CREATE || p.count == 0) continue;
        FRNG_TRY(frng_pick(f, p.count, &at));
        if (what == LINK) {
            FRNG_TRY(frng_pick(f, p.count, &to));
            if (to != at) p.alive[at].link = p.alive[to].id;
        } else if (what == DROP) {
            drop(&p, at);
        } else {
            follow(&p, p.alive[at].link);
        }
    }
}

/* intervals: a set of intervals of 0..99 that are added and removed. An added one is joined to one
 * that it touches at each side. Fails when three become one of 24 or more: their names are too long
 * for its buffer.
 *
 * Smallest: two of 4 and 10, and what is between them.
 *
 *     intervals           add 0 4, add 14 10, add 4 10
 *         01014e0125e7010be7
 */
enum { INTERVALS_END = 100, LENGTH_MAX = 10, NAME_MAX = 24 };

/* Return how many follow each other from `at` on. */
static unsigned row_from(const bool *has, int at, int step) {
    unsigned count = 0;
    for (; at >= 0 && has[at]; at += step) count++;
    return count;
}

/* has[0] is -1. */
static void add(bool *has, unsigned start, unsigned length) {
    const bool is_free = memchr(&has[start + 1], true, length) == NULL;
    const unsigned before = row_from(has, (int)start, -1);
    const unsigned after = row_from(has, (int)(start + length) + 1, 1);
    memset(&has[start + 1], true, length);
    if (!is_free || before == 0 || after == 0) return;
    FRNG_ASSERT(before + length + after < NAME_MAX, "%u and %u and %u", before, length, after);
}

static bool intervals(frng *f) {
    bool has[INTERVALS_END + LENGTH_MAX + 2] = {false};
    for (;;) {
        uint8_t removes, start, length;
        FRNG_TRY(frng_u8_max(f, 2, &removes) && frng_u8_max(f, INTERVALS_END - 1, &start));
        FRNG_TRY(frng_u8_range(f, 1, LENGTH_MAX, &length));
        if (removes < 2)
            add(has, start, length);
        else
            memset(&has[start + 1], false, length);
    }
}

/* ledger: four accounts with deposits, withdrawals and interest of a tenth. Fails when two accounts
 * that have 100 or more are equal and one of them has earned interest.
 *
 * Smallest: 91 and its interest against 100.
 *
 *     ledger              deposit 0 91, deposit 1 100, interest 0
 *         01005d014066ab00
 */
enum { ACCOUNTS = 4 };

typedef struct account {
    unsigned balance;
    bool has_earned;
} account;

static void check_accounts(const account *a, const account *b) {
    if (a == b || a->balance != b->balance || a->balance < 100) return;
    FRNG_ASSERT(!a->has_earned && !b->has_earned, "both have %u", a->balance);
}

static bool ledger(frng *f) {
    enum { DEPOSIT, WITHDRAW, INTEREST };
    account accounts[ACCOUNTS] = {{0}};
    for (;;) {
        uint8_t what, amount;
        size_t at;
        FRNG_TRY(frng_u8_max(f, INTEREST, &what) && frng_pick(f, ACCOUNTS, &at));
        account *a = &accounts[at];
        if (what == INTEREST) {
            a->has_earned |= a->balance >= 10;
            a->balance += a->balance / 10;
            if (a->balance > 2000) *a = (account){0};
        } else {
            FRNG_TRY(frng_u8_range(f, 1, 250, &amount));
            if (what == DEPOSIT)
                a->balance += amount;
            else if (amount <= a->balance)
                a->balance -= amount;
        }
        for (size_t i = 0; i < ACCOUNTS; i++) check_accounts(a, &accounts[i]);
    }
}

/* schedule: up to 4 threads, each of which pops and pushes back an item so many times. Each time it
 * reads the top with its version, which has one bit, and then swaps it if it is the same. Fails
 * when a swap succeeds though others have come between.
 *
 * Smallest: between the steps of one thread, another one swaps twice.
 *
 *     schedule            2 threads, 1 and 2 times: 0 1 1 1 1 0
 *         40010200000000000000000000000000000080000000000000008000000000000000800000000000
 *         0000800000000000000000
 */
enum { THREADS_MAX = 4 };

typedef struct thread {
    uint8_t left;
    bool has_read;
    unsigned seen;
} thread;

static void step(thread *t, unsigned *version) {
    t->has_read = !t->has_read;
    if (t->has_read) {
        t->seen = *version;
    } else if (t->seen % 2 == *version % 2) { /* else again */
        FRNG_ASSERT(t->seen == *version, "%u swaps between", *version - t->seen);
        ++*version;
        t->left--;
    }
}

static bool schedule(frng *f) {
    thread threads[THREADS_MAX] = {{0}};
    uint8_t count;
    unsigned version = 0;
    FRNG_TRY(frng_u8_range(f, 1, THREADS_MAX, &count));
    for (size_t i = 0; i < count; i++) FRNG_TRY(frng_u8_range(f, 1, 200, &threads[i].left));
    for (;;) {
        size_t at, running = 0, those[THREADS_MAX];
        for (size_t i = 0; i < count; i++) {
            if (threads[i].left > 0) those[running++] = i;
        }
        if (running == 0) return true;
        FRNG_TRY(frng_index(f, running, &at));
        step(&threads[those[at]], &version);
    }
}

/* stack_machine: a calculator with a stack. An instruction that lacks operands does nothing. Fails
 * when it shows a number of 1000 or more.
 *
 * Smallest: of the ways to 1000 in so few bytes, the one with the smallest first number.
 *
 *     stack_machine       push 6, duplicate, multiply, duplicate, multiply, show
 *         0130b86fb86fdc
 */
enum { STACK_MAX = 32, PUSH = 0, SUM, SWAP, MULTIPLY, POP, DUPLICATE, SHOW };

typedef struct machine {
    uint64_t stack[STACK_MAX + 1];
    size_t depth;
} machine;

static void put(machine *m, uint64_t number) {
    if (m->depth < STACK_MAX) m->stack[m->depth++] = number & 0xffff;
}

static void combine(machine *m, unsigned what) {
    const uint64_t b = m->stack[--m->depth], a = m->stack[--m->depth];
    if (what == SWAP) put(m, b);
    put(m, what == SUM ? a + b : what == MULTIPLY ? a * b : a);
}

static bool stack_machine(frng *f) {
    machine m = {.depth = 0};
    for (;;) {
        uint8_t what, number;
        FRNG_TRY(frng_u8_max(f, SHOW, &what));
        if (what == PUSH) {
            FRNG_TRY(frng_u8_max(f, 31, &number));
            put(&m, number);
        } else if (what <= MULTIPLY) {
            if (m.depth >= 2) combine(&m, what);
        } else if (m.depth > 0) {
            const uint64_t top = m.stack[m.depth - 1];
            FRNG_ASSERT(what != SHOW || top < 1000, "%u", (unsigned)top);
            if (what == POP) m.depth--;
            if (what == DUPLICATE) put(&m, top);
        }
    }
}

const challenge machines[] = {
    {"allocator", allocator, AS_IS},
    {"connection", connection, AS_IS},
    {"handles", handles, AS_IS},
    {"intervals", intervals, AS_IS},
    {"ledger", ledger, AS_IS},
    {"schedule", schedule, AS_IS},
    {"stack_machine", stack_machine, AS_IS},
    {NULL, NULL, AS_IS},
};

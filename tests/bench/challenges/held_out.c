/* held_out.c: whole little tests as users write them. Nothing may be tuned to these: they tell what
 * improvements are worth that were made on others. SPDX-License-Identifier: MIT */
#include "challenge.h"

/* blocks: text templates of nested blocks, which show and set four variables. What a block sets is
 * undone at its end, but not by a plain block within a loop. Fails when a wrong value is shown.
 *
 * Smallest: one of each.
 *
 *     blocks              loop 1 { block { set 0 1 } show 0 }
 *         2bc0402b802b400004012b00000101
 */
enum { VARIABLES = 4, ITEMS_MAX = 60, NESTED_MAX = 4 };

typedef struct item {
    enum { SHOW, SET, BLOCK, LOOP } what;
    size_t variable, end; /* of a block: the item behind it */
    uint8_t number;
} item;

static bool draw_items(frng *f, item *all, size_t *count, int depth) {
    for (size_t n = 0;; n++) {
        DRAW(bool, more, frng_more, f, n, 0, 8);
        if (!more || *count == ITEMS_MAX) return true;
        item *i = &all[(*count)++];
        DRAW(uint8_t, what, frng_u8_max, f, depth < NESTED_MAX ? LOOP : SET);
        i->what = what;
        if (what <= SET) FRNG_TRY(frng_pick(f, VARIABLES, &i->variable));
        if (what == SET) FRNG_TRY(frng_u8_max(f, 99, &i->number));
        if (what == LOOP) FRNG_TRY(frng_u8_max(f, 3, &i->number));
        if (what >= BLOCK) FRNG_TRY(draw_items(f, all, count, depth + 1));
        i->end = *count;
    }
}

static void show(const item *all, size_t end, size_t at, bool loops, uint8_t *right,
                 uint8_t *wrong) {
    for (; at < end; at = all[at].end) {
        const item *i = &all[at];
        const size_t v = i->variable;
        if (i->what == SHOW) FRNG_ASSERT(right[v] == wrong[v], "%u, not %u", wrong[v], right[v]);
        if (i->what == SET) right[v] = wrong[v] = i->number;
        for (unsigned k = i->what == BLOCK ? 1 : i->what == LOOP ? i->number : 0; k > 0; k--) {
            uint8_t within[VARIABLES], wrongly[VARIABLES];
            memcpy(within, right, VARIABLES);
            memcpy(wrongly, wrong, VARIABLES);
            show(all, i->end, at + 1, i->what == LOOP, within,
                 loops && i->what == BLOCK ? wrong : wrongly);
        }
    }
}

static bool blocks(frng *f) {
    item all[ITEMS_MAX];
    size_t count = 0;
    uint8_t right[VARIABLES] = {0}, wrong[VARIABLES] = {0};
    FRNG_TRY(draw_items(f, all, &count, 0));
    show(all, count, 0, false, right, wrong);
    return true;
}

/* doors: two doors. A badge unlocks one for 5 seconds. It can be pushed open while it is unlocked,
 * and locks when it is shut, but the time that was begun goes on. Fails when a door is locked
 * within 5 seconds of a badge, and was not shut.
 *
 * Smallest: 4 seconds of the first badge are left when the second one comes, and then pass.
 *
 *     doors               badge 0, push 0, shut 0, wait 1, badge 0, wait 4, push 0
 *         000040008000c0010000c04e4000
 */
enum { OPEN_FOR = 5 };

typedef struct door {
    bool is_open, is_unlocked;
    unsigned until;   /* it is locked at this time; 0: at none */
    unsigned rightly; /* ... and should be */
} door;

static bool doors(frng *f) {
    enum { BADGE, PUSH, SHUT, WAIT };
    door doors[2] = {{false}};
    unsigned now = 0;
    for (;;) {
        DRAW(uint8_t, what, frng_u8_max, f, WAIT);
        if (what == WAIT) {
            DRAW(uint8_t, seconds, frng_u8_range, f, 1, 10);
            now += seconds;
            continue;
        }
        DRAW(size_t, at, frng_pick, f, 2);
        door *d = &doors[at];
        if (d->until != 0 && now >= d->until) {
            d->is_unlocked = false;
            d->until = 0;
        }
        if (what == BADGE) {
            d->rightly = now + OPEN_FOR;
            if (d->until == 0 || d->is_unlocked) d->until = d->rightly;
            d->is_unlocked = true;
        } else if (what == SHUT && d->is_open) {
            d->is_open = d->is_unlocked = false;
            d->rightly = 0;
        } else if (what == PUSH) {
            FRNG_ASSERT(d->is_unlocked || now >= d->rightly, "locked at %u", now);
            d->is_open |= d->is_unlocked;
        }
    }
}

/* editor: a text that letters are put into and deleted from, with undo and redo. A new change ends
 * what can be made again, unless it adds to the end of the text. Fails when something is made again
 * in a text that it was not made in.
 *
 * Smallest: two changes are undone. Letter b is what was not there before, in the fewest bytes.
 *
 *     editor              put 0 a, delete 0, undo, undo, put 0 b, redo
 *         000056014000808000008f01c0
 */
enum { TEXT_MAX = 24, CHANGES_MAX = 64 };

typedef struct change {
    char before[TEXT_MAX + 1], after[TEXT_MAX + 1];
} change;

static bool editor(frng *f) {
    enum { PUT, DELETE, UNDO, REDO };
    static change all[CHANGES_MAX];
    char text[TEXT_MAX + 1] = "", more[5];
    size_t made = 0, end = 0;
    for (;;) {
        change *c = &all[made];
        const size_t length = strlen(text);
        DRAW(uint8_t, what, frng_u8_max, f, REDO);
        if (what == UNDO && made > 0) strcpy(text, all[--made].before);
        if (what == REDO && made < end) {
            FRNG_ASSERT(strcmp(text, c->before) == 0, "%s, not %s", text, c->before);
            strcpy(text, c->after);
            made++;
        }
        if (what >= UNDO) continue;
        DRAW(size_t, at, frng_pick, f, length + 1);
        if (what == PUT) FRNG_TRY(frng_string(f, "abc", 1, sizeof more - 1, more));
        if (made == CHANGES_MAX || (what == PUT ? length + strlen(more) > TEXT_MAX : at == length))
            continue;
        strcpy(c->before, text);
        strcpy(&text[at], what == PUT ? more : "");
        strcat(text, &c->before[what == PUT ? at : at + 1]);
        strcpy(c->after, text);
        made++;
        if (what == DELETE || at < length || end < made) end = made;
    }
}

/* jobs: up to 10 jobs with the earlier ones that they need, a list with repetitions, and two
 * workers. A job begins when as many of those in its list are done as it has different ones. Fails
 * when one begins before another one that it needs is done.
 *
 * Smallest: of the first two jobs, which begin together, the second one is longer.
 *
 *     jobs                3: 1, 2, 1 after 0 0 1
 *         34010e01019a000000000000000000000000000000000000000000000080
 */
enum { JOBS_MAX = 10, NEEDS_MAX = 4 };

typedef struct job {
    uint8_t seconds, needs;
    size_t needed[NEEDS_MAX];
    unsigned ends; /* 0: it has not begun */
} job;

/* How many of those that a job needs are done now, or are at all. */
static unsigned count_needs(const job *all, const job *j, unsigned now, bool once) {
    unsigned count = 0;
    for (size_t i = 0; i < j->needs; i++) {
        bool is_new = true;
        for (size_t k = 0; k < i; k++) is_new &= j->needed[k] != j->needed[i];
        const unsigned ends = all[j->needed[i]].ends;
        count += (is_new || !once) && (now == 0 || (ends > 0 && ends <= now));
    }
    return count;
}

static bool jobs(frng *f) {
    job all[JOBS_MAX] = {{0}};
    DRAW(uint8_t, count, frng_u8_range, f, 1, JOBS_MAX);
    for (size_t i = 0; i < count; i++) {
        FRNG_TRY(frng_u8_range(f, 1, 20, &all[i].seconds));
        if (i > 0) FRNG_TRY(frng_u8_max(f, NEEDS_MAX, &all[i].needs));
        for (size_t k = 0; k < all[i].needs; k++) FRNG_TRY(frng_index(f, i, &all[i].needed[k]));
    }
    for (unsigned now = 1; now <= 20 * JOBS_MAX; now++) {
        unsigned busy = 0;
        for (size_t i = 0; i < count; i++) busy += all[i].ends > now;
        for (size_t i = 0; i < count; i++) {
            const unsigned needs = count_needs(all, &all[i], 0, true);
            if (all[i].ends > 0 || busy == 2 || count_needs(all, &all[i], now, false) < needs)
                continue;
            FRNG_ASSERT(count_needs(all, &all[i], now, true) == needs, "job %zu", i);
            all[i].ends = now + all[i].seconds;
            busy++;
        }
    }
    return true;
}

/* links: folders and links to them, which are named by their place among those that there are.
 * Moving a folder into itself is refused, also by a link, but not by a link to a link. Fails when a
 * folder cannot be reached any more.
 *
 * Smallest: a link to a link to the folder that is moved to it.
 *
 *     links               folder in 0, link in 0 to 1, link in 0 to 2, move 1 to 3
 *         00004000804001ab8040c0c040
 */
enum { PATHS_MAX = 24 };

typedef struct path {
    size_t parent, target; /* target: of a link; 0: a folder, and so are links to the first one */
} path;

static size_t follow_links(const path *all, size_t at, int hops) {
    for (; all[at].target != 0 && hops > 0; hops--) at = all[at].target;
    return at;
}

/* Is `at` in `folder`, or is it that? */
static bool is_within(const path *all, size_t at, size_t folder) {
    for (int depth = 0; depth < PATHS_MAX && at != folder; depth++) at = all[at].parent;
    return at == folder;
}

static bool links(frng *f) {
    enum { FOLDER, LINK, MOVE, LIST };
    path all[PATHS_MAX] = {{0}};
    size_t count = 1, at, to;
    for (;;) {
        uint8_t what;
        FRNG_TRY(frng_u8_max(f, LIST, &what) && frng_pick(f, count, &at));
        if (what == LINK || what == MOVE) FRNG_TRY(frng_pick(f, count, &to));
        if (what <= LINK && count < PATHS_MAX) {
            all[count++] = (path){follow_links(all, at, PATHS_MAX), what == LINK ? to : 0};
        } else if (what == MOVE && at > 0 && !is_within(all, follow_links(all, to, 1), at)) {
            all[at].parent = follow_links(all, to, PATHS_MAX);
        } else if (what == LIST) {
            FRNG_ASSERT(is_within(all, at, 0), "%zu is lost", at);
        }
    }
}

/* locks: four transactions, each of which locks resources, shared or not, and waits for those that
 * have locked them before. One that would wait for itself is refused; for this the first one of
 * those that each waits for is looked at. Fails when some wait for each other.
 *
 * Smallest: 0 waits for 1 and 2, and 2 for 0, where 1 comes before 2.
 *
 *     locks               0 0, 1 0, 0 0 alone, 2 0, 2 0 alone
 *         0000015655555500400156555555000001010000000080015655555500800101000000
 */
enum { ACTORS = 4, RESOURCES = 3 };

typedef struct locks_state {
    unsigned shared[RESOURCES], exclusive[RESOURCES]; /* actors as bits */
    bool waits[ACTORS], exclusively[ACTORS];
    size_t resource[ACTORS];
} locks_state;

/* Return those that an actor waits for. */
static unsigned before(const locks_state *l, size_t actor) {
    const size_t r = l->resource[actor];
    const unsigned all = l->exclusive[r] | (l->exclusively[actor] ? l->shared[r] : 0);
    return l->waits[actor] ? all & ~(1u << actor) : 0;
}

static bool waits_for_itself(const locks_state *l, size_t actor, bool looks_at_all) {
    unsigned seen = 0, next = 1u << actor;
    while ((next & ~seen) != 0) {
        seen |= next;
        next = 0;
        for (size_t i = 0; i < ACTORS; i++) {
            const unsigned those = (seen >> i & 1) != 0 ? before(l, i) : 0;
            next |= looks_at_all ? those : those & (0 - those);
        }
        if ((next >> actor & 1) != 0) return true;
    }
    return false;
}

static void go_on(locks_state *l, size_t actor) {
    if (!l->waits[actor] || before(l, actor) != 0) return;
    unsigned *those = l->exclusively[actor] ? l->exclusive : l->shared;
    those[l->resource[actor]] |= 1u << actor;
    l->waits[actor] = false;
}

static bool locks(frng *f) {
    locks_state l = {{0}};
    for (;;) {
        bool ends;
        size_t actor;
        FRNG_TRY(frng_bool(f, &ends) && frng_pick(f, ACTORS, &actor));
        if (ends) {
            l.waits[actor] = false;
            for (size_t r = 0; r < RESOURCES; r++) {
                l.shared[r] &= ~(1u << actor);
                l.exclusive[r] &= ~(1u << actor);
            }
            for (size_t i = 0; i < ACTORS; i++) go_on(&l, i);
        } else if (!l.waits[actor]) {
            FRNG_TRY(frng_pick(f, RESOURCES, &l.resource[actor]));
            FRNG_TRY(frng_chance(f, 1, 3, &l.exclusively[actor]));
            l.waits[actor] = true;
            go_on(&l, actor);
            l.waits[actor] &= !waits_for_itself(&l, actor, false);
            FRNG_ASSERT(!waits_for_itself(&l, actor, true), "actor %zu", actor);
        }
    }
}

/* merge: documents of nothing, numbers and objects with up to three members, and patches of them:
 * members are replaced or, by nothing, removed. An object in place of a number is taken as it is,
 * with members of nothing. Fails when this matters.
 *
 * Smallest: no member can be fewer.
 *
 *     merge               {a: 0} and {a: {a: nothing}}
 *         ab015601ab01ab0101
 */
enum { MEMBERS = 3, DOCUMENTS_MAX = 80 };

typedef struct document {
    enum { NOTHING, NUMBER, OBJECT } what;
    uint8_t number;
    struct document *member[MEMBERS];
} document;

/* Draw one at *next, and move that behind all that is within. */
static bool draw_document(frng *f, document **next, int depth) {
    document *d = (*next)++;
    uint8_t what;
    uint64_t has;
    *d = (document){.what = NOTHING};
    FRNG_TRY(frng_u8_max(f, depth > 0 ? OBJECT : NUMBER, &what));
    d->what = what;
    if (what == NUMBER) return frng_u8_max(f, 99, &d->number);
    if (what == OBJECT) FRNG_TRY(frng_subset(f, MEMBERS, &has));
    for (size_t i = 0; i < MEMBERS && what == OBJECT; i++) {
        if ((has >> i & 1) == 0) continue;
        d->member[i] = *next;
        FRNG_TRY(draw_document(f, next, depth - 1));
    }
    return true;
}

static bool has_nothing(const document *d) {
    bool found = d->what == NOTHING;
    for (size_t i = 0; i < MEMBERS; i++) found |= d->member[i] != NULL && has_nothing(d->member[i]);
    return found;
}

static void patch(const document *d, const document *p) {
    if (d == NULL || p == NULL || p->what != OBJECT) return;
    FRNG_ASSERT(d->what != NUMBER || !has_nothing(p), "for %u", d->number);
    for (size_t i = 0; i < MEMBERS; i++) patch(d->member[i], p->member[i]);
}

static bool merge(frng *f) {
    static document all[DOCUMENTS_MAX];
    document *next = all;
    FRNG_TRY(draw_document(f, &next, 3));
    const document *p = next;
    FRNG_TRY(draw_document(f, &next, 3));
    if (all->what == OBJECT) patch(all, p);
    return true;
}

/* ring: records in a ring of 24 bytes; the oldest ones are dropped. One that does not fit at the
 * end begins at 0. One that then leaves no byte free makes the ring look empty. Fails when a record
 * that is read has other bytes than it had.
 *
 * Smallest: the third record, as long as the first, must not fit behind the second, 8 + 9 + 8 > 24.
 * The fourth one begins where the second does, which has another byte there.
 *
 *     ring                append 8 zeros, 9 zeros, drop, 8 zeros, 01, read the first one
 *         0100000000000000b400000000000000000100000000000000ce00000000000000000001000000
 *         000000800100000000000000b400000000000000000100000000000000010156555555555555d5
 *         01
 */
enum { RING = 24, RECORD_MAX = 10 };

typedef struct record {
    size_t at;
    uint8_t length, bytes[RECORD_MAX];
} record;

static bool ring(frng *f) {
    enum { APPEND, DROP, READ };
    static const uint32_t weights[] = {3, 2, 1};
    uint8_t bytes[RING];
    record all[RING];
    size_t count = 0, end = 0, at;
    for (;;) {
        record r;
        const uint8_t *drawn;
        DRAW(size_t, what, frng_weighted, f, weights, 3);
        if (what == DROP && count > 0) memmove(all, &all[1], --count * sizeof *all);
        if (what == READ && count > 0) {
            FRNG_TRY(frng_pick(f, count, &at));
            FRNG_ASSERT(memcmp(all[at].bytes, &bytes[all[at].at], all[at].length) == 0, "%zu", at);
        }
        if (what != APPEND) continue;
        FRNG_TRY(frng_u8_range(f, 1, RECORD_MAX, &r.length) && frng_bytes(f, r.length, &drawn));
        const size_t start = count > 0 ? all[0].at : 0;
        if (count == 0) end = 0;
        const bool is_wrapped = end < start;
        if (!is_wrapped && end + r.length > RING) end = 0;
        if ((is_wrapped || end == 0) && count > 0 && end + r.length > start) continue;
        r.at = end;
        memcpy(&bytes[end], drawn, r.length);
        memcpy(r.bytes, drawn, r.length);
        all[count++] = r;
        end += r.length;
    }
}

/* tombstones: a map of keys to values in 16 slots, where a key that is removed leaves a mark that
 * lookups go past. A key is put at the first mark, although it can be there behind it. Fails when
 * what is found for a key is not what there should be.
 *
 * Smallest: 16 is the least key that comes behind 0.
 *
 *     tombstones          put 0 0, put 16 0, remove 0, put 16 0, remove 16, get 16
 *         01000001400056000140005640ab40
 */
enum { KEYS = 64, MAP_SIZE = 16 };

typedef struct slot {
    enum { FREE, MARKED, USED } what;
    uint8_t key, value;
} slot;

/* Return the slot of a key, or one to put it into, or NULL. */
static slot *find_slot(slot *slots, uint8_t key, bool puts) {
    for (unsigned i = 0; i < MAP_SIZE; i++) {
        slot *s = &slots[(key + i) % MAP_SIZE];
        if ((s->what == USED && s->key == key) || (s->what < USED && puts)) return s;
        if (s->what == FREE) return NULL;
    }
    return NULL;
}

static bool tombstones(frng *f) {
    enum { PUT, REMOVE, GET };
    slot slots[MAP_SIZE] = {{FREE, 0, 0}};
    int expected[KEYS] = {0}; /* and 1; 0: it is not there */
    for (;;) {
        uint8_t what, key, value = 0;
        FRNG_TRY(frng_u8_max(f, GET, &what) && frng_u8_max(f, KEYS - 1, &key));
        if (what == PUT) FRNG_TRY(frng_u8(f, &value));
        slot *s = find_slot(slots, key, what == PUT);
        if (what == GET) {
            const int found = s != NULL ? s->value + 1 : 0;
            FRNG_ASSERT(found == expected[key], "%d, not %d", found, expected[key]);
        } else if (s != NULL) {
            *s = (slot){what == PUT ? USED : MARKED, key, value};
            expected[key] = what == PUT ? value + 1 : 0;
        }
    }
}

/* versions: up to 5 packages, each in up to 4 versions, which need versions of others or later
 * ones. One of each is wanted, the newest that can be. A solver tries the others when no version of
 * a package fits to those that were chosen before, but gives up if none of the package before fits,
 * either. Fails when it finds none, and there are.
 *
 * Smallest: the newest version of 0 needs one of 2 that there is not, and 1 is between them.
 *
 *     versions            2 of 0, the newer needs 2.1; 1 of 1; 1 of 2
 *         67400156ab4000010001
 */
enum { PACKAGES_MAX = 5, VERSIONS_MAX = 4, NEEDED_MAX = 2 };

typedef struct version {
    uint8_t count, least[NEEDED_MAX];
    size_t package[NEEDED_MAX];
} version;

typedef struct registry {
    uint8_t count, versions[PACKAGES_MAX];
    version all[PACKAGES_MAX][VERSIONS_MAX];
} registry;

static bool draw_registry(frng *f, registry *r) {
    FRNG_TRY(frng_u8_range(f, 1, PACKAGES_MAX, &r->count));
    for (size_t i = 0; i < r->count; i++) {
        FRNG_TRY(frng_u8_range(f, 1, VERSIONS_MAX, &r->versions[i]));
        for (size_t k = 0; k < r->versions[i]; k++) {
            version *v = &r->all[i][k];
            FRNG_TRY(frng_u8_max(f, NEEDED_MAX, &v->count));
            for (size_t n = 0; n < v->count; n++) {
                FRNG_TRY(frng_pick(f, r->count, &v->package[n]));
                FRNG_TRY(frng_u8_max(f, VERSIONS_MAX - 1, &v->least[n]));
            }
        }
    }
    return true;
}

/* Does what is needed of packages up to `last` fit to what was chosen of them? */
static bool fits(const registry *r, const uint8_t *chosen, size_t last) {
    for (size_t i = 0; i <= last; i++) {
        const version *v = &r->all[i][chosen[i]];
        for (size_t n = 0; n < v->count; n++) {
            if (v->package[n] <= last && chosen[v->package[n]] < v->least[n]) return false;
        }
    }
    return true;
}

/* Choose versions from package `at` on. Return the count of packages for which one was found at
 * best, or, if all were, all of them. */
static size_t solve(const registry *r, uint8_t *chosen, size_t at, bool gives_up) {
    size_t most = at;
    if (at == r->count) return at;
    for (size_t k = r->versions[at]; k > 0 && most < r->count; k--) {
        chosen[at] = (uint8_t)(k - 1);
        const size_t found = fits(r, chosen, at) ? solve(r, chosen, at + 1, gives_up) : at;
        if (found > most) most = found;
        if (gives_up && found > at + 1) return found;
    }
    return most;
}

static bool versions(frng *f) {
    registry r;
    uint8_t chosen[PACKAGES_MAX];
    FRNG_TRY(draw_registry(f, &r));
    const size_t right = solve(&r, chosen, 0, false), wrong = solve(&r, chosen, 0, true);
    FRNG_ASSERT(right == wrong || right < r.count, "%zu packages", wrong);
    return true;
}

const challenge held_out[] = {
    {"blocks", blocks, REPEATS},     {"doors", doors, AS_IS}, {"editor", editor, AS_IS},
    {"jobs", jobs, REPEATS},         {"links", links, AS_IS}, {"locks", locks, AS_IS},
    {"merge", merge, REPEATS},       {"ring", ring, AS_IS},   {"tombstones", tombstones, AS_IS},
    {"versions", versions, REPEATS}, {NULL, NULL, AS_IS},
};
